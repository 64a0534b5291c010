//! Retained layers: all solutions, the best ones in order and random ones, compared with the list
//! of all solutions of random automata.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use secateurs::plug::algebra::{BestK, Counting, Feasible, Natural, Optima};
use secateurs::plug::motzkin::PathPiece;
use secateurs::plug::{Family, Sweep, SweepProgress};
use secateurs::{Cancel, Direction, Effect, Found, Incumbent, Limits, Optimum, Stop, Verdict};
use secateurs_problems::catalogue::GridSides;

use crate::automata::{self, Automaton, LabelsAndEnd};
use crate::shared::sweep_hooks::TestHook;
use crate::shared::sweeps::Steps;
use crate::support::problems::cycles;

proptest! {
    #[test]
    fn solutions_are_listed_once_and_in_order(
        automaton in automata::automata(),
        threads in 1_usize..4,
    ) {
        let expected = automaton.solutions();
        let sweep = || Sweep::new(&automaton).threads(threads);
        let mut solutions = sweep().solutions().unwrap();
        prop_assert_eq!(&solutions.by_ref().collect::<Vec<_>>(), &expected);
        prop_assert_eq!((solutions.stop(), solutions.next()), (Stop::Exhausted, None));

        let mut visited = Vec::new();
        let outcome = sweep().for_each(|labels| -> ControlFlow<()> {
            visited.push(labels.to_vec());
            ControlFlow::Continue(())
        });
        prop_assert_eq!((outcome.stop(), &visited), (Stop::Exhausted, &expected));

        let first = sweep().first();
        prop_assert_eq!(first.exists(), Some(!expected.is_empty()));
        prop_assert_eq!(first.solution(), expected.first());
    }

    #[test]
    fn ranked_lists_the_best_solutions_first(
        automaton in automata::automata(),
        threads in 1_usize..4,
    ) {
        let solutions = automaton.solutions();
        let sweep = || Sweep::new(&automaton).threads(threads);
        let weight_of = |labels: &Vec<u8>| automaton.weight_of(labels);
        let mut weights: Vec<i64> = solutions.iter().map(weight_of).collect();
        weights.sort_unstable();
        for direction in [Direction::Minimise, Direction::Maximise] {
            let outcome = sweep().best(direction, LabelsAndEnd);
            prop_assert_eq!(outcome.proven(), weights.first());
            prop_assert_eq!(outcome.is_proven_infeasible(), weights.is_empty());
            let first = weights
                .first()
                .and_then(|best| solutions.iter().find(|labels| weight_of(labels) == *best));
            prop_assert_eq!(outcome.solution(), first);

            let mut ranked = sweep().ranked(direction, LabelsAndEnd).unwrap();
            let all: Vec<_> = ranked.by_ref().collect();
            prop_assert_eq!((ranked.stop(), ranked.next()), (Stop::Exhausted, None));
            let ranked: Vec<i64> = all.iter().map(|(weight, _)| *weight).collect();
            prop_assert_eq!(ranked, weights.clone());
            prop_assert!(all.iter().all(|(weight, labels)| *weight == automaton.weight_of(labels)));
            let different: BTreeSet<_> = all.into_iter().map(|(_, labels)| labels).collect();
            prop_assert_eq!(different.len(), solutions.len());
            weights.reverse();
        }
    }

    #[test]
    fn backward_totals_equal_forward_totals(
        automaton in automata::automata(),
        threads in 1_usize..4,
    ) {
        let sweep = || Sweep::new(&automaton).threads(threads);
        let retained = sweep().retain_layers().unwrap();
        let count = automaton.solutions().len();
        prop_assert_eq!(retained.count().exact(), Some(count as u128));
        prop_assert_eq!(retained.run(&Counting::<Natural>::new()).total().is_some(), count > 0);
        let optima = Optima::minimise(LabelsAndEnd);
        let (forward, backward) = (sweep().run(&optima), retained.run(&optima));
        prop_assert_eq!(forward.value(), backward.value());
        let best = BestK::maximise(4, LabelsAndEnd);
        let (forward, backward) = (sweep().run(&best), retained.run(&best));
        prop_assert_eq!(forward.value(), backward.value());
        prop_assert_eq!(retained.run(&Feasible).is_proven_empty(), count == 0);
        // Every retained state is on a path from the start to the end.
        let states = automaton.live_states();
        prop_assert_eq!(retained.states().collect::<Vec<_>>(), states);
    }

    #[test]
    fn samples_are_solutions_and_reproducible(automaton in automata::automata(), seed: u64) {
        let solutions: BTreeSet<_> = automaton.solutions().into_iter().collect();
        let draw = || Sweep::new(&automaton).samples(seed).unwrap().take(20).collect::<Vec<_>>();
        let drawn = draw();
        prop_assert_eq!(drawn.len(), if solutions.is_empty() { 0 } else { 20 });
        prop_assert!(drawn.iter().all(|labels| solutions.contains(labels)));
        prop_assert_eq!(draw(), drawn, "the same seed");
    }
}

