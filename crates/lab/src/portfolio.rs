//! [`Portfolio`]: several strategies for one question, of which the fastest is predicted and run.

use std::fmt;
use std::time::Duration;

use secateurs::brancher::Brancher;
use secateurs::hook::Hooks;
use secateurs::search::{Anytime, Estimate, FromFrontier, Frontier, RunBudget};
use secateurs::{
    Count, Found, Instant, Limits, Objective, Optimum, Outcome, Problem, Report, Search, Stop,
    Successors,
};

/// The nodes that each strategy may visit in the first round.
const FIRST_BUDGET: u64 = 256;

/// The fewest nodes that a strategy may visit in a round, however expensive they are.
const LEAST_BUDGET: u64 = 32;

/// The number of random probes of each strategy before the first sample.
const PROBES: u64 = 10;

/// The size of a tree that is too large for an [estimate](secateurs::search::estimate#limits).
const TOO_LARGE: f64 = 1e140;

/// The factor by which the mean of these probes may exceed the size of the tree.
const PROBE_ERROR: f64 = 10.0;

/// The rounds end when they have cost this share of what the leader is predicted to need.
const SHARE_OF_ROUNDS: f64 = 0.06;

/// The factor between the first budgets of successive halvings.
const LARGER_BUDGET: u64 = 4;

/// A strategy that exceeds its prediction is predicted to need this share of its nodes once more.
const OVERRUN: f64 = 0.25;

/// When a strategy is about to run, it has been sampled for at least half this share of what all
/// strategies have cost so far.
const SHARE_OF_SAMPLES: f64 = 0.03;

/// The measure by which strategies are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PortfolioCost {
    /// Elapsed time: numbers of nodes times the measured time per node.
    #[default]
    Time,
    /// Numbers of nodes. The choice is then deterministic.
    Nodes,
}

/// The answer of a strategy of a [`Portfolio`]: a [`Count`], a [`Found`] solution or an
/// [`Optimum`]. Implemented by no type outside this crate.
pub trait PortfolioAnswer: sealed::Sealed {}

impl<A: sealed::Sealed> PortfolioAnswer for A {}

mod sealed {
    /// The implementation of [`PortfolioAnswer`](super::PortfolioAnswer).
    pub trait Sealed: Sized {
        /// Whether the first solution is the answer.
        const IS_FIRST: bool = false;

        /// Returns the answer before any run.
        fn unknown() -> Self;

        /// Completes this answer by the `earlier` one of another strategy.
        #[must_use]
        fn or(self, earlier: Option<Self>) -> Self {
            let _ = earlier;
            self
        }
    }
}

impl sealed::Sealed for Count {
    fn unknown() -> Self {
        let leaf = Successors::new((), |()| true, |()| None);
        Search::new(&leaf).limits(Limits::new().nodes(0)).count().into_parts().0
    }
}

impl<T> sealed::Sealed for Found<T> {
    const IS_FIRST: bool = true;

    fn unknown() -> Self {
        Found::Unknown
    }
}

impl<V: PartialEq, T> sealed::Sealed for Optimum<V, T> {
    fn unknown() -> Self {
        Optimum::Unknown
    }

    /// Adds the solution that another strategy has found, if it has the value of the incumbent,
    /// which the strategies share.
    fn or(self, earlier: Option<Self>) -> Self {
        let Some(
            Optimum::Proven { value: known, solution: Some(solution) }
            | Optimum::BestSoFar { value: known, solution: Some(solution) },
        ) = earlier
        else {
            return self;
        };
        let solution = Some(solution);
        match self {
            Optimum::NoneBetter { value } if value == known => Optimum::Proven { value, solution },
            Optimum::BestSoFar { value, solution: None } if value == known => {
                Optimum::BestSoFar { value, solution }
            }
            answer => answer,
        }
    }
}

/// A strategy, without its types.
trait Runner<T> {
    /// Continues the search.
    fn run(&mut self, limits: Limits) -> Outcome<T>;

