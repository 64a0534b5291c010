//! Tables of results, and the runs that fill them.

use std::fmt::Write;

use crate::chart::{self, Line};
use crate::support::Failure;
use crate::{Common, check_time};

/// The times of a simulated run, in seconds.
pub struct Run {
    pub duration: f64,
    /// The duration by the closed form.
    pub expected: f64,
    /// The time of all workers that is accounted for.
    pub accounted: f64,
    /// The time of all workers by its use, for each column of losses.
    pub losses: Vec<f64>,
    /// The cells of the last columns.
    pub others: Vec<String>,
}

/// Runs a simulation for each number of workers. Draws the chart of their efficiency, if it is
/// wanted, and returns the table, with columns for losses in percent of the time of all workers.
pub fn of_runs(
    common: &Common,
    title: &str,
    losses: &[&str],
    others: &[&str],
    mut simulate: impl FnMut(usize) -> Run,
) -> Result<Table, Failure> {
    let alone = simulate(1);
    check_time(alone.accounted, alone.duration, 1)?;
    let losses: Vec<String> = losses.iter().map(|loss| format!("{loss} %")).collect();
    let mut headers = vec!["workers", "seconds", "%", "model", "%"];
    headers.extend(losses.iter().map(String::as_str).chain(others.iter().copied()));
    let mut table = Table::new(&headers);
    let mut lines = ["simulation", "model"].map(|name| Line { name, points: Vec::new() });
    for &workers in &common.workers {
        let run = simulate(workers);
        check_time(run.accounted, run.duration, workers)?;
        let mut row = vec![workers.to_string()];
        for (line, duration) in lines.iter_mut().zip([run.duration, run.expected]) {
            let efficiency = alone.duration / (workers as f64 * duration);
            line.points.push((workers as f64, efficiency));
            row.extend([seconds(duration), percent(efficiency, 1.0)]);
        }
        let whole = run.duration * workers as f64;
        row.extend(run.losses.iter().map(|&loss| percent(loss, whole)));
        row.extend(run.others);
        table.rows.push(row);
    }
    if let Some(file) = &common.chart {
        chart::draw(file, title, &lines)?;
    }
    Ok(table)
}

/// Rows with aligned columns.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with these headers.
    fn new(headers: &[&str]) -> Self {
        Table { rows: vec![headers.iter().map(ToString::to_string).collect()] }
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(String::len).max()
        };
        for row in &self.rows {
            for (column, cell) in row.iter().enumerate() {
                let gap = if column == 0 { "" } else { "  " };
                write!(f, "{gap}{cell:>width$}", width = width(column).unwrap_or(0))?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

/// Formats a part of a whole as a percentage.
pub fn percent(part: f64, whole: f64) -> String {
    format!("{:.1}", 100.0 * part / whole)
}

/// Formats seconds, with more decimals below 10.
fn seconds(seconds: f64) -> String {
    if seconds < 10.0 { format!("{seconds:.4}") } else { format!("{seconds:.1}") }
}
