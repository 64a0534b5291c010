//! Job-shop scheduling: a schedule with the smallest makespan.
//!
//! `secateurs job-shop` and `secateurs job-shop --help`

use std::path::PathBuf;
use std::process::ExitCode;

use crate::support::{self, Failure};
use clap::Args;
use secateurs::Optimum;
use secateurs_problems::job_shop::JobShop;

/// Schedule jobs on machines such that all are done as early as possible: prints the makespan (the
/// time at which the last job ends), a Gantt chart, and a report of the search.
///
/// An instance is a line `JOBS MACHINES`, and a line for each job with the machine and the duration
/// of each of its steps, as in `0 3 1 2`; machines count from 0 or 1. Taillard's layout is read as
/// well: lines of durations, then lines of machines. Empty lines and lines that begin with `#` are
/// skipped. In the chart, a row is a machine, `.` is idle time, and a digit or a letter is a job.
#[derive(Args)]
pub struct Arguments {
    /// The file of the instance, `-` for standard input [default: ft06 of Fisher and Thompson].
    file: Option<PathBuf>,
    /// Generate a random instance instead of reading one.
    #[arg(long, num_args = 2, value_names = ["JOBS", "MACHINES"], conflicts_with = "file",
        value_parser = support::positive)]
    generate: Option<Vec<usize>>,
    /// The seed of a random instance.
    #[arg(long, default_value_t = 0, requires = "generate", value_parser = support::whole::<u64>)]
    seed: u64,
    #[command(flatten)]
    limits: support::limits::Options,
    #[command(flatten)]
    progress: support::progress::Options,
    /// Draw the schedule, if one is found, as an SVG picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print only the makespan: a number, `at most` a number if it is not proven to be the
    /// smallest, or `unknown`.
    #[arg(long)]
    answer_only: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| solve(&read(&arguments)?, &arguments))
}

fn read(arguments: &Arguments) -> Result<JobShop, Failure> {
    if let Some(&[jobs, machines]) = arguments.generate.as_deref() {
        return Ok(JobShop::generate(jobs, machines, arguments.seed)?);
    }
    let file = arguments.file.as_deref();
    let text = support::read(file, include_str!("../data/job_shop.txt"))?;
    text.parse().map_err(|error| support::with_input_name(file, error))
}

fn solve(shop: &JobShop, arguments: &Arguments) -> Result<(), Failure> {
    let model = shop.model()?;
    let bar = arguments.progress.bar();
    let solver = bar.watch_solver(model.network().solver()).limits(arguments.limits.limits());
    let (optimum, report) = solver.minimise(model.makespan()).into_parts();
    drop(bar);
    let is_proven = matches!(optimum, Optimum::Proven { .. });
    let schedule = match optimum {
        Optimum::Proven { solution, .. } | Optimum::BestSoFar { solution, .. } => {
            solution.map(|solution| model.schedule(&solution)).transpose()?
        }
        Optimum::NoneBetter { .. } | Optimum::Infeasible | Optimum::Unknown => None,
    };
    let answer = match schedule.as_ref().map(|schedule| schedule.makespan()) {
        Some(makespan) if is_proven => makespan.to_string(),
        Some(makespan) => format!("at most {makespan}"),
        None => "unknown".to_owned(),
    };
    support::print(format_args!("{answer}\n"))?;
    if !arguments.answer_only {
        let (jobs, machines) = (shop.jobs().len(), shop.machines());
        let proof = match (&schedule, is_proven) {
            (None, _) => "no schedule found",
            (Some(_), true) => "proven to be the smallest makespan",
            (Some(_), false) => "not proven to be the smallest makespan",
        };
        support::print(format_args!("\n{jobs} jobs, {machines} machines; {proof}\n\n"))?;
        if let Some(schedule) = &schedule {
            support::print(format_args!("{schedule}\n"))?;
        }
        support::print(&report)?;
    }
    if let Some(schedule) = &schedule {
        support::write_svg(arguments.svg.as_deref(), || schedule.svg())?;
    }
    support::check_complete(report.stop())
}
