//! Tables: rows of values that are allowed, or rows that are forbidden.
//!
//! This is *compact-table* (Demeulenaere, Hartert, Lecoutre, Perez, Perron, Régin and Schaus 2016).
//! Rows are numbered, and sets of rows are bit sets: each value of each variable has the set of its
//! rows. A row is possible if it is in no set of a pruned value; a value whose set contains no
//! possible row has no support and is pruned. In a table of forbidden rows (Verhaeghe, Lecoutre and
//! Schaus 2017) a value is pruned if *as many* of its rows are possible as there are combinations
//! of the values of the other variables. Both prune every value that has no support (*generalised
//! arc consistency*).
//!
//! The possible rows are a *reversible sparse bit set*: its non-zero words are listed first, and
//! changes are logged. A call updates it from the pruned values or from the remaining values of
//! each variable, whichever are fewer, and remembers at which word each value had a support. As a
//! propagator is not told of backtracking, it also keeps the values that were left by the last
//! call: if a pruned value is back, it undoes calls until none is. The possible rows then follow
//! from the remaining values alone, whatever was searched before.
//!
//! Sets of the rows of a value are sparse as well: only non-zero words are stored, each with its
//! index, so that the memory is at most 20 bytes for each value in a row, with the row itself, and
//! far less if the rows have few different values.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::domains::Bits;
use crate::possible_rows::PossibleRows;
use crate::propagator::probe;
use crate::{
    Domain, Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wipeout,
};

/// The rows of one value: the non-zero words of a bit set, each with its index.
type RowSet = Vec<(u32, u64)>;

/// A table. No variable and no row occurs twice.
#[derive(Clone, Debug)]
struct Table {
    variables: Vec<Variable>,
    /// Whether the rows are allowed; otherwise they are forbidden.
    allowed: bool,
    /// The rows in lexicographic order, one after the other.
    rows: Vec<i32>,
    /// The number of rows.
    count: usize,
    columns: Vec<Column>,
}

/// The values of one variable that occur in the rows, in ascending order, and the rows of each.
#[derive(Clone, Debug)]
struct Column {
    blocks: Vec<Block>,
    rows: Vec<RowSet>,
}

/// Values in a range of 64 integers, at least one.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The value of the lowest bit.
    first: i32,
    /// A bit for each value that occurs.
    values: u64,
    /// The number of values in the blocks before.
    before: u32,
}

impl Block {
    /// Returns the position, among the values of the column, of the value of a bit.
    #[inline]
    fn position(self, bit: u32) -> usize {
        let below = (1 << bit) - 1;
        // Mostly no value is missing, and then there is nothing to count.
        let missing = !self.values & below;
        let count = if missing == 0 { bit } else { bit - missing.count_ones() };
        self.before as usize + count as usize
    }
}

impl Column {
    /// Creates the column from its value in each row.
    fn new(cells: &[i32]) -> Self {
        let mut values = cells.to_vec();
        values.sort_unstable();
        values.dedup();
        let mut blocks: Vec<Block> = Vec::new();
        for (before, &value) in (0..).zip(&values) {
            match blocks.last_mut().map(|block| (value.abs_diff(block.first), block)) {
                Some((bit @ 0..64, block)) => block.values |= 1 << bit,
                _ => {
                    // Aligned to the first value, as the words of a domain are as a rule.
                    let bit = value.abs_diff(values[0]) % 64;
                    let first = value.wrapping_sub(bit as i32);
                    blocks.push(Block { first, values: 1 << bit, before });
                }
            }
        }
        let mut rows = vec![RowSet::new(); values.len()];
        for (number, cell) in cells.iter().enumerate() {
            let Ok(position) = values.binary_search(cell) else { continue };
            let (word, bit) = ((number / 64) as u32, 1 << (number % 64));
            match rows[position].last_mut() {
                Some((last, bits)) if *last == word => *bits |= bit,
                _ => rows[position].push((word, bit)),
            }
        }
        rows.iter_mut().for_each(Vec::shrink_to_fit);
        Column { blocks, rows }
    }

    /// Reads the remaining values into words, one for each block.
    #[inline]
    fn read(&self, domains: &Domains, variable: Variable, now: &mut [u64]) {
        let mut possible = 0..self.blocks.len();
        if possible.len() > 1
            && let Some((min, max)) = domains.bounds(variable)
        {
            // Bounds leave few blocks of a wide domain, as a rule.
            let last = |block: &Block| i64::from(block.first) + 63;
            possible.start = self.blocks.partition_point(|block| last(block) < min.into());
            possible.end = self.blocks.partition_point(|block| block.first <= max);
            now[..possible.start].fill(0);
            now[possible.end..].fill(0);
        }
        for (block, now) in self.blocks[possible.clone()].iter().zip(&mut now[possible]) {
            *now = domains.mask_from(variable, block.first) & block.values;
        }
    }

