//! Published figures, to be shown next to the measured ones: [`Reference`].

use std::fmt;

/// Published figures about a contender by instance, such as the tree sizes of an article or the
/// times of an old machine.
///
/// They are shown next to the measurements in each [output](super::Comparison), and do not affect
/// the comparison. Instances are matched by name; figures for instances that are not compared are
/// ignored.
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
