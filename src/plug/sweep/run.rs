//! A sweep in this process: the loop over the layers, and the evaluation of the last one. Layers
//! may be saved by a [`LayerSaver`].

use std::convert::Infallible;
use std::hash::Hash;
use std::mem::needs_drop;

#[cfg(feature = "bigint")]
use super::passes::{PassSaver, Passes};
use crate::limits::Stop;
use crate::memory::{is_available, vec_bytes};
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{
    EntryRules, Execute, Executor, InMemory, Question, QuestionId, Reduce, Resumed, SweepSettings,
    Sweeper, WholeLayers,
};
use crate::plug::hook::SweepHooks;
use crate::plug::layer::advance::advance;
use crate::plug::layer::{Layer, Shards, count_bytes, first_layer, retain_cancellable};
use crate::plug::stats::SweepStats;
use crate::plug::step::{Clock, POLL_STATES, Task};
use crate::plug::widen::{Storable, Widen};
use crate::report::Report;

/// Saves the complete layers of a sweep, and restores the last one. May also keep layers elsewhere
/// than in memory.
pub trait LayerSaver<S: Copy + Eq + Hash, V> {
    /// Sets the index of the type that values have from now on.
    fn set_width(&mut self, width: u32);

    /// Returns the point from which the sweep continues.
    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        threads: usize,
        entries: &EntryRules<'_, S, V>,
    ) -> Result<Resumed<Shards<S, V>>, Stop>;

    /// Saves a complete layer if that is due. `stop` is the reason if the sweep has stopped; the
    /// layer is then the last complete one.
    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Option<Stop>);

    /// Computes the layer after `cell`, like [`advance`].
    fn advance<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        stats: &mut SweepStats<'_>,
        cell: usize,
        layer: &mut Shards<S, V>,
        next: &mut Shards<S, V>,
    ) -> Result<(), Stop> {
        advance(task, stats, cell, layer, next)
    }

    /// Returns the layer with wider numbers if it is not in memory, or would not fit. By default,
    /// it is widened in memory.
    fn widen_elsewhere<W: Storable>(
        &mut self,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
    ) -> Result<Option<Shards<S, W>>, Stop>
    where
        V: Widen<W>,
    {
        let _ = (stats, layer);
        Ok(None)
    }

    /// Brings the last layer into memory, at least the states that `accept` accepts. `heap_bytes`
    /// returns the bytes of heap that a value owns.
    fn bring_into_memory(
        &mut self,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
        accept: impl Fn(S) -> bool,
        heap_bytes: &dyn Fn(&V) -> usize,
    ) -> Result<(), Stop> {
        let _ = (stats, layer, accept, heap_bytes);
        Ok(())
    }
}

/// A saver that does nothing.
#[derive(Debug)]
pub struct Unsaved;

impl<S: Copy + Eq + Hash, V> LayerSaver<S, V> for Unsaved {
    fn set_width(&mut self, _: u32) {}

    fn resume(
        &mut self,
        _: &Question,
        _: &mut SweepStats<'_>,
        _: usize,
        _: &EntryRules<'_, S, V>,
    ) -> Result<Resumed<Shards<S, V>>, Stop> {
        Ok(Resumed::Nothing)
    }

    #[inline]
    fn save(&mut self, _: &mut SweepStats<'_>, _: &[Layer<S, V>], _: Option<Stop>) {}
}

#[cfg(feature = "bigint")]
impl PassSaver for Unsaved {}

impl<P: ContourProblem, H: SweepHooks<P>> Execute<P, H> for InMemory {
    type Sweeper = Local<Unsaved>;
    type Error = Infallible;

    fn execute<T: Send>(
        self,
        settings: SweepSettings<'_, P, H>,
        _: &QuestionId,
        reads_labels: bool,
        work: impl Fn(&P, &H, &mut SweepStats<'_>, &mut Local<Unsaved>) -> Result<T, Stop> + Sync,
    ) -> Result<(Result<T, Stop>, Report), Infallible> {
        let (result, report, Unsaved) = execute_here(settings, Unsaved, reads_labels, work);
        Ok((result, report))
    }
}

impl<P: ContourProblem, H: SweepHooks<P>> Executor<P, H> for InMemory {
    type Answer<T> = T;

