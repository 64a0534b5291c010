//! A knight's tour of a board: `cargo run --release --example knights_tour -- 8 8 --start 1,1`.

#[path = "support/mod.rs"]
mod support;

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Parser, ValueEnum};
use secateurs::csp::{Ascending, Assignment, Branching, Propagate, SmallestDomain};
use secateurs::problems::knights_tour::{
    Answer, Board, BoardError, KnightsTour, NoTour, Rule, Tour, TourSearch, existence,
};
use secateurs::{Found, Limits, Search};

/// Finds a knight's tour: a path of knight's moves that visits every square of a board once.
///
/// Prints the board with the number of each square's step and what the search took, or the reason why there is no tour.
#[derive(Parser)]
#[command(allow_negative_numbers = true)]
struct Arguments {
    /// Rows of the board
    #[arg(default_value_t = 8, value_parser = support::whole::<usize>)]
    rows: usize,
    /// Columns of the board [default: as many as rows]
    #[arg(value_parser = support::whole::<usize>)]
    columns: Option<usize>,
    /// The square to start from, as ROW,COLUMN from 1,1 in the top left corner [default: any]
    #[arg(long, value_name = "ROW,COLUMN", allow_hyphen_values = true)]
    start: Option<Place>,
    /// Ask for a tour that ends a knight's move from where it starts
    #[arg(long)]
    closed: bool,
    /// Which move to try first: plain (a fixed order), warnsdorff (the square with the fewest exits), and of those
    /// farthest (from the centre), successor (whose next square has the fewest exits), pohl (the sum of these), or
    /// successor-farthest [--model walk; default: farthest]
    #[arg(long)]
    rule: Option<Rule>,
    /// How tours are searched; what the others are worth is told in the documentation of the module. Only `walk` has
    /// rules, seeds and restarts, and knows beforehand of boards without tours
    #[arg(long, value_enum, default_value_t = Model::Walk)]
    model: Model,
    /// What the random choices of restarts are drawn from: the same tour for the same seed [--model walk; default: 0]
    #[arg(long, value_parser = support::whole::<u64>)]
    seed: Option<u64>,
    /// Give up after this many nodes [default: 50 million, and 50 for each square]
    #[arg(long, value_parser = support::whole::<u64>)]
    nodes: Option<u64>,
    /// Draw the tour into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print nothing but the numbered board, or `none`
    #[arg(long)]
    answer_only: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Model {
    /// Step by step, by a rule, with restarts; `warnsdorff` is another name for it
    #[value(alias = "warnsdorff")]
    Walk,
    /// As an exact cover of leaving and entering squares, without subtours
    Cover,
    /// As a constraint network: each square has a successor, and all make one circuit
    Circuit,
}

/// The most squares of a board for other models than the walk, which takes much less memory.
const MODELLED: usize = 40_000;

/// A square as it is written on the command line.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    column: usize,
}

impl Place {
    fn is_on(self, rows: usize, columns: usize) -> bool {
        self.row <= rows && self.column <= columns
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| part.trim().parse::<usize>().ok().filter(|&number| number > 0);
        text.split_once(',')
            .and_then(|(row, column)| Some(Place { row: number(row)?, column: number(column)? }))
            .ok_or_else(|| format!("expected ROW,COLUMN, two numbers from 1 as in 1,1; found `{text}`"))
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| show(&arguments))
}

