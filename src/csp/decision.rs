//! One step down the tree of a network.

use std::fmt;

use super::{Domains, Variable, Wipeout};

/// What is decided about a variable at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Decision {
    /// The variable has this value.
    Is(Variable, i32),
    /// Its value is this or less.
    AtMost(Variable, i32),
    /// Its value is this or more.
    AtLeast(Variable, i32),
}

impl Decision {
    /// What it is about.
    #[must_use]
    #[inline]
    pub fn variable(self) -> Variable {
        match self {
            Decision::Is(variable, _)
            | Decision::AtMost(variable, _)
            | Decision::AtLeast(variable, _) => variable,
        }
    }

    /// Takes away what it excludes. The variable is instantiated if it has been given a value, or
    /// if one is left.
    #[inline]
    pub(super) fn take(self, domains: &mut Domains) {
        let variable = self.variable();
        // A domain that is wiped out is seen by propagation, by the brancher, or at the leaf.
        let _ = match self {
            Decision::Is(_, value) => return domains.decide(variable, value),
            Decision::AtMost(_, value) => domains.at_most(variable, value),
            Decision::AtLeast(_, value) => domains.at_least(variable, value),
        };
        if domains.is_assigned(variable) {
            domains.instantiate(variable);
        }
    }

    /// Whether it holds, whatever else happens.
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

    /// Whether it cannot hold any more.
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

    /// Sees to it that it does not hold.
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
