//! The options to save a search while it runs, and to resume it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use secateurs::search::{FromFrontier, Resumable, Strategy};
use secateurs::{Brancher, Hooks, Problem, Search};

use super::limits::time;
use super::{Failure, interrupt};

/// The options to save and resume a search.
#[derive(Args)]
#[group(id = "saving")]
pub struct Options {
    /// Save the search in this file while it runs. The file must not exist yet. The program may be
    /// killed at any moment, and --resume continues.
    #[arg(long, value_name = "FILE", group = "saved")]
    checkpoint: Option<PathBuf>,
    /// Continue the search that was saved in this file, and keep saving it there. Everything but
    /// threads and limits must be unchanged.
    #[arg(long, value_name = "FILE", group = "saved")]
    resume: Option<PathBuf>,
    /// Interval between saves.
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = time,
        requires = "saved")]
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
    /// Returns the name of the option that was given, `--checkpoint` or `--resume`, if any was.
    pub fn given(&self) -> Option<&'static str> {
        match (&self.checkpoint, &self.resume) {
            (Some(_), _) => Some("--checkpoint"),
            (_, Some(_)) => Some("--resume"),
            (None, None) => None,
        }
    }

    /// Returns the file to save in, if any, and whether to resume from it.
    pub fn path(&self) -> Option<(&Path, bool)> {
        let checkpoint = self.checkpoint.as_deref().map(|path| (path, false));
        checkpoint.or(self.resume.as_deref().map(|path| (path, true)))
    }

    /// Returns the interval between saves.
    pub fn every(&self) -> Duration {
        self.every
    }

    /// Runs a search, and saves it if that was requested. `name` and `data` identify the search. If
    /// a file belongs to another search, the error displays `name` and the first entry of `data`,
    /// which should be readable.
    pub fn run<'p, P, B, H, X, S, T>(
        &self,
        search: Search<'p, P, B, H, X, S>,
        name: &str,
        data: &[&str],
        run: impl FnOnce(Search<'_, P, B, H, X, FromFrontier<S>>) -> Result<T, Failure>,
    ) -> Result<T, Failure>
    where
        P: Problem<Choice: Choice>,
        B: Brancher<P>,
        H: Hooks<P>,
        S: Resumable + Strategy<P, B, H>,
    {
        use secateurs::checkpoint::Fingerprint;
        use secateurs::search::Checkpoint;
        use secateurs::{Report, Stop};

        // An empty part of a description leaves two spaces in a row, which become one.
        let tokens: Vec<&str> =
            data.first().into_iter().flat_map(|text| text.split_whitespace()).collect();
        let fingerprint = Fingerprint::new(format!("{name}: {}", tokens.join(" ")), data);
        let Some((path, resume)) = self.path() else {
            // A temporary frontier, because `run` takes a search of a frontier.
            return run(search.frontier(&mut secateurs::search::Frontier::new()));
        };
        let shown = path.display();
        let mut checkpoint = Checkpoint::new(path, self.every, fingerprint)
            .on_error(|error| eprintln!("warning: {error}"));
        let search = if resume {
            interrupt::while_reading(|| search.resume(&mut checkpoint))?
        } else {
            search.checkpoint(&mut checkpoint)?
        };
        let value = interrupt::while_completing(format!("saving {shown}"), || run(search));
        // A search that is finished, or paused at the solution that was requested, is not resumed.
        let stop = checkpoint.frontier().report().map(Report::stop);
        let is_unfinished = stop
            .is_some_and(|stop| !matches!(stop, Stop::Exhausted | Stop::Satisfied | Stop::Paused));
        if checkpoint.error().is_none() && is_unfinished {
            eprintln!("saved: go on with --resume {shown}");
        }
        value
    }
}
