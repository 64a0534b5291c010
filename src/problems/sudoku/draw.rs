//! Pictures of boards, and of the states of their search.

use super::board::Sudoku;
use crate::csp::{Domains, Network};
use crate::problems::picture::Picture;

impl Sudoku {
    /// Returns a picture of the board as the text of an SVG file, with the boxes in two shades and
    /// the numbers of `given` on a third background.
    #[must_use]
    pub fn svg(&self, given: &Sudoku) -> String {
        let title = format!("A Sudoku of {0} × {0} cells, {1} blank", self.side(), self.blanks());
        let mut picture = given.background(&title);
        for (row, column, number) in self.numbers() {
            picture.text(row, column, number);
        }
        picture.finish()
    }

    /// Returns a picture of a state of a search of the board's [network](Self::network), as the
    /// text of an SVG file: the assigned numbers, and in small type the candidates of cells with
    /// two to four of them. A cell without candidates is marked with a disc.
    ///
    /// ```
    /// use secateurs::Problem;
    /// use secateurs::problems::sudoku::Sudoku;
    ///
    /// let sudoku: Sudoku = "1...\n..1.\n.4..\n...2\n".parse()?;
    /// let network = sudoku.network();
    /// let svg = sudoku.state_svg(&network, &network.root());
    /// assert_eq!(svg.matches("<text class=\"text\"").count(), 4); // the numbers given
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If `domains` belongs to a network with fewer variables.
    #[must_use]
    pub fn state_svg(&self, network: &Network, domains: &Domains) -> String {
        let side = self.side();
        let open = network
            .variables()
            .take(side * side)
            .filter(|&cell| !domains.is_assigned(cell))
            .count();
        let mut picture =
            self.background(&format!("A Sudoku of {side} × {side} cells, {open} open"));
        for (cell, variable) in network.variables().take(side * side).enumerate() {
            let (row, column) = (cell / side, cell % side);
            let values: Vec<i32> = domains.values(variable).take(5).collect();
            match &values[..] {
                [] => picture.disc(row, column),
                [value] => picture.text(row, column, value),
                values if values.len() <= 4 => {
                    let candidates: Vec<String> = values.iter().map(i32::to_string).collect();
                    picture.hint(row, column, candidates.join(if side > 9 { " " } else { "" }));
                }
                _ => {}
            }
        }
        picture.finish()
    }

    /// Draws the board without numbers: the boxes in two shades, and the cells of the given numbers
    /// in a third.
    fn background(&self, title: &str) -> Picture {
        let side = self.side();
        let mut picture = Picture::new(side, side, title);
        for cell in 0..side * side {
            let (row, column) = (cell / side, cell % side);
            let is_dark = (row / self.box_rows() + column / self.box_columns()) % 2 == 1;
            let class = match self.number(row, column) {
                Some(_) => "soft",
                None if is_dark => "dark",
                None => "",
            };
            picture.square(row, column, class);
        }
        picture
    }
}
