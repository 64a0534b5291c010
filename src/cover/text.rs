//! Reading and writing covers in the text format of Knuth's programs.

use std::fmt;
use std::str::FromStr;

use super::{Cover, CoverBuilder, CoverError};
use crate::text::{ParseError, tokens};

/// The byte order mark that some editors write at the start of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns whether a line is blank or a comment.
fn is_skipped(line: &str) -> bool {
    let begin = line.trim_start();
    begin.is_empty() || begin.starts_with('|')
}

fn second_bar(line: usize, column: usize) -> ParseError {
    let message = "found '|', expected an item: only one '|' may begin the secondary items";
    ParseError::at(line, column, message)
}

fn add_items(builder: &mut CoverBuilder, number: usize, line: &str) -> Result<(), ParseError> {
    let mut is_primary = true;
    for (mut column, mut token) in tokens(line) {
        // The first secondary item may follow the bar without a space.
        if let Some(rest) = token.strip_prefix('|') {
            if !is_primary {
                return Err(second_bar(number, column));
            }
            is_primary = false;
            if rest.is_empty() {
                continue;
            }
            (column, token) = (column + 1, rest);
        }
        let added = if is_primary { builder.primary(token) } else { builder.secondary(token) };
        added.map_err(|error| parse_error(number, column, &error))?;
    }
    Ok(())
}

fn add_option(builder: &mut CoverBuilder, number: usize, line: &str) -> Result<(), ParseError> {
    // The builder stops at the first member that it rejects, which is the last token it has read.
    let mut last = (1, "");
    let added = builder.option(tokens(line).map(|(column, token)| {
        last = (column, token);
        token
    }));
    match (added, last) {
        (Ok(_), _) => Ok(()),
        (Err(_), (column, "|")) => Err(second_bar(number, column)),
        (Err(error), (column, _)) => Err(parse_error(number, column, &error)),
    }
}

/// Converts an error of the builder; the position replaces the number of the option.
fn parse_error(line: usize, column: usize, error: &CoverError) -> ParseError {
    ParseError::at(line, column, error.without_option())
}

impl FromStr for Cover {
    type Err = ParseError;

    /// Parses a line of items, the secondary ones after a `|`, and then one option per line: the
    /// names of its items, or `name:colour` for an item with a colour.
    ///
    /// Names are separated by white space. Lines that begin with `|` are comments; comments and
    /// blank lines are ignored everywhere. Lines may end in CR LF, and the last one needs no line
    /// end. An item whose name begins with `#` is [preferred](CoverBuilder::prefer). The time is
    /// linear in the length of the text.
    ///
    /// Knuth's programs for exact cover with colours (DLX2, SSXCC) read the same format with the
    /// same meaning: options without primary items are accepted and never chosen, and a secondary
    /// item without a colour is covered at most once. Their limits are tighter: names of up to 8
    /// bytes, colours of one byte, lines of limited length. Multiplicities as in `2:3|a` (DLX3) are
    /// rejected.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let mut lines = text.lines().enumerate().filter(|(_, line)| !is_skipped(line));
        let mut builder = Cover::builder();
        let (index, items) = lines.next().ok_or_else(|| {
            let message =
                "found the end of the text, expected a line of items, primary items first";
            ParseError::at(text.lines().count() + 1, 1, message)
        })?;
        add_items(&mut builder, index + 1, items)?;
        for (index, line) in lines {
            add_option(&mut builder, index + 1, line)?;
        }
        Ok(builder.build())
    }
}

impl fmt::Display for Cover {
    /// Writes the format that is [parsed](#impl-FromStr-for-Cover).
    ///
    /// A parsed cover is written so that it parses to the same cover. The format cannot express
    /// covers without primary items (a line of secondary items alone is a comment),
    /// [preferred](CoverBuilder::prefer) items without a `#`, and secondary items given before
    /// primary ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |is_primary: bool| {
            let items = (0..self.items()).filter(move |&item| self.is_primary(item) == is_primary);
            items.map(|item| self.name(item)).collect::<Vec<_>>()
        };
        let (primary, secondary) = (names(true), names(false));
        if primary.first().is_some_and(|name| name.starts_with(BYTE_ORDER_MARK)) {
            // Parsing removes the first mark as a byte order mark; the second one belongs to the
            // name.
            write!(f, "{BYTE_ORDER_MARK}")?;
        }
        f.write_str(&primary.join(" "))?;
        if !secondary.is_empty() {
            write!(f, " | {}", secondary.join(" "))?;
        }
        writeln!(f)?;
        for option in 0..self.options() {
            for (index, member) in self.members(option).enumerate() {
                write!(f, "{}{member}", if index > 0 { " " } else { "" })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
