//! CSV and JSON output of a comparison.

use std::collections::HashSet;

use secateurs::{Cuts, HookReport};
use serde::Serialize;

use crate::comparison::{Compared, Comparison};
use crate::contender::{Quantity, Reference};
use crate::measured::{Measured, Quantiles};

/// The columns of every file.
const COLUMNS: [&str; 22] = [
    "instance",
    "contender",
    "answer",
    "proven",
    "stop",
    "effect",
    "nodes",
    "estimate",
    "estimate_error",
    "estimate_is_reliable",
    "nodes_at_least",
    "cuts",
    "rounds",
    "seconds",
    "seconds_least",
    "seconds_lower_quartile",
    "seconds_upper_quartile",
    "seconds_greatest",
    "nanoseconds_per_node",
    "peak_bytes",
    "nodes_of_base",
    "seconds_of_base",
];

/// The columns that depend on the comparison.
struct VariableColumns {
    hooks: Vec<String>,
    stats: Vec<String>,
    references: Vec<(Quantity, String)>,
}

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
        match self.write_csv() {
            Ok(text) => text,
            Err(error) => unreachable!("rows of equal length are written to memory: {error}"),
        }
    }

    fn write_csv(&self) -> Result<String, csv::Error> {
        let variable = self.variable_columns();
        let mut writer = csv::Writer::from_writer(Vec::new());
        let titles = COLUMNS.iter().map(|&title| title.to_owned());
        writer.write_record(titles.chain(self.variable_titles(&variable)))?;
        for (index, instance) in self.instances.iter().enumerate() {
            for contender in &self.contenders {
                let mut row = self.row(index, contender);
                self.add_variable_cells(&mut row, (index, instance), contender, &variable);
                writer.write_record(row)?;
            }
        }
        let bytes = writer.into_inner().map_err(|error| error.into_error())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn variable_columns(&self) -> VariableColumns {
        let mut hooks = UniqueNames::default();
        let mut stats = UniqueNames::default();
        let mut references: Vec<(Quantity, String)> = Vec::new();
        for contender in &self.contenders {
            contender.hooks().for_each(|hook| hooks.add(hook.name()));
            contender.runs.iter().flat_map(Measured::stats).for_each(|(name, _)| stats.add(&name));
            for reference in &contender.references {
                let column = (reference.quantity().clone(), reference.source().to_owned());
                if !references.contains(&column) {
                    references.push(column);
                }
            }
        }
        VariableColumns { hooks: hooks.in_order, stats: stats.in_order, references }
    }

    fn variable_titles(&self, variable: &VariableColumns) -> Vec<String> {
        let mut titles: Vec<String> =
            self.tallies().iter().map(|name| format!("tally: {name}")).collect();
        titles.extend(
            variable
                .hooks
                .iter()
                .flat_map(|hook| [format!("calls: {hook}"), format!("cuts: {hook}")]),
        );
        titles.extend(variable.stats.iter().map(|name| format!("stat: {name}")));
        titles.extend(
            variable
                .references
                .iter()
                .map(|(quantity, source)| format!("reference {quantity}: {source}")),
        );
        titles
    }

    fn row(&self, index: usize, contender: &Compared) -> Vec<String> {
        let (run, base) = (&contender.runs[index], &self.contenders[0].runs[index]);
        let seconds = run.seconds();
        let ratio = run.size().zip(base.size()).map(|(own, base)| own / base);
        let neither_is_limited = !run.is_limited() && !base.is_limited();
        let time_ratio = neither_is_limited
            .then(|| seconds.median / base.seconds().median.max(f64::MIN_POSITIVE));
        vec![
            self.instances[index].clone(),
            contender.name.clone(),
            run.answer().text().to_owned(),
            run.answer().proven().is_some().to_string(),
            run.report().stop().to_string(),
            run.report().effect().to_string(),
            run.nodes().to_string(),
            or_empty(run.estimate().map(|estimate| estimate.mean)),
            or_empty(run.estimate().and_then(|estimate| estimate.standard_error)),
            or_empty(run.estimate_is_reliable()),
            run.at_least().to_string(),
            run.cuts().to_string(),
            run.times().len().to_string(),
            seconds.median.to_string(),
            seconds.least.to_string(),
            seconds.lower_quartile.to_string(),
            seconds.upper_quartile.to_string(),
            seconds.greatest.to_string(),
            run.nanoseconds_per_node().to_string(),
            or_empty(run.peak_bytes()),
            or_empty(ratio),
            or_empty(time_ratio),
        ]
    }

    fn add_variable_cells(
        &self,
        row: &mut Vec<String>,
        (index, instance): (usize, &str),
        contender: &Compared,
        variable: &VariableColumns,
    ) {
        let run = &contender.runs[index];
        row.extend(run.tallies.iter().map(ToString::to_string));
        for name in &variable.hooks {
            let hooks = run.report().hooks().iter().filter(|hook| hook.name() == name);
            let calls_and_cuts = hooks
                .map(|hook| (hook.calls(), hook.cuts()))
                .reduce(|one, other| (one.0 + other.0, one.1 + other.1));
            row.push(or_empty(calls_and_cuts.map(|(calls, _)| calls)));
            row.push(or_empty(calls_and_cuts.map(|(_, cuts)| cuts)));
        }
        row.extend(variable.stats.iter().map(|name| or_empty(run.stat(name))));
        for (quantity, source) in &variable.references {
            let reference = contender.references.iter().find(|reference: &&Reference| {
                reference.quantity() == quantity && reference.source() == source
            });
            row.push(or_empty(reference.and_then(|reference| reference.of(instance))));
        }
    }
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Unique names in the order of their first occurrence.
#[derive(Default)]
struct UniqueNames {
    known: HashSet<String>,
    in_order: Vec<String>,
}

impl UniqueNames {
    fn add(&mut self, name: &str) {
        if !self.known.contains(name) {
            self.known.insert(name.to_owned());
            self.in_order.push(name.to_owned());
        }
    }
}

/// The version of the format, raised when a field is removed or changes its meaning.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct File<'c> {
    format: &'static str,
    version: u32,
    title: &'c str,
    rounds: usize,
    cancelled: bool,
    limits: &'c [String],
    instances: &'c [String],
    contenders: Vec<Contender<'c>>,
}

