//! The kernel: depth-first search with an explicit stack, able to pause between nodes.
//!
//! Everything else is made from [`DepthFirst::advance`], which walks on until a visitor breaks off at a solution, a limit
//! is reached, or the tree is exhausted.
//!
//! Why it looks as it does (14-queens on bit masks, 27 million nodes, against a hand-written recursion; instructions
//! and mispredicted branches a node counted as well, for these machines are noisy):
//!
//! - The *current* cursor is a local variable, and a frame holds the parent's cursor beside the choice and the undo that
//!   led away from it. A node without children is therefore never pushed: it is applied, looked at and undone while its
//!   parent stays in registers. Pushing leaves costs 15 % more.
//! - One stack of frames, not one of choices and one of cursors: two stacks cost 12 to 35 % more. That is why
//!   [`Path`](crate::hook::Path) is a view and not a slice.
//! - The stack and the table of levels grow in the outer loop only. With no call that may reallocate inside, the inner
//!   loop keeps its state in registers: 8 % less time.
//! - The state is moved out of the kernel into a local variable and back at the end, for the same reason.
//! - Nodes are counted by depth only, in a line of memory that is hot anyway; node limit, clock, cancellation and
//!   progress share one countdown ([`Meter`]). Calls of hooks are not counted at all: they follow from nodes and cuts.

use std::mem;
use std::ops::ControlFlow;

use super::tree::{Tree, Walk};
use crate::hook::{Hooks, Node, NodeMut, Path, Steps};
use crate::limits::Stop;
use crate::outcome::{Count, Tally};
use crate::problem::{Branch, Brancher, Problem};
use crate::report::{Level, Report};

/// A step on the stack: where its parent stood when it was taken, and what takes it back.
struct Frame<K, C, U> {
    cursor: K,
    choice: C,
    undo: U,
}

type FrameOf<P, B> = Frame<<B as Brancher<P>>::Cursor, <P as Problem>::Choice, <P as Problem>::Undo>;

struct Stack<'a, K, C, U>(&'a [Frame<K, C, U>]);

impl<K, C, U> Steps<C> for Stack<'_, K, C, U> {
    fn step(&self, index: usize) -> &C {
        &self.0[index].choice
    }

    fn append(&self, len: usize, out: &mut Vec<C>)
    where
        C: Clone,
    {
        out.extend(self.0[..len].iter().map(|step| step.choice.clone()));
    }
}

/// A depth-first walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct DepthFirst<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    tree: Tree<'p, P, B, H>,
    /// `None` before the root is entered and while `advance` runs.
    position: Option<Position<P, B>>,
    fuel: u64,
    levels: Vec<Level>,
    tally: Tally,
    /// Whether a node was not expanded because of the depth limit.
    truncated: bool,
    stopped: Option<Stop>,
}

/// Where the walk stands: at an inner node below the frames, with its cursor.
struct Position<P: Problem, B: Brancher<P>> {
    state: P::State,
    frames: Vec<FrameOf<P, B>>,
    cursor: B::Cursor,
    /// Whether the current node is no solution and none of its children has been entered yet.
    barren: bool,
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirst<'p, P, B, H> {
    pub(crate) fn new(tree: Tree<'p, P, B, H>) -> Self {
        DepthFirst {
            tree,
            position: None,
            fuel: 0,
            levels: vec![Level::default()],
            tally: Tally::NEW,
            truncated: false,
            stopped: None,
        }
    }

    /// Enters the root. `Err` if there is nothing below it to walk, with whether the visitor broke off.
    #[cold]
    fn start(
        &mut self,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ControlFlow<()>> {
        const CONTINUE: ControlFlow<()> = ControlFlow::Continue(());
        match self.tree.meter.refuel(0, 0) {
            Ok(fuel) => self.fuel = fuel - 1,
            Err(stop) => {
                self.stopped = Some(stop);
                return Err(CONTINUE);
            }
        }
        self.stopped = Some(Stop::Exhausted);
        let Self { tree, levels, tally, .. } = self;
        let problem = tree.problem;
        let level = &mut levels[0];
        let mut state = problem.root();
        let nothing: [P::Choice; 0] = [];
        let path = Path::new(&nothing, 0, None);
        level.nodes += 1;
        if let Some(hook) = tree.hooks.enter(&mut NodeMut::new(problem, &mut state, path, tally)) {
            tree.not_kept(hook, 0);
            return Err(CONTINUE);
        }
        let snapshot = *tally;
        let node = Node::new(problem, &state, path, &snapshot);
        tree.brancher.enter(&node);
        let branch = tree.brancher.branch(&node);
        let flow = if branch.is_solution() {
            level.solutions += 1;
            tree.count(tally, &node);
            visit(&Node::new(problem, &state, path, tally))
        } else {
            CONTINUE
        };
        let barren = !branch.is_solution();
        match branch {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) if tree.meter.depth_limit() > 0 => {
                self.position = Some(Position { state, frames: Vec::new(), cursor, barren });
                self.stopped = None;
                return Ok(flow);
            }
            Branch::Inner(_) | Branch::SolutionInner(_) => self.truncated = true,
            Branch::DeadEnd => level.dead_ends += 1,
            Branch::Solution => {}
        }
        let node = Node::new(problem, &state, path, tally);
        tree.brancher.leave(&node);
        tree.hooks.leave(&node);
        Err(flow)
    }

