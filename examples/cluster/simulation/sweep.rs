//! The rounds of a sweep on a cluster: the sizes of the parts of each layer, and the waiting for
//! the largest.
//!
//! A layer is divided by a hash of its states, so that each state falls to every worker with the
//! same probability. A worker begins a layer only when all states of it have arrived, so each round
//! takes as long as its slowest worker.

use fastrand::Rng;

use crate::costs::Costs;

/// The size in bytes of a batch of transitions, of all batches of a worker together, and the least
/// size of a batch.
const BATCH: f64 = 65_536.0;
const BATCHES: f64 = 16_777_216.0;
const LEAST: f64 = 2_048.0;

/// The number of progress broadcasts of a worker per round: that it has sent everything and
/// received everything, for the batches and for the totals.
pub const BROADCASTS: f64 = 4.0;

/// The number of successive latencies per round: the last batch, the notification of its arrival,
/// and the totals.
pub const HOPS: f64 = 3.0;

/// The costs of a transition.
#[derive(Clone, Copy, Debug)]
pub struct TransitionCosts {
    /// Processor time per transition in seconds: to take the step, and to merge its successors.
    pub step: f64,
    /// The share of transitions to states of others that is sent, after merging.
    pub sent: f64,
    /// Processor time in seconds to serialize and deserialize a transition that is sent.
    pub send: f64,
    /// The length of a transition that is sent, in bytes.
    pub bytes: f64,
    /// Processor time in seconds of one of many messages, at both ends together.
    pub message: f64,
}

/// A round: the number of states of a layer, and of transitions to the next one.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    pub states: f64,
    pub transitions: f64,
}

/// The time of all workers by its use, in worker-seconds. The sum is the number of workers times
/// the duration.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkerTime {
    /// Taking steps and merging states.
    pub steps: f64,
    /// Serializing and deserializing transitions.
    pub exchange: f64,
    /// Waiting for workers with larger parts.
    pub skew: f64,
    /// Waiting for the transmission of bytes.
    pub bandwidth: f64,
    /// Sending and receiving messages.
    pub messages: f64,
    /// Reading progress broadcasts.
    pub progress: f64,
    /// Waiting for messages in transit.
    pub latency: f64,
}

impl WorkerTime {
    /// Returns the sum of all uses.
    pub fn sum(&self) -> f64 {
        self.steps
            + self.exchange
            + self.skew
            + self.bandwidth
            + self.messages
            + self.progress
            + self.latency
    }
}

/// The result of a simulated sweep.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub duration: f64,
    pub worker_time: WorkerTime,
}

/// Simulates a sweep through layers on a cluster of so many workers.
pub fn simulate(
    layers: &[Layer],
    workers: usize,
    transition: TransitionCosts,
    costs: Costs,
    seed: u64,
) -> Run {
    let mut random = Rng::with_seed(seed);
    let many = workers as f64;
    let remote_share = 1.0 - 1.0 / many;
    let (mut worker_time, mut duration) = (WorkerTime::default(), 0.0);
    for layer in layers {
        let most = largest_part(layer.states, workers, &mut random) / layer.states.max(1.0);
        let mean = layer.transitions / many;
        let (steps, exchange) =
            (mean * transition.step, mean * remote_share * transition.sent * transition.send);
        let slowest = (steps + exchange) * most * many;
        let bandwidth = sent_by_a_process(layer, workers, transition, costs) * costs.byte();
        let messages = messages_of_a_worker(layer, workers, transition) * transition.message;
        let progress = BROADCASTS * (many - 1.0) * costs.progress(workers);
        let latency = if workers == 1 { 0.0 } else { HOPS * costs.latency() };
        duration += slowest + bandwidth + messages + progress + latency;
        worker_time.steps += many * steps;
        worker_time.exchange += many * exchange;
        worker_time.skew += many * (slowest - steps - exchange);
        worker_time.bandwidth += many * bandwidth;
        worker_time.messages += many * messages;
        worker_time.progress += many * progress;
        worker_time.latency += many * latency;
    }
    Run { duration, worker_time }
}

/// Returns the bytes that a process sends to others in a round.
pub fn sent_by_a_process(
    layer: &Layer,
    workers: usize,
    transition: TransitionCosts,
    costs: Costs,
) -> f64 {
    let sent = layer.transitions * transition.sent * costs.remote_share(workers);
    sent / workers as f64 * costs.together(workers) as f64 * transition.bytes
}

/// Returns the number of messages that a worker sends in a round: full batches, the last batch for
/// each other worker, and its totals.
pub fn messages_of_a_worker(layer: &Layer, workers: usize, transition: TransitionCosts) -> f64 {
    let many = workers as f64;
    let for_each = layer.transitions * transition.sent / many / many;
    let full = (BATCHES / many).clamp(LEAST, BATCH);
    // The expected share of workers that receive at least one of the randomly distributed
    // transitions.
    (many - 1.0) * (1.0 + (1.0 - (-for_each).exp()) + (for_each * transition.bytes / full).floor())
}

/// Returns the number of states of the worker with the largest part.
fn largest_part(states: f64, workers: usize, random: &mut Rng) -> f64 {
    let mean = states / workers as f64;
    if mean < 64.0 {
        let mut parts = vec![0_u32; workers];
        (0..states as u64).for_each(|_| parts[random.usize(0..workers)] += 1);
        return parts.into_iter().max().map_or(0.0, f64::from);
    }
    // Parts of this size are nearly normal and nearly independent.
    let deviation = (mean * (1.0 - 1.0 / workers as f64)).sqrt();
    (0..workers).map(|_| mean + deviation * normal(random)).fold(mean, f64::max)
}

/// Draws a standard normal number (Box and Muller, 1958).
fn normal(random: &mut Rng) -> f64 {
    (-2.0 * (1.0 - random.f64()).ln()).sqrt() * (std::f64::consts::TAU * random.f64()).cos()
}
