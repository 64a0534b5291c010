//! Dense sweeps that are saved while they run: [`SavedDenseSweep`].

use super::dense::DenseSweep;
use super::dense_run::{TableAndTotal, TableSaver};
use super::numbers::FixedWidthAlgebra;
use super::problem::MotzkinProblem;
use super::table::Table;
use crate::checkpoint::{LoadError, SaveError};
use crate::limits::Stop;
use crate::outcome::{Count, Outcome, Total};
use crate::plug::algebra::Modulo;
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::serde_impls::Bytes;
use crate::plug::checkpoint::{Failure, LayerFile, SweepCheckpoint, inconsistent, read_entries};
use crate::plug::executor::{Question, Resumed};
use crate::plug::stats::SweepStats;

impl TableSaver for LayerFile<'_> {
    const SAVES: bool = true;

    fn set_width(&mut self, width: u32) {
        LayerFile::set_width(self, width);
    }

    fn resume_table<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
        question: &Question,
        stats: &mut SweepStats<'_>,
        words: impl FnOnce(&mut SweepStats<'_>, usize) -> Result<usize, Stop>,
    ) -> Result<Resumed<TableAndTotal<N>>, Stop> {
        self.load(question, stats, |stats, entries, reader| {
            let cell = stats.cells_done();
            let words = words(stats, cell)?;
            if entries != words as u64 + 1 {
                let reason = format!(
                    "found {entries} numbers, expected {words} for the words and 1 for the total"
                );
                return Err(inconsistent(reason).into());
            }
            let mut all = Vec::new();
            // The number of entries follows from the problem, so a file cannot claim too many.
            let length = words.saturating_add(1);
            if length.saturating_mul(size_of::<N::Value>()) > stats.max_bytes()
                || all.try_reserve_exact(length).is_err()
            {
                return Err(Stop::MemoryLimit.into());
            }
            let check_clock = || stats.clock().check().map_err(Failure::from);
            read_entries(reader, entries, check_clock, |bytes: Bytes| {
                all.push(
                    algebra
                        .value_from_bytes(&bytes)
                        .ok_or_else(|| inconsistent("found a number that is too large"))?,
                );
                Ok(())
            })?;
            // The last entry is the value of the finished solutions.
            let total = all.pop().unwrap_or(N::ZERO);
            Ok((Table::new(vec![all]), total))
        })
    }

    fn save<N: FixedWidthAlgebra>(
        &mut self,
        stats: &mut SweepStats<'_>,
        table: &Table<N::Value>,
        total: &N::Value,
        stop: Option<Stop>,
    ) {
        if self.is_due(stats, stop) {
            let entries = table.values().chain([total]).map(N::to_bytes);
            LayerFile::save::<_, Bytes>(self, stats, stop, table.words() as u64 + 1, entries);
        }
    }
}

/// A dense sweep that is saved while it runs. [`DenseSweep::checkpoint`] or [`DenseSweep::resume`]
/// creates it.
///
/// It has the operations of [`DenseSweep`] whose values can be saved. Each of them returns an error
/// before it sweeps if the file to resume from belongs to another question.
#[derive(Debug)]
#[must_use = "a sweep does nothing until one of its terminal operations is called"]
pub struct SavedDenseSweep<'p, 'c, P> {
    sweep: DenseSweep<'p, P>,
    file: LayerFile<'c>,
}

impl<'p, P: MotzkinProblem> DenseSweep<'p, P> {
    /// Starts a sweep that is saved while it runs: see [`SweepCheckpoint`]. The file contains the
    /// table with its numbers.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use secateurs::checkpoint::Fingerprint;
    /// use secateurs::plug::{Sweep, SweepCheckpoint};
    /// use secateurs::{Limits, Stop};
    /// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
    ///
    /// # let name = format!("secateurs-doc-dense-{}", std::process::id());
    /// # let path = std::env::temp_dir().join(name);
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
    /// Returns an error if the file cannot be written, if it exists already (files are never
    /// overwritten by a new sweep), or if another run saves in it.
    pub fn checkpoint<'c>(
        self,
        checkpoint: &'c mut SweepCheckpoint,
    ) -> Result<SavedDenseSweep<'p, 'c, P>, SaveError> {
        Ok(SavedDenseSweep { sweep: self, file: checkpoint.begin(Vec::new())? })
    }

    /// Resumes a saved sweep, and continues to save it, like
    /// [`Sweep::resume`](crate::plug::Sweep::resume).
    ///
    /// # Errors
    /// Returns a [`LoadError`] if the file cannot be read, is damaged, belongs to another sweep, or
    /// if another run saves in it.
    pub fn resume<'c>(
        self,
        checkpoint: &'c mut SweepCheckpoint,
    ) -> Result<SavedDenseSweep<'p, 'c, P>, LoadError> {
        Ok(SavedDenseSweep { sweep: self, file: checkpoint.resume(Vec::new())? })
    }
}

impl<'p, 'c, P: MotzkinProblem> SavedDenseSweep<'p, 'c, P> {
    fn with<T>(
        mut self,
        run: impl FnOnce(DenseSweep<'p, P>, &mut LayerFile<'c>) -> T,
    ) -> Result<T, LoadError> {
        let value = run(self.sweep, &mut self.file);
        self.file.result(value)
    }

    /// Counts like [`DenseSweep::count`]. Also resumes a sweep that
    /// [`count_natural`](Self::count_natural) saved.
    ///
    /// # Errors
    /// Returns an error if the file to resume from belongs to another question.
    ///
    /// # Panics
    /// Panics if the problem does not start from the empty word.
    pub fn count(self) -> Result<Outcome<Count>, LoadError> {
        self.with(|sweep, saver| sweep.count_saved(saver))
    }

    /// Counts like [`DenseSweep::count_natural`]. Also resumes a sweep that [`count`](Self::count)
    /// saved.
    ///
    /// # Errors
    /// Returns the errors of [`count`](Self::count).
    ///
    /// # Panics
    /// Panics if the problem does not start from the empty word.
    #[cfg(feature = "bigint")]
    pub fn count_natural(self) -> Result<Outcome<Total<Natural>>, LoadError> {
        self.with(|sweep, saver| sweep.count_natural_saved(saver))
    }

    /// Counts like [`DenseSweep::count_by_residues`]. The file holds the last complete table of the
    /// current pass, and the results of the passes before it.
    ///
    /// # Errors
    /// Returns the errors of [`count`](Self::count).
    ///
    /// # Panics
    /// Panics if the problem does not start from the empty word.
    #[cfg(feature = "bigint")]
    pub fn count_by_residues(self) -> Result<Outcome<Total<Natural>>, LoadError> {
        self.with(|sweep, saver| sweep.count_by_residues_saved(saver))
    }

    /// Counts like [`DenseSweep::count_moduli`].
    ///
    /// # Errors
    /// Returns the errors of [`count`](Self::count).
    ///
    /// # Panics
    /// Panics if the problem does not start from the empty word.
    pub fn count_moduli<const N: usize>(
        self,
        modulo: &Modulo<N>,
    ) -> Result<Outcome<Total<[u64; N]>>, LoadError> {
        self.with(|sweep, saver| sweep.count_moduli_saved(modulo, saver))
    }
}
