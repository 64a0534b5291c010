//! Numbers of spanning trees and domino tilings as determinants, against known values and sweeps.

use std::num::NonZero;
use std::time::Duration;

use fastrand::Rng;
use secateurs::plug::algebra::Natural;
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Cancel, Limits, Stop};
use secateurs_problems::catalogue::graphs::{Matchings, Spanning, SpanningSubgraphs};
use secateurs_problems::catalogue::{Determinant, Grid, domino_tilings, spanning_trees};
use secateurs_problems::graph::{Graph, Order};

use crate::grids::with_obstacles;
use crate::support::problems::grid;

fn value(determinant: &Determinant) -> Natural {
    determinant.count(&Limits::new()).expect("no limit")
}

fn swept(problem: &impl ContourProblem) -> Natural {
    let outcome = Sweep::new(problem).count_natural();
    assert_eq!(outcome.stop(), Stop::Exhausted);
    outcome.total().cloned().unwrap_or_default()
}

fn board(text: &str) -> Grid {
    text.parse().expect("a board")
}

/// Returns a random board with about this fraction of obstacles.
fn random_board(rng: &mut Rng, sides: usize, obstacles: f64) -> Grid {
    let (rows, columns) = (rng.usize(1..=sides), rng.usize(1..=sides));
    with_obstacles(rows, columns, |_| rng.f64() < obstacles)
}

/// Compares the numbers of a board with those of its sweeps, and returns whether there are several
/// trees and several tilings. Trees of wide boards are not swept.
fn check_sweeps(board: &Grid) -> [bool; 2] {
    let tilings = value(&Determinant::domino_tilings(board));
    assert_eq!(tilings, swept(&domino_tilings(board)), "\n{board}");
    let trees = value(&Determinant::spanning_trees(board));
    if board.width() < 6 {
        assert_eq!(trees, swept(&spanning_trees(board)), "\n{board}");
    }
    [trees, tilings].map(|number| number > Natural::from(1_u32))
}

#[test]
fn square_boards_have_known_numbers_of_trees() {
    // OEIS A007341.
    let known = ["1", "4", "192", "100352", "557568000", "32565539635200"];
    for (side, trees) in (1..).zip(known) {
        let determinant = Determinant::spanning_trees(&grid(side, side));
        assert_eq!(value(&determinant).to_string(), trees, "{side}");
    }
}

#[test]
fn square_boards_have_known_numbers_of_tilings() {
    // OEIS A004003.
    let known = [
        "2",
        "36",
        "6728",
        "12988816",
        "258584046368",
        "53060477521960000",
        "112202208776036178000000",
        "2444888770250892795802079170816",
    ];
    for (half, tilings) in (1..).zip(known) {
        let determinant = Determinant::domino_tilings(&grid(2 * half, 2 * half));
        assert_eq!(value(&determinant).to_string(), tilings, "{half}");
        let odd = Determinant::domino_tilings(&grid(2 * half - 1, 2 * half - 1));
        assert!(value(&odd).is_zero());
    }
}

#[test]
fn chosen_boards_have_the_numbers_of_their_sweeps() {
    for text in ["*", "**\n**", ".", "***\n*.*\n***", "..", ".*.", ".\n.", "..\n*.", ".*\n*."] {
        check_sweeps(&board(text));
    }
    // A hole of an odd number of cells changes the signs around it.
    for text in [
        ".....\n.....\n..*..\n.....\n.....\n....*",
        "......\n.*..*.\n......\n......\n.*..*.\n......",
        "......\n......\n..***.\n......\n..*...\n......",
        ".......\n.*****.\n.*...*.\n.*.*.*.\n.*...*.\n.*****.\n.......",
        ".......\n.**.**.\n.*...*.\n...*...\n.*...*.\n.**.**.\n.......",
    ] {
        check_sweeps(&board(text));
    }
    let long = grid(7, 30);
    assert_eq!(value(&Determinant::spanning_trees(&long)), swept(&spanning_trees(&long)));
    check_sweeps(&long);
    for new in [Determinant::spanning_trees, Determinant::domino_tilings] {
        assert_eq!(value(&new(&grid(16, 20))), value(&new(&grid(20, 16))), "in both directions");
    }
}

#[test]
fn determinants_agree_with_sweeps_of_random_boards() {
    let mut rng = Rng::with_seed(1847);
    let (mut connected, mut tiled) = (0, 0);
    for round in 0..3000 {
        let board = random_board(&mut rng, 8, [0.05, 0.15, 0.3, 0.5][round % 4]);
        let [has_trees, has_tilings] = check_sweeps(&board);
        connected += usize::from(has_trees);
        tiled += usize::from(has_tilings);
    }
    assert!(connected > 200 && tiled > 200, "{connected} connected, {tiled} tiled");
}

