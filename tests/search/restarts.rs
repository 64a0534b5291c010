//! Schedules of restarts: known sequences, their properties, and their ends.

use proptest::prelude::*;
use secateurs::brancher::Shuffled;
use secateurs::search::Schedule;
use secateurs::{Limits, Search, Stop};
use secateurs_problems::queens::Queens;

/// The sequence as Luby, Sinclair and Zuckerman define it: 2ᵏ⁻¹ at index 2ᵏ − 1, and otherwise the
/// element 2ᵏ⁻¹ − 1 places before.
fn by_definition(index: u64) -> u64 {
    let mut power = 1;
    while 2 * power - 1 < index {
        power *= 2;
    }
    if index == 2 * power - 1 { power } else { by_definition(index - (power - 1)) }
}

#[test]
fn luby_sequence_begins_as_printed_in_the_paper() {
    let expected = [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1];
    assert_eq!(Schedule::luby(1).take(16).collect::<Vec<_>>(), expected);
}

#[test]
fn luby_follows_its_definition() {
    for (index, budget) in (1..=100_000).zip(Schedule::luby(3)) {
        assert_eq!(budget, 3 * by_definition(index), "index {index}");
    }
}

#[test]
fn invalid_parameters_are_corrected_and_large_ones_saturate() {
    assert_eq!(Schedule::luby(0).take(3).collect::<Vec<_>>(), [1, 1, 2]);
    assert_eq!(Schedule::luby(u64::MAX).take(3).collect::<Vec<_>>(), [u64::MAX; 3]);
    assert_eq!(Schedule::geometric(0, 2.0).take(4).collect::<Vec<_>>(), [1, 2, 4, 8]);
    for factor in [0.5, 0.0, -3.0, f64::NAN, f64::NEG_INFINITY, 1.0] {
        assert_eq!(
            Schedule::geometric(u64::MAX - 1, factor).take(3).collect::<Vec<_>>(),
            [u64::MAX - 1; 3]
        );
    }
    assert_eq!(
        Schedule::geometric(5, f64::INFINITY).take(3).collect::<Vec<_>>(),
        [5, u64::MAX, u64::MAX]
    );
    assert_eq!(Schedule::geometric(1, 2.0).nth(2000), Some(u64::MAX));
}

#[test]
fn a_growing_budget_exhausts_every_finite_tree() {
    // Three queens cannot be placed, and the proof is a tree of six nodes.
    let queens = Queens::new(3).expect("a small board").bits();
    let mut runs = Vec::new();
    for nodes in Schedule::geometric(1, 2.0) {
        let outcome = Search::new(&queens)
            .brancher(Shuffled::new(nodes))
            .limits(Limits::new().nodes(nodes))
            .first();
        runs.push(outcome.stop());
        if outcome.is_proven_none() {
            break;
        }
    }
    assert_eq!(runs, [Stop::NodeLimit, Stop::NodeLimit, Stop::NodeLimit, Stop::Exhausted]);
}

proptest! {
    #[test]
    fn geometric_budgets_grow_by_their_factor(first in 1..1_000_000_u64, factor in 1.0..3.0_f64) {
        let budgets: Vec<u64> = Schedule::geometric(first, factor).take(25).collect();
        prop_assert_eq!(budgets[0], first);
        for (index, pair) in budgets.windows(2).enumerate() {
            prop_assert!(pair[0] <= pair[1]);
            let exact = first as f64 * factor.powi(index as i32 + 1);
            prop_assert!(
                (pair[1] as f64 - exact).abs() <= 1.0 + 1e-9 * exact,
                "{} for {exact}",
                pair[1]
            );
        }
    }

    #[test]
    fn a_unit_scales_the_whole_sequence(unit in 1..1_000_000_000_u64) {
        let ones = Schedule::luby(1).take(300).map(|one| one * unit);
        prop_assert!(Schedule::luby(unit).take(300).eq(ones));
    }
}
