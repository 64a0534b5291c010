//! Exact cover: options chosen such that every item is covered once.
//!
//! `cargo run --release --example cover` and `cargo run --release --example cover -- --help`

#[path = "support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use secateurs::cover::Cover;
use secateurs::{Limits, Report, Search, Stop};
use support::Failure;

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
    /// Give up after this number of nodes.
    #[arg(long, value_name = "N", value_parser = support::whole::<u64>)]
    nodes: Option<u64>,
    /// Give up after this time.
    #[arg(long, value_name = "SECONDS", value_parser = support::whole::<u64>)]
    time: Option<u64>,
    /// Print only the answer: options, a number, or `none`.
    #[arg(long)]
    answer_only: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| {
        let file = arguments.file.as_deref();
        let text = support::read(file, include_str!("data/cover.txt"))?;
        let cover: Cover = text.parse().map_err(|error| support::about(file, error))?;

        let mut limits = Limits::new();
        if let Some(nodes) = arguments.nodes {
            limits = limits.nodes(nodes);
        }
        if let Some(seconds) = arguments.time {
            limits = limits.time(Duration::from_secs(seconds));
        }
        let search = Search::new(&cover).limits(limits);
        let (answer, report) = if arguments.count {
            let outcome = search.count();
            let count =
                outcome.exact().ok_or_else(|| stopped(outcome.stop(), outcome.at_least()))?;
            (format!("{count}\n"), outcome.report().clone())
        } else {
            let outcome = search.first();
            let answer = match outcome.solution() {
                Some(options) => {
                    options.iter().map(|&option| cover.option(option) + "\n").collect()
                }
                None if outcome.is_proven_none() => "none\n".to_owned(),
                None => return Err(stopped(outcome.stop(), 0)),
            };
            (answer, outcome.report().clone())
        };
        support::print(answer)?;
        if arguments.answer_only { Ok(()) } else { explain(&cover, &report) }
    })
}

fn stopped(stop: Stop, found: u128) -> Failure {
    format!("the search was stopped ({stop}) after {found} solutions").into()
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
