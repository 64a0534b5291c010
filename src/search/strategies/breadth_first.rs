//! Breadth-first search and beam search: level by level, with a copy of the state at every open
//! node.
//!
//! Every inner node that is open or has open descendants is stored in the
//! [arena](super::node_arena) as its parent and a choice, about 24 bytes in addition to the choice.
//! An open node also has its state and cursor in the queue. The walk jumps from state to state
//! instead of undoing and applying steps. In a deep and narrow tree, such as that of a labyrinth,
//! the open nodes of a level are far apart, and moving between them would cost time quadratic in
//! the depth. A path is collected from the arena only when it is read.
//!
//! Hooks and branchers that store the path in themselves cannot jump. If there is one, a
//! [`Navigator`] moves all of them to a node before it is expanded.

use std::collections::VecDeque;
use std::fmt;
use std::mem::needs_drop;
use std::ops::ControlFlow;

use super::navigator::Navigator;
use super::noncontiguous::{
    Expanding, NextNode, NodeRef, Noncontiguous, NoncontiguousWalk, OpenNodes,
};
use crate::brancher::Brancher;
use crate::hook::{Effect, Hooks, Node};
use crate::limits::Stop;
use crate::memory::{grown, headroom, is_available};
use crate::problem::Problem;
use crate::report::Report;
use crate::search::builder::Search;
use crate::search::tree::SearchTree;
use crate::search::walk::IntoWalk;

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Searches level by level instead of depth first: the first solution is one of the shallowest.
    ///
    /// Every open node holds a copy of the state, and each of its ancestors a few words and its
    /// choice. Memory is proportional to the widest level. Moore (1959) and Lee (1961) found
    /// shortest paths through mazes this way.
    ///
    /// A node is left as soon as it has been entered, long before its children are. A hook that
    /// [follows the path](crate::Hook::follows_path) is moved back to a node before its children
    /// are drawn, and enters and leaves it again. A hook that learns from
    /// [leaving](crate::Hook::leave) a node learns nothing, because every node is left
    /// [unfinished](crate::Hook::leave_unfinished).
    ///
    /// ```
    /// use secateurs::{Branch, Problem, Search};
    ///
    /// /// Reach a number from 1 by doubling and by adding 3.
    /// struct Reach(u64);
    ///
    /// impl Problem for Reach {
    ///     type State = u64;
    ///     type Cursor = u8;
    ///     type Choice = char;
    ///     type Undo = u64;
    ///     fn root(&self) -> u64 {
    ///         1
    ///     }
    ///     fn branch(&self, &number: &u64) -> Branch<u8> {
    ///         match number {
    ///             _ if number == self.0 => Branch::Solution,
    ///             _ if number > self.0 => Branch::DeadEnd,
    ///             _ => Branch::Inner(0),
    ///         }
    ///     }
    ///     fn next(&self, _: &u64, cursor: &mut u8) -> Option<char> {
    ///         *cursor += 1;
    ///         ['+', '*'].get(usize::from(*cursor) - 1).copied()
    ///     }
    ///     fn apply(&self, number: &mut u64, step: &char) -> u64 {
    ///         let before = *number;
    ///         *number = if *step == '*' { before * 2 } else { before + 3 };
    ///         before
    ///     }
    ///     fn undo(&self, number: &mut u64, _: &char, before: u64) {
    ///         *number = before;
    ///     }
    /// }
    ///
    /// let shortest = Search::new(&Reach(64)).breadth_first().first();
    /// assert_eq!(shortest.solution().map(Vec::len), Some(5)); // 1 + 3, then doubled four times
    /// ```
    pub fn breadth_first(self) -> Search<'p, P, B, H, X, BreadthFirst> {
        self.with_strategy(BreadthFirst)
    }

    /// Searches level by level like [`breadth_first`](Search::breadth_first), but keeps only the
    /// `width` nodes of each level with the smallest `key` (Lowerre 1976). A width of 0 is treated
    /// as 1. To keep the largest keys, return a [`Reverse`].
    ///
    /// Memory is proportional to the width, times at most the depth: all nodes of a level are
    /// entered before the level is reduced. If any node was dropped, the run is
    /// [lossy](crate::Effect::Lossy), and its report says how many; if none was, it proves the same
    /// as breadth-first search. Of nodes with equal keys, those that were entered first are kept.
    /// The nodes of a level are expanded in the order of their keys.
    ///
    /// [`Reverse`]: std::cmp::Reverse
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::maze::{Maze, Mouse};
    ///
    /// let maze: Maze = "S...\n.##.\n...G\n".parse()?;
    /// // All squares at one distance have equal keys, and two nodes are enough to pass the walls
    /// // on both sides.
    /// let outcome = Search::new(&maze).beam(2, |_, mouse: &Mouse| mouse.steps()).first();
    /// assert_eq!(outcome.solution().map(Vec::len), Some(5));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    pub fn beam<K, F>(self, width: usize, key: F) -> Search<'p, P, B, H, X, Beam<F>>
    where
        K: Ord,
        F: FnMut(&P, &P::State) -> K,
    {
        self.with_strategy(Beam { width: width.max(1), key })
    }
}

