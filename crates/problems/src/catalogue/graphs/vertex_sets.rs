//! Sets and colourings of the vertices of any graph: [`IndependentSets`], [`DominatingSets`],
//! [`ConnectedSets`] and [`Colourings`].

use std::marker::PhantomData;

use crate::graph::{Order, VertexCell, VertexPlan};
use secateurs::plug::code::{Bits, Joined, Labels, Word};
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
/// Parallel edges make no difference. A vertex with a loop is in no set.
///
/// A label states whether a vertex is chosen.
///
/// ```
/// use secateurs::Direction;
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
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
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
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
        if state.word() & behind == W::ZERO && !self.plan.cells()[cell].has_loop() {
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
/// dominated. A vertex may leave only if it is. A label states whether a vertex is chosen. Loops
/// and parallel edges make no difference. [`ConnectedSets`] has the connected dominating sets.
///
/// ```
/// use secateurs::Direction;
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::DominatingSets;
///
/// let grid = Graph::grid(&[4, 4])?;
/// let sets = DominatingSets::new(&Order::narrowest(&grid));
/// assert_eq!(Sweep::new(&sets).count().exact(), Some(28_661)); // OEIS A133515
///
/// let size = |_: usize, chosen: bool| i64::from(chosen);
/// let least = Sweep::new(&sets).best(Direction::Minimise, size);
/// assert_eq!(least.proven(), Some(&4)); // OEIS A104519
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
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

/// The connected sets of vertices of a graph, without the empty set: all of them, or only the
/// [dominating](Self::dominating) ones.
///
/// Cells are vertices, in the [order of their last edges](Order::vertices). A state has for each
/// earlier vertex that has later neighbours whether it is chosen, and if so, its component, as a
/// label; and for dominating sets, whether it is dominated. The last vertex of a component may
/// leave only if it completes the set; then no other vertex is chosen. (Connected dominating sets:
/// Sampathkumar and Walikar, 1979.)
///
/// A label states whether a vertex is chosen. Loops and parallel edges make no difference.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::ConnectedSets;
///
/// let grid = Graph::grid(&[4, 4])?;
/// let sets = ConnectedSets::new(&Order::narrowest(&grid));
/// assert_eq!(Sweep::new(&sets).count().exact(), Some(11_506)); // OEIS A059525
///
/// let size = |_: usize, chosen: bool| i64::from(chosen);
/// let least = Sweep::new(&sets.dominating()).best(secateurs::Direction::Minimise, size);
/// assert_eq!(least.proven(), Some(&7));
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
/// ```
///
/// States are [`Labels`] of `BITS` bits, and [`Bits`], in words `W`. By default, 14 vertices fit at
/// a time: the current one, and the earlier ones that have later neighbours;
/// `ConnectedSets::<u128, 5>` has room for 25.
#[derive(Clone, Debug)]
pub struct ConnectedSets<W: Word = u64, const BITS: u32 = 4> {
    plan: VertexPlan,
    masks: Vec<Masks<W>>,
    dominating: bool,
}

impl ConnectedSets {
    /// Creates the problem for the graph of `order`, with at most 14 vertices at a time.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word, const BITS: u32> ConnectedSets<W, BITS> {
    /// Creates the problem with labels of `BITS` bits in this word.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        let plan = VertexPlan::new(order);
        ConnectedSets { masks: masks(&plan), plan, dominating: false }
    }

    /// Restricts the problem to sets such that each vertex is in the set or has a neighbour in it.
    #[must_use]
    pub fn dominating(self) -> Self {
        ConnectedSets { dominating: true, ..self }
    }

    /// Returns the vertices of a set that is given by its labels.
    pub fn chosen<'a>(&'a self, labels: &'a [bool]) -> impl Iterator<Item = usize> + 'a {
        self.plan.chosen(labels)
    }

    /// Returns the labels of a complete set, which no incomplete one has.
    fn complete() -> Labels<W, BITS> {
        Labels::EMPTY.with(0, Labels::<W, BITS>::RESERVED)
    }

    /// Returns the state without the vertices that leave with this cell; `None` if one of them cuts
    /// off a component, or is not dominated.
    fn leave(
        &self,
        cell: usize,
        (mut labels, dominated): (Labels<W, BITS>, Bits<W>),
    ) -> Option<(Labels<W, BITS>, Bits<W>)> {
        let leaving = self.masks[cell].leaving;
        if self.dominating && !dominated.word() & leaving != W::ZERO {
            return None;
        }
        let mut is_complete = false;
        for &slot in self.plan.cells()[cell].leaving() {
            if labels.get(slot) != 0 {
                labels = match labels.close(slot) {
                    Joined::Complete(rest) => {
                        is_complete = true;
                        rest.is_empty().then_some(rest)?
                    }
                    closed => closed.state(),
                };
            }
        }
        if is_complete {
            // A vertex that is still to come cannot be dominated by the set.
            let is_whole = !self.dominating || cell + 1 == self.masks.len();
            return is_whole.then_some((Self::complete(), Bits::EMPTY));
        }
        Some((labels.canonical(), Bits::from_word(dominated.word() & !leaving)))
    }
}

