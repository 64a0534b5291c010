//! Two algebras in one sweep, as a pair.

use std::borrow::Cow;

use super::definition::{Algebra, Overflow};
use crate::hook::Effect;
use crate::plug::contour_problem::ContourProblem;

/// Computes both values at once: the direct product. It overflows if one of them does, tolerates
/// only what both tolerate, and lets a state be dropped only if both do. Three algebras are a pair
/// with a pair in it.
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
