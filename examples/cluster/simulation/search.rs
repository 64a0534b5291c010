//! The loop of a search on a cluster as a discrete-event simulation: slices, messages with tasks,
//! broadcasts of incumbents.
//!
//! Every worker acts like one of a cluster, in simulated time: the engine searches the tree, each
//! node takes a fixed time, and messages arrive after their latency. The same seed gives the same
//! run.

use std::collections::{BTreeMap, VecDeque};

use clap::Args;
use fastrand::Rng;
use secateurs::search::Frontier;

use crate::costs::Costs;
use crate::rounds::Rounds;
use crate::trace::Trace;
use crate::tree::Tree;

/// The policy by which work is divided, and its costs.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The duration of a slice, in seconds.
    pub slice: f64,
    /// The number of nodes of a full slice. The fewer they are, the longer each node takes, so the
    /// longer the search takes and the more coarsely the tree divides.
    pub nodes: u64,
    /// The length of a worker's first slice relative to a full one. Each slice is at most twice as
    /// long as the one before.
    pub first: f64,
    /// Processor time per task in seconds: to replay its path and to divide the rest of it.
    pub task: f64,
    /// Processor time of a message to another worker in seconds, at both ends together.
    pub message: f64,
    /// The length of a message, in bytes.
    pub bytes: f64,
    pub pieces: Pieces,
}

/// The rule for the number of pieces into which the rest of a task is divided.
#[derive(Args, Clone, Copy, Debug)]
pub struct Pieces {
    /// Divide the rest of a task into many pieces while fewer tasks than this wait.
    #[arg(long, value_name = "TASKS", default_value_t = 2)]
    pub few: usize,
    /// Divide it into two pieces while fewer tasks than this wait.
    #[arg(long, value_name = "TASKS", default_value_t = 8)]
    pub enough: usize,
    /// The number of pieces that counts as many.
    #[arg(long, value_name = "PIECES", default_value_t = 8)]
    pub many: usize,
    /// After a slice, send one in this many of the waiting tasks above `--enough` to a random
    /// worker; 0 sends none.
    #[arg(long, value_name = "PARTS", default_value_t = 8)]
    pub parts: usize,
}

impl Pieces {
    /// Returns the number of pieces for a worker where `waiting` other tasks wait.
    fn number(self, waiting: usize) -> usize {
        match waiting {
            _ if waiting < self.few => self.many,
            _ if waiting < self.enough => 2,
            _ => 1,
        }
    }

    /// Returns how many of the waiting tasks are sent to others.
    fn sent_on(self, waiting: usize) -> usize {
        match self.parts {
            0 => 0,
            parts => waiting.saturating_sub(self.enough).div_ceil(parts),
        }
    }
}

/// The time of all workers by its use, in worker-seconds. The sum is the number of workers times
/// the duration.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkerTime {
    /// Visiting nodes.
    pub search: f64,
    /// Taking up and dividing tasks, sending and receiving messages.
    pub tasks: f64,
    /// Reading progress broadcasts.
    pub progress: f64,
    /// Waiting for the first task.
    pub start: f64,
    /// Idle while enough work was left elsewhere.
    pub starved: f64,
    /// Idle while less than one slice per worker was left in total.
    pub end: f64,
}

impl WorkerTime {
    /// Returns the sum of all uses.
    pub fn sum(&self) -> f64 {
        self.search + self.tasks + self.progress + self.start + self.starved + self.end
    }
}

/// The result of a simulated search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    /// The duration in seconds.
    pub duration: f64,
    /// The number of nodes visited.
    pub nodes: u64,
    pub slices: u64,
    /// The number of messages with tasks to other workers.
    pub messages: u64,
    /// The number of progress broadcasts.
    pub broadcasts: u64,
    pub worker_time: WorkerTime,
}

/// The kind of an event.
enum EventKind<C> {
    /// A message with a task and with a capability for `round` arrives.
    Message { to: usize, round: u64, task: Box<Frontier<C>> },
    /// A worker ends its slice, with messages and possibly an incumbent to send.
    Ready { worker: usize, messages: Vec<(usize, Frontier<C>)>, incumbent: Option<usize> },
    /// The value of an incumbent arrives.
    Incumbent { to: usize, value: usize },
}

