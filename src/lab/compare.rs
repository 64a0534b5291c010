//! Runs several contenders on the same instances: [`Compare`].

use std::collections::HashSet;
use std::fmt;
use std::time::Duration;

use super::answer::{Answer, Trial};
use super::comparison::{Compared, Comparison, Setup};
use super::contender::{Contender, Run};
use super::error::{CompareError, Disagreement};
use super::measured::{Measured, MemoryMeter, SizeEstimate, metered};
use crate::clock::Instant;
use crate::limits::{Limits, Stop};

/// Probes of an estimate, unless told otherwise.
const PROBES: u64 = 10_000;

/// Whether something is true of a run on an instance.
type Test<'a, I> = Box<dyn Fn(&I, &Measured) -> bool + 'a>;

/// A comparison that is being set up: instances, contenders, and how often and how long each is
/// run.
///
/// ```
/// use secateurs::lab::{Compare, Contender};
/// use secateurs::problems::fire_net::{FireNetBoard, FireNetBranching, FireNetSettings};
///
/// // Twenty boards from a generator.
/// let boards = (0..20).map(|seed| Ok((format!("board {seed}"), FireNetBoard::random(8, 8, 0.8, seed)?)));
/// let boards: Vec<_> = boards.collect::<Result<_, secateurs::problems::InstanceError>>()?;
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
    tallies: Vec<(String, Test<'a, I>)>,
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
    /// On one instance.
    pub fn of(name: impl Into<String>, instance: I) -> Self {
        Self::over([(name, instance)])
    }

    /// On several instances, each with a name of its own: those of a collection, or of a generator.
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
        }
    }

    /// What the comparison is called, on its page and in files: `comparison` unless this is called.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What one should know to read the tables, such as what the names of the contenders mean: a
    /// sentence or two below the first one.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds a contender. The first is the *base*, what the others are compared with.
    pub fn contender(mut self, contender: Contender<'a, I>) -> Self {
        self.contenders.push(contender);
        self
    }

    /// Adds several contenders.
    pub fn contenders(mut self, contenders: impl IntoIterator<Item = Contender<'a, I>>) -> Self {
        self.contenders.extend(contenders);
        self
    }

    /// The limits of each run: there are none unless this is called. With a
    /// [switch](Limits::cancel) among them, the whole comparison ends when it is thrown.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How often each contender is run on each instance, in turns with the others; 5 times unless
    /// this is called, and at least once.
    pub fn rounds(mut self, rounds: usize) -> Self {
        self.rounds = rounds.max(1);
        self
    }

    /// How many probes an estimate takes, of a run that came to a limit: 10,000 unless this is
    /// called.
    pub fn probes(mut self, probes: u64) -> Self {
        self.probes = probes;
        self
    }

    /// Measures memory by this meter: the most bytes that a run had in use at a time, beside those
    /// that were before.
    pub fn memory(mut self, meter: impl MemoryMeter + 'a) -> Self {
        self.meter = Some(Box::new(meter));
        self
    }

    /// Counts, of each contender, the instances on which `test` holds: a column of its own under
    /// this name.
    ///
    /// ```
    /// use secateurs::lab::{Compare, Contender};
    /// use secateurs::problems::InstanceError;
    /// use secateurs::problems::queens::{BitQueens, Queens};
    /// use secateurs::Search;
    ///
    /// let sizes: Result<Vec<_>, InstanceError> = (4..9).map(|n| Ok((n.to_string(), Queens::new(n)?.bits()))).collect();
    /// let comparison = Compare::over(sizes?)
    ///     .contender(Contender::new("plain", |queens: &BitQueens, limits| Search::new(queens).limits(limits).first()))
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

    /// Runs all contenders on all instances.
    ///
    /// In the first round all answers are compared, before anything is run again. In each round,
    /// every instance has its turn, and on it every contender; which one begins goes round from
    /// turn to turn, and every other turn goes backwards, so that none of them always runs after
    /// the same other one, or always on a machine that has warmed up.
    ///
    /// Cost: all runs, and the probes of what is to be estimated. Memory: the report of one run of
    /// each contender on each instance.
    ///
    /// # Errors
    /// [`CompareError::NoContenders`] and [`CompareError::NoInstances`] if there is nothing to run,
    /// [`CompareError::SameName`] if two of either are called the same,
    /// [`CompareError::Disagreement`] if two contenders, or one of them in two rounds, have proven
    /// different answers for the same instance (then at least one of them is unsound, and no figure
    /// means anything), and [`CompareError::Cancelled`].
    pub fn run(self) -> Result<Comparison, CompareError> {
        self.check()?;
        let mut runs = self.first_round()?;
        for round in 1..self.rounds {
            for (index, ((name, instance), runs)) in
                self.instances.iter().zip(&mut runs).enumerate()
            {
                for contender in order(self.contenders.len(), round + index) {
                    let own = &self.contenders[contender];
                    let timed = self.measure(&own.run, instance)?;
                    // One that keeps something from run to run may change its mind.
                    let first = (own.name.clone(), runs[contender].answer.clone());
                    let again =
                        (format!("{}, round {}", own.name, round + 1), timed.trial.answer.clone());
                    Disagreement::among(name, &[first, again])?;
                    timed.add_to(&mut runs[contender]);
                }
            }
        }
        for ((_, instance), runs) in self.instances.iter().zip(&mut runs) {
            self.conclude(instance, runs);
        }
        Ok(self.comparison(runs))
    }

    fn check(&self) -> Result<(), CompareError> {
        if self.contenders.is_empty() {
            return Err(CompareError::NoContenders);
        }
        if self.instances.is_empty() {
            return Err(CompareError::NoInstances);
        }
        unique("contenders", self.contenders.iter().map(Contender::name))?;
        unique("instances", self.instances.iter().map(|(name, _)| &**name))
    }

    /// Runs of all contenders, instance by instance, whose answers agree.
    fn first_round(&self) -> Result<Vec<Vec<Measured>>, CompareError> {
        let mut all = Vec::with_capacity(self.instances.len());
        for (turn, (name, instance)) in self.instances.iter().enumerate() {
            let mut runs: Vec<Option<Measured>> = self.contenders.iter().map(|_| None).collect();
            let mut claims: Vec<(String, Answer)> = Vec::new();
            for index in order(self.contenders.len(), turn) {
                let contender = &self.contenders[index];
                let timed = self.measure(&contender.run, instance)?;
                claims.push((contender.name.clone(), timed.trial.answer.clone()));
                let mut run = Measured::new(timed.trial, timed.time, timed.bytes);
                if let Some(counted) = &contender.counted {
                    let counted = self.measure(counted, instance)?.trial;
                    claims.push((format!("{}, counted", contender.name), counted.answer));
                    run.stats.extend(counted.stats);
                }
                runs[index] = Some(run);
            }
            Disagreement::among(name, &claims)?;
            all.push(runs.into_iter().flatten().collect());
        }
        Ok(all)
    }

    fn measure(&self, run: &Run<'a, I>, instance: &I) -> Result<Timed, CompareError> {
        let limits = self.limits.clone();
        let ((trial, time), bytes) = metered(self.meter.as_deref(), || {
            let start = Instant::now();
            let trial = run(instance, limits);
            (trial, start.elapsed())
        });
        if self.limits.used_up() == Some(Stop::Cancelled) {
            return Err(CompareError::Cancelled);
        }
        Ok(Timed { trial, time, bytes })
    }

    /// Estimates what came to a limit, and tallies.
    fn conclude(&self, instance: &I, runs: &mut [Measured]) {
        for (contender, run) in self.contenders.iter().zip(runs) {
            if let (true, Some(estimate)) = (run.is_limited(), &contender.estimate) {
                let estimate = estimate(instance, self.probes, 1);
                let known = SizeEstimate::new(&estimate, contender.estimate_knows_optimum);
                run.estimate = known.filter(|known| !known.is_refuted(run.nodes()));
            }
            run.tallied = self.tallies.iter().map(|(_, test)| test(instance, run)).collect();
        }
    }

    /// Turns runs by instance into runs by contender.
    fn comparison(self, runs: Vec<Vec<Measured>>) -> Comparison {
        let tallies: Vec<String> = self.tallies.into_iter().map(|(name, _)| name).collect();
        let names = self.instances.into_iter().map(|(name, _)| name).collect();
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
            limits: self.limits.in_words(),
            tallies,
        };
        Comparison { setup, instances: names, contenders }
    }
}

