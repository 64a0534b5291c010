//! Everything of a run with several threads but what is done at solutions.

use std::collections::VecDeque;
use std::fmt;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use super::pool::Pool;
use super::saving::Saves;
use super::solutions::{Message, Outlet, Received, Silent, Sorter};
use super::team::Team;
use super::watch::Watch;
use super::work::Work;
use super::worker::{Panic, Start, Visitor, work};
use super::{Divisible, Threads};
use crate::brancher::Brancher;
use crate::clock::Instant;
use crate::hook::{Hooks, Node, Terms};
use crate::incumbent::Optimised;
use crate::limits::{Limits, Stop};
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Report;
use crate::search::frontier::{Asked, Resume};
use crate::search::kernel::DepthFirstWalk;
use crate::search::meter::{Meter, Watcher};
use crate::search::subtree::Subtree;
use crate::search::tree::{SearchTree, Walk};
use crate::search::{Search, Settings, Strategy};

/// A run that has not begun.
pub(super) struct Run<'p, P: Problem, B, H> {
    pub(super) start: Start<'p, P, B, H>,
    pub(super) threads: usize,
    pub(super) subtrees: VecDeque<Subtree<P::Choice>>,
    /// The share of the whole tree that the run is about, and what is left of that.
    shares: (f64, f64),
    pub(super) resume: Option<Resume<'p, P::Choice>>,
    watcher: Option<Watcher<'p>>,
}

impl<'p, P, B, H, X, S> Threads<'p, P, B, H, X, S>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    S: Divisible + Strategy<P, B, H>,
{
    /// The run, what is taken out of solutions, and whether they are wanted in order.
    pub(super) fn prepare(self, optimised: Option<Optimised>) -> (Run<'p, P, B, H>, X, bool) {
        let Threads { search, threads, in_order } = self;
        let Search { problem, brancher, hooks, extract, settings, .. } = search;
        let Settings { mut limits, watcher, mut resume } = settings;
        let incumbent = optimised.as_ref().map(|optimised| optimised.incumbent);
        let depth_first =
            threads == 1 && resume.as_ref().is_none_or(|resume| resume.frontier.is_ordered());
        let terms = Terms { brancher: brancher.effect(), incumbent, depth_first };
        if let Some(resume) = &mut resume {
            resume.ask(optimised.map_or(Asked::Visits, |optimised| Asked::Best(optimised.name())));
            if threads > 1 {
                resume.frontier.mix_order();
            }
        }
        let team = Arc::new(Team::new(limits.nodes.take(), limits.solutions.take()));
        let shares = resume.as_ref().map_or((1.0, 1.0), |resume| resume.frontier.shares());
        let subtrees = match resume.as_mut().map(Resume::take) {
            None => VecDeque::from([Subtree::whole()]),
            Some(Ok(subtrees)) => subtrees,
            Some(Err(stop)) => {
                team.stop(stop);
                resume = None;
                VecDeque::new()
            }
        };
        // Each thread has its own stack and its own hooks.
        let bytes = limits.bytes.map(|bytes| bytes / threads as u64);
        let limits = Limits { bytes, ..limits };
        let start = Start { problem, brancher, hooks, limits, terms, team, at: Instant::now() };
        (Run { start, threads, subtrees, shares, resume, watcher }, extract, in_order)
    }
}

