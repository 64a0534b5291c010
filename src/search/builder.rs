//! [`Search`]: the configuration of a search. [`Extract`] and [`Choices`] determine what it returns
//! of a solution; the strategy [`FromFrontier`] continues a frontier.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use super::check_undo::CheckUndo;
use super::depth_first::DepthFirst;
use super::frontier::Frontier;
use super::frontier::resume::Resume;
use super::meter::{Progress, Watcher};
use super::tree::SearchTree;
use super::walk::{Divisible, InTreeOrder, IntoWalk, Resumable, WithoutFrontier};
use crate::brancher::{Brancher, ProblemOrder, Sorted};
use crate::hook::{
    self, Admit, Append, Constrained, Constraint, Effect, Enter, Hook, Hooks, Last, Node, NodeMut,
    StrategyLoss, Terms, Verdict, Watch,
};
use crate::incumbent::ObjectiveId;
use crate::limits::Limits;
use crate::problem::Problem;

/// A search that is being configured: a problem, and optionally hooks, a brancher, limits and a
/// strategy.
///
/// A search is no iterator: [`solutions`](Search::solutions) returns one, and the best solution is
/// [`best`](Search::best) by an [`Objective`](crate::Objective).
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?.bits();
/// assert_eq!(Search::new(&queens).count().exact(), Some(92));
/// assert_eq!(Search::new(&queens).exists().exists(), Some(true));
/// assert_eq!(Search::new(&queens).solutions().take(5).count(), 5);
/// # Ok::<(), secateurs_problems::InstanceError>(())
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

/// The settings other than problem, brancher and hooks.
pub(crate) struct Settings<'p, C> {
    pub(crate) limits: Limits,
    pub(crate) watcher: Option<Watcher<'p>>,
    /// Whether progress reports include the share of the tree that is done. It is kept apart from
    /// the watcher, so that [`Search::fraction`] may be called before [`Search::progress`].
    pub(super) reports_fraction: bool,
    /// Estimates of the number of nodes, with the factor between each and the ends of its interval.
    pub(super) sizes: Vec<(f64, f64)>,
    pub(crate) resume: Option<Resume<'p, C>>,
}

impl<C> Settings<'_, C> {
    /// Returns the terms of a run that asks for the best solution by `objective`, or for all
    /// solutions, and notes the question in the frontier. `in_order` says whether the run visits
    /// the nodes of each subtree, and one subtree after another, in depth-first order.
    pub(super) fn terms(
        &mut self,
        objective: Option<ObjectiveId>,
        in_order: bool,
        strategy: Option<StrategyLoss>,
    ) -> Terms {
        let incumbent = objective.as_ref().map(ObjectiveId::incumbent);
        let mut depth_first = in_order;
        if let Some(resume) = &mut self.resume {
            resume.ask(objective);
            resume.frontier.ordered &= in_order;
            depth_first = resume.frontier.ordered;
        }
        Terms { incumbent, depth_first, strategy }
    }
}

impl<'p, P: Problem> Search<'p, P> {
    /// Creates a depth-first search of `problem`, without hooks and limits.
    pub fn new(problem: &'p P) -> Self {
        Search {
            problem,
            brancher: ProblemOrder,
            hooks: (),
            extract: Choices,
            settings: Settings {
                limits: Limits::new(),
                watcher: None,
                reports_fraction: false,
                sizes: Vec::new(),
                resume: None,
            },
            strategy: DepthFirst,
        }
    }
}

// `A`, the type of the set with one more hook, is a parameter of the methods. If the return type
// named it `H::Appended` and that could not be evaluated, the compiler would not find the method at
// all, and the error would not name the reason.
impl<'p, P: Problem, B, H, X, S> Search<'p, P, B, H, X, S> {
    /// Plugs in hooks and replaces earlier ones. `hooks` is a tuple, asked from left to right, or a
    /// vector.
    ///
    /// ```
    /// use secateurs::{Search, hook};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let mut deepest = 0;
    /// let watch = hook::watch("depth", |node| deepest = deepest.max(node.depth()));
    /// let outcome = Search::new(&queens).hooks((Queens::mirror(), watch)).count();
    /// assert_eq!(outcome.exact(), Some(92));
    /// assert_eq!(deepest, 8);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn hooks<I: Hooks<P>>(self, hooks: I) -> Search<'p, P, B, I, X, S>
    where
        S: WithoutFrontier,
    {
        self.map_parts(|brancher, _, extract, strategy| (brancher, hooks, extract, strategy))
    }

