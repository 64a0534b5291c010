//! The [`Algebra`] trait, pairs of algebras, and the [`Overflow`] error.

use std::any::type_name;
use std::borrow::Cow;
use std::fmt;

use crate::digest::Digest;
use crate::hook::Effect;
use crate::plug::contour_problem::ContourProblem;

/// The maximum number of words of heap of one value: half a gigabyte. Without a memory limit, a
/// value that would be larger is an [`Overflow`], so that the system does not end the process.
pub(super) const MAX_WORDS: usize = 1 << 26;

/// A value that is computed for each state from all paths that lead to it.
///
/// # Laws
///
/// `merge` is associative and commutative, and `extend` distributes over it. Under an algebra that
/// breaks these laws, answers depend on the order in which states are met, and so on the number of
/// threads.
///
/// [`Sweep::run`](crate::plug::Sweep::run) computes values from the start forward; operations that
/// retain all layers compute them from the end backward. `extend` must not depend on the direction:
/// the value of a path is the same from both ends.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an algebra for sweeps of `{P}`",
    note = "ready-made algebras are in `plug::algebra`: `Counting::<u128>::new()`, `Feasible`, \
            `Best::maximise(weight)`"
)]
pub trait Algebra<P: ContourProblem>: Sync {
    /// The value of a state.
    type Value: Clone + Send + Sync;

