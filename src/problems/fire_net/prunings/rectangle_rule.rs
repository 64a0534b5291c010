//! The hook of prunings 6 to 10: where to look for rectangles.

use super::super::board::Board;
use super::super::state::State;
use super::Scope;
use super::rectangle::{Rule, Scratch, beginning_with};
use super::seen::Seen;
use crate::digest::Digest;
use crate::hook::{Effect, Hook, NodeMut, Substitute, Verdict};

/// A hook that places bunkers in rectangles: one of prunings 6 to 10, made by the function that
/// states and proves it.
///
/// It runs through the rectangles that have two opposite walled sides and are as small as their
/// walled lines allow, until none has anything to place: at the root through all of them, later
/// only through those near a candidate that has disappeared. Their number is at most (segments ×
/// longer side of the board), on boards with many walls near the number of segments; the cost of
/// each is that of its cells. So these rules are cheap where walls are many, and dear on large
/// boards with few of them, where [pruning 5](super::DegreeOne) and a bound do better without.
///
/// ```
/// use secateurs::problems::fire_net::{Board, Scope, closed_rectangle};
/// use secateurs::{Objective, Search};
///
/// // Two rectangles, each walled on all sides, with room for 2 and 3 bunkers.
/// let board: Board = "3 7\n..X....\n..X....\nXXX....\n".parse()?;
/// let placed = Objective::maximise(|_: &Board, state: &_| Board::placed(state));
/// let outcome = Search::new(&board).hooks((closed_rectangle(Scope::Root),)).best(&placed);
/// assert_eq!(outcome.proven(), Some(&5));
/// assert_eq!(outcome.report().nodes(), 1); // nothing is left to search
/// assert_eq!(outcome.report().hooks()[0].stat("placed"), Some(5));
/// # Ok::<(), secateurs::problems::fire_net::ParseBoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RectangleRule {
    name: &'static str,
    scope: Scope,
    rule: Rule,
    placed: u64,
    seen: Seen,
    /// Segments with which rectangles to look at begin, and by segment whether it is among them.
    queue: Vec<usize>,
    queued: Vec<bool>,
    scratch: Scratch,
}

impl RectangleRule {
    /// `rule` says where bunkers are to be placed in a rectangle, if anywhere.
    pub(super) fn new(name: &'static str, scope: Scope, rule: Rule) -> Self {
        RectangleRule {
            name,
            scope,
            rule,
            placed: 0,
            seen: Seen::default(),
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

    /// Queues the segments with which rectangles begin that the loss of a candidate in `changed`
    /// can concern.
    ///
    /// Every line that runs through a rectangle one way meets every line that runs through it the
    /// other way. So where `changed` is a crossing line, having a candidate inside, the rectangle
    /// begins with a segment that crosses it. Where it runs the other way and has candidates left,
    /// these lie inside, and the rectangle begins with a segment that crosses whatever line runs
    /// through one of them: the shortest will do. Where it has none left, it may now lie between
    /// walled lines, and then it is met by some crossing line that has a candidate.
    fn concern(&mut self, board: &Board, state: &State, changed: usize) {
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

    /// Queues the segments that cross `line` from its beginning to its cell `last`: rectangles
    /// begin at their near end.
    fn push_up_to(&mut self, board: &Board, line: usize, last: usize) {
        let segments = board.segments();
        for cell in segments.get(line).cells().take_while(|&cell| cell <= last) {
            self.push(segments.other(line, cell));
        }
    }

    /// Looks at all that is queued, and at what is concerned by the bunkers that are placed on the
    /// way.
    fn run(&mut self, board: &Board, state: &mut State, mut next: usize) -> usize {
        let mut changed = Vec::new();
        loop {
            changed.clear();
            changed
                .extend(state.trail()[next..].iter().flat_map(|&cell| board.segments().both(cell)));
            changed.sort_unstable();
            changed.dedup();
            next = state.trail().len();
            for &segment in &changed {
                self.concern(board, state, segment);
            }
            let Some(segment) = self.queue.pop() else {
                return next;
            };
            self.queued[segment] = false;
            if let Some(cells) = beginning_with(board, state, segment, self.rule, &mut self.scratch)
            {
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

impl Hook<Board> for RectangleRule {
    fn name(&self) -> &str {
        self.name
    }

    /// Its rule has a name of its own.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.scope))
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn substitute(&self) -> Substitute {
        Substitute::Below
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Board>) -> Verdict {
        let (board, depth) = (node.problem(), node.depth());
        if !self.scope.includes(depth) {
            return Verdict::Keep;
        }
        let state = node.state_mut();
        state.exclude_passed(board);
        let start = self.seen.by_parent(depth).unwrap_or_else(|| {
            let segments = board.segments().len();
            self.queued = vec![true; segments];
            // They are taken from the end.
            self.queue = (0..segments).rev().collect();
            state.trail().len()
        });
        let end = self.run(board, state, start);
        self.seen.set(depth, end);
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("placed".to_owned(), self.placed)]
    }
}
