//! What words are worth in a dense table: [`Numbers`].

use crate::plug::algebra::{Counter, Limbs, Modulo};

/// Numbers of one width that can be added.
pub(super) trait Numbers: Copy + Send + Sync {
    type Value: Copy + Send + Sync;
    const ZERO: Self::Value;

    fn is_zero(value: &Self::Value) -> bool;

    /// Adds `value`, and says whether the sum does not fit. What `into` is then does not matter.
    fn add(self, into: &mut Self::Value, value: &Self::Value) -> bool;

    /// The sum, and whether it does not fit.
    #[inline]
    fn sum(self, one: &Self::Value, other: &Self::Value) -> (Self::Value, bool) {
        let mut sum = *one;
        let overflow = self.add(&mut sum, other);
        (sum, overflow)
    }
}

/// Numbers of `K` limbs, whose overflow is noticed.
#[derive(Clone, Copy)]
pub(super) struct Exact<const K: usize>;

impl<const K: usize> Numbers for Exact<K> {
    type Value = Limbs<K>;
    const ZERO: Limbs<K> = Limbs::from_limbs([0; K]);

    #[inline]
    fn is_zero(value: &Limbs<K>) -> bool {
        value.limbs().iter().fold(0, |bits, limb| bits | limb) == 0
    }
    #[inline]
    fn add(self, into: &mut Limbs<K>, value: &Limbs<K>) -> bool {
        into.add(value)
    }
}

impl<const N: usize> Numbers for &Modulo<N> {
    type Value = [u64; N];
    const ZERO: [u64; N] = [0; N];

    #[inline]
    fn is_zero(value: &[u64; N]) -> bool {
        value.iter().fold(0, |bits, remainder| bits | remainder) == 0
    }
    #[inline]
    fn add(self, into: &mut [u64; N], value: &[u64; N]) -> bool {
        *into = Modulo::add(self, *into, *value);
        false
    }
}
