//! Tests of the journal: its runs, records, errors and file format. A simulated search is killed
//! repeatedly and its files are damaged: every node of a tree counts once, or recovery is an error.

#[path = "../../../tests/support/scratch.rs"]
mod scratch;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::file::{FileName, Opening, SliceRecord, Snapshot};
use super::recovery::Recovery;
use super::*;
use crate::checkpoint::{Fingerprint, Kind, LoadError, RecordWriter, SaveError, encode};
use scratch::Directory as Scratch;

fn fingerprint() -> Fingerprint {
    Fingerprint::new("a tree", &())
}

fn task(worker: u32, number: u64) -> TaskId {
    TaskId { worker, number }
}

/// Returns a task of worker 0 with its data.
fn with_data(number: u64, bytes: &[u8]) -> (TaskId, Vec<u8>) {
    (task(0, number), bytes.to_vec())
}

/// A recovered search, and the results in its snapshot and in its records.
type WithResults = (Recovery<Vec<u8>>, Vec<Vec<u8>>);

/// Recovers a search.
fn recovered(directory: &Path) -> Result<WithResults, LoadError> {
    let mut results = Vec::new();
    let recovery = recover(
        directory,
        &fingerprint(),
        |bytes| {
            results.push(bytes.to_vec());
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

/// Returns the names of the files in a directory, sorted.
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
    let place = Scratch::new();
    let directory = place.0.join("not/yet");
    let (recovery, results) = recovered(&directory).expect("nothing");
    assert!(!recovery.found_run && recovery.tasks.is_empty() && results.is_empty());

    let first = begin(
        &directory,
        b"so far",
        &[with_data(1, b"one"), with_data(2, b"two"), with_data(3, b"three")],
    );
    let second = Journal::join(&directory, &fingerprint(), first.run(), 1).expect("joined");
    // Process 0 runs a task that process 1 has left, so the record of the task stands in a file
    // that is read before the file in which the task is named.
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
        [with_data(1, b"one"), with_data(3, b"three"), (task(1, 2), b"more".to_vec())]
    );
    assert_eq!(
        recovery.stats,
        Recovered { records: 2, unreachable: 0, ignored_bytes: 0, tasks: 3 }
    );
}

#[test]
fn a_new_run_replaces_the_last_and_nothing_else() {
    let place = Scratch::new();
    fs::write(place.file(), "mine").expect("written");
    let first = begin(&place.0, b"", &[with_data(1, b"one")]);
    Journal::join(&place.0, &fingerprint(), first.run(), 7).expect("joined");
    let second = begin(&place.0, b"more", &[]);
    assert_eq!(names(&place.0), ["run-000002-process-0000.journal", "search"]);
    assert_ne!(first.run().nonce, second.run().nonce);
    // A process cannot join twice, and records of another run with the same number are ignored.
    Journal::join(&place.0, &fingerprint(), second.run(), 1).expect("joined");
    let error = Journal::join(&place.0, &fingerprint(), second.run(), 1).expect_err("there is one");
    assert!(matches!(error.reason(), SaveError::Exists), "{error}");
    let other = RunId { nonce: !second.run().nonce, ..second.run() };
    let other = Journal::join(&place.0, &fingerprint(), other, 2).expect("joined");
    other.append(task(0, 1), b"of another search", &[]).expect("written");
    let (recovery, results) = recovered(&place.0).expect("sound");
    assert_eq!(results, [b"more"]);
    let file = place.0.join("run-000002-process-0002.journal");
    assert_eq!(recovery.stats.ignored_bytes, fs::metadata(file).expect("a file").len());
}

#[test]
fn journals_of_another_search_are_refused_and_kept() {
    let place = Scratch::new();
    drop(begin(&place.0, b"", &[with_data(1, b"one")]));
    let before = names(&place.0);
    let error = recover(&place.0, &Fingerprint::new("another", &()), |_| Ok(()), |_| Ok(()))
        .expect_err("another search");
    assert!(matches!(error.reason(), LoadError::OtherFingerprint { .. }), "{error}");
    assert!(error.to_string().contains("run-000001-process-0000.journal"), "{error}");
    assert_eq!(names(&place.0), before);
}

/// Writes the beginning of a journal of this run and process, without a snapshot.
fn write_opening(directory: &Path, run: RunId, process: u32) -> PathBuf {
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
    let place = Scratch::new();
    // The last run has no snapshot, so recovery takes the state of the first one.
    drop(begin(&place.0, b"so far", &[with_data(1, b"one")]));
    let last = write_opening(&place.0, RunId { number: u64::MAX, nonce: 7 }, 1);
    let (recovery, _) = recovered(&place.0).expect("an earlier run");
    let before = names(&place.0);
    let error = Journal::begin(recovery.directory, Vec::new(), Vec::new())
        .expect_err("the largest number is taken");
    let name = last.file_name().and_then(|name| name.to_str()).expect("text");
    assert!(error.to_string().contains(name), "{error}");
    assert_eq!(names(&place.0), before);
}

#[test]
fn a_record_that_cannot_be_decoded_is_located() {
    let place = Scratch::new();
    let journal = begin(&place.0, b"", &[with_data(1, b"one")]);
    let path = place.0.join("run-000001-process-0000.journal");
    journal.append(task(0, 1), b"first", &[with_data(2, b"two")]).expect("written");
    let at = fs::metadata(&path).expect("a file").len();
    // The checksums are valid, but these bytes are no slice. Records are counted from 1: the
    // fingerprint, the opening and one slice come first.
    journal.write(&[255; 7]).expect("written");
    journal.append(task(0, 2), b"second", &[]).expect("written");
    let error = recovered(&place.0).expect_err("no slice").to_string();
    let located = format!(
        "run-000001-process-0000.journal: undamaged, but its data contradict each \
        other or this problem: record 4, at byte {at}: "
    );
    assert!(error.contains(&located), "{error}");
}

#[test]
fn results_and_tasks_that_cannot_be_read_are_located() {
    let place = Scratch::new();
    let journal = begin(&place.0, b"so far", &[with_data(1, b"one"), with_data(2, b"two")]);
    let path = place.0.join("run-000001-process-0000.journal");
    let at = fs::metadata(&path).expect("a file").len();
    journal.append(task(0, 1), b"first", &[with_data(3, b"three")]).expect("written");
    // Asserts the location in the error if these results, or the data of this task, are invalid.
    let assert_located = |results: &[u8], task: &[u8], located: &str| {
        let read = |bytes: &[u8], invalid: &[u8]| match bytes == invalid {
            true => Err("invalid".to_owned()),
            false => Ok(()),
        };
        let error = recover(
            &place.0,
            &fingerprint(),
            |bytes| read(bytes, results),
            |bytes| read(bytes, task),
        )
        .expect_err("invalid");
        let expected = format!(
            "run-000001-process-0000.journal: undamaged, but its data contradict each other \
             or this problem: {located}: invalid"
        );
        assert!(error.to_string().ends_with(&expected), "{error}");
    };
    assert_located(b"so far", b"", "the results of the snapshot");
    assert_located(b"first", b"", &format!("record 3, at byte {at}"));
    assert_located(b"", b"two", "task 2 of worker 0 in the snapshot");
    assert_located(b"", b"three", &format!("record 3, at byte {at}"));
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
    let place = Scratch::new();
    let first = begin(&place.0, b"", &[with_data(1, b"one")]);
    let second = Journal::join(&place.0, &fingerprint(), first.run(), 1).expect("joined");
    second.append(task(0, 1), b"second", &[with_data(3, b"three")]).expect("written");
    first.append(task(0, 1), b"first", &[with_data(2, b"two")]).expect("written");
    let (recovery, results) = recovered(&place.0).expect("sound");
    assert_eq!(results, [b"".to_vec(), b"first".to_vec()]);
    assert_eq!(recovery.tasks, [with_data(2, b"two")]);
    assert_eq!(
        recovery.stats,
        Recovered { records: 1, unreachable: 1, ignored_bytes: 0, tasks: 1 }
    );
}

#[test]
fn a_task_that_is_created_twice_is_an_error() {
    // By the snapshot, by one record, by two records, and by its own record.
    let one_and_two = [with_data(1, b"one"), with_data(2, b"two")];
    let twice_three = [with_data(3, b"three"), with_data(3, b"another")];
    let cases = [
        (&twice_three, vec![]),
        (&one_and_two, vec![(1, vec![3, 3])]),
        (&one_and_two, vec![(1, vec![3]), (2, vec![4, 3])]),
        (&one_and_two, vec![(1, vec![3]), (3, vec![3])]),
    ];
    for (tasks, records) in cases {
        let place = Scratch::new();
        let journal = begin(&place.0, b"", tasks);
        for (created, (number, remaining)) in records.into_iter().enumerate() {
            let remaining: Vec<_> =
                remaining.into_iter().map(|number| with_data(number, &[created as u8])).collect();
            journal.append(task(0, number), b"", &remaining).expect("written");
        }
        let error = recovered(&place.0).expect_err("created twice").to_string();
        assert!(error.contains("found task 3 of worker 0 twice"), "{error}");
    }
}

#[test]
fn a_missing_snapshot_is_an_error() {
    let place = Scratch::new();
    let first = begin(&place.0, b"", &[with_data(1, b"one")]);
    Journal::join(&place.0, &fingerprint(), first.run(), 1).expect("joined");
    fs::remove_file(place.0.join("run-000001-process-0000.journal")).expect("removed");
    let error = recovered(&place.0).expect_err("no snapshot");
    assert!(error.to_string().contains("process-0000"), "{error}");
}

#[test]
fn the_format_has_not_changed() {
    let run = RunId { number: 3, nonce: 0x0123_4567_89ab_cdef };
    let snapshot = Some(Snapshot { results: vec![1, 2], tasks: vec![(task(0, 1), vec![3])] });
    let opening = Opening { run, process: 0, snapshot };
    let mut records =
        RecordWriter::begin(Vec::new(), Kind::Journal, &fingerprint()).expect("written");
    records.record(&encode(&opening).expect("bytes")).expect("written");
    let mut file = records.take_bytes();
    let opening_length = file.len();
    for number in [1, 2] {
        let remaining = vec![(task(1, 300), &[6_u8, 7][..])];
        let slice = SliceRecord { task: task(0, number), results: &[4, 5], remaining };
        records.record(&postcard::to_allocvec(&slice).expect("bytes")).expect("written");
        file.extend(records.take_bytes());
    }
    let hex: String = file.iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = concat!(
        "534543415445555209000300000000000000000000000000337f34031b000000000000002339da8d",
        "066120747265658d8bd794d6ae88dce28485d8fbc0cb93e2d801002f5f4e4b140000000000000058",
        "0b697203ef9bafcdf8acd19101000102010201000101030c3034a80c00000000000000d7ebfd1200",
        "010204050101ac02020607e28759590c00000000000000c3c84ba000020204050101ac02020607d3",
        "cda135",
    );
    assert_eq!(hex, expected);
    // A record has a length of 8 bytes and two checksums of 4. The slice has its task (2 bytes),
    // the results (a length and 2 bytes), the number of remaining tasks (1), and for the only one
    // its identity (3, because 300 takes two bytes) and its data (a length and 2 bytes).
    assert_eq!(file.len(), opening_length + 2 * (8 + 2 * 4 + 2 + 3 + 1 + 3 + 3));
}

fn files(directory: &Path) -> Vec<PathBuf> {
    names(directory).into_iter().map(|name| directory.join(name)).collect()
}

/// Returns the number of bytes before the first slice of a file.
fn opening_length(file: &Path) -> usize {
    let bytes = fs::read(file).expect("read");
    let record = |at: usize| {
        let length =
            bytes[at..at + 8].iter().rev().fold(0, |sum, &byte| sum * 256 + u64::from(byte));
        at + 16 + length as usize
    };
    // The fingerprint follows the header, and the opening follows the fingerprint.
    record(record(28))
}

/// Writes the journals of a cluster of three processes that is killed after some steps.
fn write_killed_run(directory: &Path) -> Tree {
    let tree = Tree::new(&[0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 8, 9]);
    let mut lifetime = Lifetime::begin(directory, &tree, 3).expect("begun");
    for step in 0..7 {
        lifetime.step(&tree, step, step * 5, 2, 2);
    }
    tree
}

/// Continues the search to its end, and asserts that all nodes are counted once.
fn continue_to_end(directory: &Path, tree: &Tree) -> Result<(), Box<dyn Error>> {
    let mut lifetime = Lifetime::begin(directory, tree, 2)?;
    while !lifetime.tasks.is_empty() {
        lifetime.step(tree, lifetime.tasks.len(), 0, 3, 2);
    }
    drop(lifetime);
    let lifetime = Lifetime::begin(directory, tree, 1)?;
    assert!(lifetime.tasks.is_empty());
    Ok(())
}

/// Damages each byte of each file, one at a time. Asserts an error if the byte belongs to the
/// snapshot, and an exact count otherwise.
fn damage_each_byte(damage: impl Fn(&mut Vec<u8>, usize)) {
    let place = Scratch::new();
    let tree = write_killed_run(&place.0);
    let whole: Vec<(PathBuf, Vec<u8>)> = files(&place.0)
        .into_iter()
        .map(|file| (file.clone(), fs::read(file).expect("read")))
        .collect();
    assert_eq!(whole.len(), 3);
    for (index, (file, bytes)) in whole.iter().enumerate() {
        let snapshot = if index == 0 { opening_length(file) } else { 0 };
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damage(&mut damaged, at);
            fs::write(file, &damaged).expect("written");
            let result = continue_to_end(&place.0, &tree);
            assert_eq!(result.is_err(), at < snapshot, "{}: {at}: {result:?}", file.display());
            for file in files(&place.0) {
                fs::remove_file(file).expect("removed");
            }
            for (file, bytes) in &whole {
                fs::write(file, bytes).expect("written");
            }
        }
        // Records of undamaged files are not repeated.
        let (recovery, _) = recovered(&place.0).expect("sound");
        let expected =
            Recovered { records: 7, tasks: recovery.tasks.len() as u64, ..Recovered::default() };
        assert_eq!(recovery.stats, expected);
    }
}

