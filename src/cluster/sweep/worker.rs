//! One worker of a sweep: it computes its part of each layer, and agrees with the others on how to
//! continue.

use std::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::exchange::{Exchange, first_reason};
use super::journal::{LayerId, LayerJournal};
use super::step::{step, thin};
use crate::limits::Stop;
use crate::plug::executor::{
    EntryRules, Layer, Question, Reduce, Resumed, Shards, StepCount, SweepStats, Sweeper, Task,
    first_layer,
};
use crate::plug::{Algebra, ContourProblem, SweepHooks};

/// The result of computing a part of a layer.
#[derive(Serialize, Deserialize)]
pub(super) struct PartDone {
    /// The reason why the part is incomplete.
    pub(super) stop: Option<Stop>,
    /// The reason not to begin the next layer.
    pub(super) pending: Option<Stop>,
    pub(super) states: u64,
    pub(super) bytes: u64,
    pub(super) count: StepCount,
    /// Whether the layer is to be saved. Only the value of worker 0 counts.
    pub(super) save: bool,
    /// The last layer whose part this worker has saved.
    pub(super) saved: Option<LayerId>,
    /// Whether this worker knows of a read of an incumbent.
    pub(super) read_incumbent: bool,
}

/// The share of a worker in the answer.
#[derive(Serialize, Deserialize)]
pub(super) struct FinalPart<N> {
    pub(super) stop: Option<Stop>,
    pub(super) accepted: u64,
    pub(super) sum: Option<N>,
}

/// A worker of a sweep.
#[expect(missing_debug_implementations, reason = "other crates cannot name it")]
pub struct Worker {
    pub(super) exchange: Exchange,
    pub(super) journal: Option<LayerJournal>,
    /// Whether this worker is the first of its process. It counts the layers for the process.
    is_first_here: bool,
    /// The reason not to begin the next layer.
    pending: Option<Stop>,
    /// Whether the last complete layer is to be saved.
    save: bool,
}

/// The totals of a layer over all workers.
struct LayerTotals {
    count: StepCount,
    states: u64,
    bytes: usize,
    /// The reason not to begin the next layer.
    pending: Option<Stop>,
    save: bool,
}

/// Returns the bytes of all workers together.
fn total_bytes(parts: impl Iterator<Item = u64>) -> usize {
    parts.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)).fold(0, usize::saturating_add)
}

impl Worker {
    pub(super) fn new(exchange: Exchange, is_first_here: bool) -> Self {
        Worker { exchange, journal: None, is_first_here, pending: None, save: false }
    }

    /// Exchanges the results of all parts of a layer, and returns their totals.
    fn combine_parts(
        &mut self,
        stats: &mut SweepStats<'_>,
        own: PartDone,
    ) -> Result<LayerTotals, Stop> {
        let all = self.exchange.all_gather(own)?;
        let mut count = StepCount::new(stats.hooks());
        all.iter().for_each(|part| count.add(&part.count));
        stats.record_reads_elsewhere(all.iter().any(|part| part.read_incumbent));
        let states = all.iter().map(|part| part.states).sum();
        let bytes = total_bytes(all.iter().map(|part| part.bytes));
        if let Some(journal) = &mut self.journal {
            journal.learn(all.iter().map(|part| part.saved));
        }
        if self.is_first_here {
            self.exchange
                .traffic()
                .count_layer(all.iter().map(|part| part.states).max().unwrap_or(0), states);
        }
        let stop =
            first_reason(all.iter().map(|part| part.stop)).or_else(|| {
                match usize::try_from(states) {
                    Ok(states) if states <= stats.max_states() => {
                        (bytes > stats.max_bytes()).then_some(Stop::MemoryLimit)
                    }
                    _ => Some(Stop::StateLimit),
                }
            });
        if let Some(stop) = stop {
            stats.record_incomplete_layer(usize::try_from(states).unwrap_or(usize::MAX), bytes);
            return Err(stop);
        }
        let pending = first_reason(all.iter().map(|part| part.pending));
        Ok(LayerTotals { count, states, bytes, pending, save: all[0].save })
    }
}