struct Worker<C> {
    tasks: VecDeque<Frontier<C>>,
    /// The tasks that have arrived, with the rounds of their capabilities.
    inbox: VecDeque<(u64, Frontier<C>)>,
    /// The values of incumbents that have arrived.
    values: Vec<usize>,
    /// The round of the capability that it holds while it has tasks.
    capability: Option<u64>,
    busy: bool,
    /// Whether it has ever had a task.
    started: bool,
    /// The length of its next slice, in nodes.
    fuel: f64,
    /// The time since which it is idle.
    idle_since: f64,
    /// The number of progress broadcasts that it has read.
    broadcasts_read: u64,
    /// Messages read whose cost is not accounted for yet.
    unpaid: u64,
}

/// A cluster that searches a tree.
struct Simulation<'t, T: Tree> {
    tree: &'t mut T,
    policy: Policy,
    costs: Costs,
    trace: Option<&'t Trace>,
    workers: Vec<Worker<T::Choice>>,
    /// The events by the bits of their times, which order like these, as no time is negative, and
    /// by the order of creation.
    events: BTreeMap<(u64, u64), EventKind<T::Choice>>,
    rounds: Rounds,
    random: Rng,
    scheduled: u64,
    run: Run,
    /// The start and the number of nodes of each slice.
    log: Vec<(f64, u64)>,
    /// The intervals in which a worker was idle after its first task.
    idle_intervals: Vec<(f64, f64)>,
}

/// Simulates a search of the tree on a cluster of `workers` workers.
pub fn simulate<'t, T: Tree>(
    tree: &'t mut T,
    workers: usize,
    policy: Policy,
    costs: Costs,
    trace: Option<&'t Trace>,
    seed: u64,
) -> Run {
    let worker = || Worker {
        tasks: VecDeque::new(),
        inbox: VecDeque::new(),
        values: Vec::new(),
        capability: Some(0),
        busy: false,
        started: false,
        fuel: (policy.nodes as f64 * policy.first).max(1.0),
        idle_since: 0.0,
        broadcasts_read: 0,
        unpaid: 0,
    };
    let mut cluster = Simulation {
        tree,
        policy,
        costs,
        trace,
        workers: (0..workers).map(|_| worker()).collect(),
        events: BTreeMap::new(),
        rounds: Rounds::new(workers),
        random: Rng::with_seed(seed),
        scheduled: 0,
        run: Run::default(),
        log: Vec::new(),
        idle_intervals: Vec::new(),
    };
    cluster.workers[0].tasks.push_back(Frontier::new());
    (1..workers).for_each(|worker| cluster.go_idle(worker));
    cluster.start_slice(0, 0.0);
    while let Some(((at, _), event)) = cluster.events.pop_first() {
        cluster.handle(f64::from_bits(at), event);
    }
    cluster.finish()
}

