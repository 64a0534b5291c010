//! The [`Algebra`] trait and the [`Overflow`] error.

use std::borrow::Cow;
use std::fmt;

use crate::hook::Effect;
use crate::plug::contour_problem::ContourProblem;

/// What is computed for each state from all ways that lead to it.
///
/// # Laws
///
/// `merge` is associative and commutative, and `extend` distributes over it. An algebra that breaks
/// these laws gives answers that depend on the order in which states are met, and hence on the
/// number of threads.
///
/// Values are summed from the start forward by [`Sweep::run`](crate::plug::Sweep::run), and from the end
/// backward where all layers are kept; `extend` must not care: the worth of a way is the same from
/// both ends.
pub trait Algebra<P: ContourProblem>: Sync {
    /// What a state is worth.
    type Value: Clone + Send + Sync;

    /// What is computed, and in values of what kind: by this, a sweep that was saved is known to be
    /// resumed with the same question. Weights need not be part of it: they belong to the
    /// fingerprint. By default, it does not say.
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed("something")
    }

    /// The worth of the way that has not taken a step.
    fn one(&self) -> Self::Value;

    /// What `value` becomes by the step that did `label` in `cell`.
    ///
    /// # Errors
    /// [`Overflow`] if that does not fit.
    fn extend(
        &self,
        value: &Self::Value,
        cell: usize,
        label: P::Label,
    ) -> Result<Self::Value, Overflow>;

    /// Adds to the worth of a state that of other ways to it.
    ///
    /// # Errors
    /// [`Overflow`] if that does not fit. What `into` is then does not matter: the sweep ends.
    fn merge(&self, into: &mut Self::Value, value: Self::Value) -> Result<(), Overflow>;

    /// [`extend`](Algebra::extend), then [`merge`](Algebra::merge), for algebras that can do both
    /// at once.
    ///
    /// # Errors
    /// As both.
    #[inline]
    fn absorb(
        &self,
        into: &mut Self::Value,
        value: &Self::Value,
        cell: usize,
        label: P::Label,
    ) -> Result<(), Overflow> {
        let value = self.extend(value, cell, label)?;
        self.merge(into, value)
    }

    /// What ways that end in `state`, which is accepted, are worth in the end.
    ///
    /// # Errors
    /// [`Overflow`] if that does not fit.
    #[inline]
    fn finish(&self, value: Self::Value, state: P::State) -> Result<Self::Value, Overflow> {
        let _ = state;
        Ok(value)
    }

    /// The bytes of heap that `value` owns, beside its own size:
    /// [`block_bytes`](crate::block_bytes) of each allocation, by its capacity. None by default,
    /// which is right of all values that own no heap.
    ///
    /// A [limit of memory](crate::Limits::memory) counts these bytes; the engine asks before and
    /// after each merge, and only if `Value` needs to be dropped. If an implementation says less
    /// than there is, a sweep takes up more memory than its limit, by just what is missing here,
    /// and may abort where there is no memory left. If it says more, the sweep stops early. Neither
    /// makes an answer wrong.
    #[inline]
    fn heap_bytes(&self, value: &Self::Value) -> usize {
        let _ = value;
        0
    }

    /// The strongest effect of hooks under which the total is still what it is meant to be:
    /// [`Effect::Preserving`] for counts, which is the default; [`Effect::OptimumOnly`] for an
    /// optimum.
    fn tolerates(&self) -> Effect {
        Effect::Preserving
    }

    /// Whether what ways are worth depends on their labels, as weights do. If so, a hook that does
    /// not [keep labels](crate::plug::SweepHook::keeps_labels) makes the answer [lossy](Effect::Lossy).
    /// True by default; counts say no.
    fn reads_labels(&self) -> bool {
        true
    }

    /// Whether a state worth `worse` may be dropped for one worth `better` of which the profile's
    /// dominance says that it can do all that the other one can. Never, by default.
    #[inline]
    fn covers(&self, better: &Self::Value, worse: &Self::Value) -> bool {
        let _ = (better, worse);
        false
    }
}

/// A value does not fit into its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Overflow;

impl Overflow {
    /// An error if `overflow`: for what the `overflowing_` operations of numbers say.
    ///
    /// # Errors
    /// Just that.
    #[inline]
    pub fn check(overflow: bool) -> Result<(), Overflow> {
        if overflow { Err(Overflow) } else { Ok(()) }
    }
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value does not fit into its type")
    }
}

impl std::error::Error for Overflow {}
