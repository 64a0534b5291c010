//! The kernel: depth-first search with an explicit stack that can pause between nodes.
//!
//! Every depth-first operation is built on [`Walk::advance`](crate::search::walk::Walk::advance),
//! which runs until the visitor breaks off at a solution, a limit is reached, or the tree is
//! exhausted.
//!
//! # Why the hot loop has this form
//!
//! About thirty layouts were timed on 14-queens with bit masks (27 million nodes) against a
//! hand-written recursion, in one process, by processor time and by instruction count. `cargo bench
//! --bench ratios -- kernel` measures the current one. The ratios were between 1.01 and 1.63. Half
//! of the time per node is spent on mispredicted branches, which all layouts share. The rest
//! depends on what the compiler can keep in registers. The consequences are:
//!
//! - One array of *slots*, one per depth, holds both the step that leads to the depth and the
//!   counters of the depth. A single bounds check serves stack and statistics, and no separate
//!   length or capacity is kept. This alone saved 10 to 15 %. Counters that the loop does not
//!   change are elsewhere: slots of 72 bytes instead of 88 saved 3 %. A stack of choices next to a
//!   stack of cursors costs 12 to 35 % more, which is why [`Path`] is a view and not a slice. The
//!   kind of a step is in front of its parts: behind them, as the spare values of a `bool`, it cost
//!   13 %, though a cursor of several words was then copied in half the time.
//! - The *current* cursor is a local variable; a frame holds the parent's cursor. A node without
//!   children is therefore never pushed: it is applied, entered and undone while its parent stays
//!   in registers.
//! - A cursor of more than two words does not fit into registers. It is kept *in place*, in a
//!   vector by depth, and is advanced there. Copied like a small one, it would stall the processor:
//!   an iterator that was just made is written word by word, and a copy reads several words at
//!   once, before they have reached the cache. A tree of payments, with cursors of 72 bytes, then
//!   took two and a half times as long.
//! - The hot loop makes no call. A rare event (no slot, no fuel) ends the loop, which returns the
//!   child that it has drawn, and is handled outside. A call to a cold function inside the loop
//!   costs 13 %, even if it is never made.
//! - State, cursor and counters are moved from the walk into local variables and back at the end.
//!   No reference to them may reach a function that is not inlined, or they stay in memory from
//!   then on. A visitor may not be inlined, so it gets a small state in another place than that of
//!   the hot loop: this saves a quarter of the instructions of a branch and bound whose state has
//!   four words. The problem is an argument of its own because the compiler then knows that it does
//!   not change.
//! - Nodes are counted by depth only. Node limit, clock, cancellation and progress share one
//!   countdown, the *fuel*. Calls of hooks are not counted: they follow from the numbers of nodes
//!   and cuts.
//! - Nothing recurses on the call stack. Four recursions were tried that move their frames to the
//!   explicit stack when they pause. One that does all the work takes 1.3 times as long as this
//!   loop on 13-queens, 1.7 times on a binary tree, and 1.3 to 1.6 times on trees of `Successors`.
//!   Not even a recursion without paths is faster. Each call saves registers, and a frame whose
//!   cursor, choice and undo may have to move out of it keeps them in memory.
//! - The hot loop does not know that the walk may have begun below the root or between two children
//!   of a node. It ends at the first step that it has not taken itself. The [replay
//!   code](super::replay) handles everything above.

use std::mem::{self, needs_drop};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::walk::{DepthFirstWalk, Lent, Position, Stack, Step, is_placed};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::limits::Stop;
use crate::problem::{Branch, Problem};
use crate::search::tree::Ending;

/// A state and a choice of at most this size together are moved before a visitor sees them, and
/// back.
const LENT_BYTES: usize = 64;

/// A child that was drawn and not yet entered.
enum Held<C> {
    /// A choice at a depth below the [`admit_levels`](crate::Hook::admit_levels) of some hook. No
    /// hook has been asked to admit it yet.
    NearRoot(C),
    /// An admitted child that cannot be entered yet for lack of a slot or of fuel.
    Admitted(C),
}

