//! The name of a variable inside a model.

/// A variable of a [`Model`](super::Model) and of the [`Network`](super::Network) that is made from
/// it.
///
/// Variables are numbered in the order in which they are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Variable(u32);

impl Variable {
    /// `index` must be less than 2³².
    #[inline]
    pub(super) fn new(index: usize) -> Self {
        Variable(index as u32)
    }

    /// How many variables were added before this one.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
