//! Searches and sweeps in many processes, on timely dataflow. Needs the feature `timely`.
//!
//! ```
//! use secateurs::Search;
//! use secateurs::cluster::Cluster;
//! use secateurs_problems::queens::Queens;
//!
//! let queens = Queens::new(9)?.bits();
//! let cluster = Cluster::from_args(["-w", "2"])?; // or the options of the command line
//! assert_eq!(Search::new(&queens).on(&cluster).count()?.exact(), Some(352));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # One program, many processes
//!
//! Every process of a cluster runs the same program with the same arguments, except for its number.
//! Several processes need a fingerprint of the problem, set by [`ClusterSearch::problem`] or
//! [`Sweep::problem`](crate::plug::Sweep::problem). The processes connect when the program calls
//! [`on(&cluster)`](crate::Search::on), work together, and disconnect again. Each of them gets the
//! complete answer, so all continue alike, to the next run or to their end. The first process is
//! [the one that prints](Cluster::is_first). The following commands use two hosts, a file `hosts`
//! with a line `host:port` for each process, and a file with a secret:
//!
//! ```sh
//! one$ cluster_queens 20 -- -n 2 -p 0 -h hosts -w 64 --secret-file secret
//! two$ cluster_queens 20 -- -n 2 -p 1 -h hosts -w 64 --secret-file secret
//! ```
//!
//! Each process listens at its own address and connects to the processes before it. It waits [a
//! minute at most](Cluster::connect_timeout) for the others; then the run fails with an error that
//! names the missing processes.
//!
//! When the processes connect, they check that they run the same search or sweep. They compare the
//! numbers of processes and threads, the version of this crate, the type of the problem, the
//! operation, and the fingerprint of the problem and the hooks. They also compare the first choices
//! of the tree, or the first states of each layer, because problems of one type may be different
//! instances.
//!
//! # Communication
//!
//! | | search | sweep |
//! |---|---|---|
//! | distribution | of subtrees, at random, repeatedly | of states, layer by layer, by their hash |
//! | messages | a path and the untried siblings along it | states with their values, at each cell |
//! | waits | never | for the slowest worker, at the end of each cell |
//! | broadcasts | a better incumbent, after a slice | the number of states, limits reached |
//! | end | when no worker has a subtree | after the last cell |
//! | [journal](ClusterSearch::journal) | a record of each task taken up | a layer, at intervals |
//!
//! There is no coordinator. The network, the threads and the tracking of progress are timely's
//! (McSherry and others, after Murray, McSherry, Isaacs, Isard, Barham and Abadi, 2013). Each
//! worker has a second thread, which searches or sweeps.
//!
//! # Lost processes
//!
//! timely does not tolerate the loss of a process. The run then fails with
//! [`ClusterError::PeerLost`], which names the process if it is known; it never returns an
//! incomplete answer. A damaged message ends the run with the same error. A process that fails
//! closes its connections, so that all others fail as well. With a journal, all processes are
//! started again, in any number, and continue. A second cluster on a journal in use is refused. The
//! scripts in `examples/cluster/` of the repository restart the processes of one host, and run them
//! on several (`docs/cluster.md`). `docs/cluster-planning.md` estimates the performance of many
//! cores.
//!
//! # Safety
//!
//! At addresses beyond the loopback interface, all processes need a [secret](Cluster::secret). A
//! connection is used only after the other side has proven that it knows the secret, by a challenge
//! and an HMAC-SHA-256. Any other connection neither ends nor delays a run, and only a small, fixed
//! number of them is kept, each with a small buffer. The length of each message is
//! [limited](Cluster::message_limit). Without a secret, every user of this host can impersonate a
//! process.
//!
//! After the connection is established, messages are neither encrypted nor authenticated: an
//! attacker that can read or change the packets between two hosts can read the problem, end a run,
//! or falsify it. Use private networks or a tunnel.
//!
//! # Modules, in reading order
//!
//! | module | contents |
//! |---|---|
//! | `error` | [`ClusterError`] |
//! | `connect` | authenticated connections between processes, and checks of their message headers |
//! | `dataflow` | the timely dataflow of a worker: one loop per channel, which transports bytes |
//! | `transport` | a worker's messages, and the rounds in which they are sent |
//! | `handshake` | the check that all workers run the same search or sweep |
//! | `runtime` | [`Cluster`]: the processes and threads, and how a run starts and ends |
//! | `journal` | the files of the journal of a search; its data are uninterpreted bytes |
//! | `search` | [`ClusterSearch`] |
//! | `sweep` | [`OnCluster`] and its journal |

mod connect;
mod dataflow;
mod error;
mod handshake;
mod journal;
#[cfg(test)]
mod measures;
mod runtime;
mod search;
mod sweep;
#[cfg(test)]
mod tests;
mod transport;

pub use error::ClusterError;
pub use journal::Recovered;
pub use runtime::Cluster;
pub use search::ClusterSearch;
pub use sweep::{OnCluster, Traffic};
