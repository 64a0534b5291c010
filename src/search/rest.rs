//! What is left of a depth-first walk: taken away from it, half or all, or looked at.
//!
//! The children of an open node can be drawn only where the walk stands at that node. Those of the
//! [stem](super::lead) have been drawn; to know those of the hot loop's nodes, the walk is taken
//! down to the root.

use std::collections::VecDeque;

use super::kernel::{DepthFirstWalk, Position, Stack, Step};
use super::subtree::{Subtree, Untried, Weights};
use super::tree::Ending;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::problem::Problem;

/// To step back to the root, and to be led again to where it stood, takes the walk as long as so
/// many nodes for each of the path.
const RETREAT: u64 = 4;

/// If so many times what is untried along the stem is less than what is below it, that is hardly
/// worth giving away.
const HARDLY: f64 = 4.0;

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirstWalk<'_, P, B, H> {
    /// Gives away about half of what is left to do, if there is enough of it: the last of it in the
    /// order of the tree.
    ///
    /// It costs as many steps as the path is long, and so it is not done before as many nodes have
    /// been visited since the last time: a deep tree that has little to give is not climbed again
    /// and again.
    pub(super) fn give_away(&mut self) -> Option<Subtree<P::Choice>>
    where
        P::Choice: Clone,
    {
        let visited = self.tree.meter.visited(self.fuel);
        if visited < self.led.keeps_until {
            return None;
        }
        let Self { led, slots, position, .. } = self;
        let weights = Weights::new(slots.iter().map(|slot| slot.level.nodes));
        let stem = led.stem.len();
        // Of the nodes of the hot loop, it is not known how many untried children they have: one
        // each, say.
        let busy = position
            .as_ref()
            .map(|position| (stem..=position.depth).map(|depth| weights.of(depth)).sum::<f64>());
        let open: f64 = led
            .stem
            .iter()
            .enumerate()
            .map(|(depth, node)| weights.below(depth, &node.untried))
            .sum();
        if HARDLY * open >= busy.unwrap_or(0.0) {
            let path = |depth| Stack(slots).to_vec(depth);
            let nodes = led.stem.iter_mut().map(|node| &mut node.untried);
            if let Some(given) = Subtree::divide(nodes, busy, &weights, path) {
                led.stem.iter_mut().take(given.path.len() + 1).for_each(|node| node.own = false);
                led.keeps_until = visited + given.path.len() as u64;
                return Some(given);
            }
        }
        // The hot loop knows only how to draw the children of its nodes one by one.
        let depth = position.as_ref().map_or(stem, |position| position.depth);
        led.keeps_until = visited + RETREAT * depth as u64;
        let mut rest = self.take_rest();
        let given = rest.front_mut().and_then(|Subtree { path, untried, .. }| {
            Subtree::divide(untried.iter_mut(), None, &weights, |depth| path[..depth].to_vec())
        });
        self.led.waiting = rest;
        given
    }

    /// Reports what share of the tree is done. To know, the walk steps back to the root, and is led
    /// again to where it stood.
    pub(super) fn report_fraction(&mut self) {
        let depth = self.position.as_ref().map_or(self.led.stem.len(), |position| position.depth);
        let rest = self.take_rest();
        self.led.waiting = rest;
        // Shares below what a number can hold are 0.
        let fraction = if self.whole > 0.0 { self.done / self.whole } else { 0.0 };
        // A hook that reads the incumbent on entering may find another one when it enters again.
        self.tree.walks += 1;
        let solutions = self.tally.visited;
        self.tree.meter.report_fraction(fraction, self.fuel, solutions, depth);
    }

    /// Leaves all nodes, and takes away what is still to be searched: in the order of the tree, and
    /// not to be searched by this walk, unless it is added again.
    pub(super) fn take_rest(&mut self) -> VecDeque<Subtree<P::Choice>> {
        // From the deepest node up.
        let mut path = VecDeque::new();
        let mut untried = VecDeque::new();
        if let Some(position) = self.position.take() {
            self.retreat(position, &mut path, &mut untried);
        }
        while let Some(mut state) = self.led.state.take() {
            let Some(node) = self.led.stem.pop() else { break };
            let depth = self.led.stem.len();
            untried.push_front(node.untried);
            self.leave(&state, depth, Ending::Unfinished(&node.pruned));
            if let Step::Led { choice, undo } = self.slots[depth].step.take() {
                self.tree.problem.undo(&mut state, &choice, undo);
                path.push_front(choice);
                self.led.state = Some(state);
            }
        }
        let mut rest = std::mem::take(&mut self.led.waiting);
        if std::mem::take(&mut self.led.unvisited) {
            rest.push_front(Subtree { path: path.into(), untried: untried.into(), solution: true });
        } else if let Some(subtree) = Subtree::new(path.into(), untried.into()) {
            rest.push_front(subtree);
        }
        rest
    }

    /// Leaves the nodes of the hot loop, and draws the children that are left of each.
    fn retreat(
        &mut self,
        position: Position<P, B>,
        path: &mut VecDeque<P::Choice>,
        untried: &mut VecDeque<Untried<P::Choice>>,
    ) {
        let Position { mut state, mut depth, mut cursor, mut barren } = position;
        debug_assert!(untried.is_empty());
        let mut held = self.held.take();
        loop {
            let Self { tree, slots, tally, .. } = self;
            let stack = Stack(slots);
            let node = Node::new(tree.problem, &state, Path::new(&stack, depth, None), tally);
            let mut choices: VecDeque<P::Choice> = held.take().into_iter().collect();
            while let Some(choice) = tree.brancher.next(&node, &mut cursor) {
                choices.push_back(choice);
            }
            untried.push_front(Untried { choices, barren, share: 0.0 });
            self.leave(&state, depth, Ending::Unfinished(&[]));
            match self.slots[depth].step.take() {
                Step::Frame(frame) => {
                    self.tree.problem.undo(&mut state, &frame.choice, frame.undo);
                    path.push_front(frame.choice);
                    (cursor, barren) = (frame.cursor, false);
                    depth -= 1;
                }
                Step::Led { choice, undo } => {
                    self.tree.problem.undo(&mut state, &choice, undo);
                    path.push_front(choice);
                    self.led.state = Some(state);
                    break;
                }
                Step::None => break,
            }
        }
        self.share_out(untried);
    }

    /// Divides the share of the node where the hot loop began among what is left below it: at each
    /// node, the children that are untried and the one on the path count the same.
    fn share_out(&mut self, nodes: &mut VecDeque<Untried<P::Choice>>) {
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
