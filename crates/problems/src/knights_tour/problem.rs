//! The walk model: [`KnightsTour`] and its state, [`Position`].

use secateurs::{Branch, Problem, Variables, vec_bytes};

use super::board::{Square, TourBoard};
use crate::InstanceError;

/// Stands for the absence of a square. Its number lies in the border.
const NO_SQUARE: Square = Square(0);

/// The knight's tours of a board: open or closed, from any square or from a given one.
///
/// A choice is the square that the knight moves to. A solution has visited every square. The
/// children of a node are in the fixed order of [`MOVES`](super::MOVES); a [`Rule`](super::Rule) is
/// a better order.
///
/// Every tour is found once in each direction that the start allows: twice if it is closed, twice
/// if it is open and may start anywhere, and once if it is open and starts on a given square.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::knights_tour::{KnightsTour, TourBoard};
///
/// let open = KnightsTour::open(TourBoard::new(3, 4)?);
/// assert_eq!(Search::new(&open).count().exact(), Some(16)); // 8, each in both directions
/// let centre = KnightsTour::open(TourBoard::new(5, 5)?).starting_at(2, 2)?;
/// assert_eq!(Search::new(&centre).count().exact(), Some(64));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct KnightsTour {
    board: TourBoard,
    closed: bool,
    start: Option<Square>,
    offsets: [u32; 8],
}

impl KnightsTour {
    /// Creates the problem of open tours, which start and end anywhere.
    #[must_use]
    pub fn open(board: TourBoard) -> Self {
        KnightsTour { board, closed: false, start: None, offsets: board.offsets() }
    }

    /// Creates the problem of closed tours, which end a knight's move from their start. They are
    /// searched from the top left corner, which all of them visit.
    #[must_use]
    pub fn closed(board: TourBoard) -> Self {
        KnightsTour { board, closed: true, start: board.squares().next(), offsets: board.offsets() }
    }

    /// Restricts the tours to those from the square in this row and column (from 0).
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such square.
    pub fn starting_at(mut self, row: usize, column: usize) -> Result<Self, InstanceError> {
        self.start = Some(self.board.square(row, column)?);
        Ok(self)
    }

    /// Restricts the tours to those from a square that is known to be on the board.
    pub(super) fn with_start(mut self, start: Square) -> Self {
        self.start = Some(start);
        self
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> TourBoard {
        self.board
    }

    /// Returns whether the tours must end a knight's move from their start.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns the square to start from, or `None` for any.
    #[must_use]
    pub fn start(&self) -> Option<Square> {
        self.start
    }

    /// Returns the ends of the eight moves from a square, including those in the border.
    #[inline]
    pub(super) fn around(&self, square: Square) -> impl Iterator<Item = Square> {
        self.offsets.iter().map(move |offset| Square(square.0.wrapping_add(*offset)))
    }

    /// Returns the free squares that a knight could move to from `square`, in the order of
    /// [`MOVES`](super::MOVES).
    #[inline]
    pub(super) fn free_around(
        &self,
        position: &Position,
        square: Square,
    ) -> impl Iterator<Item = Square> {
        self.around(square).filter(|&next| position.is_free(next))
    }

    /// Returns whether a knight moves from one square to the other.
    #[inline]
    pub(super) fn is_move(&self, from: Square, to: Square) -> bool {
        self.around(from).any(|square| square == to)
    }
}

/// A partial tour: the state of [`KnightsTour`].
///
/// For each square it stores the number of its *exits*: the free squares a knight's move away. The
/// start of a closed tour counts as an exit until the end, because the tour must return to it. A
/// step changes the eight counts around one square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// By square: 0 if free, the number of the step from 1 if visited, `u32::MAX` in the border.
    steps: Vec<u32>,
    /// By square: the number of exits. Entries of squares in the border have no meaning; they wrap
    /// around as steps add and subtract.
    exits: Vec<u8>,
    /// By number of exits, from 0 to 8: the number of free squares with that many.
    free_by_exits: [u32; 9],
    start: Square,
    knight: Square,
    visited: u32,
    free: u32,
}

