//! Sweeps on several threads and processes, compared with sweeps in one thread.

use std::fmt::Debug;
use std::fs;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::processes::in_processes;
use crate::shared::known::{HAMILTONIAN_CYCLES, Row};
use crate::shared::sweep_hooks::TestHook;
use crate::shared::sweeps::{
    Dice, FewerPlugs, IntendedPanic, NotThree, Sets, Stepped, Steps, panic_after,
};
use crate::support::scratch::Directory;
use crate::support::sizes::sized;
use proptest::prelude::*;
use secateurs::checkpoint::Fingerprint;
use secateurs::cluster::{Cluster, ClusterError, Traffic};
use secateurs::plug::algebra::{Algebra, Best, CountByWeight, Counting, Modulo, Optima};
use secateurs::plug::code::Parentheses;
use secateurs::plug::motzkin::PathPiece;
use secateurs::plug::{Antichain, BestState, ContourProblem, Sweep, SweepHooks, Thinning};
use secateurs::{
    Cancel, Count, Digest, Direction, Effect, Incumbent, Limits, Outcome, Report, Stop, Verdict,
};
use secateurs_problems::catalogue::{
    BlackAndWhite, EdgeWeights, Grid, Polyominoes, Strands, connected_subsets, hamiltonian_cycles,
    hamiltonian_paths, independent_sets, simple_paths, spanning_trees,
};
use secateurs_problems::rocket_mania::{
    Containment, Extinguished, Fuses, LonePlugs, Mode, Rockets, UnlitRockets, outshone,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Returns the statistics that do not depend on the number of workers.
fn stats<T: Clone>(
    outcome: &Outcome<T>,
) -> (T, Stop, Effect, Vec<secateurs::Level>, Vec<secateurs::HookReport>) {
    let report: &Report = outcome.report();
    (
        outcome.value().clone(),
        report.stop(),
        report.effect(),
        report.levels().to_vec(),
        report.hooks().to_vec(),
    )
}

/// Asserts that one to four threads give the expected outcome.
fn assert_same_on_threads<T: PartialEq + Debug + Clone>(
    expected: &Outcome<T>,
    run: impl Fn(&Cluster) -> Result<Outcome<T>, ClusterError>,
) {
    for threads in 1..=4 {
        let outcome = run(&Cluster::threads(threads)).expect("an answer");
        assert_eq!(stats(&outcome), stats(expected), "{threads} threads");
    }
}

/// Asserts that a question has the same outcome in a sweep of one thread and on a cluster of
/// `threads` or of `processes`.
macro_rules! assert_same {
    (threads, $($rest:tt)*) => { assert_same!(assert_same_on_threads, $($rest)*) };
    (processes, $($rest:tt)*) => { assert_same!(assert_same_on_processes, $($rest)*) };
    ($assert:ident, $sweep:expr, $question:ident $(, $argument:expr)?) => {
        $assert(&$sweep.$question($($argument)?), |cluster| {
            $sweep.on(cluster).problem(fingerprint()).$question($($argument)?)
        })
    };
}

/// Asserts that each of several processes gives the expected outcome.
fn assert_same_on_processes<T: PartialEq + Debug + Clone + Send + Sync>(
    expected: &Outcome<T>,
    run: impl Fn(&Cluster) -> Result<Outcome<T>, ClusterError> + Sync,
) {
    for (count, threads) in [(2, 1), (3, 2)] {
        let outcomes = in_processes(count, threads, |_, cluster| run(cluster).expect("an answer"));
        for outcome in &outcomes {
            assert_eq!(stats(outcome), stats(expected), "{count} processes of {threads} threads");
            assert_eq!(outcome.report(), outcomes[0].report());
        }
    }
}

fn grid(rows: usize, columns: usize) -> Grid {
    Grid::new(rows, columns).expect("a board")
}

/// The number of cells that a path visits.
fn length(_: usize, piece: PathPiece) -> i64 {
    i64::from(piece != PathPiece::NONE)
}

/// A problem whose states all belong to one worker, if `.1` holds.
struct OneOwner<P>(P, bool);

impl<P: ContourProblem> ContourProblem for OneOwner<P> {
    type State = P::State;
    type Label = P::Label;

    fn cells(&self) -> usize {
        self.0.cells()
    }
    fn start(&self) -> P::State {
        self.0.start()
    }
    fn step(&self, cell: usize, state: P::State, emit: &mut impl FnMut(P::State, P::Label)) {
        self.0.step(cell, state, emit);
    }
    fn accept(&self, state: P::State) -> bool {
        self.0.accept(state)
    }
    fn region(&self, cell: usize, state: P::State) -> Option<u64> {
        if self.1 { Some(0) } else { self.0.region(cell, state) }
    }
}

/// Counts with a journal, which is saved after each cell.
fn count_in_journal<P: ContourProblem<State: Serialize + DeserializeOwned>>(
    problem: &P,
    limits: Limits,
    cluster: &Cluster,
    directory: &Path,
) -> Result<Outcome<Count>, ClusterError> {
    let sweep = Sweep::new(problem).limits(limits).on(cluster).problem(fingerprint());
    sweep.journal(directory, Duration::ZERO, fingerprint()).count()
}

/// Asserts that the count is the same on one to four threads.
fn assert_same_count<P: ContourProblem<State: Serialize + DeserializeOwned>>(problem: &P) {
    assert_same!(threads, Sweep::new(problem), count);
}

#[test]
fn states_of_every_code_are_counted() {
    let board = grid(5, 6);
    assert_same_count(&hamiltonian_paths(&board));
    assert_same_count(&independent_sets(&board));
    assert_same_count(&spanning_trees(&board));
    assert_same_count(&connected_subsets(&board));
    assert_same_count(&BlackAndWhite::new(&board));
    assert_same_count(&Polyominoes::<u64>::new(9).expect("not too large").of_size(9));
}

#[test]
fn values_are_rejected_by_every_worker() {
    let polyominoes = Polyominoes::<u64>::new(12).expect("not too large");
    let by_size = CountByWeight::new(&polyominoes).up_to(12);
    let expected = Sweep::new(&polyominoes).run(&by_size);
    assert!(expected.total().is_some());
    let run = |cluster: &Cluster| {
        Sweep::new(&polyominoes).on(cluster).problem(fingerprint()).run(&by_size)
    };
    assert_same_on_threads(&expected, run);
    assert_same_on_processes(&expected, run);
}

#[test]
fn every_question_is_answered() {
    let paths = simple_paths(&grid(6, 7));
    macro_rules! check {
        ($($question:ident $(, $argument:expr)?;)*) => {$(
            assert_same!(threads, Sweep::new(&paths), $question $(, $argument)?);
        )*};
    }
    check!(
        count;
        count_natural;
        exists;
        is_unique;
        run, &Counting::<u64>::new();
        run, &(Best::maximise(length), Counting::<u128>::new());
        run, &CountByWeight::new(length);
        run, &CountByWeight::new(length).up_to(20);
    );
    let longest = Sweep::new(&paths).run(&Best::maximise(length));
    assert_same_on_processes(&longest, |cluster| {
        Sweep::new(&paths).on(cluster).problem(fingerprint()).run(&Best::maximise(length))
    });
    let modulo = Sweep::new(&paths).count_modulo(97).expect("a modulus");
    assert_same_on_threads(&modulo, |cluster| {
        Sweep::new(&paths).on(cluster).problem(fingerprint()).count_modulo(97).expect("a modulus")
    });
    assert!(Sweep::new(&paths).on(&Cluster::threads(2)).count_modulo(0).is_err());
}

/// The known numbers of Hamiltonian cycles of squares with these sides.
fn known_cycles(sides: RangeInclusive<usize>) -> impl Iterator<Item = &'static Row> {
    HAMILTONIAN_CYCLES.iter().filter(move |row| row.0 == row.1 && sides.contains(&row.0))
}

