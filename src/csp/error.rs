//! Errors of malformed models.

use std::error::Error;
use std::fmt;

/// A malformed model. (A model without solutions is well-formed: a search of it finds none.)
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The smallest and the largest value of a variable are too far apart.
    DomainTooWide {
        /// The variable, by its number and name.
        variable: String,
        /// The number of integers from the smallest value to the largest.
        span: u64,
        /// The largest span allowed.
        max: u64,
    },
    /// The variables together take too much memory.
    TooLarge {
        /// The first variable that does not fit, by its number and name.
        variable: String,
        /// The limit for all variables, in words of eight bytes. A variable takes one word per 64
        /// integers between its smallest and its largest value, and a few more.
        max: u64,
    },
    /// The variable is not one of this model: another model made it.
    UnknownVariable {
        /// The number of the variable.
        variable: usize,
        /// The number of variables of the model.
        variables: usize,
    },
    /// A row of a table does not have one value for each variable.
    RowLength {
        /// The number of the row, from 1.
        row: usize,
        /// The number of values in the row.
        found: usize,
        /// The number of variables.
        expected: usize,
        /// The first variable of the table, by its number and name.
        variable: String,
    },
    /// A sum, or a coefficient in it, may exceed 2⁶¹ in absolute value, so that computing it in 64
    /// bits might overflow.
    SumTooLarge {
        /// The first variable at which the sum may be too large, by its number and name.
        variable: String,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::DomainTooWide { variable, span, max } => {
                write!(f, "{variable}: the values span {span} integers, expected at most {max}")
            }
            ModelError::TooLarge { variable, max } => {
                let message = "the domains up to this variable take more than";
                write!(f, "{variable}: {message} {max} words of 8 bytes")
            }
            ModelError::UnknownVariable { variable, variables } => {
                write!(
                    f,
                    "variable {variable} is not one of this model, which has {variables} (from 0)"
                )
            }
            ModelError::RowLength { row, found, expected, variable } => {
                write!(
                    f,
                    "table of {variable}: row {row} has {found} values, expected {expected}, \
                     one for each variable"
                )
            }
            ModelError::SumTooLarge { variable } => {
                write!(
                    f,
                    "{variable}: the sum up to this variable may exceed 2^61 in absolute value"
                )
            }
        }
    }
}

impl Error for ModelError {}
