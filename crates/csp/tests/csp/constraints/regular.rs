//! Regular constraints: words that an automaton accepts.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use secateurs_csp::{Automaton, Model, ModelError};

use super::oracle::{self, Domains, assert_count, check, check_exact, domains};
use crate::support::propagation::{LEVELS, count};

/// The parts of an automaton. It starts in state 0.
#[derive(Clone, Debug)]
struct Parts {
    transitions: BTreeMap<(usize, i32), usize>,
    accepting: BTreeSet<usize>,
}

const STATES: usize = 4;

impl Parts {
    fn automaton(&self) -> Automaton {
        let transitions = self.transitions.iter().map(|(&(from, value), &to)| (from, value, to));
        let accepting = self.accepting.iter().copied();
        Automaton::new(STATES, transitions, 0, accepting).expect("deterministic")
    }

    fn accept(&self, word: impl Iterator<Item = i32>) -> bool {
        let mut state = 0;
        for value in word {
            match self.transitions.get(&(state, value)) {
                Some(&next) => state = next,
                None => return false,
            }
        }
        self.accepting.contains(&state)
    }
}

/// Automata that read most of the values of [`domains`].
fn automata() -> impl Strategy<Value = Parts> {
    let value = prop_oneof![6 => -3..=4, 2 => (-3..=4).prop_map(|value| 37 * value)];
    let transitions = prop::collection::btree_map((0..STATES, value), 0..STATES, 0..45);
    let accepting = prop::collection::btree_set(0..STATES, 0..=3);
    (transitions, accepting).prop_map(|(transitions, accepting)| Parts { transitions, accepting })
}

/// Checks the words of all variables in order, which must be pruned exactly, and the words of a
/// sequence with repeated variables.
fn check_words(domains: &Domains, parts: &Parts, sequence: &[usize]) -> Result<(), TestCaseError> {
    let (mut model, variables) = oracle::model(domains);
    model.regular(&variables, &parts.automaton()).expect("a small automaton");
    let expected = oracle::solutions(domains, |values| parts.accept(values.iter().copied()));
    check_exact(&model.build(), &expected)?;

    let sequence: Vec<usize> = sequence.iter().map(|index| index % domains.len()).collect();
    let (mut model, variables) = oracle::model(domains);
    let repeated: Vec<_> = sequence.iter().map(|&index| variables[index]).collect();
    model.regular(&repeated, &parts.automaton()).expect("a small automaton");
    let expected = oracle::solutions(domains, |values| {
        parts.accept(sequence.iter().map(|&index| values[index]))
    });
    check(&model.build(), &expected)
}

proptest! {
    #[test]
    fn words_are_pruned_exactly(
        domains in domains(5),
        parts in automata(),
        sequence in prop::collection::vec(0_usize..5, 0..=6),
    ) {
        check_words(&domains, &parts, &sequence)?;
    }

    /// Automata with more than 64 states, or more than 64 values.
    #[test]
    fn sums_by_a_modulus_are_pruned_exactly(
        domains in domains(4),
        (modulus, is_wide) in prop::sample::select(vec![(3, true), (70, false), (130, false)]),
        remainder in 0_usize..3,
    ) {
        let values: BTreeSet<i32> = if is_wide {
            (-111..=148).collect()
        } else {
            domains.iter().flatten().copied().collect()
        };
        let next = |state: usize, value: i32| {
            (state as i32 + value).rem_euclid(modulus) as usize
        };
        let states = modulus as usize;
        let transitions = (0..states).flat_map(|state| {
            values.iter().map(move |&value| (state, value, next(state, value)))
        });
        let automaton =
            Automaton::new(states, transitions, 0, [remainder]).expect("deterministic");
        let (mut model, variables) = oracle::model(&domains);
        model.regular(&variables, &automaton).expect("a small automaton");
        let expected = oracle::solutions(&domains, |values| {
            values.iter().sum::<i32>().rem_euclid(modulus) as usize == remainder
        });
        check_exact(&model.build(), &expected)?;
    }
}

