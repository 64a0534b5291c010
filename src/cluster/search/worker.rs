//! What one worker does: take a task, search it for a slice, send on what is left, and listen.
//!
//! Nobody decides who does what. What is left of a slice goes to a worker chosen at random, in one
//! piece where there is enough to do, and in several where there is not: so whoever has nothing
//! gets something soon, from whoever has. (Random placement balances a tree well: Karp and Zhang,
//! 1993; Sanders, 1994.)

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::keeper::{Beginning, Keeper};
use super::news::{Halt, News};
use super::progress::Watch;
use super::quest::Quest;
use super::slice::Slice;
use super::task::{Task, divide};
use super::trace::Trace;
use crate::brancher::Brancher;
use crate::cluster::error::ClusterError;
use crate::cluster::journal::TaskId;
use crate::cluster::machines::message;
use crate::cluster::post::{Letter, Line, Post, Right, Wait};
use crate::hook::Hooks;
use crate::limits::{Limits, Stop};
use crate::problem::Problem;
use crate::search::frontier::subtree::Subtree;
use crate::search::{Frontier, Search};

/// A worker with fewer tasks than this has its next one divided into many.
const FEW: usize = 2;
/// With fewer than this, into two.
const ENOUGH: usize = 8;
/// How many *many* are.
const MANY: usize = 8;
/// Of the tasks beyond enough, one in so many is sent on.
const SURPLUS: usize = 8;

/// Into how many pieces what is left of a task is divided, by a worker that has so many others
/// waiting.
fn pieces(waiting: usize) -> usize {
    match waiting {
        0..FEW => MANY,
        FEW..ENOUGH => 2,
        _ => 1,
    }
}

/// What searches are made from.
pub(super) struct Origin<'p, P, B, H> {
    pub(super) problem: &'p P,
    pub(super) brancher: B,
    pub(super) hooks: H,
}

impl<'p, P: Problem, B: Brancher<P> + Clone, H: Hooks<P> + Clone> Origin<'p, P, B, H> {
    pub(super) fn search(&self, limits: Limits) -> Search<'p, P, B, H> {
        let Origin { problem, brancher, hooks } = self;
        Search::new(*problem).brancher(brancher.clone()).hooks(hooks.clone()).limits(limits)
    }
}

/// What a worker has explored, and why it stopped.
pub(super) struct End<C> {
    pub(super) own: usize,
    /// The accounts of all workers, in their order.
    pub(super) accounts: Vec<Frontier<C>>,
    pub(super) halt: Option<(usize, Halt)>,
    /// What the caller's code has panicked with here.
    pub(super) panic: Option<Box<dyn Any + Send>>,
    /// Since the processes were connected.
    pub(super) elapsed: Duration,
}

pub(super) struct Worker<'w, 'p, P: Problem, B, H, Q> {
    pub(super) origin: Origin<'p, P, B, H>,
    pub(super) quest: Q,
    pub(super) post: Post,
    /// To send tasks, as long as there is one here.
    pub(super) work: Option<Right>,
    pub(super) news: Right,
    pub(super) slice: Slice,
    /// Of this worker alone: its share of nodes.
    pub(super) limits: Limits,
    /// When the processes were connected.
    pub(super) began: Instant,
    pub(super) tasks: VecDeque<Task<P::Choice>>,
    pub(super) account: Frontier<P::Choice>,
    pub(super) others: Vec<Option<Frontier<P::Choice>>>,
    pub(super) halt: Option<(usize, Halt)>,
    pub(super) panic: Option<Box<dyn Any + Send>>,
    pub(super) numbered: u64,
    pub(super) random: Rng,
    pub(super) watch: Watch<'w>,
    pub(super) keeper: Option<&'w Keeper>,
    pub(super) trace: Option<&'w Trace>,
}

