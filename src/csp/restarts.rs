//! Starting over without searching anything twice.

use super::no_goods::Shelf;
use super::{
    Assignment, Branching, CentreOut, DomainOverDegree, Network, NoGoods, Propagate, Propagation,
    Weights,
};
use crate::brancher::Brancher;
use crate::brancher::Shuffled;
use crate::clock::Instant;
use crate::hook::Hooks;
use crate::limits::{Limits, Stop};
use crate::outcome::{Found, Outcome};
use crate::report::Report;
use crate::search::{Extract, Schedule, Search};

/// Looks for a solution of a network in one run after another, each with a budget of nodes and
/// random choices of its own, and keeps what has been learnt: [no-goods](NoGoods) say what has been
/// searched already, and [weights](Weights) which constraints are hard.
///
/// Why start over: a mistake near the root may take an exponential time to be taken back, and other
/// random choices do not make it (Gomes, Selman and Kautz 1998). With no-goods, starting over loses
/// nothing: when the run that is left exhausts its tree, all has been searched, and that there is
/// no solution is proved ([`Outcome::is_proven_none`]).
///
/// The same seed gives the same runs.
///
/// ```
/// use secateurs::csp::{Model, Restarts};
/// use secateurs::search::Schedule;
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
/// let queens = secateurs::problems::queens::QueensBoard::new(50)?.network();
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
    fixed: bool,
}

/// A run that is to be set up: what [`Restarts::first_by`] hands to its closure.
#[derive(Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// How many runs there were before.
    pub number: u64,
    /// A seed for the random choices of this run, made from that of all runs.
    pub seed: u64,
    /// What the runs before have searched: the hook to be plugged in first. If it is not, nothing
    /// is remembered.
    pub no_goods: NoGoods,
}

impl<'p> Restarts<'p> {
    /// Runs with budgets from `schedule`, by full propagation, without limits.
    pub fn new(network: &'p Network, schedule: Schedule) -> Self {
        Restarts {
            network,
            schedule,
            propagation: Propagation::Full,
            limits: Limits::new(),
            seed: 0,
            fixed: false,
        }
    }

    /// Propagates at this level, in [`first`](Self::first).
    pub fn propagate(mut self, level: Propagation) -> Self {
        self.propagation = level;
        self
    }

    /// Stops at these limits, which are those of all runs together. If there is a limit of depth,
    /// it holds for each run, and no-goods are not kept, since what is left has not been searched
    /// then.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Other random choices.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// A promise that a hook which keeps [representatives](crate::Effect::Representatives) keeps
    /// the same ones in all runs, whatever the order of variables and values, as those of
    /// [`csp::symmetry`](super::symmetry) and [`hook::LexLeader`](crate::hook::LexLeader) do.
    /// Without it such hooks make the outcome lossy: what was cut off in one run for the sake of a
    /// part that is not searched yet would be forbidden with that part in the next.
    pub fn beside_fixed_representatives(mut self) -> Self {
        self.fixed = true;
        self
    }

    /// The first solution: propagation at the level that was set, domain over weighted degree with
    /// weights kept from run to run, values in random order.
    // Inlined so that its search is compiled only for those who call it.
    #[inline]
    pub fn first(self) -> Outcome<Found<Assignment>> {
        let (network, level) = (self.network, self.propagation);
        let weights = Weights::new(network);
        self.first_by(|attempt| {
            let order = Branching::new(DomainOverDegree::weighted(&weights), CentreOut);
            Search::new(network)
                .hooks((attempt.no_goods, Propagate::new(level).with_weights(&weights)))
                .brancher(Shuffled::over(order, attempt.seed))
                .extract(Assignment::of)
        })
    }

    /// The first solution, each run being set up by `search`.
    ///
    /// It gets the [no-goods](Attempt::no_goods), to be put first among the hooks; all other hooks
    /// must be new ones in each run, and cut off what they cut off for reasons that hold in every
    /// run. Limits that it sets are replaced.
    ///
    /// In the outcome, figures of the report are sums over all runs, and the stop is that of the
    /// last. A budget must be larger than the depth of the tree for a run to search anything: a
    /// schedule that stays below it has no end.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Branching, CentreOut, Propagate, Restarts, SmallestDomain};
    /// use secateurs::brancher::Shuffled;
    /// use secateurs::problems::queens::QueensBoard;
    /// use secateurs::search::Schedule;
    ///
    /// let network = QueensBoard::new(30)?.network();
    /// let outcome = Restarts::new(&network, Schedule::luby(100)).first_by(|attempt| {
    ///     let order = Branching::new(SmallestDomain::first_tie(), CentreOut);
    ///     Search::new(&network)
    ///         .hooks((attempt.no_goods, Propagate::forward()))
    ///         .brancher(Shuffled::over(order, attempt.seed))
    /// });
    /// assert_eq!(outcome.solution().map(Vec::len), Some(30));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
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
        let began = Instant::now();
        let shelf = Shelf::new(self.fixed, self.limits.depth.is_none());
        let mut total: Option<Report> = None;
        let mut schedule = self.schedule;
        let mut number: u64 = 0;
        loop {
            let left = self.limits.nodes.map_or(u64::MAX, |nodes| {
                nodes.saturating_sub(total.as_ref().map_or(0, Report::nodes))
            });
            let budget = schedule.next().unwrap_or(u64::MAX);
            let mut limits = self.limits.clone().nodes(budget.min(left));
            limits.time = limits.time.map(|time| time.saturating_sub(began.elapsed()));
            let seed = self.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let attempt = Attempt { number, seed, no_goods: shelf.lend() };
            let (found, report) = search(attempt).limits(limits).first().into_parts();

            let stop = report.stop();
            let mut sum = match total {
                Some(total) => total + report,
                None => report,
            };
            sum.stop = stop;
            if stop != Stop::NodeLimit || left <= budget {
                let solution = match found {
                    Found::Solution(solution) => Some(solution),
                    Found::None | Found::Unknown => None,
                };
                return Outcome::new(Found::new(solution, &sum), sum);
            }
            shelf.record();
            total = Some(sum);
            number += 1;
        }
    }
}
