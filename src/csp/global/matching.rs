//! All different, looked at as a whole: by matchings of variables with values.
//!
//! Values for all variables, all of them different, are a *matching* in the graph that joins each
//! variable to the values it has left. If there is none, the constraint fails. If there is one, a
//! value may stay with a variable if it is matched with it, or if the matching can be changed so
//! that it is: along a cycle, or along a path that ends in a value that nobody needs (Berge 1957).
//! The graph in which a variable leads to those whose matched values it could take shows both: the
//! two variables must lie in one *strongly connected component*, where all that leads to an
//! unneeded value counts as one (Régin 1994). So every value is taken away that is in no solution
//! of the constraint.
//!
//! The matching found last is kept as a hint: what is still valid of it is kept, and the rest
//! repaired by augmenting paths. Variables that have more values than there are others to compete
//! with are left out of the matching, since they never lack a value; all that can happen to them is
//! to lose the values that others need.
//!
//! Cost: for each variable whose value has gone, at worst the number of all values left; then the
//! values left, once.

use super::components::{components, words_for};
use crate::csp::{
    Domain, Domains, Model, ModelError, Propagator, PropagatorScratch, Variable, Wipeout,
};

/// Different variables, at least two, with different values.
#[derive(Clone, Debug)]
struct Matching {
    variables: Vec<Variable>,
    /// All values that some variable had to begin with.
    values: Numbering,
}

/// Where there are more values than this, numbering them would take more memory than it is worth.
const MAX_VALUES: usize = 1 << 20;

/// The parts of [`PropagatorScratch`]. In all of them 0 is nothing, and everything else counts from 1.
struct Parts<'a> {
    /// The value that each variable is matched with, counted from the smallest 32-bit integer. The
    /// only part that outlasts a call.
    value_of: &'a mut [u64],
    /// The variable that each value is matched with.
    owner: &'a mut [u64],
    /// From which variable each value was reached last, and when looking for a value for whom.
    reached: &'a mut [u64],
    /// Variables that are to be looked at.
    queue: &'a mut [u64],
    /// For components.
    rest: &'a mut [u64],
}

fn encode(value: i32) -> u64 {
    u64::from(value.abs_diff(i32::MIN)) + 1
}

fn decode(code: u64) -> Option<i32> {
    Some(i32::MIN.wrapping_add_unsigned(u32::try_from(code.checked_sub(1)?).ok()?))
}

impl Propagator for Matching {
    fn name(&self) -> &str {
        "all different by matching"
    }

    fn scope(&self) -> &[Variable] {
        &self.variables
    }

