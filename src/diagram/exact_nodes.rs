//! The nodes of a diagram from its root to its cut-set: [`ExactNodes`].

use std::cmp::Reverse;

use super::AdditiveValue;
use super::layers::sort_in_steps;
use crate::incumbent::Direction;

/// A node above the cut-set of a diagram, or in it.
#[derive(Debug)]
struct ExactNode<S, V> {
    parent: Option<u32>,
    layer: usize,
    /// As the layer, but greater than that of the parent, even if the layer of the problem is too
    /// early.
    depth: usize,
    value: V,
    /// The state, when the node has been expanded.
    state: Option<S>,
    /// The best one of the solutions at the node and its children, and of the bounds of children
    /// that were not opened.
    best: Option<V>,
    /// The threshold of the state so far; `None` means that no value is good enough.
    threshold: Option<V>,
    /// The node with an equal state in favour of which this one was dropped.
    twin: Option<u32>,
}

/// The nodes of a diagram from its root to its cut-set, and what they imply for the
/// [thresholds](super::thresholds) of their states. A node has the tag that is its index.
#[derive(Debug)]
pub(crate) struct ExactNodes<S, V> {
    direction: Direction,
    nodes: Vec<ExactNode<S, V>>,
    /// The bytes that the states own.
    heap_bytes: usize,
}

impl<S, V: AdditiveValue> ExactNodes<S, V> {
    pub(crate) fn new(direction: Direction) -> Self {
        ExactNodes { direction, nodes: Vec::new(), heap_bytes: 0 }
    }

