//! Decision diagrams: trees whose equal states are united, and of limited width by merging states
//! (Bergman, Cire, van Hoeve and Hooker 2016, *Decision Diagrams for Optimization*).
//!
//! Many nodes of a tree have the same continuations. A *decision diagram* has one node for all of
//! them. Its nodes are arranged in *layers*, and only a few layers are in memory at a time. If a
//! layer has more nodes than its width allows, there are two ways to reduce it:
//!
//! - A *relaxed* diagram merges the least promising states of a layer into one that allows
//!   everything that they allow. No solution is better than its best one.
//! - A *restricted* diagram drops them, as [beam search](crate::Search::beam) does. Its solutions
//!   are solutions of the problem.
//!
//! [`DiagramProblem`] is the trait of problems whose states can be compared and merged. It can be
//! used in three ways:
//!
//! - [`RelaxedBound`], created by [`Objective::relaxed_bound`](crate::Objective::relaxed_bound), is
//!   a hook that bounds the nodes of any search by relaxed diagrams.
//! - [`Search::restricted`](crate::Search::restricted) is one restricted diagram.
//! - [`Search::diagrams`](crate::Search::diagrams) is branch and bound on the nodes of diagrams,
//!   usually the fastest way to an optimum. Thresholds of states (Coppé, Gillard and Schaus 2024)
//!   keep it from searching a state again.
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::knapsack::Knapsack;
//!
//! let knapsack = Knapsack::strongly_correlated(60, 100, 1)?;
//! let value = Knapsack::objective();
//! let relaxation = value.bound("relaxation", Knapsack::relaxation);
//! let outcome = Search::new(&knapsack).hook(relaxation).best(&value);
//! assert_eq!((outcome.proven(), outcome.report().nodes()), (Some(&1702), 219_566));
//!
//! // The same bound, used within diagrams of width 100, by a hook.
//! let value = Knapsack::objective();
//! let diagrams = value.relaxed_bound("diagrams", 100).rough(Knapsack::relaxation);
//! let outcome = Search::new(&knapsack).hook(diagrams).best(&value);
//! assert_eq!((outcome.proven(), outcome.report().nodes()), (Some(&1702), 500));
//!
//! // Branch and bound on diagrams of the same width enters more nodes, and takes less time.
//! let value = Knapsack::objective();
//! let search = Search::new(&knapsack).diagrams(&value, 100).rough(Knapsack::relaxation);
//! let outcome = search.best(&value);
//! assert_eq!((outcome.proven(), outcome.report().nodes()), (Some(&1702), 12_085));
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```
//!
//! Read `mod.rs` for the trait, `layers` for the layers of a diagram, `bound` for the hook,
//! `local_bounds` for the bounds of many nodes by one diagram, and `exact_nodes` and `thresholds`
//! for the states that need not be searched again.

mod bound;
pub(crate) mod exact_nodes;
pub(crate) mod layers;
pub(crate) mod local_bounds;
pub(crate) mod thresholds;

use std::hash::Hash;

pub use bound::{NoRoughBound, RelaxedBound, RoughBound};

use crate::incumbent::ObjectiveValue;
use crate::problem::Problem;

/// A value of an objective that adds up along a path: any integer.
///
/// Sums of floating-point numbers are rounded, so that a bound computed from them might prune the
/// optimum; scale them to integers.
pub trait AdditiveValue: ObjectiveValue {
    /// Returns `self + (to - from)`, or `None` if the type cannot represent it.
    #[must_use]
    fn moved(&self, from: &Self, to: &Self) -> Option<Self>;
}

/// Returns whether a state has at least as much of every resource as another one of its layer and
/// key.
fn has_as_much<P: DiagramProblem>(problem: &P, state: &P::State, other: &P::State) -> bool {
    let (own, others) = (problem.resources(state), problem.resources(other));
    own.as_ref().iter().zip(others.as_ref()).all(|(own, other)| own >= other)
}

macro_rules! additive_integers {
    ($($integer:ty)*) => {
        $(
            impl AdditiveValue for $integer {
                #[inline]
                fn moved(&self, from: &Self, to: &Self) -> Option<Self> {
                    // The distance of two values may exceed a signed type.
                    match to >= from {
                        true => to.checked_sub(*from).and_then(|more| self.checked_add(more)),
                        false => from.checked_sub(*to).and_then(|less| self.checked_sub(less)),
                    }
                }
            }
        )*
    };
}

additive_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// A problem whose states can be compared and merged.
///
/// A state consists of two parts: its *value so far*, and the rest, on which its continuations
/// depend. An [objective](crate::Objective) for a diagram must add up along a path: a choice
/// changes the values of all states with equal keys by the same amount.
///
/// # Example
///
/// Numbers from a list, none of which are neighbours in it, with the greatest sum.
///
/// ```
/// use secateurs::diagram::DiagramProblem;
/// use secateurs::{Branch, CopyProblem, Objective, Search};
///
/// struct Apart(Vec<u32>);
///
/// #[derive(Clone, Copy)]
/// struct Choices {
///     decided: usize,
///     is_free: bool, // whether the next number may be chosen
///     sum: u32,
/// }
///
/// impl CopyProblem for Apart {
///     type State = Choices;
///     type Cursor = u8;
///     type Choice = bool;
///
///     fn root(&self) -> Choices {
///         Choices { decided: 0, is_free: true, sum: 0 }
///     }
///     fn branch(&self, state: &Choices) -> Branch<u8> {
///         if state.decided == self.0.len() { Branch::Solution } else { Branch::Inner(0) }
///     }
///     fn next(&self, state: &Choices, cursor: &mut u8) -> Option<bool> {
///         *cursor += 1;
///         (*cursor <= 1 + u8::from(state.is_free)).then_some(*cursor == 2)
///     }
///     fn apply(&self, state: Choices, &take: &bool) -> Choices {
///         let number = if take { self.0[state.decided] } else { 0 };
///         Choices { decided: state.decided + 1, is_free: !take, sum: state.sum + number }
///     }
/// }
///
/// impl DiagramProblem for Apart {
///     fn layer(&self, state: &Choices) -> usize {
///         state.decided
///     }
///     fn key(&self, state: &Choices) -> impl std::hash::Hash + Eq {
///         state.is_free
///     }
///     fn merge(&self, state: &mut Choices, other: &Choices) {
///         state.is_free |= other.is_free;
///         state.sum = state.sum.max(other.sum);
///     }
/// }
///
/// let apart = Apart((0..60).map(|i| i * i % 7).collect());
/// let sum = Objective::maximise_for(&apart, |_, state| state.sum);
/// // A diagram of width 2 is exact here: it prunes all that is not better than the incumbent.
/// let outcome = Search::new(&apart).hook(sum.relaxed_bound("diagrams", 2)).best(&sum);
/// assert!(outcome.proven().is_some());
/// assert!(outcome.report().nodes() < 10_000); // of more than 10^12
/// ```
///
/// # If an implementation lies
///
/// The engine cannot detect a mistake: a bound that is computed from wrong states may prune the
/// optimum, and the outcome calls another value proven.
///
/// # States that are merged
///
/// A merged state need not be reachable in the tree. All methods of [`Problem`], and the value
/// function of the objective, must work for merged states as for others.
pub trait DiagramProblem: Problem<State: Clone> {
    /// Returns the layer of a state. Only states of one layer are united or merged.
    ///
    /// Every choice must lead to a later layer, also from a merged state. A choice may skip layers:
    /// if the next variables have only one value left, their layers are left out. A layer without
    /// states takes no memory, so numbers may be far apart, such as points in time.
    ///
    /// A state whose layer is too early, because it is that of its parent or an earlier one, is
    /// expanded after its parent, apart from the states of other layers. It is only united and
    /// merged with states of its own layer that are expanded at the same time, so that no bound is
    /// wrong: by induction over the layers from the last one to be expanded, each node of a diagram
    /// still allows everything that the nodes allowed which became part of it.
    fn layer(&self, state: &Self::State) -> usize;

