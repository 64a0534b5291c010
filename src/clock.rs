//! The clock of limits, progress and reports.
//!
//! `wasm32-unknown-unknown` has no clock: [`std::time::Instant::now`] panics there.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// Whether the target can measure time.
pub(crate) const IS_AVAILABLE: bool = cfg!(not(all(target_family = "wasm", target_os = "unknown")));

/// The only instant of a target without a clock: all times that it measures are zero. Elsewhere,
/// this is [`std::time::Instant`].
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl Instant {
    /// Returns the instant.
    #[must_use]
    pub fn now() -> Self {
        Instant
    }

    /// Returns zero.
    #[must_use]
    pub fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl std::ops::Sub for Instant {
    type Output = std::time::Duration;

    fn sub(self, _: Instant) -> std::time::Duration {
        std::time::Duration::ZERO
    }
}
