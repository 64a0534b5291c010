//! Moving a state, with the hooks and the brancher, from node to node of a non-contiguous walk.

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
    /// The hooks that pruned the node on replay. By the contract of
    /// [`Hook::leave_unfinished`](crate::Hook::leave_unfinished) they are not told when it is left.
    pruned: Vec<usize>,
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
    /// The hooks that pruned the root; `None` if the root has not been entered.
    root: Option<Vec<usize>>,
    steps: Vec<PathStep<P::Undo>>,
    /// The number of nodes on the path that a hook pruned.
    pruned_nodes: usize,
    /// The nodes still to be entered in a move, the next at the end. It is empty between moves, and
    /// a field so that its memory is reused.
    ahead: Vec<usize>,
}

impl<P: Problem> Navigator<P> {
    pub(crate) fn new(problem: &P) -> Self {
        Navigator {
            state: problem.root(),
            root: None,
            steps: Vec::new(),
            pruned_nodes: 0,
            ahead: Vec::new(),
        }
    }

    /// Returns the bytes that the navigator uses: for each step, and for the two lists of nodes
    /// that a move needs.
    pub(crate) fn bytes(&self) -> usize {
        self.steps.capacity() * (size_of::<PathStep<P::Undo>>() + 2 * size_of::<usize>())
    }

    /// Reserves memory for a path of `depth` steps, if the memory limit allows that.
    pub(crate) fn make_room(
        &mut self,
        depth: usize,
        used: usize,
        max_bytes: usize,
    ) -> Result<(), Stop> {
        if depth <= self.steps.capacity() {
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
        self.root.as_ref().is_some_and(|pruned| !pruned.is_empty())
    }

    /// Returns whether a hook now cuts off a node of the path, because the incumbent has improved
    /// since the node was entered. The state may then be one that a search never reaches.
    pub(crate) fn is_cut<B: Brancher<P>, H: Hooks<P>>(
        &self,
        tree: &SearchTree<'_, P, B, H>,
    ) -> bool {
        // Mostly there are none, and paths may be long.
        if self.pruned_nodes == 0 {
            return false;
        }
        let steps = self.steps.iter().map(|step| &step.pruned);
        self.root.iter().chain(steps).any(|pruned| tree.is_cut_by(pruned))
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
        if self.root.is_none() {
            self.root = Some(self.enter(tree, arena, tally));
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
            self.steps.push(PathStep { id, undo, pruned: Vec::new() });
            let pruned = self.enter(tree, arena, tally);
            if let Some(step) = self.steps.last_mut() {
                step.pruned = pruned;
            }
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
        if let Some(pruned) = self.root.take() {
            self.leave(tree, arena, tally, &pruned);
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
        while self.steps.len() > depth {
            let pruned = self
                .steps
                .last_mut()
                .map(|step| std::mem::take(&mut step.pruned))
                .unwrap_or_default();
            self.leave(tree, arena, tally, &pruned);
            if let Some(step) = self.steps.pop() {
                tree.problem.undo(&mut self.state, arena.choice(step.id), step.undo);
            }
        }
    }

    /// Enters the current node, and returns the hooks that prune it.
    fn enter<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        arena: &NodeArena<P::Choice>,
        tally: &Tally,
    ) -> Vec<usize> {
        let depth = self.steps.len();
        let steps = arena.path(self.steps.last().map_or(ROOT, |step| step.id), depth);
        let path = Path::new(&steps, depth, None);
        let pruned = tree.replay(&mut self.state, path, tally);
        self.pruned_nodes += usize::from(!pruned.is_empty());
        pruned
    }

    /// Leaves the current node.
    fn leave<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        arena: &NodeArena<P::Choice>,
        tally: &Tally,
        pruned: &[usize],
    ) {
        self.pruned_nodes -= usize::from(!pruned.is_empty());
        let depth = self.steps.len();
        let steps = arena.path(self.steps.last().map_or(ROOT, |step| step.id), depth);
        let node = Node::new(tree.problem, &self.state, Path::new(&steps, depth, None), tally);
        tree.leave(&node, Ending::Unfinished(pruned));
    }
}
