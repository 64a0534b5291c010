//! Saving layers in a file and loading them: [`Saved`], and [`LoadedShards`], the entries of a
//! layer that is being read.

use std::hash::Hash;
use std::mem::needs_drop;

use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(feature = "bigint")]
use super::layer_format::read_passes;
use super::layer_format::{
    BLOCK, EntryReader, Head, LayerReader, illegal_state, inconsistent, open_layer, write_layer,
};
use crate::checkpoint::{LoadError, Lock, SavedFile};
use crate::clock::Instant;
use crate::limits::Stop;
use crate::memory::{grown, headroom, is_available};
use crate::plug::executor::{EntryRules, Question, Reduce, Resumed, Sweeper, WholeLayers};
use crate::plug::layer::{Layer, Shards, count_states, hash, shard};
use crate::plug::stats::SweepStats;
#[cfg(feature = "bigint")]
use crate::plug::sweep::passes::{PassSaver, Passes};

/// The reason why a layer was not loaded or written.
#[derive(Debug)]
pub(crate) enum Failure<E = LoadError> {
    /// The error of the file.
    File(E),
    /// The sweep reached a limit.
    Stopped(Stop),
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Failure::File(error)
    }
}

impl<E> From<Stop> for Failure<E> {
    fn from(stop: Stop) -> Self {
        Failure::Stopped(stop)
    }
}

/// The [`Executor`](crate::plug::Executor) of a sweep that is saved while it runs: created by
/// [`Sweep::checkpoint`](crate::plug::Sweep::checkpoint) and
/// [`Sweep::resume`](crate::plug::Sweep::resume).
///
/// It answers the questions of [`Sweep`](crate::plug::Sweep) that need two layers. An answer is an
/// error, without sweeping, if the file to resume from belongs to another question, algebra or
/// weights, or has states or values of other types; and if the algebra has data and has not stated
/// its [parameters](crate::plug::Algebra::parameters).
///
/// For a [count by residues](crate::plug::Sweep::count_by_residues), the file holds the last
/// complete layer of the current pass, and the results of the passes before it.
#[derive(Debug)]
pub struct Saved<'c> {
    file: &'c mut SavedFile,
    /// The lock of the file, which keeps other runs from saving in it until this one has ended.
    _lock: Lock,
    /// Whether the run resumes from the file, and has not read the layer yet.
    resume: bool,
    /// The text of the question, once it is asked.
    pub(super) question: String,
    /// The index of the type of the values, among the types of the question.
    pub(crate) width: u32,
    /// The results of earlier passes, if this is a count by residues.
    #[cfg(feature = "bigint")]
    passes: Option<Passes>,
    /// The time of the last attempt to save.
    last_attempt: Instant,
    /// The contents of the file: the index of the type of its values, and the cell.
    saved: Option<(u32, usize)>,
    /// The error that prevented the run.
    failed: Option<LoadError>,
}

impl<'c> Saved<'c> {
    pub(super) fn new(file: &'c mut SavedFile, lock: Lock, resume: bool) -> Self {
        Saved {
            file,
            _lock: lock,
            resume,
            question: String::new(),
            width: 0,
            #[cfg(feature = "bigint")]
            passes: None,
            last_attempt: Instant::now(),
            saved: None,
            failed: None,
        }
    }

    /// Returns `value`, the result of the run, or the error that prevented the run.
    pub(crate) fn result<T>(self, value: T) -> Result<T, LoadError> {
        self.failed.map_or(Ok(value), Err)
    }

    /// Returns whether a layer has to be saved now.
    pub(crate) fn is_due(&self, stats: &SweepStats<'_>, stop: Option<Stop>) -> bool {
        // After an overflow, either the numbers grow and the same cell comes again, or they cannot
        // grow and there is nothing to resume.
        stop != Some(Stop::CountOverflow)
            && self.saved != Some((self.width, stats.cells_done()))
            && (stop.is_some() || self.last_attempt.elapsed() >= self.file.interval)
    }

    /// Saves a layer whose entries can be read back as `D`s.
    pub(crate) fn save<T: Serialize, D: DeserializeOwned>(
        &mut self,
        stats: &mut SweepStats<'_>,
        stop: Option<Stop>,
        length: u64,
        entries: impl Iterator<Item = T>,
    ) {
        let head = Head::new(&self.question, self.width, length, stats, stop);
        #[cfg(feature = "bigint")]
        let head = Head { passes: self.passes.clone(), ..head };
        let saved = self.file.save(|out, fingerprint| {
            write_layer::<T, D>(out, BLOCK, fingerprint, Some(&head), entries)
        });
        if saved.is_ok() {
            self.saved = Some((self.width, stats.cells_done()));
        }
        stats.set_unsaved(saved.err());
        self.last_attempt = Instant::now();
    }