    fn answer<T>(Ok(outcome): Result<T, Infallible>) -> T {
        outcome
    }
}

/// Runs `work` in this process. Returns its result, the report, and `saver`.
pub(crate) fn execute_here<P: ContourProblem, H: SweepHooks<P>, T, K>(
    settings: SweepSettings<'_, P, H>,
    saver: K,
    reads_labels: bool,
    work: impl Fn(&P, &H, &mut SweepStats<'_>, &mut Local<K>) -> Result<T, Stop>,
) -> (Result<T, Stop>, Report, K) {
    let (problem, hooks, threads, mut stats) = settings.start();
    let mut local = Local { saver, threads };
    let result = work(problem, &hooks, &mut stats, &mut local);
    let stop = result.as_ref().err().copied().unwrap_or(Stop::Exhausted);
    (result, stats.into_report(stop, reads_labels), local.saver)
}

/// The only worker of a sweep in this process, with a number of threads.
#[derive(Debug)]
pub struct Local<K> {
    pub(crate) saver: K,
    pub(crate) threads: usize,
}

impl<K> WholeLayers for Local<K> {}

impl<S: Copy + Eq + Hash, V, K: LayerSaver<S, V>> Sweeper<S, V> for Local<K> {
    fn set_width(&mut self, width: u32) {
        self.saver.set_width(width);
    }

    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        entries: &EntryRules<'_, S, V>,
    ) -> Result<Resumed<Shards<S, V>>, Stop> {
        self.saver.resume(question, stats, self.threads, entries)
    }

    fn first_layer(&self, start: S, one: V) -> Shards<S, V> {
        first_layer(start, one, self.threads)
    }

    fn sweep<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
        cell: usize,
    ) -> Result<(), (usize, Stop)> {
        sweep(task, stats, layer, cell, &mut self.saver)
    }

    fn share_of_memory(&self, max_bytes: usize) -> usize {
        max_bytes
    }

    fn widen_elsewhere<W: Storable>(
        &mut self,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
    ) -> Result<Option<Shards<S, W>>, Stop>
    where
        V: Widen<W>,
    {
        self.saver.widen_elsewhere(stats, layer)
    }

    fn agree(
        &mut self,
        stats: &mut SweepStats<'_>,
        bytes: usize,
        result: Result<(), Stop>,
    ) -> Result<(), Stop> {
        stats.record_bytes(bytes);
        result
    }

    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Stop) {
        self.saver.save(stats, layer, Some(stop));
    }
}

#[cfg(feature = "bigint")]
impl<K: PassSaver> PassSaver for Local<K> {
    fn saved_passes(&mut self, question: &Question) -> Result<Option<Passes>, Stop> {
        self.saver.saved_passes(question)
    }

    fn begin_pass(&mut self, passes: &Passes) {
        self.saver.begin_pass(passes);
    }
}

impl<N, K> Reduce<N> for Local<K> {
    fn record_accepted(&self, stats: &mut SweepStats<'_>, accepted: u64) {
        stats.record_accepted(accepted);
    }

    fn reduce(
        &mut self,
        stats: &mut SweepStats<'_>,
        own: Result<(Option<N>, u64), Stop>,
        _: impl FnMut(&mut N, N) -> Result<(), Stop>,
    ) -> Result<Option<N>, Stop> {
        let (sum, accepted) = own?;
        stats.record_accepted(accepted);
        Ok(sum)
    }
}

/// Returns whether a state from a file may be one before `cell`.
pub(super) fn is_legal<P: ContourProblem>(problem: &P, cell: usize, state: P::State) -> bool {
    let fits = cell.checked_sub(1).is_none_or(|last| problem.fits(last).is_ok());
    fits && problem.is_legal(cell, state)
}

