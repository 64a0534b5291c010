//! Situations in which all examples behave alike, and a table of what each example does in them.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::run::{Finished, Running, Shell};

/// The time after which a program counts as hanging. No correct program comes near it, however busy
/// the machine is.
const LIMIT: Duration = Duration::from_secs(1800);

/// The time from the start of a program until it is interrupted. A program must react in the same
/// way at any moment; with this time, it has usually begun its search.
const HEAD_START: Duration = Duration::from_millis(300);

/// The circumstances of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// The run reaches a limit.
    Limit,
    /// The user presses Ctrl-C.
    Interrupted,
    /// The input is an empty file, or an empty board.
    Empty,
    /// The options or the input are wrong.
    Wrong,
    /// The run has `--time`.
    Time,
    /// The run has `--memory 64M`, or `4M` if it would take seconds to fill 64 MB without
    /// optimisation.
    Memory,
}

const SITUATIONS: [Situation; 6] = [
    Situation::Limit,
    Situation::Interrupted,
    Situation::Empty,
    Situation::Wrong,
    Situation::Time,
    Situation::Memory,
];

/// The expected reaction of an example to a situation.
#[derive(Clone, Debug)]
pub enum Reaction {
    /// Exit code 0.
    Complete,
    /// Exit code 1, and an output that contains this text.
    CheckFailed(&'static str),
    /// Exit code 2, nothing on standard output, and an error message that contains this text.
    Refused(&'static str),
    /// Exit code 3, and on standard output a partial answer that contains this text. Standard error
    /// names the limit.
    Stopped(&'static str),
    /// Exit code 130 after SIGINT.
    Ends,
    /// The situation cannot occur, for this reason.
    Never(&'static str),
}

/// A row of the table.
#[derive(Debug)]
pub struct Example {
    pub name: &'static str,
    /// The situation, options, standard input and expected reaction of each run.
    cells: Vec<(Situation, String, String, Reaction)>,
}

impl Example {
    pub fn new(name: &'static str) -> Self {
        Example { name, cells: Vec::new() }
    }

    /// Adds the reaction to these options without input.
    pub fn on(self, situation: Situation, options: &str, reaction: Reaction) -> Self {
        self.on_input(situation, options, "", reaction)
    }

    /// Adds the reaction to these options with this standard input.
    pub fn on_input(
        mut self,
        situation: Situation,
        options: &str,
        input: &str,
        reaction: Reaction,
    ) -> Self {
        self.cells.push((situation, options.to_owned(), input.to_owned(), reaction));
        self
    }

    /// Runs the example in all situations, in an empty directory.
    ///
    /// # Panics
    ///
    /// Panics if it does something else, or if a situation is missing.
    pub fn check(&self) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let shell = Shell::new(directory.path());
        for situation in SITUATIONS {
            let mut cells = self.cells.iter().filter(|cell| cell.0 == situation).peekable();
            assert!(cells.peek().is_some(), "{}: {situation:?} is missing", self.name);
            for (_, options, input, reaction) in cells {
                let line = format!("{} {options}", self.name);
                let shown = react(&shell, &line, input, reaction);
                println!("{situation:?}: {line}\n    {shown}");
            }
        }
    }
}

/// Runs a command line and checks the reaction. Returns a short description of it.
fn react(shell: &Shell, line: &str, input: &str, reaction: &Reaction) -> String {
    let run = || shell.run_with(line, input);
    match reaction {
        Reaction::Never(reason) => return format!("never: {reason}"),
        Reaction::Complete => {
            run().assert_code(0);
            return "complete".to_owned();
        }
        Reaction::CheckFailed(text) => {
            let finished = run();
            finished.assert_code(1);
            assert!(finished.stdout.contains(text), "expected: {text:?}\n{finished}");
            return format!("check failed: {text}");
        }
        Reaction::Refused(mention) => {
            let finished = run();
            finished.assert_refused(mention);
            return finished.stderr.trim_end().to_owned();
        }
        Reaction::Stopped(known) => {
            let finished = run();
            finished.assert_code(3);
            let is_stopped = finished.stdout.contains(known) && finished.stderr.contains("limit");
            assert!(is_stopped, "expected: {known:?}, and the limit\n{finished}");
            return format!("{} | {}", first_line(&finished), finished.stderr.trim_end());
        }
        Reaction::Ends => {}
    }
    // Without input, the pipe stays open, like a terminal without key presses.
    let running = if input.is_empty() { shell.start(line) } else { shell.start_with(line, input) };
    let finished = interrupt(running);
    finished.assert_code(130);
    assert!(finished.stderr.contains("interrupted"), "expected: `interrupted`\n{finished}");
    format!("{} | {}", first_line(&finished), finished.stderr.trim_end())
}

fn first_line(finished: &Finished) -> &str {
    finished.stdout.lines().next().unwrap_or_default()
}

/// Sends SIGINT to a program [`HEAD_START`] after it has installed its handler, and waits for its
/// end.
fn interrupt(mut running: Running) -> Finished {
    let process = running.child().id();
    wait_for_handler(process);
    thread::sleep(HEAD_START);
    running.interrupt();
    let began = Instant::now();
    while running.child().try_wait().expect("a process").is_none() {
        if began.elapsed() > LIMIT {
            running.child().kill().expect("a process to kill");
            panic!("expected: an end within {LIMIT:?}\n{}", running.finish());
        }
        thread::sleep(Duration::from_millis(5));
    }
    running.finish()
}

/// Waits until a program catches SIGINT.
fn wait_for_handler(process: u32) {
    const SIGINT: u64 = 1 << 1;
    let began = Instant::now();
    loop {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        if mask & SIGINT != 0 {
            return;
        }
        assert!(began.elapsed() < LIMIT, "no handler of SIGINT\n{status}");
        thread::sleep(Duration::from_millis(1));
    }
}