impl Position {
    fn new(board: TourBoard, offsets: [u32; 8]) -> Self {
        let mut steps = vec![u32::MAX; board.len_with_border()];
        let mut exits = vec![0; board.len_with_border()];
        for square in board.squares() {
            steps[square.index()] = 0;
        }
        let mut free_by_exits = [0; 9];
        for square in board.squares() {
            let free_neighbours = offsets
                .iter()
                .filter(|offset| steps[square.0.wrapping_add(**offset) as usize] == 0)
                .count();
            exits[square.index()] = free_neighbours as u8;
            free_by_exits[free_neighbours] += 1;
        }
        let free = board.len() as u32;
        Position {
            steps,
            exits,
            free_by_exits,
            start: NO_SQUARE,
            knight: NO_SQUARE,
            visited: 0,
            free,
        }
    }

    /// Returns whether a square is on the board and has not been visited.
    #[must_use]
    #[inline]
    pub fn is_free(&self, square: Square) -> bool {
        self.steps.get(square.index()).is_some_and(|&step| step == 0)
    }

    /// Returns the number of the step in which a square was visited, from 1, or `None` if it is
    /// free.
    #[must_use]
    pub fn step(&self, square: Square) -> Option<usize> {
        self.steps
            .get(square.index())
            .filter(|&&step| step != 0 && step != u32::MAX)
            .map(|&step| step as usize)
    }

    /// Returns the number of free squares a knight's move from `square`, the start of a closed tour
    /// included. It is at most 8.
    #[must_use]
    #[inline]
    pub fn exits(&self, square: Square) -> u8 {
        // A square of another board does not cause a panic.
        self.exits.get(square.index()).copied().unwrap_or(0)
    }

    /// Returns the number of free squares with this number of exits.
    #[must_use]
    #[inline]
    pub fn free_with_exits(&self, exits: usize) -> usize {
        self.free_by_exits.get(exits).map_or(0, |&count| count as usize)
    }

    /// Returns the square of the knight, or `None` if it is not on the board yet.
    #[must_use]
    #[inline]
    pub fn knight(&self) -> Option<Square> {
        (self.knight != NO_SQUARE).then_some(self.knight)
    }

    /// Returns the first square of the tour, or `None` if the knight is not on the board yet.
    #[must_use]
    #[inline]
    pub fn start(&self) -> Option<Square> {
        (self.start != NO_SQUARE).then_some(self.start)
    }

    /// Returns the number of squares visited.
    #[must_use]
    #[inline]
    pub fn visited(&self) -> usize {
        self.visited as usize
    }

    /// Returns the number of free squares.
    #[must_use]
    #[inline]
    pub fn free(&self) -> usize {
        self.free as usize
    }

    /// Returns the squares in the order in which they were visited. Takes time linear in the size
    /// of the board.
    #[must_use]
    pub fn squares(&self) -> Vec<Square> {
        let mut squares = vec![NO_SQUARE; self.visited()];
        for (index, &step) in self.steps.iter().enumerate() {
            if step != 0 && step != u32::MAX {
                squares[step as usize - 1] = Square(index as u32);
            }
        }
        squares
    }

    /// Visits a free square. Returns the square that the knight came from.
    #[inline]
    fn visit(&mut self, problem: &KnightsTour, square: Square) -> Square {
        self.visited += 1;
        self.free -= 1;
        self.steps[square.index()] = self.visited;
        self.free_by_exits[usize::from(self.exits[square.index()])] -= 1;
        let from = self.knight;
        self.knight = square;
        if from == NO_SQUARE {
            self.start = square;
        }
        // The start of a closed tour remains an exit of its neighbours.
        if from != NO_SQUARE || !problem.closed {
            for next in problem.around(square) {
                let exits = self.exits[next.index()];
                self.exits[next.index()] = exits.wrapping_sub(1);
                if self.steps[next.index()] == 0 {
                    self.free_by_exits[usize::from(exits)] -= 1;
                    self.free_by_exits[usize::from(exits - 1)] += 1;
                }
            }
        }
        from
    }

