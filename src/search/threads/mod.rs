//! Searching with several threads.
//!
//! The tree is one task at first. Who has nothing to do waits; who has looks, with every portion of
//! fuel, whether anybody waits, and gives away half of what it has left: what is untried below its
//! shallowest open nodes (Kumar and Rao 1987; Blumofe and Leiserson 1999). How many of those make
//! half is told by how many nodes were visited at each depth so far: in most trees, the untried
//! children of one node or two; where there is as much below deep nodes as below shallow ones,
//! thousands. What is given away is a path and some choices: no state ever goes from thread to
//! thread.
//!
//! Hooks and branchers are cloned for each worker. They do not tell one another what they learn,
//! but for an [incumbent](crate::Incumbent), which is shared.

mod best;
mod order;
mod pool;
mod run;
mod saving;
mod solutions;
mod team;
mod watch;
mod work;
mod worker;

pub use solutions::Received;
pub(super) use team::Team;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

use super::kernel::DepthFirstWalk;
use super::tree::{Walk, pass};
use super::{DepthFirst, Extract, Parts, Search, Strategy};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::limits::Stop;
use crate::outcome::{Count, Found, Outcome};
use crate::problem::Problem;
use order::TaskId;
use solutions::{Outlet, Sorter, Teller};
use worker::Visitor;

/// Solutions that may be on the way before a worker waits for whoever receives them.
const ON_THE_WAY: usize = 1024;

/// No more threads than this are started, whatever is asked for.
const MOST_THREADS: usize = 1024;

/// A search by several threads, made by [`Search::threads`].
#[must_use = "a search does nothing until one of its terminal operations is called"]
pub struct Threads<'p, P: Problem, B, H, X, S = DepthFirst> {
    search: Search<'p, P, B, H, X, S>,
    threads: usize,
    in_order: bool,
}

/// A way of searching that can be divided among threads. Implemented by this crate only.
pub trait Divisible: sealed::Sealed {}

impl Divisible for DepthFirst {}
impl Divisible for Parts {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::DepthFirst {}
    impl Sealed for super::Parts {}
}

impl<'p, P: Problem, B, H, X, S: Divisible> Search<'p, P, B, H, X, S> {
    /// Searches with several threads; 0 stands for as many as the machine runs at the same time,
    /// and more than 1024 for 1024.
    ///
    /// Counts, sets of solutions and optima are those of one thread, and so are the numbers of
    /// nodes and cuts, unless the report [says otherwise](crate::Report::nondeterministic_parts) or
    /// the brancher goes by what was searched before. Of hooks that hold in a
    /// [depth-first](crate::SubstituteOrder::DepthFirst) search only, several threads prove
    /// nothing. The limit of nodes is exact; of solutions, each thread may find one more.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(10)?.bits();
    /// let outcome = Search::new(&queens).threads(2).count();
    /// assert_eq!(outcome.exact(), Some(724));
    /// assert_eq!(outcome.report().nodes(), 35_539);
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    ///
    /// # Panics
    /// A panic of the problem, of a hook or of another part that is not of this crate stops all
    /// threads; it is then raised again by the terminal operation, with the path to the node where
    /// it was or to its parent.
    pub fn threads(self, threads: usize) -> Threads<'p, P, B, H, X, S> {
        let threads = match threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads.min(MOST_THREADS),
        };
        Threads { search: self, threads, in_order: false }
    }
}

impl<P: Problem, B, H, X, S> Threads<'_, P, B, H, X, S> {
    /// Gives solutions in the order of the tree, as one thread does; `first` then gives the very
    /// first, and `best` the first of the best. Solutions that are found too early are kept until
    /// it is their turn, however many they are. A run that stops at a limit gives those that it has
    /// found, in order, but there may be others between them and before them.
    pub fn in_order(mut self) -> Self {
        self.in_order = true;
        self
    }
}