#[test]
fn boards_have_known_numbers_of_hamiltonian_cycles() {
    for (side, _, number) in known_cycles(2..=sized(8, 14)) {
        let cycles = hamiltonian_cycles(&grid(*side, *side));
        let plain = Sweep::new(&cycles).count();
        assert_eq!(plain.exact(), Some(*number));
        assert_same!(threads, Sweep::new(&cycles), count);
        assert_same!(processes, Sweep::new(&cycles), count);
    }
}

#[test]
fn boards_without_solutions_or_with_few_cells_have_the_same_answer() {
    // An odd number of cells, one cell, and two cells.
    for (rows, columns) in [(5, 5), (1, 1), (1, 2)] {
        let cycles = hamiltonian_cycles(&grid(rows, columns));
        assert_same!(threads, Sweep::new(&cycles), count);
        assert_same!(threads, Sweep::new(&cycles), exists);
    }
}

fn dice(dice: usize) -> Dice {
    Dice::new(dice, 2)
}

#[test]
fn sweeps_without_cells_or_with_too_wide_states_have_the_same_outcome() {
    assert_same!(threads, Sweep::new(&dice(0)), count);
    assert_same!(processes, Sweep::new(&dice(0)), count);
    let narrow = Dice { last_fitting_cell: 4, ..dice(10) };
    let plain = Sweep::new(&narrow).count();
    assert_eq!(plain.stop(), Stop::StateTooWide);
    assert_same!(threads, Sweep::new(&narrow), count);
    let outcome = Sweep::new(&narrow).on(&Cluster::threads(3)).count().expect("an outcome");
    let error = outcome.complete().unwrap_err();
    assert_eq!((error.cell(), error.stop()), (Some(5), Stop::StateTooWide));
}

