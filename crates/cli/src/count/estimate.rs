//! Estimates of the states, memory and time of a sweep, from sweeps of smaller boards.

use std::time::Duration;

use secateurs::{Incomplete, Report};

use super::options::{Countable, count};
use crate::support::extrapolation::{self, Estimate, mebibytes};
use crate::support::{self, Failure};

/// Prints estimates of the number of states, and of the memory and time that they take.
pub fn estimate(command: &mut impl Countable) -> Result<(), Failure> {
    if let Some(option) = command.options().saving.given() {
        return Err(format!("found {option} with --estimate, expected it with sweeps only").into());
    }
    let side = command.side()?;
    if side == 0 {
        // There is no smaller board to estimate from, and the sweep takes no time.
        command.options_mut().estimate = false;
        return count(command);
    }
    let estimate = extrapolation::measure(side, |side, time| sweep(command, side, time))?;
    let Some(Estimate { states, bytes, seconds, swept }) = estimate else {
        return Err("no estimate: the smallest boards take too long".into());
    };
    if command.options().answer_only {
        return support::print(format_args!("{states:.0}\n"));
    }
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let from = match swept {
        swept if swept == side => "the board itself was swept".to_owned(),
        swept => format!("extrapolated from boards of up to {swept} in place of {side}"),
    };
    support::print(format_args!(
        "about {states:.2e} states in all, and {} MiB at a time ({from})\n\n\
         A sweep would take {}.\n",
        mebibytes(bytes),
        support::in_words(time)
    ))
}

/// Returns an estimate of the memory that a sweep needs, in words, if it stopped at a memory limit,
/// nothing better is known, and there are smaller boards.
pub fn of_memory(command: &mut impl Countable, incomplete: &Incomplete) -> Option<String> {
    // A file belongs to one sweep.
    if command.options().saving.given().is_some() || command.options().draws() {
        return None;
    }
    let side = command.side().ok()?;
    command.options_mut().estimate = true;
    let words = extrapolation::of_memory(incomplete, side, |side, time| sweep(command, side, time));
    command.options_mut().estimate = false;
    words
}

/// Sweeps the board of this side within this time.
fn sweep(
    command: &mut impl Countable,
    side: usize,
    time: Duration,
) -> Result<Option<Report>, Failure> {
    command.shorten(side);
    command.options_mut().limit_time(time);
    count(command)?;
    Ok(command.options().measured.take())
}
