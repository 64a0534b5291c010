//! Variable orders that only networks have: [`SwappedOrder`], and the [weighted
//! degree](weighted_degree).

use secateurs::Digest;
use secateurs::brancher::{Quotient, SmallestKey, VariableKey, VariableOrder};
use secateurs::hook::{HookMemory, Node};

use crate::{Domains, Network, Variable, Weights};

/// A smallest-domain order whose ties depend on the history of the search. An array holds all
/// variables; the chosen one is swapped to the front of the open ones, *and the swap is never
/// undone*.
///
/// Early programs kept their undecided variables in this way, and this order reproduces their
/// published tree sizes. Only the earlier choices of a run decide ties, and every run begins with
/// the same order (the one in which the variables were added), so that every run has the same tree.
/// A subtree that is searched on its own, however, may have another shape than in the whole run,
/// and the report [says so](secateurs::Report::nondeterministic_parts). Unless you reproduce such a
/// program, use [`SmallestDomain`](secateurs::brancher::SmallestDomain).
///
/// The time per node is linear in the number of variables.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Ascending, Branching, Propagate, SwappedOrder};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?.board().network();
/// let placed = |order| {
///     let forward = Propagate::forward().without_wipe_out_test();
///     let order = Branching::new(order, Ascending);
///     let outcome = Search::new(&queens).hooks((forward,)).brancher(order).count();
///     assert_eq!(outcome.exact(), Some(92));
///     outcome.report().nodes() - 1
/// };
/// assert_eq!(placed(SwappedOrder::first_tie()), 1338);
/// assert_eq!(placed(SwappedOrder::last_tie()), 1309);
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SwappedOrder {
    last_tie: bool,
    order: Vec<Variable>,
}

impl SwappedOrder {
    /// Creates an order that breaks ties by the first variable in the array, as a program does that
    /// compares with `<`.
    #[must_use]
    pub fn first_tie() -> Self {
        SwappedOrder { last_tie: false, order: Vec::new() }
    }

    /// Creates an order that breaks ties by the last variable in the array, as a program does that
    /// compares with `<=`.
    #[must_use]
    pub fn last_tie() -> Self {
        SwappedOrder { last_tie: true, order: Vec::new() }
    }
}

impl VariableOrder<Network> for SwappedOrder {
    /// The order of the array, which decides ties, is not a parameter: it follows from the nodes
    /// visited.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.last_tie))
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Visited
    }

    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        let (network, domains) = (node.problem(), node.state());
        if node.depth() == 0 || self.order.len() != network.len() {
            self.order.clear();
            self.order.extend(network.variables());
        }
        let mut front = None;
        let mut chosen = 0;
        let mut least = usize::MAX;
        for (place, &variable) in self.order.iter().enumerate() {
            if !domains.is_open(variable) {
                continue;
            }
            front.get_or_insert(place);
            let size = domains.size(variable);
            if size < least || self.last_tie && size == least {
                (least, chosen) = (size, place);
            }
        }
        let front = front?;
        self.order.swap(front, chosen);
        Some(self.order[front])
    }
}

/// Creates a variable order that chooses the open variable with the smallest quotient of domain
/// size and *weighted* degree (Boussemart, Hemery, Lecoutre and Sais 2004): its
/// [degree](secateurs::Variables::dynamic_degree), in which each constraint counts as often as 1
/// plus the [weight](Weights) that conflicts have added. `weights` must belong to the network that
/// is searched, and be those that propagation raises.
///
/// Ties go to the variable that was added first; a variable without constraints on open ones comes
/// last. Each choice visits every open variable with all of its constraints: the time is at most
/// linear in the size of the model.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Ascending, Branching, Propagate, Weights, weighted_degree};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?.board().network();
/// let weights = Weights::new(&queens);
/// let order = Branching::new(weighted_degree(&weights), Ascending);
/// let forward = Propagate::forward().with_weights(&weights);
/// let outcome = Search::new(&queens).hooks((forward,)).brancher(order).count();
/// assert_eq!(outcome.exact(), Some(92));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use]
pub fn weighted_degree(weights: &Weights) -> WeightedDegree {
    SmallestKey::of(SizeOverWeightedDegree {
        weights: weights.clone(),
        open_members: Vec::new(),
        has_two_open: Vec::new(),
    })
}

