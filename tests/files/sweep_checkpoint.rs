//! Sweeps that are saved while they run, interrupted at any moment and resumed.

use std::fmt::Debug;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use secateurs::checkpoint::{Fingerprint, LoadError, SaveError};
use secateurs::plug::algebra::{
    Algebra, Best, BestK, CountByWeight, Counting, Limbs, Modulo, Natural, Optima, Overflow,
};
use secateurs::plug::motzkin::PathPiece;
use secateurs::plug::{
    Antichain, BestState, ContourProblem, Saved, Sweep, SweepCheckpoint, SweepHook, SweepHooks,
};
use secateurs::{
    Cancel, Direction, Effect, Incumbent, Limits, Outcome, Report, Search, Stop, Total, Verdict,
};
use secateurs_problems::catalogue::{
    EdgeWeights, Grid, Polyominoes, Strands, connected_subsets, hamiltonian_cycles,
    hamiltonian_paths, independent_sets, simple_paths, spanning_trees,
};

use crate::shared::saved::{begun_or_resumed, file_at_the_end, search_file, sweep_file, variant};
use crate::shared::sweeps::{FewerPlugs, IntendedPanic, NotThree, panic_after};
use crate::support::problems::cycles;
use crate::support::scratch::Directory;
use crate::support::sizes::sized;

/// Begins a checkpoint, or resumes from it if the file exists.
fn begin<'p, 'c, P: ContourProblem, H: SweepHooks<P>>(
    sweep: Sweep<'p, P, H>,
    checkpoint: &'c mut SweepCheckpoint,
) -> Sweep<'p, P, H, Saved<'c>>
where
    P::State: serde::Serialize + serde::de::DeserializeOwned,
{
    begun_or_resumed!(sweep, checkpoint).expect("a file that was written as a whole")
}

/// Returns the statistics that do not depend on interruptions.
fn stats(report: &Report) -> impl PartialEq + Debug + use<> {
    (report.stop(), report.effect(), report.levels().to_vec(), report.hooks().to_vec())
}

/// Sweeps `cells` cells at a time, alternately with one thread and with two, until it is complete.
/// Asserts that the outcome is `expected`.
fn in_instalments<T: PartialEq + Debug>(
    expected: &Outcome<T>,
    cells: usize,
    run: impl Fn(Limits, usize, &mut SweepCheckpoint) -> Outcome<T>,
) {
    let directory = Directory::new();
    let mut depth = 0;
    let outcome = loop {
        let outcome =
            run(Limits::new().depth(depth), 1 + depth % 2, &mut sweep_file(directory.file()));
        if outcome.stop() != Stop::DepthLimit {
            break outcome;
        }
        assert_eq!(outcome.report().levels().len(), depth + 1);
        depth += cells;
    };
    assert_eq!(outcome.value(), expected.value());
    assert_eq!(stats(outcome.report()), stats(expected.report()));
    // Resumes a complete sweep from its file.
    let mut file = sweep_file(directory.file());
    let again = run(Limits::new(), 1, &mut file);
    assert_eq!(again.value(), expected.value());
    assert_eq!(stats(again.report()), stats(expected.report()));
    assert_eq!(file.saves(), 0, "it is there already");
}

#[test]
fn every_question_is_answered_in_instalments() {
    let grid = Grid::new(6, 7).expect("a board");
    let paths = simple_paths(&grid);
    macro_rules! check {
        ($($question:ident $(, $algebra:expr)?;)*) => {$(
            let expected = Sweep::new(&paths).$question($(&$algebra)?);
            in_instalments(&expected, 9, |limits, threads, file| {
                let sweep = begin(Sweep::new(&paths).limits(limits).threads(threads), file);
                sweep.$question($(&$algebra)?).expect("its own file")
            });
        )*};
    }
    let length = |_: usize, piece| i64::from(piece != secateurs::plug::motzkin::PathPiece::NONE);
    check!(
        count;
        count_natural;
        exists;
        run, Counting::<u64>::new();
        run, Counting::<Limbs<3>>::new();
        run, Counting::<Natural>::new();
        run, Modulo::new([7, 100]).expect("numbers");
        run, Best::minimise(length);
        run, Optima::maximise(length);
        run, Optima::maximise(length).counted_by(Modulo::new([7, 100]).expect("numbers"));
        run, BestK::maximise(5, length);
        run, (Best::maximise(length), Counting::<u128>::new());
        run, CountByWeight::new(length);
        run, CountByWeight::new(length).up_to(20);
    );
    let ends = |outcome: Outcome<Vec<_>>| {
        let (mut ends, report) = outcome.into_parts();
        ends.sort_unstable_by_key(|&(state, _)| state);
        (ends, stats(&report))
    };
    let (directory, count) = (Directory::new(), Counting::<u64>::new());
    let stopped = begin(
        Sweep::new(&paths).limits(Limits::new().depth(20)),
        &mut sweep_file(directory.file()),
    )
    .ends(&count);
    assert!(stopped.expect("its own file").value().is_empty());
    let resumed = begin(Sweep::new(&paths), &mut sweep_file(directory.file()))
        .ends(&count)
        .expect("its own file");
    assert_eq!(ends(resumed), ends(Sweep::new(&paths).ends(&count)));
}

