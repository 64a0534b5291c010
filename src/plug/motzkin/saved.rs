//! Dense sweeps that are saved while they run.

use super::dense::DenseSweep;
use super::dense_run::{TableAndTotal, TableSaver};
use super::numbers::{FixedWidthAlgebra, Table};
use super::problem::MotzkinProblem;
use crate::checkpoint::{LoadError, SaveError};
use crate::limits::Stop;
use crate::plug::algebra::serde_impls::Bytes;
use crate::plug::checkpoint::{EntryReader, Failure, Saved, SweepCheckpoint, inconsistent};
use crate::plug::executor::{Question, Resumed};
use crate::plug::stats::SweepStats;

impl TableSaver for Saved<'_> {
    const SAVES: bool = true;

    fn set_width(&mut self, width: u32) {
        self.width = width;
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
            let mut reader = EntryReader::new(reader, entries);
            let check_clock = || stats.clock().check().map_err(Failure::from);
            while let Some(bytes) = reader.next::<Bytes, _>(check_clock)? {
                let number = algebra.value_from_bytes(&bytes);
                all.push(number.ok_or_else(|| inconsistent("found a number that is too large"))?);
            }
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
            Saved::save::<_, Bytes>(self, stats, stop, table.words() as u64 + 1, entries);
        }
    }
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
    ) -> Result<DenseSweep<'p, P, Saved<'c>>, SaveError> {
        Ok(DenseSweep { sweep: self.sweep.checkpoint(checkpoint)? })
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
    ) -> Result<DenseSweep<'p, P, Saved<'c>>, LoadError> {
        Ok(DenseSweep { sweep: self.sweep.resume(checkpoint)? })
    }
}
