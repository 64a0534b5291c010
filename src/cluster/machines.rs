//! [`Cluster`]: which processes and threads there are, and how they are started.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use timely::communication::initialize_from;
use timely::worker::Worker;
use timely::{CommunicationConfig, Config, WorkerConfig};

use super::dataflow::serve;
use super::error::ClusterError;
use super::post::{LINES, Post, Right};
use crate::checkpoint::{Fingerprint, SaveError};

/// The workers that share a search or a sweep: so many threads in each of so many processes, on one host or on several.
///
/// All processes run the same program with the same arguments, but for the number of the process. Each run that one of them starts
/// on the cluster, all of them start, in the same order; and each gets the whole answer.
#[derive(Clone)]
pub struct Cluster {
    config: Config,
}

impl Cluster {
    /// One process of so many threads (0 counts as 1).
    #[must_use]
    pub fn threads(threads: usize) -> Self {
        let communication = match threads {
            0 | 1 => CommunicationConfig::Thread,
            threads => CommunicationConfig::Process(threads),
        };
        Cluster { config: Config { communication, worker: WorkerConfig::default() } }
    }

    /// Several processes, of which this is the one at `process`, each of so many threads (0 counts as 1). The addresses, such as
    /// `host:port`, are those of all processes in the same order; each listens at its own.
    ///
    /// # Errors
    /// If there is no address for this process.
    pub fn processes(process: usize, addresses: Vec<String>, threads: usize) -> Result<Self, ClusterError> {
        if let Some(address) = addresses.iter().find(|address| !is_address(address)) {
            return Err(ClusterError::Options { reason: format!("`{address}` is no address, as host:port is") });
        }
        if process >= addresses.len() {
            let reason = format!("process {process} of {}: they are numbered from 0", addresses.len());
            return Err(ClusterError::Options { reason });
        }
        if addresses.len() == 1 {
            return Ok(Self::threads(threads));
        }
        let threads = threads.max(1);
        let communication =
            CommunicationConfig::Cluster { threads, process, addresses, report: false, zerocopy: false };
        Ok(Cluster { config: Config { communication, worker: WorkerConfig::default() } })
    }

    /// What timely's own options say:
    ///
    /// | option | meaning | if it is not there |
    /// |---|---|---|
    /// | `-w T` | threads of each process | 1 |
    /// | `-n N` | processes | 1 |
    /// | `-p I` | which of them this is, from 0 | 0 |
    /// | `-h FILE` | a file with the address of each, a line each, as `host:port` | ports from 2101 on, on this host |
    ///
    /// (`--hostfile`, `--threads`, `--processes`, `--process` are the same in full; `--report`, `--zerocopy`, `--progress-mode` and
    /// `--idle-spin` are passed on as well.)
    ///
    /// ```
    /// use secateurs::cluster::Cluster;
    ///
    /// let cluster = Cluster::from_args(["-w", "2"])?;
    /// assert_eq!((cluster.process(), cluster.workers()), (0, 2));
    /// assert!(Cluster::from_args(["-n", "2", "-p", "2"]).is_err());
    /// # Ok::<(), secateurs::cluster::ClusterError>(())
    /// ```
    ///
    /// # Errors
    /// If an option is unknown or has no sense, if anything is there that is no option, or if the file cannot be read.
    pub fn from_args(args: impl IntoIterator<Item = impl Into<String>>) -> Result<Self, ClusterError> {
        let error = |reason| ClusterError::Options { reason };
        let mut options = getopts::Options::new();
        Config::install_options(&mut options);
        let matches = options.parse(args.into_iter().map(Into::into)).map_err(|fail| error(fail.to_string()))?;
        if let Some(free) = matches.free.first() {
            return Err(error(format!("`{free}` is no option")));
        }
        let number = |name, default| matches.opt_get_default::<usize>(name, default).unwrap_or(default);
        let (process, processes) = (number("p", 0), number("n", 1));
        if processes > MOST_PROCESSES {
            return Err(error(format!("{processes} processes: there is no port for each")));
        }
        let config = Config::from_matches(&matches).map_err(error)?;
        if let CommunicationConfig::Cluster { addresses, .. } = &config.communication
            && let Some(address) = addresses.iter().find(|address| !is_address(address))
        {
            return Err(error(format!("`{address}` is no address, as host:port is")));
        }
        if process >= processes.max(1) {
            return Err(error(format!("process {process} of {processes}: they are numbered from 0")));
        }
        if number("w", 1) == 0 || processes == 0 {
            return Err(error("at least one process of one thread is needed".to_owned()));
        }
        Ok(Cluster { config })
    }

    /// The number of this process, from 0.
    #[must_use]
    pub fn process(&self) -> usize {
        match self.config.communication {
            CommunicationConfig::Cluster { process, .. } => process,
            _ => 0,
        }
    }

