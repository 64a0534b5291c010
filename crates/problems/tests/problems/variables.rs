//! Problems whose states decide variables: queens, Sudoku and colourings in a few lines, with trees
//! of the same sizes as those of their networks.

use proptest::prelude::*;
use secateurs::brancher::{
    Branching, DomainOverDegree, ForcedFirst, InputOrder, MiddleOut, MostConstrained,
    SmallestDomain, SmallestKey, VariableOrder, least_constraining,
};
use secateurs::hook::ForwardChecking;
use secateurs::{Branch, Brancher, Limits, Node, Problem, Search, Variables};
use secateurs_csp::{Ascending, Model, Network, Propagate};
use secateurs_problems::graph::Graph;
use secateurs_problems::knights_tour::{KnightsTour, Rule, Square, TourBoard};
use secateurs_problems::sudoku::{Family, Sudoku};

use crate::support::sizes::sized;

/// A problem that keeps the values that are left of each variable, as bits.
struct Masks {
    domains: Vec<u32>,
    excluded: Box<Excluded>,
}

/// Returns the values of another variable, the last argument, that a value of a variable excludes.
type Excluded = dyn Fn(usize, u32, usize) -> u32;

/// The values left, and the variables that are decided.
#[derive(Clone)]
struct Left {
    domains: Vec<u32>,
    is_decided: Vec<bool>,
}

impl Problem for Masks {
    type State = Left;
    type Cursor = (usize, u32);
    type Choice = (usize, u32);
    type Undo = Vec<u32>;

    fn root(&self) -> Left {
        Left { domains: self.domains.clone(), is_decided: vec![false; self.domains.len()] }
    }
    fn branch(&self, left: &Left) -> Branch<(usize, u32)> {
        match self.undecided(left).next() {
            Some(variable) => Branch::Inner(self.values(left, variable)),
            None => Branch::Solution,
        }
    }
    fn next(&self, _: &Left, (variable, rest): &mut (usize, u32)) -> Option<(usize, u32)> {
        let value = rest.trailing_zeros();
        *rest &= rest.checked_sub(1)?;
        Some((*variable, value))
    }
    fn apply(&self, left: &mut Left, &(variable, value): &(usize, u32)) -> Vec<u32> {
        let before = left.domains.clone();
        left.is_decided[variable] = true;
        for other in (0..before.len()).filter(|&other| !left.is_decided[other]) {
            left.domains[other] &= !(self.excluded)(variable, value, other);
        }
        left.domains[variable] = 1 << value;
        before
    }
    fn undo(&self, left: &mut Left, &(variable, _): &(usize, u32), before: Vec<u32>) {
        left.domains = before;
        left.is_decided[variable] = false;
    }
}

impl Variables for Masks {
    type Variable = usize;

    fn undecided(&self, left: &Left) -> impl Iterator<Item = usize> {
        (0..left.domains.len()).filter(|&variable| !left.is_decided[variable])
    }
    fn values_left(&self, left: &Left, variable: usize) -> usize {
        left.domains[variable].count_ones() as usize
    }
    fn values(&self, left: &Left, variable: usize) -> (usize, u32) {
        (variable, left.domains[variable])
    }
    fn dynamic_degree(&self, left: &Left, variable: usize) -> u64 {
        let others = self.undecided(left).filter(|&other| other != variable);
        let excludes = |&other: &usize| {
            let values = self.domains[variable];
            (0..32)
                .filter(|value| values >> value & 1 == 1)
                .any(|value| (self.excluded)(variable, value, other) != 0)
        };
        others.filter(excludes).count() as u64
    }
}

/// One queen per row, in any order of rows.
fn queens(size: usize) -> Masks {
    let excluded = |row: usize, column, other| {
        let (distance, queen) = (row.abs_diff(other), 1_u64 << column);
        (queen | queen << distance | queen >> distance) as u32
    };
    Masks { domains: vec![(1 << size) - 1; size], excluded: Box::new(excluded) }
}

/// The colours of vertices, some of which are allowed.
fn colours(graph: Graph, allowed: Vec<u32>) -> Masks {
    let is_joined = move |one, other| graph.neighbours(one).any(|neighbour| neighbour == other);
    let excluded = move |one, colour, other| u32::from(is_joined(one, other)) << colour;
    Masks { domains: allowed, excluded: Box::new(excluded) }
}

