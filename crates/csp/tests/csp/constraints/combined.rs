//! Networks of constraints of all kinds.

use proptest::prelude::*;

use super::oracle::check;
use crate::networks::{NetworkSpec, network_specs};

/// Checks all levels of propagation, and the answers of the solver to all questions.
fn check_all(spec: &NetworkSpec) -> Result<(), TestCaseError> {
    let (network, expected) = (spec.network(), spec.solutions());
    check(&network, &expected)?;
    let count = network.solver().count();
    prop_assert_eq!(count.exact(), Some(expected.len() as u128));
    let first = network.solver().first();
    prop_assert_eq!(first.exists(), Some(!expected.is_empty()));
    prop_assert!(first.solution().is_none_or(|one| expected.contains(one.values())));
    for variable in network.variables() {
        let values = || expected.iter().map(|solution| solution[variable.index()]);
        let least = network.solver().minimise(variable);
        prop_assert_eq!(least.proven().copied(), values().min());
        prop_assert_eq!(least.is_proven_infeasible(), expected.is_empty());
        let most = network.solver().maximise(variable);
        prop_assert_eq!(most.proven().copied(), values().max());
        prop_assert_eq!(most.is_proven_infeasible(), expected.is_empty());
    }
    Ok(())
}

proptest! {
    #[test]
    fn constraints_of_all_kinds_together_match_brute_force(spec in network_specs()) {
        check_all(&spec)?;
    }
}
