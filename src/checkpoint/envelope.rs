//! The envelope of the data in a file: header, fingerprint and checksums.

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use crc32fast::Hasher;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::load_error::LoadError;
use super::save_error::{SaveError, unsuitable};

/// The first bytes of each file.
pub(super) const MAGIC: [u8; 8] = *b"SECATEUR";

/// The version of the format. It must be incremented with every change of what is written;
/// `tests/files/checkpoint_format.rs` detects changes.
const VERSION: u16 = 3;

/// The lengths in bytes of the first part of a file, with and without its checksum.
const HEADER_LENGTH: usize = 28;
const CHECKED_LENGTH: usize = 24;

/// The size in bytes of a write to the system.
const WRITE_SIZE: usize = 1 << 16;

/// The kind of data in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Frontier = 1,
    Layer = 2,
    #[cfg(feature = "timely")]
    Journal = 3,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Frontier => "a frontier of a search",
            Kind::Layer => "a layer of a sweep",
            #[cfg(feature = "timely")]
            Kind::Journal => "a journal of a search on a cluster",
        }
    }

    fn from_number(number: u16) -> Option<Self> {
        let kinds = [
            Kind::Frontier,
            Kind::Layer,
            #[cfg(feature = "timely")]
            Kind::Journal,
        ];
        kinds.into_iter().find(|&kind| kind as u16 == number)
    }
}

/// Serializes a fingerprint.
fn encode(fingerprint: &Fingerprint) -> Result<Vec<u8>, SaveError> {
    if let Some(part) = fingerprint.unstated() {
        return Err(SaveError::Unstated { part });
    }
    postcard::to_allocvec(fingerprint).map_err(unsuitable)
}

