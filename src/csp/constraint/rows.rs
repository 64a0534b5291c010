//! All constraints on two variables as one table of bit masks.
//!
//! If every domain is one machine word and the table is small enough, all relations of two
//! variables are combined: each value of a variable has a row with one mask for each neighbour, the
//! set of the neighbour's values that are incompatible with it. Forward checking then takes one
//! load, one "and not" and one store for each neighbour, whatever the constraints were.
//! (Bit-parallel arc consistency: Lecoutre and Vion 2008.)

use super::binary::{Clique, Pair};
use crate::csp::domains::Bits;
use crate::csp::{Domains, Variable};

/// The largest number of masks, of eight bytes each: a table that exceeds the cache gains nothing.
const MAX_MASKS: usize = 1 << 18;

/// The neighbours of each variable, and the neighbours' values that each of its values forbids.
///
/// Networks of at most 64 variables have a mask for every variable in each row, so that the masks
/// of open neighbours are indexed by their bits. Larger networks have a mask for each neighbour
/// only.
#[derive(Clone, Debug)]
pub(in crate::csp) struct Rows {
    /// The index of the first neighbour of each variable in `neighbours`, and the end of the last
    /// list.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// The set of neighbours of each variable as bits; empty if there are more than 64 variables.
    sets: Vec<u64>,
    /// The index of the first row of each variable in `masks`. There is a row for each value.
    rows: Vec<u32>,
    masks: Vec<u64>,
}

impl Rows {
    /// Creates the table for single-word domains `words[variable]` whose first bit is the value
    /// `base(variable)`. Returns `None` if it would be too large.
    pub(in crate::csp) fn new(
        words: &[u64],
        base: impl Fn(Variable) -> i32,
        pairs: &[Pair],
        cliques: &[Clique],
    ) -> Option<Self> {
        let width = |variable: usize| 64 - words[variable].leading_zeros() as usize;
        let mut edges = Vec::new();
        let mut join = |x: Variable, y: Variable| {
            if x != y {
                edges.push((x.index() as u32, y.index() as u32));
                edges.push((y.index() as u32, x.index() as u32));
            }
            edges.len() <= 8 * MAX_MASKS
        };
        for pair in pairs {
            if !join(pair.variables[0], pair.variables[1]) {
                return None;
            }
        }
        for clique in cliques {
            for (index, &(x, _)) in clique.members.iter().enumerate() {
                for &(y, _) in &clique.members[..index] {
                    if !join(x, y) {
                        return None;
                    }
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0; words.len() + 1];
        for &(x, _) in &edges {
            starts[x as usize + 1] += 1;
        }
        let few = words.len() <= 64;
        let mut rows = Vec::with_capacity(words.len());
        let mut end = 0;
        for variable in 0..words.len() {
            rows.push(end as u32);
            end += width(variable) * if few { words.len() } else { starts[variable + 1] as usize };
            if end > MAX_MASKS {
                return None;
            }
            starts[variable + 1] += starts[variable];
        }
        let mut sets = vec![0; if few { words.len() } else { 0 }];
        if few {
            edges.iter().for_each(|&(x, y)| sets[x as usize] |= 1 << y);
        }
        let neighbours = edges.iter().map(|&(_, y)| y).collect();
        let mut result = Rows { starts, neighbours, sets, rows, masks: vec![0; end] };
        for pair in pairs {
            let [x, y] = pair.variables;
            result.forbid(words, &base, x, y, |a, b| !pair.relation.holds(a, b));
        }
        for clique in cliques {
            for (index, &(x, shift)) in clique.members.iter().enumerate() {
                for &(y, other) in &clique.members[..index] {
                    if x != y {
                        let gap = i64::from(other) - i64::from(shift);
                        result
                            .forbid(words, &base, x, y, |a, b| i64::from(a) == i64::from(b) + gap);
                    }
                }
            }
        }
        Some(result)
    }

    fn forbid(
        &mut self,
        words: &[u64],
        base: impl Fn(Variable) -> i32,
        x: Variable,
        y: Variable,
        forbidden: impl Fn(i32, i32) -> bool,
    ) {
        let (Some(to), Some(back)) = (self.place(x, y), self.place(y, x)) else { return };
        for a in Bits(words[x.index()]) {
            for b in Bits(words[y.index()]) {
                if forbidden(base(x).wrapping_add(a as i32), base(y).wrapping_add(b as i32)) {
                    let there = self.row_start(x, a) + to;
                    let here = self.row_start(y, b) + back;
                    self.masks[there] |= 1 << b;
                    self.masks[here] |= 1 << a;
                }
            }
        }
    }

    /// Returns the index of the mask of `y` in the rows of `x`.
    fn place(&self, x: Variable, y: Variable) -> Option<usize> {
        let place = self.neighbours(x).binary_search(&(y.index() as u32)).ok()?;
        Some(if self.is_dense() { y.index() } else { place })
    }

    #[inline]
    fn is_dense(&self) -> bool {
        !self.sets.is_empty()
    }

    #[inline]
    fn row_start(&self, variable: Variable, bit: u32) -> usize {
        self.rows[variable.index()] as usize + bit as usize * self.row_length(variable)
    }

    #[inline]
    fn row_length(&self, variable: Variable) -> usize {
        if self.is_dense() { self.sets.len() } else { self.neighbours(variable).len() }
    }

    /// Returns the variables that share a constraint with `variable`, in ascending order.
    #[inline]
    pub(in crate::csp) fn neighbours(&self, variable: Variable) -> &[u32] {
        let index = variable.index();
        &self.neighbours[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Returns the index of the first neighbour of `variable` in the array of all lists of
    /// neighbours.
    #[inline]
    pub(in crate::csp) fn start(&self, variable: Variable) -> usize {
        self.starts[variable.index()] as usize
    }

    /// Returns the total number of neighbours of all variables.
    pub(in crate::csp) fn total(&self) -> usize {
        self.neighbours.len()
    }

    /// Returns the neighbours of `variable`, each with its values that the value at `bit` forbids.
    pub(in crate::csp) fn forbidden(
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
    /// Neighbours that are not open must have been forward-checked themselves, one after the other.
    #[inline]
    pub(in crate::csp) fn check_forward(
        &self,
        domains: &mut Domains,
        variable: Variable,
        bit: u32,
    ) -> bool {
        if self.is_dense() {
            let open = domains.words[domains.layout.open];
            domains.prune_set(open & self.sets[variable.index()], self.row(variable, bit))
        } else {
            domains.prune_row(self.neighbours(variable), self.row(variable, bit))
        }
    }

    /// Prunes the values of all neighbours of `variable` that `row` forbids. Returns whether a
    /// domain is wiped out.
    #[inline]
    fn prune_neighbours(&self, domains: &mut Domains, variable: Variable, row: &[u64]) -> bool {
        if self.is_dense() {
            domains.prune_set(self.sets[variable.index()], row)
        } else {
            domains.prune_row(self.neighbours(variable), row)
        }
    }

    /// Returns whether the value at `bit` of `variable` is compatible with the values of all
    /// neighbours that are not open.
    pub(in crate::csp) fn check_backward(
        &self,
        domains: &Domains,
        variable: Variable,
        bit: u32,
    ) -> bool {
        self.forbidden(variable, bit).all(|(other, forbidden)| {
            domains.words[other.index()] & !forbidden != 0 || domains.is_open(other)
        })
    }

    /// Prunes the values of the neighbours of `variable` that none of its values supports. Returns
    /// whether a domain is wiped out.
    pub(in crate::csp) fn revise(
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
