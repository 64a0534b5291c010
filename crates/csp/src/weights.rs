//! Weights of constraints, learnt from conflicts.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Domains, Network, Variable};

/// The weight of each constraint of a network: how often it has failed, for
/// [`weighted_degree`].
///
/// A constraint begins with weight 1. If propagation [has weights](super::Propagate::with_weights),
/// each conflict raises the weight of the constraint that failed by one (Boussemart, Hemery,
/// Lecoutre and Sais 2004). The search then decides variables of constraints that fail often first,
/// and a search with restarts finds the hard part of the network.
///
/// Clones share the weights: give one to propagation, one to the variable order, and keep one for
/// the next run. A conflict between two variables raises one weight, whichever of the constraints
/// between them failed.
///
/// Conflicts raise weights, and weights shape the tree. The tree therefore depends on what was
/// searched before: a run with new weights is reproducible, but a subtree that is searched on its
/// own may have another shape than in the whole run. The solutions found do not depend on weights.
/// Threads may share weights; their trees then depend on timing.
///
/// The memory is 16 bytes for each pair of variables that share a constraint, and 8 bytes for each
/// propagator. If the network is too large for a table of pairs, an all-different constraint takes
/// 8 bytes for each of its members instead.
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
/// assert_eq!(weights.conflicts(), outcome.report().hooks()[0].cuts());
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// [`weighted_degree`]: super::weighted_degree
#[derive(Clone)]
pub struct Weights(Arc<Counters>);

/// A proof that no solution is below the node: the place where propagation failed, as far as it is
/// known without further work.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conflict {
    /// In no constraint that has a weight.
    Unattributed,
    /// In the constraints between this variable and another one.
    Pairs(Variable),
    /// In the propagator with this number.
    Propagator(u32),
}

/// The increments of the weights, and the number of conflicts.
///
/// All accesses are relaxed: each counter is independent of the others and of all other data, and a
/// stale value only changes the order of variables.
struct Counters {
    /// One counter for each variable and each constraint between it and another one, in the order
    /// of the lists of the network: its neighbours if there are rows; otherwise first its pairs,
    /// then its memberships in all-different constraints.
    pairs: Vec<AtomicU64>,
    propagators: Vec<AtomicU64>,
    conflicts: AtomicU64,
}

impl Weights {
    /// Creates weights of 1 for the constraints of this network.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        let pairs = match &network.rows {
            Some(rows) => rows.total(),
            None => network.pairs_of.total() + network.cliques_of.total(),
        };
        let zeros = |count| (0..count).map(|_| AtomicU64::new(0)).collect();
        Weights(Arc::new(Counters {
            pairs: zeros(pairs),
            propagators: zeros(network.propagators.len()),
            conflicts: AtomicU64::new(0),
        }))
    }

    /// Returns the number of conflicts seen so far.
    #[must_use]
    pub fn conflicts(&self) -> u64 {
        self.0.conflicts.load(Ordering::Relaxed)
    }

    /// Returns what has been added to the weight of the constraint at `entry` of the network's
    /// lists.
    #[inline]
    pub(super) fn of_pair(&self, entry: usize) -> u64 {
        self.0.pairs.get(entry).map_or(0, |weight| weight.load(Ordering::Relaxed))
    }

    /// Returns what has been added to the weight of a propagator.
    #[inline]
    pub(super) fn of_propagator(&self, propagator: u32) -> u64 {
        self.0
            .propagators
            .get(propagator as usize)
            .map_or(0, |weight| weight.load(Ordering::Relaxed))
    }

    /// Finds the constraint that has failed and raises its weight. It is looked up here, after a
    /// conflict, so that propagation need not track the current constraint.
    #[cold]
    pub(super) fn record_conflict(&self, network: &Network, domains: &Domains, conflict: Conflict) {
        self.0.conflicts.fetch_add(1, Ordering::Relaxed);
        match conflict {
            Conflict::Unattributed => {}
            Conflict::Propagator(index) => raise(&self.0.propagators, index as usize),
            Conflict::Pairs(variable) => {
                if let Some(other) = network
                    .others(variable)
                    .find(|&other| has_failed(network, domains, variable, other))
                {
                    self.raise_between(network, variable, other);
                    self.raise_between(network, other, variable);
                }
            }
        }
    }

    /// Raises the weight of the constraints between both variables in the list of `variable`.
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

/// Returns whether `other` is wiped out, or both variables are decided and their values are
/// incompatible.
fn has_failed(network: &Network, domains: &Domains, variable: Variable, other: Variable) -> bool {
    if domains.size(other) == 0 {
        return true;
    }
    if domains.is_open(variable) || domains.is_open(other) {
        return false;
    }
    match (domains.value(variable), domains.value(other)) {
        (Some(one), Some(two)) => !network.are_compatible(variable, one, other, two),
        _ => false,
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights").field("conflicts", &self.conflicts()).finish_non_exhaustive()
    }
}
