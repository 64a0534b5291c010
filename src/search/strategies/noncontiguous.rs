//! The common part of non-contiguous walks (breadth-first and best-first), in which the next node
//! need not be a child, sibling or ancestor of the current one. Each node is entered and left again
//! before its children are drawn, and its path is stored in a [`NodeArena`].

use std::mem;
use std::ops::ControlFlow;

use super::navigator::Navigator;
use super::node_arena::{NodeArena, ROOT};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::limits::Stop;
use crate::memory::grown_items;
use crate::outcome::Tally;
use crate::problem::{Branch, Problem};
use crate::report::Level;
use crate::search::tree::{Ending, SearchTree};

/// The result of entering a node.
pub(super) struct Entered<K> {
    /// Whether the hooks kept it.
    pub(super) kept: bool,
    pub(super) solution: bool,
    /// The cursor to its children, if it may have any.
    pub(super) cursor: Option<K>,
    /// Whether the visitor continues.
    pub(super) flow: ControlFlow<()>,
}

/// The number of steps between two checks of the clock on platforms without alarms.
const STEPS_BETWEEN_CHECKS: u32 = 1 << 12;

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

/// A search tree with an arena of its nodes, and the counters of a walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct Noncontiguous<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    pub(super) tree: SearchTree<'p, P, B, H>,
    pub(super) arena: NodeArena<P::Choice>,
    pub(super) levels: Vec<Level>,
    pub(super) tally: Tally,
    pub(super) fuel: u64,
    /// A child of the node that is being expanded, drawn and admitted when a limit was reached.
    pub(super) held: Option<P::Choice>,
    /// The number of nodes and choices that hooks have cut off.
    pub(super) cuts: u64,
    /// The number of steps between nodes.
    pub(super) steps: u32,
    /// The id in the arena of the node that was expanded last, where a navigator stands.
    pub(super) current: usize,
    /// Moves the hooks and the brancher of a level-by-level walk if they follow the path.
    pub(super) navigator: Option<Navigator<P>>,
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> Noncontiguous<'p, P, B, H> {
    pub(super) fn new(mut tree: SearchTree<'p, P, B, H>) -> Self {
        tree.meter.knows_fraction = false;
        Noncontiguous {
            tree,
            arena: NodeArena::new(),
            levels: Vec::new(),
            tally: Tally::NEW,
            fuel: 0,
            held: None,
            cuts: 0,
            steps: 0,
            current: ROOT,
            navigator: None,
        }
    }

    /// Makes a node the current one, and takes over its reference. That of the node before is
    /// removed.
    pub(super) fn move_to(&mut self, NodeRef { id, depth }: NodeRef) {
        let Self { tree, arena, tally, navigator, .. } = self;
        if let Some(navigator) = navigator {
            navigator.move_to(tree, arena, tally, id, depth);
        }
        arena.release(mem::replace(&mut self.current, id));
    }

    /// Moves the hooks and the brancher out of the tree if they follow the path.
    pub(super) fn leave_all(&mut self) {
        let Self { tree, arena, tally, navigator, .. } = self;
        if let Some(navigator) = navigator {
            navigator.leave_all(tree, arena, tally);
        }
    }

    /// Returns the bytes that arena and levels use, with the counters of each level.
    pub(super) fn bytes(&self) -> usize {
        self.arena.bytes() + self.levels.capacity() * self.level_bytes()
    }

    fn level_bytes(&self) -> usize {
        size_of::<Level>() + self.tree.counter_bytes()
    }

    /// Returns whether there is memory for one more node at this depth.
    #[inline]
    pub(super) fn has_room(&self, depth: usize) -> bool {
        self.arena.has_room() && depth + 2 <= self.levels.capacity()
    }

    /// Reserves memory for one more node in the arena and for the counters at this depth and the
    /// next, if the memory limit allows that. The whole walk uses `used` bytes; returns how many it
    /// uses afterwards.
    pub(super) fn make_room(&mut self, depth: usize, used: usize) -> Result<usize, Stop> {
        let max_bytes = self.tree.max_bytes;
        let others = used - self.bytes();
        self.arena.make_room(used, max_bytes)?;
        let used = others + self.bytes();
        if depth + 2 > self.levels.capacity() {
            let capacity = grown_items(self.level_bytes(), depth + 2, used, max_bytes)
                .ok_or(Stop::MemoryLimit)?;
            self.levels
                .try_reserve_exact(capacity - self.levels.len())
                .map_err(|_| Stop::MemoryLimit)?;
        }
        Ok(others + self.bytes())
    }

    /// Calls `look` with a node in the arena that has this state, and with the brancher, which must
    /// stand there if it follows the path.
    pub(super) fn at<T>(
        &mut self,
        position: NodeRef,
        state: &P::State,
        look: impl FnOnce(&mut B, &Node<'_, P>) -> T,
    ) -> T {
        let Self { tree, arena, tally, .. } = self;
        let steps = arena.path(position.id, position.depth);
        let path = Path::new(&steps, position.depth, None);
        look(&mut tree.brancher, &Node::new(tree.problem, state, path, tally))
    }

    /// Returns the cursor to the children of a node in the arena, if it may have any.
    pub(super) fn cursor(&mut self, position: NodeRef, state: &P::State) -> Option<B::Cursor> {
        self.at(position, state, |brancher, node| brancher.branch(node)).into_cursor()
    }

    /// Stores a child of a node in the arena, with one reference.
    pub(super) fn push_child(&mut self, parent: NodeRef, choice: P::Choice) -> NodeRef {
        NodeRef { id: self.arena.push(parent.id, choice), depth: parent.depth + 1 }
    }

    /// Enters a node and leaves it again; `last` is the choice that led to it from `parent`. The
    /// root has no such choice, and is its own `parent` here. A solution is visited, and counted if
    /// `counts`: if it will not be entered again.
    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        state: &mut P::State,
        parent: NodeRef,
        last: Option<&P::Choice>,
        counts: bool,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Entered<B::Cursor> {
        let Self { tree, arena, levels, tally, cuts, .. } = self;
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
        let credited = tally.credited();
        let branch = tree.enter(problem, state, path, tally);
        tree.has_repeated_credits |= !counts && tally.credited() > credited;
        let branch = match branch {
            Ok(branch) => branch,
            Err(hook) => {
                tree.count_entry_cut(hook, depth);
                *cuts += 1;
                return entered;
            }
        };
        entered.kept = true;
        entered.solution = branch.is_solution();
        if entered.solution && counts {
            level.solutions += 1;
            entered.flow = tree.visit(problem, state, path, tally, visit);
        } else if entered.solution {
            entered.flow = visit(&Node::new(problem, state, path, tally));
        }
        match branch {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => entered.cursor = Some(cursor),
            Branch::DeadEnd => level.dead_ends += 1,
            Branch::Solution => {}
        }
        tree.leave(&Node::new(problem, state, path, tally), Ending::Unfinished(&[]));
        entered
    }

    /// Returns the next child of a node that is to be entered, with fuel for it, or `None` if none
    /// is left. `draw` draws its children. `barren` is true if the node is no solution, and none of
    /// its children has been kept.
    #[inline(always)]
    pub(super) fn next_child(
        &mut self,
        state: &P::State,
        position: NodeRef,
        barren: bool,
        draw: impl FnMut(&mut B, &Node<'_, P>) -> Option<P::Choice>,
    ) -> Result<Option<P::Choice>, Stop> {
        let depth = position.depth;
        let choice = match self.held.take() {
            Some(held) => held,
            None => match self.next_admitted(state, position, draw)? {
                Some(choice) => choice,
                None => {
                    self.levels[depth].dead_ends += u64::from(barren);
                    return Ok(None);
                }
            },
        };
        if depth >= self.tree.meter.depth_limit() {
            self.tree.truncated = true;
            // The node is not exhausted: nothing is known about better values.
            self.cuts += 1;
            return Ok(None);
        }
        if let Err(stop) = self.take_fuel(depth + 1) {
            self.held = Some(choice);
            return Err(stop);
        }
        Ok(Some(choice))
    }

    /// Returns the next child of a node that the hooks admit. `draw` draws its children.
    #[inline(always)]
    fn next_admitted(
        &mut self,
        state: &P::State,
        position: NodeRef,
        mut draw: impl FnMut(&mut B, &Node<'_, P>) -> Option<P::Choice>,
    ) -> Result<Option<P::Choice>, Stop> {
        let Self { tree, arena, tally, fuel, cuts, .. } = self;
        let depth = position.depth;
        let steps = arena.path(position.id, depth);
        let node = Node::new(tree.problem, state, Path::new(&steps, depth, None), tally);
        let levels = tree.hooks.limited_levels();
        while let Some(choice) = draw(&mut tree.brancher, &node) {
            let cut = match depth < levels {
                true => tree.hooks.admit_near_root(&node, &choice),
                false => tree.hooks.admit(&node, &choice, levels > 0),
            };
            let Some(cut) = cut else { return Ok(Some(choice)) };
            *cuts += 1;
            let clock_due = tree.count_admission_cut(cut, depth + 1);
            if cut.siblings {
                break;
            }
            if clock_due || tree.meter.is_alarmed() {
                tree.meter.check_clock(*fuel, tally.visited, depth)?;
            }
        }
        Ok(None)
    }

    /// Takes fuel for one more node.
    #[inline]
    pub(super) fn take_fuel(&mut self, depth: usize) -> Result<(), Stop> {
        if self.fuel == 0 {
            self.tree.meter.publish(0.0, self.tally.visited);
            self.fuel = self.tree.meter.refuel(self.tally.visited, depth)?;
        }
        self.tree.meter.answer_alarm(self.fuel, self.tally.visited, depth)?;
        self.fuel -= 1;
        Ok(())
    }

    /// Checks the clock, for work between two nodes.
    pub(super) fn check_clock(&mut self) -> Result<(), Stop> {
        self.tree.meter.check_clock_without_pause(self.fuel, self.tally.visited, 0)
    }

    /// Checks, at each of many steps between two nodes, whether the walk must end: as soon as the
    /// alarm rings, and every few thousand steps where there is none.
    #[inline]
    pub(super) fn check_step(&mut self) -> Result<(), Stop> {
        self.steps = self.steps.wrapping_add(1);
        let is_due = self.steps.is_multiple_of(STEPS_BETWEEN_CHECKS);
        if is_due || self.tree.meter.is_alarmed() { self.check_clock() } else { Ok(()) }
    }

    /// Checks the limits that are not covered by fuel.
    pub(super) fn check_limits(&self) -> Result<(), Stop> {
        if self.tally.overflows() {
            Err(Stop::CountOverflow)
        } else if self.tally.visited >= self.tree.meter.solution_limit() {
            Err(Stop::SolutionLimit)
        } else {
            Ok(())
        }
    }
}
