//! Cumulative constraints: tasks that share a resource of limited capacity.
//!
//! *Time-table* propagation (Beldiceanu and Carlsson 2002): if the latest start of a task is before
//! its earliest end, it certainly runs in between, its *compulsory part*. The *profile* is the
//! total demand of all compulsory parts at each time. A task cannot run where its demand and the
//! profile of the other tasks exceed the capacity: its earliest start moves to the end of the
//! first such step of the profile that it would meet, and its latest start likewise.
//!
//! *Overload*: the work of a set of tasks, the sum of duration times demand, must fit between the
//! earliest start and the latest end of the set. This detects contradictions when tasks have no
//! compulsory parts yet.
//!
//! Tasks of which no two fit together are also a disjunctive constraint, whose rules see more.

use std::cmp::Reverse;

use super::tasks::{Direction, Row, Tasks, groups, mask, mirrored, narrow};
use crate::{
    Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wake, Wipeout,
};

/// The largest sum of the work of all tasks and of the capacity between the earliest start and the
/// latest end.
pub(super) const MAX_WORK: i128 = 1 << 61;

/// A task of a [cumulative](Model::cumulative) constraint. Its duration and demand are numbers, or
/// [variables](Model::cumulative_variable).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task<T = i32> {
    /// The variable whose value is the time at which the task starts.
    pub start: Variable,
    /// The number of units of time that it takes, at least 0.
    pub duration: T,
    /// The part of the capacity that it takes all that time, at least 0.
    pub demand: T,
}

/// Tasks and the capacity of their resource. All durations and demands are positive, and no demand
/// exceeds the capacity.
#[derive(Clone, Debug)]
struct Cumulative {
    tasks: Tasks,
    demands: Vec<u64>,
    capacity: u64,
    /// A lower bound of all earliest starts. Work is counted from it, to avoid an overflow.
    origin: i32,
}

/// A time, and the total demand from this time to that of the next step.
pub(super) type Step = [u64; 2];

/// The tasks to which rows refer by their indices, and the capacity of their resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resource<'a> {
    pub(super) starts: &'a [Variable],
    pub(super) demands: &'a [u64],
    pub(super) capacity: u64,
    /// A lower bound of all earliest starts. Work is counted from it, to avoid an overflow.
    pub(super) origin: i32,
}

impl Resource<'_> {
    /// Prunes the starts by the profile and detects an overload. The rows are in the order of the
    /// earliest starts; `steps` has two entries for each row. Returns the profile, mirrored in
    /// time.
    pub(super) fn prune<'a>(
        self,
        rows: &mut [Row],
        steps: &'a mut [Step],
        domains: &mut Domains,
    ) -> Result<&'a mut [Step], Wipeout> {
        self.check_overload(rows)?;
        let profile = self.profile(rows, steps);
        let largest = largest(profile);
        if largest > self.capacity {
            return Err(Wipeout(self.starts[0]));
        }
        self.raise_starts(rows, profile, largest, Direction::Forward, domains)?;
        mirror_rows(rows);
        mirror_profile(profile);
        self.raise_starts(rows, profile, largest, Direction::Backward, domains)?;
        Ok(profile)
    }

    /// Fails if a set of tasks is too much work for the time between its earliest start and its
    /// latest end. The rows are in the order of the earliest starts.
    ///
    /// It suffices to consider, for each latest end, the tasks that end until then; of those, the
    /// tasks from each earliest start on.
    fn check_overload(self, rows: &[Row]) -> Pruned {
        let origin = Tasks::time(self.origin);
        let capacity_until = |time: u64| self.capacity * (time - origin);
        let work = |&[_, _, duration, _, index]: &Row| duration * self.demands[index as usize];
        for group in groups(rows) {
            let [_, .., last] = group else { continue };
            // No set of the group needs capacity beyond this.
            let limit = capacity_until(last[0]) + group.iter().map(work).sum::<u64>();
            for &[_, deadline, ..] in group {
                let limit_of_set = capacity_until(deadline);
                if limit <= limit_of_set {
                    continue;
                }
                // The capacity before the set and the work of the set, at least.
                let mut taken = 0;
                for row in group {
                    let is_in_set = mask(row[1] <= deadline);
                    taken = taken.max(capacity_until(row[0]) & is_in_set) + (work(row) & is_in_set);
                }
                if taken > limit_of_set {
                    return Err(Wipeout(self.starts[last[4] as usize]));
                }
            }
        }
        Ok(())
    }

    /// Writes the profile to `steps`, which has two entries for each row.
    fn profile<'a>(self, rows: &[Row], steps: &'a mut [Step]) -> &'a mut [Step] {
        let mut changes = 0;
        for &[start, _, duration, latest_start, index] in rows {
            if latest_start < start + duration {
                let demand = self.demands[index as usize];
                steps[changes] = [latest_start, demand];
                steps[changes + 1] = [start + duration, demand.wrapping_neg()];
                changes += 2;
            }
        }
        steps[..changes].sort_unstable_by_key(|&[time, _]| time);
        let (mut total, mut count) = (0_u64, 0);
        for place in 0..changes {
            let [time, change] = steps[place];
            total = total.wrapping_add(change);
            if count == 0 || steps[count - 1][0] < time {
                count += 1;
            }
            steps[count - 1] = [time, total];
        }
        &mut steps[..count]
    }

    /// Raises the earliest start of each task to where the profile of the others has room for it.
    fn raise_starts(
        self,
        rows: &[Row],
        profile: &[Step],
        largest: u64,
        direction: Direction,
        domains: &mut Domains,
    ) -> Pruned {
        for row in rows {
            let &[start, end, duration, latest_start, index] = row;
            let demand = self.demands[index as usize];
            if largest + demand <= self.capacity || start == latest_start {
                continue;
            }
            let compulsory = latest_start..start + duration;
            let mut earliest = start;
            for step in profile.windows(2) {
                let ([from, total], until) = (step[0], step[1][0]);
                if until <= earliest {
                    continue;
                }
                if from >= earliest + duration {
                    break;
                }
                let own = mask(compulsory.contains(&from)) & demand;
                if total - own + demand > self.capacity {
                    earliest = until;
                }
            }
            if earliest > start {
                narrow(self.starts[index as usize], row, (earliest, end), direction, domains)?;
            }
        }
        Ok(())
    }
}

