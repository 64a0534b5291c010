//! Optimisation: the [`Objective`] of a run and its [`Incumbent`], the best value so far.

pub(crate) mod reading;

pub use reading::IncumbentId;
pub(crate) use reading::OtherIncumbents;

use std::any::type_name;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::digest::Digest;
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
    /// Compares two values: the better one is the greater one.
    #[inline]
    pub(crate) fn compare<V: Ord>(self, one: &V, other: &V) -> std::cmp::Ordering {
        match self {
            Direction::Maximise => one.cmp(other),
            Direction::Minimise => other.cmp(one),
        }
    }

    /// Returns whether `value` is strictly better than `than`.
    #[inline]
    pub fn is_better<V: Ord>(self, value: &V, than: &V) -> bool {
        match self {
            Direction::Maximise => value > than,
            Direction::Minimise => value < than,
        }
    }

    /// Returns whether `value` is better than `best`, or as good if ties are accepted.
    #[inline]
    fn beats<V: Ord>(self, value: &V, best: &V, accepts_ties: impl FnOnce() -> bool) -> bool {
        self.is_better(value, best) || value == best && accepts_ties()
    }
}

/// The identity of an objective, by which a run recognises that earlier runs had the same one.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ObjectiveId {
    /// The direction and the name, if it has a name.
    name: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip, default = "IncumbentId::foreign"))]
    incumbent: IncumbentId,
    /// The direction, the name of the type of the values, the address of the code of the value
    /// function, and the parameters: code of equal address computes equal values from equal
    /// parameters, which types may order differently; two local types may have one name, but
    /// hardly two functions of one address. `None` if the function has data, which the address
    /// does not identify, or if the caller has named the objective. Valid in this process.
    #[cfg_attr(feature = "serde", serde(skip))]
    function: Option<(Direction, &'static str, usize, Option<Digest>)>,
    /// The text of the incumbent's value, shared with the incumbent. Valid in this process.
    #[cfg_attr(feature = "serde", serde(skip))]
    value: ValueText,
}

impl ObjectiveId {
    /// Returns the direction and the name, if it has a name.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the identity of its incumbent.
    pub(crate) fn incumbent(&self) -> IncumbentId {
        self.incumbent
    }

    /// Returns a digest of the name, or of what else identifies the objective in this process.
    pub(crate) fn digest(&self) -> Digest {
        match (&self.name, self.function) {
            (Some(name), _) => Digest::of(name),
            (None, Some(function)) => Digest::of(&function),
            (None, None) => Digest::of(&self.incumbent),
        }
    }

    /// Returns the text of the best value so far.
    pub(crate) fn latest_value(&self) -> Option<String> {
        self.value.latest()
    }

    /// Returns whether both are known to be the same objective.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let is_local = self.incumbent != IncumbentId::foreign();
        match (self.function, other.function) {
            _ if is_local && self.incumbent == other.incumbent => true,
            (Some(one), Some(other)) => one == other,
            _ => self.name.is_some() && self.name == other.name,
        }
    }
}

/// The part of an incumbent that all its clones share.
#[derive(Debug)]
struct Shared<V> {
    id: IncumbentId,
    /// Incremented with every improvement, so that readers know when their copy is stale.
    version: AtomicU64,
    /// The number of runs that want solutions as good as the incumbent as well.
    ties: AtomicUsize,
    best: Mutex<Option<V>>,
    /// The text of `best`, replaced while that is locked.
    text: ValueText,
}

/// The value of an incumbent as text, for code that does not know the type of the value.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValueText(Arc<Mutex<Option<String>>>);

impl ValueText {
    /// Returns the text of a value. Values of equal text are treated as equal.
    pub(crate) fn of(value: &impl fmt::Debug) -> String {
        format!("{value:?}")
    }

    /// Returns the text of the best value so far, without recording a read.
    pub(crate) fn latest(&self) -> Option<String> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        // Poisoning is harmless: a text is replaced as a whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> Shared<V> {
    fn lock(&self) -> MutexGuard<'_, Option<V>> {
        // Poisoning is harmless: a value is replaced as a whole, so a panic cannot leave half of
        // one.
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The best value so far, shared by a run, its bounds and other sources of good values. Clones
/// share the value.
///
/// [`latest`](Self::latest) costs one atomic load while the value has not changed, because each
/// clone keeps a copy of the value. [`get`](Self::get) takes a lock.
#[derive(Debug)]
pub struct Incumbent<V> {
    direction: Direction,
    shared: Arc<Shared<V>>,
    /// The version of the copy `known`.
    seen: u64,
    known: Option<V>,
    reader: Reader,
    /// The run that has already recorded a read through this handle.
    recorded_run: u64,
}

/// The kind of reader that has a handle of an incumbent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    /// The engine itself. The rule for proofs accounts for everything that its comparisons prune.
    Engine,
    /// A hook or brancher that names the incumbent in [`Hook::incumbent`](crate::Hook::incumbent).
    Declared,
    /// Any other code.
    Undeclared,
}

