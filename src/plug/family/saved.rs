//! Families in files.
//!
//! After the fingerprint, a file has a record with the sizes of the family, and its nodes in blocks
//! as they are in memory: three numbers of four bytes each, the low byte first.

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::builder::Builder;
use super::diagram::{Family, check_universe};
use super::node::{FIRST, Node};
use crate::checkpoint::{
    Fingerprint, Kind, LoadError, RecordReader, RecordWriter, SaveError, encode, replace,
};
use crate::limits::{Limits, Stop};
use crate::plug::step::Clock;

/// The bytes of a node.
const NODE: usize = 12;
/// The number of nodes of a block, except for the last one.
const BLOCK: usize = 1 << 12;

/// The sizes of a family.
#[derive(Serialize, Deserialize)]
struct Head {
    universe: u64,
    nodes: u64,
    root: u32,
}

impl Family {
    /// Saves the family in a file, which replaces an older one with this name. The
    /// [format](crate::checkpoint#file-format) has checksums; the fingerprint says what the
    /// elements stand for.
    ///
    /// ```
    /// use secateurs::checkpoint::Fingerprint;
    /// use secateurs::plug::Family;
    ///
    /// let family = Family::power_set(9)?.of_size(..=4)?;
    /// let fingerprint = Fingerprint::new("sets of notes", &["c", "d", "e", "f", "g", "a", "b"]);
    /// # let name = format!("secateurs-doc-family-{}", std::process::id());
    /// # let path = std::env::temp_dir().join(name);
    /// family.save(&path, &fingerprint)?;
    /// assert_eq!(Family::load(&path, &fingerprint)?, family);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`write`](Self::write), with the path.
    pub fn save(&self, path: impl AsRef<Path>, fingerprint: &Fingerprint) -> Result<(), SaveError> {
        let path = path.as_ref();
        let saved: Result<(), SaveError> =
            replace(path, |file| self.write(BufWriter::new(file), fingerprint));
        saved.map_err(|error| error.in_file(path))
    }

    /// Writes the family like [`save`](Self::save).
    ///
    /// # Errors
    /// Returns an error if the data cannot be written.
    pub fn write(&self, out: impl Write, fingerprint: &Fingerprint) -> Result<(), SaveError> {
        let mut records = RecordWriter::begin(out, Kind::Family, fingerprint)?;
        let (universe, nodes) = (self.universe() as u64, self.nodes() as u64);
        records.record(&encode(&Head { universe, nodes, root: self.root() })?)?;
        let mut block = Vec::with_capacity(NODE * BLOCK.min(self.nodes()));
        for nodes in self.all_nodes().chunks(BLOCK) {
            block.clear();
            let numbers = nodes.iter().flat_map(|node| [node.element, node.lo, node.hi]);
            block.extend(numbers.flat_map(u32::to_le_bytes));
            records.record(&block)?;
        }
        records.end()
    }

    /// Loads a family that was saved with an equal fingerprint. It has no limits.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read), with the path.
    pub fn load(path: impl AsRef<Path>, fingerprint: &Fingerprint) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let read = || Self::read(BufReader::new(File::open(path)?), fingerprint);
        read().map_err(|error| error.in_file(path))
    }

    /// Reads a family, which must be everything that `reader` returns.
    ///
    /// # Errors
    /// Returns a [`LoadError`] if the data differ from what was written, or have another
    /// fingerprint, or are no reduced diagram, or do not fit into the memory
    /// ([`ErrorKind::OutOfMemory`]).
    pub fn read(reader: impl Read, fingerprint: &Fingerprint) -> Result<Self, LoadError> {
        let mut records = RecordReader::open(reader, Kind::Family, fingerprint)?;
        let Head { universe, nodes, root } = records.next_as()?;
        let refused = |reason: String| LoadError::Inconsistent { reason };
        let universe = usize::try_from(universe).unwrap_or(usize::MAX);
        check_universe(universe).map_err(|error| refused(error.to_string()))?;
        let limits = Limits::new();
        let stopped = |stop| match stop {
            Stop::MemoryLimit => LoadError::Io(ErrorKind::OutOfMemory.into()),
            stop => refused(format!("found {nodes} nodes: {stop}")),
        };
        let mut builder = Builder::new(usize::MAX, Clock::new(&limits)).map_err(stopped)?;
        while let Some(record) = records.next()? {
            let (block, rest) = record.data.as_chunks::<NODE>();
            if !rest.is_empty() {
                return Err(record.inconsistent("found a part of a node at the end of a block"));
            }
            for node in block {
                let (numbers, _) = node.as_chunks::<4>();
                let [element, lo, hi] = [0, 1, 2].map(|at| u32::from_le_bytes(numbers[at]));
                let node = Node { element, lo, hi };
                let added = builder.add_read(node, universe).map_err(stopped)?;
                added.map_err(|reason| record.inconsistent(&reason))?;
            }
        }
        let found = builder.len();
        if found as u64 != nodes {
            return Err(refused(format!("found {found} nodes, expected {nodes}")));
        }
        let last = (FIRST + found as u32).saturating_sub(1);
        let is_root = if found == 0 { root < FIRST } else { root == last };
        if !is_root || !builder.is_whole(root) {
            return Err(refused(format!("found nodes that are not part of the family {root}")));
        }
        let family = Self::new(universe, builder, root, limits);
        family.map_err(|error| stopped(error.stop().unwrap_or(Stop::MemoryLimit)))
    }
}
