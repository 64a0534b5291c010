//! Fire-net: reads a board, and prints a largest placement of bunkers, whether it is proved to be
//! optimal, and the effect of each pruning.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::estimate;
use crate::support;
use crate::support::run::Questions;
use clap::Args;
use secateurs::{Limits, Objective, Optimum, Outcome, Problem, Search};
use secateurs_problems::fire_net::{
    Axis, BoundKind, FireNetBoard, FireNetBranching, FireNetPrunings, FireNetSettings, State,
    greedy_restarts,
};

const BUNDLED: &str = include_str!("../data/fire_net.txt");

/// Places as many bunkers as possible on a board with walls, such that no two see each other along
/// a row or a column.
///
/// A board is a line with its side, or with its numbers of rows and columns, and then its rows: `.`
/// is an empty cell, `X` a wall, `B` a given bunker.
#[derive(Args)]
#[command(after_help = "\
The prunings:
   1  candidates from a list       6     rectangles walled on all sides
   2  cells in increasing order    7, 9  rectangles walled on three sides
   3  too few cells left           8, 10 rectangles walled on two sides
   4  as many bunkers as segments
   5  a segment with one candidate
Prunings 6 to 10 are expensive on large boards with few walls: on 300x300 cells with 5 % walls \
they take half a second, while 1 to 5 take a hundredth of one.

The article's programs, with a node for each call of its `Find`:
  --branch cells --prunings none   appendix II
  --branch cells --prunings 1-2    ... then 1-3 and 1-4, in the order of the article
  --branch cells --prunings 1-5    appendix III
They are for small boards: beyond 10x10 they rarely finish. Use --time, or branch on segments.")]
pub struct Arguments {
    /// File of the board, `-` for standard input [default: a bundled board]
    file: Option<PathBuf>,

    /// Generate a random board instead of reading one: its side as in `10`, or its rows and columns
    /// as in `10x20`
    #[arg(long, value_name = "SIZE", value_parser = support::board_size, conflicts_with = "file")]
    random: Option<(usize, usize)>,

    /// Probability that a cell of a random board is a wall [default: 0.2]
    #[arg(long, value_name = "P", value_parser = probability, requires = "random")]
    walls: Option<f64>,

    /// Probability that a cell of a random board is empty, the argument of the article's generator:
    /// `--free 0.8` is `--walls 0.2`
    #[arg(long, value_name = "P", value_parser = probability, requires = "random",
        conflicts_with = "walls")]
    free: Option<f64>,

    /// Seed of random boards, random ties of --greedy, and random probes of --estimate
    #[arg(long, default_value_t = 0, value_parser = support::whole::<u64>)]
    seed: u64,

    /// Print the board in its format, and nothing else
    #[arg(long, conflicts_with_all = ["greedy", "count", "estimate", "svg", "answer_only"])]
    print_board: bool,

    /// Print the segments (the article's horizontal and vertical paths) by number, and the upper
    /// bounds of the board, instead of searching
    #[arg(long, conflicts_with_all = ["print_board", "greedy", "count", "estimate", "svg",
        "answer_only", "prunings", "bound", "branch"])]
    segments: bool,

    /// Prunings to use: `all`, `none`, or numbers such as `1-5` or `1,2,5`
    #[arg(long, default_value_t = FireNetPrunings::of(1..=5))]
    prunings: FireNetPrunings,

    /// Upper bound to prune by: none, cells, segments, components or matching [default: none when
    /// branching on cells, as in the article, and matching otherwise]
    #[arg(long, value_parser = bound)]
    bound: Option<ChosenBound>,

    /// Branch on cells (prunings 5 to 10 then work at the root only, as in the article), on
    /// segments, or on segments with the cell of a maximum matching first: cells, segments or
    /// matching
    #[arg(long, default_value_t = FireNetBranching::Matching)]
    branch: FireNetBranching,

    /// Place bunkers by an estimate function instead of searching, without a proof: in this many
    /// dives, which break ties at random except for the first. This is the article's heuristic
    /// search [default: 1 dive]
    #[arg(long, value_name = "DIVES", num_args = 0..=1, default_missing_value = "1",
        value_parser = support::positive,
        conflicts_with_all = ["prunings", "bound", "branch", "count", "estimate", "threads",
            "progress", "checkpoint", "resume"])]
    greedy: Option<usize>,

    /// Count the placements by number of bunkers (given ones included) instead of maximising,
    /// without prunings and bounds
    #[arg(long, conflicts_with_all = ["prunings", "bound", "branch", "svg"])]
    count: bool,

    /// Estimate the size of the tree and the time of a search from this many random probes, instead
    /// of searching (Knuth 1975). The incumbent is that of a greedy search [default: 10000 probes]
    #[arg(long, value_name = "PROBES", num_args = 0..=1,
        default_missing_value = estimate::DEFAULT_PROBES, value_parser = support::whole::<u64>,
        conflicts_with_all = ["count", "svg", "threads", "nodes", "progress", "checkpoint",
            "resume"])]
    estimate: Option<u64>,

    #[command(flatten)]
    run: support::run::Options,

    /// Print only the number of bunkers, as in `25`, or `at least 24` if it is not proved; with
    /// --count, the number of all placements; with --estimate, of nodes
    #[arg(long)]
    answer_only: bool,

    /// Write a picture to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A bound or none. The parser would treat a plain `Option` as an optional argument.
