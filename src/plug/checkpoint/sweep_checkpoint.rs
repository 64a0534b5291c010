//! Sweeps that outlive their process: [`SweepCheckpoint`] and [`SavedSweep`].

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::layer_file::{self, LayerFile};
use crate::checkpoint::{Fingerprint, LoadError, Lock, Part, PartKind, SaveError, SavedFile};
use crate::hook::{Effect, OFF};
use crate::outcome::{Count, Found, Outcome, Total};
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Algebra, Feasible};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::{SweepClaim, SweepHooks};
use crate::plug::sweep::Sweep;

/// A file in which a sweep is saved while it runs, and from which it goes on.
///
/// ```
/// use std::time::Duration;
///
/// use secateurs::checkpoint::Fingerprint;
/// use secateurs::plug::{Sweep, SweepCheckpoint};
/// use secateurs::problems::catalogue::{Grid, hamiltonian_cycles};
///
/// # let path = std::env::temp_dir().join(format!("secateurs-doc-sweep-{}", std::process::id()));
/// # for resume in [false, true] {
/// let cycles = hamiltonian_cycles(&Grid::new(8, 8)?);
/// let fingerprint = Fingerprint::new("Hamiltonian cycles", &[8, 8]);
/// let mut checkpoint = SweepCheckpoint::new(&path, Duration::from_secs(60), fingerprint)
///     .on_error(|error| eprintln!("warning: {error}"));
/// let sweep = Sweep::new(&cycles);
/// let sweep = if resume { sweep.resume(&mut checkpoint)? } else { sweep.checkpoint(&mut checkpoint)? };
/// // The process may be killed at any moment. The same command with `resume` goes on.
/// let outcome = sweep.count()?;
/// assert_eq!(outcome.exact(), Some(4_638_576));
/// assert_eq!(outcome.report().levels().len(), 65); // of all runs together
/// # }
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What can be saved
///
/// Sweeps in hash tables by [`Sweep::checkpoint`](crate::plug::Sweep::checkpoint), if their states, and
/// the values of their algebra, implement `serde`'s traits, as the [codes](crate::plug::code) and all
/// values of this crate do; and [dense sweeps](crate::plug::motzkin::DenseSweep::checkpoint). Not those
/// that [keep](crate::plug::kept) all layers, nor [meetings](crate::plug::meet_in_the_middle::Meeting) of two halves: their
/// memory is that of many layers, and it is their second part that takes long.
///
/// # When it is saved
///
/// - When [`Sweep::checkpoint`](crate::plug::Sweep::checkpoint) is called: that the file can be written
///   is known before the sweep begins.
/// - While the sweep runs, after a cell, when so much time has passed since it was last saved:
///   never more often. Of [`Duration::ZERO`], after each cell. What is saved is the layer,
///   complete, with the account of all before it: for each layer its states, and what each hook
///   cut. With several threads it is the same.
/// - When it ends: at the end, at a limit, or cancelled. Then it is the last layer that was
///   complete. The file of a sweep that came to its end stays where it is, and has its last layer:
///   resumed, it gives the same answer at once.
/// - Not when a panic breaks it off, nor when a value does not fit into its type.
///
/// So what is lost when the process is killed is at most so much time, and the cell that was being
/// swept. However often it is killed and resumed, the answer and the [report](crate::Report) are
/// those of a sweep that was left alone, but for the time, which is the sum of all runs, and the
/// peak of memory, as a table that is read is just as large as its layer.
///
/// A sweep may be resumed with other threads, and other limits, which are those of the run that
/// resumes: time and nodes are counted anew.
///
/// # If it cannot be saved
///
/// The sweep goes on, and tries again after the same time. The callback is [told of
/// it](Self::on_error) each time; [`Report::unsaved`](crate::Report::unsaved) says, also in print,
/// why the last attempt failed, if it did, as does [`error`](Self::error). The file is then the one
/// of the last attempt that succeeded.
///
/// # What it costs
///
/// A layer goes straight from its table to the file, a block of 64 KB at a time: no copy is made of
/// it. The file is about as large as its states and values are without leading zeros, often 10 to
/// 20 bytes for each. Writing takes time in proportion to that, about a second for ten million
/// states, and then as long as the disk needs. A sweep that is [cancelled](crate::Cancel) ends when
/// its last layer is saved.
///
/// # What is trusted
///
/// The file is refused unless it is complete, undamaged, and has the [fingerprint](Self::new), the
/// hooks and the question (by the [name](crate::plug::Algebra::name) of the algebra) of the sweep that
/// resumes; the account must be one of so many cells as there are, and of so many states. Memory
/// for it grows with what is read, whatever lengths it claims. That the states are those of the
/// profile is known by the fingerprint alone: see [what it cannot
/// tell](Fingerprint#what-it-cannot-tell).
pub struct SweepCheckpoint {
    file: SavedFile,
}

