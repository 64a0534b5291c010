//! [`Frame`]: the container of bytes that timely transports from worker to worker.

use std::io::Write;

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::progress::Stamp;

/// Bytes for one worker. Each frame is a timely container of its own, so that nothing is copied
/// unnecessarily.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) to: usize,
    /// The sender, which the receiver must check: it is [`NO_WORKER`] if the frame was damaged.
    pub(crate) from: usize,
    pub(crate) bytes: Vec<u8>,
}

/// The sender of a frame that could not be read, which is the number of no worker.
const NO_WORKER: usize = usize::MAX;

/// The length of the header in bytes: receiver, sender and number of bytes, each a little-endian
/// `u64`.
const HEAD: usize = 24;

impl Accountable for Frame {
    fn record_count(&self) -> i64 {
        1
    }
}

impl Frame {
    /// Returns the frame that the bytes contain. Returns `None` if they are fewer than its header
    /// claims: [`Connection`](super::connect::Connection) checks only timely's own headers.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (head, bytes) = bytes.split_at_checked(HEAD)?;
        let (fields, _) = head.as_chunks();
        let number = |field: usize| usize::try_from(u64::from_le_bytes(fields[field])).ok();
        let (to, from, length) = (number(0)?, number(1)?, number(2)?);
        Some(Frame { to, from, bytes: bytes.get(..length)?.to_vec() })
    }
}

impl ContainerBytes for Frame {
    /// Returns a frame of no worker if the bytes are damaged: timely allows no error here.
    fn from_bytes(bytes: Bytes) -> Self {
        Frame::read(&bytes).unwrap_or(Frame { to: NO_WORKER, from: NO_WORKER, bytes: Vec::new() })
    }

    fn length_in_bytes(&self) -> usize {
        // timely requires messages of whole words.
        HEAD + self.bytes.len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let padding = self.bytes.len().next_multiple_of(8) - self.bytes.len();
        let head =
            [self.to, self.from, self.bytes.len()].map(|number| (number as u64).to_le_bytes());
        // timely passes a writer with room for `length_in_bytes`.
        let written = writer
            .write_all(head.as_flattened())
            .and_then(|()| writer.write_all(&self.bytes))
            .and_then(|()| writer.write_all(&[0; 8][..padding]));
        written.expect("as much room as there are bytes");
    }
}

/// The distributor that sends each frame to its receiver.
pub(crate) struct ByAddress;

impl Distributor<Frame> for ByAddress {
    fn partition<T: Clone, P: Push<Message<T, Frame>>>(
        &mut self,
        frame: &mut Frame,
        stamp: &Stamp<T>,
        pushers: &mut [P],
    ) {
        let to = frame.to;
        Message::push_at(frame, stamp.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Frame>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(frame: &Frame) -> Vec<u8> {
        let mut bytes = Vec::new();
        frame.into_bytes(&mut bytes);
        assert_eq!(bytes.len(), frame.length_in_bytes());
        bytes
    }

    fn read(bytes: Vec<u8>) -> Frame {
        Frame::from_bytes(timely::bytes::arc::BytesMut::from(bytes).freeze())
    }

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        for length in [0, 1, 8, 13] {
            let frame = Frame { to: 1, from: 2, bytes: vec![7; length] };
            assert_eq!(read(written(&frame)), frame);
        }
    }

    #[test]
    fn a_frame_with_a_wrong_length_is_from_no_worker() {
        let sound = written(&Frame { to: 1, from: 2, bytes: vec![7; 16] });
        for length in [17, 1 << 40, u64::MAX] {
            let mut damaged = sound.clone();
            damaged[16..HEAD].copy_from_slice(&length.to_le_bytes());
            assert_eq!(read(damaged).from, NO_WORKER, "{length} bytes");
        }
        for cut in [0, 8, HEAD - 1, HEAD, HEAD + 15] {
            assert_eq!(read(sound[..cut].to_vec()).from, NO_WORKER, "cut after {cut} bytes");
        }
    }
}