#[test]
fn all_workers_widen_numbers_at_once() {
    let (few, many) = (dice(20), dice(60));
    assert!(Sweep::new(&few).count().exact().is_some());
    assert_same!(threads, Sweep::new(&few), count);
    assert_same!(threads, Sweep::new(&few), run, &Counting::<u32>::new());
    let overflow = Sweep::new(&many).count();
    assert_eq!(overflow.stop(), Stop::CountOverflow);
    assert_same!(threads, Sweep::new(&many), count);
    assert_same!(processes, Sweep::new(&many), count);
    let most = dice(sized(100, 300));
    assert_same!(threads, Sweep::new(&most), count_natural);
}

#[test]
fn limits_hold_for_all_workers_together() {
    let cycles = hamiltonian_cycles(&grid(8, 8));
    let plain = Sweep::new(&cycles).count();
    let most = plain.report().levels().iter().map(|level| level.nodes).max().expect("layers");
    let nodes = plain.report().nodes() - plain.report().levels().last().expect("layers").nodes;
    for limits in [
        Limits::new().states(most),
        Limits::new().states(most - 1),
        Limits::new().states(0),
        Limits::new().nodes(nodes),
        Limits::new().nodes(nodes - 1),
        Limits::new().nodes(700),
        Limits::new().depth(0),
        Limits::new().depth(33),
        Limits::new().time(Duration::ZERO),
        Limits::new().memory(1 << 30),
    ] {
        assert_same!(threads, Sweep::new(&cycles).limits(limits.clone()), count);
    }
    let cancel = Cancel::new();
    cancel.cancel();
    assert_same!(threads, Sweep::new(&cycles).limits(Limits::new().cancel(&cancel)), count);
    // Hash tables begin with one or four kilobytes per worker, so the sweep may end at another
    // cell.
    for threads in 1..=4 {
        let little = Limits::new().memory(6_000);
        let sweep = Sweep::new(&cycles).limits(little);
        let outcome = sweep.on(&Cluster::threads(threads)).count().expect("an outcome");
        assert_eq!((outcome.stop(), outcome.exact()), (Stop::MemoryLimit, None));
    }
}

#[test]
fn cancelling_one_process_stops_all() {
    let cycles = hamiltonian_cycles(&grid(15, 15));
    let stops = in_processes(3, 1, |process, cluster| {
        let cancel = Cancel::new();
        let sweep = Sweep::new(&cycles).limits(Limits::new().cancel(&cancel));
        let switch = cancel.clone();
        let sweep = sweep.progress(Duration::ZERO, move |progress| {
            if process == 1 && progress.cells_done == 60 {
                switch.cancel();
            }
        });
        let outcome = sweep.on(cluster).problem(fingerprint()).count().expect("an outcome");
        outcome.complete().expect_err("it is cancelled")
    });
    for stop in &stops {
        assert_eq!((stop.stop(), stop.cell()), (Stop::Cancelled, stops[0].cell()));
    }
}

#[test]
fn a_worker_that_waits_for_others_can_be_cancelled() {
    /// The number of steps before the expensive ones.
    const CHEAP_STEPS: u64 = 8_500;
    for cancelled in 0..2 {
        let (steps, cancel) = (AtomicU64::new(0), Cancel::new());
        // All subsets of 14 elements: one worker owns all states. Late steps are expensive.
        let sets = Stepped(Sets::of(14), |_: usize, _: u32| {
            // Relaxed suffices: the number orders no other memory.
            let steps = steps.fetch_add(1, Ordering::Relaxed);
            if steps >= CHEAP_STEPS {
                thread::sleep(Duration::from_millis(2));
            }
            // By then, the other worker, which has no states, waits for this one.
            if steps >= CHEAP_STEPS + 50 {
                cancel.cancel();
            }
            true
        });
        let sets = OneOwner(sets, true);
        let stops = in_processes(2, 1, |process, cluster| {
            let limits = match process == cancelled {
                true => Limits::new().cancel(&cancel),
                false => Limits::new(),
            };
            let sweep = Sweep::new(&sets).limits(limits).on(cluster);
            sweep.problem(fingerprint()).count().expect("an outcome").stop()
        });
        assert_eq!(stops, [Stop::Cancelled; 2]);
        // The expensive part of the layer takes 7883 steps, or a quarter of a minute at least.
        let expensive = steps.load(Ordering::Relaxed) - CHEAP_STEPS;
        assert!(expensive < 7_000, "process {cancelled}: {expensive} steps after its cancellation");
    }
}

/// Returns a hook that reduces sums of dice modulo twelve.
fn modulo_twelve() -> TestHook<'static, Dice> {
    let hook = TestHook::entering("modulo twelve", Effect::Preserving, |_, _, sum| {
        *sum %= 12;
        Verdict::Keep
    });
    TestHook { keeps_labels: false, ..hook }
}

/// Returns the indexes of the states of a layer that are not dropped.
fn left(layer: &Thinning<'_, Parentheses>) -> Vec<usize> {
    (0..layer.states().len()).filter(|&index| !layer.is_dropped(index)).collect()
}

/// Returns a hook that keeps the least states of a layer, however it is divided.
fn least(number: usize) -> TestHook<'static, Strands> {
    let hook = TestHook::thinning("the least", Effect::Lossy, move |_, _, layer| {
        let mut left = left(layer);
        left.sort_unstable_by_key(|&index| layer.states()[index]);
        left.into_iter().skip(number).for_each(|index| layer.drop(index));
    });
    TestHook { parameters: Digest::of(&number), ..hook }
}

