//! Prunings 6 to 10: [`Rectangle`], an area of empty cells with walled sides; the five rules, which
//! place bunkers in one; and [`RectangleRule`], the hook that applies a rule to the rectangles that
//! have changed.

use secateurs::Digest;
use secateurs::hook::{Effect, Hook, NodeMut, Substitute, Verdict};

use super::board::FireNetBoard;
use super::inference::{Scope, TrailMarks};
use super::segments::Axis;
use super::state::State;

/// A rectangle of empty cells with at least two opposite walled sides.
///
/// A side is *walled* if no line of the rectangle that crosses it has a candidate beyond it. Walls
/// and borders make a side walled, but so do cells that a bunker sees and excluded cells: only
/// candidates matter.
///
/// The *walled lines* run from one of two opposite walled sides to the other, so their segments
/// have no candidate outside the rectangle. The *crossing lines* run at right angles to them. Their
/// segments may have candidates beyond the *near* or the *far* side. Only lines with a candidate in
/// the rectangle count; a line that holds a bunker has none. The rectangle is *full* if every
/// cell where a walled line meets a crossing line is a candidate. For the proofs: in the graph
/// whose edges are the candidates, the walled lines are a set W of vertices, the crossing lines a
/// set C, and all neighbours of W lie in C.
#[derive(Debug)]
pub struct Rectangle<'a> {
    board: &'a FireNetBoard,
    state: &'a State,
    axis: Axis,
    /// The rows or columns of the walled lines.
    walled: &'a [usize],
    /// The columns or rows of the crossing lines, each with its number of candidates inside.
    crossing: &'a [(usize, u32)],
    /// The first row or column among the walled lines.
    near: usize,
    /// The last row or column among the walled lines.
    far: usize,
}

/// The rule of a pruning, which returns the cells of the bunkers to place in a rectangle, or `None`
/// if it does not apply.
type Rule = fn(&Rectangle<'_>) -> Option<Vec<usize>>;

/// Returns the cell at a position along a row or column (`line`).
fn cell_at(board: &FireNetBoard, axis: Axis, line: usize, position: usize) -> usize {
    match axis {
        Axis::Row => line * board.columns() + position,
        Axis::Column => position * board.columns() + line,
    }
}

impl Rectangle<'_> {
    /// Returns the number of walled lines.
    fn walled(&self) -> usize {
        self.walled.len()
    }

    /// Returns the number of crossing lines.
    fn crossing(&self) -> usize {
        self.crossing.len()
    }

    /// Returns whether every cell where a walled line meets a crossing line is a candidate.
    fn is_full(&self) -> bool {
        self.crossing.iter().all(|&(_, inside)| inside as usize == self.walled.len())
    }

    /// Returns whether the near or the far side is walled.
    fn has_third_wall(&self) -> bool {
        let end = match self.axis {
            Axis::Row => self.board.rows(),
            Axis::Column => self.board.columns(),
        };
        self.crossing.iter().all(|line| self.ends_before(line, (0..self.near).rev()))
            || self.crossing.iter().all(|line| self.ends_before(line, self.far + 1..end))
    }

    /// Returns whether a crossing line has no candidate on `lines`, which lead away from the
    /// rectangle.
    fn ends_before(
        &self,
        &(position, inside): &(usize, u32),
        lines: impl Iterator<Item = usize>,
    ) -> bool {
        let segment = self.segment(position);
        if self.state.degree(segment) == inside as usize {
            return true;
        }
        let mut beyond = lines.map(|line| cell_at(self.board, self.axis, line, position));
        let crossing_axis = 1 - self.axis as usize;
        beyond
            .by_ref()
            .take_while(|&cell| {
                self.board.segments().of(cell).is_some_and(|both| both[crossing_axis] == segment)
            })
            .all(|cell| !self.state.is_candidate(cell))
    }

    /// Returns the segment of the crossing line at `position`.
    fn segment(&self, position: usize) -> usize {
        self.board.segments().both(cell_at(self.board, self.axis, self.near, position))
            [1 - self.axis as usize]
    }

    /// Returns the positions of all crossing lines.
    fn all_lines(&self) -> Vec<usize> {
        self.crossing.iter().map(|&(position, _)| position).collect()
    }

    /// Returns the positions of the crossing lines that have no candidate outside the rectangle.
    fn closed_lines(&self) -> Vec<usize> {
        let closed = |&&(position, inside): &&(usize, u32)| {
            self.state.degree(self.segment(position)) == inside as usize
        };
        self.crossing.iter().filter(closed).map(|&(position, _)| position).collect()
    }

    /// Returns one candidate on each of the first `count` of the given crossing lines, no two on
    /// one walled line: each crossing line takes the first unused walled line. Returns `None` if a
    /// line finds none; in a full rectangle that happens only if there are fewer walled lines.
    fn bunkers(&self, lines: &[usize], count: usize) -> Option<Vec<usize>> {
        let mut unused = self.walled.to_vec();
        lines[..count]
            .iter()
            .map(|&position| {
                let candidate = |&line: &usize| {
                    self.state.is_candidate(cell_at(self.board, self.axis, line, position))
                };
                let found = unused.iter().position(candidate)?;
                Some(cell_at(self.board, self.axis, unused.remove(found), position))
            })
            .collect()
    }
}