    /// Loads the layer if the run resumes. `read` gets the statistics, the number of entries, and
    /// the reader of the entries.
    pub(crate) fn load<L>(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        read: impl FnOnce(&mut SweepStats<'_>, u64, LayerReader) -> Result<L, Failure>,
    ) -> Result<Resumed<L>, Stop> {
        if !self.resume {
            return Ok(Resumed::Nothing);
        }
        match self.try_load(question, stats, read) {
            Ok(resumed) => {
                // After a pass of several, the next one begins at the start.
                self.resume = matches!(resumed, Resumed::WiderValues);
                Ok(resumed)
            }
            Err(Failure::Stopped(stop)) => {
                // The file is still valid.
                self.saved = Some((self.width, stats.cells_done()));
                Err(stop)
            }
            Err(Failure::File(error)) => Err(self.fail(error)),
        }
    }

    /// Records the error that prevents the run, and returns the reason to stop.
    fn fail(&mut self, error: LoadError) -> Stop {
        self.failed = Some(error.in_file(&self.file.path));
        Stop::Interrupted
    }

    fn try_load<L>(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        read: impl FnOnce(&mut SweepStats<'_>, u64, LayerReader) -> Result<L, Failure>,
    ) -> Result<Resumed<L>, Failure> {
        #[cfg_attr(not(feature = "bigint"), allow(unused_mut, reason = "there are no passes"))]
        let (mut reader, head) = open_layer(&self.file.path, BLOCK, &self.file.fingerprint)?;
        let Some(head) = head else { return Ok(Resumed::Nothing) };
        head.check_question(&self.question)?;
        #[cfg(feature = "bigint")]
        if self.passes.is_some() {
            read_passes(&mut reader)?;
        }
        if head.width >= question.value_types || head.width < self.width {
            let reason =
                format!("found values of an unexpected type, with the number {}", head.width);
            return Err(inconsistent(reason).into());
        }
        if head.width > self.width {
            return Ok(Resumed::WiderValues);
        }
        let cell = stats.resume(head.report).map_err(inconsistent)?;
        let layer = read(stats, head.entries, reader)?;
        self.saved = Some((self.width, cell));
        Ok(Resumed::Layer(layer, cell))
    }
}

#[cfg(feature = "bigint")]
impl PassSaver for Saved<'_> {
    fn saved_passes(&mut self) -> Result<Option<Passes>, Stop> {
        if !self.resume {
            return Ok(None);
        }
        let read = || -> Result<Option<Passes>, LoadError> {
            let (mut reader, head) = open_layer(&self.file.path, BLOCK, &self.file.fingerprint)?;
            let Some(head) = head else { return Ok(None) };
            head.check_question(&self.question)?;
            read_passes(&mut reader).map(Some)
        };
        read().map_err(|error| self.fail(error))
    }

    fn begin_pass(&mut self, passes: &Passes) {
        // Files name the type of the values by the number of the pass.
        self.width = passes.current().number;
        self.passes = Some(passes.clone());
    }
}

impl<N> Reduce<N> for Saved<'_> {}
impl WholeLayers for Saved<'_> {}

impl<S, V> Sweeper<S, V> for Saved<'_>
where
    S: Copy + Eq + Hash + Serialize + DeserializeOwned,
    V: Serialize + DeserializeOwned,
{
    fn set_width(&mut self, width: u32) {
        self.width = width;
    }

    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        rules: &EntryRules<'_, S, V>,
    ) -> Result<Resumed<Shards<S, V>>, Stop> {
        self.load(question, stats, |stats, entries, reader| {
            let threads = stats.threads();
            if entries != stats.states() {
                let expected = stats.states();
                let reason = format!("found {entries} states, expected {expected} by its report");
                return Err(inconsistent(reason).into());
            }
            let mut loaded = LoadedShards::new(threads, stats.max_bytes(), rules.heap_bytes);
            loaded.reserve_states(usize::try_from(entries).unwrap_or(usize::MAX))?;
            let cell = stats.cells_done();
            let mut reader = EntryReader::new(reader, entries);
            let check_clock = || stats.clock().check().map_err(Failure::from);
            while let Some((state, value)) = reader.next::<(S, V), _>(check_clock)? {
                if !(rules.is_legal)(cell, state) {
                    return Err(illegal_state(cell).into());
                }
                loaded.push(shard(hash(&state), threads), (state, value))?;
            }
            if loaded.lengths().any(|states| states >= u32::MAX as usize) {
                return Err(Stop::StateLimit.into());
            }
            Ok(loaded.into_layer())
        })
    }

    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Option<Stop>) {
        if self.is_due(stats, stop) {
            let entries =
                layer.iter().flat_map(Layer::entries).map(|(state, value)| (state, value));
            Saved::save::<_, (S, V)>(self, stats, stop, count_states(layer) as u64, entries);
        }
    }
}

/// The entries of a layer that is being read, in shards that together observe a memory limit.
pub(crate) struct LoadedShards<'a, S, V> {
    shards: Vec<Vec<(S, V)>>,
    max_bytes: usize,
    /// The bytes allocated for the shards and on the heap of their values.
    bytes: usize,
    heap_bytes: &'a dyn Fn(&V) -> usize,
}

