//! Subsets with a given sum, counted by memoisation and by a product of polynomials.

use proptest::prelude::*;
use secateurs::hook::Memo;
use secateurs::{Branch, CopyProblem, Limits, Search, Stop};

/// Subsets with a given sum. The state is the number of decided numbers and the remaining sum.
#[derive(Clone, Debug)]
pub struct SubsetSum {
    pub numbers: Vec<usize>,
    pub target: usize,
}

impl CopyProblem for SubsetSum {
    type State = (usize, usize);
    type Cursor = u8;
    type Choice = bool;

    fn root(&self) -> (usize, usize) {
        (0, self.target)
    }
    fn branch(&self, &(decided, left): &(usize, usize)) -> Branch<u8> {
        match (decided == self.numbers.len(), left) {
            (true, 0) => Branch::Solution,
            (true, _) => Branch::DeadEnd,
            (false, _) => Branch::Inner(0),
        }
    }
    fn next(&self, &(decided, left): &(usize, usize), cursor: &mut u8) -> Option<bool> {
        *cursor += 1;
        match *cursor {
            1 => Some(false),
            2 => (self.numbers[decided] <= left).then_some(true),
            _ => None,
        }
    }
    fn apply(&self, (decided, left): (usize, usize), &take: &bool) -> (usize, usize) {
        (decided + 1, if take { left - self.numbers[decided] } else { left })
    }
}

/// Generates random numbers and a sum.
pub fn subset_sums() -> impl Strategy<Value = SubsetSum> {
    (prop::collection::vec(1..30usize, 0..40), 0..400usize)
        .prop_map(|(numbers, target)| SubsetSum { numbers, target })
}

/// Checks the count of the subsets with a memo of `capacity` entries.
pub fn check_ways(problem: &SubsetSum, capacity: usize) -> Result<(), TestCaseError> {
    // The coefficient of x^target in the product of all 1 + x^number.
    let mut ways = vec![0u128; problem.target + 1];
    ways[0] = 1;
    for &number in &problem.numbers {
        for sum in (number..=problem.target).rev() {
            ways[sum] += ways[sum - number];
        }
    }
    // Many trials have room for all states, to check the count. The others lose entries.
    let capacity = if capacity < 1000 { 1 << 16 } else { capacity };
    let memo =
        Memo::counted("memo", |_: &SubsetSum, state: &(usize, usize)| *state).capacity(capacity);
    let outcome = Search::new(problem).hooks((memo,)).limits(Limits::new().nodes(100_000)).count();
    if outcome.stop() == Stop::Exhausted {
        prop_assert_eq!(outcome.exact(), Some(ways[problem.target]));
    } else {
        prop_assert!(capacity < 1 << 16, "a memo with room for all states searches each once");
        prop_assert!(outcome.at_least() <= ways[problem.target]);
    }
    Ok(())
}
