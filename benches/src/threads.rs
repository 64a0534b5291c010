//! Threads: the speed-up of two, and the overhead of one thread over the plain engine.

use std::fmt::Debug;

use secateurs::{Problem, Search};
use secateurs_problems::clique::{Cliques, ColouringBound};
use secateurs_problems::graph::Graph;
use secateurs_problems::queens::BitQueens;

use crate::group::{Group, RunResult};
use crate::queens::{Size, queens};
use crate::uts::UnbalancedTree;

/// Returns the group of counts by the plain engine and by one and two threads. The promised
/// speed-up of two threads is `gain`.
fn counts<P>(name: String, problem: P, solutions: u128, nodes: u64, gain: f64) -> Group<P>
where
    P: Problem<Choice: Clone + Send + Debug> + Sync,
{
    Group::new(format!("threads/{name}"), problem, solutions, nodes)
        .contender("plain engine", |problem| Search::new(problem).count())
        .contender("1 thread", |problem| Search::new(problem).threads(1).count())
        .limit(1.03)
        .contender("2 threads", |problem| Search::new(problem).threads(2).count())
        .limit(1.0 / gain)
}

/// Returns the group of n-queens.
pub fn n_queens(size: Size) -> Group<BitQueens> {
    let Size { n, solutions, nodes, .. } = size;
    counts(format!("{n}-queens"), queens(n).bits(), solutions, nodes, 1.9)
}

/// Returns the group of a small unbalanced tree.
pub fn small_tree() -> Group<UnbalancedTree> {
    let tree = UnbalancedTree::binomial(2000, 2, 0.49, 1);
    counts("small unbalanced tree".to_owned(), tree, 93_597, 93_597, 1.8)
}

/// Returns the group of a large unbalanced tree.
pub fn large_tree() -> Group<UnbalancedTree> {
    let tree = UnbalancedTree::binomial(2000, 8, 0.124_95, 1);
    counts("large unbalanced tree".to_owned(), tree, 25_765_665, 25_765_665, 1.8)
}

/// Returns the group of the largest clique of a random graph of 200 vertices.
pub fn clique_200() -> Group<Cliques> {
    clique(200, 11, 8276)
}

/// Returns the group of the largest clique of a random graph of 500 vertices.
pub fn clique_500() -> Group<Cliques> {
    clique(500, 13, 873_476)
}

/// Returns the group of the largest clique of a random graph. With threads, the number of nodes
/// varies from run to run, because they share an incumbent. Therefore only the nodes of the plain
/// engine are checked.
fn clique(vertices: usize, size: u128, nodes: u64) -> Group<Cliques> {
    fn largest(cliques: &Cliques, threads: usize) -> RunResult {
        let size = Cliques::size();
        let hooks = (ColouringBound::new(size.incumbent()),);
        let found = Search::new(cliques).hooks(hooks).threads(threads).best(&size).into();
        RunResult { nodes: None, ..found }
    }
    let cliques = Cliques::new(&random(vertices, 50, 1)).expect("a small graph");
    Group::new(format!("threads/clique of {vertices} vertices"), cliques, size, nodes)
        .contender("plain engine", |cliques| {
            let size = Cliques::size();
            let hooks = (ColouringBound::new(size.incumbent()),);
            Search::new(cliques).hooks(hooks).best(&size)
        })
        .contender("1 thread", |cliques| largest(cliques, 1))
        .limit(1.03)
        .contender("2 threads", |cliques| largest(cliques, 2))
        .limit(1.0 / 1.7)
}

/// Returns a graph in which each pair of vertices is an edge with a probability of `percent` / 100.
fn random(vertices: usize, percent: u32, seed: u64) -> Graph {
    let mut random = fastrand::Rng::with_seed(seed);
    let pairs = (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to)));
    let edges: Vec<(usize, usize)> = pairs.filter(|_| random.u32(..100) < percent).collect();
    Graph::from_edges(vertices, edges).expect("a small graph")
}
