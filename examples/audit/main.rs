//! Audits prunings: searches what they cut off, on all small boards and on random ones, and shows
//! the smallest board on which one loses what it claims to keep.

mod boards;
mod fire_net;
mod items;
mod prunings;
mod queens;
mod readings;
mod rocket_mania;
#[path = "../support/mod.rs"]
mod support;

use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use items::{Broken, Item, Sample};
use secateurs::lab::Coverage;

/// Holds prunings to what they claim to preserve, on all small boards and on random ones.
///
/// Whatever a pruning cuts off is searched without it. If something is lost that it claims to keep,
/// the board is made smaller as long as that goes on, and shown, with the state where it happened.
/// `--wrong` shows that on prunings that are wrong.
#[derive(Parser)]
#[command(after_help = "\
Exit code: 0 if everything kept its promise, 1 if something did not, 2 on bad input.

Examples:
  audit fire-net                                 the ten prunings, each by itself and all together
  audit fire-net --wrong 9a                      a wrong reading of pruning 9, and the board on which it fails
  audit rocket-mania --hooks 3,full --boards 500 two relations of dominance on more boards
  audit queens --small 10 --boards 0             symmetries of empty boards of up to 10 rows
  audit fire-net --list                          what can be named after --hooks and --wrong

The columns of the table: instances audited; cuts (nodes or states cut off) that were searched; tightenings (states of which a
pruning took something away, or which it replaced by another) that were compared with what they were; nodes at which bounds, keys or
relations were looked at; pairs of states of which one is said to be as good as the other. `left out` is what was not looked
at: for --share, because too much lies below, or because nothing is claimed. `ended` is how many searches ended early.")]
struct Arguments {
    /// The problem
    problem: Problem,

    /// What is audited, by the names that `--list` prints, separated by commas [default: all that
    /// is right]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    hooks: Vec<String>,

    /// Audits something that is known to be wrong, by its name: see `--list`
    #[arg(long, value_name = "NAME", conflicts_with = "hooks")]
    wrong: Option<String>,

    /// Prints what can be audited, and ends
    #[arg(long)]
    list: bool,

    /// Audits on all boards of up to so many rows and columns [default: 3 for fire-net, of 4 at
    /// most, which takes minutes; 2 for rocket-mania; 8 for queens]
    #[arg(long, value_name = "SIDE")]
    small: Option<usize>,

    /// Audits on so many boards at random as well (for queens: with queens given)
    #[arg(long, value_name = "N", default_value_t = 200)]
    boards: u64,

    /// The boards at random have up to so many rows and columns [default: 8 for fire-net and
    /// queens, 3 for rocket-mania]
    #[arg(long, value_name = "SIDE")]
    size: Option<usize>,

    /// The seed of what is random
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// A search of a random board ends after so many nodes, and so does what lies below a cut; a
    /// sweep is not audited if a layer has more states
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,

    /// The share of what prunings do that is looked at, from 0 to 1
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    share: f64,

    /// Print nothing but `sound` or `unsound`
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
    let expected = || "expected a number from 0 to 1".to_owned();
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(expected)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut is_sound = true;
    let code = support::run(|| {
        is_sound = audit(&arguments)?;
        Ok(())
    });
    if is_sound { code } else { ExitCode::from(1) }
}

/// The items of these names, in the order in which they are listed.
fn named(all: Vec<Item>, names: &[String]) -> Result<Vec<Item>, support::Failure> {
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|item| item.name != **name)) {
        let known: Vec<&str> = all.iter().map(|item| item.name).collect();
        return Err(format!("found {unknown:?}, expected one of {}", known.join(", ")).into());
    }
    Ok(all
        .into_iter()
        .filter(|item| names.is_empty() || names.iter().any(|name| name == item.name))
        .collect())
}

fn list(right: &[Item], wrongly: &[Item]) -> Result<(), support::Failure> {
    let line = |item: &Item| format!("  {:<13} {}", item.name, item.says);
    let wrongly = wrongly.iter().map(line);
    let lines = ["--hooks".to_owned()]
        .into_iter()
        .chain(right.iter().map(line))
        .chain(["--wrong".to_owned()]);
    support::print_lines(lines.chain(wrongly), "\n")
}

