//! CSV and JSON output of a comparison.

use std::collections::HashSet;
use std::hash::Hash;

use secateurs::{Cuts, HookReport};
use serde_json::{Value, json};

use crate::comparison::{Compared, Comparison};
use crate::contender::Reference;
use crate::measured::Measured;

/// A row of the CSV file: a run, and that of the base on the same instance.
struct Row<'c> {
    instance: &'c str,
    contender: &'c Compared,
    run: &'c Measured,
    base: &'c Measured,
}

/// A function that returns the text of a cell.
type Cell = fn(&Row<'_>) -> String;

/// The columns of every file.
const COLUMNS: [(&str, Cell); 22] = [
    ("instance", |row| row.instance.to_owned()),
    ("contender", |row| row.contender.name.clone()),
    ("answer", |row| row.run.answer().text().to_owned()),
    ("proven", |row| row.run.answer().proven().is_some().to_string()),
    ("stop", |row| row.run.report().stop().to_string()),
    ("effect", |row| row.run.report().effect().to_string()),
    ("nodes", |row| row.run.nodes().to_string()),
    ("estimate", |row| or_empty(row.run.estimate().map(|estimate| estimate.mean))),
    ("estimate_error", |row| {
        or_empty(row.run.estimate().and_then(|estimate| estimate.standard_error))
    }),
    ("estimate_is_reliable", |row| or_empty(row.run.estimate_is_reliable())),
    ("nodes_at_least", |row| row.run.at_least().to_string()),
    ("cuts", |row| row.run.cuts().to_string()),
    ("rounds", |row| row.run.times().len().to_string()),
    ("seconds", |row| row.run.seconds().median.to_string()),
    ("seconds_least", |row| row.run.seconds().least.to_string()),
    ("seconds_lower_quartile", |row| row.run.seconds().lower_quartile.to_string()),
    ("seconds_upper_quartile", |row| row.run.seconds().upper_quartile.to_string()),
    ("seconds_greatest", |row| row.run.seconds().greatest.to_string()),
    ("nanoseconds_per_node", |row| row.run.nanoseconds_per_node().to_string()),
    ("peak_bytes", |row| or_empty(row.run.peak_bytes())),
    // The next two are ratios to the base. Their names are part of the format.
    ("nodes_of_base", |row| or_empty(row.run.size_ratio(row.base))),
    ("seconds_of_base", |row| {
        let neither_is_limited = !row.run.is_limited() && !row.base.is_limited();
        or_empty(neither_is_limited.then(|| row.run.time_ratio(row.base)))
    }),
];

/// A column: its title, and its cell in a row.
type Column<'c> = (String, Box<dyn Fn(&Row<'_>) -> String + 'c>);

