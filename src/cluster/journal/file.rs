//! The file of one process: the types of its records, and [`Journal`], which appends them. The
//! files of a directory: their names and their lock.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::checkpoint::{
    Fingerprint, Kind, LoadError, Lock, RecordWriter, SaveError, create, encode, remove_leftovers,
    unsuitable,
};

/// The identity of a task, unique within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct TaskId {
    /// The worker that created the task, numbered over all processes.
    pub(crate) worker: u32,
    /// The number of the task among those of this worker.
    pub(crate) number: u64,
}

/// The identity of a run, which process 0 sends to the others, so that their files are recognised
/// as part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunId {
    /// The number of the run, counted from 1.
    pub(crate) number: u64,
    /// A random number, which distinguishes the run from those of other searches with the same run
    /// number: directories of the same name on several hosts may belong to different searches.
    pub(crate) nonce: u64,
}

/// The first record of a file: its run and process and, only in the file of process 0, the
/// snapshot.
#[derive(Serialize, Deserialize)]
pub(super) struct Opening {
    pub(super) run: RunId,
    pub(super) process: u32,
    pub(super) snapshot: Option<Snapshot>,
}

/// The state in which a run begins.
#[derive(Serialize, Deserialize)]
pub(super) struct Snapshot {
    pub(super) results: Vec<u8>,
    pub(super) tasks: Vec<(TaskId, Vec<u8>)>,
}

/// A record: the results of a task that was run for a slice, and the tasks that are left of it.
#[derive(Serialize, Deserialize)]
pub(super) struct SliceRecord<'a> {
    pub(super) task: TaskId,
    pub(super) results: &'a [u8],
    #[serde(borrow)]
    pub(super) remaining: Vec<(TaskId, &'a [u8])>,
}

/// The file of this process in this run. All workers of the process append to it.
#[derive(Debug)]
pub(crate) struct Journal {
    run: RunId,
    path: PathBuf,
    tail: Mutex<Tail>,
}

/// The end of the file. The mutex around it keeps concurrent records apart. Each checksum continues
/// that of the record before, so records are written in the order in which they are encoded.
#[derive(Debug)]
struct Tail {
    /// `None` after an error: records after a torn one could not be read.
    file: Option<File>,
    /// Holds the bytes of a record until they are written, in one system call.
    records: RecordWriter<Vec<u8>>,
}

/// Creates the error for a file with the largest run number. This crate never reaches that number.
fn no_next_run(directory: &Path, last: FileName) -> SaveError {
    let path = last.within(directory);
    let reason = "no run can follow this number; move the file to another directory";
    on_save(&path)(io::Error::other(reason))
}

impl Journal {
    /// Creates the file of a process with its first record. `write` creates the file with the bytes
    /// that it is given, and returns it open for appending.
    fn create(
        path: PathBuf,
        fingerprint: &Fingerprint,
        opening: &Opening,
        write: impl FnOnce(&Path, &[u8]) -> io::Result<File>,
    ) -> Result<Self, SaveError> {
        let tail = || -> Result<Tail, SaveError> {
            let mut records = RecordWriter::begin(Vec::new(), Kind::Journal, fingerprint)?;
            records.record(&encode(opening)?)?;
            let file = Some(write(&path, &records.take_bytes())?);
            Ok(Tail { file, records })
        };
        let tail = Mutex::new(tail().map_err(on_save(&path))?);
        Ok(Journal { run: opening.run, path, tail })
    }

    /// Begins the next run, as process 0, with the results so far and the tasks that are left. When
    /// this function returns, both are on the disk and the journals of older runs are removed. The
    /// directory is created if it does not exist.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, or the last run has the largest number.
    pub(crate) fn begin(
        directory: Directory,
        results: Vec<u8>,
        tasks: Vec<(TaskId, Vec<u8>)>,
    ) -> Result<Self, SaveError> {
        let Directory { path: directory, fingerprint, found } = directory;
        create_directory(&directory)?;
        let number = match found.last() {
            Some(last) => last.run.checked_add(1).ok_or_else(|| no_next_run(&directory, *last))?,
            None => 1,
        };
        // `RandomState` is seeded by the system's random numbers.
        let nonce = RandomState::new().hash_one(SystemTime::now());
        let run = RunId { number, nonce };
        let path = FileName { run: number, process: 0 }.within(&directory);
        let opening = Opening { run, process: 0, snapshot: Some(Snapshot { results, tasks }) };
        let journal = Self::create(path, &fingerprint, &opening, |path, bytes| {
            // The file is created whole or not at all, so a crash cannot leave a run half begun.
            create(path, |file| file.write_all(bytes))?;
            OpenOptions::new().append(true).open(path)
        })?;
        remove_leftovers(&journal.path);
        for name in &found {
            // A file that cannot be removed only takes space: the newest run is the one that is
            // read.
            let _ = fs::remove_file(name.within(&directory));
        }
        Ok(journal)
    }

