//! The contour problem of half a cycle: [`HalfCycle`].

use super::dense_mates::{DenseMates, UnpackedMates};
use super::split::MeetSplit;
use crate::limits::TooWide;
use crate::plug::contour_problem::ContourProblem;

/// The action of a cell of a half sweep. Vertices are positions in the frontier.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A vertex gets its two edges and leaves the frontier. Its undecided edges lead to these
    /// neighbours.
    Push { vertex: usize, neighbours: Vec<usize> },
    /// Any subset of these edges is taken.
    Edges(Vec<(usize, usize)>),
}

impl MeetSplit {
    /// Returns the near half as a contour problem.
    #[must_use]
    pub fn half(&self) -> HalfCycle {
        HalfCycle::new(self)
    }
}

/// A cell, with the width of the frontier before it, within it, and after it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) step: Step,
    pub(super) before: usize,
    pub(super) within: usize,
    pub(super) after: usize,
    /// The image of each position under the mirror, if the half as swept so far is its own mirror
    /// image.
    pub(super) mirror: Option<Vec<u8>>,
}

/// The near half of a [`MeetSplit`] as a [`ContourProblem`]: covers of its inner vertices by paths
/// that end in the boundary.
///
/// Each inner vertex is pushed in turn: all its edges to vertices that have not been pushed are
/// decided at once. Then the middle edges of this half are decided, a few at a time. The frontier
/// consists of the vertices that a decided edge may have touched and that have not been pushed. A
/// state holds, for each of them, whether it has no edge, one or two, and which vertices are the
/// two ends of a path ([`DenseMates`]). In the end the frontier is the boundary. No step closes a
/// cycle: the join does that. (Pushing vertices with mates: Sekine and Imai, 1995, and Knuth's
/// *Simpath*, 2008.)
#[derive(Clone, Debug)]
pub struct HalfCycle {
    pub(super) cells: Vec<Cell>,
    /// The vertices of the last frontier, by position.
    pub(super) boundary: Vec<usize>,
}

impl HalfCycle {
    /// Creates the near half of a graph that has been split.
    #[must_use]
    pub fn new(split: &MeetSplit) -> Self {
        let mut frontier: Vec<usize> = Vec::new();
        let mut cells: Vec<Cell> = Vec::new();
        let neighbours_of = split.neighbours();
        let mut pushed = vec![false; neighbours_of.len()];
        let position_of = |frontier: &mut Vec<usize>, vertex: usize| {
            frontier.iter().position(|&known| known == vertex).unwrap_or_else(|| {
                frontier.push(vertex);
                frontier.len() - 1
            })
        };
        for &vertex in split.order() {
            let before = frontier.len();
            pushed[vertex] = true;
            let position = position_of(&mut frontier, vertex);
            let later = neighbours_of[vertex].iter().filter(|&&other| !pushed[other]);
            let neighbours = later.map(|&other| position_of(&mut frontier, other)).collect();
            let within = frontier.len();
            frontier.remove(position);
            let mirror = split.mirror_of(&frontier, &pushed, 0);
            cells.push(Cell {
                step: Step::Push { vertex: position, neighbours },
                before,
                within,
                after: within - 1,
                mirror,
            });
        }
        for (groups, group) in split.middle().iter().enumerate() {
            let before = frontier.len();
            let edges = group
                .iter()
                .map(|&(a, b)| (position_of(&mut frontier, a), position_of(&mut frontier, b)))
                .collect();
            let width = frontier.len();
            let mirror = split.mirror_of(&frontier, &pushed, groups + 1);
            cells.push(Cell {
                step: Step::Edges(edges),
                before,
                within: width,
                after: width,
                mirror,
            });
        }
        // Vertices that no edge of this half can touch still belong to the boundary.
        for vertex in split.boundary() {
            position_of(&mut frontier, vertex);
        }
        if let Some(last) = cells.last_mut() {
            let added = frontier.len() - last.after;
            last.within += added;
            last.after += added;
            last.mirror = split.mirror_of(&frontier, &pushed, split.middle().len());
        }
        HalfCycle { cells, boundary: frontier }
    }

    getters! {
        self;
        /// Returns the vertices of the boundary, in the order of their positions in the last
        /// frontier.
        boundary -> &[usize]: &self.boundary;

        /// Returns the greatest width of the frontier after a cell.
        width -> usize: self.cells.iter().map(|cell| cell.after).max().unwrap_or(0);
    }

    /// Returns the number of cells that push a vertex; the cells after them only decide middle
    /// edges.
    pub(super) fn pushes(&self) -> usize {
        self.cells.iter().take_while(|cell| matches!(cell.step, Step::Push { .. })).count()
    }
}

impl ContourProblem for HalfCycle {
    type State = DenseMates;
    type Label = ();

    fn cells(&self) -> usize {
        self.cells.len()
    }

    fn start(&self) -> DenseMates {
        DenseMates::NONE
    }

    #[inline]
    fn step(&self, cell: usize, state: DenseMates, emit: &mut impl FnMut(DenseMates, ())) {
        let Cell { step, before, within, .. } = &self.cells[cell];
        let width = *within;
        let state = if before < within { state.widened(*before, width) } else { state };
        match step {
            Step::Push { vertex, neighbours } => {
                let degrees = state.degrees(width);
                if degrees.full >> vertex & 1 != 0 {
                    return emit(state.without(width, *vertex), ());
                }
                let unpacked = state.unpack(width);
                let mut leave =
                    |linked: UnpackedMates| emit(linked.pack(width).without(width, *vertex), ());
                if degrees.ends >> vertex & 1 != 0 {
                    neighbours
                        .iter()
                        .filter_map(|&other| unpacked.link(*vertex, other))
                        .for_each(leave);
                } else {
                    for (count, &one) in neighbours.iter().enumerate() {
                        if !unpacked.is_full(one) {
                            neighbours[..count]
                                .iter()
                                .filter_map(|&other| unpacked.link(one, other))
                                .for_each(&mut leave);
                        }
                    }
                }
            }
            Step::Edges(edges) => {
                emit(state, ());
                let unpacked = state.unpack(width);
                take_nonempty_subsets(&unpacked, edges, &mut |taken| emit(taken.pack(width), ()));
            }
        }
    }

    fn accept(&self, _: DenseMates) -> bool {
        true
    }

    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        DenseMates::check_width(self.cells[cell].after)
    }

    fn is_legal(&self, cell: usize, state: DenseMates) -> bool {
        state.is_legal(self.cells.get(cell).map_or(self.boundary.len(), |cell| cell.before))
    }
}

/// Calls `emit` with the states that result from taking at least one of the edges.
fn take_nonempty_subsets(
    unpacked: &UnpackedMates,
    edges: &[(usize, usize)],
    emit: &mut impl FnMut(&UnpackedMates),
) {
    for (count, &(a, b)) in edges.iter().enumerate() {
        if let Some(linked) = unpacked.link(a, b) {
            emit(&linked);
            take_nonempty_subsets(&linked, &edges[count + 1..], emit);
        }
    }
}