/// Sweeps as [`Sweeper::sweep`] does, with two layers in memory.
fn sweep<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    stats: &mut SweepStats<'_>,
    layer: &mut Shards<P::State, A::Value>,
    cell: usize,
    saver: &mut impl LayerSaver<P::State, A::Value>,
) -> Result<(), (usize, Stop)> {
    let mut next: Shards<P::State, A::Value> = layer.iter().map(|_| Layer::new()).collect();
    // The heap of values is not yet counted in the first layer and in one that was read or widened.
    for part in layer.iter_mut() {
        let counted = part.recount_heap(stats.clock(), |value| task.algebra.heap_bytes(value));
        if let Err(stop) = counted {
            stats.at_complete_layer();
            saver.save(stats, layer, Some(stop));
            return Err((cell, stop));
        }
    }
    for cell in cell..task.problem.cells() {
        if let Err(stop) = saver.advance(task, stats, cell, layer, &mut next) {
            saver.save(stats, layer, Some(stop));
            return Err((cell, stop));
        }
        std::mem::swap(layer, &mut next);
        let stop = (cell + 1 == task.problem.cells()).then_some(Stop::Exhausted);
        saver.save(stats, layer, stop);
    }
    let accept = |state| task.problem.accept(state);
    saver
        .bring_into_memory(stats, layer, accept, &|value| task.algebra.heap_bytes(value))
        .map_err(|stop| (task.problem.cells(), stop))
}

/// The accepted states of each shard of the last layer, with their values.
pub(crate) type Accepted<S, V> = Vec<Vec<(S, V)>>;

/// Returns the accepted states of the last layer and their number.
pub(crate) fn accepted<P: ContourProblem, V>(
    problem: &P,
    clock: &Clock,
    layer: Shards<P::State, V>,
) -> Result<(Accepted<P::State, V>, u64), Stop> {
    let mut parts: Accepted<_, _> = layer.into_iter().map(Layer::into_entries).collect();
    // In place, so that a large layer is not copied.
    for part in &mut parts {
        retain_cancellable(part, clock, |&(state, _)| problem.accept(state))?;
    }
    let states: usize = parts.iter().map(Vec::len).sum();
    Ok((parts, states as u64))
}

/// Returns the states of all shards in one list. Their values own `heap` bytes.
pub(crate) fn joined<S, V>(
    mut parts: Accepted<S, V>,
    heap: usize,
    stats: &mut SweepStats<'_>,
) -> Result<Vec<(S, V)>, Stop> {
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    let states = parts.iter().map(Vec::len).sum();
    let separate: usize = parts.iter().map(vec_bytes).sum();
    let bytes = heap + separate + states * size_of::<(S, V)>();
    stats.record_bytes(bytes);
    if bytes > stats.max_bytes() {
        return Err(Stop::MemoryLimit);
    }
    let mut ends = Vec::new();
    ends.try_reserve_exact(states).map_err(|_| Stop::MemoryLimit)?;
    for (index, end) in parts.into_iter().flatten().enumerate() {
        if index % POLL_STATES == 0 {
            stats.clock().check()?;
        }
        ends.push(end);
    }
    Ok(ends)
}

