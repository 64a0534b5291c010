//! The plug engine: layers, hooks, limits, threads.

use std::time::Duration;

use secateurs::plug::algebra::{Best, BestK, Counting, Feasible, Natural};
use secateurs::plug::{Algebra, ContourProblem, Overflow, Sweep, SweepHook};
use secateurs::{Cancel, Direction, Effect, Incumbent, Level, Limits, Stop, Uniqueness, Verdict};
use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};

use crate::shared::sweep_hooks::TestHook;
use crate::shared::sweeps::{AllDominate, Dice, Sets, Stepped, Steps};

/// The number of states in the largest layer of [`fan`].
const FAN: u32 = 4096;

/// Returns a problem whose numbers are widened while its layer is large: a count that is doubled in
/// 60 cells, then divided among [`FAN`] states, then summed up.
fn fan() -> impl ContourProblem<State = u32, Label = ()> {
    Steps::new(62, 0, |cell, _, emit| match cell {
        0..60 => (0..2).for_each(|_| emit(0, ())),
        60 => (0..FAN).for_each(|state| emit(state, ())),
        _ => emit(0, ()),
    })
}

#[test]
fn dice_are_counted_and_reported() {
    let outcome = Sweep::new(&Dice::new(3, 1)).count();
    assert_eq!(outcome.exact(), Some(216));
    assert_eq!(outcome.stop(), Stop::Exhausted);
    let levels = outcome.report().levels();
    let stats = |level: &Level| [level.nodes, level.transitions, level.merged, level.solutions];
    let expected = [[1, 0, 0, 0], [6, 6, 0, 0], [11, 36, 25, 0], [16, 66, 50, 16]];
    assert_eq!(levels.iter().map(stats).collect::<Vec<_>>(), expected);
    assert!(outcome.report().peak_bytes().is_some_and(|bytes| bytes > 0));
    let table = outcome.report().to_string();
    for word in ["states", "cells", "3 of 3", "transitions", "merged", "peak bytes"] {
        assert!(table.contains(word), "{word} in\n{table}");
    }
}

/// Returns words of zeros and ones in which a state of two ones at the end has no successor.
fn no_successor_after_two_ones(length: usize) -> impl ContourProblem<State = u64, Label = ()> {
    let has_successors = |word| word & 0b11 != 0b11;
    let step = move |_, word, emit: &mut dyn FnMut(u64, ())| {
        (0..2).filter(|_| has_successors(word)).for_each(|bit| emit(2 * word + bit, ()));
    };
    Steps::new(length, 0, step).accepting(has_successors)
}

#[test]
fn states_without_successors_are_dead_ends_of_their_layer() {
    let outcome = Sweep::new(&no_successor_after_two_ones(6)).count();
    assert_eq!(outcome.exact(), Some(21));
    let levels = outcome.report().levels().iter();
    let stats: Vec<_> = levels.map(|level| (level.nodes, level.dead_ends)).collect();
    assert_eq!(stats, [(1, 0), (2, 0), (4, 1), (6, 1), (10, 2), (16, 3), (26, 5)]);
    assert_eq!(outcome.report().dead_ends(), 12);
    let one = Sweep::new(&no_successor_after_two_ones(20)).count();
    assert_eq!(one.exact(), Some(17711));
    for threads in 2..=3 {
        let several = Sweep::new(&no_successor_after_two_ones(20)).threads(threads).count();
        assert_eq!(several.exact(), one.exact(), "{threads} threads");
        assert_eq!(several.report().levels(), one.report().levels(), "{threads} threads");
    }
}

#[test]
fn a_sweep_without_cells_or_solutions_has_an_exact_count() {
    assert_eq!(Sweep::new(&Dice::new(0, 7)).count().exact(), Some(1));
    let none = Sweep::new(&Dice::new(1, 7)).count();
    assert_eq!((none.exact(), none.report().dead_ends()), (Some(0), 6));
    let nothing = Sweep::new(&Dice::new(1, 7)).run(&Counting::<u64>::new());
    assert!(nothing.is_proven_empty());
    assert_eq!(nothing.total(), None);
    assert_eq!(Sweep::new(&Dice::new(1, 7)).exists().exists(), Some(false));
    assert_eq!(Sweep::new(&Dice::new(2, 7)).exists().exists(), Some(true));
}