/// Returns whether samples pass Pearson's test: the sum of (observed − expected)² / expected is
/// about the number of solutions, within some multiples of the square root of twice that.
fn is_uniform(automaton: &Automaton, seed: u64) -> bool {
    let solutions = automaton.solutions();
    let mut observed: BTreeMap<Vec<u8>, u32> =
        solutions.iter().map(|labels| (labels.clone(), 0)).collect();
    let expected = 200;
    let drawn = Sweep::new(automaton).samples(seed).unwrap().take(expected * solutions.len());
    drawn.for_each(|labels| *observed.get_mut(&labels).expect("a solution") += 1);
    let expected = expected as f64;
    let square = |&observed: &u32| (f64::from(observed) - expected).powi(2) / expected;
    let chi_square: f64 = observed.values().map(square).sum();
    let freedom = solutions.len() as f64 - 1.0;
    (chi_square - freedom).abs() < 4.0 * (2.0 * freedom).sqrt()
}

#[test]
fn samples_are_uniform() {
    // Four solutions begin with the first transition and one with the second, so the first must be
    // drawn four times as often.
    let steps = vec![
        vec![(0, 0, 0), (0, 1, 1)],
        vec![(0, 0, 0), (0, 0, 1), (1, 1, 0)],
        vec![(0, 0, 0), (0, 0, 1), (1, 1, 0)],
    ];
    let unbalanced = Automaton::new(steps, vec![0, 1]);
    assert_eq!(unbalanced.solutions().len(), 5);
    assert!(is_uniform(&unbalanced, 1) && is_uniform(&unbalanced, 2));
    assert!(is_uniform(&Automaton::complete(4, 4), 3));
    // Just beyond 128 bits, so that large numbers are drawn.
    let large = Automaton::complete(65, 4);
    let mut seen = [0; 4];
    let firsts =
        Sweep::new(&large).samples(4).unwrap().take(4000).map(|labels| usize::from(labels[0]));
    firsts.for_each(|first| seen[first] += 1);
    assert!(seen.iter().all(|seen| (870..1130).contains(seen)), "{seen:?}");
}

#[test]
fn problems_without_cells_or_solutions_have_the_expected_answers() {
    let empty = Automaton::new(Vec::new(), vec![0]);
    assert_eq!(Sweep::new(&empty).solutions().unwrap().collect::<Vec<_>>(), [Vec::<u8>::new()]);
    assert_eq!(Sweep::new(&empty).samples(1).unwrap().next(), Some(vec![]));
    let ranked: Vec<_> =
        Sweep::new(&empty).ranked(Direction::Maximise, LabelsAndEnd).unwrap().collect();
    assert_eq!(ranked, [(automata::end_weight(0), vec![])]);
    let none = Automaton::new(Vec::new(), vec![1]);
    assert_eq!(Sweep::new(&none).first().value(), &Found::None);
    assert_eq!(
        Sweep::new(&none).best(Direction::Maximise, LabelsAndEnd).value(),
        &Optimum::Infeasible
    );
    assert_eq!(Sweep::new(&none).samples(1).unwrap().next(), None);
    assert_eq!(Sweep::new(&none).ranked(Direction::Maximise, LabelsAndEnd).unwrap().next(), None);
}

