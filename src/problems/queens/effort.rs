//! [`Effort`]: counters of tested squares and pairs of queens, comparable with published programs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::csp::{Decision, Network};
use crate::hook::{Hook, HookMemory, NodeMut, Verdict};

/// A counter of the squares that a model tests and the pairs of queens that it compares; see
/// [`counting`](super::MarkQueens::counting).
///
/// The engine counts nodes, which are squares found free. Only the model can count the squares
/// tested to find them. Clones share one counter, and threads may share it: it holds their sums.
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
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Effort(Arc<Counters>);

// All accesses are relaxed: each counter is a sum of its own that orders no other memory. A caller
// that joins the threads of a search before it reads sees the final sums.
#[derive(Debug, Default)]
struct Counters {
    attempts: AtomicU64,
    pair_tests: AtomicU64,
    excludes: AtomicU64,
}

impl Effort {
    /// Creates counters that start at 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of squares tested, free or not.
    #[must_use]
    pub fn attempts(&self) -> u64 {
        self.0.attempts.load(Ordering::Relaxed)
    }

    /// Returns the number of pairs of queens compared: a queen placed, and a candidate for the next
    /// one. Only the [look-back model](super::LookBackQueens) compares pairs.
    #[must_use]
    pub fn pair_tests(&self) -> u64 {
        self.0.pair_tests.load(Ordering::Relaxed)
    }

    /// Returns the number of squares that square-by-square propagation would examine. The hook
    /// [`excludes_hook`](Effort::excludes_hook) counts them.
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

impl Effort {
    /// Returns a hook that counts, in this counter, the squares that a square-by-square program
    /// examines when it places a queen: on each row without a queen, the squares of the queen's
    /// column and of its two diagonals, whether they are excluded already or not.
    ///
    /// Plugged in before [`Propagate::forward`](crate::csp::Propagate::forward), it reproduces the
    /// columns `excludes` of the [article's tables](super). The network itself excludes a whole set
    /// of squares at a time, so it cannot count single squares. The time per node is linear in the
    /// number of open rows.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Ascending, Branching, InputOrder, Propagate};
    /// use secateurs::problems::queens::{Effort, Queens};
    ///
    /// let network = Queens::new(8)?.board().network();
    /// let effort = Effort::new();
    /// let outcome = Search::new(&network)
    ///     .hooks((effort.excludes_hook(), Propagate::forward().without_wipe_out_test()))
    ///     .brancher(Branching::new(InputOrder, Ascending))
    ///     .count();
    /// assert_eq!(outcome.report().nodes() - 1, 2_056); // as many as by plain backtracking
    /// assert_eq!(effort.excludes(), 13_510);
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn excludes_hook(&self) -> ExcludesHook {
        ExcludesHook { effort: self.clone() }
    }
}

/// The hook of [`Effort::excludes_hook`].
///
/// It assumes the network of a [board](super::QueensBoard::network): variables are rows, and values
/// are columns.
#[derive(Clone, Debug)]
pub struct ExcludesHook {
    effort: Effort,
}

impl Hook<Network> for ExcludesHook {
    fn name(&self) -> &str {
        "excludes"
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        if let Some(&Decision::Is(queen, column)) = node.path().last() {
            let columns = 0..node.problem().len() as i64;
            let squares = |row: usize| {
                let distance = row.abs_diff(queen.index()) as i64;
                let sides = [i64::from(column) - distance, i64::from(column) + distance];
                1 + sides.iter().filter(|side| columns.contains(side)).count() as u64
            };
            // The row of the new queen is not among the open ones.
            self.effort
                .add_excludes(node.state().open_variables().map(|row| squares(row.index())).sum());
        }
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("squares".to_owned(), self.effort.excludes())]
    }
}
