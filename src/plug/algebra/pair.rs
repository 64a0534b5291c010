//! Two algebras in one sweep: the pair `(A, B)`.

use super::{Algebra, Overflow};
use crate::hook::Effect;
use crate::plug::profile::Profile;

/// Both at once, each as if it were alone: the direct product. It overflows if one of them does, tolerates only what both
/// do, and lets a state be dropped for another only if both do. Three are a pair of a pair.
///
/// ```
/// use secateurs::plug::algebra::{Counting, Feasible, Modulo};
/// use secateurs::plug::{Algebra, Profile};
///
/// fn is_an_algebra<P: Profile>(_: impl Algebra<P, Value = (u64, ([u64; 1], ()))>) {}
/// # struct Any;
/// # impl Profile for Any {
/// #     type State = ();
/// #     type Label = ();
/// #     fn cells(&self) -> usize { 0 }
/// #     fn start(&self) {}
/// #     fn step(&self, _: usize, (): (), _: &mut impl FnMut((), ())) {}
/// #     fn accept(&self, (): ()) -> bool { true }
/// # }
/// is_an_algebra::<Any>((Counting::<u64>::new(), (Modulo::primes(0), Feasible)));
/// ```
impl<P: Profile, A: Algebra<P>, B: Algebra<P>> Algebra<P> for (A, B) {
    type Value = (A::Value, B::Value);

    fn one(&self) -> Self::Value {
        (self.0.one(), self.1.one())
    }
    #[inline]
    fn extend(&self, value: &Self::Value, cell: usize, label: P::Label) -> Result<Self::Value, Overflow> {
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
    fn finish(&self, value: Self::Value, state: P::State) -> Result<Self::Value, Overflow> {
        Ok((self.0.finish(value.0, state)?, self.1.finish(value.1, state)?))
    }
    fn tolerates(&self) -> Effect {
        self.0.tolerates().min(self.1.tolerates())
    }
    fn covers(&self, better: &Self::Value, worse: &Self::Value) -> bool {
        self.0.covers(&better.0, &worse.0) && self.1.covers(&better.1, &worse.1)
    }
}
