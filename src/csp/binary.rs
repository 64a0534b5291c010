//! Constraints that are propagated pair by pair: relations of two variables, and cliques of
//! different values.
//!
//! If every domain is one machine word and the table is small enough, all relations of two
//! variables are combined: each value of a variable has a row with one mask for each neighbour, the
//! set of the neighbour's values that are incompatible with it. Forward checking then takes one
//! load, one "and not" and one store for each neighbour, whatever the constraints were.
//! (Bit-parallel arc consistency: Lecoutre and Vion 2008.)

use std::fmt;
use std::sync::Arc;

use crate::csp::adjacency::Adjacency;
use crate::csp::domains::Bits;
use crate::csp::{Domains, Variable, Wipeout};

/// A relation between the values of two variables.
#[derive(Clone)]
pub(super) enum Relation {
    /// The first value is not the second value plus `offset`.
    Different {
        offset: i64,
    },
    Predicate(Arc<dyn Fn(i32, i32) -> bool + Send + Sync>),
    /// The allowed pairs, sorted.
    Pairs(Arc<[(i32, i32)]>),
}

impl Relation {
    #[inline]
    pub(super) fn holds(&self, first: i32, second: i32) -> bool {
        match self {
            Relation::Different { offset } => i64::from(first) != i64::from(second) + offset,
            Relation::Predicate(predicate) => predicate(first, second),
            Relation::Pairs(pairs) => pairs.binary_search(&(first, second)).is_ok(),
        }
    }
}

impl fmt::Debug for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Relation::Different { offset } => write!(f, "difference other than {offset}"),
            Relation::Predicate(_) => f.write_str("predicate"),
            Relation::Pairs(pairs) => f.debug_list().entries(pairs.iter()).finish(),
        }
    }
}

/// A relation between two different variables.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) variables: [Variable; 2],
    pub(super) relation: Relation,
}

impl Pair {
    /// Returns whether `value` of the variable at `side` is compatible with `other` of the other
    /// variable.
    #[inline]
    pub(super) fn holds(&self, side: usize, value: i32, other: i32) -> bool {
        if side == 0 {
            self.relation.holds(value, other)
        } else {
            self.relation.holds(other, value)
        }
    }

    /// Prunes the values of the other variable that are incompatible with `value` of the variable
    /// at `side`.
    pub(super) fn check_forward(
        &self,
        domains: &mut Domains,
        side: usize,
        value: i32,
    ) -> Result<(), Wipeout> {
        let other = self.variables[1 - side];
        match self.relation {
            Relation::Different { offset } => {
                let forbidden =
                    if side == 0 { i64::from(value) - offset } else { i64::from(value) + offset };
                match i32::try_from(forbidden) {
                    Ok(forbidden) => domains.remove(other, forbidden)?,
                    Err(_) => false,
                };
            }
            _ => {
                domains.retain(other, |candidate| self.holds(side, value, candidate))?;
            }
        }
        Ok(())
    }

    /// Counts the values of the other variable that are incompatible with `value` of the variable
    /// at `side`.
    pub(super) fn count_forbidden(&self, domains: &Domains, side: usize, value: i32) -> u64 {
        let other = self.variables[1 - side];
        match self.relation {
            Relation::Different { offset } => {
                let forbidden =
                    if side == 0 { i64::from(value) - offset } else { i64::from(value) + offset };
                i32::try_from(forbidden)
                    .is_ok_and(|forbidden| domains.contains(other, forbidden))
                    .into()
            }
            _ => domains
                .values(other)
                .filter(|&candidate| !self.holds(side, value, candidate))
                .count() as u64,
        }
    }

    /// Returns an upper bound of the work of [`revise`](Self::revise) beyond a constant, in words
    /// of domains: a call of a predicate takes about an eighth of the work of a word. It is the
    /// same on both sides.
    pub(super) fn work(&self, size: impl Fn(Variable) -> u64) -> u64 {
        match self.relation {
            Relation::Different { .. } => 0,
            _ => size(self.variables[0]).saturating_mul(size(self.variables[1])) / 8,
        }
    }

