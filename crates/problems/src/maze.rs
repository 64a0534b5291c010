//! Shannon's mouse in a maze: uninformed depth-first and breadth-first search.
//!
//! Shannon's mouse Theseus (1950) found its way by trial and error. For each square of the maze, it
//! remembered the direction in which it had last left that square. That is depth-first search with
//! a closed set. Moore (1959) found *shortest* paths by breadth-first search (all squares one step
//! away, then two), with a maze as his example.
//!
//! Here the two differ in one call. Both search the same [`Maze`] with the same [closed
//! set](Maze::closed_set), which lets the mouse enter each square once:
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::maze::Maze;
//!
//! let maze: Maze = "\
//! S....
//! .###.
//! .....
//! .###.
//! G....
//! ".parse()?;
//!
//! let deep = Search::new(&maze).hooks((maze.closed_set(),)).first();
//! let broad = Search::new(&maze).hooks((maze.closed_set(),)).breadth_first().first();
//!
//! // Right is tried before down, so the mouse takes the long way round.
//! assert_eq!(deep.solution().map(Vec::len), Some(12));
//! assert_eq!(broad.solution().map(Vec::len), Some(4)); // shortest
//! # Ok::<(), secateurs::ParseError>(())
//! ```
//!
//! Theseus ran a second time without an error. [`MouseMemory`] remembers a step for each square
//! that a search visits, and leads from all of them to the goal. It does not notice walls that were
//! removed since: the mouse repeats its route although there is a shorter one.
//!
//! The report has the number of visited squares, as the statistic `entries` of the closed set. A
//! search can also *prove* that a path is shortest: see [`Dominance`](secateurs::hook::Dominance).

use std::fmt;
use std::str::FromStr;

use secateurs::brancher::{ProblemOrder, Sorted};
use secateurs::hook::{Memo, Node};
use secateurs::text::read_grid;
use secateurs::{Branch, ParseError, Problem};

use super::InstanceError;
use super::picture::Picture;

/// A step of the mouse to a neighbouring square. Steps are tried in the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Step {
    /// One row up.
    Up,
    /// One column to the right.
    Right,
    /// One row down.
    Down,
    /// One column to the left.
    Left,
}

impl Step {
    /// All four steps, in the order in which they are tried.
    pub const ALL: [Step; 4] = [Step::Up, Step::Right, Step::Down, Step::Left];

    /// Returns the opposite step.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Step::Up => Step::Down,
            Step::Right => Step::Left,
            Step::Down => Step::Up,
            Step::Left => Step::Right,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Step::Up => "up",
            Step::Right => "right",
            Step::Down => "down",
            Step::Left => "left",
        })
    }
}

/// An order in which the mouse tries the four steps. The default is that of [`Step::ALL`].
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::maze::{Maze, Step, StepOrder};
///
/// let maze: Maze = "...\n.S.\n.G.".parse()?;
/// let order: StepOrder = "down,left,up,right".parse()?;
/// let search = Search::new(&maze).brancher(order.brancher()).hooks((maze.closed_set(),));
/// assert_eq!(search.first().solution(), Some(&vec![Step::Down]));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepOrder([Step; 4]);

impl StepOrder {
    /// Returns the four steps in this order.
    #[must_use]
    pub fn steps(self) -> [Step; 4] {
        self.0
    }

    /// Returns the order as a brancher.
    #[must_use]
    pub fn brancher(
        self,
    ) -> Sorted<ProblemOrder, impl FnMut(&Node<'_, Maze>, &Step) -> Option<usize> + Clone> {
        let position = move |step| self.0.iter().position(|&other| other == step);
        Sorted::by(move |_: &Node<'_, Maze>, &step: &Step| position(step)).parameters(&self)
    }
}

impl Default for StepOrder {
    fn default() -> Self {
        StepOrder(Step::ALL)
    }
}

impl fmt::Display for StepOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.map(|step| step.to_string()).join(","))
    }
}

impl FromStr for StepOrder {
    type Err = ParseError;

    /// Reads the names of the four steps, separated by commas.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let named = |name: &str| Step::ALL.into_iter().find(|step| step.to_string() == name);
        let steps: Vec<Step> = text.split(',').filter_map(named).collect();
        let is_permutation =
            text.split(',').count() == 4 && Step::ALL.iter().all(|step| steps.contains(step));
        steps.try_into().ok().filter(|_| is_permutation).map(StepOrder).ok_or_else(|| {
            ParseError::new(format_args!(
                "found `{text}`, expected each of up, right, down and left once, as in {}",
                StepOrder::default()
            ))
        })
    }
}

