//! The text form of a report: aligned tables of totals, hooks and depths.

use std::fmt;
use std::ops::Range;

use super::{HookReport, Level, Report, Summary, saturating_sum};

/// The maximal number of rows of a table by depth.
pub(crate) const ROWS: usize = 24;

/// Returns a label and the depths of each row of a table by depth. If there are more depths than
/// rows, each row sums up several successive ones.
pub(crate) fn rows_of_depths(depths: usize) -> impl Iterator<Item = (String, Range<usize>)> {
    let per_row = depths.div_ceil(ROWS).max(1);
    (0..depths).step_by(per_row).map(move |start| {
        let last = (start + per_row).min(depths) - 1;
        let label = if start == last { start.to_string() } else { format!("{start}–{last}") };
        (label, start..last + 1)
    })
}

/// A table whose first column is aligned to the left and the others to the right.
pub(crate) struct Table {
    pub(crate) rows: Vec<Vec<String>>,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut widths: Vec<usize> = Vec::new();
        for row in &self.rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        for row in &self.rows {
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                match column {
                    0 => write!(f, "{cell:<width$}")?,
                    _ => write!(f, "  {cell:>width$}")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Formats a number with spaces between groups of three digits: `1 234 567`.
pub(crate) fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

fn hook_row(hook: &HookReport) -> Vec<String> {
    // The shares are by callback. Most hooks cut in only one callback, so that the calls of the
    // other one would distort a common share.
    let share =
        |cuts: u64, calls: u64| format!("{:.1} %", 100.0 * cuts as f64 / calls.max(1) as f64);
    let (calls, cuts) = (hook.calls_in_total(), hook.cuts_in_total());
    let mut row = vec![
        hook.name().to_owned(),
        hook.claim_text(),
        grouped(calls.sum()),
        grouped(cuts.sum()),
        share(cuts.admit, calls.admit),
        share(cuts.enter, calls.enter),
    ];
    if hook.sibling_cuts() > 0 {
        row.push(format!("cuts with siblings {}", grouped(hook.sibling_cuts())));
    }
    row.extend(hook.stats().iter().map(|(name, value)| format!("{name} {}", grouped(*value))));
    row
}

pub(crate) fn header(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
}

/// A function that selects one of the counts of a level.
type LevelCount = fn(&Level) -> u64;

impl Report {
    fn totals(&self) -> Table {
        let row = |title: &str, value: String| vec![title.to_owned(), value];
        let mut rows = vec![
            row("stop", self.stop.to_string()),
            row("effect", self.effect.to_string()),
            row(if self.sweep.is_some() { "states" } else { "nodes" }, grouped(self.nodes())),
        ];
        match &self.sweep {
            Some(sweep) => {
                rows.push(row("cells", format!("{} of {}", sweep.done, sweep.cells)));
                rows.extend(sweep.pass.map(|pass| row("pass", pass.to_string())));
                let sum =
                    |count: LevelCount| grouped(saturating_sum(self.levels.iter().map(count)));
                rows.push(row("transitions", sum(|level| level.transitions)));
                rows.push(row("merged", sum(|level| level.merged)));
                rows.push(row("peak bytes", grouped(sweep.peak_bytes)));
            }
            None => rows.push(row("solutions", grouped(self.solutions()))),
        }
        if self.credited > 0 {
            rows.push(row("credited", grouped(self.credited)));
        }
        rows.push(row("dead ends", grouped(self.dead_ends())));
        if let Some(bound) = &self.bound {
            rows.push(row("bound", bound.clone()));
        }
        rows.push(row("time", format!("{:.3?}", self.elapsed)));
        Table { rows }
    }

    fn hook_table(&self) -> Table {
        let mut rows =
            vec![header(&["hook", "effect", "calls", "cuts", "cut: admit", "cut: enter"])];
        rows.extend(self.hooks.iter().filter(|hook| !hook.is_off()).map(hook_row));
        Table { rows }
    }

    fn depth_table(&self) -> Table {
        let (depth, counts): (&str, &[(&str, LevelCount)]) = match self.sweep {
            Some(_) => (
                "layer",
                &[
                    ("states", |level| level.nodes),
                    ("transitions", |level| level.transitions),
                    ("merged", |level| level.merged),
                    ("dead ends", |level| level.dead_ends),
                ],
            ),
            None => (
                "depth",
                &[
                    ("nodes", |level| level.nodes),
                    ("solutions", |level| level.solutions),
                    ("dead ends", |level| level.dead_ends),
                ],
            ),
        };
        let cutting: Vec<&HookReport> = self.hooks.iter().filter(|hook| hook.cuts() > 0).collect();
        let mut titles = vec![depth.to_owned()];
        titles.extend(counts.iter().map(|&(title, _)| title.to_owned()));
        titles.extend(cutting.iter().map(|hook| format!("cut by {}", hook.name())));
        let mut rows = vec![titles];
        // Hooks may cut off choices one level below the deepest node.
        let depths = cutting.iter().map(|hook| hook.cuts.len()).fold(self.levels.len(), usize::max);
        for (label, range) in rows_of_depths(depths) {
            let mut row = vec![label];
            let levels = || range.clone().filter_map(|depth| self.levels.get(depth));
            row.extend(
                counts.iter().map(|(_, count)| grouped(saturating_sum(levels().map(count)))),
            );
            for hook in &cutting {
                let cuts = range.clone().filter_map(|depth| hook.cuts.get(depth));
                row.push(grouped(saturating_sum(cuts.map(|cuts| cuts.sum()))));
            }
            rows.push(row);
        }
        Table { rows }
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.0;
        report.totals().fmt(f)?;
        if let Some(value) = &report.first_incumbent {
            writeln!(f, "began with the incumbent {value}")?;
        }
        if let Some(error) = &report.unsaved {
            writeln!(f, "not saved: {error}")?;
        }
        for conflict in &report.conflicts {
            writeln!(f, "lossy, because {conflict}")?;
        }
        if let [first, rest @ ..] = report.nondeterministic_parts().as_slice() {
            write!(
                f,
                "searched in parts, which may change the number of nodes, because of `{first}`"
            )?;
            rest.iter().try_for_each(|name| write!(f, ", `{name}`"))?;
            writeln!(f)?;
        }
        if !report.hooks.iter().all(HookReport::is_off) {
            writeln!(f)?;
            report.hook_table().fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)?;
        writeln!(f)?;
        self.depth_table().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::super::SweepReport;
    use super::*;
    use crate::limits::Stop;

    #[test]
    fn counts_of_crafted_files_saturate_when_they_are_printed() {
        let level = Level { transitions: u64::MAX, merged: u64::MAX, ..Level::ZERO };
        let levels = vec![level; 2 * ROWS];
        let report = Report { levels, ..Report::without_runs(Stop::Exhausted) };
        assert!(report.to_string().contains("solutions"));
        let sweep = SweepReport {
            cells: 1,
            pass: None,
            done: 1,
            layer: 1,
            states: 1,
            peak_bytes: 0,
            needed_bytes: None,
            too_wide: None,
        };
        let sweep = Report { sweep: Some(sweep), ..report };
        assert!(sweep.to_string().contains(&grouped(u64::MAX)), "{sweep}");
    }
}
