//! A way to answer a question about an instance.

use std::fmt;

use super::answer::Trial;
use super::reference::Reference;
use crate::limits::Limits;
use crate::search::Estimate;

pub(super) type Run<'a, I> = Box<dyn Fn(&I, Limits) -> Trial + 'a>;
type Estimator<'a, I> = Box<dyn Fn(&I, u64, u64) -> Estimate + 'a>;

/// A named way to answer a question about instances of type `I`: a search with some hooks and an
/// order, or a sweep.
///
/// ```
/// use secateurs::lab::Contender;
/// use secateurs::problems::queens::{BitQueens, Queens};
/// use secateurs::Search;
///
/// let mirror = Contender::new("mirror", |queens: &BitQueens, limits| {
///     Search::new(queens).hooks((Queens::mirror(),)).limits(limits).count()
/// })
/// .estimated(|queens, probes, seed| Search::new(queens).hooks((Queens::mirror(),)).estimate(probes, seed));
/// assert_eq!(mirror.name(), "mirror");
/// ```
pub struct Contender<'a, I> {
    pub(super) name: String,
    pub(super) run: Run<'a, I>,
    pub(super) counted: Option<Run<'a, I>>,
    pub(super) estimate: Option<Estimator<'a, I>>,
    /// Whether the estimate is of a search that knows the optimum from the beginning.
    pub(super) estimate_knows_optimum: bool,
    pub(super) references: Vec<Reference>,
}

impl<'a, I> Contender<'a, I> {
    /// Runs a search or a sweep on an instance, under limits that it must pass on: an
    /// [`Outcome`](crate::Outcome) of any kind.
    ///
    /// All of it is timed. What does not belong to the contender, such as reading the instance, is
    /// done before.
    pub fn new<T: Into<Trial>>(
        name: impl Into<String>,
        run: impl Fn(&I, Limits) -> T + 'a,
    ) -> Self {
        Contender {
            name: name.into(),
            run: Box::new(move |instance, limits| run(instance, limits).into()),
            counted: None,
            estimate: None,
            estimate_knows_optimum: false,
            references: Vec::new(),
        }
    }

    /// Takes [figures](Trial::stat) from another run, which is not timed: the same search with
    /// counters that would slow it down. That both come to the same answer is checked.
    ///
    /// ```
    /// use secateurs::lab::{Compare, Contender, Trial};
    /// use secateurs::problems::queens::{Effort, Queens};
    /// use secateurs::{Limits, Search};
    ///
    /// let looking_back = Contender::new("looking back", |queens: &Queens, limits| {
    ///     Search::new(&queens.lookback()).limits(limits).count()
    /// })
    /// .counted(|queens, limits| {
    ///     let effort = Effort::new();
    ///     let outcome = Search::new(&queens.lookback().counting(&effort)).limits(limits).count();
    ///     Trial::from(outcome).stat("pair tests", effort.pair_tests())
    /// });
    /// let comparison = Compare::of("8 queens", Queens::new(8)?).contender(looking_back).run()?;
    /// assert_eq!(comparison.contenders()[0].runs()[0].stat("pair tests"), Some(46_752));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counted<T: Into<Trial>>(mut self, run: impl Fn(&I, Limits) -> T + 'a) -> Self {
        self.counted = Some(Box::new(move |instance, limits| run(instance, limits).into()));
        self
    }

    /// Tells how the size of its tree is estimated, from an instance, the number of probes and a
    /// seed: by [`Search::estimate`](crate::Search::estimate) of the same search. Asked for where a
    /// run comes to a limit; an estimate of fewer nodes than were visited by then is left out.
    ///
    /// Only a [reliable](Estimate::is_reliable) estimate counts as the
    /// [size](super::Measured::size) of the tree. Any other one gives a [lower
    /// bound](super::Measured::at_least) at best.
    #[must_use]
    pub fn estimated(mut self, estimate: impl Fn(&I, u64, u64) -> Estimate + 'a) -> Self {
        self.estimate = Some(Box::new(estimate));
        self.estimate_knows_optimum = false;
        self
    }

    /// As [`estimated`](Self::estimated), of a search in which hooks compare with an incumbent, if
    /// the estimate is made with the optimum as its value. The tree of the search that finds the
    /// optimum by itself is no smaller then, so the estimate gives a lower bound of it.
    #[must_use]
    pub fn estimated_for_optimum(
        mut self,
        estimate: impl Fn(&I, u64, u64) -> Estimate + 'a,
    ) -> Self {
        self.estimate = Some(Box::new(estimate));
        self.estimate_knows_optimum = true;
        self
    }

    /// Adds figures that somebody else has published, to be shown beside those that are measured.
    #[must_use]
    pub fn reference(mut self, reference: Reference) -> Self {
        self.references.push(reference);
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl<I> fmt::Debug for Contender<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contender").field("name", &self.name).finish_non_exhaustive()
    }
}
