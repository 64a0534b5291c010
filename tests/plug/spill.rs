//! Sweeps with layers on disk: the same answers and reports as in memory, at any limit; errors of
//! files; and no files left behind.

use std::fs;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use secateurs::plug::algebra::{BestK, CountByWeight, Counting};
use secateurs::plug::motzkin::PathPiece;
use secateurs::plug::{SpillError, Sweep};
use secateurs::{Cancel, Limits, Report, Stop};
use secateurs_problems::catalogue::{
    Grid, Strands, hamiltonian_cycles, independent_sets, simple_paths,
};

use crate::shared::sweeps::{Stepped, Steps};
use crate::support::scratch::Directory;
use crate::support::sizes::sized;

fn board(rows: usize, columns: usize) -> Grid {
    Grid::new(rows, columns).expect("a board")
}

fn cycles(side: usize) -> Strands {
    hamiltonian_cycles(&board(side, side))
}

/// Returns the files in a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

fn assert_empty(directory: &Directory) {
    assert_eq!(files(&directory.0), Vec::<PathBuf>::new());
}

/// Checks that two reports are equal except for time and bytes.
fn check_reports(spilled: &Report, expected: &Report) {
    assert_eq!(spilled.levels(), expected.levels());
    assert_eq!((spilled.stop(), spilled.effect()), (expected.stop(), expected.effect()));
    assert_eq!(spilled.passes(), expected.passes());
}

#[test]
fn layers_in_any_number_of_runs_give_the_same_counts() {
    let (problem, directory) = (cycles(6), Directory::new());
    let expected = Sweep::new(&problem).count();
    assert_eq!(expected.exact(), Some(1_072));
    // From more runs than are merged at once to none.
    for states in [1, 2, 7, 60, 300, 700, 100_000] {
        let spilled = Sweep::new(&problem).spill(&directory.0).states_in_memory(states);
        let spilled = spilled.count().expect("files");
        assert_eq!(spilled.exact(), expected.exact(), "{states}");
        check_reports(spilled.report(), expected.report());
        assert_empty(&directory);
    }
}

#[test]
fn layers_stay_within_the_memory_limit() {
    let (problem, directory) = (cycles(10), Directory::new());
    let expected = Sweep::new(&problem).count();
    assert_eq!(expected.exact(), Some(467_260_456_608));
    let mut most = 0;
    for limit in [40_000, 60_000, 100_000, 200_000, 1_000_000] {
        let limits = Limits::new().memory(limit);
        let spilled = Sweep::new(&problem).limits(limits).spill(&directory.0).count();
        let spilled = spilled.expect("files");
        assert_eq!(spilled.exact(), expected.exact(), "{limit}");
        check_reports(spilled.report(), expected.report());
        let peak = spilled.report().peak_bytes().expect("a sweep");
        assert!(peak <= limit && peak > most, "{peak} bytes of {limit}");
        most = peak;
    }
}

#[test]
fn a_limit_without_room_for_a_table_stops_the_sweep() {
    let (problem, directory) = (cycles(6), Directory::new());
    for limit in [0, 1_000, 8_000] {
        let sweep = Sweep::new(&problem).limits(Limits::new().memory(limit)).spill(&directory.0);
        assert_eq!(sweep.count().expect("files").stop(), Stop::MemoryLimit, "{limit}");
    }
}

/// Counts in files, with room for some states in memory, independent sets whose numbers have about
/// 4.8 bits per column.
fn check_growing_numbers(columns: usize, states: usize) {
    let directory = Directory::new();
    let sets = independent_sets(&board(8, columns));
    let expected = Sweep::new(&sets).count_natural();
    let spilled = || Sweep::new(&sets).spill(&directory.0).states_in_memory(states);
    let counted = spilled().count_natural().expect("files");
    assert_eq!(counted.total(), expected.total());
    assert!(counted.total().is_some());
    check_reports(counted.report(), expected.report());
    if columns <= 40 {
        let counted = spilled().count().expect("files");
        assert_eq!(counted.exact(), Sweep::new(&sets).count().exact());
        assert_eq!(counted.exact().is_some(), columns == 25);
        let counted = spilled().count_by_residues().expect("files");
        assert_eq!(counted.total(), expected.total());
        check_reports(counted.report(), Sweep::new(&sets).count_by_residues().report());
    }
    assert_empty(&directory);
}