/// Memory of [`apply_rule`], reused by the next call.
#[derive(Clone, Debug, Default)]
struct Scratch {
    /// By position, counted from the start of the first segment: the number of candidates inside.
    inside: Vec<u32>,
    walled: Vec<usize>,
    crossing: Vec<(usize, u32)>,
}

/// Enumerates the rectangles that begin with a segment and extend to the right (columns) or
/// downwards (rows), and returns the cells to place bunkers on in the first one to which the rule
/// applies.
fn apply_rule(
    board: &FireNetBoard,
    state: &State,
    first: usize,
    rule: Rule,
    scratch: &mut Scratch,
) -> Option<Vec<usize>> {
    if state.degree(first) == 0 {
        return None;
    }
    let axis = board.segments().get(first).axis();
    let lines = match axis {
        Axis::Row => board.rows(),
        Axis::Column => board.columns(),
    };
    let line_and_position = |cell: usize| match axis {
        Axis::Row => (cell / board.columns(), cell % board.columns()),
        Axis::Column => (cell % board.columns(), cell / board.columns()),
    };
    let Scratch { inside, walled, crossing } = scratch;
    let (near, origin) = line_and_position(board.segments().get(first).cell(0));
    inside.clear();
    inside.resize(board.segments().get(first).len(), 0);
    walled.clear();
    // The least and greatest positions of the candidates so far.
    let (mut low, mut high) = (usize::MAX, 0);
    // The range of positions that all segments so far share.
    let (mut shared_low, mut shared_high) = (0, usize::MAX);
    let mut segment = first;
    for line in near..lines {
        if line > near {
            segment = board.segments().of(cell_at(board, axis, line, low))?[axis as usize];
        }
        let cells = board.segments().get(segment);
        let start = line_and_position(cells.cell(0)).1;
        shared_low = shared_low.max(start);
        shared_high = shared_high.min(start + cells.len() - 1);
        if low < shared_low || high > shared_high {
            return None;
        }
        if state.degree(segment) == 0 {
            continue;
        }
        for position in (0..cells.len())
            .filter(|&offset| state.is_candidate(cells.cell(offset)))
            .map(|offset| start + offset)
        {
            if position < shared_low || position > shared_high {
                return None;
            }
            inside[position - origin] += 1;
            low = low.min(position);
            high = high.max(position);
        }
        walled.push(line);
        crossing.clear();
        let counted = (low..=high).map(|position| (position, inside[position - origin]));
        crossing.extend(counted.filter(|&(_, inside)| inside > 0));
        let rectangle = Rectangle { board, state, axis, walled, crossing, near, far: line };
        let cells = rule(&rectangle).filter(|cells| !cells.is_empty());
        if cells.is_some() {
            return cells;
        }
    }
    None
}

