//! Upper bounds: prunings 3 and 4 of the article, and four more for the hook [`UpperBound`], from
//! the cheapest to the exact one.
//!
//! Each of the four limits how many bunkers can still be placed on the candidates of a state. Its
//! sum with the number of bunkers placed is therefore an upper bound for the whole subtree:
//!
//! number of candidates ≥ min(row segments with a candidate, column segments with a candidate) ≥
//! the sum of that minimum over the connected components ≥ maximum matching.
//!
//! *Proof.* Bunkers of one placement stand in different row segments and in different column
//! segments, hence on different candidates. This proves the first two bounds. The second is at most
//! the first because each row segment counted has a candidate of its own. A placement is the union
//! of its parts in the components. Each part is bounded by the minimum of its component, and a sum
//! of minima is at most the minimum of the sums. The placements on the candidates are the matchings
//! of the graph whose vertices are the segments and whose edges are the candidates, so the last
//! bound is attained. ∎

use std::fmt;
use std::str::FromStr;

use secateurs::hook::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};
use secateurs::{Digest, Incumbent, IncumbentId, ParseError, Problem};

use super::board::FireNetBoard;
use super::matching::IncrementalMatching;
use super::segments::Axis;
use super::state::{Choice, State};

/// A kind of upper bound on the number of bunkers that can be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoundKind {
    /// The number of candidates. Takes constant time, since the state maintains it.
    Cells,
    /// The smaller of the numbers of row and column segments with a candidate. Takes constant time,
    /// since the state maintains both.
    Segments,
    /// The same minimum, summed over the connected components. Takes time linear in the numbers of
    /// segments and candidates.
    Components,
    /// The size of the maximum matching, which is exact. It is computed at the root. At other nodes
    /// the matching of the parent is repaired, usually at little cost, at worst with one walk over
    /// the candidates for each segment that has lost its mate.
    Matching,
}

impl BoundKind {
    /// All bounds, the weakest first.
    pub const ALL: [BoundKind; 4] =
        [BoundKind::Cells, BoundKind::Segments, BoundKind::Components, BoundKind::Matching];

    /// Returns the bound of a state: no placement that contains its bunkers and avoids the excluded
    /// cells has more bunkers than this.
    ///
    /// The bound is computed from scratch. The hook [`UpperBound`] computes it incrementally.
    ///
    /// ```
    /// use secateurs::Problem;
    /// use secateurs_problems::fire_net::{BoundKind, FireNetBoard};
    ///
    /// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// assert_eq!(BoundKind::ALL.map(|bound| bound.at(&board, &board.root())), [13, 5, 5, 5]);
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    #[must_use]
    pub fn at(self, board: &FireNetBoard, state: &State) -> usize {
        state.placed()
            + match self {
                BoundKind::Cells => state.candidates(),
                BoundKind::Segments => {
                    state.open_segments(Axis::Row).min(state.open_segments(Axis::Column))
                }
                BoundKind::Components => components(board, state),
                BoundKind::Matching => IncrementalMatching::of(board, state).len(),
            }
    }
}

/// Sums the smaller of the two numbers of segments over the connected components.
fn components(board: &FireNetBoard, state: &State) -> usize {
    let segments = board.segments();
    let row_segments = segments.along(Axis::Row);
    let mut visited = vec![false; segments.len()];
    let mut stack = Vec::new();
    let mut sum = 0;
    for first in 0..row_segments {
        if visited[first] || state.degree(first) == 0 {
            continue;
        }
        let mut by_axis = [0usize; 2];
        visited[first] = true;
        stack.push(first);
        while let Some(segment) = stack.pop() {
            by_axis[usize::from(segment >= row_segments)] += 1;
            for cell in segments.get(segment).cells().filter(|&cell| state.is_candidate(cell)) {
                let other = segments.other(segment, cell);
                if !visited[other] {
                    visited[other] = true;
                    stack.push(other);
                }
            }
        }
        sum += by_axis[0].min(by_axis[1]);
    }
    sum
}

impl fmt::Display for BoundKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            BoundKind::Cells => "cells",
            BoundKind::Segments => "segments",
            BoundKind::Components => "components",
            BoundKind::Matching => "matching",
        })
    }
}

