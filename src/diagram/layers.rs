//! The layers of a diagram that is compiled from the top: [`Layers`].

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::mem;

use rustc_hash::FxHasher;

use super::DiagramProblem;
use crate::incumbent::Direction;
use crate::problem::Branch;

/// A node of a layer: a state with its value so far.
#[derive(Clone, Debug)]
pub(super) struct LayerNode<S, V> {
    pub(super) state: S,
    pub(super) value: V,
}

/// The nodes of a diagram that are not expanded yet, by layer.
///
/// Nodes are united and merged when their layer is [expanded](Self::expand). Until then a layer has
/// at most as many nodes as there are choices that lead to it.
#[derive(Debug)]
pub(super) struct Layers<S, V> {
    /// The layers, from that of the root of the diagram on.
    layers: Vec<Vec<LayerNode<S, V>>>,
    /// The number of the first element of `layers`.
    first: usize,
    /// The index in `layers` of the layer that is expanded next.
    next: usize,
    buffers: Buffers<V>,
}

/// Memory that is used while a layer is reduced.
#[derive(Debug)]
struct Buffers<V> {
    /// A hash table of the distinct states: their indices in the layer, or [`VACANT`].
    slots: Vec<u32>,
    /// The value, the rank and the index of each node.
    ranking: Vec<(V, u64, u32)>,
    /// Whether each node is kept.
    kept: Vec<bool>,
}

const VACANT: u32 = u32::MAX;

impl<S, V> Layers<S, V> {
    pub(super) fn new() -> Self {
        let buffers = Buffers { slots: Vec::new(), ranking: Vec::new(), kept: Vec::new() };
        Layers { layers: Vec::new(), first: 0, next: 0, buffers }
    }

    /// Removes all nodes, and adds `root` to `layer`, which becomes the first layer.
    pub(super) fn start(&mut self, layer: usize, root: LayerNode<S, V>) {
        self.layers.iter_mut().for_each(Vec::clear);
        (self.first, self.next) = (layer, 0);
        self.push(layer, root);
    }

    /// Adds a node to a layer, or to the next one to be expanded if that is later.
    fn push(&mut self, layer: usize, node: LayerNode<S, V>) {
        let index = layer.saturating_sub(self.first).max(self.next);
        if index >= self.layers.len() {
            self.layers.resize_with(index + 1, Vec::new);
        }
        self.layers[index].push(node);
    }

    /// Moves to the next layer that has nodes. Returns whether there is one.
    pub(super) fn has_next(&mut self) -> bool {
        while self.layers.get(self.next).is_some_and(Vec::is_empty) {
            self.next += 1;
        }
        self.next < self.layers.len()
    }

    /// Reduces the next layer to `width` nodes, which is at least 1, and replaces them by their
    /// children. Only called if the layer [has nodes](Self::has_next).
    ///
    /// `value` returns the value so far of a child, or `None` if the child is not wanted. Returns
    /// the best value of the layer's solutions.
    pub(super) fn expand<P>(
        &mut self,
        problem: &P,
        direction: Direction,
        width: usize,
        mut value: impl FnMut(&S) -> Option<V>,
    ) -> Option<V>
    where
        P: DiagramProblem<State = S>,
        V: Ord + Clone,
    {
        let index = self.next;
        let mut nodes = mem::take(&mut self.layers[index]);
        self.next += 1;
        self.buffers.unite(problem, direction, &mut nodes);
        if nodes.len() > width {
            self.buffers.merge(problem, direction, &mut nodes, width - 1);
        }
        let mut best = None;
        for mut node in nodes.drain(..) {
            let state = &mut node.state;
            let branch = problem.branch(state);
            let is_solution = branch.is_solution();
            if let Branch::Inner(mut cursor) | Branch::SolutionInner(mut cursor) = branch {
                while let Some(choice) = problem.next(state, &mut cursor) {
                    let undo = problem.apply(state, &choice);
                    if let Some(value) = value(state) {
                        let child = LayerNode { state: state.clone(), value };
                        self.push(problem.layer(state), child);
                    }
                    problem.undo(state, &choice, undo);
                }
            }
            if is_solution {
                best = better(direction, best, Some(node.value));
            }
        }
        // The memory is used again by the next diagram.
        self.layers[index] = nodes;
        best
    }
}

