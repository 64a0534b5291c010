//! What the files hold.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{Fingerprint, Kind, LoadError, SaveError, Source, decode, unsuitable};

/// The name of a task, never given to two tasks of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct TaskId {
    /// The worker that left the task, over all processes.
    pub(crate) worker: u32,
    /// Which of the tasks of this worker it is.
    pub(crate) number: u64,
}

/// A life of the cluster: what process 0 tells the others, for their files to be known as its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// From 1 on.
    pub(crate) number: u64,
    /// Drawn at random: another search in a directory of the same name has runs of the same
    /// numbers.
    pub(crate) nonce: u64,
}

/// Of which run and process a file is; that of process 0 has a snapshot.
#[derive(Serialize, Deserialize)]
pub(super) struct Opening {
    pub(super) run: Run,
    pub(super) process: u32,
    pub(super) snapshot: Option<Snapshot>,
}

/// Where a run begins.
#[derive(Serialize, Deserialize)]
pub(super) struct Snapshot {
    pub(super) results: Vec<u8>,
    pub(super) tasks: Vec<(TaskId, Vec<u8>)>,
}

/// A record: what was done of a task, and what is left of it.
#[derive(Serialize, Deserialize)]
pub(super) struct Record<'a> {
    pub(super) task: TaskId,
    pub(super) results: &'a [u8],
    #[serde(borrow)]
    pub(super) remaining: Vec<(TaskId, &'a [u8])>,
}

impl Record<'_> {
    /// The data of a record behind room for their length.
    pub(super) fn encode(&self) -> Result<Vec<u8>, SaveError> {
        postcard::to_extend(self, vec![0; LENGTH]).map_err(unsuitable)
    }
}

const LENGTH: usize = 4;

/// Completes the bytes that [`encode`](Record::encode) gives. The checksum of what comes before
/// them becomes that of all.
pub(super) fn complete(bytes: &mut Vec<u8>, checksum: &mut u32) -> Result<(), SaveError> {
    let too_long = |_| SaveError::Unsuitable { reason: "a record is longer than 4 GiB".to_owned() };
    let length = u32::try_from(bytes.len() - LENGTH).map_err(too_long)?;
    bytes[..LENGTH].copy_from_slice(&length.to_le_bytes());
    *checksum = continued(*checksum, &[bytes]);
    bytes.extend(checksum.to_le_bytes());
    Ok(())
}

/// The checksum of what had this checksum, with the parts behind it. (Checksums are not among the
/// parts: what has its own behind it has the same checksum as anything else that has.)
fn continued(checksum: u32, parts: &[&[u8]]) -> u32 {
    let mut hasher = Hasher::new_with_initial(checksum);
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// A file whose first part is sound.
pub(super) struct JournalFile {
    pub(super) opening: Opening,
    /// Where the records begin, and the checksum of what comes before them.
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

/// Reads records up to the first that is not as it was written.
pub(super) struct Records<R> {
    reader: R,
    checksum: u32,
    /// Of the last record that was read.
    data: Vec<u8>,
    /// How many bytes of the file are as they were written, from its beginning.
    pub(super) sound: u64,
}

impl<R: Read> Records<R> {
    pub(super) fn next(&mut self) -> io::Result<Option<Record<'_>>> {
        let Some(length) = self.number()? else { return Ok(None) };
        self.data.clear();
        // Memory grows with what is there, whatever the length says.
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

    /// Nothing, if the file ends before the end of the number.
    fn number(&mut self) -> io::Result<Option<u32>> {
        let mut bytes = [0; LENGTH];
        match self.reader.read_exact(&mut bytes) {
            Ok(()) => Ok(Some(u32::from_le_bytes(bytes))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }
}
