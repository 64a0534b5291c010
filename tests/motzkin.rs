//! Paths and loops on grids: known values, brute force, and the two tables against each other.

use secateurs::plug::Sweep;
use secateurs::problems::catalogue::{
    Grid, Strands, hamiltonian_cycles, hamiltonian_paths, simple_cycles, simple_paths, two_factors,
};

mod motzkin {
    pub(crate) mod brute;
    mod dense;
    mod profiles;
}

use motzkin::brute;

type Problem = fn(&Grid) -> Strands;

const PROBLEMS: [(&str, Problem); 5] = [
    ("Hamiltonian cycles", hamiltonian_cycles),
    ("Hamiltonian paths", hamiltonian_paths),
    ("simple cycles", simple_cycles),
    ("simple paths", simple_paths),
    ("two-factors", two_factors),
];

fn grid(rows: usize, columns: usize) -> Grid {
    Grid::new(rows, columns).expect("a small board")
}

fn by_hash(problem: &Strands) -> u128 {
    Sweep::new(problem).count().exact().expect("a small count")
}
