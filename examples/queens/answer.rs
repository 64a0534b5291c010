//! The question that is asked, whatever the model is: a count, a list, a solution, a picture.

use secateurs::problems::queens::Board;
use secateurs::search::Extract;
use secateurs::{Brancher, Count, Hooks, Outcome, Problem, Report, Search};

use crate::Arguments;
use crate::estimate;
use crate::support::{self, Failure};

/// Answers with searches that take the column of the queen in each row out of a solution.
pub fn answer<'p, P, B, H, X>(
    search: impl Fn() -> Search<'p, P, B, H, X>,
    board: &Board,
    arguments: &Arguments,
) -> Result<(), Failure>
where
    P: Problem + 'p,
    B: Brancher<P> + 'p,
    H: Hooks<P> + 'p,
    X: Extract<P, Output = Vec<usize>>,
{
    if let Some(probes) = arguments.estimate {
        return estimate::estimate(search, probes, arguments.seed, arguments.answer_only);
    }
    if arguments.list {
        list(search(), arguments)?;
    } else if arguments.first || arguments.complete.is_some() || arguments.complete_random.is_some() {
        return first(search(), board, arguments);
    } else {
        let outcome = search().count();
        let count = exact(&outcome)?;
        number(count, if count == 1 { "solution" } else { "solutions" }, outcome.report(), arguments)?;
    }
    draw_first(search, board, arguments)
}

/// Counts with a hook that keeps one solution of each orbit.
pub fn fundamental<'p, P, B, H, I, X, Y>(
    representatives: Search<'p, P, B, H, X>,
    search: impl Fn() -> Search<'p, P, B, I, Y>,
    board: &Board,
    arguments: &Arguments,
) -> Result<(), Failure>
where
    P: Problem + 'p,
    B: Brancher<P> + 'p,
    H: Hooks<P> + 'p,
    I: Hooks<P> + 'p,
    X: Extract<P>,
    Y: Extract<P, Output = Vec<usize>>,
{
    let outcome = representatives.count();
    let fundamental = outcome.representatives().ok_or("the search did not end")?;
    let of = format!("fundamental, {} in all", exact(&outcome)?);
    number(fundamental, &of, outcome.report(), arguments)?;
    draw_first(search, board, arguments)
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
fn solution<P, B, H, X>(search: Search<'_, P, B, H, X>) -> Result<(Option<Board>, Report), Failure>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P, Output = Vec<usize>>,
{
    let outcome = search.first();
    let board = outcome.solution().map(|columns| Board::from_columns(columns)).transpose()?;
    Ok((board, outcome.report().clone()))
}

fn first<P, B, H, X>(search: Search<'_, P, B, H, X>, given: &Board, arguments: &Arguments) -> Result<(), Failure>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P, Output = Vec<usize>>,
{
    let (solution, report) = solution(search)?;
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

/// Draws the first solution where another question has been answered.
fn draw_first<'p, P, B, H, X>(
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
    if arguments.svg.is_some() {
        draw(solution(search())?.0.as_ref(), given, arguments)?;
    }
    Ok(())
}

fn list<P, B, H, X>(search: Search<'_, P, B, H, X>, arguments: &Arguments) -> Result<(), Failure>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P, Output = Vec<usize>>,
{
    let mut solutions = search.solutions();
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
