//! Paths and loops on a grid with one rule per cell: [`Strands`], and its ready-made problems; and
//! sets of loops by the number of loops, [`TwoFactorsByLoops`].

use std::marker::PhantomData;

use secateurs::plug::code::{Parentheses, Symbol, Word};
use secateurs::plug::motzkin::{
    CellRule, Closing, MotzkinProblem, PathPiece, Side, finished, step,
};
use secateurs::plug::{ContourProblem, TooWide};

use super::draw::{ContourPicture, Drawing, sides_of_piece};
use super::grid::{Grid, GridSides};

/// The accepted states after the last cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accepted {
    /// A single closed loop.
    OneLoop,
    /// No open path.
    NothingOpen,
    /// A path that leaves the board through the goal, which is the last cell.
    PathOut,
}

/// Paths or loops on a [`Grid`]: the problem of [`hamiltonian_cycles`] and the other functions of
/// this file.
///
/// States are [`Parentheses`]; labels have the plugs by which the path enters and leaves a cell
/// ([`Strands::sides`] converts them to neighbours). A path between two corners has only the edges
/// between its cells: none leads into its first cell, and none out of its last one. The problems
/// differ only in the [`CellRule`] of each cell, which is precomputed, and in the accepted states.
///
/// By default, boards of up to 31 cells along the shorter side fit into a state, and boards of up
/// to 30 cells into a [dense](secateurs::plug::motzkin) table; [`with_word`](Self::with_word) has
/// room for 63 in hash tables.
#[derive(Clone, Debug)]
pub struct Strands<W: Word = u64> {
    grid: Grid,
    rules: Vec<CellRule>,
    /// The lower of the two plugs that each cell reads.
    plugs: Vec<usize>,
    accepted: Accepted,
    word: PhantomData<W>,
}

impl Strands {
    fn new(grid: &Grid, rules: Vec<CellRule>, accepted: Accepted) -> Self {
        let plugs = (0..rules.len()).map(|cell| grid.plug(cell)).collect();
        Strands { grid: grid.clone(), rules, plugs, accepted, word: PhantomData }
    }

    /// Creates a problem of loops. `rule` returns the rule of each free cell, given its number and
    /// a rule that visits it. If only one loop is allowed, cells close it with [`Closing::Last`].
    pub(super) fn loops(
        grid: &Grid,
        only_one: bool,
        rule: impl Fn(usize, CellRule) -> CellRule,
    ) -> Self {
        let accepted = if only_one { Accepted::OneLoop } else { Accepted::NothingOpen };
        Strands::new(grid, rules(grid, rule), accepted)
    }

    /// Creates a problem of paths from the top left corner to the bottom right one; `may_skip`
    /// states whether other cells may be skipped.
    ///
    /// The path enters the start from outside, as a loose end. If the number of lines is odd, the
    /// goal is the last cell of the sweep, and the path leaves the board through it. If it is even,
    /// the last line is swept backward, and the goal is its first cell: there a `)`, the mate of
    /// the loose end, enters from outside, and the path closes like a loop that leads through the
    /// outside.
    pub(super) fn corner_to_corner(grid: &Grid, may_skip: bool) -> Self {
        let mut rules = rules(grid, |_, rule| CellRule { skip: may_skip, ..rule });
        rules[0].entrance = Some((Side::Low, Symbol::Open));
        let goal = grid.cell(grid.rows() - 1, grid.columns() - 1);
        let goes_out = grid.lines() % 2 == 1;
        if goes_out {
            rules[goal].high = rules[goal].visit;
        } else {
            rules[goal].entrance = Some((Side::High, Symbol::Close));
            rules[goal..].iter_mut().for_each(|rule| rule.closing = Closing::Last);
        }
        let accepted = if goes_out { Accepted::PathOut } else { Accepted::OneLoop };
        Strands::new(grid, rules, accepted)
    }
}

