//! Breadth-first search and beam search: level by level, with a copy of the state at every open
//! node.
//!
//! Every inner node that is open or has open descendants is stored in the
//! [arena](super::node_arena) as its parent and a choice, about 24 bytes in addition to the choice.
//! An open node also has its state and cursor in the queue. The walk jumps from state to state
//! instead of undoing and applying steps. In a deep and narrow tree, such as that of a labyrinth,
//! the open nodes of a level are far apart, and moving between them would cost time quadratic in
//! the depth. A path is collected from the arena only when it is read.
//!
//! Hooks and branchers that store the path in themselves cannot jump. If there is one, a
//! [`Navigator`] moves the hooks and the brancher to a node before it is expanded.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::navigator::Navigator;
use super::node_arena::ROOT;
use super::noncontiguous::{NodeRef, Noncontiguous};
use super::open_levels::{Children, Open, OpenLevels, OpenLevelsOf, OpenNodes, OpenOf, Selection};
use crate::brancher::Brancher;
use crate::diagram::layers::sort_in_steps;
use crate::hook::{Hooks, Node};
use crate::limits::Stop;
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Report;
use crate::search::builder::Search;
use crate::search::frontier::resume::BestSlot;
use crate::search::frontier::subtree::{CopyChoice, Subtree};
use crate::search::tree::SearchTree;
use crate::search::walk::{DivisibleWalk, IntoWalk, Walk, WithoutFrontier, walk_methods};

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Searches level by level instead of depth first: the first solution is one of the shallowest.
    ///
    /// Every open node holds a copy of the state, and each of its ancestors a few words and its
    /// choice. Memory is proportional to the widest level. Moore (1959) and Lee (1961) found
    /// shortest paths through mazes this way.
    ///
    /// A node is left as soon as it has been entered, long before its children are. A hook that
    /// [follows the path](crate::hook::HookMemory::follows_path) is moved back to a node before its
    /// children are drawn, and enters and leaves it again. A hook that learns from
    /// [leaving](crate::Hook::leave) a node learns nothing, because every node is left
    /// [unfinished](crate::Hook::leave_unfinished).
    ///
    /// ```
    /// use secateurs::{Branch, Problem, Search};
    ///
    /// /// Reach a number from 1 by doubling and by adding 3.
    /// struct Reach(u64);
    ///
    /// impl Problem for Reach {
    ///     type State = u64;
    ///     type Cursor = u8;
    ///     type Choice = char;
    ///     type Undo = u64;
    ///     fn root(&self) -> u64 {
    ///         1
    ///     }
    ///     fn branch(&self, &number: &u64) -> Branch<u8> {
    ///         match number {
    ///             _ if number == self.0 => Branch::Solution,
    ///             _ if number > self.0 => Branch::DeadEnd,
    ///             _ => Branch::Inner(0),
    ///         }
    ///     }
    ///     fn next(&self, _: &u64, cursor: &mut u8) -> Option<char> {
    ///         *cursor += 1;
    ///         ['+', '*'].get(usize::from(*cursor) - 1).copied()
    ///     }
    ///     fn apply(&self, number: &mut u64, step: &char) -> u64 {
    ///         let before = *number;
    ///         *number = if *step == '*' { before * 2 } else { before + 3 };
    ///         before
    ///     }
    ///     fn undo(&self, number: &mut u64, _: &char, before: u64) {
    ///         *number = before;
    ///     }
    /// }
    ///
    /// let shortest = Search::new(&Reach(64)).breadth_first().first();
    /// assert_eq!(shortest.solution().map(Vec::len), Some(5)); // 1 + 3, then doubled four times
    /// ```
    pub fn breadth_first(self) -> Search<'p, P, B, H, X, BreadthFirst> {
        self.with_strategy(BreadthFirst)
    }

    /// Searches level by level like [`breadth_first`](Search::breadth_first), but keeps only the
    /// `width` nodes of each level with the smallest `key` (Lowerre 1976). A width of 0 is treated
    /// as 1. To keep the largest keys, return a [`Reverse`].
    ///
    /// Memory is proportional to the width, times at most the depth: all nodes of a level are
    /// entered before the level is reduced. If any node was dropped, the run is
    /// [lossy](crate::Effect::Lossy), and its report says how many; if none was, it proves the same
    /// as breadth-first search. Of nodes with equal keys, those that were entered first are kept.
    /// The nodes of a level are expanded in the order of their keys.
    ///
    /// [`Reverse`]: std::cmp::Reverse
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::maze::{Maze, Mouse};
    ///
    /// let maze: Maze = "S...\n.##.\n...G\n".parse()?;
    /// // All squares at one distance have equal keys, and two nodes are enough to pass the walls
    /// // on both sides.
    /// let outcome = Search::new(&maze).beam(2, |_, mouse: &Mouse| mouse.steps()).first();
    /// assert_eq!(outcome.solution().map(Vec::len), Some(5));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    pub fn beam<K, F>(self, width: usize, key: F) -> Search<'p, P, B, H, X, Beam<F>>
    where
        K: Ord,
        F: FnMut(&P, &P::State) -> K,
    {
        self.with_strategy(Beam { width: width.max(1), key })
    }
}

