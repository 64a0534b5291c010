//! Estimates of the states, memory and time of a sweep, from sweeps of smaller boards.
//!
//! The number of states is unknown before a sweep, but it grows by a nearly constant factor from
//! one width of the board to the next. So narrower boards are swept, as wide as one second allows,
//! and the rest is extrapolated.

use std::time::{Duration, Instant};

use secateurs::{Incomplete, Report, Stop};

use super::{Failure, Unfinished, check_complete};

/// The time for the sweeps of smaller boards.
const BUDGET: Duration = Duration::from_secs(1);

/// The estimated effort of a sweep.
pub struct Estimate {
    pub states: f64,
    pub bytes: f64,
    pub seconds: f64,
    /// The width of the widest board that was swept.
    pub swept: usize,
}

/// Sweeps boards up to `width` as long as time and memory allow, and extrapolates. `sweep` sweeps
/// the board of a width within a time; it returns `None` if there is no such board. Returns `None`
/// if there are too few boards.
pub fn measure(
    width: usize,
    mut sweep: impl FnMut(usize, Duration) -> Result<Option<Report>, Failure>,
) -> Result<Option<Estimate>, Failure> {
    let start = Instant::now();
    let mut reports = Vec::new();
    let mut bytes_of_stopped = 0;
    for width in 1..=width {
        let Some(report) = sweep(width, BUDGET.saturating_sub(start.elapsed()))? else { break };
        match report.stop() {
            Stop::Exhausted => reports.push(report),
            Stop::Cancelled => check_complete(Stop::Cancelled)?,
            Stop::TimeLimit => break,
            Stop::MemoryLimit => {
                bytes_of_stopped = report.peak_bytes().unwrap_or(0);
                break;
            }
            stop => return Err(format!("no estimate: a smaller board stopped: {stop}").into()),
        }
    }
    let estimate = |stat: &dyn Fn(&Report) -> f64| extrapolate(&reports, width, stat);
    let states = estimate(&|report| report.nodes() as f64);
    let bytes = estimate(&|report| report.peak_bytes().unwrap_or(0) as f64)
        // If a smaller board needed more, the boards are too small to extrapolate.
        .filter(|&bytes| bytes > bytes_of_stopped as f64);
    let seconds = estimate(&|report| report.elapsed().as_secs_f64());
    let swept = reports.len();
    Ok(states.zip(bytes).zip(seconds).map(|((states, bytes), seconds)| Estimate {
        states,
        bytes,
        seconds,
        swept,
    }))
}

/// Appends an estimate of the memory needed to the error of a sweep of the board of `width`, if the
/// sweep stopped at a memory limit and nothing better is known. `sweep` is that of [`measure`].
pub fn with_memory_estimate(
    failure: Failure,
    width: usize,
    sweep: impl FnMut(usize, Duration) -> Result<Option<Report>, Failure>,
) -> Failure {
    let Some(incomplete) = failure.downcast_ref::<Incomplete>() else { return failure };
    match of_memory(incomplete, width, sweep) {
        Some(estimate) => {
            Unfinished::new(Stop::MemoryLimit, format!("{incomplete}; {estimate}")).into()
        }
        None => failure,
    }
}

/// Returns an estimate of the memory needed by a sweep of the board of `width`, in words, if the
/// sweep stopped at a memory limit and nothing better is known. `sweep` is that of [`measure`].
pub fn of_memory(
    incomplete: &Incomplete,
    width: usize,
    sweep: impl FnMut(usize, Duration) -> Result<Option<Report>, Failure>,
) -> Option<String> {
    if incomplete.stop() != Stop::MemoryLimit || incomplete.needed_bytes().is_some() {
        return None;
    }
    let Estimate { bytes, swept, .. } = measure(width, sweep).ok()??;
    (swept < width).then(|| {
        format!(
            "an estimate, extrapolated from boards of up to {swept} in place of {width}: {} MiB",
            mebibytes(bytes)
        )
    })
}

/// Formats a number of bytes in mebibytes.
pub fn mebibytes(bytes: f64) -> String {
    match bytes / f64::from(1 << 20) {
        mebibytes if mebibytes < 10.0 => format!("{mebibytes:.1}"),
        mebibytes if mebibytes < 1e7 => format!("{mebibytes:.0}"),
        mebibytes => format!("{mebibytes:.1e}"),
    }
}

/// Returns an estimate for the whole board: the value of the widest swept board, times the recent
/// growth factor for each missing step. The factor is the mean of two steps, because odd and even
/// widths may differ, or of one if there is nothing to sweep on the board before.
fn extrapolate(reports: &[Report], width: usize, stat: &dyn Fn(&Report) -> f64) -> Option<f64> {
    let last = stat(reports.last()?);
    let missing = width - reports.len();
    if missing == 0 {
        return Some(last);
    }
    let growth = |steps: usize| {
        let before = stat(reports.get(reports.len().checked_sub(steps + 1)?)?);
        (before > 0.0).then(|| (last / before).powf(1.0 / steps as f64))
    };
    let factor = growth(2).or_else(|| growth(1))?.max(1.0);
    Some(last * factor.powf(missing as f64))
}