impl<W: Word> Strands<W> {
    /// Returns the same problem with states in another word: `u128` for wider boards.
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
    ///
    /// // The border of a wide board: all other cells are obstacles.
    /// let inner = (1..39).flat_map(|row| (1..39).map(move |column| (row, column)));
    /// let board = inner.fold(Grid::new(40, 40)?, |board, (row, column)| {
    ///     board.with_obstacle(row, column)
    /// });
    /// let cycles = hamiltonian_cycles(&board).with_word::<u128>();
    /// assert_eq!(Sweep::new(&cycles).count().exact(), Some(1));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn with_word<V: Word>(self) -> Strands<V> {
        let Strands { grid, rules, plugs, accepted, .. } = self;
        Strands { grid, rules, plugs, accepted, word: PhantomData }
    }

    /// Restricts the problem to solutions that visit the cells for which `is_compulsory` returns
    /// true, given row and column; the other free cells stay optional. There are none if one of the
    /// compulsory cells is an obstacle.
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs_problems::catalogue::{Grid, simple_cycles};
    ///
    /// // The loops through all four corners of a board.
    /// let corners = |row, column| row % 3 == 0 && column % 3 == 0;
    /// let cycles = simple_cycles(&Grid::new(4, 4)?).through(corners);
    /// assert_eq!(Sweep::new(&cycles).dense().count().exact(), Some(11));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn through(mut self, is_compulsory: impl Fn(usize, usize) -> bool) -> Self {
        for (cell, rule) in self.rules.iter_mut().enumerate() {
            let (row, column) = self.grid.position(cell);
            rule.skip &= !is_compulsory(row, column);
        }
        self
    }

    /// Returns whether the path leaves the board through this cell.
    #[inline]
    fn goes_out(&self, cell: usize) -> bool {
        self.accepted == Accepted::PathOut && cell + 1 == self.rules.len()
    }

    /// Returns the board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Draws a solution, given by the labels of all cells.
    #[must_use]
    pub fn draw(&self, labels: &[PathPiece]) -> Drawing {
        Drawing::new(&self.grid, labels)
    }

    /// Returns the neighbours of a cell that the path connects it to, given the label of the cell.
    #[must_use]
    pub fn sides(&self, cell: usize, piece: PathPiece) -> GridSides {
        sides_of_piece(&self.grid, cell, piece)
    }
}

/// Returns the rules of all cells; `rule` is called for the free cells.
fn rules(grid: &Grid, rule: impl Fn(usize, CellRule) -> CellRule) -> Vec<CellRule> {
    grid.rules(CellRule::OBSTACLE, |cell| {
        let [low, high] = grid.ahead(cell);
        rule(cell, CellRule::visited(low, high))
    })
}

impl<W: Word> ContourProblem for Strands<W> {
    type State = Parentheses<W>;
    type Label = PathPiece;

    fn cells(&self) -> usize {
        self.rules.len()
    }

    fn start(&self) -> Self::State {
        Parentheses::EMPTY
    }

    #[inline]
    fn step(&self, cell: usize, state: Self::State, emit: &mut impl FnMut(Self::State, PathPiece)) {
        let (rule, plug) = (self.rules[cell], self.plugs[cell]);
        if self.goes_out(cell) {
            // The path leaves the board beyond the goal but stays on the contour. This is a
            // separate call, because a test in the call below would cost a tenth of a sweep.
            step(rule, plug, state, &mut |word, piece| {
                emit(word, piece.without_going_by(Side::High))
            });
        } else {
            step(rule, plug, state, emit);
        }
    }

    fn accept(&self, state: Self::State) -> bool {
        match self.accepted {
            Accepted::OneLoop => state == finished(),
            Accepted::NothingOpen => state.is_empty(),
            Accepted::PathOut => state == Parentheses::EMPTY.with(self.grid.width(), Symbol::Open),
        }
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Self::State::fits(self.grid.plugs())
    }

    fn is_legal(&self, _: usize, state: Self::State) -> bool {
        let may_be_loose = || self.rules.iter().any(|rule| rule.entrance.is_some());
        state == finished()
            || state.len() <= self.grid.plugs()
                && state.is_legal()
                && (state.loose_ends() == 0 || may_be_loose())
    }

    /// Returns the taken plugs of that half of the contour in which the current cell is not.
    ///
    /// A cell changes two plugs, and other plugs only by flipping the other end of a path, so the
    /// set of taken plugs elsewhere stays the same. As directions alternate, the sweep stays in one
    /// half of the contour for the length of a line.
    #[inline]
    fn region(&self, cell: usize, state: Self::State) -> Option<u64> {
        let middle = self.grid.width() / 2;
        let far = if self.plugs[cell] >= middle {
            state.occupied_below(middle)
        } else {
            state.occupied_from(middle + 1)
        };
        // The pattern has every other bit of the word; the halves of a long word share a number.
        let high = if W::BITS > u64::BITS { (far >> (W::BITS / 2)).low() << 1 } else { 0 };
        Some(far.low() | high)
    }
}

