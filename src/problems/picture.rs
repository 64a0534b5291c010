//! Pictures of boards as SVG, in one style: light and dark, without scripts, fonts or anything from
//! elsewhere.

use std::fmt::{Display, Write};

/// The side of a cell, in SVG units.
const CELL: usize = 32;
/// The border around the board.
const MARGIN: usize = 8;

/// A line is broken into pieces of so many steps: readers of XML refuse attributes of ten million
/// bytes.
const PIECE: usize = 10_000;
/// Pictures are shown no wider and no higher than this, in pixels, unless they are zoomed into.
const SHOWN: usize = 1600;

/// Boards with a side longer than this are drawn without what could not be made out: cells by runs
/// instead of one by one, and lines without numbers.
const IN_FULL: usize = 60;

const STYLE: &str = "\
:root{color-scheme:light dark}\
.paper{fill:#fbfaf6}.cell{fill:#fff;stroke:#c9c4b5}.dark{fill:#e7e2d3}.wall{fill:#4a4a48}.mark{fill:#b5532a}\
.soft{fill:#d8e6d2}.tint{fill:#f2ddc6}.edge{stroke:#33322e;stroke-width:3;stroke-linecap:round}.path{fill:none;stroke:#2f6f8f;stroke-width:3;stroke-linejoin:round;stroke-linecap:round}\
.dim{stroke:#8a8678}.lit{stroke:#b5532a;stroke-width:5}.hint{fill:#6d6a60;font:8px sans-serif;text-anchor:middle;dominant-baseline:central}\
.text{fill:#33322e;font:12px sans-serif;text-anchor:middle;dominant-baseline:central}\
.text{paint-order:stroke;stroke:#fbfaf6;stroke-width:5;stroke-linejoin:round}\
@media(prefers-color-scheme:dark){.paper{fill:#1c1c1a}.cell{fill:#2a2a27;stroke:#4b4a44}.dark{fill:#383731}\
.wall{fill:#8d8b82}.mark{fill:#f0935f}.soft{fill:#34492f}.tint{fill:#54402a}.edge{stroke:#ece9df}.path{stroke:#7cc4e6}.dim{stroke:#77746a}.lit{stroke:#f0935f}.hint{fill:#a8a497}.text{fill:#ece9df}.text{stroke:#1c1c1a}}";

/// A board that is being drawn. Cells are named by row and column, from the top left corner, from
/// 0.
pub(crate) struct Picture {
    svg: String,
    is_large: bool,
}

/// The middle of a cell along one axis.
fn middle(index: usize) -> usize {
    MARGIN + index * CELL + CELL / 2
}

/// Text that has no mark-up in it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

