//! What all profiles of paths and cycles over a graph have in common: [`Paths`], a frontier of
//! mates.

use crate::plug::code::{Joined, Mates, Role, Word};
use crate::plug::graph::{Cell, End, FrontierPlan, Order};
use crate::plug::{ContourProblem, TooWide};
use crate::problems::InstanceError;

/// Which sets of edges are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PathRule {
    /// Every vertex is to be visited.
    visit_all: bool,
    /// Where the set ends: nowhere if it is a cycle.
    ends: Ends,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// A cycle.
    None,
    /// A path between these two vertices.
    At([usize; 2]),
    /// A path between any two vertices.
    Anywhere,
}

/// The steps of a sweep for one cycle or path, according to a [`PathRule`].
///
/// A state is closed when the cycle or path is: then nothing is remembered, and no edge may follow.
#[derive(Clone, Debug)]
struct Paths<W: Word> {
    frontier: FrontierPlan,
    rule: PathRule,
    /// For each cell, the state in which a path goes through each vertex of the frontier, those
    /// that leave included.
    through: Vec<Mates<W>>,
}

/// What a state without a name of its own stands for: the path or cycle is closed.
fn closed<W: Word>() -> Mates<W> {
    Mates::from_word(!W::ZERO)
}

impl<W: Word> Paths<W> {
    fn new(order: &Order<'_>, rule: PathRule) -> Self {
        let frontier = FrontierPlan::new(order);
        let mut all = Mates::EMPTY;
        let fits = |cell: &&Cell| Mates::<W>::fits(cell.slots()).is_ok();
        let through = frontier.cells().iter().take_while(fits).map(|cell| {
            let entering = cell.ends().into_iter().filter(|end| end.enters());
            let through = entering.fold(all, |all, end| all.with_inner(end.slot()));
            all = Self::leave(cell, through);
            through
        });
        let through = through.collect();
        Paths { frontier, rule, through }
    }

    /// Those that have no edge left are gone.
    #[inline]
    fn leave(cell: &Cell, state: Mates<W>) -> Mates<W> {
        cell.ends()
            .into_iter()
            .filter(|end| end.leaves())
            .fold(state, |state, end| state.without(end.slot()))
    }

    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        Mates::<W>::fits(self.frontier.cells()[cell].slots())
    }

    fn accept(&self, state: Mates<W>) -> bool {
        let visited = !self.rule.visit_all || self.frontier.isolated() == 0;
        // A single vertex is a path without edges, which ends there on both sides.
        let alone = self.rule == PathRule { visit_all: true, ends: Ends::Anywhere }
            && self.frontier.vertices() == 1;
        alone || (state == closed() && visited)
    }

    #[inline]
    fn step(&self, cell: usize, state: Mates<W>, emit: &mut impl FnMut(Mates<W>, bool)) {
        if state == closed() {
            emit(state, false);
            return;
        }
        let place = &self.frontier.cells()[cell];
        let [one, other] = place.ends();
        let state = self.enter(one, self.enter(other, state));
        if let Some(next) = self.settle(cell, state) {
            emit(next, false);
        }
        let next = match state.join(one.slot(), other.slot()) {
            None => None,
            Some(Joined::Path(next)) => self.settle(cell, next),
            Some(Joined::Loop(next)) => {
                (self.rule.ends == Ends::None && self.is_last(cell, next)).then(closed)
            }
            Some(Joined::Whole(next)) => self.is_last(cell, next).then(closed),
        };
        if let Some(next) = next {
            emit(next, true);
        }
    }

    /// A vertex at which the path has to end is a loose end of nothing when it comes in.
    #[inline]
    fn enter(&self, end: End, state: Mates<W>) -> Mates<W> {
        match self.rule.ends {
            Ends::At(ends) if end.enters() && ends.contains(&end.vertex()) => {
                state.with_loose(end.slot())
            }
            _ => state,
        }
    }

    /// Whether a path or cycle that was just closed may be the only one: nothing else is begun, or
    /// to be visited.
    #[inline]
    fn is_last(&self, cell: usize, state: Mates<W>) -> bool {
        if self.rule.visit_all {
            state == self.through[cell] && self.frontier.cells()[cell].to_come() == 0
        } else {
            !state.has_ends()
        }
    }

    /// The state without the vertices that leave; `None` if one of the edge's ends has too few
    /// edges left.
    #[inline]
    fn settle(&self, cell: usize, mut state: Mates<W>) -> Option<Mates<W>> {
        let place = &self.frontier.cells()[cell];
        let free = self.rule.ends == Ends::Anywhere;
        for end in place.ends() {
            let (role, later) = (state.get(end.slot()), end.later());
            match role {
                Role::Inner => {}
                Role::Untouched if self.rule.visit_all && later < 2 - usize::from(free) => {
                    return None;
                }
                Role::Untouched => {}
                Role::End(_) | Role::Loose if later > 0 => {}
                Role::End(_) if free && state.loose_ends() < 2 => {
                    state = state.close(end.slot()).state().with_inner(end.slot())
                }
                Role::Loose if free => {
                    let whole = state.close(end.slot()).state().with_inner(end.slot());
                    return self.is_last(cell, whole).then(closed);
                }
                Role::End(_) | Role::Loose => return None,
            }
        }
        Some(Self::leave(place, state))
    }
}

