//! The passes that make the retained layers, and walks through them: [`Layers`]. A backward pass
//! consists of steps from one layer to the one before it: [`Backward`].

use std::mem::needs_drop;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use crate::incumbent::reading::{Reads, ThreadReads};
use crate::limits::{Limits, Stop};
use crate::memory::{block_bytes, headroom, is_available};
use crate::plug::algebra::{Algebra, Overflow};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::layer::advance::advance;
use crate::plug::layer::successors::{BLOCK, Successors, expand, look_ahead};
use crate::plug::layer::{
    Layer, copy_states, count_bytes, count_states, first_layer, recount_heap, retain_cancellable,
    sum_of_heap,
};
use crate::plug::stats::SweepStats;
use crate::plug::step::{Blocks, Clock, MIN_STATES_FOR_THREADS, POLL_STATES, StepCount, Task};
use crate::plug::sweep::Sweep;
use crate::plug::sweep::run::HeapRoom;
use crate::report::{Level, Report};

/// The panic message if a state that led to a solution in an earlier pass leads to none.
const NONDETERMINISTIC_STEP: &str =
    "the problem's `step` emitted other states than in an earlier call";

/// An algebra under which dominance drops nothing, because a dominated state may lead to further
/// solutions.
pub(in crate::plug) struct AllWays;

impl<P: ContourProblem> Algebra<P> for AllWays {
    type Value = ();

    #[inline]
    fn one(&self) {}
    #[inline]
    fn extend(&self, (): &(), _: usize, _: P::Label) -> Result<(), Overflow> {
        Ok(())
    }
    #[inline]
    fn merge(&self, (): &mut (), (): ()) -> Result<(), Overflow> {
        Ok(())
    }
}

/// The layers of a sweep, without the states from which no solution is reached.
pub(in crate::plug) struct Layers<'p, P: ContourProblem, H> {
    problem: &'p P,
    hooks: H,
    limits: Limits,
    /// The clock of the sweep, whose time limit includes all operations on the layers.
    clock: Clock,
    threads: usize,
    /// One layer more than there are cells.
    layers: Vec<Layer<P::State, ()>>,
    /// The report of the sweep, for operations that do not return labels and for those that do.
    report: Report,
    on_labels: Report,
    /// Whether an operation after the sweep has read an incumbent. All accesses are relaxed: the
    /// flag carries no data, and the thread of the operation sees it.
    has_read_incumbent: AtomicBool,
}

/// The point at which a pass over retained layers stopped, and the reason.
pub(in crate::plug) struct PassError {
    pub(in crate::plug) stop: Stop,
    pub(in crate::plug) layer: usize,
    pub(in crate::plug) states: u64,
}

impl PassError {
    /// Returns the report of the pass, based on that of the sweep.
    pub(in crate::plug) fn report(&self, mut report: Report) -> Report {
        report.stop = self.stop;
        if let Some(sweep) = &mut report.sweep {
            sweep.stop_backward(self.layer, self.states);
        }
        report
    }
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> Layers<'p, P, H> {
    /// Makes the layers by a forward pass and a backward pass. `algebra` serves dominance in the
    /// forward pass. An error is the report of a sweep that stopped early.
    pub(super) fn build<A: Algebra<P>>(
        sweep: Sweep<'p, P, H>,
        algebra: &A,
    ) -> Result<Self, Box<Report>> {
        let limits = sweep.settings.limits.clone();
        let (problem, hooks, mut stats) = sweep.settings.start();
        let threads = stats.threads();
        let task = Task { problem, hooks: &hooks, algebra };
        let layers = stats.record_reads(|stats| {
            let layers = forward(task, stats)?;
            trim(task, stats, layers)
        });
        let layers = layers.map_err(|stop| Box::new(stats.report(stop, true)))?;
        stats.record_accepted(layers.last().map_or(0, Layer::len) as u64);
        let [report, on_labels] =
            [false, true].map(|reads_labels| stats.report(Stop::Exhausted, reads_labels));
        let has_read_incumbent = AtomicBool::new(false);
        Ok(Layers {
            problem,
            hooks,
            limits,
            clock: stats.clock().clone(),
            threads,
            layers,
            report,
            on_labels,
            has_read_incumbent,
        })
    }

