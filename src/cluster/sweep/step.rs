//! The step of one cell: a worker expands the states that it owns, sends the successors that others
//! own, and merges those that it owns.
//!
//! Hooks then thin the whole layer, although each worker has only a part of it. The hooks run one
//! after the other. A hook first thins each part separately, and names the states that the other
//! parts must know (its [nominees](crate::plug::SweepHook::thin_part)). The nominees are sent to
//! all workers with their values. Then each worker runs the hook on its own states among the
//! nominees of all others, in the order of the workers, and drops those of its own states that the
//! hook drops.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::batch::{self, Outbox};
use super::exchange::{Batch, Exchange, Received, first_reason};
use crate::limits::Stop;
use crate::plug::executor::{Clock, Layer, PartStep, StepCount, SweepStats, Task};
use crate::plug::{Algebra, ContourProblem, SweepHook, SweepHooks, Thinning};

/// The number of workers per block of states that a worker expands before it serializes the
/// successors. With more workers it expands more blocks, because it then visits all outboxes.
const WORKERS_PER_BLOCK: usize = 16;

/// This worker's part of the next layer, and the entries of a received batch, kept to reuse their
/// allocation.
struct ExchangedStep<'a, P: ContourProblem, H, A: Algebra<P>> {
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
    let (part, begun) = PartStep::begin(task, stats, cell, parts, from, into);
    let mut step = ExchangedStep { part, entries: Vec::new() };
    let result = if exchange.peers() == 1 {
        begun.and_then(|()| step.alone())
    } else {
        step.together(exchange, stats.clock(), begun)
    };
    (step.part.into_count(), result)
}

impl<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>> ExchangedStep<'_, P, H, A>
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
        begun: Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut result = begun.and_then(|()| self.send_and_merge(exchange));
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
                Err(error) => Err(exchange.unsuitable(&error)),
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

/// The result of thinning a part of a layer.
#[derive(Serialize, Deserialize)]
pub(super) struct Thinned {
    pub(super) stop: Option<Stop>,
    pub(super) states: u64,
    pub(super) cuts: Vec<u64>,
    /// Whether this worker knows of a read of an incumbent.
    pub(super) read_incumbent: bool,
}

/// A part of a layer that hooks thin.
struct Part<'a, P: ContourProblem, H, A: Algebra<P>> {
    task: Task<'a, P, H, A>,
    cell: usize,
    clock: &'a Clock,
    layer: &'a mut Layer<P::State, A::Value>,
    /// The bytes that this worker may use in addition to its layers.
    left: usize,
}

/// Lets hooks thin the layer after `cell`; `layer` is this worker's part. Returns the number of
/// states that each hook has dropped in all parts, and the number of states left. Returns `None` if
/// no hook thins layers. `left` is the number of bytes that this worker may use in addition to its
/// layers.
pub(super) fn thin<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    exchange: &mut Exchange,
    task: Task<'_, P, H, A>,
    stats: &mut SweepStats<'_>,
    cell: usize,
    layer: &mut Layer<P::State, A::Value>,
    left: usize,
) -> Result<Option<Thinned>, Stop>
where
    P::State: Serialize + DeserializeOwned,
    A::Value: Serialize + DeserializeOwned,
{
    let clock = stats.clock();
    let hooks = (0..).map_while(|index| Some((index, task.hooks.hook(index)?)));
    let hooks: Vec<(usize, &dyn SweepHook<P>)> =
        hooks.filter(|(_, hook)| thins_layers(*hook, task.problem, clock, cell)).collect();
    if hooks.is_empty() {
        return Ok(None);
    }
    let mut cuts = vec![0; stats.hooks()];
    let mut part = Part { task, cell, clock, layer, left };
    let mut stop = None;
    for (index, hook) in hooks {
        match part.thin_by(exchange, hook) {
            Ok(dropped) => cuts[index] = dropped,
            Err(Stop::Interrupted) => return Err(Stop::Interrupted),
            // The others wait for the nominees of this part, although the layer is discarded.
            Err(reason) => stop = stop.or(Some(reason)),
        }
    }
    // Hooks may have stopped early.
    let stop = stop.or(clock.check().err());
    let states = part.layer.len() as u64;
    let read_incumbent = stats.has_read_incumbent();
    let all = exchange.all_gather(Thinned { stop, states, cuts, read_incumbent })?;
    stats.record_reads_elsewhere(all.iter().any(|part| part.read_incumbent));
    if let Some(stop) = first_reason(all.iter().map(|part| part.stop)) {
        return Err(stop);
    }
    let cuts = vec![0; stats.hooks()];
    let whole = Thinned { stop: None, states: 0, cuts, read_incumbent };
    Ok(Some(all.into_iter().fold(whole, |mut whole, part| {
        whole.states += part.states;
        whole.cuts.iter_mut().zip(part.cuts).for_each(|(whole, part)| *whole += part);
        whole
    })))
}

