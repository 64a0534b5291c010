//! Sudoku: solve a board, or count its solutions.
//!
//! `cargo run --release --example sudoku` and `cargo run --release --example sudoku -- --help`

#[path = "support/estimate.rs"]
mod estimate;
#[path = "support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use secateurs::cover::Cover;
use secateurs::csp::{Ascending, Assignment, Branching, Network, Propagate, SmallestDomain};
use secateurs::problems::sudoku::Sudoku;
use secateurs::search::Extract;
use secateurs::{Brancher, Found, Hooks, Node, Problem, Search, Stop};
use support::checkpoint::Choice;
use support::run::Questions;
use support::{Failure, interrupt};

/// Solve a Sudoku: prints the solution, or `none` if there is none.
///
/// A board is a line a row, of digits, with `.` or `0` for a blank; boards of more than 9 a side
/// (16, 25, … 64) have numbers with spaces between them. A whole board may also come in one line,
/// as in `echo 4.....8.5.3… | sudoku -`.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The board, `-` for standard input; a bundled one of side 9 if there is none.
    file: Option<PathBuf>,
    /// Count the solutions: a proper Sudoku has one.
    #[arg(long)]
    count: bool,
    /// Estimate how large the tree is that counting would search, and how long that would take,
    /// from so many random probes (Knuth 1975; 10000 probes unless told otherwise).
    #[arg(long, value_name = "PROBES", num_args = 0..=1, default_missing_value = estimate::PROBES,
        value_parser = support::whole::<u64>, conflicts_with_all = ["count", "svg", "threads", "nodes", "progress", "checkpoint", "resume"])]
    estimate: Option<u64>,
    /// Stop counting at so many solutions; the answer is then `at least` so many. A board with few
    /// numbers has more than could ever be counted.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = support::whole::<u64>)]
    limit: u64,
    #[command(flatten)]
    run: support::run::Options,
    /// As what the board is solved: both find the same; try the other if one takes too long.
    #[arg(long, value_enum, default_value_t = Model::Cover)]
    model: Model,
    /// Boxes of so many rows and columns, such as 2x3 for a board of side 6; without it, they are
    /// square.
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = boxes)]
    boxes: Option<(usize, usize)>,
    /// Draw the solution (of a board without one, what is given) as an SVG picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the answer only: a board, a number, or `none`.
    #[arg(long)]
    answer_only: bool,
}

impl Arguments {
    /// Which search it is, if it is saved.
    fn description(&self, sudoku: &Sudoku) -> [String; 3] {
        let model = match self.model {
            Model::Csp => "csp",
            Model::Cover => "cover",
        };
        let question = if self.count { "count" } else { "first" };
        [format!("{question} {model}"), format!("{:?}", self.boxes), sudoku.to_string()]
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    /// A constraint network: a variable a cell, and propagation.
    Csp,
    /// An exact cover: every cell and every place of a number covered once.
    Cover,
}

fn boxes(text: &str) -> Result<(usize, usize), String> {
    let sizes = text
        .split_once('x')
        .and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    sizes
        .ok_or_else(|| "expected rows and columns with an `x` between them, such as 2x3".to_owned())
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
        arguments.run.catch_interrupts()?;
        match arguments.model {
            Model::Csp => {
                let network = sudoku.network();
                let order = Branching::new(SmallestDomain::first_tie(), Ascending);
                let search = || Search::new(&network).hooks((Propagate::full(),)).brancher(order);
                let solved = |node: &Node<'_, Network>| sudoku.completed(&Assignment::of(node));
                answer(|| search().extract(solved), &sudoku, &arguments)
            }
            Model::Cover => {
                let cover = sudoku.cover();
                let solved = |node: &Node<'_, Cover>| sudoku.covered(&cover, &node.path().to_vec());
                answer(|| Search::new(&cover).extract(solved), &sudoku, &arguments)
            }
        }
    })
}

/// Answers any question by searches that are made anew for each of them.
fn answer<'p, P, B, H, X>(
    search: impl Fn() -> Search<'p, P, B, H, X>,
    sudoku: &Sudoku,
    arguments: &Arguments,
) -> Result<(), Failure>
where
    P: Problem<Choice: Choice> + Sync + 'p,
    B: Brancher<P> + Clone + Send + 'p,
    H: Hooks<P> + Clone + Send + 'p,
    X: Extract<P, Output = Option<Sudoku>> + Clone + Send,
{
    let limits = arguments.run.limits();
    let unlimited = search;
    let search = || unlimited().limits(limits.clone());
    if let Some(probes) = arguments.estimate {
        return estimate::estimate(search, probes, 0, arguments.answer_only);
    }
    let description = arguments.description(sudoku);
    let description = description.each_ref().map(String::as_str);
    if arguments.count {
        let counted = search().limits(limits.clone().solutions(arguments.limit));
        arguments
            .run
            .search(counted, "sudoku", &description, |search| count(search, sudoku, arguments))?;
        // The picture shows a solution, or what is given.
        let picture =
            || search().first().solution().and_then(Option::as_ref).unwrap_or(sudoku).svg(sudoku);
        return support::write_svg(arguments.svg.as_deref(), picture);
    }
    arguments
        .run
        .search(search(), "sudoku", &description, |search| solve(search, sudoku, arguments))
}

fn solve(
    search: impl Questions<Output = Option<Sudoku>>,
    sudoku: &Sudoku,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let outcome = search.first();
    let solved = match outcome.value() {
        Found::Solution(solved) => {
            Some(solved.as_ref().ok_or("found a solution that is none of the board")?)
        }
        _ => None,
    };
    match (solved, outcome.value()) {
        (Some(solved), _) => support::print(solved)?,
        (None, Found::None) => support::print("none\n")?,
        (None, _) => support::print("unknown\n")?,
    }
    if !arguments.answer_only {
        explain(sudoku)?;
        support::print(format_args!("\n{}\n", outcome.report()))?;
    }
    // Without a solution there are still the given numbers to look at.
    support::write_svg(arguments.svg.as_deref(), || solved.unwrap_or(sudoku).svg(sudoku))?;
    interrupt::check(outcome.stop())
}

fn count(search: impl Questions, sudoku: &Sudoku, arguments: &Arguments) -> Result<(), Failure> {
    let outcome = search.count();
    let answer = match outcome.exact() {
        Some(count) => count.to_string(),
        None => format!("at least {}", outcome.at_least()),
    };
    if arguments.answer_only {
        support::print(format_args!("{answer}\n"))?;
        return interrupt::check(outcome.stop());
    }
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
    interrupt::check(outcome.stop())
}

/// Says which numbers clash, if any do.
fn explain(sudoku: &Sudoku) -> Result<(), Failure> {
    let Some([one, other]) = sudoku.conflict() else { return Ok(()) };
    let name = |(row, column)| format!("row {}, column {}", row + 1, column + 1);
    support::print(format_args!(
        "\nThe numbers given in {} and {} clash.\n",
        name(one),
        name(other)
    ))
}
