//! The summary: one row for each contender.

use super::pick;
use super::text::{self, Table, bytes, grouped, header, nanoseconds, ratio, size, time};
use crate::comparison::{Compared, Comparison, geometric_mean};
use crate::measured::{Measured, Quantiles};

/// The default maximal number of rows.
pub(super) const MAX_ROWS: usize = 200;

impl Comparison {
    /// Returns a table with one row for each of at most `most` contenders.
    pub(crate) fn summary(&self, most: usize) -> Table {
        let single_instance = self.instances.len() == 1;
        let picked = pick::contenders(self, most);
        let shown = picked.items;
        let with_memory = shown.iter().any(|contender| contender.peak_bytes().is_some());
        let with_limits = self.contenders.iter().any(|contender| contender.limited() > 0);
        let mut titles = if single_instance {
            header(&[
                "contender",
                "answer",
                "nodes",
                "of base",
                "cuts",
                "time",
                "±",
                "time of base",
                "ns/node",
            ])
        } else {
            header(&[
                "contender",
                "nodes: median",
                "90 %",
                "most",
                "of base",
                "time: median",
                "90 %",
                "most",
                "time of base",
                "ns/node",
            ])
        };
        titles.extend(with_memory.then(|| "memory".to_owned()));
        titles.extend((with_limits && !single_instance).then(|| "limited".to_owned()));
        // Tallies come first, because they were requested explicitly.
        titles.splice(1..1, self.tallies().iter().cloned());
        let mut rows = vec![titles];
        for contender in shown {
            let mut row = match contender.runs.as_slice() {
                [run] => self.single_instance_row(contender, run),
                _ => self.many_instances_row(contender),
            };
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
        let (limited, estimated) = (total(Compared::limited), total(Compared::estimated));
        let unreliable = total(Compared::unreliably_estimated);
        let limits = match self.setup.limits.as_slice() {
            [] => String::new(),
            limits => format!(" ({})", limits.join(", ")),
        };
        if self.instances.len() == 1 && self.rounds() > 1 {
            notes.push("Times are medians; ± is half of the interquartile range.".to_owned());
        }
        match (limited, estimated) {
            (0, _) => {}
            (_, 0) => notes.push(format!(
                "Runs that reached a limit{limits}: {limited}. Their trees are larger."
            )),
            _ => notes.push(format!(
                "Runs that reached a limit{limits}: {limited}. Sizes marked “est.” or “≈” are \
                 estimates from random probes, not counts."
            )),
        }
        if unreliable > 0 {
            notes.push(format!(
                "Estimates that are not reliable: {unreliable}. Sizes marked “≥” or “>” are lower \
                 bounds, which the estimates give with a confidence of 95 %."
            ));
        }
        notes
    }

    fn single_instance_row(&self, contender: &Compared, run: &Measured) -> Vec<String> {
        let seconds = run.seconds();
        vec![
            contender.name.clone(),
            run.answer().to_string(),
            size(run),
            self.marked_ratio(contender),
            grouped(run.cuts()),
            text::run_time(run),
            if self.rounds() > 1 {
                time((seconds.upper_quartile - seconds.lower_quartile) / 2.0)
            } else {
                String::new()
            },
            self.marked_time_ratio(contender),
            nanoseconds(run.nanoseconds_per_node()),
        ]
    }

    fn many_instances_row(&self, contender: &Compared) -> Vec<String> {
        let (sizes, upper_sizes) = (contender.sizes(), contender.upper_sizes());
        let (seconds, upper_seconds) = (contender.seconds(), contender.upper_seconds());
        let size = |quantile_of: fn(&Quantiles) -> f64| {
            let format = if contender.estimated() > 0 { text::approximate } else { text::count };
            quantile(
                sizes.as_ref().map(quantile_of),
                upper_sizes.as_ref().map(quantile_of),
                format,
                text::at_least,
            )
        };
        let duration = |quantile_of: fn(&Quantiles) -> f64| {
            quantile(
                seconds.as_ref().map(quantile_of),
                upper_seconds.as_ref().map(quantile_of),
                time,
                |bound| format!("≥ {}", time(bound)),
            )
        };
        vec![
            contender.name.clone(),
            size(|sizes| sizes.median),
            size(|sizes| sizes.upper_decile),
            size(|sizes| sizes.greatest),
            self.marked_ratio(contender),
            duration(|seconds| seconds.median),
            duration(|seconds| seconds.upper_decile),
            duration(|seconds| seconds.greatest),
            self.marked_time_ratio(contender),
            contender
                .nanoseconds_per_node()
                .map_or_else(|| "?".to_owned(), |time| nanoseconds(time.median)),
        ]
    }

    /// Formats the ratio of nodes, with a mark if it is an estimate or a bound.
    pub(crate) fn marked_ratio(&self, contender: &Compared) -> String {
        marked(self.ratio_or_bound(contender))
    }

    /// Returns the ratio of nodes and its mark. If only the base has unknown sizes, their lower
    /// bounds give an upper bound of the ratio, marked `≤`. If only the contender has unknown
    /// sizes, they give a lower bound, marked `≥`. Otherwise the ratio is over the instances on
    /// which both sizes are known, and is marked `≈` if there are estimates. `None` if there is no
    /// such instance.
    fn ratio_or_bound(&self, contender: &Compared) -> Option<(&'static str, f64)> {
        let base = self.contenders.first()?;
        if base.name == contender.name {
            return Some(("", 1.0));
        }
        let mark = match (base.unknown_sizes(), contender.unknown_sizes()) {
            (1.., 0) => "≤",
            (0, 1..) => "≥",
            _ => {
                return Some((
                    if self.ratio_is_estimated(contender) { "≈" } else { "" },
                    self.ratio(contender)?,
                ));
            }
        };
        let bounds = base
            .runs
            .iter()
            .zip(&contender.runs)
            .map(|(base, contender_run)| contender_run.at_least() / base.at_least());
        Some((mark, geometric_mean(bounds)?))
    }

    /// Formats the ratio of times, with a mark if it is a bound.
    pub(crate) fn marked_time_ratio(&self, contender: &Compared) -> String {
        marked(self.time_ratio_or_bound(contender))
    }

    /// Returns the ratio of times and its mark. The mark is empty if there is an instance on which
    /// neither reached a limit. Otherwise the ratio is a bound: marked `<` if only the base reached
    /// limits, as it would have taken longer, and `>` if only the contender did. `None` if both
    /// did.
    pub(crate) fn time_ratio_or_bound(&self, contender: &Compared) -> Option<(&'static str, f64)> {
        let base = self.contenders.first()?;
        if base.name == contender.name {
            return Some(("", 1.0));
        }
        if let Some(ratio) = self.time_ratio(contender) {
            return Some(("", ratio));
        }
        let mark = match (base.limited(), contender.limited()) {
            (_, 0) => "<",
            (0, _) => ">",
            _ => return None,
        };
        let both = base.runs.iter().zip(&contender.runs);
        Some((mark, geometric_mean(both.map(|(base, own)| own.time_ratio(base)))?))
    }
}

/// Formats a ratio with its mark.
fn marked(ratio_or_bound: Option<(&str, f64)>) -> String {
    match ratio_or_bound {
        Some(("", number)) => ratio(Some(number)),
        Some((mark, number)) => format!("{mark} {}", ratio(Some(number))),
        None => "?".to_owned(),
    }
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
