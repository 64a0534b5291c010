//! Beyond one machine: searches and sweeps in many processes, on timely dataflow. Needs the feature
//! `timely`.
//!
//! ```
//! use secateurs::Search;
//! use secateurs::cluster::Cluster;
//! use secateurs::problems::queens::Queens;
//!
//! let queens = Queens::new(9)?.bits();
//! let cluster = Cluster::from_args(["-w", "2"])?; // or what the command line says
//! assert_eq!(Search::new(&queens).on(&cluster).count()?.exact(), Some(352));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # One program, many processes
//!
//! Every process of a cluster runs the same program with the same arguments, but for its number.
//! Where the program says [`on(&cluster)`](crate::Search::on), the processes meet, work together,
//! and part again, each with the whole answer: so they go on alike, to the next run or to their
//! end. The first one is [the one to print](Cluster::is_first). On two hosts, with a file `hosts`
//! that has a line `host:port` for each process, and a file with a secret:
//!
//! ```sh
//! one$ cluster_queens 20 -- -n 2 -p 0 -h hosts -w 64 --secret-file secret
//! two$ cluster_queens 20 -- -n 2 -p 1 -h hosts -w 64 --secret-file secret
//! ```
//!
//! Each process listens at its own address and connects to those before it. It waits for the others
//! for [a minute at most](Cluster::connect_timeout), and then ends with an error that names the
//! missing processes.
//!
//! That they run the same is looked at when they meet: numbers of processes and threads, version,
//! type of the problem, operation, hooks, the fingerprint if there is a journal, and the first
//! choices of the tree, or the first states of each layer, as problems of one type may be different
//! instances.
//!
//! # What travels
//!
//! | | a search | a sweep |
//! |---|---|---|
//! | is divided | into subtrees, at random, again and again | layer by layer, by the hash of the state |
//! | sends | a path and the siblings untried along it | states with their values, once a cell |
//! | waits | for nobody | at the end of each cell, for the slowest |
//! | tells all | a better incumbent, at the end of a slice | how many states there are, and who has come to a limit |
//! | ends | when nobody has a subtree, which timely notices | after the last cell |
//! | keeps | a record of each slice, in a [journal](ClusterSearch::journal) | a layer, every so often |
//!
//! There is no coordinator. The network, the threads and the tracking of progress are timely's
//! (McSherry and others, after Murray, McSherry, Isaacs, Isard, Barham and Abadi, 2013); each
//! worker has a thread of its own beside, which searches.
//!
//! # What a lost process means
//!
//! timely ends with any of its processes, and so does the run, with [`ClusterError::PeerLost`],
//! which names the process: never with an answer that lacks something. A process that fails closes
//! its connections, so that all others end as well. With a journal, all processes are started
//! again, as many as one likes, and go on; a second cluster on a journal in use is refused. The
//! scripts in `examples/cluster/` of the repository do that on one host, and show it on several
//! (`docs/cluster.md`); `docs/cluster-planning.md` says what to expect of many cores, and why.
//!
//! # Safety
//!
//! At addresses beyond the loopback interface, all processes need a [secret](Cluster::secret). A
//! connection is used only when the other side has proven that it knows the secret, by a challenge
//! and an HMAC-SHA-256; whatever else connects can neither end a run nor delay it, nor have memory
//! allocated. Each message is [limited](Cluster::message_limit). Without a secret, every user of
//! this host can take the place of a process.
//!
//! Messages are neither encrypted nor authenticated after that: an attacker that can read or change
//! the packets between two hosts can read the problem, end a run, or falsify it. Hence private
//! networks only, or a tunnel.

mod connect;
mod dataflow;
mod error;
mod frame;
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
pub use sweep::{ClusterSweep, Traffic};
