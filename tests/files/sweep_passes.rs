//! Counts by residues that are saved, stopped within a pass or between two, and resumed.

use std::fs;
use std::path::Path;
use std::time::Duration;

use secateurs::checkpoint::{Fingerprint, LoadError};
use secateurs::plug::algebra::{Modulo, Natural};
use secateurs::plug::{Sweep, SweepCheckpoint};
use secateurs::{Limits, Outcome, Report, Stop, Total};
use secateurs_problems::catalogue::{GridIndependentSets, Strands, independent_sets, simple_paths};

use crate::hex::{from_hex, to_hex};
use crate::support::problems::{cycles, grid};
use crate::support::scratch::Directory;

type Count = Outcome<Total<Natural>>;

/// A count under limits, with a number of threads, that begins a file or resumes from it.
type Run<'a> = dyn Fn(Limits, usize, &Path) -> Result<Count, LoadError> + 'a;

fn checkpoint(path: &Path) -> SweepCheckpoint {
    SweepCheckpoint::new(path, Duration::from_secs(3600), Fingerprint::new("a board", &()))
}

/// Begins a count in hash tables, or resumes it if the file exists.
fn hashed(
    sets: &GridIndependentSets,
    limits: Limits,
    threads: usize,
    path: &Path,
) -> Result<Count, LoadError> {
    let sweep = Sweep::new(sets).limits(limits).threads(threads);
    let mut file = checkpoint(path);
    if path.exists() {
        sweep.resume(&mut file)?.count_by_residues()
    } else {
        sweep.checkpoint(&mut file).expect("a place for a file").count_by_residues()
    }
}