/// Returns the total of the accepted states under the algebra, if there are any. The heap of the
/// total and of what is computed on the way may take `max_heap` bytes beside the states.
pub(crate) fn total<P: ContourProblem, A: Algebra<P>>(
    algebra: &A,
    clock: &Clock,
    max_heap: usize,
    ends: impl IntoIterator<Item = (P::State, A::Value)>,
) -> Result<Option<A::Value>, Stop> {
    let owns_heap = const { needs_drop::<A::Value>() };
    let heap_bytes = |value: &A::Value| if owns_heap { algebra.heap_bytes(value) } else { 0 };
    let mut room = HeapRoom(max_heap);
    let mut sum: Option<A::Value> = None;
    for (index, (state, value)) in ends.into_iter().enumerate() {
        if index % POLL_STATES == POLL_STATES - 1 {
            clock.check()?;
        }
        // The finished value replaces that of the state.
        let before = heap_bytes(&value);
        room.check(before)?;
        let value = algebra.finish(value, state).map_err(|_| Stop::CountOverflow)?;
        let finished = heap_bytes(&value);
        room.replace(before, finished);
        match &mut sum {
            Some(sum) => {
                let before = finished.saturating_add(heap_bytes(sum));
                if owns_heap {
                    room.check(algebra.heap_to_merge(sum, &value))?;
                }
                algebra.merge(sum, value).map_err(|_| Stop::CountOverflow)?;
                room.replace(before, heap_bytes(sum));
            }
            None => sum = Some(value),
        }
    }
    Ok(sum)
}

/// A block of at least this many bytes must be available before it is allocated. Smaller ones come
/// out of the headroom that tables leave.
const PROBED_BLOCK: usize = 1 << 16;

/// The bytes of heap that values may still take.
pub(crate) struct HeapRoom(pub(crate) usize);

impl HeapRoom {
    /// Checks that the limit and the system have room for this many bytes.
    pub(crate) fn check(&self, bytes: usize) -> Result<(), Stop> {
        let fits = bytes <= self.0 && (bytes < PROBED_BLOCK || is_available(bytes));
        if fits { Ok(()) } else { Err(Stop::MemoryLimit) }
    }

    /// Records that values that owned `before` bytes are replaced by values that own `after` bytes.
    pub(crate) fn replace(&mut self, before: usize, after: usize) {
        self.0 = self.0.saturating_add(before).saturating_sub(after);
    }
}

/// Sweeps from the start, or from a saved layer, to the end. Returns the total of the values of all
/// accepted states.
pub(super) fn total_under<P, H, A, K>(
    task: Task<'_, P, H, A>,
    question: &Question,
    stats: &mut SweepStats<'_>,
    sweeper: &mut K,
) -> Result<Option<A::Value>, Stop>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    A: Algebra<P>,
    K: Sweeper<P::State, A::Value> + Reduce<A::Value>,
{
    let layer = last_layer(task, question, stats, sweeper)?;
    let max_bytes = sweeper.share_of_memory(stats.max_bytes());
    let max_heap = max_bytes.saturating_sub(count_bytes(&layer));
    let of_this_worker = accepted(task.problem, stats.clock(), layer).and_then(|(ends, states)| {
        sweeper.record_accepted(stats, states);
        let ends = ends.into_iter().flatten();
        Ok((total(task.algebra, stats.clock(), max_heap, ends)?, states))
    });
    sweeper.reduce(stats, of_this_worker, |into, value| {
        if const { needs_drop::<A::Value>() } {
            HeapRoom(max_bytes).check(task.algebra.heap_to_merge(into, &value))?;
        }
        task.algebra.merge(into, value).map_err(|_| Stop::CountOverflow)
    })
}

/// Sweeps from the start, or from a saved layer, to the end.
pub(super) fn last_layer<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    question: &Question,
    stats: &mut SweepStats<'_>,
    sweeper: &mut impl Sweeper<P::State, A::Value>,
) -> Result<Shards<P::State, A::Value>, Stop> {
    let entries = EntryRules {
        is_legal: &|cell, state| is_legal(task.problem, cell, state),
        heap_bytes: &|value| task.algebra.heap_bytes(value),
    };
    let (mut layer, cell) = match sweeper.resume(question, stats, &entries)? {
        Resumed::Layer(layer, cell) => (layer, cell),
        Resumed::Nothing | Resumed::WiderValues => {
            (sweeper.first_layer(task.problem.start(), task.algebra.one()), 0)
        }
    };
    sweeper.sweep(task, stats, &mut layer, cell).map_err(|(_, stop)| stop)?;
    Ok(layer)
}
