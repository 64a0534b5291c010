//! The plans of a sweep along an order of edges, [`FrontierPlan`], and of vertices, [`VertexPlan`].

use std::collections::BTreeSet;

use super::model::narrow;
use super::order::Order;

/// The plan of a sweep over the edges of a graph: the vertices that enter the frontier with each
/// edge, their slots, and the vertices that leave.
///
/// A vertex enters with its first edge in the lowest free slot, keeps this slot, and leaves after
/// its last edge. So the slots of a state code need no renumbering. A
/// [`ContourProblem`](secateurs::plug::ContourProblem) over a graph stores a plan, has one cell per
/// edge, and uses the two [`ends`](Cell::ends) of the cell:
///
/// ```
/// use secateurs_problems::graph::{FrontierPlan, Graph, Order};
/// use secateurs::plug::{ContourProblem, Sweep};
///
/// /// Sets of edges that touch every vertex.
/// struct EdgeCovers(FrontierPlan);
///
/// impl ContourProblem for EdgeCovers {
///     type State = u64; // one bit per slot: its vertex is covered
///     type Label = bool; // whether the edge is taken
///
///     fn cells(&self) -> usize {
///         self.0.cells().len()
///     }
///     fn start(&self) -> u64 {
///         0
///     }
///     fn step(&self, cell: usize, state: u64, emit: &mut impl FnMut(u64, bool)) {
///         let ends = self.0.cells()[cell].ends();
///         for taken in [false, true] {
///             let mut next = state;
///             for end in ends {
///                 next |= u64::from(taken) << end.slot();
///             }
///             let leaving = || ends.into_iter().filter(|end| end.leaves());
///             if leaving().all(|end| next >> end.slot() & 1 == 1) {
///                 emit(leaving().fold(next, |next, end| next & !(1 << end.slot())), taken);
///             }
///         }
///     }
///     fn accept(&self, _: u64) -> bool {
///         self.0.isolated() == 0
///     }
/// }
///
/// let triangle = Graph::complete(3)?;
/// let covers = EdgeCovers(FrontierPlan::new(&Order::as_given(&triangle)));
/// assert_eq!(Sweep::new(&covers).count().exact(), Some(4)); // all but one edge, or all
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
/// ```
///
/// (Real code also overrides [`fits`](secateurs::plug::ContourProblem::fits): this example is wrong
/// from 65 slots on.)
#[derive(Clone, Debug)]
pub struct FrontierPlan {
    cells: Vec<Cell>,
    /// The occupied slots after each cell.
    occupied: Vec<u128>,
    vertices: usize,
    isolated: usize,
}

/// An edge of a [`FrontierPlan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    ends: [End; 2],
    slots: u32,
    to_come: u32,
}

/// An end of an edge of a [`FrontierPlan`], when the sweep reaches the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    vertex: u32,
    slot: u32,
    later: u32,
    enters: bool,
}

impl FrontierPlan {
    /// Creates the plan of a sweep along `order`.
    ///
    /// Takes time O(n + m log m) for n vertices and m edges. The plan has 56 bytes per edge.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        let graph = order.graph();
        let mut later: Vec<u32> =
            (0..graph.vertices()).map(|vertex| narrow(graph.degree(vertex))).collect();
        let isolated = later.iter().filter(|&&edges| edges == 0).count();
        let mut to_come = narrow(graph.vertices() - isolated);
        let mut slot_of = vec![None; graph.vertices()];
        let mut cells = Vec::with_capacity(graph.edge_count());
        let mut occupied = Vec::with_capacity(graph.edge_count());
        let mut slots = Slots::default();
        for edge in order.edges() {
            let (one, other) = graph.edge(edge);
            let ends = [one, other].map(|vertex| {
                later[vertex] -= 1;
                let enters = slot_of[vertex].is_none();
                let slot = *slot_of[vertex].get_or_insert_with(|| {
                    to_come -= 1;
                    slots.take()
                });
                End { vertex: narrow(vertex), slot: narrow(slot), later: later[vertex], enters }
            });
            ends.iter().filter(|end| end.leaves()).for_each(|end| slots.free(end.slot()));
            occupied.push(slots.occupied);
            cells.push(Cell { ends, slots: narrow(slots.used), to_come });
        }
        // `Cell::slots` is the largest number of slots so far, not the number of occupied ones:
        // the empty slots of a state cost nothing.
        FrontierPlan { cells, occupied, vertices: graph.vertices(), isolated }
    }

    /// Returns the edges in their order.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the slots that hold a vertex before this cell, or after all cells, one bit for each
    /// of the first 128 slots.
    #[must_use]
    pub fn occupied(&self, cell: usize) -> u128 {
        occupied_before(&self.occupied, cell)
    }

    /// Returns the number of vertices of the graph.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Returns the number of vertices without an edge, which never enter the frontier.
    #[must_use]
    pub fn isolated(&self) -> usize {
        self.isolated
    }

    /// Returns the number of slots that a state code needs for the whole sweep: the width of
    /// the order, and up to two more for the vertices that enter with an edge before others
    /// leave.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.cells.last().map_or(0, Cell::slots)
    }

    /// Returns the taken edges of a solution, as pairs of vertices. `labels` states for each cell
    /// whether its edge is taken.
    ///
    /// ```
    /// use secateurs_problems::graph::{FrontierPlan, Graph, Order};
    ///
    /// let path = Graph::path(4)?;
    /// let frontier = FrontierPlan::new(&Order::as_given(&path));
    /// assert_eq!(frontier.taken(&[true, false, true]).collect::<Vec<_>>(), [(0, 1), (2, 3)]);
    /// # Ok::<(), secateurs_problems::graph::GraphError>(())
    /// ```
    pub fn taken<'f>(&'f self, labels: &'f [bool]) -> impl Iterator<Item = (usize, usize)> + 'f {
        self.cells.iter().zip(labels).filter(|&(_, &taken)| taken).map(|(cell, _)| cell.vertices())
    }
}

