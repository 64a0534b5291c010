//! What all profiles of paths and cycles over a graph have in common: [`Paths`], a frontier of
//! mates.

use std::error::Error;
use std::fmt;

use crate::plug::TooWide;
use crate::plug::code::{Joined, Mates, Role, Word};
use crate::plug::graph::{Cell, End, FrontierPlan, Order};

/// Which sets of edges are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// Every vertex is to be visited.
    pub(super) all: bool,
    /// Where the set ends: nowhere if it is a cycle.
    pub(super) ends: Ends,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// A cycle.
    None,
    /// A path between these two vertices.
    At([usize; 2]),
    /// A path between any two vertices.
    Anywhere,
}

/// The steps of a sweep for one cycle or path, according to a [`Rule`].
///
/// A state is closed when the cycle or path is: then nothing is remembered, and no edge may follow.
#[derive(Clone, Debug)]
pub(super) struct Paths<W: Word> {
    pub(super) frontier: FrontierPlan,
    rule: Rule,
    /// For each cell, the state in which a path goes through each vertex of the frontier, those
    /// that leave included.
    through: Vec<Mates<W>>,
}

/// What a state without a name of its own stands for: the path or cycle is closed.
fn closed<W: Word>() -> Mates<W> {
    Mates::from_word(!W::ZERO)
}

impl<W: Word> Paths<W> {
    pub(super) fn new(order: &Order<'_>, rule: Rule) -> Self {
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

    pub(super) fn fits(&self, cell: usize) -> Result<(), TooWide> {
        Mates::<W>::fits(self.frontier.cells()[cell].slots())
    }

    pub(super) fn accept(&self, state: Mates<W>) -> bool {
        let visited = !self.rule.all || self.frontier.isolated() == 0;
        // A single vertex is a path without edges, which ends there on both sides.
        let alone =
            self.rule == Rule { all: true, ends: Ends::Anywhere } && self.frontier.vertices() == 1;
        alone || (state == closed() && visited)
    }

    #[inline]
    pub(super) fn step(&self, cell: usize, state: Mates<W>, emit: &mut impl FnMut(Mates<W>, bool)) {
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
        if self.rule.all {
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
                Role::Untouched if self.rule.all && later < 2 - usize::from(free) => return None,
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

/// The two ends of a path, which have to be different vertices of the graph.
pub(super) fn ends(order: &Order<'_>, from: usize, to: usize) -> Result<Ends, EndsError> {
    let vertices = order.graph().vertices();
    match [from, to].into_iter().find(|&vertex| vertex >= vertices) {
        Some(vertex) => Err(EndsError::NoSuchVertex { vertex, vertices }),
        None if from == to => Err(EndsError::Same { vertex: from }),
        None => Ok(Ends::At([from, to])),
    }
}

/// Why no path can be asked for between two vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndsError {
    /// An end is no vertex of the graph.
    NoSuchVertex {
        /// The end.
        vertex: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Both ends are the same vertex.
    Same {
        /// The vertex.
        vertex: usize,
    },
}

impl fmt::Display for EndsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            EndsError::NoSuchVertex { vertex, vertices } => {
                write!(
                    f,
                    "found vertex {vertex} as an end, expected one of {vertices} vertices counted from 0"
                )
            }
            EndsError::Same { vertex } => {
                write!(
                    f,
                    "found vertex {vertex} as both ends, expected two different ones (counted from 0)"
                )
            }
        }
    }
}

impl Error for EndsError {}

/// Makes a profile of a structure around [`Paths`].
macro_rules! profile_of_paths {
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
pub(super) use profile_of_paths;
