//! How many squares propagation looks at, as a hook that watches.

use super::Effort;
use crate::csp::{Decision, Network};
use crate::hook::{Hook, NodeMut, Verdict};

impl Effort {
    /// A hook that counts, in this counter, the squares that a program of squares looks at when a
    /// queen is placed: on each row that is still without a queen, those of its column and of its
    /// two diagonals that are on the board, whether they had been struck out before or not.
    ///
    /// Plugged in before [`Propagate::forward`](crate::csp::Propagate::forward) it gives the
    /// columns `exclude` of the [articles' tables](super). The network itself strikes out whole
    /// rows at a time and looks at no square at all, so counting is left to a hook, and costs those
    /// who do not ask for it nothing. Cost: a look at every open row a node.
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
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    #[must_use]
    pub fn excludes_hook(&self) -> ExcludesHook {
        ExcludesHook { effort: self.clone() }
    }
}

/// The hook that [`Effort::excludes_hook`] makes.
///
/// It takes the network for that of a [board](super::Board::network): variables are rows, and
/// values are columns.
#[derive(Clone, Debug)]
pub struct ExcludesHook {
    effort: Effort,
}

impl Hook<Network> for ExcludesHook {
    fn name(&self) -> &str {
        "excludes"
    }

    fn follows_path(&self) -> bool {
        false
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        if let Some(&Decision::Is(queen, column)) = node.path().last() {
            let columns = 0..node.problem().len() as i64;
            let squares = |row: usize| {
                let distance = row.abs_diff(queen.index()) as i64;
                let sides = [i64::from(column) - distance, i64::from(column) + distance];
                1 + sides.iter().filter(|side| columns.contains(side)).count() as u64
            };
            // The queen's own row is no longer open.
            self.effort.add_excludes(node.state().open().map(|row| squares(row.index())).sum());
        }
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("squares".to_owned(), self.effort.excludes())]
    }
}
