//! Hooks of a sweep: filters, canonicalisers and dominance. The [`SweepHook`] trait, the layer that
//! it [thins](Thinning), tuples of hooks, and [observers](SweepObserver).

use super::contour_problem::ContourProblem;
use super::step::Clock;
use crate::digest::Digest;
use crate::hook::{Claim, Constraint, Effect, HookMemory, OFF, Verdict};
use crate::limits::Stop;
use crate::memory::block_bytes;

/// A pruning that is plugged into a sweep.
///
/// Every method except [`name`](SweepHook::name) has a default; a hook that overrides none of them
/// keeps everything. A *filter* drops states as they arise, a *canonicaliser* replaces them by
/// equivalent ones, and *dominance* examines a complete layer. The engine counts, layer by layer,
/// how many states each hook drops and how many states are merged with one that is already there.
///
/// Hooks are combined as tuples. They are called from left to right, and each gets the state as the
/// previous one left it. `Option<H>` and `&H` are hooks as well. Several threads call a hook at
/// once, so it has no state of its own.
///
/// # Hooks together
///
/// [Preserving](Effect::Preserving) hooks can be combined with each other. So can hooks of
/// [`Effect::OptimumOnly`] that [keep the best of each layer](SweepHook::keeps_best_of_layer), with
/// each other and with preserving ones. Proof: by induction over the cells and over the order of
/// the hooks, a best solution of the whole problem passes through each layer, because no hook
/// removes the last one from the layer that it gets.
///
/// Any other claim of [`Effect::OptimumOnly`], and every claim of [`Effect::Representatives`],
/// refers to all solutions of the problem. It holds alone, and together with preserving hooks that
/// [keep labels](SweepHook::keeps_labels). Another hook that removes solutions, or replaces a state
/// by one with other solutions, may remove exactly those that this hook has left. The answer is
/// then [lossy](Effect::Lossy), and its report names both hooks.
///
/// A [constraint](SweepHook::is_constraint) defines the solutions. A preserving hook that keeps
/// labels loses none of them either: it drops states without solutions of the problem, or replaces
/// one by a state with the same solutions, which the constraint treats alike. Any other hook may
/// remove a solution in favour of one that the constraint rejects. A constraint that does not
/// keep labels may do so as well.
///
/// A hook may read the value of an [incumbent](crate::Incumbent) that a search shares with it, but
/// no question of a sweep is known to be about that incumbent's objective. As soon as a sweep, or
/// an operation on its retained layers, has read a value, its answer is lossy. The solutions that
/// it finds are solutions.
///
/// # If an implementation lies
///
/// A hook that claims an [effect](SweepHook::effect) that it does not have makes the answer wrong
/// without any sign of it. So does [`thin`](SweepHook::thin) if it depends on the order of the
/// states, which differs with the number of threads, and [`thin_part`](SweepHook::thin_part) if it
/// withholds from other parts a state for which they would drop one of theirs; no audit checks the
/// latter. A [`SweepAudit`](https://docs.rs/secateurs-lab) tests the other claims. Operations on
/// [retained layers](super::retained) call a hook again on states that it has kept, and may panic
/// if it drops them then.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a hook for sweeps of `{P}`",
    note = "a hook of a search implements `Hook`; a hook of a sweep implements `SweepHook`, and is \
            `Sync`"
)]
pub trait SweepHook<P: ContourProblem>: Sync {
    /// Returns the name of the hook in reports.
    fn name(&self) -> &str;

    /// Returns what the hook's cuts preserve.
    ///
    /// The default is [`Effect::Preserving`]: the hook drops only states that lead to no solution,
    /// and replaces states only by ones with as many solutions.
    ///
    /// A hook of [`Effect::Representatives`] or [`Effect::OptimumOnly`] must treat states of one
    /// layer alike if the same sequences of labels lead from them to an accepted state: another
    /// hook may have replaced one by the other.
    fn effect(&self) -> Effect {
        Effect::Preserving
    }

    /// Returns whether the hook is a *constraint*: a filter that defines the solutions of the sweep
    /// instead of preserving given ones. Its effect is then [`Effect::Preserving`]. False by
    /// default.
    ///
    /// A constraint must treat states of one layer alike if the same sequences of labels lead from
    /// them to an accepted state. It can be [combined](SweepHook#hooks-together) with preserving
    /// hooks that keep labels.
    fn is_constraint(&self) -> bool {
        false
    }

