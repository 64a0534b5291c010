//! Generating functions with integer coefficients: [`GeneratingFunction`].

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};

use super::polynomial_ring::{Quotient, Ring};
use crate::limits::Stop;
use crate::plug::algebra::{Natural, Residues, write_terms};
use crate::plug::step::Clock;

/// The numbers of solutions for 0, 1, 2, … repetitions, as the coefficients of the power series of
/// a quotient of two polynomials. Made by
/// [`Repetition::generating_function`](super::Repetition::generating_function).
///
/// The denominator states the linear recurrence of least order: if it is 1 + q₁x + q₂x² + …, then
/// aₙ = −q₁aₙ₋₁ − q₂aₙ₋₂ − … for all n that are at least the [order](Self::order). `Display`
/// writes the quotient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratingFunction {
    numerator: Vec<BigInt>,
    denominator: Vec<BigInt>,
}

impl GeneratingFunction {
    /// Returns the least number of terms from which all others follow. It is more than the degree
    /// of the denominator if the first terms do not obey the recurrence.
    #[must_use]
    pub fn order(&self) -> usize {
        self.denominator.len() - 1
    }

    /// Returns the coefficients of the numerator, in decimal, the constant first.
    pub fn numerator(&self) -> impl ExactSizeIterator<Item = String> {
        self.numerator.iter().map(BigInt::to_string)
    }

    /// Returns the coefficients of the denominator, in decimal, the constant first, which is 1.
    pub fn denominator(&self) -> impl ExactSizeIterator<Item = String> {
        self.denominator.iter().map(BigInt::to_string)
    }

    /// Returns the numbers of solutions for 0, 1, 2, … repetitions. Each takes a multiplication of
    /// large numbers for each coefficient.
    pub fn terms(&self) -> impl Iterator<Item = Natural> {
        let mut last: Vec<BigInt> = Vec::new();
        (0..).map(move |number: usize| {
            let start = self.numerator.get(number).cloned().unwrap_or_default();
            let factors = self.denominator.iter().skip(1);
            let term = factors.zip(last.iter().rev()).fold(start, |sum, (q, a)| sum - q * a);
            if last.len() > self.order() {
                last.remove(0);
            }
            last.push(term.clone());
            // A number of solutions is not negative.
            Natural::from_bytes(&term.magnitude().to_bytes_be())
        })
    }
}

/// Writes a polynomial in x.
fn write_polynomial(f: &mut fmt::Formatter<'_>, numbers: &[BigInt]) -> fmt::Result {
    let mut terms = (0..)
        .zip(numbers)
        .filter(|(_, number)| number.sign() != Sign::NoSign)
        .map(|(degree, number)| {
            (number.sign() == Sign::Minus, number.magnitude().to_string(), degree)
        })
        .peekable();
    if terms.peek().is_none() { f.write_str("0") } else { write_terms(f, terms, "") }
}

impl fmt::Display for GeneratingFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        write_polynomial(f, &self.numerator)?;
        f.write_str(") / (")?;
        write_polynomial(f, &self.denominator)?;
        f.write_str(")")
    }
}

/// A generating function that is known modulo several primes.
#[derive(Default)]
pub(super) struct ModuloPrimes {
    numerator: Vec<Residues>,
    denominator: Vec<Residues>,
}

impl ModuloPrimes {
    /// Adds the function modulo a further prime. Modulo some primes the order is less than the true
    /// one: these are ignored, or replaced by the first prime with a greater order.
    pub(super) fn add(&mut self, ring: Ring<'_>, quotient: &Quotient) -> Result<(), Stop> {
        if quotient.denominator.len() < self.denominator.len() {
            return Ok(());
        }
        if quotient.denominator.len() > self.denominator.len() {
            self.numerator = vec![Residues::new(); quotient.numerator.len()];
            self.denominator = vec![Residues::new(); quotient.denominator.len()];
        }
        for (all, numbers) in [
            (&mut self.numerator, &quotient.numerator),
            (&mut self.denominator, &quotient.denominator),
        ] {
            for (residues, &number) in all.iter_mut().zip(numbers) {
                ring.clock.check()?;
                // The moduli are distinct primes, and the numbers are remainders.
                let added = residues.add(ring.modulus, number);
                debug_assert_eq!(added, Ok(()));
            }
        }
        Ok(())
    }

    /// Returns the function whose coefficients have the least absolute values, and the product of
    /// the primes.
    pub(super) fn least(&self, clock: &Clock) -> Result<(GeneratingFunction, BigUint), Stop> {
        let big = |number: &Natural| BigUint::from_bytes_be(&number.to_bytes());
        let product = self.denominator.first().map_or(1_u32.into(), |one| big(one.product()));
        let signed = |residues: &Residues| {
            clock.check()?;
            let least = big(residues.least());
            let is_negative = &least + &least > product;
            let least = BigInt::from(least);
            Ok(if is_negative { least - BigInt::from(product.clone()) } else { least })
        };
        let signed = |all: &[Residues]| all.iter().map(signed).collect::<Result<_, Stop>>();
        let (numerator, denominator) = (signed(&self.numerator)?, signed(&self.denominator)?);
        Ok((GeneratingFunction { numerator, denominator }, product))
    }
}

impl GeneratingFunction {
    /// Returns whether the function is proven by its agreement with the terms modulo primes with
    /// this product, where `bits` is the number of bits of the greatest term.
    ///
    /// Each sum of terms by which a term differs from what the recurrence states is a multiple of
    /// all primes, and less than `2^bits` times the sum of the absolute coefficients. If that is
    /// less than the product, it is 0. The same holds for the numerator.
    pub(super) fn is_proven(&self, product: &BigUint, bits: u64) -> bool {
        let sum: BigUint = self.denominator.iter().map(BigInt::magnitude).sum();
        // The sign takes one more bit.
        product.bits() > bits.saturating_add(sum.bits()).saturating_add(1)
    }

    /// Returns the denominator modulo a number.
    pub(super) fn denominator_modulo(&self, ring: Ring<'_>) -> Result<Vec<u64>, Stop> {
        let modulus = BigInt::from(ring.modulus);
        self.denominator
            .iter()
            .map(|number| {
                ring.clock.check()?;
                // The remainder has the sign of the number.
                let remainder = (number % &modulus + &modulus) % &modulus;
                Ok(u64::try_from(remainder).unwrap_or(0))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numerator: &[i64], denominator: &[i64]) -> GeneratingFunction {
        let big = |numbers: &[i64]| numbers.iter().copied().map(BigInt::from).collect();
        GeneratingFunction { numerator: big(numerator), denominator: big(denominator) }
    }

    #[test]
    fn polynomials_are_written_with_signs_and_powers() {
        for (function, text) in [
            (of(&[], &[1]), "(0) / (1)"),
            (of(&[0, -1], &[1, -1, -1]), "(-x) / (1 - x - x^2)"),
            (of(&[-1, 0, 3], &[1, 0, 12, 0]), "(-1 + 3x^2) / (1 + 12x^2)"),
        ] {
            assert_eq!(function.to_string(), text);
        }
    }
}
