//! Frontiers that are left by runs, merged, and passed through a file.

use std::fmt::Debug;

use secateurs::checkpoint::Fingerprint;
use secateurs::search::Frontier;
use secateurs::{Brancher, Hooks, Limits, Objective, Problem, Search};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Returns the frontier that a count leaves after so many nodes.
pub fn begun<P, B, H>(search: Search<'_, P, B, H>, nodes: u64) -> Frontier<P::Choice>
where
    P: Problem<Choice: Clone>,
    B: Brancher<P>,
    H: Hooks<P>,
{
    let mut frontier = Frontier::new();
    let _ = search.limits(Limits::new().nodes(nodes)).frontier(&mut frontier).count();
    frontier
}

/// Returns the frontier that a search for the best solution leaves after so many nodes.
pub fn begun_best<P, B, H, V, F>(
    search: Search<'_, P, B, H>,
    nodes: u64,
    objective: &Objective<P, V, F>,
) -> Frontier<P::Choice>
where
    P: Problem<Choice: Clone>,
    B: Brancher<P>,
    H: Hooks<P>,
    V: Ord + Clone + Debug,
    F: Fn(&P, &P::State) -> V,
{
    let mut frontier = Frontier::new();
    let _ = search.limits(Limits::new().nodes(nodes)).frontier(&mut frontier).best(objective);
    frontier
}

/// Runs a search again and again, so many nodes at a time, until nothing is left of its frontier.
pub fn in_instalments<C, T>(
    nodes: u64,
    mut run: impl FnMut(&mut Frontier<C>, Limits) -> T,
) -> Frontier<C> {
    let mut frontier = Frontier::new();
    while !frontier.is_exhausted() {
        let _ = run(&mut frontier, Limits::new().nodes(nodes));
    }
    frontier
}

/// Merges all parts of a frontier, in order.
pub fn merged<C>(parts: impl IntoIterator<Item = Frontier<C>>) -> Frontier<C> {
    let mut parts = parts.into_iter();
    let mut whole = parts.next().expect("one part at least");
    parts.for_each(|part| whole.merge(part));
    whole
}

/// Searches the parts of a frontier one after another, and merges them.
pub fn in_parts<C, T>(
    mut parts: Vec<Frontier<C>>,
    run: impl FnMut(&mut Frontier<C>) -> T,
) -> Frontier<C> {
    let _: Vec<T> = parts.iter_mut().map(run).collect();
    merged(parts)
}

/// Writes a frontier and reads it back, as another process would.
pub fn written_and_read<C: Serialize + DeserializeOwned>(frontier: &Frontier<C>) -> Frontier<C> {
    let print = Fingerprint::new("a tree", &());
    let mut bytes = Vec::new();
    frontier.write(&mut bytes, &print).expect("written to memory");
    Frontier::read(&*bytes, &print).expect("just written")
}
