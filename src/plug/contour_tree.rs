//! The tree of the paths of a contour problem, as a problem for searches: [`ContourTree`].

use std::hash::Hash;

use super::algebra::Weight;
use super::contour_problem::ContourProblem;
use crate::copy_problem::CopyProblem;
use crate::diagram::DiagramProblem;
use crate::incumbent::{Direction, Objective};
use crate::limits::TooWide;
use crate::problem::Branch;

/// The tree of all paths of a [contour problem](ContourProblem), cell by cell. Its solutions are
/// those of the contour problem.
///
/// A sweep merges the paths that lead to the same state; a search enters each of them, and
/// generates the steps of a cell again for each child (which takes time if a cell has more than
/// about ten steps). That is slower by far, but allows for
/// [constraints](crate::Search::constraint) that do not pass through the contour, and for bounds on
/// both sides if layers are too large for a sweep:
///
/// - [`RetainedLayers::bound`](super::RetainedLayers::bound) prunes a search with additional
///   constraints by a sweep without them.
/// - If the states can be [merged](MergeStates), the tree is a [`DiagramProblem`].
///   [Restricted](crate::Search::restricted) diagrams are sweeps that drop the less promising
///   states of each layer, and [relaxed](Objective::relaxed_bound) ones are sweeps that merge them:
///   the optimum lies between the two. [`Search::diagrams`](crate::Search::diagrams) closes the
///   gap. Because diagrams unite paths, only constraints of [states](crate::Constraint::State) can
///   be combined with them. Such a constraint may read the cell and the contour state, but neither
///   the weight nor the path.
///
/// ```
/// use secateurs::plug::{ContourTree, Sweep};
/// use secateurs::{Direction, Problem, Search};
/// use secateurs_problems::catalogue::{Grid, independent_sets};
///
/// let sets = independent_sets(&Grid::new(8, 8)?);
/// let worth = |cell: usize, taken: bool| if taken { (cell.pow(3) % 101) as i64 } else { 0 };
/// let tree = ContourTree::new(&sets, Direction::Maximise, worth)?;
/// let weight = tree.objective();
///
/// // Diagrams of at most 10 states per layer; a sweep has up to 68.
/// let restricted = Search::new(&tree).restricted(&weight, 10).best(&weight);
/// let relaxed = weight.relaxed_bound("relaxed", 10).at(&tree, &tree.root());
/// assert_eq!((restricted.best_so_far(), relaxed), (Some(&1598), Some(1676)));
///
/// let search = Search::new(&tree).diagrams(&weight, 10);
/// assert_eq!(search.best(&weight).proven(), Some(&1614));
/// assert_eq!(Sweep::new(&sets).best(Direction::Maximise, worth).proven(), Some(&1614));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ContourTree<'p, P, W> {
    problem: &'p P,
    direction: Direction,
    weight: W,
}

/// A node of a [`ContourTree`]: a contour state and the cell before which it arises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContourPosition<S> {
    /// The number of processed cells.
    pub cell: usize,
    /// The contour state.
    pub state: S,
    /// The weight of the labels so far; after all cells, also that of the end.
    pub weight: i128,
}

/// A choice of a [`ContourTree`]: what is done in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContourStep<S, L> {
    /// The label of the transition.
    pub label: L,
    /// The contour state after it.
    pub state: S,
}

/// The steps that are left to try at a node of a [`ContourTree`].
///
/// The steps themselves are not stored but generated again for each child: a cell has few of them,
/// and a depth-first search keeps so small a cursor in registers.
#[derive(Clone, Copy, Debug)]
pub struct ContourSteps {
    /// The number of steps that have been tried.
    tried: usize,
    has_more: bool,
}

/// The weight of a [`ContourTree`] without weights: 0 for every solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoWeight;

impl<P: ContourProblem> Weight<P> for NoWeight {
    fn label(&self, _: usize, _: P::Label) -> i64 {
        0
    }
}

impl<'p, P: ContourProblem> ContourTree<'p, P, NoWeight> {
    /// Creates the tree of `problem` without weights, to count or to list its solutions.
    ///
    /// ```
    /// use secateurs::plug::ContourTree;
    /// use secateurs::{Constraint, Search};
    /// use secateurs_problems::catalogue::{Grid, independent_sets};
    ///
    /// let sets = independent_sets(&Grid::new(3, 3)?);
    /// let tree = ContourTree::unweighted(&sets)?;
    /// assert_eq!(Search::new(&tree).count().exact(), Some(63));
    /// // A constraint that a contour does not show.
    /// let pairs = Search::new(&tree).constraint("two cells", Constraint::Path, |node| {
    ///     node.depth() < 9 || node.path().iter().filter(|step| step.label).count() == 2
    /// });
    /// assert_eq!(pairs.count().exact(), Some(24));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the error of [`ContourProblem::fits`] for the first cell after which states may not
    /// fit.
    pub fn unweighted(problem: &'p P) -> Result<Self, TooWide> {
        Self::new(problem, Direction::Minimise, NoWeight)
    }
}

impl<'p, P: ContourProblem, W: Weight<P>> ContourTree<'p, P, W> {
    /// Creates the tree of `problem`, with a weight to be optimised in a direction.
    ///
    /// # Errors
    /// Returns the error of [`ContourProblem::fits`] for the first cell after which states may not
    /// fit.
    pub fn new(problem: &'p P, direction: Direction, weight: W) -> Result<Self, TooWide> {
        (0..problem.cells()).try_for_each(|cell| problem.fits(cell))?;
        Ok(ContourTree { problem, direction, weight })
    }

