//! Circuits: successors that form one cycle.

use proptest::prelude::*;
use secateurs_csp::{Model, Network};

use crate::networks::Constraint::{Circuit, Subcircuit};
use crate::oracle::{Domains, assert_counts, assert_refuted, check_constraint, every};
use crate::support::propagation::{LEVELS, count};
use crate::support::sizes::sized;

/// Domains of successors: sparse ones, some with values that are no places, and dense ones.
fn graphs() -> impl Strategy<Value = Domains> {
    let sparse = prop::collection::vec(prop::collection::btree_set(-1..=6, 0..=6), 0..=6);
    let wide = sparse.clone().prop_map(|mut domains| {
        domains.iter_mut().for_each(|values| values.extend([100, -100]));
        domains
    });
    let dense = prop::collection::vec(prop::collection::btree_set(0..6, 3..=5), 6);
    // Places may be their own successors.
    let loops = dense.clone().prop_map(|mut domains| {
        (0..).zip(&mut domains).for_each(|(place, values)| _ = values.insert(place));
        domains
    });
    prop_oneof![sparse, wide, dense, loops]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(128, 512)))]

    #[test]
    fn random_graphs_have_the_circuits_of_brute_force(domains in graphs()) {
        let places = every(&domains);
        for constraint in
            [Circuit(places.clone(), false), Circuit(places.clone(), true), Subcircuit(places)]
        {
            check_constraint(&domains, &constraint, false)?;
        }
    }
}

/// A network of successors on the complete directed graph.
fn complete(places: i32) -> Network {
    let mut model = Model::new();
    let successors = model.variables(places as usize, 0..places).expect("small");
    model.circuit(&successors).expect("its own variables");
    model.build()
}

#[test]
fn complete_graphs_have_the_known_number_of_circuits() {
    let mut factorial = 1;
    for places in 1..=8 {
        let network = complete(places as i32);
        let levels = if places > 6 { &LEVELS[1..] } else { &LEVELS[..] };
        for &level in levels {
            assert_eq!(count(&network, level), Some(factorial), "{places} places, {level:?}");
        }
        factorial *= places;
    }
}

/// All edges between two halves lead to the second one: the circuit constraint alone needs a large
/// search, connectivity refutes it at the root.
#[test]
fn connectivity_refutes_disconnected_halves_at_the_root() {
    let mut model = Model::new();
    let mut places = model.variables(12, 0..24).expect("small");
    places.extend(model.variables(12, 12..24).expect("small"));
    model.circuit_connected(&places).expect("its own variables");
    assert_refuted(model);
}

#[test]
fn no_places_are_a_circuit_and_repeated_variables_are_none() {
    assert_counts(&[], [(Circuit(vec![], false), 1)]);
    assert_counts(&[0..=2, 0..=2], [(Circuit(vec![0, 1, 0], false), 0)]);
}
