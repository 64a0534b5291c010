//! A brute-force oracle for small models.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::{Hook, NodeMut, Search, Verdict};
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

/// Returns whether no position occurs twice.
pub fn are_distinct(positions: &[usize]) -> bool {
    positions.iter().collect::<BTreeSet<_>>().len() == positions.len()
}

/// Creates a model with these domains.
pub fn model(domains: &Domains) -> (Model, Vec<Variable>) {
    let mut model = Model::new();
    let variables = domains
        .iter()
        .map(|values| {
            model.variable(values.iter().copied().collect::<Domain>()).expect("a small domain")
        })
        .collect();
    (model, variables)
}

/// Returns all assignments that satisfy `holds`.
pub fn solutions(domains: &Domains, holds: impl Fn(&[i32]) -> bool) -> Solutions {
    let mut all = vec![Vec::new()];
    for values in domains {
        let longer = |start: &Vec<i32>, &value: &i32| {
            start.iter().copied().chain([value]).collect::<Vec<i32>>()
        };
        all = all
            .iter()
            .flat_map(|start| values.iter().map(move |value| longer(start, value)))
            .collect();
    }
    all.into_iter().filter(|assignment| holds(assignment)).collect()
}

/// Returns the values that occur in solutions.
pub fn supported(variables: usize, solutions: &Solutions) -> Domains {
    (0..variables)
        .map(|variable| solutions.iter().map(|solution| solution[variable]).collect())
        .collect()
}

/// A hook that keeps the domains that remain at the root.
struct Root(Option<Domains>);

impl Hook<Network> for Root {
    fn name(&self) -> &str {
        "root"
    }
    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        if node.depth() == 0 {
            let domains = node.state();
            self.0 = Some(
                node.problem()
                    .variables()
                    .map(|variable| domains.values(variable).collect())
                    .collect(),
            );
        }
        Verdict::Keep
    }
}

/// Returns the domains that full propagation leaves at the root, or `None` if it refutes the root.
pub fn fixpoint(network: &Network) -> Option<Domains> {
    let mut root = Root(None);
    let _ = Search::new(network).hooks((Propagate::full(), &mut root)).exists();
    root.0
}

/// Asserts that every level of propagation counts this number of solutions.
#[track_caller]
pub fn assert_count(model: Model, solutions: u128) {
    let network = model.build();
    assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(solutions); 4]);
}

/// Checks that every level of propagation finds these solutions and restores its changes, and that
/// full propagation prunes no value of a solution at the root.
pub fn check(network: &Network, expected: &Solutions) -> Result<(), TestCaseError> {
    for level in LEVELS {
        let search = Search::new(network).hooks((Propagate::new(level),)).check_undo();
        let found: Vec<Vec<i32>> =
            search.extract(|node| Assignment::of(node).values().to_vec()).solutions().collect();
        prop_assert_eq!(found.len(), expected.len(), "{:?}", level);
        prop_assert_eq!(&found.into_iter().collect::<Solutions>(), expected, "{:?}", level);
    }
    let left = fixpoint(network);
    prop_assert!(left.is_some() || expected.is_empty(), "a conflict, though there are solutions");
    if let Some(left) = left {
        for (variable, (left, used)) in
            left.iter().zip(supported(network.len(), expected)).enumerate()
        {
            prop_assert!(
                used.is_subset(left),
                "variable {}: {:?} left, {:?} used",
                variable,
                left,
                used
            );
        }
    }
    Ok(())
}

/// Does the same as [`check`], and checks that propagation prunes *all* values that are in no
/// solution.
pub fn check_exact(network: &Network, expected: &Solutions) -> Result<(), TestCaseError> {
    check(network, expected)?;
    let exact = (!expected.is_empty()).then(|| supported(network.len(), expected));
    prop_assert_eq!(fixpoint(network), exact);
    Ok(())
}

/// Checks a constraint against its definition; see [`check`] and [`check_exact`].
pub fn check_constraint(
    domains: &Domains,
    constraint: &Constraint,
    is_exact: bool,
) -> Result<(), TestCaseError> {
    let expected = solutions(domains, |values| constraint.holds(values));
    let check = if is_exact { check_exact } else { check };
    check(&constraint.network(domains), &expected)
}
