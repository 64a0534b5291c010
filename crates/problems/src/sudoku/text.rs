//! Reading Sudoku boards in the layouts of many programs and collections.

use std::str::FromStr;

use secateurs::ParseError;
use secateurs::text::parse_number;

use super::Sudoku;
use crate::formats;

/// A line of a text, with its number.
type Line<'t> = (usize, &'t str);

/// A cell of a row: its column in the text, and its characters.
type Cell<'t> = (usize, &'t str);

/// The numbers of rows and columns of a box, or `None` for a board with square boxes.
type Boxes = Option<(usize, usize)>;

impl Sudoku {
    /// Parses a board from the numbers of rows and columns of its boxes; see
    /// [`FromStr`](#impl-FromStr-for-Sudoku) for the format.
    ///
    /// ```
    /// use secateurs_problems::sudoku::Sudoku;
    ///
    /// let sudoku = Sudoku::from_text("1....6\n......\n......\n......\n......\n6....1\n", 2, 3)?;
    /// assert_eq!((sudoku.side(), sudoku.blanks()), (6, 32));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the boxes are too small or too large, or if the text is not in the
    /// format.
    pub fn from_text(text: &str, box_rows: usize, box_columns: usize) -> Result<Self, ParseError> {
        // The boxes are checked even if the text is at fault as well.
        Sudoku::blank(box_rows, box_columns)?;
        let boxes = Some((box_rows, box_columns));
        formats::read(text, "a Sudoku", |text| read(&significant_lines(text), boxes))
    }

    /// Parses a collection: one board with square boxes per line, each as in
    /// [`FromStr`](#impl-FromStr-for-Sudoku). A text that is a single board is a collection of one
    /// board. Blank lines and comments are ignored.
    ///
    /// ```
    /// use secateurs_problems::sudoku::Sudoku;
    ///
    /// let boards = Sudoku::collection("# Side 4\n1.....1..4.....2\n4..............1\n")?;
    /// assert_eq!(boards.iter().map(Sudoku::blanks).collect::<Vec<_>>(), [12, 14]);
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error, if a line is not a board.
    pub fn collection(text: &str) -> Result<Vec<Self>, ParseError> {
        let is_whole = |line: &str| {
            [Layout::Characters, Layout::Tokens].into_iter().any(|layout| {
                let cells = cells(line, layout).count();
                box_side(cells.isqrt()).is_some_and(|side| cells == side.pow(4))
            })
        };
        let board: Result<Sudoku, ParseError> = text.parse();
        let lines = significant_lines(text);
        match (board, lines.first()) {
            (Err(_), Some((_, first))) if lines.len() > 1 && is_whole(first) => {
                lines.iter().map(|&line| read(&[line], None)).collect()
            }
            (board, _) => Ok(vec![board?]),
        }
    }
}

impl FromStr for Sudoku {
    type Err = ParseError;

    /// Parses a board with square boxes: 1, 4, 9, 16, 25, 36, 49 or 64 cells per side.
    ///
    /// Each line is a row, or a text of one line is a whole board, row after row.
    ///
    /// - A blank cell is `.`, `0`, `-`, `*` or `_`; between commas or semicolons, also nothing.
    ///   If no other blank occurs, it may be a space, in rows of equally many columns, where spaces
    ///   at the end of a row may be missing.
    /// - Cells follow each other directly, or are separated by spaces, commas or semicolons. Above
    ///   side 9, separated numbers have several digits.
    /// - Above side 9, a cell may be a letter, in either case: A is 10 beside digits, and 1 without
    ///   them. If 0 occurs beside another blank, but the number of the side does not occur, numbers
    ///   count from 0: 0 is the number 1, and A is 11.
    /// - Blank lines, frames drawn with `|`, `+`, `-`, `=` or box-drawing characters, and comments,
    ///   lines that begin with `#`, `%` or `//`, are ignored. A line of dashes alone is a row if
    ///   there are too few rows without it.
    ///
    /// Lines may end in CR LF and in spaces, and the end of the last line is optional.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        formats::read(text, "a Sudoku", |text| read(&significant_lines(text), None))
    }
}

/// Returns the lines that are neither empty nor comments.
fn significant_lines(text: &str) -> Vec<Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_significant = |line: &str| {
        let begin = line.trim_start();
        !line.is_empty() && !["#", "%", "//"].iter().any(|comment| begin.starts_with(comment))
    };
    (1..).zip(text.lines()).filter(|&(_, line)| is_significant(line)).collect()
}

/// The layout of the cells of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Each token is a cell.
    Tokens,
    /// Each character is a cell, except spaces.
    Characters,
    /// Each character is a cell, and a space is a blank one.
    Columns,
}