impl Comparison {
    /// Returns the comparison as CSV (RFC 4180, with a line feed at the end of each row): a header,
    /// then one row for each instance and contender.
    ///
    /// | column | |
    /// |---|---|
    /// | `instance`, `contender` | their names |
    /// | `answer`, `proven` | the answer, and `true` if it is proven |
    /// | `stop`, `effect` | why the run ended, and what the cuts of its hooks preserve |
    /// | `nodes` | visited nodes, or states of a sweep |
    /// | `estimate`, `estimate_error` | estimated nodes of a limited run, and standard error |
    /// | `estimate_is_reliable` | `true` or `false`; if `false`, use `nodes_at_least` instead |
    /// | `nodes_at_least` | the size of the tree if known, otherwise a [lower bound] |
    /// | `cuts` | total number of cuts of all hooks |
    /// | `rounds` | number of runs |
    /// | `seconds` and `seconds_…` | median, minimum, quartiles and maximum of the times |
    /// | `nanoseconds_per_node` | median time divided by the visited nodes |
    /// | `peak_bytes` | peak memory, if known |
    /// | `nodes_of_base` | ratio of sizes to the first contender, if both sizes are known |
    /// | `seconds_of_base` | ratio of times to the first contender, if neither is limited |
    /// | `tally: NAME` | `true` if the test of the tally holds |
    /// | `calls: HOOK`, `cuts: HOOK` | numbers of calls and cuts of the hook |
    /// | `stat: NAME` | statistics of trials and of hooks |
    /// | `reference nodes: SOURCE`, `reference seconds: SOURCE` | published figures |
    ///
    /// [lower bound]: crate::Measured::at_least
    ///
    /// Cells that are unknown or do not apply are empty. Names are written unchanged: a spreadsheet
    /// may interpret one that begins with `=` as a formula.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_lab::{Compare, Contender};
    /// use secateurs_problems::queens::{BitQueens, Queens};
    ///
    /// let comparison = Compare::of("6 queens", Queens::new(6)?.bits())
    ///     .contender(Contender::new("all", |queens: &BitQueens, limits| {
    ///         Search::new(queens).limits(limits).count()
    ///     }))
    ///     .run()?;
    /// let csv = comparison.csv();
    /// assert!(csv.starts_with("instance,contender,answer,proven,"));
    /// assert!(csv.contains("\n6 queens,all,4,true,exhausted,preserving,153,"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn csv(&self) -> String {
        self.write_csv().expect("rows of equal length are written to memory")
    }

    fn write_csv(&self) -> Result<String, csv::Error> {
        let columns = self.columns();
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(columns.iter().map(|(title, _)| title))?;
        for (index, instance) in self.instances.iter().enumerate() {
            for contender in &self.contenders {
                let (run, base) = (&contender.runs[index], &self.contenders[0].runs[index]);
                let row = Row { instance, contender, run, base };
                writer.write_record(columns.iter().map(|(_, cell)| cell(&row)))?;
            }
        }
        let bytes = writer.into_inner().map_err(|error| error.into_error())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn columns(&self) -> Vec<Column<'_>> {
        let mut columns: Vec<Column<'_>> = Vec::new();
        for (title, cell) in COLUMNS {
            columns.push((title.to_owned(), Box::new(cell)));
        }
        for (index, name) in self.tallies().iter().enumerate() {
            let cell = move |row: &Row<'_>| row.run.tallies[index].to_string();
            columns.push((format!("tally: {name}"), Box::new(cell)));
        }
        let hooks = self.contenders.iter().flat_map(Compared::hooks);
        for name in unique(hooks.map(HookReport::name)) {
            let sum = move |row: &Row<'_>, number: fn(&HookReport) -> u64| {
                let hooks = row.run.report().hooks().iter().filter(|hook| hook.name() == name);
                or_empty(hooks.map(number).reduce(|one, other| one + other))
            };
            let calls = move |row: &Row<'_>| sum(row, HookReport::calls);
            columns.push((format!("calls: {name}"), Box::new(calls)));
            let cuts = move |row: &Row<'_>| sum(row, HookReport::cuts);
            columns.push((format!("cuts: {name}"), Box::new(cuts)));
        }
        let runs = self.contenders.iter().flat_map(|contender| &contender.runs);
        for name in unique(runs.flat_map(Measured::stats).map(|(name, _)| name)) {
            let title = format!("stat: {name}");
            columns.push((title, Box::new(move |row| or_empty(row.run.stat(&name)))));
        }
        let references = self.contenders.iter().flat_map(|contender| &contender.references);
        let source =
            |reference: &Reference| (reference.quantity().clone(), reference.source().to_owned());
        for key in unique(references.map(source)) {
            let title = format!("reference {}: {}", key.0, key.1);
            let cell = move |row: &Row<'_>| {
                let mut references = row.contender.references.iter();
                let reference = references.find(|&reference| source(reference) == key);
                or_empty(reference.and_then(|reference| reference.of(row.instance)))
            };
            columns.push((title, Box::new(cell)));
        }
        columns
    }
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Returns the different items in the order of their first occurrence.
fn unique<T: Hash + Eq + Clone>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut known = HashSet::new();
    items.filter(|item| known.insert(item.clone())).collect()
}

/// The version of the format, raised when a field is removed or changes its meaning.
const VERSION: u32 = 1;

