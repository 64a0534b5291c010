//! The depth-first walk as data: its stack, the position of the hot loop, and its replayed prefix;
//! with the steps that the [hot loop](super::kernel) and the [replay](super::replay) share.

use std::collections::VecDeque;
use std::mem;
use std::ops::{Deref, DerefMut};

use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path, Steps};
use crate::limits::Stop;
use crate::memory::{headroom, is_available};
use crate::outcome::Tally;
use crate::problem::Problem;
use crate::report::Level;
use crate::search::frontier::subtree::{Subtree, Untried};
use crate::search::tree::{Ending, SearchTree};

/// The step of the current path that leads to a depth.
pub(crate) enum Step<K, C, U> {
    /// No step: the depth of the root, or deeper than the walk stands.
    None,
    /// A step of the hot loop: the parent's cursor after the step was drawn, the choice, and the
    /// data that reverts it.
    Frame { cursor: K, choice: C, undo: U },
    /// A step of the hot loop if the parent's cursor is [in place](is_placed).
    Placed { choice: C, undo: U },
    /// A replayed step. The parent's untried children are in a [`PrefixNode`], and no cursor draws
    /// them.
    Replayed { choice: C, undo: U },
}

impl<K, C, U> Step<K, C, U> {
    pub(crate) fn take(&mut self) -> Self {
        mem::replace(self, Step::None)
    }

    pub(crate) fn choice(&self) -> Option<&C> {
        match self {
            Step::None => None,
            Step::Frame { choice, .. }
            | Step::Placed { choice, .. }
            | Step::Replayed { choice, .. } => Some(choice),
        }
    }
}

/// One depth of the tree: the step of the current path that leads there, and the counters of all
/// nodes at this depth so far.
pub(crate) struct Slot<K, C, U> {
    pub(crate) step: Step<K, C, U>,
    pub(crate) level: NodeCounts,
}

/// The counters of the nodes at one depth; see [`Level`].
#[derive(Clone, Copy)]
pub(crate) struct NodeCounts {
    pub(crate) nodes: u64,
    pub(crate) solutions: u64,
    pub(crate) dead_ends: u64,
}

impl NodeCounts {
    const ZERO: Self = NodeCounts { nodes: 0, solutions: 0, dead_ends: 0 };
}

impl From<NodeCounts> for Level {
    fn from(counts: NodeCounts) -> Level {
        let NodeCounts { nodes, solutions, dead_ends } = counts;
        Level { nodes, solutions, dead_ends, ..Level::ZERO }
    }
}

impl<K, C, U> Slot<K, C, U> {
    pub(crate) const EMPTY: Self = Slot { step: Step::None, level: NodeCounts::ZERO };

    /// Returns the choice that leads to this depth, which is on the current path.
    fn choice(&self) -> &C {
        match self.step.choice() {
            Some(choice) => choice,
            None => unreachable!("the path has a step at every depth but the root's"),
        }
    }
}

/// The slots of a walk.
type SlotOf<P, B> = Slot<<B as Brancher<P>>::Cursor, <P as Problem>::Choice, <P as Problem>::Undo>;

/// The choices of the current path, as a view of the slots.
pub(crate) struct Stack<'a, K, C, U>(pub(super) &'a [Slot<K, C, U>]);

impl<K, C: Clone, U> Stack<'_, K, C, U> {
    /// Returns the first `len` choices.
    pub(crate) fn to_vec(&self, len: usize) -> Vec<C> {
        let mut choices = Vec::with_capacity(len);
        self.append(len, &mut choices);
        choices
    }
}

impl<K, C, U> Steps<C> for Stack<'_, K, C, U> {
    fn step(&self, index: usize) -> &C {
        self.0[index + 1].choice()
    }

    fn append(&self, len: usize, out: &mut Vec<C>)
    where
        C: Clone,
    {
        out.extend(self.0[1..=len].iter().map(|slot| slot.choice().clone()));
    }
}

/// The slots while the hot loop owns them. They return to their owner on drop, so that the path is
/// known even after a panic.
pub(crate) struct Lent<'a, T> {
    slots: Vec<T>,
    owner: &'a mut Vec<T>,
}

impl<'a, T> From<&'a mut Vec<T>> for Lent<'a, T> {
    fn from(owner: &'a mut Vec<T>) -> Self {
        Lent { slots: mem::take(owner), owner }
    }
}

impl<T> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        mem::swap(&mut self.slots, self.owner);
    }
}

impl<T> Deref for Lent<'_, T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        &self.slots
    }
}

impl<T> DerefMut for Lent<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.slots
    }
}