fn show(arguments: &Arguments) -> Result<(), support::Failure> {
    let (rows, columns) = (arguments.rows, arguments.columns.unwrap_or(arguments.rows));
    let board = match (Board::new(rows, columns), known(arguments.closed, rows, columns)) {
        // Too large to be searched, but the answer is known all the same.
        (Err(BoardError::TooLarge { .. }), Err(reason)) if arguments.start.is_none_or(|at| at.is_on(rows, columns)) => {
            return none(arguments, reason);
        }
        (board, _) => board?,
    };
    if arguments.model != Model::Walk {
        if arguments.rule.is_some() || arguments.seed.is_some() {
            return Err("--rule and --seed are for tours that are searched step by step: expected --model walk".into());
        }
        return show_modelled(arguments, board);
    }
    let rule = arguments.rule.unwrap_or_default();
    let mut search = TourSearch::new(board).rule(rule).seed(arguments.seed.unwrap_or(0));
    if arguments.closed {
        search = search.closed();
    }
    if let Some(Place { row, column }) = arguments.start {
        search = search.starting_at(row - 1, column - 1)?;
    }
    if let Some(nodes) = arguments.nodes {
        search = search.limits(Limits::new().nodes(nodes));
    }
    let solved = search.solve();
    let tour = match solved.answer() {
        Answer::Tour(tour) => tour,
        Answer::None(reason) => return none(arguments, *reason),
        _ => {
            let (attempts, nodes) = (solved.attempts(), solved.nodes());
            return Err(format!(
                "gave up in attempt {attempts}, after {nodes} nodes: there may be a tour; \
                 another --rule or --seed, or more --nodes may find it"
            )
            .into());
        }
    };
    if !print_tour(arguments, tour)? {
        return Ok(());
    }
    let kind = kind(tour);
    support::print(format_args!(
        "\n{board}, {kind} tour by the rule `{}`: attempt {}, {} nodes in all\n",
        rule,
        solved.attempts(),
        solved.nodes()
    ))?;
    match solved.report() {
        Some(report) => support::print(format_args!("\nThe last attempt:\n{report}")),
        None => Ok(()),
    }
}

/// Searches a tour by another model.
fn show_modelled(arguments: &Arguments, board: Board) -> Result<(), support::Failure> {
    if board.len() > MODELLED {
        return Err(
            format!("the models take at most {MODELLED} squares, found {board}; --model walk takes more").into()
        );
    }
    let mut problem = if arguments.closed { KnightsTour::closed(board) } else { KnightsTour::open(board) };
    if let Some(Place { row, column }) = arguments.start {
        problem = problem.starting_at(row - 1, column - 1)?;
    }
    let limits = Limits::new().nodes(arguments.nodes.unwrap_or(50 * (1_000_000 + board.len() as u64)));
    let (outcome, name) = if arguments.model == Model::Cover {
        let tours = problem.cover()?;
        let search = Search::new(tours.cover()).hooks((tours.no_subtours(),)).limits(limits);
        (search.extract(|node| tours.tour(&node.path().to_vec())).first(), "exact cover")
    } else {
        let tours = problem.circuit()?;
        let order = Branching::new(SmallestDomain::first_tie(), Ascending);
        let search = Search::new(tours.network()).hooks((Propagate::full(),)).brancher(order).limits(limits);
        (search.extract(|node| tours.tour(&Assignment::of(node))).first(), "circuit")
    };
    let nodes = outcome.report().nodes();
    let tour = match outcome.value() {
        Found::Solution(tour) => tour.clone()?,
        Found::None => {
            return none(
                arguments,
                format_args!("the whole tree was searched ({nodes} nodes), and there is no tour in it"),
            );
        }
        _ => return Err(format!("gave up after {nodes} nodes: there may be a tour; more --nodes may find it").into()),
    };
    if !print_tour(arguments, &tour)? {
        return Ok(());
    }
    let kind = kind(&tour);
    support::print(format_args!("\n{board}, {kind} tour as {name}: {nodes} nodes\n\n{}", outcome.report()))
}

/// Prints and draws the tour; whether more is to be told of it.
fn print_tour(arguments: &Arguments, tour: &Tour) -> Result<bool, support::Failure> {
    support::write_svg(arguments.svg.as_deref(), || tour.to_svg())?;
    support::print(tour)?;
    Ok(!arguments.answer_only)
}

fn kind(tour: &Tour) -> &'static str {
    if tour.is_closed() { "closed" } else { "open" }
}

/// What is known of all boards.
fn known(closed: bool, rows: usize, columns: usize) -> Result<(), NoTour> {
    if closed { existence::closed(rows, columns) } else { existence::open(rows, columns) }
}

fn none(arguments: &Arguments, reason: impl Display) -> Result<(), support::Failure> {
    if arguments.answer_only { support::print("none\n") } else { support::print(format_args!("none: {reason}\n")) }
}
