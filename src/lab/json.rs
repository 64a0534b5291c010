//! JSON output of a comparison.

use serde::Serialize;

use crate::hook::OFF;
use crate::lab::comparison::{Compared, Comparison};
use crate::lab::measured::{Measured, Quantiles};
use crate::report::{Cuts, HookReport};

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
    runs: Vec<Run<'c>>,
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
struct Run<'c> {
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
    ///   it is known, otherwise a [lower bound](crate::lab::Measured::at_least)), `cuts`,
    ///   `nodes_by_depth`, `solutions_by_depth`, `hooks` (`name`, `effect`, `calls`, `cuts`,
    ///   `calls_by_depth`, `cuts_by_depth`), `stats` (`name`, `value`), `seconds` (quantiles over
    ///   the rounds), `times` (of each round, in seconds), `nanoseconds_per_node`, `peak_bytes`.
    ///
    /// Quantiles have the fields `least`, `lower_quartile`, `median`, `upper_quartile`,
    /// `upper_decile` and `greatest`. Depths start at 0, the root.
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
        let published = contender.references.iter().map(|known| Published {
            quantity: known.quantity().to_string(),
            source: known.source(),
            figures: self.instances.iter().map(|instance| known.of(instance)).collect(),
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

fn run_data<'c>(instance: &'c str, run: &'c Measured) -> Run<'c> {
    let levels = run.report.levels();
    let hooks = run.report.hooks().iter().filter(|hook| hook.name() != OFF || hook.cuts() > 0);
    Run {
        instance,
        answer: run.answer.text(),
        proven: run.answer.proven().is_some(),
        stop: run.report.stop().to_string(),
        limited: run.is_limited(),
        nodes: run.nodes(),
        estimate: run.estimate().map(|own| Estimate {
            mean: own.mean,
            standard_error: own.standard_error,
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
        effect: hook.effect().to_string(),
        calls: hook.calls(),
        cuts: hook.cuts(),
        calls_by_depth: by_depth(hook.calls_by_depth()),
        cuts_by_depth: by_depth(hook.cuts_by_depth()),
    }
}
