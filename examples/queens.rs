//! n-queens: count, find or list the ways to place n queens on an n×n board so that no two attack each other.
//!
//! `cargo run --release --example queens` and `cargo run --release --example queens -- --help`

#[path = "support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use secateurs::problems::queens::{Board, Queens, RowByRow};
use secateurs::{Count, Outcome, Report, Search};
use support::Failure;

/// Place N queens on an N×N board, no two on one row, column or diagonal.
///
/// Counts all solutions, unless told otherwise. Try `queens 8 --list`, `queens 8 --fundamental`, or complete a
/// bundled board with `queens 8 --complete`.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Rows, columns and queens: to 64 on bit masks, to 4096 with the other models.
    #[arg(value_name = "N", default_value_t = 8)]
    size: usize,
    /// What a state of the search is: all models find the same, at different speed.
    #[arg(long, value_enum, default_value_t = Model::Bits)]
    model: Model,
    /// Print the first solution, or `none`. It is the first row by row, columns from left to right, and from about 34 on
    /// it may take minutes or more to come to.
    #[arg(long, group = "question")]
    first: bool,
    /// Count fundamental solutions: those that turning and flipping the board does not make of one another.
    #[arg(long, group = "question")]
    fundamental: bool,
    /// Print every solution as the column of the queen in each row, from 1.
    #[arg(long, group = "question")]
    list: bool,
    /// Complete the board in this file: N rows of `.` and `Q` (`-` for standard input; without a file, a bundled board
    /// of 8 rows). Prints the first solution, or `none`; with --list or --fundamental, what they say.
    #[arg(long, value_name = "FILE")]
    complete: Option<Option<PathBuf>>,
    /// Draw the first solution as an SVG picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the answer only: a number, a board, or `none`.
    #[arg(long)]
    answer_only: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    /// Mark the squares that are attacked on a board.
    Marks,
    /// Look back at the queens that are placed.
    Lookback,
    /// Keep columns and diagonals as bit masks.
    Bits,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| example(&arguments))
}

fn example(arguments: &Arguments) -> Result<(), Failure> {
    let board = match &arguments.complete {
        Some(path) => completion(path.as_deref(), arguments.size)?,
        None => Board::new(arguments.size)?,
    };
    match arguments.model {
        Model::Marks => answer(&board.marks(), &board, arguments),
        Model::Lookback => answer(&board.lookback(), &board, arguments),
        // Without given queens there is less to look at.
        Model::Bits if board.queens().is_empty() => answer(&bits(board.size())?.bits(), &board, arguments),
        Model::Bits => {
            bits(board.size())?;
            answer(&board.bits()?, &board, arguments)
        }
    }
}

/// The board in a file, which must be of the size asked for.
fn completion(path: Option<&Path>, size: usize) -> Result<Board, Failure> {
    let text = support::read(path, include_str!("data/queens-8.txt"))?;
    let board: Board = text.parse().map_err(|error| support::about(path, error))?;
    if board.size() != size {
        return Err(format!("the board to complete is of size {}: expected {size}", board.size()).into());
    }
    Ok(board)
}

fn bits(size: usize) -> Result<Queens, Failure> {
    Queens::new(size).map_err(|error| format!("{error} (--model marks and --model lookback take more)").into())
}

fn answer<P: RowByRow>(queens: &P, board: &Board, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.list {
        list(queens, arguments)?;
    } else if arguments.fundamental {
        let outcome = Search::new(queens).hooks((Queens::lex_leader(queens)?,)).count();
        let fundamental = outcome.representatives().ok_or("the search did not end")?;
        let of = format!("fundamental, {} in all", exact(&outcome)?);
        number(fundamental, &of, outcome.report(), arguments)?;
    } else if arguments.first || arguments.complete.is_some() {
        return first(queens, board, arguments);
    } else {
        let outcome = Search::new(queens).count();
        let count = exact(&outcome)?;
        number(count, if count == 1 { "solution" } else { "solutions" }, outcome.report(), arguments)?;
    }
    if arguments.svg.is_some() {
        draw(solution(queens)?.0.as_ref(), board, arguments)?;
    }
    Ok(())
}

fn exact(outcome: &Outcome<Count>) -> Result<u128, Failure> {
    outcome.exact().ok_or_else(|| format!("the count is not exact: {outcome}").into())
}

fn number(answer: u128, of: &str, report: &Report, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.answer_only {
        return support::print(format_args!("{answer}\n"));
    }
    support::print(format_args!("{answer} {of}\n\n{report}\n"))
}

/// The first solution as a board, and the account of the search for it.
fn solution<P: RowByRow>(queens: &P) -> Result<(Option<Board>, Report), Failure> {
    let outcome = Search::new(queens).extract(|node| P::columns(node.path().iter())).first();
    let board = outcome.solution().map(|columns| Board::from_columns(columns)).transpose()?;
    Ok((board, outcome.report().clone()))
}

fn first<P: RowByRow>(queens: &P, given: &Board, arguments: &Arguments) -> Result<(), Failure> {
    let (solution, report) = solution(queens)?;
    match &solution {
        Some(board) => support::print(board)?,
        None => support::print("none\n")?,
    }
    if !arguments.answer_only {
        if let Some([one, other]) = given.attack() {
            let name = |(row, column)| format!("row {}, column {}", row + 1, column + 1);
            support::print(format_args!(
                "\nThe queens given in {} and {} attack each other.\n",
                name(one),
                name(other)
            ))?;
        }
        support::print(format_args!("\n{report}\n"))?;
    }
    draw(solution.as_ref(), given, arguments)
}

fn draw(solution: Option<&Board>, given: &Board, arguments: &Arguments) -> Result<(), Failure> {
    // Without a solution there are still the given queens to look at.
    support::write_svg(arguments.svg.as_deref(), || solution.unwrap_or(given).svg(given))
}

fn list<P: RowByRow>(queens: &P, arguments: &Arguments) -> Result<(), Failure> {
    let mut solutions = Search::new(queens).extract(|node| P::columns(node.path().iter())).solutions();
    let mut found = false;
    let lines = solutions.by_ref().map(|columns| {
        found = true;
        columns.iter().map(|column| (column + 1).to_string()).collect::<Vec<_>>().join(" ")
    });
    support::print_lines(lines, "\n")?;
    if !found {
        support::print("none\n")?;
    }
    if arguments.answer_only {
        return Ok(());
    }
    support::print(format_args!("\n{}\n", solutions.report()))
}