/// Returns the network with the same variables, values and exclusions.
fn network_of(Masks { domains, excluded }: &Masks) -> Network {
    let mut model = Model::new();
    let values = |domain: u32| (0..32).filter(move |value| domain >> value & 1 == 1);
    let variables: Vec<_> = domains
        .iter()
        .map(|&domain| {
            let values: Vec<i32> = values(domain).collect();
            model.variable(&values[..]).expect("a small domain")
        })
        .collect();
    for other in 0..domains.len() {
        for one in 0..other {
            let excluded: Vec<u32> = (0..32).map(|value| excluded(one, value, other)).collect();
            if excluded.iter().any(|&values| values != 0) {
                let allows = move |a: i32, b: i32| excluded[a as usize] >> b & 1 == 0;
                model.binary(variables[one], variables[other], allows).expect("known variables");
            }
        }
    }
    model.build()
}

/// Returns the count and the number of nodes.
fn counted<P: Variables>(
    problem: &P,
    hooks: impl secateurs::Hooks<P>,
    order: impl Brancher<P>,
) -> (u128, u64) {
    let outcome = Search::new(problem).hooks(hooks).brancher(order).count();
    (outcome.exact().expect("no limit"), outcome.report().nodes())
}

/// Checks that the trees of a problem and of its network have the same sizes, with and without
/// forward checking, in each order of variables. Returns the count, and the numbers of nodes in the
/// order of the problem without and with the hook.
fn check_against_the_network(problem: Masks) -> (u128, [u64; 2]) {
    let network = network_of(&problem);
    let plain = || Propagate::forward().without_wipe_out_test();
    let expected = counted(&network, (plain(),), Branching::new(InputOrder, Ascending));
    let mut nodes = [expected.1, 0];
    macro_rules! check {
        ($($order:expr),*) => {$(
            for is_checked in [false, true] {
                let propagate = if is_checked { Propagate::forward() } else { plain() };
                let of_network = counted(&network, (propagate,), Branching::new($order, Ascending));
                let hook = is_checked.then_some(ForwardChecking);
                let of_problem = counted(&problem, (hook,), Branching::by($order));
                assert_eq!(of_problem, of_network, "{}, {is_checked}", stringify!($order));
                assert_eq!(of_problem.0, expected.0);
                if stringify!($order) == "InputOrder" && is_checked {
                    nodes[1] = of_problem.1;
                }
            }
        )*};
    }
    check!(
        InputOrder,
        SmallestDomain::first_tie(),
        SmallestDomain::last_tie(),
        DomainOverDegree::first_tie(),
        ForcedFirst::over(InputOrder)
    );
    if problem.domains.len() < 20 {
        check!(MostConstrained::last_tie());
    }
    // Hooks on networks do without propagation of their own.
    let checked = counted(&network, (plain(), ForwardChecking), Branching::by(InputOrder));
    assert_eq!(checked, (expected.0, nodes[1]));
    // Only a first solution depends on the order of values.
    let first = |brancher| Search::new(&problem).hook(ForwardChecking).brancher(brancher).first();
    let least = first(least_constraining(SmallestDomain::first_tie()));
    let of_network = Search::new(&network)
        .hook(Propagate::forward())
        .brancher(least_constraining(SmallestDomain::first_tie()))
        .first();
    assert_eq!(least.report().nodes(), of_network.report().nodes());
    for seed in 0..2 {
        let order = Branching::by(SmallestDomain::random_ties(seed));
        let (count, _) = counted(&problem, (ForwardChecking,), MiddleOut::over(order));
        assert_eq!(count, expected.0);
    }
    (expected.0, nodes)
}

#[test]
fn queens_have_the_trees_of_their_network() {
    // The nodes without a hook are those of row-by-row backtracking, and the root.
    let known = [
        (6, 4, 153),
        (7, 40, 552),
        (8, 92, 2057),
        (9, 352, 8394),
        (10, 724, 35_539),
        (11, 2680, 166_926),
        (12, 14_200, 856_189),
    ];
    for (size, solutions, backtracking) in known.into_iter().take(sized(3, 7)) {
        let (count, [plain, checked]) = check_against_the_network(queens(size));
        assert_eq!((count, plain), (solutions, backtracking));
        assert!(checked < plain);
    }
}

