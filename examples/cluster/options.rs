//! The options of the runs on a cluster.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use secateurs::checkpoint::Fingerprint;
use secateurs::cluster::{Cluster, ClusterError, ClusterSearch, Recovered};
use secateurs::{Limits, Problem, Search, Stop};

use crate::support::{Failure, Unfinished, interrupt, limits, whole};

#[derive(Args)]
#[group(id = "cluster_options")]
pub struct Options {
    /// Keep a journal in this directory and resume from it, so that all processes may be killed at
    /// any moment.
    #[arg(long, value_name = "DIRECTORY")]
    pub journal: Option<PathBuf>,
    #[command(flatten)]
    limits: limits::Options,
    /// Print only the answer.
    #[arg(long)]
    pub answer_only: bool,
    /// Options of the cluster: -n PROCESSES, -p NUMBER (of this one, from 0), -w THREADS (of each),
    /// -h HOSTFILE (a line with the address of each).
    #[arg(last = true, value_name = "CLUSTER")]
    cluster: Vec<String>,
}

// `cluster_count` does not use it: a sweep has no slices.
#[allow(dead_code)]
#[derive(Args)]
#[group(id = "slices")]
pub struct Slices {
    /// Search for about this long before distributing what is left [default: 20].
    #[arg(long, value_name = "MILLISECONDS", value_parser = whole::<u64>)]
    slice: Option<u64>,
    /// Write a CSV line for each slice into this file.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

impl Options {
    pub fn cluster(&self) -> Result<Cluster, Failure> {
        Ok(interrupt::while_reading(|| Cluster::from_args(self.cluster.clone()))?)
    }

    pub fn limits(&self) -> Limits {
        self.limits.limits()
    }
}

/// Returns the answer of a cluster, or an error. A process that is interrupted before all have
/// connected waits a little longer for the others: they are often interrupted at the same time, and
/// then all stop with the same outcome.
pub fn answer<T>(run: impl FnOnce() -> Result<T, ClusterError>) -> Result<T, Failure> {
    interrupt::while_completing("leaving the cluster".to_owned(), run).map_err(|error| {
        let cancelled = matches!(error, ClusterError::Cancelled { .. });
        let interrupted = || Unfinished::new(Stop::Cancelled, &error);
        if cancelled { interrupted().into() } else { error.into() }
    })
}

// As above.
#[allow(dead_code)]
impl Slices {
    /// Creates the search on the cluster with these options, for the problem of the fingerprint.
    pub fn search_on<'p, P: Problem, B, H, X>(
        &self,
        options: &Options,
        cluster: &'p Cluster,
        search: Search<'p, P, B, H, X>,
        problem: Fingerprint,
    ) -> Result<ClusterSearch<'p, P, B, H, X>, Failure> {
        let mut search = search.limits(options.limits()).on(cluster).problem(problem.clone());
        if let Some(length) = self.slice {
            search = search.slice(Duration::from_millis(length));
        }
        if let Some(directory) = &options.journal {
            search = search.journal(directory, problem).on_recovery(|found| {
                let Recovered { records, tasks, unreachable, ignored_bytes, .. } = found;
                eprintln!("resumed from {records} records: {tasks} tasks left");
                if unreachable + ignored_bytes > 0 {
                    eprintln!(
                        "(ignored {unreachable} records and {ignored_bytes} bytes; \
                         their work is repeated)"
                    );
                }
            });
        }
        if let Some(path) = &self.trace {
            search = search.trace(BufWriter::new(File::create(path)?))?;
        }
        Ok(search)
    }
}
