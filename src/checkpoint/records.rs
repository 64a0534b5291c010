//! The format of all files: a header, then records with checksums. [`RecordWriter`] writes it and
//! [`RecordReader`] reads it.

use std::io::{Read, Write};

use crc32fast::Hasher;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::load_error::LoadError;
use super::save_error::{SaveError, unsuitable};
use crate::refusal::deserialized;

/// The first bytes of each file.
pub(super) const MAGIC: [u8; 8] = *b"SECATEUR";

/// The version of the format. It must be incremented with every change of what is written;
/// `tests/files/checkpoint_format.rs` and `sweep_format.rs` detect changes.
const VERSION: u16 = 9;

/// The lengths in bytes of the header, of the length of a record and of a checksum.
const HEADER: u64 = 24;
const LENGTH: u64 = 8;
const CHECKSUM: usize = 4;

/// The length that stands for the end of a file. Records are never empty.
const END: u64 = 0;

/// The kind of data in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Frontier = 1,
    Layer = 2,
    #[cfg(feature = "timely")]
    Journal = 3,
    #[cfg(feature = "plug")]
    Family = 4,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Frontier => "a frontier of a search",
            Kind::Layer => "a layer of a sweep",
            #[cfg(feature = "timely")]
            Kind::Journal => "a journal of a search on a cluster",
            #[cfg(feature = "plug")]
            Kind::Family => "a family of sets",
        }
    }

    fn from_number(number: u16) -> Option<Self> {
        let kinds = [
            Kind::Frontier,
            Kind::Layer,
            #[cfg(feature = "timely")]
            Kind::Journal,
            #[cfg(feature = "plug")]
            Kind::Family,
        ];
        kinds.into_iter().find(|&kind| kind as u16 == number)
    }
}

/// Serializes the data of a record. Checks that they can be deserialized again.
pub(crate) fn encode<T: Serialize + DeserializeOwned>(data: &T) -> Result<Vec<u8>, SaveError> {
    let bytes = postcard::to_allocvec(data).map_err(unsuitable)?;
    decode::<T>(&bytes).map_err(|reason| SaveError::Unsuitable { reason })?;
    Ok(bytes)
}

/// Deserializes all of `bytes`.
pub(crate) fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    match deserialized(|| postcard::take_from_bytes(bytes))? {
        (data, []) => Ok(data),
        (_, rest) => Err(format!("found {} bytes after the data", rest.len())),
    }
}

/// Writes a file, record by record.
#[derive(Debug)]
pub(crate) struct RecordWriter<W> {
    out: W,
    /// The checksum of all bytes written, except for the checksums among them: the CRC of data
    /// followed by their own CRC is a constant.
    checksum: Hasher,
}

impl<W: Write> RecordWriter<W> {
    /// Writes the header and the fingerprint.
    pub(crate) fn begin(out: W, kind: Kind, fingerprint: &Fingerprint) -> Result<Self, SaveError> {
        if let Some(part) = fingerprint.unstated() {
            return Err(SaveError::Unstated { part });
        }
        let mut writer = RecordWriter { out, checksum: Hasher::new() };
        let [version, kind] = [VERSION, kind as u16].map(u16::to_le_bytes);
        writer.write(&[&MAGIC[..], &version, &kind, &[0; 12]].concat())?;
        writer.record(&postcard::to_allocvec(fingerprint).map_err(unsuitable)?)?;
        Ok(writer)
    }

    /// Writes a record of at least one byte.
    pub(crate) fn record(&mut self, data: &[u8]) -> Result<(), SaveError> {
        debug_assert!(!data.is_empty(), "an empty record is the end of a file");
        self.write(&(data.len() as u64).to_le_bytes())?;
        self.write(data)
    }

    /// Marks the end of a file to which nothing is appended, and flushes it.
    pub(crate) fn end(mut self) -> Result<(), SaveError> {
        self.write(&END.to_le_bytes())?;
        self.out.flush().map_err(SaveError::Io)
    }

    /// Writes bytes and the checksum after them.
    fn write(&mut self, bytes: &[u8]) -> Result<(), SaveError> {
        self.checksum.update(bytes);
        let checksum = self.checksum.clone().finalize().to_le_bytes();
        let written = self.out.write_all(bytes).and_then(|()| self.out.write_all(&checksum));
        written.map_err(SaveError::Io)
    }
}

