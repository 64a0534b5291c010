//! [`Cluster`]: the processes and threads of a cluster, and how a run on them starts and ends.

use std::any::Any;
use std::collections::VecDeque;
use std::net::Shutdown;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, fs, thread};

use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, initialize_from};
use timely::worker::Worker;
use timely::{CommunicationConfig, Config, WorkerConfig};

use super::connect::{Connection, Loss, Membership, StartUp, connect};
use super::dataflow::serve;
use super::error::ClusterError;
use super::transport::{CHANNELS, Capability, Transport, lost};
use crate::checkpoint::Fingerprint;
use crate::incumbent::reading::ThreadReads;
use crate::limits::{Cancel, thread_count};

/// The workers that share a search or a sweep: a number of threads in each of a number of
/// processes, on one host or on several.
///
/// All processes run the same program with the same arguments, except for the number of the
/// process. All of them start the same runs on the cluster in the same order, and each gets the
/// complete answer.
#[derive(Clone)]
pub struct Cluster {
    config: Config,
    /// The shared secret; empty if there is none.
    secret: Vec<u8>,
    connect_timeout: Duration,
    message_limit: u64,
}

/// The default time until all processes must be connected.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

/// The default limit of the length of a message: 1 GiB.
const MESSAGE_LIMIT: u64 = 1 << 30;

/// The least length of a secret in bytes: a shorter one can be guessed from a recorded handshake.
const LEAST_SECRET: usize = 16;

/// The time for which a process whose run has failed keeps its connections open, so that its last
/// messages reach the others.
const CLOSE_DELAY: Duration = Duration::from_secs(1);

impl Cluster {
    /// Creates a cluster of one process with this number of threads. 0 stands for the number that
    /// the machine runs in parallel.
    #[must_use]
    pub fn threads(threads: usize) -> Self {
        let communication = match thread_count(threads, usize::MAX) {
            0 | 1 => CommunicationConfig::Thread,
            threads => CommunicationConfig::Process(threads),
        };
        Self::new(Config { communication, worker: WorkerConfig::default() })
    }

    fn new(config: Config) -> Self {
        let (connect_timeout, message_limit) = (CONNECT_TIMEOUT, MESSAGE_LIMIT);
        Cluster { config, secret: Vec::new(), connect_timeout, message_limit }
    }

    /// Creates the view of process number `process` on a cluster of several processes with
    /// `threads` threads each; 0 is treated as 1, because all processes must have the same number.
    /// The `addresses`, such as `host:port`, are those of all processes, in the same order
    /// everywhere. Each process listens at its own.
    ///
    /// # Errors
    /// Returns an error if there is no address for this process, or one is not of the form
    /// `host:port`.
    pub fn processes(
        process: usize,
        addresses: Vec<String>,
        threads: usize,
    ) -> Result<Self, ClusterError> {
        check_addresses(&addresses)?;
        if process >= addresses.len() {
            return Err(out_of_range(process, addresses.len()));
        }
        if addresses.len() == 1 {
            return Ok(Self::threads(threads.max(1)));
        }
        let threads = threads.max(1);
        let communication = CommunicationConfig::Cluster {
            threads,
            process,
            addresses,
            report: false,
            zerocopy: false,
        };
        Ok(Self::new(Config { communication, worker: WorkerConfig::default() }))
    }

    /// Sets the secret that all processes share, of at least 16 bytes. A peer that does not prove
    /// that it knows the secret is refused before any of its other data are used. Without a secret,
    /// the processes connect only at addresses of the loopback interface (`localhost`, `127.0.0.1`,
    /// `[::1]`).
    ///
    /// # Errors
    /// Returns an error if the secret is too short.
    pub fn secret(mut self, secret: impl Into<Vec<u8>>) -> Result<Self, ClusterError> {
        let secret = secret.into();
        if secret.len() < LEAST_SECRET {
            let found = secret.len();
            return Err(ClusterError::Options {
                reason: format!(
                    "the secret has {found} bytes, expected at least {LEAST_SECRET} random \
                     ones, such as those of head -c 32 /dev/urandom"
                ),
            });
        }
        self.secret = secret;
        Ok(self)
    }

    /// Sets how long each process waits at the start of a run until all processes are connected and
    /// have exchanged what they run: 60 seconds by default. After that time the run fails with an
    /// error that names the missing processes.
    #[must_use]
    pub fn connect_timeout(mut self, time: Duration) -> Self {
        self.connect_timeout = time;
        self
    }