#[test]
fn truncation_at_any_byte_loses_no_work_or_is_an_error() {
    damage_each_byte(Vec::truncate);
}

#[test]
fn a_change_of_any_byte_loses_no_work_or_is_an_error() {
    damage_each_byte(|bytes, at| bytes[at] ^= 1 << (at % 8));
}

#[test]
fn ignored_bytes_and_records_are_counted() {
    let place = Scratch::new();
    let first = begin(&place.0, b"", &[with_data(1, b"one")]);
    first.append(task(0, 1), b"first", &[with_data(2, b"two")]).expect("written");
    let file = &files(&place.0)[0];
    let after_first = fs::metadata(file).expect("a file").len() as usize;
    first.append(task(0, 2), b"second", &[with_data(3, b"three")]).expect("written");
    first.append(task(0, 3), b"third", &[]).expect("written");
    let whole = fs::read(file).expect("read");
    // The end of the record with the results "second" and the task "three", whose parts are listed
    // in `the_format_has_not_changed`.
    let after_second = after_first + 8 + 2 * 4 + 2 + 7 + 1 + 2 + 6;
    for end in after_first..whole.len() {
        // Some file systems leave zeros in place of unwritten bytes.
        for zeros in [0, 5, 500] {
            fs::write(file, [&whole[..end], &vec![0; zeros]].concat()).expect("written");
            let (recovery, results) = recovered(&place.0).expect("sound");
            // A record is whole if its missing bytes happen to be zeros, such as the last one of
            // its checksum, which depends on the random number of the run.
            let is_whole = |to: usize| {
                end + zeros >= to && whole[end.min(to)..to].iter().all(|&byte| byte == 0)
            };
            let records: Vec<usize> = [after_first, after_second, whole.len()]
                .into_iter()
                .take_while(|&to| is_whole(to))
                .collect();
            // The first results are those of the snapshot.
            assert_eq!(results.len() - 1, records.len(), "{end}");
            assert_eq!(recovery.stats.records, records.len() as u64);
            let ignored = end + zeros - records[records.len() - 1];
            assert_eq!(recovery.stats.ignored_bytes as usize, ignored, "{end}");
        }
    }
    // A record at the position of another one does not count.
    let second = &whole[after_first..after_second];
    fs::write(file, [&whole[..after_first], &whole[after_second..], second].concat())
        .expect("written");
    assert_eq!(recovered(&place.0).expect("sound").0.stats.records, 1);
}

