//! When a worker tells all others what it knows of the rounds: timely's way to find out that
//! nothing is left to do.
//!
//! Each message is of a round, and comes with the capability to send messages of the next one. A worker
//! adds up what it does with messages and capabilities, and tells all others only when that could move the
//! least round of all on. (Timely calls that progress *on demand*; without it, each slice of each
//! worker would be a message to all.)

use std::collections::BTreeMap;

/// What of a worker's doings the others have not been told.
#[derive(Clone, Copy, Debug, Default)]
struct Withheld {
    capability: Option<u64>,
    message: Option<u64>,
}

/// The capabilities that are held, the messages on the way, and how often somebody has told all others.
#[derive(Debug)]
pub struct Rounds {
    capabilities: BTreeMap<u64, u64>,
    messages: BTreeMap<u64, u64>,
    withheld: Vec<Withheld>,
    /// The least rounds when it was last looked whether anybody must tell.
    seen: (u64, u64),
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
    /// Every worker holds a capability of round 0.
    pub fn new(workers: usize) -> Self {
        Rounds {
            capabilities: BTreeMap::from([(0, workers as u64)]),
            messages: BTreeMap::new(),
            withheld: vec![Withheld::default(); workers],
            seen: (0, u64::MAX),
            broadcasts: 0,
        }
    }

    /// How often a worker has told all others.
    pub fn broadcasts(&self) -> u64 {
        self.broadcasts
    }

    /// A message is sent with a capability of this round.
    pub fn send(&mut self, round: u64) {
        add(&mut self.messages, round + 1);
    }

    /// A worker takes a message of this round in, and holds the capability that comes with it.
    pub fn receive(&mut self, worker: usize, round: u64) {
        take(&mut self.messages, round);
        add(&mut self.capabilities, round);
        let withheld = &mut self.withheld[worker].message;
        *withheld = Some(withheld.map_or(round, |least| least.min(round)));
        self.tell();
    }

    /// A worker gives a capability back.
    pub fn release(&mut self, worker: usize, round: u64) {
        take(&mut self.capabilities, round);
        let withheld = &mut self.withheld[worker].capability;
        *withheld = Some(withheld.map_or(round, |least| least.min(round)));
        self.tell_if(worker);
        self.tell();
    }

    /// Whether others must know that a capability or a message of its round is no more.
    fn is_urgent(&self, withheld: Withheld) -> bool {
        let (capabilities, messages) = (least(&self.capabilities), least(&self.messages));
        withheld.capability.is_some_and(|round| round <= capabilities && round < messages)
            || withheld.message.is_some_and(|round| round <= messages && round <= capabilities)
    }

    fn tell_if(&mut self, worker: usize) {
        if self.is_urgent(self.withheld[worker]) {
            self.withheld[worker] = Withheld::default();
            self.broadcasts += 1;
        }
    }

    /// Has everybody tell who must, if the least rounds have moved on.
    fn tell(&mut self) {
        let (capabilities, messages) = (least(&self.capabilities), least(&self.messages));
        if self.seen == (capabilities, messages) {
            return;
        }
        self.seen = (capabilities, messages);
        (0..self.withheld.len()).for_each(|worker| self.tell_if(worker));
    }
}
