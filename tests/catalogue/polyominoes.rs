//! Polyominoes by number of cells, against known values and enumeration by growth.

use std::collections::BTreeSet;

use secateurs::plug::Sweep;
use secateurs::plug::algebra::{CountByWeight, Natural, Polynomial};
use secateurs::plug::code::Word;
use secateurs::problems::catalogue::{Polyominoes, polyominoes};
use secateurs::{Limits, Stop};

/// The numbers of fixed polyominoes of 1, 2, … cells (OEIS A001168).
const KNOWN: [u128; 32] = [
    1,
    2,
    6,
    19,
    63,
    216,
    760,
    2725,
    9910,
    36_446,
    135_268,
    505_861,
    1_903_890,
    7_204_874,
    27_394_666,
    104_592_937,
    400_795_844,
    1_540_820_542,
    5_940_738_676,
    22_964_779_660,
    88_983_512_783,
    345_532_572_678,
    1_344_372_335_524,
    5_239_988_770_268,
    20_457_802_016_011,
    79_992_676_367_108,
    313_224_032_098_244,
    1_228_088_671_826_973,
    4_820_975_409_710_116,
    18_946_775_782_611_174,
    74_541_651_404_935_148,
    293_560_133_910_477_776,
];

/// Returns the numbers of polyominoes of up to this number of cells, in one sweep.
fn counts<W: Word>(cells: u32) -> Polynomial {
    let problem = Polyominoes::<W>::new(cells as usize).expect("few cells");
    let by_size = CountByWeight::new(&problem).up_to(cells);
    Sweep::new(&problem).run(&by_size).total().expect("nothing limits the sweep").clone()
}

fn check_counts(counts: &Polynomial, cells: u32) {
    assert_eq!(counts.coefficient(0), Some(Natural::from(1_u32)), "the empty polyomino");
    for (size, known) in (1..=cells).zip(KNOWN) {
        assert_eq!(counts.coefficient(size), Some(Natural::from(known)), "{size} cells");
    }
    assert_eq!(counts.coefficient(cells + 1), None, "{cells} cells");
}

/// Counts the polyominoes of a size, with the number of cells in the state.
fn count(cells: u32) -> u128 {
    let problem = polyominoes(cells as usize).expect("few cells").of_size(cells);
    Sweep::new(&problem).count().exact().expect("a small count")
}

#[test]
fn polyominoes_have_known_counts() {
    for cells in [0, 1, 2, 3, 11, 15] {
        check_counts(&counts::<u64>(cells), cells);
    }
    for (cells, known) in (1..).zip(KNOWN).take(14) {
        assert_eq!(count(cells), known, "{cells} cells");
    }
    assert_eq!(count(0), 1);
}

/// Runs with `cargo test --release --test catalogue -- --ignored polyominoes::`.
#[test]
#[ignore = "3 minutes: cargo test --release --test catalogue -- --ignored polyominoes"]
fn polyominoes_of_as_many_cells_as_fit_have_known_counts() {
    check_counts(&counts::<u64>(32), 32);
}

#[test]
fn polynomials_take_fewer_states_than_cells_in_the_state() {
    let problem = polyominoes(12).expect("few cells");
    let by_size = Sweep::new(&problem).run(&CountByWeight::new(&problem).up_to(12));
    let of_size = Sweep::new(&problem.of_size(12)).count();
    assert!(by_size.report().nodes() < of_size.report().nodes());
    assert_eq!(Sweep::new(&problem.of_size(7)).count().exact(), Some(760));
}

#[test]
fn threads_and_wide_words_give_the_same_counts() {
    for cells in [1, 2, 9, 16] {
        check_counts(&counts::<u128>(cells), cells);
    }
    let problem = polyominoes(15).expect("few cells");
    let by_size = CountByWeight::new(&problem).up_to(15);
    let one = Sweep::new(&problem).run(&by_size);
    let three = Sweep::new(&problem).threads(3).run(&by_size);
    assert_eq!(one.total(), three.total());
    assert!(one.total().is_some());
    assert_eq!(one.report().levels(), three.report().levels());
}

/// Returns all shapes with one more cell, moved so that they touch row 0 and column 0.
fn grown(shapes: &BTreeSet<Vec<(i32, i32)>>) -> BTreeSet<Vec<(i32, i32)>> {
    let mut larger = BTreeSet::new();
    for shape in shapes {
        for &(row, column) in shape {
            for added in
                [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            {
                if !shape.contains(&added) {
                    let mut cells = [&shape[..], &[added]].concat();
                    let top = cells.iter().map(|cell| cell.0).min().expect("a cell");
                    let left = cells.iter().map(|cell| cell.1).min().expect("a cell");
                    cells.iter_mut().for_each(|cell| *cell = (cell.0 - top, cell.1 - left));
                    cells.sort_unstable();
                    larger.insert(cells);
                }
            }
        }
    }
    larger
}

#[test]
fn counts_agree_with_growing_cell_by_cell() {
    let mut shapes = BTreeSet::from([vec![(0, 0)]]);
    for cells in 1..=8 {
        assert_eq!(count(cells), shapes.len() as u128, "{cells} cells");
        shapes = grown(&shapes);
    }
}

#[test]
fn too_many_cells_are_refused() {
    let error = polyominoes(33).expect_err("33 cells");
    assert_eq!(
        error.to_string(),
        "found polyominoes of 33 cells, expected at most 32 with states of this size"
    );
    let error = Polyominoes::<u128>::new(usize::MAX).expect_err("far too many cells").to_string();
    assert!(error.contains("expected at most 54 with states of this size"), "{error}");
    let most = Polyominoes::<u128>::new(54).expect("54 cells");
    assert_eq!(
        Sweep::new(&most.of_size(54)).limits(Limits::new().states(1000)).count().stop(),
        Stop::StateLimit
    );
}

#[test]
fn every_polyomino_is_drawn_once() {
    let problem = polyominoes(7).expect("few cells");
    let problem_of_size = problem.of_size(7);
    let solutions = Sweep::new(&problem_of_size).solutions().expect("a short sweep");
    let drawn: Vec<Vec<(i32, i32)>> = solutions
        .map(|labels| {
            let cell = |(row, column)| {
                (i32::try_from(row).expect("small"), i32::try_from(column).expect("small"))
            };
            let mut cells: Vec<_> = problem.squares(&labels).into_iter().map(cell).collect();
            cells.sort_unstable();
            cells
        })
        .collect();
    let grown = (1..7).fold(BTreeSet::from([vec![(0, 0)]]), |shapes, _| grown(&shapes));
    assert_eq!(drawn.len(), grown.len());
    assert_eq!(drawn.into_iter().collect::<BTreeSet<_>>(), grown);
}

#[test]
fn polyominoes_are_drawn_as_text() {
    let problem = polyominoes(3).expect("few cells");
    let mut drawn: Vec<String> = Sweep::new(&problem.of_size(3))
        .solutions()
        .expect("a short sweep")
        .map(|labels| problem.draw(&labels))
        .collect();
    drawn.sort_unstable();
    assert_eq!(drawn, ["#\n#\n#\n", "##\n#.\n", "##\n.#\n", "###\n", "#.\n##\n", ".#\n##\n"]);
    assert_eq!(problem.draw(&[]), "");
}
