//! Watches a search or a sweep: records it, and writes a page on which its tree unfolds, or its
//! contours.
//!
//! `cargo run --release --example tree` and `cargo run --release --example tree -- --help`

mod searches;
mod summary;
#[path = "../support/mod.rs"]
mod support;
mod sweeps;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use secateurs::Limits;
use secateurs::problems::fire_net::{FireNetBranching, Prunings};
use secateurs::problems::knights_tour::Rule;
use secateurs::problems::rocket_mania::{self, DominanceScope};
use support::Failure;

/// Records a search, and writes a page on which its tree unfolds.
///
/// The page is one file for a browser, without any network. It draws the whole tree, coloured by
/// what became of each node (a solution, a dead end, cut by which pruning), and an outline that
/// unfolds; the node that is chosen shows its path and the picture of its state. Of a sweep, it
/// draws the layers, and the contours that were kept of each.
#[derive(Parser)]
#[command(
    version,
    after_help = "\
  tree                                              the bundled fire-net board, by the article's prunings 1 to 3
  tree fire-net board.txt --prunings 1-5            a board of your own; `tree fire-net --help` says what else there is
  tree queens 12 --html queens.html                 856,189 nodes, each with its board
  tree knights-tour 5 5 --start 1,1 --prunings 1,2  how far each pruning lets the knight go astray
  tree sudoku                                       what full propagation leaves to be tried"
)]
struct Arguments {
    #[command(subcommand)]
    problem: Option<Which>,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
struct Output {
    /// The page
    #[arg(long, global = true, value_name = "FILE", default_value = "tree.html")]
    html: PathBuf,
    /// Record so many nodes, children that a pruning did not admit included; the search goes on
    /// without being recorded
    #[arg(long, global = true, value_name = "N", default_value_t = 1_000_000, value_parser = support::whole::<usize>)]
    nodes: usize,
    /// Of a sweep, keep so many states of each layer
    #[arg(long, global = true, value_name = "N", default_value_t = 48, value_parser = support::whole::<usize>)]
    states: usize,
    /// Stop after so many nodes of a search, or states of a sweep
    #[arg(long, global = true, value_name = "N", value_parser = support::whole::<u64>)]
    stop_after: Option<u64>,
    /// Leave the pictures of states out
    #[arg(long, global = true)]
    no_pictures: bool,
    /// Print nothing but the answer
    #[arg(long, global = true)]
    answer_only: bool,
}

impl Output {
    fn limits(&self) -> Limits {
        self.stop_after.map_or(Limits::new(), |nodes| Limits::new().nodes(nodes))
    }
}

#[derive(Subcommand)]
enum Which {
    /// Place as many bunkers as possible, so that no two see each other
    FireNet(FireNet),
    /// Place queens that do not attack each other: all solutions
    Queens(Queens),
    /// Lead a knight over all squares of a board: the first tour, or all
    KnightsTour(KnightsTour),
    /// Solve a Sudoku by propagation: all solutions
    Sudoku(Sudoku),
    /// Turn blocks of fuse so that fire gets to as many rockets as possible: a sweep
    RocketMania(RocketMania),
    /// Loops through all cells of a board: a sweep
    HamiltonianCycles(Board),
    /// Paths through all cells, from corner to corner: a sweep
    HamiltonianPaths(Board),
    /// Loops through any cells: a sweep
    SimpleCycles(Board),
    /// Paths through any cells, from corner to corner: a sweep
    SimplePaths(Board),
}

#[derive(Args)]
struct FireNet {
    /// The board: a line with its side, or its rows and columns, then its rows of `.` and `X`; `-`
    /// reads standard input
    file: Option<PathBuf>,
    /// Prunings: `all`, `none`, or numbers such as `1-5`, as `fire_net --help` lists them
    #[arg(long, default_value_t = Prunings::of(1..=3))]
    prunings: Prunings,
    /// What to branch on: cells (as in the article) or segments
    #[arg(long, default_value_t = FireNetBranching::Cells)]
    branch: FireNetBranching,
}

#[derive(Args)]
struct Queens {
    /// Rows, columns and queens
    #[arg(value_name = "N", default_value_t = 6, value_parser = support::whole::<usize>)]
    size: usize,
    /// Take only one of two solutions that are mirror images
    #[arg(long)]
    mirror: bool,
}

#[derive(Args)]
struct KnightsTour {
    /// Rows
    #[arg(default_value_t = 5, value_parser = support::whole::<usize>)]
    rows: usize,
    /// Columns: as many as rows, if not given
    #[arg(value_parser = support::whole::<usize>)]
    columns: Option<usize>,
    /// Where to start, as ROW,COLUMN from 1; anywhere, if not given
    #[arg(long, value_name = "ROW,COLUMN", value_parser = square)]
    start: Option<(usize, usize)>,
    /// The tour is to end a knight's move from where it starts
    #[arg(long)]
    closed: bool,
    /// All tours, in place of the first
    #[arg(long)]
    all: bool,
    /// In which order squares are tried: plain, warnsdorff, farthest, successor, pohl, …
    #[arg(long, default_value_t = Rule::Plain)]
    rule: Rule,
    /// Prunings: 1 parity, 2 dead ends, 3 one exit, 4 a rest that is not connected; `all`, `none`,
    /// or numbers such as `1,2`
    #[arg(long, default_value_t = searches::TourPrunings::ALL)]
    prunings: searches::TourPrunings,
}

#[derive(Args)]
struct Sudoku {
    /// The board: a line a row, `.` or `0` for a blank; `-` reads standard input
    file: Option<PathBuf>,
}

#[derive(Args)]
struct RocketMania {
    /// The cases, as `rocket_mania --help` says; `-` reads standard input
    file: Option<PathBuf>,
    /// Which of the cases
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = support::whole::<usize>)]
    case: usize,
    /// Light all matches: Rocket Mania Plus
    #[arg(long)]
    plus: bool,
    /// Prunings: `all`, `none`, or numbers such as `1,2`
    #[arg(long, default_value_t = rocket_mania::Prunings::ALL)]
    prunings: rocket_mania::Prunings,
    /// Compare contours of a layer with the best one only (`best`) or with all (`full`) [default:
    /// neither]
    #[arg(long, value_name = "best|full")]
    dominance: Option<DominanceScope>,
}

