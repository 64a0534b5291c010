//! The format of journal files: [`Opening`], [`Record`], and how they are read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{Fingerprint, Kind, LoadError, SaveError, Source, decode, unsuitable};

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
pub(crate) struct Run {
    /// From 1 on.
    pub(crate) number: u64,
    /// A random number: the runs of another search in a directory of the same name have the same
    /// numbers.
    pub(crate) nonce: u64,
}

/// The first part of a file: its run and process, and the snapshot in the file of process 0.
#[derive(Serialize, Deserialize)]
pub(super) struct Opening {
    pub(super) run: Run,
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
pub(super) struct Record<'a> {
    pub(super) task: TaskId,
    pub(super) results: &'a [u8],
    #[serde(borrow)]
    pub(super) remaining: Vec<(TaskId, &'a [u8])>,
}

impl Record<'_> {
    /// Serializes the record after a gap for its length.
    pub(super) fn encode(&self) -> Result<Vec<u8>, SaveError> {
        postcard::to_extend(self, vec![0; LENGTH]).map_err(unsuitable)
    }
}

const LENGTH: usize = 4;

/// Fills in the length and appends the checksum to the bytes that [`encode`](Record::encode)
/// returns. `checksum` is that of all bytes before, and becomes that of all bytes.
pub(super) fn complete(bytes: &mut Vec<u8>, checksum: &mut u32) -> Result<(), SaveError> {
    let too_long = |_| SaveError::Unsuitable { reason: "a record is longer than 4 GiB".to_owned() };
    let length = u32::try_from(bytes.len() - LENGTH).map_err(too_long)?;
    bytes[..LENGTH].copy_from_slice(&length.to_le_bytes());
    *checksum = continued(*checksum, &[bytes]);
    bytes.extend(checksum.to_le_bytes());
    Ok(())
}

/// Continues a checksum over further parts. Checksums themselves are not among the parts, because
/// the CRC of data followed by their own CRC is a constant.
fn continued(checksum: u32, parts: &[&[u8]]) -> u32 {
    let mut hasher = Hasher::new_with_initial(checksum);
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// A file whose first part is undamaged.
pub(super) struct JournalFile {
    pub(super) opening: Opening,
    /// The position of the first record, and the checksum of all bytes before it.
    start: u64,
    checksum: u32,
}

impl JournalFile {
    pub(super) fn open(path: &Path, fingerprint: &Fingerprint) -> Result<Self, LoadError> {
        let mut source = Source::open(Kind::Journal, BufReader::new(File::open(path)?))?;
        let mut data = Vec::new();
        source.read_to_end(&mut data)?;
        let (mut reader, checksum) = source.finish_part(fingerprint)?;
        let opening = decode(&data).map_err(|reason| LoadError::Unsound { reason })?;
        Ok(JournalFile { opening, start: reader.stream_position()?, checksum })
    }

    pub(super) fn records(&self, path: &Path) -> io::Result<Records<BufReader<File>>> {
        let mut reader = BufReader::new(File::open(path)?);
        reader.seek(SeekFrom::Start(self.start))?;
        Ok(Records { reader, checksum: self.checksum, data: Vec::new(), sound: self.start })
    }
}

/// A reader of records that ends at the first damaged one.
pub(super) struct Records<R> {
    reader: R,
    checksum: u32,
    /// The data of the last record that was read.
    data: Vec<u8>,
    /// The length in bytes of the undamaged beginning of the file.
    pub(super) sound: u64,
}

impl<R: Read> Records<R> {
    pub(super) fn next(&mut self) -> io::Result<Option<Record<'_>>> {
        let Some(length) = self.number()? else { return Ok(None) };
        self.data.clear();
        // Memory grows with the data that exist, whatever the length claims.
        let found = self.reader.by_ref().take(length.into()).read_to_end(&mut self.data)?;
        let Some(checksum) = self.number()? else { return Ok(None) };
        let found_checksum = continued(self.checksum, &[&length.to_le_bytes(), &self.data]);
        if found as u64 != u64::from(length) || checksum != found_checksum {
            return Ok(None);
        }
        let Ok(record) = decode(&self.data) else { return Ok(None) };
        self.checksum = checksum;
        self.sound += (2 * LENGTH + found) as u64;
        Ok(Some(record))
    }

    /// Reads a number; returns `None` if the file ends before the end of the number.
    fn number(&mut self) -> io::Result<Option<u32>> {
        let mut bytes = [0; LENGTH];
        match self.reader.read_exact(&mut bytes) {
            Ok(()) => Ok(Some(u32::from_le_bytes(bytes))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }
}
