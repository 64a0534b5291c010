//! The printed summary of a recording, and the file of its page.

use std::fs;

use secateurs::{Count, Outcome, Problem, Report};
use secateurs_lab::{NodeOutcome, Recording};

use super::Output;
use crate::support::{self, Failure, interrupt};

/// Writes the page of a recording, and prints a summary. There is one report per recorded run.
pub fn write<P: Problem>(
    title: &str,
    answer: &str,
    recording: &Recording<'_, P>,
    reports: &[Report],
    output: &Output,
) -> Result<(), Failure> {
    let bytes = save(output, || recording.html(title))?;
    let check_complete =
        || reports.iter().try_for_each(|report| support::check_complete(report.stop()));
    if output.answer_only {
        support::print(format_args!("{answer}\n"))?;
        return check_complete();
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
    // A hook that was switched off is named `off`.
    for (index, hook) in recording.hooks().iter().enumerate().filter(|(_, name)| *name != "off") {
        let (not_admitted, on_entering) =
            (count(NodeOutcome::NotAdmitted(index)), count(NodeOutcome::NotKept(index)));
        text += &format!(
            "{:>11}  cut by {hook} ({not_admitted} not admitted, {on_entering} on entering)\n",
            not_admitted + on_entering
        );
    }
    if recording.missing_nodes() + recording.missing_cuts() > 0 {
        text += &format!(
            "\n{} nodes and {} children that were not admitted are not in the recording: see \
             --record-nodes.\n",
            recording.missing_nodes(),
            recording.missing_cuts()
        );
    }
    text += "\n";
    for (index, report) in reports.iter().enumerate() {
        let search = if index == 0 { "The search" } else { "The one beside it" };
        text += &format!("{search}: {} nodes, {}.\n", report.nodes(), report.stop());
    }
    text += &format!("The page: {} ({bytes} bytes).\n", output.html.display());
    support::print(text)?;
    check_complete()
}

/// Formats a count with the singular or plural of its noun.
pub fn counted(number: &str, noun: &str) -> String {
    format!("{number} {noun}{}", if number == "1" { "" } else { "s" })
}

/// Formats the number of solutions.
pub fn solutions(outcome: &Outcome<Count>) -> String {
    match outcome.exact() {
        Some(count) => counted(&count.to_string(), "solution"),
        None => format!("at least {}", counted(&outcome.at_least().to_string(), "solution")),
    }
}

/// Writes the page, also of an interrupted run. Returns its length in bytes. Errors name the file.
pub fn save(output: &Output, page: impl FnOnce() -> String) -> Result<usize, Failure> {
    let shown = output.html.display();
    interrupt::while_completing(format!("writing {shown}"), || {
        let page = page();
        fs::write(&output.html, &page).map_err(|error| format!("{shown}: {error}"))?;
        Ok(page.len())
    })
}
