//! Comparisons of several contenders on the same instances: [`Compare`].

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::time::Duration;

use secateurs::{Cancel, Instant, Limits};

use super::comparison::{Compared, Comparison, Setup};
use super::contender::{Contender, Estimator, Run};
use super::error::{CompareError, Disagreement};
use super::measured::{Answer, Measured, MemoryMeter, SizeEstimate, metered};
use crate::tables::text::grouped;

/// The default number of probes of an estimate.
const PROBES: u64 = 10_000;

/// The progress of a [comparison](Compare::progress).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CompareProgress<'p> {
    /// The number of completed timed runs.
    pub done: usize,
    /// The number of all timed runs. [Counted](Contender::counted) runs are not included.
    pub runs: usize,
    /// The name of the instance of the next run, or of the next estimate.
    pub instance: &'p str,
    /// The name of the contender.
    pub contender: &'p str,
    /// The time since the comparison was started.
    pub elapsed: Duration,
}

type Callback<'a> = Box<dyn FnMut(&CompareProgress<'_>) + 'a>;

/// A counter of completed timed runs, which reports them to the callback.
struct ProgressReporter<'a> {
    callback: Callback<'a>,
    start: Instant,
    done: usize,
    runs: usize,
}

impl ProgressReporter<'_> {
    fn report(&mut self, instance: &str, contender: &str) {
        let (done, runs, elapsed) = (self.done, self.runs, self.start.elapsed());
        (self.callback)(&CompareProgress { done, runs, instance, contender, elapsed });
    }
}

/// A test of a run on an instance, counted by a tally.
type TallyTest<'a, I> = Box<dyn Fn(&I, &Measured) -> bool + 'a>;

/// The measurements on one instance.
struct Visited<'n> {
    agreement: Agreement<'n>,
    /// The results by contender.
    runs: Vec<Measured>,
}

/// The proven answer on which all runs on an instance agree.
struct Agreement<'n> {
    instance: &'n str,
    /// The first run that has proven an answer, and that answer.
    proven: Option<(String, Answer)>,
}

impl Agreement<'_> {
    /// Adds the answer of a run. Returns an error if it contradicts an earlier one.
    fn add(&mut self, run: String, answer: &Answer) -> Result<(), CompareError> {
        let claim = (run, answer.clone());
        match &self.proven {
            Some(first) => Disagreement::check(self.instance, &[first.clone(), claim]),
            None => {
                self.proven = answer.proven().is_some().then_some(claim);
                Ok(())
            }
        }
    }
}

/// The builder of a comparison: instances, contenders, limits and the number of rounds.
///
/// ```
/// use secateurs_lab::{Compare, Contender};
/// use secateurs_problems::InstanceError;
/// use secateurs_problems::fire_net::{FireNetBoard, FireNetBranching, FireNetSettings};
///
/// // Twenty boards from a generator.
/// let random = |seed| FireNetBoard::random(8, 8, 0.8, seed);
/// let boards = (0..20).map(|seed| Ok((format!("board {seed}"), random(seed)?)));
/// let boards: Vec<_> = boards.collect::<Result<_, InstanceError>>()?;
/// let branching = |branching: FireNetBranching| {
///     Contender::new(branching.to_string(), move |board: &FireNetBoard, limits| {
///         FireNetSettings::default().branching(branching).limits(limits).solve(board)
///     })
/// };
/// let comparison = Compare::over(boards)
///     .contender(branching(FireNetBranching::Segments))
///     .contender(branching(FireNetBranching::Cells))
///     .rounds(1)
///     .run()?;
/// assert_eq!(comparison.instances().len(), 20);
/// println!("{comparison}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is compared until it is run"]
pub struct Compare<'a, I> {
    title: Option<String>,
    note: Option<String>,
    instances: Vec<(String, I)>,
    contenders: Vec<Contender<'a, I>>,
    limits: Limits,
    rounds: usize,
    probes: u64,
    meter: Option<Box<dyn MemoryMeter + 'a>>,
    tallies: Vec<(String, TallyTest<'a, I>)>,
    progress: Callback<'a>,
}

