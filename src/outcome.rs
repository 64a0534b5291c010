//! Answers of runs, with types that distinguish proven answers from partial ones.
//!
//! A search that was stopped by a limit, or whose hooks do not preserve every solution, has an
//! answer too, but it proves less. Each kind of answer has its own type. Accessors that return a
//! proven fact return `None` if it is not proven; weaker readings are named as such
//! ([`at_least`](Outcome::at_least), [`best_so_far`](Outcome::best_so_far)).

use std::fmt;

use crate::effect::Effect;
use crate::limits::Stop;
use crate::report::{Report, SweepReport};

/// The running count of a search: solutions visited and solutions counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    /// Solutions visited, each once.
    pub(crate) visited: u64,
    /// Visited solutions with orbit size 0: another solution represents them.
    pub(crate) non_representatives: u64,
    /// Visited solutions that are counted with the sizes of their orbits, in `larger`.
    with_orbit: u64,
    /// The sum of the sizes of these orbits and of the credited solutions. Other visited solutions
    /// count once, and are in `visited` alone, which saves a sixth of the instructions of a tree
    /// whose nodes do next to nothing.
    larger: u128,
    /// Solutions counted without a visit.
    credited: u128,
    /// Whether some of them were not counted by a search of an equivalent subtree.
    pub(crate) credits_unsearched: bool,
    /// Whether the orbit size of every solution visited so far is known, if there are orbits.
    pub(crate) orbits_known: bool,
    /// Whether another visited solution may make the count exceed `u128`.
    is_nearly_full: bool,
    /// Whether `larger` exceeds `u128`.
    overflow: bool,
}

impl Tally {
    pub(crate) const NEW: Tally = Tally {
        visited: 0,
        non_representatives: 0,
        with_orbit: 0,
        larger: 0,
        credited: 0,
        credits_unsearched: false,
        orbits_known: true,
        is_nearly_full: false,
        overflow: false,
    };

    /// Returns whether the count exceeds `u128`. Asked at every solution.
    #[inline]
    pub(crate) fn overflows(&self) -> bool {
        self.is_nearly_full && self.checked_count().is_none()
    }

    /// Returns the number of solutions counted: visited ones with their orbit sizes, and credited
    /// ones; `None` if it exceeds `u128`.
    #[inline]
    pub(crate) fn checked_count(&self) -> Option<u128> {
        let single = u128::from(self.visited - self.with_orbit);
        if self.overflow { None } else { self.larger.checked_add(single) }
    }

    #[inline]
    pub(crate) fn counted(&self) -> u128 {
        self.checked_count().unwrap_or(u128::MAX)
    }

    /// Counts the solution visited last with the size of its orbit.
    #[inline]
    pub(crate) fn count_orbit(&mut self, size: u128) {
        self.non_representatives += u64::from(size == 0);
        self.with_orbit += 1;
        self.add(size);
    }

    /// Counts solutions that a hook knows of, without visiting them.
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
    fn add(&mut self, solutions: u128) {
        let (sum, overflow) = self.larger.overflowing_add(solutions);
        self.larger = sum;
        self.overflow |= overflow;
        self.is_nearly_full = self.overflow || sum > u128::MAX - u128::from(u64::MAX);
    }
}

/// The answer of a run, with its report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Outcome<T> {
    value: T,
    report: Report,
}

impl<T> Outcome<T> {
    pub(crate) fn new(value: T, report: Report) -> Self {
        event!(
            debug,
            stop = %report.stop(),
            effect = %report.effect(),
            nodes = report.nodes(),
            solutions = report.solutions(),
            elapsed = ?report.elapsed(),
            "a run has ended"
        );
        Outcome { value, report }
    }

