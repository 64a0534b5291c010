//! The README shows the source of the example `four_steps` and its output, as they are.

use std::fs;
use std::process::Command;

use crate::programs::{program, repository};

/// Returns the lines of the blocks of code in the language `language`, without indentation and
/// empty lines.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let mut lines = Vec::new();
    let mut current = None;
    for line in text.lines() {
        match (current, line.strip_prefix("```")) {
            (None, Some(begun)) => current = Some(begun),
            (Some(_), Some(_)) => current = None,
            (Some(begun), None) if begun == language && !line.trim().is_empty() => {
                lines.push(line.trim());
            }
            _ => {}
        }
    }
    lines
}

/// Returns the section of the README with the four steps.
fn four_steps() -> String {
    let readme = fs::read_to_string(repository().join("README.md")).expect("the README");
    let (_, from) = readme.split_once("## Pruning in four steps\n").expect("the section");
    from.split_once("\n## ").expect("another section").0.to_owned()
}

#[test]
fn the_code_of_the_four_steps_is_that_of_the_example() {
    let source = repository().join("examples/four_steps.rs");
    let source = fs::read_to_string(source).expect("the example");
    let mut lines = source.lines().map(str::trim);
    let shown = four_steps();
    let shown = blocks(&shown, "rust,ignore");
    assert!(shown.len() > 30, "found {} lines of code, expected all four steps", shown.len());
    for line in shown {
        assert!(lines.any(|own| own == line), "not in the example, or not in this order: {line}");
    }
}

#[test]
fn the_output_of_the_four_steps_is_that_of_the_example() {
    let output = Command::new(program("four_steps")).output().expect("the example runs");
    let output = String::from_utf8(output.stdout).expect("text");
    let printed: Vec<_> = output.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(blocks(&four_steps(), "text"), printed);
}
