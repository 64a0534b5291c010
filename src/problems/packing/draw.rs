//! Drawings of packings, as text and as SVG.

use super::cover::Packing;
use crate::problems::picture::{Picture, escaped};

/// The classes of the backgrounds that tell apart pieces that touch.
const BACKGROUNDS: [&str; 4] = ["", "soft", "dark", "tint"];

impl Packing {
    /// Returns the option that fills each square, row by row.
    fn filled(&self, options: &[usize]) -> Vec<Option<usize>> {
        let mut filled = vec![None; self.items.len()];
        for &option in options {
            for (row, column) in self.cells(option) {
                filled[row * self.board.columns() + column] = Some(option);
            }
        }
        filled
    }

    /// Returns the board with the pieces that these options place, as text: each filled square has
    /// the first character of the name of its piece, holes are `#`, other squares `.`.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::packing::{Packing, PackingPiece, Polyomino};
    ///
    /// let corner: Polyomino = "##\n#.".parse()?;
    /// let pieces = ["A", "B"].map(|name| PackingPiece::once(name, corner.clone()));
    /// let packing = Packing::new("...#\n...#".parse()?, pieces.to_vec())?;
    /// let outcome = Search::new(packing.cover()).first();
    /// let text = outcome.solution().map(|options| packing.draw(options));
    /// assert_eq!(text.as_deref(), Some("AAB#\nABB#\n"));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no option with one of these numbers.
    #[must_use]
    pub fn draw(&self, options: &[usize]) -> String {
        let character = |(filled, item): (Option<usize>, &Option<usize>)| match (filled, item) {
            (Some(option), _) => self.pieces[self.piece(option)].name.chars().next().unwrap_or('?'),
            (None, Some(_)) => '.',
            (None, None) => '#',
        };
        let squares: Vec<char> =
            self.filled(options).into_iter().zip(&self.items).map(character).collect();
        let rows = squares.chunks(self.board.columns().max(1));
        rows.flat_map(|row| row.iter().chain(&['\n'])).collect()
    }

    /// Returns a picture of the board with the pieces that these options place, as the text of an
    /// SVG file.
    ///
    /// # Panics
    ///
    /// If there is no option with one of these numbers.
    #[must_use]
    pub fn svg(&self, options: &[usize]) -> String {
        let (rows, columns) = (self.board.rows(), self.board.columns());
        let mut picture = Picture::new(
            rows,
            columns,
            format_args!("{} pieces on {rows} × {columns}", options.len()),
        );
        let filled = self.filled(options);
        let at = |row: usize, column: usize| filled[row * columns + column];
        let backgrounds = self.backgrounds(options, &filled);
        for row in 0..rows {
            let class = |column| match at(row, column) {
                Some(option) => {
                    BACKGROUNDS[backgrounds
                        [options.iter().position(|&other| other == option).unwrap_or(0)]]
                }
                None if self.board.is_open(row, column) => "",
                None => "wall",
            };
            let classes: Vec<&str> = (0..columns).map(class).collect();
            picture.row(row, &classes);
        }
        for row in 0..rows {
            for column in 0..columns {
                let right = if column + 1 < columns { at(row, column + 1) } else { None };
                let below = if row + 1 < rows { at(row + 1, column) } else { None };
                if at(row, column) != right {
                    picture.edge((row, column + 1), (row + 1, column + 1));
                }
                if at(row, column) != below {
                    picture.edge((row + 1, column), (row + 1, column + 1));
                }
                if row == 0 && at(row, column).is_some() {
                    picture.edge((0, column), (0, column + 1));
                }
                if column == 0 && at(row, column).is_some() {
                    picture.edge((row, 0), (row + 1, 0));
                }
            }
        }
        if !picture.is_large() {
            for &option in options {
                if let Some((row, column)) = self.cells(option).next() {
                    picture.text(row, column, escaped(&self.pieces[self.piece(option)].name));
                }
            }
        }
        picture.finish()
    }

    /// Chooses a background for each option greedily. Pieces that touch have different backgrounds
    /// unless the greedy choice runs out of them.
    fn backgrounds(&self, options: &[usize], filled: &[Option<usize>]) -> Vec<usize> {
        let columns = self.board.columns();
        let mut background_of: Vec<Option<usize>> = vec![None; filled.len()];
        let mut backgrounds = Vec::with_capacity(options.len());
        for &option in options {
            let mut taken = [false; BACKGROUNDS.len()];
            for (row, column) in self.cells(option) {
                let square = row * columns + column;
                let beside = [
                    (column > 0).then(|| square - 1),
                    (column + 1 < columns).then_some(square + 1),
                    square.checked_sub(columns),
                    Some(square + columns),
                ];
                for other in
                    beside.into_iter().flatten().filter_map(|other| *background_of.get(other)?)
                {
                    taken[other] = true;
                }
            }
            let background = taken.iter().position(|taken| !taken).unwrap_or(0);
            for (row, column) in self.cells(option) {
                background_of[row * columns + column] = Some(background);
            }
            backgrounds.push(background);
        }
        backgrounds
    }
}
