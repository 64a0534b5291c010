//! A search of a network without settings: the first solution, all solutions, or the optimum.

use std::fmt;
use std::time::Duration;

use secateurs::hook::{Node, Observed, Observer};
use secateurs::search::{RunBudget, Schedule, Search};
use secateurs::{Count, Direction, Found, Instant, Limits, Optimum, Outcome, Report, Stop};

use super::no_goods::{NoGoods, SharedNoGoods};
use super::optimise::optimise;
use super::race;
use super::solver_order::{SolverOrder, VariableRule};
use super::ticker::{SolverProgress, Ticker};
use super::{Assignment, Network, Propagate, Restarts, Variable, Weights};

/// The node budget of the first run, at least, and the factor from each run to the next. A budget
/// of two nodes for each variable, so that every run may reach a leaf, takes ten times the nodes on
/// block designs, because propagation assigns most of their variables.
const FIRST_BUDGET: u64 = 256;
const GROWTH: f64 = 1.4;

/// The node budget for the question whether a part of the range of the objective has a solution, at
/// least.
const PROBE_NODES: u64 = 4_000;

/// The number of nodes that branch and bound visits before such a question, for each node of its
/// budget.
const QUESTION_INTERVAL: u64 = 4;

/// The node budget of a question also allows this number of nodes for each variable: a run that
/// cannot reach a leaf is of no use.
const NODES_PER_VARIABLE: u64 = 2;

/// Searches a network with settings that suit most models; made by [`Network::solver`].
///
/// - Full propagation after each decision ([`Propagate::full`]).
/// - The orders of tasks ([`Model::ordered`](super::Model::ordered)) are decided first: the one
///   with the smallest quotient of the sizes of both tasks' domains and its weight. The next one of
///   the other variables is that with the smallest quotient of domain size and weighted degree
///   ([`weighted_degree`](super::weighted_degree)), with restarts that repeat no work
///   ([`Restarts`]). If a decision fails, its variable is decided before all others (*last
///   conflict*; Lecoutre, Saïs, Tabary and Vidal 2009).
/// - Weights suit some models badly. Two thirds of the nodes of the search for a
///   [first solution](Self::first) are for the order of the model, without restarts. A network
///   without orders of tasks takes at most 1.5 times the nodes of a [`Search`] with full
///   propagation and no other settings, and at most four times those of the restarts alone, plus
///   384. Of the restarts that improve a solution, every second one takes the order of the
///   model.
/// - A [count](Self::count) has no restarts that would make the most of weights. Three orders that
///   depend on the node alone begin: the order of the model, the smallest domain, and the smallest
///   quotient of domain size and degree ([`DomainOverDegree`](super::DomainOverDegree)). All but
///   the one that advances best are given up. The order of the model begins, and gets four times
///   the nodes of the others: it is given up after 8192 nodes at most, the others after 2048 each.
/// - Its domain is split in the middle if a constraint on bounds contains it, such as a sum.
///   Otherwise, and in the order of the model for a first solution or a count, its values are tried
///   one by one. Every second restart for a first solution begins with the larger half or the
///   largest value. The starts of tasks get their smallest values.
/// - The optimum is searched for between two bounds, once there is a solution. First, bisection: is
///   there another one in the better half of the values that are left? A solution improves the
///   incumbent, and a proof that there is none improves the bound on the other side; without
///   either, within a few thousand nodes, the question is given up (Grimes, Hebrard and Malapert
///   2009). Then branch and bound improves the incumbent until nothing is better, and a fifth of
///   the nodes are for questions about the smallest or largest values that are left.
/// - Values of the best solution are tried first (*solution-guided search*; Beck 2007).
///
/// Every part is public: to change one, write the [`Search`] or the [`Restarts`] yourself. The same
/// network has the same runs.
///
/// ```
/// use secateurs_csp::Model;
///
/// // Five numbers from 1 to 9 with the sum 20 and different distances to their neighbours.
/// let mut model = Model::new();
/// let numbers = model.variables(5, 1..=9)?;
/// let distances = model.variables(4, 1..=8)?;
/// for (step, &distance) in distances.iter().enumerate() {
///     let (x, y) = (numbers[step], numbers[step + 1]);
///     model.linear([(1, x), (-1, y), (-1, distance)], 0..=0)?;
/// }
/// model.all_different(&distances)?;
/// model.sum(&numbers, 20..=20)?;
/// let network = model.build();
///
/// assert!(network.solver().first().is_proven_none());
/// # Ok::<(), secateurs_csp::ModelError>(())
/// ```
#[must_use = "a search does nothing until it is run"]
pub struct Solver<'p> {
    network: &'p Network,
    limits: Limits,
    began: Instant,
    watch: Option<Watch<'p>>,
    ticker: Option<Ticker<'p>>,
}

