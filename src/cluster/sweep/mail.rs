//! One worker's letters in a sweep: batches of states on one line, and on the other what all tell
//! all.

use std::collections::{HashMap, VecDeque};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::traffic::Traffic;
use crate::cluster::error::ClusterError;
use crate::cluster::greeting::Greeting;
use crate::cluster::post::{Letter, Line, Post, Right, Wait};
use crate::limits::Stop;

/// What a letter on the line of news is, as its first byte.
const TOLD: u8 = 0;
const STOPPING: u8 = 1;
const ENDING: u8 = 2;

/// Why a worker has no answer, for all others to know.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Ending {
    Panicked(String),
    Journal(String),
    OtherProgram(String),
    Unsuitable(String),
}

impl Ending {
    /// What has happened to this worker.
    pub(super) fn of(self, worker: usize) -> ClusterError {
        match self {
            Ending::Panicked(message) => ClusterError::Panicked { worker, message },
            Ending::Journal(reason) => ClusterError::Journal { worker, reason },
            Ending::OtherProgram(reason) => ClusterError::OtherProgram { worker, reason },
            Ending::Unsuitable(reason) => ClusterError::Unsuitable { reason },
        }
    }
}

/// States that have come from another worker.
pub(super) struct Batch {
    pub(super) from: usize,
    pub(super) bytes: Vec<u8>,
}

/// Letters of this worker and to it. Once something has failed, all else fails with
/// [`Stop::Interrupted`], and the reason is what the run ends with.
pub(super) struct Mail {
    post: Post,
    work: Right,
    news: Right,
    /// Of batches: in which they are sent now, or were until this worker had no more. They come in
    /// the next one.
    round: u64,
    /// Batches of the next round, from peers that have this one behind them.
    early: VecDeque<(u64, Batch)>,
    /// What was told in a round, by whom.
    told: HashMap<(u64, usize), Vec<u8>>,
    /// The last round of news in which somebody has said that the layer comes to nothing.
    stopping: Option<u64>,
    failure: Option<ClusterError>,
    traffic: Traffic,
}

impl Mail {
    pub(super) fn new(post: Post, [work, news]: [Right; 2], traffic: Traffic) -> Self {
        Mail {
            post,
            work,
            news,
            round: 0,
            early: VecDeque::new(),
            told: HashMap::new(),
            stopping: None,
            failure: None,
            traffic,
        }
    }

    pub(super) fn own(&self) -> usize {
        self.post.own()
    }

    pub(super) fn peers(&self) -> usize {
        self.post.peers()
    }

    pub(super) fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// Why there is no answer, if so.
    pub(super) fn take_failure(&mut self) -> Option<ClusterError> {
        self.failure.take()
    }

