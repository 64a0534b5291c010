//! Conversions of numbers to wider types: [`Widen`].

#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Counter, Limbs};

/// A number that can be written to files and read from them, if the feature `serde` is on.
#[cfg(feature = "serde")]
pub trait Storable: Counter + serde::Serialize + serde::de::DeserializeOwned {}
#[cfg(feature = "serde")]
impl<V: Counter + serde::Serialize + serde::de::DeserializeOwned> Storable for V {}
/// A number that can be written to files and read from them, if the feature `serde` is on.
#[cfg(not(feature = "serde"))]
pub trait Storable: Counter {}
#[cfg(not(feature = "serde"))]
impl<V: Counter> Storable for V {}

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

#[cfg(feature = "bigint")]
impl<const K: usize> Widen<Natural> for Limbs<K> {
    fn widen(&self) -> Natural {
        Natural::from(self)
    }
}
