//! Numbers of spanning trees and of domino tilings as determinants: [`Determinant`].

use std::num::NonZero;
use std::time::Duration;

use crate::graph::{Graph, Order};
use secateurs::plug::algebra::{Natural, Residues, is_prime, large_primes};
use secateurs::{Cancel, Instant, Limits, Stop};

use super::grid::{Grid, Scan};

/// A number of solutions that is the absolute value of a determinant: of spanning trees, or of
/// domino tilings.
///
/// A sweep of these problems takes time exponential in the width of the board or graph. The
/// determinant of a sparse matrix takes polynomial time: for a board of `w` × `l` cells, about
/// `(w l)²` · `w²` / 30 multiplications, and memory for at most `2 w²` numbers at a time beside the
/// matrix. Sweeps can do more: they draw solutions, count them by their weight, and
/// find the best.
///
/// The determinant is computed modulo primes near 2⁶³, by elimination with pivots. There are enough
/// of them to [reconstruct](Residues) the number, since a bound of it is known: the number is
/// exact.
///
/// ```
/// use secateurs::Limits;
/// use secateurs_problems::catalogue::{Determinant, Grid};
///
/// let board = Grid::new(40, 40)?;
/// let tilings = Determinant::domino_tilings(&board).count(&Limits::new());
/// assert_eq!(tilings.map(|tilings| tilings.bits()), Ok(656));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Determinant {
    /// The entries other than 0 of each row, with their columns.
    rows: Vec<Vec<(usize, i64)>>,
    columns: usize,
    /// The absolute value is less than 2 to this power.
    bits: u64,
    /// Whether the determinant itself is known not to be negative.
    is_natural: bool,
}

impl Determinant {
    /// Creates the determinant that is the number of spanning trees of a board: see
    /// [`spanning_trees()`](super::spanning_trees()). A board without a free cell has none.
    #[must_use]
    pub fn spanning_trees(grid: &Grid) -> Self {
        let scan = Scan::new(grid);
        let (numbers, cells) = numbers(&scan, |_| true);
        let along = cells.iter().filter(|&&cell| scan.is_free_before(cell));
        let along = along.map(|&cell| (numbers[cell - 1], numbers[cell]));
        let across = cells.iter().filter(|&&cell| scan.is_free_above(cell));
        let across = across.map(|&cell| (numbers[cell - scan.width()], numbers[cell]));
        Self::of_laplacian(cells.len(), along.chain(across))
    }

    /// Creates the determinant that is the number of spanning trees of a graph. A graph without a
    /// vertex has none.
    #[must_use]
    pub fn spanning_trees_of(graph: &Graph) -> Self {
        let mut numbers = vec![0; graph.vertices()];
        for (number, vertex) in (0..).zip(Order::narrowest(graph).vertices()) {
            numbers[vertex] = number;
        }
        Self::of_laplacian(graph.vertices(), graph.edges().map(|(a, b)| (numbers[a], numbers[b])))
    }

    /// Creates the determinant of the Laplacian of a graph without its last row and column
    /// (Kirchhoff, 1847, the matrix-tree theorem).
    fn of_laplacian(vertices: usize, edges: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut rows: Vec<_> = (0..vertices).map(|vertex| vec![(vertex, 0_i64)]).collect();
        // A loop is in no tree.
        for (a, b) in edges.filter(|(a, b)| a != b) {
            for (from, to) in [(a, b), (b, a)] {
                rows[from][0].1 += 1;
                rows[from].push((to, -1));
            }
        }
        // Without a vertex, there is a row too few: the determinant is 0.
        let columns = if rows.pop().is_some() { rows.len() } else { 1 };
        // In a tree, every vertex but the last has an edge towards the last one, and these are all
        // edges: their number is at most the product of the degrees.
        let bits = product_bits(rows.iter().map(|row| row[0].1.unsigned_abs()));
        for row in &mut rows {
            row.retain(|&(column, _)| column < columns);
            // Parallel edges share an entry, which is not that of the diagonal.
            row[1..].sort_unstable();
            row.dedup_by(|next, entry| {
                let is_same = next.0 == entry.0;
                entry.1 += if is_same { next.1 } else { 0 };
                is_same
            });
        }
        Determinant { rows, columns, bits, is_natural: true }
    }