#[derive(Clone, Copy)]
struct ChosenBound(Option<BoundKind>);

/// Reads the name of a bound, or `none`.
fn bound(name: &str) -> Result<ChosenBound, String> {
    match name {
        "none" => Ok(ChosenBound(None)),
        _ => name
            .parse()
            .map(|bound| ChosenBound(Some(bound)))
            .map_err(|error| format!("{error}, or `none`")),
    }
}

/// Reads a probability.
fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| show(&arguments))
}

fn show(arguments: &Arguments) -> Result<(), support::Failure> {
    let board = board(arguments)?;
    match () {
        () if arguments.print_board => support::print(board),
        () if arguments.segments => print_segments(&board),
        () if arguments.count => count(&board, arguments),
        () => solve(&board, arguments),
    }
}

/// Generates or reads the board.
fn board(arguments: &Arguments) -> Result<FireNetBoard, support::Failure> {
    if let Some((rows, columns)) = arguments.random {
        let empty = arguments.free.unwrap_or(1.0 - arguments.walls.unwrap_or(0.2));
        return Ok(FireNetBoard::random(rows, columns, empty, arguments.seed)?);
    }
    let path = arguments.file.as_deref();
    let board: FireNetBoard = support::read(path, BUNDLED)?
        .parse()
        .map_err(|error| support::with_input_name(path, error))?;
    if board.rows() * board.columns() == 0 {
        let error = io::Error::other("found a board without cells, expected at least one");
        return Err(support::with_input_name(path, error));
    }
    Ok(board)
}

/// Prints the board with the numbers of its segments instead of its empty cells, and its upper
/// bounds.
fn print_segments(board: &FireNetBoard) -> Result<(), support::Failure> {
    let segments = board.segments();
    let names = [(Axis::Row, "row"), (Axis::Column, "column")];
    let width = segments.along(Axis::Row).max(segments.along(Axis::Column)).to_string().len();
    for (axis, name) in names {
        let first = if axis == Axis::Row { 0 } else { segments.along(Axis::Row) };
        let number = |cell| match segments.of(cell) {
            Some(both) => (both[axis as usize] - first + 1).to_string(),
            None => "X".to_owned(),
        };
        support::print(format_args!("{} {name} segments:\n\n", segments.along(axis)))?;
        let rows = (0..board.rows()).map(|row| {
            let cells = (0..board.columns()).map(|column| number(board.cell(row, column)));
            cells.map(|number| format!(" {number:>width$}")).collect::<String>()
        });
        support::print_lines(rows.chain([String::new()]), "\n")?;
    }
    support::print("bound              bunkers at most\n")?;
    // Of two neighbouring cells at most one holds a bunker.
    let half = ("half of the cells".to_owned(), board.cells().div_ceil(2));
    let root = board.root();
    let bounds = BoundKind::ALL.map(|bound| (bound.to_string(), bound.at(board, &root)));
    let lines = [half].into_iter().chain(bounds);
    support::print_lines(lines.map(|(name, most)| format!("{name:<17}  {most:>15}")), "\n")
}

/// Maximises the number of bunkers.
fn solve(board: &FireNetBoard, arguments: &Arguments) -> Result<(), support::Failure> {
    let outcome = match (arguments.greedy, arguments.estimate) {
        (Some(dives), _) => greedy_restarts(board, dives, arguments.seed, arguments.run.limits()),
        (None, Some(probes)) => return predict(board, probes, arguments),
        (None, None) => search(board, arguments)?,
    };
    print_placement(board, outcome, arguments)
}

/// Returns the settings of a search.
fn settings(arguments: &Arguments) -> FireNetSettings {
    let mut settings = match arguments.branch {
        FireNetBranching::Cells => FireNetSettings::article(arguments.prunings),
        branching => FireNetSettings::default().branching(branching).prunings(arguments.prunings),
    };
    if let Some(ChosenBound(bound)) = arguments.bound {
        settings = settings.bound(bound);
    }
    settings.limits(arguments.run.limits())
}