    /// Estimates the size of the tree from a few random paths.
    fn probe(&self, limits: Limits, seed: u64) -> Estimate;

    /// Estimates the size of the tree from about `nodes` nodes.
    fn sample(&self, limits: Limits, nodes: u64, seed: u64) -> Estimate;
}

/// A strategy: functions that create its search and ask its question, and what is left of it.
struct Resumable<C, M, A> {
    frontier: Frontier<C>,
    make: M,
    ask: A,
}

impl<'p, P, B, H, X, M, A, T> Runner<T> for Resumable<P::Choice, M, A>
where
    P: Problem<Choice: Clone> + 'p,
    B: Brancher<P>,
    H: Hooks<P>,
    M: Fn() -> Search<'p, P, B, H, X>,
    A: Fn(Search<'_, P, B, H, X, FromFrontier>) -> Outcome<T>,
{
    fn run(&mut self, limits: Limits) -> Outcome<T> {
        let mut search = limited(&self.make, limits);
        // The limit of solutions is that of all runs on the frontier.
        if let Some(most) = search.get_limits().max_solutions() {
            let known = self.frontier.report().map_or(0, Report::solutions);
            let limits = search.get_limits().clone().solutions(most.saturating_sub(known));
            search = search.limits(limits);
        }
        (self.ask)(search.frontier(&mut self.frontier))
    }

    fn probe(&self, limits: Limits, seed: u64) -> Estimate {
        limited(&self.make, limits).estimate(PROBES, seed)
    }

    fn sample(&self, limits: Limits, nodes: u64, seed: u64) -> Estimate {
        limited(&self.make, limits).estimate_within(nodes, seed)
    }
}

/// Creates a search with common limits beside its own, without its own limit of nodes.
fn limited<'p, P: Problem, B, H, X>(
    make: impl Fn() -> Search<'p, P, B, H, X>,
    limits: Limits,
) -> Search<'p, P, B, H, X> {
    let search = make();
    let own = search.get_limits().clone();
    // A limit can be raised, but not removed. A search without one gets none, because limits change
    // the sizes of batches in an estimate.
    let own = if own.max_nodes().is_some() { own.nodes(u64::MAX) } else { own };
    search.limits(own.within(limits))
}

/// Several strategies for one question, of which the fastest is predicted and run to its end.
///
/// A strategy is a depth-first search with hooks and a brancher of its own, possibly of a problem
/// of its own, such as another model of the same instance. The strategies must have the same
/// answer.
///
/// # Method
///
/// Successive halving (Jamieson and Talwalkar 2016): in each round, each strategy that is left
/// searches some nodes and [samples](Search::estimate_within) as many, and the half with the
/// largest predictions is dropped. The budget doubles from round to round. When one strategy is
/// left, another halving begins, with a larger budget and the strategies whose predictions are
/// within a factor of ten. The rounds end when they have cost a small share of what the best one is
/// predicted to need. The strategy with the smallest prediction then continues where its last
/// round ended.
///
/// If it needs more than predicted, its samples are discarded. It is sampled again, and a strategy
/// that was dropped may take over; so a wrong prediction costs a limited multiple of the best
/// strategy. A strategy is also sampled again before it runs if its samples are a small share of
/// the cost so far: predictions from a few nodes are often too small, and each strategy would take
/// over in turn.
///
/// A sample of a huge tree is expensive. The first prediction is therefore made from ten random
/// paths ([Knuth 1975](Search::estimate)), and a strategy is not sampled as long as that prediction
/// exceeds the best one by a factor of ten.
///
/// The prediction for a count or an optimum is the size of the tree, for the current value of the
/// incumbent. For a first solution, it is the size divided by the number of solutions plus one.
///
/// # Answer
///
/// The answer and its report are those of the strategy that ended, in all of its runs on its own
/// [frontier](Search::frontier). It is proven by the same rule as the answer of that strategy
/// alone; the other strategies contribute nothing to the proof. Strategies that optimise by the
/// same objective share its incumbent, and if another one has found the best solution, the answer
/// has that solution. A [lossy](secateurs::Effect::Lossy) strategy may end first, with an answer
/// that is not proven.
///
/// Hooks that [remember](secateurs::hook::HookMemory) what was searched begin each run with empty
/// tables.
///
/// ```
/// use secateurs::Search;
/// use secateurs_lab::{Portfolio, PortfolioCost};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(10)?.bits();
/// let raced = Portfolio::new()
///     .cost(PortfolioCost::Nodes)
///     .strategy("plain", || Search::new(&queens), |search| search.count())
///     .strategy(
///         "mirror",
///         || Search::new(&queens).hook(Queens::mirror()),
///         |search| search.count(),
///     )
///     .run();
/// assert_eq!(raced.outcome().exact(), Some(724));
/// assert_eq!(raced.winner(), Some("mirror"));
/// // All nodes, relative to the predicted best strategy.
/// assert!(raced.regret().is_some_and(|regret| regret < 1.5));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use = "a portfolio does nothing until it is run"]
pub struct Portfolio<'a, T> {
    limits: Limits,
    cost: PortfolioCost,
    seed: u64,
    racers: Vec<Racer<'a, T>>,
}

