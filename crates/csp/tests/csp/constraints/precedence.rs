//! Orders of two tasks.

use proptest::prelude::*;

use super::oracle::{self, Domains, MANY, are_distinct, check, check_exact, domains};

/// The positions of the order and of both starts, and the durations. The order may be a start as
/// well, and both tasks may be the same one.
type Members = ([usize; 3], [i32; 2]);

fn members() -> impl Strategy<Value = Members> {
    ([0_usize..3, 0..3, 0..3], [-2_i32..6, -2..6])
}

fn check_order(domains: &Domains, (members, durations): Members) -> Result<(), TestCaseError> {
    let members = members.map(|index| index % domains.len());
    let [order, first, second] = members;
    let (mut model, variables) = oracle::model(domains);
    let task = |index: usize, duration| (variables[index], duration);
    model
        .ordered(variables[order], task(first, durations[0]), task(second, durations[1]))
        .expect("variables of the model");
    let expected = oracle::solutions(domains, |values| match values[order] {
        1 => values[first] + durations[0] <= values[second],
        0 => values[second] + durations[1] <= values[first],
        _ => false,
    });
    let network = model.build();
    check(&network, &expected)?;
    let orders = domains[order].iter().filter(|value| matches!(value, 0 | 1)).count();
    if are_distinct(&members) && (orders < 2 || expected.is_empty()) {
        // One order is left: its precedence is an inequality.
        check_exact(&network, &expected)?;
    }
    Ok(())
}

proptest! {
    #[test]
    fn orders_agree_with_brute_force(domains in domains(3), members in members()) {
        check_order(&domains, members)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(MANY))]

    #[test]
    #[ignore = "expensive: cargo test --release --test csp -- --ignored constraints::precedence::"]
    fn more_orders_agree_with_brute_force(domains in domains(3), members in members()) {
        check_order(&domains, members)?;
    }
}
