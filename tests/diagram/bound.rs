//! Bounds from relaxed diagrams, against the exhaustive enumeration of random automata.

use std::cell::RefCell;
use std::fmt::Debug;

use proptest::prelude::*;
use secateurs::diagram::{AdditiveValue, DiagramProblem};
use secateurs::hook::{Dominance, HookMemory};
use secateurs::{Direction, Hook, Limits, Search, Stop, SubstituteOrder};
use secateurs_lab::{Audit, Loss};
use secateurs_problems::graph::Graph;
use secateurs_problems::independent_set::{IndependentSets, Remaining};
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::max_2sat::MaxTwoSat;

use crate::automaton::{Automaton, Lie, Position};
use crate::models::ModelObjective;

/// Generates random automata of up to seven layers, to be maximised or minimised.
pub fn automata() -> impl Strategy<Value = Automaton> {
    (0..=7usize, any::<bool>(), any::<u64>()).prop_map(|(layers, is_maximised, seed)| {
        let direction = if is_maximised { Direction::Maximise } else { Direction::Minimise };
        Automaton::random(layers, direction, seed)
    })
}

fn is_at_least_as_good(direction: Direction, bound: Option<i64>, best: Option<i64>) -> bool {
    match (bound, best) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(bound), Some(best)) => !direction.is_better(&best, &bound),
    }
}

/// Returns the hook by which a position dominates others of equal layers and automaton states.
fn dominance(automaton: &Automaton) -> impl secateurs::Hook<Automaton> + Clone + Send + use<> {
    let sign = match automaton.objective().incumbent().direction() {
        Direction::Maximise => 1,
        Direction::Minimise => -1,
    };
    Dominance::new(
        "dominance",
        |_: &Automaton, position: &Position| (position.layer, position.states),
        move |_: &Automaton, position: &Position| sign * position.value,
        |one: &i64, other: &i64| one >= other,
    )
    .order(SubstituteOrder::FewerChoices)
}

proptest! {
    #[test]
    fn no_solution_below_a_node_beats_its_bound(automaton in automata(), width in 1..6usize) {
        let sum = automaton.objective();
        let mut bound = sum.relaxed_bound("diagrams", width);
        let mut wide = sum.relaxed_bound("exact", usize::MAX);
        let direction = sum.incumbent().direction();
        let mut failed = Vec::new();
        let _ = Search::new(&automaton).watch("bound", |node| {
            let best = automaton.best_below(*node.state());
            let bound = bound.at(&automaton, node.state());
            // Without merging, the diagram is exact.
            if !is_at_least_as_good(direction, bound, best)
                || wide.at(&automaton, node.state()) != best
            {
                failed.push((*node.state(), best, bound));
            }
        }).count();
        prop_assert!(failed.is_empty(), "{failed:?}");
    }

    #[test]
    fn searches_with_the_bound_find_the_optimum(
        automaton in automata(),
        width in 1..6usize,
        with_dominance in any::<bool>(),
    ) {
        let best = automaton.best_below(secateurs::Problem::root(&automaton));
        for strategy in 0..8 {
            let sum = automaton.objective();
            let rough = sum.relaxed_bound("rough", width).rough(Automaton::rough);
            let hooks = (
                sum.relaxed_bound("diagrams", width),
                with_dominance.then(|| dominance(&automaton)),
                rough,
            );
            let search = Search::new(&automaton).hooks(hooks);
            let outcome = match strategy {
                0 => search.best(&sum),
                1 => search.breadth_first().best(&sum),
                2 => search.best_first(&sum, Automaton::rough).best(&sum),
                3 => search.threads(2).best(&sum),
                4 => search.diagrams(&sum, width).rough(Automaton::rough).best(&sum),
                5 => search.diagrams(&sum, width).best(&sum),
                6 => search.restricted(&sum, usize::MAX).best(&sum),
                _ => search.beam(1_000_000, |_, position: &Position| position.value).best(&sum),
            };
            prop_assert_eq!(outcome.proven().copied(), best);
            prop_assert_eq!(outcome.is_proven_infeasible(), best.is_none());
        }
    }

    #[test]
    fn the_claims_of_the_bound_pass_an_audit(automaton in automata(), width in 1..6usize) {
        let sum = automaton.objective();
        let audit = Audit::of_best(&automaton, &sum)
            .hook(sum.relaxed_bound("diagrams", width))
            .hook(sum.relaxed_bound("rough", 2 * width).rough(Automaton::rough));
        prop_assert!(audit.run().is_ok_and(|coverage| coverage.is_exhaustive()));
    }
}

