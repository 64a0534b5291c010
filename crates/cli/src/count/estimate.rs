//! Estimates of the states, memory and time of a sweep, from sweeps of smaller boards.

use std::time::Duration;

use crate::count::{Arguments, count};
use crate::support::extrapolation::{self, Estimate, mebibytes};
use crate::support::{self, Failure};

/// Prints estimates of the number of states, and of the memory and time that they take.
pub fn estimate(arguments: &mut Arguments) -> Result<(), Failure> {
    if let Some(option) = arguments.saving.given() {
        return Err(format!("found {option} with --estimate, expected it with sweeps only").into());
    }
    let width = arguments.board.width();
    if width == 0 {
        // There is no smaller board to estimate from, and the sweep takes no time.
        arguments.estimate = false;
        return count(arguments);
    }
    let estimate = extrapolation::measure(width, |width, time| sweep(arguments, width, time))?;
    let Some(Estimate { states, bytes, seconds, swept }) = estimate else {
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
pub fn with_memory_estimate(arguments: &mut Arguments, failure: Failure) -> Failure {
    // A file belongs to one sweep, and boards with obstacles have no narrower ones.
    let has_no_estimate = arguments.saving.given().is_some() || arguments.board.obstacles.is_some();
    if has_no_estimate || arguments.draws() {
        return failure;
    }
    let width = arguments.board.width();
    arguments.estimate = true;
    extrapolation::with_memory_estimate(failure, width, |width, time| sweep(arguments, width, time))
}

/// Sweeps the board of this width within this time.
fn sweep(
    arguments: &mut Arguments,
    width: usize,
    time: Duration,
) -> Result<Option<secateurs::Report>, Failure> {
    arguments.board = arguments.board.with_width(width);
    arguments.sweep.limits.time = Some(time);
    count(arguments)?;
    Ok(arguments.measured.take())
}
