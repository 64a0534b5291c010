//! Digests of data, which identify the problem of saved work: [`Digest`].

use std::any::type_name;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A digest of 128 bits: FNV-1a (Fowler, Noll and Vo 1991).
///
/// In contrast to the hashes of hash tables, it is meant for files: it is the same in every
/// process, and on all machines of the same byte order and pointer width. Single integers do not
/// depend on the machine: they are digested in little-endian order, and `usize` and `isize` as 64
/// bits. Slices of integers are digested as they are in memory.
///
/// Two different pieces of data have the same digest with a probability of about 2⁻¹²⁸, unless they
/// were constructed for that purpose, which is easy. A new version of the standard library may hash
/// a type in another way: files of earlier versions are then rejected, never mistaken for others.
///
/// ```
/// use secateurs::Digest;
///
/// assert_eq!(Digest::of(&[3u8, 4]), Digest::of(&[3u8, 4]));
/// assert_ne!(Digest::of(&("a", "bc")), Digest::of(&("ab", "c")));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Digest(u128);

/// The digest of no data.
const OFFSET_BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
/// The factor by which the digest is multiplied after each byte.
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl Digest {
    /// The digest of no data: that of a hook [without parameters](crate::Hook::parameters).
    pub const NONE: Self = Digest(OFFSET_BASIS);

    /// The parameters of a hook or a brancher that is switched off: a `None`, whose name is `off`.
    /// They differ from all others, except by a collision, so that another hook named `off` is not
    /// mistaken for it.
    pub(crate) const OFF: Self = Digest(0);

    /// Returns the digest of `data`. Cost: proportional to its size.
    pub fn of(data: &(impl Hash + ?Sized)) -> Self {
        let mut digest = Self::NONE;
        data.hash(&mut digest);
        digest
    }

    /// Returns the digest of the parameters of several parts together; `None` if a part has not
    /// stated its parameters.
    #[must_use]
    pub fn all<const N: usize>(parts: [Option<Self>; N]) -> Option<Self> {
        let mut digest = Self::NONE;
        for part in parts {
            part?.hash(&mut digest);
        }
        Some(digest)
    }

    /// Returns `None` for a value that takes memory, and otherwise the digest of its type: that of
    /// the name with all parameters if the type, or the function around a closure, is generic, and
    /// of no data if not. This is the default of the methods that state parameters.
    ///
    /// Another version of the compiler may write the name of a generic type in another way: files
    /// of earlier programs are then rejected.
    #[must_use]
    pub fn of_zero_sized<T: ?Sized>(value: &T) -> Option<Self> {
        (size_of_val(value) == 0).then(Self::of_type::<T>)
    }

    /// Returns the digest of the name of a generic type, or of no data for another type.
    pub(crate) fn of_type<T: ?Sized>() -> Self {
        let name = type_name::<T>();
        if name.contains('<') { Self::of(name) } else { Self::NONE }
    }
}

/// Writes numbers in the same form on every platform.
macro_rules! little_endian {
    ($($write:ident $number:ty as $written:ty),*) => {
        $(
            #[allow(clippy::unnecessary_cast, reason = "some are written as they are")]
            fn $write(&mut self, number: $number) {
                self.write(&(number as $written).to_le_bytes());
            }
        )*
    };
}

impl Hasher for Digest {
    /// Returns the low half of the digest.
    fn finish(&self) -> u64 {
        self.0 as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(PRIME);
        }
    }

    little_endian! {
        write_u16 u16 as u16, write_u32 u32 as u32, write_u64 u64 as u64, write_u128 u128 as u128,
        write_i16 i16 as u16, write_i32 i32 as u32, write_i64 i64 as u64, write_i128 i128 as u128,
        write_usize usize as u64, write_isize isize as i64
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_stable() {
        let of = |bytes: &[u8]| {
            let mut digest = Digest::NONE;
            digest.write(bytes);
            digest
        };
        // Test vectors of FNV-1a with 128 bits.
        assert_eq!(of(b"a"), Digest(0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964));
        assert_eq!(of(b"foobar"), Digest(0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18));
        // These digests are in files, so they must not change.
        assert_eq!(Digest::of(&7usize), of(&[7, 0, 0, 0, 0, 0, 0, 0]));
        assert_eq!(Digest::of(&-2i32), of(&[0xfe, 0xff, 0xff, 0xff]));
        assert_eq!(Digest::of("ab"), of(b"ab\xff"));
    }

    #[test]
    fn only_types_without_data_have_no_parameters() {
        fn of<const N: usize>() -> Option<Digest> {
            Digest::of_zero_sized(&|| N)
        }
        assert!(of::<7>().is_some() && of::<7>() == of::<7>() && of::<7>() != of::<8>());
        assert_eq!(Digest::of_zero_sized(&()), Some(Digest::NONE));
        let captured = 7;
        assert_eq!(Digest::of_zero_sized(&move || captured), None);
    }
}
