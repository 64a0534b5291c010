//! Regular constraints: words that an automaton accepts.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use secateurs_csp::{Automaton, Model};

use crate::networks::Constraint::Regular;
use crate::networks::{Words, words};
use crate::oracle::{assert_count, assert_counts, check_constraint, domains, every};

proptest! {
    /// Words of all variables in order, which must be pruned exactly, and of a sequence with
    /// repeated variables.
    #[test]
    fn words_are_pruned_exactly(
        domains in domains(5),
        words in words(
            prop_oneof![6 => -3..=4, 2 => (-3..=4).prop_map(|value| 37 * value)].boxed(),
            0..45,
        ),
        sequence in prop::collection::vec(0_usize..5, 0..=6),
    ) {
        check_constraint(&domains, &Regular(every(&domains), words.clone()), true)?;
        let sequence = sequence.iter().map(|index| index % domains.len()).collect();
        check_constraint(&domains, &Regular(sequence, words), false)?;
    }

    /// Sums by a modulus: automata with more than 64 states, or more than 64 values.
    #[test]
    fn large_automata_are_pruned_exactly(
        domains in domains(4),
        (modulus, is_wide) in prop::sample::select(vec![(3, true), (70, false), (130, false)]),
        remainder in 0_usize..3,
    ) {
        let values: BTreeSet<i32> = if is_wide {
            (-111..=148).collect()
        } else {
            domains.iter().flatten().copied().collect()
        };
        let next = |state: i32, value: i32| (state + value).rem_euclid(modulus) as usize;
        let transitions = (0..modulus).flat_map(|state| {
            values.iter().map(move |&value| ((state as usize, value), next(state, value)))
        });
        let words = Words {
            states: modulus as usize,
            transitions: transitions.collect(),
            accepting: [remainder].into(),
        };
        check_constraint(&domains, &Regular(every(&domains), words), true)?;
    }
}

#[test]
fn the_empty_word_is_accepted_if_the_start_is_accepting() {
    let words = |accepting| Words {
        states: 2,
        transitions: BTreeMap::from([((0, 7), 1)]),
        accepting: BTreeSet::from([accepting]),
    };
    let counts = [(Regular(vec![], words(0)), 2), (Regular(vec![], words(1)), 0)];
    assert_counts(&[0..=1], counts);
}

#[test]
fn words_at_the_ends_of_the_range_do_not_overflow() {
    let transitions = [(0, i32::MIN, 1), (1, i32::MAX, 2), (2, i32::MIN, 0), (2, i32::MAX, 2)];
    let automaton = Automaton::new(usize::MAX, transitions, 0, [2, 5]).expect("deterministic");
    let mut model = Model::new();
    let first = model.variable([i32::MIN, i32::MIN + 1]).expect("small");
    let others = model.variables(2, [i32::MAX - 1, i32::MAX]).expect("small");
    model.regular(&[first, others[0], others[1]], &automaton).expect("a small automaton");
    assert_count(model, 1);
}

#[test]
fn malformed_automata_are_refused() {
    for (transitions, start, accepting, message) in [
        (
            &[(0, 1, 2), (2, -1, 3)][..],
            0,
            &[2][..],
            "transition 2 (2, -1, 3) has state 3, expected less than 3",
        ),
        (&[(9, 1, 2)], 0, &[2], "transition 1 (9, 1, 2) has state 9, expected less than 3"),
        (&[], 3, &[], "the start has state 3, expected less than 3"),
        (&[], 0, &[0, 4], "the list of accepting states has state 4, expected less than 3"),
        (
            &[(0, 5, 2), (1, 5, 0), (0, 5, 1), (0, 5, 2)],
            0,
            &[],
            "value 5 leads from state 0 to state 1 and to state 2, expected one of them",
        ),
    ] {
        let (transitions, accepting) = (transitions.iter().copied(), accepting.iter().copied());
        let error = Automaton::new(3, transitions, start, accepting).expect_err(message);
        assert_eq!(error.to_string(), format!("automaton: {message}"));
    }
    assert!(Automaton::new(0, [], 0, []).is_err(), "there is no state to start in");
    Automaton::new(1, [(0, 1, 0), (0, 1, 0)], 0, []).expect("a repeated transition");
}
