//! Sudoku: solve a board, or count its solutions.
//!
//! `cargo run --release --example sudoku` and `cargo run --release --example sudoku -- --help`

#[path = "support/estimate.rs"]
mod estimate;
#[path = "support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use secateurs::problems::sudoku::{Family, Sudoku};
use secateurs::{Found, Limits, Stop};
use support::Failure;

/// Solve a Sudoku: prints the solution, or `none` if there is none.
///
/// A board is a line a row, of digits, with `.` or `0` for a blank; boards of more than 9 a side (16, 25, … 64) have numbers
/// with spaces between them. A whole board may also come in one line, as in `echo 4.....8.5.3… | sudoku -`.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The board, `-` for standard input; a bundled one of side 9 if there is none.
    file: Option<PathBuf>,
    /// Count the solutions: a proper Sudoku has one.
    #[arg(long)]
    count: bool,
    /// Estimate how large the tree is that counting would search, and how long that would take, from so many random probes
    /// (Knuth 1975; 10000 probes unless told otherwise).
    #[arg(long, value_name = "PROBES", num_args = 0..=1, default_missing_value = estimate::PROBES,
        value_parser = support::whole::<u64>, conflicts_with_all = ["count", "svg"])]
    estimate: Option<u64>,
    /// Stop counting at so many solutions; the answer is then `at least` so many. A board with few numbers has
    /// more than could ever be counted.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = support::whole::<u64>)]
    limit: u64,
    /// Stop after so many seconds; the answer is then `unknown`, or `at least` what was counted.
    #[arg(long, value_name = "SECONDS", value_parser = support::whole::<u64>)]
    time: Option<u64>,
    /// As what the board is solved: both find the same; try the other if one takes too long.
    #[arg(long, value_enum, default_value_t = Model::Cover)]
    model: Model,
    /// Boxes of so many rows and columns, such as 2x3 for a board of side 6; without it, they are square.
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = boxes)]
    boxes: Option<(usize, usize)>,
    /// Draw the solution (of a board without one, what is given) as an SVG picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the answer only: a board, a number, or `none`.
    #[arg(long)]
    answer_only: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    /// A constraint network: a variable a cell, and propagation.
    Csp,
    /// An exact cover: every cell and every place of a number covered once.
    Cover,
}

fn boxes(text: &str) -> Result<(usize, usize), String> {
    let sizes = text.split_once('x').and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    sizes.ok_or_else(|| "expected rows and columns with an `x` between them, such as 2x3".to_owned())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| {
        let file = arguments.file.as_deref();
        let text = support::read(file, include_str!("data/sudoku.txt"))?;
        let board = match arguments.boxes {
            Some((rows, columns)) => Sudoku::from_text(&text, rows, columns),
            None => text.parse(),
        };
        let sudoku = board.map_err(|error| support::about(file, error))?;
        let family = match arguments.model {
            Model::Csp => Family::Network,
            Model::Cover => Family::Cover,
        };
        let mut limits = Limits::new();
        if let Some(seconds) = arguments.time {
            limits = limits.time(Duration::from_secs(seconds));
        }
        if let Some(probes) = arguments.estimate {
            let estimate = sudoku.estimate(family, &limits, probes, 0);
            let rate = || {
                let trial = sudoku.count(family, &Limits::new().time(estimate::TRIAL));
                trial.report().nodes() as f64 / trial.report().elapsed().as_secs_f64()
            };
            return estimate::print(&estimate, arguments.answer_only, rate);
        }
        if arguments.count {
            count(&sudoku, family, limits, &arguments)
        } else {
            solve(&sudoku, family, &limits, &arguments)
        }
    })
}

fn solve(sudoku: &Sudoku, family: Family, limits: &Limits, arguments: &Arguments) -> Result<(), Failure> {
    let outcome = sudoku.solve(family, limits);
    match outcome.value() {
        Found::Solution(solved) => support::print(solved)?,
        Found::None => support::print("none\n")?,
        Found::Unknown => support::print("unknown\n")?,
    }
    if !arguments.answer_only {
        explain(sudoku)?;
        support::print(format_args!("\n{}\n", outcome.report()))?;
    }
    // Without a solution there are still the given numbers to look at.
    support::write_svg(arguments.svg.as_deref(), || outcome.solution().unwrap_or(sudoku).svg(sudoku))
}

fn count(sudoku: &Sudoku, family: Family, limits: Limits, arguments: &Arguments) -> Result<(), Failure> {
    let outcome = sudoku.count(family, &limits.clone().solutions(arguments.limit));
    let answer = match outcome.exact() {
        Some(count) => count.to_string(),
        None => format!("at least {}", outcome.at_least()),
    };
    if arguments.answer_only {
        support::print(format_args!("{answer}\n"))?;
    } else {
        let solutions = if answer == "1" { "solution" } else { "solutions" };
        support::print(format_args!("{answer} {solutions}\n"))?;
        if outcome.stop() == Stop::SolutionLimit {
            support::print(format_args!(
                "\nStopped at the limit; for more, --limit. {} cells are blank.\n",
                sudoku.blanks()
            ))?;
        }
        explain(sudoku)?;
        support::print(format_args!("\n{}\n", outcome.report()))?;
    }
    // The picture shows a solution, or what is given.
    let picture = || sudoku.solve(family, &limits).solution().unwrap_or(sudoku).svg(sudoku);
    support::write_svg(arguments.svg.as_deref(), picture)
}

/// Says which numbers clash, if any do.
fn explain(sudoku: &Sudoku) -> Result<(), Failure> {
    let Some([one, other]) = sudoku.conflict() else { return Ok(()) };
    let name = |(row, column)| format!("row {}, column {}", row + 1, column + 1);
    support::print(format_args!("\nThe numbers given in {} and {} clash.\n", name(one), name(other)))
}