impl MotzkinProblem for Strands {
    fn plugs(&self) -> usize {
        self.grid.plugs()
    }

    fn low(&self, cell: usize) -> usize {
        self.plugs[cell]
    }

    fn rule(&self, cell: usize) -> CellRule {
        self.rules[cell]
    }

    fn label(&self, cell: usize, piece: PathPiece) -> PathPiece {
        if self.goes_out(cell) { piece.without_going_by(Side::High) } else { piece }
    }
}

/// Creates the problem of the loops that visit every free cell of a board once. Loops are
/// undirected: each counts once. (Formula 1, Ural 1519.)
///
/// Every free cell must be visited, and only the last free cell may close a loop: a loop that
/// closes earlier cannot visit that cell. (Chen Danqi, 2008; as *Hamiltonian circuits*, with words
/// of parentheses: Jacobsen, 2007.)
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
///
/// let grid: Grid = "**..\n....\n....\n....\n".parse()?;
/// assert_eq!(Sweep::new(&hamiltonian_cycles(&grid)).count().exact(), Some(2));
///
/// let empty = Grid::new(6, 6)?;
/// assert_eq!(Sweep::new(&hamiltonian_cycles(&empty)).count().exact(), Some(1072));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn hamiltonian_cycles(grid: &Grid) -> Strands {
    let last = (0..grid.cells()).rev().find(|&cell| grid.is_free_cell(cell));
    Strands::loops(grid, true, |cell, rule| CellRule {
        closing: if Some(cell) == last { Closing::Last } else { Closing::Never },
        ..rule
    })
}

/// Creates the problem of the loops that visit any of the free cells of a board, each at most once
/// (undirected; OEIS A140517 at n − 1 for boards n × n).
///
/// A cell may be skipped, and any cell may close a loop if it is the only one; then all later cells
/// are skipped.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, simple_cycles};
///
/// let cycles = simple_cycles(&Grid::new(4, 4)?);
/// assert_eq!(Sweep::new(&cycles).count().exact(), Some(213));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use]
pub fn simple_cycles(grid: &Grid) -> Strands {
    Strands::loops(grid, true, |_, rule| CellRule { skip: true, closing: Closing::Last, ..rule })
}

/// Creates the problem of the sets of loops of which none lies inside another one, through any of
/// the free cells, each at most once, including the set without loops.
///
/// Such a set may have any number of loops, and each cell closes those that are outside of the
/// others ([`Closing::Outside`]), so that parentheses suffice as states.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::motzkin::PathPiece;
/// use secateurs::plug::ContourProblem;
/// use secateurs_problems::catalogue::{Grid, non_nested_loops};
///
/// let loops = non_nested_loops(&Grid::new(4, 4)?);
/// let all = Sweep::new(&loops).dense().count();
/// // Those that visit every cell: all 2-factors but a loop of 4 cells in one of 12.
/// let through_all = loops.only(|_, piece| piece != PathPiece::NONE);
/// assert_eq!(Sweep::new(&through_all).dense().count().exact(), Some(18 - 1));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use]
pub fn non_nested_loops(grid: &Grid) -> Strands {
    let rule = |_, rule: CellRule| CellRule { skip: true, closing: Closing::Outside, ..rule };
    Strands::loops(grid, false, rule)
}

/// Creates the problem of the sets of loops that together visit every free cell once (known as *Eat
/// the Trees*, HDU 1693). A board without a free cell has one such set, the empty one.
///
/// Every free cell must be visited, and any cell may close a loop. Since the number of loops does
/// not matter, bit masks would suffice as states, with fewer of them; parentheses lead to
/// [`TwoFactorsByLoops`], which counts the loops.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, two_factors};
///
/// let factors = two_factors(&Grid::new(4, 4)?);
/// assert_eq!(Sweep::new(&factors).count().exact(), Some(18));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use]
pub fn two_factors(grid: &Grid) -> Strands {
    Strands::loops(grid, false, |_, rule| CellRule { closing: Closing::Any, ..rule })
}

/// Creates the problem of the paths from the top left corner to the bottom right one that visit
/// every free cell once (OEIS A001184 for square boards of odd side).
///
/// The problem differs from [`simple_paths`] only in that no free cell may be skipped.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, hamiltonian_paths};
///
/// let paths = hamiltonian_paths(&Grid::new(7, 7)?);
/// assert_eq!(Sweep::new(&paths).count().exact(), Some(111_712));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use]
pub fn hamiltonian_paths(grid: &Grid) -> Strands {
    Strands::corner_to_corner(grid, false)
}

