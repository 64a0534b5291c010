//! Tables of nodes, times and statistics by instance.

use super::pick;
use super::table::Table;
use super::text::{count, run_time, short_size, time};
use crate::lab::comparison::{Compared, Comparison};
use crate::lab::measured::Measured;
use crate::lab::reference::{Quantity, Reference};
use crate::report::table::grouped;

/// The maximal number of contenders in columns.
const COLUMNS: usize = 12;
/// The maximal number of instances in rows.
const ROWS: usize = 200;
/// The maximal number of instances for which `Display` prints tables by instance.
const FEW: usize = 24;

/// A column: its title, and a function that returns the cell of an instance, given by index and
/// name.
type Column<'c> = (String, Box<dyn Fn(usize, &str) -> String + 'c>);

impl Comparison {
    /// Returns whether tables by instance are small enough to be printed by `Display`.
    pub(super) fn is_small(&self) -> bool {
        self.instances.len() <= FEW && self.contenders.len() <= COLUMNS
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
            .any(|run| !run.stats.is_empty())
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
        let picked = pick::contenders(self, COLUMNS);
        let mut columns: Vec<Column<'_>> = Vec::new();
        for contender in picked.indices.iter().map(|&index| &self.contenders[index]) {
            columns.push((
                contender.name.clone(),
                Box::new(|index, _| measured(&contender.runs[index])),
            ));
            for known in self.references_of(contender, &quantity) {
                let title = format!("{} ({})", contender.name, known.source());
                columns.push((
                    title,
                    Box::new(|_, name| known.of(name).map_or_else(String::new, published)),
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
        let about = move |known: &&Reference| {
            known.quantity() == quantity && known.covers_any(&self.instances)
        };
        contender.references.iter().filter(about)
    }

    /// Returns the statistics that are not always 0: for one instance, with a column for each
    /// statistic; for several, with a column for each statistic of each contender.
    pub(super) fn stats_by_instance(&self) -> Table {
        let title = "other statistics";
        let names = self.stat_names();
        if self.instances.len() == 1 {
            return self.stats_of_one(title, &names);
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
        let note = first_of(2 * COLUMNS, columns.len());
        columns.truncate(2 * COLUMNS);
        self.table(title, columns, note)
    }

    fn stats_of_one(&self, title: &'static str, names: &[(usize, String)]) -> Table {
        let mut columns: Vec<&String> = Vec::new();
        for (_, name) in names {
            if !columns.contains(&name) {
                columns.push(name);
            }
        }
        let note = first_of(COLUMNS, columns.len());
        columns.truncate(COLUMNS);
        let mut rows = vec![
            [String::new()].into_iter().chain(columns.iter().map(|&name| name.clone())).collect(),
        ];
        for contender in self.contenders.iter().filter(|own| own.runs[0].stats().next().is_some()) {
            let stat =
                |name: &&String| contender.runs[0].stat(name).map_or_else(String::new, grouped);
            rows.push(
                [contender.name.clone()].into_iter().chain(columns.iter().map(stat)).collect(),
            );
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
        let instances = pick::instances(self, ROWS);
        let names = instances.indices.iter().map(|&index| self.instances[index].clone());
        let is_transposed = columns.len() > instances.indices.len().max(5);
        let cells = |(_, column): &Column<'_>| -> Vec<String> {
            instances.indices.iter().map(|&index| column(index, &self.instances[index])).collect()
        };
        let mut rows: Vec<Vec<String>> = Vec::new();
        if is_transposed {
            rows.push([String::new()].into_iter().chain(names).collect());
            rows.extend(
                columns
                    .iter()
                    .map(|column| [column.0.clone()].into_iter().chain(cells(column)).collect()),
            );
        } else {
            let titles = columns.iter().map(|(title, _)| title.clone());
            rows.push(["instance".to_owned()].into_iter().chain(titles).collect());
            rows.extend(names.map(|name| vec![name]));
            for column in &columns {
                rows[1..].iter_mut().zip(cells(column)).for_each(|(row, cell)| row.push(cell));
            }
        }
        Table { title, rows, notes: note.into_iter().chain(instances.note).collect() }
    }
}

/// Returns the note that only the first `most` of `all` statistics are shown, if there are more.
fn first_of(most: usize, all: usize) -> Option<String> {
    (all > most).then(|| format!("{most} of {all} statistics: the first ones."))
}
