//! A contour problem in 30 lines: pave a terrace around a tree with square slabs and double slabs.

use std::io::{BufWriter, Result, Write, stdout};

use secateurs::Direction;
use secateurs::plug::{ContourProblem, Sweep};

/// A terrace of rows and columns with a tree in one square. Squares are numbered row by row from 0.
struct Terrace {
    rows: usize,
    columns: usize,
    tree: usize,
}

/// The content of a square.
#[derive(Clone, Copy, Debug)]
enum Slab {
    Single,
    Across, // a double slab that extends into the square to the right
    Down,   // a double slab that extends into the square below
    Nothing,
}

impl ContourProblem for Terrace {
    type State = u32; // bit c: a slab crosses the contour into column c
    type Label = Slab; // what a step puts into its square

    fn cells(&self) -> usize {
        self.rows * self.columns
    }
    fn start(&self) -> u32 {
        0
    }
    fn step(&self, square: usize, contour: u32, emit: &mut impl FnMut(u32, Slab)) {
        let here = 1 << (square % self.columns);
        let right = if (square + 1).is_multiple_of(self.columns) { 0 } else { here << 1 };
        match (contour & here != 0, square == self.tree) {
            (true, true) => {} // a slab cannot cover the tree: a dead end
            (true, false) => emit(contour ^ here, Slab::Nothing),
            (false, true) => emit(contour, Slab::Nothing),
            (false, false) => {
                emit(contour, Slab::Single);
                emit(contour | here, Slab::Down);
                if right != 0 && contour & right == 0 {
                    emit(contour | right, Slab::Across);
                }
            }
        }
    }
    fn accept(&self, contour: u32) -> bool {
        contour == 0 // no slab extends below the last row
    }
}

impl Terrace {
    /// Draws one line per row: `o` a single slab, `<>` and `^` over `v` double ones, `*` the tree.
    fn draw(&self, slabs: &[Slab]) -> String {
        let mut text = String::new();
        for (square, slab) in slabs.iter().enumerate() {
            text.push(match slab {
                Slab::Single => 'o',
                Slab::Across => '<',
                Slab::Down => '^',
                Slab::Nothing if square == self.tree => '*',
                Slab::Nothing if text.ends_with('<') => '>',
                Slab::Nothing => 'v',
            });
            if (square + 1).is_multiple_of(self.columns) {
                text.push('\n');
            }
        }
        text
    }
}

fn main() -> Result<()> {
    let mut out = BufWriter::new(stdout()); // unlike `println!`, no panic on a closed pipe
    let terrace = Terrace { rows: 6, columns: 8, tree: 19 };

    // Count the ways to pave it. `exact` returns `None` if the sweep stopped early.
    let count = Sweep::new(&terrace).count();
    writeln!(out, "{} ways", count.exact().unwrap())?;

    // Minimise the cost: a single slab costs 5, a double one 8. A solution has a label per square.
    let cost = |_: usize, slab: Slab| match slab {
        Slab::Single => 5,
        Slab::Across | Slab::Down => 8,
        Slab::Nothing => 0,
    };
    let cheapest = Sweep::new(&terrace).best(Direction::Minimise, cost);
    writeln!(out, "{} at least, as in\n", cheapest.proven().unwrap())?;
    write!(out, "{}", terrace.draw(cheapest.solution().unwrap()))?;

    // Draw a uniformly random paving.
    let random = Sweep::new(&terrace).samples(2026).unwrap().next().unwrap();
    writeln!(out, "\nor, taken at random\n\n{}", terrace.draw(&random))?;

    // The report lists the states of each layer.
    writeln!(out, "{}", count.report())?;
    out.flush()
}
