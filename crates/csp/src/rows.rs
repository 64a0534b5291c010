//! All relations of two variables in one table.
//!
//! If every domain is one machine word and the table is small enough, all relations of two
//! variables are combined: each value of a variable has a row with one mask for each neighbour, the
//! set of the neighbour's values that are incompatible with it. Forward checking then takes one
//! load, one "and not" and one store for each neighbour, whatever the constraints were.
//! (Bit-parallel arc consistency: Lecoutre and Vion 2008.)

use crate::adjacency::Adjacency;
use crate::binary::{Clique, Pair};
use crate::domains::Bits;
use crate::{Domains, Variable};

/// The largest number of masks, of eight bytes each: a table that exceeds the cache gains nothing.
const MAX_MASKS: usize = 1 << 18;

/// The neighbours of each variable, and the neighbours' values that each of its values forbids.
///
/// In networks of at most 64 variables the table is *dense*: each row has a mask for every
/// variable, so that the masks of open neighbours are indexed by their bits. In larger networks it
/// is *sparse*: each row has a mask for each neighbour only.
///
/// In a sparse table, a variable that must only be different from its neighbours, by one difference
/// from each, has [gaps](Self::gaps) instead of rows: they take less memory, and less time to set
/// up, by the number of its values.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// The index of the first neighbour of each variable in `neighbours`, and the end of the last
    /// list.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// For each entry of `neighbours` of a variable without rows, the bit that each bit of the
    /// variable forbids, relative to it; 64 or -64 if none is forbidden.
    gaps: Vec<i8>,
    /// The set of neighbours of each variable as bits; empty if there are more than 64 variables.
    neighbour_sets: Vec<u64>,
    /// The index of the first row of each variable in `masks`, or [`NO_ROWS`]. There is a row for
    /// each value.
    row_starts: Vec<u32>,
    masks: Vec<u64>,
    /// For each variable, the largest number of its values that forbid the same value of a
    /// neighbour, and at least 1. With more values left, it supports all values of its neighbours.
    most_forbidding: Vec<u32>,
}

/// The start of the rows of a variable that has none. A start is at most [`MAX_MASKS`].
const NO_ROWS: u32 = u32::MAX;

/// Returns the mask of the bit at a distance of `gap` from `bit`, or 0 if the word has none there.
#[inline]
fn shifted(bit: u32, gap: i8) -> u64 {
    1_u64.checked_shl(bit.wrapping_add_signed(gap.into())).unwrap_or(0)
}

/// Returns the difference of the bits of two members of a clique at which their shifted values are
/// equal: that of `other` minus that of `this`.
fn gap_between(
    base: impl Fn(Variable) -> i32,
    this: (Variable, i32),
    other: (Variable, i32),
) -> i64 {
    let first = |(variable, shift)| i64::from(shift) + i64::from(base(variable));
    first(this) - first(other)
}

