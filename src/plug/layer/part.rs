//! The step from one layer to the next by a worker or a thread that owns only a part of each.

use super::Layer;
#[cfg(feature = "timely")]
use super::successors::merge_values;
use super::successors::{BLOCK, Successor, Successors, expand, expand_sharded, merge};
use crate::limits::Stop;
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
#[cfg(feature = "timely")]
use crate::plug::stats::SweepStats;
use crate::plug::step::{Blocks, Clock, StepCount, StepError, Task};

/// A part of the next layer, under construction by its owner, a worker or a thread. The owner
/// expands its own states block by block, sends the successors that others own, and merges those
/// that it receives.
pub(crate) struct PartStep<'a, P: ContourProblem, H, A: Algebra<P>> {
    pub(super) task: Task<'a, P, H, A>,
    pub(super) cell: usize,
    /// The index of this part.
    pub(super) own: usize,
    pub(super) from: &'a Layer<P::State, A::Value>,
    /// The states that have not been expanded.
    blocks: Blocks<'a, 'a, (P::State, A::Value)>,
    /// The number of states that have been expanded.
    expanded: usize,
    pub(super) into: &'a mut Layer<P::State, A::Value>,
    /// A reusable buffer for the successors of a block.
    pub(super) buffer: Successors<P>,
    /// For each part, the successors that have not been sent yet; those of this part are merged at
    /// once.
    pub(super) by_part: Vec<Successors<P>>,
    pub(super) count: StepCount,
    pub(super) error: StepError,
}

impl<'a, P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>> PartStep<'a, P, H, A> {
    /// Creates the part `own` of `parts`, for a sweep with this number of hooks.
    pub(super) fn new(
        task: Task<'a, P, H, A>,
        (clock, hooks): (&'a Clock, usize),
        cell: usize,
        (own, parts): (usize, usize),
        from: &'a Layer<P::State, A::Value>,
        into: &'a mut Layer<P::State, A::Value>,
    ) -> Self {
        PartStep {
            task,
            cell,
            own,
            from,
            blocks: Blocks::new(clock, from.entries(), BLOCK),
            expanded: 0,
            into,
            buffer: Vec::new(),
            by_part: vec![Vec::new(); parts],
            count: StepCount::new(hooks),
            error: StepError::default(),
        }
    }

    /// Expands the next block of states, and merges the successors of this part. Returns
    /// whether the clock was checked before, or `None` if there was no block left.
    ///
    /// # Errors
    ///
    /// Returns the reason to stop, according to the clock.
    pub(crate) fn expand(&mut self) -> Result<Option<bool>, Stop> {
        let Some((sources, is_checked)) = self.blocks.next()? else { return Ok(None) };
        let Self { task, cell, own, from, expanded, into, buffer, by_part, count, error, .. } =
            self;
        let (task, cell, first) = (*task, *cell, *expanded);
        *expanded += sources.len();
        let entries = from.entries();
        let states = sources.iter().map(|source| source.0);
        let merged = if let [successors] = &mut by_part[..] {
            expand(task, cell, states, successors, count);
            merge(task.algebra, cell, sources, successors, into, count)
        } else {
            expand_sharded(task, cell, (states, first), (buffer, by_part), count);
            let merged = merge(task.algebra, cell, entries, &by_part[*own], into, count);
            by_part[*own].clear();
            merged
        };
        *error = error.or(merged);
        Ok(Some(is_checked))
    }

    /// Merges successors whose sources are in `sources`, unless the part is full.
    pub(super) fn merge_successors(
        &mut self,
        sources: &[(P::State, A::Value)],
        successors: &[Successor<P::State, P::Label>],
    ) {
        if !self.is_full() {
            let Self { task, cell, into, count, .. } = self;
            let merged = merge(task.algebra, *cell, sources, successors, into, count);
            self.error = self.error.or(merged);
        }
    }

    /// Returns whether nothing can be merged any more, because the part has exceeded a limit. Its
    /// table may have no index then.
    pub(crate) fn is_full(&self) -> bool {
        self.error.insert.is_some()
    }

    /// Returns the reason why the part cannot be completed, if there is one.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        self.error.check()
    }
}

#[cfg(feature = "timely")]
impl<'a, P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>> PartStep<'a, P, H, A> {
    /// Begins the part `own` of `parts`. The result says whether its table could be prepared.
    pub(crate) fn begin(
        task: Task<'a, P, H, A>,
        stats: &'a SweepStats<'_>,
        cell: usize,
        (own, parts): (usize, usize),
        from: &'a mut Layer<P::State, A::Value>,
        into: &'a mut Layer<P::State, A::Value>,
    ) -> (Self, Result<(), Stop>) {
        into.take_over_slots(from);
        let left = (stats.max_bytes() / parts).saturating_sub(from.bytes());
        into.set_limits(stats.max_states(), left, stats.clock());
        let restarted = into.restart(from.len());
        let (clock, blocks) =
            (stats.clock(), Blocks::of_part(stats.clock(), from.entries(), BLOCK));
        let part = PartStep::new(task, (clock, stats.hooks()), cell, (own, parts), from, into);
        (PartStep { blocks, ..part }, restarted)
    }

    /// Returns the number of successors that wait to be sent to another part.
    pub(crate) fn waiting(&self, part: usize) -> usize {
        self.by_part[part].len()
    }

    /// Passes the states that wait to be sent to another part to `put`, with their extended values,
    /// except those that the algebra rejects.
    pub(crate) fn send(
        &mut self,
        part: usize,
        mut put: impl FnMut(&P::State, &A::Value) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for successor in self.by_part[part].drain(..) {
            let value = &self.from.entries()[successor.source as usize].1;
            match self.task.algebra.extend(value, self.cell, successor.label) {
                Ok(mut value) => {
                    if self.task.algebra.restrict(&mut value, self.cell, successor.state) {
                        put(&successor.state, &value)?;
                    } else {
                        self.count.merged += 1;
                    }
                }
                Err(_) => self.error.overflow = true,
            }
        }
        Ok(())
    }

    /// Merges states with values that other workers have sent.
    pub(crate) fn merge(&mut self, entries: &mut Vec<(P::State, A::Value)>) {
        let merged = merge_values(self.task.algebra, entries, self.into, &mut self.count);
        self.error = self.error.or(merged);
    }

    pub(crate) fn into_count(self) -> StepCount {
        self.count
    }
}
