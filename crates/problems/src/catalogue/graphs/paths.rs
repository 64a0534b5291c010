//! Paths and cycles of any graph, with a frontier of mates: [`HamiltonianCycles`],
//! [`SimpleCycles`], [`HamiltonianPaths`] and [`SimplePaths`].

use secateurs::plug::code::{Joined, Mates, PathEnds, Role, Word};
use secateurs::plug::graph::{Cell, End, FrontierPlan, Order};
use secateurs::plug::{ContourProblem, TooWide};

use crate::InstanceError;

/// The sets of edges to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PathRule {
    /// Every vertex must be visited.
    visit_all: bool,
    /// The ends of the path, if it is not a cycle.
    ends: Ends,
}

/// The ends of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// A cycle without ends.
    None,
    /// A path between these two vertices.
    At([usize; 2]),
    /// A path between any two vertices.
    Anywhere,
}

/// The common implementation of the four problems: the steps of a sweep for one cycle or path,
/// according to a [`PathRule`].
///
/// When the cycle or path is complete, the state is [`closed`], and no further edge may be taken.
#[derive(Clone, Debug)]
struct PathSweep<W: Word> {
    frontier: FrontierPlan,
    rule: PathRule,
    /// For each cell, the state in which all vertices of the frontier are inner, before the
    /// vertices of the cell leave.
    all_inner: Vec<Mates<W>>,
}

/// Returns the state of a complete path or cycle: a word that no other state has.
fn closed<W: Word>() -> Mates<W> {
    Mates::from_word(!W::ZERO)
}

impl<W: Word> PathSweep<W> {
    fn new(order: &Order<'_>, rule: PathRule) -> Self {
        let frontier = FrontierPlan::new(order);
        let mut state = Mates::EMPTY;
        // A sweep stops at the first cell that does not fit.
        let fits = |cell: &&Cell| Mates::<W>::fits(cell.slots()).is_ok();
        let all_inner = frontier.cells().iter().take_while(fits).map(|cell| {
            let entering = cell.ends().into_iter().filter(|end| end.enters());
            let all_inner = entering.fold(state, |state, end| state.with_inner(end.slot()));
            state = Self::leave(cell, all_inner);
            all_inner
        });
        let all_inner = all_inner.collect();
        PathSweep { frontier, rule, all_inner }
    }

