//! Why there is no journal.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::checkpoint::{LoadError, SaveError};

/// Why a journal of a search on a cluster could not be written or read.
#[derive(Debug)]
pub(crate) enum JournalError {
    /// What is done could not be written: it would have to be done again.
    Save {
        /// The file, or the directory of journals.
        path: PathBuf,
        /// Why.
        error: SaveError,
    },
    /// A file was not taken for a journal of this search. It is left as it is, as are all others in
    /// the directory.
    Load {
        /// The file, or the directory of journals.
        path: PathBuf,
        /// Why.
        error: LoadError,
    },
}

impl JournalError {
    pub(super) fn save(path: &Path) -> impl FnOnce(SaveError) -> Self {
        |error| JournalError::Save { path: path.to_owned(), error }
    }

    pub(super) fn load(path: &Path) -> impl FnOnce(LoadError) -> Self {
        |error| JournalError::Load { path: path.to_owned(), error }
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Save { path, error } => write!(f, "journal {}: {error}", path.display()),
            JournalError::Load { path, error } => write!(f, "journal {}: {error}", path.display()),
        }
    }
}

impl Error for JournalError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            JournalError::Save { error, .. } => Some(error),
            JournalError::Load { error, .. } => Some(error),
        }
    }
}
