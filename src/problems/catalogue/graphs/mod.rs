//! Problems on graphs of any shape.

mod hamiltonian_cycles;
mod paths;

pub use hamiltonian_cycles::HamiltonianCycles;
