//! Cumulative constraints in which durations, demands and the capacity are variables.
//!
//! Starts are pruned as if each task took its smallest duration and its smallest demand, and the
//! resource had its largest capacity: by the time-table, and by the test for overload. In addition,
//! a task that certainly runs at some time has no larger demand than the other tasks leave there; a
//! task that starts before a time at which the others leave too little for it ends before that
//! time; and the capacity is at least the largest total demand.

use super::Task;
use super::cumulative::{MAX_WORK, Resource, fit, largest, mirror_profile};
use super::tasks::{Row, Tasks};
use crate::{
    Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wake, Wipeout,
};

/// Tasks and the capacity of their resource. No duration, demand or capacity is negative.
#[derive(Clone, Debug)]
struct VariableTasks {
    /// The starts, the durations, the demands, and the capacity.
    scope: Vec<Variable>,
    /// A lower bound of all starts.
    origin: i32,
}

impl VariableTasks {
    fn count(&self) -> usize {
        self.scope.len() / 3
    }

    /// Prunes the durations and the demands, given the profile.
    fn prune_others(
        &self,
        (profile, demands): (&[[u64; 2]], &[u64]),
        capacity: u64,
        domains: &mut Domains,
    ) -> Pruned {
        let tasks = self.count();
        let (starts, others) = self.scope.split_at(tasks);
        for (index, &start) in starts.iter().enumerate() {
            let (duration, demand) = (others[index], others[tasks + index]);
            let (earliest, latest) = domains.bounds(start).ok_or(Wipeout(start))?;
            let (earliest, latest) = (Tasks::time(earliest), Tasks::time(latest));
            let (shortest, longest) = domains.bounds(duration).ok_or(Wipeout(duration))?;
            let earliest_end = earliest + shortest as u64;
            // The task has this part in the profile from its latest start to its earliest end.
            let own = demands[index];
            for step in profile.windows(2) {
                let ([from, total], until) = (step[0], step[1][0]);
                if from < earliest_end && until > latest && latest < earliest_end {
                    // The part may have grown since the profile was computed.
                    let most = capacity.saturating_sub(total.saturating_sub(own));
                    domains.at_most(demand, i32::try_from(most).unwrap_or(i32::MAX))?;
                }
                // Here it is in the profile no more, and has started if it still runs.
                let from = from.max(latest).max(earliest_end);
                if from < until && from < earliest + longest as u64 && total + own > capacity {
                    let most = from - earliest;
                    domains.at_most(duration, i32::try_from(most).unwrap_or(i32::MAX))?;
                    break;
                }
            }
        }
        Ok(())
    }
}

impl Propagator for VariableTasks {
    fn name(&self) -> &str {
        "cumulative of variables"
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let tasks = self.count();
        let numbers = |part: usize| {
            let values = values[part * tasks..][..tasks].iter();
            values.map(|&value| i64::from(value))
        };
        let capacity = values[3 * tasks];
        capacity >= 0
            && values[tasks..].iter().all(|&value| value >= 0)
            && fit(numbers(0).zip(numbers(1)).zip(numbers(2)), capacity.into())
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let tasks = self.count();
        let starts = &self.scope[..tasks];
        let capacity_variable = self.scope[3 * tasks];
        let capacity = domains.max(capacity_variable).ok_or(Wipeout(capacity_variable))? as u64;
        // Two steps of two words for each task.
        scratch.words.clear();
        scratch.words.resize(tasks * (Tasks::ROW_WORDS + 4 + 1), 0);
        let (rows, rest) = scratch.words.split_at_mut(tasks * Tasks::ROW_WORDS);
        let (steps, demands) = rest.split_at_mut(4 * tasks);
        let (rows, steps): (&mut [Row], _) = (rows.as_chunks_mut().0, steps.as_chunks_mut().0);
        let mut count = 0;
        for (index, least) in demands.iter_mut().enumerate() {
            let [start, duration, demand] = [0, 1, 2].map(|part| self.scope[part * tasks + index]);
            let (min, max) = domains.bounds(start).ok_or(Wipeout(start))?;
            let duration = domains.min(duration).ok_or(Wipeout(duration))? as u64;
            *least = domains.min(demand).ok_or(Wipeout(demand))? as u64;
            if duration > 0 && *least > 0 {
                let (start, latest) = (Tasks::time(min), Tasks::time(max));
                rows[count] = [start, latest + duration, duration, latest, index as u64];
                count += 1;
            }
        }
        let rows = &mut rows[..count];
        rows.sort_unstable();
        let resource = Resource { starts, demands, capacity, origin: self.origin };
        let profile = resource.prune(rows, steps, domains)?;
        mirror_profile(profile);
        let most = i32::try_from(largest(profile)).map_err(|_| Wipeout(capacity_variable))?;
        domains.at_least(capacity_variable, most)?;
        self.prune_others((profile, demands), capacity, domains)
    }