impl<I> fmt::Debug for Compare<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instances: Vec<&String> = self.instances.iter().map(|(name, _)| name).collect();
        f.debug_struct("Compare")
            .field("instances", &instances)
            .field("contenders", &self.contenders)
            .field("limits", &self.limits)
            .field("rounds", &self.rounds)
            .finish_non_exhaustive()
    }
}

impl<'a, I> Compare<'a, I> {
    /// Creates a comparison on one instance.
    pub fn of(name: impl Into<String>, instance: I) -> Self {
        Self::over([(name, instance)])
    }

    /// Creates a comparison on several instances, each with a unique name.
    pub fn over(instances: impl IntoIterator<Item = (impl Into<String>, I)>) -> Self {
        let instances =
            instances.into_iter().map(|(name, instance)| (name.into(), instance)).collect();
        Compare {
            title: None,
            note: None,
            instances,
            contenders: Vec::new(),
            limits: Limits::new(),
            rounds: 5,
            probes: PROBES,
            meter: None,
            tallies: Vec::new(),
            progress: Box::new(|_| {}),
        }
    }

    /// Sets the title shown on the page and in files. Default: `comparison`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets a note of one or two sentences that explains the tables, such as the meaning of the
    /// contenders' names. It is printed below the first table.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds a contender. The first contender is the *base*, with which the others are compared.
    pub fn contender(mut self, contender: Contender<'a, I>) -> Self {
        self.contenders.push(contender);
        self
    }

    /// Adds several contenders.
    pub fn contenders(mut self, contenders: impl IntoIterator<Item = Contender<'a, I>>) -> Self {
        self.contenders.extend(contenders);
        self
    }

    /// Sets the limits of each run, timed or [counted](Contender::counted). Default: none. If the
    /// limits have a [cancel switch](Limits::cancel), it ends the whole comparison, which keeps
    /// what was measured before.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of timed runs of each contender on each instance, at least one. The
    /// contenders take turns. Default: 5. A [counted](Contender::counted) run is made only once.
    pub fn rounds(mut self, rounds: usize) -> Self {
        self.rounds = rounds.max(1);
        self
    }

    /// Sets the mean number of probes of an estimate for a run that reached a limit. Default:
    /// 10,000. Half of the probes are divided equally among the estimates, and the others go to
    /// those with the widest intervals.
    pub fn probes(mut self, probes: u64) -> Self {
        self.probes = probes;
        self
    }

    /// Measures memory with this meter: the peak of a run, minus the memory in use before it.
    pub fn memory(mut self, meter: impl MemoryMeter + 'a) -> Self {
        self.meter = Some(Box::new(meter));
        self
    }

