//! A brute-force oracle for small models.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use proptest::prelude::*;
use secateurs::hook::{self, Hooks};
use secateurs::{Brancher, Node, ProblemOrder, Search};
use secateurs_csp::{Assignment, Domain, Model, Network, Propagate, Variable};

use crate::networks::Constraint;
use crate::support::propagation::{LEVELS, count};

pub type Domains = Vec<BTreeSet<i32>>;
pub type Solutions = BTreeSet<Vec<i32>>;

/// Up to `most` small domains, with holes and negative values, of one or several words.
pub fn domains(most: usize) -> impl Strategy<Value = Domains> {
    let domain = prop_oneof![
        3 => prop::collection::btree_set(-3..=4, 1..=5),
        1 => prop::collection::btree_set(-3..=4, 0..=1),
        1 => prop::collection::btree_set((-3..=4).prop_map(|value| 37 * value), 1..=4),
    ];
    prop::collection::vec(domain, 1..=most)
}

/// Up to `most` small domains, and up to `longest` of their positions, some of them repeatedly.
pub fn scopes(most: usize, longest: usize) -> impl Strategy<Value = (Domains, Vec<usize>)> {
    domains(most).prop_flat_map(move |domains| {
        let position = 0..domains.len();
        (Just(domains), prop::collection::vec(position, 0..=longest))
    })
}

/// Returns the positions of all domains.
pub fn every(domains: &Domains) -> Vec<usize> {
    (0..domains.len()).collect()
}

/// Returns whether no position occurs twice.
pub fn are_distinct(positions: &[usize]) -> bool {
    positions.iter().collect::<BTreeSet<_>>().len() == positions.len()
}

/// Creates a model with these domains.
pub fn model(domains: &Domains) -> (Model, Vec<Variable>) {
    let mut model = Model::new();
    let values = domains.iter().map(|values| values.iter().copied().collect::<Domain>());
    let variables = values.map(|values| model.variable(values).expect("a small domain")).collect();
    (model, variables)
}

/// Returns all assignments that satisfy `holds`.
pub fn solutions(domains: &Domains, holds: impl Fn(&[i32]) -> bool) -> Solutions {
    let mut all = vec![Vec::new()];
    for values in domains {
        let longer = |start: &Vec<i32>| -> Vec<Vec<i32>> {
            values.iter().map(|&value| [&start[..], &[value]].concat()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.into_iter().filter(|assignment| holds(assignment)).collect()
}

/// Returns the solutions that a search finds. Asserts that it finds each of them once, and checks
/// that it restores its changes.
pub fn found(
    network: &Network,
    hooks: impl Hooks<Network>,
    order: impl Brancher<Network>,
) -> Solutions {
    let mut found = Solutions::new();
    let search = Search::new(network).hooks(hooks).brancher(order).check_undo();
    for solution in search.extract(Assignment::of).solutions() {
        assert!(found.insert(solution.values().to_vec()), "twice: {solution:?}");
    }
    found
}

/// Returns the domains that full propagation leaves at the root, or `None` if it refutes the root.
pub fn fixpoint(network: &Network) -> Option<Domains> {
    let mut root = None;
    let keep = hook::watch("root", |node: &Node<'_, Network>| {
        let values = |variable| node.state().values(variable).collect();
        root.get_or_insert_with(|| node.problem().variables().map(values).collect());
    });
    let _ = Search::new(network).hooks((Propagate::full(), keep)).exists();
    root
}

/// Returns the smallest and the largest value of each domain. None of them is empty.
pub fn bounds(domains: &[BTreeSet<i32>]) -> Vec<(i32, i32)> {
    let ends = |values: &BTreeSet<i32>| values.first().copied().zip(values.last().copied());
    domains.iter().map(|values| ends(values).expect("not wiped out")).collect()
}

/// Asserts that every level of propagation counts this number of solutions.
#[track_caller]
pub fn assert_count(model: Model, solutions: u128) {
    let network = model.build();
    assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(solutions); 4]);
}

/// Asserts that full propagation refutes a model without a decision.
#[track_caller]
pub fn assert_refuted(model: Model) {
    let outcome = Search::new(&model.build()).hook(Propagate::full()).count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));
}

/// Checks that every level of propagation finds these solutions and restores its changes, and that
/// full propagation prunes no value of a solution at the root. If `is_exact`, it must prune *all*
/// other values.
pub fn check(network: &Network, expected: &Solutions, is_exact: bool) -> Result<(), TestCaseError> {
    for level in LEVELS {
        let found = found(network, (Propagate::new(level),), ProblemOrder);
        prop_assert_eq!(&found, expected, "{:?}", level);
    }
    let values = |variable: usize| expected.iter().map(|solution| solution[variable]).collect();
    let supported: Domains = (0..network.len()).map(values).collect();
    let left = fixpoint(network);
    if is_exact {
        prop_assert_eq!(left, (!expected.is_empty()).then_some(supported));
    } else if let Some(left) = left {
        let mut both = supported.iter().zip(&left);
        prop_assert!(both.all(|(used, left)| used.is_subset(left)), "{:?} left", left);
    } else {
        prop_assert!(expected.is_empty(), "a conflict, though there are solutions");
    }
    Ok(())
}

/// Checks a constraint against its definition; see [`check`].
pub fn check_constraint(
    domains: &Domains,
    constraint: &Constraint,
    is_exact: bool,
) -> Result<(), TestCaseError> {
    let expected = solutions(domains, |values| constraint.holds(values));
    check(&constraint.network(domains), &expected, is_exact)
}

/// Asserts the number of solutions of each constraint on variables with these values, and checks it
/// against its definition.
#[track_caller]
pub fn assert_counts(
    domains: &[RangeInclusive<i32>],
    counts: impl IntoIterator<Item = (Constraint, usize)>,
) {
    let domains: Domains = domains.iter().map(|values| values.clone().collect()).collect();
    for (constraint, count) in counts {
        let expected = solutions(&domains, |values| constraint.holds(values));
        assert_eq!(expected.len(), count, "{constraint:?}");
        let checked = check(&constraint.network(&domains), &expected, false);
        assert!(checked.is_ok(), "{constraint:?}: {checked:?}");
    }
}