/// Begins a count in dense tables, or resumes it if the file exists.
fn dense(
    strands: &Strands,
    limits: Limits,
    threads: usize,
    path: &Path,
) -> Result<Count, LoadError> {
    let sweep = Sweep::new(strands).limits(limits).threads(threads).dense();
    let mut file = checkpoint(path);
    if path.exists() {
        sweep.resume(&mut file)?.count_by_residues()
    } else {
        sweep.checkpoint(&mut file).expect("a place for a file").count_by_residues()
    }
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

fn check_dense_tables(every: usize) {
    let paths = simple_paths(&grid(31, 4));
    stop_before_layers(&|limits, threads, path| dense(&paths, limits, threads, path), 3, every);
}

#[test]
fn a_count_in_dense_tables_resumes_before_layers_of_every_pass() {
    check_dense_tables(5);
}

#[test]
#[ignore = "seconds without optimisation: cargo test --release --test files -- --ignored passes"]
fn a_count_in_dense_tables_resumes_before_every_layer_of_every_pass() {
    check_dense_tables(1);
}

#[test]
fn a_count_that_was_killed_before_its_first_layer_begins_again() {
    let cycles = cycles(6, 6);
    for is_dense in [false, true] {
        let directory = Directory::new();
        let mut file = checkpoint(&directory.file());
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
    let resume = || Sweep::new(&cycles).dense().resume(&mut checkpoint(&path)).map(drop);
    assert!(resume().is_ok());
    let mut file = checkpoint(&path);
    let sweep = Sweep::new(&cycles).dense().resume(&mut file).expect("a file");
    assert_eq!(question(sweep.count_natural().expect_err("exact")), DENSE);
    let mut file = checkpoint(&path);
    let sweep = Sweep::new(&cycles).dense().resume(&mut file).expect("a file");
    let modulo = Modulo::new([7]).expect("not 0");
    assert_eq!(question(sweep.count_moduli(&modulo).expect_err("one modulus")), DENSE);
    let mut file = checkpoint(&path);
    let sweep = Sweep::new(&cycles).resume(&mut file).expect("a file");
    assert_eq!(question(sweep.count_by_residues().expect_err("hash tables")), DENSE);
    // The reverse: files of other questions.
    for is_modulo in [false, true] {
        let directory = Directory::new();
        let mut file = checkpoint(&directory.file());
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

/// Two counts by residues of the Hamiltonian cycles of a 4 × 4 board, after 9 cells of the second
/// pass, in hexadecimal: with hash tables, and with dense tables.
const HASHED: &str = "
    534543415445555207000200000000000000000000000000ee68b9be1c00000000000000143a07f2076120626f617264
    8d8bd794d6ae88dce28485d8fbc0cb93e2d80100735b758b60000000000000001d491d2b0111636f756e742062792072
    65736964756573020a0200000a0100000000010000010002000002000300010300020000020004000104000500000500
    080002080006000006000a00000a000000000000000000c5c41801011009090a90c001008112a8ae0e00000000000000
    8c77202501010601e7ffffffffffffff7f009aaafcf020000000000000001910abeb0a000000810401840401e10401e4
    040121012401990101c9040191050194050149f3407f0000000000000000995bbc72
";
const DENSE: &str = "
    534543415445555207000200000000000000000000000000ee68b9be1c00000000000000143a07f2076120626f617264
    8d8bd794d6ae88dce28485d8fbc0cb93e2d80100735b758b72000000000000004b7f83150122636f756e742062792072
    657369647565732c20696e2064656e7365207461626c657302090200000a010000000001000000000200000000030000
    0000020000000004000000000500000000080000000006000000000a000000000000000000000000dbac980101011009
    090a9cf80b0047e74bf30e00000000000000144efcff01010601e7ffffffffffffff7f00b748ce121300000000000000
    27b6030d09000000000101010101010101000101010100b4c400f40000000000000000314a78b2
";

fn resume(path: &Path, is_dense: bool) -> Result<Count, LoadError> {
    let cycles = cycles(4, 4);
    let mut file = checkpoint(path);
    match is_dense {
        true => Sweep::new(&cycles).dense().resume(&mut file)?.count_by_residues(),
        false => Sweep::new(&cycles).resume(&mut file)?.count_by_residues(),
    }
}

/// Returns the bytes of a file that the current code writes.
fn written(is_dense: bool) -> Vec<u8> {
    let (cycles, directory) = (cycles(4, 4), Directory::new());
    let whole = Sweep::new(&cycles).count_by_residues();
    let states: Vec<u64> = expanded(whole.report()).collect();
    let nodes = states.iter().chain(&states[..9]).sum();
    let sweep = Sweep::new(&cycles).limits(Limits::new().nodes(nodes));
    let mut file = checkpoint(&directory.file());
    let outcome = match is_dense {
        true => sweep.dense().checkpoint(&mut file).expect("a place").count_by_residues(),
        false => sweep.checkpoint(&mut file).expect("a place").count_by_residues(),
    };
    let outcome = outcome.expect("a new file");
    let report = outcome.report();
    assert_eq!((report.passes(), report.levels().len()), (Some(2), 10));
    fs::read(directory.file()).expect("a file")
}

#[test]
fn the_format_of_passes_has_not_changed() {
    for (file, is_dense) in [(HASHED, false), (DENSE, true)] {
        let directory = Directory::new();
        fs::write(directory.file(), from_hex(file)).expect("written");
        let outcome = resume(&directory.file(), is_dense).unwrap_or_else(|error| {
            panic!("{error}; the current code would write {}", to_hex(&written(is_dense)))
        });
        assert_eq!(outcome.total(), Some(&Natural::from(6_u32)));
    }
}

#[test]
fn damaged_passes_are_refused() {
    for is_dense in [false, true] {
        let directory = Directory::new();
        let path = directory.file();
        let bytes = written(is_dense);
        for at in 0..bytes.len() {
            for change in [1, 16, 255] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                fs::write(&path, damaged).expect("written");
                assert!(resume(&path, is_dense).is_err(), "byte {at}, changed by {change}");
            }
            fs::write(&path, &bytes[..at]).expect("written");
            assert!(resume(&path, is_dense).is_err(), "cut after {at} bytes");
        }
    }
}