/// Mirrors the windows of the tasks in time.
fn mirror_rows(rows: &mut [Row]) {
    for row in rows {
        let [start, end, duration, _, index] = *row;
        let (start, end) = (mirrored(end), mirrored(start));
        *row = [start, end, duration, end - duration, index];
    }
}

/// Returns the largest total demand.
pub(super) fn largest(profile: &[Step]) -> u64 {
    profile.iter().map(|&[_, total]| total).max().unwrap_or(0)
}

/// Mirrors a profile in time.
pub(super) fn mirror_profile(profile: &mut [Step]) {
    profile.reverse();
    for place in 0..profile.len() {
        // The total from the next step to this one.
        let total = profile.get(place + 1).map_or(0, |&[_, total]| total);
        profile[place] = [mirrored(profile[place][0]), total];
    }
}

/// Returns whether the total demand of tasks, each given by its start, duration and demand, never
/// exceeds the capacity.
pub(super) fn fit(tasks: impl Iterator<Item = ((i64, i64), i64)>, capacity: i64) -> bool {
    let mut changes: Vec<(i64, bool, i64)> = Vec::new();
    for ((start, duration), demand) in tasks {
        changes.push((start, true, demand));
        changes.push((start + duration, false, demand));
    }
    // Tasks end before others start at the same time.
    changes.sort_unstable();
    let mut total = 0;
    changes.into_iter().all(|(_, is_start, demand)| {
        total = if is_start { total + demand } else { total - demand };
        total <= capacity
    })
}

impl Propagator for Cumulative {
    fn name(&self) -> &str {
        "cumulative"
    }

    fn scope(&self) -> &[Variable] {
        &self.tasks.starts
    }

    fn holds(&self, values: &[i32]) -> bool {
        let durations = self.tasks.durations.iter().map(|&duration| i64::from(duration));
        let demands = self.demands.iter().map(|&demand| demand as i64);
        let starts = values.iter().map(|&start| i64::from(start));
        fit(starts.zip(durations).zip(demands), self.capacity as i64)
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let tasks = self.tasks.starts.len();
        let is_first_call = scratch.words.is_empty();
        // Two steps of two words for each task.
        scratch.words.resize(tasks * (Tasks::ROW_WORDS + 4), 0);
        let (rows, steps) = scratch.words.split_at_mut(tasks * Tasks::ROW_WORDS);
        let (rows, steps) = (rows.as_chunks_mut().0, steps.as_chunks_mut().0);
        if is_first_call {
            Tasks::number(rows);
        }
        self.tasks.load(rows, Direction::Forward, domains)?;
        let resource = Resource {
            starts: &self.tasks.starts,
            demands: &self.demands,
            capacity: self.capacity,
            origin: self.origin,
        };
        resource.prune(rows, steps, domains).map(|_| ())
    }

    fn wake(&self, _: usize) -> Wake {
        Wake::Bounds
    }