    /// Returns a digest of all data that the hook's cuts depend on, besides the problem: limits,
    /// weights, options. See [`Hook::parameters`](crate::Hook::parameters).
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self)
    }

    /// Returns whether a state written by [`enter`](SweepHook::enter) has the same solutions, label
    /// by label, as the state that it replaces. True by default.
    ///
    /// A canonicaliser that mirrors a state must return false. A count is still right, but the
    /// labels along a path may be no solution: operations that return or weigh labels are reported
    /// as [lossy](Effect::Lossy). `first` and `best` then return neither labels nor a weight, and
    /// `solutions`, `ranked`, `samples` and `for_each` return labels that may be no solution. If
    /// the hook claims less than [`Effect::Preserving`], there may be fewer solutions than are
    /// counted, or none. The sweep then proves neither a lower bound of the count nor that there is
    /// a solution.
    fn keeps_labels(&self) -> bool {
        true
    }

    /// Returns whether the hook keeps at least one of the best solutions through the layer that it
    /// gets, as [dominance](super::StateDominance) does. False by default.
    ///
    /// This concerns hooks of [`Effect::OptimumOnly`], which can then be
    /// [combined](SweepHook#hooks-together).
    fn keeps_best_of_layer(&self) -> bool {
        false
    }

    /// Decides about each state that a step in `cell` leads to; it may replace the state.
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Verdict {
        let _ = (problem, cell, state);
        Verdict::Keep
    }

    /// Examines the complete layer after `cell`. The order of the states is unspecified.
    ///
    /// A hook that may take long should check now and then whether the sweep [is
    /// stopping](Thinning::is_stopping).
    fn thin(&self, problem: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
        let _ = (problem, cell);
        layer.pass();
    }

    /// Examines one part of a layer that is divided among the workers of a cluster. Called before
    /// [`thin`](SweepHook::thin), once for each part, with the states of that part alone. Each
    /// worker then calls `thin` with its own states and the *nominees* of all other parts, and
    /// drops those of its own states that `thin` drops.
    ///
    /// The method must therefore ensure that the same states remain as if `thin` had seen the whole
    /// layer. It may drop states that `thin` would drop whatever the other parts contain. By
    /// default all states that are not dropped are nominees. That is right for every hook, but
    /// sends the layer to each worker. A hook that compares states only with the best one nominates
    /// [no other](Thinning::nominate_only). A hook that keeps maximal states calls `thin` here, so
    /// that the nominees are the maximal states of the part.
    fn thin_part(&self, problem: &P, cell: usize, part: &mut Thinning<'_, P::State>) {
        let _ = (problem, cell, part);
    }
}

/// The methods of a hook that only call those of `$hook`, an expression with `$self`.
macro_rules! delegate {
    ($self:ident, $hook:expr) => {
        fn effect(&$self) -> Effect {
            $hook.effect()
        }
        fn is_constraint(&$self) -> bool {
            $hook.is_constraint()
        }
        fn parameters(&$self) -> Option<Digest> {
            $hook.parameters()
        }
        fn keeps_labels(&$self) -> bool {
            $hook.keeps_labels()
        }
        fn keeps_best_of_layer(&$self) -> bool {
            $hook.keeps_best_of_layer()
        }
        fn thin(&$self, problem: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
            $hook.thin(problem, cell, layer);
        }
        fn thin_part(&$self, problem: &P, cell: usize, part: &mut Thinning<'_, P::State>) {
            $hook.thin_part(problem, cell, part);
        }
    };
}

macro_rules! delegate_by_pointer {
    ($($pointer:ty),+) => {$(
        impl<P: ContourProblem, H: SweepHook<P> + ?Sized> SweepHook<P> for $pointer {
            delegate!(self, (**self));

            fn name(&self) -> &str {
                (**self).name()
            }
            #[inline]
            fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Verdict {
                (**self).enter(problem, cell, state)
            }
        }
    )+};
}

delegate_by_pointer!(&H, Box<H>);

/// A hook that is switched off.
struct Off;

