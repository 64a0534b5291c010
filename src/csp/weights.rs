//! Weights of constraints, learnt from conflicts.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::propagate::Conflict;
use super::{Domains, Network, Variable};

/// How often each constraint of a network has been the one that failed: what
/// [`DomainOverDegree::weighted`] goes by.
///
/// A constraint begins with weight 1. Plugged into propagation ([`Propagate::with_weights`]), the
/// weight of the constraint at which a conflict is seen rises by one (Boussemart, Hemery, Lecoutre
/// and Sais 2004). Variables in constraints that fail again and again are then decided first, and a
/// search that restarts finds the part of the network that is hard.
///
/// This is a handle: clones are the same weights, so that one is given to propagation, one to the
/// order, and one is kept for the next run. All constraints between the same two variables count as
/// one.
///
/// As conflicts raise weights and weights shape the tree, the tree depends on what was searched
/// before: a run that starts with new weights is always the same, but a part of it that is searched
/// by itself is not a part of it any more. What is found does not depend on weights. Threads may
/// share them; the trees then depend on timing.
///
/// Memory: 8 bytes a pair of variables in a constraint, a member of an all-different constraint,
/// and a propagator.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Ascending, Branching, DomainOverDegree, Propagate, Weights};
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(8)?.board().network();
/// let weights = Weights::new(&queens);
/// let order = Branching::new(DomainOverDegree::weighted(&weights), Ascending);
/// let outcome = Search::new(&queens).hooks((Propagate::forward().with_weights(&weights),)).brancher(order).count();
/// assert_eq!(outcome.exact(), Some(92));
/// assert_eq!(weights.conflicts(), outcome.report().hooks()[0].cuts());
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// [`DomainOverDegree::weighted`]: super::DomainOverDegree::weighted
/// [`Propagate::with_weights`]: super::Propagate::with_weights
#[derive(Clone)]
pub struct Weights(Arc<Raised>);

/// What has been added to the weights.
struct Raised {
    /// By variable and constraint on it and another one, in the order of the lists of the network:
    /// its neighbours, or its pairs and then its places in all-different constraints.
    pairs: Vec<AtomicU64>,
    propagators: Vec<AtomicU64>,
    conflicts: AtomicU64,
}

impl Weights {
    /// Weights of 1 for the constraints of this network.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        let pairs = match &network.rows {
            Some(rows) => rows.total(),
            None => network.pairs_of.total() + network.cliques_of.total(),
        };
        let zeros = |count| (0..count).map(|_| AtomicU64::new(0)).collect();
        Weights(Arc::new(Raised {
            pairs: zeros(pairs),
            propagators: zeros(network.propagators.len()),
            conflicts: AtomicU64::new(0),
        }))
    }

    /// How many conflicts have been seen.
    #[must_use]
    pub fn conflicts(&self) -> u64 {
        self.0.conflicts.load(Ordering::Relaxed)
    }

    /// By how much the constraint at `entry` of the lists of the network has been raised.
    #[inline]
    pub(super) fn of_pair(&self, entry: usize) -> u64 {
        self.0.pairs.get(entry).map_or(0, |weight| weight.load(Ordering::Relaxed))
    }

    /// By how much a propagator has been raised.
    #[inline]
    pub(super) fn of_propagator(&self, propagator: u32) -> u64 {
        self.0
            .propagators
            .get(propagator as usize)
            .map_or(0, |weight| weight.load(Ordering::Relaxed))
    }

    /// Finds the constraint at which a conflict was seen, and raises its weight. Nothing in the
    /// walk has to remember more for this than where the conflict was.
    #[cold]
    pub(super) fn blame(&self, network: &Network, domains: &Domains, conflict: Conflict) {
        self.0.conflicts.fetch_add(1, Ordering::Relaxed);
        match conflict {
            Conflict::Nowhere => {}
            Conflict::Propagator(index) => raise(&self.0.propagators, index as usize),
            Conflict::Pairs(variable) => {
                if let Some(other) =
                    network.others(variable).find(|&other| fails(network, domains, variable, other))
                {
                    self.raise_between(network, variable, other);
                    self.raise_between(network, other, variable);
                }
            }
        }
    }

    /// Raises the constraints on both variables as `variable` sees them.
    fn raise_between(&self, network: &Network, variable: Variable, other: Variable) {
        let index = variable.index();
        if let Some(rows) = &network.rows {
            if let Ok(place) = rows.neighbours(variable).binary_search(&(other.index() as u32)) {
                raise(&self.0.pairs, rows.start(variable) + place);
            }
            return;
        }
        let mut entries = network.pairs_of.of(index).iter().zip(network.pairs_of.start(index)..);
        if let Some((_, entry)) =
            entries.find(|((pair, side), _)| network.other(*pair, *side) == other)
        {
            return raise(&self.0.pairs, entry);
        }
        let cliques = network.cliques_of.of(index).iter();
        let mut entries = cliques.zip(network.pairs_of.total() + network.cliques_of.start(index)..);
        let found = entries.find(|((clique, _), _)| {
            network.cliques[*clique as usize].members.iter().any(|&(member, _)| member == other)
        });
        if let Some((_, entry)) = found {
            raise(&self.0.pairs, entry);
        }
    }
}

fn raise(weights: &[AtomicU64], index: usize) {
    if let Some(weight) = weights.get(index) {
        weight.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whether nothing is left to `other`, or both are decided and do not go together.
fn fails(network: &Network, domains: &Domains, variable: Variable, other: Variable) -> bool {
    if domains.size(other) == 0 {
        return true;
    }
    if domains.is_open(variable) || domains.is_open(other) {
        return false;
    }
    match (domains.value(variable), domains.value(other)) {
        (Some(value), Some(beside)) => !network.go_together(variable, value, other, beside),
        _ => false,
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights").field("conflicts", &self.conflicts()).finish_non_exhaustive()
    }
}
