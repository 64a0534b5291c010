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
//! [`Navigator`] moves the hooks and the brancher to a node before it is expanded.

use std::collections::VecDeque;
use std::fmt;
use std::mem::needs_drop;
use std::ops::ControlFlow;

use super::navigator::Navigator;
use super::node_arena::ROOT;
use super::noncontiguous::{Expanded, NodeRef, Noncontiguous};
use crate::brancher::Brancher;
use crate::hook::{Effect, Hooks, Node};
use crate::incumbent::reading::Reads;
use crate::limits::Stop;
use crate::memory::{grown, headroom, is_available};
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Report;
use crate::search::builder::Search;
use crate::search::tree::SearchTree;
use crate::search::walk::{IntoWalk, Walk, WithoutFrontier};

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Searches level by level instead of depth first: the first solution is one of the shallowest.
    ///
    /// Every open node holds a copy of the state, and each of its ancestors a few words and its
    /// choice. Memory is proportional to the widest level. Moore (1959) and Lee (1961) found
    /// shortest paths through mazes this way.
    ///
    /// A node is left as soon as it has been entered, long before its children are. A hook that
    /// [follows the path](crate::hook::HookMemory::follows_path) is moved back to a node before its
    /// children are drawn, and enters and leaves it again. A hook that learns from
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

impl WithoutFrontier for BreadthFirst {}

impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>> IntoWalk<P, B, H> for BreadthFirst {
    type Walk<'p>
        = BreadthFirstWalk<'p, P, B, H, KeepAll>
    where
        P: 'p;

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        BreadthFirstWalk::new(tree, KeepAll)
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

impl<F> WithoutFrontier for Beam<F> {}

impl<P, B, H, K, F> IntoWalk<P, B, H> for Beam<F>
where
    P: Problem<State: Clone>,
    B: Brancher<P>,
    H: Hooks<P>,
    K: Ord,
    F: FnMut(&P, &P::State) -> K,
{
    type Walk<'p>
        = BreadthFirstWalk<'p, P, B, H, Self>
    where
        P: 'p;

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        BreadthFirstWalk::new(tree, self)
    }
}

/// A node that waits to be expanded, or is being expanded.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct Open<S, K> {
    position: NodeRef,
    state: S,
    cursor: K,
    /// Whether it is no solution and none of its children has been kept yet.
    barren: bool,
}

type OpenOf<P, B> = Open<<P as Problem>::State, <B as Brancher<P>>::Cursor>;

/// Selects the nodes of a complete level that are kept.
pub trait LevelFilter<P: Problem> {
    /// Whether filtering copies the level.
    const COPIES_LEVEL: bool;

    /// Removes and returns the nodes that are not kept.
    fn filter<K>(
        &mut self,
        problem: &P,
        level: &mut VecDeque<Open<P::State, K>>,
    ) -> Vec<Open<P::State, K>>;
}

/// Keeps all nodes.
#[derive(Clone, Copy, Debug)]
pub struct KeepAll;

impl<P: Problem> LevelFilter<P> for KeepAll {
    const COPIES_LEVEL: bool = false;

    fn filter<K>(&mut self, _: &P, _: &mut VecDeque<Open<P::State, K>>) -> Vec<Open<P::State, K>> {
        Vec::new()
    }
}

impl<P: Problem, V: Ord, F: FnMut(&P, &P::State) -> V> LevelFilter<P> for Beam<F> {
    const COPIES_LEVEL: bool = true;

    fn filter<K>(
        &mut self,
        problem: &P,
        level: &mut VecDeque<Open<P::State, K>>,
    ) -> Vec<Open<P::State, K>> {
        let mut keyed: Vec<_> =
            level.drain(..).map(|open| ((self.key)(problem, &open.state), open)).collect();
        keyed.sort_by(|one, other| one.0.cmp(&other.0));
        let dropped = keyed.split_off(self.width.min(keyed.len()));
        level.extend(keyed.into_iter().map(|(_, open)| open));
        dropped.into_iter().map(|(_, open)| open).collect()
    }
}

/// A breadth-first walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct BreadthFirstWalk<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, F> {
    filter: F,
    base: Noncontiguous<'p, P, B, H>,
    navigator: Option<Navigator<P>>,
    /// The id in the arena of the node that was expanded last, where the navigator stands.
    current: usize,
    /// The node that is being expanded, while the walk is paused.
    expanding: Option<OpenOf<P, B>>,
    queue: VecDeque<OpenOf<P, B>>,
    started: bool,
    /// The number of nodes that were dropped.
    dropped: u64,
    /// Heap bytes that the states in the queue own.
    heap_bytes: usize,
    /// The number of heap bytes from which the free memory is probed again.
    next_probe: usize,
}

