//! Tables of results.

use std::fmt::Write;

/// Rows with aligned columns.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with these headers.
    pub fn new(headers: &[&str]) -> Self {
        Table { rows: vec![headers.iter().map(ToString::to_string).collect()] }
    }

    /// Adds a row, with as many cells as there are headers.
    pub fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(String::len).max()
        };
        for row in &self.rows {
            for (column, cell) in row.iter().enumerate() {
                let gap = if column == 0 { "" } else { "  " };
                write!(f, "{gap}{cell:>width$}", width = width(column).unwrap_or(0))?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

/// Formats a part of a whole as a percentage.
pub fn percent(part: f64, whole: f64) -> String {
    format!("{:.1}", 100.0 * part / whole)
}

/// Formats seconds, with more decimals below 10.
pub fn seconds(seconds: f64) -> String {
    if seconds < 10.0 { format!("{seconds:.4}") } else { format!("{seconds:.1}") }
}