impl<V: Clone> Clone for Incumbent<V> {
    fn clone(&self) -> Self {
        Incumbent {
            direction: self.direction,
            shared: Arc::clone(&self.shared),
            seen: 0,
            known: None,
            reader: self.reader,
            recorded_run: reading::NO_RUN,
        }
    }
}

impl<V: ObjectiveValue> Incumbent<V> {
    /// Creates an incumbent without a value.
    #[must_use]
    pub fn new(direction: Direction) -> Self {
        let shared = Shared {
            id: IncumbentId::new(),
            version: AtomicU64::new(0),
            ties: AtomicUsize::new(0),
            best: Mutex::new(None),
            text: ValueText::default(),
        };
        Incumbent {
            direction,
            shared: Arc::new(shared),
            seen: 0,
            known: None,
            reader: Reader::Undeclared,
            recorded_run: reading::NO_RUN,
        }
    }

    /// Returns whether larger or smaller values are better.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Offers the value of some solution. Returns whether it is better than the incumbent, and so
    /// replaces it.
    ///
    /// A run with this incumbent may prune whatever is not better than `value`. If a later run
    /// continues the [frontier](crate::Search::frontier) of that run with another incumbent, offer
    /// `value` to the other incumbent as well. Otherwise the later run proves nothing, unless an
    /// earlier run on the frontier has found a solution of this value.
    pub fn offer(&self, value: V) -> bool {
        // Not under the lock, because it is the caller's code.
        let text = ValueText::of(&value);
        let mut best = self.shared.lock();
        if best.as_ref().is_some_and(|best| !self.direction.is_better(&value, best)) {
            return false;
        }
        *best = Some(value);
        *self.shared.text.lock() = Some(text);
        // Release: pairs with the Acquire in `current`.
        self.shared.version.fetch_add(1, Ordering::Release);
        // Unlock first: a subscriber to the event may read the incumbent.
        drop(best);
        event!(debug, "an incumbent has improved");
        true
    }

    /// Returns the identity of this incumbent, for [`Hook::incumbent`](crate::Hook::incumbent).
    #[must_use]
    pub fn id(&self) -> IncumbentId {
        self.shared.id
    }

    /// Returns a handle for a hook or a brancher that [names](crate::Hook::incumbent) this
    /// incumbent.
    ///
    /// The engine records the *reads* of an incumbent during a run: comparisons with a value that
    /// [does not beat it](Self::is_beaten_by), and calls that [return its value](Self::latest).
    /// Those of the threads of a run are recorded as well; those of threads that a hook starts
    /// itself are not. Of a run within a hook, only the reads by handles that are not declared
    /// count for the outer run, too: what the others did to its answer is in the report of the
    /// inner run, so a hook must take nothing for proven that this report does not prove.
    ///
    /// If there was a read, a run that asks for something other than the best by the incumbent's
    /// objective proves neither a count nor that there is no solution. If, in addition, the handle
    /// is not a declared one, or no hook and no brancher names the incumbent, the effect of the run
    /// is [`OptimumOnly`](crate::Effect::OptimumOnly) or weaker, and a run for the best by another
    /// objective proves nothing. No hook of a [sweep](crate::plug::SweepHook#hooks-together) names
    /// an incumbent: a read makes its answer lossy.
    #[must_use]
    pub fn declared(mut self) -> Self {
        self.reader = Reader::Declared;
        self
    }

    /// Returns a handle for the engine, whose reads are not recorded.
    pub(crate) fn unrecorded(mut self) -> Self {
        self.reader = Reader::Engine;
        self
    }

    /// Returns the best value so far.
    #[must_use]
    pub fn get(&self) -> Option<V> {
        let value = self.peek();
        if value.is_some() {
            self.record_read();
        }
        value
    }

    /// Records that the run in this thread, if there is one, reads a value.
    #[cold]
    #[inline(never)]
    fn record_read(&self) {
        if self.reader != Reader::Engine {
            let declared = self.reader == Reader::Declared;
            reading::record(reading::Read { incumbent: self.id(), declared });
        }
    }

