//! Searches on a cluster: [`ClusterSearch`].
//!
//! The tree is one task at first. Each worker takes a task, searches it for a *slice* (so many
//! nodes as take some 20 ms), adds up what it has found, and sends what is left, in one piece or in
//! several, to workers chosen at random. There is no coordinator: that nothing is left to do
//! anywhere is noticed by the same progress tracking that ends a loop of a dataflow.
//!
//! What travels is a [`Subtree`](crate::search::Subtree): a path and the siblings untried along it,
//! some hundred bytes. A solution that is better than all before is told to everybody, and their
//! bounds cut off more from then on.

mod journal_writer;
mod messages;
mod operations;
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

/// A search on a [cluster](Cluster), made by [`Search::on`].
///
/// All processes of the cluster make the same search and run the same operation, and all get the
/// same outcome.
#[must_use = "a search does nothing until one of its terminal operations is called"]
pub struct ClusterSearch<'p, P: Problem, B = ProblemOrder, H = (), X = Choices> {
    search: Search<'p, P, B, H, X>,
    cluster: &'p Cluster,
    slice: Slice,
    trace: Option<Trace>,
    /// Where the journals are, and which problem it is.
    journal: Option<(PathBuf, Fingerprint)>,
    /// Which problem it is, for other processes.
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
    /// use secateurs::problems::queens::Queens;
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
    /// Those of time, of depth and from outside hold as they do elsewhere, and stop all processes.
    /// Each worker has its share of a limit of nodes: never more are visited, but the run stops
    /// when one of the shares is used up. Of solutions, each worker may visit so many before all
    /// have stopped.
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
    /// About how long a worker searches before it listens to others and sends on what it has left:
    /// 20 ms unless said otherwise. The larger the cluster, the longer it should be, as every slice
    /// is known of everywhere.
    pub fn slice(mut self, length: Duration) -> Self {
        self.slice = Slice::of_length(length);
        self
    }

    /// The same in nodes, at least 1, whatever they cost.
    pub fn budget(mut self, nodes: u64) -> Self {
        self.slice = Slice::of_nodes(nodes);
        self
    }

    /// Says which problem it is, by a digest of all that it depends on. Several processes compare
    /// it before they begin, and refuse to work on different problems; without it, and without a
    /// [journal](Self::journal), they refuse to begin.
    pub fn problem(mut self, fingerprint: Fingerprint) -> Self {
        self.fingerprint = Some(fingerprint);
        self
    }

    /// Keeps a journal in a directory, and goes on from what is there: so a search outlasts its
    /// processes. The problem is that of the fingerprint; the hooks and the operation are added to
    /// it.
    ///
    /// Each process writes what it has done, slice by slice, into a file of its own. When a process
    /// dies, timely ends all of them. All are started again then, with the same program and
    /// arguments, but as many processes as one likes; process 0 reads all files, so that the
    /// directory must be one that all share, or be collected before. Each node is counted once,
    /// whatever has died when. A search that has come to its end gives its answer at once. Process
    /// 0 locks the directory before it connects, and until the run has ended: another cluster that
    /// begins there gets an error at once.
    ///
    /// A slice costs a record of some hundred bytes, and a call of the system; nothing is flushed
    /// to the disk by force, and need not be, as what is missing is done again.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::checkpoint::Fingerprint;
    /// use secateurs::cluster::Cluster;
    /// use secateurs::problems::queens::Queens;
    ///
    /// # let directory = std::env::temp_dir().join(format!("secateurs-doc-journal-{}", std::process::id()));
    /// let queens = Queens::new(9)?.bits();
    /// for threads in [2, 1] {
    ///     let cluster = Cluster::threads(threads);
    ///     let search = Search::new(&queens).on(&cluster).journal(&directory, Fingerprint::new("queens", &9));
    ///     assert_eq!(search.count()?.exact(), Some(352)); // at once, the second time
    /// }
    /// # std::fs::remove_dir_all(&directory)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn journal(mut self, directory: impl Into<PathBuf>, problem: Fingerprint) -> Self {
        self.journal = Some((directory.into(), problem));
        self
    }

    /// Calls `callback`, in the first process, when the search goes on from a
    /// [journal](Self::journal), with what was read of it.
    pub fn on_recovery(mut self, callback: impl FnOnce(&Recovered) + 'p) -> Self {
        self.on_recovery = Some(Box::new(callback));
        self
    }

    /// Writes what each slice of this process was, as CSV: the worker, nodes visited, microseconds,
    /// tasks that waited at its end, bytes sent. What cannot be written is left out.
    ///
    /// # Errors
    /// If not even the first line can be written.
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
