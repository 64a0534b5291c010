//! Sweeps with layers on disk: [`SpilledSweep`].

use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::SpillError;
use super::layers::Spill;
use crate::limits::Stop;
use crate::outcome::{Count, Found, Outcome, Total};
use crate::plug::algebra::Algebra;
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{Executor, QuestionId};
use crate::plug::stats::SweepStats;
use crate::plug::sweep::Sweep;
#[cfg(feature = "bigint")]
use crate::plug::sweep::by_residues::count_by_residues;
use crate::plug::sweep::questions::{self, Ends};
use crate::plug::sweep::run::Local;
use crate::report::Report;

/// A sweep whose layers go to disk when they exceed the [memory limit](crate::Limits::memory): made
/// by [`Sweep::spill`].
///
/// ```
/// use secateurs::Limits;
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
///
/// let cycles = hamiltonian_cycles(&Grid::new(10, 10)?);
/// let limits = Limits::new().memory(100_000);
/// assert!(Sweep::new(&cycles).limits(limits.clone()).count().complete().is_err());
///
/// let outcome = Sweep::new(&cycles).limits(limits).spill(std::env::temp_dir()).count()?;
/// assert_eq!(outcome.exact(), Some(467_260_456_608));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Its operations are those of [`Sweep`] that need two layers, and so are its answers and its
/// report, except for the time and the bytes. The peak of bytes is that of the memory; files are
/// not counted. Layers are in memory as long as they fit: without a memory limit, nothing is
/// written. The sweep has one thread.
///
/// # What it costs
///
/// The states of a layer that does not fit in memory are collected in a hash table. Whenever it is
/// full, its states are sorted by their hashes and written to a file. These files are then merged
/// into one. So a state is written and read about twice, one after the other, in 10 to 20 bytes.
/// The files of two layers exist at once. `docs/performance.md` has a measurement.
///
/// # Files
///
/// Each file has the [format of a saved layer](crate::checkpoint#file-format) and a name of its own
/// in the directory, `secateurs-xxxxxx.run`, and only its owner may read it. It is removed when it
/// is no longer needed, also after an error and if the sweep panics. A process that is killed
/// leaves its files behind. Several sweeps may use one directory.
///
/// A file that cannot be written, for instance because the disk is full, or that is not exactly
/// what was written, ends the sweep with a [`SpillError`], which names the file. There is no answer
/// then.
///
/// # What cannot be combined
///
/// [Hooks](crate::plug::SweepHook) examine complete layers in memory, so only a sweep without hooks
/// can spill. Nor can a spilled sweep be [saved](crate::plug::SweepCheckpoint) or have its layers
/// [retained](crate::plug::retained).
#[derive(Debug)]
#[must_use = "a sweep does nothing until one of its terminal operations is called"]
pub struct SpilledSweep<'p, P> {
    sweep: Sweep<'p, P>,
    directory: PathBuf,
    max_states: usize,
}

impl<'p, P: ContourProblem> Sweep<'p, P>
where
    P::State: Serialize + DeserializeOwned,
{
    /// Keeps layers that exceed the [memory limit](crate::Limits::memory) in files in `directory`,
    /// instead of stopping: see [`SpilledSweep`]. Set the limits before. The sweep has one thread.
    pub fn spill(mut self, directory: impl Into<PathBuf>) -> SpilledSweep<'p, P> {
        self.threads = 1;
        SpilledSweep { sweep: self, directory: directory.into(), max_states: usize::MAX }
    }
}

impl<P: ContourProblem> Executor<P, ()> for SpilledSweep<'_, P> {
    type Sweeper = Local<Spill>;
    type Error = SpillError;

    fn execute<T: Send>(
        self,
        _: &QuestionId,
        reads_labels: bool,
        work: impl Fn(&P, &(), &mut SweepStats<'_>, &mut Self::Sweeper) -> Result<T, Stop> + Sync,
    ) -> Result<(Result<T, Stop>, Report), SpillError> {
        let max_bytes = self.sweep.limits.max_bytes();
        let spill = Spill::new(self.directory, self.max_states, max_bytes)?;
        let (result, report, spill) = self.sweep.execute_saved(spill, reads_labels, work);
        spill.result((result, report))
    }
}

impl<P: ContourProblem> SpilledSweep<'_, P>
where
    P::State: Serialize + DeserializeOwned,
{
    /// Limits the states in memory, in addition to the bytes: 0 is treated as 1. The states of
    /// larger layers are kept in files, so that a test can check them with a small problem.
    pub fn states_in_memory(mut self, states: usize) -> Self {
        self.max_states = states.max(1);
        self
    }

    /// Returns the total under `algebra`, like [`Sweep::run`].
    ///
    /// # Errors
    /// Returns an error if a file cannot be written or read.
    pub fn run<A: Algebra<P>>(self, algebra: &A) -> Result<Outcome<Total<A::Value>>, SpillError>
    where
        A::Value: Serialize + DeserializeOwned,
    {
        questions::run(self, algebra)
    }

    /// Returns the accepted states with their values, like [`Sweep::ends`]. They must fit in
    /// memory.
    ///
    /// # Errors
    /// Returns the errors of [`run`](Self::run).
    pub fn ends<A: Algebra<P>>(self, algebra: &A) -> Result<Ends<P::State, A::Value>, SpillError>
    where
        A::Value: Serialize + DeserializeOwned,
    {
        questions::ends(self, algebra)
    }

    /// Counts the solutions, like [`Sweep::count`].
    ///
    /// # Errors
    /// Returns the errors of [`run`](Self::run).
    pub fn count(self) -> Result<Outcome<Count>, SpillError> {
        questions::count(self)
    }

    /// Counts the solutions in numbers of any size, like [`Sweep::count_natural`].
    ///
    /// # Errors
    /// Returns the errors of [`run`](Self::run).
    #[cfg(feature = "bigint")]
    pub fn count_natural(self) -> Result<Outcome<Total<Natural>>, SpillError> {
        questions::count_natural(self)
    }

    /// Counts the solutions in several passes, like [`Sweep::count_by_residues`].
    ///
    /// # Errors
    /// Returns the errors of [`run`](Self::run).
    #[cfg(feature = "bigint")]
    pub fn count_by_residues(self) -> Result<Outcome<Total<Natural>>, SpillError> {
        count_by_residues(self)
    }

    /// Decides whether there is a solution, like [`Sweep::exists`].
    ///
    /// # Errors
    /// Returns the errors of [`run`](Self::run).
    pub fn exists(self) -> Result<Outcome<Found<()>>, SpillError> {
        questions::exists(self)
    }
}
