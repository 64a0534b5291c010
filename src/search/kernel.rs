//! The kernel: depth-first search with an explicit stack, able to pause between nodes.
//!
//! Everything else is made from [`DepthFirstWalk::advance`], which walks on until a visitor breaks
//! off at a solution, a limit is reached, or the tree is exhausted.
//!
//! # Why it looks as it does
//!
//! Some thirty layouts were timed on 14-queens with bit masks (27 million nodes) against a
//! hand-written recursion, in one process, by processor time, with instructions counted beside:
//! `cargo bench --bench ratios -- kernel` shows where this one stands. They lay between 1.01 and
//! 1.63. Half of a node's time is mispredicted branches, which all of them share; the rest is
//! decided by what the compiler can keep in registers. So:
//!
//! - One array of *slots*, one a depth, holds both the step that leads there and what was counted
//!   there. One bounds check serves stack and statistics alike, and no separate length or capacity
//!   is kept: this alone took 10 to 15 % off. A stack of choices beside a stack of cursors costs 12
//!   to 35 % more, which is why [`Path`] is a view and not a slice.
//! - The *current* cursor is a local variable; a frame holds the parent's. A node without children
//!   is therefore never pushed: it is applied, looked at and undone while its parent stays in
//!   registers.
//! - The hot loop makes no call. What is rare (no slot, no fuel) ends it, with the child in hand,
//!   and is seen to outside. A call to a cold function inside, never made, costs 13 %.
//! - State, cursor and counters are moved out of the kernel into local variables, and back at the
//!   end; no reference to them may reach a function that is not inlined, or they live in memory
//!   from then on. The problem comes as an argument of its own, because the compiler then knows
//!   that nothing changes it.
//! - Nodes are counted by depth only. Node limit, clock, cancellation and progress share one
//!   countdown, the fuel. Calls of hooks are not counted at all: they follow from nodes and cuts.
//! - Where the walk began below the root, or in the middle of a node's children, is nothing that
//!   the hot loop knows of: it ends at the first step that it has not taken itself, and [the
//!   rest](super::lead) is done outside.

use std::collections::VecDeque;
use std::mem;
use std::ops::{ControlFlow, Deref, DerefMut};
use std::sync::atomic::Ordering;

use super::frontier::Keeper;
use super::lead::Led;
use super::meter::Errand;
use super::subtree::Subtree;
use super::tree::{Ending, SearchTree, Walk};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path, Steps};
use crate::incumbent::IncumbentId;
use crate::limits::Stop;
use crate::outcome::{Count, Tally};
use crate::problem::{Branch, Problem};
use crate::report::{Level, Report};

/// A step on the stack: where its parent stood when it was taken, and what takes it back.
pub(super) struct Frame<K, C, U> {
    pub(super) cursor: K,
    pub(super) choice: C,
    pub(super) undo: U,
}

/// The step of the current path that leads to a depth.
pub(super) enum Step<K, C, U> {
    /// None: it is the root's depth, or deeper than the walk stands.
    None,
    /// The hot loop took it.
    Frame(Frame<K, C, U>),
    /// The walk was led here: its parent's untried children are in the [`Stem`], and no cursor
    /// draws them.
    Led { choice: C, undo: U },
}

impl<K, C, U> Step<K, C, U> {
    pub(super) fn take(&mut self) -> Self {
        mem::replace(self, Step::None)
    }

    pub(super) fn choice(&self) -> Option<&C> {
        match self {
            Step::None => None,
            Step::Frame(Frame { choice, .. }) | Step::Led { choice, .. } => Some(choice),
        }
    }
}

/// One depth of the tree: the step that leads there on the current path, and what was counted there
/// so far.
pub(super) struct Slot<K, C, U> {
    pub(super) step: Step<K, C, U>,
    pub(super) level: Level,
}

impl<K, C, U> Slot<K, C, U> {
    pub(super) const EMPTY: Self = Slot { step: Step::None, level: Level::ZERO };
}

type SlotOf<P, B> = Slot<<B as Brancher<P>>::Cursor, <P as Problem>::Choice, <P as Problem>::Undo>;

pub(super) struct Stack<'a, K, C, U>(pub(super) &'a [Slot<K, C, U>]);

impl<K, C: Clone, U> Stack<'_, K, C, U> {
    /// The first `len` choices.
    pub(super) fn to_vec(&self, len: usize) -> Vec<C> {
        let mut choices = Vec::with_capacity(len);
        self.append(len, &mut choices);
        choices
    }
}

impl<K, C, U> Steps<C> for Stack<'_, K, C, U> {
    fn step(&self, index: usize) -> &C {
        match self.0[index + 1].step.choice() {
            Some(choice) => choice,
            None => unreachable!("the path has a step at every depth but the root's"),
        }
    }

    fn append(&self, len: usize, out: &mut Vec<C>)
    where
        C: Clone,
    {
        out.extend(self.0[1..=len].iter().filter_map(|slot| slot.step.choice()).cloned());
    }
}