/// Returns a hook that drops states below the mean. It needs the whole layer to compute the mean.
fn above_mean() -> TestHook<'static, Strands> {
    TestHook::thinning("above the mean", Effect::Lossy, |_, cell, layer| {
        let left = left(layer);
        let word = |&index: &usize| u128::from(layer.states()[index].word());
        let sum: u128 = left.iter().map(word).sum();
        let is_below = |index: &usize| word(index) * (left.len() as u128) < sum;
        let below: Vec<usize> = left.iter().copied().filter(is_below).collect();
        if cell.is_multiple_of(3) {
            below.into_iter().for_each(|index| layer.drop(index));
        }
    })
}

#[test]
fn hooks_keep_the_same_states_as_on_one_thread() {
    let paths = simple_paths(&grid(7, 7));
    fn check<H: SweepHooks<Strands> + Copy>(paths: &Strands, hooks: H) {
        let plain = Sweep::new(paths).hooks(hooks).run(&Best::maximise(length));
        let cutting = plain.report().hooks().iter().filter(|hook| hook.cuts() > 0).count();
        assert!(cutting >= plain.report().hooks().len().min(3), "these should cut something");
        assert_same!(threads, Sweep::new(paths).hooks(hooks), run, &Best::maximise(length));
    }
    let (best, antichain) =
        (BestState::new("best", FewerPlugs(5)), Antichain::new("antichain", FewerPlugs(4)));
    check(&paths, (&NotThree,));
    check(&paths, (&least(40),));
    check(&paths, (&above_mean(),));
    check(&paths, (&best,));
    check(&paths, (&antichain,));
    check(&paths, (&NotThree, &best, &above_mean(), &antichain, &least(30)));
    let hooks = (None::<&TestHook<'_, Strands>>, Some(&NotThree), &best, &antichain);
    assert_same!(processes, Sweep::new(&paths).hooks(hooks), exists);
    assert_same!(threads, Sweep::new(&dice(30)).hooks((modulo_twelve(),)), count);
}

#[test]
fn a_read_of_an_incumbent_in_one_process_weakens_the_reports_of_all() {
    let dice = dice(10);
    let answers = in_processes(2, 1, |process, cluster| {
        let incumbent = Incumbent::new(Direction::Maximise);
        if process == 1 {
            incumbent.offer(0);
        }
        let reads = TestHook::entering("reads", Effect::Preserving, |_: &Dice, _, &mut sum| {
            Verdict::prune_if(incumbent.get().is_some_and(|known| known > sum))
        });
        let sweep = Sweep::new(&dice).hook(reads).on(cluster);
        let outcome = sweep.problem(fingerprint()).count().expect("an outcome");
        (outcome.exact(), outcome.effect())
    });
    assert_eq!(answers, [(None, Effect::Lossy); 2]);
}

#[test]
fn hooks_without_thinning_exchange_no_layers() {
    let paths = simple_paths(&grid(6, 6));
    fn messages<H: SweepHooks<Strands>>(paths: &Strands, hooks: impl Fn() -> H) -> u64 {
        let traffic = Traffic::new();
        let run = |cluster: &Cluster| {
            let sweep = Sweep::new(paths).hooks(hooks()).on(cluster).problem(fingerprint());
            let _ = sweep.traffic(&traffic).count().expect("an answer");
            traffic.messages()
        };
        assert_eq!(run(&Cluster::threads(1)), 0);
        run(&Cluster::threads(3))
    }
    let none = messages(&paths, || ());
    let filter = messages(&paths, || (NotThree, None::<TestHook<'_, Strands>>));
    let whole = messages(&paths, || (least(1000),));
    assert!(filter <= none && whole > none, "{none} {filter} {whole}");
}

#[test]
fn rocket_mania_boards_have_the_same_best_weight() {
    let boards = include_str!("../../../crates/cli/data/rocket_mania.txt");
    for case in Mode::Single.cases(boards).expect("boards").iter().take(3) {
        let fuses = Fuses::<u64, 4>::new(case);
        let full = || Antichain::new("full dominance", Containment);
        let hooks = || (Extinguished, LonePlugs, UnlitRockets, outshone(), full());
        assert_same!(threads, Sweep::new(&fuses).hooks(hooks()), run, &Best::maximise(Rockets));
    }
}

#[test]
fn a_panic_continues_in_its_process_and_is_reported_in_others() {
    let paths = simple_paths(&grid(7, 7));
    for victim in 0..3 {
        let ends = in_processes(3, 2, |process, cluster| {
            let steps = if process == victim { 1_000 } else { u64::MAX };
            let problem = panic_after(&paths, steps);
            catch_unwind(AssertUnwindSafe(|| {
                Sweep::new(&problem).on(cluster).problem(fingerprint()).count()
            }))
        });
        for (process, end) in ends.into_iter().enumerate() {
            match end {
                Err(panic) => assert!(process == victim && panic.is::<IntendedPanic>()),
                Ok(Err(ClusterError::Panicked { worker, message })) => {
                    assert!(process != victim && worker / 2 == victim && message == "no message");
                }
                other => panic!("process {process}: {other:?}"),
            }
        }
    }
}

/// The number of states of a layer of [`faulty`].
const SOUND: u32 = 40;
/// The least state that cannot be serialized.
const UNWRITABLE: u32 = 1_000;
/// The least state that is serialized, but cannot be deserialized.
const UNREADABLE: u32 = 2_000;

/// A state of [`faulty`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fragile(u32);

impl Serialize for Fragile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            UNWRITABLE..UNREADABLE => Err(serde::ser::Error::custom("unwritable")),
            state => state.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Fragile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            UNREADABLE.. => Err(serde::de::Error::custom("unreadable")),
            state => Ok(Fragile(state)),
        }
    }
}

