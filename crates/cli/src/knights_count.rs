//! Counts the closed knight's tours of a board by meeting in the middle.

use std::process::ExitCode;

use crate::support::{self, extrapolation, progress};
use clap::Args;
use secateurs_problems::catalogue::KnightsTours;
use secateurs_problems::knights_tour::TourBoard;

/// Count the closed knight's tours of a board.
///
/// A closed tour visits every square once and returns to its start, by knight's moves. It counts
/// once, whatever its start and direction. The upper half of the board is swept, and joined with
/// its mirror image.
///
/// 6 6 takes milliseconds, 7 8 a few seconds; 8 8, with 13267364410532 tours, takes about a minute,
/// or half that with 2 threads, and 1.2 GB of memory. Without --memory, the limit is 4G, which
/// includes the tables that join the halves.
#[derive(Args)]
pub struct Arguments {
    /// Rows of the board.
    #[arg(value_parser = support::positive)]
    rows: usize,
    /// Columns of the board.
    #[arg(value_parser = support::positive)]
    columns: usize,
    #[command(flatten)]
    sweep: support::limits::SweepOptions,
    #[command(flatten)]
    progress: progress::Options,
    /// Print only the number of tours.
    #[arg(long)]
    answer_only: bool,
}

/// The default memory limit.
const MEMORY: u64 = 4 << 30;

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| {
        let board = TourBoard::new(arguments.rows, arguments.columns)?;
        let sweep = &arguments.sweep;
        let limits = sweep.limits().memory(sweep.limits.memory.unwrap_or(MEMORY));
        let mut tours = KnightsTours::new(board)?.limits(limits.clone()).threads(sweep.threads());
        let reason_for_none = tours.split().err();
        let bar = arguments.progress.bar();
        if let Some(callback) = bar.sweep_callback() {
            tours = tours.progress(progress::INTERVAL, callback);
        }
        let outcome = tours.count();
        drop(bar);
        let outcome = support::complete(outcome, arguments.answer_only).map_err(|failure| {
            let (rows, columns) = (arguments.rows, arguments.columns);
            let width = rows.min(columns);
            extrapolation::with_memory_estimate(failure, width, |width, time| {
                let board = TourBoard::new(rows.max(columns), width)?;
                let tours = KnightsTours::new(board)?.threads(sweep.threads());
                Ok(Some(tours.limits(limits.clone().time(time)).count().report().clone()))
            })
        })?;
        if arguments.answer_only {
            return support::print(format_args!("{outcome}\n"));
        }
        match reason_for_none {
            Some(reason) => {
                support::print(format_args!("tours  {outcome}\n\nThere is none: {reason}.\n"))
            }
            None => {
                support::print(format_args!("tours          {outcome}\n\n{}", outcome.report()))
            }
        }
    })
}
