//! Shannon's mouse: a path through a maze, found depth-first or breadth-first.

#[path = "support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use secateurs::hook;
use secateurs::problems::maze::{Maze, MouseMemory, Step};
use secateurs::{Found, Node, Outcome, Search};
use support::{Failure, Square};

/// Find a path through a maze by uninformed search.
///
/// The mouse does not know the goal, and enters each square once. Depth-first, it walks on as long
/// as it can (trying up, right, down, left in this order) and finds some path. Breadth-first, it
/// searches all squares one step away, then two, and finds a shortest path. With --again it runs a
/// second time, from memory.
///
/// A maze is a text with one line per row: `#` wall, `.` or space open, `S` start, `G` goal.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The maze file, `-` for standard input [default: a bundled maze].
    file: Option<PathBuf>,
    /// The order in which squares are searched.
    #[arg(long, value_enum, default_value_t = Order::Bfs)]
    strategy: Order,
    /// Run a second time, from memory: the mouse repeats its path without searching
    #[arg(long)]
    again: bool,
    /// Remove the wall in this square before the second run, as ROW,COLUMN from 1,1 in the top left
    /// corner; may be repeated. The mouse repeats its path although there may be a shorter one
    #[arg(long, value_name = "ROW,COLUMN", requires = "again")]
    open: Vec<Square>,
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

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    /// Depth-first: some path.
    Dfs,
    /// Breadth-first: a shortest path.
    Bfs,
}

/// The outcome of a search for a path.
type PathOutcome = Outcome<Found<Vec<Step>>>;

/// A function called with nodes of a search.
type Visit<'v> = &'v mut dyn FnMut(&Node<'_, Maze>);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| {
        let file = arguments.file.as_deref();
        let text = support::read(file, include_str!("data/maze.txt"))?;
        let maze: Maze = text.parse().map_err(|error| support::with_input_name(file, error))?;
        let second_maze = arguments.second_maze(&maze)?;

        let mut memory = MouseMemory::new(&maze);
        let mut visit = |node: &Node<'_, Maze>| memory.visit(node);
        let visit: Option<Visit<'_>> = if arguments.again { Some(&mut visit) } else { None };
        let outcome = arguments.search(&maze, arguments.strategy, visit);
        let path = outcome.solution().map_or(&[][..], Vec::as_slice);
        if arguments.again && outcome.solution().is_some() {
            memory.follow(&maze, path);
            let route = recall(&memory, &second_maze)?;
            support::write_svg(arguments.svg.as_deref(), || second_maze.svg(&route))?;
            if arguments.answer_only {
                support::print(format_args!("{}\n", route.len()))?;
            } else {
                print_run(&maze, &outcome)?;
                arguments.compare(&second_maze, &route)?;
            }
            return Ok(());
        }
        support::write_svg(arguments.svg.as_deref(), || maze.svg(path))?;
        if arguments.answer_only {
            support::print(format_args!("{}\n", steps(&outcome)))?;
        } else {
            print_run(&maze, &outcome)?;
        }
        support::check_complete(outcome.stop())
    })
}

impl Arguments {
    /// Returns the maze of the second run.
    fn second_maze(&self, maze: &Maze) -> Result<Maze, Failure> {
        let mut changed = maze.clone();
        for Square { row, column } in &self.open {
            changed = changed.without_wall(row - 1, column - 1)?;
        }
        match self.from {
            Some(Square { row, column }) => Ok(changed.starting_at(row - 1, column - 1)?),
            None => Ok(changed),
        }
    }

    /// Searches for a path, and calls `visit` with each node of a square visited.
    fn search(&self, maze: &Maze, order: Order, visit: Option<Visit<'_>>) -> PathOutcome {
        let memory = visit.map(|visit| hook::watch("memory", visit));
        let search =
            Search::new(maze).hooks((maze.closed_set(), memory)).limits(self.limits.limits());
        match order {
            Order::Dfs => search.first(),
            Order::Bfs => search.breadth_first().first(),
        }
    }

    /// Prints the route of the second run, and the length of a shortest path.
    fn compare(&self, maze: &Maze, route: &[Step]) -> Result<(), Failure> {
        let shortest = self.search(maze, Order::Bfs, None);
        support::print(format_args!(
            "\nThe second run, from memory:\n\n{}\nsteps            {}\nshortest path    {}\n",
            maze.draw(route),
            route.len(),
            steps(&shortest)
        ))?;
        support::check_complete(shortest.stop())
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

/// Prints the path and the effort of a search.
fn print_run(maze: &Maze, outcome: &PathOutcome) -> Result<(), Failure> {
    let path = outcome.solution().map_or(&[][..], Vec::as_slice);
    let visited =
        outcome.report().hook("closed set").and_then(|hook| hook.stat("entries")).unwrap_or(0);
    support::print(format_args!(
        "{}\nsteps            {}\nsquares visited  {visited}\n\n{}",
        maze.draw(path),
        steps(outcome),
        outcome.report()
    ))
}