impl Rows {
    /// Creates the table for single-word domains `words[variable]` whose first bit is the value
    /// `base(variable)`. Returns `None` if it would be too large.
    pub(super) fn new(
        words: &[u64],
        base: impl Fn(Variable) -> i32,
        (pairs, pairs_of): (&[Pair], &Adjacency<(u32, u8)>),
        (cliques, cliques_of): (&[Clique], &Adjacency<(u32, u32)>),
    ) -> Option<Self> {
        let is_dense = words.len() <= 64;
        let (mut starts, mut neighbours, mut gaps) = (vec![0], Vec::new(), Vec::new());
        // The number of masks that are stored, and of those in a table with rows for all variables.
        let (mut end, mut all) = (0, 0);
        let mut row_starts = Vec::with_capacity(words.len());
        let mut neighbour_sets = vec![0; if is_dense { words.len() } else { 0 }];
        // Bounds the time of the set-up: variables that share several constraints are met again.
        let mut visits = 0;
        // The last variable, plus 1, that has met each variable as a neighbour, and the gap.
        let mut met_by = vec![(0, None); words.len()];
        for (x, &word) in words.iter().enumerate() {
            let first = neighbours.len();
            let mut has_rows = is_dense;
            let mut meet = |y: Variable, gap: Option<i8>| {
                if y.index() != x {
                    visits += 1;
                    let met = &mut met_by[y.index()];
                    if met.0 != x + 1 {
                        *met = (x + 1, gap);
                        neighbours.push(y.index() as u32);
                    }
                    has_rows |= gap.is_none() || met.1 != gap;
                }
            };
            for &(pair, side) in pairs_of.of(x) {
                meet(pairs[pair as usize].variables[1 - usize::from(side)], None);
            }
            for &(clique, place) in cliques_of.of(x) {
                let members = &cliques[clique as usize].members;
                let this = members[place as usize];
                for &other in members {
                    meet(other.0, Some(gap_between(&base, this, other).clamp(-64, 64) as i8));
                }
            }
            if visits > 8 * MAX_MASKS {
                return None;
            }
            neighbours[first..].sort_unstable();
            gaps.extend(neighbours[first..].iter().map(|&y| met_by[y as usize].1.unwrap_or(0)));
            if is_dense {
                neighbour_sets[x] = neighbours[first..].iter().fold(0, |set, &y| set | 1 << y);
            }
            row_starts.push(if has_rows { end as u32 } else { NO_ROWS });
            let row_length = if is_dense { words.len() } else { neighbours.len() - first };
            let count = (64 - word.leading_zeros() as usize) * row_length;
            end += if has_rows { count } else { 0 };
            all += count;
            if all > MAX_MASKS {
                return None;
            }
            starts.push(neighbours.len() as u32);
        }
        let masks = vec![0; end];
        let most_forbidding = vec![1; words.len()];
        let mut result =
            Rows { starts, neighbours, gaps, neighbour_sets, row_starts, masks, most_forbidding };
        // The index of the mask of each neighbour in the rows of a variable.
        let mut places: Vec<usize> = (0..words.len()).collect();
        for x in (0..words.len()).map(Variable::new) {
            if !result.has_rows(x) {
                continue;
            }
            let cliques_of = cliques_of.of(x.index());
            if !is_dense && !cliques_of.is_empty() {
                let neighbours = result.neighbours(x).iter().enumerate();
                neighbours.for_each(|(place, &y)| places[y as usize] = place);
            }
            for &(clique, place) in cliques_of {
                let members = &cliques[clique as usize].members;
                let this = members[place as usize];
                for &other in members.iter().filter(|other| other.0 != x) {
                    let gap = gap_between(&base, this, other);
                    result.forbid_equal(words, (x, other.0), places[other.0.index()], gap);
                }
            }
        }
        for pair in pairs {
            let [x, y] = pair.variables;
            let value = |variable: Variable, bit: u32| base(variable).wrapping_add(bit as i32);
            result.forbid(words, x, y, |a| {
                let forbidden = |&b: &u32| !pair.relation.holds(value(x, a), value(y, b));
                Bits(words[y.index()]).filter(forbidden).fold(0, |mask, b| mask | 1 << b)
            });
        }
        Some(result)
    }

    /// Records in the rows of `x`, at `place`, that the bits of `x` and `y` must not differ by
    /// `gap`.
    fn forbid_equal(
        &mut self,
        words: &[u64],
        (x, y): (Variable, Variable),
        place: usize,
        gap: i64,
    ) {
        let Some(shift) = u32::try_from(gap.unsigned_abs()).ok().filter(|&shift| shift < 64) else {
            return;
        };
        let (word, first) = (words[y.index()], self.row_start(x, 0) + place);
        let length = self.row_length(x);
        let (equal, is_up) = if gap < 0 { (word << shift, false) } else { (word >> shift, true) };
        for a in Bits(words[x.index()] & equal) {
            let b = if is_up { a + shift } else { a - shift };
            self.add_forbidden(first + a as usize * length, 1 << b, y);
        }
    }