#[test]
fn a_relaxed_bound_states_what_it_depends_on() {
    let value = Knapsack::objective();
    let of_width = |width| value.relaxed_bound("diagrams", width);
    let parameters = |hook: &dyn Hook<Knapsack>| hook.parameters();
    assert_eq!(of_width(3).name(), "diagrams");
    assert_eq!(of_width(3).memory(), HookMemory::Nothing);
    let narrow = parameters(&of_width(3));
    assert!(narrow.is_some());
    assert_ne!(narrow, parameters(&of_width(4)));
    let rough = parameters(&of_width(3).rough(Knapsack::relaxation));
    assert!(rough.is_some());
    assert_ne!(rough, narrow);
    // The data that a closure captures is unknown until `parameters` states it.
    let slack = 3;
    let slackened = |knapsack: &Knapsack, filling: &_| knapsack.relaxation(filling) + slack;
    assert_eq!(parameters(&of_width(3).rough(slackened)), None);
    assert!(parameters(&of_width(3).rough(slackened).parameters(&slack)).is_some());
}

#[test]
fn an_audit_finds_a_bound_of_a_merge_that_loses_a_possibility() {
    let loses = |layers: usize, seed: u64| {
        let mut automaton = Automaton::random(layers, Direction::Maximise, seed);
        automaton.lie = Some(Lie::ForgetfulMerge);
        let sum = automaton.objective();
        let bound = RefCell::new(sum.relaxed_bound("diagrams", 1));
        let audit = Audit::of_best(&automaton, &sum).bound("diagrams", |automaton, position| {
            bound.borrow_mut().at(automaton, position).unwrap_or(i64::MIN)
        });
        audit.run().is_err_and(|violation| matches!(violation.loss(), Loss::Beaten { .. }))
    };
    // States are merged first after one choice, and need another one to differ.
    assert!((0..200).all(|seed| !loses(1, seed)));
    assert!((0..200).any(|seed| loses(2, seed)));
}

/// The smallest instances on which each law is violated.
#[test]
fn an_audit_of_merges_finds_wrong_merges_keys_layers_and_resources() {
    let violation = |layers: usize, seed: u64, lie: Option<Lie>| {
        let mut automaton = Automaton::random(layers, Direction::Maximise, seed);
        automaton.lie = lie;
        let sum = automaton.objective();
        Audit::of_best(&automaton, &sum).merges().run().err()
    };
    let lies = [Lie::ForgetfulMerge, Lie::EqualKeys, Lie::EqualLayers, Lie::ReversedResources];
    for lie in lies {
        let found = (0..5).flat_map(|layers| (0..40).map(move |seed| (layers, seed)));
        let mut found = found.filter_map(|(layers, seed)| violation(layers, seed, Some(lie)));
        let loss = found.next().map(|violation| violation.loss().clone());
        match lie {
            Lie::ForgetfulMerge => assert!(matches!(loss, Some(Loss::Merged { .. })), "{loss:?}"),
            Lie::EqualKeys => assert!(matches!(loss, Some(Loss::Joined { .. })), "{loss:?}"),
            Lie::ReversedResources => {
                assert!(matches!(loss, Some(Loss::Dominated { .. })), "{loss:?}");
            }
            Lie::EqualLayers => assert!(matches!(loss, Some(Loss::Misplaced { .. })), "{loss:?}"),
        }
    }
    let violations =
        (0..6).flat_map(|layers| (0..40).map(move |seed| violation(layers, seed, None)));
    assert_eq!(violations.flatten().next(), None);
}

