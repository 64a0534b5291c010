//! Ctrl-C: the first ends the search cleanly, with what is known; the second ends the program.

use std::fmt;
use std::process;

use secateurs::{Cancel, Stop};

use super::Failure;

/// Programs that were interrupted end with this, by an old custom: 128 and the number of the signal.
pub const EXIT_CODE: u8 = 130;

/// Cancels the search on Ctrl-C, and when the program is asked to end. Once a program.
pub fn install(cancel: &Cancel) -> Result<(), Failure> {
    let cancel = cancel.clone();
    ctrlc::set_handler(move || {
        if cancel.is_cancelled() {
            process::exit(EXIT_CODE.into());
        }
        cancel.cancel();
    })?;
    Ok(())
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