/// Strategy of [`Search::breadth_first`]: all nodes of one depth before those of the next. States
/// must be `Clone`, because each open node has its own.
#[derive(Clone, Copy, Debug)]
pub struct BreadthFirst;

impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>> IntoWalk<P, B, H> for BreadthFirst {
    type Walk<'p>
        = NoncontiguousWalk<'p, P, B, H, LevelQueue<P, B, KeepAll>>
    where
        P: 'p;

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        let open = LevelQueue::new(&tree, KeepAll);
        NoncontiguousWalk::new(tree, open)
    }
}

/// Strategy of [`Search::beam`]: the best nodes of each depth before those of the next.
#[derive(Clone, Copy)]
pub struct Beam<F> {
    pub(crate) width: usize,
    pub(crate) key: F,
}

impl<F> fmt::Debug for Beam<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Beam").field("width", &self.width).finish_non_exhaustive()
    }
}

impl<P, B, H, K, F> IntoWalk<P, B, H> for Beam<F>
where
    P: Problem<State: Clone>,
    B: Brancher<P>,
    H: Hooks<P>,
    K: Ord,
    F: FnMut(&P, &P::State) -> K,
{
    type Walk<'p>
        = NoncontiguousWalk<'p, P, B, H, LevelQueue<P, B, Self>>
    where
        P: 'p;

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        let open = LevelQueue::new(&tree, self);
        NoncontiguousWalk::new(tree, open)
    }
}

/// A node that waits to be expanded, with its state.
type OpenOf<P, B> = Expanding<<B as Brancher<P>>::Cursor, <P as Problem>::State>;

/// Selects the nodes of a complete level that are kept.
pub trait LevelFilter<P: Problem> {
    /// Whether filtering copies the level.
    const COPIES_LEVEL: bool;

    /// Removes and returns the nodes that are not kept.
    fn filter<K>(
        &mut self,
        problem: &P,
        level: &mut VecDeque<Expanding<K, P::State>>,
    ) -> Vec<Expanding<K, P::State>>;
}

/// Keeps all nodes.
#[derive(Clone, Copy, Debug)]
pub struct KeepAll;

impl<P: Problem> LevelFilter<P> for KeepAll {
    const COPIES_LEVEL: bool = false;

    fn filter<K>(
        &mut self,
        _: &P,
        _: &mut VecDeque<Expanding<K, P::State>>,
    ) -> Vec<Expanding<K, P::State>> {
        Vec::new()
    }
}

impl<P: Problem, V: Ord, F: FnMut(&P, &P::State) -> V> LevelFilter<P> for Beam<F> {
    const COPIES_LEVEL: bool = true;

