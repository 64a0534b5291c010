//! Statistics of what a sweep has sent: [`Traffic`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
    states: AtomicU64,
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

    /// Returns the number of transitions sent to other workers, which own their target states.
    #[must_use]
    pub fn transitions(&self) -> u64 {
        self.0.transitions.load(Ordering::Relaxed)
    }

    /// Returns the number of layers that the workers computed jointly.
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

    pub(super) fn count_messages(&self, messages: usize, bytes: usize) {
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
