//! Job-shop scheduling: each job is a sequence of steps, each step occupies one machine for a time,
//! and all jobs are to be finished as early as possible.
//!
//! A machine works on one step at a time and does not interrupt it, and a job takes one step after
//! the other. The time at which the last job ends is the *makespan*. The instance of Fisher and
//! Thompson (1963) with ten jobs on ten machines, `ft10`, remained open for 26 years, until Carlier
//! and Pinson (1989) proved that its smallest makespan is 930.
//!
//! [`JobShop`] is an instance, and [`JobShop::model`] states it as a [constraint
//! network](secateurs_csp): a variable for the start of each step, and one for the order of each
//! two steps on the same machine (the *disjunctive graph* of Roy and Sussmann 1964).
//! [`JobShop::check`] verifies a [`Schedule`], which can be drawn as a Gantt chart.
//!
//! ```
//! use secateurs_problems::job_shop::JobShop;
//!
//! // Job 1 needs machine 0 for 3 hours and then machine 1 for 2, and job 2 the reverse.
//! let shop: JobShop = "2 2\n0 3 1 2\n1 4 0 1\n".parse()?;
//! let model = shop.model()?;
//! let outcome = model.network().solver().minimise(model.makespan());
//! assert_eq!(outcome.proven(), Some(&6));
//!
//! let schedule = model.schedule(outcome.solution().ok_or("no schedule")?)?;
//! assert_eq!(schedule.makespan(), 6);
//! assert_eq!(schedule.to_string(), "\
//! machine 0  111.2.
//! machine 1  222211
//!            0
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod text;

use std::fmt::{self, Write};

use secateurs_csp::{Assignment, Model, ModelError, Network, Variable};

use crate::InstanceError;

/// A step of a job: the machine that it occupies, from 0, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    machine: usize,
    duration: i32,
}

impl Step {
    /// Returns the machine, from 0.
    #[must_use]
    pub fn machine(self) -> usize {
        self.machine
    }

    /// Returns the duration, which is not negative.
    #[must_use]
    pub fn duration(self) -> i32 {
        self.duration
    }
}

/// An instance: jobs with at most as many steps as there are machines.
///
/// The text format is the usual one. The first line has the numbers of jobs and of machines. Then
/// there is a line for each job, with the machine and the duration of each step. Machines count
/// from 0, or from 1 if one of them has the number of machines. Empty lines and lines that begin
/// with `#` are skipped. In most instances a job visits each machine once, but it may leave out
/// machines and visit others repeatedly. A duration may be 0: such a
/// step does not wait for its machine. `Display` writes this format, with machines from 0. In
/// messages and charts, jobs and steps count from 1.
///
/// The layout of Taillard (1993) is read as well: a line of durations for each job, and then a line
/// of machines for each job, with or without the lines of words (`Nb of jobs, …`, `Times`,
/// `Machines`) between them.
///
/// ```
/// use secateurs_problems::job_shop::JobShop;
///
/// let shop: JobShop = "# two jobs\n2 2\n0 3 1 2\n1 4 0 1\n".parse()?;
/// assert_eq!(shop.to_string(), "2 2\n0 3 1 2\n1 4 0 1\n");
///
/// let error = "2 2\n0 3 2 2\n".parse::<JobShop>().unwrap_err();
/// let expected = "line 2, column 5: found \"2\", expected the machine of step 2, from 0 to 1 \
///                 (machine 0 is in line 2)";
/// assert_eq!(error.to_string(), expected);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobShop {
    machines: usize,
    jobs: Vec<Vec<Step>>,
}

impl JobShop {
    /// The largest number of jobs.
    pub const MAX_JOBS: usize = 1000;
    /// The largest number of machines.
    pub const MAX_MACHINES: usize = 1000;
    /// The largest number of pairs of steps on the same machine in a [model](Self::model), which
    /// then takes about two gigabytes.
    pub const MAX_ORDERS: usize = 1 << 22;

    /// Creates a random instance: each job visits all machines in a random order, for 1 to 99 units
    /// of time each, as in the instances of Taillard (1993). The same seed gives the same instance.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than [`MAX_JOBS`](Self::MAX_JOBS) jobs or
    /// [`MAX_MACHINES`](Self::MAX_MACHINES) machines.
    pub fn generate(jobs: usize, machines: usize, seed: u64) -> Result<Self, InstanceError> {
        if jobs > Self::MAX_JOBS || machines > Self::MAX_MACHINES {
            return Err(InstanceError::new(format_args!(
                "found {jobs} jobs and {machines} machines, expected at most {} jobs and {} \
                 machines",
                Self::MAX_JOBS,
                Self::MAX_MACHINES
            )));
        }
        let mut random = fastrand::Rng::with_seed(seed);
        let mut job = || {
            let mut order: Vec<usize> = (0..machines).collect();
            random.shuffle(&mut order);
            order
                .into_iter()
                .map(|machine| Step { machine, duration: random.i32(1..=99) })
                .collect()
        };
        Ok(JobShop { machines, jobs: (0..jobs).map(|_| job()).collect() })
    }

