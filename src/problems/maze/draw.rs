//! Printing mazes: as text, and as SVG.

use std::fmt;

use super::{Maze, Step};
use crate::problems::picture::Picture;

impl Maze {
    /// The maze as text, as `Display` writes it, with a `*` in each square that the steps lead
    /// through.
    ///
    /// ```
    /// use secateurs::problems::maze::{Maze, Step};
    ///
    /// let maze: Maze = "S.#\n...\n#.G".parse()?;
    /// assert_eq!(maze.draw(&[Step::Right, Step::Down, Step::Right, Step::Down]), "S*#\n.**\n#.G\n");
    /// # Ok::<(), secateurs::problems::maze::ParseMazeError>(())
    /// ```
    #[must_use]
    pub fn draw(&self, steps: &[Step]) -> String {
        let mut squares: Vec<char> =
            self.open.iter().map(|&open| if open { '.' } else { '#' }).collect();
        for (row, column) in self.squares(steps) {
            squares[row * self.columns + column] = '*';
        }
        squares[self.start] = 'S';
        squares[self.goal] = 'G';
        squares.chunks(self.columns).flat_map(|row| row.iter().chain(&['\n'])).collect()
    }

    /// A picture of the maze with the way of a mouse that makes these steps, as the text of an SVG
    /// file. Above 60 squares a side, neighbours in a row that look the same are drawn as one.
    #[must_use]
    pub fn svg(&self, steps: &[Step]) -> String {
        let title = match steps.len() {
            0 => format!("A maze of {} × {} squares", self.rows, self.columns),
            steps => format!(
                "A way of {steps} steps through a maze of {} × {} squares",
                self.rows, self.columns
            ),
        };
        let mut picture = Picture::new(self.rows, self.columns, title);
        let mut classes: Vec<&str> =
            self.open.iter().map(|&open| if open { "" } else { "wall" }).collect();
        if !steps.is_empty() {
            for (row, column) in self.squares(steps) {
                classes[row * self.columns + column] = "soft";
            }
        }
        for (row, classes) in classes.chunks(self.columns).enumerate() {
            picture.row(row, classes);
        }
        if !steps.is_empty() {
            picture.path(self.squares(steps));
        }
        for ((row, column), mark) in [(self.start(), 'S'), (self.goal(), 'G')] {
            picture.disc(row, column);
            picture.text(row, column, mark);
        }
        picture.finish()
    }
}

impl fmt::Display for Maze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.draw(&[]))
    }
}
