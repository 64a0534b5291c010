//! The options that have a search saved while it runs, and resumed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use secateurs::search::Parts;
use secateurs::{Brancher, Hooks, Problem, Search};

use super::Failure;

#[derive(Args)]
#[group(id = "saving")]
pub struct Options {
    /// Save the search in this file while it runs, which must not be there yet. The program may be killed at any moment:
    /// --resume goes on.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    checkpoint: Option<PathBuf>,
    /// Go on with the search that was saved in this file, and save it there as it goes on. All else must be as it was.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// How often to save it.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    every: Duration,
}

/// A number of seconds of the command line.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "expected a number of seconds, such as 60 or 0.5".to_owned())
}

/// Choices that can be saved, if this program can save anything.
#[cfg(feature = "serde")]
pub trait Choice: Clone + serde::Serialize + serde::de::DeserializeOwned {}
#[cfg(feature = "serde")]
impl<C: Clone + serde::Serialize + serde::de::DeserializeOwned> Choice for C {}

/// Choices that can be saved, if this program can save anything: it cannot.
#[cfg(not(feature = "serde"))]
pub trait Choice: Clone {}
#[cfg(not(feature = "serde"))]
impl<C: Clone> Choice for C {}

impl Options {
    /// The one of the two options that was given, if any was.
    pub fn given(&self) -> Option<&'static str> {
        match (&self.checkpoint, &self.resume) {
            (Some(_), _) => Some("--checkpoint"),
            (_, Some(_)) => Some("--resume"),
            (None, None) => None,
        }
    }

    /// The file to save in, if any, and whether to go on from it.
    pub fn path(&self) -> Option<(&Path, bool)> {
        let begun = self.checkpoint.as_deref().map(|path| (path, false));
        begun.or(self.resume.as_deref().map(|path| (path, true)))
    }

    /// How often to save.
    pub fn every(&self) -> Duration {
        self.every
    }

    /// This program can save nothing: an error if it was asked for.
    pub fn refuse(&self) -> Result<(), Failure> {
        match self.given() {
            Some(option) => {
                Err(format!("{option} needs a program that was built with `cargo run --features serde`").into())
            }
            None => Ok(()),
        }
    }

    /// Runs a search, saved if that was asked for; `name` and `data` say which search it is.
    #[cfg(feature = "serde")]
    pub fn run<P, B, H, X, T>(
        &self,
        search: Search<'_, P, B, H, X>,
        name: String,
        data: &[&str],
        run: impl FnOnce(Search<'_, P, B, H, X, Parts>) -> Result<T, Failure>,
    ) -> Result<T, Failure>
    where
        P: Problem<Choice: Choice>,
        B: Brancher<P>,
        H: Hooks<P>,
    {
        use secateurs::checkpoint::Fingerprint;
        use secateurs::search::Checkpoint;

        let fingerprint = Fingerprint::new(name).with(data)?;
        let Some((path, resume)) = self.path() else {
            return run(search.frontier(&mut secateurs::search::Frontier::new()));
        };
        let shown = path.display();
        let warning = format!("warning: {shown}");
        let mut checkpoint =
            Checkpoint::new(path, self.every, fingerprint).on_error(move |error| eprintln!("{warning}: {error}"));
        let value = if resume {
            run(search.resume(&mut checkpoint).map_err(|error| format!("{shown}: {error}"))?)
        } else {
            run(search.checkpoint(&mut checkpoint).map_err(|error| format!("{shown}: {error}"))?)
        };
        if checkpoint.error().is_none() && !checkpoint.frontier().is_exhausted() {
            eprintln!("saved: go on with --resume {shown}");
        }
        value
    }

    /// Runs a search; that it be saved must not have been asked for.
    #[cfg(not(feature = "serde"))]
    pub fn run<P, B, H, X, T>(
        &self,
        search: Search<'_, P, B, H, X>,
        _: String,
        _: &[&str],
        run: impl FnOnce(Search<'_, P, B, H, X, Parts>) -> Result<T, Failure>,
    ) -> Result<T, Failure>
    where
        P: Problem<Choice: Choice>,
        B: Brancher<P>,
        H: Hooks<P>,
    {
        self.refuse()?;
        run(search.frontier(&mut secateurs::search::Frontier::new()))
    }
}
