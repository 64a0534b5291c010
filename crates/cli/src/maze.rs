//! Shannon's mouse: a path through a maze, found depth-first or breadth-first.

use std::array;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use crate::support::{self, Failure, Square};
use clap::{Args, ValueEnum};
use secateurs::hook;
use secateurs::{Found, Node, Outcome, Search};
use secateurs_problems::maze::{Maze, MouseMemory, Step, StepOrder};

/// Find a path through a maze by uninformed search.
///
/// The mouse does not know the goal, and enters each square once. Depth-first, it walks on as long
/// as it can and finds some path. Breadth-first, it searches all squares one step away, then two,
/// and finds a shortest path. In the printed maze, the path is marked by `*`, other squares that
/// were visited by `:`. With --again the mouse runs a second time, from memory.
///
/// A maze is a text with one line per row: `#` wall, `.` or space open, `S` start, `G` goal.
#[derive(Args)]
pub struct Arguments {
    /// The maze file, `-` for standard input [default: a bundled maze].
    file: Option<PathBuf>,
    /// The order in which squares are searched [default: bfs, or dfs with --walk].
    #[arg(long, value_enum, hide_default_value = true, default_value_t = Strategy::Bfs,
        default_value_if("walk", "true", "dfs"))]
    strategy: Strategy,
    /// The order in which the mouse tries the four directions
    #[arg(long, value_name = "DIRECTIONS", default_value_t = StepOrder::default())]
    order: StepOrder,
    /// Print the walk of the mouse, depth-first: a line for each time that it stands in a square,
    /// with the directions that it tries from there. A wall or a square that it knows turns it to
    /// the next direction; after the last one it goes back
    #[arg(long, conflicts_with = "answer_only")]
    walk: bool,
    /// Run a second time, from memory: the mouse repeats its path without searching
    #[arg(long)]
    again: bool,
    /// Remove the wall in this square before the second run, as ROW,COLUMN from 1,1 in the top left
    /// corner, or `all` walls; may be repeated. The mouse repeats its path although there may be a
    /// shorter one
    #[arg(long, value_name = "ROW,COLUMN|all", requires = "again")]
    open: Vec<Walls>,
    /// Start the second run from this square, which the first run must have visited
    #[arg(long, value_name = "ROW,COLUMN", requires = "again")]
    from: Option<Square>,
    #[command(flatten)]
    limits: support::limits::Options,
    /// Print only the number of steps of the path (of the second run, with --again), or `none`.
    #[arg(long)]
    answer_only: bool,
    /// Draw the maze and the path (of the second run, with --again) as an SVG file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Strategy {
    /// Depth-first: some path.
    Dfs,
    /// Breadth-first: a shortest path.
    Bfs,
}

/// The walls to be removed.
#[derive(Clone, Copy)]
enum Walls {
    In(Square),
    All,
}

impl FromStr for Walls {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Walls::All),
            square => square
                .parse()
                .map(Walls::In)
                .map_err(|error: String| error.replacen("expected", "expected `all` or", 1)),
        }
    }
}

/// The outcome of a search for a path.
type PathOutcome = Outcome<Found<Vec<Step>>>;

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| {
        let file = arguments.file.as_deref();
        let text = support::read(file, include_str!("../data/maze.txt"))?;
        let maze: Maze = text.parse().map_err(|error| support::with_input_name(file, error))?;
        let second_maze = arguments.second_maze(&maze)?;
        if arguments.walk && arguments.strategy == Strategy::Bfs {
            return Err("--walk: found --strategy bfs, expected dfs: breadth-first, the search \
                        jumps between squares that are not neighbours"
                .into());
        }

        let mut memory = MouseMemory::new(&maze);
        let mut walk = arguments.walk.then(|| Walk::new(&maze, arguments.order));
        let outcome = arguments.search(&maze, arguments.strategy, |node| {
            memory.visit(node);
            if let Some(walk) = &mut walk {
                walk.enter(node);
            }
        });
        let path = outcome.solution().map_or(&[][..], Vec::as_slice);
        let drawn = memory.draw(&maze, path);
        let route = match outcome.solution().filter(|_| arguments.again) {
            Some(path) => {
                memory.follow(&maze, path);
                Some(recall(&memory, &second_maze)?)
            }
            None => None,
        };
        support::write_svg(arguments.svg.as_deref(), || match &route {
            Some(route) => second_maze.svg(route),
            None => memory.svg(&maze, path),
        })?;
        if arguments.answer_only {
            let steps = route.map_or_else(|| steps(&outcome), |route| route.len().to_string());
            support::print(format_args!("{steps}\n"))?;
            return support::check_complete(outcome.stop());
        }
        print_run(&drawn, &outcome)?;
        if let Some(walk) = walk {
            walk.print(&outcome)?;
        }
        if let Some(route) = route {
            arguments.compare(&second_maze, &route)?;
        }
        support::check_complete(outcome.stop())
    })
}

impl Arguments {
    /// Returns the maze of the second run.
    fn second_maze(&self, maze: &Maze) -> Result<Maze, Failure> {
        let mut changed = maze.clone();
        for walls in &self.open {
            changed = match *walls {
                Walls::In(Square { row, column }) => changed.without_wall(row - 1, column - 1)?,
                Walls::All => changed.without_walls(),
            };
        }
        match self.from {
            Some(Square { row, column }) => Ok(changed.starting_at(row - 1, column - 1)?),
            None => Ok(changed),
        }
    }