/// Parses the board in some lines, in the first layout that fits. Without one, returns the error
/// of the layout that fits the longest part of the text.
fn read(lines: &[Line<'_>], boxes: Boxes) -> Result<Sudoku, ParseError> {
    let without_frames: Vec<Line<'_>> =
        lines.iter().copied().filter(|&(_, line)| !is_frame(line)).collect();
    let has_cells = |&(_, line): &Line<'_>| !line.trim().is_empty();
    let rows: Vec<Line<'_>> = without_frames.iter().copied().filter(has_cells).collect();
    let Some(&(_, first)) = rows.first() else {
        let message = "found no cell, expected the first row of a board";
        return Err(ParseError::at(1, 1, message));
    };
    let numbered: Vec<Line<'_>> =
        rows.iter().copied().filter(|&(_, line)| !may_be_frame(line)).collect();
    let mut attempts = Vec::new();
    if cells(first, Layout::Tokens).nth(1).is_some() {
        attempts.extend([(&rows, Layout::Tokens), (&numbered, Layout::Tokens)]);
    }
    attempts.extend([(&rows, Layout::Characters), (&numbered, Layout::Characters)]);
    let has_space = rows.iter().any(|(_, line)| line.contains(' '));
    let has_other_blank = |line: &str| line.contains(['.', '0', '-', '*', '_', ',', ';']);
    if has_space && !rows.iter().any(|&(_, line)| has_other_blank(line)) {
        attempts.push((&without_frames, Layout::Columns));
    }
    let mut last: Option<ParseError> = None;
    for (rows, layout) in attempts {
        match read_rows(rows, layout, boxes) {
            Ok(board) => return Ok(board),
            Err(error) => {
                let position = |error: &ParseError| (error.line(), error.column());
                if last.as_ref().is_none_or(|last| position(&error) > position(last)) {
                    last = Some(error);
                }
            }
        }
    }
    Err(last.expect("at least one attempt was made"))
}

/// Returns whether a line is certainly part of a frame, and no row of blank cells.
fn is_frame(line: &str) -> bool {
    let is_drawn = |c: char| ('\u{2500}'..='\u{257f}').contains(&c) && !is_bar(c);
    let is_bar = |c: char| is_bar(c) || c.is_whitespace() || c == '-' || c == '*' || c == ':';
    line.chars().all(|c| is_drawn(c) || is_bar(c) || matches!(c, '+' | '='))
        && line.chars().any(|c| matches!(c, '+' | '=') || is_drawn(c))
}

/// Returns whether a line may be part of a frame, or a row of blank cells.
fn may_be_frame(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '-' | '*') || is_bar(c) || c.is_whitespace())
}

fn is_bar(c: char) -> bool {
    matches!(c, '|' | '¦' | '│' | '┃' | '║')
}

/// Returns the side of the boxes of a board with square boxes, if there is one of this side.
fn box_side(side: usize) -> Option<usize> {
    let root = side.isqrt();
    (root * root == side && (1..=Sudoku::MAX_SIDE).contains(&side)).then_some(root)
}

/// Splits a line into its cells.
fn cells(line: &str, layout: Layout) -> Box<dyn Iterator<Item = Cell<'_>> + '_> {
    let line = line.trim_end_matches(['\r', '\n']);
    if line.contains([',', ';']) && layout != Layout::Columns {
        let line = line.trim_end();
        let line = line.strip_suffix([',', ';']).unwrap_or(line);
        let mut column = 1;
        return Box::new(line.split([',', ';']).map(move |field| {
            let begin = column + field.chars().take_while(|c| c.is_whitespace()).count();
            column += field.chars().count() + 1;
            (begin, field.trim())
        }));
    }
    let is_gap = move |c: char| is_bar(c) || (layout != Layout::Columns && c.is_whitespace());
    let mut characters = (1..).zip(line.char_indices()).peekable();
    Box::new(std::iter::from_fn(move || {
        while characters.next_if(|&(_, (_, c))| is_gap(c)).is_some() {}
        let (column, (begin, c)) = characters.next()?;
        let mut end = begin + c.len_utf8();
        if layout == Layout::Tokens {
            while let Some((_, (_, c))) = characters.next_if(|&(_, (_, c))| !is_gap(c)) {
                end += c.len_utf8();
            }
        }
        Some((column, &line[begin..end]))
    }))
}