/// Proves the optimum by a plain search with a bound, and by the same search with diagrams that use
/// the bound. Returns the numbers of nodes.
fn nodes_without_and_with<P, V>(
    problem: &P,
    objective: impl Fn() -> ModelObjective<P, V>,
    rough: fn(&P, &P::State) -> V,
    width: usize,
) -> (u64, u64)
where
    P: DiagramProblem<Choice: Clone>,
    V: AdditiveValue + Debug,
{
    let value = objective();
    let plain = Search::new(problem).hook(value.bound("rough", rough)).best(&value);
    let value = objective();
    let diagrams = value.relaxed_bound("diagrams", width).rough(rough);
    let outcome = Search::new(problem).hook(diagrams).best(&value);
    assert!(outcome.proven().is_some());
    assert_eq!(outcome.proven(), plain.proven());
    (plain.report().nodes(), outcome.report().nodes())
}

/// The figures of docs/performance.md.
#[test]
fn relaxed_diagrams_reduce_the_nodes_of_plain_searches() {
    let knapsack = Knapsack::strongly_correlated(60, 100, 1).unwrap();
    let nodes = nodes_without_and_with(&knapsack, Knapsack::objective, Knapsack::relaxation, 100);
    assert_documented("a knapsack of 60 items", nodes);

    let clauses = MaxTwoSat::generate(60, 240, 1).unwrap();
    let nodes = nodes_without_and_with(&clauses, MaxTwoSat::objective, MaxTwoSat::bound, 10);
    assert_documented("MAX-2SAT with 60 variables and 240 clauses", nodes);

    // Each two vertices are adjacent with a probability of one fifth.
    let mut random = fastrand::Rng::with_seed(1);
    let pairs = (0..60).flat_map(|one| (0..one).map(move |other| (other, one)));
    let graph = Graph::from_edges(60, pairs.filter(|_| random.u8(..5) == 0)).unwrap();
    let sets = IndependentSets::new(&graph).unwrap();
    let remaining: fn(&IndependentSets, &Remaining) -> usize =
        |_, remaining| remaining.taken() + remaining.undecided();
    let nodes = nodes_without_and_with(&sets, IndependentSets::size, remaining, 100);
    assert_documented("an independent set of 60 vertices", nodes);
}

/// Asserts that the page on performance has these numbers of nodes without and with diagrams, and
/// the factor between them, in the row of an instance.
fn assert_documented(instance: &str, (without, with): (u64, u64)) {
    let page = include_str!("../../docs/performance.md");
    let row = page.lines().find(|line| line.starts_with(&format!("| {instance} |")));
    let row = row.unwrap_or_else(|| panic!("found no row of {instance}"));
    let grouped = |number: u64| match number {
        ..1_000 => number.to_string(),
        _ => format!("{},{:03}", number / 1_000, number % 1_000),
    };
    let factor = (without as f64 / with as f64).round();
    let expected = format!("| {} | {} | {factor} |", grouped(without), grouped(with));
    assert!(row.ends_with(&expected), "found {row}\nexpected {expected}");
}

#[test]
fn a_node_limit_is_exact_with_the_bound() {
    let knapsack = Knapsack::strongly_correlated(30, 100, 1).unwrap();
    let value = Knapsack::objective();
    let outcome = Search::new(&knapsack)
        .hook(value.relaxed_bound("diagrams", 2))
        .limits(Limits::new().nodes(10))
        .best(&value);
    assert_eq!((outcome.stop(), outcome.proven()), (Stop::NodeLimit, None));
    assert_eq!(outcome.report().nodes(), 10);
}
