//! Who makes the layers of a sweep: this process alone, or one of the workers that share them.

use std::hash::Hash;

use super::account::Account;
use super::algebra::{Algebra, Overflow};
use super::hook::SweepHooks;
use super::layer::Layer;
use super::profile::ContourProblem;
use super::saving::{LayerSaver, Question, Taken};
use super::shards::{Shards, first_layer};
use super::sweep::sweep;
use super::task::Task;
use crate::limits::Stop;

/// Makes layers of states `S` with values `V`. What it gives and takes is all of a layer, or the
/// part that is this worker's own; the [`Account`] is that of the whole. Where there are several
/// workers, each does the same in the same order.
pub(crate) trait Sweeper<S, V> {
    /// From now on, values are of the type of this number.
    fn set_width(&mut self, width: u32);

    /// What there is to go on with.
    fn take_up(
        &mut self,
        question: &Question,
        account: &mut Account<'_>,
    ) -> Result<Taken<Shards<S, V>>, Stop>;

    /// The first layer, of the start alone.
    fn first_layer(&self, start: S, one: V) -> Shards<S, V>;

    /// Sweeps from `cell` to the end, as [`sweep`] does.
    fn sweep<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        account: &mut Account<'_>,
        layer: &mut Shards<S, V>,
        cell: usize,
    ) -> Result<(), (usize, Stop)>;

    /// Why all stop, if one has to.
    fn agree(&mut self, result: Result<(), Stop>) -> Result<(), Stop>;

    /// The sweep has stopped for a reason, with this layer as the last that was complete.
    fn save(&mut self, account: &mut Account<'_>, layer: &[Layer<S, V>], stop: Stop);
}

/// Sums up what those who share a sweep have come to, in values of type `N`.
pub(crate) trait Gather<N> {
    /// The sum of all, of the states that are accepted by each; that of this worker is given.
    fn gather(
        &mut self,
        account: &mut Account<'_>,
        own: Result<(Option<N>, u64), Stop>,
        merge: impl FnMut(&mut N, N) -> Result<(), Overflow>,
    ) -> Result<Option<N>, Stop>;
}

/// This process, with so many threads.
pub(crate) struct Alone<'k, K> {
    pub(crate) saver: &'k mut K,
    pub(crate) threads: usize,
}

impl<S: Copy + Eq + Hash, V, K: LayerSaver<S, V>> Sweeper<S, V> for Alone<'_, K> {
    fn set_width(&mut self, width: u32) {
        self.saver.set_width(width);
    }

    fn take_up(
        &mut self,
        question: &Question,
        account: &mut Account<'_>,
    ) -> Result<Taken<Shards<S, V>>, Stop> {
        self.saver.take_up(question, account, self.threads)
    }

    fn first_layer(&self, start: S, one: V) -> Shards<S, V> {
        first_layer(start, one, self.threads)
    }

    fn sweep<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        account: &mut Account<'_>,
        layer: &mut Shards<S, V>,
        cell: usize,
    ) -> Result<(), (usize, Stop)> {
        sweep(task, account, layer, cell, self.saver)
    }

    fn agree(&mut self, result: Result<(), Stop>) -> Result<(), Stop> {
        result
    }

    fn save(&mut self, account: &mut Account<'_>, layer: &[Layer<S, V>], stop: Stop) {
        self.saver.save(account, layer, Some(stop));
    }
}

impl<N, K> Gather<N> for Alone<'_, K> {
    fn gather(
        &mut self,
        account: &mut Account<'_>,
        own: Result<(Option<N>, u64), Stop>,
        _: impl FnMut(&mut N, N) -> Result<(), Overflow>,
    ) -> Result<Option<N>, Stop> {
        let (sum, accepted) = own?;
        account.accepted(accepted);
        Ok(sum)
    }
}
