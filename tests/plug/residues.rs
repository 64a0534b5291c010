//! Counts by residues in several passes, against exact counts.

use std::sync::Mutex;
use std::time::Duration;

use proptest::prelude::*;
use secateurs::plug::algebra::Natural;
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Cancel, Effect, Limits, Stop, Verdict};
use secateurs_problems::catalogue::graphs::HamiltonianCycles;
use secateurs_problems::catalogue::{
    Grid, Strands, connected_subsets, hamiltonian_cycles, independent_sets, simple_paths,
};
use secateurs_problems::graph::{Graph, Order};

use crate::automata::{Automaton, automata};
use crate::erased::Erased;
use crate::shared::dense_sweeps::{PROBLEMS, SMALL, boards};
use crate::shared::sweep_hooks::TestHook;
use crate::support::problems::grid;

/// Compares counts by residues in hash tables with the exact count, for one thread and two.
fn check_hashed(problem: &impl ContourProblem) {
    let exact = Sweep::new(problem).count_natural();
    for threads in [1, 2] {
        let outcome = Sweep::new(problem).threads(threads).count_by_residues();
        assert!(exact.total().is_some());
        assert_eq!(outcome.total(), exact.total());
        assert_eq!(outcome.stop(), Stop::Exhausted);
    }
}

/// Compares counts by residues in dense tables with the exact count, for one thread and two, and
/// returns the number of passes.
fn check_dense(problem: &Strands, limits: &Limits) -> u32 {
    let exact = Sweep::new(problem).dense().count_natural();
    let passes = [1, 2].map(|threads| {
        let sweep = Sweep::new(problem).threads(threads).limits(limits.clone());
        let outcome = sweep.dense().count_by_residues();
        assert!(exact.total().is_some());
        assert_eq!(outcome.total(), exact.total());
        outcome.report().passes()
    });
    assert_eq!(passes[0], passes[1]);
    passes[0].expect("a sweep")
}

#[test]
fn paths_loops_sets_and_tours_have_their_exact_counts() {
    let board: Grid = ".....\n.*...\n.....\n....*\n".parse().expect("a board");
    for grid in [board, grid(4, 4), grid(1, 1)] {
        for (_, problem, _) in PROBLEMS {
            check_hashed(&problem(&grid));
            check_dense(&problem(&grid), &Limits::new());
        }
        check_hashed(&Erased(&connected_subsets(&grid)));
    }
    let knights = Graph::knight(5, 6).expect("a small board");
    check_hashed(&Erased(&HamiltonianCycles::new(&Order::narrowest(&knights))));
}

#[test]
fn long_counts_take_a_pass_for_every_63_bits() {
    for (rows, columns, passes) in [(2, 1, 2), (2, 60, 3), (2, 400, 10), (3, 500, 16)] {
        let sets = independent_sets(&grid(rows, columns));
        check_hashed(&sets);
        let outcome = Sweep::new(&sets).count_by_residues();
        let bits = outcome.total().map(Natural::bits).expect("a complete sweep");
        assert!(bits <= 63 * u64::from(passes - 1), "{bits} bits");
        assert_eq!(outcome.report().passes(), Some(passes), "{bits} bits");
    }
    let paths = simple_paths(&grid(40, 4));
    check_dense(&paths, &Limits::new());
}

#[test]
#[ignore = "seconds without optimisation: cargo test --release --test plug -- --ignored residues"]
fn scarce_memory_leads_to_narrow_residues_in_more_passes() {
    let paths = simple_paths(&grid(12, 12));
    let wide = Sweep::new(&paths).dense().count_by_residues();
    let peak = wide.report().peak_bytes().expect("a sweep");
    // The count has 98 bits.
    assert_eq!(wide.report().passes(), Some(3));
    // Room for narrow tables and for a few of the plans.
    let limits = Limits::new().memory(peak * 3 / 10);
    assert_eq!(check_dense(&paths, &limits), 5);
}

#[test]
fn counts_of_zero_take_one_pass() {
    let outcome = Sweep::new(&hamiltonian_cycles(&grid(3, 3))).dense().count_by_residues();
    assert_eq!((outcome.total(), outcome.report().passes()), (Some(&Natural::default()), Some(1)));
    let nothing = Automaton::new(vec![vec![(0, 0, 0)]], Vec::new());
    let outcome = Sweep::new(&nothing).count_by_residues();
    assert_eq!((outcome.total(), outcome.report().passes()), (Some(&Natural::default()), Some(1)));
    let no_cells = Automaton::new(Vec::new(), vec![0]);
    assert_eq!(Sweep::new(&no_cells).count_by_residues().total(), Some(&Natural::from(1_u32)));
}

