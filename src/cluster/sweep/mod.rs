//! Sweeps on a cluster: [`ClusterSweep`].
//!
//! A layer is in parts, one for each worker; the hash of a state, or of its
//! [region](crate::plug::ContourProblem::region), says to whom it belongs. A cell is a round: each
//! worker takes its own states through the cell, keeps the new ones that are its own, and sends the
//! others, each with its value, to their owners in batches; in between it merges what the others
//! send. When all have received that they have sent all, which timely knows, each tells all others how
//! many states it has, and whether it has come to a limit: so all know the same, and go on or stop
//! together.
//!
//! | module | what it does |
//! |---|---|
//! | `run` | starts the workers, and collects their answers, or what went wrong |
//! | `worker` | from cell to cell, and what all agree on in between |
//! | `step` | one cell |
//! | `thin` | hooks that look at a whole layer |
//! | `batch` | states as bytes |
//! | `exchange` | messages, by their rounds |
//! | `journal` | layers in files |

mod batch;
mod exchange;
mod journal;
mod operations;
mod run;
mod step;
mod thin;
mod traffic;
mod worker;

use std::path::PathBuf;
use std::time::Duration;

pub use traffic::Traffic;

use super::runtime::Cluster;
use crate::checkpoint::Fingerprint;
use crate::plug::Sweep;
use crate::plug::checkpoint::with_hooks;
use crate::plug::hook::SweepHooks;
use crate::plug::profile::ContourProblem;

/// A sweep on the workers of a cluster: made by [`Sweep::on`](crate::plug::Sweep::on).
///
/// All processes make the same sweep, and ask the same of it; each gets the whole answer, with the
/// same report.
///
/// ```
/// use secateurs::cluster::Cluster;
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, hamiltonian_cycles};
///
/// let cycles = hamiltonian_cycles(&Grid::new(8, 8)?);
/// let cluster = Cluster::threads(2);
/// let outcome = Sweep::new(&cycles).on(&cluster).count()?;
/// assert_eq!(outcome.exact(), Some(4_638_576));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What is the same as on one machine
///
/// The answer, and in the report the states of each layer, the transitions, what was merged, dead
/// ends, and the cuts of each hook: for any number of workers. Not the time, nor the peak of
/// memory, which depends on how full tables are.
///
/// Hooks that look at layers as a whole see to this by
/// [`SweepHook::thin_part`](crate::plug::SweepHook::thin_part). By default, the layer goes to each
/// worker for them.
///
/// # Limits
///
/// They are to be the same in all processes, and are those of all workers together:
///
/// - of [nodes](crate::Limits::nodes) and [depth](crate::Limits::depth), exactly: the sweep ends
///   before the same cell as on one machine;
/// - of [states](crate::Limits::states): a layer of just so many is made, and of one more it is
///   not. How many states it had when the sweep ended is not exact;
/// - of [memory](crate::Limits::memory), each worker may use its even share, and all together no
///   more than the whole. Letters on their way are not counted: at most what a layer has of them;
/// - [time](crate::Limits::time) and [cancellation](crate::Limits::cancel) are looked at by each
///   worker as in [`Sweep`](crate::plug::Sweep). One that has to stop tells all others, who do so,
///   too, for the same reason. The time of each process begins with the sweep in it.
///
/// # Cost
///
/// One worker alone sends nothing. Of several, each sends the share of its transitions that leads
/// to states of others, 10 to 20 bytes for each, in a form without leading zeros; and a message a
/// cell to each other one. Layers of a few states take as long as two messages from one process to
/// another. Memory is that of the worker's part of two layers, and of what was gathered for others
/// (16 MiB, or 2 KiB for each of them), and of messages that have not been read.
///
/// # Errors
///
/// Instead of an answer there is a [`ClusterError`](super::ClusterError) if processes cannot be
/// connected in time, or one of them is lost; if they do not run the same (the version of this
/// crate, the profile's type and number of cells, hooks and their effects, the algebra's name and
/// limits are compared); if states or values cannot be sent; if the journal is of another sweep, or
/// cannot be read; or if code of the caller has panicked in another process. In the process itself,
/// the panic goes on.
#[derive(Debug)]
#[must_use = "a sweep does nothing until one of its terminal operations is called"]
pub struct ClusterSweep<'p, 'c, P, H = ()> {
    sweep: Sweep<'p, P, H>,
    cluster: &'c Cluster,
    journal: Option<journal::JournalPlan>,
    /// Which problem it is, for other processes.
    fingerprint: Option<Fingerprint>,
    traffic: Traffic,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> Sweep<'p, P, H> {
    /// Lets the workers of a cluster sweep together, to be called when hooks, limits and progress
    /// are set. How many threads there are is the cluster's to say. Progress is received in each
    /// process.
    pub fn on<'c>(self, cluster: &'c Cluster) -> ClusterSweep<'p, 'c, P, H> {
        ClusterSweep {
            sweep: self,
            cluster,
            journal: None,
            fingerprint: None,
            traffic: Traffic::new(),
        }
    }
}

impl<P: ContourProblem, H: SweepHooks<P>> ClusterSweep<'_, '_, P, H> {
    /// Saves layers in a directory, which all processes share, and goes on from what is in it.
    ///
    /// # When layers are saved
    ///
    /// After a cell when so much time has passed since the last time, by the clock of worker 0; of
    /// [`Duration::ZERO`], after each cell; and when the sweep ends, at its end or at a limit. Each
    /// worker writes its part of the complete layer into a file of its own, whole or not at all,
    /// with the account of all cells before. Files of older layers are removed when all parts of a
    /// newer one are known to be there. If a part cannot be written, the sweep goes on, and
    /// [`Report::unsaved`](crate::Report::unsaved) says why.
    ///
    /// # How it goes on
    ///
    /// Call the same again, with any number of processes and threads, and with any limits. The last
    /// layer of which all parts are there and undamaged is read, each worker reading some of the
    /// files; states go to those that they belong to now. If there is none, the sweep begins anew.
    /// So nothing is counted twice or lost, whenever processes are killed; the answer and the
    /// report are those of a sweep that was left alone. What came to its end answers at once.
    ///
    /// The fingerprint is to stand for all that the profile depends on, and for weights, if there
    /// are any; hooks are added. Files of another sweep are an error: nothing is written over. All
    /// processes must use the same directory, which takes about 10 to 20 bytes a state. Worker 0
    /// locks it until the sweep has ended: another sweep in it is refused.
    pub fn journal(
        mut self,
        directory: impl Into<PathBuf>,
        every: Duration,
        fingerprint: Fingerprint,
    ) -> Self {
        let fingerprint = with_hooks(fingerprint, self.sweep.hooks.claims());
        self.journal =
            Some(journal::JournalPlan { directory: directory.into(), every, fingerprint });
        self
    }

    /// Says which problem it is, by a digest of all that it depends on. Several processes compare
    /// it before they begin, and refuse to work on different problems; without it, and without a
    /// [journal](Self::journal), they refuse to begin.
    pub fn problem(mut self, fingerprint: Fingerprint) -> Self {
        self.fingerprint = Some(fingerprint);
        self
    }

    /// Keeps account of what is sent.
    pub fn traffic(mut self, traffic: &Traffic) -> Self {
        self.traffic = traffic.clone();
        self
    }
}
