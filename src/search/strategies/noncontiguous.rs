//! Non-contiguous walks (breadth-first, beam and best-first search), in which the next node need
//! not be a child, sibling or ancestor of the current one.
//!
//! Each node is entered and left again before its children are drawn, and its path is stored in a
//! [`NodeArena`]. [`NoncontiguousWalk`] is the walk; an [`OpenNodes`] decides in which order it
//! expands nodes, and what it keeps of each.

use std::mem;
use std::ops::ControlFlow;

use super::navigator::Navigator;
use super::node_arena::{NodeArena, ROOT};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::incumbent::IncumbentId;
use crate::limits::Stop;
use crate::memory::grown;
use crate::outcome::{Count, Tally};
use crate::problem::{Branch, Problem};
use crate::report::{Level, Report};
use crate::search::tree::{Ending, SearchTree};
use crate::search::walk::Walk;

/// The result of entering a node.
struct Entered<K> {
    /// Whether the hooks kept it.
    kept: bool,
    solution: bool,
    /// The cursor to its children, if it may have any.
    cursor: Option<K>,
    /// Whether the visitor continues.
    flow: ControlFlow<()>,
}

/// The result of expanding a node.
enum Expanded {
    Done,
    Paused,
    Stopped(Stop),
}

/// A reference to a node in the arena.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct NodeRef {
    pub(super) id: usize,
    pub(super) depth: usize,
}

impl NodeRef {
    pub(super) const ROOT: NodeRef = NodeRef { id: ROOT, depth: 0 };
}

/// A node that is being expanded, with the data that the [`OpenNodes`] keep of it.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct Expanding<K, D> {
    pub(super) position: NodeRef,
    pub(super) cursor: K,
    /// Whether it is no solution and none of its children has been kept yet.
    pub(super) barren: bool,
    pub(super) data: D,
}

/// The next node if it has children, and whether the visitor continues.
pub(super) type NextNode<K, D> = (Option<Expanding<K, D>>, ControlFlow<()>);

/// A search tree with an arena of its nodes, and the counters of a walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct Noncontiguous<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    pub(super) tree: SearchTree<'p, P, B, H>,
    pub(super) arena: NodeArena<P::Choice>,
    pub(super) levels: Vec<Level>,
    pub(super) tally: Tally,
    fuel: u64,
    /// The arena number of the node that was expanded last, where a navigator stands.
    current: usize,
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> Noncontiguous<'p, P, B, H> {
    fn new(mut tree: SearchTree<'p, P, B, H>) -> Self {
        tree.meter.knows_fraction = false;
        Noncontiguous {
            tree,
            arena: NodeArena::new(),
            levels: Vec::new(),
            tally: Tally::NEW,
            fuel: 0,
            current: ROOT,
        }
    }

    /// Returns the bytes that arena and levels use. A report copies the levels twice.
    pub(super) fn bytes(&self) -> usize {
        self.arena.bytes() + self.levels.capacity() * 3 * size_of::<Level>()
    }

    /// Reserves memory for one more node in the arena and for the counters at this depth and the
    /// next, if the memory limit allows that. `used` bytes are in use.
    pub(super) fn make_room(&mut self, depth: usize, used: usize) -> Result<(), Stop> {
        let max_bytes = self.tree.max_bytes;
        let more = self.arena.bytes();
        self.arena.make_room(used, max_bytes)?;
        let used = used + (self.arena.bytes() - more);
        if depth + 2 > self.levels.capacity() {
            let capacity =
                grown::<[Level; 3]>(depth + 2, used, max_bytes).ok_or(Stop::MemoryLimit)?;
            self.levels
                .try_reserve_exact(capacity - self.levels.len())
                .map_err(|_| Stop::MemoryLimit)?;
        }
        Ok(())
    }

    /// Enters a node and leaves it again; `last` is the choice that led to it from `parent`. The
    /// root has no such choice, and is its own `parent` here.
    fn enter(
        &mut self,
        state: &mut P::State,
        parent: NodeRef,
        last: Option<&P::Choice>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Entered<B::Cursor> {
        let Self { tree, arena, levels, tally, .. } = self;
        let problem = tree.problem;
        let steps = arena.path(parent.id, parent.depth);
        let path = Path::new(&steps, parent.depth, last);
        let depth = path.len();
        if levels.len() <= depth {
            levels.resize(depth + 1, Level::default());
        }
        let level = &mut levels[depth];
        level.nodes += 1;
        let mut entered =
            Entered { kept: false, solution: false, cursor: None, flow: ControlFlow::Continue(()) };
        let branch = match tree.enter(problem, state, path, tally) {
            Ok(branch) => branch,
            Err(hook) => {
                tree.count_entry_cut(hook, depth);
                return entered;
            }
        };
        entered.kept = true;
        entered.solution = branch.is_solution();
        if entered.solution {
            level.solutions += 1;
            entered.flow = tree.visit(problem, state, path, tally, visit);
        }
        match branch {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => entered.cursor = Some(cursor),
            Branch::DeadEnd => level.dead_ends += 1,
            Branch::Solution => {}
        }
        tree.leave(&Node::new(problem, state, path, tally), Ending::Unfinished(&[]));
        entered
    }

    /// Returns the next child of a node that the hooks admit.
    fn next_child(
        &mut self,
        state: &P::State,
        position: NodeRef,
        cursor: &mut B::Cursor,
    ) -> Result<Option<P::Choice>, Stop> {
        let Self { tree, arena, tally, fuel, .. } = self;
        let depth = position.depth;
        let steps = arena.path(position.id, depth);
        let node = Node::new(tree.problem, state, Path::new(&steps, depth, None), tally);
        while let Some(choice) = tree.brancher.next(&node, cursor) {
            let cut = match depth < tree.hooks.first_choices() {
                true => tree.hooks.admit_first(&node, &choice),
                false => tree.hooks.admit(&node, &choice),
            };
            let Some(hook) = cut else { return Ok(Some(choice)) };
            if tree.count_admission_cut(hook, depth + 1) {
                tree.meter.check_clock(*fuel, tally.visited, depth)?;
            }
        }
        Ok(None)
    }

    /// Takes fuel for one more node.
    fn take_fuel(&mut self, depth: usize) -> Result<(), Stop> {
        if self.fuel == 0 {
            self.fuel = self.tree.meter.refuel(self.tally.visited, depth)?;
        }
        self.tree.meter.answer_alarm(self.fuel, self.tally.visited, depth)?;
        self.fuel -= 1;
        Ok(())
    }

    /// Makes `position` the current node, and moves the navigator there, if there is one.
    pub(super) fn move_to(&mut self, navigator: Option<&mut Navigator<P>>, position: NodeRef) {
        let Self { tree, arena, tally, .. } = self;
        if let Some(navigator) = navigator {
            navigator.move_to(tree, arena, tally, position.id, position.depth);
        }
        let before = mem::replace(&mut self.current, position.id);
        self.arena.release(before);
    }

    /// Checks the limits that are not covered by fuel.
    fn check_limits(&self) -> Result<(), Stop> {
        if self.tally.overflow {
            Err(Stop::CountOverflow)
        } else if self.tally.visited >= self.tree.meter.solution_limit() {
            Err(Stop::SolutionLimit)
        } else {
            Ok(())
        }
    }
}

