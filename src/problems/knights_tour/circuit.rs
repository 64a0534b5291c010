//! Knight's tours as a constraint network: each square has a successor, and the successors form one
//! circuit.

use super::arcs::Arcs;
use super::problem::KnightsTour;
use super::tour::Tour;
use crate::csp::{Assignment, Model, ModelError, Network};
use crate::problems::error::InstanceError;

/// Knight's tours as a network with the [circuit](Model::circuit) constraint (Lauriere 1978 uses
/// this formulation).
///
/// There is a variable per square, row by row, whose value is the number of the next square. For
/// open tours there is one more variable, for a node off the board that links the end to the start.
/// [Full propagation](crate::csp::Propagate::full) prevents chains from closing before they contain
/// all squares, and fixes the predecessor of a square that can be entered from one square only.
/// Together with [smallest domain](crate::csp::SmallestDomain) first, this is an effective search.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Ascending, Assignment, Branching, Propagate, SmallestDomain};
/// use secateurs::problems::knights_tour::{KnightsTour, TourBoard};
///
/// let tours = KnightsTour::closed(TourBoard::new(5, 6)?).circuit()?;
/// let order = Branching::new(SmallestDomain::first_tie(), Ascending);
/// let search = || Search::new(tours.network()).hooks((Propagate::full(),)).brancher(order);
/// assert_eq!(search().count().exact(), Some(2 * 8)); // each in both directions
///
/// let outcome = search().extract(Assignment::of).first();
/// let successors = outcome.solution().ok_or("there is one")?;
/// assert!(tours.tour(successors)?.is_closed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TourCircuit {
    arcs: Arcs,
    network: Network,
}

impl KnightsTour {
    /// Returns these tours as a constraint network. Closed tours are found once in each direction,
    /// as by a search of this problem itself.
    ///
    /// Memory: a bit for each number between the smallest and the largest successor of each square.
    /// Per square, these are some four rows for closed tours, and on average half of the board for
    /// open tours, which may end anywhere.
    ///
    /// # Errors
    ///
    /// Returns [`ModelError::TooLarge`] for open tours of boards of about 185,000 or more squares.
    pub fn circuit(&self) -> Result<TourCircuit, ModelError> {
        let arcs = Arcs::new(self);
        let mut model = Model::new();
        let mut successors = Vec::with_capacity(arcs.nodes());
        for node in 0..arcs.nodes() {
            // The cast is lossless: boards have at most 2²⁴ squares.
            let domain: Vec<i32> = arcs.successors(node).iter().map(|&next| next as i32).collect();
            successors.push(model.variable(domain)?);
        }
        model.circuit(&successors)?;
        Ok(TourCircuit { arcs, network: model.build() })
    }
}

impl TourCircuit {
    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the tour that a solution of the network represents.
    ///
    /// # Errors
    ///
    /// Returns an error if the assignment is not a solution of this network.
    pub fn tour(&self, successors: &Assignment) -> Result<Tour, InstanceError> {
        let successors = successors.values();
        self.arcs.tour(|node| successors.get(node).and_then(|&next| usize::try_from(next).ok()))
    }
}
