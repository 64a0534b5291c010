//! The loop of a sweep from a layer to the last one, and the evaluation of the last layer.

use super::saving::LayerSaver;
use crate::limits::Stop;
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::layer::advance::advance;
use crate::plug::layer::{Layer, Shards, retain_in_time};
use crate::plug::stats::SweepStats;
use crate::plug::step::{Clock, POLL_STATES, Task};

/// Returns the accepted states of the last layer with their values.
pub(crate) fn accepted<P: ContourProblem, V>(
    problem: &P,
    clock: &Clock,
    layer: Shards<P::State, V>,
) -> Result<Vec<(P::State, V)>, Stop> {
    let mut parts = layer.into_iter().map(Layer::into_entries);
    // Filters in place, because this is often the largest vector of a sweep.
    let mut ends = parts.next().unwrap_or_default();
    retain_in_time(&mut ends, clock, |&(state, _)| problem.accept(state))?;
    for mut part in parts {
        retain_in_time(&mut part, clock, |&(state, _)| problem.accept(state))?;
        ends.try_reserve_exact(part.len()).map_err(|_| Stop::MemoryLimit)?;
        for (index, end) in part.into_iter().enumerate() {
            if index % POLL_STATES == 0 {
                clock.check()?;
            }
            ends.push(end);
        }
    }
    Ok(ends)
}

/// Returns the total of the accepted states under the algebra, if there are any.
pub(crate) fn total<P: ContourProblem, A: Algebra<P>>(
    algebra: &A,
    clock: &Clock,
    ends: Vec<(P::State, A::Value)>,
) -> Result<Option<A::Value>, Stop> {
    let mut sum: Option<A::Value> = None;
    for (index, (state, value)) in ends.into_iter().enumerate() {
        if index % POLL_STATES == POLL_STATES - 1 {
            clock.check()?;
        }
        let merged = algebra.finish(value, state).and_then(|value| match &mut sum {
            Some(sum) => algebra.merge(sum, value),
            None => {
                sum = Some(value);
                Ok(())
            }
        });
        merged.map_err(|_| Stop::CountOverflow)?;
    }
    Ok(sum)
}

/// Sweeps from `cell` to the end, with two layers in memory. After an error `layer` is the last
/// complete one; the cell before which it stands comes with the reason.
pub(crate) fn sweep<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    stats: &mut SweepStats<'_>,
    layer: &mut Shards<P::State, A::Value>,
    cell: usize,
    saver: &mut impl LayerSaver<P::State, A::Value>,
) -> Result<(), (usize, Stop)> {
    let mut next: Shards<P::State, A::Value> = layer.iter().map(|_| Layer::new()).collect();
    // The heap of values is not yet counted in the first layer and in one that was read or widened.
    layer.iter_mut().for_each(|part| part.recount_heap(|value| task.algebra.heap_bytes(value)));
    for cell in cell..task.problem.cells() {
        if let Err(stop) = advance(task, stats, cell, layer, &mut next) {
            saver.save(stats, layer, Some(stop));
            return Err((cell, stop));
        }
        std::mem::swap(layer, &mut next);
        let stop = (cell + 1 == task.problem.cells()).then_some(Stop::Exhausted);
        saver.save(stats, layer, stop);
    }
    Ok(())
}
