//! Paths between any two cells, or between two given cells: [`Paths`]. An example is Tony's tour
//! (POJ 1739).

use std::marker::PhantomData;

use secateurs::Digest;
use secateurs::plug::algebra::Weight;
use secateurs::plug::code::{Bits, Joined, Parentheses, PathEnds, Role, Symbol, Word};
use secateurs::plug::motzkin::PathPiece;
use secateurs::plug::{ContourProblem, TooWide};
use smallvec::SmallVec;

use super::draw::{ContourPicture, Drawing};
use super::grid::Grid;

/// The paths on a [`Grid`] that begin and end in any cell, or in two given cells. Paths are
/// undirected: each counts once.
///
/// For paths that begin and end on the border of the board, parentheses suffice as states, as in
/// [`simple_paths`](super::simple_paths()) and [`hamiltonian_paths`](super::hamiltonian_paths()). A
/// path that begins *inside* the board may be enclosed by other pieces of it:
///
/// ```text
/// ┌───────┐ ╷    A piece of the path that comes back over the contour encloses one of its ends.
/// │   ╷   │ │    Another piece leads to its other end.
/// ━━━━━━━━━━━    the contour
/// (   o   ) o    the state
/// ```
///
/// So the state has a word of [`Parentheses`] for the pieces with both ends on the contour, and a
/// mask of the *loose* plugs, which lead to an end of the path. There are at most two loose plugs.
/// If a piece ends in a cell, the plug of its other end becomes loose. If two loose plugs meet, the
/// path is complete, and all later cells must be skipped. (A third parenthesis for the ends of
/// paths is the standard solution in plug DP; Chen Danqi, 2008.)
///
/// A single cell is a path without an edge; its label is [`PathPiece::ALONE`].
///
/// Boards of up to 31 cells along the shorter side fit into a state; [`with_word`](Self::with_word)
/// has room for 63.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, Paths};
///
/// let grid = Grid::new(4, 4)?;
/// assert_eq!(Sweep::new(&Paths::hamiltonian(&grid)).count().exact(), Some(276));
/// // Tony's tour: the Hamiltonian paths from the lower left corner to the lower right corner.
/// let tour = Paths::hamiltonian(&grid).between((3, 0), (3, 3));
/// assert_eq!(Sweep::new(&tour).count().exact(), Some(8));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Paths<W: Word = u64> {
    grid: Grid,
    rules: Vec<Rule>,
    may_skip: bool,
    /// The cells in which the path must end.
    ends: Vec<usize>,
    word: PhantomData<W>,
}

/// The permissions of a cell.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // independent permissions
struct Rule {
    /// The path may skip the cell.
    skip: bool,
    /// The path may enter by one side and leave by another.
    pass: bool,
    /// The largest number of ends of the path in this cell and the earlier ones, if the path may
    /// begin or end here; otherwise 0.
    ends: usize,
    /// The path may be this cell alone.
    alone: bool,
    /// Whether the path may leave by the low and by the high plug.
    ahead: [bool; 2],
}

impl Rule {
    /// Returns the plugs by which the path may leave, and their representation in a label.
    fn ways_out(self, low: usize) -> impl Iterator<Item = (usize, [bool; 2])> {
        let ways = [(low, [true, false]), (low + 1, [false, true])];
        ways.into_iter().zip(self.ahead).filter(|&(_, may)| may).map(|(way, _)| way)
    }
}

/// The contour state of [`Paths`]: the ends of the pieces of the path that cross the contour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathState<W: Word = u64> {
    /// The pieces of the path with both ends on the contour.
    pairs: Parentheses<W>,
    /// The plugs that lead to an end of the path.
    loose: Bits<W>,
}

impl<W: Word> PathState<W> {
    const EMPTY: Self = PathState { pairs: Parentheses::EMPTY, loose: Bits::EMPTY };

