//! The options that have a search saved while it runs, and resumed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use secateurs::search::FromFrontier;
use secateurs::{Brancher, Hooks, Problem, Search};

use super::run::seconds;
use super::{Failure, interrupt};

#[derive(Args)]
#[group(id = "saving")]
pub struct Options {
    /// Save the search in this file while it runs, which must not be there yet. The program may be
    /// killed at any moment: --resume goes on.
    #[arg(long, value_name = "FILE", group = "saved")]
    checkpoint: Option<PathBuf>,
    /// Go on with the search that was saved in this file, and save it there as it goes on. All else
    /// but threads and limits must be as it was.
    #[arg(long, value_name = "FILE", group = "saved")]
    resume: Option<PathBuf>,
    /// How often to save it while it runs.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, requires = "saved")]
    every: Duration,
}

/// Choices that can be saved.
pub trait Choice:
    Clone + Send + std::fmt::Debug + serde::Serialize + serde::de::DeserializeOwned
{
}
impl<C: Clone + Send + std::fmt::Debug + serde::Serialize + serde::de::DeserializeOwned> Choice
    for C
{
}

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

    /// Runs a search, saved if that was asked for; `name` and `data` say which search it is. What
    /// is said of a file of another one names the first of the data, which is to be in words.
    pub fn run<P, B, H, X, T>(
        &self,
        search: Search<'_, P, B, H, X>,
        name: &str,
        data: &[&str],
        run: impl FnOnce(Search<'_, P, B, H, X, FromFrontier>) -> Result<T, Failure>,
    ) -> Result<T, Failure>
    where
        P: Problem<Choice: Choice>,
        B: Brancher<P>,
        H: Hooks<P>,
    {
        use secateurs::checkpoint::Fingerprint;
        use secateurs::search::Checkpoint;
        use secateurs::{Report, Stop};

        let words: Vec<&str> =
            data.first().into_iter().flat_map(|words| words.split_whitespace()).collect();
        let fingerprint = Fingerprint::new(format!("{name}: {}", words.join(" ")), data);
        let Some((path, resume)) = self.path() else {
            return run(search.frontier(&mut secateurs::search::Frontier::new()));
        };
        let shown = path.display();
        let warning = format!("warning: {shown}");
        let mut checkpoint = Checkpoint::new(path, self.every, fingerprint)
            .on_error(move |error| eprintln!("{warning}: {error}"));
        let value = if resume {
            run(interrupt::while_reading(|| search.resume(&mut checkpoint))
                .map_err(|error| format!("{shown}: {error}"))?)
        } else {
            run(search.checkpoint(&mut checkpoint).map_err(|error| format!("{shown}: {error}"))?)
        };
        // Who has the first solution does not go on.
        let stop = checkpoint.frontier().report().map(Report::stop);
        let goes_on = stop
            .is_some_and(|stop| !matches!(stop, Stop::Exhausted | Stop::Satisfied | Stop::Paused));
        if checkpoint.error().is_none() && goes_on {
            eprintln!("saved: go on with --resume {shown}");
        }
        value
    }
}