    /// Returns the part of a state that decides about its continuations, without the value so far.
    ///
    /// States of one layer with equal keys and [resources](Self::resources) must have the same
    /// solutions below them, and the same choices must change their values by the same amounts. Of
    /// such states, a diagram keeps one with the best value so far. What a
    /// [constraint](crate::hook#constraints) beside a diagram reads must be part of the key, or of
    /// the layer.
    fn key(&self, state: &Self::State) -> impl Hash + Eq;

    /// Returns what a state has left of each resource, such as time or room: of states of one layer
    /// with equal keys, one with at least as much of every resource *dominates* another one. All
    /// states of a key have the same number of resources. Default: none.
    ///
    /// For every solution below a dominated state, the dominating one must have a *match* below it:
    /// a solution that improves its value so far by at least as much, in at most as many choices.
    /// That holds for merged states as well, and every choice must lead to a later layer. Beside a
    /// [constraint](crate::hook#constraints), the match must satisfy it if the solution does. To
    /// make less of a number better, subtract it from a constant.
    ///
    /// A diagram drops a state if another one dominates it and its value so far is not better
    /// ([dominance between labels](https://doi.org/10.1287/opre.36.6.1000), Desrochers and Soumis
    /// 1988). A search by diagrams does so as well for states of earlier diagrams. Without
    /// resources, equal states dominate each other, and nothing else does.
    ///
    /// # Why dropping is sound
    ///
    /// Let a state s with value v be dropped in favour of a state t with value w, which is at least
    /// as good as v and so leads to a solution at least as good as any below s.
    ///
    /// - *In an exact or restricted layer*, both are states of the tree. The match below t is
    ///   itself only lost in favour of a match below a state of a later layer, so that the chain of
    ///   matches ends at a solution that is found or pruned by its bound.
    /// - *In a relaxed layer*, s, t or both may be merged. By the law of merged states, a merged
    ///   state allows everything that its parts have allowed, and by the law above, t allows
    ///   everything that s allows: by induction from the last layer, the best value through t is a
    ///   bound for s. A merged state never replaces an exact one outside of relaxed diagrams,
    ///   because the tree has no merged states.
    /// - *Between diagrams*, a threshold θ of t says: from t with the value θ, nothing is reached
    ///   that is better than what is found, or than what the nodes that were open at that time
    ///   reach. Then the same is true of s with any value that is not better than θ, by the match.
    ///   Thresholds are only learnt of states of the tree. An open node is dropped only for a
    ///   better threshold, which leads to something better if it leads to anything: no two open
    ///   nodes are dropped in favour of each other, in one thread or several.
    fn resources(&self, state: &Self::State) -> impl AsRef<[u64]> + Hash + Eq {
        let _ = state;
        [0; 0]
    }

    /// Merges `other` into `state`, which is of the same layer: `state` must then allow everything
    /// that both have allowed.
    ///
    /// The value of the merged state must be the better one of both values, and for every solution
    /// below `state` or `other`, the merged state must have one below it that improves its value
    /// so far by at least as much. It belongs to the same layer.
    fn merge(&self, state: &mut Self::State, other: &Self::State);

    /// Returns the rank of a state among those of a layer with equal values: the states of lower
    /// ranks are merged or dropped first. Default: 0.
    fn rank(&self, state: &Self::State) -> u64 {
        let _ = state;
        0
    }
}
