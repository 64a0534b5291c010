//! The task pool of a run, from which workers take tasks, the tree order of the tasks, and the sum
//! of the workers' results. Workers block while the pool is empty.

use std::collections::{HashMap, VecDeque};
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::brancher::Brancher;
use crate::clock::Instant;
use crate::hook::Hooks;
use crate::limits::Stop;
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Report;
use crate::search::frontier::subtree::Subtree;
use crate::search::meter::shared::SharedMeter;
use crate::search::walk::DivisibleWalk;

/// Subtrees that one worker searches, except for what it donates.
pub(super) struct Task<C> {
    pub(super) id: TaskId,
    pub(super) subtrees: VecDeque<Subtree<C>>,
}

/// The next task of a worker.
pub(super) enum Next<C> {
    Search(Task<C>),
    /// Report its results so far: all workers pause, and a checkpoint follows.
    ReportResults,
    Finish,
}

/// The tasks and the workers of a run.
struct State<C> {
    queue: VecDeque<Task<C>>,
    /// The tasks that are queued or being searched, and those that were put back unfinished.
    order: TaskOrder,
    unfinished: HashMap<TaskId, VecDeque<Subtree<C>>>,
    /// The remaining subtrees of the tasks that are being searched, during a pause.
    lent: HashMap<TaskId, VecDeque<Subtree<C>>>,
    next_id: TaskId,
    workers: usize,
    idle: usize,
    pause: Option<Pause>,
    /// The number of pauses so far. A worker reports once in each.
    pause_epoch: u64,
    /// Whether all workers are to finish.
    closed: bool,
}

/// The results of the workers up to a pause, and how many of them have reported.
struct Pause {
    results: WorkerResults,
    reports: usize,
}

impl<C> State<C> {
    /// Returns whether busy workers have to pause or donate.
    fn needs_attention(&self) -> bool {
        self.pause.is_some() || self.idle > self.queue.len()
    }
}

/// A shared task pool.
pub(super) struct Pool<'t, C> {
    shared: &'t SharedMeter,
    /// Protects the tasks together with the numbers of workers, so that the last worker that runs
    /// out of work sees that all others are idle and ends the run.
    state: Mutex<State<C>>,
    /// Notified when a task is queued, when a pause begins or ends, and when the run ends.
    wake: Condvar,
}