    /// Adds a column of this name that counts, for each contender, the instances on which `test`
    /// holds. The tests are called at the end, once for each contender and instance, and run
    /// nothing themselves.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_lab::{Compare, Contender};
    /// use secateurs_problems::InstanceError;
    /// use secateurs_problems::queens::{BitQueens, Queens};
    ///
    /// let sizes = (4..9).map(|n| Ok((n.to_string(), Queens::new(n)?.bits())));
    /// let sizes: Vec<_> = sizes.collect::<Result<_, InstanceError>>()?;
    /// let comparison = Compare::over(sizes)
    ///     .contender(Contender::new("plain", |queens: &BitQueens, limits| {
    ///         Search::new(queens).limits(limits).first()
    ///     }))
    ///     .tally("within 20 nodes", |_, run| run.nodes() <= 20)
    ///     .rounds(1)
    ///     .run()?;
    /// assert_eq!(comparison.contenders()[0].tally("within 20 nodes"), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tally(
        mut self,
        name: impl Into<String>,
        test: impl Fn(&I, &Measured) -> bool + 'a,
    ) -> Self {
        self.tallies.push((name.into(), Box::new(test)));
        self
    }

    /// Sets a function that is called before each timed run and each estimate.
    pub fn progress(mut self, callback: impl FnMut(&CompareProgress<'_>) + 'a) -> Self {
        self.progress = Box::new(callback);
        self
    }

    /// Runs all contenders on all instances.
    ///
    /// Each round visits every instance, and each visit runs every contender once. Visits run the
    /// contenders forwards and backwards in turn, and the first contender rotates. Therefore no
    /// contender always runs after the same other one, or always on a machine that has warmed up.
    /// In the first round, the [counted](Contender::counted) run of a contender follows its timed
    /// run; it is not repeated.
    ///
    /// Each answer, of a timed or a counted run, is compared with the earlier ones for the same
    /// instance as soon as it is known. All answers of the first round are therefore compared
    /// before any run is repeated.
    ///
    /// After all rounds, the trees of limited runs are [estimated](Contender::estimated), and the
    /// [tallies](Self::tally) count.
    ///
    /// If the cancel switch among the limits is set, no further run or estimate begins, and the one
    /// that is under way is discarded once its answer has been compared. If anything is then
    /// missing, the comparison is [marked](Comparison::is_cancelled). It has the instances on which
    /// every contender was run, counted runs included, with the times and estimates measured so
    /// far. The tallies count what was measured.
    ///
    /// Time: all timed and counted runs, and the probes of the estimates. Memory: the report of one
    /// run of each contender on each instance.
    ///
    /// # Errors
    /// - [`CompareError::NoContenders`] and [`CompareError::NoInstances`] if there is nothing to
    ///   run;
    /// - [`CompareError::SameName`] if two contenders or two instances have the same name;
    /// - [`CompareError::Disagreement`] if two runs, of the same contender or not and in the same
    ///   round or not, have proven different answers for the same instance. At least one of them is
    ///   then unsound, and no number is meaningful;
    /// - [`CompareError::Cancelled`] if the cancel switch was set before every contender was run on
    ///   some instance.
    pub fn run(mut self) -> Result<Comparison, CompareError> {
        self.validate()?;
        let mut reporter = ProgressReporter {
            callback: std::mem::replace(&mut self.progress, Box::new(|_| {})),
            start: Instant::now(),
            done: 0,
            runs: self.rounds * self.contenders.len() * self.instances.len(),
        };
        let mut visited = self.first_round(&mut reporter)?;
        if visited.is_empty() {
            return Err(CompareError::Cancelled);
        }
        let is_complete = visited.len() == self.instances.len()
            && self.later_rounds(&mut visited, &mut reporter)?
            && self.estimate_sizes(&mut visited, &mut reporter);
        let mut runs: Vec<Vec<Measured>> =
            visited.into_iter().map(|visited| visited.runs).collect();
        self.apply_tallies(&mut runs);
        Ok(self.comparison(runs, !is_complete))
    }

    fn validate(&self) -> Result<(), CompareError> {
        if self.contenders.is_empty() {
            return Err(CompareError::NoContenders);
        }
        if self.instances.is_empty() {
            return Err(CompareError::NoInstances);
        }
        check_unique("contenders", self.contenders.iter().map(Contender::name))?;
        check_unique("instances", self.instances.iter().map(|(name, _)| &**name))
    }

    /// Runs all contenders on all instances. If this was cancelled during an instance, that one and
    /// all later ones are missing.
    fn first_round(
        &self,
        reporter: &mut ProgressReporter<'_>,
    ) -> Result<Vec<Visited<'_>>, CompareError> {
        let mut all = Vec::with_capacity(self.instances.len());
        for (turn, (name, instance)) in self.instances.iter().enumerate() {
            let mut agreement = Agreement { instance: name, proven: None };
            let mut runs: Vec<Option<Measured>> = self.contenders.iter().map(|_| None).collect();
            for index in order(self.contenders.len(), turn) {
                let contender = &self.contenders[index];
                if !self.announce(name, contender, reporter) {
                    return Ok(all);
                }
                let mut run = self.measure(&contender.run, instance);
                agreement.add(contender.name.clone(), &run.trial.answer)?;
                if self.is_cancelled() {
                    return Ok(all);
                }
                reporter.done += 1;
                // A run with counters, whose time is not used because the counters slow it down.
                if let Some(counted) = &contender.counted {
                    let trial = counted(instance, self.limits.clone());
                    agreement.add(format!("{}, counted", contender.name), &trial.answer)?;
                    if self.is_cancelled() {
                        return Ok(all);
                    }
                    // Statistics of other nodes would be shown beside those of the timed run.
                    let (own, counted) = (&run.trial.report, &trial.report);
                    let stops_alike = own.stop() == counted.stop()
                        && (!trial.is_limited() || own.nodes() == counted.nodes());
                    if stops_alike {
                        run.trial.stats.extend(trial.stats);
                    }
                }
                runs[index] = Some(run);
            }
            all.push(Visited { agreement, runs: runs.into_iter().flatten().collect() });
        }
        Ok(all)
    }

    /// Repeats all timed runs. Returns false if this was cancelled.
    fn later_rounds(
        &self,
        visited: &mut [Visited<'_>],
        reporter: &mut ProgressReporter<'_>,
    ) -> Result<bool, CompareError> {
        for round in 1..self.rounds {
            for (turn, ((name, instance), Visited { agreement, runs })) in
                self.instances.iter().zip(&mut *visited).enumerate()
            {
                for index in order(self.contenders.len(), round + turn) {
                    let contender = &self.contenders[index];
                    if !self.announce(name, contender, reporter) {
                        return Ok(false);
                    }
                    let measured = self.measure(&contender.run, instance);
                    // A contender with state of its own may give another answer in a later round.
                    // Its own first answer is compared first, because that error says more.
                    let first = (contender.name.clone(), runs[index].trial.answer.clone());
                    let again = format!("{}, round {}", contender.name, round + 1);
                    let answer = &measured.trial.answer;
                    Disagreement::check(name, &[first, (again.clone(), answer.clone())])?;
                    agreement.add(again, answer)?;
                    if self.is_cancelled() {
                        return Ok(false);
                    }
                    reporter.done += 1;
                    runs[index].repeat(measured);
                }
            }
        }
        Ok(true)
    }

    /// Reports the next run or estimate to the progress callback. Returns false if the comparison
    /// is cancelled.
    fn announce(
        &self,
        instance: &str,
        contender: &Contender<'a, I>,
        reporter: &mut ProgressReporter<'_>,
    ) -> bool {
        if self.is_cancelled() {
            return false;
        }
        reporter.report(instance, &contender.name);
        // The callback may have set the switch.
        !self.is_cancelled()
    }

    fn measure(&self, run: &Run<'a, I>, instance: &I) -> Measured {
        let limits = self.limits.clone();
        let ((trial, time), bytes) = metered(self.meter.as_deref(), || {
            let start = Instant::now();
            let trial = run(instance, limits);
            (trial, start.elapsed())
        });
        Measured::new(trial, time, bytes)
    }

    fn is_cancelled(&self) -> bool {
        self.limits.cancel_switch().is_some_and(Cancel::is_cancelled)
    }

    /// Estimates the size of the trees of limited runs. Returns false if this was cancelled.
    ///
    /// Half of the probes are divided equally. The other half go where the uncertainty is greatest:
    /// the estimate with the widest interval is made again, with twice as many probes.
    fn estimate_sizes(
        &self,
        visited: &mut [Visited<'_>],
        reporter: &mut ProgressReporter<'_>,
    ) -> bool {
        let mut limited = Vec::new();
        for ((name, instance), Visited { runs, .. }) in self.instances.iter().zip(visited) {
            for (contender, run) in self.contenders.iter().zip(runs) {
                if let Some(estimate) =
                    contender.estimate.as_ref().filter(|_| run.trial.is_limited())
                {
                    limited.push(LimitedRun { name, instance, contender, estimate, run });
                }
            }
        }
        let mut left = self.probes.saturating_mul(limited.len() as u64);
        let first = if limited.len() > 1 { (self.probes / 2).max(1) } else { self.probes };
        // By run, the width of its interval and the number of its probes.
        let mut widths = vec![(f64::INFINITY, 0); limited.len()];
        loop {
            let fits = |&(_, probes): &(f64, u64)| probes.saturating_mul(2).max(first) <= left;
            let places = (0..limited.len()).filter(|&place| fits(&widths[place]));
            let widest = places.max_by(|&one, &other| {
                let [one, other] = [one, other].map(|place| (widths[place].0, Reverse(place)));
                one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
            });
            let Some(place) = widest.filter(|_| left > 0) else { return true };
            let LimitedRun { name, instance, contender, estimate, run } = &mut limited[place];
            if !self.announce(name, contender, reporter) {
                return false;
            }
            let probes = (2 * widths[place].1).max(first);
            let seed = 1;
            let estimate = estimate(instance, probes, seed);
            // The estimator may use the cancel switch too, and have made fewer probes.
            if self.is_cancelled() {
                return false;
            }
            left -= probes;
            let width = estimate.interval().map_or(f64::MAX, |(from, to)| to / from);
            widths[place] = (width, probes);
            let size = SizeEstimate::new(&estimate, contender.estimate_knows_optimum);
            run.estimate = size.filter(|size| !size.is_refuted(run.nodes()));
        }
    }

    /// Applies the tests of the tallies.
    fn apply_tallies(&self, runs: &mut [Vec<Measured>]) {
        for ((_, instance), runs) in self.instances.iter().zip(runs) {
            for run in runs {
                run.tallies = self.tallies.iter().map(|(_, test)| test(instance, run)).collect();
            }
        }
    }

    /// Transposes runs by instance into runs by contender.
    fn comparison(self, runs: Vec<Vec<Measured>>, is_cancelled: bool) -> Comparison {
        let tallies: Vec<String> = self.tallies.into_iter().map(|(name, _)| name).collect();
        let planned = self.instances.len();
        let names = self.instances.into_iter().take(runs.len()).map(|(name, _)| name).collect();
        let mut contenders: Vec<Compared> = self
            .contenders
            .into_iter()
            .map(|Contender { name, references, .. }| Compared {
                name,
                references,
                runs: Vec::with_capacity(runs.len()),
                tallies: tallies.clone(),
            })
            .collect();
        for runs in runs {
            for (contender, run) in contenders.iter_mut().zip(runs) {
                contender.runs.push(run);
            }
        }
        let setup = Setup {
            title: self.title,
            note: self.note,
            rounds: self.rounds,
            limits: descriptions(&self.limits),
            tallies,
            planned_if_cancelled: is_cancelled.then_some(planned),
        };
        Comparison { setup, instances: names, contenders }
    }
}

/// A run whose tree is to be estimated.
struct LimitedRun<'r, 'a, I> {
    name: &'r str,
    instance: &'r I,
    contender: &'r Contender<'a, I>,
    estimate: &'r Estimator<'a, I>,
    run: &'r mut Measured,
}

/// Returns an error if two of the names are equal.
pub(super) fn check_unique<'n>(
    what: &'static str,
    names: impl Iterator<Item = &'n str>,
) -> Result<(), CompareError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(CompareError::SameName { what, name: name.to_owned() });
        }
    }
    Ok(())
}