    /// Runs an operation, and records whether it reads an incumbent: reports then weaken their
    /// claims.
    pub(in crate::plug) fn record_reads<T>(&self, operation: impl FnOnce() -> T) -> T {
        let mut reads = Reads::default();
        let recording = reads.begin();
        let result = operation();
        recording.end(&mut reads);
        if reads.any() {
            self.has_read_incumbent.store(true, Ordering::Relaxed);
        }
        result
    }

    /// Returns the problem and the hooks of the sweep.
    pub(in crate::plug) fn task(&self) -> Task<'_, P, H, AllWays> {
        Task { problem: self.problem, hooks: &self.hooks, algebra: &AllWays }
    }

    pub(super) fn cells(&self) -> usize {
        self.layers.len() - 1
    }

    /// Returns the layers, beginning with that of the start.
    pub(in crate::plug) fn all(&self) -> &[Layer<P::State, ()>] {
        &self.layers
    }

    /// Returns the start if there is a solution.
    pub(super) fn start(&self) -> Option<P::State> {
        self.layers[0].states().next()
    }

    pub(in crate::plug) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(in crate::plug) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the bytes of the layers.
    pub(super) fn bytes(&self) -> usize {
        self.layers.iter().map(Layer::bytes).sum()
    }

    /// Returns the report of the sweep and of an operation after it that took the time `elapsed`.
    pub(in crate::plug) fn report(&self, reads_labels: bool, elapsed: Duration) -> Report {
        let mut report = if reads_labels { &self.on_labels } else { &self.report }.clone();
        report.elapsed = report.elapsed.saturating_add(elapsed);
        if self.has_read_incumbent.load(Ordering::Relaxed) {
            report.add_read_in_sweep();
        }
        report
    }

    /// Calls `put` for each transition from a state in `cell` that leads to a solution, with the
    /// position of the new state in its layer, that state, and the label.
    #[inline]
    pub(super) fn successors(
        &self,
        cell: usize,
        state: P::State,
        mut put: impl FnMut(usize, P::State, P::Label),
    ) {
        self.problem.step(cell, state, &mut |mut next, label| {
            if self.hooks.enter(self.problem, cell, &mut next).is_none()
                && let Some(index) = self.layers[cell + 1].find(&next)
            {
                put(index, next, label);
            }
        });
    }

    /// Walks from the start to the end, in each cell by the first transition that `take` accepts,
    /// and returns the labels. `take` gets the cell, the positions of the states before and after
    /// it, and the label. There must be a solution, and `take` must accept a transition in each
    /// cell. Panics if `step` does not emit the states that it emitted before.
    pub(super) fn follow(
        &self,
        mut take: impl FnMut(usize, usize, usize, P::Label) -> bool,
    ) -> Vec<P::Label> {
        let mut here = self.start().map(|start| (0, start));
        let mut labels = Vec::with_capacity(self.cells());
        self.record_reads(|| {
            for cell in 0..self.cells() {
                let (from, state) = here.expect(NONDETERMINISTIC_STEP);
                here = None;
                self.successors(cell, state, |to, next, label| {
                    if here.is_none() && take(cell, from, to, label) {
                        here = Some((to, next));
                        labels.push(label);
                    }
                });
            }
        });
        labels
    }

    /// Computes the value of each state under `algebra`, from the end back to the start: the total
    /// of all paths from the state to the end. Returns the values of all layers, or of the first
    /// only. Panics like [`follow`](Layers::follow).
    pub(super) fn to_go<A: Algebra<P>>(
        &self,
        algebra: &A,
        of_all: bool,
    ) -> Result<Vec<Vec<A::Value>>, PassError> {
        let clock = &self.clock;
        let mut to_go: Vec<Vec<A::Value>> = self.layers.iter().map(|_| Vec::new()).collect();
        let (mut bytes, mut heap_after) = (self.bytes(), 0);
        for cell in (0..self.layers.len()).rev() {
            let states = self.layers[cell].entries();
            let length = states.len();
            let error_at = |stop| PassError { stop, layer: cell, states: length as u64 };
            bytes += length * size_of::<A::Value>();
            // With several threads, each value also exists in the part of its thread until the
            // parts are concatenated.
            let parts = if self.threads > 1 { length * size_of::<A::Value>() } else { 0 };
            let max_heap = self.limits.max_bytes().checked_sub(bytes.saturating_add(parts));
            let max_heap = max_heap.ok_or_else(|| error_at(Stop::MemoryLimit))?;
            let backward = Backward {
                problem: self.problem,
                hooks: &self.hooks,
                cell,
                after: self.layers.get(cell + 1),
                threads: self.threads,
                clock,
                max_heap,
            };
            let pass = || {
                backward.map(
                    states,
                    |state| algebra.finish(algebra.one(), state).map(Some),
                    |sum, next, label, room| {
                        let after = &to_go[cell + 1][next];
                        let owns_heap = const { needs_drop::<A::Value>() };
                        let before = sum.as_ref().filter(|_| owns_heap);
                        let before = before.map_or(0, |sum| algebra.heap_bytes(sum));
                        if owns_heap {
                            room.check(match sum {
                                Some(sum) => algebra.heap_to_absorb(sum, after, cell, label),
                                None => algebra.heap_to_extend(after, cell, label),
                            })?;
                        }
                        let merged = match sum {
                            Some(sum) => algebra.absorb(sum, after, cell, label),
                            None => {
                                algebra.extend(after, cell, label).map(|value| *sum = Some(value))
                            }
                        };
                        merged.map_err(|_| Stop::CountOverflow)?;
                        if let Some(sum) = sum.as_ref().filter(|_| owns_heap) {
                            room.replace(before, algebra.heap_bytes(sum));
                        }
                        Ok(())
                    },
                    |value| value.expect(NONDETERMINISTIC_STEP),
                    |value| algebra.heap_bytes(value),
                )
            };
            let values = self.record_reads(pass);
            to_go[cell] = values.map_err(error_at)?;
            let heap = sum_of_heap(to_go[cell].iter(), clock, |value| algebra.heap_bytes(value))
                .map_err(error_at)?;
            bytes = bytes.saturating_add(heap);
            if !of_all && let Some(after) = to_go.get_mut(cell + 1) {
                bytes -= after.len() * size_of::<A::Value>() + heap_after;
                *after = Vec::new();
            }
            heap_after = heap;
        }
        Ok(to_go)
    }
}

