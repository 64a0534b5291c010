//! The search engine: [`Search`] is built, run by one of its terminal operations, and answers with
//! an [`Outcome`](crate::Outcome).
//!
//! | question | operation |
//! |---|---|
//! | how many solutions? | [`count`](Search::count) |
//! | is there one? which? | [`exists`](Search::exists), [`first`](Search::first) |
//! | all of them, one at a time | [`solutions`](Search::solutions) (an iterator), [`for_each`](Search::for_each) (a visitor) |
//! | the best one | [`best`](Search::best), [`improvements`](Search::improvements) (an iterator) |
//! | how large is the tree, and how long will it take? | [`estimate`](Search::estimate), [`estimate_stratified`](Search::estimate_stratified) |
//! | which one is the shallowest? | [`IterativeDeepening`] (run after run), [`breadth_first`](Search::breadth_first) |
//! | a good one, fast, in a wide tree | [`beam`](Search::beam) |
//! | the best one in the fewest nodes | [`best_first`](Search::best_first) |
//! | better and better ones, and a proof at last | [`Anytime`], phase after phase |
//! | is there one near to what the order of the children suggests? | [`LimitedDiscrepancy`], run after run |
//! | how long to try before starting over? | [`Schedule`] (node budgets) |
//! | a part now, the rest later, or elsewhere | [`frontier`](Search::frontier), [`split`](Search::split) |
//! | the same in less time | [`threads`](Search::threads) |
//!
//! # Strategies
//!
//! All of them take the same hooks, limits and terminal operations, and end with the same kind of
//! outcome and report.
//!
//! | strategy | when | memory | what a run to its end has proved |
//! |---|---|---|---|
//! | depth first (the default) | all solutions, counts; an optimum with a good bound and a good order of children | one path | all |
//! | [`breadth_first`](Search::breadth_first) | a shallowest solution, in a narrow tree | the widest level, with states | all |
//! | [`best_first`](Search::best_first) | an optimum in the fewest nodes, where the bound is dear and tells much | the open nodes and their ancestors, [limited](Search::open_nodes) if wanted | all |
//! | [`beam`](Search::beam) | a good solution at once, in a wide tree | width × depth | all if nothing was dropped, else nothing |
//! | [`IterativeDeepening`] | a shallowest solution, in a wide tree | one path | all, when no run was cut short |
//! | [`LimitedDiscrepancy`] | a first solution, where the order of the children is mostly right | one path | all, when a run has cut off nothing |
//! | [`Schedule`] with [`Shuffled`](crate::brancher::Shuffled) children | a first solution, where luck near the root decides | one path | all, when a run was not stopped |
//! | [`Anytime`] | an optimum, with something to show early | that of its phases | all, when one of the phases has |
//! | [`threads`](Search::threads) | any of the depth-first ones in less time | a path each | all |
//!
//! # Checkpoints
//!
//! What is left of a search is data, a [`Frontier`]. With the feature `serde` it can be written to
//! a file, and `Search::checkpoint` has a search save itself while it runs; after a kill at any
//! moment, `Search::resume` goes on from the file, and the counts are those of a search that was
//! left alone. `Checkpoint` says what is promised.
//!
//! Running consumes the builder, so that nothing can be set when it is too late.

mod alarm;
mod anytime;
mod best;
mod best_first;
mod breadth_first;
mod check;
#[cfg(feature = "serde")]
mod checkpoint;
mod cut_counts;
#[cfg(feature = "serde")]
mod data;
pub mod estimate;
mod extent;
mod extract;
mod frontier;
mod guide;
mod iterative_deepening;
mod jumps;
mod kernel;
mod lead;
mod limited_discrepancy;
pub(crate) mod meter;
mod operations;
mod records;
mod rest;
mod restarts;
mod runs;
mod saver;
mod solutions;
mod split;
mod strategy;
pub(crate) mod subtree;
pub mod threads;
pub(crate) mod tree;

pub use anytime::{Anytime, Phases};
pub use best::Improvements;
pub use check::CheckUndo;
#[cfg(feature = "serde")]
pub use checkpoint::Checkpoint;
#[cfg(feature = "timely")]
pub(crate) use checkpoint::check_subtree;
pub use estimate::Estimate;
pub use extract::{Choices, Extract};
pub use frontier::Frontier;
pub use iterative_deepening::IterativeDeepening;
pub use limited_discrepancy::LimitedDiscrepancy;
pub use meter::Progress;
pub use restarts::Schedule;
pub use solutions::Solutions;
pub use strategy::{Beam, BestFirst, BreadthFirst, DepthFirst, Parts, Strategy};
pub use subtree::Subtree;
pub use threads::Threads;

use std::fmt;
use std::time::Duration;

