//! The numbers in a dense table, one for each Motzkin word: [`FixedWidthAlgebra`] and [`Table`].

use std::sync::Arc;

#[cfg(feature = "bigint")]
use crate::plug::algebra::rounded_up::RoundedUp;
#[cfg(feature = "serde")]
use crate::plug::algebra::serde_impls::Bytes;
use crate::plug::algebra::{Counter, Counting, Limbs, Modulo, UpTo};

/// An algebra whose values are numbers of a fixed width that can be added.
pub trait FixedWidthAlgebra: Copy + Send + Sync {
    type Value: Copy + Send + Sync;
    const ZERO: Self::Value;

    /// Returns the limbs of a number, or the remainders that it consists of. They are all 0 if and
    /// only if the number is 0.
    fn limbs(value: &Self::Value) -> impl AsRef<[u64]>;

    #[inline]
    fn is_zero(value: &Self::Value) -> bool {
        Self::limbs(value).as_ref().iter().fold(0, |bits, limb| bits | limb) == 0
    }

    /// Returns the 64 most significant bits, whose leading zeros show how far away an overflow is.
    /// Types whose numbers are never computed again in a wider type may return 0.
    #[inline]
    fn top(value: &Self::Value) -> u64 {
        let _ = value;
        0
    }

    /// Returns the value of the only word before the first cell: one, the empty partial solution.
    fn one(self) -> Self::Value;

    /// Serialises a number.
    #[cfg(feature = "serde")]
    fn to_bytes(value: &Self::Value) -> Bytes {
        Bytes::of(Self::limbs(value).as_ref())
    }

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
    fn limbs(value: &Limbs<K>) -> impl AsRef<[u64]> {
        value.limbs()
    }
    #[inline]
    fn top(value: &Limbs<K>) -> u64 {
        value.limbs()[K - 1]
    }
    fn one(self) -> Limbs<K> {
        Limbs::from(1)
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

impl<const N: u8> FixedWidthAlgebra for Counting<UpTo<N>> {
    type Value = UpTo<N>;
    const ZERO: UpTo<N> = UpTo::ZERO;

    #[inline]
    fn limbs(value: &UpTo<N>) -> impl AsRef<[u64]> {
        [value.get().into()]
    }
    fn one(self) -> UpTo<N> {
        Counter::one()
    }
    #[cfg(feature = "serde")]
    fn value_from_bytes(self, bytes: &Bytes) -> Option<UpTo<N>> {
        let [number] = bytes.to_limbs()?;
        UpTo::new(number)
    }
    #[inline]
    fn add(self, into: &mut UpTo<N>, value: &UpTo<N>) -> bool {
        Counter::add(into, value)
    }
}

/// [`Modulo`] for moduli of at most 32 bits, with values of half the size.
#[derive(Clone, Copy, Debug)]
pub(super) struct NarrowModulo<const N: usize> {
    moduli: [u32; N],
}

impl<const N: usize> NarrowModulo<N> {
    /// Returns the same algebra with narrow values, or `None` if a modulus exceeds 32 bits.
    pub(super) fn new(modulo: &Modulo<N>) -> Option<Self> {
        let mut moduli = [1; N];
        for (narrow, &modulus) in moduli.iter_mut().zip(modulo.moduli()) {
            *narrow = u32::try_from(modulus).ok()?;
        }
        Some(NarrowModulo { moduli })
    }

    fn moduli(&self) -> &[u32; N] {
        &self.moduli
    }
}

/// Implements the algebra of the remainders modulo `N` numbers of a type.
macro_rules! remainders {
    ($modulo:ty, $number:ty) => {
        impl<const N: usize> FixedWidthAlgebra for $modulo {
            type Value = [$number; N];
            const ZERO: Self::Value = [0; N];
            #[inline]
            fn limbs(value: &Self::Value) -> impl AsRef<[u64]> {
                value.map(u64::from)
            }
            fn one(self) -> Self::Value {
                self.moduli().map(|modulus| 1 % modulus)
            }
            #[cfg(feature = "serde")]
            fn value_from_bytes(self, bytes: &Bytes) -> Option<Self::Value> {
                let remainders = bytes.to_limbs::<N>()?;
                let mut pairs = remainders.iter().zip(self.moduli());
                let are_less = pairs.all(|(&remainder, &modulus)| remainder < u64::from(modulus));
                are_less.then(|| remainders.map(|remainder| remainder as $number))
            }
            #[inline]
            fn add(self, into: &mut Self::Value, value: &Self::Value) -> bool {
                for ((a, &b), modulus) in into.iter_mut().zip(value).zip(self.moduli()) {
                    // With `carry`, the sum exceeds the modulus, although the subtraction borrows.
                    let (sum, carry) = a.overflowing_add(b);
                    let (less, borrow) = sum.overflowing_sub(*modulus);
                    *a = if carry | !borrow { less } else { sum };
                }
                false
            }
        }
    };
}
remainders!(&Modulo<N>, u64);
remainders!(NarrowModulo<N>, u32);

#[cfg(feature = "bigint")]
impl FixedWidthAlgebra for Counting<RoundedUp> {
    type Value = RoundedUp;
    const ZERO: RoundedUp = RoundedUp::ZERO;

    #[inline]
    fn limbs(value: &RoundedUp) -> impl AsRef<[u64]> {
        [value.to_bits().into()]
    }
    fn one(self) -> RoundedUp {
        RoundedUp::one()
    }
    #[cfg(feature = "serde")]
    fn value_from_bytes(self, bytes: &Bytes) -> Option<RoundedUp> {
        let [bits] = bytes.to_limbs()?;
        u32::try_from(bits).ok().map(RoundedUp::from_bits)
    }
    #[inline]
    fn add(self, into: &mut RoundedUp, value: &RoundedUp) -> bool {
        Counter::add(into, value)
    }
}

/// A block of a table. Threads share it until the last of them no longer needs it.
pub(super) type Block<V> = Arc<Vec<V>>;

/// The values of the words of a layer, in the order of their ranks.
///
/// They are divided into blocks: threads fill different blocks of the next layer, and a block is
/// reused as soon as the blocks that are still to be filled do not depend on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<V> {
    /// The rank of the first word of each block, followed by the number of words.
    bounds: Vec<usize>,
    blocks: Vec<Block<V>>,
}

impl<V> Table<V> {
    pub(super) fn new(blocks: Vec<Vec<V>>) -> Self {
        let mut words = 0;
        let ends = blocks.iter().map(|block| {
            words += block.len();
            words
        });
        let bounds = std::iter::once(0).chain(ends).collect();
        Table { bounds, blocks: blocks.into_iter().map(Arc::new).collect() }
    }

