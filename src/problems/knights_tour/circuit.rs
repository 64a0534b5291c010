//! Knight's tours as a constraint network: each square has a successor, and successors make one
//! circuit.

use super::arcs::Arcs;
use super::problem::KnightsTour;
use super::tour::{Tour, TourError};
use crate::csp::{Assignment, Model, ModelError, Network};

/// Knight's tours as a network with the [circuit](Model::circuit) constraint (Lauriere 1978 stated
/// tours like this).
///
/// There is a variable a square, row by row, whose value is the number of the square that comes
/// next. For open tours, there is one more place, off the board, between the end and the start.
/// With [full propagation](crate::csp::Propagate::full), chains are kept from closing before they
/// hold all squares, and a square that can be entered from one square only is entered from there;
/// with the [smallest domain](crate::csp::SmallestDomain) first, that is a good search.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Ascending, Assignment, Branching, Propagate, SmallestDomain};
/// use secateurs::problems::knights_tour::{Board, KnightsTour};
///
/// let tours = KnightsTour::closed(Board::new(5, 6)?).circuit()?;
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
    /// These tours as a constraint network. Closed tours are found once in each direction, as by
    /// the search of this problem itself.
    ///
    /// Memory: a bit for each square between the first and the last one that may come next. For
    /// closed tours that is some four rows a square; for open ones, which may end anywhere, half of
    /// the board on average.
    ///
    /// # Errors
    ///
    /// [`ModelError::TooLarge`], for open tours of boards of about 185,000 squares or more.
    pub fn circuit(&self) -> Result<TourCircuit, ModelError> {
        let arcs = Arcs::new(self);
        let mut model = Model::new();
        let mut successors = Vec::with_capacity(arcs.nodes());
        for node in 0..arcs.nodes() {
            // Boards have at most 2²⁴ squares.
            let followers: Vec<i32> =
                arcs.followers(node).iter().map(|&next| next as i32).collect();
            successors.push(model.variable(followers)?);
        }
        model.circuit(&successors)?;
        Ok(TourCircuit { arcs, network: model.build() })
    }
}

impl TourCircuit {
    /// The network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The tour that a solution of the network stands for.
    ///
    /// # Errors
    ///
    /// What is wrong with it, if the assignment is not a solution of this network.
    pub fn tour(&self, successors: &Assignment) -> Result<Tour, TourError> {
        let successors = successors.values();
        self.arcs.tour(|node| successors.get(node).and_then(|&next| usize::try_from(next).ok()))
    }
}
