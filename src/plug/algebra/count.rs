//! Counting and existence: [`Counting`] in any [`Counter`], [`Feasible`], and [`Modulo`] with prime
//! moduli.

use std::borrow::Cow;
use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;

use super::definition::{Algebra, Overflow};
use crate::digest::Digest;
use crate::hook::Effect;
use crate::plug::contour_problem::ContourProblem;

/// A number type for counting: `u32`, `u64`, `u128`, [`Limbs`](super::Limbs) and, with the feature
/// `bigint`, [`Natural`](crate::plug::algebra::Natural).
///
/// Addition must be that of natural numbers as long as the sum fits, or saturate as in [`UpTo`].
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

/// A number up to `N`, which stands for all larger ones: a [`Counter`] that saturates and therefore
/// never overflows. A value takes one byte.
///
/// As an algebra, [`Counting`] in it is the semiring of the natural numbers in which `N` and all
/// larger numbers are the same.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::{Counting, UpTo};
///
/// let outcome = Sweep::new(&Row(1000)).run(&Counting::<UpTo<7>>::new());
/// assert_eq!(outcome.total().map(|number| number.get()), Some(7)); // or more
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UpTo<const N: u8>(u8);

impl<const N: u8> UpTo<N> {
    pub(crate) const ZERO: Self = UpTo(0);

    /// Returns the number, or `None` if it is too large.
    #[cfg(feature = "serde")]
    pub(crate) fn new(number: u64) -> Option<Self> {
        u8::try_from(number).ok().filter(|&number| number <= N).map(UpTo)
    }

    /// Returns the number; `N` means `N` or more.
    #[inline]
    #[must_use]
    pub fn get(self) -> u8 {
        self.0.min(N)
    }
}

impl<const N: u8> Counter for UpTo<N> {
    #[inline]
    fn one() -> Self {
        UpTo(1)
    }
    #[inline]
    fn add(&mut self, other: &Self) -> bool {
        self.0 = self.0.saturating_add(other.0).min(N);
        false
    }
    fn name() -> Cow<'static, str> {
        format!("numbers up to {N}").into()
    }
}

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

/// The number of paths modulo each of `N` numbers of 64 bits.
///
/// A value takes `N` words, however large the count, and there is no overflow.
/// [`Residues`](super::Residues) reconstructs the count from the remainders modulo enough primes,
/// of one sweep or of several. Long counts of the literature were computed in this way on small
/// machines (Jensen and Guttmann, 1999).
///
/// As an algebra this is the ring ℤ/m, or the product of `N` such rings. An addition has no branch
/// and no division.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::{Modulo, ZeroModulus};
///
/// let outcome = Sweep::new(&Row(10)).run(&Modulo::new([7, 100])?);
/// assert_eq!(outcome.total(), Some(&[144 % 7, 44]));
/// assert_eq!(Modulo::new([0]), Err(ZeroModulus));
/// # Ok::<(), ZeroModulus>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modulo<const N: usize> {
    moduli: [u64; N],
}

/// The error of a modulus that is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZeroModulus;

impl std::fmt::Display for ZeroModulus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("expected a modulus of at least 1, found 0")
    }
}

impl std::error::Error for ZeroModulus {}

impl<const N: usize> Modulo<N> {
    /// Creates an algebra that counts modulo each of these numbers, up to [`u64::MAX`]. Modulo 1
    /// all remainders are 0.
    ///
    /// # Errors
    /// Returns an error if one of them is 0.
    pub fn new(moduli: [u64; N]) -> Result<Self, ZeroModulus> {
        if moduli.contains(&0) { Err(ZeroModulus) } else { Ok(Modulo { moduli }) }
    }

    /// Creates an algebra that counts modulo `N` large primes: those below 2⁶³ in descending order,
    /// after the first `skip` of them. The remainders of sweeps that skip 0, N, 2N, … can be
    /// combined.
    #[must_use]
    pub fn primes(skip: usize) -> Self {
        let mut moduli = [1; N];
        moduli
            .iter_mut()
            .zip(large_primes().skip(skip))
            .for_each(|(modulus, prime)| *modulus = prime);
        Modulo { moduli }
    }

