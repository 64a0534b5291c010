//! All-different constraints that are propagated as a whole, by bipartite matchings.
//!
//! An assignment of different values is a *matching* in the graph that joins each variable to its
//! remaining values. If there is none, the constraint fails. Otherwise a variable keeps a value if
//! the matching joins them, or if another one does that differs from it by an alternating cycle, or
//! by an alternating path that ends in an unmatched value (Berge 1957). Cycles and paths are found
//! in a directed graph whose nodes are the variables and whose edges lead from each variable to the
//! owners of its values: the variables matched with them. A variable keeps a value that has no
//! owner, or whose owner is in the same *strongly connected component* as the variable. All
//! variables with a path to an unmatched value count as one component (Régin 1994). This prunes
//! every value that is in no solution of the constraint.
//!
//! Variables that are assigned take no part: the pairwise constraint has removed their values from
//! the others.
//!
//! The last matching is kept as a hint: its valid part is reused, and the rest is repaired by
//! augmenting paths. Only *tight* variables are matched (see `Matching::tight_limit`). The others
//! can always be matched, and can lose only values that tight variables need.
//!
//! At most 64 values in a row are left to `word_matching`.
//!
//! A call takes time linear in the number of all remaining values and of distinct values, times the
//! logarithm of the number of ranges of distinct values (see [`Numbering`]). In the worst case, it
//! takes as long again for each tight variable that the hint leaves unmatched.

use super::components::{components, words_for};
use super::difference::{AllDifferent, DifferentRule};
use super::word_matching::WordMatching;
use crate::{Domain, Domains, Model, ModelError, PropagatorScratch, Pruned, Variable, Wipeout};

/// At least two distinct variables whose values must be different.
#[derive(Clone, Debug)]
struct Matching {
    variables: Vec<Variable>,
    /// All values of the variables at the root.
    values: Numbering,
}

/// The largest number of distinct values for which a constraint is worth its memory: [`Parts`] has
/// two words for each.
const MAX_VALUES: usize = 1 << 20;

/// The parts of [`PropagatorScratch`]. Variables are stored as their indices in the list of open
/// variables.
struct Parts<'a> {
    /// The code (see [`encode`]) of the value matched with each variable of the constraint, or 0
    /// for none. This is the only part that is kept from call to call.
    value_of: &'a mut [u64],
    /// The variable matched with each value, plus 1; or 0 for none.
    owner: &'a mut [u64],
    /// For each value, the last search that reached it (its start variable plus 1) in the upper 32
    /// bits, and the variable from which it did in the lower ones.
    reached: &'a mut [u64],
    /// The queue of variables of the breadth-first search.
    queue: &'a mut [u64],
    /// The variables with several values, as their indices in the constraint.
    open: &'a mut [u64],
    /// The scratch of [`components`] and [`Matching::tight_limit`].
    buffer: &'a mut [u64],
}

/// Returns the code of a value in [`Parts`], which is not 0.
fn encode(value: i32) -> u64 {
    u64::from(value.abs_diff(i32::MIN)) + 1
}

/// Returns the value of a code; `None` for 0.
fn decode(code: u64) -> Option<i32> {
    Some(i32::MIN.wrapping_add_unsigned(u32::try_from(code.checked_sub(1)?).ok()?))
}

impl DifferentRule for Matching {
    const NAME: &str = "all different by matching";

    fn variables(&self) -> &[Variable] {
        &self.variables
    }

    fn prune(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let mut parts = self.parts(scratch);
        let mut variables = 0;
        for (index, &variable) in self.variables.iter().enumerate() {
            // Always written, without a branch: the next one overwrites it if this one is assigned.
            parts.open[variables] = index as u64;
            variables += usize::from(!domains.is_assigned(variable));
        }
        parts.open = &mut std::mem::take(&mut parts.open)[..variables];
        if variables == 0 {
            return self.check_assigned(domains, parts.owner);
        }
        let tight_limit = self.tight_limit(domains, parts.open, parts.buffer);
        if tight_limit == 0 {
            return Ok(());
        }
        self.match_tight(domains, tight_limit, &mut parts)?;
        let Parts { value_of, owner, buffer, open, .. } = parts;
        let variable_of = |node: usize| self.variables[open[node] as usize];
        // An additional node for all unmatched values. It leads to every matched variable, so that
        // all variables with a path to it form one component with it.
        let unmatched = variables;
        // The position of a value in the list of a variable is its distance from the smallest
        // `i32`, so the code of a value is the position after it.
        let (count, component) = components(variables + 1, buffer, |node, from| {
            if node == unmatched {
                let is_tight = |&index: &usize| domains.size(variable_of(index)) <= tight_limit;
                return (from as usize..variables)
                    .find(is_tight)
                    .map(|index| (index, index as u64 + 1));
            }
            let variable = variable_of(node);
            if domains.size(variable) > tight_limit {
                return None;
            }
            let mut at = decode(from + 1)?;
            loop {
                let value = domains.next_value(variable, at)?;
                match owner[self.values.number(value)] {
                    0 => return Some((unmatched, encode(value))),
                    other if other != node as u64 + 1 => {
                        return Some((other as usize - 1, encode(value)));
                    }
                    _ => at = value.checked_add(1)?,
                }
            }
        });
        if count == 1 {
            return Ok(());
        }
        // A matched value is reserved for the variables in the component of its owner, unless that
        // component contains the node `unmatched`: then any variable may have the value.
        let reserves = |owner: usize| component[owner] != component[unmatched];
        let reserved = (0..variables)
            .filter(|&node| reserves(node))
            .filter_map(|node| decode(value_of[open[node] as usize]).map(|value| (node, value)));
        let remaining: usize = (0..variables).map(|node| domains.size(variable_of(node))).sum();
        // Both loops remove the same values. The first one is fast if few values are reserved or
        // domains are wide; the second one keeps the work linear in the number of remaining values.
        if reserved.clone().count().saturating_mul(variables) <= remaining {
            for (owner, value) in reserved {
                for node in (0..variables).filter(|&node| component[node] != component[owner]) {
                    domains.remove(variable_of(node), value)?;
                }
            }
            return Ok(());
        }
        for node in 0..variables {
            domains.retain(variable_of(node), |value| match owner[self.values.number(value)] {
                0 => true,
                owner => {
                    let owner = owner as usize - 1;
                    !reserves(owner) || component[owner] == component[node]
                }
            })?;
        }
        Ok(())
    }
}

