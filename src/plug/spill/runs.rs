//! Temporary files of entries: a [`Run`] is written once and read sequentially. [`MergedRuns`]
//! reads several runs as one. [`SpillError`] says what failed.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::mem::needs_drop;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::{Builder, NamedTempFile, TempPath};

use crate::checkpoint::{Fingerprint, LoadError, SaveError};
use crate::limits::Stop;
use crate::plug::algebra::Algebra;
use crate::plug::checkpoint::{self, BLOCK, EntryReader, open_layer, write_layer};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::layer::{Layer, hash};
use crate::plug::step::Clock;
use crate::plug::sweep::run::HeapRoom;

/// The reason why a sweep with layers on disk has no outcome. It names the file or the directory.
#[derive(Debug)]
#[non_exhaustive]
pub enum SpillError {
    /// A file could not be written.
    Write(SaveError),
    /// A file could not be read, or is not exactly what was written.
    Read(LoadError),
}

impl fmt::Display for SpillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpillError::Write(error) => error.fmt(f),
            SpillError::Read(error) => error.fmt(f),
        }
    }
}

impl Error for SpillError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SpillError::Write(error) => error.source(),
            SpillError::Read(error) => error.source(),
        }
    }
}

/// The maximum number of runs that are merged at once.
pub(super) const MAX_MERGED: usize = 16;

/// The number of blocks in memory for each run that is read (a buffer and the current block), and
/// for one that is written (a buffer, a block with room for a large entry, and one to spare).
const BLOCKS_TO_READ: usize = 2;
const BLOCKS_TO_WRITE: usize = 4;
/// The number of blocks in memory while runs are merged.
const BLOCKS: usize = BLOCKS_TO_READ * MAX_MERGED + BLOCKS_TO_WRITE;

/// The smallest size of a block.
const MIN_BLOCK: usize = 256;

/// States with one hash are merged in memory. More than this must fit into the memory that values
/// may own. (The standard hash of distinct machine words is distinct.)
const FEW_EQUAL_HASHES: usize = 1 << 12;

/// The reason why a layer was not completed.
pub(super) type Failure = checkpoint::Failure<SpillError>;

impl From<SpillError> for Failure {
    fn from(error: SpillError) -> Self {
        Failure::File(error)
    }
}

/// The number of entries that are read or written between two checks of the clock.
pub(super) const POLL: u64 = 1 << 10;

/// The directory of temporary files, and the size of their blocks.
#[derive(Clone, Debug)]
pub(super) struct RunFiles {
    directory: PathBuf,
    block_bytes: usize,
}

impl RunFiles {
    /// Chooses the size of blocks so that the files of an existing directory are read and written
    /// within an eighth of `max_bytes`, if the smallest blocks are small enough for that.
    pub(super) fn new(directory: PathBuf, max_bytes: usize) -> Self {
        let block_bytes = (max_bytes / 8 / BLOCKS).clamp(MIN_BLOCK, BLOCK);
        RunFiles { directory, block_bytes }
    }

    /// Returns the bytes of all blocks that are in memory while runs are merged.
    pub(super) fn buffer_bytes(&self) -> usize {
        self.block_bytes * BLOCKS
    }

    /// Checks that files can be created in the directory.
    pub(super) fn check(&self) -> Result<(), SpillError> {
        self.create().map(drop)
    }

    fn create(&self) -> Result<NamedTempFile, SpillError> {
        let file = Builder::new().prefix("secateurs-").suffix(".run").tempfile_in(&self.directory);
        file.map_err(|error| SpillError::Write(SaveError::Io(error).in_file(&self.directory)))
    }

    /// Writes entries, which are in the order of the hashes of their states if the run is to be
    /// merged, to a new file, until there are no more or one is an error. Checks that the first one
    /// can be read back as a `D`.
    pub(super) fn write<T: Serialize, D: DeserializeOwned>(
        &self,
        clock: &Clock,
        entries: impl Iterator<Item = Result<T, Failure>>,
    ) -> Result<Run, Failure> {
        let (file, path) = self.create()?.into_parts();
        let (mut count, mut failure) = (0_u64, None);
        let until_failure = entries.map_while(|entry| {
            let is_due = count.is_multiple_of(POLL);
            count += 1;
            let checked = if is_due { clock.check() } else { Ok(()) };
            let entry = checked.map_err(Failure::from).and(entry);
            entry.map_err(|error| failure = Some(error)).ok()
        });
        let fingerprint = fingerprint(&path);
        let block_bytes = self.block_bytes;
        let written = write_layer::<T, D>(file, block_bytes, &fingerprint, None, until_failure);
        if let Some(failure) = failure {
            return Err(failure);
        }
        written.map_err(|error| SpillError::Write(error.in_file(&path)))?;
        Ok(Run { path, entries: count, block_bytes })
    }
}

/// Returns the fingerprint of a file, which no other file has: a file that was replaced is refused.
fn fingerprint(path: &TempPath) -> Fingerprint {
    Fingerprint::new("a spilled layer", &**path)
}

/// A temporary file of entries. It is removed when it is dropped.
#[derive(Debug)]
pub(super) struct Run {
    path: TempPath,
    pub(super) entries: u64,
    block_bytes: usize,
}

impl Run {
    /// Opens the file.
    pub(super) fn open(&self) -> Result<RunReader, SpillError> {
        let path = self.path.to_path_buf();
        match open_layer(&path, self.block_bytes, &fingerprint(&self.path)) {
            Ok((records, _)) => {
                Ok(RunReader { path, reader: EntryReader::new(records, self.entries) })
            }
            Err(error) => Err(SpillError::Read(error.in_file(&path))),
        }
    }
}

