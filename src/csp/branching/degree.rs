//! Smallest domain divided by degree.

use super::VariableOrder;
use crate::csp::{Domains, Network, Variable, Weights};
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};

/// The open variable with the fewest values a constraint: the number of values left, divided by the
/// number of constraints with another open variable (*dynamic degree*; Bessière and Régin 1996), or
/// by the sum of the [weights](Weights) of those constraints (Boussemart, Hemery, Lecoutre and Sais
/// 2004).
///
/// All-different constraints count as one for each other variable. A variable without such a
/// constraint comes last, as it can be decided without a thought for the others.
///
/// Cost: each open variable is looked at once, with all of its constraints: at most proportional to
/// the size of the model.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Ascending, Branching, DomainOverDegree, Propagate};
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(8)?.board().network();
/// let order = Branching::new(DomainOverDegree::first_tie(), Ascending);
/// let outcome = Search::new(&queens).hooks((Propagate::forward(),)).brancher(order).count();
/// assert_eq!(outcome.exact(), Some(92));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DomainOverDegree {
    last: bool,
    weights: Option<Weights>,
    /// How many members of each all-different constraint are open.
    open: Vec<u64>,
    /// Of each propagator, whether at least two of its variables are open.
    joins: Vec<bool>,
}

impl DomainOverDegree {
    /// Of several equals, the variable that was added first.
    #[must_use]
    pub fn first_tie() -> Self {
        DomainOverDegree { last: false, weights: None, open: Vec::new(), joins: Vec::new() }
    }

    /// Of several equals, the variable that was added last.
    #[must_use]
    pub fn last_tie() -> Self {
        DomainOverDegree { last: true, ..Self::first_tie() }
    }

    /// Domain divided by *weighted* degree: `weights` are those that propagation raises, and belong
    /// to the network that is searched. Of several equals, the variable that was added first.
    #[must_use]
    pub fn weighted(weights: &Weights) -> Self {
        DomainOverDegree { weights: Some(weights.clone()), ..Self::first_tie() }
    }

    /// The same, but of several equals the variable that was added last.
    #[must_use]
    pub fn weighted_last_tie(weights: &Weights) -> Self {
        DomainOverDegree { last: true, ..Self::weighted(weights) }
    }

    /// The weight of a constraint: 1 and what it was raised by.
    fn weight(&self, raised: impl Fn(&Weights) -> u64) -> u64 {
        1 + self.weights.as_ref().map_or(0, raised)
    }

    /// The weights of the constraints of `variable` in which another variable is open.
    fn degree(&self, network: &Network, domains: &Domains, variable: Variable) -> u64 {
        let index = variable.index();
        let mut degree = 0;
        if let Some(rows) = &network.rows {
            for (&other, entry) in rows.neighbours(variable).iter().zip(rows.start(variable)..) {
                if domains.is_open(Variable::new(other as usize)) {
                    degree += self.weight(|weights| weights.of_pair(entry));
                }
            }
        } else {
            for (&(pair, side), entry) in
                network.pairs_of.of(index).iter().zip(network.pairs_of.start(index)..)
            {
                if domains.is_open(network.other(pair, side)) {
                    degree += self.weight(|weights| weights.of_pair(entry));
                }
            }
            let first = network.pairs_of.total() + network.cliques_of.start(index);
            for (&(clique, _), entry) in network.cliques_of.of(index).iter().zip(first..) {
                // The variable itself is open as well.
                let others = self.open[clique as usize] - 1;
                if others > 0 {
                    degree += others - 1 + self.weight(|weights| weights.of_pair(entry));
                }
            }
        }
        for &propagator in network.propagators_of.of(index) {
            // The variable itself is open as well.
            if self.joins[propagator as usize] {
                degree += self.weight(|weights| weights.of_propagator(propagator));
            }
        }
        degree
    }
}

impl VariableOrder for DomainOverDegree {
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        let (network, domains) = (node.problem(), node.state());
        if network.rows.is_none() {
            let open = |members: &[(Variable, i32)]| {
                members.iter().filter(|member| domains.is_open(member.0)).count()
            };
            self.open.clear();
            self.open.extend(network.cliques.iter().map(|clique| open(&clique.members) as u64));
        }
        self.joins.clear();
        self.joins.extend(network.propagators.iter().map(|propagator| {
            let mut open = propagator.scope().iter().filter(|&&variable| domains.is_open(variable));
            open.next().is_some_and(|first| open.any(|other| other != first))
        }));
        let mut best: Option<(Variable, u128, u128)> = None;
        for variable in domains.open() {
            let size = domains.size(variable) as u128;
            if size == 0 {
                // A dead end: nothing else matters.
                return Some(variable);
            }
            let degree = u128::from(self.degree(network, domains, variable));
            // Fractions, compared crosswise: a degree of zero makes the largest.
            let is_better = best.is_none_or(|(_, least, of)| {
                let (this, other) = (size * of, least * degree);
                this < other || self.last && this == other
            });
            if is_better {
                best = Some((variable, size, degree));
            }
        }
        best.map(|(variable, ..)| variable)
    }

    /// Weights follow all that was searched, not the path.
    fn follows_path(&self) -> bool {
        false
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(self.last, self.weights.is_some())))
    }

    fn memory(&self) -> HookMemory {
        if self.weights.is_some() { HookMemory::Visited } else { HookMemory::Path }
    }
}
