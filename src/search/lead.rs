//! Leading a depth-first walk to the parts of the tree that an earlier one has left.
//!
//! The nodes on the way there make the *stem*: they were entered before, are entered again as a
//! replay, and their children that are still untried come from a list rather than from a cursor.
//! Each of them is entered here, and what is below it is the hot loop's.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::kernel::{DepthFirstWalk, Position, Stack, Step};
use super::subtree::{Subtree, Untried};
use super::tree::Ending;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::limits::Stop;
use crate::problem::{Branch, Problem};

/// Where a search may be divided, or is to tell what share is done, nodes of at least this share of
/// the tree are opened child by child, so that it is known how many there are.
const OPENED_SHARE: f64 = 1.0 / 256.0;

/// Deeper nodes are not, lest a trunk without branches be climbed this way.
const OPENED_DEPTH: usize = 64;

const CONTINUE: ControlFlow<()> = ControlFlow::Continue(());

/// A node to which the walk was led.
pub(super) struct StemNode<C> {
    /// The hooks that pruned it on the replay: by their contract they are not told of leaving.
    pub(super) pruned: Vec<usize>,
    /// Whether this walk has all that is below it: it was entered, not replayed, and nothing was
    /// given away.
    pub(super) own: bool,
    pub(super) untried: Untried<C>,
}

