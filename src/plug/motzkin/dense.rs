//! Sweeps in dense tables, without hashing: [`DenseSweep`].

use super::dense_run::{DenseRun, TableSaver};
use super::problem::MotzkinProblem;
use crate::hook::Effect;
use crate::limits::Stop;
use crate::outcome::{Count, Outcome, Total};
use crate::plug::Sweep;
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Modulo, Overflow, ZeroModulus};
#[cfg(feature = "bigint")]
use crate::plug::sweep::passes::PassSaver;
use crate::plug::sweep::run::Unsaved;
use crate::report::Report;

/// A sweep whose layers are tables that are indexed by the rank of the state. [`Sweep::dense`]
/// creates it. It inherits the limits, threads and progress callback of the sweep.
///
/// A limit of [memory](crate::Limits::memory) applies to the tables and to their plans, which are
/// dropped and made again if memory is scarce; a limit of [states](crate::Limits::states) applies
/// to the number of words of a table, some of which may have the value 0 and some of which stand
/// for two states. The clock and cancellation are checked before each cell, and in large tables
/// about every sixteen thousand words.
#[derive(Debug)]
#[must_use = "a sweep does nothing until one of its terminal operations is called"]
pub struct DenseSweep<'p, P> {
    sweep: Sweep<'p, P>,
}

impl<'p, P: MotzkinProblem> Sweep<'p, P> {
    /// Converts the sweep to dense tables: see [`motzkin`](crate::plug::motzkin). There are no
    /// hooks, because states are never decoded.
    pub fn dense(self) -> DenseSweep<'p, P> {
        DenseSweep { sweep: self }
    }
}

impl<'p, P: MotzkinProblem> DenseSweep<'p, P> {
    /// Counts the solutions exactly; a count above 2¹²⁸ − 1 gives [`Stop::CountOverflow`] after the
    /// last cell. See [`count_natural`](DenseSweep::count_natural) for larger counts.
    ///
    /// # Panics
    /// Panics if the problem does not start from the empty word.
    pub fn count(self) -> Outcome<Count> {
        self.count_saved(&mut Unsaved)
    }

    pub(super) fn count_saved(self, saver: &mut impl TableSaver) -> Outcome<Count> {
        let (count, report) = self.run(|run| {
            u128::try_from(&run.count_exact(saver)?).map_err(|Overflow| Stop::CountOverflow)
        });
        Outcome::new(Count::swept(count.unwrap_or(0)), report)
    }

    /// Counts the solutions exactly, up to 2⁴⁰⁹⁶ − 1; a larger count stops the sweep with
    /// [`Stop::CountOverflow`].
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs_problems::catalogue::{Grid, simple_paths};
    ///
    /// let paths = simple_paths(&Grid::new(14, 14)?);
    /// let outcome = Sweep::new(&paths).dense().count_natural();
    /// let count = outcome.total().expect("nothing limits the sweep");
    /// assert_eq!(count.to_string(), "69450664761521361664274701548907358996488");
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the problem does not start from the empty word.
    #[cfg(feature = "bigint")]
    pub fn count_natural(self) -> Outcome<Total<Natural>> {
        self.count_natural_saved(&mut Unsaved)
    }

    #[cfg(feature = "bigint")]
    pub(super) fn count_natural_saved(
        self,
        saver: &mut impl TableSaver,
    ) -> Outcome<Total<Natural>> {
        let (total, report) = self.run(|run| run.count_exact(saver).map(Natural::from));
        Outcome::new(Total::new(total, Effect::Preserving, &report), report)
    }

    /// Counts the solutions exactly, in several sweeps one after the other whose values take one
    /// word, however large the count is: see
    /// [`Sweep::count_by_residues`](crate::plug::Sweep::count_by_residues).
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs_problems::catalogue::{Grid, simple_paths};
    ///
    /// let paths = simple_paths(&Grid::new(14, 14)?);
    /// let outcome = Sweep::new(&paths).dense().count_by_residues();
    /// let count = outcome.total().expect("nothing limits the sweep");
    /// assert_eq!(count.to_string(), "69450664761521361664274701548907358996488");
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the problem does not start from the empty word.
    #[cfg(feature = "bigint")]
    pub fn count_by_residues(self) -> Outcome<Total<Natural>> {
        self.count_by_residues_saved(&mut Unsaved)
    }

    #[cfg(feature = "bigint")]
    pub(super) fn count_by_residues_saved(
        self,
        saver: &mut (impl TableSaver + PassSaver),
    ) -> Outcome<Total<Natural>> {
        let (total, report) = self.run(|run| run.count_by_residues(saver));
        Outcome::new(Total::new(total, Effect::Preserving, &report), report)
    }

    /// Counts the solutions modulo `modulus`, with one machine word per state, however large the
    /// count is.
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs_problems::catalogue::{Grid, simple_paths};
    ///
    /// let paths = simple_paths(&Grid::new(7, 7)?); // 575 780 564
    /// assert_eq!(Sweep::new(&paths).dense().count_modulo(1000)?.total(), Some(&564));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`ZeroModulus`] if `modulus` is 0.
    ///
    /// # Panics
    /// Panics if the problem does not start from the empty word.
    pub fn count_modulo(self, modulus: u64) -> Result<Outcome<Total<u64>>, ZeroModulus> {
        let outcome = self.count_moduli(&Modulo::new([modulus])?);
        Ok(outcome.map_total(|residues| residues.map_or(0, |[residue]| residue)))
    }

    /// Counts the solutions modulo each of `N` numbers at once, with `N` machine words per state.
    /// [`Residues`](crate::plug::algebra::Residues) combines the remainders. (With hash tables,
    /// this is [`Sweep::run`] with the same algebra.)
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs::plug::algebra::Modulo;
    /// use secateurs_problems::catalogue::{Grid, simple_paths};
    ///
    /// let paths = simple_paths(&Grid::new(7, 7)?); // 575 780 564
    /// let outcome = Sweep::new(&paths).dense().count_moduli(&Modulo::new([1000, 97])?);
    /// assert_eq!(outcome.total(), Some(&[564, 575_780_564 % 97]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the problem does not start from the empty word.
    pub fn count_moduli<const N: usize>(self, modulo: &Modulo<N>) -> Outcome<Total<[u64; N]>> {
        self.count_moduli_saved(modulo, &mut Unsaved)
    }

    pub(super) fn count_moduli_saved<const N: usize>(
        self,
        modulo: &Modulo<N>,
        saver: &mut impl TableSaver,
    ) -> Outcome<Total<[u64; N]>> {
        let (total, report) = self.run(|run| run.count_modulo(modulo, saver));
        Outcome::new(Total::new(total, Effect::Preserving, &report), report)
    }

    /// Runs the sweep, and returns its result, if it was not stopped, and its report.
    fn run<T>(
        self,
        count: impl FnOnce(&mut DenseRun<'p, P>) -> Result<T, Stop>,
    ) -> (Option<T>, Report) {
        let mut run = DenseRun::new(self.sweep);
        let result = count(&mut run);
        let stop = result.as_ref().err().copied().unwrap_or(Stop::Exhausted);
        (result.ok(), run.stats.into_report(stop, false))
    }
}