/// Strategy of [`Search::breadth_first`]: all nodes of one depth before those of the next. States
/// must be `Clone`, because each open node has its own.
#[derive(Clone, Copy, Debug)]
pub struct BreadthFirst;

impl WithoutFrontier for BreadthFirst {}

impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>> IntoWalk<P, B, H> for BreadthFirst {
    type Walk<'p>
        = BreadthFirstWalk<'p, P, B, H, KeepAll>
    where
        P: 'p;

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        BreadthFirstWalk::new(tree, KeepAll)
    }
}

/// Strategy of [`Search::beam`]: the best nodes of each depth before those of the next.
#[derive(Clone, Copy)]
pub struct Beam<F> {
    pub(crate) width: usize,
    pub(crate) key: F,
}

debug_fields!(impl[F] Beam<F>: width);

impl<F> WithoutFrontier for Beam<F> {}

impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, K: Ord, F: FnMut(&P, &P::State) -> K>
    IntoWalk<P, B, H> for Beam<F>
{
    type Walk<'p>
        = BreadthFirstWalk<'p, P, B, H, KeepBest<F>>
    where
        P: 'p;

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        BreadthFirstWalk::new(tree, KeepBest { beam: self, dropped: 0 })
    }
}

/// Selects all nodes.
#[derive(Clone, Copy, Debug)]
pub struct KeepAll;

impl<P: Problem> Selection<P> for KeepAll {}

/// Selects the best nodes of each level by a key.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct KeepBest<F> {
    beam: Beam<F>,
    /// The number of nodes that were dropped.
    dropped: u64,
}

impl<P: Problem, V: Ord, F: FnMut(&P, &P::State) -> V> Selection<P> for KeepBest<F> {
    fn select<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
    ) -> Result<(), Stop> {
        let problem = open.base.tree.problem;
        // The level exists with its keys as well, and partly once more when it is divided. Keys are
        // assumed to be small.
        let nodes = open.levels.current().len();
        open.check_memory(nodes.saturating_mul(2 * size_of::<OpenOf<P, B>>()))?;
        let mut keyed = Vec::with_capacity(nodes);
        let mut sorted = Ok(());
        while sorted.is_ok()
            && let Some(node) = open.levels.pop()
        {
            keyed.push(((self.beam.key)(problem, &node.state), keyed.len(), node));
            sorted = open.base.check_step();
        }
        // Of nodes with equal keys, the first ones come first.
        let order = |one: &(V, usize, _), other: &(V, usize, _)| {
            one.0.cmp(&other.0).then(one.1.cmp(&other.1))
        };
        let width = self.beam.width.min(nodes);
        if sorted.is_ok() {
            if width < nodes {
                keyed.select_nth_unstable_by(width, order);
            }
            sorted = sort_in_steps(&mut keyed[..width], &order, &mut || open.base.check_step());
        }
        let dropped = if sorted.is_ok() { keyed.split_off(width) } else { Vec::new() };
        open.levels.current().extend(keyed.into_iter().map(|(.., node)| node));
        for (.., dropped) in dropped {
            open.release(dropped.position, &dropped.state);
            self.dropped += 1;
        }
        sorted
    }

    fn weaken(&self, report: &mut Report) {
        weaken_by_dropping(report, "the beam", self.dropped);
    }
}