/// A run that was timed.
struct Timed {
    trial: Trial,
    time: Duration,
    bytes: Option<u64>,
}

impl Timed {
    fn add_to(self, run: &mut Measured) {
        run.times.push(self.time);
        run.metered = run.metered.max(self.bytes);
    }
}

fn unique<'n>(
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

/// Which of `count` contenders runs first, second, and so on: another one begins each time, and
/// every other time backwards.
fn order(count: usize, turn: usize) -> impl Iterator<Item = usize> {
    let backwards = turn % 2 == 1;
    (0..count).map(move |place| {
        let place = (place + turn / 2) % count;
        if backwards { count - 1 - place } else { place }
    })
}

impl Limits {
    /// What is limited, each in words.
    fn in_words(&self) -> Vec<String> {
        use crate::report::table::grouped;
        let mut words = Vec::new();
        words.extend(self.nodes.map(|nodes| format!("{} nodes", grouped(nodes))));
        words.extend(self.solutions.map(|solutions| format!("{} solutions", grouped(solutions))));
        words.extend(self.depth.map(|depth| format!("depth {depth}")));
        words.extend(self.time.map(|time| format!("{time:?}")));
        words.extend(self.states.map(|states| format!("{} states a layer", grouped(states))));
        words.extend(self.bytes.map(|bytes| format!("{} bytes of layers", grouped(bytes))));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn each_contender_runs_once_a_turn_and_at_each_place_in_turn() {
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
