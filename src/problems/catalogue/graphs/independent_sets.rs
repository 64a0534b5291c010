//! Independent sets of any graph: [`IndependentSets`].

use crate::plug::code::{Bits, Word};
use crate::plug::graph::{Graph, Order};
use crate::plug::{ContourProblem, TooWide};

/// The independent sets of a graph: sets of vertices of which no two are neighbours, the empty set
/// included.
///
/// What is chosen here are vertices, and so a cell is a vertex, in the [order in which they are
/// done with](Order::vertices). A state knows which vertices behind are chosen, as long as they
/// have neighbours to come: a bit for each. A vertex may be chosen if none of its neighbours behind
/// is. (Statistical physics calls this the hard-core lattice gas; on a grid, its particles are hard
/// squares: Gaunt and Fisher, 1965.)
///
/// Labels say whether a vertex is chosen.
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

/// A vertex in its turn.
#[derive(Clone, Copy, Debug)]
struct Place<W: Word> {
    vertex: usize,
    slot: usize,
    /// The slots of its neighbours behind.
    behind: W,
    /// The slots of those that have no neighbours to come now.
    leaving: W,
    /// How many slots have been in use up to here.
    slots: usize,
}

impl IndependentSets {
    /// The independent sets of the graph of `order`, of whose vertices up to 64 have neighbours on
    /// both sides.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> IndependentSets<W> {
    /// The same, for as many slots as there are bits in such a word.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        IndependentSets { cells: places(order.graph(), &order.vertices()) }
    }

    /// The vertices of the set that is given by its labels.
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
    // Slots beyond the word are not swept: see `fits`.
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
