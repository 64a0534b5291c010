//! Pictures of contours: which plugs cross them, which are connected, and which are lit.

use super::block::Block;
use super::profile::Fuses;
use crate::plug::code::{Labels, Word};
use crate::problems::picture::Picture;

impl<W: Word, const BITS: u32> Fuses<'_, W, BITS> {
    /// A contour after so many cells, as the text of an SVG file: what was swept is shaded, a short
    /// line across the contour is a plug, a thick one a plug that is lit, and plugs that are
    /// connected are joined by arcs behind the contour. Blocks ahead are named, for they may still
    /// be turned; lit matches are on the left.
    ///
    /// ```
    /// use secateurs::plug::ContourProblem;
    /// use secateurs::problems::rocket_mania::{Fuses, Mode};
    ///
    /// let case = &Mode::Plus.cases("T-L\nLT-\nTLT\n")?[0];
    /// let fuses = Fuses::<u64>::new(case);
    /// let svg = fuses.state_svg(0, fuses.start());
    /// assert_eq!(svg.matches("<line class=\"path lit\"").count(), 3); // all matches are lit
    /// # Ok::<(), secateurs::problems::rocket_mania::ParseCasesError>(())
    /// ```
    #[must_use]
    pub fn state_svg(&self, cells: usize, contour: Labels<W, BITS>) -> String {
        let board = self.case().board();
        let (rows, columns) = (board.rows(), board.columns());
        let cells = cells.min(rows * columns);
        let title = format!("The contour after {cells} of {} cells: {contour}", rows * columns);
        let mut picture = Picture::new(rows, columns + 2, title);
        let is_swept = |row: usize, column: usize| column * rows + row < cells;
        for row in 0..rows {
            let class = |column| match board.block(row, column) {
                Block::Empty => "wall",
                _ if is_swept(row, column) => "soft",
                _ => "",
            };
            let inside = (0..columns).map(class);
            picture
                .row(row, &["dark"].into_iter().chain(inside).chain(["dark"]).collect::<Vec<_>>());
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
        // The column of the contour, and how many of its cells have been swept.
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
            // What is lit is connected by way of the matches.
            if let Some(&next) = next.filter(|_| contour.get(plug) != lit) {
                picture.arc(at, place(next).0, (0, -1), "path");
            }
        }
        picture.finish()
    }
}
