//! The options of examples that run on a cluster.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use secateurs::checkpoint::Fingerprint;
use secateurs::cluster::{Cluster, ClusterSearch, Recovered};
use secateurs::{Problem, Search};

use crate::support::{Failure, whole};

#[derive(Args)]
#[group(id = "cluster_options")]
pub struct Options {
    /// Keep a journal in this directory, and go on from it if there is one: all processes may be
    /// killed at any moment.
    #[arg(long, value_name = "DIRECTORY")]
    pub journal: Option<PathBuf>,
    /// Print the answer only.
    #[arg(long)]
    pub answer_only: bool,
    /// Which processes there are: -n PROCESSES, -p WHICH (from 0), -w THREADS (of each), -h
    /// HOSTFILE (an address a line).
    #[arg(last = true, value_name = "CLUSTER")]
    cluster: Vec<String>,
}

#[derive(Args)]
#[group(id = "slices")]
pub struct Slices {
    /// Search for about so long before what is left is sent on; 20 unless said otherwise.
    #[arg(long, value_name = "MILLISECONDS", value_parser = whole::<u64>)]
    slice: Option<u64>,
    /// Write what each slice was into this file, as CSV.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

impl Options {
    pub fn cluster(&self) -> Result<Cluster, Failure> {
        Ok(Cluster::from_args(self.cluster.clone())?)
    }
}

impl Slices {
    /// The search on the cluster, with these options; the problem is that of the fingerprint.
    pub fn on<'p, P: Problem, B, H, X>(
        &self,
        options: &Options,
        cluster: &'p Cluster,
        search: Search<'p, P, B, H, X>,
        problem: Fingerprint,
    ) -> Result<ClusterSearch<'p, P, B, H, X>, Failure> {
        let mut search = search.on(cluster).problem(problem.clone());
        if let Some(length) = self.slice {
            search = search.slice(Duration::from_millis(length));
        }
        if let Some(directory) = &options.journal {
            search = search.journal(directory, problem).on_recovery(|found| {
                let Recovered { records, tasks, unreachable, ignored_bytes, .. } = found;
                eprintln!("goes on from {records} records: {tasks} tasks are left");
                if unreachable + ignored_bytes > 0 {
                    eprintln!(
                        "({unreachable} records and {ignored_bytes} bytes are of no use; what they said is done again)"
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
