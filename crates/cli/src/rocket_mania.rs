//! Rocket Mania: turn blocks of fuse such that as many rockets as possible start.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use crate::support;
use clap::Args;
use secateurs::{Optimum, Outcome, Report, Stop};
use secateurs_problems::rocket_mania::{
    Case, DominanceScope, Matches, Mode, RocketBoard, RocketPrunings, RocketSettings, Rotation,
};

const BUNDLED: &str = include_str!("../data/rocket_mania.txt");

/// Turns blocks of fuse so that fire gets from the matches on the left to as many rockets as
/// possible on the right.
///
/// A case is a line with the row of the lit match, counted from 1, and then the rows of the board:
/// `.` is an empty cell; `-`, `L`, `T` and `+` are blocks that lead to two, three or four sides.
/// The next number begins the next case. With --plus all matches are lit; boards may then be given
/// without numbers, separated by blank lines unless all have 9 rows of 6 cells.
#[derive(Args)]
#[command(after_help = "\
The prunings apply to contours (the state of the border between processed and unprocessed cells
while the sweep proceeds column by column):
   1  drop a contour without a lit plug
   2  delete an unlit plug that is connected to no other plug
   3  drop a contour all of whose plugs are lit in the one with the most lit plugs
   4  delete an unlit plug that leads to a rocket and can no longer be lit
Dominance drops contours that are contained in another one, with their connections and their fire.

Boards may have any width and up to 24 rows. The number of contours depends on the board. For
large boards use --dominance full, and set a limit of each case: a board of corners alone may need
too much time and memory.

  rocket_mania                             draw the solutions of the bundled cases
  rocket_mania --random 9x6 --match best   draw that of a random board, with the best one match
  rocket_mania --prunings 1,2 --contours   print numbers of contours, as in the paper's Table 4
  rocket_mania FILE --plus --answer-only   print one number per case, as in the original problem")]
pub struct Arguments {
    /// The file of the cases, `-` for standard input [default: bundled cases]
    file: Option<PathBuf>,

    /// Generate a random board instead of reading cases: its side as in `10`, or its rows and
    /// columns as in `9x6`. The match in row 1 is lit, unless --match or --plus says otherwise
    #[arg(long, value_name = "SIZE", value_parser = support::board_size, conflicts_with = "file")]
    random: Option<(usize, usize)>,

    /// Seed of random boards
    #[arg(long, default_value_t = 0, requires = "random", value_parser = support::whole::<u64>)]
    seed: u64,

    /// Print the cases in their format, and nothing else
    #[arg(long, conflicts_with_all = ["contours", "answer_only", "svg"])]
    print_board: bool,

    /// Light all matches: Rocket Mania Plus
    #[arg(long)]
    plus: bool,

    /// Light the match in this row, instead of the one that a case states; with `best`, the first
    /// of those that start the most rockets, after trying each of them alone
    #[arg(long, value_name = "ROW|best", conflicts_with = "plus")]
    r#match: Option<ChosenMatch>,

    /// Prunings to use: `all`, `none`, or numbers such as `1,2` or `1-3`
    #[arg(long, default_value_t = RocketPrunings::ALL)]
    prunings: RocketPrunings,

    /// Compare contours of a layer with the best one only (`best`) or with all (`full`) [default:
    /// neither]
    #[arg(long, value_name = "best|full")]
    dominance: Option<DominanceScope>,

    /// Print the number of contours after each cell, and their sum, instead of the solution
    #[arg(long)]
    contours: bool,

    /// Print only the number of rockets, one line per case
    #[arg(long, conflicts_with = "contours")]
    answer_only: bool,

    /// Draw the solution as an SVG file; for several cases, FILE-1, FILE-2 and so on, with the
    /// number before the extension
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    sweep: support::limits::SweepOptions,
}

/// The match to be lit instead of that of a case.
#[derive(Clone, Copy)]
enum ChosenMatch {
    /// The one in this row, counted from 1.
    Row(usize),
    Best,
}

impl FromStr for ChosenMatch {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "best" => Ok(ChosenMatch::Best),
            row => support::positive(row)
                .map(ChosenMatch::Row)
                .map_err(|_| "expected the number of a row, from 1, or `best`"),
        }
    }
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| {
        let cases = cases(&arguments)?;
        // The number would be added to the name of a folder, and the pictures written beside it.
        if let Some(path) = arguments.svg.as_deref().filter(|path| path.is_dir()) {
            return Err(
                format!("{}: found a folder, expected the name of a file", path.display()).into()
            );
        }
        let mut sum = 0;
        for (index, case) in cases.iter().enumerate() {
            let number = index + 1;
            let case = &with_match(&arguments, case, number)?;
            if arguments.print_board {
                // The boards of Rocket Mania Plus have no numbers that separate them.
                let separator = if arguments.plus && index > 0 { "\n" } else { "" };
                support::print(format_args!("{separator}{case}"))?;
            } else {
                sum += solve(&arguments, case, number, cases.len())?;
            }
        }
        if arguments.contours && cases.len() > 1 {
            support::print(format_args!("{sum} contours in all {} cases\n", cases.len()))?;
        }
        Ok(())
    })
}