    /// Returns the best value so far, without recording the read. For callers that prune nothing by
    /// it.
    pub(crate) fn peek(&self) -> Option<V> {
        self.shared.lock().clone()
    }

    /// Returns the best value so far, like [`get`](Self::get), at the cost of one atomic load while
    /// the value has not changed.
    #[inline]
    pub fn latest(&mut self) -> Option<&V> {
        if self.current().is_some() {
            self.record();
        }
        self.known.as_ref()
    }

    /// Returns the best value so far, without recording the read. If the caller prunes because of
    /// the value, it must call [`record`](Self::record). Otherwise the run may claim that there is
    /// no solution, although the only ones were pruned for not being better.
    #[inline]
    pub fn current(&mut self) -> Option<&V> {
        // Acquire pairs with the Release in `offer`: a thread that sees the new version also sees
        // that the value was replaced before.
        let version = self.shared.version.load(Ordering::Acquire);
        if version != self.seen {
            self.refresh(version);
        }
        self.known.as_ref()
    }

    /// Records that the run in this thread, if there is one, may have pruned because of the value.
    /// Like `record_read`, but only the first call through this handle in a run takes time.
    #[inline]
    pub fn record(&mut self) {
        let run = reading::run();
        if run != self.recorded_run {
            self.record_read();
            self.recorded_run = run;
        }
    }

    /// Copies the value. If it has improved since `version` was loaded, the next call copies it
    /// again, which is harmless. Not inlined, because the code of a lock would keep bounds from
    /// being inlined into the kernel.
    #[cold]
    #[inline(never)]
    fn refresh(&mut self, version: u64) {
        self.known = self.peek();
        self.seen = version;
    }

    /// Returns whether `value` is better than the incumbent, or as good if [ties are
    /// accepted](Self::accepts_ties). A node whose bound does not beat the incumbent need not be
    /// searched.
    ///
    /// Only the answer `false` counts as a [recorded](Self::declared) read: a value that beats the
    /// incumbent gives no reason to prune.
    #[inline]
    pub fn is_beaten_by(&mut self, value: &V) -> bool {
        let direction = self.direction;
        let _ = self.current();
        let Some(known) = &self.known else { return true };
        let beats = direction.beats(value, known, || self.accepts_ties());
        if !beats {
            self.record();
        }
        beats
    }

    /// Returns the value that a solution must beat now, for code that compares with it several
    /// times. It counts the values that do not beat it; if there are any, the caller records a
    /// read.
    #[inline]
    pub(crate) fn current_target(&mut self) -> ToBeat<'_, V> {
        let _ = self.current();
        ToBeat {
            best: self.known.as_ref(),
            direction: self.direction,
            accepts_ties: self.accepts_ties(),
            rejected: Cell::new(0),
        }
    }

    /// Returns whether solutions as good as the incumbent are wanted as well. The engine wants them
    /// while it looks for the first solution of the known optimum [in the order of the
    /// tree](crate::search::Threads::in_order), and while it revisits the best solutions of earlier
    /// runs. A bound that compares in another way than by [`is_beaten_by`](Self::is_beaten_by) must
    /// check it.
    #[must_use]
    pub fn accepts_ties(&self) -> bool {
        // Relaxed: incremented before the walks of a run start, and decremented after they end.
        self.shared.ties.load(Ordering::Relaxed) > 0
    }
}

/// The value that a child must beat: the incumbent at the time when the child is drawn. See
/// [`Objective::next_within`].
#[derive(Debug)]
pub struct ToBeat<'i, V> {
    /// `None` if every value beats it.
    best: Option<&'i V>,
    direction: Direction,
    accepts_ties: bool,
    /// The number of values that have not beaten it.
    pub(crate) rejected: Cell<u64>,
}

impl<V: ObjectiveValue> ToBeat<'_, V> {
    /// Returns the target without an incumbent, which every value beats.
    #[must_use]
    pub fn nothing() -> Self {
        ToBeat {
            best: None,
            direction: Direction::Minimise,
            accepts_ties: false,
            rejected: Cell::new(0),
        }
    }

    /// Returns whether `value` is better than the incumbent, or as good if [ties are
    /// accepted](Incumbent::accepts_ties).
    #[inline]
    pub fn is_beaten_by(&self, value: &V) -> bool {
        let Some(best) = self.best else { return true };
        let beats = self.direction.beats(value, best, || self.accepts_ties);
        if !beats {
            self.rejected.set(self.rejected.get() + 1);
        }
        beats
    }
}