impl Comparison {
    /// Returns the comparison as JSON. The format is stable: `format` is `"secateurs comparison"`,
    /// and `version` (now 1) is raised when a field is removed or changes its meaning. Unknown
    /// values are `null`. The fields of an object have no particular order.
    ///
    /// - `title`, `rounds`, `cancelled` (whether something is missing), `limits` (as text),
    ///   `instances` (names);
    /// - `contenders`, each with
    ///   - `name`, `effect`;
    ///   - `sizes` (visited nodes or a reliable estimate, and otherwise a lower bound), as
    ///     quantiles over the instances; `unknown_sizes` (the number of these lower bounds);
    ///   - `seconds` (medians), as quantiles over the instances;
    ///   - `nodes_of_base`, `seconds_of_base` (geometric means of the ratios to the first
    ///     contender, over the instances on which both are known);
    ///   - `limited`, `estimated`, `unreliably_estimated` (numbers of instances);
    ///   - `tallies` (`name`, `value`);
    ///   - `references` (`quantity`, `source`, `figures` by instance);
    ///   - `runs`;
    /// - each run, one for each instance, has `instance`, `answer`, `proven`, `stop`, `limited`,
    ///   `nodes`, `estimate` (`mean`, `standard_error`, `reliable`), `nodes_at_least` (the size if
    ///   it is known, otherwise a [lower bound](crate::Measured::at_least)), `cuts`,
    ///   `nodes_by_depth`, `solutions_by_depth`, `hooks` (`name`, `effect`, `calls`, `cuts`,
    ///   `calls_by_depth`, `cuts_by_depth`), `stats` (`name`, `value`), `seconds` (quantiles over
    ///   the rounds), `times` (of each round, in seconds), `nanoseconds_per_node`, `peak_bytes`.
    ///   `limited` is about [all rounds](crate::Measured::is_limited), `stop` about the first one.
    ///
    /// Quantiles have the fields `least`, `lower_quartile`, `median`, `upper_quartile`,
    /// `upper_decile` and `greatest`. Depths start at 0, the root.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_lab::{Compare, Contender};
    /// use secateurs_problems::queens::{BitQueens, Queens};
    ///
    /// let comparison = Compare::of("6 queens", Queens::new(6)?.bits())
    ///     .contender(Contender::new("all", |queens: &BitQueens, limits| {
    ///         Search::new(queens).limits(limits).count()
    ///     }))
    ///     .run()?;
    /// assert!(comparison.json().contains("\"nodes\": 153"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn json(&self) -> String {
        let contenders = self.contenders.iter().map(|contender| self.contender_data(contender));
        let file = json!({
            "format": "secateurs comparison",
            "version": VERSION,
            "title": self.title(),
            "rounds": self.rounds(),
            "cancelled": self.is_cancelled(),
            "limits": self.setup.limits,
            "instances": self.instances,
            "contenders": contenders.collect::<Vec<_>>(),
        });
        format!("{file:#}")
    }

    fn contender_data(&self, contender: &Compared) -> Value {
        let tally =
            |name: &String| json!({"name": name, "value": contender.tally(name).unwrap_or(0)});
        let published = |reference: &Reference| {
            let figures = self.instances.iter().map(|instance| reference.of(instance));
            json!({
                "quantity": reference.quantity().to_string(),
                "source": reference.source(),
                "figures": figures.collect::<Vec<_>>(),
            })
        };
        let runs = self.instances.iter().zip(&contender.runs);
        json!({
            "name": contender.name,
            "effect": contender.effect().to_string(),
            "sizes": contender.sizes(),
            "unknown_sizes": contender.unknown_sizes(),
            "seconds": contender.seconds(),
            "nodes_of_base": self.ratio(contender),
            "seconds_of_base": self.time_ratio(contender),
            "limited": contender.limited(),
            "estimated": contender.estimated(),
            "unreliably_estimated": contender.unreliably_estimated(),
            "tallies": self.tallies().iter().map(tally).collect::<Vec<_>>(),
            "references": contender.references.iter().map(published).collect::<Vec<_>>(),
            "runs": runs.map(|(instance, run)| run_data(instance, run)).collect::<Vec<_>>(),
        })
    }
}

fn run_data(instance: &str, run: &Measured) -> Value {
    let levels = run.report().levels();
    let hooks = run.report().hooks().iter().filter(|hook| !hook.is_off());
    let estimate = run.estimate().map(|estimate| {
        json!({
            "mean": estimate.mean,
            "standard_error": estimate.standard_error,
            "reliable": run.estimate_is_reliable() == Some(true),
        })
    });
    let stats = run.stats().map(|(name, value)| json!({"name": name, "value": value}));
    json!({
        "instance": instance,
        "answer": run.answer().text(),
        "proven": run.answer().proven().is_some(),
        "stop": run.report().stop().to_string(),
        "limited": run.is_limited(),
        "nodes": run.nodes(),
        "estimate": estimate,
        "nodes_at_least": run.at_least(),
        "cuts": run.cuts(),
        "nodes_by_depth": levels.iter().map(|level| level.nodes).collect::<Vec<_>>(),
        "solutions_by_depth": levels.iter().map(|level| level.solutions).collect::<Vec<_>>(),
        "hooks": hooks.map(hook_data).collect::<Vec<_>>(),
        "stats": stats.collect::<Vec<_>>(),
        "seconds": run.seconds(),
        "times": run.times.iter().map(|time| time.as_secs_f64()).collect::<Vec<_>>(),
        "nanoseconds_per_node": run.nanoseconds_per_node(),
        "peak_bytes": run.peak_bytes(),
    })
}

fn hook_data(hook: &HookReport) -> Value {
    // `Cuts` also holds numbers of calls.
    let by_depth =
        |counts: &[Cuts]| counts.iter().map(|count| count.admit + count.enter).collect::<Vec<_>>();
    let constraint = hook.constraint().map(|kind| kind.to_string());
    json!({
        "name": hook.name(),
        "effect": constraint.unwrap_or_else(|| hook.effect().to_string()),
        "calls": hook.calls(),
        "cuts": hook.cuts(),
        "calls_by_depth": by_depth(hook.calls_by_depth()),
        "cuts_by_depth": by_depth(hook.cuts_by_depth()),
    })
}