    /// Creates the determinant that is the number of domino tilings of a board, up to its sign: see
    /// [`domino_tilings()`](super::domino_tilings()). A board without a free cell has one.
    ///
    /// The rows are the black cells of the board, coloured like a chessboard, and the columns the
    /// white ones. An entry is 0 unless the cells are neighbours, and then a sign (Kasteleyn, 1961;
    /// Temperley and Fisher, 1961; as a determinant, Percus, 1969): plus between neighbours in one
    /// line, and between lines the parity of the number of free cells before the place in the line
    /// above:
    ///
    /// ```text
    ///   . . * . *      the signs of the edges to the line below: + - * + *
    /// ```
    ///
    /// This is right for any obstacles. Two tilings differ by cycles of alternating dominoes, and
    /// contribute the same sign to the determinant if for each such cycle, of length `2 k`, the
    /// product of the signs is (-1)^(k + 1). Without obstacles, the signs alternate in each line.
    /// Then the product around a cycle is (-1)^(k + 1 + v), where `v` is the number of cells that
    /// it encloses: this is true of one square, and remains true when a square is added. Each
    /// obstacle changes the signs of the edges down from its line behind it. These edges are
    /// crossed by a line from the obstacle to the end of the board, so the product changes if and
    /// only if the cycle encloses the obstacle. Hence `v` is the number of enclosed *free* cells,
    /// which is even: the cycle's own dominoes cover its cells, so the other ones cover those that
    /// it encloses.
    #[must_use]
    pub fn domino_tilings(grid: &Grid) -> Self {
        let scan = Scan::new(grid);
        let width = scan.width();
        let is_black = |cell: usize| (cell / width + cell % width).is_multiple_of(2);
        let (rows, blacks) = numbers(&scan, is_black);
        let (columns, whites) = numbers(&scan, |cell| !is_black(cell));
        let mut entries = vec![Vec::new(); blacks.len()];
        let mut add = |a: usize, b: usize, sign| {
            let (black, white) = if is_black(a) { (a, b) } else { (b, a) };
            entries[rows[black]].push((columns[white], sign));
        };
        for line in 0..scan.cells() / width {
            let mut sign = 1;
            for cell in (line * width..(line + 1) * width).filter(|&cell| scan.is_free(cell)) {
                if scan.is_free_after(cell) {
                    add(cell, cell + 1, 1);
                }
                if scan.is_free_below(cell) {
                    add(cell, cell + width, sign);
                }
                sign = -sign;
            }
        }
        // The absolute value is at most the product of the lengths of the rows (Hadamard, 1893),
        // whose squares are their numbers of entries.
        let bits = product_bits(entries.iter().map(|row| row.len() as u64)).div_ceil(2);
        Determinant { rows: entries, columns: whites.len(), bits, is_natural: false }
    }

    /// Computes the absolute value, within the limits of time, memory and cancellation, which are
    /// noticed within milliseconds. Other limits are for searches and sweeps.
    ///
    /// # Errors
    ///
    /// Returns the [`Stop`] at the limit that was reached.
    pub fn count(&self, limits: &Limits) -> Result<Natural, Stop> {
        let mut watch = Watch::new(limits);
        if self.rows.len() != self.columns {
            return Ok(Natural::default());
        }
        let mut residues = Residues::new();
        let mut primes = large_primes();
        // The determinant lies between -2^bits and 2^bits, so it is known once the product of the
        // moduli is at least 2^(bits + 1).
        while residues.product().bits() < self.bits + 2 {
            let Some(prime) = primes.next() else { return Err(Stop::CountOverflow) };
            let residue = self.modulo_prime(prime, &mut watch)?;
            // A prime that divides no earlier one is never refused.
            residues.add(prime, residue).map_err(|_| Stop::CountOverflow)?;
        }
        let least = residues.least();
        let negative = || residues.product().checked_sub(least).unwrap_or_default();
        Ok(if least.bits() <= self.bits { least.clone() } else { negative() })
    }

