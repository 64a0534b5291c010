//! Sweeps that retain all layers, for questions about the solutions themselves.
//!
//! A sweep drops each layer when the next one is complete. That suffices to count, or to find the
//! best weight, but not to find a solution of that weight. The operations of this module
//! [retain](RetainedLayers) all layers. They are made in two passes. The forward pass is that of
//! any sweep, except that it retains the states. The backward pass drops from each layer the states
//! from which no solution is reached. The result is a graph without dead ends (a layered decision
//! diagram: Knuth, *The Art of Computer Programming* 4A, 7.1.4), in which every walk from the start
//! leads to a solution:
//!
//! | question | operation | guided by |
//! |---|---|---|
//! | any solution | [`Sweep::first`] | nothing: every step leads to a solution |
//! | all solutions, lazily | [`Sweep::solutions`], [`Sweep::for_each`] | nothing |
//! | a best one | [`Sweep::best`] | the best weight from each state to the end |
//! | the k best | [`Sweep::ranked`] | the same |
//! | random ones, uniformly | [`Sweep::samples`] | the number of paths from each state to the end |
//!
//! The guide is computed by a third pass, backward, under an [algebra](crate::plug::algebra). To
//! ask several questions about the same layers, use [`Sweep::retain_layers`].
//!
//! [`RetainedLayers::bound`] makes the layers a bound for searches with further constraints.
//!
//! # Memory and time
//!
//! In the forward pass each state takes its own size. Afterwards each remaining state takes its
//! size and 8 to 16 bytes of an index, and a weight or a number while one is used. The backward
//! passes expand their states again, and so each takes about as long as the forward pass. All
//! passes obey the [limits](crate::Limits) of memory, which include the heap of values, and of
//! time, and the cancellation flag. So do iterators, except [samples](Samples), which has neither
//! an end nor limits. The time limit is one for the sweep and for all questions and iterators that
//! follow, the caller's work in between included. [Progress](Sweep::progress) refers to the forward
//! pass, and the [peak of memory](Report::peak_bytes) to the two passes that make the layers.
//!
//! # Hooks
//!
//! Hooks drop and replace states in the same way in all passes. The report says what the answer
//! then proves. A canonicaliser that does not [keep labels](crate::plug::SweepHook::keeps_labels)
//! makes every operation that returns or weighs labels [lossy](crate::Effect::Lossy), because the
//! labels along a path may be no solution: [`first`](RetainedLayers::first) and
//! [`best`](RetainedLayers::best) then return neither labels nor a weight, and the iterators and
//! [`for_each`](RetainedLayers::for_each) return labels that may be no solution. Dominance keeps
//! what the question needs: for the best weight it compares weights, for any solution it drops
//! every dominated state, and for all other questions
//! [`Thinning::dominate`](crate::plug::Thinning::dominate) drops nothing.

mod bound;
pub(super) mod layers;
pub(super) mod ranked;
pub(super) mod samples;
mod solutions;

pub use bound::RetainedBound;
pub use ranked::Ranked;
pub use samples::Samples;
pub use solutions::RetainedSolutions;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use self::layers::{AllWays, Layers, PassError};
use super::algebra::{Algebra, Best, Counting, Feasible, Overflow, Weight};
use super::contour_problem::ContourProblem;
use super::hook::SweepHooks;
use super::sweep::Sweep;
use crate::clock::Instant;
use crate::incumbent::Direction;
use crate::limits::Stop;
use crate::outcome::{Count, Found, Incomplete, Optimum, Outcome, Total};
use crate::report::Report;

/// A solution of the best weight, and that weight.
type BestSolution<L> = Outcome<Optimum<i64, Vec<L>>>;

