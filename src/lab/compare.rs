//! Runs several strategies on the same instances: [`Compare`].

use std::error::Error;
use std::fmt;
use std::time::Instant;

use super::answer::{Answer, Trial};
use super::comparison::{Compared, Comparison, Measured};
use super::strategy::Strategy;
use crate::limits::Limits;

/// Probes of an estimate, unless told otherwise.
const PROBES: u64 = 10_000;

/// A comparison that is being set up: instances, strategies, and how often and how long each is run.
#[derive(Debug)]
#[must_use = "nothing is compared until it is run"]
pub struct Compare<'a, I> {
    instances: Vec<(String, I)>,
    strategies: Vec<Strategy<'a, I>>,
    limits: Limits,
    rounds: usize,
    probes: u64,
}

impl<'a, I> Compare<'a, I> {
    /// On one instance.
    pub fn of(name: impl Into<String>, instance: I) -> Self {
        Self::over([(name, instance)])
    }

    /// On several instances: those of a collection, or of a generator.
    pub fn over(instances: impl IntoIterator<Item = (impl Into<String>, I)>) -> Self {
        let instances = instances.into_iter().map(|(name, instance)| (name.into(), instance)).collect();
        Compare { instances, strategies: Vec::new(), limits: Limits::new(), rounds: 5, probes: PROBES }
    }

    /// Adds a strategy. The first is what the others are compared with.
    pub fn strategy(mut self, strategy: Strategy<'a, I>) -> Self {
        self.strategies.push(strategy);
        self
    }

    /// The limits of each run: there are none unless this is called.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How often each strategy is run on each instance, in turns with the others; 5 times unless this is called, and at least
    /// once.
    pub fn rounds(mut self, rounds: usize) -> Self {
        self.rounds = rounds.max(1);
        self
    }

    /// How many probes an estimate takes, of a run that came to a limit: 10,000 unless this is called.
    pub fn probes(mut self, probes: u64) -> Self {
        self.probes = probes;
        self
    }

    /// Runs all strategies on all instances. Cost: that of all runs; of estimates, the probes.
    ///
    /// # Errors
    /// [`CompareError::NoStrategies`] if there is nothing to run, and [`CompareError::Disagreement`] if two strategies have
    /// proven different answers for the same instance: then at least one of them is unsound, and no figure means anything.
    pub fn run(self) -> Result<Comparison, CompareError> {
        let Compare { instances, strategies, limits, rounds, probes } = self;
        if strategies.is_empty() {
            return Err(CompareError::NoStrategies);
        }
        let mut compared: Vec<_> =
            strategies.iter().map(|strategy| Compared { name: strategy.name.clone(), runs: Vec::new() }).collect();
        for (name, instance) in &instances {
            let mut measured: Vec<Measured> = Vec::with_capacity(strategies.len());
            for strategy in &strategies {
                let (Trial { answer, report }, time) = timed(|| (strategy.run)(instance, limits.clone()));
                measured.push(Measured { answer, report, times: vec![time], estimate: None });
            }
            check(name, &strategies, &measured)?;
            for _ in 1..rounds {
                for (strategy, measured) in strategies.iter().zip(&mut measured) {
                    measured.times.push(timed(|| (strategy.run)(instance, limits.clone())).1);
                }
            }
            for (strategy, measured) in strategies.iter().zip(&mut measured) {
                if let (true, Some(estimate)) = (measured.is_limited(), &strategy.estimate) {
                    measured.estimate = estimate(instance, probes, 1).nodes();
                }
            }
            for (compared, measured) in compared.iter_mut().zip(measured) {
                compared.runs.push(measured);
            }
        }
        let instances = instances.into_iter().map(|(name, _)| name).collect();
        Ok(Comparison { instances, strategies: compared })
    }
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, std::time::Duration) {
    let start = Instant::now();
    let value = run();
    (value, start.elapsed())
}

/// Whether all answers that are proven are the same.
fn check<I>(instance: &str, strategies: &[Strategy<'_, I>], measured: &[Measured]) -> Result<(), CompareError> {
    let mut proven =
        strategies.iter().zip(measured).filter_map(|(strategy, run)| Some((strategy, run.answer.proven()?)));
    let Some((first, answer)) = proven.next() else { return Ok(()) };
    match proven.find(|(_, other)| *other != answer) {
        None => Ok(()),
        Some((second, other)) => Err(CompareError::Disagreement(Box::new(Disagreement {
            instance: instance.to_owned(),
            answers: [
                (first.name.clone(), Answer::Proven(answer.to_owned())),
                (second.name.clone(), Answer::Proven(other.to_owned())),
            ],
        }))),
    }
}

/// Two strategies that claim to have proven different answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    instance: String,
    answers: [(String, Answer); 2],
}

impl Disagreement {
    /// The name of the instance.
    #[must_use]
    pub fn instance(&self) -> &str {
        &self.instance
    }

    /// The two strategies, each with its answer.
    #[must_use]
    pub fn answers(&self) -> &[(String, Answer); 2] {
        &self.answers
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { instance, answers: [(one, own), (other, others)] } = self;
        write!(
            f,
            "{instance}: `{one}` has proven {own}, `{other}` has proven {others}; one of them at least is unsound"
        )
    }
}

/// Why there is no comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompareError {
    /// There is no strategy.
    NoStrategies,
    /// Two strategies have proven different answers.
    Disagreement(Box<Disagreement>),
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompareError::NoStrategies => f.write_str("no strategies, expected at least one"),
            CompareError::Disagreement(disagreement) => disagreement.fmt(f),
        }
    }
}

impl Error for CompareError {}
