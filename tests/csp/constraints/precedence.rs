//! Orders of two tasks.

use proptest::prelude::*;

use super::oracle::{self, check, check_exact, domains};

proptest! {
    #[test]
    fn orders_agree_with_brute_force(
        domains in domains(3),
        members in [0_usize..3, 0..3, 0..3],
        durations in [-2_i32..6, -2..6],
    ) {
        // The order may be a start as well, and both tasks may be the same one.
        let [order, first, second] = members.map(|index| index % domains.len());
        let (mut model, variables) = oracle::model(&domains);
        let task = |index: usize, duration| (variables[index], duration);
        model
            .ordered(variables[order], task(first, durations[0]), task(second, durations[1]))
            .expect("variables of the model");
        let expected = oracle::solutions(&domains, |values| match values[order] {
            1 => values[first] + durations[0] <= values[second],
            0 => values[second] + durations[1] <= values[first],
            _ => false,
        });
        let network = model.build();
        check(&network, &expected)?;
        let are_distinct = order != first && order != second && first != second;
        let is_decided = domains[order].iter().filter(|value| matches!(value, 0 | 1)).count() < 2;
        if are_distinct && (is_decided || expected.is_empty()) {
            // One order is left: its precedence is an inequality.
            check_exact(&network, &expected)?;
        }
    }
}
