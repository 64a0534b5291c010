//! Workloads with deterministic costs.

use secateurs::plug::Sweep;
use secateurs::{Brancher, Hooks, Limits, Problem, Report, Search};
use secateurs_csp::{
    Ascending, Branching, Halves, InputOrder, Propagate, SmallestDomain, minimise,
};
use secateurs_problems::catalogue::{Grid, hamiltonian_cycles, simple_paths, spanning_trees};
use secateurs_problems::clique::Cliques;
use secateurs_problems::fire_net::{
    FireNetBoard, FireNetBranching, FireNetPrunings, FireNetSettings,
};
use secateurs_problems::graph::Graph;
use secateurs_problems::independent_set::IndependentSets;
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::knights_tour::{DeadEnds, KnightsTour, OneExit, Parity, Rule, TourBoard};
use secateurs_problems::langford::Langford;
use secateurs_problems::magic_square::MagicSquares;
use secateurs_problems::packing::{Packing, PackingBoard};
use secateurs_problems::queens::{Effort, Queens};
use secateurs_problems::rocket_mania::{Block, Case, Matches, RocketBoard, RocketSettings};

use crate::benchmarks::uts::UnbalancedTree;
use crate::golomb::golomb_ruler;

/// The name of a workload, and the function that runs it and returns its report.
pub type Workload = (&'static str, fn() -> Report);

fn queens(n: usize) -> Queens {
    Queens::new(n).expect("a size")
}

fn grid(side: usize) -> Grid {
    Grid::new(side, side).expect("a board")
}

/// Runs fire-net on a board of 10×10 with few walls.
fn fire_net(settings: &FireNetSettings) -> Report {
    let board = FireNetBoard::random(10, 10, 0.9, 1).expect("a board");
    settings.solve(&board).report().clone()
}

/// Returns the default settings, but with cells in the order of their numbers of candidates.
fn on_segments() -> FireNetSettings {
    FireNetSettings::default().branching(FireNetBranching::Segments)
}

fn rocket_case() -> Case {
    let block = |place: usize| if place.is_multiple_of(2) { Block::Tee } else { Block::Corner };
    let rows: Vec<Vec<Block>> =
        (0..6).map(|row| (0..6).map(|column| block(row + column)).collect()).collect();
    Case::new(RocketBoard::new(&rows).expect("a board"), Matches::One(0)).expect("the row is there")
}

/// Creates a random graph with edge probability one half. The generator is fixed, because the costs
/// depend on it.
fn graph(vertices: usize) -> Graph {
    let mut state = 1_u64;
    let mut coin = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 63 == 1
    };
    let pairs = (1..vertices).flat_map(|one| (0..one).map(move |other| (one, other)));
    let edges: Vec<_> = pairs.filter(|_| coin()).collect();
    Graph::from_edges(vertices, edges).expect("a small graph")
}

/// Counts the solutions of a search, and returns the report.
fn count<P: Problem, B: Brancher<P>, H: Hooks<P>>(search: Search<'_, P, B, H>) -> Report {
    search.count().into_parts().1
}

