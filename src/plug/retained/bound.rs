//! Retained layers as a bound of a search: [`RetainedBound`].

use std::marker::PhantomData;
use std::sync::Arc;

use super::RetainedLayers;
use super::layers::Layers;
use crate::digest::Digest;
use crate::hook::{Hook, NodeMut, Verdict};
use crate::incumbent::{Incumbent, Objective, ObjectiveValue};
use crate::outcome::Incomplete;
use crate::plug::algebra::{Best, Weight};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::contour_tree::ContourPosition;
use crate::problem::Problem;

/// A hook that prunes a node unless some solution of a contour problem continues it and beats the
/// incumbent. Created by [`RetainedLayers::bound`].
pub struct RetainedBound<'p, P: ContourProblem, Q, V, F> {
    name: String,
    incumbent: Incumbent<V>,
    layers: Arc<Layers<'p, P, ()>>,
    /// The best weight from each state of each layer to the end.
    to_go: Arc<Vec<Vec<i64>>>,
    position: F,
    parameters: Option<Digest>,
    search: PhantomData<fn(&Q)>,
}

impl<'p, P: ContourProblem> RetainedLayers<'p, P, ()> {
    /// Returns a hook for a search with more constraints than the contour problem: it prunes a node
    /// unless some solution of the contour problem continues it and beats the incumbent.
    ///
    /// `position` returns the position of a node in the sweep, and its weight so far. The bound is
    /// that weight and the best `weight` from there to the end. It is *perfect*: some solution of
    /// the contour problem has this weight. It is optimistic if every solution of the search at or
    /// below the node is a solution of the contour problem that passes through this position, and
    /// if its value is not better than its weight. After all cells, the hook only checks that the
    /// state is accepted. The search may be that of a
    /// [`ContourTree`](crate::plug::ContourTree), or any other one.
    ///
    /// The hook states [parameters](RetainedBound::parameters) only if you do.
    ///
    /// Cost: one look-up of a state for each node, and 8 bytes for each retained state. Layers of a
    /// sweep with hooks are not offered: they may lack states that the search passes through.
    ///
    /// ```
    /// use secateurs::plug::{ContourTree, Sweep};
    /// use secateurs::{Constraint, Direction, Search};
    /// use secateurs_problems::catalogue::{Grid, independent_sets};
    ///
    /// // The best set of cells without neighbours of which no three have the same worth.
    /// let sets = independent_sets(&Grid::new(5, 5)?);
    /// let worth = |cell: usize, taken: bool| if taken { (cell * cell % 11) as i64 } else { 0 };
    /// let tree = ContourTree::new(&sets, Direction::Maximise, worth)?;
    /// let weight = tree.objective();
    ///
    /// let layers = Sweep::new(&sets).retain_layers()?;
    /// let bound = layers.bound("sweep", &weight, worth, |_, position| *position)?;
    /// let search = Search::new(&tree).hook(bound).constraint("two", Constraint::Path, |node| {
    ///     let mut taken = [0; 11];
    ///     for (cell, step) in node.path().iter().enumerate() {
    ///         taken[cell * cell % 11] += usize::from(step.label);
    ///     }
    ///     taken.iter().all(|&taken| taken <= 2)
    /// });
    /// let outcome = search.best(&weight);
    /// // Without the bound, there are 145,603 nodes.
    /// assert_eq!((outcome.proven(), outcome.report().nodes()), (Some(&44), 911));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a total weight does not fit into an `i64`, or if the sweep's limits end
    /// the backward pass.
    ///
    /// # Panics
    /// Panics if [`step`](ContourProblem::step) does not emit the states that it emitted in the
    /// sweep.
    pub fn bound<Q, V, G, W, F>(
        &self,
        name: impl Into<String>,
        objective: &Objective<Q, V, G>,
        weight: W,
        position: F,
    ) -> Result<RetainedBound<'p, P, Q, V, F>, Incomplete>
    where
        Q: Problem,
        V: ObjectiveValue + TryFrom<i128>,
        G: Fn(&Q, &Q::State) -> V,
        W: Weight<P>,
        F: Fn(&Q, &Q::State) -> ContourPosition<P::State>,
    {
        let best = Best::new(objective.incumbent().direction(), weight);
        let to_go = self
            .layers
            .to_go(&best, true)
            .map_err(|error| Incomplete::new(&error.report(self.report())))?;
        Ok(RetainedBound {
            name: name.into(),
            incumbent: objective.incumbent().clone().declared(),
            layers: Arc::clone(&self.layers),
            to_go: Arc::new(to_go),
            // The contour problem and its weight need not be part of the search problem.
            parameters: None,
            position,
            search: PhantomData,
        })
    }
}

impl<P, Q, V, F> RetainedBound<'_, P, Q, V, F>
where
    P: ContourProblem,
    Q: Problem,
    V: ObjectiveValue + TryFrom<i128>,
    F: Fn(&Q, &Q::State) -> ContourPosition<P::State>,
{
    crate::hook::parameters_of_captures!();

    /// Returns the weight of the best solution of the contour problem that continues a path to
    /// `position`, or `None` if there is none.
    pub fn at(&self, position: &ContourPosition<P::State>) -> Option<i128> {
        let ContourPosition { cell, state, weight } = *position;
        let index = self.layers.all().get(cell)?.find(&state)?;
        // The weight of an end may be part of the weight so far already.
        let to_go = if cell < self.layers.cells() { self.to_go[cell][index] } else { 0 };
        Some(weight.saturating_add(i128::from(to_go)))
    }
}

impl<P, Q, V, F> Hook<Q> for RetainedBound<'_, P, Q, V, F>
where
    P: ContourProblem,
    Q: Problem,
    V: ObjectiveValue + TryFrom<i128>,
    F: Fn(&Q, &Q::State) -> ContourPosition<P::State>,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        self.parameters
    }

    crate::hook::claims_of_a_bound!();

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, Q>) -> Verdict {
        let position = (self.position)(node.problem(), node.state());
        let Some(bound) = self.at(&position) else { return Verdict::Prune };
        // After all cells, the value of the solution itself is compared with the incumbent.
        let is_end = position.cell == self.layers.cells();
        // A bound that the type of the values cannot represent is not compared.
        let may_improve =
            V::try_from(bound).map_or(true, |bound| self.incumbent.is_beaten_by(&bound));
        Verdict::keep_if(is_end || may_improve)
    }
}

clone_fields! {
    /// A clone compares with the same incumbent, and shares the layers.
    impl['p, P: ContourProblem, Q, V: Clone, F: Clone] RetainedBound<'p, P, Q, V, F>:
    name, incumbent, layers, to_go, position, parameters, search
}

debug_fields!(impl['p, P: ContourProblem, Q, V, F] RetainedBound<'p, P, Q, V, F>: name);
