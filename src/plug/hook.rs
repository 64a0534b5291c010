//! Prunings of a sweep: filters, canonicalisers and dominance, as hooks with an effect.

use super::contour_problem::ContourProblem;
use super::step::Clock;
use crate::digest::Digest;
use crate::hook::{Effect, OFF, Verdict};

/// A pruning that is plugged into a sweep.
///
/// Every method but [`name`](SweepHook::name) has a default; a hook that overrides nothing keeps
/// everything. A *filter* drops states as they arise, a *canonicaliser* replaces them by others
/// that behave alike, and *dominance* looks at a layer as a whole when it is complete. The engine
/// counts what each one drops, by layer, and how many states come together with one that is there
/// already.
///
/// Hooks are combined as tuples, asked from left to right, each getting what the one before it made
/// of the state. `Option<H>` and `&H` are hooks as well. They are asked by several threads at once,
/// and so have no memory of their own.
///
/// # Hooks together
///
/// [Preserving](Effect::Preserving) hooks can be combined with each other. So can hooks of
/// [`Effect::OptimumOnly`] that [keep the best of each layer](SweepHook::keeps_best_of_layer), with
/// each other and with preserving ones: by induction over the cells and over the order of the
/// hooks, a best solution of all leads through each layer, as none of them takes the last one away
/// from what it finds.
///
/// Any other claim of [`Effect::OptimumOnly`], and one of [`Effect::Representatives`], is about all
/// solutions of the profile: it holds alone, and beside preserving hooks that [keep
/// labels](SweepHook::keeps_labels). Another hook that takes solutions away, or replaces a state by
/// one with other solutions, may take away just those that this one has left. The answer is then
/// [lossy](Effect::Lossy), and its report names both.
///
/// # If an implementation lies
///
/// A hook that claims an [effect](SweepHook::effect) that it does not have makes the answer wrong
/// without anybody noticing. So does [`thin`](SweepHook::thin) if it depends on the order of the
/// states, which differs with the number of threads, and [`thin_part`](SweepHook::thin_part) if it
/// keeps from other parts a state for which they would drop one of theirs: no audit looks at it. A
/// [`SweepAudit`](crate::lab::SweepAudit) puts the claims to the test.
pub trait SweepHook<P: ContourProblem>: Sync {
    /// What it is called in reports.
    fn name(&self) -> &str;

    /// What its cuts preserve. By default [`Effect::Preserving`]: it drops states only that lead to
    /// no solution, and replaces states only by ones with as many solutions.
    ///
    /// A hook of [`Effect::Representatives`] or [`Effect::OptimumOnly`] must treat states of one
    /// layer alike that lead to an end by the same words of labels: another hook may have replaced
    /// one by the other.
    fn effect(&self) -> Effect {
        Effect::Preserving
    }

    /// Returns a digest of all data that its cuts depend on, beside the problem: limits, weights,
    /// switches; see [`Hook::parameters`](crate::Hook::parameters).
    fn parameters(&self) -> Option<Digest> {
        Digest::of_unit(self)
    }

    /// Whether a state that [`enter`](SweepHook::enter) has replaced has solutions of the same
    /// labels. True by default. A canonicaliser that mirrors a state must say no: a count is right
    /// still, but the labels of a way are no solution, and operations that give labels, or weigh
    /// them, come out [lossy](Effect::Lossy).
    fn keeps_labels(&self) -> bool {
        true
    }

    /// Whether it leaves, of the best solutions through the states of each layer as it finds it, at
    /// least one, as [dominance](super::StateDominance) does. It is of use to hooks of
    /// [`Effect::OptimumOnly`], which can then be [combined](SweepHook#hooks-together). False by
    /// default.
    fn keeps_best_of_layer(&self) -> bool {
        false
    }

    /// Asked about each state that a step in `cell` leads to; it may replace the state.
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Verdict {
        let _ = (problem, cell, state);
        Verdict::Keep
    }

    /// Called once a layer is complete, with its states in any order, after the last step in
    /// `cell`. If it may take long, it should look now and then whether the sweep [is
    /// stopping](Thinning::is_stopping).
    fn thin(&self, problem: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
        let _ = (problem, cell);
        layer.pass();
    }

    /// Called before [`thin`](SweepHook::thin) where a layer is in parts, each with a worker of a
    /// cluster: once for each part, with its states alone. Then each worker calls `thin` with its
    /// own states and the *nominees* of all other parts, and drops of its own what is dropped then.
    ///
    /// So it has to see to it that the same states are left as if `thin` had seen the whole layer,
    /// and may drop what `thin` would drop in any case. By default all states that are not dropped
    /// are nominees, which is right for every hook, but takes the layer to each worker. A hook that
    /// compares states with the best one only nominates [no other](Thinning::nominate_only); one
    /// that keeps maximal states calls `thin` here, so that the maximal ones of the part are its
    /// nominees.
    fn thin_part(&self, problem: &P, cell: usize, part: &mut Thinning<'_, P::State>) {
        let _ = (problem, cell, part);
    }
}