impl<'a, T: PortfolioAnswer> Portfolio<'a, T> {
    /// Creates a portfolio without strategies and limits.
    pub fn new() -> Self {
        Portfolio {
            limits: Limits::new(),
            cost: PortfolioCost::default(),
            seed: 0,
            racers: Vec::new(),
        }
    }

    /// Adds a strategy. `make` creates its search, for each of its runs, and `ask` calls a terminal
    /// operation: the same question, with the same [constraints](secateurs::hook#constraints), for
    /// all strategies. A node limit of the search is ignored.
    pub fn strategy<'p, P, B, H, X, M, A>(
        mut self,
        name: impl Into<String>,
        make: M,
        ask: A,
    ) -> Self
    where
        P: Problem<Choice: Clone> + 'p,
        P::Choice: 'a,
        B: Brancher<P>,
        H: Hooks<P>,
        M: Fn() -> Search<'p, P, B, H, X> + 'a,
        A: Fn(Search<'_, P, B, H, X, FromFrontier>) -> Outcome<T> + 'a,
    {
        let runner = Box::new(Resumable { frontier: Frontier::new(), make, ask });
        self.racers.push(Racer {
            runner,
            is_out: false,
            is_sampled: false,
            sample_weight: 0.0,
            sampled_size: 0.0,
            entry: PortfolioEntry { name: name.into(), ..PortfolioEntry::default() },
        });
        self
    }

    /// Stops at the given limits, which apply to all strategies together, sampling included. Limits
    /// of depth, solutions and memory apply to each: a strategy that reaches one leaves the race,
    /// which ends when all have left.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the measure by which strategies are compared.
    pub fn cost(mut self, cost: PortfolioCost) -> Self {
        self.cost = cost;
        self
    }

    /// Sets the seed of the samples.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Runs the strategies until one has the answer or a limit is reached. A strategy that reaches
    /// a limit of its own leaves the race, because another one may not. If no strategy has the
    /// answer, the outcome is that of the one that ran last. Without any strategy, the stop is
    /// [`Stop::Paused`].
    pub fn run(self) -> PortfolioOutcome<T> {
        let Portfolio { limits, cost, seed, racers } = self;
        let mut race =
            Race { limits, cost, seed, began: Instant::now(), racers, last: None, outcome: None };
        let ended = race.rounds() || race.finish() || race.stop_at_limit();
        let Race { outcome, last, racers, .. } = race;
        let outcome = outcome.unwrap_or_else(without_runs);
        let entries = racers.into_iter().map(|racer| racer.entry).collect();
        PortfolioOutcome { outcome, cost, winner: last.filter(|_| ended), entries }
    }
}

