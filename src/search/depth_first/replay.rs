//! The steps of a depth-first walk outside the hot loop: replaying the path to a subtree that an
//! earlier walk left, and entering its untried children.
//!
//! The nodes on such a path are the *prefix* of the walk. An earlier walk entered them, so this one
//! enters them as a replay. Their untried children come from a list instead of a cursor. This file
//! enters each of these children; the hot loop searches below it.

use std::collections::VecDeque;
use std::iter;
use std::ops::ControlFlow;

use super::walk::{DepthFirstWalk, Position, PrefixNode, Stack, Step, is_placed};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::limits::Stop;
use crate::problem::{Branch, Problem};
use crate::search::frontier::subtree::{BestSolution, Subtree, Untried};
use crate::search::tree::Ending;
use crate::search::walk::ignore_solution;

/// If a search may be divided, or reports the share that is done, nodes with at least this share of
/// the walk's part of the tree are opened child by child, so that the number of their children is
/// known.
const OPENED_SHARE: f64 = 1.0 / 256.0;

/// Deeper nodes are not opened, so that a long path without branches is not searched this way.
const OPENED_DEPTH: usize = 64;

const CONTINUE: ControlFlow<()> = ControlFlow::Continue(());

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirstWalk<'_, P, B, H> {
    /// Takes one step outside the hot loop: into the next pending subtree, into an untried child,
    /// to a solution whose visit was deferred, or back to the parent.
    #[cold]
    pub(crate) fn advance_prefix<V>(&mut self, visit: &mut V) -> Result<ControlFlow<()>, Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        if let Some(state) = self.replay.state.take() {
            if std::mem::take(&mut self.replay.unvisited_solution) {
                return self.visit_deferred(state, visit);
            }
            return self.try_next_child(state, visit);
        }
        match self.replay.pending.pop_front() {
            None => Err(Stop::Exhausted),
            Some(subtree) if subtree.is_whole() => {
                if let Err(stop) = self.ensure_slot_and_fuel(0) {
                    self.replay.pending.push_front(subtree);
                    return Err(stop);
                }
                self.share = 1.0;
                let start = self.replay.start.take().unwrap_or_else(|| self.tree.problem.root());
                Ok(self.enter(start, 0, visit))
            }
            Some(subtree) => {
                let Some(subtree) = self.cut_at_depth_limit(subtree) else { return Ok(CONTINUE) };
                // Many subtrees may be cut off one after another without entering a node.
                let room = self.make_room(subtree.path.len());
                if let Err(stop) = room.and_then(|()| self.check_clock()) {
                    self.replay.pending.push_front(subtree);
                    return Err(stop);
                }
                // If a hook now cuts off the path, nothing is left below: the next steps climb.
                let (_, flow) = self.replay_path(subtree, visit);
                if self.tally.overflows() { Err(Stop::CountOverflow) } else { Ok(flow) }
            }
        }
    }

    /// Returns a subtree without the nodes beyond the depth limit, which a run without that limit
    /// may have left. Returns `None` if no other nodes are left.
    fn cut_at_depth_limit(
        &mut self,
        mut subtree: Subtree<P::Choice>,
    ) -> Option<Subtree<P::Choice>> {
        let limit = self.tree.meter.depth_limit();
        if subtree.path.len() <= limit {
            return Some(subtree);
        }
        let kept = (limit + 1).saturating_sub(subtree.first_depth());
        let below = subtree.untried.split_off(kept);
        subtree.path.truncate(limit);
        self.done += below.iter().map(|node| node.share * node.choices.len() as f64).sum::<f64>();
        self.tree.truncated |=
            subtree.solution || below.iter().any(|node| !node.choices.is_empty());
        Subtree::new(subtree.path, subtree.untried)
    }

    /// Replays the path of `subtree` and stands at its end. Returns whether a hook now prunes a
    /// node of the path: the incumbent has improved since the node was entered. Everything at and
    /// below such a node is then dropped, as if it had been pruned when it was entered; the state
    /// may then be one that a search never reaches. The path is replayed to its end all the same,
    /// because [`revisit_best_paths`](Self::revisit_best_paths) keeps it.
    ///
    /// If a hook has tightened a state so much that its node has no children any more, everything
    /// below the node is dropped as well, because the choices were drawn for another state. The
    /// node is visited if it is a solution; also returns whether the visitor continues.
    fn replay_path<V>(
        &mut self,
        subtree: Subtree<P::Choice>,
        visit: &mut V,
    ) -> (bool, ControlFlow<()>)
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        let problem = self.tree.problem;
        let mut state = problem.root();
        self.replay.unvisited_solution = subtree.solution;
        // The nodes above that one had children; nothing is searched below the best solutions.
        let had_children = match subtree.solution {
            true => subtree.path.len(),
            false if subtree.untried.iter().all(Untried::is_redundant) => 0,
            false => subtree.path.len() + 1,
        };
        let (path, nodes) = subtree.into_nodes();
        let choices = iter::once(None).chain(path.into_iter().map(Some));
        let (mut is_cut, mut flow) = (false, CONTINUE);
        for (depth, (choice, mut untried)) in choices.zip(nodes).enumerate() {
            debug_assert!(depth < self.slots.len(), "room was made before the replay");
            if let Some(choice) = choice {
                let undo = problem.apply(&mut state, &choice);
                self.slots[depth].step = Step::Replayed { choice, undo };
            }
            let Self { tree, slots, tally, replay, .. } = self;
            let stack = Stack(slots);
            let path = Path::new(&stack, depth, None);
            let mut pruned = Vec::new();
            tree.replay(&mut state, path, tally, &mut pruned);
            is_cut |= tree.is_cut_by(&pruned);
            let mut is_dead_end = false;
            if !is_cut
                && depth < had_children
                && let Some(is_solution) =
                    tree.ends_on_replay(&Node::new(problem, &state, path, tally))
            {
                is_cut = true;
                is_dead_end = !is_solution && untried.barren;
                match replay.copy_deferred_path {
                    // The split keeps the subtree. The run that searches it visits the solution
                    // without counting it again.
                    Some(_) if is_solution && !untried.barren => flow = ControlFlow::Break(()),
                    Some(copy) if is_solution => replay.deferred_solution = Some(copy(&path)),
                    None if is_solution => {
                        flow = tree.visit_ended(&state, path, tally, untried.barren, visit);
                        slots[depth].level.solutions += 1;
                    }
                    _ => {}
                }
            }
            if is_cut {
                self.done += untried.share * untried.choices.len() as f64;
                untried = Untried { barren: is_dead_end, ..Untried::none() };
            }
            self.replay.prefix.push(PrefixNode { pruned, own: false, untried });
        }
        self.replay.unvisited_solution &= !is_cut;
        self.replay.state = Some(state);
        (is_cut, flow)
    }

    /// Visits the last node of the prefix: a solution that an earlier walk, or `Search::split`, has
    /// entered and not visited.
    fn visit_deferred<V>(&mut self, state: P::State, visit: &mut V) -> Result<ControlFlow<()>, Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        let depth = self.replay.prefix.len() - 1;
        let Self { tree, slots, tally, replay, .. } = self;
        let stack = Stack(slots);
        let path = Path::new(&stack, depth, None);
        let visited = tree.visit_deferred(&state, path, tally, visit);
        replay.state = Some(state);
        match (visited, replay.prefix.last_mut()) {
            (Ok(_), _) if tally.overflows() => Err(Stop::CountOverflow),
            (Ok(flow), _) => {
                slots[depth].level.solutions += 1;
                Ok(flow)
            }
            (Err(choices), Some(last)) => {
                last.untried.choices.extend(choices);
                Ok(CONTINUE)
            }
            (Err(_), None) => Ok(CONTINUE),
        }
    }

    /// Enters the next untried child of the last node of the prefix, or leaves that node if there
    /// is none.
    fn try_next_child<V: FnMut(&Node<'_, P>) -> ControlFlow<()>>(
        &mut self,
        mut state: P::State,
        visit: &mut V,
    ) -> Result<ControlFlow<()>, Stop> {
        let depth = self.replay.prefix.len();
        let next = self.replay.prefix.last_mut();
        let next =
            next.and_then(|node| Some((node.untried.choices.pop_front()?, node.untried.share)));
        let Some((choice, share)) = next else {
            self.leave_prefix_node(state);
            return Ok(CONTINUE);
        };
        let Self { tree, slots, tally, fuel, .. } = self;
        let stack = Stack(slots);
        let node = Node::new(tree.problem, &state, Path::new(&stack, depth - 1, None), tally);
        if let Some(cut) = tree.hooks.admit_near_root(&node, &choice) {
            let clock_due = tree.count_admission_cut(cut, depth) || tree.meter.is_alarmed();
            let clock_check = match clock_due {
                true => tree.meter.check_clock(*fuel, tally.visited, depth - 1),
                false => Ok(()),
            };
            self.replay.state = Some(state);
            self.done += share;
            if let Some(node) = self.replay.prefix.last_mut().filter(|_| cut.siblings) {
                self.done += share * node.untried.choices.len() as f64;
                node.untried.choices.clear();
            }
            return clock_check.map(|()| CONTINUE);
        }
        if depth > tree.meter.depth_limit() {
            tree.truncated = true;
            self.done += share;
            if let Some(node) = self.replay.prefix.last_mut() {
                self.done += share * node.untried.choices.len() as f64;
                node.untried.choices.clear();
                // It has children beyond the depth limit, and is therefore not a dead end.
                node.untried.barren = false;
            }
            self.leave_prefix_node(state);
            return Ok(CONTINUE);
        }
        if let Err(stop) = self.ensure_slot_and_fuel(depth) {
            self.replay.state = Some(state);
            if let Some(node) = self.replay.prefix.last_mut() {
                node.untried.choices.push_front(choice);
            }
            return Err(stop);
        }
        let undo = self.tree.problem.apply(&mut state, &choice);
        self.slots[depth].step = Step::Replayed { choice, undo };
        self.share = share;
        let flow = self.enter(state, depth, visit);
        if self.tally.overflows() { Err(Stop::CountOverflow) } else { Ok(flow) }
    }

    /// Enters the root or a child of the last node of the prefix, and returns whether the visitor
    /// broke off. If the node has children, the hot loop has a position afterwards.
    fn enter<V>(&mut self, mut state: P::State, depth: usize, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        self.fuel -= 1;
        let Self { tree, slots, tally, replay, .. } = self;
        let problem = tree.problem;
        slots[depth].level.nodes += 1;
        let stack = Stack(slots);
        let path = Path::new(&stack, depth, None);
        let branch = match tree.enter(problem, &mut state, path, tally) {
            Ok(branch) => branch,
            Err(hook) => {
                tree.count_entry_cut(hook, depth);
                self.done += self.share;
                self.step_back(state, depth);
                return CONTINUE;
            }
        };
        if let Some(parent) = replay.prefix.last_mut() {
            parent.untried.barren = false;
        }
        let solution = branch.is_solution();
        let mut flow = CONTINUE;
        match replay.copy_deferred_path {
            Some(copy) if solution => replay.deferred_solution = Some(copy(&path)),
            None if solution => {
                flow = tree.visit(problem, &state, path, tally, visit);
                slots[depth].level.solutions += 1;
            }
            _ => {}
        }
        match branch {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => {
                let mut cursor = Some(cursor);
                if is_placed::<B::Cursor>() {
                    self.cursors[depth] = cursor.take();
                }
                self.position = Some(Position { state, depth, cursor, barren: !solution });
                if self.opens_large_nodes
                    && depth < OPENED_DEPTH
                    && self.share >= OPENED_SHARE * self.whole
                {
                    self.open();
                }
                return flow;
            }
            Branch::DeadEnd => slots[depth].level.dead_ends += 1,
            Branch::Solution => {}
        }
        self.leave_bottom(state, depth);
        flow
    }

    /// Draws all children of the node where the hot loop would begin, and appends that node to the
    /// prefix.
    fn open(&mut self) {
        let Some(Position { state, depth, cursor, barren }) = self.position.take() else {
            return;
        };
        let mut cursor = cursor.or_else(|| self.cursors[depth].take());
        let Self { tree, slots, tally, .. } = self;
        let stack = Stack(slots);
        let node = Node::new(tree.problem, &state, Path::new(&stack, depth, None), tally);
        let choices: VecDeque<_> =
            iter::from_fn(|| tree.brancher.next(&node, cursor.as_mut()?)).collect();
        if choices.is_empty() {
            self.done += self.share;
        }
        let share = self.share / choices.len().max(1) as f64;
        self.replay.prefix.push(PrefixNode {
            pruned: Vec::new(),
            own: true,
            untried: Untried { choices, barren, share },
        });
        self.replay.state = Some(state);
    }

    /// Leaves the last node of the prefix, whose children have all been tried.
    fn leave_prefix_node(&mut self, state: P::State) {
        let Some(PrefixNode { pruned, own, untried }) = self.replay.prefix.pop() else { return };
        let depth = self.replay.prefix.len();
        self.slots[depth].level.dead_ends += u64::from(untried.barren);
        self.leave(&state, depth, if own { Ending::Searched } else { Ending::Unfinished(&pruned) });
        self.step_back(state, depth);
    }

    /// Calls `visit` with the nodes of the best solutions of earlier walks, before this walk
    /// begins. If a bound is tighter now than it was when the solution was found, it may prune the
    /// path: the solution is then not as good as the incumbent.
    pub(crate) fn revisit_best_paths(&mut self, mut visit: impl FnMut(&Node<'_, P>) -> String) {
        let Some(resume) = &mut self.tree.resume else { return };
        let solutions = std::mem::take(&mut resume.frontier.best);
        // If a panic unwinds from here, the walk stays interrupted, and the frontier is lost with
        // its paths.
        let stopped = self.tree.stopped.replace(Stop::Interrupted);
        let mut failure = None;
        for BestSolution { path, value } in solutions {
            let depth = path.len();
            if let Err(stop) = self.make_room(depth) {
                // Keep the solution with everything else that is left.
                if let Some(resume) = &mut self.tree.resume {
                    resume.frontier.best.push(BestSolution { path, value });
                }
                failure = Some(stop);
                continue;
            }
            let recording = self.tree.reads.begin();
            let subtree = Subtree { path, untried: vec![Untried::none()], solution: false };
            let (is_cut, _) = self.replay_path(subtree, &mut ignore_solution);
            let Self { tree, slots, tally, replay, .. } = self;
            let stack = Stack(slots);
            let path = Path::new(&stack, depth, None);
            let Some(state) = &replay.state else {
                unreachable!("a replayed path ends in a state");
            };
            let node = Node::new(tree.problem, state, path, tally);
            if let Some(choices) = tree.revisit_best(&node, is_cut, value, &mut visit)
                && let Some(last) = replay.prefix.last_mut()
            {
                last.untried.choices = choices;
            }
            recording.end(&mut tree.reads);
            let pending = self.extract_frontier();
            self.replay.pending = pending;
        }
        if let Some(resume) = &mut self.tree.resume {
            resume.require_offered_values();
        }
        self.tree.stopped = stopped.or(failure);
        // The hot loop goes as deep as there are slots, and a path may be longer than the depth
        // limit.
        self.slots.clear();
        self.cursors.clear();
    }
}
