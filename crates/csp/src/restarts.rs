//! Restarts that remember which parts of the tree have been searched.

use secateurs::brancher::{Brancher, Shuffled};
use secateurs::hook::Hooks;
use secateurs::search::{Anytime, Extract, RunBudget, Schedule, Search};
use secateurs::{Found, Limits, Objective, ObjectiveValue, Optimum, Outcome, Report, Stop};

use super::no_goods::SharedNoGoods;
use super::race::solution;
use super::{
    Assignment, Branching, CentreOut, Domains, Network, NoGoods, Propagate, Propagation, Weights,
    weighted_degree,
};

/// Searches for a solution of a network with restarts. Each run has its own node budget and random
/// choices, and learns from earlier runs: [no-goods](NoGoods) exclude what has been searched, and
/// [weights](Weights) tell which constraints are hard.
///
/// A wrong decision near the root may take exponential time to refute, and a run with other random
/// choices does not take it (Gomes, Selman and Kautz 1998). With no-goods, a restart loses no work:
/// when a run exhausts its tree, everything has been searched, which proves that there is no
/// solution ([`Outcome::is_proven_none`]).
///
/// The same seed gives the same runs.
///
/// ```
/// use secateurs::search::Schedule;
/// use secateurs_csp::{Model, Restarts};
///
/// // Seven pigeons in six holes.
/// let mut model = Model::new();
/// let pigeons = model.variables(7, 0..6)?;
/// model.all_different(&pigeons)?;
/// let network = model.build();
/// let outcome = Restarts::new(&network, Schedule::luby(50)).first();
/// assert!(outcome.is_proven_none());
/// assert!(outcome.report().levels()[0].nodes > 1); // as many roots as runs
///
/// let queens = secateurs_problems::queens::QueensBoard::new(50)?.network();
/// let outcome = Restarts::new(&queens, Schedule::geometric(100, 1.5)).seed(7).first();
/// assert!(outcome.solution().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a search does nothing until it is run"]
pub struct Restarts<'p> {
    network: &'p Network,
    schedule: Schedule,
    propagation: Propagation,
    limits: Limits,
    seed: u64,
    fixed_representatives: bool,
}

/// A run to be set up: the argument of the closure of [`Restarts::first_by`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// The number of earlier runs.
    pub number: u64,
    /// A seed for the random choices of this run, derived from the seed of all runs.
    pub seed: u64,
    /// The number of nodes of earlier runs, to be added to that of a
    /// [progress report](Search::progress).
    pub nodes: u64,
    /// The hook that excludes what earlier runs have searched, to be plugged in first. Without it,
    /// nothing is remembered.
    pub no_goods: NoGoods,
}

impl<'p> Restarts<'p> {
    /// Creates runs with budgets from `schedule`, full propagation and no limits.
    pub fn new(network: &'p Network, schedule: Schedule) -> Self {
        Restarts {
            network,
            schedule,
            propagation: Propagation::Full,
            limits: Limits::new(),
            seed: 0,
            fixed_representatives: false,
        }
    }

    /// Sets the level of propagation of [`first`](Self::first).
    pub fn propagate(mut self, level: Propagation) -> Self {
        self.propagation = level;
        self
    }

    /// Sets limits for all runs together. Those of depth and of solutions hold for each run. A
    /// depth limit disables the recording of no-goods, because nodes below it have not been
    /// searched.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the seed of the random choices.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Promises that hooks whose [substitutes](secateurs::Substitute) are below or elsewhere lose
    /// the same solutions in all runs, whatever the orders of variables and values, as do the hooks
    /// of [`csp::symmetry`](super::symmetry) and [`hook::LexLeader`](secateurs::hook::LexLeader),
    /// which keep the same [representatives](secateurs::Effect::Representatives).
    ///
    /// Without this promise such hooks make the run lossy: one run may prune a subtree because the
    /// substitute lies in a part that is not searched yet, and the next run may prune that part in
    /// turn. No promise is needed for a substitute that is known, another choice of the same node
    /// or, in [`best_by`](Self::best_by), [better](secateurs::SubstituteOrder::BetterValue).
    pub fn with_fixed_representatives(mut self) -> Self {
        self.fixed_representatives = true;
        self
    }

    /// Searches for the first solution, with propagation at the level that was set, domain over
    /// weighted degree with weights kept from run to run, and values in random order.
    // Inlined so that only programs that call it compile its search.
    #[inline]
    pub fn first(self) -> Outcome<Found<Assignment>> {
        let (network, level) = (self.network, self.propagation);
        let weights = Weights::new(network);
        self.first_by(|attempt| {
            let order = Branching::new(weighted_degree(&weights), CentreOut);
            Search::new(network)
                .hooks((attempt.no_goods, Propagate::new(level).with_weights(&weights)))
                .brancher(Shuffled::over(order, attempt.seed))
                .extract(Assignment::of)
        })
    }

