//! The constraint of *global cardinality*: a range for the number of occurrences of each of several
//! values.
//!
//! It is propagated by a *flow* (Régin 1996): an assignment of a value to each
//! variable that respects the ranges. It is a matching in which each value has a range instead of
//! one owner. Moving a variable from value *v* to value *w* is an edge from *v* to *w*, and an
//! additional node, the *sink*, has an edge from each value that may occur once more and an edge to
//! each value that may occur once less. A variable can have another value exactly if the edge of
//! its move lies on a cycle: if both values are in the same strongly connected component. All
//! values without a range count as one, so that the graph is as small as the list of ranges.
//!
//! The last flow is kept as a hint: its valid part is reused, and the rest is repaired by
//! augmenting paths. A call takes time linear in the number of remaining values, times the
//! logarithm of the number of ranges. In the worst case, it takes as long again for each variable
//! that the hint leaves without a value and for each missing occurrence.

use std::collections::BTreeMap;
use std::ops::RangeBounds;

use super::components::{components, words_for};
use super::counting::ends;
use crate::propagator::are_distinct;
use crate::{Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wipeout};

/// Ranges of the numbers of occurrences of several values. There are variables, no variable and no
/// value occurs twice, and no range is empty.
///
/// The *class* of a value is its position in `values`. All other values form the last class.
#[derive(Clone, Debug)]
struct Cardinality {
    variables: Vec<Variable>,
    /// In ascending order.
    values: Vec<i32>,
    /// The smallest and the largest number of occurrences of each class.
    ranges: Vec<(u64, u64)>,
}

/// The mark of a class at which a search starts, instead of a variable that leads to it.
const SOURCE: u64 = u64::MAX;

/// The parts of [`PropagatorScratch`]. Variables are stored as their indices in the constraint.
///
/// A variable without a value is in an additional class, after the class of all other values.
struct Parts<'a> {
    /// The class of each variable in the flow, plus 1; or 0 for none. This is the only part that is
    /// kept from call to call.
    class_of: &'a mut [u64],
    /// The variables, sorted by their classes; and the position of the first one of each class.
    sorted: &'a mut [u64],
    start: &'a mut [u64],
    /// The number of variables in each class.
    number: &'a mut [u64],
    /// For each class that a search has reached, the variable that can move there, plus 1, or
    /// [`SOURCE`]; 0 for others.
    via: &'a mut [u64],
    /// The queue of classes of the breadth-first search.
    queue: &'a mut [u64],
    /// The set of variables that have values of the last class.
    others: &'a mut [u64],
    /// The scratch of [`components`].
    rest: &'a mut [u64],
}

impl Propagator for Cardinality {
    fn name(&self) -> &str {
        "global cardinality"
    }

    fn scope(&self) -> &[Variable] {
        &self.variables
    }

    fn holds(&self, values: &[i32]) -> bool {
        let mut numbers = vec![0; self.ranges.len()];
        values.iter().for_each(|&value| numbers[self.class(value)] += 1);
        self.ranges.iter().zip(&numbers).all(|(&(low, high), number)| (low..=high).contains(number))
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let mut parts = self.parts(scratch);
        self.reuse_flow(domains, &mut parts);
        self.complete_flow(domains, &mut parts)?;
        self.sort(&mut parts);
        let Parts { class_of, sorted, start, number, others, rest, .. } = parts;
        let sink = self.ranges.len();
        // The list of a class: first the sink, then the classes of each of its variables. Each
        // variable takes as many positions as there are nodes.
        let nodes = sink as u64 + 1;
        let (count, component) = components(sink + 1, rest, |node, from| {
            if node == sink {
                let mut after = from as usize..sink;
                let class = after.find(|&class| number[class] > self.ranges[class].0)?;
                return Some((class, class as u64 + 1));
            }
            if from == 0 && number[node] < self.ranges[node].1 {
                return Some((sink, 1));
            }
            let (mut place, mut class) = match from.checked_sub(1) {
                Some(from) => (from / nodes, from % nodes),
                None => (0, 0),
            };
            while let Some(&index) =
                sorted[start[node] as usize..start[node + 1] as usize].get(place as usize)
            {
                if let Some(to) = self.next_class(domains, others, index as usize, class as usize) {
                    return Some((to, 1 + place * nodes + to as u64 + 1));
                }
                (place, class) = (place + 1, 0);
            }
            None
        });
        if count == 1 {
            return Ok(());
        }
        for (index, &variable) in self.variables.iter().enumerate() {
            let own = class_of[index] as usize - 1;
            let mut from = 0;
            while let Some(class) = self.next_class(domains, others, index, from) {
                from = class + 1;
                if component[class] == component[own] {
                    continue;
                }
                match self.values.get(class) {
                    Some(&value) => domains.remove(variable, value)?,
                    None => {
                        domains.retain(variable, |value| self.class(value) < self.values.len())?
                    }
                };
            }
        }
        Ok(())
    }

