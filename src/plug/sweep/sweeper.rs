//! The interface between an operation and the process or cluster that runs its sweep: [`Sweeper`]
//! and [`Reduce`].

use std::hash::Hash;

use super::run::sweep;
use super::saving::{LayerSaver, Question, Resumed};
use crate::limits::Stop;
use crate::plug::algebra::{Algebra, Overflow};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::layer::{Layer, Shards, first_layer};
use crate::plug::stats::SweepStats;
use crate::plug::step::Task;

/// Computes layers of states `S` with values `V`. The layers that it takes and returns are whole
/// ones, or the parts that this worker owns; the [`SweepStats`] are those of the whole. If there
/// are several workers, each makes the same calls in the same order.
pub(crate) trait Sweeper<S, V> {
    /// Sets the index of the type that values have from now on.
    fn set_width(&mut self, width: u32);

    /// Returns the point from which the sweep goes on.
    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
    ) -> Result<Resumed<Shards<S, V>>, Stop>;

    /// Returns the first layer, which holds only the start.
    fn first_layer(&self, start: S, one: V) -> Shards<S, V>;

    /// Sweeps from `cell` to the end, as [`sweep`](sweep()) does.
    fn sweep<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
        cell: usize,
    ) -> Result<(), (usize, Stop)>;

    /// Agrees on one reason to stop if any worker has one.
    fn agree(&mut self, result: Result<(), Stop>) -> Result<(), Stop>;

    /// Saves the last complete layer of a sweep that stopped for this reason.
    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Stop);
}

/// Reduces the sums of all workers to one, in values of type `N`.
pub(crate) trait Reduce<N> {
    /// Returns the sum over all workers, given that of this worker and its number of accepted
    /// states. The number of all accepted states is recorded.
    fn reduce(
        &mut self,
        stats: &mut SweepStats<'_>,
        own: Result<(Option<N>, u64), Stop>,
        merge: impl FnMut(&mut N, N) -> Result<(), Overflow>,
    ) -> Result<Option<N>, Stop>;
}

/// This process, with a number of threads.
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
