//! Answers of all kinds of runs, in a form in which they can be compared.

use std::fmt::{self, Display};

use crate::outcome::{Count, Found, Optimum, Outcome, Total};
use crate::report::Report;

/// The answer of a run, as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Answer {
    /// An answer that is proven.
    Proven(String),
    /// A partial answer or a bound.
    Partial(String),
}

impl Answer {
    /// Returns the answer if it is proven.
    #[must_use]
    pub fn proven(&self) -> Option<&str> {
        match self {
            Answer::Proven(answer) => Some(answer),
            Answer::Partial(_) => None,
        }
    }

    /// Returns the text of the answer, proven or not.
    #[must_use]
    pub fn text(&self) -> &str {
        let (Answer::Proven(answer) | Answer::Partial(answer)) = self;
        answer
    }
}

impl Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// The result of one contender on one instance, made from the [`Outcome`] of a search or a sweep.
///
/// ```
/// use secateurs::Search;
/// use secateurs::lab::Trial;
/// use secateurs::problems::queens::{Effort, Queens};
///
/// let effort = Effort::new();
/// let queens = Queens::new(6)?.lookback().counting(&effort);
/// let trial = Trial::from(Search::new(&queens).count()).stat("pair tests", effort.pair_tests());
/// assert_eq!(trial.answer().proven(), Some("4"));
/// assert_eq!(trial.stats(), [("pair tests".to_owned(), 2016)]);
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trial {
    pub(super) answer: Answer,
    pub(super) report: Report,
    pub(super) stats: Vec<(String, u64)>,
}

impl Trial {
    /// Creates a trial from an answer that is not an [`Outcome`] of this crate, such as that of
    /// several runs together, with the sum of their reports.
    #[must_use]
    pub fn new(answer: Answer, report: Report) -> Self {
        Trial { answer, report, stats: Vec::new() }
    }

    /// Adds a statistic that only the contender knows, such as the number of squares tested. The
    /// [statistics of hooks](crate::Hook::stats) need not be added.
    #[must_use]
    pub fn stat(mut self, name: impl Into<String>, value: u64) -> Self {
        self.stats.push((name.into(), value));
        self
    }

    /// Returns the answer.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Returns the report of the run.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Returns the statistics that were added.
    #[must_use]
    pub fn stats(&self) -> &[(String, u64)] {
        &self.stats
    }
}

impl From<Outcome<Count>> for Trial {
    fn from(outcome: Outcome<Count>) -> Self {
        let answer = match (outcome.exact(), outcome.representatives()) {
            (Some(count), _) => Answer::Proven(count.to_string()),
            (None, Some(representatives)) => {
                Answer::Partial(format!("{representatives} representatives"))
            }
            (None, None) => Answer::Partial(format!("at least {}", outcome.at_least())),
        };
        Trial::new(answer, outcome.into_parts().1)
    }
}

impl<V: Display, T> From<Outcome<Optimum<V, T>>> for Trial {
    fn from(outcome: Outcome<Optimum<V, T>>) -> Self {
        let answer = match outcome.value() {
            Optimum::Proven { value, .. } => Answer::Proven(value.to_string()),
            Optimum::NoneBetter { value } => Answer::Partial(format!("none better than {value}")),
            Optimum::BestSoFar { value, .. } => Answer::Partial(format!("best so far {value}")),
            Optimum::Infeasible => Answer::Proven("none".to_owned()),
            Optimum::Unknown => Answer::Partial("unknown".to_owned()),
        };
        Trial::new(answer, outcome.into_parts().1)
    }
}

impl<T> From<Outcome<Found<T>>> for Trial {
    fn from(outcome: Outcome<Found<T>>) -> Self {
        let answer = match outcome.value() {
            Found::Solution(_) => Answer::Proven("some".to_owned()),
            Found::None => Answer::Proven("none".to_owned()),
            Found::Unknown => Answer::Partial("unknown".to_owned()),
        };
        Trial::new(answer, outcome.into_parts().1)
    }
}

impl<V: Display> From<Outcome<Total<V>>> for Trial {
    fn from(outcome: Outcome<Total<V>>) -> Self {
        let answer = match (outcome.total(), outcome.unproven()) {
            (Some(total), _) => Answer::Proven(total.to_string()),
            (None, _) if outcome.is_proven_empty() => Answer::Proven("none".to_owned()),
            (None, Some(sum)) => Answer::Partial(format!("unproven {sum}")),
            (None, None) => Answer::Partial("unknown".to_owned()),
        };
        Trial::new(answer, outcome.into_parts().1)
    }
}