    /// Records in the rows of both variables the pairs of values that are forbidden:
    /// `forbidden(bit)` returns the values of `y` that are incompatible with the value of `x` at
    /// this bit.
    fn forbid(&mut self, words: &[u64], x: Variable, y: Variable, forbidden: impl Fn(u32) -> u64) {
        let (Some(place_of_y), Some(place_of_x)) = (self.place(x, y), self.place(y, x)) else {
            return;
        };
        let (first_of_x, first_of_y) =
            (self.row_start(x, 0) + place_of_y, self.row_start(y, 0) + place_of_x);
        let (length_of_x, length_of_y) = (self.row_length(x), self.row_length(y));
        for a in Bits(words[x.index()]) {
            let mask = forbidden(a) & words[y.index()];
            self.add_forbidden(first_of_x + a as usize * length_of_x, mask, y);
            for b in Bits(mask) {
                self.add_forbidden(first_of_y + b as usize * length_of_y, 1 << a, x);
            }
        }
    }

    /// Adds forbidden values of `variable` to the mask at `index`.
    #[inline]
    fn add_forbidden(&mut self, index: usize, values: u64, variable: Variable) {
        self.masks[index] |= values;
        let all = self.masks[index];
        if all & all.wrapping_sub(1) != 0 {
            let most = &mut self.most_forbidding[variable.index()];
            *most = all.count_ones().max(*most);
        }
    }

    /// Returns the index of the mask of `y` in the rows of `x`.
    fn place(&self, x: Variable, y: Variable) -> Option<usize> {
        let place = self.neighbours(x).binary_search(&(y.index() as u32)).ok()?;
        Some(if self.is_dense() { y.index() } else { place })
    }

    #[inline]
    fn is_dense(&self) -> bool {
        !self.neighbour_sets.is_empty()
    }

    /// Returns whether a variable has rows. Otherwise it has gaps.
    #[inline]
    fn has_rows(&self, variable: Variable) -> bool {
        self.row_starts[variable.index()] != NO_ROWS
    }

