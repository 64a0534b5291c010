//! Constraints that are propagated pair by pair: relations of two variables, and cliques of
//! different values.

use std::fmt;
use std::sync::Arc;

use crate::{Domains, Pruned, Variable, Wipeout};

/// A relation between the values of two variables.
#[derive(Clone)]
pub(super) enum Relation {
    /// The first value is not the second value plus `offset`.
    Different {
        offset: i64,
    },
    Predicate(Arc<dyn Fn(i32, i32) -> bool + Send + Sync>),
    /// The allowed pairs, sorted.
    Pairs(Arc<[(i32, i32)]>),
}

impl Relation {
    #[inline]
    pub(super) fn holds(&self, first: i32, second: i32) -> bool {
        match self {
            Relation::Different { offset } => i64::from(first) != i64::from(second) + offset,
            Relation::Predicate(predicate) => predicate(first, second),
            Relation::Pairs(pairs) => pairs.binary_search(&(first, second)).is_ok(),
        }
    }
}

impl fmt::Debug for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Relation::Different { offset } => write!(f, "difference other than {offset}"),
            Relation::Predicate(_) => f.write_str("predicate"),
            Relation::Pairs(pairs) => f.debug_list().entries(pairs.iter()).finish(),
        }
    }
}

/// A relation between two different variables.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) variables: [Variable; 2],
    pub(super) relation: Relation,
}

impl Pair {
    /// Returns whether `value` of the variable at `side` is compatible with `other` of the other
    /// variable.
    #[inline]
    pub(super) fn holds(&self, side: usize, value: i32, other: i32) -> bool {
        if side == 0 {
            self.relation.holds(value, other)
        } else {
            self.relation.holds(other, value)
        }
    }

    /// Prunes the values of the other variable that are incompatible with `value` of the variable
    /// at `side`.
    pub(super) fn check_forward(&self, domains: &mut Domains, side: usize, value: i32) -> Pruned {
        let other = self.variables[1 - side];
        match self.relation {
            Relation::Different { offset } => {
                if let Some(forbidden) = forbidden(offset, side, value) {
                    domains.remove(other, forbidden)?;
                }
            }
            _ => {
                domains.retain(other, |candidate| self.holds(side, value, candidate))?;
            }
        }
        Ok(())
    }

    /// Counts the values of the other variable that are incompatible with `value` of the variable
    /// at `side`.
    pub(super) fn count_forbidden(&self, domains: &Domains, side: usize, value: i32) -> u64 {
        let other = self.variables[1 - side];
        match self.relation {
            Relation::Different { offset } => {
                let forbidden = forbidden(offset, side, value);
                forbidden.is_some_and(|forbidden| domains.contains(other, forbidden)).into()
            }
            _ => domains
                .values(other)
                .filter(|&candidate| !self.holds(side, value, candidate))
                .count() as u64,
        }
    }

    /// Returns an upper bound of the work of [`revise`](Self::revise) beyond a constant, in words
    /// of domains: a call of a predicate takes about an eighth of the work of a word. It is the
    /// same on both sides.
    pub(super) fn work(&self, size: impl Fn(Variable) -> u64) -> u64 {
        match self.relation {
            Relation::Different { .. } => 0,
            _ => size(self.variables[0]).saturating_mul(size(self.variables[1])) / 8,
        }
    }

    /// Prunes the values of the other variable that have no support in the domain of the variable
    /// at `side`.
    pub(super) fn revise(&self, domains: &mut Domains, side: usize) -> Pruned {
        let [this, other] = [self.variables[side], self.variables[1 - side]];
        if let Some(value) = domains.value(this) {
            return self.check_forward(domains, side, value);
        }
        if matches!(self.relation, Relation::Different { .. }) {
            // With two values left, every value of the other variable has a support.
            return if domains.size(this) == 0 { Err(Wipeout(this)) } else { Ok(()) };
        }
        let values: Vec<i32> = domains.values(this).collect();
        domains.retain(other, |candidate| {
            values.iter().any(|&value| self.holds(side, value, candidate))
        })?;
        Ok(())
    }
}

/// Returns the value that the other variable must not have if the variable at `side` has `value`
/// and their difference must not be `offset`.
#[inline]
fn forbidden(offset: i64, side: usize, value: i32) -> Option<i32> {
    let value = i64::from(value);
    i32::try_from(if side == 0 { value - offset } else { value + offset }).ok()
}

/// Variables, each with its shift, whose shifted values are all different.
#[derive(Clone, Debug)]
pub(super) struct Clique {
    pub(super) members: Vec<(Variable, i32)>,
}

impl Clique {
    /// Removes the `value` of the member at `place`, which is instantiated, from all open members,
    /// and returns a wipe-out if there was one. Stops at the first wipe-out unless
    /// `continue_after_wipeout`.
    pub(super) fn check_forward(
        &self,
        domains: &mut Domains,
        place: usize,
        value: i32,
        continue_after_wipeout: bool,
    ) -> Option<Wipeout> {
        let taken = i64::from(value) + i64::from(self.members[place].1);
        let mut wiped = None;
        for &(other, shift) in &self.members {
            if domains.is_open(other)
                && let Ok(forbidden) = i32::try_from(taken - i64::from(shift))
                && let Err(wipeout) = domains.remove(other, forbidden)
            {
                wiped = Some(wipeout);
                if !continue_after_wipeout {
                    break;
                }
            }
        }
        wiped
    }

    /// Removes the `value` of the member at `place` from all other members.
    pub(super) fn revise(&self, domains: &mut Domains, place: u32, value: i32) -> Pruned {
        for (other, forbidden) in self.forbidden(place, value) {
            // The value of an instantiated variable is read faster than removed.
            if domains.is_open(other) || domains.min(other) == Some(forbidden) {
                domains.remove(other, forbidden)?;
            }
        }
        Ok(())
    }

    /// Returns the other members, each with the value that it must not have if the member at
    /// `place` has `value`.
    #[inline]
    pub(super) fn forbidden(
        &self,
        place: u32,
        value: i32,
    ) -> impl Iterator<Item = (Variable, i32)> + '_ {
        let taken = i64::from(value) + i64::from(self.members[place as usize].1);
        let others = (0..).zip(&self.members).filter(move |&(index, _)| index != place);
        others.filter_map(move |(_, &(other, shift))| {
            i32::try_from(taken - i64::from(shift)).ok().map(|forbidden| (other, forbidden))
        })
    }
}