/// The reason why [`DepthFirstWalk::run`] returned.
enum Halt<C> {
    /// The subtree of the node where the hot loop began is exhausted.
    Exhausted,
    /// The limit of solutions is reached, or their count has overflowed.
    Stopped(Stop),
    /// The visitor broke off.
    Broken,
    /// This child needs work that is done outside the hot loop.
    Held(Held<C>),
    /// The held child has been entered, rejected or pruned.
    HeldDone,
    /// Many choices have been rejected since the clock was last checked, or the alarm rang when
    /// one was rejected.
    ClockDue,
    /// The alarm rang before a child near the root was drawn.
    AlarmRang,
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirstWalk<'p, P, B, H> {
    /// Runs the hot loop from a position; or, if `HELD`, only enters the child `held`. Reads the
    /// alarm only if the run is `TIMED`: the load at each node takes 4 to 10 % of the time of
    /// 14-queens.
    ///
    /// The problem is an argument of its own and the function is not inlined, because the compiler
    /// then knows that the problem does not change, and keeps the fields that it needs in
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
        let mut cursors = mem::take(&mut self.cursors);
        let in_place = const { is_placed::<B::Cursor>() };
        if cursor.is_some() == in_place {
            unreachable!("a position has a cursor unless cursors are in place");
        }
        let mut fuel = self.fuel;
        let mut tally = self.tally;
        let tree = &mut self.tree;
        let solution_limit = tree.meter.solution_limit();
        let limited_levels = tree.hooks.limited_levels();
        let alarm = TIMED.then(|| tree.meter.alarm());
        // `Relaxed` suffices: the flag publishes no data. The walk answers it by checking the
        // clock, the cancel switch and the shared meter themselves, which have orderings of their
        // own.
        let rings = || alarm.as_ref().is_some_and(|alarm| alarm.load(Ordering::Relaxed));

        // The node at which the walk stands, or its child by `choice`.
        macro_rules! node {
            () => {
                Node::new(problem, &state, Path::new(&Stack(&slots), depth, None), &tally)
            };
            ($choice:expr) => {
                Node::new(problem, &state, Path::new(&Stack(&slots), depth, Some(&$choice)), &tally)
            };
        }
        macro_rules! leave_and_undo {
            ($choice:expr, $undo:expr) => {
                tree.leave(&node!($choice), Ending::Searched);
                problem.undo(&mut state, &$choice, $undo);
            };
        }

        // Moves to the child that was just entered.
        macro_rules! descend {
            ($child:expr, $choice:expr, $undo:expr) => {
                depth += 1;
                let (choice, undo) = ($choice, $undo);
                if in_place {
                    slots[depth].step = Step::Placed { choice, undo };
                    cursors[depth] = Some($child);
                } else {
                    let Some(parent) = cursor.replace($child) else {
                        unreachable!("an open node has a cursor")
                    };
                    slots[depth].step = Step::Frame { cursor: parent, choice, undo };
                }
            };
        }