/// Creates pruning 6: in a full m×n [rectangle](Rectangle) walled on four sides, places min(m, n)
/// bunkers, in any way in which they do not see each other.
///
/// *Statement.* Let m and n be the numbers of rows and columns with candidates in the rectangle.
/// Any min(m, n) bunkers in it that do not see each other are part of some largest placement on the
/// candidates. *Proof.* No line of the rectangle has a candidate outside, so the rectangle is a
/// component: a placement consists of a placement inside and an independent one outside. No more
/// than min(m, n) bunkers fit inside. ∎
#[must_use]
pub fn closed_rectangle(scope: Scope) -> RectangleRule {
    RectangleRule::new("6: closed rectangle", scope, in_closed_rectangle)
}

fn in_closed_rectangle(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    let lines = rectangle.closed_lines();
    if lines.len() < rectangle.crossing() || !rectangle.is_full() {
        return None;
    }
    rectangle.bunkers(&lines, lines.len().min(rectangle.walled()))
}

/// Creates pruning 7: in a [rectangle](Rectangle) walled on both long sides and on one short side,
/// of length m, places m bunkers, in any way in which they do not see each other.
///
/// *Statement and proof.* The wall on the third side is not needed: this is a special case of
/// [pruning 8](walled_long_sides), with the same number m of crossing lines that have a candidate,
/// and the same proof. ∎
#[must_use]
pub fn open_short_side(scope: Scope) -> RectangleRule {
    RectangleRule::new("7: open short side", scope, saturating_with_third_wall)
}

fn saturating_with_third_wall(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    // The cheap condition comes first.
    let short = rectangle.crossing() <= rectangle.walled();
    if short && rectangle.has_third_wall() { saturating(rectangle) } else { None }
}

/// Creates pruning 8: in a [rectangle](Rectangle) of n walled lines and m crossing lines, m ≤ n,
/// places m bunkers, one on each crossing line, in any way in which they do not see each other.
///
/// There is no condition on the cells beyond the two short sides. Inside the rectangle, only the m
/// chosen cells must be candidates.
///
/// *Statement.* Let C be the crossing lines and let the m = |C| bunkers stand on different walled
/// lines W' ⊆ W. Some largest placement on the candidates has them all. *Proof.* The candidates of
/// W' all lie on lines of C. Take a largest placement and remove its bunkers on lines of C. These
/// are at most m, and afterwards the lines of C and of W' are free, so the m bunkers can be placed.
/// ∎ (This is the crown rule for vertex cover, Abu-Khzam, Collins, Fellows et al. 2004, applied to
/// matchings.)
#[must_use]
pub fn walled_long_sides(scope: Scope) -> RectangleRule {
    RectangleRule::new("8: walled long sides", scope, saturating)
}

/// Returns a bunker on each crossing line, if there are at least as many walled lines.
fn saturating(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    if rectangle.crossing() > rectangle.walled() {
        return None;
    }
    rectangle.bunkers(&rectangle.all_lines(), rectangle.crossing())
}

/// Creates pruning 9: in a full [rectangle](Rectangle) walled on three sides, places min(|K|, m)
/// bunkers on lines of K, in any way in which they do not see each other. Here K are the lines that
/// cross the open side and have no candidate beyond it, and m is the number of lines that run along
/// the open side.
///
/// It is *wrong* to place bunkers on lines outside K, or more than |K| bunkers.
///
/// *Statement and proof.* The lines along the open side run from one walled side to the opposite
/// one: they are the walled lines. This is [pruning 10](open_ends) with one of the open sides
/// walled, and the same proof. The length of the open side does not matter. ∎
#[must_use]
pub fn open_side(scope: Scope) -> RectangleRule {
    RectangleRule::new("9: open side", scope, on_closed_lines_with_third_wall)
}