impl<T: Tree> Simulation<'_, T> {
    fn schedule(&mut self, at: f64, kind: EventKind<T::Choice>) {
        self.scheduled += 1;
        self.events.insert((at.to_bits(), self.scheduled), kind);
    }

    fn go_idle(&mut self, worker: usize) {
        self.workers[worker].busy = false;
        if let Some(capability) = self.workers[worker].capability.take() {
            self.rounds.release(worker, capability);
        }
    }

    fn handle(&mut self, at: f64, kind: EventKind<T::Choice>) {
        match kind {
            EventKind::Message { to, round, task } => {
                self.workers[to].inbox.push_back((round, *task));
                if !self.workers[to].busy {
                    self.wake(to, at);
                }
            }
            EventKind::Incumbent { to, value } => {
                // A busy worker reads it after its slice. An idle one needs no values before its
                // next task.
                self.workers[to].values.push(value);
            }
            EventKind::Ready { worker, messages, incumbent } => {
                for (to, task) in messages {
                    // The task arrives when its transmission and the latency are over.
                    let arrives = at + self.costs.latency() + self.policy.bytes * self.costs.byte();
                    let round = self.workers[worker].capability.unwrap_or(0);
                    self.rounds.send(round);
                    self.run.messages += 1;
                    self.schedule(
                        arrives,
                        EventKind::Message { to, round: round + 1, task: Box::new(task) },
                    );
                }
                if let Some(value) = incumbent {
                    for to in (0..self.workers.len()).filter(|&to| to != worker) {
                        self.schedule(
                            at + self.costs.latency(),
                            EventKind::Incumbent { to, value },
                        );
                    }
                }
                self.read_inbox(worker);
                if self.workers[worker].tasks.is_empty() {
                    self.workers[worker].idle_since = at;
                    self.go_idle(worker);
                    self.run.duration = self.run.duration.max(at);
                } else {
                    self.start_slice(worker, at);
                }
            }
        }
    }

    /// Starts an idle worker that has received a task.
    fn wake(&mut self, worker: usize, at: f64) {
        let since = self.workers[worker].idle_since;
        if self.workers[worker].started {
            self.idle_intervals.push((since, at));
        } else {
            self.run.worker_time.start += at - since;
        }
        // An idle worker has had time to read all progress broadcasts.
        self.workers[worker].broadcasts_read = self.rounds.broadcasts();
        self.read_inbox(worker);
        self.start_slice(worker, at);
    }

    /// Reads all tasks and incumbents that have arrived.
    fn read_inbox(&mut self, worker: usize) {
        while let Some((round, task)) = self.workers[worker].inbox.pop_front() {
            self.rounds.receive(worker, round);
            let state = &mut self.workers[worker];
            state.unpaid += 1;
            state.tasks.push_back(task);
            // One capability suffices for all tasks.
            match state.capability {
                None => state.capability = Some(round),
                Some(_) => self.rounds.release(worker, round),
            }
        }
        for value in std::mem::take(&mut self.workers[worker].values) {
            self.tree.learn_value(worker, value);
        }
    }

    /// Starts a slice of a worker.
    fn start_slice(&mut self, worker: usize, at: f64) {
        let workers = self.workers.len();
        let granted = (self.workers[worker].fuel as u64).max(1);
        let (mut fuel, mut tasks, mut messages, mut incumbent) = (granted, 0, Vec::new(), None);
        while fuel > 0
            && let Some(mut task) = self.workers[worker].tasks.pop_front()
        {
            tasks += 1;
            let slice = self.tree.slice(worker, &mut task, fuel);
            fuel = fuel.saturating_sub(slice.nodes);
            incumbent = slice.improvement.or(incumbent);
            if task.is_exhausted() {
                continue;
            }
            let count = if workers == 1 {
                1
            } else {
                self.policy.pieces.number(self.workers[worker].tasks.len())
            };
            let parts = if count == 1 { vec![task] } else { task.split(count) };
            for part in parts.into_iter().filter(|part| !part.is_exhausted()) {
                let to = self.random.usize(0..workers);
                if to == worker {
                    self.workers[worker].tasks.push_back(part)
                } else {
                    messages.push((to, part))
                }
            }
        }
        for _ in 0..self.policy.pieces.sent_on(self.workers[worker].tasks.len()) {
            let to = self.random.usize(0..workers);
            if to != worker
                && let Some(task) = self.workers[worker].tasks.pop_back()
            {
                messages.push((to, task));
            }
        }
        let nodes = granted - fuel;
        let broadcasts = self.rounds.broadcasts();
        let state = &mut self.workers[worker];
        (state.busy, state.started) = (true, true);
        state.fuel = (2.0 * state.fuel).min(self.policy.nodes as f64);
        let pace = self.trace.map_or(1.0, |trace| trace.draw(&mut self.random));
        let search = nodes as f64 * self.policy.slice / self.policy.nodes as f64 * pace;
        let message_end = self.policy.message / 2.0;
        let handling = self.policy.task * f64::from(tasks)
            + message_end * (state.unpaid as f64 + messages.len() as f64);
        let progress = (broadcasts - state.broadcasts_read) as f64 * self.costs.progress(workers);
        (state.broadcasts_read, state.unpaid) = (broadcasts, 0);
        self.run.nodes += nodes;
        self.run.slices += 1;
        self.run.worker_time.search += search;
        self.run.worker_time.tasks += handling;
        self.run.worker_time.progress += progress;
        self.log.push((at, nodes));
        self.schedule(
            at + search + handling + progress,
            EventKind::Ready { worker, messages, incumbent },
        );
    }

    /// Divides the idle time into that at the start, that at the end, and starvation in between.
    fn finish(mut self) -> Run {
        let duration = self.run.duration;
        for worker in &self.workers {
            if worker.started {
                self.idle_intervals.push((worker.idle_since, duration));
            } else {
                self.run.worker_time.start += duration - worker.idle_since;
            }
        }
        // The end begins with the first slice from which on fewer nodes were visited than a full
        // slice per worker has.
        let (mut left, mut end) = (0, duration);
        for &(began, nodes) in self.log.iter().rev() {
            left += nodes;
            if left >= self.policy.nodes * self.workers.len() as u64 {
                break;
            }
            end = began;
        }
        for &(since, until) in &self.idle_intervals {
            let late = (until - since.max(end)).max(0.0);
            self.run.worker_time.end += late;
            self.run.worker_time.starved += until - since - late;
        }
        self.run.broadcasts = self.rounds.broadcasts();
        self.run
    }
}
