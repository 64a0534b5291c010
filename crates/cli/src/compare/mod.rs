//! Compares prunings: nodes and time with and without each of them, as tables and as a page with
//! charts.

mod input;

use std::env;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::support::progress::Bar;
use crate::support::{self, CheckFailed, Failure, Unfinished};
use clap::Args;
use input::{Boards, Input};
use secateurs::Stop;
use secateurs_lab::{
    Compare, CompareError, CompareProgress, Comparison, Contender, MemoryMeter, Plan, Section,
    bundled,
};
use secateurs_problems::fire_net::{
    FireNetBoard, FireNetBranching, FireNetSettings, maximum_matching,
};
use secateurs_problems::rocket_mania::DominanceScope as Dominance;
use secateurs_problems::{Selection, fire_net, rocket_mania};

/// The global allocator of this program, as a memory meter.
struct Meter;

impl MemoryMeter for Meter {
    fn current(&self) -> u64 {
        crate::PEAK.current_usage() as u64
    }

    fn peak(&self) -> u64 {
        crate::PEAK.peak_usage() as u64
    }

    fn reset_peak(&self) {
        crate::PEAK.reset_peak_usage();
    }
}

/// Runs a search with different sets of prunings on the same boards, in turns, and prints the nodes
/// and times of each.
///
/// Without any argument, the ten prunings of an article on the puzzle fire-net are compared
/// cumulatively on a dozen small boards, and a page with charts is written to target/compare.html,
/// or to compare.html if there is no directory `target`.
#[derive(Args)]
#[command(after_help = "\
What is compared:
  fire-net       the ten prunings of the article's program (see `secateurs fire-net --help`), and a search of
                 this crate that branches on segments
  rocket-mania   the four prunings of the paper's sweep (see `secateurs rocket-mania --help`), and dominance,
                 as in its Table 4, on bundled cases or with --paper on those of the paper
  queens         backtracking and propagation on n queens, next to the times of an article
  knights-tour   five ways to break the ties of Warnsdorff's rule, from many starts
  FILE           boards of fire-net, separated by blank lines, or cases of Rocket Mania; `-` reads
                 standard input

Ctrl-C ends the comparison, and prints what was measured before.

Examples:
  compare                                        a table, and the page
  compare fire-net --subsets all-but-one         the effect of each pruning on top of all others
  compare fire-net --prunings 3-5 --subsets all  all sets of three of them
  compare queens --sizes 8..=12 --html queens.html
  compare my-board.txt --nodes 1000000 --csv figures.csv")]
pub struct Arguments {
    /// The problem to compare on: fire-net, rocket-mania, queens, knights-tour, or a file of boards
    /// [default: fire-net]
    #[arg(value_name = "fire-net|rocket-mania|queens|knights-tour|FILE")]
    what: Option<Input>,

    /// The sets of prunings: one more at a time (cumulative), each alone (alone), all but one
    /// (all-but-one), or all sets (all) [default: cumulative]
    #[arg(long, value_name = "PLAN")]
    subsets: Option<Plan>,

    /// The prunings to choose from: `all`, or numbers such as `1-5` or `1,2,5` [default: all]
    #[arg(long, value_name = "NUMBERS")]
    prunings: Option<String>,

    /// Sizes, such as `8..=12` or `10`: of n queens [default: 8..=10], or of the boards of knights
    /// [default: 5..=20]
    #[arg(long, value_name = "FROM..=TO", value_parser = sizes)]
    sizes: Option<RangeInclusive<usize>>,

    /// Compare on boards 1 to 6 of the paper (Chen Danqi 2008, Table 4) instead of the bundled
    /// cases [rocket-mania]. Board 3 has 14 million contours without prunings: see --nodes. Boards
    /// 7 to 10 are not bundled; in a FILE, they are compared with the paper too
    #[arg(long)]
    paper: bool,

    /// The number of starting squares on each knight's board, or `all`
    #[arg(long, value_name = "N", default_value = "8", value_parser = starts)]
    starts: Starts,

    /// The number of runs of each contender on each board, in turns with the others
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = support::whole::<usize>)]
    rounds: usize,

    /// The limits of each run; the tree sizes of limited runs are estimated. Without --nodes, runs
    /// on fire-net stop after 100000 nodes
    #[command(flatten)]
    limits: support::limits::Options,

    /// Writes a page with tables and charts
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Writes a row for each board and contender
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Writes all measurements
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Prints the tables as Markdown
    #[arg(long)]
    markdown: bool,

    /// Prints nodes by depth as well
    #[arg(long)]
    depths: bool,

    /// Prints only the proven answers, one line per board
    #[arg(long, conflicts_with_all = ["markdown", "depths"])]
    answer_only: bool,
}