    /// Removes the vertices that leave with this cell.
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
        // A single vertex is a path without edges that ends there on both sides.
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
                (self.rule.ends == Ends::None && self.is_whole_solution(cell, next)).then(closed)
            }
            Some(Joined::Complete(next)) => self.is_whole_solution(cell, next).then(closed),
        };
        if let Some(next) = next {
            emit(next, true);
        }
    }

    /// Marks a given end of the path as a loose end when it enters the frontier.
    #[inline]
    fn enter(&self, end: End, state: Mates<W>) -> Mates<W> {
        match self.rule.ends {
            Ends::At(ends) if end.enters() && ends.contains(&end.vertex()) => {
                state.with_loose(end.slot())
            }
            _ => state,
        }
    }

    /// Returns whether a path or cycle that was just closed is the whole solution: no other path is
    /// begun, and no other vertex has to be visited.
    #[inline]
    fn is_whole_solution(&self, cell: usize, state: Mates<W>) -> bool {
        if self.rule.visit_all {
            state == self.all_inner[cell] && self.frontier.cells()[cell].to_come() == 0
        } else {
            !state.has_ends()
        }
    }

    /// Returns the state without the vertices that leave, or [`closed`] if the path ends at one of
    /// them and is the whole solution; `None` if an end of the edge has too few edges left.
    #[inline]
    fn settle(&self, cell: usize, mut state: Mates<W>) -> Option<Mates<W>> {
        let place = &self.frontier.cells()[cell];
        let ends_anywhere = self.rule.ends == Ends::Anywhere;
        for end in place.ends() {
            let (role, later) = (state.role(end.slot()), end.later());
            match role {
                Role::Inner => {}
                Role::Untouched
                    if self.rule.visit_all && later < 2 - usize::from(ends_anywhere) =>
                {
                    return None;
                }
                Role::Untouched => {}
                Role::End(_) | Role::Loose if later > 0 => {}
                Role::End(_) if ends_anywhere && state.loose_ends() < 2 => {
                    state = state.close(end.slot()).state().with_inner(end.slot())
                }
                Role::Loose if ends_anywhere => {
                    let whole = state.close(end.slot()).state().with_inner(end.slot());
                    return self.is_whole_solution(cell, whole).then(closed);
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

/// Implements [`ContourProblem`] for a structure around [`PathSweep`].
macro_rules! path_problem {
    ($name:ident) => {
        impl<W: Word> $name<W> {
            /// Returns the plan of the sweep. Its [`taken`](FrontierPlan::taken) converts labels to
            /// edges.
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
            fn is_legal(&self, _: usize, state: Mates<W>) -> bool {
                state == closed() || state.len() <= self.0.frontier.slots()
            }
        }
    };
}

/// The Hamiltonian cycles of a graph: cycles that visit every vertex once.
///
/// A state has for each vertex of the frontier whether it is untouched, inner, or an end of a path,
/// and the other end of this path. Taking an edge joins two ends. A state is dropped
///
/// - when a vertex has fewer edges left than it needs,
/// - when a cycle closes before all vertices are visited.
///
/// Cycles have no direction and no start. A graph of fewer than three vertices has none. A label
/// states whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::HamiltonianCycles;
///
/// let king = Graph::king(4, 4)?;
/// let tours = HamiltonianCycles::new(&Order::narrowest(&king));
/// assert_eq!(Sweep::new(&tours).count().exact(), Some(2830));
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
///
/// (Square grids of even side: OEIS A003763. Closed knight's tours of boards of even side:
/// A001230.)
#[derive(Clone, Debug)]
pub struct HamiltonianCycles<W: Word = u64>(PathSweep<W>);

impl HamiltonianCycles {
    /// Creates the problem for the graph of `order`, with a frontier of up to 16 slots.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> HamiltonianCycles<W> {
    /// Creates the problem with as many slots as [`Mates`] have in this word: 25 in a `u128`.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        HamiltonianCycles(PathSweep::new(order, PathRule { visit_all: true, ends: Ends::None }))
    }
}

path_problem!(HamiltonianCycles);

/// The simple cycles of a graph: cycles of any length that visit no vertex twice.
///
/// The problem differs from [`HamiltonianCycles`] in that vertices may stay untouched, and that a
/// cycle may close as soon as no other path is begun. Then no further edge is taken.
///
/// Cycles have no direction and no start, and at least three edges. A label states whether an edge
/// is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::SimpleCycles;
///
/// let graph = Graph::complete(4)?;
/// let cycles = SimpleCycles::new(&Order::as_given(&graph));
/// // 4 cycles of length 3, and 3 cycles of length 4.
/// assert_eq!(Sweep::new(&cycles).count().exact(), Some(4 + 3));
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
///
/// (Square grids: OEIS A140517; complete graphs: A002807.)
#[derive(Clone, Debug)]
pub struct SimpleCycles<W: Word = u64>(PathSweep<W>);

impl SimpleCycles {
    /// Creates the problem for the graph of `order`, with a frontier of up to 16 slots.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> SimpleCycles<W> {
    /// Creates the problem with as many slots as [`Mates`] have in this word: 25 in a `u128`.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        SimpleCycles(PathSweep::new(order, PathRule { visit_all: false, ends: Ends::None }))
    }
}

path_problem!(SimpleCycles);

/// The Hamiltonian paths of a graph: paths that visit every vertex once.
///
/// Between two given vertices, the problem is [`SimplePaths`] with the additional rules of
/// [`HamiltonianCycles`]. If the ends are not given, any vertex may leave the frontier as an end of
/// the path, which makes the path's other end a loose end; this may happen at most twice.
///
/// Paths have no direction. A single vertex is a path from itself to itself; it counts if the
/// ends are not given. A label states whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::HamiltonianPaths;
///
/// let grid = Graph::grid(&[3, 3])?;
/// let order = Order::narrowest(&grid);
/// let between = HamiltonianPaths::between(&order, 0, 8)?;
/// assert_eq!(Sweep::new(&between).count().exact(), Some(2));
/// assert_eq!(Sweep::new(&HamiltonianPaths::anywhere(&order)).count().exact(), Some(20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HamiltonianPaths<W: Word = u64>(PathSweep<W>);

impl HamiltonianPaths {
    /// Creates the problem of paths from vertex `from` to vertex `to` of the graph of `order`, with
    /// a frontier of up to 16 slots.
    ///
    /// # Errors
    ///
    /// Returns an [`InstanceError`] unless they are two different vertices.
    pub fn between(order: &Order<'_>, from: usize, to: usize) -> Result<Self, InstanceError> {
        Self::between_with_word(order, from, to)
    }

    /// Creates the problem of paths with any ends, each counted once, of the graph of `order`, with
    /// a frontier of up to 16 slots.
    #[must_use]
    pub fn anywhere(order: &Order<'_>) -> Self {
        Self::anywhere_with_word(order)
    }
}

impl<W: Word> HamiltonianPaths<W> {
    /// Creates the problem of [`between`](HamiltonianPaths::between) with as many slots as
    /// [`Mates`] have in this word: 25 in a `u128`.
    ///
    /// # Errors
    ///
    /// Returns an [`InstanceError`] unless they are two different vertices.
    pub fn between_with_word(
        order: &Order<'_>,
        from: usize,
        to: usize,
    ) -> Result<Self, InstanceError> {
        let ends = ends(order, from, to)?;
        Ok(HamiltonianPaths(PathSweep::new(order, PathRule { visit_all: true, ends })))
    }

    /// Creates the problem of [`anywhere`](HamiltonianPaths::anywhere) with as many slots as
    /// [`Mates`] have in this word.
    #[must_use]
    pub fn anywhere_with_word(order: &Order<'_>) -> Self {
        HamiltonianPaths(PathSweep::new(order, PathRule { visit_all: true, ends: Ends::Anywhere }))
    }
}

path_problem!(HamiltonianPaths);

/// The simple paths between two vertices of a graph: paths that visit no vertex twice.
///
/// This is Knuth's `SIMPATH` (*The Art of Computer Programming* 4A, 2011, exercise 7.1.4–225), with
/// layers of states in place of the decision diagram. The problem differs from [`SimpleCycles`] in
/// that the two ends enter as *loose ends*, as if a path had led there from outside. The path is
/// whole when the two loose ends meet.
///
/// A label states whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::SimplePaths;
///
/// let grid = Graph::grid(&[4, 4])?;
/// let paths = SimplePaths::new(&Order::narrowest(&grid), 0, 15)?;
/// assert_eq!(Sweep::new(&paths).count().exact(), Some(184));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// (Corner to corner of square grids: OEIS A007764.)
#[derive(Clone, Debug)]
pub struct SimplePaths<W: Word = u64>(PathSweep<W>);

impl SimplePaths {
    /// Creates the problem of paths from vertex `from` to vertex `to` of the graph of `order`, with
    /// a frontier of up to 16 slots.
    ///
    /// # Errors
    ///
    /// Returns an [`InstanceError`] unless they are two different vertices.
    pub fn new(order: &Order<'_>, from: usize, to: usize) -> Result<Self, InstanceError> {
        Self::with_word(order, from, to)
    }
}

impl<W: Word> SimplePaths<W> {
    /// Creates the problem with as many slots as [`Mates`] have in this word: 25 in a `u128`.
    ///
    /// # Errors
    ///
    /// Returns an [`InstanceError`] unless they are two different vertices.
    pub fn with_word(order: &Order<'_>, from: usize, to: usize) -> Result<Self, InstanceError> {
        let ends = ends(order, from, to)?;
        Ok(SimplePaths(PathSweep::new(order, PathRule { visit_all: false, ends })))
    }
}

path_problem!(SimplePaths);
