//! The trees that are searched. The library's engine searches real ones, so that they divide
//! realistically.

use secateurs::search::Frontier;
use secateurs::{Limits, Search};
use secateurs_problems::clique::{Candidate, Cliques, ColouringBound, Size};
use secateurs_problems::queens::BitQueens;

/// The result of a worker's slice.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// The number of nodes visited.
    pub nodes: u64,
    /// A value that is better than all that this worker knew.
    pub improvement: Option<usize>,
}

/// A tree, and what each worker knows of it.
pub trait Tree {
    /// A choice of the problem.
    type Choice: Clone;

    /// Searches a frontier as a worker, for `nodes` nodes at most.
    fn slice(&mut self, worker: usize, frontier: &mut Frontier<Self::Choice>, nodes: u64) -> Slice;

    /// Informs a worker of a solution with this value.
    fn learn_value(&mut self, worker: usize, value: usize);
}

/// All placements of queens that do not attack each other, row by row: an enumeration.
#[derive(Clone, Debug)]
pub struct QueensTree(pub BitQueens);

/// Returns the number of nodes that have been visited so far.
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

/// The search for a largest clique, by branch and bound. Each worker has an incumbent of its own,
/// which the incumbents of others improve.
#[derive(Debug)]
pub struct CliqueTree {
    cliques: Cliques,
    /// The objective of each worker, with its incumbent.
    pub sizes: Vec<Size>,
}

impl CliqueTree {
    /// Creates the tree for `workers` workers.
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
