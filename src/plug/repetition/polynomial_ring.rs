//! Polynomials with coefficients modulo a number, the least linear recurrence of a sequence, and
//! the terms of one: [`Ring`].

use crate::limits::Stop;
use crate::plug::algebra::{multiply, power};
use crate::plug::step::Clock;

/// The integers modulo `modulus`, which is not 0. Polynomials are slices of remainders, the
/// constant first.
#[derive(Clone, Copy)]
pub(super) struct Ring<'c> {
    pub(super) modulus: u64,
    /// Checked during long computations.
    pub(super) clock: &'c Clock,
}

/// A quotient of two polynomials: the generating function of a sequence, of which a coefficient of
/// the power series is a term. The constant of the denominator is 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quotient {
    pub(super) numerator: Vec<u64>,
    pub(super) denominator: Vec<u64>,
}

impl Ring<'_> {
    #[inline]
    pub(super) fn add(self, a: u64, b: u64) -> u64 {
        let (sum, carry) = a.overflowing_add(b);
        if carry || sum >= self.modulus { sum.wrapping_sub(self.modulus) } else { sum }
    }

    fn subtract(self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { self.modulus - (b - a) }
    }

    fn multiply(self, a: u64, b: u64) -> u64 {
        multiply(a, b, self.modulus)
    }

    /// Returns the inverse of a number that is not 0, if the modulus is prime.
    fn inverse(self, number: u64) -> u64 {
        power(number, self.modulus - 2, self.modulus)
    }

    /// Returns the sum of the products. It is reduced once: a sum of two words stays below twice
    /// the square of the modulus, or wraps around and is brought back below the square.
    pub(super) fn dot(self, factors: impl Iterator<Item = (u64, u64)>) -> u64 {
        let square = u128::from(self.modulus) * u128::from(self.modulus);
        let sum = factors.fold(0_u128, |sum, (a, b)| {
            let (sum, carry) = sum.overflowing_add(u128::from(a) * u128::from(b));
            if carry || sum >= square { sum.wrapping_sub(square) } else { sum }
        });
        (sum % u128::from(self.modulus)) as u64
    }

    /// Returns the coefficient of `x` to the power of `degree` in a product of polynomials.
    fn coefficient(self, one: &[u64], other: &[u64], degree: usize) -> u64 {
        if one.is_empty() || other.is_empty() {
            return 0;
        }
        let least = degree.saturating_sub(other.len() - 1);
        let pairs = one.iter().enumerate().skip(least).take((degree + 1).saturating_sub(least));
        self.dot(pairs.map(|(power, &number)| (number, other[degree - power])))
    }

    /// Returns the generating function whose denominator states the recurrence of least order
    /// (Massey, 1969). The modulus is prime.
    ///
    /// That holds for the given terms. If they begin a sequence that has a recurrence of an order
    /// of at most half their number, it is the recurrence of the whole sequence.
    pub(super) fn generating_function(self, terms: &[u64]) -> Result<Quotient, Stop> {
        let (mut denominator, mut order) = (vec![1 % self.modulus], 0);
        // The denominator before the order last grew, the discrepancy then, and the terms since.
        let (mut earlier, mut earlier_discrepancy, mut since) = (denominator.clone(), 1, 1);
        for known in 1..=terms.len() {
            self.clock.check()?;
            let discrepancy = self.coefficient(&denominator, &terms[..known], known - 1);
            if discrepancy == 0 {
                since += 1;
                continue;
            }
            let factor = self.multiply(discrepancy, self.inverse(earlier_discrepancy));
            let before = (2 * order < known).then(|| denominator.clone());
            denominator.resize(denominator.len().max(since + earlier.len()), 0);
            for (into, &number) in denominator[since..].iter_mut().zip(&earlier) {
                *into = self.subtract(*into, self.multiply(factor, number));
            }
            since += 1;
            if let Some(before) = before {
                order = known - order;
                (earlier, earlier_discrepancy, since) = (before, discrepancy, 1);
            }
        }
        denominator.resize(order + 1, 0);
        Ok(self.quotient(terms, denominator))
    }

    /// Returns the generating function with a denominator of this order, of which `terms` are at
    /// least as many terms.
    pub(super) fn quotient(self, terms: &[u64], denominator: Vec<u64>) -> Quotient {
        let order = (denominator.len() - 1).min(terms.len());
        let numerator =
            (0..order).map(|degree| self.coefficient(&denominator, &terms[..order], degree));
        Quotient { numerator: numerator.collect(), denominator }
    }

    /// Returns whether each of the terms from the order of the denominator on follows from the ones
    /// before it.
    pub(super) fn follow(self, terms: &[u64], denominator: &[u64]) -> Result<bool, Stop> {
        for known in denominator.len()..=terms.len() {
            self.clock.check()?;
            if self.coefficient(denominator, &terms[..known], known - 1) != 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the term with this number, from 0. The squares of the denominator's order times the
    /// bits of the number are the steps (Fiduccia, 1985; in this form Bostan and Mori, 2021).
    pub(super) fn term(self, quotient: Quotient, mut number: u128) -> Result<u64, Stop> {
        let Quotient { mut numerator, mut denominator } = quotient;
        while number > 0 {
            // The product with the denominator of alternating signs is a polynomial in x².
            let alternating: Vec<u64> = (0..)
                .zip(&denominator)
                .map(
                    |(power, &number)| {
                        if power % 2 == 0 { number } else { self.subtract(0, number) }
                    },
                )
                .collect();
            let parity = usize::from(number % 2 == 1);
            numerator = self.product(&numerator, &alternating, parity)?;
            denominator = self.product(&denominator, &alternating, 0)?;
            number /= 2;
        }
        Ok(numerator.first().copied().unwrap_or(0))
    }

    /// Returns every other coefficient of a product, from `first` on.
    fn product(self, one: &[u64], other: &[u64], first: usize) -> Result<Vec<u64>, Stop> {
        let length = (one.len() + other.len()).saturating_sub(1);
        let degrees = (first..length).step_by(2);
        degrees
            .map(|degree| {
                self.clock.check()?;
                Ok(self.coefficient(one, other, degree))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::limits::Limits;

    /// Returns the terms of a sequence that begins with `terms`, each of the others being the sum
    /// of the products with `factors` of those before it, the last one first.
    fn continued(terms: &[u64], factors: &[u64], length: usize, modulus: u64) -> Vec<u64> {
        let mut terms = terms.to_vec();
        while terms.len() < length {
            let next = terms.iter().rev().zip(factors).fold(0, |sum: u128, (&term, &factor)| {
                (sum + u128::from(term) * u128::from(factor)) % u128::from(modulus)
            });
            terms.push(next as u64);
        }
        terms
    }

    proptest! {
        #[test]
        fn the_least_recurrence_continues_the_sequence(
            prime in prop::sample::select(vec![2, 3, 1_000_000_007, u64::MAX - 58]),
            seeds in prop::collection::vec((any::<u64>(), any::<u64>()), 0..8),
        ) {
            let clock = Clock::new(&Limits::new());
            let ring = Ring { modulus: prime, clock: &clock };
            let (begin, factors): (Vec<u64>, Vec<u64>) =
                seeds.iter().map(|&(term, factor)| (term % prime, factor % prime)).unzip();
            let terms = continued(&begin, &factors, 60, prime);
            let known = &terms[..2 * begin.len()];
            let quotient = ring.generating_function(known).expect("no limit");
            prop_assert!(quotient.denominator.len() <= begin.len() + 1);
            prop_assert_eq!(ring.follow(&terms, &quotient.denominator), Ok(true));
            for (number, &term) in (0..).zip(&terms) {
                prop_assert_eq!(ring.term(quotient.clone(), number), Ok(term));
            }
        }

        #[test]
        fn sums_of_products_wrap_around_correctly(
            modulus in 1_u64..,
            pairs in prop::collection::vec((any::<u64>(), any::<u64>()), 0..20),
        ) {
            let clock = Clock::new(&Limits::new());
            let ring = Ring { modulus, clock: &clock };
            let pairs = pairs.into_iter().map(|(a, b)| (a % modulus, b % modulus));
            let modulus = u128::from(modulus);
            let expected = pairs
                .clone()
                .fold(0, |sum, (a, b)| (sum + u128::from(a) * u128::from(b) % modulus) % modulus);
            prop_assert_eq!(u128::from(ring.dot(pairs)), expected);
        }
    }
}