/// The variable order of [`weighted_degree`].
pub type WeightedDegree = SmallestKey<SizeOverWeightedDegree>;

/// The key of [`weighted_degree`].
#[derive(Clone, Debug)]
pub struct SizeOverWeightedDegree {
    weights: Weights,
    /// The number of open members of each all-different constraint.
    open_members: Vec<usize>,
    /// Whether each propagator has at least two open variables.
    has_two_open: Vec<bool>,
}

impl VariableKey<Network> for SizeOverWeightedDegree {
    type Key = Quotient;

    fn prepare(&mut self, node: &Node<'_, Network>) {
        let (network, domains) = (node.problem(), node.state());
        self.open_members.clear();
        // The rows, if there are any, represent all-different constraints as well.
        if network.rows.is_none() {
            self.open_members.extend(network.cliques.iter().map(|clique| {
                clique.members.iter().filter(|member| domains.is_open(member.0)).count()
            }));
        }
        let propagators = 0..network.propagators.len();
        self.has_two_open.clear();
        self.has_two_open
            .extend(propagators.map(|propagator| network.has_two_open(domains, propagator)));
    }

    fn key(&mut self, node: &Node<'_, Network>, variable: Variable) -> Quotient {
        let (network, domains) = (node.problem(), node.state());
        Quotient::new(domains.size(variable), || {
            network.open_degree(
                domains,
                variable,
                |clique| self.open_members[clique],
                |propagator| self.has_two_open[propagator],
                Some(&self.weights),
            )
        })
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    /// Weights depend on everything that was searched, not on the path.
    fn memory(&self) -> HookMemory {
        HookMemory::Visited
    }
}

impl Network {
    /// Returns whether a propagator has at least two open variables.
    pub(super) fn has_two_open(&self, domains: &Domains, propagator: usize) -> bool {
        let scope = self.propagators[propagator].scope();
        let mut open = scope.iter().filter(|&&variable| domains.is_open(variable));
        open.next().is_some_and(|first| open.any(|other| other != first))
    }

    /// Returns the sum of the weights of the constraints of an open variable that have another open
    /// variable. The weight of a constraint is 1 plus what conflicts have added. The closures
    /// return the number of open members of an all-different constraint, and whether a propagator
    /// has at least two open variables.
    pub(super) fn open_degree(
        &self,
        domains: &Domains,
        variable: Variable,
        open_members: impl Fn(usize) -> usize,
        has_two_open: impl Fn(usize) -> bool,
        weights: Option<&Weights>,
    ) -> u64 {
        let index = variable.index();
        let of_pair = |entry| 1 + weights.map_or(0, |weights| weights.of_pair(entry));
        let mut degree = 0;
        if let Some(rows) = &self.rows {
            for (&other, entry) in rows.neighbours(variable).iter().zip(rows.start(variable)..) {
                if domains.is_open(Variable::new(other as usize)) {
                    degree += of_pair(entry);
                }
            }
        } else {
            for (&(pair, side), entry) in
                self.pairs_of.of(index).iter().zip(self.pairs_of.start(index)..)
            {
                if domains.is_open(self.other(pair, side)) {
                    degree += of_pair(entry);
                }
            }
            // The entries of all-different constraints follow those of all pairs, as in `Weights`.
            let first = self.pairs_of.total() + self.cliques_of.start(index);
            for (&(clique, _), entry) in self.cliques_of.of(index).iter().zip(first..) {
                // The variable itself is open as well, unless a caller asks about a decided one.
                let others = (open_members(clique as usize) as u64).saturating_sub(1);
                if others > 0 {
                    // Each of the others counts as 1. The weight includes the 1 of one of them.
                    degree += others - 1 + of_pair(entry);
                }
            }
        }
        for &(propagator, _) in self.propagators_of.of(index) {
            // `variable` is open, so if two variables are open, one of them is another one.
            if has_two_open(propagator as usize) {
                degree += 1 + weights.map_or(0, |weights| weights.of_propagator(propagator));
            }
        }
        degree
    }
}
