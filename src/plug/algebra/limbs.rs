//! Natural numbers of a fixed width: [`Limbs`]; conversions to wider types: [`Widen`]; and numbers
//! that files can hold: [`Storable`].

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use super::count::Counter;
use super::definition::Overflow;

/// A natural number of `64 K` bits, made of `K` machine words ("limbs", after Knuth's *The Art of
/// Computer Programming* and GMP).
///
/// Large counts are accumulated in this type: it needs no allocation, and an addition is a chain of
/// `K` additions with carry. Choose the smallest `K` that suffices, because every state of a layer
/// stores a number. If `K` turns out too small, the sweep reports an [`Overflow`].
/// [`resize`](Limbs::resize) converts a number to more limbs.
///
/// ```
/// use secateurs::plug::algebra::{Counter, Limbs};
///
/// let mut power: Limbs<4> = Limbs::from(1);
/// for _ in 0..255 {
///     assert!(!power.add(&power.clone()));
/// }
/// assert_eq!(
///     power.to_string(),
///     "57896044618658097711785492504343953926634992332820282019728792003956564819968", // 2^255
/// );
/// assert_eq!(power.bits(), 256);
/// assert!(power.add(&power.clone())); // does not fit
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limbs<const K: usize>([u64; K]);

impl<const K: usize> Limbs<K> {
    /// Returns the number with these limbs, in little-endian order.
    #[must_use]
    pub const fn from_limbs(limbs: [u64; K]) -> Self {
        const { assert!(K > 0, "a number has at least one limb") };
        Limbs(limbs)
    }

    /// Returns the limbs in little-endian order.
    #[must_use]
    pub const fn limbs(&self) -> &[u64; K] {
        &self.0
    }

    /// Returns the same number in `M` limbs, or `None` if it does not fit.
    #[must_use]
    pub fn resize<const M: usize>(&self) -> Option<Limbs<M>> {
        let mut limbs = [0; M];
        for (index, &limb) in self.0.iter().enumerate() {
            match limbs.get_mut(index) {
                Some(into) => *into = limb,
                None if limb == 0 => {}
                None => return None,
            }
        }
        Some(Limbs::from_limbs(limbs))
    }

    /// Returns the number of significant bits, which is 0 for the number 0, 1 for 1, and 2 for 2
    /// and 3.
    #[must_use]
    pub fn bits(&self) -> u32 {
        let top = self.0.iter().rposition(|&limb| limb != 0);
        // The conversion cannot fail in practice: a number of 2³² bits takes half a gigabyte.
        top.map_or(0, |top| {
            u32::try_from(64 * (top + 1)).unwrap_or(u32::MAX) - self.0[top].leading_zeros()
        })
    }

    /// Divides by `divisor` in place, and returns the remainder.
    fn divide(&mut self, divisor: u64) -> u64 {
        let mut remainder = 0;
        for limb in self.0.iter_mut().rev() {
            let dividend = u128::from(remainder) << 64 | u128::from(*limb);
            // The remainder is less than the divisor, so the quotient is one limb.
            *limb = (dividend / u128::from(divisor)) as u64;
            remainder = (dividend % u128::from(divisor)) as u64;
        }
        remainder
    }
}

/// Adds the limbs of two numbers in little-endian order, and returns the carry.
#[inline]
pub(super) fn add_limbs(into: &mut [u64], addend: &[u64]) -> bool {
    let mut carry = false;
    for (into, &limb) in into.iter_mut().zip(addend) {
        let (sum, first) = into.overflowing_add(limb);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        *into = sum;
        carry = first | second;
    }
    carry
}

impl<const K: usize> Counter for Limbs<K> {
    #[inline]
    fn one() -> Self {
        Self::from(1)
    }

    #[inline]
    fn add(&mut self, other: &Self) -> bool {
        add_limbs(&mut self.0, &other.0)
    }

    fn name() -> Cow<'static, str> {
        format!("{K} limbs").into()
    }
}

impl<const K: usize> From<u64> for Limbs<K> {
    #[inline]
    fn from(number: u64) -> Self {
        let mut limbs = [0; K];
        limbs[0] = number;
        Self::from_limbs(limbs)
    }
}

impl From<Limbs<2>> for u128 {
    #[inline]
    fn from(Limbs([low, high]): Limbs<2>) -> u128 {
        u128::from(high) << 64 | u128::from(low)
    }
}

impl<const K: usize> TryFrom<&Limbs<K>> for u128 {
    type Error = Overflow;

    fn try_from(number: &Limbs<K>) -> Result<u128, Overflow> {
        number.resize::<2>().map(u128::from).ok_or(Overflow)
    }
}

impl<const K: usize> TryFrom<&Limbs<K>> for u64 {
    type Error = Overflow;

    fn try_from(number: &Limbs<K>) -> Result<u64, Overflow> {
        number.resize::<1>().map(|Limbs([limb])| limb).ok_or(Overflow)
    }
}

impl<const K: usize> Ord for Limbs<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl<const K: usize> PartialOrd for Limbs<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const K: usize> fmt::Display for Limbs<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const TEN_TO_THE_19: u64 = 10_u64.pow(19);
        let mut rest = *self;
        let mut groups = Vec::new();
        while rest.bits() > 0 {
            groups.push(rest.divide(TEN_TO_THE_19));
        }
        let mut digits = groups.pop().unwrap_or(0).to_string();
        for group in groups.iter().rev() {
            digits.push_str(&format!("{group:019}"));
        }
        f.pad_integral(true, "", &digits)
    }
}

impl<const K: usize> fmt::Debug for Limbs<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Limbs({self})")
    }
}

/// A number that can be written to files and read from them, if the feature `serde` is on.
#[cfg(feature = "serde")]
pub trait Storable: Counter + serde::Serialize + serde::de::DeserializeOwned {}
#[cfg(feature = "serde")]
impl<V: Counter + serde::Serialize + serde::de::DeserializeOwned> Storable for V {}
#[cfg(not(feature = "serde"))]
pub use super::count::Counter as Storable;

/// The conversion of a number to a wider type, which never fails. (`From<u128>` for `Limbs` would
/// make the type of the literal in `Limbs::from(1)` ambiguous.)
pub trait Widen<W> {
    fn widen(&self) -> W;
}

impl Widen<u128> for u64 {
    fn widen(&self) -> u128 {
        u128::from(*self)
    }
}

impl Widen<Limbs<2>> for u64 {
    fn widen(&self) -> Limbs<2> {
        Limbs::from(*self)
    }
}

impl Widen<Limbs<4>> for u128 {
    fn widen(&self) -> Limbs<4> {
        Limbs::from_limbs([*self as u64, (*self >> 64) as u64, 0, 0])
    }
}

impl<const K: usize, const M: usize> Widen<Limbs<M>> for Limbs<K> {
    fn widen(&self) -> Limbs<M> {
        const { assert!(K <= M, "widening to fewer limbs") };
        let mut limbs = [0; M];
        limbs[..K].copy_from_slice(self.limbs());
        Limbs::from_limbs(limbs)
    }
}