/// Counts in instalments of `cells` cells, with hash tables.
fn count_hashed<P: ContourProblem>(problem: &P, cells: usize)
where
    P::State: serde::Serialize + serde::de::DeserializeOwned,
{
    in_instalments(&Sweep::new(problem).count_natural(), cells, |limits, threads, file| {
        begin(Sweep::new(problem).limits(limits).threads(threads), file)
            .count_natural()
            .expect("its own file")
    });
}

#[test]
fn states_of_every_code_are_saved() {
    let grid = Grid::new(5, 6).expect("a board");
    count_hashed(&hamiltonian_paths(&grid), 4);
    count_hashed(&independent_sets(&grid), 4);
    count_hashed(&spanning_trees(&grid), 4);
    count_hashed(&connected_subsets(&grid), 4);
    count_hashed(&secateurs_problems::catalogue::BlackAndWhite::new(&grid), 7);
    count_hashed(&Polyominoes::<u64>::new(9).expect("few").of_size(9), 20);
}

#[test]
fn a_resumed_count_keeps_its_width() {
    // Tiny boards, and counts that outgrow 64, 128, 256 and 512 bits.
    for (rows, columns) in [(1, 1), (1, 9), (2, 400), (3, 500)] {
        count_hashed(&independent_sets(&Grid::new(rows, columns).expect("a board")), 97);
    }
}

#[test]
fn several_threads_save_large_layers() {
    let cycles = hamiltonian_cycles(&Grid::new(10, 12).expect("a board"));
    in_instalments(&Sweep::new(&cycles).threads(2).count(), 40, |limits, threads, file| {
        begin(Sweep::new(&cycles).limits(limits).threads(3 * threads), file)
            .count()
            .expect("its own file")
    });
}

#[test]
fn hooks_and_their_cuts_are_saved() {
    let paths = simple_paths(&Grid::new(7, 7).expect("a board"));
    let hooks = || (NotThree, Antichain::new("fewer plugs", FewerPlugs(4)));
    let expected = Sweep::new(&paths).hooks(hooks()).exists();
    assert!(
        expected.report().hooks().iter().all(|hook| hook.cuts() > 0),
        "these should cut something"
    );
    in_instalments(&expected, 6, |limits, threads, file| {
        begin(Sweep::new(&paths).hooks(hooks()).limits(limits).threads(threads), file)
            .exists()
            .expect("its own file")
    });
}

#[test]
fn dense_sweeps_are_answered_in_instalments() {
    for grid in ["....\n....\n.*..\n....\n", ".........\n.........\n.........\n", ".\n"] {
        let grid: Grid = grid.parse().expect("a board");
        for paths in [hamiltonian_cycles(&grid), hamiltonian_paths(&grid), simple_paths(&grid)] {
            ask_dense(&paths, 5);
        }
    }
    // The numbers grow to more than one limb, then to more than two.
    let grid = Grid::new(60, 4).expect("a board");
    ask_dense(&simple_paths(&grid), 70);
}

