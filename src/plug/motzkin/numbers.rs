//! The values of words in a dense table: [`FixedWidthAlgebra`].

#[cfg(feature = "serde")]
use crate::plug::algebra::serde_impls::Bytes;
use crate::plug::algebra::{Counter, Counting, Limbs, Modulo};

/// An algebra whose values are numbers of a fixed width that can be added.
pub(super) trait FixedWidthAlgebra: Copy + Send + Sync {
    type Value: Copy + Send + Sync;
    const ZERO: Self::Value;

    fn is_zero(value: &Self::Value) -> bool;

    /// Returns the value of the start, which has one partial solution.
    fn one(self) -> Self::Value;

    /// Serialises a number.
    #[cfg(feature = "serde")]
    fn to_bytes(value: &Self::Value) -> Bytes;

    /// Reads a serialised number, or returns `None` if the data is invalid.
    #[cfg(feature = "serde")]
    fn value_from_bytes(self, bytes: &Bytes) -> Option<Self::Value>;

    /// Adds `value`, and returns whether the sum overflows. After an overflow, `into` is
    /// unspecified.
    fn add(self, into: &mut Self::Value, value: &Self::Value) -> bool;

    /// Returns the sum, and whether it overflows.
    #[inline]
    fn sum(self, a: &Self::Value, b: &Self::Value) -> (Self::Value, bool) {
        let mut sum = *a;
        let overflow = self.add(&mut sum, b);
        (sum, overflow)
    }
}

impl<const K: usize> FixedWidthAlgebra for Counting<Limbs<K>> {
    type Value = Limbs<K>;
    const ZERO: Limbs<K> = Limbs::from_limbs([0; K]);

    #[inline]
    fn is_zero(value: &Limbs<K>) -> bool {
        value.limbs().iter().fold(0, |bits, limb| bits | limb) == 0
    }
    fn one(self) -> Limbs<K> {
        Limbs::from(1)
    }
    #[cfg(feature = "serde")]
    fn to_bytes(value: &Limbs<K>) -> Bytes {
        Bytes::of(value.limbs())
    }
    #[cfg(feature = "serde")]
    fn value_from_bytes(self, bytes: &Bytes) -> Option<Limbs<K>> {
        bytes.to_limbs().map(Limbs::from_limbs)
    }
    #[inline]
    fn add(self, into: &mut Limbs<K>, value: &Limbs<K>) -> bool {
        into.add(value)
    }
}

impl<const N: usize> FixedWidthAlgebra for &Modulo<N> {
    type Value = [u64; N];
    const ZERO: [u64; N] = [0; N];

    #[inline]
    fn is_zero(value: &[u64; N]) -> bool {
        value.iter().fold(0, |bits, remainder| bits | remainder) == 0
    }
    fn one(self) -> [u64; N] {
        self.moduli().map(|modulus| 1 % modulus)
    }
    #[cfg(feature = "serde")]
    fn to_bytes(value: &[u64; N]) -> Bytes {
        Bytes::of(value)
    }
    #[cfg(feature = "serde")]
    fn value_from_bytes(self, bytes: &Bytes) -> Option<[u64; N]> {
        let remainders = bytes.to_limbs::<N>()?;
        remainders
            .iter()
            .zip(self.moduli())
            .all(|(remainder, modulus)| remainder < modulus)
            .then_some(remainders)
    }
    #[inline]
    fn add(self, into: &mut [u64; N], value: &[u64; N]) -> bool {
        *into = Modulo::add(self, *into, *value);
        false
    }
}
