//! The loop of one worker: take a task, search it, donate half of it while any worker is idle.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use super::pool::{Next, Pool, Task, TaskId, WorkerResults};
use super::solutions::Visitor;
use crate::brancher::Brancher;
use crate::clock::Instant;
use crate::hook::{Hooks, Node, Terms};
use crate::incumbent::reading::Read;
use crate::limits::{Limits, Stop};
use crate::problem::Problem;
use crate::search::meter::Meter;
use crate::search::meter::shared::SharedMeter;
use crate::search::tree::SearchTree;
use crate::search::walk::{Divisible, DivisibleWalk};

/// The parts from which each worker makes its walks.
pub(super) struct WalkTemplate<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, S: Divisible<P, B, H>> {
    pub(super) problem: &'p P,
    pub(super) brancher: B,
    pub(super) hooks: H,
    pub(super) strategy: S,
    pub(super) limits: Limits,
    pub(super) terms: Terms,
    pub(super) shared: Arc<SharedMeter>,
    /// The start of the run.
    pub(super) start: Instant,
    /// The reads of incumbents before the workers began.
    pub(super) reads: Vec<Read>,
    /// Whether a frontier gets what is left when the run stops.
    pub(super) keeps_rest: bool,
    /// The knowledge that all walks share.
    pub(super) knowledge: S::Shared,
}

clone_fields!(
    impl[P: Problem, B: Brancher<P> + Clone, H: Hooks<P> + Clone, S: Divisible<P, B, H>]
    WalkTemplate<'_, P, B, H, S>:
    problem, brancher, hooks, strategy, limits, terms, shared, start, reads, keeps_rest, knowledge
);

impl<'p, P, B, H, S> WalkTemplate<'p, P, B, H, S>
where
    P: Problem<Choice: Clone>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
    S: Divisible<P, B, H>,
{
    fn walk(&self) -> S::DivisibleWalk<'p> {
        let WalkTemplate {
            problem,
            brancher,
            hooks,
            strategy,
            limits,
            terms,
            shared,
            start,
            reads,
            keeps_rest,
            knowledge,
        } = self.clone();
        let meter = Meter::with_shared(shared, limits, start);
        let mut tree = SearchTree::new(problem, brancher, hooks, meter, terms, None);
        tree.reads.merge(reads);
        tree.keeps_rest = keeps_rest;
        strategy.into_idle_walk(tree, knowledge)
    }

    /// Returns whether a hook treats visited nodes as searched. Such a hook must forget them
    /// between two tasks, because a part of the first task may have been donated and not be
    /// searched yet.
    fn needs_fresh_hooks(&self) -> bool {
        let mut visited = false;
        self.hooks.each(&mut |hook| visited |= hook.memory().includes_visited());
        visited
    }
}

/// A panic in code of the user.
pub(super) struct Panic {
    pub(super) message: String,
    /// The path to the node where it happened, or to its parent.
    pub(super) path: String,
}

/// A guard that stops all workers if this one panics outside a task. Otherwise they would wait for
/// it forever.
struct InterruptOnPanic<'r, 't, C>(&'r Pool<'t, C>);

impl<C> Drop for InterruptOnPanic<'_, '_, C> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.interrupt();
        }
    }
}

/// Searches tasks until the run ends.
pub(super) fn run_worker<P, B, H, S, V, T>(
    template: &WalkTemplate<'_, P, B, H, S>,
    pool: &Pool<'_, P::Choice>,
    visitor: &mut Visitor<V, T>,
) -> Result<WorkerResults, Panic>
where
    P: Problem<Choice: Clone + std::fmt::Debug>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
    S: Divisible<P, B, H>,
    V: FnMut(&Node<'_, P>) -> Option<T>,
{
    let _interrupt = InterruptOnPanic(pool);
    let needs_fresh_hooks = template.needs_fresh_hooks();
    let mut walk = template.walk();
    let mut done = WorkerResults::none();
    let mut fresh = true;
    let mut pause_epoch = 0;
    loop {
        let task = match pool.next(&mut pause_epoch) {
            Next::Search(task) => task,
            Next::ReportResults => {
                if pool.report_results(done.clone().with_walk(&mut walk), None) {
                    visitor.announce_pause();
                }
                walk.tree().walks += 1;
                continue;
            }
            Next::Finish => break,
        };
        if needs_fresh_hooks && !fresh {
            done = done.with_walk(&mut walk);
            walk = template.walk();
        }
        fresh = false;
        let mut pause = |walk: &mut S::DivisibleWalk<'_>, task: TaskId, visitor: &Visitor<V, T>| {
            let left = Task { id: task, subtrees: walk.lend_frontier() };
            let results = done.clone().with_walk(walk);
            pause_epoch += 1;
            if pool.report_results(results, Some(left)) {
                visitor.announce_pause();
            }
            walk.take_back(pool.wait_for_lent(task, pause_epoch));
            walk.tree().walks += 1;
        };
        let searched = catch_unwind(AssertUnwindSafe(|| {
            search(task, &mut walk, template, pool, visitor, &mut pause);
        }));
        if let Err(payload) = searched {
            pool.interrupt();
            let message = payload.downcast_ref::<&str>().map(|message| (*message).to_owned());
            let message = message.or_else(|| payload.downcast_ref::<String>().cloned());
            let path = walk.describe_path();
            return Err(Panic {
                message: message.unwrap_or_else(|| "no message".to_owned()),
                path,
            });
        }
        walk.settle();
    }
    Ok(done.with_walk(&mut walk))
}

/// Searches one task. `pause` lends what is left of it, and returns when the pause ends.
fn search<'p, P, B, H, S, W, V, T>(
    task: Task<P::Choice>,
    walk: &mut W,
    template: &WalkTemplate<'p, P, B, H, S>,
    pool: &Pool<'_, P::Choice>,
    visitor: &mut Visitor<V, T>,
    pause: &mut impl FnMut(&mut W, TaskId, &Visitor<V, T>),
) where
    P: Problem<Choice: Clone> + 'p,
    B: Brancher<P>,
    H: Hooks<P>,
    S: Divisible<P, B, H>,
    W: DivisibleWalk<'p, P, B, H>,
    V: FnMut(&Node<'_, P>) -> Option<T>,
{
    let Task { id, subtrees } = task;
    subtrees.into_iter().for_each(|subtree| walk.push_pending(subtree));
    loop {
        let recording = walk.tree().reads.begin();
        let stop = visitor.proceed(id, walk);
        recording.end(&mut walk.tree().reads);
        match stop {
            Some(Stop::Paused) if pool.is_pausing() => pause(walk, id, visitor),
            Some(Stop::Paused) => {
                let donation = walk.donate();
                if !donation.is_empty() {
                    pool.add_donated(id, donation, |task| visitor.announce_donation(id, task));
                }
            }
            Some(Stop::Exhausted | Stop::DepthLimit) => {
                pool.finish(id, VecDeque::new());
                visitor.announce_done(id);
                return;
            }
            Some(Stop::NodeLimit) => {
                let subtrees = walk.extract_frontier();
                if subtrees.is_empty() {
                    pool.finish(id, subtrees);
                    visitor.announce_done(id);
                } else {
                    pool.put_back(Task { id, subtrees });
                }
                return;
            }
            stopped => {
                template.shared.stop(stopped.unwrap_or(Stop::Satisfied));
                let rest = match template.keeps_rest {
                    true => walk.extract_frontier(),
                    false => VecDeque::new(),
                };
                pool.finish(id, rest);
                pool.close();
                return;
            }
        }
    }
}
