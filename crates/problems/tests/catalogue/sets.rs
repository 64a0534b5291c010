//! The catalogue's problems of sets of cells or edges: tilings, matchings, independent sets, trees,
//! forests and connected subsets, against known values and exhaustive search.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Limits, Stop};
use secateurs_problems::catalogue::{
    ConnectedSubsets, Grid, SpanningForests, connected_subsets, domino_tilings, independent_sets,
    monomer_dimer, spanning_forests, spanning_trees,
};

use crate::grids::{free_cells, graph_of, grids};
use crate::shared::edge_sets::{self, EdgeSetCounts};
use crate::shared::known;
use crate::shared::vertex_sets::{count_sets, is_connected};
use crate::support::problems::{count, grid};
use crate::support::sizes::sized;

/// A problem: its name, the number of its solutions on a board, and known numbers.
type Problem = (&'static str, fn(&Grid) -> u128, &'static [known::Row]);

const ALL: [Problem; 6] = [
    ("tilings", |grid| count(&domino_tilings(grid)), known::DOMINO_TILINGS),
    ("matchings", |grid| count(&monomer_dimer(grid)), known::MATCHINGS),
    ("independent sets", |grid| count(&independent_sets(grid)), known::INDEPENDENT_SETS),
    ("trees", |grid| count(&spanning_trees(grid)), known::SPANNING_TREES),
    ("forests", |grid| count(&spanning_forests(grid)), known::SPANNING_FORESTS),
    ("connected subsets", |grid| count(&connected_subsets(grid)), known::CONNECTED_SUBSETS),
];

#[test]
fn sets_have_known_counts() {
    for (name, count, rows) in ALL {
        known::check(name, rows, usize::MAX, |rows, columns| count(&grid(rows, columns)));
    }
    for (text, counts) in [
        ("*", [1, 1, 1, 0, 1, 0]),
        ("**\n**", [1, 1, 1, 0, 1, 0]),
        ("***", [1, 1, 1, 0, 1, 0]),
        ("***\n*.*\n***", [0, 1, 2, 1, 1, 1]),
        (".*.", [0, 1, 4, 0, 1, 2]),
    ] {
        let grid = text.parse().expect("a board");
        assert_eq!(ALL.map(|(_, count, _)| count(&grid)), counts, "{text}");
    }
}

#[test]
fn boards_are_swept_along_the_shorter_side() {
    for (rows, columns) in [(3, 40), (40, 3)] {
        let outcome = Sweep::new(&independent_sets(&grid(rows, columns))).count();
        assert!(
            outcome.report().levels().iter().all(|layer| layer.nodes <= 8),
            "{rows} × {columns}"
        );
    }
}

#[test]
fn a_count_beyond_128_bits_is_an_overflow() {
    let outcome = Sweep::new(&domino_tilings(&grid(2, 200))).count();
    assert_eq!((outcome.exact(), outcome.stop()), (None, Stop::CountOverflow));
}

#[test]
fn too_wide_boards_stop_the_sweep() {
    fn stop(problem: &impl ContourProblem) -> Stop {
        Sweep::new(problem).limits(Limits::new().states(1000)).count().stop()
    }
    let (fits, wide) = (Stop::StateLimit, Stop::StateTooWide);
    // A board that is narrower by one cell fits into a state, but not into the limit of states.
    for (side, expected) in [(64, fits), (65, wide)] {
        let grid = grid(side, side);
        let stops = [stop(&domino_tilings(&grid)), stop(&independent_sets(&grid))];
        assert_eq!(stops, [expected; 2], "side {side}");
    }
    let stops = |side| {
        let grid = grid(side, side);
        [
            stop(&spanning_trees(&grid)),
            stop(&SpanningForests::<u128, 5>::trees(&grid)),
            stop(&connected_subsets(&grid)),
            stop(&ConnectedSubsets::<u128>::new(&grid)),
        ]
    };
    assert_eq!(stops(14), [fits, fits, fits, fits]);
    assert_eq!(stops(15), [wide, fits, fits, fits]);
    assert_eq!(stops(17), [wide, fits, wide, fits]);
    assert_eq!(stops(26), [wide, wide, wide, fits]);
    assert_eq!(stops(28), [wide, wide, wide, wide]);
}