    /// Returns the moduli.
    #[must_use]
    pub fn moduli(&self) -> &[u64; N] {
        &self.moduli
    }

    /// Returns the sum of two numbers given by their remainders, each of which is less than its
    /// modulus.
    #[inline]
    #[must_use]
    pub fn add(&self, mut a: [u64; N], b: [u64; N]) -> [u64; N] {
        for ((a, b), &modulus) in a.iter_mut().zip(b).zip(&self.moduli) {
            // The sum may exceed 2⁶⁴, and is then at least the modulus as well.
            let (sum, carry) = a.overflowing_add(b);
            let (less, borrow) = sum.overflowing_sub(modulus);
            *a = if carry | !borrow { less } else { sum };
        }
        a
    }
}

impl<P: ContourProblem, const N: usize> Algebra<P> for Modulo<N> {
    type Value = [u64; N];

    fn name(&self) -> Cow<'static, str> {
        format!("count modulo {:?}", self.moduli).into()
    }
    /// The moduli are part of the name.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }
    #[inline]
    fn one(&self) -> [u64; N] {
        self.moduli.map(|modulus| 1 % modulus)
    }
    #[inline]
    fn extend(&self, value: &[u64; N], _: usize, _: P::Label) -> Result<[u64; N], Overflow> {
        Ok(*value)
    }
    #[inline]
    fn merge(&self, into: &mut [u64; N], value: [u64; N]) -> Result<(), Overflow> {
        *into = self.add(*into, value);
        Ok(())
    }
    #[inline]
    fn absorb(
        &self,
        into: &mut [u64; N],
        value: &[u64; N],
        _: usize,
        _: P::Label,
    ) -> Result<(), Overflow> {
        *into = self.add(*into, *value);
        Ok(())
    }
    fn reads_labels(&self) -> bool {
        false
    }
}

/// Returns the product modulo `modulus`, which is not 0.
pub(crate) fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

/// Returns the power modulo `modulus`, which is not 0.
pub(crate) fn power(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut product = 1 % modulus;
    while exponent > 0 {
        if exponent & 1 == 1 {
            product = multiply(product, base, modulus);
        }
        base = multiply(base, base, modulus);
        exponent >>= 1;
    }
    product
}

/// Bases that distinguish every composite number of 64 bits from a prime (Sorenson and Webster,
/// 2015: up to 3.18 × 10²³).
const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Returns whether `number` is prime, by Miller's test (1976; Rabin, 1980) with bases that make it
/// deterministic for 64 bits.
///
/// A call takes about a thousand multiplications.
///
/// ```
/// use secateurs::plug::algebra::is_prime;
///
/// assert!(is_prime(1_000_000_007));
/// assert!(!is_prime(3_825_123_056_546_413_051)); // a pseudoprime to the bases 2 to 23
/// ```
#[must_use]
pub fn is_prime(number: u64) -> bool {
    if let Some(&divisor) = BASES.iter().find(|&&base| number.is_multiple_of(base)) {
        return number == divisor;
    }
    if number < 2 {
        return false;
    }
    let halvings = (number - 1).trailing_zeros();
    let odd = (number - 1) >> halvings;
    BASES.iter().all(|&base| {
        let mut power = power(base, odd, number);
        if power == 1 || power == number - 1 {
            return true;
        }
        (1..halvings).any(|_| {
            power = multiply(power, power, number);
            power == number - 1
        })
    })
}

/// Returns the primes below 2⁶³ in descending order: moduli that use as much as possible of a
/// machine word while a sum of two remainders still fits.
///
/// ```
/// use secateurs::plug::algebra::large_primes;
///
/// let two: Vec<u64> = large_primes().take(2).collect();
/// assert_eq!(two, [9_223_372_036_854_775_783, 9_223_372_036_854_775_643]); // 2⁶³ - 25, 2⁶³ - 165
/// ```
pub fn large_primes() -> impl FusedIterator<Item = u64> + Clone {
    primes_below(1 << 63)
}

/// Returns the primes below `end` in descending order.
pub(crate) fn primes_below(end: u64) -> impl FusedIterator<Item = u64> + Clone {
    (1..end).rev().filter(|&number| is_prime(number))
}
