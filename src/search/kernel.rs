//! The kernel: depth-first search with an explicit stack, able to pause between nodes.
//!
//! Everything else is made from [`DepthFirst::advance`], which walks on until a visitor breaks off at a solution, a limit
//! is reached, or the tree is exhausted.
//!
//! # Why it looks as it does
//!
//! Some thirty layouts were timed on 14-queens with bit masks (27 million nodes) against a hand-written recursion, in one
//! process, by processor time, with instructions counted beside: `cargo bench --bench kernel` shows where this one
//! stands. They lay between 1.01 and 1.63. Half of a node's time is mispredicted branches, which all of them share; the
//! rest is decided by what the compiler can keep in registers. So:
//!
//! - One array of *slots*, one a depth, holds both the step that leads there and what was counted there. One bounds check
//!   serves stack and statistics alike, and no separate length or capacity is kept: this alone took 10 to 15 % off. A
//!   stack of choices beside a stack of cursors costs 12 to 35 % more, which is why [`Path`] is a view and not a slice.
//! - The *current* cursor is a local variable; a frame holds the parent's. A node without children is therefore never
//!   pushed: it is applied, looked at and undone while its parent stays in registers.
//! - The hot loop makes no call. What is rare (no slot, no fuel) ends it, with the child in hand, and is seen to
//!   outside. A call to a cold function inside, never made, costs 13 %.
//! - State, cursor and counters are moved out of the kernel into local variables, and back at the end; no reference to
//!   them may reach a function that is not inlined, or they live in memory from then on. The problem comes as an
//!   argument of its own, because the compiler then knows that nothing changes it.
//! - Nodes are counted by depth only. Node limit, clock, cancellation and progress share one countdown, the fuel. Calls
//!   of hooks are not counted at all: they follow from nodes and cuts.

use std::mem;
use std::ops::ControlFlow;

use super::tree::{Tree, Walk};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, NodeMut, Path, Steps};
use crate::limits::Stop;
use crate::outcome::{Count, Tally};
use crate::problem::{Branch, Problem};
use crate::report::{Level, Report};

/// A step on the stack: where its parent stood when it was taken, and what takes it back.
struct Frame<K, C, U> {
    cursor: K,
    choice: C,
    undo: U,
}

/// One depth of the tree: the step that leads there on the current path, and what was counted there so far.
struct Slot<K, C, U> {
    frame: Option<Frame<K, C, U>>,
    level: Level,
}

impl<K, C, U> Slot<K, C, U> {
    const EMPTY: Self = Slot { frame: None, level: Level::ZERO };
}

type SlotOf<P, B> = Slot<<B as Brancher<P>>::Cursor, <P as Problem>::Choice, <P as Problem>::Undo>;

struct Stack<'a, K, C, U>(&'a [Slot<K, C, U>]);

impl<K, C, U> Steps<C> for Stack<'_, K, C, U> {
    fn step(&self, index: usize) -> &C {
        match &self.0[index + 1].frame {
            Some(frame) => &frame.choice,
            None => unreachable!("the path has a step at every depth but the root's"),
        }
    }

    fn append(&self, len: usize, out: &mut Vec<C>)
    where
        C: Clone,
    {
        out.extend(self.0[1..=len].iter().filter_map(|slot| slot.frame.as_ref()).map(|frame| frame.choice.clone()));
    }
}

/// A depth-first walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct DepthFirst<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    tree: Tree<'p, P, B, H>,
    /// By depth, the root's first.
    slots: Vec<SlotOf<P, B>>,
    /// `None` before the root is entered and while the walk goes on.
    position: Option<Position<P, B>>,
    fuel: u64,
    tally: Tally,
}

/// Where the walk stands: at an inner node, with its cursor.
struct Position<P: Problem, B: Brancher<P>> {
    state: P::State,
    depth: usize,
    cursor: B::Cursor,
    /// Whether the node is no solution and none of its children has been kept yet.
    barren: bool,
}

/// A child in hand.
enum Held<C> {
    /// It is one of the first choices, about which no hook has been asked yet.
    First(C),
    /// It is to be entered, but there is no slot for it, or no fuel.
    Admitted(C),
}

/// Why [`DepthFirst::run`] came back.
enum Halt<C> {
    /// All is searched, or a limit on what was found is reached.
    Ended(Stop),
    /// The visitor broke off.
    Broken,
    /// This child has to wait for something that is not done in the hot loop.
    Held(Held<C>),
    /// The child that was held has been entered.
    Entered,
    /// Many choices have been turned down.
    Impatient,
}