    /// Returns the state of a complete path, with a mask that no other state has.
    #[inline]
    fn whole() -> Self {
        PathState { pairs: Parentheses::EMPTY, loose: Bits::from_word(!W::ZERO) }
    }

    /// Returns whether this is a state of an incomplete path on a contour of `plugs` plugs.
    fn is_legal(self, plugs: usize) -> bool {
        let mut loose = self.loose.plugs();
        self.pairs.is_motzkin(plugs)
            && self.loose.count() <= 2
            && loose.all(|plug| plug < plugs && self.pairs.get(plug) == Symbol::Empty)
    }

    fn is_loose(self, plug: usize) -> bool {
        self.loose.get(plug)
    }

    fn is_taken(self, plug: usize) -> bool {
        self.is_loose(plug) || self.pairs.get(plug) != Symbol::Empty
    }

    fn with_loose(self, plug: usize) -> Self {
        PathState { loose: self.loose.with(plug, true), ..self }
    }

    fn moved(self, from: usize, to: usize) -> Self {
        match (from == to, self.is_loose(from)) {
            (true, _) => self,
            (false, true) => {
                PathState { loose: self.loose.with(from, false).with(to, true), ..self }
            }
            (false, false) => PathState { pairs: self.pairs.moved(from, to), ..self },
        }
    }

    /// Returns the state after the path ends at `plug`, or `None` if it must not.
    fn ended(self, plug: usize) -> Option<Self> {
        if self.is_loose(plug) {
            return self.whole_if_only(Bits::EMPTY.with(plug, true));
        }
        let mate = self.pairs.mate(plug)?;
        Some(PathState { pairs: self.pairs.without(plug).without(mate), ..self }.with_loose(mate))
    }

    /// Returns the state after two taken plugs are joined, or `None` if they must not.
    fn joined(self, low: usize, high: usize) -> Option<Self> {
        let (loose, other) = match (self.is_loose(low), self.is_loose(high)) {
            (true, true) => {
                return self.whole_if_only(Bits::EMPTY.with(low, true).with(high, true));
            }
            (true, false) => (low, high),
            (false, true) => (high, low),
            (false, false) => {
                return match self.pairs.join(low, high) {
                    Joined::Path(pairs) => Some(PathState { pairs, ..self }),
                    Joined::Loop(_) | Joined::Complete(_) => None,
                };
            }
        };
        let mate = self.pairs.mate(other)?;
        let pairs = self.pairs.without(other).without(mate);
        Some(PathState { pairs, loose: self.loose.with(loose, false).with(mate, true) })
    }

    /// Returns the state of a complete path if nothing but these loose plugs is on the contour.
    fn whole_if_only(self, plugs: Bits<W>) -> Option<Self> {
        (self.pairs.is_empty() && self.loose == plugs).then(Self::whole)
    }
}

impl<W: Word> PathEnds for PathState<W> {
    fn role(&self, plug: usize) -> Role {
        if self.is_loose(plug) { Role::Loose } else { self.pairs.role(plug) }
    }
}

impl Paths {
    /// Creates the problem of paths between any two cells that visit every free cell once (OEIS
    /// A096969 for square boards, which counts both directions).
    #[must_use]
    pub fn hamiltonian(grid: &Grid) -> Self {
        Self::new(grid, false)
    }

    /// Creates the problem of paths between any two cells that visit no cell twice.
    #[must_use]
    pub fn simple(grid: &Grid) -> Self {
        Self::new(grid, true)
    }

    fn new(grid: &Grid, may_skip: bool) -> Self {
        let free = Rule { skip: may_skip, pass: true, ends: 2, alone: true, ahead: [false; 2] };
        let rules = rules(grid, |_| free);
        Paths { grid: grid.clone(), rules, may_skip, ends: Vec::new(), word: PhantomData }
    }
}

