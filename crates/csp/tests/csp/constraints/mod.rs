//! Global constraints, compared with brute force at every level of propagation, and with known
//! counts.

mod arithmetic;
mod circuit;
mod conditional;
mod counting;
mod cumulative;
mod disjunctive;
mod functional;
mod lexicographic;
mod linear;
mod matching;
mod precedence;
mod regular;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use secateurs_csp::{Automaton, Consistency, Model, ModelError, Task};

use crate::networks::Constraint::*;
use crate::networks::{Words, network_specs};
use crate::oracle::assert_count;

#[test]
fn variables_of_another_model_are_refused() {
    let unknown = Model::new().variables(3, 0..=1).expect("small")[2];
    let words = Words { states: 1, transitions: BTreeMap::new(), accepting: BTreeSet::from([0]) };
    let operations = arithmetic::ALL.map(|operation| Arithmetic(operation, [0, 0, 1]));
    let operands = arithmetic::ALL.map(|operation| Arithmetic(operation, [1, 1, 0]));
    let others = [
        Linear(vec![(1, 0), (0, 1)], 0..=0),
        Linear(vec![(1, 1)], i64::MIN..=i64::MAX),
        Circuit(vec![0, 1], false),
        Different(vec![0, 1], Some(Consistency::Bounds)),
        CountIn(vec![0, 1], 0, i64::MIN..=i64::MAX),
        Count(vec![0], 0, 1),
        Cardinality(vec![1], vec![(0, 1..=1)]),
        Element(0, vec![], 1),
        Element(0, vec![1], 0),
        ElementConstants(1, vec![1], 0),
        Minimum(0, vec![1]),
        Maximum(1, vec![0]),
        Lexicographic(vec![0], vec![1], false),
        // Even if the place never matters.
        Lexicographic(vec![0, 1], vec![0], true),
        Cumulative(vec![(1, 1, 1)], 1),
        Disjunctive(vec![(0, 1), (1, 1)]),
        Regular(vec![0, 1], words),
    ];
    for constraint in others.iter().chain(&operations).chain(&operands) {
        let mut model = Model::new();
        let known = model.variable(0..=1).expect("small");
        let error = Err(ModelError::UnknownVariable { variable: 2, variables: 1 });
        assert_eq!(constraint.state(&mut model, &[known, unknown]), error, "{constraint:?}");
        // The model is as it was.
        assert_count(model, 2);
    }
}

#[test]
fn malformed_constraints_are_refused() {
    let mut model = Model::new();
    let [x, y] = [0, 1].map(|_| model.variable(0..=1).expect("two values"));
    model.name(y, "y").expect("it is there");
    let task = |start, duration, demand| Task { start, duration, demand };
    let large = [task(x, 9, 1 << 30), task(y, i32::MAX, 1 << 30), task(x, 1, 1)];
    let chain = (0..(1 << 17) - 1).map(|state| (state, 0, state + 1));
    let chain = Automaton::new(1 << 17, chain, 0, [0]).expect("deterministic");
    let refused = [
        // The valid tasks alone would exclude solutions.
        model.cumulative([task(x, 1, 2), task(y, 1, 2), task(y, -2, 1)], 3),
        model.cumulative([task(x, 1, 2), task(y, 1, 2), task(y, 2, -1)], 3),
        model.cumulative([task(x, 1, 1)], -1),
        model.cumulative(large, i32::MAX),
        model.disjunctive([(x, 1), (y, 1), (y, -2)]),
        model.regular(&vec![x; 1 << 17], &chain),
        model.table(&[y, x], [vec![0, 0], vec![1, 1, 0]]),
        model.forbidden(&[y, x], [[1]]),
        model.table(&[], [[1]]),
        model.linear([(1 << 60, x), (1 << 61, y), (1, x)], ..),
        model.linear([(i64::MIN, x)], ..),
        model.linear([(i64::MAX, x)], ..),
        model.require((i64::MAX * (i64::MAX * (i64::MAX * x))).equals(0)),
    ];
    let messages = refused.map(|result| result.expect_err("malformed").to_string());
    let expected = "\
duration of the task at variable 1 (`y`) is -2, expected at least 0
demand of the task at variable 1 (`y`) is -1, expected at least 0
capacity of a cumulative constraint is -1, expected at least 0
variable 1 (`y`): the work of the tasks up to this one, plus the capacity \
between their earliest start and latest end, exceeds 2^61
duration of the task at variable 1 (`y`) is -2, expected at least 0
automaton: 131072 states at each of 131072 variables take more than 17179869184 bits
table of variable 1 (`y`): row 2 has length 3, expected 2, one value for each variable
table of variable 1 (`y`): row 1 has length 1, expected 2, one value for each variable
table of no variable: row 1 has length 1, expected 0, one value for each variable
variable 1 (`y`): the sum up to here may exceed 2^61 in absolute value
variable 0: the sum up to here may exceed 2^61 in absolute value
variable 0: the sum up to here may exceed 2^61 in absolute value
variable 0: the sum up to here may exceed 2^61 in absolute value";
    assert_eq!(messages.join("\n"), expected);
    // The model is as it was.
    assert_count(model, 4);
}

proptest! {
    #[test]
    fn constraints_of_all_kinds_together_match_brute_force(spec in network_specs()) {
        spec.check()?;
    }
}
