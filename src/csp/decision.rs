//! Decisions: the steps down the search tree of a network.

use std::fmt;

use super::{Domains, Variable, Wipeout};

/// A decision about one variable, taken at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Decision {
    /// The variable is assigned this value.
    Is(Variable, i32),
    /// The variable is at most this value.
    AtMost(Variable, i32),
    /// The variable is at least this value.
    AtLeast(Variable, i32),
}

impl Decision {
    /// Returns the variable that the decision is about.
    #[must_use]
    #[inline]
    pub fn variable(self) -> Variable {
        match self {
            Decision::Is(variable, _)
            | Decision::AtMost(variable, _)
            | Decision::AtLeast(variable, _) => variable,
        }
    }

    /// Prunes all values that contradict the decision. The variable is instantiated if the decision
    /// assigns it, or if one value remains.
    #[inline]
    pub(super) fn take(self, domains: &mut Domains) {
        let variable = self.variable();
        // Propagation, the brancher or the test at the leaf notices a wiped-out domain.
        let _ = match self {
            Decision::Is(_, value) => return domains.decide(variable, value),
            Decision::AtMost(_, value) => domains.at_most(variable, value),
            Decision::AtLeast(_, value) => domains.at_least(variable, value),
        };
        if domains.is_assigned(variable) {
            domains.instantiate(variable);
        }
    }

    /// Returns whether all remaining values of the variable satisfy the decision, and there is one.
    pub(super) fn holds(self, domains: &Domains) -> bool {
        match self {
            Decision::Is(variable, value) => domains.value(variable) == Some(value),
            Decision::AtMost(variable, value) => {
                domains.max(variable).is_some_and(|max| max <= value)
            }
            Decision::AtLeast(variable, value) => {
                domains.min(variable).is_some_and(|min| min >= value)
            }
        }
    }

    /// Returns whether no remaining value of the variable satisfies the decision.
    pub(super) fn fails(self, domains: &Domains) -> bool {
        match self {
            Decision::Is(variable, value) => !domains.contains(variable, value),
            Decision::AtMost(variable, value) => {
                domains.min(variable).is_none_or(|min| min > value)
            }
            Decision::AtLeast(variable, value) => {
                domains.max(variable).is_none_or(|max| max < value)
            }
        }
    }

    /// Prunes all values that satisfy the decision.
    pub(super) fn forbid(self, domains: &mut Domains) -> Result<(), Wipeout> {
        let nothing_left = Err(Wipeout(self.variable()));
        match self {
            Decision::Is(variable, value) => domains.remove(variable, value).map(|_| ()),
            Decision::AtMost(variable, value) => match value.checked_add(1) {
                Some(least) => domains.at_least(variable, least).map(|_| ()),
                None => nothing_left,
            },
            Decision::AtLeast(variable, value) => match value.checked_sub(1) {
                Some(most) => domains.at_most(variable, most).map(|_| ()),
                None => nothing_left,
            },
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (relation, value) = match self {
            Decision::Is(_, value) => ("=", value),
            Decision::AtMost(_, value) => ("≤", value),
            Decision::AtLeast(_, value) => ("≥", value),
        };
        write!(f, "variable {} {relation} {value}", self.variable().index())
    }
}