/// A rectangular maze of open squares and walls, with a start and a goal; read with [`str::parse`].
///
/// The text has one line per row, all of the same length: `#` or `█` for a wall, `.` or a space for
/// an open square, one `S` for the start and one `G` (goal) or `E` (end) for the goal. Squares
/// outside the maze count as walls, so a maze needs no border. `Display` writes the same format,
/// with `#`, `.` and `G`.
///
/// As a [`Problem`], its state is the [`Mouse`], its choices are [`Step`]s, and a state is a
/// solution if the mouse is at the goal. Without a hook that keeps the mouse from running in
/// circles, such as the [closed set](Maze::closed_set), the tree is infinite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maze {
    rows: usize,
    columns: usize,
    /// Whether each square is open, row by row.
    open: Vec<bool>,
    start: usize,
    goal: usize,
}

/// The square of the mouse, and the number of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mouse {
    square: usize,
    steps: usize,
}

impl Mouse {
    /// Returns the index of its square: row by row from the top left corner, from 0.
    #[must_use]
    pub fn square(&self) -> usize {
        self.square
    }

    /// Returns the number of steps since the start.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }
}

/// The memory of Shannon's mouse: a step for each square that it has visited.
///
/// On the squares of the path that was found, the steps lead to the goal. On the others, they lead
/// back to the square from which the mouse came, and so to the path.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::maze::{Maze, MouseMemory};
///
/// let maze: Maze = "\
/// S....
/// .###.
/// .###.
/// .###.
/// ....G
/// ".parse()?;
/// let mut memory = MouseMemory::new(&maze);
/// let search = Search::new(&maze).hooks((maze.closed_set(),));
/// let outcome = search.watch("memory", |node| memory.visit(node)).first();
/// let route = outcome.solution().ok_or("no path")?;
/// memory.follow(&maze, route);
///
/// // The mouse repeats its route, even if walls are removed.
/// assert_eq!(memory.route(&maze).as_ref(), Some(route));
/// let shortcut = maze.without_wall(1, 3)?;
/// assert_eq!(memory.route(&shortcut).as_ref(), Some(route));
/// // It has not visited the other side of the maze.
/// assert_eq!(memory.route(&maze.starting_at(3, 0)?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MouseMemory {
    columns: usize,
    /// The step of each square, row by row.
    steps: Vec<Option<Step>>,
}

impl MouseMemory {
    /// Creates the memory of a mouse that has not been in the maze.
    #[must_use]
    pub fn new(maze: &Maze) -> Self {
        MouseMemory { columns: maze.columns, steps: vec![None; maze.open.len()] }
    }

    /// Returns the step that the mouse remembers for a square, which is given by its index as in
    /// [`Mouse::square`]. There is one for each square visited, except for the start unless a path
    /// was [followed](Self::follow).
    #[must_use]
    pub fn step(&self, square: usize) -> Option<Step> {
        self.steps.get(square).copied().flatten()
    }

    /// Remembers the way back from the square of a node. Call it with each node that the [closed
    /// set](Maze::closed_set) keeps, which the mouse enters from one square only.
    ///
    /// # Panics
    ///
    /// May panic if the maze of the node has more squares than the maze of this memory.
    pub fn visit(&mut self, node: &Node<'_, Maze>) {
        if let Some(step) = node.path().last() {
            self.steps[node.state().square()] = Some(step.reversed());
        }
    }

    /// Remembers the steps of a path from the start.
    ///
    /// # Panics
    ///
    /// May panic if the maze has more squares than the maze of this memory.
    pub fn follow(&mut self, maze: &Maze, path: &[Step]) {
        for ((row, column), &step) in maze.squares(path).zip(path) {
            self.steps[row * maze.columns + column] = Some(step);
        }
    }

    /// Returns the steps by which the memory leads from the start of a maze to its goal, or `None`
    /// if it does not lead there. The walls and the start may differ from those of the maze that
    /// the mouse was in, but the size must be the same; otherwise the result is `None`.
    #[must_use]
    pub fn route(&self, maze: &Maze) -> Option<Vec<Step>> {
        if (self.columns, self.steps.len()) != (maze.columns, maze.open.len()) {
            return None;
        }
        let mut route = Vec::new();
        let mut square = maze.start;
        while square != maze.goal {
            // A longer route would run in a circle.
            let step = self.steps[square].filter(|_| route.len() < self.steps.len())?;
            square = maze.target(square, step)?;
            route.push(step);
        }
        Some(route)
    }

    /// Returns the maze as text, as [`Maze::draw`] writes it, with a `:` in each other square that
    /// the mouse has visited.
    #[must_use]
    pub fn draw(&self, maze: &Maze, steps: &[Step]) -> String {
        maze.text(steps, |square| self.step(square).is_some())
    }

    /// Returns a picture as [`Maze::svg`] draws it, in which the other squares that the mouse has
    /// visited have a shade of their own.
    #[must_use]
    pub fn svg(&self, maze: &Maze, steps: &[Step]) -> String {
        maze.picture(steps, |square| self.step(square).is_some())
    }
}

