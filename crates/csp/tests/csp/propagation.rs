//! Propagation: every level finds the same solutions and prunes no value of one, and the trail
//! restores all changes.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::{
    Count, Effect, Node, NodeMut, Outcome, Problem, ProblemOrder, Search, Verdict, hook,
};
use secateurs_csp::{
    Ascending, Branching, CentreOut, Decision, Domains, Halves, InputOrder, Model, ModelError,
    Network, Propagate, Propagator, PropagatorScratch, SmallestDomain, Variable, Wipeout,
};
use secateurs_problems::queens::QueensBoard;

use crate::networks::{Constraint, NetworkSpec};
use crate::oracle::{self, assert_count, found};
use crate::shared::networks::check_large_networks;
use crate::support::propagation::LEVELS;
use crate::support::sizes::sized;

/// A propagator of a user: the sum of the variables is at most this number.
#[derive(Debug)]
pub struct SumAtMost(pub Vec<Variable>, pub i32);

impl Propagator for SumAtMost {
    fn name(&self) -> &str {
        "sum"
    }
    fn scope(&self) -> &[Variable] {
        &self.0
    }
    fn holds(&self, values: &[i32]) -> bool {
        values.iter().sum::<i32>() <= self.1
    }
    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Result<(), Wipeout> {
        let least = |domains: &Domains, variable| domains.min(variable).ok_or(Wipeout(variable));
        let mut sum = 0;
        for &variable in &self.0 {
            sum += least(domains, variable)?;
        }
        for &variable in &self.0 {
            let room = self.1 - sum + least(domains, variable)?;
            domains.at_most(variable, room)?;
        }
        Ok(())
    }
}

/// Small domains with holes and negative values; occasionally they take several words.
fn domain() -> impl Strategy<Value = BTreeSet<i32>> {
    prop_oneof![
        8 => prop::collection::btree_set(-3..4, 1..5),
        1 => prop::collection::btree_set(-100..100, 0..4),
    ]
}

fn constraint(variables: usize) -> impl Strategy<Value = Constraint> {
    use Constraint::*;
    let pairs = prop::collection::vec((-3..4, -3..4), 0..12);
    let pair = || (0..variables, 0..variables);
    prop_oneof![
        1 => (pair(), -3..4).prop_map(|((x, y), by)| DifferentBy(x, y, by)),
        2 => (pair(), pairs, any::<bool>())
            .prop_map(|((x, y), pairs, allowed)| Pairs(x, y, pairs, allowed)),
        1 => prop::collection::vec((0..variables, -2..3), 0..4).prop_map(DifferentShifted),
        1 => (prop::collection::vec(0..variables, 0..4), -5..6)
            .prop_map(|(scope, most)| SumAtMost(scope, most)),
    ]
}

