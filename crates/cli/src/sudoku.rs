//! Sudoku: solve a board, or count its solutions.
//!
//! `secateurs sudoku` and `secateurs sudoku --help`

use std::path::PathBuf;
use std::process::ExitCode;

use crate::estimate;
use crate::support::checkpoint::Choice;
use crate::support::run::{self, Questions};
use crate::support::{self, Failure};
use clap::{Args, ValueEnum};
use secateurs::search::{Extract, RunBudget};
use secateurs::{Brancher, Found, Hooks, Node, Problem, Report, Search, Stop};
use secateurs_cover::Cover;
use secateurs_csp::{Ascending, Assignment, Branching, Network, Propagate, SmallestDomain};
use secateurs_problems::sudoku::{Family, Sudoku};

/// Solve a Sudoku: prints the solution, or `none` if there is none.
///
/// A board has one line per row, with digits, and `.`, `0`, `-`, `*`, `_` or a space for a blank
/// cell. Boards of side 16, 25, … 64 have letters, or numbers separated by spaces or commas. Frames
/// and comments are ignored. A whole board may also be given in one line, as in
/// `echo 4.....8.5.3… | secateurs sudoku -`. Of a collection, with a board per line, each board is
/// solved; its solution, or the number of its solutions, is printed in a line.
#[derive(Args)]
pub struct Arguments {
    /// The board file, `-` for standard input [default: a bundled board of side 9].
    file: Option<PathBuf>,
    /// Count the solutions; a proper Sudoku has one.
    #[arg(long)]
    count: bool,
    /// Estimate the size of the tree that counting would search, and the time for it, from random
    /// probes (Knuth 1975) [default: 10000 probes].
    #[arg(long, value_name = "PROBES", num_args = 0..=1,
        default_missing_value = estimate::DEFAULT_PROBES, value_parser = support::whole::<u64>,
        conflicts_with_all =
            ["count", "svg", "threads", "nodes", "progress", "checkpoint", "resume"])]
    estimate: Option<u64>,
    /// Stop counting at this number of solutions; the answer is then `at least` this number. A
    /// board with few numbers has too many solutions to count.
    #[arg(long, value_name = "N", default_value_t = 1_000_000,
        value_parser = support::whole::<u64>)]
    limit: u64,
    #[command(flatten)]
    run: support::run::Options,
    /// The model of the board: both give the same answer; try the other if one takes too long.
    #[arg(long, value_enum, default_value_t = Model::Cover)]
    model: Model,
    /// The numbers of rows and columns of a box, such as 2x3 for a board of side 6 [default: square
    /// boxes].
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = boxes)]
    boxes: Option<(usize, usize)>,
    /// Draw the solution (or the given numbers if there is none) as an SVG picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print only the answer: a board, a number, or `none`.
    #[arg(long)]
    answer_only: bool,
}

impl Arguments {
    /// Returns the identity of the search, for its checkpoints.
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
    /// A constraint network: one variable per cell, and propagation.
    Csp,
    /// An exact cover: every cell, and every number in every row, column and box, covered once.
    Cover,
}

fn boxes(text: &str) -> Result<(usize, usize), String> {
    let sizes = text
        .split_once('x')
        .and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    sizes
        .ok_or_else(|| "expected rows and columns with an `x` between them, such as 2x3".to_owned())
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| {
        let file = arguments.file.as_deref();
        let text = support::read(file, include_str!("../data/sudoku.txt"))?;
        let boards = match arguments.boxes {
            Some((rows, columns)) => Sudoku::from_text(&text, rows, columns).map(|one| vec![one]),
            None => Sudoku::collection(&text),
        };
        let boards = boards.map_err(|error| support::with_input_name(file, error))?;
        let [sudoku] = &boards[..] else { return collection(&boards, &arguments) };
        match arguments.model {
            Model::Csp => {
                let network = sudoku.network();
                let order = Branching::new(SmallestDomain::first_tie(), Ascending);
                let search = || Search::new(&network).hooks((Propagate::full(),)).brancher(order);
                let solved = |node: &Node<'_, Network>| sudoku.completed(&Assignment::of(node));
                answer(|| search().extract(solved), sudoku, &arguments)
            }
            Model::Cover => {
                let cover = sudoku.cover();
                let solved = |node: &Node<'_, Cover>| sudoku.covered(&cover, &node.path().to_vec());
                answer(|| Search::new(&cover).extract(solved), sudoku, &arguments)
            }
        }
    })
}