/// The states of a layer, as entries of a table without values.
pub(in crate::plug) type States<S> = Vec<(S, ())>;

/// Returns the bytes of the states of a layer, with its place in the vector of all layers. That
/// vector may grow, and then exists twice for a moment.
pub(in crate::plug) fn bytes_of_states<S>(states: usize) -> usize {
    3 * size_of::<Vec<S>>() + block_bytes(states.saturating_mul(size_of::<S>()))
}

/// Runs the forward pass and returns the states of all layers.
pub(in crate::plug) fn forward<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    stats: &mut SweepStats<'_>,
) -> Result<Vec<States<P::State>>, Stop> {
    let mut layer = first_layer(task.problem.start(), task.algebra.one(), stats.threads());
    let mut next: Vec<Layer<P::State, A::Value>> = layer.iter().map(|_| Layer::new()).collect();
    let (mut retained, mut bytes) = (Vec::new(), 0);
    recount_heap(&mut layer, stats.clock(), |value| task.algebra.heap_bytes(value))?;
    for cell in 0..task.problem.cells() {
        advance(task, stats, cell, &mut layer, &mut next)?;
        bytes += bytes_of_states::<P::State>(count_states(&layer));
        // Both layers still exist while the states are copied.
        stats.set_retained_bytes(bytes, count_bytes(&layer) + count_bytes(&next))?;
        retained.push(copy_states(&layer, stats.clock(), |state| (state, ()))?);
        layer.fill_with(Layer::new);
        std::mem::swap(&mut layer, &mut next);
    }
    bytes += bytes_of_states::<P::State>(count_states(&layer));
    stats.set_retained_bytes(bytes, count_bytes(&layer))?;
    retained.push(copy_states(&layer, stats.clock(), |state| (state, ()))?);
    Ok(retained)
}

