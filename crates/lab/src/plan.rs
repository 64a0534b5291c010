//! Plans of a comparison, which generate sets of prunings: [`Plan`] and [`Switches`].

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use secateurs::ParseError;

use super::compare::check_unique;
use super::error::CompareError;

/// A set of named switches, each of which is on or off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switches {
    names: Arc<[String]>,
    on: Vec<bool>,
    label: String,
}

impl Switches {
    /// Returns whether the switch of this name is on.
    ///
    /// # Panics
    /// Panics if there is no switch of this name, because a misspelt name would otherwise act as a
    /// switch that is always off.
    #[must_use]
    pub fn is_on(&self, name: &str) -> bool {
        match self.names.iter().position(|known| known == name) {
            Some(index) => self.on[index],
            None => panic!("no switch is called `{name}`; there are {:?}", self.names),
        }
    }

    /// Calls `make` if the switch of this name is on. An `Option` of a hook is a hook, so the
    /// result can be passed to a search.
    ///
    /// # Panics
    /// Panics if there is no switch of this name.
    pub fn then<T>(&self, name: &str, make: impl FnOnce() -> T) -> Option<T> {
        self.is_on(name).then(make)
    }

    /// Returns the names of the switches that are on, in the given order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().zip(&self.on).filter(|(_, on)| **on).map(|(name, _)| name.as_str())
    }
}

/// The label of the set, as in `all but a`.
impl fmt::Display for Switches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.label)
    }
}

/// A rule that generates the sets of switches to compare, such as sets of prunings.
///
/// `Display` and `FromStr` use the names `cumulative`, `alone`, `all-but-one` and `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Plan {
    /// The empty set, then one more at a time, in the given order.
    Cumulative,
    /// The empty set, then each one alone.
    EachAlone,
    /// The full set, then all but one.
    AllButOne,
    /// All subsets, from the empty set to the full one, of at most
    /// [`MAX_SUBSETS_OF`](Plan::MAX_SUBSETS_OF) switches.
    Subsets,
}

impl Plan {
    /// The maximal number of switches for [`Plan::Subsets`], which makes 65,536 sets of them.
    pub const MAX_SUBSETS_OF: usize = 16;

    const ALL: [Plan; 4] = [Plan::Cumulative, Plan::EachAlone, Plan::AllButOne, Plan::Subsets];

    /// Returns the sets of this plan.
    ///
    /// ```
    /// use secateurs_lab::{Plan, CompareError};
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
    /// Returns [`CompareError::TooManySubsets`] if all subsets of more than
    /// [`MAX_SUBSETS_OF`](Plan::MAX_SUBSETS_OF) names are requested, and [`CompareError::SameName`]
    /// if a name occurs twice.
    pub fn sets(
        self,
        names: impl IntoIterator<Item: Into<String>>,
    ) -> Result<Vec<Switches>, CompareError> {
        let names: Arc<[String]> = names.into_iter().map(Into::into).collect();
        let count = names.len();
        check_unique("switches", names.iter().map(String::as_str))?;
        let set = |label: String, on: &dyn Fn(usize) -> bool| Switches {
            names: Arc::clone(&names),
            on: (0..count).map(on).collect(),
            label,
        };
        let none = || set("none".to_owned(), &|_| false);
        let one_more_than = |first: Switches, of_name: &dyn Fn(usize) -> Switches| {
            [first].into_iter().chain((0..count).map(of_name)).collect()
        };
        Ok(match self {
            Plan::Cumulative => one_more_than(none(), &|last| {
                let label = if last == 0 { names[0].clone() } else { format!("+ {}", names[last]) };
                set(label, &|index| index <= last)
            }),
            Plan::EachAlone => {
                one_more_than(none(), &|alone| set(names[alone].clone(), &|index| index == alone))
            }
            Plan::AllButOne => one_more_than(set("all".to_owned(), &|_| true), &|left_out| {
                set(format!("all but {}", names[left_out]), &|index| index != left_out)
            }),
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

    /// Returns the name of the plan, as used by `Display` and `FromStr`.
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
