//! Words of a line with their places, for readers that say where something is wrong.

/// The words of a line, that is what stands between blanks, each with the column in which it
/// begins: from 1, in characters.
pub(crate) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = line;
    let mut column = 1;
    std::iter::from_fn(move || {
        let trimmed = rest.trim_start();
        column += rest[..rest.len() - trimmed.len()].chars().count();
        let word = &trimmed[..trimmed.find(char::is_whitespace).unwrap_or(trimmed.len())];
        let begins = column;
        column += word.chars().count();
        rest = &trimmed[word.len()..];
        (!word.is_empty()).then_some((begins, word))
    })
}
