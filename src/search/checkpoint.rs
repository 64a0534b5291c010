//! Saving a search while it runs, to continue it in another process: [`Checkpoint`].

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::builder::{FromFrontier, Search};
use super::frontier::Frontier;
use super::frontier::resume::{Resume, Saver};
use super::walk::{IntoWalk, Resumable, Strategy};
use crate::brancher::Brancher;
use crate::checkpoint::{
    Fingerprint, LoadError, Lock, Part, PartKind, SaveError, SavedFile, saved_file_methods,
};
use crate::digest::Digest;
use crate::effect::Claim;
use crate::hook::Hooks;
use crate::problem::Problem;

/// A file in which a search is saved while it runs, and from which it can continue.
///
/// ```
/// use std::time::Duration;
///
/// use secateurs::Search;
/// use secateurs::checkpoint::Fingerprint;
/// use secateurs::search::Checkpoint;
/// use secateurs_problems::queens::Queens;
///
/// # let name = format!("secateurs-doc-checkpoint-{}", std::process::id());
/// # let path = std::env::temp_dir().join(name);
/// # for resume in [false, true] {
/// let queens = Queens::new(10)?.bits();
/// let fingerprint = Fingerprint::new("queens", &10);
/// let mut checkpoint = Checkpoint::new(&path, Duration::from_secs(60), fingerprint)
///     .on_error(|error| eprintln!("warning: {error}"));
/// let search = Search::new(&queens);
/// let search = match resume {
///     true => search.resume(&mut checkpoint)?,
///     false => search.checkpoint(&mut checkpoint)?,
/// };
/// // The process may be killed at any moment. The same command with `resume` continues.
/// let outcome = search.count();
/// assert_eq!(outcome.exact(), Some(724));
/// assert_eq!(outcome.report().nodes(), 35_539);
/// # }
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # When the search is saved
///
/// - When [`Search::checkpoint`] is called, so that an unwritable file is noticed before the search
///   begins.
/// - While the search runs, between two nodes, when the interval has passed since the last save,
///   and never more often.
/// - With several threads, when all of them have paused and the solutions found so far have been
///   received. With solutions [in order](super::Threads::in_order), only when no solution waits for
///   its turn: one may wait until the end of the search. Counts and optima need not wait.
/// - When the search ends: exhausted, at a limit, or cancelled. The file of an exhausted search
///   stays in place and contains the answer: a resumed search returns the same count or the same
///   optimum at once.
/// - Not when a visitor or the caller breaks off at a solution (as `first` does), or at a panic:
///   whether the solutions since the last save were processed is unknown.
///
/// The file always holds one moment of the search, with exactly the counts up to then. Each node
/// and each solution is counted once, however often the search was killed and resumed, and the best
/// solution is not lost. Solutions are *visited* at least once: `for_each` and iterators visit
/// those again that were found between the last save and the end of the process.
///
/// # If saving fails
///
/// The search continues, and tries again after the same interval. The [callback](Self::on_error) is
/// called each time. [`Report::unsaved`](crate::Report::unsaved) (which `Display` prints) and
/// [`error`](Self::error) return the reason if the last attempt failed. The file is then that of
/// the last successful attempt.
///
/// A search for the best solution is not saved if its objective has no
/// [name](crate::Objective::named). The callback is then called when the search begins.
///
/// # Cost
///
/// To be saved, a depth-first walk leaves all nodes of its path and replays it afterwards. Hooks
/// leave [unfinished](crate::Hook::leave_unfinished) nodes and enter the root again. A search by
/// [diagrams](Search::diagrams) draws the children of all open nodes, which are saved with their
/// paths.
///
/// Hooks that [remember](crate::Hook::memory) start from scratch when the search is resumed. Hooks
/// that reset themselves at the root also do after each save. They may then cut off less: the
/// report [says so](crate::Report::nondeterministic_parts).
pub struct Checkpoint<C> {
    frontier: Frontier<C>,
    file: SavedFile,
}

impl<C> Checkpoint<C> {
    /// Creates a checkpoint in the file at `path`, for a search of the problem with this
    /// fingerprint, to be saved at intervals of at least `every`. The hooks are added to the
    /// fingerprint.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, every: Duration, problem: Fingerprint) -> Self {
        Checkpoint { frontier: Frontier::new(), file: SavedFile::new(path.into(), every, problem) }
    }

    saved_file_methods!();

    /// Returns the frontier after the run.
    #[must_use]
    pub fn frontier(&self) -> &Frontier<C> {
        &self.frontier
    }

    /// Converts this into the frontier, to be divided or to be searched without saving.
    #[must_use]
    pub fn into_frontier(self) -> Frontier<C> {
        self.frontier
    }
}

