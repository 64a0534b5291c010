//! Sudoku as an exact cover.

use super::board::Sudoku;
use crate::cover::{Cover, CoverError};

impl Sudoku {
    /// Returns the board as an exact cover (Knuth 2000). There is an item for each cell, and one
    /// for each number in each row, each column and each box. An option puts a number into a cell
    /// and covers four items.
    ///
    /// Options that a given number excludes are left out. Branching on the smallest item means to
    /// branch on the cell with the fewest candidates or the number with the fewest places,
    /// whichever is smaller.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::sudoku::Sudoku;
    ///
    /// let sudoku: Sudoku = "1...\n..1.\n.4..\n...2\n".parse()?;
    /// let cover = sudoku.cover();
    /// let outcome = Search::new(&cover).first();
    /// let options = outcome.solution().ok_or("no solution")?;
    /// let solved = sudoku.covered(&cover, options).ok_or("not a solution of this board")?;
    /// assert_eq!(solved.to_string(), "1324\n4213\n2431\n3142\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cover(&self) -> Cover {
        match self.try_cover() {
            Ok(cover) => cover,
            // The largest board has 64³ options of four items.
            Err(error) => unreachable!("a board is never too large for a cover: {error}"),
        }
    }

    fn try_cover(&self) -> Result<Cover, CoverError> {
        let side = self.side();
        let mut builder = Cover::builder();
        for cell in 0..side * side {
            builder.primary(&format!("r{}c{}", cell / side + 1, cell % side + 1))?;
        }
        for unit in ["r", "c", "b"] {
            for index in 0..side * side {
                builder.primary(&format!("{unit}{}={}", index / side + 1, index % side + 1))?;
            }
        }
        // The number of times that each number is given in each row, column and box.
        let mut given = vec![0_u32; 3 * side * side];
        let items = |cell: usize, number: usize| {
            let of = self.units(cell);
            [of.row, side + of.column, 2 * side + of.r#box].map(|unit| unit * side + number - 1)
        };
        for (row, column, number) in self.numbers() {
            items(row * side + column, number).into_iter().for_each(|item| given[item] += 1);
        }
        for cell in 0..side * side {
            let own = self.number(cell / side, cell % side);
            for number in 1..=side {
                let items = items(cell, number);
                // No other cell of its units may have the number.
                let allowed = u32::from(own == Some(number));
                if own.is_none_or(|own| own == number)
                    && items.iter().all(|&item| given[item] == allowed)
                {
                    let members = [cell].into_iter().chain(items.map(|item| side * side + item));
                    builder.option_of(members.map(|item| (item, None)))?;
                }
            }
        }
        Ok(builder.build())
    }

    /// Returns the solved board that a solution of its [cover](Self::cover) represents; `None` if
    /// the options are not a solution of that cover.
    #[must_use]
    pub fn covered(&self, cover: &Cover, options: &[usize]) -> Option<Sudoku> {
        let side = self.side();
        let mut numbers = vec![0; side * side];
        for &option in options.iter().filter(|&&option| option < cover.options()) {
            // The first two items of an option: its cell, and its number in the row.
            let mut members = cover.members(option).map(|member| member.item);
            let (cell, item) = (members.next()?, members.next()?);
            *numbers.get_mut(cell)? = item.checked_sub(side * side)? % side + 1;
        }
        self.filled(&numbers)
    }
}