        let halt = 'walk: loop {
            // The hot loop proper: nodes that are not solutions, while there are slots and fuel.
            // Everything else is handled below.
            let (mut choice, undo, branch) = 'hot: loop {
                // Counts the cut of a choice. If it also cuts off the siblings, evaluates to
                // `None`, which stands for no more children. There is at most one such cut per
                // node, so the clock need not be checked.
                macro_rules! cut {
                    ($cut:expr) => {{
                        let clock_due = tree.count_admission_cut($cut, depth + 1);
                        if !$cut.siblings {
                            if clock_due || TIMED && rings() {
                                break 'walk Halt::ClockDue;
                            }
                            continue;
                        }
                        None
                    }};
                }
                let choice = if HELD {
                    match held.take() {
                        None => break 'walk Halt::HeldDone,
                        Some(Held::Admitted(choice)) => Some(choice),
                        Some(Held::NearRoot(choice)) => {
                            match tree.hooks.admit_near_root(&node!(), &choice) {
                                None => Some(choice),
                                Some(cut) => cut!(cut),
                            }
                        }
                    }
                } else {
                    // Children near the root are held, and the run that enters them does not read
                    // the alarm.
                    if TIMED && depth < limited_levels && rings() {
                        break 'walk Halt::AlarmRang;
                    }
                    let cursor = if in_place { &mut cursors[depth] } else { &mut cursor };
                    let Some(cursor) = cursor else { unreachable!("an open node has a cursor") };
                    match tree.brancher.next(&node!(), cursor) {
                        None => None,
                        Some(choice) if depth < limited_levels => {
                            break 'walk Halt::Held(Held::NearRoot(choice));
                        }
                        Some(choice) => {
                            match tree.hooks.admit(&node!(), &choice, limited_levels > 0) {
                                None => Some(choice),
                                Some(cut) => cut!(cut),
                            }
                        }
                    }
                };
                let Some(choice) = choice else {
                    slots[depth].level.dead_ends += u64::from(barren);
                    barren = false;
                    // The kind of step is read before the step is moved: otherwise every pop copies
                    // the step as a whole first, which takes a tenth of all instructions. Each kind
                    // has its own branch, because a common one copies the undo to the stack first.
                    let step = &mut slots[depth].step;
                    let (choice, undo);
                    if in_place {
                        if needs_drop::<B::Cursor>() {
                            cursors[depth] = None;
                        }
                        let Step::Placed { .. } = step else { break 'walk Halt::Exhausted };
                        let Step::Placed { choice: last, undo: data } = step.take() else {
                            unreachable!("it is a placed step")
                        };
                        (choice, undo) = (last, data);
                    } else {
                        let Step::Frame { .. } = step else { break 'walk Halt::Exhausted };
                        let Step::Frame { cursor: parent, choice: last, undo: data } = step.take()
                        else {
                            unreachable!("it is a frame")
                        };
                        (choice, undo) = (last, data);
                        cursor = Some(parent);
                    }
                    depth -= 1;
                    leave_and_undo!(choice, undo);
                    continue;
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
                        tree.count_entry_cut(hook, depth + 1);
                        problem.undo(&mut state, &choice, undo);
                        if tally.overflows() {
                            break 'walk Halt::Stopped(Stop::CountOverflow);
                        }
                    }
                    Ok(Branch::Inner(child)) => {
                        descend!(child, choice, undo);
                        barren = true;
                    }
                    Ok(Branch::DeadEnd) => {
                        slots[depth + 1].level.dead_ends += 1;
                        leave_and_undo!(choice, undo);
                        barren = false;
                    }
                    Ok(branch) => break 'hot (choice, undo, branch),
                }
            };
            slots[depth + 1].level.solutions += 1;
            let stack = Stack(&slots);
            let flow;
            if const { size_of::<(P::State, P::Choice)>() <= LENT_BYTES } {
                let lent = (state, choice);
                let path = Path::new(&stack, depth, Some(&lent.1));
                flow = tree.visit(problem, &lent.0, path, &mut tally, visit);
                (state, choice) = lent;
            } else {
                let path = Path::new(&stack, depth, Some(&choice));
                flow = tree.visit(problem, &state, path, &mut tally, visit);
            }
            barren = false;
            if let Branch::Inner(child) | Branch::SolutionInner(child) = branch {
                descend!(child, choice, undo);
            } else {
                leave_and_undo!(choice, undo);
            }
            if flow.is_break() {
                break Halt::Broken;
            }
            if tally.overflows() {
                break Halt::Stopped(Stop::CountOverflow);
            }
            if tally.visited >= solution_limit {
                break Halt::Stopped(Stop::SolutionLimit);
            }
        };
        drop(slots);
        self.cursors = cursors;
        self.tally = tally;
        self.fuel = fuel;
        self.position = Some(Position { state, depth, cursor, barren });
        halt
    }

    /// Leaves the current node of the hot loop for its parent. The children that it may have left
    /// are beyond the depth limit.
    #[cold]
    fn leave_truncated(&mut self) {
        let Some(mut position) = self.position.take() else { return };
        if is_placed::<B::Cursor>() {
            self.cursors[position.depth] = None;
        }
        let (cursor, choice, undo) = match self.slots[position.depth].step.take() {
            Step::Frame { cursor, choice, undo } => (Some(cursor), choice, undo),
            Step::Placed { choice, undo } => (None, choice, undo),
            step => {
                self.slots[position.depth].step = step;
                self.leave_bottom(position.state, position.depth);
                return;
            }
        };
        let Self { tree, slots, tally, .. } = self;
        position.depth -= 1;
        let stack = Stack(slots);
        let path = Path::new(&stack, position.depth, Some(&choice));
        let node = Node::new(tree.problem, &position.state, path, tally);
        tree.leave(&node, Ending::Searched);
        tree.problem.undo(&mut position.state, &choice, undo);
        self.position = Some(Position { cursor, barren: false, ..position });
    }

    /// Searches below a position until its subtree is exhausted, the visitor breaks off, or a limit
    /// is reached.
    pub(super) fn descend<V>(&mut self, visit: &mut V) -> Result<ControlFlow<()>, Stop>
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
                // The alarm is not read here. For an admitted child, it was answered when the child
                // got its slot and its fuel.
                held => self.run::<V, true, false>(problem, position, held, visit),
            };
            match halt {
                Halt::Broken => return Ok(ControlFlow::Break(())),
                Halt::HeldDone => {}
                Halt::Exhausted => {
                    if let Some(Position { state, depth, .. }) = self.position.take() {
                        self.leave_bottom(state, depth);
                    }
                }
                Halt::ClockDue => {
                    let depth = self.position.as_ref().map_or(0, |position| position.depth);
                    self.tree.meter.check_clock(self.fuel, self.tally.visited, depth)?;
                }
                Halt::AlarmRang => {
                    let depth = self.position.as_ref().map_or(0, |position| position.depth);
                    self.tree.meter.answer_alarm(self.fuel, self.tally.visited, depth)?;
                }
                Halt::Stopped(stop) => return Err(stop),
                Halt::Held(child @ Held::NearRoot(_)) => held = Some(child),
                Halt::Held(Held::Admitted(choice)) => {
                    let depth = self.position.as_ref().map_or(0, |position| position.depth + 1);
                    if depth > self.tree.meter.depth_limit() {
                        self.tree.truncated = true;
                        self.leave_truncated();
                    } else if let Err(stop) = self.ensure_slot_and_fuel(depth) {
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
