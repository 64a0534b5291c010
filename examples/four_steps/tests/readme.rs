//! The README shows the source of the program `four_steps` and its output, as they are.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the text of a file of this package, given by its path relative to the package.
fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the file")
}

/// Returns the lines of the blocks of code in the language `language`, without indentation and
/// empty lines.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let mut lines = Vec::new();
    let mut current = None;
    for line in text.lines() {
        match (current, line.strip_prefix("```")) {
            (None, Some(opened)) => current = Some(opened),
            (Some(_), Some(_)) => current = None,
            (Some(opened), None) if opened == language && !line.trim().is_empty() => {
                lines.push(line.trim());
            }
            _ => {}
        }
    }
    lines
}

/// Returns the section of the README with the four steps.
fn four_steps() -> String {
    let readme = read("../../README.md");
    let (_, rest) = readme.split_once("## Pruning in four steps\n").expect("the section");
    rest.split_once("\n## ").expect("another section").0.to_owned()
}

#[test]
fn the_code_of_the_four_steps_is_that_of_the_program() {
    let source = read("src/main.rs");
    let mut lines = source.lines().map(str::trim);
    let shown = four_steps();
    let shown = blocks(&shown, "rust,ignore");
    assert!(shown.len() > 30, "found {} lines of code, expected all four steps", shown.len());
    for line in shown {
        assert!(lines.any(|code| code == line), "not in the program, or not in this order: {line}");
    }
}

#[test]
fn the_output_of_the_four_steps_is_that_of_the_program() {
    let program = env!("CARGO_BIN_EXE_four_steps");
    let output = Command::new(program).output().expect("the program runs");
    let output = String::from_utf8(output.stdout).expect("text");
    let printed: Vec<_> = output.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(blocks(&four_steps(), "text"), printed);
}
