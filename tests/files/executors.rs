//! Every question that an executor answers has the answer of a sweep in memory.

use std::time::Duration;

use secateurs::checkpoint::Fingerprint;
use secateurs::plug::algebra::{Best, Counting};
use secateurs::plug::motzkin::PathPiece;
use secateurs::plug::{Sweep, SweepCheckpoint};
use secateurs::{Limits, Stop};
use secateurs_problems::catalogue::{Grid, Strands, hamiltonian_cycles, simple_paths};

use crate::support::scratch::Directory;

fn length(_: usize, piece: PathPiece) -> i64 {
    piece.length()
}

/// Asserts that all executors give the answers of a sweep in memory. At most one state is accepted
/// at the end, so that the order of the accepted states does not matter.
fn check(problem: &Strands, solutions: u128) {
    let directory = &Directory::new();
    let file = || {
        let fingerprint = Fingerprint::new("a board", &problem.grid().to_string());
        SweepCheckpoint::new(directory.file(), Duration::ZERO, fingerprint)
    };
    assert_eq!(Sweep::new(problem).count().exact(), Some(solutions));

    /// Compares a sweep that is saved, interrupted halfway and resumed. `$kind` makes it dense.
    macro_rules! saved {
        ($expected:expr, $kind:expr, $question:ident($($argument:expr)?) $($then:tt)*) => {{
            let limits = Limits::new().depth(problem.grid().cells() / 2);
            let mut first = file();
            let sweep = $kind(Sweep::new(problem).limits(limits)).checkpoint(&mut first);
            let sweep = sweep.expect("a new file");
            let outcome = sweep.$question($($argument)?)$($then)*.expect("an answer");
            assert_eq!(outcome.stop(), Stop::DepthLimit);
            let mut second = file();
            let sweep = $kind(Sweep::new(problem)).resume(&mut second).expect("the same sweep");
            let outcome = sweep.$question($($argument)?)$($then)*.expect("the same question");
            assert_eq!(outcome.value(), &$expected, "saved {}", stringify!($question));
            std::fs::remove_file(directory.file()).expect("the file");
        }};
    }
    macro_rules! check {
        ($question:ident($($argument:expr)?) $($then:tt)*) => {{
            let outcome = Sweep::new(problem).$question($($argument)?)$($then)*;
            let (expected, _) = outcome.into_parts();
            let outcome = Sweep::new(problem).threads(3).$question($($argument)?)$($then)*;
            assert_eq!(outcome.value(), &expected, "threads {}", stringify!($question));
            let sweep = Sweep::new(problem).spill(&directory.0).states_in_memory(3);
            let outcome = sweep.$question($($argument)?)$($then)*.expect("files");
            assert_eq!(outcome.value(), &expected, "spilled {}", stringify!($question));
            saved!(expected, std::convert::identity, $question($($argument)?)$($then)*);
        }};
    }
    macro_rules! check_dense {
        ($question:ident($($argument:expr)?) $($then:tt)*) => {{
            let outcome = Sweep::new(problem).$question($($argument)?)$($then)*;
            let (expected, _) = outcome.into_parts();
            for threads in [1, 3] {
                let sweep = Sweep::new(problem).threads(threads).dense();
                let outcome = sweep.$question($($argument)?)$($then)*;
                assert_eq!(outcome.value(), &expected, "dense {}", stringify!($question));
            }
            saved!(expected, Sweep::dense, $question($($argument)?)$($then)*);
        }};
    }
    check!(run(&Best::maximise(length)));
    check!(ends(&Counting::<u64>::new()));
    check!(count());
    check!(count_natural());
    check!(count_by_residues());
    check!(count_modulo(97).expect("a modulus above 0"));
    check!(exists());
    check!(is_unique());
    check_dense!(count());
    check_dense!(count_natural());
    check_dense!(count_by_residues());
    check_dense!(count_modulo(97).expect("a modulus above 0"));
    check_dense!(exists());
    check_dense!(is_unique());
}

#[test]
fn every_executor_answers_every_question() {
    let grid = |rows, columns| Grid::new(rows, columns).expect("a board");
    check(&hamiltonian_cycles(&grid(6, 6)), 1072);
    check(&hamiltonian_cycles(&grid(5, 5)), 0);
    check(&hamiltonian_cycles(&grid(2, 7)), 1);
    check(&simple_paths(&grid(5, 5)), 8512);
}
