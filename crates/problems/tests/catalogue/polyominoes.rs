//! Polyominoes by number of cells, against known values and enumeration by growth.

use std::collections::BTreeSet;

use fastrand::Rng;
use secateurs::plug::algebra::{CountByWeight, Natural, Polynomial, Weight};
use secateurs::plug::code::Word;
use secateurs::plug::{ContourProblem, OfWeight, Sweep};
use secateurs::{Limits, Stop};
use secateurs_problems::catalogue::{PolyominoSquare, PolyominoState, Polyominoes, polyominoes};

/// The numbers of fixed polyominoes of 1, 2, … cells (OEIS A001168).
#[rustfmt::skip] // Several numbers on a line.
const KNOWN: [u128; 32] = [
    1, 2, 6, 19, 63, 216, 760, 2725, 9910, 36_446, 135_268, 505_861, 1_903_890, 7_204_874,
    27_394_666, 104_592_937, 400_795_844, 1_540_820_542, 5_940_738_676, 22_964_779_660,
    88_983_512_783, 345_532_572_678, 1_344_372_335_524, 5_239_988_770_268, 20_457_802_016_011,
    79_992_676_367_108, 313_224_032_098_244, 1_228_088_671_826_973, 4_820_975_409_710_116,
    18_946_775_782_611_174, 74_541_651_404_935_148, 293_560_133_910_477_776,
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

/// The widest boxes of a problem of polyominoes.
#[derive(Clone)]
struct Widest<W: Word> {
    all: Polyominoes<W>,
    width: usize,
    height: usize,
}

impl<W: Word> Widest<W> {
    fn of(cells: usize) -> Self {
        let width = cells.div_ceil(2);
        let all = Polyominoes::new(cells).expect("a number of cells that fits");
        Widest { all, width, height: cells + 1 - width }
    }

    fn skipped(&self) -> usize {
        self.all.cells() - self.width * self.height
    }

    /// Returns whether the sweep accepts a set of cells of the widest box.
    fn accepts(&self, shape: &BTreeSet<(usize, usize)>) -> bool {
        let mut states = vec![self.all.start()];
        for cell in 0..self.cells() {
            let is_taken = shape.contains(&(cell / self.width, cell % self.width));
            let mut next = Vec::new();
            for state in states {
                self.step(cell, state, &mut |state, square| {
                    if square == (PolyominoSquare { is_taken, is_transposed: false }) {
                        assert!(self.all.is_legal(self.skipped() + cell + 1, state), "{shape:?}");
                        next.push(state);
                    }
                });
            }
            states = next;
        }
        let accepted = states.into_iter().filter(|&state| self.all.accept(state)).count();
        assert!(accepted <= 1, "in {accepted} ways: {shape:?}");
        accepted == 1
    }

    /// Returns whether a set of cells is a polyomino that fills a box of this width, is at least as
    /// high, and begins in the first row.
    fn fills(&self, shape: &BTreeSet<(usize, usize)>) -> bool {
        let mut left = shape.clone();
        let mut open: Vec<(usize, usize)> = left.pop_first().into_iter().collect();
        while let Some((row, column)) = open.pop() {
            for (down, right) in [(2, 1), (0, 1), (1, 2), (1, 0)] {
                // By one too many, so that there is no difference below 0.
                let neighbour = ((row + down).wrapping_sub(1), (column + right).wrapping_sub(1));
                open.extend(left.take(&neighbour));
            }
        }
        let touches = |column| shape.iter().any(|cell| cell.1 == column);
        left.is_empty()
            && touches(0)
            && touches(self.width - 1)
            && shape.first().is_some_and(|first| first.0 == 0)
            && shape.last().is_some_and(|last| last.0 + 1 >= self.width)
    }
}

impl<W: Word> ContourProblem for Widest<W> {
    type State = PolyominoState<W>;
    type Label = PolyominoSquare;

    fn cells(&self) -> usize {
        self.width * self.height
    }
    fn start(&self) -> PolyominoState<W> {
        self.all.start()
    }
    fn step(
        &self,
        cell: usize,
        state: PolyominoState<W>,
        emit: &mut impl FnMut(PolyominoState<W>, PolyominoSquare),
    ) {
        self.all.step(self.skipped() + cell, state, emit);
    }
    fn accept(&self, state: PolyominoState<W>) -> bool {
        self.all.accept(state)
    }
}

impl<W: Word> Weight<Widest<W>> for Widest<W> {
    fn label(&self, cell: usize, square: PolyominoSquare) -> i64 {
        self.all.label(self.skipped() + cell, square)
    }
    fn least_to_go(&self, cell: usize, state: PolyominoState<W>) -> i64 {
        self.all.least_to_go(self.skipped() + cell, state)
    }
}

/// Checks sets of cells of the widest box: a comb, nested cups, and random trees, each also with a
/// cell less.
fn check_shapes<W: Word>(cells: usize) {
    let widest = Widest::<W>::of(cells);
    let (width, height) = (widest.width, widest.height);
    let comb = |row: usize, column: usize| column.is_multiple_of(2) || row == height - 1;
    // The bottoms of the cups are connected in the middle column.
    let cups = |row: usize, column: usize| {
        let side = column.min(width - 1 - column);
        (side.is_multiple_of(2) && row < height - side)
            || (0..=side).any(|cup| cup.is_multiple_of(2) && row == height - 1 - cup)
            || (column == width / 2 && row >= height / 2)
    };
    let squares = || (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    let drawn = |is_taken: &dyn Fn(usize, usize) -> bool| {
        squares().filter(|&(row, column)| is_taken(row, column)).collect::<BTreeSet<_>>()
    };
    let mut shapes = vec![drawn(&comb), drawn(&cups)];
    assert!(shapes.iter().all(|shape| widest.fills(shape)), "combs and cups are polyominoes");
    let mut random = Rng::with_seed(cells as u64);
    for _ in 0..10 {
        // A tree that grows at random until it fills a box, or cannot grow.
        let mut tree = BTreeSet::from([(0, random.usize(..width))]);
        let mut order: Vec<(usize, usize)> = squares().collect();
        random.shuffle(&mut order);
        for _ in 0..width * height {
            let leaf = |&&(row, column): &&(usize, usize)| {
                let neighbours = |&&(other_row, other_column): &&(usize, usize)| {
                    row.abs_diff(other_row) + column.abs_diff(other_column) == 1
                };
                !tree.contains(&(row, column)) && tree.iter().filter(neighbours).count() == 1
            };
            let Some(&leaf) = order.iter().find(leaf).filter(|_| !widest.fills(&tree)) else {
                break;
            };
            tree.insert(leaf);
            random.shuffle(&mut order);
        }
        shapes.push(tree);
    }
    let mut accepted = 0;
    for shape in shapes {
        for _ in 0..5 {
            let mut less = shape.clone();
            let cut = random.usize(..shape.len());
            less.remove(shape.iter().nth(cut).expect("a cell of the shape"));
            for shape in [&shape, &less] {
                assert_eq!(widest.accepts(shape), widest.fills(shape), "{shape:?}");
                accepted += usize::from(widest.accepts(shape));
            }
        }
    }
    assert!((60..100).contains(&accepted), "{accepted} of 120 shapes are polyominoes");
}

#[test]
fn shapes_in_the_widest_boxes_are_polyominoes_if_they_are_connected() {
    check_shapes::<u64>(Polyominoes::<u64>::MAX_CELLS);
    check_shapes::<u128>(Polyominoes::<u128>::MAX_CELLS);
}

/// By Goupil, Cloutier and Nouboud (2010).
#[test]
fn the_smallest_polyominoes_in_a_square_box_are_counted() {
    for side in 2..9_usize {
        let binomial = (1..side).fold(1, |product, factor| product * (side - 1 + factor) / factor);
        let known = 8 * binomial + 4 * side - 3 * side * side - 8;
        let widest = Widest::<u128>::of(2 * side - 1);
        let smallest = OfWeight::new(widest.clone(), widest, 2 * side as u32 - 1);
        assert_eq!(Sweep::new(&smallest).count().exact(), Some(known as u128), "side {side}");
    }
}