/// Returns the beginning of a file: the header with its checksum, and the fingerprint.
fn beginning(kind: Kind, fingerprint: &[u8], data: u64) -> Result<Vec<u8>, SaveError> {
    let too_long = |_| SaveError::Unsuitable { reason: "the fingerprint is too long".to_owned() };
    let length = u32::try_from(fingerprint.len()).map_err(too_long)?;
    let mut bytes = Vec::with_capacity(HEADER_LENGTH + fingerprint.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((kind as u16).to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend(data.to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(fingerprint);
    Ok(bytes)
}

/// Returns the bytes of a file. Checks that the data can be deserialized again.
pub(crate) fn seal<T>(kind: Kind, fingerprint: &Fingerprint, data: &T) -> Result<Vec<u8>, SaveError>
where
    T: Serialize + DeserializeOwned,
{
    let fingerprint = encode(fingerprint)?;
    let data = postcard::to_allocvec(data).map_err(unsuitable)?;
    decode::<T>(&data).map_err(|reason| SaveError::Unsuitable { reason })?;
    let mut bytes = beginning(kind, &fingerprint, data.len() as u64)?;
    bytes.reserve_exact(data.len() + 4);
    bytes.extend(data);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// A destination for data that are too large to be held in memory as bytes.
pub(crate) struct Sink<'a, W: Write> {
    out: BufWriter<&'a mut W>,
    hasher: Hasher,
}

impl<W: Write> Write for Sink<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes the same file as [`seal`], with data that come in pieces. The length of the data is known
/// only at the end, and is then written into the header.
pub(crate) fn seal_into<W: Write + Seek>(
    out: &mut W,
    kind: Kind,
    fingerprint: &Fingerprint,
    write: impl FnOnce(&mut Sink<'_, W>) -> Result<(), SaveError>,
) -> Result<(), SaveError> {
    let fingerprint = encode(fingerprint)?;
    out.write_all(&beginning(kind, &fingerprint, 0)?)?;
    let data = {
        let mut sink =
            Sink { out: BufWriter::with_capacity(WRITE_SIZE, &mut *out), hasher: Hasher::new() };
        write(&mut sink)?;
        sink.flush()?;
        sink.hasher
    };
    let beginning = beginning(kind, &fingerprint, data.total_len())?;
    let mut hasher = Hasher::new();
    hasher.update(&beginning);
    hasher.combine(&data);
    out.write_all(&hasher.finalize().to_le_bytes())?;
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&beginning)?;
    Ok(out.flush()?)
}

pub(crate) fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    match postcard::take_from_bytes(bytes) {
        Ok((data, [])) => Ok(data),
        Ok((_, rest)) => Err(format!("found {} bytes after the data", rest.len())),
        Err(error) => Err(error.to_string()),
    }
}

/// Reads a whole file and returns its data.
pub(crate) fn open<T: DeserializeOwned>(
    kind: Kind,
    fingerprint: &Fingerprint,
    reader: impl Read,
) -> Result<T, LoadError> {
    let mut source = Source::open(kind, reader)?;
    let mut data = Vec::new();
    source.read_to_end(&mut data)?;
    source.finish(fingerprint)?;
    decode(&data).map_err(|reason| LoadError::Unsound { reason })
}

/// A reader of the data of a file, from front to back. The data must not be used before
/// [`finish`](Source::finish) has succeeded.
pub(crate) struct Source<R> {
    reader: R,
    /// The checksum of all bytes read.
    hasher: Hasher,
    fingerprint: Vec<u8>,
    /// The number of bytes of data still to be read.
    left: u64,
    /// The expected length of the file.
    end: u64,
}

impl<R: Read> Source<R> {
    /// Reads up to the data. Checks only what is needed to find them.
    pub(crate) fn open(kind: Kind, mut reader: R) -> Result<Self, LoadError> {
        let mut bytes = Vec::new();
        reader.by_ref().take(HEADER_LENGTH as u64).read_to_end(&mut bytes)?;
        if !MAGIC.iter().zip(&bytes).all(|(magic, byte)| magic == byte) {
            return Err(LoadError::Foreign);
        }
        let found = bytes.len() as u64;
        if found < HEADER_LENGTH as u64 {
            return Err(LoadError::CutShort { found, expected: HEADER_LENGTH as u64 });
        }
        // The header has this form in all versions.
        check(
            CHECKED_LENGTH as u64,
            crc32fast::hash(&bytes[..CHECKED_LENGTH]),
            number(&bytes, CHECKED_LENGTH),
        )?;
        let version = u16::from_le_bytes(number(&bytes, 8));
        if version != VERSION {
            return Err(LoadError::OtherVersion { found: version, expected: VERSION });
        }
        let found = Kind::from_number(u16::from_le_bytes(number(&bytes, 10)));
        if found != Some(kind) {
            return Err(LoadError::OtherKind {
                found: found.map(Kind::name),
                expected: kind.name(),
            });
        }
        let first = u64::from(u32::from_le_bytes(number(&bytes, 12)));
        let left = u64::from_le_bytes(number(&bytes, 16));
        let end = (HEADER_LENGTH as u64 + first).saturating_add(left).saturating_add(4);
        let mut hasher = Hasher::new();
        hasher.update(&bytes);
        let mut source = Source { reader, hasher, fingerprint: Vec::new(), left, end };
        // Memory grows with the data that exist, whatever the lengths claim.
        let mut fingerprint = Vec::new();
        source.reader.by_ref().take(first).read_to_end(&mut fingerprint)?;
        source.hasher.update(&fingerprint);
        source.fingerprint = fingerprint;
        if (source.fingerprint.len() as u64) < first {
            return Err(source.cut_short(0));
        }
        Ok(source)
    }

    /// Reads to the end, and checks that the file is undamaged and belongs to this search.
    pub(crate) fn finish(mut self, fingerprint: &Fingerprint) -> Result<(), LoadError> {
        self.check_all()?;
        if self.reader.by_ref().take(1).read_to_end(&mut Vec::new())? > 0 {
            return Err(LoadError::TrailingBytes { at: self.end });
        }
        self.belongs_to(fingerprint)
    }

    /// Does the same as [`finish`](Source::finish) for a file with more data after the end. Returns
    /// the reader of those data, and the checksum of all bytes before them.
    #[cfg(feature = "timely")]
    pub(crate) fn finish_part(mut self, fingerprint: &Fingerprint) -> Result<(R, u32), LoadError> {
        let checksum = self.check_all()?;
        self.belongs_to(fingerprint)?;
        Ok((self.reader, checksum))
    }

    /// Reads to the end and verifies the checksum there. Returns it.
    fn check_all(&mut self) -> Result<u32, LoadError> {
        io::copy(self, &mut io::sink())?;
        if self.left > 0 {
            return Err(self.cut_short(0));
        }
        let mut checksum = Vec::new();
        self.reader.by_ref().take(4).read_to_end(&mut checksum)?;
        if checksum.len() < 4 {
            return Err(self.cut_short(checksum.len() as u64));
        }
        let found = self.hasher.clone().finalize();
        check(self.hasher.total_len(), found, number(&checksum, 0))?;
        Ok(found)
    }

    fn belongs_to(&self, fingerprint: &Fingerprint) -> Result<(), LoadError> {
        if let Some(part) = fingerprint.unstated() {
            return Err(LoadError::Unstated { part });
        }
        let found: Fingerprint =
            decode(&self.fingerprint).map_err(|reason| LoadError::Unsound { reason })?;
        if found == *fingerprint {
            return Ok(());
        }
        Err(LoadError::OtherFingerprint {
            found: Box::new(found),
            expected: Box::new(fingerprint.clone()),
        })
    }

    /// Creates the error for a file that ends `more` bytes after the last byte in the checksum.
    fn cut_short(&self, more: u64) -> LoadError {
        LoadError::CutShort { found: self.hasher.total_len() + more, expected: self.end }
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let found = self.reader.by_ref().take(self.left).read(into)?;
        self.hasher.update(&into[..found]);
        self.left -= found as u64;
        Ok(found)
    }
}

/// Compares the checksum of the first `bytes` bytes with the one stored after them.
fn check(bytes: u64, found: u32, expected: [u8; 4]) -> Result<(), LoadError> {
    let expected = u32::from_le_bytes(expected);
    if found == expected { Ok(()) } else { Err(LoadError::Damaged { bytes, found, expected }) }
}

/// Returns the bytes of a number at `at`, all of which exist.
fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[at + index])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Vec<u8> {
        seal(Kind::Frontier, &Fingerprint::new("a", &()), &vec![1u32, 2, 3_000]).expect("numbers")
    }

    fn read(bytes: &[u8]) -> Result<Vec<u32>, LoadError> {
        open(Kind::Frontier, &Fingerprint::new("a", &()), bytes)
    }

    /// Changes the header and corrects its checksum.
    fn with_header(change: impl FnOnce(&mut [u8])) -> Vec<u8> {
        let mut bytes = file();
        change(&mut bytes);
        let checksum = crc32fast::hash(&bytes[..CHECKED_LENGTH]);
        bytes[CHECKED_LENGTH..HEADER_LENGTH].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    #[test]
    fn a_sealed_file_opens_to_the_same_data() {
        assert_eq!(read(&file()).expect("whole"), [1, 2, 3_000]);
    }

    #[test]
    fn data_written_in_pieces_give_the_same_file() {
        let data = postcard::to_allocvec(&vec![1u32, 2, 3_000]).expect("numbers");
        let mut file = io::Cursor::new(Vec::new());
        let write = |sink: &mut Sink<'_, _>| {
            Ok(data.iter().try_for_each(|byte| sink.write_all(&[*byte]))?)
        };
        seal_into(&mut file, Kind::Frontier, &Fingerprint::new("a", &()), write).expect("written");
        assert_eq!(file.into_inner(), super::tests::file());
    }

    #[test]
    fn lengths_beyond_all_memory_are_refused() {
        let longer = with_header(|bytes| bytes[16..24].fill(255));
        let found = longer.len() as u64;
        assert!(matches!(
            read(&longer),
            Err(LoadError::CutShort { found: at, expected: u64::MAX }) if at == found
        ));
        let longer = with_header(|bytes| bytes[12..16].fill(255));
        assert!(matches!(read(&longer), Err(LoadError::CutShort { found: at, .. }) if at == found));
    }

    #[test]
    fn other_versions_and_kinds_are_refused() {
        let newer = with_header(|bytes| bytes[8] = 7);
        let error = read(&newer).expect_err("newer");
        assert!(
            matches!(error, LoadError::OtherVersion { found: 7, expected: VERSION }),
            "{error}"
        );
        let error = read(&with_header(|bytes| bytes[10] = 9)).expect_err("another kind");
        assert_eq!(error.to_string(), "holds something unknown, expected a frontier of a search");
        assert!(read(&with_header(|bytes| bytes[8] = 0)).is_err());
    }

    #[test]
    fn data_of_another_type_are_refused() {
        let numbers = seal(Kind::Frontier, &Fingerprint::new("a", &()), &3u8).expect("a number");
        assert!(matches!(read(&numbers), Err(LoadError::Unsound { .. })));
        let more =
            seal(Kind::Frontier, &Fingerprint::new("a", &()), &(vec![1u32], 7u8)).expect("numbers");
        assert!(matches!(read(&more), Err(LoadError::Unsound { .. })));
    }
}