#[cfg(feature = "timely")]
impl RecordWriter<Vec<u8>> {
    /// Returns the bytes that were written since the last call.
    pub(crate) fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

/// A record that was read, without damage.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    /// Its number. The header is number 0 and the fingerprint number 1.
    number: u64,
    /// Its position, in bytes from the beginning of the file.
    start: u64,
    pub(crate) data: &'a [u8],
}

impl<'a> Record<'a> {
    /// Deserializes the data.
    pub(crate) fn decode<T: Deserialize<'a>>(self) -> Result<T, LoadError> {
        decode(self.data).map_err(|reason| self.inconsistent(&reason))
    }

    /// Creates the error for contradictory data.
    pub(crate) fn inconsistent(self, reason: &str) -> LoadError {
        let Record { number, start, .. } = self;
        LoadError::Inconsistent { reason: format!("record {number}, at byte {start}: {reason}") }
    }
}

/// Reads a file, record by record. A record is returned only if all bytes up to its end are
/// undamaged.
pub(crate) struct RecordReader<R> {
    reader: R,
    /// The checksum of all bytes read, except for the checksums among them.
    checksum: Hasher,
    /// The number and the position of the current record.
    number: u64,
    start: u64,
    /// The position of the next byte to be read.
    at: u64,
    /// The data of the current record.
    data: Vec<u8>,
}

impl<R: Read> RecordReader<R> {
    /// Reads the header and the fingerprint, and compares them with the expected ones.
    pub(crate) fn open(
        reader: R,
        kind: Kind,
        fingerprint: &Fingerprint,
    ) -> Result<Self, LoadError> {
        if let Some(part) = fingerprint.unstated() {
            return Err(LoadError::Unstated { part });
        }
        let (checksum, data) = (Hasher::new(), Vec::new());
        let mut opened = RecordReader { reader, checksum, number: 0, start: 0, at: 0, data };
        // The header has this length in all versions, so that others are recognised.
        let header = opened.read_checked(HEADER);
        if !MAGIC.iter().zip(&opened.data).all(|(magic, byte)| magic == byte) {
            return Err(LoadError::NotOurs);
        }
        header?;
        let number = |at: usize| u16::from_le_bytes([opened.data[at], opened.data[at + 1]]);
        let version = number(8);
        if version != VERSION {
            return Err(LoadError::OtherVersion { found: version, expected: VERSION });
        }
        let found = Kind::from_number(number(10));
        if found != Some(kind) {
            return Err(LoadError::OtherKind {
                found: found.map(Kind::name),
                expected: kind.name(),
            });
        }
        let found: Fingerprint = opened.next_as()?;
        if found != *fingerprint {
            return Err(LoadError::OtherFingerprint {
                found: Box::new(found),
                expected: Box::new(fingerprint.clone()),
            });
        }
        Ok(opened)
    }