fn specs() -> impl Strategy<Value = NetworkSpec> {
    // Variables without a constraint: one whose domain has several words, so that there is no table
    // of pairs, or many with one value, so that the table is sparse.
    let free = prop_oneof![
        4 => Just(vec![]),
        4 => Just(vec![[0, 1000].into()]),
        1 => Just(vec![[0].into(); 64]),
    ];
    (prop::collection::vec(domain(), 0..6), free).prop_flat_map(|(domains, free)| {
        let number = if domains.is_empty() { 0..1 } else { 0..7 };
        let constraints = prop::collection::vec(constraint(domains.len().max(1)), number);
        constraints.prop_map(move |constraints| NetworkSpec {
            domains: [&domains[..], &free].concat(),
            constraints,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_level_and_order_finds_all_solutions_once(spec in specs()) {
        let network = spec.network();
        let expected = spec.solutions();
        prop_assert_eq!(&found(&network, (), ProblemOrder), &expected);
        for level in LEVELS {
            let propagate = || Propagate::new(level);
            let by_size = |variables| Branching::new(variables, Ascending);
            for found in [
                found(&network, (propagate(),), ProblemOrder),
                found(&network, (propagate(),), Branching::new(InputOrder, CentreOut)),
                found(&network, (propagate(),), by_size(SmallestDomain::first_tie())),
                found(&network, (propagate(),), by_size(SmallestDomain::last_tie())),
                found(&network, (propagate(),), Halves::new(SmallestDomain::first_tie())),
                found(&network, (propagate(),), Halves::minimum_first(SmallestDomain::last_tie())),
                found(&network, (propagate().without_wipe_out_test(),), ProblemOrder),
            ] {
                prop_assert_eq!(&found, &expected, "{:?}", level);
            }
        }
    }

    /// At every node, all solutions that agree with the decisions on the path remain in the
    /// domains.
    #[test]
    fn no_level_prunes_a_value_of_a_solution(spec in specs()) {
        let network = spec.network();
        let solutions = spec.solutions();
        for level in LEVELS {
            let watch = hook::watch("kept", |node: &Node<'_, Network>| {
                let agrees = |solution: &&Vec<i32>| {
                    node.path().iter().all(|decision| match *decision {
                        Decision::Is(x, value) => solution[x.index()] == value,
                        _ => unreachable!("values are tried one by one"),
                    })
                };
                let domains = node.state();
                for solution in solutions.iter().filter(agrees) {
                    let mut values = node.problem().variables().zip(solution);
                    let remain = values.all(|(variable, &value)| domains.contains(variable, value));
                    assert!(remain, "{level:?}: {solution:?} in {domains:?}");
                }
            });
            let _ = Search::new(&network).hooks((Propagate::new(level), watch)).count();
        }
    }

    #[test]
    fn stronger_levels_make_smaller_trees(spec in specs()) {
        // If a variable occurs twice, the sum of this test prunes less than testing each of its
        // values does.
        let twice = |constraint: &Constraint| match constraint {
            Constraint::SumAtMost(scope, _) => {
                scope.iter().collect::<BTreeSet<_>>().len() < scope.len()
            }
            _ => false,
        };
        prop_assume!(!spec.constraints.iter().any(twice));
        let network = spec.network();
        let mut before = u64::MAX;
        for level in LEVELS {
            let outcome = Search::new(&network).hooks((Propagate::new(level),)).count();
            let kept = outcome.report().nodes() - outcome.report().hooks()[0].cuts();
            prop_assert!(kept <= before, "{:?}: {} nodes after {}", level, kept, before);
            before = kept;
        }
    }

    /// Random decisions and removals are undone one by one, and each undo restores the previous
    /// state.
    #[test]
    fn restore_reverts_random_changes_exactly(
        domains in prop::collection::vec(
            prop_oneof![domain(), prop::collection::btree_set(0..10_000, 1..9)],
            1..6,
        ),
        steps in prop::collection::vec((any::<prop::sample::Index>(), 0..6, -5..10_000), 1..40),
    ) {
        let network = oracle::model(&domains).0.build();
        let mut state = network.root();
        let mut before = Vec::new();
        for (index, kind, value) in steps {
            use Decision::{AtLeast, AtMost, Is};
            let variable = network.variables().nth(index.index(domains.len())).expect("a variable");
            // Half of the values are ones that remain.
            let value = if kind % 2 == 0 {
                state.next_value(variable, value).unwrap_or(value)
            } else {
                value
            };
            let decision = match kind {
                0 | 1 => Is(variable, value),
                2 | 3 => AtMost(variable, value),
                _ => AtLeast(variable, value),
            };
            let was = state.clone();
            let mark = network.apply(&mut state, &decision);
            let _ = state.remove(variable, value);
            let _ = state.retain(variable, |other| other % 3 != 0);
            before.push((decision, was, mark));
        }
        for (decision, was, mark) in before.into_iter().rev() {
            network.undo(&mut state, &decision, mark);
            prop_assert_eq!(&state, &was);
        }
    }
}

#[test]
fn a_search_without_propagation_is_plain_backtracking() {
    let queens = QueensBoard::new(7).expect("a small board").network();
    let backward = Search::new(&queens).hook(Propagate::backward()).count();
    let plain = Search::new(&queens).count();
    let smallest = Branching::new(SmallestDomain::first_tie(), Ascending);
    let smallest = Search::new(&queens).brancher(smallest).count();
    let halves = Search::new(&queens).brancher(Halves::new(InputOrder)).count();
    for outcome in [&plain, &smallest, &halves] {
        assert_eq!(outcome.exact(), Some(40));
    }
    // The hook cuts the nodes at which the other search has dead ends.
    let levels = |outcome: &Outcome<Count>| -> Vec<u64> {
        outcome.report().levels().iter().map(|level| level.nodes).collect()
    };
    assert_eq!(levels(&plain), levels(&backward));
    assert_eq!(levels(&smallest), levels(&backward));
}

#[test]
fn a_variable_may_be_twice_in_the_scope_of_a_propagator() -> Result<(), TestCaseError> {
    let domains = vec![[-2, 2].into(), [-3, 2, 3].into()];
    oracle::check_constraint(&domains, &Constraint::SumAtMost(vec![1, 1, 0], 0), false)
}

#[test]
fn networks_without_variables_or_values_have_exact_counts() {
    assert_count(Model::new(), 1);
    let mut model = Model::new();
    model.variable([]).expect("an empty domain is one");
    model.variable(0..3).expect("small");
    assert_count(model, 0);
    let mut model = Model::new();
    model.propagator(SumAtMost(Vec::new(), -1)).expect("no variables");
    assert_count(model, 0);
}

/// The index of such a variable would otherwise lead into the set of open variables, which follows
/// the domains.
#[test]
fn queries_about_a_variable_of_a_larger_network_panic() {
    let mut larger = Model::new();
    let far = larger.variables(5, 0..2).expect("small")[4];
    let queries: [fn(&Domains, Variable); 8] = [
        |domains, far| _ = domains.size(far),
        |domains, far| _ = domains.is_assigned(far),
        |domains, far| _ = domains.is_wiped_out(far),
        |domains, far| _ = domains.value(far),
        |domains, far| _ = domains.min(far),
        |domains, far| _ = domains.max(far),
        |domains, far| _ = domains.contains(far, 0),
        |domains, far| _ = domains.mask_from(far, 0),
    ];
    // The values of each variable fit into one word, or they do not.
    for most in [1, 100] {
        let mut model = Model::new();
        let known = model.variables(4, 0..=most).expect("small");
        let domains = model.build().root();
        for (number, query) in queries.iter().enumerate() {
            known.iter().for_each(|&variable| query(&domains, variable));
            let result = std::panic::catch_unwind(|| query(&domains, far));
            assert!(result.is_err(), "query {number} of values up to {most}");
        }
    }
}

#[test]
fn errors_of_malformed_models_name_the_variable() {
    let mut model = Model::new();
    let x = model.variable(0..10).expect("small");
    let error = model.variable(i32::MIN..=i32::MAX).expect_err("too wide");
    assert!(matches!(error, ModelError::DomainTooWide { span: 4_294_967_296, .. }));
    assert_eq!(
        error.to_string(),
        "variable 1: the values span 4294967296 integers, expected at most 16777216"
    );
    let error = model.variables(2000, 0..1 << 24).expect_err("too large");
    assert!(matches!(error, ModelError::TooLarge { .. }), "{error}");
    assert_eq!(model.len(), 1);
    // Each word of values takes 12 bytes: the values, and the number of their variable.
    let error = model.variables(700, 0..1 << 24).expect_err("more than 2 GiB");
    assert!(matches!(error, ModelError::TooLarge { .. }), "{error}");
    assert!(model.clone().variables(600, 0..1 << 24).is_ok());
    // This must fail at once, not after adding variables until memory runs out.
    let error = model.variables(usize::MAX, 0..2).expect_err("too many");
    assert!(matches!(error, ModelError::TooLarge { .. }), "{error}");
    assert_eq!((model.len(), model.variables(0, i32::MIN..=i32::MAX)), (1, Ok(Vec::new())));
    let far = Model::new().variables(5, 0..2).expect("small")[4];
    let error = ModelError::UnknownVariable { variable: 4, variables: 1 };
    assert_eq!(model.different(x, far), Err(error));
}

/// If a hook prunes values after propagation, leaves are checked before they count as solutions.
#[test]
fn a_hook_behind_propagation_makes_no_false_solutions() {
    let mut model = Model::new();
    let variables = model.variables(3, 0..3).expect("small");
    model.all_different(&variables).expect("known");
    let network = model.build();
    for level in LEVELS {
        let late = hook::enter("late", Effect::Lossy, |node: &mut NodeMut<'_, Network>| {
            // The hook ignores a wipe-out.
            let _ = node.state_mut().assign(variables[2], 0);
            Verdict::Keep
        });
        let found = found(&network, (Propagate::new(level), late), ProblemOrder);
        assert!(found.is_subset(&[vec![1, 2, 0], vec![2, 1, 0]].into()), "{level:?}: {found:?}");
    }
}

#[test]
fn wide_domains_and_many_variables_are_searched() {
    let (half, variables) = sized((2_200, 10_000), (5_000, 100_000));
    check_large_networks(half, variables);
}

/// A constraint that fails as a whole names any of its variables, which may have values left.
#[test]
fn the_message_of_a_wipeout_is_true_of_a_failed_constraint() {
    let variable = Model::new().variable(0..=1).expect("a small domain");
    assert_eq!(Wipeout(variable).to_string(), "no value of variable 0 satisfies the constraints");
}
