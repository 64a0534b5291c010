//! The reasons why there is no family: [`FamilyError`].

use std::error::Error;
use std::fmt;

use crate::hook::Effect;
use crate::limits::Stop;
use crate::outcome::Incomplete;

/// The reason why an operation returned no family, or no answer about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FamilyError {
    /// A universe is larger than [`Family::MAX_UNIVERSE`](super::Family::MAX_UNIVERSE).
    TooLarge {
        /// The size of the universe.
        universe: usize,
        /// The maximum.
        limit: usize,
    },
    /// An element is not in the universe.
    NoSuchElement {
        /// The element.
        element: usize,
        /// The size of the universe, whose elements are counted from 0.
        universe: usize,
    },
    /// A cell of a sweep has an element that is not less than all elements of later cells.
    Unordered {
        /// The cell, counted from 0.
        cell: usize,
        /// The element.
        element: usize,
        /// The least element of the later cells.
        later: usize,
    },
    /// The hooks of a sweep do not preserve its solutions, so that sets would be missing.
    Incomplete {
        /// The effect of the hooks together.
        effect: Effect,
    },
    /// A sweep ended before there was a family.
    Sweep(Incomplete),
    /// The operation ended for this reason.
    Stopped(Stop),
}

impl FamilyError {
    /// Returns the reason to stop, if the operation ended early.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        match self {
            FamilyError::Sweep(incomplete) => Some(incomplete.stop()),
            FamilyError::Stopped(stop) => Some(*stop),
            _ => None,
        }
    }
}

impl From<Stop> for FamilyError {
    fn from(stop: Stop) -> Self {
        FamilyError::Stopped(stop)
    }
}

impl fmt::Display for FamilyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FamilyError::TooLarge { universe, limit } => {
                write!(f, "found a universe of {universe} elements, expected at most {limit}")
            }
            FamilyError::NoSuchElement { element, universe } => {
                write!(f, "found element {element}, expected one of {universe} counted from 0")
            }
            FamilyError::Unordered { cell, element, later } => write!(
                f,
                "cell {cell} (counted from 0): found element {element}, expected one below \
                 {later}, which belongs to a later cell"
            ),
            FamilyError::Incomplete { effect } => write!(
                f,
                "found hooks whose effect is {effect}, expected hooks that preserve all \
                 solutions: leave them out"
            ),
            FamilyError::Sweep(incomplete) => incomplete.fmt(f),
            FamilyError::Stopped(stop) => write!(f, "the family is incomplete: {stop}"),
        }
    }
}

impl Error for FamilyError {}