/// Asks each question of a dense sweep in instalments of `cells` cells.
fn ask_dense(paths: &Strands, cells: usize) {
    macro_rules! check {
        ($($question:ident $(, $algebra:expr)?;)*) => {$(
            let expected = Sweep::new(paths).dense().$question($(&$algebra)?);
            in_instalments(&expected, cells, |limits, threads, file| {
                let sweep = Sweep::new(paths).limits(limits).threads(threads).dense();
                let sweep = begun_or_resumed!(sweep, file).expect("a file");
                sweep.$question($(&$algebra)?).expect("its own file")
            });
        )*};
    }
    check!(
        count;
        count_natural;
        count_moduli, Modulo::new([97, u64::MAX]).expect("numbers");
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_count_is_exact_however_often_the_run_panics(
        rows in 1..6usize,
        columns in 1..6usize,
        more in 1..500u64,
        threads in 1..4usize,
    ) {
        let sets = independent_sets(&Grid::new(rows, columns).unwrap());
        let expected = Sweep::new(&sets).count();
        // Enough steps for the largest layer, or the sweep makes no progress.
        let steps =
            more + expected.report().levels().iter().map(|level| level.nodes).max().unwrap_or(0);
        let directory = Directory::new();
        let outcome = loop {
            let problem = panic_after(&sets, steps);
            let mut file = sweep_file(directory.file());
            let sweep = begin(Sweep::new(&problem).threads(threads), &mut file);
            match catch_unwind(AssertUnwindSafe(|| sweep.count())) {
                Ok(outcome) => break outcome.expect("its own file"),
                Err(payload) if payload.is::<IntendedPanic>() => {}
                Err(payload) => resume_unwind(payload),
            }
        };
        prop_assert_eq!(outcome.value(), expected.value());
        prop_assert_eq!(stats(outcome.report()), stats(expected.report()));
    }
}

#[test]
fn a_sweep_is_saved_after_each_cell_but_not_more_often_than_requested() {
    let (cycles, directory) = (cycles(6, 6), Directory::new());
    let mut file = sweep_file(directory.file());
    let outcome = begin(Sweep::new(&cycles), &mut file).count().expect("a new file");
    assert_eq!((outcome.exact(), file.saves()), (Some(1072), 36));
    assert_eq!((file.error().map(ToString::to_string), outcome.report().unsaved()), (None, None));

    let mut file = file_at_the_end(directory.file().with_extension("other"));
    let _ = begin(Sweep::new(&cycles), &mut file).count().expect("a new file");
    assert_eq!(file.saves(), 1, "when it ends");
}

#[test]
fn a_sweep_that_stops_early_leaves_its_last_layer_in_the_file() {
    let cycles = cycles(6, 6);
    let whole = Sweep::new(&cycles).count();
    let cancel = Cancel::new();
    let limits = [
        (Limits::new().states(40), Stop::StateLimit),
        (Limits::new().nodes(100), Stop::NodeLimit),
        (Limits::new().time(Duration::ZERO), Stop::TimeLimit),
        (Limits::new().cancel(&cancel), Stop::Cancelled),
    ];
    for (limits, stop) in limits {
        let directory = Directory::new();
        let mut file = file_at_the_end(directory.file());
        let sweep = Sweep::new(&cycles).limits(limits).progress(Duration::ZERO, |progress| {
            if progress.cells_done == 11 {
                cancel.cancel();
            }
        });
        let stopped = begin(sweep, &mut file).count().expect("a new file");
        assert_eq!((stopped.stop(), stopped.exact(), file.saves()), (stop, None, 1));
        let done = stopped.report().levels().len();
        let first_done = AtomicUsize::new(usize::MAX);
        let sweep = Sweep::new(&cycles).progress(Duration::ZERO, |progress| {
            // Relaxed suffices: the sweep ends before the number is read.
            first_done.fetch_min(progress.cells_done, Ordering::Relaxed);
        });
        let outcome =
            begin(sweep, &mut sweep_file(directory.file())).count().expect("its own file");
        assert_eq!(outcome.value(), whole.value());
        assert_eq!(stats(outcome.report()), stats(whole.report()));
        assert_eq!(first_done.into_inner(), done, "where it was");
    }
}

#[test]
fn a_file_of_another_sweep_is_refused() {
    let (cycles, directory) = (cycles(6, 6), Directory::new());
    let path = directory.file();
    let _ =
        begin(Sweep::new(&cycles).limits(Limits::new().depth(20)), &mut sweep_file(&path)).count();

    let sweep = || Sweep::new(&cycles);
    let refused =
        |what: &str, kind: &str, run: &dyn Fn(&mut SweepCheckpoint) -> Result<(), LoadError>| {
            let error = run(&mut sweep_file(&path)).expect_err(what);
            assert_eq!(variant(error.reason()), kind, "{what}: {error}");
            error
        };
    let error =
        refused("existence", "OtherQuestion", &|file| begin(sweep(), file).exists().map(drop));
    let expected =
        "belongs to another question: found `count up to 128 bits`, expected `existence`";
    assert_eq!(error.to_string(), format!("{}: {expected}", path.display()));
    refused("another algebra", "OtherQuestion", &|file| {
        begin(sweep(), file).run(&Counting::<u64>::new()).map(drop)
    });
    refused("dense", "OtherQuestion", &|file| sweep().dense().resume(file)?.count().map(drop));
    refused("other hooks", "OtherFingerprint", &|file| {
        sweep().hooks((NotThree,)).resume(file).map(drop)
    });
    refused("another board", "OtherFingerprint", &|_| {
        let other = Fingerprint::new("another board", &());
        sweep().resume(&mut SweepCheckpoint::new(&path, Duration::ZERO, other)).map(drop)
    });
    // A problem with another number of cells, under the same fingerprint.
    let larger = hamiltonian_cycles(&Grid::new(6, 8).expect("a board"));
    refused("other cells", "Inconsistent", &|file| {
        begin(Sweep::new(&larger), file).count().map(drop)
    });
    refused("no file", "Io", &|_| {
        sweep().resume(&mut sweep_file(path.with_extension("none"))).map(drop)
    });
    let tree = secateurs_problems::queens::Queens::new(5).expect("a size").bits();
    let search = |_: &mut _| Search::new(&tree).resume(&mut search_file(&path)).map(drop);
    let error = refused("no search", "OtherKind", &search);
    let expected = "holds a layer of a sweep, expected a frontier of a search";
    assert_eq!(error.reason().to_string(), expected);
    // A hook that is switched off is absent from the fingerprint.
    assert!(sweep().hooks((None::<NotThree>,)).resume(&mut sweep_file(&path)).is_ok());
    // None of these attempts has changed the file.
    let count = begin(sweep(), &mut sweep_file(&path)).count().expect("its own file");
    assert_eq!(count.exact(), Some(1072));
}

#[test]
fn a_file_with_another_limit_of_weights_is_refused() {
    let (cycles, limited) = (cycles(6, 6), Directory::new());
    let up_to = |limit| {
        let sweep = Sweep::new(&cycles).limits(Limits::new().depth(20));
        let counts = CountByWeight::new(|_: usize, _| 1).up_to(limit);
        begin(sweep, &mut sweep_file(limited.file())).run(&counts)
    };
    assert!(up_to(30).is_ok() && up_to(30).is_ok());
    let error = up_to(31).expect_err("another limit");
    for limit in ["found `count by weight below 31 ", "expected `count by weight below 32 "] {
        assert!(error.to_string().contains(limit), "{error}");
    }
}

/// Saves a sweep under one algebra after 20 cells, and returns the reason why it is not resumed
/// under another, if there is one.
fn refusal<A>(saved: &A, resumed: &A) -> Option<String>
where
    A: Algebra<Strands, Value: serde::Serialize + serde::de::DeserializeOwned>,
{
    let (cycles, directory) = (cycles(6, 6), Directory::new());
    let path = directory.file();
    let sweep = Sweep::new(&cycles).limits(Limits::new().depth(20));
    let _ = begin(sweep, &mut sweep_file(&path)).run(saved).expect("a new file");
    let resumed = begin(Sweep::new(&cycles), &mut sweep_file(&path)).run(resumed);
    resumed.err().map(|error| error.reason().to_string())
}

#[test]
fn weights_are_part_of_the_question() {
    let grid = Grid::new(6, 6).expect("a board");
    let edges = |factor: i32| EdgeWeights::new(&grid, |(row, _), _| factor * row as i32);
    let (one, two) = (edges(1), edges(2));
    let captured = |factor: i64| {
        let weight = move |cell: usize, _: PathPiece| factor * cell as i64;
        Best::maximise(weight).parameters(&factor)
    };
    let refusals = [
        (refusal(&Best::maximise(&one), &Best::maximise(&one)), None),
        (refusal(&Best::maximise(&one), &Best::maximise(&two)), Some("the greatest weight")),
        (refusal(&Optima::minimise(&one), &Optima::minimise(&two)), Some("the ways to the least")),
        (refusal(&BestK::minimise(3, &one), &BestK::minimise(3, &two)), Some("the 3 least")),
        (refusal(&CountByWeight::new(&one), &CountByWeight::new(&two)), Some("count by weight")),
        (
            refusal(
                &(Counting::<u64>::new(), Best::maximise(&one)),
                &(Counting::<u64>::new(), Best::maximise(&two)),
            ),
            Some("(count in u64, the greatest weight)"),
        ),
        (refusal(&captured(1), &captured(1)), None),
        (refusal(&captured(1), &captured(2)), Some("the greatest weight")),
        (
            refusal(&Modulo::new([7]).expect("a modulus"), &Modulo::new([8]).expect("a modulus")),
            Some("count modulo [7]"),
        ),
    ];
    for (refused, expected) in refusals {
        match (&refused, expected) {
            (None, None) => {}
            (Some(reason), Some(name)) => {
                let beginning = format!("belongs to another question: found `{name}");
                assert!(reason.starts_with(&beginning), "{reason}");
            }
            _ => panic!("{refused:?}, expected {expected:?}"),
        }
    }
}

#[test]
fn a_question_with_unstated_data_is_not_saved() {
    let (cycles, directory, factor) = (cycles(4, 4), Directory::new(), 3);
    let weight = move |cell: usize, _: PathPiece| factor * cell as i64;
    let expected = "the question `the least weight` has data, such as a captured value or a \
                    function pointer, and has not stated its parameters: set its `parameters`";
    let mut file = sweep_file(directory.file());
    let error = begin(Sweep::new(&cycles), &mut file).run(&Best::minimise(weight));
    let error = error.expect_err("unstated");
    assert!(matches!(error.reason(), LoadError::Unstated { .. }), "{error}");
    assert_eq!(error.reason().to_string(), expected);
    // An algebra of the caller with data of its own.
    #[derive(Debug)]
    struct Multiplied(u64);
    impl<P: ContourProblem> Algebra<P> for Multiplied {
        type Value = u64;
        fn one(&self) -> u64 {
            self.0
        }
        fn extend(&self, value: &u64, _: usize, _: P::Label) -> Result<u64, Overflow> {
            Ok(*value)
        }
        fn merge(&self, into: &mut u64, value: u64) -> Result<(), Overflow> {
            *into += value;
            Ok(())
        }
    }
    let error = begin(Sweep::new(&cycles), &mut file).ends(&Multiplied(2)).expect_err("unstated");
    assert!(error.to_string().contains("Multiplied` has data"), "{error}");
    assert_eq!(Sweep::new(&cycles).run(&Multiplied(2)).total(), Some(&12));
}

#[test]
fn a_sweep_that_begins_overwrites_no_file() {
    let (cycles, directory) = (cycles(6, 6), Directory::new());
    fs::write(directory.file(), "precious").expect("written");
    let error = Sweep::new(&cycles)
        .checkpoint(&mut sweep_file(directory.file()))
        .expect_err("there is something");
    assert!(matches!(error.reason(), SaveError::Exists), "{error}");
    let error =
        Sweep::new(&cycles).resume(&mut sweep_file(directory.file())).expect_err("no sweep");
    assert!(matches!(error.reason(), LoadError::NotOurs), "{error}");
    assert_eq!(fs::read(directory.file()).expect("read"), b"precious");
}

#[test]
fn a_sweep_that_cannot_be_saved_continues_and_reports_it() {
    let (cycles, directory) = (cycles(6, 6), Directory::new());
    let errors = std::sync::Arc::new(AtomicU64::new(0));
    let counter = std::sync::Arc::clone(&errors);
    let mut file = sweep_file(directory.file()).on_error(move |_| {
        // Relaxed suffices: the sweep ends before the counter is read.
        counter.fetch_add(1, Ordering::Relaxed);
    });
    let sweep = Sweep::new(&cycles).checkpoint(&mut file).expect("a place");
    drop(directory);
    let outcome = sweep.count().expect("it begins");
    assert_eq!(outcome.exact(), Some(1072));
    assert!(outcome.report().unsaved().is_some_and(|reason| reason.contains("cannot be saved")));
    assert!(outcome.report().to_string().contains("cannot be saved"));
    assert_eq!((errors.load(Ordering::Relaxed), file.saves()), (36, 0));
    assert!(file.error().is_some());
}

#[test]
fn a_sweep_resumed_after_an_overflow_overflows_again() {
    let sets = independent_sets(&Grid::new(6, 60).expect("a board"));
    let directory = Directory::new();
    let stopped: Outcome<Total<u64>> = begin(Sweep::new(&sets), &mut sweep_file(directory.file()))
        .run(&Counting::new())
        .expect("a new file");
    assert_eq!(stopped.stop(), Stop::CountOverflow);
    let again =
        begin(Sweep::new(&sets), &mut sweep_file(directory.file())).run(&Counting::<u64>::new());
    assert_eq!(again.expect("its own file").stop(), Stop::CountOverflow);
}

#[test]
fn cuts_of_one_hook_are_not_attributed_to_another() {
    let (cycles, directory) = (cycles(6, 6), Directory::new());
    let path = directory.file();
    let hooks = (None::<NotThree>, Some(NotThree));
    let sweep = Sweep::new(&cycles).hooks(hooks).limits(Limits::new().depth(20));
    assert_eq!(
        begin(sweep, &mut sweep_file(&path)).count().expect("a new file").stop(),
        Stop::DepthLimit
    );
    // The fingerprint is the same, but the hook is at another position of the tuple.
    let error = begin(
        Sweep::new(&cycles).hooks((Some(NotThree), None::<NotThree>)),
        &mut sweep_file(&path),
    )
    .count()
    .expect_err("another hook");
    assert!(matches!(error.reason(), LoadError::Inconsistent { .. }), "{error}");
}

#[test]
fn hooks_that_drop_other_states_by_one_relation_are_not_mistaken_for_each_other() {
    let (cycles, directory) = (cycles(6, 6), Directory::new());
    let path = directory.file();
    let limits = Limits::new().depth(20);
    let sweep = Sweep::new(&cycles).limits(limits).hook(Antichain::new("plugs", FewerPlugs(2)));
    drop(sweep.checkpoint(&mut sweep_file(&path)).expect("a new file").count());
    let other = Sweep::new(&cycles).hook(BestState::new("plugs", FewerPlugs(2)));
    let error = other.resume(&mut sweep_file(&path)).map(drop).expect_err("another hook");
    assert!(matches!(error.reason(), LoadError::OtherFingerprint { .. }), "{error}");
}

/// A hook that reads an incumbent in the first cells.
struct ReadsEarly(Incumbent<u32>);

impl<P: ContourProblem> SweepHook<P> for ReadsEarly {
    fn name(&self) -> &str {
        "reads early"
    }
    fn parameters(&self) -> Option<secateurs::Digest> {
        Some(secateurs::Digest::NONE)
    }
    fn enter(&self, _: &P, cell: usize, _: &mut P::State) -> Verdict {
        Verdict::prune_if(cell < 10 && self.0.get().is_some_and(|known| known == 1))
    }
}

#[test]
fn a_resumed_sweep_remembers_that_an_incumbent_was_read() {
    let (cycles, directory) = (cycles(6, 6), Directory::new());
    let path = directory.file();
    let incumbent = Incumbent::new(Direction::Maximise);
    incumbent.offer(0);
    let sweep = || Sweep::new(&cycles).hook(ReadsEarly(incumbent.clone()));
    let half = begin(sweep().limits(Limits::new().depth(20)), &mut sweep_file(&path)).count();
    assert_eq!(half.expect("a new file").effect(), Effect::Lossy);
    let outcome = begin(sweep(), &mut sweep_file(&path)).count().expect("its own file");
    assert_eq!((outcome.exact(), outcome.effect()), (None, Effect::Lossy));
}

#[test]
fn dense_tables_at_the_memory_limit_are_saved() {
    let paths = simple_paths(&Grid::new(40, 4).expect("a board"));
    let expected = Sweep::new(&paths).dense().count_natural();
    let (mut bytes, mut stopped) = (100, 0);
    loop {
        let directory = Directory::new();
        let mut file = file_at_the_end(directory.file());
        let sweep = Sweep::new(&paths).limits(Limits::new().memory(bytes)).dense();
        let outcome =
            sweep.checkpoint(&mut file).expect("a place").count_natural().expect("a new file");
        assert_eq!(file.saves(), 1, "{bytes} bytes: {}", outcome.stop());
        if outcome.stop() != Stop::MemoryLimit {
            break assert_eq!(outcome.value(), expected.value());
        }
        stopped = stopped.max(outcome.report().levels().len());
        let resumed = Sweep::new(&paths)
            .dense()
            .resume(&mut file)
            .expect("a file")
            .count_natural()
            .expect("its own");
        assert_eq!(resumed.value(), expected.value());
        assert_eq!(stats(resumed.report()), stats(expected.report()));
        bytes += sized(450, 150);
    }
    // Some sweep stopped in the middle, where numbers have become wider.
    assert!(stopped > 60, "{stopped}");
}