    /// Returns the gap of each neighbour of a variable without rows.
    #[inline]
    fn gaps(&self, variable: Variable) -> &[i8] {
        let index = variable.index();
        &self.gaps[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    #[inline]
    fn row_start(&self, variable: Variable, bit: u32) -> usize {
        self.row_starts[variable.index()] as usize + bit as usize * self.row_length(variable)
    }

    #[inline]
    fn row_length(&self, variable: Variable) -> usize {
        if self.is_dense() { self.neighbour_sets.len() } else { self.neighbours(variable).len() }
    }

    /// Returns the variables that share a constraint with `variable`, in ascending order.
    #[inline]
    pub(super) fn neighbours(&self, variable: Variable) -> &[u32] {
        let index = variable.index();
        &self.neighbours[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Returns the index of the first neighbour of `variable` in the array of all lists of
    /// neighbours.
    #[inline]
    pub(super) fn start(&self, variable: Variable) -> usize {
        self.starts[variable.index()] as usize
    }

    /// Returns the total number of neighbours of all variables.
    pub(super) fn total(&self) -> usize {
        self.neighbours.len()
    }

    /// Returns the neighbours of `variable`, each with its values that the value at `bit` forbids.
    #[inline]
    pub(super) fn forbidden(
        &self,
        variable: Variable,
        bit: u32,
    ) -> impl Iterator<Item = (Variable, u64)> {
        let has_rows = self.has_rows(variable);
        let row = if has_rows { self.row(variable, bit) } else { &[] };
        let gaps = self.gaps(variable);
        self.neighbours(variable).iter().enumerate().map(move |(place, &other)| {
            let mask = if !has_rows {
                shifted(bit, gaps[place])
            } else {
                row[if self.is_dense() { other as usize } else { place }]
            };
            (Variable::new(other as usize), mask)
        })
    }

    /// Returns the row of the value at `bit` of `variable`.
    // Measured: as a call, it takes a tenth of the instructions of forward checking.
    #[inline(always)]
    fn row(&self, variable: Variable, bit: u32) -> &[u64] {
        let start = self.row_start(variable, bit);
        &self.masks[start..start + self.row_length(variable)]
    }

    /// Prunes the values of open neighbours of `variable` that its value at `bit` forbids. Returns
    /// whether a domain is wiped out.
    ///
    /// In a sparse table, neighbours that are not open are pruned as well, because that is faster
    /// than a test. It changes nothing if variables are checked in the order in which they are
    /// instantiated: the neighbour has then been checked against this variable.
    #[inline]
    pub(super) fn check_forward(
        &self,
        domains: &mut Domains,
        variable: Variable,
        bit: u32,
    ) -> bool {
        if self.is_dense() {
            let open = domains.words[domains.layout.open];
            domains.prune_set(open & self.neighbour_sets[variable.index()], self.row(variable, bit))
        } else {
            self.prune_incompatible(domains, variable, bit)
        }
    }

    /// Prunes the values of all neighbours of `variable` that its value at `bit` forbids. Returns
    /// whether a domain is wiped out.
    #[inline]
    fn prune_incompatible(&self, domains: &mut Domains, variable: Variable, bit: u32) -> bool {
        if self.has_rows(variable) {
            return self.prune_neighbours(domains, variable, self.row(variable, bit));
        }
        let masks = self.gaps(variable).iter().map(|&gap| shifted(bit, gap));
        domains.prune_row(self.neighbours(variable), masks)
    }

    /// Prunes the values of all neighbours of `variable` that `row` forbids. Returns whether a
    /// domain is wiped out.
    #[inline]
    fn prune_neighbours(&self, domains: &mut Domains, variable: Variable, row: &[u64]) -> bool {
        if self.is_dense() {
            domains.prune_set(self.neighbour_sets[variable.index()], row)
        } else {
            domains.prune_row(self.neighbours(variable), row.iter().copied())
        }
    }

    /// Returns whether the value at `bit` of `variable` is compatible with the values of all
    /// neighbours that are not open.
    pub(super) fn check_backward(&self, domains: &Domains, variable: Variable, bit: u32) -> bool {
        self.forbidden(variable, bit).all(|(other, forbidden)| {
            domains.words[other.index()] & !forbidden != 0 || domains.is_open(other)
        })
    }

    /// Returns whether `variable` has so many values that it supports all values of its neighbours,
    /// and at least two.
    #[inline]
    pub(super) fn supports_all(&self, domains: &Domains, variable: Variable) -> bool {
        let (word, most) =
            (domains.words[variable.index()], self.most_forbidding[variable.index()]);
        word & word.wrapping_sub(1) != 0 && (most == 1 || has_more_than(most, word))
    }

    /// Prunes the values of the neighbours of `variable` that none of its values supports. Returns
    /// whether a domain is wiped out.
    pub(super) fn revise(
        &self,
        domains: &mut Domains,
        variable: Variable,
        buffer: &mut Vec<u64>,
    ) -> bool {
        let values = domains.words[variable.index()];
        if values == 0 {
            return true;
        }
        if values.is_power_of_two() {
            return self.prune_incompatible(domains, variable, values.trailing_zeros());
        }
        if !self.has_rows(variable) {
            // Two values never forbid the same one.
            return false;
        }
        buffer.clear();
        buffer.resize(self.row_length(variable), u64::MAX);
        for bit in Bits(values) {
            let mut any = 0;
            for (unsupported, &forbidden) in buffer.iter_mut().zip(self.row(variable, bit)) {
                *unsupported &= forbidden;
                any |= *unsupported;
            }
            if any == 0 {
                return false;
            }
        }
        self.prune_neighbours(domains, variable, buffer)
    }
}
/// Returns whether more than `most` bits are set.
// Measured: counting bits takes two dozen instructions on a processor without one for it. Inlined,
// the compiler executes them for every change of a domain, to save a branch.
#[inline(never)]
fn has_more_than(most: u32, word: u64) -> bool {
    word.count_ones() > most
}