#[test]
fn all_passes_observe_the_limits() {
    let automaton = Automaton::complete(1000, 8);
    let sweep = |limits: Limits| Sweep::new(&automaton).limits(limits);
    let retained = sweep(Limits::new()).retain_layers().unwrap();
    assert_eq!(retained.states().collect::<Vec<_>>(), [vec![1], vec![8; 1000]].concat());
    assert_eq!(
        retained.bytes(),
        retained
            .states()
            .map(|states| states + 4 * (2 * states).next_power_of_two())
            .sum::<usize>()
    );
    let peak = retained.report().peak_bytes().unwrap();

    // In the forward pass, and when the index is made.
    let error = sweep(Limits::new().memory(100)).retain_layers().unwrap_err();
    assert_eq!((error.stop(), error.cell()), (Stop::MemoryLimit, Some(0)));
    assert!(sweep(Limits::new().memory(peak)).retain_layers().is_ok());
    let error = sweep(Limits::new().memory(peak - 1)).retain_layers().unwrap_err();
    assert_eq!(error.stop(), Stop::MemoryLimit);
    // In the iterator, whose sets take memory.
    let tight = sweep(Limits::new().memory(peak)).retain_layers().unwrap();
    let error = tight.samples(1).unwrap_err();
    assert_eq!((error.stop(), error.cell().is_some()), (Stop::MemoryLimit, true));
    let enough = peak + 8 * 8001 + 1_000_000;
    let mut ranked =
        sweep(Limits::new().memory(enough)).ranked(Direction::Maximise, LabelsAndEnd).unwrap();
    let given = ranked.by_ref().count();
    assert!(given > 0 && ranked.stop() == Stop::MemoryLimit);

    let cancel = Cancel::new();
    let mut solutions = sweep(Limits::new().cancel(&cancel)).solutions().unwrap();
    assert!(solutions.next().is_some());
    cancel.cancel();
    assert_eq!((solutions.next(), solutions.stop()), (None, Stop::Cancelled));
    assert_eq!(sweep(Limits::new().cancel(&cancel)).first().stop(), Stop::Cancelled);
    assert_eq!(sweep(Limits::new().cancel(&cancel)).first().value(), &Found::Unknown);
    assert_eq!(
        sweep(Limits::new().time(Duration::ZERO)).best(Direction::Maximise, LabelsAndEnd).value(),
        &Optimum::Unknown
    );
    // The flag is set at the end of the forward pass, and the backward pass notices it.
    let late = Cancel::new();
    let last_cell = |progress: &SweepProgress| {
        if progress.cells_done == progress.cells {
            late.cancel();
        }
    };
    let error = sweep(Limits::new().cancel(&late))
        .progress(Duration::ZERO, last_cell)
        .retain_layers()
        .unwrap_err();
    assert_eq!((error.stop(), error.cell()), (Stop::Cancelled, Some(999)));
    // So does a pass over layers that were retained before.
    let later = Cancel::new();
    let retained = sweep(Limits::new().cancel(&later)).retain_layers().unwrap();
    later.cancel();
    assert_eq!((retained.count().exact(), retained.count().stop()), (None, Stop::Cancelled));
    assert_eq!(retained.best(Direction::Maximise, LabelsAndEnd).value(), &Optimum::Unknown);
    assert_eq!(retained.samples(1).unwrap_err().stop(), Stop::Cancelled);
    let mut three = sweep(Limits::new().solutions(3)).solutions().unwrap();
    assert_eq!((three.by_ref().count(), three.stop()), (3, Stop::SolutionLimit));
    let outcome = sweep(Limits::new()).for_each(|labels| ControlFlow::Break(labels.to_vec()));
    assert_eq!(
        (outcome.stop(), outcome.value()),
        (Stop::Satisfied, &ControlFlow::Break(vec![0; 1000]))
    );
}

#[test]
fn the_time_of_a_sweep_includes_the_questions_about_its_layers() {
    let time = Duration::from_secs(1);
    let automaton = Automaton::complete(10, 8);
    let retained = Sweep::new(&automaton).limits(Limits::new().time(time)).retain_layers().unwrap();
    let mut solutions = retained.solutions();
    assert!(solutions.next().is_some());
    thread::sleep(time);
    assert_eq!((solutions.next(), solutions.stop()), (None, Stop::TimeLimit));
    assert_eq!((retained.count().exact(), retained.count().stop()), (None, Stop::TimeLimit));
    assert_eq!(retained.samples(1).unwrap_err().stop(), Stop::TimeLimit);
    assert_eq!(retained.best(Direction::Maximise, LabelsAndEnd).value(), &Optimum::Unknown);
}

#[test]
fn weights_out_of_range_end_the_ranking() {
    let automaton = Automaton::complete(3, 2);
    let heavy = |_: usize, label: u8| if label == 0 { i64::MIN / 2 } else { 0 };
    // The weight of 3 zeros is below the minimum, that of 2 zeros is the minimum.
    assert_eq!(Sweep::new(&automaton).best(Direction::Maximise, heavy).proven(), Some(&0));
    assert_eq!(Sweep::new(&automaton).best(Direction::Minimise, heavy).stop(), Stop::CountOverflow);
    let mut ranked = Sweep::new(&automaton).ranked(Direction::Maximise, heavy).unwrap();
    assert_eq!(
        ranked.by_ref().map(|(weight, _)| weight).filter(|weight| *weight == i64::MIN).count(),
        3
    );
    assert_eq!(ranked.stop(), Stop::CountOverflow);
    let error = Sweep::new(&automaton).ranked(Direction::Minimise, heavy).unwrap_err();
    assert_eq!((error.stop(), error.cell()), (Stop::CountOverflow, Some(0)));
}