impl<'a, S: Copy + Eq + Hash, V> LoadedShards<'a, S, V> {
    /// Creates empty shards. `heap_bytes` returns the bytes of heap that a value owns.
    pub(crate) fn new(
        shards: usize,
        max_bytes: usize,
        heap_bytes: &'a dyn Fn(&V) -> usize,
    ) -> Self {
        let shards = (0..shards).map(|_| Vec::new()).collect();
        LoadedShards { shards, max_bytes, bytes: 0, heap_bytes }
    }

    /// Reserves memory for this many states, if there is a memory limit. Shards then need not grow
    /// while they are read; growth takes additional memory for a moment, which might exceed the
    /// limit. Without a limit, nothing is reserved, because the file may promise more states than
    /// it has.
    pub(crate) fn reserve_states(&mut self, states: usize) -> Result<(), Stop> {
        if self.max_bytes == usize::MAX {
            return Ok(());
        }
        let size = size_of::<(S, V)>();
        if states.saturating_mul(size) > self.max_bytes {
            return Err(Stop::MemoryLimit);
        }
        let count = self.shards.len();
        let share = states.div_ceil(count);
        // States are distributed by their hashes, so shards differ a little in size.
        let wanted = if count == 1 { share } else { share + share / 16 };
        let room = self.max_bytes / size.max(1) / count;
        (0..count).try_for_each(|shard| self.reserve(shard, wanted.min(room)))
    }

    /// Adds an entry to a shard.
    pub(crate) fn push(&mut self, shard: usize, entry: (S, V)) -> Result<(), Stop> {
        if const { needs_drop::<V>() } {
            self.bytes = self.bytes.saturating_add((self.heap_bytes)(&entry.1));
            if self.bytes > self.max_bytes {
                return Err(Stop::MemoryLimit);
            }
        }
        let states = self.shards[shard].len();
        if states == self.shards[shard].capacity() {
            let capacity = grown::<(S, V)>(states, self.bytes, self.max_bytes);
            self.reserve(shard, capacity.ok_or(Stop::MemoryLimit)?)?;
        }
        self.shards[shard].push(entry);
        Ok(())
    }

    /// Raises the capacity of a shard to `capacity` states.
    fn reserve(&mut self, shard: usize, capacity: usize) -> Result<(), Stop> {
        let entries = &mut self.shards[shard];
        let before = entries.capacity();
        let reserved = entries.try_reserve_exact(capacity - entries.len());
        let more = (entries.capacity() - before).saturating_mul(size_of::<(S, V)>());
        self.bytes = self.bytes.saturating_add(more);
        // Some memory must stay free for small allocations elsewhere, whose failure aborts.
        let is_full = reserved.is_err() || !is_available(headroom(self.max_bytes).min(self.bytes));
        if is_full { Err(Stop::MemoryLimit) } else { Ok(()) }
    }

    /// Returns the number of states of each shard.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
        self.shards.iter().map(Vec::len)
    }

    pub(crate) fn into_layer(self) -> Shards<S, V> {
        self.shards.into_iter().map(Layer::from_entries).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loads `states` states into shards that were reserved for `expected` states. Returns the
    /// bytes of the layer.
    fn loaded(
        shards: usize,
        max_bytes: usize,
        expected: usize,
        states: usize,
    ) -> Result<usize, Stop> {
        let mut loaded = LoadedShards::new(shards, max_bytes, &Vec::capacity);
        loaded.reserve_states(expected)?;
        for state in 0..states {
            loaded.push(state % shards, (state as u64, Vec::<u8>::with_capacity(state % 2 * 8)))?;
        }
        let layer = loaded.into_layer();
        assert_eq!(layer.iter().map(Layer::len).sum::<usize>(), states);
        Ok(layer.iter().map(Layer::bytes).sum())
    }

    #[test]
    fn a_layer_of_exactly_the_limit_is_loaded() {
        // 32 bytes for each state, and on average 4 bytes of heap.
        let tables = 32 * 1_000;
        assert_eq!(loaded(1, tables + 4_000, 1_000, 1_000), Ok(tables));
        assert_eq!(loaded(1, tables + 3_999, 1_000, 1_000), Err(Stop::MemoryLimit));
        assert_eq!(loaded(1, tables - 1, 1_000, 0), Err(Stop::MemoryLimit));
        let of_three = loaded(3, 2 * tables, 1_000, 1_000).expect("enough memory");
        assert!((tables..tables + tables / 15).contains(&of_three), "{of_three}");
    }

    #[test]
    fn more_states_than_expected_observe_the_limit() {
        for max_bytes in (10_000..100_000).step_by(9_973) {
            let states = (1..).find(|&states| loaded(2, max_bytes, 0, states).is_err());
            let states = states.expect("a limit");
            let most = max_bytes / 36;
            assert!(
                (most / 2..=most + 2).contains(&states),
                "{states} states in {max_bytes} bytes"
            );
        }
        assert!(loaded(2, usize::MAX, usize::MAX, 10).is_ok());
    }
}
