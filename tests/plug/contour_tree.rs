//! Searches of the paths of random automata: alone, in diagrams, and with retained layers as a
//! bound. The oracle is the list of all solutions.

use std::collections::BTreeSet;
use std::ops::BitOr;
use std::time::Duration;

use proptest::prelude::*;
use secateurs::checkpoint::{Fingerprint, SaveError};
use secateurs::hook::enter;
use secateurs::plug::{
    ContourPosition, ContourProblem, ContourStep, ContourTree, MergeStates, Sweep, TooWide,
};
use secateurs::search::{Checkpoint, Frontier};
use secateurs::{Digest, Direction, Effect, Hook, Limits, Problem, Search, Stop, Verdict};
use secateurs_lab::Audit;
use secateurs_problems::catalogue::{Grid, independent_sets};

use crate::automata::{self, Automaton, LabelsAndEnd};
use crate::support::scratch::Directory;

fn directions() -> impl Strategy<Value = Direction> {
    prop_oneof![Just(Direction::Maximise), Just(Direction::Minimise)]
}

/// Returns the better of two weights.
fn better(direction: Direction) -> impl Fn(i64, i64) -> i64 {
    move |one, other| if direction.is_better(&one, &other) { one } else { other }
}

/// Returns the labels of a path.
fn labels<'a, S: 'a>(path: impl IntoIterator<Item = &'a ContourStep<S, u8>>) -> Vec<u8> {
    path.into_iter().map(|step| step.label).collect()
}

