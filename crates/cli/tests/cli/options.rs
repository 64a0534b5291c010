//! The table of options in `docs/examples.md`, and the options that the programs have.

use std::fs;

use crate::programs::{command, repository};

/// Asserts that the table of options in `docs/examples.md` lists these programs in the rows of the
/// options that they have, and in no other row.
pub fn assert_documented(programs: &[&str]) {
    let page = fs::read_to_string(repository().join("docs/examples.md")).expect("a page");
    let (_, table) = page.split_once("| option | programs |\n|---|---|\n").expect("a table");
    let rows: Vec<_> = table.lines().map_while(row).collect();
    assert!(rows.len() > 5, "found {} rows, expected more", rows.len());
    for name in programs {
        let output = command(name).arg("--help").output().expect("a program");
        let help = String::from_utf8(output.stdout).expect("text");
        // Subcommands have options of their own.
        let has = |option: &str| help.split([' ', '\n', ',']).any(|token| token == option);
        for (options, listed, all_but) in &rows {
            let is_listed = listed.iter().any(|other| other == name) != *all_but;
            for option in options {
                assert_eq!(
                    has(option),
                    is_listed,
                    "{name}: {option} (left), and the table (right)"
                );
            }
        }
    }
}

/// Returns the options of a row, its programs, and whether these are the ones without the options.
fn row(line: &str) -> Option<(Vec<String>, Vec<String>, bool)> {
    let (options, programs) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
    let quoted = |text: &str| -> Vec<String> {
        let parts = text.split('`').skip(1).step_by(2);
        parts.map(|part| part.split(' ').next().unwrap_or_default().to_owned()).collect()
    };
    let mut options = quoted(options);
    options.retain(|option| option.starts_with("--"));
    options.dedup();
    Some((options, quoted(programs), programs.starts_with("all but ")))
}