/// Whether everything has kept its promise.
fn audit(arguments: &Arguments) -> Result<bool, support::Failure> {
    let (right, wrongly, small, most, size) = match arguments.problem {
        Problem::FireNet => (fire_net::right(), fire_net::wrongly(), 3, 4, 8),
        Problem::RocketMania => (rocket_mania::right(), rocket_mania::wrongly(), 2, 2, 3),
        Problem::Queens => (queens::right(), queens::wrongly(), 8, 12, 8),
    };
    if arguments.list {
        list(&right, &wrongly)?;
        return Ok(true);
    }
    let (small, size) = (arguments.small.unwrap_or(small), arguments.size.unwrap_or(size));
    if small > most {
        return Err(format!(
            "--small: found {small}, expected {most} at most: there are too many boards"
        )
        .into());
    }
    if size > 64 {
        return Err(format!("--size: found {size}, expected 64 at most").into());
    }
    if small == 0 && arguments.boards == 0 {
        return Err("--small 0 --boards 0: found no boards, expected some to audit on".into());
    }
    let Arguments { boards, seed, nodes, share, .. } = *arguments;
    let sample = Sample { small, boards, size, seed, nodes, share };
    let items = match &arguments.wrong {
        Some(name) => named(wrongly, std::slice::from_ref(name))?,
        None => named(right, &arguments.hooks)?,
    };
    // What is wrong is described below the table.
    let named = items.iter().map(|item| item.name.len()).max().unwrap_or(0);
    let describe = |item: &Item| match arguments.wrong {
        Some(_) => item.name.to_owned(),
        None => format!("{:<named$}  {}", item.name, item.says),
    };
    let width = items.iter().map(|item| describe(item).len()).max().unwrap_or(0);
    if !arguments.answer_only {
        let what = if small > 0 {
            format!("all boards up to {small}x{small}")
        } else {
            "no small boards".to_owned()
        };
        support::print(format_args!(
            "{what}, and {boards} random ones up to {size}x{size} (seed {seed})\n\n{:<width$}  {:>9}  {:>9}  {:>11}  {:>9}  {:>9}  {:>8}  {:>5}\n",
            "", "instances", "cuts", "tightenings", "nodes", "pairs", "left out", "ended"
        ))?;
    }
    let mut broken: Vec<(&Item, String)> = Vec::new();
    for item in &items {
        let (coverage, verdict) = match (item.audit)(sample) {
            Ok(coverage) => (coverage, "sound"),
            Err(Broken { what, before }) => {
                broken.push((item, what));
                (*before, "UNSOUND")
            }
        };
        if !arguments.answer_only {
            let name = describe(item);
            support::print(format_args!("{name:<width$}  {}  {verdict}\n", row(coverage)))?;
        }
    }
    if arguments.answer_only {
        support::print(if broken.is_empty() { "sound\n" } else { "unsound\n" })?;
        return Ok(broken.is_empty());
    }
    for (item, what) in &broken {
        support::print(format_args!("\n{} ({}):\n{what}\n", item.name, item.says))?;
    }
    if !broken.is_empty() && matches!(arguments.problem, Problem::FireNet) {
        support::print(
            "\n(B a bunker, X a wall, . a cell that may get one, : one that may not)\n",
        )?;
    }
    Ok(broken.is_empty())
}

fn row(coverage: Coverage) -> String {
    let left_out = coverage.left_out
        + coverage.too_large
        + coverage.unclaimed
        + coverage.known_before
        + coverage.unsettled;
    format!(
        "{:>9}  {:>9}  {:>11}  {:>9}  {:>9}  {left_out:>8}  {:>5}",
        coverage.instances,
        coverage.cuts.checked,
        coverage.tightenings.checked,
        coverage.nodes.checked,
        coverage.pairs.checked,
        coverage.unfinished,
    )
}
