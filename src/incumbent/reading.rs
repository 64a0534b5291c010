//! The identities of incumbents, and a record of those whose values hooks, closures, branchers and
//! problems read during a run.

use std::cell::{Cell, RefCell};
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The identity of an incumbent in this process: equal for all clones, and different for any two
/// other incumbents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IncumbentId(u64);

impl IncumbentId {
    pub(super) fn new() -> Self {
        // Relaxed: the number only has to be unique; it orders no other memory. 0 is `foreign`.
        static CREATED: AtomicU64 = AtomicU64::new(1);
        IncumbentId(CREATED.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns the identity that stands for any incumbent of another process.
    pub(crate) fn foreign() -> Self {
        IncumbentId(0)
    }
}

/// A set of incumbents, other than that of the run's objective, whose values a run has read.
///
/// Identities hold in one process only: sets are compared and saved by whether they are empty.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "bool", from = "bool")
)]
pub(crate) struct OtherIncumbents(Vec<IncumbentId>);

impl OtherIncumbents {
    pub(crate) fn insert(&mut self, incumbent: IncumbentId) {
        merge(&mut self.0, [incumbent]);
    }

    pub(crate) fn merge(&mut self, others: &OtherIncumbents) {
        merge(&mut self.0, others.0.iter().copied());
    }

    /// Returns whether there is any other than `incumbent`.
    pub(crate) fn has_other_than(&self, incumbent: IncumbentId) -> bool {
        self.0.iter().any(|&read| read != incumbent)
    }
}

impl PartialEq for OtherIncumbents {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_empty() == other.0.is_empty()
    }
}

impl Eq for OtherIncumbents {}

#[cfg(feature = "serde")]
impl From<bool> for OtherIncumbents {
    fn from(any: bool) -> Self {
        OtherIncumbents(if any { vec![IncumbentId::foreign()] } else { Vec::new() })
    }
}

#[cfg(feature = "serde")]
impl From<OtherIncumbents> for bool {
    fn from(incumbents: OtherIncumbents) -> bool {
        !incumbents.0.is_empty()
    }
}

/// The run number that stands for no run.
pub(super) const NO_RUN: u64 = 0;

thread_local! {
    /// The number of the run in this thread.
    static RUN: Cell<u64> = const { Cell::new(NO_RUN) };
    /// The reads that have not been collected, each with the number of its run.
    static UNCOLLECTED: RefCell<Vec<(u64, Read)>> = const { RefCell::new(Vec::new()) };
    /// Whether there are uncollected reads. An iterator asks at each solution, and this costs less
    /// than looking at the vector.
    static ANY_UNCOLLECTED: Cell<bool> = const { Cell::new(false) };
}

/// A read of an incumbent that had a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    pub(crate) incumbent: IncumbentId,
    /// Whether the reader has promised that a hook or the brancher names the incumbent.
    pub(crate) declared: bool,
}

/// Adds the elements of `more` that are not in `all` yet.
fn merge<T: PartialEq>(all: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for element in more {
        if !all.contains(&element) {
            all.push(element);
        }
    }
}

/// Returns the number of the run in this thread.
#[inline]
pub(super) fn run() -> u64 {
    RUN.get()
}

/// Records a read by the run in this thread, if there is such a run.
#[cold]
pub(super) fn record(read: Read) {
    let run = run();
    if run != NO_RUN {
        UNCOLLECTED.with_borrow_mut(|all| merge(all, [(run, read)]));
        ANY_UNCOLLECTED.set(true);
    }
}

/// Passes the undeclared reads of an inner run to the run in this thread. The report of the inner
/// run accounts for the declared ones: an inner run for the best by its own objective reads the
/// incumbent as well, and must not weaken the outer run.
fn pass_on_undeclared(reads: &[Read]) {
    reads.iter().filter(|read| !read.declared).for_each(|&read| record(read));
}

/// Removes the reads by a run from those of this thread, and returns them.
#[cold]
fn collect(run: u64) -> Vec<Read> {
    UNCOLLECTED.with_borrow_mut(|all| {
        let own = all.extract_if(.., |entry| entry.0 == run).map(|entry| entry.1).collect();
        ANY_UNCOLLECTED.set(!all.is_empty());
        own
    })
}