/// Damage after a cluster is killed.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Nothing,
    /// The records of a file are truncated at a position, in units of 1/65,536 of their length.
    Cut(u16),
    /// The byte at such a position is inverted.
    Change(u16),
    /// The file is removed.
    Removed,
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        Just(Damage::Nothing),
        any::<u16>().prop_map(Damage::Cut),
        any::<u16>().prop_map(Damage::Change),
        Just(Damage::Removed)
    ]
}

/// A lifetime of the cluster: the number of processes; the process, task, nodes and parts of each
/// step; the damaged file; the damage; and whether the files of the previous run are restored.
type Plan = (usize, Vec<(usize, usize, usize, usize)>, usize, Damage, bool);

fn plan() -> impl Strategy<Value = Plan> {
    let steps = prop::collection::vec((0..5_usize, 0..1_000_usize, 1..20_usize, 1..5_usize), 0..30);
    (1..5_usize, steps, 0..5_usize, damage(), any::<bool>())
}

proptest! {
    #[test]
    fn every_node_counts_once_after_any_damage(
        parents in prop::collection::vec(0..1_000_usize, 0..200),
        lifetimes in prop::collection::vec(plan(), 1..6),
    ) {
        let place = Scratch::new();
        let tree = Tree::new(&parents);
        for (processes, steps, file, damage, is_restored) in lifetimes {
            let before: Vec<(PathBuf, Vec<u8>)> = files(&place.0)
                .into_iter()
                .map(|file| (file.clone(), fs::read(file).expect("read")))
                .collect();
            let mut lifetime = Lifetime::begin(&place.0, &tree, processes).expect("sound");
            for (process, chosen, budget, parts) in steps {
                if !lifetime.tasks.is_empty() {
                    lifetime.step(&tree, process, chosen, budget, parts);
                }
            }
            drop(lifetime);
            if is_restored {
                for (file, bytes) in before {
                    fs::write(file, bytes).expect("written");
                }
            }
            // Only records are damaged, because the snapshot is flushed to the disk before them.
            let files = files(&place.0);
            let file = &files[file % files.len()];
            let is_first = file.to_str().expect("text").ends_with("-0000.journal");
            let snapshot = if is_first { opening_length(file) } else { 0 };
            let mut bytes = fs::read(file).expect("read");
            let records = bytes.len() - snapshot;
            let at = |part: u16| snapshot + records * usize::from(part) / (1 << 16);
            match damage {
                Damage::Cut(part) => bytes.truncate(at(part)),
                Damage::Change(part) => {
                    let at = at(part);
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = !*byte;
                    }
                }
                Damage::Nothing | Damage::Removed => {}
            }
            fs::write(file, bytes).expect("written");
            if snapshot == 0 && matches!(damage, Damage::Removed) {
                fs::remove_file(file).expect("removed");
            }
        }
        continue_to_end(&place.0, &tree).expect("sound");
    }
}

