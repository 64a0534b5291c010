//! Dominance and memos, compared with dynamic programming.

use proptest::prelude::*;

use crate::shared::knapsacks::{check_antichains, knapsacks};
use crate::shared::subset_sums::{check_ways, subset_sums};

proptest! {
    #[test]
    #[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
    fn large_knapsacks_take_polynomial_time(problem in knapsacks(60)) {
        check_antichains(&problem)?;
    }

    #[test]
    #[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
    fn subset_sums_match_a_product_of_polynomials(
        problem in subset_sums(),
        capacity in 2..2000usize,
    ) {
        check_ways(&problem, capacity)?;
    }
}
