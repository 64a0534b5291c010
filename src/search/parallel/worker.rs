//! The loop of one worker: take a task, search it, donate half of it while any worker is idle.

use std::collections::VecDeque;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::pool::{Next, Pool, StopOnDrop, Task, WorkerResults};
use super::solutions::Visitor;
use crate::brancher::Brancher;
use crate::clock::Instant;
use crate::hook::{Hooks, Node, Terms};
use crate::incumbent::reading::Read;
use crate::limits::{Limits, Stop};
use crate::problem::Problem;
use crate::search::frontier::resume::Resume;
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
    /// Whether a hook has credited solutions of a node that an earlier run entered without it,
    /// before the workers began.
    pub(super) has_lost_credits: bool,
    /// Whether a frontier gets what is left when the run stops.
    pub(super) keeps_rest: bool,
    /// The knowledge that all walks share.
    pub(super) knowledge: S::Shared,
}

clone_fields!(
    impl[P: Problem, B: Brancher<P> + Clone, H: Hooks<P> + Clone, S: Divisible<P, B, H>]
    WalkTemplate<'_, P, B, H, S>:
    problem, brancher, hooks, strategy, limits, terms, shared, start, reads, has_lost_credits,
    keeps_rest, knowledge
);

impl<'p, P, B, H, S> WalkTemplate<'p, P, B, H, S>
where
    P: Problem<Choice: Clone>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
    S: Divisible<P, B, H>,
{
    fn walk(&self) -> S::DivisibleWalk<'p> {
        let meter = Meter::with_shared(Arc::clone(&self.shared), self.limits.clone(), self.start);
        let mut tree = self.tree(meter, None);
        tree.reads.merge(self.reads.clone());
        tree.has_lost_credits = self.has_lost_credits;
        tree.keeps_rest = self.keeps_rest;
        self.strategy.clone().into_idle_walk(tree, self.knowledge.clone())
    }

    /// Creates a tree with clones of the brancher and the hooks.
    pub(super) fn tree(
        &self,
        meter: Meter<'p>,
        resume: Option<Resume<'p, P::Choice>>,
    ) -> SearchTree<'p, P, B, H> {
        let (brancher, hooks) = (self.brancher.clone(), self.hooks.clone());
        SearchTree::new(self.problem, brancher, hooks, meter, self.terms, resume)
    }
}

/// Searches tasks until the run ends. If code of the user panics, returns the message with the path
/// to the node where it happened, or to its parent.
pub(super) fn run_worker<P, B, H, S, V, T>(
    template: &WalkTemplate<'_, P, B, H, S>,
    pool: &Pool<'_, P::Choice>,
    visitor: &mut Visitor<'_, V, T>,
) -> Result<WorkerResults, String>
where
    P: Problem<Choice: Clone + std::fmt::Debug>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
    S: Divisible<P, B, H>,
    V: FnMut(&Node<'_, P>) -> Option<T>,
{
    // The others would wait forever for a worker that has panicked.
    let interrupt = StopOnDrop(pool, Stop::Interrupted);
    // A hook that treats visited nodes as searched must forget them between two tasks, because a
    // part of the first task may have been donated and not be searched yet.
    let mut needs_fresh_hooks = false;
    template.hooks.each(&mut |hook| needs_fresh_hooks |= hook.memory().includes_visited());
    let mut walk = template.walk();
    let mut done = WorkerResults::none();
    let mut fresh = true;
    let mut pause_epoch = 0;
    loop {
        let Task { id, subtrees } = match pool.next(&mut pause_epoch) {
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
        subtrees.into_iter().for_each(|subtree| walk.push_pending(subtree));
        let search = || loop {
            let recording = walk.tree().reads.begin();
            let stop = visitor.proceed(id, &mut walk);
            recording.end(&mut walk.tree().reads);
            match stop {
                Some(Stop::Paused) if pool.is_pausing() => {
                    let left = Task { id, subtrees: walk.lend_frontier() };
                    pause_epoch += 1;
                    if pool.report_results(done.clone().with_walk(&mut walk), Some(left)) {
                        visitor.announce_pause();
                    }
                    walk.take_back(pool.wait_for_lent(id, pause_epoch));
                    walk.tree().walks += 1;
                }
                Some(Stop::Paused) => {
                    let donation = walk.donate();
                    if !donation.is_empty() {
                        pool.add_donated(id, donation, |task| visitor.announce_donation(id, task));
                    }
                }
                Some(Stop::Exhausted | Stop::DepthLimit | Stop::NodeLimit) => {
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
        };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(search)) {
            let message = payload.downcast_ref::<&str>().map(|message| (*message).to_owned());
            let message = message.or_else(|| payload.downcast_ref::<String>().cloned());
            return Err(format!(
                "{} (at or just below the node that is reached by {})",
                message.as_deref().unwrap_or("no message"),
                walk.describe_path()
            ));
        }
        walk.settle();
    }
    let done = done.with_walk(&mut walk);
    mem::forget(interrupt);
    Ok(done)
}
