//! Audits prunings: searches what they cut off, on all small boards and on random ones, and prints
//! the smallest board found on which one violates its claim.

mod boards;
mod fire_net;
mod items;
mod queens;
mod readings;
mod rocket_mania;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::support::progress::Bar;
use crate::support::{self, CheckFailed, Unfinished, interrupt};
use clap::{Args, ValueEnum};
use items::{Finding, Item, Sample};
use secateurs::Stop;
use secateurs_lab::{Coverage, GapReason};

/// Tests the claims of prunings on all small boards and on random ones.
///
/// Whatever a pruning cuts off is searched without it. If something is lost that the pruning claims
/// to keep, the board is shrunk and printed with the state where this happened. `--wrong`
/// demonstrates this on unsound prunings.
#[derive(Args)]
#[command(after_help = "\
Exit code: 0 if no audited pruning violates its claim, 1 if one does, 2 on bad input, 3 if --time is
up or all checks of a pruning were left out. Only a violation is a proof: without one, a pruning is
sound on the audited boards, as far as they were checked.

Examples:
  audit fire-net                                 the ten prunings, each by itself and all together
  audit fire-net --wrong 9a                      a misreading of pruning 9, and where it fails
  audit rocket-mania --hooks 3,full --boards 500 two dominance relations on more boards
  audit queens --small 10 --boards 0             symmetries of empty boards of up to 10 rows
  audit fire-net --list                          the names for --hooks and --wrong

The columns of the table: audited boards; checked cuts (nodes or states that were cut off);
checked tightenings (states that a pruning tightened or replaced); nodes at which bounds, keys or
relations were checked; pairs of states one of which dominates the other. `left out` counts omitted
checks: because of --share, because a subtree is too large, or because nothing is claimed, for
example. `ended` counts searches that a limit stopped.")]
pub struct Arguments {
    /// The problem
    problem: Problem,

    /// The prunings to audit, by the names that `--list` prints, separated by commas [default: all
    /// sound ones]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    hooks: Vec<String>,

    /// Audits an unsound pruning, by its name: see `--list`
    #[arg(long, value_name = "NAME", conflicts_with = "hooks")]
    wrong: Option<String>,

    /// Prints the names of all prunings, and exits
    #[arg(long)]
    list: bool,

    /// Audits all boards of up to this many rows and columns [default: 3 for fire-net, 2 for
    /// rocket-mania, 8 for queens; 4 for fire-net takes minutes]
    #[arg(long, value_name = "SIDE")]
    small: Option<usize>,

    /// Audits this many random boards as well (for queens, with some queens given)
    #[arg(long, value_name = "N", default_value_t = 200)]
    boards: u64,

    /// The maximal number of rows and columns of random boards [default: 8 for fire-net and queens,
    /// 3 for rocket-mania]
    #[arg(long, value_name = "SIDE")]
    size: Option<usize>,

    /// The seed of random boards and samples
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The node limit of searches of random boards and of subtrees below cuts; a sweep is not
    /// audited if a layer has more states
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,

    /// Stop after this time, with the results so far: seconds as in `0.5`, or with a unit as in
    /// `2m`
    #[arg(long, value_name = "TIME", value_parser = support::limits::time)]
    time: Option<Duration>,

    /// The share of the actions of prunings that is checked, above 0, and 1 at most
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    share: f64,

    /// Prints only `no violation`, `unsound`, or `unknown`
    #[arg(long)]
    answer_only: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Problem {
    /// Ten prunings and four bounds of a search for the most bunkers on a board with walls
    FireNet,
    /// Four prunings and two kinds of dominance of a sweep along fuses
    RocketMania,
    /// Symmetries and a memo of a search that counts
    Queens,
}

fn share(text: &str) -> Result<f64, String> {
    let expected = || "expected a number above 0, and 1 at most".to_owned();
    text.parse().ok().filter(|&share| share > 0.0 && share <= 1.0).ok_or_else(expected)
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| audit(&arguments))
}

/// Returns the items of these names, in the order in which they are listed; all items if there are
/// no names.
fn select(all: Vec<Item>, names: &[String]) -> Result<Vec<Item>, support::Failure> {
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|item| item.name != **name)) {
        let known: Vec<&str> = all.iter().map(|item| item.name).collect();
        return Err(format!("found {unknown:?}, expected one of {}", known.join(", ")).into());
    }
    Ok(all
        .into_iter()
        .filter(|item| names.is_empty() || names.iter().any(|name| name == item.name))
        .collect())
}

fn list(sound: &[Item], unsound: &[Item]) -> Result<(), support::Failure> {
    let line = |item: &Item| format!("  {:<13} {}", item.name, item.description);
    let unsound = unsound.iter().map(line);
    let lines = ["--hooks".to_owned()]
        .into_iter()
        .chain(sound.iter().map(line))
        .chain(["--wrong".to_owned()]);
    support::print_lines(lines.chain(unsound), "\n")
}

