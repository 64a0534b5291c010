//! The open nodes of a walk that goes level by level: [`OpenLevels`], and the [`Selection`] of
//! those that are expanded.

use std::collections::{BTreeMap, VecDeque};
use std::mem::{self, needs_drop};

use super::noncontiguous::{NodeRef, Noncontiguous};
use crate::brancher::Brancher;
use crate::hook::Hooks;
use crate::limits::Stop;
use crate::memory::{grown, headroom, heap_bytes, is_available};
use crate::problem::Problem;
use crate::report::Report;

/// The children of a node that have not been entered yet.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub enum Children<K, C> {
    /// Those that a cursor draws.
    Cursor(K),
    /// Those of a node that another walk has opened, or this one before it was interrupted. They
    /// may be a part of the node's children.
    #[allow(clippy::box_collection, reason = "few nodes have lists, and all should be small")]
    Listed(Box<VecDeque<C>>),
}

/// The children of a node of a problem `P` with a brancher `B`.
pub(super) type ChildrenOf<P, B> = Children<<B as Brancher<P>>::Cursor, <P as Problem>::Choice>;

/// A node of a problem `P` with a brancher `B`.
pub(super) type OpenOf<P, B> = Open<<P as Problem>::State, ChildrenOf<P, B>>;

/// The open nodes of a problem `P` with a brancher `B`.
pub(super) type OpenLevelsOf<P, B> = OpenLevels<<P as Problem>::State, ChildrenOf<P, B>>;

/// A node that waits to be expanded, or is being expanded.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct Open<S, K> {
    pub(super) position: NodeRef,
    pub(super) state: S,
    /// Its children; `None` if the cursor is still to be created.
    pub(super) children: Option<K>,
    /// Whether it is no solution and none of its children has been kept yet.
    pub(super) barren: bool,
    /// A number that the [`Selection`] has assigned to it.
    pub(super) tag: u32,
}

impl<S, K> Open<S, K> {
    /// Returns this node with a cursor that is still to be created.
    pub(super) fn without_cursor<L>(self) -> Open<S, L> {
        let Open { position, state, barren, tag, .. } = self;
        Open { position, state, children: None, barren, tag }
    }
}

/// Open nodes by level. Those of the current level are expanded, the others wait.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct OpenLevels<S, K> {
    current: VecDeque<Open<S, K>>,
    /// The number of the current level.
    number: usize,
    /// The later levels that have had nodes, by number: numbers may be far apart.
    later: BTreeMap<usize, VecDeque<Open<S, K>>>,
    /// The memory of a level that has been expanded, for the next one.
    spare: VecDeque<Open<S, K>>,
    /// The heap bytes that all states own, also those that a [`Selection`] has set aside.
    heap_bytes: usize,
    /// The number of heap bytes from which the free memory is probed again.
    next_probe: usize,
}

impl<S, K> OpenLevels<S, K> {
    pub(super) fn new() -> Self {
        OpenLevels {
            current: VecDeque::new(),
            number: 0,
            later: BTreeMap::new(),
            spare: VecDeque::new(),
            heap_bytes: 0,
            next_probe: 0,
        }
    }

    /// About how many bytes a later level takes beside its nodes.
    const LEVEL_BYTES: usize = 2 * size_of::<(usize, VecDeque<Open<S, K>>)>();

    /// Returns the bytes that the open nodes use.
    pub(super) fn bytes(&self) -> usize {
        let later: usize = self.later.values().map(VecDeque::capacity).sum();
        let nodes = self.current.capacity() + later + self.spare.capacity();
        let bytes = nodes * size_of::<Open<S, K>>() + self.later.len() * Self::LEVEL_BYTES;
        bytes.saturating_add(self.heap_bytes)
    }

    /// Returns the number of open nodes.
    pub(super) fn len(&self) -> usize {
        self.current.len() + self.later.values().map(VecDeque::len).sum::<usize>()
    }

    /// Returns a level if it has had nodes: the current one if its number is not greater.
    #[inline]
    fn level(&self, level: usize) -> Option<&VecDeque<Open<S, K>>> {
        if level <= self.number { Some(&self.current) } else { self.later.get(&level) }
    }