impl FromStr for BoundKind {
    type Err = ParseError;

    /// Reads the name of a bound.
    fn from_str(name: &str) -> Result<BoundKind, ParseError> {
        BoundKind::ALL.into_iter().find(|bound| bound.to_string() == name).ok_or_else(|| {
            ParseError::new(format_args!(
                "found {name:?}, expected `cells`, `segments`, `components` or `matching`"
            ))
        })
    }
}

/// A hook that prunes nodes whose upper bound does not beat the incumbent.
///
/// It compares the bound with the incumbent when a node is entered, and again before each child:
/// once the incumbent reaches the bound of a node, the remaining children are not admitted. Place
/// it after the hooks that infer bunkers, so that it bounds the state that they leave.
///
/// ```
/// use secateurs::{Objective, Search};
/// use secateurs_problems::fire_net::{BoundKind, FireNetBoard, SmallestSegment, UpperBound};
///
/// let board = FireNetBoard::empty(6, 6);
/// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
/// let bound = UpperBound::new(BoundKind::Segments, placed.incumbent().clone());
/// let search = Search::new(&board).brancher(SmallestSegment::new()).hooks((bound,));
/// let outcome = search.best(&placed);
/// assert_eq!(outcome.proven(), Some(&6));
/// assert_eq!(outcome.report().nodes(), 7); // one dive, whose solution attains the bound
/// ```
#[derive(Clone, Debug)]
pub struct UpperBound {
    kind: BoundKind,
    name: String,
    incumbent: Incumbent<usize>,
    matching: IncrementalMatching,
    /// By depth: the bounds of the nodes on the path.
    bounds: Vec<usize>,
}

impl UpperBound {
    /// Creates a hook that compares this kind of bound with `incumbent` at every node.
    #[must_use]
    pub fn new(kind: BoundKind, incumbent: Incumbent<usize>) -> Self {
        UpperBound {
            kind,
            name: format!("bound: {kind}"),
            incumbent: incumbent.declared(),
            matching: IncrementalMatching::default(),
            bounds: Vec::new(),
        }
    }
}

impl Hook<FireNetBoard> for UpperBound {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.kind))
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn admit(
        &mut self,
        node: &Node<'_, FireNetBoard>,
        _: &<FireNetBoard as Problem>::Choice,
    ) -> Verdict {
        Verdict::keep_if(self.incumbent.is_beaten_by(&self.bounds[node.depth()]))
    }

    fn enter(&mut self, node: &mut NodeMut<'_, FireNetBoard>) -> Verdict {
        let (board, depth) = (node.problem(), node.depth());
        node.state_mut().exclude_passed(board);
        let state = node.state();
        let bound = match self.kind {
            BoundKind::Matching => state.placed() + self.matching.enter(board, state, depth),
            other => other.at(board, state),
        };
        self.bounds.truncate(depth);
        self.bounds.push(bound);
        Verdict::keep_if(self.incumbent.is_beaten_by(&bound))
    }
}

/// The hook of pruning 3: it prunes if even a bunker on every cell that is left would not beat the
/// incumbent.
///
/// *Statement.* If the bunkers placed and the candidates left are together at most the best number
/// found, no placement in the subtree is better. *Proof.* Every further bunker stands on a
/// candidate of its own. ∎
///
/// There are two ways to count. [`TooFewCells::new`] counts candidates, as in the text of the
/// article. The article's *program* ([`TooFewCells::as_programmed`]) is weaker: it lists the N
/// candidates once, at the root. At a node with `placed` bunkers it tries the i-th cell of the list
/// (from 0) only if i < N + placed − best, where `best` is the best number known on entering the
/// node (one less while the incumbent accepts ties, but not less than `placed`). This also counts
/// cells of the list that a bunker sees by now. It is still a bound: the bunkers placed in
/// increasing order from the i-th cell on stand on different cells of the last N − i. This bound
/// requires pruning 2, so the hook applies it to [`Choice::Next`] and admits all other choices.
///
/// This hook acts best after all hooks that infer bunkers (prunings 5 to 10).
#[derive(Clone, Debug)]
pub struct TooFewCells {
    incumbent: Incumbent<usize>,
    as_programmed: bool,
    /// By cell: its index in the list.
    list_index: Vec<usize>,
    /// The length of the list.
    list_length: usize,
    /// By depth, along the path: the best number known on entering, or one less while ties are
    /// accepted; at least the number placed then.
    best_on_entry: Vec<usize>,
}