/// Parses rows, or a whole board in one row, in a layout.
fn read_rows(lines: &[Line<'_>], layout: Layout, boxes: Boxes) -> Result<Sudoku, ParseError> {
    let mut rows: Vec<(Line<'_>, Vec<Cell<'_>>)> = Vec::with_capacity(lines.len());
    // More rows and cells than a board can have are not split.
    for &line in lines.iter().take(Sudoku::MAX_SIDE + 1) {
        let cells = cells(line.1, layout).take(Sudoku::MAX_SIDE.pow(2) + 1);
        rows.push((line, cells.collect()));
    }
    let Some(&((first_line, _), ref first)) = rows.first() else {
        return Err(ParseError::at(1, 1, "found no cell, expected the first row of a board"));
    };
    let widest = rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let width = if layout == Layout::Columns { widest } else { first.len() };
    let mut board = match boxes {
        Some((box_rows, box_columns)) => Sudoku::blank(box_rows, box_columns)?,
        None => {
            let whole = || {
                let side = width.isqrt();
                box_side(side).filter(|_| rows.len() == 1 && side.pow(2) == width)
            };
            let side = whole().or_else(|| box_side(width)).ok_or_else(|| {
                let message = format!(
                    "found {width} cells, expected a row of 1, 4, 9, 16, 25, 36, 49 or 64 cells, \
                     or a whole board in one line (a board whose boxes are not square needs their \
                     size)"
                );
                ParseError::in_line(first_line, message)
            })?;
            Sudoku::blank(side, side)?
        }
    };
    let side = board.side();
    let is_whole = rows.len() == 1 && width == side * side && side > 1;
    let (height, width) = if is_whole { (1, width) } else { (side, side) };
    let symbols = Symbols::of(side, rows.iter().flat_map(|(_, cells)| cells));
    for (row, &((line, text), ref found)) in rows.iter().enumerate().take(height) {
        // A line that ends early ends in blank cells if those are spaces.
        if found.len() != width && (layout != Layout::Columns || found.len() > width) {
            let end = text.trim_end().chars().count() + 1;
            let column = found.get(width).map_or(end, |&(column, _)| column);
            let message = format!("found a row of length {}, expected {width}", found.len());
            return Err(ParseError::at(line, column, message));
        }
        for (index, &(column, cell)) in found.iter().enumerate() {
            let number = symbols.number(cell).filter(|&number| usize::from(number) <= side);
            let number = number.ok_or_else(|| {
                let expected = format!("1 to {side}, or `.` or `0` for a blank");
                ParseError::at(line, column, format_args!("found {cell:?}, expected {expected}"))
            })?;
            board.put(row * width + index, number);
        }
    }
    let last_line = rows.last().map_or(first_line, |&((line, _), _)| line);
    if rows.len() < height {
        let next = rows.len() + 1;
        let message = format!("found the end of the text, expected row {next} of {height}");
        return Err(ParseError::in_line(last_line + 1, message));
    }
    if let Some(&(line, _)) = lines.get(height) {
        let message = format!("found one more row, expected only {height}");
        return Err(ParseError::in_line(line, message));
    }
    Ok(board)
}

/// The numbers that single characters stand for.
struct Symbols {
    /// The number of the letter A, if there are letters.
    first_letter: u8,
    /// The number of the digit 0: 0 is a blank cell.
    zero: u8,
}

impl Symbols {
    /// Returns the numbers of the characters in the cells of a board.
    fn of<'c>(side: usize, cells: impl Iterator<Item = &'c Cell<'c>> + Clone) -> Self {
        let has = |is: fn(&str) -> bool| cells.clone().any(|&(_, cell)| is(cell));
        let has_zero = has(|cell| cell == "0");
        let has_blank = has(|cell| cell != "0" && is_blank(cell));
        let has_digits = has(|cell| cell != "0" && parse_number::<u64>(cell).is_some());
        let value = |cell: &str| match letter(cell) {
            Some(letter) => Some(10 + usize::from(letter)),
            None => parse_number(cell),
        };
        let has_side = cells.clone().any(|&(_, cell)| value(cell).is_some_and(|n| n >= side));
        let zero = u8::from(side > 9 && has_zero && has_blank && !has_side);
        let first_letter = if has_digits || zero == 1 { 10 + zero } else { 1 };
        Symbols { first_letter, zero }
    }

    /// Returns the number in a cell, 0 for a blank.
    fn number(&self, cell: &str) -> Option<u8> {
        if is_blank(cell) && cell != "0" {
            return Some(0);
        }
        match letter(cell) {
            Some(letter) => self.first_letter.checked_add(letter),
            None => parse_number::<u8>(cell)?.checked_add(self.zero),
        }
    }
}

/// Returns the position of a letter in the alphabet, from 0.
fn letter(cell: &str) -> Option<u8> {
    match cell.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase() - b'A'),
        _ => None,
    }
}

fn is_blank(cell: &str) -> bool {
    matches!(cell, "" | "." | "0" | "-" | "*" | "_" | " ")
}
