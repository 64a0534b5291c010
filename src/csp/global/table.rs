//! Tables: rows of values that are allowed, or rows that are forbidden.
//!
//! Rows are numbered, and sets of them are sets of bits, as in *compact-table* (Demeulenaere,
//! Hartert, Lecoutre, Perez, Perron, Régin and Schaus 2016): for each value of each variable the
//! set of its rows is kept. Of the rows, those are still possible that are in none of the sets of
//! values that are gone; a value whose set has no row in common with those has no support, and
//! goes. For forbidden rows (Verhaeghe, Lecoutre and Schaus 2017) a value goes when *as many* of
//! its rows are possible as there are ways to choose values for the other variables.
//!
//! Both take away all that can be taken away (*generalised arc consistency*). Possible rows are
//! found anew at each call rather than kept on the trail, from the values that are gone or from
//! those that are left, whichever are fewer. Only words that are not zero are kept of each set, so
//! that memory is at most a word a value in a row, and far less where few values make up many rows.

use std::collections::BTreeMap;

use crate::csp::{
    Domain, Domains, Model, ModelError, Propagator, PropagatorScratch, Variable, Wipeout,
};

/// The rows of one value: words that are not zero, each after its place.
type RowSet = Vec<(u32, u64)>;

/// A table. No variable comes twice, nor does a row.
#[derive(Clone, Debug)]
struct Table {
    variables: Vec<Variable>,
    /// Whether these are the rows that are allowed; otherwise they are forbidden.
    allowed: bool,
    /// Sorted.
    rows: Vec<Box<[i32]>>,
    columns: Vec<Column>,
}

/// The values that come in the rows for one variable, in ascending order, and the rows of each.
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

    /// Leaves in `possible` only rows whose value in this column is left to the variable. `union`
    /// is a buffer.
    fn filter(
        &self,
        domains: &Domains,
        variable: Variable,
        possible: &mut [u64],
        union: &mut [u64],
    ) {
        let gone = self.values.iter().filter(|&&value| !domains.contains(variable, value)).count();
        if gone == 0 {
            return;
        }
        let unite_gone = 2 * gone < self.values.len();
        union.fill(0);
        for (&value, rows) in self.values.iter().zip(&self.rows) {
            if domains.contains(variable, value) != unite_gone {
                for &(word, bits) in rows {
                    union[word as usize] |= bits;
                }
            }
        }
        for (possible, &union) in possible.iter_mut().zip(&*union) {
            *possible &= if unite_gone { !union } else { union };
        }
    }
}

impl Table {
    /// The rows all of whose values are left.
    fn possible<'a>(&self, domains: &Domains, scratch: &'a mut PropagatorScratch) -> &'a [u64] {
        let words = self.rows.len().div_ceil(64);
        scratch.resize(2 * words, 0);
        let (possible, union) = scratch.split_at_mut(words);
        possible.fill(u64::MAX);
        if let (Some(last), rest @ 1..) = (possible.last_mut(), self.rows.len() % 64) {
            *last = (1 << rest) - 1;
        }
        for (column, &variable) in self.columns.iter().zip(&self.variables) {
            column.filter(domains, variable, possible, union);
        }
        possible
    }

    /// Takes away the values for which `keep` fails, of the place of the variable and the rows of
    /// the value.
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

    /// For each place, in how many ways values can be chosen for all other variables; at most the
    /// largest number there is.
    fn ways(&self, domains: &Domains) -> Vec<usize> {
        // Those of the variables before each place, then times those of the variables behind it.
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
            // Counted before anything is taken away, as the possible rows are.
            let ways = self.ways(domains);
            let count = |rows: &RowSet| -> usize {
                rows.iter()
                    .map(|&(word, bits)| (possible[word as usize] & bits).count_ones() as usize)
                    .sum()
            };
            // With more ways than rows some way is not forbidden.
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
    /// The values of the variables are one of these rows. Rows with values that a variable does not
    /// have are left out, and so are repetitions; without any row there is no solution.
    ///
    /// [Full propagation](crate::csp::Propagate::full) takes away every value that is in no row
    /// whose values are all left. A call costs at most a few operations for each word of 64 rows
    /// and value that has rows there. At the levels below, nothing is taken away before just one
    /// variable is left.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Model, Propagate};
    ///
    /// // Three scales with the notes that go together: rows need not follow any rule.
    /// let mut model = Model::new();
    /// let notes = model.variables(3, 0..12)?;
    /// model.table(&notes, [[0, 4, 7], [0, 3, 7], [2, 5, 9], [5, 9, 0]])?;
    /// model.restrict(notes[2], |note| note == 7)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hooks((Propagate::full(),)).count();
    /// assert_eq!(outcome.exact(), Some(2));
    /// assert_eq!(outcome.report().nodes(), 3); // two leaves, and what is above them
    /// # Ok::<(), secateurs::csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`]; [`ModelError::RowLength`] if a row has not one value a
    /// variable.
    pub fn table<R: AsRef<[i32]>>(
        &mut self,
        variables: &[Variable],
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), ModelError> {
        self.post_table(variables, rows, true)
    }

    /// The values of the variables are none of these rows.
    ///
    /// [Full propagation](crate::csp::Propagate::full) takes away every value all of whose
    /// combinations with the values left to the others are forbidden; costs and other levels are as
    /// those of [`table`](Self::table).
    ///
    /// # Errors
    ///
    /// As of [`table`](Self::table).
    pub fn forbidden<R: AsRef<[i32]>>(
        &mut self,
        variables: &[Variable],
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), ModelError> {
        self.post_table(variables, rows, false)
    }

    fn post_table<R: AsRef<[i32]>>(
        &mut self,
        variables: &[Variable],
        rows: impl IntoIterator<Item = R>,
        allowed: bool,
    ) -> Result<(), ModelError> {
        self.check(variables.iter().copied())?;
        // Where each variable comes first, so that a variable that comes again is one column.
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
