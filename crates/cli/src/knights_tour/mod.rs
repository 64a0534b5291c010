//! Knight's tours of a board: `secateurs knights-tour 8 8 --start 1,1`.

mod walk;

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::estimate;
use crate::support::checkpoint::Choice;
use crate::support::run::Questions;
use crate::support::{self, Failure};
use clap::{Args, ValueEnum};
use secateurs::search::Extract;
use secateurs::{Brancher, Found, Hooks, Node, Problem, Search, Stop};
use secateurs_cover::Cover;
use secateurs_csp::{Ascending, Assignment, Branching, Network, Propagate, SmallestDomain};
use secateurs_problems::InstanceError;
use secateurs_problems::knights_tour::{
    DeadEnds, DisconnectedRest, KnightsTour, NoTour, OneExit, Parity, Rule, Tour, TourBoard,
    existence,
};

/// Finds a knight's tour: a path of knight's moves that visits every square of a board once.
///
/// Prints the board with the number of the step at each square and the effort of the search, or the
/// reason why there is no tour. With --count, counts all tours.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub struct Arguments {
    /// Rows of the board
    #[arg(default_value_t = 8, value_parser = support::positive)]
    rows: usize,
    /// Columns of the board [default: as many as rows]
    #[arg(value_parser = support::positive)]
    columns: Option<usize>,
    /// The square to start from, as ROW,COLUMN from 1,1 in the top left corner, or from 0,0 with
    /// --from-zero [default: any]
    #[arg(long, value_name = "ROW,COLUMN", allow_hyphen_values = true)]
    start: Option<String>,
    /// Count rows and columns from 0 instead of 1, in --start and --steps
    #[arg(long)]
    from_zero: bool,
    /// Print the squares of the tour in their order, as lines `step I: ROW COLUMN`, instead of the
    /// numbered board
    #[arg(long, conflicts_with_all = ["count", "estimate"])]
    steps: bool,
    /// Require a tour that ends a knight's move from its start
    #[arg(long)]
    closed: bool,
    /// Order of the moves: plain (a fixed order; implies --no-prunings) or warnsdorff (the square
    /// with the fewest exits first). The other rules are warnsdorff with a preference among ties:
    /// farthest (from the centre), successor (fewest exits of a next square), pohl (fewest exits of
    /// all next squares), or successor-farthest (successor, then farthest) [--model walk; default:
    /// farthest]
    #[arg(long)]
    rule: Option<Rule>,
    /// Search one tree by the rule, without prunings, restarts and theorems, as the programs of
    /// lfri (2019) do: the first one by the rule `plain`, the second one by `warnsdorff` [--model
    /// walk]
    #[arg(long, conflicts_with_all = ["seed", "count", "estimate"])]
    no_prunings: bool,
    /// Model; the documentation of the module compares them. Only `walk` has rules, seeds and
    /// restarts, and recognises boards without tours at once. The others search one tree, which can
    /// be done with several threads and be saved
    #[arg(long, value_enum, default_value_t = Model::Walk)]
    model: Model,
    /// Seed of the random choices of restarts [--model walk; default: 0]
    #[arg(long, value_parser = support::whole::<u64>)]
    seed: Option<u64>,
    /// Count all tours: closed ones once, regardless of start and direction; open ones once in
    /// each direction that --start permits
    #[arg(long, conflicts_with_all = ["rule", "seed", "svg"])]
    count: bool,
    /// Estimate the size of the tree and the time of a count from this many random probes, instead
    /// of searching (Knuth 1975) [default: 10000 probes]
    #[arg(long, value_name = "PROBES", num_args = 0..=1,
        default_missing_value = estimate::DEFAULT_PROBES, value_parser = support::whole::<u64>,
        conflicts_with_all = ["count", "rule", "seed", "svg", "threads", "nodes", "progress",
            "checkpoint", "resume"])]
    estimate: Option<u64>,
    #[command(flatten)]
    run: support::run::Options,
    /// Draw the tour into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print only the tour, `none`, or `unknown` if the search did not finish; with --count, a
    /// number
    #[arg(long)]
    answer_only: bool,
}

impl Arguments {
    /// Returns the number of the first row and of the first column.
    fn first_number(&self) -> usize {
        usize::from(!self.from_zero)
    }