/// Returns a hook that drops states, with a given claim: state 3, or all but one by dominance,
/// since all states of a complete automaton are equivalent.
fn dropping(effect: Effect, keeps_labels: bool, dominance: bool) -> TestHook<'static, Automaton> {
    let hook = match dominance {
        true => TestHook::thinning("dropping", effect, |_, _, layer| {
            let last = layer.states().len() - 1;
            (0..last).for_each(|index| _ = layer.dominate(index, last));
        }),
        false => {
            TestHook::entering("dropping", effect, |_, _, &mut state| Verdict::prune_if(state == 3))
        }
    };
    TestHook { keeps_labels, ..hook }
}

#[test]
fn hooks_apply_in_all_passes_and_their_effect_is_reported() {
    let automaton = Automaton::complete(5, 4);
    let sweep = |effect, keeps_labels, dominance| {
        Sweep::new(&automaton).hooks((dropping(effect, keeps_labels, dominance),))
    };
    // A filter: no path leads through the states that it drops.
    let retained = sweep(Effect::Lossy, true, false).retain_layers().unwrap();
    assert_eq!(retained.solutions().count(), 3_usize.pow(5));
    assert!(retained.solutions().all(|labels| !labels.contains(&3)));
    assert!(retained.samples(1).unwrap().take(50).all(|labels| !labels.contains(&3)));
    assert_eq!((retained.count().exact(), retained.count().at_least()), (None, 243));
    assert_eq!(retained.solutions().report().effect(), Effect::Lossy);
    assert!(matches!(
        retained.best(Direction::Maximise, LabelsAndEnd).value(),
        Optimum::BestSoFar { .. }
    ));

    // A canonicaliser that does not keep labels: counts are right, labels are not.
    let retained = sweep(Effect::Preserving, false, true).retain_layers().unwrap();
    assert_eq!(retained.count().exact(), Some(1024));
    let first = retained.first();
    assert_eq!((first.effect(), first.report().conflicts().len()), (Effect::Lossy, 1));
    assert_eq!(first.solution(), None);
    let best = retained.best(Direction::Maximise, LabelsAndEnd);
    assert_eq!(best.value(), &Optimum::Unknown);
    assert_eq!(retained.samples(1).unwrap().report().effect(), Effect::Lossy);

    // Dominance compares the values of the question: it may drop a state if the best solution or
    // any solution is asked for, but not if all solutions are.
    let dominated = || sweep(Effect::OptimumOnly, true, true);
    let plain = Sweep::new(&automaton).best(Direction::Maximise, |_, label: u8| i64::from(label));
    let best = dominated().best(Direction::Maximise, |_, label: u8| i64::from(label));
    assert_eq!((best.proven(), best.solution()), (plain.proven(), plain.solution()));
    assert!(best.report().hook("dropping").is_some_and(|hook| hook.cuts() > 0));
    assert_eq!(dominated().first().exists(), Some(true));
    assert_eq!(dominated().solutions().unwrap().count(), 1024);
}

#[test]
fn a_pass_that_reads_an_incumbent_proves_nothing_although_the_sweep_has_not_read_it() {
    let automaton = Automaton::complete(5, 4);
    let incumbent = Incumbent::new(Direction::Maximise);
    let sweep = || {
        let incumbent = incumbent.clone();
        let hook = TestHook::entering("once known", Effect::Preserving, move |_, _, &mut state| {
            Verdict::prune_if(state == 3 && incumbent.get().is_some())
        });
        Sweep::new(&automaton).hook(hook).threads(2)
    };
    let retain = || sweep().retain_layers().unwrap();
    let [counted, listed, ranked, best, family] = std::array::from_fn(|_| retain());
    assert_eq!(retain().count().exact(), Some(1024));
    let mut ranking = ranked.ranked(Direction::Maximise, LabelsAndEnd).unwrap();
    incumbent.offer(0);
    let count = counted.count();
    assert_eq!((count.exact(), count.at_least(), count.effect()), (None, 243, Effect::Lossy));
    let mut solutions = listed.solutions();
    assert_eq!(
        (solutions.report().effect(), solutions.by_ref().count()),
        (Effect::Preserving, 243)
    );
    assert_eq!(solutions.report().effect(), Effect::Lossy);
    // The solutions that are now dropped are left out, and the order of the others is kept.
    let ranks: Vec<_> = ranking.by_ref().collect();
    assert!(ranks.is_sorted_by(|(one, _), (next, _)| one >= next));
    assert_eq!(ranks.iter().map(|(_, labels)| labels).collect::<BTreeSet<_>>().len(), 243);
    for (weight, labels) in &ranks {
        assert!(labels.len() == 5 && labels.iter().all(|&label| label != 3), "{labels:?}");
        assert_eq!(*weight, automaton.weight_of(labels), "{labels:?}");
    }
    assert_eq!(ranking.report().effect(), Effect::Lossy);
    assert_eq!(best.best(Direction::Maximise, LabelsAndEnd).proven(), None);
    assert!(family.family(20, |cell, label| [4 * cell + usize::from(label)]).is_err());
}

