//! CSV output of a comparison.

use std::collections::HashSet;

use crate::lab::comparison::{Compared, Comparison};
use crate::lab::measured::Measured;
use crate::lab::reference::{Quantity, Reference};

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
    /// [lower bound]: crate::lab::Measured::at_least
    ///
    /// Cells that are unknown or do not apply are empty. Names are written unchanged: a spreadsheet
    /// may interpret one that begins with `=` as a formula.
    ///
    /// ```
    /// use secateurs::lab::{Compare, Contender};
    /// use secateurs::problems::queens::{BitQueens, Queens};
    /// use secateurs::Search;
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
        let others = self.other_columns();
        let mut writer = csv::Writer::from_writer(Vec::new());
        let titles = COLUMNS.iter().map(|&title| title.to_owned());
        writer.write_record(titles.chain(self.other_titles(&others)))?;
        for (index, instance) in self.instances.iter().enumerate() {
            for contender in &self.contenders {
                let mut row = self.row(index, contender);
                self.add_others(&mut row, (index, instance), contender, &others);
                writer.write_record(row)?;
            }
        }
        let bytes = writer.into_inner().map_err(|error| error.into_error())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn other_columns(&self) -> VariableColumns {
        let mut hooks = Names::default();
        let mut stats = Names::default();
        let mut references: Vec<(Quantity, String)> = Vec::new();
        for contender in &self.contenders {
            contender.hooks().for_each(|hook| hooks.add(hook.name()));
            contender.runs.iter().flat_map(Measured::stats).for_each(|(name, _)| stats.add(&name));
            for known in &contender.references {
                let column = (known.quantity().clone(), known.source().to_owned());
                if !references.contains(&column) {
                    references.push(column);
                }
            }
        }
        VariableColumns { hooks: hooks.in_order, stats: stats.in_order, references }
    }

    fn other_titles(&self, others: &VariableColumns) -> Vec<String> {
        let mut titles: Vec<String> =
            self.tallies().iter().map(|name| format!("tally: {name}")).collect();
        titles.extend(
            others
                .hooks
                .iter()
                .flat_map(|hook| [format!("calls: {hook}"), format!("cuts: {hook}")]),
        );
        titles.extend(others.stats.iter().map(|name| format!("stat: {name}")));
        titles.extend(
            others
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
        let neither = !run.is_limited() && !base.is_limited();
        let time_ratio =
            neither.then(|| seconds.median / base.seconds().median.max(f64::MIN_POSITIVE));
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

    fn add_others(
        &self,
        row: &mut Vec<String>,
        (index, instance): (usize, &str),
        contender: &Compared,
        others: &VariableColumns,
    ) {
        let run = &contender.runs[index];
        row.extend(run.tallies.iter().map(ToString::to_string));
        for name in &others.hooks {
            let hooks = run.report().hooks().iter().filter(|hook| hook.name() == name);
            let both = hooks
                .map(|hook| (hook.calls(), hook.cuts()))
                .reduce(|one, other| (one.0 + other.0, one.1 + other.1));
            row.push(or_empty(both.map(|(calls, _)| calls)));
            row.push(or_empty(both.map(|(_, cuts)| cuts)));
        }
        row.extend(others.stats.iter().map(|name| or_empty(run.stat(name))));
        for (quantity, source) in &others.references {
            let matches =
                |known: &&Reference| known.quantity() == quantity && known.source() == source;
            row.push(or_empty(
                contender.references.iter().find(matches).and_then(|known| known.of(instance)),
            ));
        }
    }
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Unique names in the order of their first occurrence.
#[derive(Default)]
struct Names {
    known: HashSet<String>,
    in_order: Vec<String>,
}

impl Names {
    fn add(&mut self, name: &str) {
        if !self.known.contains(name) {
            self.known.insert(name.to_owned());
            self.in_order.push(name.to_owned());
        }
    }
}
