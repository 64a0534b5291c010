//! The order of variables and values of a [`Solver`](super::Solver): [`SolverOrder`].

use secateurs::brancher::Brancher;
use secateurs::hook::{HookMemory, Node};
use secateurs::{Branch, Digest};

use super::branching::middle;
use super::network::Order;
use super::{
    Assignment, Decision, DomainOverDegree, Domains, InputOrder, Network, SmallestDomain, Variable,
    VariableOrder, WeightedDegree, Weights, weighted_degree,
};

/// The brancher of a [`Solver`](super::Solver).
#[derive(Clone, Debug)]
pub struct SolverOrder {
    variables: VariableRule,
    weights: Option<Weights>,
    /// Whether each variable is split.
    is_split: Vec<bool>,
    /// Whether each variable is the start of a task. Once all orders are decided, the smallest
    /// starts satisfy them.
    is_start: Vec<bool>,
    /// The values to be tried first.
    guide: Option<Assignment>,
    /// Whether the largest values are tried first, instead of the smallest.
    is_descending: bool,
    last_conflict: Option<LastConflict>,
}

/// The variable whose decision failed, which is decided before all others. If its values are the
/// reason of the failure, no other variable comes between the decision and the next attempt
/// (Lecoutre, Saïs, Tabary and Vidal 2009).
#[derive(Clone, Copy, Debug, Default)]
struct LastConflict {
    failed: Option<Variable>,
    /// The variable of the last decision, until the search enters the node below it.
    decided: Option<Variable>,
}

impl LastConflict {
    /// Returns the variable whose decision failed, if it is open at this node.
    fn enter(&mut self, domains: &Domains) -> Option<Variable> {
        self.decided = None;
        self.failed = self.failed.filter(|&variable| domains.is_open(variable));
        self.failed
    }

    /// Notes a decision. If no node was entered below the one before it, that one has failed.
    fn decide(&mut self, variable: Variable) {
        self.failed = self.failed.or(self.decided);
        self.decided = Some(variable);
    }
}

/// The rule by which a [`SolverOrder`] chooses the next variable.
#[derive(Clone, Debug)]
pub(super) enum VariableRule {
    /// In the order of the model.
    Model,
    SmallestDomain,
    DomainOverDegree,
    Weighted(WeightedDegree),
}

impl VariableRule {
    /// The rules that do not depend on what was searched before, the cheapest one first.
    pub(super) const INDEPENDENT: [Self; 3] =
        [VariableRule::Model, VariableRule::SmallestDomain, VariableRule::DomainOverDegree];

    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        match self {
            VariableRule::Model => InputOrder.choose(node),
            VariableRule::SmallestDomain => SmallestDomain::first_tie().choose(node),
            VariableRule::DomainOverDegree => DomainOverDegree::first_tie().choose(node),
            VariableRule::Weighted(order) => order.choose(node),
        }
    }
}

impl SolverOrder {
    pub(super) fn new(
        network: &Network,
        variables: VariableRule,
        weights: Option<Weights>,
    ) -> Self {
        let mut is_start = vec![false; network.len()];
        for start in network.orders.iter().flat_map(|order| order.starts) {
            is_start[start.index()] = true;
        }
        // Without weights, the order of the model is that of a search without a brancher.
        let may_split = weights.is_some() || !matches!(variables, VariableRule::Model);
        let is_split = network
            .variables()
            .map(|variable| may_split && network.has_bounds_propagator(variable));
        SolverOrder {
            variables,
            weights,
            is_split: is_split.collect(),
            is_start,
            guide: None,
            is_descending: false,
            last_conflict: None,
        }
    }

    /// Creates the order of a run. Every second one takes the variables as the model has them.
    /// Without a guide, two of four try the largest values first.
    pub(super) fn of_attempt(
        network: &Network,
        weights: &Weights,
        attempt: u64,
        guide: &Option<Assignment>,
    ) -> Self {
        let variables = match attempt.is_multiple_of(2) {
            true => VariableRule::Weighted(weighted_degree(weights)),
            false => VariableRule::Model,
        };
        SolverOrder {
            guide: guide.clone(),
            is_descending: attempt % 4 >= 2,
            last_conflict: Some(LastConflict::default()),
            ..SolverOrder::new(network, variables, Some(weights.clone()))
        }
    }
}

/// The cursor of [`SolverOrder`]: a variable and the part of its domain that is left.
#[derive(Clone, Copy, Debug)]
pub struct SolverCursor {
    variable: Variable,
    step: Step,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// The half of the domain to be decided next, the one up to this value or the one above it.
    Lower(i32),
    Upper(i32),
    /// The last half.
    LastLower(i32),
    LastUpper(i32),
    /// The value to be tried first, and then all others.
    Guided(i32),
    /// The next value that is at least this, except the guided one.
    From(i32, Option<i32>),
    End,
}

