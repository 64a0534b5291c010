//! Shannon's mouse in a maze: blind search, depth-first and breadth-first.
//!
//! Shannon's mouse Theseus (1950) found its way by trial and error, keeping in each square of the
//! maze the direction in which it had left last. That is depth-first search with a memory of the
//! squares visited; searching in rings instead, all squares one step away, then two, is how Moore
//! (1959) found *shortest* ways, with a maze as his example.
//!
//! Here the two differ in one word. Both are searches of the same [`Maze`] with the same [closed
//! set](Maze::closed_set), which lets the mouse into each square once:
//!
//! ```
//! use secateurs::Search;
//! use secateurs::problems::maze::Maze;
//!
//! let maze: Maze = "\
//! S....
//! .###.
//! .....
//! .###.
//! G....
//! ".parse()?;
//!
//! let deep = Search::new(&maze).hooks((maze.closed_set(),)).first();
//! let broad = Search::new(&maze).hooks((maze.closed_set(),)).breadth_first().first();
//!
//! // Right is tried before down, and so the mouse goes all the way round.
//! assert_eq!(deep.solution().map(Vec::len), Some(12));
//! assert_eq!(broad.solution().map(Vec::len), Some(4)); // shortest
//! # Ok::<(), secateurs::problems::maze::ParseMazeError>(())
//! ```
//!
//! The report tells how many squares were visited, as the figure `entries` of the closed set. A
//! shortest way can also be *proven* shortest: see [`Dominance`](crate::hook::Dominance).

mod draw;
mod parse;

pub use parse::ParseMazeError;

use crate::hook::Memo;
use crate::problem::{Branch, Problem};

/// A step of the mouse to a neighbouring square. Tried in this order: up, right, down, left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Step {
    /// One row up.
    Up,
    /// One column to the right.
    Right,
    /// One row down.
    Down,
    /// One column to the left.
    Left,
}

impl Step {
    /// All four, in the order in which they are tried.
    pub const ALL: [Step; 4] = [Step::Up, Step::Right, Step::Down, Step::Left];

    /// The step back.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Step::Up => Step::Down,
            Step::Right => Step::Left,
            Step::Down => Step::Up,
            Step::Left => Step::Right,
        }
    }
}

/// A rectangular maze of open squares and walls, with a start and a goal; read with [`str::parse`].
///
/// The format has one line a row, all of the same length, of `#` for a wall, `.` or a space for an
/// open square, one `S` for the start and one `G` for the goal. What lies outside is wall: a maze
/// needs no border, but may have one. `Display` writes the same, with `.` for every open square.
///
/// As a [`Problem`], its state is the [`Mouse`], its choices are [`Step`]s, and its one kind of
/// solution is a mouse at the goal. Without a hook that keeps the mouse from going in circles, such
/// as the [closed set](Maze::closed_set), the tree is infinite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maze {
    rows: usize,
    columns: usize,
    /// Row by row: whether each square is open.
    open: Vec<bool>,
    start: usize,
    goal: usize,
}

/// Where the mouse is, and how many steps it has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mouse {
    square: usize,
    steps: usize,
}

impl Mouse {
    /// The number of the square it is in: counted row by row, from the top left corner, from 0.
    #[must_use]
    pub fn square(&self) -> usize {
        self.square
    }

    /// How many steps it has made since the start.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }
}

/// What [`Maze::closed_set`] gives.
pub type ClosedSet = Memo<Maze, usize, fn(&Maze, &Mouse) -> usize>;

impl Maze {
    /// How many rows there are: 1 at least.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are: 1 at least.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The square of the start, as (row, column) from the top left corner, from 0.
    #[must_use]
    pub fn start(&self) -> (usize, usize) {
        self.place(self.start)
    }

    /// The square of the goal.
    #[must_use]
    pub fn goal(&self) -> (usize, usize) {
        self.place(self.goal)
    }

    /// Whether a square is open; those outside the maze are not.
    #[must_use]
    pub fn is_open(&self, row: usize, column: usize) -> bool {
        row < self.rows && column < self.columns && self.open[row * self.columns + column]
    }

    /// A hook, named `closed set`, that lets the mouse into each square once. It has room for all
    /// squares.
    ///
    /// It keeps the first path to each square, which is a shortest one only breadth-first. So do
    /// not ask it for the [`best`](crate::Search::best) path by length: the promise of
    /// [`Memo::visited`] does not hold for that.
    #[must_use]
    pub fn closed_set(&self) -> ClosedSet {
        // The table keeps half of its room for what is new.
        Memo::visited("closed set", (|_, mouse| mouse.square()) as fn(&Maze, &Mouse) -> usize)
            .parameters(&())
            .capacity(2 * self.open.len())
    }

    /// The squares on the way of a mouse that makes these steps, the start first, as (row, column).
    /// The way ends before a step into a wall.
    pub fn squares<'a>(&'a self, steps: &'a [Step]) -> impl Iterator<Item = (usize, usize)> + 'a {
        let mut steps = steps.iter();
        std::iter::successors(Some(self.start), move |&square| {
            steps.next().and_then(|&step| self.to(square, step))
        })
        .map(|square| self.place(square))
    }

    fn place(&self, square: usize) -> (usize, usize) {
        (square / self.columns, square % self.columns)
    }

    /// Where a step leads, if that is an open square.
    fn to(&self, square: usize, step: Step) -> Option<usize> {
        let column = square % self.columns;
        let target = match step {
            Step::Up => square.checked_sub(self.columns)?,
            Step::Right if column + 1 < self.columns => square + 1,
            Step::Down => square + self.columns,
            Step::Left if column > 0 => square - 1,
            Step::Right | Step::Left => return None,
        };
        (target < self.open.len() && self.open[target]).then_some(target)
    }

    /// Moves the mouse, without looking where.
    fn shift(&self, square: usize, step: Step) -> usize {
        match step {
            Step::Up => square - self.columns,
            Step::Right => square + 1,
            Step::Down => square + self.columns,
            Step::Left => square - 1,
        }
    }
}

impl Problem for Maze {
    type State = Mouse;
    /// How many of the four steps have been tried.
    type Cursor = u8;
    type Choice = Step;
    type Undo = ();

    fn root(&self) -> Mouse {
        Mouse { square: self.start, steps: 0 }
    }

    fn branch(&self, mouse: &Mouse) -> Branch<u8> {
        if mouse.square == self.goal { Branch::Solution } else { Branch::Inner(0) }
    }

    fn next(&self, mouse: &Mouse, cursor: &mut u8) -> Option<Step> {
        while let Some(&step) = Step::ALL.get(usize::from(*cursor)) {
            *cursor += 1;
            if self.to(mouse.square, step).is_some() {
                return Some(step);
            }
        }
        None
    }

    fn can_apply(&self, mouse: &Mouse, &step: &Step) -> bool {
        self.to(mouse.square, step).is_some()
    }

    fn apply(&self, mouse: &mut Mouse, &step: &Step) {
        mouse.square = self.shift(mouse.square, step);
        mouse.steps += 1;
    }

    fn undo(&self, mouse: &mut Mouse, &step: &Step, (): ()) {
        mouse.square = self.shift(mouse.square, step.reversed());
        mouse.steps -= 1;
    }
}
