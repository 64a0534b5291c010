//! What a run answers, and what that answer proves.
//!
//! A search that was stopped by a limit, or that ran with hooks that do not preserve every
//! solution, has an answer too, but it proves less. Each kind of answer has its own type, and the
//! accessor that gives it as a proven fact gives `None` when it is not proven; the weaker reading
//! has a name that says so ([`at_least`](Outcome::at_least),
//! [`best_so_far`](Outcome::best_so_far)).

use std::fmt;

use crate::effect::Effect;
use crate::limits::Stop;
use crate::report::{Report, SweepReport};

/// The running count of a search: solutions visited and solutions counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    /// Solutions visited, each once.
    pub(crate) visited: u64,
    /// Of these, how many stand for none: their representative is another one.
    pub(crate) non_representatives: u64,
    counted: u128,
    /// Solutions counted that nobody visited.
    credited: u128,
    /// Whether every solution visited so far came with its orbit size, where there are orbits.
    pub(crate) orbits_known: bool,
    pub(crate) overflow: bool,
    /// Whether a hook has taken something away for not beating an incumbent.
    pub(crate) tightened_by_incumbent: bool,
}

impl Tally {
    pub(crate) const NEW: Tally = Tally {
        visited: 0,
        non_representatives: 0,
        counted: 0,
        credited: 0,
        orbits_known: true,
        overflow: false,
        tightened_by_incumbent: false,
    };

    #[inline]
    pub(crate) fn counted(&self) -> u128 {
        self.counted
    }

    /// Counts solutions that a hook knows of, and that nobody visits.
    #[inline]
    pub(crate) fn credit(&mut self, solutions: u128) {
        self.credited = self.credited.saturating_add(solutions);
        self.add(solutions);
    }

    #[inline]
    pub(crate) fn credited(&self) -> u128 {
        self.credited
    }

    #[inline]
    pub(crate) fn add(&mut self, solutions: u128) {
        let (sum, overflow) = self.counted.overflowing_add(solutions);
        self.overflow |= overflow;
        self.counted = if overflow { u128::MAX } else { sum };
    }
}

/// The answer of a run, with the report that says what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Outcome<T> {
    value: T,
    report: Report,
}

impl<T> Outcome<T> {
    pub(crate) fn new(value: T, report: Report) -> Self {
        Outcome { value, report }
    }

    /// The answer, as a type that tells a proven answer from a partial one.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// The answer and the report, apart.
    pub fn into_parts(self) -> (T, Report) {
        (self.value, self.report)
    }

    /// The account of the run.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Why the run ended.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.report.stop()
    }

    /// What the cuts of the hooks preserve.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.report.effect()
    }

    /// The outcome of a run that went through to its end, and else an error that says where it
    /// stopped, and for a sweep what to try.
    ///
    /// A run that has what it was [asked for](Stop::Satisfied) is complete.
    ///
    /// # Errors
    /// If the run stopped before.
    pub fn complete(self) -> Result<Self, Incomplete> {
        match self.stop() {
            Stop::Exhausted | Stop::Satisfied => Ok(self),
            _ => Err(Incomplete::new(&self.report)),
        }
    }
}

/// A run stopped before its end. See [`Outcome::complete`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incomplete {
    stop: Stop,
    nodes: u64,
    sweep: Option<SweepReport>,
}

impl Incomplete {
    /// What the report of a run says that did not come to its end.
    pub(crate) fn new(report: &Report) -> Self {
        Incomplete { stop: report.stop(), nodes: report.nodes(), sweep: report.sweep }
    }

    /// Why the run stopped.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// The cell in which a sweep stopped, from 0; it is also the number of the layer that was
    /// complete, and from which the next was being made. `None` of a search.
    #[must_use]
    pub fn cell(&self) -> Option<usize> {
        self.sweep.map(|sweep| sweep.done)
    }

