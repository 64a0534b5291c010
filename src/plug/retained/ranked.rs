//! RetainedSolutions in the order of their weight.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fmt;
use std::iter::FusedIterator;
use std::sync::Arc;

use super::layers::{Broken, Layers};
use crate::incumbent::Direction;
use crate::limits::Stop;
use crate::memory::{block_bytes, headroom, is_available};
use crate::plug::algebra::{Best, Weight};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::step::Clock;
use crate::report::Report;

/// After so many solutions, the system is asked again whether it has memory left.
const PROBED: usize = 64;

/// RetainedSolutions not seen yet: those that begin like a seen one, leave it by a step, and go on in any
/// way.
struct Rest<P: ContourProblem> {
    /// The best weight among them, or what is opposite to it if the least is best. Sums of parts
    /// may not fit into 64 bits.
    key: i128,
    /// Of those of the same weight, the first to be found is the first to be given.
    sequence: u64,
    /// The solution they begin like.
    model: Arc<[P::Label]>,
    /// The cell and label of the step they leave it by; the start has none.
    step: Option<(usize, P::Label)>,
    /// The state after it, and its number in its layer.
    state: P::State,
    index: usize,
    /// The weight of all labels up to there.
    so_far: i128,
}

impl<P: ContourProblem> Ord for Rest<P> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.key, Reverse(self.sequence)).cmp(&(other.key, Reverse(other.sequence)))
    }
}

impl<P: ContourProblem> PartialOrd for Rest<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P: ContourProblem> PartialEq for Rest<P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<P: ContourProblem> Eq for Rest<P> {}