/// Returns the ends of a path between two vertices.
///
/// # Errors
///
/// Returns an error unless they are two different vertices of the graph.
fn ends(order: &Order<'_>, from: usize, to: usize) -> Result<Ends, InstanceError> {
    let vertices = order.graph().vertices();
    match [from, to].into_iter().find(|&vertex| vertex >= vertices) {
        Some(vertex) => Err(InstanceError::new(format!(
            "found vertex {vertex} as an end, expected one of {vertices} vertices counted from 0"
        ))),
        None if from == to => Err(InstanceError::new(format!(
            "found vertex {from} as both ends, expected two different ones (counted from 0)"
        ))),
        None => Ok(Ends::At([from, to])),
    }
}

/// Makes a profile of a structure around [`Paths`].
macro_rules! path_problem {
    ($name:ident) => {
        impl<W: Word> $name<W> {
            /// The edges in their order, with what becomes of the frontier. Its
            /// [`taken`](FrontierPlan::taken) gives the edges of a solution.
            #[must_use]
            pub fn frontier(&self) -> &FrontierPlan {
                &self.0.frontier
            }
        }

        impl<W: Word> ContourProblem for $name<W> {
            type State = Mates<W>;
            /// Whether the edge is taken.
            type Label = bool;

            fn cells(&self) -> usize {
                self.0.frontier.cells().len()
            }
            fn start(&self) -> Mates<W> {
                Mates::EMPTY
            }
            #[inline]
            fn step(&self, cell: usize, state: Mates<W>, emit: &mut impl FnMut(Mates<W>, bool)) {
                self.0.step(cell, state, emit);
            }
            fn accept(&self, state: Mates<W>) -> bool {
                self.0.accept(state)
            }
            fn fits(&self, cell: usize) -> Result<(), TooWide> {
                self.0.fits(cell)
            }
        }
    };
}

/// The Hamiltonian cycles of a graph: cycles that visit every vertex once.
///
/// Of the part of a cycle behind the frontier, a state knows for each vertex of the frontier
/// whether it is untouched, has a path going through, or is an end of a path, and then of which.
/// Taking an edge joins two ends; leaving it out takes nothing. A state dies
///
/// - when a vertex has fewer edges left than it still needs,
/// - when a cycle closes and any vertex is still to be visited.
///
/// Cycles have no direction and no beginning. A graph of fewer than three vertices has none. Labels
/// say whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::HamiltonianCycles;
///
/// let king = Graph::king(4, 4)?;
/// let tours = HamiltonianCycles::new(&Order::narrowest(&king));
/// assert_eq!(Sweep::new(&tours).count().exact(), Some(2830));
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
///
/// (Square grids of even side: OEIS A003763. Closed knight's tours, directed: A001230.)
#[derive(Clone, Debug)]
pub struct HamiltonianCycles<W: Word = u64>(Paths<W>);

impl HamiltonianCycles {
    /// The Hamiltonian cycles of the graph of `order`, whose frontier has up to 16 slots.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> HamiltonianCycles<W> {
    /// The same, for frontiers as wide as [`Mates`] in such a word: 25 slots in a `u128`.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        HamiltonianCycles(Paths::new(order, PathRule { visit_all: true, ends: Ends::None }))
    }
}

path_problem!(HamiltonianCycles);

/// The simple cycles of a graph: those that visit no vertex twice, of any length.
///
/// As for [`HamiltonianCycles`](HamiltonianCycles), but a vertex may stay untouched for
/// ever, and a cycle may close as soon as no other path is begun. After that no edge is taken, and
/// nothing is remembered.
///
/// Cycles have no direction and no beginning, and at least three edges. Labels say whether an edge
/// is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::SimpleCycles;
///
/// let graph = Graph::complete(4)?;
/// let cycles = SimpleCycles::new(&Order::as_given(&graph));
/// assert_eq!(Sweep::new(&cycles).count().exact(), Some(4 + 3)); // 4 triangles and 3 cycles of length 4
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
///
/// (Square grids: OEIS A140517; complete graphs: A002807.)
#[derive(Clone, Debug)]
pub struct SimpleCycles<W: Word = u64>(Paths<W>);

