//! Truncated, changed and lost files of a search whose tree is counted task by task.

use std::path::PathBuf;

use proptest::prelude::*;

use super::*;

fn files(directory: &Path) -> Vec<PathBuf> {
    names(directory).into_iter().map(|name| directory.join(name)).collect()
}

/// Returns the number of bytes before the first record of a file.
fn opening(file: &Path) -> usize {
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
fn killed(directory: &Path) -> Tree {
    let tree = Tree::new(&[0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 8, 9]);
    let mut life = Life::begin(directory, &tree, 3).expect("begun");
    for step in 0..7 {
        life.step(&tree, step, step * 5, 2, 2);
    }
    tree
}

/// Continues the search to its end, and asserts that all nodes are counted once.
fn continue_to_end(directory: &Path, tree: &Tree) -> Result<(), JournalError> {
    let mut life = Life::begin(directory, tree, 2)?;
    while !life.tasks.is_empty() {
        life.step(tree, life.tasks.len(), 0, 3, 2);
    }
    drop(life);
    let life = Life::begin(directory, tree, 1)?;
    assert!(life.tasks.is_empty());
    Ok(())
}

/// Damages each byte of each file, one at a time. Asserts an error if the byte belongs to the
/// snapshot, and an exact count otherwise.
fn each_byte(damage: impl Fn(&mut Vec<u8>, usize)) {
    let place = Place::new();
    let tree = killed(&place.0);
    let whole: Vec<(PathBuf, Vec<u8>)> = files(&place.0)
        .into_iter()
        .map(|file| (file.clone(), fs::read(file).expect("read")))
        .collect();
    assert_eq!(whole.len(), 3);
    for (index, (file, bytes)) in whole.iter().enumerate() {
        let snapshot = if index == 0 { opening(file) } else { 0 };
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
    each_byte(Vec::truncate);
}

#[test]
fn a_change_of_any_byte_loses_no_work_or_is_an_error() {
    each_byte(|bytes, at| bytes[at] ^= 1 << (at % 8));
}

#[test]
fn ignored_bytes_and_records_are_counted() {
    let place = Place::new();
    let first = begin(&place.0, b"", &[named(1, b"one")]);
    first.append(task(0, 1), b"first", &[named(2, b"two")]).expect("written");
    let file = &files(&place.0)[0];
    let sound = fs::metadata(file).expect("a file").len() as usize;
    first.append(task(0, 2), b"second", &[named(3, b"three")]).expect("written");
    first.append(task(0, 3), b"third", &[]).expect("written");
    let whole = fs::read(file).expect("read");
    for end in sound..whole.len() {
        // Some file systems leave zeros in place of unwritten bytes.
        for zeros in [0, 5, 500] {
            fs::write(file, [&whole[..end], &vec![0; zeros]].concat()).expect("written");
            let (recovery, results) = recovered(&place.0).expect("sound");
            // A record is whole if its missing bytes happen to be zeros, such as the last one of
            // its checksum, which depends on the random number of the run.
            let is_whole = |to: usize| {
                end + zeros >= to && whole[end.min(to)..to].iter().all(|&byte| byte == 0)
            };
            let records: Vec<usize> = [sound, sound + 34, whole.len()]
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
    let second = &whole[sound..sound + 34];
    fs::write(file, [&whole[..sound], &whole[sound + 34..], second].concat()).expect("written");
    assert_eq!(recovered(&place.0).expect("sound").0.stats.records, 1);
}

/// Damage after a cluster is killed.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    Nothing,
    /// At a position in a file, in units of 1/65,536 of its length.
    Cut(u16),
    Change(u16),
    Lost,
}

fn mishap() -> impl Strategy<Value = Mishap> {
    prop_oneof![
        Just(Mishap::Nothing),
        any::<u16>().prop_map(Mishap::Cut),
        any::<u16>().prop_map(Mishap::Change),
        Just(Mishap::Lost)
    ]
}

/// A lifetime of the cluster: the number of processes; the process, task, nodes and parts of each
/// step; the damaged file; the damage; and whether the files of the previous run are not removed.
type Plan = (usize, Vec<(usize, usize, usize, usize)>, usize, Mishap, bool);

fn plan() -> impl Strategy<Value = Plan> {
    let steps = prop::collection::vec((0..5_usize, 0..1_000_usize, 1..20_usize, 1..5_usize), 0..30);
    (1..5_usize, steps, 0..5_usize, mishap(), any::<bool>())
}

proptest! {
    #[test]
    fn every_node_counts_once_after_any_damage(
        parents in prop::collection::vec(0..1_000_usize, 0..200),
        lives in prop::collection::vec(plan(), 1..6),
    ) {
        let place = Place::new();
        let tree = Tree::new(&parents);
        for (processes, steps, file, mishap, stays) in lives {
            let before: Vec<(PathBuf, Vec<u8>)> = files(&place.0)
                .into_iter()
                .map(|file| (file.clone(), fs::read(file).expect("read")))
                .collect();
            let mut life = Life::begin(&place.0, &tree, processes).expect("sound");
            for (process, chosen, budget, parts) in steps {
                if !life.tasks.is_empty() {
                    life.step(&tree, process, chosen, budget, parts);
                }
            }
            drop(life);
            if stays {
                for (file, bytes) in before {
                    fs::write(file, bytes).expect("written");
                }
            }
            // The snapshot is flushed to the disk first, so that only the records can be damaged.
            let files = files(&place.0);
            let file = &files[file % files.len()];
            let is_first = file.to_str().expect("text").ends_with("-0000.journal");
            let snapshot = if is_first { opening(file) } else { 0 };
            let mut bytes = fs::read(file).expect("read");
            let records = bytes.len() - snapshot;
            let at = |part: u16| snapshot + records * usize::from(part) / (1 << 16);
            match mishap {
                Mishap::Cut(part) => bytes.truncate(at(part)),
                Mishap::Change(part) => {
                    let at = at(part);
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = !*byte;
                    }
                }
                Mishap::Nothing | Mishap::Lost => {}
            }
            fs::write(file, bytes).expect("written");
            if snapshot == 0 && matches!(mishap, Mishap::Lost) {
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

fn encode(nodes: &[u32]) -> Vec<u8> {
    nodes.iter().flat_map(|node| node.to_le_bytes()).collect()
}

fn decode(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four"))).collect()
}

/// One lifetime of the cluster: the journals of the processes, and the tasks in progress.
struct Life {
    journals: Vec<Journal>,
    tasks: Vec<(TaskId, Vec<u8>)>,
    next: u64,
}

impl Life {
    /// Continues from the journals, after asserting that they account for every node of the tree
    /// once.
    fn begin(directory: &Path, tree: &Tree, processes: usize) -> Result<Self, JournalError> {
        let (recovery, results) = recovered(directory)?;
        let (results, mut tasks) = match recovery.found_run {
            false => (Vec::new(), vec![(task(0, 0), encode(&[0]))]),
            true => (results.concat(), recovery.tasks),
        };
        let left = tasks.iter().flat_map(|(_, roots)| tree.visit(decode(roots), usize::MAX).0);
        let mut nodes: Vec<u32> = decode(&results).into_iter().chain(left).collect();
        nodes.sort_unstable();
        assert_eq!(nodes, tree.nodes());
        for (number, (name, _)) in tasks.iter_mut().enumerate() {
            *name = task(0, number as u64);
        }
        let next = tasks.len() as u64;
        let first = Journal::begin(recovery.directory, results, tasks.clone())?;
        let others = 1..processes;
        let mut journals = Vec::new();
        for process in others {
            journals.push(Journal::join(directory, &fingerprint(), first.run(), process as u32)?);
        }
        journals.insert(0, first);
        Ok(Life { journals, tasks, next })
    }

    /// Runs one of the tasks in a process for up to `budget` nodes, and splits the rest of it into
    /// up to `parts` tasks.
    fn step(&mut self, tree: &Tree, process: usize, chosen: usize, budget: usize, parts: usize) {
        let (name, roots) = self.tasks.swap_remove(chosen % self.tasks.len());
        let process = process % self.journals.len();
        let (nodes, left) = tree.visit(decode(&roots), budget);
        let remaining: Vec<(TaskId, Vec<u8>)> = left
            .chunks(left.len().div_ceil(parts).max(1))
            .map(|roots| {
                self.next += 1;
                (task(process as u32, self.next), encode(roots))
            })
            .collect();
        self.journals[process].append(name, &encode(&nodes), &remaining).expect("written");
        self.tasks.extend(remaining);
    }
}
