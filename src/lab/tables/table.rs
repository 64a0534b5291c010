//! One table of a comparison, as aligned text or as Markdown.

use std::fmt;

use super::text::one_line;
use crate::report::table;

/// The maximal number of characters of a cell.
const CELL: usize = 60;

/// A table of a comparison, returned by [`Comparison::section`](super::super::Comparison::section).
/// `Display` prints it as aligned text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub(in crate::lab) title: &'static str,
    /// The first row contains the titles of the columns.
    pub(in crate::lab) rows: Vec<Vec<String>>,
    /// Remarks on the table.
    pub(in crate::lab) notes: Vec<String>,
}

impl Table {
    /// Returns the title.
    #[must_use]
    pub fn title(&self) -> &str {
        self.title
    }

    /// Returns the rows, starting with the titles of the columns. The first column contains names.
    #[must_use]
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Returns remarks on the table, such as which rows were left out.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns whether the table has no data.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() < 2 || self.rows[0].len() < 2
    }

    /// Returns the table in Markdown, with all cells escaped.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> =
                row.iter().map(|cell| escaped(&one_line(cell, CELL))).collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
            if index == 0 {
                let rule = (0..row.len()).map(|column| if column == 0 { "---" } else { "---:" });
                text.push_str(&format!("| {} |\n", rule.collect::<Vec<_>>().join(" | ")));
            }
        }
        for note in &self.notes {
            text.push_str(&format!("\n{}\n", escaped(note)));
        }
        text
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| one_line(cell, CELL)).collect())
            .collect();
        table::Table { rows }.fmt(f)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

/// Escapes the characters that Markdown interprets.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '~' | '$' => out.extend(['\\', char]),
            _ => out.push(char),
        }
    }
    out
}
