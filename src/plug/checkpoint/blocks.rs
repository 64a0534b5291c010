//! The format of a layer in a file: a head, then the entries in blocks.
//!
//! A block is the number of its entries (4 bytes), their length in bytes (8 bytes), both in
//! little-endian order, and the entries in the format of postcard. So a layer of any size is
//! written and read one block at a time.

use std::io::{Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{LoadError, SaveError, decode, unsuitable};
use crate::report::Report;

/// A block ends when it has this many bytes: small enough to buffer, and large enough for its head
/// not to matter.
const BLOCK: usize = 1 << 16;

/// The description of a layer.
#[derive(Serialize, Deserialize)]
pub(crate) struct Head {
    /// The name of the question that the sweep answers.
    pub(crate) question: String,
    /// The index of the type of the values, among the types of the question.
    pub(crate) width: u32,
    /// The number of entries that follow.
    pub(crate) entries: u64,
    /// The report of the sweep up to the layer.
    pub(crate) report: Report,
}

/// Writes a layer, or, without a head, a sweep that has not begun. Checks that the first entry can
/// be read back as a `D`.
pub(crate) fn write<T: Serialize, D: DeserializeOwned>(
    out: &mut impl Write,
    head: Option<&Head>,
    entries: impl Iterator<Item = T>,
) -> Result<(), SaveError> {
    let bytes = postcard::to_allocvec(&head).map_err(unsuitable)?;
    // The head is known to be readable; the entries are not.
    write_block(out, 1, &bytes)?;
    let (mut count, mut bytes, mut tried) = (0, Vec::with_capacity(2 * BLOCK), false);
    for entry in entries {
        bytes = postcard::to_extend(&entry, bytes).map_err(unsuitable)?;
        if !tried {
            decode::<D>(&bytes).map_err(|reason| SaveError::Unsuitable { reason })?;
            tried = true;
        }
        count += 1;
        if bytes.len() >= BLOCK || count as usize >= BLOCK {
            write_block(out, count, &bytes)?;
            count = 0;
            bytes.clear();
        }
    }
    if count > 0 {
        write_block(out, count, &bytes)?;
    }
    Ok(())
}

fn write_block(out: &mut impl Write, count: u32, bytes: &[u8]) -> Result<(), SaveError> {
    out.write_all(&count.to_le_bytes())?;
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    Ok(out.write_all(bytes)?)
}

/// Reads the head, or `None` if the sweep has not begun.
pub(crate) fn read_head(reader: &mut impl Read) -> Result<Option<Head>, LoadError> {
    let mut bytes = Vec::new();
    match read_block(reader, &mut bytes)? {
        1 => decode(&bytes).map_err(unsound),
        _ => Err(unsound("found no report of the sweep")),
    }
}

/// Reads `entries` entries and checks that nothing follows them. Calls `go_on` before each block.
pub(crate) fn read_entries<D: DeserializeOwned, E: From<LoadError>>(
    reader: &mut impl Read,
    entries: u64,
    go_on: impl Fn() -> Result<(), E>,
    mut put: impl FnMut(D) -> Result<(), E>,
) -> Result<(), E> {
    let mut left = entries;
    let mut bytes = Vec::new();
    while left > 0 {
        go_on()?;
        let count = read_block(reader, &mut bytes)?;
        left = left
            .checked_sub(count.into())
            .ok_or_else(|| unsound(format!("found more states than the {entries} expected")))?;
        let mut rest = &bytes[..];
        for _ in 0..count {
            let entry =
                postcard::take_from_bytes(rest).map_err(|error| unsound(error.to_string()))?;
            rest = entry.1;
            put(entry.0)?;
        }
        if !rest.is_empty() {
            return Err(unsound("found a block that is longer than its states").into());
        }
    }
    match reader.read(&mut [0]) {
        Ok(0) => Ok(()),
        Ok(_) => Err(unsound(format!("found more states than the {entries} expected")).into()),
        Err(error) => Err(LoadError::Io(error).into()),
    }
}

/// Reads a block and returns the number of its entries. Memory grows with the bytes that are
/// present, whatever length the block claims. A block has at least one byte for each entry, or only
/// one entry.
fn read_block(reader: &mut impl Read, bytes: &mut Vec<u8>) -> Result<u32, LoadError> {
    let (mut count, mut length) = ([0; 4], [0; 8]);
    let short = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => unsound("found fewer states than expected"),
        _ => LoadError::Io(error),
    };
    reader.read_exact(&mut count).map_err(short)?;
    reader.read_exact(&mut length).map_err(short)?;
    let (count, length) = (u32::from_le_bytes(count), u64::from_le_bytes(length));
    bytes.clear();
    reader.take(length).read_to_end(bytes)?;
    if (bytes.len() as u64) < length {
        return Err(unsound("found fewer states than expected"));
    }
    if count == 0 || (count > 1 && u64::from(count) > length) {
        return Err(unsound(format!("found a block of {count} states in {length} bytes")));
    }
    Ok(count)
}

