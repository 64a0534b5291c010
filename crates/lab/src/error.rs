//! Errors of plans and comparisons: [`CompareError`].

use std::error::Error;
use std::fmt;

use super::measured::Answer;

/// Two proven answers for one instance that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    pub(super) instance: String,
    pub(super) answers: [(String, Answer); 2],
}

impl Disagreement {
    /// Returns the name of the instance.
    #[must_use]
    pub fn instance(&self) -> &str {
        &self.instance
    }

    /// Returns the names of the two contenders, each with its answer.
    #[must_use]
    pub fn answers(&self) -> &[(String, Answer); 2] {
        &self.answers
    }

    /// Checks that all proven claims agree.
    ///
    /// # Errors
    /// Returns [`CompareError::Disagreement`] with two proven claims that differ.
    pub(super) fn check(instance: &str, claims: &[(String, Answer)]) -> Result<(), CompareError> {
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
        let Disagreement { instance, answers: [(one, one_answer), (other, other_answer)] } = self;
        write!(
            f,
            "{instance}: `{one}` has proven {one_answer}, `{other}` has proven {other_answer}; at \
             least one of them is unsound"
        )
    }
}

/// The reason why a [plan](super::Plan::sets) or a [comparison](super::Compare::run) failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompareError {
    /// No contender was added.
    NoContenders,
    /// The comparison has no instance.
    NoInstances,
    /// Two contenders, instances or switches have the same name, so that it is ambiguous.
    SameName {
        /// The kind of the named items: `contenders`, `instances` or `switches`.
        what: &'static str,
        /// The shared name.
        name: String,
    },
    /// A plan of all subsets has too many switches.
    TooManySubsets {
        /// The number of switches.
        found: usize,
        /// The maximal number of switches.
        most: usize,
    },
    /// Two contenders have proven different answers.
    Disagreement(Box<Disagreement>),
    /// The [cancel switch](secateurs::Cancel) among the limits was set.
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
                "found {found} switches to make all subsets of, expected at most {most}, which \
                 have {} subsets",
                1_u64 << most
            ),
            CompareError::Disagreement(disagreement) => disagreement.fmt(f),
            CompareError::Cancelled => f.write_str("the comparison was cancelled"),
        }
    }
}

impl Error for CompareError {}
