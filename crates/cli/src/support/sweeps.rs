//! Saving and resuming of sweeps, with the same options as for searches.

use super::checkpoint::Options;
use super::{Failure, interrupt};

/// States that can be saved.
pub trait State: serde::Serialize + serde::de::DeserializeOwned {}
impl<S: serde::Serialize + serde::de::DeserializeOwned> State for S {}

/// The checkpoint file of a sweep.
pub struct Saved {
    file: secateurs::plug::SweepCheckpoint,
    resume: bool,
}

impl Options {
    /// Returns the checkpoint file of a sweep, if saving was requested. `name` and `data` identify
    /// the sweep.
    pub fn sweep(&self, name: &str, data: &str) -> Result<Option<Saved>, Failure> {
        let Some((path, resume)) = self.path() else { return Ok(None) };
        let fingerprint = secateurs::checkpoint::Fingerprint::new(name, data);
        let file = secateurs::plug::SweepCheckpoint::new(path, self.every(), fingerprint)
            .on_error(|error| eprintln!("warning: {error}"));
        Ok(Some(Saved { file, resume }))
    }
}

impl Saved {
    /// Begins the sweep, or resumes it.
    pub fn begin<'c, S>(
        &'c mut self,
        begin: impl FnOnce(
            &'c mut secateurs::plug::SweepCheckpoint,
        ) -> Result<S, secateurs::checkpoint::SaveError>,
        resume: impl FnOnce(
            &'c mut secateurs::plug::SweepCheckpoint,
        ) -> Result<S, secateurs::checkpoint::LoadError>,
    ) -> Result<S, Failure> {
        Ok(if self.resume {
            interrupt::while_reading(|| resume(&mut self.file))?
        } else {
            begin(&mut self.file)?
        })
    }

    /// Prints how to resume a sweep that has stopped, unless it is finished or cannot be resumed.
    pub fn print_how_to_resume(&self, stop: secateurs::Stop) {
        use secateurs::Stop::{CountOverflow, Exhausted, StateTooWide};

        if self.file.error().is_none() && !matches!(stop, Exhausted | CountOverflow | StateTooWide)
        {
            eprintln!("saved: go on with --resume {}", self.file.path().display());
        }
    }
}