impl<'p, P, B, H, X, S> Threads<'p, P, B, H, X, S>
where
    P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
    S: Divisible + Strategy<P, B, H>,
{
    /// Counts the solutions, as [`Search::count`] does.
    pub fn count(self) -> Outcome<Count> {
        let (run, ..) = self.prepare(None);
        let team = run.start.team.limits_solutions().then_some(&run.start.team);
        let counters = (0..run.threads).map(|_| Counter(team.cloned())).collect();
        let (count, report) = run.go_silently(counters, || None);
        Outcome::new(count, report)
    }

    /// Whether there is a solution, as [`Search::exists`] says.
    pub fn exists(self) -> Outcome<Found<()>> {
        let Threads { search, threads, .. } = self;
        let (found, report) =
            Threads { search: search.extract(seen), threads, in_order: false }.first().into_parts();
        let found = if report.credited() > 0 || report.solutions() > 0 {
            Found::Solution(())
        } else {
            found
        };
        Outcome::new(found, report)
    }
}

/// Takes nothing out of a solution.
fn seen<P: Problem>(_: &Node<'_, P>) {}

impl<'p, P, B, H, X, S> Threads<'p, P, B, H, X, S>
where
    P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
    X: Extract<P, Output: Send> + Clone + Send,
    S: Divisible + Strategy<P, B, H>,
{
    /// A solution, and [in order](Threads::in_order) the first one; see [`Search::first`].
    pub fn first(self) -> Outcome<Found<X::Output>> {
        let (solution, report) = self.solutions(|solutions| solutions.next()).into_parts();
        Outcome::new(Found::new(solution, &report), report)
    }

    /// Calls `visit`, on this thread, with what is taken out of each solution, until it breaks off.
    pub fn for_each<T>(
        self,
        visit: impl FnMut(X::Output) -> ControlFlow<T>,
    ) -> Outcome<ControlFlow<T>> {
        self.solutions(|solutions| solutions.try_for_each(visit))
    }

    /// Lends `consume` an iterator over the solutions, which other threads search while it runs;
    /// when it returns, they stop. If it has not taken all solutions, the run ends with
    /// [`Stop::Satisfied`].
    ///
    /// Threads run ahead: they have visited and counted solutions by then that were not taken. A
    /// [frontier](Search::frontier) does not have them any more, so whoever wants each solution
    /// once stops by a limit and takes all; the same holds of [`first`](Self::first) and
    /// [`for_each`](Self::for_each).
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let parallel = Search::new(&queens).threads(2).in_order().solutions(|solutions| solutions.collect::<Vec<_>>());
    /// let sequential: Vec<_> = Search::new(&queens).solutions().collect();
    /// assert_eq!(parallel.value(), &sequential);
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    pub fn solutions<T>(
        self,
        consume: impl FnOnce(&mut Received<'_, X::Output>) -> T,
    ) -> Outcome<T> {
        let (run, extract, in_order) = self.prepare(None);
        let (outlet, receiver) = if in_order {
            let (sender, receiver) = channel();
            (Outlet::Unbounded(sender), receiver)
        } else {
            let (sender, receiver) = sync_channel(ON_THE_WAY);
            (Outlet::Bounded(sender), receiver)
        };
        let sorter = in_order.then(|| Sorter::new(run.subtrees.len()));
        let team = Arc::clone(&run.start.team);
        let teller = |_| Teller::new(extract.clone(), outlet.clone(), &team);
        let tellers: Vec<_> = (0..run.threads).map(teller).collect();
        drop(outlet);
        let (value, _, report) = run.go(tellers, (receiver, sorter), consume, || None);
        Outcome::new(value, report)
    }
}

/// Sees nothing but that there is a solution, if that has to be known at once.
struct Counter(Option<Arc<Team>>);

impl<P: Problem> Visitor<P> for Counter {
    fn visit(&mut self, _: TaskId, _: &Node<'_, P>) -> ControlFlow<()> {
        match &self.0 {
            None => ControlFlow::Continue(()),
            Some(team) => team.count_solution(),
        }
    }
    fn go_on<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        task: TaskId,
        walk: &mut DepthFirstWalk<'_, P, B, H>,
    ) -> Option<Stop> {
        match self.0 {
            None => walk.go_on(pass),
            Some(_) => walk.go_on(|node| self.visit(task, node)),
        }
    }
    fn divided(&mut self, _: TaskId, _: TaskId) {}
    fn done(&mut self, _: TaskId) {}
    fn paused(&mut self) {}
}

impl<P: Problem + fmt::Debug, B: fmt::Debug, H, X, S> fmt::Debug for Threads<'_, P, B, H, X, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Threads { search, threads, in_order } = self;
        f.debug_struct("Threads")
            .field("search", search)
            .field("threads", threads)
            .field("in_order", in_order)
            .finish()
    }
}