/// The hook that [`Maze::closed_set`] creates.
pub type ClosedSet = Memo<Maze, usize, fn(&Maze, &Mouse) -> usize>;

impl Maze {
    /// Returns the number of rows, at least 1.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns, at least 1.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the square of the start as (row, column), from 0, from the top left corner.
    #[must_use]
    pub fn start(&self) -> (usize, usize) {
        self.position(self.start)
    }

    /// Returns the square of the goal as (row, column).
    #[must_use]
    pub fn goal(&self) -> (usize, usize) {
        self.position(self.goal)
    }

    /// Returns whether a square is open; squares outside the maze are not.
    #[must_use]
    pub fn is_open(&self, row: usize, column: usize) -> bool {
        row < self.rows && column < self.columns && self.open[row * self.columns + column]
    }

    /// Creates a hook, named `closed set`, that lets the mouse enter each square once. The hook has
    /// capacity for all squares.
    ///
    /// The hook keeps the first path to each square, which is certain to be a shortest one only in
    /// a breadth-first search. So do not use it to search for the [`best`](secateurs::Search::best)
    /// path by length: the claim of [`Memo::visited`] does not hold there.
    #[must_use]
    pub fn closed_set(&self) -> ClosedSet {
        // The table reserves half of its capacity for new entries.
        Memo::visited("closed set", (|_, mouse| mouse.square()) as fn(&Maze, &Mouse) -> usize)
            .parameters(&())
            .capacity(2 * self.open.len())
    }

    /// Returns the squares on the path of a mouse that makes these steps, as (row, column) and
    /// beginning with the start. The path ends before a step into a wall.
    pub fn squares<'a>(&'a self, steps: &'a [Step]) -> impl Iterator<Item = (usize, usize)> + 'a {
        let mut steps = steps.iter();
        std::iter::successors(Some(self.start), move |&square| {
            steps.next().and_then(|&step| self.target(square, step))
        })
        .map(|square| self.position(square))
    }

    /// Returns the maze without the wall in this square.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no wall in this square of the maze. Rows and columns in the
    /// message count from 1.
    pub fn without_wall(&self, row: usize, column: usize) -> Result<Self, InstanceError> {
        if row >= self.rows || column >= self.columns || self.is_open(row, column) {
            let message = "found no wall, expected one to be removed";
            return Err(InstanceError::at(row, column, message));
        }
        let mut maze = self.clone();
        maze.open[row * self.columns + column] = true;
        Ok(maze)
    }

    /// Returns the maze without any wall.
    #[must_use]
    pub fn without_walls(&self) -> Self {
        Maze { open: vec![true; self.open.len()], ..self.clone() }
    }

    /// Returns the maze with its start moved to this square.
    ///
    /// # Errors
    ///
    /// Returns an error if the square is a wall, outside the maze, or the goal. Rows and columns in
    /// the message count from 1.
    pub fn starting_at(&self, row: usize, column: usize) -> Result<Self, InstanceError> {
        if !self.is_open(row, column) || self.goal() == (row, column) {
            let message = "found a wall or the goal, expected an open square to start from";
            return Err(InstanceError::at(row, column, message));
        }
        Ok(Maze { start: row * self.columns + column, ..self.clone() })
    }

    /// Returns the row and the column of a square.
    fn position(&self, square: usize) -> (usize, usize) {
        (square / self.columns, square % self.columns)
    }

    /// Returns the square that a step leads to, if it is open. Squares are given by their indices,
    /// as in [`Mouse::square`].
    ///
    /// # Panics
    ///
    /// May panic if the square is outside the maze.
    #[must_use]
    pub fn target(&self, square: usize, step: Step) -> Option<usize> {
        let column = square % self.columns;
        let target = match step {
            Step::Up => square.checked_sub(self.columns)?,
            Step::Right if column + 1 < self.columns => square + 1,
            Step::Down => square + self.columns,
            Step::Left if column > 0 => square - 1,
            Step::Right | Step::Left => return None,
        };
        (target < self.open.len() && self.open[target]).then_some(target)
    }

    /// Returns the square that a step leads to, without checking whether it is open.
    fn shift(&self, square: usize, step: Step) -> usize {
        match step {
            Step::Up => square - self.columns,
            Step::Right => square + 1,
            Step::Down => square + self.columns,
            Step::Left => square - 1,
        }
    }
}

impl Problem for Maze {
    type State = Mouse;
    /// The number of steps tried so far, up to 4.
    type Cursor = u8;
    type Choice = Step;
    type Undo = ();

    fn root(&self) -> Mouse {
        Mouse { square: self.start, steps: 0 }
    }

    fn branch(&self, mouse: &Mouse) -> Branch<u8> {
        if mouse.square == self.goal { Branch::Solution } else { Branch::Inner(0) }
    }