    fn propagates_last(&self) -> bool {
        true
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    /// More expensive than propagators that visit each variable once.
    fn cost(&self) -> u32 {
        u32::try_from(self.variables.len()).unwrap_or(u32::MAX).saturating_mul(8)
    }
}

impl Cardinality {
    fn class(&self, value: i32) -> usize {
        self.values.binary_search(&value).unwrap_or(self.values.len())
    }

    /// Returns the first class from `from` on in which a variable has values.
    fn next_class(
        &self,
        domains: &Domains,
        others: &[u64],
        index: usize,
        from: usize,
    ) -> Option<usize> {
        let last = self.values.len();
        self.next_listed(domains, index, from).or_else(|| {
            let has_others = others[index / 64] >> (index % 64) & 1 != 0;
            (from <= last && has_others).then_some(last)
        })
    }

    /// Returns the first class from `from` on, except the last class, in which a variable has a
    /// value.
    fn next_listed(&self, domains: &Domains, index: usize, from: usize) -> Option<usize> {
        let mut class = from;
        loop {
            let value = *self.values.get(class)?;
            let next = domains.next_value(self.variables[index], value)?;
            if next == value {
                return Some(class);
            }
            class += self.values[class..].partition_point(|&value| value < next);
        }
    }

    fn parts<'a>(&self, scratch: &'a mut PropagatorScratch) -> Parts<'a> {
        // With the additional class.
        let (variables, classes) = (self.variables.len(), self.ranges.len() + 1);
        let others = variables.div_ceil(64);
        scratch.words.resize(2 * variables + others + 4 * classes + 1 + words_for(classes), 0);
        let (class_of, rest) = scratch.words.split_at_mut(variables);
        let (sorted, rest) = rest.split_at_mut(variables);
        let (others, rest) = rest.split_at_mut(others);
        let (start, rest) = rest.split_at_mut(classes + 1);
        let (number, rest) = rest.split_at_mut(classes);
        let (via, rest) = rest.split_at_mut(classes);
        let (queue, rest) = rest.split_at_mut(classes);
        Parts { class_of, sorted, start, number, via, queue, others, rest }
    }

    /// Keeps the classes of the last flow that are still possible, and assigns other variables to
    /// the first class with room, if there is one.
    fn reuse_flow(&self, domains: &Domains, parts: &mut Parts<'_>) {
        let unassigned = self.ranges.len();
        parts.number.fill(0);
        parts.others.fill(0);
        for (index, &variable) in self.variables.iter().enumerate() {
            let (mut listed, mut from, mut is_possible) = (0, 0, false);
            while let Some(class) = self.next_listed(domains, index, from) {
                listed += 1;
                from = class + 1;
                is_possible |= parts.class_of[index] == class as u64 + 1;
            }
            if domains.size(variable) > listed {
                parts.others[index / 64] |= 1 << (index % 64);
                is_possible |= parts.class_of[index] == unassigned as u64;
            }
            let class = parts.class_of[index] as usize;
            if is_possible && parts.number[class - 1] < self.ranges[class - 1].1 {
                parts.number[class - 1] += 1;
            } else {
                parts.class_of[index] = 0;
            }
        }
        for index in 0..self.variables.len() {
            if parts.class_of[index] != 0 {
                continue;
            }
            let mut from = 0;
            let class = loop {
                match self.next_class(domains, parts.others, index, from) {
                    Some(class) if parts.number[class] < self.ranges[class].1 => break class,
                    Some(class) => from = class + 1,
                    None => break unassigned,
                }
            };
            parts.class_of[index] = class as u64 + 1;
            parts.number[class] += 1;
        }
    }

    /// Gives each variable a class such that all numbers are in their ranges. Fails if that is
    /// impossible.
    ///
    /// Paths from a class above its smallest number suffice for missing occurrences: a flow that
    /// respects all ranges differs from the current assignment by such paths and by cycles.
    fn complete_flow(&self, domains: &Domains, parts: &mut Parts<'_>) -> Pruned {
        let unassigned = self.ranges.len();
        let has_room = |class: usize, number: u64| number < self.ranges[class].1;
        while parts.number[unassigned] > 0 {
            if !self.shift(domains, parts, |class, _| class == unassigned, has_room) {
                return Err(Wipeout(self.variables[0]));
            }
        }
        for (class, &(low, _)) in self.ranges.iter().enumerate() {
            while parts.number[class] < low {
                let exceeds = |class: usize, number: u64| {
                    self.ranges.get(class).is_some_and(|range| number > range.0)
                };
                if !self.shift(domains, parts, exceeds, |to, _| to == class) {
                    return Err(Wipeout(self.variables[0]));
                }
            }
        }
        Ok(())
    }

    /// Sorts the variables by their classes.
    fn sort(&self, parts: &mut Parts<'_>) {
        let Parts { class_of, sorted, start, number, .. } = parts;
        // At first, the end of each class; moved down to its start as its variables are placed.
        let mut end = 0;
        for (start, number) in start.iter_mut().zip(&**number) {
            end += number;
            *start = end;
        }
        start[number.len()] = end;
        for (index, &class) in class_of.iter().enumerate() {
            let start = &mut start[class as usize - 1];
            *start -= 1;
            sorted[*start as usize] = index as u64;
        }
    }

    /// Moves variables along a shortest path of classes, so that a source has one variable less and
    /// a target one more. Both conditions get a class and its number of variables, and no class
    /// satisfies both. Returns whether there is a path.
    fn shift(
        &self,
        domains: &Domains,
        parts: &mut Parts<'_>,
        is_source: impl Fn(usize, u64) -> bool,
        is_target: impl Fn(usize, u64) -> bool,
    ) -> bool {
        self.sort(parts);
        let Parts { class_of, sorted, start, number, via, queue, others, .. } = parts;
        let mut waiting = 0;
        for (class, via) in via.iter_mut().enumerate() {
            *via = 0;
            if is_source(class, number[class]) {
                *via = SOURCE;
                queue[waiting] = class as u64;
                waiting += 1;
            }
        }
        let mut next = 0;
        while next < waiting {
            let class = queue[next] as usize;
            next += 1;
            for &index in &sorted[start[class] as usize..start[class + 1] as usize] {
                let mut from = 0;
                while let Some(to) = self.next_class(domains, others, index as usize, from) {
                    from = to + 1;
                    if via[to] != 0 {
                        continue;
                    }
                    via[to] = index + 1;
                    if !is_target(to, number[to]) {
                        queue[waiting] = to as u64;
                        waiting += 1;
                        continue;
                    }
                    // Follows the path back to its source: each class on it gets the variable that
                    // leads to it.
                    number[to] += 1;
                    let mut to = to;
                    while via[to] != SOURCE {
                        let class = &mut class_of[via[to] as usize - 1];
                        let before = *class as usize - 1;
                        *class = to as u64 + 1;
                        to = before;
                    }
                    number[to] -= 1;
                    return true;
                }
            }
        }
        false
    }
}

