//! Breadth-first search: level by level, with a copy of the state at every node that waits to be expanded.
//!
//! Every inner node is kept as its parent and a choice, 16 bytes beside the choice itself; one that waits has its state
//! and cursor in the queue as well. The walk jumps from state to state rather than walk there by undoing and taking
//! steps: in a deep and narrow tree, such as that of a labyrinth, the waiting nodes of a level lie far apart, and walking
//! between them would cost the square of the depth. A path is gathered from the records only when somebody looks at it.
//!
//! Hooks and branchers that remember the path in themselves cannot jump; if there is one, a [`Guide`] leads them all
//! along before a node is expanded.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::guide::Guide;
use super::records::{ROOT, Records};
use super::strategy::Beam;
use super::tree::{Tree, Walk};
use crate::brancher::Brancher;
use crate::hook::{Effect, Hooks, Node, NodeMut, Path};
use crate::limits::Stop;
use crate::outcome::{Count, Tally};
use crate::problem::{Branch, Problem};
use crate::report::{Level, Report};

/// A node that waits to be expanded, or is being expanded.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct Open<S, K> {
    record: usize,
    depth: usize,
    state: S,
    cursor: K,
    /// Whether it is no solution and none of its children has been kept yet.
    barren: bool,
}

type OpenOf<P, B> = Open<<P as Problem>::State, <B as Brancher<P>>::Cursor>;

/// What is kept of the nodes of a level when all of them have been entered.
pub trait Narrow<P: Problem> {
    #[doc(hidden)]
    fn narrow<K>(&mut self, problem: &P, level: &mut VecDeque<Open<P::State, K>>);
}

/// All of them.
#[derive(Clone, Copy, Debug)]
pub struct All;

impl<P: Problem> Narrow<P> for All {
    fn narrow<K>(&mut self, _: &P, _: &mut VecDeque<Open<P::State, K>>) {}
}

impl<P: Problem, V: Ord, F: FnMut(&P, &P::State) -> V> Narrow<P> for Beam<F> {
    fn narrow<K>(&mut self, problem: &P, level: &mut VecDeque<Open<P::State, K>>) {
        let mut keyed: Vec<_> = level.drain(..).map(|open| ((self.key)(problem, &open.state), open)).collect();
        keyed.sort_by(|one, other| one.0.cmp(&other.0));
        level.extend(keyed.into_iter().take(self.width).map(|(_, open)| open));
    }
}

/// What became of a node on entering.
struct Entered<K> {
    /// Whether the hooks kept it.
    kept: bool,
    solution: bool,
    /// Where its children start, if it may have any.
    cursor: Option<K>,
    /// Whether the visitor goes on.
    flow: ControlFlow<()>,
}

/// How the expansion of a node went.
enum Expanded {
    Done,
    Paused,
    Stopped(Stop),
}

/// A breadth-first walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct BreadthFirst<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, N> {
    narrow: N,
    tree: Tree<'p, P, B, H>,
    guide: Option<Guide<P>>,
    records: Records<P::Choice>,
    /// The node that is being expanded, while the walk is paused.
    open: Option<OpenOf<P, B>>,
    queue: VecDeque<OpenOf<P, B>>,
    fuel: u64,
    levels: Vec<Level>,
    tally: Tally,
    started: bool,
    /// Nodes that were dropped.
    dropped: u64,
}

impl<'p, P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, N: Narrow<P>> BreadthFirst<'p, P, B, H, N> {
    pub(crate) fn new(mut tree: Tree<'p, P, B, H>, narrow: N) -> Self {
        tree.meter.knows_fraction = false;
        let mut follow = tree.brancher.follows_path();
        tree.hooks.each(&mut |hook| follow |= hook.follows_path());
        BreadthFirst {
            guide: follow.then(|| Guide::new(tree.problem)),
            tree,
            records: Records::new(),
            open: None,
            queue: VecDeque::new(),
            fuel: 0,
            levels: Vec::new(),
            tally: Tally::NEW,
            started: false,
            dropped: 0,
            narrow,
        }
    }