impl Matching {
    /// Fails unless all values are different. All variables are assigned.
    fn check_assigned(&self, domains: &Domains, is_taken: &mut [u64]) -> Pruned {
        is_taken.fill(0);
        for &variable in &self.variables {
            let value = domains.value(variable).ok_or(Wipeout(variable))?;
            if std::mem::replace(&mut is_taken[self.values.number(value)], 1) != 0 {
                return Err(Wipeout(variable));
            }
        }
        Ok(())
    }

    /// Returns the largest number m such that exactly m of the open variables have at most m values
    /// each. These variables are *tight*.
    ///
    /// The other variables can always be matched, in ascending order of their numbers of values:
    /// for every k > m, fewer than k variables have at most k values. When a variable with k values
    /// is reached, fewer than k − 1 others are matched, so that a value of it is still free.
    ///
    /// `counts` must have more words than there are variables, with any content.
    fn tight_limit(&self, domains: &Domains, open: &[u64], counts: &mut [u64]) -> usize {
        let mut limit = open.len();
        // The number of variables with each size of domain.
        let counts = &mut counts[..=limit];
        counts.fill(0);
        for &index in open {
            let variable = self.variables[index as usize];
            if let Some(count) = counts.get_mut(domains.size(variable)) {
                *count += 1;
            }
        }
        // The number of variables with at most `limit` values. It never exceeds `limit`.
        let mut tight: u64 = counts.iter().sum();
        while tight != limit as u64 {
            tight -= counts[limit];
            limit -= 1;
        }
        limit
    }

    fn parts<'a>(&self, scratch: &'a mut PropagatorScratch) -> Parts<'a> {
        let (variables, values) = (self.variables.len(), self.values.len());
        scratch.words.resize(3 * variables + 2 * values + words_for(variables + 1), 0);
        let (value_of, rest) = scratch.words.split_at_mut(variables);
        let (queue, rest) = rest.split_at_mut(variables);
        let (open, rest) = rest.split_at_mut(variables);
        let (owner, rest) = rest.split_at_mut(values);
        let (reached, buffer) = rest.split_at_mut(values);
        Parts { value_of, owner, reached, queue, open, buffer }
    }

    /// Matches all tight variables, the open ones with at most `tight_limit` values, and no others.
    /// Fails if there is no such matching.
    fn match_tight(&self, domains: &Domains, tight_limit: usize, parts: &mut Parts<'_>) -> Pruned {
        parts.owner.fill(0);
        let mut all = true;
        for node in 0..parts.open.len() {
            let index = parts.open[node] as usize;
            let variable = self.variables[index];
            if domains.size(variable) > tight_limit {
                parts.value_of[index] = 0;
                continue;
            }
            match decode(parts.value_of[index]).filter(|&value| domains.contains(variable, value)) {
                Some(value) if parts.owner[self.values.number(value)] == 0 => {
                    parts.owner[self.values.number(value)] = node as u64 + 1;
                }
                _ => {
                    parts.value_of[index] = 0;
                    all = false;
                }
            }
        }
        if all {
            return Ok(());
        }
        parts.reached.fill(0);
        for node in 0..parts.open.len() {
            let index = parts.open[node] as usize;
            let variable = self.variables[index];
            if parts.value_of[index] == 0
                && domains.size(variable) <= tight_limit
                && !self.augment(domains, node, parts)
            {
                return Err(Wipeout(variable));
            }
        }
        Ok(())
    }

    /// Matches a variable along an augmenting path. Returns whether there is one.
    fn augment(&self, domains: &Domains, start: usize, parts: &mut Parts<'_>) -> bool {
        let Parts { value_of, owner, reached, queue, open, .. } = parts;
        let search = start as u64 + 1;
        queue[0] = start as u64;
        let mut waiting = 1;
        let mut next = 0;
        while next < waiting {
            let from = queue[next];
            next += 1;
            for value in domains.values(self.variables[open[from as usize] as usize]) {
                let number = self.values.number(value);
                if reached[number] >> 32 == search {
                    continue;
                }
                reached[number] = search << 32 | from;
                if owner[number] != 0 {
                    queue[waiting] = owner[number] - 1;
                    waiting += 1;
                    continue;
                }
                // Flips the path, from its end back to `start`: each variable takes the value by
                // which the path leaves it. The variable before it on the path takes its old value.
                let mut value = value;
                loop {
                    let number = self.values.number(value);
                    let taker = reached[number] as u32 as usize;
                    let index = open[taker] as usize;
                    let old = decode(value_of[index]);
                    value_of[index] = encode(value);
                    owner[number] = taker as u64 + 1;
                    match old {
                        Some(old) => value = old,
                        None => return true,
                    }
                }
            }
        }
        false
    }
}