/// Returns the outcome of no run at all.
fn without_runs<T: PortfolioAnswer>() -> Outcome<T> {
    type Leaf = Successors<(), fn(&()) -> bool, fn(()) -> Option<()>>;
    let value = Objective::maximise(|_: &Leaf, _| 0);
    let nothing: Outcome<Optimum<i32, ()>> = Anytime::new(&value).start().finish();
    nothing.map(|_, _| T::unknown())
}

/// A strategy that takes part.
struct Racer<'a, T> {
    runner: Box<dyn Runner<T> + 'a>,
    /// Whether it cannot go on, for lack of memory for example.
    is_out: bool,
    /// Whether it was sampled. Otherwise its prediction is that of a few random probes.
    is_sampled: bool,
    /// The sum of the nodes that samples entered, and of these nodes times the estimated sizes.
    sample_weight: f64,
    sampled_size: f64,
    entry: PortfolioEntry,
}

impl<T: PortfolioAnswer> Racer<'_, T> {
    /// Returns the number of nodes that the question needs according to an estimate.
    fn needed(&mut self, estimate: &Estimate) -> Option<f64> {
        self.entry.sampled += estimate.visited();
        self.entry.elapsed_sampling += estimate.elapsed();
        let size = match estimate.stop() {
            Stop::CountOverflow => TOO_LARGE,
            _ => estimate.nodes()?.mean,
        };
        let solutions = estimate.solutions().map_or(0.0, |solutions| solutions.mean);
        Some(if T::IS_FIRST { size / (1.0 + solutions) } else { size })
    }

    fn predict(&mut self, nodes: f64) {
        self.entry.predicted = Some(nodes.max(self.entry.nodes as f64));
    }
}

/// The state of a portfolio that runs.
struct Race<'a, T> {
    limits: Limits,
    cost: PortfolioCost,
    seed: u64,
    began: Instant,
    racers: Vec<Racer<'a, T>>,
    /// The strategy that ran last, and its outcome.
    last: Option<usize>,
    outcome: Option<Outcome<T>>,
}

