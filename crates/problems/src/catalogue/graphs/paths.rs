//! Paths and cycles of any graph, with a frontier of mates: [`HamiltonianCycles`],
//! [`SimpleCycles`], [`HamiltonianPaths`] and [`SimplePaths`]; and those of them that follow the
//! directions of the edges, [`Directed`].

use crate::graph::{Cell, End, FrontierPlan, Order};
use secateurs::plug::code::{Bits, Joined, Mates, PathEnds, Role, Word};
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
    /// A path between these two vertices, from the first one.
    At([usize; 2]),
    /// A path from this vertex to any other one.
    From(usize),
    /// A path between any two vertices.
    Anywhere,
}

impl Ends {
    /// Returns whether a path must end at this vertex.
    fn contains(self, vertex: usize) -> bool {
        match self {
            Ends::At(ends) => ends.contains(&vertex),
            Ends::From(start) => vertex == start,
            Ends::None | Ends::Anywhere => false,
        }
    }

    /// Returns whether a path may end at any vertex, on one side at least.
    fn are_free(self) -> bool {
        matches!(self, Ends::From(_) | Ends::Anywhere)
    }
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
    /// The cell in which the start of a path to any vertex enters the frontier.
    start_enters: usize,
    /// The set without edges is a path: the only vertex, or the start.
    is_path_without_edges: bool,
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
        let graph = order.graph();
        let (start_enters, is_path_without_edges) = match rule.ends {
            Ends::From(start) => {
                let enters =
                    |cell: &Cell| cell.ends().iter().any(|e| e.enters() && e.vertex() == start);
                let entry = frontier.cells().iter().position(enters);
                let may_be_alone = !rule.visit_all || graph.vertices() == 1;
                (entry.unwrap_or(usize::MAX), entry.is_none() && may_be_alone)
            }
            Ends::Anywhere => (0, rule.visit_all && graph.vertices() == 1),
            Ends::None | Ends::At(_) => (0, false),
        };
        PathSweep { frontier, rule, all_inner, start_enters, is_path_without_edges }
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
        match state == closed() {
            true => visited,
            false => self.is_path_without_edges,
        }
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
        let joined = match place.is_loop() {
            true => (state.role(one.slot()) == Role::Untouched)
                .then(|| Joined::Loop(state.with_inner(one.slot()))),
            false => state.join(one.slot(), other.slot()),
        };
        let next = match joined {
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
        match end.enters() && self.rule.ends.contains(end.vertex()) {
            true => state.with_loose(end.slot()),
            false => state,
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
        let may_end = self.rule.ends.are_free();
        let start_to_come = usize::from(cell < self.start_enters);
        for end in place.ends() {
            let (role, later) = (state.role(end.slot()), end.later());
            match role {
                Role::Inner => {}
                Role::Untouched
                    if self.rule.visit_all
                        && later < 2 - usize::from(may_end)
                        && !self.is_path_without_edges =>
                {
                    return None;
                }
                Role::Untouched => {}
                Role::End(_) | Role::Loose if later > 0 => {}
                // Each of the two ends of the path is a loose end from then on.
                Role::End(_) if may_end && state.loose_ends() + start_to_come < 2 => {
                    state = state.close(end.slot()).state().with_inner(end.slot())
                }
                Role::Loose if may_end && start_to_come == 0 => {
                    let whole = state.close(end.slot()).state().with_inner(end.slot());
                    return self.is_whole_solution(cell, whole).then(closed);
                }
                Role::End(_) | Role::Loose => return None,
            }
        }
        Some(Self::leave(place, state))
    }

    fn is_legal(&self, state: Mates<W>) -> bool {
        state == closed() || state.len() <= self.frontier.slots()
    }
}

/// Returns the ends of a path between two vertices, or from one to any other.
///
/// # Errors
///
/// Returns an error unless they are different vertices of the graph.
fn ends(order: &Order<'_>, from: usize, to: Option<usize>) -> Result<Ends, InstanceError> {
    let vertices = order.graph().vertices();
    match [Some(from), to].into_iter().flatten().find(|&vertex| vertex >= vertices) {
        Some(vertex) => Err(InstanceError::new(format!(
            "found vertex {vertex} as an end, expected one of {vertices} vertices counted from 0"
        ))),
        None if to == Some(from) => Err(InstanceError::new(format!(
            "found vertex {from} as both ends, expected two different ones (counted from 0)"
        ))),
        None => Ok(to.map_or(Ends::From(from), |to| Ends::At([from, to]))),
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

            /// Restricts the problem to solutions that follow the directions of the edges.
            #[must_use]
            pub fn directed(self) -> Directed<W> {
                Directed(self.0)
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
                self.0.is_legal(state)
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
/// Cycles have no direction and no start. In a multigraph, two parallel edges are a cycle of two
/// vertices, and a loop is a cycle of one; a simple graph of fewer than three vertices has none. A
/// label states whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::HamiltonianCycles;
///
/// let king = Graph::king(4, 4)?;
/// let tours = HamiltonianCycles::new(&Order::narrowest(&king));
/// assert_eq!(Sweep::new(&tours).count().exact(), Some(2830));
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
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
/// Cycles have no direction and no start. They have at least three edges, except that in a
/// multigraph two parallel edges are a cycle, and so is a loop. A label states whether an edge is
/// taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::SimpleCycles;
///
/// let graph = Graph::complete(4)?;
/// let cycles = SimpleCycles::new(&Order::as_given(&graph));
/// // 4 cycles of length 3, and 3 cycles of length 4.
/// assert_eq!(Sweep::new(&cycles).count().exact(), Some(4 + 3));
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
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
/// [`HamiltonianCycles`]. If an end is not given, any vertex may leave the frontier as an end of
/// the path, which makes the path's other end a loose end; this may happen at most twice.
///
/// Paths have no direction. A single vertex is a path from itself to itself; it counts unless both
/// ends are given. Paths that differ in parallel edges are different; no path has a loop. A label
/// states whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
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

    /// Creates the problem of paths from vertex `from` to any vertex of the graph of `order`, with
    /// a frontier of up to 16 slots.
    ///
    /// # Errors
    ///
    /// Returns an [`InstanceError`] unless it is a vertex.
    pub fn starting_at(order: &Order<'_>, from: usize) -> Result<Self, InstanceError> {
        Self::starting_at_with_word(order, from)
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
        let ends = ends(order, from, Some(to))?;
        Ok(HamiltonianPaths(PathSweep::new(order, PathRule { visit_all: true, ends })))
    }

    /// Creates the problem of [`starting_at`](HamiltonianPaths::starting_at) with as many slots as
    /// [`Mates`] have in this word.
    ///
    /// # Errors
    ///
    /// Returns an [`InstanceError`] unless it is a vertex.
    pub fn starting_at_with_word(order: &Order<'_>, from: usize) -> Result<Self, InstanceError> {
        let ends = ends(order, from, None)?;
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

/// The simple paths between two vertices of a graph, or from one: paths that visit no vertex twice.
///
/// This is Knuth's `SIMPATH` (*The Art of Computer Programming* 4A, 2011, exercise 7.1.4–225), with
/// layers of states in place of the decision diagram. The problem differs from [`SimpleCycles`] in
/// that the two ends enter as *loose ends*, as if a path had led there from outside. The path is
/// whole when the two loose ends meet. If only one end is given, any vertex may leave the frontier
/// as the other end, and a path may have no edge.
///
/// Paths that differ in parallel edges are different; no path has a loop. A label states whether an
/// edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::SimplePaths;
///
/// let grid = Graph::grid(&[4, 4])?;
/// let paths = SimplePaths::new(&Order::narrowest(&grid), 0, 15)?;
/// assert_eq!(Sweep::new(&paths).count().exact(), Some(184));
///
/// // A pentagon: of each length up to 4, one path in each direction, and the start alone.
/// let pentagon = Graph::cycle(5)?;
/// let paths = SimplePaths::starting_at(&Order::narrowest(&pentagon), 0)?;
/// assert_eq!(Sweep::new(&paths).count().exact(), Some(2 * 4 + 1));
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

    /// Creates the problem of paths from vertex `from` to any vertex of the graph of `order`, with
    /// a frontier of up to 16 slots.
    ///
    /// # Errors
    ///
    /// Returns an [`InstanceError`] unless it is a vertex.
    pub fn starting_at(order: &Order<'_>, from: usize) -> Result<Self, InstanceError> {
        Self::starting_at_with_word(order, from)
    }
}

impl<W: Word> SimplePaths<W> {
    /// Creates the problem with as many slots as [`Mates`] have in this word: 25 in a `u128`.
    ///
    /// # Errors
    ///
    /// Returns an [`InstanceError`] unless they are two different vertices.
    pub fn with_word(order: &Order<'_>, from: usize, to: usize) -> Result<Self, InstanceError> {
        let ends = ends(order, from, Some(to))?;
        Ok(SimplePaths(PathSweep::new(order, PathRule { visit_all: false, ends })))
    }

    /// Creates the problem of [`starting_at`](SimplePaths::starting_at) with as many slots as
    /// [`Mates`] have in this word.
    ///
    /// # Errors
    ///
    /// Returns an [`InstanceError`] unless it is a vertex.
    pub fn starting_at_with_word(order: &Order<'_>, from: usize) -> Result<Self, InstanceError> {
        let ends = ends(order, from, None)?;
        Ok(SimplePaths(PathSweep::new(order, PathRule { visit_all: false, ends })))
    }
}

path_problem!(SimplePaths);

/// The paths or cycles of another problem that follow the directions of the edges. Made by its
/// method `directed`, such as [`HamiltonianCycles::directed`].
///
/// Each edge leads from the first of its two vertices in [`Graph::edges`] to the second one. Cycles
/// and paths of a simple graph in both directions are those of [`Graph::both_directions`]. A path
/// between two given vertices leads from the first to the second, and a path with one given end
/// from that one. There are cycles of two edges, in opposite directions, and of one, a loop.
///
/// A state has, beside the mates, one bit for each end of a path: whether the path leads to that
/// end, so that it continues from there, or from it. Only ends that differ in it are joined.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::HamiltonianPaths;
///
/// // A tournament has an odd number of Hamiltonian paths (Rédei, 1934).
/// let tournament = Graph::multigraph(4, [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)])?;
/// let paths = HamiltonianPaths::anywhere(&Order::narrowest(&tournament)).directed();
/// assert_eq!(Sweep::new(&paths).count().exact(), Some(3));
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
/// ```
///
/// [`Graph::edges`]: crate::graph::Graph::edges
/// [`Graph::both_directions`]: crate::graph::Graph::both_directions
#[derive(Clone, Debug)]
pub struct Directed<W: Word = u64>(PathSweep<W>);

impl<W: Word> Directed<W> {
    /// Returns the plan of the sweep. Its [`taken`](FrontierPlan::taken) converts labels to edges.
    #[must_use]
    pub fn frontier(&self) -> &FrontierPlan {
        &self.0.frontier
    }
}

impl<W: Word> ContourProblem for Directed<W> {
    /// The ends of paths, and which of them the path leads to.
    type State = (Mates<W>, Bits<W>);
    /// Whether the edge is taken.
    type Label = bool;

    fn cells(&self) -> usize {
        self.0.frontier.cells().len()
    }
    fn start(&self) -> Self::State {
        (Mates::EMPTY, Bits::EMPTY)
    }
    #[inline]
    fn step(
        &self,
        cell: usize,
        (mates, mut heads): Self::State,
        emit: &mut impl FnMut(Self::State, bool),
    ) {
        let place = &self.0.frontier.cells()[cell];
        let [tail, head] = place.ends();
        // A path continues from its start as if it led there.
        let starts_at = |vertex| match self.0.rule.ends {
            Ends::At([start, _]) | Ends::From(start) => vertex == start,
            Ends::None | Ends::Anywhere => false,
        };
        for end in [tail, head].into_iter().filter(|end| end.enters()) {
            heads = heads.with(end.slot(), starts_at(end.vertex()));
        }
        let before = self.0.enter(tail, self.0.enter(head, mates));
        let is_free = |end: End| before.role(end.slot()) == Role::Untouched;
        let may_take =
            (is_free(tail) || heads.get(tail.slot())) && (is_free(head) || !heads.get(head.slot()));
        let taken_heads = heads.with(tail.slot(), false).with(head.slot(), is_free(head));
        self.0.step(cell, mates, &mut |next, taken| {
            if next == closed() {
                if !taken || may_take {
                    emit((next, Bits::EMPTY), taken);
                }
                return;
            }
            let heads = if taken { taken_heads } else { heads };
            let heads = place
                .ends()
                .into_iter()
                .filter(|end| end.leaves())
                .fold(heads, |heads, end| heads.with(end.slot(), false));
            // Two loose ends are joined at last, so they must differ.
            let mut loose = next.roles().filter(|&(_, role)| role == Role::Loose);
            let never_meet = match (loose.next(), loose.next()) {
                (Some((one, _)), Some((other, _))) => heads.get(one) == heads.get(other),
                _ => false,
            };
            if (!taken || may_take) && !never_meet {
                emit((next, heads), taken);
            }
        });
    }
    fn accept(&self, (mates, _): Self::State) -> bool {
        self.0.accept(mates)
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.0.fits(cell)
    }
    fn is_legal(&self, _: usize, (mates, heads): Self::State) -> bool {
        self.0.is_legal(mates) && heads.len() <= self.0.frontier.slots()
    }
}
