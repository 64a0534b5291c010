//! Searches that outlast their process: [`Checkpoint`], and files of what is left.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::frontier::{Frontier, Resume};
use super::saver::Saver;
use super::{Parts, Search, Subtree};
use crate::brancher::Brancher;
use crate::checkpoint::{
    Fingerprint, Kind, LoadError, Lock, Part, PartKind, SaveError, SavedFile, create, open,
    remove_leftovers, replace, seal,
};
use crate::hook::{Effect, Hooks, OFF};
use crate::problem::Problem;

impl<C: Serialize + DeserializeOwned> Frontier<C> {
    fn to_bytes(&self, fingerprint: &Fingerprint) -> Result<Vec<u8>, SaveError> {
        if self.is_lost() { Err(SaveError::Lost) } else { seal(Kind::Frontier, fingerprint, self) }
    }

    /// Writes the frontier of the problem and the hooks that `fingerprint` stands for: see
    /// [`Search::fingerprint`]. Cost: in proportion to its size.
    ///
    /// # Errors
    /// If `writer` fails, if the frontier is lost, or if choices cannot be written so that they can
    /// be read again.
    pub fn write(
        &self,
        mut writer: impl Write,
        fingerprint: &Fingerprint,
    ) -> Result<(), SaveError> {
        let bytes = self.to_bytes(fingerprint)?;
        writer.write_all(&bytes).and_then(|()| writer.flush()).map_err(SaveError::Io)
    }

    /// Writes it into a file, in the place of another one if there is one, [all or
    /// nothing](crate::checkpoint#how-a-file-is-written).
    ///
    /// ```
    /// use secateurs::checkpoint::Fingerprint;
    /// use secateurs::problems::queens::Queens;
    /// use secateurs::search::Frontier;
    /// use secateurs::{Limits, Search};
    ///
    /// let queens = Queens::new(9)?.bits();
    /// let fingerprint = Search::new(&queens).fingerprint(Fingerprint::new("queens", &9));
    /// let mut frontier = Frontier::new();
    /// let _ = Search::new(&queens).limits(Limits::new().nodes(100)).frontier(&mut frontier).count();
    ///
    /// // Each part may go to another machine, and come back.
    /// # let directory = std::env::temp_dir().join(format!("secateurs-doc-save-{}", std::process::id()));
    /// # std::fs::create_dir_all(&directory)?;
    /// for (index, part) in frontier.split(3).into_iter().enumerate() {
    ///     part.save(directory.join(format!("queens.part-{index}")), &fingerprint)?;
    /// }
    ///
    /// let mut whole: Option<Frontier<u64>> = None;
    /// for index in 0..3 {
    ///     let mut part = Frontier::load(directory.join(format!("queens.part-{index}")), &fingerprint)?;
    ///     let _ = Search::new(&queens).frontier(&mut part).count();
    ///     match &mut whole {
    ///         Some(whole) => whole.merge(part),
    ///         None => whole = Some(part),
    ///     }
    /// }
    /// let mut whole = whole.ok_or("three parts")?;
    /// assert_eq!(Search::new(&queens).frontier(&mut whole).count().exact(), Some(352));
    /// # std::fs::remove_dir_all(&directory)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn save(&self, path: impl AsRef<Path>, fingerprint: &Fingerprint) -> Result<(), SaveError> {
        replace(path.as_ref(), &self.to_bytes(fingerprint)?).map_err(SaveError::Io)
    }

    /// Reads a frontier, which must be all that `reader` gives.
    ///
    /// # Errors
    /// If it is not just what was written, or has another fingerprint: see [`LoadError`].
    pub fn read(reader: impl Read, fingerprint: &Fingerprint) -> Result<Self, LoadError> {
        open(Kind::Frontier, fingerprint, reader)
    }

    /// Reads a frontier from a file.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn load(path: impl AsRef<Path>, fingerprint: &Fingerprint) -> Result<Self, LoadError> {
        Self::read(BufReader::new(File::open(path)?), fingerprint)
    }
}

impl<C> Frontier<C> {
    /// Checks that `problem` [could have made](Problem::can_apply) all choices in this frontier.
    ///
    /// A search that [takes up](Search::frontier) a frontier that was read from a file does so; of
    /// an impossible one, this says what is wrong. Cost: all paths are replayed once, without
    /// hooks.
    ///
    /// # Errors
    /// [`LoadError::Unsound`], which says at which depth there is an impossible choice.
    pub fn check(&self, problem: &impl Problem<Choice = C>) -> Result<(), LoadError> {
        self.subtrees.iter().try_for_each(|subtree| check_subtree(problem, subtree))?;
        self.best.iter().try_for_each(|path| check_path(problem, path, std::iter::empty()))
    }
}

