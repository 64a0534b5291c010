//! The files of a directory of journals: their names, their lock, and [`JournalError`].

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use crate::checkpoint::{Fingerprint, LoadError, Lock, SaveError};

/// The run and process in the name of a journal, ordered by run and then by process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileName {
    pub(super) run: u64,
    pub(super) process: u32,
}

impl FileName {
    pub(super) fn within(self, directory: &Path) -> PathBuf {
        directory.join(self.text())
    }

    fn text(self) -> String {
        format!("run-{:06}-process-{:04}.journal", self.run, self.process)
    }

    fn parse(text: &str) -> Option<Self> {
        let (run, process) =
            text.strip_prefix("run-")?.strip_suffix(".journal")?.split_once("-process-")?;
        let name = FileName { run: run.parse().ok()?, process: process.parse().ok()? };
        // Other spellings of the same numbers are not names that this crate writes.
        (name.text() == text).then_some(name)
    }
}

/// Returns the journals in a directory, sorted; none if the directory does not exist.
pub(super) fn list(directory: &Path) -> Result<Vec<FileName>, JournalError> {
    let names = || -> io::Result<Vec<FileName>> {
        let entries = match fs::read_dir(directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            names.extend(entry?.file_name().to_str().and_then(FileName::parse));
        }
        names.sort_unstable();
        Ok(names)
    };
    names().map_err(JournalError::load(directory))
}

/// A directory whose journals may be replaced, because each of them belongs to this search or is
/// damaged.
#[derive(Debug)]
pub(crate) struct Directory {
    pub(super) path: PathBuf,
    pub(super) fingerprint: Fingerprint,
    /// The journals found, sorted.
    pub(super) found: Vec<FileName>,
}

/// Locks a directory of journals against other clusters, as process 0. The directory is created if
/// it does not exist.
///
/// # Errors
/// Returns an error if the directory cannot be created or locked, or another run holds the lock.
pub(crate) fn lock_directory(directory: &Path) -> Result<Lock, JournalError> {
    create_directory(directory)?;
    Lock::of_directory(directory).map_err(JournalError::load(directory))
}

pub(super) fn create_directory(directory: &Path) -> Result<(), JournalError> {
    fs::create_dir_all(directory).map_err(JournalError::save(directory))
}

/// An error of writing or reading the journals of a search on a cluster.
#[derive(Debug)]
pub(crate) enum JournalError {
    /// The directory, the file of a process or a record in it could not be written. Work that is
    /// not recorded would have to be repeated.
    Save {
        /// The file, or the directory of journals.
        path: PathBuf,
        /// The cause.
        error: SaveError,
    },
    /// The directory could not be locked or read, or a file in it cannot be used as a journal of
    /// this search. All files are left unchanged.
    Load {
        /// The file, or the directory of journals.
        path: PathBuf,
        /// The cause.
        error: LoadError,
    },
}

impl JournalError {
    pub(super) fn save<E: Into<SaveError>>(path: &Path) -> impl FnOnce(E) -> Self {
        |error| JournalError::Save { path: path.to_owned(), error: error.into() }
    }

    pub(super) fn load<E: Into<LoadError>>(path: &Path) -> impl FnOnce(E) -> Self {
        |error| JournalError::Load { path: path.to_owned(), error: error.into() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_journals_are_parsed() {
        let name = FileName { run: 12, process: 3 };
        assert_eq!(name.text(), "run-000012-process-0003.journal");
        assert_eq!(FileName::parse(&name.text()), Some(name));
        let name = FileName { run: 12_345_678, process: 54_321 };
        assert_eq!(FileName::parse(&name.text()), Some(name));
        for other in [
            "run-12-process-0003.journal",
            "run-000012-process-0003.journal.part",
            "run-+00012-process-0003.journal",
        ] {
            assert_eq!(FileName::parse(other), None, "{other}");
        }
    }
}
