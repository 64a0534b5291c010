//! Orders of two tasks.

use proptest::prelude::*;

use crate::networks::Constraint;
use crate::oracle::{self, Domains, are_distinct, check_constraint, domains};

/// The positions of the order and of both starts, and the durations. The order may be a start as
/// well, and both tasks may be the same one.
type Members = ([usize; 3], [i32; 2]);

fn members() -> impl Strategy<Value = Members> {
    ([0_usize..3, 0..3, 0..3], [-2_i32..6, -2..6])
}

fn check_order(domains: &Domains, (members, durations): Members) -> Result<(), TestCaseError> {
    let members = members.map(|index| index % domains.len());
    let [order, first, second] = members;
    let tasks = [(first, durations[0]), (second, durations[1])];
    let ordered = Constraint::Ordered(order, tasks);
    let has_solutions = !oracle::solutions(domains, |values| ordered.holds(values)).is_empty();
    let orders = domains[order].iter().filter(|value| matches!(value, 0 | 1)).count();
    // If one order is left, its precedence is an inequality.
    let is_exact = are_distinct(&members) && (orders < 2 || !has_solutions);
    check_constraint(domains, &ordered, is_exact)
}

proptest! {
    #[test]
    fn orders_agree_with_brute_force(domains in domains(3), members in members()) {
        check_order(&domains, members)?;
    }
}
