//! How what is left of a search is serialised.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::subtree::{Subtree, Untried};

/// A frontier that is read has not been compared with a problem.
pub(super) fn unchecked() -> bool {
    true
}

/// A choice, marked as one.
///
/// In a form without names, the mark is a byte. A choice of a type with nothing to say would
/// otherwise take no room at all, and a few bytes could claim to be any number of them.
#[derive(Serialize, Deserialize)]
enum Marked<C> {
    Choice(C),
}

/// A sequence of choices, as a list of marked ones.
pub(super) mod choices {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Marked;

    pub(in crate::search) fn serialize<'a, C, L, S>(
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

    /// The same of a reference, as `serde` asks for it.
    pub(super) fn by_reference<C: Serialize, S: Serializer>(
        path: &&Vec<C>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serialize(*path, serializer)
    }

    pub(in crate::search) fn deserialize<'de, C, L, D>(deserializer: D) -> Result<L, D::Error>
    where
        C: Deserialize<'de>,
        L: FromIterator<C>,
        D: Deserializer<'de>,
    {
        let marked = Vec::<Marked<C>>::deserialize(deserializer)?;
        Ok(marked.into_iter().map(|Marked::Choice(choice)| choice).collect())
    }
}

/// Several paths.
pub(super) mod paths {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::choices;

    #[derive(Serialize, Deserialize)]
    #[serde(bound(serialize = "C: Serialize", deserialize = "C: Deserialize<'de>"))]
    struct Path<C>(#[serde(with = "choices")] Vec<C>);

    #[derive(Serialize)]
    #[serde(bound(serialize = "C: Serialize"))]
    struct PathRef<'a, C>(#[serde(serialize_with = "choices::by_reference")] &'a Vec<C>);

    pub(in crate::search) fn serialize<C: Serialize, S: Serializer>(
        paths: &[Vec<C>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(PathRef))
    }

    pub(in crate::search) fn deserialize<'de, C, D>(
        deserializer: D,
    ) -> Result<Vec<Vec<C>>, D::Error>
    where
        C: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        let paths = Vec::<Path<C>>::deserialize(deserializer)?;
        Ok(paths.into_iter().map(|Path(path)| path).collect())
    }
}

/// A share of the tree, or what several of them come to.
pub(super) fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(deserializer)?;
    // Shares of parts that overlap may be merged as well, if anybody likes.
    if (0.0..=1e9).contains(&share) {
        Ok(share)
    } else {
        Err(serde::de::Error::custom("no share of a tree"))
    }
}

/// A subtree as it comes from outside.
#[derive(Deserialize)]
#[serde(bound(deserialize = "C: Deserialize<'de>"))]
struct Unchecked<C> {
    #[serde(with = "choices")]
    path: Vec<C>,
    untried: Vec<Untried<C>>,
}

/// A subtree as it is written: one that ends at a solution has a node too many, with nothing in it.
/// (It was not known at first that there would be such subtrees; so they can be told apart, and all
/// others stay as they were.)
#[derive(Serialize)]
#[serde(rename = "Subtree", bound(serialize = "C: Serialize"))]
struct Written<'a, C> {
    #[serde(serialize_with = "choices::by_reference")]
    path: &'a Vec<C>,
    untried: Vec<&'a Untried<C>>,
}

impl<C: Serialize> Serialize for Subtree<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mark = Untried::none();
        let untried = self.untried.iter().chain(self.solution.then_some(&mark)).collect();
        Written { path: &self.path, untried }.serialize(serializer)
    }
}

impl<'de, C: Deserialize<'de>> Deserialize<'de> for Subtree<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Unchecked { path, mut untried } = Unchecked::deserialize(deserializer)?;
        let marked = |last: &Untried<C>| last.choices.is_empty() && !last.barren;
        let solution = untried.len() == path.len() + 2 && untried.last().is_some_and(marked);
        if solution {
            untried.pop();
        }
        let whole = path.is_empty() && untried.is_empty();
        if !whole && untried.len() != path.len() + 1 {
            return Err(serde::de::Error::custom("a path without as many nodes as it has"));
        }
        Ok(Subtree { path, untried, solution })
    }
}