#[test]
fn numbers_grow_in_files() {
    for (columns, states) in sized(vec![(25, 10), (60, 30)], vec![(40, 5), (120, 5), (120, 30)]) {
        check_growing_numbers(columns, states);
    }
}

#[test]
fn values_with_heap_are_spilled() {
    let (paths, directory) = (simple_paths(&board(7, 7)), Directory::new());
    let by_length = CountByWeight::new(|_: usize, piece: PathPiece| piece.length());
    let expected = Sweep::new(&paths).run(&by_length);
    let longest = BestK::maximise(20, |_: usize, piece: PathPiece| piece.length());
    let ranked = Sweep::new(&paths).run(&longest);
    for limit in [60_000, 80_000, 110_000] {
        let limited = || Sweep::new(&paths).limits(Limits::new().memory(limit));
        assert_eq!(limited().run(&by_length).stop(), Stop::MemoryLimit);
        let spilled = limited().spill(&directory.0).run(&by_length).expect("files");
        assert_eq!(spilled.total(), expected.total(), "{limit}");
        check_reports(spilled.report(), expected.report());
        let spilled = limited().spill(&directory.0).run(&longest).expect("files");
        assert_eq!(spilled.total(), ranked.total(), "{limit}");
    }
    assert_eq!(expected.total().map(|lengths| lengths.coefficient(12)), Some(Some(924_u64.into())));
}

#[test]
fn other_questions_have_the_same_answers() {
    let (problem, directory) = (cycles(6), Directory::new());
    let spilled = || Sweep::new(&problem).spill(&directory.0).states_in_memory(3);
    assert_eq!(spilled().exists().expect("files").exists(), Some(true));
    let ends = spilled().ends(&Counting::<u64>::new()).expect("files");
    assert_eq!(ends.value().iter().map(|end| end.1).sum::<u64>(), 1_072);
    let none = cycles(5);
    let spilled = Sweep::new(&none).spill(&directory.0).states_in_memory(3);
    assert_eq!(spilled.exists().expect("files").exists(), Some(false));
    assert_empty(&directory);
}

#[test]
fn other_limits_stop_in_the_same_layer() {
    let (problem, directory) = (cycles(6), Directory::new());
    let cancel = Cancel::new();
    cancel.cancel();
    let limits = (0..40).step_by(3).map(|states| Limits::new().states(states));
    let limits = limits.chain((0..900).step_by(53).map(|nodes| Limits::new().nodes(nodes)));
    let limits = limits.chain((0..38).step_by(3).map(|depth| Limits::new().depth(depth)));
    let limits = limits.chain([Limits::new().time(Duration::ZERO), Limits::new().cancel(&cancel)]);
    for limits in limits {
        let expected = Sweep::new(&problem).limits(limits.clone()).count();
        let spilled = Sweep::new(&problem).limits(limits.clone()).spill(&directory.0);
        let spilled = spilled.states_in_memory(5).count().expect("files");
        assert_eq!(spilled.exact(), expected.exact(), "{limits:?}");
        check_reports(spilled.report(), expected.report());
        assert_empty(&directory);
    }
}

/// Sweeps with layers in files, and calls `change` with the file of the layer after 20 cells.
fn sweep_with(
    directory: &Directory,
    mut change: impl FnMut(&Path) + Send,
) -> Result<Option<u128>, SpillError> {
    let problem = cycles(6);
    let sweep = Sweep::new(&problem).progress(Duration::ZERO, |progress| {
        if progress.cells_done == 20 {
            let [file] = &files(&directory.0)[..] else { panic!("the file of a layer") };
            change(file);
        }
    });
    let counted = sweep.spill(&directory.0).states_in_memory(10).count();
    counted.map(|outcome| outcome.exact())
}

