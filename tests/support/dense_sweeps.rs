//! Sweeps with dense tables: brute force on small boards, known numbers, limits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use secateurs::plug::algebra::{Counting, Modulo};
use secateurs::plug::code::Parentheses;
use secateurs::plug::motzkin::{CellRule, MotzkinProblem, PathPiece};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Cancel, Limits, Stop};
use secateurs_problems::catalogue::{
    Grid, Strands, hamiltonian_cycles, hamiltonian_paths, simple_cycles, simple_paths, two_factors,
};
use secateurs_problems::graph::Graph;

use super::edge_sets::EdgeSetCounts;
use super::known::{self, Row};
use crate::support::problems::grid;

type Problem = fn(&Grid) -> Strands;

/// All problems on strands, with their known numbers of solutions.
pub const PROBLEMS: [(&str, Problem, &[Row]); 5] = [
    ("Hamiltonian cycles", hamiltonian_cycles, known::HAMILTONIAN_CYCLES),
    ("Hamiltonian paths", hamiltonian_paths, known::HAMILTONIAN_PATHS),
    ("simple cycles", simple_cycles, known::SIMPLE_CYCLES),
    ("simple paths", simple_paths, known::SIMPLE_PATHS),
    ("two-factors", two_factors, known::TWO_FACTORS),
];

/// Compares the known numbers of all problems on boards of at most so many cells.
pub fn check_known(most_cells: usize, count: impl Fn(&Strands) -> u128) {
    for (name, problem, known) in PROBLEMS {
        known::check(name, known, most_cells, |rows, columns| {
            count(&problem(&grid(rows, columns)))
        });
    }
}

/// Counts the solutions of all [`PROBLEMS`] by trying all sets of edges between free cells.
pub fn counts(grid: &Grid) -> [u128; 5] {
    let (rows, columns) = (grid.rows(), grid.columns());
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let free: Vec<_> = cells.filter(|&(row, column)| grid.is_free(row, column)).collect();
    let number = |cell| free.iter().position(|&other| other == cell);
    let edges = free.iter().zip(0..).flat_map(|(&(row, column), from)| {
        let next = [(row + 1, column), (row, column + 1)].into_iter();
        next.filter_map(&number).map(move |to| (from, to))
    });
    let graph = Graph::from_edges(free.len(), edges).expect("a small board");
    let counts = EdgeSetCounts::of(&graph);
    let ends = number((0, 0)).zip(number((rows - 1, columns - 1)));
    let between_corners = |paths: &[Vec<u128>]| match ends {
        // The path of one cell has no edge.
        Some((from, to)) => {
            if from == to {
                1
            } else {
                paths[from][to]
            }
        }
        None => 0,
    };
    [
        counts.hamiltonian_cycles,
        between_corners(&counts.hamiltonian_paths),
        counts.simple_cycles,
        between_corners(&counts.simple_paths),
        counts.two_factors,
    ]
}

/// Generates boards of one of these sizes with random obstacles.
pub fn boards(shapes: &'static [(usize, usize)]) -> impl Strategy<Value = Grid> {
    let shape = proptest::sample::select(shapes);
    (shape, proptest::collection::vec(0..5u8, 64)).prop_map(|((rows, columns), cells)| {
        let place = |cell: usize| (cell / columns, cell % columns);
        (0..rows * columns).filter(|&cell| cells[cell] == 0).fold(
            grid(rows, columns),
            |grid, cell| {
                let (row, column) = place(cell);
                grid.with_obstacle(row, column)
            },
        )
    })
}

/// Sizes of boards with few enough edges for brute force.
pub const SMALL: &[(usize, usize)] = &[
    (1, 1),
    (1, 2),
    (2, 1),
    (1, 5),
    (5, 1),
    (2, 2),
    (2, 3),
    (3, 2),
    (2, 5),
    (3, 3),
    (4, 2),
    (3, 4),
    (4, 3),
];

/// Counts the solutions with dense tables.
pub fn by_rank(problem: &Strands) -> u128 {
    Sweep::new(problem).dense().count().exact().expect("a small count")
}

