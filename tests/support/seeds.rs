//! Seeds of tests that try random combinations.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The row of runs without a hook.
pub const NO_HOOK: &str = "no hook";

/// One random combination that was run.
pub struct Trial {
    /// The rows of the coverage table that it counts for: its hooks, its strategy or table.
    pub rows: Vec<&'static str>,
    pub question: &'static str,
    /// Whether the run proved anything.
    pub proves: bool,
}

/// Runs `trial` with each seed. Returns a table of the number of runs by row and question, with the
/// number of those that proved something in brackets, and one of the number of runs by pair of
/// rows. A `trial` may return `None` to skip its seed.
///
/// # Panics
///
/// Panics if a trial fails, if a row was never combined with a question, or if two rows that
/// `can_meet` accepts were never combined.
pub fn coverage<const N: usize>(
    seeds: impl Iterator<Item = u64>,
    mut trial: impl FnMut(u64) -> Result<Option<Trial>, String>,
    rows: &[&'static str],
    questions: [&str; N],
    can_meet: impl Fn(&str, &str) -> bool,
) -> String {
    let mut cells: BTreeMap<(&str, &str), [u64; 2]> = BTreeMap::new();
    let mut pairs: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let (mut failures, mut number) = (Vec::new(), 0_u64);
    for seed in seeds {
        number += 1;
        match trial(seed) {
            Ok(None) => {}
            Ok(Some(Trial { rows, question, proves })) => {
                for (index, row) in rows.iter().enumerate() {
                    for other in &rows[..index] {
                        *pairs.entry((row.min(other), row.max(other))).or_default() += 1;
                    }
                }
                for row in rows {
                    let [runs, proven] = cells.entry((row, question)).or_default();
                    *runs += 1;
                    *proven += u64::from(proves);
                }
            }
            Err(failure) => failures.push(failure),
        }
    }
    let shown = failures[..failures.len().min(4)].join("\n");
    assert!(failures.is_empty(), "{} false claims: {shown}", failures.len());
    let heads = questions.map(|question| format!("{question:>18}")).concat();
    let mut table = format!("{:<34}{heads}\n", format!("{number} seeds: runs (proven)"));
    for row in rows {
        table += &format!("{row:<34}");
        for question in questions {
            let [runs, proven] = cells.get(&(*row, question)).copied().unwrap_or_default();
            assert!(runs > 0, "{row} and {question} were not tried");
            table += &format!("{:>18}", format!("{runs} ({proven})"));
        }
        table += "\n";
    }
    table += "\nruns by pair of rows, the columns numbered as the rows\n";
    for (index, row) in rows.iter().enumerate() {
        table += &format!("{index:>2} {row:<38}");
        for other in &rows[..=index] {
            let runs = pairs.get(&(row.min(other), row.max(other))).copied().unwrap_or(0);
            let is_possible = can_meet(row, other) || can_meet(other, row);
            assert!(runs > 0 || !is_possible, "{row} and {other} were not tried together");
            table += &if is_possible { format!("{runs:>7}") } else { format!("{:>7}", "-") };
        }
        table += "\n";
    }
    table
}

/// Returns the seeds from 0 on, or from the environment variable `SEED` on: `least` of them, and
/// then more for as many minutes as the variable `MINUTES` states.
pub fn from_zero(least: u64) -> impl Iterator<Item = u64> {
    let number = |name: &str| {
        let text = std::env::var(name).ok();
        text.map_or(0, |text| text.parse().unwrap_or_else(|_| panic!("{name}: a number")))
    };
    let (start, long) = (Instant::now(), Duration::from_secs(60 * number("MINUTES")));
    let first = number("SEED");
    (first..).take_while(move |&seed| seed - first < least || start.elapsed() < long)
}
