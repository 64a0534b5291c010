//! Constraints under a condition.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs_csp::{Automaton, Consistency, Domain, Model, ModelError, Task, Variable};

use super::oracle::{self, Domains, assert_count, check, check_exact, fixpoint};
use crate::support::propagation::{LEVELS, count};

type Stated = Result<(), ModelError>;

/// A constraint on four variables with its definition, and whether its reified form prunes all
/// values without a solution.
type Kind = (fn(&mut Model, [Variable; 4]) -> Stated, fn([i32; 4]) -> bool, bool);

const ROWS: [[i32; 3]; 6] = [[0, 1, 2], [0, 1, 3], [1, 1, 1], [2, 0, 1], [3, -1, 0], [-2, 0, 4]];

const KINDS: [Kind; 30] = [
    (|_, _| Ok(()), |_| true, true),
    (|model, [x, ..]| model.restrict(x, |x| x % 3 == 0), |[x, ..]| x % 3 == 0, true),
    (|model, [x, y, ..]| model.different(x, y), |[x, y, ..]| x != y, true),
    (|model, [x, y, ..]| model.different_by(x, y, 2), |[x, y, ..]| x != y + 2, true),
    (
        |model, [x, y, ..]| model.binary(x, y, |x, y| (x + y) % 3 == 0),
        |[x, y, ..]| (x + y) % 3 == 0,
        true,
    ),
    (
        |model, [x, y, ..]| model.pairs(x, y, [(0, 0), (1, 0), (2, 3)]),
        |[x, y, ..]| [(0, 0), (1, 0), (2, 3)].contains(&(x, y)),
        true,
    ),
    (|model, [x, y, ..]| model.require(x.at_most(y)), |[x, y, ..]| x <= y, false),
    (|model, [x, y, ..]| model.require(x.equals(y)), |[x, y, ..]| x == y, false),
    (
        |model, [x, y, z, _]| model.linear([(1, x), (2, y), (-1, z)], 0..=3),
        |[x, y, z, _]| (0..=3).contains(&(x + 2 * y - z)),
        false,
    ),
    (
        |model, [x, y, z, _]| model.table(&[x, y, z], ROWS),
        |[x, y, z, _]| ROWS.contains(&[x, y, z]),
        false,
    ),
    (
        |model, [x, y, z, _]| model.forbidden(&[x, y, z], ROWS),
        |[x, y, z, _]| !ROWS.contains(&[x, y, z]),
        false,
    ),
    (
        |model, [x, y, z, w]| model.element(x, &[y, z], w),
        |[x, y, z, w]| x == 0 && y == w || x == 1 && z == w,
        false,
    ),
    (
        |model, [x, y, z, _]| model.all_different(&[x, y, z]),
        |[x, y, z, _]| different(x, y, z),
        false,
    ),
    (
        |model, [x, y, z, _]| model.all_different_with(&[x, y, z], Consistency::Bounds),
        |[x, y, z, _]| different(x, y, z),
        false,
    ),
    (
        |model, [x, y, z, _]| model.all_different_with(&[x, y, z], Consistency::Domain),
        |[x, y, z, _]| different(x, y, z),
        false,
    ),
    (
        |model, [x, y, z, _]| model.all_different_shifted([(x, 0), (y, 1), (z, 1)]),
        |[x, y, z, _]| different(x, y + 1, z + 1),
        false,
    ),
    (|model, [x, y, z, _]| model.product(x, y, z), |[x, y, z, _]| x * y == z, false),
    (
        |model, [x, y, z, _]| model.quotient(x, y, z),
        |[x, y, z, _]| x.checked_div(y) == Some(z),
        false,
    ),
    (|model, [x, y, z, _]| model.maximum(x, &[y, z]), |[x, y, z, _]| x == y.max(z), false),
    (
        |model, [x, y, z, _]| model.circuit(&[x, y, z]),
        |[x, y, z, _]| [[1, 2, 0], [2, 0, 1]].contains(&[x, y, z]),
        false,
    ),
    (
        |model, [x, y, z, w]| model.arg_max(w, &[x, y, z]),
        |[x, y, z, w]| {
            w == 0 && x >= y && x >= z || w == 1 && y > x && y >= z || w == 2 && z > x && z > y
        },
        false,
    ),
    (
        |model, [x, y, ..]| {
            let task = |start, demand| Task { start, duration: 2, demand };
            model.cumulative([task(x, 2), task(y, 3)], 4)
        },
        |[x, y, ..]| (x - y).abs() >= 2,
        false,
    ),
    (
        |model, [x, y, ..]| model.disjunctive([(x, 1), (y, 3)]),
        |[x, y, ..]| y - x >= 1 || x - y >= 3,
        false,
    ),
    (
        |model, [x, y, z, _]| model.ordered(z, (x, 2), (y, 1)),
        |[x, y, z, _]| z == 1 && y - x >= 2 || z == 0 && x - y >= 1,
        false,
    ),
    (
        |model, [x, y, z, _]| model.global_cardinality(&[x, y, z], [(0, 1..=2), (2, 0..=1)]),
        |[x, y, z, _]| {
            let count = |value| [x, y, z].into_iter().filter(|&one| one == value).count();
            (1..=2).contains(&count(0)) && count(2) <= 1
        },
        false,
    ),
    (
        |model, [x, y, z, _]| {
            let automaton =
                Automaton::new(2, [(0, 0, 0), (0, 1, 1), (1, 2, 0), (1, 1, 1)], 0, [1])?;
            model.regular(&[x, y, z], &automaton)
        },
        |[x, y, z, _]| {
            let step = |state, value| match (state, value) {
                (0, 0) | (1, 2) => 0,
                (0 | 1, 1) => 1,
                _ => 2,
            };
            [x, y, z].into_iter().fold(0, step) == 1
        },
        false,
    ),
    (
        |model, [x, y, z, w]| model.lexicographic(&[x, y], &[z, w]),
        |[x, y, z, w]| (x, y) <= (z, w),
        false,
    ),
    // Several constraints.
    (
        |model, [x, y, z, w]| {
            model.restrict(x, |x| x > 0)?;
            model.different(y, z)?;
            model.sum(&[x, w], ..=3)
        },
        |[x, y, z, w]| x > 0 && y != z && x + w <= 3,
        false,
    ),
    // A condition of its own.
    (
        |model, [x, y, z, w]| {
            model.reify(w, |model| model.different(x, y))?;
            model.imply(w, |model| model.restrict(z, |z| z < 2))
        },
        |[x, y, z, w]| w == i32::from(x != y) && (w == 0 || z < 2),
        false,
    ),
    (
        |model, [x, y, z, _]| model.count(&[x, y, z], 1, 2..),
        |[x, y, z, _]| [x, y, z].into_iter().filter(|&one| one == 1).count() >= 2,
        false,
    ),
];

