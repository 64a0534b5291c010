//! Breadth-first search: level by level, over a record of all nodes.
//!
//! Nodes are kept as a parent and a choice. The one state walks from node to node through their nearest common ancestor,
//! undoing and taking steps; neighbours in a level mostly share a parent, so that this costs little.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::tree::{Tree, Walk};
use crate::hook::{Hooks, Node, NodeMut, Path, Steps};
use crate::limits::Stop;
use crate::outcome::{Count, Tally};
use crate::problem::{Branch, Brancher, Problem};
use crate::report::{Level, Report};

/// A node that has been entered and kept: its parent in the record, and the choice that leads to it from there.
struct Record<C> {
    parent: usize,
    choice: C,
    depth: usize,
}

/// The root's place in the record, where there is no choice: records are numbered from 1.
const ROOT: usize = 0;

/// A step of the path on which the state stands.
struct Step<C, U> {
    record: usize,
    choice: C,
    undo: U,
}

struct Stack<'a, C, U>(&'a [Step<C, U>]);

impl<C, U> Steps<C> for Stack<'_, C, U> {
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

/// A node that is to be expanded.
struct Open<K> {
    record: usize,
    cursor: K,
    /// Whether it is no solution and none of its children has been kept yet.
    barren: bool,
}

/// What became of a node on entering.
enum Entered {
    Cut,
    Childless(ControlFlow<()>),
    Queued(ControlFlow<()>),
}

/// A breadth-first walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct BreadthFirst<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    tree: Tree<'p, P, B, H>,
    state: P::State,
    stack: Vec<Step<P::Choice, P::Undo>>,
    records: Vec<Record<P::Choice>>,
    /// Nodes to be expanded, the first of them perhaps in part.
    queue: VecDeque<Open<B::Cursor>>,
    fuel: u64,
    levels: Vec<Level>,
    tally: Tally,
    truncated: bool,
    started: bool,
    stopped: Option<Stop>,
}

impl<'p, P: Problem<Choice: Clone>, B: Brancher<P>, H: Hooks<P>> BreadthFirst<'p, P, B, H> {
    pub(crate) fn new(tree: Tree<'p, P, B, H>) -> Self {
        let state = tree.problem.root();
        BreadthFirst {
            tree,
            state,
            stack: Vec::new(),
            records: Vec::new(),
            queue: VecDeque::new(),
            fuel: 0,
            levels: Vec::new(),
            tally: Tally::NEW,
            truncated: false,
            started: false,
            stopped: None,
        }
    }

    /// The node at depth `len` of the path on which the state stands, which must be its end.
    fn leave(&mut self, len: usize) {
        let stack = Stack(&self.stack);
        let node = Node::new(self.tree.problem, &self.state, Path::new(&stack, len, None), &self.tally);
        self.tree.brancher.leave(&node);
        self.tree.hooks.leave(&node);
    }

    /// Takes the last step back, its node having been left.
    fn undo_last(&mut self) {
        if let Some(step) = self.stack.pop() {
            self.tree.problem.undo(&mut self.state, &step.choice, step.undo);
        }
    }

    /// Walks the state to a recorded node, replaying the steps that are not on its path already.
    fn move_to(&mut self, target: usize) {
        let mut replay = Vec::new();
        let mut record = target;
        let mut depth = self.depth_of(target);
        while depth > 0 && self.stack.get(depth - 1).is_none_or(|step| step.record != record) {
            replay.push(record);
            record = self.records[record - 1].parent;
            depth -= 1;
        }
        while self.stack.len() > depth {
            self.leave(self.stack.len());
            self.undo_last();
        }
        for record in replay.into_iter().rev() {
            let choice = self.records[record - 1].choice.clone();
            let undo = self.tree.problem.apply(&mut self.state, &choice);
            self.stack.push(Step { record, choice, undo });
            let stack = Stack(&self.stack);
            let path = Path::new(&stack, self.stack.len(), None);
            // What is credited on a replay was credited when the node was first entered.
            let mut replayed = self.tally;
            self.tree.hooks.replay(&mut NodeMut::new(self.tree.problem, &mut self.state, path, &mut replayed));
            self.tree.brancher.enter(&Node::new(self.tree.problem, &self.state, path, &self.tally));
        }
    }

    fn depth_of(&self, record: usize) -> usize {
        if record == ROOT { 0 } else { self.records[record - 1].depth }
    }

