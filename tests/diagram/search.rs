//! Searches by diagrams, against the exhaustive enumeration of random automata.

use proptest::prelude::*;
use secateurs::hook::Memo;
use secateurs::{Effect, Limits, Objective, Problem, Search, Stop};
use secateurs_problems::knapsack::Knapsack;

use crate::automaton::{Automaton, Position};
use crate::bound::automata;

proptest! {
    #[test]
    fn diagrams_find_the_optimum(
        automaton in automata(),
        width in 1..6usize,
        cut_width in 0..6usize,
    ) {
        let best = automaton.best_below(automaton.root());
        let sum = automaton.objective();
        let search = Search::new(&automaton).diagrams(&sum, width).cut_width(cut_width);
        let outcome = search.best(&sum);
        prop_assert_eq!(outcome.proven().copied(), best);
        prop_assert_eq!(outcome.is_proven_infeasible(), best.is_none());
        // The path of the solution leads to its value.
        if let Some(path) = outcome.solution() {
            let mut position = automaton.root();
            for letter in path {
                automaton.apply(&mut position, letter);
            }
            prop_assert_eq!(Some(position.value), best);
            prop_assert!(automaton.branch(&position).is_solution());
        }
    }

    /// A hook that follows the path is moved along.
    #[test]
    fn hooks_see_the_path_of_each_node(automaton in automata(), width in 1..4usize) {
        let sum = automaton.objective();
        let mut wrong = 0;
        let search = Search::new(&automaton).watch("path", |node| {
            let mut position = automaton.root();
            for letter in node.path().iter() {
                automaton.apply(&mut position, letter);
            }
            wrong += u32::from(position != *node.state());
        });
        let _ = search.diagrams(&sum, width).best(&sum);
        prop_assert_eq!(wrong, 0);
    }

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

    #[test]
    fn the_best_by_another_objective_is_not_proven(automaton in automata(), width in 1..4usize) {
        let sum = automaton.objective();
        let other = Objective::maximise(|_: &Automaton, position: &Position| -position.value);
        let outcome = Search::new(&automaton).diagrams(&sum, width).best(&other);
        prop_assert_eq!(outcome.proven(), None);
    }

    #[test]
    fn a_stopped_search_proves_nothing(
        automaton in automata(),
        width in 1..4usize,
        limit in 0..40u64,
    ) {
        let best = automaton.best_below(automaton.root());
        let sum = automaton.objective();
        let outcome = Search::new(&automaton)
            .diagrams(&sum, width)
            .limits(Limits::new().nodes(limit))
            .best(&sum);
        prop_assert!(outcome.report().nodes() <= limit);
        match outcome.stop() {
            Stop::Exhausted => prop_assert_eq!(outcome.proven().copied(), best),
            stop => {
                prop_assert_eq!(stop, Stop::NodeLimit);
                prop_assert_eq!(outcome.proven(), None);
            }
        }
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
fn diagrams_of_any_width_solve_knapsacks() {
    let knapsack = Knapsack::strongly_correlated(40, 60, 3).unwrap();
    let value = Knapsack::objective();
    let bound = value.bound("relaxation", Knapsack::relaxation);
    let best = Search::new(&knapsack).hook(bound).best(&value).proven().copied();
    for width in [1, 2, 10, 100, usize::MAX] {
        let value = Knapsack::objective();
        let search = Search::new(&knapsack).diagrams(&value, width).rough(Knapsack::relaxation);
        assert_eq!(search.best(&value).proven().copied(), best, "width {width}");
    }
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
