//! All solutions one by one: [`RetainedSolutions`], a walk without dead ends, and [`Ranked`], in
//! the order of their weight.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::iter::FusedIterator;
use std::sync::Arc;

use super::layers::{Layers, PassError};
use crate::incumbent::Direction;
use crate::incumbent::reading::Reads;
use crate::limits::Stop;
use crate::memory::{block_bytes, headroom, is_available};
use crate::plug::algebra::{Best, Weight};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::step::Clock;
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
/// [`stop`](RetainedSolutions::stop) says why it has ended. The limits of time and of
/// [solutions](crate::Limits::solutions) apply here anew.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct RetainedSolutions<'p, P: ContourProblem, H> {
    layers: Arc<Layers<'p, P, H>>,
    /// A stack: the last step is taken next.
    pending: Vec<PendingStep<P>>,
    labels: Vec<P::Label>,
    solutions_left: u64,
    clock: Clock,
    stop: Stop,
    /// The reads of incumbents by this iterator.
    reads: Reads,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> RetainedSolutions<'p, P, H> {
    pub(super) fn new(layers: Arc<Layers<'p, P, H>>) -> Self {
        let pending =
            layers.start().map(|state| PendingStep { state, step: None }).into_iter().collect();
        let solutions_left = layers.limits().solutions.unwrap_or(u64::MAX);
        let clock = Clock::new(layers.limits());
        RetainedSolutions {
            layers,
            pending,
            labels: Vec::new(),
            solutions_left,
            clock,
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
        let mut report = self.layers.report(true, self.clock.elapsed());
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
        if let Err(stop) =
            if self.solutions_left == 0 { Err(Stop::SolutionLimit) } else { self.clock.check() }
        {
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

/// Solutions between two queries of the available memory.
const MEMORY_PROBE_INTERVAL: usize = 64;

/// A set of solutions that have not been returned: those that begin like a returned solution, leave
/// it by a given transition, and continue in any way.
struct SolutionSet<P: ContourProblem> {
    /// The best weight in the set, negated if the least weight is best. Intermediate sums may not
    /// fit into 64 bits.
    key: i128,
    /// Breaks ties: among sets of the same weight, the one found first comes first.
    sequence: u64,
    /// The labels of the solution whose beginning they share.
    parent: Arc<[P::Label]>,
    /// The cell and label of the transition by which they leave it; `None` for the set of all
    /// solutions.
    step: Option<(usize, P::Label)>,
    /// The state after that transition, and its position in its layer.
    state: P::State,
    index: usize,
    /// The weight of all labels up to that state.
    prefix_weight: i128,
}

impl<P: ContourProblem> Ord for SolutionSet<P> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.key, Reverse(self.sequence)).cmp(&(other.key, Reverse(other.sequence)))
    }
}

impl<P: ContourProblem> PartialOrd for SolutionSet<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P: ContourProblem> PartialEq for SolutionSet<P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<P: ContourProblem> Eq for SolutionSet<P> {}

