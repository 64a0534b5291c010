//! The summary: one row for each contender.

use super::pick;
use super::text::{self, Table, bytes, grouped, nanoseconds, ratio, size, time};
use crate::comparison::{Compared, Comparison, geometric_mean};
use crate::measured::{Measured, Quantiles};

/// The default maximal number of rows.
pub(super) const MAX_ROWS: usize = 200;

/// A column: its title, and its cell in the row of a contender.
type Column = (&'static str, fn(&Comparison, &Compared) -> String);

const OF_SINGLE_INSTANCE: [Column; 9] = [
    ("contender", |_, own| own.name.clone()),
    ("answer", |_, own| own.runs[0].answer().to_string()),
    ("nodes", |_, own| size(&own.runs[0])),
    ("of base", Comparison::marked_ratio),
    ("cuts", |_, own| grouped(own.runs[0].cuts())),
    ("time", |_, own| text::run_time(&own.runs[0])),
    ("±", |comparison, own| {
        let seconds = own.runs[0].seconds();
        let spread = (seconds.upper_quartile - seconds.lower_quartile) / 2.0;
        if comparison.rounds() > 1 { time(spread) } else { String::new() }
    }),
    ("time of base", Comparison::marked_time_ratio),
    ("ns/node", |_, own| nanoseconds(own.runs[0].nanoseconds_per_node())),
];

const OF_SEVERAL_INSTANCES: [Column; 10] = [
    ("contender", |_, own| own.name.clone()),
    ("nodes: median", |_, own| size_quantile(own, |sizes| sizes.median)),
    ("90 %", |_, own| size_quantile(own, |sizes| sizes.upper_decile)),
    ("most", |_, own| size_quantile(own, |sizes| sizes.greatest)),
    ("of base", Comparison::marked_ratio),
    ("time: median", |_, own| time_quantile(own, |seconds| seconds.median)),
    ("90 %", |_, own| time_quantile(own, |seconds| seconds.upper_decile)),
    ("most", |_, own| time_quantile(own, |seconds| seconds.greatest)),
    ("time of base", Comparison::marked_time_ratio),
    ("ns/node", |_, own| {
        own.nanoseconds_per_node().map_or_else(|| "?".to_owned(), |time| nanoseconds(time.median))
    }),
];

impl Comparison {
    /// Returns a table with one row for each of at most `most` contenders.
    pub(crate) fn summary(&self, most: usize) -> Table {
        let single_instance = self.instances.len() == 1;
        let picked = pick::contenders(self, most);
        let shown = picked.items;
        let with_memory = shown.iter().any(|contender| contender.peak_bytes().is_some());
        let with_limits = self.contenders.iter().any(|contender| contender.limited() > 0);
        let columns: &[Column] =
            if single_instance { &OF_SINGLE_INSTANCE } else { &OF_SEVERAL_INSTANCES };
        let mut titles: Vec<String> = columns.iter().map(|column| column.0.to_owned()).collect();
        titles.extend(with_memory.then(|| "memory".to_owned()));
        titles.extend((with_limits && !single_instance).then(|| "limited".to_owned()));
        // Tallies come first, because they were requested explicitly.
        titles.splice(1..1, self.tallies().iter().cloned());
        let mut rows = vec![titles];
        for contender in shown {
            let mut row: Vec<String> =
                columns.iter().map(|column| (column.1)(self, contender)).collect();
            row.extend(with_memory.then(|| {
                contender.peak_bytes().map_or_else(String::new, |peak| bytes(peak.greatest))
            }));
            row.extend((with_limits && !single_instance).then(|| limited(contender)));
            row.splice(
                1..1,
                self.tallies()
                    .iter()
                    .map(|name| grouped(contender.tally(name).unwrap_or(0) as u64)),
            );
            rows.push(row);
        }
        Table { title: "contenders", rows, notes: self.notes(picked.note) }
    }

    fn notes(&self, picked: Option<String>) -> Vec<String> {
        let mut notes: Vec<String> = self.setup.note.iter().cloned().chain(picked).collect();
        notes.extend(self.setup.planned_if_cancelled.map(|planned| {
            format!(
                "Cancelled: measured on {} of {planned} instances, with fewer runs or estimates \
                 than planned.",
                self.instances.len()
            )
        }));
        let total =
            |number: fn(&Compared) -> usize| self.contenders.iter().map(number).sum::<usize>();
        let in_first_round =
            |own: &Compared| own.runs.iter().filter(|run| run.trial.is_limited()).count();
        let (limited, estimated) = (total(in_first_round), total(Compared::estimated));
        let limited_later = total(Compared::limited) - limited;
        let unreliable = total(Compared::unreliably_estimated);
        let is_bound = |own: &Compared| {
            self.ratio_or_bound(own).is_some_and(|ratio| ["≤", "≥"].contains(&ratio.mark))
        };
        let has_bounds = unreliable > 0 || estimated > 0 && self.contenders.iter().any(is_bound);
        let limits = match self.setup.limits.as_slice() {
            [] => String::new(),
            limits => format!(" ({})", limits.join(", ")),
        };
        if self.instances.len() == 1 && self.rounds() > 1 {
            notes.push("Times are medians; ± is half of the interquartile range.".to_owned());
        }
        match (limited, estimated) {
            // Only limited runs are estimated.
            (0, _) => {}
            (_, 0) => notes.push(format!(
                "Runs that reached a limit{limits}: {limited}. Their trees are larger."
            )),
            _ => notes.push(format!(
                "Runs that reached a limit{limits}: {limited}. Sizes marked “est.” or “≈” are \
                 estimates from random probes, not counts."
            )),
        }
        if limited_later > 0 {
            notes.push(format!(
                "Runs that reached a limit{limits} only in a later round: {limited_later}. Their \
                 sizes are counted, and their times are lower bounds."
            ));
        }
        if unreliable > 0 {
            notes.push(format!("Estimates that are not reliable: {unreliable}."));
        }
        if has_bounds {
            notes.push(
                "Each size marked “≥” is a bound that its estimate gives with a confidence of \
                 95 %. Ratios marked “≤” or “≥” follow from these sizes."
                    .to_owned(),
            );
        }
        notes
    }

    /// Formats the ratio of nodes, with a mark if it is an estimate or a bound.
    pub(crate) fn marked_ratio(&self, contender: &Compared) -> String {
        self.marked(self.ratio_or_bound(contender))
    }

    /// Returns the ratio of nodes. If only the base has unknown sizes, lower bounds of all its
    /// sizes that were not counted give an upper bound of the ratio, marked `≤`. If only the
    /// contender has unknown sizes, they give a lower bound, marked `≥`. But an estimate of the
    /// other one would make the bound uncertain. Then, and if both or neither have unknown sizes,
    /// the ratio is over the instances on which both sizes are known, and is marked `≈` if there
    /// are estimates. `None` if there is no such instance.
    fn ratio_or_bound(&self, contender: &Compared) -> Option<Ratio> {
        let base = &self.contenders[0];
        if base.name == contender.name {
            return Some(self.exactly(1.0));
        }
        let mark = match (base.unknown_sizes(), contender.unknown_sizes()) {
            (1.., 0) if contender.estimated() == 0 => "≤",
            (0, 1..) if base.estimated() == 0 => "≥",
            _ => {
                let mark = if self.ratio_is_estimated(contender) { "≈" } else { "" };
                let over = self.size_ratios(contender).count();
                return self.ratio(contender).map(|value| Ratio { mark, value, over });
            }
        };
        // Every tree has a root, even if no node was visited.
        let ratio = |(base, own): (&Measured, &Measured)| {
            own.lower_bound().max(1.0) / base.lower_bound().max(1.0)
        };
        let value = geometric_mean(base.runs.iter().zip(&contender.runs).map(ratio))?;
        Some(Ratio { mark, ..self.exactly(value) })
    }

    /// Formats the ratio of times, with a mark if it is a bound.
    pub(crate) fn marked_time_ratio(&self, contender: &Compared) -> String {
        self.marked(self.time_ratio_or_bound(contender))
    }

    /// Returns the ratio of times, over the instances on which neither reached a limit. If there
    /// are none, the ratio is a bound: marked `<` if only the base reached limits, as it would have
    /// taken longer, and `>` if only the contender did. `None` if both did.
    fn time_ratio_or_bound(&self, contender: &Compared) -> Option<Ratio> {
        let base = &self.contenders[0];
        if base.name == contender.name {
            return Some(self.exactly(1.0));
        }
        if let Some(value) = self.time_ratio(contender) {
            return Some(Ratio { mark: "", value, over: self.time_ratios(contender).count() });
        }
        // The base or the contender was limited on each instance.
        let mark = match (base.limited(), contender.limited()) {
            (_, 0) => "<",
            (0, _) => ">",
            _ => return None,
        };
        let both = base.runs.iter().zip(&contender.runs);
        let value = geometric_mean(both.map(|(base, own)| own.time_ratio(base)))?;
        Some(Ratio { mark, ..self.exactly(value) })
    }

    /// Returns a ratio over all instances, without a mark.
    fn exactly(&self, value: f64) -> Ratio {
        Ratio { mark: "", value, over: self.instances.len() }
    }

    /// Formats a ratio with its mark, and the number of its instances if some are left out.
    fn marked(&self, of_base: Option<Ratio>) -> String {
        let Some(Ratio { mark, value, over }) = of_base else { return "?".to_owned() };
        let space = if mark.is_empty() { "" } else { " " };
        let all = self.instances.len();
        let part = if over < all { format!(" ({over} of {all})") } else { String::new() };
        let value = match mark {
            "≤" | "<" => ratio(value, f64::ceil),
            "≥" | ">" => ratio(value, f64::floor),
            _ => ratio(value, f64::round),
        };
        format!("{mark}{space}{value}{part}")
    }
}

/// The geometric mean of the ratios of a contender to the base.
struct Ratio {
    /// The mark of an estimate or a bound; empty if the ratio is exact.
    mark: &'static str,
    value: f64,
    /// The number of instances.
    over: usize,
}

fn size_quantile(contender: &Compared, of: fn(&Quantiles) -> f64) -> String {
    let format = if contender.estimated() > 0 { text::approximate } else { text::count };
    let (least, most) = (contender.sizes(), contender.upper_sizes());
    quantile(least.as_ref().map(of), most.as_ref().map(of), format, text::at_least)
}

fn time_quantile(contender: &Compared, of: fn(&Quantiles) -> f64) -> String {
    let (least, most) = (contender.seconds(), contender.upper_seconds());
    let at_least = |bound| format!("≥ {}", time(bound));
    quantile(least.as_ref().map(of), most.as_ref().map(of), time, at_least)
}

/// Formats a quantile that lies between `least` and `most`: as an exact number if the two are
/// equal, and otherwise as a lower bound.
fn quantile(
    least: Option<f64>,
    most: Option<f64>,
    format: fn(f64) -> String,
    format_bound: fn(f64) -> String,
) -> String {
    match (least, most) {
        (Some(least), Some(most)) if least == most => format(least),
        (Some(least), _) => format_bound(least),
        (None, _) => "?".to_owned(),
    }
}

fn limited(contender: &Compared) -> String {
    match contender.limited() {
        0 => String::new(),
        limited => format!("{limited} of {}", contender.runs.len()),
    }
}
