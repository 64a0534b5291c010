//! Problems on graphs of any shape: what the catalogue has for boards, for any [`Graph`] swept in
//! any [`Order`].
//!
//! | problem | profile | a state knows, of each vertex of the frontier |
//! |---|---|---|
//! | Hamiltonian cycles | [`HamiltonianCycles`] | where the path that ends there has its other end |
//! | simple cycles | [`SimpleCycles`] | the same |
//! | Hamiltonian paths, between two vertices or any | [`HamiltonianPaths`] | the same, or that it lies behind |
//! | simple paths between two vertices | [`SimplePaths`] | the same |
//! | spanning trees, forests, connected subgraphs | [`SpanningSubgraphs`] | its component |
//! | matchings, perfect matchings | [`Matchings`] | whether it is matched |
//! | independent sets | [`IndependentSets`] | whether it is chosen |
//!
//! Each takes an [`Order`], which the number of states depends on and the answer does not:
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs::plug::graph::{Graph, Order};
//! use secateurs::problems::catalogue::graphs::HamiltonianCycles;
//!
//! let board = Graph::knight(6, 6)?;
//! let count = |order: &Order| Sweep::new(&HamiltonianCycles::new(order)).count();
//! let row_by_row = count(&Order::as_given(&board));
//! let narrow = count(&Order::minimum_frontier(&board));
//! assert_eq!((row_by_row.exact(), narrow.exact()), (Some(9862), Some(9862)));
//! // 43 thousand states instead of 1.5 million.
//! assert!(narrow.report().nodes() * 30 < row_by_row.report().nodes());
//! # Ok::<(), secateurs::plug::graph::GraphError>(())
//! ```
//!
//! A solution is a label for each edge (for independent sets, each vertex), in their order, and the
//! profile makes edges of them:
//!
//! ```
//! # use secateurs::plug::Sweep;
//! # use secateurs::plug::graph::{Graph, Order};
//! # use secateurs::problems::catalogue::graphs::HamiltonianCycles;
//! let bow_tie: Graph = "a b\nb c\nc d\nd a\na c\n".parse()?;
//! let cycles = HamiltonianCycles::new(&Order::as_given(&bow_tie));
//! let outcome = Sweep::new(&cycles).first();
//! let labels = outcome.solution().expect("there is one");
//! let names: Vec<String> = cycles
//!     .frontier()
//!     .taken(labels)
//!     .map(|(from, to)| format!("{}-{}", bow_tie.name(from), bow_tie.name(to)))
//!     .collect();
//! assert_eq!(names, ["a-b", "b-c", "c-d", "a-d"]);
//! # Ok::<(), secateurs::ParseError>(())
//! ```
//!
//! [`Graph`]: crate::plug::graph::Graph
//! [`Order`]: crate::plug::graph::Order

mod independent_sets;
mod matchings;
mod paths;
mod spanning;

pub use independent_sets::IndependentSets;
pub use matchings::Matchings;
pub use paths::{HamiltonianCycles, HamiltonianPaths, SimpleCycles, SimplePaths};
pub use spanning::{Spanning, SpanningSubgraphs};
