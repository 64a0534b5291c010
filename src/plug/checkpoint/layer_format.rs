//! The format of a layer in a file: a description of the layer, then its entries in blocks.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{
    Fingerprint, Kind, LoadError, RecordReader, RecordWriter, SaveError, decode, unsuitable,
};
use crate::limits::Stop;
use crate::plug::stats::SweepStats;
#[cfg(feature = "bigint")]
use crate::plug::sweep::passes::Passes;
use crate::report::Report;

/// The size in bytes at which a block ends (a spilled sweep may use a smaller one): small enough to
/// buffer, and large enough for the overhead of its record not to matter.
pub(crate) const BLOCK: usize = 1 << 16;

/// The length in bytes of the number of entries of a block.
const COUNT_BYTES: usize = 4;

/// The description of a layer.
#[derive(Serialize, Deserialize)]
pub(crate) struct Head {
    /// The name of the question that the sweep answers.
    pub(super) question: String,
    /// The index of the type of the values, among the types of the question.
    pub(crate) width: u32,
    /// The number of entries that follow.
    pub(crate) entries: u64,
    /// The report of the sweep up to the layer.
    pub(crate) report: Report,
    /// The results of earlier passes of a count by residues. They follow the head in a record of
    /// their own, which the layers of other questions do not have.
    #[cfg(feature = "bigint")]
    #[serde(skip)]
    pub(super) passes: Option<Passes>,
}

impl Head {
    /// Creates the description of the last complete layer. `stop` is the reason if the sweep ends
    /// there.
    pub(crate) fn new(
        question: &str,
        width: u32,
        entries: u64,
        stats: &SweepStats<'_>,
        stop: Option<Stop>,
    ) -> Self {
        let report = stats.report(stop.unwrap_or(Stop::Paused), false);
        Head {
            question: question.to_owned(),
            width,
            entries,
            report,
            #[cfg(feature = "bigint")]
            passes: None,
        }
    }

    /// Checks that the layer is of a sweep with this question.
    pub(crate) fn check_question(&self, question: &str) -> Result<(), LoadError> {
        if self.question == question {
            return Ok(());
        }
        let (found, expected) = (self.question.clone(), question.to_owned());
        Err(LoadError::OtherQuestion { found, expected })
    }
}

/// Writes a layer, or, without a head, a sweep that has not begun. Checks that the first entry can
/// be read back as a `D`, the type without references.
///
/// Blocks have about `block_bytes`. Up to three of them are in memory, unless an entry is larger
/// than a block: a buffer, and the current block with room for a large entry.
pub(crate) fn write_layer<T: Serialize, D: DeserializeOwned>(
    out: impl Write,
    block_bytes: usize,
    fingerprint: &Fingerprint,
    head: Option<&Head>,
    entries: impl Iterator<Item = T>,
) -> Result<(), SaveError> {
    let out = BufWriter::with_capacity(block_bytes, out);
    let mut records = RecordWriter::begin(out, Kind::Layer, fingerprint)?;
    // The head is known to be readable; the entries are not.
    records.record(&postcard::to_allocvec(&head).map_err(unsuitable)?)?;
    #[cfg(feature = "bigint")]
    if let Some(passes) = head.and_then(|head| head.passes.as_ref()) {
        records.record(&postcard::to_allocvec(passes).map_err(unsuitable)?)?;
    }
    let (mut count, mut is_first) = (0u32, true);
    let mut block = vec![0; COUNT_BYTES + 2 * block_bytes];
    let mut length = COUNT_BYTES;
    let mut write_block = |count: u32, block: &mut [u8]| {
        block[..COUNT_BYTES].copy_from_slice(&count.to_le_bytes());
        records.record(block)
    };
    for entry in entries {
        length = append(&entry, &mut block, length)?;
        if std::mem::take(&mut is_first) {
            decode::<D>(&block[COUNT_BYTES..length])
                .map_err(|reason| SaveError::Unsuitable { reason })?;
        }
        count += 1;
        if length >= block_bytes {
            write_block(count, &mut block[..length])?;
            (count, length) = (0, COUNT_BYTES);
        }
    }
    if count > 0 {
        write_block(count, &mut block[..length])?;
    }
    records.end()
}

