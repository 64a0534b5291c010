//! Ctrl-C: the first one stops the run cleanly, so that the program prints its results so far. The
//! program ends within a second, unless it says what takes longer. A second Ctrl-C ends it at once,
//! and so does the first one while it reads its input.

use std::process;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use secateurs::Cancel;

use super::{EXIT_INTERRUPTED, Failure};

/// The time that an interrupted program has to print its results.
const GRACE: Duration = Duration::from_millis(800);

/// The state of the handler. One lock protects all fields, so that an interruption just before the
/// program begins to read is not lost.
struct State {
    is_interrupted: bool,
    is_reading: bool,
    /// The step that must be completed even if it takes longer, such as saving a file.
    unfinished_work: Option<String>,
}

static STATE: Mutex<State> =
    Mutex::new(State { is_interrupted: false, is_reading: false, unfinished_work: None });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the flag that Ctrl-C sets, for the limits of all runs of the program.
pub fn cancel() -> &'static Cancel {
    static CANCEL: OnceLock<Cancel> = OnceLock::new();
    CANCEL.get_or_init(Cancel::new)
}

/// Installs a handler that cancels runs on Ctrl-C and on termination signals. To be called once per
/// program.
pub fn install() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        {
            let mut state = state();
            if state.is_interrupted || state.is_reading {
                exit();
            }
            state.is_interrupted = true;
        }
        cancel().cancel();
        // Not in the handler itself, which has to notice a second Ctrl-C.
        thread::spawn(exit_after_grace);
    })?;
    Ok(())
}

/// Ends the program at once.
fn exit() -> ! {
    eprintln!("interrupted: the run is not finished");
    process::exit(EXIT_INTERRUPTED.into())
}

/// Ends an interrupted program that does not end by itself, because it is not in a run that can be
/// cancelled, or its output blocks. Work that must be completed is announced instead.
fn exit_after_grace() {
    let mut announced = None;
    loop {
        thread::sleep(GRACE);
        let work = state().unfinished_work.clone();
        if work.is_none() {
            exit();
        }
        if work != announced {
            eprintln!("interrupted: {}; Ctrl-C again ends at once", work.as_deref().unwrap_or(""));
            announced = work;
        }
    }
}

/// Does work that an interrupted program completes before it ends. `what` describes the work to a
/// user who waits.
pub fn while_completing<T>(what: String, work: impl FnOnce() -> T) -> T {
    let outer = state().unfinished_work.replace(what);
    let result = work();
    state().unfinished_work = outer;
    result
}

/// Reads input. An interruption meanwhile ends the program at once: no run could be cancelled, and
/// reading may block forever, for example from a pipe without a writer.
pub fn while_reading<T>(read: impl FnOnce() -> T) -> T {
    {
        let mut state = state();
        if state.is_interrupted {
            exit();
        }
        state.is_reading = true;
    }
    let input = read();
    state().is_reading = false;
    input
}