/// A depth-first walk.
///
/// It begins at the root, or it is [led](super::lead) to the parts of the tree that an earlier walk
/// has left.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct DepthFirstWalk<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    pub(super) tree: SearchTree<'p, P, B, H>,
    /// By depth, the root's first.
    pub(super) slots: Vec<SlotOf<P, B>>,
    /// Where the hot loop stands, if it has anything to do.
    pub(super) position: Option<Position<P, B>>,
    /// Where the walk stands otherwise.
    pub(super) led: Led<P>,
    /// The share of the tree that the node has where the hot loop began.
    pub(super) share: f64,
    /// The share of the tree that is done.
    pub(super) done: f64,
    /// The share of the tree that is done when all of this walk is.
    pub(super) whole: f64,
    /// Whether large nodes are opened child by child.
    pub(super) opens: bool,
    /// A child that was drawn and admitted when a limit was reached.
    pub(super) held: Option<P::Choice>,
    pub(super) fuel: u64,
    pub(super) tally: Tally,
}

/// The slots, moved into the hot loop, and back if a panic ends it: the path is then known.
struct Lent<'a, T> {
    slots: Vec<T>,
    home: &'a mut Vec<T>,
}

impl<'a, T> From<&'a mut Vec<T>> for Lent<'a, T> {
    fn from(home: &'a mut Vec<T>) -> Self {
        Lent { slots: mem::take(home), home }
    }
}

impl<T> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        mem::swap(&mut self.slots, self.home);
    }
}

impl<T> Deref for Lent<'_, T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        &self.slots
    }
}

impl<T> DerefMut for Lent<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.slots
    }
}

/// Where the walk stands: at an inner node, with its cursor.
pub(super) struct Position<P: Problem, B: Brancher<P>> {
    pub(super) state: P::State,
    pub(super) depth: usize,
    pub(super) cursor: B::Cursor,
    /// Whether the node is no solution and none of its children has been kept yet.
    pub(super) barren: bool,
}

/// A child in hand.
enum Held<C> {
    /// It is one of the first choices, about which no hook has been asked yet.
    First(C),
    /// It is to be entered, but there is no slot for it, or no fuel.
    Admitted(C),
}

/// Why [`DepthFirstWalk::run`] came back.
enum Halt<C> {
    /// All is searched below the node where the hot loop began.
    Done,
    /// A limit on what was found is reached.
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

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirstWalk<'p, P, B, H> {
    /// A walk with nothing to do yet.
    pub(super) fn idle(tree: SearchTree<'p, P, B, H>) -> Self {
        let mut walk = Self::led(tree, Led::to(VecDeque::new()));
        walk.opens = true;
        walk
    }

    pub(crate) fn new(mut tree: SearchTree<'p, P, B, H>) -> Self {
        let (whole, left) =
            tree.resume.as_ref().map_or((1.0, 1.0), |resume| resume.frontier.shares());
        let led = match &mut tree.resume {
            None => Led::to(VecDeque::from([Subtree::whole()])),
            Some(resume) => match resume.take() {
                Ok(subtrees) => Led::to(subtrees),
                Err(stop) => {
                    tree.stopped = Some(tree.end(stop, &Tally::NEW));
                    Led::to(VecDeque::new())
                }
            },
        };
        let mut walk = Self::led(tree, led);
        walk.tree.meter.knows_fraction &= !walk.tree.remembers();
        walk.opens = walk.tree.meter.knows_fraction || walk.tree.resume.is_some();
        walk.whole = whole;
        walk.done = whole - left;
        walk
    }

    fn led(tree: SearchTree<'p, P, B, H>, led: Led<P>) -> Self {
        let tally = Tally::NEW;
        DepthFirstWalk {
            tree,
            slots: Vec::new(),
            position: None,
            led,
            share: 0.0,
            done: 0.0,
            whole: 1.0,
            opens: false,
            held: None,
            fuel: 0,
            tally,
        }
    }