impl<T: PortfolioAnswer> Race<'_, T> {
    /// Returns what is left of the common limits.
    fn limits_left(&self) -> Limits {
        let entries = self.racers.iter().map(|racer| &racer.entry);
        let used: u64 = entries.map(|entry| entry.nodes + entry.sampled).sum();
        let mut left = self.limits.clone();
        if let Some(nodes) = left.max_nodes() {
            left = left.nodes(nodes.saturating_sub(used));
        }
        if let Some(time) = left.max_time() {
            left = left.time(time.saturating_sub(self.began.elapsed()));
        }
        left
    }

    /// Returns whether a common limit allows no further node.
    fn is_used_up(&self) -> bool {
        RunBudget::new(self.limits_left()).used_up().is_some()
    }

    /// Continues a strategy for some nodes. Returns whether it has ended with the answer.
    fn advance(&mut self, index: usize, nodes: u64) -> bool {
        let limits = Limits::new().nodes(nodes).within(self.limits_left());
        let racer = &mut self.racers[index];
        let outcome = racer.runner.run(limits);
        racer.entry.nodes = outcome.report().nodes();
        racer.entry.elapsed = outcome.report().elapsed();
        let stop = outcome.stop();
        let earlier = self.outcome.take().map(|outcome| outcome.into_parts().0);
        self.outcome = Some(outcome.map(|answer, _| answer.or(earlier)));
        self.last = Some(index);
        let has_ended = matches!(stop, Stop::Exhausted | Stop::Satisfied);
        self.racers[index].is_out = !has_ended && stop != Stop::NodeLimit;
        has_ended
    }

    /// If a common limit is reached, continues a strategy, which stops at once: so the outcome has
    /// the stop of this limit, not that of a round. Returns whether the strategy has ended.
    fn stop_at_limit(&mut self) -> bool {
        let mut by_turn = self.last.into_iter().chain(0..self.racers.len());
        match by_turn.find(|&index| !self.racers[index].is_out) {
            Some(index) if self.is_used_up() => self.advance(index, LEAST_BUDGET),
            _ => false,
        }
    }

    /// Predicts the size of the tree of a strategy from a few random probes.
    fn probe(&mut self, index: usize) {
        let (limits, seed) = self.next_sample();
        let racer = &mut self.racers[index];
        let estimate = racer.runner.probe(limits, seed);
        if let Some(needed) = racer.needed(&estimate) {
            racer.predict(needed);
        }
    }

    /// Samples the tree of a strategy, and updates its prediction.
    fn sample(&mut self, index: usize, nodes: u64) {
        let (limits, seed) = self.next_sample();
        let racer = &mut self.racers[index];
        racer.is_sampled = true;
        let estimate = racer.runner.sample(limits, nodes, seed);
        if let Some(needed) = racer.needed(&estimate) {
            let weight = estimate.visited() as f64;
            racer.sampled_size += needed * weight;
            racer.sample_weight += weight;
            racer.predict(racer.sampled_size / racer.sample_weight);
        }
    }

    /// Returns the limits and the seed of a sample.
    fn next_sample(&mut self) -> (Limits, u64) {
        let seed = self.seed;
        self.seed = self.seed.wrapping_add(1);
        (self.limits_left(), seed)
    }

    /// Samples the strategies that were not sampled yet and may be the best ones according to their
    /// probes.
    ///
    /// They are compared with the predicted cost of the whole run of another strategy, not of its
    /// rest: if that run exceeds its prediction, the rest is small again, and would exclude all
    /// others.
    fn sample_hopeful(&mut self, nodes: u64) {
        let mut missing: Vec<usize> = self.candidates(false).collect();
        missing.sort_by(|&one, &other| {
            self.predicted_cost(one).total_cmp(&self.predicted_cost(other))
        });
        for index in missing {
            if self.predicted_cost(index) < PROBE_ERROR * self.least_predicted_cost() {
                self.sample(index, nodes);
            }
        }
    }

    /// Returns the strategies that can go on, and were sampled or were not.
    fn candidates(&self, are_sampled: bool) -> impl Iterator<Item = usize> {
        (0..self.racers.len()).filter(move |&index| {
            let racer = &self.racers[index];
            !racer.is_out && racer.is_sampled == are_sampled
        })
    }

    /// Returns the least predicted cost of a whole strategy among those that were sampled.
    fn least_predicted_cost(&self) -> f64 {
        self.candidates(true).map(|index| self.predicted_cost(index)).fold(f64::MAX, f64::min)
    }

    /// Returns the predicted cost of a whole strategy.
    fn predicted_cost(&self, index: usize) -> f64 {
        let entry = &self.racers[index].entry;
        (entry.nodes as f64 + entry.nodes_left()) * entry.cost_per_node(self.cost)
    }

    /// Returns the predicted cost of the rest of a strategy.
    fn rest(&self, index: usize) -> f64 {
        let entry = &self.racers[index].entry;
        entry.nodes_left() * entry.cost_per_node(self.cost)
    }

    /// Runs rounds of successive halving, again and again with larger budgets, until they have cost
    /// a share of what the leader needs. Returns whether a strategy has ended.
    fn rounds(&mut self) -> bool {
        let mut field: Vec<usize> = (0..self.racers.len()).collect();
        let (mut first, mut budget) = (FIRST_BUDGET, FIRST_BUDGET);
        while field.len() > 1 {
            // Strategies get equal costs rather than equal numbers of nodes.
            let per_node: Vec<f64> =
                self.racers.iter().map(|racer| racer.entry.cost_per_node(self.cost)).collect();
            let least =
                per_node.iter().copied().filter(|&cost| cost > 0.0).fold(f64::MAX, f64::min);
            for &index in &field {
                let share = if per_node[index] > 0.0 { least / per_node[index] } else { 1.0 };
                let nodes = ((budget as f64 * share) as u64).clamp(LEAST_BUDGET, budget);
                if self.is_used_up() {
                    return false;
                }
                if self.advance(index, nodes) {
                    return true;
                }
                if self.racers[index].is_sampled {
                    self.sample(index, nodes);
                } else {
                    self.probe(index);
                }
            }
            self.sample_hopeful(budget);
            field.retain(|&index| self.racers[index].is_sampled && !self.racers[index].is_out);
            field.sort_by(|&one, &other| self.rest(one).total_cmp(&self.rest(other)));
            field.truncate(field.len().div_ceil(2));
            let leader = field.first().map_or(0.0, |&index| self.rest(index));
            if self.spent() > SHARE_OF_ROUNDS * leader {
                return false;
            }
            budget = budget.saturating_mul(2);
            if field.len() == 1 {
                first = first.saturating_mul(LARGER_BUDGET);
                budget = first;
                let hopeful = PROBE_ERROR * self.least_predicted_cost();
                field = self
                    .candidates(true)
                    .filter(|&index| self.predicted_cost(index) < hopeful)
                    .collect();
            }
        }
        false
    }

    /// Returns the cost of all strategies so far.
    fn spent(&self) -> f64 {
        self.racers.iter().map(|racer| racer.entry.cost(self.cost)).sum()
    }

    /// Returns how many nodes a strategy should be sampled for before it runs, if the samples so
    /// far are few for the cost of a wrong choice.
    fn missing_sample(&self, index: usize) -> Option<u64> {
        let racer = &self.racers[index];
        let wanted = SHARE_OF_SAMPLES * self.spent();
        let nodes = wanted / racer.entry.cost_per_sample(self.cost);
        (nodes.is_finite() && nodes > 2.0 * racer.sample_weight).then_some(nodes as u64)
    }

    /// Runs the strategy with the least predicted rest, until one has ended. Returns whether one
    /// has.
    fn finish(&mut self) -> bool {
        loop {
            self.sample_hopeful(FIRST_BUDGET);
            let by_rest =
                |&one: &usize, &other: &usize| self.rest(one).total_cmp(&self.rest(other));
            let Some(leader) = self.candidates(true).min_by(by_rest) else { return false };
            if self.is_used_up() {
                return false;
            }
            // If strategies exceed their predictions, those of the others may be as wrong.
            if let Some(nodes) = self.missing_sample(leader) {
                let sampled = self.racers[leader].entry.sampled;
                self.sample(leader, nodes);
                if self.racers[leader].entry.sampled > sampled {
                    continue;
                }
            }
            let nodes = self.racers[leader].entry.nodes_left().ceil() as u64;
            if self.advance(leader, nodes.max(FIRST_BUDGET)) {
                return true;
            }
            let entry = &mut self.racers[leader].entry;
            let visited = entry.nodes as f64;
            if entry.predicted.is_none_or(|predicted| predicted <= visited) {
                entry.predicted = Some((1.0 + OVERRUN) * visited);
                (self.racers[leader].sampled_size, self.racers[leader].sample_weight) = (0.0, 0.0);
            }
        }
    }
}

