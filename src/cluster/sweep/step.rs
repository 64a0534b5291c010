//! One cell: a worker takes its own states through it, sends the successors that others own, and
//! merges those that it owns.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::batch::{self, Outbox};
use super::exchange::{Abort, Batch, Exchange};
use crate::limits::Stop;
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::layer::Layer;
use crate::plug::layer::successors::{
    BLOCK, Successors, expand, expand_sharded, merge, merge_values,
};
use crate::plug::stats::SweepStats;
use crate::plug::step::{Clock, POLL, StepCount, StepError, Task};

/// The number of workers per block of states: with more workers, their successors are gathered over
/// several blocks before they are serialized.
const WORKERS_PER_BLOCK: usize = 16;

/// This worker's part of the next layer, under construction.
pub(super) struct Step<'a, P: ContourProblem, H, A: Algebra<P>> {
    pub(super) task: Task<'a, P, H, A>,
    pub(super) cell: usize,
    pub(super) from: &'a Layer<P::State, A::Value>,
    pub(super) into: &'a mut Layer<P::State, A::Value>,
    pub(super) count: StepCount,
    /// The entries of a received batch; kept to reuse its allocation.
    pub(super) entries: Vec<(P::State, A::Value)>,
    pub(super) error: StepError,
}

/// Makes this worker's part of the next layer. Returns the statistics of the step as well.
pub(super) fn step<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    exchange: &mut Exchange,
    task: Task<'_, P, H, A>,
    stats: &SweepStats<'_>,
    cell: usize,
    from: &mut Layer<P::State, A::Value>,
    into: &mut Layer<P::State, A::Value>,
) -> (StepCount, Result<(), Stop>)
where
    P::State: Serialize + DeserializeOwned,
    A::Value: Serialize + DeserializeOwned,
{
    into.take_over_slots(from);
    let left = (stats.max_bytes() / exchange.peers()).saturating_sub(from.bytes());
    into.set_limits(stats.max_states(), left, stats.clock());
    let (count, entries, error) = (StepCount::new(stats.hooks()), Vec::new(), StepError::default());
    let emptied = into.restart(from.len()).map_err(Stop::from);
    let mut step = Step { task, cell, from, into, count, entries, error };
    let result = if exchange.peers() == 1 {
        emptied.and_then(|()| step.alone(stats.clock()))
    } else {
        step.together(exchange, stats.clock(), emptied)
    };
    (step.count, result)
}

impl<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>> Step<'_, P, H, A>
where
    P::State: Serialize + DeserializeOwned,
    A::Value: Serialize + DeserializeOwned,
{
    /// Makes the layer without other workers.
    fn alone(&mut self, clock: &Clock) -> Result<(), Stop> {
        let (task, cell) = (self.task, self.cell);
        let mut successors = Successors::<P>::new();
        for (block, sources) in self.from.entries().chunks(BLOCK).enumerate() {
            let states = sources.iter().map(|source| source.0);
            expand(task, task.problem, cell, states, &mut successors, &mut self.count);
            merge(task.algebra, cell, sources, &successors, self.into, &mut self.count).check()?;
            if block % POLL == 0 {
                clock.check()?;
            }
        }
        Ok(())
    }

    /// Makes the layer with other workers. The round ends when all have sent everything, even if
    /// the layer is cancelled.
    fn together(
        &mut self,
        exchange: &mut Exchange,
        clock: &Clock,
        emptied: Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut result = emptied.and_then(|()| self.send_and_merge(exchange, clock));
        if let Err(stop) = result {
            if stop == Stop::Interrupted {
                return Err(stop);
            }
            exchange.cancel_layer();
        }
        exchange.end_round();
        while let Some(batch) = exchange.next_batch()? {
            if result.is_ok() && !exchange.is_layer_cancelled() {
                self.merge_batch(exchange, &batch)?;
                result = self.error.check().inspect_err(|_| exchange.cancel_layer());
            }
        }
        result
    }

    fn send_and_merge(&mut self, exchange: &mut Exchange, clock: &Clock) -> Result<(), Stop> {
        let (task, cell, workers, own) = (self.task, self.cell, exchange.peers(), exchange.index());
        let mut outboxes: Vec<Outbox> = (0..workers).map(|_| Outbox::new(workers)).collect();
        let (mut all, mut apart) = (Successors::<P>::new(), vec![Successors::<P>::new(); workers]);
        let blocks_per_put = workers.div_ceil(WORKERS_PER_BLOCK);
        let from = self.from;
        for (block, sources) in from.entries().chunks(BLOCK).enumerate() {
            let states = (sources.iter().map(|source| source.0), block * BLOCK);
            expand_sharded(
                task,
                task.problem,
                cell,
                states,
                (&mut all, &mut apart),
                &mut self.count,
            );
            let merged =
                merge(task.algebra, cell, from.entries(), &apart[own], self.into, &mut self.count);
            self.error = self.error.or(merged);
            apart[own].clear();
            if block % blocks_per_put == 0 {
                self.put(exchange, &mut outboxes, &mut apart)?;
            }
            if block % POLL == 0 {
                while let Some(batch) = exchange.try_batch()? {
                    self.merge_batch(exchange, &batch)?;
                }
                if exchange.is_layer_cancelled() {
                    return Ok(());
                }
                clock.check()?;
            }
            self.error.check()?;
        }
        self.put(exchange, &mut outboxes, &mut apart)?;
        for (other, outbox) in outboxes.iter_mut().enumerate() {
            if let Some(bytes) = outbox.take() {
                exchange.send(other, bytes);
            }
        }
        self.error.check()
    }

    /// Serializes the successors gathered for other workers into their outboxes, and sends full
    /// batches.
    fn put(
        &mut self,
        exchange: &mut Exchange,
        outboxes: &mut [Outbox],
        apart: &mut [Successors<P>],
    ) -> Result<(), Stop> {
        for (other, (outbox, successors)) in outboxes.iter_mut().zip(apart).enumerate() {
            exchange.traffic().count_transitions(successors.len() as u64);
            for successor in successors.drain(..) {
                let value = &self.from.entries()[successor.source as usize].1;
                let Ok(value) = self.task.algebra.extend(value, self.cell, successor.label) else {
                    self.error.overflow = true;
                    continue;
                };
                match outbox.put(&successor.state, &value) {
                    Ok(None) => {}
                    Ok(Some(full)) => exchange.send(other, full),
                    Err(error) => return Err(exchange.abort(Abort::Unsuitable(error.to_string()))),
                }
            }
        }
        Ok(())
    }

    /// Merges a batch received from another worker.
    fn merge_batch(&mut self, exchange: &mut Exchange, batch: &Batch) -> Result<(), Stop> {
        self.entries.clear();
        if self.error.insert.is_some() {
            // The layer is discarded, and may have lost its index.
            return Ok(());
        }
        batch::read(&batch.bytes, &mut self.entries)
            .map_err(|reason| exchange.undecodable(batch.from, reason))?;
        let merged = merge_values(self.task.algebra, &mut self.entries, self.into, &mut self.count);
        self.error = self.error.or(merged);
        Ok(())
    }
}
