//! Serialisation of numbers of several words: their bytes in little-endian order, without leading
//! zeros.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use smallvec::SmallVec;

use super::limbs::Limbs;
#[cfg(feature = "bigint")]
use super::natural::Natural;

/// The bytes of a number in little-endian order.
#[derive(Debug)]
pub struct Bytes(pub(crate) SmallVec<[u8; 64]>);

/// Returns the number of bytes of a number without leading zeros.
#[inline]
fn byte_length(limbs: &[u64]) -> usize {
    let top = limbs.iter().rposition(|&limb| limb != 0);
    top.map_or(0, |top| 8 * (top + 1) - limbs[top].leading_zeros() as usize / 8)
}

impl Bytes {
    /// Returns the bytes of the number with these limbs.
    pub(crate) fn of(limbs: &[u64]) -> Self {
        let bytes = limbs.iter().flat_map(|limb| limb.to_le_bytes());
        Bytes(bytes.take(byte_length(limbs)).collect())
    }

    /// Returns the number in `K` limbs, or `None` if it does not fit.
    pub(crate) fn to_limbs<const K: usize>(&self) -> Option<[u64; K]> {
        let mut limbs = [[0; 8]; K];
        limbs.as_flattened_mut().get_mut(..self.0.len())?.copy_from_slice(&self.0);
        Some(limbs.map(u64::from_le_bytes))
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(BytesVisitor)
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a number")
    }

    #[inline]
    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Bytes, A::Error> {
        let mut bytes = SmallVec::new();
        while let Some(byte) = seq.next_element()? {
            bytes.push(byte);
        }
        Ok(Bytes(bytes))
    }
}

impl<const K: usize> Serialize for Limbs<K> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let limbs = self.limbs();
        let bytes = limbs.map(u64::to_le_bytes);
        serializer.serialize_bytes(&bytes.as_flattened()[..byte_length(limbs)])
    }
}

impl<'de, const K: usize> Deserialize<'de> for Limbs<K> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let limbs = Bytes::deserialize(deserializer)?.to_limbs().map(Limbs::from_limbs);
        limbs.ok_or_else(|| D::Error::custom(format!("a number of more than {K} limbs")))
    }
}

#[cfg(feature = "bigint")]
impl Serialize for Natural {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = self.to_bytes();
        bytes.reverse();
        serializer.serialize_bytes(&bytes)
    }
}

#[cfg(feature = "bigint")]
impl<'de> Deserialize<'de> for Natural {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut bytes = Bytes::deserialize(deserializer)?.0;
        bytes.reverse();
        Ok(Natural::from_bytes(&bytes))
    }
}