/// A callback for improvements.
type Watch<'p> = Box<dyn FnMut(&SolverProgress) + 'p>;

impl Network {
    /// Returns a search with settings that suit most models.
    pub fn solver(&self) -> Solver<'_> {
        let (limits, began) = (Limits::new(), Instant::now());
        Solver { network: self, limits, began, watch: None, ticker: None }
    }
}

impl fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'p> Solver<'p> {
    /// Sets limits for all runs together. A depth limit holds for each run. A limit of solutions
    /// holds for the answer: [`minimise`](Self::minimise) stops after so many improvements, and
    /// each order in which [`count`](Self::count) searches may visit as many.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Calls `callback` whenever [`minimise`](Self::minimise) or [`maximise`](Self::maximise) has
    /// improved the best solution or the bound.
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// let mut model = Model::new();
    /// let numbers = model.variables(3, 1..=9)?;
    /// model.all_different(&numbers)?;
    /// model.linear(numbers.iter().zip([4, -3, 2]).map(|(&x, factor)| (factor, x)), 20..)?;
    /// let network = model.build();
    /// let mut steps = Vec::new();
    /// let outcome = network.solver().watch(|step| steps.push(*step)).minimise(numbers[0]);
    /// assert_eq!(outcome.proven(), Some(&2));
    /// assert_eq!(outcome.report().bound(), Some("2"));
    /// assert!(steps.last().is_some_and(|last| last.best == Some(2) && last.bound == Some(2)));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    pub fn watch(mut self, callback: impl FnMut(&SolverProgress) + 'p) -> Self {
        self.watch = Some(Box::new(callback));
        self
    }

    /// Calls `callback` at about this interval while the solver runs, between two nodes.
    ///
    /// ```
    /// use std::time::Duration;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let network = Queens::new(8)?.board().network();
    /// let report = |now: &secateurs_csp::SolverProgress| eprintln!("{} nodes", now.nodes);
    /// let outcome = network.solver().progress(Duration::from_secs(1), report).count();
    /// assert_eq!(outcome.exact(), Some(92));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn progress(
        mut self,
        every: Duration,
        callback: impl FnMut(&SolverProgress) + Send + 'p,
    ) -> Self {
        self.ticker = Some(Ticker::new(every, self.began, callback));
        self
    }

    /// Searches for the first solution, by two [orders of variables](Solver) in turns.
    #[inline]
    pub fn first(self) -> Outcome<Found<Assignment>> {
        let weights = Weights::new(self.network);
        race::first(self.network, &weights, self.limits, &self.ticker)
    }

    /// Counts all solutions, by the [order of variables](Solver) that advances best.
    ///
    /// The report covers the runs of all orders, with the solutions that each has visited.
    #[inline]
    pub fn count(self) -> Outcome<Count> {
        race::count(self.network, self.limits, &self.ticker)
    }

    /// Returns a search to be asked another question, or to be given further hooks. It has a single
    /// order of variables, which depends on the node alone: the smallest quotient of domain size
    /// and degree first ([`DomainOverDegree`](super::DomainOverDegree)).
    ///
    /// ```
    /// use secateurs_csp::{Assignment, Model};
    ///
    /// let mut model = Model::new();
    /// let numbers = model.variables(3, 1..=3)?;
    /// model.sum(&numbers, ..=4)?;
    /// let network = model.build();
    /// let solutions = network.solver().search().extract(Assignment::of).solutions();
    /// assert!(solutions.map(|solution| solution.values().to_vec()).eq([
    ///     [1, 1, 1],
    ///     [1, 1, 2],
    ///     [1, 2, 1],
    ///     [2, 1, 1],
    /// ]));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    #[inline]
    pub fn search(self) -> Search<'p, Network, SolverOrder, (Propagate,)> {
        let search = Search::new(self.network)
            .hooks((Propagate::full(),))
            .brancher(SolverOrder::new(self.network, VariableRule::DomainOverDegree, None))
            .limits(self.limits);
        Ticker::attach(&self.ticker, search, 0)
    }

    /// Searches for a solution with the smallest value of `variable`.
    ///
    /// # Panics
    ///
    /// If the network has no such variable.
    #[inline]
    pub fn minimise(self, variable: Variable) -> Outcome<Optimum<i32, Assignment>> {
        self.best(Direction::Minimise, variable)
    }

    /// Searches for a solution with the largest value of `variable`.
    ///
    /// # Panics
    ///
    /// If the network has no such variable.
    #[inline]
    pub fn maximise(self, variable: Variable) -> Outcome<Optimum<i32, Assignment>> {
        self.best(Direction::Maximise, variable)
    }

    fn best(self, direction: Direction, variable: Variable) -> Outcome<Optimum<i32, Assignment>> {
        let (low, high) = match (self.network.bounds(variable), direction) {
            (Some((low, high)), Direction::Minimise) => (low.into(), high.into()),
            (Some((low, high)), Direction::Maximise) => (-i64::from(high), -i64::from(low)),
            // No value is left.
            (None, _) => (1, 0),
        };
        let mut range = CostRange {
            network: self.network,
            weights: Weights::new(self.network),
            direction,
            variable,
            low,
            high,
            best: None,
            budget: RunBudget::new(self.limits),
            solutions: 0,
            began: self.began,
            watch: self.watch,
            ticker: self.ticker,
        };
        range.tell();
        range.propagate_root();
        range.bisect();
        range.branch_and_bound();
        range.finish()
    }
}

