//! One table of a comparison, as aligned text or as Markdown, and the formats of numbers and names
//! in tables, charts and pages.

use std::fmt;

use crate::measured::Measured;

/// The maximal number of characters of a cell.
const MAX_CELL_CHARS: usize = 60;

/// A table of a comparison, returned by [`Comparison::section`](super::super::Comparison::section).
/// `Display` prints it as aligned text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub(crate) title: &'static str,
    /// The first row contains the titles of the columns.
    pub(crate) rows: Vec<Vec<String>>,
    /// Remarks on the table.
    pub(crate) notes: Vec<String>,
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
                row.iter().map(|cell| escaped(&one_line(cell, MAX_CELL_CHARS))).collect();
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
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| one_line(cell, MAX_CELL_CHARS)).collect())
            .collect();
        let mut widths: Vec<usize> = Vec::new();
        for row in &rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        for row in &rows {
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                match column {
                    0 => write!(f, "{cell:<width$}")?,
                    _ => write!(f, "  {cell:>width$}")?,
                }
            }
            writeln!(f)?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

/// Returns a row that begins with this cell.
pub(crate) fn row(first: impl Into<String>, rest: impl Iterator<Item = String>) -> Vec<String> {
    [first.into()].into_iter().chain(rest).collect()
}

/// Formats the range of the depths from `first` to `end`, which is not included.
pub(crate) fn depths(first: usize, end: usize) -> String {
    if end - first == 1 { first.to_string() } else { format!("{first}–{}", end - 1) }
}

/// Formats a number with spaces between groups of three digits: `1 234 567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
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

/// Shortens a name to one line of at most `most` characters. Control characters, line separators
/// and bidirectional overrides become spaces.
pub(crate) fn one_line(name: &str, most: usize) -> String {
    let is_invisible = |char: char| {
        char.is_control() || matches!(char, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut line: String = name
        .chars()
        .take(most + 1)
        .map(|char| if is_invisible(char) { ' ' } else { char })
        .collect();
    if line.chars().count() > most {
        line = line.chars().take(most.saturating_sub(1)).collect();
        line.push('…');
    }
    line
}

/// Formats a count that may be an estimate, a median, or huge: with grouped digits, or as a power
/// of ten from 10¹² on.
pub(crate) fn count(number: f64) -> String {
    if !number.is_finite() {
        "?".to_owned()
    } else if number >= 1e12 {
        format!("{number:.2e}")
    } else {
        grouped(number.round().max(0.0) as u64)
    }
}

/// Formats the size of a tree like [`size`], without the error of an estimate.
pub(crate) fn short_size(run: &Measured) -> String {
    match (run.estimate(), run.estimate_is_reliable()) {
        (Some(estimate), Some(true)) => format!("est. {}", rough(estimate.mean)),
        _ => size(run),
    }
}

/// Formats the size of a tree: the number of nodes, a reliable estimate, or a lower bound. The last
/// two are marked.
pub(crate) fn size(run: &Measured) -> String {
    match (run.trial.is_limited(), run.estimate()) {
        (false, _) => grouped(run.nodes()),
        (true, Some(estimate)) if run.estimate_is_reliable() == Some(true) => {
            let error = estimate
                .standard_error
                .map_or_else(String::new, |error| format!(" ± {}", rough(error)));
            format!("est. {}{error}", rough(estimate.mean))
        }
        (true, _) if run.at_least() > run.nodes() as f64 => at_least(run.at_least()),
        (true, _) => format!("> {} ({})", grouped(run.nodes()), run.report().stop()),
    }
}

/// Formats a lower bound. Large ones are rounded down to three digits, so that they still hold.
pub(crate) fn at_least(number: f64) -> String {
    let rounded =
        if number < 1000.0 { number.floor() } else { to_three_digits(number, f64::floor) };
    format!("≥ {}", rough(rounded))
}

/// Rounds a number of at least 100 to three digits by `round`.
fn to_three_digits(number: f64, round: fn(f64) -> f64) -> f64 {
    let unit = 10_f64.powi(number.log10() as i32 - 2);
    round(number / unit) * unit
}

/// Formats a round number at a tick of an axis, from a million on as a power of ten.
#[cfg(feature = "pages")]
pub(crate) fn tick(number: f64) -> String {
    if number < 1e6 {
        return count(number);
    }
    let exponent = number.log10().floor() as i32;
    let factor = (number / 10_f64.powi(exponent)).round();
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let power: String =
        exponent.to_string().bytes().map(|digit| digits[usize::from(digit - b'0')]).collect();
    if factor == 1.0 { format!("10{power}") } else { format!("{factor}·10{power}") }
}

/// Formats a number that may be based on estimates: rounded and marked.
pub(crate) fn approximate(number: f64) -> String {
    format!("≈ {}", rough(number))
}

/// Formats the time of a run, marked as a lower bound if the run reached a limit in any round.
pub(crate) fn run_time(run: &Measured) -> String {
    let mark = if run.is_limited() { "> " } else { "" };
    format!("{mark}{}", time(run.seconds().median))
}

/// Formats a number of nanoseconds, without the unit.
pub(crate) fn nanoseconds(number: f64) -> String {
    if number < 99.95 { format!("{number:.1}") } else { count(number) }
}

/// Formats a number with two or three significant digits.
pub(crate) fn rough(number: f64) -> String {
    if !number.is_finite() {
        "?".to_owned()
    } else if number < 1000.0 {
        format!("{:.0}", number.round())
    } else if number < 1e7 {
        grouped(to_three_digits(number, f64::round) as u64)
    } else {
        format!("{number:.2e}")
    }
}

/// Formats a ratio, rounded by `round`, so that a rounded bound still holds.
pub(crate) fn ratio(ratio: f64, round: fn(f64) -> f64) -> String {
    match ratio {
        ratio if ratio > 0.0 && ratio < 0.001 => {
            let unit = 10_f64.powf(ratio.log10().floor() - 1.0);
            format!("{:.1e}", round(ratio / unit) * unit)
        }
        // A larger one is formatted with three digits.
        ratio if ratio >= 1e12 => count(to_three_digits(ratio, round)),
        ratio if ratio >= 100.0 => count(round(ratio)),
        ratio => format!("{:.3}", round(ratio * 1000.0) / 1000.0),
    }
}

/// Formats a time in seconds with a suitable unit.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 0.999_5e-6 => format!("{:.0} ns", seconds * 1e9),
        seconds if seconds < 0.999_5e-3 => format!("{} µs", three_digits(seconds * 1e6)),
        seconds if seconds < 0.999_5 => format!("{} ms", three_digits(seconds * 1e3)),
        seconds if seconds < 9999.5 => format!("{} s", three_digits(seconds)),
        seconds => format!("{} s", count(seconds)),
    }
}

