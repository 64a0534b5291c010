//! Tables of nodes, times and statistics by instance, of cuts by hook, and of nodes by depth.

use secateurs::{Cuts, HookReport};

use super::pick;
use super::text::{self, Table, count, grouped, row, run_time, short_size, time};
use crate::comparison::{Compared, Comparison};
use crate::contender::{Quantity, Reference};
use crate::measured::Measured;

/// The maximal number of hooks or contenders in columns.
const MAX_COLUMNS: usize = 12;
/// The maximal number of instances in rows.
const MAX_ROWS: usize = 200;
/// The maximal number of instances for which `Display` prints tables by instance.
const MAX_PRINTED_INSTANCES: usize = 24;
/// The maximal number of contenders in rows.
const MAX_CONTENDERS: usize = 60;
/// The maximal number of rows by depth. More depths are grouped into bands.
const MAX_BANDS: usize = 24;

/// A column: its title, and a function that returns the cell of an instance, given by index and
/// name.
type Column<'c> = (String, Box<dyn Fn(usize, &str) -> String + 'c>);

impl Comparison {
    /// Returns whether tables by instance are small enough to be printed by `Display`.
    pub(super) fn is_small(&self) -> bool {
        self.instances.len() <= MAX_PRINTED_INSTANCES && self.contenders.len() <= MAX_COLUMNS
    }

    /// Returns whether there are published figures of this quantity for any instance.
    pub(super) fn has_references(&self, quantity: &Quantity) -> bool {
        self.contenders
            .iter()
            .any(|contender| self.references_of(contender, quantity).next().is_some())
    }

    /// Returns whether any trial has statistics of its own, besides those of hooks.
    pub(super) fn has_trial_stats(&self) -> bool {
        self.contenders
            .iter()
            .flat_map(|contender| &contender.runs)
            .any(|run| !run.trial.stats.is_empty())
    }

    pub(super) fn nodes_by_instance(&self) -> Table {
        self.by_instance("nodes", Quantity::Nodes, &short_size, &count)
    }

    pub(super) fn times_by_instance(&self) -> Table {
        self.by_instance("time, median", Quantity::Seconds, &run_time, &time)
    }

    /// Returns a table with a column for each contender, followed by columns for its references.
    fn by_instance(
        &self,
        title: &'static str,
        quantity: Quantity,
        measured: &dyn Fn(&Measured) -> String,
        published: &dyn Fn(f64) -> String,
    ) -> Table {
        let picked = pick::contenders(self, MAX_COLUMNS);
        let mut columns: Vec<Column<'_>> = Vec::new();
        for contender in picked.items {
            columns.push((
                contender.name.clone(),
                Box::new(|index, _| measured(&contender.runs[index])),
            ));
            for reference in self.references_of(contender, &quantity) {
                let title = format!("{} ({})", contender.name, reference.source());
                columns.push((
                    title,
                    Box::new(|_, name| reference.of(name).map_or_else(String::new, published)),
                ));
            }
        }
        self.table(title, columns, picked.note)
    }

