//! Breadth-first search: level by level, with a copy of the state at every node that waits to be
//! expanded.
//!
//! Every inner node that waits, or has nodes below it that wait, is kept as its parent and a
//! choice, some 24 bytes beside the choice itself; one that waits has its state and cursor in the
//! queue as well. The walk jumps from state to state rather than walk there by undoing and taking
//! steps: in a deep and narrow tree, such as that of a labyrinth, the waiting nodes of a level lie
//! far apart, and walking between them would cost the square of the depth. A path is gathered from
//! the records only when somebody looks at it.
//!
//! Hooks and branchers that remember the path in themselves cannot jump; if there is one, a
//! [`Guide`] leads them all along before a node is expanded.

use std::collections::VecDeque;
use std::mem::needs_drop;
use std::ops::ControlFlow;

use super::guide::Guide;
use super::jumps::{Expanded, Jumps, Place};
use super::records::ROOT;
use super::strategy::Beam;
use super::tree::{SearchTree, Walk};
use crate::brancher::Brancher;
use crate::hook::{Effect, Hooks, Node};
use crate::incumbent::IncumbentId;
use crate::limits::Stop;
use crate::memory::{grown, headroom, is_available};
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Report;

/// A node that waits to be expanded, or is being expanded.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct Open<S, K> {
    place: Place,
    state: S,
    cursor: K,
    /// Whether it is no solution and none of its children has been kept yet.
    barren: bool,
}

type OpenOf<P, B> = Open<<P as Problem>::State, <B as Brancher<P>>::Cursor>;

/// What is kept of the nodes of a level when all of them have been entered.
pub trait Narrow<P: Problem> {
    /// Whether a level is copied for it.
    #[doc(hidden)]
    const COPIES: bool;

    /// Takes away those that are not kept.
    #[doc(hidden)]
    fn narrow<K>(
        &mut self,
        problem: &P,
        level: &mut VecDeque<Open<P::State, K>>,
    ) -> Vec<Open<P::State, K>>;
}

/// All of them.
#[derive(Clone, Copy, Debug)]
pub struct All;

impl<P: Problem> Narrow<P> for All {
    const COPIES: bool = false;

    fn narrow<K>(&mut self, _: &P, _: &mut VecDeque<Open<P::State, K>>) -> Vec<Open<P::State, K>> {
        Vec::new()
    }
}

impl<P: Problem, V: Ord, F: FnMut(&P, &P::State) -> V> Narrow<P> for Beam<F> {
    const COPIES: bool = true;

    fn narrow<K>(
        &mut self,
        problem: &P,
        level: &mut VecDeque<Open<P::State, K>>,
    ) -> Vec<Open<P::State, K>> {
        let mut keyed: Vec<_> =
            level.drain(..).map(|open| ((self.key)(problem, &open.state), open)).collect();
        keyed.sort_by(|one, other| one.0.cmp(&other.0));
        let dropped = keyed.split_off(self.width.min(keyed.len()));
        level.extend(keyed.into_iter().map(|(_, open)| open));
        dropped.into_iter().map(|(_, open)| open).collect()
    }
}

/// A breadth-first walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct BreadthFirstWalk<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, N> {
    narrow: N,
    jumps: Jumps<'p, P, B, H>,
    guide: Option<Guide<P>>,
    /// The record of the node that was expanded last: the guide stands there.
    standing: usize,
    /// The node that is being expanded, while the walk is paused.
    open: Option<OpenOf<P, B>>,
    queue: VecDeque<OpenOf<P, B>>,
    started: bool,
    /// Nodes that were dropped.
    dropped: u64,
    /// Bytes of heap that the states in the queue own.
    heap: usize,
    /// The bytes of heap at which the system is asked again whether it has memory left.
    probed: usize,
}