    fn next(&self, mouse: &Mouse, cursor: &mut u8) -> Option<Step> {
        while let Some(&step) = Step::ALL.get(usize::from(*cursor)) {
            *cursor += 1;
            if self.target(mouse.square, step).is_some() {
                return Some(step);
            }
        }
        None
    }

    fn accepts_saved(&self, mouse: &Mouse, &step: &Step) -> bool {
        self.target(mouse.square, step).is_some()
    }

    fn apply(&self, mouse: &mut Mouse, &step: &Step) {
        mouse.square = self.shift(mouse.square, step);
        mouse.steps += 1;
    }

    fn undo(&self, mouse: &mut Mouse, &step: &Step, (): ()) {
        mouse.square = self.shift(mouse.square, step.reversed());
        mouse.steps -= 1;
    }
}

impl Maze {
    /// Returns the maze as text, as `Display` writes it, with a `*` in each square that the steps
    /// pass through.
    ///
    /// ```
    /// use secateurs_problems::maze::{Maze, Step};
    ///
    /// let maze: Maze = "S.#\n...\n#.G".parse()?;
    /// let steps = [Step::Right, Step::Down, Step::Right, Step::Down];
    /// assert_eq!(maze.draw(&steps), "S*#\n.**\n#.G\n");
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    #[must_use]
    pub fn draw(&self, steps: &[Step]) -> String {
        self.text(steps, |_| false)
    }

    fn text(&self, steps: &[Step], is_visited: impl Fn(usize) -> bool) -> String {
        let character = |(square, &open): (usize, &bool)| match open {
            true if is_visited(square) => ':',
            true => '.',
            false => '#',
        };
        let mut squares: Vec<char> = self.open.iter().enumerate().map(character).collect();
        for (row, column) in self.squares(steps) {
            squares[row * self.columns + column] = '*';
        }
        squares[self.start] = 'S';
        squares[self.goal] = 'G';
        squares.chunks(self.columns).flat_map(|row| row.iter().chain(&['\n'])).collect()
    }

    /// Returns a picture of the maze and of the path of a mouse that makes these steps, as the text
    /// of an SVG file. If a side has more than 60 squares, equal neighbours in a row are drawn as
    /// one rectangle.
    #[must_use]
    pub fn svg(&self, steps: &[Step]) -> String {
        self.picture(steps, |_| false)
    }

    fn picture(&self, steps: &[Step], is_visited: impl Fn(usize) -> bool) -> String {
        let title = match steps.len() {
            0 => format!("A maze of {} × {} squares", self.rows, self.columns),
            steps => format!(
                "A path of {steps} steps through a maze of {} × {} squares",
                self.rows, self.columns
            ),
        };
        let mut picture = Picture::new(self.rows, self.columns, title);
        let class = |(square, &open): (usize, &bool)| match open {
            true if is_visited(square) => "tint",
            true => "",
            false => "wall",
        };
        let mut classes: Vec<&str> = self.open.iter().enumerate().map(class).collect();
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

impl FromStr for Maze {
    type Err = ParseError;

    /// Reads a maze in the format described at [`Maze`]. Lines may end in CR LF, the end of the
    /// last line is optional, and empty lines may follow it.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim_end_matches(['\n', '\r']);
        if text.lines().next().is_none_or(str::is_empty) {
            return Err(ParseError::at(1, 1, "found nothing, expected the first row of a maze"));
        }
        let lines = (1..).zip(text.lines());
        let expected = "`#` (wall), `.` or ` ` (open), `S` (start) or `G` (goal)";
        let (columns, squares) = read_grid(lines, None, expected, |found| match found {
            '█' => Some('#'),
            'E' => Some('G'),
            '#' | '.' | ' ' | 'S' | 'G' => Some(found),
            _ => None,
        })?;
        let rows = squares.len() / columns;
        let only = |mark: char, name: &str| {
            let mut marked = (0..squares.len()).filter(|&square| squares[square] == mark);
            let Some(first) = marked.next() else {
                let message = format!("found the end of the maze, expected one `{mark}` ({name})");
                return Err(ParseError::in_line(rows, message));
            };
            let position = |square| (square / columns + 1, square % columns + 1);
            match marked.next().map(position) {
                None => Ok(first),
                Some((line, column)) => {
                    let (first_line, first_column) = position(first);
                    let message = format!(
                        "found a second `{mark}` ({name}), expected only the one in \
                         line {first_line}, column {first_column}"
                    );
                    Err(ParseError::at(line, column, message))
                }
            }
        };
        let (start, goal) = (only('S', "start")?, only('G', "goal")?);
        let open = squares.iter().map(|&square| square != '#').collect();
        Ok(Maze { rows, columns, open, start, goal })
    }
}
