//! The step from one layer to the next, with layers in memory or in files.

use std::hash::Hash;
use std::mem::needs_drop;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Spilled;
use super::runs::{Failure, MAX_MERGED, MergedRuns, POLL, Run, RunFiles, RunReader, SpillError};
use crate::limits::Stop;
use crate::plug::algebra::{Algebra, Storable, Widen};
use crate::plug::checkpoint::LoadedShards;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{Reduce, Sweeper, WholeLayers};
use crate::plug::hook::SweepHooks;
use crate::plug::layer::successors::{BLOCK, Successors, expand, merge_until_full};
use crate::plug::layer::{Layer, Shards, count_bytes, count_states, hash};
use crate::plug::sorting::sort_in_current_thread;
use crate::plug::stats::SweepStats;
use crate::plug::step::{Blocks, Clock, StepCount, Task};
#[cfg(feature = "bigint")]
use crate::plug::sweep::passes::PassSaver;

/// The most entries that are read from a file at once.
const CHUNK: usize = 1 << 13;

impl Spilled {
    /// Returns the reason to stop, and records an error of a file.
    fn stop(&mut self, failure: Failure) -> Stop {
        match failure {
            Failure::Stopped(stop) => stop,
            Failure::File(error) => {
                self.failed = Some(error);
                Stop::Interrupted
            }
        }
    }
}

/// Returns the number of entries that are read from a file at once.
fn chunk_size<T>(max_bytes: usize) -> usize {
    (max_bytes / 64 / size_of::<T>().max(1)).clamp(BLOCK, CHUNK)
}

/// Reads up to `size` entries into `chunk`, fewer if their values own more than `max_heap` bytes.
fn read_chunk<S: DeserializeOwned, V: DeserializeOwned>(
    reader: &mut RunReader,
    chunk: &mut Vec<(S, V)>,
    (size, max_heap): (usize, usize),
    heap_bytes: impl Fn(&V) -> usize,
) -> Result<(), SpillError> {
    chunk.clear();
    let mut heap: usize = 0;
    while chunk.len() < size && heap <= max_heap {
        let Some(entry) = reader.next::<(S, V)>()? else { break };
        if const { needs_drop::<V>() } {
            heap = heap.saturating_add(heap_bytes(&entry.1));
        }
        chunk.push(entry);
    }
    Ok(())
}

/// Writes the entries of a layer to a file, and frees their memory.
fn move_to_file<S, V>(
    files: &RunFiles,
    clock: &Clock,
    layer: &mut Layer<S, V>,
) -> Result<Run, Failure>
where
    S: Copy + Eq + Hash + Serialize + DeserializeOwned,
    V: Serialize + DeserializeOwned,
{
    let entries = layer.entries().iter().map(|(state, value)| Ok((state, value)));
    let run = files.write::<_, (S, V)>(clock, entries)?;
    *layer = Layer::new();
    Ok(run)
}

/// The step from one layer to the next.
struct SpilledStep<'a, P: ContourProblem, H, A: Algebra<P>> {
    task: Task<'a, P, H, A>,
    cell: usize,
    files: &'a RunFiles,
    clock: &'a Clock,
    /// The last layer, if it is in a file, and at the end the next one.
    layer: &'a mut Option<Run>,
    /// The maximum number of states of the next layer, and of those in memory.
    max_states: usize,
    max_in_memory: usize,
    /// The runs of the next layer.
    runs: Vec<Run>,
    count: StepCount,
    /// The memory limit.
    max_bytes: usize,
    /// Bytes beside the table, and the peak of all bytes.
    bytes_beside: usize,
    peak_bytes: usize,
}

