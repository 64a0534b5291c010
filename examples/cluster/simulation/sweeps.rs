//! The sweep simulation for several sizes of clusters, with a table of the results.

use clap::Args;
use secateurs::Level;
use secateurs::plug::Sweep;
use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};

use crate::support::{self, Failure};
use crate::sweep::{Layer, TransitionCosts, simulate};
use crate::{Common, model, table};

#[derive(Args)]
pub struct Arguments {
    /// Use the layers of Hamiltonian cycles on a board with this many rows and columns.
    #[arg(long, value_name = "N", default_value_t = 14)]
    board: usize,
    /// Scale the layers to a board with this many rows and columns.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    as_board: Option<u16>,
    /// Factor by which layers grow for each further row and column.
    #[arg(long, value_name = "G", default_value_t = 2.7)]
    growth: f64,
    /// Processor time of a transition, in nanoseconds.
    #[arg(long, value_name = "NS", default_value_t = 30.0)]
    step_ns: f64,
    /// Share of the transitions to states of other workers that is left to send after equal states
    /// have been merged.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    sent: f64,
    /// Processor time to serialize and deserialize a transition that is sent, in nanoseconds.
    #[arg(long, value_name = "NS", default_value_t = 75.0)]
    send_ns: f64,
    /// Length of a transition in a message, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 13.0)]
    state_bytes: f64,
    /// Processor time per message if many are sent at once, at both ends together, in microseconds.
    #[arg(long, value_name = "US", default_value_t = 10.0)]
    message_us: f64,
    #[command(flatten)]
    common: Common,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let common = &arguments.common;
    let transition = TransitionCosts {
        step: arguments.step_ns * 1e-9,
        sent: arguments.sent,
        send: arguments.send_ns * 1e-9,
        bytes: arguments.state_bytes,
        message: arguments.message_us * 1e-6,
    };
    let mut layers = layers(arguments.board)?;
    if let Some(board) = arguments.as_board {
        layers = scaled(&layers, arguments.board, board.into(), arguments.growth);
    }
    let table = table::of_runs(
        common,
        "Efficiency of a sweep",
        &["exchange", "skew", "bandwidth", "messages", "progress", "latency"],
        &[],
        |workers| {
            let run = simulate(&layers, workers, transition, common.costs, common.seed);
            let uses = run.worker_time;
            let waits = [uses.skew, uses.bandwidth, uses.messages, uses.progress, uses.latency];
            table::Run {
                duration: run.duration,
                expected: model::sweep(&layers, workers, transition, common.costs),
                accounted: uses.sum(),
                losses: [uses.exchange].into_iter().chain(waits).collect(),
                others: Vec::new(),
            }
        },
    )?;
    let max_states = layers.iter().map(|layer| layer.states).fold(0.0, f64::max);
    let transitions: f64 = layers.iter().map(|layer| layer.transitions).sum();
    let rounds = layers.len();
    support::print(format_args!(
        "{rounds} rounds, {max_states:.3e} states at most, {transitions:.3e} transitions\n\n{table}"
    ))
}

/// Counts Hamiltonian cycles on a square board, and returns the layers of the sweep from its
/// report.
fn layers(size: usize) -> Result<Vec<Layer>, Failure> {
    let cycles = hamiltonian_cycles(&Grid::new(size, size)?);
    let outcome = Sweep::new(&cycles).count_modulo(1_000_000_007)?;
    // A level counts the transitions that led into it.
    let layer = |pair: &[Level]| Layer {
        states: pair[0].nodes as f64,
        transitions: pair[1].transitions as f64,
    };
    Ok(outcome.report().levels().windows(2).map(layer).collect())
}

/// Scales the layers of a board with `from` rows and columns to one with `to`. The result has a
/// layer for each cell of that board. Sizes grow by the factor `growth` for each row and column.
fn scaled(layers: &[Layer], from: usize, to: usize, growth: f64) -> Vec<Layer> {
    let factor = growth.powf(to as f64 - from as f64);
    let rounds = to * to;
    let source = |round: usize| layers[round * layers.len() / rounds];
    let grown = |layer: Layer| Layer {
        states: layer.states * factor,
        transitions: layer.transitions * factor,
    };
    (0..rounds).map(|round| grown(source(round))).collect()
}