/// Answers the question of the arguments; `search` creates a new search for each part of it.
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
        let (budget, report) = arguments.run.search(counted, "sudoku", &description, |search| {
            let budget = search.budget(limits.clone());
            Ok((budget, count(search, sudoku, arguments)?))
        })?;
        if arguments.svg.is_none() || report.stop() == Stop::Cancelled {
            return support::check_complete(report.stop());
        }
        let first = |limits| unlimited().limits(limits).first();
        let (solved, stop) = run::first_after(report, budget, first);
        // The picture shows a solution, or the given numbers if there is none.
        let shown = solved.as_ref().and_then(Option::as_ref).unwrap_or(sudoku);
        support::write_svg(arguments.svg.as_deref(), || shown.svg(sudoku))?;
        return support::check_complete(stop);
    }
    arguments
        .run
        .search(search(), "sudoku", &description, |search| solve(search, sudoku, arguments))
}

/// Answers the question of the arguments for each board, in a line per board. The limits apply to
/// all of them together.
fn collection(boards: &[Sudoku], arguments: &Arguments) -> Result<(), Failure> {
    let given = [("--svg", arguments.svg.is_some()), ("--estimate", arguments.estimate.is_some())];
    let given = given.into_iter().find_map(|(option, is_given)| is_given.then_some(option));
    if let Some(option) = arguments.run.conflicting_option().or(given) {
        let message = format!("found {} boards, expected one with {option}", boards.len());
        return Err(message.into());
    }
    let family = match arguments.model {
        Model::Csp => Family::Network,
        Model::Cover => Family::Cover,
    };
    let mut budget = RunBudget::new(arguments.run.limits());
    // The stop of a board at the limit of solutions does not stop the others.
    let mut first_stop = None;
    for sudoku in boards {
        let limits = budget.limits();
        let (line, report) = if arguments.count {
            let outcome = sudoku.count(family, &limits.solutions(arguments.limit));
            let answer = match outcome.exact() {
                Some(count) => count.to_string(),
                None => format!("at least {}", outcome.at_least()),
            };
            (answer, outcome.report().clone())
        } else {
            let outcome = sudoku.solve(family, &limits);
            let answer = match outcome.value() {
                Found::Solution(solved) => solved.line(),
                Found::None => "none".to_owned(),
                Found::Unknown => "unknown".to_owned(),
            };
            (answer, outcome.report().clone())
        };
        support::print(format_args!("{line}\n"))?;
        if !matches!(report.stop(), Stop::Exhausted | Stop::Satisfied) {
            first_stop.get_or_insert(report.stop());
        }
        budget.add(report);
    }
    if let Some(report) = budget.report().filter(|_| !arguments.answer_only) {
        let (boards, nodes) = (boards.len(), report.nodes());
        support::print(format_args!("\n{boards} boards, {nodes} nodes\n"))?;
    }
    first_stop.map_or(Ok(()), support::check_complete)
}

fn solve(
    search: impl Questions<Output = Option<Sudoku>>,
    sudoku: &Sudoku,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let outcome = search.first();
    let solved = match outcome.value() {
        Found::Solution(solved) => Some(
            solved.as_ref().ok_or("found a solution of the model that does not solve the board")?,
        ),
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
    // Without a solution, the picture shows the given numbers.
    support::write_svg(arguments.svg.as_deref(), || solved.unwrap_or(sudoku).svg(sudoku))?;
    support::check_complete(outcome.stop())
}

/// Prints the number of solutions. Returns the report of the search.
fn count(
    search: impl Questions,
    sudoku: &Sudoku,
    arguments: &Arguments,
) -> Result<Report, Failure> {
    let outcome = search.count();
    let answer = match outcome.exact() {
        Some(count) => count.to_string(),
        None => format!("at least {}", outcome.at_least()),
    };
    if arguments.answer_only {
        support::print(format_args!("{answer}\n"))?;
        return Ok(outcome.into_parts().1);
    }
    let solutions = if answer == "1" { "solution" } else { "solutions" };
    support::print(format_args!("{answer} {solutions}\n"))?;
    if outcome.stop() == Stop::SolutionLimit {
        support::print(format_args!(
            "\nStopped at the limit; raise it with --limit. {} cells are blank.\n",
            sudoku.blanks()
        ))?;
    }
    explain(sudoku)?;
    support::print(format_args!("\n{}\n", outcome.report()))?;
    Ok(outcome.into_parts().1)
}

/// Prints two conflicting numbers, if there are any.
fn explain(sudoku: &Sudoku) -> Result<(), Failure> {
    let Some([one, other]) = sudoku.conflict() else { return Ok(()) };
    let name = |(row, column)| format!("row {}, column {}", row + 1, column + 1);
    support::print(format_args!(
        "\nThe given numbers in {} and {} conflict.\n",
        name(one),
        name(other)
    ))
}
