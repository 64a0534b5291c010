//! The identity of a search or a sweep in files and between processes: [`Fingerprint`].

use std::fmt;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use super::save_error::{SaveError, unsuitable};
use crate::digest::Digest;
use crate::hook::{Effect, OFF};

/// The identity of a search or a sweep: its problem, its brancher and its hooks.
///
/// You supply a name and a digest of the instance. A search [adds](crate::Search::fingerprint) the
/// names, effects and [parameters](crate::Hook::parameters) of the brancher and the hooks, in their
/// order; a sweep adds the type of its states, and its hooks. Saved work is resumed only by a
/// search with the same fingerprint; otherwise the error says what differs.
///
/// ```
/// use secateurs::checkpoint::Fingerprint;
///
/// let weights = vec![3, 4, 2, 5];
/// let fingerprint = Fingerprint::new("knapsack", &weights);
/// assert_ne!(fingerprint, Fingerprint::new("knapsack", &[3, 4, 2, 6]));
/// ```
///
/// # Limits
///
/// A fingerprint represents only what was put into it. It does not detect a change of the program,
/// of the choices that a problem makes, or of what a hook of the same name and parameters prunes.
/// Add everything else that changes the tree by [`with`](Fingerprint::with), such as switches and
/// the version of the program. If two incompatible runs have the same fingerprint, the answer may
/// be wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint {
    name: String,
    instance: Digest,
    /// The brancher or the size of the states of a sweep, the hooks, and in a cluster the question.
    parts: Vec<Part>,
}

/// The identity of a hook, a brancher, a question or the states of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) kind: PartKind,
    pub(crate) name: String,
    pub(crate) effect: Effect,
    /// The digest of its parameters; `None` if it has not stated them.
    pub(crate) parameters: Option<Digest>,
}

/// The kind of a part. Serialized by its position: append new kinds only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum PartKind {
    Brancher,
    Hook,
    Question,
    States,
}

impl Part {
    /// Returns whether this is a hook that is switched off. Another hook may have the same name and
    /// effect, but not the same parameters.
    fn is_off(&self) -> bool {
        self.name == OFF
            && self.effect == Effect::Preserving
            && self.parameters == Some(Digest::OFF)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            PartKind::Brancher => "brancher",
            PartKind::Hook => "hook",
            PartKind::Question => "question",
            PartKind::States => return write!(f, "a state of {}", self.name),
        };
        write!(f, "the {kind} `{}`", self.name)
    }
}

impl Fingerprint {
    /// Creates the fingerprint of an `instance` of the problem with this name.
    ///
    /// The instance is any data that distinguish it from other instances: its numbers, the text of
    /// a board, or a digest that you have computed. Cost: proportional to its size.
    #[must_use]
    pub fn new(name: impl Into<String>, instance: &(impl Hash + ?Sized)) -> Self {
        Fingerprint { name: name.into(), instance: Digest::of(instance), parts: Vec::new() }
    }

    /// Creates the fingerprint of an `instance` that can be serialized, which includes
    /// floating-point numbers. Cost: proportional to its size.
    ///
    /// # Errors
    /// Returns [`SaveError::Unsuitable`] if `instance` cannot be serialized, or has a sequence of
    /// unknown length.
    pub fn serialized(
        name: impl Into<String>,
        instance: &(impl Serialize + ?Sized),
    ) -> Result<Self, SaveError> {
        let bytes = postcard::to_allocvec(instance).map_err(unsuitable)?;
        Ok(Self::new(name, &bytes))
    }

    /// Adds data to the instance. Cost: proportional to its size.
    #[must_use]
    pub fn with(mut self, data: &(impl Hash + ?Sized)) -> Self {
        // Hashing the digest of the data instead of the data keeps the boundaries between pieces:
        // two pieces never equal two others with the same concatenation.
        Digest::of(data).hash(&mut self.instance);
        self
    }

    /// Replaces the brancher and the hooks. Hooks that are switched off are left out.
    pub(crate) fn with_parts(self, mut parts: Vec<Part>) -> Self {
        parts.retain(|part| !part.is_off());
        Fingerprint { parts, ..self }
    }

    /// Adds the question, for files whose data do not contain it.
    #[cfg(feature = "timely")]
    pub(crate) fn with_question(mut self, name: String) -> Self {
        let (effect, parameters) = (Effect::Preserving, Some(Digest::NONE));
        self.parts.push(Part { kind: PartKind::Question, name, effect, parameters });
        self
    }

    /// Returns the first part that has not stated its parameters, described for an error message.
    pub(crate) fn unstated(&self) -> Option<String> {
        self.parts.iter().find(|part| part.parameters.is_none()).map(Part::to_string)
    }

    /// Describes the first difference between `found` and this fingerprint; empty if there is none.
    pub(crate) fn difference(&self, found: &Self) -> String {
        if self.name != found.name {
            return format!("found the problem `{}`, expected `{}`", found.name, self.name);
        }
        if self.instance != found.instance {
            let (found, expected) = (found.instance, self.instance);
            return format!(
                "found another instance of `{}`, of digest {found}, expected {expected}",
                self.name
            );
        }
        let mut pairs = self.parts.iter().zip(&found.parts);
        match pairs.find(|(expected, found)| expected != found) {
            Some((expected, found)) if expected.to_string() != found.to_string() => {
                format!("found {found} at the place of {expected}")
            }
            Some((expected, found)) if expected.effect != found.effect => {
                format!(
                    "found the effect {} of {found}, expected {}",
                    found.effect, expected.effect
                )
            }
            Some((_, found)) => format!("found other parameters of {found}"),
            None => match (self.parts.get(found.parts.len()), found.parts.get(self.parts.len())) {
                (Some(missing), _) => format!("{missing} is missing"),
                (None, Some(more)) => format!("found {more} as well"),
                (None, None) => String::new(),
            },
        }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of digest {}", self.name, self.instance)?;
        for (index, part) in self.parts.iter().enumerate() {
            write!(f, "{}{part}", if index == 0 { " with " } else { ", " })?;
            if part.effect != Effect::Preserving {
                write!(f, " ({})", part.effect)?;
            }
            match part.parameters {
                Some(Digest::NONE) => {}
                Some(parameters) => write!(f, " of parameters {parameters}")?,
                None => f.write_str(" of unstated parameters")?,
            }
        }
        Ok(())
    }
}