    /// Appends a hook to those that are plugged in.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let outcome = Search::new(&queens).hook(Queens::mirror()).count();
    /// assert_eq!(outcome.exact(), Some(92));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn hook<I: Hook<P>, A>(self, hook: I) -> Search<'p, P, B, A, X, S>
    where
        S: WithoutFrontier,
        H: Append<I, Appended = A>,
    {
        self.map_parts(|brancher, hooks, extract, strategy| {
            (brancher, hooks.append(hook), extract, strategy)
        })
    }

    /// Appends a [hook](hook::admit) from a closure that decides before each choice; `effect` is
    /// what its cuts preserve. [`configure`](Self::configure) states the substitute of a solution
    /// that it loses. The closure needs no type annotations.
    ///
    /// ```
    /// use secateurs::{Effect, Search, Verdict};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let outcome = Search::new(&queens)
    ///     .admit("no corner", Effect::Lossy, |node, &square| {
    ///         Verdict::prune_if(node.depth() == 0 && square == 1)
    ///     })
    ///     .count();
    /// assert_eq!(outcome.at_least(), 88);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn admit<F, A>(
        self,
        name: impl Into<Cow<'static, str>>,
        effect: Effect,
        decide: F,
    ) -> Search<'p, P, B, A, X, S>
    where
        F: FnMut(&Node<'_, P>, &P::Choice) -> Verdict,
        S: WithoutFrontier,
        H: Append<Admit<F>, Appended = A>,
    {
        self.hook(hook::admit(name, effect, decide))
    }

    /// Appends a [hook](hook::enter) from a closure that decides after each choice and may tighten
    /// the state; `effect` is what its cuts preserve. The closure needs no type annotations.
    ///
    /// ```
    /// use secateurs::{Effect, Search, Verdict};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let outcome = Search::new(&queens)
    ///     .enter("one half", Effect::Lossy, |node| {
    ///         Verdict::prune_if(node.path().get(0).is_some_and(|&square| square >= 1 << 4))
    ///     })
    ///     .count();
    /// assert_eq!(outcome.at_least(), 46);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn enter<F, A>(
        self,
        name: impl Into<Cow<'static, str>>,
        effect: Effect,
        decide: F,
    ) -> Search<'p, P, B, A, X, S>
    where
        F: FnMut(&mut NodeMut<'_, P>) -> Verdict,
        S: WithoutFrontier,
        H: Append<Enter<F>, Appended = A>,
    {
        self.hook(hook::enter(name, effect, decide))
    }

    /// Appends a [constraint](hook::constraint): a solution counts only if `allows` holds for each
    /// node on the path to it. `kind` states what it depends on, from which follows [what can be
    /// combined with it](hook#constraints).
    ///
    /// ```
    /// use secateurs::{Constraint, Search};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let outcome = Search::new(&queens)
    ///     .constraint("no corner", Constraint::Path, |node| node.path().get(0) != Some(&1))
    ///     .count();
    /// assert_eq!(outcome.exact(), Some(88));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn constraint<F, A>(
        self,
        name: impl Into<Cow<'static, str>>,
        kind: Constraint,
        allows: F,
    ) -> Search<'p, P, B, A, X, S>
    where
        F: FnMut(&Node<'_, P>) -> bool,
        S: WithoutFrontier,
        H: Append<Constrained<F>, Appended = A>,
    {
        self.hook(hook::constraint(name, kind, allows))
    }

    /// Configures the hook that was plugged in last, for what [`admit`](Self::admit),
    /// [`enter`](Self::enter) and [`constraint`](Self::constraint) do not take as arguments: its
    /// [substitute](crate::hook::Admit::substitute), and the
    /// [parameters](crate::hook::Admit::parameters) that its closure captures.
    ///
    /// ```
    /// use secateurs::{Effect, Search, Substitute, Verdict};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let columns = 4;
    /// let outcome = Search::new(&queens)
    ///     .admit("left half", Effect::Representatives, |node, &square| {
    ///         Verdict::prune_if(node.depth() == 0 && square >= 1 << columns)
    ///     })
    ///     .configure(|hook| hook.substitute(Substitute::Sibling).parameters(&columns))
    ///     .count();
    /// assert_eq!(outcome.representatives(), Some(46));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn configure(self, change: impl FnOnce(H::Hook) -> H::Hook) -> Self
    where
        S: WithoutFrontier,
        H: Last,
    {
        Search { hooks: self.hooks.map_last(change), ..self }
    }

    /// Appends an [observer](hook::watch): the closure is called with every node that the hooks
    /// before it keep.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let mut deepest = 0;
    /// let search = Search::new(&queens);
    /// let outcome = search.watch("depth", |node| deepest = deepest.max(node.depth())).count();
    /// assert_eq!((outcome.exact(), deepest), (Some(92), 8));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn watch<F, A>(
        self,
        name: impl Into<Cow<'static, str>>,
        see: F,
    ) -> Search<'p, P, B, A, X, S>
    where
        F: FnMut(&Node<'_, P>),
        S: WithoutFrontier,
        H: Append<Watch<F>, Appended = A>,
    {
        self.hook(hook::watch(name, see))
    }

    /// Makes `brancher` choose the children of each node, instead of the problem itself.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::brancher::Shuffled;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(20)?.bits();
    /// let random = Search::new(&queens).brancher(Shuffled::new(7)).first();
    /// assert!(random.solution().is_some());
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn brancher<C: Brancher<P>>(self, brancher: C) -> Search<'p, P, C, H, X, S>
    where
        S: WithoutFrontier,
    {
        self.map_parts(|_, hooks, extract, strategy| (brancher, hooks, extract, strategy))
    }

    /// Sorts the children of each node by a key, the smallest first, with ties in the order of the
    /// brancher so far: [`Sorted::over`]. The closure needs no type annotations.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::knights_tour::{KnightsTour, TourBoard};
    ///
    /// let tour = KnightsTour::open(TourBoard::new(20, 20)?).starting_at(0, 0)?;
    /// // First the square with the fewest exits (Warnsdorff 1823).
    /// let outcome = Search::new(&tour).sorted(|node, &square| node.state().exits(square)).first();
    /// assert!(outcome.solution().is_some());
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn sorted<K, F>(self, key: F) -> Search<'p, P, Sorted<B, F>, H, X, S>
    where
        B: Brancher<P>,
        K: Ord,
        F: FnMut(&Node<'_, P>, &P::Choice) -> K,
        S: WithoutFrontier,
    {
        self.map_parts(|brancher, hooks, extract, strategy| {
            (Sorted::over(brancher, key), hooks, extract, strategy)
        })
    }

    /// Keeps what `extract` returns for the node of each solution, instead of the choices that led
    /// there.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(6)?.bits();
    /// let mut depths = Search::new(&queens).extract(|node| node.depth()).solutions();
    /// assert_eq!(depths.next(), Some(6));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn extract<T, F: FnMut(&Node<'_, P>) -> T>(self, extract: F) -> Search<'p, P, B, H, F, S> {
        self.map_parts(|brancher, hooks, _, strategy| (brancher, hooks, extract, strategy))
    }

    /// Stops the run at the given limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Returns the limits that were set, for functions that run a search of their caller within
    /// further limits.
    ///
    /// ```
    /// use secateurs::{Limits, Search};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let search = Search::new(&queens).limits(Limits::new().solutions(10));
    /// let own = search.get_limits().clone();
    /// let outcome = search.limits(own.within(Limits::new().nodes(100))).count();
    /// assert_eq!((outcome.report().nodes(), outcome.at_least()), (100, 0));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn get_limits(&self) -> &Limits {
        &self.settings.limits
    }

    /// Returns the report of the earlier runs that this search continues, whose nodes its own
    /// report includes; `None` if it begins at the root. See the example of
    /// [`frontier`](Search::frontier).
    pub fn earlier_report(&self) -> Option<&crate::Report> {
        self.settings.resume.as_ref().and_then(|resume| resume.frontier.report())
    }

    /// Calls `callback` at about this interval while the search runs, between two nodes.
    ///
    /// ```
    /// use std::time::Duration;
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let outcome = Search::new(&queens)
    ///     .progress(Duration::from_secs(1), |progress| eprintln!("{} nodes", progress.nodes))
    ///     .count();
    /// assert_eq!(outcome.exact(), Some(92));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn progress(
        mut self,
        every: Duration,
        callback: impl FnMut(&Progress) + Send + 'p,
    ) -> Self {
        let fraction = self.settings.reports_fraction;
        let mut watcher = Watcher::new(every, callback, fraction);
        for &(nodes, factor) in &self.settings.sizes {
            watcher.expect(nodes, factor);
        }
        self.settings.watcher = Some(watcher);
        self
    }

    /// Adds the [share of the tree that is done](Progress::fraction) to
    /// [progress](Search::progress) reports. Without `progress`, it has no effect.
    ///
    /// For each report, the walk climbs to the root, draws the remaining children of each node on
    /// its path, and replays the path. This is slow if nodes have very many children.
    ///
    /// ```
    /// use std::time::Duration;
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(9)?.bits();
    /// let mut shares = Vec::new();
    /// let progress = |progress: &secateurs::search::Progress| shares.extend(progress.fraction);
    /// let outcome = Search::new(&queens).progress(Duration::ZERO, progress).fraction().count();
    /// assert_eq!(outcome.exact(), Some(352));
    /// assert!(shares.is_sorted());
    /// assert_eq!(shares.last(), Some(&1.0));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn fraction(mut self) -> Self {
        self.settings.reports_fraction = true;
        if let Some(watcher) = &mut self.settings.watcher {
            watcher.fraction = true;
        }
        self
    }

    /// Checks at every node that undoing restores the state: a debugging aid that copies the state
    /// at each node.
    ///
    /// The run panics if [`Problem::undo`] does not restore the state, or does not revert what a
    /// hook has tightened; if the search tries a choice that the problem would [reject in a
    /// file](Problem::accepts_saved); and if a choice leads to another state than the problem
    /// [states](Problem::state_after). The message names the choice.
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
    ///         state.0 -= 1; // does not restore the sum `state.1`
    ///     }
    /// }
    ///
    /// let _ = Search::new(&Leaky).check_undo().count();
    /// ```
    pub fn check_undo(self) -> Search<'p, P, CheckUndo<B>, H, X, S>
    where
        S: WithoutFrontier,
        P::State: Clone + PartialEq + fmt::Debug,
        P::Choice: Clone + fmt::Debug,
    {
        self.map_parts(|brancher, hooks, extract, strategy| {
            (CheckUndo { inner: brancher }, hooks, extract, strategy)
        })
    }
}

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Replaces the strategy.
    pub(super) fn with_strategy<S>(self, strategy: S) -> Search<'p, P, B, H, X, S> {
        self.map_strategy(|DepthFirst| strategy)
    }
}

