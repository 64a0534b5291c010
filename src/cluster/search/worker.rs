//! A worker of a search: it takes a task, searches it for a slice, distributes the remaining
//! subtrees, and handles messages.
//!
//! There is no scheduler. After each slice, the remaining subtrees go to random workers: in one
//! piece if this worker has enough tasks, in several if it has few. Thus idle workers soon receive
//! tasks. (Random placement balances a tree well: Karp and Zhang, 1993; Sanders, 1994.)

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::journal_writer::{JournalWriter, StartingPoint};
use super::messages::{Broadcast, Halt, Task, encode};
use super::progress::ProgressTracker;
use super::query::Query;
use super::slice::{Slice, Trace};
use crate::brancher::Brancher;
use crate::checkpoint::decode;
use crate::cluster::error::{Abort, ClusterError};
use crate::cluster::journal::TaskId;
use crate::cluster::runtime::panic_message;
use crate::cluster::transport::{Capability, Channel, Message, Transport, Wait};
use crate::hook::Hooks;
use crate::limits::{Limits, Stop};
use crate::problem::Problem;
use crate::search::executor::{OfferedValues, Origin, divide};
use crate::search::{Frontier, Subtree};

/// The interval at which an idle worker checks the cancel switch and the time limit.
const IDLE_CHECK: Duration = Duration::from_millis(20);

/// A worker with fewer waiting tasks than this splits its current one into many pieces.
const FEW_TASKS: usize = 2;
/// A worker with fewer waiting tasks than this splits its current one into two pieces.
const ENOUGH_TASKS: usize = 8;
/// The number of pieces for a worker with few tasks.
const MANY_PIECES: usize = 8;
/// After each slice, one in this many of the tasks beyond [`ENOUGH_TASKS`] is sent to a random
/// worker.
const SURPLUS_DIVISOR: usize = 8;

/// Returns the number of pieces into which a worker splits a task while `waiting` others wait.
fn pieces(waiting: usize) -> usize {
    match waiting {
        0..FEW_TASKS => MANY_PIECES,
        FEW_TASKS..ENOUGH_TASKS => 2,
        _ => 1,
    }
}

/// The results of all workers as one of them received them, and the reason why the run stopped.
pub(super) struct WorkerResult<C> {
    pub(super) own: usize,
    /// The results of all workers, in their order.
    pub(super) results: Vec<Frontier<C>>,
    pub(super) halt: Option<(usize, Halt)>,
    /// The panic of the caller's code in this worker.
    pub(super) panic: Option<Box<dyn Any + Send>>,
    /// The time since the processes were connected.
    pub(super) elapsed: Duration,
    /// The values that were offered to the incumbents of all processes before the run.
    pub(super) offered: OfferedValues,
}

/// A worker of a run.
pub(super) struct Worker<'w, 'p, P: Problem, B, H, Q> {
    pub(super) origin: Origin<'p, P, B, H>,
    pub(super) query: Q,
    pub(super) transport: Transport,
    /// The capability to send tasks; held while this worker has any.
    pub(super) work: Option<Capability>,
    pub(super) broadcast: Capability,
    pub(super) slice: Slice,
    /// The limits of this worker alone, with its share of nodes.
    pub(super) limits: Limits,
    /// The time when the processes were connected.
    pub(super) began: Instant,
    pub(super) tasks: VecDeque<Task<P::Choice>>,
    /// The values that were offered to the incumbents of all processes before the run.
    pub(super) offered: OfferedValues,
    /// The results of this worker.
    pub(super) results: Frontier<P::Choice>,
    /// The results that have been received, by worker.
    pub(super) all_results: Vec<Option<Frontier<P::Choice>>>,
    pub(super) halt: Option<(usize, Halt)>,
    pub(super) panic: Option<Box<dyn Any + Send>>,
    /// The number of the last task that this worker has created.
    pub(super) last_task: u64,
    pub(super) random: Rng,
    pub(super) progress: ProgressTracker<'w>,
    pub(super) journal_writer: Option<&'w JournalWriter>,
    pub(super) trace: Option<&'w Trace>,
}

