//! Variables that are a function of others: an element of an array (*element*), the smallest and
//! the largest value (*minimum*, *maximum*).
//!
//! An element of an array of constants is stated as a table of two columns. For an array of
//! variables (Van Hentenryck and Carillon 1988), an index remains if its variable shares a value
//! with the result, and a value of the result remains if the variable of a remaining index has it.
//! The variables of the array are pruned only once all remaining indices lead to the same variable.
//! This prunes every value that is in no solution: as long as a second variable can be the result,
//! each of them is free.
//!
//! Minimum and maximum are propagated by bounds. They are one propagator, because the bitwise
//! complement reverses the order of all 32-bit integers: it is never out of range, unlike the
//! negation.

use crate::propagator::probe;
use crate::{
    Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wake, Wipeout,
};

/// The result is the element of an array at an index.
#[derive(Clone, Debug)]
struct Element {
    /// The index, the result, and the array. All values of the index are positions in the array.
    scope: Vec<Variable>,
}

impl Propagator for Element {
    fn name(&self) -> &str {
        "element"
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        usize::try_from(values[0]).is_ok_and(|index| values[2..].get(index) == Some(&values[1]))
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let (index, result, array) = (self.scope[0], self.scope[1], &self.scope[2..]);
        // The values of the result that some remaining element has.
        let common = &mut scratch.words;
        common.clear();
        let slot = domains.layout.slot(result);
        common.resize(slot.words as usize, 0);
        let mut from = domains.min(index);
        // The variable of all remaining indices, if it is the same one.
        let (mut sole, mut is_sole) = (None, true);
        while let Some(position) = from {
            let element = array[position as usize];
            if unite_common(domains, result, element, common) {
                is_sole &= sole.is_none_or(|sole| sole == element);
                sole = Some(element);
            } else {
                domains.remove(index, position)?;
            }
            from = position.checked_add(1).and_then(|next| domains.next_value(index, next));
        }
        let is_common = |value: i32| {
            let bit = value.abs_diff(slot.base) as usize;
            let word = common.get(bit / 64).filter(|_| value >= slot.base);
            word.is_some_and(|word| word >> (bit % 64) & 1 != 0)
        };
        let remaining = (0..).map(|index| domains.value_word(slot, index));
        if !remaining.zip(common.iter()).all(|(remaining, &common)| remaining == common) {
            domains.retain(result, is_common)?;
        }
        match sole.filter(|_| is_sole) {
            Some(sole) => domains.retain(sole, is_common).map(|_| ()),
            None => Ok(()),
        }
    }

    fn entailment(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Option<bool> {
        let before = domains.trail_length();
        probe(self, domains, scratch).or_else(|| {
            let (index, result, array) = (self.scope[0], self.scope[1], &self.scope[2..]);
            let value = domains.value(result)?;
            let mut elements = domains.values(index).map(|position| array[position as usize]);
            let is_equal = elements.all(|element| domains.value(element) == Some(value));
            (is_equal && domains.trail_length() == before).then_some(true)
        })
    }

    fn propagates_last(&self) -> bool {
        true
    }

    /// A call prunes the index by values of the array that it does not prune, unless the index is
    /// the result as well or is in the array.
    fn is_idempotent(&self) -> bool {
        !self.scope[1..].contains(&self.scope[0])
    }
}

/// Adds the values that two variables share to a set, whose words are those of the domain of
/// `result`. Returns whether there are any.
fn unite_common(domains: &Domains, result: Variable, other: Variable, common: &mut [u64]) -> bool {
    let Some((low, high)) = domains.bounds(other) else { return false };
    let slot = domains.layout.slot(result);
    // The word of `result` for a value; the first one for smaller values.
    let word_of = |value: i32| (i64::from(value) - i64::from(slot.base)).max(0) as usize / 64;
    let mut any = 0;
    for index in word_of(low)..common.len().min(word_of(high) + 1) {
        // This does not overflow: the largest value of `result` is in the last word.
        let first = slot.base.wrapping_add(64 * index as i32);
        let both = domains.value_word(slot, index as i64) & domains.mask_from(other, first);
        any |= both;
        common[index] |= both;
    }
    any != 0
}

/// An extreme value, and the order in which it is the largest one. For the minimum it is the
/// reversed order, in which the bitwise complements stand for the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extremum {
    Maximum,
    Minimum,
}