impl<P: ContourProblem> SweepHook<P> for Off {
    fn name(&self) -> &str {
        OFF
    }
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::OFF)
    }
    fn keeps_best_of_layer(&self) -> bool {
        true
    }
}

impl<P: ContourProblem, H: SweepHook<P>> SweepHook<P> for Option<H> {
    delegate!(self, self.as_ref().map_or(&Off as &dyn SweepHook<P>, |hook| hook));

    fn name(&self) -> &str {
        self.as_ref().map_or(OFF, |hook| hook.name())
    }
    #[inline]
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Verdict {
        self.as_ref().map_or(Verdict::Keep, |hook| hook.enter(problem, cell, state))
    }
}

/// The states of a layer or of a part of it, and the flags of those that a hook drops.
pub struct Thinning<'a, S> {
    states: &'a [S],
    dropped: &'a mut [bool],
    /// The number of states that this hook has dropped.
    count: u64,
    /// Whether the value of the first state covers that of the second.
    covers: &'a mut dyn FnMut(usize, usize) -> bool,
    /// The clock of the sweep; `None` outside of one.
    clock: Option<&'a Clock>,
    /// The bytes that the hook may use.
    max_bytes: usize,
    /// Whether the hook needed more than `max_bytes`, or more memory than the system has.
    is_out_of_memory: bool,
    /// The only state that other parts need to know of, if there is one.
    #[cfg_attr(not(feature = "timely"), allow(dead_code, reason = "only a cluster has parts"))]
    nominee: Option<usize>,
    /// Whether the hook examined nothing.
    #[cfg_attr(not(feature = "timely"), allow(dead_code, reason = "only a cluster has parts"))]
    passed: bool,
}

impl<'a, S> Thinning<'a, S> {
    /// Creates a layer outside of a sweep, to call [`SweepHook::thin`] in a test or an audit.
    ///
    /// `dropped` has a flag for each state, which [`drop`](Self::drop) sets. `covers` decides
    /// whether the value of the first state covers that of the second; see
    /// [`dominate`](Self::dominate).
    ///
    /// ```
    /// use secateurs::plug::{ContourProblem, SweepHook, Thinning};
    /// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
    ///
    /// /// A wrong hook: it keeps the first state only.
    /// struct First;
    ///
    /// impl<P: ContourProblem> SweepHook<P> for First {
    ///     fn name(&self) -> &str {
    ///         "first"
    ///     }
    ///     fn thin(&self, _: &P, _: usize, layer: &mut Thinning<'_, P::State>) {
    ///         (1..layer.states().len()).for_each(|other| layer.drop(other));
    ///     }
    /// }
    ///
    /// let cycles = hamiltonian_cycles(&Grid::new(4, 4)?);
    /// let states = [cycles.start(); 3];
    /// let mut dropped = [false; 3];
    /// let mut covers = |_, _| true;
    /// First.thin(&cycles, 0, &mut Thinning::new(&states, &mut dropped, &mut covers));
    /// assert_eq!(dropped, [false, true, true]);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    ///
    /// # Panics
    /// Panics if `states` and `dropped` differ in length.
    #[must_use]
    pub fn new(
        states: &'a [S],
        dropped: &'a mut [bool],
        covers: &'a mut dyn FnMut(usize, usize) -> bool,
    ) -> Self {
        assert_eq!(states.len(), dropped.len(), "expected a flag for each state");
        Self::limited(states, dropped, covers, (None, usize::MAX))
    }

