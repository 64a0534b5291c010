//! Drawings of turned blocks and their fire, as text and as SVG, and pictures of contours.

use secateurs::plug::code::{Labels, Word};

use super::board::{Block, BlockSides, Case, RocketBoard, Rotation};
use super::fuses::Fuses;
use crate::picture::Picture;

/// Fuses by the [index](BlockSides::index) of their sides. No block leads to a single side.
const FUSES: [char; 16] =
    [' ', '?', '?', '└', '?', '│', '┌', '├', '?', '┘', '─', '┴', '┐', '┤', '┬', '┼'];
/// Burning fuses, in the same order.
const BURNING: [char; 16] =
    [' ', '?', '?', '┗', '?', '┃', '┏', '┣', '?', '┛', '━', '┻', '┓', '┫', '┳', '╋'];

/// The characters between two neighbours in a row. The first index is the sum of 1 if the left one
/// leads to the right one, and 2 if the right one leads to the left one. The second index is 1 if
/// each of them that leads to the other burns.
const BETWEEN: [[char; 2]; 4] = [[' ', ' '], ['╴', '╸'], ['╶', '╺'], ['─', '━']];

impl RocketBoard {
    /// Draws the blocks between a column of matches and one of rockets. Blocks for which `is_soft`
    /// holds are shaded.
    fn draw(&self, picture: &mut Picture, is_soft: impl Fn(usize, usize) -> bool) {
        let columns = self.columns();
        picture.rows((self.rows(), columns + 2), |row, column| match column.checked_sub(1) {
            Some(column) if column < columns => match self.block(row, column) {
                Block::Empty => "wall",
                _ if is_soft(row, column) => "soft",
                _ => "",
            },
            _ => "dark",
        });
    }
}

impl Case {
    /// Returns the turned blocks as text in box-drawing characters; thick fuses burn. On the left
    /// are the matches, `●` for lit ones and `○` for others; on the right are the rockets, `▶` for
    /// those that start and `▷` for others.
    ///
    /// ```
    /// use secateurs_problems::rocket_mania::{Mode, Rotation};
    ///
    /// let case = &Mode::Single.cases("1\n++.\n..+\n")?[0];
    /// assert_eq!(case.draw(&Rotation::unturned(case.board())), "\
    /// ●━╋━╋╸  ▷
    /// ○    ╶┼─▷
    /// ");
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If `rotation` belongs to a board with more or fewer cells.
    #[must_use]
    pub fn draw(&self, rotation: &Rotation) -> String {
        let fire = self.fire(rotation);
        let columns = self.board().columns();
        let mut text = String::new();
        let rows = rotation
            .sides()
            .chunks(columns)
            .zip(fire.burning().chunks(columns))
            .zip(fire.rockets());
        for (row, ((sides, burning), &starts)) in rows.enumerate() {
            let is_lit = self.matches().is_lit(row);
            text.push(if is_lit { '●' } else { '○' });
            // A match or rocket is drawn as connected to the block beside it if that leads to it.
            let mut left = (sides[0].has(BlockSides::LEFT), is_lit);
            for (&sides, &burns) in sides.iter().zip(burning) {
                text.push(between(left, (sides.has(BlockSides::LEFT), burns)));
                text.push(if burns { BURNING } else { FUSES }[sides.index()]);
                left = (sides.has(BlockSides::RIGHT), burns);
            }
            text.push(between(left, (left.0, starts)));
            text.push(if starts { '▶' } else { '▷' });
            text.push('\n');
        }
        text
    }

    /// Returns a picture of the turned blocks as the text of an SVG file. Burning fuses stand out;
    /// lit matches are on the left, and rockets that start on the right.
    ///
    /// # Panics
    ///
    /// If `rotation` belongs to a board with more or fewer cells.
    #[must_use]
    pub fn svg(&self, rotation: &Rotation) -> String {
        let fire = self.fire(rotation);
        let (rows, columns) = (self.board().rows(), self.board().columns());
        let title = format!("Rocket Mania: {} of {rows} rockets start", fire.count());
        let mut picture = Picture::new(rows, columns + 2, title);
        self.board().draw(&mut picture, |row, column| fire.burning()[row * columns + column]);
        // Thin fuses come first, so that fire is drawn over them where they meet.
        for burns in [false, true] {
            for (cell, &sides) in rotation.sides().iter().enumerate() {
                if fire.burning()[cell] == burns {
                    self.draw_fuse(&mut picture, cell, sides, burns);
                }
            }
        }
        for row in 0..rows {
            if self.matches().is_lit(row) {
                picture.disc(row, 0);
            }
            picture.text(row, 0, row + 1);
            if fire.rockets()[row] {
                picture.disc(row, columns + 1);
                picture.text(row, columns + 1, '▶');
            } else {
                picture.text(row, columns + 1, '▷');
            }
        }
        picture.finish()
    }

