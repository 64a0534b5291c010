//! Counts by residues that are saved, stopped within a pass or between two, and resumed.

use std::path::Path;
use std::time::Duration;

use secateurs::checkpoint::{Fingerprint, LoadError};
use secateurs::plug::algebra::{Modulo, Natural};
use secateurs::plug::{Sweep, SweepCheckpoint};
use secateurs::{Limits, Outcome, Report, Stop, Total};
use secateurs_problems::catalogue::{GridIndependentSets, Strands, independent_sets, simple_paths};

use crate::shared::saved::{begun_or_resumed, file_at_the_end};
use crate::support::problems::{cycles, grid};
use crate::support::scratch::Directory;
use crate::support::sizes::sized;

type Count = Outcome<Total<Natural>>;

/// A count under limits, with a number of threads, that begins a file or resumes from it.
type Run<'a> = dyn Fn(Limits, usize, &Path) -> Result<Count, LoadError> + 'a;

/// Begins a count in hash tables, or resumes it if the file exists.
fn hashed(
    sets: &GridIndependentSets,
    limits: Limits,
    threads: usize,
    path: &Path,
) -> Result<Count, LoadError> {
    let sweep = Sweep::new(sets).limits(limits).threads(threads);
    let mut file = file_at_the_end(path);
    begun_or_resumed!(sweep, &mut file)?.count_by_residues()
}

/// Begins a count in dense tables, or resumes it if the file exists.
fn dense(
    strands: &Strands,
    limits: Limits,
    threads: usize,
    path: &Path,
) -> Result<Count, LoadError> {
    let sweep = Sweep::new(strands).limits(limits).threads(threads).dense();
    let mut file = file_at_the_end(path);
    begun_or_resumed!(sweep, &mut file)?.count_by_residues()
}

/// Returns the numbers of states of the layers that are expanded.
fn expanded(report: &Report) -> impl Iterator<Item = u64> + '_ {
    report.levels()[..report.levels().len() - 1].iter().map(|level| level.nodes)
}

fn assert_same(outcome: &Count, expected: &Count, context: u64) {
    assert!(outcome.total().is_some(), "{context}: {}", outcome.stop());
    assert_eq!(outcome.total(), expected.total(), "{context}");
    let parts = |outcome: &Count| (outcome.report().passes(), outcome.report().levels().to_vec());
    assert_eq!(parts(outcome), parts(expected), "{context}");
}

/// Stops a count before one of `every` layers of each pass, resumes it, and compares the outcome
/// with that of an uninterrupted count.
fn stop_before_layers(run: &Run<'_>, passes: u32, every: usize) {
    let directory = Directory::new();
    let expected = run(Limits::new(), 1, &directory.file()).expect("a new file");
    assert_eq!(expected.report().passes(), Some(passes));
    let mut nodes = 0;
    for pass in 1..=passes {
        for (layer, states) in expanded(expected.report()).enumerate() {
            let before = nodes;
            nodes += states;
            if layer % every != pass as usize % every {
                continue;
            }
            let directory = Directory::new();
            let threads = 1 + layer % 2;
            let stopped = run(Limits::new().nodes(before), threads, &directory.file());
            let stopped = stopped.expect("a new file");
            assert_eq!((stopped.stop(), stopped.total()), (Stop::NodeLimit, None));
            let report = stopped.report();
            assert_eq!((report.passes(), report.levels().len()), (Some(pass), layer + 1));
            let resumed = run(Limits::new(), 3 - threads, &directory.file());
            assert_same(&resumed.expect("its own file"), &expected, before);
        }
    }
    // Without another stop, the file of a finished count holds the answer.
    let again = run(Limits::new().nodes(0), 1, &directory.file()).expect("its own file");
    assert_same(&again, &expected, nodes);
}

#[test]
fn a_count_in_hash_tables_resumes_before_every_layer_of_every_pass() {
    let sets = independent_sets(&grid(2, 28));
    stop_before_layers(&|limits, threads, path| hashed(&sets, limits, threads, path), 2, 1);
}

#[test]
fn a_count_in_dense_tables_resumes_before_layers_of_every_pass() {
    let (paths, every) = (simple_paths(&grid(31, 4)), sized(5, 1));
    stop_before_layers(&|limits, threads, path| dense(&paths, limits, threads, path), 3, every);
}

#[test]
fn a_count_that_was_killed_before_its_first_layer_begins_again() {
    let cycles = cycles(6, 6);
    for is_dense in [false, true] {
        let directory = Directory::new();
        let mut file = file_at_the_end(directory.file());
        drop(Sweep::new(&cycles).checkpoint(&mut file).expect("a place"));
        let sweep = Sweep::new(&cycles);
        let outcome = match is_dense {
            true => sweep.dense().resume(&mut file).expect("a whole file").count_by_residues(),
            false => sweep.resume(&mut file).expect("a whole file").count_by_residues(),
        };
        let outcome = outcome.expect("a file without a question");
        assert_eq!(outcome.total(), Some(&Natural::from(1072_u32)));
    }
}