/// A search for the optimum between two bounds. The *cost* of a solution is the value of the
/// variable if it is to be minimised, and the value with the other sign if it is to be maximised.
struct CostRange<'p> {
    network: &'p Network,
    weights: Weights,
    direction: Direction,
    variable: Variable,
    /// No solution has a smaller cost: proven.
    low: i64,
    /// The largest cost that improves the best solution, or the largest one at all.
    high: i64,
    best: Option<Assignment>,
    budget: RunBudget,
    /// The number of solutions found.
    solutions: u64,
    began: Instant,
    watch: Option<Watch<'p>>,
    ticker: Option<Ticker<'p>>,
}

/// The answer to a question for a solution.
enum Answer {
    Solution,
    None,
    Unknown(Stop),
}

/// Reads the bounds of a variable at the root, as propagation has left them.
struct RootBounds<'b> {
    variable: Variable,
    bounds: &'b mut Option<(i32, i32)>,
}

impl Observer<Network> for RootBounds<'_> {
    fn entered(&mut self, node: &Node<'_, Network>, cut: Option<usize>) {
        *self.bounds = node.state().bounds(self.variable).filter(|_| cut.is_none());
    }
}

impl CostRange<'_> {
    fn cost(&self, value: i32) -> i64 {
        match self.direction {
            Direction::Minimise => value.into(),
            Direction::Maximise => -i64::from(value),
        }
    }

    /// Returns the network without the assignments of smaller cost than `low` and of larger cost
    /// than `most`.
    fn up_to(&self, most: i64) -> Network {
        let (low, high) = match self.direction {
            Direction::Minimise => (self.low, most),
            Direction::Maximise => (-most, -self.low),
        };
        self.network.restricted(self.variable, low..=high)
    }

    /// Returns the limits of the next run: what is left of nodes, time and solutions.
    fn limits_left(&self) -> Limits {
        let limits = self.budget.limits();
        match limits.max_solutions() {
            Some(solutions) => limits.solutions(solutions.saturating_sub(self.solutions)),
            None => limits,
        }
    }

    /// Returns the value that no solution beats.
    fn bound(&self) -> i32 {
        // Costs come from values, and a bound is not above the cost of the best solution.
        let cost = self.low.min(self.high + 1).clamp(-(1 << 31), 1 << 31);
        let value = if self.direction == Direction::Minimise { cost } else { -cost };
        i32::try_from(value).unwrap_or(i32::MAX)
    }

    fn improve(&mut self, solution: Assignment) {
        self.high = self.cost(solution[self.variable]) - 1;
        self.solutions += 1;
        self.best = Some(solution);
        self.show();
    }

    /// Returns the state after the runs that have ended, and updates that of the ticker.
    fn tell(&self) -> SolverProgress {
        let progress = SolverProgress {
            best: self.best.as_ref().map(|best| best[self.variable]),
            bound: Some(self.bound()),
            nodes: self.budget.report().map_or(0, Report::nodes),
            elapsed: self.began.elapsed(),
        };
        if let Some(ticker) = &self.ticker {
            ticker.ticks().state = progress;
        }
        progress
    }

    /// Reports an improvement.
    fn show(&mut self) {
        let progress = self.tell();
        if let Some(watch) = &mut self.watch {
            watch(&progress);
        }
    }

    fn add(&mut self, report: Report) {
        self.budget.add(report);
        self.tell();
    }

    /// Replaces the bounds by those that propagation at the root proves.
    fn propagate_root(&mut self) {
        let mut bounds = None;
        let observer = RootBounds { variable: self.variable, bounds: &mut bounds };
        let search = Search::new(self.network)
            .hooks(Observed::new(observer, (Propagate::full(),)))
            .limits(Limits::new().depth(0).within(self.budget.limits()));
        let outcome = Ticker::attach(&self.ticker, search, 0).count();
        let is_empty = outcome.exact() == Some(0);
        self.add(outcome.into_parts().1);
        let costs = bounds.map(|(low, high)| (self.cost(low), self.cost(high)));
        match costs {
            Some((one, other)) => {
                self.low = self.low.max(one.min(other));
                self.high = self.high.min(one.max(other));
            }
            None if is_empty => (self.low, self.high) = (1, 0),
            None => {}
        }
        self.tell();
    }

    /// Asks for a solution whose cost is at most `most`, and updates one of the bounds.
    fn ask(&mut self, most: i64, limits: Limits) -> Answer {
        let (network, weights) = (self.up_to(most), &self.weights);
        let limits = limits.within(self.limits_left());
        let outcome = if self.best.is_none() {
            race::first(&network, weights, limits, &self.ticker)
        } else {
            let restarts = Restarts::new(&network, Schedule::geometric(FIRST_BUDGET, GROWTH));
            restarts.limits(limits).first_by(|attempt| {
                let order = SolverOrder::of_attempt(&network, weights, attempt.number, &self.best);
                let search = Search::new(&network)
                    .hooks((attempt.no_goods, Propagate::full().with_weights(weights)))
                    .brancher(order)
                    .extract(Assignment::of);
                Ticker::attach(&self.ticker, search, attempt.nodes)
            })
        };
        let (found, report) = outcome.into_parts();
        let stop = report.stop();
        self.add(report);
        match found {
            Found::Solution(solution) => {
                self.improve(solution);
                Answer::Solution
            }
            Found::None => {
                self.low = most + 1;
                self.show();
                Answer::None
            }
            Found::Unknown => Answer::Unknown(stop),
        }
    }

    /// Finds a solution, and improves both bounds by asking for solutions in the better half of the
    /// costs, up to a limit of nodes for each question.
    fn bisect(&mut self) {
        // Questions about smaller costs were given up, or are decided.
        let mut from = self.low;
        while from <= self.high {
            // The first question is for any solution, however long it takes.
            let (middle, limits) = match self.best {
                Some(_) => (from + (self.high - from) / 2, Limits::new().nodes(self.probe_nodes())),
                None => (self.high, Limits::new()),
            };
            match self.ask(middle, limits) {
                Answer::Solution => {}
                Answer::None => from = self.low,
                Answer::Unknown(Stop::NodeLimit) => from = middle + 1,
                Answer::Unknown(_) => return,
            }
        }
    }

    fn probe_nodes(&self) -> u64 {
        PROBE_NODES.max(NODES_PER_VARIABLE * self.network.len() as u64)
    }

    /// Improves the best solution until no cost is left. In between, a share of the nodes is for
    /// questions about the smallest costs, which improve the bound on the other side.
    fn branch_and_bound(&mut self) {
        // The costs that are searched only become fewer, so that no-goods stay valid.
        let records_no_goods = self.budget.limits().max_depth().is_none();
        let no_goods = SharedNoGoods::new(false, records_no_goods);
        let (mut span, mut probe_nodes) = ((self.high - self.low) / 4, self.probe_nodes());
        let mut branched_nodes = 0;
        for (number, nodes) in (0..).zip(Schedule::geometric(FIRST_BUDGET, GROWTH)) {
            if self.low > self.high || self.budget.used_up().is_some() {
                return;
            }
            let stop = self.improve_best(number, Limits::new().nodes(nodes), no_goods.lend());
            if stop != Stop::NodeLimit {
                return;
            }
            no_goods.record(true);
            branched_nodes += nodes;
            if self.low < self.high && branched_nodes >= QUESTION_INTERVAL * probe_nodes {
                branched_nodes = 0;
                span = span.clamp(1, self.high - self.low);
                let answer = self.ask(self.low + span - 1, Limits::new().nodes(probe_nodes));
                match answer {
                    Answer::Unknown(Stop::NodeLimit) if span > 1 => span /= 2,
                    Answer::Unknown(Stop::NodeLimit) => probe_nodes *= 2,
                    Answer::Unknown(_) => return,
                    Answer::Solution | Answer::None => {}
                }
            }
        }
    }

    /// Searches for better and better solutions, with the order of a run of this number.
    fn improve_best(&mut self, number: u64, limits: Limits, no_goods: NoGoods) -> Stop {
        let network = self.up_to(self.high);
        let (objective, better) = optimise(self.direction, self.variable);
        let (weights, ticker) = (self.weights.clone(), self.ticker.clone());
        let order = SolverOrder::of_attempt(&network, &weights, number, &self.best);
        let limits = limits.within(self.limits_left());
        let search = Search::new(&network)
            .hooks((no_goods, better, Propagate::full().with_weights(&weights)))
            .brancher(order)
            .extract(|node: &Node<'_, Network>| self.improve(Assignment::of(node)))
            .limits(limits);
        let outcome = Ticker::attach(&ticker, search, 0).best(&objective);
        let is_proven = outcome.none_better().is_some() || outcome.is_proven_infeasible();
        let report = outcome.into_parts().1;
        let stop = report.stop();
        self.add(report);
        if is_proven {
            self.low = self.high + 1;
            self.show();
        }
        stop
    }

    fn finish(self) -> Outcome<Optimum<i32, Assignment>> {
        let is_proven = self.low > self.high;
        let bound = (self.best.is_some() || !is_proven).then(|| self.bound().to_string());
        let best = self.best.map(|best| (best[self.variable], best));
        self.budget.optimum(best, is_proven, bound)
    }
}
