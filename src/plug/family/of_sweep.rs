//! Families of the solutions of a sweep.

use std::time::Duration;

use super::builder::{Builder, Sum};
use super::diagram::{Family, check_universe};
use super::error::FamilyError;
use super::node::{EMPTY, NO_ELEMENT, UNIT};
use crate::hook::Effect;
use crate::limits::{Limits, Stop};
use crate::outcome::Incomplete;
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::layer::Layer;
use crate::plug::layer::successors::{BLOCK, Successors, expand, look_ahead};
use crate::plug::retained::RetainedLayers;
use crate::plug::retained::layers::{AllWays, PassError, States, bytes_of_states, forward};
use crate::plug::step::{Blocks, Clock, StepCount, Task};
use crate::plug::sweep::Sweep;
use crate::report::Report;

impl<P: ContourProblem, H: SweepHooks<P>> Sweep<'_, P, H> {
    /// Returns the family of the sets that the solutions stand for: the set of a solution consists
    /// of the `elements` of its labels. Different solutions may stand for the same set.
    ///
    /// `elements` is called with a cell and a label. All elements of a cell must be less than those
    /// of later cells; often there is one element for each cell.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// let row = Row(40);
    /// let family = Sweep::new(&row).family(40, |square, taken| taken.then_some(square))?;
    /// assert_eq!((family.count()?, family.nodes()), (267_914_296, 40));
    /// # Ok::<(), secateurs::plug::FamilyError>(())
    /// ```
    ///
    /// The forward pass retains the states of all layers, like
    /// [`retain_layers`](Sweep::retain_layers), but without an index. A single backward pass, in
    /// one thread, makes the nodes of each layer, and releases its states. Nodes are reduced as
    /// they arise, so that the diagram has as few as possible in the order of the elements. The
    /// limits of the sweep hold for both passes, and then for [operations](Family#limits) on the
    /// family.
    ///
    /// # Errors
    /// Returns an error if the sweep stops before its end, if hooks do not preserve all solutions,
    /// if an element is not in the universe, or if the elements of cells are not in order.
    pub fn family<I: IntoIterator<Item = usize>>(
        self,
        universe: usize,
        elements: impl Fn(usize, P::Label) -> I,
    ) -> Result<Family, FamilyError> {
        check_universe(universe)?;
        let limits = self.settings.limits.clone();
        let (problem, hooks, mut stats) = self.settings.start();
        let (effect, _) = stats.effect(true);
        if_preserving((), effect)?;
        let task = Task { problem, hooks: &hooks, algebra: &AllWays };
        let family = stats.record_reads(|stats| {
            let layers = forward(task, stats)
                .map_err(|stop| FamilyError::Sweep(Incomplete::new(&stats.report(stop, true))))?;
            let bytes_of = |states: &States<P::State>| bytes_of_states::<P::State>(states.len());
            let mut bytes: usize = layers.iter().map(bytes_of).sum();
            let bounds = (limits.max_bytes(), stats.clock().clone());
            let report = stats.report(Stop::Exhausted, true);
            // Each layer is released when its nodes are complete.
            let layers = layers.into_iter().rev().map(|states| {
                let with_this = bytes;
                bytes -= bytes_of(&states);
                (states, with_this)
            });
            Reduction::new(task, universe, elements, bounds)?.run(layers, limits, &report)
        })?;
        if_preserving(family, stats.report(Stop::Exhausted, true).effect())
    }
}

impl<P: ContourProblem, H: SweepHooks<P>> RetainedLayers<'_, P, H> {
    /// Returns the family of the sets that the solutions stand for, like [`Sweep::family`], by one
    /// backward pass with the limits of the sweep. If nothing else is asked of the layers,
    /// [`Sweep::family`] needs less time and memory.
    ///
    /// # Errors
    /// Returns the errors of [`Sweep::family`].
    pub fn family<I: IntoIterator<Item = usize>>(
        &self,
        universe: usize,
        elements: impl Fn(usize, P::Label) -> I,
    ) -> Result<Family, FamilyError> {
        check_universe(universe)?;
        let report = self.layers.report(true, Duration::ZERO);
        if_preserving((), report.effect())?;
        let limits = self.layers.limits().clone();
        let bytes = self.bytes();
        let layers = self.layers.all().iter().rev().map(|layer| (layer.entries(), bytes));
        let (task, bounds) =
            (self.layers.task(), (limits.max_bytes(), self.layers.clock().clone()));
        let family = self.layers.record_reads(|| {
            Reduction::new(task, universe, elements, bounds)?.run(layers, limits, &report)
        })?;
        if_preserving(family, self.layers.report(true, Duration::ZERO).effect())
    }
}

/// Returns `value` if a sweep of this effect has lost no solution.
fn if_preserving<T>(value: T, effect: Effect) -> Result<T, FamilyError> {
    match effect {
        Effect::Preserving => Ok(value),
        effect => Err(FamilyError::Incomplete { effect }),
    }
}