    /// Computes the absolute value modulo a number. For spanning trees and a prime, this takes one
    /// elimination; otherwise as long as the number itself.
    ///
    /// # Errors
    ///
    /// Returns the [`Stop`] at the limit that was reached.
    pub fn count_modulo(&self, modulus: NonZero<u64>, limits: &Limits) -> Result<u64, Stop> {
        let modulus = modulus.get();
        // Elimination is for odd primes that leave a bit to spare.
        let is_field = modulus > 2 && modulus < 1 << 63 && is_prime(modulus);
        if self.is_natural && is_field && self.rows.len() == self.columns {
            return self.modulo_prime(modulus, &mut Watch::new(limits));
        }
        Ok(self.count(limits)?.remainder(modulus).unwrap_or(0))
    }

    /// Returns the determinant modulo an odd prime below 2⁶³. Each row is reduced by the earlier
    /// ones, and then reduces later ones in the first column in which it is not 0.
    fn modulo_prime(&self, prime: u64, watch: &mut Watch) -> Result<u64, Stop> {
        let field = Field::new(prime);
        // For each column, the row that reduces it, divided by its first entry, which is left out;
        // and the number of this row.
        let mut reducers: Vec<Option<Vec<(u32, u64)>>> = vec![None; self.columns];
        let mut row_of = vec![0; self.columns];
        let mut row = vec![0_u64; self.columns];
        // The first column of each row and of all rows after it, before which no reducer is needed.
        let mut needed = vec![self.columns; self.rows.len() + 1];
        for (number, row) in self.rows.iter().enumerate().rev() {
            let first = row.iter().map(|&(column, _)| column).min();
            needed[number] = needed[number + 1].min(first.unwrap_or(self.columns));
        }
        let bytes_per_column = size_of::<Option<Vec<(u32, u64)>>>() + 3 * size_of::<u64>();
        let fixed = bytes_per_column * self.columns;
        let mut dropped = 0;
        let (mut determinant, mut entries) = (field.of(1), 0);
        for (number, sparse) in self.rows.iter().enumerate() {
            let (mut first, mut last) = (self.columns, 0);
            for &(column, value) in sparse {
                row[column] = field.of(value);
                (first, last) = (first.min(column), last.max(column));
            }
            loop {
                let Some(next) = (first..=last).find(|&column| row[column] != 0) else {
                    return Ok(0);
                };
                first = next + 1;
                let factor = std::mem::take(&mut row[next]);
                let Some(reducer) = &reducers[next] else {
                    let inverse = field.inverse(factor);
                    let rest = row[first..=last].iter_mut().zip(first as u32..);
                    let rest = rest.filter(|(value, _)| **value != 0);
                    let rest: Vec<_> = rest
                        .map(|(value, column)| {
                            (column, field.times(std::mem::take(value), inverse))
                        })
                        .collect();
                    entries += rest.capacity();
                    watch.check(last - next + 1, fixed + entries * size_of::<(u32, u64)>())?;
                    determinant = field.times(determinant, factor);
                    (reducers[next], row_of[next]) = (Some(rest), number);
                    break;
                };
                for &(column, value) in reducer {
                    let value = field.times(factor, value);
                    row[column as usize] = field.minus(row[column as usize], value);
                }
                last = reducer.last().map_or(last, |&(column, _)| last.max(column as usize));
                watch.check(reducer.len() + 1, 0)?;
            }
            while dropped < needed[number + 1] {
                entries -= reducers[dropped].take().map_or(0, |reducer| reducer.capacity());
                dropped += 1;
            }
        }
        // Each even cycle of the permutation of the rows changes the sign.
        for column in 0..row_of.len() {
            while row_of[column] != column {
                let other = row_of[column];
                row_of.swap(column, other);
                determinant = field.minus(0, determinant);
            }
        }
        Ok(field.times(determinant, 1))
    }
}

