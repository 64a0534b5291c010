//! The number of different values of variables.

use super::counting::narrow;
use crate::{Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wipeout};

/// The first variable is the number of different values of the others.
#[derive(Clone, Debug)]
struct NValues {
    scope: Vec<Variable>,
}

/// Returns a number whose order is that of the values.
fn key(value: i32) -> u64 {
    (i64::from(value) - i64::from(i32::MIN)) as u64
}

/// Returns the largest number of disjoint intervals, each of which is given by its largest and its
/// smallest value.
fn disjoint(intervals: &mut [[u64; 2]]) -> i64 {
    intervals.sort_unstable();
    let (mut count, mut last) = (0, None);
    for &[high, low] in &*intervals {
        if last.is_none_or(|last| low > last) {
            count += 1;
            last = Some(high);
        }
    }
    count
}

impl Propagator for NValues {
    fn name(&self) -> &str {
        "number of values"
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let mut others = values[1..].to_vec();
        others.sort_unstable();
        others.dedup();
        i64::from(values[0]) == others.len() as i64
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let (number, variables) = (self.scope[0], &self.scope[1..]);
        let words = &mut scratch.words;
        words.clear();
        for &variable in variables {
            let (min, max) = domains.bounds(variable).ok_or(Wipeout(variable))?;
            words.extend([key(max), key(min)]);
        }
        let least = disjoint(words.as_chunks_mut().0);
        // The values of assigned variables, then further values that are possible.
        words.clear();
        words.extend(variables.iter().filter_map(|&variable| domains.value(variable)).map(key));
        let open = variables.len() - words.len();
        words.sort_unstable();
        words.dedup();
        let used = words.len();
        let is_used = |words: &[u64], value: i32| words[..used].binary_search(&key(value)).is_ok();
        'all: for &variable in variables {
            if domains.is_assigned(variable) {
                continue;
            }
            for value in domains.values(variable) {
                if words.len() == used + open {
                    break 'all;
                }
                if !is_used(words, value)
                    && let Err(place) = words[used..].binary_search(&key(value))
                {
                    words.insert(used + place, key(value));
                }
            }
        }
        let (low, high) = narrow(domains, number, (least, words.len() as i64))?;
        let is_used_only = high == used as i64;
        let is_new_only = low == (used + open) as i64;
        if is_used_only || is_new_only {
            for &variable in variables {
                if !domains.is_assigned(variable) {
                    domains.retain(variable, |value| is_used(words, value) == is_used_only)?;
                }
            }
        }
        Ok(())
    }

    fn propagates_last(&self) -> bool {
        true
    }

    fn cost(&self) -> u32 {
        u32::try_from(self.scope.len()).unwrap_or(u32::MAX).saturating_mul(4)
    }
}

impl Model {
    /// Requires that the variables have exactly `number` different values together, where `number`
    /// is a variable as well (Pachet and Roy 1999). A variable may occur more than once.
    ///
    /// [Full propagation](crate::Propagate::full) bounds the number: from below, by the largest
    /// number of variables whose intervals are disjoint (Beldiceanu 2001); from above, by the
    /// values of assigned variables and one more for each other variable, as far as there are as
    /// many. Once the number allows the values of assigned variables only, or only new values, the
    /// other values are pruned. To prune all values without a solution is NP-hard. A call takes
    /// O(*n*² log *n*) steps at most for *n* variables, mostly O(*n* log *n*), and one for each
    /// value if values are pruned. The levels below prune nothing before all variables but one are
    /// assigned.
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // Guards at crossings: each of five streets, from one crossing to another, has a guard.
    /// let mut model = Model::new();
    /// let streets = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]];
    /// let guards = streets.into_iter().map(|ends| model.variable(ends));
    /// let guards = guards.collect::<Result<Vec<_>, _>>()?;
    /// let number = model.variable(0..=5)?;
    /// model.n_values(&guards, number)?;
    /// assert_eq!(model.build().solver().minimise(number).proven(), Some(&3));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn n_values(&mut self, variables: &[Variable], number: Variable) -> Result<(), ModelError> {
        let scope = [number].into_iter().chain(variables.iter().copied()).collect();
        self.propagator(NValues { scope })
    }
}