    fn wake(&self, _: usize) -> Wake {
        Wake::Bounds
    }

    fn cost(&self) -> u32 {
        let tasks = u32::try_from(self.count()).unwrap_or(u32::MAX);
        tasks.saturating_mul(tasks).saturating_mul(4)
    }
}

impl Model {
    /// Requires that the demands of the tasks that run at the same time never exceed the capacity
    /// together, where durations, demands and the capacity are variables as well. A variable may
    /// occur more than once; constants are variables with one value.
    ///
    /// Removes negative values from durations, demands and the capacity. A task whose duration or
    /// demand is 0 takes nothing of the capacity.
    ///
    /// [Full propagation](crate::Propagate::full) prunes the starts as
    /// [`cumulative`](Self::cumulative) does, with the smallest durations and demands and the
    /// largest capacity; the largest durations and demands by the compulsory parts of the other
    /// tasks; and the smallest capacity by those of all tasks (time-table, Beldiceanu and Carlsson
    /// 2002). A call takes O(*n*²) steps for *n* tasks. The levels below prune nothing before all
    /// variables but one are assigned.
    ///
    /// ```
    /// use secateurs_csp::{Model, Task};
    ///
    /// // Two jobs, each either four hours by one person or two hours by two, and three people.
    /// // When can both be done?
    /// let mut model = Model::new();
    /// let end = model.variable(0..=8)?;
    /// let people = model.variable(3)?;
    /// let mut tasks = Vec::new();
    /// for _ in 0..2 {
    ///     let (start, duration) = (model.variable(0..=8)?, model.variable(2..=4)?);
    ///     let demand = model.variable(1..=2)?;
    ///     model.pairs(duration, demand, [(4, 1), (2, 2)])?;
    ///     model.require(end.at_least(start + duration))?;
    ///     tasks.push(Task { start, duration, demand });
    /// }
    /// model.cumulative_variable(tasks, people)?;
    /// assert_eq!(model.build().solver().minimise(end).proven(), Some(&4));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`]; [`ModelError::WorkTooLarge`] if the largest work of all
    /// tasks, and the largest capacity between their earliest start and latest end, are more than
    /// 2⁶¹ together.
    pub fn cumulative_variable(
        &mut self,
        tasks: impl IntoIterator<Item = Task<Variable>>,
        capacity: Variable,
    ) -> Result<(), ModelError> {
        let tasks: Vec<Task<Variable>> = tasks.into_iter().collect();
        let mut scope: Vec<Variable> = tasks.iter().map(|task| task.start).collect();
        scope.extend(tasks.iter().map(|task| task.duration));
        scope.extend(tasks.iter().map(|task| task.demand));
        scope.push(capacity);
        self.check(scope.iter().copied())?;
        let most = |variable: Variable| -> i128 {
            self.domain(variable).bounds().map_or(0, |(_, max)| max.max(0)).into()
        };
        let (mut work, mut earliest, mut latest) = (0, i32::MAX, i128::MIN);
        for task in &tasks {
            let Some((min, max)) = self.domain(task.start).bounds() else { continue };
            earliest = earliest.min(min);
            latest = latest.max(i128::from(max) + most(task.duration));
            work += most(task.duration) * most(task.demand);
            if work + most(capacity) * (latest - i128::from(earliest)) > MAX_WORK {
                return Err(ModelError::WorkTooLarge { variable: self.describe(task.start) });
            }
        }
        for &variable in &scope[tasks.len()..] {
            self.restrict(variable, |value| value >= 0)?;
        }
        self.propagator(VariableTasks { scope, origin: earliest })
    }
}
