//! A dense sweep that is saved while it runs: [`SavedDenseSweep`].

use super::dense::DenseSweep;
use super::dense_run::{TableAndTotal, TableSaver};
use super::numbers::Numbers;
use super::problem::MotzkinProblem;
use crate::checkpoint::{LoadError, Lock, SaveError};
use crate::limits::Stop;
use crate::outcome::{Count, Outcome, Total};
use crate::plug::account::Account;
use crate::plug::algebra::Modulo;
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::data::Bytes;
use crate::plug::checkpoint::{
    Failure, LayerFile, SweepCheckpoint, out_of_memory, read_entries, unsound,
};
use crate::plug::saving::{Question, Taken};

impl TableSaver for LayerFile<'_> {
    fn set_width(&mut self, width: u32) {
        LayerFile::set_width(self, width);
    }

    fn take_up<N: Numbers>(
        &mut self,
        numbers: N,
        question: &Question,
        account: &mut Account<'_>,
        words: impl FnOnce(&mut Account<'_>, usize) -> Result<usize, Stop>,
    ) -> Result<Taken<TableAndTotal<N>>, Stop> {
        self.load(question, account, |account, entries, source| {
            let cell = account.cells_done();
            let words = words(account, cell)?;
            if entries != words as u64 + 1 {
                return Err(unsound("another number of words than the layer has").into());
            }
            let mut all = Vec::new();
            let go_on = || account.clock().check().map_err(Failure::from);
            read_entries(source, entries, go_on, |bytes: Bytes| {
                all.try_reserve(1).map_err(|_| out_of_memory())?;
                all.push(
                    numbers.read(&bytes).ok_or_else(|| unsound("a number that is too large"))?,
                );
                Ok(())
            })?;
            // The last one is that of the ways that are finished.
            let total = all.pop().unwrap_or(N::ZERO);
            Ok((all, total))
        })
    }

    fn save<N: Numbers>(
        &mut self,
        account: &mut Account<'_>,
        table: &[N::Value],
        total: &N::Value,
        stop: Option<Stop>,
    ) {
        if self.is_due(account, stop) {
            let entries = table.iter().chain([total]).map(N::to_bytes);
            LayerFile::save::<_, Bytes>(self, account, stop, table.len() as u64 + 1, entries);
        }
    }
}

/// A dense sweep that is saved while it runs: made by [`DenseSweep::checkpoint`] or
/// [`DenseSweep::resume`].
///
/// Its operations are those of [`DenseSweep`]. Each gives an error, and no sweep is made, if the
/// file that it is to go on from is of another question.
#[derive(Debug)]
#[must_use = "a sweep does nothing until one of its terminal operations is called"]
pub struct SavedDenseSweep<'p, 'c, P> {
    sweep: DenseSweep<'p, P>,
    checkpoint: &'c mut SweepCheckpoint,
    resume: bool,
    /// Held until the sweep has ended.
    lock: Lock,
}

impl<'p, P: MotzkinProblem> DenseSweep<'p, P> {
    /// Begins a sweep that is saved while it runs: [`SweepCheckpoint`] says how. It is the table
    /// that is saved, with the numbers that it has.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use secateurs::checkpoint::Fingerprint;
    /// use secateurs::plug::{Sweep, SweepCheckpoint};
    /// use secateurs::problems::catalogue::{Grid, hamiltonian_cycles};
    /// use secateurs::{Limits, Stop};
    ///
    /// # let path = std::env::temp_dir().join(format!("secateurs-doc-dense-{}", std::process::id()));
    /// let cycles = hamiltonian_cycles(&Grid::new(12, 12)?);
    /// let fingerprint = Fingerprint::new("Hamiltonian cycles", &[12, 12]);
    /// let mut checkpoint = SweepCheckpoint::new(&path, Duration::from_secs(60), fingerprint);
    /// let first_half = Sweep::new(&cycles).limits(Limits::new().depth(72)).dense();
    /// assert_eq!(first_half.checkpoint(&mut checkpoint)?.count()?.stop(), Stop::DepthLimit);
    /// let outcome = Sweep::new(&cycles).dense().resume(&mut checkpoint)?.count()?;
    /// assert_eq!(outcome.exact(), Some(1_076_226_888_605_605_706));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the file cannot be written, if there is one already, as nothing that may be of use is
    /// overwritten, or if another run saves in it.
    pub fn checkpoint<'c>(
        self,
        checkpoint: &'c mut SweepCheckpoint,
    ) -> Result<SavedDenseSweep<'p, 'c, P>, SaveError> {
        let lock = checkpoint.begin(Vec::new())?;
        Ok(SavedDenseSweep { sweep: self, checkpoint, resume: false, lock })
    }

    /// Goes on with a sweep that was saved, and saves it as it did: as
    /// [`Sweep::resume`](crate::plug::Sweep::resume).
    ///
    /// # Errors
    /// If the file cannot be read, is not just what was written, belongs to another sweep, or is
    /// one in which another run saves: see [`LoadError`].
    pub fn resume<'c>(
        self,
        checkpoint: &'c mut SweepCheckpoint,
    ) -> Result<SavedDenseSweep<'p, 'c, P>, LoadError> {
        let lock = checkpoint.inspect(Vec::new())?;
        Ok(SavedDenseSweep { sweep: self, checkpoint, resume: true, lock })
    }
}

impl<'p, 'c, P: MotzkinProblem> SavedDenseSweep<'p, 'c, P> {
    fn with<T>(
        self,
        run: impl FnOnce(DenseSweep<'p, P>, &mut LayerFile<'c>) -> T,
    ) -> Result<T, LoadError> {
        let mut saver = LayerFile::new(self.checkpoint.file(), self.resume);
        let value = run(self.sweep, &mut saver);
        let result = saver.result(value);
        drop(self.lock);
        result
    }

    /// As [`DenseSweep::count`]. A sweep that was saved by [`count_natural`](Self::count_natural)
    /// goes on as well.
    ///
    /// # Errors
    /// If the file to go on from is of another question.
    pub fn count(self) -> Result<Outcome<Count>, LoadError> {
        self.with(|sweep, saver| sweep.count_saved(saver))
    }

    /// As [`DenseSweep::count_natural`]. A sweep that was saved by [`count`](Self::count) goes on
    /// as well.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    #[cfg(feature = "bigint")]
    pub fn count_natural(self) -> Result<Outcome<Total<Natural>>, LoadError> {
        self.with(|sweep, saver| sweep.count_natural_saved(saver))
    }

    /// As [`DenseSweep::count_moduli`].
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn count_moduli<const N: usize>(
        self,
        modulo: &Modulo<N>,
    ) -> Result<Outcome<Total<[u64; N]>>, LoadError> {
        self.with(|sweep, saver| sweep.count_moduli_saved(modulo, saver))
    }
}