impl<P, B, H, Q> Worker<'_, '_, P, B, H, Q>
where
    P: Problem<Choice: Clone + Serialize + DeserializeOwned>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
    Q: Query<P>,
{
    /// Distributes the tasks with which the run starts.
    pub(super) fn begin(&mut self, start: StartingPoint<P::Choice>) {
        let StartingPoint { tasks, results } = start;
        self.progress.set_left(tasks.iter().map(|task| share(&task.subtrees)).sum());
        let found = Q::ONE_SUFFICES && !results.best.is_empty();
        self.results = results;
        self.broadcast_improvement();
        if found {
            self.halt(Halt::Stop(Stop::Satisfied));
        } else if let Err(halt) = self.distribute(tasks) {
            self.halt(halt);
        }
    }

    /// Works until no tasks are left in any worker and all workers know the results of all others.
    pub(super) fn run(
        mut self,
        early: Vec<Message>,
    ) -> Result<WorkerResult<P::Choice>, ClusterError> {
        for message in early {
            self.handle_message(message);
        }
        loop {
            while let Some(message) = self.transport.receive(Wait::No)? {
                self.handle_message(message);
            }
            self.check_limits();
            if self.halt.is_some() {
                self.tasks.clear();
            }
            if !self.tasks.is_empty() {
                self.run_slice();
            } else {
                self.work
                    .take()
                    .into_iter()
                    .for_each(|capability| self.transport.release(capability));
                if self.transport.open_round(Channel::Work).is_none() {
                    break;
                }
                // Other processes do not know the switch and the time limit of this one.
                let is_watched = self.limits.cancel.is_some() || self.limits.time.is_some();
                let watch = is_watched.then_some(IDLE_CHECK);
                let wait = self.progress.interval().into_iter().chain(watch).min();
                let wait = wait.map_or(Wait::Ever, Wait::For);
                if let Some(message) = self.transport.receive(wait)? {
                    self.handle_message(message);
                }
            }
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.report_progress())) {
                self.progress.remove_callback();
                self.halt(Abort::Panicked(panic_message(&*panic)));
                self.panic = Some(panic);
            }
        }
        self.finish()
    }

    /// Sends the results of this worker to all others, and waits for theirs.
    fn finish(mut self) -> Result<WorkerResult<P::Choice>, ClusterError> {
        // The last slice may have improved the incumbent.
        self.broadcast_improvement();
        let own = self.transport.index();
        let payload = Broadcast::Results(self.progress.own(), Box::new(self.results));
        let bytes = encode(&payload).map_err(|abort| abort.into_error(own))?;
        self.transport.send_to_others(&self.broadcast, &bytes);
        self.transport.release(self.broadcast);
        while self.transport.open_round(Channel::Broadcast).is_some() {
            let Some(Message { capability, from, bytes }) = self.transport.receive(Wait::Ever)?
            else {
                continue;
            };
            self.transport.release(capability);
            match decode::<Broadcast<_>>(&bytes) {
                Ok(Broadcast::Results(done, results)) => {
                    self.progress.set(from, done);
                    self.all_results[from] = Some(*results);
                }
                Ok(Broadcast::Stop(halt)) => self.halt = decisive_halt(self.halt, (from, halt)),
                Ok(Broadcast::Incumbent(value)) => {
                    let learnt = self.query.learn_value(&value);
                    learnt.map_err(|reason| ClusterError::OtherProgram { worker: from, reason })?;
                }
                Ok(Broadcast::Progress(_)) => {}
                Err(reason) => return Err(ClusterError::OtherProgram { worker: from, reason }),
            }
        }
        if let Broadcast::Results(_, results) = payload {
            self.all_results[own] = Some(*results);
        }
        if self.halt.is_none() {
            self.progress.finish();
        }
        let elapsed = self.began.elapsed();
        // A lost worker leaves its tasks undone, but its capabilities vanish as if it had finished
        // them.
        let lost = |worker| ClusterError::PeerLost {
            reason: format!("worker {worker} has ended without its results"),
        };
        let results = self
            .all_results
            .into_iter()
            .enumerate()
            .map(|(worker, results)| results.ok_or_else(|| lost(worker)));
        Ok(WorkerResult {
            own,
            results: results.collect::<Result<_, _>>()?,
            halt: self.halt,
            panic: self.panic,
            elapsed,
            offered: self.offered,
        })
    }

    fn handle_message(&mut self, message: Message) {
        let Message { capability, from, bytes } = message;
        let understood = match capability.channel() {
            Channel::Work => {
                // One capability suffices for sending what is left of all tasks here. It keeps the
                // lowest round, because then rounds end rarely, and timely broadcasts progress only
                // when one does.
                let redundant = match self.work.take() {
                    Some(own) if own.round() <= capability.round() => {
                        self.work = Some(own);
                        Some(capability)
                    }
                    own => {
                        self.work = Some(capability);
                        own
                    }
                };
                redundant.into_iter().for_each(|capability| self.transport.release(capability));
                decode(&bytes).map(|task| self.tasks.push_back(task))
            }
            Channel::Broadcast => {
                self.transport.release(capability);
                decode::<Broadcast<_>>(&bytes)
                    .and_then(|broadcast| self.handle_broadcast(from, broadcast))
            }
        };
        if let Err(reason) = understood {
            self.halt(Abort::Undecodable { by: from, reason });
        }
    }

    fn handle_broadcast(
        &mut self,
        from: usize,
        broadcast: Broadcast<P::Choice>,
    ) -> Result<(), String> {
        match broadcast {
            Broadcast::Incumbent(value) => return self.query.learn_value(&value),
            Broadcast::Progress(done) => self.progress.set(from, done),
            Broadcast::Stop(halt) => self.halt = decisive_halt(self.halt.take(), (from, halt)),
            Broadcast::Results(done, results) => {
                self.progress.set(from, done);
                self.all_results[from] = Some(*results);
            }
        }
        Ok(())
    }

    /// Stops all workers.
    pub(super) fn halt(&mut self, halt: impl Into<Halt>) {
        if self.halt.is_some() {
            return;
        }
        let halt = halt.into();
        self.tell(&Broadcast::Stop(halt.clone()));
        self.halt = Some((self.transport.index(), halt));
    }

    fn check_limits(&mut self) {
        match self.limits_left().used_up() {
            // Without tasks in this worker, a node limit that is used up may just have sufficed.
            None | Some(Stop::NodeLimit) if self.tasks.is_empty() => {}
            None => {}
            Some(stop) => self.halt(Halt::Stop(stop)),
        }
    }

    /// Returns the unused part of the limits.
    fn limits_left(&self) -> Limits {
        let mut limits = self.limits.clone();
        let done = self.progress.own();
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(done.nodes));
        limits.solutions =
            limits.solutions.map(|solutions| solutions.saturating_sub(done.solutions));
        limits.time = limits.time.map(|time| time.saturating_sub(self.began.elapsed()));
        limits
    }

    /// Searches for a slice: several small tasks, or a part of a larger one.
    fn run_slice(&mut self) {
        let (began, mut fuel) = (Instant::now(), self.slice.nodes());
        let mut sent = 0;
        while let Some(task) = self.tasks.pop_front() {
            let before = self.progress.own().nodes;
            match self.run_task(task, fuel) {
                Ok(bytes) => sent += bytes,
                Err(halt) => {
                    self.halt(halt);
                    return;
                }
            }
            fuel = fuel.saturating_sub(self.progress.own().nodes - before);
            if fuel == 0 || self.halt.is_some() || self.limits_left().used_up().is_some() {
                break;
            }
        }
        let (nodes, took) = (self.slice.nodes() - fuel, began.elapsed());
        if let Some(trace) = self.trace {
            trace.write_slice(self.transport.index(), nodes, took, self.tasks.len(), sent);
        }
        self.slice.adapt(nodes, took);
        if let Err(halt) = self.distribute_surplus() {
            self.halt(halt);
            return;
        }
        self.broadcast_improvement();
    }

    /// Sends a message to all other workers.
    fn tell(&self, message: &Broadcast<P::Choice>) {
        // Values that are bytes already, and reasons to stop, are the only messages sent here. They
        // contain no choices, so encoding does not fail.
        if let Ok(bytes) = encode(message) {
            self.transport.send_to_others(&self.broadcast, &bytes);
        }
    }

    fn broadcast_improvement(&mut self) {
        match self.query.improvement() {
            None => {}
            Some(Ok(value)) => self.tell(&Broadcast::Incumbent(value)),
            Some(Err(abort)) => self.halt(abort),
        }
    }

    /// Searches at most `fuel` nodes of a task and distributes what is left of it. Returns the
    /// number of bytes sent.
    fn run_task(&mut self, task: Task<P::Choice>, fuel: u64) -> Result<usize, Halt> {
        let Task { id, subtrees } = task;
        let mut limits = self.limits_left();
        limits.nodes = Some(limits.nodes.map_or(fuel, |nodes| nodes.min(fuel)));
        let before = share(&subtrees);
        let mut frontier = Frontier::of(subtrees);
        let (origin, query) = (&self.origin, &mut self.query);
        let searched = catch_unwind(AssertUnwindSafe(|| {
            query.search_slice(origin.search(limits), &mut frontier)
        }));
        let stop = searched.map_err(|panic| {
            let halt = Abort::Panicked(panic_message(&*panic));
            self.panic = Some(panic);
            halt
        })?;
        let (remaining, mut results) = frontier.part();
        // Any other value of the incumbent belongs to a solution in the results of some worker,
        // unless the caller offers values during the run.
        results.offered = self.offered.clone();
        let (nodes, solutions) =
            results.report().map_or((0, 0), |report| (report.nodes(), report.solutions()));
        self.progress.add(nodes, solutions, before - share(&remaining));
        let remaining = self.split_remaining(remaining);
        if let Some(journal_writer) = self.journal_writer {
            journal_writer.record(id, &results, &remaining)?;
        }
        if !results.best.is_empty() {
            // A new best solution is better than all earlier ones.
            self.results.best.clear();
        }
        self.results.absorb(results);
        match stop {
            Stop::Exhausted | Stop::NodeLimit | Stop::DepthLimit => {}
            stop => return Err(Halt::Stop(stop)),
        }
        Ok(self.distribute(remaining)?)
    }

    /// Splits what is left of a task into new tasks.
    fn split_remaining(&mut self, remaining: VecDeque<Subtree<P::Choice>>) -> Vec<Task<P::Choice>> {
        // A lone worker has no others to share with.
        let pieces = if self.transport.peers() == 1 { 1 } else { pieces(self.tasks.len()) };
        let worker = self.transport.index() as u32;
        let mut task = |subtrees| {
            self.last_task += 1;
            Task { id: TaskId { worker, number: self.last_task }, subtrees }
        };
        divide(remaining, pieces).into_iter().map(&mut task).collect()
    }

    /// Sends some of the waiting tasks to random workers if there are many. Otherwise the lengths
    /// of the queues would drift apart like random walks. At the end, some workers would have
    /// hundreds of tasks while others are idle.
    fn distribute_surplus(&mut self) -> Result<(), Abort> {
        let surplus = self.tasks.len().saturating_sub(ENOUGH_TASKS).div_ceil(SURPLUS_DIVISOR);
        let newest = self.tasks.split_off(self.tasks.len() - surplus);
        self.distribute(newest.into()).map(drop)
    }

    /// Sends each task to a random worker, which may be this one. Returns the number of bytes sent.
    fn distribute(&mut self, tasks: Vec<Task<P::Choice>>) -> Result<usize, Abort> {
        let mut sent = 0;
        for task in tasks {
            let to = self.random.usize(0..self.transport.peers());
            match &self.work {
                Some(capability) if to != self.transport.index() => {
                    let bytes = encode(&task)?;
                    sent += bytes.len();
                    self.transport.send(capability, to, bytes);
                }
                _ => self.tasks.push_back(task),
            }
        }
        Ok(sent)
    }

    fn report_progress(&mut self) {
        if let Some(done) = self.progress.report()
            && let Ok(bytes) = encode(&Broadcast::<P::Choice>::Progress(done))
        {
            for to in self.progress.reporters().filter(|&to| to != self.transport.index()) {
                self.transport.send(&self.broadcast, to, bytes.clone());
            }
        }
    }
}

/// Returns the one of two reasons that all workers choose.
fn decisive_halt(known: Option<(usize, Halt)>, other: (usize, Halt)) -> Option<(usize, Halt)> {
    let rank = |(worker, halt): &(usize, Halt)| halt.rank(*worker);
    match known {
        Some(known) if rank(&known) <= rank(&other) => Some(known),
        _ => Some(other),
    }
}

/// Returns the share of the tree that the subtrees have together.
fn share<C>(subtrees: &VecDeque<Subtree<C>>) -> f64 {
    subtrees.iter().map(Subtree::share).sum()
}
