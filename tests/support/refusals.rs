//! Texts that a reader refuses, and the messages of the errors.

use std::fmt::Display;

/// A text, the line and the column of the error (0 if the message names no column), what was found
/// there, and what was expected.
pub type Refusal<'a> = (&'a str, [usize; 2], &'a str, &'a str);

/// Asserts that a reader refuses texts with these messages.
#[track_caller]
pub fn assert_refused<T, E: Display>(
    read: impl Fn(&str) -> Result<T, E>,
    refusals: &[Refusal<'_>],
) {
    for &(text, [line, column], found, expected) in refusals {
        let column = if column == 0 { String::new() } else { format!(", column {column}") };
        let message = format!("line {line}{column}: found {found}, expected {expected}");
        let error = read(text).err().unwrap_or_else(|| panic!("{text:?} was read"));
        assert_eq!(error.to_string(), message, "{text:?}");
    }
}
