//! The loop of a search on a cluster, event by event: slices, messages with what is left of them,
//! incumbent of incumbents.
//!
//! Every worker does what one of a cluster does, but that time is simulated: the tree is searched
//! by the engine, a node takes so long, and messages arrive when they would. The same seed gives the
//! same run.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use clap::Args;
use fastrand::Rng;
use secateurs::search::Frontier;

use crate::costs::Costs;
use crate::rounds::Rounds;
use crate::trace::Trace;
use crate::tree::Tree;

/// How work is cut.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// How long a slice is, in seconds.
    pub slice: f64,
    /// How many nodes that is: the fewer, the coarser the tree, and the longer the search.
    pub nodes: u64,
    /// How much shorter a worker's first slice is; each is twice as long as the one before, at
    /// most.
    pub first: f64,
    /// Seconds of processor time for each task that is taken up: to replay its path, and to divide
    /// what is left of it.
    pub task: f64,
    /// Seconds of processor time of a message to another worker, at both ends together.
    pub message: f64,
    /// The length of a message, in bytes.
    pub bytes: f64,
    pub pieces: Pieces,
}

/// Into how many pieces what is left of a task is divided.
#[derive(Args, Clone, Copy, Debug)]
pub struct Pieces {
    /// A worker where fewer tasks than this wait divides what is left of one into many.
    #[arg(long, value_name = "TASKS", default_value_t = 2)]
    pub few: usize,
    /// Where fewer than this wait, into two.
    #[arg(long, value_name = "TASKS", default_value_t = 8)]
    pub enough: usize,
    /// How many many are.
    #[arg(long, value_name = "PIECES", default_value_t = 8)]
    pub many: usize,
    /// Of the tasks that wait beyond those that are enough, one in so many goes to a random worker
    /// after a slice; 0 is none.
    #[arg(long, value_name = "PARTS", default_value_t = 8)]
    pub parts: usize,
}

impl Pieces {
    /// For a worker where so many others wait.
    fn number(self, waiting: usize) -> usize {
        match waiting {
            _ if waiting < self.few => self.many,
            _ if waiting < self.enough => 2,
            _ => 1,
        }
    }

    /// How many of those that wait are sent to others.
    fn sent_on(self, waiting: usize) -> usize {
        match self.parts {
            0 => 0,
            parts => waiting.saturating_sub(self.enough).div_ceil(parts),
        }
    }
}

/// Where the time of all workers went, in seconds of a worker; all together are workers times
/// duration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Nodes were visited.
    pub search: f64,
    /// Tasks were taken up and divided, messages sent and received.
    pub tasks: f64,
    /// Others told what they knew of the rounds.
    pub progress: f64,
    /// The first task had not come yet.
    pub start: f64,
    /// There was nothing to do, though there was enough to do elsewhere.
    pub starved: f64,
    /// Less than a slice for each worker was left in all.
    pub end: f64,
}

impl Losses {
    /// All together.
    pub fn sum(&self) -> f64 {
        self.search + self.tasks + self.progress + self.start + self.starved + self.end
    }
}

/// What became of a search.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// From the beginning until nothing is left, in seconds.
    pub duration: f64,
    /// Nodes visited.
    pub nodes: u64,
    pub slices: u64,
    /// Letters with tasks, to other workers.
    pub messages: u64,
    /// How often some worker told all others of its progress.
    pub broadcasts: u64,
    pub losses: Losses,
}

/// What happens.
enum EventKind<C> {
    /// A task arrives, in a round.
    Message { to: usize, round: u64, task: Box<Frontier<C>> },
    /// A worker ends its slice, with messages and incumbent to send.
    Ready { worker: usize, messages: Vec<(usize, Frontier<C>)>, incumbent: Option<usize> },
    /// A value arrives.
    Incumbent { to: usize, value: usize },
}

struct Event<C> {
    at: f64,
    /// Of those at the same time, the one that was foreseen first comes first.
    number: u64,
    what: EventKind<C>,
}

impl<C> Ord for Event<C> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.at.total_cmp(&self.at).then_with(|| other.number.cmp(&self.number))
    }
}

impl<C> PartialOrd for Event<C> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C> PartialEq for Event<C> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<C> Eq for Event<C> {}

struct Worker<C> {
    tasks: VecDeque<Frontier<C>>,
    inbox: VecDeque<(u64, Frontier<C>)>,
    values: Vec<usize>,
    /// The round of the capability that it holds as long as there is something to do.
    capability: Option<u64>,
    busy: bool,
    /// Whether it has ever had anything to do.
    started: bool,
    /// How long its next slice is, in nodes.
    fuel: f64,
    /// Since when there is nothing to do.
    idle: f64,
    /// Messages of progress that it has read.
    read: u64,
    /// Letters that it has read and not paid for.
    unpaid: u64,
}

/// A cluster that searches a tree.
struct Loop<'t, T: Tree> {
    tree: &'t mut T,
    policy: Policy,
    costs: Costs,
    trace: Option<&'t Trace>,
    workers: Vec<Worker<T::Choice>>,
    events: BinaryHeap<Event<T::Choice>>,
    rounds: Rounds,
    random: Rng,
    foreseen: u64,
    run: Run,
    /// When each slice began, and how many nodes it had.
    log: Vec<(f64, u64)>,
    /// When somebody had nothing to do, from the first task on.
    idle: Vec<(f64, f64)>,
}

