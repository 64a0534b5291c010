//! A run with several threads: starts the workers, joins them, and adds up their results.

use std::collections::VecDeque;
use std::fmt;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

use super::pool::{Pool, StopOnDrop, WorkerResults};
use super::solutions::{ReceivedSolutions, ReorderBuffer, Sender, Visitor};
use super::supervisor::Supervisor;
use super::worker::{WalkTemplate, run_worker};
use crate::brancher::{Brancher, BrancherId};
use crate::clock::Instant;
use crate::hook::{Hooks, Node, claims};
use crate::incumbent::ObjectiveId;
use crate::incumbent::reading::ThreadReads;
use crate::limits::{Limits, Stop};
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Report;
use crate::search::builder::{Search, Settings};
use crate::search::depth_first::walk::DepthFirstWalk;
use crate::search::frontier::resume::Resume;
use crate::search::frontier::subtree::Subtree;
use crate::search::meter::shared::SharedMeter;
use crate::search::meter::{Meter, Watcher};
use crate::search::walk::{Divisible, Walk};

/// Solutions that may be in the channel before a sending worker blocks.
const CHANNEL_CAPACITY: usize = 1024;

/// A run that has not begun.
pub(super) struct Run<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, S: Divisible<P, B, H>> {
    pub(super) template: WalkTemplate<'p, P, B, H, S>,
    pub(super) threads: usize,
    pub(super) subtrees: VecDeque<Subtree<P::Choice>>,
    /// The share of the whole tree that the run covers, and the part of it that is left.
    shares: (f64, f64),
    pub(super) resume: Option<Resume<'p, P::Choice>>,
    watcher: Option<Watcher<'p>>,
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, S: Divisible<P, B, H>> Run<'p, P, B, H, S> {
    /// Converts a search into a run, and returns it with the search's extractor.
    pub(super) fn new<X>(
        search: Search<'p, P, B, H, X, S>,
        threads: usize,
        objective: Option<ObjectiveId>,
    ) -> (Self, X) {
        let Search { problem, brancher, hooks, extract, mut settings, strategy } = search;
        let in_order = threads == 1 && S::IS_DEPTH_FIRST;
        let terms = settings.terms(objective, in_order, strategy.loss());
        let Settings { mut limits, mut watcher, mut resume, .. } = settings;
        if let Some(resume) = &mut resume {
            resume.frontier.record_brancher(BrancherId::of::<P>(&brancher));
            resume.frontier.record_constraints(&claims(&hooks));
        }
        if let Some(watcher) = watcher.as_mut().filter(|_| !S::IS_DEPTH_FIRST) {
            watcher.fraction = false;
        }
        let shared = Arc::new(SharedMeter::new(limits.nodes.take(), limits.solutions.take()));
        let shares = resume.as_ref().map_or((1.0, 1.0), |resume| resume.frontier.shares());
        let subtrees = match resume.as_mut().map(Resume::take) {
            None => VecDeque::from([Subtree::whole()]),
            Some(Ok(subtrees)) => subtrees,
            Some(Err(stop)) => {
                shared.stop(stop);
                resume = None;
                VecDeque::new()
            }
        };
        // Each thread has its own stack and its own hooks.
        let bytes = limits.bytes.map(|bytes| bytes / threads as u64);
        let limits = Limits { bytes, ..limits };
        let (start, reads) = (Instant::now(), Vec::new());
        let template = WalkTemplate {
            problem,
            brancher,
            hooks,
            strategy,
            limits,
            terms,
            shared,
            start,
            reads,
            has_lost_credits: false,
            keeps_rest: resume.is_some(),
            knowledge: S::Shared::default(),
        };
        (Run { template, threads, subtrees, shares, resume, watcher }, extract)
    }
}

