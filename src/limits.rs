//! When to stop: [`Limits`] set before a run, [`Cancel`] from outside, and the [`Stop`] that a run
//! reports.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock;

/// The limits of a run. Nothing is limited unless it is set.
///
/// ```
/// use std::time::Duration;
/// use secateurs::problems::queens::Queens;
/// use secateurs::{Limits, Search, Stop};
///
/// let queens = Queens::new(12)?;
/// let limits = Limits::new().nodes(10_000).time(Duration::from_secs(60));
/// let outcome = Search::new(&queens.bits()).limits(limits).count();
/// assert_eq!(outcome.stop(), Stop::NodeLimit);
/// assert_eq!(outcome.report().nodes(), 10_000);
/// assert_eq!(outcome.exact(), None); // a partial count has to be asked for by name
/// assert!(outcome.at_least() > 0);
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Limits {
    pub(crate) nodes: Option<u64>,
    pub(crate) solutions: Option<u64>,
    pub(crate) depth: Option<usize>,
    pub(crate) time: Option<Duration>,
    pub(crate) cancel: Option<Cancel>,
    pub(crate) states: Option<u64>,
    pub(crate) bytes: Option<u64>,
}

impl Limits {
    /// No limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// At most this many nodes, exactly: a tree of just this many nodes is exhausted, and of a
    /// larger one just this many are visited.
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// Stop at this many solutions visited. (Of 0, before the first node.) A
    /// [sweep](crate::plug::Sweep) visits none, and does not look at it: of the solutions that it
    /// gives one by one, take as many as you like.
    pub fn solutions(mut self, solutions: u64) -> Self {
        self.solutions = Some(solutions);
        self
    }

    /// At most this many states in a layer of a [sweep](crate::plug::Sweep). A search has no
    /// layers, and does not look at it.
    pub fn states(mut self, states: u64) -> Self {
        self.states = Some(states);
        self
    }

    /// Lets a run take up at most this many bytes more than the process has when it starts, within
    /// 10 % and some hundred kilobytes. A run that would need more ends with [`Stop::MemoryLimit`],
    /// as does one for which the system has no memory left, whether or not this limit is set.
    ///
    /// What counts:
    ///
    /// - in a [sweep](crate::plug::Sweep), both layers with their index, the heap of values
    ///   ([`Algebra::heap_bytes`](crate::plug::Algebra::heap_bytes)), what is on its way between
    ///   threads, the copy of a layer that hooks look at, tables and plans of
    ///   [dense](crate::plug::Sweep::dense) sweeps, and [kept layers](crate::plug::kept) with what
    ///   is remembered of them;
    /// - in a breadth-first or best-first search, the open nodes and the heap of their states
    ///   ([`Problem::heap_bytes`](crate::Problem::heap_bytes)); in a depth-first search, the stack;
    /// - half of the limit is for hooks that [remember](crate::Hook::memory) more than the path, if
    ///   there are any. A [memo](crate::hook::Memo) or a [dominance](crate::hook::Dominance)
    ///   forgets rather than exceed its [share](crate::Hook::limit_memory). Threads of a search
    ///   divide the limit.
    ///
    /// A collection that grows is there twice for a moment, and is counted so: a run may stop when
    /// what it uses is half of the limit.
    ///
    /// What does not count: stacks of threads (2 MiB of address space each, of which little is
    /// used), reports, solutions that have been given to the caller, what other hooks, branchers,
    /// cursors and choices own on the heap, and values or states whose type says less than it owns.
    /// What allocates by itself (values, states, the standard library when it starts a thread)
    /// aborts if the system has no memory left. The engines ask for as much before, and stop if it
    /// is not there; what other parts of the program allocate at the same moment may still come in
    /// between.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// The narrower of each two limits; of two switches, that of `whole`.
    pub(crate) fn within(self, whole: Limits) -> Limits {
        fn narrower<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            match (one, other) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            }
        }
        Limits {
            nodes: narrower(self.nodes, whole.nodes),
            solutions: narrower(self.solutions, whole.solutions),
            depth: narrower(self.depth, whole.depth),
            time: narrower(self.time, whole.time),
            cancel: whole.cancel.or(self.cancel),
            states: narrower(self.states, whole.states),
            bytes: narrower(self.bytes, whole.bytes),
        }
    }

    /// Why nothing may be visited any more under these limits, if so.
    pub(crate) fn used_up(&self) -> Option<Stop> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            Some(Stop::Cancelled)
        } else if self.time.is_some_and(|time| time.is_zero()) {
            Some(Stop::TimeLimit)
        } else {
            (self.nodes == Some(0)).then_some(Stop::NodeLimit)
        }
    }

    /// The limit of memory, as the size of something.
    pub(crate) fn max_bytes(&self) -> usize {
        self.bytes.map_or(usize::MAX, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Nodes at this depth (the root's is 0) are visited but not expanded; if any of them has a
    /// child, the run ends with [`Stop::DepthLimit`] rather than [`Stop::Exhausted`].
    pub fn depth(mut self, depth: usize) -> Self {
        self.depth = Some(depth);
        self
    }

    /// At most this much wall time, looked at between nodes about once a millisecond, and at the
    /// next node after ten milliseconds at the latest, whatever nodes cost: a thread of the crate
    /// sees to that. It runs from the call that starts the run; for an iterator, what its caller
    /// does between two solutions takes its share.
    ///
    /// A target that cannot measure time (`wasm32-unknown-unknown`) stops at once with
    /// [`Stop::TimeLimit`], rather than exceed a limit unnoticed: limit the nodes there, or cancel.
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(if clock::IS_THERE { time } else { Duration::ZERO });
        self
    }

    /// Stop when `cancel` is [cancelled](Cancel::cancel), from this thread or another; looked at as
    /// often as the time.
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }
}

