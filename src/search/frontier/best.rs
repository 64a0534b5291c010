//! The best solutions of a frontier, and the values of incumbents that none of them has.
//!
//! A run leaves out what is not better than its incumbent. If the incumbent's value is that of a
//! solution in the frontier, a later run visits that solution again and knows the value. Otherwise
//! the value was [offered](crate::Incumbent::offer) by other code or found on another frontier, and
//! a later run that does not know it could call a worse solution optimal.

use crate::incumbent::{IncumbentId, ObjectiveId};

/// A solution that is the best one of some part of the tree.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(serialize = "C: serde::Serialize", deserialize = "C: serde::Deserialize<'de>"))
)]
pub(crate) struct BestSolution<C> {
    #[cfg_attr(feature = "serde", serde(with = "super::files::choices"))]
    pub(crate) path: Vec<C>,
    /// Its value as text; empty if there is no objective.
    pub(crate) value: String,
}

/// Values that were offered to the incumbents of earlier runs, and that no solution of the frontier
/// is known to have.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct OfferedValues(Vec<OfferedValue>);

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct OfferedValue {
    /// The type of the value is not known here.
    text: String,
    /// The incumbent that had the value, and therefore has one as good in this process.
    #[cfg_attr(feature = "serde", serde(skip, default = "IncumbentId::foreign"))]
    incumbent: IncumbentId,
}

impl OfferedValues {
    /// Adds the value of an objective's incumbent, if it has one.
    pub(crate) fn insert_latest(&mut self, objective: &ObjectiveId) {
        if let Some(text) = objective.latest_value() {
            self.insert(OfferedValue { text, incumbent: objective.incumbent() });
        }
    }

    fn insert(&mut self, value: OfferedValue) {
        let is_same =
            |known: &OfferedValue| known.text == value.text && known.incumbent == value.incumbent;
        if !self.0.iter().any(is_same) {
            self.0.push(value);
        }
    }

    /// Adds the values of `others`.
    pub(crate) fn merge(&mut self, others: OfferedValues) {
        others.0.into_iter().for_each(|value| self.insert(value));
    }

    /// Removes the values that the incumbent of `objective` is known to have reached.
    pub(crate) fn remove_known(&mut self, objective: &ObjectiveId) {
        let latest = objective.latest_value();
        self.0.retain(|value| {
            let same = value.incumbent == objective.incumbent() && latest.is_some();
            !same && latest.as_ref() != Some(&value.text)
        });
    }

    /// Returns the values that none of these solutions has.
    #[must_use]
    pub(crate) fn without<C>(mut self, solutions: &[BestSolution<C>]) -> Self {
        self.0.retain(|value| solutions.iter().all(|solution| solution.value != value.text));
        self
    }

    /// Removes the values of `known`.
    #[cfg(feature = "timely")]
    pub(crate) fn remove_all(&mut self, known: &OfferedValues) {
        self.0.retain(|value| known.0.iter().all(|other| other.text != value.text));
    }

    /// Returns why a run without these values proves nothing; `None` if there are none.
    pub(crate) fn conflict(&self) -> Option<String> {
        let OfferedValue { text, .. } = self.0.first()?;
        Some(format!(
            "earlier runs left out what is not better than {text}, which this run was not told: \
             offer it to the incumbent"
        ))
    }
}