/// A backward pass over layers that makes the nodes of a family.
struct Reduction<'a, P: ContourProblem, H, A, E> {
    task: Task<'a, P, H, A>,
    universe: usize,
    elements: E,
    builder: Builder,
    max_bytes: usize,
    /// The states after the current cell that lead to a solution, each with its family.
    after: Layer<P::State, u32>,
    /// The least element of the later cells, and of the current one.
    later: u32,
    least: u32,
    sum: Sum,
}

impl<'a, P, H, A, E, I> Reduction<'a, P, H, A, E>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    A: Algebra<P>,
    E: Fn(usize, P::Label) -> I,
    I: IntoIterator<Item = usize>,
{
    fn new(
        task: Task<'a, P, H, A>,
        universe: usize,
        elements: E,
        (max_bytes, clock): (usize, Clock),
    ) -> Result<Self, FamilyError> {
        Ok(Reduction {
            task,
            universe,
            elements,
            builder: Builder::new(max_bytes, clock)?,
            max_bytes,
            after: Layer::new(),
            later: NO_ELEMENT,
            least: NO_ELEMENT,
            sum: Sum::default(),
        })
    }

    /// Makes the nodes of the states before `cell`, which are all in the layer that is retained
    /// there. `bytes` is the size of the layers that exist.
    fn layer(
        &mut self,
        cell: usize,
        states: &[(P::State, ())],
        is_last: bool,
        bytes: usize,
    ) -> Result<(), FamilyError> {
        let clock = self.builder.clock().clone();
        // The families of the states, and the index of the states with a family.
        let entries_bytes = states.len().saturating_mul(size_of::<(P::State, u32)>());
        let others = [
            bytes,
            self.after.bytes(),
            entries_bytes,
            Layer::<P::State, u32>::index_bytes(states.len()),
        ];
        let others = others.into_iter().fold(0, usize::saturating_add);
        let max_bytes = self.max_bytes.checked_sub(others).ok_or(Stop::MemoryLimit)?;
        self.builder.set_max_bytes(max_bytes);
        self.builder.seal()?;
        let mut families = Vec::new();
        families.try_reserve_exact(states.len()).map_err(|_| Stop::MemoryLimit)?;
        let mut blocks = Blocks::new(&clock, states, BLOCK);
        let (mut successors, mut count) =
            (Successors::<P>::new(), StepCount::new(self.task.hooks.claims().len()));
        while let Some((block, _)) = blocks.next()? {
            if is_last {
                let accepted = block.iter().filter(|entry| self.task.problem.accept(entry.0));
                families.extend(accepted.map(|&(state, ())| (state, UNIT)));
                continue;
            }
            let states = block.iter().map(|&(state, ())| state);
            expand(self.task, cell, states, &mut successors, &mut count);
            look_ahead(&self.after, &successors);
            for same_source in successors.chunk_by(|one, next| one.source == next.source) {
                for successor in same_source {
                    if let Some(index) = self.after.find(&successor.state) {
                        self.add(cell, successor.label, self.after.entries()[index].1)?;
                    }
                }
                let family = self.builder.sum(&mut self.sum)?;
                if family != EMPTY {
                    families.push((block[same_source[0].source as usize].0, family));
                }
            }
        }
        self.after = Layer::new();
        families.shrink_to_fit();
        self.after = Layer::indexed(families, &clock)?;
        self.later = self.later.min(self.least);
        Ok(())
    }

    /// Adds the sets of a family, each with the elements of a label.
    fn add(&mut self, cell: usize, label: P::Label, family: u32) -> Result<(), FamilyError> {
        self.sum.add((self.elements)(cell, label), self.universe, family)?;
        if let (Some(&first), Some(&last)) = (self.sum.last().first(), self.sum.last().last()) {
            if last >= self.later {
                let (element, later) = (last as usize, self.later as usize);
                return Err(FamilyError::Unordered { cell, element, later });
            }
            self.least = self.least.min(first);
        }
        Ok(())
    }

    /// Makes the nodes of all layers, given from the last one to the first with the bytes of those
    /// that exist meanwhile, and returns the family of the start. `report` is that of the sweep.
    fn run(
        mut self,
        layers: impl ExactSizeIterator<Item = (impl AsRef<[(P::State, ())]>, usize)>,
        limits: Limits,
        report: &Report,
    ) -> Result<Family, FamilyError> {
        let cells = layers.len() - 1;
        for (cell, (states, bytes)) in (0..=cells).rev().zip(layers) {
            let states = states.as_ref();
            self.layer(cell, states, cell == cells, bytes).map_err(|error| match error {
                FamilyError::Stopped(stop) => {
                    let error = PassError { stop, layer: cell, states: states.len() as u64 };
                    FamilyError::Sweep(Incomplete::new(&error.report(report.clone())))
                }
                error => error,
            })?;
        }
        let root = self.after.entries().first().map_or(EMPTY, |entry| entry.1);
        Family::new(self.universe, self.builder, root, limits)
    }
}