    /// Returns the outcome with another value for the same run: the answer in terms of a problem
    /// that the searched one stands for.
    ///
    /// ```
    /// use secateurs::{Found, Node, Search, Successors};
    ///
    /// // A number with the digit sum 20: a node is a number and the sum of its digits.
    /// let numbers = Successors::new(
    ///     (0_u32, 0),
    ///     |&(_, sum)| sum == 20,
    ///     |(number, sum)| {
    ///         let digits = (1..=9).rev().filter(move |digit| sum + digit <= 20);
    ///         digits.map(move |digit| (10 * number + digit, sum + digit))
    ///     },
    /// );
    /// let outcome = Search::new(&numbers).extract(|node: &Node<'_, _>| node.state().0).first();
    /// let in_words = outcome.map(|found, report| match found {
    ///     Found::Solution(number) => format!("{number}, in {} nodes", report.nodes()),
    ///     _ => "none".to_owned(),
    /// });
    /// assert_eq!(in_words.value(), "992, in 4 nodes");
    /// ```
    pub fn map<U>(self, convert: impl FnOnce(T, &Report) -> U) -> Outcome<U> {
        Outcome { value: convert(self.value, &self.report), report: self.report }
    }

    /// Returns the answer, as a type that distinguishes proven answers from partial ones.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Returns the answer and the report.
    pub fn into_parts(self) -> (T, Report) {
        (self.value, self.report)
    }

    /// Returns the report of the run.
    pub fn report(&self) -> &Report {
        &self.report
    }

    getters! {
        self;
        /// Returns the reason why the run ended.
        stop -> Stop: self.report.stop();
        /// Returns what the cuts of the hooks preserve in combination.
        effect -> Effect: self.report.effect();
    }

    /// Returns the outcome if the run is complete, and otherwise an error that says where it
    /// stopped, and for a sweep what to try.
    ///
    /// A run that found what it was [asked for](Stop::Satisfied) is complete.
    ///
    /// # Errors
    ///
    /// Returns [`Incomplete`] if a limit, a panic or a pause stopped the run.
    pub fn complete(self) -> Result<Self, Incomplete> {
        match self.stop() {
            Stop::Exhausted | Stop::Satisfied => Ok(self),
            _ => Err(Incomplete::new(&self.report)),
        }
    }
}

/// The error of a run that stopped before its end; see [`Outcome::complete`].
///
/// `{}` says where a sweep stopped, why, and what may help; `{:#}` leaves out the last part, for
/// programs with options of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incomplete {
    stop: Stop,
    nodes: u64,
    sweep: Option<SweepReport>,
}

impl Incomplete {
    /// Creates the error from the report of a run.
    pub(crate) fn new(report: &Report) -> Self {
        Incomplete { stop: report.stop(), nodes: report.nodes(), sweep: report.sweep }
    }

    getters! {
        self;
        /// Returns the reason why the run stopped.
        stop -> Stop: self.stop;
        /// Returns the cell in which a sweep stopped, counted from 0; it is also the number of the
        /// last complete layer. `None` for a search.
        cell -> Option<usize>: self.sweep.map(|sweep| sweep.done);
        /// Returns a lower bound of the bytes that the rest of a sweep needs for its layers, if it
        /// stopped at [`Stop::MemoryLimit`] and the bound is known: in
        /// [dense](crate::plug::Sweep::dense) tables, whose sizes follow from the width of the
        /// contour.
        needed_bytes -> Option<u64>: self.sweep.and_then(|sweep| sweep.needed_bytes);
        /// Returns the number of states of the layer that a sweep was building, or of the last
        /// complete layer if it stopped between two. `None` for a search.
        states -> Option<u64>: self.sweep.map(|sweep| sweep.states);
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
        // A sweep may also stop after the last cell, while it sums up the last layer.
        let cell = (sweep.done + 1).min(sweep.cells);
        let place = if sweep.done < sweep.cells { "in" } else { "after" };
        write!(f, "stopped {place} cell {cell} of {}", sweep.cells)?;
        if let Some(pass) = sweep.pass {
            write!(f, " of pass {pass}")?;
        }
        write!(f, ": {}", self.stop)?;
        if let Some(too_wide) = sweep.too_wide {
            write!(f, " ({too_wide})")?;
        }
        let states = if sweep.states == 1 { "state" } else { "states" };
        write!(f, "; layer {} had {} {states}", sweep.layer, sweep.states)?;
        if sweep.layer > sweep.done {
            f.write_str(" by then")?;
        }
        if self.stop == Stop::MemoryLimit {
            write!(f, " and layers took up to {} bytes", sweep.peak_bytes)?;
            if let Some(needed) = sweep.needed_bytes {
                let gibibytes = needed as f64 / f64::from(1 << 30);
                write!(f, "; the largest ones need at least {needed} ({gibibytes:.2} GiB)")?;
            }
        }
        let advice = match self.stop {
            _ if f.alternate() => return Ok(()),
            Stop::StateTooWide => "a wider state type, or a sweep along the shorter side",
            Stop::MemoryLimit => {
                "more memory, smaller values (a count by residues or modulo a number), a hook that \
                 drops or joins states, or a sweep along the shorter side"
            }
            Stop::StateLimit => {
                "a higher limit, a hook that drops or joins states, or a sweep along the shorter \
                 side"
            }
            Stop::CountOverflow => "a count of any size, or modulo a number",
            _ => return Ok(()),
        };
        write!(f, "; try {advice}")
    }
}

