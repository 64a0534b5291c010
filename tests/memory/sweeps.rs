use secateurs::plug::algebra::{Algebra, Best, BestK, Counting, Natural, Optima};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::problems::catalogue::{Grid, Strands, hamiltonian_cycles, simple_paths};
use secateurs::{Limits, Stop};

use crate::{assert_within, growth};

const MIB: usize = 1 << 20;

fn cycles(side: usize) -> Strands {
    hamiltonian_cycles(&Grid::new(side, side).expect("a board"))
}

fn limited<P: ContourProblem>(profile: &P, limit: usize, threads: usize) -> Sweep<'_, P> {
    Sweep::new(profile).limits(Limits::new().memory(limit as u64)).threads(threads)
}

/// Runs an algebra until it has used up its memory.
fn check<P: ContourProblem, A: Algebra<P>>(what: &str, profile: &P, algebra: &A) {
    for limit in [4 * MIB, 16 * MIB] {
        for threads in [1, 2] {
            let (outcome, grown) = growth(|| limited(profile, limit, threads).run(algebra));
            assert_eq!(outcome.stop(), Stop::MemoryLimit, "{what}");
            let peak = outcome.report().peak_bytes().expect("a sweep") as usize;
            assert!(peak <= limit, "{what}: reported {peak} bytes under a limit of {limit}");
            assert_within(&format!("{what}, {threads} threads"), limit, grown);
        }
    }
}

/// A weight that differs from label to label.
fn weight<L: std::fmt::Debug>(cell: usize, label: L) -> i64 {
    (cell as i64 * 37 + format!("{label:?}").bytes().map(i64::from).sum::<i64>()) % 101
}

#[test]
fn lists_of_best_weights_count_with_their_entries() {
    check("10,000 best weights", &cycles(10), &BestK::maximise(10_000, weight));
    check(
        "20 best weights",
        &simple_paths(&Grid::new(12, 12).expect("a board")),
        &BestK::minimise(20, weight),
    );
}

#[test]
fn numbers_of_any_size_count_with_their_limbs() {
    check("naturals", &cycles(18), &Counting::<Natural>::new());
    check(
        "naturals and weights",
        &cycles(18),
        &(Counting::<Natural>::new(), BestK::maximise(3, weight)),
    );
}

#[test]
fn values_without_heap_count_with_their_tables() {
    check("machine words", &cycles(18), &Counting::<u64>::new());
    check("best weight", &cycles(18), &Best::maximise(weight));
    check("optima", &cycles(18), &Optima::maximise(weight));
}

#[test]
fn numbers_that_grow_are_widened_within_the_limit() {
    // A long strip: counts grow beyond any fixed width.
    let strip = hamiltonian_cycles(&Grid::new(8, 2000).expect("a board"));
    for limit in [100_000, 200_000] {
        let (outcome, grown) = growth(|| limited(&strip, limit, 1).count_natural());
        assert!(matches!(outcome.stop(), Stop::MemoryLimit | Stop::Exhausted));
        let most = limit + limit / 10 + crate::CONSTANT;
        assert!(grown <= most, "grew by {grown} bytes under a limit of {limit}");
    }
}

#[test]
fn dense_tables_count_with_their_plans() {
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
fn kept_layers_count_with_what_is_found_along_the_way() {
    let paths = simple_paths(&Grid::new(11, 11).expect("a board"));
    for threads in [1, 2] {
        let limit = 8 * MIB;
        let (stop, grown) = growth(|| {
            limited(&paths, limit, threads).retain_layers().map(|_| ()).unwrap_err().stop()
        });
        assert_eq!(stop, Stop::MemoryLimit);
        assert_within(&format!("kept layers, {threads} threads"), limit, grown);
    }
}

#[test]
fn iterators_over_kept_layers_hold_their_limit() {
    let cycles = cycles(8);
    for threads in [1, 2] {
        let (kept, needed) = growth(|| {
            limited(&cycles, usize::MAX, threads).retain_layers().map(|kept| kept.bytes())
        });
        println!("{} bytes kept, {needed} needed", kept.expect("no limit"));
        for limit in [needed, needed + MIB] {
            let (given, grown) = growth(|| {
                let kept = limited(&cycles, limit, threads).retain_layers().ok()?;
                let samples = kept.samples(1).ok()?.take(10).count();
                let mut ranked = kept.ranked(secateurs::Direction::Maximise, weight).ok()?;
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
