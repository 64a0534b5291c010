//! Node counts: nodes, solutions, dead ends, and the cuts of each hook.

use std::fmt::Write;

use expect_test::expect_file;
use secateurs::Report;

use crate::workloads::WORKLOADS;

fn line(name: &str, report: &Report) -> String {
    let mut line = format!(
        "{name}: {} nodes, {} solutions, {} dead ends",
        report.nodes(),
        report.solutions(),
        report.dead_ends()
    );
    for hook in report.hooks() {
        let _ = write!(line, "; {} {} cuts of {}", hook.name(), hook.cuts(), hook.calls());
    }
    let bytes = report.peak_bytes().map(|bytes| format!("; {bytes} bytes")).unwrap_or_default();
    format!("{line}{bytes} ({})\n", report.stop())
}

#[test]
fn node_counts_are_unchanged() {
    let lines: String = WORKLOADS.iter().map(|(name, run)| line(name, &run())).collect();
    expect_file!["trees.txt"].assert_eq(&lines);
}