impl SweepCheckpoint {
    /// In the file at `path`, not more often than `every` so often, a sweep of the profile of this
    /// fingerprint, to which the hooks are added.
    ///
    /// The fingerprint is to stand for all that the profile depends on, and for the weights, if
    /// there are any.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, every: Duration, problem: Fingerprint) -> Self {
        SweepCheckpoint { file: SavedFile::new(path.into(), every, problem) }
    }

    /// Calls `callback` each time that the running sweep cannot be saved.
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

    /// How often a running sweep was saved in it by this process.
    #[must_use]
    pub fn saves(&self) -> u64 {
        self.file.saves
    }

    /// Why the last attempt to save the running sweep failed, if it did.
    #[must_use]
    pub fn error(&self) -> Option<&SaveError> {
        self.file.error.as_ref()
    }

    /// Makes the file for a sweep with these hooks, and locks it.
    pub(crate) fn begin(&mut self, hooks: Vec<SweepClaim>) -> Result<Lock, SaveError> {
        let lock = Lock::of_file(&self.file.path)?;
        self.file.fingerprint = with_hooks(self.file.problem.clone(), hooks);
        layer_file::begin(&self.file)?;
        Ok(lock)
    }

    /// Looks whether the file is one of a sweep with these hooks, and locks it.
    pub(crate) fn inspect(&mut self, hooks: Vec<SweepClaim>) -> Result<Lock, LoadError> {
        let lock = Lock::of_file(&self.file.path)?;
        self.file.fingerprint = with_hooks(self.file.problem.clone(), hooks);
        layer_file::inspect(&self.file)?;
        Ok(lock)
    }

    pub(crate) fn file(&mut self) -> &mut SavedFile {
        &mut self.file
    }
}

impl fmt::Debug for SweepCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.file.debug(f, "SweepCheckpoint")
    }
}

/// Returns the fingerprint of a profile with these hooks, without those that are switched off.
pub(crate) fn with_hooks(problem: Fingerprint, hooks: Vec<SweepClaim>) -> Fingerprint {
    let is_on = |hook: &SweepClaim| hook.name != OFF || hook.effect != Effect::Preserving;
    let part = |hook: SweepClaim| Part {
        kind: PartKind::Hook,
        name: hook.name,
        effect: hook.effect,
        parameters: hook.parameters,
    };
    problem.with_parts(hooks.into_iter().filter(is_on).map(part).collect())
}

/// States that are accepted, each with its worth.
type Ends<S, V> = Result<Outcome<Vec<(S, V)>>, LoadError>;