impl<W: Word> Paths<W> {
    /// Returns the same problem with states in another word: `u128` for wider boards.
    #[must_use]
    pub fn with_word<V: Word>(self) -> Paths<V> {
        let Paths { grid, rules, may_skip, ends, .. } = self;
        Paths { grid, rules, may_skip, ends, word: PhantomData }
    }

    /// Restricts the problem to paths between two cells, given by row and column from the top left
    /// corner, from 0. There are none if one of them is an obstacle or outside the board. If both
    /// are the same cell, the only path is this cell, provided that no other free cell must be
    /// visited.
    #[must_use]
    pub fn between(self, one: (usize, usize), other: (usize, usize)) -> Self {
        let ends = [one, other];
        let rules = rules(&self.grid, |position| {
            if ends.contains(&position) {
                Rule {
                    ends: if one == other { 0 } else { 2 },
                    alone: one == other,
                    ..Rule::default()
                }
            } else {
                Rule { skip: self.may_skip, pass: true, ..Rule::default() }
            }
        });
        let ends = self.grid.cells_if_free(&ends);
        self.with_ends(ends, rules)
    }

    /// Restricts the problem to paths from a cell, given by row and column from the top left
    /// corner, from 0, to any cell. There are none if it is an obstacle or outside the board.
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs::plug::algebra::CountByWeight;
    /// use secateurs_problems::catalogue::{Grid, Paths};
    ///
    /// // The self-avoiding walks of up to 8 steps in the plane.
    /// let walks = Paths::simple(&Grid::new(17, 17)?).from((8, 8));
    /// let outcome = Sweep::new(&walks).run(&CountByWeight::new(walks.length()).up_to(8));
    /// let walks = outcome.total().and_then(|walks| walks.coefficient(8)).map(|n| n.to_string());
    /// assert_eq!(walks.as_deref(), Some("5916"));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn from(self, start: (usize, usize)) -> Self {
        let ends = self.grid.cells_if_free(&[start]);
        let first = ends.as_ref().map_or(0, |ends| ends[0]);
        let rules = rules(&self.grid, |position| {
            let is_start = position == start;
            Rule {
                skip: self.may_skip && !is_start,
                pass: !is_start,
                // The start is one of the two ends.
                ends: if self.grid.cell(position.0, position.1) < first { 1 } else { 2 },
                alone: is_start,
                ..Rule::default()
            }
        });
        self.with_ends(ends, rules)
    }

    /// Returns the problem with given ends and the rules for them. Without ends, there is no
    /// solution.
    fn with_ends(self, ends: Option<Vec<usize>>, mut rules: Vec<Rule>) -> Self {
        if ends.is_none() {
            rules[0] = Rule::default(); // permits nothing
        }
        Paths { rules, ends: ends.unwrap_or_default(), ..self }
    }

    /// Returns the number of edges of the path as a weight. It [bounds](Weight::least_to_go) the
    /// edges that are left, by the plugs and by the distances to given ends, so that a count up to
    /// a length has only states of short paths.
    #[must_use]
    pub fn length(&self) -> PathLength<'_, W> {
        PathLength(self)
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
}

fn rules(grid: &Grid, of_free: impl Fn((usize, usize)) -> Rule) -> Vec<Rule> {
    let obstacle = Rule { skip: true, ..Rule::default() };
    grid.rules(obstacle, |cell| Rule { ahead: grid.ahead(cell), ..of_free(grid.position(cell)) })
}

/// The number of edges of a path. Made by [`Paths::length`].
#[derive(Clone, Copy, Debug)]
pub struct PathLength<'p, W: Word = u64>(&'p Paths<W>);

