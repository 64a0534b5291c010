//! The command `secateurs`: runs the model problems, and measures, checks and records prunings.
//!
//! Each module is a subcommand, except for `support`, which has input, output, limits, progress,
//! saving and exit codes for all of them, and `estimate`, the option `--estimate`.

mod audit;
mod clique;
mod coloring;
mod compare;
mod count;
mod cover;
mod estimate;
mod fire_net;
mod graph_count;
mod job_shop;
mod knights_count;
mod knights_tour;
mod lab;
mod maze;
mod optimise;
mod packed;
mod puzzles;
mod queens;
mod rocket_mania;
mod sudoku;
mod support;
mod tree;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use peak_alloc::PeakAlloc;

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

/// Exhaustive and optimal combinatorial search, with prunings that can be measured and checked
#[derive(Parser)]
#[command(version, after_help = AFTER_HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit codes: 0 complete, 1 a check has failed, 2 wrong options or input, 3 stopped by a limit, 130 \
interrupted.";

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one value of it")]
enum Command {
    Audit(audit::Arguments),
    Clique(clique::Arguments),
    Coloring(coloring::Arguments),
    Compare(compare::Arguments),
    Count(count::Arguments),
    Cover(cover::Arguments),
    FireNet(fire_net::Arguments),
    GraphCount(graph_count::Arguments),
    JobShop(job_shop::Arguments),
    KnightsCount(knights_count::Arguments),
    KnightsTour(knights_tour::Arguments),
    Lab(lab::Arguments),
    Maze(maze::Arguments),
    Optimise(optimise::Arguments),
    Puzzles(puzzles::Arguments),
    Queens(queens::Arguments),
    RocketMania(rocket_mania::Arguments),
    Sudoku(sudoku::Arguments),
    Tree(tree::Arguments),
}

fn main() -> ExitCode {
    let command = Arguments::command().mut_subcommand("tree", tree::with_global_limits);
    let arguments = Arguments::from_arg_matches(&command.get_matches());
    let Arguments { command } = arguments.unwrap_or_else(|error| error.exit());
    match command {
        Command::Audit(arguments) => audit::run(arguments),
        Command::Clique(arguments) => clique::run(arguments),
        Command::Coloring(arguments) => coloring::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Count(arguments) => count::run(arguments),
        Command::Cover(arguments) => cover::run(arguments),
        Command::FireNet(arguments) => fire_net::run(arguments),
        Command::GraphCount(arguments) => graph_count::run(arguments),
        Command::JobShop(arguments) => job_shop::run(arguments),
        Command::KnightsCount(arguments) => knights_count::run(arguments),
        Command::KnightsTour(arguments) => knights_tour::run(arguments),
        Command::Lab(arguments) => lab::run(arguments),
        Command::Maze(arguments) => maze::run(arguments),
        Command::Optimise(arguments) => optimise::run(arguments),
        Command::Puzzles(arguments) => puzzles::run(arguments),
        Command::Queens(arguments) => queens::run(arguments),
        Command::RocketMania(arguments) => rocket_mania::run(arguments),
        Command::Sudoku(arguments) => sudoku::run(arguments),
        Command::Tree(arguments) => tree::run(arguments),
    }
}