/// A sweep that is saved while it runs: made by [`Sweep::checkpoint`] or [`Sweep::resume`].
///
/// Its operations are those of [`Sweep`] that need two layers. Each gives an error, and no sweep is
/// made, if the file that it is to go on from is of another question, or has states or values of
/// other types.
#[derive(Debug)]
#[must_use = "a sweep does nothing until one of its terminal operations is called"]
pub struct SavedSweep<'p, 'c, P, H = ()> {
    sweep: Sweep<'p, P, H>,
    checkpoint: &'c mut SweepCheckpoint,
    resume: bool,
    /// Held until the sweep has ended.
    lock: Lock,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> Sweep<'p, P, H>
where
    P::State: Serialize + DeserializeOwned,
{
    /// Begins a sweep that is saved while it runs: [`SweepCheckpoint`] says how. To be called when
    /// hooks, limits and threads are set.
    ///
    /// # Errors
    /// If the file cannot be written, if there is one already, as nothing that may be of use is
    /// overwritten, or if another run saves in it.
    pub fn checkpoint<'c>(
        self,
        checkpoint: &'c mut SweepCheckpoint,
    ) -> Result<SavedSweep<'p, 'c, P, H>, SaveError> {
        let lock = checkpoint.begin(self.hooks.claims())?;
        Ok(SavedSweep { sweep: self, checkpoint, resume: false, lock })
    }

    /// Goes on with a sweep that was saved, and saves it as it did: [`SweepCheckpoint`] says how.
    /// To be called when the hooks are set, which must be those of before, and the threads and
    /// limits, which need not.
    ///
    /// The file is read twice: here, where nothing is known of its values, and by the operation
    /// that follows.
    ///
    /// # Errors
    /// If the file cannot be read, is not just what was written, belongs to another sweep, or is
    /// one in which another run saves: see [`LoadError`].
    pub fn resume<'c>(
        self,
        checkpoint: &'c mut SweepCheckpoint,
    ) -> Result<SavedSweep<'p, 'c, P, H>, LoadError> {
        let lock = checkpoint.inspect(self.hooks.claims())?;
        Ok(SavedSweep { sweep: self, checkpoint, resume: true, lock })
    }
}

impl<'p, 'c, P: ContourProblem, H: SweepHooks<P>> SavedSweep<'p, 'c, P, H>
where
    P::State: Serialize + DeserializeOwned,
{
    fn with<T>(
        self,
        run: impl FnOnce(Sweep<'p, P, H>, &mut LayerFile<'c>) -> T,
    ) -> Result<T, LoadError> {
        let mut saver = LayerFile::new(self.checkpoint.file(), self.resume);
        let value = run(self.sweep, &mut saver);
        let result = saver.result(value);
        drop(self.lock);
        result
    }

    /// As [`Sweep::run`].
    ///
    /// # Errors
    /// If the file to go on from is of another algebra, or does not hold states and values of these
    /// types.
    pub fn run<A: Algebra<P>>(self, algebra: &A) -> Result<Outcome<Total<A::Value>>, LoadError>
    where
        A::Value: Serialize + DeserializeOwned,
    {
        self.with(|sweep, saver| sweep.run_saved(algebra, saver))
    }

    /// As [`Sweep::ends`].
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn ends<A: Algebra<P>>(self, algebra: &A) -> Ends<P::State, A::Value>
    where
        A::Value: Serialize + DeserializeOwned,
    {
        self.with(|sweep, saver| sweep.ends_saved(algebra, saver))
    }

    /// As [`Sweep::count`].
    ///
    /// # Errors
    /// If the file to go on from is of another question, or does not hold states of this type.
    pub fn count(self) -> Result<Outcome<Count>, LoadError> {
        self.with(|sweep, saver| sweep.count_saved(saver))
    }

    /// As [`Sweep::count_natural`].
    ///
    /// # Errors
    /// As [`count`](Self::count).
    #[cfg(feature = "bigint")]
    pub fn count_natural(self) -> Result<Outcome<Total<Natural>>, LoadError> {
        self.with(|sweep, saver| sweep.count_natural_saved(saver))
    }

    /// As [`Sweep::exists`].
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn exists(self) -> Result<Outcome<Found<()>>, LoadError> {
        let (total, report) = self.run(&Feasible)?.into_parts();
        Ok(Outcome::new(Found::new(total.into_sum(), &report), report))
    }
}
