//! The file of a run that is saved repeatedly: [`SavedFile`].

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::fingerprint::Fingerprint;
use super::save_error::SaveError;

/// A callback for failed saves.
type OnError = Box<dyn FnMut(&SaveError) + Send>;

pub(crate) struct SavedFile {
    pub(crate) path: PathBuf,
    /// The least time between two saves.
    pub(crate) every: Duration,
    /// The fingerprints of the problem alone, and with the hooks of the run.
    pub(crate) problem: Fingerprint,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) on_error: Option<OnError>,
    /// The error of the last attempt, if it failed.
    pub(crate) error: Option<SaveError>,
    /// The number of successful saves.
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

    /// Records the result of a save. Returns the message of an error.
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
