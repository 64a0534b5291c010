//! The closed forms of `docs/cluster-planning.md`, for comparison with the simulations.

use crate::costs::Costs;
use crate::search::Policy;
use crate::sweep::{self, Layer, TransitionCosts};

/// The factor by which tasks multiply per slice while there are too few.
const GROWTH: f64 = 8.0;

/// The number of tasks that a worker with enough of them sends to random workers, itself included,
/// after a slice.
const MESSAGES: f64 = 2.0;

/// The number of slices that each generation of the last tasks takes, fitted to simulations.
const LAST: f64 = 2.0;

/// Returns the duration of a search of so many nodes: the work, the start, and the end.
pub fn search(nodes: u64, workers: usize, policy: Policy, costs: Costs) -> f64 {
    let node = policy.slice / policy.nodes as f64;
    let slices = nodes as f64 / policy.nodes as f64;
    let remote_share = 1.0 - 1.0 / workers as f64;
    let handling = policy.task + MESSAGES * remote_share * policy.message;
    let work = nodes as f64 * node + slices * handling;
    if workers == 1 {
        return work;
    }
    let generations = (workers as f64).ln() / GROWTH.ln();
    let hop = costs.latency() + handling;
    let start = generations * (hop + (policy.slice * policy.first).max(node));
    let end = (1.0 + generations) * (LAST * policy.slice + hop);
    work / workers as f64 + start + end
}

/// Returns the duration of a sweep through layers.
pub fn sweep(layers: &[Layer], workers: usize, transition: TransitionCosts, costs: Costs) -> f64 {
    let many = workers as f64;
    let round = |layer: &Layer| {
        let part = layer.states / many;
        // The largest part: the mean, plus the deviation that a normal variable exceeds once in
        // `many` draws.
        let most = if workers == 1 { 1.0 } else { 1.0 + (2.0 * many.ln() / part.max(1e-9)).sqrt() };
        let most = most.min(many);
        let per_transition =
            transition.step + transition.sent * transition.send * (1.0 - 1.0 / many);
        let work = layer.transitions / many * per_transition * most;
        if workers == 1 {
            return work;
        }
        let bytes = sweep::sent_by_a_process(layer, workers, transition, costs) * costs.byte();
        let messages = sweep::messages_of_a_worker(layer, workers, transition) * transition.message;
        let progress = sweep::BROADCASTS * (many - 1.0) * costs.progress(workers);
        work + bytes + messages + progress + sweep::HOPS * costs.latency()
    };
    layers.iter().map(round).sum()
}