/// Serialises an entry to a block from this position on, and returns the position after it. The
/// block grows if necessary. (With `postcard::to_extend`, which appends to a vector byte by byte, a
/// sweep with layers in files took 1.5 times as long.)
fn append<T: Serialize>(entry: &T, block: &mut Vec<u8>, at: usize) -> Result<usize, SaveError> {
    loop {
        match postcard::to_slice(entry, &mut block[at..]) {
            Ok(bytes) => return Ok(at + bytes.len()),
            Err(postcard::Error::SerializeBufferFull) => block.resize(2 * block.len(), 0),
            Err(error) => return Err(unsuitable(error)),
        }
    }
}

/// A reader of the file of a layer.
pub(crate) type LayerReader = RecordReader<BufReader<File>>;

/// Opens a file that belongs to a sweep with this fingerprint, with a buffer of `block_bytes`
/// beside the current block. Returns the head as well, or `None` if the sweep has not begun.
pub(crate) fn open_layer(
    path: &Path,
    block_bytes: usize,
    fingerprint: &Fingerprint,
) -> Result<(LayerReader, Option<Head>), LoadError> {
    read_head(BufReader::with_capacity(block_bytes, File::open(path)?), fingerprint)
}

fn read_head<R: Read>(
    reader: R,
    fingerprint: &Fingerprint,
) -> Result<(RecordReader<R>, Option<Head>), LoadError> {
    let mut records = RecordReader::open(reader, Kind::Layer, fingerprint)?;
    let head = records.next_as()?;
    Ok((records, head))
}

/// Reads the results of earlier passes of a count by residues, which follow the head.
#[cfg(feature = "bigint")]
pub(super) fn read_passes(reader: &mut LayerReader) -> Result<Passes, LoadError> {
    let passes: Passes = reader.next_as()?;
    passes.check().map_err(inconsistent)?;
    Ok(passes)
}

/// Reads the entries of a layer one by one.
pub(crate) struct EntryReader<R> {
    records: RecordReader<R>,
    /// The number of entries that the layer must have.
    entries: u64,
    /// The number of entries that follow the current block.
    after_block: u64,
    /// The number of entries that are left of the current block.
    in_block: u32,
    /// The position of the next entry in the current block.
    at: usize,
    /// Whether the end of the layer was read.
    is_at_end: bool,
}

impl<R: Read> EntryReader<R> {
    /// Creates a reader of this number of entries.
    pub(crate) fn new(records: RecordReader<R>, entries: u64) -> Self {
        EntryReader { records, entries, after_block: entries, in_block: 0, at: 0, is_at_end: false }
    }

    /// Returns the next entry, or `None` at the end of the layer, after a check that nothing
    /// follows. Calls `check_stop` before the first entry of each block.
    #[inline]
    pub(crate) fn next<D: DeserializeOwned, E: From<LoadError>>(
        &mut self,
        check_stop: impl Fn() -> Result<(), E>,
    ) -> Result<Option<D>, E> {
        if self.in_block == 0 {
            if !self.next_block()? {
                return Ok(None);
            }
            check_stop()?;
        }
        let block = self.records.current();
        let (entry, after) = postcard::take_from_bytes(&block.data[self.at..])
            .map_err(|error| block.inconsistent(&error.to_string()))?;
        self.in_block -= 1;
        self.at = block.data.len() - after.len();
        Ok(Some(entry))
    }

