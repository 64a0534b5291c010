//! Three puzzles by the models of the library: Langford pairs, magic squares, and pentominoes.
//!
//! `secateurs puzzles pentominoes 6 10` and
//! `secateurs puzzles --help`

use std::path::PathBuf;
use std::process::ExitCode;

use crate::support::run::Questions;
use crate::support::{self, Failure};
use clap::{Args, ValueEnum};
use secateurs::hook::{BoxedHook, Hook};
use secateurs::{Count, Found, Outcome, Search};
use secateurs_cover::Cover;
use secateurs_csp::{Ascending, Assignment, Branching, Propagate, SmallestDomain};
use secateurs_problems::langford::Langford;
use secateurs_problems::magic_square::MagicSquares;
use secateurs_problems::packing::{Packing, PackingBoard};

/// Solve a puzzle, or count its solutions: Langford pairs, magic squares, or pentominoes.
///
/// Prints the first solution, or `none`. Langford pairs and pentominoes are exact covers, magic
/// squares a constraint network.
#[derive(Args)]
pub struct Arguments {
    /// The puzzle.
    #[arg(value_enum)]
    kind: Kind,
    /// Its size: the largest number of Langford pairs [default: 7], the order of magic squares
    /// [default: 4], or the rows and columns of the box for pentominoes [default: 6 10].
    #[arg(value_name = "SIZE", num_args = 0..=2, value_parser = support::positive)]
    sizes: Vec<usize>,
    /// Fill the board in this file (`-` for standard input) with pentominoes: rows of `.` for
    /// squares to be filled and `#` for holes.
    #[arg(long, value_name = "FILE", conflicts_with = "sizes")]
    board: Option<PathBuf>,
    /// Count all solutions.
    #[arg(long, group = "question")]
    count: bool,
    /// Count solutions up to symmetry: reversed rows, rotated and reflected boards.
    #[arg(long, group = "question")]
    fundamental: bool,
    #[command(flatten)]
    run: support::run::Options,
    /// Print the answer only: a solution, a number, or `none`.
    #[arg(long)]
    answer_only: bool,
    /// Draw the first solution, except of Langford pairs, as an SVG file.
    #[arg(long, value_name = "FILE", conflicts_with = "question")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Rows with two copies of each number from 1 to SIZE, and k numbers between the copies of k.
    Langford,
    /// Squares of different numbers whose rows, columns and diagonals have the same sum.
    MagicSquare,
    /// Boards of 60 squares, filled with the twelve pieces of five squares.
    Pentominoes,
}

/// A solution as text, and as a picture if it has one.
struct Drawing {
    text: String,
    svg: Option<String>,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| solve(&arguments))
}

fn solve(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.board.is_some() && arguments.kind != Kind::Pentominoes {
        return Err("--board is for pieces on a board: expected pentominoes".into());
    }
    match arguments.kind {
        Kind::Langford => langford(arguments),
        Kind::MagicSquare => magic_squares(arguments),
        Kind::Pentominoes => pentominoes(arguments),
    }
}

fn langford(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.svg.is_some() {
        return Err("--svg is for boards: expected magic-square or pentominoes".into());
    }
    let numbers = arguments.size(7)?;
    let pairs = Langford::new(numbers)?.cover();
    let draw = |options: &[usize]| {
        let row: Vec<_> = pairs.row(options).iter().map(usize::to_string).collect();
        Drawing { text: row.join(" ") + "\n", svg: None }
    };
    cover(pairs.cover(), pairs.reversal(), &draw, &format!("langford {numbers}"), arguments)
}

fn pentominoes(arguments: &Arguments) -> Result<(), Failure> {
    let board: PackingBoard = match (&arguments.board, &arguments.sizes[..]) {
        (Some(path), _) => {
            let text = support::read(Some(path), "")?;
            text.parse().map_err(|error| support::with_input_name(Some(path), error))?
        }
        (None, []) => PackingBoard::rectangle(6, 10)?,
        (None, &[rows, columns]) => PackingBoard::rectangle(rows, columns)?,
        (None, _) => return Err("pentominoes: found one size, expected rows and columns".into()),
    };
    if board.squares() != 60 {
        let squares = board.squares();
        return Err(format!(
            "found a board of {squares} squares, expected 60, five for each of twelve pieces"
        )
        .into());
    }
    let packing = Packing::pentominoes(board)?;
    let draw = |options: &[usize]| Drawing {
        text: packing.draw(options),
        svg: arguments.svg.is_some().then(|| packing.svg(options)),
    };
    let name = format!("pentominoes\n{}", packing.board());
    cover(packing.cover(), packing.symmetry(), &draw, &name, arguments)
}

