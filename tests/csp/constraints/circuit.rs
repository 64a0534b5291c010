//! Successors that form one cycle.

use proptest::prelude::*;
use secateurs::Search;
use secateurs::csp::{
    Ascending, Branching, Model, Network, Propagate, Propagation, SmallestDomain,
};

use super::oracle::{self, check};
use crate::support::propagation::{LEVELS, count};

/// Whether from place 0 one comes through all places and back.
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

proptest! {
    #[test]
    fn random_graphs(
        domains in prop::collection::vec(prop::collection::btree_set(-1..=6, 0..=6), 0..=6),
        wide in any::<bool>(),
    ) {
        let domains: oracle::Domains = domains
            .into_iter()
            .map(|values| if wide { values.into_iter().chain([100, -100]).collect() } else { values })
            .collect();
        let expected = oracle::solutions(&domains, is_circuit);
        let (mut model, variables) = oracle::model(&domains);
        let mut connected = model.clone();
        model.circuit(&variables).expect("its own variables");
        check(&model.build(), &expected)?;
        connected.circuit_connected(&variables).expect("its own variables");
        check(&connected.build(), &expected)?;
    }

    #[test]
    fn dense_graphs(mut domains in prop::collection::vec(prop::collection::btree_set(0..6, 3..=5), 6)) {
        domains[0].insert(3);
        let expected = oracle::solutions(&domains, is_circuit);
        let (mut model, variables) = oracle::model(&domains);
        let mut connected = model.clone();
        model.circuit(&variables).expect("its own variables");
        check(&model.build(), &expected)?;
        connected.circuit_connected(&variables).expect("its own variables");
        check(&connected.build(), &expected)?;
    }
}

/// Successors on the complete directed graph.
fn complete(places: i32) -> Network {
    let mut model = Model::new();
    let successors = model.variables(places as usize, 0..places).expect("small");
    model.circuit(&successors).expect("its own variables");
    model.build()
}

#[test]
fn circuits_of_complete_graphs() {
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

/// Two halves, and every way between them leads to the second: a search without end, or one look.
#[test]
fn halves_without_a_way_back() {
    let mut model = Model::new();
    let mut places = model.variables(12, 0..24).expect("small");
    places.extend(model.variables(12, 12..24).expect("small"));
    model.circuit_connected(&places).expect("its own variables");
    let outcome = Search::new(&model.build()).hooks((Propagate::full(),)).count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));
}

#[test]
fn no_places() {
    assert_eq!(LEVELS.map(|level| count(&complete(0), level)), [Some(1); 4]);
}

#[test]
fn a_variable_twice() {
    let mut model = Model::new();
    let x = model.variable(0..3).expect("small");
    let y = model.variable(0..3).expect("small");
    model.circuit(&[x, y, x]).expect("its own variables");
    let network = model.build();
    assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(0); 4]);
}

/// Successors of squares on a board of `rows` and `columns`, a knight's move away.
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
fn closed_knights_tours_of_narrow_boards() {
    for (rows, columns, undirected) in
        [(4, 4, 0), (5, 5, 0), (5, 6, 8), (3, 8, 0), (3, 10, 16), (3, 12, 176)]
    {
        let network = closed_knights_tours(rows, columns);
        assert_eq!(count(&network, Propagation::Full), Some(2 * undirected), "{rows} × {columns}");
    }
}

#[test]
fn closed_knights_tours_six_by_six() {
    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    let network = closed_knights_tours(6, 6);
    let outcome = Search::new(&network).hooks((Propagate::full(),)).brancher(order).count();
    println!("{}", outcome.report());
    assert_eq!(outcome.exact(), Some(2 * 9862));
}