use crate::brancher::{Brancher, ProblemOrder};
use crate::hook::{Hooks, Node};
use crate::limits::Limits;
use crate::problem::Problem;
use frontier::Resume;
use meter::Watcher;

/// A search that is being set up: a problem, and optionally hooks, a brancher, limits and a
/// strategy.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(8)?.bits();
/// assert_eq!(Search::new(&queens).count().exact(), Some(92));
/// assert_eq!(Search::new(&queens).exists().exists(), Some(true));
/// assert_eq!(Search::new(&queens).solutions().take(5).count(), 5);
/// # Ok::<(), secateurs::problems::queens::QueensError>(())
/// ```
#[must_use = "a search does nothing until one of its terminal operations is called"]
pub struct Search<'p, P: Problem, B = ProblemOrder, H = (), X = Choices, S = DepthFirst> {
    pub(crate) problem: &'p P,
    pub(crate) brancher: B,
    pub(crate) hooks: H,
    pub(crate) extract: X,
    pub(crate) settings: Settings<'p, P::Choice>,
    pub(crate) strategy: S,
}

/// What is set beside problem, brancher and hooks.
pub(crate) struct Settings<'p, C> {
    pub(crate) limits: Limits,
    pub(crate) watcher: Option<Watcher<'p>>,
    pub(crate) resume: Option<Resume<'p, C>>,
}

impl<'p, P: Problem> Search<'p, P> {
    /// A depth-first search of `problem`, without hooks and without limits.
    pub fn new(problem: &'p P) -> Self {
        Search {
            problem,
            brancher: ProblemOrder,
            hooks: (),
            extract: Choices,
            settings: Settings { limits: Limits::new(), watcher: None, resume: None },
            strategy: DepthFirst,
        }
    }
}