/// Answers by an exact cover with this symmetry.
fn cover(
    cover: &Cover,
    symmetry: impl Hook<Cover> + Clone + Send,
    draw: &dyn Fn(&[usize]) -> Drawing,
    name: &str,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let symmetry: Option<BoxedHook<'_, Cover>> =
        if arguments.fundamental { Some(Box::new(symmetry)) } else { None };
    let search = Search::new(cover)
        .hooks((symmetry,))
        .limits(arguments.run.limits())
        .extract(|node| node.path().to_vec());
    arguments.run.search(search, name, &[arguments.question()], |search| {
        answer(search, |options: &Vec<usize>| Ok(draw(options)), 1, arguments)
    })
}

fn magic_squares(arguments: &Arguments) -> Result<(), Failure> {
    let order = arguments.size(4)?;
    let mut squares = MagicSquares::new(order)?;
    let mut images = 1;
    if arguments.fundamental {
        squares = squares.up_to_symmetry();
        // The eight images of a square differ in their corners, unless it has a single cell.
        images = if order == 1 { 1 } else { 8 };
    }
    let network = squares.network();
    let search = Search::new(&network)
        .hooks((Propagate::full(),))
        .brancher(Branching::new(SmallestDomain::first_tie(), Ascending))
        .limits(arguments.run.limits())
        .extract(Assignment::of);
    let draw = |solution: &Assignment| {
        let square = squares.square(solution)?;
        let svg = arguments.svg.is_some().then(|| square.to_svg());
        Ok(Drawing { text: square.to_string(), svg })
    };
    let name = format!("magic-square {order}");
    arguments.run.search(search, &name, &[arguments.question()], |search| {
        answer(search, draw, images, arguments)
    })
}

/// Prints the first solution, or the number of solutions. Each solution found stands for `images`
/// solutions, not including those that hooks account for.
fn answer<S: Questions>(
    search: S,
    draw: impl Fn(&S::Output) -> Result<Drawing, Failure>,
    images: u128,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let (text, report) = if arguments.question() == "first" {
        let outcome = search.first();
        let text = match outcome.value() {
            Found::Solution(solution) => {
                let Drawing { text, svg } = draw(solution)?;
                support::write_svg(arguments.svg.as_deref(), || svg.unwrap_or_default())?;
                text
            }
            Found::None => "none\n".to_owned(),
            Found::Unknown => "unknown\n".to_owned(),
        };
        (text, outcome.report().clone())
    } else {
        let outcome = search.count();
        (number(&outcome, images, arguments), outcome.report().clone())
    };
    support::print(text)?;
    if !arguments.answer_only {
        support::print(format_args!("\n{report}\n"))?;
    }
    support::check_complete(report.stop())
}

/// Formats the number of solutions.
fn number(outcome: &Outcome<Count>, images: u128, arguments: &Arguments) -> String {
    let known = |count: Option<u128>, least: u128| match count {
        Some(count) => count.to_string(),
        None => format!("at least {least}"),
    };
    let all = known(outcome.exact().map(|count| count * images), outcome.at_least() * images);
    let found = u128::from(outcome.report().solutions());
    let fundamental = known(outcome.representatives(), found);
    match (arguments.fundamental, arguments.answer_only) {
        (true, true) => format!("{fundamental}\n"),
        (true, false) => format!("{fundamental} fundamental, {all} in all\n"),
        (false, true) => format!("{all}\n"),
        (false, false) if all == "1" => "1 solution\n".to_owned(),
        (false, false) => format!("{all} solutions\n"),
    }
}

impl Arguments {
    /// Returns the only size, or the default.
    fn size(&self, default: usize) -> Result<usize, Failure> {
        match self.sizes[..] {
            [] => Ok(default),
            [size] => Ok(size),
            _ => {
                Err("found two sizes, expected one: only pentominoes have rows and columns".into())
            }
        }
    }

    /// Returns the name of the question.
    fn question(&self) -> &'static str {
        match () {
            () if self.fundamental => "fundamental",
            () if self.count => "count",
            () => "first",
        }
    }
}
