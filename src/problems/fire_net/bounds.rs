//! The four upper bounds, from the cheapest to the exact one, and the hook that cuts by them.
//!
//! Each is an upper bound on how many bunkers can still be placed on the candidates of a state, so
//! that, with the number of bunkers placed, it is optimistic about everything below:
//!
//! number of candidates ≥ min(row segments with a candidate, column segments with a candidate) ≥
//! the sum of that minimum over the connected components ≥ maximum matching.
//!
//! Proof. Bunkers of one placement stand in different row segments and in different column
//! segments, hence on different candidates, hence the first two bounds, of which the second is the
//! smaller one because each segment counted has a candidate of its own. A placement is the union of
//! its parts in the components, each bounded by the minimum there, and a sum of minima is at most
//! the minimum of the sums. The placements on the candidates are the matchings of the graph whose
//! vertices are the segments and whose edges are the candidates, so the last bound is attained. ∎

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::live_matching::LiveMatching;
use super::segments::Axis;
use super::state::State;
use crate::digest::Digest;
use crate::hook::{Effect, Hook, Node, NodeMut, Verdict};
use crate::incumbent::{Incumbent, IncumbentId};
use crate::problem::Problem;

/// An upper bound on what can still be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The number of candidates. Cost: none, it is kept up to date.
    Cells,
    /// The smaller of the numbers of row and column segments with a candidate. Cost: none, they are
    /// kept up to date.
    Segments,
    /// The same, summed over the connected components. Cost: segments + candidates.
    Components,
    /// The maximum matching: exact. Cost: at the root that of a matching, then usually little, as
    /// the matching of the parent is repaired; at worst one walk over the candidates for each
    /// segment that lost its mate.
    Matching,
}

impl Bound {
    /// All of them, the weakest first.
    pub const ALL: [Bound; 4] = [Bound::Cells, Bound::Segments, Bound::Components, Bound::Matching];

    /// The bound of a state: no placement that contains it has more bunkers than this, except on
    /// cells that were excluded.
    ///
    /// Computed from nothing each time; [`UpperBound`] is the hook that keeps what it knows from
    /// node to node.
    ///
    /// ```
    /// use secateurs::Problem;
    /// use secateurs::problems::fire_net::{Board, Bound, ParseBoardError};
    ///
    /// let board: Board = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// assert_eq!(Bound::ALL.map(|bound| bound.at(&board, &board.root())), [13, 5, 5, 5]);
    /// # Ok::<(), ParseBoardError>(())
    /// ```
    #[must_use]
    pub fn at(self, board: &Board, state: &State) -> usize {
        state.placed()
            + match self {
                Bound::Cells => state.candidates(),
                Bound::Segments => {
                    state.open_segments(Axis::Row).min(state.open_segments(Axis::Column))
                }
                Bound::Components => components(board, state),
                Bound::Matching => LiveMatching::of(board, state).len(),
            }
    }
}

/// The sum over the connected components of the smaller number of segments.
fn components(board: &Board, state: &State) -> usize {
    let segments = board.segments();
    let in_rows = segments.along(Axis::Row);
    let mut seen = vec![false; segments.len()];
    let mut stack = Vec::new();
    let mut sum = 0;
    for first in 0..in_rows {
        if seen[first] || state.degree(first) == 0 {
            continue;
        }
        let mut sides = [0usize; 2];
        seen[first] = true;
        stack.push(first);
        while let Some(segment) = stack.pop() {
            sides[usize::from(segment >= in_rows)] += 1;
            for cell in segments.get(segment).cells().filter(|&cell| state.is_candidate(cell)) {
                let other = segments.other(segment, cell);
                if !seen[other] {
                    seen[other] = true;
                    stack.push(other);
                }
            }
        }
        sum += sides[0].min(sides[1]);
    }
    sum
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Bound::Cells => "cells",
            Bound::Segments => "segments",
            Bound::Components => "components",
            Bound::Matching => "matching",
        })
    }
}

impl FromStr for Bound {
    type Err = UnknownBound;

    fn from_str(name: &str) -> Result<Bound, UnknownBound> {
        Bound::ALL
            .into_iter()
            .find(|bound| bound.to_string() == name)
            .ok_or_else(|| UnknownBound(name.to_owned()))
    }
}

/// What was given is not the name of a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownBound(String);

impl fmt::Display for UnknownBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {:?}, expected `cells`, `segments`, `components` or `matching`", self.0)
    }
}

impl std::error::Error for UnknownBound {}

/// A hook that cuts off what cannot beat the incumbent by one of the four bounds.
///
/// A node is cut on entering; and once an improvement has brought the incumbent up to a node's
/// bound, its remaining children are not even admitted. Put it behind the hooks that infer, for it
/// should see what they have left.
///
/// ```
/// use secateurs::problems::fire_net::{Board, Bound, SmallestSegment, UpperBound};
/// use secateurs::{Objective, Search};
///
/// let board = Board::empty(6, 6);
/// let placed = Objective::maximise(|_: &Board, state: &_| Board::placed(state));
/// let bound = UpperBound::new(Bound::Segments, placed.incumbent().clone());
/// let outcome = Search::new(&board).brancher(SmallestSegment::new()).hooks((bound,)).best(&placed);
/// assert_eq!(outcome.proven(), Some(&6));
/// assert_eq!(outcome.report().nodes(), 7); // one dive, and nothing can be better
/// ```
#[derive(Clone, Debug)]
pub struct UpperBound {
    bound: Bound,
    name: String,
    incumbent: Incumbent<usize>,
    matching: LiveMatching,
    /// By depth, along the path: the bound found there.
    found: Vec<usize>,
}

impl UpperBound {
    /// Compares `bound` with `incumbent` at every node.
    #[must_use]
    pub fn new(bound: Bound, incumbent: Incumbent<usize>) -> Self {
        UpperBound {
            bound,
            name: format!("bound: {bound}"),
            incumbent: incumbent.declared(),
            matching: LiveMatching::default(),
            found: Vec::new(),
        }
    }
}

impl Hook<Board> for UpperBound {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.bound))
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn admit(&mut self, node: &Node<'_, Board>, _: &<Board as Problem>::Choice) -> Verdict {
        Verdict::keep_if(self.incumbent.is_beaten_by(&self.found[node.depth()]))
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Board>) -> Verdict {
        let (board, depth) = (node.problem(), node.depth());
        node.state_mut().exclude_passed(board);
        let state = node.state();
        let found = match self.bound {
            Bound::Matching => state.placed() + self.matching.enter(board, state, depth),
            other => other.at(board, state),
        };
        self.found.truncate(depth);
        self.found.push(found);
        Verdict::keep_if(self.incumbent.is_beaten_by(&found))
    }
}
