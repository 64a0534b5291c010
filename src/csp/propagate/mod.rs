//! Propagation as a hook: what a decision about one variable means for the others.
//!
//! | level | what it does when a variable is decided | strength |
//! |---|---|---|
//! | [`backward`](Propagate::backward) | checks the constraints whose variables are all instantiated (plain backtracking) | none |
//! | [`forward`](Propagate::forward) | takes values away from variables that share a constraint with it, all others of that constraint being instantiated (Haralick and Elliott 1980) | one step |
//! | [`arc_consistency`](Propagate::arc_consistency) | the same, and goes on until every value has a partner in each domain beside it (Mackworth 1977; maintained during search, Sabin and Freuder 1994) | pairs |
//! | [`full`](Propagate::full) | the same, and calls every propagator until nothing changes | all there is |
//!
//! Each level sees at least what the one before it sees, and so makes a tree that is no larger
//! under the same static order of variables; what it costs a node grows as well. (A
//! [propagator](super::Propagator) may be an exception that, with one open variable, sees less than
//! trying each of its values does.) No level takes away a value that some solution below the node
//! uses.
//!
//! In a network whose domains are single words and which is small enough for a table, all
//! constraints between two variables count as one: arc consistency then looks at them together, and
//! sees a little more than where each is looked at alone.

mod levels;
mod queue;

use super::{Domains, Memory, Network, Variable, Weights};
use crate::digest::Digest;
use crate::hook::{Hook, NodeMut, Verdict};
use queue::{Cheapest, Queue};

/// How far the consequences of a decision are followed up; see [`Propagate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Propagation {
    /// Constraints are checked when all of their variables are instantiated.
    Backward,
    /// Constraints take values away when all of their variables but one are instantiated.
    Forward,
    /// Constraints on two variables are made arc consistent; others as by forward checking.
    ArcConsistency,
    /// All propagators are called until nothing changes.
    Full,
}

/// The hook that propagates decisions in a [`Network`].
///
/// Use one of them in a run: a second one has nothing left to do, or begins from the root again at
/// each node if it is stronger. Other hooks that take values away go before it, so that it follows
/// them up.
///
/// A hook of your own may call it at some nodes only, or several of them by turns: what was not
/// followed up at one node is followed up at the next call.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Propagate, Propagation};
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(8)?.board().network();
/// let nodes = [Propagation::Backward, Propagation::Forward, Propagation::ArcConsistency].map(|level| {
///     let outcome = Search::new(&queens).hooks((Propagate::new(level),)).count();
///     assert_eq!(outcome.exact(), Some(92));
///     outcome.report().nodes() - outcome.report().hooks()[0].cuts()
/// });
/// assert!(nodes[0] > nodes[1] && nodes[1] > nodes[2]);
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Propagate {
    level: Propagation,
    wipe_out: bool,
    weights: Option<Weights>,
    scratch: Scratch,
}

/// What is used anew at every node.
#[derive(Clone, Debug, Default)]
struct Scratch {
    variables: Queue,
    propagators: Cheapest,
    instantiated: Vec<Variable>,
    masks: Vec<u64>,
    values: Vec<i32>,
    /// One a propagator.
    memories: Vec<Memory>,
}

/// Nothing below the node can be a solution. It says where that was seen, as far as is known
/// without looking again.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conflict {
    /// In no constraint that could be weighed.
    Nowhere,
    /// In the constraints on this variable and another one.
    Pairs(Variable),
    /// In the propagator of this number.
    Propagator(u32),
}

impl Propagate {
    /// Propagates at this level.
    #[must_use]
    pub fn new(level: Propagation) -> Self {
        Propagate { level, wipe_out: true, weights: None, scratch: Scratch::default() }
    }

    /// Backward checking only: plain backtracking.
    #[must_use]
    pub fn backward() -> Self {
        Self::new(Propagation::Backward)
    }

    /// Forward checking.
    #[must_use]
    pub fn forward() -> Self {
        Self::new(Propagation::Forward)
    }

    /// Maintained arc consistency.
    #[must_use]
    pub fn arc_consistency() -> Self {
        Self::new(Propagation::ArcConsistency)
    }

    /// Every propagator, to the fixpoint.
    #[must_use]
    pub fn full() -> Self {
        Self::new(Propagation::Full)
    }

    /// Keeps a node though some variable has no value left: forward checking as early programs did
    /// it, which find out when they come to that variable. At the other levels it changes nothing.
    #[must_use]
    pub fn without_wipe_out_test(mut self) -> Self {
        self.wipe_out = false;
        self
    }

    /// Raises the weight of the constraint that has failed, at each conflict: see [`Weights`].
    #[must_use]
    pub fn with_weights(mut self, weights: &Weights) -> Self {
        self.weights = Some(weights.clone());
        self
    }

    /// The level.
    #[must_use]
    pub fn level(&self) -> Propagation {
        self.level
    }

    #[inline]
    fn run(&mut self, network: &Network, domains: &mut Domains) -> Result<(), Conflict> {
        match self.level {
            Propagation::Backward => self.scratch.check_backward(network, domains),
            Propagation::Forward => self.scratch.check_forward(network, domains, self.wipe_out),
            Propagation::ArcConsistency => self.scratch.run_to_fixpoint(network, domains, false),
            Propagation::Full => self.scratch.run_to_fixpoint(network, domains, true),
        }
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
        Some(Digest::of(&(self.level, self.wipe_out)))
    }

    /// What it remembers are buffers and hints.
    fn follows_path(&self) -> bool {
        false
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        let network = node.problem();
        let domains = node.state_mut();
        match self.run(network, domains) {
            Ok(()) => {
                domains.set_propagated(self.level);
                Verdict::Keep
            }
            Err(conflict) => {
                if let Some(weights) = &self.weights {
                    weights.blame(network, domains, conflict);
                }
                Verdict::Prune
            }
        }
    }
}