    /// Sets the limit of the length of a message from another process, in bytes: 1 GiB by default.
    /// A longer message ends the run before memory for it is allocated.
    #[must_use]
    pub fn message_limit(mut self, bytes: u64) -> Self {
        self.message_limit = bytes;
        self
    }

    /// Creates a cluster from command line options, which are those of timely and three more:
    ///
    /// | option | meaning | default |
    /// |---|---|---|
    /// | `-w T` | threads of each process | 1 |
    /// | `-n N` | number of processes | 1 |
    /// | `-p I` | number of this process, from 0 | 0 |
    /// | `-h FILE` | addresses of all, a line `host:port` each | ports from 2101, this host |
    /// | `--secret-file FILE` | the [secret](Self::secret), trimmed at its end | no secret |
    /// | `--connect-timeout SECONDS` | [time](Self::connect_timeout) until all are connected | 60 |
    /// | `--message-limit BYTES` | [length](Self::message_limit) of a message | 1 GiB |
    ///
    /// `--hostfile`, `--threads`, `--processes` and `--process` are the long forms. `--zerocopy`,
    /// `--progress-mode` and `--idle-spin` are passed on to timely. `--report` is accepted and has
    /// no effect.
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
    /// Returns an error if an option is unknown or its value is invalid, if there is an argument
    /// that is no option, or if a file cannot be read.
    pub fn from_args(
        args: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, ClusterError> {
        let error = |reason| ClusterError::Options { reason };
        let mut options = getopts::Options::new();
        Config::install_options(&mut options);
        options.optopt("", "secret-file", "a file with the secret of the cluster", "FILE");
        options.optopt(
            "",
            "connect-timeout",
            "how long to wait until all are connected",
            "SECONDS",
        );
        options.optopt("", "message-limit", "how long a message may be", "BYTES");
        let matches = options
            .parse(args.into_iter().map(Into::into))
            .map_err(|fail| error(fail.to_string()))?;
        if let Some(free) = matches.free.first() {
            return Err(error(format!("found `{free}`, expected an option that begins with -")));
        }
        // Invalid numbers are errors of `Config::from_matches` below.
        let number =
            |name, default| matches.opt_get_default::<usize>(name, default).unwrap_or(default);
        let (process, processes) = (number("p", 0), number("n", 1));
        if processes > MOST_PROCESSES {
            return Err(error(format!(
                "found {processes} processes (-n), expected at most {MOST_PROCESSES}"
            )));
        }
        let config = Config::from_matches(&matches).map_err(error)?;
        if let CommunicationConfig::Cluster { addresses, .. } = &config.communication {
            check_addresses(addresses)?;
        }
        if process >= processes.max(1) {
            return Err(out_of_range(process, processes));
        }
        if number("w", 1) == 0 || processes == 0 {
            let reason = "found 0 processes or threads (-n, -w), expected at least 1 of each";
            return Err(error(reason.to_owned()));
        }
        let mut cluster = Self::new(config);
        if let Some(path) = matches.opt_str("secret-file") {
            let mut secret = fs::read(&path).map_err(|fail| error(format!("{path}: {fail}")))?;
            secret.truncate(secret.trim_ascii_end().len());
            cluster = cluster.secret(secret)?;
        }
        if let Some(text) = matches.opt_str("connect-timeout") {
            let seconds =
                text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            let expected = || {
                error(format!(
                    "--connect-timeout: found `{text}`, expected seconds, such as 60 or 0.5"
                ))
            };
            cluster.connect_timeout = seconds.ok_or_else(expected)?;
        }
        if let Some(text) = matches.opt_str("message-limit") {
            let bytes = text.parse();
            cluster.message_limit = bytes.map_err(|_| {
                error(format!(
                    "--message-limit: found `{text}`, expected bytes, such as {MESSAGE_LIMIT}"
                ))
            })?;
        }
        Ok(cluster)
    }

    /// Returns the number of this process, from 0.
    #[must_use]
    pub fn process(&self) -> usize {
        match self.config.communication {
            CommunicationConfig::Cluster { process, .. } => process,
            _ => 0,
        }
    }

    /// Returns whether this is process 0, the one that should print.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.process() == 0
    }