impl Extremum {
    /// Returns the smallest and the largest value of a variable; in the reversed order, those of
    /// the complements.
    #[inline]
    pub(super) fn bounds(
        self,
        domains: &Domains,
        variable: Variable,
    ) -> Result<(i32, i32), Wipeout> {
        let (min, max) = domains.bounds(variable).ok_or(Wipeout(variable))?;
        Ok(match self {
            Extremum::Maximum => (min, max),
            Extremum::Minimum => (!max, !min),
        })
    }

    #[inline]
    pub(super) fn at_least(
        self,
        domains: &mut Domains,
        variable: Variable,
        value: i32,
    ) -> Result<bool, Wipeout> {
        match self {
            Extremum::Maximum => domains.at_least(variable, value),
            Extremum::Minimum => domains.at_most(variable, !value),
        }
    }

    #[inline]
    pub(super) fn at_most(
        self,
        domains: &mut Domains,
        variable: Variable,
        value: i32,
    ) -> Result<bool, Wipeout> {
        match self {
            Extremum::Maximum => domains.at_most(variable, value),
            Extremum::Minimum => domains.at_least(variable, !value),
        }
    }
}

/// The result is the largest or the smallest value of other variables.
#[derive(Clone, Debug)]
struct Extreme {
    extremum: Extremum,
    /// The result, and the other variables without repetitions.
    scope: Vec<Variable>,
}

impl Propagator for Extreme {
    fn name(&self) -> &str {
        if self.extremum == Extremum::Maximum { "maximum" } else { "minimum" }
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let others = values[1..].iter();
        let is_largest = self.extremum == Extremum::Maximum;
        let extreme = if is_largest { others.max() } else { others.min() };
        extreme == Some(&values[0])
    }