    /// Enters the node on which the state stands, and queues it under `record` if it has children; if not, leaves it
    /// again.
    fn enter(&mut self, record: usize, visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>) -> Entered {
        let depth = self.stack.len();
        if self.levels.len() <= depth {
            self.levels.resize(depth + 1, Level::default());
        }
        let level = &mut self.levels[depth];
        level.nodes += 1;
        let problem = self.tree.problem;
        let stack = Stack(&self.stack);
        let path = Path::new(&stack, depth, None);
        let cut = self.tree.hooks.enter(&mut NodeMut::new(problem, &mut self.state, path, &mut self.tally));
        if let Some(hook) = cut {
            self.tree.not_kept(hook, depth);
            return Entered::Cut;
        }
        let before = self.tally;
        let node = Node::new(problem, &self.state, path, &before);
        self.tree.brancher.enter(&node);
        let branch = self.tree.brancher.branch(&node);
        let barren = !branch.is_solution();
        let mut flow = ControlFlow::Continue(());
        if branch.is_solution() {
            level.solutions += 1;
            self.tree.count(&mut self.tally, &node);
            flow = visit(&Node::new(problem, &self.state, path, &self.tally));
        }
        match branch {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) if depth < self.tree.meter.depth_limit() => {
                self.queue.push_back(Open { record, cursor, barren });
                return Entered::Queued(flow);
            }
            Branch::Inner(_) | Branch::SolutionInner(_) => self.truncated = true,
            Branch::DeadEnd => level.dead_ends += 1,
            Branch::Solution => {}
        }
        self.leave(depth);
        Entered::Childless(flow)
    }

    /// Takes the step `choice` from the node at the front of the queue, enters the child, and steps back.
    fn try_child(
        &mut self,
        choice: P::Choice,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let parent = self.queue.front().map_or(ROOT, |open| open.record);
        let undo = self.tree.problem.apply(&mut self.state, &choice);
        let record = self.records.len() + 1;
        let recorded = choice.clone();
        self.stack.push(Step { record, choice, undo });
        let entered = self.enter(record, visit);
        if !matches!(entered, Entered::Cut)
            && let Some(open) = self.queue.front_mut()
        {
            open.barren = false;
        }
        if let Entered::Queued(_) = entered {
            self.records.push(Record { parent, choice: recorded, depth: self.stack.len() });
            self.leave(self.stack.len());
        }
        self.undo_last();
        match entered {
            Entered::Cut => ControlFlow::Continue(()),
            Entered::Childless(flow) | Entered::Queued(flow) => flow,
        }
    }

    /// Takes fuel for one more node.
    fn burn(&mut self) -> Result<(), Stop> {
        if self.fuel == 0 {
            self.fuel = self.tree.meter.refuel(self.tally.visited, self.stack.len())?;
        }
        self.fuel -= 1;
        Ok(())
    }

    /// The next child of the node at the front of the queue, if it has one that is admitted; else it leaves the queue.
    fn draw(&mut self) -> Option<P::Choice> {
        let stack = Stack(&self.stack);
        let depth = self.stack.len();
        let node = Node::new(self.tree.problem, &self.state, Path::new(&stack, depth, None), &self.tally);
        let open = self.queue.front_mut()?;
        while let Some(choice) = self.tree.brancher.next(&node, &mut open.cursor) {
            match self.tree.hooks.admit(&node, &choice) {
                None => return Some(choice),
                Some(hook) => self.tree.not_admitted(hook, depth + 1),
            }
        }
        if open.barren {
            self.levels[depth].dead_ends += 1;
        }
        self.queue.pop_front();
        None
    }

    fn end(&mut self, stop: Stop) -> Option<Stop> {
        self.tree.meter.freeze();
        self.stopped = Some(match stop {
            _ if self.tally.overflow => Stop::CountOverflow,
            Stop::Exhausted if self.truncated => Stop::DepthLimit,
            stop => stop,
        });
        self.stopped
    }
}

impl<P: Problem<Choice: Clone>, B: Brancher<P>, H: Hooks<P>> Walk<P> for BreadthFirst<'_, P, B, H> {
    fn advance<V>(&mut self, mut visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        if self.stopped.is_some() {
            return self.stopped;
        }
        if !self.started {
            if let Err(stop) = self.burn() {
                return self.end(stop);
            }
            self.started = true;
            if let Entered::Childless(ControlFlow::Break(())) | Entered::Queued(ControlFlow::Break(())) =
                self.enter(ROOT, &mut visit)
            {
                return None;
            }
        }
        loop {
            if self.tree.meter.solution_limit() <= self.tally.visited {
                return self.end(Stop::SolutionLimit);
            }
            let Some(open) = self.queue.front() else {
                return self.end(Stop::Exhausted);
            };
            self.move_to(open.record);
            let Some(choice) = self.draw() else { continue };
            if let Err(stop) = self.burn() {
                return self.end(stop);
            }
            if self.try_child(choice, &mut visit).is_break() {
                return None;
            }
        }
    }

    fn report(&self) -> Report {
        self.tree.report(self.stopped.unwrap_or(Stop::Paused), &self.levels)
    }

    fn count(&self) -> Count {
        self.tally.into()
    }
}
