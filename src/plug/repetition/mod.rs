//! Boards of any length whose middle repeats, by linear recurrences: [`Repetition`].
//!
//! Read in this order:
//!
//! - this file: the questions;
//! - `transitions`: all states of the repeated cells, and the transitions between them;
//! - `polynomial_ring`: recurrences modulo a number;
//! - `generating_function`: recurrences in integers.

mod generating_function;
mod polynomial_ring;
mod transitions;

use std::fmt;
use std::ops::Range;

use num_bigint::BigUint;

pub use self::generating_function::GeneratingFunction;
use self::generating_function::ModuloPrimes;
use self::polynomial_ring::Ring;
use self::transitions::Transitions;
use super::algebra::{ZeroModulus, is_prime, large_primes};
use super::contour_problem::ContourProblem;
use super::step::Clock;
use super::sweep::Sweep;
use crate::clock::Instant;
use crate::hook::Effect;
use crate::limits::Stop;
use crate::outcome::{Incomplete, Outcome, Total};
use crate::report::Report;

impl<P: ContourProblem> Sweep<'_, P> {
    /// Finds the states and transitions of a board of which some cells, usually a row, are repeated
    /// any number of times: for counts on boards of any length.
    ///
    /// The cells before and after `repeated` are processed once. The problem needs few rows: the
    /// first ones and the last ones, as far as they differ, and one to repeat. See [`Repetition`].
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// let repetition = Sweep::new(&Row(1)).repeated(0..1)?;
    /// // The number of sets of the squares of a row of 10¹⁸ squares, modulo a prime.
    /// let outcome = repetition.count_modulo(1_000_000_000_000_000_000, 1_000_000_007)?;
    /// assert_eq!(outcome.total(), Some(&889_840_849));
    /// let function = repetition.generating_function();
    /// assert_eq!(function.total().map(|f| f.to_string()), Some("(1 + x) / (1 - x - x^2)".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Takes the time of a sweep until the repeated cells lead to no new state, and memory for all
    /// of these states and, afterwards, for all transitions. Threads are not used.
    ///
    /// # Errors
    /// Returns an error if the problem has no such cells, or if a limit has stopped the run. The
    /// [limit of states](crate::Limits::states) is that of the states before a cell, and the [limit
    /// of memory](crate::Limits::memory) that of the states and transitions. A count takes some ten
    /// words more for each state. The [limit of time](crate::Limits::time) includes all counts that
    /// follow.
    pub fn repeated(self, repeated: Range<usize>) -> Result<Repetition, RepetitionError> {
        let cells = self.settings.problem.cells();
        if repeated.start > repeated.end || repeated.end > cells {
            return Err(RepetitionError::NoSuchCells { repeated, cells });
        }
        let (problem, (), mut stats) = self.settings.start();
        let explored = stats.record_reads(|stats| Transitions::explore(problem, stats, repeated));
        let stop = explored.as_ref().err().copied().unwrap_or(Stop::Exhausted);
        let report = stats.report(stop, false);
        match explored {
            Ok(transitions) => Ok(Repetition { transitions, clock: stats.clock().clone(), report }),
            Err(_) => Err(RepetitionError::Stopped(Incomplete::new(&report))),
        }
    }
}

/// The states and transitions of a board of which some cells are repeated any number of times. Made
/// by [`Sweep::repeated`].
///
/// # Why the answers are proven
///
/// The numbers of paths to each of the n [states](Self::states) before the repeated cells are a
/// vector, and repeating the cells multiplies it by one matrix. By the theorem of Cayley and
/// Hamilton the numbers of solutions therefore obey a linear recurrence of order at most n, in
/// integers and modulo any number. The first 2 n numbers of solutions determine the one of least
/// order (Massey, 1969), and a recurrence that holds for n numbers in succession holds for all
/// later ones. It is determined from that many; none is extrapolated from a few.
///
/// # Requirements on the problem
///
/// The cells keep their numbers when they are repeated. If the state after the repeated cells does
/// not mean the same as the one before them, for example because its bits are in other places or
/// because it has the number of processed rows, then the board that is counted is not the one that
/// was meant. A state with a number that grows has no end of states.
pub struct Repetition {
    transitions: Transitions,
    /// The clock of the exploration, whose time limit includes all answers.
    clock: Clock,
    report: Report,
}

impl fmt::Debug for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repetition").field("states", &self.states()).finish_non_exhaustive()
    }
}

impl Repetition {
    getters! {
        self;
        /// Returns the number of states before the repeated cells, after any number of repetitions.
        /// No recurrence of the numbers of solutions has a greater order.
        states -> usize: self.transitions.width();

        /// Returns the report of the exploration: states, transitions, memory and time.
        report -> &Report: &self.report;
    }