/// Drops from each layer the states that lead to no solution, from the last layer to the first, and
/// makes the indexes.
fn trim<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    stats: &mut SweepStats<'_>,
    mut layers: Vec<States<P::State>>,
) -> Result<Vec<Layer<P::State, ()>>, Stop> {
    let of_states = bytes_of_states::<P::State>;
    let mut bytes: usize = layers.iter().map(|states| of_states(states.len())).sum();
    // Two reports are retained as well.
    bytes += layers.len() * (size_of::<Layer<P::State, ()>>() + 2 * size_of::<Level>());
    let mut retained: Vec<Layer<P::State, ()>> = Vec::new();
    let reserved = stats
        .set_retained_bytes(bytes, 0)
        .and_then(|()| retained.try_reserve_exact(layers.len()).map_err(|_| Stop::MemoryLimit));
    let states = layers.last().map_or(0, Vec::len) as u64;
    reserved.inspect_err(|_| stats.stop_backward(layers.len().saturating_sub(1), states))?;
    while let Some(states) = layers.pop() {
        let (cell, all) = (layers.len(), states.len());
        let layer = trim_layer(task, stats, cell, states, retained.last(), &mut bytes);
        retained.push(layer.inspect_err(|_| stats.stop_backward(cell, all as u64))?);
    }
    retained.reverse();
    Ok(retained)
}

/// Drops the states before `cell` that lead to none `after` it, and makes the index. `bytes` are
/// those of all layers.
fn trim_layer<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    stats: &mut SweepStats<'_>,
    cell: usize,
    mut states: States<P::State>,
    after: Option<&Layer<P::State, ()>>,
    bytes: &mut usize,
) -> Result<Layer<P::State, ()>, Stop> {
    let (all, threads, clock) = (states.len(), stats.threads(), &stats.clock().clone());
    // One byte for each state says whether it leads to a solution. With several threads, each byte
    // also exists in the part of its thread until the parts are concatenated.
    stats.set_retained_bytes(*bytes, if threads > 1 { 2 * all } else { all })?;
    let Task { problem, hooks, .. } = task;
    let backward = Backward { problem, hooks, cell, after, threads, clock, max_heap: usize::MAX };
    let alive = backward.map(
        &states,
        |state| Ok(task.problem.accept(state).then_some(())),
        |alive, _, _, _| {
            *alive = Some(());
            Ok(())
        },
        |alive| alive.is_some(),
        |_| 0,
    );
    let mut alive = alive?.into_iter();
    retain_cancellable(&mut states, clock, |_| alive.next().unwrap_or(false))?;
    drop(alive);
    let kept = states.len();
    if kept < all {
        // Shrinking may copy the states.
        stats.set_retained_bytes(*bytes, kept * size_of::<P::State>())?;
        states.shrink_to_fit();
    }
    let of_states = bytes_of_states::<P::State>;
    let index = block_bytes(Layer::<P::State, ()>::index_bytes(kept));
    *bytes = *bytes - of_states(all) + of_states(kept) + index;
    stats.set_retained_bytes(*bytes, 0)?;
    Layer::indexed(states, clock)
}

