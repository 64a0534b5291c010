//! All layers of a sweep: solutions themselves, and not just how many there are.
//!
//! A sweep forgets each layer when the next one is complete. That is enough to count, or for the
//! best weight; but which solution has that weight, nobody knows in the end. Here all layers are
//! [kept](RetainedLayers). They are made in two passes. The one forward is that of any sweep, but for
//! remembering the states. The one backward drops from each layer the states from which no solution
//! is reached. What is left is a graph without dead ends (a decision diagram, by the layer: Knuth,
//! *The Art of Computer Programming* 4A, 7.1.4), and whoever walks through it from the start comes
//! to a solution, whatever steps he takes:
//!
//! | question | operation | to go by |
//! |---|---|---|
//! | any solution | [`Sweep::first`] | nothing: every step is right |
//! | all solutions, lazily | [`Sweep::solutions`], [`Sweep::for_each`] | nothing |
//! | a best one | [`Sweep::best`] | the best weight from each state to the end |
//! | the k best | [`Sweep::ranked`] | the same |
//! | random ones, uniformly | [`Sweep::samples`] | the number of ways from each state to the end |
//!
//! What there is to go by is computed by a third pass, backward, under an
//! [algebra](crate::plug::algebra). Several questions to the same layers are asked of
//! [`Sweep::retain_layers`].
//!
//! # Memory and time
//!
//! In the forward pass each state takes up its own size; afterwards each state that is left takes
//! up its size and 8 to 16 bytes of an index, and while weights or numbers are used, one of these.
//! The backward passes take their states through their cells again, and so each takes about as long
//! as the forward pass. All of them obey the [limits](crate::Limits) of memory, which counts the
//! heap of values, and time, and the switch to cancel. The two passes that make the layers share
//! their time; the third begins it anew, and so do iterators, but for that of [samples](Samples),
//! which has neither an end nor limits. [Progress](Sweep::progress) is that of the forward pass,
//! and the [peak of memory](Report::peak_bytes) that of the two passes that make the layers.
//!
//! # Hooks
//!
//! Hooks drop and replace states in all passes alike. What the answer then proves, its report says;
//! a canonicaliser that does not [keep labels](crate::plug::SweepHook::keeps_labels) makes every
//! operation that gives or weighs labels [lossy](crate::Effect::Lossy), for what is given is no
//! solution. Dominance keeps what the question needs: for the best weight it compares weights, for
//! any solution it drops all that is dominated, and for all the others
//! [`Thinning::dominate`](crate::plug::Thinning::dominate) drops nothing.

mod backward;
mod layers;
mod ranked;
mod samples;
mod solutions;

pub use ranked::Ranked;
pub use samples::Samples;
pub use solutions::RetainedSolutions;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use self::layers::{Broken, Layers};
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

/// Lets dominance drop nothing: what is dominated may be a solution as well.
struct AllWays;

impl<P: ContourProblem> Algebra<P> for AllWays {
    type Value = ();

