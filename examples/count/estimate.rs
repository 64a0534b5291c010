//! Estimates of the states, memory and time of a sweep, from sweeps of smaller boards.
//!
//! The number of states is unknown before a sweep, but it grows by a nearly constant factor from
//! one width of the board to the next. So narrower boards are swept, as wide as one second allows,
//! and the rest is extrapolated.

use std::time::{Duration, Instant};

use secateurs::{Report, Stop};

use crate::support::interrupt::Interrupted;
use crate::support::{self, Failure};
use crate::{Arguments, count};

/// The time for the sweeps of smaller boards.
const BUDGET: Duration = Duration::from_secs(1);

/// Prints estimates of the number of states, and of the memory and time that they take.
pub fn estimate(arguments: &mut Arguments) -> Result<(), Failure> {
    if let Some(option) = arguments.saving.given() {
        return Err(format!("found {option} with --estimate, expected it with sweeps only").into());
    }
    let whole = (arguments.board.rows, arguments.board.columns);
    let width = width(arguments);
    if width == 0 {
        // There is no smaller board to estimate from, and the sweep takes no time.
        arguments.estimate = false;
        return count(arguments);
    }
    let start = Instant::now();
    let mut reports = Vec::new();
    for width in 1..=width {
        set_width(arguments, whole, width);
        arguments.time = Some(BUDGET.saturating_sub(start.elapsed()));
        count(arguments)?;
        match arguments.measured.take() {
            Some(report) if report.stop() == Stop::Cancelled => return Err(Interrupted.into()),
            Some(report) if report.stop() == Stop::Exhausted => reports.push(report),
            Some(report) if report.stop() != Stop::TimeLimit => {
                return Err(
                    format!("no estimate: a smaller board stopped: {}", report.stop()).into()
                );
            }
            _ => break,
        }
    }
    let estimate = |stat: &dyn Fn(&Report) -> f64| extrapolate(&reports, width, stat);
    let states = estimate(&|report| report.nodes() as f64);
    let bytes = estimate(&|report| report.peak_bytes().unwrap_or(0) as f64);
    let seconds = estimate(&|report| report.elapsed().as_secs_f64());
    let (Some(states), Some(bytes), Some(seconds)) = (states, bytes, seconds) else {
        return Err("no estimate: the smallest boards take too long".into());
    };
    if arguments.answer_only {
        return support::print(format_args!("{states:.0}\n"));
    }
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let from = match reports.len() {
        swept if swept == width => "the board itself was swept".to_owned(),
        swept => format!("extrapolated from boards of up to {swept} in place of {width}"),
    };
    let mebibytes = match bytes / f64::from(1 << 20) {
        mebibytes if mebibytes < 1e7 => format!("{mebibytes:.0}"),
        mebibytes => format!("{mebibytes:.1e}"),
    };
    support::print(format_args!(
        "about {states:.2e} states in all, and {mebibytes} MiB at a time ({from})\n\n\
         A sweep would take {}.\n",
        support::in_words(time)
    ))
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
