//! Moving a state, with the hooks and the brancher, from node to node of a non-contiguous walk.

use std::mem;

use super::node_arena::{NodeArena, ROOT};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::limits::Stop;
use crate::memory::grown;
use crate::outcome::Tally;
use crate::problem::Problem;
use crate::search::tree::{Ending, SearchTree};

/// A step of the path to the navigator's node.
struct PathStep<U> {
    id: usize,
    undo: U,
    /// The number of entries in [`Navigator::pruned`] that belong to nodes above.
    pruned_above: usize,
}

/// A state that moves through the tree one step at a time, together with the hooks and the
/// brancher.
///
/// It moves from one node to the next through their nearest common ancestor. That is cheap in bushy
/// trees, where most neighbours share a parent, and expensive in deep and narrow ones.
/// Breadth-first search therefore uses it only if a hook or the brancher [follows the
/// path](crate::hook::HookMemory::follows_path).
pub(crate) struct Navigator<P: Problem> {
    state: P::State,
    /// Whether the state may [jump](Problem::state_after), because nothing moves with it.
    may_jump: bool,
    /// Whether the state has jumped, so that the steps do not lead to it.
    has_jumped: bool,
    /// Whether the root has been entered.
    is_entered: bool,
    steps: Vec<PathStep<P::Undo>>,
    /// The hooks that pruned nodes of the path on replay, those of the root first. By the contract
    /// of [`Hook::leave_unfinished`](crate::Hook::leave_unfinished) they are not told when these
    /// nodes are left.
    pruned: Vec<usize>,
    /// The nodes still to be entered in a move, the next at the end. It is empty between moves, and
    /// a field so that its memory is reused.
    ahead: Vec<usize>,
}

impl<P: Problem> Navigator<P> {
    pub(crate) fn new(problem: &P) -> Self {
        Navigator {
            state: problem.root(),
            may_jump: false,
            has_jumped: false,
            is_entered: false,
            steps: Vec::new(),
            pruned: Vec::new(),
            ahead: Vec::new(),
        }
    }

    /// Creates a navigator that jumps where it can.
    pub(crate) fn jumping<B: Brancher<P>, H: Hooks<P>>(tree: &SearchTree<'_, P, B, H>) -> Self {
        let may_jump = H::EMPTY && !tree.brancher.memory().follows_path();
        Navigator { may_jump, ..Self::new(tree.problem) }
    }

    /// Returns the bytes that the navigator uses: for each step, and for the two lists of nodes
    /// that a move needs.
    pub(crate) fn bytes(&self) -> usize {
        self.steps.capacity() * (size_of::<PathStep<P::Undo>>() + 2 * size_of::<usize>())
            + self.pruned.capacity() * size_of::<usize>()
    }

    /// Returns whether there is memory for a path of `depth` steps.
    #[inline]
    pub(crate) fn has_room(&self, depth: usize) -> bool {
        depth <= self.steps.capacity()
    }

    /// Reserves memory for a path of `depth` steps, if the memory limit allows that.
    pub(crate) fn make_room(
        &mut self,
        depth: usize,
        used: usize,
        max_bytes: usize,
    ) -> Result<(), Stop> {
        if self.has_room(depth) {
            return Ok(());
        }
        let capacity = grown::<(PathStep<P::Undo>, [usize; 2])>(depth, used, max_bytes)
            .ok_or(Stop::MemoryLimit)?;
        self.steps.try_reserve_exact(capacity - self.steps.len()).map_err(|_| Stop::MemoryLimit)
    }

    /// Returns the state at the current node.
    pub(crate) fn state(&self) -> &P::State {
        &self.state
    }

    /// Returns the state at the current node for changes, which must be undone before the next
    /// move.
    pub(crate) fn state_mut(&mut self) -> &mut P::State {
        &mut self.state
    }

    /// Returns whether a hook pruned the root.
    pub(crate) fn is_pruned_at_root(&self) -> bool {
        self.steps.first().map_or(self.pruned.len(), |step| step.pruned_above) > 0
    }

    /// Returns whether a hook now cuts off a node of the path, because the incumbent has improved
    /// since the node was entered. The state may then be one that a search never reaches.
    pub(crate) fn is_cut<B: Brancher<P>, H: Hooks<P>>(
        &self,
        tree: &SearchTree<'_, P, B, H>,
    ) -> bool {
        tree.is_cut_by(&self.pruned)
    }

    /// Moves to the node `target` at `depth`.
    pub(crate) fn move_to<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        arena: &NodeArena<P::Choice>,
        tally: &Tally,
        target: usize,
        depth: usize,
    ) {
        if !mem::replace(&mut self.is_entered, true) {
            self.enter(tree, arena, tally);
        }
        if self.may_jump
            && target != ROOT
            && let Some(state) = tree.problem.state_after(arena.choice(target))
        {
            self.state = state;
            self.has_jumped = true;
            return;
        }
        if mem::take(&mut self.has_jumped) {
            // Only a problem that states some of the states comes here: the path is not known.
            self.state = tree.problem.root();
            self.steps.clear();
        }
        let (mut id, mut depth) = (target, depth);
        while depth > 0 && self.steps.get(depth - 1).is_none_or(|step| step.id != id) {
            self.ahead.push(id);
            id = arena.parent(id);
            depth -= 1;
        }
        self.climb_to(tree, arena, tally, depth);
        while let Some(id) = self.ahead.pop() {
            let undo = tree.problem.apply(&mut self.state, arena.choice(id));
            self.steps.push(PathStep { id, undo, pruned_above: self.pruned.len() });
            self.enter(tree, arena, tally);
        }
    }

    /// Leaves every node, the root last.
    pub(crate) fn leave_all<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        arena: &NodeArena<P::Choice>,
        tally: &Tally,
    ) {
        self.climb_to(tree, arena, tally, 0);
        if mem::take(&mut self.is_entered) {
            self.leave(tree, arena, tally, 0);
        }
    }

    /// Leaves the nodes below `depth`, and undoes their steps.
    fn climb_to<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        arena: &NodeArena<P::Choice>,
        tally: &Tally,
        depth: usize,
    ) {
        while self.steps.len() > depth
            && let Some(&PathStep { pruned_above, .. }) = self.steps.last()
        {
            self.leave(tree, arena, tally, pruned_above);
            if let Some(step) = self.steps.pop() {
                tree.problem.undo(&mut self.state, arena.choice(step.id), step.undo);
            }
        }
    }

    /// Enters the current node.
    fn enter<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        arena: &NodeArena<P::Choice>,
        tally: &Tally,
    ) {
        let depth = self.steps.len();
        let steps = arena.path(self.steps.last().map_or(ROOT, |step| step.id), depth);
        let path = Path::new(&steps, depth, None);
        tree.replay(&mut self.state, path, tally, &mut self.pruned);
    }

    /// Leaves the current node, for which the hooks from `pruned_above` on have been recorded.
    fn leave<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        arena: &NodeArena<P::Choice>,
        tally: &Tally,
        pruned_above: usize,
    ) {
        let depth = self.steps.len();
        let steps = arena.path(self.steps.last().map_or(ROOT, |step| step.id), depth);
        let node = Node::new(tree.problem, &self.state, Path::new(&steps, depth, None), tally);
        tree.leave(&node, Ending::Unfinished(&self.pruned[pruned_above..]));
        self.pruned.truncate(pruned_above);
    }
}
