//! Value orders: the order in which the values of a variable are tried.

use crate::csp::{Decision, Domains, Network, Variable};
use crate::digest::Digest;
use crate::problem::Branch;

/// The order in which the values of a variable are tried.
///
/// # Contract
///
/// An implementation must return each remaining value exactly once. A value that is left out is not
/// searched, a value that is returned twice is searched twice, and a value outside the domain makes
/// a dead end.
pub trait ValueOrder {
    /// The position among the values of a variable.
    type Cursor;

    /// Returns a digest of all data that the order depends on, beside the domains and the path; see
    /// [`Brancher::parameters`](crate::Brancher::parameters).
    fn parameters(&self) -> Option<Digest> {
        Digest::of_unit(self)
    }

    /// Returns the position before the first value of `variable`.
    fn start(&mut self, network: &Network, domains: &Domains, variable: Variable) -> Self::Cursor;

    /// Returns the next value. `domains` are in the state in which the cursor was made.
    fn next(
        &mut self,
        network: &Network,
        domains: &Domains,
        variable: Variable,
        cursor: &mut Self::Cursor,
    ) -> Option<i32>;
}

/// The cursor of [`Branching`](super::Branching): a variable and the position among its values.
#[derive(Clone, Copy, Debug)]
pub struct Values<C> {
    variable: Variable,
    cursor: C,
}

impl<C> Values<C> {
    #[inline]
    pub(in crate::csp) fn branch(variable: Variable, cursor: C, domains: &Domains) -> Branch<Self> {
        if domains.is_wiped_out(variable) {
            Branch::DeadEnd
        } else {
            Branch::Inner(Values { variable, cursor })
        }
    }

    #[inline]
    pub(in crate::csp) fn draw(
        &mut self,
        network: &Network,
        domains: &Domains,
        order: &mut impl ValueOrder<Cursor = C>,
    ) -> Option<Decision> {
        let value = order.next(network, domains, self.variable, &mut self.cursor)?;
        Some(Decision::Is(self.variable, value))
    }
}

/// The value order from the smallest value to the largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ascending;

impl ValueOrder for Ascending {
    /// The smallest value that has not been tried.
    type Cursor = Option<i32>;

    #[inline]
    fn start(&mut self, _: &Network, _: &Domains, _: Variable) -> Option<i32> {
        Some(i32::MIN)
    }

    #[inline]
    fn next(
        &mut self,
        _: &Network,
        domains: &Domains,
        variable: Variable,
        cursor: &mut Option<i32>,
    ) -> Option<i32> {
        let value = domains.next_value(variable, (*cursor)?)?;
        *cursor = value.checked_add(1);
        Some(value)
    }
}

/// Returns the middle of a range, rounded down: less than `high` unless the range is a single
/// value.
pub(super) fn middle(low: i32, high: i32) -> i32 {
    // This fits: the middle lies between two `i32`.
    ((i64::from(low) + i64::from(high)) >> 1) as i32
}

/// The value order from the middle of the variable's original range (rounded down) outwards: the
/// middle, the value after it, the value before it, the second value after it, and so on.
///
/// Queens in the middle attack the most squares; placing them there first leaves the easy rows to
/// the end.
///
/// The time per node is linear in the size of the original range, whether its values remain or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CentreOut;

impl ValueOrder for CentreOut {
    /// The number of steps outwards.
    type Cursor = u32;

    #[inline]
    fn start(&mut self, _: &Network, _: &Domains, _: Variable) -> u32 {
        0
    }

    #[inline]
    fn next(
        &mut self,
        network: &Network,
        domains: &Domains,
        variable: Variable,
        step: &mut u32,
    ) -> Option<i32> {
        let (low, high) = network.bounds(variable)?;
        let middle = middle(low, high);
        loop {
            let away = i64::from(step.div_ceil(2));
            let value = i64::from(middle) + if step.is_multiple_of(2) { -away } else { away };
            if value > i64::from(high) && i64::from(middle) - away < i64::from(low) {
                return None;
            }
            *step += 1;
            if let Ok(value) = i32::try_from(value)
                && domains.contains(variable, value)
            {
                return Some(value);
            }
        }
    }
}