/// Weakens a report if nodes were dropped that were not searched.
pub(super) fn weaken_by_dropping(report: &mut Report, strategy: &str, dropped: u64) {
    if dropped > 0 {
        let nodes = if dropped == 1 { "node" } else { "nodes" };
        report.add_conflict(format!("{strategy} dropped {dropped} {nodes}"));
    }
}

/// A breadth-first walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct BreadthFirstWalk<'p, P, B, H, F>
where
    P: Problem<State: Clone>,
    B: Brancher<P>,
    H: Hooks<P>,
    F: Selection<P>,
{
    pub(super) selection: F,
    pub(super) base: Noncontiguous<'p, P, B, H>,
    /// The node that is being expanded, while the walk is paused.
    pub(super) expanding: Option<OpenOf<P, B>>,
    /// Nodes of a subtree whose untried children come before all open nodes. Other walks may have
    /// the other children, so these nodes are not among those that are selected.
    pub(super) partial: VecDeque<OpenOf<P, B>>,
    /// The number of cuts before the node was expanded.
    cuts_before: u64,
    pub(super) open: OpenLevelsOf<P, B>,
    /// The subtrees that are searched when no node is open.
    pub(super) pending: VecDeque<Subtree<P::Choice>>,
    /// The number of pending subtrees that are lent.
    pub(super) lent: usize,
    /// About the largest number of children of a node so far.
    most_children: usize,
    /// The share of the tree that has been opened and not been given away.
    pub(super) share: f64,
    /// The function that copies a choice; `None` if the walk cannot be divided.
    pub(super) copy_choice: Option<CopyChoice<P::Choice>>,
}