impl<'p, P, B, H, S> Run<'p, P, B, H, S>
where
    P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
    S: Divisible<P, B, H>,
{
    /// Creates a run of the whole tree with the parts of a run that has ended, for the nodes that
    /// it has left, and without a limit of solutions.
    pub(super) fn again(template: WalkTemplate<'p, P, B, H, S>, threads: usize) -> Self {
        let shared = Arc::new(SharedMeter::new(template.shared.nodes_left(), None));
        let knowledge = S::Shared::default();
        let template = WalkTemplate { keeps_rest: false, knowledge, shared, ..template };
        let subtrees = VecDeque::from([Subtree::whole()]);
        Run { template, threads, subtrees, shares: (1.0, 1.0), resume: None, watcher: None }
    }

    /// Calls `visit` with the nodes of the best solutions that earlier runs have found.
    pub(super) fn revisit_best(&mut self, visit: impl FnMut(&Node<'_, P>) -> String) {
        let meter = Meter::new(Limits::new(), None);
        let mut walk = DepthFirstWalk::idle(self.template.tree(meter, self.resume.take()));
        walk.revisit_best(visit);
        for subtree in walk.extract_frontier().into_iter().rev() {
            self.subtrees.push_front(subtree);
        }
        self.resume = walk.tree.resume.take();
        // Without memory for the path of a solution, the threads would not know its value.
        if let Some(stop) = walk.tree.stopped {
            self.template.shared.stop(stop);
        }
        self.template.reads = walk.tree.reads.to_vec();
        self.template.has_lost_credits = walk.tree.has_lost_credits;
    }

    /// Runs the workers, and calls `receive` on this thread meanwhile. Returns its result, the
    /// count, and the report. `visit` is called once per worker: it returns the closure for the
    /// worker's [`Visitor`], or `None` if solutions are only counted.
    pub(super) fn execute<T: Send, V: FnMut(&Node<'_, P>) -> Option<T> + Send, U>(
        self,
        visit: impl Fn() -> Option<V>,
        in_order: bool,
        receive: impl FnOnce(&mut ReceivedSolutions<'_, T>) -> U,
    ) -> (U, Count, Report) {
        let Run { template, threads, subtrees, shares, mut resume, watcher } = self;
        let shared = Arc::clone(&template.shared);
        let (send, receiver): (Sender<'_, T>, _) = if in_order {
            let (sender, receiver) = channel();
            (Arc::new(move |message| sender.send(message).is_ok()), receiver)
        } else {
            let (sender, receiver) = sync_channel(CHANNEL_CAPACITY);
            (Arc::new(move |message| sender.send(message).is_ok()), receiver)
        };
        let reorder = in_order.then(|| ReorderBuffer::new(subtrees.len()));
        let visitor =
            |_| Visitor { visit: visit(), send: Arc::clone(&send), in_order, shared: &shared };
        let visitors: Vec<_> = (0..threads).map(visitor).collect();
        drop(send);
        let pool = Pool::new(&shared, threads, subtrees);
        let mut supervisor = Supervisor::new(watcher, &shared, shares);
        if let Some(resume) = &mut resume
            && let Some(every) = resume.saver.as_ref().map(|saver| saver.every)
        {
            supervisor.save_every(every, template.start, &pool, resume);
        }
        let reads = ThreadReads::default();
        let (value, ended, results, mut supervisor) = thread::scope(|scope| {
            // From here on, workers that have started wait for the others, so they must be stopped
            // even if this thread panics.
            let stop_on_drop = StopOnDrop(&pool, Stop::Satisfied);
            let mut handles = Vec::with_capacity(threads);
            for mut visitor in visitors {
                let (template, pool, reads) = (template.clone(), &pool, &reads);
                let worker = move || reads.collect(|| run_worker(&template, pool, &mut visitor));
                match thread::Builder::new()
                    .name("secateurs".to_owned())
                    .spawn_scoped(scope, worker)
                {
                    Ok(handle) => handles.push(handle),
                    // Fewer threads are enough, as long as there is one.
                    Err(error) if handles.is_empty() => panic!("no thread can be started: {error}"),
                    Err(_) => pool.remove_worker(),
                }
            }
            let (closed, ended) = (false, false);
            let mut received = ReceivedSolutions { receiver, reorder, supervisor, closed, ended };
            let value = receive(&mut received);
            // If all solutions have been received, all workers have finished by themselves.
            if received.ended {
                std::mem::forget(stop_on_drop);
            } else {
                drop(stop_on_drop);
            }
            let ReceivedSolutions { receiver, supervisor, ended, .. } = received;
            // Unblocks a worker that waits to send a solution that is no longer wanted.
            drop(receiver);
            let results: Vec<_> = handles.into_iter().map(|handle| handle.join()).collect();
            (value, ended, results, supervisor)
        });
        let mut whole = WorkerResults::none();
        for result in results {
            match result {
                Ok(Ok(own)) => whole.add(own),
                Ok(Err(message)) => resume_unwind(Box::new(message)),
                Err(payload) => resume_unwind(payload),
            }
        }
        let truncated = whole.truncated;
        let (own, report) = whole.into_totals(template.start, |count| match shared.stopped() {
            // A lost frontier has no solutions to receive.
            Some(Stop::Interrupted) => Stop::Interrupted,
            // The receiver broke off, even if a limit had stopped the workers before.
            _ if !ended => Stop::Satisfied,
            Some(stop) => stop,
            None if count.is_none() => Stop::CountOverflow,
            None if pool.has_tasks() => Stop::NodeLimit,
            None if truncated => Stop::DepthLimit,
            None => Stop::Exhausted,
        });
        if report.stop.is_exhausted() {
            supervisor.report_completion();
        }
        drop(supervisor);
        let rest = pool.into_frontier();
        let Some(resume) = &mut resume else {
            return (value, own.unwrap_or(Count::TOO_MANY), report);
        };
        let (count, mut report) = (resume.count(own), resume.report(report, own));
        let rest = match report.stop {
            // The receiver may not have processed all solutions yet, so nothing is saved.
            Stop::Satisfied => rest,
            _ => resume.save(rest, own, &mut report, truncated),
        };
        resume.give_back(rest, own, report.clone(), truncated);
        (value, count, report)
    }

    /// Runs the workers without receiving solutions.
    pub(super) fn execute_silently<V>(self, visit: impl Fn() -> Option<V>) -> (Count, Report)
    where
        V: FnMut(&Node<'_, P>) -> Option<()> + Send,
    {
        let ((), count, report) = self.execute(visit, false, |received| received.for_each(drop));
        (count, report)
    }
}
