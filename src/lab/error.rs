//! Why there is no comparison: [`CompareError`].

use std::error::Error;
use std::fmt;

use super::answer::Answer;

/// Two contenders that claim to have proven different answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    pub(super) instance: String,
    pub(super) answers: [(String, Answer); 2],
}

impl Disagreement {
    /// The name of the instance.
    #[must_use]
    pub fn instance(&self) -> &str {
        &self.instance
    }

    /// The two contenders, each with its answer.
    #[must_use]
    pub fn answers(&self) -> &[(String, Answer); 2] {
        &self.answers
    }

    /// Two of the claims that are proven and differ, if there are any.
    pub(super) fn among(instance: &str, claims: &[(String, Answer)]) -> Result<(), CompareError> {
        let mut proven = claims.iter().filter(|(_, answer)| answer.proven().is_some());
        let Some(first) = proven.next() else { return Ok(()) };
        match proven.find(|(_, answer)| *answer != first.1) {
            None => Ok(()),
            Some(second) => Err(CompareError::Disagreement(Box::new(Disagreement {
                instance: instance.to_owned(),
                answers: [first.clone(), second.clone()],
            }))),
        }
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { instance, answers: [(one, own), (other, others)] } = self;
        write!(
            f,
            "{instance}: `{one}` has proven {own}, `{other}` has proven {others}; one of them at least is unsound"
        )
    }
}

/// Why there is no comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompareError {
    /// There is no contender.
    NoContenders,
    /// There is no instance.
    NoInstances,
    /// Two contenders, or two instances, have this name: nobody could tell which is meant.
    SameName {
        /// The kind of things: `contenders`, `instances` or `switches`.
        what: &'static str,
        /// Their name.
        name: String,
    },
    /// A plan of all subsets has too many things to switch.
    TooManySubsets {
        /// The number of switches.
        found: usize,
        /// The maximal number of switches.
        most: usize,
    },
    /// Two contenders have proven different answers.
    Disagreement(Box<Disagreement>),
    /// The [switch](crate::Cancel) among the limits was thrown.
    Cancelled,
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompareError::NoContenders => f.write_str("found no contenders, expected at least one"),
            CompareError::NoInstances => f.write_str("found no instances, expected at least one"),
            CompareError::SameName { what, name } => {
                write!(f, "found two {what} called {name:?}, expected a name for each")
            }
            CompareError::TooManySubsets { found, most } => write!(
                f,
                "found {found} switches to make all subsets of, expected at most {most}, which have \
                 {} subsets",
                1_u64 << most
            ),
            CompareError::Disagreement(disagreement) => disagreement.fmt(f),
            CompareError::Cancelled => f.write_str("the comparison was cancelled"),
        }
    }
}

impl Error for CompareError {}