    #[inline]
    fn one(&self) {}
    #[inline]
    fn extend(&self, (): &(), _: usize, _: P::Label) -> Result<(), Overflow> {
        Ok(())
    }
    #[inline]
    fn merge(&self, (): &mut (), (): ()) -> Result<(), Overflow> {
        Ok(())
    }
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> Sweep<'p, P, H> {
    /// Keeps all layers, for several questions; see the [module](self) for what that costs.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::Direction;
    /// use secateurs::plug::Sweep;
    ///
    /// let row = Row(4);
    /// let kept = Sweep::new(&row).retain_layers()?;
    /// assert_eq!(kept.count().exact(), Some(8));
    /// assert_eq!(kept.solutions().nth(2), Some(vec![false, false, true, false]));
    /// let taken = |_: usize, taken: bool| i64::from(taken);
    /// assert_eq!(kept.best(Direction::Maximise, taken).proven(), Some(&2));
    /// let random: Vec<Vec<bool>> = kept.samples(1)?.take(100).collect();
    /// assert!(random.iter().all(|labels| labels.len() == 4));
    /// # Ok::<(), secateurs::Incomplete>(())
    /// ```
    ///
    /// # Errors
    /// If the sweep stops before its end; the error says where and why.
    pub fn retain_layers(self) -> Result<RetainedLayers<'p, P, H>, Incomplete> {
        self.retain_for(&AllWays).map_err(|report| Incomplete::new(&report))
    }

    /// The layers that a question of this algebra needs.
    fn retain_for<A: Algebra<P>>(
        self,
        algebra: &A,
    ) -> Result<RetainedLayers<'p, P, H>, Box<Report>> {
        Layers::build(self, algebra).map(|layers| RetainedLayers { layers: Arc::new(layers) })
    }

    /// A solution, if there is one: of all of them the first, as [`ContourProblem::step`] gives its
    /// steps, unless dominance has dropped it.
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

    /// A solution of the best weight, and that weight; of several, the first.
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
            Err(report) => Outcome::new(Optimum::new(None, false), *report),
        }
    }

    /// All solutions, one by one.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// let row = Row(20); let mut three = Sweep::new(&row).solutions()?.filter(|labels|
    /// labels.iter().filter(|taken| **taken).count() == 9);
    /// assert!(three.next().is_some_and(|labels| labels.ends_with(&[true, false, true])));
    /// # Ok::<(), secateurs::Incomplete>(())
    /// ```
    ///
    /// # Errors
    /// As [`keep`](Sweep::retain_layers).
    pub fn solutions(self) -> Result<RetainedSolutions<'p, P, H>, Incomplete> {
        Ok(self.retain_layers()?.solutions())
    }

    /// Calls `visit` with the labels of each solution, until it breaks off; its value is then in
    /// the outcome, and the run ends with [`Stop::Satisfied`]. Nothing is allocated for a solution.
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

    /// All solutions one by one, best first, each with its weight.
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
    /// As [`keep`](Sweep::retain_layers), and if a weight does not fit.
    pub fn ranked<W: Weight<P>>(
        self,
        direction: Direction,
        weight: W,
    ) -> Result<Ranked<'p, P, H, W>, Incomplete> {
        self.retain_layers()?.ranked(direction, weight)
    }

    /// RetainedSolutions at random, each as likely as any other; the same ones for the same seed. See
    /// [`Samples`] for a proof.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// let row = Row(1000); let mean = Sweep::new(&row).samples(1)?.take(50).map(|labels|
    /// labels.iter().filter(|taken| **taken).count()).sum::<usize>() / 50;
    /// assert!((270..283).contains(&mean)); // close to 1000 (5 - √5) / 10
    /// # Ok::<(), secateurs::Incomplete>(())
    /// ```
    ///
    /// # Errors
    /// As [`keep`](Sweep::retain_layers), and without the feature `bigint` if there are 2¹²⁸ solutions or more.
    pub fn samples(self, seed: u64) -> Result<Samples<'p, P, H>, Incomplete> {
        self.retain_layers()?.samples(seed)
    }
}

