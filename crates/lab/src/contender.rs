//! The contenders of a comparison: [`Contender`], and published figures about them, to be shown
//! next to the measured ones: [`Reference`].

use std::fmt;

use secateurs::Limits;
use secateurs::search::Estimate;

use super::measured::Trial;

pub(super) type Run<'a, I> = Box<dyn Fn(&I, Limits) -> Trial + 'a>;
/// A function of the instance, the number of probes and a seed.
pub(super) type Estimator<'a, I> = Box<dyn Fn(&I, u64, u64) -> Estimate + 'a>;

/// A named configuration that takes part in a comparison on instances of type `I`: a search with
/// certain hooks and a certain brancher, or a sweep.
///
/// ```
/// use secateurs::Search;
/// use secateurs_lab::Contender;
/// use secateurs_problems::queens::{BitQueens, Queens};
///
/// let mirror = Contender::new("mirror", |queens: &BitQueens, limits| {
///     Search::new(queens).hooks((Queens::mirror(),)).limits(limits).count()
/// })
/// .estimated(|queens, probes, seed| {
///     Search::new(queens).hooks((Queens::mirror(),)).estimate(probes, seed)
/// });
/// assert_eq!(mirror.name(), "mirror");
/// ```
pub struct Contender<'a, I> {
    pub(super) name: String,
    pub(super) run: Run<'a, I>,
    /// An untimed run that collects statistics.
    pub(super) counted: Option<Run<'a, I>>,
    pub(super) estimate: Option<Estimator<'a, I>>,
    /// Whether the estimated search knows the optimum from the start.
    pub(super) estimate_knows_optimum: bool,
    pub(super) references: Vec<Reference>,
}

impl<'a, I> Contender<'a, I> {
    /// Creates a contender from a function that runs a search or a sweep on an instance, under
    /// limits that it must pass on. The function returns any [`Outcome`](secateurs::Outcome) or a
    /// [`Trial`].
    ///
    /// The whole function is timed. Work that does not belong to the contender, such as reading the
    /// instance, should be done before.
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

    /// Adds an untimed run that collects [statistics](Trial::stat): the same search with counters
    /// that would slow it down. The comparison checks that both runs give the same answer.
    ///
    /// ```
    /// use secateurs::{Limits, Search};
    /// use secateurs_lab::{Compare, Contender, Trial};
    /// use secateurs_problems::queens::{Effort, Queens};
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

    /// Sets a function that estimates the tree size from an instance, the number of probes and a
    /// seed, by [`Search::estimate`](secateurs::Search::estimate) of the same search. It is called
    /// when a run reaches a limit. An estimate smaller than the number of nodes already visited is
    /// discarded.
    ///
    /// Only a [reliable](Estimate::is_reliable) estimate is used as the
    /// [size](super::Measured::size) of the tree. Any other estimate gives at best a [lower
    /// bound](super::Measured::at_least).
    #[must_use]
    pub fn estimated(mut self, estimate: impl Fn(&I, u64, u64) -> Estimate + 'a) -> Self {
        self.estimate = Some(Box::new(estimate));
        self.estimate_knows_optimum = false;
        self
    }

    /// Sets an estimator like [`estimated`](Self::estimated), for a search whose hooks compare with
    /// an incumbent. `estimate` must use the optimum as the incumbent. The tree of a search that
    /// has to find the optimum is at least as large, so the estimate is a lower bound.
    #[must_use]
    pub fn estimated_for_optimum(self, estimate: impl Fn(&I, u64, u64) -> Estimate + 'a) -> Self {
        Contender { estimate_knows_optimum: true, ..self.estimated(estimate) }
    }

    /// Adds published figures, to be shown next to the measured ones.
    #[must_use]
    pub fn reference(mut self, reference: Reference) -> Self {
        self.references.push(reference);
        self
    }

    /// Returns the name.
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

/// Published figures about a contender by instance, such as the tree sizes of an article or the
/// times of an old machine.
///
/// They are shown next to the measurements in each [output](super::Comparison), and do not affect
/// the comparison. Instances are matched by name; figures for instances that are not compared are
/// ignored.
///
/// ```
/// use secateurs::Search;
/// use secateurs_lab::{Compare, Reference, Section, Contender};
/// use secateurs_problems::queens::{BitQueens, Queens};
///
/// let named = [8, 9].map(|n| (format!("{n} queens"), Queens::new(n).map(Queens::bits)));
/// let mut instances = Vec::new();
/// for (name, queens) in named {
///     instances.push((name, queens?));
/// }
/// let row_by_row = Contender::new("row by row", |queens: &BitQueens, limits| {
///     Search::new(queens).limits(limits).count()
/// })
/// .reference(Reference::nodes("textbook", [("8 queens", 2057.0), ("9 queens", 8394.0)]));
/// let comparison = Compare::over(instances).contender(row_by_row).rounds(1).run()?;
/// assert_eq!(comparison.contenders()[0].references()[0].of("9 queens"), Some(8394.0));
/// println!("{}", comparison.section(Section::Nodes)); // visited nodes, and the textbook's
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    source: String,
    quantity: Quantity,
    figures: Vec<(String, f64)>,
}

/// The quantity that a [`Reference`] reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Nodes of a search, or states of a sweep.
    Nodes,
    /// Time in seconds.
    Seconds,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Quantity::Nodes => "nodes",
            Quantity::Seconds => "seconds",
        })
    }
}

impl Reference {
    /// Creates a reference of numbers of nodes, or states of a sweep. `source` names their origin
    /// in one or two words.
    #[must_use]
    pub fn nodes(
        source: impl Into<String>,
        figures: impl IntoIterator<Item = (impl Into<String>, f64)>,
    ) -> Self {
        Self::new(Quantity::Nodes, source, figures)
    }

    /// Creates a reference of times in seconds. `source` names their origin in one or two words.
    #[must_use]
    pub fn seconds(
        source: impl Into<String>,
        figures: impl IntoIterator<Item = (impl Into<String>, f64)>,
    ) -> Self {
        Self::new(Quantity::Seconds, source, figures)
    }

    fn new(
        quantity: Quantity,
        source: impl Into<String>,
        figures: impl IntoIterator<Item = (impl Into<String>, f64)>,
    ) -> Self {
        let figures =
            figures.into_iter().map(|(instance, figure)| (instance.into(), figure)).collect();
        Reference { source: source.into(), quantity, figures }
    }

    /// Returns the name of the origin.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the quantity that is reported.
    #[must_use]
    pub fn quantity(&self) -> &Quantity {
        &self.quantity
    }

    /// Returns the figure for the instance of this name.
    #[must_use]
    pub fn of(&self, instance: &str) -> Option<f64> {
        self.figures.iter().find(|(name, _)| name == instance).map(|&(_, figure)| figure)
    }

    /// Returns whether there is a figure for any of these instances.
    pub(super) fn covers_any(&self, instances: &[String]) -> bool {
        instances.iter().any(|instance| self.of(instance).is_some())
    }
}
