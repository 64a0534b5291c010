//! The catalogue's problems with bit masks, against known values, formulas and exhaustive search.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::plug::Sweep;
use secateurs::{Limits, Stop};
use secateurs_problems::catalogue::{Grid, domino_tilings, independent_sets, monomer_dimer};

use crate::grids::{Graph, count_sets, grids};
use crate::shared::known;
use crate::support::problems::{count, grid};

#[test]
fn tilings_matchings_and_independent_sets_have_known_counts() {
    let most = usize::MAX;
    known::check("tilings", known::DOMINO_TILINGS, most, |rows, columns| {
        count(&domino_tilings(&grid(rows, columns)))
    });
    known::check("matchings", known::MATCHINGS, most, |rows, columns| {
        count(&monomer_dimer(&grid(rows, columns)))
    });
    known::check("independent sets", known::INDEPENDENT_SETS, most, |rows, columns| {
        count(&independent_sets(&grid(rows, columns)))
    });
}

/// Kasteleyn's formula is the product over all j, k of
/// (4 cos² (π j / (m + 1)) + 4 cos² (π k / (n + 1)))^(1/4).
#[test]
fn domino_tilings_agree_with_kasteleyns_formula() {
    for (rows, columns) in [(3, 4), (4, 7), (5, 6), (6, 8), (7, 10), (3, 16)] {
        let cosine = |index: usize, side: usize| {
            let angle = std::f64::consts::PI * index as f64 / (side + 1) as f64;
            (2.0 * angle.cos()).powi(2)
        };
        let product: f64 = (1..=rows)
            .flat_map(|row| {
                (1..=columns).map(move |column| cosine(row, rows) + cosine(column, columns))
            })
            .map(|factor| factor.powf(0.25))
            .product();
        let counted = count(&domino_tilings(&grid(rows, columns))) as f64;
        assert!(
            (product - counted).abs() < 0.01 + 1e-9 * counted,
            "{rows} × {columns}: {counted}, not {product}"
        );
    }
}

#[test]
fn boards_of_obstacles_have_only_the_empty_solution() {
    for grid in ["*", "**\n**", "***"].map(|text| text.parse::<Grid>().expect("a board")) {
        assert_eq!(count(&domino_tilings(&grid)), 1);
        assert_eq!(count(&monomer_dimer(&grid)), 1);
        assert_eq!(count(&independent_sets(&grid)), 1);
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
    let wide = grid(65, 65);
    for stop in [
        Sweep::new(&domino_tilings(&wide)).count().stop(),
        Sweep::new(&independent_sets(&wide)).count().stop(),
    ] {
        assert_eq!(stop, Stop::StateTooWide);
    }
    // A board that is narrower by one cell fits into a state, but not into the limit of states.
    let outcome =
        Sweep::new(&independent_sets(&grid(64, 64))).limits(Limits::new().states(1000)).count();
    assert_eq!(outcome.stop(), Stop::StateLimit);
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
                for (row, column) in (0..grid.rows())
                    .flat_map(|row| (0..grid.columns()).map(move |column| (row, column)))
                {
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
fn every_independent_set_is_drawn_once() {
    let grid: Grid = "....\n.*..".parse().expect("a board");
    let problem = independent_sets(&grid);
    let drawings: BTreeSet<String> = Sweep::new(&problem)
        .solutions()
        .expect("a short sweep")
        .map(|labels| problem.draw(&labels))
        .collect();
    assert_eq!(drawings.len() as u128, count(&problem));
    assert!(drawings.contains("#.#.\n.*.#\n"), "{drawings:?}");
    assert!(
        drawings.iter().all(|drawing| !drawing.contains("##") && drawing.contains('*')),
        "{drawings:?}"
    );
}

proptest! {
    #[test]
    fn tilings_and_matchings_agree_with_exhaustive_search(grid in grids(12)) {
        let graph = Graph::new(&grid);
        let degrees = |set| {
            let mut degrees = vec![0; graph.cells.len()];
            for (a, b) in graph.chosen(set) {
                degrees[a] += 1;
                degrees[b] += 1;
            }
            degrees
        };
        let edges = graph.edges.len();
        let matchings = count_sets(edges, |set| degrees(set).iter().all(|&degree| degree <= 1));
        let tilings = count_sets(edges, |set| degrees(set).iter().all(|&degree| degree == 1));
        prop_assert_eq!(count(&monomer_dimer(&grid)), matchings);
        prop_assert_eq!(count(&domino_tilings(&grid)), tilings);
    }

    #[test]
    fn independent_sets_agree_with_exhaustive_search(grid in grids(15)) {
        let graph = Graph::new(&grid);
        let is_independent =
            |set: u32| graph.edges.iter().all(|&(a, b)| set >> a & set >> b & 1 == 0);
        let expected = count_sets(graph.cells.len(), is_independent);
        prop_assert_eq!(count(&independent_sets(&grid)), expected);
    }
}