    /// Searches for the first solution; `search` sets up each run.
    ///
    /// The closure gets the [no-goods](Attempt::no_goods), which it must put first among the hooks.
    /// All other hooks must be new in each run, and must prune for reasons that hold in every run.
    /// Limits that the closure sets are replaced.
    ///
    /// The numbers in the report of the outcome are sums over all runs; the stop is that of the
    /// last run. A run searches something only if its budget is larger than the depth of the tree:
    /// a schedule that stays below it never ends.
    ///
    /// A run that is [lossy](secateurs::Effect::Lossy) or [credits](secateurs::NodeMut::credit)
    /// solutions adds no no-goods, because it may have missed solutions in what it has searched. If
    /// all runs are, they end only with a budget that suffices for the whole tree.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::brancher::Shuffled;
    /// use secateurs::search::Schedule;
    /// use secateurs_csp::{Branching, CentreOut, Propagate, Restarts, SmallestDomain};
    /// use secateurs_problems::queens::QueensBoard;
    ///
    /// let network = QueensBoard::new(30)?.network();
    /// let outcome = Restarts::new(&network, Schedule::luby(100)).first_by(|attempt| {
    ///     let order = Branching::new(SmallestDomain::first_tie(), CentreOut);
    ///     Search::new(&network)
    ///         .hooks((attempt.no_goods, Propagate::forward()))
    ///         .brancher(Shuffled::over(order, attempt.seed))
    /// });
    /// assert_eq!(outcome.solution().map(Vec::len), Some(30));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn first_by<B, H, X>(
        self,
        mut search: impl FnMut(Attempt) -> Search<'p, Network, B, H, X>,
    ) -> Outcome<Found<X::Output>>
    where
        B: Brancher<Network>,
        H: Hooks<Network>,
        X: Extract<Network>,
    {
        let shared = self.shared_no_goods();
        let mut budget = RunBudget::new(self.limits.clone());
        let mut schedule = self.schedule.clone();
        let mut number: u64 = 0;
        loop {
            let attempt = schedule.next().map_or(Limits::new(), |n| Limits::new().nodes(n));
            let limits = attempt.within(budget.limits());
            let nodes = budget.report().map_or(0, Report::nodes);
            let attempt = self.attempt(number, nodes, &shared);
            let (found, report) = search(attempt).limits(limits).first().into_parts();

            let (stop, is_lossless) = (report.stop(), report.keeps_optimum());
            budget.add(report);
            if stop != Stop::NodeLimit || budget.used_up() == Some(Stop::NodeLimit) {
                return budget.found(solution(found));
            }
            shared.record(is_lossless);
            number += 1;
        }
    }

    /// Searches for the best solution by `objective`; `search` sets up each run, as for
    /// [`first_by`](Self::first_by).
    ///
    /// The runs share the incumbent. What one run has searched holds nothing that is better than
    /// the incumbent, so the [no-goods](Attempt::no_goods) of that run exclude it in the next ones.
    /// A run that exhausts its tree proves the optimum, like [`Search::best`].
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::search::Schedule;
    /// use secateurs_csp::{Assignment, Model, Propagate, Restarts, maximise};
    ///
    /// // Three numbers from 1 to 9; each differs from its predecessor by at least the predecessor.
    /// // How large can their sum be?
    /// let mut model = Model::new();
    /// let numbers = model.variables(3, 1..=9)?;
    /// for pair in numbers.windows(2) {
    ///     model.binary(pair[0], pair[1], |x, y| (x - y).abs() >= x)?;
    /// }
    /// let sum = model.variable(0..=27)?;
    /// let terms = numbers.iter().map(|&number| (1, number)).chain([(-1, sum)]);
    /// model.linear(terms, 0..=0)?;
    /// let network = model.build();
    ///
    /// let (largest, larger) = maximise(sum);
    /// let outcome = Restarts::new(&network, Schedule::luby(20)).best_by(&largest, |attempt| {
    ///     Search::new(&network)
    ///         .hooks((attempt.no_goods, larger.clone(), Propagate::full()))
    ///         .extract(Assignment::of)
    /// });
    /// assert_eq!(outcome.proven(), Some(&15));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    pub fn best_by<V, F, B, H, X>(
        self,
        objective: &Objective<Network, V, F>,
        mut search: impl FnMut(Attempt) -> Search<'p, Network, B, H, X>,
    ) -> Outcome<Optimum<V, X::Output>>
    where
        V: ObjectiveValue,
        F: Fn(&Network, &Domains) -> V,
        B: Brancher<Network>,
        H: Hooks<Network>,
        X: Extract<Network>,
    {
        let shared = self.shared_no_goods();
        let mut phases = Anytime::new(objective).limits(self.limits.clone()).start();
        for (number, budget) in (0..).zip(self.schedule.clone()) {
            let search = search(self.attempt(number, phases.nodes(), &shared));
            phases = phases.then(search.limits(Limits::new().nodes(budget)));
            if phases.is_done() || phases.stop() != Stop::NodeLimit {
                break;
            }
            shared.record(phases.keeps_optimum());
        }
        phases.finish()
    }

    fn shared_no_goods(&self) -> SharedNoGoods {
        SharedNoGoods::new(self.fixed_representatives, self.limits.max_depth().is_none())
    }

    fn attempt(&self, number: u64, nodes: u64, shared: &SharedNoGoods) -> Attempt {
        let seed = self.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Attempt { number, seed, nodes, no_goods: shared.lend() }
    }
}
