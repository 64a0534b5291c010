//! Counts the closed knight's tours of a board by meeting in the middle.

#[path = "support/mod.rs"]
mod support;

use std::process::ExitCode;

use clap::Parser;
use secateurs::Limits;
use secateurs::problems::catalogue::KnightsTours;
use secateurs::problems::knights_tour::TourBoard;
use support::progress::{self, Bar};

/// Count the closed knight's tours of a board.
///
/// A closed tour visits every square once and returns to its start, by knight's moves. It counts
/// once, whatever its start and direction. The upper half of the board is swept, and joined with
/// its mirror image.
///
/// 6 6 takes milliseconds, 7 8 a few seconds; 8 8, with 13267364410532 tours, takes about a minute,
/// or half that with 2 threads, and 1.2 GB of memory.
#[derive(Parser)]
struct Arguments {
    /// Rows of the board.
    #[arg(value_parser = support::whole::<usize>)]
    rows: usize,
    /// Columns of the board.
    #[arg(value_parser = support::whole::<usize>)]
    columns: usize,
    /// Threads that share the work.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Maximal bytes of the states of two layers; joining the halves may take half as much again.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 4 << 30,
        value_parser = support::whole::<u64>
    )]
    memory: u64,
    /// Print only the number of tours.
    #[arg(long)]
    answer_only: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| {
        let board = TourBoard::new(arguments.rows, arguments.columns)?;
        let limits = Limits::new().memory(arguments.memory);
        let mut tours = KnightsTours::new(board)?.limits(limits).threads(arguments.threads.into());
        let reason = tours.split().err();
        let bar = Bar::new(false);
        if let Some(callback) = bar.of_sweep() {
            tours = tours.progress(progress::EVERY, callback);
        }
        let outcome = tours.count().complete()?;
        drop(bar);
        if arguments.answer_only {
            return support::print(format_args!("{outcome}\n"));
        }
        match reason {
            Some(reason) => {
                support::print(format_args!("tours  {outcome}\n\nThere is none: {reason}.\n"))
            }
            None => {
                support::print(format_args!("tours          {outcome}\n\n{}", outcome.report()))
            }
        }
    })
}
