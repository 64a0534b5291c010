//! Shannon's mouse: a path through a maze, found depth-first or breadth-first.

#[path = "support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use secateurs::problems::maze::Maze;
use secateurs::{Found, Search};

/// Find a path through a maze by uninformed search.
///
/// The mouse does not know the goal, and enters each square once. Depth-first, it walks on as long
/// as it can (trying up, right, down, left in this order) and finds some path. Breadth-first, it
/// searches all squares one step away, then two, and finds a shortest path.
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
    #[command(flatten)]
    limits: support::limits::Options,
    /// Print only the number of steps of the path, or `none`.
    #[arg(long)]
    answer_only: bool,
    /// Draw the maze and the path as an SVG file.
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

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| {
        let file = arguments.file.as_deref();
        let text = support::read(file, include_str!("data/maze.txt"))?;
        let maze: Maze = text.parse().map_err(|error| support::about(file, error))?;

        let search =
            Search::new(&maze).hooks((maze.closed_set(),)).limits(arguments.limits.limits());
        let outcome = match arguments.strategy {
            Order::Dfs => search.first(),
            Order::Bfs => search.breadth_first().first(),
        };

        let path = outcome.solution().map_or(&[][..], Vec::as_slice);
        support::write_svg(arguments.svg.as_deref(), || maze.svg(path))?;
        let answer = match outcome.value() {
            Found::Solution(path) => path.len().to_string(),
            Found::None => "none".to_owned(),
            Found::Unknown => "unknown".to_owned(),
        };
        if arguments.answer_only {
            support::print(format_args!("{answer}\n"))?;
            return support::check_complete(outcome.stop());
        }
        let visited =
            outcome.report().hook("closed set").and_then(|hook| hook.stat("entries")).unwrap_or(0);
        support::print(format_args!(
            "{}\nsteps            {answer}\nsquares visited  {visited}\n\n{}",
            maze.draw(path),
            outcome.report()
        ))?;
        support::check_complete(outcome.stop())
    })
}
