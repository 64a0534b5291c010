//! The clock of comparisons, audits and recordings: [`Stopwatch`].

use std::time::{Duration, Instant};

/// A stopwatch. Its time stays zero on `wasm32-unknown-unknown`, which has no clock:
/// [`Instant::now`] panics there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Option<Instant>);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        Stopwatch(has_clock.then(Instant::now))
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.map_or(Duration::ZERO, |start| start.elapsed())
    }
}