    /// Creates a layer of a sweep with a clock and a memory limit.
    pub(crate) fn limited(
        states: &'a [S],
        dropped: &'a mut [bool],
        covers: &'a mut dyn FnMut(usize, usize) -> bool,
        (clock, max_bytes): (Option<&'a Clock>, usize),
    ) -> Self {
        Thinning {
            states,
            dropped,
            count: 0,
            covers,
            clock,
            max_bytes,
            is_out_of_memory: false,
            nominee: None,
            passed: false,
        }
    }

    /// Returns an empty vector with room for this many items. Returns `None` if the memory limit
    /// does not allow it or the system has no memory left; the sweep then has to stop.
    pub(crate) fn allocate<T>(&mut self, items: usize) -> Option<Vec<T>> {
        let mut vec = Vec::new();
        let bytes = block_bytes(items.saturating_mul(size_of::<T>()));
        self.is_out_of_memory |= bytes > self.max_bytes || vec.try_reserve_exact(items).is_err();
        (!self.is_out_of_memory).then_some(vec)
    }

    /// Returns the reason to stop the sweep, if there is one.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        if self.is_out_of_memory {
            return Err(Stop::MemoryLimit);
        }
        self.clock.map_or(Ok(()), Clock::check)
    }

    /// Records that the hook drops nothing, whatever the states are. Called by the default
    /// implementation of [`SweepHook::thin`].
    pub(crate) fn pass(&mut self) {
        self.passed = true;
    }

    #[cfg(feature = "timely")]
    pub(crate) fn has_passed(&self) -> bool {
        self.passed
    }

    getters! {
        self;
        /// Returns whether the sweep has to stop, because it was [cancelled](crate::Cancel), or its
        /// time or its memory is used up.
        ///
        /// A hook that compares pairs of states should call this every few thousand comparisons,
        /// and return if the sweep has to stop: what it has dropped by then does not matter,
        /// because the layer is not used. A call takes some ten nanoseconds.
        is_stopping -> bool: self.check().is_err();

        /// Returns the states, including those that are already dropped.
        states -> &'a [S]: self.states;
    }

    /// Returns whether the state at `index` has been dropped, by this hook or an earlier one.
    ///
    /// # Panics
    /// Panics if there is no such state.
    #[must_use]
    pub fn is_dropped(&self, index: usize) -> bool {
        self.dropped[index]
    }

    /// Drops the state at `index`.
    ///
    /// # Panics
    /// Panics if there is no such state.
    pub fn drop(&mut self, index: usize) {
        if !self.dropped[index] {
            self.dropped[index] = true;
            self.count += 1;
        }
    }

    /// Drops the state at `worse` in favour of the one at `better`, and returns whether it is
    /// dropped now.
    ///
    /// The state stays if its [value](super::Algebra::covers) is not covered by that of the better
    /// one. A dropped state drops no other, and no state drops itself: of two states that dominate
    /// each other, one remains.
    ///
    /// # Panics
    /// Panics if there are no such states.
    pub fn dominate(&mut self, worse: usize, better: usize) -> bool {
        if !self.dropped[worse]
            && !self.dropped[better]
            && better != worse
            && (self.covers)(better, worse)
        {
            self.drop(worse);
        }
        self.dropped[worse]
    }

    /// Declares, in [`thin_part`](SweepHook::thin_part), that other parts need to know only the
    /// state at `index` of this part. If that state is dropped or does not exist, all remaining
    /// states are nominees.
    pub fn nominate_only(&mut self, index: usize) {
        self.nominee = Some(index);
    }

    /// Returns the states that other parts need to know.
    #[cfg(feature = "timely")]
    pub(crate) fn nominees(&self) -> Vec<usize> {
        let all = match self.nominee {
            Some(index) if self.dropped.get(index) == Some(&false) => index..index + 1,
            _ => 0..self.states.len(),
        };
        all.filter(|&index| self.dropped.get(index) == Some(&false)).collect()
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }
}

impl<S> std::fmt::Debug for Thinning<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thinning")
            .field("states", &self.states.len())
            .field("dropped", &self.count)
            .finish()
    }
}

/// The claims of a hook about itself.
#[derive(Clone, Debug)]
pub struct SweepClaim {
    /// The part that hooks of searches claim as well.
    pub(crate) claim: Claim,
    pub(crate) keeps_labels: bool,
    pub(crate) keeps_best_of_layer: bool,
}

impl SweepClaim {
    fn of<P: ContourProblem>(hook: &dyn SweepHook<P>) -> Self {
        let claim = Claim {
            name: hook.name().to_owned(),
            effect: hook.effect(),
            constraint: hook.is_constraint().then_some(Constraint::State),
            parameters: hook.parameters(),
            stats: Vec::new(),
            sibling_cuts: 0,
            by_incumbent: false,
            memory: HookMemory::Nothing,
        };
        let (keeps_labels, keeps_best_of_layer) = (hook.keeps_labels(), hook.keeps_best_of_layer());
        SweepClaim { claim, keeps_labels, keeps_best_of_layer }
    }