impl<P: ContourProblem, H: SweepHook<P>> SweepHook<P> for &H {
    fn name(&self) -> &str {
        (**self).name()
    }
    fn effect(&self) -> Effect {
        (**self).effect()
    }
    fn parameters(&self) -> Option<Digest> {
        (**self).parameters()
    }
    fn keeps_labels(&self) -> bool {
        (**self).keeps_labels()
    }
    fn keeps_best_of_layer(&self) -> bool {
        (**self).keeps_best_of_layer()
    }
    #[inline]
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Verdict {
        (**self).enter(problem, cell, state)
    }
    fn thin(&self, problem: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
        (**self).thin(problem, cell, layer);
    }
    fn thin_part(&self, problem: &P, cell: usize, part: &mut Thinning<'_, P::State>) {
        (**self).thin_part(problem, cell, part);
    }
}

impl<P: ContourProblem, H: SweepHook<P>> SweepHook<P> for Option<H> {
    fn name(&self) -> &str {
        self.as_ref().map_or(OFF, |hook| hook.name())
    }
    fn effect(&self) -> Effect {
        self.as_ref().map_or(Effect::Preserving, |hook| hook.effect())
    }
    fn parameters(&self) -> Option<Digest> {
        self.as_ref().map_or(Some(Digest::NONE), |hook| hook.parameters())
    }
    fn keeps_labels(&self) -> bool {
        self.as_ref().is_none_or(|hook| hook.keeps_labels())
    }
    fn keeps_best_of_layer(&self) -> bool {
        self.as_ref().is_none_or(|hook| hook.keeps_best_of_layer())
    }
    #[inline]
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Verdict {
        self.as_ref().map_or(Verdict::Keep, |hook| hook.enter(problem, cell, state))
    }
    fn thin(&self, problem: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
        match self {
            Some(hook) => hook.thin(problem, cell, layer),
            None => layer.pass(),
        }
    }
    fn thin_part(&self, problem: &P, cell: usize, part: &mut Thinning<'_, P::State>) {
        if let Some(hook) = self {
            hook.thin_part(problem, cell, part);
        }
    }
}

/// The states of a complete layer, from which a hook drops some.
pub struct Thinning<'a, S> {
    states: &'a [S],
    dropped: &'a mut [bool],
    count: u64,
    covers: &'a mut dyn FnMut(usize, usize) -> bool,
    clock: &'a Clock,
    /// The only state that other parts need to know of, if there is one that is.
    #[cfg_attr(not(feature = "timely"), allow(dead_code, reason = "nobody has parts"))]
    nominee: Option<usize>,
    /// Whether nothing was looked at.
    #[cfg_attr(not(feature = "timely"), allow(dead_code, reason = "nobody has parts"))]
    passed: bool,
}

impl<'a, S> Thinning<'a, S> {
    pub(crate) fn new(
        states: &'a [S],
        dropped: &'a mut [bool],
        covers: &'a mut dyn FnMut(usize, usize) -> bool,
        clock: &'a Clock,
    ) -> Self {
        Thinning { states, dropped, count: 0, covers, clock, nominee: None, passed: false }
    }

    /// The hook drops nothing, whatever the states are: said by those that do not override
    /// [`SweepHook::thin`].
    pub(crate) fn pass(&mut self) {
        self.passed = true;
    }

    #[cfg(feature = "timely")]
    pub(crate) fn has_passed(&self) -> bool {
        self.passed
    }

    /// Whether the sweep is to stop, as it was [cancelled](crate::Cancel) or its time is over.
    ///
    /// A hook that looks at pairs of states may take long. It should ask every few thousand
    /// comparisons or so, and if the sweep is to stop, just return: what it has dropped by then
    /// does not matter, for the layer is not used. Costs some ten nanoseconds.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.clock.check().is_err()
    }

    /// The states, those dropped by now included.
    #[must_use]
    pub fn states(&self) -> &'a [S] {
        self.states
    }

    /// Whether the state at `index` has been dropped, by this hook or one before it.
    ///
    /// # Panics
    /// If there is no such state.
    #[must_use]
    pub fn is_dropped(&self, index: usize) -> bool {
        self.dropped[index]
    }

    /// Drops the state at `index`.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn drop(&mut self, index: usize) {
        if !self.dropped[index] {
            self.dropped[index] = true;
            self.count += 1;
        }
    }

    /// Drops the state at `worse`, unless what is [computed](super::Algebra::covers) along the way
    /// makes it better after all than that at `better`. Says whether it is gone. A state that is
    /// gone itself drops no other, nor does one drop itself: two that can do the same do not both
    /// go, each for the other.
    ///
    /// # Panics
    /// If there are no such states.
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

    /// In [`thin_part`](SweepHook::thin_part): of this part, other parts need to know the state at
    /// `index` only. If that is dropped, or is none, they are told of all that are left.
    pub fn nominate_only(&mut self, index: usize) {
        self.nominee = Some(index);
    }

    /// What other parts need to know of this one.
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

