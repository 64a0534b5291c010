//! One of two tasks before the other, with a variable that says which.

use crate::network::Order;
use crate::{
    Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wake, Wipeout,
};

/// If the first variable of the scope is 1, the first task ends before the second one begins; if it
/// is 0, the second task ends before the first one begins.
#[derive(Clone, Debug)]
struct Ordered {
    /// The order, and the starts of both tasks.
    scope: [Variable; 3],
    durations: [i32; 2],
}

impl Ordered {
    /// Returns the smallest start of the task at `place` (0 or 1) and the largest start of the
    /// other one if the former precedes it, or `None` if it cannot.
    fn precedence(&self, domains: &Domains, place: usize) -> Result<Option<(i64, i64)>, Wipeout> {
        let (before, after) = (self.scope[1 + place], self.scope[2 - place]);
        let smallest = i64::from(domains.min(before).ok_or(Wipeout(before))?);
        let largest = i64::from(domains.max(after).ok_or(Wipeout(after))?);
        let is_possible = smallest + i64::from(self.durations[place]) <= largest;
        Ok(is_possible.then_some((smallest, largest)))
    }
}

impl Propagator for Ordered {
    fn name(&self) -> &str {
        "ordered"
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let [order, first, second] = [values[0], values[1], values[2]].map(i64::from);
        match order {
            1 => first + i64::from(self.durations[0]) <= second,
            0 => second + i64::from(self.durations[1]) <= first,
            _ => false,
        }
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Pruned {
        let order = self.scope[0];
        let place = match domains.value(order) {
            Some(value) => usize::from(value == 0),
            None => {
                let possible = [self.precedence(domains, 0)?, self.precedence(domains, 1)?];
                match possible.map(|precedence| precedence.is_some()) {
                    [true, true] => return Ok(()),
                    [first, _] => {
                        domains.assign(order, i32::from(first))?;
                        usize::from(!first)
                    }
                }
            }
        };
        let Some((smallest, largest)) = self.precedence(domains, place)? else {
            return Err(Wipeout(order));
        };
        let duration = i64::from(self.durations[place]);
        let (before, after) = (self.scope[1 + place], self.scope[2 - place]);
        // Both are between values of a variable, by the test in `precedence`, unless the duration
        // is negative; then they may be beyond all values.
        let clamped = |value: i64| value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        domains.at_least(after, clamped(smallest + duration))?;
        domains.at_most(before, clamped(largest - duration))?;
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
    /// Requires that one of two tasks, each given by its start and its duration, ends before the
    /// other one begins; `order` is 1 if `first` precedes `second`, and 0 if `second` precedes
    /// `first`. A task may begin when the other one ends.
    ///
    /// A search that decides the orders instead of the starts has far fewer choices: once all
    /// orders are known, the smallest starts satisfy the constraints. Restricts `order` to 0 and 1.
    /// A negative duration allows an overlap of that length.
    ///
    /// Propagation is bounds consistent for each order that is possible: an impossible order is
    /// excluded, and a known one is propagated to the bounds of both starts (Roy and Sussmann
    /// 1964). A call takes constant time.
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // Three tasks of one machine, of 2, 3 and 4 hours: how soon can all of them be done?
    /// let mut model = Model::new();
    /// let durations = [2, 3, 4];
    /// let end = model.variable(0..=20)?;
    /// let starts = model.variables(3, 0..=20)?;
    /// for task in 0..3 {
    ///     model.linear([(1, end), (-1, starts[task])], i64::from(durations[task])..)?;
    ///     for other in 0..task {
    ///         let order = model.variable(0..=1)?;
    ///         let tasks = [task, other].map(|task| (starts[task], durations[task]));
    ///         model.ordered(order, tasks[0], tasks[1])?;
    ///     }
    /// }
    /// assert_eq!(model.build().solver().minimise(end).proven(), Some(&9));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn ordered(
        &mut self,
        order: Variable,
        first: (Variable, i32),
        second: (Variable, i32),
    ) -> Result<(), ModelError> {
        self.check([order, first.0, second.0])?;
        let durations = [first.1, second.1];
        if first.0 == second.0 {
            // A task precedes itself only if it takes no time.
            return self.restrict(order, |order| match order {
                1 => durations[0] <= 0,
                0 => durations[1] <= 0,
                _ => false,
            });
        }
        self.restrict(order, |order| matches!(order, 0 | 1))?;
        let starts = [first.0, second.0];
        self.propagator(Ordered { scope: [order, first.0, second.0], durations })?;
        self.orders.push(Order { order, starts });
        Ok(())
    }
}
