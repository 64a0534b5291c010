//! n-queens: count, find or list the ways to place n queens on an n×n board so that no two attack
//! each other.
//!
//! `secateurs queens` and `secateurs queens --help`

mod answer;
mod network;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::estimate;
use crate::support::checkpoint::Choice;
use crate::support::{self, Failure};
use clap::{Args, ValueEnum};
use secateurs::search::Extract;
use secateurs::{Brancher, Hooks, Problem, Search};
use secateurs_problems::queens::{Effort, Queens, QueensBoard, RowByRow};

/// Place N queens on an N×N board such that no two share a row, column or diagonal.
///
/// Counts all solutions by default. The models `marks` and `lookback` also print how many squares
/// they test, and `lookback` how many pairs of queens it compares. Try `queens 8 --list`,
/// `queens 8 --fundamental`, complete a bundled board with `queens 8 --complete`, or place a
/// thousand queens with `queens 1000 --model csp --values centre-out --first --svg queens.svg`.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub struct Arguments {
    /// Number of rows, columns and queens: up to 64 on bit masks, up to 512 as a cover, up to 4096
    /// with the other models.
    #[arg(value_name = "N", default_value_t = 8, value_parser = support::positive)]
    size: usize,
    /// Model: all models find the same solutions, at different speeds.
    #[arg(long, value_enum, default_value_t = Model::Bits)]
    model: Model,
    #[command(flatten)]
    network: network::Options,
    #[command(flatten)]
    run: support::run::Options,
    /// Print the first solution, or `none`. With columns tried from left to right, as by default,
    /// this may take minutes or more from about N = 34 on; --values centre-out finds a solution at
    /// once.
    #[arg(long, group = "question")]
    first: bool,
    /// Count fundamental solutions: solutions up to rotation and reflection of the board. For the
    /// models that proceed row by row.
    #[arg(long, group = "question")]
    fundamental: bool,
    /// Print every solution as the column of the queen in each row, from 1.
    #[arg(long, group = "question")]
    list: bool,
    /// Print every solution as a board, in the order of --list, with an empty line after each.
    #[arg(long, group = "question")]
    boards: bool,
    /// Estimate the size of the search tree and the time of a count from this many random probes,
    /// instead of searching (Knuth 1975) [default: 10000 probes]
    #[arg(long, value_name = "PROBES", group = "question", num_args = 0..=1,
        default_missing_value = estimate::DEFAULT_PROBES, value_parser = support::whole::<u64>,
        conflicts_with_all = ["svg", "threads", "nodes", "progress", "checkpoint", "resume"])]
    estimate: Option<u64>,
    /// Complete the board in this file: N rows of `.` and `Q` (`-` for standard input; without a
    /// file, a bundled board of 8 rows). Prints the first solution, or `none`, unless --list,
    /// --boards, --fundamental or --trace is given.
    #[arg(long, value_name = "FILE")]
    complete: Option<Option<PathBuf>>,
    /// Complete a random board with this many queens that do not attack each other, or fewer if
    /// there is no room. Prints the first solution, or `none`, as --complete does.
    #[arg(long, value_name = "QUEENS", conflicts_with = "complete",
        value_parser = support::whole::<usize>)]
    complete_random: Option<usize>,
    /// Seed of random queens, random values and random probes.
    #[arg(long, default_value_t = 0, value_parser = support::whole::<u64>)]
    seed: u64,
    /// Draw the first solution as an SVG picture; without a solution, the given queens and the
    /// squares that they attack.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the answer only: a number, a board, or `none`.
    #[arg(long)]
    answer_only: bool,
    /// The squares tested by the models that count them.
    #[arg(skip)]
    effort: Effort,
}

impl Arguments {
    /// Describes the search, apart from the board, for the fingerprint of a saved search.
    fn description(&self) -> String {
        let model = self.model.to_possible_value();
        let model = model.as_ref().map_or("", |model| model.get_name());
        format!("{} {model} {}", self.question(), self.network.description(self.seed))
    }

    /// Returns whether the board has given queens.
    fn completes(&self) -> bool {
        self.complete.is_some() || self.complete_random.is_some()
    }

    /// Returns the name of the question.
    fn question(&self) -> &'static str {
        match self {
            _ if self.fundamental => "fundamental",
            _ if self.list => "list",
            _ if self.boards => "boards",
            _ if self.first || self.completes() => "first",
            _ => "count",
        }
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Model {
    /// Row by row: mark the attacked squares on a board.
    Marks,
    /// Row by row: compare with the queens placed.
    Lookback,
    /// Row by row: keep columns and diagonals as bit masks.
    Bits,
    /// A constraint network: a variable per row, three all-different constraints; see
    /// --propagation, --order, --values.
    Csp,
    /// An exact cover of rows and columns, the one with the fewest free squares first.
    Cover,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| example(&arguments))
}

