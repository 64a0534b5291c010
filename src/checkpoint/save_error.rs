//! Errors of writing a file: [`SaveError`], and what it has in common with those of reading one.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// The reason why data were not saved. Functions that know the path of the file return
/// [`InFile`](SaveError::InFile) with the path and the [reason](SaveError::reason).
#[derive(Debug)]
#[non_exhaustive]
pub enum SaveError {
    /// Another error, with the path of the file.
    InFile {
        /// The file.
        path: PathBuf,
        /// The error, which is not another `InFile`.
        error: Box<SaveError>,
    },
    /// The file could not be written.
    Io(io::Error),
    /// The name is taken, and a new search must not overwrite the file.
    Exists,
    /// Another run holds the lock of the file, in this process or another one.
    InUse {
        /// The lock file.
        lock: PathBuf,
    },
    /// A choice, or the instance of a fingerprint, cannot be serialized, or its serialized form
    /// cannot be read again: its implementation of `serde`'s traits does not suit a format without
    /// field names. Untagged enums are an example.
    Unsuitable {
        /// The error of the serializer.
        reason: String,
    },
    /// A hook or a brancher has not stated its [parameters](crate::Hook::parameters), so its file
    /// could be mistaken for that of another one.
    Unstated {
        /// The hook or the brancher.
        part: String,
    },
    /// The objective of the search has no [name](crate::Objective::named), so its file could be
    /// mistaken for that of another one.
    Unnamed,
    /// The frontier is lost: [a run](crate::search::Frontier#lost-frontiers) that had
    /// taken it did not return it.
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
            SaveError::InFile { path, error } => write!(f, "{}: {error}", path.display()),
            SaveError::Io(error) => write!(f, "cannot be saved: {error}"),
            SaveError::Exists => {
                f.write_str("the file exists: resume from it, remove it, or choose another name")
            }
            SaveError::InUse { lock } => write_in_use(f, lock),
            SaveError::Unsuitable { reason } => {
                write!(f, "cannot be serialized so that it can be read again: {reason}")
            }
            SaveError::Unstated { part } => write_unstated(f, part),
            SaveError::Unnamed => f.write_str(UNNAMED),
            SaveError::Lost => {
                f.write_str("the frontier is lost: a panic interrupted the run that had taken it")
            }
        }
    }
}

pub(super) fn write_in_use(f: &mut fmt::Formatter<'_>, lock: &Path) -> fmt::Result {
    let lock = lock.display();
    write!(
        f,
        "in use by another run, which holds the lock {lock}: wait for its end, or choose another \
         name"
    )
}

/// The reason why a lock was not acquired.
#[derive(Debug)]
pub(crate) enum LockError {
    /// Another run holds this lock file.
    InUse(PathBuf),
    Io(io::Error),
}

/// Implements what both errors have in common.
macro_rules! error_of_a_file {
    ($error:ident) => {
        impl $error {
            /// Returns the error without the path of the file.
            #[must_use]
            pub fn reason(&self) -> &$error {
                match self {
                    $error::InFile { error, .. } => error.reason(),
                    reason => reason,
                }
            }

            /// Returns the path of the file, if the function that failed knew it.
            #[must_use]
            pub fn path(&self) -> Option<&Path> {
                match self {
                    $error::InFile { path, .. } => Some(path),
                    _ => None,
                }
            }

            /// Adds the path of the file, unless there is one.
            pub(crate) fn in_file(self, path: &Path) -> Self {
                match self {
                    $error::InFile { .. } => self,
                    error => $error::InFile { path: path.to_owned(), error: Box::new(error) },
                }
            }
        }

        impl From<LockError> for $error {
            fn from(error: LockError) -> Self {
                match error {
                    LockError::InUse(lock) => $error::InUse { lock },
                    LockError::Io(error) => $error::Io(error),
                }
            }
        }

        impl std::error::Error for $error {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                match self.reason() {
                    $error::Io(error) => Some(error),
                    _ => None,
                }
            }
        }
    };
}

pub(super) use error_of_a_file;

error_of_a_file!(SaveError);

/// The message about an objective without a name, which several errors share.
pub(crate) const UNNAMED: &str =
    "the objective has no name, by which other runs could recognise it: call `Objective::named`";

/// Writes the message about a part without stated parameters, which several errors share.
pub(crate) fn write_unstated(f: &mut fmt::Formatter<'_>, part: &str) -> fmt::Result {
    write!(
        f,
        "{part} has data, such as a captured value or a function pointer, and has not stated its \
         parameters: set its `parameters`"
    )
}

/// Converts an error of serialization.
pub(crate) fn unsuitable(error: postcard::Error) -> SaveError {
    SaveError::Unsuitable { reason: error.to_string() }
}
