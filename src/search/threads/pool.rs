//! The tasks of a run: who has none takes one, or waits until somebody gives some away.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::order::{Order, TaskId};
use super::team::Team;
use crate::limits::Stop;
use crate::search::subtree::Subtree;

/// A part of the tree that one worker searches, unless it gives some of it away.
pub(super) struct Task<C> {
    pub(super) id: TaskId,
    pub(super) subtree: Subtree<C>,
}

struct State<C> {
    waiting: VecDeque<Task<C>>,
    /// Tasks that wait or are worked on, and those that were put back unfinished.
    order: Order,
    unfinished: HashMap<TaskId, Subtree<C>>,
    next: TaskId,
    workers: usize,
    idle: usize,
    /// Whether all are to go home.
    closed: bool,
}

pub(super) struct Pool<'t, C> {
    team: &'t Team,
    state: Mutex<State<C>>,
    wake: Condvar,
}

impl<'t, C> Pool<'t, C> {
    pub(super) fn new(team: &'t Team, workers: usize, subtrees: VecDeque<Subtree<C>>) -> Self {
        let mut order = Order::default();
        let mut waiting = VecDeque::new();
        for (id, subtree) in (0..).zip(subtrees) {
            order.push_last(id);
            waiting.push_back(Task { id, subtree });
        }
        let next = waiting.len() as TaskId;
        let state = State { waiting, order, unfinished: HashMap::new(), next, workers, idle: 0, closed: false };
        Pool { team, state: Mutex::new(state), wake: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<C>> {
        // Nothing in here calls a user's code: a panic elsewhere leaves no half of a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next task, as soon as there is one; `None` when there will be none.
    pub(super) fn take(&self) -> Option<Task<C>> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if state.closed || self.team.stopped().is_some() {
                state.closed = true;
                break;
            }
            if self.team.has_nodes_left()
                && let Some(task) = state.waiting.pop_front()
            {
                state.idle -= 1;
                self.team.set_hungry(state.idle > state.waiting.len());
                return Some(task);
            }
            if state.idle == state.workers {
                state.closed = true;
                break;
            }
            self.team.set_hungry(state.idle > state.waiting.len());
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.wake.notify_all();
        None
    }

    /// Adds what `giver` gives away, which lies behind all that it keeps; tells the number that it gets.
    pub(super) fn give(&self, giver: TaskId, subtree: Subtree<C>, announce: impl FnOnce(TaskId)) {
        let mut state = self.lock();
        let id = state.next;
        state.next += 1;
        state.order.insert(Some(giver), id);
        announce(id);
        state.waiting.push_back(Task { id, subtree });
        self.team.set_hungry(state.idle > state.waiting.len());
        self.wake.notify_one();
    }

    /// The task is done, or is not to be searched to its end: then `rest` is left of it.
    pub(super) fn finish(&self, task: TaskId, rest: Option<Subtree<C>>) {
        let mut state = self.lock();
        match rest {
            None => state.order.remove(task),
            Some(rest) => {
                state.unfinished.insert(task, rest);
            }
        }
    }

    /// Puts a task back, to be taken by somebody.
    pub(super) fn put_back(&self, task: Task<C>) {
        self.lock().waiting.push_back(task);
        self.wake.notify_one();
    }

    /// One worker less: it could not be started.
    pub(super) fn dismiss(&self) {
        let mut state = self.lock();
        state.workers -= 1;
        if state.idle == state.workers {
            state.closed = true;
            self.wake.notify_all();
        }
    }

    /// Sends all home, for a panic.
    pub(super) fn interrupt(&self) {
        self.team.stop(Stop::Interrupted);
        self.close();
    }

    /// Sends all who wait home.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.wake.notify_all();
    }

    /// What nobody has searched, in the order of the tree.
    pub(super) fn into_rest(self) -> VecDeque<Subtree<C>> {
        let State { waiting, order, mut unfinished, .. } =
            self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        for Task { id, subtree } in waiting {
            unfinished.insert(id, subtree);
        }
        order.iter().filter_map(|task| unfinished.remove(&task)).collect()
    }
}