fn example(arguments: &Arguments) -> Result<(), Failure> {
    let board = match (&arguments.complete, arguments.complete_random) {
        (Some(path), _) => completion(path.as_deref(), arguments.size)?,
        (None, Some(queens)) => QueensBoard::random(arguments.size, queens, arguments.seed)?,
        (None, None) => QueensBoard::new(arguments.size)?,
    };
    if arguments.model != Model::Csp
        && let Some(option) = arguments.network.given()
    {
        return Err(format!("{option} is for the constraint network: expected --model csp").into());
    }
    match arguments.model {
        Model::Marks => row_by_row(&board.marks().counting(&arguments.effort), &board, arguments),
        Model::Lookback => {
            row_by_row(&board.lookback().counting(&arguments.effort), &board, arguments)
        }
        // On an empty board, the model without given queens is faster.
        Model::Bits if board.queens().is_empty() => {
            row_by_row(&bits(board.size())?.bits(), &board, arguments)
        }
        Model::Bits => {
            // Checks the size, for the error that names models for larger boards.
            bits(board.size())?;
            row_by_row(&board.bits()?, &board, arguments)
        }
        Model::Csp | Model::Cover if arguments.fundamental => {
            Err("--fundamental is for models that go row by row: expected --model bits, marks or \
                 lookback"
                .into())
        }
        Model::Csp => network::answer(&board, arguments),
        Model::Cover => cover(&board, arguments),
    }
}

/// Reads the board in a file, which must have the requested size.
fn completion(path: Option<&Path>, size: usize) -> Result<QueensBoard, Failure> {
    let text = support::read(path, include_str!("../../data/queens-8.txt"))?;
    let board: QueensBoard = text.parse().map_err(|error| support::with_input_name(path, error))?;
    if board.size() != size {
        return Err(
            format!("the board to complete is of size {}: expected {size}", board.size()).into()
        );
    }
    Ok(board)
}

/// Returns the problem of this size on bit masks, or an error that names models for larger boards.
fn bits(size: usize) -> Result<Queens, Failure> {
    Queens::new(size)
        .map_err(|error| format!("{error} (--model csp, marks and lookback take more)").into())
}

/// Answers by one of the models that go row by row.
fn row_by_row<P>(queens: &P, board: &QueensBoard, arguments: &Arguments) -> Result<(), Failure>
where
    P: RowByRow<Choice: Choice> + Sync,
{
    let search = || {
        Search::new(queens)
            .limits(arguments.run.limits())
            .extract(|node| P::columns(node.path().iter()))
    };
    if arguments.fundamental {
        let representatives = search().hooks((Queens::lex_leader(queens)?,));
        let (name, data) =
            (format!("{}-queens", board.size()), [&*arguments.description(), &*board.to_string()]);
        let (budget, answer) = arguments.run.search(representatives, &name, &data, |search| {
            let budget = search.budget(arguments.run.limits());
            Ok((budget, answer::fundamental(search, arguments)?))
        })?;
        let first = |limits| search().limits(limits).first();
        return answer::draw(answer, budget, first, board, arguments);
    }
    answer_with(search, board, arguments)
}

/// Answers by the exact cover.
fn cover(board: &QueensBoard, arguments: &Arguments) -> Result<(), Failure> {
    let queens = board.cover().map_err(|error| format!("{error} (--model csp takes more)"))?;
    let columns = |options: Vec<usize>| {
        let mut squares: Vec<_> = options.into_iter().map(|option| queens.square(option)).collect();
        squares.sort_unstable();
        squares.into_iter().map(|(_, column)| column).collect()
    };
    let search = || {
        let search = Search::new(queens.cover()).limits(arguments.run.limits());
        search.extract(|node| columns(node.path().to_vec()))
    };
    answer_with(search, board, arguments)
}

/// Answers any question. `search` creates a new search for each use.
fn answer_with<'p, P, B, H, X>(
    search: impl Fn() -> Search<'p, P, B, H, X>,
    board: &QueensBoard,
    arguments: &Arguments,
) -> Result<(), Failure>
where
    P: Problem<Choice: Choice> + Sync + 'p,
    B: Brancher<P> + Clone + Send + 'p,
    H: Hooks<P> + Clone + Send + 'p,
    X: Extract<P, Output = Vec<usize>> + Clone + Send,
{
    if let Some(probes) = arguments.estimate {
        return estimate::estimate(search, probes, arguments.seed, arguments.answer_only);
    }
    let (name, data) =
        (format!("{}-queens", board.size()), [&*arguments.description(), &*board.to_string()]);
    let (budget, answer) = arguments.run.search(search(), &name, &data, |search| {
        let budget = search.budget(arguments.run.limits());
        Ok((budget, answer::answer(search, board, arguments)?))
    })?;
    answer::draw(answer, budget, |limits| search().limits(limits).first(), board, arguments)
}
