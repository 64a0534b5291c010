//! Audits of many instances, and the smallest on which one fails.

use std::error::Error;
use std::fmt::{self, Debug};

use super::violation::{Coverage, Violation};

/// An instance on which a hook breaks its claim, such that it does not on any that is one step smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsound<I> {
    instance: I,
    violation: Violation,
}

impl<I> Unsound<I> {
    /// The instance.
    pub fn instance(&self) -> &I {
        &self.instance
    }

    /// What happens on it.
    pub fn violation(&self) -> &Violation {
        &self.violation
    }
}

impl<I: Debug> fmt::Display for Unsound<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, on {:?}", self.violation, self.instance)
    }
}

impl<I: Debug> Error for Unsound<I> {}

/// Audits instance after instance, until a hook breaks its claim on one; then makes that smaller and smaller, as long as the
/// claim is still broken (Zeller and Hildebrandt 2002 call it *delta debugging*).
///
/// `smaller` gives what is a step smaller than an instance: a board without one of its rows, say. What is tried first is
/// better put first.
///
/// # Errors
/// The smallest instance that was found.
pub fn audit_all<I, S: IntoIterator<Item = I>>(
    instances: impl IntoIterator<Item = I>,
    smaller: impl Fn(&I) -> S,
    audit: impl Fn(&I) -> Result<Coverage, Violation>,
) -> Result<Coverage, Unsound<I>> {
    let mut whole = Coverage::default();
    for instance in instances {
        match audit(&instance) {
            Ok(coverage) => whole += coverage,
            Err(violation) => {
                let mut smallest = Unsound { instance, violation };
                while let Some(next) = smaller(&smallest.instance).into_iter().find_map(|instance| {
                    let violation = audit(&instance).err()?;
                    Some(Unsound { instance, violation })
                }) {
                    smallest = next;
                }
                return Err(smallest);
            }
        }
    }
    Ok(whole)
}