#[test]
fn a_state_limit_is_exact() {
    let dice = Dice::new(3, 1);
    assert_eq!(Sweep::new(&dice).limits(Limits::new().states(16)).count().exact(), Some(216));
    for states in 0..16 {
        let outcome = Sweep::new(&dice).limits(Limits::new().states(states)).count();
        assert_eq!(
            (outcome.stop(), outcome.exact(), outcome.at_least()),
            (Stop::StateLimit, None, 0)
        );
        let error = outcome.complete().unwrap_err();
        assert!(
            error.states().is_some_and(|reached| reached <= states.max(1)),
            "{states}: {error}"
        );
    }
    let error = Sweep::new(&dice).limits(Limits::new().states(10)).count().complete().unwrap_err();
    assert_eq!((error.cell(), error.states(), error.stop()), (Some(1), Some(10), Stop::StateLimit));
    assert!(
        error.to_string().starts_with(
            "stopped in cell 2 of 3: state limit; layer 2 had 10 states by then; try "
        )
    );
}

#[test]
fn a_state_limit_holds_for_the_sum_of_large_and_of_small_shards() {
    for (bits, threads) in [16, 8].into_iter().flat_map(|bits| [1, 2, 3].map(|of| (bits, of))) {
        let all = 1 << bits;
        let sets = Sets::of(bits);
        let count = |states| {
            Sweep::new(&sets).threads(threads).limits(Limits::new().states(states)).count()
        };
        assert_eq!(count(all).exact(), Some(all.into()));
        for states in [all / 2, all - 1] {
            let outcome = count(states);
            let found = (outcome.stop(), outcome.exact());
            assert_eq!(found, (Stop::StateLimit, None), "{threads} threads, {bits} bits");
        }
    }
}

#[test]
fn a_memory_limit_while_widening_reports_the_layer_that_is_widened() {
    let count = |limit: u64, threads: usize| {
        Sweep::new(&fan()).limits(Limits::new().memory(limit)).threads(threads).count_natural()
    };
    // The layer takes 16 bytes for each state, and 32 more with numbers of two words.
    let layer = 16 * u64::from(FAN);
    for threads in [1, 3] {
        let limit = layer * 5 / 2;
        // Enough for the layer, and too little for its numbers of two words.
        let outcome = count(limit, threads);
        let peak = outcome.report().peak_bytes().expect("a sweep");
        assert!((layer..=limit).contains(&peak), "{peak} bytes under a limit of {limit}");
        let error = outcome.complete().expect_err("too little memory");
        assert_eq!(error.stop(), Stop::MemoryLimit);
        assert_eq!((error.cell(), error.states()), (Some(61), Some(FAN.into())), "{error}");
        assert!(error.to_string().contains("layer 61 had 4096 states and"), "{error}");
        let outcome = count(8 * layer, threads);
        assert_eq!(outcome.total().map(ToString::to_string), Some((4096_u128 << 60).to_string()));
    }
}

#[test]
fn a_memory_limit_includes_the_statistics_of_many_narrow_layers() {
    let sets = Sets { cells: usize::MAX, things: 1 };
    let narrow = Stepped(sets, |_, _| true);
    let limits = Limits::new().memory(1 << 20).depth(1 << 15);
    let outcome = Sweep::new(&narrow).limits(limits).exists();
    assert_eq!(outcome.stop(), Stop::MemoryLimit);
    assert!(outcome.report().depth() < 1 << 15);
}

#[test]
fn a_memory_limit_ends_the_sweep_and_names_the_cell() {
    for threads in 1..=3 {
        let outcome = Sweep::new(&Sets::of(32))
            .threads(threads)
            .limits(Limits::new().memory(20_000_000))
            .count();
        assert_eq!(outcome.stop(), Stop::MemoryLimit);
        assert!(outcome.report().peak_bytes().is_some_and(|bytes| bytes <= 20_000_000));
        let error = outcome.complete().unwrap_err();
        assert!(error.cell().is_some_and(|cell| (14..22).contains(&cell)), "{error}");
        assert!(error.states().is_some_and(|states| states > 100_000), "{error}");
        assert!(
            error.to_string().contains("memory limit")
                && error.to_string().contains("try more memory"),
            "{error}"
        );
    }
}

