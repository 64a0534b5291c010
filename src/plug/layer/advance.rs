//! The step from one layer to the next: the kernel of a sweep.

use super::parallel::{self, Exchange};
use super::successors::{BLOCK, Successors, expand, expand_sharded, merge};
use super::{Layer, Shards, copy_states, count_bytes, count_states};
use crate::limits::Stop;
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::stats::SweepStats;
use crate::plug::step::{Blocks, Clock, MIN_STATES_FOR_THREADS, StepCount, StepError, Task};

/// Computes the layer after `cell` from the layer before it. After an error `from` has the same
/// states and values, but no index.
pub(crate) fn advance<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    stats: &mut SweepStats<'_>,
    cell: usize,
    from: &mut Shards<P::State, A::Value>,
    into: &mut Shards<P::State, A::Value>,
) -> Result<(), Stop> {
    let states = count_states(from);
    stats.before_cell(cell, states as u64)?;
    task.problem.fits(cell).map_err(|too_wide| stats.too_wide(too_wide))?;
    let shards = from.len();
    for (from, into) in from.iter_mut().zip(into.iter_mut()) {
        // Only the layer under construction needs an index.
        into.take_over_slots(from);
    }
    if stats.max_bytes() < usize::MAX {
        for (from, into) in from.iter_mut().zip(into.iter_mut()) {
            from.release_slack(into, stats.max_bytes() / shards);
        }
    }
    let mut bytes_left = stats.max_bytes().saturating_sub(count_bytes(from));
    // A thread needs memory for its stack and for its batches. If that is not available, one thread
    // does the work of all.
    let mut exchange = None;
    if shards > 1 && states >= MIN_STATES_FOR_THREADS {
        // The layer before the last one still occupies `into`.
        let spare = bytes_left.saturating_sub(count_bytes(into));
        exchange = Exchange::within::<P>(shards, bytes_left)
            .filter(|exchange| parallel::has_stacks(shards, exchange.start_bytes, spare));
        bytes_left -= exchange.as_ref().map_or(0, |exchange| exchange.bytes);
    }
    let bytes_per_shard = bytes_left / shards;
    for into in into.iter_mut() {
        into.set_limits(stats.max_states(), bytes_per_shard, stats.clock());
    }
    let mut count = StepCount::new(stats.hooks());
    let by_threads = exchange.as_ref().and_then(|exchange| {
        parallel::advance(task, stats.clock(), cell, from, into, exchange, &mut count)
    });
    let result = match by_threads {
        Some(result) => result,
        None => advance_in_one_thread(task, stats.clock(), cell, from, into, &mut count),
    };
    let exchanged = exchange.map_or(0, |exchange| exchange.bytes);
    let bytes = count_bytes(from) + into.iter().map(Layer::peak_bytes).sum::<usize>() + exchanged;
    let mut thinned = Vec::new();
    let result = result.and_then(|()| match count_states(into) {
        states if states > stats.max_states() => Err(Stop::StateLimit),
        _ if bytes > stats.max_bytes() => Err(Stop::MemoryLimit),
        _ => {
            let bytes_left = stats.max_bytes() - bytes;
            thinned = thin(task, stats.clock(), cell, into, stats.hooks(), bytes_left)?;
            Ok(())
        }
    });
    if let Err(stop) = result {
        stats.record_incomplete_layer(count_states(into), bytes);
        return Err(stop);
    }
    stats.record_layer(&count, count_states(into), &thinned, bytes);
    Ok(())
}

fn advance_in_one_thread<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    clock: &Clock,
    cell: usize,
    from: &[Layer<P::State, A::Value>],
    into: &mut [Layer<P::State, A::Value>],
    count: &mut StepCount,
) -> Result<(), Stop> {
    for (from, into) in from.iter().zip(&mut *into) {
        into.restart(from.len())?;
    }
    let (mut buffer, mut by_shard) =
        (Successors::<P>::new(), vec![Successors::<P>::new(); into.len()]);
    for part in from {
        let mut blocks = Blocks::new(clock, part.entries(), BLOCK);
        while let Some((sources, _)) = blocks.next()? {
            let states = sources.iter().map(|source| source.0);
            let mut error = StepError::default();
            if let [into] = into {
                expand(task, cell, states, &mut by_shard[0], count);
                error = merge(task.algebra, cell, sources, &by_shard[0], into, count);
            } else {
                expand_sharded(task, cell, (states, 0), (&mut buffer, &mut by_shard), count);
                for (successors, into) in by_shard.iter_mut().zip(&mut *into) {
                    error = error.or(merge(task.algebra, cell, sources, successors, into, count));
                    successors.clear();
                }
            }
            error.check()?;
        }
    }
    Ok(())
}

/// Calls the hooks on a complete layer and returns how many states each has dropped.
fn thin<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    clock: &Clock,
    cell: usize,
    layer: &mut [Layer<P::State, A::Value>],
    hooks: usize,
    bytes_left: usize,
) -> Result<Vec<u64>, Stop> {
    let mut cuts = vec![0; hooks];
    if task.hooks.is_empty() {
        return Ok(cuts);
    }
    let all = count_states(layer);
    let bytes_left = bytes_left
        .checked_sub(all.saturating_mul(size_of::<P::State>() + 1))
        .ok_or(Stop::MemoryLimit)?;
    let states = copy_states(layer, clock, |state| state)?;
    let mut dropped: Vec<bool> = Vec::new();
    dropped.try_reserve_exact(all).map_err(|_| Stop::MemoryLimit)?;
    dropped.resize(all, false);
    let value = |mut index: usize| {
        for part in &*layer {
            match part.entries().get(index) {
                Some((_, value)) => return Some(value),
                None => index -= part.len(),
            }
        }
        None
    };
    let mut covers = |better: usize, worse: usize| match (value(better), value(worse)) {
        (Some(better), Some(worse)) => task.algebra.covers(better, worse),
        _ => false,
    };
    let limits = (clock, bytes_left);
    task.hooks.thin(task.problem, cell, (&states, &mut dropped), &mut covers, limits, &mut cuts)?;
    if cuts.iter().any(|&cuts| cuts > 0) {
        let mut rest = &dropped[..];
        for part in layer {
            let (own, others) = rest.split_at(part.len());
            rest = others;
            part.retain(own, clock)?;
            part.recount_heap(clock, |value| task.algebra.heap_bytes(value))?;
        }
    }
    Ok(cuts)
}
