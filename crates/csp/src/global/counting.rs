//! Constraints on the number of variables that have a value: one value (*count*), any of several
//! values (*among*), or the value of a variable.
//!
//! A count is propagated by two numbers: the variables that have the value, and those that may have
//! it. A variable gains or loses the value only when one of these numbers has reached an end of the
//! range.

use std::ops::{Bound, RangeBounds};

use crate::propagator::are_distinct;
use crate::{
    Domain, Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wipeout,
};

/// Returns the smallest and the largest number of a range. As a number of occurrences is neither
/// negative nor the largest 64-bit number, it is in the range exactly if it lies between them.
pub(super) fn ends(range: &impl RangeBounds<i64>) -> (i64, i64) {
    let low = match range.start_bound() {
        Bound::Included(&low) => low,
        Bound::Excluded(&low) => low.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let high = match range.end_bound() {
        Bound::Included(&high) => high,
        Bound::Excluded(&high) => high.saturating_sub(1),
        Bound::Unbounded => i64::MAX,
    };
    (low, high)
}

/// The values whose occurrences are counted.
#[derive(Clone, Debug)]
enum Counted {
    Value(i32),
    Set(Domain),
}

impl Counted {
    fn has(&self, value: i32) -> bool {
        match self {
            Counted::Value(counted) => value == *counted,
            Counted::Set(set) => set.contains(value),
        }
    }

    /// Returns whether the variable may have one of the values, and whether it must.
    #[inline]
    fn occurs(&self, domains: &Domains, variable: Variable) -> (bool, bool) {
        match self {
            Counted::Value(value) => {
                let may = domains.contains(variable, *value);
                (may, may && domains.is_assigned(variable))
            }
            Counted::Set(set) => {
                let (mut may, mut must) = (false, true);
                let mut next = domains.min(variable);
                for &(low, high) in set.ranges() {
                    must &= next.is_none_or(|next| next >= low);
                    let inside = domains.next_value(variable, low).filter(|&value| value <= high);
                    may |= inside.is_some();
                    if next.is_some_and(|next| next <= high) {
                        let above = high.checked_add(1);
                        next = above.and_then(|above| domains.next_value(variable, above));
                    }
                }
                (may, must && next.is_none())
            }
        }
    }

    /// Returns the number of variables that must have one of the values, and that may have one.
    #[inline]
    fn numbers(&self, domains: &Domains, variables: &[Variable]) -> (i64, i64) {
        let (mut least, mut most) = (0, 0);
        for &variable in variables {
            let (may, must) = self.occurs(domains, variable);
            most += i64::from(may);
            least += i64::from(must);
        }
        (least, most)
    }

    /// Prunes so that the number of variables that have one of the values lies in a range, given
    /// their [`numbers`](Self::numbers). Returns a wipe-out of the variable `any` if it cannot.
    fn enforce(
        &self,
        domains: &mut Domains,
        variables: &[Variable],
        (least, most): (i64, i64),
        (low, high): (i64, i64),
        any: Variable,
    ) -> Pruned {
        if low > high || least > high || most < low {
            return Err(Wipeout(any));
        }
        if least == most || least < high && most > low {
            return Ok(());
        }
        for &variable in variables {
            if let (true, false) = self.occurs(domains, variable) {
                match self {
                    Counted::Value(value) if least == high => domains.remove(variable, *value)?,
                    Counted::Value(value) => domains.assign(variable, *value)?,
                    Counted::Set(set) => {
                        domains.retain(variable, |value| set.contains(value) != (least == high))?
                    }
                };
            }
        }
        Ok(())
    }
}

/// The number of variables that have one of the values lies in a range, or is the value of a
/// variable.
#[derive(Clone, Debug)]
struct Count {
    /// The variables that are counted. Without a range, the number precedes them.
    scope: Vec<Variable>,
    counted: Counted,
    /// The smallest and the largest number.
    range: Option<(i64, i64)>,
}

impl Count {
    /// Returns the position of the first variable that is counted.
    fn first_counted(&self) -> usize {
        usize::from(self.range.is_none())
    }
}

/// Prunes a number to a range, and returns what remains of it.
pub(super) fn narrow(
    domains: &mut Domains,
    number: Variable,
    (low, high): (i64, i64),
) -> Result<(i64, i64), Wipeout> {
    domains.at_least(number, i32::try_from(low).map_err(|_| Wipeout(number))?)?;
    domains.at_most(number, i32::try_from(high).unwrap_or(i32::MAX))?;
    let (low, high) = domains.bounds(number).ok_or(Wipeout(number))?;
    Ok((low.into(), high.into()))
}

impl Propagator for Count {
    fn name(&self) -> &str {
        match self.counted {
            Counted::Value(_) => "count",
            Counted::Set(_) => "among",
        }
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let counted = &values[self.first_counted()..];
        let number = counted.iter().filter(|&&value| self.counted.has(value)).count() as i64;
        let (low, high) = self.range.unwrap_or_else(|| (values[0].into(), values[0].into()));
        (low..=high).contains(&number)
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Pruned {
        let Some(&first) = self.scope.first() else { return Ok(()) };
        let variables = &self.scope[self.first_counted()..];
        let numbers = self.counted.numbers(domains, variables);
        let range = match self.range {
            Some(range) => range,
            None => narrow(domains, first, numbers)?,
        };
        self.counted.enforce(domains, variables, numbers, range, first)
    }

    fn propagates_last(&self) -> bool {
        true
    }

    fn entailment(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Option<bool> {
        let variables = &self.scope[self.first_counted()..];
        let (least, most) = self.counted.numbers(domains, variables);
        let (low, high) = match (self.range, self.scope.first()) {
            (Some(range), _) => range,
            (None, Some(&number)) => {
                let (low, high) = domains.bounds(number)?;
                let from = i32::try_from(least).unwrap_or(i32::MAX);
                let next = domains.next_value(number, from);
                if next.is_none_or(|next| i64::from(next) > most) {
                    return Some(false);
                }
                (low.into(), high.into())
            }
            (None, None) => return None,
        };
        if most < low || least > high {
            return Some(false);
        }
        let is_known = self.range.is_some() || low == high && least == most;
        (is_known && low <= least && most <= high).then_some(true)
    }

    /// After a call, either both numbers are equal or neither has reached its end of the range. A
    /// variable that occurs twice changes a number by more than one, or the number itself.
    fn is_idempotent(&self) -> bool {
        are_distinct(&self.scope)
    }
}

/// The number of variables that have the value of a variable is the value of another one.
#[derive(Clone, Debug)]
struct CountEqual {
    /// The value, the number, and the variables that are counted.
    scope: Vec<Variable>,
}

impl Propagator for CountEqual {
    fn name(&self) -> &str {
        "count of a variable"
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let number = values[2..].iter().filter(|&&value| value == values[0]).count();
        i64::from(values[1]) == number as i64
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let (value, number, variables) = (self.scope[0], self.scope[1], &self.scope[2..]);
        let (low, high) = domains.bounds(number).ok_or(Wipeout(number))?;
        let (mut least, mut most) = (i64::MAX, i64::MIN);
        let impossible = &mut scratch.words;
        impossible.clear();
        for counted in domains.values(value) {
            let numbers = Counted::Value(counted).numbers(domains, variables);
            if numbers.0 <= high.into() && numbers.1 >= low.into() {
                (least, most) = (least.min(numbers.0), most.max(numbers.1));
            } else {
                impossible.push(i64::from(counted) as u64);
            }
        }
        if least > most {
            return Err(Wipeout(value));
        }
        for &counted in &*impossible {
            domains.remove(value, counted as i64 as i32)?;
        }
        let range = narrow(domains, number, (least, most))?;
        match domains.value(value) {
            Some(counted) => {
                let numbers = (least, most);
                Counted::Value(counted).enforce(domains, variables, numbers, range, value)
            }
            None => Ok(()),
        }
    }

    /// A value is read once for each variable.
    fn cost(&self) -> u32 {
        u32::try_from(self.scope.len()).unwrap_or(u32::MAX).saturating_mul(8)
    }
}

impl Model {
    /// Requires that the number of variables that have `value` lies in `range`: `2..=2` for
    /// exactly two, `..=2` for at most two, `2..` for at least two. An empty range has no solution.
    ///
    /// A variable that occurs more than once counts as often.
    ///
    /// [Full propagation](crate::Propagate::full) prunes every value that is in no solution of
    /// the constraint, if no variable occurs more than once. A call takes time linear in the number
    /// of variables. The levels below prune nothing before all variables but one are assigned.
    ///
    /// For several values and the same variables, [`global_cardinality`](Self::global_cardinality)
    /// prunes more.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
    ///
    /// // Seven days, at least two of them free (0), and at most one night shift (2).
    /// let mut model = Model::new();
    /// let days = model.variables(7, 0..=2)?;
    /// model.count(&days, 0, 2..)?;
    /// model.count(&days, 2, ..=1)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!(outcome.exact(), Some((128 - 1 - 7) + 7 * (64 - 1 - 6)));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn count(
        &mut self,
        variables: &[Variable],
        value: i32,
        range: impl RangeBounds<i64>,
    ) -> Result<(), ModelError> {
        let counted = Counted::Value(value);
        self.propagator(Count { scope: variables.to_vec(), counted, range: Some(ends(&range)) })
    }

    /// Requires that exactly `number` of the variables have `value`, where `number` is a variable
    /// as well.
    ///
    /// A variable that occurs more than once counts as often, and `number` may be counted itself.
    /// Costs and pruning are those of [`count`](Self::count): every value that is in no solution
    /// is pruned if no variable occurs more than once, `number` included.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Assignment, Model, Propagate};
    ///
    /// // A magic sequence: the number at position i states how often i occurs.
    /// let mut model = Model::new();
    /// let sequence = model.variables(10, 0..=10)?;
    /// for (value, &number) in (0..).zip(&sequence) {
    ///     model.count_variable(&sequence, value, number)?;
    /// }
    /// let network = model.build();
    /// let search = Search::new(&network).hook(Propagate::full()).extract(Assignment::of);
    /// let solutions: Vec<Assignment> = search.solutions().collect();
    /// assert_eq!(solutions.len(), 1);
    /// assert_eq!(solutions[0].values(), [6, 2, 1, 0, 0, 0, 1, 0, 0, 0]);
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn count_variable(
        &mut self,
        variables: &[Variable],
        value: i32,
        number: Variable,
    ) -> Result<(), ModelError> {
        let scope = [number].into_iter().chain(variables.iter().copied()).collect();
        self.propagator(Count { scope, counted: Counted::Value(value), range: None })
    }

    /// Requires that exactly `number` of the variables have a value in a set, where `number` is a
    /// variable as well.
    ///
    /// A variable that occurs more than once counts as often, and `number` may be counted itself.
    /// [Full propagation](crate::Propagate::full) prunes every value that is in no solution, if no
    /// variable occurs more than once, `number` included (Beldiceanu and Contejean 1994). A call
    /// takes time linear in the number of variables times that of the ranges of the set. The levels
    /// below prune nothing before all variables but one are assigned.
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // Five dice, two or three of which are even.
    /// let mut model = Model::new();
    /// let dice = model.variables(5, 1..=6)?;
    /// let even = model.variable(2..=3)?;
    /// model.among(&dice, [2, 4, 6], even)?;
    /// assert_eq!(model.build().solver().count().exact(), Some((10 + 10) * 3_u128.pow(5)));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn among(
        &mut self,
        variables: &[Variable],
        values: impl Into<Domain>,
        number: Variable,
    ) -> Result<(), ModelError> {
        let scope = [number].into_iter().chain(variables.iter().copied()).collect();
        self.propagator(Count { scope, counted: Counted::Set(values.into()), range: None })
    }

    /// Requires that exactly `number` of the variables have the value of `value`, where all are
    /// variables: `count_eq` of FlatZinc. A variable may occur more than once, and counts as often.
    ///
    /// [Full propagation](crate::Propagate::full) prunes the values of `value` that cannot occur
    /// as often as `number` requires, and the numbers beyond those of the remaining values; once
    /// `value` is assigned, it prunes as [`count_variable`](Self::count_variable). A call takes
    /// time linear in the number of variables times that of the values of `value`. The levels below
    /// prune nothing before all variables but one are assigned.
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // Words of four letters, a or b, in which one letter occurs three times.
    /// let mut model = Model::new();
    /// let letters = model.variables(4, 0..=1)?;
    /// let (letter, three) = (model.variable(0..=1)?, model.variable(3)?);
    /// model.count_equal(&letters, letter, three)?;
    /// assert_eq!(model.build().solver().count().exact(), Some(2 * 4));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn count_equal(
        &mut self,
        variables: &[Variable],
        value: Variable,
        number: Variable,
    ) -> Result<(), ModelError> {
        let scope = [value, number].into_iter().chain(variables.iter().copied()).collect();
        self.propagator(CountEqual { scope })
    }
}
