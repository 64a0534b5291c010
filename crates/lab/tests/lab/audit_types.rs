//! Audits of type systems: they must be functions of the state.

use std::cell::Cell;

use secateurs::Node;
use secateurs_lab::{Audit, Coverage, Loss, Violation, audit_all};
use secateurs_problems::knapsack::Knapsack;

/// Audits the type system `types` on a knapsack of equal items, all of which fit.
fn audit(items: u64, types: impl FnMut(&Node<'_, Knapsack>) -> u64) -> Result<Coverage, Violation> {
    let knapsack = Knapsack::new(items, (0..items).map(|_| (1, 1))).expect("small sums");
    Audit::of_best(&knapsack, &Knapsack::objective()).types("types", types).run()
}

#[test]
fn a_function_of_the_state_and_the_depth_passes() {
    for items in 1..8 {
        let coverage = audit(items, |node| node.state().room + 100 * node.depth() as u64);
        assert!(coverage.expect("a function of the state").is_exhaustive());
    }
}

#[test]
fn a_type_that_depends_on_the_path_is_found_on_the_smallest_instance() {
    let first_choice = |node: &Node<'_, Knapsack>| u64::from(node.path().get(0) == Some(&true));
    let found = audit_all([7_u64], |&items| (1..items).rev(), |&items| audit(items, first_choice));
    let found = found.expect_err("equal states have different paths");
    // With two items, the only equal states are leaves.
    assert_eq!(*found.instance(), 3);
    let violation = found.violation();
    let sides = ["0", "1"];
    let Loss::Types { one, other } = violation.loss() else { panic!("{violation}") };
    assert!(one != other && sides.contains(&&**one) && sides.contains(&&**other), "{violation}");
    let [one, other] = violation.exhibits() else { panic!("{violation}") };
    assert_ne!(one, other);
}

#[test]
fn a_type_that_differs_from_call_to_call_is_found() {
    let calls = Cell::new(0);
    let counted = |_: &Node<'_, Knapsack>| calls.replace(calls.get() + 1);
    let found = audit_all([5_u64], |&items| (1..items).rev(), |&items| audit(items, counted));
    assert_eq!(*found.expect_err("no function").instance(), 1);
    let mut random = fastrand::Rng::with_seed(1);
    assert!(audit(4, |_| random.u64(..1_000)).is_err());
}

#[test]
fn states_that_are_not_remembered_are_reported() {
    // All subsets have different values, more than 500 on the last level that has children.
    let knapsack = Knapsack::new(1 << 11, (0..11).map(|item| (1 << item, 1 << item)));
    let knapsack = knapsack.expect("small sums");
    let value = Knapsack::objective();
    let audit = Audit::of_best(&knapsack, &value);
    let coverage = audit.types("room", |node| node.state().room).run().expect("sound");
    assert!(!coverage.is_exhaustive(), "{coverage}");
}