    /// Returns the number of machines, which is also the largest number of steps of a job.
    #[must_use]
    pub fn machines(&self) -> usize {
        self.machines
    }

    /// Returns the steps of each job.
    #[must_use]
    pub fn jobs(&self) -> &[Vec<Step>] {
        &self.jobs
    }

    /// Returns the sum of all durations, in which all jobs can be done one after the other.
    #[must_use]
    pub fn total_duration(&self) -> i32 {
        self.jobs.iter().flatten().map(|step| step.duration).sum()
    }

    /// Returns the constraint network of this instance. Its size is proportional to the number of
    /// pairs of steps on the same machine, for n jobs and m machines at least m·n·(n − 1)/2.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than [`MAX_ORDERS`](Self::MAX_ORDERS) such pairs, or if
    /// the domains of the starts are [too large](ModelError) for the [sum of all
    /// durations](Self::total_duration): it must be less than [`Model::MAX_SPAN`].
    pub fn model(&self) -> Result<JobShopModel, InstanceError> {
        let mut steps_on = vec![0_usize; self.machines];
        self.jobs.iter().flatten().for_each(|step| steps_on[step.machine] += 1);
        let orders: usize = steps_on.iter().map(|steps| steps * steps.saturating_sub(1) / 2).sum();
        let kind = "pairs of steps on the same machine";
        InstanceError::check_most(orders, kind, Self::MAX_ORDERS)?;
        self.try_model().map_err(InstanceError::new)
    }

    fn try_model(&self) -> Result<JobShopModel, ModelError> {
        let horizon = self.total_duration();
        let mut model = Model::new();
        let makespan = model.variable(0..=horizon)?;
        let mut starts = Vec::with_capacity(self.jobs.len());
        // For each machine, the job, the start and the duration of each of its steps.
        let mut steps_on = vec![Vec::new(); self.machines];
        for (job, steps) in self.jobs.iter().enumerate() {
            let variables = model.variables(steps.len(), 0..=horizon)?;
            let ends_before = variables.iter().skip(1).chain([&makespan]);
            for ((step, &start), &later) in steps.iter().zip(&variables).zip(ends_before) {
                model.linear([(1, later), (-1, start)], i64::from(step.duration)..)?;
                // A step that takes no time does not wait for its machine.
                if step.duration > 0 {
                    steps_on[step.machine].push((job, start, step.duration));
                }
            }
            starts.push(variables);
        }
        for steps in steps_on {
            for (index, &(job, start, duration)) in steps.iter().enumerate() {
                // The order of two steps of the same job is known.
                for &(_, other, other_duration) in steps[..index].iter().filter(|s| s.0 != job) {
                    let order = model.variable(0..=1)?;
                    model.ordered(order, (other, other_duration), (start, duration))?;
                }
            }
            // Pairs alone do not see that many steps need the same time.
            model.disjunctive(steps.iter().map(|&(_, start, duration)| (start, duration)))?;
        }
        Ok(JobShopModel { shop: self.clone(), network: model.build(), starts, makespan })
    }

