//! Variable orders: the choice of the next variable to decide, by input order, size of the domain
//! or (weighted) degree.

use crate::csp::{Domains, Network, Variable, Weights};
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};

/// The choice of the next variable to decide.
///
/// A closure from a network and its domains to a variable implements this trait.
///
/// # Contract
///
/// An implementation must return an [open](Domains::is_open) variable if there is one, even if it
/// has only a single value left. A variable that is not open is decided again, endlessly if nothing
/// else is ever chosen. If `None` is returned while variables are open, the node is a solution if
/// all variables are assigned and all constraints hold, and a dead end otherwise.
pub trait VariableOrder {
    /// Returns an open variable, or `None` if there is none.
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable>;

    /// Returns a digest of all data that the choice depends on, except the domains and the path;
    /// see [`Brancher::parameters`](crate::Brancher::parameters).
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self)
    }

    /// Returns what this order stores about the search in itself; see
    /// [`Brancher::memory`](crate::Brancher::memory). Default: [`HookMemory::Path`], the path only.
    fn memory(&self) -> HookMemory {
        HookMemory::Path
    }
}

impl<F: FnMut(&Network, &Domains) -> Option<Variable>> VariableOrder for F {
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        self(node.problem(), node.state())
    }
}

/// A variable order that chooses the open variable that was added first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputOrder;

impl VariableOrder for InputOrder {
    #[inline]
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        node.state().open_variables().next()
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
}

/// A variable order that chooses the open variable with the fewest remaining values: the
/// *fail-first principle* (Haralick and Elliott 1980; the queens of Bitner and Reingold 1975).
///
/// The time per node is linear in the number of open variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallestDomain {
    last_tie: bool,
}

impl SmallestDomain {
    /// Creates an order that breaks ties by the variable that was added first.
    #[must_use]
    pub fn first_tie() -> Self {
        SmallestDomain { last_tie: false }
    }

    /// Creates an order that breaks ties by the variable that was added last.
    #[must_use]
    pub fn last_tie() -> Self {
        SmallestDomain { last_tie: true }
    }
}

impl VariableOrder for SmallestDomain {
    #[inline]
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        let domains = node.state();
        let mut smallest = None;
        let mut least = usize::MAX;
        domains.for_each_open(|variable, size| {
            if size < least || self.last_tie && size == least {
                least = size;
                smallest = Some(variable);
            }
        });
        smallest
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.last_tie))
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
}

/// A smallest-domain order whose ties depend on the history of the search. An array holds all
/// variables; the chosen one is swapped to the front of the open ones, *and the swap is never
/// undone*.
///
/// Early programs kept their undecided variables in this way, and this order reproduces their
/// published tree sizes. Only the earlier choices of a run decide ties, and every run begins with
/// the same order (the one in which the variables were added), so that every run has the same tree.
/// A subtree that is searched on its own, however, may have another shape than in the whole run,
/// and the report [says so](crate::Report::nondeterministic_parts). Unless you reproduce such a
/// program, use [`SmallestDomain`].
///
/// The time per node is linear in the number of variables.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Ascending, Branching, Propagate, SwappedOrder};
/// use secateurs::problems::queens::Queens;
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
/// # Ok::<(), secateurs::problems::InstanceError>(())
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

impl VariableOrder for SwappedOrder {
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

/// A variable order that chooses the open variable with the smallest quotient of domain size and
/// degree. The degree is the number of its constraints with another open variable (*dynamic
/// degree*; Bessière and Régin 1996), or the sum of the [weights](Weights) of these constraints
/// (*weighted degree*; Boussemart, Hemery, Lecoutre and Sais 2004).
///
/// An all-different constraint counts once for each other open variable. In a network that is
/// small enough for a table of pairs, all constraints between the same two variables count as one.
/// A variable without such constraints comes last, since its value does not affect the others.
///
/// Each choice visits every open variable with all of its constraints: the time is at most linear
/// in the size of the model.
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
    last_tie: bool,
    weights: Option<Weights>,
    /// The number of open members of each all-different constraint.
    open_members: Vec<u64>,
    /// Whether each propagator has at least two open variables.
    has_two_open: Vec<bool>,
}

impl DomainOverDegree {
    /// Creates an order by dynamic degree that breaks ties by the variable that was added first.
    #[must_use]
    pub fn first_tie() -> Self {
        DomainOverDegree {
            last_tie: false,
            weights: None,
            open_members: Vec::new(),
            has_two_open: Vec::new(),
        }
    }

    /// Creates an order by dynamic degree that breaks ties by the variable that was added last.
    #[must_use]
    pub fn last_tie() -> Self {
        DomainOverDegree { last_tie: true, ..Self::first_tie() }
    }

    /// Creates an order by *weighted* degree. `weights` must belong to the network that is
    /// searched, and be those that propagation raises. Breaks ties by the variable that was added
    /// first.
    #[must_use]
    pub fn weighted(weights: &Weights) -> Self {
        DomainOverDegree { weights: Some(weights.clone()), ..Self::first_tie() }
    }

    /// Creates an order by weighted degree that breaks ties by the variable that was added last.
    #[must_use]
    pub fn weighted_last_tie(weights: &Weights) -> Self {
        DomainOverDegree { last_tie: true, ..Self::weighted(weights) }
    }

    /// Returns the weight of a constraint: 1 plus what conflicts have added.
    fn weight(&self, raised: impl Fn(&Weights) -> u64) -> u64 {
        1 + self.weights.as_ref().map_or(0, raised)
    }

    /// Returns the sum of the weights of the constraints of `variable` that have another open
    /// variable.
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
            // The entries of all-different constraints follow those of all pairs, as in `Weights`.
            let first = network.pairs_of.total() + network.cliques_of.start(index);
            for (&(clique, _), entry) in network.cliques_of.of(index).iter().zip(first..) {
                // The variable itself is open as well.
                let others = self.open_members[clique as usize] - 1;
                if others > 0 {
                    // Each of the others counts as 1. The weight includes the 1 of one of them.
                    degree += others - 1 + self.weight(|weights| weights.of_pair(entry));
                }
            }
        }
        for &(propagator, _) in network.propagators_of.of(index) {
            // `variable` is open, so if two variables are open, one of them is another one.
            if self.has_two_open[propagator as usize] {
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
            self.open_members.clear();
            let open_members = network.cliques.iter().map(|clique| open(&clique.members) as u64);
            self.open_members.extend(open_members);
        }
        self.has_two_open.clear();
        self.has_two_open.extend(network.propagators.iter().map(|propagator| {
            let mut open = propagator.scope().iter().filter(|&&variable| domains.is_open(variable));
            open.next().is_some_and(|first| open.any(|other| other != first))
        }));
        let mut best: Option<(Variable, u128, u128)> = None;
        for variable in domains.open_variables() {
            let size = domains.size(variable) as u128;
            if size == 0 {
                // The node is a dead end.
                return Some(variable);
            }
            let degree = u128::from(self.degree(network, domains, variable));
            // Compares the quotients by cross-multiplication. A degree of zero makes the quotient
            // infinite.
            let is_better = best.is_none_or(|(_, best_size, best_degree)| {
                let (this, other) = (size * best_degree, best_size * degree);
                this < other || self.last_tie && this == other
            });
            if is_better {
                best = Some((variable, size, degree));
            }
        }
        best.map(|(variable, ..)| variable)
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(self.last_tie, self.weights.is_some())))
    }

    /// Weights depend on everything that was searched, not on the path.
    fn memory(&self) -> HookMemory {
        if self.weights.is_some() { HookMemory::Visited } else { HookMemory::Nothing }
    }
}
