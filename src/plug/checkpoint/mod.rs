//! Sweeps that outlive their process: [`SweepCheckpoint`] and [`Saved`].
//!
//! Read on in `layer_file`, which saves and loads the layers of one run, and `layer_format`, the
//! format of a layer in a file.

mod layer_file;
mod layer_format;

use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checkpoint::{
    Fingerprint, LoadError, Part, PartKind, SaveError, SavedFile, saved_file_methods,
};
use crate::digest::Digest;
use crate::hook::{Claim, Effect};
use crate::limits::Stop;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{Executor, Question, SweepRun, SweepSettings};
use crate::plug::hook::{SweepClaim, SweepHooks};
use crate::plug::sweep::Sweep;
use crate::plug::sweep::run::execute_here;
use crate::report::Report;

pub use self::layer_file::Saved;
pub(crate) use self::layer_file::{Failure, LoadedShards};
pub(crate) use self::layer_format::{BLOCK, EntryReader, inconsistent, open_layer, write_layer};
#[cfg(feature = "timely")]
pub(crate) use self::layer_format::{Head, illegal_state};

/// A file in which a sweep is saved while it runs, and from which it can be resumed.
///
/// ```
/// use std::time::Duration;
///
/// use secateurs::checkpoint::Fingerprint;
/// use secateurs::plug::{Sweep, SweepCheckpoint};
/// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
///
/// # let path = std::env::temp_dir().join(format!("secateurs-doc-sweep-{}", std::process::id()));
/// # for resume in [false, true] {
/// let cycles = hamiltonian_cycles(&Grid::new(8, 8)?);
/// let fingerprint = Fingerprint::new("Hamiltonian cycles", &[8, 8]);
/// let mut checkpoint = SweepCheckpoint::new(&path, Duration::from_secs(60), fingerprint)
///     .on_error(|error| eprintln!("warning: {error}"));
/// let sweep = Sweep::new(&cycles);
/// let sweep = match resume {
///     false => sweep.checkpoint(&mut checkpoint)?,
///     true => sweep.resume(&mut checkpoint)?,
/// };
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
/// - Sweeps in hash tables, by [`Sweep::checkpoint`](crate::plug::Sweep::checkpoint), if their
///   states and the values of their algebra implement serde's traits, as the
///   [codes](crate::plug::code) and all values of this crate do.
/// - [Dense sweeps](crate::plug::motzkin::DenseSweep::checkpoint).
///
/// Sweeps with [layers on disk](crate::plug::Spilled), sweeps that
/// [retain](crate::plug::retained) all layers and counts that [meet in the
/// middle](crate::plug::meet_in_the_middle::MeetInTheMiddle) cannot be saved: their state is more
/// than one layer and its statistics.
///
/// # When it is saved
///
/// - When [`Sweep::checkpoint`](crate::plug::Sweep::checkpoint) is called, so that a file that
///   cannot be written is reported before the sweep begins.
/// - While the sweep runs, after a cell, when the given time has passed since it was last saved,
///   and never more often. With [`Duration::ZERO`] it is saved after each cell. The file holds the
///   complete layer and the statistics of all layers before it: the number of states of each, and
///   the cuts of each hook. The number of threads makes no difference.
/// - When the sweep ends: at its end, at a limit, or cancelled. The saved layer is then the last
///   complete one. The file of a finished sweep remains, with its last layer; resuming it returns
///   the same answer at once.
/// - Not when the sweep panics, nor when a value does not fit into its type.
///
/// A process that is killed therefore loses at most the given time and the work on the current
/// cell. However often it is killed and resumed, the answer and the [report](crate::Report) are
/// those of an uninterrupted sweep, except for the time, which is the sum of all runs, and the peak
/// of memory, because a table that was read from a file is filled to another degree.
///
/// A sweep may be resumed with other threads and other limits. The limits are those of the run that
/// resumes: time and nodes are counted anew. If the saved layer exceeds the
/// [memory limit](crate::Limits::memory), the run stops before it has read all of it; the file
/// remains as it is, to be resumed with more memory.
///
/// # If it cannot be saved
///
/// The sweep goes on, and tries again after the same time. The [callback](Self::on_error) is called
/// each time. [`Report::unsaved`](crate::Report::unsaved), which is also displayed, and
/// [`error`](Self::error) return the error of the last attempt, if it failed. The file is then that
/// of the last successful attempt.
///
/// # What it costs
///
/// A layer is written directly from its table, in blocks of 64 KB, without a copy of it. A state
/// whose value is larger than that is a block of its own, which is in memory beside the value while
/// it is written or read, and is not counted by a memory limit. The file
/// is about as large as its states and values are without leading zeros, often 10 to 20 bytes for
/// each state. Writing takes time in proportion to that, about a second for ten million states, and
/// the time of the disk. A sweep that is [cancelled](crate::Cancel) ends when its last layer is
/// saved.
///
/// # What is trusted
///
/// The file is refused unless it is complete and undamaged and has the [fingerprint](Self::new),
/// the type of states, the hooks and the question of the sweep that resumes: the
/// [name](crate::plug::Algebra::name) of the algebra, and a digest of its
/// [data](crate::plug::Algebra::parameters), such as weights. An algebra with data that states no
/// digest cannot be saved.
///
/// A correct checksum says nothing about the contents, so these are checked as well before they are
/// used. The statistics must have the same number of cells and of hooks, and as many states as
/// follow; the states must [fit](crate::plug::ContourProblem::fits) and be
/// [legal](crate::plug::ContourProblem::is_legal); a table of a dense sweep must have a number for
/// each of its words; values must be well-formed. A step from legal states leads to legal states
/// only. Hence a run from a file of any contents ends as others do, without a panic; but whether
/// its answer is right, only the fingerprint can tell: see [what it cannot
/// tell](Fingerprint#limits). Memory grows with the bytes that are read, or is reserved within a
/// memory limit, whatever lengths the file claims.
#[derive(Debug)]
pub struct SweepCheckpoint {
    file: SavedFile,
}

