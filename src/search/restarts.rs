//! When to start over: schedules of restarts.
//!
//! A search that takes random choices may come upon a solution at once, or make a mistake near the
//! root that no amount of stepping back takes back in time: the times of such runs have *heavy
//! tails* (Gomes, Selman and Kautz 1998). So it is given a budget of nodes, and starts over with
//! other random choices when that is used up. Which budgets is the matter of a [`Schedule`]:
//!
//! - [`luby`](Schedule::luby): 1, 1, 2, 1, 1, 2, 4, 1, … units. Of all schedules that know nothing
//!   of the search, none is better by more than a constant factor, and the best budget for someone
//!   who knows how times are distributed is better by a logarithm only (Luby, Sinclair and
//!   Zuckerman 1993).
//! - [`geometric`](Schedule::geometric): each budget is the last one times a factor. Long runs come
//!   earlier, which is what structured problems like (Walsh 1999); and as budgets outgrow every
//!   tree, a tree is exhausted in the end.
//!
//! A schedule only gives numbers. Whoever restarts gives them to
//! [`Limits::nodes`](crate::Limits::nodes), one run after another.

use std::iter::FusedIterator;

/// An endless sequence of node budgets, one for each attempt of a search that starts over.
///
/// It is an iterator, and never ends: bound the attempts with [`take`](Iterator::take), or stop
/// when an attempt has found what it looked for or exhausted its tree. No budget is 0. Budgets that
/// would pass 2⁶⁴ − 1 stay there.
///
/// ```
/// use secateurs::brancher::Shuffled;
/// use secateurs::problems::queens::Queens;
/// use secateurs::search::Schedule;
/// use secateurs::{Limits, Search};
///
/// let queens = Queens::new(40)?.bits();
/// let solved = Schedule::luby(500).enumerate().find_map(|(attempt, nodes)| {
///     let order = Shuffled::new(attempt as u64); // other random choices at each attempt
///     let outcome = Search::new(&queens).brancher(order).limits(Limits::new().nodes(nodes)).first();
///     outcome.solution().cloned()
/// });
/// assert_eq!(solved.map(|path| path.len()), Some(40));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a schedule is an iterator, and does nothing unless its budgets are taken"]
pub struct Schedule {
    first: u64,
    growth: Growth,
}

/// How a budget follows from the first one.
#[derive(Clone, Debug, PartialEq)]
enum Growth {
    /// The next budget is `power` times the first; `run` counts the powers of 1 before it.
    Luby { run: u64, power: u64 },
    /// The next budget is `scale` times the first.
    Geometric { factor: f64, scale: f64 },
}

impl Schedule {
    /// `unit` times 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, …: a budget of twice the size
    /// comes half as often (Luby, Sinclair and Zuckerman 1993). A unit of 0 is taken for 1.
    ///
    /// ```
    /// use secateurs::search::Schedule;
    ///
    /// let budgets: Vec<u64> = Schedule::luby(100).take(8).collect();
    /// assert_eq!(budgets, [100, 100, 200, 100, 100, 200, 400, 100]);
    /// ```
    pub fn luby(unit: u64) -> Self {
        Schedule { first: unit.max(1), growth: Growth::Luby { run: 1, power: 1 } }
    }

    /// `first`, then each budget `factor` times the one before, rounded down (Walsh 1999, with
    /// factors of 1.2 to 2).
    ///
    /// A first budget of 0 is taken for 1; a factor below 1, or one that is not a number, for 1:
    /// all budgets are the same then.
    ///
    /// ```
    /// use secateurs::search::Schedule;
    ///
    /// assert_eq!(Schedule::geometric(100, 1.5).take(4).collect::<Vec<_>>(), [100, 150, 225, 337]);
    /// assert_eq!(Schedule::geometric(7, 1.0).take(3).collect::<Vec<_>>(), [7, 7, 7]);
    /// ```
    pub fn geometric(first: u64, factor: f64) -> Self {
        // Also for what is not a number: the larger of that and 1 is 1.
        Schedule {
            first: first.max(1),
            growth: Growth::Geometric { factor: factor.max(1.0), scale: 1.0 },
        }
    }
}

impl Iterator for Schedule {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let budget = match &mut self.growth {
            Growth::Luby { run, power } => {
                let budget = self.first.saturating_mul(*power);
                // Knuth's reluctant doubling: the powers rise to the largest that divides the
                // number of the run.
                if *run & run.wrapping_neg() == *power {
                    (*run, *power) = (*run + 1, 1);
                } else {
                    *power *= 2;
                }
                budget
            }
            Growth::Geometric { scale, factor } => {
                // A conversion to `u64` rounds down, and stays at the largest; the first one would
                // lose its last bits.
                let budget =
                    if *scale == 1.0 { self.first } else { (self.first as f64 * *scale) as u64 };
                *scale *= *factor;
                budget
            }
        };
        Some(budget)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
}

impl FusedIterator for Schedule {}
