//! Levels of propagation.

use secateurs::Search;
use secateurs_csp::{Network, Propagate, Propagation};

/// Every level of propagation, from the weakest to the strongest.
pub const LEVELS: [Propagation; 4] =
    [Propagation::Backward, Propagation::Forward, Propagation::ArcConsistency, Propagation::Full];

/// Counts the solutions at this level of propagation.
pub fn count(network: &Network, level: Propagation) -> Option<u128> {
    Search::new(network).hooks((Propagate::new(level),)).count().exact()
}
