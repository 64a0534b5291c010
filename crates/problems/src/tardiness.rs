//! Single-machine scheduling: jobs with a duration, a due date and a weight are to be done one
//! after the other, with the smallest total weighted tardiness.
//!
//! The tardiness of a job is the time by which it ends after its due date. The problem is strongly
//! NP-hard (Lenstra, Rinnooy Kan and Brucker 1977). [`Tardiness`] chooses the last job first, then
//! the one before it, and so on: the last jobs are the latest, so that bounds become tight early.
//! Partial schedules of the same jobs have the same continuations, so that the problem suits
//! [diagrams](secateurs::diagram).
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::tardiness::Tardiness;
//!
//! // Duration, due date, weight.
//! let jobs: Tardiness = "4 5 1\n3 6 2\n7 8 3\n2 8 3\n2 17 2\n".parse()?;
//! let tardiness = Tardiness::objective();
//! let search = Search::new(&jobs).diagrams(&tardiness, 10).rough(Tardiness::bound);
//! let outcome = search.best(&tardiness);
//! assert_eq!(outcome.proven(), Some(&25));
//! // The last job comes first.
//! let order = outcome.solution().ok_or("no order")?;
//! assert_eq!(order, &[0, 4, 2, 1, 3]);
//! assert_eq!(jobs.tardiness_of(order), Some(25));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use secateurs::diagram::DiagramProblem;
use secateurs::text::{LineTokens, parse_number};
use secateurs::{Branch, CopyProblem, Objective, ParseError};

use super::small_set::SmallSet;
use super::{InstanceError, formats};

/// A job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Job {
    /// The time that the job takes.
    pub duration: u32,
    /// The time at which it should end.
    pub due: u32,
    /// The cost of one unit of tardiness.
    pub weight: u32,
}

/// An instance: the jobs, in any order.
///
/// The text format has a line `DURATION DUE WEIGHT` for each job; `#` begins a comment. `Display`
/// writes this format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tardiness {
    jobs: Vec<Job>,
    /// The jobs in ascending order of durations, of due dates, and of weights.
    by_duration: Vec<u8>,
    by_due: Vec<u8>,
    by_weight: Vec<u8>,
    /// A good order of all jobs, from the first to the last one.
    good: Vec<u8>,
}

/// A schedule of the last jobs, or a merged one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartialSchedule {
    /// The number of jobs that are scheduled.
    scheduled: usize,
    /// The jobs that are still to be scheduled: those of all merged schedules, and those of any.
    required: SmallSet,
    possible: SmallSet,
    /// The time at which the scheduled jobs begin.
    time: u64,
    tardiness: u64,
}

impl PartialSchedule {
    /// Returns the total weighted tardiness of the scheduled jobs.
    #[must_use]
    pub fn tardiness(&self) -> u64 {
        self.tardiness
    }
}

/// The tardiness of all jobs together is at most this much; the bound of a schedule adds two values
/// whose sum is not greater.
const MAX_TARDINESS: u128 = 1 << 62;

impl Tardiness {
    /// The largest number of jobs.
    pub const MAX_JOBS: usize = 255;

    /// Creates an instance, in time quadratic in the number of jobs: it looks for a good order of
    /// them, by which partial schedules [rank](DiagramProblem::rank).
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than [`MAX_JOBS`](Self::MAX_JOBS), or if their number,
    /// the greatest weight and the sum of the durations have a product of more than 2⁶². The
    /// product bounds the tardiness of every schedule, merged ones included.
    pub fn new(jobs: impl IntoIterator<Item = Job>) -> Result<Self, InstanceError> {
        let jobs: Vec<Job> = jobs.into_iter().collect();
        InstanceError::check_most(jobs.len(), "jobs", Self::MAX_JOBS)?;
        let time: u128 = jobs.iter().map(|job| u128::from(job.duration)).sum();
        let weight = jobs.iter().map(|job| job.weight).max().unwrap_or(0);
        let most = jobs.len() as u128 * u128::from(weight) * time;
        if most > MAX_TARDINESS {
            return Err(InstanceError::new(format_args!(
                "found weights up to {weight} and durations with the sum {time}, expected a \
                 product with the number of jobs ({}) of at most 2^62",
                jobs.len()
            )));
        }
        let sorted = |key: fn(&Job) -> u32| {
            let mut numbers: Vec<u8> = (0..).take(jobs.len()).collect();
            numbers.sort_by_key(|&number| key(&jobs[usize::from(number)]));
            numbers
        };
        let by_duration = sorted(|job| job.duration);
        let (by_due, by_weight) = (sorted(|job| job.due), sorted(|job| job.weight));
        let good = descend(&jobs, by_due.clone());
        Ok(Tardiness { jobs, by_duration, by_due, by_weight, good })
    }