#[test]
fn progress_and_errors_name_the_pass() {
    let sets = independent_sets(&grid(2, 60));
    let seen = Mutex::new(Vec::new());
    let outcome = Sweep::new(&sets)
        .progress(Duration::ZERO, |progress| {
            if let Ok(mut seen) = seen.lock() {
                seen.push((progress.pass, progress.passes, progress.cells_done));
            }
        })
        .count_by_residues();
    assert_eq!(outcome.report().passes(), Some(3));
    assert!(outcome.report().to_string().contains("3 of 3"), "{}", outcome.report());
    let expected = [(1, None), (2, Some(3)), (3, Some(3))]
        .into_iter()
        .flat_map(|(pass, passes)| (1..=120).map(move |cell| (pass, passes, cell)));
    assert!(seen.into_inner().expect("not poisoned").into_iter().eq(expected));

    for (pass, name) in [(1, "pass 1:"), (2, "pass 2 of 3:"), (3, "pass 3 of 3:")] {
        let cancel = Cancel::new();
        let sweep = Sweep::new(&sets).limits(Limits::new().cancel(&cancel));
        let sweep = sweep.progress(Duration::ZERO, |progress| {
            if progress.pass == pass && progress.cells_done == 9 {
                cancel.cancel();
            }
        });
        let outcome = sweep.count_by_residues();
        assert_eq!((outcome.total(), outcome.unproven()), (None, None));
        assert!(!outcome.is_proven_empty());
        let error = outcome.complete().expect_err("cancelled").to_string();
        assert!(error.starts_with(&format!("stopped in cell 10 of 120 of {name}")), "{error}");
    }
}

#[test]
fn limits_apply_to_all_passes_together() {
    let sets = independent_sets(&grid(2, 60));
    let outcome = Sweep::new(&sets).count_by_residues();
    // The states after the last cell are not expanded.
    let last = outcome.report().levels().last().map_or(0, |level| level.nodes);
    let expanded = 3 * (outcome.report().nodes() - last);
    let stop = |nodes| Sweep::new(&sets).limits(Limits::new().nodes(nodes)).count_by_residues();
    assert_eq!(stop(expanded).total(), outcome.total());
    assert_eq!(stop(expanded - 1).stop(), Stop::NodeLimit);
    assert_eq!(stop(expanded - 1).report().passes(), Some(3));
    for (limits, stop) in [
        (Limits::new().time(Duration::ZERO), Stop::TimeLimit),
        (Limits::new().depth(7), Stop::DepthLimit),
        (Limits::new().states(1), Stop::StateLimit),
        (Limits::new().memory(10), Stop::MemoryLimit),
    ] {
        let outcome = Sweep::new(&sets).limits(limits).count_by_residues();
        assert_eq!((outcome.stop(), outcome.report().passes()), (stop, Some(1)));
    }
}

#[test]
fn hooks_that_lose_solutions_leave_no_total() {
    let cycles = hamiltonian_cycles(&grid(4, 4));
    let without_four_plugs = |effect| {
        TestHook::entering("not four", effect, |_: &Strands, _, state| {
            Verdict::prune_if(state.word().count_ones() == 4)
        })
    };
    let lossy = without_four_plugs(Effect::Lossy);
    let outcome = Sweep::new(&cycles).hooks((lossy,)).count_by_residues();
    assert_eq!((outcome.total(), outcome.unproven()), (None, None));
    assert!(!outcome.is_proven_empty());
    assert_eq!(outcome.stop(), Stop::Exhausted);
    // The claim of a hook is believed.
    let kept = Sweep::new(&cycles).hooks((without_four_plugs(Effect::Preserving),));
    assert!(kept.count_by_residues().total() < Some(&Natural::from(6_u32)));
}

proptest! {
    #[test]
    fn residues_of_automata_determine_the_count(automaton in automata(), threads in 1..3usize) {
        let count = Natural::from(automaton.solutions().len() as u128);
        let outcome = Sweep::new(&automaton).threads(threads).count_by_residues();
        prop_assert_eq!(outcome.total(), Some(&count));
    }

    #[test]
    fn residues_on_boards_with_obstacles_determine_the_count(
        grid in boards(SMALL),
        threads in 1..3usize,
    ) {
        for (_, problem, _) in PROBLEMS {
            let problem = problem(&grid);
            let exact = Sweep::new(&problem).dense().count_natural();
            let outcome = Sweep::new(&problem).threads(threads).dense().count_by_residues();
            prop_assert_eq!(outcome.total(), exact.total());
        }
    }
}