    /// Reverts the visit of the square on which the knight stands.
    #[inline]
    fn unvisit(&mut self, problem: &KnightsTour, from: Square) {
        let square = self.knight;
        if from != NO_SQUARE || !problem.closed {
            for next in problem.around(square) {
                let exits = self.exits[next.index()].wrapping_add(1);
                self.exits[next.index()] = exits;
                if self.steps[next.index()] == 0 {
                    self.free_by_exits[usize::from(exits - 1)] -= 1;
                    self.free_by_exits[usize::from(exits)] += 1;
                }
            }
        }
        self.knight = from;
        if from == NO_SQUARE {
            self.start = NO_SQUARE;
        }
        self.free_by_exits[usize::from(self.exits[square.index()])] += 1;
        self.steps[square.index()] = 0;
        self.visited -= 1;
        self.free += 1;
    }
}

impl Problem for KnightsTour {
    type State = Position;
    /// The index of the next move to try or, while the knight is not on the board, of the next
    /// square.
    type Cursor = u32;
    type Choice = Square;
    /// The square that the knight came from.
    type Undo = Square;

    fn root(&self) -> Position {
        let mut position = Position::new(self.board, self.offsets);
        if let Some(start) = self.start {
            position.visit(self, start);
        }
        position
    }

    #[inline]
    fn branch(&self, position: &Position) -> Branch<u32> {
        if position.free > 0 {
            return Branch::Inner(0);
        }
        if self.closed && !self.is_move(position.start, position.knight) {
            return Branch::DeadEnd;
        }
        Branch::Solution
    }

    #[inline]
    fn next(&self, position: &Position, cursor: &mut u32) -> Option<Square> {
        if position.knight == NO_SQUARE {
            while (*cursor as usize) < position.steps.len() {
                let square = Square(*cursor);
                *cursor += 1;
                if position.is_free(square) {
                    return Some(square);
                }
            }
            return None;
        }
        while let Some(offset) = self.offsets.get(*cursor as usize) {
            *cursor += 1;
            let square = Square(position.knight.0.wrapping_add(*offset));
            if position.steps[square.index()] == 0 {
                return Some(square);
            }
        }
        None
    }

    fn accepts_saved(&self, position: &Position, &square: &Square) -> bool {
        let is_reachable = position.knight == NO_SQUARE || self.is_move(position.knight, square);
        is_reachable && position.is_free(square)
    }

    fn heap_bytes(&self, position: &Position) -> usize {
        vec_bytes(&position.steps) + vec_bytes(&position.exits)
    }

    #[inline]
    fn apply(&self, position: &mut Position, &square: &Square) -> Square {
        position.visit(self, square)
    }

    #[inline]
    fn undo(&self, position: &mut Position, _: &Square, from: Square) {
        position.unvisit(self, from);
    }
}

/// The variable of a square is the move that leaves it; the values are the free squares around it.
/// A tour is built from its start, so that only the move of the knight can be decided.
///
/// A choice is therefore the next variable, and Warnsdorff's rule (1823) is the smallest domain of
/// the next move:
///
/// ```
/// use secateurs::brancher::Sorted;
/// use secateurs::{Limits, Node, Search, Variables};
/// use secateurs_problems::knights_tour::{KnightsTour, Square, TourBoard};
///
/// let tour = KnightsTour::open(TourBoard::new(8, 8)?).starting_at(0, 0)?;
/// let warnsdorff = Sorted::by(|node: &Node<'_, KnightsTour>, &square: &Square| {
///     node.problem().values_left(node.state(), square)
/// });
/// let outcome = Search::new(&tour).brancher(warnsdorff).limits(Limits::new().nodes(1000)).first();
/// assert!(outcome.solution().is_some());
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
impl Variables for KnightsTour {
    type Variable = Square;

    #[inline]
    fn undecided(&self, position: &Position) -> impl Iterator<Item = Square> {
        (position.free > 0).then_some(position.knight).into_iter()
    }

    /// Returns the number of [exits](Position::exits) of the square, or of free squares as long as
    /// the knight is not on the board.
    #[inline]
    fn values_left(&self, position: &Position, square: Square) -> usize {
        if square == NO_SQUARE { position.free() } else { position.exits(square).into() }
    }

    #[inline]
    fn values(&self, _: &Position, _: Square) -> u32 {
        0
    }
}