    /// Creates a random instance of the kind of Potts and Van Wassenhove (1982): durations from 1
    /// to 100, weights from 1 to 10, and due dates around the middle of the schedule, from 0.2 to
    /// 0.8 of the sum of all durations. The same seed gives the same instance.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than [`MAX_JOBS`](Self::MAX_JOBS).
    pub fn generate(jobs: usize, seed: u64) -> Result<Self, InstanceError> {
        let mut random = fastrand::Rng::with_seed(seed);
        // One more than allowed is enough for the error.
        let jobs = jobs.min(Self::MAX_JOBS + 1);
        let durations: Vec<u32> = (0..jobs).map(|_| random.u32(1..=100)).collect();
        let sum: u32 = durations.iter().sum();
        Self::new(durations.into_iter().map(|duration| Job {
            duration,
            due: random.u32(sum / 5..=sum * 4 / 5),
            weight: random.u32(1..=10),
        }))
    }

    /// Returns the jobs.
    #[must_use]
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// Returns the objective: the total weighted tardiness, to be minimised.
    #[must_use]
    pub fn objective() -> Objective<Self, u64, fn(&Self, &PartialSchedule) -> u64> {
        let tardiness: fn(&Self, &PartialSchedule) -> u64 = |_, schedule| schedule.tardiness;
        Objective::minimise(tardiness).named("total weighted tardiness")
    }

    /// Returns the total weighted tardiness of the jobs in this order, from the last to the first
    /// one, if it has each of them once.
    #[must_use]
    pub fn tardiness_of(&self, order: &[usize]) -> Option<u64> {
        let schedule = order.iter().try_fold(CopyProblem::root(self), |schedule, job| {
            CopyProblem::accepts_saved(self, &schedule, job)
                .then(|| CopyProblem::apply(self, schedule, job))
        })?;
        (schedule.scheduled == self.jobs.len()).then_some(schedule.tardiness)
    }

    /// Returns a lower bound of the total weighted tardiness of all schedules below this one: no
    /// job ends earlier than in the order of durations, and matched with sorted due dates, the
    /// tardiness is least.
    ///
    /// Takes time linear in the number of jobs.
    #[must_use]
    pub fn bound(&self, schedule: &PartialSchedule) -> u64 {
        let count = self.jobs.len() - schedule.scheduled;
        let possible = |order| self.jobs_of(order, schedule.possible);
        let weight = possible(&self.by_weight).next().map_or(0, |job| job.weight);
        // The shortest jobs, with the latest due dates.
        let skipped = schedule.possible.len().saturating_sub(count);
        let dues = possible(&self.by_due).skip(skipped).map(|job| u64::from(job.due));
        let mut time = 0;
        let late = possible(&self.by_duration).take(count).zip(dues).map(|(job, due)| {
            time += u64::from(job.duration);
            time.saturating_sub(due)
        });
        schedule.tardiness + u64::from(weight) * late.sum::<u64>()
    }

    /// Returns the jobs of a set in the given order.
    fn jobs_of<'t>(&'t self, order: &'t [u8], set: SmallSet) -> impl Iterator<Item = Job> + 't {
        let jobs = order.iter().map(|&job| usize::from(job));
        jobs.filter(move |&job| set.contains(job)).map(|job| self.jobs[job])
    }
}

impl CopyProblem for Tardiness {
    type State = PartialSchedule;
    type Cursor = SmallSet; // the jobs still to be tried
    type Choice = usize; // the job before those that are scheduled

    fn root(&self) -> PartialSchedule {
        let all = SmallSet::below(self.jobs.len());
        let time = self.jobs.iter().map(|job| u64::from(job.duration)).sum();
        PartialSchedule { scheduled: 0, required: all, possible: all, time, tardiness: 0 }
    }

    fn branch(&self, schedule: &PartialSchedule) -> Branch<SmallSet> {
        let left = self.jobs.len() - schedule.scheduled;
        match schedule.required.len() {
            _ if left == 0 => Branch::Solution,
            required if required == left => Branch::Inner(schedule.required),
            _ => Branch::Inner(schedule.possible),
        }
    }

    fn next(&self, _: &PartialSchedule, jobs: &mut SmallSet) -> Option<usize> {
        let job = jobs.iter().next()?;
        *jobs = jobs.without(job);
        Some(job)
    }

