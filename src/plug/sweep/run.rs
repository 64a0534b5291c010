//! A sweep in this process, and the evaluation of its last layer.

use std::convert::Infallible;
use std::hash::Hash;
use std::mem::needs_drop;

#[cfg(feature = "bigint")]
use super::passes::PassSaver;
use crate::limits::Stop;
use crate::memory::{is_available, vec_bytes};
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{
    Executor, InMemory, Question, Reduce, SweepRun, SweepSettings, Sweeper, WholeLayers,
};
use crate::plug::hook::SweepHooks;
use crate::plug::layer::{Layer, Shards, count_bytes, retain_cancellable};
use crate::plug::stats::SweepStats;
use crate::plug::step::{Clock, POLL_STATES};
use crate::report::Report;

impl<S: Copy + Eq + Hash, V> Sweeper<S, V> for InMemory {}
impl<N> Reduce<N> for InMemory {}
impl WholeLayers for InMemory {}
#[cfg(feature = "bigint")]
impl PassSaver for InMemory {}

impl<P: ContourProblem, H: SweepHooks<P>> Executor<P, H> for InMemory {
    type Answer<T> = T;
    type Sweeper = Self;
    type Error = Infallible;

    fn execute<T: Send>(
        self,
        settings: SweepSettings<'_, P, H>,
        question: &Question,
        work: impl Fn(SweepRun<'_, '_, P, H, Self>) -> Result<T, Stop> + Sync,
    ) -> Result<(Result<T, Stop>, Report), Infallible> {
        let (result, report, InMemory) = execute_here(settings, self, question, work);
        Ok((result, report))
    }

    fn answer<T>(Ok(outcome): Result<T, Infallible>) -> T {
        outcome
    }
}

/// Runs `work` in this process. Returns its result, the report, and `sweeper`.
pub(crate) fn execute_here<P: ContourProblem, H: SweepHooks<P>, T, K>(
    settings: SweepSettings<'_, P, H>,
    mut sweeper: K,
    question: &Question,
    work: impl Fn(SweepRun<'_, '_, P, H, K>) -> Result<T, Stop>,
) -> (Result<T, Stop>, Report, K) {
    let (problem, hooks, mut stats) = settings.start();
    let result = stats.record_reads(|stats| {
        work(SweepRun { problem, hooks: &hooks, stats, sweeper: &mut sweeper, question })
    });
    let stop = result.as_ref().err().copied().unwrap_or(Stop::Exhausted);
    (result, stats.report(stop, question.reads_labels), sweeper)
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

impl<P: ContourProblem, H: SweepHooks<P>, K> SweepRun<'_, '_, P, H, K> {
    /// Sweeps from the start, or from a saved layer, to the end. Returns the total of the values of
    /// all accepted states, unless it is a zero.
    pub(super) fn total_under<A: Algebra<P>>(
        &mut self,
        algebra: &A,
    ) -> Result<Option<A::Value>, Stop>
    where
        K: Sweeper<P::State, A::Value> + Reduce<A::Value>,
    {
        let layer = self.last_layer(algebra)?;
        let total = self.total_of(algebra, layer)?;
        Ok(total.filter(|total| !algebra.is_zero(total)))
    }

    /// Returns the total of the accepted states of the last layer, whose values are converted to
    /// those of the algebra, if there are any.
    pub(super) fn total_of<V, A: Algebra<P>>(
        &mut self,
        algebra: &A,
        layer: Shards<P::State, V>,
    ) -> Result<Option<A::Value>, Stop>
    where
        K: Sweeper<P::State, V> + Reduce<A::Value>,
        A::Value: From<V>,
    {
        let SweepRun { problem, stats, sweeper, .. } = self;
        let max_bytes = Sweeper::<P::State, V>::share_of_memory(*sweeper, stats.max_bytes());
        let max_heap = max_bytes.saturating_sub(count_bytes(&layer));
        let of_this_worker = accepted(*problem, stats.clock(), layer).and_then(|(ends, states)| {
            Reduce::<A::Value>::record_accepted(*sweeper, stats, states);
            let ends = ends.into_iter().flatten();
            let ends = ends.map(|(state, value)| (state, A::Value::from(value)));
            Ok((total(algebra, stats.clock(), max_heap, ends)?, states))
        });
        sweeper.reduce(stats, of_this_worker, |into, value| {
            if const { needs_drop::<A::Value>() } {
                HeapRoom(max_bytes).check(algebra.heap_to_merge(into, &value))?;
            }
            algebra.merge(into, value).map_err(|_| Stop::CountOverflow)
        })
    }

    /// Sweeps from the start, or from a saved layer, to the end.
    pub(super) fn last_layer<A: Algebra<P>>(
        &mut self,
        algebra: &A,
    ) -> Result<Shards<P::State, A::Value>, Stop>
    where
        K: Sweeper<P::State, A::Value>,
    {
        let begun = self.begin(algebra)?;
        let (mut layer, cell) = begun.unwrap_or_else(|| (self.first_layer(algebra), 0));
        let task = self.task(algebra);
        self.sweeper.sweep(task, self.stats, &mut layer, cell).map_err(|(_, stop)| stop)?;
        Ok(layer)
    }
}