    /// Enters a node and leaves it again; `last` is the choice that led to it from `parent` (neither at the root), at
    /// depth `above`.
    fn enter(
        &mut self,
        state: &mut P::State,
        parent: usize,
        above: usize,
        last: Option<&P::Choice>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Entered<B::Cursor> {
        let Self { tree, records, levels, tally, .. } = self;
        let problem = tree.problem;
        let chain = records.chain(parent, above);
        let path = Path::new(&chain, above, last);
        let depth = path.len();
        if levels.len() <= depth {
            levels.resize(depth + 1, Level::default());
        }
        let level = &mut levels[depth];
        level.nodes += 1;
        let mut entered = Entered { kept: false, solution: false, cursor: None, flow: ControlFlow::Continue(()) };
        if let Some(hook) = tree.hooks.enter(&mut NodeMut::new(problem, state, path, tally)) {
            tree.not_kept(hook, depth);
            return entered;
        }
        entered.kept = true;
        let before = *tally;
        let node = Node::new(problem, state, path, &before);
        tree.brancher.enter(&node);
        let branch = tree.brancher.branch(&node);
        entered.solution = branch.is_solution();
        if entered.solution {
            level.solutions += 1;
            tree.count(tally, &node);
            entered.flow = visit(&Node::new(problem, state, path, tally));
        }
        match branch {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => entered.cursor = Some(cursor),
            Branch::DeadEnd => level.dead_ends += 1,
            Branch::Solution => {}
        }
        let node = Node::new(problem, state, path, tally);
        tree.brancher.leave(&node);
        tree.hooks.leave_unfinished(&node, &[]);
        entered
    }

    fn start(&mut self, visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>) -> Expanded {
        if let Err(stop) = self.burn(0) {
            return Expanded::Stopped(stop);
        }
        self.started = true;
        let mut state = self.tree.problem.root();
        let entered = self.enter(&mut state, ROOT, 0, None, visit);
        if let Some(cursor) = entered.cursor {
            self.queue.push_back(Open { record: ROOT, depth: 0, state, cursor, barren: !entered.solution });
        }
        if entered.flow.is_break() { Expanded::Paused } else { Expanded::Done }
    }

    /// Takes the step `choice` from an open node, enters the child, and steps back.
    fn try_child(
        &mut self,
        open: &mut OpenOf<P, B>,
        choice: P::Choice,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let problem = self.tree.problem;
        let undo = problem.apply(&mut open.state, &choice);
        let entered = self.enter(&mut open.state, open.record, open.depth, Some(&choice), visit);
        open.barren &= !entered.kept;
        let child = entered.cursor.map(|cursor| (cursor, open.state.clone()));
        problem.undo(&mut open.state, &choice, undo);
        if let Some((cursor, state)) = child {
            let record = self.records.push(open.record, choice);
            self.queue.push_back(Open { record, depth: open.depth + 1, state, cursor, barren: !entered.solution });
        }
        entered.flow
    }

    /// Takes fuel for one more node.
    fn burn(&mut self, depth: usize) -> Result<(), Stop> {
        if self.fuel == 0 {
            self.fuel = self.tree.meter.refuel(self.tally.visited, depth)?;
        }
        self.fuel -= 1;
        Ok(())
    }

    /// The next child of an open node that is admitted.
    fn draw(&mut self, open: &mut OpenOf<P, B>) -> Result<Option<P::Choice>, Stop> {
        let Self { tree, records, tally, fuel, .. } = self;
        let chain = records.chain(open.record, open.depth);
        let node = Node::new(tree.problem, &open.state, Path::new(&chain, open.depth, None), tally);
        while let Some(choice) = tree.brancher.next(&node, &mut open.cursor) {
            let cut = match open.depth < tree.hooks.first_choices() {
                true => tree.hooks.admit_first(&node, &choice),
                false => tree.hooks.admit(&node, &choice),
            };
            let Some(hook) = cut else { return Ok(Some(choice)) };
            if tree.not_admitted(hook, open.depth + 1) {
                tree.meter.look(*fuel, tally.visited, open.depth)?;
            }
        }
        if open.barren {
            self.levels[open.depth].dead_ends += 1;
        }
        Ok(None)
    }

    /// Enters the children of an open node that are left.
    fn expand(&mut self, open: &mut OpenOf<P, B>, visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>) -> Expanded {
        loop {
            let choice = match self.draw(open) {
                Ok(Some(choice)) => choice,
                Ok(None) => return Expanded::Done,
                Err(stop) => return Expanded::Stopped(stop),
            };
            if open.depth >= self.tree.meter.depth_limit() {
                self.tree.truncated = true;
                return Expanded::Done;
            }
            if let Err(stop) = self.burn(open.depth + 1) {
                return Expanded::Stopped(stop);
            }
            if self.try_child(open, choice, visit).is_break() {
                return Expanded::Paused;
            }
            if let Err(stop) = self.check() {
                return Expanded::Stopped(stop);
            }
        }
    }

    /// Drops what is not to be kept of a level.
    fn narrow(&mut self) {
        let before = self.queue.len();
        self.narrow.narrow(self.tree.problem, &mut self.queue);
        self.dropped += (before - self.queue.len()) as u64;
    }

    /// Whether the last node was one too many for the limits that no fuel stands for.
    fn check(&self) -> Result<(), Stop> {
        if self.tally.overflow {
            Err(Stop::CountOverflow)
        } else if self.tally.visited >= self.tree.meter.solution_limit() {
            Err(Stop::SolutionLimit)
        } else {
            Ok(())
        }
    }

    fn end(&mut self, stop: Stop) -> Option<Stop> {
        if let Some(guide) = &mut self.guide
            && stop.is_exhausted()
        {
            guide.finish(&mut self.tree, &self.records, &self.tally);
        }
        Some(self.tree.end(stop, &self.tally))
    }
}

impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, N: Narrow<P>> Walk<P> for BreadthFirst<'_, P, B, H, N> {
    fn go_on<V>(&mut self, mut visit: V) -> Option<Stop>
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
        // The visitor may have broken off just at the limit.
        if let Err(stop) = self.check() {
            return self.end(stop);
        }
        let mut resumed = self.open.take();
        let mut depth = resumed.as_ref().map_or(0, |open| open.depth);
        loop {
            let mut open = match resumed.take() {
                Some(open) => open,
                None => {
                    if self.queue.front().is_some_and(|next| next.depth > depth) {
                        // All of the next level is there, and nothing else.
                        self.narrow();
                    }
                    let Some(open) = self.queue.pop_front() else {
                        return self.end(Stop::Exhausted);
                    };
                    depth = open.depth;
                    if let Some(guide) = &mut self.guide {
                        guide.move_to(&mut self.tree, &self.records, &self.tally, open.record, open.depth);
                    }
                    open
                }
            };
            match self.expand(&mut open, &mut visit) {
                Expanded::Done => {}
                Expanded::Paused => {
                    self.open = Some(open);
                    return None;
                }
                Expanded::Stopped(stop) => return self.end(stop),
            }
        }
    }

    fn stopped(&mut self) -> &mut Option<Stop> {
        &mut self.tree.stopped
    }

    fn stop(&self) -> Stop {
        self.tree.stop()
    }

    fn report(&self) -> Report {
        let mut report = self.tree.report(&self.tally, &self.levels);
        if self.dropped > 0 {
            report.effect = Effect::Lossy;
            let nodes = if self.dropped == 1 { "node" } else { "nodes" };
            report.conflicts.push(format!("the beam dropped {} {nodes}", self.dropped));
        }
        report
    }

    fn count(&self) -> Count {
        self.tree.count_so_far(&self.tally)
    }
}