/// A lazy iterator over all solutions, best first, each with its weight: made by
/// [`Sweep::ranked`](crate::plug::Sweep::ranked) and [`RetainedLayers::ranked`](super::RetainedLayers::ranked). The k
/// best are `take(k)`.
///
/// Of each state the best weight to the end is known exactly. So when a solution is given, the
/// solutions that leave it at one of its states by another step are a set whose best weight is
/// known as well, and the best of all such sets holds the next solution (Lawler, 1972; the bound
/// being exact, none is looked at in vain). No solution comes twice. Of equal weights, the order is
/// the same whatever the number of threads.
///
/// A solution costs a step a cell and looking up what comes out, and as many steps as lead off from
/// it are remembered. The limits of memory and time hold here anew; [`stop`](Ranked::stop) says why
/// the iterator has ended.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Ranked<'p, P: ContourProblem, H, W> {
    layers: Arc<Layers<'p, P, H>>,
    best: Best<W>,
    to_go: Vec<Vec<i64>>,
    rests: BinaryHeap<Rest<P>>,
    /// Sets of solutions found by now, and solutions given.
    found: u64,
    given: usize,
    /// The most sets that one solution has left behind.
    most_rests: usize,
    /// Bytes of the layers and the weights.
    bytes: usize,
    clock: Clock,
    stop: Stop,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>, W: Weight<P>> Ranked<'p, P, H, W> {
    pub(super) fn new(layers: Arc<Layers<'p, P, H>>, best: Best<W>) -> Result<Self, Broken> {
        let to_go = layers.to_go(&best, true)?;
        let clock = Clock::new(layers.limits());
        let bytes =
            layers.bytes() + to_go.iter().map(|weights| size_of_val(&weights[..])).sum::<usize>();
        let (rests, stop) = (BinaryHeap::new(), Stop::Paused);
        let mut ranked = Ranked {
            layers,
            best,
            to_go,
            rests,
            found: 0,
            given: 0,
            most_rests: 1,
            bytes,
            clock,
            stop,
        };
        if let Some(state) = ranked.layers.start() {
            ranked.push(Arc::from([]), None, (0, state), 0);
        }
        Ok(ranked)
    }

    /// Why the iterator has ended, or [`Stop::Paused`] if it has not.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// The account of the sweep, with the effect of its hooks on labels. If that is not
    /// [`Effect::Preserving`](crate::Effect::Preserving), solutions may be missing in between.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = self.layers.report(true, self.clock.elapsed());
        report.stop = self.stop;
        report
    }

    fn push(
        &mut self,
        model: Arc<[P::Label]>,
        step: Option<(usize, P::Label)>,
        (index, state): (usize, P::State),
        so_far: i128,
    ) {
        let cell = step.map_or(0, |(cell, _)| cell + 1);
        let key = self.turn(so_far + i128::from(self.to_go[cell][index]));
        let sequence = self.found;
        self.found += 1;
        self.rests.push(Rest { key, sequence, model, step, state, index, so_far });
    }

    /// Makes a weight of which more is better, and back.
    fn turn(&self, weight: i128) -> i128 {
        match self.best.direction() {
            Direction::Maximise => weight,
            Direction::Minimise => -weight,
        }
    }

    /// The labels of the best of these solutions. All others of them become rests of their own.
    fn split(&mut self, rest: &Rest<P>) -> Vec<P::Label> {
        let mut labels = Vec::with_capacity(self.layers.cells());
        if let Some((cell, label)) = rest.step {
            labels.extend_from_slice(&rest.model[..cell]);
            labels.push(label);
        }
        let (mut index, mut state, mut so_far) = (rest.index, rest.state, rest.so_far);
        let mut others = Vec::new();
        for cell in labels.len()..self.layers.cells() {
            let (weight, to_go) = (self.best.weight(), &self.to_go);
            let (best, mut taken) = (to_go[cell][index], None);
            self.layers.successors(cell, state, |next, state, label| {
                let step = weight.label(cell, label);
                if taken.is_none() && step.checked_add(to_go[cell + 1][next]) == Some(best) {
                    taken = Some((next, state, label, step));
                } else {
                    others.push(((cell, label), (next, state), so_far + i128::from(step)));
                }
            });
            let Some((next, after, label, step)) = taken else { break };
            labels.push(label);
            (index, state, so_far) = (next, after, so_far + i128::from(step));
        }
        self.most_rests = self.most_rests.max(others.len());
        let model: Arc<[P::Label]> = Arc::from(&labels[..]);
        for (step, place, so_far) in others {
            self.push(Arc::clone(&model), Some(step), place, so_far);
        }
        labels
    }

    /// Whether the next solution may be given. Makes room for what will be remembered of it.
    fn check(&mut self) -> Result<(), Stop> {
        let max_bytes = self.layers.limits().max_bytes();
        // The labels, with the two counters of the `Arc` that shares them.
        let solution =
            block_bytes(self.layers.cells() * size_of::<P::Label>() + 2 * size_of::<usize>());
        let solutions = self.given.saturating_add(2).saturating_mul(solution);
        let (rests, capacity) = (self.rests.len(), self.rests.capacity());
        let most = rests.saturating_add(self.most_rests);
        let wanted = if most > capacity { most.max(2 * capacity) } else { 0 };
        // The heap that grows is there twice for a moment; beside it there is what is found in one
        // go.
        let heap = (capacity + wanted + 2 * self.most_rests).saturating_mul(size_of::<Rest<P>>());
        let needed = self.bytes.saturating_add(solutions).saturating_add(heap);
        // RetainedSolutions allocate where that cannot fail without an abort: the system is asked now and
        // then.
        let is_due = self.given.is_multiple_of(PROBED);
        let probe = || {
            PROBED
                .saturating_mul(solution)
                .min(max_bytes - needed)
                .saturating_add(headroom(max_bytes))
        };
        if needed > max_bytes || (is_due && !is_available(probe())) {
            return Err(Stop::MemoryLimit);
        }
        if wanted > 0 {
            self.rests.try_reserve_exact(wanted - rests).map_err(|_| Stop::MemoryLimit)?;
        }
        self.clock.check()
    }
}

impl<P: ContourProblem, H: SweepHooks<P>, W: Weight<P>> Iterator for Ranked<'_, P, H, W> {
    type Item = (i64, Vec<P::Label>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.stop != Stop::Paused {
            return None;
        }
        if let Err(stop) = self.check() {
            self.stop = stop;
            return None;
        }
        let Some(rest) = self.rests.pop() else {
            self.stop = Stop::Exhausted;
            return None;
        };
        let Ok(weight) = i64::try_from(self.turn(rest.key)) else {
            self.stop = Stop::CountOverflow;
            return None;
        };
        self.given += 1;
        Some((weight, self.split(&rest)))
    }
}

impl<P: ContourProblem, H: SweepHooks<P>, W: Weight<P>> FusedIterator for Ranked<'_, P, H, W> {}

impl<P: ContourProblem, H, W> fmt::Debug for Ranked<'_, P, H, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ranked")
            .field("remembered", &self.rests.len())
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}