impl Picture {
    /// An empty board with a title, which readers of the page hear and see on hovering.
    pub(crate) fn new(rows: usize, columns: usize, title: impl Display) -> Self {
        let (width, height) = (columns * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN);
        // Whole numbers, and at least a pixel, however long and narrow the board is.
        let shown = |side: usize| (side * SHOWN / width.max(height).max(SHOWN)).max(1);
        let title = escaped(&title.to_string());
        let mut picture = Picture { svg: String::new(), is_large: rows.max(columns) > IN_FULL };
        picture.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{}\" \
             height=\"{}\" role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
            shown(width),
            shown(height)
        ));
        picture
    }

    /// Whether a side of the board is so long that single cells can hardly be made out.
    pub(crate) fn is_large(&self) -> bool {
        self.is_large
    }

    fn put(&mut self, text: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.svg, "{text}");
    }

    /// A square of one of the classes `cell`, `dark`, `wall`, `soft`, `tint`.
    pub(crate) fn square(&mut self, row: usize, column: usize, class: &str) {
        self.cells(row, column, 1, class);
    }

    /// A row of cells of these classes. On large boards, neighbours of one class are a single
    /// rectangle.
    pub(crate) fn row(&mut self, row: usize, classes: &[&str]) {
        let (merged, mut column) = (self.is_large, 0);
        for run in classes.chunk_by(|one, next| merged && one == next) {
            self.cells(row, column, run.len(), run[0]);
            column += run.len();
        }
    }

    fn cells(&mut self, row: usize, column: usize, columns: usize, class: &str) {
        let (x, y, width) = (MARGIN + column * CELL, MARGIN + row * CELL, columns * CELL);
        self.put(format_args!(
            "<rect class=\"cell {class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{CELL}\"/>\n"
        ));
    }

    /// A disc in the middle of a cell.
    pub(crate) fn disc(&mut self, row: usize, column: usize) {
        let radius = CELL / 3;
        self.put(format_args!(
            "<circle class=\"mark\" cx=\"{}\" cy=\"{}\" r=\"{radius}\"/>\n",
            middle(column),
            middle(row)
        ));
    }

    /// A short text in the middle of a cell, with a halo, so that it can be read over a line.
    pub(crate) fn text(&mut self, row: usize, column: usize, text: impl Display) {
        self.put(format_args!(
            "<text class=\"text\" x=\"{}\" y=\"{}\">{text}</text>\n",
            middle(column),
            middle(row)
        ));
    }

    /// A small, faint text in the middle of a cell.
    pub(crate) fn hint(&mut self, row: usize, column: usize, text: impl Display) {
        self.put(format_args!(
            "<text class=\"hint\" x=\"{}\" y=\"{}\">{text}</text>\n",
            middle(column),
            middle(row)
        ));
    }

    /// A line from cell to cell, through their middles.
    pub(crate) fn path(&mut self, cells: impl IntoIterator<Item = (usize, usize)>) {
        self.put("<polyline class=\"path\" points=\"");
        for (index, (row, column)) in cells.into_iter().enumerate() {
            let (x, y) = (middle(column), middle(row));
            self.put(format_args!("{x},{y} "));
            if index > 0 && index.is_multiple_of(PIECE) {
                self.put(format_args!("\"/>\n<polyline class=\"path\" points=\"{x},{y} "));
            }
        }
        self.put("\"/>\n");
    }

    /// A line of class `path`, or of `path dim`, from the middle of a cell to that of the side
    /// (down, right) of it.
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

    /// A border between cells, from corner to corner: corners are named like the cell to the lower
    /// right of them.
    pub(crate) fn edge(&mut self, from: (usize, usize), to: (usize, usize)) {
        let corner = |index: usize| MARGIN + index * CELL;
        self.put(format_args!(
            "<line class=\"edge\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
            corner(from.1),
            corner(from.0),
            corner(to.1),
            corner(to.0)
        ));
    }

    /// A plug: a short line of this class across the border between two cells, at a place in half
    /// cells from the top left corner, in this direction.
    pub(crate) fn plug(&mut self, at: (usize, usize), (down, right): (isize, isize), class: &str) {
        let [y, x] = [at.0, at.1].map(|half| MARGIN + half * CELL / 2);
        let length = (CELL / 4).cast_signed();
        let [above, before] = [(y, down), (x, right)]
            .map(|(middle, step)| middle.saturating_add_signed(-length * step));
        let [below, after] = [(y, down), (x, right)]
            .map(|(middle, step)| middle.saturating_add_signed(length * step));
        self.put(format_args!(
            "<line class=\"{class}\" x1=\"{before}\" y1=\"{above}\" x2=\"{after}\" y2=\"{below}\"/>\n"
        ));
    }

    /// An arc of this class between two places in half cells, bent to where `behind` points.
    pub(crate) fn arc(
        &mut self,
        one: (usize, usize),
        other: (usize, usize),
        behind: (isize, isize),
        class: &str,
    ) {
        let [(y, x), (to_y, to_x)] =
            [one, other].map(|(y, x)| (MARGIN + y * CELL / 2, MARGIN + x * CELL / 2));
        let bend = (x.abs_diff(to_x).max(y.abs_diff(to_y)) * 2 / 3 + CELL / 2).cast_signed();
        let middle_x = usize::midpoint(x, to_x).saturating_add_signed(bend * behind.1);
        let middle_y = usize::midpoint(y, to_y).saturating_add_signed(bend * behind.0);
        self.put(format_args!(
            "<path class=\"{class}\" d=\"M{x} {y}Q{middle_x} {middle_y} {to_x} {to_y}\"/>\n"
        ));
    }

    /// A small disc at a place in half cells.
    pub(crate) fn dot(&mut self, at: (usize, usize)) {
        let [y, x] = [at.0, at.1].map(|half| MARGIN + half * CELL / 2);
        self.put(format_args!(
            "<circle class=\"mark\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>\n",
            CELL / 6
        ));
    }

    /// The picture as the text of an SVG file.
    pub(crate) fn finish(mut self) -> String {
        self.put("</svg>\n");
        self.svg
    }
}
