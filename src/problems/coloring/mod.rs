//! Graph colouring: the fewest colours such that the ends of each edge differ.
//!
//! A [`Coloring`] is a graph to be coloured. Two bounds need no search: the vertices of a
//! [clique](Coloring::clique) need different colours, and the colours of a [greedy
//! colouring](Coloring::greedy) suffice. Between these bounds,
//! [`chromatic_number`](Coloring::chromatic_number) repeats a search with one colour less until
//! that is refuted or a limit is reached.
//!
//! ```
//! use secateurs::Limits;
//! use secateurs::plug::graph::Graph;
//! use secateurs::problems::coloring::Coloring;
//!
//! // Mycielski's graphs have no triangle, but arbitrarily large chromatic numbers.
//! let graph = Graph::cycle(5)?.mycielskian()?;
//! let coloring = Coloring::new(graph);
//! assert_eq!(coloring.clique().len(), 2);
//! let chromatic = coloring.chromatic_number(&Limits::new());
//! assert_eq!(chromatic.proven(), Some(4));
//! assert!(coloring.is_proper(chromatic.colours()));
//! # Ok::<(), secateurs::plug::graph::GraphError>(())
//! ```
//!
//! The search runs on a [network](Coloring::network) with one variable per vertex and the colours
//! as values. Its brancher is [`Dsatur`], after Brélaz (1979), which also breaks the symmetry
//! between the interchangeable colours.
//!
//! To read the source, begin with `instance` (the problem and its bounds), then `solve` (the
//! search, the network and its brancher).

mod instance;
mod solve;

pub use instance::Coloring;
pub use solve::{Chromatic, Dsatur};