fn different(x: i32, y: i32, z: i32) -> bool {
    x != y && y != z && z != x
}

/// The domains of the indicator and of four variables, and the places of these; the indicator is
/// among them only rarely.
fn conditions() -> impl Strategy<Value = (Domains, [usize; 4])> {
    let indicator = prop_oneof![
        6 => Just(BTreeSet::from([0, 1])),
        1 => Just(BTreeSet::from([0])),
        1 => Just(BTreeSet::from([1])),
        1 => Just(BTreeSet::from([-1, 0, 1, 2])),
    ];
    let values = prop_oneof![
        4 => prop::collection::btree_set(-3..=4, 1..=4),
        2 => prop::collection::btree_set(0..=2, 1..=3),
        1 => prop::collection::btree_set((-1..=1).prop_map(|value| 90 * value), 1..=3),
    ];
    let places = prop_oneof![6 => Just([1, 2, 3, 4]), 1 => prop::array::uniform4(0..5_usize)];
    (indicator, prop::collection::vec(values, 4), places).prop_map(
        |(indicator, mut domains, places)| {
            domains.insert(0, indicator);
            (domains, places)
        },
    )
}

fn check_all((domains, places): &(Domains, [usize; 4])) -> Result<(), TestCaseError> {
    for (number, (state, holds, is_exact)) in KINDS.into_iter().enumerate() {
        for is_equivalence in [true, false] {
            let (mut model, variables) = oracle::model(domains);
            let scope = places.map(|place| variables[place]);
            if is_equivalence {
                model.reify(variables[0], |model| state(model, scope))
            } else {
                model.imply(variables[0], |model| state(model, scope))
            }
            .expect("its own variables");
            let expected = oracle::solutions(domains, |values| {
                let holds = holds(places.map(|place| values[place]));
                match values[0] {
                    1 => holds,
                    0 => !(is_equivalence && holds),
                    _ => false,
                }
            });
            let network = model.build();
            let are_distinct = *places == [1, 2, 3, 4];
            let checked = if is_exact && are_distinct {
                check_exact(&network, &expected)
            } else {
                check(&network, &expected)
            };
            prop_assert!(checked.is_ok(), "kind {}, {}: {:?}", number, is_equivalence, checked);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn constraints_under_a_condition_match_brute_force(condition in conditions()) {
        check_all(&condition)?;
    }
}

/// Returns the indicator of a constraint on variables with these domains.
fn indicator(kind: usize, domains: [&[i32]; 4]) -> Vec<i32> {
    let all = domains.map(|values| values.iter().copied().collect());
    let all: Domains = [BTreeSet::from([0, 1])].into_iter().chain(all).collect();
    let (mut model, variables) = oracle::model(&all);
    let scope = [1, 2, 3, 4].map(|place| variables[place]);
    model.reify(variables[0], |model| KINDS[kind].0(model, scope)).expect("its own variables");
    fixpoint(&model.build()).expect("there are solutions")[0].iter().copied().collect()
}

#[test]
fn constraints_that_hold_or_fail_decide_their_indicator() {
    let any: &[i32] = &[0];
    for (kind, domains, expected) in [
        // Sums and comparisons, by their bounds.
        (6, [&[0, 1][..], &[1, 4], any, any], &[1][..]),
        (6, [&[2, 3], &[0, 1], any, any], &[0]),
        (6, [&[0, 3], &[1, 4], any, any], &[0, 1]),
        (8, [&[0, 1], &[0, 1], &[0], any], &[1]),
        // Tables: all of the rows remain, or none.
        (9, [&[0], &[1], &[2, 3], any], &[1]),
        (9, [&[0, 1], &[1], &[2, 3], any], &[0, 1]),
        (9, [&[0, 1], &[0], &[2, 3], any], &[0]),
        (10, [&[0, 1], &[0], &[2, 3], any], &[1]),
        (10, [&[0], &[1], &[2, 3], any], &[0]),
        // Elements: all that remain are equal to the result, or none is.
        (11, [&[0, 1], &[7], &[7], &[7]], &[1]),
        (11, [&[0, 1], &[7], &[7, 8], &[7]], &[0, 1]),
        (11, [&[0, 2], &[7, 8], &[7], &[7]], &[0, 1]),
        (11, [&[0, 1], &[7], &[7, 8], &[9]], &[0]),
        // All different: no common value, or fewer values than variables.
        (12, [&[0, 1], &[2, 3], &[4], any], &[1]),
        (12, [&[0, 1], &[1, 3], &[4], any], &[0, 1]),
        (12, [&[0], &[1, 3], &[0], any], &[0]),
        (13, [&[0, 1], &[2, 3], &[4], any], &[1]),
        (13, [&[0, 1], &[0, 1], &[0, 1], any], &[0]),
        (14, [&[0, 1], &[200, 300], &[4], any], &[1]),
        (14, [&[0, 100], &[0, 100], &[0, 100], any], &[0]),
        // Numbers of occurrences.
        (29, [&[1], &[0, 1], &[1], any], &[1]),
        (29, [&[1], &[0, 1], &[0, 2], any], &[0, 1]),
        (29, [&[0, 1], &[0, 2], &[3], any], &[0]),
    ] {
        assert_eq!(indicator(kind, domains), expected, "kind {kind}, {domains:?}");
    }
}

#[test]
fn a_count_that_the_number_cannot_have_decides_its_indicator() {
    for values in [Domain::from([1]), Domain::from([1, 5])] {
        let mut model = Model::new();
        let [b, x, y, number] = model.variables(4, 0..=3).expect("small")[..] else {
            unreachable!()
        };
        model.restrict(x, |value| value == 1).expect("its own variable");
        model.restrict(y, |value| value > 1).expect("its own variable");
        model.restrict(number, |value| value == 0 || value == 2).expect("its own variable");
        model
            .reify(b, |model| model.among(&[x, y], values.clone(), number))
            .expect("its own variables");
        let fixpoint = fixpoint(&model.build()).expect("there are solutions");
        assert_eq!(fixpoint[0].iter().copied().collect::<Vec<i32>>(), [0], "{values:?}");
    }
}

#[test]
fn a_condition_for_a_contradiction_is_false() {
    for is_equivalence in [true, false] {
        let mut model = Model::new();
        let [b, x, y] = model.variables(3, 0..=1).expect("small")[..] else { unreachable!() };
        let contradiction = |model: &mut Model| {
            let added = model.variable(0..=2)?;
            model.sum(&[], 1..)?;
            model.restrict(x, |_| false)?;
            model.different(y, added)
        };
        if is_equivalence { model.reify(b, contradiction) } else { model.imply(b, contradiction) }
            .expect("its own variables");
        let mut required = model.clone();
        let network = model.build();
        assert_eq!(network.len(), 4);
        assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(2 * 2 * 3); 4]);
        required.restrict(b, |value| value == 1).expect("its own variable");
        assert_count(required, 0);
    }
}

