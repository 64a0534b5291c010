//! [`Journal`]: the file of one process, to which records are added.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::directory::{Directory, FileName, JournalError, create_directory};
use super::format::{Opening, Record, Run, Snapshot, TaskId, complete};
use crate::checkpoint::{Fingerprint, Kind, SaveError, create, remove_leftovers, seal};

/// The file of this process in this run. All its workers may add to it.
#[derive(Debug)]
pub(crate) struct Journal {
    run: Run,
    path: PathBuf,
    tail: Mutex<Tail>,
}

/// The end of the file.
#[derive(Debug)]
struct Tail {
    /// Nothing after an error: behind a torn record, no other would be read.
    file: Option<File>,
    /// Of all that is written.
    checksum: u32,
    bytes: u64,
}

impl Journal {
    /// With a file that holds these bytes, the last of which are their checksum.
    pub(super) fn new(run: Run, path: PathBuf, file: File, bytes: &[u8]) -> Self {
        let checksum = bytes.last_chunk().copied().map_or(0, u32::from_le_bytes);
        Journal {
            run,
            path,
            tail: Mutex::new(Tail { file: Some(file), checksum, bytes: bytes.len() as u64 }),
        }
    }

    /// Begins the next run, as process 0, with the results so far and the tasks that are left. When
    /// this returns, both are on the disk, and the journals of older runs are removed. The
    /// directory is made if it does not exist.
    pub(crate) fn begin(
        directory: Directory,
        results: Vec<u8>,
        tasks: Vec<(TaskId, Vec<u8>)>,
    ) -> Result<Self, JournalError> {
        let Directory { path: place, fingerprint, found } = directory;
        create_directory(&place)?;
        let number = found.last().map_or(0, |name| name.run) + 1;
        // The keys are the system's random numbers.
        let nonce = RandomState::new().hash_one(SystemTime::now());
        let run = Run { number, nonce };
        let path = FileName { run: number, process: 0 }.within(&place);
        let snapshot = Snapshot { results, tasks };
        let opening = Opening { run, process: 0, snapshot: Some(snapshot) };
        let bytes =
            seal(Kind::Journal, &fingerprint, &opening).map_err(JournalError::save(&path))?;
        // Under its name it is whole: the run has begun, or it has not.
        create(&path, &bytes).map_err(Into::into).map_err(JournalError::save(&path))?;
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(Into::into).map_err(JournalError::save(&path))?;
        remove_leftovers(&path);
        for name in &found {
            // What is left behind takes space, and no more: the newest run is the one that is read.
            let _ = fs::remove_file(name.within(&place));
        }
        Ok(Self::new(run, path, file, &bytes))
    }

    /// Joins the run that process 0 has begun, as another process. The directory is made if it does
    /// not exist, which is the case where hosts do not share it.
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

    /// The run that has begun, to be told to the processes that join it.
    pub(crate) fn run(&self) -> Run {
        self.run
    }

    /// How many bytes the file has.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> u64 {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }

    /// Records that a task was run for a while: the results of just that, and what is left of it,
    /// as new tasks. When this returns, the system has it, so that it outlasts the process. To be
    /// done before the new tasks are sent on: what is done of them counts only if this is there.
    ///
    /// Cost: one call of the system. After an error, no more can be added: what was done then has
    /// no place to be kept.
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
        let closed = || io::Error::other("nothing can be added since it could not be written once");
        let mut file = tail.file.take().ok_or_else(closed)?;
        complete(&mut bytes, &mut tail.checksum)?;
        file.write_all(&bytes)?;
        tail.bytes += bytes.len() as u64;
        tail.file = Some(file);
        Ok(())
    }
}
