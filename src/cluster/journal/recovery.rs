//! What the journals of the last run hold, put together.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::directory::{Directory, FileName, JournalError, list};
use super::format::{JournalFile, Record, Run, Snapshot, TaskId};
use crate::checkpoint::{Fingerprint, LoadError};

/// Where a search goes on.
#[derive(Debug)]
pub(crate) struct Recovery {
    /// The results with which the last run began: nothing, if there was none. The results of what
    /// it did come on top of it.
    pub(crate) results: Option<Vec<u8>>,
    /// The tasks that are left, under the names that they had in that run.
    pub(crate) tasks: Vec<(TaskId, Vec<u8>)>,
    /// How much was read.
    pub(crate) stats: Recovered,
    /// Where the next run begins.
    pub(crate) directory: Directory,
}

/// What was read of the journals of a search: see
/// [`ClusterSearch::on_recovery`](crate::cluster::ClusterSearch::on_recovery).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// Records that count, of the last run alone: all that was done before is in its beginning.
    pub records: u64,
    /// Records that do not, as the origin of their tasks is lost: they are done again.
    pub unreachable: u64,
    /// Bytes that are not as they were written, or not of this run: what they may have said is done
    /// again.
    pub ignored_bytes: u64,
    /// Tasks that are left.
    pub tasks: u64,
}

/// Reads the journals of the last run, before any process of the next adds to its own. What the
/// records that count say was found is given to `results`, one by one, in no order that means
/// anything; an error it gives says why this is no results.
///
/// Reads all files twice. Memory: the tasks that are left, and some 100 bytes for each record and
/// 50 for each task that it left.
///
/// # Errors
/// If a file cannot be read, is of another search or a later version, or if there are journals but
/// no sound snapshot among them.
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

/// The snapshot and the files of the newest run that has a sound snapshot, in the order of the
/// processes.
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
                // Even of a run that is not needed: it would be removed.
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
                    // What comes from before the last run is superseded, not ignored.
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

/// Whether a file may have been a journal of this search before it was damaged.
fn is_damage(error: &LoadError) -> bool {
    use LoadError::{CutShort, Damaged, Foreign, TrailingBytes, Unsound};
    matches!(
        error,
        Foreign | CutShort { .. } | Damaged { .. } | TrailingBytes { .. } | Unsound { .. }
    )
}

/// Which tasks were left of which, in all sound records.
#[derive(Default)]
struct RecordIndex {
    /// Where, for each task with a record, those that are left of it are among `remaining`.
    records: FxHashMap<TaskId, Range<usize>>,
    remaining: Vec<TaskId>,
    sound: u64,
}

/// What follows from the tasks with which a run began.
struct Reachable {
    /// Tasks with a record.
    counted: FxHashSet<TaskId>,
    /// Tasks without.
    left: FxHashSet<TaskId>,
}

impl RecordIndex {
    /// Gives how many bytes at the end of the file are ignored.
    fn read(&mut self, path: &Path, part: &JournalFile) -> io::Result<u64> {
        let mut records = part.records(path)?;
        while let Some(Record { task, remaining, .. }) = records.next()? {
            self.sound += 1;
            let from = self.remaining.len();
            // Were there two of one task, the first would count, which is the same one when all is
            // read again.
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
