//! What walks share that jump from node to node, in place of going on from one to the next: each
//! node is entered and left again before its children are looked at, and its path is known from
//! [records](Records).

use std::ops::ControlFlow;

use super::records::{ROOT, Records};
use super::tree::{Ending, SearchTree};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::limits::Stop;
use crate::memory::grown;
use crate::outcome::Tally;
use crate::problem::{Branch, Problem};
use crate::report::Level;

/// What became of a node on entering.
pub(super) struct Entered<K> {
    /// Whether the hooks kept it.
    pub(super) kept: bool,
    pub(super) solution: bool,
    /// Where its children start, if it may have any.
    pub(super) cursor: Option<K>,
    /// Whether the visitor goes on.
    pub(super) flow: ControlFlow<()>,
}

/// How the expansion of a node went.
pub(super) enum Expanded {
    Done,
    Paused,
    Stopped(Stop),
}

/// A node that is known by its record.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) record: usize,
    pub(super) depth: usize,
}

impl Place {
    pub(super) const ROOT: Place = Place { record: ROOT, depth: 0 };
}

/// A tree with the records of its nodes, and what has been counted there.
pub(super) struct Jumps<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    pub(super) tree: SearchTree<'p, P, B, H>,
    pub(super) records: Records<P::Choice>,
    pub(super) levels: Vec<Level>,
    pub(super) tally: Tally,
    fuel: u64,
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> Jumps<'p, P, B, H> {
    pub(super) fn new(mut tree: SearchTree<'p, P, B, H>) -> Self {
        tree.meter.knows_fraction = false;
        Jumps { tree, records: Records::new(), levels: Vec::new(), tally: Tally::NEW, fuel: 0 }
    }

    /// Bytes that records and levels take up. A report copies the levels, twice.
    pub(super) fn bytes(&self) -> usize {
        self.records.bytes() + self.levels.capacity() * 3 * size_of::<Level>()
    }

    /// Makes room for one more record, and for what is counted at this depth and the next, if that
    /// takes no more than the limit of memory allows. `used` bytes are taken up.
    pub(super) fn make_room(&mut self, depth: usize, used: usize) -> Result<(), Stop> {
        let max_bytes = self.tree.max_bytes;
        let more = self.records.bytes();
        self.records.make_room(used, max_bytes)?;
        let used = used + (self.records.bytes() - more);
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
    /// root has none: it is where it comes from itself.
    pub(super) fn enter(
        &mut self,
        state: &mut P::State,
        parent: Place,
        last: Option<&P::Choice>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Entered<B::Cursor> {
        let Self { tree, records, levels, tally, .. } = self;
        let problem = tree.problem;
        let chain = records.chain(parent.record, parent.depth);
        let path = Path::new(&chain, parent.depth, last);
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
                tree.not_kept(hook, depth);
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

    /// The next child of a node that is admitted.
    pub(super) fn draw(
        &mut self,
        state: &P::State,
        place: Place,
        cursor: &mut B::Cursor,
    ) -> Result<Option<P::Choice>, Stop> {
        let Self { tree, records, tally, fuel, .. } = self;
        let depth = place.depth;
        let chain = records.chain(place.record, depth);
        let node = Node::new(tree.problem, state, Path::new(&chain, depth, None), tally);
        while let Some(choice) = tree.brancher.next(&node, cursor) {
            let cut = match depth < tree.hooks.first_choices() {
                true => tree.hooks.admit_first(&node, &choice),
                false => tree.hooks.admit(&node, &choice),
            };
            let Some(hook) = cut else { return Ok(Some(choice)) };
            if tree.not_admitted(hook, depth + 1) {
                tree.meter.look(*fuel, tally.visited, depth)?;
            }
        }
        Ok(None)
    }

    /// Takes fuel for one more node.
    pub(super) fn burn(&mut self, depth: usize) -> Result<(), Stop> {
        if self.fuel == 0 {
            self.fuel = self.tree.meter.refuel(self.tally.visited, depth)?;
        }
        self.tree.meter.answer(self.fuel, self.tally.visited, depth)?;
        self.fuel -= 1;
        Ok(())
    }

    /// Whether the last node was one too many for the limits that no fuel stands for.
    pub(super) fn check(&self) -> Result<(), Stop> {
        if self.tally.overflow {
            Err(Stop::CountOverflow)
        } else if self.tally.visited >= self.tree.meter.solution_limit() {
            Err(Stop::SolutionLimit)
        } else {
            Ok(())
        }
    }
}
