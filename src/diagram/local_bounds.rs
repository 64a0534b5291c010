//! Bounds of many nodes from one relaxed diagram: [`LocalBounds`].

use std::ops::Range;

use super::layers::{LayerNode, Layers, Place, Record, better};
use super::{AdditiveValue, DiagramProblem};
use crate::incumbent::Direction;
use crate::limits::Stop;
use crate::memory::Budget;

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
    /// The bytes in use: those of the layers, the arcs, and what states own.
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

/// Records the arcs of a diagram within a budget of memory. `check` may interrupt it.
struct Recorder<'a, V, C> {
    arcs: &'a mut Arcs<V>,
    budget: Budget,
    check: C,
}

impl<V: Ord + Clone, C: FnMut() -> Result<(), Stop>> Record<V> for Recorder<'_, V, C> {
    type Error = Stop;

    #[inline]
    fn check(&mut self) -> Result<(), Stop> {
        (self.check)()
    }

    #[inline]
    fn resize(&mut self, from: usize, to: usize) -> Result<(), Stop> {
        self.budget.resize(from, to)
    }

    #[inline]
    fn reserve<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), Stop> {
        self.budget.reserve(items, more)
    }

    fn arrive<S>(&mut self, layer: usize, nodes: &[LayerNode<S, V>]) -> Result<(), Stop> {
        let Recorder { arcs: Arcs { order, arrived, nodes: reduced, .. }, budget, .. } = self;
        if arrived.len() <= layer {
            let more = layer + 1 - arrived.len();
            budget.reserve(arrived, more)?;
            budget.reserve(reduced, more)?;
            arrived.resize_with(layer + 1, Vec::new);
            reduced.resize_with(layer + 1, Vec::new);
        }
        budget.reserve(order, 1)?;
        order.push(layer);
        let arrived = &mut arrived[layer];
        budget.reserve(arrived, nodes.len())?;
        arrived.extend(nodes.iter().map(|node| (node.value.clone(), 0)));
        Ok(())
    }

    fn reduce(&mut self, layer: usize, places: &[u32]) {
        for (arrived, &place) in self.arcs.arrived[layer].iter_mut().zip(places) {
            arrived.1 = place;
        }
    }

    #[inline]
    fn add(&mut self, child: Place) -> Result<(), Stop> {
        self.budget.reserve(&mut self.arcs.children, 1)?;
        self.arcs.children.push(child);
        Ok(())
    }

    fn prune(&mut self, direction: Direction, bound: V) {
        self.arcs.pruned = better(direction, self.arcs.pruned.take(), Some(bound));
    }

    fn end(
        &mut self,
        layer: usize,
        direction: Direction,
        value: &V,
        is_solution: bool,
    ) -> Result<(), Stop> {
        let arcs = &mut *self.arcs;
        let children = arcs.begun..arcs.children.len();
        arcs.begun = children.end;
        let solution = is_solution.then(|| value.clone());
        let own = better(direction, arcs.pruned.take(), solution);
        let node = RecordedNode { value: value.clone(), own, children, through: None };
        self.budget.reserve(&mut arcs.nodes[layer], 1)?;
        arcs.nodes[layer].push(node);
        Ok(())
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

    /// Computes the best values of solutions through all nodes. `check` is called before each.
    fn compute(
        &mut self,
        direction: Direction,
        mut check: impl FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for &layer in self.order.iter().rev() {
            for index in 0..self.nodes[layer].len() {
                check()?;
                // All children are in layers that were expanded later.
                let node = &self.nodes[layer][index];
                let mut best = node.own.clone();
                for &child in &self.children[node.children.clone()] {
                    best = better(direction, best, self.through(child));
                }
                self.nodes[layer][index].through = best;
            }
        }
        Ok(())
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

    /// Compiles a relaxed diagram of the given width whose roots are `roots`, which is not empty.
    ///
    /// `value` returns the value so far of a state, or, as an error, its bound if that shows that
    /// no solution at or below it is wanted. `check` is called before each step. The structure
    /// uses at most `max_bytes` bytes.
    ///
    /// # Errors
    ///
    /// Returns the first error of `check`, or [`Stop::MemoryLimit`]. The memory is then free.
    pub(crate) fn compile<'r, P: DiagramProblem<State = S>>(
        &mut self,
        problem: &P,
        of: (Direction, usize),
        roots: impl Iterator<Item = &'r S>,
        max_bytes: usize,
        value: impl FnMut(&S) -> Result<V, V>,
        check: impl FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop>
    where
        S: 'r,
    {
        let expanded = self.expand(problem, of, roots, max_bytes, value, check);
        if expanded.is_err() {
            *self = LocalBounds::new();
        }
        expanded
    }

    /// Returns an optimistic value of all solutions at or below each root, in order: `None` if
    /// there is none.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = Option<V>> {
        self.roots.iter().map(|root| match root {
            Ok(place) => self.arcs.through(*place),
            Err(bound) => Some(bound.clone()),
        })
    }

    /// Compiles a relaxed diagram like [`compile`](Self::compile), which frees the memory after an
    /// error.
    fn expand<'r, P: DiagramProblem<State = S>>(
        &mut self,
        problem: &P,
        (direction, width): (Direction, usize),
        roots: impl Iterator<Item = &'r S>,
        max_bytes: usize,
        mut value: impl FnMut(&S) -> Result<V, V>,
        mut check: impl FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop>
    where
        S: 'r,
    {
        self.layers.start();
        self.arcs.clear();
        self.roots.clear();
        let budget = Budget::new(self.bytes, max_bytes);
        let mut recorder = Recorder { arcs: &mut self.arcs, budget, check: &mut check };
        for root in roots {
            recorder.check()?;
            recorder.reserve(&mut self.roots, 1)?;
            self.roots.push(match value(root) {
                Ok(value) => Ok(self.layers.push(problem, root, value, &mut recorder)?),
                Err(bound) => Err(bound),
            });
        }
        while self.layers.has_next() {
            self.layers.expand(problem, direction, width, &mut value, &mut recorder)?;
        }
        self.bytes = recorder.budget.used();
        self.arcs.compute(direction, check)
    }
}
