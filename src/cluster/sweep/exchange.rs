//! The messages of one worker of a sweep: batches of states on one channel, and on the other values
//! that each worker sends to all others. [`Traffic`] counts them.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checkpoint::decode;
use crate::cluster::error::{Abort, ClusterError};
use crate::cluster::handshake::Handshake;
use crate::cluster::transport::{Capability, Channel, Message, Transport, Wait};
use crate::limits::Stop;

/// The kinds of messages on the broadcast channel after the handshake, each the first byte of its
/// message.
const VALUE: u8 = 0;
const CANCEL_LAYER: u8 = 1;
const ABORT: u8 = 2;

/// The time after which a worker that waits for batches checks other conditions, such as its clock.
const POLL: Duration = Duration::from_millis(10);

/// States of another worker.
pub(super) struct Batch {
    pub(super) from: usize,
    pub(super) bytes: Vec<u8>,
}

/// The result of [waiting for a batch](Exchange::next_batch).
pub(super) enum Received {
    Batch(Batch),
    /// No batch has arrived within [`POLL`], though one may still come.
    Nothing,
    /// All workers have ended the round.
    End,
}

/// The messages of this worker. After a failure, every operation fails with [`Stop::Interrupted`],
/// and the run ends with the first reason.
pub(super) struct Exchange {
    transport: Transport,
    work: Capability,
    broadcast: Capability,
    /// The round in which this worker sends batches, or has sent its last ones. They arrive in the
    /// next round.
    round: u64,
    /// The batches received, with the rounds in which they arrive. Peers that have finished this
    /// round may have begun the next one.
    batches: VecDeque<(u64, Batch)>,
    /// The messages with values received, by the round in which they arrive and by sender.
    received: HashMap<(u64, usize), Vec<u8>>,
    /// The last round in which a message that cancels a layer has arrived.
    cancelled_round: Option<u64>,
    failure: Option<ClusterError>,
    traffic: Traffic,
}

impl Exchange {
    pub(super) fn new(
        transport: Transport,
        [work, broadcast]: [Capability; 2],
        traffic: Traffic,
    ) -> Self {
        Exchange {
            transport,
            work,
            broadcast,
            round: 0,
            batches: VecDeque::new(),
            received: HashMap::new(),
            cancelled_round: None,
            failure: None,
            traffic,
        }
    }

    pub(super) fn index(&self) -> usize {
        self.transport.index()
    }

    pub(super) fn peers(&self) -> usize {
        self.transport.peers()
    }

    pub(super) fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// Takes the reason of a failure, if there was one.
    pub(super) fn take_failure(&mut self) -> Option<ClusterError> {
        self.failure.take()
    }

    /// Exchanges handshakes with all other workers.
    pub(super) fn shake_hands(&mut self, handshake: &Handshake) -> Result<(), Stop> {
        let (_, early) = handshake
            .exchange(&mut self.transport, &self.broadcast)
            .map_err(|error| self.fail(error))?;
        self.transport.downgrade(&mut self.broadcast, 1);
        early.into_iter().try_for_each(|message| self.store(message))
    }

    fn fail(&mut self, error: ClusterError) -> Stop {
        self.failure.get_or_insert(error);
        Stop::Interrupted
    }

    /// Aborts the run, and sends the reason to all others.
    pub(super) fn abort(&mut self, abort: Abort) -> Stop {
        if self.failure.is_none() {
            // Serialization of an enum of strings does not fail.
            let bytes = postcard::to_extend(&abort, vec![ABORT]).unwrap_or_default();
            self.transport.send_to_others(&self.broadcast, &bytes);
        }
        let own = self.index();
        self.fail(abort.into_error(own))
    }

    /// Aborts the run because of a message that this program would not send.
    pub(super) fn undecodable(&mut self, from: usize, reason: String) -> Stop {
        self.abort(Abort::Undecodable { by: from, reason })
    }

    /// Aborts the run because states or values cannot be sent.
    pub(super) fn unsuitable(&mut self, error: &postcard::Error) -> Stop {
        self.abort(Abort::Unsuitable(error.to_string()))
    }

    fn check(&self) -> Result<(), Stop> {
        if self.failure.is_some() { Err(Stop::Interrupted) } else { Ok(()) }
    }

    /// Sends a batch of states to their owner.
    pub(super) fn send(&mut self, to: usize, bytes: Vec<u8>) {
        self.traffic.count_messages(1, bytes.len());
        self.transport.send(&self.work, to, bytes);
    }

    /// Returns a received batch of this round, if there is one.
    pub(super) fn try_batch(&mut self) -> Result<Option<Batch>, Stop> {
        loop {
            let batch = self.take_batch();
            if batch.is_some() || !self.receive(Wait::No)? {
                return Ok(batch);
            }
        }
    }

    /// Declares that this worker has no more batches in this round.
    pub(super) fn end_round(&mut self) {
        self.transport.downgrade(&mut self.work, self.round + 1);
    }

