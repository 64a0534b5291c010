//! Which sets of prunings are compared: [`Plan`].

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::error::CompareError;
use crate::text::ParseError;

/// Which of some things that can be switched on are on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switches {
    names: Arc<[String]>,
    on: Vec<bool>,
    label: String,
}

impl Switches {
    /// Whether the one of this name is on.
    ///
    /// # Panics
    /// If none has this name: a misspelt name would else be a switch that is always off.
    #[must_use]
    pub fn is_on(&self, name: &str) -> bool {
        match self.names.iter().position(|known| known == name) {
            Some(index) => self.on[index],
            None => panic!("no switch is called `{name}`; there are {:?}", self.names),
        }
    }

    /// What `make` gives if the one of this name is on: an `Option` of a hook is a hook.
    ///
    /// # Panics
    /// If none has this name.
    pub fn then<T>(&self, name: &str, make: impl FnOnce() -> T) -> Option<T> {
        self.is_on(name).then(make)
    }

    /// The names of those that are on, in the order in which they were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().zip(&self.on).filter(|(_, on)| **on).map(|(name, _)| name.as_str())
    }
}

/// What it is called in a comparison.
impl fmt::Display for Switches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.label)
    }
}

/// Which sets are compared of a number of prunings, or of anything else that can be switched on.
///
/// It is written and read as `cumulative`, `alone`, `all-but-one` or `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Plan {
    /// None, then one more at a time, in the given order.
    Cumulative,
    /// None, then each alone.
    EachAlone,
    /// All, then all but one.
    AllButOne,
    /// All subsets: none first, all last; of at most [`MAX_SUBSETS_OF`](Plan::MAX_SUBSETS_OF).
    Subsets,
}

impl Plan {
    /// Of no more than so many, all subsets are made: 65,536 of them.
    pub const MAX_SUBSETS_OF: usize = 16;

    const ALL: [Plan; 4] = [Plan::Cumulative, Plan::EachAlone, Plan::AllButOne, Plan::Subsets];

    /// The sets.
    ///
    /// ```
    /// use secateurs::lab::{Plan, CompareError};
    ///
    /// let labels = |plan: Plan| -> Result<Vec<String>, CompareError> {
    ///     Ok(plan.sets(["a", "b"])?.iter().map(ToString::to_string).collect())
    /// };
    /// assert_eq!(labels(Plan::Cumulative)?, ["none", "a", "+ b"]);
    /// assert_eq!(labels(Plan::EachAlone)?, ["none", "a", "b"]);
    /// assert_eq!(labels(Plan::AllButOne)?, ["all", "all but a", "all but b"]);
    /// assert_eq!(labels(Plan::Subsets)?, ["none", "a", "b", "a, b"]);
    /// # Ok::<(), CompareError>(())
    /// ```
    ///
    /// # Errors
    /// [`CompareError::TooManySubsets`] if all subsets are asked for of more than
    /// [`MAX_SUBSETS_OF`](Plan::MAX_SUBSETS_OF), and [`CompareError::SameName`] if two have the same
    /// name.
    pub fn sets(
        self,
        names: impl IntoIterator<Item: Into<String>>,
    ) -> Result<Vec<Switches>, CompareError> {
        let names: Arc<[String]> = names.into_iter().map(Into::into).collect();
        let count = names.len();
        if let Some(name) = names
            .iter()
            .enumerate()
            .find_map(|(index, name)| names[..index].contains(name).then_some(name))
        {
            return Err(CompareError::SameName { what: "switches", name: name.clone() });
        }
        let set = |label: String, on: &dyn Fn(usize) -> bool| Switches {
            names: Arc::clone(&names),
            on: (0..count).map(on).collect(),
            label,
        };
        let none = || set("none".to_owned(), &|_| false);
        Ok(match self {
            Plan::Cumulative => std::iter::once(none())
                .chain((0..count).map(|last| {
                    let label =
                        if last == 0 { names[0].clone() } else { format!("+ {}", names[last]) };
                    set(label, &|index| index <= last)
                }))
                .collect(),
            Plan::EachAlone => std::iter::once(none())
                .chain((0..count).map(|alone| set(names[alone].clone(), &|index| index == alone)))
                .collect(),
            Plan::AllButOne => std::iter::once(set("all".to_owned(), &|_| true))
                .chain(
                    (0..count)
                        .map(|out| set(format!("all but {}", names[out]), &|index| index != out)),
                )
                .collect(),
            Plan::Subsets if count > Self::MAX_SUBSETS_OF => {
                return Err(CompareError::TooManySubsets {
                    found: count,
                    most: Self::MAX_SUBSETS_OF,
                });
            }
            Plan::Subsets => (0..1_usize << count)
                .map(|bits| {
                    let on = |index: usize| bits >> index & 1 == 1;
                    let label: Vec<&str> =
                        (0..count).filter(|&index| on(index)).map(|index| &*names[index]).collect();
                    let label = if label.is_empty() { "none".to_owned() } else { label.join(", ") };
                    set(label, &on)
                })
                .collect(),
        })
    }

    /// How it is written and read.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Plan::Cumulative => "cumulative",
            Plan::EachAlone => "alone",
            Plan::AllButOne => "all-but-one",
            Plan::Subsets => "all",
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Plan {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Plan, ParseError> {
        Plan::ALL.into_iter().find(|plan| plan.name() == name).ok_or_else(|| {
            ParseError::new(format_args!(
                "found {name:?}, expected `cumulative`, `alone`, `all-but-one` or `all`"
            ))
        })
    }
}
