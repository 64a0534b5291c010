//! Prime moduli: a primality test, and large primes that fit into a word.

use std::iter::FusedIterator;

/// Returns the product modulo `modulus`, which is not 0.
pub(super) fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

fn power(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
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
    (1..1_u64 << 63).rev().filter(|&number| is_prime(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_sieve() {
        const END: usize = 10_000;
        let mut composite = vec![false; END];
        for number in 2..END {
            assert_eq!(is_prime(number as u64), !composite[number], "{number}");
            (number * number..END).step_by(number).for_each(|multiple| composite[multiple] = true);
        }
        assert!(!is_prime(0) && !is_prime(1));
    }

    #[test]
    fn strong_pseudoprimes_and_large_primes_are_recognised() {
        // Strong pseudoprimes to the first 2, 3, ..., 9 (and 10, 11) primes: Jaeschke, 1993; Jiang
        // and Deng, 2014.
        let hard = [
            1_373_653,
            25_326_001,
            3_215_031_751,
            2_152_302_898_747,
            3_474_749_660_383,
            341_550_071_728_321,
            3_825_123_056_546_413_051,
        ];
        assert!(hard.iter().all(|&number| !is_prime(number)));
        // 2⁶⁴ - 59 is the largest prime of 64 bits.
        assert!(is_prime(u64::MAX - 58) && !is_prime(u64::MAX));
        assert!(is_prime((1 << 61) - 1) && !is_prime(u64::from(u32::MAX) * u64::from(u32::MAX)));
    }
}
