//! Leading a state, and hooks that remember their path, from node to node when the walk jumps.

use super::records::{ROOT, Records};
use super::tree::{Ending, SearchTree};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::limits::Stop;
use crate::memory::grown;
use crate::outcome::Tally;
use crate::problem::Problem;

/// A step of the path on which the guide stands.
struct Step<U> {
    record: usize,
    undo: U,
    /// The hooks that pruned when they were led here: by their contract they are not told of
    /// leaving.
    pruned: Vec<usize>,
}

/// A state of its own that walks along the tree, one step at a time, and takes the hooks and the
/// brancher along.
///
/// From one node to the next it goes through their nearest common ancestor. That is cheap in bushy
/// trees, where most neighbours share a parent, and dear in deep and narrow ones; hence it is done
/// only if somebody [follows the path](crate::Hook::follows_path).
pub(crate) struct Guide<P: Problem> {
    state: P::State,
    /// The hooks that pruned at the root, if it has been entered.
    root: Option<Vec<usize>>,
    steps: Vec<Step<P::Undo>>,
    /// Whether a hook has said, when it was led along, that it took something away for not beating
    /// an incumbent.
    tightened_by_incumbent: bool,
}

impl<P: Problem> Guide<P> {
    pub(crate) fn new(problem: &P) -> Self {
        Guide {
            state: problem.root(),
            root: None,
            steps: Vec::new(),
            tightened_by_incumbent: false,
        }
    }

    /// Bytes that the guide takes up: of each step, and of the two lists of records that are made
    /// on the way.
    pub(crate) fn bytes(&self) -> usize {
        self.steps.capacity() * (size_of::<Step<P::Undo>>() + 2 * size_of::<usize>())
    }

    /// Makes room for a path of so many steps, if that takes no more than the limit of memory
    /// allows.
    pub(crate) fn make_room(
        &mut self,
        depth: usize,
        used: usize,
        max_bytes: usize,
    ) -> Result<(), Stop> {
        if depth <= self.steps.capacity() {
            return Ok(());
        }
        let capacity = grown::<(Step<P::Undo>, [usize; 2])>(depth, used, max_bytes)
            .ok_or(Stop::MemoryLimit)?;
        self.steps.try_reserve_exact(capacity - self.steps.len()).map_err(|_| Stop::MemoryLimit)
    }

    /// The state at the node on which the guide stands.
    pub(crate) fn state(&self) -> &P::State {
        &self.state
    }

    /// The same, to be changed: whatever is done to it must be undone before it moves on.
    pub(crate) fn state_mut(&mut self) -> &mut P::State {
        &mut self.state
    }

    /// Whether a hook has taken something away from the state for not beating an incumbent.
    pub(crate) fn is_tightened_by_incumbent(&self) -> bool {
        self.tightened_by_incumbent
    }

    /// Whether a hook pruned at the root.
    pub(crate) fn is_cut_at_root(&self) -> bool {
        self.root.as_ref().is_some_and(|pruned| !pruned.is_empty())
    }

    /// Leads the hooks to a node at `depth`.
    pub(crate) fn move_to<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        records: &Records<P::Choice>,
        tally: &Tally,
        target: usize,
        depth: usize,
    ) {
        if self.root.is_none() {
            self.root = Some(self.enter(tree, records, tally));
        }
        let mut ahead = Vec::new();
        let (mut record, mut depth) = (target, depth);
        while depth > 0 && self.steps.get(depth - 1).is_none_or(|step| step.record != record) {
            ahead.push(record);
            record = records.parent(record);
            depth -= 1;
        }
        self.back_to(tree, records, tally, depth);
        for record in ahead.into_iter().rev() {
            let undo = tree.problem.apply(&mut self.state, records.choice(record));
            self.steps.push(Step { record, undo, pruned: Vec::new() });
            let pruned = self.enter(tree, records, tally);
            if let Some(step) = self.steps.last_mut() {
                step.pruned = pruned;
            }
        }
    }

    /// Leaves every node, the root last.
    pub(crate) fn finish<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        records: &Records<P::Choice>,
        tally: &Tally,
    ) {
        self.back_to(tree, records, tally, 0);
        if let Some(pruned) = self.root.take() {
            self.leave(tree, records, tally, &pruned);
        }
    }

    fn back_to<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        records: &Records<P::Choice>,
        tally: &Tally,
        depth: usize,
    ) {
        while self.steps.len() > depth {
            let pruned = self
                .steps
                .last_mut()
                .map(|step| std::mem::take(&mut step.pruned))
                .unwrap_or_default();
            self.leave(tree, records, tally, &pruned);
            if let Some(step) = self.steps.pop() {
                tree.problem.undo(&mut self.state, records.choice(step.record), step.undo);
            }
        }
    }

    /// Enters the node on which the guide stands; the hooks that prune it.
    fn enter<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        records: &Records<P::Choice>,
        tally: &Tally,
    ) -> Vec<usize> {
        let depth = self.steps.len();
        let chain = records.chain(self.steps.last().map_or(ROOT, |step| step.record), depth);
        let path = Path::new(&chain, depth, None);
        let mut replayed = *tally;
        let pruned = tree.replay(&mut self.state, path, &mut replayed);
        self.tightened_by_incumbent |= replayed.tightened_by_incumbent;
        pruned
    }

    /// Leaves the node on which the guide stands.
    fn leave<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        records: &Records<P::Choice>,
        tally: &Tally,
        pruned: &[usize],
    ) {
        let depth = self.steps.len();
        let chain = records.chain(self.steps.last().map_or(ROOT, |step| step.record), depth);
        let node = Node::new(tree.problem, &self.state, Path::new(&chain, depth, None), tally);
        tree.leave(&node, Ending::Unfinished(pruned));
    }
}
