use secateurs::plug::algebra::{Algebra, Best, BestK, Counting, Natural, Optima};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::problems::catalogue::{Grid, Strands, hamiltonian_cycles, simple_paths};
use secateurs::{Limits, Stop};

use crate::{assert_within, growth};

const MIB: usize = 1 << 20;

fn cycles(side: usize) -> Strands {
    hamiltonian_cycles(&Grid::new(side, side).expect("a board"))
}

fn limited<P: ContourProblem>(problem: &P, limit: usize, threads: usize) -> Sweep<'_, P> {
    Sweep::new(problem).limits(Limits::new().memory(limit as u64)).threads(threads)
}

/// Sweeps under an algebra until the memory limit stops it.
fn check<P: ContourProblem, A: Algebra<P>>(what: &str, problem: &P, algebra: &A) {
    for limit in [4 * MIB, 16 * MIB] {
        for threads in [1, 2] {
            let (outcome, grown) = growth(|| limited(problem, limit, threads).run(algebra));
            assert_eq!(outcome.stop(), Stop::MemoryLimit, "{what}");
            let peak = outcome.report().peak_bytes().expect("a sweep") as usize;
            assert!(peak <= limit, "{what}: reported {peak} bytes under a limit of {limit}");
            assert_within(&format!("{what}, {threads} threads"), limit, grown);
        }
    }
}

/// A weight that differs between labels.
fn weight<L: std::fmt::Debug>(cell: usize, label: L) -> i64 {
    (cell as i64 * 37 + format!("{label:?}").bytes().map(i64::from).sum::<i64>()) % 101
}

#[test]
fn heap_of_weight_lists_is_included_in_the_limit() {
    check("10,000 best weights", &cycles(10), &BestK::maximise(10_000, weight));
    check(
        "20 best weights",
        &simple_paths(&Grid::new(12, 12).expect("a board")),
        &BestK::minimise(20, weight),
    );
}

#[test]
fn heap_of_naturals_is_included_in_the_limit() {
    check("naturals", &cycles(18), &Counting::<Natural>::new());
    check(
        "naturals and weights",
        &cycles(18),
        &(Counting::<Natural>::new(), BestK::maximise(3, weight)),
    );
}

#[test]
fn tables_are_included_in_the_limit() {
    check("machine words", &cycles(18), &Counting::<u64>::new());
    check("best weight", &cycles(18), &Best::maximise(weight));
    check("optima", &cycles(18), &Optima::maximise(weight));
}

#[test]
fn widening_stays_within_the_limit() {
    // On a long strip, counts grow beyond any fixed width.
    let strip = hamiltonian_cycles(&Grid::new(8, 2000).expect("a board"));
    for limit in [100_000, 200_000] {
        let (outcome, grown) = growth(|| limited(&strip, limit, 1).count_natural());
        assert!(matches!(outcome.stop(), Stop::MemoryLimit | Stop::Exhausted));
        let most = limit + limit / 10 + crate::CONSTANT;
        assert!(grown <= most, "grew by {grown} bytes under a limit of {limit}");
    }
}

#[test]
fn dense_tables_and_plans_are_included_in_the_limit() {
    let cycles = hamiltonian_cycles(&Grid::new(19, 18).expect("a board"));
    for limit in [16 * MIB, 64 * MIB] {
        for threads in [1, 2] {
            let (outcome, grown) = growth(|| limited(&cycles, limit, threads).dense().count());
            assert_eq!(outcome.stop(), Stop::MemoryLimit);
            assert_within(&format!("dense, {threads} threads"), limit, grown);
        }
    }
}

#[test]
fn retained_layers_are_included_in_the_limit() {
    let paths = simple_paths(&Grid::new(11, 11).expect("a board"));
    for threads in [1, 2] {
        let limit = 8 * MIB;
        let (stop, grown) = growth(|| {
            limited(&paths, limit, threads).retain_layers().map(|_| ()).unwrap_err().stop()
        });
        assert_eq!(stop, Stop::MemoryLimit);
        assert_within(&format!("retained layers, {threads} threads"), limit, grown);
    }
}

#[test]
fn iterators_over_retained_layers_stay_within_the_limit() {
    let cycles = cycles(8);
    for threads in [1, 2] {
        let (retained, needed) = growth(|| {
            limited(&cycles, usize::MAX, threads).retain_layers().map(|retained| retained.bytes())
        });
        println!("{} bytes retained, {needed} needed", retained.expect("no limit"));
        for limit in [needed, needed + MIB] {
            let (given, grown) = growth(|| {
                let retained = limited(&cycles, limit, threads).retain_layers().ok()?;
                let samples = retained.samples(1).ok()?.take(10).count();
                let mut ranked = retained.ranked(secateurs::Direction::Maximise, weight).ok()?;
                let ranks = ranked.by_ref().take(100_000).count();
                Some((samples, ranks, ranked.stop()))
            });
            println!("{given:?}, grew by {grown} under {limit}");
            assert!(
                grown <= limit + limit / 10 + crate::CONSTANT,
                "grew by {grown} bytes under a limit of {limit}"
            );
        }
    }
}