    /// Returns a name of the question and of the type of its values. The default is the name of
    /// the type.
    ///
    /// The name and the [parameters](Algebra::parameters) together identify the question: a
    /// resumed sweep must have those of the saved one, and all processes of a cluster must have
    /// the same.
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(type_name::<Self>())
    }

    /// Returns a digest of all data that the values depend on, beside the problem and what is part
    /// of the [name](Algebra::name): weights, moduli, limits.
    ///
    /// Saved sweeps and the processes of a cluster compare it to detect another question: a sweep
    /// under an algebra that returns `None` can be neither saved nor run by several processes.
    /// Default: [the digest of its type](Digest::of_zero_sized) for a type without data, `None`
    /// for others.
    ///
    /// A parameter that is missing from the digest is not compared: a sweep that is resumed with
    /// another value of it gives a wrong answer.
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self)
    }

    /// Returns the value of the empty path.
    fn one(&self) -> Self::Value;

    /// Returns the value of a path that is extended by a transition with this label in `cell`.
    ///
    /// # Errors
    /// Returns [`Overflow`] if the value does not fit.
    fn extend(
        &self,
        value: &Self::Value,
        cell: usize,
        label: P::Label,
    ) -> Result<Self::Value, Overflow>;

    /// Merges the value of further paths to a state into its value.
    ///
    /// # Errors
    /// Returns [`Overflow`] if the value does not fit. The contents of `into` are then irrelevant,
    /// because the sweep ends.
    fn merge(&self, into: &mut Self::Value, value: Self::Value) -> Result<(), Overflow>;

    /// [Extends](Algebra::extend) a value and [merges](Algebra::merge) the result into another, for
    /// algebras that can do both at once.
    ///
    /// # Errors
    /// Returns the errors of both.
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

    /// Returns whether a value is a *zero*: the value of paths that do not count, because each is
    /// beyond a limit or has the weight 0. False by default.
    ///
    /// `merge` adds a zero without effect, and `extend` leaves it a zero. There is no total if it
    /// would be a zero, as if there were no solution.
    #[inline]
    fn is_zero(&self, value: &Self::Value) -> bool {
        let _ = value;
        false
    }

    /// Drops from the value of paths to `state`, which arises in `cell`, what cannot contribute to
    /// the total any more, and returns whether anything remains. Otherwise the value is rejected:
    /// the state is not stored for these paths. By default [zeros](Algebra::is_zero) are rejected,
    /// at no cost if there are none.
    ///
    /// This is for algebras with a limit, such as a budget: [`extend`](Algebra::extend) turns a
    /// value beyond the limit into a zero; `restrict` rejects zeros, and also values of paths that
    /// no completion of `state` keeps within the limit. The engine calls it on the first value of a
    /// state, before that is stored. It does not call it on values that are merged into a stored
    /// one, on the value of the start, nor in [backward passes](crate::plug::retained), because
    /// what it drops must not matter to the total.
    ///
    /// # If an implementation lies
    ///
    /// If it drops what would have contributed, a total is too small and depends on the order in
    /// which states are met. In particular a value that is beyond the limit must remain so however
    /// its paths continue. The engine cannot detect this; the total from [retained
    /// layers](crate::plug::RetainedLayers::run), which are not restricted, then differs.
    #[inline]
    fn restrict(&self, value: &mut Self::Value, cell: usize, state: P::State) -> bool {
        let _ = (cell, state);
        !self.is_zero(value)
    }

    /// Returns the final value of paths that end in `state`, which is accepted.
    ///
    /// # Errors
    /// Returns [`Overflow`] if the value does not fit.
    #[inline]
    fn finish(&self, value: Self::Value, state: P::State) -> Result<Self::Value, Overflow> {
        let _ = state;
        Ok(value)
    }

    /// Returns the bytes of heap that `value` owns besides its own size:
    /// [`block_bytes`](crate::block_bytes) of each allocation, by its capacity. The default is 0,
    /// which is right for all values that own no heap.
    ///
    /// A [memory limit](crate::Limits::memory) includes these bytes. The engine calls the method
    /// before and after each merge, but only if `Value` needs to be dropped. If an implementation
    /// returns too little, a sweep exceeds its memory limit by exactly the difference, and may
    /// abort if memory runs out. If it returns too much, the sweep stops early. Neither makes an
    /// answer wrong.
    ///
    /// # Memory is counted before it is taken
    ///
    /// A value may grow when it is extended or merged. The engine therefore asks for an upper bound
    /// of the heap that an operation is going to allocate, by
    /// [`heap_to_extend`](Algebra::heap_to_extend), [`heap_to_merge`](Algebra::heap_to_merge) and
    /// [`heap_to_absorb`](Algebra::heap_to_absorb), and calls the operation only if the limit
    /// leaves that much. Hence whatever the values are, the heap that they own is within the limit
    /// at all times, provided that these bounds hold. Their defaults hold for values that `extend`
    /// and `finish` do not enlarge, and whose merged value is at most as large as both together.
    ///
    /// Without a memory limit, only an [`Overflow`] can keep a value from growing until the system
    /// ends the process. An algebra whose values may grow without bound should therefore have a
    /// maximum size and allocate by `try_reserve`; where it is going to return an `Overflow`, the
    /// bounds are 0, because nothing is allocated.
    #[inline]
    fn heap_bytes(&self, value: &Self::Value) -> usize {
        let _ = value;
        0
    }

    /// Returns an upper bound of the bytes of heap that [`extend`](Algebra::extend) allocates with
    /// these arguments, by [`block_bytes`](crate::block_bytes). The default is the
    /// [heap](Algebra::heap_bytes) of `value`.
    #[inline]
    fn heap_to_extend(&self, value: &Self::Value, cell: usize, label: P::Label) -> usize {
        let _ = (cell, label);
        self.heap_bytes(value)
    }

    /// Returns an upper bound of the bytes of heap that [`merge`](Algebra::merge) allocates with
    /// these arguments while both exist. The default is the [heap](Algebra::heap_bytes) of both.
    #[inline]
    fn heap_to_merge(&self, into: &Self::Value, value: &Self::Value) -> usize {
        self.heap_bytes(into).saturating_add(self.heap_bytes(value))
    }

    /// Returns an upper bound of the bytes of heap that [`absorb`](Algebra::absorb) allocates with
    /// these arguments. The default is the sum of [`heap_to_extend`](Algebra::heap_to_extend) and
    /// [`heap_to_merge`](Algebra::heap_to_merge). An algebra whose extended values are larger, or
    /// take more room in a merged one, returns more.
    #[inline]
    fn heap_to_absorb(
        &self,
        into: &Self::Value,
        value: &Self::Value,
        cell: usize,
        label: P::Label,
    ) -> usize {
        self.heap_to_extend(value, cell, label).saturating_add(self.heap_to_merge(into, value))
    }

    /// Returns the weakest effect of hooks under which the total keeps its meaning:
    /// [`Effect::Preserving`] for counts, which is the default; [`Effect::OptimumOnly`] for an
    /// optimum.
    fn tolerates(&self) -> Effect {
        Effect::Preserving
    }

    /// Returns whether values depend on labels, as weights do. True by default; false for counts.
    ///
    /// If so, a hook that does not [keep labels](crate::plug::SweepHook::keeps_labels) makes the
    /// answer [lossy](Effect::Lossy).
    fn reads_labels(&self) -> bool {
        true
    }

    /// Returns whether a state of the value `worse` may be dropped in favour of one of the value
    /// `better` that dominates it. False by default.
    #[inline]
    fn covers(&self, better: &Self::Value, worse: &Self::Value) -> bool {
        let _ = (better, worse);
        false
    }
}

