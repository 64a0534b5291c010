//! Solutions in the order of their weight: [`Ranked`], and the [`Ranking`] of the walks through any
//! graph without dead ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::FusedIterator;
use std::sync::Arc;

use super::layers::{Layers, PassError};
use crate::clock::Instant;
use crate::incumbent::Direction;
use crate::limits::Stop;
use crate::memory::{grown, headroom, is_available, reserve_one};
use crate::plug::algebra::{Best, Weight};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::step::Clock;
use crate::report::Report;

/// A graph without dead ends. Its walks from a root to an end are the solutions.
pub(in crate::plug) trait Walks {
    /// A node of the graph.
    type Place: Copy + Ord;
    /// The label of a step.
    type Label: Copy;

    fn is_end(&self, place: Self::Place) -> bool;

    /// Returns the best weight of the walks from a place to an end.
    fn to_go(&self, place: Self::Place) -> i64;

    /// Calls `put` with each step from a place: the place that it leads to, its label, if it has
    /// one, and its weight.
    fn steps(&self, place: Self::Place, put: impl FnMut(Self::Place, Option<Self::Label>, i64));
}

/// A set of solutions that have not been returned: those that begin with the same labels, and
/// continue in any way.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SolutionSet<S> {
    /// The best weight in the set, negated if the least weight is best. Intermediate sums may not
    /// fit into 64 bits.
    key: i128,
    /// Breaks ties: among sets of the same weight, the one found first comes first.
    sequence: Reverse<u64>,
    /// The place after the common labels.
    place: S,
    /// The common labels, as a number of a prefix.
    prefix: u32,
}

/// All walks through a graph in the order of their weight.
///
/// When a walk is returned, the walks that leave it at one of its places by another step form a set
/// whose best weight is known. The best of all such sets holds the next walk (Lawler, 1972; because
/// the bound is exact, no set is examined in vain).
pub(in crate::plug) struct Ranking<S, L> {
    direction: Direction,
    sets: BinaryHeap<SolutionSet<S>>,
    /// The last label of each prefix, after the number of the prefix without it. Number 0 stands
    /// for the empty prefix, and n for index n − 1.
    prefixes: Vec<(u32, L)>,
    /// The number of sets found so far.
    found: u64,
    /// Bytes of the graph.
    graph_bytes: usize,
    max_bytes: usize,
    clock: Clock,
    stop: Stop,
}

impl<S: Copy + Ord, L: Copy> Ranking<S, L> {
    /// Creates a ranking of the walks from `root`, given with its best weight, through a graph of
    /// `graph_bytes` bytes. The graph and the ranking may take `max_bytes`.
    pub(in crate::plug) fn new(
        direction: Direction,
        root: Option<(S, i64)>,
        (graph_bytes, max_bytes): (usize, usize),
        clock: Clock,
    ) -> Result<Self, Stop> {
        let mut ranking = Ranking {
            direction,
            sets: BinaryHeap::new(),
            prefixes: Vec::new(),
            found: 0,
            graph_bytes,
            max_bytes,
            clock,
            stop: Stop::Paused,
        };
        if let Some((root, weight)) = root {
            ranking.push(root, 0, weight.into())?;
        }
        Ok(ranking)
    }

    /// Returns why the ranking has ended, or [`Stop::Paused`] if it has not.
    pub(in crate::plug) fn stop(&self) -> Stop {
        self.stop
    }

    /// Returns the weight and the labels of the next walk.
    pub(in crate::plug) fn next(
        &mut self,
        walks: &impl Walks<Place = S, Label = L>,
    ) -> Option<(i64, Vec<L>)> {
        while self.stop == Stop::Paused {
            // If the problem or the weight panics, a set is lost.
            self.stop = Stop::Interrupted;
            let advanced = self.advance(walks);
            self.stop = advanced.as_ref().err().copied().unwrap_or(Stop::Paused);
            if let Ok(Some(walk)) = advanced {
                return Some(walk);
            }
        }
        None
    }

    /// Returns the best walk of all sets, and divides all others of its set into new sets. Returns
    /// `None` if a step of that walk no longer exists.
    fn advance(
        &mut self,
        walks: &impl Walks<Place = S, Label = L>,
    ) -> Result<Option<(i64, Vec<L>)>, Stop> {
        self.clock.check()?;
        let set = self.sets.pop().ok_or(Stop::Exhausted)?;
        let weight = self.oriented(set.key);
        let total = i64::try_from(weight).map_err(|_| Stop::CountOverflow)?;
        let (mut place, mut prefix) = (set.place, set.prefix);
        let mut steps = Vec::new();
        while !walks.is_end(place) {
            let best = i128::from(walks.to_go(place));
            walks.steps(place, |next, label, own| steps.push((next, label, own)));
            let mut taken = None;
            for (next, label, own) in steps.drain(..) {
                let onward = i128::from(own) + i128::from(walks.to_go(next));
                let prefix = self.extend(prefix, label)?;
                if taken.is_none() && onward == best {
                    taken = Some((next, prefix));
                } else {
                    self.push(next, prefix, weight - best + onward)?;
                }
            }
            // A hook that reads an incumbent may drop by now what it has kept. The weights of the
            // sets remain upper bounds.
            let Some(next) = taken else { return Ok(None) };
            (place, prefix) = next;
        }
        Ok(Some((total, self.labels(prefix))))
    }

    /// Negates a weight if the least is best, so that greater is better; its own inverse.
    fn oriented(&self, weight: i128) -> i128 {
        match self.direction {
            Direction::Maximise => weight,
            Direction::Minimise => -weight,
        }
    }