#[derive(Serialize)]
struct Contender<'c> {
    name: &'c str,
    effect: String,
    sizes: Option<Quantiles>,
    unknown_sizes: usize,
    seconds: Option<Quantiles>,
    nodes_of_base: Option<f64>,
    seconds_of_base: Option<f64>,
    limited: usize,
    estimated: usize,
    unreliably_estimated: usize,
    tallies: Vec<Tally<'c>>,
    references: Vec<Published<'c>>,
    runs: Vec<RunData<'c>>,
}

#[derive(Serialize)]
struct Tally<'c> {
    name: &'c str,
    value: u64,
}

#[derive(Serialize)]
struct Published<'c> {
    quantity: String,
    source: &'c str,
    /// One figure for each instance.
    figures: Vec<Option<f64>>,
}

#[derive(Serialize)]
struct RunData<'c> {
    instance: &'c str,
    answer: &'c str,
    proven: bool,
    stop: String,
    limited: bool,
    nodes: u64,
    estimate: Option<Estimate>,
    nodes_at_least: f64,
    cuts: u64,
    nodes_by_depth: Vec<u64>,
    solutions_by_depth: Vec<u64>,
    hooks: Vec<Hook<'c>>,
    stats: Vec<Stat>,
    seconds: Quantiles,
    times: Vec<f64>,
    nanoseconds_per_node: f64,
    peak_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Estimate {
    mean: f64,
    standard_error: Option<f64>,
    reliable: bool,
}

#[derive(Serialize)]
struct Hook<'c> {
    name: &'c str,
    effect: String,
    calls: u64,
    cuts: u64,
    calls_by_depth: Vec<u64>,
    cuts_by_depth: Vec<u64>,
}

#[derive(Serialize)]
struct Stat {
    name: String,
    value: u64,
}