#[test]
fn counts_are_exact_in_instalments_of_any_size() {
    let (sets, paths) = (independent_sets(&grid(2, 130)), simple_paths(&grid(60, 4)));
    let runs: [&Run<'_>; 2] = [
        &|limits, threads, path| hashed(&sets, limits, threads, path),
        &|limits, threads, path| dense(&paths, limits, threads, path),
    ];
    for run in runs {
        let directory = Directory::new();
        let expected = run(Limits::new(), 1, &directory.file()).expect("a new file");
        let largest = expanded(expected.report()).max().unwrap_or(0);
        for instalment in [largest + 150, 7 * largest + 500] {
            let directory = Directory::new();
            let mut instalments = 0;
            let outcome = loop {
                let limits = Limits::new().nodes(instalment);
                let outcome = run(limits, 1 + instalments % 2, &directory.file());
                let outcome = outcome.expect("its own file");
                if outcome.stop() != Stop::NodeLimit {
                    break outcome;
                }
                instalments += 1;
            };
            assert!(instalments > 2, "{instalments}");
            assert_same(&outcome, &expected, instalment);
        }
    }
}

#[test]
fn a_count_that_began_with_little_memory_resumes_with_much_and_the_reverse() {
    let paths = simple_paths(&grid(12, 12));
    let whole = Sweep::new(&paths).dense().count_by_residues();
    assert_eq!(whole.total(), Sweep::new(&paths).dense().count_natural().total());
    let peak = whole.report().peak_bytes().expect("a sweep");
    // The tables of wider numbers alone take more.
    let scarce = || Limits::new().memory(peak * 3 / 10);
    let ample = Limits::new;
    for (first, second, passes) in [(scarce(), ample(), 5), (ample(), scarce(), 3)] {
        let directory = Directory::new();
        // The states of the first pass, and of a few layers of the second one.
        let nodes = expanded(whole.report()).sum::<u64>() + 1_000;
        let stopped = dense(&paths, first.nodes(nodes), 1, &directory.file());
        let stopped = stopped.expect("a new file");
        assert_eq!((stopped.stop(), stopped.report().passes()), (Stop::NodeLimit, Some(2)));
        // The primes are those of the file, however much memory there is now.
        let resumed = dense(&paths, second, 2, &directory.file()).expect("its own file");
        assert_eq!(resumed.total(), whole.total());
        assert_eq!(resumed.report().passes(), Some(passes));
    }
}

#[test]
fn a_file_of_another_count_is_refused() {
    let (cycles, directory) = (cycles(6, 6), Directory::new());
    let path = directory.file();
    let stopped = dense(&cycles, Limits::new().depth(20), 1, &path).expect("a new file");
    assert_eq!(stopped.stop(), Stop::DepthLimit);
    let question = |error: LoadError| match error.reason() {
        LoadError::OtherQuestion { found, .. } => found.clone(),
        _ => panic!("{error}"),
    };
    const DENSE: &str = "count by residues, in dense tables";
    let modulo = Modulo::new([7]).expect("not 0");
    let mut file = file_at_the_end(&path);
    let sweep = Sweep::new(&cycles).dense().resume(&mut file).expect("a file");
    assert_eq!(question(sweep.count_natural().expect_err("exact")), DENSE);
    let sweep = Sweep::new(&cycles).dense().resume(&mut file).expect("a file");
    assert_eq!(question(sweep.count_moduli(&modulo).expect_err("one modulus")), DENSE);
    let sweep = Sweep::new(&cycles).resume(&mut file).expect("a file");
    assert_eq!(question(sweep.count_by_residues().expect_err("hash tables")), DENSE);
    // The reverse: files of other questions.
    for is_modulo in [false, true] {
        let directory = Directory::new();
        let mut file = file_at_the_end(directory.file());
        let sweep = Sweep::new(&cycles).limits(Limits::new().depth(20)).dense();
        let sweep = sweep.checkpoint(&mut file).expect("a place");
        let stop = match is_modulo {
            true => sweep.count_moduli(&modulo).expect("a new file").stop(),
            false => sweep.count_natural().expect("a new file").stop(),
        };
        assert_eq!(stop, Stop::DepthLimit);
        let error = dense(&cycles, Limits::new(), 1, &directory.file()).expect_err("another");
        let name =
            if is_modulo { "count modulo [7], in dense tables" } else { "count, in dense tables" };
        assert_eq!(question(error), name);
    }
    // Another board.
    let mut other = SweepCheckpoint::new(&path, Duration::ZERO, Fingerprint::new("other", &()));
    let error = Sweep::new(&cycles).dense().resume(&mut other).map(drop).expect_err("other");
    assert!(matches!(error.reason(), LoadError::OtherFingerprint { .. }), "{error}");
    // None of these attempts has changed the file.
    let resumed = dense(&cycles, Limits::new(), 1, &path).expect("its own file");
    assert_eq!(resumed.total(), Some(&Natural::from(1072_u32)));
}
