//! Estimates of the states, memory and time of a sweep, from sweeps of smaller boards.
//!
//! The number of states is unknown before a sweep, but it grows by a nearly constant factor from
//! one width of the board to the next. So narrower boards are swept, as wide as one second allows,
//! and the rest is extrapolated.

use std::time::{Duration, Instant};

use secateurs::{Incomplete, Report, Stop};

use crate::support::{self, Failure};
use crate::{Arguments, count};

/// The time for the sweeps of smaller boards.
const BUDGET: Duration = Duration::from_secs(1);

/// Prints estimates of the number of states, and of the memory and time that they take.
pub fn estimate(arguments: &mut Arguments) -> Result<(), Failure> {
    if let Some(option) = arguments.saving.given() {
        return Err(format!("found {option} with --estimate, expected it with sweeps only").into());
    }
    let width = width(arguments);
    if width == 0 {
        // There is no smaller board to estimate from, and the sweep takes no time.
        arguments.estimate = false;
        return count(arguments);
    }
    let Some(Estimate { states, bytes, seconds, swept }) = measure(arguments)? else {
        return Err("no estimate: the smallest boards take too long".into());
    };
    if arguments.answer_only {
        return support::print(format_args!("{states:.0}\n"));
    }
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let from = match swept {
        swept if swept == width => "the board itself was swept".to_owned(),
        swept => format!("extrapolated from boards of up to {swept} in place of {width}"),
    };
    support::print(format_args!(
        "about {states:.2e} states in all, and {} MiB at a time ({from})\n\n\
         A sweep would take {}.\n",
        mebibytes(bytes),
        support::in_words(time)
    ))
}

/// Adds an estimate of the memory that a sweep needs to its error, if it stopped at a memory limit
/// and nothing better is known.
pub fn with_memory(arguments: &mut Arguments, failure: Failure) -> Failure {
    let is_unknown = |incomplete: &&Incomplete| {
        incomplete.stop() == Stop::MemoryLimit && incomplete.needed_bytes().is_none()
    };
    let Some(incomplete) = failure.downcast_ref::<Incomplete>().filter(is_unknown) else {
        return failure;
    };
    // Saved sweeps are left alone, and boards with obstacles have no narrower ones.
    let is_alone = arguments.saving.given().is_some() || arguments.board.obstacles.is_some();
    if is_alone || arguments.draws() {
        return failure;
    }
    let width = width(arguments);
    arguments.estimate = true;
    match measure(arguments) {
        Ok(Some(Estimate { bytes, swept, .. })) if swept < width => {
            let message = format!(
                "{incomplete}; an estimate, extrapolated from boards of up to {swept} in place of \
                 {width}: {} MiB",
                mebibytes(bytes)
            );
            support::Unfinished::new(Stop::MemoryLimit, message).into()
        }
        _ => failure,
    }
}

/// The estimated effort of a sweep.
struct Estimate {
    states: f64,
    bytes: f64,
    seconds: f64,
    /// The width of the widest board that was swept.
    swept: usize,
}

/// Sweeps boards up to the one of the arguments as long as time and memory allow, and extrapolates.
/// Returns `None` if there are too few boards.
fn measure(arguments: &mut Arguments) -> Result<Option<Estimate>, Failure> {
    let whole = (arguments.board.rows, arguments.board.columns);
    let width = width(arguments);
    let start = Instant::now();
    let mut reports = Vec::new();
    for width in 1..=width {
        set_width(arguments, whole, width);
        arguments.sweep.limits.time = Some(BUDGET.saturating_sub(start.elapsed()));
        count(arguments)?;
        let Some(report) = arguments.measured.take() else { break };
        match report.stop() {
            Stop::Exhausted => reports.push(report),
            Stop::Cancelled => support::check_complete(Stop::Cancelled)?,
            Stop::TimeLimit | Stop::MemoryLimit => break,
            stop => return Err(format!("no estimate: a smaller board stopped: {stop}").into()),
        }
    }
    let estimate = |stat: &dyn Fn(&Report) -> f64| extrapolate(&reports, width, stat);
    let states = estimate(&|report| report.nodes() as f64);
    let bytes = estimate(&|report| report.peak_bytes().unwrap_or(0) as f64);
    let seconds = estimate(&|report| report.elapsed().as_secs_f64());
    let swept = reports.len();
    Ok(states.zip(bytes).zip(seconds).map(|((states, bytes), seconds)| Estimate {
        states,
        bytes,
        seconds,
        swept,
    }))
}

fn mebibytes(bytes: f64) -> String {
    match bytes / f64::from(1 << 20) {
        mebibytes if mebibytes < 10.0 => format!("{mebibytes:.1}"),
        mebibytes if mebibytes < 1e7 => format!("{mebibytes:.0}"),
        mebibytes => format!("{mebibytes:.1e}"),
    }
}

/// Returns the size that the number of states depends on: the length of the shorter side, or the
/// number of cells of a polyomino.
fn width(arguments: &Arguments) -> usize {
    arguments
        .board
        .columns
        .map_or(arguments.board.rows, |columns| columns.min(arguments.board.rows))
}

/// Changes the shorter side, or the number of cells of a polyomino, to this width.
fn set_width(arguments: &mut Arguments, (rows, columns): (usize, Option<usize>), width: usize) {
    (arguments.board.rows, arguments.board.columns) = match columns {
        None => (width, None),
        Some(columns) if columns <= rows => (rows, Some(width)),
        Some(columns) => (width, Some(columns)),
    };
}

/// Returns an estimate for the whole board: the value of the widest swept board, times the recent
/// growth factor for each missing step. The factor is the mean of two steps, as odd and even widths
/// may differ.
fn extrapolate(reports: &[Report], width: usize, stat: &dyn Fn(&Report) -> f64) -> Option<f64> {
    let last = stat(reports.last()?);
    let missing = width - reports.len();
    if missing == 0 {
        return Some(last);
    }
    let before = stat(reports.get(reports.len().checked_sub(3)?)?);
    let factor = (last / before.max(f64::MIN_POSITIVE)).sqrt().max(1.0);
    Some(last * factor.powf(missing as f64))
}