#[test]
fn a_damaged_file_is_an_error_that_names_it() {
    let directory = Directory::new();
    let mut length = 0;
    let unchanged = sweep_with(&directory, |file| length = fs::read(file).expect("a file").len());
    assert_eq!(unchanged.expect("an answer"), Some(1_072));
    assert!(length > 200, "{length}");
    // Three is coprime to the lengths of the fields.
    for at in (0..length).step_by(3).chain(length..length + 3) {
        let mut path = PathBuf::new();
        let result = sweep_with(&directory, |file| {
            let mut bytes = fs::read(file).expect("a file");
            let bytes_length = bytes.len();
            // The length depends on the elapsed time, which the file contains.
            match at.checked_sub(length) {
                None => bytes[at.min(bytes_length - 1)] ^= 1 << (at % 8),
                Some(0) => bytes.push(0),
                Some(more) => bytes.truncate(bytes_length / (more + 1)),
            }
            fs::write(file, bytes).expect("written");
            path = file.to_owned();
        });
        let Err(error @ SpillError::Read(_)) = result else { panic!("byte {at}: {result:?}") };
        assert!(error.to_string().starts_with(path.to_str().expect("a name")), "{error}");
        assert_empty(&directory);
    }
}

#[test]
fn the_file_of_another_sweep_is_refused() {
    let (directory, other) = (Directory::new(), Directory::new());
    let mut bytes = Vec::new();
    let saved = sweep_with(&other, |file| bytes = fs::read(file).expect("a file"));
    assert_eq!(saved.expect("an answer"), Some(1_072));
    let result = sweep_with(&directory, |file| fs::write(file, &bytes).expect("written"));
    assert!(matches!(result, Err(SpillError::Read(_))), "{result:?}");
}

#[test]
fn a_file_or_a_directory_that_is_missing_is_an_error_that_names_it() {
    let directory = Directory::new();
    let mut path = PathBuf::new();
    let result = sweep_with(&directory, |file| {
        fs::remove_file(file).expect("removed");
        path = file.to_owned();
    });
    let Err(error @ SpillError::Read(_)) = result else { panic!("{result:?}") };
    assert!(error.to_string().starts_with(path.to_str().expect("a name")), "{error}");

    let missing = directory.0.join("missing");
    let problem = cycles(4);
    let result = Sweep::new(&problem).spill(&missing).count();
    let Err(error @ SpillError::Write(_)) = result else { panic!("{result:?}") };
    assert!(error.to_string().contains("missing: cannot be saved"), "{error}");
}

#[test]
fn a_panic_leaves_no_files() {
    let panics = |cell, _| {
        assert!(cell < 20, "a panic");
        true
    };
    let (problem, directory) = (Stepped(cycles(6), panics), Directory::new());
    let sweep = Sweep::new(&problem).spill(&directory.0).states_in_memory(10);
    let result = catch_unwind(AssertUnwindSafe(|| sweep.count().map(drop)));
    assert!(result.is_err());
    assert_empty(&directory);
}

/// The squares of a row that are taken, whose hash says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Taken(u16);

impl Hash for Taken {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

#[test]
fn thousands_of_states_with_one_hash_are_merged_if_they_fit_into_memory() {
    let directory = Directory::new();
    let row = Steps::new(13, Taken(0), |cell, Taken(taken), emit| {
        emit(Taken(taken), false);
        emit(Taken(taken | 1 << cell), true);
    });
    let spilled = |limits| {
        let sweep = Sweep::new(&row).limits(limits).spill(&directory.0).states_in_memory(700);
        sweep.count().expect("files")
    };
    assert_eq!(spilled(Limits::new()).exact(), Some(1 << 13));
    assert_eq!(spilled(Limits::new().memory(100_000)).stop(), Stop::MemoryLimit);
}
