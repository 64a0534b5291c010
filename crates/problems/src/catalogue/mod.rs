//! Problems for the [plug engine](secateurs::plug), which are also a tutorial.
//!
//! | problem | solutions on a board | contour state |
//! |---|---|---|
//! | [`domino_tilings()`], [`monomer_dimer()`] | dominoes on all or some cells | 1 bit per cell |
//! | [`independent_sets()`] | cells without neighbours in the set | 1 bit per cell |
//! | [`hamiltonian_cycles()`], [`simple_cycles()`] | loops (Formula 1) | parentheses |
//! | [`hamiltonian_paths()`], [`simple_paths()`] | paths between opposite corners | parentheses |
//! | [`non_nested_loops()`] | loops outside of each other | parentheses |
//! | [`Paths`] | paths between any cells (Tony's tour) | parentheses, two loose ends |
//! | [`two_factors()`], [`TwoFactorsByLoops`] | loops through all cells | parentheses, loop count |
//! | [`EdgeWeights`] | the best loops or paths (Formula 2, Pipes) | as for the loops or paths |
//! | [`spanning_trees()`], [`spanning_forests()`] | edges without a cycle | labels |
//! | `Determinant` (feature `bigint`) | the numbers of trees and of domino tilings | none |
//! | [`connected_subsets()`], [`Polyominoes`] | connected sets of cells | labels |
//! | [`BlackAndWhite`] | two colours, both connected | coloured labels |
//! | [`ManhattanWiring`] | two shortest disjoint paths | the wire at each plug |
//! | [`KnightsTours`] | closed knight's tours, by meeting in the middle | mates |
//! | [`graphs`] | cycles, paths and more in any graph | mates, labels |
//!
//! Start with [`independent_sets()`], the shortest problem, then read [`Strands`] for paths and
//! loops and [`connected_subsets()`] for labels. Boards are [`Grid`]s, which may have obstacles.
//! [`Drawing`], or the `draw` method of a problem, draws solutions, and `state_svg` draws the
//! states of paths and loops: the contour, the plugs that cross it, and the pieces of path that
//! join them.
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
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
mod connected;
#[cfg(feature = "bigint")]
mod determinants;
mod draw;
pub mod graphs;
mod grid;
mod independent_sets;
mod knights_tours;
mod manhattan_wiring;
mod original_tasks;
mod paths;
mod polyominoes;
mod strands;

pub use black_and_white::{BlackAndWhite, Colour};
pub use connected::{
    ConnectedSubsets, SpanningForests, connected_subsets, spanning_forests, spanning_trees,
};
#[cfg(feature = "bigint")]
#[cfg_attr(docsrs, doc(cfg(feature = "bigint")))]
pub use determinants::Determinant;
pub use draw::Drawing;
pub use grid::{Grid, GridSides};
pub use independent_sets::{
    Dimers, GridIndependentSets, domino_tilings, independent_sets, monomer_dimer,
};
pub use knights_tours::KnightsTours;
pub use manhattan_wiring::{ManhattanWiring, Wire, WirePiece};
pub use original_tasks::{EdgeWeights, formula_1, tonys_tour};
pub use paths::{PathLength, PathState, Paths};
pub use polyominoes::{PolyominoSquare, PolyominoState, Polyominoes, polyominoes};
pub use strands::{
    LoopState, Strands, TwoFactorsByLoops, hamiltonian_cycles, hamiltonian_paths, non_nested_loops,
    simple_cycles, simple_paths, two_factors,
};
