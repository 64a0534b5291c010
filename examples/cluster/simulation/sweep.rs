//! The rounds of a sweep on a cluster: the sizes of the parts of each layer, and the waiting for
//! the largest.
//!
//! A layer is divided by a hash of its states, so that each state falls to every worker with the
//! same probability. A worker begins a layer only when all states of it have arrived, so each round
//! takes as long as its slowest worker.

use fastrand::Rng;

use crate::costs::Costs;

/// The size in bytes at which a batch of transitions is sent, unless there are many workers.
const BATCH: f64 = 65_536.0;
/// The size in bytes of all outboxes of a worker together.
const OUTBOX_BYTES: f64 = 16_777_216.0;
/// The least size in bytes of a batch that is sent before the last one.
const LEAST_BATCH: f64 = 2_048.0;

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
    /// Processor time in seconds of a message among many that are sent at once, at both ends
    /// together.
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

/// Simulates a sweep through layers on a cluster of `workers` workers.
pub fn simulate(
    layers: &[Layer],
    workers: usize,
    transition: TransitionCosts,
    costs: Costs,
    seed: u64,
) -> Run {
    let mut random = Rng::with_seed(seed);
    let worker_count = workers as f64;
    let share_of_others = 1.0 - 1.0 / worker_count;
    let (mut worker_time, mut duration) = (WorkerTime::default(), 0.0);
    for layer in layers {
        let largest_share =
            largest_part(layer.states, workers, &mut random) / layer.states.max(1.0);
        let mean = layer.transitions / worker_count;
        let (steps, exchange) =
            (mean * transition.step, mean * share_of_others * transition.sent * transition.send);
        let slowest = (steps + exchange) * largest_share * worker_count;
        let bandwidth = sent_by_a_process(layer, workers, transition, costs) * costs.byte();
        let messages = messages_of_a_worker(layer, workers, transition) * transition.message;
        let progress = BROADCASTS * (worker_count - 1.0) * costs.progress(workers);
        let latency = if workers == 1 { 0.0 } else { HOPS * costs.latency() };
        duration += slowest + bandwidth + messages + progress + latency;
        worker_time.steps += worker_count * steps;
        worker_time.exchange += worker_count * exchange;
        worker_time.skew += worker_count * (slowest - steps - exchange);
        worker_time.bandwidth += worker_count * bandwidth;
        worker_time.messages += worker_count * messages;
        worker_time.progress += worker_count * progress;
        worker_time.latency += worker_count * latency;
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
    sent / workers as f64 * costs.workers_per_process(workers) as f64 * transition.bytes
}

/// Returns the number of messages that a worker sends in a round: full batches, the last batch for
/// each other worker, and its totals.
pub fn messages_of_a_worker(layer: &Layer, workers: usize, transition: TransitionCosts) -> f64 {
    let worker_count = workers as f64;
    let per_receiver = layer.transitions * transition.sent / worker_count / worker_count;
    let full_batch = (OUTBOX_BYTES / worker_count).clamp(LEAST_BATCH, BATCH);
    let full_batches = (per_receiver * transition.bytes / full_batch).floor();
    // The expected share of workers that receive at least one of the randomly distributed
    // transitions.
    let last_batch = 1.0 - (-per_receiver).exp();
    (worker_count - 1.0) * (1.0 + last_batch + full_batches)
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