    /// Checks the starts of the steps of each job, and returns the schedule. It may have idle times
    /// that serve no purpose.
    ///
    /// ```
    /// use secateurs_problems::job_shop::JobShop;
    ///
    /// let shop: JobShop = "2 2\n0 3 1 2\n1 4 0 1\n".parse()?;
    /// assert_eq!(shop.check(vec![vec![0, 4], vec![0, 4]])?.makespan(), 6);
    /// let error = shop.check(vec![vec![0, 3], vec![0, 4]]).unwrap_err();
    /// let expected = "job 1, step 2: found the start 3, expected one from 4, \
    ///                 when machine 1 has done job 2, step 1";
    /// assert_eq!(error.to_string(), expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there are too few or too many starts, if a start is negative, if a step
    /// begins before the previous one of its job ends, if a machine has two steps at the same time,
    /// or if a step ends after [`i32::MAX`].
    pub fn check(&self, starts: Vec<Vec<i32>>) -> Result<Schedule, InstanceError> {
        if starts.len() != self.jobs.len() {
            return Err(InstanceError::new(format_args!(
                "starts of jobs: found {}, expected {}",
                starts.len(),
                self.jobs.len()
            )));
        }
        let mut bars_of = vec![Vec::new(); self.machines];
        let mut makespan = 0;
        for (job, (steps, starts)) in self.jobs.iter().zip(&starts).enumerate() {
            if starts.len() != steps.len() {
                return Err(InstanceError::new(format_args!(
                    "starts of job {}: found {}, expected {}",
                    job + 1,
                    starts.len(),
                    steps.len()
                )));
            }
            let mut earliest = 0;
            for (step, (&Step { machine, duration }, &start)) in
                steps.iter().zip(starts).enumerate()
            {
                let bar = Bar { start, end: start.saturating_add(duration), job, step };
                if start < earliest {
                    let reason = match step {
                        0 => String::new(),
                        _ => format!(", when step {step} ends"),
                    };
                    return Err(bar.error(format_args!("one from {earliest}{reason}")));
                }
                if start.checked_add(duration).is_none() {
                    return Err(bar.error(format_args!("one at most {}", i32::MAX - duration)));
                }
                earliest = bar.end;
                bars_of[machine].push(bar);
            }
            makespan = makespan.max(earliest);
        }
        for (machine, bars) in bars_of.iter_mut().enumerate() {
            bars.sort_unstable();
            let busy: Vec<Bar> = bars.iter().copied().filter(|bar| bar.start < bar.end).collect();
            for pair in busy.windows(2) {
                let (one, other) = (pair[0], pair[1]);
                if other.start < one.end {
                    return Err(other.error(format_args!(
                        "one from {}, when machine {machine} has done job {}, step {}",
                        one.end,
                        one.job + 1,
                        one.step + 1
                    )));
                }
            }
        }
        Ok(Schedule { jobs: self.jobs.len(), bars_of, starts, makespan })
    }
}

