//! Knapsacks, searched with dominance and solved by dynamic programming.

use proptest::prelude::*;
use secateurs::hook::Dominance;
use secateurs::{Branch, CopyProblem, Hook, Objective, Search, SubstituteOrder};

/// Items of (weight, value), and the total weight that can be carried.
#[derive(Clone, Debug)]
pub struct Knapsack {
    pub items: Vec<(usize, u64)>,
    pub capacity: usize,
}

/// The state: the number of decided items, the remaining capacity and the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    pub decided: usize,
    pub room: usize,
    pub value: u64,
}

impl CopyProblem for Knapsack {
    type State = Load;
    type Cursor = u8;
    type Choice = bool;

    fn root(&self) -> Load {
        Load { decided: 0, room: self.capacity, value: 0 }
    }
    fn branch(&self, load: &Load) -> Branch<u8> {
        if load.decided == self.items.len() { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, load: &Load, cursor: &mut u8) -> Option<bool> {
        *cursor += 1;
        match *cursor {
            1 => Some(false),
            2 => (self.items[load.decided].0 <= load.room).then_some(true),
            _ => None,
        }
    }
    fn apply(&self, Load { decided, room, value }: Load, &take: &bool) -> Load {
        let (weight, worth) = if take { self.items[decided] } else { (0, 0) };
        Load { decided: decided + 1, room: room - weight, value: value + worth }
    }
}

impl Knapsack {
    /// Returns the optimum, by dynamic programming over the remaining capacity.
    pub fn optimum(&self) -> u64 {
        let mut best = vec![0; self.capacity + 1];
        for &(weight, value) in &self.items {
            for room in (weight..=self.capacity).rev() {
                best[room] = best[room].max(best[room - weight] + value);
            }
        }
        best[self.capacity]
    }
}

/// Generates random knapsacks of up to `items` items.
pub fn knapsacks(items: usize) -> impl Strategy<Value = Knapsack> {
    (prop::collection::vec((0..12usize, 0..12u64), 0..=items), 0..60usize)
        .prop_map(|(items, capacity)| Knapsack { items, capacity })
}

/// Returns the hook by which a load dominates another one of as many items if it has at least as
/// much room and value.
pub fn knapsack_dominance(capacity: Option<usize>) -> impl Hook<Knapsack> + Clone + Send {
    let hook = Dominance::new(
        "more",
        |_: &Knapsack, load: &Load| load.decided,
        |_: &Knapsack, load: &Load| (load.room, load.value),
        |a: &(usize, u64), b: &(usize, u64)| a.0 >= b.0 && a.1 >= b.1,
    )
    .order(SubstituteOrder::FewerChoices);
    match capacity {
        Some(capacity) => hook.capacity(capacity),
        None => hook,
    }
}

/// Checks that a breadth-first search keeps an antichain of each group: at most one load for each
/// remaining capacity.
pub fn check_antichains(problem: &Knapsack) -> Result<(), TestCaseError> {
    let value = Objective::maximise(|_: &Knapsack, load: &Load| load.value);
    let outcome =
        Search::new(problem).hooks((knapsack_dominance(None),)).breadth_first().best(&value);
    prop_assert_eq!(outcome.proven(), Some(&problem.optimum()));
    let antichains = (problem.items.len() + 1) * (problem.capacity + 1);
    let report = outcome.report().hook("more").unwrap();
    prop_assert!(report.stat("entries").unwrap() <= antichains as u64);
    prop_assert_eq!(report.stat("evictions"), Some(0));
    Ok(())
}
