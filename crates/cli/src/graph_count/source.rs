//! The [`Source`] of a graph: a file, whose edges may have weights, or a board.

use std::path::PathBuf;

use clap::Args;
use secateurs::ParseError;
use secateurs::text::tokens;

#[derive(Args)]
#[group(multiple = false)]
pub(super) struct Source {
    /// The file of the graph, `-` for standard input. [default: a bundled graph]
    pub(super) file: Option<PathBuf>,
    /// A grid of any number of dimensions, such as 3x3x4.
    #[arg(long, value_name = "SIZES", value_parser = sizes)]
    pub(super) grid: Option<Sizes>,
    /// A board with a king's moves, such as 5x5.
    #[arg(long, value_name = "SIZES", value_parser = board)]
    pub(super) king: Option<[usize; 2]>,
    /// A board with a knight's moves, such as 6x6.
    #[arg(long, value_name = "SIZES", value_parser = board)]
    pub(super) knight: Option<[usize; 2]>,
}

#[derive(Clone)]
pub(super) struct Sizes(pub(super) Vec<usize>);

fn sizes(text: &str) -> Result<Sizes, String> {
    let size = |size: &str| match size.parse() {
        Ok(0) | Err(_) => Err(format!("found {size:?}, expected numbers from 1, such as 3x3x4")),
        Ok(size) => Ok(size),
    };
    text.split('x').map(size).collect::<Result<_, _>>().map(Sizes)
}

fn board(text: &str) -> Result<[usize; 2], String> {
    let Sizes(sizes) = sizes(text)?;
    sizes.try_into().map_err(|_| "expected rows and columns, such as 6x6".to_owned())
}

impl Source {
    /// Returns the sides of the board; none if the graph is read from a file.
    pub(super) fn sides(&mut self) -> &mut [usize] {
        match self {
            Source { grid: Some(Sizes(sizes)), .. } => sizes,
            Source { king: Some(sizes), .. } | Source { knight: Some(sizes), .. } => sizes,
            Source { .. } => &mut [],
        }
    }

    /// Returns the number of the shortest side.
    pub(super) fn shortest(&mut self) -> Option<usize> {
        let sides = self.sides().iter().copied().enumerate();
        sides.min_by_key(|&(_, length)| length).map(|(side, _)| side)
    }
}

/// Returns the text of a graph with blanks in the place of weights, and the weights of all edges,
/// 1 by default, if there are any. Fails if there are any although they are unused, because the
/// text may have been meant as lists of neighbours.
pub(super) fn split_weights(
    text: &str,
    are_used: bool,
) -> Result<(String, Option<Vec<i64>>), ParseError> {
    let (mut without, mut weights, mut are_given) = (String::new(), Vec::new(), false);
    for (line, row) in (1..).zip(text.lines()) {
        let row = row.split_once('#').map_or(row, |(before, _)| before);
        let mut words = tokens(row).skip(1);
        let (other, third) = (words.next(), words.next());
        let mut columns = 0..0;
        let mut weight = 1;
        if let Some((column, word)) = third {
            let refuse = |column, word: &str, expected: &str| {
                ParseError::at(line, column, format!("found {word:?}, expected {expected}"))
            };
            let expected = "the weight of the edge, a whole number, or the end of the line";
            weight = word.parse().map_err(|_| refuse(column, word, expected))?;
            if let Some((column, word)) = words.next() {
                return Err(refuse(column, word, "the end of the line after the weight"));
            }
            if !are_used {
                let expected = "the end of the line, because only --heaviest, --lightest and \
                                --then weight=A..=B use weights of edges";
                return Err(refuse(column, word, expected));
            }
            columns = column..column + word.len();
            are_given = true;
        }
        weights.extend(other.map(|_| weight));
        let blanked = (1..).zip(row.chars());
        without.extend(blanked.map(|(at, c)| if columns.contains(&at) { ' ' } else { c }));
        without.push('\n');
    }
    Ok((without, are_given.then_some(weights)))
}
