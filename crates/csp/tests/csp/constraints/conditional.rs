//! Constraints under a condition.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use secateurs_csp::{Consistency, Model, ModelError, Variable};

use crate::networks::Constraint::{self, *};
use crate::networks::{Operation, Words};
use crate::oracle::{Domains, assert_count, assert_counts, check_constraint, fixpoint};

const ROWS: [[i32; 3]; 6] = [[0, 1, 2], [0, 1, 3], [1, 1, 1], [2, 0, 1], [3, -1, 0], [-2, 0, 4]];

fn table(places: [usize; 3], allowed: bool) -> Constraint {
    Table(places.to_vec(), ROWS.map(Vec::from).to_vec(), allowed)
}

/// Constraints on four variables that are stated together, and whether their reified form prunes
/// all values without a solution.
fn kinds([x, y, z, w]: [usize; 4]) -> Vec<(Vec<Constraint>, bool)> {
    let three = || vec![x, y, z];
    let pairs = vec![(0, 0), (1, 0), (2, 3)];
    let thirds = (-3..=4).flat_map(|x| (-3..=4).map(move |y| (x, y)));
    let no_thirds: Vec<(i32, i32)> = thirds.filter(|(x, y)| (x + y) % 3 != 0).collect();
    let words = Words {
        states: 2,
        transitions: BTreeMap::from([((0, 0), 0), ((0, 1), 1), ((1, 2), 0), ((1, 1), 1)]),
        accepting: BTreeSet::from([1]),
    };
    let exact = [
        vec![],
        vec![Values(x, vec![-90, -3, 0, 3, 90])],
        vec![DifferentBy(x, y, 0)],
        vec![DifferentBy(x, y, 2)],
        vec![Pairs(x, y, no_thirds, false)],
        vec![Pairs(x, y, pairs, true)],
    ];
    let others = [
        vec![AtMost(x, y, 0)],
        vec![Linear(vec![(1, x), (-1, y)], 0..=0)],
        vec![Linear(vec![(1, x), (2, y), (-1, z)], 0..=3)],
        vec![table([x, y, z], true)],
        vec![table([x, y, z], false)],
        vec![Element(x, vec![y, z], w)],
        vec![Different(three(), None)],
        vec![Different(three(), Some(Consistency::Bounds))],
        vec![Different(three(), Some(Consistency::Domain))],
        vec![DifferentShifted(vec![(x, 0), (y, 1), (z, 1)])],
        vec![Arithmetic(Operation::Product, [x, y, z])],
        vec![Arithmetic(Operation::Quotient, [x, y, z])],
        vec![Maximum(x, vec![y, z])],
        vec![Circuit(three(), false)],
        vec![ArgMax(w, three())],
        vec![Cumulative(vec![(x, 2, 2), (y, 2, 3)], 4)],
        vec![Disjunctive(vec![(x, 1), (y, 3)])],
        vec![Ordered(z, [(x, 2), (y, 1)])],
        vec![Cardinality(three(), vec![(0, 1..=2), (2, 0..=1)])],
        vec![CountIn(three(), 1, 2..=i64::MAX)],
        vec![Regular(three(), words)],
        vec![Lexicographic(vec![x, y], vec![z, w], false)],
        // Several constraints.
        vec![
            Values(x, vec![1, 2, 3, 4]),
            DifferentBy(y, z, 0),
            Linear(vec![(1, x), (1, w)], i64::MIN..=3),
        ],
        // Conditions of their own.
        vec![
            Conditional(w, true, vec![DifferentBy(x, y, 0)]),
            Conditional(w, false, vec![Values(z, vec![-1, 0, 1])]),
        ],
    ];
    let exact = exact.into_iter().map(|parts| (parts, true));
    exact.chain(others.into_iter().map(|parts| (parts, false))).collect()
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn constraints_under_a_condition_match_brute_force((domains, places) in conditions()) {
        for (parts, is_exact) in kinds(places) {
            for is_equivalence in [true, false] {
                let conditional = Conditional(0, is_equivalence, parts.clone());
                let is_exact = is_exact && places == [1, 2, 3, 4];
                let checked = check_constraint(&domains, &conditional, is_exact);
                prop_assert!(checked.is_ok(), "{:?}: {:?}", conditional, checked);
            }
        }
    }
}