/// Searches for a largest placement.
fn search(
    board: &FireNetBoard,
    arguments: &Arguments,
) -> Result<Outcome<Optimum<usize, Vec<usize>>>, support::Failure> {
    let settings = settings(arguments);
    let placed = Objective::maximise(|_: &FireNetBoard, state: &State| state.placed())
        .named("number of bunkers");
    let search =
        settings.search(board, placed.incumbent()).extract(|node| node.state().bunkers().to_vec());
    let description =
        [&*arguments.branch.to_string(), &*arguments.prunings.to_string(), &*board.to_string()];
    arguments.run.search(search, "fire-net", &description, |search| {
        // The article's programs must visit the same nodes as in the article.
        let search = if arguments.branch == FireNetBranching::Cells {
            search.without_share()
        } else {
            search
        };
        Ok(search.best(&placed))
    })
}

/// Prints and draws the best placement.
fn print_placement(
    board: &FireNetBoard,
    outcome: Outcome<Optimum<usize, Vec<usize>>>,
    arguments: &Arguments,
) -> Result<(), support::Failure> {
    let (value, report) = outcome.into_parts();
    let (bunkers, cells, claim) = match value {
        Optimum::Proven { value, solution } => {
            (value.to_string(), solution, "proved: no placement has more".to_owned())
        }
        Optimum::BestSoFar { value, solution } => (
            format!("at least {value}"),
            solution,
            match arguments.greedy.filter(|_| report.stop().is_exhausted()) {
                Some(1) => "the result of one greedy dive, and not proved".to_owned(),
                Some(dives) => format!("the best of {dives} greedy dives, and not proved"),
                None => format!("the best so far ({}), and not proved", report.stop()),
            },
        ),
        Optimum::NoneBetter { .. } | Optimum::Infeasible | Optimum::Unknown => {
            // The search stopped before it found a placement: only the given bunkers are known.
            let given = board.bunkers().len();
            (
                format!("at least {given}"),
                None,
                format!("nothing else was found ({})", report.stop()),
            )
        }
    };
    let solved = board.with_bunkers(
        cells.into_iter().flatten().filter(|cell| board.bunkers().binary_search(cell).is_err()),
    )?;
    support::write_svg(arguments.svg.as_deref(), || solved.svg(board))?;
    if arguments.answer_only {
        support::print(format_args!("{bunkers}\n"))?;
    } else {
        support::print(format_args!("{solved}\n{bunkers} bunkers, {claim}\n\n{report}"))?;
    }
    support::check_complete(report.stop())
}

/// Estimates the tree of a search whose incumbent comes from a greedy search.
fn predict(
    board: &FireNetBoard,
    probes: u64,
    arguments: &Arguments,
) -> Result<(), support::Failure> {
    let known = greedy_restarts(board, 1, 0, arguments.run.limits()).best_so_far().copied();
    // The probes have the time that is left.
    let (settings, answer_only) = (settings(arguments), arguments.answer_only);
    let estimate = settings.estimate(board, known, probes, arguments.seed);
    let rate = || {
        let trial =
            settings.clone().limits(Limits::new().time(estimate::TRIAL_DURATION)).solve(board);
        trial.report().nodes() as f64 / trial.report().elapsed().as_secs_f64()
    };
    if let Some(bunkers) = known.filter(|_| !answer_only) {
        support::print(format_args!(
            "A greedy search finds {bunkers} bunkers; \
             to find more, or prove that there are none:\n\n"
        ))?;
    }
    estimate::print(&estimate, answer_only, rate)
}

/// Counts the placements of each number of bunkers: the tree of the board itself has each placement
/// once, those of k bunkers at depth k.
fn count(board: &FireNetBoard, arguments: &Arguments) -> Result<(), support::Failure> {
    let search = Search::new(board).limits(arguments.run.limits());
    let description = ["count", &*board.to_string()];
    let outcome =
        arguments.run.search(search, "fire-net", &description, |search| Ok(search.count()))?;
    let report = outcome.report();
    let all = match outcome.exact() {
        Some(count) => count.to_string(),
        None => format!("at least {}", outcome.at_least()),
    };
    if arguments.answer_only {
        support::print(format_args!("{all}\n"))?;
        return support::check_complete(report.stop());
    }
    let head = if outcome.exact().is_some() { "placements" } else { "at least" };
    support::print(format_args!("{board}\n{all} placements\n\nbunkers  {head:>10}\n"))?;
    let lines = (board.bunkers().len()..).zip(report.levels());
    support::print_lines(
        lines.map(|(bunkers, level)| format!("{bunkers:>7}  {:>10}", level.solutions)),
        "\n",
    )?;
    support::print(format_args!("\n{report}"))?;
    support::check_complete(report.stop())
}