    /// Returns the row and the column of the start, from 0. They are on the board.
    fn start(&self, rows: usize, columns: usize) -> Result<Option<(usize, usize)>, String> {
        let Some(text) = &self.start else { return Ok(None) };
        let first = self.first_number();
        let (row, column) = support::pair(text, first).map_err(|error| {
            let counts_from_zero = support::pair(text, 0).is_ok();
            let hint = if counts_from_zero { "; --from-zero counts from 0" } else { "" };
            format!("--start: {error}{hint}")
        })?;
        if row - first >= rows || column - first >= columns {
            return Err(format!(
                "--start: row {row}, column {column} is not on the board; expected rows {first} to \
                 {} and columns {first} to {}",
                rows - 1 + first,
                columns - 1 + first
            ));
        }
        Ok(Some((row - first, column - first)))
    }

    /// Returns whether a search by the model `walk` has no prunings.
    fn is_plain(&self) -> bool {
        self.no_prunings || self.rule == Some(Rule::Plain)
    }

    /// Returns whether a tour is searched by a walk with restarts.
    fn restarts(&self) -> bool {
        let searches_tour = !self.count && self.estimate.is_none();
        self.model == Model::Walk && searches_tour && !self.is_plain()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Model {
    /// Step by step, by a rule, with restarts; `warnsdorff` is another name for it
    #[value(alias = "warnsdorff")]
    Walk,
    /// As an exact cover of leaving and entering squares, without subtours
    Cover,
    /// As a constraint network: each square has a successor, and the successors form one circuit
    Circuit,
}

/// The largest number of squares for the models `cover` and `circuit`, which take much more memory
/// than the walk.
const MAX_MODELLED: usize = 40_000;

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| show(&arguments))
}

fn show(arguments: &Arguments) -> Result<(), Failure> {
    let (rows, columns) = (arguments.rows, arguments.columns.unwrap_or(arguments.rows));
    let start = arguments.start(rows, columns)?;
    let existence = check_existence(arguments.closed, rows, columns);
    let board = match (TourBoard::new(rows, columns), existence) {
        // The board is too large to be searched, but known to have no tour.
        (Err(_), Err(reason)) => return print_none(arguments, reason),
        (board, _) => board?,
    };
    if arguments.model != Model::Walk
        && (arguments.rule.is_some() || arguments.seed.is_some() || arguments.no_prunings)
    {
        return Err(
            "--rule, --seed and --no-prunings are for tours that are searched step by step: \
                    expected --model walk"
                .into(),
        );
    }
    if arguments.restarts() {
        return walk::show(arguments, board, start);
    }
    if arguments.seed.is_some() {
        return Err(
            "--seed is for restarts, but the rule `plain` has none: expected another rule".into()
        );
    }
    let mut problem =
        if arguments.closed { KnightsTour::closed(board) } else { KnightsTour::open(board) };
    if let Some((row, column)) = start {
        problem = problem.starting_at(row, column)?;
    }
    if arguments.model != Model::Walk && board.len() > MAX_MODELLED {
        return Err(format!(
            "the models take at most {MAX_MODELLED} squares, found {board}; --model walk takes more"
        )
        .into());
    }
    let tour = |node: &Node<'_, KnightsTour>| Tour::new(board, node.state().squares());
    match arguments.model {
        Model::Walk if arguments.is_plain() => {
            let rule = arguments.rule.unwrap_or_default();
            let search = || Search::new(&problem).brancher(rule.brancher()).extract(tour);
            let model = format!("a walk by the rule `{rule}` without prunings");
            answer(search, &problem, &model, arguments)
        }
        Model::Walk => {
            let hooks = || (Parity, DeadEnds, OneExit, DisconnectedRest::default());
            answer(
                || Search::new(&problem).hooks(hooks()).extract(tour),
                &problem,
                "walk",
                arguments,
            )
        }
        Model::Cover => {
            let tours = problem.cover()?;
            let tour = |node: &Node<'_, Cover>| tours.tour(&node.path().to_vec());
            let search = || Search::new(tours.cover()).hooks((tours.no_subtours(),)).extract(tour);
            answer(search, &problem, "exact cover", arguments)
        }
        Model::Circuit => {
            let tours = problem.circuit()?;
            let tour = |node: &Node<'_, Network>| tours.tour(&Assignment::of(node));
            let order = Branching::new(SmallestDomain::first_tie(), Ascending);
            let search = || {
                Search::new(tours.network())
                    .hooks((Propagate::full(),))
                    .brancher(order)
                    .extract(tour)
            };
            answer(search, &problem, "circuit", arguments)
        }
    }
}