    /// Prunes by bounds, in terms of the maximum.
    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let (extremum, result, others) = (self.extremum, self.scope[0], &self.scope[1..]);
        let (mut least, mut most) = (i32::MIN, None);
        for &other in others {
            let (min, max) = extremum.bounds(domains, other)?;
            least = least.max(min);
            most = most.max(Some(max));
        }
        extremum.at_least(domains, result, least)?;
        extremum.at_most(domains, result, most.ok_or(Wipeout(result))?)?;
        let (low, high) = extremum.bounds(domains, result)?;
        // The largest value after pruning; and the variables that may be the maximum.
        let mut reached = i32::MIN;
        let (mut candidate, mut candidates) = (result, 0);
        for &other in others {
            extremum.at_most(domains, other, high)?;
            let max = extremum.bounds(domains, other)?.1;
            reached = reached.max(max);
            if max >= low {
                candidate = other;
                candidates += 1;
            }
        }
        match candidates {
            0 => return Err(Wipeout(result)),
            1 => {
                extremum.at_least(domains, candidate, low)?;
            }
            _ => {}
        }
        // A bound that has moved further than asked for, because a value is missing from a domain,
        // may move others.
        if reached < high || candidates == 1 && extremum.bounds(domains, candidate)?.0 > low {
            scratch.call_again();
        }
        Ok(())
    }

    fn propagates_last(&self) -> bool {
        true
    }

    fn wake(&self, _: usize) -> Wake {
        Wake::Bounds
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

impl Model {
    /// Requires that `result` is the element of `array` at position `index`, counted from 0.
    ///
    /// Restricts the index to the positions of the array; an empty array has no solution. A
    /// variable may occur more than once.
    ///
    /// [Full propagation](crate::Propagate::full) prunes every value that is in no solution of
    /// the constraint, unless the index is the result as well or is in the array (Van Hentenryck
    /// and Carillon 1988). A call takes time linear in the memory of the domains. The levels below
    /// prune nothing before all variables but one are assigned.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
    ///
    /// // The inverse of a permutation undoes it: inverse[permutation[i]] = i.
    /// let mut model = Model::new();
    /// let permutation = model.variables(5, 0..5)?;
    /// let inverse = model.variables(5, 0..5)?;
    /// for (place, &image) in (0..).zip(&permutation) {
    ///     let place = model.variable(place)?;
    ///     model.element(image, &inverse, place)?;
    /// }
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!(outcome.exact(), Some(120));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn element(
        &mut self,
        index: Variable,
        array: &[Variable],
        result: Variable,
    ) -> Result<(), ModelError> {
        let scope: Vec<Variable> =
            [index, result].into_iter().chain(array.iter().copied()).collect();
        self.check(scope.iter().copied())?;
        self.restrict(index, |value| usize::try_from(value).is_ok_and(|at| at < array.len()))?;
        self.propagator(Element { scope })
    }

    /// Requires that `result` is the number of `array` at position `index`, counted from 0.
    ///
    /// States a [`table`](Self::table) of all positions with their numbers, with its pruning and
    /// costs; index and result lose all values that are not in it.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
    ///
    /// // Two different items whose prices add up to 9.
    /// let mut model = Model::new();
    /// let prices = [5, 2, 7, 4, 2];
    /// let items = model.variables(2, 0..5)?;
    /// let paid = model.variables(2, 0..=9)?;
    /// for (&item, &price) in items.iter().zip(&paid) {
    ///     model.element_constants(item, &prices, price)?;
    /// }
    /// model.linear([(1, items[0]), (-1, items[1])], ..0)?;
    /// model.sum(&paid, 9..=9)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!(outcome.exact(), Some(3)); // 5 + 4, 2 + 7, 7 + 2
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn element_constants(
        &mut self,
        index: Variable,
        array: &[i32],
        result: Variable,
    ) -> Result<(), ModelError> {
        let rows = (0..=i32::MAX).zip(array).map(|(position, &number)| [position, number]);
        self.table(&[index, result], rows)
    }

    /// Requires that `result` is the largest value of the variables. Without variables there is no
    /// solution.
    ///
    /// [Full propagation](crate::Propagate::full) is by bounds: afterwards, the smallest and
    /// the largest value of each variable are in a solution of the constraint in which the other
    /// variables have any integers between their bounds. If no value is missing between the bounds,
    /// every remaining value is in a solution. A call takes time linear in the number of variables,
    /// and is repeated only if a bound moved past missing values. The levels below prune nothing
    /// before all variables but one are assigned.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate, minimise};
    ///
    /// // Jobs of 5, 4, 3, 3 and 3 hours on two machines: the first machine works x hours, the
    /// // other one the rest of 18, and both are done after the maximum of them.
    /// let mut model = Model::new();
    /// let is_on_first = model.variables(5, 0..=1)?;
    /// let [first, second, end] = model.variables(3, 0..=18)?[..] else { unreachable!() };
    /// let hours = [5, 4, 3, 3, 3].into_iter().zip(is_on_first).collect::<Vec<_>>();
    /// model.linear(hours.into_iter().chain([(-1, first)]), 0..=0)?;
    /// model.sum(&[first, second], 18..=18)?;
    /// model.maximum(end, &[first, second])?;
    /// let network = model.build();
    /// let (objective, shorter) = minimise(end);
    /// let outcome = Search::new(&network).hooks((shorter, Propagate::full())).best(&objective);
    /// assert_eq!(outcome.proven(), Some(&9));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn maximum(&mut self, result: Variable, variables: &[Variable]) -> Result<(), ModelError> {
        self.extreme(result, variables, Extremum::Maximum)
    }

    /// Requires that `result` is the smallest value of the variables. Without variables there is no
    /// solution. Pruning and costs are those of [`maximum`](Self::maximum).
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
    ///
    /// // Two dice, the smaller one of which shows 3.
    /// let mut model = Model::new();
    /// let dice = model.variables(2, 1..=6)?;
    /// let three = model.variable(3)?;
    /// model.minimum(three, &dice)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!(outcome.exact(), Some(7));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn minimum(&mut self, result: Variable, variables: &[Variable]) -> Result<(), ModelError> {
        self.extreme(result, variables, Extremum::Minimum)
    }

    fn extreme(
        &mut self,
        result: Variable,
        variables: &[Variable],
        extremum: Extremum,
    ) -> Result<(), ModelError> {
        // A variable that occurs twice would count as two that may have the extreme value.
        let mut others = variables.to_vec();
        others.sort_unstable();
        others.dedup();
        let scope = [result].into_iter().chain(others).collect();
        self.propagator(Extreme { extremum, scope })
    }
}