    fn draw_fuse(&self, picture: &mut Picture, cell: usize, sides: BlockSides, burns: bool) {
        let columns = self.board().columns();
        let (row, column) = (cell / columns, cell % columns + 1);
        let class = if burns { "path" } else { "path dim" };
        let directions = [(-1, 0), (0, 1), (1, 0), (0, -1)];
        for (side, direction) in BlockSides::EACH.into_iter().zip(directions) {
            if sides.has(side) {
                picture.arm(row, column, direction, class);
            }
        }
    }
}

/// Returns the character between two neighbours in a row. Each is given by whether it leads to the
/// other, and whether it burns.
fn between(left: (bool, bool), right: (bool, bool)) -> char {
    // If both lead to each other, both or neither burn, unless the left one is an unlit match.
    let burns = (left.1 || !left.0) && (right.1 || !right.0);
    BETWEEN[usize::from(left.0) + 2 * usize::from(right.0)][usize::from(burns)]
}

impl<W: Word, const BITS: u32> Fuses<'_, W, BITS> {
    /// Returns a picture of a contour after a number of cells, as the text of an SVG file.
    ///
    /// Processed cells are shaded. A short line across the contour is a plug, a thick one a lit
    /// plug; arcs behind the contour join connected plugs. Unprocessed blocks, which may still be
    /// turned, are shown by their characters. Lit matches are on the left.
    ///
    /// ```
    /// use secateurs::plug::ContourProblem;
    /// use secateurs_problems::rocket_mania::{Fuses, Mode};
    ///
    /// let case = &Mode::Plus.cases("T-L\nLT-\nTLT\n")?[0];
    /// let fuses = Fuses::<u64>::new(case);
    /// let svg = fuses.state_svg(0, fuses.start());
    /// assert_eq!(svg.matches("<line class=\"path lit\"").count(), 3); // all matches are lit
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    #[must_use]
    pub fn state_svg(&self, cells: usize, contour: Labels<W, BITS>) -> String {
        let board = self.case().board();
        let (rows, columns) = (board.rows(), board.columns());
        let cells = cells.min(rows * columns);
        let title = format!("The contour after {cells} of {} cells: {contour}", rows * columns);
        let mut picture = Picture::new(rows, columns + 2, title);
        let is_swept = |row: usize, column: usize| column * rows + row < cells;
        board.draw(&mut picture, is_swept);
        for row in 0..rows {
            for column in (0..columns).filter(|&column| !is_swept(row, column)) {
                let block = board.block(row, column);
                if block != Block::Empty {
                    picture.hint(row, column + 1, block.to_char());
                }
            }
            if self.case().matches().is_lit(row) {
                picture.disc(row, 0);
            }
        }
        // The column of the contour, and the number of its cells that have been processed.
        let (column, done) = (cells / rows, cells % rows);
        let right_of = |row: usize| 1 + column + usize::from(row < done);
        for row in 0..rows {
            picture.edge((row, right_of(row)), (row + 1, right_of(row)));
        }
        if done > 0 {
            picture.edge((done, 1 + column), (done, 2 + column));
        }
        let place = |plug: usize| match plug.checked_sub(1) {
            None => ((2 * done, 2 * (1 + column) + 1), (1, 0)),
            Some(row) => ((2 * row + 1, 2 * right_of(row)), (0, 1)),
        };
        let lit = Labels::<W, BITS>::RESERVED;
        let class = |plug| if contour.get(plug) == lit { "path lit" } else { "path" };
        // The plug that leads down lies between those of the rows above and below it.
        let order = (1..=done).chain([0]).chain(done + 1..=rows);
        let taken: Vec<usize> = order.filter(|&plug| contour.get(plug) != 0).collect();
        for (index, &plug) in taken.iter().enumerate() {
            let (at, ahead) = place(plug);
            picture.plug(at, ahead, class(plug));
            let next = taken[index + 1..].iter().find(|&&next| contour.same(plug, next));
            // Lit plugs are connected by way of the matches: no arcs.
            if let Some(&next) = next.filter(|_| contour.get(plug) != lit) {
                picture.arc(at, place(next).0, (0, -1), "path");
            }
        }
        picture.finish()
    }
}
