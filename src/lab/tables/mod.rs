//! A comparison as tables: aligned, or in Markdown.

mod by_instance;
mod hooks;
pub(in crate::lab) mod pick;
mod summary;
mod table;
pub(in crate::lab) mod text;

use std::fmt;

use super::comparison::Comparison;
use super::reference::Quantity;
use table::escaped;

pub use table::Table;

/// A part of a [`Comparison`], to be printed by itself.
///
/// ```
/// use secateurs::lab::{Compare, Section, Contender};
/// use secateurs::problems::queens::{BitQueens, Queens};
/// use secateurs::Search;
///
/// let comparison = Compare::of("6 queens", Queens::new(6)?.bits())
///     .contender(Contender::new("all", |queens: &BitQueens, limits| Search::new(queens).limits(limits).count()))
///     .rounds(1)
///     .run()?;
/// let depths = comparison.section(Section::Depths).to_string();
/// assert!(depths.contains("depth"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Section {
    /// What each contender came to: nodes, time, memory, ratios to the base; over several
    /// instances, quantiles.
    Summary,
    /// Nodes, instance by instance, beside those of [references](super::Reference).
    Nodes,
    /// Times, instance by instance, beside those of [references](super::Reference).
    Times,
    /// Cuts of each hook and how often it was asked, over all instances.
    Cuts,
    /// Nodes by depth, over all instances.
    Depths,
    /// Figures that [trials](super::Trial::stat) and [hooks](crate::Hook::stats) have of their own,
    /// instance by instance.
    Figures,
}

impl Section {
    /// All of them.
    pub const ALL: [Section; 6] = [
        Section::Summary,
        Section::Nodes,
        Section::Times,
        Section::Cuts,
        Section::Depths,
        Section::Figures,
    ];
}

impl Comparison {
    /// A part of it.
    #[must_use]
    pub fn section(&self, section: Section) -> Table {
        match section {
            Section::Summary => self.summary(summary::ROWS),
            Section::Nodes => self.nodes_by_instance(),
            Section::Times => self.times_by_instance(),
            Section::Cuts => self.cuts_by_hook(),
            Section::Depths => self.nodes_by_depth(),
            Section::Figures => self.own_figures(),
        }
    }

    /// The parts that are shown unless others are asked for: of a few instances, one by one what
    /// differs.
    fn main_sections(&self) -> Vec<Table> {
        let small = self.is_small();
        let several = self.instances.len() > 1;
        let shown = [
            (Section::Summary, true),
            (Section::Nodes, small && (several || self.has_references(&Quantity::Nodes))),
            (Section::Times, small && self.has_references(&Quantity::Seconds)),
            (Section::Figures, small && self.has_own_figures()),
            (Section::Cuts, true),
        ];
        let shown =
            shown.into_iter().filter(|(_, shown)| *shown).map(|(section, _)| self.section(section));
        shown.filter(|table| !table.is_empty()).collect()
    }

    /// As tables in Markdown.
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