proptest! {
    #[test]
    fn the_solutions_of_the_tree_are_those_of_the_sweep(automaton in automata::automata()) {
        let expected = automaton.solutions();
        let tree = ContourTree::new(&automaton, Direction::Maximise, LabelsAndEnd).unwrap();
        prop_assert_eq!(Search::new(&tree).count().exact(), Some(expected.len() as u128));
        let found: Vec<_> = Search::new(&tree).solutions().map(|path| labels(&path)).collect();
        prop_assert_eq!(found, expected.clone());
        let mut weights = Vec::new();
        let _ = Search::new(&tree).watch("weights", |node| {
            if tree.branch(node.state()).is_solution() {
                weights.push(node.state().weight);
            }
        }).count();
        let expected: Vec<_> =
            expected.iter().map(|labels| i128::from(automaton.weight_of(labels))).collect();
        prop_assert_eq!(weights, expected);
        let _ = Search::new(&tree).check_undo().count();
    }

    /// The constraint removes random solutions when they are complete, or as soon as all
    /// continuations of a path are removed.
    #[test]
    fn a_bound_of_retained_layers_keeps_the_optimum_under_further_constraints(
        automaton in automata::automata(),
        direction in directions(),
        salt: u64,
        is_early: bool,
        threads in 1_usize..3,
    ) {
        let digest = |labels: &[u8]| std::hash::Hasher::finish(&Digest::of(&(salt, labels)));
        let is_allowed = |labels: &Vec<u8>| digest(labels).is_multiple_of(3);
        let allowed: Vec<_> = automaton.solutions().into_iter().filter(is_allowed).collect();
        let prefixes: BTreeSet<_> =
            allowed.iter().flat_map(|all| (0..=all.len()).map(|len| all[..len].to_vec())).collect();
        let constraint = enter("constraint", Effect::Preserving, |node| {
            let path = labels(node.path().iter());
            let is_end = path.len() == automaton.cells();
            Verdict::keep_if(!(is_end || is_early) || prefixes.contains(&path))
        });
        let best = allowed.iter().map(|labels| automaton.weight_of(labels));
        let best = best.reduce(better(direction)).map(i128::from);

        let layers = Sweep::new(&automaton).threads(threads).retain_layers().unwrap();
        let tree = ContourTree::new(&automaton, direction, LabelsAndEnd).unwrap();
        let check = |nodes: u64, outcome: secateurs::Outcome<_>| {
            let outcome: secateurs::Outcome<secateurs::Optimum<i128, Vec<_>>> = outcome;
            prop_assert_eq!(outcome.proven(), best.as_ref());
            prop_assert_eq!(outcome.is_proven_infeasible(), best.is_none());
            if let Some(path) = outcome.solution() {
                prop_assert!(allowed.contains(&labels(path)));
            }
            prop_assert!(outcome.report().nodes() <= nodes);
            Ok(())
        };
        let weight = tree.objective();
        let plain = Search::new(&tree).hook(constraint.clone()).best(&weight);
        let nodes = plain.report().nodes();
        check(nodes, plain)?;
        macro_rules! search {
            ($with:expr) => {{
                let weight = tree.objective();
                let bound = layers.bound("sweep", &weight, LabelsAndEnd, |_, position| *position);
                let hooks = (bound.unwrap(), constraint.clone());
                $with(Search::new(&tree).hooks(hooks), &weight)
            }};
        }
        check(nodes, search!(|search: Search<_, _, _, _>, weight| search.best(weight)))?;
        check(nodes, search!(|search: Search<_, _, _, _>, weight| {
            search.breadth_first().best(weight)
        }))?;
        check(u64::MAX, search!(|search: Search<_, _, _, _>, weight| {
            search.threads(threads).best(weight)
        }))?;
        // The hook alone: the best path is never left.
        let weight = tree.objective();
        let bound = layers.bound("sweep", &weight, LabelsAndEnd, |_, position| *position).unwrap();
        let exact = Sweep::new(&automaton).best(direction, LabelsAndEnd).proven().copied();
        prop_assert_eq!(bound.at(&tree.root()), exact.map(i128::from));
        // For another question, its cuts prove nothing.
        let count = Search::new(&tree).hook(bound).count();
        prop_assert!(count.at_least() <= automaton.solutions().len() as u128);
        // The constraint may be part of another problem, whose values may be narrow.
        let narrow = secateurs::Objective::new(direction, narrow_weight);
        let bound = layers.bound("sweep", &narrow, LabelsAndEnd, |_, position| *position).unwrap();
        let outcome = Search::new(&tree).hooks((bound, constraint.clone())).best(&narrow);
        prop_assert_eq!(outcome.proven().copied().map(i128::from), best);
    }

    #[test]
    fn diagrams_of_limited_width_enclose_the_optimum(
        automaton in automata::automata(),
        direction in directions(),
        width in 1_usize..6,
    ) {
        let subsets = Subsets(&automaton, BitOr::bitor);
        let weigh = |cell: usize, label: u8| automata::weight(cell, label);
        let solutions = automaton.solutions();
        let best = solutions.iter().map(|labels| {
            labels.iter().enumerate().map(|(cell, &label)| weigh(cell, label)).sum()
        });
        let best = best.reduce(better(direction)).map(i128::from);
        let tree = ContourTree::new(&subsets, direction, weigh).unwrap();
        let weight = tree.objective();
        let _ = Audit::of_best(&tree, &tree.objective()).merges().run().unwrap();

        let relaxed = weight.relaxed_bound("relaxed", width).at(&tree, &tree.root());
        prop_assert!(best.is_none() || relaxed.is_some());
        if let (Some(best), Some(relaxed)) = (best, relaxed) {
            prop_assert!(!direction.is_better(&best, &relaxed));
        }
        let restricted = Search::new(&tree).restricted(&weight, width).best(&weight);
        if let Some(found) = restricted.best_so_far() {
            prop_assert!(!direction.is_better(found, &best.unwrap()));
        }
        let all = 1 << 5;
        let exact = tree.objective().relaxed_bound("exact", all).at(&tree, &tree.root());
        prop_assert_eq!(exact, best);

        let weight = tree.objective();
        let outcome = Search::new(&tree).diagrams(&weight, width).best(&weight);
        prop_assert_eq!(outcome.proven(), best.as_ref());
        let weight = tree.objective();
        let bound = weight.relaxed_bound("relaxed", width);
        let outcome = Search::new(&tree).hook(bound).best(&weight);
        prop_assert_eq!(outcome.proven(), best.as_ref());
    }
}

fn narrow_weight(
    _: &ContourTree<'_, Automaton, LabelsAndEnd>,
    position: &ContourPosition<u8>,
) -> i16 {
    position.weight.try_into().expect("a small weight")
}

