//! Ends of runs: [`Limits`] set before a run, [`Cancel`] from outside, and the [`Stop`] that a
//! run reports.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::clock;

/// The limits of a run. By default nothing is limited.
///
/// ```
/// use std::time::Duration;
/// use secateurs::{Limits, Search, Stop};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(12)?;
/// let limits = Limits::new().nodes(10_000).time(Duration::from_secs(60));
/// let outcome = Search::new(&queens.bits()).limits(limits).count();
/// assert_eq!(outcome.stop(), Stop::NodeLimit);
/// assert_eq!(outcome.report().nodes(), 10_000);
/// assert_eq!(outcome.exact(), None); // a partial count has to be asked for by name
/// assert!(outcome.at_least() > 0);
/// # Ok::<(), secateurs_problems::InstanceError>(())
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
    /// Creates limits that limit nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits the number of nodes, exactly: a tree of this many nodes is exhausted, and in a larger
    /// one this many are visited. A [sweep](crate::plug::Sweep) expands at most this many states;
    /// the nodes of its report also include those of the last layer, which it has not expanded.
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// Limits the number of visited solutions; 0 stops before the first node. A
    /// [sweep](crate::plug::Sweep) that counts or optimises visits none and ignores this limit; its
    /// iterators of solutions return at most this many.
    pub fn solutions(mut self, solutions: u64) -> Self {
        self.solutions = Some(solutions);
        self
    }

    /// Lowers the limit of solutions to `solutions`, if it is larger.
    pub(crate) fn at_most_solutions(self, solutions: u64) -> Self {
        let solutions = self.solutions.map_or(solutions, |limit| limit.min(solutions));
        self.solutions(solutions)
    }

    /// Limits the number of states in a layer of a [sweep](crate::plug::Sweep). A search has no
    /// layers and ignores this limit.
    pub fn states(mut self, states: u64) -> Self {
        self.states = Some(states);
        self
    }

    /// Limits the bytes by which the process may grow during the run, within 10 % and some hundred
    /// kilobytes. A run that needs more ends with [`Stop::MemoryLimit`].
    ///
    /// Set this limit below the memory that the system has. If the system itself has no memory
    /// left, with or without this limit, a run on one thread ends with [`Stop::MemoryLimit`] as
    /// well, as long as the program takes no memory elsewhere: the engines reserve what grows, and
    /// probe for a reserve of a megabyte for small allocations. This is likely but not promised
    /// with several threads, which may take what another one has probed for, and with hooks that
    /// remember keys with heap memory of their own: Rust programs abort when a small allocation
    /// fails or when the standard library lacks memory to start a thread. Systems that promise more
    /// memory than they have may kill the process instead.
    ///
    /// The limit includes:
    ///
    /// - in a [sweep](crate::plug::Sweep), both layers with their index, the heap of values
    ///   ([`Algebra::heap_bytes`](crate::plug::Algebra::heap_bytes)), messages between threads, the
    ///   copy of a layer that hooks inspect, the keys and forms of an
    ///   [`Antichain`](crate::plug::Antichain), the tables of [meeting in the
    ///   middle](crate::plug::meet_in_the_middle), tables and plans of
    ///   [dense](crate::plug::Sweep::dense) sweeps, and [retained layers](crate::plug::retained)
    ///   with their tables;
    /// - in a best-first search, the open nodes; in a breadth-first search, also the heap of their
    ///   states ([`Problem::heap_bytes`](crate::Problem::heap_bytes)), and in one by diagrams, a
    ///   relaxed diagram with its states; in a depth-first search, the stack;
    /// - the tables of hooks that [remember](crate::Hook::memory) more than the path: they share
    ///   half of the limit. A [memo](crate::hook::Memo) or a [dominance](crate::hook::Dominance)
    ///   evicts entries rather than exceed its [share](crate::Hook::limit_memory). Threads of a
    ///   search divide the limit. On a cluster, the workers of a process divide it in a search, and
    ///   all workers together divide it in a sweep.
    ///
    /// A collection that grows exists twice for a moment and is counted twice: a run may stop when
    /// it uses half of the limit.
    ///
    /// The limit does not include: stacks of threads (2 MiB of address space each, mostly unused),
    /// reports, solutions returned to the caller, heap memory of other hooks, branchers, cursors
    /// and choices, and values or states whose type reports less than it owns.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Returns the stricter of both values of each limit, and the cancel switch of `whole` if it
    /// has one.
    ///
    /// ```
    /// use secateurs::Limits;
    ///
    /// let attempt = Limits::new().nodes(1000);
    /// let limits = attempt.within(Limits::new().nodes(300).depth(9));
    /// assert_eq!((limits.max_nodes(), limits.max_depth()), (Some(300), Some(9)));
    /// ```
    pub fn within(self, whole: Limits) -> Limits {
        fn stricter<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            one.into_iter().chain(other).min()
        }
        Limits {
            nodes: stricter(self.nodes, whole.nodes),
            solutions: stricter(self.solutions, whole.solutions),
            depth: stricter(self.depth, whole.depth),
            time: stricter(self.time, whole.time),
            cancel: whole.cancel.or(self.cancel),
            states: stricter(self.states, whole.states),
            bytes: stricter(self.bytes, whole.bytes),
        }
    }

    /// Returns the reason why these limits allow no further node, if any.
    pub(crate) fn used_up(&self) -> Option<Stop> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            Some(Stop::Cancelled)
        } else if self.time.is_some_and(|time| time.is_zero()) {
            Some(Stop::TimeLimit)
        } else {
            (self.nodes == Some(0)).then_some(Stop::NodeLimit)
        }
    }

    /// Returns the memory limit in bytes, [`usize::MAX`] if there is none.
    pub(crate) fn max_bytes(&self) -> usize {
        self.bytes.map_or(usize::MAX, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Limits the depth: nodes at this depth (the root has depth 0) are visited but not expanded.
    /// If any of them has a child, the run ends with [`Stop::DepthLimit`] rather than
    /// [`Stop::Exhausted`].
    pub fn depth(mut self, depth: usize) -> Self {
        self.depth = Some(depth);
        self
    }

    getters! {
        self;
        /// Returns the limit of nodes, if there is one.
        max_nodes -> Option<u64>: self.nodes;
        /// Returns the limit of solutions, if there is one.
        max_solutions -> Option<u64>: self.solutions;
        /// Returns the limit of the depth, if there is one.
        max_depth -> Option<usize>: self.depth;
        /// Returns the limit of the wall time, if there is one.
        max_time -> Option<Duration>: self.time;
        /// Returns the limit of states per layer, if there is one.
        max_states -> Option<u64>: self.states;
        /// Returns the limit of memory in bytes, if there is one.
        max_memory -> Option<u64>: self.bytes;
        /// Returns the switch that stops the run, if there is one.
        cancel_switch -> Option<&Cancel>: self.cancel.as_ref();
    }

    /// Limits the wall time. It is checked between nodes about once per millisecond, and at the
    /// next node after ten milliseconds at the latest, however expensive nodes are: a thread of the
    /// crate watches the clock. Time starts with the call that starts the run, or on a cluster when
    /// the processes have connected; for an iterator it includes the caller's work between two
    /// solutions, and for [retained layers](crate::plug::RetainedLayers) and
    /// [repetitions](crate::plug::Repetition) that between two questions.
    ///
    /// A target without a clock (`wasm32-unknown-unknown`) stops at once with [`Stop::TimeLimit`]
    /// rather than exceed the limit unnoticed. Use a node limit or a [`Cancel`] switch there.
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(if clock::IS_AVAILABLE { time } else { Duration::ZERO });
        self
    }

    /// Stops the run when `cancel` is [cancelled](Cancel::cancel), from this thread or another;
    /// checked as often as the time.
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }
}

