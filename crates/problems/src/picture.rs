//! SVG pictures of boards in one style, with light and dark colours, without scripts, fonts or
//! external resources.

use std::fmt::{Display, Write};
use std::ops::Range;

/// The side of a cell in SVG units.
const CELL: usize = 32;
/// The width of the border around the board, in SVG units.
const MARGIN: usize = 8;

/// The largest number of steps of a polyline; longer lines are split, since XML parsers refuse
/// attributes of ten million bytes.
const MAX_POLYLINE_STEPS: usize = 10_000;
/// The largest width and height of a picture in pixels, unless it is zoomed.
const MAX_SHOWN_SIDE: usize = 1600;

/// The largest side of a board that is drawn in full. Larger boards omit details that would be
/// invisible: equal neighbouring cells are one rectangle, and lines have no numbers.
const MAX_DETAILED_SIDE: usize = 60;

/// The end of the element of a disc, with its radius: about a third of a cell.
const DISC_END: &str = "\" r=\"10\"/>\n";

/// The number of bytes that a copy of a board reserves for what is drawn on it.
const ROOM: usize = 2048;

const STYLE: &str = "\
:root{color-scheme:light dark}.paper{fill:#fbfaf6}.cell{fill:#fff;stroke:#c9c4b5}\
.dark{fill:#e7e2d3}.wall{fill:#4a4a48}.mark{fill:#b5532a}.soft{fill:#d8e6d2}.tint{fill:#f2ddc6}\
.edge{stroke:#33322e;stroke-width:3;stroke-linecap:round}.path{fill:none;stroke:#2f6f8f;\
stroke-width:3;stroke-linejoin:round;stroke-linecap:round}.dim{stroke:#8a8678}.lit{stroke:#b5532a;\
stroke-width:5}.hint{fill:#6d6a60;font:8px sans-serif;text-anchor:middle;\
dominant-baseline:central}.text{fill:#33322e;font:12px sans-serif;text-anchor:middle;\
dominant-baseline:central}.text{paint-order:stroke;stroke:#fbfaf6;stroke-width:5;\
stroke-linejoin:round}@media(prefers-color-scheme:dark){.paper{fill:#1c1c1a}.cell{fill:#2a2a27;\
stroke:#4b4a44}.dark{fill:#383731}.wall{fill:#8d8b82}.mark{fill:#f0935f}.soft{fill:#34492f}\
.tint{fill:#54402a}.edge{stroke:#ece9df}.path{stroke:#7cc4e6}.dim{stroke:#77746a}\
.lit{stroke:#f0935f}.hint{fill:#a8a497}.text{fill:#ece9df}.text{stroke:#1c1c1a}}";

/// A picture of a board under construction. Cells are given by row and column, from 0, from the top
/// left corner.
#[derive(Clone)]
pub(crate) struct Picture {
    svg: String,
    /// The position of the title in the text.
    title: Range<usize>,
    is_large: bool,
}

/// Returns the coordinate of the middle of a cell along one axis.
fn middle(index: usize) -> usize {
    MARGIN + index * CELL + CELL / 2
}

/// Returns the x and y of a position (down, right) in half cells from the top left corner.
fn half_position((down, right): (usize, usize)) -> (usize, usize) {
    (MARGIN + right * CELL / 2, MARGIN + down * CELL / 2)
}

/// Escapes the characters that XML treats as mark-up.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

