//! Bounds from relaxed diagrams: [`RelaxedBound`].

use std::marker::PhantomData;

use super::DiagramProblem;
use super::layers::{Layers, better};
use crate::digest::Digest;
use crate::hook::{Hook, NodeMut, Verdict};
use crate::incumbent::{Incumbent, Objective, ObjectiveValue};
use crate::problem::Problem;

/// A bound that prunes within a diagram: [`NoRoughBound`], or a function like that of
/// [`Objective::bound`].
pub trait RoughBound<P: Problem, V> {
    /// Returns an optimistic value of everything at or below a state, if there is a bound.
    fn at(&self, problem: &P, state: &P::State) -> Option<V>;

    /// Returns the digest of the data that the bound depends on, if it is known.
    fn digest(&self) -> Option<Digest>;
}

/// No bound within a diagram.
#[derive(Clone, Copy, Debug)]
pub struct NoRoughBound;

impl<P: Problem, V> RoughBound<P, V> for NoRoughBound {
    #[inline]
    fn at(&self, _: &P, _: &P::State) -> Option<V> {
        None
    }

    fn digest(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }
}

impl<P: Problem, V, G: Fn(&P, &P::State) -> V> RoughBound<P, V> for G {
    #[inline]
    fn at(&self, problem: &P, state: &P::State) -> Option<V> {
        Some(self(problem, state))
    }

    fn digest(&self) -> Option<Digest> {
        Digest::all([Digest::of_zero_sized(self), Some(Digest::of("rough bound"))])
    }
}

/// A hook that prunes a node unless the best solution of a relaxed diagram below it beats the
/// incumbent. Created by [`Objective::relaxed_bound`].
pub struct RelaxedBound<P: Problem, V, F, G = NoRoughBound> {
    name: String,
    incumbent: Incumbent<V>,
    value: F,
    rough: G,
    width: usize,
    parameters: Option<Digest>,
    layers: Layers<P::State, V>,
    problem: PhantomData<fn(&P)>,
}

impl<P: DiagramProblem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V> Objective<P, V, F> {
    /// Returns a hook that prunes a node unless the best solution of a relaxed
    /// [diagram](crate::diagram) below it beats the incumbent. A node without solutions in that
    /// diagram is pruned as well.
    ///
    /// A layer of a diagram has at most `width` nodes after it was reduced; 0 is treated as 1. The
    /// wider, the tighter is the bound. Cost of a node: as many steps of the problem as all layers
    /// below it have nodes, times the number of choices. Limits are only checked between nodes of
    /// the search.
    ///
    /// The value function of the objective must add up along a path, as [`DiagramProblem`]
    /// requires.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::knapsack::Knapsack;
    ///
    /// let knapsack = Knapsack::new(10, [(6, 13), (5, 8), (4, 7), (3, 5)])?;
    /// let value = Knapsack::objective();
    /// let outcome = Search::new(&knapsack).hook(value.relaxed_bound("diagrams", 3)).best(&value);
    /// assert_eq!(outcome.proven(), Some(&20));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn relaxed_bound(&self, name: impl Into<String>, width: usize) -> RelaxedBound<P, V, F>
    where
        F: Clone,
    {
        RelaxedBound {
            name: name.into(),
            incumbent: self.incumbent().clone().declared(),
            value: self.value.clone(),
            rough: NoRoughBound,
            width: width.max(1),
            parameters: Some(Digest::NONE),
            layers: Layers::new(),
            problem: PhantomData,
        }
    }
}

impl<P: DiagramProblem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V, G: RoughBound<P, V>>
    RelaxedBound<P, V, F, G>
{
    /// Prunes within the diagrams: a node is only added if the value of `bound` there beats the
    /// incumbent.
    ///
    /// `bound` is like that of [`Objective::bound`], and must also be optimistic for merged states.
    /// It makes diagrams smaller, and their bound tighter.
    #[must_use]
    pub fn rough<R: Fn(&P, &P::State) -> V>(self, bound: R) -> RelaxedBound<P, V, F, R> {
        RelaxedBound {
            parameters: RoughBound::<P, V>::digest(&bound),
            name: self.name,
            incumbent: self.incumbent,
            value: self.value,
            rough: bound,
            width: self.width,
            layers: self.layers,
            problem: PhantomData,
        }
    }

    crate::hook::parameters_of_captures!();

    /// Returns the best value of a relaxed diagram whose root is `state`, without comparing it with
    /// the incumbent: no solution at or below `state` is better. Returns `None` if the diagram has
    /// no solution; then there is none at or below `state`.
    pub fn at(&mut self, problem: &P, state: &P::State) -> Option<V> {
        let direction = self.incumbent.direction();
        let mut best: Option<V> = None;
        self.start(problem, state);
        while self.layers.has_next() {
            let value = &self.value;
            let values = |state: &P::State| Ok(value(problem, state));
            let Ok(found) = self.layers.expand(problem, direction, self.width, values, &mut ());
            best = better(direction, best, found);
        }
        best
    }

    /// Returns whether a solution of a relaxed diagram whose root is `state` beats the incumbent.
    fn may_improve(&mut self, problem: &P, state: &P::State) -> bool {
        let direction = self.incumbent.direction();
        self.start(problem, state);
        while self.layers.has_next() {
            let (value, rough, incumbent) = (&self.value, &self.rough, &mut self.incumbent);
            let values = |state: &P::State| match rough.at(problem, state) {
                Some(bound) if !incumbent.is_beaten_by(&bound) => Err(bound),
                _ => Ok(value(problem, state)),
            };
            let Ok(found) = self.layers.expand(problem, direction, self.width, values, &mut ());
            if found.is_some_and(|value| self.incumbent.is_beaten_by(&value)) {
                return true;
            }
        }
        false
    }

    /// Starts a diagram whose root is `state`.
    fn start(&mut self, problem: &P, state: &P::State) {
        let value = (self.value)(problem, state);
        self.layers.start();
        let Ok(_) = self.layers.push(problem, state, value, &mut ());
    }
}

impl<P: DiagramProblem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V, G: RoughBound<P, V>> Hook<P>
    for RelaxedBound<P, V, F, G>
{
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.parameters, Some(Digest::of(&self.width))])
    }

    crate::hook::claims_of_a_bound!();

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        Verdict::keep_if(self.may_improve(node.problem(), node.state()))
    }
}

clone_fields!(
    /// A clone compares with the same incumbent.
    impl[P: Problem, V: Clone, F: Clone, G: Clone] RelaxedBound<P, V, F, G>:
    name, incumbent, value, rough, width, parameters, problem; layers: Layers::new()
);

debug_fields!(impl[P: Problem, V, F, G] RelaxedBound<P, V, F, G>: name, width);