/// Random boards rarely have tilings: carve holes out of a tiling instead, domino by domino, in
/// pairs of odd holes.
#[test]
fn determinants_agree_with_sweeps_of_boards_with_many_odd_holes() {
    let mut rng = Rng::with_seed(1961);
    let mut tiled = 0;
    for _ in 0..1000 {
        let (rows, columns) = (rng.usize(5..=9), rng.usize(5..=9));
        let mut board = grid(rows, columns);
        // Single cells inside the board, as many black as white ones if possible.
        for colour in (0..rng.usize(2..=8)).map(|hole| hole % 2) {
            let (row, column) = (rng.usize(1..rows - 1), rng.usize(1..columns - 1));
            if (row + column) % 2 == colour {
                board = board.with_obstacle(row, column);
            }
        }
        tiled += usize::from(check_sweeps(&board)[1]);
    }
    assert!(tiled > 100, "{tiled}");
}

#[test]
fn trees_of_graphs_agree_with_sweeps() {
    let check = |graph: &Graph| {
        let sets =
            SpanningSubgraphs::<u128, 5>::with_word(&Order::narrowest(graph), Spanning::Trees);
        let trees = value(&Determinant::spanning_trees_of(graph));
        assert_eq!(trees, swept(&sets), "{:?}", graph.edges().collect::<Vec<_>>());
    };
    let mut rng = Rng::with_seed(7);
    for _ in 0..300 {
        let vertices = rng.usize(0..=9);
        let density = rng.f64();
        let pairs = (0..vertices).flat_map(|a| (0..a).map(move |b| (b, a)));
        let edges: Vec<_> = pairs.filter(|_| rng.f64() < density).collect();
        check(&Graph::from_edges(vertices, edges).expect("a graph"));
        let any = |_| (rng.usize(0..vertices), rng.usize(0..vertices));
        let edges: Vec<_> = (0..2 * vertices).map(any).collect();
        check(&Graph::multigraph(vertices, edges).expect("a graph with loops"));
    }
    check(&Graph::grid(&[3, 3, 3]).expect("a graph"));
    // Cayley's formula: n^(n - 2).
    let complete = Graph::complete(50).expect("a graph");
    let cayley = (0..48).fold(Natural::from(1_u32), |power, _| power * Natural::from(50_u32));
    assert_eq!(value(&Determinant::spanning_trees_of(&complete)), cayley);
}

#[test]
fn boards_and_graphs_have_the_same_determinants() {
    for (rows, columns) in [(1, 1), (1, 6), (4, 5), (6, 6)] {
        let graph = Graph::grid(&[rows, columns]).expect("a graph");
        let board = grid(rows, columns);
        let trees = value(&Determinant::spanning_trees(&board));
        assert_eq!(trees, value(&Determinant::spanning_trees_of(&graph)));
        let matchings = Matchings::new(&Order::narrowest(&graph)).perfect();
        assert_eq!(value(&Determinant::domino_tilings(&board)), swept(&matchings));
    }
}

#[test]
fn remainders_are_those_of_the_number() {
    let moduli =
        [1, 2, 3, 7, 10, 1_000_000_007, (1 << 61) - 1, (1 << 63) - 25, u64::MAX, u64::MAX - 58];
    let mut rng = Rng::with_seed(3);
    let boards = (0..30).map(|_| random_board(&mut rng, 7, 0.1)).chain([grid(8, 8), grid(1, 1)]);
    for board in boards {
        for new in [Determinant::spanning_trees, Determinant::domino_tilings] {
            let determinant = new(&board);
            for modulus in moduli {
                let remainder = value(&determinant).remainder(modulus);
                let modulus = NonZero::new(modulus).expect("a modulus");
                let found = determinant.count_modulo(modulus, &Limits::new());
                assert_eq!(found.ok(), remainder, "modulo {modulus}\n{board}");
            }
        }
    }
}

#[test]
fn limits_stop_an_elimination() {
    let cancelled = Cancel::new();
    cancelled.cancel();
    for new in [Determinant::spanning_trees, Determinant::domino_tilings] {
        let determinant = new(&grid(30, 30));
        for (limits, stop) in [
            (Limits::new().time(Duration::ZERO), Stop::TimeLimit),
            (Limits::new().cancel(&cancelled), Stop::Cancelled),
            (Limits::new().memory(1000), Stop::MemoryLimit),
        ] {
            assert_eq!(determinant.count(&limits), Err(stop));
            let modulus = NonZero::new(1_000_000_007).expect("a prime");
            assert_eq!(determinant.count_modulo(modulus, &limits), Err(stop));
        }
        assert!(determinant.count(&Limits::new().memory(1 << 22)).is_ok());
    }
}