    /// Joins the run that process 0 has begun, as another process. The directory is created if it
    /// does not exist, which is the case if the hosts do not share it.
    ///
    /// # Errors
    /// Returns an error if the file exists already or cannot be written.
    pub(crate) fn join(
        directory: &Path,
        fingerprint: &Fingerprint,
        run: RunId,
        process: u32,
    ) -> Result<Self, SaveError> {
        create_directory(directory)?;
        let path = FileName { run: run.number, process }.within(directory);
        let opening = Opening { run, process, snapshot: None };
        Self::create(path, fingerprint, &opening, |path, bytes| {
            let mut file = OpenOptions::new().append(true).create_new(true).open(path)?;
            file.write_all(bytes)?;
            Ok(file)
        })
    }

    /// Returns the run, which the processes that join it must know.
    pub(crate) fn run(&self) -> RunId {
        self.run
    }

    /// Records that a task was run for a slice: the results of just that slice, and the tasks that
    /// are left of the task. When this function returns, the system has the record, so that it
    /// survives the process. Call it before the tasks that are left are distributed: their records
    /// count only if the record of this slice exists.
    ///
    /// Cost: one system call.
    ///
    /// # Errors
    /// Returns an error if the record cannot be serialized or written. After a failed write, no
    /// further record can be added.
    pub(crate) fn append(
        &self,
        task: TaskId,
        results: &[u8],
        remaining: &[(TaskId, Vec<u8>)],
    ) -> Result<(), SaveError> {
        let remaining = remaining.iter().map(|(task, bytes)| (*task, bytes.as_slice())).collect();
        let data = postcard::to_allocvec(&SliceRecord { task, results, remaining });
        let written = data.map_err(unsuitable).and_then(|data| self.write(&data));
        written.map_err(on_save(&self.path))
    }

    /// Appends a record of these bytes.
    pub(super) fn write(&self, data: &[u8]) -> Result<(), SaveError> {
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = || io::Error::other("no record can be added after a failed write");
        let mut file = tail.file.take().ok_or_else(closed)?;
        tail.records.record(data)?;
        file.write_all(&tail.records.take_bytes())?;
        tail.file = Some(file);
        Ok(())
    }
}

/// The run and process in the name of a journal, ordered by run and then by process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileName {
    pub(super) run: u64,
    pub(super) process: u32,
}

impl FileName {
    pub(super) fn within(self, directory: &Path) -> PathBuf {
        directory.join(self.text())
    }

    fn text(self) -> String {
        format!("run-{:06}-process-{:04}.journal", self.run, self.process)
    }

    fn parse(text: &str) -> Option<Self> {
        let (run, process) =
            text.strip_prefix("run-")?.strip_suffix(".journal")?.split_once("-process-")?;
        let name = FileName { run: run.parse().ok()?, process: process.parse().ok()? };
        // Other spellings of the same numbers are not names that this crate writes.
        (name.text() == text).then_some(name)
    }
}

/// Returns the journals in a directory, sorted; none if the directory does not exist.
pub(super) fn list(directory: &Path) -> Result<Vec<FileName>, LoadError> {
    let names = || -> io::Result<Vec<FileName>> {
        let entries = match fs::read_dir(directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            names.extend(entry?.file_name().to_str().and_then(FileName::parse));
        }
        names.sort_unstable();
        Ok(names)
    };
    names().map_err(on_load(directory))
}

/// A directory whose journals may be replaced, because each of them belongs to this search or is
/// damaged.
#[derive(Debug)]
pub(crate) struct Directory {
    pub(super) path: PathBuf,
    pub(super) fingerprint: Fingerprint,
    /// The journals found, sorted.
    pub(super) found: Vec<FileName>,
}

/// Locks a directory of journals against other clusters, as process 0. The directory is created if
/// it does not exist.
///
/// # Errors
/// Returns an error if the directory cannot be created or locked, or another run holds the lock.
pub(crate) fn lock_directory(directory: &Path) -> Result<Lock, SaveError> {
    create_directory(directory)?;
    Lock::of_directory(directory).map_err(on_save(directory))
}

fn create_directory(directory: &Path) -> Result<(), SaveError> {
    fs::create_dir_all(directory).map_err(on_save(directory))
}

/// Returns a function that adds the path to an error of writing.
pub(super) fn on_save<E: Into<SaveError>>(path: &Path) -> impl FnOnce(E) -> SaveError {
    |error| error.into().in_file(path)
}

/// Returns a function that adds the path to an error of reading.
pub(super) fn on_load<E: Into<LoadError>>(path: &Path) -> impl FnOnce(E) -> LoadError {
    |error| error.into().in_file(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_journals_are_parsed() {
        let name = FileName { run: 12, process: 3 };
        assert_eq!(name.text(), "run-000012-process-0003.journal");
        assert_eq!(FileName::parse(&name.text()), Some(name));
        let name = FileName { run: 12_345_678, process: 54_321 };
        assert_eq!(FileName::parse(&name.text()), Some(name));
        for other in [
            "run-12-process-0003.journal",
            "run-000012-process-0003.journal.part",
            "run-+00012-process-0003.journal",
        ] {
            assert_eq!(FileName::parse(other), None, "{other}");
        }
    }
}