/// Returns the better one of two values, if there is any.
pub(super) fn better<V: Ord>(direction: Direction, one: Option<V>, other: Option<V>) -> Option<V> {
    match (one, other) {
        (Some(one), Some(other)) if direction.is_better(&other, &one) => Some(other),
        (None, other) => other,
        (one, _) => one,
    }
}

impl<V: Ord + Clone> Buffers<V> {
    /// Keeps one node of the best value of those with equal keys, in the order of the first nodes
    /// of each key. Takes linear time.
    fn unite<P: DiagramProblem>(
        &mut self,
        problem: &P,
        direction: Direction,
        layer: &mut Vec<LayerNode<P::State, V>>,
    ) {
        if layer.len() < 2 {
            return;
        }
        let size = (2 * layer.len()).next_power_of_two();
        self.slots.clear();
        self.slots.resize(size, VACANT);
        let mut distinct = 0;
        for index in 0..layer.len() {
            let key = problem.key(&layer[index].state);
            let mut hasher = FxHasher::default();
            key.hash(&mut hasher);
            #[allow(clippy::cast_possible_truncation, reason = "only the low bits are used")]
            let mut slot = hasher.finish() as usize & (size - 1);
            let known = loop {
                match self.slots[slot] {
                    VACANT => break None,
                    known if problem.key(&layer[known as usize].state) == key => break Some(known),
                    _ => slot = (slot + 1) & (size - 1),
                }
            };
            drop(key);
            match known {
                Some(known) => {
                    if direction.is_better(&layer[index].value, &layer[known as usize].value) {
                        layer.swap(index, known as usize);
                    }
                }
                None => {
                    #[allow(clippy::cast_possible_truncation, reason = "memory ends before")]
                    let place = distinct as u32;
                    self.slots[slot] = place;
                    layer.swap(index, distinct);
                    distinct += 1;
                }
            }
        }
        layer.truncate(distinct);
    }

    /// Merges all nodes but the `keep` most promising ones, which stay in their order. The merged
    /// node comes last. Takes linear time on average, and one comparison of keys for each kept
    /// node.
    fn merge<P: DiagramProblem>(
        &mut self,
        problem: &P,
        direction: Direction,
        layer: &mut Vec<LayerNode<P::State, V>>,
        keep: usize,
    ) {
        self.mark_kept(problem, direction, layer, keep);
        // Behind the kept nodes, the first of the others is merged with the rest.
        let mut end = 0;
        for index in 0..layer.len() {
            if self.kept[index] {
                layer.swap(index, end);
                end += 1;
            }
        }
        let (kept, others) = layer.split_at_mut(end);
        let Some((merged, others)) = others.split_first_mut() else { return };
        for other in others {
            problem.merge(&mut merged.state, &other.state);
            if direction.is_better(&other.value, &merged.value) {
                mem::swap(&mut merged.value, &mut other.value);
            }
        }
        let key = problem.key(&merged.state);
        let equal = kept.iter().position(|node| problem.key(&node.state) == key);
        drop(key);
        if let Some(equal) = equal {
            if direction.is_better(&merged.value, &kept[equal].value) {
                mem::swap(&mut kept[equal], merged);
            }
            layer.truncate(end);
        } else {
            layer.truncate(end + 1);
        }
    }

    /// Marks the `keep` most promising nodes: those of the best values, then of the highest ranks,
    /// then the first ones.
    fn mark_kept<P: DiagramProblem>(
        &mut self,
        problem: &P,
        direction: Direction,
        layer: &[LayerNode<P::State, V>],
        keep: usize,
    ) {
        self.ranking.clear();
        self.ranking.extend(
            (0..)
                .zip(layer)
                .map(|(index, node)| (node.value.clone(), problem.rank(&node.state), index)),
        );
        self.kept.clear();
        self.kept.resize(layer.len(), false);
        let order = |one: &(V, u64, u32), other: &(V, u64, u32)| -> Ordering {
            let values = match direction {
                Direction::Maximise => other.0.cmp(&one.0),
                Direction::Minimise => one.0.cmp(&other.0),
            };
            values.then(other.1.cmp(&one.1)).then(one.2.cmp(&other.2))
        };
        // The order is total, so that the same nodes are kept with any algorithm.
        self.ranking.select_nth_unstable_by(keep, order);
        for &(_, _, index) in &self.ranking[..keep] {
            self.kept[index as usize] = true;
        }
    }
}