const CONTINUE: ControlFlow<()> = ControlFlow::Continue(());

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirst<'p, P, B, H> {
    pub(crate) fn new(tree: Tree<'p, P, B, H>) -> Self {
        DepthFirst { tree, slots: Vec::new(), position: None, fuel: 0, tally: Tally::NEW }
    }

    /// Enters the root; says whether the visitor broke off. There is a position afterwards if there is more to walk.
    #[cold]
    fn start(&mut self, visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>) -> ControlFlow<()> {
        self.slots.push(Slot::EMPTY);
        let Self { tree, slots, tally, .. } = self;
        let problem = tree.problem;
        let level = &mut slots[0].level;
        let mut state = problem.root();
        let nothing: [P::Choice; 0] = [];
        let path = Path::new(&nothing, 0, None);
        level.nodes += 1;
        if let Some(hook) = tree.hooks.enter(&mut NodeMut::new(problem, &mut state, path, tally)) {
            tree.not_kept(hook, 0);
            return CONTINUE;
        }
        let before = *tally;
        let node = Node::new(problem, &state, path, &before);
        tree.brancher.enter(&node);
        let branch = tree.brancher.branch(&node);
        let barren = !branch.is_solution();
        let mut flow = CONTINUE;
        if branch.is_solution() {
            level.solutions += 1;
            tree.count(tally, &node);
            flow = visit(&Node::new(problem, &state, path, tally));
        }
        match branch {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => {
                self.position = Some(Position { state, depth: 0, cursor, barren });
                return flow;
            }
            Branch::DeadEnd => level.dead_ends += 1,
            Branch::Solution => {}
        }
        let node = Node::new(problem, &state, path, tally);
        tree.brancher.leave(&node);
        tree.hooks.leave(&node);
        flow
    }

    /// Leaves the root when all below it is searched.
    fn leave_root(&mut self) {
        let Self { tree, position, tally, .. } = self;
        let Some(Position { state, .. }) = position else { return };
        let nothing: [P::Choice; 0] = [];
        let node = Node::new(tree.problem, state, Path::new(&nothing, 0, None), tally);
        tree.brancher.leave(&node);
        tree.hooks.leave(&node);
    }

    /// Walks on below the root; or, if `HELD`, just enters the child `held`.
    ///
    /// The problem comes as an argument of its own, and the function is not inlined, because the compiler then knows
    /// that nothing changes the problem, and keeps what it needs of it in registers.
    #[inline(never)]
    fn run<V, const HELD: bool>(
        &mut self,
        problem: &P,
        position: Position<P, B>,
        mut held: Option<Held<P::Choice>>,
        visit: &mut V,
    ) -> Halt<P::Choice>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        let Position { mut state, mut depth, mut cursor, mut barren } = position;
        let mut slots = mem::take(&mut self.slots);
        let mut fuel = self.fuel;
        let mut tally = self.tally;
        let tree = &mut self.tree;
        let solution_limit = tree.meter.solution_limit();
        let first = tree.hooks.first_choices();

        // The node at which the walk stands, or the child that `choice` leads to from there.
        macro_rules! node {
            () => {
                Node::new(problem, &state, Path::new(&Stack(&slots), depth, None), &tally)
            };
            ($choice:expr) => {
                Node::new(problem, &state, Path::new(&Stack(&slots), depth, Some(&$choice)), &tally)
            };
        }
        macro_rules! leave {
            ($choice:expr, $undo:expr) => {
                tree.brancher.leave(&node!($choice));
                tree.hooks.leave(&node!($choice));
                problem.undo(&mut state, &$choice, $undo);
            };
        }

        let halt = 'walk: loop {
            // The hot loop: nodes that are no solutions, as long as there are slots and fuel. All else is done below.
            let (choice, undo, branch) = 'hot: loop {
                let choice = if HELD {
                    match held.take() {
                        None => break 'walk Halt::Entered,
                        Some(Held::Admitted(choice)) => choice,
                        Some(Held::First(choice)) => match tree.hooks.admit_first(&node!(), &choice) {
                            Some(hook) if tree.not_admitted(hook, depth + 1) => break 'walk Halt::Impatient,
                            Some(_) => continue,
                            None => choice,
                        },
                    }
                } else {
                    let Some(choice) = tree.brancher.next(&node!(), &mut cursor) else {
                        slots[depth].level.dead_ends += u64::from(barren);
                        barren = false;
                        let Some(frame) = slots[depth].frame.take() else { break 'walk Halt::Ended(Stop::Exhausted) };
                        depth -= 1;
                        leave!(frame.choice, frame.undo);
                        cursor = frame.cursor;
                        continue;
                    };
                    if depth < first {
                        break 'walk Halt::Held(Held::First(choice));
                    }
                    if let Some(hook) = tree.hooks.admit(&node!(), &choice) {
                        if tree.not_admitted(hook, depth + 1) {
                            break 'walk Halt::Impatient;
                        }
                        continue;
                    }
                    choice
                };
                if depth + 1 >= slots.len() || fuel == 0 {
                    break 'walk Halt::Held(Held::Admitted(choice));
                }
                fuel -= 1;
                let undo = problem.apply(&mut state, &choice);
                slots[depth + 1].level.nodes += 1;
                let stack = Stack(&slots);
                let path = Path::new(&stack, depth, Some(&choice));
                if let Some(hook) = tree.hooks.enter(&mut NodeMut::new(problem, &mut state, path, &mut tally)) {
                    tree.not_kept(hook, depth + 1);
                    problem.undo(&mut state, &choice, undo);
                    if tally.overflow {
                        break 'walk Halt::Ended(Stop::CountOverflow);
                    }
                    continue;
                }
                tree.brancher.enter(&node!(choice));
                match tree.brancher.branch(&node!(choice)) {
                    Branch::Inner(child) => {
                        depth += 1;
                        slots[depth].frame = Some(Frame { cursor, choice, undo });
                        cursor = child;
                        barren = true;
                    }
                    Branch::DeadEnd => {
                        slots[depth + 1].level.dead_ends += 1;
                        leave!(choice, undo);
                        barren = false;
                    }
                    branch => break 'hot (choice, undo, branch),
                }
            };
            slots[depth + 1].level.solutions += 1;
            let mut counted = tally;
            tree.count(&mut counted, &node!(choice));
            tally = counted;
            let flow = visit(&node!(choice));
            barren = false;
            if let Branch::Inner(child) | Branch::SolutionInner(child) = branch {
                depth += 1;
                slots[depth].frame = Some(Frame { cursor, choice, undo });
                cursor = child;
            } else {
                leave!(choice, undo);
            }
            if flow.is_break() {
                break Halt::Broken;
            }
            if tally.overflow {
                break Halt::Ended(Stop::CountOverflow);
            }
            if tally.visited >= solution_limit {
                break Halt::Ended(Stop::SolutionLimit);
            }
        };
        self.slots = slots;
        self.tally = tally;
        self.fuel = fuel;
        self.position = Some(Position { state, depth, cursor, barren });
        halt
    }

    /// Leaves the node at which the walk stands, though it may have children left, for its parent; the root for good.
    #[cold]
    fn ascend(&mut self) {
        let Some(mut position) = self.position.take() else { return };
        let Some(frame) = self.slots[position.depth].frame.take() else {
            self.position = Some(position);
            self.leave_root();
            self.position = None;
            return;
        };
        let Self { tree, slots, tally, .. } = self;
        position.depth -= 1;
        let stack = Stack(slots);
        let path = Path::new(&stack, position.depth, Some(&frame.choice));
        let node = Node::new(tree.problem, &position.state, path, tally);
        tree.brancher.leave(&node);
        tree.hooks.leave(&node);
        tree.problem.undo(&mut position.state, &frame.choice, frame.undo);
        self.position = Some(Position { cursor: frame.cursor, barren: false, ..position });
    }

    /// Sees to a slot and fuel for a child that is to be entered; false if it lies below the depth limit, and so do its
    /// siblings.
    #[cold]
    fn supply(&mut self) -> Result<bool, Stop> {
        let Some(position) = &mut self.position else { return Ok(false) };
        let depth = position.depth + 1;
        if depth > self.tree.meter.depth_limit() {
            self.tree.truncated = true;
            self.ascend();
            return Ok(false);
        }
        if depth == self.slots.len() {
            let slots = (depth + depth / 2).max(32).min(self.tree.meter.depth_limit().saturating_add(1));
            self.slots.reserve_exact(slots - depth);
            self.slots.resize_with(slots, || Slot::EMPTY);
        }
        if self.fuel == 0 {
            self.fuel = self.tree.meter.refuel(self.tally.visited, depth)?;
        }
        Ok(true)
    }

    /// Ends the walk.
    fn end(&mut self, stop: Stop) -> Option<Stop> {
        Some(self.tree.end(stop, &self.tally))
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Walk<P> for DepthFirst<'_, P, B, H> {
    fn go_on<V>(&mut self, mut visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        if self.slots.is_empty() {
            match self.tree.meter.refuel(0, 0) {
                Ok(fuel) => self.fuel = fuel - 1,
                Err(stop) => return self.end(stop),
            }
            if self.start(&mut visit).is_break() {
                return None;
            }
        }
        let problem = self.tree.problem;
        let mut held = None;
        loop {
            if self.tally.visited >= self.tree.meter.solution_limit() {
                return self.end(Stop::SolutionLimit);
            }
            let Some(position) = self.position.take() else {
                return self.end(Stop::Exhausted);
            };
            let halt = match held.take() {
                None => self.run::<V, false>(problem, position, None, &mut visit),
                held => self.run::<V, true>(problem, position, held, &mut visit),
            };
            match halt {
                Halt::Broken => return None,
                Halt::Entered => {}
                Halt::Impatient => {
                    let depth = self.position.as_ref().map_or(0, |position| position.depth);
                    if let Err(stop) = self.tree.meter.look(self.fuel, self.tally.visited, depth) {
                        return self.end(stop);
                    }
                }
                Halt::Ended(stop) => {
                    if stop == Stop::Exhausted {
                        self.leave_root();
                    }
                    return self.end(stop);
                }
                Halt::Held(first @ Held::First(_)) => held = Some(first),
                Halt::Held(admitted) => match self.supply() {
                    Ok(true) => held = Some(admitted),
                    Ok(false) => {}
                    Err(stop) => return self.end(stop),
                },
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
        let levels: Vec<Level> = self.slots.iter().map(|slot| slot.level).collect();
        self.tree.report(&self.tally, &levels)
    }

    fn count(&self) -> Count {
        self.tally.into()
    }
}