pub const WORKLOADS: &[Workload] = &[
    ("9-queens, bits", || count(Search::new(&queens(9).bits()))),
    ("9-queens, bits, mirror", || count(Search::new(&queens(9).bits()).hooks((Queens::mirror(),)))),
    ("9-queens, bits, lex leader", || {
        let bits = queens(9).bits();
        let leader = Queens::lex_leader(&bits).expect("a small board");
        count(Search::new(&bits).hooks((leader,)))
    }),
    ("9-queens, marks", || count(Search::new(&queens(9).marks()))),
    ("9-queens, looking back", || {
        count(Search::new(&queens(9).lookback().counting(&Effort::new())))
    }),
    ("9-queens, network, forward checking", || {
        let order = Branching::new(SmallestDomain::first_tie(), Ascending);
        let network = queens(9).board().network();
        count(Search::new(&network).hooks((Propagate::forward(),)).brancher(order))
    }),
    ("9-queens, network, full propagation", || {
        count(Search::new(&queens(9).board().network()).hooks((Propagate::full(),)))
    }),
    ("magic squares of order 4 up to symmetry, halves", || {
        let network = MagicSquares::new(4).expect("an order").up_to_symmetry().network();
        let order = Halves::new(SmallestDomain::first_tie());
        count(Search::new(&network).hooks((Propagate::full(),)).brancher(order))
    }),
    ("a Golomb ruler of 8 marks, halves", || {
        let (network, length) = golomb_ruler(8);
        let (shortest, shorter) = minimise(length);
        let search = Search::new(&network).hooks((shorter, Propagate::full()));
        search.brancher(Halves::new(InputOrder)).best(&shortest).report().clone()
    }),
    ("9-queens, cover", || count(Search::new(queens(9).cover().cover()))),
    ("Langford pairs of 8, cover", || {
        let langford = Langford::new(8).expect("a number").cover();
        count(Search::new(langford.cover()))
    }),
    ("pentominoes in 3 × 20, up to symmetry", || {
        let packing =
            Packing::pentominoes(PackingBoard::rectangle(3, 20).expect("a box")).expect("it fits");
        count(Search::new(packing.cover()).hooks((packing.symmetry(),)))
    }),
    ("a knapsack of 100 items, diagrams", || {
        let knapsack = Knapsack::strongly_correlated(100, 1_000, 3).expect("small numbers");
        let value = Knapsack::objective();
        let search = Search::new(&knapsack).diagrams(&value, 100).rough(Knapsack::relaxation);
        search.best(&value).report().clone()
    }),
    ("an independent set of 60 vertices, diagrams", || {
        let sets = IndependentSets::new(&graph(60)).expect("few vertices");
        let size = IndependentSets::size();
        let search = Search::new(&sets).diagrams(&size, 20).rough(IndependentSets::bound);
        search.best(&size).report().clone()
    }),
    ("fire-net 10×10, the article's", || {
        fire_net(
            &FireNetSettings::article(FireNetPrunings::of(1..=5))
                .limits(Limits::new().nodes(100_000)),
        )
    }),
    ("fire-net 10×10, segments", || fire_net(&on_segments().bound(None))),
    ("fire-net 10×10, segments, matching", || {
        fire_net(&on_segments().prunings(FireNetPrunings::ALL))
    }),
    ("fire-net 10×10, matching first", || fire_net(&FireNetSettings::default())),
    ("closed tours of 5×6", || {
        let tour = KnightsTour::closed(TourBoard::new(5, 6).expect("a board"));
        count(Search::new(&tour).hooks((Parity, DeadEnds, OneExit)))
    }),
    ("a tour of 30×30 by Warnsdorff", || {
        let tour = KnightsTour::open(TourBoard::new(30, 30).expect("a board"));
        let tour = tour.starting_at(0, 0).expect("on the board");
        Search::new(&tour).brancher(Rule::ALL[1].brancher()).exists().report().clone()
    }),
    ("an unbalanced tree", || count(Search::new(&UnbalancedTree::binomial(2000, 2, 0.49, 1)))),
    ("a largest clique of 100 vertices", || {
        Cliques::new(&graph(100)).expect("a graph").maximum(Limits::new()).report().clone()
    }),
    ("Hamiltonian cycles 8×8, hashing", || {
        Sweep::new(&hamiltonian_cycles(&grid(8))).count().report().clone()
    }),
    ("Hamiltonian cycles 8×8, dense", || {
        Sweep::new(&hamiltonian_cycles(&grid(8))).dense().count().report().clone()
    }),
    ("simple paths 7×7, hashing", || Sweep::new(&simple_paths(&grid(7))).count().report().clone()),
    ("spanning trees 6×6, hashing", || {
        Sweep::new(&spanning_trees(&grid(6))).count().report().clone()
    }),
    ("Rocket Mania 6×6", || RocketSettings::default().rockets(&rocket_case()).report().clone()),
];