/// Makes a copy of a path.
pub(super) type CopyPath<C> = fn(&Path<'_, C>) -> Vec<C>;

/// Where a walk stands that was led somewhere, and where it is to be led next.
pub(super) struct Led<P: Problem> {
    /// The state to begin with, in place of that of the root.
    pub(super) start: Option<P::State>,
    /// By depth, the root first; empty if the walk began at the root.
    pub(super) stem: Vec<StemNode<P::Choice>>,
    /// The state at the last node of the stem, unless the hot loop has it.
    pub(super) state: Option<P::State>,
    /// Parts of the tree that wait.
    pub(super) waiting: VecDeque<Subtree<P::Choice>>,
    /// Whether the node where the walk stands, just led there, is a solution that is still to be
    /// visited.
    pub(super) unvisited: bool,
    /// If nodes are only to be opened, and solutions left to others: what makes a copy of a path.
    pub(super) defers: Option<CopyPath<P::Choice>>,
    /// The path of the solution that was left.
    pub(super) deferred: Option<Vec<P::Choice>>,
    /// How many nodes are to be visited before something is given away again.
    pub(super) keeps_until: u64,
}

impl<P: Problem> Led<P> {
    /// To these parts of the tree, one after another.
    pub(super) fn to(waiting: VecDeque<Subtree<P::Choice>>) -> Self {
        Led {
            start: None,
            stem: Vec::new(),
            state: None,
            waiting,
            unvisited: false,
            defers: None,
            deferred: None,
            keeps_until: 0,
        }
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirstWalk<'_, P, B, H> {
    /// One step outside the hot loop: into the next part that waits, into an untried child, or
    /// back.
    #[cold]
    pub(super) fn walk_led<V>(&mut self, visit: &mut V) -> Result<ControlFlow<()>, Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        if let Some(state) = self.led.state.take() {
            if std::mem::take(&mut self.led.unvisited) {
                return self.visit_late(state, visit);
            }
            return self.try_next(state, visit);
        }
        match self.led.waiting.pop_front() {
            None => Err(Stop::Exhausted),
            Some(subtree) if subtree.is_whole() => {
                if let Err(stop) = self.supply(0) {
                    self.led.waiting.push_front(subtree);
                    return Err(stop);
                }
                self.share = 1.0;
                let start = self.led.start.take().unwrap_or_else(|| self.tree.problem.root());
                Ok(self.enter(start, 0, visit))
            }
            Some(mut subtree) => {
                self.truncate(&mut subtree);
                if let Err(stop) = self.make_room(subtree.untried.len()) {
                    self.led.waiting.push_front(subtree);
                    return Err(stop);
                }
                self.replay(subtree);
                Ok(CONTINUE)
            }
        }
    }

    /// Drops the nodes of a path that are beyond the limit of depth, as those are that a run
    /// without it has left.
    fn truncate(&mut self, subtree: &mut Subtree<P::Choice>) {
        let limit = self.tree.meter.depth_limit();
        if subtree.path.len() > limit {
            let below = subtree.untried.split_off(limit + 1);
            subtree.path.truncate(limit);
            self.tree.truncated |= std::mem::take(&mut subtree.solution);
            self.done +=
                below.iter().map(|node| node.share * node.choices.len() as f64).sum::<f64>();
            self.tree.truncated |= below.iter().any(|node| !node.choices.is_empty());
        }
    }

    /// Replays the path of `subtree`, and stands at its end.
    fn replay(&mut self, subtree: Subtree<P::Choice>) {
        let problem = self.tree.problem;
        let mut state = problem.root();
        self.led.unvisited = subtree.solution;
        let mut choices = subtree.path.into_iter();
        for (depth, untried) in subtree.untried.into_iter().enumerate() {
            debug_assert!(depth < self.slots.len(), "room was made before the replay");
            if let Some(choice) = if depth > 0 { choices.next() } else { None } {
                let undo = problem.apply(&mut state, &choice);
                self.slots[depth].step = Step::Led { choice, undo };
            }
            let Self { tree, slots, tally, .. } = self;
            let stack = Stack(slots);
            let path = Path::new(&stack, depth, None);
            let pruned = tree.replay(&mut state, path, tally);
            self.led.stem.push(StemNode { pruned, own: false, untried });
        }
        self.led.state = Some(state);
    }

    /// Visits the last node of the stem, a solution that was left when the node was opened.
    fn visit_late<V>(&mut self, state: P::State, visit: &mut V) -> Result<ControlFlow<()>, Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        let depth = self.led.stem.len() - 1;
        let Self { tree, slots, tally, .. } = self;
        slots[depth].level.solutions += 1;
        let stack = Stack(slots);
        let path = Path::new(&stack, depth, None);
        let flow = tree.visit(tree.problem, &state, path, tally, visit);
        self.led.state = Some(state);
        if self.tally.overflow { Err(Stop::CountOverflow) } else { Ok(flow) }
    }

    /// Enters the next untried child of the last node of the stem, or leaves that node if there is
    /// none.
    fn try_next<V>(&mut self, mut state: P::State, visit: &mut V) -> Result<ControlFlow<()>, Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        let depth = self.led.stem.len();
        let next = self.led.stem.last_mut();
        let next =
            next.and_then(|node| Some((node.untried.choices.pop_front()?, node.untried.share)));
        let Some((choice, share)) = next else {
            self.leave_stem(state);
            return Ok(CONTINUE);
        };
        let Self { tree, slots, tally, fuel, .. } = self;
        let stack = Stack(slots);
        let node = Node::new(tree.problem, &state, Path::new(&stack, depth - 1, None), tally);
        if let Some(hook) = tree.hooks.admit_first(&node, &choice) {
            let looked = match tree.not_admitted(hook, depth) {
                true => tree.meter.look(*fuel, tally.visited, depth - 1),
                false => Ok(()),
            };
            self.led.state = Some(state);
            self.done += share;
            return looked.map(|()| CONTINUE);
        }
        if depth > tree.meter.depth_limit() {
            tree.truncated = true;
            self.done += share;
            if let Some(node) = self.led.stem.last_mut() {
                self.done += share * node.untried.choices.len() as f64;
                node.untried.choices.clear();
                // It has children, and is no dead end.
                node.untried.barren = false;
            }
            self.leave_stem(state);
            return Ok(CONTINUE);
        }
        if let Err(stop) = self.supply(depth) {
            self.led.state = Some(state);
            if let Some(node) = self.led.stem.last_mut() {
                node.untried.choices.push_front(choice);
            }
            return Err(stop);
        }
        let undo = self.tree.problem.apply(&mut state, &choice);
        self.slots[depth].step = Step::Led { choice, undo };
        self.share = share;
        let flow = self.enter(state, depth, visit);
        if self.tally.overflow { Err(Stop::CountOverflow) } else { Ok(flow) }
    }

    /// Enters the root, or a child of the last node of the stem; says whether the visitor broke
    /// off. There is a position for the hot loop afterwards if the node has children.
    fn enter<V>(&mut self, mut state: P::State, depth: usize, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        self.fuel -= 1;
        let Self { tree, slots, tally, led, .. } = self;
        let problem = tree.problem;
        slots[depth].level.nodes += 1;
        let stack = Stack(slots);
        let path = Path::new(&stack, depth, None);
        let branch = match tree.enter(problem, &mut state, path, tally) {
            Ok(branch) => branch,
            Err(hook) => {
                tree.not_kept(hook, depth);
                self.done += self.share;
                self.step_back(state, depth);
                return CONTINUE;
            }
        };
        if let Some(parent) = led.stem.last_mut() {
            parent.untried.barren = false;
        }
        let solution = branch.is_solution();
        let mut flow = CONTINUE;
        if let Some(copy) = led.defers.filter(|_| solution) {
            led.deferred = Some(copy(&path));
        } else if solution {
            flow = tree.visit(problem, &state, path, tally, visit);
        }
        let level = &mut slots[depth].level;
        level.solutions += u64::from(solution && led.defers.is_none());
        match branch {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => {
                self.position = Some(Position { state, depth, cursor, barren: !solution });
                if self.opens && depth < OPENED_DEPTH && self.share >= OPENED_SHARE * self.whole {
                    self.open();
                }
                return flow;
            }
            Branch::DeadEnd => level.dead_ends += 1,
            Branch::Solution => {}
        }
        self.leave_bottom(state, depth);
        flow
    }

    /// Draws all children of the node where the hot loop is to begin, and makes it part of the
    /// stem.
    fn open(&mut self) {
        let Some(Position { state, depth, mut cursor, barren }) = self.position.take() else {
            return;
        };
        let Self { tree, slots, tally, .. } = self;
        let stack = Stack(slots);
        let node = Node::new(tree.problem, &state, Path::new(&stack, depth, None), tally);
        let choices: VecDeque<_> =
            std::iter::from_fn(|| tree.brancher.next(&node, &mut cursor)).collect();
        if choices.is_empty() {
            self.done += self.share;
        }
        let share = self.share / choices.len().max(1) as f64;
        self.led.stem.push(StemNode {
            pruned: Vec::new(),
            own: true,
            untried: Untried { choices, barren, share },
        });
        self.led.state = Some(state);
    }

    /// Leaves the node where the hot loop began, with all below it searched.
    pub(super) fn leave_bottom(&mut self, state: P::State, depth: usize) {
        self.leave(&state, depth, Ending::Searched);
        self.done += self.share;
        self.step_back(state, depth);
    }

    /// Leaves the last node of the stem, all of whose children have been tried; its untried
    /// siblings are next.
    fn leave_stem(&mut self, state: P::State) {
        let Some(StemNode { pruned, own, untried }) = self.led.stem.pop() else { return };
        let depth = self.led.stem.len();
        self.slots[depth].level.dead_ends += u64::from(untried.barren);
        self.leave(&state, depth, if own { Ending::Searched } else { Ending::Unfinished(&pruned) });
        self.step_back(state, depth);
    }

    pub(super) fn leave(&mut self, state: &P::State, depth: usize, ending: Ending<'_>) {
        let Self { tree, slots, tally, .. } = self;
        let stack = Stack(slots);
        let node = Node::new(tree.problem, state, Path::new(&stack, depth, None), tally);
        tree.leave(&node, ending);
    }

    /// Takes the step back that led to `depth`; from the root, there is none.
    fn step_back(&mut self, mut state: P::State, depth: usize) {
        if let Step::Led { choice, undo } = self.slots[depth].step.take() {
            self.tree.problem.undo(&mut state, &choice, undo);
            self.led.state = Some(state);
        }
    }

    /// The choices of the nodes whose children are being searched, after a panic too.
    pub(super) fn standing(&self) -> String
    where
        P::Choice: std::fmt::Debug,
    {
        let choices = self.slots.iter().skip(1).map_while(|slot| slot.step.choice());
        format!("{:?}", choices.collect::<Vec<_>>())
    }

    /// Leads a walk that has left all nodes to these parts of the tree.
    pub(super) fn lead_to(&mut self, rest: VecDeque<Subtree<P::Choice>>) {
        self.led.waiting = rest;
    }

    /// Adds a part of the tree to those that wait.
    pub(super) fn add(&mut self, subtree: Subtree<P::Choice>) {
        self.led.waiting.push_back(subtree);
    }

    /// Calls `visit` with the nodes of the best solutions that earlier walks have found, before
    /// this one begins.
    ///
    /// Where a bound that infers was tighter then than it is now, the path may lead to a node above
    /// the solution: what is below is searched again. Where it is tighter, the path may fail, and
    /// its solution is not as good as the incumbent.
    pub(super) fn visit_best(&mut self, mut visit: impl FnMut(&Node<'_, P>)) {
        let Some(resume) = &mut self.tree.resume else { return };
        let paths = std::mem::take(&mut resume.frontier.best);
        // So it stays if a panic goes through here, and the frontier is lost with its paths.
        let stopped = self.tree.stopped.replace(Stop::Interrupted);
        let mut failure = None;
        for path in paths {
            let depth = path.len();
            if let Err(stop) = self.make_room(depth) {
                // The path goes back to where it was with all that is left.
                if let Some(resume) = &mut self.tree.resume {
                    resume.frontier.best.push(path);
                }
                failure = Some(stop);
                continue;
            }
            self.replay(Subtree { solution: false, ..Subtree::solution(path) });
            let Self { tree, slots, tally, led, .. } = self;
            let stack = Stack(slots);
            let path = Path::new(&stack, depth, None);
            let Some(state) = &led.state else { continue };
            let node = Node::new(tree.problem, state, path, tally);
            let failed = led.stem.iter().any(|node| !node.pruned.is_empty());
            match tree.brancher.branch(&node) {
                Branch::Solution | Branch::SolutionInner(_) => {
                    visit(&node);
                    if let Some(resume) = &mut tree.resume {
                        resume.keep_earlier(&path);
                    }
                }
                Branch::Inner(mut cursor) if !failed => {
                    let choices =
                        std::iter::from_fn(|| tree.brancher.next(&node, &mut cursor)).collect();
                    if let Some(last) = led.stem.last_mut() {
                        last.untried.choices = choices;
                    }
                }
                Branch::Inner(_) | Branch::DeadEnd => {}
            }
            let waiting = self.take_rest();
            self.led.waiting = waiting;
        }
        self.tree.stopped = failure.or(stopped);
        // The hot loop goes as deep as there are slots; a path may be longer than the limit of
        // depth.
        self.slots.clear();
    }
}
