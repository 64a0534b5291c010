//! The README shows the sources of the programs of this package and their output, as they are.

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

/// A part of the README: the text before the four steps, their section, and the text after it.
#[derive(Clone, Copy)]
enum Part {
    Before,
    FourSteps,
    After,
}

/// Returns a part of the README.
fn readme(part: Part) -> String {
    let readme = read("../../README.md");
    let (before, rest) = readme.split_once("## Pruning in four steps\n").expect("the section");
    let (section, after) = rest.split_once("\n## ").expect("another section");
    match part {
        Part::Before => before.to_owned(),
        Part::FourSteps => section.to_owned(),
        Part::After => after.to_owned(),
    }
}

/// Asserts that the blocks of a part of the README are lines of a program, in this order.
fn assert_shows_source(part: Part, language: &str, least: usize, source: &str) {
    let source = read(source);
    let mut lines = source.lines().map(str::trim);
    let shown = readme(part);
    let shown = blocks(&shown, language);
    assert!(shown.len() > least, "found {} lines of code, expected more", shown.len());
    for line in shown {
        assert!(lines.any(|code| code == line), "not in the program, or not in this order: {line}");
    }
}

/// Asserts that the blocks of text of a part of the README are the output of a program.
fn assert_shows_output(part: Part, program: &str) {
    let output = Command::new(program).output().expect("the program runs");
    let output = String::from_utf8(output.stdout).expect("text");
    let printed: Vec<_> = output.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(blocks(&readme(part), "text"), printed);
}

#[test]
fn the_first_program_and_its_output_are_those_of_the_readme() {
    assert_shows_source(Part::Before, "rust", 6, "src/bin/first_answers.rs");
    assert_shows_output(Part::Before, env!("CARGO_BIN_EXE_first_answers"));
}

#[test]
fn the_four_steps_and_their_output_are_those_of_the_readme() {
    assert_shows_source(Part::FourSteps, "rust,ignore", 30, "src/main.rs");
    assert_shows_output(Part::FourSteps, env!("CARGO_BIN_EXE_four_steps"));
}

#[test]
fn the_readme_shows_no_other_output() {
    assert_eq!(blocks(&readme(Part::After), "text"), [""; 0]);
}
