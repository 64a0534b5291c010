//! Figures that were published by somebody else, to be shown beside those that were measured:
//! [`Reference`].

use std::fmt;

/// Figures from elsewhere about a contender, instance by instance: an article's tree sizes, the
/// times of an old machine.
///
/// They stand beside what was measured in each [output](super::Comparison), and decide nothing.
/// Instances are meant by their names; what is said of one that is not compared is left out.
///
/// ```
/// use secateurs::lab::{Compare, Reference, Section, Contender};
/// use secateurs::problems::queens::{BitQueens, Queens};
/// use secateurs::Search;
///
/// let sizes = [8, 9].map(|n| (format!("{n} queens"), Queens::new(n).map(Queens::bits)));
/// let mut instances = Vec::new();
/// for (name, queens) in sizes {
///     instances.push((name, queens?));
/// }
/// let row_by_row = Contender::new("row by row", |queens: &BitQueens, limits| Search::new(queens).limits(limits).count())
///     .reference(Reference::nodes("textbook", [("8 queens", 2057.0), ("9 queens", 8394.0)]));
/// let comparison = Compare::over(instances).contender(row_by_row).rounds(1).run()?;
/// assert_eq!(comparison.contenders()[0].references()[0].of("9 queens"), Some(8394.0));
/// println!("{}", comparison.section(Section::Nodes)); // nodes that were visited, and those of the textbook
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    source: String,
    quantity: Quantity,
    figures: Vec<(String, f64)>,
}

/// What a [`Reference`] is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Nodes of the tree, or states of a sweep.
    Nodes,
    /// Time, in seconds.
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
    /// Nodes, or states of a sweep; `source` says in a word or two whose they are.
    #[must_use]
    pub fn nodes(
        source: impl Into<String>,
        figures: impl IntoIterator<Item = (impl Into<String>, f64)>,
    ) -> Self {
        Self::new(Quantity::Nodes, source, figures)
    }

    /// Times in seconds; `source` says in a word or two whose they are.
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

    /// Whose figures they are.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What they are about.
    #[must_use]
    pub fn quantity(&self) -> &Quantity {
        &self.quantity
    }

    /// The figure for the instance of this name.
    #[must_use]
    pub fn of(&self, instance: &str) -> Option<f64> {
        self.figures.iter().find(|(name, _)| name == instance).map(|&(_, figure)| figure)
    }

    /// Whether there is a figure for any of these instances.
    pub(super) fn says_something_of(&self, instances: &[String]) -> bool {
        instances.iter().any(|instance| self.of(instance).is_some())
    }
}
