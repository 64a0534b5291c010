//! All-different constraints propagated by matchings.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::{Limits, Search};
use secateurs_csp::{Assignment, Model, Propagate, Propagation, Variable};

use super::oracle::{self, Domains, MANY, check_exact, domains, fixpoint};
use crate::shared::networks::{check_latin_squares, latin_squares};
use crate::support::propagation::{LEVELS, count};

fn is_different(values: &[i32]) -> bool {
    values.iter().collect::<BTreeSet<_>>().len() == values.len()
}

/// Multiplies all values, so that they are too far apart for the propagator of 64 values.
fn spread(domains: &Domains) -> Domains {
    domains.iter().map(|domain| domain.iter().map(|value| 100 * value).collect()).collect()
}

/// Checks a constraint on all variables, on close values and on distant ones.
fn check_all_different(close: &Domains) -> Result<(), TestCaseError> {
    for domains in [close, &spread(close)] {
        let (mut model, variables) = oracle::model(domains);
        model.all_different_matching(&variables).expect("its own variables");
        check_exact(&model.build(), &oracle::solutions(domains, is_different))?;
    }
    Ok(())
}

/// Checks that the domains and the trees are the same for close values and for distant ones, if the
/// constraint is stated on all variables, and if it is stated on each of two overlapping parts.
fn check_against_distant_values(close: &Domains) -> Result<(), TestCaseError> {
    let parts = |variables: &[Variable]| {
        let third = variables.len() / 3;
        [variables.to_vec(), variables[..2 * third].to_vec(), variables[third..].to_vec()]
    };
    for stated in [0..1, 1..3] {
        let [close, distant] = [close.clone(), spread(close)].map(|domains| {
            let (mut model, variables) = oracle::model(&domains);
            for part in &parts(&variables)[stated.clone()] {
                model.all_different_matching(part).expect("its own variables");
            }
            let network = model.build();
            let left = fixpoint(&network);
            let limits = Limits::new().nodes(20);
            let outcome = Search::new(&network).hook(Propagate::full()).limits(limits).count();
            (left, outcome.report().nodes(), outcome.report().solutions())
        });
        prop_assert_eq!(close.0.as_ref().map(spread), distant.0);
        prop_assert_eq!((close.1, close.2), (distant.1, distant.2));
    }
    Ok(())
}

/// There are as many values as variables, or one or two more.
fn narrow_domains() -> impl Strategy<Value = Domains> {
    prop::collection::vec(prop::collection::btree_set(0..7, 1..=3), 5..=6)
}

/// More variables and values than can be enumerated, with about three values for each variable.
fn many_domains() -> impl Strategy<Value = Domains> {
    (3..=25_i32, 0..=2).prop_flat_map(|(count, more)| {
        let domain = prop::collection::btree_set(-5..count + more - 5, 1..=4);
        prop::collection::vec(domain, count as usize)
    })
}

proptest! {
    #[test]
    fn random_domains_are_pruned_exactly(domains in domains(6)) {
        check_all_different(&domains)?;
    }

    #[test]
    fn narrow_domains_are_pruned_exactly(domains in narrow_domains()) {
        check_all_different(&domains)?;
    }

    #[test]
    fn distant_values_are_pruned_like_close_ones(domains in many_domains()) {
        check_against_distant_values(&domains)?;
    }

    /// Two overlapping constraints: pruning by one makes the other repair its last matching.
    #[test]
    fn two_overlapping_constraints_agree_with_brute_force(
        close in prop::collection::vec(prop::collection::btree_set(0..6, 1..=4), 6),
    ) {
        for domains in [&close, &spread(&close)] {
            let (mut model, variables) = oracle::model(domains);
            model.all_different_matching(&variables[..4]).expect("its own variables");
            model.all_different_matching(&variables[2..]).expect("its own variables");
            let expected = oracle::solutions(domains, |values| {
                is_different(&values[..4]) && is_different(&values[2..])
            });
            oracle::check(&model.build(), &expected)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(MANY))]

    #[test]
    #[ignore = "expensive: cargo test --release --test csp -- --ignored constraints::matching::"]
    fn more_narrow_domains_are_pruned_exactly(
        domains in prop_oneof![domains(6), narrow_domains()],
    ) {
        check_all_different(&domains)?;
    }

    #[test]
    #[ignore = "expensive: cargo test --release --test csp -- --ignored constraints::matching::"]
    fn more_distant_values_are_pruned_like_close_ones(domains in many_domains()) {
        check_against_distant_values(&domains)?;
    }
}