/// Runs the audits and prints the table. Returns an error if an item is not sound or was not
/// checked, or if the audits were stopped.
fn audit(arguments: &Arguments) -> Result<(), support::Failure> {
    let (sound, unsound, small, max_small, size) = match arguments.problem {
        Problem::FireNet => (fire_net::sound(), fire_net::unsound(), 3, 4, 8),
        Problem::RocketMania => (rocket_mania::sound(), rocket_mania::unsound(), 2, 2, 3),
        Problem::Queens => (queens::sound(), queens::unsound(), 8, 12, 8),
    };
    if arguments.list {
        return list(&sound, &unsound);
    }
    let (small, size) = (arguments.small.unwrap_or(small), arguments.size.unwrap_or(size));
    if small > max_small {
        return Err(format!(
            "--small: found {small}, expected {max_small} at most: there are too many boards"
        )
        .into());
    }
    if size > 64 {
        return Err(format!("--size: found {size}, expected 64 at most").into());
    }
    if small == 0 && arguments.boards == 0 {
        return Err("--small 0 --boards 0: found no boards, expected some to audit on".into());
    }
    let Arguments { boards, seed, nodes, share, time, .. } = *arguments;
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    let sample = Sample {
        small,
        boards,
        size,
        seed,
        nodes,
        share,
        progress: None,
        deadline,
        cancel: Some(interrupt::cancel()),
    };
    let items = match &arguments.wrong {
        Some(name) => select(unsound, std::slice::from_ref(name))?,
        None => select(sound, &arguments.hooks)?,
    };
    let width = items.iter().map(|item| item.name.len()).max().unwrap_or(0);
    if !arguments.answer_only {
        let small_boards = if small > 0 {
            format!("all boards up to {small}x{small}")
        } else {
            "no small boards".to_owned()
        };
        support::print(format_args!(
            "{small_boards}, and {boards} random ones up to {size}x{size} (seed {seed})\n\n"
        ))?;
        // Unsound items are described below the table.
        if arguments.wrong.is_none() {
            let legend =
                items.iter().map(|item| format!("{:<width$}  {}", item.name, item.description));
            support::print_lines(legend.chain([String::new()]), "\n")?;
        }
        support::print(format_args!(
            "{:<width$}  {:>6}  {:>7}  {:>9}  {:>7}  {:>7}  {:>8}  {:>5}\n",
            "", "boards", "cuts", "tightened", "nodes", "pairs", "left out", "ended"
        ))?;
    }
    let mut violated: Vec<(&Item, String)> = Vec::new();
    let mut unchecked: Vec<&str> = Vec::new();
    for item in &items {
        let (bar, start) = (Bar::new(false), Instant::now());
        let progress = |coverage: &Coverage| {
            bar.show(start.elapsed(), None, || {
                let checks = checks(coverage);
                let boards = format!("{} boards", coverage.instances);
                vec![item.name.to_owned(), boards, format!("{checks} checks")]
            });
        };
        let result = (item.audit)(Sample { progress: Some(&progress), ..sample });
        drop(bar);
        let (coverage, verdict) = match result {
            Ok(coverage) if sample.is_stopped() => (coverage, "stopped"),
            Ok(coverage) if checks(&coverage) == 0 && missing(&coverage) > 0 => {
                unchecked.push(item.name);
                (coverage, "not checked")
            }
            Ok(coverage) => (coverage, "no violation"),
            Err(Finding { report, coverage }) => {
                violated.push((item, report));
                (*coverage, "UNSOUND")
            }
        };
        if !arguments.answer_only {
            let (name, row) = (item.name, row(&coverage));
            support::print(format_args!("{name:<width$}  {row}  {verdict}\n"))?;
        }
        if sample.is_stopped() {
            break;
        }
    }
    if arguments.answer_only {
        support::print(match violated.is_empty() {
            false => "unsound\n",
            true if sample.is_stopped() || !unchecked.is_empty() => "unknown\n",
            true => "no violation\n",
        })?;
        return verdict(&violated, &unchecked, sample);
    }
    for (item, report) in &violated {
        support::print(format_args!("\n{} ({}):\n{report}\n", item.name, item.description))?;
    }
    if !violated.is_empty() && matches!(arguments.problem, Problem::FireNet) {
        support::print(
            "\n(B a bunker, X a wall, . a cell that may get one, : one that may not)\n",
        )?;
    }
    verdict(&violated, &unchecked, sample)
}

/// Returns an error if an item is not sound or was not checked, or if the audits were stopped.
fn verdict(
    violated: &[(&Item, String)],
    unchecked: &[&str],
    sample: Sample<'_>,
) -> Result<(), support::Failure> {
    if !violated.is_empty() {
        let names: Vec<&str> = violated.iter().map(|(item, _)| item.name).collect();
        return Err(CheckFailed(format!("unsound: {}", names.join(", "))).into());
    }
    if interrupt::cancel().is_cancelled() {
        return support::check_finished(Stop::Cancelled, "audit");
    }
    if sample.is_stopped() {
        return support::check_finished(Stop::TimeLimit, "audit");
    }
    if !unchecked.is_empty() {
        let names = unchecked.join(", ");
        let message = format!("not checked: {names}; try more --nodes, boards or --share");
        return Err(Unfinished::new(Stop::NodeLimit, message).into());
    }
    Ok(())
}

/// Returns the number of checks.
fn checks(coverage: &Coverage) -> u64 {
    let Coverage { cuts, tightenings, nodes, pairs, .. } = coverage;
    [cuts, tightenings, nodes, pairs].iter().map(|share| share.checked).sum()
}

/// Returns the number of checks, searches and counts that are missing.
fn missing(coverage: &Coverage) -> u64 {
    coverage.gaps().iter().map(|gap| gap.count).sum()
}

fn row(coverage: &Coverage) -> String {
    let ended = coverage.unchecked(GapReason::Unfinished);
    let left_out = missing(coverage) - ended;
    format!(
        "{:>6}  {:>7}  {:>9}  {:>7}  {:>7}  {left_out:>8}  {ended:>5}",
        coverage.instances,
        coverage.cuts.checked,
        coverage.tightenings.checked,
        coverage.nodes.checked,
        coverage.pairs.checked,
    )
}