    pub(crate) fn is_constraint(&self) -> bool {
        self.claim.constraint.is_some()
    }

    /// Returns whether the claim refers to the solutions of the whole problem and not to those of
    /// each layer.
    fn concerns_the_whole(&self) -> bool {
        match self.claim.effect {
            Effect::Representatives => true,
            Effect::OptimumOnly => !self.keeps_best_of_layer,
            Effect::Preserving | Effect::Lossy => false,
        }
    }

    /// Returns whether the claims of two hooks hold together: the [rule](SweepHook#hooks-together).
    pub(crate) fn is_compatible_with(&self, other: &Self) -> bool {
        [(self, other), (other, self)].into_iter().all(|(one, other)| {
            let effect = other.claim.effect;
            if one.is_constraint() && effect != Effect::Lossy {
                return effect == Effect::Preserving && other.keeps_labels;
            }
            let removes = matches!(effect, Effect::Representatives | Effect::OptimumOnly);
            !one.concerns_the_whole() || (!removes && other.keeps_labels)
        })
    }
}

/// Hooks that are called in order: a tuple of up to twelve of them, or a vector of hooks of one
/// type, such as `Box<dyn SweepHook<P>>`.
///
/// The trait is sealed; implement [`SweepHook`] instead.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of hooks for this sweep",
    label = "neither a tuple nor a vector of sweep hooks",
    note = "plug in a single hook with `hook(hook)`, or a tuple of at most twelve: \
            `hooks((hook, other))`"
)]
pub trait SweepHooks<P: ContourProblem>: Sync + sealed::HookCalls<P> {}

pub(crate) mod sealed {
    use super::{Clock, ContourProblem, Stop, SweepClaim, SweepHook, Thinning};

    /// The methods of [`SweepHooks`](super::SweepHooks). They are not part of the public interface.
    pub trait HookCalls<P: ContourProblem> {
        /// Returns the hook of this index, if there is one.
        fn hook(&self, index: usize) -> Option<&dyn SweepHook<P>>;

        /// Calls the hooks on a state and returns the index of the one that drops it, if any.
        fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Option<usize>;

        /// Returns the claims of each hook.
        fn claims(&self) -> Vec<SweepClaim> {
            let hooks = (0..).map_while(|index| self.hook(index));
            hooks.map(SweepClaim::of).collect()
        }

        /// Calls each hook on the layer, given as its states and which of them are dropped, and
        /// adds to `cuts` how many each one dropped. Each hook may use the given number of bytes.
        fn thin(
            &self,
            problem: &P,
            cell: usize,
            (states, dropped): (&[P::State], &mut [bool]),
            covers: &mut dyn FnMut(usize, usize) -> bool,
            (clock, max_bytes): (&Clock, usize),
            cuts: &mut [u64],
        ) -> Result<(), Stop> {
            for (index, cuts) in cuts.iter_mut().enumerate() {
                let Some(hook) = self.hook(index) else { break };
                let limits = (Some(clock), max_bytes);
                let mut thinning = Thinning::limited(states, &mut *dropped, &mut *covers, limits);
                hook.thin(problem, cell, &mut thinning);
                // The hook may have returned early.
                thinning.check()?;
                *cuts += thinning.count();
            }
            Ok(())
        }

        /// Returns whether there are no hooks.
        fn is_empty(&self) -> bool {
            self.hook(0).is_none()
        }
    }
}

macro_rules! hooks_for_tuple {
    ($($hook:ident $index:tt),*) => {
        impl<P: ContourProblem, $($hook: SweepHook<P>),*> SweepHooks<P> for ($($hook,)*) {}

        #[allow(unused_variables, reason = "parameters of a tuple without hooks")]
        impl<P: ContourProblem, $($hook: SweepHook<P>),*> sealed::HookCalls<P> for ($($hook,)*) {
            fn hook(&self, index: usize) -> Option<&dyn SweepHook<P>> {
                match index {
                    $($index => Some(&self.$index),)*
                    _ => None,
                }
            }
            #[inline]
            fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Option<usize> {
                $(if self.$index.enter(problem, cell, state).prunes() {
                    return Some($index);
                })*
                None
            }
        }
    };
}