/// The part of one strategy in a [`Portfolio`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PortfolioEntry {
    name: String,
    nodes: u64,
    sampled: u64,
    elapsed: Duration,
    elapsed_sampling: Duration,
    predicted: Option<f64>,
}

impl PortfolioEntry {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of nodes that its runs visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the number of nodes that its samples entered.
    #[must_use]
    pub fn sampled(&self) -> u64 {
        self.sampled
    }

    /// Returns the time of its runs and samples.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed + self.elapsed_sampling
    }

    /// Returns the last prediction of the number of nodes of the whole run; `None` if there was
    /// none.
    #[must_use]
    pub fn predicted(&self) -> Option<f64> {
        self.predicted
    }

    fn nodes_left(&self) -> f64 {
        let visited = self.nodes as f64;
        let left = self.predicted.map_or(0.0, |predicted| predicted - visited);
        if left > 0.0 { left } else { OVERRUN * visited }
    }

    /// Returns the cost of a node of a run, 0 before the first run.
    fn cost_per_node(&self, cost: PortfolioCost) -> f64 {
        match cost {
            PortfolioCost::Nodes => 1.0,
            PortfolioCost::Time if self.nodes == 0 => 0.0,
            PortfolioCost::Time => self.elapsed.as_secs_f64() / self.nodes as f64,
        }
    }

    /// Returns the cost of a node of a sample, which includes the replay of its path. Before the
    /// first sample, it is that of a node of a run.
    fn cost_per_sample(&self, cost: PortfolioCost) -> f64 {
        match cost {
            PortfolioCost::Time if self.sampled > 0 => {
                self.elapsed_sampling.as_secs_f64() / self.sampled as f64
            }
            _ => self.cost_per_node(cost),
        }
    }

    fn cost(&self, cost: PortfolioCost) -> f64 {
        match cost {
            PortfolioCost::Nodes => (self.nodes + self.sampled) as f64,
            PortfolioCost::Time => self.elapsed().as_secs_f64(),
        }
    }
}

