//! Bounds: pruning subtrees that cannot beat the incumbent (Land and Doig 1960).

use std::fmt;
use std::marker::PhantomData;

use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, NodeMut, Verdict};
use crate::incumbent::{Incumbent, IncumbentId, Objective};
use crate::problem::Problem;

/// A hook that prunes a node unless an optimistic value of its subtree beats the incumbent.
///
/// Created by [`Objective::bound`](crate::Objective::bound), which has an example. A bound that is
/// not optimistic may lose the optimum without any sign of it. For questions other than the best
/// solution, its cuts prove nothing; see [`Hook::incumbent`].
pub struct Bound<P, V, F> {
    name: String,
    incumbent: Incumbent<V>,
    bound: F,
    parameters: Option<Digest>,
    problem: PhantomData<fn(&P)>,
}

impl<P: Problem, V: Ord + Clone, F: Fn(&P, &P::State) -> V> Bound<P, V, F> {
    /// Creates a hook that compares `bound` with `incumbent` at every node.
    pub fn new(name: impl Into<String>, incumbent: Incumbent<V>, bound: F) -> Self {
        Bound {
            name: name.into(),
            incumbent: incumbent.declared(),
            parameters: Digest::of_unit(&bound),
            bound,
            problem: PhantomData,
        }
    }

    crate::hook::parameters_of_captures!();
}

impl<P: Problem, V: Ord + Clone, F: Fn(&P, &P::State) -> V> Objective<P, V, F> {
    /// Returns a hook that prunes a node unless the value of `bound` there beats the incumbent.
    ///
    /// `bound` must be *optimistic*: no solution at or below a node may have a better value than
    /// `bound` returns there. Otherwise the optimum may be lost while the outcome calls another
    /// value proven.
    pub fn bound<G>(&self, name: impl Into<String>, bound: G) -> Bound<P, V, G>
    where
        G: Fn(&P, &P::State) -> V,
    {
        Bound::new(name, self.incumbent().clone(), bound)
    }
}

impl<P: Problem, V: Ord + Clone, F: Fn(&P, &P::State) -> V> Hook<P> for Bound<P, V, F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        self.parameters
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        Verdict::keep_if(self.incumbent.is_beaten_by(&(self.bound)(node.problem(), node.state())))
    }
}

/// A clone compares with the same incumbent.
impl<P, V: Clone, F: Clone> Clone for Bound<P, V, F> {
    fn clone(&self) -> Self {
        Bound {
            name: self.name.clone(),
            incumbent: self.incumbent.clone(),
            bound: self.bound.clone(),
            parameters: self.parameters,
            problem: PhantomData,
        }
    }
}

impl<P, V, F> fmt::Debug for Bound<P, V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bound").field(&self.name).finish()
    }
}
