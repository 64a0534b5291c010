//! A comparison as a table: aligned, or in Markdown.

use std::fmt;

use super::comparison::{Compared, Comparison, Measured};
use crate::report::table::{Table, grouped};

impl Comparison {
    /// As a table in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let rows = self.rows();
        let line = |row: &[String]| format!("| {} |\n", row.join(" | ").replace('\n', " "));
        let mut text = String::new();
        for (index, row) in rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            text.push_str(&line(&cells));
            if index == 0 {
                let rule: Vec<String> =
                    (0..row.len()).map(|column| if column == 0 { "---" } else { "---:" }.to_owned()).collect();
                text.push_str(&line(&rule));
            }
        }
        text
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let one = self.instances.len() == 1;
        let titles: &[&str] = if one {
            &["strategy", "answer", "nodes", "of the first", "cuts", "time", "±", "of the first", "ns/node"]
        } else {
            &[
                "strategy",
                "nodes, median",
                "90 %",
                "most",
                "of the first",
                "time, median",
                "most",
                "of the first",
                "limited",
            ]
        };
        let mut rows = vec![titles.iter().map(|&title| title.to_owned()).collect()];
        for strategy in &self.strategies {
            rows.push(match (one, strategy.runs.first()) {
                (true, Some(run)) => self.row_of_one(strategy, run),
                _ => self.row_of_many(strategy),
            });
        }
        rows
    }

    fn row_of_one(&self, strategy: &Compared, run: &Measured) -> Vec<String> {
        let seconds = run.seconds();
        let cuts: u64 = run.report.hooks().iter().map(|hook| hook.cuts()).sum();
        vec![
            strategy.name.clone(),
            run.answer.to_string(),
            nodes(run),
            ratio(self.ratio(strategy)),
            grouped(cuts),
            time(seconds.median),
            time((seconds.upper_quartile - seconds.lower_quartile) / 2.0),
            ratio(self.time_ratio(strategy)),
            format!("{:.1}", run.nanoseconds_a_node()),
        ]
    }

    fn row_of_many(&self, strategy: &Compared) -> Vec<String> {
        let size = |size: Option<f64>| size.map_or_else(|| "?".to_owned(), |size| grouped(size.round() as u128));
        let (sizes, seconds) = (strategy.sizes(), strategy.seconds());
        let instances = strategy.runs.len();
        vec![
            strategy.name.clone(),
            size(sizes.map(|sizes| sizes.median)),
            size(sizes.map(|sizes| sizes.upper_decile)),
            size(sizes.map(|sizes| sizes.greatest)),
            ratio(self.ratio(strategy)),
            seconds.map_or_else(|| "?".to_owned(), |seconds| time(seconds.median)),
            seconds.map_or_else(|| "?".to_owned(), |seconds| time(seconds.greatest)),
            ratio(self.time_ratio(strategy)),
            match strategy.limited() {
                0 => String::new(),
                limited => format!("{limited} of {instances}"),
            },
        ]
    }
}

/// The number of nodes; an estimate of it is marked.
fn nodes(run: &Measured) -> String {
    match (run.is_limited(), run.estimate) {
        (false, _) => grouped(run.nodes()),
        (true, None) => format!("> {} ({})", grouped(run.nodes()), run.report.stop()),
        (true, Some(estimate)) => {
            let error = estimate.standard_error.map_or_else(String::new, |error| format!(" ± {error:.1e}"));
            format!("est. {:.2e}{error}", estimate.mean)
        }
    }
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(
        || "?".to_owned(),
        |ratio| if ratio < 0.001 { format!("{ratio:.1e}") } else { format!("{ratio:.3}") },
    )
}

fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1e-6 => format!("{:.0} ns", seconds * 1e9),
        seconds if seconds < 1e-3 => format!("{:.1} µs", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.2} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Table { rows: self.rows() }.fmt(f)
    }
}