    /// Returns the next record, or `None` at the end of the file.
    pub(crate) fn next(&mut self) -> Result<Option<Record<'_>>, LoadError> {
        (self.number, self.start) = (self.number + 1, self.at);
        self.read_checked(LENGTH)?;
        let length = self.data.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        if length != END {
            self.read_checked(length)?;
            return Ok(Some(self.current()));
        }
        self.data.clear();
        match self.reader.by_ref().take(1).read_to_end(&mut self.data)? {
            0 => Ok(None),
            _ => Err(LoadError::TrailingBytes { at: self.at }),
        }
    }

    /// Returns the last record that was read. Its data are empty after the end of the file.
    pub(crate) fn current(&self) -> Record<'_> {
        let RecordReader { number, start, ref data, .. } = *self;
        Record { number, start, data }
    }

    /// Returns the data of the next record, which must exist.
    pub(crate) fn next_as<T: DeserializeOwned>(&mut self) -> Result<T, LoadError> {
        let missing = || LoadError::Inconsistent { reason: "the data are missing".to_owned() };
        self.next()?.ok_or_else(missing)?.decode()
    }

    /// Returns the data of the only record after the fingerprint. `validate` returns the reason why
    /// they are invalid, if they are.
    pub(crate) fn only<T: DeserializeOwned>(
        mut self,
        validate: impl FnOnce(&T) -> Result<(), String>,
    ) -> Result<T, LoadError> {
        let data = self.next_as()?;
        validate(&data).map_err(|reason| self.current().inconsistent(&reason))?;
        match self.next()? {
            None => Ok(data),
            Some(record) => Err(record.inconsistent("expected the end of the file")),
        }
    }

    /// Reads to the end of the file.
    #[cfg(feature = "plug")]
    pub(crate) fn verify(mut self) -> Result<(), LoadError> {
        while self.next()?.is_some() {}
        Ok(())
    }

    /// Returns the next record of a file to which records are appended. Returns `None` if no record
    /// follows, or none that is undamaged, as when a process was killed while it wrote one.
    /// [`start`](Self::start) is then the length of the undamaged beginning of the file.
    #[cfg(feature = "timely")]
    pub(crate) fn next_appended(&mut self) -> Result<Option<Record<'_>>, LoadError> {
        match self.next() {
            Err(error) if error.is_damage() => Ok(None),
            found => found,
        }
    }

    /// Returns the position of the current record, in bytes from the beginning of the file.
    #[cfg(feature = "timely")]
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// Replaces `data` by the next `length` bytes and verifies the checksum after them. Memory
    /// grows with the bytes that exist, whatever the length claims.
    fn read_checked(&mut self, length: u64) -> Result<(), LoadError> {
        let (record, from) = (self.number, self.at);
        let end = from.saturating_add(length).saturating_add(CHECKSUM as u64);
        self.data.clear();
        let found = self.reader.by_ref().take(end - from).read_to_end(&mut self.data)?;
        self.at += found as u64;
        let Some((bytes, checksum)) =
            self.data.split_last_chunk::<CHECKSUM>().filter(|_| self.at == end)
        else {
            return Err(LoadError::Truncated { record, found: self.at, expected: end });
        };
        self.checksum.update(bytes);
        let (found, expected) = (self.checksum.clone().finalize(), u32::from_le_bytes(*checksum));
        self.data.truncate(bytes.len());
        if found != expected {
            return Err(LoadError::Damaged { record, bytes: from..end, found, expected });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint() -> Fingerprint {
        Fingerprint::new("a", &())
    }

    fn file(records: &[&[u8]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer =
            RecordWriter::begin(&mut bytes, Kind::Frontier, &fingerprint()).expect("written");
        records.iter().for_each(|data| writer.record(data).expect("written"));
        writer.end().expect("written");
        bytes
    }

    fn read_as<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, LoadError> {
        RecordReader::open(bytes, Kind::Frontier, &fingerprint())?.only(|_| Ok(()))
    }

    #[test]
    fn lengths_beyond_all_memory_are_refused() {
        // Without the end mark: a length of 0 and its checksum.
        let start = file(&[]).len() - 12;
        for length in [12, 1 << 40, u64::MAX] {
            let mut bytes = file(&[])[..start].to_vec();
            // The checksums are not among the bytes that a checksum covers.
            let mut hasher = Hasher::new();
            for covered in [0..24, 28..36, 40..start - 4] {
                hasher.update(&bytes[covered]);
            }
            hasher.update(&length.to_le_bytes());
            bytes.extend(length.to_le_bytes());
            bytes.extend(hasher.finalize().to_le_bytes());
            bytes.extend(b"a few bytes");
            let whole = (start as u64 + 12).saturating_add(length).saturating_add(4);
            let error = read_as::<Vec<u32>>(&bytes).expect_err("too long");
            assert!(
                matches!(error, LoadError::Truncated { record: 2, found, expected }
                    if found == bytes.len() as u64 && expected == whole),
                "{error}"
            );
        }
    }

    #[test]
    fn data_of_another_type_are_refused() {
        let one = file(&[&encode(&3u8).expect("a number")]);
        let error = read_as::<Vec<u32>>(&one).expect_err("a number");
        assert!(error.to_string().contains(": record 2, at byte "), "{error}");
        let two = encode(&(vec![1u32], 7u8)).expect("numbers");
        for records in [&[&two[..]][..], &[], &[&[0], &[0]]] {
            let error = read_as::<Vec<u32>>(&file(records)).expect_err("other records");
            assert!(matches!(error, LoadError::Inconsistent { .. }), "{error}");
        }
    }
}