#[test]
fn constraints_that_hold_or_fail_decide_their_indicator() {
    let any: &[i32] = &[0];
    let at_most = AtMost(1, 2, 0);
    let sum = Linear(vec![(1, 1), (2, 2), (-1, 3)], 0..=3);
    let [rows, no_rows] = [true, false].map(|allowed| table([1, 2, 3], allowed));
    let element = Element(1, vec![2, 3], 4);
    let [different, bounds, matching] =
        [None, Some(Consistency::Bounds), Some(Consistency::Domain)]
            .map(|consistency| Different(vec![1, 2, 3], consistency));
    let ones = CountIn(vec![1, 2, 3], 1, 2..=i64::MAX);
    let among = |more: &[i32]| Among(vec![1, 2], [&[1], more].concat().into_iter().collect(), 3);
    for (constraint, domains, expected) in [
        // Sums and comparisons, by their bounds.
        (&at_most, [&[0, 1][..], &[1, 4], any, any], &[1][..]),
        (&at_most, [&[2, 3], &[0, 1], any, any], &[0]),
        (&at_most, [&[0, 3], &[1, 4], any, any], &[0, 1]),
        (&sum, [&[0, 1], &[0, 1], &[0], any], &[1]),
        // Tables: all of the rows remain, or none.
        (&rows, [&[0], &[1], &[2, 3], any], &[1]),
        (&rows, [&[0, 1], &[1], &[2, 3], any], &[0, 1]),
        (&rows, [&[0, 1], &[0], &[2, 3], any], &[0]),
        (&no_rows, [&[0, 1], &[0], &[2, 3], any], &[1]),
        (&no_rows, [&[0], &[1], &[2, 3], any], &[0]),
        // Elements: all that remain are equal to the result, or none is.
        (&element, [&[0, 1], &[7], &[7], &[7]], &[1]),
        (&element, [&[0, 1], &[7], &[7, 8], &[7]], &[0, 1]),
        (&element, [&[0, 2], &[7, 8], &[7], &[7]], &[0, 1]),
        (&element, [&[0, 1], &[7], &[7, 8], &[9]], &[0]),
        // All different: no common value, or fewer values than variables.
        (&different, [&[0, 1], &[2, 3], &[4], any], &[1]),
        (&different, [&[0, 1], &[1, 3], &[4], any], &[0, 1]),
        (&different, [&[0], &[1, 3], &[0], any], &[0]),
        (&bounds, [&[0, 1], &[2, 3], &[4], any], &[1]),
        (&bounds, [&[0, 1], &[0, 1], &[0, 1], any], &[0]),
        (&matching, [&[0, 1], &[200, 300], &[4], any], &[1]),
        (&matching, [&[0, 100], &[0, 100], &[0, 100], any], &[0]),
        // Numbers of occurrences.
        (&ones, [&[1], &[0, 1], &[1], any], &[1]),
        (&ones, [&[1], &[0, 1], &[0, 2], any], &[0, 1]),
        (&ones, [&[0, 1], &[0, 2], &[3], any], &[0]),
        // A number that the count cannot have.
        (&among(&[]), [&[1], &[2, 3], &[0, 2], any], &[0]),
        (&among(&[5]), [&[1], &[2, 3], &[0, 2], any], &[0]),
    ] {
        let all = [&[0, 1][..]].into_iter().chain(domains);
        let all = all.map(|values| values.iter().copied().collect()).collect();
        let network = Conditional(0, true, vec![constraint.clone()]).network(&all);
        let left = fixpoint(&network).expect("there are solutions");
        assert_eq!(Vec::from_iter(left[0].clone()), expected, "{constraint:?}, {domains:?}");
    }
}

#[test]
fn an_equality_of_expressions_can_have_a_condition() {
    let mut model = Model::new();
    let [b, x, y] = [0..=1, 0..=3, 0..=3].map(|domain| model.variable(domain).expect("small"));
    let mut implied = model.clone();
    model.reify(b, |model| model.require(x.equals(y))).expect("its own variables");
    implied.imply(b, |model| model.require((x + 1).equals(2 * y))).expect("its own variables");
    // Each pair of values decides `b`.
    assert_count(model, 16);
    // Two pairs, (1, 1) and (3, 2), allow both values of `b`, the others one.
    assert_count(implied, 16 + 2);
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
        assert_eq!(model.len(), 4);
        assert_count(model, 2 * 2 * 3);
        required.restrict(b, |value| value == 1).expect("its own variable");
        assert_count(required, 0);
    }
}

#[test]
fn conditions_of_extreme_values_do_not_overflow() {
    const MIN: i32 = i32::MIN;
    const MAX: i32 = i32::MAX;
    for (constraint, holding) in [
        (Values(1, vec![MIN]), 6),
        (DifferentBy(1, 2, MIN), 12),
        (DifferentShifted(vec![(1, MAX), (2, MIN), (3, 0)]), 5),
        (Arithmetic(Operation::Product, [2, 3, 1]), 1),
        (Linear(vec![(1, 2), (1, 1)], 0..=i64::MAX), 3),
        (Table(vec![3, 1, 2], vec![vec![1, MIN, MAX]], true), 1),
    ] {
        let domains = |value| [value..=value, MIN..=MIN + 1, MAX - 1..=MAX, -1..=1];
        let conditional = Conditional(0, true, vec![constraint]);
        assert_counts(&domains(1), [(conditional.clone(), holding)]);
        assert_counts(&domains(0), [(conditional, 12 - holding)]);
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

#[test]
fn a_panic_while_constraints_are_stated_leaves_the_model_as_it_was() {
    type Inner = fn(&mut Model, Variable) -> Result<(), ModelError>;
    fn fails(model: &mut Model, x: Variable) -> Result<(), ModelError> {
        model.variable(0..=7)?;
        model.restrict(x, |value| value == 3)?;
        model.different(x, x)?;
        panic!("a panic of the caller");
    }
    let failing: [Inner; 2] = [fails, |model, x| model.reify(x, |model| fails(model, x))];
    for inner in failing {
        let mut model = Model::new();
        let [x, y, z] = model.variables(3, 0..=2).expect("small")[..] else { unreachable!() };
        model.all_different(&[x, y, z]).expect("known variables");
        model.different(x, y).expect("known variables");
        model.sum(&[x, y], 1..=3).expect("known variables");
        let run = || model.imply(z, |model| inner(model, x));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
        assert_eq!(model.len(), 3);
        model.restrict(x, |value| value != 1).expect("a known variable");
        assert_count(model, 4);
    }
}