    /// How many states the layer had that a sweep was making, or, if it stopped before it began
    /// one, the last complete layer. `None` of a search.
    #[must_use]
    pub fn states(&self) -> Option<u64> {
        self.sweep.map(|sweep| sweep.states)
    }
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(sweep) = self.sweep else {
            write!(f, "stopped after {} nodes: {}", self.nodes, self.stop)?;
            if self.stop == Stop::MemoryLimit {
                f.write_str("; try more memory, a depth-first search, or a limit of open nodes")?;
            }
            return Ok(());
        };
        // What is made of the last layer may be the end of it as well.
        let cell = (sweep.done + 1).min(sweep.cells);
        let place = if sweep.done < sweep.cells { "in" } else { "after" };
        write!(f, "stopped {place} cell {cell} of {}: {}", sweep.cells, self.stop)?;
        if let Some(too_wide) = sweep.too_wide {
            write!(f, " ({too_wide})")?;
        }
        let states = if sweep.states == 1 { "state" } else { "states" };
        write!(f, "; layer {} had {} {states}", sweep.layer, sweep.states)?;
        if sweep.layer > sweep.done {
            f.write_str(" by then")?;
        }
        match self.stop {
            Stop::StateTooWide => f.write_str("; try a wider word for the state, or sweep along the shorter side"),
            Stop::MemoryLimit => {
                write!(f, " and layers took up to {} bytes", sweep.peak_bytes)?;
                f.write_str(
                    "; try more memory, smaller values (a count modulo a number), a hook that drops or joins states, or \
                     to sweep along the shorter side",
                )
            }
            Stop::StateLimit => f.write_str(
                "; try a higher limit, a hook that drops or joins states, or to sweep along the shorter side",
            ),
            Stop::CountOverflow => f.write_str("; try a count of any size, or modulo a number"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Incomplete {}

/// What an algebra made of all ways through a sweep; read it through [`Outcome::total`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total<V> {
    sum: Option<V>,
    proven: bool,
}

impl<V> Total<V> {
    /// The sum of the ways that a sweep has left; of one that has stopped, there is none. It is
    /// what it is meant to be if the hooks have no stronger effect than the one `tolerated`.
    pub(crate) fn new(sum: Option<V>, tolerated: Effect, report: &Report) -> Self {
        Total {
            sum: sum.filter(|_| report.stop().is_exhausted()),
            proven: report.proves_total(tolerated),
        }
    }

    pub(crate) fn into_sum(self) -> Option<V> {
        self.sum
    }
}

impl<V> Outcome<Total<V>> {
    /// The same with another sum: `map` gets `None` if there is no way at all. Of a sweep that has
    /// stopped there is no sum.
    pub(crate) fn map_total<W>(self, map: impl FnOnce(Option<V>) -> W) -> Outcome<Total<W>> {
        let Total { sum, proven } = self.value;
        let sum = self.report.stop().is_exhausted().then(|| map(sum));
        Outcome { value: Total { sum, proven }, report: self.report }
    }
}

impl<V> Outcome<Total<V>> {
    /// The worth of all ways together, if it is proven: the sweep came to its end, and its hooks
    /// lose nothing that the algebra would miss. `None` also if there is no way at all, which
    /// [`is_proven_empty`](Self::is_proven_empty) says.
    #[must_use]
    pub fn total(&self) -> Option<&V> {
        self.value.sum.as_ref().filter(|_| self.value.proven)
    }

    /// Whether it is proven that no way leads to a state that is accepted.
    #[must_use]
    pub fn is_proven_empty(&self) -> bool {
        self.value.proven && self.value.sum.is_none()
    }

    /// The worth of the ways that the sweep has left, proven or not.
    #[must_use]
    pub fn unproven(&self) -> Option<&V> {
        self.value.sum.as_ref()
    }
}

/// How many solutions a run counted; read it through [`Outcome::exact`],
/// [`Outcome::representatives`] or [`Outcome::at_least`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Count {
    visited: u128,
    non_representatives: u128,
    counted: u128,
    credited: u128,
    orbits_known: bool,
}

impl Count {
    /// Solutions counted by a sweep, which visits none and knows of no orbits.
    pub(crate) fn swept(counted: u128) -> Self {
        Count {
            visited: counted,
            non_representatives: 0,
            counted,
            credited: 0,
            orbits_known: false,
        }
    }

