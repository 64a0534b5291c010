//! What is around the data in a file.

use std::io::Read;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Fingerprint, LoadError, SaveError};

const MAGIC: [u8; 8] = *b"SECATEUR";

/// To be counted up with every change of what is written: `tests/checkpoint_format.rs` notices.
const VERSION: u16 = 1;

/// The lengths of the first part of a file, with and without its checksum.
const HEADER: usize = 28;
const CHECKED: usize = 24;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Frontier = 1,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Frontier => "what is left of a search",
        }
    }

    fn from_number(number: u16) -> Option<Self> {
        [Kind::Frontier].into_iter().find(|&kind| kind as u16 == number)
    }
}

fn unsuitable(error: postcard::Error) -> SaveError {
    SaveError::Unsuitable { reason: error.to_string() }
}

/// The bytes of a file. That the data can be read again is tried out.
pub(crate) fn seal<T>(kind: Kind, fingerprint: &Fingerprint, data: &T) -> Result<Vec<u8>, SaveError>
where
    T: Serialize + DeserializeOwned,
{
    let fingerprint = postcard::to_allocvec(fingerprint).map_err(unsuitable)?;
    let data = postcard::to_allocvec(data).map_err(unsuitable)?;
    decode::<T>(&data).map_err(|reason| SaveError::Unsuitable { reason })?;
    let too_long = |_| SaveError::Unsuitable { reason: "the fingerprint is too long".to_owned() };
    let length = u32::try_from(fingerprint.len()).map_err(too_long)?;
    let mut bytes = Vec::with_capacity(HEADER + fingerprint.len() + data.len() + 4);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((kind as u16).to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend((data.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(fingerprint);
    bytes.extend(data);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match postcard::take_from_bytes(bytes) {
        Ok((data, [])) => Ok(data),
        Ok((_, rest)) => Err(format!("{} bytes are not of its data", rest.len())),
        Err(error) => Err(error.to_string()),
    }
}

/// The data of a file that is all that `reader` gives.
pub(crate) fn open<T: DeserializeOwned>(
    kind: Kind,
    fingerprint: &Fingerprint,
    mut reader: impl Read,
) -> Result<T, LoadError> {
    let mut bytes = Vec::new();
    extend(&mut bytes, &mut reader, HEADER as u64)?;
    // All versions begin with a header of this form.
    check(&bytes, CHECKED)?;
    let version = u16::from_le_bytes(number(&bytes, 8));
    if version > VERSION {
        return Err(LoadError::NewerVersion { found: version, expected: VERSION });
    }
    let found = Kind::from_number(u16::from_le_bytes(number(&bytes, 10)));
    if version == 0 || found != Some(kind) {
        return Err(LoadError::OtherKind { found: found.map(Kind::name), expected: kind.name() });
    }
    let first = u64::from(u32::from_le_bytes(number(&bytes, 12)));
    let second = u64::from_le_bytes(number(&bytes, 16));
    let end = (HEADER as u64 + first).saturating_add(second).saturating_add(4);
    extend(&mut bytes, &mut reader, end)?;
    check(&bytes, bytes.len() - 4)?;
    if reader.take(1).read_to_end(&mut Vec::new())? > 0 {
        return Err(LoadError::TrailingBytes { at: end });
    }
    // All of it is in memory.
    let (first, rest) = bytes[HEADER..].split_at(first as usize);
    let found: Fingerprint = decode(first).map_err(|reason| LoadError::Unsound { reason })?;
    if found != *fingerprint {
        return Err(LoadError::OtherFingerprint { found: Box::new(found), expected: Box::new(fingerprint.clone()) });
    }
    decode(&rest[..rest.len() - 4]).map_err(|reason| LoadError::Unsound { reason })
}

/// Reads on to a length of `end` bytes. Memory grows with what is there, whatever `end` says.
fn extend(bytes: &mut Vec<u8>, reader: &mut impl Read, end: u64) -> Result<(), LoadError> {
    reader.by_ref().take(end - bytes.len() as u64).read_to_end(bytes)?;
    if !MAGIC.iter().zip(&*bytes).all(|(magic, byte)| magic == byte) {
        return Err(LoadError::Foreign);
    }
    let found = bytes.len() as u64;
    if found < end { Err(LoadError::CutShort { found, expected: end }) } else { Ok(()) }
}

/// Compares the checksum of the first `end` bytes with the one behind them.
fn check(bytes: &[u8], end: usize) -> Result<(), LoadError> {
    let (found, expected) = (crc32fast::hash(&bytes[..end]), u32::from_le_bytes(number(bytes, end)));
    if found == expected { Ok(()) } else { Err(LoadError::Damaged { bytes: end as u64, found, expected }) }
}

/// The bytes of a number, all of which are there.
fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[at + index])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Vec<u8> {
        seal(Kind::Frontier, &Fingerprint::new("a"), &vec![1u32, 2, 3_000]).expect("numbers")
    }

    fn read(bytes: &[u8]) -> Result<Vec<u32>, LoadError> {
        open(Kind::Frontier, &Fingerprint::new("a"), bytes)
    }

    /// With the first checksum made right again.
    fn with_header(change: impl FnOnce(&mut [u8])) -> Vec<u8> {
        let mut bytes = file();
        change(&mut bytes);
        let checksum = crc32fast::hash(&bytes[..CHECKED]);
        bytes[CHECKED..HEADER].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    #[test]
    fn what_was_sealed_is_opened() {
        assert_eq!(read(&file()).expect("whole"), [1, 2, 3_000]);
    }

    #[test]
    fn lengths_beyond_all_memory() {
        let longer = with_header(|bytes| bytes[16..24].fill(255));
        let found = longer.len() as u64;
        assert!(matches!(read(&longer), Err(LoadError::CutShort { found: at, expected: u64::MAX }) if at == found));
        let longer = with_header(|bytes| bytes[12..16].fill(255));
        assert!(matches!(read(&longer), Err(LoadError::CutShort { found: at, .. }) if at == found));
    }

    #[test]
    fn other_versions_and_kinds() {
        let newer = with_header(|bytes| bytes[8] = 7);
        let error = read(&newer).expect_err("newer");
        assert!(matches!(error, LoadError::NewerVersion { found: 7, expected: VERSION }), "{error}");
        let error = read(&with_header(|bytes| bytes[10] = 9)).expect_err("another kind");
        assert_eq!(error.to_string(), "holds something unknown, expected what is left of a search");
        assert!(read(&with_header(|bytes| bytes[8] = 0)).is_err());
    }

    #[test]
    fn data_of_another_type() {
        let numbers = seal(Kind::Frontier, &Fingerprint::new("a"), &3u8).expect("a number");
        assert!(matches!(read(&numbers), Err(LoadError::Unsound { .. })));
        let more = seal(Kind::Frontier, &Fingerprint::new("a"), &(vec![1u32], 7u8)).expect("numbers");
        assert!(matches!(read(&more), Err(LoadError::Unsound { .. })));
    }
}