/// A lazy iterator over all solutions with their weights, best first. Made by
/// [`Sweep::ranked`](crate::plug::Sweep::ranked) and
/// [`RetainedLayers::ranked`](super::RetainedLayers::ranked). The k best solutions are `take(k)`.
///
/// The best weight from each state to the end is known exactly. When a solution is returned, the
/// solutions that leave it at one of its states by another transition form a set whose best weight
/// is therefore known as well. The best of all such sets holds the next solution (Lawler, 1972;
/// because the bound is exact, no set is examined in vain). No solution is returned twice. The
/// order of solutions of equal weight does not depend on the number of threads.
///
/// A solution takes one step per cell and a lookup of each successor; each solution adds as many
/// sets as there are transitions that leave it. The limits of memory and time apply here anew;
/// [`stop`](Ranked::stop) says why the iterator has ended.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Ranked<'p, P: ContourProblem, H, W> {
    layers: Arc<Layers<'p, P, H>>,
    best: Best<W>,
    to_go: Vec<Vec<i64>>,
    sets: BinaryHeap<SolutionSet<P>>,
    /// The number of sets found so far.
    found: u64,
    /// The number of sets divided so far.
    divided: usize,
    /// The maximum number of sets that one solution has added.
    most_sets: usize,
    /// Bytes of the layers and of the weights.
    bytes: usize,
    clock: Clock,
    stop: Stop,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>, W: Weight<P>> Ranked<'p, P, H, W> {
    pub(super) fn new(layers: Arc<Layers<'p, P, H>>, best: Best<W>) -> Result<Self, PassError> {
        let to_go = layers.to_go(&best, true)?;
        let clock = Clock::new(layers.limits());
        let bytes =
            layers.bytes() + to_go.iter().map(|weights| size_of_val(&weights[..])).sum::<usize>();
        let (sets, stop) = (BinaryHeap::new(), Stop::Paused);
        let mut ranked = Ranked {
            layers,
            best,
            to_go,
            sets,
            found: 0,
            divided: 0,
            most_sets: 1,
            bytes,
            clock,
            stop,
        };
        if let Some(state) = ranked.layers.start() {
            ranked.push(Arc::from([]), None, (0, state), 0);
        }
        Ok(ranked)
    }

    /// Returns why the iterator has ended, or [`Stop::Paused`] if it has not.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// Returns the report of the sweep, with the effect of its hooks on labels. If that is not
    /// [`Effect::Preserving`](crate::Effect::Preserving), solutions may be missing in between.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = self.layers.report(true, self.clock.elapsed());
        report.stop = self.stop;
        report
    }

    fn push(
        &mut self,
        parent: Arc<[P::Label]>,
        step: Option<(usize, P::Label)>,
        (index, state): (usize, P::State),
        prefix_weight: i128,
    ) {
        let cell = step.map_or(0, |(cell, _)| cell + 1);
        let key = self.oriented(prefix_weight + i128::from(self.to_go[cell][index]));
        let sequence = self.found;
        self.found += 1;
        self.sets.push(SolutionSet { key, sequence, parent, step, state, index, prefix_weight });
    }

    /// Negates a weight if the least is best, so that greater is better; its own inverse.
    fn oriented(&self, weight: i128) -> i128 {
        match self.best.direction() {
            Direction::Maximise => weight,
            Direction::Minimise => -weight,
        }
    }

    /// Returns the labels of the best solution of a set, and divides all others of the set into new
    /// sets. Returns no labels if a hook that has kept that solution drops it now.
    fn split(&mut self, set: &SolutionSet<P>) -> Option<Vec<P::Label>> {
        let mut labels = Vec::with_capacity(self.layers.cells());
        if let Some((cell, label)) = set.step {
            labels.extend_from_slice(&set.parent[..cell]);
            labels.push(label);
        }
        let (mut index, mut state, mut prefix_weight) = (set.index, set.state, set.prefix_weight);
        let mut others = Vec::new();
        for cell in labels.len()..self.layers.cells() {
            let (weight, to_go) = (self.best.weight(), &self.to_go);
            let (best, mut taken) = (to_go[cell][index], None);
            self.layers.successors(cell, state, |next, state, label| {
                let label_weight = weight.label(cell, label);
                if taken.is_none() && label_weight.checked_add(to_go[cell + 1][next]) == Some(best)
                {
                    taken = Some((next, state, label, label_weight));
                } else {
                    others.push((
                        (cell, label),
                        (next, state),
                        prefix_weight + i128::from(label_weight),
                    ));
                }
            });
            // A hook that reads an incumbent may drop by now what it has kept. The weights of the
            // sets remain upper bounds.
            let Some((next, after, label, label_weight)) = taken else { break };
            labels.push(label);
            (index, state, prefix_weight) = (next, after, prefix_weight + i128::from(label_weight));
        }
        self.most_sets = self.most_sets.max(others.len());
        let parent: Arc<[P::Label]> = Arc::from(&labels[..]);
        for (step, place, prefix_weight) in others {
            self.push(Arc::clone(&parent), Some(step), place, prefix_weight);
        }
        (labels.len() == self.layers.cells()).then_some(labels)
    }

    /// Checks whether the next set may be divided, and reserves memory for the sets that it adds.
    fn check(&mut self) -> Result<(), Stop> {
        let max_bytes = self.layers.limits().max_bytes();
        // The labels, and the two counters of the `Arc` that shares them.
        let solution =
            block_bytes(self.layers.cells() * size_of::<P::Label>() + 2 * size_of::<usize>());
        let solutions = self.divided.saturating_add(2).saturating_mul(solution);
        let (sets, capacity) = (self.sets.len(), self.sets.capacity());
        let most = sets.saturating_add(self.most_sets);
        let wanted = if most > capacity { most.max(2 * capacity) } else { 0 };
        // A growing heap exists twice for a moment. The sets found for one solution are collected
        // beside it.
        let heap =
            (capacity + wanted + 2 * self.most_sets).saturating_mul(size_of::<SolutionSet<P>>());
        let needed = self.bytes.saturating_add(solutions).saturating_add(heap);
        // Solutions allocate where a failure aborts, so the available memory is queried now and
        // then.
        let is_due = self.divided.is_multiple_of(MEMORY_PROBE_INTERVAL);
        let probe = || {
            MEMORY_PROBE_INTERVAL
                .saturating_mul(solution)
                .min(max_bytes - needed)
                .saturating_add(headroom(max_bytes))
        };
        if needed > max_bytes || (is_due && !is_available(probe())) {
            return Err(Stop::MemoryLimit);
        }
        if wanted > 0 {
            self.sets.try_reserve_exact(wanted - sets).map_err(|_| Stop::MemoryLimit)?;
        }
        self.clock.check()
    }
}

impl<P: ContourProblem, H: SweepHooks<P>, W: Weight<P>> Iterator for Ranked<'_, P, H, W> {
    type Item = (i64, Vec<P::Label>);

    fn next(&mut self) -> Option<Self::Item> {
        while self.stop == Stop::Paused {
            if let Err(stop) = self.check() {
                self.stop = stop;
                return None;
            }
            let Some(set) = self.sets.pop() else {
                self.stop = Stop::Exhausted;
                return None;
            };
            let Ok(weight) = i64::try_from(self.oriented(set.key)) else {
                self.stop = Stop::CountOverflow;
                return None;
            };
            self.divided += 1;
            let layers = Arc::clone(&self.layers);
            // If the problem or the weight panics, the set is lost.
            self.stop = Stop::Interrupted;
            let labels = layers.record_reads(|| self.split(&set));
            self.stop = Stop::Paused;
            if let Some(labels) = labels {
                return Some((weight, labels));
            }
        }
        None
    }
}

impl<P: ContourProblem, H: SweepHooks<P>, W: Weight<P>> FusedIterator for Ranked<'_, P, H, W> {}

debug_fields!(impl['p, P: ContourProblem, H, W] Ranked<'p, P, H, W>: divided, stop);