/// Returns a problem with one state that cannot be sent, a successor of the last one of its layer.
/// The process that creates the state stores its number.
fn faulty(
    fault: u32,
    process: usize,
    creator: &AtomicUsize,
) -> impl ContourProblem<State = Fragile> + '_ {
    Steps::new(4, Fragile(0), move |cell, state: Fragile, emit| match cell {
        0 => (0..SOUND).for_each(|state| emit(Fragile(state), ())),
        1 if state.0 == SOUND - 1 => {
            // Relaxed suffices: it is read after the processes have ended.
            creator.store(process, Ordering::Relaxed);
            emit(Fragile(fault), ());
        }
        // States remain, and so do their owners: no other batch is sent.
        _ => emit(state, ()),
    })
}

/// Returns a hook that receives whole layers, and drops no state.
fn keep_all<P: ContourProblem>(_: &P) -> TestHook<'_, P> {
    TestHook::thinning("keep all", Effect::Preserving, |_, _, _| {})
}

#[test]
fn all_processes_report_the_same_state_that_cannot_be_sent() {
    for (first, processes) in [(UNWRITABLE, 2), (UNWRITABLE, 3), (UNREADABLE, 2), (UNREADABLE, 3)] {
        let mut is_sent = Vec::new();
        for fault in first..first + 6 {
            let run = |gets_layers: bool| {
                let creator = AtomicUsize::new(usize::MAX);
                let ends = in_processes(processes, 1, |process, cluster| {
                    let problem = faulty(fault, process, &creator);
                    let hook = gets_layers.then(|| keep_all(&problem));
                    let sweep = Sweep::new(&problem).hooks((hook,)).on(cluster);
                    sweep.problem(fingerprint()).count()
                });
                (ends, creator.into_inner())
            };
            let assert_fails = |(ends, creator): (Vec<Result<Outcome<_>, _>>, usize)| {
                for end in ends {
                    match end.map(drop).expect_err("a state that cannot be sent") {
                        // The type of the state is to blame, which is the same in all processes.
                        ClusterError::Unsuitable { reason } => {
                            assert!(first == UNWRITABLE && reason.contains("Serialization"));
                        }
                        ClusterError::OtherProgram { worker, reason } => {
                            assert!(first == UNREADABLE && reason.contains("Deserialization"));
                            assert_eq!(worker, creator, "the sender");
                        }
                        error => panic!("{error}"),
                    }
                }
            };
            // Without hooks, the state is sent only if its creator does not own it.
            let (ends, creator) = run(false);
            is_sent.push(ends[0].is_err());
            if ends[0].is_err() {
                assert_fails((ends, creator));
            } else {
                let counts = ends.into_iter().map(|end| end.expect("an answer").exact());
                assert!(counts.eq(vec![Some(SOUND.into()); processes]));
            }
            // With a hook that thins layers, the owner sends the state to all others.
            assert_fails(run(true));
        }
        assert!(is_sent.contains(&true) && is_sent.contains(&false), "{is_sent:?}");
    }
}

#[test]
fn other_programs_are_refused() {
    let ends = in_processes(3, 1, |process, cluster| {
        let paths = simple_paths(&grid(4, if process == 2 { 5 } else { 4 }));
        Sweep::new(&paths).on(cluster).problem(fingerprint()).count()
    });
    for end in ends {
        let Err(error @ (ClusterError::OtherProgram { .. } | ClusterError::PeerLost { .. })) = end
        else {
            panic!("{end:?}")
        };
        let text = error.to_string();
        assert!(text.contains("cells") || text.contains("lost"), "{text}");
    }
    let ends = in_processes(2, 1, |process, cluster| {
        let paths = simple_paths(&grid(4, 4));
        let sweep = Sweep::new(&paths).hooks(((process == 0).then_some(NotThree),));
        sweep.on(cluster).problem(fingerprint()).count()
    });
    let is_refused = |end: &_| matches!(end, Err(ClusterError::OtherProgram { .. }));
    assert!(ends.iter().all(is_refused), "{ends:?}");
}