#[derive(Args)]
struct Board {
    /// Rows
    #[arg(default_value_t = 6, value_parser = support::whole::<usize>)]
    rows: usize,
    /// Columns: as many as rows, if not given
    #[arg(value_parser = support::whole::<usize>)]
    columns: Option<usize>,
    /// A board with obstacles: a line a row, `.` for a free cell and `*` for an obstacle
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rows", "columns"])]
    file: Option<PathBuf>,
}

/// A square of the command line.
fn square(text: &str) -> Result<(usize, usize), String> {
    let number =
        |part: &str| part.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    text.split_once(',')
        .and_then(|(row, column)| Some((number(row)?, number(column)?)))
        .ok_or_else(|| "expected ROW,COLUMN, two numbers from 1 as in 1,1".to_owned())
}

fn main() -> ExitCode {
    let Arguments { problem, output } = Arguments::parse();
    support::run(|| watch(problem, &output))
}

fn watch(problem: Option<Which>, output: &Output) -> Result<(), Failure> {
    let bundled =
        || FireNet { file: None, prunings: Prunings::of(1..=3), branch: FireNetBranching::Cells };
    match problem.unwrap_or_else(|| Which::FireNet(bundled())) {
        Which::FireNet(options) => searches::fire_net(&options, output),
        Which::Queens(options) => searches::queens(&options, output),
        Which::KnightsTour(options) => searches::knights_tour(&options, output),
        Which::Sudoku(options) => searches::sudoku(&options, output),
        Which::RocketMania(options) => sweeps::rocket_mania(&options, output),
        Which::HamiltonianCycles(board) => {
            sweeps::lines(sweeps::Lines::HamiltonianCycles, &board, output)
        }
        Which::HamiltonianPaths(board) => {
            sweeps::lines(sweeps::Lines::HamiltonianPaths, &board, output)
        }
        Which::SimpleCycles(board) => sweeps::lines(sweeps::Lines::SimpleCycles, &board, output),
        Which::SimplePaths(board) => sweeps::lines(sweeps::Lines::SimplePaths, &board, output),
    }
}