impl<P, B, H, Q> Worker<'_, '_, P, B, H, Q>
where
    P: Problem<Choice: Clone + Serialize + DeserializeOwned>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
    Q: Quest<P>,
{
    /// Takes up what there is to do when all begins, for somebody to do.
    pub(super) fn begin(&mut self, beginning: Beginning<P::Choice>) {
        let Beginning { tasks, account } = beginning;
        self.watch.begin(tasks.iter().map(|task| share(&task.subtrees)).sum());
        let found = Q::ENDS_AT_ONE && !account.best.is_empty();
        self.account = account;
        self.tell_of_improvement();
        if found {
            self.halt(Halt::Stop(Stop::Satisfied));
        } else if let Err(halt) = self.send_on(tasks) {
            self.halt(halt);
        }
    }

    /// Works until nothing is left to do anywhere, and everybody knows what all have explored.
    pub(super) fn run(mut self, early: Vec<Letter>) -> Result<End<P::Choice>, ClusterError> {
        for letter in early {
            self.take_in(letter);
        }
        loop {
            while let Some(letter) = self.post.receive(Wait::No)? {
                self.take_in(letter);
            }
            self.check_limits();
            if self.halt.is_some() {
                self.tasks.clear();
            }
            if !self.tasks.is_empty() {
                self.work_a_slice();
            } else {
                self.work.take().into_iter().for_each(|right| self.post.give_back(right));
                if self.post.open(Line::Work).is_none() {
                    break;
                }
                let wait = self.watch.every().map_or(Wait::Ever, Wait::For);
                if let Some(letter) = self.post.receive(wait)? {
                    self.take_in(letter);
                }
            }
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.report_progress())) {
                self.watch.dismiss();
                self.halt(Halt::Panic(message(&*panic)));
                self.panic = Some(panic);
            }
        }
        self.settle()
    }

    /// Says what it has explored, and waits for what all others say.
    fn settle(mut self) -> Result<End<P::Choice>, ClusterError> {
        // What was found in a slice that was the last is news as well.
        self.tell_of_improvement();
        let own = self.post.own();
        let word = News::Account(Box::new(self.account));
        let bytes = word.to_bytes().map_err(|reason| ClusterError::Unsuitable { reason })?;
        self.post.send_to_others(&self.news, &bytes);
        self.post.give_back(self.news);
        while self.post.open(Line::News).is_some() {
            let Some(Letter { right, from, bytes, .. }) = self.post.receive(Wait::Ever)? else {
                continue;
            };
            self.post.give_back(right);
            match News::from_bytes(&bytes) {
                Ok(News::Account(account)) => self.others[from] = Some(*account),
                Ok(News::Stop(halt)) => self.halt = first_of(self.halt, (from, halt)),
                Ok(News::Incumbent(value)) => {
                    let heard = self.quest.hear_of(&value);
                    heard.map_err(|reason| ClusterError::OtherProgram { worker: from, reason })?;
                }
                Ok(News::Progress(_)) => {}
                Err(reason) => return Err(ClusterError::OtherProgram { worker: from, reason }),
            }
        }
        if let News::Account(account) = word {
            self.others[own] = Some(*account);
        }
        if self.halt.is_none() {
            self.watch.all_done(&self.others);
        }
        let elapsed = self.began.elapsed();
        // Whoever is gone has left its tasks undone, though it looks as if nobody had any.
        let gone = |worker| ClusterError::PeerLost {
            reason: format!("worker {worker} has not said what it did"),
        };
        let accounts = self
            .others
            .into_iter()
            .enumerate()
            .map(|(worker, account)| account.ok_or_else(|| gone(worker)));
        Ok(End {
            own,
            accounts: accounts.collect::<Result<_, _>>()?,
            halt: self.halt,
            panic: self.panic,
            elapsed,
        })
    }

    fn take_in(&mut self, letter: Letter) {
        let Letter { right, line, from, bytes } = letter;
        let understood = match line {
            Line::Work => {
                // One right is enough to send whatever comes of all tasks that are here. The lower
                // its round, the longer nobody need be told that a round has ended.
                let other = match self.work.take() {
                    Some(own) if own.round() <= right.round() => {
                        self.work = Some(own);
                        Some(right)
                    }
                    own => {
                        self.work = Some(right);
                        own
                    }
                };
                other.into_iter().for_each(|right| self.post.give_back(right));
                Task::from_bytes(&bytes).map(|task| self.tasks.push_back(task))
            }
            Line::News => {
                self.post.give_back(right);
                News::from_bytes(&bytes).and_then(|news| self.hear(from, news))
            }
        };
        if let Err(reason) = understood {
            self.halt(Halt::Garbled { by: from, reason });
        }
    }

    fn hear(&mut self, from: usize, news: News<P::Choice>) -> Result<(), String> {
        match news {
            News::Incumbent(value) => return self.quest.hear_of(&value),
            News::Progress(done) => self.watch.hear(from, done),
            News::Stop(halt) => self.halt = first_of(self.halt.take(), (from, halt)),
            News::Account(account) => self.others[from] = Some(*account),
        }
        Ok(())
    }

    /// Has everybody stop.
    pub(super) fn halt(&mut self, halt: Halt) {
        if self.halt.is_some() {
            return;
        }
        if let Ok(bytes) = News::<P::Choice>::Stop(halt.clone()).to_bytes() {
            self.post.send_to_others(&self.news, &bytes);
        }
        self.halt = Some((self.post.own(), halt));
    }

    fn check_limits(&mut self) {
        if let Some(stop) = self.limits_left().used_up() {
            self.halt(Halt::Stop(stop));
        }
    }

    /// What is left of the limits.
    fn limits_left(&self) -> Limits {
        let mut limits = self.limits.clone();
        let done = self.watch.own();
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(done.nodes));
        limits.solutions =
            limits.solutions.map(|solutions| solutions.saturating_sub(done.solutions));
        limits.time = limits.time.map(|time| time.saturating_sub(self.began.elapsed()));
        limits
    }

    /// Searches for a slice, which may be several small tasks and a part of a larger one.
    fn work_a_slice(&mut self) {
        let (began, mut fuel) = (Instant::now(), self.slice.nodes());
        let mut sent = 0;
        while let Some(task) = self.tasks.pop_front() {
            let before = self.watch.own().nodes;
            match self.work_at(task, fuel) {
                Ok(bytes) => sent += bytes,
                Err(halt) => {
                    self.halt(halt);
                    return;
                }
            }
            fuel = fuel.saturating_sub(self.watch.own().nodes - before);
            if fuel == 0 || self.halt.is_some() || self.limits_left().used_up().is_some() {
                break;
            }
        }
        let (nodes, took) = (self.slice.nodes() - fuel, began.elapsed());
        if let Some(trace) = self.trace {
            trace.slice(self.post.own(), nodes, took, self.tasks.len(), sent);
        }
        self.slice.adapt(nodes, took);
        if let Err(halt) = self.send_on_surplus() {
            self.halt(halt);
            return;
        }
        self.tell_of_improvement();
    }

    fn tell_of_improvement(&mut self) {
        match self.quest.improvement() {
            None => {}
            Some(Ok(value)) => {
                if let Ok(bytes) = News::<P::Choice>::Incumbent(value).to_bytes() {
                    self.post.send_to_others(&self.news, &bytes);
                }
            }
            Some(Err(reason)) => self.halt(Halt::Unsuitable(reason)),
        }
    }

    /// Searches a task for so many nodes at most, and sends on what is left of it: how many bytes
    /// that was.
    fn work_at(&mut self, task: Task<P::Choice>, fuel: u64) -> Result<usize, Halt> {
        let Task { id, subtrees } = task;
        let mut limits = self.limits_left();
        limits.nodes = Some(limits.nodes.map_or(fuel, |nodes| nodes.min(fuel)));
        let before = share(&subtrees);
        let mut frontier = Frontier::of(subtrees);
        let (origin, quest) = (&self.origin, &mut self.quest);
        let searched =
            catch_unwind(AssertUnwindSafe(|| quest.slice(origin.search(limits), &mut frontier)));
        let stop = searched.map_err(|panic| {
            let halt = Halt::Panic(message(&*panic));
            self.panic = Some(panic);
            halt
        })?;
        let (rest, account) = frontier.part();
        let (nodes, solutions) =
            account.report().map_or((0, 0), |report| (report.nodes(), report.solutions()));
        self.watch.done_here(nodes, solutions, before - share(&rest));
        let rest = self.pieces_of(rest);
        if let Some(keeper) = self.keeper {
            keeper.keep(id, &account, &rest)?;
        }
        if !account.best.is_empty() {
            // Each one that is kept is better than all that were known.
            self.account.best.clear();
        }
        self.account.absorb(account);
        match stop {
            Stop::Exhausted | Stop::NodeLimit | Stop::DepthLimit => {}
            stop => return Err(Halt::Stop(stop)),
        }
        self.send_on(rest)
    }

    /// What is left of a task, as new ones.
    fn pieces_of(&mut self, rest: VecDeque<Subtree<P::Choice>>) -> Vec<Task<P::Choice>> {
        // Alone, nobody waits for anything.
        let pieces = if self.post.peers() == 1 { 1 } else { pieces(self.tasks.len()) };
        let worker = self.post.own() as u32;
        let mut task = |subtrees| {
            self.numbered += 1;
            Task { id: TaskId { worker, number: self.numbered }, subtrees }
        };
        divide(rest, pieces).into_iter().map(&mut task).collect()
    }

    /// Sends on some of the tasks that wait, if they are many. Without this the numbers of tasks
    /// would drift apart as random walks do, and at the end some workers would have hundreds while
    /// others have none.
    fn send_on_surplus(&mut self) -> Result<(), Halt> {
        let surplus = self.tasks.len().saturating_sub(ENOUGH).div_ceil(SURPLUS);
        let newest = self.tasks.split_off(self.tasks.len() - surplus);
        self.send_on(newest.into()).map(drop)
    }

    fn send_on(&mut self, tasks: Vec<Task<P::Choice>>) -> Result<usize, Halt> {
        let mut sent = 0;
        for task in tasks {
            let to = self.random.usize(0..self.post.peers());
            match &self.work {
                Some(right) if to != self.post.own() => {
                    let bytes = task.to_bytes().map_err(Halt::Unsuitable)?;
                    sent += bytes.len();
                    self.post.send(right, to, bytes);
                }
                _ => self.tasks.push_back(task),
            }
        }
        Ok(sent)
    }

    fn report_progress(&mut self) {
        if let Some(done) = self.watch.look()
            && let Ok(bytes) = News::<P::Choice>::Progress(done).to_bytes()
        {
            for to in self.watch.watchers().filter(|&to| to != self.post.own()) {
                self.post.send(&self.news, to, bytes.clone());
            }
        }
    }
}

/// The one of two reasons that all agree on.
fn first_of(known: Option<(usize, Halt)>, other: (usize, Halt)) -> Option<(usize, Halt)> {
    let rank = |(worker, halt): &(usize, Halt)| halt.rank(*worker);
    match known {
        Some(known) if rank(&known) <= rank(&other) => Some(known),
        _ => Some(other),
    }
}

fn share<C>(subtrees: &VecDeque<Subtree<C>>) -> f64 {
    subtrees.iter().map(Subtree::share).sum()
}

/// How long a slice is unless something else is asked for: long enough to be worth its letters,
/// short enough for incumbents to be news.
pub(super) const SLICE: Duration = Duration::from_millis(20);
