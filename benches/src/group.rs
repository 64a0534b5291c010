//! Contenders for the same answer, and their measurement by criterion.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput};
use secateurs::{Count, Optimum, Outcome, Report, Total};

/// The result of a run: its answer, if it is proven, and its nodes, if it counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunResult {
    /// The proven answer.
    pub answer: Option<u128>,
    /// The number of nodes of a search, or of contour states of a sweep.
    pub nodes: Option<u64>,
}

impl RunResult {
    fn reported(answer: Option<u128>, report: &Report) -> Self {
        RunResult { answer, nodes: Some(report.nodes()) }
    }

    /// Adds up results; the sum is proven if all of them are.
    pub fn sum(all: impl IntoIterator<Item = RunResult>) -> Self {
        let add = |one: Option<u128>, other: Option<u128>| Some(one? + other?);
        all.into_iter().fold(RunResult { answer: Some(0), nodes: Some(0) }, |sum, found| {
            RunResult {
                answer: add(sum.answer, found.answer),
                nodes: sum.nodes.zip(found.nodes).map(|(one, other)| one + other),
            }
        })
    }
}

impl From<u128> for RunResult {
    fn from(answer: u128) -> Self {
        RunResult { answer: Some(answer), nodes: None }
    }
}

impl From<u64> for RunResult {
    fn from(answer: u64) -> Self {
        u128::from(answer).into()
    }
}

impl From<usize> for RunResult {
    fn from(answer: usize) -> Self {
        (answer as u128).into()
    }
}

impl From<Outcome<Count>> for RunResult {
    fn from(outcome: Outcome<Count>) -> Self {
        RunResult::reported(outcome.exact(), outcome.report())
    }
}

impl<T> From<Outcome<secateurs::Found<T>>> for RunResult {
    /// The answer is 1 if there is a solution, and 0 if there is none.
    fn from(outcome: Outcome<secateurs::Found<T>>) -> Self {
        RunResult::reported(outcome.exists().map(u128::from), outcome.report())
    }
}

impl<T> From<Outcome<Optimum<usize, T>>> for RunResult {
    fn from(outcome: Outcome<Optimum<usize, T>>) -> Self {
        RunResult::reported(outcome.proven().map(|&best| best as u128), outcome.report())
    }
}

impl From<Outcome<Total<u128>>> for RunResult {
    fn from(outcome: Outcome<Total<u128>>) -> Self {
        RunResult::reported(outcome.total().copied(), outcome.report())
    }
}

/// One way to answer the question of a [`Group`].
pub(crate) struct Contender<I> {
    pub(crate) name: String,
    nodes: u64,
    /// The promised upper limit of the ratio of its time to that of the first contender.
    pub(crate) limit: Option<f64>,
    run: Box<dyn Fn(&I) -> RunResult>,
}

/// Contenders for the same answer on the same instance.
///
/// The first contender is the one that ratios refer to.
pub struct Group<I> {
    name: String,
    instance: I,
    answer: u128,
    nodes: u64,
    contenders: Vec<Contender<I>>,
}

impl<I> Group<I> {
    /// Creates a group without contenders, with the expected answer and the expected number of
    /// nodes.
    ///
    /// The name starts with that of the bench and a slash, because all benches share one folder of
    /// criterion results.
    pub fn new(name: impl Into<String>, instance: I, answer: u128, nodes: u64) -> Self {
        Group { name: name.into(), instance, answer, nodes, contenders: Vec::new() }
    }

    /// Adds a contender.
    pub fn contender<T: Into<RunResult>>(
        mut self,
        name: impl Into<String>,
        run: impl Fn(&I) -> T + 'static,
    ) -> Self {
        self.contenders.push(Contender {
            name: name.into(),
            nodes: self.nodes,
            limit: None,
            run: Box::new(move |instance| run(instance).into()),
        });
        self
    }

    /// Sets the expected number of nodes of the contender that was added last, if it searches a
    /// tree of its own.
    pub fn nodes(mut self, nodes: u64) -> Self {
        if let Some(last) = self.contenders.last_mut() {
            last.nodes = nodes;
        }
        self
    }

    /// Promises that the contender that was added last takes at most `ratio` times as long as the
    /// first one.
    pub fn limit(mut self, ratio: f64) -> Self {
        if let Some(last) = self.contenders.last_mut() {
            last.limit = Some(ratio);
        }
        self
    }

    /// Keeps the contenders of these names, in this order.
    ///
    /// # Panics
    /// Panics if there is no contender of one of these names.
    pub fn only<const N: usize>(mut self, names: [&str; N]) -> Self {
        self.contenders = names
            .into_iter()
            .map(|name| {
                let place = self.contenders.iter().position(|contender| contender.name == name);
                self.contenders.swap_remove(place.expect("the contender exists"))
            })
            .collect();
        self
    }

    /// Returns the name of the group.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the contenders in the order in which they were added.
    pub(crate) fn contenders(&self) -> &[Contender<I>] {
        &self.contenders
    }

    /// Runs a contender once.
    pub(crate) fn run(&self, contender: &Contender<I>) -> RunResult {
        black_box((contender.run)(black_box(&self.instance)))
    }

    /// Runs a contender once and checks its result.
    ///
    /// # Panics
    /// Panics if its answer or its number of nodes is not the expected one.
    pub(crate) fn check(&self, contender: &Contender<I>) {
        let found = self.run(contender);
        let expected = RunResult {
            answer: Some(self.answer),
            // A contender that does not count its nodes is not checked for them.
            nodes: found.nodes.and(Some(contender.nodes)),
        };
        assert_eq!(found, expected, "{}/{}: found, and expected", self.name, contender.name);
    }

    /// Measures each contender by criterion, in nodes per second, after checking its result once.
    ///
    /// # Panics
    /// Panics if the result of a contender is not the expected one.
    pub fn measure(&self, criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group(&self.name);
        group.sampling_mode(SamplingMode::Flat);
        for contender in &self.contenders {
            group.throughput(Throughput::Elements(contender.nodes));
            // Criterion calls this closure for the warm-up and for each sample, and never for a
            // contender that the arguments exclude.
            let mut is_checked = false;
            group.bench_function(&contender.name, |bencher| {
                if !is_checked {
                    self.check(contender);
                    is_checked = true;
                }
                bencher.iter(|| self.run(contender));
            });
        }
        group.finish();
    }
}

/// Returns the configuration of all criterion benches: few samples, because runs are deterministic
/// and take milliseconds. Arguments behind `--` override it.
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .without_plots()
}