/// An automaton that is in several states at once: those that the labels so far may lead to, and
/// the function that merges two sets of states.
struct Subsets<'a>(&'a Automaton, fn(u8, u8) -> u8);

impl ContourProblem for Subsets<'_> {
    type State = u8;
    type Label = u8;

    fn cells(&self) -> usize {
        self.0.cells()
    }
    fn start(&self) -> u8 {
        1
    }
    fn step(&self, cell: usize, states: u8, emit: &mut impl FnMut(u8, u8)) {
        let mut next = [0_u8; 4];
        for state in (0..8).filter(|state| states >> state & 1 == 1) {
            self.0.step(cell, state, &mut |to, label| next[usize::from(label)] |= 1 << to);
        }
        for (label, &states) in (0..).zip(&next).filter(|(_, states)| **states != 0) {
            emit(states, label);
        }
    }
    fn accept(&self, states: u8) -> bool {
        (0..8).any(|state| states >> state & 1 == 1 && self.0.accept(state))
    }
}

impl MergeStates for Subsets<'_> {
    fn merge(&self, _: usize, one: u8, other: u8) -> u8 {
        self.1(one, other)
    }
}

#[test]
fn the_audit_finds_a_merge_that_loses_a_possibility() {
    // From state 1, only label 0 continues, and from state 2 only label 1.
    let automaton =
        Automaton::new(vec![vec![(0, 1, 0), (0, 2, 1)], vec![(1, 0, 0), (2, 0, 1)]], vec![0]);
    let weight = |_: usize, label: u8| i64::from(label);
    let subsets = Subsets(&automaton, BitOr::bitor);
    let tree = ContourTree::new(&subsets, Direction::Maximise, weight).unwrap();
    Audit::of_best(&tree, &tree.objective()).merges().run().unwrap().exhaustive().unwrap();
    // Loses what only the other set allows.
    let wrong = Subsets(&automaton, |one, _| one);
    let tree = ContourTree::new(&wrong, Direction::Maximise, weight).unwrap();
    let violation = Audit::of_best(&tree, &tree.objective()).merges().run().unwrap_err();
    assert!(violation.to_string().contains("merge"), "{violation}");
}

#[test]
fn the_merged_states_of_independent_sets_allow_what_their_parts_allow() {
    let worth = |cell: usize, taken: bool| if taken { (cell * 7 % 5) as i64 - 1 } else { 0 };
    for board in ["...\n...\n", ".*.\n..*\n", "*\n", "....."] {
        let sets = independent_sets(&board.parse().unwrap());
        for direction in [Direction::Maximise, Direction::Minimise] {
            let tree = ContourTree::new(&sets, direction, worth).unwrap();
            let report = Audit::of_best(&tree, &tree.objective()).merges().run().unwrap();
            assert!(report.exhaustive().is_ok(), "{board}");
        }
    }
}

#[test]
fn retained_layers_prune_all_but_the_path_to_the_optimum() {
    let cells = 64;
    let sets = independent_sets(&Grid::new(8, 8).unwrap());
    let worth = |cell: usize, taken: bool| if taken { 100 + (cell * cell % 13) as i64 } else { 0 };
    let tree = ContourTree::new(&sets, Direction::Maximise, worth).unwrap();
    let weight = tree.objective();
    let layers = Sweep::new(&sets).retain_layers().unwrap();
    let bound = layers.bound("sweep", &weight, worth, |_, position| *position).unwrap();
    let best = bound.at(&tree.root()).expect("the empty set");
    weight.incumbent().offer(best - 1);
    let outcome = Search::new(&tree).hook(bound).best(&weight);
    assert_eq!(outcome.proven(), Some(&best));
    assert!(outcome.report().nodes() <= 1 + 2 * cells, "{}", outcome.report());
}

