//! Optimisation by decision diagrams: knapsacks, independent sets, weighted clauses, schedules of
//! one machine, and tours with time windows.
//!
//! `secateurs optimise knapsack` and
//! `secateurs optimise --help`

use std::cell::RefCell;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::support::checkpoint::Choice;
use crate::support::{self, Failure};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use plotters::prelude::*;
use secateurs::diagram::{AdditiveValue, DiagramProblem};
use secateurs::{Digest, Objective, Search};
use secateurs_problems::graph::Graph;
use secateurs_problems::independent_set::IndependentSets;
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::max_2sat::MaxTwoSat;
use secateurs_problems::tardiness::Tardiness;
use secateurs_problems::tsptw::TimeWindows;

/// Solve an optimisation problem by branch and bound on decision diagrams: prints the optimum, a
/// solution, and a report of the search.
#[derive(Args)]
pub struct Arguments {
    /// The problem.
    #[arg(value_enum)]
    problem: Name,
    /// The file of the instance, `-` for standard input [default: a random instance].
    file: Option<PathBuf>,
    /// The number of items, vertices, variables, jobs or places of a random instance.
    #[arg(long, value_name = "N", conflicts_with = "file", default_value_t = 60,
        value_parser = support::positive)]
    size: usize,
    /// The seed of a random instance.
    #[arg(long, default_value_t = 1, conflicts_with = "file", value_parser = support::whole::<u64>)]
    seed: u64,
    /// The largest number of nodes of a layer of a diagram.
    #[arg(long, value_name = "NODES", default_value_t = 100, value_parser = support::positive)]
    width: usize,
    /// Open the nodes of the first layer of a diagram with more nodes than this; by default, of the
    /// first one that is wider than the diagram.
    #[arg(long, value_name = "NODES", value_parser = support::positive)]
    cut_width: Option<usize>,
    /// Search with this many threads; 0 means the available parallelism.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = support::whole::<usize>)]
    threads: usize,
    #[command(flatten)]
    limits: support::limits::Options,
    #[command(flatten)]
    saving: support::checkpoint::Options,
    /// Draw the incumbent and the bound over time, as an SVG picture.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["threads", "saved"])]
    chart: Option<PathBuf>,
    /// Print only the optimum; `at least` or `at most` the value found if it is not proven; or
    /// `unknown`.
    #[arg(long)]
    answer_only: bool,
}

/// The problems.
#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// Items of greatest total value that fit into a knapsack. A file has the capacity, and a line
    /// `WEIGHT VALUE` for each item; or a line `ITEMS CAPACITY`, and lines `VALUE WEIGHT`; or a
    /// line `ITEMS`, lines `INDEX VALUE WEIGHT`, and a line `CAPACITY`.
    Knapsack,
    /// A largest set of vertices, no two of which are adjacent. A file is a DIMACS graph.
    IndependentSet,
    /// An assignment that satisfies clauses of at most two literals with the greatest total weight.
    /// A file is a DIMACS formula, `p cnf` or `p wcnf`, or one of the MaxSAT Evaluation 2022. It
    /// prints the weight without hard clauses, or `none` if these cannot be satisfied.
    #[value(name = "max-2sat")]
    MaxTwoSat,
    /// Jobs on one machine with the least total weighted tardiness. A file has a line `DURATION DUE
    /// WEIGHT` for each job.
    Tardiness,
    /// A cheapest tour that visits each place within its time window. A file has the number of
    /// places, the matrix of distances, and a line `OPEN CLOSE` for each window.
    Tsptw,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| match arguments.problem {
        Name::Knapsack => {
            let knapsack: Knapsack = read(&arguments, Knapsack::strongly_correlated)?;
            solve(
                &arguments,
                &knapsack,
                Knapsack::objective,
                Knapsack::relaxation,
                value,
                |choices| {
                    let items = knapsack.items().iter().zip(choices);
                    let taken = items.filter(|(_, is_taken)| **is_taken).map(|(item, _)| item);
                    let item = |item: &secateurs_problems::knapsack::Item| {
                        format!("{}/{}", item.weight, item.value)
                    };
                    format!("weights and values: {}", taken.map(item).collect::<Vec<_>>().join(" "))
                },
            )
        }
        Name::IndependentSet => {
            let graph = match &arguments.file {
                None => random_graph(arguments.size, arguments.seed)?,
                Some(file) => support::graphs::read(Some(file), "")?,
            };
            let sets = IndependentSets::new(&graph)?;
            solve(
                &arguments,
                &sets,
                IndependentSets::size,
                IndependentSets::bound,
                value,
                |choices| {
                    let vertices = IndependentSets::taken(choices);
                    format!("vertices: {}", join(vertices.iter().map(|vertex| vertex + 1)))
                },
            )
        }
        Name::MaxTwoSat => {
            let clauses: MaxTwoSat = read(&arguments, |size, _, seed| {
                MaxTwoSat::generate(size, size.saturating_mul(4), seed)
            })?;
            let soft = |&weight: &u64| Some(clauses.soft_weight(weight)?.to_string());
            solve(&arguments, &clauses, MaxTwoSat::objective, MaxTwoSat::bound, soft, |choices| {
                let values = (1..).zip(clauses.assignment(choices));
                let literals =
                    values.map(|(variable, value)| if value { variable } else { -variable });
                format!("literals: {}", join(literals))
            })
        }
        Name::Tardiness => {
            let jobs: Tardiness =
                read(&arguments, |size, _, seed| Tardiness::generate(size, seed))?;
            solve(&arguments, &jobs, Tardiness::objective, Tardiness::bound, value, |order| {
                format!("order of the jobs: {}", join(order.iter().rev().map(|job| job + 1)))
            })
        }
        Name::Tsptw => {
            let places: TimeWindows =
                read(&arguments, |size, _, seed| TimeWindows::generate(size, 40, seed))?;
            solve(
                &arguments,
                &places,
                TimeWindows::objective,
                TimeWindows::bound,
                |&cost| Some(places.decimal(cost)),
                |places| format!("tour: 0 {}", join(places.iter().copied())),
            )
        }
    })
}