/// Returns the automaton of words of zeros and ones whose runs of ones have these lengths.
fn runs(lengths: &[usize]) -> Automaton {
    let mut transitions = vec![(0, 0, 0)];
    let mut state = 0;
    for (index, &length) in lengths.iter().enumerate() {
        for _ in 0..length {
            transitions.push((state, 1, state + 1));
            state += 1;
        }
        if index + 1 < lengths.len() {
            transitions.push((state, 0, state + 1));
            state += 1;
        }
        transitions.push((state, 0, state));
    }
    Automaton::new(state + 1, transitions, 0, [state]).expect("deterministic")
}

/// Runs of ones of total length l can be placed in n cells in as many ways as k of n - l + 1 places
/// can be chosen.
#[test]
fn runs_of_ones_are_counted_by_binomial_coefficients() {
    for (cells, lengths, words) in [
        (5, vec![], 1),
        (5, vec![5], 1),
        (5, vec![3], 3),
        (10, vec![1, 1, 1], 56),
        (10, vec![3, 2], 15),
        (12, vec![2, 3, 1], 35),
        (4, vec![3, 1], 0),
    ] {
        let mut model = Model::new();
        let line = model.variables(cells, 0..=1).expect("small");
        model.regular(&line, &runs(&lengths)).expect("a small automaton");
        let network = model.build();
        assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(words); 4], "{lengths:?}");
    }
}

#[test]
fn the_empty_word_is_accepted_if_the_start_is_accepting() {
    for (accepting, solutions) in [(0, Some(2)), (1, Some(0))] {
        let automaton = Automaton::new(2, [(0, 7, 1)], 0, [accepting]).expect("deterministic");
        let mut model = Model::new();
        model.variable(0..=1).expect("small");
        model.regular(&[], &automaton).expect("no variables");
        let network = model.build();
        assert_eq!(LEVELS.map(|level| count(&network, level)), [solutions; 4]);
    }
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
    let message = |transitions: &[(usize, i32, usize)], start, accepting: &[usize]| {
        let accepting = accepting.iter().copied();
        Automaton::new(3, transitions.iter().copied(), start, accepting)
            .expect_err("malformed")
            .to_string()
    };
    assert_eq!(
        message(&[(0, 1, 2), (2, -1, 3)], 0, &[2]),
        "automaton: transition 2 (2, -1, 3) has state 3, expected less than 3"
    );
    assert_eq!(
        message(&[(9, 1, 2)], 0, &[2]),
        "automaton: transition 1 (9, 1, 2) has state 9, expected less than 3"
    );
    assert_eq!(message(&[], 3, &[]), "automaton: the start has state 3, expected less than 3");
    assert_eq!(
        message(&[], 0, &[0, 4]),
        "automaton: the list of accepting states has state 4, expected less than 3"
    );
    assert_eq!(
        message(&[(0, 5, 2), (1, 5, 0), (0, 5, 1), (0, 5, 2)], 0, &[]),
        "automaton: value 5 leads from state 0 to state 1 and to state 2, expected one of them"
    );
    assert!(Automaton::new(0, [], 0, []).is_err(), "there is no state to start in");
    Automaton::new(1, [(0, 1, 0), (0, 1, 0)], 0, []).expect("a repeated transition");
}

#[test]
fn sequences_that_are_too_long_are_refused() {
    let mut model = Model::new();
    let x = model.variable(0..=1).expect("small");
    let states = 1 << 17;
    let chain = (0..states - 1).map(|state| (state, 0, state + 1));
    let automaton = Automaton::new(states, chain, 0, [0]).expect("deterministic");
    let variables = 1 << 17;
    assert_eq!(
        model.regular(&vec![x; variables], &automaton),
        Err(ModelError::AutomatonTooLarge { variables, states, max: 1 << 34 })
    );
    // The model is as it was.
    assert_count(model, 2);
}
