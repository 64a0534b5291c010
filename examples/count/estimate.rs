//! How large a sweep is, from sweeps of smaller boards.
//!
//! Nobody knows the number of states before they are made. But from one width of the board to the
//! next it grows by a factor that hardly changes: so narrower boards are swept, as wide as a second
//! allows, and the rest is extrapolated.

use std::time::{Duration, Instant};

use secateurs::{Report, Stop};

use crate::support::interrupt::Interrupted;
use crate::support::{self, Failure};
use crate::{Arguments, count};

/// So long boards are swept.
const BUDGET: Duration = Duration::from_secs(1);

/// Prints how many states there are, and how much memory and time they take.
pub fn estimate(arguments: &mut Arguments) -> Result<(), Failure> {
    if let Some(option) = arguments.saving.given() {
        return Err(format!("{option} is for sweeps: expected no --estimate").into());
    }
    let whole = (arguments.board.rows, arguments.board.columns);
    let width = width(arguments);
    if width == 0 {
        // There is nothing smaller to estimate from, and nothing to wait for.
        arguments.estimate = false;
        return count(arguments);
    }
    let start = Instant::now();
    let mut reports = Vec::new();
    for width in 1..=width {
        narrow(arguments, whole, width);
        arguments.time = Some(BUDGET.saturating_sub(start.elapsed()));
        count(arguments)?;
        match arguments.measured.take() {
            Some(report) if report.stop() == Stop::Cancelled => return Err(Interrupted.into()),
            Some(report) if report.stop() == Stop::Exhausted => reports.push(report),
            Some(report) if report.stop() != Stop::TimeLimit => {
                return Err(format!("nothing is estimated: {}", report.stop()).into());
            }
            _ => break,
        }
    }
    let figure = |figure: &dyn Fn(&Report) -> f64| extrapolate(&reports, width, figure);
    let states = figure(&|report| report.nodes() as f64);
    let bytes = figure(&|report| report.peak_bytes().unwrap_or(0) as f64);
    let seconds = figure(&|report| report.elapsed().as_secs_f64());
    let (Some(states), Some(bytes), Some(seconds)) = (states, bytes, seconds) else {
        return Err("nothing is estimated: the smallest boards take too long".into());
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
        "about {states:.2e} states in all, and {mebibytes} MiB at a time ({from})\n\nA sweep would take {}.\n",
        support::in_words(time)
    ))
}

/// The side that the number of states depends on: the shorter one, or the number of cells of a
/// polyomino.
fn width(arguments: &Arguments) -> usize {
    arguments
        .board
        .columns
        .map_or(arguments.board.rows, |columns| columns.min(arguments.board.rows))
}

/// Makes that side so long.
fn narrow(arguments: &mut Arguments, (rows, columns): (usize, Option<usize>), width: usize) {
    (arguments.board.rows, arguments.board.columns) = match columns {
        None => (width, None),
        Some(columns) if columns <= rows => (rows, Some(width)),
        Some(columns) => (width, Some(columns)),
    };
}

/// A figure of the whole board: that of the widest board that was swept, times the factor of the
/// last steps for each step that is missing. (Of two steps, as odd and even widths may differ.)
fn extrapolate(reports: &[Report], width: usize, figure: &dyn Fn(&Report) -> f64) -> Option<f64> {
    let last = figure(reports.last()?);
    let missing = width - reports.len();
    if missing == 0 {
        return Some(last);
    }
    let before = figure(reports.get(reports.len().checked_sub(3)?)?);
    let factor = (last / before.max(f64::MIN_POSITIVE)).sqrt().max(1.0);
    Some(last * factor.powf(missing as f64))
}
