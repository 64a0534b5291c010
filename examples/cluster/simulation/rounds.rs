//! The progress broadcasts of workers, by which timely detects that no work is left.
//!
//! A message that is sent with a capability for a round belongs to the next round, and arrives with
//! a capability for that one. A worker accumulates its changes of messages and capabilities, and
//! broadcasts them only when they could advance the least round of all. (Timely calls this progress
//! *on demand*. Without it, each slice of each worker would cause a message to all.)

use std::collections::BTreeMap;

/// The changes of a worker that it has not broadcast.
#[derive(Clone, Copy, Debug, Default)]
struct Withheld {
    /// The least round of a released capability.
    capability: Option<u64>,
    /// The least round of a received message.
    message: Option<u64>,
}

/// The capabilities held, the messages in transit, and the number of progress broadcasts.
#[derive(Debug)]
pub struct Rounds {
    capabilities: BTreeMap<u64, u64>,
    messages: BTreeMap<u64, u64>,
    withheld: Vec<Withheld>,
    /// The least rounds when the withheld changes were last checked.
    checked: (u64, u64),
    broadcasts: u64,
}

fn least(counts: &BTreeMap<u64, u64>) -> u64 {
    counts.first_key_value().map_or(u64::MAX, |(&round, _)| round)
}

fn add(counts: &mut BTreeMap<u64, u64>, round: u64) {
    *counts.entry(round).or_default() += 1;
}

fn take(counts: &mut BTreeMap<u64, u64>, round: u64) {
    if let Some(count) = counts.get_mut(&round) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&round);
        }
    }
}

impl Rounds {
    /// Creates the state in which every worker holds a capability for round 0.
    pub fn new(workers: usize) -> Self {
        Rounds {
            capabilities: BTreeMap::from([(0, workers as u64)]),
            messages: BTreeMap::new(),
            withheld: vec![Withheld::default(); workers],
            checked: (0, u64::MAX),
            broadcasts: 0,
        }
    }

    /// Returns the number of progress broadcasts.
    pub fn broadcasts(&self) -> u64 {
        self.broadcasts
    }

    /// Sends a message with a capability for `round`.
    pub fn send(&mut self, round: u64) {
        add(&mut self.messages, round + 1);
    }

    /// Receives a message of `round`, with its capability.
    pub fn receive(&mut self, worker: usize, round: u64) {
        take(&mut self.messages, round);
        add(&mut self.capabilities, round);
        let withheld = &mut self.withheld[worker].message;
        *withheld = Some(withheld.map_or(round, |least| least.min(round)));
        self.broadcast_urgent();
    }

    /// Releases a capability.
    pub fn release(&mut self, worker: usize, round: u64) {
        take(&mut self.capabilities, round);
        let withheld = &mut self.withheld[worker].capability;
        *withheld = Some(withheld.map_or(round, |least| least.min(round)));
        self.broadcast_if_urgent(worker);
        self.broadcast_urgent();
    }

    /// Returns whether the others must learn that a capability or a message of its round is gone.
    fn is_urgent(&self, withheld: Withheld) -> bool {
        let (capabilities, messages) = (least(&self.capabilities), least(&self.messages));
        withheld.capability.is_some_and(|round| round <= capabilities && round < messages)
            || withheld.message.is_some_and(|round| round <= messages && round <= capabilities)
    }

    fn broadcast_if_urgent(&mut self, worker: usize) {
        if self.is_urgent(self.withheld[worker]) {
            self.withheld[worker] = Withheld::default();
            self.broadcasts += 1;
        }
    }

    /// Broadcasts all changes that have become urgent, if the least rounds have advanced.
    fn broadcast_urgent(&mut self) {
        let (capabilities, messages) = (least(&self.capabilities), least(&self.messages));
        if self.checked == (capabilities, messages) {
            return;
        }
        self.checked = (capabilities, messages);
        (0..self.withheld.len()).for_each(|worker| self.broadcast_if_urgent(worker));
    }
}
