//! A search that is killed repeatedly counts every node of a tree once, whatever damage its files
//! suffer.

mod damage;
#[path = "../../../../tests/support/scratch.rs"]
mod scratch;

use std::fs;
use std::path::{Path, PathBuf};

use super::file::{FileName, Opening, SliceRecord, Snapshot};
use super::recovery::Recovery;
use super::*;
use crate::checkpoint::{Fingerprint, Kind, LoadError, RecordWriter, SaveError, encode};
use scratch::Directory as Place;

fn fingerprint() -> Fingerprint {
    Fingerprint::new("a tree", &())
}

fn task(worker: u32, number: u64) -> TaskId {
    TaskId { worker, number }
}

fn named(number: u64, bytes: &[u8]) -> (TaskId, Vec<u8>) {
    (task(0, number), bytes.to_vec())
}

/// A recovered search, and the results in its snapshot and in its records.
type WithResults = (Recovery<Vec<u8>>, Vec<Vec<u8>>);

/// Recovers a search.
fn recovered(directory: &Path) -> Result<WithResults, JournalError> {
    let mut results = Vec::new();
    let recovery = recover(
        directory,
        &fingerprint(),
        |own| {
            results.push(own.to_vec());
            Ok(())
        },
        |task| Ok(task.to_vec()),
    )?;
    Ok((recovery, results))
}

fn begin(directory: &Path, results: &[u8], tasks: &[(TaskId, Vec<u8>)]) -> Journal {
    let (recovery, _) = recovered(directory).expect("sound");
    Journal::begin(recovery.directory, results.to_vec(), tasks.to_vec()).expect("written")
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().expect("text")).collect();
    names.sort();
    names
}

#[test]
fn records_replace_tasks_by_their_remaining_tasks() {
    let place = Place::new();
    let directory = place.0.join("not/yet");
    let (recovery, results) = recovered(&directory).expect("nothing");
    assert!(!recovery.found_run && recovery.tasks.is_empty() && results.is_empty());

    let first =
        begin(&directory, b"so far", &[named(1, b"one"), named(2, b"two"), named(3, b"three")]);
    let second = Journal::join(&directory, &fingerprint(), first.run(), 1).expect("joined");
    // The remaining task of one process is run by another one and recorded in a file that is read
    // earlier.
    second
        .append(
            task(0, 2),
            b"some of two",
            &[(task(1, 1), b"remaining".to_vec()), (task(1, 2), b"more".to_vec())],
        )
        .expect("written");
    first.append(task(1, 1), b"the remaining", &[]).expect("written");

    let (recovery, mut results) = recovered(&directory).expect("sound");
    assert!(recovery.found_run);
    results[1..].sort();
    let expected: [&[u8]; 3] = [b"so far", b"some of two", b"the remaining"];
    assert_eq!(results, expected);
    assert_eq!(
        recovery.tasks,
        [named(1, b"one"), named(3, b"three"), (task(1, 2), b"more".to_vec())]
    );
    assert_eq!(
        recovery.stats,
        Recovered { records: 2, unreachable: 0, ignored_bytes: 0, tasks: 3 }
    );
}

#[test]
fn a_new_run_replaces_the_last_and_nothing_else() {
    let place = Place::new();
    fs::write(place.file(), "mine").expect("written");
    let first = begin(&place.0, b"", &[named(1, b"one")]);
    Journal::join(&place.0, &fingerprint(), first.run(), 7).expect("joined");
    let second = begin(&place.0, b"more", &[]);
    assert_eq!(names(&place.0), ["run-000002-process-0000.journal", "search"]);
    assert_ne!(first.run().nonce, second.run().nonce);
    // A process cannot join twice, and records of another run with the same number are ignored.
    Journal::join(&place.0, &fingerprint(), second.run(), 1).expect("joined");
    let error = Journal::join(&place.0, &fingerprint(), second.run(), 1).expect_err("there is one");
    assert!(matches!(error, JournalError::Save { error: SaveError::Exists, .. }), "{error}");
    let other = Run { nonce: !second.run().nonce, ..second.run() };
    let other = Journal::join(&place.0, &fingerprint(), other, 2).expect("joined");
    other.append(task(0, 1), b"of another search", &[]).expect("written");
    let (recovery, results) = recovered(&place.0).expect("sound");
    assert_eq!(results, [b"more"]);
    let file = place.0.join("run-000002-process-0002.journal");
    assert_eq!(recovery.stats.ignored_bytes, fs::metadata(file).expect("a file").len());
}

