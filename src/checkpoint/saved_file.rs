//! The file of a run that is saved again and again, and what became of it.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::fingerprint::Fingerprint;
use super::save_error::SaveError;

/// Is told of what went wrong.
type OnError = Box<dyn FnMut(&SaveError) + Send>;

pub(crate) struct SavedFile {
    pub(crate) path: PathBuf,
    /// At least this long between two times.
    pub(crate) every: Duration,
    /// Of the problem alone, and with the hooks of the run that uses it.
    pub(crate) problem: Fingerprint,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) on_error: Option<OnError>,
    /// Why the last attempt failed, if it did.
    pub(crate) error: Option<SaveError>,
    /// Attempts that did not.
    pub(crate) saves: u64,
}

impl SavedFile {
    pub(crate) fn new(path: PathBuf, every: Duration, problem: Fingerprint) -> Self {
        SavedFile {
            path,
            every,
            fingerprint: problem.clone(),
            problem,
            on_error: None,
            error: None,
            saves: 0,
        }
    }

    /// Takes note of how an attempt to save went; if it failed, an error is what to say of it.
    pub(crate) fn record(&mut self, saved: Result<(), SaveError>) -> Result<(), String> {
        self.error = saved.err();
        let Some(error) = &self.error else {
            self.saves += 1;
            return Ok(());
        };
        if let Some(on_error) = &mut self.on_error {
            on_error(error);
        }
        Err(format!("{}: {error}", self.path.display()))
    }

    pub(crate) fn debug(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        let SavedFile { path, every, fingerprint, error, saves, .. } = self;
        f.debug_struct(name)
            .field("path", path)
            .field("every", every)
            .field("fingerprint", fingerprint)
            .field("saves", saves)
            .field("error", error)
            .finish_non_exhaustive()
    }
}
