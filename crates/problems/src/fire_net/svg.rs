//! SVG pictures of boards and of search states.

use super::board::FireNetBoard;
use super::state::State;
use crate::picture::Picture;

impl FireNetBoard {
    /// Draws the board as the text of an SVG file: walls are dark and bunkers are discs. The cells
    /// that have a bunker on the board `given`, which should have the same sides, are tinted.
    ///
    /// ```
    /// use secateurs_problems::fire_net::{FireNetBoard, maximum_matching};
    ///
    /// let board = FireNetBoard::empty(3, 3);
    /// let solved = board.with_bunkers(maximum_matching(&board))?;
    /// assert_eq!(solved.svg(&board).matches("<circle").count(), 3);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn svg(&self, given: &FireNetBoard) -> String {
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

    /// Draws a search state as the text of an SVG file: walls are dark and bunkers are discs. The
    /// cells of given bunkers are tinted. Empty cells that are not candidates, because a bunker
    /// sees them or the search has excluded them, have a darker shade.
    ///
    /// ```
    /// use secateurs::Problem;
    /// use secateurs_problems::fire_net::FireNetBoard;
    ///
    /// let board = FireNetBoard::empty(3, 3);
    /// let mut state = board.root();
    /// state.place(&board, 4);
    /// let svg = board.state_svg(&state);
    /// assert_eq!(svg.matches("<circle").count(), 1);
    /// assert_eq!(svg.matches("\"cell dark\"").count(), 5); // the middle row and the middle column
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the state belongs to a board with fewer cells, or has a bunker that is not on this
    /// board.
    #[must_use]
    pub fn state_svg(&self, state: &State) -> String {
        let title = format!("{} bunkers, {} candidates", state.placed(), state.candidates());
        self.picture(&title, state.bunkers(), |cell| {
            if self.bunkers().binary_search(&cell).is_ok() {
                "soft"
            } else if state.is_candidate(cell) {
                ""
            } else {
                "dark"
            }
        })
    }

    fn picture(
        &self,
        title: &str,
        bunkers: &[usize],
        class: impl Fn(usize) -> &'static str,
    ) -> String {
        let (rows, columns) = (self.rows(), self.columns());
        // A board without cells may have a side too long to be drawn.
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
