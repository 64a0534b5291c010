//! Counting, in numbers that say when they are too small.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use super::definition::{Algebra, Overflow};
use crate::hook::Effect;
use crate::plug::contour_problem::ContourProblem;

/// A number that ways are counted in: `u64`, `u128`, [`Limbs`](super::Limbs) and, with the feature
/// `bigint`, [`Natural`](crate::plug::algebra::Natural).
///
/// Addition must be that of numbers, as long as it fits.
pub trait Counter: Clone + Send + Sync {
    /// The number 1.
    fn one() -> Self;

    /// Adds `other`, and says whether the sum does not fit. What `self` is then does not matter.
    #[must_use = "a sum that does not fit is wrong"]
    fn add(&mut self, other: &Self) -> bool;

    /// The bytes of heap that the number owns, as [`Algebra::heap_bytes`]. None by default.
    #[inline]
    fn heap_bytes(&self) -> usize {
        0
    }

    /// What such a number is called, by which those of one type are told from those of another in
    /// files. By default, numbers.
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("numbers")
    }
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
            fn name() -> Cow<'static, str> {
                stringify!($number).into()
            }
        })*
    };
}

counter!(u32, u64, u128);

/// The number of ways, in numbers of the type `C`: exact, or an [`Overflow`].
///
/// As an algebra this is the semiring (ℕ, +, ×), cut off where `C` ends: every step is worth 1, and
/// so [`extend`](Algebra::extend) changes nothing, and merging adds. An addition costs a few
/// instructions and no branch.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::Stop;
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::Counting;
///
/// // Sets of squares of a row of which no two are neighbours: Fibonacci numbers.
/// let outcome = Sweep::new(&Row(90)).run(&Counting::<u64>::new());
/// assert_eq!(outcome.total(), Some(&7_540_113_804_746_346_429));
///
/// let too_many = Sweep::new(&Row(100)).run(&Counting::<u64>::new()); assert_eq!((too_many.total(),
/// too_many.stop()), (None, Stop::CountOverflow)); // and no wrong number
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

impl<P: ContourProblem, C: Counter> Algebra<P> for Counting<C> {
    type Value = C;

    fn name(&self) -> Cow<'static, str> {
        format!("count in {}", C::name()).into()
    }
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
    #[inline]
    fn heap_bytes(&self, value: &C) -> usize {
        value.heap_bytes()
    }
    fn reads_labels(&self) -> bool {
        false
    }
}

/// Whether a state can be reached: that it is in the layer says it all, so that values take no
/// memory.
///
/// As an algebra this is that of truth values, with "or" for merging and "and" for extending, less
/// "false", for which there is no state. Dominance may drop whatever it says is dominated.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::Feasible;
///
/// let outcome = Sweep::new(&Row(1000)).run(&Feasible);
/// assert!(outcome.total().is_some() && !outcome.is_proven_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Feasible;

impl<P: ContourProblem> Algebra<P> for Feasible {
    type Value = ();

    fn name(&self) -> Cow<'static, str> {
        "existence".into()
    }
    #[inline]
    fn one(&self) {}
    #[inline]
    fn extend(&self, (): &(), _: usize, _: P::Label) -> Result<(), Overflow> {
        Ok(())
    }
    #[inline]
    fn merge(&self, (): &mut (), (): ()) -> Result<(), Overflow> {
        Ok(())
    }
    fn reads_labels(&self) -> bool {
        false
    }
    fn tolerates(&self) -> Effect {
        Effect::OptimumOnly
    }
    #[inline]
    fn covers(&self, (): &(), (): &()) -> bool {
        true
    }
}