    /// Returns a table without words.
    pub(super) fn empty() -> Self {
        Self::new(Vec::new())
    }

    pub(super) fn words(&self) -> usize {
        self.bounds.last().copied().unwrap_or(0)
    }

    /// Returns the rank of the first word of each block, followed by the number of words.
    pub(super) fn bounds(&self) -> &[usize] {
        &self.bounds
    }

    pub(super) fn blocks(&self) -> &[Block<V>] {
        &self.blocks
    }

    pub(super) fn into_blocks(self) -> Vec<Block<V>> {
        self.blocks
    }

    pub(super) fn get(&self, rank: usize) -> &V {
        let block = self.bounds.partition_point(|&first| first <= rank).saturating_sub(1);
        &self.blocks[block][rank - self.bounds[block]]
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        self.blocks.iter().flat_map(|block| block.iter())
    }

    /// Returns the bytes that are allocated.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| capacity_bytes(block)).sum()
    }
}

/// Returns the bytes that are allocated for a block.
pub(super) fn capacity_bytes<V>(block: &Vec<V>) -> usize {
    block.capacity() * size_of::<V>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modulo() -> Modulo<2> {
        Modulo::new([97, 1000]).expect("not 0")
    }

    fn narrow() -> NarrowModulo<2> {
        NarrowModulo::new(&modulo()).expect("numbers of 32 bits")
    }

    #[test]
    fn additions_of_limbs_overflow_and_those_of_remainders_wrap() {
        let counting = Counting::<Limbs<2>>::new();
        let [largest, carried, one] = [[u64::MAX; 2], [0, 1], [1, 0]].map(Limbs::from_limbs);
        assert_eq!(counting.one(), one);
        assert_eq!(counting.sum(&Limbs::from(u64::MAX), &one), (carried, false));
        assert!(counting.sum(&largest, &one).1);
        let modulo = &modulo();
        assert_eq!(modulo.one(), [1, 1]);
        assert_eq!(modulo.sum(&[96, 998], &[1, 1]), ([0, 999], false));
        assert_eq!(Modulo::new([1, 2]).expect("not 0").one(), [0, 1]);
        assert_eq!(
            (narrow().one(), narrow().sum(&[96, 998], &[1, 1])),
            ([1, 1], ([0, 999], false))
        );
    }

    #[test]
    fn narrow_moduli_have_at_most_32_bits() {
        let narrow = |modulus| NarrowModulo::new(&Modulo::new([7, modulus]).expect("not 0"));
        assert!(narrow(1 << 32).is_none());
        let largest = narrow(u32::MAX.into()).expect("32 bits");
        assert_eq!(largest.sum(&[6, u32::MAX - 1], &[6, u32::MAX - 1]).0, [5, u32::MAX - 2]);
        assert_eq!(largest.sum(&[0, u32::MAX - 1], &[0, 1]).0, [0, 0]);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn serialised_numbers_are_read_again_if_they_fit() {
        let (counting, modulo) = (Counting::<Limbs<2>>::new(), &modulo());
        for limbs in [[0, 0], [1, 1], [96, 999], [u64::MAX; 2]] {
            let number = Limbs::from_limbs(limbs);
            let bytes = <Counting<Limbs<2>>>::to_bytes(&number);
            assert_eq!(counting.value_from_bytes(&bytes), Some(number));
            let is_remainder = limbs[0] < 97 && limbs[1] < 1000;
            let bytes = <&Modulo<2>>::to_bytes(&limbs);
            assert_eq!(modulo.value_from_bytes(&bytes), is_remainder.then_some(limbs));
            // Files do not tell narrow values from wide ones.
            let remainders = limbs.map(|limb| limb as u32);
            assert_eq!(narrow().value_from_bytes(&bytes), is_remainder.then_some(remainders));
            if is_remainder {
                assert_eq!(NarrowModulo::to_bytes(&remainders).0, bytes.0);
            }
        }
        for limbs in [[97, 0], [0, 1000]] {
            assert_eq!(modulo.value_from_bytes(&Bytes::of(&limbs)), None, "{limbs:?}");
        }
        let too_long = Bytes::of(&[0, 0, 1]);
        assert_eq!(counting.value_from_bytes(&too_long), None);
        assert_eq!(modulo.value_from_bytes(&too_long), None);
    }
}
