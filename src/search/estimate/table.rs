//! The tables that an estimate prints: totals, remarks, and numbers by depth.

use std::fmt;

use super::answer::{Estimate, Estimated, EstimatedLevel, Sampling};
use crate::report::table::{ROWS, Table, grouped, header, rows_of_depths};

/// Formats an inexact number: four digits, those before the point grouped, very large numbers in
/// scientific notation.
fn about(number: f64) -> String {
    if number >= 1e15 {
        return format!("{number:.3e}");
    }
    if number >= 999.95 {
        let unit = 10f64.powi((number.log10().floor() as i32 - 3).max(0));
        return grouped(((number / unit).round() * unit) as u64);
    }
    let digits = if number > 0.0 { (3 - number.log10().floor() as i32).clamp(0, 4) } else { 0 };
    let text = format!("{number:.*}", digits as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Formats the standard error as `± 12`; empty if it is unknown.
fn error(estimated: Estimated) -> String {
    estimated.standard_error.map_or_else(String::new, |error| format!("± {}", about(error)))
}

impl Estimate {
    fn totals(&self) -> Table {
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut row = |title: &str, value: String, remark: &str| {
            let cells = [title, &value, remark].into_iter().filter(|cell| !cell.is_empty());
            rows.push(cells.map(str::to_owned).collect());
        };
        if let Some(nodes) = self.nodes {
            row("nodes", about(nodes.mean), &error(nodes));
            if let Some((from, to)) = self.interval() {
                row("  from", about(from), "");
                row("  to", about(to), "");
            }
            if let Some(least) = self.at_least(0.95).filter(|_| self.incumbent_hooks.is_empty()) {
                row("  at least", about(least), "");
            }
        }
        if let Some(solutions) = self.solutions {
            row("solutions", about(solutions.mean), &error(solutions));
        }
        row("probes", grouped(self.probes), "");
        row("nodes entered", grouped(self.visited), "");
        row("stop", self.stop.to_string(), "");
        row("time", format!("{:.3?}", self.elapsed), "");
        Table { rows }
    }

    /// Writes remarks on the accuracy of the numbers.
    fn remarks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nodes.is_some_and(|nodes| nodes.standard_error.is_some()) {
            writeln!(
                f,
                "± is the standard error; `from` and `to` are a 90 % interval, which is too low if \
                 no probe has"
            )?;
            // With an incumbent, the bound is one of another tree than that of a search.
            f.write_str("reached a large part of the tree")?;
            if self.incumbent_hooks.is_empty() {
                f.write_str("; `at least` is a bound of 95 % confidence for any tree")?;
            }
            writeln!(f, ".")?;
        }
        match self.nodes {
            None if self.probes == 0 => {
                writeln!(f, "Nothing is estimated: no probe was completed.")?
            }
            None => writeln!(f, "Nothing is estimated: a probe exceeded 10^140 nodes.")?,
            Some(_) => {}
        }
        match self.largest_share().filter(|_| self.depends_on_few_probes()) {
            Some(_) if self.sampling == Sampling::Learned => {
                writeln!(f, "Not to be relied on: the interval is wider than a factor of 2.")?
            }
            Some(share) => writeln!(
                f,
                "Not to be relied on: one probe makes up {:.0} % of the sum of all.",
                100.0 * share
            )?,
            None if self.is_heavy_tailed() => writeln!(
                f,
                "Not to be relied on: the sizes that probes amount to may have a heavy tail."
            )?,
            None => {}
        }
        for hook in self.left_out() {
            writeln!(f, "Without `{hook}`, which remembers visited nodes: the tree is smaller.")?;
        }
        for hook in self.unlearned() {
            writeln!(
                f,
                "`{hook}` could not learn because no subtree was exhausted: the tree may be \
                 smaller."
            )?;
        }
        for hook in self.incumbent_hooks() {
            writeln!(
                f,
                "`{hook}` compares with an incumbent, which a search improves: its tree has \
                 another size. Offer the incumbent a good value before estimating."
            )?;
        }
        Ok(())
    }

    fn depth_table(&self) -> Table {
        // The estimates at two depths depend on each other, so the error of their sum is unknown.
        let has_errors = self.levels.len() <= ROWS;
        let titles: &[&str] = match has_errors {
            true => &["depth", "nodes", "", "solutions"],
            false => &["depth", "nodes", "solutions"],
        };
        let mut rows = vec![header(titles)];
        for (label, range) in rows_of_depths(self.levels.len()) {
            let levels = &self.levels[range];
            let mut row = vec![label];
            let columns: [fn(&EstimatedLevel) -> Estimated; 2] =
                [|level| level.nodes, |level| level.solutions];
            for of in columns {
                row.push(about(levels.iter().map(|level| of(level).mean).sum()));
                row.extend(has_errors.then(|| error(of(&levels[0]))));
            }
            rows.push(row);
        }
        Table { rows }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "An estimate by {}; nothing has been counted.\n", self.sampling)?;
        self.totals().fmt(f)?;
        writeln!(f)?;
        self.remarks(f)?;
        if !self.levels.is_empty() {
            writeln!(f)?;
            self.depth_table().fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::about;

    #[test]
    fn about_shows_four_digits() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (0.012_34, "0.0123"),
            (9.999_99, "10"),
            (12.345, "12.35"),
            (999.9, "999.9"),
            (999.97, "1 000"),
            (1_234.5, "1 235"),
            (856_189.0, "856 200"),
            (27_358_553.0, "27 360 000"),
            (1.234_56e40, "1.235e40"),
        ];
        for (number, text) in cases {
            assert_eq!(about(number), text);
        }
    }
}
