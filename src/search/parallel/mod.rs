//! Search with several threads.
//!
//! The tree is one task at first. Idle workers block. A busy worker checks for idle ones whenever
//! it refuels, and donates half of its remaining work: the untried children of its shallowest open
//! nodes (Kumar and Rao 1987; Blumofe and Leiserson 1999). The number of nodes visited at each
//! depth so far tells which of these children make up half. In most trees they are the untried
//! children of one or two nodes. In trees whose deep nodes have as much work below them as shallow
//! ones, they are the children of thousands of nodes. A donation consists of a path and some
//! choices. States never move between threads. A search by diagrams donates every other one of its
//! best open nodes, each as a subtree.
//!
//! Each worker has its own clones of the hooks and of the brancher. They do not share what they
//! learn, except for an [incumbent](crate::Incumbent).
//!
//! This file has the public type and its operations. Read the others in this order: [`run`] (starts
//! and joins the workers), [`worker`] (the loop of one worker), [`pool`] (the tasks, their order
//! and the sums of results), [`solutions`] (visitors, and messages to the receiving thread), and
//! [`supervisor`] (progress and checkpoints).

mod pool;
mod run;
pub(super) mod solutions;
mod supervisor;
mod worker;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use self::run::Run;
use self::solutions::ReceivedSolutions;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::incumbent::{AcceptTies, Objective, ObjectiveValue};
use crate::limits::thread_count;
use crate::outcome::{Count, Found, Optimum, Outcome, Uniqueness};
use crate::problem::Problem;
use crate::search::best::{Improver, earlier_best, with_solution};
use crate::search::builder::{Extract, Search};
use crate::search::depth_first::DepthFirst;
use crate::search::operations::existence;
use crate::search::walk::{Divisible, InTreeOrder};

/// The most threads that are started, whatever was requested.
const MAX_THREADS: usize = 1024;

/// A search with several threads, made by [`Search::threads`].
#[must_use = "a search does nothing until one of its terminal operations is called"]
pub struct Threads<'p, P: Problem, B, H, X, S = DepthFirst> {
    search: Search<'p, P, B, H, X, S>,
    threads: usize,
    in_order: bool,
}

impl<'p, P: Problem, B, H, X, S> Search<'p, P, B, H, X, S> {
    /// Searches with several threads. 0 stands for the number of threads that the machine runs in
    /// parallel; numbers above 1024 are reduced to 1024.
    ///
    /// Proven counts and optima are those of one thread. So are the set of solutions and the
    /// numbers of nodes and cuts, unless the report [lists
    /// parts](crate::Report::nondeterministic_parts) on which they depend, or the brancher depends
    /// on what was searched before. With hooks that are valid in a
    /// [depth-first](crate::SubstituteOrder::DepthFirst) search only, a search with several threads
    /// proves nothing. The node limit is exact; a limit on solutions may be exceeded by one per
    /// thread.
    ///
    /// Each search starts its threads anew, which takes 0.2 to 0.5 ms. Threads are not worthwhile
    /// for searches that take less than 10 ms.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(10)?.bits();
    /// let outcome = Search::new(&queens).threads(2).count();
    /// assert_eq!(outcome.exact(), Some(724));
    /// assert_eq!(outcome.report().nodes(), 35_539);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    ///
    /// # Panics
    /// If the problem, a hook or another part that is not of this crate panics, all threads stop.
    /// The terminal operation then panics with the same message and the path to the node where it
    /// happened, or to its parent. It also panics if the system cannot start any thread, as on
    /// `wasm32-unknown-unknown`.
    pub fn threads(self, threads: usize) -> Threads<'p, P, B, H, X, S>
    where
        B: Brancher<P>,
        H: Hooks<P>,
        S: Divisible<P, B, H>,
    {
        let threads = thread_count(threads, MAX_THREADS);
        Threads { search: self, threads, in_order: false }
    }
}

