//! Messages between workers: [`Transport`], one worker's end of all channels.
//!
//! There are two [channels](Channel), each with rounds of its own. Sending a message requires a
//! [`Capability`] for a round. Every worker starts with a capability for round 0, and each message
//! arrives in the next round, with a capability for that one. A round ends when no worker holds a
//! capability for it or an earlier round, and no message that was sent in these rounds is in
//! transit. Then all workers are notified: the [open round](Transport::open_round), in which the
//! next messages may arrive, is at least two later than the round that has ended.

use std::cell::Cell;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::Duration;

use timely::scheduling::SyncActivator;

use super::connect::{Loss, StartUp};
use super::dataflow::{CapabilityId, Command, Event};
use super::error::ClusterError;

/// A channel of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// Work: subtrees or states.
    Work = 0,
    /// Information for all workers: incumbents, stops, results.
    Broadcast = 1,
}

/// The number of channels.
pub(super) const CHANNELS: usize = ALL.len();

/// All channels, in the order of their numbers.
const ALL: [Channel; 2] = [Channel::Work, Channel::Broadcast];

/// The capability to send messages on a channel in a round. It must be
/// [released](Transport::release), or the round never ends. Dropping the transport releases all of
/// them.
#[derive(Debug)]
#[must_use = "others wait until it is released"]
pub(crate) struct Capability {
    channel: Channel,
    id: CapabilityId,
    round: u64,
}

impl Capability {
    pub(crate) fn channel(&self) -> Channel {
        self.channel
    }

    /// Returns the round in which messages are sent with it. They arrive with a capability for the
    /// next round.
    pub(crate) fn round(&self) -> u64 {
        self.round
    }
}

/// A received message.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) capability: Capability,
    pub(crate) from: usize,
    pub(crate) bytes: Vec<u8>,
}

/// The time to wait for an event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wait {
    /// Returns at once.
    No,
    /// Waits this long at most.
    For(Duration),
    /// Waits without a limit.
    Ever,
}

/// One worker's end of all channels.
pub(crate) struct Transport {
    commands: Sender<Command>,
    events: Receiver<Event>,
    wake: SyncActivator,
    /// Whether commands were queued since timely's thread was last woken.
    has_commands: Cell<bool>,
    index: usize,
    peers: usize,
    /// By channel, the first round in which a message may still arrive; `None` if none will.
    open_rounds: [Option<u64>; CHANNELS],
    start_up: StartUp,
    loss: Loss,
}

/// Creates the error for peers that cannot be reached any more.
pub(super) fn lost(loss: &Loss) -> ClusterError {
    let reason = loss.reason().unwrap_or_else(|| "a connection has ended".to_owned());
    ClusterError::PeerLost { reason }
}

impl Transport {
    /// Waits until the channels exist. Returns the transport, and a capability for round 0 of each
    /// channel.
    ///
    /// # Errors
    /// Returns an error if timely's thread has ended.
    pub(super) fn new(
        commands: Sender<Command>,
        events: Receiver<Event>,
        start_up: StartUp,
        loss: Loss,
    ) -> Result<(Self, [Capability; CHANNELS]), ClusterError> {
        loop {
            match events.recv() {
                Ok(Event::Ready { wake, index, peers }) => {
                    let capabilities = ALL.map(|channel| Capability { channel, id: 0, round: 0 });
                    let has_commands = Cell::new(false);
                    let open_rounds = [Some(0); CHANNELS];
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
                // No other event precedes `Ready`.
                Ok(_) => {}
                Err(_) => return Err(lost(&loss)),
            }
        }
    }

    /// Returns the limits of the wait for the other processes at start-up: a deadline and a switch
    /// that cancels the wait.
    pub(super) fn start_up(&self) -> &StartUp {
        &self.start_up
    }

    /// Returns the number of this worker, from 0, over all processes.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Returns the number of workers in all processes.
    pub(crate) fn peers(&self) -> usize {
        self.peers
    }

    /// Queues a command for timely's thread, which executes it when it is next [woken](Self::wake).
    fn command(&self, command: Command) {
        // If timely's thread has ended, the next call of `receive` returns the error.
        let _ = self.commands.send(command);
        self.has_commands.set(true);
    }

    /// Wakes timely's thread if commands are queued. Several commands share one wake-up, because
    /// waking costs more than executing a command.
    fn wake(&self) {
        if self.has_commands.take() {
            let _ = self.wake.activate();
        }
    }

    /// Sends a message; the receiver may be this worker.
    pub(crate) fn send(&self, capability: &Capability, to: usize, bytes: Vec<u8>) {
        self.queue(capability, to, bytes);
        self.wake();
    }

    /// Sends the same message to all workers except this one.
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

    /// Releases a capability. Other workers learn of it only after this worker has called `send`,
    /// `send_to_others` or [`receive`](Transport::receive) the next time.
    pub(crate) fn release(&self, capability: Capability) {
        self.command(Command::Release { channel: capability.channel as usize, id: capability.id });
    }

    /// Replaces a capability by one for a later round.
    pub(crate) fn downgrade(&self, capability: &mut Capability, round: u64) {
        debug_assert!(round >= capability.round);
        capability.round = round;
        self.command(Command::Downgrade {
            channel: capability.channel as usize,
            id: capability.id,
            round,
        });
    }

    /// Returns the first round in which a message may still arrive, which is the round after the
    /// one in which it is sent, or `None` if none will. All messages that arrive in earlier rounds
    /// have been [received](Transport::receive).
    pub(crate) fn open_round(&self, channel: Channel) -> Option<u64> {
        self.open_rounds[channel as usize]
    }

    /// Returns the next message, in any order of rounds, or `None` if there is none within the time
    /// to wait or if a round ends while waiting.
    ///
    /// # Errors
    /// Returns an error if another process cannot be reached any more, or if a message is damaged.
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
                    let capability = Capability { channel: ALL[channel], id, round };
                    return Ok(Some(Message { capability, from, bytes }));
                }
                Event::OpenRound { channel, round } => {
                    self.open_rounds[channel] = round;
                    if !matches!(wait, Wait::No) {
                        return Ok(None);
                    }
                }
                Event::Damaged => {
                    let reason =
                        "a message is damaged, or not from a worker of this run".to_owned();
                    return Err(ClusterError::PeerLost { reason });
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
