//! Helpers for serialising frontiers.

use serde::{Deserialize, Deserializer, Serialize};

/// Returns the value of [`Frontier`](super::Frontier)'s `unchecked` after reading: it has not been
/// checked against a problem.
pub(super) fn unchecked() -> bool {
    true
}

/// A choice with a marker.
///
/// In formats without names, the marker takes one byte. Otherwise choices of a zero-sized type
/// would take no space, and a few bytes could claim any number of them.
#[derive(Serialize, Deserialize)]
enum Marked<C> {
    Choice(C),
}

/// A sequence of choices as a list of marked choices.
pub(super) mod choices {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Marked;

    pub(in crate::search::frontier) fn serialize<'a, C, L, S>(
        choices: &'a L,
        serializer: S,
    ) -> Result<S::Ok, S::Error>
    where
        C: Serialize + 'a,
        &'a L: IntoIterator<Item = &'a C, IntoIter: ExactSizeIterator>,
        S: Serializer,
    {
        serializer.collect_seq(choices.into_iter().map(Marked::Choice))
    }

    pub(in crate::search::frontier) fn deserialize<'de, C, L, D>(
        deserializer: D,
    ) -> Result<L, D::Error>
    where
        C: Deserialize<'de>,
        L: FromIterator<C>,
        D: Deserializer<'de>,
    {
        let marked = Vec::<Marked<C>>::deserialize(deserializer)?;
        Ok(marked.into_iter().map(|Marked::Choice(choice)| choice).collect())
    }
}

/// Reads a share of the tree, or a sum of shares.
pub(super) fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(deserializer)?;
    // A sum of shares may exceed 1 after overlapping parts were merged.
    if (0.0..=1e9).contains(&share) {
        Ok(share)
    } else {
        let message = format!("found {share}, expected a share of a tree, from 0 to 1e9");
        Err(serde::de::Error::custom(message))
    }
}