impl SolverOrder {
    /// Returns the open order of two tasks with the smallest quotient of the sizes of their domains
    /// and its weight, if an order is open (Grimes, Hebrard and Malapert 2009).
    fn hardest_order(&self, network: &Network, domains: &Domains) -> Option<Order> {
        let mut best: Option<(u128, u128, Order)> = None;
        for &order in &network.orders {
            if !domains.is_open(order.order) {
                continue;
            }
            let size = order.starts.map(|start| domains.size(start) as u128).iter().sum();
            let weight = network.propagators_of.of(order.order.index()).iter();
            let conflicts =
                |index| self.weights.as_ref().map_or(0, |weights| weights.of_propagator(index));
            let weight = weight.map(|&(index, _)| 1 + conflicts(index)).sum::<u64>().into();
            if best.is_none_or(|(other, least, _)| size * least < other * weight) {
                best = Some((size, weight, order));
            }
        }
        best.map(|(_, _, order)| order)
    }
}

/// Returns the value of an order by which the task whose start has the smaller middle comes first.
fn likely_order(domains: &Domains, order: Order) -> i32 {
    let middle =
        |start| domains.bounds(start).map_or(0, |(low, high)| i64::from(low) + i64::from(high));
    let [first, second] = order.starts.map(middle);
    i32::from(first <= second)
}

impl Brancher<Network> for SolverOrder {
    type Cursor = SolverCursor;

    fn parameters(&self) -> Option<Digest> {
        let guide = self.guide.as_ref().map(Assignment::values);
        Digest::all([
            Some(Digest::of(&std::mem::discriminant(&self.variables))),
            Some(Digest::of(&(&self.is_split, guide, self.is_descending))),
        ])
    }

    fn memory(&self) -> HookMemory {
        match self.last_conflict {
            Some(_) => HookMemory::Visited,
            None => HookMemory::Nothing,
        }
    }

    fn branch(&mut self, node: &Node<'_, Network>) -> Branch<SolverCursor> {
        let domains = node.state();
        let failed = self.last_conflict.as_mut().and_then(|last| last.enter(domains));
        let order = match failed {
            Some(_) => None,
            None => self.hardest_order(node.problem(), domains),
        };
        let chosen = failed.or(order.map(|order| order.order));
        let Some(variable) = chosen.or_else(|| self.variables.choose(node)) else {
            return node.problem().leaf(domains);
        };
        let Some((low, high)) = domains.bounds(variable) else { return Branch::DeadEnd };
        let guide = match (&self.guide, order) {
            (Some(guide), _) => Some(guide[variable]),
            (None, Some(order)) => Some(likely_order(domains, order)),
            (None, None) => self.is_descending.then_some(high),
        };
        let step = if self.is_start[variable.index()] && low < high {
            Step::Lower(low)
        } else if self.is_split[variable.index()] && low < high {
            let middle = middle(low, high);
            match guide {
                Some(value) if value > middle => Step::Upper(middle),
                _ => Step::Lower(middle),
            }
        } else {
            match guide {
                Some(value) if domains.contains(variable, value) => Step::Guided(value),
                _ => Step::From(low, None),
            }
        };
        Branch::Inner(SolverCursor { variable, step })
    }

    fn next(&mut self, node: &Node<'_, Network>, cursor: &mut SolverCursor) -> Option<Decision> {
        let SolverCursor { variable, step } = *cursor;
        if let Some(last) = &mut self.last_conflict {
            last.decide(variable);
        }
        let (decision, next) = match step {
            Step::Lower(middle) => (Decision::AtMost(variable, middle), Step::LastUpper(middle)),
            Step::Upper(middle) => {
                (Decision::AtLeast(variable, middle + 1), Step::LastLower(middle))
            }
            Step::LastLower(middle) => (Decision::AtMost(variable, middle), Step::End),
            Step::LastUpper(middle) => (Decision::AtLeast(variable, middle + 1), Step::End),
            Step::Guided(value) => {
                (Decision::Is(variable, value), Step::From(i32::MIN, Some(value)))
            }
            Step::From(from, guided) => {
                let mut next = node.state().next_value(variable, from)?;
                if Some(next) == guided {
                    next = node.state().next_value(variable, next.checked_add(1)?)?;
                }
                let after = next.checked_add(1).map_or(Step::End, |from| Step::From(from, guided));
                (Decision::Is(variable, next), after)
            }
            Step::End => return None,
        };
        cursor.step = next;
        Some(decision)
    }
}