    /// Returns the bytes that the nodes use.
    pub(crate) fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<ExactNode<S, V>>();
        nodes.saturating_add(self.heap_bytes)
    }

    /// Adds a node, and returns its tag; `best` is its value if it is a solution.
    pub(crate) fn add(
        &mut self,
        parent: Option<u32>,
        layer: usize,
        value: V,
        best: Option<V>,
    ) -> u32 {
        #[allow(clippy::cast_possible_truncation, reason = "as many as open nodes")]
        let tag = self.nodes.len() as u32;
        let (state, threshold, twin) = (None, None, None);
        let below = |parent: u32| self.nodes[parent as usize].depth + 1;
        // The greatest number of a layer leaves no room for the depths below it.
        let depth = layer.min(usize::MAX / 2);
        let depth = parent.map_or(depth, |parent| depth.max(below(parent)));
        self.nodes.push(ExactNode { parent, layer, depth, value, state, best, threshold, twin });
        tag
    }

    /// Records a solution, or the bound of a child that was not opened.
    pub(crate) fn prune(&mut self, parent: u32, bound: V) {
        let best = &mut self.nodes[parent as usize].best;
        if best.as_ref().is_none_or(|best| self.direction.is_better(&bound, best)) {
            *best = Some(bound);
        }
    }

    /// Lowers the threshold of a node: of a `value` that leads to it, `threshold` is good enough to
    /// lead to nothing better.
    pub(crate) fn lower(&mut self, node: u32, value: &V, threshold: &V) {
        let node = &mut self.nodes[node as usize];
        // If the difference is not representable, the value itself is a lower threshold.
        let own = node.value.moved(value, threshold).unwrap_or_else(|| node.value.clone());
        if node.threshold.as_ref().is_none_or(|known| self.direction.is_better(known, &own)) {
            node.threshold = Some(own);
        }
    }

    /// Removes all nodes.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.heap_bytes = 0;
    }

    /// Stores the state of a node, which owns `heap_bytes` bytes.
    pub(crate) fn keep_state(&mut self, node: u32, state: S, heap_bytes: usize) {
        self.nodes[node as usize].state = Some(state);
        self.heap_bytes = self.heap_bytes.saturating_add(heap_bytes);
    }

    /// Records in favour of which node, with an equal state, a node was dropped.
    pub(crate) fn unite(&mut self, dropped: u32, twin: u32) {
        self.nodes[dropped as usize].twin = Some(twin);
        // The twin comes before it; neither has children yet.
        let depth = self.nodes[dropped as usize].depth;
        let twin = &mut self.nodes[twin as usize];
        twin.depth = twin.depth.max(depth);
    }

    /// Computes the thresholds of all nodes from below, calls `learn` with each state and its
    /// threshold, and removes the nodes. `incumbent` is the best value so far, if there is one.
    ///
    /// # Errors
    ///
    /// Returns the first error of `check`, which is called before each step. Then only a part of
    /// the thresholds is learnt.
    pub(crate) fn finish<E>(
        &mut self,
        incumbent: Option<&V>,
        mut check: impl FnMut() -> Result<(), E>,
        mut learn: impl FnMut(usize, S, V),
    ) -> Result<(), E> {
        let direction = self.direction;
        let mut order: Vec<u32> = (0..).take(self.nodes.len()).collect();
        // Children and thresholds of twins come before the nodes that depend on them.
        let place = |index: u32| {
            let ExactNode { depth, twin, .. } = &self.nodes[index as usize];
            (Reverse(*depth), twin.is_some(), index)
        };
        let by_place = |&one: &u32, &other: &u32| place(one).cmp(&place(other));
        sort_in_steps(&mut order, &by_place, &mut check)?;
        for &index in &order {
            check()?;
            let node = &self.nodes[index as usize];
            let value = node.value.clone();
            if let Some(best) = node.best.clone() {
                let incumbent = incumbent.filter(|known| !direction.is_better(&best, known));
                self.lower(index, &best, &incumbent.cloned().unwrap_or_else(|| best.clone()));
            }
            let twin = self.nodes[index as usize].twin;
            let known = &self.nodes[twin.unwrap_or(index) as usize].threshold;
            let (parent, known) = (self.nodes[index as usize].parent, known.clone());
            if let (Some(parent), Some(threshold)) = (parent, known) {
                self.lower(parent, &value, &threshold);
            }
        }
        self.heap_bytes = 0;
        for node in self.nodes.drain(..) {
            check()?;
            if let (Some(state), None) = (node.state, node.twin) {
                learn(node.layer, state, node.threshold.unwrap_or(node.value));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Returns the thresholds of the nodes below which nothing was dropped, in the order of their
    /// tags.
    fn thresholds(mut nodes: ExactNodes<u32, i64>, incumbent: i64) -> Vec<(u32, i64)> {
        for tag in 0..nodes.nodes.len() as u32 {
            nodes.keep_state(tag, tag, 0);
        }
        let mut learnt = Vec::new();
        let check = || Ok::<_, Infallible>(());
        let learn = |_, state, threshold| learnt.push((state, threshold));
        let Ok(()) = nodes.finish(Some(&incumbent), check, learn);
        learnt
    }

    #[test]
    fn a_node_takes_over_the_threshold_of_its_twin_whichever_comes_first() {
        for twin_is_first in [false, true] {
            let mut nodes = ExactNodes::new(Direction::Maximise);
            let parent = nodes.add(None, 0, 0, None);
            let other_parent = nodes.add(None, 0, 0, None);
            let [first, second] = match twin_is_first {
                true => [(other_parent, 2), (parent, 1)],
                false => [(parent, 1), (other_parent, 2)],
            };
            let [first, second] =
                [first, second].map(|(parent, value)| nodes.add(Some(parent), 1, value, None));
            let (dropped, twin) = if twin_is_first { (second, first) } else { (first, second) };
            nodes.unite(dropped, twin);
            // A bound of 5 below the twin, and a solution of -4 below the parent.
            nodes.prune(twin, 5);
            nodes.prune(parent, -4);
            // From the parent with a value of 2, a solution of 6 may be reached through the state
            // of the twin.
            let expected = [(parent, 1), (other_parent, 0), (twin, 2)];
            assert_eq!(thresholds(nodes, 5), expected);
        }
    }
}