/// All layers of a sweep, each less the states that lead nowhere: made by [`Sweep::retain_layers`]. See the
/// [module](self).
///
/// Clones, and iterators over them, share the layers.
pub struct RetainedLayers<'p, P: ContourProblem, H = ()> {
    layers: Arc<Layers<'p, P, H>>,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> RetainedLayers<'p, P, H> {
    /// The account of the sweep that made the layers: its layers are those of the forward pass.
    #[must_use]
    pub fn report(&self) -> Report {
        self.layers.report(false, Duration::ZERO)
    }

    /// How many states are left of each layer, the start's first.
    pub fn states(&self) -> impl ExactSizeIterator<Item = usize> {
        self.layers.all().iter().map(|layer| layer.len())
    }

    /// The bytes that layers and their indexes take up.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layers.bytes()
    }

    /// How many solutions there are; as [`Sweep::count`].
    pub fn count(&self) -> Outcome<Count> {
        let (total, report) = self.run(&Counting::<u128>::new()).into_parts();
        Outcome::new(Count::swept(total.into_sum().unwrap_or(0)), report)
    }

    /// What `algebra` makes of all ways together, from the end back to the start; as
    /// [`Sweep::run`].
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    /// use secateurs::plug::algebra::Counting;
    /// # #[cfg(feature = "bigint")] {
    /// use secateurs::plug::algebra::Natural;
    ///
    /// let row = Row(1000);
    /// let kept = Sweep::new(&row).retain_layers()?;
    /// assert_eq!(kept.count().exact(), None); // more than 128 bits
    /// assert_eq!(kept.run(&Counting::<Natural>::new()).total().map(Natural::bits), Some(695));
    /// # }
    /// # Ok::<(), secateurs::Incomplete>(())
    /// ```
    pub fn run<A: Algebra<P>>(&self, algebra: &A) -> Outcome<Total<A::Value>> {
        let start = Instant::now();
        let to_go = self.layers.to_go(algebra, false);
        let report = self.layers.report(algebra.reads_labels(), start.elapsed());
        match to_go {
            Ok(to_go) => {
                let sum = to_go.into_iter().next().and_then(|start| start.into_iter().next());
                Outcome::new(Total::new(sum, algebra.tolerates(), &report), report)
            }
            Err(broken) => {
                let report = broken.report(report);
                Outcome::new(Total::new(None, algebra.tolerates(), &report), report)
            }
        }
    }

    /// The first solution, if there is one, in the order of [`solutions`](RetainedLayers::solutions).
    pub fn first(&self) -> Outcome<Found<Vec<P::Label>>> {
        let report = self.layers.report(true, Duration::ZERO);
        let solution = self.layers.start().map(|_| self.layers.follow(|_, _, _, _| true));
        Outcome::new(Found::new(solution, &report), report)
    }

    /// A solution of the best weight, and that weight; of several, the first.
    pub fn best<W: Weight<P>>(&self, direction: Direction, weight: W) -> BestSolution<P::Label> {
        self.best_of(&Best::new(direction, weight))
    }

    fn best_of<W: Weight<P>>(&self, best: &Best<W>) -> BestSolution<P::Label> {
        let start = Instant::now();
        let to_go = match self.layers.to_go(best, true) {
            Ok(to_go) => to_go,
            Err(broken) => {
                let report = broken.report(self.layers.report(true, start.elapsed()));
                return Outcome::new(Optimum::new(None, false), report);
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
        let proven = report.proves_optimum();
        Outcome::new(Optimum::new(solution, proven), report)
    }

    /// All solutions, one by one.
    pub fn solutions(&self) -> RetainedSolutions<'p, P, H> {
        RetainedSolutions::new(Arc::clone(&self.layers))
    }

    /// Calls `visit` with the labels of each solution; as [`Sweep::for_each`].
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

    /// All solutions one by one, best first, each with its weight.
    ///
    /// # Errors
    /// If the pass backward that this takes comes to a limit, or if a weight does not fit.
    pub fn ranked<W: Weight<P>>(
        &self,
        direction: Direction,
        weight: W,
    ) -> Result<Ranked<'p, P, H, W>, Incomplete> {
        Ranked::new(Arc::clone(&self.layers), Best::new(direction, weight))
            .map_err(|broken| self.incomplete(&broken))
    }

    /// RetainedSolutions at random, each as likely as any other; the same ones for the same seed.
    ///
    /// # Errors
    /// If the pass backward that this takes comes to a limit, or, without the feature `bigint`, if
    /// there are 2¹²⁸ solutions or more.
    pub fn samples(&self, seed: u64) -> Result<Samples<'p, P, H>, Incomplete> {
        Samples::new(Arc::clone(&self.layers), seed).map_err(|broken| self.incomplete(&broken))
    }

    fn incomplete(&self, broken: &Broken) -> Incomplete {
        Incomplete::new(&broken.report(self.report()))
    }
}

impl<P: ContourProblem, H> Clone for RetainedLayers<'_, P, H> {
    fn clone(&self) -> Self {
        RetainedLayers { layers: Arc::clone(&self.layers) }
    }
}

impl<P: ContourProblem, H: SweepHooks<P>> fmt::Debug for RetainedLayers<'_, P, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states: usize = self.states().sum();
        f.debug_struct("RetainedLayers")
            .field("layers", &self.states().len())
            .field("states", &states)
            .finish()
    }
}