/// Creates the problem of the paths from the top left corner to the bottom right one that visit any
/// of the free cells, each at most once (OEIS A007764). A board of one free cell has one path.
///
/// The path enters the board at the start, as a loose end: a `(` without a mate. All other cells
/// may be skipped, and no loop may close.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, simple_paths};
///
/// let paths = simple_paths(&Grid::new(8, 8)?);
/// assert_eq!(Sweep::new(&paths).count().exact(), Some(789_360_053_252));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use]
pub fn simple_paths(grid: &Grid) -> Strands {
    Strands::corner_to_corner(grid, true)
}

/// The sets of loops of [`two_factors`](super::two_factors()), with the number of closed loops in
/// the state: "Eat the Trees" with a given number of loops.
///
/// A loop closes in a cell that reads a `(` and, next to it, a `)`. Everything else is left to the
/// wrapped problem: this is an example of a contour problem that wraps another one. One sweep
/// counts the sets for each number of loops, as the [ends](secateurs::plug::Sweep::ends) of the
/// sweep distinguish them; [`exactly`](Self::exactly) keeps only one of these numbers, and drops
/// states with more loops early. Boards of up to 31 cells along the shorter side fit into a state;
/// [`with_word`](Self::with_word) has room for 63.
///
/// ```
/// use secateurs::plug::{Sweep, algebra::Counting};
/// use secateurs_problems::catalogue::{Grid, TwoFactorsByLoops};
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
pub struct TwoFactorsByLoops<W: Word = u64> {
    strands: Strands<W>,
    exactly: Option<u32>,
}

/// The contour state of [`TwoFactorsByLoops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoopState<W: Word = u64> {
    word: Parentheses<W>,
    loops: u32,
}

impl<W: Word> LoopState<W> {
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
}

impl<W: Word> TwoFactorsByLoops<W> {
    /// Returns the same problem with states in another word: `u128` for wider boards.
    #[must_use]
    pub fn with_word<V: Word>(self) -> TwoFactorsByLoops<V> {
        TwoFactorsByLoops { strands: self.strands.with_word(), exactly: self.exactly }
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
}

impl<W: Word> ContourProblem for TwoFactorsByLoops<W> {
    type State = LoopState<W>;
    type Label = PathPiece;

    fn cells(&self) -> usize {
        self.strands.cells()
    }

    fn start(&self) -> Self::State {
        LoopState { word: self.strands.start(), loops: 0 }
    }

    #[inline]
    fn step(&self, cell: usize, state: Self::State, emit: &mut impl FnMut(Self::State, PathPiece)) {
        let low = self.strands.plugs[cell];
        let closes =
            [state.word.get(low), state.word.get(low + 1)] == [Symbol::Open, Symbol::Close];
        let loops = state.loops + u32::from(closes);
        if self.exactly.is_none_or(|exactly| loops <= exactly) {
            self.strands
                .step(cell, state.word, &mut |word, piece| emit(LoopState { word, loops }, piece));
        }
    }

    fn accept(&self, state: Self::State) -> bool {
        self.strands.accept(state.word) && self.exactly.is_none_or(|exactly| state.loops == exactly)
    }

    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.strands.fits(cell)
    }

    /// A cell closes at most one loop.
    fn is_legal(&self, cell: usize, state: Self::State) -> bool {
        self.strands.is_legal(cell, state.word) && state.loops as usize <= cell
    }
}

impl<W: Word> Strands<W> {
    /// Draws a state after this number of cells as an SVG document: swept cells are shaded, the
    /// contour is the line around them, a short line across it is a plug, and an arc behind it
    /// joins the two ends of a piece of path. A plug with a dot is a loose end.
    ///
    /// ```
    /// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
    ///
    /// let cycles = hamiltonian_cycles(&Grid::new(4, 4)?);
    /// let svg = cycles.state_svg(4, "(())".parse()?); // the first row is swept
    /// assert_eq!(svg.matches("<path").count(), 2); // arcs
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state_svg(&self, cells: usize, state: Parentheses<W>) -> String {
        if state == finished() {
            return ContourPicture::new(self.grid(), cells, "closed").picture.finish();
        }
        let mut drawing = ContourPicture::new(self.grid(), cells, &state.to_string());
        drawing.ends(state, self.grid.plugs().min(state.len()));
        drawing.picture.finish()
    }
}
