//! Sets and colourings of the vertices of any graph: [`IndependentSets`], [`DominatingSets`] and
//! [`Colourings`].

use std::marker::PhantomData;

use secateurs::plug::code::{Bits, Labels, Word};
use secateurs::plug::graph::{Order, VertexCell, VertexPlan};
use secateurs::plug::{ContourProblem, TooWide};

/// The slots of each vertex of a [`VertexPlan`], as masks.
#[derive(Clone, Copy, Debug)]
struct Masks<W> {
    /// The slots of its earlier neighbours.
    behind: W,
    /// The slots that become free.
    leaving: W,
}

fn masks<W: Word>(plan: &VertexPlan) -> Vec<Masks<W>> {
    // Slots beyond the word are never used: see `fits`.
    let mask = |slots: &[usize]| {
        let within = slots.iter().filter_map(|&slot| u32::try_from(slot).ok());
        within.filter(|&slot| slot < W::BITS).fold(W::ZERO, |mask, slot| mask | W::ONE << slot)
    };
    let of_cell =
        |cell: &VertexCell| Masks { behind: mask(cell.behind()), leaving: mask(cell.leaving()) };
    plan.cells().iter().map(of_cell).collect()
}

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
/// use secateurs_problems::catalogue::graphs::IndependentSets;
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
    plan: VertexPlan,
    masks: Vec<Masks<W>>,
}

impl IndependentSets {
    /// Creates the problem for the graph of `order`, with at most 64 vertices at a time: the
    /// current one, and the earlier ones that have later neighbours.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> IndependentSets<W> {
    /// Creates the problem with as many slots as the word has bits.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        let plan = VertexPlan::new(order);
        IndependentSets { masks: masks(&plan), plan }
    }

    /// Returns the vertices of a set that is given by its labels.
    pub fn chosen<'a>(&'a self, labels: &'a [bool]) -> impl Iterator<Item = usize> + 'a {
        self.plan.chosen(labels)
    }
}

impl<W: Word> ContourProblem for IndependentSets<W> {
    type State = Bits<W>;
    /// Whether the vertex is chosen.
    type Label = bool;

    fn cells(&self) -> usize {
        self.masks.len()
    }
    fn start(&self) -> Bits<W> {
        Bits::EMPTY
    }
    #[inline]
    fn step(&self, cell: usize, state: Bits<W>, emit: &mut impl FnMut(Bits<W>, bool)) {
        let Masks { behind, leaving } = self.masks[cell];
        let without_leaving = |state: Bits<W>| Bits::from_word(state.word() & !leaving);
        emit(without_leaving(state), false);
        if state.word() & behind == W::ZERO {
            emit(without_leaving(state.with(self.plan.cells()[cell].slot(), true)), true);
        }
    }
    fn accept(&self, _: Bits<W>) -> bool {
        true
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        Bits::<W>::fits(self.plan.cells()[cell].slots())
    }
    fn is_legal(&self, _: usize, state: Bits<W>) -> bool {
        state.len() <= self.plan.slots()
    }
}

/// The dominating sets of a graph: sets of vertices such that each vertex is in the set or has a
/// neighbour in it.
///
/// Cells are vertices, in the [order of their last edges](Order::vertices). A state has two bits
/// for each earlier vertex that has later neighbours: whether it is chosen, and whether it is
/// dominated. A vertex may leave only if it is. A label states whether a vertex is chosen.
///
/// ```
/// use secateurs::Direction;
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::DominatingSets;
///
/// let grid = Graph::grid(&[4, 4])?;
/// let sets = DominatingSets::new(&Order::narrowest(&grid));
/// assert_eq!(Sweep::new(&sets).count().exact(), Some(28_661)); // OEIS A133515
///
/// let size = |_: usize, chosen: bool| i64::from(chosen);
/// let least = Sweep::new(&sets).best(Direction::Minimise, size);
/// assert_eq!(least.proven(), Some(&4)); // OEIS A104519
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DominatingSets<W: Word = u64> {
    plan: VertexPlan,
    masks: Vec<Masks<W>>,
}

impl DominatingSets {
    /// Creates the problem for the graph of `order`, with at most 64 vertices at a time: the
    /// current one, and the earlier ones that have later neighbours.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> DominatingSets<W> {
    /// Creates the problem with as many slots as the word has bits.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        let plan = VertexPlan::new(order);
        DominatingSets { masks: masks(&plan), plan }
    }

    /// Returns the vertices of a set that is given by its labels.
    pub fn chosen<'a>(&'a self, labels: &'a [bool]) -> impl Iterator<Item = usize> + 'a {
        self.plan.chosen(labels)
    }
}

