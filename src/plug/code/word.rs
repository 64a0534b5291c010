//! The machine words that hold state codes: [`Word`]; codes as text, one character per plug.

use std::fmt::{self, Debug, Write};
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use crate::text::ParseError;

mod sealed {
    pub trait Sealed {}
}

/// A machine word that holds a state code: `u32`, `u64` (the default of every code) or `u128`.
///
/// Use the narrowest word that holds all plugs: a layer of millions of states is bound by memory.
/// All operations cost one to three instructions. Shifts by [`BITS`](Word::BITS) or more panic if
/// overflow checks are enabled and are unspecified otherwise, like shifts of integers. The trait is
/// sealed: no other type can implement it.
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
    /// The number of bits in the word.
    const BITS: u32;
    /// The word without a set bit.
    const ZERO: Self;
    /// The word with only the lowest bit set.
    const ONE: Self;

    /// Converts the low bits of `bits`; the bits that do not fit are dropped.
    #[inline]
    #[must_use]
    fn from_low(bits: u64) -> Self {
        Self::from_pattern(bits.into())
    }

    /// Converts the low bits of a pattern of 128 bits.
    #[must_use]
    fn from_pattern(bits: u128) -> Self;

    /// Returns the low 64 bits.
    #[must_use]
    fn low(self) -> u64;

    /// Returns the lowest eight bits.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // truncation is intended
    fn lowest_byte(self) -> u8 {
        self.low() as u8
    }

    /// Returns the highest eight bits.
    #[inline]
    #[must_use]
    fn highest_byte(self) -> u8 {
        (self >> (Self::BITS - 8)).lowest_byte()
    }

    /// Returns the number of zeros below the lowest set bit; [`BITS`](Word::BITS) if no bit is set.
    #[must_use]
    fn trailing_zeros(self) -> u32;

    /// Returns the number of zeros above the highest set bit; [`BITS`](Word::BITS) if no bit is
    /// set.
    #[must_use]
    fn leading_zeros(self) -> u32;

    /// Returns the number of set bits.
    #[must_use]
    fn count_ones(self) -> u32;

    /// Returns the sum modulo 2 to the power of [`BITS`](Word::BITS).
    #[must_use]
    fn wrapping_add(self, other: Self) -> Self;

    /// Returns the difference modulo 2 to the power of [`BITS`](Word::BITS).
    #[must_use]
    fn wrapping_sub(self, other: Self) -> Self;

    /// Returns the product modulo 2 to the power of [`BITS`](Word::BITS).
    #[must_use]
    fn wrapping_mul(self, other: Self) -> Self;

    /// Returns the word without its lowest set bit; zero for zero.
    #[inline]
    #[must_use]
    fn without_lowest(self) -> Self {
        self & self.wrapping_sub(Self::ONE)
    }

    /// Returns the word with its `count` lowest bits set, or all bits if it has fewer.
    #[inline]
    #[must_use]
    fn low_ones(count: u32) -> Self {
        if count >= Self::BITS { !Self::ZERO } else { (Self::ONE << count).wrapping_sub(Self::ONE) }
    }
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl sealed::Sealed for $word {}

        #[allow(clippy::cast_possible_truncation)] // truncation is intended
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline]
            fn from_pattern(bits: u128) -> Self {
                bits as $word
            }
            #[inline]
            fn low(self) -> u64 {
                self as u64
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

/// Implements `Debug` for a code: the name of its type, and its plugs as displayed.
macro_rules! debug_as_displayed {
    ($code:ident<W $(, $bits:ident)?>) => {
        impl<W: Word $(, const $bits: u32)?> fmt::Debug for $code<W $(, $bits)?> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($code), "({})"), self)
            }
        }
    };
}
pub(super) use debug_as_displayed;

