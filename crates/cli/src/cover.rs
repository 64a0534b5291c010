//! Exact cover: options chosen such that every item is covered once, or as often as it should be.
//!
//! `secateurs cover` and `secateurs cover --help`

use std::path::PathBuf;
use std::process::ExitCode;

use crate::support::run::Questions;
use crate::support::{self, Failure};
use clap::Args;
use secateurs::{Found, Node, Optimum, Report, Search};
use secateurs_cover::{Cover, MultiCover};

/// Choose options such that every primary item is in exactly one of them: exact cover with colours.
///
/// The problem is a text in the format of Knuth's programs: a line of items, with the secondary
/// items, which need not be covered, behind a `|`; then one option per line. An option may give
/// colours to secondary items as `item:colour`; options that give an item the same colour may be
/// chosen together. Lines that begin with `|` are comments. A primary item `u:v|item` is to be
/// covered between u and v times, and an option that ends in `|n` has the cost n.
///
/// Prints the options of the first or a cheapest solution, one per line, or `none`. Without a file,
/// a bundled cover is solved: a square of letters with three words across and three down.
#[derive(Args)]
pub struct Arguments {
    /// The cover file, `-` for standard input [default: a bundled cover].
    file: Option<PathBuf>,
    /// Print the number of solutions.
    #[arg(long)]
    count: bool,
    /// Print a solution of the smallest sum of costs, after this sum.
    #[arg(long, conflicts_with = "count")]
    cheapest: bool,
    /// Branch on items whose names begin with `#` first, as Knuth's programs do.
    #[arg(long)]
    prefer_marked: bool,
    #[command(flatten)]
    run: support::run::Options,
    /// Print only the answer: options, a number, or `none`.
    #[arg(long)]
    answer_only: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| {
        let file = arguments.file.as_deref();
        let text = support::read(file, include_str!("../data/cover.txt"))?;
        let problem = match arguments.prefer_marked {
            true => MultiCover::with_marked_items(&text),
            false => text.parse(),
        };
        let problem: MultiCover = problem.map_err(|error| support::with_input_name(file, error))?;
        let (cover, limits) = (problem.cover(), arguments.run.limits());
        let print = |answered| print(answered, cover, arguments.answer_only);

        let multiple = Search::new(&problem).limits(limits.clone()).extract(
            |node: &Node<'_, MultiCover>| -> Vec<usize> {
                node.path().iter().map(|choice| choice.option).collect()
            },
        );
        // The branching belongs to the identity of a saved search.
        let marks = if arguments.prefer_marked { "marked items first" } else { "" };
        if arguments.cheapest {
            let (cost, bound) = problem.minimise_cost();
            let search = multiple.hook(bound);
            return arguments.run.search(search, "cover", &["cheapest", marks, &text], |search| {
                let outcome = search.best(&cost);
                print((cheapest(outcome.value(), cover), outcome.report().clone()))
            });
        }
        let question = [if arguments.count { "count" } else { "first" }, marks, &text];
        if !problem.is_plain() {
            return arguments.run.search(multiple, "cover", &question, |search| {
                print(answer(search, cover, arguments.count))
            });
        }
        let search = Search::new(cover)
            .limits(limits)
            .extract(|node: &Node<'_, Cover>| node.path().to_vec());
        arguments.run.search(search, "cover", &question, |search| {
            print(answer(search, cover, arguments.count))
        })
    })
}

/// Prints an answer, and the report unless only the answer is wanted.
fn print(
    (answer, report): (String, Report),
    cover: &Cover,
    answer_only: bool,
) -> Result<(), Failure> {
    support::print(answer)?;
    if !answer_only {
        explain(cover, &report)?;
    }
    support::check_complete(report.stop())
}

/// Returns the lines of the chosen options.
fn lines(options: &[usize], cover: &Cover) -> String {
    options.iter().map(|&option| cover.option(option) + "\n").collect()
}

/// Returns the smallest cost and a solution of this cost.
fn cheapest(optimum: &Optimum<u64, Vec<usize>>, cover: &Cover) -> String {
    let solution = |solution: &Option<Vec<usize>>| lines(solution.as_deref().unwrap_or(&[]), cover);
    match optimum {
        Optimum::Proven { value, solution: found } => format!("{value}\n{}", solution(found)),
        Optimum::NoneBetter { value } => format!("{value}\n"),
        Optimum::BestSoFar { value, solution: found } => {
            format!("at most {value}\n{}", solution(found))
        }
        Optimum::Infeasible => "none\n".to_owned(),
        Optimum::Unknown => "unknown\n".to_owned(),
    }
}

/// Returns the answer to print, and the report of the search.
fn answer(
    search: impl Questions<Output = Vec<usize>>,
    cover: &Cover,
    counts: bool,
) -> (String, Report) {
    if counts {
        let outcome = search.count();
        let answer = match outcome.exact() {
            Some(count) => format!("{count}\n"),
            None => format!("at least {}\n", outcome.at_least()),
        };
        return (answer, outcome.report().clone());
    }
    let outcome = search.first();
    let answer = match outcome.value() {
        Found::Solution(options) => lines(options, cover),
        Found::None => "none\n".to_owned(),
        Found::Unknown => "unknown\n".to_owned(),
    };
    (answer, outcome.report().clone())
}

/// Prints the size of the cover and the report of the search.
fn explain(cover: &Cover, report: &Report) -> Result<(), Failure> {
    let primary = (0..cover.items()).filter(|&item| cover.is_primary(item)).count();
    let secondary = cover.items() - primary;
    let options = cover.options();
    support::print(format_args!(
        "\n{primary} primary items, {secondary} secondary ones, {options} options\n\n{report}\n"
    ))
}