    /// The steps of the test for overload; the others are fewer as a rule.
    fn cost(&self) -> u32 {
        let tasks = u32::try_from(self.tasks.starts.len()).unwrap_or(u32::MAX);
        tasks.saturating_mul(tasks).saturating_mul(2)
    }
}

impl Model {
    /// Requires that the demands of the tasks that run at the same time never exceed `capacity`
    /// together.
    ///
    /// A task whose duration or demand is 0 takes nothing of the capacity. Several tasks may have
    /// the same start.
    ///
    /// [Full propagation](crate::Propagate::full) raises the smallest start of each task until
    /// the compulsory parts of the other tasks, the times at which they certainly run, leave room
    /// for it, and lowers the largest start likewise (*time-table consistency*, Beldiceanu and
    /// Carlsson 2002). It fails if a set of tasks is more work than fits between its earliest start
    /// and its latest end. The tasks with the largest demands, as far as no two of them fit
    /// together, are also propagated as a [disjunctive](Self::disjunctive) constraint. Whether all
    /// tasks fit is an NP-complete problem. Starts between the smallest and the largest one are not
    /// pruned. A call takes O(*n*²) steps for *n* tasks. The levels below prune nothing before all
    /// starts but one are assigned.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate, Task, minimise};
    ///
    /// // Four people carry a piano, a chair, a bed and a table: minutes, and people needed.
    /// let mut model = Model::new();
    /// let end = model.variable(0..=70)?;
    /// let mut tasks = Vec::new();
    /// for (duration, demand) in [(30, 3), (10, 1), (15, 3), (15, 2)] {
    ///     let start = model.variable(0..=70)?;
    ///     model.linear([(1, end), (-1, start)], i64::from(duration)..)?;
    ///     tasks.push(Task { start, duration, demand });
    /// }
    /// model.cumulative(tasks, 4)?;
    /// let network = model.build();
    /// let (length, shorter) = minimise(end);
    /// let search = Search::new(&network).hooks((shorter, Propagate::full()));
    /// assert_eq!(search.best(&length).proven(), Some(&60));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`]; [`ModelError::Negative`] if the capacity, a duration or a
    /// demand is negative; [`ModelError::WorkTooLarge`] if the work of all tasks, and the capacity
    /// between their earliest start and latest end, are more than 2⁶¹ together.
    pub fn cumulative(
        &mut self,
        tasks: impl IntoIterator<Item = Task>,
        capacity: i32,
    ) -> Result<(), ModelError> {
        let mut tasks: Vec<Task> = tasks.into_iter().collect();
        self.check(tasks.iter().map(|task| task.start))?;
        for task in &tasks {
            self.check_not_negative("duration", task.start, task.duration)?;
            self.check_not_negative("demand", task.start, task.demand)?;
        }
        if capacity < 0 {
            let quantity = "capacity of a cumulative constraint".to_owned();
            return Err(ModelError::Negative { quantity, found: capacity });
        }
        tasks.retain(|task| task.duration > 0 && task.demand > 0);
        let total: i128 = tasks.iter().map(|task| i128::from(task.demand)).sum();
        if total <= i128::from(capacity) {
            return Ok(());
        }
        let (mut work, mut earliest, mut latest) = (0, i32::MAX, i64::MIN);
        for &Task { start, duration, demand } in &tasks {
            let Some((min, max)) = self.domain(start).bounds() else { continue };
            earliest = earliest.min(min);
            latest = latest.max(i64::from(max) + i64::from(duration));
            work += i128::from(duration) * i128::from(demand);
            if work + i128::from(capacity) * i128::from(latest - i64::from(earliest)) > MAX_WORK {
                return Err(ModelError::WorkTooLarge { variable: self.describe(start) });
            }
        }
        for task in tasks.extract_if(.., |task| task.demand > capacity) {
            self.restrict(task.start, |_| false)?;
        }
        let mut exclusive: Vec<&Task> = tasks.iter().collect();
        exclusive.sort_by_key(|task| Reverse(task.demand));
        let excludes = |pair: &&[&Task]| {
            i64::from(pair[0].demand) + i64::from(pair[1].demand) > i64::from(capacity)
        };
        exclusive.truncate(exclusive.windows(2).take_while(excludes).count() + 1);
        self.disjunctive(exclusive.iter().map(|task| (task.start, task.duration)))?;
        self.propagator(Cumulative {
            demands: tasks.iter().map(|task| task.demand as u64).collect(),
            tasks: Tasks {
                starts: tasks.iter().map(|task| task.start).collect(),
                durations: tasks.iter().map(|task| task.duration).collect(),
            },
            capacity: capacity as u64,
            origin: earliest,
        })
    }
}
