//! Records a search or a sweep, and writes a page with its tree or its layers.
//!
//! `secateurs tree` and `secateurs tree --help`

mod searches;
mod summary;
mod sweeps;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::support::{self, Failure};
use clap::{Args, Command, Subcommand};
use secateurs::Limits;
use secateurs_problems::fire_net::{FireNetBranching, FireNetPrunings};
use secateurs_problems::knights_tour::Rule;
use secateurs_problems::maze::StepOrder;
use secateurs_problems::rocket_mania::{self, DominanceScope};

/// Records a search or a sweep, and writes a page with its tree or its layers.
///
/// The page is a self-contained HTML file. For a search it draws the whole tree, coloured by the
/// outcome of each node (a solution, a dead end, cut off by a pruning), and a foldable outline; the
/// selected node shows its path and the picture of its state. For a sweep it draws the layers, and
/// a sample of the states of each.
#[derive(Args)]
#[command(after_help = "\
  tree                                              the bundled fire-net board, prunings 1 to 3
  tree fire-net board.txt --prunings 1-5            a board of your own; see `tree fire-net --help`
  tree queens 12 --html queens.html                 856,189 nodes, each with its board
  tree knights-tour 5 5 --start 1,1 --prunings 1,2  which dead ends these prunings leave
  tree maze --again                                 a mouse in a maze, and its second run
  tree sudoku                                       the choices that full propagation leaves")]
pub struct Arguments {
    #[command(subcommand)]
    problem: Option<ProblemCommand>,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
struct Output {
    /// The page
    #[arg(long, global = true, value_name = "FILE", default_value = "tree.html")]
    html: PathBuf,
    /// The maximal number of recorded nodes, including children that were not admitted; the search
    /// continues unrecorded
    #[arg(long, global = true, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = support::whole::<usize>)]
    record_nodes: usize,
    /// The number of states to keep of each layer of a sweep
    #[arg(long, global = true, value_name = "N", default_value_t = 48)]
    #[arg(value_parser = support::whole::<usize>)]
    record_states: usize,
    #[command(flatten)]
    limits: support::limits::Options,
    /// Stop when a layer of a sweep has more states than this
    #[arg(long, global = true, value_name = "N", value_parser = support::whole::<u64>)]
    states: Option<u64>,
    /// Omits the pictures of states
    #[arg(long, global = true)]
    no_pictures: bool,
    /// Prints only the answer
    #[arg(long, global = true)]
    answer_only: bool,
}

impl Output {
    fn limits(&self) -> Limits {
        let limits = self.limits.limits();
        self.states.map_or(limits.clone(), |states| limits.states(states))
    }
}

#[derive(Subcommand)]
enum ProblemCommand {
    /// Place as many bunkers as possible, so that no two see each other
    FireNet(FireNet),
    /// Place queens that do not attack each other: all solutions
    Queens(Queens),
    /// Lead a knight over all squares of a board: the first tour, or all
    KnightsTour(KnightsTour),
    /// Lead Shannon's mouse to the goal of a maze, depth-first: the first path
    Maze(Maze),
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
    /// Prunings: `all`, `none`, or numbers such as `1-5`, as `secateurs fire-net --help` lists them
    #[arg(long, default_value_t = FireNetPrunings::of(1..=3))]
    prunings: FireNetPrunings,
    /// Records a second run with these prunings, beside the first one, to see where they differ
    #[arg(long, value_name = "PRUNINGS")]
    beside: Option<FireNetPrunings>,
    /// The branching: on cells (as in the article), on segments, or on segments with the cell of a
    /// maximum matching first: cells, segments or matching
    #[arg(long, default_value_t = FireNetBranching::Cells)]
    branch: FireNetBranching,
}

#[derive(Args)]
struct Queens {
    /// Rows, columns and queens
    #[arg(value_name = "N", default_value_t = 6, value_parser = support::positive)]
    size: usize,
    /// Keeps only one of two solutions that are mirror images
    #[arg(long)]
    mirror: bool,
    /// Records a second run without `--mirror`, beside the first one, to see where they differ
    #[arg(long, requires = "mirror")]
    beside: bool,
}

#[derive(Args)]
struct KnightsTour {
    /// Rows
    #[arg(default_value_t = 5, value_parser = support::positive)]
    rows: usize,
    /// Columns [default: as many as rows]
    #[arg(value_parser = support::positive)]
    columns: Option<usize>,
    /// The start, as ROW,COLUMN from 1 [default: any square]
    #[arg(long, value_name = "ROW,COLUMN", value_parser = square)]
    start: Option<(usize, usize)>,
    /// Requires a closed tour, which ends a knight's move from its start
    #[arg(long)]
    closed: bool,
    /// Finds all tours instead of the first
    #[arg(long)]
    all: bool,
    /// The order of squares: plain, warnsdorff, farthest, successor, pohl, …
    #[arg(long, default_value_t = Rule::Plain)]
    rule: Rule,
    /// Prunings: 1 parity, 2 dead ends, 3 one exit, 4 a rest that is not connected; `all`, `none`,
    /// or numbers such as `1,2`
    #[arg(long, default_value_t = searches::TourPrunings::ALL)]
    prunings: searches::TourPrunings,
}

#[derive(Args)]
struct Maze {
    /// The maze, in the format of `secateurs maze --help`; `-` reads standard input [default: a bundled maze]
    file: Option<PathBuf>,
    /// The order in which the mouse tries the four directions
    #[arg(long, value_name = "DIRECTIONS", default_value_t = StepOrder::default())]
    order: StepOrder,
    /// Records a second run from memory, beside the first one, to see where they differ
    #[arg(long)]
    again: bool,
}

#[derive(Args)]
struct Sudoku {
    /// The board: a line a row, `.` or `0` for a blank; `-` reads standard input
    file: Option<PathBuf>,
}

#[derive(Args)]
struct RocketMania {
    /// The cases, in the format of `secateurs rocket-mania --help`; `-` reads standard input
    file: Option<PathBuf>,
    /// The number of the case
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = support::whole::<usize>)]
    case: usize,
    /// Lights all matches: Rocket Mania Plus
    #[arg(long)]
    plus: bool,
    /// Prunings: `all`, `none`, or numbers such as `1,2`
    #[arg(long, default_value_t = rocket_mania::RocketPrunings::ALL)]
    prunings: rocket_mania::RocketPrunings,
    /// Compares contours of a layer with the best one only (`best`) or with all (`full`) [default:
    /// neither]
    #[arg(long, value_name = "best|full")]
    dominance: Option<DominanceScope>,
}