fn three_digits(number: f64) -> String {
    match number {
        number if number < 9.995 => format!("{number:.2}"),
        number if number < 99.95 => format!("{number:.1}"),
        number => format!("{number:.0}"),
    }
}

/// Formats a number of bytes with a suitable unit.
pub(crate) fn bytes(bytes: f64) -> String {
    match bytes {
        bytes if bytes < 999.5 => format!("{bytes:.0} B"),
        bytes if bytes < 999.5e3 => format!("{} kB", three_digits(bytes / 1e3)),
        bytes if bytes < 999.5e6 => format!("{} MB", three_digits(bytes / 1e6)),
        bytes => format!("{} GB", three_digits(bytes / 1e9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_with_few_significant_digits() {
        assert_eq!(
            [time(0.0), time(2e-9), time(1e-6), time(0.001), time(0.0123)],
            ["0 ns", "2 ns", "1.00 µs", "1.00 ms", "12.3 ms"]
        );
        assert_eq!([time(0.9999), time(59.94), time(420_397.0)], ["1.00 s", "59.9 s", "420 397 s"]);
        assert_eq!(
            [bytes(0.0), bytes(999.4), bytes(2048.0), bytes(3e9)],
            ["0 B", "999 B", "2.05 kB", "3.00 GB"]
        );
        assert_eq!(
            [count(0.4), count(1234.5), count(3.7e12), count(f64::INFINITY)],
            ["0", "1 235", "3.70e12", "?"]
        );
        assert_eq!(
            [rough(0.0), rough(12.4), rough(123_456.0), rough(3.7e9)],
            ["0", "12", "123 000", "3.70e9"]
        );
        assert_eq!(
            [0.0, 1.0, 4e-5, 123.4].map(|number| ratio(number, f64::round)),
            ["0.000", "1.000", "4.0e-5", "123"]
        );
        assert_eq!(
            [0.0621, 4.21e-5, 123.4].map(|number| ratio(number, f64::ceil)),
            ["0.063", "4.3e-5", "124"]
        );
        assert_eq!(
            [1.001e12, 2.345_6e15, 9.999e20].map(|number| ratio(number, f64::ceil)),
            ["1.01e12", "2.35e15", "1.00e21"]
        );
        assert_eq!(
            [1.009e12, 2.345_6e15, 9.999e20].map(|number| ratio(number, f64::floor)),
            ["1.00e12", "2.34e15", "9.99e20"]
        );
        assert_eq!(at_least(2.399e13), "≥ 2.39e13");
    }

    #[test]
    #[cfg(feature = "pages")]
    fn large_ticks_are_formatted_as_powers_of_ten() {
        assert_eq!(
            [tick(1.0), tick(5e5), tick(1e6), tick(2e12)],
            ["1", "500 000", "10⁶", "2·10¹²"]
        );
    }

    #[test]
    fn names_are_cut_to_one_line() {
        assert_eq!(one_line("a\nb\r\tc", 10), "a b  c");
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abcde…");
        assert_eq!(one_line(&"é".repeat(100_000), 3), "éé…");
    }
}