impl<'p, P: Problem, B, H, X, S> Search<'p, P, B, H, X, S> {
    /// Converts the parts whose types may change.
    fn map_parts<C, I, Y, T>(
        self,
        convert: impl FnOnce(B, H, X, S) -> (C, I, Y, T),
    ) -> Search<'p, P, C, I, Y, T> {
        let Search { problem, brancher, hooks, extract, settings, strategy } = self;
        let (brancher, hooks, extract, strategy) = convert(brancher, hooks, extract, strategy);
        Search { problem, brancher, hooks, extract, settings, strategy }
    }

    /// Converts the strategy.
    pub(super) fn map_strategy<T>(self, convert: impl FnOnce(S) -> T) -> Search<'p, P, B, H, X, T> {
        self.map_parts(|brancher, hooks, extract, strategy| {
            (brancher, hooks, extract, convert(strategy))
        })
    }
}

impl<'p, P: Problem, B, H, X, S: Resumable> Search<'p, P, B, H, X, S> {
    /// Searches the subtrees in `frontier`, and leaves the remaining ones there. Use it to
    /// search a tree in several runs, or to search a part of a tree.
    ///
    /// A [new](Frontier::new) frontier is the whole tree. The answer and the report of the run
    /// cover everything that was searched so far, by this run and earlier ones; the limits apply to
    /// this run alone. When the operation or the iterator ends, other than by a
    /// [panic](Frontier#lost-frontiers), the frontier has the remaining subtrees. It is
    /// [exhausted](Frontier::is_exhausted) if there are none and no depth limit has cut off nodes.
    ///
    /// A run may ask another question than earlier runs. Solutions that were found earlier are not
    /// visited again. If there were any, a [`first`](Search::first) that finds none does not prove
    /// that there is none. [`best`](Search::best) proves nothing unless all earlier runs optimised
    /// by the same objective, or one of the same [name](crate::Objective::named).
    ///
    /// The problem must be that of the earlier runs, which the frontier cannot check. (If it was
    /// read from a file, the run ends at once if the problem [rejects](Problem::accepts_saved) one
    /// of its choices.) The brancher and the hooks must be the same as well; they are set before
    /// this call. If the brancher, or a hook that loses solutions, differs from that of earlier
    /// runs in its name, its effect, or the [parameters](crate::Hook::parameters) that it states,
    /// the run proves nothing. But bounds may be added or omitted if, without them, no hook loses
    /// solutions.
    ///
    /// A run prunes what is not better than its incumbent. The incumbent may have a value that no
    /// solution found on this frontier has, because other code [offered](crate::Incumbent::offer)
    /// it or because it was found on another frontier. A later run with another incumbent then
    /// proves nothing, unless the same value is offered to its incumbent, or an earlier run on this
    /// frontier has found a solution of this value. The [conflicts](crate::Report::conflicts) in
    /// its report name the value.
    ///
    /// Cost: the path to each subtree is replayed once, and when the run ends, the untried children
    /// of the nodes on the current path are drawn.
    ///
    /// ```
    /// use secateurs::search::Frontier;
    /// use secateurs::{Limits, Search, Stop};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let mut frontier = Frontier::new();
    /// let limits = Limits::new().nodes(1_000);
    /// let outcome = Search::new(&queens).limits(limits).frontier(&mut frontier).count();
    /// assert_eq!((outcome.stop(), outcome.exact()), (Stop::NodeLimit, None));
    ///
    /// // Later; there may have been a pause of a week in between.
    /// let search = Search::new(&queens).frontier(&mut frontier);
    /// assert_eq!(search.earlier_report().map(|report| report.nodes()), Some(1_000));
    /// let outcome = search.count();
    /// assert_eq!(outcome.exact(), Some(92));
    /// assert_eq!(outcome.report().nodes(), 2_057);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn frontier(
        self,
        frontier: &'p mut Frontier<P::Choice>,
    ) -> Search<'p, P, B, H, X, FromFrontier<S>>
    where
        P::Choice: Clone,
    {
        // If the check fails, the frontier becomes lost, and the run ends at once.
        #[cfg(feature = "serde")]
        let _ = frontier.check_once(self.problem);
        self.resumed(Resume::new(frontier, None))
    }

    /// Replaces the strategy by a search of the frontier in `resume`.
    pub(super) fn resumed(
        self,
        resume: Resume<'p, P::Choice>,
    ) -> Search<'p, P, B, H, X, FromFrontier<S>> {
        let settings = Settings { resume: Some(resume), ..self.settings };
        Search { settings, ..self }.map_strategy(FromFrontier)
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

