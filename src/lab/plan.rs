//! Which sets of prunings are compared: [`Plan`].

use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

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
    /// use secateurs::lab::{Plan, PlanError};
    ///
    /// let labels = |plan: Plan| -> Result<Vec<String>, PlanError> {
    ///     Ok(plan.sets(["a", "b"])?.iter().map(ToString::to_string).collect())
    /// };
    /// assert_eq!(labels(Plan::Cumulative)?, ["none", "a", "+ b"]);
    /// assert_eq!(labels(Plan::EachAlone)?, ["none", "a", "b"]);
    /// assert_eq!(labels(Plan::AllButOne)?, ["all", "all but a", "all but b"]);
    /// assert_eq!(labels(Plan::Subsets)?, ["none", "a", "b", "a, b"]);
    /// # Ok::<(), PlanError>(())
    /// ```
    ///
    /// # Errors
    /// [`PlanError::TooMany`] if all subsets are asked for of more than
    /// [`MAX_SUBSETS_OF`](Plan::MAX_SUBSETS_OF), and [`PlanError::SameName`] if two have the same
    /// name.
    pub fn sets(
        self,
        names: impl IntoIterator<Item: Into<String>>,
    ) -> Result<Vec<Switches>, PlanError> {
        let names: Arc<[String]> = names.into_iter().map(Into::into).collect();
        let count = names.len();
        if let Some(name) = names
            .iter()
            .enumerate()
            .find_map(|(index, name)| names[..index].contains(name).then_some(name))
        {
            return Err(PlanError::SameName(name.clone()));
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
                return Err(PlanError::TooMany { found: count });
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
    type Err = UnknownPlan;

    fn from_str(name: &str) -> Result<Plan, UnknownPlan> {
        Plan::ALL
            .into_iter()
            .find(|plan| plan.name() == name)
            .ok_or_else(|| UnknownPlan(name.to_owned()))
    }
}

/// What was given is not the name of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPlan(String);

impl fmt::Display for UnknownPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {:?}, expected `cumulative`, `alone`, `all-but-one` or `all`", self.0)
    }
}

impl Error for UnknownPlan {}

/// Why a plan has no sets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// All subsets of too many.
    TooMany {
        /// How many there are to be switched.
        found: usize,
    },
    /// Two have this name.
    SameName(String),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::TooMany { found } => write!(
                f,
                "found {found} to make all subsets of, expected at most {}: already these have {} subsets",
                Plan::MAX_SUBSETS_OF,
                1_u32 << Plan::MAX_SUBSETS_OF
            ),
            PlanError::SameName(name) => {
                write!(f, "found two called {name:?}, expected a name for each")
            }
        }
    }
}

impl Error for PlanError {}