    /// Waits at most [`POLL`] for the next batch of a round that this worker has
    /// [ended](Exchange::end_round).
    pub(super) fn next_batch(&mut self) -> Result<Received, Stop> {
        if let Some(batch) = self.take_batch() {
            return Ok(Received::Batch(batch));
        }
        if self.has_ended(Channel::Work, self.round + 1) {
            self.round += 1;
            return Ok(Received::End);
        }
        self.receive(Wait::For(POLL))?;
        Ok(self.take_batch().map_or(Received::Nothing, Received::Batch))
    }

    fn take_batch(&mut self) -> Option<Batch> {
        let due = self.batches.iter().position(|(round, _)| *round == self.round + 1)?;
        self.batches.remove(due).map(|(_, batch)| batch)
    }

    /// Returns whether no more messages arrive in `round`.
    fn has_ended(&self, channel: Channel, round: u64) -> bool {
        self.transport.open_round(channel).is_none_or(|open| open > round)
    }

    /// Stores the next message. Returns whether there was one.
    fn receive(&mut self, wait: Wait) -> Result<bool, Stop> {
        self.check()?;
        match self.transport.receive(wait) {
            Ok(Some(message)) => self.store(message).map(|()| true),
            Ok(None) => Ok(false),
            Err(error) => Err(self.fail(error)),
        }
    }

    fn store(&mut self, message: Message) -> Result<(), Stop> {
        let Message { capability, from, bytes } = message;
        let (channel, round) = (capability.channel(), capability.round());
        self.transport.release(capability);
        if channel == Channel::Work {
            self.batches.push_back((round, Batch { from, bytes }));
            return Ok(());
        }
        match bytes.first() {
            Some(&VALUE) => {
                self.received.insert((round, from), bytes);
            }
            Some(&CANCEL_LAYER) => self.cancelled_round = self.cancelled_round.max(Some(round)),
            Some(&ABORT) => match decode::<Abort>(&bytes[1..]) {
                Ok(abort) => return Err(self.fail(abort.into_error(from))),
                Err(reason) => return Err(self.undecodable(from, reason)),
            },
            _ => return Err(self.undecodable(from, "found an unknown kind of message".to_owned())),
        }
        Ok(())
    }

    /// Tells all others that the current layer is cancelled.
    pub(super) fn cancel_layer(&mut self) {
        self.transport.send_to_others(&self.broadcast, &[CANCEL_LAYER]);
    }

    /// Returns whether another worker has cancelled the current layer.
    pub(super) fn is_layer_cancelled(&self) -> bool {
        self.cancelled_round.is_some_and(|round| round == self.broadcast.round() + 1)
    }

    /// Sends a value to all other workers, and returns the values of all workers in their order.
    ///
    /// The clock of this worker is not checked during the wait. All workers agree on the reason to
    /// stop, so none can stop before the slowest one, which checks its own clock.
    pub(super) fn all_gather<T: Serialize + DeserializeOwned>(
        &mut self,
        own: T,
    ) -> Result<Vec<T>, Stop> {
        let mut all = self.gather_others(&own)?;
        all.insert(self.index(), own);
        Ok(all)
    }

    /// Like [`all_gather`](Self::all_gather), for a value that is sent as one type (such as
    /// references) and read as another, `T`, with the same encoding. Returns the values of the
    /// other workers only.
    pub(super) fn gather_others<T: DeserializeOwned>(
        &mut self,
        own: &impl Serialize,
    ) -> Result<Vec<T>, Stop> {
        self.check()?;
        let (index, peers, round) = (self.index(), self.peers(), self.broadcast.round() + 1);
        if peers == 1 {
            return Ok(Vec::new());
        }
        let bytes =
            postcard::to_extend(own, vec![VALUE]).map_err(|error| self.unsuitable(&error))?;
        self.traffic.count_messages(peers - 1, (peers - 1) * bytes.len());
        self.transport.send_to_others(&self.broadcast, &bytes);
        self.transport.downgrade(&mut self.broadcast, round);
        drop(bytes);
        let others = (0..peers).filter(|&from| from != index);
        while !others.clone().all(|from| self.received.contains_key(&(round, from))) {
            if self.has_ended(Channel::Broadcast, round) {
                let reason = "a worker has ended before its message of this round".to_owned();
                return Err(self.fail(ClusterError::PeerLost { reason }));
            }
            self.receive(Wait::Ever)?;
        }
        // Values may be large, so each message is dropped before the next one is read.
        let received =
            others.filter_map(|from| Some((from, self.received.remove(&(round, from))?)));
        received
            .map(|(from, bytes)| decode(&bytes[1..]).map_err(|reason| (from, reason)))
            .collect::<Result<_, _>>()
            .map_err(|(from, reason)| self.undecodable(from, reason))
    }
}

/// Returns the most urgent of several reasons. All workers know the same ones, so they choose the
/// same one.
pub(super) fn first_reason(stops: impl IntoIterator<Item = Option<Stop>>) -> Option<Stop> {
    let rank = |stop: &Stop| match stop {
        Stop::Cancelled => 0,
        Stop::TimeLimit => 1,
        Stop::MemoryLimit => 2,
        Stop::StateLimit => 3,
        // Overflow ranks after these limits: with wider numbers, the layer would reach them again.
        Stop::CountOverflow => 4,
        _ => 5,
    };
    stops.into_iter().flatten().min_by_key(rank)
}

