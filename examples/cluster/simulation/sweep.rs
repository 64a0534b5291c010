//! The rounds of a sweep on a cluster: how the parts of each layer turn out, and who waits for
//! whom.
//!
//! A layer is divided by a hash of its states, so that each of them falls to any worker with the
//! same chance. Nobody begins with a layer before all states of it have come, so that each round
//! takes as long as its slowest worker.

use fastrand::Rng;

use crate::costs::Costs;

/// A batch of transitions has so many bytes at most, or less where there are many workers: so many
/// for all others together, but not less than so many for each.
const BATCH: f64 = 65_536.0;
const BATCHES: f64 = 16_777_216.0;
const LEAST: f64 = 2_048.0;

/// How often in a round a worker tells all others of its progress: that it has sent all, that it
/// has received all, and the same of what each has come to.
pub const BROADCASTS: f64 = 4.0;

/// One after the other in a round: the last batch, that it has been received, and what each has
/// come to.
pub const HOPS: f64 = 3.0;

/// What a state takes.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Seconds of processor time for each transition out of it: to take the step, and to merge what
    /// comes of it.
    pub step: f64,
    /// The share of transitions to others' states that is sent: the rest is merged before.
    pub sent: f64,
    /// Seconds of processor time to write one that is sent, and to read it there.
    pub send: f64,
    /// Bytes of one that is sent.
    pub bytes: f64,
    /// Seconds of processor time of a message, one of many at a time, at both ends together.
    pub message: f64,
}

/// A round: how many transitions lead to the next layer, from how many states.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    pub states: f64,
    pub transitions: f64,
}

/// Where the time of all workers went, in seconds of a worker.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Steps were taken, and states merged.
    pub steps: f64,
    /// Transitions were written and read.
    pub exchange: f64,
    /// Others had more to do.
    pub skew: f64,
    /// Bytes were on the way.
    pub bandwidth: f64,
    /// Letters were written and read.
    pub messages: f64,
    /// Others told what they knew of the round.
    pub progress: f64,
    /// Nothing was there yet.
    pub latency: f64,
}

impl Losses {
    /// All together.
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

/// What became of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub duration: f64,
    pub losses: Losses,
}

/// Sweeps through layers on a cluster of so many workers.
pub fn simulate(layers: &[Layer], workers: usize, state: State, costs: Costs, seed: u64) -> Run {
    let mut random = Rng::with_seed(seed);
    let many = workers as f64;
    let remote_share = 1.0 - 1.0 / many;
    let (mut losses, mut duration) = (Losses::default(), 0.0);
    for layer in layers {
        let most = largest_part(layer.states, workers, &mut random) / layer.states.max(1.0);
        let mean = layer.transitions / many;
        let (steps, exchange) = (mean * state.step, mean * remote_share * state.sent * state.send);
        let slowest = (steps + exchange) * most * many;
        let bandwidth = sent_by_a_process(layer, workers, state, costs) * costs.byte();
        let messages = messages_of_a_worker(layer, workers, state) * state.message;
        let progress = BROADCASTS * (many - 1.0) * costs.progress(workers);
        let latency = if workers == 1 { 0.0 } else { HOPS * costs.latency() };
        duration += slowest + bandwidth + messages + progress + latency;
        losses.steps += many * steps;
        losses.exchange += many * exchange;
        losses.skew += many * (slowest - steps - exchange);
        losses.bandwidth += many * bandwidth;
        losses.messages += many * messages;
        losses.progress += many * progress;
        losses.latency += many * latency;
    }
    Run { duration, losses }
}

/// Bytes that go from a process to others in a round.
pub fn sent_by_a_process(layer: &Layer, workers: usize, state: State, costs: Costs) -> f64 {
    let sent = layer.transitions * state.sent * costs.remote_share(workers);
    sent / workers as f64 * costs.together(workers) as f64 * state.bytes
}

/// How many messages a worker sends in a round: full batches, what is left in the end for each
/// other, and what it has come to.
pub fn messages_of_a_worker(layer: &Layer, workers: usize, state: State) -> f64 {
    let many = workers as f64;
    let for_each = layer.transitions * state.sent / many / many;
    let full = (BATCHES / many).clamp(LEAST, BATCH);
    // Of so many transitions, thrown at so many others, how many others get any.
    (many - 1.0) * (1.0 + (1.0 - (-for_each).exp()) + (for_each * state.bytes / full).floor())
}

/// How many of the states fall to the worker that gets most.
fn largest_part(states: f64, workers: usize, random: &mut Rng) -> f64 {
    let mean = states / workers as f64;
    if mean < 64.0 {
        let mut parts = vec![0_u32; workers];
        (0..states as u64).for_each(|_| parts[random.usize(0..workers)] += 1);
        return parts.into_iter().max().map_or(0.0, f64::from);
    }
    // Parts are nearly normal and nearly independent.
    let deviation = (mean * (1.0 - 1.0 / workers as f64)).sqrt();
    (0..workers).map(|_| mean + deviation * normal(random)).fold(mean, f64::max)
}

/// A standard normal number, after Box and Muller.
fn normal(random: &mut Rng) -> f64 {
    (-2.0 * (1.0 - random.f64()).ln()).sqrt() * (std::f64::consts::TAU * random.f64()).cos()
}