    /// Prunes the values of the other variable that have no support in the domain of the variable
    /// at `side`.
    pub(super) fn revise(&self, domains: &mut Domains, side: usize) -> Result<(), Wipeout> {
        let [this, other] = [self.variables[side], self.variables[1 - side]];
        if let Some(value) = domains.value(this) {
            return self.check_forward(domains, side, value);
        }
        if matches!(self.relation, Relation::Different { .. }) {
            // With two values left, every value of the other variable has a support.
            return if domains.size(this) == 0 { Err(Wipeout(this)) } else { Ok(()) };
        }
        let values: Vec<i32> = domains.values(this).collect();
        domains.retain(other, |candidate| {
            values.iter().any(|&value| self.holds(side, value, candidate))
        })?;
        Ok(())
    }
}

/// Variables, each with its shift, whose shifted values are all different.
#[derive(Clone, Debug)]
pub(super) struct Clique {
    pub(super) members: Vec<(Variable, i32)>,
}

impl Clique {
    /// Removes the `value` of the member at `place`, which is instantiated, from all open members,
    /// and returns a wipe-out if there was one. Stops at the first wipe-out unless
    /// `continue_after_wipeout`.
    pub(super) fn check_forward(
        &self,
        domains: &mut Domains,
        place: usize,
        value: i32,
        continue_after_wipeout: bool,
    ) -> Option<Wipeout> {
        let taken = i64::from(value) + i64::from(self.members[place].1);
        let mut wiped = None;
        for &(other, shift) in &self.members {
            if domains.is_open(other)
                && let Ok(forbidden) = i32::try_from(taken - i64::from(shift))
                && let Err(wipeout) = domains.remove(other, forbidden)
            {
                wiped = Some(wipeout);
                if !continue_after_wipeout {
                    break;
                }
            }
        }
        wiped
    }

    /// Removes the `value` of the member at `place` from all other members.
    pub(super) fn revise(
        &self,
        domains: &mut Domains,
        place: usize,
        value: i32,
    ) -> Result<(), Wipeout> {
        let taken = i64::from(value) + i64::from(self.members[place].1);
        for (index, &(other, shift)) in self.members.iter().enumerate() {
            let Ok(forbidden) = i32::try_from(taken - i64::from(shift)) else { continue };
            // The value of an instantiated variable is read faster than removed.
            if index != place && (domains.is_open(other) || domains.min(other) == Some(forbidden)) {
                domains.remove(other, forbidden)?;
            }
        }
        Ok(())
    }
}

/// The largest number of masks, of eight bytes each: a table that exceeds the cache gains nothing.
const MAX_MASKS: usize = 1 << 18;

