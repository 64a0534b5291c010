//! Extracts the unexplored part of a depth-first walk, in half or in full.
//!
//! The children of an open node can be drawn only while the walk stands at that node. The children
//! of the [prefix](super::walk::Replay) are already in a list. To draw those of the nodes that the
//! hot loop has entered, the walk climbs to the root.

use std::collections::VecDeque;
use std::iter::from_fn;

use super::walk::{DepthFirstWalk, Position, Stack, Step};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::problem::Problem;
use crate::search::frontier::subtree::{Subtree, Untried, Weights};
use crate::search::tree::Ending;

/// The cost of climbing to the root and replaying the path, in nodes per level.
const RETREAT_COST: u64 = 4;

/// Untried children of the prefix are donated only if their weight times this factor is at least
/// the weight of the work that remains in the hot loop. A smaller donation would hardly help the
/// receiver.
const PREFIX_FACTOR: f64 = 4.0;

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirstWalk<'_, P, B, H> {
    /// Donates about half of the remaining work, if there is enough of it: the last half in tree
    /// order.
    ///
    /// A donation costs as many steps as the path is long. The next one therefore waits until as
    /// many nodes have been visited, so that a deep tree with little work to donate is not climbed
    /// repeatedly.
    pub(crate) fn donate(&mut self) -> Option<Subtree<P::Choice>>
    where
        P::Choice: Clone,
    {
        let visited = self.tree.meter.visited(self.fuel);
        if visited < self.replay.next_donation {
            return None;
        }
        let Self { replay, slots, position, .. } = self;
        let weights = Weights::new(slots.iter().map(|slot| slot.level.nodes));
        let prefix = replay.prefix.len();
        // The numbers of untried children of the hot loop's nodes are unknown: one each is assumed.
        let hot_loop_weight = position
            .as_ref()
            .map(|position| (prefix..=position.depth).map(|depth| weights.of(depth)).sum::<f64>());
        let prefix_weight: f64 = replay
            .prefix
            .iter()
            .enumerate()
            .map(|(depth, node)| weights.below(depth, &node.untried))
            .sum();
        if PREFIX_FACTOR * prefix_weight >= hot_loop_weight.unwrap_or(0.0) {
            let path = |depth| Stack(slots).to_vec(depth);
            let nodes = replay.prefix.iter_mut().map(|node| &mut node.untried);
            if let Some(donation) = Subtree::divide(nodes, 0, hot_loop_weight, &weights, path) {
                replay
                    .prefix
                    .iter_mut()
                    .take(donation.path.len() + 1)
                    .for_each(|node| node.own = false);
                replay.next_donation = visited + donation.path.len() as u64;
                return Some(donation);
            }
        }
        // The hot loop can draw the children of its nodes only one by one, so the walk climbs.
        let depth = position.as_ref().map_or(prefix, |position| position.depth);
        replay.next_donation = visited + RETREAT_COST * depth as u64;
        let mut frontier = self.extract_frontier();
        let donation = frontier.front_mut().and_then(|subtree| {
            let first = subtree.first_depth();
            let Subtree { path, untried, .. } = subtree;
            let path = |depth| path[..depth].to_vec();
            Subtree::divide(untried.iter_mut(), first, None, &weights, path)
        });
        self.replay.pending = frontier;
        donation
    }

    /// Reports the share of the tree that is done. To compute it, the walk climbs to the root; its
    /// path is replayed afterwards.
    pub(crate) fn report_fraction(&mut self) {
        let depth =
            self.position.as_ref().map_or(self.replay.prefix.len(), |position| position.depth);
        let frontier = self.extract_frontier();
        self.replay.pending = frontier;
        // `whole` is 0 if the frontier's share of the tree is below the smallest positive `f64`.
        let fraction = if self.whole > 0.0 { self.done / self.whole } else { 0.0 };
        // The replay counts as a walk of its own: a hook that reads the incumbent on entering may
        // see another value than before.
        self.tree.walks += 1;
        let solutions = self.tally.visited;
        self.tree.meter.report_fraction(fraction, self.fuel, solutions, depth);
    }

    /// Leaves all nodes and returns the subtrees that are still to be searched, in tree order. This
    /// walk does not search them unless the caller makes them pending again.
    pub(crate) fn extract_frontier(&mut self) -> VecDeque<Subtree<P::Choice>> {
        // While children are drawn, the brancher may read an incumbent to leave some of them out.
        let recording = self.tree.reads.begin();
        let frontier = self.retreat_to_root();
        recording.end(&mut self.tree.reads);
        frontier
    }

    fn retreat_to_root(&mut self) -> VecDeque<Subtree<P::Choice>> {
        // Both lists are filled from the deepest node up.
        let mut path = VecDeque::new();
        let mut untried = VecDeque::new();
        if let Some(position) = self.position.take() {
            self.retreat(position, &mut path, &mut untried);
        }
        while let Some(mut state) = self.replay.state.take() {
            let Some(node) = self.replay.prefix.pop() else { break };
            let depth = self.replay.prefix.len();
            untried.push_front(node.untried);
            self.leave(&state, depth, Ending::Unfinished(&node.pruned));
            if let Step::Replayed { choice, undo } = self.slots[depth].step.take() {
                self.tree.problem.undo(&mut state, &choice, undo);
                path.push_front(choice);
                self.replay.state = Some(state);
            }
        }
        let mut frontier = std::mem::take(&mut self.replay.pending);
        if std::mem::take(&mut self.replay.unvisited_solution) {
            frontier.push_front(Subtree {
                path: path.into(),
                untried: untried.into(),
                solution: true,
            });
        } else if let Some(subtree) = Subtree::new(path.into(), untried.into()) {
            frontier.push_front(subtree);
        }
        frontier
    }

    /// Leaves the nodes of the hot loop, and draws the remaining children of each.
    fn retreat(
        &mut self,
        position: Position<P, B>,
        path: &mut VecDeque<P::Choice>,
        untried: &mut VecDeque<Untried<P::Choice>>,
    ) {
        let Position { mut state, mut depth, mut cursor, mut barren } = position;
        debug_assert!(untried.is_empty());
        let mut drawn_choice = self.held.take();
        loop {
            let Self { tree, slots, cursors, tally, .. } = self;
            let mut drawn_from = cursor.take().or_else(|| cursors[depth].take());
            let stack = Stack(slots);
            let node = Node::new(tree.problem, &state, Path::new(&stack, depth, None), tally);
            let mut choices: VecDeque<P::Choice> = drawn_choice.take().into_iter().collect();
            choices.extend(from_fn(|| tree.brancher.next(&node, drawn_from.as_mut()?)));
            untried.push_front(Untried { choices, barren, share: 0.0 });
            self.leave(&state, depth, Ending::Unfinished(&[]));
            let (choice, undo, is_own) = match self.slots[depth].step.take() {
                Step::Frame { cursor: parent, choice, undo } => {
                    cursor = Some(parent);
                    (choice, undo, true)
                }
                Step::Placed { choice, undo } => (choice, undo, true),
                Step::Replayed { choice, undo } => (choice, undo, false),
                Step::None => break,
            };
            self.tree.problem.undo(&mut state, &choice, undo);
            path.push_front(choice);
            if !is_own {
                self.replay.state = Some(state);
                break;
            }
            barren = false;
            depth -= 1;
        }
        self.distribute_share(untried);
    }

    /// Divides the share of the node where the hot loop began among the subtrees that are left
    /// below it. At each node, every untried child and the child on the path get the same share.
    fn distribute_share(&mut self, nodes: &mut VecDeque<Untried<P::Choice>>) {
        let mut share = self.share;
        let deepest = nodes.len().saturating_sub(1);
        for (place, node) in nodes.iter_mut().enumerate() {
            let children = node.choices.len() + usize::from(place < deepest);
            if children == 0 {
                self.done += share;
            } else {
                share /= children as f64;
            }
            node.share = share;
        }
    }
}
