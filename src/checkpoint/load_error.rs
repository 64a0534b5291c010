//! Why a file could not be read: [`LoadError`].

use std::error::Error;
use std::path::PathBuf;
use std::{fmt, io};

use super::fingerprint::Fingerprint;
use super::save_error::{write_in_use, write_unstated};

/// Why a file was not taken for what was expected. Nothing of it is used then.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file could not be read.
    Io(io::Error),
    /// Another run saves under this name, in this process or another one.
    InUse {
        /// The file whose lock it holds.
        lock: PathBuf,
    },
    /// It does not begin like a file of this crate.
    Foreign,
    /// It was written by another version of this crate.
    OtherVersion {
        /// The version of its format.
        found: u16,
        /// The version that can be read.
        expected: u16,
    },
    /// It holds something else.
    OtherKind {
        /// What it holds, if that is known.
        found: Option<&'static str>,
        /// What was expected.
        expected: &'static str,
    },
    /// It ends too early.
    CutShort {
        /// How many bytes there are.
        found: u64,
        /// How many there should be at least.
        expected: u64,
    },
    /// Some of its bytes are not those that were written.
    Damaged {
        /// The bytes from the first on among which there are wrong ones.
        bytes: u64,
        /// The checksum of these bytes.
        found: u32,
        /// The checksum that was written with them.
        expected: u32,
    },
    /// There is more behind its end.
    TrailingBytes {
        /// At which byte the file should end, from 0.
        at: u64,
    },
    /// A hook or a brancher of the search that is to go on from it has not stated its
    /// [parameters](crate::Hook::parameters): whether the file belongs to it is not known.
    Unstated {
        /// Which one.
        part: String,
    },
    /// It belongs to another problem or another instance, or was made with another brancher or
    /// other hooks.
    OtherFingerprint {
        /// The fingerprint of the file.
        found: Box<Fingerprint>,
        /// The fingerprint that was expected.
        expected: Box<Fingerprint>,
    },
    /// It is of the same problem, but something else was being computed.
    OtherQuestion {
        /// What, as its [algebra](crate::plug::Algebra::name) is called.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// It is undamaged, but its data are not those of a run: it holds choices of another type, for
    /// example.
    Unsound {
        /// What is wrong.
        reason: String,
    },
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> Self {
        LoadError::Io(error)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Io(error) => write!(f, "cannot be read: {error}"),
            LoadError::InUse { lock } => write_in_use(f, lock),
            LoadError::Foreign => {
                f.write_str("not a saved search: expected a file that begins with SECATEUR")
            }
            LoadError::OtherVersion { found, expected } => {
                write!(
                    f,
                    "written by another version of this program: found format {found}, expected \
                    {expected}"
                )
            }
            LoadError::OtherKind { found, expected } => {
                write!(f, "holds {}, expected {expected}", found.unwrap_or("something unknown"))
            }
            LoadError::CutShort { found, expected } => {
                write!(f, "cut short: it ends at byte {found}, expected at least {expected} bytes")
            }
            LoadError::Damaged { bytes, found, expected } => {
                write!(
                    f,
                    "damaged: the first {bytes} bytes have the checksum {found:08x}, expected \
                    {expected:08x}"
                )
            }
            LoadError::TrailingBytes { at } => {
                write!(f, "has bytes behind its end, which is at byte {at}")
            }
            LoadError::Unstated { part } => write_unstated(f, part),
            LoadError::OtherFingerprint { found, expected } => {
                write!(f, "belongs to another search: {}", expected.difference(found))
            }
            LoadError::OtherQuestion { found, expected } => {
                write!(f, "belongs to another question: it is of `{found}`, expected `{expected}`")
            }
            LoadError::Unsound { reason } => {
                write!(f, "undamaged, but not what is left of such a search: {reason}")
            }
        }
    }
}

impl Error for LoadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            LoadError::Io(error) => Some(error),
            _ => None,
        }
    }
}