    /// Prunes the values that are not in the words `kept`, one for each block. Values outside the
    /// column are kept if `keeps_others`.
    fn retain(
        &self,
        domains: &mut Domains,
        variable: Variable,
        kept: &[u64],
        keeps_others: bool,
    ) -> Pruned {
        let mut blocks = self.blocks.iter().zip(kept).peekable();
        domains.retain(variable, |value| {
            let distance = |block: &Block| i64::from(value) - i64::from(block.first);
            while blocks.next_if(|(block, _)| distance(block) >= 64).is_some() {}
            match blocks.peek().map(|&(block, kept)| (distance(block), block.values, kept)) {
                Some((bit @ 0.., values, kept)) if values >> bit & 1 != 0 => kept >> bit & 1 != 0,
                _ => keeps_others,
            }
        })?;
        Ok(())
    }

    /// Returns the values in ascending order.
    fn values(&self) -> impl Iterator<Item = i32> + '_ {
        self.blocks.iter().flat_map(|&block| {
            Bits(block.values).map(move |bit| block.first.wrapping_add(bit as i32))
        })
    }
}

/// The columns with values that were pruned since the last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changed {
    None,
    One(usize),
    Several,
}

impl Table {
    /// Creates the set of all rows.
    fn all_rows(&self) -> PossibleRows {
        let blocks = self.columns.iter().flat_map(|column| &column.blocks);
        let values = blocks.map(|block| block.values).collect();
        let supports = self.columns.iter().map(|column| column.rows.len()).sum();
        PossibleRows::new(self.count, values, supports)
    }

    /// Keeps only the rows with a remaining value in this column, whose blocks begin at `first`.
    fn filter(column: &Column, first: usize, rows: &mut PossibleRows) {
        let (mut lost, mut left) = (0, 0);
        for index in first..first + column.blocks.len() {
            lost += (rows.values[index] & !rows.now[index]).count_ones();
            left += rows.now[index].count_ones();
        }
        let unites_lost = lost < left;
        rows.clear_union();
        for (block, index) in column.blocks.iter().zip(first..) {
            let now = rows.now[index];
            for bit in Bits(if unites_lost { rows.values[index] & !now } else { now }) {
                for &(word, bits) in &column.rows[block.position(bit)] {
                    rows.union[word as usize] |= bits;
                }
            }
        }
        rows.remove(unites_lost);
    }

    /// Updates the possible rows to the remaining values. Returns the columns with pruned values,
    /// or `None` if nothing has changed since a call that has reached its fixpoint.
    fn update(&self, domains: &Domains, rows: &mut PossibleRows) -> Option<Changed> {
        let mut now = &mut rows.now[..];
        for (column, &variable) in self.columns.iter().zip(&self.variables) {
            let (own, rest) = now.split_at_mut(column.blocks.len());
            column.read(domains, variable, own);
            now = rest;
        }
        rows.undo_until_all_remain();
        let is_first_call = rows.calls.is_empty();
        // The values of forbidden rows are those before the last call has pruned.
        let is_changed = is_first_call || rows.now != rows.values;
        if is_changed {
            // Calls that change nothing would add up, because only values that are back undo them.
            rows.begin_call();
        } else if self.allowed {
            return None;
        }
        let mut changed = if is_first_call { Changed::Several } else { Changed::None };
        let mut first = 0;
        for (place, column) in self.columns.iter().enumerate() {
            let blocks = first..first + column.blocks.len();
            if rows.values[blocks.clone()] != rows.now[blocks.clone()] {
                Self::filter(column, first, rows);
                let is_only = changed == Changed::None;
                changed = if is_only { Changed::One(place) } else { Changed::Several };
            }
            first = blocks.end;
        }
        Some(changed)
    }

