//! Searches by several orders of variables: a first solution by two of them in turns, and a count,
//! of which the one that advances best goes on.
//!
//! No order of variables suits all models: the best one for one model may need a thousand times the
//! nodes of another one in the next model. A run reports the share of its tree that is done, which
//! is a poor estimate of the work that is left in itself, but good enough to compare the runs with
//! each other. A run pauses by leaving a [`Frontier`], so that only the nodes of the runs that are
//! given up are lost.

use secateurs::search::{Frontier, RunBudget, Schedule, Search, Subtree};
use secateurs::{Count, Found, Level, Limits, Outcome, Report, Stop};

use super::no_goods::SharedNoGoods;
use super::solver_order::{SolverOrder, VariableRule};
use super::ticker::Ticker;
use super::{Assignment, Decision, Network, Propagate, Weights};

/// The nodes of each run after the first round. They double from round to round.
const FIRST_QUOTA: u64 = 64;
/// The nodes of each run after which at most two go on.
const MIDDLE_QUOTA: u64 = 512;
/// The nodes of each run after which only one goes on.
const LAST_QUOTA: u64 = 2048;
/// The nodes of the run in the order of the model, for each node of another run. The others take
/// half of its nodes together until they are given up: a count that this order finishes takes at
/// most 1.5 times its nodes.
const LEAD: u64 = 4;

/// The nodes of the first restart of a search for a solution, and the factor from each to the next.
/// With fewer, social golfers and car sequencing gain what block designs and fractions lose.
const FIRST_RESTART: u64 = 192;
const GROWTH: f64 = 1.4;

/// A run with one of the orders.
struct Racer {
    order: VariableRule,
    frontier: Frontier<Decision>,
    /// The outcome of the last round, which covers all rounds.
    outcome: Option<Outcome<Count>>,
    /// The share of the tree that was done after the last round.
    done: f64,
    /// An estimate of the nodes that are left.
    left: f64,
    /// The number of rounds in a row after which another run had far fewer nodes left.
    defeats: u32,
}

impl Racer {
    fn new(order: VariableRule) -> Self {
        Racer {
            order,
            frontier: Frontier::new(),
            outcome: None,
            done: 0.0,
            left: f64::INFINITY,
            defeats: 0,
        }
    }

    /// Returns the nodes after which the run pauses, if the others pause after `quota` nodes.
    fn quota(&self, quota: u64) -> u64 {
        match self.order {
            VariableRule::Model => quota.saturating_mul(LEAD),
            _ => quota,
        }
    }

    fn nodes(&self) -> u64 {
        self.frontier.report().map_or(0, Report::nodes)
    }

    fn run(
        &mut self,
        network: &Network,
        mut limits: Limits,
        ticker: &Option<Ticker<'_>>,
        earlier_nodes: u64,
    ) -> Stop {
        if let Some(solutions) = limits.max_solutions() {
            let known = self.frontier.report().map_or(0, Report::solutions);
            limits = limits.solutions(solutions.saturating_sub(known));
        }
        let before = self.nodes();
        let search = Search::new(network)
            .hooks((Propagate::full(),))
            .brancher(SolverOrder::new(network, self.order.clone(), None))
            .limits(limits);
        let search = Ticker::attach(ticker, search, earlier_nodes);
        let outcome = search.frontier(&mut self.frontier).count();
        let (done, stop) = (self.frontier.fraction(), outcome.stop());
        let nodes = (self.nodes() - before) as f64;
        // The pace of the round and of the whole run err on different trees.
        let paces = [nodes / (done - self.done).max(0.0), self.nodes() as f64 / done];
        self.left = if done < 1.0 { (1.0 - done) * (paces[0] * paces[1]).sqrt() } else { 0.0 };
        self.done = done;
        self.outcome = Some(outcome);
        stop
    }

    /// Returns the node at which the run paused, and the numbers of visited nodes by depth. Runs
    /// in which both are equal have searched the same nodes.
    fn position(&self) -> (Option<&[Decision]>, Option<&[Level]>) {
        let path = self.frontier.subtrees().next().map(Subtree::path);
        (path, self.frontier.report().map(Report::levels))
    }
}

/// Counts the solutions within these limits.
pub(super) fn count(
    network: &Network,
    limits: Limits,
    ticker: &Option<Ticker<'_>>,
) -> Outcome<Count> {
    let mut budget = RunBudget::new(limits);
    let mut racers: Vec<Racer> = VariableRule::INDEPENDENT.into_iter().map(Racer::new).collect();
    let mut quota = FIRST_QUOTA;
    let winner = loop {
        if let Some(place) = run_round(network, &mut racers, &budget, ticker, quota) {
            break racers.swap_remove(place);
        }
        for loser in select(&mut racers, quota) {
            loser.outcome.into_iter().for_each(|outcome| budget.add(outcome.into_parts().1));
        }
        quota = quota.saturating_mul(2);
    };
    let outcomes = racers.into_iter().chain([winner]).filter_map(|racer| racer.outcome);
    let best = outcomes
        .inspect(|outcome| budget.add(outcome.report().clone()))
        .max_by_key(|outcome| (outcome.exact().is_some(), outcome.at_least()));
    budget.count(*best.expect("each round runs at least one of them").value())
}

