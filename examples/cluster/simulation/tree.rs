//! The trees that are searched: real ones, by the library's engine, so that they divide as they do.

use secateurs::problems::clique::{Candidate, Cliques, ColouringBound, Size};
use secateurs::problems::queens::BitQueens;
use secateurs::search::Frontier;
use secateurs::{Limits, Search};

/// What a worker's slice came to.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// Nodes visited.
    pub nodes: u64,
    /// A value that is better than all that this worker knew.
    pub improvement: Option<usize>,
}

/// A tree, and what each worker knows of it.
pub trait Tree {
    /// A step down.
    type Choice: Clone;

    /// Lets a worker search what is left in a frontier, for so many nodes at most.
    fn slice(&mut self, worker: usize, frontier: &mut Frontier<Self::Choice>, nodes: u64) -> Slice;

    /// Tells a worker of a solution of this value.
    fn learn_value(&mut self, worker: usize, value: usize);
}

/// All placements of queens that do not attack each other, row by row: enumeration.
#[derive(Clone, Debug)]
pub struct QueensTree(pub BitQueens);

/// How many nodes have been visited on the way to what is left.
fn visited<C>(frontier: &Frontier<C>) -> u64 {
    frontier.report().map_or(0, secateurs::Report::nodes)
}

impl Tree for QueensTree {
    type Choice = u64;

    fn slice(&mut self, _: usize, frontier: &mut Frontier<u64>, nodes: u64) -> Slice {
        let before = visited(frontier);
        let _ = Search::new(&self.0).limits(Limits::new().nodes(nodes)).frontier(frontier).count();
        Slice { nodes: visited(frontier) - before, improvement: None }
    }

    fn learn_value(&mut self, _: usize, _: usize) {}
}

/// A largest clique, by branch and bound: each worker has a bound of its own, which others' incumbents
/// improve.
#[derive(Debug)]
pub struct CliqueTree {
    cliques: Cliques,
    /// What each worker knows.
    pub sizes: Vec<Size>,
}

impl CliqueTree {
    /// So many workers look for a largest clique.
    pub fn new(cliques: &Cliques, workers: usize) -> Self {
        CliqueTree {
            cliques: cliques.clone(),
            sizes: (0..workers).map(|_| Cliques::size()).collect(),
        }
    }
}

impl Tree for CliqueTree {
    type Choice = Candidate;

    fn slice(&mut self, worker: usize, frontier: &mut Frontier<Candidate>, nodes: u64) -> Slice {
        let size = &self.sizes[worker];
        let (before, known) = (visited(frontier), size.incumbent().get());
        let bound = ColouringBound::new(size.incumbent());
        let search = Search::new(&self.cliques).hooks((bound,)).limits(Limits::new().nodes(nodes));
        let _ = search.frontier(frontier).best(size);
        let improvement = size.incumbent().get().filter(|&value| known != Some(value));
        Slice { nodes: visited(frontier) - before, improvement }
    }

    fn learn_value(&mut self, worker: usize, value: usize) {
        let _ = self.sizes[worker].incumbent().offer(value);
    }
}
