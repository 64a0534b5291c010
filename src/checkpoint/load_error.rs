//! Errors of reading a file: [`LoadError`].

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::fingerprint::Fingerprint;
use super::save_error::{LockError, error_of_a_file, write_in_use, write_unstated};

/// The reason why a file was refused. None of its data are used then. Functions that know the path
/// of the file return [`InFile`](LoadError::InFile) with the path and the
/// [reason](LoadError::reason).
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// Another error, with the path of the file.
    InFile {
        /// The file.
        path: PathBuf,
        /// The error, which is not another `InFile`.
        error: Box<LoadError>,
    },
    /// The file could not be read.
    Io(io::Error),
    /// Another run holds the lock of the file, in this process or another one.
    InUse {
        /// The lock file.
        lock: PathBuf,
    },
    /// It does not begin like a file of this crate.
    NotOurs,
    /// It was written in another version of the format.
    OtherVersion {
        /// The version of the file.
        found: u16,
        /// The version that this crate reads.
        expected: u16,
    },
    /// It holds another kind of data.
    OtherKind {
        /// The kind of data in the file, if it is known.
        found: Option<&'static str>,
        /// The expected kind of data.
        expected: &'static str,
    },
    /// It is truncated.
    Truncated {
        /// The number of the record that is incomplete or missing. The header is number 0.
        record: u64,
        /// The length of the file in bytes.
        found: u64,
        /// The least length that was expected.
        expected: u64,
    },
    /// Some of its bytes have changed.
    Damaged {
        /// The number of the changed record. The header is number 0.
        record: u64,
        /// The positions of the bytes among which the change is, from 0.
        bytes: Range<u64>,
        /// The checksum of all bytes up to the end of these.
        found: u32,
        /// The checksum stored in the file.
        expected: u32,
    },
    /// It continues after its end.
    TrailingBytes {
        /// The position where the file should end, from 0.
        at: u64,
    },
    /// A hook, a brancher or the question of the run to be resumed has not stated its
    /// [parameters](crate::Hook::parameters), so it is unknown whether the file belongs to it.
    Unstated {
        /// The hook, the brancher or the question.
        part: String,
    },
    /// It belongs to another problem or instance, or to another brancher or other hooks.
    OtherFingerprint {
        /// The fingerprint of the file.
        found: Box<Fingerprint>,
        /// The expected fingerprint.
        expected: Box<Fingerprint>,
    },
    /// It belongs to the same problem, but to another question.
    OtherQuestion {
        /// The question of the file: the [name](crate::plug::Algebra::name) of its algebra, and
        /// the digest of its [parameters](crate::plug::Algebra::parameters) if it has any.
        found: String,
        /// The expected question.
        expected: String,
    },
    /// It is undamaged, but no run can have written its data: for example, it holds choices of
    /// another type.
    Inconsistent {
        /// The contradiction.
        reason: String,
    },
}

impl LoadError {
    /// Returns whether the content of the file is unusable, and not just that of another run.
    #[cfg(feature = "timely")]
    pub(crate) fn is_damage(&self) -> bool {
        use LoadError::{Damaged, Inconsistent, NotOurs, TrailingBytes, Truncated};
        matches!(
            self.reason(),
            NotOurs
                | Truncated { .. }
                | Damaged { .. }
                | TrailingBytes { .. }
                | Inconsistent { .. }
        )
    }
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> Self {
        LoadError::Io(error)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::InFile { path, error } => write!(f, "{}: {error}", path.display()),
            LoadError::Io(error) => write!(f, "cannot be read: {error}"),
            LoadError::InUse { lock } => write_in_use(f, lock),
            LoadError::NotOurs => {
                f.write_str("not a saved run: expected a file that begins with SECATEUR")
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
            LoadError::Truncated { record, found, expected } => {
                write!(
                    f,
                    "truncated: it ends at byte {found}, in record {record}, expected at least \
                    {expected} bytes"
                )
            }
            LoadError::Damaged { record, bytes: Range { start, end }, found, expected } => {
                write!(
                    f,
                    "damaged: in record {record}, at bytes {start} to {}: found the checksum \
                    {found:08x}, expected {expected:08x}",
                    end.saturating_sub(1)
                )
            }
            LoadError::TrailingBytes { at } => {
                write!(f, "has bytes after its end, which is at byte {at}")
            }
            LoadError::Unstated { part } => write_unstated(f, part),
            LoadError::OtherFingerprint { found, expected } => {
                write!(f, "belongs to another run: {}", expected.difference(found))
            }
            LoadError::OtherQuestion { found, expected } => {
                write!(f, "belongs to another question: found `{found}`, expected `{expected}`")
            }
            LoadError::Inconsistent { reason } => {
                write!(f, "undamaged, but its data contradict each other or this problem: {reason}")
            }
        }
    }
}

error_of_a_file!(LoadError);