/// Search of the subtrees in a [`Frontier`] by the strategy `S`, as set up by
/// [`Search::frontier`](crate::Search::frontier).
#[derive(Clone, Copy, Debug)]
pub struct FromFrontier<S = DepthFirst>(pub(super) S);

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, S: IntoWalk<P, B, H>> IntoWalk<P, B, H>
    for FromFrontier<S>
{
    const IS_DEPTH_FIRST: bool = S::IS_DEPTH_FIRST;

    type Walk<'p>
        = S::Walk<'p>
    where
        P: 'p;

    fn loss(&self) -> Option<StrategyLoss> {
        self.0.loss()
    }

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        self.0.into_walk(tree)
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, S: Divisible<P, B, H>> Divisible<P, B, H>
    for FromFrontier<S>
{
    type DivisibleWalk<'p>
        = S::DivisibleWalk<'p>
    where
        P: 'p;

    type Shared = S::Shared;

    fn into_idle_walk<'p>(
        self,
        tree: SearchTree<'p, P, B, H>,
        shared: Self::Shared,
    ) -> Self::DivisibleWalk<'p>
    where
        P::Choice: Clone,
    {
        self.0.into_idle_walk(tree, shared)
    }
}

impl InTreeOrder for FromFrontier {}

/// A function that extracts a value from the node of a solution, to be kept when the walk
/// continues.
///
/// Implemented by closures `FnMut(&Node<P>) -> T`, and by [`Choices`], the default.
#[diagnostic::on_unimplemented(
    message = "`{Self}` extracts nothing from the solutions of the problem `{P}`",
    note = "the default, `Choices`, copies the choices of the path: derive `Clone` for `Choice`",
    note = "to keep something else, pass a closure to `Search::extract`, such as `|node| \
            node.depth()`"
)]
pub trait Extract<P: Problem> {
    /// The extracted value.
    type Output;

    /// Extracts the value from the node of a solution.
    fn extract(&mut self, node: &Node<'_, P>) -> Self::Output;
}

/// Extracts the choices that lead to a solution, from the root down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices;

impl<P: Problem<Choice: Clone>> Extract<P> for Choices {
    type Output = Vec<P::Choice>;

    #[inline]
    fn extract(&mut self, node: &Node<'_, P>) -> Vec<P::Choice> {
        node.path().to_vec()
    }
}

impl<P: Problem, T, F: FnMut(&Node<'_, P>) -> T> Extract<P> for F {
    type Output = T;

    #[inline]
    fn extract(&mut self, node: &Node<'_, P>) -> T {
        self(node)
    }
}