/// Checks the choices of a subtree.
pub(crate) fn check_subtree<P: Problem>(
    problem: &P,
    subtree: &Subtree<P::Choice>,
) -> Result<(), LoadError> {
    check_path(problem, &subtree.path, subtree.untried.iter().map(|node| &node.choices))
}

/// Checks the choices of a path, and those that are `untried` at its nodes, the root's first.
fn check_path<'c, P: Problem<Choice: 'c>>(
    problem: &P,
    path: &[P::Choice],
    mut untried: impl Iterator<Item = &'c VecDeque<P::Choice>>,
) -> Result<(), LoadError> {
    let mut state = problem.root();
    for depth in 0..=path.len() {
        let next = path.get(depth);
        let mut choices = untried.next().into_iter().flatten().chain(next);
        if !choices.all(|choice| problem.can_apply(&state, choice)) {
            let reason = format!("at depth {depth}, it has a choice that the problem cannot make");
            return Err(LoadError::Unsound { reason });
        }
        if let Some(choice) = next {
            problem.apply(&mut state, choice);
        }
    }
    Ok(())
}

/// A file in which a search is saved while it runs, and from which it goes on.
///
/// ```
/// use std::time::Duration;
///
/// use secateurs::Search;
/// use secateurs::checkpoint::Fingerprint;
/// use secateurs::problems::queens::Queens;
/// use secateurs::search::Checkpoint;
///
/// # let path = std::env::temp_dir().join(format!("secateurs-doc-checkpoint-{}", std::process::id()));
/// # for resume in [false, true] {
/// let queens = Queens::new(10)?.bits();
/// let mut checkpoint = Checkpoint::new(&path, Duration::from_secs(60), Fingerprint::new("queens", &10))
///     .on_error(|error| eprintln!("warning: {error}"));
/// let search = Search::new(&queens);
/// let search = if resume { search.resume(&mut checkpoint)? } else { search.checkpoint(&mut checkpoint)? };
/// // The process may be killed at any moment. The same command with `resume` goes on.
/// let outcome = search.count();
/// assert_eq!(outcome.exact(), Some(724));
/// assert_eq!(outcome.report().nodes(), 35_539);
/// # }
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # When it is saved
///
/// - When [`Search::checkpoint`] is called: that the file can be written is known before the search
///   begins.
/// - While the search runs, between two nodes, when so much time has passed since it was last
///   saved: never more often.
/// - With several threads, when all of them have put aside what they do, and solutions that were
///   found by then have been received. [In order](super::Threads::in_order), not as long as one of
///   them waits for its turn, which may be to the end; of a count or a best solution, none does.
/// - When it ends: exhausted, at a limit, or cancelled. The file of a search that came to its end
///   stays where it is, and has its answer: resumed, it gives the same count or the same optimum at
///   once.
/// - Not when a visitor or the caller breaks it off at a solution (`first` does) or a panic does:
///   of what was found since it was last saved, nobody knows whether anybody has seen it.
///
/// The file always holds a moment of the search, with all that was counted up to then and nothing
/// else: each node and each solution is counted once, no matter how often the search was killed and
/// resumed, and the best solution is not lost. *Visited* is a solution at least once: `for_each`
/// and iterators come again to those that were found between the last save and the end of the
/// process.
///
/// # If it cannot be saved
///
/// The search goes on, and tries again after the same time. The callback is [told of
/// it](Self::on_error) each time; [`Report::unsaved`](crate::Report::unsaved) says, also in print,
/// why the last attempt failed, if it did, as does [`error`](Self::error). The file is then the one
/// of the last attempt that succeeded.
///
/// # What it costs
///
/// To be saved, the walk leaves all nodes on which it stands, and is then led back: hooks are told
/// of leaving nodes that are [unfinished](crate::Hook::leave_unfinished), and of entering the root
/// again. Those that [remember](crate::Hook::memory) begin anew with each save, as they do when it
/// is resumed, and may cut off less: the report [says so](crate::Report::nondeterministic_parts).
pub struct Checkpoint<C> {
    frontier: Frontier<C>,
    file: SavedFile,
}