impl Picture {
    /// Creates an empty board with a title, which is shown on hovering and read by screen readers.
    pub(crate) fn new(rows: usize, columns: usize, title: impl Display) -> Self {
        let (width, height) = (columns * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN);
        // Integers, and at least one pixel, however long and narrow the board is.
        let shown =
            |side: usize| (side * MAX_SHOWN_SIDE / width.max(height).max(MAX_SHOWN_SIDE)).max(1);
        let title = escaped(&title.to_string());
        let mut picture = Picture {
            svg: String::new(),
            title: 0..0,
            is_large: rows.max(columns) > MAX_DETAILED_SIDE,
        };
        picture.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{}\" \
             height=\"{}\" role=\"img\">\n<title>",
            shown(width),
            shown(height)
        ));
        picture.title = picture.svg.len()..picture.svg.len() + title.len();
        picture.put(format_args!(
            "{title}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n"
        ));
        picture
    }

    /// Returns a copy with another title. This is faster than drawing the board again.
    pub(crate) fn titled(&self, title: impl Display) -> Self {
        let title = escaped(&title.to_string());
        let (before, after) = (&self.svg[..self.title.start], &self.svg[self.title.end..]);
        let range = self.title.start..self.title.start + title.len();
        // With room for what is drawn on the board, because moving a large text is slow.
        let mut svg = String::with_capacity(self.svg.len() + title.len() + ROOM);
        [before, &title, after].into_iter().for_each(|part| svg.push_str(part));
        Picture { svg, title: range, is_large: self.is_large }
    }

    /// Returns whether a side of the board is so long that single cells are hardly visible.
    pub(crate) fn is_large(&self) -> bool {
        self.is_large
    }

    fn put(&mut self, text: impl Display) {
        // Writing to a string never fails.
        let _ = write!(self.svg, "{text}");
    }

    /// Draws a cell with one of the classes `cell`, `dark`, `wall`, `soft`, `tint`.
    pub(crate) fn square(&mut self, row: usize, column: usize, class: &str) {
        self.cells(row, column, 1, class);
    }

    /// Draws a row of cells with these classes. On large boards, neighbours of the same class
    /// become one rectangle.
    pub(crate) fn row(&mut self, row: usize, classes: &[&str]) {
        let (merged, mut column) = (self.is_large, 0);
        for run in classes.chunk_by(|one, next| merged && one == next) {
            self.cells(row, column, run.len(), run[0]);
            column += run.len();
        }
    }

    /// Draws all squares, each of the class for its row and column, like [`row`](Self::row).
    pub(crate) fn rows<'c>(
        &mut self,
        (rows, columns): (usize, usize),
        class: impl Fn(usize, usize) -> &'c str,
    ) {
        for row in 0..rows {
            let classes: Vec<&str> = (0..columns).map(|column| class(row, column)).collect();
            self.row(row, &classes);
        }
    }

    /// Draws a chessboard whose top left cell is dark or not. It takes 16 bytes per dark cell, a
    /// tenth of what single squares take.
    pub(crate) fn chessboard(&mut self, rows: usize, columns: usize, starts_dark: bool) {
        let (width, height) = (columns * CELL, rows * CELL);
        self.put(format_args!(
            "<rect class=\"cell\" x=\"{MARGIN}\" y=\"{MARGIN}\" \
             width=\"{width}\" height=\"{height}\"/>\n"
        ));
        for row in 0..rows {
            let y = MARGIN + row * CELL;
            self.put("<path class=\"cell dark\" d=\"");
            for column in (usize::from(starts_dark == (row % 2 == 1))..columns).step_by(2) {
                self.put(format_args!("M{} {y}h{CELL}v{CELL}h-{CELL}z", MARGIN + column * CELL));
            }
            self.put("\"/>\n");
        }
    }

    fn cells(&mut self, row: usize, column: usize, columns: usize, class: &str) {
        let (x, y, width) = (MARGIN + column * CELL, MARGIN + row * CELL, columns * CELL);
        self.put(format_args!(
            "<rect class=\"cell {class}\" x=\"{x}\" y=\"{y}\" \
             width=\"{width}\" height=\"{CELL}\"/>\n"
        ));
    }

    /// Draws a disc in the middle of a cell.
    pub(crate) fn disc(&mut self, row: usize, column: usize) {
        // Without formatting, which would take most of the time of a recorded board.
        self.svg.push_str("<circle class=\"mark\" cx=\"");
        self.push_number(middle(column));
        self.svg.push_str("\" cy=\"");
        self.push_number(middle(row));
        self.svg.push_str(DISC_END);
    }

    /// Begins a layer for [attacking queens](Picture::attacking_queen), which ends at the border of
    /// the board.
    pub(crate) fn begin_queens(&mut self, side: usize) {
        let length = side * CELL;
        self.put(format_args!(
            "<svg x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{length}\" height=\"{length}\" \
             viewBox=\"{MARGIN} {MARGIN} {length} {length}\">\n<defs><g id=\"queen\">\
             <path class=\"dim\" fill=\"none\" d=\"M-{length} 0H{length}M0-{length}V{length}\
             M-{length}-{length}L{length} {length}M-{length} {length}L{length}-{length}\"/>\
             <circle class=\"mark\" cx=\"0\" cy=\"0{DISC_END}</g></defs>\n"
        ));
    }

    /// Draws a queen as a disc, with the lines along which it attacks.
    pub(crate) fn attacking_queen(&mut self, row: usize, column: usize) {
        self.svg.push_str("<use href=\"#queen\" x=\"");
        self.push_number(middle(column));
        self.svg.push_str("\" y=\"");
        self.push_number(middle(row));
        self.svg.push_str("\"/>\n");
    }

    /// Ends the layer for queens.
    pub(crate) fn end_queens(&mut self) {
        self.svg.push_str("</svg>\n");
    }

    /// Appends the decimal digits of a number.
    fn push_number(&mut self, number: usize) {
        let mut divisor = 1;
        while number / divisor >= 10 {
            divisor *= 10;
        }
        while divisor > 0 {
            self.svg.push(char::from(b'0' + (number / divisor % 10) as u8));
            divisor /= 10;
        }
    }

    /// Draws a short text in the middle of a cell, with a halo that keeps it legible over a line.
    pub(crate) fn text(&mut self, row: usize, column: usize, text: impl Display) {
        let (x, y) = (middle(column), middle(row));
        self.put(format_args!("<text class=\"text\" x=\"{x}\" y=\"{y}\">{text}</text>\n"));
    }

    /// Draws a small, faint text in the middle of a cell.
    pub(crate) fn hint(&mut self, row: usize, column: usize, text: impl Display) {
        let (x, y) = (middle(column), middle(row));
        self.put(format_args!("<text class=\"hint\" x=\"{x}\" y=\"{y}\">{text}</text>\n"));
    }

    /// Draws a line through the middles of cells.
    pub(crate) fn path(&mut self, cells: impl IntoIterator<Item = (usize, usize)>) {
        self.put("<polyline class=\"path\" points=\"");
        for (index, (row, column)) in cells.into_iter().enumerate() {
            let (x, y) = (middle(column), middle(row));
            self.put(format_args!("{x},{y} "));
            if index > 0 && index.is_multiple_of(MAX_POLYLINE_STEPS) {
                self.put(format_args!("\"/>\n<polyline class=\"path\" points=\"{x},{y} "));
            }
        }
        self.put("\"/>\n");
    }

    /// Draws a line of class `path` or `path dim` from the middle of a cell to the middle of its
    /// side in the direction (down, right).
    pub(crate) fn arm(
        &mut self,
        row: usize,
        column: usize,
        (down, right): (isize, isize),
        class: &str,
    ) {
        let (x, y) = (middle(column), middle(row));
        let half = (CELL / 2).cast_signed();
        let (to_x, to_y) =
            (x.saturating_add_signed(half * right), y.saturating_add_signed(half * down));
        self.put(format_args!("<polyline class=\"{class}\" points=\"{x},{y} {to_x},{to_y}\"/>\n"));
    }

    /// Draws a border between cells, from corner to corner. A corner has the row and column of the
    /// cell to its lower right.
    pub(crate) fn edge(&mut self, from: (usize, usize), to: (usize, usize)) {
        let corner = |(row, column)| (MARGIN + column * CELL, MARGIN + row * CELL);
        let ((x1, y1), (x2, y2)) = (corner(from), corner(to));
        self.put(format_args!(
            "<line class=\"edge\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>\n"
        ));
    }

    /// Draws a plug: a short line of this class across the border between two cells, in the
    /// direction (down, right). `at` is its position in half cells from the top left corner.
    pub(crate) fn plug(&mut self, at: (usize, usize), (down, right): (isize, isize), class: &str) {
        let (x, y) = half_position(at);
        let length = (CELL / 4).cast_signed();
        let [(from_x, from_y), (to_x, to_y)] = [-length, length].map(|length| {
            (x.saturating_add_signed(length * right), y.saturating_add_signed(length * down))
        });
        self.put(format_args!(
            "<line class=\"{class}\" x1=\"{from_x}\" y1=\"{from_y}\" \
             x2=\"{to_x}\" y2=\"{to_y}\"/>\n"
        ));
    }

    /// Draws an arc of this class between two positions in half cells, bent in the direction
    /// (down, right).
    pub(crate) fn arc(
        &mut self,
        one: (usize, usize),
        other: (usize, usize),
        (down, right): (isize, isize),
        class: &str,
    ) {
        let [(x, y), (to_x, to_y)] = [one, other].map(half_position);
        let bend = (x.abs_diff(to_x).max(y.abs_diff(to_y)) * 2 / 3 + CELL / 2).cast_signed();
        let middle_x = usize::midpoint(x, to_x).saturating_add_signed(bend * right);
        let middle_y = usize::midpoint(y, to_y).saturating_add_signed(bend * down);
        self.put(format_args!(
            "<path class=\"{class}\" d=\"M{x} {y}Q{middle_x} {middle_y} {to_x} {to_y}\"/>\n"
        ));
    }

    /// Draws a small disc at a position in half cells.
    pub(crate) fn dot(&mut self, at: (usize, usize)) {
        let ((x, y), radius) = (half_position(at), CELL / 6);
        self.put(format_args!("<circle class=\"mark\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>\n"));
    }

    /// Returns the picture as the text of an SVG file.
    pub(crate) fn finish(mut self) -> String {
        self.put("</svg>\n");
        self.svg
    }
}