    fn filter<K>(
        &mut self,
        problem: &P,
        level: &mut VecDeque<Expanding<K, P::State>>,
    ) -> Vec<Expanding<K, P::State>> {
        let mut keyed: Vec<_> =
            level.drain(..).map(|open| ((self.key)(problem, &open.data), open)).collect();
        keyed.sort_by(|one, other| one.0.cmp(&other.0));
        let dropped = keyed.split_off(self.width.min(keyed.len()));
        level.extend(keyed.into_iter().map(|(_, open)| open));
        dropped.into_iter().map(|(_, open)| open).collect()
    }
}

/// The open nodes of a breadth-first walk, level by level.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct LevelQueue<P: Problem, B: Brancher<P>, N> {
    filter: N,
    navigator: Option<Navigator<P>>,
    queue: VecDeque<OpenOf<P, B>>,
    /// The depth of the node that was expanded last.
    depth: usize,
    /// The number of nodes that were dropped.
    dropped: u64,
    /// Heap bytes that the states in the queue own.
    heap_bytes: usize,
    /// The number of heap bytes at which the system is asked again whether memory is left.
    next_probe: usize,
}

impl<P: Problem<State: Clone>, B: Brancher<P>, N: LevelFilter<P>> LevelQueue<P, B, N> {
    fn new<H: Hooks<P>>(tree: &SearchTree<'_, P, B, H>, filter: N) -> Self {
        let mut follow = tree.brancher.follows_path();
        tree.hooks.each(&mut |hook| follow |= hook.follows_path());
        LevelQueue {
            navigator: follow.then(|| Navigator::new(tree.problem)),
            queue: VecDeque::new(),
            depth: 0,
            dropped: 0,
            heap_bytes: 0,
            next_probe: 0,
            filter,
        }
    }

    /// Returns the bytes that the walk uses, if its base uses `base`.
    fn bytes(&self, base: usize) -> usize {
        let queue = self.queue.capacity() * size_of::<OpenOf<P, B>>();
        let navigator = self.navigator.as_ref().map_or(0, Navigator::bytes);
        (base + navigator + queue).saturating_add(self.heap_bytes)
    }

    /// Reserves memory for one more open node with this state at this depth, if the memory limit
    /// allows that.
    fn make_room<H: Hooks<P>>(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        state: &P::State,
        depth: usize,
    ) -> Result<(), Stop> {
        let (problem, max_bytes) = (base.tree.problem, base.tree.max_bytes);
        base.make_room(depth, self.bytes(base.bytes()))?;
        let base = base.bytes();
        let used = self.bytes(base);
        if let Some(navigator) = &mut self.navigator {
            navigator.make_room(depth, used, max_bytes)?;
        }
        let len = self.queue.len();
        if len == self.queue.capacity() {
            let capacity =
                grown::<OpenOf<P, B>>(len, self.bytes(base), max_bytes).ok_or(Stop::MemoryLimit)?;
            self.queue.try_reserve_exact(capacity - len).map_err(|_| Stop::MemoryLimit)?;
            if !is_available(headroom(max_bytes).min(self.bytes(base))) {
                return Err(Stop::MemoryLimit);
            }
        }
        if const { needs_drop::<P::State>() } {
            let own = problem.heap_bytes(state);
            if self.bytes(base).saturating_add(own) > max_bytes {
                return Err(Stop::MemoryLimit);
            }
            if self.heap_bytes.saturating_add(own) > self.next_probe {
                // Cloning a state aborts the process if memory runs out, so it is checked
                // beforehand.
                if !is_available(own.saturating_add(headroom(max_bytes))) {
                    return Err(Stop::MemoryLimit);
                }
                self.next_probe = self.heap_bytes.saturating_add(own) + headroom(max_bytes) / 2;
            }
        }
        Ok(())
    }