/// Adds the constraint that these variables have different values, with all values pruned that are
/// in no assignment of different values. If there are too many values, nothing is added.
pub(super) fn add(model: &mut Model, variables: &[Variable]) -> Result<(), ModelError> {
    let values = Numbering::union(variables.iter().map(|&variable| model.domain(variable)));
    if values.len() > MAX_VALUES {
        return Ok(());
    }
    let variables = variables.to_vec();
    match values.window() {
        Some(first) => model.propagator(AllDifferent(WordMatching { variables, first })),
        None => model.propagator(AllDifferent(Matching { variables, values })),
    }
}

/// A numbering of values from 0, in ascending order, without gaps.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// The first and the last value of each range, and the number of the first. The ranges are not
    /// adjacent.
    ranges: Vec<(i32, i32, usize)>,
    len: usize,
}

impl Numbering {
    /// Numbers the values that are in any of these domains, in time O(r log r) for r ranges.
    pub(super) fn union<'a>(domains: impl Iterator<Item = &'a Domain>) -> Self {
        let mut all: Vec<(i32, i32)> =
            domains.flat_map(|domain| domain.ranges()).copied().collect();
        all.sort_unstable();
        let mut ranges: Vec<(i32, i32, usize)> = Vec::new();
        for (low, high) in all {
            match ranges.last_mut() {
                Some((_, end, _)) if low <= end.saturating_add(1) => *end = high.max(*end),
                _ => ranges.push((low, high, 0)),
            }
        }
        let mut len = 0;
        for (low, high, first) in &mut ranges {
            *first = len;
            // All 2³² values have no number of 32 bits, but there are too many of them anyway.
            len = len.saturating_add(high.abs_diff(*low) as usize).saturating_add(1);
        }
        Numbering { ranges, len }
    }

    /// Returns the first value if all values are among the 64 integers from it on.
    fn window(&self) -> Option<i32> {
        let (first, last) = (self.ranges.first()?.0, self.ranges.last()?.1);
        (last.abs_diff(first) < u64::BITS).then_some(first)
    }

    /// Returns the number of values.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of a value, which must be one of them.
    #[inline]
    pub(super) fn number(&self, value: i32) -> usize {
        let range = match &self.ranges[..] {
            [only] => only,
            ranges => &ranges[ranges.partition_point(|range| range.1 < value)],
        };
        range.2 + value.abs_diff(range.0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn union_numbers_the_values_without_gaps() {
        let domains = [
            Domain::from([1, 2, 9]),
            Domain::from(2..=4),
            Domain::from([i32::MIN, i32::MAX]),
            Domain::from(4..=5),
        ];
        let values = [i32::MIN, 1, 2, 3, 4, 5, 9, i32::MAX];
        let numbering = Numbering::union(domains.iter());
        assert_eq!(numbering.len(), values.len());
        assert!(
            values.iter().enumerate().all(|(number, &value)| numbering.number(value) == number)
        );
        assert_eq!(Numbering::union([].into_iter()).len(), 0);
    }

    #[test]
    fn union_joins_adjacent_ranges() {
        let domains = (0..200).map(|index| Domain::from(100 * index..=100 * index + 99));
        let numbering = Numbering::union(domains.collect::<Vec<_>>().iter());
        assert_eq!(numbering.ranges, [(0, 19_999, 0)]);
        let halves = [Domain::from(i32::MIN..=-1), Domain::from(0..=i32::MAX)];
        let numbering = Numbering::union(halves.iter());
        assert_eq!(numbering.ranges, [(i32::MIN, i32::MAX, 0)]);
        // The number of values saturates where `usize` has 32 bits.
        let values = usize::try_from(1_u64 << 32).unwrap_or(usize::MAX);
        assert_eq!(numbering.len(), values);
    }
}