/// Returns whether cursors of this type are kept in place, in [`DepthFirstWalk::cursors`], because
/// they are too large for the registers of the hot loop. See the [kernel](super::kernel).
pub(crate) const fn is_placed<K>() -> bool {
    size_of::<K>() > 2 * size_of::<usize>()
}

/// The position of the hot loop: an inner node with its cursor.
pub(crate) struct Position<P: Problem, B: Brancher<P>> {
    pub(crate) state: P::State,
    pub(crate) depth: usize,
    /// `None` if cursors are [in place](is_placed).
    pub(crate) cursor: Option<B::Cursor>,
    /// Whether the node is no solution and none of its children has been kept yet.
    pub(crate) barren: bool,
}

/// A node of the prefix.
pub(crate) struct PrefixNode<C> {
    /// The hooks that pruned the node on replay. By the contract of
    /// [`Hook::leave_unfinished`](crate::Hook::leave_unfinished) they are not told when it is left.
    pub(crate) pruned: Vec<usize>,
    /// Whether this walk searches everything below the node: it was entered, not replayed, and none
    /// of its children were donated.
    pub(crate) own: bool,
    pub(crate) untried: Untried<C>,
}

/// A function that copies a path.
pub(crate) type CopyPath<C> = fn(&Path<'_, C>) -> Vec<C>;

/// The part of a walk above the hot loop: the replayed prefix and the subtrees that come next.
pub(crate) struct Replay<P: Problem> {
    /// The state to begin with instead of the root's.
    pub(crate) start: Option<P::State>,
    /// By depth, the root first; empty if the walk began at the root.
    pub(crate) prefix: Vec<PrefixNode<P::Choice>>,
    /// The state at the last node of the prefix; `None` while the hot loop owns the state, and
    /// between two subtrees.
    pub(crate) state: Option<P::State>,
    /// The subtrees that have not been started, in the order of the search.
    pub(crate) pending: VecDeque<Subtree<P::Choice>>,
    /// Whether the node at the end of the prefix, just replayed, is a solution that is still to be
    /// visited.
    pub(crate) unvisited_solution: bool,
    /// Set if solutions are not visited but recorded in `deferred_solution`: the function that
    /// copies their path.
    pub(crate) copy_deferred_path: Option<CopyPath<P::Choice>>,
    /// The path of the deferred solution.
    pub(crate) deferred_solution: Option<Vec<P::Choice>>,
    /// The number of visited nodes from which the walk may donate work again.
    pub(crate) next_donation: u64,
}

impl<P: Problem> Replay<P> {
    /// Creates the state of a walk that searches these subtrees one after another.
    pub(crate) fn of(pending: VecDeque<Subtree<P::Choice>>) -> Self {
        Replay {
            start: None,
            prefix: Vec::new(),
            state: None,
            pending,
            unvisited_solution: false,
            copy_deferred_path: None,
            deferred_solution: None,
            next_donation: 0,
        }
    }
}

/// A depth-first walk.
///
/// It begins at the root, or it [replays](super::replay) the paths to subtrees that an earlier walk
/// left.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct DepthFirstWalk<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    pub(crate) tree: SearchTree<'p, P, B, H>,
    /// By depth, the root's first.
    pub(crate) slots: Vec<SlotOf<P, B>>,
    /// By depth, the cursors of the nodes of the hot loop, if they are [in place](is_placed).
    pub(crate) cursors: Vec<Option<B::Cursor>>,
    /// The position of the hot loop; `None` if the hot loop has nothing to do.
    pub(crate) position: Option<Position<P, B>>,
    /// The position of the walk above the hot loop.
    pub(crate) replay: Replay<P>,
    /// The share of the tree at the node where the hot loop began.
    pub(crate) share: f64,
    /// The share of the tree that is done.
    pub(crate) done: f64,
    /// The value of `done` when the whole walk is finished.
    pub(crate) whole: f64,
    /// Whether nodes with a large share of the tree are opened child by child.
    pub(crate) opens_large_nodes: bool,
    /// A child that was drawn and admitted when a limit was reached.
    pub(crate) held: Option<P::Choice>,
    /// The number of nodes that may be entered before the meter has to grant more.
    pub(crate) fuel: u64,
    pub(crate) tally: Tally,
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirstWalk<'p, P, B, H> {
    /// Creates a walk without subtrees.
    pub(crate) fn idle(tree: SearchTree<'p, P, B, H>) -> Self {
        let mut walk = Self::with_replay(tree, Replay::of(VecDeque::new()));
        walk.opens_large_nodes = true;
        walk
    }

    /// Creates a walk of the whole tree, or of the subtrees of the frontier that `tree` resumes.
    pub(crate) fn new(mut tree: SearchTree<'p, P, B, H>) -> Self {
        let (whole, left) =
            tree.resume.as_ref().map_or((1.0, 1.0), |resume| resume.frontier.shares());
        let replay = Replay::of(tree.take_subtrees());
        let mut walk = Self::with_replay(tree, replay);
        walk.tree.meter.knows_fraction &= !walk.tree.remembers();
        walk.opens_large_nodes = walk.tree.meter.knows_fraction || walk.tree.resume.is_some();
        walk.whole = whole;
        walk.done = whole - left;
        walk
    }

    fn with_replay(tree: SearchTree<'p, P, B, H>, replay: Replay<P>) -> Self {
        let tally = Tally::NEW;
        DepthFirstWalk {
            tree,
            slots: Vec::new(),
            cursors: Vec::new(),
            position: None,
            replay,
            share: 0.0,
            done: 0.0,
            whole: 1.0,
            opens_large_nodes: false,
            held: None,
            fuel: 0,
            tally,
        }
    }

    /// Ensures that there is a slot and fuel for entering a node at `depth`.
    #[cold]
    pub(crate) fn ensure_slot_and_fuel(&mut self, depth: usize) -> Result<(), Stop> {
        self.make_room(depth)?;
        if self.fuel == 0 {
            self.tree.meter.publish(self.done, self.tally.visited);
            self.fuel = self.tree.meter.refuel(self.tally.visited, depth)?;
        }
        self.tree.meter.answer_alarm(self.fuel, self.tally.visited, depth)
    }

    /// Ensures that there is a slot for `depth`, and reserves some more; but no more than the depth
    /// limit allows, because the hot loop goes as deep as there are slots.
    pub(crate) fn make_room(&mut self, depth: usize) -> Result<(), Stop> {
        if depth < self.slots.len() {
            return Ok(());
        }
        let limit = self.tree.meter.depth_limit().saturating_add(1);
        // The old and the new stack coexist while it grows.
        let counters = self.tree.counter_bytes();
        let cursors = is_placed::<B::Cursor>();
        let cursor_bytes = if cursors { size_of::<Option<B::Cursor>>() } else { 0 };
        let slot = size_of::<SlotOf<P, B>>() + cursor_bytes;
        let room = self.tree.max_bytes / (slot + counters);
        let room = room.saturating_sub(self.slots.capacity());
        let slots = (depth + depth / 2).max(32).min(limit).min(room).max(depth + 1);
        // The new stack, its counters with the copies of a report, and a reserve for what states
        // and choices allocate.
        let stack = slots.saturating_mul(slot);
        let counters = slots.saturating_mul(counters);
        let reserve = headroom(self.tree.max_bytes).min(stack);
        let is_free = || is_available(stack.saturating_add(counters).saturating_add(reserve));
        let more = slots.saturating_sub(self.slots.len());
        if slots > room
            || !is_free()
            || self.slots.try_reserve_exact(more).is_err()
            || cursors && self.cursors.try_reserve_exact(more).is_err()
        {
            return Err(Stop::MemoryLimit);
        }
        self.slots.resize_with(slots, || Slot::EMPTY);
        if cursors {
            self.cursors.resize_with(slots, || None);
        }
        Ok(())
    }

    /// Checks the clock, for work between two nodes.
    pub(crate) fn check_clock(&mut self) -> Result<(), Stop> {
        self.tree.meter.check_clock_without_pause(self.fuel, self.tally.visited, 0)
    }

    /// Leaves the node where the hot loop began, whose subtree is exhausted.
    pub(crate) fn leave_bottom(&mut self, state: P::State, depth: usize) {
        self.leave(&state, depth, Ending::Searched);
        self.done += self.share;
        self.step_back(state, depth);
    }

    /// Leaves the node at the end of the path of `depth` choices, without undoing its step.
    pub(crate) fn leave(&mut self, state: &P::State, depth: usize, ending: Ending<'_>) {
        let Self { tree, slots, tally, .. } = self;
        let stack = Stack(slots);
        let node = Node::new(tree.problem, state, Path::new(&stack, depth, None), tally);
        tree.leave(&node, ending);
    }

    /// Undoes the step that led to `depth`; at the root there is none.
    pub(crate) fn step_back(&mut self, mut state: P::State, depth: usize) {
        if let Step::Replayed { choice, undo } = self.slots[depth].step.take() {
            self.tree.problem.undo(&mut state, &choice, undo);
            self.replay.state = Some(state);
        }
    }
}