/// Returns whether a hook overrides the default method, which passes without thinning. A call with
/// an empty layer shows whether it does.
fn thins_layers<P: ContourProblem>(
    hook: &dyn SweepHook<P>,
    problem: &P,
    clock: &Clock,
    cell: usize,
) -> bool {
    let mut covers = |_, _| false;
    let mut nothing = Thinning::limited(&[], &mut [], &mut covers, (Some(clock), 0));
    hook.thin(problem, cell, &mut nothing);
    !nothing.has_passed()
}

impl<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>> Part<'_, P, H, A>
where
    P::State: Serialize + DeserializeOwned,
    A::Value: Serialize + DeserializeOwned,
{
    /// Lets one hook thin the layer. Returns the number of states that it has dropped from this
    /// part.
    fn thin_by(&mut self, exchange: &mut Exchange, hook: &dyn SweepHook<P>) -> Result<u64, Stop> {
        if exchange.peers() == 1 {
            return self.thin_part(hook, false).and_then(|(dropped, _)| self.drop(&dropped));
        }
        let own_result = self.thin_part(hook, true);
        let own_nominees = own_result.as_ref().map_or(&[][..], |(_, nominees)| nominees);
        let own_nominees: Vec<&(P::State, A::Value)> =
            own_nominees.iter().map(|&index| &self.layer.entries()[index]).collect();
        let mut nominees: Vec<Vec<(P::State, A::Value)>> = exchange.gather_others(&own_nominees)?;
        nominees.insert(exchange.index(), Vec::new());
        // An error may be returned only after the others have received the nominees.
        let count = own_result.and_then(|(dropped, _)| self.drop(&dropped))?;
        let own = self.layer.entries();
        let parts = nominees
            .iter()
            .enumerate()
            .map(|(from, part)| if from == exchange.index() { own } else { part });
        let own_start: usize = nominees[..exchange.index()].iter().map(Vec::len).sum();
        let received: usize = nominees.iter().map(Vec::len).sum();
        let count_all = received + own.len();
        let bytes = received
            .saturating_mul(size_of::<(P::State, A::Value)>())
            .saturating_add(count_all.saturating_mul(size_of::<&(P::State, A::Value)>()));
        let left = self.left.checked_sub(bytes).ok_or(Stop::MemoryLimit)?;
        let mut all: Vec<&(P::State, A::Value)> = Vec::new();
        all.try_reserve_exact(count_all).map_err(|_| Stop::MemoryLimit)?;
        all.extend(parts.flatten());
        let (states, mut dropped, left) = collect_states(all.iter().map(|entry| entry.0), left)?;
        let mut covers =
            |better: usize, worse: usize| self.task.algebra.covers(&all[better].1, &all[worse].1);
        let limits = (Some(self.clock), left);
        let mut thinning = Thinning::limited(&states, &mut dropped, &mut covers, limits);
        hook.thin(self.task.problem, self.cell, &mut thinning);
        thinning.check()?;
        let own_range = own_start..own_start + own.len();
        Ok(count + self.drop(&dropped[own_range])?)
    }

    /// Lets a hook thin this part separately. Returns which states it drops, and its nominees.
    fn thin_part(
        &mut self,
        hook: &dyn SweepHook<P>,
        is_part: bool,
    ) -> Result<(Vec<bool>, Vec<usize>), Stop> {
        let entries = self.layer.entries();
        let (states, mut dropped, left) =
            collect_states(entries.iter().map(|entry| entry.0), self.left)?;
        let mut covers = |better: usize, worse: usize| {
            self.task.algebra.covers(&entries[better].1, &entries[worse].1)
        };
        let limits = (Some(self.clock), left);
        let mut thinning = Thinning::limited(&states, &mut dropped, &mut covers, limits);
        match is_part {
            true => hook.thin_part(self.task.problem, self.cell, &mut thinning),
            false => hook.thin(self.task.problem, self.cell, &mut thinning),
        }
        thinning.check()?;
        let nominees = thinning.nominees();
        Ok((dropped, nominees))
    }

    fn drop(&mut self, dropped: &[bool]) -> Result<u64, Stop> {
        let count = dropped.iter().filter(|dropped| **dropped).count();
        if count > 0 {
            self.layer.retain(dropped, self.clock)?;
            self.layer.recount_heap(self.clock, |value| self.task.algebra.heap_bytes(value))?;
        }
        Ok(count as u64)
    }
}

/// Collects the states, with a flag for each that is not set. Also returns how many of the bytes
/// `left` remain.
fn collect_states<S>(
    states: impl ExactSizeIterator<Item = S>,
    left: usize,
) -> Result<(Vec<S>, Vec<bool>, usize), Stop> {
    let count = states.len();
    let left =
        left.checked_sub(count.saturating_mul(size_of::<S>() + 1)).ok_or(Stop::MemoryLimit)?;
    let (mut copy, mut dropped) = (Vec::new(), Vec::new());
    copy.try_reserve_exact(count).map_err(|_| Stop::MemoryLimit)?;
    dropped.try_reserve_exact(count).map_err(|_| Stop::MemoryLimit)?;
    copy.extend(states);
    dropped.resize(count, false);
    Ok((copy, dropped, left))
}
