//! Solving, counting and estimating with either model.

use super::board::Sudoku;
use crate::cover::Cover;
use crate::csp::{Ascending, Assignment, Branching, Network, Propagate, SmallestDomain};
use crate::hook::Node;
use crate::limits::Limits;
use crate::outcome::{Count, Found, Outcome};
use crate::search::{Estimate, Search};

/// The model that a board is solved with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// As a [constraint network](Sudoku::network), with full propagation and the smallest domain
    /// first.
    Network,
    /// As an [exact cover](Sudoku::cover), with the smallest item first.
    Cover,
}

impl Sudoku {
    /// Returns the first solution found. [`count`](Self::count) tells whether it is unique.
    ///
    /// ```
    /// use secateurs::Limits;
    /// use secateurs::problems::sudoku::{Family, Sudoku};
    ///
    /// let sudoku: Sudoku = concat!(
    ///     "8..........36......7..9.2...5...7...",
    ///     "....457.....1...3...1....68..85...1..9....4.."
    /// )
    /// .parse()?;
    /// for family in [Family::Network, Family::Cover] {
    ///     let outcome = sudoku.solve(family, &Limits::new());
    ///     let solved = outcome.solution();
    ///     assert!(solved.is_some_and(|solved| solved.is_solved() && solved.completes(&sudoku)));
    ///     assert_eq!(sudoku.count(family, &Limits::new()).exact(), Some(1));
    /// }
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn solve(&self, family: Family, limits: &Limits) -> Outcome<Found<Sudoku>> {
        // Every solution of a correct model is a solution of the board.
        let expect_solved = |solved: Option<Sudoku>| {
            solved.unwrap_or_else(|| unreachable!("a solution of the model solves the board"))
        };
        match family {
            Family::Network => {
                let network = self.network();
                let extract =
                    |node: &Node<'_, Network>| expect_solved(self.completed(&Assignment::of(node)));
                as_network(&network, limits).extract(extract).first()
            }
            Family::Cover => {
                let cover = self.cover();
                let extract = |node: &Node<'_, Cover>| {
                    expect_solved(self.covered(&cover, &node.path().to_vec()))
                };
                Search::new(&cover).limits(limits.clone()).extract(extract).first()
            }
        }
    }

    /// Counts the solutions, one by one. Boards with few given numbers have too many for this: the
    /// blank board of side 9 has 6 670 903 752 021 072 936 960 (Felgenhauer and Jarvis 2005). Set a
    /// limit for unknown boards.
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn count(&self, family: Family, limits: &Limits) -> Outcome<Count> {
        match family {
            Family::Network => as_network(&self.network(), limits).count(),
            Family::Cover => Search::new(&self.cover()).limits(limits.clone()).count(),
        }
    }

    /// Estimates the size of the tree that [`count`](Self::count) searches from a number of random
    /// probes: see [`Search::estimate`](crate::Search::estimate).
    ///
    /// ```
    /// use secateurs::Limits;
    /// use secateurs::problems::sudoku::{Family, Sudoku};
    ///
    /// let sudoku: Sudoku = concat!(
    ///     "8..........36......7..9.2...5...7...",
    ///     "....457.....1...3...1....68..85...1..9....4.."
    /// )
    /// .parse()?;
    /// let nodes = sudoku.count(Family::Cover, &Limits::new()).report().nodes() as f64;
    /// let estimate = sudoku.estimate(Family::Cover, &Limits::new(), 10_000, 1);
    /// let estimated = estimate.nodes().ok_or("no probe")?.mean;
    /// assert!((0.5..2.0).contains(&(estimated / nodes)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn estimate(&self, family: Family, limits: &Limits, probes: u64, seed: u64) -> Estimate {
        match family {
            Family::Network => as_network(&self.network(), limits).estimate(probes, seed),
            Family::Cover => {
                Search::new(&self.cover()).limits(limits.clone()).estimate(probes, seed)
            }
        }
    }
}

fn as_network<'n>(
    network: &'n Network,
    limits: &Limits,
) -> Search<'n, Network, Branching<SmallestDomain, Ascending>, (Propagate,)> {
    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    Search::new(network).hooks((Propagate::full(),)).brancher(order).limits(limits.clone())
}