/// Returns the order of `count` contenders in a turn. The first contender rotates, and odd turns
/// are reversed.
fn order(count: usize, turn: usize) -> impl Iterator<Item = usize> {
    let backwards = turn % 2 == 1;
    (0..count).map(move |place| {
        let place = (place + turn / 2) % count;
        if backwards { count - 1 - place } else { place }
    })
}

/// Describes each limit that is set.
fn descriptions(limits: &Limits) -> Vec<String> {
    let count =
        |limit: Option<u64>, of: &str| limit.map(|limit| format!("{} {of}", grouped(limit)));
    let all = [
        count(limits.max_nodes(), "nodes"),
        count(limits.max_solutions(), "solutions"),
        limits.max_depth().map(|depth| format!("depth {depth}")),
        limits.max_time().map(|time| format!("{time:?}")),
        count(limits.max_states(), "states per layer"),
        count(limits.max_memory(), "bytes of memory"),
    ];
    all.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn every_contender_runs_once_per_turn_and_equally_often_at_each_position() {
        for count in 1..=7 {
            let mut places = vec![vec![0; count]; count];
            for turn in 0..2 * count {
                let order: Vec<usize> = order(count, turn).collect();
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..count));
                for (place, contender) in order.into_iter().enumerate() {
                    places[contender][place] += 1;
                }
            }
            assert!(
                places.iter().flatten().all(|&times| times == 2),
                "{count} contenders: {places:?}"
            );
        }
    }
}