impl<'p, P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, F: Selection<P>>
    BreadthFirstWalk<'p, P, B, H, F>
{
    /// Creates a walk of the whole tree, or of the subtrees of the frontier that `tree` resumes.
    pub(crate) fn new(mut tree: SearchTree<'p, P, B, H>, selection: F) -> Self {
        let pending = tree.take_subtrees();
        let copy_choice = tree.resume.as_ref().map(|resume| resume.copy_choice);
        Self::of(tree, selection, pending, copy_choice)
    }

    /// Creates a walk without subtrees.
    pub(crate) fn idle(tree: SearchTree<'p, P, B, H>, selection: F) -> Self
    where
        P::Choice: Clone,
    {
        Self::of(tree, selection, VecDeque::new(), Some(P::Choice::clone))
    }

    fn of(
        tree: SearchTree<'p, P, B, H>,
        selection: F,
        pending: VecDeque<Subtree<P::Choice>>,
        copy_choice: Option<CopyChoice<P::Choice>>,
    ) -> Self {
        let mut follows_path = tree.brancher.memory().follows_path();
        tree.hooks.each(&mut |hook| follows_path |= hook.memory().follows_path());
        let navigator = follows_path.then(|| Navigator::new(tree.problem));
        BreadthFirstWalk {
            base: Noncontiguous { navigator, ..Noncontiguous::new(tree) },
            expanding: None,
            partial: VecDeque::new(),
            cuts_before: 0,
            open: OpenLevels::new(),
            pending,
            lent: 0,
            most_children: 0,
            share: 0.0,
            copy_choice,
            selection,
        }
    }

    /// Returns the bytes that the walk uses, including those of the subtrees into which it will
    /// turn its open nodes for a frontier.
    pub(super) fn bytes(&self) -> usize {
        let navigator = self.base.navigator.as_ref().map_or(0, Navigator::bytes);
        let nodes = self.open.bytes().saturating_add(self.selection.bytes());
        let subtrees = self.pending.len() + if self.base.tree.keeps_rest { self.left() } else { 0 };
        let choices = self.base.levels.len() + self.most_children;
        let subtrees = subtrees.saturating_mul(Subtree::<P::Choice>::bytes(choices));
        (self.base.bytes() + navigator).saturating_add(nodes).saturating_add(subtrees)
    }

    /// Returns the number of nodes that are still to be expanded, without those that will be opened
    /// again.
    pub(super) fn left(&self) -> usize {
        let open = if self.selection.repeats_open() { 0 } else { self.open.len() };
        self.partial.len() + self.selection.set_aside() + open
    }

    /// Reserves memory for one more open node of this level with this state at this depth, if the
    /// memory limit allows that.
    #[inline]
    pub(super) fn make_room(
        &mut self,
        level: usize,
        state: &P::State,
        depth: usize,
    ) -> Result<(), Stop> {
        let has_room = self.base.has_room(depth)
            && self.base.navigator.as_ref().is_none_or(|navigator| navigator.has_room(depth))
            && self.open.has_room(level);
        if has_room { Ok(()) } else { self.grow(level, state, depth) }
    }

    /// Reserves memory for one more open node, where something may be full.
    #[inline(never)]
    fn grow(&mut self, level: usize, state: &P::State, depth: usize) -> Result<(), Stop> {
        let max_bytes = self.base.tree.max_bytes;
        let mut used = self.base.make_room(depth, self.bytes())?;
        if let Some(navigator) = &mut self.base.navigator {
            navigator.make_room(depth, used, max_bytes)?;
            used = self.bytes();
        }
        self.open.make_room(self.base.tree.problem, (level, state), used, max_bytes)
    }

    /// Enters the root, and opens it if it may have children.
    fn start(
        &mut self,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        self.base.leave_all();
        self.base.arena.release(std::mem::replace(&mut self.base.current, ROOT));
        let problem = self.base.tree.problem;
        let mut state = problem.root();
        let level = self.selection.level(problem, &state, 0);
        self.open.restart(level);
        let ready = self.make_room(level, &state, 0).and_then(|()| self.base.take_fuel(0));
        ready.inspect_err(|_| self.pending.push_front(Subtree::whole()))?;
        self.share = 1.0;
        let entered = self.base.enter(&mut state, NodeRef::ROOT, None, true, visit);
        if let Some(cursor) = entered.cursor
            && let Some(tag) = self.selection.open(problem, None, &state, entered.solution)
        {
            let (position, barren) = (NodeRef::ROOT, !entered.solution);
            self.open.add_heap_bytes(problem, &state);
            let children = Some(Children::Cursor(cursor));
            self.open.push(level, Open { position, state, children, barren, tag });
        }
        self.after_opening(entered.flow)
    }

    /// Returns the result of opening a subtree, in which `flow` is the answer of the visitor.
    pub(super) fn after_opening(&self, flow: ControlFlow<()>) -> Result<ControlFlow<()>, Stop> {
        if flow.is_continue() {
            self.base.check_limits()?;
        }
        Ok(flow)
    }

    /// Applies `choice` at an open node, enters the child, and undoes the step.
    fn enter_child(
        &mut self,
        open: &mut OpenOf<P, B>,
        choice: P::Choice,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        let problem = self.base.tree.problem;
        let undo = problem.apply(&mut open.state, &choice);
        let depth = open.position.depth + 1;
        let counts = !self.selection.repeats_open();
        let entered = self.base.enter(&mut open.state, open.position, Some(&choice), counts, visit);
        open.barren &= !entered.kept;
        let mut child = None;
        if let Some(cursor) = entered.cursor {
            let tag = self.selection.open(problem, Some(open.tag), &open.state, entered.solution);
            if let Some(tag) = tag {
                let level = self.selection.level(problem, &open.state, depth);
                if let Err(stop) = self.make_room(level, &open.state, depth) {
                    let position = self.base.push_child(open.position, choice);
                    self.keep_unopened(position, &open.state, cursor, !entered.solution);
                    problem.undo(&mut open.state, self.base.arena.choice(position.id), undo);
                    self.base.arena.release(position.id);
                    return Err(stop);
                }
                child = Some((tag, level, open.state.clone(), cursor));
            }
        } else if entered.kept {
            self.selection.end(problem, open.tag, &open.state, entered.solution);
        }
        problem.undo(&mut open.state, &choice, undo);
        if let Some((tag, level, state, cursor)) = child {
            self.open.add_heap_bytes(problem, &state);
            let position = self.base.push_child(open.position, choice);
            let (children, barren) = (Some(Children::Cursor(cursor)), !entered.solution);
            self.open.push(level, Open { position, state, children, barren, tag });
        }
        Ok(entered.flow)
    }

    /// Enters the remaining children of an open node.
    fn expand(
        &mut self,
        open: &mut OpenOf<P, B>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        let mut drawn_children = 0;
        while let Some(children) = &mut open.children {
            let draw = |brancher: &mut B, node: &Node<'_, P>| {
                drawn_children += 1;
                match children {
                    Children::Cursor(cursor) => brancher.next(node, cursor),
                    Children::Listed(choices) => choices.pop_front(),
                }
            };
            let next = self.base.next_child(&open.state, open.position, open.barren, draw)?;
            let Some(choice) = next else { break };
            let flow = self.enter_child(open, choice, visit)?;
            if flow.is_break() {
                return Ok(flow);
            }
            self.base.check_limits()?;
        }
        self.most_children = self.most_children.max(drawn_children);
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the next node to be expanded, after moving the hooks there.
    fn take_next(&mut self) -> Result<Option<OpenOf<P, B>>, Stop> {
        let mut open = loop {
            if let Some(open) = self.partial.pop_front().or_else(|| self.open.pop()) {
                break open;
            }
            if !self.open.advance() {
                let used = self.bytes();
                let Self { selection, base, open, .. } = self;
                selection.refill(&mut OpenNodes { base, levels: open, used })?;
                if !self.open.advance() {
                    return Ok(None);
                }
            }
            let used = self.bytes();
            let Self { selection, base, open, .. } = self;
            selection.select(&mut OpenNodes { base, levels: open, used })?;
        };
        self.cuts_before = self.base.cuts;
        self.open.subtract_heap_bytes(self.base.tree.problem, &open.state);
        self.base.move_to(open.position);
        if open.children.is_none() {
            let cursor = self.base.cursor(open.position, &open.state);
            open.children = cursor.map(Children::Cursor);
        }
        Ok(Some(open))
    }

    /// Expands the next node, or opens the next subtree if there is none.
    fn step(
        &mut self,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        let next = match self.expanding.take() {
            Some(open) => {
                self.base.move_to(open.position);
                Some(open)
            }
            None => self.take_next()?,
        };
        let Some(mut open) = next else {
            return match self.pending.pop_front() {
                None => Err(Stop::Exhausted),
                Some(subtree) if subtree.is_whole() => self.start(visit),
                Some(subtree) => self.open_subtree(subtree, visit),
            };
        };
        let expanded = self.expand(&mut open, visit);
        if expanded == Ok(ControlFlow::Continue(())) {
            // A brancher that reads an incumbent leaves out children, which are not counted here; a
            // hook that does so may tighten a state.
            let is_cut = self.base.cuts > self.cuts_before || self.base.tree.reads.any();
            self.selection.close(self.base.tree.problem, open, is_cut);
        } else {
            self.base.arena.retain(open.position.id);
            self.expanding = Some(open);
        }
        expanded
    }

    /// Ends the walk, and leaves all nodes if the tree is exhausted.
    fn end(&mut self, stop: Stop) -> Stop {
        if stop.is_exhausted() {
            self.base.leave_all();
        }
        self.base.tree.end(stop, &self.base.tally)
    }
}

impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, F: Selection<P>> Walk<P>
    for BreadthFirstWalk<'_, P, B, H, F>
{
    fn advance_unguarded<V>(&mut self, mut visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        // The visitor may have broken off exactly at the limit.
        let mut step = self.base.check_limits().map(ControlFlow::Continue);
        loop {
            step = match step {
                Ok(ControlFlow::Continue(())) => self.step(&mut visit),
                Ok(ControlFlow::Break(())) => return None,
                Err(Stop::Paused) => {
                    if self.base.tree.meter.take_pause_reason().is_none() {
                        return Some(Stop::Paused);
                    }
                    self.save(Stop::Paused);
                    Ok(ControlFlow::Continue(()))
                }
                Err(stop) => {
                    let stop = self.end(stop);
                    self.save(stop);
                    return Some(stop);
                }
            };
        }
    }

    fn report(&self) -> Report {
        let Noncontiguous { tree, tally, levels, .. } = &self.base;
        tree.report(tally, levels, |report| self.selection.weaken(report))
    }

    walk_methods!(self, self.base);

    fn revisit_best(&mut self, visit: impl FnMut(&Node<'_, P>) -> String) {
        self.revisit_best_paths(visit);
    }

    fn best_slot(&self) -> Option<BestSlot<P::Choice>> {
        self.base.tree.resume.as_ref().map(|resume| resume.best_slot.clone())
    }
}