impl Comparison {
    /// Returns the comparison as JSON. The format is stable: `format` is `"secateurs comparison"`,
    /// and `version` (now 1) is raised when a field is removed or changes its meaning. Unknown
    /// values are `null`.
    ///
    /// - `title`, `rounds`, `cancelled` (whether something is missing), `limits` (as text),
    ///   `instances` (names);
    /// - `contenders`, each with `name`, `effect`; `sizes` (visited nodes or a reliable estimate,
    ///   and otherwise a lower bound; `unknown_sizes` counts the lower bounds) and `seconds`
    ///   (medians), both as quantiles over the instances; `nodes_of_base`, `seconds_of_base`
    ///   (geometric means of the ratios to the first contender); `limited`, `estimated`,
    ///   `unreliably_estimated` (numbers of instances); `tallies` (`name`, `value`); `references`
    ///   (`quantity`, `source`, `figures` by instance); `runs`;
    /// - each run, one for each instance, has `instance`, `answer`, `proven`, `stop`, `limited`,
    ///   `nodes`, `estimate` (`mean`, `standard_error`, `reliable`), `nodes_at_least` (the size if
    ///   it is known, otherwise a [lower bound](crate::Measured::at_least)), `cuts`,
    ///   `nodes_by_depth`, `solutions_by_depth`, `hooks` (`name`, `effect`, `calls`, `cuts`,
    ///   `calls_by_depth`, `cuts_by_depth`), `stats` (`name`, `value`), `seconds` (quantiles over
    ///   the rounds), `times` (of each round, in seconds), `nanoseconds_per_node`, `peak_bytes`.
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
        let file = File {
            format: "secateurs comparison",
            version: VERSION,
            title: self.title(),
            rounds: self.rounds(),
            cancelled: self.is_cancelled(),
            limits: &self.setup.limits,
            instances: &self.instances,
            contenders: self
                .contenders
                .iter()
                .map(|contender| self.contender_data(contender))
                .collect(),
        };
        match serde_json::to_string_pretty(&file) {
            Ok(json) => json,
            Err(error) => {
                unreachable!("texts, numbers and lists are always written to memory: {error}")
            }
        }
    }

    fn contender_data<'c>(&'c self, contender: &'c Compared) -> Contender<'c> {
        let published = contender.references.iter().map(|reference| Published {
            quantity: reference.quantity().to_string(),
            source: reference.source(),
            figures: self.instances.iter().map(|instance| reference.of(instance)).collect(),
        });
        let tally =
            |name: &'c String| Tally { name, value: contender.tally(name).unwrap_or(0) as u64 };
        Contender {
            name: &contender.name,
            effect: contender.effect().to_string(),
            sizes: contender.sizes(),
            unknown_sizes: contender.unknown_sizes(),
            seconds: contender.seconds(),
            nodes_of_base: self.ratio(contender),
            seconds_of_base: self.time_ratio(contender),
            limited: contender.limited(),
            estimated: contender.estimated(),
            unreliably_estimated: contender.unreliably_estimated(),
            tallies: self.tallies().iter().map(tally).collect(),
            references: published.collect(),
            runs: self
                .instances
                .iter()
                .zip(&contender.runs)
                .map(|(name, run)| run_data(name, run))
                .collect(),
        }
    }
}

fn run_data<'c>(instance: &'c str, run: &'c Measured) -> RunData<'c> {
    let levels = run.report().levels();
    let hooks = run.report().hooks().iter().filter(|hook| !hook.is_off());
    RunData {
        instance,
        answer: run.answer().text(),
        proven: run.answer().proven().is_some(),
        stop: run.report().stop().to_string(),
        limited: run.is_limited(),
        nodes: run.nodes(),
        estimate: run.estimate().map(|estimate| Estimate {
            mean: estimate.mean,
            standard_error: estimate.standard_error,
            reliable: run.estimate_is_reliable() == Some(true),
        }),
        nodes_at_least: run.at_least(),
        cuts: run.cuts(),
        nodes_by_depth: levels.iter().map(|level| level.nodes).collect(),
        solutions_by_depth: levels.iter().map(|level| level.solutions).collect(),
        hooks: hooks.map(hook_data).collect(),
        stats: run.stats().map(|(name, value)| Stat { name, value }).collect(),
        seconds: run.seconds(),
        times: run.times.iter().map(|time| time.as_secs_f64()).collect(),
        nanoseconds_per_node: run.nanoseconds_per_node(),
        peak_bytes: run.peak_bytes(),
    }
}

fn hook_data(hook: &HookReport) -> Hook<'_> {
    let by_depth = |cuts: &[Cuts]| cuts.iter().map(|cuts| cuts.admit + cuts.enter).collect();
    Hook {
        name: hook.name(),
        effect: match hook.constraint() {
            Some(kind) => kind.to_string(),
            None => hook.effect().to_string(),
        },
        calls: hook.calls(),
        cuts: hook.cuts(),
        calls_by_depth: by_depth(hook.calls_by_depth()),
        cuts_by_depth: by_depth(hook.cuts_by_depth()),
    }
}