/// Numbers the free cells that satisfy a condition in the order of the sweep. Returns the number of
/// each such cell, and the cells.
fn numbers(scan: &Scan, is_counted: impl Fn(usize) -> bool) -> (Vec<usize>, Vec<usize>) {
    let cells = (0..scan.cells()).filter(|&cell| scan.is_free(cell) && is_counted(cell));
    let cells: Vec<usize> = cells.collect();
    let mut numbers = vec![0; scan.cells()];
    for (number, &cell) in cells.iter().enumerate() {
        numbers[cell] = number;
    }
    (numbers, cells)
}

/// Returns a number of bits that the product of these factors fits into: hardly more than needed.
fn product_bits(factors: impl Iterator<Item = u64>) -> u64 {
    let (mut bits, mut product) = (0, 1_u128);
    for factor in factors {
        product = product.checked_mul(factor.into()).unwrap_or_else(|| {
            bits += u64::from(u128::BITS - product.leading_zeros());
            factor.into()
        });
    }
    bits + u64::from(u128::BITS - product.leading_zeros())
}

/// The limits of an elimination.
struct Watch {
    start: Instant,
    time: Option<Duration>,
    cancel: Option<Cancel>,
    bytes: u64,
    /// The number of operations since the clock was read.
    operations: usize,
}

impl Watch {
    /// The number of operations between two looks at the clock: about a tenth of a millisecond.
    const INTERVAL: usize = 1 << 16;

    fn new(limits: &Limits) -> Self {
        Watch {
            start: Instant::now(),
            time: limits.max_time(),
            cancel: limits.cancel_switch().cloned(),
            bytes: limits.max_memory().unwrap_or(u64::MAX),
            operations: Self::INTERVAL,
        }
    }

    /// Stops if a limit is reached after some more operations, with this number of bytes in use.
    fn check(&mut self, operations: usize, bytes: usize) -> Result<(), Stop> {
        if bytes as u64 > self.bytes {
            return Err(Stop::MemoryLimit);
        }
        self.operations += operations;
        if self.operations < Self::INTERVAL {
            return Ok(());
        }
        self.operations = 0;
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Stop::Cancelled);
        }
        match self.time {
            Some(time) if self.start.elapsed() >= time => Err(Stop::TimeLimit),
            _ => Ok(()),
        }
    }
}

/// Arithmetic modulo an odd prime below 2⁶³. A number `n` is represented by `n` times 2⁶⁴, so that
/// a product takes three multiplications and no division (Montgomery, 1985).
struct Field {
    prime: u64,
    /// The negative inverse of the prime modulo 2⁶⁴.
    inverse: u64,
    /// 2¹²⁸ modulo the prime.
    square: u64,
}

impl Field {
    fn new(prime: u64) -> Self {
        // Newton's iteration doubles the number of correct bits: 3 at first, 96 in the end.
        let inverse = (0..5).fold(prime, |inverse: u64, _| {
            inverse.wrapping_mul(2_u64.wrapping_sub(prime.wrapping_mul(inverse)))
        });
        let once = (u128::MAX % u128::from(prime) + 1) % u128::from(prime);
        Field { prime, inverse: inverse.wrapping_neg(), square: once as u64 }
    }

    /// Converts a number.
    fn of(&self, number: i64) -> u64 {
        let number = i128::from(number).rem_euclid(self.prime.into());
        self.times(number as u64, self.square)
    }

    /// Returns the product of two numbers, or of their representations divided by 2⁶⁴.
    #[inline]
    fn times(&self, a: u64, b: u64) -> u64 {
        // The sum is less than 2¹²⁷, and its low half is 0.
        let product = u128::from(a) * u128::from(b);
        let multiple = (product as u64).wrapping_mul(self.inverse);
        let sum = product + u128::from(multiple) * u128::from(self.prime);
        let high = (sum >> 64) as u64;
        if high >= self.prime { high - self.prime } else { high }
    }

    #[inline]
    fn minus(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + (self.prime - b) }
    }

    /// Returns the inverse of a number other than 0: its power to the prime less 2 (Fermat).
    fn inverse(&self, number: u64) -> u64 {
        let exponent = self.prime - 2;
        (0..u64::BITS - exponent.leading_zeros()).rev().fold(self.of(1), |power, bit| {
            let square = self.times(power, power);
            if exponent >> bit & 1 == 1 { self.times(square, number) } else { square }
        })
    }
}
