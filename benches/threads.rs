//! What several threads gain, and what dividing the tree costs one: `cargo bench --bench threads`, on a machine that does
//! nothing else.
//!
//! Ratios are to one thread on the plain engine, by time on the wall.

#[path = "support/mod.rs"]
mod support;

use std::fmt::Debug;

use secateurs::plug::graph::Graph;
use secateurs::problems::clique::{Cliques, ColouringBound};
use secateurs::problems::queens::Queens;
use secateurs::problems::semigroups::Semigroups;
use secateurs::problems::uts::Tree;
use secateurs::{Problem, Search};
use support::{Clock, Contender};

const ROUNDS: usize = 7;

/// All solutions counted; `gain` is what two threads are to gain.
fn count<P>(title: &str, gain: f64, problem: &P)
where
    P: Problem<Choice: Clone + Send + Debug> + Sync,
{
    let search = || Search::new(problem);
    let expected = search().count().exact();
    let counts = [
        Contender::new("the plain engine", 1.0, || search().count().exact()),
        Contender::new("one thread", 1.03, || search().threads(1).count().exact()),
        Contender::new("two threads", 1.0 / gain, || search().threads(2).count().exact()),
    ];
    support::ratios(title, Clock::Wall, ROUNDS, &expected, &counts);
}

/// A graph in which each pair of vertices is an edge with a probability of so many per cent.
fn random(vertices: usize, per_cent: u64) -> Graph {
    let mut random = fastrand::Rng::with_seed(1);
    let pairs = (1..vertices).flat_map(|one| (0..one).map(move |other| (one, other)));
    let edges: Vec<_> = pairs.filter(|_| random.u64(..100) < per_cent).collect();
    Graph::from_edges(vertices, edges).expect("a small graph")
}

fn main() {
    count("15-queens", 1.9, &Queens::new(15).expect("a size").bits());
    count("unbalanced tree, binomial", 1.8, &Tree::binomial(2000, 8, 0.124_95, 1).expect("a tree"));
    count("numerical semigroups of genus 31", 1.8, &Semigroups::of_genus(31).expect("a genus"));

    let cliques = Cliques::new(&random(500, 50)).expect("a graph");
    let best = |threads: Option<usize>| {
        let size = Cliques::size();
        let search = Search::new(&cliques).hooks((ColouringBound::new(size.incumbent()),));
        match threads {
            None => search.best(&size).proven().copied(),
            Some(threads) => search.threads(threads).best(&size).proven().copied(),
        }
    };
    let expected = best(None);
    let cliques = [
        Contender::new("the plain engine", 1.0, || best(None)),
        Contender::new("one thread", 1.03, || best(Some(1))),
        Contender::new("two threads", 1.0 / 1.7, || best(Some(2))),
    ];
    support::ratios("maximum clique", Clock::Wall, ROUNDS, &expected, &cliques);
}
