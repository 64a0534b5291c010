//! Sweeps by the engine and by hand, dense tables, and by two threads.

mod by_hand;

use secateurs::plug::Sweep;
use secateurs_problems::catalogue::{Grid, Strands, hamiltonian_cycles};

use crate::group::{Group, RunResult};
use by_hand::{HandWrittenLayer, HandWrittenProblem};

/// A side of a board, its number of Hamiltonian cycles (A003763), and the number of contour states
/// of its sweep, which is the same for hand-written steps and for those of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    n: usize,
    cycles: u128,
    states: u64,
}

impl Side {
    /// Twelve by twelve cells.
    pub const N12: Self = Side { n: 12, cycles: 1_076_226_888_605_605_706, states: 1_333_113 };
    /// Fourteen by fourteen cells.
    pub const N14: Self =
        Side { n: 14, cycles: 56_126_499_620_491_437_281_263_608, states: 12_910_378 };
    /// Sixteen by sixteen cells.
    pub const N16: Self =
        Side { n: 16, cycles: 65_882_516_522_625_836_326_159_786_165_530_572, states: 122_924_151 };
}

/// The Hamiltonian cycles of a board, by steps written by hand and by the catalogue.
pub struct Cycles {
    by_hand: HandWrittenProblem,
    catalogue: Strands,
}

fn cycles(n: usize) -> Strands {
    hamiltonian_cycles(&Grid::new(n, n).expect("the size is in range"))
}

/// Returns the group of sweeps for the Hamiltonian cycles of a board.
pub fn sweeps(side: Side) -> Group<Cycles> {
    let Side { n, cycles: answer, states } = side;
    let instance = Cycles { by_hand: HandWrittenProblem(n as u32), catalogue: cycles(n) };
    Group::new(format!("plug/Hamiltonian cycles {n}×{n}"), instance, answer, states)
        .contender("by hand, hashing", |cycles| {
            HandWrittenLayer::hamiltonian_cycles(cycles.by_hand.0)
        })
        .contender("hashing, the same steps", |cycles| Sweep::new(&cycles.by_hand).count())
        .limit(1.1)
        // The steps of the catalogue serve obstacles and further problems as well.
        .contender("hashing, the catalogue's", |cycles| Sweep::new(&cycles.catalogue).count())
        .limit(1.3)
        .contender("dense, the catalogue's", |cycles| Sweep::new(&cycles.catalogue).dense().count())
        .limit(0.5)
}

/// Returns the groups of one and two threads for the Hamiltonian cycles of a board: by hashing, and
/// in dense tables.
pub fn threads(side: Side) -> [Group<Strands>; 2] {
    fn hashed(problem: &Strands, threads: usize) -> RunResult {
        Sweep::new(problem).threads(threads).count().into()
    }
    fn dense(problem: &Strands, threads: usize) -> RunResult {
        Sweep::new(problem).threads(threads).dense().count().into()
    }
    let Side { n, cycles: answer, states } = side;
    let tables = [("hashing", hashed as fn(&Strands, usize) -> RunResult), ("dense", dense)];
    tables.map(|(table, sweep)| {
        Group::new(format!("plug/threads, {table}, {n}×{n}"), cycles(n), answer, states)
            .contender("1 thread", move |problem| sweep(problem, 1))
            .contender("2 threads", move |problem| sweep(problem, 2))
            .limit(1.0 / 1.7)
    })
}