    /// Greets all others, and is greeted by them.
    pub(super) fn greet(&mut self, greeting: &Greeting) -> Result<(), Stop> {
        match greeting.exchange(&mut self.post, &self.news) {
            Ok((_, early)) => {
                self.post.go_on_to(&mut self.news, 1);
                early.into_iter().try_for_each(|letter| {
                    if let Some(batch) = self.sort(letter)? {
                        self.early.push_back((self.round + 1, batch));
                    }
                    Ok(())
                })
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    fn failed(&mut self, error: ClusterError) -> Stop {
        self.failure.get_or_insert(error);
        Stop::Interrupted
    }

    /// This worker gives up: all others are told.
    pub(super) fn give_up(&mut self, ending: Ending) -> Stop {
        if self.failure.is_none() {
            // An enumeration of texts can be written.
            let bytes = postcard::to_extend(&ending, vec![ENDING]).unwrap_or_default();
            self.post.send_to_others(&self.news, &bytes);
        }
        let own = self.own();
        self.failed(ending.of(own))
    }

    /// What was sent is not what this program would have sent.
    pub(super) fn undecipherable(&mut self, from: usize, reason: String) -> Stop {
        let text = format!("what worker {from} has sent is not to be read: {reason}");
        self.give_up(Ending::OtherProgram(text));
        self.failure = Some(ClusterError::OtherProgram { worker: from, reason });
        Stop::Interrupted
    }

    fn check(&self) -> Result<(), Stop> {
        if self.failure.is_some() { Err(Stop::Interrupted) } else { Ok(()) }
    }

    /// Sends states to their owner.
    pub(super) fn send(&mut self, to: usize, bytes: Vec<u8>) {
        self.traffic.sent(1, bytes.len());
        self.post.send(&self.work, to, bytes);
    }

    /// A batch of this round that has come, if there is one.
    pub(super) fn batch(&mut self) -> Result<Option<Batch>, Stop> {
        loop {
            if let Some(batch) = self.take_early() {
                return Ok(Some(batch));
            }
            let Some(letter) = self.receive(Wait::No)? else { return Ok(None) };
            if let Some(batch) = self.sort(letter)? {
                return Ok(Some(batch));
            }
        }
    }

    /// This worker has nothing more to send in this round.
    pub(super) fn end_round(&mut self) {
        self.post.go_on_to(&mut self.work, self.round + 1);
    }

    /// The next batch of a round that this worker has [ended](Mail::end_round); nothing once all
    /// have.
    pub(super) fn last_batch(&mut self) -> Result<Option<Batch>, Stop> {
        loop {
            if let Some(batch) = self.take_early() {
                return Ok(Some(batch));
            }
            if self.post.open(Line::Work).is_none_or(|open| open >= self.round + 2) {
                self.round += 1;
                return Ok(None);
            }
            if let Some(letter) = self.receive(Wait::Ever)?
                && let Some(batch) = self.sort(letter)?
            {
                return Ok(Some(batch));
            }
        }
    }

    fn take_early(&mut self) -> Option<Batch> {
        let is_due = self.early.front().is_some_and(|(round, _)| *round == self.round + 1);
        if is_due { self.early.pop_front().map(|(_, batch)| batch) } else { None }
    }

    fn receive(&mut self, wait: Wait) -> Result<Option<Letter>, Stop> {
        self.check()?;
        self.post.receive(wait).map_err(|error| self.failed(error))
    }

    /// Puts a letter where it belongs; a batch of this round is given back.
    fn sort(&mut self, letter: Letter) -> Result<Option<Batch>, Stop> {
        let Letter { right, line, from, mut bytes } = letter;
        let round = right.round();
        self.post.give_back(right);
        if line == Line::Work {
            let batch = Batch { from, bytes };
            if round == self.round + 1 {
                return Ok(Some(batch));
            }
            self.early.push_back((round, batch));
            return Ok(None);
        }
        match bytes.first() {
            Some(&TOLD) => {
                bytes.remove(0);
                self.told.insert((round, from), bytes);
            }
            Some(&STOPPING) => self.stopping = self.stopping.max(Some(round)),
            Some(&ENDING) => {
                let ending = postcard::from_bytes(&bytes[1..]);
                let ending = ending.unwrap_or_else(|_| {
                    Ending::OtherProgram("it has ended for unknown reasons".into())
                });
                return Err(self.failed(ending.of(from)));
            }
            _ => return Err(self.undecipherable(from, "an unknown kind of letter".to_owned())),
        }
        Ok(None)
    }

    /// Tells all others that the layer that is being made comes to nothing.
    pub(super) fn tell_stopping(&mut self) {
        self.post.send_to_others(&self.news, &[STOPPING]);
    }

    /// Whether another worker has said so.
    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.is_some_and(|round| round == self.news.round() + 1)
    }

    /// Tells all others something, and is told as much by them: of each worker, by their numbers.
    pub(super) fn exchange<T: Serialize + DeserializeOwned>(
        &mut self,
        own: &T,
    ) -> Result<Vec<T>, Stop> {
        let bytes = match postcard::to_extend(own, vec![TOLD]) {
            Ok(bytes) => bytes,
            Err(error) => return Err(self.give_up(Ending::Unsuitable(error.to_string()))),
        };
        let all = self.exchange_bytes(bytes)?;
        let mut read = Vec::with_capacity(all.len());
        for (from, bytes) in all.iter().enumerate() {
            match postcard::from_bytes(bytes) {
                Ok(told) => read.push(told),
                Err(error) => return Err(self.undecipherable(from, error.to_string())),
            }
        }
        Ok(read)
    }

    /// The beginning of a letter for [`exchange_bytes`](Mail::exchange_bytes).
    pub(super) fn letter() -> Vec<u8> {
        vec![TOLD]
    }

    /// The same for bytes that begin as [such a letter](Mail::letter) does; they come without this
    /// beginning.
    pub(super) fn exchange_bytes(&mut self, mut bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Stop> {
        self.check()?;
        let others = self.peers() - 1;
        if others > 0 {
            self.traffic.sent(others, others * bytes.len());
            self.post.send_to_others(&self.news, &bytes);
        }
        bytes.remove(0);
        let (own, round) = (self.own(), self.news.round() + 1);
        if others == 0 {
            return Ok(vec![bytes]);
        }
        self.told.insert((round, own), bytes);
        self.post.go_on_to(&mut self.news, round);
        loop {
            if (0..self.peers()).all(|from| self.told.contains_key(&(round, from))) {
                return Ok((0..self.peers())
                    .filter_map(|from| self.told.remove(&(round, from)))
                    .collect());
            }
            if self.post.open(Line::News).is_none_or(|open| open > round) {
                let reason = "a round has ended without a word from each worker".to_owned();
                return Err(self.failed(ClusterError::PeerLost { reason }));
            }
            if let Some(letter) = self.receive(Wait::Ever)?
                && let Some(batch) = self.sort(letter)?
            {
                // Of a peer that has heard of all already, and steps in the next cell.
                self.early.push_back((self.round + 1, batch));
            }
        }
    }
}
