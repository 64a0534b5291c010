//! The catalogue's problems with labels, against known values, determinants and exhaustive search.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::plug::Sweep;
use secateurs::{Limits, Stop};
use secateurs_problems::catalogue::{
    ConnectedSubsets, Grid, SpanningForests, connected_subsets, spanning_forests, spanning_trees,
};

use crate::grids::{Graph, components, count_sets, grids};
use crate::shared::known;
use crate::support::problems::{count, grid};

#[test]
fn trees_forests_and_connected_subsets_have_known_counts() {
    let most = usize::MAX;
    known::check("trees", known::SPANNING_TREES, most, |rows, columns| {
        count(&spanning_trees(&grid(rows, columns)))
    });
    known::check("forests", known::SPANNING_FORESTS, most, |rows, columns| {
        count(&spanning_forests(&grid(rows, columns)))
    });
    known::check("connected subsets", known::CONNECTED_SUBSETS, most, |rows, columns| {
        count(&connected_subsets(&grid(rows, columns)))
    });
}

#[test]
fn boards_of_few_free_cells_have_known_counts() {
    for grid in ["*", "**\n**", "***"].map(|text| text.parse::<Grid>().expect("a board")) {
        assert_eq!(count(&spanning_trees(&grid)), 0);
        assert_eq!(count(&spanning_forests(&grid)), 1);
        assert_eq!(count(&connected_subsets(&grid)), 0);
    }
    let one: Grid = "***\n*.*\n***".parse().expect("a board");
    assert_eq!(count(&spanning_trees(&one)), 1);
    assert_eq!(count(&connected_subsets(&one)), 1);
    let two: Grid = ".*.".parse().expect("a board");
    assert_eq!(count(&spanning_trees(&two)), 0);
    assert_eq!(count(&connected_subsets(&two)), 2);
}

#[test]
fn too_wide_boards_stop_the_sweep() {
    let few = || Limits::new().states(1000);
    let stops = |side| {
        let grid = grid(side, side);
        [
            Sweep::new(&spanning_trees(&grid)).limits(few()).count().stop(),
            Sweep::new(&SpanningForests::<u128, 5>::trees(&grid)).limits(few()).count().stop(),
            Sweep::new(&connected_subsets(&grid)).limits(few()).count().stop(),
            Sweep::new(&ConnectedSubsets::<u128>::new(&grid)).limits(few()).count().stop(),
        ]
    };
    let (fits, wide) = (Stop::StateLimit, Stop::StateTooWide);
    assert_eq!(stops(14), [fits, fits, fits, fits]);
    assert_eq!(stops(15), [wide, fits, fits, fits]);
    assert_eq!(stops(17), [wide, fits, wide, fits]);
    assert_eq!(stops(26), [wide, wide, wide, fits]);
    assert_eq!(stops(28), [wide, wide, wide, wide]);
}

/// Counts spanning trees by Kirchhoff's theorem: as a cofactor of the Laplacian, by fraction-free
/// elimination (Bareiss, 1968).
fn trees_by_determinant(graph: &Graph) -> u128 {
    let Some(size) = graph.cells.len().checked_sub(1) else { return 0 };
    let mut matrix = vec![vec![0i128; size + 1]; size + 1];
    for &(a, b) in &graph.edges {
        matrix[a][a] += 1;
        matrix[b][b] += 1;
        matrix[a][b] -= 1;
        matrix[b][a] -= 1;
    }
    let mut last = 1;
    for pivot in 0..size {
        // The leading minors of a Laplacian without its last row and column are not negative. If
        // one of them is zero, so is the cofactor.
        if matrix[pivot][pivot] == 0 {
            return 0;
        }
        for row in pivot + 1..size {
            for column in pivot + 1..size {
                matrix[row][column] = (matrix[row][column] * matrix[pivot][pivot]
                    - matrix[row][pivot] * matrix[pivot][column])
                    / last;
            }
        }
        last = matrix[pivot][pivot];
    }
    last.try_into().expect("a cofactor of a Laplacian is not negative")
}

#[test]
fn spanning_trees_agree_with_the_determinant() {
    for (rows, columns) in [(5, 5), (4, 7), (6, 6), (3, 12), (7, 5)] {
        let grid = grid(rows, columns);
        let trees = trees_by_determinant(&Graph::new(&grid));
        assert_eq!(count(&spanning_trees(&grid)), trees, "{rows} × {columns}");
        assert_eq!(
            count(&SpanningForests::<u128, 5>::trees(&grid)),
            trees,
            "{rows} × {columns}, wide"
        );
    }
}

#[test]
fn solutions_are_distinct_trees_forests_and_subsets() {
    let grid: Grid = "...\n.*.\n...\n...".parse().expect("a board");
    let graph = Graph::new(&grid);
    let number = |cell| graph.cells.iter().position(|&other| other == cell).expect("a free cell");
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
            let (components, has_cycle) = components(graph.cells.len(), edges.iter().copied());
            assert!(!has_cycle && (components == 1 || !is_tree));
            sets.insert(edges);
        }
        assert_eq!(sets.len() as u128, count(&problem));
    }
    let problem = connected_subsets(&grid);
    let drawings: BTreeSet<String> = Sweep::new(&problem)
        .solutions()
        .expect("a short sweep")
        .map(|labels| problem.draw(&labels))
        .collect();
    assert_eq!(drawings.len() as u128, count(&problem));
    assert!(drawings.contains("###\n#*#\n###\n...\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn spanning_trees_of_larger_boards_agree_with_the_determinant(grid in grids(25)) {
        prop_assert_eq!(count(&spanning_trees(&grid)), trees_by_determinant(&Graph::new(&grid)));
    }

    #[test]
    fn spanning_trees_and_forests_agree_with_exhaustive_search(grid in grids(12)) {
        let graph = Graph::new(&grid);
        let vertices = graph.cells.len();
        let trees = count_sets(graph.edges.len(), |set| {
            let is_connected = components(vertices, graph.chosen(set)).0 == 1;
            set.count_ones() as usize + 1 == vertices && is_connected
        });
        let has_cycle = |set| components(vertices, graph.chosen(set)).1;
        let forests = count_sets(graph.edges.len(), |set| !has_cycle(set));
        prop_assert_eq!(count(&spanning_trees(&grid)), trees);
        prop_assert_eq!(count(&spanning_forests(&grid)), forests);
    }

    #[test]
    fn connected_subsets_agree_with_exhaustive_search(grid in grids(15)) {
        let graph = Graph::new(&grid);
        let subsets = count_sets(graph.cells.len(), |set| graph.components_within(set) == 1);
        prop_assert_eq!(count(&connected_subsets(&grid)), subsets);
        prop_assert_eq!(count(&ConnectedSubsets::<u128>::new(&grid)), subsets);
    }
}
