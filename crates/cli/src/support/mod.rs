//! Common parts of the commands: input, output, exit codes, and the options of long runs.
//!
//! This file has input, output and exit codes. In reading order, `limits` has the limits of all
//! runs; `run` has the options of searches, with their parts `checkpoint`, `interrupt` and
//! `progress`; `sweeps` saves sweeps, and `extrapolation` estimates their effort; `catalogue` has
//! the problems of the catalogue, `clique` the answers of both clique programs,
//! and `graphs` reads their files.
//!
//! The exit code of all commands is 0 if the run is complete, 1 if a check has failed, 2 if the
//! options or the input are wrong, 3 if a limit has stopped the run, and 130 if it was interrupted.
//! A run that has stopped prints what is known by then.

#![allow(dead_code, reason = "the examples of the cluster use only a part of this module")]

pub mod catalogue;
pub mod checkpoint;
pub mod clique;
pub mod extrapolation;
pub mod graphs;
pub mod interrupt;
pub mod limits;
pub mod progress;
pub mod run;
pub mod sweeps;

use std::error::Error;
use std::fmt::{self, Display};
use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use secateurs::{Incomplete, Outcome, Report, Stop};

/// Any error, to be printed as a message.
pub type Failure = Box<dyn Error>;

/// The exit code of a run that found an error in what it checked.
const EXIT_CHECK_FAILED: u8 = 1;
/// The exit code of wrong options or input.
const EXIT_WRONG_INPUT: u8 = 2;
/// The exit code of a run that a limit has stopped.
const EXIT_LIMIT: u8 = 3;
/// The conventional exit code of interrupted programs: 128 plus the number of the signal.
const EXIT_INTERRUPTED: u8 = 130;

/// Runs a command, which Ctrl-C can interrupt. On failure, prints the message on standard error.
/// Returns the exit code. A closed pipe (as in `… | head`) is not a failure.
pub fn run(command: impl FnOnce() -> Result<(), Failure>) -> ExitCode {
    let Err(failure) = interrupt::install().and_then(|()| command()) else {
        return ExitCode::SUCCESS;
    };
    if is_broken_pipe(&*failure) {
        return ExitCode::SUCCESS;
    }
    let code = exit_code(&*failure);
    let prefix = match code {
        EXIT_WRONG_INPUT => "error: ",
        EXIT_INTERRUPTED => "interrupted: ",
        _ => "",
    };
    eprintln!("{prefix}{failure}");
    ExitCode::from(code)
}

fn exit_code(failure: &(dyn Error + 'static)) -> u8 {
    if failure.is::<CheckFailed>() {
        return EXIT_CHECK_FAILED;
    }
    let incomplete = failure.downcast_ref().map(Incomplete::stop);
    match incomplete.or_else(|| failure.downcast_ref().map(Unfinished::stop)) {
        Some(Stop::Cancelled) => EXIT_INTERRUPTED,
        // A state is too wide if the input is too large, whatever the limits.
        Some(Stop::StateTooWide) | None => EXIT_WRONG_INPUT,
        Some(_) => EXIT_LIMIT,
    }
}

/// The error of a run that has stopped, and whose results so far are printed.
#[derive(Debug)]
pub struct Unfinished {
    stop: Stop,
    message: String,
}

impl Unfinished {
    /// Creates the error of a run with this stop, and a message that says where it stopped.
    pub fn new(stop: Stop, message: impl Display) -> Self {
        Unfinished { stop, message: message.to_string() }
    }

    fn stop(&self) -> Stop {
        self.stop
    }
}

impl Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Unfinished {}

/// The error of a run that found an error in what it checked.
#[derive(Debug)]
pub struct CheckFailed(pub String);

impl Display for CheckFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for CheckFailed {}

/// Returns the outcome of a sweep if it is complete. Otherwise there is no answer: prints the
/// report of what was swept, or only that the answer is not known.
pub fn complete<T>(outcome: Outcome<T>, answer_only: bool) -> Result<Outcome<T>, Failure> {
    print_unknown(outcome.report(), answer_only)?;
    Ok(outcome.complete()?)
}

/// Prints that the answer of a sweep is not known, if it has stopped early, and the report unless
/// only the answer is requested.
pub fn print_unknown(report: &Report, answer_only: bool) -> Result<(), Failure> {
    match report.stop() {
        // A state that is too wide is an error of the input.
        Stop::Exhausted | Stop::Satisfied | Stop::StateTooWide => Ok(()),
        _ if answer_only => print("unknown\n"),
        _ => print(format_args!("unknown\n\n{report}\n")),
    }
}

/// Returns an error if a search has stopped early. To be called after its results are printed.
pub fn check_complete(stop: Stop) -> Result<(), Failure> {
    check_finished(stop, "search")
}

/// Returns an error if a run of this kind has stopped early.
pub fn check_finished(stop: Stop, run: &str) -> Result<(), Failure> {
    let message = match stop {
        Stop::Exhausted | Stop::Satisfied => return Ok(()),
        Stop::Cancelled => format!("the {run} is not finished"),
        stop => format!("stopped at the {stop}: the {run} is not finished"),
    };
    Err(Unfinished::new(stop, message).into())
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

/// Reads the size of a board or of another input, which is not empty.
pub fn positive(text: &str) -> Result<usize, String> {
    match whole(text) {
        Ok(0) => Err("expected a whole number from 1".to_owned()),
        whole => whole,
    }
}

/// Reads the size of a board: its side, or its rows and columns.
pub fn board_size(text: &str) -> Result<(usize, usize), String> {
    let (rows, columns) = text.split_once('x').unwrap_or((text, text));
    match (positive(rows), positive(columns)) {
        (Ok(rows), Ok(columns)) => Ok((rows, columns)),
        _ => Err("expected a side from 1 such as `10`, or as in `10x20`".to_owned()),
    }
}

/// A square on the command line, with row and column from 1.
#[derive(Clone, Copy)]
pub struct Square {
    pub row: usize,
    pub column: usize,
}

impl FromStr for Square {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        pair(text, 1).map(|(row, column)| Square { row, column })
    }
}

/// Reads a row and a column of the command line, which count from `first`.
pub fn pair(text: &str, first: usize) -> Result<(usize, usize), String> {
    let number = |part: &str| part.trim().parse().ok().filter(|&number| number >= first);
    text.split_once(',').and_then(|(row, column)| Some((number(row)?, number(column)?))).ok_or_else(
        || {
            format!(
                "expected ROW,COLUMN, two numbers from {first} as in {first},{first}; \
                 found `{text}`"
            )
        },
    )
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
pub fn with_input_name(path: Option<&Path>, error: impl Error) -> Failure {
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