impl<'p, P: ContourProblem, H: SweepHooks<P>> Sweep<'p, P, H> {
    /// Retains all layers, for several questions. The [module](self) describes the cost.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::Direction;
    /// use secateurs::plug::Sweep;
    ///
    /// let row = Row(4);
    /// let retained = Sweep::new(&row).retain_layers()?;
    /// assert_eq!(retained.count().exact(), Some(8));
    /// assert_eq!(retained.solutions().nth(2), Some(vec![false, false, true, false]));
    /// let taken = |_: usize, taken: bool| i64::from(taken);
    /// assert_eq!(retained.best(Direction::Maximise, taken).proven(), Some(&2));
    /// let random: Vec<Vec<bool>> = retained.samples(1)?.take(100).collect();
    /// assert!(random.iter().all(|labels| labels.len() == 4));
    /// # Ok::<(), secateurs::Incomplete>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error that says where and why, if the sweep stops before its end.
    pub fn retain_layers(self) -> Result<RetainedLayers<'p, P, H>, Incomplete> {
        self.retain_for(&AllWays).map_err(|report| Incomplete::new(&report))
    }

    /// Returns the layers that a question under this algebra needs.
    fn retain_for<A: Algebra<P>>(
        self,
        algebra: &A,
    ) -> Result<RetainedLayers<'p, P, H>, Box<Report>> {
        Layers::build(self, algebra).map(|layers| RetainedLayers { layers: Arc::new(layers) })
    }

    /// Returns the first solution in the order in which [`ContourProblem::step`] emits, if there is
    /// one and dominance has not dropped it.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// assert_eq!(Sweep::new(&Row(3)).first().solution(), Some(&vec![false; 3]));
    /// ```
    pub fn first(self) -> Outcome<Found<Vec<P::Label>>> {
        match self.retain_for(&Feasible) {
            Ok(retained) => retained.first(),
            Err(report) => Outcome::new(Found::new(None, &report), *report),
        }
    }

    /// Returns a solution of the best weight, the first of several, and that weight.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::Direction;
    /// use secateurs::plug::Sweep;
    ///
    /// let coins = [3, 5, 4, 1, 9];
    /// let worth = |square: usize, taken: bool| if taken { coins[square] } else { 0 };
    /// let outcome = Sweep::new(&Row(5)).best(Direction::Maximise, worth);
    /// assert_eq!(outcome.proven(), Some(&16));
    /// assert_eq!(outcome.solution(), Some(&vec![true, false, true, false, true]));
    /// ```
    pub fn best<W: Weight<P>>(self, direction: Direction, weight: W) -> BestSolution<P::Label> {
        let best = Best::new(direction, weight);
        match self.retain_for(&best) {
            Ok(retained) => retained.best_of(&best),
            Err(report) => Outcome::new(Optimum::new(None, false, &report), *report),
        }
    }

    /// Returns an iterator over all solutions.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// let row = Row(20);
    /// let is_large = |labels: &Vec<bool>| labels.iter().filter(|taken| **taken).count() == 9;
    /// let mut large = Sweep::new(&row).solutions()?.filter(is_large);
    /// assert!(large.next().is_some_and(|labels| labels.ends_with(&[true, false, true])));
    /// # Ok::<(), secateurs::Incomplete>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`retain_layers`](Sweep::retain_layers).
    pub fn solutions(self) -> Result<RetainedSolutions<'p, P, H>, Incomplete> {
        Ok(self.retain_layers()?.solutions())
    }

    /// Calls `visit` with the labels of each solution until it returns [`ControlFlow::Break`]. The
    /// outcome then holds that value, and the run ends with [`Stop::Satisfied`]. Nothing is
    /// allocated for a solution.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use std::ops::ControlFlow;
    /// use secateurs::plug::Sweep;
    ///
    /// let mut taken = 0;
    /// let outcome = Sweep::new(&Row(10)).for_each(|labels| {
    ///     taken += labels.iter().filter(|taken| **taken).count();
    ///     ControlFlow::<()>::Continue(())
    /// });
    /// assert!(outcome.stop().is_exhausted());
    /// assert_eq!(taken, 420);
    /// ```
    pub fn for_each<T>(
        self,
        visit: impl FnMut(&[P::Label]) -> ControlFlow<T>,
    ) -> Outcome<ControlFlow<T>> {
        match self.retain_for(&AllWays) {
            Ok(retained) => retained.for_each(visit),
            Err(report) => Outcome::new(ControlFlow::Continue(()), *report),
        }
    }

    /// Returns an iterator over all solutions with their weights, best first.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::Direction;
    /// use secateurs::plug::Sweep;
    ///
    /// let row = Row(5);
    /// let coins = [3, 5, 4, 1, 9];
    /// let worth = |square: usize, taken: bool| if taken { coins[square] } else { 0 };
    /// let ranked = Sweep::new(&row).ranked(Direction::Maximise, worth)?;
    /// let three: Vec<i64> = ranked.take(3).map(|(weight, _)| weight).collect();
    /// assert_eq!(three, [16, 14, 13]);
    /// # Ok::<(), secateurs::Incomplete>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`retain_layers`](Sweep::retain_layers), and an error if a total
    /// weight does not fit into an `i64`.
    pub fn ranked<W: Weight<P>>(
        self,
        direction: Direction,
        weight: W,
    ) -> Result<Ranked<'p, P, H, W>, Incomplete> {
        self.retain_layers()?.ranked(direction, weight)
    }

    /// Returns an iterator over random solutions, uniformly distributed, and the same for the same
    /// seed.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// let row = Row(1000);
    /// let size = |labels: Vec<bool>| labels.iter().filter(|taken| **taken).count();
    /// let mean = Sweep::new(&row).samples(1)?.take(50).map(size).sum::<usize>() / 50;
    /// assert!((270..283).contains(&mean)); // close to 1000 (5 - √5) / 10
    /// # Ok::<(), secateurs::Incomplete>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`retain_layers`](Sweep::retain_layers), and, without the feature
    /// `bigint`, an error if there are 2¹²⁸ solutions or more.
    pub fn samples(self, seed: u64) -> Result<Samples<'p, P, H>, Incomplete> {
        self.retain_layers()?.samples(seed)
    }
}

