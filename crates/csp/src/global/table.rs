//! Tables: rows of values that are allowed, or rows that are forbidden.
//!
//! Rows are numbered, and sets of rows are bit sets, as in *compact-table* (Demeulenaere, Hartert,
//! Lecoutre, Perez, Perron, Régin and Schaus 2016): each value of each variable has the set of its
//! rows. A row is possible if it is in no set of a pruned value; a value whose set contains no
//! possible row has no support and is pruned. In a table of forbidden rows (Verhaeghe, Lecoutre and
//! Schaus 2017) a value is pruned if *as many* of its rows are possible as there are combinations
//! of the values of the other variables.
//!
//! Both prune every value that has no support (*generalised arc consistency*). The possible rows
//! are computed anew at each call rather than kept on the trail, from the pruned values or from the
//! remaining values, whichever are fewer. Sets are sparse: only non-zero words are stored, each
//! with its index, so that the memory is at most 16 bytes for each value in a row, and far less if
//! the rows have few different values.

use std::collections::BTreeMap;

use crate::{Domain, Domains, Model, ModelError, Propagator, PropagatorScratch, Variable, Wipeout};

/// The rows of one value: the non-zero words of a bit set, each with its index.
type RowSet = Vec<(u32, u64)>;

/// A table. No variable and no row occurs twice.
#[derive(Clone, Debug)]
struct Table {
    variables: Vec<Variable>,
    /// Whether the rows are allowed; otherwise they are forbidden.
    allowed: bool,
    /// Sorted.
    rows: Vec<Box<[i32]>>,
    columns: Vec<Column>,
}

/// The values of one variable that occur in the rows, in ascending order, and the rows of each.
#[derive(Clone, Debug)]
struct Column {
    values: Vec<i32>,
    rows: Vec<RowSet>,
}

impl Column {
    fn new(rows: &[Box<[i32]>], place: usize) -> Self {
        let mut values: Vec<i32> = rows.iter().map(|row| row[place]).collect();
        values.sort_unstable();
        values.dedup();
        let mut sets = vec![RowSet::new(); values.len()];
        for (number, row) in rows.iter().enumerate() {
            let Ok(index) = values.binary_search(&row[place]) else { continue };
            let (word, bit) = ((number / 64) as u32, 1 << (number % 64));
            match sets[index].last_mut() {
                Some((last, bits)) if *last == word => *bits |= bit,
                _ => sets[index].push((word, bit)),
            }
        }
        sets.iter_mut().for_each(Vec::shrink_to_fit);
        Column { values, rows: sets }
    }

    /// Keeps only the rows in `possible` whose value in this column remains in the domain of the
    /// variable. `union` is a buffer.
    fn filter(
        &self,
        domains: &Domains,
        variable: Variable,
        possible: &mut [u64],
        union: &mut [u64],
    ) {
        let pruned =
            self.values.iter().filter(|&&value| !domains.contains(variable, value)).count();
        if pruned == 0 {
            return;
        }
        let unites_pruned = 2 * pruned < self.values.len();
        union.fill(0);
        for (&value, rows) in self.values.iter().zip(&self.rows) {
            if domains.contains(variable, value) != unites_pruned {
                for &(word, bits) in rows {
                    union[word as usize] |= bits;
                }
            }
        }
        for (possible, &union) in possible.iter_mut().zip(&*union) {
            *possible &= if unites_pruned { !union } else { union };
        }
    }
}

impl Table {
    /// Returns the rows whose values all remain.
    fn possible<'a>(&self, domains: &Domains, scratch: &'a mut PropagatorScratch) -> &'a [u64] {
        let words = self.rows.len().div_ceil(64);
        scratch.words.resize(2 * words, 0);
        let (possible, union) = scratch.words.split_at_mut(words);
        possible.fill(u64::MAX);
        if let (Some(last), rest @ 1..) = (possible.last_mut(), self.rows.len() % 64) {
            *last = (1 << rest) - 1;
        }
        for (column, &variable) in self.columns.iter().zip(&self.variables) {
            column.filter(domains, variable, possible, union);
        }
        possible
    }

    /// Removes the values for which `keep` returns `false`, given the index of the variable and the
    /// rows of the value.
    fn retain(
        &self,
        domains: &mut Domains,
        keep: impl Fn(usize, &RowSet) -> bool,
    ) -> Result<(), Wipeout> {
        for (place, (column, &variable)) in self.columns.iter().zip(&self.variables).enumerate() {
            for (&value, rows) in column.values.iter().zip(&column.rows) {
                if domains.contains(variable, value) && !keep(place, rows) {
                    domains.remove(variable, value)?;
                }
            }
        }
        Ok(())
    }

    /// Returns, for each variable, the number of combinations of values of all other variables,
    /// saturating.
    fn ways(&self, domains: &Domains) -> Vec<usize> {
        // First the product over the variables before each one, then times the product over those
        // after it.
        let mut product: usize = 1;
        let mut ways: Vec<usize> = Vec::with_capacity(self.variables.len());
        for &variable in &self.variables {
            ways.push(product);
            product = product.saturating_mul(domains.size(variable));
        }
        product = 1;
        for (ways, &variable) in ways.iter_mut().zip(&self.variables).rev() {
            *ways = ways.saturating_mul(product);
            product = product.saturating_mul(domains.size(variable));
        }
        ways
    }
}