/// The open nodes of a walk: their order, and the data that is kept of each.
///
/// It is public because it bounds the type of a walk, but not exported.
pub trait OpenNodes<P: Problem, B: Brancher<P>, H: Hooks<P>> {
    /// The data of a node that is being expanded.
    type Data;

    /// The data of an entered child, taken while the walk stands at it.
    type Child;

    /// Returns the state at a node that is being expanded. Changes must be undone.
    fn state<'s>(&'s mut self, data: &'s mut Self::Data) -> &'s mut P::State;

    /// Reserves memory for the root.
    fn make_room_for_root(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        state: &P::State,
    ) -> Result<(), Stop> {
        let _ = (base, state);
        Ok(())
    }

    /// Opens the root.
    fn open_root(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        state: P::State,
        cursor: B::Cursor,
        barren: bool,
    );

    /// Moves to the next node, and prepares it for expansion. Returns `None` if no node is left.
    fn next(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<Option<NextNode<B::Cursor, Self::Data>>, Stop>;

    /// Takes the data of a child with children of its own, at which the state of `data` stands.
    fn child(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        data: &mut Self::Data,
        depth: usize,
        cursor: B::Cursor,
    ) -> Result<Self::Child, Stop>;

    /// Opens a child after the step to it has been undone.
    fn open(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        parent: NodeRef,
        choice: P::Choice,
        child: Self::Child,
        barren: bool,
    ) -> Result<(), Stop>;

    /// Ends the expansion of a node.
    fn finish(&mut self, data: Self::Data) {
        drop(data);
    }

    /// Returns the navigator that leads the hooks, if there is one.
    fn navigator(&mut self) -> Option<&mut Navigator<P>>;

    /// Notes in a report what was dropped or pruned here.
    fn amend(&self, report: &mut Report);
}

/// A non-contiguous walk, which expands nodes in the order of its [`OpenNodes`].
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct NoncontiguousWalk<'p, P, B, H, Q>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    Q: OpenNodes<P, B, H>,
{
    pub(super) base: Noncontiguous<'p, P, B, H>,
    pub(super) open: Q,
    /// The node that is being expanded, while the walk is paused.
    expanding: Option<Expanding<B::Cursor, Q::Data>>,
    started: bool,
}

impl<'p, P, B, H, Q> NoncontiguousWalk<'p, P, B, H, Q>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    Q: OpenNodes<P, B, H>,
{
    pub(super) fn new(tree: SearchTree<'p, P, B, H>, open: Q) -> Self {
        NoncontiguousWalk { base: Noncontiguous::new(tree), open, expanding: None, started: false }
    }

