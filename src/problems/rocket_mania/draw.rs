//! Drawing turned blocks and their fire: as text, and as SVG.

use super::block::{Block, Sides};
use super::board::{Case, Rotation};
use crate::problems::picture::Picture;

/// Fuses by the [index](Sides::index) of their sides. A single side cannot be.
const FUSES: [char; 16] =
    [' ', '?', '?', '└', '?', '│', '┌', '├', '?', '┘', '─', '┴', '┐', '┤', '┬', '┼'];
/// The same, burning.
const BURNING: [char; 16] =
    [' ', '?', '?', '┗', '?', '┃', '┏', '┣', '?', '┛', '━', '┻', '┓', '┫', '┳', '╋'];

/// What is drawn between two neighbours in a row: by whether the left one leads to the right, and
/// the right one to the left, and then by whether the one that does burns.
const BETWEEN: [[char; 2]; 4] = [[' ', ' '], ['╴', '╸'], ['╶', '╺'], ['─', '━']];

impl Case {
    /// The blocks as they are turned, in box-drawing characters: thick ones burn. On the left are
    /// the matches, `●` for a lit one and `○` for others; on the right the rockets, `▶` for those
    /// that start and `▷` for those that do not.
    ///
    /// ```
    /// use secateurs::problems::rocket_mania::{Mode, Rotation};
    ///
    /// let case = &Mode::Single.cases("1\n++.\n..+\n")?[0];
    /// assert_eq!(case.draw(&Rotation::unturned(case.board())), "\
    /// ●━╋━╋╸  ▷
    /// ○    ╶┼─▷
    /// ");
    /// # Ok::<(), secateurs::problems::rocket_mania::ParseCasesError>(())
    /// ```
    ///
    /// # Panics
    /// If `rotation` is that of a board with more or fewer cells.
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
            // The match and the rocket lead to the board if the board leads to them.
            let mut left = (sides[0].has(Sides::LEFT), is_lit);
            for (&sides, &burns) in sides.iter().zip(burning) {
                text.push(between(left, (sides.has(Sides::LEFT), burns)));
                text.push(if burns { BURNING } else { FUSES }[sides.index()]);
                left = (sides.has(Sides::RIGHT), burns);
            }
            text.push(between(left, (left.0, starts)));
            text.push(if starts { '▶' } else { '▷' });
            text.push('\n');
        }
        text
    }

    /// A picture of the blocks as they are turned, as the text of an SVG file: what burns stands
    /// out, lit matches are on the left and rockets that start on the right.
    ///
    /// # Panics
    /// If `rotation` is that of a board with more or fewer cells.
    #[must_use]
    pub fn svg(&self, rotation: &Rotation) -> String {
        let fire = self.fire(rotation);
        let (rows, columns) = (self.board().rows(), self.board().columns());
        let title = format!("Rocket Mania: {} of {rows} rockets start", fire.count());
        let mut picture = Picture::new(rows, columns + 2, title);
        for row in 0..rows {
            let cells = row * columns..(row + 1) * columns;
            let mut classes: Vec<&str> = vec!["dark"];
            classes.extend(cells.clone().map(|cell| match self.board().blocks()[cell] {
                Block::Empty => "wall",
                _ if fire.burning()[cell] => "soft",
                _ => "",
            }));
            classes.push("dark");
            picture.row(row, &classes);
        }
        // Thin fuses first, so that fire is drawn over them where they meet.
        for burns in [false, true] {
            for (cell, &sides) in rotation.sides().iter().enumerate() {
                if fire.burning()[cell] == burns {
                    self.fuse(&mut picture, cell, sides, burns);
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

    fn fuse(&self, picture: &mut Picture, cell: usize, sides: Sides, burns: bool) {
        let columns = self.board().columns();
        for (side, (down, right)) in Sides::EACH.into_iter().zip([(-1, 0), (0, 1), (1, 0), (0, -1)])
        {
            if sides.has(side) {
                picture.arm(
                    cell / columns,
                    cell % columns + 1,
                    (down, right),
                    if burns { "path" } else { "path dim" },
                );
            }
        }
    }
}

/// The character between two neighbours in a row, of which each either leads to the other or not,
/// and burns or not.
fn between(left: (bool, bool), right: (bool, bool)) -> char {
    // If both lead to each other, they burn both or neither, but for a match that is not lit.
    let burns = (left.1 || !left.0) && (right.1 || !right.0);
    BETWEEN[usize::from(left.0) + 2 * usize::from(right.0)][usize::from(burns)]
}