    /// Nothing is counted yet.
    pub(crate) const NONE: Self =
        Count { visited: 0, non_representatives: 0, counted: 0, credited: 0, orbits_known: true };

    /// More than can be counted.
    pub(crate) const TOO_MANY: Self = Count {
        visited: u128::MAX,
        non_representatives: 0,
        counted: u128::MAX,
        credited: u128::MAX,
        orbits_known: false,
    };

    /// What two parts of a tree have together; `None` if that is 2¹²⁸ or more.
    pub(crate) fn plus(self, other: Count) -> Option<Count> {
        Some(Count {
            visited: self.visited.checked_add(other.visited)?,
            non_representatives: self.non_representatives.checked_add(other.non_representatives)?,
            counted: self.counted.checked_add(other.counted)?,
            credited: self.credited.checked_add(other.credited)?,
            orbits_known: self.orbits_known && other.orbits_known,
        })
    }
}

impl From<Tally> for Count {
    fn from(tally: Tally) -> Self {
        Count {
            visited: u128::from(tally.visited),
            non_representatives: u128::from(tally.non_representatives),
            counted: tally.counted,
            credited: tally.credited,
            orbits_known: tally.orbits_known,
        }
    }
}

impl Outcome<Count> {
    /// The number of solutions, if it is proven: the tree was exhausted, and the hooks lose none of
    /// them or say how many each one left stands for. Not so if solutions were
    /// [credited](crate::NodeMut::credit) beside a hook that keeps representatives: nobody knows
    /// what each of those stands for.
    #[must_use]
    pub fn exact(&self) -> Option<u128> {
        self.report.proves_count(self.value.orbits_known).then_some(self.value.counted)
    }

    /// The number of solutions that the hooks left as representatives, if the tree was exhausted.
    /// It is the number of orbits (fundamental solutions) if the hook leaves just one an orbit, as
    /// [`hook::LexLeader`] does. `None` also if solutions were [credited](crate::NodeMut::credit),
    /// which are not among those visited, or if the tree was searched in parts beside a hook that
    /// keeps one of those it has [met](crate::hook::HookMemory::Visited), as each part has kept its
    /// own.
    ///
    /// [`hook::LexLeader`]: crate::hook::LexLeader
    #[must_use]
    pub fn representatives(&self) -> Option<u128> {
        let all = self.report.proves_representatives();
        all.then_some(self.value.visited.saturating_sub(self.value.non_representatives))
    }

    /// How many solutions are known: of a run that was stopped, or whose hooks lose solutions, a
    /// partial count.
    #[must_use]
    pub fn at_least(&self) -> u128 {
        self.value.counted.max(self.value.visited)
    }
}

/// Whether there is a solution, and one if there is.
///
/// These are all the answers that there are, so that a `match` may be exhaustive: nothing will be
/// added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<T> {
    /// A solution.
    Solution(T),
    /// It is proven that there is none.
    None,
    /// None was found, but the run was stopped, or its hooks are lossy, took away what does not
    /// beat a known value, or [credited](crate::NodeMut::credit) solutions that nobody has seen.
    Unknown,
}

impl<T> Found<T> {
    pub(crate) fn new(solution: Option<T>, report: &Report) -> Self {
        match solution {
            Some(solution) => Found::Solution(solution),
            None if report.proves_none() => Found::None,
            None => Found::Unknown,
        }
    }

    /// The solution, if one was found.
    #[must_use]
    pub fn solution(&self) -> Option<&T> {
        match self {
            Found::Solution(solution) => Some(solution),
            Found::None | Found::Unknown => None,
        }
    }
}

impl<T> Outcome<Found<T>> {
    /// The solution, if one was found. `None` proves nothing by itself: see
    /// [`is_proven_none`](Self::is_proven_none).
    #[must_use]
    pub fn solution(&self) -> Option<&T> {
        self.value.solution()
    }