    fn apply(&self, schedule: PartialSchedule, &job: &usize) -> PartialSchedule {
        let Job { duration, due, weight } = self.jobs[job];
        PartialSchedule {
            scheduled: schedule.scheduled + 1,
            required: schedule.required.without(job),
            possible: schedule.possible.without(job),
            // A merged schedule may begin too early.
            time: schedule.time.saturating_sub(duration.into()),
            tardiness: schedule.tardiness
                + u64::from(weight) * schedule.time.saturating_sub(due.into()),
        }
    }

    fn accepts_saved(&self, schedule: &PartialSchedule, &job: &usize) -> bool {
        job < self.jobs.len() && schedule.possible.contains(job)
    }
}

/// Schedules are equal if they are of the same jobs. A merged schedule requires the jobs that all
/// of them still have to schedule, may take those of any, and begins at the earliest time.
impl DiagramProblem for Tardiness {
    fn layer(&self, schedule: &PartialSchedule) -> usize {
        schedule.scheduled
    }

    fn key(&self, schedule: &PartialSchedule) -> impl Hash + Eq {
        (schedule.required, schedule.possible, schedule.time)
    }

    fn merge(&self, schedule: &mut PartialSchedule, other: &PartialSchedule) {
        schedule.required = schedule.required & other.required;
        schedule.possible = schedule.possible | other.possible;
        schedule.time = schedule.time.min(other.time);
        schedule.tardiness = schedule.tardiness.min(other.tardiness);
    }

    /// A schedule ranks by its tardiness with that of the other jobs, done in a good order.
    fn rank(&self, schedule: &PartialSchedule) -> u64 {
        let others = self.jobs_of(&self.good, schedule.required);
        u64::MAX - schedule.tardiness - total_tardiness(others)
    }
}

/// Returns the total weighted tardiness of jobs in the order in which they are done.
fn total_tardiness(jobs: impl Iterator<Item = Job>) -> u64 {
    let mut time = 0;
    let late = jobs.map(|job| {
        time += u64::from(job.duration);
        u64::from(job.weight) * time.saturating_sub(job.due.into())
    });
    late.sum()
}

/// The most passes of [`descend`].
const PASSES: usize = 20;

/// Moves jobs to better places in an order, until no such move is left or enough are tried: a
/// descent among insertions. Takes time quadratic in the number of jobs in each pass.
fn descend(jobs: &[Job], mut order: Vec<u8>) -> Vec<u8> {
    let cost = |job: u8, end: u64| {
        let Job { due, weight, .. } = jobs[usize::from(job)];
        u64::from(weight) * end.saturating_sub(due.into())
    };
    let duration = |job: u8| u64::from(jobs[usize::from(job)].duration);
    for _ in 0..PASSES {
        let mut is_better = false;
        for moved in (0..).take(jobs.len()) {
            let Some(from) = order.iter().position(|&job| job == moved) else { continue };
            order.remove(from);
            // The cost of the moved job and of those after it, minus the cost of the later jobs
            // without the moved one.
            let mut end: u64 = order.iter().map(|&job| duration(job)).sum();
            let mut later = 0;
            let mut costs = vec![cost(moved, end + duration(moved))];
            for &job in order.iter().rev() {
                later += cost(job, end + duration(moved)) - cost(job, end);
                end -= duration(job);
                costs.push(later + cost(moved, end + duration(moved)));
            }
            costs.reverse();
            let least = (0..costs.len()).min_by_key(|&to| costs[to]).unwrap_or(from);
            let to = if costs[least] < costs[from] { least } else { from };
            is_better |= to != from;
            order.insert(to, moved);
        }
        if !is_better {
            break;
        }
    }
    order
}

impl FromStr for Tardiness {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        formats::read(text, "jobs", Self::read)
    }
}

impl Tardiness {
    fn read(text: &str) -> Result<Self, ParseError> {
        let mut jobs = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default();
            if line.trim().is_empty() {
                continue;
            }
            let mut tokens = LineTokens::new(number, line);
            let duration = tokens.read("the duration, below 2^32", parse_number)?;
            let due = tokens.read("the due date, below 2^32", parse_number)?;
            let weight = tokens.read("the weight, below 2^32", parse_number)?;
            tokens.end()?;
            jobs.push(Job { duration, due, weight });
        }
        Ok(Self::new(jobs)?)
    }
}

impl fmt::Display for Tardiness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.jobs
            .iter()
            .try_for_each(|Job { duration, due, weight }| writeln!(f, "{duration} {due} {weight}"))
    }
}
