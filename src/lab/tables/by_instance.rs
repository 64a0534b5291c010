//! Nodes, times and other figures, instance by instance.

use super::pick;
use super::table::Table;
use super::text::{count, run_time, short_size, time};
use crate::lab::comparison::{Compared, Comparison};
use crate::lab::measured::Measured;
use crate::lab::reference::{Quantity, Reference};
use crate::report::table::grouped;

/// Contenders that are shown side by side.
const COLUMNS: usize = 12;
/// Instances that are shown one below the other.
const ROWS: usize = 200;
/// So many are shown without being asked for.
const FEW: usize = 24;

/// A column: what it is called, and what is in it for an instance of this index and name.
type Column<'c> = (String, Box<dyn Fn(usize, &str) -> String + 'c>);

impl Comparison {
    /// Whether tables by instance are small enough to be printed without being asked for.
    pub(super) fn is_small(&self) -> bool {
        self.instances.len() <= FEW && self.contenders.len() <= COLUMNS
    }

    /// Whether there are published figures of this kind about any instance.
    pub(super) fn has_references(&self, quantity: &Quantity) -> bool {
        self.contenders
            .iter()
            .any(|contender| self.references_of(contender, quantity).next().is_some())
    }

    /// Whether contenders have figures of their own, beside those of hooks.
    pub(super) fn has_own_figures(&self) -> bool {
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

    /// A column for each contender, and to its right those of its references.
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

    /// Those of its references that are about this, and about an instance that is compared.
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

    /// Figures that are not 0 throughout: of one instance, a column for each figure; of several, a
    /// column for each figure of each contender.
    pub(super) fn own_figures(&self) -> Table {
        let title = "other figures";
        let names = self.figure_names();
        if self.instances.len() == 1 {
            return self.figures_of_one(title, &names);
        }
        let mut columns: Vec<Column<'_>> = Vec::new();
        for (index, name) in names {
            let contender = &self.contenders[index];
            let column = format!("{}: {name}", contender.name);
            let figure = move |index: usize, _: &str| {
                contender.runs[index].stat(&name).map_or_else(String::new, grouped)
            };
            columns.push((column, Box::new(figure)));
        }
        columns.truncate(2 * COLUMNS);
        self.table(title, columns, None)
    }

    fn figures_of_one(&self, title: &'static str, names: &[(usize, String)]) -> Table {
        let mut columns: Vec<&String> = Vec::new();
        for (_, name) in names {
            if !columns.contains(&name) && columns.len() < COLUMNS {
                columns.push(name);
            }
        }
        let mut rows = vec![
            [String::new()].into_iter().chain(columns.iter().map(|&name| name.clone())).collect(),
        ];
        for contender in self.contenders.iter().filter(|own| own.runs[0].stats().next().is_some()) {
            let figure =
                |name: &&String| contender.runs[0].stat(name).map_or_else(String::new, grouped);
            rows.push(
                [contender.name.clone()].into_iter().chain(columns.iter().map(figure)).collect(),
            );
        }
        Table { title, rows, notes: Vec::new() }
    }

    /// The figures that are not always 0: the index of the contender, and the name of the figure.
    fn figure_names(&self) -> Vec<(usize, String)> {
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

    /// Instances below each other; but if there are more columns than instances, the other way
    /// round.
    fn table(&self, title: &'static str, columns: Vec<Column<'_>>, note: Option<String>) -> Table {
        let instances = pick::instances(self, ROWS);
        let names = instances.indices.iter().map(|&index| self.instances[index].clone());
        let lying = columns.len() > instances.indices.len().max(5);
        let cells = |(_, column): &Column<'_>| -> Vec<String> {
            instances.indices.iter().map(|&index| column(index, &self.instances[index])).collect()
        };
        let mut rows: Vec<Vec<String>> = Vec::new();
        if lying {
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
