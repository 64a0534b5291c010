//! The picture of a board, and of a state of its search.

use super::board::Board;
use super::state::State;
use crate::problems::picture::Picture;

impl Board {
    /// The board as the text of an SVG file: walls dark, bunkers as discs, those that `given` has
    /// as well on a tinted cell.
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
        let title = format!(
            "A fire-net board of {} rows and {} columns with {} bunkers",
            self.rows(),
            self.columns(),
            self.bunkers().len()
        );
        self.picture(&title, self.bunkers(), |cell| {
            if given.bunkers().binary_search(&cell).is_ok() { "soft" } else { "" }
        })
    }

    /// A state of a search on this board as the text of an SVG file: walls dark, bunkers as discs,
    /// the board's own on a tinted cell, and in between a darker shade for the cells that are no
    /// candidates, because a bunker sees them or the search has excluded them.
    ///
    /// ```
    /// use secateurs::Problem;
    /// use secateurs::problems::fire_net::Board;
    ///
    /// let board = Board::empty(3, 3);
    /// let mut state = board.root();
    /// state.place(&board, 4);
    /// let svg = board.state_svg(&state);
    /// assert_eq!(svg.matches("<circle").count(), 1);
    /// assert_eq!(svg.matches("\"cell dark\"").count(), 5); // the middle row and the middle column
    /// ```
    ///
    /// # Panics
    ///
    /// If the state is that of a board with fewer cells.
    #[must_use]
    pub fn state_svg(&self, state: &State) -> String {
        let title = format!("{} bunkers, {} candidates", state.placed(), state.candidates());
        self.picture(&title, state.bunkers(), |cell| match () {
            () if self.bunkers().binary_search(&cell).is_ok() => "soft",
            () if state.is_candidate(cell) => "",
            () => "dark",
        })
    }

    fn picture(
        &self,
        title: &str,
        bunkers: &[usize],
        class: impl Fn(usize) -> &'static str,
    ) -> String {
        let (rows, columns) = (self.rows(), self.columns());
        // Without cells there is nothing to draw, however long the other side is.
        let (height, width) = if self.cells() == 0 { (0, 0) } else { (rows, columns) };
        let mut picture = Picture::new(height, width, title);
        for cell in 0..self.cells() {
            let (row, column) = self.position(cell);
            picture.square(row, column, if self.is_wall(cell) { "wall" } else { class(cell) });
        }
        for &cell in bunkers {
            let (row, column) = self.position(cell);
            picture.disc(row, column);
        }
        picture.finish()
    }
}
