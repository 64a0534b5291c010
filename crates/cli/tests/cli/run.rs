//! Runs examples from command lines, with their exit code and output.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;

use crate::programs::{command, repository};

/// A directory in which commands run.
#[derive(Debug)]
pub struct Shell {
    directory: PathBuf,
}

impl Shell {
    /// Creates a shell in the root of the repository.
    pub fn in_repository() -> Self {
        Shell::new(&repository())
    }

    /// Creates a shell in `directory`.
    pub fn new(directory: &Path) -> Self {
        Shell { directory: directory.to_owned() }
    }

    /// Starts a command line, whose tokens are separated by white space.
    pub fn start(&self, line: &str) -> Running {
        let mut tokens = line.split_whitespace();
        let mut command = command(tokens.next().expect("a program"));
        command.args(tokens).current_dir(&self.directory);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap_or_else(|error| panic!("$ {line}\n{error}"));
        Running { line: line.to_owned(), child }
    }

    /// Runs a command line to its end, without input.
    pub fn run(&self, line: &str) -> Finished {
        self.start(line).finish()
    }

    /// Runs a command line to its end with `input` as standard input.
    pub fn run_with(&self, line: &str, input: &str) -> Finished {
        self.start_with(line, input).finish()
    }

    /// Starts a command line with `input` as standard input.
    pub fn start_with(&self, line: &str, input: &str) -> Running {
        let mut running = self.start(line);
        let mut stdin = running.child.stdin.take().expect("a pipe");
        let input = input.to_owned();
        // In a thread, because the program may write before it has read everything. It is no error
        // if it does not read.
        thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        running
    }

    /// Returns the standard output of a command line that must succeed.
    pub fn answer(&self, line: &str) -> String {
        let finished = self.run(line);
        finished.assert_code(0);
        finished.stdout
    }

    /// Returns the standard output of a command line that must be stopped by a limit.
    pub fn partial_answer(&self, line: &str) -> String {
        let finished = self.run(line);
        finished.assert_code(3);
        finished.stdout
    }

    /// Asserts that a command line succeeds and prints `answer` as its only line.
    pub fn assert_answer(&self, line: &str, answer: &str) {
        self.run(line).assert_answer(answer);
    }

    /// Asserts that a command line is refused with an error message that contains `mention`.
    pub fn assert_refused(&self, line: &str, mention: &str) {
        self.run(line).assert_refused(mention);
    }
}

/// A program that has been started.
#[derive(Debug)]
pub struct Running {
    line: String,
    child: Child,
}

impl Running {
    /// Returns the process.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Sends SIGINT, as Ctrl-C does. A program that has ended by now keeps its number until it is
    /// waited for.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        let process = self.child.id().to_string();
        let status = Command::new("kill").args(["-INT", &process]).status().expect("kill");
        assert!(status.success(), "kill: {status}");
    }

    /// Waits until the program ends.
    pub fn finish(self) -> Finished {
        let Running { line, child } = self;
        let output = child.wait_with_output().unwrap_or_else(|error| panic!("$ {line}\n{error}"));
        let text =
            |bytes| String::from_utf8(bytes).unwrap_or_else(|error| panic!("$ {line}\n{error}"));
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        Finished { status: output.status, stdout, stderr, line }
    }
}

/// A program that has ended.
#[derive(Debug)]
pub struct Finished {
    line: String,
    /// The exit status.
    pub status: ExitStatus,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Finished {
    /// Asserts the exit code.
    pub fn assert_code(&self, code: i32) {
        assert!(self.status.code() == Some(code), "expected: exit code {code}\n{self}");
    }

    /// Asserts success with `answer` as the only line of the standard output.
    pub fn assert_answer(&self, answer: &str) {
        let is_answer = self.status.success() && self.stdout.strip_suffix('\n') == Some(answer);
        assert!(is_answer, "expected: exit code 0, standard output:\n{answer}\n{self}");
    }

    /// Asserts that a limit has stopped the run, with `known` as the only line of the standard
    /// output.
    pub fn assert_stopped(&self, known: &str) {
        self.assert_code(3);
        let is_known = self.stdout.strip_suffix('\n') == Some(known);
        assert!(is_known, "expected: standard output:\n{known}\n{self}");
    }

    /// Asserts exit code 2, an empty standard output, and an error message that contains `mention`.
    pub fn assert_refused(&self, mention: &str) {
        self.assert_code(2);
        let is_refusal = self.stdout.is_empty()
            && self.stderr.starts_with("error: ")
            && self.stderr.contains(mention);
        assert!(is_refusal, "expected: only an error message that contains {mention:?}\n{self}");
    }
}

impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finished { line, status, stdout, stderr } = self;
        write!(
            f,
            "command: {line}\nactual: {status}\nstandard output:\n{stdout}standard error:\n{stderr}"
        )
    }
}
