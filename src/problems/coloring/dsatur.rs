//! Colouring as a constraint network, and its brancher, [`Dsatur`].

use super::instance::Coloring;
use crate::brancher::Brancher;
use crate::csp::{
    Branching, Decision, Domains, Model, ModelError, Network, ValueOrder, Values, Variable,
    VariableOrder,
};
use crate::digest::Digest;
use crate::hook::{Effect, HookMemory, Node};
use crate::plug::graph::Graph;
use crate::problem::Branch;

impl Coloring {
    /// Returns the problem of colouring with a number of colours as a network: one variable per
    /// vertex, with the colours from 0 as its values, and a constraint for each edge.
    ///
    /// The vertices of `clique` are fixed to the colours 0, 1, …. If they are pairwise adjacent,
    /// this loses no solution up to permutations of the colours.
    ///
    /// # Errors
    ///
    /// If there are so many colours that the domains take too much memory, or if the graph lacks a
    /// vertex of the clique.
    pub fn network(&self, colours: usize, clique: &[usize]) -> Result<Network, ModelError> {
        let mut model = Model::new();
        // The model refuses domains of more colours; no graph has as many vertices.
        let colours = i32::try_from(colours).unwrap_or(i32::MAX);
        let vertices = model.variables(self.graph().vertices(), 0..colours)?;
        for (colour, &vertex) in (0..).zip(clique) {
            let unknown =
                ModelError::UnknownVariable { variable: vertex, variables: vertices.len() };
            model.restrict(*vertices.get(vertex).ok_or(unknown)?, |value| value == colour)?;
        }
        for (one, other) in self.graph().edges() {
            model.different(vertices[one], vertices[other])?;
        }
        Ok(model.build())
    }
}

/// The brancher of Brélaz (1979) for a colouring [network](Coloring::network): it branches on the
/// most saturated vertex, and on at most one new colour.
///
/// The most saturated vertex is the one with the fewest remaining colours, with ties broken by the
/// most uncoloured neighbours. Its children are the colours in use and the smallest unused colour.
/// Unused colours are interchangeable, so this keeps one solution of each orbit under permutations
/// of the colours ([`Effect::Representatives`]). The claim requires that colours are distinguished
/// only by the edges and by a clique that has the first colours: no other hook may remove colours
/// for another reason.
///
/// A node takes time linear in the number of vertices, plus the neighbours of equally saturated
/// vertices.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::Propagate;
/// use secateurs::plug::graph::Graph;
/// use secateurs::problems::coloring::{Coloring, Dsatur};
///
/// let coloring = Coloring::new(Graph::cycle(5)?);
/// let count = |colours| {
///     let network = coloring.network(colours, &[]).ok()?;
///     let search = Search::new(&network).hooks((Propagate::forward(),));
///     search.brancher(Dsatur::new(coloring.graph())).count().representatives()
/// };
/// assert_eq!(count(2), Some(0));
/// assert_eq!(count(3), Some(5)); // 30 colourings, up to permutations of the 3 colours
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dsatur<'g> {
    branching: Branching<MostSaturated<'g>, OneNew>,
}

impl<'g> Dsatur<'g> {
    /// Creates the brancher for networks of a graph.
    #[must_use]
    pub fn new(graph: &'g Graph) -> Self {
        Dsatur { branching: Branching::new(MostSaturated(graph), OneNew) }
    }
}

impl Brancher<Network> for Dsatur<'_> {
    type Cursor = Values<Colours>;

    /// The only parameter, the graph, is that of the problem.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, Network>) -> Branch<Values<Colours>> {
        self.branching.branch(node)
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Network>, cursor: &mut Values<Colours>) -> Option<Decision> {
        self.branching.next(node, cursor)
    }
}

/// The order that chooses the uncoloured vertex with the fewest remaining colours, then the most
/// uncoloured neighbours, then the smallest number.
#[derive(Clone, Copy, Debug)]
struct MostSaturated<'g>(&'g Graph);

impl VariableOrder for MostSaturated<'_> {
    #[inline]
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        let domains = node.state();
        // Counted only to break ties, and only once for the best vertex.
        let open_neighbours = |vertex: Variable| {
            let neighbours = self.0.neighbours(vertex.index());
            neighbours
                .filter(|&other| {
                    node.problem().variable(other).is_some_and(|other| domains.is_open(other))
                })
                .count()
        };
        let mut best = None;
        let mut least = usize::MAX;
        let mut most = None;
        for vertex in domains.open() {
            let size = domains.size(vertex);
            if size < least {
                (best, least, most) = (Some(vertex), size, None);
            } else if size == least && size > 1 {
                let known = *most.get_or_insert_with(|| best.map_or(0, open_neighbours));
                let own = open_neighbours(vertex);
                if own > known {
                    (best, most) = (Some(vertex), Some(own));
                }
            }
        }
        best
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
}

/// Colours in ascending order, up to the first unused one.
#[derive(Clone, Copy, Debug)]
struct OneNew;

/// The untried colours of a vertex: the cursor of [`Dsatur`].
#[derive(Clone, Copy, Debug)]
pub struct Colours {
    next: i32,
    last: i32,
}

impl ValueOrder for OneNew {
    type Cursor = Colours;

    #[inline]
    fn start(&mut self, network: &Network, domains: &Domains, _: Variable) -> Colours {
        // Colours come into use in ascending order, and propagation assigns an unused colour only
        // if it is the last one: the colours in use are the first ones.
        let last =
            network.variables().filter_map(|vertex| domains.value(vertex)).max().unwrap_or(-1);
        Colours { next: 0, last: last.saturating_add(1) }
    }

    #[inline]
    fn next(
        &mut self,
        _: &Network,
        domains: &Domains,
        vertex: Variable,
        colours: &mut Colours,
    ) -> Option<i32> {
        let colour =
            domains.next_value(vertex, colours.next).filter(|&colour| colour <= colours.last)?;
        colours.next = colour + 1;
        Some(colour)
    }
}