/// The reads of incumbents by one run.
#[derive(Debug, Default)]
pub struct Reads {
    /// The number of the run, or [`NO_RUN`] before its first recording. All its recordings have the
    /// same number, so each handle of an incumbent records its read once: see
    /// `Incumbent::recorded_run`.
    run: u64,
    collected: Vec<Read>,
}

impl Reads {
    /// Begins to record the reads in this thread as reads by this run, until the recording is ended
    /// or dropped.
    ///
    /// If a hook of another run advances this one, its answer may depend on all reads of this run.
    /// The undeclared ones, earlier ones included, therefore count for both.
    #[inline]
    pub(crate) fn begin(&mut self) -> Recording {
        // Relaxed: the number only has to be unique; it orders no other memory.
        static RUNS: AtomicU64 = AtomicU64::new(NO_RUN + 1);
        if self.run == NO_RUN {
            self.run = RUNS.fetch_add(1, Ordering::Relaxed);
        }
        pass_on_undeclared(&self.collected);
        Recording { run: self.run, outer: RUN.replace(self.run) }
    }

    /// Adds reads.
    pub(crate) fn merge(&mut self, more: impl IntoIterator<Item = Read>) {
        merge(&mut self.collected, more);
    }

    /// Returns whether there was any read so far, also in a recording that has not ended.
    pub(crate) fn any(&self) -> bool {
        let is_own = |entry: &(u64, Read)| entry.0 == self.run;
        !self.collected.is_empty()
            || ANY_UNCOLLECTED.get() && UNCOLLECTED.with_borrow(|all| all.iter().any(is_own))
    }

    /// Returns the reads so far, also those of a recording that has not ended.
    pub(crate) fn to_vec(&self) -> Vec<Read> {
        let mut reads = self.collected.clone();
        UNCOLLECTED.with_borrow(|all| {
            let own = all.iter().filter(|entry| entry.0 == self.run);
            merge(&mut reads, own.map(|entry| entry.1));
        });
        reads
    }
}

/// A recording of the reads in this thread.
#[must_use]
pub(crate) struct Recording {
    run: u64,
    /// The run whose recording is suspended. If that is this run, because its recordings are
    /// nested, the outer recording gets the reads of the inner one, as that of another run would.
    outer: u64,
}

impl Recording {
    /// Ends the recording, and adds the reads to those of the run.
    #[inline]
    pub(crate) fn end(self, reads: &mut Reads) {
        reads.merge(self.finish());
        mem::forget(self);
    }

    /// Continues the recording of the outer run, and returns the new reads of this one.
    #[inline]
    fn finish(&self) -> Vec<Read> {
        RUN.set(self.outer);
        if !ANY_UNCOLLECTED.get() {
            return Vec::new();
        }
        let new = collect(self.run);
        pass_on_undeclared(&new);
        new
    }
}

impl Drop for Recording {
    /// Ends the recording after a panic. The run is interrupted and proves nothing, so it does not
    /// need the reads itself.
    fn drop(&mut self) {
        self.finish();
    }
}

/// The reads in the threads that a run starts. When it is dropped, also by a panic, they become
/// reads by the run in the thread that drops it.
#[derive(Debug, Default)]
pub(crate) struct ThreadReads(Mutex<Vec<Read>>);

impl ThreadReads {
    /// Runs `work` in a thread that the run has started, and collects the reads meanwhile.
    pub(crate) fn collect<T>(&self, work: impl FnOnce() -> T) -> T {
        let _recording = ThreadRecording { recording: Reads::default().begin(), all: self };
        work()
    }
}

impl Drop for ThreadReads {
    fn drop(&mut self) {
        let reads = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        reads.drain(..).for_each(record);
    }
}

/// A recording of the reads in a thread. Dropped, it adds them to those of the other threads.
struct ThreadRecording<'r> {
    recording: Recording,
    all: &'r ThreadReads,
}

impl Drop for ThreadRecording<'_> {
    fn drop(&mut self) {
        let reads = self.recording.finish();
        // Poisoning is harmless: no code of the user runs under this lock.
        merge(&mut self.all.0.lock().unwrap_or_else(PoisonError::into_inner), reads);
    }
}