    getters! {
        self;
        /// Returns the contour problem.
        problem -> &'p P: self.problem;

        /// Returns the weight.
        weight -> &W: &self.weight;
    }

    /// Adds the weight of the end to a position after all cells.
    fn with_end(&self, mut position: ContourPosition<P::State>) -> ContourPosition<P::State> {
        if position.cell == self.problem.cells() && self.problem.accept(position.state) {
            position.weight += i128::from(self.weight.end(position.state));
        }
        position
    }
}

impl<'p, P: ContourProblem<Label: PartialEq>, W: Weight<P>> ContourTree<'p, P, W> {
    /// Returns the objective: the weight, with the [parameters](Weight::parameters) that it states.
    ///
    /// If it states none, as a closure that captures data, the objective has no
    /// [name](Objective::named), because weights of other data would have the same. Each call then
    /// returns another question: runs on one frontier must use the same objective, and files,
    /// journals and several processes refuse it. Give it a name and
    /// [parameters](Objective::parameters) for these.
    #[must_use]
    pub fn objective(&self) -> ContourObjective<'p, P, W> {
        let weight: fn(&Self, &ContourPosition<P::State>) -> i128 = |_, position| position.weight;
        let objective = Objective::new(self.direction, weight);
        match self.weight.parameters() {
            Some(parameters) => objective.named("weight").parameters(&parameters),
            None => objective,
        }
    }
}

/// The objective of a [`ContourTree`]: the weight.
pub type ContourObjective<'p, P, W> = Objective<
    ContourTree<'p, P, W>,
    i128,
    fn(&ContourTree<'p, P, W>, &ContourPosition<<P as ContourProblem>::State>) -> i128,
>;

impl<P: ContourProblem<Label: PartialEq>, W: Weight<P>> CopyProblem for ContourTree<'_, P, W> {
    type State = ContourPosition<P::State>;
    type Cursor = ContourSteps;
    type Choice = ContourStep<P::State, P::Label>;

    fn root(&self) -> Self::State {
        self.with_end(ContourPosition { cell: 0, state: self.problem.start(), weight: 0 })
    }

    #[inline]
    fn branch(&self, position: &Self::State) -> Branch<Self::Cursor> {
        if position.cell == self.problem.cells() {
            return match self.problem.accept(position.state) {
                true => Branch::Solution,
                false => Branch::DeadEnd,
            };
        }
        Branch::Inner(ContourSteps { tried: 0, has_more: true })
    }

    #[inline]
    fn next(&self, position: &Self::State, steps: &mut Self::Cursor) -> Option<Self::Choice> {
        if !steps.has_more {
            return None;
        }
        let mut skipped = 0;
        let mut next = None;
        let mut has_more = false;
        self.problem.step(position.cell, position.state, &mut |state, label| {
            if skipped < steps.tried {
                skipped += 1;
            } else if next.is_none() {
                next = Some(ContourStep { label, state });
            } else {
                has_more = true;
            }
        });
        *steps = ContourSteps { tried: steps.tried + 1, has_more };
        next
    }

    #[inline]
    fn apply(&self, before: Self::State, step: &Self::Choice) -> Self::State {
        let label = i128::from(self.weight.label(before.cell, step.label));
        self.with_end(ContourPosition {
            cell: before.cell + 1,
            state: step.state,
            weight: before.weight + label,
        })
    }

    fn accepts_saved(&self, position: &Self::State, step: &Self::Choice) -> bool {
        let mut is_step = false;
        if position.cell < self.problem.cells() {
            self.problem.step(position.cell, position.state, &mut |state, label| {
                is_step |= *step == ContourStep { label, state };
            });
        }
        is_step
    }
}

/// A contour problem whose states can be merged, so that its [tree](ContourTree) is a
/// [`DiagramProblem`].
///
/// # If an implementation lies
///
/// A merged state that allows less than one of its parts makes bounds wrong: the optimum may be
/// lost while the outcome calls another value proven. An [audit](https://docs.rs/secateurs-lab) of
/// the tree (`Audit::merges`) detects it.
pub trait MergeStates: ContourProblem {
    /// Returns a state after the first `cell` cells that allows all that either of the two states
    /// allows.
    ///
    /// For every sequence of labels that leads from one of the states to an accepted one, a
    /// sequence of at least as good a weight must lead from the merged state to an accepted one.
    /// The merged state need not arise in a sweep, but [`step`](ContourProblem::step) and
    /// [`accept`](ContourProblem::accept) must work for it.
    fn merge(&self, cell: usize, one: Self::State, other: Self::State) -> Self::State;

    /// Returns the rank of a state after the first `cell` cells among those of equal weights; see
    /// [`DiagramProblem::rank`]. Default: 0.
    fn rank(&self, cell: usize, state: Self::State) -> u64 {
        let _ = (cell, state);
        0
    }
}

impl<P, W> DiagramProblem for ContourTree<'_, P, W>
where
    P: MergeStates + ContourProblem<Label: PartialEq>,
    W: Weight<P>,
{
    fn layer(&self, position: &Self::State) -> usize {
        position.cell
    }

    fn key(&self, position: &Self::State) -> impl Hash + Eq {
        position.state
    }

    fn merge(&self, position: &mut Self::State, other: &Self::State) {
        position.state = self.problem.merge(position.cell, position.state, other.state);
        if self.direction.is_better(&other.weight, &position.weight) {
            position.weight = other.weight;
        }
    }

    fn rank(&self, position: &Self::State) -> u64 {
        self.problem.rank(position.cell, position.state)
    }
}

debug_fields!(impl['p, P: std::fmt::Debug, W] ContourTree<'p, P, W>: problem, direction);
