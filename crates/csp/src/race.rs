//! A count by several orders of variables, of which the one that advances best goes on.
//!
//! No order of variables suits all models: the best one for one model may need a thousand times the
//! nodes of another one in the next model. A run reports the share of its tree that is done, which
//! is a poor estimate of the work that is left in itself, but good enough to compare the runs with
//! each other. A run pauses by leaving a [`Frontier`], so that only the nodes of the runs that are
//! given up are lost.

use secateurs::search::{Frontier, RunBudget, Search, Subtree};
use secateurs::{Count, Level, Limits, Outcome, Report, Stop};

use super::solver_order::{SolverOrder, VariableRule};
use super::ticker::Ticker;
use super::{Decision, Network, Propagate};

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

/// A run with one of the orders.
struct Racer {
    order: VariableRule,
    frontier: Frontier<Decision>,
    /// The outcome of the last round, which covers all rounds.
    outcome: Option<Outcome<Count>>,
    /// The share of the tree that was done after the last round.
    done: f64,
    /// The nodes that are left at the pace of the last round.
    left: f64,
    /// The number of rounds in a row after which another run needed less than half of its time.
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
        self.left =
            if done < 1.0 { nodes * (1.0 - done) / (done - self.done).max(0.0) } else { 0.0 };
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
    let mut best: Option<Outcome<Count>> = None;
    for outcome in outcomes {
        budget.add(outcome.report().clone());
        let is_better = |best: &Outcome<Count>| {
            outcome.exact().is_some() || outcome.at_least() >= best.at_least()
        };
        if best.as_ref().is_none_or(is_better) {
            best = Some(outcome);
        }
    }
    match best {
        Some(best) => budget.count(*best.value()),
        None => unreachable!("each round runs at least one of them"),
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
        let limits = budget.limits();
        let left = limits.max_nodes().map_or(u64::MAX, |nodes| nodes.saturating_sub(used));
        let racer = &racers[place];
        let turn =
            if is_alone { u64::MAX } else { racer.quota(quota).saturating_sub(racer.nodes()) };
        let limits = Limits::new().nodes(turn.min(left)).within(limits);
        let earlier_nodes = used + budget.report().map_or(0, Report::nodes);
        let stop = racers[place].run(network, limits, ticker, earlier_nodes);
        if stop != Stop::NodeLimit || left <= turn {
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
        let limit = 1.5 * racers[0].left;
        for racer in &mut *racers {
            racer.defeats = if racer.left > limit { racer.defeats + 1 } else { 0 };
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
