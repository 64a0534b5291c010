//! One call that puts a search together from choices made at run time.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::bounds::{Bound, UpperBound};
use super::branching::{BranchOn, Cells, SmallestSegment};
use super::prunings::{
    DegreeOne, EnoughBunkers, Prunings, Scope, TooFewCells, closed_rectangle, open_ends,
    open_short_side, open_side, walled_long_sides,
};
use super::state::State;
use crate::hook::BoxedHook;
use crate::incumbent::{Direction, Incumbent, Objective};
use crate::limits::Limits;
use crate::outcome::{Optimum, Outcome};
use crate::search::{Estimate, Search};

/// What is branched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Branching {
    /// The cells in turn: [`Cells`], with prunings 1 and 2 if they are on.
    Cells,
    /// The smallest free segment: [`SmallestSegment`]. Prunings 1 and 2 are implied.
    Segments,
}

impl fmt::Display for Branching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Branching::Cells => "cells",
            Branching::Segments => "segments",
        })
    }
}

impl FromStr for Branching {
    type Err = UnknownBranching;

    fn from_str(name: &str) -> Result<Branching, UnknownBranching> {
        match name {
            "cells" => Ok(Branching::Cells),
            "segments" => Ok(Branching::Segments),
            _ => Err(UnknownBranching(name.to_owned())),
        }
    }
}

/// What was given is not the name of a way of branching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownBranching(String);

impl fmt::Display for UnknownBranching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {:?}, expected `cells` or `segments`", self.0)
    }
}

impl std::error::Error for UnknownBranching {}

/// What a search for a largest placement is put together from.
///
/// The default proves boards of 300×300 cells in a fraction of a second: the smallest free segment,
/// prunings 1 to 5, and the matching as a bound. [`Settings::article`] gives the article's programs
/// instead.
///
/// What a large board costs is going back to a choice that was made long ago: on 600×600 cells with
/// 10 % walls the proof takes millions of nodes and some 15 seconds, on larger ones longer.
/// [`maximum_matching`](super::maximum_matching) needs no search.
///
/// ```
/// use secateurs::problems::fire_net::{Board, ParseBoardError, Prunings, Settings};
///
/// let board: Board = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let outcome = Settings::default().solve(&board);
/// assert_eq!(outcome.proven(), Some(&5));
/// assert_eq!(outcome.solution().map(Vec::len), Some(5)); // the cells of the bunkers
///
/// // The article's programs, pruning by pruning.
/// let nodes = |numbers| Settings::article(Prunings::of(numbers)).solve(&board).report().nodes();
/// assert_eq!([nodes(0..=0), nodes(1..=2), nodes(1..=3), nodes(1..=4), nodes(1..=5)], [1844, 175, 111, 6, 3]);
/// # Ok::<(), ParseBoardError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Settings {
    prunings: Prunings,
    bound: Option<Bound>,
    branching: Branching,
    scope: Scope,
    limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            prunings: Prunings::of(1..=5),
            bound: Some(Bound::Matching),
            branching: Branching::Segments,
            scope: Scope::EveryNode,
            limits: Limits::new(),
        }
    }
}

impl Settings {
    /// The article's program with the given prunings: cell by cell, prunings 5 to 10 at the root
    /// only, and no bound but pruning 3, counted as in the program. With none it is the article's
    /// appendix II, with 1 to 5 its appendix III.
    ///
    /// Nodes are then calls of the article's `Find`. (Where nothing is left to search after the
    /// root's inferences the article counts 0, and we count the root.)
    pub fn article(prunings: Prunings) -> Self {
        Settings {
            prunings,
            bound: None,
            branching: Branching::Cells,
            scope: Scope::Root,
            limits: Limits::new(),
        }
    }

    /// These prunings, in place of those there were.
    pub fn prunings(mut self, prunings: Prunings) -> Self {
        self.prunings = prunings;
        self
    }

    /// This bound, or none.
    pub fn bound(mut self, bound: Option<Bound>) -> Self {
        self.bound = bound;
        self
    }

    /// Branching like this.
    pub fn branching(mut self, branching: Branching) -> Self {
        self.branching = branching;
        self
    }