/// A guard that makes the incumbent [accept ties](Incumbent::accepts_ties) until it is dropped,
/// also by a panic.
pub(crate) struct AcceptTies<'i, V: ObjectiveValue>(&'i Incumbent<V>);

impl<'i, V: ObjectiveValue> AcceptTies<'i, V> {
    pub(crate) fn of(incumbent: &'i Incumbent<V>) -> Self {
        incumbent.shared.ties.fetch_add(1, Ordering::Relaxed);
        AcceptTies(incumbent)
    }
}

impl<V: ObjectiveValue> Drop for AcceptTies<'_, V> {
    fn drop(&mut self) {
        self.0.shared.ties.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the path of a function; `None` for closures, and for values with data, such as function
/// pointers.
fn path_of<F>() -> Option<&'static str> {
    let path = type_name::<F>();
    // Closures in one function share a name such as `{{closure}}`.
    (size_of::<F>() == 0 && !path.contains(['{', '@', '#'])).then_some(path)
}

/// Calls a value function. Each type of function has its own instance of this one; instances of
/// equal address have the same code.
fn call<P: Problem, V, F: Fn(&P, &P::State) -> V>(value: &F, problem: &P, state: &P::State) -> V {
    value(problem, state)
}

/// The objective of a run: the value of a solution's state, a direction, and the incumbent.
///
/// It creates the hooks and the branchers that prune by an optimistic value, with the incumbent
/// attached: hooks that compare a node ([`bound`](Objective::bound)) or a choice
/// ([`admit`](Objective::admit), [`ordered_bound`](Objective::ordered_bound)), and branchers that
/// compare while children are generated ([`next_within`](Objective::next_within)) or order them
/// ([`sorted`](Objective::sorted)). Several bounds compose; put cheap ones first.
///
/// Values need a total order: integers, tuples of them, or [`Finite`](crate::Finite) for
/// floating-point numbers.
///
/// ```
/// use secateurs::{Branch, CopyProblem, Objective, Search};
///
/// /// Items of (weight, value), and a capacity.
/// struct Knapsack(Vec<(u64, u64)>, u64);
///
/// #[derive(Clone, Copy)]
/// struct Load {
///     item: usize,
///     room: u64,
///     value: u64,
/// }
///
/// impl CopyProblem for Knapsack {
///     type State = Load;
///     type Cursor = u8;
///     type Choice = bool;
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
///     fn apply(&self, mut load: Load, &take: &bool) -> Load {
///         if take {
///             load.room -= self.0[load.item].0;
///             load.value += self.0[load.item].1;
///         }
///         load.item += 1;
///         load
///     }
/// }
///
/// let knapsack = Knapsack(vec![(3, 4), (4, 5), (2, 3), (5, 8)], 9);
/// let value = Objective::maximise_for(&knapsack, |_, load| load.value);
/// let rest = value.bound("all the rest", |knapsack, load| {
///     load.value + knapsack.0[load.item..].iter().map(|item| item.1).sum::<u64>()
/// });
/// let outcome = Search::new(&knapsack).hook(rest).best(&value);
/// assert_eq!(outcome.proven(), Some(&13));
/// assert_eq!(outcome.solution(), Some(&vec![false, true, false, true]));
/// assert!(outcome.report().hook("all the rest").is_some_and(|bound| bound.cuts() > 0));
/// ```
pub struct Objective<P, V, F> {
    /// The name, or the path of a value function that has one.
    name: Option<Cow<'static, str>>,
    /// Whether `name` is from the caller, by [`named`](Self::named).
    is_named_by_caller: bool,
    /// The digest of the data that the value function captures, if the caller has stated it.
    parameters: Option<Digest>,
    pub(crate) value: F,
    incumbent: Incumbent<V>,
    problem: PhantomData<fn(&P)>,
}

/// A type of values of an objective: every type that is `Ord`, `Clone` and `Debug`.
///
/// A [frontier](crate::search::Frontier) remembers a value that was offered from outside by its
/// `Debug` text, so values of equal text are treated as equal. If different values have one text, a
/// resumed run may call a solution optimal that is not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the value of an objective",
    note = "values need a total order, are cloned, and are shown: `Ord`, `Clone` and `Debug`",
    note = "for floating-point numbers, use `secateurs::Finite`"
)]
pub trait ObjectiveValue: Ord + Clone + fmt::Debug {}

#[diagnostic::do_not_recommend]
impl<V: Ord + Clone + fmt::Debug> ObjectiveValue for V {}

