//! The step of one cell: a worker expands the states that it owns, sends the successors that others
//! own, and merges those that it owns.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::batch::{self, Outbox};
use super::exchange::{Abort, Batch, Exchange, Received};
use crate::limits::Stop;
use crate::plug::executor::{Clock, Layer, PartStep, StepCount, SweepStats, Task};
use crate::plug::{Algebra, ContourProblem, SweepHooks};

/// For every so many workers, rounded up, a worker expands one block of states before it serializes
/// the successors.
const WORKERS_PER_BLOCK: usize = 16;

/// This worker's part of the next layer, and the entries of a received batch, kept to reuse their
/// allocation.
struct Step<'a, P: ContourProblem, H, A: Algebra<P>> {
    part: PartStep<'a, P, H, A>,
    entries: Vec<(P::State, A::Value)>,
}

/// Computes this worker's part of the next layer. Returns the statistics of the step, and an error
/// if this worker had to stop. If only another worker has cancelled the layer, the result is `Ok`,
/// although the part is incomplete.
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
    let parts = (exchange.index(), exchange.peers());
    let (part, emptied) = PartStep::begin(task, stats, cell, parts, from, into);
    let mut step = Step { part, entries: Vec::new() };
    let result = if exchange.peers() == 1 {
        emptied.and_then(|()| step.alone())
    } else {
        step.together(exchange, stats.clock(), emptied)
    };
    (step.part.into_count(), result)
}

impl<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>> Step<'_, P, H, A>
where
    P::State: Serialize + DeserializeOwned,
    A::Value: Serialize + DeserializeOwned,
{
    /// Computes the layer without other workers.
    fn alone(&mut self) -> Result<(), Stop> {
        while self.part.expand()?.is_some() {
            self.part.check()?;
        }
        Ok(())
    }

    /// Computes the layer with other workers. The round ends when all have sent everything, even if
    /// the layer is cancelled.
    fn together(
        &mut self,
        exchange: &mut Exchange,
        clock: &Clock,
        emptied: Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut result = emptied.and_then(|()| self.send_and_merge(exchange));
        if let Err(stop) = result {
            if stop == Stop::Interrupted {
                return Err(stop);
            }
            exchange.cancel_layer();
        }
        exchange.end_round();
        loop {
            let received = exchange.next_batch()?;
            if let Received::End = received {
                return result;
            }
            if result.is_ok() && !exchange.is_layer_cancelled() {
                if let Received::Batch(batch) = received {
                    self.merge_batch(exchange, &batch)?;
                }
                result = self.part.check().and_then(|()| clock.check());
                if result.is_err() {
                    exchange.cancel_layer();
                }
            }
        }
    }

    /// Expands this worker's states, sends the successors that others own, and merges the batches
    /// that arrive meanwhile. Returns `Ok` early if another worker cancels the layer.
    fn send_and_merge(&mut self, exchange: &mut Exchange) -> Result<(), Stop> {
        let workers = exchange.peers();
        let mut outboxes: Vec<Outbox> = (0..workers).map(|_| Outbox::new(workers)).collect();
        let blocks_per_put = workers.div_ceil(WORKERS_PER_BLOCK);
        let mut blocks = 0;
        while let Some(is_checked) = self.part.expand()? {
            if blocks % blocks_per_put == 0 {
                self.put(exchange, &mut outboxes)?;
            }
            blocks += 1;
            if is_checked {
                while let Some(batch) = exchange.try_batch()? {
                    self.merge_batch(exchange, &batch)?;
                }
                if exchange.is_layer_cancelled() {
                    return Ok(());
                }
            }
            self.part.check()?;
        }
        self.put(exchange, &mut outboxes)?;
        for (other, outbox) in outboxes.iter_mut().enumerate() {
            if let Some(bytes) = outbox.take() {
                exchange.send(other, bytes);
            }
        }
        self.part.check()
    }

    /// Serializes the successors gathered for other workers into their outboxes, and sends full
    /// batches.
    fn put(&mut self, exchange: &mut Exchange, outboxes: &mut [Outbox]) -> Result<(), Stop> {
        for (other, outbox) in outboxes.iter_mut().enumerate() {
            exchange.traffic().count_transitions(self.part.waiting(other) as u64);
            self.part.send(other, |state, value| match outbox.put(state, value) {
                Ok(full) => {
                    full.into_iter().for_each(|full| exchange.send(other, full));
                    Ok(())
                }
                Err(error) => Err(exchange.abort(Abort::Unsuitable(error.to_string()))),
            })?;
        }
        Ok(())
    }

    /// Merges a batch received from another worker.
    fn merge_batch(&mut self, exchange: &mut Exchange, batch: &Batch) -> Result<(), Stop> {
        self.entries.clear();
        if !self.part.is_full() {
            batch::read(&batch.bytes, &mut self.entries)
                .map_err(|reason| exchange.undecodable(batch.from, reason))?;
            self.part.merge(&mut self.entries);
        }
        Ok(())
    }
}
