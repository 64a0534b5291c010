//! Exact cover: options chosen such that every item is covered once.
//!
//! `cargo run --release --example cover` and `cargo run --release --example cover -- --help`

#[path = "support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use secateurs::cover::Cover;
use secateurs::{Found, Report, Search};
use support::Failure;
use support::run::Questions;

/// Choose options such that every primary item is in exactly one of them: exact cover with colours.
///
/// The problem is a text in the format of Knuth's programs: a line of items, with the secondary
/// items, which need not be covered, behind a `|`; then one option per line. An option may give
/// colours to secondary items as `item:colour`; options that give an item the same colour may be
/// chosen together. Lines that begin with `|` are comments.
///
/// Prints the options of the first solution, one per line, or `none`. Without a file, a bundled
/// cover is solved: a square of letters with three words across and three down.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The cover file, `-` for standard input [default: a bundled cover].
    file: Option<PathBuf>,
    /// Print the number of solutions.
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    run: support::run::Options,
    /// Print only the answer: options, a number, or `none`.
    #[arg(long)]
    answer_only: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| {
        let file = arguments.file.as_deref();
        let text = support::read(file, include_str!("data/cover.txt"))?;
        let cover: Cover = text.parse().map_err(|error| support::with_input_name(file, error))?;

        let search =
            Search::new(&cover).limits(arguments.run.limits()).extract(|node| node.path().to_vec());
        let question = if arguments.count { "count" } else { "first" };
        arguments.run.search(search, "cover", &[question, &text], |search| {
            let (answer, report) = answer(search, &cover, arguments.count);
            support::print(answer)?;
            if !arguments.answer_only {
                explain(&cover, &report)?;
            }
            support::check_complete(report.stop())
        })
    })
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
        Found::Solution(options) => {
            options.iter().map(|&option| cover.option(option) + "\n").collect()
        }
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
