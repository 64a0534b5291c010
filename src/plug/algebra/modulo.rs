//! Counting modulo numbers of one machine word: [`Modulo`].

use std::borrow::Cow;

use super::definition::{Algebra, Overflow};
use super::primes::large_primes;
use crate::plug::contour_problem::ContourProblem;

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn addition_agrees_with_wide_integers(
            modulus in 1_u64..,
            a: u64,
            b: u64,
            c: u64,
            small in 1_u64..50,
        ) {
            let modulo = Modulo::new([modulus, small]).unwrap();
            let [a, b, c] = [a, b, c].map(|number| [number % modulus, number % small]);
            let wide = |index: usize| {
                let sum = u128::from(a[index]) + u128::from(b[index]);
                sum % u128::from(modulo.moduli()[index])
            };
            prop_assert_eq!(modulo.add(a, b).map(u128::from), [wide(0), wide(1)]);
            prop_assert_eq!(modulo.add(a, b), modulo.add(b, a));
            prop_assert_eq!(modulo.add(modulo.add(a, b), c), modulo.add(a, modulo.add(b, c)));
        }
    }

    #[test]
    fn addition_works_with_the_largest_modulus() {
        let modulo = Modulo::new([u64::MAX]).unwrap();
        assert_eq!(modulo.add([u64::MAX - 1], [u64::MAX - 1]), [u64::MAX - 2]);
        assert_eq!(modulo.add([u64::MAX - 1], [1]), [0]);
    }

    #[test]
    fn skipped_primes_are_consecutive() {
        let ([first, second], [third]) =
            (Modulo::<2>::primes(0).moduli, Modulo::<1>::primes(2).moduli);
        assert_eq!(vec![first, second, third], large_primes().take(3).collect::<Vec<_>>());
    }
}
