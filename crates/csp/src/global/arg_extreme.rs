//! The position of the largest or of the smallest value of an array of variables.
//!
//! The first position counts if several have the extreme value. Pairs of a value and a position are
//! therefore compared, the smaller position being the larger one of two with the same value.
//!
//! The minimum is the maximum of the bitwise complements, which are never out of range.

use super::are_distinct;
use crate::{Domains, Model, ModelError, Propagator, PropagatorScratch, Variable, Wake, Wipeout};

/// The index is the first position of the largest value of an array or, if `is_reversed`, of the
/// smallest one.
#[derive(Clone, Debug)]
struct ArgExtreme {
    is_reversed: bool,
    /// The index, and the array. All values of the index are positions in the array.
    scope: Vec<Variable>,
}

impl ArgExtreme {
    /// Returns the smallest and the largest value of a variable; in the reversed order, those of
    /// the complements.
    fn bounds(&self, domains: &Domains, variable: Variable) -> Result<(i64, i64), Wipeout> {
        let (min, max) = domains.bounds(variable).ok_or(Wipeout(variable))?;
        let (min, max) = if self.is_reversed { (!max, !min) } else { (min, max) };
        Ok((min.into(), max.into()))
    }

    fn at_most(
        &self,
        domains: &mut Domains,
        variable: Variable,
        most: i64,
    ) -> Result<bool, Wipeout> {
        let most = i32::try_from(most).map_err(|_| Wipeout(variable))?;
        if self.is_reversed {
            domains.at_least(variable, !most)
        } else {
            domains.at_most(variable, most)
        }
    }

    fn at_least(
        &self,
        domains: &mut Domains,
        variable: Variable,
        least: i64,
    ) -> Result<bool, Wipeout> {
        let least = i32::try_from(least).map_err(|_| Wipeout(variable))?;
        if self.is_reversed {
            domains.at_most(variable, !least)
        } else {
            domains.at_least(variable, least)
        }
    }
}

impl Propagator for ArgExtreme {
    fn name(&self) -> &str {
        if self.is_reversed { "position of the minimum" } else { "position of the maximum" }
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
        let exceeds =
            |one: i32, other: i32| if self.is_reversed { one < other } else { one > other };
        before.iter().all(|&value| exceeds(extreme, value))
            && after.iter().all(|&value| !exceeds(value, extreme))
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Result<(), Wipeout> {
        let (index, array) = (self.scope[0], &self.scope[1..]);
        // The largest of the smallest values, and its position.
        let mut least = (i64::MIN, 0);
        for (place, &variable) in array.iter().enumerate() {
            let (min, _) = self.bounds(domains, variable)?;
            if min > least.0 {
                least = (min, place);
            }
        }
        // The largest value at a position that remains, and the position.
        let mut most = (i64::MIN, 0);
        let mut from = domains.min(index);
        while let Some(position) = from {
            let place = position as usize;
            let (_, max) = self.bounds(domains, array[place])?;
            if max < least.0 || max == least.0 && place > least.1 {
                domains.remove(index, position)?;
            } else if max > most.0 {
                most = (max, place);
            }
            from = position.checked_add(1).and_then(|next| domains.next_value(index, next));
        }
        for (place, &variable) in array.iter().enumerate() {
            if !domains.contains(index, place as i32) {
                self.at_most(domains, variable, most.0 - i64::from(place < most.1))?;
            }
        }
        match domains.value(index).map(|position| position as usize) {
            Some(place) => {
                let least = least.0 + i64::from(least.1 < place);
                self.at_least(domains, array[place], least).map(|_| ())
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
        self.arg_extreme(index, array, false)
    }

    /// Requires that `index` is the position, counted from 0, of the smallest value of the array:
    /// the first one if several variables have it. Pruning and costs are those of
    /// [`arg_max`](Self::arg_max).
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn arg_min(&mut self, index: Variable, array: &[Variable]) -> Result<(), ModelError> {
        self.arg_extreme(index, array, true)
    }

    fn arg_extreme(
        &mut self,
        index: Variable,
        array: &[Variable],
        is_reversed: bool,
    ) -> Result<(), ModelError> {
        let scope: Vec<Variable> = [index].into_iter().chain(array.iter().copied()).collect();
        self.check(scope.iter().copied())?;
        self.restrict(index, |value| usize::try_from(value).is_ok_and(|at| at < array.len()))?;
        self.propagator(ArgExtreme { is_reversed, scope })
    }
}