/// Searches the tree on a cluster of so many workers.
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
        idle: 0.0,
        read: 0,
        unpaid: 0,
    };
    let run = Run {
        duration: 0.0,
        nodes: 0,
        slices: 0,
        messages: 0,
        broadcasts: 0,
        losses: Losses::default(),
    };
    let mut cluster = Loop {
        tree,
        policy,
        costs,
        trace,
        workers: (0..workers).map(|_| worker()).collect(),
        events: BinaryHeap::new(),
        rounds: Rounds::new(workers),
        random: Rng::with_seed(seed),
        foreseen: 0,
        run,
        log: Vec::new(),
        idle: Vec::new(),
    };
    cluster.workers[0].tasks.push_back(Frontier::new());
    (1..workers).for_each(|worker| cluster.go_idle(worker));
    cluster.begin(0, 0.0);
    while let Some(event) = cluster.events.pop() {
        cluster.happen(event);
    }
    cluster.settle()
}

impl<T: Tree> Loop<'_, T> {
    fn foresee(&mut self, at: f64, what: EventKind<T::Choice>) {
        self.foreseen += 1;
        self.events.push(Event { at, number: self.foreseen, what });
    }

    fn go_idle(&mut self, worker: usize) {
        self.workers[worker].busy = false;
        if let Some(capability) = self.workers[worker].capability.take() {
            self.rounds.release(worker, capability);
        }
    }

    fn happen(&mut self, Event { at, what, .. }: Event<T::Choice>) {
        match what {
            EventKind::Message { to, round, task } => {
                self.workers[to].inbox.push_back((round, *task));
                if !self.workers[to].busy {
                    self.wake(to, at);
                }
            }
            EventKind::Incumbent { to, value } => {
                // Who is busy reads it after the slice; who has nothing to do, at once.
                self.workers[to].values.push(value);
            }
            EventKind::Ready { worker, messages, incumbent } => {
                for (to, task) in messages {
                    // Where it is to go is at the end of the way of what it was sent with.
                    let arrives = at + self.costs.latency() + self.policy.bytes * self.costs.byte();
                    let round = self.workers[worker].capability.unwrap_or(0);
                    self.rounds.send(round);
                    self.run.messages += 1;
                    self.foresee(
                        arrives,
                        EventKind::Message { to, round: round + 1, task: Box::new(task) },
                    );
                }
                if let Some(value) = incumbent {
                    for to in (0..self.workers.len()).filter(|&to| to != worker) {
                        self.foresee(at + self.costs.latency(), EventKind::Incumbent { to, value });
                    }
                }
                self.read(worker);
                if self.workers[worker].tasks.is_empty() {
                    self.workers[worker].idle = at;
                    self.go_idle(worker);
                    self.run.duration = self.run.duration.max(at);
                } else {
                    self.begin(worker, at);
                }
            }
        }
    }

    /// Somebody who had nothing to do has got something.
    fn wake(&mut self, worker: usize, at: f64) {
        let since = self.workers[worker].idle;
        if self.workers[worker].started {
            self.idle.push((since, at));
        } else {
            self.run.losses.start += at - since;
        }
        // There was time enough to read what others told.
        self.workers[worker].read = self.rounds.broadcasts();
        self.read(worker);
        self.begin(worker, at);
    }

    /// Reads all messages and incumbent that have come.
    fn read(&mut self, worker: usize) {
        while let Some((round, task)) = self.workers[worker].inbox.pop_front() {
            self.rounds.receive(worker, round);
            let state = &mut self.workers[worker];
            state.unpaid += 1;
            state.tasks.push_back(task);
            // One capability is enough for all tasks.
            match state.capability {
                None => state.capability = Some(round),
                Some(_) => self.rounds.release(worker, round),
            }
        }
        for value in std::mem::take(&mut self.workers[worker].values) {
            self.tree.learn_value(worker, value);
        }
    }

    /// A worker searches for a slice.
    fn begin(&mut self, worker: usize, at: f64) {
        let workers = self.workers.len();
        let whole = (self.workers[worker].fuel as u64).max(1);
        let (mut fuel, mut tasks, mut messages, mut incumbent) = (whole, 0, Vec::new(), None);
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
        let nodes = whole - fuel;
        let told = self.rounds.broadcasts();
        let state = &mut self.workers[worker];
        (state.busy, state.started) = (true, true);
        state.fuel = (2.0 * state.fuel).min(self.policy.nodes as f64);
        let pace = self.trace.map_or(1.0, |trace| trace.draw(&mut self.random));
        let search = nodes as f64 * self.policy.slice / self.policy.nodes as f64 * pace;
        let message = self.policy.message / 2.0;
        let handling = self.policy.task * f64::from(tasks)
            + message * (state.unpaid as f64 + messages.len() as f64);
        let progress = (told - state.read) as f64 * self.costs.progress(workers);
        (state.read, state.unpaid) = (told, 0);
        self.run.nodes += nodes;
        self.run.slices += 1;
        self.run.losses.search += search;
        self.run.losses.tasks += handling;
        self.run.losses.progress += progress;
        self.log.push((at, nodes));
        self.foresee(
            at + search + handling + progress,
            EventKind::Ready { worker, messages, incumbent },
        );
    }

    /// Says where the time went.
    fn settle(mut self) -> Run {
        let duration = self.run.duration;
        for worker in &self.workers {
            if worker.started {
                self.idle.push((worker.idle, duration));
            } else {
                self.run.losses.start += duration - worker.idle;
            }
        }
        let (mut left, mut end) = (0, duration);
        for &(began, nodes) in self.log.iter().rev() {
            left += nodes;
            if left >= self.policy.nodes * self.workers.len() as u64 {
                break;
            }
            end = began;
        }
        for &(since, until) in &self.idle {
            let late = (until - since.max(end)).max(0.0);
            self.run.losses.end += late;
            self.run.losses.starved += until - since - late;
        }
        self.run.broadcasts = self.rounds.broadcasts();
        self.run
    }
}