    /// Searches for a path, and calls `visit` with each node of a square visited.
    fn search(
        &self,
        maze: &Maze,
        strategy: Strategy,
        visit: impl FnMut(&Node<'_, Maze>),
    ) -> PathOutcome {
        let search = Search::new(maze)
            .brancher(self.order.brancher())
            .hooks((maze.closed_set(), hook::watch("memory", visit)))
            .limits(self.limits.limits());
        match strategy {
            Strategy::Dfs => search.first(),
            Strategy::Bfs => search.breadth_first().first(),
        }
    }

    /// Prints the route of the second run, and the length of a shortest path.
    fn compare(&self, maze: &Maze, route: &[Step]) -> Result<(), Failure> {
        let shortest = self.search(maze, Strategy::Bfs, |_| ());
        support::print(format_args!(
            "\nThe second run, from memory:\n\n{}\nsteps            {}\nshortest path    {}\n",
            maze.draw(route),
            route.len(),
            steps(&shortest)
        ))?;
        support::check_complete(shortest.stop())
    }
}

/// The walk of a mouse that searches depth-first.
struct Walk<'m> {
    maze: &'m Maze,
    order: StepOrder,
    is_known: Vec<bool>,
    /// The squares from the start to the mouse, each with the steps that it has not tried there.
    path: Vec<(usize, array::IntoIter<Step, 4>)>,
    /// A line for each time that the mouse stands in a square.
    lines: Vec<String>,
    walls: usize,
    known: usize,
    ahead: usize,
    back: usize,
}

impl<'m> Walk<'m> {
    fn new(maze: &'m Maze, order: StepOrder) -> Self {
        let is_known = vec![false; maze.rows() * maze.columns()];
        let (path, lines) = (Vec::new(), Vec::new());
        Walk { maze, order, is_known, path, lines, walls: 0, known: 0, ahead: 0, back: 0 }
    }

    /// Walks to the square of a node of the search, which is the next one that the mouse enters for
    /// the first time.
    fn enter(&mut self, node: &Node<'_, Maze>) {
        while self.path.len() > node.depth() {
            self.leave();
        }
        if !self.path.is_empty() {
            self.ahead += 1;
            let line = self.tries();
            self.lines.push(line);
        }
        let square = node.state().square();
        self.is_known[square] = true;
        self.path.push((square, self.order.steps().into_iter()));
    }

    /// Goes back to the square from which the mouse has entered its square.
    fn leave(&mut self) {
        let mut line = self.tries();
        self.path.pop();
        if self.path.is_empty() {
            line += " nothing is left";
        } else {
            self.back += 1;
            line += " back";
        }
        self.lines.push(line);
    }

    /// Tries the steps that are left in the square of the mouse, up to the first one that leads to
    /// a square that it does not know.
    fn tries(&mut self) -> String {
        let Some((square, steps)) = self.path.last_mut() else { return String::new() };
        let (row, column) = (*square / self.maze.columns(), *square % self.maze.columns());
        let mut line = format!("{},{}:", row + 1, column + 1);
        for step in steps {
            match self.maze.target(*square, step) {
                None => {
                    self.walls += 1;
                    line += &format!(" {step} wall,");
                }
                Some(target) if self.is_known[target] => {
                    self.known += 1;
                    line += &format!(" {step} known,");
                }
                Some(_) => return line + &format!(" {step} step"),
            }
        }
        line
    }

    /// Prints the walk once the search has ended.
    fn print(mut self, outcome: &PathOutcome) -> Result<(), Failure> {
        while outcome.is_proven_none() && !self.path.is_empty() {
            self.leave();
        }
        let (row, column) = self.maze.goal();
        let goal = outcome.solution().map(|_| format!("{},{}: the goal", row + 1, column + 1));
        let Walk { walls, known, ahead, back, .. } = self;
        support::print("\nThe walk:\n\n")?;
        support::print_lines(self.lines.into_iter().chain(goal), "\n")?;
        support::print(format_args!(
            "\nsteps ahead      {ahead}\nsteps back       {back}\nwalls met        {walls}\n\
             known squares    {known}\n"
        ))
    }
}

/// Returns the route of the second run.
fn recall(memory: &MouseMemory, maze: &Maze) -> Result<Vec<Step>, Failure> {
    memory.route(maze).ok_or_else(|| {
        let (row, column) = maze.start();
        format!(
            "row {}, column {}: found a square that the mouse does not remember, expected one that \
             its first run has visited",
            row + 1,
            column + 1
        )
        .into()
    })
}

/// Formats the number of steps of a path.
fn steps(outcome: &PathOutcome) -> String {
    match outcome.value() {
        Found::Solution(path) => path.len().to_string(),
        Found::None => "none".to_owned(),
        Found::Unknown => "unknown".to_owned(),
    }
}

/// Prints the maze with the path, and the effort of a search.
fn print_run(maze: &str, outcome: &PathOutcome) -> Result<(), Failure> {
    let visited =
        outcome.report().hook("closed set").and_then(|hook| hook.stat("entries")).unwrap_or(0);
    support::print(format_args!(
        "{maze}\nsteps            {}\nsquares visited  {visited}\n\n{}",
        steps(outcome),
        outcome.report()
    ))
}