impl std::error::Error for Incomplete {}

/// The sum of an algebra over all ways through a sweep; read it through [`Outcome::total`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total<V> {
    sum: Option<V>,
    proven: bool,
}

#[cfg(feature = "plug")]
impl<V> Total<V> {
    /// Creates the total of a sweep; a sweep that stopped has none. It is proven if the effect of
    /// the hooks is at most `tolerated`.
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

#[cfg(feature = "plug")]
impl<V> Outcome<Total<V>> {
    /// Converts the sum of a complete sweep; `map` receives `None` if there is no way at all.
    pub(crate) fn map_total<W>(self, map: impl FnOnce(Option<V>) -> W) -> Outcome<Total<W>> {
        let Total { sum, proven } = self.value;
        let sum = self.report.stop().is_exhausted().then(|| map(sum));
        Outcome { value: Total { sum, proven }, report: self.report }
    }
}

impl<V> Outcome<Total<V>> {
    getters! {
        self;
        /// Returns the sum over all ways, if it is proven: the sweep is complete, and its hooks
        /// lose nothing that changes the sum. Also `None` if there is no way at all; see
        /// [`is_proven_empty`](Self::is_proven_empty).
        total -> Option<&V>: self.value.sum.as_ref().filter(|_| self.value.proven);
        /// Returns whether it is proven that no way leads to an accepted state, apart from ways
        /// that do not [count](crate::plug::Algebra::is_zero): those beyond the limit of the
        /// algebra, or of weight 0.
        is_proven_empty -> bool: self.value.proven && self.value.sum.is_none();
        /// Returns the sum over the ways that the sweep has kept, proven or not.
        unproven -> Option<&V>: self.value.sum.as_ref();
    }
}

/// The number of solutions that a run counted; read it through [`Outcome::exact`],
/// [`Outcome::representatives`] or [`Outcome::at_least`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Count {
    // The other fields mean the same as in `Tally`.
    visited: u128,
    non_representatives: u128,
    /// Visited solutions with their orbit sizes, and credited ones.
    counted: u128,
    credited: u128,
    orbits_known: bool,
}

impl Count {
    /// Creates the count of a sweep, which knows no orbit sizes. It visits no solutions, but they
    /// count as visited, because [`Outcome::at_least`] reads that number.
    #[cfg(feature = "plug")]
    pub(crate) fn swept(counted: u128) -> Self {
        Count {
            visited: counted,
            non_representatives: 0,
            counted,
            credited: 0,
            orbits_known: false,
        }
    }

    /// The count of no solutions: that at the start of a run.
    pub(crate) const NONE: Self =
        Count { visited: 0, non_representatives: 0, counted: 0, credited: 0, orbits_known: true };

    /// The count that stands for an overflow. It is unknown how many solutions were visited.
    pub(crate) const TOO_MANY: Self = Count {
        visited: 0,
        non_representatives: 0,
        counted: u128::MAX,
        credited: u128::MAX,
        orbits_known: false,
    };

    /// Returns the number of solutions visited, each once.
    pub(crate) fn visited(&self) -> u128 {
        self.visited
    }

    /// Returns the number of solutions visited that are not representatives of their orbits.
    #[cfg(feature = "serde")]
    pub(crate) fn non_representatives(&self) -> u128 {
        self.non_representatives
    }

    /// Returns the count of a part of a tree, or `None` on overflow.
    pub(crate) fn of_part(tally: Tally) -> Option<Count> {
        tally.checked_count().map(|_| Count::from(tally))
    }

    /// Returns the count without one of the solutions that were visited. The size of its orbit is
    /// not known.
    pub(crate) fn without_one(self) -> Count {
        Count {
            visited: self.visited.saturating_sub(1),
            counted: self.counted.saturating_sub(1),
            orbits_known: false,
            ..self
        }
    }