/// Computes the values of two algebras at once: their direct product. It overflows if either
/// algebra does. It tolerates only an effect that both tolerate, and lets dominance drop a state
/// only if both do. It [rejects](Algebra::restrict) a value only if both do, and a value is a
/// [zero](Algebra::is_zero) only if both parts are. Pairs can be nested, for three or more
/// algebras.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::{Best, Counting};
///
/// let taken = |_: usize, taken: bool| i64::from(taken);
/// let outcome = Sweep::new(&Row(10)).run(&(Counting::<u64>::new(), Best::maximise(taken)));
/// assert_eq!(outcome.total(), Some(&(144, 5)));
/// ```
impl<P: ContourProblem, A: Algebra<P>, B: Algebra<P>> Algebra<P> for (A, B) {
    type Value = (A::Value, B::Value);

    fn name(&self) -> Cow<'static, str> {
        format!("({}, {})", self.0.name(), self.1.name()).into()
    }
    fn parameters(&self) -> Option<Digest> {
        match [self.0.parameters(), self.1.parameters()] {
            [Some(Digest::NONE), Some(Digest::NONE)] => Some(Digest::NONE),
            both => Digest::all(both),
        }
    }
    fn one(&self) -> Self::Value {
        (self.0.one(), self.1.one())
    }
    #[inline]
    fn extend(
        &self,
        value: &Self::Value,
        cell: usize,
        label: P::Label,
    ) -> Result<Self::Value, Overflow> {
        Ok((self.0.extend(&value.0, cell, label)?, self.1.extend(&value.1, cell, label)?))
    }
    #[inline]
    fn merge(&self, into: &mut Self::Value, value: Self::Value) -> Result<(), Overflow> {
        self.0.merge(&mut into.0, value.0).and(self.1.merge(&mut into.1, value.1))
    }
    #[inline]
    fn absorb(
        &self,
        into: &mut Self::Value,
        value: &Self::Value,
        cell: usize,
        label: P::Label,
    ) -> Result<(), Overflow> {
        let first = self.0.absorb(&mut into.0, &value.0, cell, label);
        first.and(self.1.absorb(&mut into.1, &value.1, cell, label))
    }
    #[inline]
    fn heap_bytes(&self, value: &Self::Value) -> usize {
        self.0.heap_bytes(&value.0).saturating_add(self.1.heap_bytes(&value.1))
    }
    #[inline]
    fn heap_to_extend(&self, value: &Self::Value, cell: usize, label: P::Label) -> usize {
        let first = self.0.heap_to_extend(&value.0, cell, label);
        first.saturating_add(self.1.heap_to_extend(&value.1, cell, label))
    }
    #[inline]
    fn heap_to_merge(&self, into: &Self::Value, value: &Self::Value) -> usize {
        let first = self.0.heap_to_merge(&into.0, &value.0);
        first.saturating_add(self.1.heap_to_merge(&into.1, &value.1))
    }
    #[inline]
    fn heap_to_absorb(
        &self,
        into: &Self::Value,
        value: &Self::Value,
        cell: usize,
        label: P::Label,
    ) -> usize {
        let first = self.0.heap_to_absorb(&into.0, &value.0, cell, label);
        first.saturating_add(self.1.heap_to_absorb(&into.1, &value.1, cell, label))
    }
    #[inline]
    fn is_zero(&self, value: &Self::Value) -> bool {
        self.0.is_zero(&value.0) && self.1.is_zero(&value.1)
    }
    #[inline]
    fn restrict(&self, value: &mut Self::Value, cell: usize, state: P::State) -> bool {
        self.0.restrict(&mut value.0, cell, state) | self.1.restrict(&mut value.1, cell, state)
    }
    fn finish(&self, value: Self::Value, state: P::State) -> Result<Self::Value, Overflow> {
        Ok((self.0.finish(value.0, state)?, self.1.finish(value.1, state)?))
    }
    fn tolerates(&self) -> Effect {
        self.0.tolerates().min(self.1.tolerates())
    }
    fn reads_labels(&self) -> bool {
        self.0.reads_labels() || self.1.reads_labels()
    }
    fn covers(&self, better: &Self::Value, worse: &Self::Value) -> bool {
        self.0.covers(&better.0, &worse.0) && self.1.covers(&better.1, &worse.1)
    }
}

/// The error of a value that does not fit into its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Overflow;

impl Overflow {
    /// Turns the flag that the `overflowing_` operations of numbers return into a result.
    ///
    /// # Errors
    /// Returns [`Overflow`] if `overflow` is true.
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
