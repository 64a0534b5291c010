//! Paths between any two cells, or between two given ones: [`Paths`]. Tony's tour (POJ 1739).

use super::draw::Drawing;
use super::grid::Grid;
use crate::plug::code::{Joined, Parentheses, Symbol};
use crate::plug::motzkin::PathPiece;
use crate::plug::{ContourProblem, TooWide};

/// Paths on a [`Grid`] that may begin and end in any cell, or in two given ones (undirected: a path
/// counts once).
///
/// Where a path begins and ends on the border of the board, parentheses tell all that there is to
/// know, as in [`simple_paths`](super::simple_paths()) and
/// [`hamiltonian_paths`](super::hamiltonian_paths()). A path that begins *inside* the board may be
/// enclosed by other pieces of it:
///
/// ```text
/// ┌───────┐ ╷    A piece of the path that comes back over the contour encloses one of its ends.
/// │   ╷   │ │    Another piece leads to its other end.
/// ━━━━━━━━━━━    the contour
/// (   o   ) o    what it remembers
/// ```
///
/// So the state is a word of [`Parentheses`] for the pieces that cross the contour at both ends,
/// and a mask of the *loose* plugs, which lead to an end of the path. There are two of these at
/// most. If a piece is closed at one end, its other end comes loose; if two loose plugs meet, the
/// path is whole, and all cells to come must be left out. (A third parenthesis for the ends of
/// paths is the standard remedy in plug DP; Chen Danqi, 2008.)
///
/// A single cell is a path, without an edge; its label is [`PathPiece::ALONE`].
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, Paths};
///
/// let grid = Grid::new(4, 4)?;
/// assert_eq!(Sweep::new(&Paths::hamiltonian(&grid)).count().exact(), Some(276));
/// // Tony's tour: the Hamiltonian paths from the lower left corner to the lower right corner.
/// let tour = Paths::hamiltonian(&grid).between((3, 0), (3, 3));
/// assert_eq!(Sweep::new(&tour).count().exact(), Some(8));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Paths {
    grid: Grid,
    rules: Vec<Rule>,
    may_skip: bool,
}

/// What may happen in a cell.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // independent permissions
struct Rule {
    /// The path need not come through.
    skip: bool,
    /// It may come in by one side and go out by another.
    pass: bool,
    /// It may begin or end here.
    end: bool,
    /// It may be this cell alone.
    alone: bool,
    /// It may go out by the low and by the high plug.
    ahead: [bool; 2],
}

impl Rule {
    /// The plugs by which the path may go out, and how a label says that.
    fn ways_out(self, low: usize) -> impl Iterator<Item = (usize, [bool; 2])> {
        let ways = [(low, [true, false]), (low + 1, [false, true])];
        ways.into_iter().zip(self.ahead).filter(|&(_, may)| may).map(|(way, _)| way)
    }
}

/// What the contour remembers of [`Paths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathEnds {
    /// Pieces of the path both whose ends cross the contour.
    pairs: Parentheses,
    /// Bit `i`: plug `i` leads to an end of the path.
    loose: u32,
}

impl PathEnds {
    const EMPTY: Self = PathEnds { pairs: Parentheses::EMPTY, loose: 0 };

    /// The path is whole: a mask that cannot arise otherwise.
    const WHOLE: Self = PathEnds { pairs: Parentheses::EMPTY, loose: u32::MAX };

    /// The pieces that cross the contour at both ends, and the mask of loose plugs; `None` if the
    /// path is whole.
    pub(super) fn parts(self) -> Option<(Parentheses, u32)> {
        (self != Self::WHOLE).then_some((self.pairs, self.loose))
    }

    fn is_loose(self, plug: usize) -> bool {
        self.loose >> plug & 1 == 1
    }

    fn is_taken(self, plug: usize) -> bool {
        self.is_loose(plug) || self.pairs.get(plug) != Symbol::Empty
    }

    fn with_loose(self, plug: usize) -> Self {
        PathEnds { loose: self.loose | 1 << plug, ..self }
    }

    fn moved(self, from: usize, to: usize) -> Self {
        match (from == to, self.is_loose(from)) {
            (true, _) => self,
            (false, true) => PathEnds { loose: self.loose ^ (1 << from | 1 << to), ..self },
            (false, false) => PathEnds { pairs: self.pairs.moved(from, to), ..self },
        }
    }

    /// What is left if the path comes to its end at `plug`, if it may.
    fn ended(self, plug: usize) -> Option<Self> {
        if self.is_loose(plug) {
            return self.whole_without(1 << plug);
        }
        // A third end would be one too many.
        let mate = self.pairs.mate(plug).filter(|_| self.loose.count_ones() < 2)?;
        Some(PathEnds { pairs: self.pairs.without(plug).without(mate), ..self }.with_loose(mate))
    }