    /// Returns the count of two disjoint parts of a tree, or `None` on overflow.
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

/// The count of a run by itself, at most [`u128::MAX`].
impl From<Tally> for Count {
    fn from(tally: Tally) -> Self {
        Count {
            visited: u128::from(tally.visited),
            non_representatives: u128::from(tally.non_representatives),
            counted: tally.counted(),
            credited: tally.credited,
            orbits_known: tally.orbits_known,
        }
    }
}

impl Outcome<Count> {
    /// Returns the number of solutions, if it is proven: the tree was exhausted, and the hooks lose
    /// none or know the orbit size of each one that they keep. It is not proven if solutions were
    /// [credited](crate::NodeMut::credit) in combination with a hook that keeps representatives,
    /// since the orbit sizes of credited solutions are unknown, or if a hook or the brancher may
    /// have pruned by comparing with an [incumbent](crate::Incumbent::declared).
    #[must_use]
    pub fn exact(&self) -> Option<u128> {
        self.report.proves_count(self.value.orbits_known).then_some(self.value.counted)
    }

    /// Returns the number of representatives that the hooks kept, if the tree was exhausted and
    /// every orbit has one left. It is the number of orbits (fundamental solutions) if the hook
    /// keeps exactly one per orbit, as [`hook::LexLeader`] does. Also `None` if solutions were
    /// [credited](crate::NodeMut::credit), since those are not visited, if some solutions may be
    /// none or were lost to an incumbent, if only a part of the tree was searched with the hook, or
    /// if the tree was searched in parts with a hook or a brancher that keeps one of the solutions
    /// it has [visited](crate::hook::HookMemory::Visited), since each part keeps its own.
    ///
    /// [`hook::LexLeader`]: crate::hook::LexLeader
    #[must_use]
    pub fn representatives(&self) -> Option<u128> {
        let all = self.report.proves_representatives();
        all.then_some(self.value.visited.saturating_sub(self.value.non_representatives))
    }

    /// Returns the number of known solutions: a partial count if the run was stopped or its hooks
    /// lose solutions; at most 1 if parts of the tree may have been searched twice.
    #[must_use]
    pub fn at_least(&self) -> u128 {
        let Count { visited, credited, counted, .. } = self.value;
        let known = self.report.known_solutions(visited, credited);
        if self.report.counts_orbits_once() { known.max(counted) } else { known }
    }
}

/// Whether there is no solution, exactly one, or more.
///
/// No variant will be added, so a `match` may be exhaustive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uniqueness {
    /// It is proven that there is no solution.
    None,
    /// It is proven that there is exactly one solution.
    One,
    /// There are at least two solutions.
    Several,
    /// None of these is proven: the run was stopped or covered a part of the tree, or its hooks may
    /// have lost solutions.
    Unknown,
}

impl Outcome<Uniqueness> {
    /// Creates the answer from a count that may have stopped at the second solution.
    pub(crate) fn of_count(outcome: Outcome<Count>) -> Self {
        let uniqueness = match (outcome.exact(), outcome.at_least()) {
            (Some(0), _) => Uniqueness::None,
            (Some(1), _) => Uniqueness::One,
            (Some(_), _) | (None, 2..) => Uniqueness::Several,
            (None, 0) if outcome.report.proves_none() => Uniqueness::None,
            (None, _) => Uniqueness::Unknown,
        };
        let mut report = outcome.report;
        if uniqueness == Uniqueness::Several && report.stop == Stop::SolutionLimit {
            report.stop = Stop::Satisfied;
        }
        Outcome { value: uniqueness, report }
    }

    /// Returns whether there is exactly one solution, or `None` if neither is proven.
    #[must_use]
    pub fn is_unique(&self) -> Option<bool> {
        match self.value {
            Uniqueness::One => Some(true),
            Uniqueness::None | Uniqueness::Several => Some(false),
            Uniqueness::Unknown => None,
        }
    }
}