hooks_for_tuple!();
hooks_for_tuple!(A 0);
hooks_for_tuple!(A 0, B 1);
hooks_for_tuple!(A 0, B 1, C 2);
hooks_for_tuple!(A 0, B 1, C 2, D 3);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);

impl<P: ContourProblem, H: SweepHook<P>> SweepHooks<P> for Vec<H> {}

impl<P: ContourProblem, H: SweepHook<P>> sealed::HookCalls<P> for Vec<H> {
    fn hook(&self, index: usize) -> Option<&dyn SweepHook<P>> {
        self.get(index).map(|hook| hook as &dyn SweepHook<P>)
    }
    #[inline]
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Option<usize> {
        self.iter().position(|hook| hook.enter(problem, cell, state).prunes())
    }
}

/// An observer of a sweep: it sees each complete layer, without the states that hooks have dropped.
///
/// The sweep and its report are the same as without it. A sweep on a cluster is not observed,
/// because no process sees the whole layer.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use secateurs::plug::{ContourProblem, ObservedSweep, Sweep, SweepObserver};
/// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
///
/// /// The number of states of the widest layer.
/// #[derive(Default)]
/// struct Widest(AtomicUsize);
///
/// impl<P: ContourProblem> SweepObserver<P> for Widest {
///     fn layer(&self, _: &P, _: usize, states: &mut dyn Iterator<Item = P::State>) {
///         self.0.fetch_max(states.count(), Ordering::Relaxed);
///     }
/// }
///
/// let cycles = hamiltonian_cycles(&Grid::new(6, 6)?);
/// let widest = Widest::default();
/// let outcome = Sweep::new(&cycles).hooks(ObservedSweep::new(&widest, ())).count();
/// assert_eq!(outcome.exact(), Some(1072));
/// let nodes = outcome.report().levels().iter().map(|level| level.nodes as usize);
/// assert_eq!(Some(widest.0.into_inner()), nodes.max());
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
pub trait SweepObserver<P: ContourProblem>: Sync {
    /// Called with the states of the layer after this many cells, in an unspecified order.
    fn layer(&self, problem: &P, cells: usize, states: &mut dyn Iterator<Item = P::State>);
}

impl<P: ContourProblem, O: SweepObserver<P>> SweepObserver<P> for &O {
    fn layer(&self, problem: &P, cells: usize, states: &mut dyn Iterator<Item = P::State>) {
        (**self).layer(problem, cells, states);
    }
}

/// A set of hooks of a sweep whose layers are reported to a [`SweepObserver`].
#[derive(Clone, Debug)]
pub struct ObservedSweep<O, H> {
    observer: O,
    hooks: H,
}

impl<O, H> ObservedSweep<O, H> {
    /// Plugs the observer in around a tuple of hooks, `()` if there are none.
    pub fn new(observer: O, hooks: H) -> Self {
        ObservedSweep { observer, hooks }
    }
}

impl<P, O, H> SweepHooks<P> for ObservedSweep<O, H>
where
    P: ContourProblem,
    O: SweepObserver<P>,
    H: SweepHooks<P>,
{
}

impl<P, O, H> sealed::HookCalls<P> for ObservedSweep<O, H>
where
    P: ContourProblem,
    O: SweepObserver<P>,
    H: SweepHooks<P>,
{
    fn hook(&self, index: usize) -> Option<&dyn SweepHook<P>> {
        self.hooks.hook(index)
    }

    #[inline]
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Option<usize> {
        self.hooks.enter(problem, cell, state)
    }

    fn thin(
        &self,
        problem: &P,
        cell: usize,
        (states, dropped): (&[P::State], &mut [bool]),
        covers: &mut dyn FnMut(usize, usize) -> bool,
        limits: (&Clock, usize),
        cuts: &mut [u64],
    ) -> Result<(), Stop> {
        self.hooks.thin(problem, cell, (states, &mut *dropped), covers, limits, cuts)?;
        let remaining = states.iter().zip(dropped).filter(|(_, dropped)| !**dropped);
        self.observer.layer(problem, cell + 1, &mut remaining.map(|(&state, _)| state));
        Ok(())
    }

    /// Returns false, because the observer must see every layer even without hooks.
    fn is_empty(&self) -> bool {
        false
    }
}