/// The neighbours of each variable, and the neighbours' values that each of its values forbids.
///
/// In networks of at most 64 variables the table is *dense*: each row has a mask for every
/// variable, so that the masks of open neighbours are indexed by their bits. In larger networks it
/// is *sparse*: each row has a mask for each neighbour only.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// The index of the first neighbour of each variable in `neighbours`, and the end of the last
    /// list.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// The set of neighbours of each variable as bits; empty if there are more than 64 variables.
    neighbour_sets: Vec<u64>,
    /// The index of the first row of each variable in `masks`. There is a row for each value.
    row_starts: Vec<u32>,
    masks: Vec<u64>,
    /// For each variable, the largest number of its values that forbid the same value of a
    /// neighbour, and at least 1. With more values left, it supports all values of its neighbours.
    most_forbidding: Vec<u32>,
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
        let (mut starts, mut neighbours) = (vec![0], Vec::new());
        let (mut row_starts, mut end) = (Vec::with_capacity(words.len()), 0);
        let mut neighbour_sets = vec![0; if is_dense { words.len() } else { 0 }];
        // Bounds the time of the set-up: variables that share several constraints are met again.
        let mut visits = 0;
        // The last variable, plus 1, that has met each variable as a neighbour.
        let mut met_by = vec![0; words.len()];
        for (x, &word) in words.iter().enumerate() {
            let first = neighbours.len();
            let mut meet = |y: Variable| {
                if y.index() != x {
                    visits += 1;
                    if std::mem::replace(&mut met_by[y.index()], x + 1) != x + 1 {
                        neighbours.push(y.index() as u32);
                    }
                }
            };
            for &(pair, side) in pairs_of.of(x) {
                meet(pairs[pair as usize].variables[1 - usize::from(side)]);
            }
            for &(clique, _) in cliques_of.of(x) {
                cliques[clique as usize].members.iter().for_each(|&(member, _)| meet(member));
            }
            if visits > 8 * MAX_MASKS {
                return None;
            }
            neighbours[first..].sort_unstable();
            if is_dense {
                neighbour_sets[x] = neighbours[first..].iter().fold(0, |set, &y| set | 1 << y);
            }
            row_starts.push(end as u32);
            let row_length = if is_dense { words.len() } else { neighbours.len() - first };
            end += (64 - word.leading_zeros() as usize) * row_length;
            if end > MAX_MASKS {
                return None;
            }
            starts.push(neighbours.len() as u32);
        }
        let masks = vec![0; end];
        let most_forbidding = vec![1; words.len()];
        let mut result =
            Rows { starts, neighbours, neighbour_sets, row_starts, masks, most_forbidding };
        // The index of the mask of each neighbour in the rows of a variable.
        let mut places: Vec<usize> = (0..words.len()).collect();
        for (index, cliques_of) in (0..words.len()).map(|index| (index, cliques_of.of(index))) {
            let x = Variable::new(index);
            // A page of fresh memory that is read before it is written costs two page faults.
            let end = result.row_starts.get(index + 1).map_or(end, |&start| start as usize);
            result.masks[result.row_starts[index] as usize..end].fill(0);
            if !is_dense && !cliques_of.is_empty() {
                let neighbours = result.neighbours(x).iter().enumerate();
                neighbours.for_each(|(place, &y)| places[y as usize] = place);
            }
            let first = |shift: i32, variable| i64::from(shift) + i64::from(base(variable));
            for &(clique, place) in cliques_of {
                let members = &cliques[clique as usize].members;
                let first_of_x = first(members[place as usize].1, x);
                for &(y, shift) in members.iter().filter(|&&(y, _)| y != x) {
                    // The difference of the bits of equal shifted values.
                    let gap = first_of_x - first(shift, y);
                    result.forbid_equal(words, (x, y), places[y.index()], gap);
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
    pub(super) fn forbidden(
        &self,
        variable: Variable,
        bit: u32,
    ) -> impl Iterator<Item = (Variable, u64)> {
        let row = self.row(variable, bit);
        self.neighbours(variable).iter().enumerate().map(move |(place, &other)| {
            (
                Variable::new(other as usize),
                row[if self.is_dense() { other as usize } else { place }],
            )
        })
    }

    /// Returns the row of the value at `bit` of `variable`.
    #[inline]
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
            domains.prune_row(self.neighbours(variable), self.row(variable, bit))
        }
    }

    /// Prunes the values of all neighbours of `variable` that `row` forbids. Returns whether a
    /// domain is wiped out.
    #[inline]
    fn prune_neighbours(&self, domains: &mut Domains, variable: Variable, row: &[u64]) -> bool {
        if self.is_dense() {
            domains.prune_set(self.neighbour_sets[variable.index()], row)
        } else {
            domains.prune_row(self.neighbours(variable), row)
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
            return self.prune_neighbours(
                domains,
                variable,
                self.row(variable, values.trailing_zeros()),
            );
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