impl<W: Word, const BITS: u32> ContourProblem for ConnectedSets<W, BITS> {
    /// The component of each chosen vertex, and the dominated vertices.
    type State = (Labels<W, BITS>, Bits<W>);
    /// Whether the vertex is chosen.
    type Label = bool;

    fn cells(&self) -> usize {
        self.masks.len()
    }
    fn start(&self) -> Self::State {
        (Labels::EMPTY, Bits::EMPTY)
    }
    #[inline]
    fn step(
        &self,
        cell: usize,
        (labels, dominated): Self::State,
        emit: &mut impl FnMut(Self::State, bool),
    ) {
        if labels == Self::complete() {
            return emit((labels, dominated), false);
        }
        let place = &self.plan.cells()[cell];
        let (slot, behind) = (place.slot(), self.masks[cell].behind);
        let chosen_behind = || place.behind().iter().copied().filter(|&slot| labels.get(slot) != 0);
        let is_dominated = self.dominating && chosen_behind().next().is_some();
        if let Some(next) = self.leave(cell, (labels, dominated.with(slot, is_dominated))) {
            emit(next, false);
        }
        let joined = chosen_behind()
            .fold(labels.fresh(slot), |labels, other| labels.connect(slot, other).state());
        let around = match self.dominating {
            true => Bits::from_word(dominated.word() | behind).with(slot, true),
            false => dominated,
        };
        if let Some(next) = self.leave(cell, (joined, around)) {
            emit(next, true);
        }
    }
    fn accept(&self, (labels, _): Self::State) -> bool {
        labels == Self::complete()
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        let slots = self.plan.cells()[cell].slots();
        Labels::<W, BITS>::fits(slots, slots)
    }
    /// Only the vertices that are in the frontier are in components, or dominated.
    fn is_legal(&self, cell: usize, (labels, dominated): Self::State) -> bool {
        let occupied = self.plan.occupied(cell);
        let is_occupied = |slot: usize| occupied >> slot & 1 == 1;
        let chosen = labels.iter().enumerate().filter(|&(_, label)| label != 0);
        let is_open = labels.is_legal(self.plan.slots())
            && !labels.has(Labels::<W, BITS>::RESERVED)
            && chosen.map(|(slot, _)| slot).all(is_occupied)
            && dominated.plugs().all(is_occupied)
            && (self.dominating || dominated.is_empty());
        is_open || (labels == Self::complete() && dominated.is_empty())
    }
}

/// The proper colourings of a graph: a colour for each vertex, such that neighbours differ.
///
/// Cells are vertices, in the [order of their last edges](Order::vertices). A state has the colour
/// of each earlier vertex that has later neighbours, in `BITS` bits; by default, 16 vertices,
/// with the current one, and 14 colours fit, and in `Colourings::<u128, 5>` 25 and 30. The label of
/// a vertex is its colour, from 0. Parallel edges make no difference. A graph with a loop has no
/// proper colouring.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::Colourings;
///
/// let cycle = Graph::cycle(7)?;
/// let colourings = Colourings::new(&Order::narrowest(&cycle), 3);
/// assert_eq!(Sweep::new(&colourings).count().exact(), Some(2_u128.pow(7) - 2)); // Birkhoff, 1912
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
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
            let differs = cell.behind().iter().all(|&slot| state.get(slot) != colour + 1);
            if differs && !cell.has_loop() {
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
