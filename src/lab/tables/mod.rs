//! A comparison as tables: aligned, or in Markdown.

mod by_instance;
mod hooks;
pub(in crate::lab) mod pick;
mod summary;
pub(in crate::lab) mod text;

use std::fmt;

use super::comparison::Comparison;
use super::reference::Quantity;
use crate::report::table;
use text::one_line;

/// A name in a table has at most so many characters.
const NAME: usize = 60;

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

/// A table of a comparison, made by [`Comparison::section`]. `Display` prints it aligned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub(super) title: &'static str,
    /// The first row has the titles of the columns.
    pub(super) rows: Vec<Vec<String>>,
    /// What is to be known about it.
    pub(super) notes: Vec<String>,
}

impl Table {
    /// What it is about.
    #[must_use]
    pub fn title(&self) -> &str {
        self.title
    }

    /// The rows, that of the titles of the columns first; the first column has names.
    #[must_use]
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// What is to be known about it, such as what was left out.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() < 2 || self.rows[0].len() < 2
    }

    /// As a table in Markdown, whatever is in the names.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> =
                row.iter().map(|cell| markdown(&one_line(cell, NAME))).collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
            if index == 0 {
                let rule = (0..row.len()).map(|column| if column == 0 { "---" } else { "---:" });
                text.push_str(&format!("| {} |\n", rule.collect::<Vec<_>>().join(" | ")));
            }
        }
        for note in &self.notes {
            text.push_str(&format!("\n{}\n", markdown(note)));
        }
        text
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| one_line(cell, NAME)).collect())
            .collect();
        table::Table { rows }.fmt(f)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

/// Text that Markdown takes for text.
fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '~' | '$' => escaped.extend(['\\', char]),
            _ => escaped.push(char),
        }
    }
    escaped
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
            _ => format!("{}:\n\n{}", markdown(table.title), table.markdown()),
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