impl<'t, C> Pool<'t, C> {
    pub(super) fn new(
        shared: &'t SharedMeter,
        workers: usize,
        subtrees: VecDeque<Subtree<C>>,
    ) -> Self {
        let mut order = TaskOrder::default();
        let mut queue = VecDeque::new();
        for (id, subtree) in (0..).zip(subtrees) {
            order.push_last(id);
            queue.push_back(Task { id, subtrees: VecDeque::from([subtree]) });
        }
        let next_id = queue.len() as TaskId;
        let state = State {
            queue,
            order,
            unfinished: HashMap::new(),
            lent: HashMap::new(),
            next_id,
            workers,
            idle: 0,
            pause: None,
            pause_epoch: 0,
            closed: false,
        };
        Pool { shared, state: Mutex::new(state), wake: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<C>> {
        // Poisoning is harmless: no code of the user runs under this lock, so a panic elsewhere
        // leaves no change half made.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks until there is something to do for a worker that has last reported at pause number
    /// `pause_epoch`, and returns what it is.
    pub(super) fn next(&self, pause_epoch: &mut u64) -> Next<C> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if state.closed || self.shared.stopped().is_some() {
                state.closed = true;
                break;
            }
            if state.pause.is_some() {
                if *pause_epoch < state.pause_epoch {
                    *pause_epoch = state.pause_epoch;
                    state.idle -= 1;
                    return Next::ReportResults;
                }
            } else if self.shared.has_nodes_left()
                && let Some(task) = state.queue.pop_front()
            {
                state.idle -= 1;
                self.shared.set_attention(state.needs_attention());
                return Next::Search(task);
            } else if state.idle == state.workers {
                state.closed = true;
                break;
            }
            self.shared.set_attention(state.needs_attention());
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.wake.notify_all();
        Next::Finish
    }

    /// Requests that all workers lend what is left of their tasks, report their results, and wait.
    pub(super) fn pause(&self) {
        let mut state = self.lock();
        state.pause_epoch += 1;
        state.pause = Some(Pause { results: WorkerResults::none(), reports: 0 });
        self.shared.set_attention(true);
        self.wake.notify_all();
    }

    pub(super) fn is_pausing(&self) -> bool {
        self.lock().pause.is_some()
    }

    /// Adds the results of a worker up to a pause, and what is left of its task if it has one.
    /// Returns whether all workers have reported.
    pub(super) fn report_results(&self, results: WorkerResults, task: Option<Task<C>>) -> bool {
        let mut state = self.lock();
        if let Some(Task { id, subtrees }) = task {
            state.lent.insert(id, subtrees);
        }
        let workers = state.workers;
        let Some(pause) = &mut state.pause else { return false };
        pause.results.add(results);
        pause.reports += 1;
        pause.reports == workers
    }

    /// Ends a pause in which all workers have reported. `checkpoint` gets the sum of their results
    /// and the remaining subtrees in tree order, and returns the subtrees.
    pub(super) fn end_pause(
        &self,
        checkpoint: impl FnOnce(WorkerResults, VecDeque<Subtree<C>>) -> VecDeque<Subtree<C>>,
    ) {
        let (results, ids, rest) = {
            let mut state = self.lock();
            debug_assert!(state.unfinished.is_empty(), "a stopped worker does not pause");
            let lent = mem::take(&mut state.lent);
            let mut left: HashMap<_, _> =
                lent.into_iter().map(|(id, subtrees)| (id, (subtrees, false))).collect();
            left.extend(state.queue.drain(..).map(|task| (task.id, (task.subtrees, true))));
            let mut rest = VecDeque::new();
            let mut ids = Vec::new();
            for id in state.order.iter() {
                if let Some((mut subtrees, is_queued)) = left.remove(&id) {
                    ids.push((id, subtrees.len(), is_queued));
                    rest.append(&mut subtrees);
                }
            }
            let results = state.pause.as_mut().map_or_else(WorkerResults::none, |pause| {
                mem::replace(&mut pause.results, WorkerResults::none())
            });
            (results, ids, rest)
        };
        let mut rest = checkpoint(results, rest);
        let mut state = self.lock();
        for (id, subtrees, is_queued) in ids {
            let subtrees = rest.drain(..subtrees).collect();
            if is_queued {
                state.queue.push_back(Task { id, subtrees });
            } else {
                state.lent.insert(id, subtrees);
            }
        }
        state.pause = None;
        self.shared.set_attention(state.needs_attention());
        self.wake.notify_all();
    }

    /// Blocks until pause number `pause_epoch` ends, and returns what a worker has lent of its
    /// task.
    pub(super) fn wait_for_lent(&self, task: TaskId, pause_epoch: u64) -> VecDeque<Subtree<C>> {
        let mut state = self.lock();
        // The next pause may have begun before this worker wakes up, and waits for its report.
        while state.pause.is_some()
            && state.pause_epoch == pause_epoch
            && !state.closed
            && self.shared.stopped().is_none()
        {
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.lent.remove(&task).unwrap_or_default()
    }

    /// Queues subtrees that `donor` has donated and that directly follow it in tree order. Calls
    /// `announce` with the number of the new task before a worker can take it.
    pub(super) fn add_donated(
        &self,
        donor: TaskId,
        subtrees: VecDeque<Subtree<C>>,
        announce: impl FnOnce(TaskId),
    ) {
        let mut state = self.lock();
        let id = state.next_id;
        state.next_id += 1;
        state.order.insert_after(donor, id);
        announce(id);
        state.queue.push_back(Task { id, subtrees });
        self.shared.set_attention(state.needs_attention());
        self.wake.notify_one();
    }

    /// Removes a task that is exhausted; or, if it stops early, keeps the `rest` of it for the
    /// frontier.
    pub(super) fn finish(&self, task: TaskId, rest: VecDeque<Subtree<C>>) {
        let mut state = self.lock();
        if rest.is_empty() {
            state.order.remove(task);
        } else {
            state.unfinished.insert(task, rest);
        }
    }

    /// Queues a task again.
    pub(super) fn put_back(&self, task: Task<C>) {
        self.lock().queue.push_back(task);
        self.wake.notify_one();
    }

    /// Reduces the number of workers by one that could not be started.
    pub(super) fn remove_worker(&self) {
        let mut state = self.lock();
        state.workers -= 1;
        if state.idle == state.workers {
            state.closed = true;
            self.wake.notify_all();
        }
    }

    /// Makes all waiting workers finish.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.wake.notify_all();
    }

    /// Returns whether any task is left.
    pub(super) fn has_tasks(&self) -> bool {
        self.lock().order.first().is_some()
    }

    /// Returns the subtrees that are left, in tree order.
    pub(super) fn into_frontier(self) -> VecDeque<Subtree<C>> {
        let State { queue, order, mut unfinished, .. } =
            self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        for Task { id, subtrees } in queue {
            unfinished.insert(id, subtrees);
        }
        order.iter().filter_map(|task| unfinished.remove(&task)).flatten().collect()
    }
}

/// A guard that stops all workers when it is dropped, unless they have stopped for another reason.
pub(super) struct StopOnDrop<'r, 't, C>(pub(super) &'r Pool<'t, C>, pub(super) Stop);

impl<C> Drop for StopOnDrop<'_, '_, C> {
    fn drop(&mut self) {
        self.0.shared.stop(self.1);
        self.0.close();
    }
}

/// The results of a worker, or the sum over several workers.
#[derive(Clone)]
pub(super) struct WorkerResults {
    /// `None` after an overflow.
    pub(super) count: Option<Count>,
    pub(super) report: Option<Report>,
    pub(super) truncated: bool,
}

impl WorkerResults {
    pub(super) fn none() -> Self {
        WorkerResults { count: Some(Count::NONE), report: None, truncated: false }
    }

    pub(super) fn add(&mut self, other: WorkerResults) {
        self.count = self.count.and_then(|count| count.plus(other.count?));
        self.report = match (self.report.take(), other.report) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        self.truncated |= other.truncated;
    }

    /// Returns the sum of this and the results of `walk` so far.
    pub(super) fn with_walk<'p, P: Problem + 'p, B: Brancher<P>, H: Hooks<P>>(
        mut self,
        walk: &mut impl DivisibleWalk<'p, P, B, H>,
    ) -> Self {
        let mut report = walk.report();
        // The reason of the stop is known only when all workers have stopped.
        report.stop = Stop::Exhausted;
        self.add(WorkerResults {
            count: walk.own_count(),
            report: Some(report),
            truncated: walk.tree().truncated,
        });
        self
    }

    /// Returns the count, or `None` after an overflow, and the report of all workers together.
    /// `stop` gets the count and returns the reason of the stop.
    pub(super) fn into_totals(
        self,
        start: Instant,
        stop: impl FnOnce(Option<Count>) -> Stop,
    ) -> (Option<Count>, Report) {
        let WorkerResults { count, report, .. } = self;
        let Some(mut report) = report else { unreachable!("there is at least one worker") };
        report.elapsed = start.elapsed();
        report.stop = stop(count);
        (count, report)
    }
}

/// The number of a task.
pub(super) type TaskId = u64;

/// A linked list of tasks in tree order.
///
/// A donation is the last part of the donor's work in tree order. Its place is therefore directly
/// after the donor.
#[derive(Debug, Default)]
pub(super) struct TaskOrder {
    /// By task, its predecessor and its successor. The list is circular: [`END`] follows the last
    /// task and precedes the first.
    neighbours: HashMap<TaskId, (TaskId, TaskId)>,
}

/// The number of no task.
const END: TaskId = TaskId::MAX;

impl TaskOrder {
    /// Returns the first task, if there is any.
    pub(super) fn first(&self) -> Option<TaskId> {
        self.iter().next()
    }

    /// Returns all tasks in tree order.
    pub(super) fn iter(&self) -> impl Iterator<Item = TaskId> {
        let after = |task| Some(self.neighbours.get(&task)?.1).filter(|&next| next != END);
        std::iter::successors(after(END), move |&task| after(task))
    }

    /// Inserts `task` after all others.
    pub(super) fn push_last(&mut self, task: TaskId) {
        let last = self.neighbours.get(&END).map_or(END, |neighbours| neighbours.0);
        self.insert_after(last, task);
    }

    /// Inserts `task` directly after its `predecessor`.
    pub(super) fn insert_after(&mut self, predecessor: TaskId, task: TaskId) {
        let successor = self.neighbours.get(&predecessor).map_or(END, |neighbours| neighbours.1);
        self.link(predecessor, task);
        self.link(task, successor);
    }

    /// Removes a task, if it is in the list.
    pub(super) fn remove(&mut self, task: TaskId) {
        if let Some((predecessor, successor)) = self.neighbours.remove(&task) {
            self.link(predecessor, successor);
        }
    }

    /// Makes two tasks neighbours.
    fn link(&mut self, predecessor: TaskId, successor: TaskId) {
        self.neighbours.entry(predecessor).or_insert((END, END)).1 = successor;
        self.neighbours.entry(successor).or_insert((END, END)).0 = predecessor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_wakes_up_in_the_next_pause_does_not_wait_for_its_end() {
        let shared = SharedMeter::new(None, None);
        let pool = Pool::new(&shared, 2, VecDeque::from([Subtree::<u32>::whole()]));
        let Next::Search(task) = pool.next(&mut 0) else { panic!("a task is queued") };
        let id = task.id;
        pool.pause();
        assert!(!pool.report_results(WorkerResults::none(), None));
        assert!(pool.report_results(WorkerResults::none(), Some(task)));
        pool.end_pause(|_, rest| rest);
        pool.pause();
        assert_eq!(pool.wait_for_lent(id, 1).len(), 1);
    }
}