#[test]
fn a_sweep_whose_values_do_not_fit_into_memory_has_no_total() {
    let dice = Dice::new(8, 1);
    // Each value is a list, which grows when ways are merged.
    let algebra = BestK::maximise(200, |_: usize, pips: u8| i64::from(pips));
    let expected = Sweep::new(&dice).run(&algebra);
    assert!(expected.total().is_some());
    let (mut limit, mut stopped) = (10_000, 0);
    loop {
        let outcome = Sweep::new(&dice).limits(Limits::new().memory(limit)).run(&algebra);
        if outcome.stop() == Stop::Exhausted {
            assert_eq!(outcome.total(), expected.total(), "{limit} bytes");
            break;
        }
        assert_eq!((outcome.stop(), outcome.total()), (Stop::MemoryLimit, None), "{limit} bytes");
        (limit, stopped) = (limit + limit / 16, stopped + 1);
    }
    assert!(stopped > 10, "{stopped}");
}

#[test]
fn limits_of_nodes_depth_and_time_and_cancellation_stop_a_sweep() {
    for (limits, stop) in [
        // 1 + 6 + 11 states are expanded.
        (Limits::new().nodes(18), Stop::Exhausted),
        (Limits::new().nodes(17), Stop::NodeLimit),
        (Limits::new().depth(3), Stop::Exhausted),
        (Limits::new().depth(2), Stop::DepthLimit),
        (Limits::new().time(Duration::ZERO), Stop::TimeLimit),
    ] {
        let outcome = Sweep::new(&Dice::new(3, 1)).limits(limits).count();
        let count = (stop == Stop::Exhausted).then_some(216);
        assert_eq!((outcome.stop(), outcome.exact()), (stop, count));
    }
    let cancel = Cancel::new();
    cancel.cancel();
    for threads in 1..=2 {
        let outcome = Sweep::new(&Sets::of(32))
            .threads(threads)
            .limits(Limits::new().cancel(&cancel))
            .count();
        assert_eq!(outcome.stop(), Stop::Cancelled);
    }
}

#[test]
fn cancellation_within_a_layer_stops_the_sweep() {
    for threads in 1..=2 {
        let cancel = Cancel::new();
        let outcome = Sweep::new(&Sets::of(32))
            .threads(threads)
            .limits(Limits::new().cancel(&cancel))
            .progress(Duration::ZERO, |progress| {
                if progress.cells_done == 16 {
                    cancel.cancel();
                }
            })
            .count();
        assert_eq!((outcome.stop(), outcome.report().depth()), (Stop::Cancelled, 16));
    }
}

#[test]
fn counts_of_any_size_are_exact() {
    let (mut before, mut number) = (Natural::from(1_u64), Natural::from(1_u64));
    for cells in 0..=1000 {
        // Sets of squares of a row of which no two are neighbours.
        let apart = Steps::new(cells, false, |_, was_taken, emit| {
            emit(false, ());
            (0..1).filter(|_| !was_taken).for_each(|_| emit(true, ()));
        });
        if cells % 50 == 0 || [91, 92, 93, 183, 184, 185].contains(&cells) {
            for threads in 1..=2 {
                let outcome = Sweep::new(&apart).threads(threads).count_natural();
                assert_eq!(outcome.total(), Some(&number), "{cells} cells");
            }
        }
        let next = &before + &number;
        (before, number) = (number, next);
    }
    assert!(number.bits() > 600);
}

#[test]
fn states_that_are_too_wide_stop_the_sweep() {
    let outcome = Sweep::new(&Dice { last_fitting_cell: 20, ..Dice::new(30, 1) }).count();
    assert_eq!((outcome.stop(), outcome.exact()), (Stop::StateTooWide, None));
    let error = outcome.complete().unwrap_err();
    // The sums of 21 dice.
    assert_eq!((error.cell(), error.states()), (Some(21), Some(106)));
    let message = error.to_string();
    assert!(message.contains("a state may need 21 bits, and there are 20"), "{message}");
    assert!(message.contains("; layer 21 had 106 states; try a wider state type"), "{message}");
}

