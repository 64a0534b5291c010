//! The plan of a sweep along an order of vertices: [`VertexPlan`].

use std::collections::BTreeSet;

use super::frontier_plan::occupied_before;
use super::order::Order;

/// The plan of a sweep over the vertices of a graph: for each vertex its slot, the slots of its
/// earlier neighbours, and the slots that are free afterwards.
///
/// A vertex enters in the lowest free slot, keeps it, and leaves after its last neighbour. It is
/// the counterpart of [`FrontierPlan`](super::FrontierPlan) for problems that decide vertices, such
/// as independent sets, dominating sets and colourings, with fewer cells.
///
/// ```
/// use secateurs::plug::graph::{Graph, Order, VertexPlan};
/// use secateurs::plug::{ContourProblem, Sweep};
///
/// /// Sets of pairwise non-adjacent vertices.
/// struct Independent(VertexPlan);
///
/// impl ContourProblem for Independent {
///     type State = u64; // one bit per slot: its vertex is chosen
///     type Label = bool;
///
///     fn cells(&self) -> usize {
///         self.0.cells().len()
///     }
///     fn start(&self) -> u64 {
///         0
///     }
///     fn step(&self, cell: usize, state: u64, emit: &mut impl FnMut(u64, bool)) {
///         let vertex = &self.0.cells()[cell];
///         let without_leaving = |state: u64| {
///             vertex.leaving().iter().fold(state, |state, slot| state & !(1 << slot))
///         };
///         emit(without_leaving(state), false);
///         if vertex.behind().iter().all(|slot| state >> slot & 1 == 0) {
///             emit(without_leaving(state | 1 << vertex.slot()), true);
///         }
///     }
///     fn accept(&self, _: u64) -> bool {
///         true
///     }
/// }
///
/// let kings = Graph::king(3, 3)?;
/// let sets = Independent(VertexPlan::new(&Order::narrowest(&kings)));
/// assert_eq!(Sweep::new(&sets).count().exact(), Some(35));
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
///
/// (Real code also overrides [`fits`](crate::plug::ContourProblem::fits): this example is wrong
/// from 65 slots on.)
#[derive(Clone, Debug)]
pub struct VertexPlan {
    cells: Vec<VertexCell>,
    /// The occupied slots after each cell.
    occupied: Vec<u128>,
}

/// A vertex of a [`VertexPlan`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexCell {
    vertex: usize,
    slot: usize,
    behind: Vec<usize>,
    leaving: Vec<usize>,
    slots: usize,
    has_loop: bool,
}

impl VertexPlan {
    /// Creates the plan of a sweep along the [vertices](Order::vertices) of `order`. Takes time
    /// O(n + m log n) for n vertices and m edges.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        let graph = order.graph();
        let mut to_come: Vec<usize> =
            (0..graph.vertices()).map(|vertex| graph.degree(vertex)).collect();
        let mut slot_of: Vec<Option<usize>> = vec![None; graph.vertices()];
        // The last vertex that each vertex was listed for: parallel edges list a neighbour once.
        let mut listed_for = vec![None; graph.vertices()];
        let mut free = BTreeSet::new();
        let mut slots = 0;
        let cell = |vertex: usize| {
            let slot = free.pop_first().unwrap_or(slots);
            slots = slots.max(slot + 1);
            slot_of[vertex] = Some(slot);
            let (mut behind, mut leaving) = (Vec::new(), Vec::new());
            let mut has_loop = false;
            for neighbour in graph.neighbours(vertex) {
                to_come[neighbour] -= 1;
                has_loop |= neighbour == vertex;
                if let Some(slot) = slot_of[neighbour].filter(|_| neighbour != vertex) {
                    if listed_for[neighbour].replace(vertex) != Some(vertex) {
                        behind.push(slot);
                    }
                    if to_come[neighbour] == 0 {
                        leaving.push(slot);
                    }
                }
            }
            if to_come[vertex] == 0 {
                leaving.push(slot);
            }
            free.extend(&leaving);
            VertexCell { vertex, slot, behind, leaving, slots, has_loop }
        };
        let cells: Vec<VertexCell> = order.vertices().into_iter().map(cell).collect();
        let mut slots = 0;
        let bit = |slot: usize| u32::try_from(slot).map_or(0, |slot| 1_u128.unbounded_shl(slot));
        let occupied = cells.iter().map(|cell| {
            slots |= bit(cell.slot);
            cell.leaving.iter().for_each(|&slot| slots &= !bit(slot));
            slots
        });
        VertexPlan { occupied: occupied.collect(), cells }
    }

    /// Returns the vertices in their order.
    #[must_use]
    pub fn cells(&self) -> &[VertexCell] {
        &self.cells
    }

    /// Returns the slots that hold a vertex before this cell, or after all cells, one bit for each
    /// of the first 128 slots.
    #[must_use]
    pub fn occupied(&self, cell: usize) -> u128 {
        occupied_before(&self.occupied, cell)
    }

    /// Returns the number of slots that a state code needs for the whole sweep.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.cells.last().map_or(0, VertexCell::slots)
    }

    /// Returns the vertices of a set that is given by its labels, one for each cell.
    pub fn chosen<'p>(&'p self, labels: &'p [bool]) -> impl Iterator<Item = usize> + 'p {
        self.cells.iter().zip(labels).filter(|&(_, &chosen)| chosen).map(|(cell, _)| cell.vertex)
    }
}

impl VertexCell {
    /// Returns the vertex.
    #[must_use]
    pub fn vertex(&self) -> usize {
        self.vertex
    }

    /// Returns the slot of the vertex.
    #[must_use]
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// Returns the slots of its earlier neighbours, each once.
    #[must_use]
    pub fn behind(&self) -> &[usize] {
        &self.behind
    }

    /// Returns whether an edge joins the vertex to itself.
    #[must_use]
    pub fn has_loop(&self) -> bool {
        self.has_loop
    }

    /// Returns the slots that are free after this cell: those of earlier vertices whose last
    /// neighbour it is, and its own if it has no later neighbour.
    #[must_use]
    pub fn leaving(&self) -> &[usize] {
        &self.leaving
    }

    /// Returns the number of slots that this cell and the cells before it use.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }
}
