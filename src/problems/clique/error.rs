//! What graphs are too large: [`CliqueError`].

use std::error::Error;
use std::fmt;

/// Why the cliques of a graph cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CliqueError {
    /// There are too many vertices: the sets of their neighbours would take too much memory.
    TooManyVertices {
        /// How many there are.
        found: usize,
        /// The most that there may be.
        limit: usize,
    },
}

impl fmt::Display for CliqueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliqueError::TooManyVertices { found, limit } => {
                write!(
                    f,
                    "found a graph of {found} vertices, expected at most {limit} to search for cliques"
                )
            }
        }
    }
}

impl Error for CliqueError {}