/// All layers of a sweep, without the states that lead to no solution. Made by
/// [`Sweep::retain_layers`]; see the [module](self).
///
/// Clones and iterators share the layers.
pub struct RetainedLayers<'p, P: ContourProblem, H = ()> {
    pub(super) layers: Arc<Layers<'p, P, H>>,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> RetainedLayers<'p, P, H> {
    /// Returns the report of the sweep that made the layers. Its layers are those of the forward
    /// pass.
    #[must_use]
    pub fn report(&self) -> Report {
        self.layers.report(false, Duration::ZERO)
    }

    /// Returns the number of states of each layer, beginning with that of the start.
    pub fn states(&self) -> impl ExactSizeIterator<Item = usize> {
        self.layers.all().iter().map(|layer| layer.len())
    }

    /// Returns the bytes of the layers and their indexes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layers.bytes()
    }

    /// Counts the solutions, like [`Sweep::count`].
    pub fn count(&self) -> Outcome<Count> {
        let total = self.run(&Counting::<u128>::new());
        total.map(|total, _| Count::swept(total.into_sum().unwrap_or(0)))
    }

    /// Returns the total of all solutions under `algebra`, computed from the end back to the start,
    /// like [`Sweep::run`].
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    /// use secateurs::plug::algebra::Counting;
    /// # #[cfg(feature = "bigint")] {
    /// use secateurs::plug::algebra::Natural;
    ///
    /// let row = Row(1000);
    /// let retained = Sweep::new(&row).retain_layers()?;
    /// assert_eq!(retained.count().exact(), None); // more than 128 bits
    /// assert_eq!(retained.run(&Counting::<Natural>::new()).total().map(Natural::bits), Some(695));
    /// # }
    /// # Ok::<(), secateurs::Incomplete>(())
    /// ```
    pub fn run<A: Algebra<P>>(&self, algebra: &A) -> Outcome<Total<A::Value>> {
        let start = Instant::now();
        let to_go = self.layers.to_go(algebra, false);
        let report = self.layers.report(algebra.reads_labels(), start.elapsed());
        let (sum, report) = match to_go {
            Ok(to_go) => {
                let sum = to_go.into_iter().flatten().next();
                (sum.filter(|sum| !algebra.is_zero(sum)), report)
            }
            Err(error) => (None, error.report(report)),
        };
        Outcome::new(Total::new(sum, algebra.tolerates(), &report), report)
    }

    /// Returns the first solution in the order of [`solutions`](RetainedLayers::solutions), if
    /// there is one.
    pub fn first(&self) -> Outcome<Found<Vec<P::Label>>> {
        let solution = self.layers.start().map(|_| self.layers.follow(|_, _, _, _| true));
        let report = self.layers.report(true, Duration::ZERO);
        Outcome::new(Found::new(solution, &report), report)
    }

    /// Returns a solution of the best weight, the first of several, and that weight.
    pub fn best<W: Weight<P>>(&self, direction: Direction, weight: W) -> BestSolution<P::Label> {
        self.best_of(&Best::new(direction, weight))
    }

    fn best_of<W: Weight<P>>(&self, best: &Best<W>) -> BestSolution<P::Label> {
        let start = Instant::now();
        let to_go = match self.layers.to_go(best, true) {
            Ok(to_go) => to_go,
            Err(error) => {
                let report = error.report(self.layers.report(true, start.elapsed()));
                return Outcome::new(Optimum::new(None, false, &report), report);
            }
        };
        let solution = to_go[0].first().map(|&weight| {
            let is_best = |cell: usize, from: usize, to: usize, label| {
                let onward: Result<i64, Overflow> =
                    Algebra::<P>::extend(best, &to_go[cell + 1][to], cell, label);
                onward == Ok(to_go[cell][from])
            };
            (weight, Some(self.layers.follow(is_best)))
        });
        let report = self.layers.report(true, start.elapsed());
        // Labels that are no solution have a weight of no solution.
        let solution = solution.filter(|_| !report.has_uncertain_solutions);
        let proven = report.proves_optimum();
        Outcome::new(Optimum::new(solution, proven, &report), report)
    }

    /// Returns an iterator over all solutions.
    pub fn solutions(&self) -> RetainedSolutions<'p, P, H> {
        RetainedSolutions::new(Arc::clone(&self.layers))
    }

    /// Calls `visit` with the labels of each solution, like [`Sweep::for_each`].
    pub fn for_each<T>(
        &self,
        mut visit: impl FnMut(&[P::Label]) -> ControlFlow<T>,
    ) -> Outcome<ControlFlow<T>> {
        let mut solutions = self.solutions();
        let mut value = ControlFlow::Continue(());
        while let Some(labels) = solutions.advance() {
            if let ControlFlow::Break(broken) = visit(labels) {
                value = ControlFlow::Break(broken);
                break;
            }
        }
        let mut report = solutions.report();
        if value.is_break() {
            report.stop = Stop::Satisfied;
        }
        Outcome::new(value, report)
    }

    /// Returns an iterator over all solutions with their weights, best first.
    ///
    /// # Errors
    /// Returns an error if the backward pass reaches a limit, or if a total weight does not fit
    /// into an `i64`.
    pub fn ranked<W: Weight<P>>(
        &self,
        direction: Direction,
        weight: W,
    ) -> Result<Ranked<'p, P, H, W>, Incomplete> {
        Ranked::new(Arc::clone(&self.layers), Best::new(direction, weight))
            .map_err(|error| self.incomplete(&error))
    }

    /// Returns an iterator over random solutions, uniformly distributed, and the same for the same
    /// seed.
    ///
    /// # Errors
    /// Returns an error if the backward pass reaches a limit, or, without the feature `bigint`, if
    /// there are 2¹²⁸ solutions or more.
    pub fn samples(&self, seed: u64) -> Result<Samples<'p, P, H>, Incomplete> {
        Samples::new(Arc::clone(&self.layers), seed).map_err(|error| self.incomplete(&error))
    }

    fn incomplete(&self, error: &PassError) -> Incomplete {
        Incomplete::new(&error.report(self.report()))
    }
}

clone_fields!(impl['p, P: ContourProblem, H] RetainedLayers<'p, P, H>: layers);

impl<P: ContourProblem, H: SweepHooks<P>> fmt::Debug for RetainedLayers<'_, P, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states: usize = self.states().sum();
        f.debug_struct("RetainedLayers")
            .field("layers", &self.states().len())
            .field("states", &states)
            .finish()
    }
}
