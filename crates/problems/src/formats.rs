//! Recognising the format of a text that a reader refuses.

use secateurs::ParseError;

/// A description of a format, and whether the first two lines with contents fit it.
type Format = (&'static str, fn([&str; 2]) -> bool);

/// Well-known formats.
const FORMATS: &[Format] = &[
    ("a DIMACS graph", |[first, _]| {
        starts(first, &["p", "edge"])
            || starts(first, &["p", "edges"])
            || starts(first, &["p", "col"])
    }),
    ("DIMACS clauses", |[first, _]| {
        starts(first, &["h"]) || starts(first, &["p", "cnf"]) || starts(first, &["p", "wcnf"])
    }),
    ("an XCSP3 instance", |lines| lines.iter().any(|line| line.starts_with("<instance"))),
    ("XML", |[first, _]| first.starts_with("<?xml")),
    ("JSON", |[first, _]| first.starts_with('{')),
    ("a TSPLIB file", |[first, _]| {
        first.split([':', ' ']).next() == Some("NAME") && first.contains(':')
    }),
    ("a MiniZinc model", |lines| {
        let words = ["include", "var", "int:", "array", "constraint", "predicate"];
        lines.iter().any(|line| words.iter().any(|word| starts(line, &[word])))
    }),
    ("a job shop", |[first, second]| match numbers(first)[..] {
        [_, machines] => {
            machines > 0 && machines.checked_mul(2) == Some(numbers(second).len() as u64)
        }
        _ => false,
    }),
    ("a Sudoku", |[first, _]| {
        let has = |is: fn(u8) -> bool| first.bytes().any(is);
        matches!(first.len(), 9 | 81)
            && first.bytes().all(|cell| cell.is_ascii_digit() || cell == b'.')
            && (first.len() == 81 || (has(|cell| cell == b'.') && has(|cell| cell != b'.')))
    }),
];

/// Returns whether a line begins with these words.
fn starts(line: &str, words: &[&str]) -> bool {
    let mut found = line.split_whitespace();
    words.iter().all(|&word| found.next().is_some_and(|token| token.eq_ignore_ascii_case(word)))
}

/// Returns the numbers of a line, or none if it has other tokens.
fn numbers(line: &str) -> Vec<u64> {
    line.split_whitespace()
        .map(|token| token.parse().ok())
        .collect::<Option<_>>()
        .unwrap_or_default()
}

/// Reads a text of the `expected` format, which may begin with a byte order mark. The error has a
/// note if the text looks like another format.
pub(crate) fn read<T>(
    text: &str,
    expected: &str,
    read: impl FnOnce(&str) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read(text).map_err(|error| recognise(text, expected, error))
}

/// Adds a note to the error of a reader of `expected`, if the text looks like another format.
fn recognise(text: &str, expected: &str, error: ParseError) -> ParseError {
    let mut lines = text.lines().map(str::trim).filter(|line| {
        let first = line.split_whitespace().next().unwrap_or("");
        !first.is_empty()
            && first != "c"
            && !["#", "//", "%"].iter().any(|mark| line.starts_with(mark))
    });
    let lines = [lines.next().unwrap_or(""), lines.next().unwrap_or("")];
    match FORMATS.iter().find(|(_, fits)| fits(lines)) {
        Some(&(name, _)) if name != expected => {
            error.with_note(format_args!("(the text looks like {name})"))
        }
        _ => error,
    }
}
