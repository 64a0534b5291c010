//! The printed summary of a recording, and the file of its page.

use std::fs;
use std::path::Path;

use secateurs::lab::{NodeOutcome, Recording};
use secateurs::{Problem, Report};

use super::Output;
use super::support::{self, Failure};

/// Writes the page of a recording, and prints a summary.
pub fn write<P: Problem>(
    title: &str,
    answer: &str,
    recording: &Recording<'_, P>,
    report: &Report,
    output: &Output,
) -> Result<(), Failure> {
    let page = recording.html(title);
    let bytes = page.len();
    save(&output.html, &page)?;
    if output.answer_only {
        return support::print(format_args!("{answer}\n"));
    }
    let mut text = format!("{title}: {answer}\n\n");
    let count = |outcome| recording.count(outcome);
    for (name, outcome) in [
        ("inner nodes", NodeOutcome::Inner),
        ("solutions", NodeOutcome::Solution),
        ("dead ends", NodeOutcome::DeadEnd),
        ("unfinished", NodeOutcome::Unfinished),
    ] {
        text += &format!("{:>11}  {name}\n", count(outcome));
    }
    for (index, hook) in recording.hooks().iter().enumerate().filter(|(_, name)| *name != "off") {
        let (before, after) =
            (count(NodeOutcome::NotAdmitted(index)), count(NodeOutcome::NotKept(index)));
        text += &format!(
            "{:>11}  cut by {hook} ({before} not admitted, {after} on entering)\n",
            before + after
        );
    }
    if recording.missing_nodes() + recording.missing_cuts() > 0 {
        text += &format!(
            "\n{} nodes and {} children that were not admitted are not in the recording: see \
             --nodes.\n",
            recording.missing_nodes(),
            recording.missing_cuts()
        );
    }
    text += &format!("\nThe search: {} nodes, {}.\n", report.nodes(), report.stop());
    text += &format!("The page: {} ({bytes} bytes).\n", output.html.display());
    support::print(text)
}

/// Formats a count with the singular or plural of its noun.
pub fn counted(number: &str, one: &str) -> String {
    format!("{number} {one}{}", if number == "1" { "" } else { "s" })
}

/// Writes a file. Errors name the file.
pub fn save(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()).into())
}