impl<W: Word> Weight<Paths<W>> for PathLength<'_, W> {
    fn label(&self, _: usize, piece: PathPiece) -> i64 {
        piece.length()
    }

    /// Every plug is an edge to go. An end that is still to come is reached from one of them. Each
    /// of the others is joined to a plug of another piece, by as many edges as they are apart.
    fn least_to_go(&self, cell: usize, state: PathState<W>) -> i64 {
        if state == PathState::whole() {
            return 0;
        }
        let PathLength(Paths { grid, ends, .. }) = self;
        let apart = |one: (usize, usize), other: (usize, usize)| {
            one.0.abs_diff(other.0) + one.1.abs_diff(other.1)
        };
        let taken = (0..grid.plugs()).filter(|&plug| state.is_taken(plug));
        let taken: SmallVec<[(usize, (usize, usize)); 8]> =
            taken.map(|plug| (plug, grid.cell_ahead(cell, plug))).collect();
        let to_end = ends.iter().filter(|&&end| end > cell).filter_map(|&end| {
            let end = grid.line_and_place(end);
            taken.iter().map(|&(_, ahead)| apart(ahead, end)).min()
        });
        let mut to_others: SmallVec<[usize; 8]> = taken
            .iter()
            .map(|&(plug, ahead)| {
                let mate = if state.is_loose(plug) { None } else { state.pairs.mate(plug) };
                let others = taken.iter().filter(|other| other.0 != plug && Some(other.0) != mate);
                others.map(|&(_, other)| apart(ahead, other)).min().unwrap_or(0)
            })
            .collect();
        to_others.sort_unstable();
        let joined = taken.len().saturating_sub(2 - state.loose.count().min(2));
        let joints = to_others[..joined].iter().sum::<usize>().div_ceil(2);
        (taken.len() + to_end.max().unwrap_or(0) + joints) as i64
    }

    /// The problem determines the length.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of("length"))
    }
}

impl<W: Word> ContourProblem for Paths<W> {
    type State = PathState<W>;
    type Label = PathPiece;

    fn cells(&self) -> usize {
        self.rules.len()
    }

    fn start(&self) -> Self::State {
        PathState::EMPTY
    }

    fn step(&self, cell: usize, state: Self::State, emit: &mut impl FnMut(Self::State, PathPiece)) {
        let rule = self.rules[cell];
        if state == PathState::whole() {
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
                        PathState { pairs: state.pairs.pair(low, high), ..state },
                        PathPiece::new(came, [true; 2]),
                    );
                }
                if state.loose.count() < rule.ends {
                    for (plug, goes) in rule.ways_out(low) {
                        emit(state.with_loose(plug), PathPiece::new(came, goes));
                    }
                }
                if rule.alone && state == PathState::EMPTY {
                    emit(PathState::whole(), PathPiece::ALONE);
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
                if state.loose.count() < rule.ends
                    && let Some(state) = state.ended(from)
                {
                    emit(state, PathPiece::new(came, [false; 2]));
                }
            }
        }
    }

    fn accept(&self, state: Self::State) -> bool {
        state == PathState::whole()
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Parentheses::<W>::fits(self.grid.plugs())
    }

    fn is_legal(&self, _: usize, state: Self::State) -> bool {
        state == PathState::whole() || state.is_legal(self.grid.plugs())
    }
}

impl<W: Word> Paths<W> {
    /// Draws a state after this number of cells as an SVG document, like
    /// [`Strands::state_svg`](super::Strands::state_svg); a plug with a dot leads to an end of the
    /// path.
    ///
    /// ```
    /// use secateurs::plug::ContourProblem;
    /// use secateurs_problems::catalogue::{Grid, Paths};
    ///
    /// let paths = Paths::simple(&Grid::new(3, 3)?);
    /// assert!(paths.state_svg(0, paths.start()).starts_with("<svg"));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn state_svg(&self, cells: usize, state: PathState<W>) -> String {
        if state == PathState::whole() {
            return ContourPicture::new(self.grid(), cells, "whole").picture.finish();
        }
        let mut drawing = ContourPicture::new(self.grid(), cells, &state.pairs.to_string());
        // If the board is too wide, the other plugs do not fit into the state.
        drawing.ends(state, self.grid.plugs().min(Parentheses::<W>::CAPACITY));
        drawing.picture.finish()
    }
}