impl<P: Problem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V> Objective<P, V, F> {
    /// Creates an objective that asks for the solution of the largest value. For functions; see
    /// [`maximise_for`](Objective::maximise_for) for closures.
    pub fn maximise(value: F) -> Self {
        Self::new(Direction::Maximise, value)
    }

    /// Creates an objective that asks for the solution of the smallest value. For functions; see
    /// [`minimise_for`](Objective::minimise_for) for closures.
    pub fn minimise(value: F) -> Self {
        Self::new(Direction::Minimise, value)
    }

    /// Creates an objective that asks for the solution of `problem` of the largest value.
    /// `problem` only provides its type, so that the closure needs no annotations.
    pub fn maximise_for(problem: &P, value: F) -> Self {
        let _ = problem;
        Self::maximise(value)
    }

    /// Creates an objective that asks for the solution of `problem` of the smallest value.
    /// `problem` only provides its type, so that the closure needs no annotations.
    pub fn minimise_for(problem: &P, value: F) -> Self {
        let _ = problem;
        Self::minimise(value)
    }

    /// Creates an objective that asks for the best solution in the given direction.
    pub fn new(direction: Direction, value: F) -> Self {
        Objective {
            name: path_of::<F>().map(Cow::Borrowed),
            is_named_by_caller: false,
            parameters: None,
            value,
            incumbent: Incumbent::new(direction),
            problem: PhantomData,
        }
    }

    /// Sets the name by which [frontiers](crate::search::Frontier), files and the processes of a
    /// cluster recognise the objective. Objectives of one name and direction must have the same
    /// value function: a run that continues a frontier treats their questions as the same.
    ///
    /// The default is the path of the value function. Closures and function pointers have no path.
    /// If an objective has no name, only the same process recognises it: by the value function, if
    /// that is a closure that captures nothing, and otherwise only if the same `Objective` is used
    /// again. A run that continues the frontier of an objective that it does not recognise proves
    /// nothing. A frontier that has been searched by an objective without a name cannot be saved.
    ///
    /// The data that the value function captures, such as weights, are part of the question: if
    /// they may differ, state them by [`parameters`](Self::parameters), or name the objective by
    /// them.
    #[must_use]
    pub fn named(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.name = Some(name.into());
        self.is_named_by_caller = true;
        self
    }

    /// Sets the digest of the data that the value function captures. Objectives of one name are
    /// recognised as the same only if they have the same parameters.
    ///
    /// ```
    /// use secateurs::{Direction, Objective};
    /// # use secateurs_problems::queens::{BitQueens, BitState};
    ///
    /// let weights = vec![3, 1, 4, 1, 5];
    /// let value = |_: &BitQueens, _: &BitState| weights.iter().sum::<i64>();
    /// let objective = Objective::new(Direction::Maximise, value).named("weight");
    /// let objective = objective.parameters(&weights);
    /// # let _ = objective;
    /// ```
    #[must_use]
    pub fn parameters(mut self, data: &(impl Hash + ?Sized)) -> Self {
        self.parameters = Some(Digest::of(data));
        self
    }

    /// Returns the identity of this objective.
    pub(crate) fn id(&self) -> ObjectiveId {
        let direction = self.incumbent.direction;
        let adjective = match direction {
            Direction::Maximise => "largest",
            Direction::Minimise => "smallest",
        };
        // The address does not identify captured data.
        let has_address = size_of::<F>() == 0 && !self.is_named_by_caller;
        let function: fn(&F, &P, &P::State) -> V = call;
        ObjectiveId {
            name: self.name.as_ref().map(|name| match self.parameters {
                Some(parameters) => format!("the {adjective} {name} of parameters {parameters}"),
                None => format!("the {adjective} {name}"),
            }),
            incumbent: self.incumbent.id(),
            function: has_address.then_some((
                direction,
                type_name::<V>(),
                function as usize,
                self.parameters,
            )),
            value: self.incumbent.shared.text.clone(),
        }
    }

    /// Returns the value of a state.
    pub fn value(&self, problem: &P, state: &P::State) -> V {
        (self.value)(problem, state)
    }

    /// Returns the incumbent. A value that is known beforehand may be [offered](Incumbent::offer)
    /// to it: the run then searches for better solutions only.
    pub fn incumbent(&self) -> &Incumbent<V> {
        &self.incumbent
    }
}

debug_fields!(impl[P, V: fmt::Debug, F] Objective<P, V, F>: incumbent);
