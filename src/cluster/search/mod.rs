//! Searches on a cluster: [`ClusterSearch`].
//!
//! The tree is one task at first. Each worker takes a task, searches it for a *slice* (as many
//! nodes as take about 20 ms), adds the results to its own, and sends what is left to random
//! workers, in one piece or in several. There is no coordinator: timely's progress tracking detects
//! when no task is left in any worker.
//!
//! A task consists of [subtrees](crate::search::Subtree), each a path and the untried siblings
//! along it, about a hundred bytes. A worker that finds a better solution broadcasts its value. The
//! bounds of all workers use that value as soon as they receive it.
//!
//! # Modules, in reading order
//!
//! | module | contents |
//! |---|---|
//! | `mod` | [`ClusterSearch`] and its options |
//! | `run` | the start of a run on all workers, the combination of their results, the questions |
//! | `worker` | the loop of a worker |
//! | `query` | a question as the workers answer it, subtree by subtree |
//! | `messages` | tasks and broadcasts |
//! | `slice` | the length of a slice, and the trace of all slices |
//! | `progress` | progress of all workers together |
//! | `journal_writer` | recovery from the journal, and records for it |

mod journal_writer;
mod messages;
mod progress;
mod query;
mod run;
mod slice;
mod worker;

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use super::journal::Recovered;
use super::runtime::Cluster;
use crate::brancher::ProblemOrder;
use crate::checkpoint::Fingerprint;
use crate::problem::Problem;
use crate::search::{Choices, Search};
use slice::{SLICE, Slice, Trace};

/// A search on a [cluster](Cluster), created by [`Search::on`].
///
/// All processes of the cluster create the same search and call the same operation, and all get the
/// same outcome.
#[must_use = "a search does nothing until one of its terminal operations is called"]
pub struct ClusterSearch<'p, P: Problem, B = ProblemOrder, H = (), X = Choices> {
    search: Search<'p, P, B, H, X>,
    cluster: &'p Cluster,
    slice: Slice,
    trace: Option<Trace>,
    /// The directory of the journals, and the fingerprint of the problem.
    journal: Option<(PathBuf, Fingerprint)>,
    /// The fingerprint of the problem, for comparison with other processes.
    fingerprint: Option<Fingerprint>,
    on_recovery: Option<OnRecovery<'p>>,
}

type OnRecovery<'p> = Box<dyn FnOnce(&Recovered) + 'p>;

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Searches on a cluster: in many threads, in several processes, on several hosts.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::cluster::Cluster;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(10)?.bits();
    /// let cluster = Cluster::from_args(["-w", "2"])?; // or those of the command line
    /// let outcome = Search::new(&queens).on(&cluster).count()?;
    /// assert_eq!(outcome.exact(), Some(724));
    /// assert_eq!(outcome.report().nodes(), 35_539);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Limits
    ///
    /// Limits of time and of depth, and cancellation, hold as usual and stop all processes. Time
    /// starts when the processes have connected and process 0 has read the journal. Each worker has
    /// its share of a node limit: the limit is never exceeded, but the run stops as soon as one
    /// share is used up. A limit of solutions may be exceeded: each worker may visit that many
    /// before all have stopped. A limit of memory applies to each process, and each of its workers
    /// may use an even share. The limit does not include waiting tasks and messages.
    pub fn on(self, cluster: &'p Cluster) -> ClusterSearch<'p, P, B, H, X> {
        ClusterSearch {
            search: self,
            cluster,
            slice: Slice::of_length(SLICE),
            trace: None,
            journal: None,
            fingerprint: None,
            on_recovery: None,
        }
    }
}

impl<'p, P: Problem, B, H, X> ClusterSearch<'p, P, B, H, X> {
    /// Sets the approximate time that a worker searches before it handles messages and distributes
    /// what is left: 20 ms by default. Larger clusters need longer slices, because every slice
    /// causes messages.
    pub fn slice(mut self, length: Duration) -> Self {
        self.slice = Slice::of_length(length);
        self
    }

    /// Sets the length of a slice in nodes, at least 1, whatever they cost.
    pub fn budget(mut self, nodes: u64) -> Self {
        self.slice = Slice::of_nodes(nodes);
        self
    }

    /// Sets the fingerprint of the problem, a digest of all that it depends on. Several processes
    /// compare it before they begin, and refuse to work on different problems. Without it and
    /// without a [journal](Self::journal), they refuse to begin.
    pub fn problem(mut self, fingerprint: Fingerprint) -> Self {
        self.fingerprint = Some(fingerprint);
        self
    }

    /// Keeps a journal in a directory and continues from its contents, so that a search survives
    /// the death of its processes. `problem` identifies the problem; the hooks and the operation
    /// are added to it.
    ///
    /// Each process records its work, task by task, in a file of its own. When a process dies,
    /// timely ends all of them. All are then started again with the same program and arguments, but
    /// in any number. Process 0 reads all files, so the directory must be shared, or the files must
    /// be collected before. Each node is counted once, no matter when processes died. A search that
    /// was complete gives its answer at once. Process 0 locks the directory before it connects, and
    /// unlocks it when the run has ended: another cluster that begins there gets an error at once.
    ///
    /// Each task that a worker takes up, for a slice at most, costs a record of a few hundred bytes
    /// and a system call: about 2.5 records per slice. Records are not flushed to the disk; missing
    /// work is repeated.
    ///
    /// A value that other code [offers](crate::Incumbent::offer) to the incumbent of the objective
    /// before the run, in any process, is in the journal. A later run to which it is not offered
    /// again proves nothing; the reason is among the [conflicts](crate::Report::conflicts). A value
    /// that is offered *during* the run is not in the journal, and must be offered to later runs.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::checkpoint::Fingerprint;
    /// use secateurs::cluster::Cluster;
    /// use secateurs_problems::queens::Queens;
    ///
    /// # let name = format!("secateurs-doc-journal-{}", std::process::id());
    /// # let directory = std::env::temp_dir().join(name);
    /// let queens = Queens::new(9)?.bits();
    /// for threads in [2, 1] {
    ///     let cluster = Cluster::threads(threads);
    ///     let problem = Fingerprint::new("queens", &9);
    ///     let search = Search::new(&queens).on(&cluster).journal(&directory, problem);
    ///     assert_eq!(search.count()?.exact(), Some(352)); // at once, the second time
    /// }
    /// # std::fs::remove_dir_all(&directory)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn journal(mut self, directory: impl Into<PathBuf>, problem: Fingerprint) -> Self {
        self.journal = Some((directory.into(), problem));
        self
    }

    /// Calls `callback` in the first process when the search continues from a
    /// [journal](Self::journal), with statistics of what was read.
    pub fn on_recovery(mut self, callback: impl FnOnce(&Recovered) + 'p) -> Self {
        self.on_recovery = Some(Box::new(callback));
        self
    }

    /// Writes a CSV line for each slice of this process: the worker, nodes visited, microseconds,
    /// waiting tasks at its end, bytes sent. Lines that cannot be written are omitted.
    ///
    /// # Errors
    /// Returns an error if the header line cannot be written.
    pub fn trace(mut self, out: impl Write + Send + 'static) -> io::Result<Self> {
        self.trace = Some(Trace::new(Box::new(out))?);
        Ok(self)
    }
}

impl<P: Problem, B, H, X> fmt::Debug for ClusterSearch<'_, P, B, H, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterSearch")
            .field("cluster", &self.cluster)
            .field("slice", &self.slice)
            .finish_non_exhaustive()
    }
}
