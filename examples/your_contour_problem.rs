//! A contour problem of your own in 30 lines: a terrace around a tree is to be paved with square
//! and with double slabs.

use std::io::{BufWriter, Result, Write, stdout};

use secateurs::Direction;
use secateurs::plug::{ContourProblem, Sweep};

/// A terrace of rows and columns, with a tree in one of its squares. The squares are numbered row
/// by row, from 0.
struct Terrace {
    rows: usize,
    columns: usize,
    tree: usize,
}

/// What is laid in a square.
#[derive(Clone, Copy, Debug)]
enum Slab {
    Single,
    Across, // a double slab, on into the square to the right
    Down,   // a double slab, on into the square below
    Nothing,
}

impl ContourProblem for Terrace {
    type State = u32; // bit c: a slab sticks out over the contour, into column c
    type Label = Slab; // what was done in a square

    fn cells(&self) -> usize {
        self.rows * self.columns
    }
    fn start(&self) -> u32 {
        0
    }
    fn step(&self, square: usize, out: u32, emit: &mut impl FnMut(u32, Slab)) {
        let here = 1 << (square % self.columns);
        let right = if (square + 1).is_multiple_of(self.columns) { 0 } else { here << 1 };
        match (out & here != 0, square == self.tree) {
            (true, true) => {} // a slab cannot go into the tree: no way leads on from here
            (true, false) => emit(out ^ here, Slab::Nothing),
            (false, true) => emit(out, Slab::Nothing),
            (false, false) => {
                emit(out, Slab::Single);
                emit(out | here, Slab::Down);
                if right != 0 && out & right == 0 {
                    emit(out | right, Slab::Across);
                }
            }
        }
    }
    fn accept(&self, out: u32) -> bool {
        out == 0 // nothing sticks out below the last row
    }
}

impl Terrace {
    /// One line a row: `o` a single slab, `<>` and `^` over `v` double ones, `*` the tree.
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
    let mut out = BufWriter::new(stdout()); // unlike `println!`, no panic if nobody reads on
    let terrace = Terrace { rows: 6, columns: 8, tree: 19 };

    // In how many ways can it be paved? `exact` has an answer only if the sweep came to its end.
    let count = Sweep::new(&terrace).count();
    writeln!(out, "{} ways", count.exact().unwrap())?;

    // How cheap can it be? A single slab costs 5, a double one 8. The labels tell what to lay
    // where.
    let cost = |_: usize, slab: Slab| match slab {
        Slab::Single => 5,
        Slab::Across | Slab::Down => 8,
        Slab::Nothing => 0,
    };
    let cheapest = Sweep::new(&terrace).best(Direction::Minimise, cost);
    writeln!(out, "{} at least, as in\n", cheapest.proven().unwrap())?;
    write!(out, "{}", terrace.draw(cheapest.solution().unwrap()))?;

    // One at random, each as likely as any other.
    let random = Sweep::new(&terrace).samples(2026).unwrap().next().unwrap();
    writeln!(out, "\nor, taken at random\n\n{}", terrace.draw(&random))?;

    // How many states did each layer have?
    writeln!(out, "{}", count.report())?;
    out.flush()
}