#[test]
fn errors_distinguish_the_complete_layer_from_the_next_one() {
    let dice = Dice::new(3, 1);
    let stopped = |limits| Sweep::new(&dice).limits(limits).count().complete().unwrap_err();
    let heavy = Sweep::new(&Dice::new(1, 1)).run(&Heavy);
    assert_eq!(heavy.report().solutions(), 6);
    let retained = Sweep::new(&dice).retain_layers().expect("nothing limits it");
    let backward = retained.run(&Heavy).complete().unwrap_err();
    assert_eq!((backward.cell(), backward.states()), (Some(2), Some(16)));
    for (error, start) in [
        (stopped(Limits::new().depth(2)), "in cell 3 of 3: depth limit; layer 2 had 11 states"),
        (stopped(Limits::new().nodes(6)), "in cell 2 of 3: node limit; layer 1 had 6 states"),
        (
            stopped(Limits::new().states(3)),
            "in cell 1 of 3: state limit; layer 1 had 3 states by then; try a higher limit",
        ),
        (
            heavy.complete().unwrap_err(),
            "after cell 1 of 1: count overflow; layer 1 had 6 states; try ",
        ),
        (backward, "in cell 3 of 3: count overflow; layer 3 had 16 states"),
    ] {
        let message = error.to_string();
        let rest = message.strip_prefix("stopped ").and_then(|rest| rest.strip_prefix(start));
        // Nothing follows a limit that cannot be raised for this.
        let is_whole = matches!(error.stop(), Stop::DepthLimit | Stop::NodeLimit);
        assert!(rest.is_some_and(|rest| rest.is_empty() || !is_whole), "{message}");
    }
}

/// An algebra whose final values overflow.
struct Heavy;

impl<P: ContourProblem> Algebra<P> for Heavy {
    type Value = ();

    fn one(&self) {}
    fn extend(&self, (): &(), _: usize, _: P::Label) -> Result<(), Overflow> {
        Ok(())
    }
    fn merge(&self, (): &mut (), (): ()) -> Result<(), Overflow> {
        Ok(())
    }
    fn finish(&self, (): (), _: P::State) -> Result<(), Overflow> {
        Err(Overflow)
    }
}

#[test]
fn a_sum_of_reports_has_the_stop_of_the_stopped_one() {
    let report =
        |dice: usize, limits| Sweep::new(&Dice::new(dice, 1)).limits(limits).count().into_parts().1;
    let (whole, part) = (report(3, Limits::new()), report(9, Limits::new().depth(2)));
    let peak = whole.peak_bytes().max(part.peak_bytes());
    for sum in [whole.clone() + part.clone(), part.clone() + whole.clone()] {
        assert_eq!((sum.stop(), sum.peak_bytes()), (Stop::DepthLimit, peak));
        assert_eq!(sum.nodes(), whole.nodes() + part.nodes());
        assert!(sum.to_string().contains("2 of 9"), "{sum}");
    }
}

#[test]
fn progress_is_reported_after_each_cell_and_ends_at_one() {
    let mut seen = Vec::new();
    let dice = Dice::new(4, 1);
    let outcome = Sweep::new(&dice)
        .progress(Duration::ZERO, |progress| seen.push(progress.fraction()))
        .count();
    assert!(outcome.exact().is_some());
    assert_eq!(seen, [0.25, 0.5, 0.75, 1.0]);
    let mut last = 0.0;
    let _ = Sweep::new(&dice)
        .progress(Duration::from_secs(3600), |progress| last = progress.fraction())
        .count();
    assert_eq!(last, 1.0);
}

/// A hook of sweeps of dice.
type DiceHook<'a> = TestHook<'a, Dice>;

/// Returns a hook that drops sums above the target: sums never decrease.
fn above(target: u32, effect: Effect) -> DiceHook<'static> {
    TestHook::entering("above", effect, move |_, _, sum| Verdict::prune_if(*sum > target))
}

/// Returns a hook that replaces sums by their remainders.
fn remainder() -> DiceHook<'static> {
    TestHook::entering("remainder", Effect::Preserving, |dice: &Dice, _, sum| {
        *sum %= dice.modulus;
        Verdict::Keep
    })
}

/// Returns a hook that keeps only the largest sum of a layer.
fn largest() -> DiceHook<'static> {
    TestHook::thinning("largest", Effect::OptimumOnly, |_, _, layer| {
        let states = layer.states();
        let Some(best) = (0..states.len()).max_by_key(|&index| states[index]) else { return };
        for index in (0..states.len()).filter(|&index| index != best) {
            layer.dominate(index, best);
        }
    })
}