/// Generates or reads the cases.
fn cases(arguments: &Arguments) -> Result<Vec<Case>, support::Failure> {
    if let Some((rows, columns)) = arguments.random {
        let board = RocketBoard::random(rows, columns, arguments.seed)?;
        let matches = if arguments.plus { Matches::All } else { Matches::One(0) };
        return Ok(vec![Case::new(board, matches)?]);
    }
    let path = arguments.file.as_deref();
    // The cases of Rocket Mania Plus need not state the match that is chosen here.
    let mode = match arguments.plus || arguments.r#match.is_some() {
        true => Mode::Plus,
        false => Mode::Single,
    };
    let cases: Vec<Case> = mode
        .cases(&support::read(path, BUNDLED)?)
        .map_err(|error| support::with_input_name(path, error))?;
    if cases.is_empty() {
        let error = io::Error::other("found no case, expected the row of a match, then a board");
        return Err(support::with_input_name(path.or(Some(Path::new("-"))), error));
    }
    Ok(cases)
}

fn settings(arguments: &Arguments) -> RocketSettings {
    RocketSettings::default()
        .prunings(arguments.prunings)
        .dominance(arguments.dominance)
        .limits(arguments.sweep.limits())
        .threads(arguments.sweep.threads())
}

/// Returns the largest number of rockets of a complete run.
fn complete(
    outcome: Outcome<Optimum<usize, Rotation>>,
    arguments: &Arguments,
    case: &Case,
    number: usize,
) -> Result<(usize, Outcome<Optimum<usize, Rotation>>), support::Failure> {
    let stop = outcome.stop();
    arguments.sweep.limits.spend(outcome.report());
    if stop == Stop::StateTooWide {
        let rows = case.board().rows();
        return Err(format!("case {number}: found {rows} rows, expected at most 24").into());
    }
    support::print_unknown(outcome.report(), arguments.answer_only)?;
    let outcome = outcome
        .complete()
        .map_err(|error| support::Unfinished::new(stop, format_args!("case {number}: {error}")))?;
    let rockets = outcome.proven().copied().ok_or("the hooks lose the optimum")?;
    Ok((rockets, outcome))
}

/// Returns the case with the chosen match instead of its own, and prints what each match achieves
/// if the best one is requested.
fn with_match(arguments: &Arguments, case: &Case, number: usize) -> Result<Case, support::Failure> {
    let lit = |row| {
        Case::new(case.board().clone(), Matches::One(row))
            .map_err(|error| format!("case {number}: {error}"))
    };
    match arguments.r#match {
        None => Ok(case.clone()),
        Some(ChosenMatch::Row(row)) => Ok(lit(row - 1)?),
        Some(ChosenMatch::Best) => {
            let mut by_match = Vec::new();
            for row in 0..case.board().rows() {
                let outcome = settings(arguments).rockets(&lit(row)?);
                by_match.push(complete(outcome, arguments, case, number)?.0);
            }
            let most = by_match.iter().max().copied();
            let best = by_match.iter().position(|&rockets| Some(rockets) == most).unwrap_or(0);
            if !(arguments.answer_only || arguments.print_board) {
                let rockets: Vec<String> = by_match.iter().map(usize::to_string).collect();
                support::print(format_args!(
                    "case {number}: rockets by match: {}; match {} is lit\n",
                    rockets.join(" "),
                    best + 1
                ))?;
            }
            Ok(lit(best)?)
        }
    }
}

/// Solves a case, prints the requested output, and returns the number of expanded contours.
fn solve(
    arguments: &Arguments,
    case: &Case,
    number: usize,
    cases: usize,
) -> Result<u64, support::Failure> {
    let settings = settings(arguments);
    let needs_rotation = arguments.svg.is_some() || !(arguments.contours || arguments.answer_only);
    let outcome = if needs_rotation { settings.solve(case) } else { settings.rockets(case) };
    let (rockets, outcome) = complete(outcome, arguments, case, number)?;
    if let Some(rotation) = outcome.solution() {
        let path = arguments
            .svg
            .as_deref()
            .map(|path| if cases == 1 { path.to_owned() } else { numbered(path, number) });
        support::write_svg(path.as_deref(), || case.svg(rotation))?;
    }
    let report = outcome.report();
    if arguments.answer_only {
        support::print(format_args!("{rockets}\n"))?;
    } else {
        let rows = case.board().rows();
        support::print(format_args!(
            "case {number}: {rockets} of {rows} rockets, {} contours\n",
            report.nodes()
        ))?;
        if arguments.contours {
            support::print(states(case, report))?;
        } else if let Some(rotation) = outcome.solution() {
            support::print(case.draw(rotation))?;
        }
        support::print("\n")?;
    }
    Ok(report.nodes())
}

/// Returns the path with a number before its extension.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Returns a text with the number of contours after each cell in the layout of the board, their
/// sum, and the cuts of each pruning.
fn states(case: &Case, report: &Report) -> String {
    let rows = case.board().rows();
    let states: Vec<u64> = report.levels().iter().skip(1).map(|level| level.nodes).collect();
    let width = states.iter().max().map_or(1, |most| most.to_string().len()) + 2;
    let mut text = String::from("contours after each cell:\n");
    for row in 0..rows {
        for states in states.iter().skip(row).step_by(rows) {
            text += &format!("{states:>width$}");
        }
        text.push('\n');
    }
    text += &format!("sum + 1 = {}\n", report.nodes());
    for hook in report.hooks().iter().filter(|hook| hook.cuts() > 0) {
        text += &format!("{} dropped {}\n", hook.name(), hook.cuts());
    }
    text
}
