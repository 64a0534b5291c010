//! Ctrl-C: the first one stops the search cleanly, so that the program prints its results so far.
//! The second one ends the program, and so does the first one while the program reads its input.

use std::fmt;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use secateurs::{Cancel, Stop};

use super::Failure;

/// The conventional exit code of interrupted programs: 128 plus the number of the signal.
pub const EXIT_CODE: u8 = 130;

/// The state of the handler. One lock protects both fields, so that an interruption just before the
/// program begins to read is not lost.
struct State {
    is_interrupted: bool,
    is_reading: bool,
}

static STATE: Mutex<State> = Mutex::new(State { is_interrupted: false, is_reading: false });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs a handler that cancels the search on Ctrl-C and on termination signals. To be called
/// once per program.
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

/// Reads input. An interruption meanwhile ends the program at once: no search runs that could be
/// cancelled, and reading may block forever, for example from a pipe without a writer.
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

/// Returns an error if the search was interrupted. To be called after the results are printed.
pub fn check(stop: Stop) -> Result<(), Failure> {
    if stop == Stop::Cancelled { Err(Interrupted.into()) } else { Ok(()) }
}

/// The error of an interrupted search whose results are printed.
#[derive(Debug)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted: the search is not finished")
    }
}

impl std::error::Error for Interrupted {}
