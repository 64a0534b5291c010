//! Circuits: successors that form one cycle.

use proptest::prelude::*;
use secateurs::Search;
use secateurs_csp::{Ascending, Branching, Model, Network, Propagate, Propagation, SmallestDomain};

use super::oracle::{self, assert_count, check};
use crate::support::propagation::{LEVELS, count};

/// Returns whether the path from place 0 visits all places and returns.
fn is_circuit(successors: &[i32]) -> bool {
    let mut seen = vec![false; successors.len()];
    let mut place = 0;
    for _ in 0..successors.len() {
        match usize::try_from(successors[place]) {
            Ok(next) if next < seen.len() && !seen[next] => seen[next] = true,
            _ => return false,
        }
        place = successors[place] as usize;
    }
    place == 0
}

/// Returns whether the places that are not their own successors form one circuit or none.
fn is_subcircuit(successors: &[i32]) -> bool {
    let in_circuit: Vec<usize> =
        (0..successors.len()).filter(|&place| successors[place] != place as i32).collect();
    let inner = in_circuit.iter().map(|&place| {
        let next = in_circuit.iter().position(|&other| other as i32 == successors[place]);
        next.map_or(-1, |next| next as i32)
    });
    in_circuit.is_empty() || is_circuit(&inner.collect::<Vec<i32>>())
}

proptest! {
    #[test]
    fn random_graphs_have_the_circuits_of_brute_force(
        domains in prop::collection::vec(prop::collection::btree_set(-1..=6, 0..=6), 0..=6),
        wide in any::<bool>(),
    ) {
        let domains: oracle::Domains = domains
            .into_iter()
            .map(
                |values| {
                    if wide { values.into_iter().chain([100, -100]).collect() } else { values }
                },
            )
            .collect();
        let expected = oracle::solutions(&domains, is_circuit);
        let (mut model, variables) = oracle::model(&domains);
        let mut connected = model.clone();
        model.circuit(&variables).expect("its own variables");
        check(&model.build(), &expected)?;
        connected.circuit_connected(&variables).expect("its own variables");
        check(&connected.build(), &expected)?;
        let expected = oracle::solutions(&domains, is_subcircuit);
        let (mut model, variables) = oracle::model(&domains);
        model.subcircuit(&variables).expect("its own variables");
        check(&model.build(), &expected)?;
    }

    #[test]
    fn dense_graphs_have_the_circuits_of_brute_force(
        mut domains in prop::collection::vec(prop::collection::btree_set(0..6, 3..=5), 6),
    ) {
        domains[0].insert(3);
        let expected = oracle::solutions(&domains, is_circuit);
        let (mut model, variables) = oracle::model(&domains);
        let mut connected = model.clone();
        model.circuit(&variables).expect("its own variables");
        check(&model.build(), &expected)?;
        connected.circuit_connected(&variables).expect("its own variables");
        check(&connected.build(), &expected)?;
        for (place, values) in (0..).zip(&mut domains) {
            values.insert(place);
        }
        let expected = oracle::solutions(&domains, is_subcircuit);
        let (mut model, variables) = oracle::model(&domains);
        model.subcircuit(&variables).expect("its own variables");
        check(&model.build(), &expected)?;
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
    let outcome = Search::new(&model.build()).hooks((Propagate::full(),)).count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));
}

#[test]
fn a_circuit_of_no_places_holds() {
    assert_eq!(LEVELS.map(|level| count(&complete(0), level)), [Some(1); 4]);
}

#[test]
fn a_repeated_variable_makes_no_circuit() {
    let mut model = Model::new();
    let x = model.variable(0..3).expect("small");
    let y = model.variable(0..3).expect("small");
    model.circuit(&[x, y, x]).expect("its own variables");
    assert_count(model, 0);
}

/// A network of successors of the squares of a board, a knight's move away.
fn closed_knights_tours(rows: i32, columns: i32) -> Network {
    let mut model = Model::new();
    let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let successors: Vec<_> = squares
        .map(|(row, column)| {
            let moves = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
            let reached = moves.map(|(down, right)| (row + down, column + right)).into_iter();
            let reached = reached.filter(|&(row, column)| {
                (0..rows).contains(&row) && (0..columns).contains(&column)
            });
            let reached: Vec<i32> = reached.map(|(row, column)| row * columns + column).collect();
            model.variable(reached).expect("small")
        })
        .collect();
    model.circuit(&successors).expect("its own variables");
    model.build()
}

#[test]
fn narrow_boards_have_the_known_number_of_closed_tours() {
    for (rows, columns, undirected) in
        [(4, 4, 0), (5, 5, 0), (5, 6, 8), (3, 8, 0), (3, 10, 16), (3, 12, 176)]
    {
        let network = closed_knights_tours(rows, columns);
        assert_eq!(count(&network, Propagation::Full), Some(2 * undirected), "{rows} × {columns}");
    }
}

#[test]
fn closed_tours_of_six_by_six_squares_match_the_known_count() {
    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    let network = closed_knights_tours(6, 6);
    let outcome = Search::new(&network).hooks((Propagate::full(),)).brancher(order).count();
    println!("{}", outcome.report());
    assert_eq!(outcome.exact(), Some(2 * 9862));
}
