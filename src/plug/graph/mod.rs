//! Sweeps over graphs of any shape, edge by edge.
//!
//! A board has its contour; a graph has a *frontier*. Put its edges in some [`Order`] and take them
//! in turn: at any moment the edges behind and those to come meet in the vertices that have edges
//! on both sides. What was done behind matters to what is to come through these vertices alone, so
//! a state says for each of them how it is connected. That is a
//! [`ContourProblem`](crate::plug::ContourProblem) whose cells are edges:
//!
//! ```text
//!      behind   │ frontier │  to come
//!               │          │
//!        a ─────┼── c ─────┼─── e         a and b have all their edges behind and are done with;
//!        │      │   │      │    │         c and d are the frontier, two slots of the state;
//!        b ─────┼── d ─────┼─── f         e and f have not come in yet.
//! ```
//!
//! - [`Graph`]: grids of any dimension, boards with a king's or a knight's moves, edge lists from a
//!   file.
//! - [`Order`]: in which order to take the edges. It decides what the sweep costs, reports the
//!   width at every place, and can be improved [by chance](Order::annealed).
//! - [`FrontierPlan`]: the plan that comes of an order, for writing a profile of your own.
//!
//! Ready-made profiles are in [`problems::catalogue::graphs`](crate::problems::catalogue::graphs):
//! Hamiltonian cycles and paths, simple cycles and paths, spanning trees, matchings, and others.
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs::plug::graph::{Graph, Order};
//! use secateurs::problems::catalogue::graphs::HamiltonianCycles;
//!
//! let board = Graph::knight(5, 6)?;
//! let tours = HamiltonianCycles::new(&Order::narrowest(&board));
//! assert_eq!(Sweep::new(&tours).count().exact(), Some(8));
//! # Ok::<(), secateurs::plug::graph::GraphError>(())
//! ```
//!
//! # What it costs
//!
//! States grow exponentially with the width of the frontier, not with the graph: about 2 to the
//! power of the width for sets of vertices, 3 to 4 for paths on a board, and with the Bell numbers
//! where only connections count. A frontier that is wider than the state's word ends the sweep with
//! [`Stop::StateTooWide`](crate::Stop::StateTooWide) in the cell where that happens; take the
//! profile with a wider word, `HamiltonianCycles::<u128>::with_word`, or look for a better order.

mod annealing;
mod frontier_plan;
mod model;
mod order;
mod parse;
mod shapes;

pub use frontier_plan::{Cell, End, FrontierPlan};
pub use model::{Graph, GraphError};
pub use order::Order;
