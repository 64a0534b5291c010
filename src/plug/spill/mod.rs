//! Sweeps whose layers go to disk when they exceed the memory limit.
//!
//! A layer is in memory or in one file, with its entries in any order. The next layer is made in
//! memory, in a hash table. Whenever the table is full, its entries are written to a file, a *run*,
//! in the order of the hashes of their states, and the table begins again without states. At the
//! end of the step the runs and the table are merged into the file of the layer: equal states come
//! together. All files are written and read sequentially, and each entry a constant number of
//! times, unless the memory is so small that the runs have to be merged in several rounds. (Sorting
//! in runs that are merged: Goetz and von Neumann, 1948; Knuth, *The Art of Computer Programming*
//! 3, 5.4.)
//!
//! This file has the public type, [`Spilled`]. Read on in `layers`, the step from one layer to the
//! next, and `runs`, files of entries and merging them.

mod layers;
mod runs;

use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use self::runs::{Run, RunFiles};
use crate::limits::Stop;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{Executor, Question, SweepRun, SweepSettings};
use crate::plug::sweep::Sweep;
use crate::plug::sweep::run::execute_here;
use crate::report::Report;

pub use self::runs::SpillError;

/// The [`Executor`] of a sweep whose layers go to disk when they exceed the [memory
/// limit](crate::Limits::memory): created by [`Sweep::spill`].
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
/// It answers the questions of [`Sweep`] that need two layers. Answers and reports are those of a
/// sweep in memory, except for the time and the bytes. The peak of bytes is that of the memory;
/// files are not counted. Layers are in memory as long as they fit: without a memory limit, nothing
/// is written. The sweep has one thread.
///
/// # What it costs
///
/// The states of a layer that does not fit in memory are written to files, sorted by their hashes,
/// which are then merged into one: each state is written and read about twice, in 10 to 20 bytes.
/// The files of two layers exist at once. States with equal hashes are compared with each other, so
/// a hash that hardly distinguishes states costs time quadratic in their number.
/// `docs/performance.md` has a measurement.
///
/// # Files
///
/// The directory must exist. Each file has the
/// [format of a saved layer](crate::checkpoint#file-format) and a name of its own in the directory,
/// `secateurs-xxxxxx.run`, and only its owner may read it. It is removed when it is no longer
/// needed, also after an error and if the sweep panics. A process that is killed leaves its files
/// behind. Several sweeps may use one directory.
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
pub struct Spilled {
    files: RunFiles,
    /// The maximum number of states in memory.
    max_states: usize,
    /// The last complete layer, if it is in a file. The layer in memory is then empty.
    layer: Option<Run>,
    /// The error that ended the sweep.
    failed: Option<SpillError>,
}

impl<'p, P: ContourProblem> Sweep<'p, P>
where
    P::State: Serialize + DeserializeOwned,
{
    /// Keeps layers that exceed the [memory limit](crate::Limits::memory) in files in `directory`,
    /// instead of stopping: see [`Spilled`]. Set the limits before this call. The sweep has one
    /// thread.
    pub fn spill(mut self, directory: impl Into<PathBuf>) -> Sweep<'p, P, (), Spilled> {
        self.settings.threads = 1;
        let files = RunFiles::new(directory.into(), self.settings.limits.max_bytes());
        let executor = Spilled { files, max_states: usize::MAX, layer: None, failed: None };
        Sweep { settings: self.settings, executor }
    }
}

impl<P: ContourProblem> Sweep<'_, P, (), Spilled> {
    /// Limits the states in memory, in addition to the bytes: 0 is treated as 1. A test can thus
    /// check layers in files with a small problem.
    pub fn states_in_memory(mut self, states: usize) -> Self {
        self.executor.max_states = states.max(1);
        self
    }
}

impl<P: ContourProblem<State: Serialize + DeserializeOwned>> Executor<P, ()> for Spilled {
    type Answer<T> = Result<T, SpillError>;
    type Sweeper = Self;
    type Error = SpillError;

    fn execute<T: Send>(
        self,
        settings: SweepSettings<'_, P, ()>,
        question: &Question,
        work: impl Fn(SweepRun<'_, '_, P, (), Self>) -> Result<T, Stop> + Sync,
    ) -> Result<(Result<T, Stop>, Report), SpillError> {
        self.files.check()?;
        let (result, report, spilled) = execute_here(settings, self, question, work);
        spilled.failed.map_or(Ok((result, report)), Err)
    }

    fn answer<T>(result: Result<T, SpillError>) -> Result<T, SpillError> {
        result
    }
}