impl<'p, P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, F: LevelFilter<P>>
    BreadthFirstWalk<'p, P, B, H, F>
{
    pub(crate) fn new(tree: SearchTree<'p, P, B, H>, filter: F) -> Self {
        let mut follows_path = tree.brancher.memory().follows_path();
        tree.hooks.each(&mut |hook| follows_path |= hook.memory().follows_path());
        BreadthFirstWalk {
            navigator: follows_path.then(|| Navigator::new(tree.problem)),
            base: Noncontiguous::new(tree),
            current: ROOT,
            expanding: None,
            queue: VecDeque::new(),
            started: false,
            dropped: 0,
            heap_bytes: 0,
            next_probe: 0,
            filter,
        }
    }

    /// Returns the bytes that the walk uses.
    fn bytes(&self) -> usize {
        let queue = self.queue.capacity() * size_of::<OpenOf<P, B>>();
        let navigator = self.navigator.as_ref().map_or(0, Navigator::bytes);
        (self.base.bytes() + navigator + queue).saturating_add(self.heap_bytes)
    }

    /// Reserves memory for one more open node with this state at this depth, if the memory limit
    /// allows that.
    fn make_room(&mut self, state: &P::State, depth: usize) -> Result<(), Stop> {
        let max_bytes = self.base.tree.max_bytes;
        self.base.make_room(depth, self.bytes())?;
        let used = self.bytes();
        if let Some(navigator) = &mut self.navigator {
            navigator.make_room(depth, used, max_bytes)?;
        }
        let len = self.queue.len();
        if len == self.queue.capacity() {
            let capacity =
                grown::<OpenOf<P, B>>(len, self.bytes(), max_bytes).ok_or(Stop::MemoryLimit)?;
            self.queue.try_reserve_exact(capacity - len).map_err(|_| Stop::MemoryLimit)?;
            if !is_available(headroom(max_bytes).min(self.bytes())) {
                return Err(Stop::MemoryLimit);
            }
        }
        if const { needs_drop::<P::State>() } {
            let own = self.base.tree.problem.heap_bytes(state);
            if self.bytes().saturating_add(own) > max_bytes {
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

    /// Enters the root, and opens it if it may have children.
    fn start(&mut self, visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>) -> Expanded {
        if let Err(stop) = self.base.take_fuel(0) {
            return Expanded::Stopped(stop);
        }
        self.started = true;
        let mut state = self.base.tree.problem.root();
        if let Err(stop) = self.make_room(&state, 0) {
            return Expanded::Stopped(stop);
        }
        let entered = self.base.enter(&mut state, NodeRef::ROOT, None, visit);
        if let Some(cursor) = entered.cursor {
            self.add_heap_bytes(&state);
            self.queue.push_back(Open {
                position: NodeRef::ROOT,
                state,
                cursor,
                barren: !entered.solution,
            });
        }
        if entered.flow.is_break() { Expanded::Paused } else { Expanded::Done }
    }

    /// Applies `choice` at an open node, enters the child, and undoes the step.
    fn enter_child(
        &mut self,
        open: &mut OpenOf<P, B>,
        choice: P::Choice,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        let problem = self.base.tree.problem;
        let undo = problem.apply(&mut open.state, &choice);
        let entered = self.base.enter(&mut open.state, open.position, Some(&choice), visit);
        open.barren &= !entered.kept;
        let child = match entered.cursor {
            Some(cursor) => {
                self.make_room(&open.state, open.position.depth + 1)?;
                Some((cursor, open.state.clone()))
            }
            None => None,
        };
        problem.undo(&mut open.state, &choice, undo);
        if let Some((cursor, state)) = child {
            self.add_heap_bytes(&state);
            let id = self.base.arena.push(open.position.id, choice);
            let position = NodeRef { id, depth: open.position.depth + 1 };
            self.queue.push_back(Open { position, state, cursor, barren: !entered.solution });
        }
        Ok(entered.flow)
    }

    /// Enters the remaining children of an open node.
    fn expand(
        &mut self,
        open: &mut OpenOf<P, B>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Expanded {
        let depth = open.position.depth;
        loop {
            let choice = match self.base.next_child(&open.state, open.position, &mut open.cursor) {
                Ok(Some(choice)) => choice,
                Ok(None) => {
                    self.base.levels[depth].dead_ends += u64::from(open.barren);
                    return Expanded::Done;
                }
                Err(stop) => return Expanded::Stopped(stop),
            };
            if depth >= self.base.tree.meter.depth_limit() {
                self.base.tree.truncated = true;
                return Expanded::Done;
            }
            if let Err(stop) = self.base.take_fuel(depth + 1) {
                return Expanded::Stopped(stop);
            }
            match self.enter_child(open, choice, visit) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Expanded::Paused,
                Err(stop) => return Expanded::Stopped(stop),
            }
            if let Err(stop) = self.base.check_limits() {
                return Expanded::Stopped(stop);
            }
        }
    }

    /// Drops the nodes of a level that are not kept.
    fn filter(&mut self) -> Result<(), Stop> {
        if F::COPIES_LEVEL {
            // Sorting needs the level with its keys, and half of it again. Keys are assumed to be
            // small.
            let copies = self.queue.len().saturating_mul(2 * size_of::<OpenOf<P, B>>());
            if self.bytes().saturating_add(copies) > self.base.tree.max_bytes
                || !is_available(copies)
            {
                return Err(Stop::MemoryLimit);
            }
        }
        for dropped in self.filter.filter(self.base.tree.problem, &mut self.queue) {
            self.base.arena.release(dropped.position.id);
            self.dropped += 1;
            self.subtract_heap_bytes(&dropped.state);
        }
        Ok(())
    }

    /// Adds the heap bytes of a state in the queue. A clone may own less than its original, so the
    /// clone is measured.
    fn add_heap_bytes(&mut self, state: &P::State) {
        if const { needs_drop::<P::State>() } {
            self.heap_bytes =
                self.heap_bytes.saturating_add(self.base.tree.problem.heap_bytes(state));
        }
    }

    /// Subtracts the heap bytes of a state that has left the queue.
    fn subtract_heap_bytes(&mut self, state: &P::State) {
        if const { needs_drop::<P::State>() } {
            self.heap_bytes =
                self.heap_bytes.saturating_sub(self.base.tree.problem.heap_bytes(state));
        }
    }

    /// Returns the next node to be expanded, after moving the hooks there.
    fn take_next(&mut self, depth: usize) -> Result<Option<OpenOf<P, B>>, Stop> {
        if self.queue.front().is_some_and(|next| next.position.depth > depth) {
            // The queue holds exactly the nodes of the next level.
            self.filter()?;
        }
        let Some(open) = self.queue.pop_front() else { return Ok(None) };
        self.subtract_heap_bytes(&open.state);
        if let Some(navigator) = &mut self.navigator {
            let Noncontiguous { tree, arena, tally, .. } = &mut self.base;
            navigator.move_to(tree, arena, tally, open.position.id, open.position.depth);
        }
        let before = std::mem::replace(&mut self.current, open.position.id);
        self.base.arena.release(before);
        Ok(Some(open))
    }

    /// Ends the walk, and leaves all nodes if the tree is exhausted.
    fn end(&mut self, stop: Stop) -> Option<Stop> {
        let Noncontiguous { tree, arena, tally, .. } = &mut self.base;
        if let Some(navigator) = &mut self.navigator
            && stop.is_exhausted()
        {
            navigator.leave_all(tree, arena, tally);
        }
        Some(tree.end(stop, tally))
    }
}

impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, F: LevelFilter<P>> Walk<P>
    for BreadthFirstWalk<'_, P, B, H, F>
{
    fn advance_unguarded<V>(&mut self, mut visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        if !self.started {
            match self.start(&mut visit) {
                Expanded::Done => {}
                Expanded::Paused => return None,
                Expanded::Stopped(stop) => return self.end(stop),
            }
        }
        // The visitor may have broken off exactly at the limit.
        if let Err(stop) = self.base.check_limits() {
            return self.end(stop);
        }
        let mut resumed = self.expanding.take();
        let mut depth = resumed.as_ref().map_or(0, |open| open.position.depth);
        loop {
            let next = match resumed.take() {
                Some(open) => Ok(Some(open)),
                None => self.take_next(depth),
            };
            let next = match next {
                Ok(next) => next,
                Err(stop) => return self.end(stop),
            };
            let Some(mut open) = next else {
                return self.end(Stop::Exhausted);
            };
            depth = open.position.depth;
            match self.expand(&mut open, &mut visit) {
                Expanded::Done => {}
                Expanded::Paused => {
                    self.expanding = Some(open);
                    return None;
                }
                Expanded::Stopped(stop) => return self.end(stop),
            }
        }
    }

    fn reads(&mut self) -> &mut Reads {
        &mut self.base.tree.reads
    }

    fn stop_mut(&mut self) -> &mut Option<Stop> {
        &mut self.base.tree.stopped
    }

    fn stop(&self) -> Stop {
        self.base.tree.stop()
    }

    fn report(&self) -> Report {
        let mut report = self.base.tree.report(&self.base.tally, &self.base.levels);
        if self.dropped > 0 {
            report.effect = Effect::Lossy;
            let nodes = if self.dropped == 1 { "node" } else { "nodes" };
            report.conflicts.push(format!("the beam dropped {} {nodes}", self.dropped));
        }
        report
    }

    fn count(&self) -> Count {
        self.base.tree.count_so_far(&self.base.tally)
    }
}
