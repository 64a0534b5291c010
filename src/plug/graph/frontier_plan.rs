//! What a sweep along an order of edges meets, edge by edge: [`FrontierPlan`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::model::narrow;
use super::order::Order;

/// The plan of a sweep over the edges of a graph: which vertices come into the frontier with each
/// edge, which slot they have there, and which leave.
///
/// A vertex comes in with its first edge, takes the lowest slot that is free, keeps it, and leaves
/// after its last edge. So the slots of a state code need not be renumbered from cell to cell. A
/// [`ContourProblem`](crate::plug::ContourProblem) over a graph holds a frontier, has a cell for
/// each edge, and looks at its two [`ends`](Cell::ends):
///
/// ```
/// use secateurs::plug::graph::{FrontierPlan, Graph, Order};
/// use secateurs::plug::{ContourProblem, Sweep};
///
/// /// Sets of edges that touch every vertex.
/// struct EdgeCovers(FrontierPlan);
///
/// impl ContourProblem for EdgeCovers {
///     type State = u64; // which slots hold a vertex that was touched
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
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
///
/// (A real one also overrides [`fits`](crate::plug::ContourProblem::fits): this one is wrong from
/// 65 slots on.)
#[derive(Clone, Debug)]
pub struct FrontierPlan {
    cells: Vec<Cell>,
    vertices: usize,
    isolated: usize,
}

/// An edge in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    ends: [End; 2],
    slots: u32,
    to_come: u32,
}

/// An end of an edge, when it is the edge's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    vertex: u32,
    slot: u32,
    later: u32,
    enters: bool,
}

impl FrontierPlan {
    /// What the sweep along `order` will meet.
    ///
    /// Takes time m log m for m edges, and 40 bytes for each.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        let graph = order.graph();
        let mut later: Vec<u32> =
            (0..graph.vertices()).map(|vertex| narrow(graph.degree(vertex))).collect();
        let isolated = later.iter().filter(|&&edges| edges == 0).count();
        let mut to_come = narrow(graph.vertices() - isolated);
        let mut slot_of: Vec<Option<u32>> = vec![None; graph.vertices()];
        let mut free: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        let mut used = 0;
        let mut cells = Vec::with_capacity(graph.edge_count());
        for edge in order.edges() {
            let (one, other) = graph.edge(edge);
            let ends = [one, other].map(|vertex| {
                later[vertex] -= 1;
                let enters = slot_of[vertex].is_none();
                let slot = *slot_of[vertex].get_or_insert_with(|| {
                    to_come -= 1;
                    free.pop().map_or_else(
                        || {
                            used += 1;
                            used - 1
                        },
                        |Reverse(slot)| slot,
                    )
                });
                End { vertex: narrow(vertex), slot, later: later[vertex], enters }
            });
            free.extend(ends.iter().filter(|end| end.leaves()).map(|end| Reverse(end.slot)));
            cells.push(Cell { ends, slots: used, to_come });
        }
        // Slots that a sweep has needed once are all there to the end; those not needed any more
        // cost nothing.
        FrontierPlan { cells, vertices: graph.vertices(), isolated }
    }

    /// The edges in their order.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// How many vertices the graph has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// How many vertices have no edge, and so never come into the frontier.
    #[must_use]
    pub fn isolated(&self) -> usize {
        self.isolated
    }

    /// How many slots a state code needs for the whole sweep: the width of the order, and up to two
    /// more for the vertices that come in with an edge before others leave.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.cells.last().map_or(0, Cell::slots)
    }

    /// The edges that were taken, as pairs of vertices, from the labels of a solution that say so.
    ///
    /// ```
    /// use secateurs::plug::graph::{FrontierPlan, Graph, Order};
    ///
    /// let path = Graph::path(4)?;
    /// let frontier = FrontierPlan::new(&Order::as_given(&path));
    /// assert_eq!(frontier.taken(&[true, false, true]).collect::<Vec<_>>(), [(0, 1), (2, 3)]);
    /// # Ok::<(), secateurs::plug::graph::GraphError>(())
    /// ```
    pub fn taken<'f>(&'f self, labels: &'f [bool]) -> impl Iterator<Item = (usize, usize)> + 'f {
        self.cells.iter().zip(labels).filter(|&(_, &taken)| taken).map(|(cell, _)| cell.vertices())
    }
}

impl Cell {
    /// Its two ends.
    #[inline]
    #[must_use]
    pub fn ends(&self) -> [End; 2] {
        self.ends
    }

    /// The two vertices, the smaller number first.
    #[must_use]
    pub fn vertices(&self) -> (usize, usize) {
        (self.ends[0].vertex(), self.ends[1].vertex())
    }

    /// How many slots have been in use up to here, this cell included.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots as usize
    }

    /// How many vertices have all their edges after this one. Isolated vertices do not count.
    #[inline]
    #[must_use]
    pub fn to_come(&self) -> usize {
        self.to_come as usize
    }
}

impl End {
    /// The vertex.
    #[inline]
    #[must_use]
    pub fn vertex(self) -> usize {
        self.vertex as usize
    }

    /// Its slot in the frontier, as long as it is there.
    #[inline]
    #[must_use]
    pub fn slot(self) -> usize {
        self.slot as usize
    }

    /// How many edges it has after this one.
    #[inline]
    #[must_use]
    pub fn later(self) -> usize {
        self.later as usize
    }

    /// Whether this is its first edge, with which it comes into the frontier.
    #[inline]
    #[must_use]
    pub fn enters(self) -> bool {
        self.enters
    }

    /// Whether this is its last edge, after which it leaves.
    #[inline]
    #[must_use]
    pub fn leaves(self) -> bool {
        self.later == 0
    }
}
