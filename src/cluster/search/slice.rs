//! How much of a task is searched at a time: [`Slice`].

use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The nodes that a worker visits before it looks for messages, and sends on what is left: adapted
/// so that it takes about a given time, or fixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    nodes: u64,
    /// How long it should take; `None` if the nodes are fixed.
    length: Option<Duration>,
}

/// How long a slice is unless something else is asked for: long enough to be worth its messages,
/// short enough for incumbents to be broadcast.
pub(super) const SLICE: Duration = Duration::from_millis(20);

/// What the first slice is: others wait for what is left of it.
const FIRST_SLICE: u64 = 1 << 10;
/// A slice grows by no more than this at a time, and so adapts to nodes that suddenly cost more or
/// less.
const GROWTH: f64 = 2.0;

impl Slice {
    /// About so long.
    pub(super) fn of_length(length: Duration) -> Self {
        Slice { nodes: FIRST_SLICE, length: Some(length) }
    }

    /// So many nodes, at least 1.
    pub(super) fn of_nodes(nodes: u64) -> Self {
        Slice { nodes: nodes.max(1), length: None }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A slice of `nodes` has taken so long.
    pub(super) fn adapt(&mut self, nodes: u64, took: Duration) {
        let Some(length) = self.length.filter(|_| nodes > 0) else { return };
        let wanted = length.as_secs_f64() / took.as_secs_f64().max(1e-9) * nodes as f64;
        // A slice that ended early, as there was nothing left to do, does not say that a longer one
        // is not too long.
        let most = if nodes < self.nodes { self.nodes as f64 } else { self.nodes as f64 * GROWTH };
        self.nodes = wanted.clamp(1.0, most).round() as u64;
    }
}

/// Writes a line of CSV for each slice of each worker of this process: which worker, nodes visited,
/// microseconds, tasks that wait, bytes sent.
pub(super) struct Trace(Mutex<Box<dyn Write + Send>>);

impl Trace {
    pub(super) fn new(mut out: Box<dyn Write + Send>) -> io::Result<Self> {
        writeln!(out, "worker,nodes,microseconds,waiting,bytes")?;
        Ok(Trace(Mutex::new(out)))
    }

    pub(super) fn slice(
        &self,
        worker: usize,
        nodes: u64,
        took: Duration,
        waiting: usize,
        bytes: usize,
    ) {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Figures that cannot be written are no reason to lose a search.
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
    fn it_grows_to_its_length_and_shrinks_at_once() {
        let mut slice = Slice::of_length(Duration::from_millis(20));
        for _ in 0..20 {
            // A node a microsecond.
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
