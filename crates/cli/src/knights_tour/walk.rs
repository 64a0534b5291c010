//! A search for one tour by the walk model, with a rule for the order of moves and with
//! restarts.

use secateurs_problems::knights_tour::{TourAnswer, TourBoard, TourSearch};

use crate::knights_tour::{Arguments, kind, print_none, print_tour, print_unknown};
use crate::support::{self, Failure, progress};

/// Searches for a tour from `start` (row and column, from 0) or from any square, and prints it.
pub fn show(
    arguments: &Arguments,
    board: TourBoard,
    start: Option<(usize, usize)>,
) -> Result<(), Failure> {
    if let Some(option) = arguments.run.conflicting_option() {
        return Err(format!(
            "{option} needs a search of one tree, but a walk restarts many times: \
             expected --count, --no-prunings, --model cover or --model circuit"
        )
        .into());
    }
    let rule = arguments.rule.unwrap_or_default();
    let mut search = TourSearch::new(board)
        .rule(rule)
        .seed(arguments.seed.unwrap_or(0))
        .limits(arguments.run.limits());
    if arguments.closed {
        search = search.closed();
    }
    if let Some((row, column)) = start {
        search = search.starting_at(row, column)?;
    }
    let bar = arguments.run.bar();
    let solved = match bar.search_callback(|| None) {
        Some(callback) => search.solve_with_progress(progress::INTERVAL, callback),
        None => search.solve(),
    };
    drop(bar);
    let (attempts, nodes) = (solved.attempts(), solved.nodes());
    let tour = match solved.answer() {
        TourAnswer::Tour(tour) => tour,
        TourAnswer::None(reason) => return print_none(arguments, *reason),
        TourAnswer::Unknown(stop) => {
            return print_unknown(
                arguments,
                *stop,
                format_args!("{nodes} nodes in all, in attempt {attempts}"),
            );
        }
        answer => return Err(format!("not expected: {answer:?}").into()),
    };
    if !print_tour(arguments, tour)? {
        return Ok(());
    }
    let kind = kind(tour);
    support::print(format_args!(
        "\n{board}, {kind} tour by the rule `{rule}`: attempt {attempts}, {nodes} nodes in all\n"
    ))?;
    match solved.report() {
        Some(report) => support::print(format_args!("\nThe last attempt:\n{report}")),
        None => Ok(()),
    }
}
