//! Runs a transcript: commands with the output and the exit code that is expected of each.
//!
//! A transcript is a file for `trycmd`. In blocks of code, it has lines `$ PROGRAM ARGUMENTS`, each
//! followed by `? CODE` if the program must fail, and by standard output and standard error, in
//! which `[..]` matches any part of a line and `...` any lines. With `TRYCMD=overwrite` in the
//! environment, a test writes the actual output into its file; read the difference before you
//! commit it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::{env, fs};

use crate::programs::{program, repository};

/// Runs the transcript at `path` in the root of the repository, which `path` is relative to.
///
/// # Panics
///
/// Panics if the output or the exit code of a command differs, after printing the difference and
/// the commands of the transcript, or if a program is not built.
pub fn check(path: &str) {
    // All tests of a process set the same directory.
    env::set_current_dir(repository()).expect("the root of the repository");
    // Some commands of the README write pages into it.
    fs::create_dir_all("target").expect("a directory for pages");
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let commands = commands(&text);
    assert!(!commands.is_empty(), "{path}: found no command, expected some");
    let cases = trycmd::TestCases::new();
    for (_, command) in &commands {
        // A name that is not registered would be skipped silently.
        let name = command.split_whitespace().next().expect("a program");
        cases.register_bin(name, program(name).as_path());
    }
    cases.case(path);
    if let Err(failure) = catch_unwind(AssertUnwindSafe(|| cases.run())) {
        eprintln!("The commands of this transcript:");
        for (line, command) in commands {
            eprintln!("{path}:{line}  $ {command}");
        }
        resume_unwind(failure);
    }
}

/// Panics unless `transcripts` are the files of `directory`, a path relative to the root of the
/// repository.
pub fn assert_complete(directory: &str, transcripts: &[&str]) {
    let is_transcript = |path: &Path| path.extension().is_some_and(|end| end == "trycmd");
    let entries = fs::read_dir(repository().join(directory)).expect("a directory of transcripts");
    let paths = entries.map(|entry| entry.expect("an entry of the directory").path());
    let mut found: Vec<String> = paths
        .filter(|path| is_transcript(path))
        .map(|path| path.file_name().expect("a file").to_string_lossy().into_owned())
        .collect();
    found.sort_unstable();
    let mut expected = transcripts.to_vec();
    expected.sort_unstable();
    assert_eq!(
        found, expected,
        "{directory}: the files (left) are not those that have a test (right)"
    );
}

/// Returns the commands of a transcript and their lines.
fn commands(text: &str) -> Vec<(usize, String)> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(line, text)| Some((line + 1, text.strip_prefix("$ ")?.to_owned()))).collect()
}

/// Defines a test for each transcript of a directory, and one which asserts that none is missing.
macro_rules! transcripts {
    ($directory:literal; $($(#[$attribute:meta])* $name:ident),+ $(,)?) => {
        $(
            #[test]
            $(#[$attribute])*
            fn $name() {
                $crate::transcript::check(concat!($directory, "/", stringify!($name), ".trycmd"));
            }
        )+

        #[test]
        fn every_transcript_has_a_test() {
            let files = [$(concat!(stringify!($name), ".trycmd")),+];
            $crate::transcript::assert_complete($directory, &files);
        }
    };
}
