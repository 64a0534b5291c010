//! Recovery: the combined contents of the journals of the last run.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::file::{
    Directory, FileName, Opening, RunId, SliceRecord, Snapshot, TaskId, list, on_load,
};
use crate::checkpoint::{Fingerprint, Kind, LoadError, RecordReader};

/// The state from which a search continues.
#[derive(Debug)]
pub(crate) struct Recovery<T> {
    /// Whether there are journals of an earlier run.
    pub(crate) found_run: bool,
    /// The tasks that are left, with their identities in the last run.
    pub(crate) tasks: Vec<(TaskId, T)>,
    /// Statistics of what was read.
    pub(crate) stats: Recovered,
    /// The directory in which the next run begins.
    pub(crate) directory: Directory,
}

/// Statistics of the recovery of a journal: see
/// [`ClusterSearch::on_recovery`](crate::cluster::ClusterSearch::on_recovery).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The number of records of the last run whose results were used. Results of earlier runs are
    /// in its snapshot.
    pub records: u64,
    /// The number of undamaged records that were not used, because the record that created their
    /// task is lost. Their work is repeated.
    pub unreachable: u64,
    /// The number of bytes that are damaged or belong to another run. The work of their records is
    /// repeated.
    pub ignored_bytes: u64,
    /// The number of tasks that are left.
    pub tasks: u64,
}

/// Reads the journals of the last run, before any process of the next one writes. Passes the
/// results of the snapshot, and then those of each record that counts, in arbitrary order, to
/// `add_results`. Passes each remaining task to `read_task`. Both return the reason as an error if
/// the bytes are invalid.
///
/// Reads the files of the last run twice, and the beginnings of all others. Memory: the snapshot,
/// the tasks that are left, and about 100 bytes for each record and 50 for each task in a record.
///
/// # Errors
///
/// Returns an error if a file cannot be read, belongs to another search or has another version of
/// the format; if there are journals but none with an undamaged snapshot; or if undamaged bytes of
/// the last run are invalid. It names the file, and the place of invalid bytes in it.
pub(crate) fn recover<T>(
    directory: &Path,
    fingerprint: &Fingerprint,
    mut add_results: impl FnMut(&[u8]) -> Result<(), String>,
    mut read_task: impl FnMut(&[u8]) -> Result<T, String>,
) -> Result<Recovery<T>, LoadError> {
    let found = list(directory)?;
    let mut stats = Recovered::default();
    let mut index = RecordIndex::default();
    let last = last_run(directory, fingerprint, &found, &mut index, &mut stats.ignored_bytes)?;
    let directory =
        Directory { path: directory.to_owned(), fingerprint: fingerprint.clone(), found };
    let Some((snapshot, paths)) = last else {
        return Ok(Recovery { found_run: false, tasks: Vec::new(), stats, directory });
    };
    let Reachable { mut counted, mut pending } = index
        .reachable(snapshot.tasks.iter().map(|(task, _)| *task))
        .map_err(on_load(&directory.path))?;
    stats.records = counted.len() as u64;
    stats.unreachable = index.undamaged - stats.records;
    let mut tasks = Vec::new();
    let mut read_snapshot = || -> Result<(), LoadError> {
        let inconsistent = |place: &str, reason: &str| LoadError::Inconsistent {
            reason: format!("{place} snapshot: {reason}"),
        };
        add_results(&snapshot.results)
            .map_err(|reason| inconsistent("the results of the", &reason))?;
        for (task, bytes) in &snapshot.tasks {
            if pending.remove(task) {
                let TaskId { worker, number } = task;
                let read = read_task(bytes).map_err(|reason| {
                    inconsistent(&format!("task {number} of worker {worker} in the"), &reason)
                })?;
                tasks.push((*task, read));
            }
        }
        Ok(())
    };
    // The file with the snapshot is the first one of its run.
    let snapshot_path = paths.first().unwrap_or(&directory.path);
    read_snapshot().map_err(on_load(snapshot_path))?;
    for path in &paths {
        let mut read = || -> Result<(), LoadError> {
            let (mut records, _) = open(path, fingerprint)?;
            while let Some(record) = records.next_appended()? {
                let SliceRecord { task, results, remaining } = record.decode()?;
                if counted.remove(&task) {
                    add_results(results).map_err(|reason| record.inconsistent(&reason))?;
                    for (task, bytes) in remaining {
                        if pending.remove(&task) {
                            let read =
                                read_task(bytes).map_err(|reason| record.inconsistent(&reason))?;
                            tasks.push((task, read));
                        }
                    }
                }
            }
            Ok(())
        };
        read().map_err(on_load(path))?;
    }
    if !counted.is_empty() || !pending.is_empty() {
        let error = io::Error::other("the journals have changed while they were read");
        return Err(on_load(&directory.path)(error));
    }
    stats.tasks = tasks.len() as u64;
    Ok(Recovery { found_run: true, tasks, stats, directory })
}