impl SimpleCycles {
    /// The simple cycles of the graph of `order`, whose frontier has up to 16 slots.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> SimpleCycles<W> {
    /// The same, for frontiers as wide as [`Mates`] in such a word: 25 slots in a `u128`.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        SimpleCycles(Paths::new(order, PathRule { visit_all: false, ends: Ends::None }))
    }
}

path_problem!(SimpleCycles);

/// The Hamiltonian paths of a graph: those that visit every vertex once.
///
/// Between two given vertices, these are [`SimplePaths`](SimplePaths) with the dying rules
/// of [`HamiltonianCycles`](HamiltonianCycles). If the ends are not given, any vertex may
/// leave the frontier as the end of a path, which makes the path's other end a loose one; but only
/// two may.
///
/// Paths have no direction. A single vertex is a path, from itself to itself; it counts if the ends
/// are not given. Labels say whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::HamiltonianPaths;
///
/// let grid = Graph::grid(&[3, 3])?;
/// let order = Order::narrowest(&grid);
/// let between = HamiltonianPaths::between(&order, 0, 8)?;
/// assert_eq!(Sweep::new(&between).count().exact(), Some(2));
/// assert_eq!(Sweep::new(&HamiltonianPaths::anywhere(&order)).count().exact(), Some(20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HamiltonianPaths<W: Word = u64>(Paths<W>);

impl HamiltonianPaths {
    /// The Hamiltonian paths from vertex `from` to vertex `to` of the graph of `order`, whose
    /// frontier has up to 16 slots.
    ///
    /// # Errors
    /// [`InstanceError`] unless they are two different vertices.
    pub fn between(order: &Order<'_>, from: usize, to: usize) -> Result<Self, InstanceError> {
        Self::between_with_word(order, from, to)
    }

    /// The Hamiltonian paths from anywhere to anywhere, each once, of the graph of `order`, whose
    /// frontier has up to 16 slots.
    #[must_use]
    pub fn anywhere(order: &Order<'_>) -> Self {
        Self::anywhere_with_word(order)
    }
}

impl<W: Word> HamiltonianPaths<W> {
    /// The same as [`between`](HamiltonianPaths::between), for frontiers as wide as [`Mates`] in
    /// such a word: 25 slots in a `u128`.
    ///
    /// # Errors
    /// [`InstanceError`] unless they are two different vertices.
    pub fn between_with_word(
        order: &Order<'_>,
        from: usize,
        to: usize,
    ) -> Result<Self, InstanceError> {
        let ends = ends(order, from, to)?;
        Ok(HamiltonianPaths(Paths::new(order, PathRule { visit_all: true, ends })))
    }

    /// The same as [`anywhere`](HamiltonianPaths::anywhere), for frontiers as wide as [`Mates`] in
    /// such a word.
    #[must_use]
    pub fn anywhere_with_word(order: &Order<'_>) -> Self {
        HamiltonianPaths(Paths::new(order, PathRule { visit_all: true, ends: Ends::Anywhere }))
    }
}

path_problem!(HamiltonianPaths);

/// The simple paths between two vertices of a graph: those that visit no vertex twice.
///
/// This is Knuth's `SIMPATH` (*The Art of Computer Programming* 4A, 2011, exercise 7.1.4–225), with
/// layers of states in place of the diagram. As for [`SimpleCycles`](SimpleCycles), but the
/// two ends come in as *loose ends*: as if a path had led there from outside. It is whole when the
/// one loose end meets the other.
///
/// Labels say whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::SimplePaths;
///
/// let grid = Graph::grid(&[4, 4])?;
/// let paths = SimplePaths::new(&Order::narrowest(&grid), 0, 15)?;
/// assert_eq!(Sweep::new(&paths).count().exact(), Some(184));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// (Corner to corner of square grids: OEIS A007764.)
#[derive(Clone, Debug)]
pub struct SimplePaths<W: Word = u64>(Paths<W>);

impl SimplePaths {
    /// The simple paths from vertex `from` to vertex `to` of the graph of `order`, whose frontier
    /// has up to 16 slots.
    ///
    /// # Errors
    /// [`InstanceError`] unless they are two different vertices.
    pub fn new(order: &Order<'_>, from: usize, to: usize) -> Result<Self, InstanceError> {
        Self::with_word(order, from, to)
    }
}

impl<W: Word> SimplePaths<W> {
    /// The same, for frontiers as wide as [`Mates`] in such a word: 25 slots in a `u128`.
    ///
    /// # Errors
    /// [`InstanceError`] unless they are two different vertices.
    pub fn with_word(order: &Order<'_>, from: usize, to: usize) -> Result<Self, InstanceError> {
        let ends = ends(order, from, to)?;
        Ok(SimplePaths(Paths::new(order, PathRule { visit_all: false, ends })))
    }
}

path_problem!(SimplePaths);
