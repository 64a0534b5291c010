//! Problems on graphs of any shape: the counterparts of the problems on boards, for any [`Graph`]
//! swept in any [`Order`].
//!
//! | solutions | problem | state of each vertex of the frontier |
//! |---|---|---|
//! | Hamiltonian cycles | [`HamiltonianCycles`] | the other end of the path that ends there |
//! | simple cycles | [`SimpleCycles`] | the same |
//! | Hamiltonian paths | [`HamiltonianPaths`] | the same, or that the other end has left |
//! | simple paths between two vertices, or from one | [`SimplePaths`] | the same |
//! | these in the directions of the edges | [`Directed`] | the same, and the direction |
//! | spanning trees, forests, connected subgraphs | [`SpanningSubgraphs`] | its component |
//! | sets of edges that connect terminals, Steiner trees | [`Connecting`] | its component |
//! | forests with given roots | [`Connecting::forests`] | its component |
//! | matchings, perfect matchings | [`Matchings`] | whether it is matched |
//! | 2-factors, edge covers, given degrees | [`Factors`] | its degree |
//! | independent sets | [`IndependentSets`] | whether it is chosen |
//! | dominating sets | [`DominatingSets`] | whether it is chosen, and dominated |
//! | connected sets, also dominating ones | [`ConnectedSets`] | its component, or none |
//! | proper colourings | [`Colourings`] | its colour |
//!
//! Graphs may have loops and parallel edges. Parallel edges are different: of two cycles that
//! differ in them, each counts. The documentation of each problem says what it makes of loops.
//!
//! Each problem takes an [`Order`], which determines the number of states but not the answer:
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs_problems::graph::{Graph, Order};
//! use secateurs_problems::catalogue::graphs::HamiltonianCycles;
//!
//! let board = Graph::knight(6, 6)?;
//! let count = |order: &Order| Sweep::new(&HamiltonianCycles::new(order)).count();
//! let row_by_row = count(&Order::as_given(&board));
//! let narrow = count(&Order::minimum_frontier(&board));
//! assert_eq!((row_by_row.exact(), narrow.exact()), (Some(9862), Some(9862)));
//! // 43 thousand states instead of 1.5 million.
//! assert!(narrow.report().nodes() * 30 < row_by_row.report().nodes());
//! # Ok::<(), secateurs_problems::graph::GraphError>(())
//! ```
//!
//! A solution consists of one label per edge (per vertex for sets and colourings of vertices), in
//! their order. The problem converts it to edges:
//!
//! ```
//! # use secateurs::plug::Sweep;
//! # use secateurs_problems::graph::{Graph, Order};
//! # use secateurs_problems::catalogue::graphs::HamiltonianCycles;
//! let diamond: Graph = "a b\nb c\nc d\nd a\na c\n".parse()?;
//! let cycles = HamiltonianCycles::new(&Order::as_given(&diamond));
//! let outcome = Sweep::new(&cycles).first();
//! let labels = outcome.solution().expect("there is one");
//! let names: Vec<String> = cycles
//!     .frontier()
//!     .taken(labels)
//!     .map(|(from, to)| format!("{}-{}", diamond.name(from), diamond.name(to)))
//!     .collect();
//! assert_eq!(names, ["a-b", "b-c", "c-d", "a-d"]);
//! # Ok::<(), secateurs::ParseError>(())
//! ```
//!
//! [`Graph`]: crate::graph::Graph
//! [`Order`]: crate::graph::Order

mod paths;
mod subgraphs;
mod terminals;
mod vertex_sets;

pub use paths::{Directed, HamiltonianCycles, HamiltonianPaths, SimpleCycles, SimplePaths};
pub use subgraphs::{Factors, Matchings, Spanning, SpanningSubgraphs};
pub use terminals::{Connecting, Terminals};
pub use vertex_sets::{Colourings, ConnectedSets, DominatingSets, IndependentSets};