impl<S, V> Sweeper<S, V> for Worker
where
    S: Copy + Eq + Hash + Serialize + DeserializeOwned,
    V: Serialize + DeserializeOwned,
{
    fn set_width(&mut self, width: u32) {
        if let Some(journal) = &mut self.journal {
            journal.set_width(width);
        }
    }

    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        entries: &EntryRules<'_, S, V>,
    ) -> Result<Resumed<Shards<S, V>>, Stop> {
        match &mut self.journal {
            Some(journal) => journal.resume(&mut self.exchange, question, stats, entries),
            None => Ok(Resumed::Nothing),
        }
    }

    fn first_layer(&self, _: &SweepStats<'_>, start: S, one: V) -> Shards<S, V> {
        let mut parts = first_layer(start, one, self.exchange.peers());
        vec![parts.swap_remove(self.exchange.index())]
    }

    fn begin(
        &mut self,
        stats: &mut SweepStats<'_>,
        prepared: Result<(), Stop>,
    ) -> Result<(), Stop> {
        let prepared = prepared.and_then(|()| stats.clock().check());
        self.pending = Sweeper::<S, V>::agree(self, stats, 0, prepared).err();
        Ok(())
    }

    fn advance<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        stats: &mut SweepStats<'_>,
        cell: usize,
        layer: &mut Shards<S, V>,
        next: &mut Shards<S, V>,
    ) -> Result<(), Stop> {
        let ([from], [into]) = (&mut layer[..], &mut next[..]) else {
            unreachable!("a worker has one part of each layer");
        };
        stats.within_limits(cell, stats.states())?;
        if let Some(stop) = self.pending {
            return Err(stop);
        }
        task.problem.fits(cell).map_err(|too_wide| stats.too_wide(too_wide))?;
        let (count, made) = step(&mut self.exchange, task, stats, cell, from, into);
        if made == Err(Stop::Interrupted) {
            return Err(Stop::Interrupted);
        }
        let own = PartDone {
            stop: made.err(),
            pending: stats.clock().check().err(),
            states: into.len() as u64,
            bytes: (from.bytes() + into.peak_bytes()) as u64,
            count,
            save: self.journal.as_ref().is_some_and(LayerJournal::is_due),
            saved: self.journal.as_ref().and_then(LayerJournal::saved),
            read_incumbent: stats.has_read_incumbent(),
        };
        let whole = self.combine_parts(stats, own)?;
        let share = stats.max_bytes() / self.exchange.peers();
        let left = share.saturating_sub(from.bytes() + into.bytes());
        let thinned =
            thin(&mut self.exchange, task, stats, cell, into, left).inspect_err(|_| {
                stats.record_incomplete_layer(whole.states as usize, whole.bytes);
            })?;
        let (states, cuts) = match thinned {
            Some(thinned) => (thinned.states, thinned.cuts),
            None => (whole.states, vec![0; stats.hooks()]),
        };
        stats.record_layer(&whole.count, states as usize, &cuts, whole.bytes);
        (self.pending, self.save) = (whole.pending, whole.save);
        Ok(())
    }

    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Option<Stop>) {
        // After a failure, the state of the other workers is unknown.
        if let (Some(journal), [part]) = (&mut self.journal, layer)
            && (self.save || stop.is_some())
            && stop != Some(Stop::Interrupted)
        {
            journal.save(stats, part, stop);
        }
    }

    fn end(
        &mut self,
        _: &mut SweepStats<'_>,
        _: &mut Shards<S, V>,
        _: impl Fn(S) -> bool,
        _: &dyn Fn(&V) -> usize,
    ) -> Result<(), Stop> {
        self.pending.map_or(Ok(()), Err)
    }

    fn share_of_memory(&self, max_bytes: usize) -> usize {
        max_bytes / self.exchange.peers()
    }

    fn agree(
        &mut self,
        stats: &mut SweepStats<'_>,
        bytes: usize,
        result: Result<(), Stop>,
    ) -> Result<(), Stop> {
        let all = self.exchange.all_gather((result.err(), bytes as u64))?;
        stats.record_bytes(total_bytes(all.iter().map(|(_, bytes)| *bytes)));
        first_reason(all.iter().map(|(stop, _)| *stop)).map_or(Ok(()), Err)
    }
}

impl<N: Serialize + DeserializeOwned> Reduce<N> for Worker {
    fn record_accepted(&self, _: &mut SweepStats<'_>, _: u64) {}

    fn reduce(
        &mut self,
        stats: &mut SweepStats<'_>,
        own: Result<(Option<N>, u64), Stop>,
        mut merge: impl FnMut(&mut N, N) -> Result<(), Stop>,
    ) -> Result<Option<N>, Stop> {
        let own = match own {
            Ok((sum, accepted)) => FinalPart { stop: None, accepted, sum },
            Err(stop) => FinalPart { stop: Some(stop), accepted: 0, sum: None },
        };
        let all = self.exchange.all_gather(own)?;
        if let Some(stop) = first_reason(all.iter().map(|part| part.stop)) {
            return Err(stop);
        }
        stats.record_accepted(all.iter().map(|part| part.accepted).sum());
        // All workers merge in the same order.
        let mut sums = all.into_iter().filter_map(|part| part.sum);
        let Some(mut sum) = sums.next() else { return Ok(None) };
        sums.try_for_each(|other| merge(&mut sum, other))?;
        Ok(Some(sum))
    }
}
