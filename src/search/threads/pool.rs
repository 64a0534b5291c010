//! The tasks of a run: who has none takes one, or waits until somebody gives some away.

use std::collections::{HashMap, VecDeque};
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::order::{Order, TaskId};
use super::team::Team;
use super::work::Work;
use crate::limits::Stop;
use crate::search::subtree::Subtree;

/// A part of the tree that one worker searches, unless it gives some of it away.
pub(super) struct Task<C> {
    pub(super) id: TaskId,
    pub(super) subtree: Subtree<C>,
}

/// What a worker does next.
pub(super) enum Next<C> {
    Search(Task<C>),
    /// It says what it has done so far: all pause, and the run is about to be saved.
    Account,
    GoHome,
}

struct State<C> {
    waiting: VecDeque<Task<C>>,
    /// Tasks that wait or are worked on, and those that were put back unfinished.
    order: Order,
    unfinished: HashMap<TaskId, Subtree<C>>,
    next: TaskId,
    workers: usize,
    idle: usize,
    pause: Option<Pause>,
    pauses: u64,
    /// Whether all are to go home.
    closed: bool,
}

/// What the workers have done up to a pause, and how many of them have said so.
struct Pause {
    done: Work,
    accounts: usize,
}

impl<C> State<C> {
    /// Whether the workers have to look up from what they do.
    fn calls(&self) -> bool {
        self.pause.is_some() || self.idle > self.waiting.len()
    }
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
        let unfinished = HashMap::new();
        let state = State {
            waiting,
            order,
            unfinished,
            next,
            workers,
            idle: 0,
            pause: None,
            pauses: 0,
            closed: false,
        };
        Pool { team, state: Mutex::new(state), wake: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<C>> {
        // Nothing in here calls a user's code: a panic elsewhere leaves no half of a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be done next, as soon as that is known, by a worker who has given account at
    /// `pauses` pauses.
    pub(super) fn next(&self, pauses: &mut u64) -> Next<C> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if state.closed || self.team.stopped().is_some() {
                state.closed = true;
                break;
            }
            if state.pause.is_some() {
                if *pauses < state.pauses {
                    *pauses = state.pauses;
                    state.idle -= 1;
                    return Next::Account;
                }
            } else if self.team.has_nodes_left()
                && let Some(task) = state.waiting.pop_front()
            {
                state.idle -= 1;
                self.team.call(state.calls());
                return Next::Search(task);
            } else if state.idle == state.workers {
                state.closed = true;
                break;
            }
            self.team.call(state.calls());
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.wake.notify_all();
        Next::GoHome
    }

    /// Has all workers put their tasks back, say what they have done, and wait.
    pub(super) fn pause(&self) {
        let mut state = self.lock();
        state.pauses += 1;
        state.pause = Some(Pause { done: Work::none(), accounts: 0 });
        self.team.call(true);
        self.wake.notify_all();
    }

    pub(super) fn is_pausing(&self) -> bool {
        self.lock().pause.is_some()
    }

    /// Takes what a worker has done up to a pause; says whether it is the last.
    pub(super) fn account(&self, work: Work) -> bool {
        let mut state = self.lock();
        let workers = state.workers;
        let Some(pause) = &mut state.pause else { return false };
        pause.done.add(work);
        pause.accounts += 1;
        pause.accounts == workers
    }

    /// Ends a pause in which all have given account. `look` gets what they have done, and what is
    /// left of the tree, which it gives back.
    pub(super) fn end_pause(
        &self,
        look: impl FnOnce(Work, VecDeque<Subtree<C>>) -> VecDeque<Subtree<C>>,
    ) {
        let (done, ids, rest) = {
            let mut state = self.lock();
            debug_assert!(state.unfinished.is_empty(), "whoever stops does not pause");
            let mut waiting: HashMap<TaskId, _> =
                state.waiting.drain(..).map(|task| (task.id, task.subtree)).collect();
            let ids: Vec<_> =
                state.order.iter().filter(|task| waiting.contains_key(task)).collect();
            let rest = ids.iter().filter_map(|task| waiting.remove(task)).collect();
            let done = state
                .pause
                .as_mut()
                .map_or_else(Work::none, |pause| mem::replace(&mut pause.done, Work::none()));
            (done, ids, rest)
        };
        let rest = look(done, rest);
        let mut state = self.lock();
        state.waiting =
            ids.into_iter().zip(rest).map(|(id, subtree)| Task { id, subtree }).collect();
        state.pause = None;
        self.team.call(state.calls());
        self.wake.notify_all();
    }

    /// Adds what `giver` gives away, which lies behind all that it keeps; tells the number that it
    /// gets.
    pub(super) fn give(&self, giver: TaskId, subtree: Subtree<C>, announce: impl FnOnce(TaskId)) {
        let mut state = self.lock();
        let id = state.next;
        state.next += 1;
        state.order.insert(Some(giver), id);
        announce(id);
        state.waiting.push_back(Task { id, subtree });
        self.team.call(state.calls());
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

    /// Whether something is left that nobody has searched.
    pub(super) fn has_tasks(&self) -> bool {
        self.lock().order.first().is_some()
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
