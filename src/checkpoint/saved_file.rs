//! The file of a run that is saved repeatedly: [`SavedFile`].

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::atomic::{create, remove_leftovers, replace};
use super::fingerprint::Fingerprint;
use super::load_error::LoadError;
use super::lock::Lock;
use super::save_error::SaveError;

/// A callback for failed saves.
type OnError = Box<dyn FnMut(&SaveError) + Send>;

/// The file of a run, the fingerprint of the run, and the results of its saves.
pub(crate) struct SavedFile {
    pub(crate) path: PathBuf,
    /// The least time between two saves.
    pub(crate) interval: Duration,
    /// The fingerprint of the problem alone.
    pub(crate) problem: Fingerprint,
    /// The fingerprint of the run, hooks included, once it has begun or resumed.
    pub(crate) fingerprint: Fingerprint,
    pub(crate) on_error: Option<OnError>,
    /// The error of the last attempt, if it failed.
    pub(crate) error: Option<SaveError>,
    /// The number of successful saves, not counting the creation of the file.
    pub(crate) saves: u64,
}

impl SavedFile {
    pub(crate) fn new(path: PathBuf, interval: Duration, problem: Fingerprint) -> Self {
        SavedFile {
            path,
            interval,
            fingerprint: problem.clone(),
            problem,
            on_error: None,
            error: None,
            saves: 0,
        }
    }

    /// Creates the file of a run with this fingerprint, and removes leftovers of killed processes.
    /// Returns the lock of the file, to be held as long as the run may save.
    pub(crate) fn begin(
        &mut self,
        fingerprint: Fingerprint,
        write: impl FnOnce(&mut File, &Fingerprint) -> Result<(), SaveError>,
    ) -> Result<Lock, SaveError> {
        self.fingerprint = fingerprint;
        let begin = || -> Result<Lock, SaveError> {
            let lock = Lock::of_file(&self.path)?;
            create(&self.path, |out| write(out, &self.fingerprint))?;
            Ok(lock)
        };
        let lock = begin().map_err(|error| error.in_file(&self.path))?;
        remove_leftovers(&self.path);
        event!(debug, path = %self.path.display(), "a checkpoint was saved");
        Ok(lock)
    }

    /// Reads the file of a run with this fingerprint. Returns the data and the lock of the file, to
    /// be held as long as the run may save.
    pub(crate) fn resume<T>(
        &mut self,
        fingerprint: Fingerprint,
        read: impl FnOnce(&Path, &Fingerprint) -> Result<T, LoadError>,
    ) -> Result<(T, Lock), LoadError> {
        self.fingerprint = fingerprint;
        let resume = || -> Result<(T, Lock), LoadError> {
            let lock = Lock::of_file(&self.path)?;
            Ok((read(&self.path, &self.fingerprint)?, lock))
        };
        let (data, lock) = resume().map_err(|error| error.in_file(&self.path))?;
        remove_leftovers(&self.path);
        event!(debug, path = %self.path.display(), "a checkpoint was resumed");
        Ok((data, lock))
    }

    /// Replaces the file. On failure, stores the error, passes it to the callback and returns its
    /// message.
    pub(crate) fn save(
        &mut self,
        write: impl FnOnce(&mut File, &Fingerprint) -> Result<(), SaveError>,
    ) -> Result<(), String> {
        let saved: Result<(), SaveError> = replace(&self.path, |out| write(out, &self.fingerprint));
        self.error = saved.err().map(|error| error.in_file(&self.path));
        let Some(error) = &self.error else {
            self.saves += 1;
            event!(debug, path = %self.path.display(), "a checkpoint was saved");
            return Ok(());
        };
        event!(
            warn,
            path = %self.path.display(),
            error = %error.reason(),
            "a checkpoint could not be saved"
        );
        if let Some(on_error) = &mut self.on_error {
            on_error(error);
        }
        Err(error.to_string())
    }
}

debug_fields!(impl[] SavedFile: path, interval, fingerprint, saves, error);

/// Defines the methods that the checkpoints of searches and of sweeps have in common, for a type
/// with a field `file`.
macro_rules! saved_file_methods {
    () => {
        /// Calls `callback` each time the running search or sweep cannot be saved.
        #[must_use]
        pub fn on_error(mut self, callback: impl FnMut(&SaveError) + Send + 'static) -> Self {
            self.file.on_error = Some(Box::new(callback));
            self
        }

        /// Returns the path of the file.
        #[must_use]
        pub fn path(&self) -> &Path {
            &self.file.path
        }

        /// Returns how often this process has saved the running search or sweep in the file.
        #[must_use]
        pub fn saves(&self) -> u64 {
            self.file.saves
        }

        /// Returns the reason why the last attempt to save the running search or sweep failed, if
        /// it did.
        #[must_use]
        pub fn error(&self) -> Option<&SaveError> {
            self.file.error.as_ref()
        }
    };
}
pub(crate) use saved_file_methods;