    /// Counts the solutions on the board with the repeated cells this number of times, also 0,
    /// modulo a number.
    ///
    /// With n [states](Self::states), takes the time of 2 n repetitions (fewer if `times` is less),
    /// and some n² log(`times`) multiplications. A modulus that is not prime takes that many
    /// repetitions modulo several primes.
    ///
    /// # Errors
    /// Returns an error if `modulus` is 0.
    pub fn count_modulo(
        &self,
        times: u128,
        modulus: u64,
    ) -> Result<Outcome<Total<u64>>, ZeroModulus> {
        if modulus == 0 {
            return Err(ZeroModulus);
        }
        Ok(self.answer(|clock| {
            let ring = Ring { modulus, clock };
            let known = usize::try_from(times).map_or(usize::MAX, |times| times.saturating_add(1));
            let terms = self.transitions.terms(ring, known.min(self.terms_needed()))?;
            if let Some(&term) = usize::try_from(times).ok().and_then(|times| terms.get(times)) {
                return Ok(term);
            }
            if is_prime(modulus) {
                return ring.term(ring.generating_function(&terms)?, times);
            }
            // The recurrence in integers holds modulo any number. A candidate is proven by the
            // terms modulo this one.
            let denominator = self.modulo_primes(clock, |function, _| {
                let denominator = function.denominator_modulo(ring)?;
                Ok(ring.follow(&terms, &denominator)?.then_some(denominator))
            })?;
            ring.term(ring.quotient(&terms, denominator), times)
        }))
    }

    /// Returns the generating function of the numbers of solutions, with the recurrence of least
    /// order.
    ///
    /// Takes the time of [`count_modulo`](Self::count_modulo) for each 63 bits of the largest of
    /// the first 2 n numbers: up to a few thousand states.
    pub fn generating_function(&self) -> Outcome<Total<GeneratingFunction>> {
        self.answer(|clock| {
            let bits = self.transitions.bits(self.terms_needed(), clock)?;
            self.modulo_primes(clock, |function, product| {
                Ok(function.is_proven(product, bits).then(|| function.clone()))
            })
        })
    }

    /// The number of terms that determine the recurrence.
    fn terms_needed(&self) -> usize {
        2 * self.states()
    }

    /// Determines the generating function modulo one prime after another, until `accept` returns a
    /// result for the function with the least coefficients.
    fn modulo_primes<T>(
        &self,
        clock: &Clock,
        accept: impl Fn(&GeneratingFunction, &BigUint) -> Result<Option<T>, Stop>,
    ) -> Result<T, Stop> {
        let mut all = ModuloPrimes::default();
        for modulus in large_primes() {
            let ring = Ring { modulus, clock };
            let terms = self.transitions.terms(ring, self.terms_needed())?;
            all.add(ring, &ring.generating_function(&terms)?)?;
            let (function, product) = all.least(clock)?;
            if let Some(result) = accept(&function, &product)? {
                return Ok(result);
            }
        }
        // Not reached: there are more primes than a run can use.
        Err(Stop::CountOverflow)
    }

    /// Returns the answer of a computation within the limits, with the time of both.
    fn answer<V>(&self, compute: impl FnOnce(&Clock) -> Result<V, Stop>) -> Outcome<Total<V>> {
        let start = Instant::now();
        let computed = compute(&self.clock);
        let mut report = self.report.clone();
        report.elapsed = report.elapsed.saturating_add(start.elapsed());
        report.stop = computed.as_ref().err().copied().unwrap_or(Stop::Exhausted);
        Outcome::new(Total::new(computed.ok(), Effect::Preserving, &report), report)
    }
}

/// The reason why there is no [`Repetition`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepetitionError {
    /// The problem does not have these cells, or the range ends before it starts.
    NoSuchCells {
        /// The cells to be repeated.
        repeated: Range<usize>,
        /// The number of cells of the problem.
        cells: usize,
    },
    /// A limit has stopped the run.
    Stopped(Incomplete),
}

impl fmt::Display for RepetitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RepetitionError::NoSuchCells { repeated, cells } => write!(
                f,
                "found the cells {} to {} to be repeated, expected a range within 0 to {cells}",
                repeated.start, repeated.end
            ),
            RepetitionError::Stopped(incomplete) => incomplete.fmt(f),
        }
    }
}

impl std::error::Error for RepetitionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RepetitionError::NoSuchCells { .. } => None,
            RepetitionError::Stopped(incomplete) => Some(incomplete),
        }
    }
}
