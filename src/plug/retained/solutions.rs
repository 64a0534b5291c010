//! All solutions one by one: [`RetainedSolutions`], a walk without dead ends.

use std::iter::FusedIterator;
use std::sync::Arc;

use super::layers::Layers;
use crate::clock::Instant;
use crate::incumbent::reading::Reads;
use crate::limits::Stop;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::report::Report;

/// A step that has not been taken: the state that it leads to, and its cell and label, unless that
/// state is the start.
struct PendingStep<P: ContourProblem> {
    state: P::State,
    step: Option<(usize, P::Label)>,
}

/// A lazy iterator over all solutions. Made by [`Sweep::solutions`](crate::plug::Sweep::solutions)
/// and [`RetainedLayers::solutions`](super::RetainedLayers::solutions).
///
/// A solution is a sequence of labels, one per cell. Solutions come in the order in which
/// [`ContourProblem::step`] emits, as in a depth-first search. Every state of the layers leads to a
/// solution, so every step of the walk is part of the next solution. A solution takes at most one
/// step per cell and a lookup of each successor.
///
/// The end of the iterator does not mean that there are no more solutions:
/// [`stop`](RetainedSolutions::stop) says why it has ended. The limit of
/// [solutions](crate::Limits::solutions) applies here anew; that of time includes the sweep.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct RetainedSolutions<'p, P: ContourProblem, H> {
    layers: Arc<Layers<'p, P, H>>,
    /// A stack: the last step is taken next.
    pending: Vec<PendingStep<P>>,
    labels: Vec<P::Label>,
    solutions_left: u64,
    start: Instant,
    stop: Stop,
    /// The reads of incumbents by this iterator.
    reads: Reads,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> RetainedSolutions<'p, P, H> {
    pub(super) fn new(layers: Arc<Layers<'p, P, H>>) -> Self {
        let pending =
            layers.start().map(|state| PendingStep { state, step: None }).into_iter().collect();
        let solutions_left = layers.limits().solutions.unwrap_or(u64::MAX);
        RetainedSolutions {
            layers,
            pending,
            labels: Vec::new(),
            solutions_left,
            start: Instant::now(),
            stop: Stop::Paused,
            reads: Reads::default(),
        }
    }

    /// Returns why the iterator has ended, or [`Stop::Paused`] if it has not.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// Returns the report of the sweep, with the effect of its hooks on labels.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = self.layers.report(true, self.start.elapsed());
        report.stop = self.stop;
        if self.reads.any() {
            report.add_read_in_sweep();
        }
        report
    }

    /// Returns the labels of the next solution, borrowed.
    pub(super) fn advance(&mut self) -> Option<&[P::Label]> {
        if self.stop != Stop::Paused {
            return None;
        }
        if let Err(stop) = if self.solutions_left == 0 {
            Err(Stop::SolutionLimit)
        } else {
            self.layers.clock().check()
        } {
            self.stop = stop;
            return None;
        }
        // If the problem panics, a step is lost: the solutions after it are not all that are left.
        self.stop = Stop::Interrupted;
        let recording = self.reads.begin();
        let is_found = self.walk();
        recording.end(&mut self.reads);
        is_found.then_some(&self.labels)
    }

    /// Walks to the next solution, and returns whether there is one.
    fn walk(&mut self) -> bool {
        while let Some(PendingStep { state, step }) = self.pending.pop() {
            if let Some((cell, label)) = step {
                self.labels.truncate(cell);
                self.labels.push(label);
            }
            let cell = self.labels.len();
            if cell == self.layers.cells() {
                self.solutions_left -= 1;
                self.stop = Stop::Paused;
                return true;
            }
            let first = self.pending.len();
            let pending = &mut self.pending;
            self.layers.successors(cell, state, |_, state, label| {
                pending.push(PendingStep { state, step: Some((cell, label)) });
            });
            self.pending[first..].reverse();
        }
        self.stop = Stop::Exhausted;
        false
    }
}

impl<P: ContourProblem, H: SweepHooks<P>> Iterator for RetainedSolutions<'_, P, H> {
    type Item = Vec<P::Label>;

    fn next(&mut self) -> Option<Vec<P::Label>> {
        self.advance().map(<[P::Label]>::to_vec)
    }
}

impl<P: ContourProblem, H: SweepHooks<P>> FusedIterator for RetainedSolutions<'_, P, H> {}

debug_fields!(impl['p, P: ContourProblem, H] RetainedSolutions<'p, P, H>: stop);
