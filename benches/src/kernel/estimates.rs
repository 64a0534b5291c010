//! The cost of an estimate, compared with the count of n-queens that it replaces.

use secateurs::Search;
use secateurs::search::estimate::Estimate;
use secateurs_problems::queens::BitQueens;

use crate::group::{Group, RunResult};
use crate::queens::{Size, queens};

/// The number of estimates in a run, each with its own seed. A single one would end before the
/// processor clock advances.
const ESTIMATES: u64 = 20;

/// The promised upper limit of the time of an estimate, as a share of the time of the search.
const MAX_SHARE: f64 = 0.01;

/// Makes the estimates of a run. The answer is the actual number of nodes, if each estimate lies
/// within six standard errors of it.
fn estimates(bits: &BitQueens, nodes: u64, estimate: fn(&BitQueens, u64) -> Estimate) -> RunResult {
    let are_close = (0..ESTIMATES).all(|seed| {
        estimate(bits, seed).nodes().is_some_and(|estimated| {
            let error = estimated.standard_error.unwrap_or(0.0);
            (estimated.mean - nodes as f64).abs() <= 6.0 * error
        })
    });
    RunResult { answer: are_close.then_some(nodes.into()), nodes: None }
}

/// Returns the group of ways to find the size of the tree of n-queens. The throughput of estimates
/// is in probes per second.
pub fn group(size: Size) -> Group<BitQueens> {
    let Size { n, nodes, .. } = size;
    let name = format!("kernel/estimates of {n}-queens");
    Group::new(name, queens(n).bits(), nodes.into(), nodes)
        .contender("count", |bits| {
            let nodes = Search::new(bits).count().report().nodes();
            RunResult { answer: Some(nodes.into()), nodes: Some(nodes) }
        })
        .contender("20 × 10 000 random probes", move |bits| {
            estimates(bits, nodes, |bits, seed| Search::new(bits).estimate(10_000, seed))
        })
        .nodes(10_000 * ESTIMATES)
        .limit(MAX_SHARE * ESTIMATES as f64)
        .contender("20 × 100 stratified probes", move |bits| {
            estimates(bits, nodes, |bits, seed| Search::new(bits).estimate_stratified(100, seed))
        })
        .nodes(100 * ESTIMATES)
        .limit(MAX_SHARE * ESTIMATES as f64)
}
