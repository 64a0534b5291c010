//! Sweeps over graphs of any shape, edge by edge.
//!
//! The counterpart of the contour of a board is the *frontier* of a graph. Put its edges in some
//! [`Order`] and process them in turn: at any moment the frontier consists of the vertices with
//! processed and unprocessed edges. The processed part influences the rest only through these
//! vertices, so a state describes the connections between them. That is a
//! [`ContourProblem`](secateurs::plug::ContourProblem) with edges as cells:
//!
//! ```text
//!      behind   │ frontier │  to come
//!               │          │
//!        a ─────┼── c ─────┼─── e         all edges of a and b are processed;
//!        │      │   │      │    │         c and d are the frontier, two slots of the state;
//!        b ─────┼── d ─────┼─── f         e and f have not entered yet.
//! ```
//!
//! - [`Graph`]: grids of any dimension, boards with the moves of a king or knight, edge lists from
//!   a file; simple, or with loops and parallel edges, and with directions.
//! - [`Order`]: the order of the edges. It determines the cost of the sweep, reports the width at
//!   every position, and can be improved by [simulated annealing](Order::annealed).
//! - [`FrontierPlan`] and [`VertexPlan`]: the plans of sweeps that decide edges or vertices, for
//!   contour problems of your own.
//!
//! Ready-made contour problems are in `catalogue::graphs` of
//! [`secateurs-problems`](https://docs.rs/secateurs-problems): Hamiltonian cycles and paths, simple
//! cycles and paths, spanning trees, matchings, connected sets, and others.
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs_problems::graph::{Graph, Order};
//! use secateurs_problems::catalogue::graphs::HamiltonianCycles;
//!
//! let board = Graph::knight(5, 6)?;
//! let tours = HamiltonianCycles::new(&Order::narrowest(&board));
//! assert_eq!(Sweep::new(&tours).count().exact(), Some(8));
//! # Ok::<(), secateurs_problems::graph::GraphError>(())
//! ```
//!
//! # Cost
//!
//! The number of states grows exponentially with the width of the frontier, not with the graph:
//! about 2 to the power of the width for sets of vertices, 3 to 4 to this power for paths on a
//! board, and with the Bell numbers if only connections count. If the frontier does not fit into
//! the word of the state, the sweep stops at that cell, with
//! [`Stop::StateTooWide`](secateurs::Stop::StateTooWide). Use the problem with a wider word,
//! `HamiltonianCycles::<u128>::with_word`, or a better order.

mod model;
mod order;
mod plan;
mod shapes;

pub use model::{Graph, GraphError};
pub use order::Order;
pub use plan::{Cell, End, FrontierPlan, VertexCell, VertexPlan};
