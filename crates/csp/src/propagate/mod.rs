//! Propagation as a hook: the consequences of a decision for the other variables.
//!
//! The levels act when a variable is instantiated. From the weakest to the strongest:
//!
//! - [`backward`](Propagate::backward) checks the constraints whose variables are all instantiated
//!   (plain backtracking). It prunes nothing.
//! - [`forward`](Propagate::forward) prunes by the constraints whose variables are all instantiated
//!   but one (forward checking; Haralick and Elliott 1980).
//! - [`arc_consistency`](Propagate::arc_consistency) does the same, and prunes until every value
//!   has a support in the domain of each neighbour (Mackworth 1977; maintained during search,
//!   Sabin and Freuder 1994).
//! - [`full`](Propagate::full) does the same, and calls every propagator until a fixpoint or the
//!   limit of work is reached.
//!
//! Each level prunes at least as much as the one before it, so that its tree is no larger under the
//! same static order of variables; its time per node is larger. (There are two exceptions: a
//! [propagator](super::Propagator) that prunes less than a test of each value if one variable is
//! open, and a level that reaches its limit of work.) No level prunes a value of a solution below
//! the node.
//!
//! If all domains are single words and the network is small enough for a table, all constraints
//! between two variables count as one: arc consistency then considers them together, and prunes
//! slightly more than it would for each constraint alone.
//!
//! The last two levels stop without a fixpoint when they reach a [limit of
//! work](Propagate#limit-of-work).
//!
//! The hook is in this file; `levels` implements the levels and has the queues of pending work.

mod levels;

use secateurs::Digest;
use secateurs::hook::{Hook, HookMemory, NodeMut, Verdict};

use super::trail::Propagation;
use super::weights::{Conflict, Weights};
use super::{Domains, Network};
pub(super) use levels::last_decision_fails;
use levels::{Buffers, Completion};

/// The hook that propagates decisions in a [`Network`].
///
/// Use a single one in a run: a second one finds nothing to do or, if it is stronger, propagates
/// from the root again at each node. Put other hooks that prune values before it, so that it acts
/// on their changes.
///
/// A hook of your own may call it at some nodes only, or call several levels in turn: changes that
/// were not propagated at one node are propagated at the next call.
///
/// # Limit of work
///
/// Bounds may converge slowly: *x* < *y* and *y* < *x* have no solution, but each propagator moves
/// the bounds by one, so that a wide domain takes millions of steps. Time limits and cancellation
/// are noticed between nodes, so the work at a node is limited: to some tens of milliseconds and a
/// part that is linear in the size of the network, in which a predicate of two variables has the
/// size of a table of all their pairs. Propagation that reaches the limit stops and keeps the node,
/// and continues at its children; the tree is then larger than with a fixpoint. No solution is
/// lost, and none is reported wrongly: an assignment that is not fully propagated is checked
/// against all constraints. The limit counts words of domains and not time, so that the tree is the
/// same on every machine. It does not interrupt a single call of a propagator, or a single revision
/// of a pair of variables.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Propagate, Propagation};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?.board().network();
/// let levels = [Propagation::Backward, Propagation::Forward, Propagation::ArcConsistency];
/// let nodes = levels.map(|level| {
///     let outcome = Search::new(&queens).hooks((Propagate::new(level),)).count();
///     assert_eq!(outcome.exact(), Some(92));
///     outcome.report().nodes() - outcome.report().hooks()[0].cuts()
/// });
/// assert!(nodes[0] > nodes[1] && nodes[1] > nodes[2]);
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Propagate {
    level: Propagation,
    /// Whether forward checking prunes nodes at which a domain is wiped out.
    wipe_out_test: bool,
    weights: Option<Weights>,
    buffers: Buffers,
}

impl Propagate {
    /// Creates a hook that propagates at this level.
    #[must_use]
    pub fn new(level: Propagation) -> Self {
        Propagate { level, wipe_out_test: true, weights: None, buffers: Buffers::default() }
    }

    /// Creates a hook for backward checking: plain backtracking.
    #[must_use]
    pub fn backward() -> Self {
        Self::new(Propagation::Backward)
    }

    /// Creates a hook for forward checking.
    #[must_use]
    pub fn forward() -> Self {
        Self::new(Propagation::Forward)
    }

    /// Creates a hook that maintains arc consistency.
    #[must_use]
    pub fn arc_consistency() -> Self {
        Self::new(Propagation::ArcConsistency)
    }

    /// Creates a hook that calls every propagator until a fixpoint, or the [limit of
    /// work](Propagate#limit-of-work), is reached.
    #[must_use]
    pub fn full() -> Self {
        Self::new(Propagation::Full)
    }

    /// Keeps nodes at which a domain is wiped out. Early programs did forward checking this way and
    /// noticed the wipe-out only when they branched on that variable. The other levels ignore this
    /// setting.
    #[must_use]
    pub fn without_wipe_out_test(mut self) -> Self {
        self.wipe_out_test = false;
        self
    }

    /// Raises the weight of the failed constraint at each conflict: see [`Weights`].
    #[must_use]
    pub fn with_weights(mut self, weights: &Weights) -> Self {
        self.weights = Some(weights.clone());
        self
    }

    /// Returns the level.
    #[must_use]
    pub fn level(&self) -> Propagation {
        self.level
    }

    #[inline]
    fn run(&mut self, network: &Network, domains: &mut Domains) -> Result<Completion, Conflict> {
        match self.level {
            Propagation::Backward => self.buffers.check_backward(network, domains)?,
            Propagation::Forward => {
                self.buffers.check_forward(network, domains, self.wipe_out_test)?
            }
            Propagation::ArcConsistency => {
                return self.buffers.run_to_fixpoint(network, domains, false);
            }
            Propagation::Full => return self.buffers.run_to_fixpoint(network, domains, true),
        }
        Ok(Completion::Fixpoint)
    }
}

impl Hook<Network> for Propagate {
    fn name(&self) -> &str {
        match self.level {
            Propagation::Backward => "backward checking",
            Propagation::Forward => "forward checking",
            Propagation::ArcConsistency => "arc consistency",
            Propagation::Full => "full propagation",
        }
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(self.level, self.wipe_out_test)))
    }

    /// All data kept from node to node are buffers and hints.
    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        let network = node.problem();
        let domains = node.state_mut();
        match self.run(network, domains) {
            Ok(Completion::Fixpoint) => {
                domains.set_propagated(self.level);
                Verdict::Keep
            }
            // The changes remain to be propagated at the children, or checked at the leaf.
            Ok(Completion::Unfinished) => Verdict::Keep,
            Err(conflict) => {
                if let Some(weights) = &self.weights {
                    weights.record_conflict(network, domains, conflict);
                }
                Verdict::Prune
            }
        }
    }
}
