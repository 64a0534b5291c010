//! Upper bounds of counts in little memory, in numbers of the type [`RoundedUp`].

use std::borrow::Cow;

use super::count::Counter;
use super::natural::Natural;

/// The number of bits of a mantissa after its leading one.
const FRACTION_BITS: u32 = 12;

/// A floating-point number of 32 bits whose sums are rounded up: 13 bits of mantissa, and 20 of
/// exponent. A sum of natural numbers is therefore never less than the exact one, and exceeds it by
/// a factor of at most 1 + 2⁻¹¹ for each addition.
///
/// The number is `mantissa << exponent`, stored as `(exponent << FRACTION_BITS) + mantissa`. The
/// leading one of the mantissa is thus added to the exponent, unless the number is less than
/// `1 << FRACTION_BITS`. Numbers are ordered as their representations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RoundedUp(u32);

impl RoundedUp {
    pub(crate) const ZERO: Self = RoundedUp(0);
    /// The largest number, of about a million bits.
    #[cfg(feature = "serde")]
    pub(crate) const MAX: Self = RoundedUp(u32::MAX);

    /// Returns the number with this representation. Every representation is valid.
    #[cfg(feature = "serde")]
    pub(crate) fn from_bits(bits: u32) -> Self {
        RoundedUp(bits)
    }

    /// Returns the representation.
    pub(crate) fn to_bits(self) -> u32 {
        self.0
    }

    fn mantissa_and_exponent(self) -> (u32, u32) {
        let exponent = (self.0 >> FRACTION_BITS).saturating_sub(1);
        (self.0 - (exponent << FRACTION_BITS), exponent)
    }

    pub(crate) fn to_natural(self) -> Natural {
        let (mantissa, exponent) = self.mantissa_and_exponent();
        let mut bytes = (mantissa << (exponent % 8)).to_be_bytes().to_vec();
        bytes.resize(bytes.len() + (exponent / 8) as usize, 0);
        Natural::from_bytes(&bytes)
    }
}

/// [`Counting`](super::Counting) in these numbers gives an upper bound of the number of paths.
///
/// The type is not public because its addition breaks the law of [`Counter`]: it rounds up, so that
/// merging depends on the order. Every order gives a bound, but another one with several threads.
impl Counter for RoundedUp {
    #[inline]
    fn one() -> Self {
        RoundedUp(1)
    }
    /// Adds `other` and rounds the sum up.
    #[inline]
    fn add(&mut self, other: &Self) -> bool {
        let (greater, less) = if *self >= *other { (*self, *other) } else { (*other, *self) };
        let (mantissa, exponent) = greater.mantissa_and_exponent();
        let (less, less_exponent) = less.mantissa_and_exponent();
        // A greater shift changes nothing: a mantissa has at most 13 bits.
        let shift = (exponent - less_exponent).min(FRACTION_BITS + 1);
        let mut sum = mantissa + ((less + (1 << shift) - 1) >> shift);
        let carry = sum >> (FRACTION_BITS + 1);
        sum = (sum + carry) >> carry;
        let overflow;
        (self.0, overflow) = ((exponent + carry) << FRACTION_BITS).overflowing_add(sum);
        overflow
    }
    fn name() -> Cow<'static, str> {
        "rounded numbers".into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        // Numbers have up to 128 KiB.
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn a_sum_is_at_least_the_exact_one_and_little_more(a in 0..u32::MAX, b in 0..u32::MAX) {
            // Similar exponents, so that sums are not dominated by one summand.
            let b = (a & !0xf_ffff) | (b & 0xf_ffff);
            for (a, b) in [(a, b), (a % 8192, b % 8192), (a, 1), (a, 0)] {
                let (a, b) = (RoundedUp(a), RoundedUp(b));
                let mut sum = a;
                if sum.add(&b) {
                    prop_assert!(a.0.max(b.0) > u32::MAX - (1 << FRACTION_BITS));
                    continue;
                }
                let exact = a.to_natural() + b.to_natural();
                let sum = sum.to_natural();
                let excess = sum.checked_sub(&exact);
                prop_assert!(excess.is_some(), "{sum} is less than {exact}");
                let excess = excess.unwrap_or_default() * Natural::from(1_u32 << 11);
                prop_assert!(excess <= exact, "{sum} exceeds {exact} by too much");
            }
        }

        #[test]
        fn numbers_are_ordered_as_their_representations(a in 0..1_u32 << 16, b in 0..1_u32 << 16) {
            let (a, b) = (RoundedUp(a), RoundedUp(b));
            prop_assert_eq!(a.cmp(&b), a.to_natural().cmp(&b.to_natural()));
        }
    }

    #[test]
    fn small_sums_are_exact() {
        let mut sum = RoundedUp::ZERO;
        for number in 1..=1_u32 << 13 {
            assert!(!sum.add(&RoundedUp::one()));
            assert_eq!(sum.to_natural(), Natural::from(number));
        }
        assert!(!sum.add(&RoundedUp::one()));
        assert_eq!(sum.to_natural(), Natural::from((1_u32 << 13) + 2), "rounded up");
    }

    #[test]
    fn sums_that_do_not_fit_are_overflows() {
        let largest = RoundedUp(u32::MAX);
        assert!(!largest.clone().add(&RoundedUp::ZERO));
        assert!(largest.clone().add(&RoundedUp::one()));
        assert!(largest.clone().add(&largest));
    }
}