impl fmt::Display for JobShop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.jobs.len(), self.machines)?;
        // Jobs without steps have no line, because empty lines are skipped.
        for steps in self.jobs.iter().filter(|steps| !steps.is_empty()) {
            for (index, Step { machine, duration }) in steps.iter().enumerate() {
                let gap = if index == 0 { "" } else { " " };
                write!(f, "{gap}{machine} {duration}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The constraint network of a [`JobShop`], from [`JobShop::model`].
///
/// The variables are the makespan, the start of each step, and an
/// [order](secateurs_csp::Model::ordered) for each two steps of different jobs on the same machine.
/// No step ends after the makespan, and the makespan is at most the sum of all durations.
#[derive(Clone, Debug)]
pub struct JobShopModel {
    shop: JobShop,
    network: Network,
    starts: Vec<Vec<Variable>>,
    makespan: Variable,
}

impl JobShopModel {
    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the variable to be minimised.
    #[must_use]
    pub fn makespan(&self) -> Variable {
        self.makespan
    }

    /// Returns the variable of the start of each step, by job.
    #[must_use]
    pub fn starts(&self) -> &[Vec<Variable>] {
        &self.starts
    }

    /// Returns the schedule of a solution of the network. Each step is moved to the earliest time
    /// that the order of the steps allows (a *semi-active* schedule), so that the
    /// [makespan](Schedule::makespan) may be less than the value of its variable.
    ///
    /// # Errors
    ///
    /// Returns an error if the assignment has another number of variables, or if its starts are not
    /// those of a [schedule](JobShop::check). The values of the other variables are not used.
    pub fn schedule(&self, solution: &Assignment) -> Result<Schedule, InstanceError> {
        let (found, expected) = (solution.values().len(), self.network.variables().len());
        if found != expected {
            return Err(InstanceError::new(format_args!(
                "found an assignment of {found} variables, expected {expected}"
            )));
        }
        let starts = self.starts.iter().map(|job| solution.of_variables(job).collect()).collect();
        let Schedule { mut starts, bars_of, .. } = self.shop.check(starts)?;
        let mut bars: Vec<Bar> = bars_of.into_iter().flatten().collect();
        bars.sort_unstable();
        let (mut job_ends, mut machine_ends) = (vec![0; starts.len()], vec![0; self.shop.machines]);
        for Bar { job, step, .. } in bars {
            let Step { machine, duration } = self.shop.jobs[job][step];
            let free = if duration > 0 { machine_ends[machine] } else { 0 };
            let start = free.max(job_ends[job]);
            starts[job][step] = start;
            job_ends[job] = start + duration;
            if duration > 0 {
                machine_ends[machine] = job_ends[job];
            }
        }
        self.shop.check(starts)
    }
}

/// A step in a schedule. Bars are ordered by their times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Bar {
    start: i32,
    end: i32,
    job: usize,
    step: usize,
}

impl Bar {
    fn error(self, expected: fmt::Arguments<'_>) -> InstanceError {
        let Bar { start, job, step, .. } = self;
        InstanceError::new(format_args!(
            "job {}, step {}: found the start {start}, expected {expected}",
            job + 1,
            step + 1
        ))
    }
}

/// A valid schedule, from [`JobShop::check`].
///
/// `Display` draws a Gantt chart of at most 80 columns, if the numbers of the machines are short.
/// Each machine is a row, and `.` is idle time. Jobs 1 to 9 have their digits, and the others
/// letters from `a` to `z` and from `A` to `Z`, again from `1` after these. If a column is more
/// than one unit of time, it shows the job at its middle, and short steps may be invisible.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    jobs: usize,
    /// For each machine, its steps in ascending order.
    bars_of: Vec<Vec<Bar>>,
    starts: Vec<Vec<i32>>,
    makespan: i32,
}

/// The largest number of columns of a text chart without the names of machines.
const COLUMNS: usize = 66;

/// The symbols of the jobs in a text chart.
const SYMBOLS: &[u8] = b"123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let makespan = self.makespan as usize;
        let unit = makespan.div_ceil(COLUMNS).max(1);
        let columns = makespan.div_ceil(unit);
        let width = self.bars_of.len().saturating_sub(1).to_string().len();
        let column =
            |time: i32| (time as usize).saturating_sub(unit / 2).div_ceil(unit).min(columns);
        for (machine, bars) in self.bars_of.iter().enumerate() {
            let mut row = vec![b'.'; columns];
            for bar in bars {
                row[column(bar.start)..column(bar.end)].fill(SYMBOLS[bar.job % SYMBOLS.len()]);
            }
            let row = format!("machine {machine:>width$}  {}", String::from_utf8_lossy(&row));
            writeln!(f, "{}", row.trim_end())?;
        }
        let mut axis = " ".repeat("machine   ".len() + width);
        let origin = axis.len();
        // There are at least ten columns between ticks.
        for time in (0..=makespan).step_by(round_up(10 * unit)) {
            let gap = origin + time / unit - axis.len();
            let _ = write!(axis, "{:gap$}{time}", "");
        }
        writeln!(f, "{axis}")
    }
}

/// Returns the smallest number of the form 1, 2 or 5 times a power of 10 that is at least `number`.
fn round_up(number: usize) -> usize {
    let powers = std::iter::successors(Some(1_usize), |power| power.checked_mul(10));
    let mut round = powers.flat_map(|power| [1, 2, 5].map(|factor| power.saturating_mul(factor)));
    round.find(|&round| round >= number).unwrap_or(usize::MAX)
}

/// The width of the time axis, and the heights of a row and of a bar, in SVG units.
const PLOT: usize = 900;
const ROW: usize = 34;
const BAR: usize = 26;
/// The width of a digit, an estimate that suits most fonts.
const DIGIT: usize = 8;

const STYLE: &str = "\
:root{color-scheme:light dark}.paper{fill:#fbfaf6}.lane{fill:#efece1}.grid{stroke:#d3cdbb}\
.text{fill:#33322e;font:13px sans-serif}.middle{text-anchor:middle}.end{text-anchor:end}\
.limit{stroke:#b5532a;stroke-width:2}.goal{fill:#a34419;font-weight:bold}\
.bar{stroke:#33322e}.job{fill:#1c1c1a;font:13px sans-serif;text-anchor:middle}\
@media(prefers-color-scheme:dark){.paper{fill:#1c1c1a}.lane{fill:#2a2a27}.grid{stroke:#4b4a44}\
.text{fill:#ece9df}.limit{stroke:#f0935f}.goal{fill:#f0935f}.bar{stroke:#1c1c1a}}";

/// The colours of the jobs, which begin anew after the last one. All are light enough for dark
/// text, on light and on dark paper.
const COLOURS: [&str; 12] = [
    "#8ec5ea", "#f6b26b", "#93d18b", "#f29a9a", "#c6aef0", "#ead05f", "#7fd6cf", "#f0a3d0",
    "#cdb497", "#b9c0c9", "#c4d86a", "#a3b4ff",
];