impl SweepCheckpoint {
    /// Creates a checkpoint in the file at `path`, saved at most once in the time `every`. The
    /// type of states and the hooks are added to the fingerprint of the problem.
    ///
    /// The fingerprint must cover everything that the problem depends on. Weights are part of the
    /// question.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, every: Duration, problem: Fingerprint) -> Self {
        SweepCheckpoint { file: SavedFile::new(path.into(), every, problem) }
    }

    saved_file_methods!();

    /// Creates and locks the file of a sweep with these hooks.
    pub(crate) fn begin<S>(&mut self, hooks: Vec<SweepClaim>) -> Result<Saved<'_>, SaveError> {
        let fingerprint = with_parts::<S>(self.file.problem.clone(), hooks);
        let lock = self.file.begin(fingerprint, |out, fingerprint| {
            write_layer::<(), ()>(out, BLOCK, fingerprint, None, std::iter::empty())
        })?;
        Ok(Saved::new(&mut self.file, lock, false))
    }

    /// Locks the file and verifies that it is whole and belongs to a sweep with these hooks.
    pub(crate) fn resume<S>(&mut self, hooks: Vec<SweepClaim>) -> Result<Saved<'_>, LoadError> {
        let fingerprint = with_parts::<S>(self.file.problem.clone(), hooks);
        let verify = |path: &Path, fingerprint: &Fingerprint| {
            open_layer(path, BLOCK, fingerprint)?.0.verify()
        };
        let ((), lock) = self.file.resume(fingerprint, verify)?;
        Ok(Saved::new(&mut self.file, lock, true))
    }
}

/// Returns the fingerprint of a problem with states of type `S` and these hooks. Numbers of any
/// width look alike in a file, though a wider state may divide its bits in another way.
fn with_parts<S>(problem: Fingerprint, hooks: Vec<SweepClaim>) -> Fingerprint {
    let states = Part {
        kind: PartKind::States,
        name: format!("{} bytes", size_of::<S>()),
        effect: Effect::Preserving,
        // A wider part of a state may take the place of padding.
        parameters: Some(Digest::of_type::<S>()),
    };
    let part = |hook: SweepClaim| {
        let is_constraint = hook.is_constraint();
        let Claim { name, effect, parameters, .. } = hook.claim;
        let parameters = match is_constraint {
            true => Digest::all([parameters, Some(Digest::of("constraint"))]),
            false => parameters,
        };
        Part { kind: PartKind::Hook, name, effect, parameters }
    };
    problem.with_parts(iter::once(states).chain(hooks.into_iter().map(part)).collect())
}

#[cfg(feature = "timely")]
impl<P: ContourProblem, H: SweepHooks<P>> SweepSettings<'_, P, H> {
    /// Returns the fingerprint of a problem together with this sweep's hooks.
    pub(crate) fn fingerprint(&self, problem: Fingerprint) -> Fingerprint {
        with_parts::<P::State>(problem, self.hooks.claims())
    }
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> Sweep<'p, P, H>
where
    P::State: Serialize + DeserializeOwned,
{
    /// Begins a sweep that is saved while it runs, as [`SweepCheckpoint`] describes. Set hooks,
    /// limits and threads before.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, if it exists already, because nothing that
    /// may be of use is overwritten, or if another run saves in it.
    pub fn checkpoint<'c>(
        self,
        checkpoint: &'c mut SweepCheckpoint,
    ) -> Result<Sweep<'p, P, H, Saved<'c>>, SaveError> {
        let executor = checkpoint.begin::<P::State>(self.settings.hooks.claims())?;
        Ok(Sweep { settings: self.settings, executor })
    }

    /// Resumes a saved sweep, and saves it as before, as [`SweepCheckpoint`] describes. Set the
    /// hooks before, which must be the same, and the threads and limits, which may differ.
    ///
    /// The file is read twice: here, where the types of its values are not known, and by the
    /// operation that follows.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not exactly what was written, belongs to
    /// another sweep, or is in use by another run: see [`LoadError`].
    pub fn resume<'c>(
        self,
        checkpoint: &'c mut SweepCheckpoint,
    ) -> Result<Sweep<'p, P, H, Saved<'c>>, LoadError> {
        let executor = checkpoint.resume::<P::State>(self.settings.hooks.claims())?;
        Ok(Sweep { settings: self.settings, executor })
    }
}

impl<P, H> Executor<P, H> for Saved<'_>
where
    P: ContourProblem<State: Serialize + DeserializeOwned>,
    H: SweepHooks<P>,
{
    type Answer<T> = Result<T, LoadError>;
    type Sweeper = Self;
    type Error = LoadError;

    fn execute<T: Send>(
        mut self,
        settings: SweepSettings<'_, P, H>,
        question: &Question,
        work: impl Fn(SweepRun<'_, '_, P, H, Self::Sweeper>) -> Result<T, Stop> + Sync,
    ) -> Result<(Result<T, Stop>, Report), LoadError> {
        self.question = question.text().map_err(|part| LoadError::Unstated { part })?;
        let (result, report, file) = execute_here(settings, self, question, work);
        file.result((result, report))
    }

    fn answer<T>(result: Result<T, LoadError>) -> Result<T, LoadError> {
        result
    }
}
