//! The timely dataflow of each worker: one loop per [channel](super::transport::Channel), which
//! transports bytes and knows nothing of searches or sweeps.
//!
//! A message that is sent with a capability for one round arrives with a capability for the next
//! one. When no worker holds a capability for a round or an earlier one, and no message of it is in
//! transit, timely notifies all workers. This is how rounds end, and how a search without a
//! coordinator detects that no work is left. (Murray, McSherry, Isaacs, Isard, Barham and Abadi,
//! 2013.)
//!
//! Operators of a dataflow must not borrow, and a search borrows its problem. Therefore the search
//! has a thread of its own. The thread of the dataflow executes the [commands](Command) of the
//! search, reports [events](Event) to it, and sleeps in between.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError};

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::dataflow::operators::generic::builder_rc::OperatorBuilder;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback};
use timely::progress::Stamp;
use timely::scheduling::{Activator, SyncActivator};
use timely::worker::Worker;

/// The number by which a worker refers to one of its capabilities.
pub(super) type CapabilityId = u64;

/// A command of the search or sweep to the thread of the dataflow.
pub(super) enum Command {
    Send {
        channel: usize,
        id: CapabilityId,
        to: usize,
        bytes: Vec<u8>,
    },
    /// Replaces a capability by one for `round`, which is not before its own.
    Downgrade {
        channel: usize,
        id: CapabilityId,
        round: u64,
    },
    Release {
        channel: usize,
        id: CapabilityId,
    },
    /// No more commands follow.
    End,
}

/// An event that the thread of the dataflow reports.
pub(super) enum Event {
    /// The channels exist, each with a capability for round 0 whose number is 0.
    Ready { wake: SyncActivator, index: usize, peers: usize },
    /// A message has arrived in a round, with a capability.
    Message { channel: usize, id: CapabilityId, round: u64, from: usize, bytes: Vec<u8> },
    /// A message has arrived whose sender is no worker: it is damaged.
    Damaged,
    /// Messages can arrive only from this round on; `None` if no message can arrive any more.
    OpenRound { channel: usize, round: Option<u64> },
}

/// The state that the operator of a channel shares with the function that executes commands, on the
/// same thread.
struct ChannelState {
    capabilities: HashMap<CapabilityId, Capability<u64>>,
    next_id: CapabilityId,
    outbox: Vec<(Capability<u64>, Frame)>,
    open_round: Option<u64>,
    /// Whether the worker has ended. Its receiver of events may still exist then, but no command
    /// would release a capability.
    has_ended: bool,
}

type Shared = Rc<RefCell<ChannelState>>;

/// Creates the dataflow of a channel. All workers must create their dataflows in the same order.
fn build_channel(
    worker: &mut Worker,
    index: usize,
    events: Sender<Event>,
) -> (Shared, Rc<[usize]>) {
    let peers = worker.peers();
    let channel = ChannelState {
        capabilities: HashMap::new(),
        // The initial capability is number 0.
        next_id: 1,
        outbox: Vec::new(),
        open_round: Some(0),
        has_ended: false,
    };
    let shared = Rc::new(RefCell::new(channel));
    let operator_state = Rc::clone(&shared);
    let address = worker.dataflow::<u64, _, _>(|scope| {
        let (feedback, arriving) = scope.feedback::<Frame>(1);
        let mut operator = OperatorBuilder::new("channel".to_owned(), scope);
        let mut input = operator.new_input(arriving, DistributorPact(|_| ByAddress));
        let (mut output, leaving) = operator.new_output::<Frame>();
        let address = operator.operator_info().address;
        operator.build(move |capabilities| {
            operator_state.borrow_mut().capabilities.extend((0..).zip(capabilities));
            move |frontiers| {
                let channel = &mut *operator_state.borrow_mut();
                input.for_each(|arrived, frame| {
                    let Frame { from, bytes, .. } = std::mem::take(frame);
                    if channel.has_ended {
                        return;
                    }
                    if from >= peers {
                        // The message cannot be recovered, so the run must end.
                        let _ = events.send(Event::Damaged);
                        return;
                    }
                    // Every frame is sent with a capability, so its stamp is not empty.
                    let Some(capability) = arrived.retain_least(0) else { return };
                    let (id, round) = (channel.next_id, *capability.time());
                    channel.next_id += 1;
                    if events
                        .send(Event::Message { channel: index, id, round, from, bytes })
                        .is_ok()
                    {
                        channel.capabilities.insert(id, capability);
                    }
                });
                let mut output = output.activate();
                for (capability, mut frame) in channel.outbox.drain(..) {
                    output.give(&capability, &mut frame);
                }
                let open_round = frontiers[0].frontier().first().copied();
                if open_round != channel.open_round {
                    channel.open_round = open_round;
                    let _ = events.send(Event::OpenRound { channel: index, round: open_round });
                }
            }
        });
        leaving.connect_loop(feedback);
        address
    });
    (shared, address)
}

