//! Ctrl-C: the first ends the search cleanly, with what is known; the second ends the program, as
//! the first does while the program reads its input.

use std::fmt;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use secateurs::{Cancel, Stop};

use super::Failure;

/// Programs that were interrupted end with this, by an old custom: 128 and the number of the
/// signal.
pub const EXIT_CODE: u8 = 130;

/// The state that the handler reads. One lock is for both, so that an interruption just before the
/// program begins to read is not missed.
struct State {
    is_interrupted: bool,
    is_reading: bool,
}

static STATE: Mutex<State> = Mutex::new(State { is_interrupted: false, is_reading: false });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Cancels the search on Ctrl-C, and when the program is asked to end. Once a program.
pub fn install(cancel: &Cancel) -> Result<(), Failure> {
    let cancel = cancel.clone();
    ctrlc::set_handler(move || {
        let mut state = state();
        if state.is_interrupted || state.is_reading {
            process::exit(EXIT_CODE.into());
        }
        state.is_interrupted = true;
        cancel.cancel();
    })?;
    Ok(())
}

/// Reads input. No search runs yet that could be cancelled, and reading may block for ever, as from
/// a pipe that nothing is written to: so an interruption ends the program at once.
pub fn while_reading<T>(read: impl FnOnce() -> T) -> T {
    {
        let mut state = state();
        if state.is_interrupted {
            process::exit(EXIT_CODE.into());
        }
        state.is_reading = true;
    }
    let input = read();
    state().is_reading = false;
    input
}

/// What is left to say when what is known has been said: that more was not to be known.
pub fn check(stop: Stop) -> Result<(), Failure> {
    if stop == Stop::Cancelled { Err(Interrupted.into()) } else { Ok(()) }
}

/// The search was interrupted, and what is known has been said.
#[derive(Debug)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted: the search has not come to its end")
    }
}

impl std::error::Error for Interrupted {}