/// The outcome of a [`Portfolio`], with its costs.
#[derive(Clone, Debug)]
#[must_use]
pub struct PortfolioOutcome<T> {
    outcome: Outcome<T>,
    cost: PortfolioCost,
    winner: Option<usize>,
    entries: Vec<PortfolioEntry>,
}

impl<T> PortfolioOutcome<T> {
    /// Returns the outcome of the strategy that ended, or of the one that ran last.
    pub fn outcome(&self) -> &Outcome<T> {
        &self.outcome
    }

    /// Returns the outcome of the strategy that ended, or of the one that ran last.
    pub fn into_outcome(self) -> Outcome<T> {
        self.outcome
    }

    /// Returns the name of the strategy that ended; `None` if a limit was reached before.
    #[must_use]
    pub fn winner(&self) -> Option<&str> {
        self.winner.map(|index| self.entries[index].name())
    }

    /// Returns the parts of all strategies, in the order in which they were added.
    #[must_use]
    pub fn entries(&self) -> &[PortfolioEntry] {
        &self.entries
    }

    /// Returns the cost of all strategies together, in nodes or seconds.
    #[must_use]
    pub fn total_cost(&self) -> f64 {
        self.entries.iter().map(|entry| entry.cost(self.cost)).sum()
    }

    /// Returns the total cost divided by the cost of the best strategy alone, which is that of the
    /// winner or the least predicted one. `None` without a winner.
    #[must_use]
    pub fn regret(&self) -> Option<f64> {
        let predicted = self.entries.iter().enumerate().filter_map(|(index, entry)| {
            let is_other = self.winner != Some(index) && entry.nodes > 0;
            Some(entry.predicted.filter(|_| is_other)? * entry.cost_per_node(self.cost))
        });
        let best = predicted.fold(self.winner_cost()?, f64::min);
        (best > 0.0).then(|| self.total_cost() / best)
    }

    fn winner_cost(&self) -> Option<f64> {
        let winner = &self.entries[self.winner?];
        Some(winner.nodes as f64 * winner.cost_per_node(self.cost))
    }
}

impl<T: PortfolioAnswer> Default for Portfolio<'_, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for Portfolio<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.racers.iter().map(|racer| racer.entry.name()).collect();
        f.debug_struct("Portfolio")
            .field("limits", &self.limits)
            .field("cost", &self.cost)
            .field("strategies", &names)
            .finish_non_exhaustive()
    }
}
