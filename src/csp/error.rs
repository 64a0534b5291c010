//! What can be wrong with a model.

use std::error::Error;
use std::fmt;

/// What is wrong with a model. (A model without solutions is not wrong: it is searched, and the
/// answer is none.)
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The smallest and the largest value of a variable lie too far apart.
    DomainTooWide {
        /// The variable, by its number and name.
        variable: String,
        /// How many integers there are from the smallest value to the largest.
        span: u64,
        /// The largest number allowed.
        max: u64,
    },
    /// The variables together take more memory than a model may.
    TooLarge {
        /// The variable at which it was too much, by its number and name.
        variable: String,
        /// How many words of eight bytes all variables may take: one for 64 values, and a few for
        /// each variable.
        max: u64,
    },
    /// There is no such variable: it was made by another model.
    UnknownVariable {
        /// Its number.
        variable: usize,
        /// How many variables the model has.
        variables: usize,
    },
    /// A row of a table has not one value a variable.
    RowLength {
        /// Which row, from 1.
        row: usize,
        /// The number of values in it.
        found: usize,
        /// The number of variables.
        expected: usize,
        /// The first variable of the table, by its number and name.
        variable: String,
    },
    /// A sum, or a coefficient in it, may be larger than 2⁶¹, too large to be reckoned with in 64
    /// bits.
    SumTooLarge {
        /// The variable at which it was too much, by its number and name.
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
                write!(
                    f,
                    "{variable}: up to here the domains take more than {max} words of 8 bytes"
                )
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
                    "table of {variable}: row {row} has {found} values, expected {expected}, one a variable"
                )
            }
            ModelError::SumTooLarge { variable } => {
                write!(
                    f,
                    "{variable}: the sum up to here may be larger than 2^61, in either direction"
                )
            }
        }
    }
}

impl Error for ModelError {}