/// A switch that stops runs from outside. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Creates a switch that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops every run that has this switch among its limits, for good.
    pub fn cancel(&self) {
        // Relaxed: the flag is the whole message; no other memory is published with it.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether [`cancel`](Cancel::cancel) has been called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The reason why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stop {
    /// The whole tree has been searched, except for what hooks pruned.
    Exhausted,
    /// The caller has its answer: the first solution was found, or a visitor returned
    /// [`Break`](std::ops::ControlFlow::Break).
    Satisfied,
    /// [`Limits::nodes`] was reached with nodes left.
    NodeLimit,
    /// [`Limits::solutions`] was reached.
    SolutionLimit,
    /// The tree was searched down to [`Limits::depth`], and is deeper.
    DepthLimit,
    /// [`Limits::time`] has passed.
    TimeLimit,
    /// The run was [cancelled](Cancel::cancel).
    Cancelled,
    /// A count exceeded 2¹²⁸ − 1, or a value of a sweep exceeded its type.
    CountOverflow,
    /// A layer of a sweep exceeded [`Limits::states`], or the number of states that can be
    /// numbered.
    StateLimit,
    /// The run needs more memory than [`Limits::memory`] allows, or than the system has (which is
    /// [noticed](Limits::memory), but not always with several threads).
    MemoryLimit,
    /// The states of a layer do not fit into their type; see
    /// [`ContourProblem::fits`](crate::plug::ContourProblem::fits).
    StateTooWide,
    /// A panic of the problem, of a hook or of a visitor interrupted the run and was caught
    /// outside. The search does not continue, and its report is incomplete.
    Interrupted,
    /// The run has not ended but is paused, like an iterator between two solutions.
    Paused,
}

impl Stop {
    /// Returns whether the whole tree has been searched, except for what hooks pruned.
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

/// States that do not fit into the type that holds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TooWide {
    /// The bits that a state may need.
    pub needed: usize,
    /// The bits of the type.
    pub available: usize,
}

impl TooWide {
    /// Returns an error if `needed` is more than `available`.
    ///
    /// # Errors
    ///
    /// Returns [`TooWide`] in that case.
    #[cfg(feature = "plug")]
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

/// Returns the number of threads to start: `requested`, at most `most`; 0 stands for the number
/// that the machine runs in parallel.
pub(crate) fn thread_count(requested: usize, most: usize) -> usize {
    match requested {
        0 => thread::available_parallelism().map_or(1, usize::from).min(most),
        threads => threads.min(most),
    }
}