    /// Whether it is proven that there is no solution.
    #[must_use]
    pub fn is_proven_none(&self) -> bool {
        matches!(self.value, Found::None)
    }

    /// Whether there is a solution: `None` if neither was shown.
    #[must_use]
    pub fn exists(&self) -> Option<bool> {
        match self.value {
            Found::Solution(_) => Some(true),
            Found::None => Some(false),
            Found::Unknown => None,
        }
    }
}

/// What an optimising run found, and whether it is proven.
///
/// These are all the answers that there are, so that a `match` may be exhaustive: nothing will be
/// added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum<V, T> {
    /// No solution is better than this one.
    Proven {
        /// The optimum.
        value: V,
        /// A solution of that value, if solutions were asked for.
        solution: Option<T>,
    },
    /// No solution is better than `value`, which came from elsewhere: it was known before the run,
    /// or [offered](crate::Incumbent::offer) during it, and this run has found no solution of that
    /// value. It is the optimum if some solution of this problem has it; an objective that was used
    /// for another problem keeps its value.
    NoneBetter {
        /// The best value known.
        value: V,
    },
    /// The best so far, of a run that was stopped, or whose hooks are lossy or credited solutions.
    BestSoFar {
        /// The best value so far.
        value: V,
        /// A solution of that value; `None` if the value came from elsewhere: it was known before
        /// the run, or [offered](crate::Incumbent::offer) by somebody else during it.
        solution: Option<T>,
    },
    /// It is proven that there is no solution.
    Infeasible,
    /// No solution was found, and none is excluded.
    Unknown,
}

impl<V, T> Outcome<Optimum<V, T>> {
    /// The optimum, if it is proven.
    #[must_use]
    pub fn proven(&self) -> Option<&V> {
        match &self.value {
            Optimum::Proven { value, .. } => Some(value),
            _ => None,
        }
    }

    /// A value that no solution beats, if that is proven: the optimum, or a value that was known
    /// before the run.
    #[must_use]
    pub fn none_better(&self) -> Option<&V> {
        match &self.value {
            Optimum::Proven { value, .. } | Optimum::NoneBetter { value } => Some(value),
            _ => None,
        }
    }

    /// The best value found or offered, proven or not.
    #[must_use]
    pub fn best_so_far(&self) -> Option<&V> {
        match &self.value {
            Optimum::Proven { value, .. }
            | Optimum::NoneBetter { value }
            | Optimum::BestSoFar { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The solution of the best value, if this run found one.
    #[must_use]
    pub fn solution(&self) -> Option<&T> {
        match &self.value {
            Optimum::Proven { solution, .. } | Optimum::BestSoFar { solution, .. } => {
                solution.as_ref()
            }
            _ => None,
        }
    }

    /// Whether it is proven that there is no solution.
    #[must_use]
    pub fn is_proven_infeasible(&self) -> bool {
        matches!(self.value, Optimum::Infeasible)
    }
}

impl<V, T> Optimum<V, T> {
    /// The answer of a run with the best value known and the run's own solution of that value.
    pub(crate) fn new(best: Option<(V, Option<T>)>, proven: bool) -> Self {
        match (best, proven) {
            (Some((value, Some(solution))), true) => {
                Optimum::Proven { value, solution: Some(solution) }
            }
            (Some((value, None)), true) => Optimum::NoneBetter { value },
            (Some((value, solution)), false) => Optimum::BestSoFar { value, solution },
            (None, true) => Optimum::Infeasible,
            (None, false) => Optimum::Unknown,
        }
    }
}

impl fmt::Display for Outcome<Count> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exact() {
            Some(count) => write!(f, "{count}"),
            None => {
                let part = if self.report.is_part() { ", a part of the tree" } else { "" };
                write!(f, "at least {} ({}, {}{part})", self.at_least(), self.stop(), self.effect())
            }
        }
    }
}