/// A tree, as the children of each node.
#[derive(Clone, Debug)]
struct Tree(Vec<Vec<u32>>);

impl Tree {
    /// Creates a tree with `parents.len()` nodes besides the root, each below an earlier one.
    fn new(parents: &[usize]) -> Self {
        let mut children = vec![Vec::new(); parents.len() + 1];
        for (index, parent) in parents.iter().enumerate() {
            children[parent % (index + 1)].push(index as u32 + 1);
        }
        Tree(children)
    }

    fn nodes(&self) -> Vec<u32> {
        (0..self.0.len() as u32).collect()
    }

    /// Visits up to `budget` nodes of the subtrees with these roots. Returns them, and the roots of
    /// the unvisited subtrees.
    fn visit(&self, mut roots: Vec<u32>, budget: usize) -> (Vec<u32>, Vec<u32>) {
        let mut nodes = Vec::new();
        while nodes.len() < budget {
            let Some(node) = roots.pop() else { break };
            nodes.push(node);
            roots.extend(&self.0[node as usize]);
        }
        (nodes, roots)
    }
}

fn encode_nodes(nodes: &[u32]) -> Vec<u8> {
    nodes.iter().flat_map(|node| node.to_le_bytes()).collect()
}

fn decode_nodes(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four"))).collect()
}