impl<P, H, A> SpilledStep<'_, P, H, A>
where
    P: ContourProblem<State: Serialize + DeserializeOwned>,
    H: SweepHooks<P>,
    A: Algebra<P, Value: Serialize + DeserializeOwned>,
{
    /// Expands entries of the last layer, and merges their successors into a table that is written
    /// to a run whenever it is full.
    fn expand(
        &mut self,
        entries: &[(P::State, A::Value)],
        successors: &mut Successors<P>,
        table: &mut Layer<P::State, A::Value>,
    ) -> Result<(), Failure> {
        let (task, cell) = (self.task, self.cell);
        let mut blocks = Blocks::new(self.clock, entries, BLOCK);
        while let Some((sources, _)) = blocks.next()? {
            let states = sources.iter().map(|source| source.0);
            expand(task, cell, states, successors, &mut self.count);
            let (mut left, mut was_empty) = (&successors[..], false);
            loop {
                let count = &mut self.count;
                let (error, unmerged) =
                    merge_until_full(task.algebra, cell, sources, left, table, count);
                left = &left[left.len() - unmerged..];
                if error.overflow {
                    return Err(Stop::CountOverflow.into());
                }
                match error.insert {
                    None => break,
                    Some(Stop::StateLimit) if table.len() >= self.max_states => {
                        return Err(Stop::StateLimit.into());
                    }
                    Some(Stop::StateLimit | Stop::MemoryLimit) => {
                        if table.len() > 0 {
                            was_empty = false;
                            self.write_run(table)?;
                        } else if std::mem::replace(&mut was_empty, true) {
                            // There is no memory for a single state.
                            return Err(Stop::MemoryLimit.into());
                        }
                        table.restart_at_full_size()?;
                    }
                    Some(stop) => return Err(stop.into()),
                }
            }
        }
        Ok(())
    }

    /// Writes the entries of the table to a run, in the order of their hashes.
    fn write_run(&mut self, table: &mut Layer<P::State, A::Value>) -> Result<(), Failure> {
        self.record_bytes(table);
        let (files, clock) = (self.files, self.clock);
        let run = if table.is_indexed() {
            let entries = table.by_hash().map(|(state, value)| Ok((state, value)));
            files.write::<_, (P::State, A::Value)>(clock, entries)?
        } else {
            let compare = |one: &(P::State, A::Value), other: &(P::State, A::Value)| {
                hash(&one.0).cmp(&hash(&other.0))
            };
            sort_in_current_thread(table.entries_mut(), &compare, &|| clock.check())?;
            let entries = table.entries().iter().map(|(state, value)| Ok((state, value)));
            files.write::<_, (P::State, A::Value)>(clock, entries)?
        };
        self.runs.push(run);
        Ok(())
    }

    fn record_bytes(&mut self, table: &Layer<P::State, A::Value>) {
        self.peak_bytes = self.peak_bytes.max(self.bytes_beside + table.peak_bytes());
    }

    /// Merges all runs and the table, which must have an index, into one run.
    fn merge_runs(&mut self, table: &mut Layer<P::State, A::Value>) -> Result<Run, Failure> {
        // The table may become one more run.
        while self.runs.len() >= MAX_MERGED {
            let merged: Vec<Run> = self.runs.drain(..MAX_MERGED).collect();
            let run = self.merge(&merged, None)?;
            self.runs.push(run);
        }
        let runs = std::mem::take(&mut self.runs);
        let run = match self.merge(&runs, Some(table)) {
            // Large values, or many states with one hash, need the memory of the table.
            Err(Failure::Stopped(Stop::MemoryLimit)) if table.len() > 0 => {
                self.runs = runs;
                self.write_run(table)?;
                *table = Layer::new();
                let runs = std::mem::take(&mut self.runs);
                self.merge(&runs, None)?
            }
            merged => merged?,
        };
        if run.entries > self.max_states as u64 { Err(Stop::StateLimit.into()) } else { Ok(run) }
    }

    fn merge(
        &mut self,
        runs: &[Run],
        table: Option<&Layer<P::State, A::Value>>,
    ) -> Result<Run, Failure> {
        let in_table = table.map_or(0, Layer::bytes);
        let max_heap = self.max_bytes.saturating_sub(self.bytes_beside.saturating_add(in_table));
        let limits = (max_heap, self.clock);
        let mut merged = MergedRuns::<P, A>::new(runs, table, self.task.algebra, limits)?;
        let entries = std::iter::from_fn(|| merged.next().transpose());
        let run = self.files.write::<_, (P::State, A::Value)>(self.clock, entries)?;
        self.count.merged += merged.merged;
        let group_end = self.bytes_beside + in_table + merged.peak_group;
        self.peak_bytes = self.peak_bytes.max(group_end);
        Ok(run)
    }

    /// Computes the layer after `cell`, in memory or in a file, and returns its number of states.
    /// After an error the last layer has the same states and values.
    fn run(
        &mut self,
        from: &mut Layer<P::State, A::Value>,
        table: &mut Layer<P::State, A::Value>,
    ) -> Result<u64, Failure> {
        let (files, clock) = (self.files, self.clock);
        let (max_states, max_bytes) = (self.max_states.min(self.max_in_memory), self.max_bytes);
        let chunk_size = chunk_size::<(P::State, A::Value)>(max_bytes);
        let chunk_bytes = chunk_size.saturating_mul(size_of::<(P::State, A::Value)>());
        let buffers = files.buffer_bytes().saturating_add(2 * chunk_bytes);
        table.take_over_slots(from);
        if max_bytes < usize::MAX {
            from.release_slack(table, max_bytes);
        }
        if self.layer.is_none() && (from.bytes() > max_bytes / 2 || from.len() > max_states) {
            *self.layer = Some(move_to_file(files, clock, from)?);
        }
        let mut reader = self.layer.as_ref().map(Run::open).transpose()?;
        self.bytes_beside = from.bytes().saturating_add(buffers);
        table.set_limits(max_states, max_bytes.saturating_sub(self.bytes_beside), clock);
        let restarted = match reader {
            Some(_) if !needs_drop::<A::Value>() => table.restart_at_full_size(),
            Some(_) => table.restart(table.capacity() / 2),
            None => table.restart(from.len()),
        };
        restarted?;
        let (mut chunk, mut at) = (Vec::new(), 0);
        let mut successors = Successors::<P>::new();
        loop {
            if let Some(reader) = &mut reader {
                let heap_bytes = |value: &A::Value| self.task.algebra.heap_bytes(value);
                read_chunk(reader, &mut chunk, (chunk_size, chunk_bytes), heap_bytes)?;
                if chunk.is_empty() {
                    break;
                }
                self.expand(&chunk, &mut successors, table)?;
                continue;
            }
            let end = from.len().min(at + chunk_size);
            if at == end {
                break;
            }
            self.expand(&from.entries()[at..end], &mut successors, table)?;
            at = end;
            if !self.runs.is_empty() {
                // The table needs the memory of the last layer.
                let moved = self.layer.insert(move_to_file(files, clock, from)?);
                let mut opened = moved.open()?;
                for _ in 0..at {
                    opened.next::<(P::State, A::Value)>()?;
                }
                reader = Some(opened);
                self.bytes_beside = buffers;
                table.set_limits(max_states, max_bytes.saturating_sub(buffers), clock);
            }
        }
        self.record_bytes(table);
        if self.runs.is_empty() {
            *self.layer = None;
            return Ok(table.len() as u64);
        }
        // Nothing is expanded any more.
        drop(chunk);
        self.bytes_beside = self.bytes_beside.saturating_sub(2 * chunk_bytes);
        let merged = self.merge_runs(table)?;
        table.clear();
        let states = merged.entries;
        *self.layer = Some(merged);
        // The table is that of the next step.
        std::mem::swap(from, table);
        Ok(states)
    }
}

