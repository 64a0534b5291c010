//! What one worker does: take a task, search it, give some of it away when somebody is hungry.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use super::order::TaskId;
use super::pool::{Next, Pool, Task};
use super::team::Team;
use super::work::Work;
use crate::brancher::Brancher;
use crate::clock::Instant;
use crate::hook::{HookMemory, Hooks, Node, Terms};
use crate::incumbent::reading::Stretch;
use crate::limits::{Limits, Stop};
use crate::problem::Problem;
use crate::search::kernel::DepthFirstWalk;
use crate::search::meter::Meter;
use crate::search::tree::{SearchTree, Walk, add};

/// What a walk is made from.
pub(super) struct Start<'p, P: Problem, B, H> {
    pub(super) problem: &'p P,
    pub(super) brancher: B,
    pub(super) hooks: H,
    pub(super) limits: Limits,
    pub(super) terms: Terms,
    pub(super) team: Arc<Team>,
    pub(super) at: Instant,
}

impl<P: Problem, B: Clone, H: Clone> Clone for Start<'_, P, B, H> {
    fn clone(&self) -> Self {
        Start {
            problem: self.problem,
            brancher: self.brancher.clone(),
            hooks: self.hooks.clone(),
            limits: self.limits.clone(),
            terms: self.terms,
            team: Arc::clone(&self.team),
            at: self.at,
        }
    }
}

impl<'p, P: Problem, B: Brancher<P> + Clone, H: Hooks<P> + Clone> Start<'p, P, B, H> {
    fn walk(&self) -> DepthFirstWalk<'p, P, B, H> {
        let Start { problem, brancher, hooks, limits, terms, team, at } = self.clone();
        let meter = Meter::of(team, limits, at);
        DepthFirstWalk::idle(SearchTree::new(problem, brancher, hooks, meter, terms, None))
    }

    /// Whether a hook takes nodes that it has met for searched by itself, so that it must forget
    /// them between two tasks.
    fn is_forgetful(&self) -> bool {
        let mut met = false;
        self.hooks.each(&mut |hook| met |= hook.memory() == HookMemory::Visited);
        met
    }
}

/// A panic of a user's code.
pub(super) struct Panic {
    pub(super) message: String,
    /// The path to the node where it was, or to its parent.
    pub(super) path: String,
}

/// How one worker speaks to the others and to whoever waits for solutions.
pub(super) trait Visitor<P: Problem>: Send {
    /// At a solution of a task.
    fn visit(&mut self, task: TaskId, node: &Node<'_, P>) -> ControlFlow<()>;

    /// Walks on in a task, and visits its solutions.
    fn go_on<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        task: TaskId,
        walk: &mut DepthFirstWalk<'_, P, B, H>,
    ) -> Option<Stop> {
        walk.go_on(|node| self.visit(task, node))
    }

    /// A task has given something away to a new one.
    fn divided(&mut self, giver: TaskId, task: TaskId);

    /// A task is done.
    fn done(&mut self, task: TaskId);

    /// All pause.
    fn paused(&mut self);
}

/// Sends all home if a panic ends a worker, wherever it was: else they would wait for it.
struct Alarm<'r, 't, C>(&'r Pool<'t, C>);

impl<C> Drop for Alarm<'_, '_, C> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.interrupt();
        }
    }
}

/// Works until there is nothing left to do.
pub(super) fn work<P, B, H>(
    start: &Start<'_, P, B, H>,
    pool: &Pool<'_, P::Choice>,
    visitor: &mut impl Visitor<P>,
) -> Result<Work, Panic>
where
    P: Problem<Choice: Clone + std::fmt::Debug>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
{
    let _alarm = Alarm(pool);
    let forgetful = start.is_forgetful();
    let mut walk = start.walk();
    let mut done = Work::none();
    let mut fresh = true;
    let mut pauses = 0;
    loop {
        let task = match pool.next(&mut pauses) {
            Next::Search(task) => task,
            Next::Account => {
                if pool.account(done.clone().with_walk(&walk)) {
                    visitor.paused();
                }
                walk.tree.walks += 1;
                continue;
            }
            Next::GoHome => break,
        };
        if forgetful && !fresh {
            done = done.with_walk(&walk);
            walk = start.walk();
        }
        fresh = false;
        let searched =
            catch_unwind(AssertUnwindSafe(|| search(task, &mut walk, start, pool, visitor)));
        if let Err(payload) = searched {
            pool.interrupt();
            let message = payload.downcast_ref::<&str>().map(|message| (*message).to_owned());
            let message = message.or_else(|| payload.downcast_ref::<String>().cloned());
            let path = walk.standing();
            return Err(Panic {
                message: message.unwrap_or_else(|| "no message".to_owned()),
                path,
            });
        }
        let unused = std::mem::take(&mut walk.fuel);
        walk.tree.meter.take_back(unused);
        walk.tree.meter.tell(walk.done, walk.tally.visited);
    }
    Ok(done.with_walk(&walk))
}

/// Searches one task.
fn search<P, B, H>(
    task: Task<P::Choice>,
    walk: &mut DepthFirstWalk<'_, P, B, H>,
    start: &Start<'_, P, B, H>,
    pool: &Pool<'_, P::Choice>,
    visitor: &mut impl Visitor<P>,
) where
    P: Problem<Choice: Clone>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
{
    let Task { id, subtree } = task;
    walk.add(subtree);
    loop {
        let stretch = Stretch::begin();
        let stop = visitor.go_on(id, walk);
        add(&mut walk.tree.read, stretch.end());
        match stop {
            Some(Stop::Paused) if pool.is_pausing() => {
                match walk.take_rest().pop_front() {
                    Some(subtree) => pool.put_back(Task { id, subtree }),
                    None => {
                        pool.finish(id, None);
                        visitor.done(id);
                    }
                }
                return;
            }
            Some(Stop::Paused) => {
                if let Some(given) = walk.give_away() {
                    pool.give(id, given, |task| visitor.divided(id, task));
                }
            }
            Some(Stop::Exhausted | Stop::DepthLimit) => {
                pool.finish(id, None);
                visitor.done(id);
                return;
            }
            Some(Stop::NodeLimit) => {
                match walk.take_rest().pop_front() {
                    Some(subtree) => pool.put_back(Task { id, subtree }),
                    None => pool.finish(id, None),
                }
                return;
            }
            stopped => {
                start.team.stop(stopped.unwrap_or(Stop::Satisfied));
                pool.finish(id, walk.take_rest().pop_front());
                pool.close();
                return;
            }
        }
    }
}