debug_fields!(impl[C] Checkpoint<C>: file, frontier);

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X, S: Strategy<P, B, H>>
    Search<'p, P, B, H, X, S>
{
    /// Returns the fingerprint of a problem together with this search's brancher and hooks: their
    /// names, effects and [parameters](crate::Hook::parameters).
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::checkpoint::Fingerprint;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let problem = Fingerprint::new("queens", &8);
    /// let plain = Search::new(&queens).fingerprint(problem.clone());
    /// let mirror = Search::new(&queens).hooks((Queens::mirror(),)).fingerprint(problem);
    /// assert_ne!(plain, mirror);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn fingerprint(&self, problem: Fingerprint) -> Fingerprint {
        let mut parts = vec![Part {
            kind: PartKind::Brancher,
            name: self.brancher.name().into_owned(),
            effect: self.brancher.effect(),
            parameters: self.brancher.parameters(),
        }];
        self.hooks.each(&mut |hook| {
            let (name, effect) = (hook.name().to_owned(), hook.effect());
            let parameters = match hook.constraint() {
                Some(kind) => Digest::all([hook.parameters(), Some(Digest::of(&kind))]),
                None => hook.parameters(),
            };
            parts.push(Part { kind: PartKind::Hook, name, effect, parameters });
        });
        if let Some(loss) = self.strategy.loss() {
            let (objective, is_lasting) = loss.objective;
            let Claim { name, effect, .. } = Claim::from(loss);
            let parameters = is_lasting.then_some(objective);
            parts.push(Part { kind: PartKind::Hook, name, effect, parameters });
        }
        problem.with_parts(parts)
    }
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X, S> Search<'p, P, B, H, X, S>
where
    P::Choice: Clone + Serialize + DeserializeOwned,
    S: Resumable + IntoWalk<P, B, H>,
{
    /// Begins a search that is saved while it runs, as [`Checkpoint`] describes. Call this after
    /// setting the hooks.
    ///
    /// # Errors
    /// Returns [`SaveError`] if the file cannot be written, if it exists already (it is not
    /// overwritten, as it may be needed), if another run saves in it, or if a hook or the brancher
    /// has not stated its [parameters](crate::Hook::parameters).
    pub fn checkpoint(
        self,
        checkpoint: &'p mut Checkpoint<P::Choice>,
    ) -> Result<Search<'p, P, B, H, X, FromFrontier<S>>, SaveError> {
        let Checkpoint { frontier, file } = &mut *checkpoint;
        let fingerprint = self.fingerprint(file.problem.clone());
        let new = Frontier::new();
        let lock = file.begin(fingerprint, |out, fingerprint| new.write(out, fingerprint))?;
        *frontier = new;
        Ok(self.saved_in(checkpoint, lock))
    }

    /// Continues a saved search, and saves it as before, as [`Checkpoint`] describes. Call this
    /// after setting the hooks, which must be the same as before.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the file cannot be read, differs from what was written, belongs to
    /// another search, has choices that the problem [rejects](Problem::accepts_saved), or if
    /// another run saves in it.
    pub fn resume(
        self,
        checkpoint: &'p mut Checkpoint<P::Choice>,
    ) -> Result<Search<'p, P, B, H, X, FromFrontier<S>>, LoadError> {
        let Checkpoint { frontier, file } = &mut *checkpoint;
        let fingerprint = self.fingerprint(file.problem.clone());
        let (read, lock) = file.resume(fingerprint, |path, fingerprint| {
            let mut read = Frontier::load(path, fingerprint)?;
            read.check_once(self.problem)?;
            Ok(read)
        })?;
        *frontier = read;
        Ok(self.saved_in(checkpoint, lock))
    }

    /// Makes the search save itself in the file of `checkpoint`, and hold its lock.
    fn saved_in(
        self,
        checkpoint: &'p mut Checkpoint<P::Choice>,
        lock: Lock,
    ) -> Search<'p, P, B, H, X, FromFrontier<S>> {
        let Checkpoint { frontier, file } = checkpoint;
        let every = file.interval;
        let save = move |frontier: &Frontier<P::Choice>| {
            // The search owns this closure, and so holds the lock as long as it may save.
            let _held = &lock;
            file.save(|out, fingerprint| frontier.write(out, fingerprint))
        };
        let saver = Saver { every, save: Box::new(save) };
        self.resumed(Resume::new(frontier, Some(saver)))
    }
}
