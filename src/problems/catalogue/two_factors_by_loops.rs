//! Sets of loops that visit every free cell, by the number of loops: [`TwoFactorsByLoops`].

use super::draw::Drawing;
use super::grid::Grid;
use super::strands::{Strands, two_factors};
use crate::plug::code::{Parentheses, Symbol};
use crate::plug::motzkin::{MotzkinProblem, PathPiece};
use crate::plug::{ContourProblem, TooWide};

/// The sets of loops of [`two_factors`](super::two_factors()), with the number of closed loops in
/// the state: "Eat the Trees" with a given number of loops.
///
/// A loop closes in a cell that reads a `(` and, next to it, a `)`. Everything else is left to the
/// wrapped problem: this is an example of a contour problem that wraps another one. One sweep
/// counts the sets for each number of loops, as the [ends](crate::plug::Sweep::ends) of the sweep
/// distinguish them; [`exactly`](Self::exactly) keeps only one of these numbers, and drops states
/// with more loops early.
///
/// ```
/// use secateurs::plug::{Sweep, algebra::Counting};
/// use secateurs::problems::catalogue::{Grid, TwoFactorsByLoops};
///
/// let factors = TwoFactorsByLoops::new(&Grid::new(4, 4)?);
/// let ends = Sweep::new(&factors).ends(&Counting::<u128>::new()).complete()?;
/// let (ends, _) = ends.into_parts();
/// let mut counts: Vec<_> = ends.iter().map(|&(state, count)| (state.loops(), count)).collect();
/// counts.sort_unstable();
/// assert_eq!(counts, [(1, 6), (2, 7), (3, 4), (4, 1)]);
///
/// let pairs = factors.exactly(2);
/// assert_eq!(Sweep::new(&pairs).count().exact(), Some(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TwoFactorsByLoops {
    strands: Strands,
    exactly: Option<u32>,
}

/// The contour state of [`TwoFactorsByLoops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoopState {
    word: Parentheses,
    loops: u32,
}

impl LoopState {
    /// Returns the number of closed loops.
    #[must_use]
    pub fn loops(self) -> u32 {
        self.loops
    }
}

impl TwoFactorsByLoops {
    /// Creates the problem of sets of any number of loops.
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        TwoFactorsByLoops { strands: two_factors(grid), exactly: None }
    }

    /// Draws a state after this number of cells as an SVG document, like [`Strands::state_svg`].
    #[must_use]
    pub fn state_svg(&self, cells: usize, state: LoopState) -> String {
        self.strands.state_svg(cells, state.word)
    }

    /// Restricts the problem to sets of exactly this number of loops.
    #[must_use]
    pub fn exactly(self, loops: u32) -> Self {
        TwoFactorsByLoops { exactly: Some(loops), ..self }
    }

    /// Returns the board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.strands.grid()
    }

    /// Draws a solution, given by the labels of all cells.
    #[must_use]
    pub fn draw(&self, labels: &[PathPiece]) -> Drawing {
        Drawing::new(self.grid(), labels)
    }
}

impl ContourProblem for TwoFactorsByLoops {
    type State = LoopState;
    type Label = PathPiece;

    fn cells(&self) -> usize {
        self.strands.cells()
    }

    fn start(&self) -> LoopState {
        LoopState { word: self.strands.start(), loops: 0 }
    }

    #[inline]
    fn step(&self, cell: usize, state: LoopState, emit: &mut impl FnMut(LoopState, PathPiece)) {
        let low = self.strands.low(cell);
        let closes =
            [state.word.get(low), state.word.get(low + 1)] == [Symbol::Open, Symbol::Close];
        let loops = state.loops + u32::from(closes);
        if self.exactly.is_none_or(|exactly| loops <= exactly) {
            self.strands
                .step(cell, state.word, &mut |word, piece| emit(LoopState { word, loops }, piece));
        }
    }

    fn accept(&self, state: LoopState) -> bool {
        self.strands.accept(state.word) && self.exactly.is_none_or(|exactly| state.loops == exactly)
    }

    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.strands.fits(cell)
    }
}
