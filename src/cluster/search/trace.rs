//! What each slice was: for measuring, and for simulations of larger clusters.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

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