#[test]
fn other_weights_are_refused() {
    // Each process has weights of its own. Each pair of algebras differs only in its data.
    fn check<A: Algebra<Strands>>(what: &str, algebra: impl Fn(i32) -> A + Sync)
    where
        A::Value: Serialize + DeserializeOwned + Debug + Send,
    {
        let ends = in_processes(2, 1, |process, cluster| {
            let paths = simple_paths(&grid(4, 4));
            let algebra = algebra(process as i32);
            Sweep::new(&paths).on(cluster).problem(fingerprint()).run(&algebra).map(drop)
        });
        for end in ends {
            let Err(error @ ClusterError::OtherProgram { .. }) = end else { panic!("{end:?}") };
            let text = error.to_string();
            assert!(text.contains("found the question `") && text.contains(what), "{text}");
        }
    }
    let weights =
        |factor: i32| EdgeWeights::new(&grid(4, 4), move |(row, _), _| factor + row as i32);
    check("the least weight of parameters", |factor| Best::minimise(weights(factor)));
    check("the ways to the greatest weight", |factor| Optima::maximise(weights(factor)));
    check("count by weight", |factor| CountByWeight::new(weights(factor)));
    check("count modulo", |factor| Modulo::new([7 + factor as u64]).expect("a modulus"));
    let ends = in_processes(2, 1, |process, cluster| {
        let paths = simple_paths(&grid(4, 4));
        let weight = move |_: usize, piece: PathPiece| process as i64 * piece.length();
        let sweep = Sweep::new(&paths).on(cluster).problem(fingerprint());
        sweep.run(&Best::minimise(weight)).map(drop)
    });
    for end in ends {
        let Err(error @ ClusterError::Unstated { .. }) = end else { panic!("{end:?}") };
        assert!(
            error.to_string().starts_with("the question `the least weight` has data"),
            "{error}"
        );
    }
    // A cluster of one process need not identify its question.
    let paths = simple_paths(&grid(4, 4));
    let factor = 2;
    let weight = move |_: usize, piece: PathPiece| factor * piece.length();
    let best = Sweep::new(&paths).on(&Cluster::threads(2)).run(&Best::minimise(weight));
    assert_eq!(best.expect("an answer").total(), Some(&12));
}

#[test]
fn journals_of_other_weights_are_refused() {
    let directory = Directory::new();
    let paths = simple_paths(&grid(4, 4));
    let run = |factor: i32| {
        let weights = EdgeWeights::new(&grid(4, 4), |(row, _), _| factor * row as i32);
        let cluster = Cluster::threads(2);
        let sweep = Sweep::new(&paths).on(&cluster);
        let sweep = sweep.journal(&directory.0, Duration::ZERO, fingerprint());
        sweep.run(&Best::maximise(weights)).map(|outcome| outcome.total().copied())
    };
    let best = run(1).expect("a new journal");
    assert_eq!(run(1).expect("its own journal"), best);
    let error = run(2).expect_err("other weights").to_string();
    assert!(error.contains("belongs to another question: found `the greatest weight"), "{error}");
}

/// The number of states in the largest layer of [`fan`].
const FAN: u32 = 4096;

/// Returns a problem whose numbers are widened while its layer is large: a count that is doubled in
/// 60 cells, then copied to [`FAN`] states, then summed up. All states may belong to one worker.
fn fan(one_owner: bool) -> OneOwner<impl ContourProblem<State = Tallied>> {
    let steps = Steps::new(62, Tallied(0), |cell, _, emit| match cell {
        0..60 => (0..2).for_each(|_| emit(Tallied(0), ())),
        60 => (0..FAN).for_each(|state| emit(Tallied(state), ())),
        _ => emit(Tallied(0), ()),
    });
    OneOwner(steps, one_owner)
}

/// A state of [`fan`] whose deserializations are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Tallied(u32);

/// The number of states of [`fan`] that were deserialized. Relaxed suffices, because the workers
/// have ended before it is read.
static DESERIALIZED: AtomicU64 = AtomicU64::new(0);
/// Makes tests of [`fan`] run one at a time: it protects [`DESERIALIZED`].
static ALONE: Mutex<()> = Mutex::new(());

impl Serialize for Tallied {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Tallied {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        DESERIALIZED.fetch_add(1, Ordering::Relaxed);
        u32::deserialize(deserializer).map(Tallied)
    }
}