impl Propagator for Table {
    fn name(&self) -> &str {
        if self.allowed { "table" } else { "forbidden rows" }
    }

    fn scope(&self) -> &[Variable] {
        &self.variables
    }

    fn holds(&self, values: &[i32]) -> bool {
        self.rows.binary_search_by(|row| (**row).cmp(values)).is_ok() == self.allowed
    }

    fn propagate(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        let Some(&first) = self.variables.first() else { return Ok(()) };
        let possible = self.possible(domains, scratch);
        if self.allowed {
            if possible.iter().all(|&word| word == 0) {
                return Err(Wipeout(first));
            }
            self.retain(domains, |_, rows| {
                rows.iter().any(|&(word, bits)| possible[word as usize] & bits != 0)
            })
        } else {
            // Counted before anything is pruned, as the possible rows are.
            let ways = self.ways(domains);
            let count = |rows: &RowSet| -> usize {
                rows.iter()
                    .map(|&(word, bits)| (possible[word as usize] & bits).count_ones() as usize)
                    .sum()
            };
            // With more combinations than rows, one combination is not forbidden.
            self.retain(domains, |place, rows| {
                ways[place] > 64 * rows.len() || count(rows) < ways[place]
            })
        }
    }

    fn propagate_last(
        &self,
        domains: &mut Domains,
        _: Variable,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        self.propagate(domains, scratch)
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn cost(&self) -> u32 {
        let words: usize = self.columns.iter().flat_map(|column| &column.rows).map(Vec::len).sum();
        u32::try_from(words).unwrap_or(u32::MAX)
    }
}

impl Model {
    /// Requires that the values of the variables form one of these rows. Rows with values outside a
    /// domain are ignored, and so are repeated rows; without rows there is no solution.
    ///
    /// [Full propagation](crate::Propagate::full) prunes every value that has no row whose
    /// values all remain. A call takes at most a few operations for each value and each word of 64
    /// rows that contains a row of the value. The levels below prune nothing before all variables
    /// but one are assigned.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
    ///
    /// // Notes of chords: rows need not follow any rule.
    /// let mut model = Model::new();
    /// let notes = model.variables(3, 0..12)?;
    /// model.table(&notes, [[0, 4, 7], [0, 3, 7], [2, 5, 9], [5, 9, 0]])?;
    /// model.restrict(notes[2], |note| note == 7)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hooks((Propagate::full(),)).count();
    /// assert_eq!(outcome.exact(), Some(2));
    /// assert_eq!(outcome.report().nodes(), 3); // the root and two leaves
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`]; [`ModelError::RowLength`] if a row does not have one value
    /// for each variable.
    pub fn table<R: AsRef<[i32]>>(
        &mut self,
        variables: &[Variable],
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), ModelError> {
        self.add_table(variables, rows, true)
    }

    /// Requires that the values of the variables form none of these rows.
    ///
    /// [Full propagation](crate::Propagate::full) prunes every value whose combinations with
    /// the remaining values of the others are all forbidden. Costs and other levels are those of
    /// [`table`](Self::table).
    ///
    /// # Errors
    ///
    /// The same as of [`table`](Self::table).
    pub fn forbidden<R: AsRef<[i32]>>(
        &mut self,
        variables: &[Variable],
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), ModelError> {
        self.add_table(variables, rows, false)
    }

    fn add_table<R: AsRef<[i32]>>(
        &mut self,
        variables: &[Variable],
        rows: impl IntoIterator<Item = R>,
        allowed: bool,
    ) -> Result<(), ModelError> {
        self.check(variables.iter().copied())?;
        // The first index of each variable, so that a repeated variable is one column.
        let mut first = BTreeMap::new();
        let firsts: Vec<usize> = (0..)
            .zip(variables)
            .map(|(place, variable)| *first.entry(variable).or_insert(place))
            .collect();
        let columns: Vec<usize> =
            (0..variables.len()).filter(|&place| firsts[place] == place).collect();
        let mut kept: Vec<Box<[i32]>> = Vec::new();
        for (number, row) in (1..).zip(rows) {
            let row = row.as_ref();
            if row.len() != variables.len() {
                let variable = variables
                    .first()
                    .map_or_else(|| "no variable".to_owned(), |&first| self.describe(first));
                return Err(ModelError::RowLength {
                    row: number,
                    found: row.len(),
                    expected: variables.len(),
                    variable,
                });
            }
            let fits = |place: usize| {
                self.domain(variables[place]).contains(row[place])
                    && row[place] == row[firsts[place]]
            };
            if (0..row.len()).all(fits) {
                kept.push(columns.iter().map(|&place| row[place]).collect());
            }
        }
        kept.sort_unstable();
        kept.dedup();
        let variables: Vec<Variable> = columns.iter().map(|&place| variables[place]).collect();
        let columns: Vec<Column> =
            (0..variables.len()).map(|place| Column::new(&kept, place)).collect();
        if allowed {
            for (&variable, column) in variables.iter().zip(&columns) {
                let values = Domain::from(&column.values[..]);
                self.restrict(variable, |value| values.contains(value))?;
            }
        }
        self.propagator(Table { variables, allowed, rows: kept, columns })
    }
}