/// Searches for a solution within these limits, in turns. A run in the order of the model, which
/// suits most models, is continued in each of its turns. After it, a restart with learnt weights
/// gets half as many nodes.
///
/// If the order of the model ends the search, it has had two thirds of the nodes or more: each
/// restart came after a turn of twice its nodes. If a restart ends it, all restarts have had a
/// quarter of the nodes or more, apart from the first turn: restarts grow by less than a half.
pub(super) fn first(
    network: &Network,
    weights: &Weights,
    limits: Limits,
    ticker: &Option<Ticker<'_>>,
) -> Outcome<Found<Assignment>> {
    let no_goods = SharedNoGoods::new(false, limits.max_depth().is_none());
    let mut budget = RunBudget::new(limits);
    let mut lead = Frontier::new();
    let mut schedule = Schedule::geometric(FIRST_RESTART, GROWTH);
    let mut number = 0;
    loop {
        let nodes = schedule.next().unwrap_or(u64::MAX);
        let turn = Turn::new(&budget, lead_nodes(&lead), nodes.saturating_mul(2));
        let search = Search::new(network)
            .hooks((Propagate::full(),))
            .brancher(SolverOrder::new(network, VariableRule::Model, None))
            .extract(Assignment::of)
            .limits(turn.limits.clone());
        let search = Ticker::attach(ticker, search, turn.earlier_nodes);
        let (found, report) = search.frontier(&mut lead).first().into_parts();
        if turn.is_last(report.stop()) {
            budget.add(report);
            return budget.found(solution(found));
        }
        let turn = Turn::new(&budget, report.nodes(), nodes);
        let search = Search::new(network)
            .hooks((no_goods.lend(), Propagate::full().with_weights(weights)))
            .brancher(SolverOrder::of_attempt(network, weights, number, &None))
            .extract(Assignment::of)
            .limits(turn.limits.clone());
        let search = Ticker::attach(ticker, search, turn.earlier_nodes);
        let (found, restart) = search.first().into_parts();
        if turn.is_last(restart.stop()) {
            budget.add(report);
            budget.add(restart);
            return budget.found(solution(found));
        }
        budget.add(restart);
        no_goods.record(true);
        number += 2;
    }
}

fn lead_nodes(lead: &Frontier<Decision>) -> u64 {
    lead.report().map_or(0, Report::nodes)
}

pub(super) fn solution<T>(found: Found<T>) -> Option<T> {
    match found {
        Found::Solution(solution) => Some(solution),
        Found::None | Found::Unknown => None,
    }
}

/// The limits of a turn of one of several runs.
struct Turn {
    limits: Limits,
    /// The nodes of all earlier turns.
    earlier_nodes: u64,
    /// Whether the node limit of all runs ends this turn.
    is_limited: bool,
}

impl Turn {
    /// Creates a turn of at most `nodes` nodes, after `used` nodes that the budget does not
    /// include.
    fn new(budget: &RunBudget, used: u64, nodes: u64) -> Self {
        let limits = budget.limits();
        let left = limits.max_nodes().map_or(u64::MAX, |nodes| nodes.saturating_sub(used));
        Turn {
            limits: Limits::new().nodes(nodes.min(left)).within(limits),
            earlier_nodes: used + budget.report().map_or(0, Report::nodes),
            is_limited: left <= nodes,
        }
    }

    /// Returns whether all runs end with a turn that stopped for this reason.
    fn is_last(&self, stop: Stop) -> bool {
        stop != Stop::NodeLimit || self.is_limited
    }
}

/// Runs each of the racers up to `quota` nodes, or a single one to the end. Returns the one that
/// stopped for another reason, which is the end of the race.
fn run_round(
    network: &Network,
    racers: &mut [Racer],
    budget: &RunBudget,
    ticker: &Option<Ticker<'_>>,
    quota: u64,
) -> Option<usize> {
    let is_alone = racers.len() == 1;
    for place in 0..racers.len() {
        let used: u64 = racers.iter().map(Racer::nodes).sum();
        let racer = &mut racers[place];
        let nodes =
            if is_alone { u64::MAX } else { racer.quota(quota).saturating_sub(racer.nodes()) };
        let turn = Turn::new(budget, used, nodes);
        let stop = racer.run(network, turn.limits.clone(), ticker, turn.earlier_nodes);
        if turn.is_last(stop) {
            return Some(place);
        }
    }
    None
}

/// Removes the racers that are given up, and returns them.
fn select(racers: &mut Vec<Racer>, quota: u64) -> Vec<Racer> {
    let mut losers = Vec::new();
    // If both of the other orders have searched the same tree, only the one that costs less goes
    // on. The order of the model, which has visited more nodes, is at another position.
    for place in (0..racers.len()).rev() {
        if racers[..place].iter().any(|other| other.position() == racers[place].position()) {
            losers.push(racers.remove(place));
        }
    }
    // The pace of the first round says nothing yet.
    if quota > FIRST_QUOTA {
        racers.sort_by(|one, other| one.left.total_cmp(&other.left));
        let least = racers[0].left;
        for racer in &mut *racers {
            // The order of the model is given up later, because more of its work is lost.
            let factor = if matches!(racer.order, VariableRule::Model) { 2.0 } else { 1.5 };
            racer.defeats = if racer.left > factor * least { racer.defeats + 1 } else { 0 };
        }
        let most = match quota {
            LAST_QUOTA.. => 1,
            MIDDLE_QUOTA.. => 2,
            _ => racers.len(),
        };
        losers.extend(racers.drain(most.min(racers.len())..));
        let (kept, beaten) = racers.drain(..).partition(|racer| racer.defeats < 2);
        *racers = kept;
        losers.extend::<Vec<Racer>>(beaten);
    }
    // The order of the model begins, because small trees end in its turn.
    racers.sort_by_key(|racer| !matches!(racer.order, VariableRule::Model));
    losers
}
