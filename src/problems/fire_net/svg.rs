//! The picture of a board.

use super::board::Board;
use crate::problems::picture::Picture;

impl Board {
    /// The board as the text of an SVG file: walls dark, bunkers as discs, those that `given` has as well on a tinted cell.
    ///
    /// ```
    /// use secateurs::problems::fire_net::{Board, maximum_matching};
    ///
    /// let board = Board::empty(3, 3);
    /// let solved = board.with_bunkers(maximum_matching(&board))?;
    /// assert_eq!(solved.svg(&board).matches("<circle").count(), 3);
    /// # Ok::<(), secateurs::problems::fire_net::BunkerError>(())
    /// ```
    #[must_use]
    pub fn svg(&self, given: &Board) -> String {
        let (rows, columns, bunkers) = (self.rows(), self.columns(), self.bunkers().len());
        let title =
            format_args!("A fire-net board of {rows} rows and {columns} columns with {bunkers} bunkers").to_string();
        // Without cells there is nothing to draw, however long the other side is.
        let (height, width) = if self.cells() == 0 { (0, 0) } else { (rows, columns) };
        let mut picture = Picture::new(height, width, title);
        for cell in 0..self.cells() {
            let (row, column) = self.position(cell);
            picture.square(
                row,
                column,
                match () {
                    () if self.is_wall(cell) => "wall",
                    () if given.bunkers().binary_search(&cell).is_ok() => "soft",
                    () => "",
                },
            );
        }
        for &cell in self.bunkers() {
            let (row, column) = self.position(cell);
            picture.disc(row, column);
        }
        picture.finish()
    }
}
