//! The file of one process, to which records are appended: [`Journal`].

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::directory::{Directory, FileName, JournalError, create_directory};
use super::format::{Opening, Record, Run, Snapshot, TaskId, complete};
use crate::checkpoint::{Fingerprint, Kind, SaveError, create, remove_leftovers, seal};

/// The file of this process in this run. All workers of the process append to it.
#[derive(Debug)]
pub(crate) struct Journal {
    run: Run,
    path: PathBuf,
    tail: Mutex<Tail>,
}

/// The end of the file. The lock that holds it makes a record and its checksum one unit: records
/// follow each other whole, and each checksum continues the one before.
#[derive(Debug)]
struct Tail {
    /// `None` after an error: records after a torn one could not be read.
    file: Option<File>,
    /// The checksum of all bytes written.
    checksum: u32,
    bytes: u64,
}

impl Journal {
    /// Creates the journal of a file that holds `bytes`, the last of which are its checksum.
    pub(super) fn new(run: Run, path: PathBuf, file: File, bytes: &[u8]) -> Self {
        let checksum = bytes.last_chunk().copied().map_or(0, u32::from_le_bytes);
        Journal {
            run,
            path,
            tail: Mutex::new(Tail { file: Some(file), checksum, bytes: bytes.len() as u64 }),
        }
    }

    /// Begins the next run, as process 0, with the results so far and the tasks that are left. When
    /// this function returns, both are on the disk and the journals of older runs are removed. The
    /// directory is created if it does not exist.
    pub(crate) fn begin(
        directory: Directory,
        results: Vec<u8>,
        tasks: Vec<(TaskId, Vec<u8>)>,
    ) -> Result<Self, JournalError> {
        let Directory { path: place, fingerprint, found } = directory;
        create_directory(&place)?;
        let number = found.last().map_or(0, |name| name.run) + 1;
        // `RandomState` is seeded by the system's random numbers.
        let nonce = RandomState::new().hash_one(SystemTime::now());
        let run = Run { number, nonce };
        let path = FileName { run: number, process: 0 }.within(&place);
        let snapshot = Snapshot { results, tasks };
        let opening = Opening { run, process: 0, snapshot: Some(snapshot) };
        let bytes =
            seal(Kind::Journal, &fingerprint, &opening).map_err(JournalError::save(&path))?;
        // The file is created whole or not at all, so the run has begun or has not.
        create(&path, &bytes).map_err(Into::into).map_err(JournalError::save(&path))?;
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(Into::into).map_err(JournalError::save(&path))?;
        remove_leftovers(&path);
        for name in &found {
            // A file that cannot be removed only takes space: the newest run is the one that is
            // read.
            let _ = fs::remove_file(name.within(&place));
        }
        Ok(Self::new(run, path, file, &bytes))
    }

    /// Joins the run that process 0 has begun, as another process. The directory is created if it
    /// does not exist, which is the case if the hosts do not share it.
    pub(crate) fn join(
        directory: &Path,
        fingerprint: &Fingerprint,
        run: Run,
        process: u32,
    ) -> Result<Self, JournalError> {
        create_directory(directory)?;
        let path = FileName { run: run.number, process }.within(directory);
        let file = || -> Result<(File, Vec<u8>), SaveError> {
            let bytes =
                seal(Kind::Journal, fingerprint, &Opening { run, process, snapshot: None })?;
            let mut file = OpenOptions::new().append(true).create_new(true).open(&path)?;
            file.write_all(&bytes)?;
            Ok((file, bytes))
        };
        let (file, bytes) = file().map_err(JournalError::save(&path))?;
        Ok(Self::new(run, path, file, &bytes))
    }

    /// Returns the run, which the processes that join it must know.
    pub(crate) fn run(&self) -> Run {
        self.run
    }

    /// Returns the length of the file in bytes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> u64 {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }

    /// Records that a task was run for a slice: the results of just that slice, and the tasks that
    /// are left of the task. When this function returns, the system has the record, so that it
    /// survives the process. It must be called before the new tasks are distributed: records of
    /// them count only if this one exists.
    ///
    /// Cost: one system call. After an error, no further record can be added.
    pub(crate) fn append(
        &self,
        task: TaskId,
        results: &[u8],
        remaining: &[(TaskId, Vec<u8>)],
    ) -> Result<(), JournalError> {
        let remaining = remaining.iter().map(|(task, bytes)| (*task, bytes.as_slice())).collect();
        let bytes = Record { task, results, remaining }.encode();
        bytes.and_then(|bytes| self.write(bytes)).map_err(JournalError::save(&self.path))
    }

    fn write(&self, mut bytes: Vec<u8>) -> Result<(), SaveError> {
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = || io::Error::other("no record can be added after a failed write");
        let mut file = tail.file.take().ok_or_else(closed)?;
        complete(&mut bytes, &mut tail.checksum)?;
        file.write_all(&bytes)?;
        tail.bytes += bytes.len() as u64;
        tail.file = Some(file);
        Ok(())
    }
}