#[test]
fn conditions_of_extreme_values_do_not_overflow() {
    type Kind = (fn(&mut Model, [Variable; 3]) -> Stated, fn([i64; 3]) -> bool);
    const MIN: i32 = i32::MIN;
    const MAX: i32 = i32::MAX;
    let kinds: [Kind; 6] = [
        (|model, [x, ..]| model.restrict(x, |x| x == MIN), |[x, ..]| x == MIN.into()),
        (|model, [x, y, _]| model.different_by(x, y, MIN), |[x, y, _]| x != y + i64::from(MIN)),
        (
            |model, [x, y, z]| model.all_different_shifted([(x, MAX), (y, MIN), (z, 0)]),
            |[x, y, z]| {
                let (x, y) = (x + i64::from(MAX), y + i64::from(MIN));
                x != y && y != z && z != x
            },
        ),
        (|model, [x, y, z]| model.product(y, z, x), |[x, y, z]| y * z == x),
        (|model, [x, y, _]| model.linear([(1, y), (1, x)], 0..), |[x, y, _]| x + y >= 0),
        (
            |model, [x, y, z]| model.table(&[z, x, y], [[1, MIN, MAX]]),
            |[x, y, z]| [x, y, z] == [MIN.into(), MAX.into(), 1],
        ),
    ];
    let domains = [vec![MIN, MIN + 1], vec![MAX - 1, MAX], vec![-1, 0, 1]];
    let all = domains.clone().map(|values| values.into_iter().collect());
    let all = oracle::solutions(&all.to_vec(), |_| true);
    for (state, holds) in kinds {
        let hold = |values: &&Vec<i32>| holds([0, 1, 2].map(|place| i64::from(values[place])));
        let expected = all.iter().filter(hold).count();
        for value in 0..=1 {
            let mut model = Model::new();
            let scope = domains.clone().map(|values| model.variable(values).expect("small"));
            let indicator = model.variable(value).expect("small");
            model.reify(indicator, |model| state(model, scope)).expect("its own variables");
            let expected = if value == 1 { expected } else { all.len() - expected };
            assert_count(model, expected as u128);
        }
    }
}

#[test]
fn an_error_under_a_condition_leaves_the_model_as_it_was() {
    let mut other = Model::new();
    let unknown_variable = other.variables(4, 0..=1).expect("small")[3];
    let mut model = Model::new();
    let [x, b] = model.variables(2, 0..=2).expect("small")[..] else { unreachable!() };
    let refused = model.reify(b, |model| {
        let y = model.variable(0..=1)?;
        model.name(y, "new")?;
        model.restrict(x, |x| x == 1)?;
        model.different(x, b)?;
        model.sum(&[x, y], ..2)?;
        model.all_different(&[x, unknown_variable])
    });
    assert!(matches!(refused, Err(ModelError::UnknownVariable { .. })));
    let unknown = model.imply(unknown_variable, |_| Ok(()));
    assert_eq!(unknown, Err(ModelError::UnknownVariable { variable: 3, variables: 2 }));
    assert_count(model, 9);
}