impl Schedule {
    /// Returns the start of each step, by job.
    #[must_use]
    pub fn starts(&self) -> &[Vec<i32>] {
        &self.starts
    }

    /// Returns the time at which the last step ends.
    #[must_use]
    pub fn makespan(&self) -> i32 {
        self.makespan
    }

    /// Draws a Gantt chart as the text of an SVG file: a row for each machine, with a bar for each
    /// step in the colour of its job. Details of a step are shown on hovering.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a string never fails.
        let _ = self.draw(&mut svg);
        svg
    }

    fn draw(&self, svg: &mut String) -> fmt::Result {
        let (jobs, machines, makespan) = (self.jobs, self.bars_of.len(), self.makespan);
        let label = |name: &str, number: usize| (name.len() + number.to_string().len()) * DIGIT;
        let left = label("machine ", machines.saturating_sub(1)) + 16;
        let legend_item = label("job ", jobs) + 36;
        let per_line = (PLOT / legend_item).max(1);
        let top = jobs.div_ceil(per_line) * 24 + 40;
        let bottom = top + machines * ROW;
        let (width, height) = (left + PLOT + 24, bottom + 32);
        let x =
            |time: i32| left as f64 + f64::from(time) * PLOT as f64 / f64::from(makespan.max(1));
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" style=\"max-width:100%;height:auto\" \
             role=\"img\">\n<title>A schedule of {jobs} jobs on {machines} machines: makespan \
             {makespan}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>"
        )?;
        for job in 0..jobs {
            let (x, y) = (left + job % per_line * legend_item, 12 + job / per_line * 24);
            writeln!(
                svg,
                "<rect class=\"bar\" fill=\"{}\" x=\"{x}\" y=\"{y}\" width=\"14\" height=\"14\" \
                 rx=\"2\"/><text class=\"text\" x=\"{}\" y=\"{}\">job {}</text>",
                COLOURS[job % COLOURS.len()],
                x + 20,
                y + 12,
                job + 1
            )?;
        }
        for machine in 0..machines {
            let y = top + machine * ROW;
            writeln!(
                svg,
                "<rect class=\"lane\" x=\"{left}\" y=\"{}\" width=\"{PLOT}\" height=\"{BAR}\"/>\
                 <text class=\"text end\" x=\"{}\" y=\"{}\">machine {machine}</text>",
                y + (ROW - BAR) / 2,
                left - 8,
                y + ROW / 2 + 5
            )?;
        }
        // About ten ticks.
        let interval = round_up((makespan as usize).div_ceil(10));
        for time in (0..=makespan).step_by(interval) {
            let x = x(time);
            writeln!(
                svg,
                "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{}\"/>\
                 <text class=\"text middle\" x=\"{x:.1}\" y=\"{}\">{time}</text>",
                bottom + 6,
                bottom + 22
            )?;
        }
        for (machine, bars) in self.bars_of.iter().enumerate() {
            bars.iter().try_for_each(|bar| {
                bar.draw(svg, machine, top + machine * ROW + (ROW - BAR) / 2, x)
            })?;
        }
        let x = x(makespan);
        writeln!(
            svg,
            "<line class=\"limit\" x1=\"{x:.1}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{}\"/>\
             <text class=\"text goal end\" x=\"{x:.1}\" y=\"{}\">makespan {makespan}</text>\n\
             </svg>",
            top - 6,
            bottom + 6,
            top - 12
        )
    }
}

impl Bar {
    fn draw(
        self,
        svg: &mut String,
        machine: usize,
        y: usize,
        x: impl Fn(i32) -> f64,
    ) -> fmt::Result {
        let Bar { start, end, job, step } = self;
        let (left, right) = (x(start), x(end));
        // A step that takes hardly any time remains visible.
        let width = (right - left).max(2.5);
        write!(
            svg,
            "<g><title>job {}, step {}: machine {machine}, {start} to {end}</title>\
             <rect class=\"bar\" fill=\"{}\" x=\"{left:.1}\" y=\"{y}\" width=\"{width:.1}\" \
             height=\"{BAR}\" rx=\"2\"/>",
            job + 1,
            step + 1,
            COLOURS[job % COLOURS.len()]
        )?;
        let number = (job + 1).to_string();
        if width >= (number.len() * DIGIT + 6) as f64 {
            let (middle, baseline) = (f64::midpoint(left, right), y + BAR / 2 + 5);
            write!(svg, "<text class=\"job\" x=\"{middle:.1}\" y=\"{baseline}\">{number}</text>")?;
        }
        writeln!(svg, "</g>")
    }
}