    /// Returns the number of workers in all processes together.
    #[must_use]
    pub fn workers(&self) -> usize {
        let processes = match &self.config.communication {
            CommunicationConfig::Cluster { addresses, .. } => addresses.len(),
            _ => 1,
        };
        processes * self.local_workers()
    }

    /// Returns whether a search or sweep must be identified to other processes or to later runs,
    /// because there are several processes or a journal.
    pub(crate) fn needs_identities(&self, has_journal: bool) -> bool {
        self.workers() != self.local_workers() || has_journal
    }

    /// Checks that a run with several processes or a journal has a fingerprint with the parameters
    /// of all parts. Without it, processes and runs of a journal cannot tell that they work on the
    /// same problem.
    ///
    /// # Errors
    /// Returns an error if the fingerprint or the parameters of a part are missing but needed.
    pub(crate) fn require_fingerprint(
        &self,
        fingerprint: Option<&Fingerprint>,
        has_journal: bool,
    ) -> Result<(), ClusterError> {
        if !self.needs_identities(has_journal) {
            return Ok(());
        }
        match fingerprint.map(Fingerprint::unstated) {
            Some(Some(part)) => Err(ClusterError::Unstated { part }),
            Some(None) => Ok(()),
            None => Err(ClusterError::Unidentified),
        }
    }

    /// Returns the number of workers in this process.
    pub(crate) fn local_workers(&self) -> usize {
        match self.config.communication {
            CommunicationConfig::Thread => 1,
            CommunicationConfig::Process(threads) | CommunicationConfig::ProcessBinary(threads) => {
                threads
            }
            CommunicationConfig::Cluster { threads, .. } => threads,
        }
    }

    /// Connects this process with all others, if there are any.
    fn build(&self, start_up: &StartUp, loss: &Loss) -> Result<Network, ClusterError> {
        let failed = |reason| ClusterError::Connect { reason };
        let CommunicationConfig::Cluster { threads, process, addresses, zerocopy, .. } =
            &self.config.communication
        else {
            let (builders, guard) =
                self.config.communication.clone().try_build().map_err(failed)?;
            return Ok(Network { builders, guard, connections: Vec::new() });
        };
        let (threads, process, secret) = (*threads, *process, self.secret.as_slice());
        let membership = Membership { addresses, process, threads, secret };
        let connections = connect(membership, start_up, self.message_limit, loss)?;
        let unusable = |error: std::io::Error| failed(error.to_string());
        let clones = connections
            .iter()
            .map(|connection| connection.as_ref().map(Stream::try_clone).transpose());
        let sockets = clones.collect::<Result<_, _>>().map_err(unusable)?;
        let Hooks { refill, spill, .. } = Hooks::default();
        let local = if *zerocopy {
            ProcessBuilder::new_bytes_vector(threads, refill, spill)
        } else {
            ProcessBuilder::new_typed_vector(threads, refill, spill)
        };
        let built =
            initialize_networking_from_sockets(local, sockets, process, threads, Hooks::default());
        let (builders, guard) = built.map_err(unusable)?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        Ok(Network {
            builders,
            guard: Box::new(guard),
            connections: connections.into_iter().flatten().collect(),
        })
    }

