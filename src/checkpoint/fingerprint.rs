//! By what a file is known to belong to a search: [`Fingerprint`].

use std::fmt;

use serde::{Deserialize, Serialize};

use super::SaveError;
use crate::hook::Effect;

/// Of which problem and which hooks a file is.
///
/// It has a name, a digest of as much of the problem as its maker puts into it, and the names and effects of the hooks, in
/// their order, which a search [adds itself](crate::Search::fingerprint).
///
/// ```
/// use secateurs::checkpoint::Fingerprint;
///
/// let weights = vec![3, 4, 2, 5];
/// let fingerprint = Fingerprint::new("knapsack").with(&weights)?;
/// assert_ne!(fingerprint, Fingerprint::new("knapsack").with(&[3, 4, 2, 6])?);
/// # Ok::<(), secateurs::checkpoint::SaveError>(())
/// ```
///
/// # What it cannot tell
///
/// It knows of the problem what it was given, and of hooks what they are called and claim. It does not see a change of the
/// program (of how a problem makes its choices, or of what a hook of the same name cuts off), nor which brancher orders the
/// children, nor what is optimised, and no names of types, which change with the compiler and when code is moved. Put into
/// it, by [`with`](Fingerprint::with), whatever changes the tree: seeds, orders, switches, the version of the program. The
/// time of two runs that do not fit together is lost at best; at worst the answer is wrong.
///
/// # How it is made
///
/// What it is given is written in the form of postcard, which does not depend on machine or compiler (as what
/// [`Hash`](std::hash::Hash) gives would), and digested to 128 bits by FNV-1a (Fowler, Noll and Vo 1991). Two problems have the same
/// digest by accident once in 10³⁸ times; to make such a pair on purpose is not hard.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint {
    name: String,
    digest: u128,
    hooks: Vec<(String, Effect)>,
}

/// The digest of nothing, and what each byte multiplies it by.
const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl Fingerprint {
    /// The fingerprint of a problem of this name, which says all there is to it, as `"16-queens"` does, or is followed
    /// by [data](Fingerprint::with).
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Fingerprint { name: name.into(), digest: OFFSET, hooks: Vec::new() }
    }

    /// Adds data, such as the numbers of an instance or the text of a board. Cost: in proportion to its size.
    ///
    /// # Errors
    /// [`SaveError::Unsuitable`] if `data` refuses to be serialised, or has a sequence of unknown length.
    pub fn with(mut self, data: &(impl Serialize + ?Sized)) -> Result<Self, SaveError> {
        let bytes = postcard::to_allocvec(data);
        let bytes = bytes.map_err(|error| SaveError::Unsuitable { reason: error.to_string() })?;
        // With the length, two pieces of data are never taken for another two.
        for byte in (bytes.len() as u64).to_le_bytes().into_iter().chain(bytes) {
            self.digest = (self.digest ^ u128::from(byte)).wrapping_mul(PRIME);
        }
        Ok(self)
    }

    /// The same problem with these hooks, whatever they were before.
    pub(crate) fn with_hooks(self, hooks: Vec<(String, Effect)>) -> Self {
        Fingerprint { hooks, ..self }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.name)?;
        if self.digest != OFFSET {
            write!(f, " (digest {:032x})", self.digest)?;
        }
        if self.hooks.is_empty() {
            return f.write_str(" without hooks");
        }
        for (index, (name, effect)) in self.hooks.iter().enumerate() {
            write!(f, "{}`{name}` ({effect})", if index == 0 { " with the hooks " } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        let digest =
            |bytes: &[u8]| bytes.iter().fold(OFFSET, |digest, &byte| (digest ^ u128::from(byte)).wrapping_mul(PRIME));
        // Test vectors of FNV-1a with 128 bits.
        assert_eq!(digest(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
        assert_eq!(digest(b"foobar"), 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18);
        // These files must be read for ever.
        let fingerprint = Fingerprint::new("any").with(&[3u8, 4]).expect("numbers");
        assert_eq!(fingerprint.digest, digest(&[2, 0, 0, 0, 0, 0, 0, 0, 3, 4]));
    }

    #[test]
    fn data_of_other_boundaries_are_other_data() {
        let of = |data: [&str; 2]| Fingerprint::new("").with(data[0]).and_then(|print| print.with(data[1]));
        assert_ne!(of(["a", "bc"]).expect("text"), of(["ab", "c"]).expect("text"));
    }

    #[test]
    fn it_says_what_it_is_of() {
        let fingerprint = Fingerprint::new("8-queens");
        assert_eq!(fingerprint.to_string(), "`8-queens` without hooks");
        let hooks = vec![("mirror".to_owned(), Effect::Representatives), ("b".to_owned(), Effect::Lossy)];
        let fingerprint = fingerprint.with_hooks(hooks).with("data").expect("text");
        let text = fingerprint.to_string();
        assert!(text.starts_with("`8-queens` (digest "), "{text}");
        assert!(text.ends_with(") with the hooks `mirror` (representatives), `b` (lossy)"), "{text}");
    }
}