    /// Enters the root, and opens it.
    fn start(&mut self, visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>) -> Expanded {
        let Self { base, open, .. } = self;
        if let Err(stop) = base.take_fuel(0) {
            return Expanded::Stopped(stop);
        }
        self.started = true;
        let mut state = base.tree.problem.root();
        if let Err(stop) = open.make_room_for_root(base, &state) {
            return Expanded::Stopped(stop);
        }
        let entered = base.enter(&mut state, NodeRef::ROOT, None, visit);
        if let Some(cursor) = entered.cursor {
            open.open_root(base, state, cursor, !entered.solution);
        }
        if entered.flow.is_break() { Expanded::Paused } else { Expanded::Done }
    }

    /// Applies `choice`, enters the child, undoes the step, and opens the child.
    fn enter_child(
        &mut self,
        node: &mut Expanding<B::Cursor, Q::Data>,
        choice: P::Choice,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        let Self { base, open, .. } = self;
        let problem = base.tree.problem;
        let state = open.state(&mut node.data);
        let undo = problem.apply(state, &choice);
        let entered = base.enter(state, node.position, Some(&choice), visit);
        node.barren &= !entered.kept;
        let child = match entered.cursor {
            Some(cursor) => {
                Some(open.child(base, &mut node.data, node.position.depth + 1, cursor)?)
            }
            None => None,
        };
        problem.undo(open.state(&mut node.data), &choice, undo);
        if let Some(child) = child {
            open.open(base, node.position, choice, child, !entered.solution)?;
        }
        Ok(entered.flow)
    }

    /// Enters the remaining children of a node, and opens them.
    fn expand(
        &mut self,
        node: &mut Expanding<B::Cursor, Q::Data>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Expanded {
        let depth = node.position.depth;
        loop {
            let state = self.open.state(&mut node.data);
            let choice = match self.base.next_child(state, node.position, &mut node.cursor) {
                Ok(Some(choice)) => choice,
                Ok(None) => {
                    self.base.levels[depth].dead_ends += u64::from(node.barren);
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
            match self.enter_child(node, choice, visit) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Expanded::Paused,
                Err(stop) => return Expanded::Stopped(stop),
            }
            if let Err(stop) = self.base.check_limits() {
                return Expanded::Stopped(stop);
            }
        }
    }

    fn end(&mut self, stop: Stop) -> Option<Stop> {
        let Noncontiguous { tree, arena, tally, .. } = &mut self.base;
        if let Some(navigator) = self.open.navigator()
            && stop.is_exhausted()
        {
            navigator.leave_all(tree, arena, tally);
        }
        Some(tree.end(stop, tally))
    }
}

impl<P, B, H, Q> Walk<P> for NoncontiguousWalk<'_, P, B, H, Q>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    Q: OpenNodes<P, B, H>,
{
    fn proceed<V>(&mut self, mut visit: V) -> Option<Stop>
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
        let mut paused = self.expanding.take();
        loop {
            let mut node = match paused.take() {
                Some(node) => node,
                None => {
                    let (node, flow) = match self.open.next(&mut self.base, &mut visit) {
                        Ok(Some(next)) => next,
                        Ok(None) => return self.end(Stop::Exhausted),
                        Err(stop) => return self.end(stop),
                    };
                    if flow.is_break() {
                        self.expanding = node;
                        return None;
                    }
                    if let Err(stop) = self.base.check_limits() {
                        return self.end(stop);
                    }
                    let Some(node) = node else { continue };
                    node
                }
            };
            match self.expand(&mut node, &mut visit) {
                Expanded::Done => self.open.finish(node.data),
                Expanded::Paused => {
                    self.expanding = Some(node);
                    return None;
                }
                Expanded::Stopped(stop) => return self.end(stop),
            }
        }
    }

    fn incumbents_read(&mut self) -> &mut Vec<IncumbentId> {
        &mut self.base.tree.incumbents_read
    }

    fn stopped(&mut self) -> &mut Option<Stop> {
        &mut self.base.tree.stopped
    }

    fn stop(&self) -> Stop {
        self.base.tree.stop()
    }

    fn report(&self) -> Report {
        let mut report = self.base.tree.report(&self.base.tally, &self.base.levels);
        self.open.amend(&mut report);
        report
    }

    fn count(&self) -> Count {
        self.base.tree.count_so_far(&self.base.tally)
    }
}