    /// Returns the references of a contender for this quantity that cover a compared instance.
    fn references_of<'c>(
        &'c self,
        contender: &'c Compared,
        quantity: &'c Quantity,
    ) -> impl Iterator<Item = &'c Reference> {
        contender.references.iter().filter(move |reference| {
            reference.quantity() == quantity && reference.covers_any(&self.instances)
        })
    }

    /// Returns the statistics that are not always 0: for one instance, with a column for each
    /// statistic; for several, with a column for each statistic of each contender.
    pub(super) fn stats_by_instance(&self) -> Table {
        let title = "other statistics";
        let names = self.stat_names();
        if self.instances.len() == 1 {
            return self.stats_of_single_instance(title, &names);
        }
        let mut columns: Vec<Column<'_>> = Vec::new();
        for (index, name) in names {
            let contender = &self.contenders[index];
            let column = format!("{}: {name}", contender.name);
            let stat = move |index: usize, _: &str| {
                contender.runs[index].stat(&name).map_or_else(String::new, grouped)
            };
            columns.push((column, Box::new(stat)));
        }
        let note = truncation_note(2 * MAX_COLUMNS, columns.len());
        columns.truncate(2 * MAX_COLUMNS);
        self.table(title, columns, note)
    }

    fn stats_of_single_instance(&self, title: &'static str, names: &[(usize, String)]) -> Table {
        let mut columns: Vec<&String> = Vec::new();
        for (_, name) in names {
            if !columns.contains(&name) {
                columns.push(name);
            }
        }
        let note = truncation_note(MAX_COLUMNS, columns.len());
        columns.truncate(MAX_COLUMNS);
        let mut rows = vec![row("", columns.iter().map(|&name| name.clone()))];
        for contender in self.contenders.iter().filter(|own| own.runs[0].stats().next().is_some()) {
            let stat =
                |name: &&String| contender.runs[0].stat(name).map_or_else(String::new, grouped);
            rows.push(row(&contender.name, columns.iter().map(stat)));
        }
        Table { title, rows, notes: note.into_iter().collect() }
    }

    /// Returns the statistics that are not always 0, as the index of the contender and the name.
    fn stat_names(&self) -> Vec<(usize, String)> {
        let mut names: Vec<(usize, String)> = Vec::new();
        for (index, contender) in self.contenders.iter().enumerate() {
            let first = names.len();
            for (name, value) in contender.runs.iter().flat_map(Measured::stats) {
                if value > 0 && !names[first..].iter().any(|(_, known)| *known == name) {
                    names.push((index, name));
                }
            }
        }
        names
    }

    /// Assembles a table with a row for each instance; transposed if there are more columns than
    /// instances.
    fn table(&self, title: &'static str, columns: Vec<Column<'_>>, note: Option<String>) -> Table {
        let instances = pick::instances(self, MAX_ROWS);
        let names = instances.items.iter().map(|&index| self.instances[index].clone());
        let is_transposed = columns.len() > instances.items.len().max(5);
        let cells = |(_, column): &Column<'_>| -> Vec<String> {
            instances.items.iter().map(|&index| column(index, &self.instances[index])).collect()
        };
        let mut rows: Vec<Vec<String>> = Vec::new();
        if is_transposed {
            rows.push(row("", names));
            rows.extend(columns.iter().map(|column| row(&column.0, cells(column).into_iter())));
        } else {
            let titles = columns.iter().map(|(title, _)| title.clone());
            rows.push(row("instance", titles));
            rows.extend(names.map(|name| vec![name]));
            for column in &columns {
                rows[1..].iter_mut().zip(cells(column)).for_each(|(row, cell)| row.push(cell));
            }
        }
        Table { title, rows, notes: note.into_iter().chain(instances.note).collect() }
    }
}

/// Returns the note that only the first `most` of `all` statistics are shown, if there are more.
fn truncation_note(most: usize, all: usize) -> Option<String> {
    (all > most).then(|| format!("{most} of {all} statistics: the first ones."))
}

impl Compared {
    /// Returns the hooks of all runs, except those that were switched off.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = &HookReport> {
        let hooks = self.runs.iter().flat_map(|run| run.report().hooks());
        hooks.filter(|hook| !hook.is_off())
    }

    /// Returns the cuts and calls of the hooks of this name, summed over all instances; `None` if
    /// there are no such hooks.
    fn cuts_and_calls(&self, hook: &str) -> Option<(Cuts, Cuts)> {
        let own = self.hooks().filter(|own| own.name() == hook);
        own.map(|own| (own.cuts_in_total(), own.calls_in_total()))
            .reduce(|one, other| (one.0 + other.0, one.1 + other.1))
    }

    /// Returns the nodes by depth, summed over all instances.
    pub(crate) fn nodes_by_depth(&self) -> Vec<u64> {
        let mut depths = Vec::new();
        for run in &self.runs {
            let levels = run.report().levels();
            depths.resize(depths.len().max(levels.len()), 0);
            depths.iter_mut().zip(levels).for_each(|(sum, level)| *sum += level.nodes);
        }
        depths
    }
}

