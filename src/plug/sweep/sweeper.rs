//! Who makes the layers of a sweep: this process alone, or one of the workers that share them.

use std::hash::Hash;

use super::run::sweep;
use super::saving::{LayerSaver, Question, Resumed};
use crate::limits::Stop;
use crate::plug::algebra::{Algebra, Overflow};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::layer::Layer;
use crate::plug::layer::{Shards, first_layer};
use crate::plug::stats::SweepStats;
use crate::plug::step::Task;

/// Makes layers of states `S` with values `V`. What it gives and takes is all of a layer, or the
/// part that is this worker's own; the [`SweepStats`] is that of the whole. Where there are several
/// workers, each does the same in the same order.
pub(crate) trait Sweeper<S, V> {
    /// From now on, values are of the type of this number.
    fn set_width(&mut self, width: u32);

    /// What there is to go on with.
    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
    ) -> Result<Resumed<Shards<S, V>>, Stop>;

    /// The first layer, of the start alone.
    fn first_layer(&self, start: S, one: V) -> Shards<S, V>;

    /// Sweeps from `cell` to the end, as [`sweep`] does.
    fn sweep<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
        cell: usize,
    ) -> Result<(), (usize, Stop)>;

    /// Why all stop, if one has to.
    fn agree(&mut self, result: Result<(), Stop>) -> Result<(), Stop>;

    /// The sweep has stopped for a reason, with this layer as the last that was complete.
    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Stop);
}

/// Sums up what those who share a sweep have come to, in values of type `N`.
pub(crate) trait Reduce<N> {
    /// The sum of all, of the states that are accepted by each; that of this worker is given.
    fn reduce(
        &mut self,
        stats: &mut SweepStats<'_>,
        own: Result<(Option<N>, u64), Stop>,
        merge: impl FnMut(&mut N, N) -> Result<(), Overflow>,
    ) -> Result<Option<N>, Stop>;
}

/// This process, with so many threads.
pub(crate) struct Local<'k, K> {
    pub(crate) saver: &'k mut K,
    pub(crate) threads: usize,
}

impl<S: Copy + Eq + Hash, V, K: LayerSaver<S, V>> Sweeper<S, V> for Local<'_, K> {
    fn set_width(&mut self, width: u32) {
        self.saver.set_width(width);
    }

    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
    ) -> Result<Resumed<Shards<S, V>>, Stop> {
        self.saver.resume(question, stats, self.threads)
    }

    fn first_layer(&self, start: S, one: V) -> Shards<S, V> {
        first_layer(start, one, self.threads)
    }

    fn sweep<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
        cell: usize,
    ) -> Result<(), (usize, Stop)> {
        sweep(task, stats, layer, cell, self.saver)
    }

    fn agree(&mut self, result: Result<(), Stop>) -> Result<(), Stop> {
        result
    }

    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Stop) {
        self.saver.save(stats, layer, Some(stop));
    }
}

impl<N, K> Reduce<N> for Local<'_, K> {
    fn reduce(
        &mut self,
        stats: &mut SweepStats<'_>,
        own: Result<(Option<N>, u64), Stop>,
        _: impl FnMut(&mut N, N) -> Result<(), Overflow>,
    ) -> Result<Option<N>, Stop> {
        let (sum, accepted) = own?;
        stats.accepted(accepted);
        Ok(sum)
    }
}
