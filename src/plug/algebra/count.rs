//! Counting, in numbers that say when they are too small.

use std::fmt;
use std::marker::PhantomData;

use super::{Algebra, Overflow};
use crate::plug::profile::Profile;

/// A number that ways are counted in: `u64`, `u128`, [`Limbs`](super::Limbs) and, with the feature `bigint`,
/// [`Natural`](crate::plug::algebra::Natural).
///
/// Addition must be that of numbers, as long as it fits.
pub trait Counter: Clone + Send + Sync {
    /// The number 1.
    fn one() -> Self;

    /// Adds `other`, and says whether the sum does not fit. What `self` is then does not matter.
    #[must_use = "a sum that does not fit is wrong"]
    fn add(&mut self, other: &Self) -> bool;
}

macro_rules! counter {
    ($($number:ty),*) => {
        $(impl Counter for $number {
            #[inline]
            fn one() -> Self {
                1
            }
            #[inline]
            fn add(&mut self, other: &Self) -> bool {
                let overflow;
                (*self, overflow) = self.overflowing_add(*other);
                overflow
            }
        })*
    };
}

counter!(u32, u64, u128);

/// The number of ways, in numbers of the type `C`: exact, or an [`Overflow`].
///
/// As an algebra this is the semiring (ℕ, +, ×), cut off where `C` ends: every step is worth 1, and so
/// [`extend`](Algebra::extend) changes nothing, and merging adds. An addition costs a few instructions and no branch.
///
/// ```
/// use secateurs::plug::algebra::{Algebra, Counting, Overflow};
/// # use secateurs::plug::Profile;
/// # struct Any;
/// # impl Profile for Any {
/// #     type State = ();
/// #     type Label = ();
/// #     fn cells(&self) -> usize { 0 }
/// #     fn start(&self) {}
/// #     fn step(&self, _: usize, (): (), _: &mut impl FnMut((), ())) {}
/// #     fn accept(&self, (): ()) -> bool { true }
/// # }
///
/// fn double(counting: &impl Algebra<Any, Value = u64>, ways: u64) -> Result<u64, Overflow> {
///     let mut sum = ways;
///     counting.merge(&mut sum, ways)?;
///     Ok(sum)
/// }
/// assert_eq!(double(&Counting::<u64>::new(), 21), Ok(42));
/// assert_eq!(double(&Counting::<u64>::new(), 1 << 63), Err(Overflow)); // and not 0
/// ```
pub struct Counting<C>(PhantomData<fn() -> C>);

impl<C: Counter> Counting<C> {
    /// Counts in numbers of the type `C`.
    #[must_use]
    pub const fn new() -> Self {
        Counting(PhantomData)
    }
}

impl<C: Counter> Default for Counting<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C> Clone for Counting<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Counting<C> {}

impl<C> fmt::Debug for Counting<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Counting<{}>", std::any::type_name::<C>())
    }
}

impl<P: Profile, C: Counter> Algebra<P> for Counting<C> {
    type Value = C;

    #[inline]
    fn one(&self) -> C {
        C::one()
    }
    #[inline]
    fn extend(&self, value: &C, _: usize, _: P::Label) -> Result<C, Overflow> {
        Ok(value.clone())
    }
    #[inline]
    fn merge(&self, into: &mut C, value: C) -> Result<(), Overflow> {
        Overflow::check(into.add(&value))
    }
    #[inline]
    fn absorb(&self, into: &mut C, value: &C, _: usize, _: P::Label) -> Result<(), Overflow> {
        Overflow::check(into.add(value))
    }
}