#[test]
fn long_walks_need_no_call_stack() {
    // Words of two letters, with many cells, so that the walk is deep.
    let words = Steps::new(20_000, 0_u8, |_, _, emit| {
        emit(0, false);
        emit(1, true);
    });
    let words = words.accepting(|last| last == 1);
    let retained = Sweep::new(&words).retain_layers().unwrap();
    assert_eq!(retained.solutions().take(3).map(|labels| labels.len()).sum::<usize>(), 60_000);
    let letters = |_: usize, letter: bool| i64::from(letter);
    let mut ranked = retained.ranked(Direction::Minimise, letters).unwrap();
    assert_eq!(ranked.next().map(|(weight, _)| weight), Some(1));
    assert_eq!(ranked.by_ref().take(10).map(|(weight, _)| weight).sum::<i64>(), 20);
    assert_eq!(retained.run(&Counting::<Natural>::new()).total().map(Natural::bits), Some(20_000));
    // Far more solutions than 128 bits can count.
    assert_eq!(retained.samples(1).unwrap().take(3).collect::<BTreeSet<_>>().len(), 3);
}

#[test]
fn the_number_of_threads_does_not_change_the_solutions_of_large_layers() {
    let problem = cycles(10, 12);
    let weight = |cell: usize, piece: PathPiece| cell as i64 * piece.length() % 7;
    let answers = |threads: usize| {
        let retained = Sweep::new(&problem).threads(threads).retain_layers().unwrap();
        let first: Vec<_> = retained.solutions().take(5).collect();
        let ranked: Vec<_> =
            retained.ranked(Direction::Maximise, weight).unwrap().take(5).collect();
        let samples: Vec<_> = retained.samples(3).unwrap().take(5).collect();
        (first, ranked, samples, retained.states().collect::<Vec<_>>(), retained.count().exact())
    };
    let answer = answers(1);
    let (first, ranked, samples, ..) = &answer;
    for pieces in first.iter().chain(ranked.iter().map(|(_, pieces)| pieces)).chain(samples) {
        let drawing = problem.draw(pieces);
        for (cell, &piece) in pieces.iter().enumerate() {
            let (row, column) = problem.grid().position(cell);
            let sides = problem.sides(cell, piece);
            let GridSides { up, right, down, left } = sides;
            assert_eq!(drawing.sides(row, column), sides, "{drawing}");
            assert_eq!([up, right, down, left].iter().filter(|&&side| side).count(), 2);
        }
    }
    assert_eq!(answer, answers(2));
}

#[test]
fn iterators_that_panicked_do_not_claim_to_be_exhausted() {
    fn visit<T>(mut all: impl Iterator<Item = T>) -> usize {
        let caught = panic::catch_unwind(AssertUnwindSafe(|| all.next()));
        assert!(caught.is_err());
        all.count()
    }
    let is_armed = AtomicBool::new(false);
    let pass = || assert!(!is_armed.swap(false, Relaxed), "this panic is part of the test");
    let words = Steps::new(3, 0, |_, state, emit| {
        pass();
        (0..2).for_each(|label| emit(state, label));
    });
    let mut all = Sweep::new(&words).solutions().unwrap();
    is_armed.store(true, Relaxed);
    assert_eq!((visit(all.by_ref()), all.stop()), (0, Stop::Interrupted));

    let weight = |_: usize, label: i64| {
        pass();
        label
    };
    let mut ranked = Sweep::new(&words).ranked(Direction::Maximise, weight).unwrap();
    is_armed.store(true, Relaxed);
    assert_eq!((visit(ranked.by_ref()), ranked.stop()), (0, Stop::Interrupted));

    let family = Family::from_sets(2, [vec![0], vec![1]]).unwrap();
    let weight = |element: usize| {
        pass();
        element as i64
    };
    let mut ranked = family.ranked(Direction::Maximise, weight).unwrap();
    is_armed.store(true, Relaxed);
    assert_eq!((visit(ranked.by_ref()), ranked.stop()), (0, Stop::Interrupted));
}