impl Comparison {
    /// Returns the names of all hooks in the order of their first occurrence, and their number. If
    /// there are more than `most`, only those with the most cuts are returned; of hooks with equal
    /// cuts, the first ones.
    pub(crate) fn hook_names(&self, most: usize) -> (Vec<&str>, usize) {
        let mut names: Vec<(&str, u64)> = Vec::new();
        for hook in self.contenders.iter().flat_map(Compared::hooks) {
            match names.iter_mut().find(|(name, _)| *name == hook.name()) {
                Some((_, cuts)) => *cuts = cuts.saturating_add(hook.cuts()),
                None => names.push((hook.name(), hook.cuts())),
            }
        }
        let all = names.len();
        let cuts: Vec<u64> = names.iter().map(|&(_, cuts)| cuts).collect();
        (pick::greatest(&cuts, most).into_iter().map(|index| names[index].0).collect(), all)
    }

    /// Returns the cuts of the hooks of this name, summed over all contenders.
    fn cuts_of(&self, hook: &str) -> Cuts {
        let own = self.contenders.iter().filter_map(|own| own.cuts_and_calls(hook));
        own.fold(Cuts::default(), |sum, (cuts, _)| sum + cuts)
    }

    /// Returns the names of the hooks that cut something, and of those that never did.
    pub(crate) fn cutting_hooks(&self, most: usize) -> (Vec<&str>, Vec<&str>) {
        self.hook_names(most).0.into_iter().partition(|hook| self.cuts_of(hook).sum() > 0)
    }

    pub(super) fn cut_table(&self) -> Table {
        let all = self.hook_names(usize::MAX).1;
        let (hooks, without_cuts) = self.cutting_hooks(MAX_COLUMNS);
        let picked = pick::contenders(self, MAX_CONTENDERS);
        let titles = hooks.iter().map(|&hook| hook.to_owned());
        let mut rows = vec![row("contender", titles)];
        let columns: Vec<(&str, Cuts)> =
            hooks.iter().map(|&hook| (hook, self.cuts_of(hook))).collect();
        for contender in picked.items {
            let cell = |&(hook, cuts_in_total): &(&str, Cuts)| {
                let Some((cuts, calls)) = contender.cuts_and_calls(hook) else {
                    return String::new();
                };
                let of = |cuts: u64, calls: u64| format!("{} of {}", grouped(cuts), grouped(calls));
                let (admit, enter) = (of(cuts.admit, calls.admit), of(cuts.enter, calls.enter));
                // Most hooks cut in one callback only. The calls of the other one are omitted.
                match cuts_in_total {
                    Cuts { enter: 0, .. } => admit,
                    Cuts { admit: 0, .. } => enter,
                    _ => format!("admit {admit}, enter {enter}"),
                }
            };
            rows.push(row(&contender.name, columns.iter().map(cell)));
        }
        let mut notes: Vec<String> = picked.note.into_iter().collect();
        if all > MAX_COLUMNS {
            notes.push(format!("{MAX_COLUMNS} of {all} hooks: those with the most cuts."));
        }
        if !without_cuts.is_empty() {
            notes.push(format!(
                "Without cuts: {}. They may still have tightened states.",
                without_cuts.join("; ")
            ));
        }
        Table { title: "cuts of each hook, out of the calls that may cut", rows, notes }
    }

    pub(super) fn depth_table(&self) -> Table {
        let picked = pick::contenders(self, MAX_COLUMNS);
        let shown = picked.items;
        let columns: Vec<Vec<u64>> =
            shown.iter().map(|contender| contender.nodes_by_depth()).collect();
        let depths = columns.iter().map(Vec::len).max().unwrap_or(0);
        let band_size = depths.div_ceil(MAX_BANDS).max(1);
        let titles = shown.iter().map(|contender| contender.name.clone());
        let mut rows = vec![row("depth", titles)];
        for start in (0..depths).step_by(band_size) {
            let end = (start + band_size).min(depths);
            let nodes =
                |column: &Vec<u64>| grouped(column.iter().take(end).skip(start).sum::<u64>());
            rows.push(row(text::depths(start, end), columns.iter().map(nodes)));
        }
        let any_limited = shown.iter().any(|contender| contender.limited() > 0);
        let limit_note = any_limited
            .then(|| "For runs that reached a limit, only visited nodes are counted.".to_owned());
        Table {
            title: "nodes by depth",
            rows,
            notes: picked.note.into_iter().chain(limit_note).collect(),
        }
    }
}
