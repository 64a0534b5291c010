//! Why a file could not be written or read.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why data could not be saved.
#[derive(Debug)]
#[non_exhaustive]
pub enum SaveError {
    /// The file could not be written.
    Io(io::Error),
    /// There is something under this name, which a search that begins anew must not overwrite.
    Exists,
    /// Another run saves under this name, in this process or another one.
    InUse {
        /// The file whose lock it holds.
        lock: PathBuf,
    },
    /// A choice, or what a fingerprint was to be made from, cannot be written, or not be read
    /// again: it does not implement `serde`'s traits in a way that suits a form without names of
    /// fields (as with untagged enums).
    Unsuitable {
        /// What was said of it.
        reason: String,
    },
    /// A hook or a brancher has not stated its [parameters](crate::Hook::parameters): a file of it
    /// could be mistaken for that of another one.
    Unstated {
        /// Which one.
        part: String,
    },
    /// The frontier is lost: [a run](crate::search::Frontier#if-it-is-not-given-back) that had
    /// taken it up did not give it back.
    Lost,
}

impl From<io::Error> for SaveError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists => SaveError::Exists,
            _ => SaveError::Io(error),
        }
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveError::Io(error) => write!(f, "cannot be saved: {error}"),
            SaveError::Exists => f.write_str(
                "there is such a file already: go on from it, remove it, or take \
                 another name",
            ),
            SaveError::InUse { lock } => write_in_use(f, lock),
            SaveError::Unsuitable { reason } => {
                write!(f, "cannot be saved in a form that can be read again: {reason}")
            }
            SaveError::Unstated { part } => write_unstated(f, part),
            SaveError::Lost => f.write_str(
                "what is left of the search is lost: a panic broke off the run that \
                 had taken it up",
            ),
        }
    }
}

pub(super) fn write_in_use(f: &mut fmt::Formatter<'_>, lock: &Path) -> fmt::Result {
    let lock = lock.display();
    write!(
        f,
        "in use by another run, which holds the lock {lock}: wait for its end, or take another name"
    )
}

impl Error for SaveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SaveError::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// Writes the message about a part without stated parameters: one text for all errors.
pub(crate) fn write_unstated(f: &mut fmt::Formatter<'_>, part: &str) -> fmt::Result {
    write!(f, "{part} has data, and has not stated which parameters they are: set its `parameters`")
}

/// Converts an error of serialisation.
pub(crate) fn unsuitable(error: postcard::Error) -> SaveError {
    SaveError::Unsuitable { reason: error.to_string() }
}