#[test]
fn hooks_in_a_tuple_a_vector_or_one_by_one_have_the_same_report() {
    type AnyHook = Box<dyn SweepHook<Dice>>;
    let dice = Dice::new(5, 7);
    for threads in [1, 3] {
        let sweep = || Sweep::new(&dice).threads(threads);
        let above = |limit| above(limit, Effect::Lossy);
        let expected = sweep().hooks((remainder(), above(5), largest())).count();
        assert!(expected.report().hooks()[1].cuts() > 0);
        let appended = sweep().hook(remainder()).hook(above(5)).hook(largest()).count();
        let boxed: Vec<AnyHook> =
            vec![Box::new(remainder()), Box::new(above(5)), Box::new(largest())];
        let boxed = sweep().hooks(boxed).count();
        for outcome in [appended, boxed] {
            assert_eq!(outcome.value(), expected.value());
            assert_eq!(outcome.report().hooks(), expected.report().hooks());
            assert_eq!(outcome.report().levels(), expected.report().levels());
        }
        let filters = |limits: &[u32]| limits.iter().map(|&limit| above(limit)).collect::<Vec<_>>();
        let [two, appended] =
            [sweep().hooks(filters(&[9, 4])), sweep().hooks(filters(&[9])).hook(above(4))];
        let (two, appended) = (two.count(), appended.count());
        assert_eq!(two.report().hooks(), appended.report().hooks());
        assert_eq!(two.value(), sweep().hooks((above(9), above(4))).count().value());
        // More hooks than a tuple holds.
        let many = sweep().hooks(filters(&[20; 20])).count();
        assert_eq!(many.report().hooks().len(), 20);
    }
}

#[test]
fn cuts_of_a_filter_are_counted_by_layer() {
    let dice = Dice::new(2, 1);
    let outcome = Sweep::new(&dice).hooks((above(5, Effect::Lossy),)).count();
    assert_eq!((outcome.exact(), outcome.at_least(), outcome.effect()), (None, 10, Effect::Lossy));
    let hook = outcome.report().hook("above").expect("the hook was plugged in");
    let cuts: Vec<u64> = hook.cuts_by_depth().iter().map(|cuts| cuts.admit).collect();
    // Of 30 steps from the sums 1 to 5, ten lead to a sum of at most 5.
    assert_eq!(cuts, [0, 1, 5 * 6 - 10]);
    // A call for each step, and one for each state of a layer: 5 after the first cell, 4 after the
    // second.
    assert_eq!(hook.calls(), 6 + 5 + 30 + 4);
    // Representatives are counted, and do not prove the count.
    let outcome = Sweep::new(&dice).hooks((above(5, Effect::Representatives),)).count();
    assert_eq!((outcome.exact(), outcome.representatives()), (None, Some(10)));
    let switched_off: Option<DiceHook<'_>> = None;
    assert_eq!(Sweep::new(&dice).hooks((switched_off,)).count().exact(), Some(36));
}

#[test]
fn a_canonicaliser_merges_states_and_preserves_the_count() {
    let dice = Dice::new(10, 7);
    let plain = Sweep::new(&dice).count();
    let outcome = Sweep::new(&dice).hooks((remainder(),)).count();
    assert_eq!(outcome.exact(), plain.exact());
    assert!(outcome.report().levels().iter().all(|level| level.nodes <= 7));
    assert!(Sweep::new(&dice).hooks((remainder(),)).first().solution().is_some());
}

/// Returns a hook that replaces each sum by another one, with other solutions, and makes these
/// claims.
fn rounding(effect: Effect, is_constraint: bool) -> DiceHook<'static> {
    let hook = TestHook::entering("rounding", effect, |dice: &Dice, _, sum| {
        *sum = sum.next_multiple_of(dice.modulus);
        Verdict::Keep
    });
    TestHook { is_constraint, keeps_labels: false, ..hook }
}

#[test]
fn a_hook_that_exchanges_solutions_leaves_no_solution_that_is_known() {
    // No sum of three dice is a multiple of 100.
    let dice = Dice::new(3, 100);
    for (effect, is_constraint) in [
        (Effect::Representatives, false),
        (Effect::OptimumOnly, false),
        (Effect::Lossy, false),
        (Effect::Preserving, true),
    ] {
        let sweep = || Sweep::new(&dice).hook(rounding(effect, is_constraint));
        let counted = sweep().count();
        assert_eq!((counted.exact(), counted.at_least()), (None, 0), "{effect}");
        assert_eq!(sweep().exists().exists(), None);
        assert_eq!(sweep().is_unique().value(), &Uniqueness::Unknown);
    }
    let constraint = rounding(Effect::Preserving, true);
    let conflicts = Sweep::new(&dice).hook(constraint).count().report().conflicts().to_vec();
    let expected = "`rounding` is a constraint that replaces states by others whose labels differ";
    assert_eq!(conflicts, [expected]);
}

