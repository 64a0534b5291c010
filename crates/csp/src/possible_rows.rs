//! The rows of a table that are possible: a *reversible sparse bit set*.
//!
//! A propagator is not told of backtracking. Its set therefore keeps the values from which it was
//! computed, and a log of its changes: if a value is back that was pruned, calls are undone until
//! none is. The set depends on the remaining values alone, whatever was searched before.

/// The possible rows of a table, and the values of which they are the rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct PossibleRows {
    pub(crate) words: Vec<u64>,
    /// The indices of all words, those of the non-zero words first.
    order: Vec<u32>,
    /// The number of words that are not zero.
    active: usize,
    /// The values that were left by the last call, as words of bits.
    pub(crate) values: Vec<u64>,
    /// The values that remain in the present call.
    pub(crate) now: Vec<u64>,
    /// A set of rows; meaningful only at the words that are not zero.
    pub(crate) union: Vec<u64>,
    /// A position for each value, which the table may use as a hint.
    pub(crate) supports: Vec<u32>,
    /// Changed words with their previous contents. Those of the values follow those of the rows.
    log: Vec<(u32, u64)>,
    /// The length of the log, and the number of words that are not zero, before each call.
    pub(crate) calls: Vec<(usize, usize)>,
}

impl PossibleRows {
    /// Creates the set of all of `count` rows, for all of these values.
    pub(crate) fn new(count: usize, values: Vec<u64>, supports: usize) -> Self {
        let mut words = vec![u64::MAX; count.div_ceil(64)];
        if let (Some(last), rest @ 1..) = (words.last_mut(), count % 64) {
            *last = (1 << rest) - 1;
        }
        PossibleRows {
            order: (0..words.len() as u32).collect(),
            active: words.len(),
            union: vec![0; words.len()],
            words,
            now: vec![0; values.len()],
            values,
            supports: vec![0; supports],
            log: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// Returns whether no row is possible.
    pub(crate) fn is_empty(&self) -> bool {
        self.active == 0
    }

    /// Returns the number of possible rows.
    pub(crate) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Undoes calls until all values that remain now were left by the last call.
    pub(crate) fn undo_until_all_remain(&mut self) {
        while self.now.iter().zip(&self.values).any(|(now, before)| now & !before != 0) {
            self.undo();
        }
    }

    pub(crate) fn begin_call(&mut self) {
        self.calls.push((self.log.len(), self.active));
    }

    /// Records that the rows are those of the values that remain now.
    pub(crate) fn commit(&mut self) {
        for (index, (value, &now)) in
            (self.words.len()..).zip(self.values.iter_mut().zip(&self.now))
        {
            if *value != now {
                self.log.push((index as u32, *value));
                *value = now;
            }
        }
    }

    /// Undoes the last call.
    pub(crate) fn undo(&mut self) {
        let Some((length, active)) = self.calls.pop() else { return };
        for (index, before) in self.log.drain(length..).rev() {
            match (index as usize).checked_sub(self.words.len()) {
                None => self.words[index as usize] = before,
                Some(index) => self.values[index] = before,
            }
        }
        self.active = active;
    }

    /// Removes all rows from the union.
    pub(crate) fn clear_union(&mut self) {
        for &index in &self.order[..self.active] {
            self.union[index as usize] = 0;
        }
    }

    /// Removes the rows that are in the union, or those that are not.
    pub(crate) fn remove(&mut self, removes_union: bool) {
        let mut place = 0;
        while place < self.active {
            let index = self.order[place];
            let word = &mut self.words[index as usize];
            let union = self.union[index as usize];
            let after = *word & if removes_union { !union } else { union };
            if after != *word {
                self.log.push((index, *word));
                *word = after;
                if after == 0 {
                    self.active -= 1;
                    self.order.swap(place, self.active);
                    continue;
                }
            }
            place += 1;
        }
    }
}