/// Stops the workers when whoever waits for them is done, or gives up in a panic.
struct Dismissal<'r, 't, C>(&'r Pool<'t, C>, &'r Team);

impl<C> Drop for Dismissal<'_, '_, C> {
    fn drop(&mut self) {
        self.1.stop(Stop::Satisfied);
        self.0.close();
    }
}

impl<'p, P, B, H> Run<'p, P, B, H>
where
    P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
{
    /// The same over the whole tree, whatever is left of it, under no limits but those of time and
    /// from outside.
    pub(super) fn again(&self) -> Self {
        let team = Arc::new(Team::new(None, None));
        Run {
            start: Start { team, ..self.start.clone() },
            threads: self.threads,
            subtrees: VecDeque::from([Subtree::whole()]),
            shares: (1.0, 1.0),
            resume: None,
            watcher: None,
        }
    }

    /// Calls `visit` with the nodes of the best solutions that earlier runs have found.
    pub(super) fn revisit_best(&mut self, visit: impl FnMut(&Node<'_, P>)) {
        let Start { problem, brancher, hooks, terms, .. } = self.start.clone();
        let meter = Meter::new(Limits::new(), None);
        let mut walk = DepthFirstWalk::idle(SearchTree::new(
            problem,
            brancher,
            hooks,
            meter,
            terms,
            self.resume.take(),
        ));
        walk.revisit_best(visit);
        for again in walk.take_rest().into_iter().rev() {
            self.subtrees.push_front(again);
        }
        self.resume = walk.tree.resume.take();
    }

    /// Lets the workers work, each with a visitor, and `meanwhile` receive what they tell; what
    /// that gave, what they have counted, and the account. `best` says which path is the best
    /// solution's, if one was found.
    pub(super) fn go<T, V, U>(
        self,
        visitors: Vec<V>,
        solutions: (Receiver<Message<T>>, Option<Sorter<T>>),
        meanwhile: impl FnOnce(&mut Received<'_, T>) -> U,
        best: impl Fn() -> Option<Vec<P::Choice>>,
    ) -> (U, Count, Report)
    where
        V: Visitor<P>,
    {
        let Run { start, threads, subtrees, shares, mut resume, watcher } = self;
        let team = Arc::clone(&start.team);
        let pool = Pool::new(&team, threads, subtrees);
        let mut watch = Watch::new(watcher, &team, shares);
        if let Some(resume) = &mut resume
            && let Some(every) = resume.saver.as_ref().map(|saver| saver.every)
        {
            watch.has_saved(Saves { pool: &pool, resume, best: &best, every, start: start.at });
        }
        let (receiver, sorter) = solutions;
        let (value, works, mut watch) = thread::scope(|scope| {
            // From here on, for who has been started waits for the others.
            let dismissal = Dismissal(&pool, &team);
            let mut handles = Vec::with_capacity(threads);
            for mut visitor in visitors {
                let (start, pool) = (start.clone(), &pool);
                let worker = move || work(&start, pool, &mut visitor);
                match thread::Builder::new()
                    .name("secateurs".to_owned())
                    .spawn_scoped(scope, worker)
                {
                    Ok(handle) => handles.push(handle),
                    // Fewer will do, as long as there is one.
                    Err(error) if handles.is_empty() => panic!("no thread can be started: {error}"),
                    Err(_) => pool.dismiss(),
                }
            }
            let mut received = Received { receiver, sorter, watch, closed: false };
            let value = meanwhile(&mut received);
            // With nobody left to tell, all have gone home by themselves.
            if received.is_closed() {
                std::mem::forget(dismissal);
            } else {
                drop(dismissal);
            }
            let Received { receiver, watch, .. } = received;
            // Who waits with a solution that nobody wants any more goes on.
            drop(receiver);
            let works: Vec<_> = handles.into_iter().map(|handle| handle.join()).collect();
            (value, works, watch)
        });
        let mut whole = Work::none();
        for work in works {
            match work {
                Ok(Ok(work)) => whole.add(work),
                Ok(Err(Panic { message, path })) => resume_unwind(Box::new(format!(
                    "{message} (at or just below the node that is reached by {path})"
                ))),
                Err(payload) => resume_unwind(payload),
            }
        }
        let truncated = whole.truncated;
        let (own, report) = whole.account(start.at, |count| match team.stopped() {
            Some(stop) => stop,
            None if count.is_none() => Stop::CountOverflow,
            None if pool.has_tasks() => Stop::NodeLimit,
            None if truncated => Stop::DepthLimit,
            None => Stop::Exhausted,
        });
        if report.stop.is_exhausted() {
            watch.all_done();
        }
        drop(watch);
        let rest = pool.into_rest();
        let Some(resume) = &mut resume else { return (value, own, report) };
        let (count, mut report) = (resume.count(own), resume.report(report, own));
        if let Some(path) = best() {
            resume.frontier.best = vec![path];
        }
        let rest = match report.stop {
            // Whoever received solutions may not have done with them.
            Stop::Satisfied => rest,
            _ => resume.save(rest, own, &mut report, truncated),
        };
        resume.give_back(rest, own, report.clone(), truncated);
        (value, count, report)
    }

    /// The same where nobody waits for solutions.
    pub(super) fn go_silently<V: Visitor<P>>(
        self,
        visitors: Vec<V>,
        best: impl Fn() -> Option<Vec<P::Choice>>,
    ) -> (Count, Report) {
        let (sender, receiver) = sync_channel::<Message<()>>(1);
        let outlet = Outlet::Bounded(sender);
        let visitors = visitors
            .into_iter()
            .map(|visitor| Silent { visitor, outlet: outlet.clone() })
            .collect();
        drop(outlet);
        let ((), count, report) =
            self.go(visitors, (receiver, None), |received| received.for_each(drop), best);
        (count, report)
    }
}