    /// Queues a node, and adds the heap bytes of its state. A clone may own less than its original,
    /// so the clone is measured.
    fn push(&mut self, problem: &P, open: OpenOf<P, B>) {
        if const { needs_drop::<P::State>() } {
            self.heap_bytes = self.heap_bytes.saturating_add(problem.heap_bytes(&open.data));
        }
        self.queue.push_back(open);
    }

    /// Subtracts the heap bytes of a state that has left the queue.
    fn remove_state(&mut self, problem: &P, state: &P::State) {
        if const { needs_drop::<P::State>() } {
            self.heap_bytes = self.heap_bytes.saturating_sub(problem.heap_bytes(state));
        }
    }

    /// Drops the nodes of a level that are not kept.
    fn filter<H: Hooks<P>>(&mut self, base: &mut Noncontiguous<'_, P, B, H>) -> Result<(), Stop> {
        if N::COPIES_LEVEL {
            // Sorting needs the level with its keys, and half of it again. Keys are assumed to be
            // small.
            let copies = self.queue.len().saturating_mul(2 * size_of::<OpenOf<P, B>>());
            if self.bytes(base.bytes()).saturating_add(copies) > base.tree.max_bytes
                || !is_available(copies)
            {
                return Err(Stop::MemoryLimit);
            }
        }
        let problem = base.tree.problem;
        for dropped in self.filter.filter(problem, &mut self.queue) {
            base.arena.release(dropped.position.id);
            self.dropped += 1;
            self.remove_state(problem, &dropped.data);
        }
        Ok(())
    }
}

impl<P, B, H, N> OpenNodes<P, B, H> for LevelQueue<P, B, N>
where
    P: Problem<State: Clone>,
    B: Brancher<P>,
    H: Hooks<P>,
    N: LevelFilter<P>,
{
    type Data = P::State;

    type Child = (B::Cursor, P::State);

    fn state<'s>(&'s mut self, state: &'s mut P::State) -> &'s mut P::State {
        state
    }

    fn make_room_for_root(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        state: &P::State,
    ) -> Result<(), Stop> {
        self.make_room(base, state, 0)
    }

    fn open_root(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        state: P::State,
        cursor: B::Cursor,
        barren: bool,
    ) {
        let root = Expanding { position: NodeRef::ROOT, cursor, barren, data: state };
        self.push(base.tree.problem, root);
    }

    fn next(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        _: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<Option<NextNode<B::Cursor, P::State>>, Stop> {
        if self.queue.front().is_some_and(|next| next.position.depth > self.depth) {
            // The queue holds exactly the nodes of the next level.
            self.filter(base)?;
        }
        let Some(open) = self.queue.pop_front() else { return Ok(None) };
        self.depth = open.position.depth;
        self.remove_state(base.tree.problem, &open.data);
        base.move_to(self.navigator.as_mut(), open.position);
        Ok(Some((Some(open), ControlFlow::Continue(()))))
    }

    fn child(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        state: &mut P::State,
        depth: usize,
        cursor: B::Cursor,
    ) -> Result<(B::Cursor, P::State), Stop> {
        self.make_room(base, state, depth)?;
        Ok((cursor, state.clone()))
    }

    fn open(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        parent: NodeRef,
        choice: P::Choice,
        (cursor, state): (B::Cursor, P::State),
        barren: bool,
    ) -> Result<(), Stop> {
        let id = base.arena.push(parent.id, choice);
        let position = NodeRef { id, depth: parent.depth + 1 };
        self.push(base.tree.problem, Expanding { position, cursor, barren, data: state });
        Ok(())
    }

    fn navigator(&mut self) -> Option<&mut Navigator<P>> {
        self.navigator.as_mut()
    }

    fn amend(&self, report: &mut Report) {
        if self.dropped > 0 {
            report.effect = Effect::Lossy;
            let nodes = if self.dropped == 1 { "node" } else { "nodes" };
            report.conflicts.push(format!("the beam dropped {} {nodes}", self.dropped));
        }
    }
}