/// Reads an instance, or generates one. Weights of items are at most 1,000.
fn read<T>(
    arguments: &Arguments,
    generate: impl Fn(usize, u64, u64) -> Result<T, secateurs_problems::InstanceError>,
) -> Result<T, Failure>
where
    T: std::str::FromStr<Err = secateurs::ParseError>,
{
    let Some(file) = &arguments.file else {
        return Ok(generate(arguments.size, 1_000, arguments.seed)?);
    };
    let text = support::read(Some(file), "")?;
    text.parse().map_err(|error| support::with_input_name(Some(file), error))
}

/// Returns a graph in which each two vertices are adjacent with a probability of one fifth.
fn random_graph(vertices: usize, seed: u64) -> Result<Graph, Failure> {
    let mut random = fastrand::Rng::with_seed(seed);
    let pairs = (0..vertices).flat_map(|one| (0..one).map(move |other| (other, one)));
    Ok(Graph::from_edges(vertices, pairs.filter(|_| random.u8(..5) == 0))?)
}

/// Returns a value as text.
fn value(value: &impl Display) -> Option<String> {
    Some(value.to_string())
}

fn join(numbers: impl Iterator<Item: Display>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// The incumbent and the bound at different times.
#[derive(Default)]
struct History {
    values: Vec<(Duration, f64)>,
    bounds: Vec<(Duration, f64)>,
}

/// The end of a search: the best solution with its value, and a bound for better ones.
struct Found<V, C> {
    best: Option<(V, Option<Vec<C>>)>,
    bound: Option<V>,
    is_proven: bool,
    report: secateurs::Report,
}

/// Solves a problem, and prints the answer. `show` returns a value as text, or `None` if a solution
/// of this value is none for the reader; `describe` returns a solution as text.
fn solve<P, V>(
    arguments: &Arguments,
    problem: &P,
    objective: impl Fn() -> Objective<P, V, fn(&P, &P::State) -> V>,
    rough: fn(&P, &P::State) -> V,
    show: impl Fn(&V) -> Option<String>,
    describe: impl Fn(&[P::Choice]) -> String,
) -> Result<(), Failure>
where
    P: DiagramProblem<State: Send, Choice: Choice> + fmt::Debug + Sync,
    V: AdditiveValue + Display + Send + Sync,
{
    let objective = objective();
    let history = RefCell::new(History::default());
    let began = Instant::now();
    // The chart has the values that are printed.
    let point =
        |value: &V| show(value).map(|value| (began.elapsed(), value.parse().unwrap_or(f64::NAN)));
    let search = Search::new(problem)
        .limits(arguments.limits.limits())
        .diagrams(&objective, arguments.width)
        .cut_width(arguments.cut_width.unwrap_or(usize::MAX))
        .rough(rough);
    let title = arguments.problem.to_possible_value();
    let title = title.as_ref().map_or("", PossibleValue::get_name);
    let instance = format!("instance {:?}", Digest::of(&format!("{problem:?}")));
    let saving = &arguments.saving;
    let found = if arguments.threads == 1 {
        let bound = RefCell::new(None);
        let search = search.watch_bound(|tighter| {
            history.borrow_mut().bounds.extend(point(tighter));
            *bound.borrow_mut() = Some(tighter.clone());
        });
        saving.run(search, title, &[&instance], |search| {
            let mut improvements = search.improvements(&objective);
            let mut best = None;
            for (value, solution) in improvements.by_ref() {
                history.borrow_mut().values.extend(point(&value));
                best = Some((value, Some(solution)));
            }
            let (is_proven, report) = (improvements.is_proven(), improvements.report());
            Ok(Found { best, bound: bound.take(), is_proven, report })
        })?
    } else {
        saving.run(search, title, &[&instance], |search| {
            let outcome = search.threads(arguments.threads).best(&objective);
            let best = outcome.best_so_far().cloned();
            let best = best.map(|value| (value, outcome.solution().cloned()));
            let is_proven = outcome.proven().is_some() || outcome.is_proven_infeasible();
            Ok(Found { best, bound: None, is_proven, report: outcome.report().clone() })
        })?
    };
    let Found { best, bound, is_proven, report } = found;
    let relation = match objective.incumbent().direction() {
        _ if is_proven => "",
        secateurs::Direction::Maximise => "at least ",
        secateurs::Direction::Minimise => "at most ",
    };
    let shown = best.as_ref().and_then(|(value, _)| show(value));
    let answer = match &shown {
        Some(value) => format!("{relation}{value}"),
        None if is_proven => "none".to_owned(),
        None => "unknown".to_owned(),
    };
    support::print(format_args!("{answer}\n"))?;
    if !arguments.answer_only {
        if let (Some(_), Some((_, Some(solution)))) = (shown, &best) {
            support::print(format_args!("\n{}\n", describe(solution)))?;
        }
        if let Some(bound) = bound.filter(|_| !is_proven).and_then(|bound| show(&bound)) {
            support::print(format_args!("no solution is better than {bound}\n"))?;
        }
        support::print(format_args!("\n{report}"))?;
    }
    if let Some(file) = &arguments.chart {
        draw(file, &history.into_inner(), began.elapsed())?;
    }
    support::check_complete(report.stop())
}

/// Draws the incumbent and the bound as steps over time.
fn draw(file: &Path, history: &History, end: Duration) -> Result<(), Failure> {
    let History { values, bounds } = history;
    let all = values.iter().chain(bounds).map(|&(_, value)| value);
    let low = all.clone().fold(f64::INFINITY, f64::min);
    let high = all.fold(f64::NEG_INFINITY, f64::max);
    let margin = ((high - low) / 20.0).max(1.0);
    let (low, high) = if low <= high { (low - margin, high + margin) } else { (0.0, 1.0) };
    let end = end.as_secs_f64();
    let root = SVGBackend::new(file, (800, 400)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..end, low..high)?;
    chart.configure_mesh().disable_mesh().x_desc("seconds").y_desc("value").draw()?;
    for (name, points, colour) in [("incumbent", values, BLUE), ("bound", bounds, RED)] {
        let mut steps: Vec<(f64, f64)> = Vec::new();
        for &(time, value) in points {
            if let Some(&(_, before)) = steps.last() {
                steps.push((time.as_secs_f64(), before));
            }
            steps.push((time.as_secs_f64(), value));
        }
        if let Some(&(_, last)) = steps.last() {
            steps.push((end, last));
        }
        let series = LineSeries::new(steps, colour.stroke_width(2));
        chart
            .draw_series(series)?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
    }
    // Between the curves, which are far apart in the beginning.
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::MiddleLeft)
        .border_style(BLACK)
        .draw()?;
    root.present()?;
    Ok(())
}
