//! Problems for the plug engine, each a small file that doubles as a tutorial.

mod connected_subsets;
mod domino_tilings;
mod grid;
mod hamiltonian_cycles;
mod hamiltonian_paths;
mod independent_sets;
mod monomer_dimer;
mod polyominoes;
mod scan;
mod simple_cycles;
mod simple_paths;
mod spanning_forests;
mod spanning_trees;
mod strands;
mod two_factors;

pub use connected_subsets::{ConnectedSubsets, connected_subsets};
pub use domino_tilings::{Dimers, domino_tilings};
pub use grid::{Grid, GridError, ParseGridError, Sides};
pub use hamiltonian_cycles::hamiltonian_cycles;
pub use hamiltonian_paths::hamiltonian_paths;
pub use independent_sets::{IndependentSets, independent_sets};
pub use monomer_dimer::monomer_dimer;
pub use polyominoes::{Drawn, Polyominoes, Square, TooManyCells};
pub use simple_cycles::simple_cycles;
pub use simple_paths::simple_paths;
pub use spanning_forests::spanning_forests;
pub use spanning_trees::{SpanningForests, spanning_trees};
pub use strands::Strands;
pub use two_factors::two_factors;
pub mod graphs;
