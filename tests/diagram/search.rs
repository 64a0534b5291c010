//! Searches by diagrams, against the exhaustive enumeration of random automata.

use proptest::prelude::*;
use secateurs::hook::Memo;
use secateurs::{Effect, Limits, Problem, Search, Stop};
use secateurs_problems::knapsack::Knapsack;

use crate::automaton::{Automaton, Position};
use crate::bound::automata;

proptest! {
    #[test]
    fn a_restricted_diagram_proves_the_optimum_only_if_it_drops_nothing(
        automaton in automata(),
        width in 1..6usize,
    ) {
        let best = automaton.best_below(automaton.root());
        let sum = automaton.objective();
        let outcome = Search::new(&automaton).restricted(&sum, width).best(&sum);
        let has_dropped = outcome.report().conflicts().iter().any(|conflict| {
            conflict.starts_with("the restricted diagram dropped")
        });
        prop_assert_eq!(outcome.report().effect() == Effect::Lossy, has_dropped);
        if has_dropped {
            prop_assert!(outcome.proven().is_none() && !outcome.is_proven_infeasible());
        } else {
            prop_assert_eq!(outcome.proven().copied(), best);
        }
        if let (Some(&found), Some(best)) = (outcome.best_so_far(), best) {
            prop_assert!(!sum.incumbent().direction().is_better(&found, &best));
        }
    }

    #[test]
    fn other_questions_lose_only_equal_states(automaton in automata(), width in 1..4usize) {
        let all = Search::new(&automaton).count().exact().expect("counted");
        let sum = automaton.objective();
        let count = Search::new(&automaton).diagrams(&sum, width).count();
        prop_assert!(count.at_least() <= all);
        prop_assert_eq!(count.exact(), None);
        let exists = Search::new(&automaton).diagrams(&sum, width).exists().exists();
        prop_assert_eq!(exists, Some(all > 0));
        // No solution is visited twice.
        let mut visited: Vec<_> =
            Search::new(&automaton).diagrams(&sum, width).solutions().collect();
        visited.sort();
        let before = visited.len();
        visited.dedup();
        prop_assert_eq!(visited.len(), before);
    }
}

#[test]
fn a_hook_that_remembers_visited_nodes_sees_no_node_twice() {
    let automaton = Automaton::random(7, secateurs::Direction::Maximise, 5);
    let sum = automaton.objective();
    let visited = Memo::visited("visited", |_: &Automaton, position: &Position| *position);
    let outcome = Search::new(&automaton).hook(visited).diagrams(&sum, 1).best(&sum);
    assert_eq!(outcome.best_so_far().copied(), automaton.best_below(automaton.root()));
}

#[test]
fn a_memory_limit_stops_a_search_by_diagrams() {
    let knapsack = Knapsack::strongly_correlated(200, 100_000, 3).unwrap();
    let value = Knapsack::objective();
    let outcome = Search::new(&knapsack)
        .diagrams(&value, 1_000)
        .limits(Limits::new().memory(1 << 18))
        .best(&value);
    assert_eq!((outcome.stop(), outcome.proven()), (Stop::MemoryLimit, None));
}