/// A number of starts, or all.
#[derive(Clone)]
struct Starts(Option<usize>);

fn starts(text: &str) -> Result<Starts, String> {
    match text {
        "all" => Ok(Starts(None)),
        _ => match text.parse() {
            Ok(number) if number > 0 => Ok(Starts(Some(number))),
            _ => Err("expected `all` or a whole number from 1".to_owned()),
        },
    }
}

fn sizes(text: &str) -> Result<RangeInclusive<usize>, String> {
    let error = || {
        "expected a size from 1 such as `10`, or the first and the last such as `8..=12`".to_owned()
    };
    let (first, last) = text.split_once("..=").unwrap_or((text, text));
    let (first, last): (usize, usize) =
        (first.parse().map_err(|_| error())?, last.parse().map_err(|_| error())?);
    if first == 0 || first > last { Err(error()) } else { Ok(first..=last) }
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| {
        let comparison = arguments.compare()?;
        arguments.show(&comparison)?;
        check_complete(&comparison)
    })
}

impl Arguments {
    fn compare(&self) -> Result<Comparison, Failure> {
        let what = self.what.as_ref().unwrap_or(&Input::FireNet);
        if !matches!(what, Input::RocketMania) {
            self.reject(&[("--paper", self.paper)])?;
        }
        match what {
            Input::FireNet => self.compare_boards(Boards::bundled_fire_net()?),
            Input::RocketMania if self.paper => {
                self.compare_boards(Boards::RocketMania(bundled::paper_cases().collect()))
            }
            Input::RocketMania => self.compare_boards(Boards::bundled_rocket_mania()?),
            Input::File(name) => self.compare_boards(Boards::read(name)?),
            Input::Queens => {
                self.reject(&[
                    ("--subsets", self.subsets.is_some()),
                    ("--prunings", self.prunings.is_some()),
                ])?;
                let sizes = bundled::sizes(self.sizes.clone().unwrap_or(8..=10))?;
                self.run(bundled::queens(sizes), self.limits.nodes)
            }
            Input::KnightsTour => {
                self.reject(&[
                    ("--subsets", self.subsets.is_some()),
                    ("--prunings", self.prunings.is_some()),
                ])?;
                let starts = bundled::starts(self.sizes.clone().unwrap_or(5..=20), self.starts.0)?;
                self.run(bundled::knights_tour(starts), self.limits.nodes)
            }
        }
    }

    fn compare_boards(&self, boards: Boards) -> Result<Comparison, Failure> {
        self.reject(&[("--sizes", self.sizes.is_some())])?;
        let plan = self.subsets.unwrap_or(Plan::Cumulative);
        match boards {
            Boards::FireNet(boards) => {
                let sets = bundled::selections(
                    plan,
                    self.selection::<10>(fire_net::FireNetPrunings::ALL)?,
                )?;
                let compare = bundled::fire_net(boards, sets).contender(by_segments());
                self.run(compare, self.limits.nodes.or(Some(100_000)))
            }
            Boards::RocketMania(cases) => {
                let sets = bundled::selections(
                    plan,
                    self.selection::<4>(rocket_mania::RocketPrunings::ALL)?,
                )?;
                let dominance = Some(Dominance::Full);
                let with_dominance =
                    [rocket_mania::RocketPrunings::NONE, rocket_mania::RocketPrunings::ALL]
                        .map(|set| (set, dominance));
                let hooks = sets.into_iter().map(|set| (set, None)).chain(with_dominance);
                self.run(bundled::rocket_mania(cases, hooks), self.limits.nodes)
            }
        }
    }

    /// Returns the selected prunings, or all.
    fn selection<const MOST: usize>(
        &self,
        all: Selection<MOST>,
    ) -> Result<Selection<MOST>, Failure> {
        let Some(numbers) = &self.prunings else { return Ok(all) };
        numbers.parse().map_err(|error| format!("--prunings: {error}").into())
    }