impl<P: Problem, B, H, X, S: InTreeOrder> Threads<'_, P, B, H, X, S> {
    /// Returns solutions in tree order, as one thread does. `first` then returns the very first
    /// one, and `best` the first of the best. Solutions that are found too early are buffered until
    /// it is their turn, without a limit. A run that stops at a limit returns the solutions that it
    /// has found, in order; there may be others before and between them.
    pub fn in_order(mut self) -> Self {
        self.in_order = true;
        self
    }
}

// The bounds are on the methods, as those of `Search` are.
impl<P: Problem, B, H, X, S> Threads<'_, P, B, H, X, S> {
    /// Counts the solutions, like [`Search::count`].
    pub fn count(self) -> Outcome<Count>
    where
        P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
        B: Brancher<P> + Clone + Send,
        H: Hooks<P> + Clone + Send,
        S: Divisible<P, B, H>,
    {
        let run = Run::new(self.search, self.threads, None).0;
        // Without a limit on solutions, nothing happens at a solution.
        let limited = run.template.shared.limits_solutions();
        let visit = || limited.then_some(|_: &Node<'_, P>| None);
        let (count, report) = run.execute_silently(visit);
        Outcome::new(count, report)
    }

    /// Searches for any solution, like [`Search::exists`].
    pub fn exists(self) -> Outcome<Found<()>>
    where
        P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
        B: Brancher<P> + Clone + Send,
        H: Hooks<P> + Clone + Send,
        S: Divisible<P, B, H>,
    {
        let Threads { search, threads, .. } = self;
        let search = search.extract(extract_nothing);
        existence(Threads { search, threads, in_order: false }.first())
    }

    /// Searches for two solutions, like [`Search::is_unique`].
    pub fn is_unique(mut self) -> Outcome<Uniqueness>
    where
        P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
        B: Brancher<P> + Clone + Send,
        H: Hooks<P> + Clone + Send,
        S: Divisible<P, B, H>,
    {
        let settings = &mut self.search.settings;
        settings.limits = std::mem::take(&mut settings.limits).at_most_solutions(2);
        Outcome::of_count(self.count())
    }

    /// Searches for a solution, and for the first one if they are wanted [in
    /// order](Threads::in_order); see [`Search::first`].
    pub fn first<T: Send>(self) -> Outcome<Found<T>>
    where
        P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
        B: Brancher<P> + Clone + Send,
        H: Hooks<P> + Clone + Send,
        X: Extract<P, Output = T> + Clone + Send,
        S: Divisible<P, B, H>,
    {
        self.solutions(|solutions| solutions.next()).map(Found::new)
    }

    /// Calls `visit` on this thread with what is extracted from each solution, until it breaks off.
    pub fn for_each<T, U>(self, visit: impl FnMut(U) -> ControlFlow<T>) -> Outcome<ControlFlow<T>>
    where
        P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
        B: Brancher<P> + Clone + Send,
        H: Hooks<P> + Clone + Send,
        X: Extract<P, Output = U> + Clone + Send,
        U: Send,
        S: Divisible<P, B, H>,
    {
        self.solutions(|solutions| solutions.try_for_each(visit))
    }

    /// Lends `consume` an iterator over the solutions. Other threads search for them meanwhile, and
    /// stop when `consume` returns. If the iterator has not returned `None` by then, the run ends
    /// with [`Stop::Satisfied`](crate::Stop::Satisfied), also if a limit had stopped the threads.
    ///
    /// Threads run ahead of the iterator: they have visited and counted solutions that were not
    /// taken. These are no longer in a [frontier](Search::frontier). To get each solution once,
    /// stop the run by a limit and take all of them, up to the end of the iterator. The same holds
    /// for [`first`](Self::first) and [`for_each`](Self::for_each).
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let search = Search::new(&queens).threads(2).in_order();
    /// let parallel = search.solutions(|solutions| solutions.collect::<Vec<_>>());
    /// let sequential: Vec<_> = Search::new(&queens).solutions().collect();
    /// assert_eq!(parallel.value(), &sequential);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn solutions<T, U: Send>(
        self,
        consume: impl FnOnce(&mut ReceivedSolutions<'_, U>) -> T,
    ) -> Outcome<T>
    where
        P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
        B: Brancher<P> + Clone + Send,
        H: Hooks<P> + Clone + Send,
        X: Extract<P, Output = U> + Clone + Send,
        S: Divisible<P, B, H>,
    {
        let Threads { search, threads, in_order } = self;
        let (run, extract) = Run::new(search, threads, None);
        let visit = || {
            let mut extract = extract.clone();
            Some(move |node: &Node<'_, P>| Some(extract.extract(node)))
        };
        let (value, _, report) = run.execute(visit, in_order, consume);
        Outcome::new(value, report)
    }
}

/// Extracts nothing from a solution.
fn extract_nothing<P: Problem>(_: &Node<'_, P>) {}

debug_fields!(
    impl[P: Problem + fmt::Debug, B: fmt::Debug, H, X, S] Threads<'_, P, B, H, X, S>:
    search, threads, in_order
);

impl<P: Problem, B, H, X, S> Threads<'_, P, B, H, X, S> {
    /// Searches for the best solution by `objective`, like [`Search::best`](crate::Search::best).
    ///
    /// Of several equally good solutions it returns any one; [in order](Threads::in_order), it
    /// returns the first one in tree order, as a search in one thread does. For this, a second
    /// search follows once the optimum is proven. It visits the solutions that are as good as the
    /// optimum, and ends at the first one. The report is the sum of both searches. If a limit stops
    /// the second search, the solution is any one again.
    pub fn best<V, F, T>(self, objective: &Objective<P, V, F>) -> Outcome<Optimum<V, T>>
    where
        P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
        B: Brancher<P> + Clone + Send,
        H: Hooks<P> + Clone + Send,
        X: Extract<P, Output = T> + Clone + Send,
        T: Send,
        S: Divisible<P, B, H>,
        V: ObjectiveValue + Send + Sync,
        F: Fn(&P, &P::State) -> V + Sync,
    {
        let Threads { search, threads, in_order } = self;
        let id = objective.id();
        let first_incumbent = id.latest_value();
        let (mut run, mut extract) = Run::new(search, threads, Some(id));
        let best_slot = &run.resume.as_ref().map(|resume| resume.best_slot.clone());
        let earlier = earlier_best(objective, &mut extract, |visit| run.revisit_best(visit));
        // The lock keeps value, solution and path together.
        let best = &Mutex::new(earlier);
        let improve = || {
            let mut improver = Improver::new(objective, extract.clone(), None);
            Some(move |node: &Node<'_, P>| -> Option<()> {
                let (value, solution) = improver.improve(node)?;
                let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
                // Another thread may have stored a better one since the offer.
                let direction = objective.incumbent().direction();
                if best.as_ref().is_none_or(|(known, _)| direction.is_better(&value, known)) {
                    if let Some(best_slot) = best_slot {
                        best_slot.record(&node.path(), &value, objective.incumbent().id());
                    }
                    *best = Some((value, solution));
                }
                None
            })
        };
        let template = in_order.then(|| run.template.clone());
        let (_, mut report) = run.execute_silently(improve);
        let best = best.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut best = with_solution(objective.incumbent().peek(), best);
        let proven = report.proves_optimum();
        if let (Some(template), true, Some((value, solution @ Some(_)))) =
            (template, proven, &mut best)
        {
            let value = &*value;
            let visit = || {
                let mut extract = extract.clone();
                Some(move |node: &Node<'_, P>| {
                    let found = objective.value(node.problem(), node.state());
                    (found == *value).then(|| extract.extract(node))
                })
            };
            let second_run = Run::again(template, threads);
            let ties = AcceptTies::of(objective.incumbent());
            let (first, _, second) = second_run.execute(visit, true, |solutions| solutions.next());
            drop(ties);
            if first.is_some() {
                *solution = first;
            }
            report = report.with(&second);
        }
        report.first_incumbent = first_incumbent;
        Outcome::new(Optimum::new(best, proven, &report), report)
    }
}
