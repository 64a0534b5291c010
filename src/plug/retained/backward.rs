//! The backward step from one layer to the one before it: [`Backward`].

use std::mem::needs_drop;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use crate::limits::Stop;
use crate::memory::{headroom, is_available};
use crate::plug::algebra::Overflow;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::layer::Layer;
use crate::plug::layer::successors::{BLOCK, Successors, expand, look_ahead};
use crate::plug::step::{Blocks, Clock, MIN_STATES_FOR_THREADS, POLL_STATES, StepCount, Task};

/// A backward step from the layer after `cell`.
pub(super) struct Backward<'a, P: ContourProblem, H> {
    pub(super) problem: &'a P,
    pub(super) hooks: &'a H,
    pub(super) cell: usize,
    /// The layer after `cell`, or `None` for the last layer, which has no cell after it.
    pub(super) after: Option<&'a Layer<P::State, ()>>,
    pub(super) threads: usize,
    pub(super) clock: &'a Clock,
    /// The maximum bytes of heap that the results may own.
    pub(super) left: usize,
}

impl<P: ContourProblem, H: SweepHooks<P>> Backward<'_, P, H> {
    /// Computes a result for each state, in the order of the states, with several threads if there
    /// are many states.
    ///
    /// In the last layer, `end` gives the value of a state. In any other layer, `merge` is called
    /// for each transition to a state of the next layer, with the value so far, the position of
    /// that state and the label. `done` turns the final value into the result. `heap_bytes` returns
    /// the bytes of heap that a result owns; it is called only if results need to be dropped.
    pub(super) fn map<T, U: Send>(
        &self,
        states: &[P::State],
        end: impl Fn(P::State) -> Result<Option<T>, Overflow> + Sync,
        merge: impl Fn(&mut Option<T>, usize, P::Label) -> Result<(), Overflow> + Sync,
        done: impl Fn(Option<T>) -> U + Sync,
        heap_bytes: impl Fn(&U) -> usize + Sync,
    ) -> Result<Vec<U>, Stop> {
        let hooks = self.hooks.claims().len();
        let parts = if self.threads < 2 || states.len() < MIN_STATES_FOR_THREADS {
            1
        } else {
            self.threads
        };
        let left = self.left / parts;
        in_parts(self.clock, states, parts, |part| {
            let mut values = Vec::new();
            values.try_reserve_exact(part.len()).map_err(|_| Stop::MemoryLimit)?;
            let mut heap: usize = 0;
            let (mut successors, mut count) = (Successors::<P>::new(), StepCount::new(hooks));
            let mut blocks = Blocks::new(self.clock, part, BLOCK);
            while let Some((block, _)) = blocks.next()? {
                let sums: Result<Vec<Option<T>>, Overflow> = match self.after {
                    None => block.iter().map(|&state| end(state)).collect(),
                    Some(after) => self.block(block, after, &mut successors, &mut count, &merge),
                };
                let first = values.len();
                values.extend(sums.map_err(|_| Stop::CountOverflow)?.into_iter().map(&done));
                if const { needs_drop::<U>() } {
                    heap =
                        values[first..].iter().map(&heap_bytes).fold(heap, usize::saturating_add);
                    // The values of the next block will take about as much heap as those so far,
                    // and allocate where a failure aborts.
                    let next = (heap / values.len())
                        .saturating_mul(2 * BLOCK)
                        .saturating_add(headroom(self.left));
                    if heap > left || !is_available(next.min(left)) {
                        return Err(Stop::MemoryLimit);
                    }
                }
            }
            Ok(values)
        })
    }

    fn block<T>(
        &self,
        states: &[P::State],
        after: &Layer<P::State, ()>,
        successors: &mut Successors<P>,
        count: &mut StepCount,
        merge: impl Fn(&mut Option<T>, usize, P::Label) -> Result<(), Overflow>,
    ) -> Result<Vec<Option<T>>, Overflow> {
        let task = Task { problem: self.problem, hooks: self.hooks, algebra: &() };
        expand(task, self.problem, self.cell, states.iter().copied(), successors, count);
        look_ahead(after, successors);
        let mut sums: Vec<Option<T>> = states.iter().map(|_| None).collect();
        for successor in successors {
            if let Some(to) = after.find(&successor.state) {
                merge(&mut sums[successor.source as usize], to, successor.label)?;
            }
        }
        Ok(sums)
    }
}

/// Divides the states among this number of threads, maps each part, and concatenates the results in
/// order.
fn in_parts<S: Sync, U: Send>(
    clock: &Clock,
    states: &[S],
    threads: usize,
    map: impl Fn(&[S]) -> Result<Vec<U>, Stop> + Sync,
) -> Result<Vec<U>, Stop> {
    if threads < 2 {
        return map(states);
    }
    let map = &map;
    thread::scope(|scope| {
        let parts = states.chunks(states.len().div_ceil(threads));
        let start =
            |part| thread::Builder::new().spawn_scoped(scope, move || map(part)).map_err(|_| part);
        let workers: Vec<_> = parts.map(start).collect();
        let end = |worker: Result<ScopedJoinHandle<'_, _>, _>| match worker {
            Ok(worker) => worker.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // The thread could not be started: this one does its work.
            Err(part) => map(part),
        };
        let parts: Vec<_> = workers.into_iter().map(end).collect();
        let mut all = Vec::new();
        all.try_reserve_exact(states.len()).map_err(|_| Stop::MemoryLimit)?;
        for part in parts {
            let mut part = part?.into_iter();
            while part.len() > 0 {
                clock.check()?;
                all.extend(part.by_ref().take(POLL_STATES));
            }
        }
        Ok(all)
    })
}
