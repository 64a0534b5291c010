//! Restart schedules.
//!
//! A randomised search may find a solution at once, or make a mistake near the root that
//! backtracking does not revise in reasonable time. The distribution of its run times has a *heavy
//! tail* (Gomes, Selman and Kautz 1998). The search is therefore given a node budget, and restarts
//! with other random choices when that is used up. A [`Schedule`] defines the budgets:
//!
//! - [`luby`](Schedule::luby): 1, 1, 2, 1, 1, 2, 4, 1, … units. Among schedules that know nothing
//!   about the search, none is better by more than a constant factor; and the best fixed budget for
//!   a known run-time distribution is better by at most a logarithmic factor (Luby, Sinclair and
//!   Zuckerman 1993).
//! - [`geometric`](Schedule::geometric): each budget is the previous one times a factor. Long runs
//!   come earlier, which suits structured problems (Walsh 1999). With a factor above 1, budgets
//!   outgrow every tree, so the tree is exhausted in the end.
//!
//! A schedule only produces numbers. Pass them to [`Limits::nodes`](crate::Limits::nodes), one run
//! after another.

use std::iter::FusedIterator;

/// An infinite sequence of node budgets, one for each attempt of a search with restarts.
///
/// The iterator never ends: bound the attempts with [`take`](Iterator::take), or stop when an
/// attempt has found a solution or exhausted its tree. No budget is 0. Budgets saturate at 2⁶⁴ − 1.
///
/// ```
/// use secateurs::brancher::Shuffled;
/// use secateurs::search::Schedule;
/// use secateurs::{Limits, Search};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(40)?.bits();
/// let solved = Schedule::luby(500).enumerate().find_map(|(attempt, nodes)| {
///     let order = Shuffled::new(attempt as u64); // other random choices at each attempt
///     let limits = Limits::new().nodes(nodes);
///     let outcome = Search::new(&queens).brancher(order).limits(limits).first();
///     outcome.solution().cloned()
/// });
/// assert_eq!(solved.map(|path| path.len()), Some(40));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a schedule is an iterator, and does nothing unless its budgets are taken"]
pub struct Schedule {
    first: u64,
    growth: Growth,
}

/// The rule by which budgets follow from the first one, and its state.
#[derive(Clone, Debug, PartialEq)]
enum Growth {
    /// The next budget is `power` times the first. `sequence` is the number, from 1 on, of the
    /// ascending sequence 1, 2, 4, … that `power` belongs to.
    Luby { sequence: u64, power: u64 },
    /// The next budget is `scale` times the first.
    Geometric { factor: f64, scale: f64 },
}

impl Schedule {
    /// Creates the schedule of `unit` times 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, …: a
    /// budget of twice the size comes half as often (Luby, Sinclair and Zuckerman 1993). A unit of
    /// 0 is treated as 1.
    ///
    /// ```
    /// use secateurs::search::Schedule;
    ///
    /// let budgets: Vec<u64> = Schedule::luby(100).take(8).collect();
    /// assert_eq!(budgets, [100, 100, 200, 100, 100, 200, 400, 100]);
    /// ```
    pub fn luby(unit: u64) -> Self {
        Schedule { first: unit.max(1), growth: Growth::Luby { sequence: 1, power: 1 } }
    }

    /// Creates the schedule of `first`, then each budget `factor` times the one before, rounded
    /// down (Walsh 1999, with factors of 1.2 to 2).
    ///
    /// A first budget of 0 is treated as 1. A factor below 1 or NaN is treated as 1, which makes
    /// all budgets equal.
    ///
    /// ```
    /// use secateurs::search::Schedule;
    ///
    /// assert_eq!(Schedule::geometric(100, 1.5).take(4).collect::<Vec<_>>(), [100, 150, 225, 337]);
    /// assert_eq!(Schedule::geometric(7, 1.0).take(3).collect::<Vec<_>>(), [7, 7, 7]);
    /// ```
    pub fn geometric(first: u64, factor: f64) -> Self {
        // `max` also replaces NaN by 1.
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
            Growth::Luby { sequence, power } => {
                let budget = self.first.saturating_mul(*power);
                // Knuth's "reluctant doubling": the powers rise to the largest power of 2 that
                // divides the number of the ascending sequence.
                if *sequence & sequence.wrapping_neg() == *power {
                    (*sequence, *power) = (*sequence + 1, 1);
                } else {
                    *power *= 2;
                }
                budget
            }
            Growth::Geometric { scale, factor } => {
                // A conversion to `u64` rounds down and saturates. The first budget is not
                // converted, as it could lose its last bits.
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