fn on_closed_lines_with_third_wall(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    // The test for the third wall is the most expensive and comes last.
    on_closed_lines(rectangle).filter(|_| rectangle.has_third_wall())
}

/// Creates pruning 10: in a full [rectangle](Rectangle), places min(|K|, |W|) bunkers on lines of
/// K, in any way in which they do not see each other. Here K are the crossing lines that have no
/// candidate outside, at either end, and W are the walled lines.
///
/// It is *wrong* to count lines that are walled at one end only.
///
/// *Statement.* Any k = min(|K|, |W|) bunkers inside the rectangle on lines of K that do not see
/// each other are part of some largest placement on the candidates. *Proof.* If k = |W|, the k
/// lines used have candidates on W only. As in [pruning 8](walled_long_sides), with rows and
/// columns exchanged, remove the bunkers on lines of W from a largest placement, which are at most
/// |W|, and place the k instead.
///
/// If k = |K| < |W|, let A be the k walled lines used. Every bunker on a line of W or K stands
/// inside the rectangle, on a line of W. In a largest placement let s of these stand on lines of K
/// and t on other crossing lines, so that s ≤ |K| and s + t ≤ |W|. Remove them and place the k
/// bunkers. The t other crossing lines are free again: on min(t, |W| − k) of them place a bunker
/// each, on lines of W outside A. These cells are candidates because the rectangle is full. The
/// result has min(k + t, |W|) ≥ s + t bunkers in place of the s + t. ∎
#[must_use]
pub fn open_ends(scope: Scope) -> RectangleRule {
    RectangleRule::new("10: open ends", scope, on_closed_lines)
}

/// Returns bunkers on the closed crossing lines of a full rectangle, as many as fit.
fn on_closed_lines(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    let lines = rectangle.closed_lines();
    if lines.is_empty() || !rectangle.is_full() {
        return None;
    }
    rectangle.bunkers(&lines, lines.len().min(rectangle.walled()))
}

/// A hook that places bunkers in rectangles: one of prunings 6 to 10, created by the function that
/// states and proves it.
///
/// It enumerates the rectangles that have two opposite walled sides and are as small as their
/// walled lines allow, until the rule applies to none of them. The root enumerates all of them,
/// other nodes only those near a removed candidate. There are at most (segments × longer side of
/// the board) rectangles, and about as many as segments on boards with many walls. The cost of each
/// is proportional to its cells. These rules are thus cheap on boards with many walls and expensive
/// on large boards with few, where [pruning 5](super::DegreeOne) and a bound are faster without
/// them.
///
/// ```
/// use secateurs::{Objective, Search};
/// use secateurs_problems::fire_net::{FireNetBoard, Scope, closed_rectangle};
///
/// // Two rectangles, each walled on all sides, with room for 2 and 3 bunkers.
/// let board: FireNetBoard = "3 7\n..X....\n..X....\nXXX....\n".parse()?;
/// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
/// let outcome = Search::new(&board).hooks((closed_rectangle(Scope::Root),)).best(&placed);
/// assert_eq!(outcome.proven(), Some(&5));
/// assert_eq!(outcome.report().nodes(), 1); // nothing is left to search
/// assert_eq!(outcome.report().hooks()[0].stat("placed"), Some(5));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RectangleRule {
    name: &'static str,
    scope: Scope,
    rule: Rule,
    placed: u64,
    trail_marks: TrailMarks,
    /// The first segments of the rectangles to examine.
    queue: Vec<usize>,
    /// Whether each segment is in the queue.
    queued: Vec<bool>,
    scratch: Scratch,
}

