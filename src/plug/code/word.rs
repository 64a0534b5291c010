//! The machine words that state codes are packed into: [`Word`].

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

mod sealed {
    pub trait Sealed {}
}

/// A machine word that holds a state code: `u32`, `u64` (which every code takes by default) or
/// `u128`.
///
/// Use the narrowest that holds all plugs: a layer of millions of states is bound by memory. All
/// operations cost one to three instructions. Shifts by [`BITS`](Word::BITS) or more are not
/// defined: they panic where overflow checks are on, as shifts of integers do. The trait is sealed:
/// no other type can be a word.
pub trait Word:
    sealed::Sealed
    + Copy
    + Default
    + Eq
    + Ord
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Bits in the word.
    const BITS: u32;
    /// The word of which no bit is set.
    const ZERO: Self;
    /// The word of which only the lowest bit is set.
    const ONE: Self;

    /// The word with the low bits of `bits`: of those that do not fit, nothing is left.
    #[must_use]
    fn from_low(bits: u64) -> Self;

    /// The low bits of a pattern of 128 bits.
    #[must_use]
    fn from_pattern(bits: u128) -> Self;

    /// The low 64 bits.
    #[must_use]
    fn low(self) -> u64;

    /// The lowest eight bits.
    #[must_use]
    fn lowest_byte(self) -> u8;

    /// The highest eight bits.
    #[must_use]
    fn highest_byte(self) -> u8;

    /// Zeros below the lowest set bit; [`BITS`](Word::BITS) if there is none.
    #[must_use]
    fn trailing_zeros(self) -> u32;

    /// Zeros above the highest set bit; [`BITS`](Word::BITS) if there is none.
    #[must_use]
    fn leading_zeros(self) -> u32;

    /// Bits that are set.
    #[must_use]
    fn count_ones(self) -> u32;

    /// The sum modulo 2 to the power of [`BITS`](Word::BITS).
    #[must_use]
    fn wrapping_add(self, other: Self) -> Self;

    /// The difference modulo 2 to the power of [`BITS`](Word::BITS).
    #[must_use]
    fn wrapping_sub(self, other: Self) -> Self;

    /// The product modulo 2 to the power of [`BITS`](Word::BITS).
    #[must_use]
    fn wrapping_mul(self, other: Self) -> Self;

    /// The word without its lowest set bit; zero of zero.
    #[inline]
    #[must_use]
    fn without_lowest(self) -> Self {
        self & self.wrapping_sub(Self::ONE)
    }

    /// The word whose `count` lowest bits are set: all of them if there are fewer.
    #[inline]
    #[must_use]
    fn low_ones(count: u32) -> Self {
        if count >= Self::BITS { !Self::ZERO } else { (Self::ONE << count).wrapping_sub(Self::ONE) }
    }
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl sealed::Sealed for $word {}

        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline]
            #[allow(clippy::cast_possible_truncation)] // that is what it is for
            fn from_low(bits: u64) -> Self {
                bits as $word
            }
            #[inline]
            #[allow(clippy::cast_possible_truncation)]
            fn from_pattern(bits: u128) -> Self {
                bits as $word
            }
            #[inline]
            #[allow(clippy::cast_possible_truncation)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline]
            #[allow(clippy::cast_possible_truncation)]
            fn lowest_byte(self) -> u8 {
                self as u8
            }
            #[inline]
            #[allow(clippy::cast_possible_truncation)]
            fn highest_byte(self) -> u8 {
                (self >> (Self::BITS - 8)) as u8
            }
            #[inline]
            fn trailing_zeros(self) -> u32 {
                <$word>::trailing_zeros(self)
            }
            #[inline]
            fn leading_zeros(self) -> u32 {
                <$word>::leading_zeros(self)
            }
            #[inline]
            fn count_ones(self) -> u32 {
                <$word>::count_ones(self)
            }
            #[inline]
            fn wrapping_add(self, other: Self) -> Self {
                <$word>::wrapping_add(self, other)
            }
            #[inline]
            fn wrapping_sub(self, other: Self) -> Self {
                <$word>::wrapping_sub(self, other)
            }
            #[inline]
            fn wrapping_mul(self, other: Self) -> Self {
                <$word>::wrapping_mul(self, other)
            }
        }
    )*};
}

word!(u32, u64, u128);