/// Reads the entries of a run.
pub(super) struct RunReader {
    path: PathBuf,
    reader: EntryReader<BufReader<File>>,
}

impl RunReader {
    /// Returns the next entry, or `None` at the end of an undamaged file.
    pub(super) fn next<D: DeserializeOwned>(&mut self) -> Result<Option<D>, SpillError> {
        let next = self.reader.next(|| Ok(()));
        next.map_err(|error: LoadError| SpillError::Read(error.in_file(&self.path)))
    }
}

/// A state with its value.
type Entry<P, A> = (<P as ContourProblem>::State, <A as Algebra<P>>::Value);

/// Returns the next entry of an input of a merge, a run or a table.
type Entries<'t, S, V> = Box<dyn FnMut() -> Result<Option<(S, V)>, SpillError> + 't>;

/// An input of a merge: its next entry, and the rest.
struct Source<'t, S, V> {
    entry: (S, V),
    rest: Entries<'t, S, V>,
}

/// The entries of several runs and of a table, with the values of equal states merged, in the order
/// of their hashes.
pub(super) struct MergedRuns<'t, P: ContourProblem, A: Algebra<P>> {
    sources: Vec<Source<'t, P::State, A::Value>>,
    /// The hash of the next entry of each source.
    hashes: Vec<u64>,
    /// Entries of one hash that come next.
    group: Vec<Entry<P, A>>,
    algebra: &'t A,
    /// The maximum bytes of heap that the values in memory may own.
    max_heap: usize,
    clock: &'t Clock,
    /// The most bytes of a group so far, without the heap of its values.
    pub(super) peak_group: usize,
    /// The number of entries that were merged into others.
    pub(super) merged: u64,
}

impl<'t, P, A> MergedRuns<'t, P, A>
where
    P: ContourProblem<State: DeserializeOwned>,
    A: Algebra<P, Value: DeserializeOwned>,
{
    /// Opens runs, each in the order of the hashes of its states, to be merged with a table if
    /// there is one, which must have an index.
    pub(super) fn new(
        runs: &[Run],
        table: Option<&'t Layer<P::State, A::Value>>,
        algebra: &'t A,
        (max_heap, clock): (usize, &'t Clock),
    ) -> Result<Self, SpillError> {
        let mut merged = MergedRuns {
            sources: Vec::new(),
            hashes: Vec::new(),
            group: Vec::new(),
            algebra,
            max_heap,
            clock,
            peak_group: 0,
            merged: 0,
        };
        for run in runs {
            let mut reader = run.open()?;
            merged.add(Box::new(move || reader.next()))?;
        }
        if let Some(table) = table {
            let mut entries = table.by_hash();
            merged.add(Box::new(move || Ok(entries.next().cloned())))?;
        }
        Ok(merged)
    }

    fn add(&mut self, mut rest: Entries<'t, P::State, A::Value>) -> Result<(), SpillError> {
        if let Some(entry) = rest()? {
            self.hashes.push(hash(&entry.0));
            self.sources.push(Source { entry, rest });
        }
        Ok(())
    }

    /// Returns the next entry.
    pub(super) fn next(&mut self) -> Result<Option<Entry<P, A>>, Failure> {
        if self.group.is_empty() {
            self.read_group()?;
        }
        Ok(self.group.pop())
    }

    /// Reads all entries with the smallest hash.
    fn read_group(&mut self) -> Result<(), Failure> {
        let Some(&least) = self.hashes.iter().min() else { return Ok(()) };
        let mut index = 0;
        while let Some(at) = self.hashes[index..].iter().position(|&hash| hash == least) {
            index += at;
            let source = &mut self.sources[index];
            let (state, value) = match (source.rest)()? {
                Some(next) => {
                    self.hashes[index] = hash(&next.0);
                    std::mem::replace(&mut source.entry, next)
                }
                // Another source takes its place.
                None => {
                    let _ = self.hashes.swap_remove(index);
                    self.sources.swap_remove(index).entry
                }
            };
            let mut heap = 0;
            if const { needs_drop::<A::Value>() } {
                let sources = self.sources.iter().map(|source| &source.entry.1);
                let values = sources.chain(self.group.iter().map(|entry| &entry.1)).chain([&value]);
                let bytes = values.map(|value| self.algebra.heap_bytes(value));
                heap = bytes.fold(0, usize::saturating_add);
                if heap > self.max_heap {
                    return Err(Stop::MemoryLimit.into());
                }
            }
            let states = self.group.len();
            if let Some((_, sum)) = self.group.iter_mut().find(|entry| entry.0 == state) {
                if const { needs_drop::<A::Value>() } {
                    let room = HeapRoom(self.max_heap - heap);
                    room.check(self.algebra.heap_to_merge(sum, &value))?;
                }
                self.algebra.merge(sum, value).map_err(|_| Stop::CountOverflow)?;
                self.merged += 1;
                continue;
            }
            if states >= FEW_EQUAL_HASHES {
                // The vector may double, and both exist for a moment.
                let bytes = states.saturating_mul(3 * size_of::<Entry<P, A>>());
                if bytes.saturating_add(heap) > self.max_heap {
                    return Err(Stop::MemoryLimit.into());
                }
                self.peak_group = self.peak_group.max(bytes);
                // Each state is compared with the whole group.
                self.clock.check()?;
            }
            self.group.push((state, value));
        }
        Ok(())
    }
}
