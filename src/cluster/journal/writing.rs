//! [`Journal`]: the file of one process, to which records are added.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::directory::{Name, make};
use super::format::{Finished, Opening, complete};
use super::{JournalError, Run, TaskId};
use crate::checkpoint::{Fingerprint, Kind, SaveError, seal};

/// The file of this process in this run. All its workers may add to it.
#[derive(Debug)]
pub(crate) struct Journal {
    run: Run,
    path: PathBuf,
    end: Mutex<End>,
}

/// The end of the file.
#[derive(Debug)]
struct End {
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
            end: Mutex::new(End { file: Some(file), checksum, bytes: bytes.len() as u64 }),
        }
    }

    /// Joins the run that process 0 has begun, as another process. The directory is made if it does
    /// not exist, which is the case where hosts do not share it.
    pub(crate) fn join(
        directory: &Path,
        fingerprint: &Fingerprint,
        run: Run,
        process: u32,
    ) -> Result<Self, JournalError> {
        make(directory)?;
        let path = Name { run: run.number, process }.within(directory);
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
        self.end.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }

    /// Records that a task was run for a while: the account of just that, and what is left of it,
    /// as new tasks. When this returns, the system has it, so that it outlasts the process. To be
    /// done before the new tasks are sent on: what is done of them counts only if this is there.
    ///
    /// Cost: one call of the system. After an error, no more can be added: what was done then has
    /// no place to be kept.
    pub(crate) fn finished(
        &self,
        task: TaskId,
        account: &[u8],
        rest: &[(TaskId, Vec<u8>)],
    ) -> Result<(), JournalError> {
        let rest = rest.iter().map(|(task, bytes)| (*task, bytes.as_slice())).collect();
        let bytes = Finished { task, account, rest }.encode();
        bytes.and_then(|bytes| self.append(bytes)).map_err(JournalError::save(&self.path))
    }

    fn append(&self, mut bytes: Vec<u8>) -> Result<(), SaveError> {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = || io::Error::other("nothing can be added since it could not be written once");
        let mut file = end.file.take().ok_or_else(closed)?;
        complete(&mut bytes, &mut end.checksum)?;
        file.write_all(&bytes)?;
        end.bytes += bytes.len() as u64;
        end.file = Some(file);
        Ok(())
    }
}