    /// Rejects options that do not apply to the problem.
    fn reject(&self, options: &[(&str, bool)]) -> Result<(), Failure> {
        match options.iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                Err(format!("{option} does not apply to this problem; see --help").into())
            }
            None => Ok(()),
        }
    }

    fn run<I>(&self, compare: Compare<'_, I>, nodes: Option<u64>) -> Result<Comparison, Failure> {
        let limits = self.limits.limits();
        let limits = nodes.map_or(limits.clone(), |nodes| limits.nodes(nodes));
        let bar = Bar::new(false);
        let compare = compare.progress(|progress| {
            let CompareProgress { done, runs, instance, contender, elapsed, .. } = *progress;
            bar.show(elapsed, Some(done as f64 / runs as f64), || {
                vec![format!("{done} of {runs} runs"), format!("{contender} on {instance}")]
            });
        });
        match compare.limits(limits).rounds(self.rounds).memory(Meter).run() {
            Err(CompareError::Cancelled) => {
                Err(Unfinished::new(Stop::Cancelled, "the comparison is not finished").into())
            }
            Err(error @ CompareError::Disagreement(_)) => {
                Err(CheckFailed(error.to_string()).into())
            }
            comparison => Ok(comparison?),
        }
    }

    fn show(&self, comparison: &Comparison) -> Result<(), Failure> {
        if self.answer_only {
            support::print_lines(answers(comparison), "\n")?;
        } else if self.markdown {
            support::print(comparison.markdown())?;
            if self.depths {
                support::print(format_args!(
                    "\n{}",
                    comparison.section(Section::Depths).markdown()
                ))?;
            }
        } else {
            support::print(comparison)?;
            if self.depths {
                support::print(format_args!(
                    "\nnodes by depth:\n{}",
                    comparison.section(Section::Depths)
                ))?;
            }
        }
        let is_verbose = !(self.answer_only || self.markdown);
        // Without any arguments but the name of the subcommand, the page is written as well.
        let page = self.html.clone().or_else(|| (env::args_os().len() == 2).then(default_page));
        write("page", page.as_deref(), || comparison.html(), is_verbose)?;
        write("CSV", self.csv.as_deref(), || comparison.csv(), is_verbose)?;
        write("JSON", self.json.as_deref(), || comparison.json(), is_verbose)
    }
}

/// Returns a search without the article's order of cells: the smallest segment first, prunings 1 to
/// 5, and the matching bound.
fn by_segments() -> Contender<'static, FireNetBoard> {
    let settings = || FireNetSettings::default().branching(FireNetBranching::Segments);
    Contender::new("1-5 on segments", move |board: &FireNetBoard, limits| {
        settings().limits(limits).solve(board)
    })
    .estimated_for_optimum(move |board, probes, seed| {
        settings().estimate(board, Some(maximum_matching(board).len()), probes, seed)
    })
}

/// The answer for a board for which no contender has proven one.
const UNKNOWN: &str = "unknown";

/// Returns the proven answer for each board, by any contender.
fn answers(comparison: &Comparison) -> impl Iterator<Item = &str> {
    (0..comparison.instances().len()).map(|index| {
        let mut proven = comparison
            .contenders()
            .iter()
            .filter_map(move |contender| contender.runs()[index].answer().proven());
        proven.next().unwrap_or(UNKNOWN)
    })
}

/// Returns an error if the comparison was interrupted, or if its limits left an answer unknown.
fn check_complete(comparison: &Comparison) -> Result<(), Failure> {
    let unknown = answers(comparison).filter(|answer| *answer == UNKNOWN).count();
    let (stop, message) = match (comparison.is_cancelled(), unknown) {
        (true, _) => (Stop::Cancelled, "the comparison is not finished".to_owned()),
        (false, 0) => return Ok(()),
        (false, _) => {
            let boards = comparison.instances().len();
            let message =
                format!("stopped at a limit: {unknown} of {boards} answers are not known");
            (Stop::NodeLimit, message)
        }
    };
    Err(Unfinished::new(stop, message).into())
}

/// Returns the default path of the page: in `target`, if the program is run in a project, so that
/// the page is cleaned up with the build.
fn default_page() -> PathBuf {
    let page = Path::new("compare.html");
    if Path::new("target").is_dir() { Path::new("target").join(page) } else { page.to_owned() }
}

fn write(
    what: &str,
    path: Option<&Path>,
    text: impl FnOnce() -> String,
    is_verbose: bool,
) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    fs::write(path, text()).map_err(|error| format!("{}: {error}", path.display()))?;
    if is_verbose { support::print(format_args!("\n{what}: {}\n", path.display())) } else { Ok(()) }
}
