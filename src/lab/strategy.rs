//! A way to answer a question about an instance.

use std::fmt;

use super::answer::Trial;
use crate::limits::Limits;
use crate::search::Estimate;

type Run<'a, I> = Box<dyn Fn(&I, Limits) -> Trial + 'a>;
type Estimator<'a, I> = Box<dyn Fn(&I, u64, u64) -> Estimate + 'a>;

/// A named way to answer a question about instances of type `I`.
pub struct Strategy<'a, I> {
    pub(super) name: String,
    pub(super) run: Run<'a, I>,
    pub(super) estimate: Option<Estimator<'a, I>>,
}

impl<'a, I> Strategy<'a, I> {
    /// Runs a search or a sweep on an instance, under limits that it must pass on: an [`Outcome`](crate::Outcome) of any kind.
    ///
    /// All of it is timed. What does not belong to the strategy, such as reading the instance, is done before.
    pub fn new<T: Into<Trial>>(name: impl Into<String>, run: impl Fn(&I, Limits) -> T + 'a) -> Self {
        Strategy {
            name: name.into(),
            run: Box::new(move |instance, limits| run(instance, limits).into()),
            estimate: None,
        }
    }

    /// Tells how the size of its tree is estimated, from an instance, the number of probes and a seed: by
    /// [`Search::estimate`](crate::Search::estimate) of the same search.
    #[must_use]
    pub fn estimated(mut self, estimate: impl Fn(&I, u64, u64) -> Estimate + 'a) -> Self {
        self.estimate = Some(Box::new(estimate));
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl<I> fmt::Debug for Strategy<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Strategy").field("name", &self.name).finish_non_exhaustive()
    }
}
