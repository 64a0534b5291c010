//! Sweeps in dense tables, without hashing: [`DenseSweep`].

use super::dense_run::{DenseRun, TableSaver};
use super::problem::MotzkinProblem;
use crate::hook::Effect;
use crate::limits::Stop;
use crate::outcome::{Count, Found, Outcome, Total, Uniqueness};
use crate::plug::Sweep;
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Counting, Modulo, Overflow, UpTo, ZeroModulus};
use crate::plug::executor::{Executor, InMemory, Question};
#[cfg(feature = "bigint")]
use crate::plug::sweep::passes::{PassSaver, count_in_passes};
use crate::plug::sweep::widening::{Ladder, UpTo4096Bits};
use crate::report::Report;

/// A sweep whose layers are tables that are indexed by the rank of the state. [`Sweep::dense`]
/// creates it. It inherits the limits, threads and progress callback of the sweep.
///
/// A limit of [memory](crate::Limits::memory) applies to the tables and to their plans, which are
/// dropped and made again if memory is scarce; a limit of [states](crate::Limits::states) applies
/// to the number of words of a table, some of which may have the value 0 and some of which stand
/// for two states. The clock and cancellation are checked before each cell, and in large tables
/// about every sixteen thousand words.
///
/// With the executor [`InMemory`], an answer is the outcome; a sweep that is
/// [saved](DenseSweep::checkpoint) returns a result.
///
/// # Panics
/// Each question panics if the problem does not start from the empty word.
#[derive(Debug)]
#[must_use = "a sweep does nothing until one of its terminal operations is called"]
pub struct DenseSweep<'p, P, E = InMemory> {
    pub(super) sweep: Sweep<'p, P, (), E>,
}

impl<'p, P: MotzkinProblem> Sweep<'p, P> {
    /// Converts the sweep to dense tables: see [`motzkin`](crate::plug::motzkin). There are no
    /// hooks, because states are never decoded.
    pub fn dense(self) -> DenseSweep<'p, P> {
        DenseSweep { sweep: self }
    }
}

impl<P, E> DenseSweep<'_, P, E>
where
    P: MotzkinProblem,
    E: Executor<P, (), Sweeper: TableSaver>,
{
    /// Counts the solutions exactly; a count above 2¹²⁸ − 1 gives [`Stop::CountOverflow`] after the
    /// last cell. See [`count_natural`](DenseSweep::count_natural) for larger counts.
    pub fn count(self) -> E::Answer<Outcome<Count>> {
        let result = self.ask(&exact_count(), |run| {
            let count = UpTo4096Bits::climb(run, None)?;
            u128::try_from(&count).map_err(|Overflow| Stop::CountOverflow)
        });
        let count = |count: Option<u128>| Count::swept(count.unwrap_or(0));
        E::answer(result.map(|(sum, report)| Outcome::new(count(sum), report)))
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
    #[cfg(feature = "bigint")]
    pub fn count_natural(self) -> E::Answer<Outcome<Total<Natural>>> {
        self.total(&exact_count(), |run| UpTo4096Bits::climb(run, None).map(Natural::from))
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
    #[cfg(feature = "bigint")]
    pub fn count_by_residues(self) -> E::Answer<Outcome<Total<Natural>>>
    where
        E::Sweeper: PassSaver,
    {
        let question = Question::count("count by residues, in dense tables", u32::MAX);
        self.total(&question, |run| count_in_passes(run))
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
    pub fn count_modulo(self, modulus: u64) -> Result<E::Answer<Outcome<Total<u64>>>, ZeroModulus> {
        let modulo = Modulo::new([modulus])?;
        Ok(self.total(&count_modulo(&modulo), |run| {
            run.count_modulo(&modulo).map(|[residue]| residue)
        }))
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
    pub fn count_moduli<const N: usize>(
        self,
        modulo: &Modulo<N>,
    ) -> E::Answer<Outcome<Total<[u64; N]>>> {
        self.total(&count_modulo(modulo), |run| run.count_modulo(modulo))
    }

    /// Decides whether there is a solution. A value takes one byte.
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
    ///
    /// let cycles = hamiltonian_cycles(&Grid::new(7, 7)?); // an odd number of cells
    /// assert_eq!(Sweep::new(&cycles).dense().exists().exists(), Some(false));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn exists(self) -> E::Answer<Outcome<Found<()>>> {
        let result =
            self.ask(&count_up_to::<1>(), |run| run.total_under(Counting::<UpTo<1>>::new()));
        E::answer(result.map(|(count, report)| {
            let found = count.filter(|count| count.get() > 0).map(|_| ());
            Outcome::new(Found::new(found, &report), report)
        }))
    }

    /// Decides whether there is no solution, exactly one, or more. A value takes one byte.
    ///
    /// ```
    /// use secateurs::Uniqueness;
    /// use secateurs::plug::Sweep;
    /// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
    ///
    /// let cycles = hamiltonian_cycles(&Grid::new(2, 9)?);
    /// assert_eq!(Sweep::new(&cycles).dense().is_unique().value(), &Uniqueness::One);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn is_unique(self) -> E::Answer<Outcome<Uniqueness>> {
        let result =
            self.ask(&count_up_to::<2>(), |run| run.total_under(Counting::<UpTo<2>>::new()));
        E::answer(result.map(|(count, report)| {
            let count = Count::swept(count.map_or(0, |count| count.get().into()));
            Outcome::of_count(Outcome::new(count, report))
        }))
    }

    /// Runs the sweep for a sum over all solutions.
    fn total<T: Send>(
        self,
        question: &Question,
        count: impl Fn(&mut DenseRun<'_, '_, P, E::Sweeper>) -> Result<T, Stop> + Sync,
    ) -> E::Answer<Outcome<Total<T>>> {
        E::answer(self.ask(question, count).map(|(sum, report)| {
            Outcome::new(Total::new(sum, Effect::Preserving, &report), report)
        }))
    }

    /// Runs the sweep, and returns its result, if it was not stopped, and its report.
    fn ask<T: Send>(
        self,
        question: &Question,
        count: impl Fn(&mut DenseRun<'_, '_, P, E::Sweeper>) -> Result<T, Stop> + Sync,
    ) -> Result<(Option<T>, Report), E::Error> {
        let (result, report) = self.sweep.ask(question, |run| count(&mut DenseRun::new(run)))?;
        Ok((result.ok(), report))
    }
}

fn exact_count() -> Question {
    // Files name a width by its number of limbs, from 1 to 64.
    Question::count("count, in dense tables", 65)
}

fn count_modulo<const N: usize>(modulo: &Modulo<N>) -> Question {
    Question::count(format!("count modulo {:?}, in dense tables", modulo.moduli()), 1)
}

/// Returns the question of a count in values [`UpTo<MOST>`](UpTo).
fn count_up_to<const MOST: u8>() -> Question {
    Question::count(format!("count up to {MOST}, in dense tables"), 1)
}
