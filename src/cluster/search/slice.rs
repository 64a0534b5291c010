//! The length of the slices in which tasks are searched: [`Slice`], and a [`Trace`] of all slices.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The number of nodes that a worker visits before it handles messages and distributes the rest of
/// its task: fixed, or adapted to a given duration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    nodes: u64,
    /// The intended duration; `None` if the number of nodes is fixed.
    length: Option<Duration>,
}

/// The default duration of a slice: long enough to outweigh its messages, short enough for
/// incumbents to spread.
pub(super) const SLICE: Duration = Duration::from_millis(20);

/// The number of nodes of the first slice: small, because other workers are idle until it ends.
const FIRST_SLICE: u64 = 1 << 10;
/// The largest factor by which a slice grows at a time. It limits how long a slice takes if nodes
/// suddenly become more expensive.
const GROWTH: f64 = 2.0;

impl Slice {
    /// Creates a slice that is adapted to about this duration.
    pub(super) fn of_length(length: Duration) -> Self {
        Slice { nodes: FIRST_SLICE, length: Some(length) }
    }

    /// Creates a slice of a fixed number of nodes, at least 1.
    pub(super) fn of_nodes(nodes: u64) -> Self {
        Slice { nodes: nodes.max(1), length: None }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Adapts the slice to the observation that `nodes` nodes took this time.
    pub(super) fn adapt(&mut self, nodes: u64, took: Duration) {
        let Some(length) = self.length.filter(|_| nodes > 0) else { return };
        let wanted = length.as_secs_f64() / took.as_secs_f64().max(1e-9) * nodes as f64;
        // A slice that ended early for lack of tasks is no reason to lengthen the next one.
        let most = if nodes < self.nodes { self.nodes as f64 } else { self.nodes as f64 * GROWTH };
        self.nodes = wanted.clamp(1.0, most).round() as u64;
    }
}

/// A writer of one CSV line per slice of each worker of this process: worker, nodes visited,
/// microseconds, waiting tasks, bytes sent. The lock keeps the lines of different workers apart. A
/// poisoned lock is still valid: a panic of the writer damages at most one line.
pub(super) struct Trace(Mutex<Box<dyn Write + Send>>);

impl Trace {
    pub(super) fn new(mut out: Box<dyn Write + Send>) -> io::Result<Self> {
        writeln!(out, "worker,nodes,microseconds,waiting,bytes")?;
        Ok(Trace(Mutex::new(out)))
    }

    /// Writes the line of a slice.
    pub(super) fn write_slice(
        &self,
        worker: usize,
        nodes: u64,
        took: Duration,
        waiting: usize,
        bytes: usize,
    ) {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A failed write must not abort the search.
        let _ = writeln!(out, "{worker},{nodes},{},{waiting},{bytes}", took.as_micros());
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Trace")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_grows_gradually_and_shrinks_at_once() {
        let mut slice = Slice::of_length(Duration::from_millis(20));
        for _ in 0..20 {
            // One microsecond per node.
            slice.adapt(slice.nodes(), Duration::from_micros(slice.nodes()));
        }
        assert!((19_900..20_100).contains(&slice.nodes()), "{slice:?}");
        let before = slice.nodes();
        slice.adapt(5, Duration::from_micros(5));
        assert_eq!(slice.nodes(), before);
        slice.adapt(before, Duration::from_secs(20));
        assert!((15..25).contains(&slice.nodes()), "{slice:?}");
        slice.adapt(slice.nodes(), Duration::from_secs(60));
        assert_eq!(slice.nodes(), 1);
        let mut fixed = Slice::of_nodes(0);
        fixed.adapt(1, Duration::from_nanos(1));
        assert_eq!(fixed.nodes(), 1);
    }
}
