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
/// order. Saved work is resumed only by a search with the same fingerprint; otherwise the error
/// says what differs.
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
    /// The brancher, unless it is the problem's own order, the hooks, and in a cluster the
    /// question.
    parts: Vec<Part>,
}

/// The identity of a hook, a brancher or a question.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(name: &str, effect: Effect, parameter: u32) -> Part {
        let parameters = Some(Digest::of(&parameter));
        Part { kind: PartKind::Hook, name: name.to_owned(), effect, parameters }
    }

    #[test]
    fn pieces_of_data_with_other_boundaries_differ() {
        let of = |data: [&str; 2]| Fingerprint::new("", &()).with(data[0]).with(data[1]);
        assert_ne!(of(["a", "bc"]), of(["ab", "c"]));
        assert_eq!(of(["a", "bc"]), of(["a", "bc"]));
    }

    #[test]
    fn serialized_instances_may_contain_floating_point_numbers() {
        let of = |weights: &[f64]| Fingerprint::serialized("weights", weights).expect("numbers");
        assert_ne!(of(&[0.5, 1.0]), of(&[0.5, 1.5]));
    }

    #[test]
    fn the_first_difference_is_named() {
        let with = |parts: &[Part]| Fingerprint::new("a tree", &7).with_parts(parts.to_vec());
        let limit = hook("limit", Effect::Lossy, 3);
        let own = with(std::slice::from_ref(&limit));
        assert_eq!(own.difference(&own), "");
        for (found, expected) in [
            (Fingerprint::new("a graph", &7), "found the problem `a graph`, expected `a tree`"),
            (with(&[]), "the hook `limit` is missing"),
            (
                with(&[limit.clone(), hook("more", Effect::Lossy, 0)]),
                "found the hook `more` as well",
            ),
            (
                with(&[hook("bound", Effect::Lossy, 3)]),
                "found the hook `bound` at the place of the hook `limit`",
            ),
            (
                with(&[hook("limit", Effect::Preserving, 3)]),
                "found the effect preserving of the hook `limit`, expected lossy",
            ),
            (
                with(&[hook("limit", Effect::Lossy, 4)]),
                "found other parameters of the hook `limit`",
            ),
        ] {
            assert_eq!(own.difference(&found), expected);
        }
        let other = own.difference(&Fingerprint::new("a tree", &8));
        assert!(other.starts_with("found another instance of `a tree`, of digest "), "{other}");
    }

    #[test]
    fn a_fingerprint_is_printed_with_its_parts() {
        let mut parts = vec![hook("a", Effect::Preserving, 0), hook("b", Effect::Lossy, 0)];
        parts[1].parameters = Some(Digest::NONE);
        let text = Fingerprint::new("queens", &8).with_parts(parts).to_string();
        assert!(text.starts_with("`queens` of digest "), "{text}");
        assert!(text.contains(" with the hook `a` of parameters "), "{text}");
        assert!(text.ends_with(", the hook `b` (lossy)"), "{text}");
    }
}
