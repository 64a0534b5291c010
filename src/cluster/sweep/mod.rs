//! Sweeps on a cluster: [`OnCluster`].
//!
//! A layer is divided into parts, one per worker. The owner of a state is determined by the hash of
//! the state or of its [region](crate::plug::ContourProblem::region). A cell takes one round: each
//! worker takes its own states through the cell, keeps those successors that it owns, and sends the
//! others with their values to their owners in batches. In between it merges the batches that it
//! receives. When timely reports that all batches have arrived, each worker sends all others the
//! number of its states and any limit that it has reached. Thus all have the same information, and
//! continue or stop together.
//!
//! | module | contents |
//! |---|---|
//! | `mod` | [`OnCluster`] and its options |
//! | `run` | starts the workers, and collects their answers or errors |
//! | `worker` | the loop over the cells, and the agreement of all workers between cells |
//! | `step` | one cell, and hooks that thin the layer after it |
//! | `batch` | serialized states |
//! | `exchange` | messages, by their rounds, and statistics of what was sent |
//! | `journal` | layers in files |

mod batch;
mod exchange;
mod journal;
mod run;
mod step;
mod worker;

use std::path::PathBuf;
use std::time::Duration;

pub use exchange::Traffic;

use super::runtime::Cluster;
use crate::checkpoint::Fingerprint;
use crate::plug::{ContourProblem, Sweep, SweepHooks};

/// The [`Executor`](crate::plug::Executor) of a sweep on the workers of a cluster, created by
/// [`Sweep::on`](crate::plug::Sweep::on).
///
/// All processes create the same sweep and call the same operation; each gets the complete answer
/// with the same report.
///
/// ```
/// use secateurs::cluster::Cluster;
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
///
/// let cycles = hamiltonian_cycles(&Grid::new(8, 8)?);
/// let cluster = Cluster::threads(2);
/// let outcome = Sweep::new(&cycles).on(&cluster).count()?;
/// assert_eq!(outcome.exact(), Some(4_638_576));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Equality with a sweep in one process
///
/// For any number of workers, the answer is the same, and so are the states of each layer, the
/// transitions, merges, dead ends and the cuts of each hook in the report. The time differs, and so
/// does the peak of memory, which depends on how full the tables are.
///
/// A hook that thins whole layers need not do anything for this: by default, each worker receives
/// the whole layer. A hook that overrides
/// [`SweepHook::thin_part`](crate::plug::SweepHook::thin_part) saves messages, and must ensure this
/// equality.
///
/// # Limits
///
/// Limits apply to all workers together, and must be the same in all processes, except for the
/// time:
///
/// - [Nodes](crate::Limits::nodes) and [depth](crate::Limits::depth) are exact: the sweep ends
///   before the same cell as in one process.
/// - [States](crate::Limits::states): a layer of exactly the limit is completed, and a larger one
///   is not. The reported number of states of an interrupted layer is not exact.
/// - [Memory](crate::Limits::memory): each worker may use its even share, and all together no more
///   than the limit. Messages in transit are not counted: at most those of one layer.
/// - [Time](crate::Limits::time) and [cancellation](crate::Limits::cancel) are checked by each
///   worker as in [`Sweep`]. A worker that has to stop tells all others, which
///   stop for the same reason. The time of each process begins with its sweep.
///
/// # Cost
///
/// A lone worker sends nothing. Otherwise each worker sends the share of its transitions that leads
/// to states of others, 10 to 20 bytes each. (Integers have a variable length: small ones are
/// short.) At each cell it sends a message to each other worker, and further ones for hooks that
/// thin layers. A layer of a few states takes as long as two messages between processes. Each
/// worker needs memory for its part of two layers, for outboxes (up to 16 MiB, or 2 KiB for each
/// worker if that is more) and for unread messages.
///
/// # Errors
///
/// An answer is a [`ClusterError`](crate::cluster::ClusterError) if processes cannot be connected
/// in time or one of them is lost; if they do not run the same sweep (they compare the version of
/// this crate, the type, number of cells and first states of the problem, the fingerprint of
/// problem and hooks, the name and the [parameters](crate::plug::Algebra::parameters) of the
/// algebra, and limits other than the time); if the algebra has data, such as weights, and has not
/// stated its parameters; if states or values cannot be serialized; if the journal belongs to
/// another sweep or cannot be read; or if code of the caller has panicked in another process. In
/// the process whose code has panicked, the panic continues.
#[derive(Debug)]
pub struct OnCluster<'c> {
    cluster: &'c Cluster,
    journal: Option<journal::JournalPlan>,
    /// The fingerprint of the problem, for comparison with other processes.
    fingerprint: Option<Fingerprint>,
    traffic: Traffic,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> Sweep<'p, P, H> {
    /// Creates a sweep on the workers of a cluster. Call it after hooks, limits and progress are
    /// set. The cluster determines the number of threads. Progress is reported in each process.
    pub fn on<'c>(self, cluster: &'c Cluster) -> Sweep<'p, P, H, OnCluster<'c>> {
        let (journal, fingerprint, traffic) = (None, None, Traffic::new());
        let executor = OnCluster { cluster, journal, fingerprint, traffic };
        Sweep { settings: self.settings, executor }
    }
}

