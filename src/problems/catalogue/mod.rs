//! Problems for the plug engine, each a small file that doubles as a tutorial.

mod grid;
mod hamiltonian_cycles;
mod hamiltonian_paths;
mod simple_cycles;
mod simple_paths;
mod strands;
mod two_factors;

pub use grid::{Grid, GridError, ParseGridError, Sides};
pub use hamiltonian_cycles::hamiltonian_cycles;
pub use hamiltonian_paths::hamiltonian_paths;
pub use simple_cycles::simple_cycles;
pub use simple_paths::simple_paths;
pub use strands::Strands;
pub use two_factors::two_factors;
pub mod graphs;
