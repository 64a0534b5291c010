//! The position of the largest or of the smallest value of an array of variables.
//!
//! The first position counts if several have the extreme value. Pairs of a value and a position are
//! therefore compared, the smaller position being the larger one of two with the same value.
//!
//! The minimum is the maximum of the bitwise complements, which are never out of range.

use super::functional::Extremum;
use crate::propagator::are_distinct;
use crate::{
    Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wake, Wipeout,
};

/// The index is the first position of the largest or of the smallest value of an array.
#[derive(Clone, Debug)]
struct ArgExtreme {
    extremum: Extremum,
    /// The index, and the array. All values of the index are positions in the array.
    scope: Vec<Variable>,
}

impl Propagator for ArgExtreme {
    fn name(&self) -> &str {
        let is_largest = self.extremum == Extremum::Maximum;
        if is_largest { "position of the maximum" } else { "position of the minimum" }
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let (index, array) = (values[0], &values[1..]);
        let Some((before, &[extreme, ref after @ ..])) =
            usize::try_from(index).ok().and_then(|index| array.split_at_checked(index))
        else {
            return false;
        };
        let is_largest = self.extremum == Extremum::Maximum;
        let exceeds = |one: i32, other: i32| if is_largest { one > other } else { one < other };
        before.iter().all(|&value| exceeds(extreme, value))
            && after.iter().all(|&value| !exceeds(value, extreme))
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Pruned {
        let (index, array) = (self.scope[0], &self.scope[1..]);
        let in_range = |value: i64, variable| i32::try_from(value).map_err(|_| Wipeout(variable));
        // The largest of the smallest values, and its position.
        let mut least = (i64::MIN, 0);
        for (place, &variable) in array.iter().enumerate() {
            let min = i64::from(self.extremum.bounds(domains, variable)?.0);
            if min > least.0 {
                least = (min, place);
            }
        }
        // The largest value at a position that remains, and the position.
        let mut most = (i64::MIN, 0);
        let mut from = domains.min(index);
        while let Some(position) = from {
            let place = position as usize;
            let max = i64::from(self.extremum.bounds(domains, array[place])?.1);
            if max < least.0 || max == least.0 && place > least.1 {
                domains.remove(index, position)?;
            } else if max > most.0 {
                most = (max, place);
            }
            from = position.checked_add(1).and_then(|next| domains.next_value(index, next));
        }
        for (place, &variable) in array.iter().enumerate() {
            if !domains.contains(index, place as i32) {
                let most = in_range(most.0 - i64::from(place < most.1), variable)?;
                self.extremum.at_most(domains, variable, most)?;
            }
        }
        match domains.value(index).map(|position| position as usize) {
            Some(place) => {
                let least = in_range(least.0 + i64::from(least.1 < place), array[place])?;
                self.extremum.at_least(domains, array[place], least).map(|_| ())
            }
            None => Ok(()),
        }
    }

    fn propagates_last(&self) -> bool {
        true
    }

    fn wake(&self, place: usize) -> Wake {
        if place == 0 { Wake::Any } else { Wake::Bounds }
    }

    /// A call prunes positions by the smallest values, and largest values by the positions.
    fn is_idempotent(&self) -> bool {
        are_distinct(&self.scope)
    }
}

impl Model {
    /// Requires that `index` is the position, counted from 0, of the largest value of the array:
    /// the first one if several variables have it, as in MiniZinc.
    ///
    /// Restricts the index to the positions of the array; an empty array has no solution. A
    /// variable may occur more than once.
    ///
    /// [Full propagation](crate::Propagate::full) prunes every value that is in no solution of
    /// the constraint, if no variable occurs more than once, the index included. A call takes time
    /// linear in the number of variables. The levels below prune nothing before all variables but
    /// one are assigned.
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // Three dice, the second of which is the first to show the highest number.
    /// let mut model = Model::new();
    /// let dice = model.variables(3, 1..=6)?;
    /// let second = model.variable(1)?;
    /// model.arg_max(second, &dice)?;
    /// assert_eq!(model.build().solver().count().exact(), Some(2 + 6 + 12 + 20 + 30));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn arg_max(&mut self, index: Variable, array: &[Variable]) -> Result<(), ModelError> {
        self.arg_extreme(index, array, Extremum::Maximum)
    }

    /// Requires that `index` is the position, counted from 0, of the smallest value of the array:
    /// the first one if several variables have it. Pruning and costs are those of
    /// [`arg_max`](Self::arg_max).
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn arg_min(&mut self, index: Variable, array: &[Variable]) -> Result<(), ModelError> {
        self.arg_extreme(index, array, Extremum::Minimum)
    }

    fn arg_extreme(
        &mut self,
        index: Variable,
        array: &[Variable],
        extremum: Extremum,
    ) -> Result<(), ModelError> {
        let scope: Vec<Variable> = [index].into_iter().chain(array.iter().copied()).collect();
        self.check(scope.iter().copied())?;
        self.restrict(index, |value| usize::try_from(value).is_ok_and(|at| at < array.len()))?;
        self.propagator(ArgExtreme { extremum, scope })
    }
}
