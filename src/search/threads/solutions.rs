//! Solutions from several threads, received by one.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::iter::FusedIterator;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender};

use super::order::{Order, TaskId};
use super::team::Team;
use super::watch::Watch;
use super::worker::Visitor;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::limits::Stop;
use crate::problem::Problem;
use crate::search::Extract;
use crate::search::kernel::DepthFirstWalk;

/// What workers tell.
pub(super) enum Message<T> {
    Solution(TaskId, T),
    /// The first task has given something away to the second.
    Divided(TaskId, TaskId),
    Done(TaskId),
    /// All workers pause: nothing comes before they go on.
    Paused,
}

/// The way to whoever waits for solutions.
pub(super) enum Outlet<T> {
    /// Waits when too many are on the way.
    Bounded(SyncSender<Message<T>>),
    /// Never waits, for solutions that have to be kept until it is their turn.
    Unbounded(Sender<Message<T>>),
}

impl<T> Clone for Outlet<T> {
    fn clone(&self) -> Self {
        match self {
            Outlet::Bounded(sender) => Outlet::Bounded(sender.clone()),
            Outlet::Unbounded(sender) => Outlet::Unbounded(sender.clone()),
        }
    }
}

impl<T> Outlet<T> {
    fn is_in_order(&self) -> bool {
        matches!(self, Outlet::Unbounded(_))
    }

    /// False if nobody waits any more.
    fn send(&self, message: Message<T>) -> bool {
        match self {
            Outlet::Bounded(sender) => sender.send(message).is_ok(),
            Outlet::Unbounded(sender) => sender.send(message).is_ok(),
        }
    }
}

/// A visitor that sends what it takes out of solutions.
pub(super) struct Teller<X, T> {
    extract: X,
    outlet: Outlet<T>,
    team: Arc<Team>,
}

impl<X, T> Teller<X, T> {
    pub(super) fn new(extract: X, outlet: Outlet<T>, team: &Arc<Team>) -> Self {
        Teller { extract, outlet, team: Arc::clone(team) }
    }
}

impl<P: Problem, X: Extract<P, Output: Send> + Send> Visitor<P> for Teller<X, X::Output> {
    fn visit(&mut self, task: TaskId, node: &Node<'_, P>) -> ControlFlow<()> {
        let counted = self.team.count_solution();
        if self.outlet.send(Message::Solution(task, self.extract.extract(node))) {
            counted
        } else {
            ControlFlow::Break(())
        }
    }

    fn divided(&mut self, giver: TaskId, task: TaskId) {
        if self.outlet.is_in_order() {
            self.outlet.send(Message::Divided(giver, task));
        }
    }

    fn done(&mut self, task: TaskId) {
        if self.outlet.is_in_order() {
            self.outlet.send(Message::Done(task));
        }
    }

    fn paused(&mut self) {
        self.outlet.send(Message::Paused);
    }
}

/// Solutions of all threads: an iterator that [`Threads::solutions`](super::Threads::solutions)
/// lends.
pub struct Received<'r, T> {
    pub(super) receiver: Receiver<Message<T>>,
    pub(super) sorter: Option<Sorter<T>>,
    pub(super) watch: Watch<'r>,
    /// Whether nobody tells anything any more.
    pub(super) closed: bool,
}

/// Solutions that wait for those before them in the order of the tree.
pub(super) struct Sorter<T> {
    order: Order,
    waiting: HashMap<TaskId, VecDeque<T>>,
    done: HashSet<TaskId>,
}

impl<T> Sorter<T> {
    /// For tasks that are numbered in the order of the tree.
    pub(super) fn new(tasks: usize) -> Self {
        let mut order = Order::default();
        for task in 0..tasks as TaskId {
            order.push_last(task);
        }
        Sorter { order, waiting: HashMap::new(), done: HashSet::new() }
    }

    fn take(&mut self, message: Message<T>) {
        match message {
            Message::Solution(task, solution) => {
                self.waiting.entry(task).or_default().push_back(solution)
            }
            Message::Divided(giver, task) => self.order.insert(Some(giver), task),
            Message::Done(task) => {
                self.done.insert(task);
            }
            Message::Paused => {}
        }
    }

    /// The next solution whose turn it is.
    fn next(&mut self) -> Option<T> {
        while let Some(first) = self.order.first() {
            if let Some(solution) = self.waiting.get_mut(&first).and_then(VecDeque::pop_front) {
                return Some(solution);
            }
            if !self.done.remove(&first) {
                return None;
            }
            self.waiting.remove(&first);
            self.order.remove(first);
        }
        None
    }

    /// Whether no solution waits for its turn.
    fn is_clear(&self) -> bool {
        self.waiting.values().all(VecDeque::is_empty)
    }

    /// What is left when no message comes any more: tasks that were not searched to their end come
    /// to theirs.
    fn rest(&mut self) -> Option<T> {
        while let Some(first) = self.order.first() {
            if let Some(solution) = self.waiting.get_mut(&first).and_then(VecDeque::pop_front) {
                return Some(solution);
            }
            self.order.remove(first);
        }
        None
    }
}

/// One who has nothing to tell, but is waited for.
pub(super) struct Silent<V> {
    pub(super) visitor: V,
    /// Closed when the worker goes home.
    pub(super) outlet: Outlet<()>,
}

impl<P: Problem, V: Visitor<P>> Visitor<P> for Silent<V> {
    fn visit(&mut self, task: TaskId, node: &Node<'_, P>) -> ControlFlow<()> {
        self.visitor.visit(task, node)
    }
    fn go_on<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        task: TaskId,
        walk: &mut DepthFirstWalk<'_, P, B, H>,
    ) -> Option<Stop> {
        self.visitor.go_on(task, walk)
    }
    fn divided(&mut self, giver: TaskId, task: TaskId) {
        self.visitor.divided(giver, task);
    }
    fn done(&mut self, task: TaskId) {
        self.visitor.done(task);
    }
    fn paused(&mut self) {
        self.outlet.send(Message::Paused);
    }
}

impl<T> Received<'_, T> {
    /// Whether no solution will come any more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    fn message(&mut self) -> Option<Message<T>> {
        loop {
            match self.watch.look() {
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

impl<T> Iterator for Received<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        loop {
            if let Some(solution) = self.sorter.as_mut().and_then(Sorter::next) {
                return Some(solution);
            }
            match (self.message(), &mut self.sorter) {
                (None, sorter) => {
                    self.closed = true;
                    return sorter.as_mut().and_then(Sorter::rest);
                }
                (Some(Message::Paused), sorter) => {
                    let ready = sorter.as_ref().is_none_or(Sorter::is_clear);
                    self.watch.end_pause(ready);
                }
                (Some(message), Some(sorter)) => sorter.take(message),
                (Some(Message::Solution(_, solution)), None) => return Some(solution),
                (Some(Message::Divided(..) | Message::Done(_)), None) => {}
            }
        }
    }
}

impl<T> FusedIterator for Received<'_, T> {}

impl<T> fmt::Debug for Received<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Received").field("in_order", &self.sorter.is_some()).finish_non_exhaustive()
    }
}