/// Statistics of what the workers of this process have sent to others in a sweep on a cluster,
/// including threads of the same process. Clones share the same counters.
#[derive(Clone, Debug, Default)]
pub struct Traffic(Arc<Counters>);

/// Relaxed loads and additions suffice: the counters are independent of each other and guard no
/// other data. A read after the run is exact, because the run joins all threads that add to them.
#[derive(Debug, Default)]
struct Counters {
    messages: AtomicU64,
    bytes: AtomicU64,
    transitions: AtomicU64,
    rounds: AtomicU64,
    /// The sum over all layers of the states.
    states: AtomicU64,
    /// The sum over all layers of the states in the largest part.
    largest: AtomicU64,
}

impl Traffic {
    /// Creates counters that start at 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of messages: batches of states, and values that workers send to all.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.0.messages.load(Ordering::Relaxed)
    }

    /// Returns the number of bytes of these messages, without the overhead of the network.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Returns the number of transitions to states of other workers, including those that an
    /// algebra with a limit does not send.
    #[must_use]
    pub fn transitions(&self) -> u64 {
        self.0.transitions.load(Ordering::Relaxed)
    }

    /// Returns the number of times that the workers computed a layer jointly, completed or not.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.0.rounds.load(Ordering::Relaxed)
    }

    /// Returns the load imbalance: the sum over all layers of the states in the largest part,
    /// divided by the sum of the mean numbers of states per part. Each layer has a part for each of
    /// the `workers` of the cluster. Layers take about this many times longer than with parts of
    /// equal size. The ratio is 1 at best, and 1 if there was no layer.
    #[must_use]
    pub fn skew(&self, workers: usize) -> f64 {
        match self.0.states.load(Ordering::Relaxed) {
            0 => 1.0,
            states => {
                self.0.largest.load(Ordering::Relaxed) as f64 * workers as f64 / states as f64
            }
        }
    }

    fn count_messages(&self, messages: usize, bytes: usize) {
        self.0.messages.fetch_add(messages as u64, Ordering::Relaxed);
        self.0.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn count_transitions(&self, transitions: u64) {
        self.0.transitions.fetch_add(transitions, Ordering::Relaxed);
    }

    /// Counts a layer with this number of states, and this number in its largest part. Only one
    /// worker of each process calls this, because all of them know the numbers of all workers.
    pub(super) fn count_layer(&self, largest: u64, states: u64) {
        self.0.rounds.fetch_add(1, Ordering::Relaxed);
        self.0.largest.fetch_add(largest, Ordering::Relaxed);
        self.0.states.fetch_add(states, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::batch::tests::Refused;
    use super::*;
    use crate::cluster::Cluster;

    /// Worker 0 sends two bytes, which worker 1 reads as a `T`. Returns the errors of both.
    fn errors<T: DeserializeOwned>() -> Vec<String> {
        let run = |transport, capabilities, ()| {
            let mut exchange = Exchange::new(transport, capabilities, Traffic::new());
            let read = match exchange.index() {
                0 => exchange.gather_others::<u8>(&(7_u8, 7_u8)).map(drop),
                _ => exchange.gather_others::<T>(&7_u8).map(drop),
            };
            // Worker 0 learns of the failure in the next round.
            assert_eq!(read.and_then(|()| exchange.all_gather(0_u8)), Err(Stop::Interrupted));
            Ok(exchange.take_failure().expect("a failure").to_string())
        };
        Cluster::threads(2).run(None, vec![(); 2], run).expect("two workers")
    }

    #[test]
    fn all_workers_report_the_reason_for_which_a_value_is_refused() {
        let other = |reason: &str| vec![format!("worker 0 runs another program: {reason}"); 2];
        assert_eq!(errors::<u8>(), other("found 1 bytes after the data"));
        assert_eq!(errors::<Refused>(), other("found one thing, expected another"));
    }

    #[test]
    fn values_of_others_are_read_as_another_type() {
        let run = |transport, capabilities, ()| {
            let mut exchange = Exchange::new(transport, capabilities, Traffic::new());
            let (own, text) = (exchange.index(), exchange.index().to_string());
            let others = exchange.gather_others::<String>(&text.as_str()).expect("texts");
            Ok((own, others, exchange.all_gather(own).expect("numbers")))
        };
        for workers in 1..=3 {
            let mut all =
                Cluster::threads(workers).run(None, vec![(); workers], run).expect("workers");
            all.sort_unstable();
            for (index, (own, others, numbers)) in all.into_iter().enumerate() {
                let expected = (0..workers).filter(|&other| other != own);
                let expected: Vec<String> = expected.map(|other| other.to_string()).collect();
                assert_eq!((own, others), (index, expected));
                assert!(numbers.into_iter().eq(0..workers));
            }
        }
    }
}
