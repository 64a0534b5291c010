//! Optimising: the [`Objective`] of a run, and the [`Incumbent`], the best value so far.

use std::any::type_name;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::problem::Problem;

/// Whether larger or smaller values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Larger is better.
    Maximise,
    /// Smaller is better.
    Minimise,
}

impl Direction {
    /// Whether `value` is better than `than`, and not just as good.
    #[inline]
    pub fn is_better<V: Ord>(self, value: &V, than: &V) -> bool {
        match self {
            Direction::Maximise => value > than,
            Direction::Minimise => value < than,
        }
    }
}

/// Which incumbent it is: the same for all clones of one, and different for any two others that
/// exist at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IncumbentId(usize);

/// The identity of an objective: its incumbent in this process, and its name in files.
#[derive(Clone, Debug)]
pub(crate) struct Optimised {
    pub(crate) incumbent: IncumbentId,
    direction: Direction,
    name: Cow<'static, str>,
}

impl Optimised {
    /// The direction and the name of the objective.
    pub(crate) fn name(&self) -> String {
        match self.direction {
            Direction::Maximise => format!("the largest {}", self.name),
            Direction::Minimise => format!("the smallest {}", self.name),
        }
    }
}

pub(crate) mod reading {
    //! A record of the incumbents that hooks, closures, branchers and problems read during a run.

    use std::cell::{Cell, RefCell};
    use std::mem;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::IncumbentId;

    /// The number of no run.
    pub(super) const NO_RUN: u64 = 0;

    thread_local! {
        /// The number of the run in this thread.
        static RUN: Cell<u64> = const { Cell::new(NO_RUN) };
        /// The incumbents that it has read.
        static READ: RefCell<Vec<IncumbentId>> = const { RefCell::new(Vec::new()) };
    }

    /// The number of the run in this thread.
    #[inline]
    pub(super) fn run() -> u64 {
        RUN.get()
    }

    /// Notes that the run in this thread, if there is one, reads an incumbent.
    #[cold]
    pub(super) fn note(incumbent: IncumbentId) {
        if run() != NO_RUN {
            READ.with_borrow_mut(|read| {
                if !read.contains(&incumbent) {
                    read.push(incumbent);
                }
            });
        }
    }

    /// Returns the incumbents that the run in this thread has read so far.
    pub(crate) fn so_far() -> Vec<IncumbentId> {
        if run() == NO_RUN { Vec::new() } else { READ.with_borrow(Vec::clone) }
    }

    /// A stretch of a run in this thread. If a run starts another one, reads of the inner one count
    /// for both.
    pub(crate) struct Stretch {
        outer: u64,
        read: Vec<IncumbentId>,
    }

    impl Stretch {
        pub(crate) fn begin() -> Self {
            // Relaxed: nothing else depends on the number, which only has to be a new one.
            static RUNS: AtomicU64 = AtomicU64::new(NO_RUN + 1);
            let run = RUNS.fetch_add(1, Ordering::Relaxed);
            Stretch { outer: RUN.replace(run), read: READ.take() }
        }

        /// Ends it, and returns the incumbents that were read in it.
        pub(crate) fn end(self) -> Vec<IncumbentId> {
            READ.with_borrow(Vec::clone)
        }
    }

    impl Drop for Stretch {
        fn drop(&mut self) {
            let inner = READ.replace(mem::take(&mut self.read));
            RUN.set(self.outer);
            inner.into_iter().for_each(note);
        }
    }
}

#[derive(Debug)]
struct Shared<V> {
    /// Raised with every improvement, so that readers know when to look again.
    version: AtomicU64,
    /// Whether what is as good as the incumbent is still looked for.
    ties: AtomicBool,
    best: Mutex<Option<V>>,
}

