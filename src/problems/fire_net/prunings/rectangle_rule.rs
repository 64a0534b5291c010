//! The hook of prunings 6 to 10, which finds the rectangles that have changed.

use super::super::board::FireNetBoard;
use super::super::state::State;
use super::inference::{Scope, TrailMarks};
use super::rectangle::{Rule, Scratch, apply_rule};
use crate::digest::Digest;
use crate::hook::{Effect, Hook, NodeMut, Substitute, Verdict};

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
/// use secateurs::problems::fire_net::{FireNetBoard, Scope, closed_rectangle};
/// use secateurs::{Objective, Search};
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
    /// The segments with which rectangles to examine begin.
    queue: Vec<usize>,
    /// By segment: whether it is in the queue.
    queued: Vec<bool>,
    scratch: Scratch,
}

impl RectangleRule {
    /// Creates the hook of this name that applies `rule` at the nodes of `scope`.
    pub(super) fn new(name: &'static str, scope: Scope, rule: Rule) -> Self {
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
    fn run(&mut self, board: &FireNetBoard, state: &mut State, mut next: usize) -> usize {
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
        let start = self.trail_marks.by_parent(depth).unwrap_or_else(|| {
            let segments = board.segments().len();
            self.queued = vec![true; segments];
            // Reversed, because the queue is popped from its end.
            self.queue = (0..segments).rev().collect();
            state.trail().len()
        });
        let end = self.run(board, state, start);
        self.trail_marks.set(depth, end);
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("placed".to_owned(), self.placed)]
    }
}
