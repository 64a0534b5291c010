//! Tables of a comparison, as aligned text or Markdown.
//!
//! - `text.rs`: one table, and the formats of numbers and names.
//! - `pick.rs`: the choice of contenders and instances if there are too many.
//! - `summary.rs`, `breakdown.rs`: the individual tables.

mod breakdown;
pub(crate) mod pick;
mod summary;
pub(crate) mod text;

use std::fmt;

use text::escaped;

use super::comparison::Comparison;
use super::contender::Quantity;

pub use text::Table;

/// One table of a [`Comparison`], to be printed by itself.
///
/// ```
/// use secateurs::Search;
/// use secateurs_lab::{Compare, Section, Contender};
/// use secateurs_problems::queens::{BitQueens, Queens};
///
/// let comparison = Compare::of("6 queens", Queens::new(6)?.bits())
///     .contender(Contender::new("all", |queens: &BitQueens, limits| {
///         Search::new(queens).limits(limits).count()
///     }))
///     .rounds(1)
///     .run()?;
/// let depths = comparison.section(Section::Depths).to_string();
/// assert!(depths.contains("depth"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Section {
    /// For each contender: nodes, time, memory and the ratios to the base; with several instances,
    /// quantiles.
    Summary,
    /// Nodes by instance, next to those of [references](super::Reference).
    Nodes,
    /// Times by instance, next to those of [references](super::Reference).
    Times,
    /// Cuts and calls of each hook, summed over all instances.
    Cuts,
    /// Nodes by depth, summed over all instances.
    Depths,
    /// Statistics of [trials](super::Trial::stat) and [hooks](secateurs::Hook::stats), by instance.
    Stats,
}

impl Section {
    /// All sections.
    pub const ALL: [Section; 6] = [
        Section::Summary,
        Section::Nodes,
        Section::Times,
        Section::Cuts,
        Section::Depths,
        Section::Stats,
    ];
}

impl Comparison {
    /// Returns one section as a table.
    #[must_use]
    pub fn section(&self, section: Section) -> Table {
        match section {
            Section::Summary => self.summary(summary::MAX_ROWS),
            Section::Nodes => self.nodes_by_instance(),
            Section::Times => self.times_by_instance(),
            Section::Cuts => self.cut_table(),
            Section::Depths => self.depth_table(),
            Section::Stats => self.stats_by_instance(),
        }
    }

    /// Returns the sections that `Display` prints. If there are few instances, these include tables
    /// by instance.
    fn main_sections(&self) -> Vec<Table> {
        let small = self.is_small();
        let several = self.instances.len() > 1;
        let sections = [
            (Section::Summary, true),
            (Section::Nodes, small && (several || self.has_references(&Quantity::Nodes))),
            (Section::Times, small && self.has_references(&Quantity::Seconds)),
            (Section::Stats, small && self.has_trial_stats()),
            (Section::Cuts, true),
        ];
        let shown = sections.into_iter().filter(|(_, is_shown)| *is_shown);
        let tables = shown.map(|(section, _)| self.section(section));
        tables.filter(|table| !table.is_empty()).collect()
    }

    /// Returns the same tables as `Display`, in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let tables = self.main_sections();
        let texts = tables.iter().enumerate().map(|(index, table)| match index {
            0 => table.markdown(),
            _ => format!("{}:\n\n{}", escaped(table.title()), table.markdown()),
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, table) in self.main_sections().iter().enumerate() {
            if index > 0 {
                writeln!(f, "\n{}:", table.title)?;
            }
            table.fmt(f)?;
        }
        Ok(())
    }
}