impl Model {
    /// Requires for each value in `occurrences` that the number of variables that have it lies in
    /// its range. Other values may occur any number of times; [`restrict`](Self::restrict) the
    /// variables to exclude them. A value that is listed more than once must satisfy all of its
    /// ranges, and an empty range has no solution.
    ///
    /// [Full propagation](crate::Propagate::full) prunes every value that is in no solution of
    /// the constraint (Régin 1996): for example, it notices that three variables cannot share two
    /// values that may each occur once. A call takes time linear in the number of remaining values,
    /// times the logarithm of the number of listed values. In the worst case, it takes as long
    /// again for each variable whose value in the last flow was pruned. The levels below prune
    /// nothing before all variables but one are assigned.
    ///
    /// A call costs several times as much as those of [`count`](Self::count) for each value, which
    /// prune almost as much as long as few values are close to the ends of their ranges.
    ///
    /// If a variable occurs more than once, it counts as often, and each value is propagated by
    /// [`count`](Self::count) only: to find all values without a solution is then NP-hard.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
    ///
    /// // Six people and three tasks, for two people each.
    /// let mut model = Model::new();
    /// let people = model.variables(6, 1..=3)?;
    /// model.global_cardinality(&people, (1..=3).map(|task| (task, 2..=2)))?;
    /// // The first three can do the first task only.
    /// let mut refuted = model.clone();
    /// for &person in &people[..3] {
    ///     refuted.restrict(person, |task| task == 1)?;
    /// }
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!(outcome.exact(), Some(90)); // 6! / 2!³
    /// let network = refuted.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn global_cardinality<R: RangeBounds<i64>>(
        &mut self,
        variables: &[Variable],
        occurrences: impl IntoIterator<Item = (i32, R)>,
    ) -> Result<(), ModelError> {
        self.check(variables.iter().copied())?;
        let mut ranges: BTreeMap<i32, (i64, i64)> = BTreeMap::new();
        for (value, range) in occurrences {
            let (low, high) = ends(&range);
            let both = ranges.entry(value).or_insert((0, i64::MAX));
            *both = (both.0.max(low), both.1.min(high));
        }
        let has_empty = ranges.values().any(|&(low, high)| low > high);
        if variables.is_empty() || ranges.is_empty() || has_empty || !are_distinct(variables) {
            return ranges
                .into_iter()
                .try_for_each(|(value, (low, high))| self.count(variables, value, low..=high));
        }
        let values = ranges.keys().copied().collect();
        // No range is empty and no low end is negative, so that no high end is negative either.
        let ranges = ranges.into_values().map(|(low, high)| (low as u64, high as u64));
        let ranges = ranges.chain([(0, u64::MAX)]).collect();
        self.propagator(Cardinality { variables: variables.to_vec(), values, ranges })
    }
}