    /// Reads the next block, after a check that nothing follows in the current one. Returns whether
    /// there is one.
    fn next_block(&mut self) -> Result<bool, LoadError> {
        if self.is_at_end {
            return Ok(false);
        }
        let block = self.records.current();
        // Before the first block, the current record is the head or that of the passes.
        if self.at > 0 && self.at < block.data.len() {
            let left = block.data.len() - self.at;
            let reason = format!("found {left} bytes after the entries of a block");
            return Err(block.inconsistent(&reason));
        }
        let entries = self.entries;
        let Some(block) = self.records.next()? else {
            return match self.after_block {
                0 => {
                    self.is_at_end = true;
                    Ok(false)
                }
                left => {
                    let found = entries - left;
                    Err(inconsistent(format!("found {found} entries, expected {entries}")))
                }
            };
        };
        let Some((count, rest)) = block.data.split_first_chunk() else {
            return Err(block.inconsistent("found a block without entries"));
        };
        let (count, length) = (u32::from_le_bytes(*count), rest.len());
        // At most one entry has no bytes, because states are distinct.
        if count == 0 || (count > 1 && count as usize > length) {
            let reason = format!("found a block of {count} entries in {length} bytes");
            return Err(block.inconsistent(&reason));
        }
        self.after_block = self.after_block.checked_sub(count.into()).ok_or_else(|| {
            block.inconsistent(&format!("found more entries than the {entries} expected"))
        })?;
        (self.in_block, self.at) = (count, COUNT_BYTES);
        Ok(true)
    }
}

/// Returns the error of a file that is undamaged but whose contents make no sense.
pub(crate) fn inconsistent(reason: impl Into<String>) -> LoadError {
    LoadError::Inconsistent { reason: reason.into() }
}

/// Returns the error of a state that the problem does not have before a cell.
pub(crate) fn illegal_state(cell: usize) -> LoadError {
    inconsistent(format!("found a state that the problem cannot have after {cell} cells"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint() -> Fingerprint {
        Fingerprint::new("a", &())
    }

    fn written<T>(entries: impl IntoIterator<Item = T>) -> Vec<u8>
    where
        T: Serialize + DeserializeOwned,
    {
        let mut bytes = Vec::new();
        write_layer::<T, T>(&mut bytes, BLOCK, &fingerprint(), None, entries.into_iter())
            .expect("written");
        bytes
    }

    fn read<D: DeserializeOwned>(bytes: &[u8], entries: u64) -> Result<Vec<D>, LoadError> {
        let (records, head) = read_head(bytes, &fingerprint())?;
        assert!(head.is_none());
        let mut reader = EntryReader::new(records, entries);
        std::iter::from_fn(|| reader.next(|| Ok(())).transpose()).collect()
    }

    #[test]
    fn entries_of_any_number_round_trip() {
        for length in [0, 1, 2, 1_000, 30_000, 100_000u64] {
            let bytes = written((0..length).map(|number| (number, "#".repeat(3))));
            let all: Vec<(u64, String)> = read(&bytes, length).expect("whole");
            assert!(all.into_iter().map(|(number, _)| number).eq(0..length));
            assert!(read::<(u64, String)>(&bytes, length + 1).is_err());
            assert!(length == 0 || read::<(u64, String)>(&bytes, length - 1).is_err());
        }
        // An entry that is larger than a block.
        let bytes = written(["a".repeat(3 * BLOCK), "b".to_owned()]);
        assert_eq!(read::<String>(&bytes, 2).expect("whole").concat().len(), 3 * BLOCK + 1);
    }

    #[test]
    fn entries_that_cannot_be_read_back_are_not_written() {
        #[derive(Debug, Serialize, Deserialize)]
        #[serde(untagged)]
        enum Untagged {
            Number(u32),
        }
        let entries = std::iter::once(Untagged::Number(7));
        let written =
            write_layer::<_, Untagged>(&mut Vec::new(), BLOCK, &fingerprint(), None, entries);
        assert!(matches!(written, Err(SaveError::Unsuitable { .. })));
    }
}