/// A switch that stops a run from outside. Clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch that is not yet thrown.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops every run that has this switch among its limits. It cannot be taken back.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Cancel::cancel) has been called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stop {
    /// The whole tree, less what the hooks cut off, has been searched.
    Exhausted,
    /// The caller had what it asked for: the first solution was found, or a visitor broke off.
    Satisfied,
    /// [`Limits::nodes`] was reached with nodes left.
    NodeLimit,
    /// [`Limits::solutions`] was reached.
    SolutionLimit,
    /// The tree was searched down to [`Limits::depth`], and goes deeper.
    DepthLimit,
    /// [`Limits::time`] has passed.
    TimeLimit,
    /// The run was [cancelled](Cancel::cancel).
    Cancelled,
    /// A count passed 2¹²⁸ − 1, or a value of a sweep what its type can hold.
    CountOverflow,
    /// A layer of a sweep came to have more states than [`Limits::states`], or than can be
    /// numbered.
    StateLimit,
    /// The run came to need more memory than [`Limits::memory`] allows, or than there is.
    MemoryLimit,
    /// The states of a layer do not fit into their type: see
    /// [`ContourProblem::fits`](crate::plug::ContourProblem::fits).
    StateTooWide,
    /// A panic of the problem, of a hook or of a visitor broke the run off, and was caught outside.
    /// Nothing more is searched, and the account is not complete.
    Interrupted,
    /// The run has not ended: it is paused, as an iterator is between two solutions.
    Paused,
}

impl Stop {
    /// Whether the whole tree, less what the hooks cut off, has been searched.
    #[must_use]
    pub fn is_exhausted(self) -> bool {
        self == Stop::Exhausted
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Stop::Exhausted => "exhausted",
            Stop::Satisfied => "satisfied",
            Stop::NodeLimit => "node limit",
            Stop::SolutionLimit => "solution limit",
            Stop::DepthLimit => "depth limit",
            Stop::TimeLimit => "time limit",
            Stop::Cancelled => "cancelled",
            Stop::CountOverflow => "count overflow",
            Stop::StateLimit => "state limit",
            Stop::MemoryLimit => "memory limit",
            Stop::StateTooWide => "state too wide",
            Stop::Interrupted => "interrupted by a panic",
            Stop::Paused => "paused",
        })
    }
}

/// States do not fit into the type that is to hold them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TooWide {
    /// Bits that a state may need.
    pub needed: usize,
    /// Bits that there are.
    pub available: usize,
}

impl TooWide {
    /// An error if `needed` is more than `available`.
    ///
    /// # Errors
    /// Just that.
    pub fn check(needed: usize, available: usize) -> Result<(), TooWide> {
        if needed > available { Err(TooWide { needed, available }) } else { Ok(()) }
    }
}

impl fmt::Display for TooWide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a state may need {} bits, and there are {}", self.needed, self.available)
    }
}

impl std::error::Error for TooWide {}