/// What a hook of a sweep says of itself.
#[derive(Clone, Debug)]
pub struct SweepClaim {
    pub(crate) name: String,
    pub(crate) effect: Effect,
    #[cfg_attr(
        not(feature = "serde"),
        allow(dead_code, reason = "compared by files and processes")
    )]
    pub(crate) parameters: Option<Digest>,
    pub(crate) keeps_labels: bool,
    pub(crate) keeps_best_of_layer: bool,
}

impl SweepClaim {
    /// Whether the hook claims that some solutions of the whole are left, and not of each layer.
    fn is_about_the_whole(&self) -> bool {
        match self.effect {
            Effect::Representatives => true,
            Effect::OptimumOnly => !self.keeps_best_of_layer,
            Effect::Preserving | Effect::Lossy => false,
        }
    }

    /// Whether the claims of both hold if both are plugged in: the
    /// [rule](SweepHook#hooks-together).
    pub(crate) fn holds_beside(&self, other: &Self) -> bool {
        [(self, other), (other, self)].into_iter().all(|(one, other)| {
            let takes_away = matches!(other.effect, Effect::Representatives | Effect::OptimumOnly);
            !one.is_about_the_whole() || (!takes_away && other.keeps_labels)
        })
    }
}

/// A set of hooks that are asked in order: a tuple of up to eight of them.
///
/// This trait is implemented by this crate only; implement [`SweepHook`] instead.
pub trait SweepHooks<P: ContourProblem>: Sync + sealed::Sealed {
    /// What each says of itself.
    #[doc(hidden)]
    fn claims(&self) -> Vec<SweepClaim>;

    /// The index of the hook that drops the state, if any.
    #[doc(hidden)]
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Option<usize>;

    /// Lets each hook look at the layer, its states and which of them are dropped, and adds what it
    /// dropped to its place in `cuts`.
    #[doc(hidden)]
    fn thin(
        &self,
        problem: &P,
        cell: usize,
        layer: (&[P::State], &mut [bool]),
        covers: &mut dyn FnMut(usize, usize) -> bool,
        clock: &Clock,
        cuts: &mut [u64],
    );

    /// Lets the hook of this index look at a part of a layer by itself, or else at all that is to
    /// be compared with it.
    #[doc(hidden)]
    fn thin_by(
        &self,
        index: usize,
        problem: &P,
        cell: usize,
        is_part: bool,
        states: &mut Thinning<'_, P::State>,
    );

    /// Whether there are no hooks, so that nothing need be asked.
    #[doc(hidden)]
    fn is_empty(&self) -> bool;
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

macro_rules! hooks_for_tuple {
    ($($hook:ident $index:tt),*) => {
        impl<$($hook),*> sealed::Sealed for ($($hook,)*) {}

        #[allow(unused_variables)]
        impl<P: ContourProblem, $($hook: SweepHook<P>),*> SweepHooks<P> for ($($hook,)*) {
            fn claims(&self) -> Vec<SweepClaim> {
                vec![$(SweepClaim {
                    name: self.$index.name().to_owned(),
                    effect: self.$index.effect(),
                    parameters: self.$index.parameters(),
                    keeps_labels: self.$index.keeps_labels(),
                    keeps_best_of_layer: self.$index.keeps_best_of_layer(),
                }),*]
            }
            #[inline]
            fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Option<usize> {
                $(if self.$index.enter(problem, cell, state) == Verdict::Prune {
                    return Some($index);
                })*
                None
            }
            fn thin(
                &self,
                problem: &P,
                cell: usize,
                (states, dropped): (&[P::State], &mut [bool]),
                covers: &mut dyn FnMut(usize, usize) -> bool,
                clock: &Clock,
                cuts: &mut [u64],
            ) {
                $(
                    let mut thinning = Thinning::new(states, &mut *dropped, &mut *covers, clock);
                    self.$index.thin(problem, cell, &mut thinning);
                    cuts[$index] += thinning.count();
                )*
            }
            fn thin_by(&self, index: usize, problem: &P, cell: usize, is_part: bool, states: &mut Thinning<'_, P::State>) {
                match index {
                    $($index if is_part => self.$index.thin_part(problem, cell, states),
                    $index => self.$index.thin(problem, cell, states),)*
                    _ => states.pass(),
                }
            }
            #[allow(unreachable_code)]
            fn is_empty(&self) -> bool {
                $(
                    let _ = $index;
                    return false;
                )*
                true
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