    /// Returns a level: the current one if its number is not greater.
    #[inline]
    fn level_mut(&mut self, level: usize) -> &mut VecDeque<Open<S, K>> {
        if level <= self.number {
            return &mut self.current;
        }
        self.later.entry(level).or_insert_with(|| mem::take(&mut self.spare))
    }

    /// Returns whether there is memory for one more node of a level, whatever its state is.
    #[inline]
    pub(super) fn has_room(&self, level: usize) -> bool {
        let level = self.level(level);
        !needs_drop::<S>() && level.is_some_and(|nodes| nodes.len() < nodes.capacity())
    }

    /// Reserves memory for one more node with this state, if the memory limit allows that. The
    /// whole walk uses `used` bytes.
    pub(super) fn make_room<P: Problem<State = S>>(
        &mut self,
        problem: &P,
        (level, state): (usize, &S),
        used: usize,
        max_bytes: usize,
    ) -> Result<(), Stop> {
        let nodes = self.level(level).unwrap_or(&self.spare);
        let len = nodes.len();
        if len == nodes.capacity() {
            let used = used.saturating_add(Self::LEVEL_BYTES);
            let capacity = grown::<Open<S, K>>(len, used, max_bytes).ok_or(Stop::MemoryLimit)?;
            let nodes = self.level_mut(level);
            nodes.try_reserve_exact(capacity - len).map_err(|_| Stop::MemoryLimit)?;
            let more = (nodes.capacity() - len) * size_of::<Open<S, K>>();
            if !is_available(headroom(max_bytes).min(used + more)) {
                return Err(Stop::MemoryLimit);
            }
        }
        if const { needs_drop::<S>() } {
            let own = problem.heap_bytes(state);
            if used.saturating_add(own) > max_bytes {
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

    /// Adds a node to a level, or to the current one if that is later.
    pub(super) fn push(&mut self, level: usize, node: Open<S, K>) {
        self.level_mut(level).push_back(node);
    }

    /// Removes the next node of the current level.
    pub(super) fn pop(&mut self) -> Option<Open<S, K>> {
        self.current.pop_front()
    }

    /// Moves on to the next level that has nodes, from an empty one. Returns whether there is one.
    pub(super) fn advance(&mut self) -> bool {
        while self.current.is_empty() {
            let Some((number, nodes)) = self.later.pop_first() else { return false };
            self.spare = mem::replace(&mut self.current, nodes);
            self.number = number;
        }
        true
    }

    /// Makes `level` the current one. There must be no open nodes.
    pub(super) fn restart(&mut self, level: usize) {
        self.later.clear();
        self.number = level;
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.current = VecDeque::new();
        self.later.clear();
        self.heap_bytes = 0;
        self.next_probe = 0;
    }

    /// Returns the nodes of the current level.
    pub(super) fn current(&mut self) -> &mut VecDeque<Open<S, K>> {
        &mut self.current
    }

    /// Returns all nodes.
    pub(super) fn all(&self) -> impl Iterator<Item = &Open<S, K>> {
        self.current.iter().chain(self.later.values().flatten())
    }

    /// Removes all nodes, without changing the number of heap bytes.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Open<S, K>> {
        let later = self.later.values_mut().flat_map(|level| level.drain(..));
        self.current.drain(..).chain(later)
    }

    /// Adds the heap bytes of a state. A clone may own less than its original, so the clone is
    /// measured.
    pub(super) fn add_heap_bytes<P: Problem<State = S>>(&mut self, problem: &P, state: &S) {
        self.heap_bytes = self.heap_bytes.saturating_add(heap_bytes(problem, state));
    }

    /// Subtracts the heap bytes of a state that is no longer kept.
    pub(super) fn subtract_heap_bytes<P: Problem<State = S>>(&mut self, problem: &P, state: &S) {
        self.heap_bytes = self.heap_bytes.saturating_sub(heap_bytes(problem, state));
    }
}

/// The open nodes of a walk, with its tree.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct OpenNodes<'w, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    pub(super) base: &'w mut Noncontiguous<'p, P, B, H>,
    pub(super) levels: &'w mut OpenLevelsOf<P, B>,
    /// The bytes that the whole walk uses.
    pub(super) used: usize,
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> OpenNodes<'_, '_, P, B, H> {
    /// Checks that there is memory for `bytes` more bytes, and that the system has a reserve beside
    /// them.
    pub(super) fn check_memory(&self, bytes: usize) -> Result<(), Stop> {
        let (needed, max_bytes) = (self.used.saturating_add(bytes), self.base.tree.max_bytes);
        let with_reserve = bytes.saturating_add(headroom(max_bytes).min(needed));
        let fits = needed <= max_bytes && is_available(with_reserve);
        if fits { Ok(()) } else { Err(Stop::MemoryLimit) }
    }

    /// Releases a node that is not expanded.
    pub(super) fn release(&mut self, position: NodeRef, state: &P::State) {
        self.base.arena.release(position.id);
        self.levels.subtract_heap_bytes(self.base.tree.problem, state);
    }
}

/// Selects the open nodes that are expanded.
pub trait Selection<P: Problem> {
    /// Returns the level of a node at this depth. It is greater than that of the parent.
    fn level(&self, problem: &P, state: &P::State, depth: usize) -> usize {
        let _ = (problem, state);
        depth
    }

    /// Decides whether a node is opened: returns a tag for it, or `None` if it is not wanted.
    /// `parent` is the tag of its parent, if it has one.
    fn open(
        &mut self,
        problem: &P,
        parent: Option<u32>,
        state: &P::State,
        is_solution: bool,
    ) -> Option<u32> {
        let _ = (problem, parent, state, is_solution);
        Some(0)
    }

    /// Decides whether a node that another walk has opened is opened again, like
    /// [`open`](Self::open). Some of its children may belong to other walks. `is_last` is false if
    /// there are nodes that will be opened again later.
    fn reopen(&mut self, problem: &P, state: &P::State, is_last: bool) -> Option<u32> {
        let _ = (problem, state, is_last);
        Some(0)
    }

    /// Observes a node other than the root that is not opened because it has no children. `parent`
    /// is the tag of its parent.
    fn end(&mut self, problem: &P, parent: u32, state: &P::State, is_solution: bool) {
        let _ = (problem, parent, state, is_solution);
    }

    /// Takes a node whose children have been entered. `is_cut` is true if a hook has cut off any of
    /// them.
    fn close<K>(&mut self, problem: &P, node: Open<P::State, K>, is_cut: bool) {
        let _ = (problem, node, is_cut);
    }

    /// Selects nodes of the current level, which is complete, and releases the others.
    ///
    /// # Errors
    ///
    /// Returns the reason why the walk must end.
    fn select<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
    ) -> Result<(), Stop> {
        let _ = open;
        Ok(())
    }

    /// Opens further nodes when there are none. The current level is then empty.
    ///
    /// # Errors
    ///
    /// Returns the reason why the walk must end.
    fn refill<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
    ) -> Result<(), Stop> {
        let _ = open;
        Ok(())
    }

    /// Returns the number of nodes that are set aside.
    fn set_aside(&self) -> usize {
        0
    }

    /// Calls `visit` with each node that is set aside, in the order in which they will be opened:
    /// its position, its state, and whether it is barren. None of its children has been entered.
    fn each_set_aside(&self, visit: &mut dyn FnMut(NodeRef, &P::State, bool)) {
        let _ = visit;
    }

    /// Returns whether all open nodes are searched again, from nodes that are set aside.
    fn repeats_open(&self) -> bool {
        false
    }

    /// Takes away every other one of the nodes that are set aside and would be opened next, the
    /// first one included, at most `most` of them; with its position, its state, and whether it is
    /// barren.
    fn take_set_aside(&mut self, most: usize) -> Vec<(NodeRef, P::State, bool)> {
        let _ = most;
        Vec::new()
    }

    /// Removes all nodes that are set aside.
    fn clear(&mut self) {}

    /// Returns the bytes that nodes use which are set aside, without those of their states.
    fn bytes(&self) -> usize {
        0
    }

    /// Weakens the claim of a report by the nodes that were not expanded.
    fn weaken(&self, report: &mut Report) {
        let _ = report;
    }
}
