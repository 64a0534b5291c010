//! The work of a level-by-level walk as subtrees: opening those of a frontier or of another thread,
//! and extracting those that are left.
//!
//! Each open node becomes a subtree: its path and its children. A path is replayed by a
//! [`Navigator`]. The nodes of a subtree that are opened again may be a part of their former
//! selves: other walks may have entered or may have got some of their children.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::{fmt, mem};

use super::breadth_first::BreadthFirstWalk;
use super::navigator::Navigator;
use super::node_arena::ROOT;
use super::noncontiguous::{NodeRef, Noncontiguous};
use super::open_levels::{Children, Open, OpenOf, Selection};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::limits::Stop;
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Level;
use crate::search::frontier::subtree::{BestSolution, CopyChoice, Subtree, Untried};
use crate::search::tree::SearchTree;
use crate::search::walk::DivisibleWalk;

/// The most open nodes that are given to another thread at once. Fewer make it idle again soon; for
/// each, its children are drawn.
const MAX_DONATED: usize = 128;

impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, F: Selection<P>>
    BreadthFirstWalk<'_, P, B, H, F>
{
    /// Moves to the end of a path from the root, for a replay. `reach` is called with each node of
    /// the path, the navigator that stands there, and whether a hook now cuts off the node.
    fn replay(
        &mut self,
        path: Vec<P::Choice>,
        mut reach: impl FnMut(&mut Self, NodeRef, &mut Navigator<P>, bool),
    ) {
        let problem = self.base.tree.problem;
        let follows_path = self.base.navigator.is_some();
        let mut navigator = self.base.navigator.take().unwrap_or_else(|| Navigator::new(problem));
        let mut position = NodeRef::ROOT;
        let mut choices = path.into_iter();
        let mut is_cut = false;
        // The navigator's node must stay in the arena until it has moved.
        let mut before = mem::replace(&mut self.base.current, ROOT);
        loop {
            let Noncontiguous { tree, arena, tally, levels, .. } = &mut self.base;
            if levels.len() <= position.depth {
                levels.resize(position.depth + 1, Level::default());
            }
            if !is_cut {
                navigator.move_to(tree, arena, tally, position.id, position.depth);
                is_cut = navigator.is_cut(tree);
            }
            arena.release(before);
            reach(self, position, &mut navigator, is_cut);
            let Some(choice) = choices.next() else { break };
            position = self.base.push_child(position, choice);
            before = mem::replace(&mut self.base.current, position.id);
        }
        if follows_path {
            self.base.navigator = Some(navigator);
        } else {
            let Noncontiguous { tree, arena, tally, .. } = &mut self.base;
            navigator.leave_all(tree, arena, tally);
        }
    }

    /// Opens the nodes of a subtree.
    pub(super) fn open_subtree(
        &mut self,
        subtree: Subtree<P::Choice>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        let depth = subtree.path.len();
        // Many subtrees may be discarded one after another without entering a node.
        let room = self.base.make_room(depth, self.bytes());
        if let Err(stop) = room.and_then(|_| self.base.check_clock()) {
            self.pending.push_front(subtree);
            return Err(stop);
        }
        self.share = subtree.share();
        let depth_limit = self.base.tree.meter.depth_limit();
        let is_within_limit = depth <= depth_limit;
        let solution = subtree.solution;
        self.base.tree.truncated |= solution && !is_within_limit;
        let visits_end = solution && is_within_limit;
        let (path, mut nodes) = subtree.into_nodes();
        let (mut flow, mut has_ended) = (ControlFlow::Continue(()), false);
        self.replay(path, |walk, position, navigator, is_cut| {
            let mut node = nodes.next().unwrap_or_else(Untried::none);
            if is_cut || has_ended {
                return;
            }
            let had_children = !solution || position.depth < depth;
            if had_children && position.depth <= depth_limit {
                let ended = walk.end_on_replay(position, navigator.state(), node.barren, visit);
                if let Some(next) = ended {
                    (flow, has_ended) = (next, true);
                    return;
                }
            }
            if visits_end && position.depth == depth {
                let Noncontiguous { tree, arena, tally, levels, .. } = &mut walk.base;
                let steps = arena.path(position.id, depth);
                let path = Path::new(&steps, depth, None);
                match tree.visit_deferred(navigator.state(), path, tally, visit) {
                    Ok(next) => {
                        levels[depth].solutions += 1;
                        flow = next;
                    }
                    Err(choices) => node.choices.extend(choices),
                }
            }
            if node.barren || !node.choices.is_empty() {
                walk.reopen(position, navigator.state(), node);
            }
        });
        self.after_opening(flow)
    }

    /// Asks whether a node of a subtree still has children. If not, it is visited if it is a
    /// solution; returns whether the visitor continues.
    fn end_on_replay(
        &mut self,
        position: NodeRef,
        state: &P::State,
        barren: bool,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let Noncontiguous { tree, arena, tally, levels, .. } = &mut self.base;
        let steps = arena.path(position.id, position.depth);
        let path = Path::new(&steps, position.depth, None);
        let level = &mut levels[position.depth];
        if tree.ends_on_replay(&Node::new(tree.problem, state, path, tally))? {
            level.solutions += 1;
            return Some(tree.visit_ended(state, path, tally, barren, visit));
        }
        level.dead_ends += u64::from(barren);
        Some(ControlFlow::Continue(()))
    }

    /// Opens a node of a subtree, unless the selection does not want it.
    fn reopen(&mut self, position: NodeRef, state: &P::State, untried: Untried<P::Choice>) {
        let problem = self.base.tree.problem;
        let barren = untried.barren;
        let Some(tag) = self.selection.reopen(problem, state, self.pending.is_empty()) else {
            return;
        };
        if self.partial.is_empty() {
            self.open.restart(self.selection.level(problem, state, position.depth));
        }
        self.base.arena.retain(position.id);
        let (state, children) = (state.clone(), Some(Children::Listed(Box::new(untried.choices))));
        self.open.add_heap_bytes(problem, &state);
        self.partial.push_back(Open { position, state, children, barren, tag });
    }

    /// Keeps a node that was entered, and for which there is no memory, as a subtree.
    pub(super) fn keep_unopened(
        &mut self,
        position: NodeRef,
        state: &P::State,
        cursor: B::Cursor,
        barren: bool,
    ) {
        let repeats_open = self.selection.repeats_open();
        let Some(copy) = self.copy_choice.filter(|_| !repeats_open) else { return };
        let choices = self.base.draw(position, state, cursor);
        self.pending.extend(self.base.subtree(copy, position, choices, barren));
    }

    /// Turns the children of the node that is being expanded into a list.
    fn list_expanding(&mut self) {
        if let (Some(open), true) = (&mut self.expanding, self.copy_choice.is_some()) {
            let mut choices = match open.children.take() {
                Some(Children::Listed(choices)) => choices,
                Some(Children::Cursor(cursor)) => {
                    Box::new(self.base.draw(open.position, &open.state, cursor))
                }
                None => Box::default(),
            };
            if let Some(held) = self.base.held.take() {
                choices.push_front(held);
            }
            open.children = Some(Children::Listed(choices));
        }
    }

    /// Returns copies of all subtrees that are left, in the order of the walk, without those that
    /// are pending.
    fn copy_open(&mut self) -> VecDeque<Subtree<P::Choice>> {
        if !self.selection.repeats_open() {
            self.list_expanding();
        }
        let Some(copy) = self.copy_choice else { return VecDeque::new() };
        let mut subtrees = VecDeque::with_capacity(self.left() + 1);
        let Self { base, expanding, partial, open, selection, .. } = self;
        let repeats_open = selection.repeats_open();
        if let Some(open) = expanding.as_ref().filter(|_| !repeats_open) {
            subtrees.extend(base.copy_open(copy, open));
        }
        for open in partial {
            subtrees.extend(base.copy_open(copy, open));
        }
        selection.each_set_aside(&mut |position, state, barren| {
            let choices = base.draw_all(position, state);
            subtrees.extend(base.subtree(copy, position, choices, barren));
        });
        if !repeats_open {
            for open in open.all() {
                subtrees.extend(base.copy_open(copy, open));
            }
        }
        let share = self.share / subtrees.len() as f64;
        subtrees.iter_mut().for_each(|subtree| subtree.set_share(share));
        subtrees
    }

    /// Forgets all open nodes.
    fn clear(&mut self) {
        self.expanding = None;
        self.base.held = None;
        self.partial.clear();
        self.open.clear();
        self.selection.clear();
        self.share = 0.0;
        self.base.leave_all();
        self.base.arena.clear();
        self.base.current = ROOT;
    }

    /// Calls `visit` with the nodes of the best solutions that earlier runs have found.
    pub(super) fn revisit_best_paths(&mut self, mut visit: impl FnMut(&Node<'_, P>) -> String) {
        let Some(resume) = &mut self.base.tree.resume else { return };
        let solutions = mem::take(&mut resume.frontier.best);
        // If a panic unwinds from here, the frontier is lost with its paths.
        let stopped = self.base.tree.stopped.replace(Stop::Interrupted);
        for BestSolution { path, value } in solutions {
            let recording = self.base.tree.reads.begin();
            let depth = path.len();
            let (mut again, mut value) = (None, Some(value));
            self.replay(path, |walk, position, navigator, is_cut| {
                if position.depth == depth
                    && let Some(value) = value.take()
                {
                    let Noncontiguous { tree, arena, tally, .. } = &mut walk.base;
                    let steps = arena.path(position.id, depth);
                    let path = Path::new(&steps, depth, None);
                    let node = Node::new(tree.problem, navigator.state(), path, tally);
                    let choices = tree.revisit_best(&node, is_cut, value, &mut visit);
                    again = choices.map(|choices| (position, choices));
                }
            });
            if let (Some((position, choices)), Some(copy)) = (again, self.copy_choice) {
                self.pending.extend(self.base.subtree(copy, position, choices, false));
            }
            recording.end(&mut self.base.tree.reads);
        }
        if let Some(resume) = &mut self.base.tree.resume {
            resume.require_offered_values();
        }
        self.base.tree.stopped = stopped;
    }
}

/// Making subtrees of nodes.
impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Noncontiguous<'_, P, B, H> {
    /// Draws all children of a node.
    fn draw_all(&mut self, position: NodeRef, state: &P::State) -> VecDeque<P::Choice> {
        self.visit_again(position);
        let cursor = self.cursor(position, state);
        cursor.map_or_else(VecDeque::new, |cursor| self.draw(position, state, cursor))
    }

    /// Draws the remaining children of a node.
    fn draw(
        &mut self,
        position: NodeRef,
        state: &P::State,
        mut cursor: B::Cursor,
    ) -> VecDeque<P::Choice> {
        self.visit_again(position);
        self.at(position, state, |brancher, node| {
            std::iter::from_fn(|| brancher.next(node, &mut cursor)).collect()
        })
    }

    /// Makes a node the current one, whose own reference stays.
    fn visit_again(&mut self, position: NodeRef) {
        self.arena.retain(position.id);
        self.move_to(position);
    }

    /// Returns an open node as a subtree. None of its children has been entered, or they are
    /// listed.
    fn copy_open(
        &mut self,
        copy: CopyChoice<P::Choice>,
        open: &OpenOf<P, B>,
    ) -> Option<Subtree<P::Choice>> {
        let Open { position, state, children, barren, .. } = open;
        let choices = match children {
            Some(Children::Listed(choices)) => choices.iter().map(copy).collect(),
            _ => self.draw_all(*position, state),
        };
        self.subtree(copy, *position, choices, *barren)
    }

    /// Returns the subtree of these children of a node; `None` if nothing is left there.
    fn subtree(
        &self,
        copy: CopyChoice<P::Choice>,
        position: NodeRef,
        choices: VecDeque<P::Choice>,
        barren: bool,
    ) -> Option<Subtree<P::Choice>> {
        let path = self.arena.choices(position.id).into_iter().map(copy).collect();
        Subtree::new(path, vec![Untried { choices, barren, share: 0.0 }])
    }
}