    /// Prunes the values for which `keep` returns `false`, given the place of the column, the
    /// possible rows, the rows of the value and a position in them that it may change. Skips the
    /// columns for which `skip` returns `true`.
    fn retain(
        &self,
        domains: &mut Domains,
        rows: &mut PossibleRows,
        skip: impl Fn(usize, &Domains) -> bool,
        keep: impl Fn(usize, &[u64], &RowSet, &mut u32) -> bool,
    ) -> Pruned {
        let (mut first, mut first_value) = (0, 0);
        for (place, (column, &variable)) in self.columns.iter().zip(&self.variables).enumerate() {
            let blocks = first..first + column.blocks.len();
            let values = first_value..first_value + column.rows.len();
            (first, first_value) = (blocks.end, values.end);
            if skip(place, domains) {
                continue;
            }
            let PossibleRows { words, now, supports, .. } = &mut *rows;
            let (now, supports) = (&mut now[blocks], &mut supports[values]);
            let mut is_changed = false;
            for (block, now) in column.blocks.iter().zip(&mut *now) {
                for bit in Bits(*now) {
                    let position = block.position(bit);
                    if !keep(place, words, &column.rows[position], &mut supports[position]) {
                        *now ^= 1 << bit;
                        is_changed = true;
                    }
                }
            }
            if is_changed {
                column.retain(domains, variable, now, !self.allowed)?;
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

    fn prune(&self, domains: &mut Domains, rows: &mut PossibleRows) -> Pruned {
        let Some(&first) = self.variables.first() else { return Ok(()) };
        let Some(changed) = self.update(domains, rows) else { return Ok(()) };
        if self.allowed {
            if rows.is_empty() {
                return Err(Wipeout(first));
            }
            // If no other column has changed, its remaining values have the rows that they had. If
            // only one value remains, it has all possible rows.
            let skip = |place: usize, domains: &Domains| {
                changed == Changed::One(place) || domains.is_assigned(self.variables[place])
            };
            self.retain(domains, rows, skip, |_, possible, set, support| {
                let has = |&(word, bits): &(u32, u64)| possible[word as usize] & bits != 0;
                let is_supported = set.get(*support as usize).is_some_and(has);
                is_supported
                    || set.iter().position(has).is_some_and(|found| {
                        *support = found as u32;
                        true
                    })
            })?;
            rows.commit();
            return Ok(());
        }
        // Counted before anything is pruned, as the possible rows are: those of values that are
        // pruned now are removed by the next call.
        rows.commit();
        let ways = self.ways(domains);
        let count = |possible: &[u64], set: &RowSet| -> usize {
            let common = |&(word, bits): &(u32, u64)| possible[word as usize] & bits;
            set.iter().map(|word| common(word).count_ones() as usize).sum()
        };
        // With more combinations than rows, one combination is not forbidden.
        self.retain(
            domains,
            rows,
            |_, _| false,
            |place, possible, set, _| {
                ways[place] > 64 * set.len() || count(possible, set) < ways[place]
            },
        )
    }

    /// Compares the row at this index with other values.
    fn compare(&self, row: usize, values: &[i32]) -> Ordering {
        let arity = self.variables.len();
        self.rows[row * arity..][..arity].cmp(values)
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
        let (mut from, mut to) = (0, self.count);
        while from < to {
            let middle = from.midpoint(to);
            match self.compare(middle, values) {
                Ordering::Less => from = middle + 1,
                Ordering::Equal => return self.allowed,
                Ordering::Greater => to = middle,
            }
        }
        !self.allowed
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let rows = scratch.possible_rows.get_or_insert_with(|| Box::new(self.all_rows()));
        let pruned = self.prune(domains, rows);
        if pruned.is_err() {
            // The call has not reached its fixpoint.
            rows.undo();
        }
        pruned
    }

    fn entailment(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Option<bool> {
        let before = domains.trail_length();
        probe(self, domains, scratch).or_else(|| {
            let rows = scratch.possible_rows.as_ref()?;
            let sizes = self.variables.iter().map(|&variable| domains.size(variable));
            let combinations = if self.allowed { sizes.fold(1, usize::saturating_mul) } else { 0 };
            let is_entailed = rows.count() == combinations && domains.trail_length() == before;
            is_entailed.then_some(true)
        })
    }

    fn propagates_last(&self) -> bool {
        true
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    /// The words of all rows, and of the rows of each value.
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
    /// values all remain, by compact-table (Demeulenaere et al. 2016). A call takes a few
    /// operations for each value that remains, for each word of 64 rows that has possible rows, and
    /// for each word with a row of a pruned value. The memory is at most 20 bytes for each value in
    /// a row, and as much again for the changes on a path from the root. The levels below prune
    /// nothing before all variables but one are assigned.
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
        let columns: Vec<Column> = (0..variables.len())
            .map(|place| Column::new(&kept.iter().map(|row| row[place]).collect::<Vec<_>>()))
            .collect();
        if allowed {
            for (&variable, column) in variables.iter().zip(&columns) {
                let values: Domain = column.values().collect();
                self.restrict(variable, |value| values.contains(value))?;
            }
        }
        let (count, rows) = (kept.len(), kept.concat());
        self.propagator(Table { variables, allowed, rows, count, columns })
    }
}