#[test]
fn journals_of_another_search_are_refused_and_kept() {
    let place = Place::new();
    drop(begin(&place.0, b"", &[named(1, b"one")]));
    let before = names(&place.0);
    let error = recover(&place.0, &Fingerprint::new("another", &()), |_| Ok(()), |_| Ok(()))
        .expect_err("another search");
    assert!(
        matches!(error, JournalError::Load { error: LoadError::OtherFingerprint { .. }, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("run-000001-process-0000.journal"), "{error}");
    assert_eq!(names(&place.0), before);
}

/// Writes the beginning of a journal of this run and process, without a snapshot.
fn opened(directory: &Path, run: Run, process: u32) -> PathBuf {
    let path = FileName { run: run.number, process }.within(directory);
    let opening = Opening { run, process, snapshot: None };
    let mut records =
        RecordWriter::begin(Vec::new(), Kind::Journal, &fingerprint()).expect("written");
    records.record(&encode(&opening).expect("bytes")).expect("written");
    fs::write(&path, records.take_bytes()).expect("written");
    path
}

#[test]
fn a_run_after_the_largest_number_is_an_error() {
    let place = Place::new();
    drop(begin(&place.0, b"so far", &[named(1, b"one")]));
    let last = opened(&place.0, Run { number: u64::MAX, nonce: 7 }, 1);
    let (recovery, _) = recovered(&place.0).expect("an earlier run");
    let before = names(&place.0);
    let error = Journal::begin(recovery.directory, Vec::new(), Vec::new()).expect_err("no number");
    let name = last.file_name().and_then(|name| name.to_str()).expect("text");
    assert!(error.to_string().contains(name), "{error}");
    assert_eq!(names(&place.0), before);
}

#[test]
fn a_record_that_cannot_be_decoded_is_located() {
    let place = Place::new();
    let journal = begin(&place.0, b"", &[named(1, b"one")]);
    let path = place.0.join("run-000001-process-0000.journal");
    journal.append(task(0, 1), b"first", &[named(2, b"two")]).expect("written");
    let at = fs::metadata(&path).expect("a file").len();
    // The checksums are valid, but these bytes are no slice.
    journal.write(&[255; 7]).expect("written");
    journal.append(task(0, 2), b"second", &[]).expect("written");
    let error = recovered(&place.0).expect_err("no slice").to_string();
    let located = format!(
        "run-000001-process-0000.journal: undamaged, but not a saved run of this \
        problem: record 4, at byte {at}: "
    );
    assert!(error.contains(&located), "{error}");
}

#[test]
fn results_and_tasks_that_cannot_be_read_are_located() {
    let place = Place::new();
    let journal = begin(&place.0, b"so far", &[named(1, b"one"), named(2, b"two")]);
    let path = place.0.join("run-000001-process-0000.journal");
    let at = fs::metadata(&path).expect("a file").len();
    journal.append(task(0, 1), b"first", &[named(3, b"three")]).expect("written");
    let expect = |results: &[u8], tasks: &[u8], located: &str| {
        let refuse = |bytes: &[u8], refused: &[u8]| match bytes == refused {
            true => Err("no number".to_owned()),
            false => Ok(()),
        };
        let error = recover(
            &place.0,
            &fingerprint(),
            |bytes| refuse(bytes, results),
            |bytes| refuse(bytes, tasks),
        )
        .expect_err("no number");
        let expected = format!(
            "run-000001-process-0000.journal: undamaged, but not a saved run of this problem: \
             {located}: no number"
        );
        assert!(error.to_string().ends_with(&expected), "{error}");
    };
    expect(b"so far", b"", "the results of the snapshot");
    expect(b"first", b"", &format!("record 3, at byte {at}"));
    expect(b"", b"two", "task 2 of worker 0 in the snapshot");
    expect(b"", b"three", &format!("record 3, at byte {at}"));
    // The task has a record, so nothing depends on its bytes.
    assert!(
        recover(
            &place.0,
            &fingerprint(),
            |_| Ok(()),
            |bytes| match bytes {
                b"one" => Err(String::new()),
                _ => Ok(()),
            }
        )
        .is_ok()
    );
}

#[test]
fn two_records_of_one_task_count_once() {
    let place = Place::new();
    let first = begin(&place.0, b"", &[named(1, b"one")]);
    let second = Journal::join(&place.0, &fingerprint(), first.run(), 1).expect("joined");
    second.append(task(0, 1), b"second", &[named(3, b"three")]).expect("written");
    first.append(task(0, 1), b"first", &[named(2, b"two")]).expect("written");
    let (recovery, results) = recovered(&place.0).expect("sound");
    assert_eq!(results, [b"".to_vec(), b"first".to_vec()]);
    assert_eq!(recovery.tasks, [named(2, b"two")]);
    assert_eq!(
        recovery.stats,
        Recovered { records: 1, unreachable: 1, ignored_bytes: 0, tasks: 1 }
    );
}

#[test]
fn a_missing_snapshot_is_an_error() {
    let place = Place::new();
    let first = begin(&place.0, b"", &[named(1, b"one")]);
    Journal::join(&place.0, &fingerprint(), first.run(), 1).expect("joined");
    fs::remove_file(place.0.join("run-000001-process-0000.journal")).expect("removed");
    let error = recovered(&place.0).expect_err("no snapshot");
    assert!(error.to_string().contains("process-0000"), "{error}");
}

#[test]
fn the_format_has_not_changed() {
    let run = Run { number: 3, nonce: 0x0123_4567_89ab_cdef };
    let snapshot = Some(Snapshot { results: vec![1, 2], tasks: vec![(task(0, 1), vec![3])] });
    let opening = Opening { run, process: 0, snapshot };
    let mut records =
        RecordWriter::begin(Vec::new(), Kind::Journal, &fingerprint()).expect("written");
    records.record(&encode(&opening).expect("bytes")).expect("written");
    let mut file = records.take_bytes();
    let opening = file.len();
    for number in [1, 2] {
        let remaining = vec![(task(1, 300), &[6_u8, 7][..])];
        let slice = SliceRecord { task: task(0, number), results: &[4, 5], remaining };
        records.record(&postcard::to_allocvec(&slice).expect("bytes")).expect("written");
        file.extend(records.take_bytes());
    }
    let hex: String = file.iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = concat!(
        "5345434154455552060003000000000000000000000000000918de8d1b00000000000000ea32cf6e",
        "066120747265658d8bd794d6ae88dce28485d8fbc0cb93e2d80100c80c27b71400000000000000c4",
        "377e4b03ef9bafcdf8acd1910100010201020100010103b1c2f3b20c000000000000007ea2528a00",
        "010204050101ac020206077b9f1d380c0000000000000037a32ef400020204050101ac020206078a",
        "d6af19",
    );
    assert_eq!(hex, expected);
    // Length and checksums, both task identities, and a byte for each length of results, remaining
    // tasks and task data: 16 + 2 + 3 + 3.
    assert_eq!(file.len(), opening + 2 * (24 + 4));
}
