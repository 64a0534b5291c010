//! A hand-written sweep for Hamiltonian cycles, and the same steps for the engine.

use secateurs::plug::ContourProblem;

/// A layer of a hand-written sweep: a vector of keys (parentheses of 2 bits each), a vector of
/// values, and a hash table with open addressing, which finds a key in them. Sums are not checked
/// for overflow.
pub(super) struct HandWrittenLayer {
    keys: Vec<u64>,
    values: Vec<u128>,
    /// The hash table: the index of a key and its value, plus 1, or 0 for an empty slot.
    slots: Vec<u32>,
    /// The binary logarithm of the number of slots.
    bits: u32,
}

impl HandWrittenLayer {
    fn new() -> Self {
        HandWrittenLayer { keys: Vec::new(), values: Vec::new(), slots: vec![0; 1 << 12], bits: 12 }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.values.clear();
        self.slots.fill(0);
    }

    #[inline]
    fn add(&mut self, key: u64, value: u128) {
        let mask = (1 << self.bits) - 1;
        let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.bits)) as usize;
        while self.slots[slot] != 0 {
            let index = self.slots[slot] as usize - 1;
            if self.keys[index] == key {
                self.values[index] = self.values[index].wrapping_add(value);
                return;
            }
            slot = (slot + 1) & mask;
        }
        self.keys.push(key);
        self.values.push(value);
        self.slots[slot] = self.keys.len() as u32;
        if 2 * self.keys.len() > self.slots.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        self.bits += 1;
        self.slots = vec![0; 1 << self.bits];
        let mask = (1 << self.bits) - 1;
        for (index, key) in self.keys.iter().enumerate() {
            let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.bits)) as usize;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = index as u32 + 1;
        }
    }

    /// Counts the Hamiltonian cycles of an n × n board.
    pub(super) fn hamiltonian_cycles(n: u32) -> u128 {
        let (mut layer, mut next) = (HandWrittenLayer::new(), HandWrittenLayer::new());
        layer.add(0, 1);
        for cell in 0..n * n {
            next.clear();
            for (&key, &value) in layer.keys.iter().zip(&layer.values) {
                step(n, cell, key, &mut |key| next.add(key, value));
            }
            std::mem::swap(&mut layer, &mut next);
        }
        layer
            .keys
            .iter()
            .zip(&layer.values)
            .filter(|(key, _)| **key == 0)
            .map(|(_, value)| value)
            .sum()
    }
}

/// Emits the contour states after a cell. The hand-written sweep and the engine share this step.
///
/// A plug takes two bits of the key: 0 if no path crosses it, 1 for `(` and 2 for `)`. So 9 is a
/// new pair `()` at two neighbouring plugs, 15 the mask of both, and 3 turns one parenthesis into
/// the other.
#[inline(always)]
fn step(n: u32, cell: u32, key: u64, emit: &mut impl FnMut(u64)) {
    let (row, column) = (cell / n, cell % n);
    let (goes_down, goes_right) = (row + 1 < n, column + 1 < n);
    // Plug `column` is to the left of the cell, and the next plug is above it. After a row, plugs 0
    // to n - 1 are below its cells; the shift inserts the empty plug to the left of the next row.
    let key = if column == 0 { key << 2 } else { key };
    let at = 2 * column;
    let rest = key & !(15 << at);
    match (key >> at & 3, key >> at >> 2 & 3) {
        (0, 0) => {
            if goes_down && goes_right {
                emit(rest | 9 << at);
            }
        }
        (0, plug) | (plug, 0) => {
            if goes_down {
                emit(rest | plug << at);
            }
            if goes_right {
                emit(rest | plug << at << 2);
            }
        }
        (1, 1) => {
            let (mut mate, mut depth) = (at + 4, 1);
            loop {
                match rest >> mate & 3 {
                    1 => depth += 1,
                    2 if depth == 1 => break,
                    2 => depth -= 1,
                    _ => {}
                }
                mate += 2;
            }
            emit(rest ^ 3 << mate);
        }
        (2, 2) => {
            let (mut mate, mut depth) = (at - 2, 1);
            loop {
                match rest >> mate & 3 {
                    2 => depth += 1,
                    1 if depth == 1 => break,
                    1 => depth -= 1,
                    _ => {}
                }
                mate -= 2;
            }
            emit(rest ^ 3 << mate);
        }
        // `)(`: joins two paths. Their other ends become mates without a change.
        (2, _) => emit(rest),
        // `()`: closes a cycle, which must be the only one.
        (_, _) => {
            if cell + 1 == n * n {
                emit(rest);
            }
        }
    }
}

/// The Hamiltonian cycles of an n × n board by the hand-written [`step`], to compare the engine
/// with [`HandWrittenLayer`].
pub(super) struct HandWrittenProblem(pub(super) u32);

impl ContourProblem for HandWrittenProblem {
    type State = u64;
    type Label = ();

    fn cells(&self) -> usize {
        (self.0 * self.0) as usize
    }
    fn start(&self) -> u64 {
        0
    }
    #[inline]
    fn step(&self, cell: usize, key: u64, emit: &mut impl FnMut(u64, ())) {
        step(self.0, cell as u32, key, &mut |key| emit(key, ()));
    }
    fn accept(&self, key: u64) -> bool {
        key == 0
    }
}