/// Returns a hook that prunes what cannot exceed the incumbent, with more pips than a die has in
/// each later cell.
fn beats(incumbent: Incumbent<u32>, effect: Effect) -> DiceHook<'static> {
    TestHook::entering("beats", effect, move |dice: &Dice, cell, sum| {
        let most = *sum + 6 * (dice.dice - cell - 1) as u32;
        Verdict::prune_if(incumbent.get().is_some_and(|best| best >= most))
    })
}

#[test]
fn a_sweep_that_reads_an_incumbent_proves_nothing_about_what_does_not_beat_it() {
    let dice = Dice::new(3, 1);
    let pips = |_: usize, pips: u8| i64::from(pips);
    for (effect, threads) in
        [(Effect::OptimumOnly, 1), (Effect::Preserving, 1), (Effect::OptimumOnly, 3)]
    {
        let incumbent = Incumbent::new(Direction::Maximise);
        let sweep = || {
            let hook = beats(incumbent.clone().declared(), effect);
            Sweep::new(&dice).threads(threads).hook(hook)
        };
        // Without a value there is nothing to read.
        let read_nothing = [sweep().count().effect(), sweep().first().effect()];
        assert_eq!(read_nothing, [effect; 2]);
        assert_eq!(sweep().best(Direction::Maximise, pips).proven(), Some(&18));
        incumbent.offer(100);
        let counted = sweep().count();
        assert_eq!((counted.exact(), counted.representatives()), (None, None));
        assert_eq!(sweep().exists().exists(), None);
        assert_eq!(sweep().is_unique().value(), &Uniqueness::Unknown);
        assert!(!sweep().run(&Feasible).is_proven_empty());
        let best = sweep().run(&Best::maximise(pips));
        assert!(best.total().is_none() && !best.is_proven_empty());
        assert!(!sweep().first().is_proven_none());
        assert!(!sweep().best(Direction::Maximise, pips).is_proven_infeasible());
        assert!(!sweep().retain_layers().expect("no limit").first().is_proven_none());
        assert!(sweep().family(18, |cell, pips| [6 * cell + usize::from(pips) - 1]).is_err());
        assert_eq!(sweep().solutions().expect("no limit").report().effect(), Effect::Lossy);
        // Found solutions are solutions.
        let beaten = Incumbent::new(Direction::Maximise);
        beaten.offer(17);
        let found = Sweep::new(&dice).hook(beats(beaten, effect)).best(Direction::Maximise, pips);
        assert_eq!((found.proven(), found.best_so_far()), (None, Some(&18)));
        let conflict = &found.report().conflicts()[0];
        assert!(conflict.starts_with("an incumbent was read"), "{conflict}");
    }
}

#[test]
fn dominance_drops_only_states_that_the_algebra_covers() {
    let dice = Dice::new(5, 1);
    let reached = Sweep::new(&dice).hooks((largest(),)).run(&Feasible);
    assert_eq!(reached.total(), Some(&()));
    assert_eq!(reached.report().nodes(), 6);
    let cuts: Vec<u64> = reached
        .report()
        .hook("largest")
        .expect("the hook was plugged in")
        .cuts_by_depth()
        .iter()
        .map(|cuts| cuts.enter)
        .collect();
    assert_eq!(cuts, [0, 5, 5, 5, 5, 5]);
    // A count must not be cut: a state with more paths does not replace another one.
    let counted = Sweep::new(&dice).hooks((largest(),)).count();
    assert_eq!((counted.exact(), counted.at_least()), (None, 6_u128.pow(5)));
}

#[test]
fn dominance_compares_the_values_of_states_in_all_shards() {
    let dice = Dice::new(4, 1);
    let weight = |_: usize, pips: u8| [30, 10, 40, 11, 59, 26][usize::from(pips) - 1];
    for threads in 1..=5 {
        let sweep = Sweep::new(&dice).threads(threads);
        let best = sweep.hooks((AllDominate,)).run(&Best::maximise(weight));
        assert_eq!(best.total(), Some(&(4 * 59)), "{threads} threads");
        assert_eq!(best.report().nodes(), 5, "{threads} threads");
    }
}

