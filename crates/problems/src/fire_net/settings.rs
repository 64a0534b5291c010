//! [`FireNetSettings`]: prunings, bound, branching and limits, chosen at run time.

use std::fmt;
use std::str::FromStr;

use secateurs::hook::BoxedHook;
use secateurs::search::{Estimate, Search};
use secateurs::{Direction, Incumbent, Limits, Objective, Optimum, Outcome, ParseError};

use super::board::FireNetBoard;
use super::bounds::{BoundKind, EnoughBunkers, TooFewCells, UpperBound};
use super::branching::{BranchOn, Cells, SmallestSegment};
use super::inference::{DegreeOne, Scope};
use super::rectangle::{
    closed_rectangle, open_ends, open_short_side, open_side, walled_long_sides,
};
use super::state::State;
use crate::selection::Selection;

/// A set of the ten prunings of the article.
pub type FireNetPrunings = Selection<10>;

/// A way of branching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FireNetBranching {
    /// Cell by cell: [`Cells`], with prunings 1 and 2 if they are selected.
    Cells,
    /// On the smallest segment: [`SmallestSegment`], which implies prunings 1 and 2.
    Segments,
    /// On the smallest segment, the cell of a maximum matching first:
    /// [`SmallestSegment::matched_first`].
    Matching,
}

impl FireNetBranching {
    /// All ways of branching.
    pub const ALL: [FireNetBranching; 3] =
        [FireNetBranching::Cells, FireNetBranching::Segments, FireNetBranching::Matching];
}

impl fmt::Display for FireNetBranching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FireNetBranching::Cells => "cells",
            FireNetBranching::Segments => "segments",
            FireNetBranching::Matching => "matching",
        })
    }
}

impl FromStr for FireNetBranching {
    type Err = ParseError;

    /// Reads `cells`, `segments` or `matching`.
    fn from_str(name: &str) -> Result<FireNetBranching, ParseError> {
        let mut all = FireNetBranching::ALL.into_iter();
        all.find(|branching| branching.to_string() == name).ok_or_else(|| {
            ParseError::new(format_args!(
                "found {name:?}, expected `cells`, `segments` or `matching`"
            ))
        })
    }
}

/// The settings of a search for a largest placement.
///
/// The default proves the optimum of boards of 1000×1000 cells in about a second: it branches on
/// the smallest segment, the cell of a maximum matching first, with prunings 1 to 5 and the
/// matching as a bound. It needs one dive, which has at most one node more than there are bunkers.
/// [`FireNetSettings::article`] gives the programs of the article instead.
///
/// [`FireNetBranching::Segments`] orders the cells by their numbers of candidates. A choice near
/// the root that loses a bunker is then expensive to revise: on 500×500 cells with 10 % walls the
/// search takes a million nodes. [`maximum_matching`](super::maximum_matching) needs no search.
///
/// ```
/// use secateurs_problems::fire_net::{FireNetBoard, FireNetSettings, FireNetPrunings};
///
/// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let outcome = FireNetSettings::default().solve(&board);
/// assert_eq!(outcome.proven(), Some(&5));
/// assert_eq!(outcome.solution().map(Vec::len), Some(5)); // the cells of the bunkers
///
/// // The article's programs, pruning by pruning.
/// let nodes = |last| {
///     let settings = FireNetSettings::article(FireNetPrunings::of(1..=last));
///     settings.solve(&board).report().nodes()
/// };
/// assert_eq!([0, 2, 3, 4, 5].map(nodes), [1844, 175, 111, 6, 3]);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct FireNetSettings {
    prunings: FireNetPrunings,
    bound: Option<BoundKind>,
    branching: FireNetBranching,
    scope: Scope,
    limits: Limits,
}

impl Default for FireNetSettings {
    fn default() -> Self {
        FireNetSettings {
            prunings: FireNetPrunings::of(1..=5),
            bound: Some(BoundKind::Matching),
            branching: FireNetBranching::Matching,
            scope: Scope::EveryNode,
            limits: Limits::new(),
        }
    }
}

