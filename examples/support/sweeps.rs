//! The options by which a search is saved and resumed, for sweeps.

use super::checkpoint::Options;
use super::{Failure, interrupt};

/// States that can be saved.
pub trait State: serde::Serialize + serde::de::DeserializeOwned {}
impl<S: serde::Serialize + serde::de::DeserializeOwned> State for S {}

/// The file of a sweep.
pub struct Saved {
    file: secateurs::plug::SweepCheckpoint,
    resume: bool,
}

impl Options {
    /// The file in which a sweep is to be saved, if that was asked for; `name` and `data` say which
    /// sweep it is.
    pub fn sweep(&self, name: &str, data: &str) -> Result<Option<Saved>, Failure> {
        let Some((path, resume)) = self.path() else { return Ok(None) };
        let fingerprint = secateurs::checkpoint::Fingerprint::new(name, data);
        let warning = format!("warning: {}", path.display());
        let file = secateurs::plug::SweepCheckpoint::new(path, self.every(), fingerprint)
            .on_error(move |error| eprintln!("{warning}: {error}"));
        Ok(Some(Saved { file, resume }))
    }
}

impl Saved {
    /// Begins, or goes on.
    pub fn begin<'c, S>(
        &'c mut self,
        begin: impl FnOnce(
            &'c mut secateurs::plug::SweepCheckpoint,
        ) -> Result<S, secateurs::checkpoint::SaveError>,
        resume: impl FnOnce(
            &'c mut secateurs::plug::SweepCheckpoint,
        ) -> Result<S, secateurs::checkpoint::LoadError>,
    ) -> Result<S, Failure> {
        let shown = self.file.path().display().to_string();
        let begun = if self.resume {
            interrupt::while_reading(|| resume(&mut self.file)).map_err(Failure::from)
        } else {
            begin(&mut self.file).map_err(Failure::from)
        };
        begun.map_err(|error| format!("{shown}: {error}").into())
    }

    /// An error that the file is to blame for.
    pub fn about(&self, error: secateurs::checkpoint::LoadError) -> Failure {
        format!("{}: {error}", self.file.path().display()).into()
    }

    /// Says how to go on with a sweep that has stopped, unless there is nothing to go on with.
    pub fn say_how_to_go_on(&self, stop: secateurs::Stop) {
        use secateurs::Stop::{CountOverflow, Exhausted, StateTooWide};

        if self.file.error().is_none() && !matches!(stop, Exhausted | CountOverflow | StateTooWide)
        {
            eprintln!("saved: go on with --resume {}", self.file.path().display());
        }
    }
}