/// The slots of a frontier.
#[derive(Default)]
struct Slots {
    /// The free ones among the slots that were used.
    free: BTreeSet<usize>,
    /// The number of slots that were used.
    used: usize,
    /// The occupied ones of the first 128 slots, one bit for each.
    occupied: u128,
}

impl Slots {
    /// Occupies the lowest free slot.
    fn take(&mut self) -> usize {
        let slot = self.free.pop_first().unwrap_or(self.used);
        self.used = self.used.max(slot + 1);
        self.occupied |= Self::bit(slot);
        slot
    }

    fn free(&mut self, slot: usize) {
        self.free.insert(slot);
        self.occupied &= !Self::bit(slot);
    }

    fn bit(slot: usize) -> u128 {
        1_u128.unbounded_shl(narrow(slot))
    }
}

/// Returns the slots that are occupied before a cell, given those after each cell.
pub(super) fn occupied_before(occupied: &[u128], cell: usize) -> u128 {
    let last = cell.min(occupied.len());
    last.checked_sub(1).map_or(0, |before| occupied[before])
}

impl Cell {
    /// Returns whether the edge is a loop.
    #[inline]
    #[must_use]
    pub fn is_loop(&self) -> bool {
        self.ends[0].vertex == self.ends[1].vertex
    }

    /// Returns the two ends, in the same order. Those of a loop are the same vertex in the same
    /// slot: only the first one can [enter](End::enters), and only the second one can
    /// [leave](End::leaves).
    #[inline]
    #[must_use]
    pub fn ends(&self) -> [End; 2] {
        self.ends
    }

    /// Returns the two vertices, in the order of [`Graph::edges`](super::Graph::edges).
    #[must_use]
    pub fn vertices(&self) -> (usize, usize) {
        (self.ends[0].vertex(), self.ends[1].vertex())
    }

    /// Returns the number of slots that this cell and the cells before it use.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots as usize
    }

    /// Returns the number of vertices with all their edges after this one. Isolated vertices do
    /// not count.
    #[inline]
    #[must_use]
    pub fn to_come(&self) -> usize {
        self.to_come as usize
    }
}

impl End {
    /// Returns the vertex.
    #[inline]
    #[must_use]
    pub fn vertex(self) -> usize {
        self.vertex as usize
    }

    /// Returns the slot of the vertex in the frontier.
    #[inline]
    #[must_use]
    pub fn slot(self) -> usize {
        self.slot as usize
    }

    /// Returns the number of later edges of the vertex, where loops count twice. At the first end
    /// of a loop, the second one is among them.
    #[inline]
    #[must_use]
    pub fn later(self) -> usize {
        self.later as usize
    }

    /// Returns whether this is the first edge of the vertex, with which it enters the frontier.
    #[inline]
    #[must_use]
    pub fn enters(self) -> bool {
        self.enters
    }

    /// Returns whether this is the last edge of the vertex, after which it leaves the frontier.
    #[inline]
    #[must_use]
    pub fn leaves(self) -> bool {
        self.later == 0
    }
}

/// The plan of a sweep over the vertices of a graph: for each vertex its slot, the slots of its
/// earlier neighbours, and the slots that are free afterwards.
///
/// A vertex enters in the lowest free slot, keeps it, and leaves after its last neighbour. It is
/// the counterpart of [`FrontierPlan`](super::FrontierPlan) for problems that decide vertices, such
/// as independent sets, dominating sets and colourings, with fewer cells.
///
/// ```
/// use secateurs_problems::graph::{Graph, Order, VertexPlan};
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
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
/// ```
///
/// (Real code also overrides [`fits`](secateurs::plug::ContourProblem::fits): this example is wrong
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
        let (mut cells, mut occupied) = (Vec::new(), Vec::new());
        let mut slots = Slots::default();
        for vertex in order.vertices() {
            let slot = slots.take();
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
            leaving.iter().for_each(|&slot| slots.free(slot));
            occupied.push(slots.occupied);
            let slots = slots.used;
            cells.push(VertexCell { vertex, slot, behind, leaving, slots, has_loop });
        }
        VertexPlan { cells, occupied }
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