impl<'p, P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, F: Selection<P>>
    DivisibleWalk<'p, P, B, H> for BreadthFirstWalk<'p, P, B, H, F>
{
    fn tree(&mut self) -> &mut SearchTree<'p, P, B, H> {
        &mut self.base.tree
    }

    fn own_count(&self) -> Option<Count> {
        Count::of_part(self.base.tally)
    }

    fn push_pending(&mut self, subtree: Subtree<P::Choice>) {
        self.pending.push_back(subtree);
    }

    fn extract_frontier(&mut self) -> VecDeque<Subtree<P::Choice>> {
        let rest = self.lend_frontier();
        self.clear();
        rest
    }

    fn lend_frontier(&mut self) -> VecDeque<Subtree<P::Choice>> {
        let recording = self.base.tree.reads.begin();
        let mut rest = self.copy_open();
        recording.end(&mut self.base.tree.reads);
        self.lent = self.pending.len();
        rest.append(&mut self.pending);
        rest
    }

    fn take_back(&mut self, mut rest: VecDeque<Subtree<P::Choice>>) {
        self.pending = rest.split_off(rest.len().saturating_sub(mem::take(&mut self.lent)));
    }

    fn donate(&mut self) -> VecDeque<Subtree<P::Choice>>
    where
        P::Choice: Clone,
    {
        // Threads that give away all that they have would pass one subtree to and fro forever.
        if self.expanding.is_none() {
            return VecDeque::new();
        }
        if !self.pending.is_empty() {
            return self.pending.split_off(self.pending.len() / 2);
        }
        let recording = self.base.tree.reads.begin();
        let mut donation = VecDeque::new();
        for (position, state, barren) in self.selection.take_set_aside(MAX_DONATED) {
            let choices = self.base.draw_all(position, &state);
            donation.extend(self.base.subtree(P::Choice::clone, position, choices, barren));
            self.base.arena.release(position.id);
            self.open.subtract_heap_bytes(self.base.tree.problem, &state);
        }
        recording.end(&mut self.base.tree.reads);
        if !donation.is_empty() {
            self.share /= 2.0;
            let share = self.share / donation.len() as f64;
            donation.iter_mut().for_each(|subtree| subtree.set_share(share));
        }
        donation
    }

    fn settle(&mut self) {
        let unused = mem::take(&mut self.base.fuel);
        self.base.tree.meter.take_back(unused);
        self.base.tree.meter.publish(0.0, self.base.tally.visited);
    }

    fn describe_path(&self) -> String
    where
        P::Choice: fmt::Debug,
    {
        format!("{:?}", self.base.arena.choices(self.base.current))
    }
}