    /// Ends the walk, unless it is only paused.
    fn end(&mut self, stop: Option<Stop>) -> Option<Stop> {
        if stop.is_some() {
            self.tree.meter.freeze();
        }
        self.stopped = stop.map(|stop| match stop {
            _ if self.tally.overflow => Stop::CountOverflow,
            Stop::Exhausted if self.truncated => Stop::DepthLimit,
            stop => stop,
        });
        self.stopped
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Walk<P> for DepthFirst<'_, P, B, H> {
    fn advance<V>(&mut self, mut visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        if self.stopped.is_some() {
            return self.stopped;
        }
        if self.position.is_none() {
            let started = self.start(&mut visit);
            self.end(self.stopped);
            match started {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) | Err(ControlFlow::Break(())) => return None,
                Err(ControlFlow::Continue(())) => return self.stopped,
            }
        }
        let Some(Position { mut state, mut frames, mut cursor, mut barren }) = self.position.take() else {
            panic!("the walk was resumed after a panic in the problem, its brancher or a hook");
        };
        let mut levels = mem::take(&mut self.levels);
        let mut tally = self.tally;
        let mut fuel = self.fuel;
        let mut truncated = self.truncated;
        let tree = &mut self.tree;
        let problem = tree.problem;
        let depth_limit = tree.meter.depth_limit();
        let solution_limit = tree.meter.solution_limit();
        let mut grown: Option<(P::Choice, P::Undo, B::Cursor)> = None;
        let mut halt: Option<Option<Stop>> = None;

        let end: Option<Stop> = 'grow: loop {
            if frames.len() == frames.capacity() {
                frames.reserve(16);
            }
            if levels.len() < frames.capacity() + 2 {
                levels.resize(frames.capacity() + 2, Level::default());
            }
            if let Some((choice, undo, child)) = grown.take() {
                frames.push(Frame { cursor, choice, undo });
                cursor = child;
                if let Some(end) = halt {
                    break end;
                }
            }
            loop {
                let stack = Stack(&frames);
                let here = Path::new(&stack, frames.len(), None);
                let drawn = tree.brancher.next(&Node::new(problem, &state, here, &tally), &mut cursor);
                let Some(choice) = drawn else {
                    if barren {
                        levels[frames.len()].dead_ends += 1;
                    }
                    barren = false;
                    let Some(frame) = frames.pop() else {
                        let root: [P::Choice; 0] = [];
                        let node = Node::new(problem, &state, Path::new(&root, 0, None), &tally);
                        tree.brancher.leave(&node);
                        tree.hooks.leave(&node);
                        break 'grow Some(Stop::Exhausted);
                    };
                    let stack = Stack(&frames);
                    let path = Path::new(&stack, frames.len(), Some(&frame.choice));
                    let node = Node::new(problem, &state, path, &tally);
                    tree.brancher.leave(&node);
                    tree.hooks.leave(&node);
                    problem.undo(&mut state, &frame.choice, frame.undo);
                    cursor = frame.cursor;
                    continue;
                };
                let depth = frames.len() + 1;
                if let Some(hook) = tree.hooks.admit(&Node::new(problem, &state, here, &tally), &choice) {
                    tree.not_admitted(hook, depth);
                    continue;
                }
                if fuel == 0 {
                    match tree.meter.refuel(tally.visited, depth) {
                        Ok(more) => fuel = more,
                        Err(stop) => break 'grow Some(stop),
                    }
                }
                fuel -= 1;
                let undo = problem.apply(&mut state, &choice);
                let level = &mut levels[depth];
                level.nodes += 1;
                let path = Path::new(&stack, frames.len(), Some(&choice));
                if let Some(hook) = tree.hooks.enter(&mut NodeMut::new(problem, &mut state, path, &mut tally)) {
                    tree.not_kept(hook, depth);
                    problem.undo(&mut state, &choice, undo);
                    continue;
                }
                let node = Node::new(problem, &state, path, &tally);
                tree.brancher.enter(&node);
                let branch = tree.brancher.branch(&node);
                let solution = branch.is_solution();
                if solution {
                    level.solutions += 1;
                    let before = tally;
                    tree.count(&mut tally, &Node::new(problem, &state, path, &before));
                    if visit(&Node::new(problem, &state, path, &tally)).is_break() {
                        halt = Some(None);
                    } else if tally.visited >= solution_limit {
                        halt = Some(Some(Stop::SolutionLimit));
                    }
                }
                barren = false;
                match branch {
                    Branch::Inner(child) | Branch::SolutionInner(child) if depth < depth_limit => {
                        barren = !solution;
                        if frames.len() == frames.capacity() {
                            grown = Some((choice, undo, child));
                            continue 'grow;
                        }
                        frames.push(Frame { cursor, choice, undo });
                        cursor = child;
                    }
                    rest => {
                        match rest {
                            Branch::DeadEnd => level.dead_ends += 1,
                            Branch::Solution => {}
                            _ => truncated = true,
                        }
                        let node = Node::new(problem, &state, path, &tally);
                        tree.brancher.leave(&node);
                        tree.hooks.leave(&node);
                        problem.undo(&mut state, &choice, undo);
                    }
                }
                if solution && let Some(end) = halt {
                    break 'grow end;
                }
            }
        };
        self.levels = levels;
        self.tally = tally;
        self.fuel = fuel;
        self.truncated = truncated;
        self.position = Some(Position { state, frames, cursor, barren });
        self.end(end)
    }

    fn report(&self) -> Report {
        self.tree.report(self.stopped.unwrap_or(Stop::Paused), &self.levels)
    }

    fn count(&self) -> Count {
        self.tally.into()
    }
}