#[test]
fn more_cells_than_weights_of_64_bits_can_add_up_are_no_overflow() {
    let automaton = Automaton::complete(4, 1);
    let weight = |_: usize, _: u8| i64::MAX;
    let tree = ContourTree::new(&automaton, Direction::Maximise, weight).unwrap();
    let best = Search::new(&tree).best(&tree.objective());
    assert_eq!(best.proven(), Some(&(4 * i128::from(i64::MAX))));
    // A sweep has weights of 64 bits, and says that they overflow.
    let layers = Sweep::new(&automaton).retain_layers().unwrap();
    let error = layers.bound("sweep", &tree.objective(), weight, |_, position| *position);
    assert!(error.is_err_and(|error| error.stop() == secateurs::Stop::CountOverflow));
}

#[test]
fn states_that_do_not_fit_are_an_error() {
    let sets = independent_sets(&Grid::new(65, 65).unwrap());
    let tree = ContourTree::unweighted(&sets);
    let error: TooWide = tree.expect_err("65 places");
    assert!(error.to_string().contains("65"), "{error}");
}

#[test]
fn a_tree_is_saved_and_resumed_and_impossible_steps_are_rejected() {
    let automaton = Automaton::complete(5, 4);
    let other = Automaton::complete(5, 3);
    let directory = Directory::new();
    let path = directory.file();
    let checkpoint = || Checkpoint::new(&path, Duration::ZERO, Fingerprint::new("automaton", &()));
    let tree = ContourTree::new(&automaton, Direction::Maximise, LabelsAndEnd).unwrap();
    let mut first = checkpoint();
    let limits = Limits::new().nodes(300);
    let begun = Search::new(&tree).limits(limits).checkpoint(&mut first).unwrap().count();
    assert_eq!(begun.exact(), None);
    drop(first);
    let fewer = ContourTree::new(&other, Direction::Maximise, LabelsAndEnd).unwrap();
    let mut wrong = checkpoint();
    assert!(Search::new(&fewer).resume(&mut wrong).is_err());
    let mut second = checkpoint();
    let count = Search::new(&tree).resume(&mut second).unwrap().count();
    assert_eq!(count.exact(), Some(4_u128.pow(5)));
}

#[test]
fn a_retained_bound_is_saved_only_with_parameters() {
    let automaton = Automaton::complete(3, 3);
    let tree = ContourTree::new(&automaton, Direction::Maximise, LabelsAndEnd).unwrap();
    let weight = tree.objective();
    let layers = Sweep::new(&automaton).retain_layers().unwrap();
    let bound = layers.bound("sweep", &weight, LabelsAndEnd, |_, position| *position).unwrap();
    let directory = Directory::new();
    let problem = Fingerprint::new("automaton", &());
    let mut checkpoint = Checkpoint::new(directory.file(), Duration::ZERO, problem);
    let refused = Search::new(&tree).hook(bound.clone()).checkpoint(&mut checkpoint).err();
    assert!(refused.is_some_and(|error| matches!(error.reason(), SaveError::Unstated { .. })));
    let bound = bound.parameters(&"labels and end");
    assert!(Hook::parameters(&bound).is_some());
    assert!(Search::new(&tree).hook(bound).checkpoint(&mut checkpoint).is_ok());
}

#[test]
fn weights_with_unstated_data_are_different_questions() {
    let sets = independent_sets(&Grid::new(1, 1).unwrap());
    let worth = |coin: i64| move |_: usize, taken: bool| if taken { coin } else { 0 };
    let tree = |coin| ContourTree::new(&sets, Direction::Maximise, worth(coin)).unwrap();
    let mut frontier = Frontier::new();
    let rich = tree(5);
    let outcome = Search::new(&rich)
        .limits(Limits::new().nodes(2))
        .frontier(&mut frontier)
        .best(&rich.objective());
    assert_eq!(outcome.proven(), None);
    let poor = tree(-5);
    let outcome = Search::new(&poor).frontier(&mut frontier).best(&poor.objective());
    assert_eq!((outcome.stop(), outcome.proven()), (Stop::Exhausted, None));

    for (is_same, proven) in [(true, Some(&5)), (false, None)] {
        let (first, mut frontier) = (rich.objective(), Frontier::new());
        let search = || Search::new(&rich);
        let _ = search().limits(Limits::new().nodes(2)).frontier(&mut frontier).best(&first);
        let second = if is_same { first } else { rich.objective() };
        assert_eq!(search().frontier(&mut frontier).best(&second).proven(), proven);
    }
}
