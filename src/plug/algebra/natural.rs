//! Natural numbers of any size: [`Natural`].

use std::borrow::Cow;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, MulAssign};
use std::str::FromStr;

use num_bigint::BigUint;

use super::count::Counter;
use super::definition::Overflow;
use super::limbs::{Limbs, Widen};
use crate::memory::block_bytes;
use crate::text::ParseError;

/// A natural number of any size, 0 included.
///
/// It is the type of counts above 128 bits. Memory and the time of an addition are proportional to
/// the number of bits; a multiplication, parsing and formatting take at most quadratic time.
///
/// ```
/// use secateurs::plug::algebra::Natural;
///
/// let tours: Natural = "1733926377888966183927790794055670829347983946".parse()?;
/// assert_eq!(u128::try_from(&tours).ok(), None);
/// let next = "1733926377888966183927790794055670829347983947".parse()?;
/// assert_eq!(&tours + &Natural::from(1_u64), next);
/// assert_eq!((tours.bits(), tours.remainder(1_000_000)), (151, Some(983_946)));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Natural(BigUint);

impl Natural {
    /// Returns the number with these bytes, in big-endian order. Leading zeros are allowed, and no
    /// bytes mean 0.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Natural(BigUint::from_bytes_be(bytes))
    }

    /// Returns the bytes of the number in big-endian order, without leading zeros. Returns none for
    /// 0.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        if self.is_zero() { Vec::new() } else { self.0.to_bytes_be() }
    }

    /// Returns the number with these limbs, in little-endian order.
    pub(super) fn from_limbs(limbs: &[u64]) -> Self {
        let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        Natural(BigUint::from_bytes_le(&bytes))
    }

    getters! {
        self;
        /// Returns the number of bits: 0 for 0, 1 for 1, 2 for 2 and 3.
        bits -> u64: self.0.bits();

        /// Returns whether the number is 0.
        is_zero -> bool: self.bits() == 0;
    }

    /// Returns the remainder modulo `modulus`, or `None` if that is 0.
    #[must_use]
    pub fn remainder(&self, modulus: u64) -> Option<u64> {
        if modulus == 0 { None } else { u64::try_from(&self.0 % modulus).ok() }
    }

    /// Returns the inverse modulo `modulus`, which is not 0. Returns `None` if they have a common
    /// factor.
    pub(super) fn inverse(&self, modulus: u64) -> Option<u64> {
        let inverse = self.0.modinv(&BigUint::from(modulus))?;
        u64::try_from(inverse).ok()
    }

    /// Returns the number of machine words that the number takes.
    pub(super) fn words(&self) -> usize {
        usize::try_from(self.bits().div_ceil(usize::BITS.into())).unwrap_or(usize::MAX)
    }

    /// Returns the product, without spare capacity, which [`heap_bytes`](Counter::heap_bytes)
    /// assumes.
    pub(super) fn multiplied(&self, factor: u64) -> Self {
        Natural((&self.0 * factor).clone())
    }

    /// Returns the difference, or `None` if `other` is greater.
    #[must_use]
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        (self >= other).then(|| Natural(&self.0 - &other.0))
    }
}

impl Counter for Natural {
    fn one() -> Self {
        Natural(BigUint::from(1_u32))
    }
    fn add(&mut self, other: &Self) -> bool {
        let words = self.words();
        self.0 += &other.0;
        if self.words() != words {
            // A number that has grown may have a capacity of twice its length. A clone has no spare
            // capacity, which `heap_bytes` assumes.
            self.0 = self.0.clone();
        }
        false
    }
    fn heap_bytes(&self) -> usize {
        block_bytes(self.words() * size_of::<usize>())
    }
    fn name() -> Cow<'static, str> {
        "naturals".into()
    }
}

macro_rules! convert {
    ($($number:ty),*) => {
        $(impl From<$number> for Natural {
            fn from(number: $number) -> Self {
                Natural(BigUint::from(number))
            }
        }
        impl TryFrom<&Natural> for $number {
            type Error = Overflow;

            fn try_from(number: &Natural) -> Result<Self, Overflow> {
                Self::try_from(&number.0).map_err(|_| Overflow)
            }
        })*
    };
}

convert!(u32, u64, u128);

impl<const K: usize> From<&Limbs<K>> for Natural {
    fn from(number: &Limbs<K>) -> Self {
        Self::from_limbs(number.limbs())
    }
}

impl<const K: usize> Widen<Natural> for Limbs<K> {
    fn widen(&self) -> Natural {
        Natural::from(self)
    }
}

impl<const K: usize> From<Limbs<K>> for Natural {
    fn from(number: Limbs<K>) -> Self {
        Self::from(&number)
    }
}

impl<const K: usize> TryFrom<&Natural> for Limbs<K> {
    type Error = Overflow;

    fn try_from(number: &Natural) -> Result<Self, Overflow> {
        let mut limbs = [0; K];
        for (index, limb) in number.0.iter_u64_digits().enumerate() {
            *limbs.get_mut(index).ok_or(Overflow)? = limb;
        }
        Ok(Limbs::from_limbs(limbs))
    }
}

macro_rules! operator {
    ($operator:ident $method:ident $assign:ident $assign_method:ident) => {
        impl $assign<&Natural> for Natural {
            fn $assign_method(&mut self, other: &Natural) {
                self.0.$assign_method(&other.0);
            }
        }
        impl $operator<&Natural> for Natural {
            type Output = Natural;

            fn $method(mut self, other: &Natural) -> Natural {
                self.$assign_method(other);
                self
            }
        }
        impl $operator for &Natural {
            type Output = Natural;

            fn $method(self, other: &Natural) -> Natural {
                self.clone().$method(other)
            }
        }
        impl $operator for Natural {
            type Output = Natural;

            fn $method(self, other: Natural) -> Natural {
                self.$method(&other)
            }
        }
    };
}

operator!(Add add AddAssign add_assign);
operator!(Mul mul MulAssign mul_assign);

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Natural({self})")
    }
}

impl FromStr for Natural {
    type Err = ParseError;

    /// Parses decimal digits. A sign or white space is an error.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        if let Some((index, found)) =
            text.chars().enumerate().find(|(_, found)| !found.is_ascii_digit())
        {
            let message = format!("expected one of the digits 0 to 9, found {found:?}");
            return Err(ParseError::at(1, index + 1, message));
        }
        BigUint::parse_bytes(text.as_bytes(), 10)
            .map(Natural)
            .ok_or_else(|| ParseError::new("expected a number, found nothing"))
    }
}