/// Sixty-four values are the most that one word has.
#[test]
fn as_many_variables_as_values_are_permuted() {
    for (variables, values) in [(63, 63), (63, 64), (64, 64), (65, 64), (64, 65), (65, 65)] {
        let mut model = Model::new();
        let all = model.variables(variables, -7..values - 7).expect("small");
        model.all_different_matching(&all).expect("its own variables");
        let network = model.build();
        let search = Search::new(&network).hook(Propagate::full()).extract(Assignment::of);
        let first = search.first();
        match first.solution() {
            Some(solution) => assert!(is_different(solution.values())),
            None => assert!(first.is_proven_none() && variables > values as usize),
        }
    }
}

#[test]
fn a_repeated_variable_has_no_value() {
    let mut model = Model::new();
    let all = model.variables(2, 0..=5).expect("small");
    model.all_different_matching(&[all[0], all[1], all[0]]).expect("its own variables");
    let network = model.build();
    assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(0); 4]);
}

#[test]
fn constraints_on_few_variables_hold() {
    for variables in 0..=1 {
        let mut model = Model::new();
        let all = model.variables(variables, 0..=5).expect("small");
        model.all_different_matching(&all).expect("its own variables");
        let network = model.build();
        assert_eq!(
            LEVELS.map(|level| count(&network, level)),
            [Some(6_u128.pow(variables as u32)); 4]
        );
    }
}

/// Too many pigeons are refuted at the root, and so are three pigeons that share two holes.
#[test]
fn pigeonholes_are_refuted_at_the_root() {
    let mut model = Model::new();
    let many = model.variables(40, 1..=39).expect("small");
    model.all_different_matching(&many).expect("its own variables");
    let outcome = Search::new(&model.build()).hooks((Propagate::full(),)).count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));

    let mut model = Model::new();
    let few = model.variables(3, 1..=2).expect("small");
    let others = model.variables(100, -10_000..=10_000).expect("not too wide");
    model.all_different_matching(&[few, others].concat()).expect("its own variables");
    assert_eq!(
        Search::new(&model.build()).hooks((Propagate::full(),)).exists().report().nodes(),
        1
    );
}

/// Each pair of variables shares two values, which one wide variable loses. There are too many
/// combinations of two variables to visit them all: the test would take hours.
#[test]
fn many_components_are_not_compared_in_pairs() {
    let pairs = 50_000;
    let mut model = Model::new();
    let mut all = Vec::new();
    for pair in 0..pairs {
        all.extend(model.variables(2, 2 * pair..=2 * pair + 1).expect("small"));
    }
    let wide = model.variable(0..=2 * pairs).expect("not too wide");
    all.push(wide);
    model.all_different_matching(&all).expect("its own variables");
    let network = model.build();
    let mut left = Vec::new();
    let search = Search::new(&network).hooks((Propagate::full(),));
    let search = search.watch("values", |node| left.extend(node.state().values(wide)));
    let _ = search.limits(Limits::new().nodes(1)).count();
    assert_eq!(left, [2 * pairs]);
}

/// With more values than are numbered, the constraint is propagated pair by pair.
#[test]
fn constraints_on_too_many_values_fall_back_to_pairs() {
    let mut model = Model::new();
    let x = model.variable(i32::MIN..=i32::MIN + 2).expect("small");
    let y = model.variable(i32::MIN..=i32::MIN + 1).expect("small");
    let z = model.variable(0..=1 << 20).expect("not too wide");
    model.all_different_matching(&[x, y, z]).expect("its own variables");
    model.restrict(z, |value| value < 2).expect("its own variable");
    let network = model.build();
    assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(8); 4]);
}

#[test]
fn latin_squares_match_the_known_counts() {
    check_latin_squares(&[(1, 1), (2, 2), (3, 12)]);
    assert_eq!(count(&latin_squares(4, true, &[]), Propagation::Full), Some(576));
    assert_eq!(count(&latin_squares(4, false, &[]), Propagation::Forward), Some(576));
}

/// Evans's conjecture (Smetaniuk 1981): n - 1 given cells can always be completed, n need not be.
/// Matching refutes the latter at the root.
#[test]
fn partial_latin_squares_are_completed_or_refuted() {
    let order = 6;
    // The first row without its last cell; the missing symbol is already in the last column.
    let mut given: Vec<(usize, usize, i32)> =
        (0..order - 1).map(|column| (0, column, column as i32 + 1)).collect();
    assert!(
        Search::new(&latin_squares(order, true, &given))
            .hooks((Propagate::full(),))
            .exists()
            .solution()
            .is_some()
    );
    given.push((3, order - 1, order as i32));
    let outcome =
        Search::new(&latin_squares(order, true, &given)).hooks((Propagate::full(),)).count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));

    // With the first row and column given, one of each 5! · 4! squares of order 5 remains: 56
    // reduced squares.
    let given: Vec<_> =
        (0..5).map(|i| (0, i, i as i32 + 1)).chain((1..5).map(|i| (i, 0, i as i32 + 1))).collect();
    for level in LEVELS {
        assert_eq!(count(&latin_squares(5, true, &given), level), Some(56), "{level:?}");
    }
}
