//! What the readers of the original inputs share: lines with their numbers.

/// The lines of a text, numbered from 1. Empty lines at the end are left out.
pub(super) struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    next: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lines { lines: text.trim_end_matches(['\n', '\r']).lines().enumerate(), next: 1 }
    }

    /// The next line, if there is one, and its number.
    pub(super) fn read(&mut self) -> Option<(usize, &'a str)> {
        let (index, text) = self.lines.next()?;
        self.next = index + 2;
        Some((index + 1, text))
    }

    /// The number of the next line, which need not be there.
    pub(super) fn next_number(&self) -> usize {
        self.next
    }
}

/// Two whole numbers, of rows and of columns, and nothing else but spaces.
pub(super) fn size(line: &str) -> Option<(usize, usize)> {
    let mut numbers = line.split_ascii_whitespace().map(str::parse);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(rows)), Some(Ok(columns)), None) => Some((rows, columns)),
        _ => None,
    }
}