    /// Walks on from a position; or, if `HELD`, just enters the child `held`. It looks at the alarm
    /// only if the run is `TIMED`: the load at each node takes 4 to 10 % of the time of 14-queens.
    ///
    /// The problem comes as an argument of its own, and the function is not inlined, because the
    /// compiler then knows that nothing changes the problem, and keeps what it needs of it in
    /// registers.
    #[inline(never)]
    fn run<V, const HELD: bool, const TIMED: bool>(
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
        let mut slots = Lent::from(&mut self.slots);
        let mut fuel = self.fuel;
        let mut tally = self.tally;
        let tree = &mut self.tree;
        let solution_limit = tree.meter.solution_limit();
        let first = tree.hooks.first_choices();
        let alarm = TIMED.then(|| tree.meter.alarm());
        let rings = || alarm.as_ref().is_some_and(|alarm| alarm.load(Ordering::Relaxed));

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
                tree.leave(&node!($choice), Ending::Searched);
                problem.undo(&mut state, &$choice, $undo);
            };
        }

        let halt = 'walk: loop {
            // The hot loop: nodes that are no solutions, as long as there are slots and fuel. All
            // else is done below.
            let (choice, undo, branch) = 'hot: loop {
                let choice = if HELD {
                    match held.take() {
                        None => break 'walk Halt::Entered,
                        Some(Held::Admitted(choice)) => choice,
                        Some(Held::First(choice)) => {
                            match tree.hooks.admit_first(&node!(), &choice) {
                                Some(hook) if tree.not_admitted(hook, depth + 1) => {
                                    break 'walk Halt::Impatient;
                                }
                                Some(_) => continue,
                                None => choice,
                            }
                        }
                    }
                } else {
                    let Some(choice) = tree.brancher.next(&node!(), &mut cursor) else {
                        slots[depth].level.dead_ends += u64::from(barren);
                        barren = false;
                        let frame = match slots[depth].step.take() {
                            Step::Frame(frame) => frame,
                            step => {
                                slots[depth].step = step;
                                break 'walk Halt::Done;
                            }
                        };
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
                if depth + 1 >= slots.len() || fuel == 0 || TIMED && rings() {
                    break 'walk Halt::Held(Held::Admitted(choice));
                }
                fuel -= 1;
                let undo = problem.apply(&mut state, &choice);
                slots[depth + 1].level.nodes += 1;
                let stack = Stack(&slots);
                let path = Path::new(&stack, depth, Some(&choice));
                match tree.enter(problem, &mut state, path, &mut tally) {
                    Err(hook) => {
                        tree.not_kept(hook, depth + 1);
                        problem.undo(&mut state, &choice, undo);
                        if tally.overflow {
                            break 'walk Halt::Ended(Stop::CountOverflow);
                        }
                    }
                    Ok(Branch::Inner(child)) => {
                        depth += 1;
                        slots[depth].step = Step::Frame(Frame { cursor, choice, undo });
                        cursor = child;
                        barren = true;
                    }
                    Ok(Branch::DeadEnd) => {
                        slots[depth + 1].level.dead_ends += 1;
                        leave!(choice, undo);
                        barren = false;
                    }
                    Ok(branch) => break 'hot (choice, undo, branch),
                }
            };
            slots[depth + 1].level.solutions += 1;
            let stack = Stack(&slots);
            let path = Path::new(&stack, depth, Some(&choice));
            let flow = tree.visit(problem, &state, path, &mut tally, visit);
            barren = false;
            if let Branch::Inner(child) | Branch::SolutionInner(child) = branch {
                depth += 1;
                slots[depth].step = Step::Frame(Frame { cursor, choice, undo });
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
        drop(slots);
        self.tally = tally;
        self.fuel = fuel;
        self.position = Some(Position { state, depth, cursor, barren });
        halt
    }

    /// Leaves the node at which the hot loop stands, though it may have children left, for its
    /// parent.
    #[cold]
    fn ascend(&mut self) {
        let Some(mut position) = self.position.take() else { return };
        let step = self.slots[position.depth].step.take();
        let Step::Frame(frame) = step else {
            self.slots[position.depth].step = step;
            self.leave_bottom(position.state, position.depth);
            return;
        };
        let Self { tree, slots, tally, .. } = self;
        position.depth -= 1;
        let stack = Stack(slots);
        let path = Path::new(&stack, position.depth, Some(&frame.choice));
        let node = Node::new(tree.problem, &position.state, path, tally);
        tree.leave(&node, Ending::Searched);
        tree.problem.undo(&mut position.state, &frame.choice, frame.undo);
        self.position = Some(Position { cursor: frame.cursor, barren: false, ..position });
    }

    /// Sees to a slot and fuel for a node at `depth` that is to be entered.
    #[cold]
    pub(super) fn supply(&mut self, depth: usize) -> Result<(), Stop> {
        self.make_room(depth)?;
        if self.fuel == 0 {
            self.tree.meter.tell(self.done, self.tally.visited);
            self.fuel = self.tree.meter.refuel(self.tally.visited, depth)?;
        }
        self.tree.meter.answer(self.fuel, self.tally.visited, depth)
    }

    /// Sees to a slot for `depth`, and some more; but no more than the depth limit allows, for the
    /// hot loop goes as deep as there are slots.
    pub(super) fn make_room(&mut self, depth: usize) -> Result<(), Stop> {
        if depth < self.slots.len() {
            return Ok(());
        }
        let limit = self.tree.meter.depth_limit().saturating_add(1);
        // While the stack grows, its old and its new memory are there at once; a report copies what
        // was counted, twice.
        let room = self.tree.max_bytes / (size_of::<SlotOf<P, B>>() + 2 * size_of::<Level>());
        let room = room.saturating_sub(self.slots.capacity());
        let slots = (depth + depth / 2).max(32).min(limit).min(room).max(depth + 1);
        if slots > room || self.slots.try_reserve_exact(slots - self.slots.len()).is_err() {
            return Err(Stop::MemoryLimit);
        }
        self.slots.resize_with(slots, || Slot::EMPTY);
        Ok(())
    }

    /// The account so far.
    pub(super) fn account(&self) -> Report {
        let levels: Vec<Level> = self.slots.iter().map(|slot| slot.level).collect();
        self.tree.report(&self.tally, &levels)
    }

    /// Searches below a position until the hot loop has done all, the visitor breaks off, or a
    /// limit is reached.
    fn descend<V>(&mut self, visit: &mut V) -> Result<ControlFlow<()>, Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        let problem = self.tree.problem;
        let mut held = self.held.take().map(Held::Admitted);
        while let Some(position) = self.position.take() {
            let halt = match held.take() {
                None if self.tree.meter.is_timed() => {
                    self.run::<V, false, true>(problem, position, None, visit)
                }
                None => self.run::<V, false, false>(problem, position, None, visit),
                // The alarm was answered when the child got its fuel.
                held => self.run::<V, true, false>(problem, position, held, visit),
            };
            match halt {
                Halt::Broken => return Ok(ControlFlow::Break(())),
                Halt::Entered => {}
                Halt::Done => {
                    if let Some(Position { state, depth, .. }) = self.position.take() {
                        self.leave_bottom(state, depth);
                    }
                }
                Halt::Impatient => {
                    let depth = self.position.as_ref().map_or(0, |position| position.depth);
                    self.tree.meter.look(self.fuel, self.tally.visited, depth)?;
                }
                Halt::Ended(stop) => return Err(stop),
                Halt::Held(first @ Held::First(_)) => held = Some(first),
                Halt::Held(Held::Admitted(choice)) => {
                    let depth = self.position.as_ref().map_or(0, |position| position.depth + 1);
                    if depth > self.tree.meter.depth_limit() {
                        self.tree.truncated = true;
                        self.ascend();
                    } else if let Err(stop) = self.supply(depth) {
                        self.held = Some(choice);
                        return Err(stop);
                    } else {
                        held = Some(Held::Admitted(choice));
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Walk<P> for DepthFirstWalk<'_, P, B, H> {
    fn go_on<V>(&mut self, mut visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        loop {
            // The visitor may have broken off just at the limit.
            let step = if self.tally.visited >= self.tree.meter.solution_limit() {
                Err(Stop::SolutionLimit)
            } else if self.position.is_some() {
                self.descend(&mut visit)
            } else {
                self.walk_led(&mut visit)
            };
            match step {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return None,
                Err(Stop::Paused) => match self.tree.meter.errand() {
                    Some(Errand::Report) => self.report_fraction(),
                    Some(Errand::Save) => self.save(Stop::Paused),
                    None => return Some(Stop::Paused),
                },
                Err(stop) => {
                    let stop = self.tree.end(stop, &self.tally);
                    if stop.is_exhausted() && self.tree.meter.knows_fraction {
                        self.done = 1.0;
                        self.tree.meter.report_fraction(1.0, self.fuel, self.tally.visited, 0);
                    }
                    self.save(stop);
                    return Some(stop);
                }
            }
        }
    }

    fn read(&mut self) -> &mut Vec<IncumbentId> {
        &mut self.tree.read
    }

    fn stopped(&mut self) -> &mut Option<Stop> {
        &mut self.tree.stopped
    }

    fn stop(&self) -> Stop {
        self.tree.stop()
    }

    fn report(&self) -> Report {
        self.account()
    }

    fn count(&self) -> Count {
        self.tree.count_so_far(&self.tally)
    }

    fn revisit_best(&mut self, visit: impl FnMut(&Node<'_, P>)) {
        self.visit_best(visit);
    }

    fn keeper(&self) -> Option<Keeper<P::Choice>> {
        self.tree.resume.as_ref().map(|resume| resume.keeper.clone())
    }
}

/// What is left of the tree goes back to where it came from.
impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Drop for DepthFirstWalk<'_, P, B, H> {
    fn drop(&mut self) {
        if self.tree.resume.is_some() && self.tree.stop() != Stop::Interrupted {
            let (count, report, truncated) =
                (Count::from(self.tally), self.report(), self.tree.truncated);
            let rest = self.take_rest();
            if let Some(resume) = &mut self.tree.resume {
                resume.give_back(rest, count, report, truncated);
            }
        }
    }
}
