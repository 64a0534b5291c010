//! Letters between workers: [`Post`], one worker's end of it.
//!
//! There are several [lines](Line), each with rounds of its own. To send a letter takes a
//! [`Right`]; each comes with a letter, or is the one that every worker begins with. When nobody
//! has a right of a round or an earlier one, and no letter of it is on the way, the round has
//! ended, and everybody comes to know.

use std::cell::Cell;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::Duration;

use timely::scheduling::SyncActivator;

use super::connect::{Loss, StartUp};
use super::dataflow::{Command, Event, RightId};
use super::error::ClusterError;

/// What letters are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// What there is to do: subtrees, states.
    Work = 0,
    /// What all should know: incumbents, stops, results.
    News = 1,
}

/// How many there are.
pub(super) const LINES: usize = 2;

/// To send letters on a line, in a round. Must be [given back](Post::give_back), or the round never
/// ends; when the post itself is dropped, all are.
#[derive(Debug)]
#[must_use = "others wait until it is given back"]
pub(crate) struct Right {
    line: Line,
    id: RightId,
    round: u64,
}

impl Right {
    /// The round in which letters are sent with it. They arrive with a right of the next one.
    pub(crate) fn round(&self) -> u64 {
        self.round
    }
}

/// A letter that has come.
#[derive(Debug)]
pub(crate) struct Letter {
    pub(crate) right: Right,
    pub(crate) line: Line,
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

/// One worker's end of all lines.
pub(crate) struct Post {
    commands: Sender<Command>,
    events: Receiver<Event>,
    wake: SyncActivator,
    /// Whether commands were given that nobody was woken for.
    is_asked: Cell<bool>,
    own: usize,
    peers: usize,
    /// The first round of which letters may still come.
    open: [Option<u64>; LINES],
    start_up: StartUp,
    loss: Loss,
}

/// The peers cannot be reached any more.
pub(super) fn lost(loss: &Loss) -> ClusterError {
    let reason = loss.reason().unwrap_or_else(|| "a connection has ended".to_owned());
    ClusterError::PeerLost { reason }
}

impl Post {
    /// As soon as the lines are there, with the right to send in round 0 of each.
    pub(super) fn new(
        commands: Sender<Command>,
        events: Receiver<Event>,
        start_up: StartUp,
        loss: Loss,
    ) -> Result<(Self, [Right; LINES]), ClusterError> {
        loop {
            match events.recv() {
                Ok(Event::Ready { wake, own, peers }) => {
                    let rights =
                        [Line::Work, Line::News].map(|line| Right { line, id: 0, round: 0 });
                    let (is_asked, open) = (Cell::new(false), [Some(0); LINES]);
                    let post =
                        Post { commands, events, wake, is_asked, own, peers, open, start_up, loss };
                    return Ok((post, rights));
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
    pub(crate) fn own(&self) -> usize {
        self.own
    }

    /// How many workers there are.
    pub(crate) fn peers(&self) -> usize {
        self.peers
    }

    /// Has something done, when whoever does it is next [woken](Self::wake).
    fn command(&self, command: Command) {
        // If nobody is there to carry it out, that is told to who waits for an event.
        let _ = self.commands.send(command);
        self.is_asked.set(true);
    }

    /// Wakes the thread of timely if there is something to be done: it costs more than the thing
    /// itself.
    fn wake(&self) {
        if self.is_asked.take() {
            let _ = self.wake.activate();
        }
    }

    /// Sends a letter, to this worker as well if need be.
    pub(crate) fn send(&self, right: &Right, to: usize, bytes: Vec<u8>) {
        self.queue(right, to, bytes);
        self.wake();
    }

    /// Sends the same to all workers but this one.
    pub(crate) fn send_to_others(&self, right: &Right, bytes: &[u8]) {
        for to in (0..self.peers).filter(|&to| to != self.own) {
            self.queue(right, to, bytes.to_vec());
        }
        self.wake();
    }

    fn queue(&self, right: &Right, to: usize, bytes: Vec<u8>) {
        self.command(Command::Send { line: right.line as usize, right: right.id, to, bytes });
    }

    /// Gives a right back: nothing will be sent with it any more. Others come to know with the next
    /// letter that is sent or [received](Post::receive) here.
    pub(crate) fn give_back(&self, right: Right) {
        self.command(Command::GiveBack { line: right.line as usize, right: right.id });
    }

    /// Gives up the right to send in a round for that of a later one.
    pub(crate) fn go_on_to(&self, right: &mut Right, round: u64) {
        debug_assert!(round >= right.round);
        right.round = round;
        self.command(Command::GoOnTo { line: right.line as usize, right: right.id, round });
    }

    /// The first round of which letters may still come; `None` if none will come any more. All
    /// letters of rounds before it have been [received](Post::receive).
    pub(crate) fn open(&self, line: Line) -> Option<u64> {
        self.open[line as usize]
    }

    /// The next letter, in any order of rounds; nothing if there is none, or when a round has ended
    /// while it was waited for.
    ///
    /// # Errors
    /// If another process cannot be reached any more.
    pub(crate) fn receive(&mut self, wait: Wait) -> Result<Option<Letter>, ClusterError> {
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
                Event::Letter { line, right: id, round, from, bytes } => {
                    let line = if line == Line::Work as usize { Line::Work } else { Line::News };
                    return Ok(Some(Letter {
                        right: Right { line, id, round },
                        line,
                        from,
                        bytes,
                    }));
                }
                Event::Open { line, open } => {
                    self.open[line] = open;
                    if !matches!(wait, Wait::No) {
                        return Ok(None);
                    }
                }
                Event::Ready { .. } => {}
            }
        }
    }
}

impl Drop for Post {
    fn drop(&mut self) {
        self.command(Command::End);
        self.wake();
    }
}
