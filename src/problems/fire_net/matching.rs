//! The maximum matching of a board, independent of the search.

use super::board::FireNetBoard;
use super::segments::Axis;

const FREE: usize = usize::MAX;

/// Returns a largest placement, found without a search: cells in increasing order, given bunkers
/// included.
///
/// Segments are vertices, empty cells are edges and a placement is a matching, so the optimum is a
/// maximum matching of a bipartite graph (König 1931). The algorithm is that of Hopcroft and Karp
/// (1973): each phase finds a maximal set of disjoint shortest augmenting paths. Cost:
/// O(cells · √segments).
///
/// The function uses neither the state nor the prunings of the search, so it can serve as an oracle
/// for the search.
///
/// ```
/// use secateurs::problems::fire_net::{FireNetBoard, maximum_matching};
///
/// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let cells = maximum_matching(&board);
/// assert_eq!(cells.len(), 5);
/// assert!(board.with_bunkers(cells).is_ok()); // no two see each other
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[must_use]
pub fn maximum_matching(board: &FireNetBoard) -> Vec<usize> {
    let mut graph = Graph::new(board);
    while graph.layers() {
        for row in 0..graph.rows {
            if graph.mate[row] == FREE {
                graph.augment(row);
            }
        }
    }
    let mut cells: Vec<usize> =
        graph.mate[..graph.rows].iter().copied().filter(|&cell| cell != FREE).collect();
    cells.extend_from_slice(board.bunkers());
    cells.sort_unstable();
    cells
}

/// The bipartite graph of a board: row segments, numbered below `rows`, and column segments are
/// vertices, cells are edges.
struct Graph {
    /// The number of row segments.
    rows: usize,
    /// The edges of the row segments, segment by segment, as cell and column segment.
    edges: Vec<(usize, usize)>,
    /// By row segment: the index of its first edge. One more entry marks the end of the last.
    first: Vec<usize>,
    /// By segment: the cell that matches it.
    mate: Vec<usize>,
    /// By column segment: the row segment that it is matched with.
    partner: Vec<usize>,
    /// By row segment: its distance from a free one.
    layer: Vec<usize>,
    /// By row segment: the next edge to try.
    next: Vec<usize>,
}

impl Graph {
    fn new(board: &FireNetBoard) -> Self {
        let segments = board.segments();
        let rows = segments.along(Axis::Row);
        let mut held = vec![false; segments.len()];
        for both in board.bunkers().iter().filter_map(|&cell| segments.of(cell)) {
            held[both[0]] = true;
            held[both[1]] = true;
        }
        let mut edges = Vec::new();
        let mut first = vec![0];
        for row in 0..rows {
            if !held[row] {
                let columns = segments
                    .get(row)
                    .cells()
                    .filter_map(|cell| segments.of(cell).map(|of| (cell, of[1])));
                edges.extend(columns.filter(|&(_, column)| !held[column]));
            }
            first.push(edges.len());
        }
        let vertices = segments.len();
        Graph {
            rows,
            edges,
            first,
            mate: vec![FREE; vertices],
            partner: vec![FREE; vertices],
            layer: vec![0; rows],
            next: vec![0; rows],
        }
    }

    /// Computes the layers breadth first from the free row segments. Returns whether a free column
    /// segment can be reached.
    fn layers(&mut self) -> bool {
        let mut queue: Vec<usize> = (0..self.rows).filter(|&row| self.mate[row] == FREE).collect();
        self.layer.fill(FREE);
        self.next.copy_from_slice(&self.first[..self.rows]);
        for &row in &queue {
            self.layer[row] = 0;
        }
        let mut reached = false;
        let mut head = 0;
        while let Some(&row) = queue.get(head) {
            head += 1;
            for &(_, column) in &self.edges[self.first[row]..self.first[row + 1]] {
                match self.partner[column] {
                    FREE => reached = true,
                    other if self.layer[other] == FREE => {
                        self.layer[other] = self.layer[row] + 1;
                        queue.push(other);
                    }
                    _ => {}
                }
            }
        }
        reached
    }

    /// Searches depth first along the layers for an augmenting path, and augments by it if there is
    /// one. There is no recursion, because a path may be as long as there are segments.
    fn augment(&mut self, start: usize) {
        let mut path: Vec<usize> = vec![start];
        while let Some(&row) = path.last() {
            let edge = self.next[row];
            if edge == self.first[row + 1] {
                self.layer[row] = FREE; // No augmenting path goes through this row in this phase.
                path.pop();
                continue;
            }
            self.next[row] += 1;
            match self.partner[self.edges[edge].1] {
                FREE => {
                    for &row in &path {
                        let (cell, column) = self.edges[self.next[row] - 1];
                        self.mate[row] = cell;
                        self.mate[column] = cell;
                        self.partner[column] = row;
                    }
                    return;
                }
                other if self.layer[other] != FREE && self.layer[other] == self.layer[row] + 1 => {
                    path.push(other)
                }
                _ => {}
            }
        }
    }
}