pub(crate) fn unsound(reason: impl Into<String>) -> LoadError {
    LoadError::Unsound { reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<D: DeserializeOwned>(mut bytes: &[u8], entries: u64) -> Result<Vec<D>, LoadError> {
        assert!(read_head(&mut bytes)?.is_none());
        let mut all = Vec::new();
        read_entries(
            &mut bytes,
            entries,
            || Ok::<(), LoadError>(()),
            |entry| {
                all.push(entry);
                Ok(())
            },
        )?;
        Ok(all)
    }

    #[test]
    fn entries_of_any_number_round_trip() -> Result<(), Box<dyn std::error::Error>> {
        for length in [0, 1, 2, 1_000, 30_000, 100_000u64] {
            let mut bytes = Vec::new();
            write::<_, (u64, String)>(
                &mut bytes,
                None,
                (0..length).map(|number| (number, "#".repeat(3))),
            )?;
            let all: Vec<(u64, String)> = read(&bytes, length)?;
            assert!(all.into_iter().map(|(number, _)| number).eq(0..length));
            assert!(read::<(u64, String)>(&bytes, length + 1).is_err());
            assert!(length == 0 || read::<(u64, String)>(&bytes, length - 1).is_err());
        }
        // An entry that is larger than a block.
        let mut bytes = Vec::new();
        write::<_, String>(&mut bytes, None, ["a".repeat(3 * BLOCK), "b".to_owned()].into_iter())?;
        assert_eq!(read::<String>(&bytes, 2)?.concat().len(), 3 * BLOCK + 1);
        Ok(())
    }

    #[test]
    fn empty_entries_cannot_outnumber_the_bytes() {
        let mut bytes = Vec::new();
        write::<_, ()>(&mut bytes, None, std::iter::once(())).expect("nothing");
        assert_eq!(read::<()>(&bytes, 1).expect("one"), [()]);
        let mut many = bytes[..bytes.len() - 12].to_vec();
        many.extend(u32::MAX.to_le_bytes());
        many.extend([0; 8]);
        assert!(read::<()>(&many, u32::MAX.into()).is_err());
    }

    #[test]
    fn absurd_lengths_are_refused_without_allocating() {
        let mut bytes = Vec::new();
        write::<_, u8>(&mut bytes, None, [1, 2, 3u8].into_iter()).expect("numbers");
        let at = bytes.len() - 3 - 8;
        bytes[at..at + 8].fill(255);
        assert!(matches!(read::<u8>(&bytes, 3), Err(LoadError::Unsound { .. })));
    }

    #[test]
    fn entries_that_cannot_be_read_back_are_not_written() {
        #[derive(Debug, Serialize, Deserialize)]
        #[serde(untagged)]
        enum Untagged {
            Number(u32),
        }
        let written =
            write::<_, Untagged>(&mut Vec::new(), None, std::iter::once(Untagged::Number(7)));
        assert!(matches!(written, Err(SaveError::Unsuitable { .. })));
    }
}
