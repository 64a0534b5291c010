//! Bounds of many nodes from one relaxed diagram: [`LocalBounds`].

use std::ops::Range;

use super::layers::{LayerNode, Layers, Place, Record, better};
use super::{AdditiveValue, DiagramProblem};
use crate::incumbent::Direction;
use crate::limits::Stop;

/// The arcs of a relaxed diagram with several roots, from which the bound of each root is computed
/// (Gillard, Coppé, Schaus and Cire 2021: *local bounds*).
///
/// The best value of a solution through a node is computed from below: the value of the best
/// solution below a child, less what the child would lose if it had only been reached from this
/// node.
#[derive(Debug)]
pub(crate) struct LocalBounds<S, V> {
    layers: Layers<S, V>,
    arcs: Arcs<V>,
    /// The places of the roots, or the bounds of those that are not wanted.
    roots: Vec<Result<Place, V>>,
    /// The bytes in use after the last diagram.
    pub(crate) bytes: usize,
}

/// The recorded layers.
#[derive(Debug)]
struct Arcs<V> {
    /// The indices of the layers, in the order in which they were expanded.
    order: Vec<usize>,
    /// By layer, the nodes before the layer was reduced: their values, and their indices after it.
    arrived: Vec<Vec<(V, u32)>>,
    /// By layer, its nodes after it was reduced.
    nodes: Vec<Vec<RecordedNode<V>>>,
    /// The children of all nodes, in the order in which the nodes were expanded.
    children: Vec<Place>,
    /// The start of the children of the next node.
    begun: usize,
    /// The best bound of a child of the next node that was not added.
    pruned: Option<V>,
}

/// A node of a reduced layer.
#[derive(Debug)]
struct RecordedNode<V> {
    value: V,
    /// The best one of its value, if it is a solution, and the bounds of children that were not
    /// added.
    own: Option<V>,
    /// The range of its children in [`Arcs::children`].
    children: Range<usize>,
    /// The best value of a solution through the node, as soon as it is known.
    through: Option<V>,
}

impl<V: Ord + Clone> Record<V> for Arcs<V> {
    fn arrive<S>(&mut self, layer: usize, nodes: &[LayerNode<S, V>]) {
        if self.arrived.len() <= layer {
            self.arrived.resize_with(layer + 1, Vec::new);
            self.nodes.resize_with(layer + 1, Vec::new);
        }
        self.order.push(layer);
        self.arrived[layer].extend(nodes.iter().map(|node| (node.value.clone(), 0)));
    }

    fn reduce(&mut self, layer: usize, places: &[u32]) {
        for (arrived, &place) in self.arrived[layer].iter_mut().zip(places) {
            arrived.1 = place;
        }
    }

    fn add(&mut self, child: Place) {
        self.children.push(child);
    }

    fn prune(&mut self, direction: Direction, bound: V) {
        self.pruned = better(direction, self.pruned.take(), Some(bound));
    }

    fn end(&mut self, layer: usize, direction: Direction, value: &V, is_solution: bool) {
        let children = self.begun..self.children.len();
        self.begun = children.end;
        let solution = is_solution.then(|| value.clone());
        let own = better(direction, self.pruned.take(), solution);
        let node = RecordedNode { value: value.clone(), own, children, through: None };
        self.nodes[layer].push(node);
    }
}

impl<V: AdditiveValue> Arcs<V> {
    fn clear(&mut self) {
        self.order.clear();
        self.arrived.iter_mut().for_each(Vec::clear);
        self.nodes.iter_mut().for_each(Vec::clear);
        self.children.clear();
        self.begun = 0;
    }

    /// Returns the best value of a solution through a node that has arrived at this place, if there
    /// is one. Its layer must be computed already.
    fn through(&self, place: Place) -> Option<V> {
        let (value, node) = &self.arrived[place.layer][place.index];
        let node = &self.nodes[place.layer][*node as usize];
        let through = node.through.as_ref()?;
        // If the difference is not representable, the value through the node is a weaker bound.
        Some(through.moved(&node.value, value).unwrap_or_else(|| through.clone()))
    }

    /// Computes the best values of solutions through all nodes.
    fn compute(&mut self, direction: Direction) {
        for &layer in self.order.iter().rev() {
            for index in 0..self.nodes[layer].len() {
                // All children are in layers that were expanded later.
                let node = &self.nodes[layer][index];
                let mut best = node.own.clone();
                for &child in &self.children[node.children.clone()] {
                    best = better(direction, best, self.through(child));
                }
                self.nodes[layer][index].through = best;
            }
        }
    }
}

impl<S, V: AdditiveValue> LocalBounds<S, V> {
    pub(crate) fn new() -> Self {
        let (order, arrived, nodes, children) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let arcs = Arcs { order, arrived, nodes, children, begun: 0, pruned: None };
        LocalBounds { layers: Layers::new(), arcs, roots: Vec::new(), bytes: 0 }
    }

    /// Returns the number of arcs of the last diagram.
    pub(crate) fn arcs(&self) -> usize {
        self.arcs.children.len()
    }

    /// Returns the bytes of all layers and arcs.
    fn count_bytes(&self) -> usize {
        let Arcs { arrived, nodes, children, .. } = &self.arcs;
        let arrived: usize = arrived.iter().map(Vec::capacity).sum();
        let nodes: usize = nodes.iter().map(Vec::capacity).sum();
        self.layers.bytes()
            + arrived * size_of::<(V, u32)>()
            + nodes * size_of::<RecordedNode<V>>()
            + children.capacity() * size_of::<Place>()
            + self.roots.capacity() * size_of::<Result<Place, V>>()
    }

    /// Compiles a relaxed diagram of the given width whose roots are `roots`, which is not empty.
    /// Returns an optimistic value of all solutions at or below each root, in order: `None` if
    /// there is none.
    ///
    /// `value` returns the value so far of a state, or, as an error, its bound if that shows that
    /// no solution at or below it is wanted. `check` is called before each layer.
    ///
    /// # Errors
    ///
    /// Returns the first error of `check`.
    pub(crate) fn compile<'r, P: DiagramProblem<State = S>>(
        &mut self,
        problem: &P,
        direction: Direction,
        width: usize,
        roots: impl Iterator<Item = &'r S>,
        mut value: impl FnMut(&S) -> Result<V, V>,
        mut check: impl FnMut() -> Result<(), Stop>,
    ) -> Result<impl Iterator<Item = Option<V>>, Stop>
    where
        S: 'r,
    {
        self.layers.start();
        self.arcs.clear();
        self.roots.clear();
        for root in roots {
            let place = value(root).map(|value| {
                let node = LayerNode { state: root.clone(), value };
                self.layers.push(problem.layer(root), node)
            });
            self.roots.push(place);
        }
        while self.layers.has_next() {
            check()?;
            self.layers.expand(problem, direction, width, &mut value, &mut self.arcs);
        }
        self.arcs.compute(direction);
        self.bytes = self.count_bytes();
        Ok(self.roots.iter().map(|root| match root {
            Ok(place) => self.arcs.through(*place),
            Err(bound) => Some(bound.clone()),
        }))
    }
}
