//! The question that is asked, whatever the model is: a count, a list, a solution, a picture.

use secateurs::problems::queens::Board;
use secateurs::search::{Extract, Strategy};
use secateurs::{Brancher, Count, Hooks, Outcome, Problem, Report, Search, Stop};

use crate::Arguments;
use crate::support::interrupt::Interrupted;
use crate::support::{self, Failure};

/// What has been answered, as far as a picture of it can be drawn.
pub enum Answer {
    /// A number, or more solutions than one.
    Many,
    /// The first solution, or that there is none.
    First(Option<Board>),
}

/// Answers with a search that takes the column of the queen in each row out of a solution.
pub fn answer<P, B, H, X, S>(
    search: Search<'_, P, B, H, X, S>,
    given: &Board,
    arguments: &Arguments,
) -> Result<Answer, Failure>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P, Output = Vec<usize>>,
    S: Strategy<P, B, H>,
{
    match arguments.question() {
        "list" => list(search, arguments)?,
        "first" => return first(search, given, arguments).map(Answer::First),
        _ => {
            let outcome = search.count();
            let count = exact(&outcome, arguments)?;
            number(count, if count == 1 { "solution" } else { "solutions" }, outcome.report(), arguments)?;
        }
    }
    Ok(Answer::Many)
}

/// Counts with a hook that keeps one solution of each orbit.
pub fn fundamental<P, B, H, X, S>(
    representatives: Search<'_, P, B, H, X, S>,
    arguments: &Arguments,
) -> Result<Answer, Failure>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P>,
    S: Strategy<P, B, H>,
{
    let outcome = representatives.count();
    let all = exact(&outcome, arguments)?;
    let fundamental = outcome.representatives().ok_or("the search did not end")?;
    number(fundamental, &format!("fundamental, {all} in all"), outcome.report(), arguments)?;
    Ok(Answer::Many)
}

fn exact(outcome: &Outcome<Count>, arguments: &Arguments) -> Result<u128, Failure> {
    match outcome.exact() {
        Some(count) => Ok(count),
        None if outcome.stop() == Stop::Cancelled => {
            interrupted(&format!("at least {} solutions", outcome.at_least()), outcome.report(), arguments)
        }
        None => Err(format!("the count is not exact: {outcome}").into()),
    }
}

/// Says what is known; it is no answer.
fn interrupted<T>(known: &str, report: &Report, arguments: &Arguments) -> Result<T, Failure> {
    if !arguments.answer_only {
        support::print(format_args!("{known}\n\n{report}\n"))?;
    }
    Err(Interrupted.into())
}

fn number(answer: u128, of: &str, report: &Report, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.answer_only {
        return support::print(format_args!("{answer}\n"));
    }
    support::print(format_args!("{answer} {of}\n\n{report}\n"))
}

/// The first solution as a board, and the account of the search for it.
fn solution<P, B, H, X, S>(
    search: Search<'_, P, B, H, X, S>,
    arguments: &Arguments,
) -> Result<(Option<Board>, Report), Failure>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P, Output = Vec<usize>>,
    S: Strategy<P, B, H>,
{
    let outcome = search.first();
    if outcome.stop() == Stop::Cancelled {
        return interrupted("no solution so far", outcome.report(), arguments);
    }
    let board = outcome.solution().map(|columns| Board::from_columns(columns)).transpose()?;
    Ok((board, outcome.report().clone()))
}

fn first<P, B, H, X, S>(
    search: Search<'_, P, B, H, X, S>,
    given: &Board,
    arguments: &Arguments,
) -> Result<Option<Board>, Failure>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P, Output = Vec<usize>>,
    S: Strategy<P, B, H>,
{
    let (solution, report) = solution(search, arguments)?;
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
    Ok(solution)
}

/// Draws the first solution, if a picture was asked for: that of `answer`, or else the one that a search finds.
pub fn draw<'p, P, B, H, X>(
    answer: Answer,
    search: impl Fn() -> Search<'p, P, B, H, X>,
    given: &Board,
    arguments: &Arguments,
) -> Result<(), Failure>
where
    P: Problem + 'p,
    B: Brancher<P> + 'p,
    H: Hooks<P> + 'p,
    X: Extract<P, Output = Vec<usize>>,
{
    if arguments.svg.is_none() {
        return Ok(());
    }
    let solution = match answer {
        Answer::First(solution) => solution,
        Answer::Many => solution(search(), arguments)?.0,
    };
    // Without a solution there are still the given queens to look at.
    support::write_svg(arguments.svg.as_deref(), || solution.as_ref().unwrap_or(given).svg(given))
}

fn list<P, B, H, X, S>(search: Search<'_, P, B, H, X, S>, arguments: &Arguments) -> Result<(), Failure>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P, Output = Vec<usize>>,
    S: Strategy<P, B, H>,
{
    let mut solutions = search.solutions();
    let mut lines = solutions
        .by_ref()
        .map(|columns| columns.iter().map(|column| (column + 1).to_string()).collect::<Vec<_>>().join(" "));
    if arguments.saving.given().is_some() {
        // What the file says has been found must have been written.
        lines.try_for_each(|line| support::print(format_args!("{line}\n")))?;
    } else {
        support::print_lines(lines, "\n")?;
    }
    let report = solutions.report();
    if solutions.stop() == Stop::Cancelled {
        return interrupted("", &report, arguments);
    }
    if report.solutions() == 0 {
        support::print("none\n")?;
    }
    if arguments.answer_only {
        return Ok(());
    }
    support::print(format_args!("\n{report}\n"))
}