impl<'p, P: Problem, B, H, X, S> Search<'p, P, B, H, X, S> {
    /// Plugs in hooks, in place of those there were: a tuple of them, asked from left to right, or
    /// a vector.
    ///
    /// ```
    /// use secateurs::problems::queens::Queens;
    /// use secateurs::{Search, hook};
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let mut deepest = 0;
    /// let watch = hook::watch("depth", |node| deepest = deepest.max(node.depth()));
    /// let outcome = Search::new(&queens).hooks((Queens::mirror(), watch)).count();
    /// assert_eq!(outcome.exact(), Some(92));
    /// assert_eq!(deepest, 8);
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    pub fn hooks<I: Hooks<P>>(self, hooks: I) -> Search<'p, P, B, I, X, S> {
        Search {
            problem: self.problem,
            brancher: self.brancher,
            hooks,
            extract: self.extract,
            settings: self.settings,
            strategy: self.strategy,
        }
    }

    /// Lets `brancher` decide on the children of each node, in place of the problem itself.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::brancher::Shuffled;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(20)?.bits();
    /// let random = Search::new(&queens).brancher(Shuffled::new(7)).first();
    /// assert!(random.solution().is_some());
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    pub fn brancher<C: Brancher<P>>(self, brancher: C) -> Search<'p, P, C, H, X, S> {
        Search {
            problem: self.problem,
            brancher,
            hooks: self.hooks,
            extract: self.extract,
            settings: self.settings,
            strategy: self.strategy,
        }
    }

    /// Keeps of each solution what `extract` takes out of its node, rather than the choices that
    /// led there.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(6)?.bits();
    /// let mut depths = Search::new(&queens).extract(|node| node.depth()).solutions();
    /// assert_eq!(depths.next(), Some(6));
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    pub fn extract<T, F: FnMut(&Node<'_, P>) -> T>(self, extract: F) -> Search<'p, P, B, H, F, S> {
        Search {
            problem: self.problem,
            brancher: self.brancher,
            hooks: self.hooks,
            extract,
            settings: self.settings,
            strategy: self.strategy,
        }
    }

    /// Stops the run at the given limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Calls `callback` about every so often while the search runs, between two nodes.
    ///
    /// ```
    /// use std::time::Duration;
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let outcome = Search::new(&queens)
    ///     .progress(Duration::from_secs(1), |progress| eprintln!("{} nodes", progress.nodes))
    ///     .count();
    /// assert_eq!(outcome.exact(), Some(92));
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    pub fn progress(
        mut self,
        every: Duration,
        callback: impl FnMut(&Progress) + Send + 'p,
    ) -> Self {
        self.settings.watcher =
            Some(Watcher { every, callback: Box::new(callback), fraction: false });
        self
    }

    /// Lets [progress](Search::progress) tell the [share of the tree that is
    /// done](Progress::fraction).
    ///
    /// For each report, the walk steps back to the root, draws the children that are left of each
    /// node on its path, and is led again to where it stood: not for trees whose nodes have very
    /// many children.
    ///
    /// ```
    /// use std::time::Duration;
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(9)?.bits();
    /// let mut shares = Vec::new();
    /// let progress = |progress: &secateurs::search::Progress| shares.extend(progress.fraction);
    /// let outcome = Search::new(&queens).progress(Duration::ZERO, progress).fraction().count();
    /// assert_eq!(outcome.exact(), Some(352));
    /// assert!(shares.is_sorted());
    /// assert_eq!(shares.last(), Some(&1.0));
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    pub fn fraction(mut self) -> Self {
        if let Some(watcher) = &mut self.settings.watcher {
            watcher.fraction = true;
        }
        self
    }

    /// Checks, at every node, that undoing restored the state: a debugging aid that copies the
    /// state at each node.
    ///
    /// The run panics, with a message that names the choice, if [`Problem::undo`] or a hook leaves
    /// the state other than it was.
    ///
    /// ```should_panic
    /// use secateurs::{Branch, Problem, Search};
    ///
    /// struct Leaky;
    ///
    /// impl Problem for Leaky {
    ///     type State = (u32, u32);
    ///     type Cursor = u32;
    ///     type Choice = u32;
    ///     type Undo = ();
    ///     fn root(&self) -> (u32, u32) {
    ///         (0, 0)
    ///     }
    ///     fn branch(&self, state: &(u32, u32)) -> Branch<u32> {
    ///         if state.0 == 3 { Branch::Solution } else { Branch::Inner(0) }
    ///     }
    ///     fn next(&self, _: &(u32, u32), cursor: &mut u32) -> Option<u32> {
    ///         *cursor += 1;
    ///         (*cursor < 3).then_some(*cursor)
    ///     }
    ///     fn apply(&self, state: &mut (u32, u32), choice: &u32) {
    ///         *state = (state.0 + 1, state.1 + choice);
    ///     }
    ///     fn undo(&self, state: &mut (u32, u32), _: &u32, (): ()) {
    ///         state.0 -= 1; // and the sum?
    ///     }
    /// }
    ///
    /// let _ = Search::new(&Leaky).check_undo().count();
    /// ```
    pub fn check_undo(self) -> Search<'p, P, CheckUndo<B>, H, X, S>
    where
        P::State: Clone + PartialEq + fmt::Debug,
        P::Choice: Clone + fmt::Debug,
    {
        Search {
            problem: self.problem,
            brancher: CheckUndo::new(self.brancher),
            hooks: self.hooks,
            extract: self.extract,
            settings: self.settings,
            strategy: self.strategy,
        }
    }
}

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Searches level by level, in place of depth first: the first solution is one of the
    /// shallowest.
    ///
    /// Every node that waits to be expanded holds a copy of the state, and each of its ancestors a
    /// few words and its choice: memory grows with the widest level. Moore (1959) and Lee (1961)
    /// found shortest ways through mazes like this.
    ///
    /// A node is left as soon as it has been entered, long before its children are. A hook that
    /// [follows the path](crate::Hook::follows_path) is led back to a node before its children are
    /// drawn, and so enters and leaves it again. One that learns from [leaving](crate::Hook::leave)
    /// a node learns nothing: every node is left [unfinished](crate::Hook::leave_unfinished).
    ///
    /// ```
    /// use secateurs::{Branch, Problem, Search};
    ///
    /// /// Reach a number from 1 by doubling and by adding 3.
    /// struct Reach(u64);
    ///
    /// impl Problem for Reach {
    ///     type State = u64;
    ///     type Cursor = u8;
    ///     type Choice = char;
    ///     type Undo = u64;
    ///     fn root(&self) -> u64 {
    ///         1
    ///     }
    ///     fn branch(&self, &number: &u64) -> Branch<u8> {
    ///         match number {
    ///             _ if number == self.0 => Branch::Solution,
    ///             _ if number > self.0 => Branch::DeadEnd,
    ///             _ => Branch::Inner(0),
    ///         }
    ///     }
    ///     fn next(&self, _: &u64, cursor: &mut u8) -> Option<char> {
    ///         *cursor += 1;
    ///         ['+', '*'].get(usize::from(*cursor) - 1).copied()
    ///     }
    ///     fn apply(&self, number: &mut u64, step: &char) -> u64 {
    ///         let before = *number;
    ///         *number = if *step == '*' { before * 2 } else { before + 3 };
    ///         before
    ///     }
    ///     fn undo(&self, number: &mut u64, _: &char, before: u64) {
    ///         *number = before;
    ///     }
    /// }
    ///
    /// let shortest = Search::new(&Reach(64)).breadth_first().first();
    /// assert_eq!(shortest.solution().map(Vec::len), Some(5)); // 1 + 3, then doubled four times
    /// ```
    pub fn breadth_first(self) -> Search<'p, P, B, H, X, BreadthFirst> {
        Search {
            problem: self.problem,
            brancher: self.brancher,
            hooks: self.hooks,
            extract: self.extract,
            settings: self.settings,
            strategy: BreadthFirst,
        }
    }

    /// Searches level by level like [`breadth_first`](Search::breadth_first), but of each level
    /// keeps only the `width` nodes for which `key` is smallest; 0 is taken for 1. (Lowerre 1976.)
    /// For the largest, let `key` give a [`Reverse`].
    ///
    /// Memory is in proportion to the width, times the depth at most: a level is entered as a whole
    /// before it is narrowed. If any node was dropped, the run is [lossy](crate::Effect::Lossy),
    /// and its report says how many; if none was, it has proved what breadth-first search would
    /// have. Of nodes with equal keys, those that came first are kept. The nodes of a level are
    /// expanded in the order of their keys.
    ///
    /// [`Reverse`]: std::cmp::Reverse
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::maze::{Maze, Mouse};
    ///
    /// let maze: Maze = "S...\n.##.\n...G\n".parse()?;
    /// // Any square is as good as another here, and two nodes are enough to come around the walls on both sides.
    /// let outcome = Search::new(&maze).beam(2, |_, mouse: &Mouse| mouse.steps()).first();
    /// assert_eq!(outcome.solution().map(Vec::len), Some(5));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    pub fn beam<K, F>(self, width: usize, key: F) -> Search<'p, P, B, H, X, Beam<F>>
    where
        K: Ord,
        F: FnMut(&P, &P::State) -> K,
    {
        Search {
            problem: self.problem,
            brancher: self.brancher,
            hooks: self.hooks,
            extract: self.extract,
            settings: self.settings,
            strategy: Beam { width: width.max(1), key },
        }
    }

    /// Searches what is left in `frontier`, and leaves there what this run leaves: a search in
    /// instalments, or of a part.
    ///
    /// A [new](Frontier::new) frontier is the whole tree. The answer and the report of the run are
    /// those of everything that was searched so far, by this run and those before; the limits are
    /// for this run alone. When an iterator or the terminal operation ends, for whatever reason,
    /// the frontier has the rest, and is [empty](Frontier::is_exhausted) if there is none.
    ///
    /// A run may ask another question than those before. What has been found by then stays found,
    /// and is not visited again: once there were solutions, [`first`](Search::first) does not prove
    /// that there is none, and [`best`](Search::best) proves nothing unless all runs before were
    /// for the best by an objective of the same [name](crate::Objective::named).
    ///
    /// The problem, the brancher and the hooks must be those of the runs before: the frontier
    /// cannot know. A value that was [offered](crate::Incumbent::offer) to the incumbent of an
    /// objective by somebody else than these runs must be offered again in each process: what was
    /// cut off for it is not in the frontier.
    ///
    /// Cost: the path to each of its subtrees is replayed once, and when the run ends, the untried
    /// children of the nodes on the way are drawn.
    ///
    /// ```
    /// use secateurs::problems::queens::Queens;
    /// use secateurs::search::Frontier;
    /// use secateurs::{Limits, Search, Stop};
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let mut frontier = Frontier::new();
    /// let limits = Limits::new().nodes(1_000);
    /// let outcome = Search::new(&queens).limits(limits).frontier(&mut frontier).count();
    /// assert_eq!((outcome.stop(), outcome.exact()), (Stop::NodeLimit, None));
    ///
    /// // Later; there may have been a pause of a week in between.
    /// let outcome = Search::new(&queens).frontier(&mut frontier).count();
    /// assert_eq!(outcome.exact(), Some(92));
    /// assert_eq!(outcome.report().nodes(), 2_057);
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    pub fn frontier(self, frontier: &'p mut Frontier<P::Choice>) -> Search<'p, P, B, H, X, Parts>
    where
        P::Choice: Clone,
    {
        #[cfg(feature = "serde")]
        let _ = frontier.check_once(self.problem);
        self.resumed(Resume::new(frontier, None))
    }

    fn resumed(self, resume: Resume<'p, P::Choice>) -> Search<'p, P, B, H, X, Parts> {
        Search {
            problem: self.problem,
            brancher: self.brancher,
            hooks: self.hooks,
            extract: self.extract,
            settings: Settings { resume: Some(resume), ..self.settings },
            strategy: Parts,
        }
    }
}

impl<P: Problem, B: fmt::Debug, H, X, S> fmt::Debug for Search<'_, P, B, H, X, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("brancher", &self.brancher)
            .field("limits", &self.settings.limits)
            .finish_non_exhaustive()
    }
}