#[test]
fn a_memory_limit_holds_for_all_workers_while_they_widen() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // The layer takes 16 bytes for each state, and 32 more with numbers of two words.
    let layer = 16 * u64::from(FAN);
    for (one_owner, limit) in [(false, layer * 5 / 2), (true, layer * 24 / 5)] {
        let fan = fan(one_owner);
        let count = |limit| {
            in_processes(2, 1, |_, cluster| {
                let sweep = Sweep::new(&fan).limits(Limits::new().memory(limit));
                sweep.on(cluster).problem(fingerprint()).count_natural().expect("an answer")
            })
        };
        let outcomes = count(limit);
        for outcome in outcomes.clone() {
            assert_eq!(outcome.report(), outcomes[0].report());
            let peak = outcome.report().peak_bytes().expect("a sweep");
            assert!((layer..=limit).contains(&peak), "{peak} bytes under a limit of {limit}");
            let error = outcome.complete().expect_err("too little memory");
            assert_eq!(error.stop(), Stop::MemoryLimit);
            assert_eq!((error.cell(), error.states()), (Some(61), Some(FAN.into())), "{error}");
        }
        for outcome in count(12 * layer) {
            let total = outcome.total().map(ToString::to_string);
            assert_eq!(total, Some((4096_u128 << 60).to_string()));
        }
    }
}

#[test]
fn a_layer_beyond_the_memory_limit_is_not_loaded() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let fan = fan(false);
    let directory = Directory::new();
    let count = |limits: Limits, workers: usize| {
        let cluster = Cluster::threads(workers);
        let sweep = Sweep::new(&fan).limits(limits).on(&cluster);
        let sweep = sweep.journal(&directory.0, Duration::from_secs(1000), fingerprint());
        sweep.count_natural().expect("an answer")
    };
    assert_eq!(count(Limits::new().depth(61), 2).stop(), Stop::DepthLimit);
    let before = file_names(&directory.0);
    for workers in 1..=4 {
        DESERIALIZED.store(0, Ordering::Relaxed);
        let outcome = count(Limits::new().memory(16 << 10), workers);
        let read = DESERIALIZED.load(Ordering::Relaxed);
        // A state takes 16 bytes. If there are more workers than files, they send each other
        // batches of states, which are deserialized as well.
        let most = if workers <= 2 { (16 << 10) / 16 + 2 } else { u64::MAX };
        assert!(read <= most, "{workers} workers have read {read} states");
        let error = outcome.complete().expect_err("too little memory");
        assert_eq!(error.stop(), Stop::MemoryLimit);
        assert_eq!((error.cell(), error.states()), (Some(61), Some(FAN.into())), "{error}");
        assert_eq!(file_names(&directory.0), before, "{workers} workers");
    }
    let outcome = count(Limits::new().memory(1 << 20), 3);
    assert_eq!(outcome.total().map(ToString::to_string), Some((4096_u128 << 60).to_string()));
}

fn file_names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    names
}

/// Sweeps some cells at a time, alternately with each number of threads, and asserts that the
/// outcome is the expected one.
fn assert_same_in_instalments<T: PartialEq + Debug + Clone>(
    expected: &Outcome<T>,
    cells: usize,
    run: impl Fn(Limits, &Cluster, &Path) -> Result<Outcome<T>, ClusterError>,
) {
    let directory = Directory::new();
    let (mut depth, mut turn) = (0, 0);
    let outcome = loop {
        let cluster = Cluster::threads(1 + [2, 0, 3, 1][turn % 4]);
        let outcome = run(Limits::new().depth(depth), &cluster, &directory.0).expect("an outcome");
        if outcome.stop() != Stop::DepthLimit {
            break outcome;
        }
        assert_eq!(outcome.report().levels().len(), depth + 1);
        // The directory contains the parts of the last layer and nothing else.
        let names = file_names(&directory.0);
        assert_eq!(names.len(), cluster.workers(), "{names:?}");
        depth += cells;
        turn += 1;
    };
    assert_eq!(stats(&outcome), stats(expected));
    let before = file_names(&directory.0);
    let again = run(Limits::new(), &Cluster::threads(2), &directory.0).expect("an answer");
    assert_eq!(stats(&again), stats(expected));
    assert_eq!(file_names(&directory.0), before, "the journal has the answer already");
}

fn fingerprint() -> Fingerprint {
    Fingerprint::new("a board", &())
}

#[test]
fn a_sweep_resumes_from_its_journal() {
    let paths = simple_paths(&grid(6, 7));
    assert_same_in_instalments(&Sweep::new(&paths).count(), 9, |limits, cluster, directory| {
        count_in_journal(&paths, limits, cluster, directory)
    });
    let hooks = || (NotThree, Antichain::new("antichain", FewerPlugs(4)));
    let expected = Sweep::new(&paths).hooks(hooks()).exists();
    assert_same_in_instalments(&expected, 5, |limits, cluster, directory| {
        let sweep = Sweep::new(&paths).hooks(hooks()).limits(limits).on(cluster);
        sweep.journal(directory, Duration::from_secs(1000), fingerprint()).exists()
    });
    // Numbers of one word, then of two, then of more.
    let many = dice(120);
    let expected = Sweep::new(&many).count_natural();
    assert_same_in_instalments(&expected, 13, |limits, cluster, directory| {
        let sweep = Sweep::new(&many).limits(limits).on(cluster);
        sweep.journal(directory, Duration::ZERO, fingerprint()).count_natural()
    });
}

