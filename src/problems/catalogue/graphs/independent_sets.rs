//! Independent sets of any graph: [`IndependentSets`].

use crate::plug::code::{Bits, Word};
use crate::plug::graph::{Graph, Order};
use crate::plug::{ContourProblem, TooWide};

/// The independent sets of a graph: sets of pairwise non-adjacent vertices, including the empty
/// set.
///
/// Cells are vertices here, in the [order of their last edges](Order::vertices). A state has one
/// bit for each earlier vertex that has later neighbours: whether it is chosen. A vertex may be
/// chosen if none of its earlier neighbours is. (Statistical physics calls this the hard-core
/// lattice gas; on a grid, its particles are hard squares: Gaunt and Fisher, 1965.)
///
/// A label states whether a vertex is chosen.
///
/// ```
/// use secateurs::Direction;
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::IndependentSets;
///
/// let kings = Graph::king(3, 3)?;
/// let sets = IndependentSets::new(&Order::narrowest(&kings));
/// assert_eq!(Sweep::new(&sets).count().exact(), Some(35)); // sets of non-attacking kings
///
/// let size = |_: usize, chosen: bool| i64::from(chosen);
/// let largest = Sweep::new(&sets).best(Direction::Maximise, size);
/// assert_eq!(largest.proven(), Some(&4));
/// let labels = largest.solution().expect("a largest set");
/// assert_eq!(sets.chosen(labels).count(), 4); // the corners
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndependentSets<W: Word = u64> {
    cells: Vec<Place<W>>,
}

/// A vertex as a cell of the sweep.
#[derive(Clone, Copy, Debug)]
struct Place<W: Word> {
    vertex: usize,
    slot: usize,
    /// The slots of its earlier neighbours.
    behind: W,
    /// The slots of the vertices without later neighbours from now on.
    leaving: W,
    /// The number of slots in use up to here.
    slots: usize,
}

impl IndependentSets {
    /// Creates the problem for the graph of `order`, with at most 64 vertices at a time that have
    /// both earlier and later neighbours.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> IndependentSets<W> {
    /// Creates the problem with as many slots as the word has bits.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        IndependentSets { cells: places(order.graph(), &order.vertices()) }
    }

    /// Returns the vertices of a set that is given by its labels.
    pub fn chosen<'a>(&'a self, labels: &'a [bool]) -> impl Iterator<Item = usize> + 'a {
        self.cells.iter().zip(labels).filter(|&(_, &chosen)| chosen).map(|(place, _)| place.vertex)
    }
}

fn places<W: Word>(graph: &Graph, order: &[usize]) -> Vec<Place<W>> {
    let mut to_come: Vec<usize> =
        (0..graph.vertices()).map(|vertex| graph.degree(vertex)).collect();
    let mut slot_of: Vec<Option<usize>> = vec![None; graph.vertices()];
    let mut free = std::collections::BTreeSet::new();
    let mut slots = 0;
    // Slots beyond the word are never used: see `fits`.
    let bit = |slot: usize| match u32::try_from(slot) {
        Ok(slot) if slot < W::BITS => W::ONE << slot,
        _ => W::ZERO,
    };
    let place = |&vertex: &usize| {
        let slot = free.pop_first().unwrap_or(slots);
        slots = slots.max(slot + 1);
        slot_of[vertex] = Some(slot);
        let (mut behind, mut leaving) = (W::ZERO, W::ZERO);
        for neighbour in graph.neighbours(vertex) {
            to_come[neighbour] -= 1;
            if let Some(slot) = slot_of[neighbour] {
                behind |= bit(slot);
                if to_come[neighbour] == 0 {
                    leaving |= bit(slot);
                    free.insert(slot);
                }
            }
        }
        if to_come[vertex] == 0 {
            leaving |= bit(slot);
            free.insert(slot);
        }
        Place { vertex, slot, behind, leaving, slots }
    };
    order.iter().map(place).collect()
}

impl<W: Word> ContourProblem for IndependentSets<W> {
    type State = Bits<W>;
    /// Whether the vertex is chosen.
    type Label = bool;

    fn cells(&self) -> usize {
        self.cells.len()
    }
    fn start(&self) -> Bits<W> {
        Bits::EMPTY
    }
    #[inline]
    fn step(&self, cell: usize, state: Bits<W>, emit: &mut impl FnMut(Bits<W>, bool)) {
        let place = &self.cells[cell];
        let left = |state: Bits<W>| Bits::from_word(state.word() & !place.leaving);
        emit(left(state), false);
        if state.word() & place.behind == W::ZERO {
            emit(left(state.with(place.slot, true)), true);
        }
    }
    fn accept(&self, _: Bits<W>) -> bool {
        true
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        Bits::<W>::fits(self.cells[cell].slots)
    }
}