impl<P: ContourProblem, H: SweepHooks<P>> Sweep<'_, P, H, OnCluster<'_>> {
    /// Saves layers in a directory that all processes share, and continues from its contents.
    ///
    /// # When layers are saved
    ///
    /// A layer is saved:
    ///
    /// - after a cell, if the time `every` has passed since the last save, by the clock of worker 0
    ///   (after each cell for [`Duration::ZERO`]);
    /// - when the sweep ends, after the last cell or at a limit.
    ///
    /// Each worker writes its part of the complete layer into a file of its own, whole or not at
    /// all, with the statistics of all cells before. Files of older layers are removed when all
    /// parts of a newer one are known to exist. If a part cannot be written, the sweep continues,
    /// and [`Report::unsaved`](crate::Report::unsaved) names the cause.
    ///
    /// # How a sweep is resumed
    ///
    /// Call the same operation again, with any number of processes and threads and with any limits.
    /// The last layer with all parts undamaged is read; each worker reads some of the files, and
    /// states go to their current owners. If there is none, the sweep begins anew. Hence nothing is
    /// counted twice or lost, whenever processes are killed, and answer and report are those of an
    /// uninterrupted sweep. Resuming a complete sweep returns its answer at once.
    ///
    /// The fingerprint must represent everything that the problem depends on; those of the hooks
    /// are added. The name of the question and the digest of its weights are in each file. Files of
    /// another sweep are an error, and nothing is overwritten. All processes must use the same
    /// directory. A layer takes about 10 to 20 bytes per state. Worker 0 locks the directory until
    /// the sweep has ended, so that another sweep in it is refused.
    pub fn journal(
        mut self,
        directory: impl Into<PathBuf>,
        every: Duration,
        fingerprint: Fingerprint,
    ) -> Self {
        let fingerprint = self.settings.fingerprint(fingerprint);
        let directory = directory.into();
        self.executor.journal = Some(journal::JournalPlan { directory, every, fingerprint });
        self
    }

    /// Sets the fingerprint of the problem, a digest of all that it depends on. Several processes
    /// compare it before they begin, and refuse to work on different problems. Without it they
    /// compare that of the [journal](Self::journal), and without a journal they refuse to begin.
    pub fn problem(mut self, fingerprint: Fingerprint) -> Self {
        self.executor.fingerprint = Some(fingerprint);
        self
    }

    /// Adds the statistics of sent messages to `traffic`.
    pub fn traffic(mut self, traffic: &Traffic) -> Self {
        self.executor.traffic = traffic.clone();
        self
    }
}