impl<C> Checkpoint<C> {
    /// In the file at `path`, not more often than `every` so often, a search of the problem of this
    /// fingerprint. The hooks are added to it.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, every: Duration, problem: Fingerprint) -> Self {
        Checkpoint { frontier: Frontier::new(), file: SavedFile::new(path.into(), every, problem) }
    }

    /// Calls `callback` each time that the running search cannot be saved.
    #[must_use]
    pub fn on_error(mut self, callback: impl FnMut(&SaveError) + Send + 'static) -> Self {
        self.file.on_error = Some(Box::new(callback));
        self
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// How often a running search was saved in it by this process.
    #[must_use]
    pub fn saves(&self) -> u64 {
        self.file.saves
    }

    /// Why the last attempt to save the running search failed, if it did.
    #[must_use]
    pub fn error(&self) -> Option<&SaveError> {
        self.file.error.as_ref()
    }

    /// What is left of the search, after the run.
    #[must_use]
    pub fn frontier(&self) -> &Frontier<C> {
        &self.frontier
    }

    /// What is left of the search, to be divided or searched without being saved.
    #[must_use]
    pub fn into_frontier(self) -> Frontier<C> {
        self.frontier
    }
}

impl<C> fmt::Debug for Checkpoint<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.file.debug(f, "Checkpoint")
    }
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X, S> Search<'p, P, B, H, X, S> {
    /// Returns the fingerprint of a problem together with this search's brancher and hooks: their
    /// names, effects and [parameters](crate::Hook::parameters).
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::checkpoint::Fingerprint;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let problem = Fingerprint::new("queens", &8);
    /// let plain = Search::new(&queens).fingerprint(problem.clone());
    /// let mirror = Search::new(&queens).hooks((Queens::mirror(),)).fingerprint(problem);
    /// assert_ne!(plain, mirror);
    /// # Ok::<(), secateurs::problems::InstanceError>(())
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
            let (name, effect, parameters) =
                (hook.name().to_owned(), hook.effect(), hook.parameters());
            parts.push(Part { kind: PartKind::Hook, name, effect, parameters });
        });
        // A hook that is switched off is none.
        parts.retain(|part| part.name != OFF || part.effect != Effect::Preserving);
        problem.with_parts(parts)
    }
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X> Search<'p, P, B, H, X>
where
    P::Choice: Clone + Serialize + DeserializeOwned,
{
    /// Begins a search that is saved while it runs: [`Checkpoint`] says how. To be called when the
    /// hooks are set.
    ///
    /// # Errors
    /// If the file cannot be written, if there is one already, as nothing that may be of use is
    /// overwritten, or if another run saves in it.
    pub fn checkpoint(
        self,
        checkpoint: &'p mut Checkpoint<P::Choice>,
    ) -> Result<Search<'p, P, B, H, X, Parts>, SaveError> {
        let Checkpoint { frontier, file } = &mut *checkpoint;
        let lock = Lock::of_file(&file.path)?;
        file.fingerprint = self.fingerprint(file.problem.clone());
        *frontier = Frontier::new();
        create(&file.path, &frontier.to_bytes(&file.fingerprint)?)?;
        remove_leftovers(&file.path);
        Ok(self.saved_in(checkpoint, lock))
    }

    /// Goes on with a search that was saved, and saves it as it did: [`Checkpoint`] says how. To be
    /// called when the hooks are set, which must be those of before.
    ///
    /// # Errors
    /// If the file cannot be read, is not just what was written, belongs to another search, or is
    /// one in which another run saves: see [`LoadError`].
    pub fn resume(
        self,
        checkpoint: &'p mut Checkpoint<P::Choice>,
    ) -> Result<Search<'p, P, B, H, X, Parts>, LoadError> {
        let Checkpoint { frontier, file } = &mut *checkpoint;
        let lock = Lock::of_file(&file.path)?;
        file.fingerprint = self.fingerprint(file.problem.clone());
        *frontier = Frontier::load(&file.path, &file.fingerprint)?;
        frontier.check_once(self.problem)?;
        remove_leftovers(&file.path);
        Ok(self.saved_in(checkpoint, lock))
    }

    fn saved_in(
        self,
        checkpoint: &'p mut Checkpoint<P::Choice>,
        lock: Lock,
    ) -> Search<'p, P, B, H, X, Parts> {
        let Checkpoint { frontier, file } = checkpoint;
        let every = file.every;
        let save = move |frontier: &Frontier<P::Choice>| {
            // The search owns this function, and so holds the lock as long as it may save.
            let _held = &lock;
            file.record(frontier.save(&file.path, &file.fingerprint))
        };
        let saver = Saver { every, save: Box::new(save) };
        self.resumed(Resume::new(frontier, Some(saver)))
    }
}
