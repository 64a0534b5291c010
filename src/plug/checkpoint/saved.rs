//! A sweep that is saved while it runs: [`SavedSweep`].

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{LayerFile, SweepCheckpoint};
use crate::checkpoint::{LoadError, Lock, SaveError};
use crate::outcome::{Count, Found, Outcome, Total};
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Algebra, Feasible};
use crate::plug::hook::SweepHooks;
use crate::plug::profile::ContourProblem;
use crate::plug::sweep::Sweep;

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