/// The cells of a Sudoku are the vertices; the lines and boxes are cliques.
#[test]
fn boards_of_sudoku_have_the_trees_of_their_network() {
    for (text, rows, columns) in [
        ("1...\n..1.\n.4..\n...2\n", 2, 2),
        ("1...\n....\n....\n...2\n", 2, 2),
        ("1.3..6\n.5...2\n..5.4.\n.1..6.\n5...2.\n2..3.5\n", 2, 3),
    ] {
        let board = Sudoku::from_text(text, rows, columns).expect("a board");
        let expected = board.count(Family::Cover, &Limits::new()).exact().expect("no limit");
        let side = board.side();
        let place = |cell: usize| (cell / side, cell % side);
        let shares = |one: usize, other: usize| {
            let (one, other) = (place(one), place(other));
            let boxes = [one, other].map(|(row, column)| (row / rows, column / columns));
            one.0 == other.0 || one.1 == other.1 || boxes[0] == boxes[1]
        };
        let pairs = (0..side * side).flat_map(|other| (0..other).map(move |one| (one, other)));
        let edges = pairs.filter(|&(one, other)| shares(one, other));
        let graph = Graph::from_edges(side * side, edges).expect("a simple graph");
        let given = (0..side * side).map(|cell| board.number(place(cell).0, place(cell).1));
        let all = (1 << side) - 1;
        let allowed = given.map(|number| number.map_or(all, |number| 1 << (number - 1))).collect();
        assert_eq!(check_against_the_network(colours(graph, allowed)).0, expected, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn colourings_have_the_trees_of_their_network(
        vertices in 1_usize..7,
        edges in prop::collection::btree_set((0_usize..7, 0_usize..7), 0..14),
        allowed in prop::collection::vec(1_u32..8, 7),
    ) {
        let edges = edges.into_iter().filter(|&(one, other)| one < other && other < vertices);
        let edges: Vec<(usize, usize)> = edges.collect();
        let graph = Graph::from_edges(vertices, edges.iter().copied()).expect("a simple graph");
        let allowed = allowed[..vertices].to_vec();
        let proper = (0..3_u32.pow(vertices as u32)).filter(|code| {
            let colour = |vertex: usize| code / 3_u32.pow(vertex as u32) % 3;
            (0..vertices).all(|vertex| allowed[vertex] >> colour(vertex) & 1 == 1)
                && edges.iter().all(|&(one, other)| colour(one) != colour(other))
        });
        let expected = proper.count() as u128;
        prop_assert_eq!(check_against_the_network(colours(graph, allowed)).0, expected);
    }
}

#[test]
fn warnsdorff_is_the_smallest_domain_of_the_next_move() {
    for (rows, columns) in [(5, 5), (6, 7), (8, 8)] {
        let board = TourBoard::new(rows, columns).expect("a board");
        let tour = KnightsTour::open(board).starting_at(0, 0).expect("a square");
        let smallest =
            secateurs::brancher::Sorted::by(|node: &Node<'_, KnightsTour>, &square: &Square| {
                node.problem().values_left(node.state(), square)
            });
        let limits = || Limits::new().nodes(10_000);
        let smallest = Search::new(&tour).brancher(smallest).limits(limits()).first();
        let warnsdorff = Rule::Warnsdorff.brancher();
        let warnsdorff = Search::new(&tour).brancher(warnsdorff).limits(limits()).first();
        assert_eq!(smallest.solution(), warnsdorff.solution());
        assert_eq!(smallest.report().nodes(), warnsdorff.report().nodes());
    }
    // The moves are the only variables, so that their order does not matter.
    let board = TourBoard::new(3, 4).expect("a board");
    for tour in [KnightsTour::open(board), KnightsTour::closed(board)] {
        let plain = Search::new(&tour).count();
        let checked = counted(&tour, (ForwardChecking,), Branching::by(InputOrder));
        assert_eq!(plain.exact(), Some(checked.0));
        assert!(checked.1 <= plain.report().nodes());
    }
}

#[test]
fn an_order_by_a_key_decides_the_variable_with_the_smallest_key() {
    let problem = queens(6);
    let chosen = |order: &mut dyn VariableOrder<Masks>| {
        let mut rows = Vec::new();
        let order = |node: &Node<'_, _>| order.choose(node);
        let _ = Search::new(&problem).brancher(Branching::by(order)).for_each(|node| {
            rows = node.path().iter().map(|&(row, _)| row).collect();
            std::ops::ControlFlow::Break(())
        });
        rows
    };
    let parity = |_: &Node<'_, Masks>, row: usize| row % 2;
    assert_eq!(chosen(&mut SmallestKey::by(parity)), [0, 2, 4, 1, 3, 5]);
    assert_eq!(chosen(&mut SmallestKey::by(parity).with_last_tie()), [4, 2, 0, 5, 3, 1]);
    let random: Vec<_> =
        (0..9).map(|seed| chosen(&mut SmallestKey::by(parity).with_random_ties(seed))).collect();
    for rows in &random {
        assert!(rows[..3].iter().all(|row| row % 2 == 0), "{rows:?}");
    }
    assert!(random.iter().any(|rows| *rows != random[0]), "ties are broken at random");
    assert_eq!(random[0], chosen(&mut SmallestKey::by(parity).with_random_ties(0)));
}
