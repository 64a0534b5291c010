//! What a sweep has sent: [`Traffic`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the workers of this process have sent to others in a sweep on a cluster, threads of the
/// same process included. Clones are the same account.
#[derive(Clone, Debug, Default)]
pub struct Traffic(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    messages: AtomicU64,
    bytes: AtomicU64,
    transitions: AtomicU64,
    rounds: AtomicU64,
    states: AtomicU64,
    largest: AtomicU64,
}

impl Traffic {
    /// Nothing is sent yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Letters: batches of states, and what workers tell each other.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.0.messages.load(Ordering::Relaxed)
    }

    /// Bytes of these messages, without what the network adds.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Transitions that led to states of other workers.
    #[must_use]
    pub fn transitions(&self) -> u64 {
        self.0.transitions.load(Ordering::Relaxed)
    }

    /// Layers that were made together.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.0.rounds.load(Ordering::Relaxed)
    }

    /// How much longer layers take than if their parts were all of the same size: the states of the
    /// largest parts, over the mean ones. 1 at best, and also if there was none.
    #[must_use]
    pub fn skew(&self, workers: usize) -> f64 {
        match self.0.states.load(Ordering::Relaxed) {
            0 => 1.0,
            states => {
                self.0.largest.load(Ordering::Relaxed) as f64 * workers as f64 / states as f64
            }
        }
    }

    pub(super) fn count_messages(&self, messages: usize, bytes: usize) {
        self.0.messages.fetch_add(messages as u64, Ordering::Relaxed);
        self.0.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn count_transitions(&self, transitions: u64) {
        self.0.transitions.fetch_add(transitions, Ordering::Relaxed);
    }

    /// A layer is made, whose largest part has so many of its states: to be received by one worker of
    /// the process.
    pub(super) fn count_layer(&self, largest: u64, states: u64) {
        self.0.rounds.fetch_add(1, Ordering::Relaxed);
        self.0.largest.fetch_add(largest, Ordering::Relaxed);
        self.0.states.fetch_add(states, Ordering::Relaxed);
    }
}