impl<'p, P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, N: Narrow<P>>
    BreadthFirstWalk<'p, P, B, H, N>
{
    pub(crate) fn new(tree: SearchTree<'p, P, B, H>, narrow: N) -> Self {
        let mut follow = tree.brancher.follows_path();
        tree.hooks.each(&mut |hook| follow |= hook.follows_path());
        BreadthFirstWalk {
            guide: follow.then(|| Guide::new(tree.problem)),
            jumps: Jumps::new(tree),
            standing: ROOT,
            open: None,
            queue: VecDeque::new(),
            started: false,
            dropped: 0,
            heap: 0,
            probed: 0,
            narrow,
        }
    }

    /// Bytes that the walk takes up.
    fn bytes(&self) -> usize {
        let queue = self.queue.capacity() * size_of::<OpenOf<P, B>>();
        let guide = self.guide.as_ref().map_or(0, Guide::bytes);
        (self.jumps.bytes() + guide + queue).saturating_add(self.heap)
    }

    /// Makes room for one more open node with such a state at this depth, if that takes no more
    /// than the limit of memory allows.
    fn make_room(&mut self, state: &P::State, depth: usize) -> Result<(), Stop> {
        let max_bytes = self.jumps.tree.max_bytes;
        self.jumps.make_room(depth, self.bytes())?;
        let used = self.bytes();
        if let Some(guide) = &mut self.guide {
            guide.make_room(depth, used, max_bytes)?;
        }
        let len = self.queue.len();
        if len == self.queue.capacity() {
            let capacity =
                grown::<OpenOf<P, B>>(len, self.bytes(), max_bytes).ok_or(Stop::MemoryLimit)?;
            self.queue.try_reserve_exact(capacity - len).map_err(|_| Stop::MemoryLimit)?;
            if !is_available(headroom(max_bytes).min(self.bytes())) {
                return Err(Stop::MemoryLimit);
            }
        }
        if const { needs_drop::<P::State>() } {
            let own = self.jumps.tree.problem.heap_bytes(state);
            if self.bytes().saturating_add(own) > max_bytes {
                return Err(Stop::MemoryLimit);
            }
            if self.heap.saturating_add(own) > self.probed {
                // States are cloned where that cannot fail without an abort.
                if !is_available(own.saturating_add(headroom(max_bytes))) {
                    return Err(Stop::MemoryLimit);
                }
                self.probed = self.heap.saturating_add(own) + headroom(max_bytes) / 2;
            }
        }
        Ok(())
    }

    fn start(&mut self, visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>) -> Expanded {
        if let Err(stop) = self.jumps.burn(0) {
            return Expanded::Stopped(stop);
        }
        self.started = true;
        let mut state = self.jumps.tree.problem.root();
        if let Err(stop) = self.make_room(&state, 0) {
            return Expanded::Stopped(stop);
        }
        let entered = self.jumps.enter(&mut state, Place::ROOT, None, visit);
        if let Some(cursor) = entered.cursor {
            self.count(&state);
            self.queue.push_back(Open {
                place: Place::ROOT,
                state,
                cursor,
                barren: !entered.solution,
            });
        }
        if entered.flow.is_break() { Expanded::Paused } else { Expanded::Done }
    }

    /// Takes the step `choice` from an open node, enters the child, and steps back.
    fn try_child(
        &mut self,
        open: &mut OpenOf<P, B>,
        choice: P::Choice,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        let problem = self.jumps.tree.problem;
        let undo = problem.apply(&mut open.state, &choice);
        let entered = self.jumps.enter(&mut open.state, open.place, Some(&choice), visit);
        open.barren &= !entered.kept;
        let child = match entered.cursor {
            Some(cursor) => {
                self.make_room(&open.state, open.place.depth + 1)?;
                Some((cursor, open.state.clone()))
            }
            None => None,
        };
        problem.undo(&mut open.state, &choice, undo);
        if let Some((cursor, state)) = child {
            self.count(&state);
            let record = self.jumps.records.push(open.place.record, choice);
            let place = Place { record, depth: open.place.depth + 1 };
            self.queue.push_back(Open { place, state, cursor, barren: !entered.solution });
        }
        Ok(entered.flow)
    }

    /// Enters the children of an open node that are left.
    fn expand(
        &mut self,
        open: &mut OpenOf<P, B>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Expanded {
        let depth = open.place.depth;
        loop {
            let choice = match self.jumps.draw(&open.state, open.place, &mut open.cursor) {
                Ok(Some(choice)) => choice,
                Ok(None) => {
                    self.jumps.levels[depth].dead_ends += u64::from(open.barren);
                    return Expanded::Done;
                }
                Err(stop) => return Expanded::Stopped(stop),
            };
            if depth >= self.jumps.tree.meter.depth_limit() {
                self.jumps.tree.truncated = true;
                return Expanded::Done;
            }
            if let Err(stop) = self.jumps.burn(depth + 1) {
                return Expanded::Stopped(stop);
            }
            match self.try_child(open, choice, visit) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Expanded::Paused,
                Err(stop) => return Expanded::Stopped(stop),
            }
            if let Err(stop) = self.jumps.check() {
                return Expanded::Stopped(stop);
            }
        }
    }

    /// Drops what is not to be kept of a level.
    fn narrow(&mut self) -> Result<(), Stop> {
        if N::COPIES {
            // The level with its keys, and half of it again while it is sorted. Keys are small, as
            // a rule.
            let copies = self.queue.len().saturating_mul(2 * size_of::<OpenOf<P, B>>());
            if self.bytes().saturating_add(copies) > self.jumps.tree.max_bytes
                || !is_available(copies)
            {
                return Err(Stop::MemoryLimit);
            }
        }
        for dropped in self.narrow.narrow(self.jumps.tree.problem, &mut self.queue) {
            self.jumps.records.release(dropped.place.record);
            self.dropped += 1;
            self.release(&dropped.state);
        }
        Ok(())
    }

    /// Counts a state that comes into the queue. What was cloned may own less than its original.
    fn count(&mut self, state: &P::State) {
        if const { needs_drop::<P::State>() } {
            self.heap = self.heap.saturating_add(self.jumps.tree.problem.heap_bytes(state));
        }
    }

    /// Counts a state out that is no longer in the queue.
    fn release(&mut self, state: &P::State) {
        if const { needs_drop::<P::State>() } {
            self.heap = self.heap.saturating_sub(self.jumps.tree.problem.heap_bytes(state));
        }
    }

    /// The next node to be expanded, with the hooks led there.
    fn take_up(&mut self, depth: usize) -> Result<Option<OpenOf<P, B>>, Stop> {
        if self.queue.front().is_some_and(|next| next.place.depth > depth) {
            // All of the next level is there, and nothing else.
            self.narrow()?;
        }
        let Some(open) = self.queue.pop_front() else { return Ok(None) };
        self.release(&open.state);
        if let Some(guide) = &mut self.guide {
            let Jumps { tree, records, tally, .. } = &mut self.jumps;
            guide.move_to(tree, records, tally, open.place.record, open.place.depth);
        }
        let before = std::mem::replace(&mut self.standing, open.place.record);
        self.jumps.records.release(before);
        Ok(Some(open))
    }

    fn end(&mut self, stop: Stop) -> Option<Stop> {
        let Jumps { tree, records, tally, .. } = &mut self.jumps;
        if let Some(guide) = &mut self.guide
            && stop.is_exhausted()
        {
            guide.finish(tree, records, tally);
        }
        Some(tree.end(stop, tally))
    }
}

impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, N: Narrow<P>> Walk<P>
    for BreadthFirstWalk<'_, P, B, H, N>
{
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
        if let Err(stop) = self.jumps.check() {
            return self.end(stop);
        }
        let mut resumed = self.open.take();
        let mut depth = resumed.as_ref().map_or(0, |open| open.place.depth);
        loop {
            let next = match resumed.take() {
                Some(open) => Ok(Some(open)),
                None => self.take_up(depth),
            };
            let next = match next {
                Ok(next) => next,
                Err(stop) => return self.end(stop),
            };
            let Some(mut open) = next else {
                return self.end(Stop::Exhausted);
            };
            depth = open.place.depth;
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

    fn read(&mut self) -> &mut Vec<IncumbentId> {
        &mut self.jumps.tree.read
    }

    fn stopped(&mut self) -> &mut Option<Stop> {
        &mut self.jumps.tree.stopped
    }

    fn stop(&self) -> Stop {
        self.jumps.tree.stop()
    }

    fn report(&self) -> Report {
        let mut report = self.jumps.tree.report(&self.jumps.tally, &self.jumps.levels);
        if self.dropped > 0 {
            report.effect = Effect::Lossy;
            let nodes = if self.dropped == 1 { "node" } else { "nodes" };
            report.conflicts.push(format!("the beam dropped {} {nodes}", self.dropped));
        }
        report
    }

    fn count(&self) -> Count {
        self.jumps.tree.count_so_far(&self.jumps.tally)
    }
}