/// A backward step from the layer after `cell`.
struct Backward<'a, P: ContourProblem, H> {
    problem: &'a P,
    hooks: &'a H,
    cell: usize,
    /// The layer after `cell`, or `None` for the last layer, which has no cell after it.
    after: Option<&'a Layer<P::State, ()>>,
    threads: usize,
    clock: &'a Clock,
    /// The maximum bytes of heap that the results may own.
    max_heap: usize,
}

impl<P: ContourProblem, H: SweepHooks<P>> Backward<'_, P, H> {
    /// Computes a result for each state, in the order of the states, with several threads if there
    /// are many states.
    ///
    /// In the last layer, `end` gives the value of a state. In any other layer, `merge` is called
    /// for each transition to a state of the next layer, with the value so far, the position of
    /// that state, the label, and the heap that the values of the part may still take. `done` turns
    /// the final value into the result. `heap_bytes` returns the bytes of heap that a result owns;
    /// it is called only if results need to be dropped.
    fn map<T, U: Send>(
        &self,
        states: &[(P::State, ())],
        end: impl Fn(P::State) -> Result<Option<T>, Overflow> + Sync,
        merge: impl Fn(&mut Option<T>, usize, P::Label, &mut HeapRoom) -> Result<(), Stop> + Sync,
        done: impl Fn(Option<T>) -> U + Sync,
        heap_bytes: impl Fn(&U) -> usize + Sync,
    ) -> Result<Vec<U>, Stop> {
        let hooks = self.hooks.claims().len();
        let task = Task { problem: self.problem, hooks: self.hooks, algebra: &() };
        let parts = if self.threads < 2 || states.len() < MIN_STATES_FOR_THREADS {
            1
        } else {
            self.threads
        };
        let max_heap_of_part = self.max_heap / parts;
        in_parts(self.clock, states, parts, |part| {
            let mut values = Vec::new();
            values.try_reserve_exact(part.len()).map_err(|_| Stop::MemoryLimit)?;
            let (mut heap, mut room) = (0_usize, HeapRoom(max_heap_of_part));
            let (mut successors, mut count) = (Successors::<P>::new(), StepCount::new(hooks));
            let mut blocks = Blocks::new(self.clock, part, BLOCK);
            while let Some((block, _)) = blocks.next()? {
                let sums: Vec<Option<T>> = match self.after {
                    None => {
                        let ends = block.iter().map(|&(state, ())| end(state));
                        ends.collect::<Result<_, _>>().map_err(|_| Stop::CountOverflow)?
                    }
                    Some(after) => {
                        let from = block.iter().map(|&(state, ())| state);
                        expand(task, self.cell, from, &mut successors, &mut count);
                        look_ahead(after, &successors);
                        let mut sums: Vec<Option<T>> = block.iter().map(|_| None).collect();
                        for successor in &successors {
                            if let Some(to) = after.find(&successor.state) {
                                let sum = &mut sums[successor.source as usize];
                                merge(sum, to, successor.label, &mut room)?;
                            }
                        }
                        sums
                    }
                };
                let first = values.len();
                values.extend(sums.into_iter().map(&done));
                if const { needs_drop::<U>() } {
                    heap =
                        values[first..].iter().map(&heap_bytes).fold(heap, usize::saturating_add);
                    // The values of the next block will take about as much heap as those so far,
                    // and allocate where a failure aborts.
                    let next = (heap / values.len())
                        .saturating_mul(2 * BLOCK)
                        .saturating_add(headroom(self.max_heap));
                    let room = max_heap_of_part.checked_sub(heap).ok_or(Stop::MemoryLimit)?;
                    if !is_available(next.min(room)) {
                        return Err(Stop::MemoryLimit);
                    }
                }
            }
            Ok(values)
        })
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
    let (map, reads) = (&map, &ThreadReads::default());
    thread::scope(|scope| {
        let parts = states.chunks(states.len().div_ceil(threads));
        let start = |part| {
            let work = move || reads.collect(|| map(part));
            thread::Builder::new().spawn_scoped(scope, work).map_err(|_| part)
        };
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