impl FireNetSettings {
    /// Creates the settings of the article's program with the given prunings: it branches cell by
    /// cell, applies prunings 5 to 10 at the root only, and has no bounds except prunings 3 and 4.
    /// Without prunings it is the program of appendix II, with 1 to 5 that of appendix III.
    ///
    /// The number of nodes is the number of calls of the article's `Find`. There is one exception:
    /// if the inferences at the root place as many bunkers as pruning 4 requires, the article
    /// counts 0 calls, and the report counts the root. If they leave nothing to search but place
    /// fewer bunkers, both count 1.
    pub fn article(prunings: FireNetPrunings) -> Self {
        FireNetSettings {
            prunings,
            bound: None,
            branching: FireNetBranching::Cells,
            scope: Scope::Root,
            limits: Limits::new(),
        }
    }

    /// Sets the prunings.
    pub fn prunings(mut self, prunings: FireNetPrunings) -> Self {
        self.prunings = prunings;
        self
    }

    /// Sets the bound, or removes it.
    pub fn bound(mut self, bound: Option<BoundKind>) -> Self {
        self.bound = bound;
        self
    }

    /// Sets the way of branching.
    pub fn branching(mut self, branching: FireNetBranching) -> Self {
        self.branching = branching;
        self
    }

    /// Sets the nodes at which prunings 5 to 10 are applied.
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Sets the limits of the search.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Creates the hooks of these settings, in the order in which they should be called: first
    /// inferences, then bounds. Pruning 3 counts candidates as the article's program does if cells
    /// are chosen in increasing order (pruning 2), and as the text of the article does otherwise.
    ///
    /// `incumbent` must come from an [`Objective`] that maximises [`FireNetBoard::placed`].
    #[must_use]
    pub fn hooks(&self, incumbent: &Incumbent<usize>) -> Vec<BoxedHook<'static, FireNetBoard>> {
        let mut hooks: Vec<BoxedHook<'static, FireNetBoard>> = Vec::new();
        for number in [5, 6, 7, 8, 9, 10, 4, 3] {
            if !self.prunings.contains(number) {
                continue;
            }
            let incumbent = incumbent.clone();
            hooks.push(match number {
                3 if self.branching == FireNetBranching::Cells && self.prunings.contains(2) => {
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

    /// Searches for a largest placement. The outcome has its size and the cells of its bunkers in
    /// increasing order, including the bunkers given on the board.
    pub fn solve(&self, board: &FireNetBoard) -> Outcome<Optimum<usize, Vec<usize>>> {
        let objective = Objective::maximise(|_: &FireNetBoard, state: &State| state.placed());
        self.search(board, objective.incumbent())
            .extract(|node| node.state().sorted_bunkers())
            .best(&objective)
    }

    /// Estimates the size of the search tree with these settings from random probes, see
    /// [`Search::estimate`].
    ///
    /// The estimate is for a search that starts with an incumbent of `incumbent` bunkers, if that
    /// is given. The tree of [`solve`](Self::solve) is larger by the nodes that it visits before it
    /// finds such a placement.
    ///
    /// ```
    /// use secateurs_problems::fire_net::{FireNetBoard, FireNetSettings};
    ///
    /// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// let no_bound = FireNetSettings::default().bound(None).estimate(&board, None, 1_000, 1);
    /// let bounded = FireNetSettings::default().estimate(&board, Some(5), 1_000, 1);
    /// assert!(no_bound.nodes().map(|nodes| nodes.mean) > bounded.nodes().map(|nodes| nodes.mean));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    pub fn estimate(
        &self,
        board: &FireNetBoard,
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

    /// Creates the search with these settings, for callers that need more than
    /// [`solve`](Self::solve): threads, progress, or the frontier that is left when it stops.
    ///
    /// `incumbent` must come from an [`Objective`] that maximises [`FireNetBoard::placed`].
    ///
    /// ```
    /// use secateurs::Objective;
    /// use secateurs_problems::fire_net::{FireNetBoard, FireNetSettings};
    ///
    /// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// let search = FireNetSettings::default().search(&board, placed.incumbent());
    /// let outcome = search.threads(2).best(&placed);
    /// assert_eq!(outcome.proven(), Some(&5));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    pub fn search<'b>(
        &self,
        board: &'b FireNetBoard,
        incumbent: &Incumbent<usize>,
    ) -> Search<'b, FireNetBoard, BranchOn, Vec<BoxedHook<'static, FireNetBoard>>> {
        let brancher = match self.branching {
            FireNetBranching::Segments => BranchOn::Segments(SmallestSegment::new()),
            FireNetBranching::Matching => BranchOn::Segments(SmallestSegment::matched_first()),
            FireNetBranching::Cells => BranchOn::Cells(Cells {
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
