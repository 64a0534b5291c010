//! Shannon's mouse: a way through a maze, found depth-first or breadth-first.

#[path = "support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use secateurs::problems::maze::Maze;
use secateurs::{Found, Search};

/// Find a way through a maze by blind search.
///
/// The mouse knows nothing of where the goal lies, and enters each square once. Depth-first it
/// walks on as long as it can (trying up, right, down, left in this order) and finds some way;
/// breadth-first it searches all squares one step away, then two, and finds a shortest one.
///
/// A maze is a text of one line a row: `#` wall, `.` or space open, `S` start, `G` goal.
#[derive(Parser)]
struct Arguments {
    /// The maze, `-` for standard input; a bundled one if there is none.
    file: Option<PathBuf>,
    /// The order in which squares are searched.
    #[arg(long, value_enum, default_value_t = Order::Bfs)]
    strategy: Order,
    /// Print nothing but the number of steps of the way, or `none`.
    #[arg(long)]
    answer_only: bool,
    /// Draw the maze and the way as an SVG file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    /// Depth-first: some way.
    Dfs,
    /// Breadth-first: a shortest way.
    Bfs,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| {
        let file = arguments.file.as_deref();
        let text = support::read(file, include_str!("data/maze.txt"))?;
        let maze: Maze = text.parse().map_err(|error| support::about(file, error))?;

        let search = Search::new(&maze).hooks((maze.closed_set(),));
        let outcome = match arguments.strategy {
            Order::Dfs => search.first(),
            Order::Bfs => search.breadth_first().first(),
        };

        let way = outcome.solution().map_or(&[][..], Vec::as_slice);
        support::write_svg(arguments.svg.as_deref(), || maze.svg(way))?;
        let answer = match outcome.value() {
            Found::Solution(way) => way.len().to_string(),
            _ => "none".to_owned(),
        };
        if arguments.answer_only {
            return support::print(format_args!("{answer}\n"));
        }
        let visited =
            outcome.report().hook("closed set").and_then(|hook| hook.stat("entries")).unwrap_or(0);
        support::print(format_args!(
            "{}\nsteps            {answer}\nsquares visited  {visited}\n\n{}",
            maze.draw(way),
            outcome.report()
        ))
    })
}