    /// Prunings 5 to 10 at these nodes.
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Stop at these limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The hooks of these settings, in the order in which they should be asked: inferences first,
    /// bounds behind them.
    ///
    /// `incumbent` is that of an [`Objective`] that maximises [`Board::placed`].
    #[must_use]
    pub fn hooks(&self, incumbent: &Incumbent<usize>) -> Vec<BoxedHook<'static, Board>> {
        let mut hooks: Vec<BoxedHook<'static, Board>> = Vec::new();
        for number in [5, 6, 7, 8, 9, 10, 4, 3] {
            if !self.prunings.contains(number) {
                continue;
            }
            let incumbent = incumbent.clone();
            hooks.push(match number {
                3 if self.branching == Branching::Cells && self.prunings.contains(2) => {
                    Box::new(TooFewCells::as_programmed(incumbent))
                }
                3 => Box::new(TooFewCells::new(incumbent)),
                4 => Box::new(EnoughBunkers::new(incumbent)),
                5 => Box::new(DegreeOne::new(self.scope)),
                6 => Box::new(closed_rectangle(self.scope)),
                7 => Box::new(open_short_side(self.scope)),
                8 => Box::new(walled_long_sides(self.scope)),
                9 => Box::new(open_side(self.scope)),
                _ => Box::new(open_ends(self.scope)),
            });
        }
        if let Some(bound) = self.bound {
            hooks.push(Box::new(UpperBound::new(bound, incumbent.clone())));
        }
        hooks
    }

    /// Searches for a largest placement: its size, and the cells of its bunkers in increasing
    /// order, the board's own included.
    pub fn solve(&self, board: &Board) -> Outcome<Optimum<usize, Vec<usize>>> {
        let objective = Objective::maximise(|_: &Board, state: &State| state.placed());
        self.search(board, objective.incumbent())
            .extract(|node| cells(node.state()))
            .best(&objective)
    }

    /// How large the tree is that a search with these settings visits if it knows from the
    /// beginning of a placement of `incumbent` bunkers, from so many random probes: see
    /// [`Search::estimate`]. The tree of [`solve`](Self::solve) is the larger, the longer it takes
    /// to find such a placement.
    ///
    /// ```
    /// use secateurs::problems::fire_net::{Board, Settings};
    ///
    /// let board: Board = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// let blind = Settings::default().bound(None).estimate(&board, None, 1_000, 1);
    /// let bounded = Settings::default().estimate(&board, Some(5), 1_000, 1);
    /// assert!(blind.nodes().map(|nodes| nodes.mean) > bounded.nodes().map(|nodes| nodes.mean));
    /// # Ok::<(), secateurs::problems::fire_net::ParseBoardError>(())
    /// ```
    pub fn estimate(
        &self,
        board: &Board,
        incumbent: Option<usize>,
        probes: u64,
        seed: u64,
    ) -> Estimate {
        let known = Incumbent::new(Direction::Maximise);
        if let Some(placed) = incumbent {
            known.offer(placed);
        }
        self.search(board, &known).estimate(probes, seed)
    }

    /// The search of these settings, for who wants more of it than [`solve`](Self::solve) does:
    /// threads, progress, what is left when it stops.
    ///
    /// `incumbent` is that of an [`Objective`] that maximises [`Board::placed`].
    ///
    /// ```
    /// use secateurs::Objective;
    /// use secateurs::problems::fire_net::{Board, Settings};
    ///
    /// let board: Board = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// let placed = Objective::maximise(|_: &Board, state: &_| Board::placed(state));
    /// let outcome = Settings::default().search(&board, placed.incumbent()).threads(2).best(&placed);
    /// assert_eq!(outcome.proven(), Some(&5));
    /// # Ok::<(), secateurs::problems::fire_net::ParseBoardError>(())
    /// ```
    pub fn search<'b>(
        &self,
        board: &'b Board,
        incumbent: &Incumbent<usize>,
    ) -> Search<'b, Board, BranchOn, Vec<BoxedHook<'static, Board>>> {
        let brancher = match self.branching {
            Branching::Segments => BranchOn::Segments(SmallestSegment::new()),
            Branching::Cells => BranchOn::Cells(Cells {
                listed: self.prunings.contains(1),
                increasing: self.prunings.contains(2),
            }),
        };
        Search::new(board)
            .hooks(self.hooks(incumbent))
            .brancher(brancher)
            .limits(self.limits.clone())
    }
}

/// The cells of the bunkers in increasing order.
pub(super) fn cells(state: &State) -> Vec<usize> {
    let mut cells = state.bunkers().to_vec();
    cells.sort_unstable();
    cells
}