impl<N> Reduce<N> for Spilled {}
impl WholeLayers for Spilled {}

impl<S, V> Sweeper<S, V> for Spilled
where
    S: Copy + Eq + Hash + Serialize + DeserializeOwned,
    V: Serialize + DeserializeOwned,
{
    fn advance<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        stats: &mut SweepStats<'_>,
        cell: usize,
        layer: &mut Shards<S, V>,
        next: &mut Shards<S, V>,
    ) -> Result<(), Stop> {
        let ([from], [table]) = (&mut layer[..], &mut next[..]) else {
            unreachable!("a sweep with layers on disk has one part of each layer")
        };
        let states = self.layer.as_ref().map_or(from.len() as u64, |run| run.entries);
        stats.before_cell(cell, states)?;
        task.problem.fits(cell).map_err(|too_wide| stats.too_wide(too_wide))?;
        let mut step = SpilledStep {
            task,
            cell,
            files: &self.files,
            clock: &stats.clock().clone(),
            layer: &mut self.layer,
            max_states: stats.max_states(),
            max_in_memory: self.max_states,
            runs: Vec::new(),
            count: StepCount::new(stats.hooks()),
            max_bytes: stats.max_bytes(),
            bytes_beside: 0,
            peak_bytes: 0,
        };
        match step.run(from, table) {
            Ok(states) => {
                let states = usize::try_from(states).unwrap_or(usize::MAX);
                stats.record_layer(&step.count, states, &[], step.peak_bytes);
                Ok(())
            }
            Err(failure) => {
                let spilled: u64 = step.runs.iter().map(|run| run.entries).sum();
                let spilled = usize::try_from(spilled).unwrap_or(usize::MAX);
                stats.record_incomplete_layer(table.len().saturating_add(spilled), step.peak_bytes);
                Err(self.stop(failure))
            }
        }
    }

    fn widen_elsewhere<W: Storable>(
        &mut self,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
    ) -> Result<Option<Shards<S, W>>, Stop>
    where
        V: Widen<W>,
    {
        let clock = stats.clock();
        let widened = match &self.layer {
            Some(run) => widen_file::<S, V, W>(&self.files, clock, run),
            None => {
                let both = size_of::<(S, V)>() + size_of::<(S, W)>();
                let bytes = count_states(layer).saturating_mul(both);
                // Numbers that own heap take an unknown number of bytes.
                let may_fit = !needs_drop::<W>() && bytes <= stats.max_bytes();
                if may_fit && count_bytes(layer) <= stats.max_bytes() - bytes / 2 {
                    return Ok(None);
                }
                let entries = layer.iter().flat_map(Layer::entries);
                let wider = entries.map(|(state, value)| Ok((*state, value.widen())));
                self.files.write::<_, (S, W)>(clock, wider)
            }
        };
        let file = widened.map_err(|failure| self.stop(failure))?;
        self.layer = Some(file);
        Ok(Some(vec![Layer::new()]))
    }

    fn end(
        &mut self,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
        accept: impl Fn(S) -> bool,
        heap_bytes: &dyn Fn(&V) -> usize,
    ) -> Result<(), Stop> {
        let Some(run) = self.layer.take() else { return Ok(()) };
        let max_bytes = stats.max_bytes().saturating_sub(self.files.buffer_bytes());
        let mut loaded = LoadedShards::new(1, max_bytes, heap_bytes);
        let mut load = || -> Result<(), Failure> {
            let mut reader = run.open()?;
            for read in 0_u64.. {
                if read.is_multiple_of(POLL) {
                    stats.clock().check()?;
                }
                let Some(entry) = reader.next::<(S, V)>()? else { break };
                if accept(entry.0) {
                    loaded.push(0, entry)?;
                }
            }
            Ok(())
        };
        load().map_err(|failure| self.stop(failure))?;
        *layer = loaded.into_layer();
        Ok(())
    }
}

/// Returns a file of the same layer with wider numbers.
fn widen_file<S, V, W>(files: &RunFiles, clock: &Clock, run: &Run) -> Result<Run, Failure>
where
    S: Serialize + DeserializeOwned,
    V: Widen<W> + DeserializeOwned,
    W: Storable,
{
    let mut reader = run.open()?;
    let entries = std::iter::from_fn(|| reader.next::<(S, V)>().transpose());
    let wider = entries.map(|entry| entry.map(|(state, value)| (state, value.widen())));
    files.write::<_, (S, W)>(clock, wider.map(|entry| entry.map_err(Failure::from)))
}

#[cfg(feature = "bigint")]
impl PassSaver for Spilled {}