impl RectangleRule {
    /// Creates the hook of this name that applies `rule` at the nodes of `scope`.
    fn new(name: &'static str, scope: Scope, rule: Rule) -> Self {
        RectangleRule {
            name,
            scope,
            rule,
            placed: 0,
            trail_marks: TrailMarks::default(),
            queue: Vec::new(),
            queued: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    fn push(&mut self, segment: usize) {
        if !self.queued[segment] {
            self.queued[segment] = true;
            self.queue.push(segment);
        }
    }

    /// Queues the first segments of all rectangles that may be affected by the loss of a candidate
    /// in the segment `changed`.
    ///
    /// Every walled line of a rectangle meets every crossing line. There are three cases. If
    /// `changed` is a crossing line with a candidate inside, the rectangle begins with a segment
    /// that crosses it. If `changed` is parallel to the walled lines and has candidates left, these
    /// lie inside, and the rectangle begins with a segment that crosses any line through one of
    /// them; the shortest line is chosen. If `changed` has no candidates left, it may now lie
    /// between walled lines, and then some crossing line with a candidate meets it.
    fn queue_affected(&mut self, board: &FireNetBoard, state: &State, changed: usize) {
        let segments = board.segments();
        let across =
            || segments.get(changed).cells().map(|cell| (cell, segments.other(changed, cell)));
        if state.degree(changed) == 0 {
            for (cell, line) in across().filter(|&(_, line)| state.degree(line) > 0) {
                self.push_up_to(board, line, cell);
            }
            return;
        }
        for (_, line) in across() {
            self.push(line);
        }
        let inside = across().filter(|&(cell, _)| state.is_candidate(cell));
        if let Some((cell, line)) = inside.min_by_key(|&(_, line)| segments.get(line).len()) {
            self.push_up_to(board, line, cell);
        }
    }

    /// Queues the segments that cross `line` from its beginning to its cell `last`. Later ones are
    /// not needed, because rectangles begin at their near side.
    fn push_up_to(&mut self, board: &FireNetBoard, line: usize, last: usize) {
        let segments = board.segments();
        for cell in segments.get(line).cells().take_while(|&cell| cell <= last) {
            self.push(segments.other(line, cell));
        }
    }

    /// Examines the queued segments, and those affected by the bunkers that are placed meanwhile,
    /// starting at entry `next` of the trail. Returns the length of the trail processed.
    fn examine_queue(&mut self, board: &FireNetBoard, state: &mut State, mut next: usize) -> usize {
        let mut changed = Vec::new();
        loop {
            changed.clear();
            changed
                .extend(state.trail()[next..].iter().flat_map(|&cell| board.segments().both(cell)));
            changed.sort_unstable();
            changed.dedup();
            next = state.trail().len();
            for &segment in &changed {
                self.queue_affected(board, state, segment);
            }
            let Some(segment) = self.queue.pop() else {
                return next;
            };
            self.queued[segment] = false;
            if let Some(cells) = apply_rule(board, state, segment, self.rule, &mut self.scratch) {
                let before = state.placed();
                for cell in cells {
                    state.place(board, cell);
                }
                self.placed += (state.placed() - before) as u64;
                self.push(segment);
            }
        }
    }
}

impl Hook<FireNetBoard> for RectangleRule {
    fn name(&self) -> &str {
        self.name
    }

    /// Returns the digest of the scope. The rule is not part of it, because each rule has its own
    /// hook name.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.scope))
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn substitute(&self) -> Substitute {
        Substitute::Below
    }

    fn enter(&mut self, node: &mut NodeMut<'_, FireNetBoard>) -> Verdict {
        let (board, depth) = (node.problem(), node.depth());
        if !self.scope.includes(depth) {
            return Verdict::Keep;
        }
        let state = node.state_mut();
        state.exclude_passed(board);
        let start = self.trail_marks.first_new_entry(depth).unwrap_or_else(|| {
            let segments = board.segments().len();
            self.queued = vec![true; segments];
            // Reversed, because the queue is popped from its end.
            self.queue = (0..segments).rev().collect();
            state.trail().len()
        });
        let end = self.examine_queue(board, state, start);
        self.trail_marks.set(depth, end);
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("placed".to_owned(), self.placed)]
    }
}
