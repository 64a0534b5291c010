//! What a model or propagation looked at: squares and pairs of queens, counted as the old programs
//! counted them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the squares tested and the pairs of queens compared by a model that is
/// [told](super::MarkQueens::counting) to. Clones are the same counter.
///
/// The engine counts nodes, which are squares found free; how many squares were tested to find
/// them, only the model knows. The counter may be shared by threads; what they count adds up.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::{Effort, Queens};
///
/// let effort = Effort::new();
/// let queens = Queens::new(8)?.lookback().counting(&effort);
/// let outcome = Search::new(&queens).count();
/// assert_eq!(outcome.report().nodes() - 1, 2_056);
/// assert_eq!(effort.attempts(), 15_720);
/// assert_eq!(effort.pair_tests(), 46_752);
/// # Ok::<(), secateurs::problems::queens::QueensError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Effort(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    attempts: AtomicU64,
    pair_tests: AtomicU64,
    excludes: AtomicU64,
}

impl Effort {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The squares tested, free or not.
    #[must_use]
    pub fn attempts(&self) -> u64 {
        self.0.attempts.load(Ordering::Relaxed)
    }

    /// The pairs of queens compared: a queen placed, and one that is to be. Only
    /// [looking back](super::LookBackQueens) compares any.
    #[must_use]
    pub fn pair_tests(&self) -> u64 {
        self.0.pair_tests.load(Ordering::Relaxed)
    }

    /// The squares that propagation looked at to exclude them, on the rows without a queen; counted
    /// by the hook [`excludes_hook`](Effort::excludes_hook).
    #[must_use]
    pub fn excludes(&self) -> u64 {
        self.0.excludes.load(Ordering::Relaxed)
    }

    pub(super) fn add_excludes(&self, squares: u64) {
        self.0.excludes.fetch_add(squares, Ordering::Relaxed);
    }

    pub(super) fn add(&self, attempts: usize, pair_tests: usize) {
        self.0.attempts.fetch_add(attempts as u64, Ordering::Relaxed);
        self.0.pair_tests.fetch_add(pair_tests as u64, Ordering::Relaxed);
    }
}