impl<V> Shared<V> {
    fn lock(&self) -> MutexGuard<'_, Option<V>> {
        // A value is replaced as a whole, so that a panic elsewhere cannot have left half of one.
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The best value so far, shared by a run, its bounds and whoever else knows a good value. Clones
/// are the same incumbent.
///
/// Reading costs one atomic load as long as nothing has improved.
#[derive(Debug)]
pub struct Incumbent<V> {
    direction: Direction,
    shared: Arc<Shared<V>>,
    seen: u64,
    known: Option<V>,
    /// The run that knows that this handle reads the incumbent; [`DECLARED`] if all do.
    noted: u64,
}

/// The value of [`Incumbent::noted`] for handles of hooks that declare that they compare.
const DECLARED: u64 = u64::MAX;

impl<V: Clone> Clone for Incumbent<V> {
    fn clone(&self) -> Self {
        let noted = if self.noted == DECLARED { DECLARED } else { reading::NO_RUN };
        Incumbent {
            direction: self.direction,
            shared: Arc::clone(&self.shared),
            seen: 0,
            known: None,
            noted,
        }
    }
}

impl<V: Ord + Clone> Incumbent<V> {
    /// No value yet.
    #[must_use]
    pub fn new(direction: Direction) -> Self {
        let shared = Shared {
            version: AtomicU64::new(0),
            ties: AtomicBool::new(false),
            best: Mutex::new(None),
        };
        Incumbent {
            direction,
            shared: Arc::new(shared),
            seen: 0,
            known: None,
            noted: reading::NO_RUN,
        }
    }

    /// Whether larger or smaller values are better.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Offers a value that some solution has; true if it is better than the incumbent, and so
    /// replaces it.
    pub fn offer(&self, value: V) -> bool {
        let mut best = self.shared.lock();
        if best.as_ref().is_some_and(|best| !self.direction.is_better(&value, best)) {
            return false;
        }
        *best = Some(value);
        self.shared.version.fetch_add(1, Ordering::Release);
        true
    }

    /// Which incumbent this is: for [`Hook::incumbent`](crate::Hook::incumbent).
    #[must_use]
    pub fn id(&self) -> IncumbentId {
        IncumbentId(Arc::as_ptr(&self.shared).addr())
    }

    /// A handle for a hook that [says](crate::Hook::incumbent) that it compares with this
    /// incumbent, and that [says so](crate::NodeMut::tightened_by_incumbent) where it takes
    /// something away from a state.
    ///
    /// Whatever else a hook, a closure or a brancher reads of an incumbent during a run is noted:
    /// the run then proves that nothing is lost by it only if it is for the best by the objective
    /// of that incumbent.
    #[must_use]
    pub fn declared(mut self) -> Self {
        self.noted = DECLARED;
        self
    }

    /// The best value so far.
    #[must_use]
    pub fn get(&self) -> Option<V> {
        if self.noted != DECLARED {
            reading::note(self.id());
        }
        self.peek()
    }

    /// The best value so far, for those who cut off nothing by it.
    pub(crate) fn peek(&self) -> Option<V> {
        self.shared.lock().clone()
    }

    /// The best value so far, like [`get`](Self::get), at the cost of one atomic load as long as
    /// nothing has improved.
    #[inline]
    pub fn latest(&mut self) -> Option<&V> {
        let run = reading::run();
        if run != self.noted && self.noted != DECLARED {
            reading::note(self.id());
            self.noted = run;
        }
        // Acquire: whoever sees the version sees that the value was replaced before it was raised.
        let version = self.shared.version.load(Ordering::Acquire);
        if version != self.seen {
            self.known = self.peek();
            self.seen = version;
        }
        self.known.as_ref()
    }

    /// Whether `value` is better than the incumbent, or as good where [that
    /// counts](Self::accepts_ties): a node whose bound is not need not be searched.
    #[inline]
    pub fn is_beaten_by(&mut self, value: &V) -> bool {
        let direction = self.direction;
        let Some(known) = self.latest() else { return true };
        if direction.is_better(value, known) {
            return true;
        }
        value == known && self.accepts_ties()
    }

    /// Whether solutions as good as the incumbent are looked for as well. So it is when the optimum
    /// is known, and the first solution of that value [in the order of the
    /// tree](crate::search::Threads::in_order) is wanted. A bound that compares in another way than
    /// by [`is_beaten_by`](Self::is_beaten_by) has to look at this.
    #[must_use]
    pub fn accepts_ties(&self) -> bool {
        self.shared.ties.load(Ordering::Relaxed)
    }

    /// From now on, solutions as good as the incumbent are looked for as well; or not any more.
    pub(crate) fn set_matched(&self, matched: bool) {
        self.shared.ties.store(matched, Ordering::Relaxed);
    }
}

/// While it lives, solutions as good as the incumbent are looked for as well; not after a panic
/// either.
pub(crate) struct Matching<'i, V: Ord + Clone>(&'i Incumbent<V>);

impl<'i, V: Ord + Clone> Matching<'i, V> {
    pub(crate) fn of(incumbent: &'i Incumbent<V>) -> Self {
        incumbent.set_matched(true);
        Matching(incumbent)
    }
}