/// Whether there is a solution, and one if there is.
///
/// No variant will be added, so a `match` may be exhaustive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<T> {
    /// A solution.
    Solution(T),
    /// It is proven that there is none.
    None,
    /// None was found that is known to be a solution, and nothing is proven: the run was stopped or
    /// covered a part of the tree, or its hooks are lossy, compared with an incumbent, do not
    /// [keep labels](crate::plug::SweepHook::keeps_labels), or [credited](crate::NodeMut::credit)
    /// solutions without a visit.
    Unknown,
}

impl<T> Found<T> {
    pub(crate) fn new(solution: Option<T>, report: &Report) -> Self {
        match solution {
            Some(_) if report.has_uncertain_solutions => Found::Unknown,
            Some(solution) => Found::Solution(solution),
            None if report.proves_none() => Found::None,
            None => Found::Unknown,
        }
    }

    /// Returns the solution, if one was found.
    #[must_use]
    pub fn solution(&self) -> Option<&T> {
        match self {
            Found::Solution(solution) => Some(solution),
            Found::None | Found::Unknown => None,
        }
    }
}

impl<T> Outcome<Found<T>> {
    getters! {
        self;
        /// Returns the solution, if one was found. `None` alone proves nothing; see
        /// [`is_proven_none`](Self::is_proven_none).
        solution -> Option<&T>: self.value.solution();
        /// Returns whether it is proven that there is no solution.
        is_proven_none -> bool: matches!(self.value, Found::None);
    }

    /// Returns whether there is a solution, or `None` if neither is proven.
    #[must_use]
    pub fn exists(&self) -> Option<bool> {
        match self.value {
            Found::Solution(_) => Some(true),
            Found::None => Some(false),
            Found::Unknown => None,
        }
    }
}

/// The answer of an optimising run, and whether it is proven.
///
/// No variant will be added, so a `match` may be exhaustive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum<V, T> {
    /// No solution is better than this one.
    Proven {
        /// The optimum.
        value: V,
        /// A solution of that value, if solutions were asked for.
        solution: Option<T>,
    },
    /// No solution is better than `value`, of which this run has found no solution: it was known
    /// before the run, or [offered](crate::Incumbent::offer) during it. It is the optimum if some
    /// solution of this problem has it; an objective that was used for another problem keeps its
    /// value.
    NoneBetter {
        /// The best value known.
        value: V,
    },
    /// The best value so far of a run that was stopped, or whose hooks are lossy or credited
    /// solutions.
    BestSoFar {
        /// The best value so far.
        value: V,
        /// A solution of that value; `None` if it was known before the run or
        /// [offered](crate::Incumbent::offer) during it.
        solution: Option<T>,
    },
    /// It is proven that there is no solution.
    Infeasible,
    /// No solution was found, and the existence of one is not excluded.
    Unknown,
}

impl<V, T> Outcome<Optimum<V, T>> {
    /// Returns the optimum, if it is proven.
    #[must_use]
    pub fn proven(&self) -> Option<&V> {
        match &self.value {
            Optimum::Proven { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Returns a value that no solution beats, if there is a proven one: the optimum, or a value
    /// that was known before the run.
    #[must_use]
    pub fn none_better(&self) -> Option<&V> {
        match &self.value {
            Optimum::Proven { value, .. } | Optimum::NoneBetter { value } => Some(value),
            _ => None,
        }
    }

    /// Returns the best value found or offered, proven or not.
    #[must_use]
    pub fn best_so_far(&self) -> Option<&V> {
        match &self.value {
            Optimum::Proven { value, .. }
            | Optimum::NoneBetter { value }
            | Optimum::BestSoFar { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Returns the solution of the best value, if this run found one.
    #[must_use]
    pub fn solution(&self) -> Option<&T> {
        match &self.value {
            Optimum::Proven { solution, .. } | Optimum::BestSoFar { solution, .. } => {
                solution.as_ref()
            }
            _ => None,
        }
    }

    /// Returns whether it is proven that there is no solution.
    #[must_use]
    pub fn is_proven_infeasible(&self) -> bool {
        matches!(self.value, Optimum::Infeasible)
    }
}

impl<V, T> Optimum<V, T> {
    /// Creates the answer from the best known value and the run's own solution of that value.
    pub(crate) fn new(best: Option<(V, Option<T>)>, proven: bool, report: &Report) -> Self {
        let is_certain = |_: &T| !report.has_uncertain_solutions;
        match (best.map(|(value, solution)| (value, solution.filter(is_certain))), proven) {
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
