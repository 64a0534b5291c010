//! One table of a comparison, as aligned text or as Markdown.

use std::fmt;

use super::text::one_line;
use crate::report::table;

/// A name in a table has at most so many characters.
const NAME: usize = 60;

/// A table of a comparison, made by [`Comparison::section`]. `Display` prints it aligned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub(in crate::lab) title: &'static str,
    /// The first row has the titles of the columns.
    pub(in crate::lab) rows: Vec<Vec<String>>,
    /// What is to be known about it.
    pub(in crate::lab) notes: Vec<String>,
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
                row.iter().map(|cell| escaped(&one_line(cell, NAME))).collect();
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
            .map(|row| row.iter().map(|cell| one_line(cell, NAME)).collect())
            .collect();
        table::Table { rows }.fmt(f)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

/// Text that Markdown takes for text.
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
