//! Letters between workers: [`Transport`], one worker's end of it.
//!
//! There are several [channels](Channel), each with rounds of its index. To send a message takes a
//! [`Capability`]; each comes with a message, or is the one that every worker begins with. When nobody
//! has a capability of a round or an earlier one, and no message of it is on the way, the round has
//! ended, and everybody comes to know.

use std::cell::Cell;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::Duration;

use timely::scheduling::SyncActivator;

use super::connect::{Loss, StartUp};
use super::dataflow::{CapabilityId, Command, Event};
use super::error::ClusterError;

/// What messages are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// What there is to do: subtrees, states.
    Work = 0,
    /// What all should know: incumbents, stops, results.
    Broadcast = 1,
}

/// How many there are.
pub(super) const CHANNELS: usize = 2;

/// To send messages on a channel, in a round. Must be [given back](Transport::release), or the round never
/// ends; when the transport itself is dropped, all are.
#[derive(Debug)]
#[must_use = "others wait until it is given back"]
pub(crate) struct Capability {
    channel: Channel,
    id: CapabilityId,
    round: u64,
}

impl Capability {
    /// The round in which messages are sent with it. They arrive with a capability of the next one.
    pub(crate) fn round(&self) -> u64 {
        self.round
    }
}

/// A message that has come.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) capability: Capability,
    pub(crate) channel: Channel,
    pub(crate) from: usize,
    pub(crate) bytes: Vec<u8>,
}

/// How long to wait for something to happen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wait {
    /// Not at all.
    No,
    /// So long at most.
    For(Duration),
    /// Until it does.
    Ever,
}

/// One worker's end of all channels.
pub(crate) struct Transport {
    commands: Sender<Command>,
    events: Receiver<Event>,
    wake: SyncActivator,
    /// Whether commands were given that nobody was woken for.
    has_commands: Cell<bool>,
    index: usize,
    peers: usize,
    /// The first round of which messages may still come.
    open_rounds: [Option<u64>; CHANNELS],
    start_up: StartUp,
    loss: Loss,
}

/// The peers cannot be reached any more.
pub(super) fn lost(loss: &Loss) -> ClusterError {
    let reason = loss.reason().unwrap_or_else(|| "a connection has ended".to_owned());
    ClusterError::PeerLost { reason }
}

impl Transport {
    /// As soon as the channels are there, with the capability to send in round 0 of each.
    pub(super) fn new(
        commands: Sender<Command>,
        events: Receiver<Event>,
        start_up: StartUp,
        loss: Loss,
    ) -> Result<(Self, [Capability; CHANNELS]), ClusterError> {
        loop {
            match events.recv() {
                Ok(Event::Ready { wake, index, peers }) => {
                    let capabilities = [Channel::Work, Channel::Broadcast]
                        .map(|channel| Capability { channel, id: 0, round: 0 });
                    let (has_commands, open_rounds) = (Cell::new(false), [Some(0); CHANNELS]);
                    let transport = Transport {
                        commands,
                        events,
                        wake,
                        has_commands,
                        index,
                        peers,
                        open_rounds,
                        start_up,
                        loss,
                    };
                    return Ok((transport, capabilities));
                }
                Ok(_) => {}
                Err(_) => return Err(lost(&loss)),
            }
        }
    }

    /// Returns the limits of the wait for the other processes before the work begins.
    pub(super) fn start_up(&self) -> &StartUp {
        &self.start_up
    }

    /// The number of this worker, from 0.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// How many workers there are.
    pub(crate) fn peers(&self) -> usize {
        self.peers
    }

    /// Has something done, when whoever does it is next [woken](Self::wake).
    fn command(&self, command: Command) {
        // If nobody is there to carry it out, that is told to who waits for an event.
        let _ = self.commands.send(command);
        self.has_commands.set(true);
    }

    /// Wakes the thread of timely if there is something to be done: it costs more than the thing
    /// itself.
    fn wake(&self) {
        if self.has_commands.take() {
            let _ = self.wake.activate();
        }
    }

    /// Sends a message, to this worker as well if need be.
    pub(crate) fn send(&self, capability: &Capability, to: usize, bytes: Vec<u8>) {
        self.queue(capability, to, bytes);
        self.wake();
    }

    /// Sends the same to all workers but this one.
    pub(crate) fn send_to_others(&self, capability: &Capability, bytes: &[u8]) {
        for to in (0..self.peers).filter(|&to| to != self.index) {
            self.queue(capability, to, bytes.to_vec());
        }
        self.wake();
    }

    fn queue(&self, capability: &Capability, to: usize, bytes: Vec<u8>) {
        self.command(Command::Send {
            channel: capability.channel as usize,
            id: capability.id,
            to,
            bytes,
        });
    }

    /// Gives a capability back: nothing will be sent with it any more. Others come to know with the next
    /// message that is sent or [received](Transport::receive) here.
    pub(crate) fn release(&self, capability: Capability) {
        self.command(Command::Release { channel: capability.channel as usize, id: capability.id });
    }

    /// Gives up the capability to send in a round for that of a later one.
    pub(crate) fn downgrade(&self, capability: &mut Capability, round: u64) {
        debug_assert!(round >= capability.round);
        capability.round = round;
        self.command(Command::Downgrade {
            channel: capability.channel as usize,
            id: capability.id,
            round,
        });
    }

    /// The first round of which messages may still come; `None` if none will come any more. All
    /// messages of rounds before it have been [received](Transport::receive).
    pub(crate) fn open_round(&self, channel: Channel) -> Option<u64> {
        self.open_rounds[channel as usize]
    }

    /// The next message, in any order of rounds; nothing if there is none, or when a round has ended
    /// while it was waited for.
    ///
    /// # Errors
    /// If another process cannot be reached any more.
    pub(crate) fn receive(&mut self, wait: Wait) -> Result<Option<Message>, ClusterError> {
        self.wake();
        loop {
            let event = match wait {
                Wait::Ever => self.events.recv().map_err(|_| lost(&self.loss))?,
                Wait::No => match self.events.try_recv() {
                    Ok(event) => event,
                    Err(TryRecvError::Empty) => return Ok(None),
                    Err(TryRecvError::Disconnected) => return Err(lost(&self.loss)),
                },
                Wait::For(time) => match self.events.recv_timeout(time) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => return Ok(None),
                    Err(RecvTimeoutError::Disconnected) => return Err(lost(&self.loss)),
                },
            };
            match event {
                Event::Message { channel, id, round, from, bytes } => {
                    let channel = if channel == Channel::Work as usize {
                        Channel::Work
                    } else {
                        Channel::Broadcast
                    };
                    return Ok(Some(Message {
                        capability: Capability { channel, id, round },
                        channel,
                        from,
                        bytes,
                    }));
                }
                Event::OpenRound { channel, round } => {
                    self.open_rounds[channel] = round;
                    if !matches!(wait, Wait::No) {
                        return Ok(None);
                    }
                }
                Event::Ready { .. } => {}
            }
        }
    }
}

impl Drop for Transport {
    fn drop(&mut self) {
        self.command(Command::End);
        self.wake();
    }
}