impl TooFewCells {
    /// Creates a hook that counts the candidates left, when a node is entered.
    #[must_use]
    pub fn new(incumbent: Incumbent<usize>) -> Self {
        TooFewCells {
            incumbent: incumbent.declared(),
            as_programmed: false,
            list_index: Vec::new(),
            list_length: 0,
            best_on_entry: Vec::new(),
        }
    }

    /// Creates a hook that counts as the article's program does, before each step.
    #[must_use]
    pub fn as_programmed(incumbent: Incumbent<usize>) -> Self {
        TooFewCells { as_programmed: true, ..TooFewCells::new(incumbent) }
    }

    fn make_list(&mut self, node: &NodeMut<'_, FireNetBoard>) {
        self.list_index = vec![0; node.problem().cells()];
        self.list_length = 0;
        let mut cell = 0;
        while let Some(candidate) = node.state().next_candidate(cell) {
            self.list_index[candidate] = self.list_length;
            self.list_length += 1;
            cell = candidate + 1;
        }
    }
}

impl Hook<FireNetBoard> for TooFewCells {
    fn name(&self) -> &str {
        "3: too few cells"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.as_programmed))
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn admit(&mut self, node: &Node<'_, FireNetBoard>, choice: &Choice) -> Verdict {
        match *choice {
            Choice::Next(cell) if self.as_programmed => {
                // Hooks that enter the node after this one may have placed more bunkers.
                let placed = node.state().placed();
                let best = self.best_on_entry[node.depth()].max(placed);
                Verdict::keep_if(placed + self.list_length - self.list_index[cell] > best)
            }
            _ => Verdict::Keep,
        }
    }

    fn enter(&mut self, node: &mut NodeMut<'_, FireNetBoard>) -> Verdict {
        if !self.as_programmed {
            let board = node.problem();
            node.state_mut().exclude_passed(board);
            return Verdict::keep_if(
                self.incumbent.is_beaten_by(&(node.state().placed() + node.state().candidates())),
            );
        }
        let depth = node.depth();
        if depth == 0 {
            self.make_list(node);
        }
        // The node is a solution itself, and updates the incumbent before its children are visited.
        let placed = node.state().placed();
        // A node that is only as good as the incumbent is wanted if ties are accepted.
        let ties = usize::from(self.incumbent.accepts_ties());
        let best =
            self.incumbent.get().map_or(placed, |best| placed.max(best.saturating_sub(ties)));
        self.best_on_entry.truncate(depth);
        self.best_on_entry.push(best);
        Verdict::Keep
    }
}

/// The hook of pruning 4: it ends the search when the best number found reaches the smaller of the
/// numbers of row segments and of column segments.
///
/// *Statement.* No placement has more bunkers than there are row segments, nor than there are
/// column segments. *Proof.* Two bunkers in one segment would see each other. ∎
///
/// Once that number is reached, the hook admits no choice, which ends the search. The bound is
/// often loose: it is attained on 3 % of random 10×10 boards with 50 % empty cells, and on 85 % of
/// those with 95 %.
#[derive(Clone, Debug)]
pub struct EnoughBunkers {
    incumbent: Incumbent<usize>,
}

impl EnoughBunkers {
    /// Creates a hook that compares the bound with `incumbent` before every step.
    #[must_use]
    pub fn new(incumbent: Incumbent<usize>) -> Self {
        EnoughBunkers { incumbent: incumbent.declared() }
    }
}

impl Hook<FireNetBoard> for EnoughBunkers {
    fn name(&self) -> &str {
        "4: enough bunkers"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    fn admit(&mut self, node: &Node<'_, FireNetBoard>, _: &Choice) -> Verdict {
        let segments = node.problem().segments();
        let most = segments.along(Axis::Row).min(segments.along(Axis::Column));
        Verdict::keep_if(self.incumbent.is_beaten_by(&most))
    }
}