#[test]
fn processes_share_a_journal() {
    let paths = simple_paths(&grid(7, 7));
    let plain = Sweep::new(&paths).count();
    let directory = Directory::new();
    for (count, threads, limits) in [
        (2, 1, Limits::new().depth(20)),
        (3, 1, Limits::new().depth(30)),
        (1, 2, Limits::new().depth(40)),
        (2, 2, Limits::new()),
    ] {
        let outcomes = in_processes(count, threads, |_, cluster| {
            count_in_journal(&paths, limits.clone(), cluster, &directory.0).expect("an outcome")
        });
        for outcome in outcomes {
            match outcome.stop() {
                Stop::DepthLimit => assert_eq!(outcome.exact(), None),
                _ => assert_eq!(stats(&outcome), stats(&plain)),
            }
        }
    }
}

#[test]
fn damaged_parts_are_not_used() {
    let paths = simple_paths(&grid(6, 6));
    let plain = Sweep::new(&paths).count();
    let run = |limits: Limits, threads: usize, directory: &Path| {
        count_in_journal(&paths, limits, &Cluster::threads(threads), directory).expect("an outcome")
    };
    let stop_at = |depth: usize, directory: &Path| {
        let outcome = run(Limits::new().depth(depth), 2, directory);
        assert_eq!(outcome.stop(), Stop::DepthLimit);
    };
    for damage in 0..4 {
        let (older, directory) = (Directory::new(), Directory::new());
        stop_at(11, &older.0);
        stop_at(20, &directory.0);
        for name in file_names(&older.0) {
            fs::copy(older.0.join(&name), directory.0.join(&name)).expect("a copy");
        }
        let damaged = part(&directory, "layer-20-", "-part-1-of-2");
        let mut bytes = fs::read(&damaged).expect("a part");
        let middle = bytes.len() / 2;
        match damage {
            0 => bytes.truncate(middle),
            1 => bytes[middle] ^= 4,
            2 => bytes.clear(),
            _ => bytes.push(0),
        }
        fs::write(&damaged, bytes).expect("damage");
        // The sweep continues from the older layer.
        let levels = |threads, directory: &Directory| {
            run(Limits::new().depth(0), threads, &directory.0).report().levels().len()
        };
        assert_eq!(levels(3, &directory), 12);
        assert_eq!(stats(&run(Limits::new(), 3, &directory.0)), stats(&plain));
        // No complete layer is left, so the sweep begins anew.
        let single = Directory::new();
        stop_at(20, &single.0);
        fs::write(part(&single, "layer-20-", "-part-0-of-2"), b"torn").expect("damage");
        assert_eq!(levels(2, &single), 1);
        assert_eq!(stats(&run(Limits::new(), 1, &single.0)), stats(&plain));
    }
}

/// Returns the path of the only file whose name has this beginning and end.
fn part(directory: &Directory, begin: &str, end: &str) -> PathBuf {
    let mut names = file_names(&directory.0);
    names.retain(|name| name.starts_with(begin) && name.ends_with(end));
    assert_eq!(names.len(), 1, "{names:?}");
    directory.0.join(&names[0])
}

#[test]
fn journals_of_other_sweeps_are_refused() {
    let paths = simple_paths(&grid(6, 6));
    let directory = Directory::new();
    let sweep = |threads: usize, name: &str| {
        let cluster = Cluster::threads(threads);
        let sweep = Sweep::new(&paths).limits(Limits::new().depth(9)).on(&cluster);
        sweep.journal(&directory.0, Duration::ZERO, Fingerprint::new(name, &())).count()
    };
    assert_eq!(sweep(2, "one").expect("an outcome").stop(), Stop::DepthLimit);
    let before = file_names(&directory.0);
    for threads in 1..=3 {
        assert!(matches!(sweep(threads, "another"), Err(ClusterError::Journal { .. })));
    }
    let cluster = Cluster::threads(2);
    let exists = Sweep::new(&paths).on(&cluster).journal(
        &directory.0,
        Duration::ZERO,
        Fingerprint::new("one", &()),
    );
    assert!(matches!(exists.exists(), Err(ClusterError::Journal { .. })));
    assert_eq!(file_names(&directory.0), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The sweep panics at any step, repeatedly, each time with another number of workers.
    #[test]
    fn a_count_is_exact_however_often_the_run_panics(
        panics in proptest::collection::vec((1..3_000_u64, 1..=4_usize), 0..6),
        last in 1..=4_usize,
    ) {
        let paths = simple_paths(&grid(6, 6));
        let plain = Sweep::new(&paths).count();
        let directory = Directory::new();
        for (steps, threads) in panics.into_iter().chain([(u64::MAX, last)]) {
            let problem = panic_after(&paths, steps);
            let count = || {
                let cluster = Cluster::threads(threads);
                count_in_journal(&problem, Limits::new(), &cluster, &directory.0)
            };
            let end = catch_unwind(AssertUnwindSafe(count));
            prop_assert!(end.is_ok() || steps < u64::MAX);
            if let Ok(outcome) = end {
                prop_assert_eq!(stats(&outcome.expect("an answer")), stats(&plain));
            }
        }
    }
}
