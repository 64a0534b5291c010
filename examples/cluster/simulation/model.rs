//! The closed forms of `docs/cluster-planning.md`, for comparison with the simulations.

use crate::costs::Costs;
use crate::search::Policy;
use crate::sweep::{self, Layer, TransitionCosts};

/// The factor by which tasks multiply per slice while there are too few.
const TASK_GROWTH: f64 = 8.0;

/// The number of tasks that a worker with enough of them sends to random workers, itself included,
/// after a slice.
const MESSAGES_PER_SLICE: f64 = 2.0;

/// The number of slices that a generation of tasks takes at the end, fitted to simulations.
const SLICES_PER_LAST_GENERATION: f64 = 2.0;

/// Returns the duration of a search of `nodes` nodes: the work, the start, and the end.
pub fn search(nodes: u64, workers: usize, policy: Policy, costs: Costs) -> f64 {
    let node = policy.slice / policy.nodes as f64;
    let slices = nodes as f64 / policy.nodes as f64;
    let share_of_others = 1.0 - 1.0 / workers as f64;
    let handling = policy.task + MESSAGES_PER_SLICE * share_of_others * policy.message;
    let work = nodes as f64 * node + slices * handling;
    if workers == 1 {
        return work;
    }
    let generations = (workers as f64).ln() / TASK_GROWTH.ln();
    let hop = costs.latency() + handling;
    let start = generations * (hop + (policy.slice * policy.first).max(node));
    let end = (1.0 + generations) * (SLICES_PER_LAST_GENERATION * policy.slice + hop);
    work / workers as f64 + start + end
}

/// Returns the duration of a sweep through layers.
pub fn sweep(layers: &[Layer], workers: usize, transition: TransitionCosts, costs: Costs) -> f64 {
    let worker_count = workers as f64;
    let round = |layer: &Layer| {
        let part = layer.states / worker_count;
        // The largest part relative to the mean: 1, plus the deviation that a normal variable
        // exceeds once in as many draws as there are workers.
        let largest = if workers == 1 {
            1.0
        } else {
            1.0 + (2.0 * worker_count.ln() / part.max(1e-9)).sqrt()
        };
        let largest = largest.min(worker_count);
        let per_transition =
            transition.step + transition.sent * transition.send * (1.0 - 1.0 / worker_count);
        let work = layer.transitions / worker_count * per_transition * largest;
        if workers == 1 {
            return work;
        }
        let bytes = sweep::sent_by_a_process(layer, workers, transition, costs) * costs.byte();
        let messages = sweep::messages_of_a_worker(layer, workers, transition) * transition.message;
        let progress = sweep::BROADCASTS * (worker_count - 1.0) * costs.progress(workers);
        work + bytes + messages + progress + sweep::HOPS * costs.latency()
    };
    layers.iter().map(round).sum()
}