impl<W: Word> ContourProblem for DominatingSets<W> {
    /// The chosen vertices, and the dominated ones.
    type State = (Bits<W>, Bits<W>);
    /// Whether the vertex is chosen.
    type Label = bool;

    fn cells(&self) -> usize {
        self.masks.len()
    }
    fn start(&self) -> Self::State {
        (Bits::EMPTY, Bits::EMPTY)
    }
    #[inline]
    fn step(
        &self,
        cell: usize,
        (chosen, dominated): Self::State,
        emit: &mut impl FnMut(Self::State, bool),
    ) {
        let (Masks { behind, leaving }, slot) = (self.masks[cell], self.plan.cells()[cell].slot());
        let mut leave_and_emit = |chosen: Bits<W>, dominated: Bits<W>, is_chosen| {
            if !dominated.word() & leaving == W::ZERO {
                let without = |state: Bits<W>| Bits::from_word(state.word() & !leaving);
                emit((without(chosen), without(dominated)), is_chosen);
            }
        };
        let is_dominated = chosen.word() & behind != W::ZERO;
        leave_and_emit(chosen.with(slot, false), dominated.with(slot, is_dominated), false);
        let around = Bits::from_word(dominated.word() | behind);
        leave_and_emit(chosen.with(slot, true), around.with(slot, true), true);
    }
    fn accept(&self, _: Self::State) -> bool {
        true
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        Bits::<W>::fits(self.plan.cells()[cell].slots())
    }
    fn is_legal(&self, _: usize, (chosen, dominated): Self::State) -> bool {
        chosen.len().max(dominated.len()) <= self.plan.slots()
    }
}

/// The proper colourings of a graph: a colour for each vertex, such that neighbours differ.
///
/// Cells are vertices, in the [order of their last edges](Order::vertices). A state has the colour
/// of each earlier vertex that has later neighbours, in `BITS` bits; by default, 16 vertices,
/// with the current one, and 14 colours fit, and in `Colourings::<u128, 5>` 25 and 30. The label of
/// a vertex is its colour, from 0.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::Colourings;
///
/// let cycle = Graph::cycle(7)?;
/// let colourings = Colourings::new(&Order::narrowest(&cycle), 3);
/// assert_eq!(Sweep::new(&colourings).count().exact(), Some(2_u128.pow(7) - 2)); // Birkhoff, 1912
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Colourings<W: Word = u64, const BITS: u32 = 4> {
    plan: VertexPlan,
    colours: u8,
    word: PhantomData<W>,
}

impl Colourings {
    /// Creates the problem for the graph of `order`, in up to 14 colours, with at most 16 vertices
    /// at a time: the current one, and the earlier ones that have later neighbours.
    #[must_use]
    pub fn new(order: &Order<'_>, colours: u8) -> Self {
        Self::with_word(order, colours)
    }
}

impl<W: Word, const BITS: u32> Colourings<W, BITS> {
    /// Creates the problem with as many slots of `BITS` bits as the word has room for. If the
    /// colours do not fit, no sweep begins.
    #[must_use]
    pub fn with_word(order: &Order<'_>, colours: u8) -> Self {
        Colourings { plan: VertexPlan::new(order), colours, word: PhantomData }
    }

    /// Returns the colour of each vertex of a colouring that is given by its labels.
    #[must_use]
    pub fn colours(&self, labels: &[u8]) -> Vec<u8> {
        let mut colours = vec![0; self.plan.cells().len()];
        for (cell, &colour) in self.plan.cells().iter().zip(labels) {
            colours[cell.vertex()] = colour;
        }
        colours
    }
}

impl<W: Word, const BITS: u32> ContourProblem for Colourings<W, BITS> {
    /// The colour of each vertex, from 1.
    type State = Labels<W, BITS>;
    /// The colour of the vertex, from 0.
    type Label = u8;

    fn cells(&self) -> usize {
        self.plan.cells().len()
    }
    fn start(&self) -> Self::State {
        Labels::EMPTY
    }
    #[inline]
    fn step(&self, cell: usize, state: Self::State, emit: &mut impl FnMut(Self::State, u8)) {
        let cell = &self.plan.cells()[cell];
        let leaving = cell.leaving();
        for colour in 0..self.colours {
            if cell.behind().iter().all(|&slot| state.get(slot) != colour + 1) {
                let next = state.with(cell.slot(), colour + 1);
                emit(leaving.iter().fold(next, |next, &slot| next.without(slot)), colour);
            }
        }
    }
    fn accept(&self, _: Self::State) -> bool {
        true
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        Labels::<W, BITS>::fits(self.plan.cells()[cell].slots(), self.colours.into())
    }
    fn is_legal(&self, _: usize, state: Self::State) -> bool {
        state.len() <= self.plan.slots() && state.iter().all(|colour| colour <= self.colours)
    }
}