    /// Adds a set with this best weight.
    fn push(&mut self, place: S, prefix: u32, weight: i128) -> Result<(), Stop> {
        let length = self.sets.len();
        if length == self.sets.capacity() {
            let capacity = grown::<SolutionSet<S>>(length, self.bytes(), self.max_bytes);
            let more = capacity.ok_or(Stop::MemoryLimit)? - length;
            self.sets.try_reserve_exact(more).map_err(|_| Stop::MemoryLimit)?;
            self.probe()?;
        }
        let (key, sequence) = (self.oriented(weight), Reverse(self.found));
        self.sets.push(SolutionSet { key, sequence, place, prefix });
        self.found += 1;
        Ok(())
    }

    /// Returns the number of a prefix that is longer by this label.
    fn extend(&mut self, prefix: u32, label: Option<L>) -> Result<u32, Stop> {
        let Some(label) = label else { return Ok(prefix) };
        let bytes = self.bytes();
        let added = reserve_one(&mut self.prefixes, bytes, self.max_bytes);
        if added.ok_or(Stop::MemoryLimit)? > 0 {
            self.probe()?;
        }
        self.prefixes.push((prefix, label));
        u32::try_from(self.prefixes.len()).map_err(|_| Stop::StateLimit)
    }

    fn bytes(&self) -> usize {
        self.graph_bytes
            + self.prefixes.capacity() * size_of::<(u32, L)>()
            + self.sets.capacity() * size_of::<SolutionSet<S>>()
    }

    /// Checks, after growth, that the system has memory left: solutions allocate where a failure
    /// aborts.
    fn probe(&self) -> Result<(), Stop> {
        if is_available(headroom(self.max_bytes)) { Ok(()) } else { Err(Stop::MemoryLimit) }
    }

    /// Returns the labels of a prefix.
    fn labels(&self, mut prefix: u32) -> Vec<L> {
        let mut labels = Vec::new();
        while let Some(last) = prefix.checked_sub(1) {
            let (shorter, label) = self.prefixes[last as usize];
            labels.push(label);
            prefix = shorter;
        }
        labels.reverse();
        labels
    }
}

debug_fields!(impl[S, L] Ranking<S, L>: found, stop);

/// Retained layers as a graph, whose places are a cell and the position of a state in its layer.
struct LayerWalks<'p, P: ContourProblem, H, W> {
    layers: Arc<Layers<'p, P, H>>,
    best: Best<W>,
    to_go: Vec<Vec<i64>>,
}

impl<P: ContourProblem, H: SweepHooks<P>, W: Weight<P>> Walks for LayerWalks<'_, P, H, W> {
    type Place = (usize, usize);
    type Label = P::Label;

    fn is_end(&self, (cell, _): (usize, usize)) -> bool {
        cell == self.layers.cells()
    }

    fn to_go(&self, (cell, index): (usize, usize)) -> i64 {
        self.to_go[cell][index]
    }

    fn steps(
        &self,
        (cell, index): (usize, usize),
        mut put: impl FnMut((usize, usize), Option<P::Label>, i64),
    ) {
        let (state, ()) = self.layers.all()[cell].entries()[index];
        self.layers.successors(cell, state, |next, _, label| {
            put((cell + 1, next), Some(label), self.best.weight().label(cell, label));
        });
    }
}

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
/// sets as there are transitions that leave it. The limit of memory applies here anew, and that of
/// time includes the sweep; [`stop`](Ranked::stop) says why the iterator has ended. After 2³²
/// transitions that is [`Stop::StateLimit`].
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Ranked<'p, P: ContourProblem, H, W> {
    walks: LayerWalks<'p, P, H, W>,
    ranking: Ranking<(usize, usize), P::Label>,
    start: Instant,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>, W: Weight<P>> Ranked<'p, P, H, W> {
    pub(super) fn new(layers: Arc<Layers<'p, P, H>>, best: Best<W>) -> Result<Self, PassError> {
        let to_go = layers.to_go(&best, true)?;
        let weights = to_go.iter().map(|weights| size_of_val(&weights[..])).sum::<usize>();
        let root = to_go[0].first().map(|&weight| ((0, 0), weight));
        let bytes = layers.bytes() + weights;
        let (bytes, clock) = ((bytes, layers.limits().max_bytes()), layers.clock().clone());
        let ranking = Ranking::new(best.direction(), root, bytes, clock);
        let ranking = ranking.map_err(|stop| PassError { stop, layer: 0, states: 1 })?;
        let start = Instant::now();
        Ok(Ranked { walks: LayerWalks { layers, best, to_go }, ranking, start })
    }

    /// Returns why the iterator has ended, or [`Stop::Paused`] if it has not.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.ranking.stop()
    }

    /// Returns the report of the sweep, with the effect of its hooks on labels. If that is not
    /// [`Effect::Preserving`](crate::Effect::Preserving), solutions may be missing in between.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = self.walks.layers.report(true, self.start.elapsed());
        report.stop = self.stop();
        report
    }
}

impl<P: ContourProblem, H: SweepHooks<P>, W: Weight<P>> Iterator for Ranked<'_, P, H, W> {
    type Item = (i64, Vec<P::Label>);

    fn next(&mut self) -> Option<Self::Item> {
        let Ranked { walks, ranking, .. } = self;
        walks.layers.record_reads(|| ranking.next(walks))
    }
}

impl<P: ContourProblem, H: SweepHooks<P>, W: Weight<P>> FusedIterator for Ranked<'_, P, H, W> {}

debug_fields!(impl['p, P: ContourProblem, H, W] Ranked<'p, P, H, W>: ranking);
