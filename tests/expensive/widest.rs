//! The full bands of two and of three rows on the widest boards, where their layers have at most a
//! few million states; and sparse bands with more states than those of the catalogue's tests.

use secateurs::plug::algebra::Natural;
use secateurs::plug::graph::{Graph, Order};
use secateurs::plug::meet_in_the_middle::{DenseMates, MeetSplit};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs_problems::catalogue::graphs::HamiltonianCycles;
use secateurs_problems::catalogue::{
    BlackAndWhite, Grid, Paths, SpanningForests, connected_subsets, hamiltonian_cycles,
    hamiltonian_paths, independent_sets, monomer_dimer, simple_cycles, simple_paths,
    spanning_forests, spanning_trees, two_factors,
};

use crate::shared::widest::{band, check_mirrored, check_widest};

/// Checks the band of this many rows, and returns the count.
fn band_count<P: ContourProblem>(
    name: &str,
    (side, rows): (usize, usize),
    problem: impl Fn(&Grid) -> P,
) -> Natural {
    check_mirrored(name, u64::MAX, &band(side, rows), problem).expect("no limit")
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn full_bands_at_the_limit_of_labels() {
    let forests = [2, 3].map(|rows| band_count("forests", (14, rows), spanning_forests));
    assert_eq!(forests, [448_727_347_200_u128, 22_505_463_603_889_302_698].map(Natural::from));
    for rows in [2, 3] {
        band_count("trees", (14, rows), spanning_trees);
        band_count("connected subsets", (16, rows), connected_subsets);
        band_count("two colours", (12, rows), BlackAndWhite::new);
    }
}

/// A band of three rows has too many states, and so has a band of problems that may skip cells.
#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn full_bands_of_32_parentheses() {
    assert_eq!(band_count("cycles", (31, 2), hamiltonian_cycles), Natural::from(1_u32));
    // A Fibonacci number, as on a ladder.
    assert_eq!(band_count("two-factors", (31, 2), two_factors), Natural::from(832_040_u32));
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn sparse_bands_of_many_states() {
    let many = (100, 1 << 16);
    check_widest("independent sets", 64, many, independent_sets);
    check_widest("matchings", 64, many, monomer_dimer);
    check_widest("Hamiltonian cycles", 31, many, hamiltonian_cycles);
    check_widest("simple cycles", 31, many, simple_cycles);
    check_widest("Hamiltonian paths", 31, many, hamiltonian_paths);
    check_widest("simple paths", 31, many, simple_paths);
    check_widest("paths between any cells", 31, many, Paths::simple);
    check_widest("trees, 5 bits", 25, (24, 1 << 16), SpanningForests::<u128, 5>::trees);
    check_widest("spanning forests", 14, many, spanning_forests);
    check_widest("connected subsets", 16, many, connected_subsets);
    check_widest("two colours", 12, many, BlackAndWhite::new);
}

/// Half a turn maps the middle row of three to itself: the frontier of a half has as many vertices
/// as dense mates hold.
#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn halves_of_cycles_that_meet_in_nineteen_vertices() {
    const WIDTH: usize = DenseMates::MAX_WIDTH;
    let vertices = 3 * WIDTH;
    let grid = Graph::grid(&[3, WIDTH]).expect("a grid");
    // An odd number of vertices has a cycle only with diagonals.
    let diagonals = [4, 11].map(|column| (column, WIDTH + column + 1));
    let turned = diagonals.map(|(from, to)| (vertices - 1 - to, vertices - 1 - from));
    let edges = grid.edges().chain(diagonals).chain(turned);
    let graph = Graph::from_edges(vertices, edges).expect("a graph");
    let image: Vec<usize> = (0..vertices).rev().collect();
    let split =
        MeetSplit::new(&graph, &image, &(0..WIDTH).collect::<Vec<_>>()).expect("a symmetry");
    assert_eq!(split.half().width(), WIDTH);
    let narrow = Sweep::new(&HamiltonianCycles::new(&Order::narrowest(&graph))).count().exact();
    println!("{narrow:?} cycles");
    assert!(narrow > Some(0));
    assert_eq!(split.cycles().count().exact(), narrow);
}
