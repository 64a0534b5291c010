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
#[derive(Clone, Default)]
pub(crate) struct Frame {
    pub(crate) to: usize,
    pub(crate) from: usize,
    pub(crate) bytes: Vec<u8>,
}

/// The length of the header in bytes: receiver, sender and number of bytes, each a little-endian
/// `u64`.
const HEAD: usize = 24;

impl Accountable for Frame {
    fn record_count(&self) -> i64 {
        1
    }
}

fn number(bytes: &[u8], at: usize) -> usize {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(number) as usize
}

impl ContainerBytes for Frame {
    fn from_bytes(bytes: Bytes) -> Self {
        let length = number(&bytes, 16);
        Frame {
            to: number(&bytes, 0),
            from: number(&bytes, 8),
            bytes: bytes[HEAD..HEAD + length].to_vec(),
        }
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
