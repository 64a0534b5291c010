//! Recovery: the combined contents of the journals of the last run.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::directory::{Directory, FileName, JournalError, list};
use super::format::{JournalFile, Record, Run, Snapshot, TaskId};
use crate::checkpoint::{Fingerprint, LoadError};

/// The state from which a search continues.
#[derive(Debug)]
pub(crate) struct Recovery {
    /// The results with which the last run began; `None` if there was no run. The results of its
    /// records are added to them.
    pub(crate) results: Option<Vec<u8>>,
    /// The tasks that are left, with their identities in that run.
    pub(crate) tasks: Vec<(TaskId, Vec<u8>)>,
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
    /// The number of records of the last run that count. Results of earlier runs are in its
    /// snapshot.
    pub records: u64,
    /// The number of records that do not count, because the origin of their tasks is lost. Their
    /// work is repeated.
    pub unreachable: u64,
    /// The number of bytes that are damaged or belong to another run. The work of their records is
    /// repeated.
    pub ignored_bytes: u64,
    /// The number of tasks that are left.
    pub tasks: u64,
}

/// Reads the journals of the last run, before any process of the next one writes. The results of
/// each record that counts are passed to `add_results`, in arbitrary order; an error that it
/// returns says why they are invalid.
///
/// Reads all files twice. Memory: the tasks that are left, and about 100 bytes for each record and
/// 50 for each task in a record.
///
/// If a file cannot be read, belongs to another search or a later version, or if there are journals
/// but none with an undamaged snapshot.
pub(crate) fn recover(
    directory: &Path,
    fingerprint: &Fingerprint,
    mut add_results: impl FnMut(&[u8]) -> Result<(), String>,
) -> Result<Recovery, JournalError> {
    let found = list(directory)?;
    let mut stats = Recovered::default();
    let last = last_run(directory, fingerprint, &found, &mut stats)?;
    let directory =
        Directory { path: directory.to_owned(), fingerprint: fingerprint.clone(), found };
    let Some((snapshot, parts)) = last else {
        return Ok(Recovery { results: None, tasks: Vec::new(), stats, directory });
    };
    let mut all = RecordIndex::default();
    for (path, part) in &parts {
        stats.ignored_bytes +=
            all.read(path, part).map_err(LoadError::Io).map_err(JournalError::load(path))?;
    }
    let Reachable { mut counted, mut left } =
        all.reachable(snapshot.tasks.iter().map(|(task, _)| *task));
    stats.records = counted.len() as u64;
    stats.unreachable = all.sound - stats.records;
    let mut tasks: Vec<(TaskId, Vec<u8>)> = snapshot.tasks;
    tasks.retain(|(task, _)| left.remove(task));
    for (path, part) in &parts {
        let mut read = || -> Result<(), LoadError> {
            let mut records = part.records(path)?;
            while let Some(Record { task, results: bytes, remaining }) = records.next()? {
                if counted.remove(&task) {
                    add_results(bytes).map_err(|reason| LoadError::Unsound { reason })?;
                    let remaining = remaining.into_iter().filter(|(task, _)| left.remove(task));
                    tasks.extend(remaining.map(|(task, bytes)| (task, bytes.to_vec())));
                }
            }
            Ok(())
        };
        read().map_err(JournalError::load(path))?;
    }
    if !counted.is_empty() || !left.is_empty() {
        let error = io::Error::other("the journals have changed while they were read");
        return Err(JournalError::load(&directory.path)(error.into()));
    }
    stats.tasks = tasks.len() as u64;
    Ok(Recovery { results: Some(snapshot.results), tasks, stats, directory })
}

