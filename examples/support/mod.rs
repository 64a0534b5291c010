//! Common parts of the examples: input, output, exit codes, and the options of long runs.
//!
//! This file has input and output. In reading order, `run` has the options of long runs, with their
//! parts `checkpoint`, `interrupt` and `progress`; `sweeps` saves sweeps; `catalogue` has the
//! problems of the catalogue; `estimate`, included separately, has `--estimate`.

// Each example is a separate crate and uses only a part of this module.
#![allow(dead_code)]

pub mod catalogue;
pub mod checkpoint;
pub mod interrupt;
pub mod progress;
pub mod run;
pub mod sweeps;

use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use secateurs::{Incomplete, Stop};

/// Any error, to be printed as a message.
pub type Failure = Box<dyn Error>;

/// Runs an example. On failure, prints the message on standard error and returns exit code 2.
///
/// A closed pipe (as in `… | head`) is not a failure. An interrupted search returns exit code 130.
pub fn run(example: impl FnOnce() -> Result<(), Failure>) -> ExitCode {
    match example() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if is_broken_pipe(&*failure) => ExitCode::SUCCESS,
        Err(failure) if is_interruption(&*failure) => {
            eprintln!("{failure}");
            ExitCode::from(interrupt::EXIT_CODE)
        }
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(2)
        }
    }
}

fn is_interruption(failure: &(dyn Error + 'static)) -> bool {
    let is_cancelled = |incomplete: &Incomplete| incomplete.stop() == Stop::Cancelled;
    failure.is::<interrupt::Interrupted>() || failure.downcast_ref().is_some_and(is_cancelled)
}

fn is_broken_pipe(failure: &(dyn Error + 'static)) -> bool {
    failure
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Reads a whole number of the command line, with a message that states what was expected.
pub fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| "expected a whole number, neither negative nor beyond 64 bits".to_owned())
}

/// Reads a file, or standard input for `-`. Returns `bundled` if there is no path.
pub fn read(path: Option<&Path>, bundled: &str) -> Result<String, Failure> {
    let Some(path) = path else { return Ok(bundled.to_owned()) };
    interrupt::while_reading(|| {
        if path == Path::new("-") {
            let mut text = String::new();
            io::stdin()
                .read_to_string(&mut text)
                .map_err(|error| format!("standard input: {error}"))?;
            return Ok(text);
        }
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
    })
}

/// Prefixes an error with the name of the input.
pub fn about(path: Option<&Path>, error: impl Error) -> Failure {
    match path {
        Some(path) if path == Path::new("-") => format!("standard input: {error}").into(),
        Some(path) => format!("{}: {error}", path.display()).into(),
        None => error.to_string().into(),
    }
}

/// Writes a picture, if one was requested.
pub fn write_svg(path: Option<&Path>, svg: impl FnOnce() -> String) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    fs::write(path, svg()).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Prints text on standard output. Unlike `print!`, it returns an error instead of panicking.
pub fn print(text: impl Display) -> Result<(), Failure> {
    print_lines([text], "")
}

/// Prints lines on standard output through a buffer, each followed by `end`.
pub fn print_lines(lines: impl IntoIterator<Item: Display>, end: &str) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in lines {
        write!(out, "{line}{end}")?;
    }
    out.flush()?;
    Ok(())
}

/// Formats a time in words.
pub fn in_words(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let units = [
        (31_556_952.0, "years"),
        (86_400.0, "days"),
        (3_600.0, "hours"),
        (60.0, "minutes"),
        (1.0, "seconds"),
    ];
    match units.into_iter().find(|&(unit, _)| seconds >= 2.0 * unit) {
        Some((unit, name)) if seconds / unit < 1e6 => format!("about {:.1} {name}", seconds / unit),
        Some((unit, name)) => format!("about {:.1e} {name}", seconds / unit),
        None if seconds >= 1.0 => "about a second".to_owned(),
        None => "less than a second".to_owned(),
    }
}
