//! Counting and existence: [`Counting`] in any [`Counter`], and [`Feasible`].

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use super::definition::{Algebra, Overflow};
use crate::hook::Effect;
use crate::plug::contour_problem::ContourProblem;

/// A number type for counting: `u32`, `u64`, `u128`, [`Limbs`](super::Limbs) and, with the feature
/// `bigint`, [`Natural`](crate::plug::algebra::Natural).
///
/// Addition must be that of natural numbers as long as the sum fits.
pub trait Counter: Clone + Send + Sync {
    /// Returns the number 1.
    fn one() -> Self;

    /// Adds `other`, and returns whether the sum does not fit. In that case the contents of `self`
    /// are irrelevant.
    #[must_use = "a sum that does not fit is wrong"]
    fn add(&mut self, other: &Self) -> bool;

    /// Returns the bytes of heap that the number owns, like [`Algebra::heap_bytes`]. The default is
    /// 0.
    #[inline]
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Returns the name of the type, which distinguishes it from other types in files. The default
    /// is `numbers`.
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

/// The number of paths, in numbers of the type `C`: exact, or an [`Overflow`].
///
/// As an algebra this is the semiring (ℕ, +, ×), cut off at the maximum of `C`. Every transition
/// has the value 1, so that [`extend`](Algebra::extend) changes nothing, and merging adds. An
/// addition takes a few instructions and no branch.
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
/// let too_many = Sweep::new(&Row(100)).run(&Counting::<u64>::new());
/// assert_eq!((too_many.total(), too_many.stop()), (None, Stop::CountOverflow));
/// ```
pub struct Counting<C>(PhantomData<fn() -> C>);

impl<C: Counter> Counting<C> {
    /// Creates an algebra that counts in numbers of the type `C`.
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

/// The existence of a path. Every state in a layer can be reached, so that values need no memory.
///
/// As an algebra this is the Boolean semiring, with "or" for merging and "and" for extending. The
/// value "false" does not occur, because unreachable states are not stored. Dominance may drop
/// every dominated state.
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