/// Counts the solutions with dense tables and arbitrary precision.
pub fn digits(problem: &Strands) -> String {
    Sweep::new(problem).dense().count_natural().total().expect("a complete sweep").to_string()
}

/// Checks that the number of threads does not change the answer or the layers.
pub fn check_threads(problems: &[Strands]) {
    for problem in problems {
        let one = Sweep::new(problem).dense().count();
        for threads in [0, 2, 3, 7] {
            let many = Sweep::new(problem).threads(threads).dense().count();
            assert_eq!(one.exact(), many.exact());
            assert_eq!(one.report().levels(), many.report().levels());
        }
    }
}

/// Checks that a count beyond 128 bits is reported as an overflow.
pub fn check_overflow(problem: &Strands) {
    let outcome = Sweep::new(problem).dense().count();
    assert_eq!((outcome.exact(), outcome.stop()), (None, Stop::CountOverflow));
}

/// Checks that `Counting<u64>` reports a count beyond 64 bits as an overflow. Wrapping arithmetic
/// would give the inconspicuous number `wrapped`.
pub fn check_never_wrapped(rows: usize, columns: usize, wrapped: u64) {
    let cycles = hamiltonian_cycles(&grid(rows, columns));
    let exact = by_rank(&cycles);
    assert!(exact > u128::from(u64::MAX), "{exact}");
    assert_eq!(exact % (1 << 64), u128::from(wrapped));
    let outcome = Sweep::new(&cycles).run(&Counting::<u64>::new());
    assert_eq!((outcome.total(), outcome.stop()), (None, Stop::CountOverflow));
    // A count modulo 2^63 is a question of its own, not an overflow.
    let modulo = Modulo::new([1 << 63]).expect("not 0");
    assert_eq!(
        Sweep::new(&cycles).dense().count_moduli(&modulo).total(),
        Some(&[wrapped % (1 << 63)])
    );
}

/// A problem on strands that reports the cells whose rules are asked for, and moves its plugs up by
/// `higher`.
pub struct Watched<'a> {
    pub strands: Strands,
    pub higher: usize,
    pub asked: &'a (dyn Fn(usize) + Sync),
}

impl ContourProblem for Watched<'_> {
    type State = Parentheses;
    type Label = PathPiece;
    fn cells(&self) -> usize {
        self.strands.cells()
    }
    fn start(&self) -> Parentheses {
        self.strands.start()
    }
    fn step(&self, cell: usize, state: Parentheses, emit: &mut impl FnMut(Parentheses, PathPiece)) {
        self.strands.step(cell, state, emit);
    }
    fn accept(&self, state: Parentheses) -> bool {
        self.strands.accept(state)
    }
}

impl MotzkinProblem for Watched<'_> {
    fn plugs(&self) -> usize {
        self.strands.plugs() + self.higher
    }
    fn low(&self, cell: usize) -> usize {
        self.strands.low(cell) + self.higher
    }
    fn rule(&self, cell: usize) -> CellRule {
        (self.asked)(cell);
        self.strands.rule(cell)
    }
}

/// Checks that a sweep of a square that is cancelled within the cell `at` stops there, not at the
/// end of the cell.
pub fn check_cancelling_within_a_cell(side: usize, at: usize) {
    for threads in [1, 2] {
        let (cancel, is_due) = (Cancel::new(), AtomicBool::new(false));
        // Cancels when the sweep asks for the rule of the cell, after its poll between cells.
        // `Relaxed` suffices: the flag guards no other data.
        let asked = |cell| {
            if cell == at && is_due.load(Ordering::Relaxed) {
                cancel.cancel();
            }
        };
        let watched =
            Watched { strands: simple_paths(&grid(side, side)), higher: 0, asked: &asked };
        let sweep = Sweep::new(&watched).limits(Limits::new().cancel(&cancel)).threads(threads);
        let sweep = sweep.progress(Duration::ZERO, |progress| {
            is_due.store(progress.cells_done == at, Ordering::Relaxed);
        });
        let error = sweep.dense().count().complete().expect_err("cancelled");
        assert_eq!((error.stop(), error.cell()), (Stop::Cancelled, Some(at)));
    }
}