/// Returns the snapshot and the files of the newest run with an undamaged snapshot, in the order of
/// the processes.
#[expect(clippy::type_complexity, reason = "it is taken apart where it is used")]
fn last_run(
    directory: &Path,
    fingerprint: &Fingerprint,
    found: &[FileName],
    stats: &mut Recovered,
) -> Result<Option<(Snapshot, Vec<(PathBuf, JournalFile)>)>, JournalError> {
    let mut last: Option<(Run, Snapshot)> = None;
    let mut parts = Vec::new();
    let mut unsound = None;
    for of_run in found.chunk_by(|one, other| one.run == other.run).rev() {
        for name in of_run {
            let path = name.within(directory);
            let part = match JournalFile::open(&path, fingerprint) {
                Ok(part) => Ok(part),
                Err(error) if is_damage(&error) => Err(error),
                // An error even for a file that is not needed, because the next run would remove
                // it.
                Err(error) => return Err(JournalError::load(&path)(error)),
            };
            match (part, &last) {
                (Ok(mut part), None)
                    if part.opening.run.number == name.run && part.opening.snapshot.is_some() =>
                {
                    last =
                        part.opening.snapshot.take().map(|snapshot| (part.opening.run, snapshot));
                    parts.push((path, part));
                }
                (Ok(part), Some((run, _))) if part.opening.run == *run => parts.push((path, part)),
                (part, last) => {
                    // Files of earlier runs are superseded, not ignored.
                    if last.as_ref().is_none_or(|(run, _)| run.number == name.run) {
                        let bytes = fs::metadata(&path)
                            .map_err(LoadError::Io)
                            .map_err(JournalError::load(&path))?
                            .len();
                        stats.ignored_bytes += bytes;
                    }
                    unsound = unsound.or(part.err().map(JournalError::load(&path)));
                }
            }
        }
    }
    match (last, unsound, found.last()) {
        (Some((_, snapshot)), ..) => Ok(Some((snapshot, parts))),
        (None, _, None) => Ok(None),
        (None, Some(error), _) => Err(error),
        (None, None, Some(name)) => {
            let missing =
                io::Error::new(io::ErrorKind::NotFound, "the snapshot of this run is missing");
            Err(JournalError::load(&FileName { process: 0, ..*name }.within(directory))(
                missing.into(),
            ))
        }
    }
}

/// Returns whether a file may have been a journal of this search before it was damaged.
fn is_damage(error: &LoadError) -> bool {
    use LoadError::{CutShort, Damaged, Foreign, TrailingBytes, Unsound};
    matches!(
        error,
        Foreign | CutShort { .. } | Damaged { .. } | TrailingBytes { .. } | Unsound { .. }
    )
}

/// The tasks of all undamaged records, without their data.
#[derive(Default)]
struct RecordIndex {
    /// The range in `remaining` of the tasks that are left of each task with a record.
    records: FxHashMap<TaskId, Range<usize>>,
    remaining: Vec<TaskId>,
    sound: u64,
}

/// The tasks that can be reached from those with which a run began.
struct Reachable {
    /// Tasks with a record.
    counted: FxHashSet<TaskId>,
    /// Tasks without a record.
    left: FxHashSet<TaskId>,
}

impl RecordIndex {
    /// Reads the records of a file. Returns the number of ignored bytes at its end.
    fn read(&mut self, path: &Path, part: &JournalFile) -> io::Result<u64> {
        let mut records = part.records(path)?;
        while let Some(Record { task, remaining, .. }) = records.next()? {
            self.sound += 1;
            let from = self.remaining.len();
            // If there were two records of one task, the first would count, here as well as in the
            // second pass.
            self.records.entry(task).or_insert_with(|| {
                self.remaining.extend(remaining.iter().map(|(task, _)| *task));
                from..self.remaining.len()
            });
        }
        Ok(fs::metadata(path)?.len().saturating_sub(records.sound))
    }

    fn reachable(&self, begun: impl Iterator<Item = TaskId>) -> Reachable {
        let mut reachable = Reachable { counted: FxHashSet::default(), left: FxHashSet::default() };
        let mut open: Vec<TaskId> = begun.collect();
        while let Some(task) = open.pop() {
            match self.records.get(&task) {
                Some(remaining) => {
                    if reachable.counted.insert(task) {
                        open.extend(&self.remaining[remaining.clone()]);
                    }
                }
                None => {
                    reachable.left.insert(task);
                }
            }
        }
        reachable
    }
}