#[test]
fn the_number_of_threads_changes_neither_answer_nor_states() {
    let cycles = hamiltonian_cycles(&Grid::new(10, 10).expect("a board"));
    let one = Sweep::new(&cycles).count();
    assert_eq!(one.exact(), Some(467_260_456_608));
    for threads in [0, 2, 3, 5] {
        let several = Sweep::new(&cycles).threads(threads).count();
        assert_eq!(several.exact(), one.exact());
        assert_eq!(several.report().levels(), one.report().levels(), "{threads} threads");
    }
    let sets = Sweep::new(&Sets::of(17)).threads(2).count();
    assert_eq!(sets.exact(), Some(1 << 17));
    assert_eq!(sets.report().nodes(), (1 << 18) - 1);
}

#[test]
fn the_number_of_threads_does_not_change_the_accepted_states() {
    let dice = Dice::new(4, 3);
    let ends = |threads| {
        let outcome = Sweep::new(&dice).threads(threads).ends(&Counting::<u64>::new());
        assert_eq!(outcome.report().solutions(), 7);
        let mut ends = outcome.value().clone();
        ends.sort_unstable();
        ends
    };
    let expected = [(6, 10), (9, 56), (12, 125), (15, 140), (18, 80), (21, 20), (24, 1)];
    for threads in 1..=4 {
        assert_eq!(ends(threads), expected, "{threads} threads");
    }
}

#[test]
fn excessive_thread_numbers_are_capped_in_dense_sweeps_too() {
    let sets = Sweep::new(&Sets::of(14)).threads(usize::MAX).count();
    assert_eq!((sets.exact(), sets.report().nodes()), (Some(1 << 14), (1 << 15) - 1));
    let cycles = hamiltonian_cycles(&Grid::new(8, 8).expect("a board"));
    assert_eq!(Sweep::new(&cycles).threads(usize::MAX).dense().count().exact(), Some(4_638_576));
}

/// A problem that panics in a state of the 15th layer.
fn faulty() -> impl ContourProblem<State = u32> {
    Stepped(Sets::of(20), |cell, set| {
        assert!(cell < 15 || set & 0xfff != 77, "a fault of the problem");
        true
    })
}

#[test]
fn a_panic_in_a_thread_propagates() {
    for threads in 1..=3 {
        let count = || Sweep::new(&faulty()).threads(threads).count();
        let panic = std::panic::catch_unwind(count).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a fault of the problem"));
    }
}

/// A sum whose hash is the same for all sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Colliding(u32);

impl std::hash::Hash for Colliding {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(3);
    }
}

#[test]
fn colliding_hashes_do_not_change_the_answer() {
    let modulus = 1_000_000_007;
    let mut power = 1_u64;
    for _ in 0..100 {
        power = power * 6 % modulus;
    }
    let dice = Steps::new(100, Colliding(0), |_, Colliding(sum), emit| {
        (1..=6).for_each(|pips| emit(Colliding(sum + pips), ()));
    });
    let outcome = Sweep::new(&dice).count_modulo(modulus).expect("it is not zero");
    assert_eq!(outcome.total(), Some(&power));
}

#[test]
fn public_types_are_send_and_sync() {
    fn shared<T: Send + Sync>() {}
    shared::<secateurs::Incomplete>();
    shared::<secateurs::Outcome<secateurs::Total<u64>>>();
    shared::<secateurs::plug::SweepProgress>();
    fn sent<T: Send>() {}
    sent::<Sweep<'_, Dice>>();
}

#[test]
fn threads_add_the_values_of_the_right_sources() {
    let mut values = vec![0_u128; 9001];
    values[1] = 1;
    for _ in 0..18 {
        let mut next = vec![0; 9001];
        for (residue, value) in values.into_iter().enumerate() {
            next[2 * residue % 9001] += if residue % 3 == 0 { 2 * value } else { value };
            next[(2 * residue + 1) % 9001] += value;
        }
        values = next;
    }
    let expected: u128 = values.into_iter().step_by(7).sum();
    // Walks on the residues modulo 9001 from 1: a step doubles a residue and may add 1, and there
    // are two ways to double a multiple of 3.
    let residues = Steps::new(18, 1_u64, |_, residue, emit| {
        emit((2 * residue + 1) % 9001, ());
        let ways = if residue.is_multiple_of(3) { 2 } else { 1 };
        (0..ways).for_each(|_| emit(2 * residue % 9001, ()));
    });
    let residues = residues.accepting(|residue| residue.is_multiple_of(7));
    for threads in 1..=3 {
        let outcome = Sweep::new(&residues).threads(threads).count();
        assert_eq!(outcome.exact(), Some(expected), "{threads} threads");
    }
}