/// Executes commands and reports events until the worker has ended and all channels are complete in
/// all processes.
pub(super) fn serve(
    worker: &mut Worker,
    channels: usize,
    commands: &Receiver<Command>,
    events: Sender<Event>,
) {
    let own = worker.index();
    let channels: Vec<_> =
        (0..channels).map(|index| build_channel(worker, index, events.clone())).collect();
    let activators: Vec<Activator> =
        channels.iter().map(|(_, address)| worker.activator_for(Rc::clone(address))).collect();
    if let Some((_, address)) = channels.first() {
        let wake = worker.sync_activator_for(address.to_vec());
        let _ = events.send(Event::Ready { wake, index: own, peers: worker.peers() });
    }
    drop(events);
    loop {
        match commands.try_recv() {
            Ok(Command::End) | Err(TryRecvError::Disconnected) => break,
            Ok(command) => execute(command, own, &channels, &activators),
            Err(TryRecvError::Empty) => {
                worker.step_or_park(None);
            }
        }
    }
    // The worker does not need its capabilities any more, but the messages of others must still be
    // drained.
    for ((channel, _), activator) in channels.iter().zip(&activators) {
        let channel = &mut *channel.borrow_mut();
        channel.has_ended = true;
        channel.capabilities.clear();
        activator.activate();
    }
    while worker.has_dataflows() {
        worker.step_or_park(None);
    }
}

/// Executes a command, and schedules the operator of its channel.
fn execute(
    command: Command,
    own: usize,
    channels: &[(Shared, Rc<[usize]>)],
    activators: &[Activator],
) {
    let index = match command {
        Command::Send { channel, id, to, bytes } => {
            let state = &mut *channels[channel].0.borrow_mut();
            if let Some(capability) = state.capabilities.get(&id) {
                state.outbox.push((capability.clone(), Frame { to, from: own, bytes }));
            }
            channel
        }
        Command::Downgrade { channel, id, round } => {
            if let Some(capability) = channels[channel].0.borrow_mut().capabilities.get_mut(&id) {
                capability.downgrade(&round);
            }
            channel
        }
        Command::Release { channel, id } => {
            channels[channel].0.borrow_mut().capabilities.remove(&id);
            channel
        }
        Command::End => return,
    };
    activators[index].activate();
}

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

/// The length of the header of a frame in bytes: receiver, sender and number of bytes, each a
/// little-endian `u64`.
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

    fn write(frame: &Frame) -> Vec<u8> {
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
            assert_eq!(read(write(&frame)), frame);
        }
    }

    #[test]
    fn a_frame_with_a_wrong_length_is_from_no_worker() {
        let valid = write(&Frame { to: 1, from: 2, bytes: vec![7; 16] });
        for length in [17, 1 << 40, u64::MAX] {
            let mut damaged = valid.clone();
            damaged[16..HEAD].copy_from_slice(&length.to_le_bytes());
            assert_eq!(read(damaged).from, NO_WORKER, "{length} bytes");
        }
        for cut in [0, 8, HEAD - 1, HEAD, HEAD + 15] {
            assert_eq!(read(valid[..cut].to_vec()).from, NO_WORKER, "cut after {cut} bytes");
        }
    }
}