#[derive(Args)]
struct Board {
    /// Rows
    #[arg(default_value_t = 6, value_parser = support::positive)]
    rows: usize,
    /// Columns [default: as many as rows]
    #[arg(value_parser = support::positive)]
    columns: Option<usize>,
    /// A board with obstacles: a line a row, `.` for a free cell and `*` for an obstacle
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rows", "columns"])]
    file: Option<PathBuf>,
}

/// Parses a square of the command line.
fn square(text: &str) -> Result<(usize, usize), String> {
    let number =
        |part: &str| part.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    text.split_once(',')
        .and_then(|(row, column)| Some((number(row)?, number(column)?)))
        .ok_or_else(|| "expected ROW,COLUMN, two numbers from 1 as in 1,1".to_owned())
}

/// Allows limits before and after the problem, as the other options.
pub fn with_global_limits(command: Command) -> Command {
    let names = ["time", "nodes", "memory"];
    names.into_iter().fold(command, |command, name| command.mut_arg(name, |arg| arg.global(true)))
}

/// Runs the command.
pub fn run(Arguments { problem, output }: Arguments) -> ExitCode {
    support::run(|| record(problem, &output))
}

fn record(problem: Option<ProblemCommand>, output: &Output) -> Result<(), Failure> {
    let bundled = || FireNet {
        file: None,
        beside: None,
        prunings: FireNetPrunings::of(1..=3),
        branch: FireNetBranching::Cells,
    };
    match problem.unwrap_or_else(|| ProblemCommand::FireNet(bundled())) {
        ProblemCommand::FireNet(options) => searches::fire_net(&options, output),
        ProblemCommand::Queens(options) => searches::queens(&options, output),
        ProblemCommand::KnightsTour(options) => searches::knights_tour(&options, output),
        ProblemCommand::Maze(options) => searches::maze(&options, output),
        ProblemCommand::Sudoku(options) => searches::sudoku(&options, output),
        ProblemCommand::RocketMania(options) => sweeps::rocket_mania(&options, output),
        ProblemCommand::HamiltonianCycles(board) => {
            sweeps::strands(sweeps::StrandsKind::HamiltonianCycles, &board, output)
        }
        ProblemCommand::HamiltonianPaths(board) => {
            sweeps::strands(sweeps::StrandsKind::HamiltonianPaths, &board, output)
        }
        ProblemCommand::SimpleCycles(board) => {
            sweeps::strands(sweeps::StrandsKind::SimpleCycles, &board, output)
        }
        ProblemCommand::SimplePaths(board) => {
            sweeps::strands(sweeps::StrandsKind::SimplePaths, &board, output)
        }
    }
}