/// A reader of a journal, and the first record.
type Opened = (RecordReader<BufReader<File>>, Opening);

fn open(path: &Path, fingerprint: &Fingerprint) -> Result<Opened, LoadError> {
    let reader = BufReader::new(File::open(path)?);
    let mut records = RecordReader::open(reader, Kind::Journal, fingerprint)?;
    let opening = records.next_as()?;
    Ok((records, opening))
}

/// Finds the newest run with an undamaged snapshot. Returns the snapshot and the files of the run,
/// in the order of the processes, and adds the records of these files to `index`.
fn last_run(
    directory: &Path,
    fingerprint: &Fingerprint,
    found: &[FileName],
    index: &mut RecordIndex,
    ignored_bytes: &mut u64,
) -> Result<Option<(Snapshot, Vec<PathBuf>)>, LoadError> {
    let mut last: Option<(RunId, Snapshot)> = None;
    let mut paths = Vec::new();
    let mut damage = None;
    // The newest run comes first. Within a run, the file of process 0 does, which has the snapshot.
    for name in found.chunk_by(|one, other| one.run == other.run).rev().flatten() {
        let path = name.within(directory);
        let opened = match open(&path, fingerprint) {
            Ok(opened) => Some(opened),
            Err(error) if error.is_damage() => {
                damage = damage.or(Some(on_load(&path)(error)));
                None
            }
            // This is an error even if the file is not needed, because the next run would remove
            // it.
            Err(error) => return Err(on_load(&path)(error)),
        };
        let length = || fs::metadata(&path).map(|file| file.len()).map_err(on_load(&path));
        if let Some((records, Opening { run, snapshot, .. })) = opened {
            if last.is_none() && run.number == name.run {
                last = snapshot.map(|snapshot| (run, snapshot));
            }
            if last.as_ref().is_some_and(|(last, _)| *last == run) {
                let undamaged = index.read(records).map_err(on_load(&path))?;
                *ignored_bytes += length()?.saturating_sub(undamaged);
                paths.push(path);
                continue;
            }
        }
        // Files of earlier runs are superseded, not ignored.
        if last.as_ref().is_none_or(|(run, _)| run.number == name.run) {
            *ignored_bytes += length()?;
        }
    }
    match (last, damage, found.last()) {
        (Some((_, snapshot)), ..) => Ok(Some((snapshot, paths))),
        (None, _, None) => Ok(None),
        (None, Some(error), _) => Err(error),
        (None, None, Some(name)) => {
            let missing =
                io::Error::new(io::ErrorKind::NotFound, "the snapshot of this run is missing");
            Err(on_load(&FileName { process: 0, ..*name }.within(directory))(missing))
        }
    }
}

/// The tasks of all undamaged records, without their data.
#[derive(Default)]
struct RecordIndex {
    /// For each task with a record, the range in `remaining` of the tasks that the record creates.
    records: FxHashMap<TaskId, Range<usize>>,
    remaining: Vec<TaskId>,
    /// The number of undamaged records.
    undamaged: u64,
}

/// The tasks that can be reached from those with which a run began.
struct Reachable {
    /// Tasks with a record.
    counted: FxHashSet<TaskId>,
    /// Tasks without a record.
    pending: FxHashSet<TaskId>,
}

impl RecordIndex {
    /// Reads the records of a file. Returns the length in bytes of its undamaged beginning.
    fn read(&mut self, mut records: RecordReader<impl Read>) -> Result<u64, LoadError> {
        while let Some(record) = records.next_appended()? {
            let SliceRecord { task, remaining, .. } = record.decode()?;
            self.undamaged += 1;
            let start = self.remaining.len();
            // If there were two records of one task, the first would count, here as well as in the
            // second pass.
            self.records.entry(task).or_insert_with(|| {
                self.remaining.extend(remaining.iter().map(|(task, _)| *task));
                start..self.remaining.len()
            });
        }
        Ok(records.start())
    }

    /// Finds the tasks that can be reached from those with which the run began.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is created twice, because one of its two sets of subtrees
    /// would be lost.
    fn reachable(&self, initial: impl Iterator<Item = TaskId>) -> Result<Reachable, LoadError> {
        let mut reachable =
            Reachable { counted: FxHashSet::default(), pending: FxHashSet::default() };
        let mut unvisited: Vec<TaskId> = initial.collect();
        while let Some(task) = unvisited.pop() {
            let is_new = match self.records.get(&task) {
                Some(remaining) => {
                    unvisited.extend(&self.remaining[remaining.clone()]);
                    reachable.counted.insert(task)
                }
                None => reachable.pending.insert(task),
            };
            if !is_new {
                let TaskId { worker, number } = task;
                let reason = format!(
                    "found task {number} of worker {worker} twice, in the snapshot or among the \
                     remaining tasks of records, expected it once"
                );
                return Err(LoadError::Inconsistent { reason });
            }
        }
        Ok(reachable)
    }
}
