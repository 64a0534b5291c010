//! Batches of serialized states with their values, for the workers that own the states.
//!
//! A batch begins with the number of states (4 bytes, little-endian). The pairs of a state and its
//! value follow in the wire format of postcard.

use postcard::Deserializer;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::refusal::deserialized;

/// The size in bytes at which a batch is sent, unless there are many workers.
const BATCH: usize = 1 << 16;
/// The approximate size in bytes of all outboxes of a worker together. Without this limit, the
/// memory for outboxes would grow with the square of the number of workers.
const OUTBOX_BYTES: usize = 1 << 24;
/// The least size of a batch in bytes. The overhead of smaller ones exceeds their contents.
const LEAST_BATCH: usize = 1 << 11;
/// The maximum number of states in a batch. It limits batches of states that take no bytes.
const MOST_STATES: u32 = 1 << 16;
/// The length in bytes of the number of states.
const HEAD: usize = 4;

/// The states gathered for another worker.
pub(super) struct Outbox {
    /// The allocated buffer of the batch; empty before the first state.
    bytes: Vec<u8>,
    /// The length of the written part of the buffer.
    filled: usize,
    /// The number of states in the batch.
    count: u32,
    /// The length of the next buffer, in bytes.
    room: usize,
}

impl Outbox {
    /// Creates the outbox for one of `workers` workers.
    pub(super) fn new(workers: usize) -> Self {
        let room = (OUTBOX_BYTES / workers).clamp(LEAST_BATCH, BATCH);
        Outbox { bytes: Vec::new(), filled: HEAD, count: 0, room }
    }

    /// Adds a state. If it does not fit, the states before it are returned as a full batch.
    #[inline]
    pub(super) fn put<S: Serialize, V: Serialize>(
        &mut self,
        state: &S,
        value: &V,
    ) -> postcard::Result<Option<Vec<u8>>> {
        let mut full = None;
        loop {
            if self.count < MOST_STATES
                && let Some(room) = self.bytes.get_mut(self.filled..)
            {
                match postcard::to_slice(&(state, value), room) {
                    Ok(written) => {
                        self.filled += written.len();
                        self.count += 1;
                        return Ok(full);
                    }
                    Err(postcard::Error::SerializeBufferFull) => {}
                    Err(error) => return Err(error),
                }
            }
            if self.count > 0 {
                full = self.take();
            } else if !self.bytes.is_empty() {
                // The state is larger than a batch.
                self.room *= 2;
            }
            self.bytes = vec![0; self.room];
        }
    }

    /// Returns the batch, or `None` if it is empty.
    pub(super) fn take(&mut self) -> Option<Vec<u8>> {
        if self.count == 0 {
            return None;
        }
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.truncate(self.filled);
        bytes[..HEAD].copy_from_slice(&self.count.to_le_bytes());
        (self.filled, self.count) = (HEAD, 0);
        Some(bytes)
    }
}

/// Reads a batch and appends its states to `entries`.
pub(super) fn read<S: DeserializeOwned, V: DeserializeOwned>(
    bytes: &[u8],
    entries: &mut Vec<(S, V)>,
) -> Result<(), String> {
    let Some((head, bytes)) = bytes.split_first_chunk::<HEAD>() else {
        return Err("found a batch of states without their number".to_owned());
    };
    let count = u32::from_le_bytes(*head);
    if count > MOST_STATES && bytes.len() < count as usize {
        return Err(format!("found a batch of {count} states in fewer bytes"));
    }
    // The reserved memory is bounded by the length of the batch, because its number of states is
    // not trusted. States without bytes are an exception: their entries may take memory, but their
    // number is limited above.
    entries.reserve(bytes.len().min(count as usize));
    let mut source = Deserializer::from_bytes(bytes);
    deserialized(|| {
        (0..count).try_for_each(|_| {
            entries.push(Deserialize::deserialize(&mut source)?);
            Ok::<_, postcard::Error>(())
        })
    })?;
    match source.finalize().map_err(|error| error.to_string())? {
        [] => Ok(()),
        rest => Err(format!("found {} bytes after the states of a batch", rest.len())),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::refusal::refusal;

    /// Data that are never accepted.
    pub(in super::super) struct Refused;

    impl<'de> Deserialize<'de> for Refused {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Err(refusal("found one thing, expected another"))
        }
    }

    #[test]
    fn batches_are_read_as_they_were_written() {
        let mut outbox = Outbox::new(2);
        assert_eq!(outbox.take(), None);
        for state in 0..1_000_u32 {
            assert_eq!(outbox.put(&state, &u128::from(state).pow(9)), Ok(None));
        }
        let bytes = outbox.take().expect("something");
        let mut entries: Vec<(u32, u128)> = Vec::new();
        read(&bytes, &mut entries).expect("all of it");
        assert!(entries.into_iter().eq((0..1_000).map(|state| (state, u128::from(state).pow(9)))));
        assert_eq!(outbox.take(), None);
        for wrong in [&bytes[..3], &bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat()] {
            assert!(read::<u32, u128>(wrong, &mut Vec::new()).is_err());
        }
        let reason = read::<u32, Refused>(&bytes, &mut Vec::new());
        assert_eq!(reason, Err("found one thing, expected another".to_owned()));
    }

    #[test]
    fn states_of_no_bytes_are_counted() {
        let mut outbox = Outbox::new(2);
        let mut put = 0;
        let full = loop {
            put += 1;
            if let Some(full) = outbox.put(&(), &()).expect("nothing") {
                break full;
            }
        };
        let mut entries: Vec<((), ())> = Vec::new();
        read(&full, &mut entries).expect("all of it");
        read(&outbox.take().expect("the last one"), &mut entries).expect("it");
        assert_eq!((put, entries.len()), ((1 << 16) + 1, (1 << 16) + 1));
    }

    #[test]
    fn states_of_any_size_are_sent() {
        let texts: Vec<String> = (0..40).map(|text| "#".repeat(text * text * 200)).collect();
        let (mut outbox, mut read_again) = (Outbox::new(2), Vec::new());
        for text in &texts {
            if let Some(full) = outbox.put(text, &7_u8).expect("text") {
                read(&full, &mut read_again).expect("all of it");
            }
        }
        read(&outbox.take().expect("the last one"), &mut read_again).expect("it");
        assert!(texts.into_iter().map(|text| (text, 7_u8)).eq(read_again));
    }
}
