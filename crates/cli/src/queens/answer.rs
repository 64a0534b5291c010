//! Answers for all models: a count, a list, a solution, a picture.

use std::io::{BufWriter, Write, stdout};

use secateurs::search::RunBudget;
use secateurs::{Count, Found, Limits, Outcome, Report, Stop};
use secateurs_problems::queens::QueensBoard;

use crate::queens::{Arguments, Model};
use crate::support::run::{self, Questions};
use crate::support::{self, Failure};

/// The part of a printed answer that a picture needs, and how the search ended.
pub enum Answer {
    /// A count, or a list of solutions.
    Many(Box<Report>),
    /// The first solution, if one was found.
    First(Option<QueensBoard>, Stop),
}

/// Answers the question of the arguments with a search that extracts the column of the queen in
/// each row.
pub fn answer(
    search: impl Questions<Output = Vec<usize>>,
    given: &QueensBoard,
    arguments: &Arguments,
) -> Result<Answer, Failure> {
    match arguments.question() {
        "list" | "boards" => list(search, arguments),
        "first" => first(search, given, arguments),
        _ => {
            let outcome = search.count();
            let count = counted(&outcome);
            print_number(
                &count,
                if count == "1" { "solution" } else { "solutions" },
                outcome.report(),
                arguments,
            )
        }
    }
}

/// Prints the numbers of fundamental and of all solutions, from a search with a hook that keeps one
/// solution of each orbit.
pub fn fundamental(
    representatives: impl Questions,
    arguments: &Arguments,
) -> Result<Answer, Failure> {
    let outcome = representatives.count();
    let fundamental = match outcome.representatives() {
        Some(count) => count.to_string(),
        None => format!("at least {}", outcome.report().solutions()),
    };
    print_number(
        &fundamental,
        &format!("fundamental, {} in all", counted(&outcome)),
        outcome.report(),
        arguments,
    )
}

/// Formats a count, marked as a lower bound unless it is exact.
fn counted(outcome: &Outcome<Count>) -> String {
    match outcome.exact() {
        Some(count) => count.to_string(),
        None => format!("at least {}", outcome.at_least()),
    }
}

/// Prints a number, and the report unless only the answer is requested.
fn print_number(
    answer: &str,
    description: &str,
    report: &Report,
    arguments: &Arguments,
) -> Result<Answer, Failure> {
    if arguments.answer_only {
        support::print(format_args!("{answer}\n"))?;
    } else {
        support::print(format_args!("{answer} {description}\n"))?;
        print_report(report, arguments)?;
    }
    Ok(Answer::Many(Box::new(report.clone())))
}

/// Prints the report of a search of all solutions, and its effort if the model counts it, beside
/// the number of ways to place a queen in each row of an empty board.
///
/// The effort is known only if one run has searched the whole tree: a search that stops early has
/// tested further squares to find its unexplored part.
fn print_report(report: &Report, arguments: &Arguments) -> Result<(), Failure> {
    support::print(format_args!("\n{report}\n"))?;
    let (squares, pairs) = (arguments.effort.attempts(), arguments.effort.pair_tests());
    if squares > 0 && report.stop().is_exhausted() && !arguments.run.saves() {
        support::print(format_args!("squares tested  {squares}\n"))?;
        if arguments.model == Model::Lookback {
            support::print(format_args!("pairs compared  {pairs}\n"))?;
        }
        let size = arguments.size;
        // A tree that was searched to its end is small enough for a board of this number.
        if let (false, Some(placements)) =
            (arguments.completes(), (size as u128).checked_pow(size as u32))
        {
            support::print(format_args!("all placements  {size}^{size} = {placements}\n"))?;
        }
    }
    Ok(())
}

/// Prints the first solution, and returns it.
fn first(
    search: impl Questions<Output = Vec<usize>>,
    given: &QueensBoard,
    arguments: &Arguments,
) -> Result<Answer, Failure> {
    let outcome = search.first();
    let solution =
        outcome.solution().map(|columns| QueensBoard::from_columns(columns)).transpose()?;
    match (&solution, outcome.value()) {
        (Some(board), _) => support::print(board)?,
        (None, Found::None) => support::print("none\n")?,
        (None, _) => support::print("unknown\n")?,
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
        support::print(format_args!("\n{}\n", outcome.report()))?;
    }
    Ok(Answer::First(solution, outcome.stop()))
}

/// Prints all solutions, one per line, or each as a board with an empty line after it.
fn list(
    search: impl Questions<Output = Vec<usize>>,
    arguments: &Arguments,
) -> Result<Answer, Failure> {
    let line = |columns: Vec<usize>| {
        if arguments.boards {
            return Ok(format!("{}\n", QueensBoard::from_columns(&columns)?));
        }
        let columns: Vec<_> = columns.iter().map(|column| (column + 1).to_string()).collect();
        Ok::<_, Failure>(format!("{}\n", columns.join(" ")))
    };
    let report = if arguments.run.saves() {
        // Each solution is written before the file records it as found.
        search.list(|columns| support::print(line(columns)?))?
    } else {
        let mut out = BufWriter::new(stdout().lock());
        let report = search.list(|columns| Ok(out.write_all(line(columns)?.as_bytes())?))?;
        out.flush()?;
        report
    };
    match report.solutions() {
        0 if report.stop().is_exhausted() => support::print("none\n")?,
        0 => support::print("unknown\n")?,
        _ => {}
    }
    if !arguments.answer_only {
        print_report(&report, arguments)?;
    }
    Ok(Answer::Many(Box::new(report)))
}

/// Draws the first solution, if a picture was requested: the one of `answer`, or else the one that
/// `first` finds within the rest of the budget. Returns an error if a search has stopped early.
pub fn draw(
    answer: Answer,
    budget: RunBudget,
    first: impl FnOnce(Limits) -> Outcome<Found<Vec<usize>>>,
    given: &QueensBoard,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let (solution, stop) = match answer {
        Answer::First(solution, stop) => (solution, stop),
        Answer::Many(report) if arguments.svg.is_none() || report.stop() == Stop::Cancelled => {
            return support::check_complete(report.stop());
        }
        Answer::Many(report) => {
            let (columns, stop) = run::first_after(*report, budget, first);
            (columns.map(|columns| QueensBoard::from_columns(&columns)).transpose()?, stop)
        }
    };
    // Without a solution, the picture shows the given queens.
    support::write_svg(arguments.svg.as_deref(), || solution.as_ref().unwrap_or(given).svg(given))?;
    support::check_complete(stop)
}