    fn holds(&self, values: &[i32]) -> bool {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).all(|two| two[0] != two[1])
    }

    fn propagate(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        let most = self.most_values(domains);
        if most == 0 {
            return Ok(());
        }
        let variables = self.variables.len();
        let mut parts = self.parts(scratch);
        self.match_all(domains, most, &mut parts)?;
        let Parts { value_of, owner, rest, .. } = parts;
        // One more node, for all values that are matched with nobody.
        let unneeded = variables;
        let (count, component) = components(variables + 1, rest, |node, from| {
            if node == unneeded {
                let tight = |&index: &usize| domains.size(self.variables[index]) <= most;
                return (from as usize..variables)
                    .find(tight)
                    .map(|index| (index, index as u64 + 1));
            }
            let variable = self.variables[node];
            if domains.size(variable) > most {
                return None;
            }
            let mut at = decode(from + 1)?;
            loop {
                let value = domains.next_value(variable, at)?;
                match owner[self.values.number(value)] {
                    0 => return Some((unneeded, encode(value))),
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
        for (index, value) in value_of.iter().enumerate() {
            // Those that are left out of the matching have no value in it.
            let Some(value) = decode(*value) else { continue };
            if component[index] == component[unneeded] {
                continue;
            }
            for (&other, _) in
                self.variables.iter().zip(component).filter(|(_, of)| **of != component[index])
            {
                domains.remove(other, value)?;
            }
        }
        Ok(())
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

    /// More than what looks at each variable once.
    fn cost(&self) -> u32 {
        u32::try_from(self.variables.len()).unwrap_or(u32::MAX).saturating_mul(8)
    }
}

impl Matching {
    /// The largest number m such that m variables have at most m values: variables that have more
    /// find a value whatever the others take.
    fn most_values(&self, domains: &Domains) -> usize {
        let mut most = self.variables.len();
        loop {
            let tight =
                self.variables.iter().filter(|&&variable| domains.size(variable) <= most).count();
            if tight == most {
                return most;
            }
            most = tight;
        }
    }

    fn parts<'a>(&self, scratch: &'a mut PropagatorScratch) -> Parts<'a> {
        let (variables, values) = (self.variables.len(), self.values.len());
        scratch.resize(2 * variables + 2 * values + words_for(variables + 1), 0);
        let (value_of, rest) = scratch.split_at_mut(variables);
        let (queue, rest) = rest.split_at_mut(variables);
        let (owner, rest) = rest.split_at_mut(values);
        let (reached, rest) = rest.split_at_mut(values);
        Parts { value_of, owner, reached, queue, rest }
    }

    /// Matches all variables that have at most `most` values, and no others.
    fn match_all(
        &self,
        domains: &Domains,
        most: usize,
        parts: &mut Parts<'_>,
    ) -> Result<(), Wipeout> {
        parts.owner.fill(0);
        let mut all = true;
        for (index, &variable) in self.variables.iter().enumerate() {
            if domains.size(variable) > most {
                parts.value_of[index] = 0;
                continue;
            }
            match decode(parts.value_of[index]).filter(|&value| domains.contains(variable, value)) {
                Some(value) if parts.owner[self.values.number(value)] == 0 => {
                    parts.owner[self.values.number(value)] = index as u64 + 1;
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
        for (index, &variable) in self.variables.iter().enumerate() {
            if parts.value_of[index] == 0
                && domains.size(variable) <= most
                && !self.augment(domains, index, parts)
            {
                return Err(Wipeout(variable));
            }
        }
        Ok(())
    }

    /// Finds a value for a variable, if need be one that others give up for another; false if there
    /// is none.
    fn augment(&self, domains: &Domains, start: usize, parts: &mut Parts<'_>) -> bool {
        let Parts { value_of, owner, reached, queue, .. } = parts;
        let search = (start as u64 + 1) << 32;
        queue[0] = start as u64;
        let mut waiting = 1;
        let mut next = 0;
        while next < waiting {
            let from = queue[next];
            next += 1;
            for value in domains.values(self.variables[from as usize]) {
                let number = self.values.number(value);
                if reached[number] & !0xffff_ffff == search {
                    continue;
                }
                reached[number] = search | from;
                if owner[number] != 0 {
                    queue[waiting] = owner[number] - 1;
                    waiting += 1;
                    continue;
                }
                // Each on the way back takes the value that led on from it, and leaves its own to
                // the one before.
                let mut value = value;
                loop {
                    let number = self.values.number(value);
                    let taker = (reached[number] & 0xffff_ffff) as usize;
                    let left = decode(value_of[taker]);
                    value_of[taker] = encode(value);
                    owner[number] = taker as u64 + 1;
                    match left {
                        Some(left) => value = left,
                        None => return true,
                    }
                }
            }
        }
        false
    }
}

impl Model {
    /// All of these variables have different values, looked at as a whole: [full
    /// propagation](crate::csp::Propagate::full) takes away every value that is in no choice of
    /// different values for all of them, and so finds at once that, say, three variables cannot
    /// share two values.
    ///
    /// Stated together with [`all_different`](Self::all_different), which is what the levels below
    /// full propagation look at, and which takes the values of assigned variables away before
    /// matchings are thought about. A call costs time proportional to the values left and to the
    /// number of different values, and memory to the latter; where there are more than 2²⁰, the
    /// variables are looked at pair by pair only.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Model, Propagate};
    ///
    /// // Ten pigeons and nine holes, found out at the root.
    /// let mut model = Model::new();
    /// let pigeons = model.variables(10, 1..=9)?;
    /// model.all_different_matching(&pigeons)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hooks((Propagate::full(),)).count();
    /// assert_eq!(outcome.exact(), Some(0));
    /// assert_eq!(outcome.report().nodes(), 1);
    /// # Ok::<(), secateurs::csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn all_different_matching(&mut self, variables: &[Variable]) -> Result<(), ModelError> {
        self.all_different(variables)?;
        let values = Numbering::union(variables.iter().map(|&variable| self.domain(variable)));
        let mut sorted = variables.to_vec();
        sorted.sort_unstable();
        // A variable that is to differ from itself has lost its values already.
        let repeated = sorted.windows(2).any(|two| two[0] == two[1]);
        if variables.len() < 2 || repeated || values.len() > MAX_VALUES {
            return Ok(());
        }
        self.propagator(Matching { variables: variables.to_vec(), values })
    }
}

/// The values of a domain in ascending order, numbered.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// The first and last value of each range, and the number of the first.
    ranges: Vec<(i32, i32, usize)>,
    len: usize,
}

impl Numbering {
    /// Numbers the values that are in any of these domains. Cost: sorting their ranges.
    pub(super) fn union<'a>(domains: impl Iterator<Item = &'a Domain>) -> Self {
        let mut all: Vec<(i32, i32)> =
            domains.flat_map(|domain| domain.ranges()).copied().collect();
        all.sort_unstable();
        let mut ranges: Vec<(i32, i32, usize)> = Vec::new();
        for (low, high) in all {
            match ranges.last_mut() {
                Some((_, end, _)) if low <= *end => *end = high.max(*end),
                _ => ranges.push((low, high, 0)),
            }
        }
        let mut len = 0;
        for (low, high, first) in &mut ranges {
            *first = len;
            len += high.abs_diff(*low) as usize + 1;
        }
        Numbering { ranges, len }
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The number of a value that is one of them.
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
    fn numbers_without_gaps() {
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
}