/// Implements what is the same for all codes of plugs with a field of bits each, which is zero if
/// the plug is empty. `$plug` and `$empty` are the words of the code for "plug" and "empty".
macro_rules! fields {
    ($code:ident<W $(, $bits:ident)?>, $width:expr, $plug:literal, $empty:literal) => {
        $crate::plug::code::word::debug_as_displayed!($code<W $(, $bits)?>);

        impl<W: Word $(, const $bits: u32)?> $code<W $(, $bits)?> {
            /// Returns the word.
            #[inline]
            #[must_use]
            pub fn word(self) -> W {
                self.0
            }

            #[doc = concat!("Returns whether all ", $plug, "s are ", $empty, ".")]
            #[inline]
            #[must_use]
            pub fn is_empty(self) -> bool {
                self.0 == W::ZERO
            }

            #[doc = concat!(
                "Returns one more than the last ", $plug, " that is not ", $empty,
                "; 0 if all are ", $empty, "."
            )]
            #[inline]
            #[must_use]
            pub fn len(self) -> usize {
                (W::BITS - self.0.leading_zeros()).div_ceil($width) as usize
            }

            /// Returns the position of the lowest bit of a field.
            #[inline]
            fn at(plug: usize) -> u32 {
                position(plug, $width, Self::CAPACITY)
            }
        }
    };
}
pub(super) use fields;

/// Returns the position of the lowest bit of a plug, in a code of `capacity` plugs of `bits` bits.
///
/// Every access to a plug uses this check. A shift beyond the word would otherwise access another
/// plug where overflow checks are disabled.
#[inline]
#[allow(clippy::cast_possible_truncation)] // plugs are far fewer
pub(super) fn position(plug: usize, bits: u32, capacity: usize) -> u32 {
    if plug >= capacity {
        no_such_plug(plug, capacity)
    }
    bits * plug as u32
}

#[cold]
#[inline(never)]
fn no_such_plug(plug: usize, capacity: usize) -> ! {
    panic!("plug {plug} of a code of {capacity} plugs: check the width with `fits`")
}

/// Panics unless the precondition of an operation on a code holds. This is checked in every build:
/// the result would be the code of another state.
#[inline]
pub(super) fn require<C: fmt::Display>(holds: bool, code: C, precondition: &'static str) {
    if !holds {
        refuse(code, precondition)
    }
}

// Takes the code by value, so that the caller can keep it in registers.
#[cold]
#[inline(never)]
fn refuse<C: fmt::Display>(code: C, precondition: &'static str) -> ! {
    panic!("{precondition}, in {code}")
}

/// Draws the plugs of a code of `capacity` plugs, each as a character: at least one, at least
/// `plugs`, and at least as many as the formatter's width.
pub(super) fn draw(
    f: &mut fmt::Formatter<'_>,
    (plugs, capacity): (usize, usize),
    mut character: impl FnMut(usize) -> char,
) -> fmt::Result {
    let width = f.width().unwrap_or(1);
    (0..plugs.max(width).max(1))
        .try_for_each(|plug| f.write_char(if plug < capacity { character(plug) } else { '.' }))
}

/// Reads a code of at most `capacity` plugs.
///
/// `place` adds one character to the code at a plug, or returns what it expected there.
///
/// # Errors
///
/// Returns an error with the column of a character that `place` refuses, or of the first plug that
/// does not fit.
pub(super) fn read<S>(
    text: &str,
    capacity: usize,
    empty: S,
    mut place: impl FnMut(S, usize, char) -> Result<S, &'static str>,
) -> Result<S, ParseError> {
    let plugs = text.chars().count();
    if plugs > capacity {
        let message = format!("found {plugs} plugs, expected at most {capacity} in this word");
        return Err(ParseError::at(1, capacity + 1, message));
    }
    text.chars().enumerate().try_fold(empty, |code, (plug, found)| {
        place(code, plug, found).map_err(|expected| {
            let found = found.escape_debug();
            ParseError::at(1, plug + 1, format!("found `{found}`, expected {expected}"))
        })
    })
}