/// Answers by a search of one tree. `search` creates a new search for each use.
fn answer<'p, P, B, H, X>(
    search: impl Fn() -> Search<'p, P, B, H, X>,
    problem: &KnightsTour,
    model: &str,
    arguments: &Arguments,
) -> Result<(), Failure>
where
    P: Problem<Choice: Choice> + Sync + 'p,
    B: Brancher<P> + Clone + Send + 'p,
    H: Hooks<P> + Clone + Send + 'p,
    X: Extract<P, Output = Result<Tour, InstanceError>> + Clone + Send,
{
    let limited = || search().limits(arguments.run.limits());
    if let Some(probes) = arguments.estimate {
        return estimate::estimate(limited, probes, 0, arguments.answer_only);
    }
    let question = if arguments.count { "count" } else { "first" };
    let kind = if problem.is_closed() { "closed" } else { "open" };
    let start = arguments
        .start(problem.board().rows(), problem.board().columns())?
        .map_or(String::new(), |(row, column)| format!("from {},{}", row + 1, column + 1));
    let description = format!("{question} {model} {} {kind} {start}", problem.board());
    arguments.run.search(limited(), "knight's tour", &[&description], |search| {
        match arguments.count {
            true => count(search, problem, arguments),
            false => first(search, problem.board(), model, arguments),
        }
    })
}

/// Prints the number of tours.
fn count(
    search: impl Questions,
    problem: &KnightsTour,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let outcome = search.count();
    // A closed tour is found in both directions.
    let tours = |found: u128| if problem.is_closed() { found.div_ceil(2) } else { found };
    let number = match outcome.exact() {
        Some(found) => tours(found).to_string(),
        None => format!("at least {}", tours(outcome.at_least())),
    };
    if arguments.answer_only {
        support::print(format_args!("{number}\n"))?;
    } else {
        let (kind, report) =
            (if problem.is_closed() { "closed" } else { "open" }, outcome.report());
        let twice =
            if problem.is_closed() { ", each of which is found in both directions" } else { "" };
        let noun = if number == "1" { "tour" } else { "tours" };
        support::print(format_args!(
            "{number} {kind} {noun} of {}{twice}\n\n{report}\n",
            problem.board()
        ))?;
    }
    support::check_complete(outcome.stop())
}

/// Prints the first tour.
fn first(
    search: impl Questions<Output = Result<Tour, InstanceError>>,
    board: TourBoard,
    model: &str,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let outcome = search.first();
    let report = outcome.report();
    let nodes = report.nodes();
    let tour = match outcome.value() {
        Found::Solution(tour) => tour.clone()?,
        Found::None => {
            return print_none(
                arguments,
                format_args!(
                    "the whole tree was searched ({nodes} nodes), and there is no tour in it"
                ),
            );
        }
        _ => return print_unknown(arguments, report.stop(), format_args!("{nodes} nodes")),
    };
    if print_tour(arguments, &tour)? {
        support::print(format_args!(
            "\n{board}, {} tour as {model}: {nodes} nodes\n\n{report}",
            kind(&tour)
        ))?;
    }
    Ok(())
}

/// Prints and draws the tour. Returns whether a report should follow.
fn print_tour(arguments: &Arguments, tour: &Tour) -> Result<bool, Failure> {
    support::write_svg(arguments.svg.as_deref(), || tour.to_svg())?;
    if arguments.steps {
        let (board, first) = (tour.board(), arguments.first_number());
        let squares = tour.steps().iter().zip(1..);
        let steps = squares.map(|(&square, step)| {
            format!("step {step}: {} {}", board.row(square) + first, board.column(square) + first)
        });
        support::print_lines(steps, "\n")?;
    } else {
        support::print(tour)?;
    }
    Ok(!arguments.answer_only)
}

fn kind(tour: &Tour) -> &'static str {
    if tour.is_closed() { "closed" } else { "open" }
}

/// Returns an error if the theorems show that no board of this size has a tour.
fn check_existence(closed: bool, rows: usize, columns: usize) -> Result<(), NoTour> {
    if closed { existence::closed(rows, columns) } else { existence::open(rows, columns) }
}

/// Prints that there is no tour, for this reason.
fn print_none(arguments: &Arguments, reason: impl Display) -> Result<(), Failure> {
    if arguments.answer_only {
        support::print("none\n")
    } else {
        support::print(format_args!("none: {reason}\n"))
    }
}

/// Prints that the search stopped without an answer.
fn print_unknown(arguments: &Arguments, stop: Stop, after: impl Display) -> Result<(), Failure> {
    if arguments.answer_only {
        support::print("unknown\n")?;
    } else {
        support::print(format_args!(
            "unknown: the search stopped after {after} ({stop}); there may be a tour\n"
        ))?;
    }
    support::check_complete(stop)
}