#[test]
fn every_tiling_is_drawn_once() {
    for grid in ["....\n....\n..*.\n.*..", ".....\n.....\n..**."]
        .map(|text| text.parse::<Grid>().expect("a board"))
    {
        for (problem, allows_free_cells) in
            [(domino_tilings(&grid), false), (monomer_dimer(&grid), true)]
        {
            let drawings: BTreeSet<String> = Sweep::new(&problem)
                .solutions()
                .expect("a short sweep")
                .map(|labels| problem.draw(&labels))
                .collect();
            assert_eq!(drawings.len() as u128, count(&problem));
            for drawing in drawings {
                let rows: Vec<&[u8]> = drawing.lines().map(str::as_bytes).collect();
                let at = |row: usize, column: usize| {
                    rows.get(row).and_then(|row| row.get(column)).copied()
                };
                let cells = 0..grid.rows() * grid.columns();
                for (row, column) in cells.map(|at| (at / grid.columns(), at % grid.columns())) {
                    let fits = match at(row, column) {
                        Some(b'<') => at(row, column + 1) == Some(b'>'),
                        Some(b'>') => column > 0 && at(row, column - 1) == Some(b'<'),
                        Some(b'n') => at(row + 1, column) == Some(b'u'),
                        Some(b'u') => row > 0 && at(row - 1, column) == Some(b'n'),
                        Some(b'*') => !grid.is_free(row, column),
                        other => other == Some(b'.') && allows_free_cells,
                    };
                    assert!(
                        fits && (grid.is_free(row, column) || at(row, column) == Some(b'*')),
                        "{drawing}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_set_of_cells_is_drawn_once() {
    let grid: Grid = "...\n.*.\n...\n...".parse().expect("a board");
    let (sets, connected) = (independent_sets(&grid), connected_subsets(&grid));
    fn drawings<P: ContourProblem>(
        problem: &P,
        draw: impl Fn(&[P::Label]) -> String,
    ) -> BTreeSet<String> {
        let solutions = Sweep::new(problem).solutions().expect("a short sweep");
        let drawings: BTreeSet<String> = solutions.map(|labels| draw(&labels)).collect();
        assert_eq!(drawings.len() as u128, count(problem));
        drawings
    }
    let drawn = drawings(&sets, |labels| sets.draw(labels));
    assert!(drawn.contains("#.#\n.*.\n#.#\n.#.\n"), "{drawn:?}");
    assert!(drawn.iter().all(|drawing| !drawing.contains("##") && drawing.contains('*')));
    let drawn = drawings(&connected, |labels| connected.draw(labels));
    assert!(drawn.contains("###\n#*#\n###\n...\n"), "{drawn:?}");
}

#[test]
fn solutions_are_distinct_trees_and_forests() {
    let grid: Grid = "...\n.*.\n...\n...".parse().expect("a board");
    let cells = free_cells(&grid);
    let number = |cell| cells.iter().position(|&other| other == cell).expect("a free cell");
    for (problem, is_tree) in [(spanning_trees(&grid), true), (spanning_forests(&grid), false)] {
        let mut sets = BTreeSet::new();
        for labels in Sweep::new(&problem).solutions().expect("a short sweep") {
            let mut edges = Vec::new();
            for (cell, sides) in labels.iter().enumerate() {
                let (row, column) = grid.raster_position(cell);
                assert!(!sides.right && !sides.down);
                edges.extend(sides.up.then(|| (number((row - 1, column)), number((row, column)))));
                edges
                    .extend(sides.left.then(|| (number((row, column - 1)), number((row, column)))));
            }
            edges.sort_unstable();
            // Trees of this size are connected, and forests are those without a cycle.
            let mut component: Vec<usize> = (0..cells.len()).collect();
            for &(a, b) in &edges {
                let (from, to) = (component[a], component[b]);
                assert_ne!(from, to, "a cycle");
                component.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
            }
            assert!(edges.len() + 1 == cells.len() || !is_tree);
            sets.insert(edges);
        }
        assert_eq!(sets.len() as u128, count(&problem));
    }
}

proptest! {
    #[test]
    fn sets_of_edges_agree_with_exhaustive_search(grid in grids(5, sized(10, 12))) {
        let counts = EdgeSetCounts::of(&graph_of(&grid));
        prop_assert_eq!(count(&monomer_dimer(&grid)), counts.matchings);
        prop_assert_eq!(count(&domino_tilings(&grid)), counts.perfect_matchings);
        prop_assert_eq!(count(&spanning_trees(&grid)), counts.trees);
        prop_assert_eq!(count(&spanning_forests(&grid)), counts.forests);
    }

    #[test]
    fn sets_of_cells_agree_with_exhaustive_search(grid in grids(5, 15)) {
        let graph = graph_of(&grid);
        prop_assert_eq!(count(&independent_sets(&grid)), edge_sets::independent_sets(&graph));
        let subsets = count_sets(&graph, |set| set != 0 && is_connected(&graph, set));
        prop_assert_eq!(count(&connected_subsets(&grid)), subsets);
        prop_assert_eq!(count(&ConnectedSubsets::<u128>::new(&grid)), subsets);
    }
}