impl<V: Ord + Clone> Drop for Matching<'_, V> {
    fn drop(&mut self) {
        self.0.set_matched(false);
    }
}

/// What a run optimises: a value of solution states, a direction, and the incumbent.
///
/// The objective hands out its [bounds](Objective::bound), which are hooks that compare an
/// optimistic value with the shared incumbent; several compose, and the cheap ones should come
/// first.
///
/// ```
/// use secateurs::{Branch, Objective, Problem, Search};
///
/// /// Items of (weight, value), and a capacity.
/// struct Knapsack(Vec<(u64, u64)>, u64);
///
/// #[derive(Clone, Debug)]
/// struct Load {
///     item: usize,
///     room: u64,
///     value: u64,
/// }
///
/// impl Problem for Knapsack {
///     type State = Load;
///     type Cursor = u8;
///     type Choice = bool;
///     type Undo = Load;
///
///     fn root(&self) -> Load {
///         Load { item: 0, room: self.1, value: 0 }
///     }
///     fn branch(&self, load: &Load) -> Branch<u8> {
///         if load.item == self.0.len() { Branch::Solution } else { Branch::Inner(0) }
///     }
///     fn next(&self, load: &Load, cursor: &mut u8) -> Option<bool> {
///         if *cursor == 0 && self.0[load.item].0 > load.room {
///             *cursor = 1;
///         }
///         *cursor += 1;
///         (*cursor <= 2).then_some(*cursor == 1)
///     }
///     fn apply(&self, load: &mut Load, &take: &bool) -> Load {
///         let undo = load.clone();
///         if take {
///             load.room -= self.0[load.item].0;
///             load.value += self.0[load.item].1;
///         }
///         load.item += 1;
///         undo
///     }
///     fn undo(&self, load: &mut Load, _: &bool, undo: Load) {
///         *load = undo;
///     }
/// }
///
/// let knapsack = Knapsack(vec![(3, 4), (4, 5), (2, 3), (5, 8)], 9);
/// let value = Objective::maximise(|_: &Knapsack, load: &Load| load.value);
/// let rest = value.bound("all the rest", |knapsack: &Knapsack, load: &Load| {
///     load.value + knapsack.0[load.item..].iter().map(|item| item.1).sum::<u64>()
/// });
/// let outcome = Search::new(&knapsack).hooks((rest,)).best(&value);
/// assert_eq!(outcome.proven(), Some(&13));
/// assert_eq!(outcome.solution(), Some(&vec![false, true, false, true]));
/// assert!(outcome.report().hook("all the rest").is_some_and(|bound| bound.cuts() > 0));
/// ```
pub struct Objective<P, V, F> {
    name: Cow<'static, str>,
    value: F,
    incumbent: Incumbent<V>,
    problem: PhantomData<fn(&P)>,
}

impl<P: Problem, V: Ord + Clone, F: Fn(&P, &P::State) -> V> Objective<P, V, F> {
    /// Look for the solution of the largest value.
    pub fn maximise(value: F) -> Self {
        Self::new(Direction::Maximise, value)
    }

    /// Look for the solution of the smallest value.
    pub fn minimise(value: F) -> Self {
        Self::new(Direction::Minimise, value)
    }

    /// Look for the best solution in the given direction.
    pub fn new(direction: Direction, value: F) -> Self {
        Objective {
            name: type_name::<F>().into(),
            value,
            incumbent: Incumbent::new(direction),
            problem: PhantomData,
        }
    }

    /// Gives it a name, by which frontiers and files know what was asked of them: a run that goes
    /// on from there and asks for the best by an objective of another name proves nothing. Default:
    /// the type of the function that gives the value.
    #[must_use]
    pub fn named(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.name = name.into();
        self
    }

    /// Returns the identity of this objective.
    pub(crate) fn optimised(&self) -> Optimised {
        Optimised {
            incumbent: self.incumbent.id(),
            direction: self.incumbent.direction,
            name: self.name.clone(),
        }
    }

    /// The value of a state.
    pub fn value(&self, problem: &P, state: &P::State) -> V {
        (self.value)(problem, state)
    }

    /// The best value so far. A value that is known beforehand may be [offered](Incumbent::offer):
    /// the run then looks for better ones only.
    pub fn incumbent(&self) -> &Incumbent<V> {
        &self.incumbent
    }
}

impl<P, V: fmt::Debug, F> fmt::Debug for Objective<P, V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objective").field("incumbent", &self.incumbent).finish_non_exhaustive()
    }
}
