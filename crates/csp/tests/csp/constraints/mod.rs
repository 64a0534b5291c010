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
use secateurs_csp::{Consistency, Model, ModelError};

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

proptest! {
    #[test]
    fn constraints_of_all_kinds_together_match_brute_force(spec in network_specs()) {
        spec.check()?;
    }
}
