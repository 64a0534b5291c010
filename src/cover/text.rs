//! Covers as text, in the form that Knuth's programs read.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::{Cover, CoverBuilder, CoverError};
use crate::text::tokens;

/// Why a text is not a cover. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseCoverError {
    /// There is no line of items: only comments and blank lines, or nothing at all.
    NoItems {
        /// How many lines were read.
        lines: usize,
    },
    /// A `|` that is neither the first in the line of items nor begins a comment.
    Bar {
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
    },
    /// An item or an option that there cannot be.
    Refused {
        /// The line of what is wrong.
        line: usize,
        /// The column where it begins.
        column: usize,
        /// What is wrong.
        error: CoverError,
    },
}

impl fmt::Display for ParseCoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseCoverError::NoItems { lines } => write!(
                f,
                "line {}, column 1: found the end of the text, expected a line of items, the primary ones first",
                lines + 1
            ),
            ParseCoverError::Bar { line, column } => {
                write!(
                    f,
                    "line {line}, column {column}: found '|', expected an item, for secondary items begin only once"
                )
            }
            ParseCoverError::Refused { line, column, error } => {
                write!(f, "line {line}, column {column}: {}", error.without_option())
            }
        }
    }
}

impl Error for ParseCoverError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ParseCoverError::Refused { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// The byte order mark that some editors write at the beginning of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Whether there is nothing in a line but a comment.
fn is_skipped(line: &str) -> bool {
    let begin = line.trim_start();
    begin.is_empty() || begin.starts_with('|')
}

fn add_items(builder: &mut CoverBuilder, number: usize, line: &str) -> Result<(), ParseCoverError> {
    let mut is_primary = true;
    for (mut column, mut word) in tokens(line) {
        // The first of the secondary items may follow without a blank.
        if let Some(behind) = word.strip_prefix('|') {
            if !is_primary {
                return Err(ParseCoverError::Bar { line: number, column });
            }
            is_primary = false;
            if behind.is_empty() {
                continue;
            }
            (column, word) = (column + 1, behind);
        }
        let added = if is_primary { builder.primary(word) } else { builder.secondary(word) };
        added.map_err(|error| ParseCoverError::Refused { line: number, column, error })?;
    }
    Ok(())
}

fn add_option(
    builder: &mut CoverBuilder,
    number: usize,
    line: &str,
) -> Result<(), ParseCoverError> {
    let mut place = 1;
    let mut bar = false;
    let members = tokens(line).map(|(column, word)| {
        place = column;
        bar = word == "|";
        word
    });
    let added = builder.option(members);
    match added {
        Ok(_) => Ok(()),
        Err(_) if bar => Err(ParseCoverError::Bar { line: number, column: place }),
        Err(error) => Err(ParseCoverError::Refused { line: number, column: place, error }),
    }
}

impl FromStr for Cover {
    type Err = ParseCoverError;

    /// Reads a line of items, the secondary ones behind a `|`, and then an option a line: the names
    /// of its items, those that are to have a colour as `name:colour`.
    ///
    /// Names are separated by spaces or tabs. Lines that begin with `|` are comments, and these and
    /// blank lines are passed over everywhere. Lines may end in CR LF, and the last one need not
    /// end. An item whose name begins with `#` is [preferred](CoverBuilder::prefer). Cost:
    /// proportional to the length of the text.
    ///
    /// Knuth's programs for exact cover with colours (DLX2, SSXCC) read the same, with the same
    /// meaning: options without primary items are accepted and never chosen, and an item that is
    /// secondary and has no colour is covered once at most. But they take less than this: names of
    /// up to 8 bytes, colours of one byte, lines of limited length. Multiplicities, as in `2:3|a`
    /// (DLX3), are refused.
    fn from_str(text: &str) -> Result<Self, ParseCoverError> {
        // Some editors begin a text with a byte order mark.
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let mut lines = text.lines().enumerate().filter(|(_, line)| !is_skipped(line));
        let mut builder = Cover::builder();
        let (index, items) =
            lines.next().ok_or_else(|| ParseCoverError::NoItems { lines: text.lines().count() })?;
        add_items(&mut builder, index + 1, items)?;
        for (index, line) in lines {
            add_option(&mut builder, index + 1, line)?;
        }
        Ok(builder.build())
    }
}

impl fmt::Display for Cover {
    /// Writes the form that is [read](#impl-FromStr-for-Cover).
    ///
    /// What has been read is written so that it reads the same again. The form cannot tell of
    /// covers without primary items (a line of secondary items alone is a comment), of items that
    /// are [preferred](CoverBuilder::prefer) without a `#`, nor of secondary items given before
    /// primary ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |is_primary: bool| {
            let items = (0..self.items()).filter(move |&item| self.is_primary(item) == is_primary);
            items.map(|item| self.name(item)).collect::<Vec<_>>()
        };
        let (primary, secondary) = (names(true), names(false));
        if primary.first().is_some_and(|name| name.starts_with(BYTE_ORDER_MARK)) {
            // One is taken for a byte order mark when this is read, the other belongs to the name.
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
