//! Constraint networks: state a problem as variables and constraints, and plug together how it is searched.
//!
//! ```
//! use secateurs::Search;
//! use secateurs::csp::{Ascending, Assignment, Branching, Model, Propagate, SmallestDomain};
//!
//! // SEND + MORE = MONEY would do as well: here, n queens, one a row; the variable is the column.
//! let mut model = Model::new();
//! let queens = model.variables(8, 0..8)?;
//! model.all_different(&queens)?;
//! model.all_different_shifted(queens.iter().zip(0..).map(|(&queen, row)| (queen, row)))?;
//! model.all_different_shifted(queens.iter().zip(0..).map(|(&queen, row)| (queen, -row)))?;
//! let network = model.build();
//!
//! // All solutions: forward checking, smallest domain first.
//! let order = Branching::new(SmallestDomain::first_tie(), Ascending);
//! let outcome = Search::new(&network).hooks((Propagate::forward(),)).brancher(order).count();
//! assert_eq!(outcome.exact(), Some(92));
//!
//! // The first one, propagating all that can be.
//! let outcome = Search::new(&network).hooks((Propagate::full(),)).extract(Assignment::of).first();
//! let solution = outcome.solution().ok_or("there is one")?;
//! assert_eq!(solution.values(), [0, 4, 7, 5, 2, 6, 1, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjacency;
mod assignment;
mod branching;
mod constraint;
mod decision;
mod domain;
mod domains;
mod error;
mod layout;
mod masks;
mod model;
mod network;
mod no_goods;
mod optimise;
mod propagate;
mod restarts;
pub mod symmetry;
mod variable;
mod weights;

pub use assignment::Assignment;
pub use branching::{
    Ascending, Branching, CentreOut, DomainOverDegree, Halves, InputOrder, LeastConstraining, SmallestDomain,
    SwappedOrder, ValueOrder, Values, VariableOrder, least_constraining,
};
pub use constraint::{Memory, Propagator};
pub use decision::Decision;
pub use domain::Domain;
pub use domains::{Domains, Mark, Wipeout};
pub use error::ModelError;
pub use model::Model;
pub use network::Network;
pub use no_goods::NoGoods;
pub use optimise::{Better, ValueOf, maximise, minimise};
pub use propagate::{Propagate, Propagation};
pub use restarts::{Attempt, Restarts};
pub use variable::Variable;
pub use weights::Weights;