    /// Whether this is process 0, which is the one to print.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.process() == 0
    }

    /// How many workers there are in all processes together.
    #[must_use]
    pub fn workers(&self) -> usize {
        let processes = match &self.config.communication {
            CommunicationConfig::Cluster { addresses, .. } => addresses.len(),
            _ => 1,
        };
        processes * self.local_workers()
    }

    /// Several processes must be able to tell one problem from another, with all that is plugged in.
    /// So must a run and its journal.
    pub(crate) fn needs(&self, fingerprint: Option<&Fingerprint>, has_journal: bool) -> Result<(), ClusterError> {
        if self.workers() == self.local_workers() && !has_journal {
            return Ok(());
        }
        match fingerprint.map(Fingerprint::check) {
            Some(Err(SaveError::Unstated { part })) => Err(ClusterError::Unstated { part }),
            Some(_) => Ok(()),
            None => Err(ClusterError::Unidentified),
        }
    }

    /// How many workers there are in this process.
    pub(crate) fn local_workers(&self) -> usize {
        match self.config.communication {
            CommunicationConfig::Thread => 1,
            CommunicationConfig::Process(threads) | CommunicationConfig::ProcessBinary(threads) => threads,
            CommunicationConfig::Cluster { threads, .. } => threads,
        }
    }

    /// Connects the processes, and lets each worker of this one work, with one of the `inputs`; what they give, in their order. To be
    /// done by all processes.
    pub(crate) fn run<I: Send, T: Send>(
        &self,
        inputs: Vec<I>,
        work: impl Fn(Post, [Right; LINES], I) -> Result<T, ClusterError> + Sync,
    ) -> Result<Vec<T>, ClusterError> {
        debug_assert_eq!(inputs.len(), self.local_workers());
        let communication = self.config.communication.clone();
        // It panics if something else than a process of this cluster calls.
        let built = catch_unwind(AssertUnwindSafe(|| communication.try_build()));
        let built = built.unwrap_or_else(|panic| Err(message(&*panic)));
        let (builders, network) = built.map_err(|reason| ClusterError::Connect { reason })?;
        let (mut posts, mut ends) = (Vec::new(), VecDeque::new());
        for _ in &builders {
            let ((command, commands), (event, events)) = (channel(), channel());
            posts.push((command, events));
            ends.push_back((commands, event));
        }
        // In the order in which timely starts its threads, whichever it is: they are all the same.
        let (ends, config) = (Mutex::new(ends), self.config.worker.clone());
        let servers = initialize_from(builders, network, move |allocator| {
            let (commands, event) = ends.lock().unwrap_or_else(PoisonError::into_inner).pop_front()?;
            let worker = Worker::new(config.clone(), allocator, Some(Instant::now()));
            // A panic of the network is told to the worker by its channel being closed. The connections are closed while it unwinds,
            // so that others do not take it for a farewell.
            catch_unwind(AssertUnwindSafe(move || {
                let mut worker = worker;
                serve(&mut worker, LINES, &commands, event);
            }))
            .ok()
        });
        let servers = servers.map_err(|reason| ClusterError::Connect { reason })?;
        let results: Vec<thread::Result<Result<T, ClusterError>>> = thread::scope(|scope| {
            let workers: Vec<_> = posts
                .into_iter()
                .zip(inputs)
                .map(|((command, events), input)| {
                    let work = &work;
                    scope.spawn(move || {
                        let (post, rights) = Post::new(command, events)?;
                        work(post, rights, input)
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join()).collect()
        });
        let results = match results.into_iter().collect::<thread::Result<Result<Vec<T>, ClusterError>>>() {
            Ok(Ok(results)) => results,
            failed => {
                // Threads of the network may wait for peers that will never answer.
                std::mem::forget(servers);
                return failed.unwrap_or_else(|panic| resume_unwind(panic));
            }
        };
        let lost = || ClusterError::PeerLost { reason: "a connection has ended before all was said".to_owned() };
        // Its threads end when those of all peers do; one that has met an end that it did not expect panics.
        let served = catch_unwind(AssertUnwindSafe(|| servers.join())).map_err(|_| lost())?;
        served
            .into_iter()
            .map(|served| served.and_then(|served| served.ok_or_else(String::new)).map_err(|_| lost()))
            .collect::<Result<Vec<()>, _>>()?;
        Ok(results)
    }
}

/// More would have no ports on one host, and no use for as many connections on several.
const MOST_PROCESSES: usize = 1 << 15;

/// Whether this is a host with a port: timely would wait for any other for ever.
fn is_address(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| !host.trim().is_empty() && port.trim().parse::<u16>().is_ok())
}

/// What a panic says.
pub(crate) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster")
            .field("process", &self.process())
            .field("workers", &self.workers())
            .finish_non_exhaustive()
    }
}
