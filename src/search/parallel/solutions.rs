//! Solutions of several threads, received by one.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::iter::FusedIterator;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use super::pool::{TaskId, TaskOrder};
use super::supervisor::Supervisor;
use crate::hook::Node;
use crate::limits::Stop;
use crate::problem::Problem;
use crate::search::meter::shared::SharedMeter;
use crate::search::walk::{Walk, ignore_solution};

/// A message from a worker to the receiving thread.
pub(super) enum Message<T> {
    /// A solution of this task.
    Solution(TaskId, T),
    /// The first task has donated the second.
    Divided(TaskId, TaskId),
    /// The task is exhausted.
    Done(TaskId),
    /// All workers pause: no message follows until the pause ends.
    Paused,
}

/// A function that sends a message to the receiving thread, and returns whether that still listens.
/// It blocks while the channel is full, unless solutions are wanted in tree order: the receiver has
/// to buffer those anyway.
pub(super) type Sender<'s, T> = Arc<dyn Fn(Message<T>) -> bool + Send + Sync + 's>;

/// The visitor of a worker. `visit` returns what to send of a solution, if anything.
pub(super) struct Visitor<'s, V, T> {
    /// `None` if solutions are only counted.
    pub(super) visit: Option<V>,
    /// Dropped when the worker finishes, which tells the receiving thread.
    pub(super) send: Sender<'s, T>,
    pub(super) in_order: bool,
    pub(super) shared: &'s SharedMeter,
}

impl<V, T> Visitor<'_, V, T> {
    /// Continues the walk through a task, and visits its solutions.
    pub(super) fn proceed<P: Problem>(
        &mut self,
        task: TaskId,
        walk: &mut impl Walk<P>,
    ) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> Option<T>,
    {
        let Visitor { visit, send, shared, .. } = self;
        let Some(visit) = visit else { return walk.advance_unguarded(ignore_solution) };
        let mut visited = walk.count().visited();
        walk.advance_unguarded(|node| {
            // A solution of a restricted diagram is not counted.
            let before = mem::replace(&mut visited, node.visited().into());
            let counted = match visited > before {
                true => shared.count_solution(),
                false => ControlFlow::Continue(()),
            };
            let is_received =
                visit(node).is_none_or(|solution| send(Message::Solution(task, solution)));
            if is_received { counted } else { ControlFlow::Break(()) }
        })
    }

    /// Announces that a task has donated a new one.
    pub(super) fn announce_donation(&self, donor: TaskId, task: TaskId) {
        if self.in_order {
            (self.send)(Message::Divided(donor, task));
        }
    }

    /// Announces that a task is exhausted.
    pub(super) fn announce_done(&self, task: TaskId) {
        if self.in_order {
            (self.send)(Message::Done(task));
        }
    }

    /// Announces that all workers have paused.
    pub(super) fn announce_pause(&self) {
        (self.send)(Message::Paused);
    }
}

/// The solutions of all threads: an iterator that
/// [`Threads::solutions`](crate::search::Threads::solutions) lends.
pub struct ReceivedSolutions<'r, T> {
    pub(super) receiver: Receiver<Message<T>>,
    pub(super) reorder: Option<ReorderBuffer<T>>,
    pub(super) supervisor: Supervisor<'r>,
    /// Whether all senders are gone.
    pub(super) closed: bool,
    /// Whether the iterator has returned `None`, so that all solutions have been received.
    pub(super) ended: bool,
}

/// Solutions that wait for those before them in tree order.
pub(super) struct ReorderBuffer<T> {
    order: TaskOrder,
    waiting: HashMap<TaskId, VecDeque<T>>,
    done: HashSet<TaskId>,
}

impl<T> ReorderBuffer<T> {
    /// Creates a buffer for tasks that are numbered in tree order.
    pub(super) fn new(tasks: usize) -> Self {
        let mut order = TaskOrder::default();
        for task in 0..tasks as TaskId {
            order.push_last(task);
        }
        ReorderBuffer { order, waiting: HashMap::new(), done: HashSet::new() }
    }

    /// Adds the content of a message.
    fn add(&mut self, message: Message<T>) {
        match message {
            Message::Solution(task, solution) => {
                self.waiting.entry(task).or_default().push_back(solution)
            }
            Message::Divided(donor, task) => self.order.insert_after(donor, task),
            Message::Done(task) => {
                self.done.insert(task);
            }
            Message::Paused => {}
        }
    }

    /// Returns the next solution, if all solutions before it have been returned. `closed` says that
    /// all senders are gone: unfinished tasks then count as finished.
    fn next(&mut self, closed: bool) -> Option<T> {
        while let Some(first) = self.order.first() {
            if let Some(solution) = self.waiting.get_mut(&first).and_then(VecDeque::pop_front) {
                return Some(solution);
            }
            if !self.done.remove(&first) && !closed {
                return None;
            }
            self.waiting.remove(&first);
            self.order.remove(first);
        }
        None
    }

    /// Returns whether no solution waits.
    fn is_empty(&self) -> bool {
        self.waiting.values().all(VecDeque::is_empty)
    }
}

impl<T> ReceivedSolutions<'_, T> {
    /// Waits for the next message, and supervises the run meanwhile. Returns `None` if all senders
    /// are gone.
    fn next_message(&mut self) -> Option<Message<T>> {
        loop {
            match self.supervisor.check_clock() {
                None => return self.receiver.recv().ok(),
                Some(wait) => match self.receiver.recv_timeout(wait) {
                    Ok(message) => return Some(message),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return None,
                },
            }
        }
    }
}

impl<T> Iterator for ReceivedSolutions<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        loop {
            let closed = self.closed;
            let next = self.reorder.as_mut().and_then(|reorder| reorder.next(closed));
            if next.is_some() || closed {
                self.ended = next.is_none();
                return next;
            }
            match (self.next_message(), &mut self.reorder) {
                (None, _) => self.closed = true,
                (Some(Message::Paused), reorder) => {
                    let ready = reorder.as_ref().is_none_or(ReorderBuffer::is_empty);
                    self.supervisor.end_pause(ready);
                }
                (Some(message), Some(reorder)) => reorder.add(message),
                (Some(Message::Solution(_, solution)), None) => return Some(solution),
                (Some(Message::Divided(..) | Message::Done(_)), None) => {}
            }
        }
    }
}

impl<T> FusedIterator for ReceivedSolutions<'_, T> {}

impl<T> fmt::Debug for ReceivedSolutions<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReceivedSolutions")
            .field("in_order", &self.reorder.is_some())
            .finish_non_exhaustive()
    }
}
