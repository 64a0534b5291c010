//! Colouring as a constraint network, and the brancher for it.

use super::Coloring;
use crate::brancher::Brancher;
use crate::csp::{
    Branching, Decision, Domains, Model, ModelError, Network, ValueOrder, Values, Variable,
    VariableOrder,
};
use crate::digest::Digest;
use crate::hook::{Effect, Node};
use crate::plug::graph::Graph;
use crate::problem::Branch;

impl Coloring {
    /// The problem of colouring with so many colours as a network: a variable for each vertex, with
    /// the colours from 0 as its values, and a constraint for each edge.
    ///
    /// Of the vertices of `clique`, the first has colour 0, the second colour 1 and so on: that
    /// costs nothing where the names of colours do not matter, if each of them is joined to all
    /// others.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if there are so many colours that domains take too much memory, or if a
    /// vertex of the clique is not there.
    pub fn network(&self, colours: usize, clique: &[usize]) -> Result<Network, ModelError> {
        let mut model = Model::new();
        // Above that, the model refuses the domain; no graph has as many vertices.
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

/// The brancher of Brélaz (1979) for a [network](Coloring::network) of colours: the most saturated
/// vertex next, and no more than one new colour.
///
/// The most saturated vertex is the one to which the fewest colours are left, of several the one
/// with most neighbours that have no colour. It is given each colour that some vertex has, and of
/// all those that no vertex has only the smallest: they are interchangeable, so that one solution
/// of each orbit under permutations of colours is left ([`Effect::Representatives`]). This holds as
/// long as nothing but edges, and a clique that has the first colours, tells colours apart: no
/// other hook may strike colours out for another reason.
///
/// Cost: a look at every vertex a node, and at the neighbours of those that are equally saturated.
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
///     let search = Search::new(&network).hooks((Propagate::forward(),)).brancher(Dsatur::new(coloring.graph()));
///     search.count().representatives()
/// };
/// assert_eq!(count(2), Some(0));
/// assert_eq!(count(3), Some(5)); // 30 colourings, in each of which the colours may be permuted
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dsatur<'g> {
    branching: Branching<MostSaturated<'g>, OneNew>,
}

impl<'g> Dsatur<'g> {
    /// The brancher for networks of this graph.
    #[must_use]
    pub fn new(graph: &'g Graph) -> Self {
        Dsatur { branching: Branching::new(MostSaturated(graph), OneNew) }
    }
}

impl Brancher<Network> for Dsatur<'_> {
    type Cursor = Values<Colours>;

    /// The graph is that of the problem.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn follows_path(&self) -> bool {
        false
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

/// The open vertex with the fewest colours left, then with the most open neighbours, then with the
/// smallest number.
#[derive(Clone, Copy, Debug)]
struct MostSaturated<'g>(&'g Graph);

impl VariableOrder for MostSaturated<'_> {
    #[inline]
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        let domains = node.state();
        // Counted only where there is a tie, and for the best one only once.
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

    fn follows_path(&self) -> bool {
        false
    }
}

/// Colours in ascending order, up to the first that no vertex has.
#[derive(Clone, Copy, Debug)]
struct OneNew;

/// The colours of a vertex that are still to be tried: the cursor of [`Dsatur`].
#[derive(Clone, Copy, Debug)]
pub struct Colours {
    next: i32,
    last: i32,
}

impl ValueOrder for OneNew {
    type Cursor = Colours;

    #[inline]
    fn start(&mut self, network: &Network, domains: &Domains, _: Variable) -> Colours {
        // Colours come into use in order, and propagation assigns a new one only if it is the last:
        // those in use are the first ones.
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