/// Gives the remaining subtrees back to the frontier that they came from.
impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>, F: Selection<P>> Drop
    for BreadthFirstWalk<'_, P, B, H, F>
{
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy_problem::CopyProblem;
    use crate::diagram::DiagramProblem;
    use crate::hook::Terms;
    use crate::incumbent::Objective;
    use crate::limits::Limits;
    use crate::problem::Branch;
    use crate::search::builder::Search;
    use crate::search::meter::Meter;
    use crate::search::walk::{Divisible, Walk};

    /// A knapsack: the weights and values of items. A state is the number of decided items, the
    /// room that is left, and the value so far.
    struct Items(Vec<(u32, u64)>);

    impl CopyProblem for Items {
        type State = (usize, u32, u64);
        type Cursor = u32;
        type Choice = bool; // whether to take the item

        fn root(&self) -> Self::State {
            (0, self.0.iter().map(|item| item.0).sum::<u32>() / 2, 0)
        }

        fn branch(&self, &(decided, ..): &Self::State) -> Branch<u32> {
            if decided == self.0.len() { Branch::Solution } else { Branch::Inner(0) }
        }

        fn next(&self, &(decided, room, _): &Self::State, cursor: &mut u32) -> Option<bool> {
            *cursor += 1;
            let fits = self.0[decided].0 <= room;
            (*cursor <= 1 + u32::from(fits)).then_some(*cursor == 2)
        }

        fn apply(&self, (decided, room, so_far): Self::State, &take: &bool) -> Self::State {
            let (weight, value) = if take { self.0[decided] } else { (0, 0) };
            (decided + 1, room - weight, so_far + value)
        }
    }

    impl DiagramProblem for Items {
        fn layer(&self, state: &Self::State) -> usize {
            state.0
        }

        fn key(&self, state: &Self::State) -> impl std::hash::Hash + Eq {
            state.1
        }

        fn merge(&self, state: &mut Self::State, other: &Self::State) {
            *state = (state.0, state.1.max(other.1), state.2.max(other.2));
        }
    }

    /// Returns the paths and the untried children of subtrees, sorted.
    fn contents(subtrees: &VecDeque<Subtree<bool>>) -> Vec<(Vec<bool>, Vec<VecDeque<bool>>)> {
        let content = |subtree: &Subtree<bool>| {
            let untried = subtree.untried.iter().map(|untried| untried.choices.clone());
            (subtree.path.clone(), untried.collect())
        };
        let mut contents: Vec<_> = subtrees.iter().map(content).collect();
        contents.sort_unstable();
        contents
    }

    #[test]
    fn donations_and_the_rest_are_all_subtrees() {
        let items = Items((0..30).map(|i| (20 + i * i % 31, u64::from(25 + i * i % 37))).collect());
        let mut sizes = Vec::new();
        for nodes in (0..2_000).step_by(61) {
            let value = Objective::maximise_for(&items, |_, state: &(usize, u32, u64)| state.2);
            let search = Search::new(&items).diagrams(&value, 5);
            let Search { problem, brancher, hooks, strategy, .. } = search;
            let incumbent = Some(value.incumbent().id());
            let terms = Terms { incumbent, depth_first: false, strategy: None };
            let meter = Meter::new(Limits::new().nodes(nodes), None);
            let tree = SearchTree::new(problem, brancher, hooks, meter, terms, None);
            let mut walk = strategy.into_idle_walk(tree, <_>::default());
            walk.push_pending(Subtree::whole());
            let stop = walk.advance(|node| {
                value.incumbent().offer(value.value(&items, node.state()));
                ControlFlow::Continue(())
            });
            assert_eq!(stop, Some(Stop::NodeLimit), "after {nodes} nodes");
            let all = walk.lend_frontier();
            let expected = contents(&all);
            walk.take_back(all);
            let mut parts = walk.donate();
            sizes.push(parts.len());
            parts.append(&mut walk.extract_frontier());
            assert_eq!(contents(&parts), expected, "after {nodes} nodes");
        }
        assert!(sizes.contains(&0) && sizes.iter().any(|&size| size > 1), "{sizes:?}");
    }
}
