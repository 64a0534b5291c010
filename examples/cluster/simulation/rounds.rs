//! When a worker tells all others what it knows of the rounds: timely's way to find out that
//! nothing is left to do.
//!
//! Each letter is of a round, and comes with the right to send letters of the next one. A worker
//! adds up what it does with letters and rights, and tells all others only when that could move the
//! least round of all on. (Timely calls that progress *on demand*; without it, each slice of each
//! worker would be a message to all.)

use std::collections::BTreeMap;

/// What of a worker's doings the others have not been told.
#[derive(Clone, Copy, Debug, Default)]
struct Withheld {
    right: Option<u64>,
    letter: Option<u64>,
}

/// The rights that are held, the letters on the way, and how often somebody has told all others.
#[derive(Debug)]
pub struct Rounds {
    rights: BTreeMap<u64, u64>,
    letters: BTreeMap<u64, u64>,
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
    /// Every worker holds a right of round 0.
    pub fn new(workers: usize) -> Self {
        Rounds {
            rights: BTreeMap::from([(0, workers as u64)]),
            letters: BTreeMap::new(),
            withheld: vec![Withheld::default(); workers],
            seen: (0, u64::MAX),
            broadcasts: 0,
        }
    }

    /// How often a worker has told all others.
    pub fn broadcasts(&self) -> u64 {
        self.broadcasts
    }

    /// A letter is sent with a right of this round.
    pub fn send(&mut self, round: u64) {
        add(&mut self.letters, round + 1);
    }

    /// A worker takes a letter of this round in, and holds the right that comes with it.
    pub fn receive(&mut self, worker: usize, round: u64) {
        take(&mut self.letters, round);
        add(&mut self.rights, round);
        let withheld = &mut self.withheld[worker].letter;
        *withheld = Some(withheld.map_or(round, |least| least.min(round)));
        self.tell();
    }

    /// A worker gives a right back.
    pub fn give_back(&mut self, worker: usize, round: u64) {
        take(&mut self.rights, round);
        let withheld = &mut self.withheld[worker].right;
        *withheld = Some(withheld.map_or(round, |least| least.min(round)));
        self.tell_if(worker);
        self.tell();
    }

    /// Whether others must know that a right or a letter of its round is no more.
    fn is_urgent(&self, withheld: Withheld) -> bool {
        let (rights, letters) = (least(&self.rights), least(&self.letters));
        withheld.right.is_some_and(|round| round <= rights && round < letters)
            || withheld.letter.is_some_and(|round| round <= letters && round <= rights)
    }

    fn tell_if(&mut self, worker: usize) {
        if self.is_urgent(self.withheld[worker]) {
            self.withheld[worker] = Withheld::default();
            self.broadcasts += 1;
        }
    }

    /// Has everybody tell who must, if the least rounds have moved on.
    fn tell(&mut self) {
        let (rights, letters) = (least(&self.rights), least(&self.letters));
        if self.seen == (rights, letters) {
            return;
        }
        self.seen = (rights, letters);
        (0..self.withheld.len()).for_each(|worker| self.tell_if(worker));
    }
}