    /// Connects the processes and calls `work` in each worker of this one, with one of the
    /// `inputs`. Returns the results in the order of the inputs. All processes must call it.
    /// `cancel` ends the wait for the others.
    ///
    /// # Errors
    /// Returns an error if the processes cannot be connected, if a peer is lost, or if `work`
    /// returns one in this process.
    ///
    /// # Panics
    /// Resumes a panic of `work` in this process.
    pub(crate) fn run<I: Send, T: Send>(
        &self,
        cancel: Option<&Cancel>,
        inputs: Vec<I>,
        work: impl Fn(Transport, [Capability; CHANNELS], I) -> Result<T, ClusterError> + Sync,
    ) -> Result<Vec<T>, ClusterError> {
        debug_assert_eq!(inputs.len(), self.local_workers());
        let start_up = StartUp::new(self.connect_timeout, cancel.cloned());
        let loss = Loss::default();
        let Network { builders, guard, connections } = self.build(&start_up, &loss)?;
        // Threads of one process need no deadline: they fail together.
        let start_up = if connections.is_empty() { StartUp::endless() } else { start_up };
        let (mut ports, mut ends) = (Vec::new(), VecDeque::new());
        for _ in &builders {
            let ((command, commands), (event, events)) = (channel(), channel());
            ports.push((command, events));
            ends.push_back((commands, event));
        }
        // Each of timely's threads takes its channel ends under the lock. Their order does not
        // matter, because all ends are equivalent. The lock is held for `pop_front` only, so that a
        // poisoned lock is still valid.
        let (ends, config) = (Mutex::new(ends), self.config.worker.clone());
        let servers = initialize_from(builders, guard, move |allocator| {
            let (commands, event) =
                ends.lock().unwrap_or_else(PoisonError::into_inner).pop_front()?;
            let worker = Worker::new(config.clone(), allocator, Some(Instant::now()));
            // If the network panics, the worker notices that its channel is closed. Unwinding
            // closes the connections, so that peers do not take the panic for a regular end.
            catch_unwind(AssertUnwindSafe(move || {
                let mut worker = worker;
                serve(&mut worker, CHANNELS, &commands, event);
            }))
            .ok()
        });
        let servers = servers.map_err(|reason| ClusterError::Connect { reason })?;
        let reads = &ThreadReads::default();
        let results: Vec<thread::Result<Result<T, ClusterError>>> = thread::scope(|scope| {
            let workers: Vec<_> = ports
                .into_iter()
                .zip(inputs)
                .map(|((command, events), input)| {
                    let (work, start_up, loss) = (&work, start_up.clone(), loss.clone());
                    let work = move || {
                        let (transport, capabilities) =
                            Transport::new(command, events, start_up, loss)?;
                        work(transport, capabilities, input)
                    };
                    scope.spawn(move || reads.collect(work))
                })
                .collect();
            workers.into_iter().map(|worker| worker.join()).collect()
        });
        let results =
            match results.into_iter().collect::<thread::Result<Result<Vec<T>, ClusterError>>>() {
                Ok(Ok(results)) => results,
                failed => {
                    // Network threads may wait for peers that never answer: neither this process
                    // nor a peer may wait for them, so they are leaked. The connections stay open
                    // for a moment, because a peer may be about to read why this process has
                    // failed.
                    std::mem::forget(servers);
                    thread::spawn(move || {
                        thread::sleep(CLOSE_DELAY);
                        for connection in connections {
                            let _ = connection.shutdown(Shutdown::Both);
                        }
                    });
                    return failed.unwrap_or_else(|panic| resume_unwind(panic));
                }
            };
        // timely's threads end when those of all peers do; a thread whose connection ends
        // unexpectedly panics.
        let served = catch_unwind(AssertUnwindSafe(|| servers.join())).map_err(|_| lost(&loss))?;
        served
            .into_iter()
            .map(|served| {
                served.and_then(|served| served.ok_or_else(String::new)).map_err(|_| lost(&loss))
            })
            .collect::<Result<Vec<()>, _>>()?;
        Ok(results)
    }
}

/// The allocators and connections of timely.
struct Network {
    builders: Vec<AllocatorBuilder>,
    /// Joins the threads of the network when it is dropped.
    guard: Box<dyn Any + Send>,
    /// The connections, to shut down all of them at once.
    connections: Vec<Connection>,
}

/// The largest number of processes: more would exceed the ports of one host, and would be of no use
/// on several.
const MOST_PROCESSES: usize = 1 << 15;

/// Returns whether an address has a host and a port, and no blanks within. Without this check, an
/// invalid address of a peer would be retried until the connect timeout.
fn is_address(text: &str) -> bool {
    text.trim().rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty() && !host.contains(char::is_whitespace) && port.parse::<u16>().is_ok()
    })
}

fn check_addresses(addresses: &[String]) -> Result<(), ClusterError> {
    match addresses.iter().find(|address| !is_address(address)) {
        Some(address) => {
            let reason = format!("found the address `{address}`, expected host:port");
            Err(ClusterError::Options { reason })
        }
        None => Ok(()),
    }
}

/// Creates the error for a process without an address.
fn out_of_range(process: usize, processes: usize) -> ClusterError {
    let reason =
        format!("found process {process} (-p), expected a number less than {processes} (-n)");
    ClusterError::Options { reason }
}

/// Returns the message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster")
            .field("process", &self.process())
            .field("workers", &self.workers())
            .finish_non_exhaustive()
    }
}