    /// What is left if two plugs that are taken meet, if they may.
    fn joined(self, low: usize, high: usize) -> Option<Self> {
        let (loose, other) = match (self.is_loose(low), self.is_loose(high)) {
            (true, true) => return self.whole_without(1 << low | 1 << high),
            (true, false) => (low, high),
            (false, true) => (high, low),
            (false, false) => {
                return match self.pairs.join(low, high) {
                    Joined::Path(pairs) => Some(PathEnds { pairs, ..self }),
                    Joined::Loop(_) | Joined::Whole(_) => None,
                };
            }
        };
        let mate = self.pairs.mate(other)?;
        let pairs = self.pairs.without(other).without(mate);
        Some(PathEnds { pairs, loose: self.loose ^ (1 << loose | 1 << mate) })
    }

    /// The path is whole with these loose plugs, if nothing else is open.
    fn whole_without(self, plugs: u32) -> Option<Self> {
        (self.pairs.is_empty() && self.loose == plugs).then_some(Self::WHOLE)
    }
}

impl Paths {
    /// Paths between any two cells that visit every free cell once (OEIS A096969 counts those of
    /// square boards, each in both directions).
    #[must_use]
    pub fn hamiltonian(grid: &Grid) -> Self {
        Self::new(grid, false)
    }

    /// Paths between any two cells, no cell twice.
    #[must_use]
    pub fn simple(grid: &Grid) -> Self {
        Self::new(grid, true)
    }

    fn new(grid: &Grid, may_skip: bool) -> Self {
        let free = Rule { skip: may_skip, pass: true, end: true, alone: true, ahead: [false; 2] };
        Paths { grid: grid.clone(), rules: rules(grid, |_| free), may_skip }
    }

    /// Only the paths between these two cells, given by row and column from the top left corner,
    /// from 0. There are none if one of them is an obstacle or outside the board. If both are the
    /// same, there is one, of no edge, that may have to visit every free cell.
    #[must_use]
    pub fn between(self, one: (usize, usize), other: (usize, usize)) -> Self {
        let ends = [one, other];
        let mut rules = rules(&self.grid, |position| {
            if ends.contains(&position) {
                Rule { end: one != other, alone: one == other, ..Rule::default() }
            } else {
                Rule { skip: self.may_skip, pass: true, ..Rule::default() }
            }
        });
        if ends.iter().any(|&(row, column)| !self.grid.is_free(row, column)) {
            rules[0] = Rule::default(); // permits nothing, so there is no solution
        }
        Paths { rules, ..self }
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// A solution given by the labels of all cells, to be drawn.
    #[must_use]
    pub fn draw(&self, labels: &[PathPiece]) -> Drawing {
        Drawing::new(&self.grid, labels)
    }
}

fn rules(grid: &Grid, of_free: impl Fn((usize, usize)) -> Rule) -> Vec<Rule> {
    let of_cell = |cell| {
        let (row, column) = grid.position(cell);
        if grid.is_free(row, column) {
            Rule { ahead: grid.ahead(cell), ..of_free((row, column)) }
        } else {
            Rule { skip: true, ..Rule::default() }
        }
    };
    (0..grid.cells()).map(of_cell).collect()
}

impl ContourProblem for Paths {
    type State = PathEnds;
    type Label = PathPiece;

    fn cells(&self) -> usize {
        self.rules.len()
    }

    fn start(&self) -> PathEnds {
        PathEnds::EMPTY
    }

    fn step(&self, cell: usize, state: PathEnds, emit: &mut impl FnMut(PathEnds, PathPiece)) {
        let rule = self.rules[cell];
        if state == PathEnds::WHOLE {
            if rule.skip {
                emit(state, PathPiece::NONE);
            }
            return;
        }
        let low = self.grid.plug(cell);
        let high = low + 1;
        let came = [state.is_taken(low), state.is_taken(high)];
        match came {
            [false, false] => {
                if rule.skip {
                    emit(state, PathPiece::NONE);
                }
                if rule.pass && rule.ahead == [true; 2] {
                    emit(
                        PathEnds { pairs: state.pairs.pair(low, high), ..state },
                        PathPiece::new(came, [true; 2]),
                    );
                }
                if rule.end && state.loose.count_ones() < 2 {
                    for (plug, goes) in rule.ways_out(low) {
                        emit(state.with_loose(plug), PathPiece::new(came, goes));
                    }
                }
                if rule.alone && state == PathEnds::EMPTY {
                    emit(PathEnds::WHOLE, PathPiece::ALONE);
                }
            }
            [true, true] => {
                if let Some(state) = state.joined(low, high).filter(|_| rule.pass) {
                    emit(state, PathPiece::new(came, [false; 2]));
                }
            }
            [from_low, _] => {
                let from = if from_low { low } else { high };
                if rule.pass {
                    for (plug, goes) in rule.ways_out(low) {
                        emit(state.moved(from, plug), PathPiece::new(came, goes));
                    }
                }
                if let Some(state) = state.ended(from).filter(|_| rule.end) {
                    emit(state, PathPiece::new(came, [false; 2]));
                }
            }
        }
    }

    fn accept(&self, state: PathEnds) -> bool {
        state == PathEnds::WHOLE
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Parentheses::<u64>::fits(self.grid.plugs())
    }
}
