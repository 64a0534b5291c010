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
mod oracle;
mod precedence;
mod regular;
mod table;

use proptest::prelude::*;
use secateurs_csp::{Automaton, Consistency, Model, ModelError, Task, Variable};

use self::oracle::{assert_count, check};
use crate::networks::network_specs;

#[test]
fn variables_of_another_model_are_refused() {
    let unknown = Model::new().variables(3, 0..=1).expect("small")[2];
    let refused = |name: &str, state: &dyn Fn(&mut Model, Variable) -> Result<(), ModelError>| {
        let mut model = Model::new();
        let x = model.variable(0..=1).expect("small");
        let error = Err(ModelError::UnknownVariable { variable: 2, variables: 1 });
        assert_eq!(state(&mut model, x), error, "{name}");
        // The model is as it was.
        assert_count(model, 2);
    };
    refused("linear", &|model, x| model.linear([(1, x), (0, unknown)], 0..=0));
    refused("sum", &|model, _| model.sum(&[unknown], ..));
    refused("circuit", &|model, x| model.circuit(&[x, unknown]));
    refused("bounds", &|model, x| model.all_different_with(&[x, unknown], Consistency::Bounds));
    refused("count", &|model, x| model.count(&[x, unknown], 0, ..));
    refused("count variable", &|model, x| model.count_variable(&[x], 0, unknown));
    refused("cardinality", &|model, _| model.global_cardinality(&[unknown], [(0, 1..=1)]));
    refused("result of an element", &|model, x| model.element(x, &[], unknown));
    refused("element", &|model, x| model.element(x, &[unknown], x));
    refused("constant element", &|model, x| model.element_constants(unknown, &[1], x));
    refused("minimum", &|model, x| model.minimum(x, &[unknown]));
    refused("maximum", &|model, x| model.maximum(unknown, &[x]));
    refused("order", &|model, x| model.lexicographic(&[x], &[unknown]));
    // Even if the place never matters.
    refused("strict order", &|model, x| model.lexicographic_strict(&[x, unknown], &[x]));
    let task = Task { start: unknown, duration: 1, demand: 1 };
    refused("cumulative", &|model, _| model.cumulative([task], 1));
    refused("disjunctive", &|model, x| model.disjunctive([(x, 1), (unknown, 1)]));
    let automaton = Automaton::new(1, [(0, 0, 0)], 0, [0]).expect("deterministic");
    refused("regular", &|model, x| model.regular(&[x, unknown], &automaton));
    for (number, (state, _)) in arithmetic::ALL.into_iter().enumerate() {
        let name = format!("operation {number}");
        refused(&name, &|model, x| state(model, x, x, unknown));
        refused(&name, &|model, x| state(model, unknown, unknown, x));
    }
}

proptest! {
    #[test]
    fn constraints_of_all_kinds_together_match_brute_force(spec in network_specs()) {
        check(&spec.network(), &spec.solutions())?;
    }
}
