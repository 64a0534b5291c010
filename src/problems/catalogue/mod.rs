//! Problems for the [plug engine](crate::plug), each a small file that doubles as a tutorial.
//!
//! | problem | on a board, it is about | the contour remembers |
//! |---|---|---|
//! | [`domino_tilings()`], [`monomer_dimer()`] | dominoes on all cells, or on some | a bit a place |
//! | [`independent_sets()`] | cells no two of which are neighbours | a bit a place |
//! | [`hamiltonian_cycles()`], [`simple_cycles()`] | loops through all cells (Formula 1), or through some | parentheses |
//! | [`hamiltonian_paths()`], [`simple_paths()`] | paths between opposite corners | parentheses, one of them loose |
//! | [`Paths`] | paths between any two cells, or two given ones (Tony's tour) | parentheses, and two loose ends |
//! | [`two_factors()`], [`TwoFactorsByLoops`] | loops that together visit all cells (Eat the Trees) | parentheses, and how many loops have closed |
//! | [`EdgeWeights`] | the best of these loops or paths (Formula 2, Pipes) | what they do |
//! | [`spanning_trees()`], [`spanning_forests()`] | edges without a loop | labels |
//! | [`connected_subsets()`], [`Polyominoes`] | cells that hang together, on a board or by their number | labels |
//! | [`BlackAndWhite`] | two colours, each of which hangs together | coloured labels |
//! | [`ManhattanWiring`] | two paths that do not meet, as short as possible | which path crosses |
//! | [`KnightsTours`] | closed tours of a knight, by meeting in the middle | mates |
//! | [`graphs`] | cycles, paths and more in graphs of any shape | mates, labels |
//!
//! Boards are [`Grid`]s, with obstacles if there are any; solutions are drawn by [`Drawing`], or by
//! the `draw` of their problem, and states of paths and loops by their `state_svg`: the contour,
//! the plugs that cross it, and which of them one piece of path joins.
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs::problems::catalogue::{Grid, hamiltonian_cycles};
//!
//! let board: Grid = "\
//! ......
//! .*....
//! .*....
//! ......
//! ".parse()?;
//! let cycles = hamiltonian_cycles(&board);
//! assert_eq!(Sweep::new(&cycles).dense().count().exact(), Some(8));
//! for labels in Sweep::new(&cycles).solutions()? {
//!     println!("{}", cycles.draw(&labels));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod black_and_white;
mod connected_subsets;
mod dimers;
mod draw;
mod edge_weights;
pub mod graphs;
mod grid;
mod independent_sets;
mod knights_tours;
mod manhattan_wiring;
mod original;
mod paths;
mod polyominoes;
mod scan;
mod spanning;
mod state_svg;
mod strands;
mod two_factors_by_loops;

pub use black_and_white::{BlackAndWhite, Colour};
pub use connected_subsets::{ConnectedSubsets, connected_subsets};
pub use dimers::{Dimers, domino_tilings, monomer_dimer};
pub use draw::Drawing;
pub use edge_weights::EdgeWeights;
pub use grid::{Grid, GridSides};
pub use independent_sets::{GridIndependentSets, independent_sets};
pub use knights_tours::KnightsTours;
pub use manhattan_wiring::{ManhattanWiring, Wire, WirePiece};
pub use original::{formula_1, tonys_tour};
pub use paths::{PathEnds, Paths};
pub use polyominoes::{PolyominoSquare, PolyominoState, Polyominoes, polyominoes};
pub use spanning::{SpanningForests, spanning_forests, spanning_trees};
pub use strands::{
    Strands, hamiltonian_cycles, hamiltonian_paths, simple_cycles, simple_paths, two_factors,
};
pub use two_factors_by_loops::{LoopState, TwoFactorsByLoops};