/// One lifetime of the cluster: the journals of the processes, and the tasks in progress.
struct Lifetime {
    journals: Vec<Journal>,
    tasks: Vec<(TaskId, Vec<u8>)>,
    next: u64,
}

impl Lifetime {
    /// Continues from the journals, after asserting that they account for every node of the tree
    /// once.
    fn begin(directory: &Path, tree: &Tree, processes: usize) -> Result<Self, Box<dyn Error>> {
        let (recovery, results) = recovered(directory)?;
        let (results, mut tasks) = match recovery.found_run {
            false => (Vec::new(), vec![(task(0, 0), encode_nodes(&[0]))]),
            true => (results.concat(), recovery.tasks),
        };
        let left =
            tasks.iter().flat_map(|(_, roots)| tree.visit(decode_nodes(roots), usize::MAX).0);
        let mut nodes: Vec<u32> = decode_nodes(&results).into_iter().chain(left).collect();
        nodes.sort_unstable();
        assert_eq!(nodes, tree.nodes());
        for (number, (id, _)) in tasks.iter_mut().enumerate() {
            *id = task(0, number as u64);
        }
        let next = tasks.len() as u64;
        let first = Journal::begin(recovery.directory, results, tasks.clone())?;
        let others = 1..processes;
        let mut journals = Vec::new();
        for process in others {
            journals.push(Journal::join(directory, &fingerprint(), first.run(), process as u32)?);
        }
        journals.insert(0, first);
        Ok(Lifetime { journals, tasks, next })
    }

    /// Runs one of the tasks in a process for up to `budget` nodes, and splits the rest of it into
    /// up to `parts` tasks.
    fn step(&mut self, tree: &Tree, process: usize, chosen: usize, budget: usize, parts: usize) {
        let (id, roots) = self.tasks.swap_remove(chosen % self.tasks.len());
        let process = process % self.journals.len();
        let (nodes, left) = tree.visit(decode_nodes(&roots), budget);
        let remaining: Vec<(TaskId, Vec<u8>)> = left
            .chunks(left.len().div_ceil(parts).max(1))
            .map(|roots| {
                self.next += 1;
                (task(process as u32, self.next), encode_nodes(roots))
            })
            .collect();
        self.journals[process].append(id, &encode_nodes(&nodes), &remaining).expect("written");
        self.tasks.extend(remaining);
    }
}
