//! The options of searches, and searches that follow them.

use std::fmt;
use std::io::{IsTerminal, stdout};

use clap::Args;
use secateurs::search::{Extract, FromFrontier, RunBudget};
use secateurs::{
    Brancher, Count, Found, Hooks, Limits, Objective, ObjectiveValue, Optimum, Outcome, Problem,
    Report, Search, Stop,
};

use super::checkpoint::{self, Choice};
use super::progress::{self, Bar};
use super::{Failure, limits, whole};

/// The options of searches.
#[derive(Args)]
#[group(id = "running")]
pub struct Options {
    /// Search with this many threads; 0 means the available parallelism.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = whole::<usize>)]
    threads: usize,
    #[command(flatten)]
    limits: limits::Options,
    #[command(flatten)]
    progress: progress::Options,
    #[command(flatten)]
    saving: checkpoint::Options,
}

impl Options {
    /// Returns what earlier runs have left of the requested limits, including cancellation by
    /// Ctrl-C.
    pub fn limits(&self) -> Limits {
        self.limits.limits()
    }

    /// Creates the display of the progress of a run.
    pub fn bar(&self) -> Bar {
        self.progress.bar()
    }

    /// Returns an option that requires a search of one tree, if one was given.
    pub fn conflicting_option(&self) -> Option<&'static str> {
        self.saving.given().or((self.threads != 1).then_some("--threads"))
    }

    /// Returns whether the search is saved.
    pub fn saves(&self) -> bool {
        self.saving.given().is_some()
    }

    /// Prepares a search according to the options, and calls `run` with it. `name` and `data`
    /// identify the search if it is saved. The caller has set the limits of the search, because
    /// there may be others than those of the options.
    pub fn search<P, B, H, X, T>(
        &self,
        search: Search<'_, P, B, H, X>,
        name: &str,
        data: &[&str],
        run: impl FnOnce(Ready<'_, P, B, H, X>) -> Result<T, Failure>,
    ) -> Result<T, Failure>
    where
        P: Problem<Choice: Choice>,
        B: Brancher<P>,
        H: Hooks<P>,
    {
        let (threads, bar) = (self.threads, self.bar());
        self.saving
            .run(search, name, data, |search| run(Ready { search, threads, bar, with_share: true }))
    }
}

/// Finds a solution for a picture, after another run on the same tree, within what that run has
/// left of the budget, unless that run has proven that there is none. Returns it with the reason to
/// report why the runs ended: that of the first one, or, if it was complete and the solution is
/// missing, that of this one.
pub fn first_after<T>(
    before: Report,
    mut budget: RunBudget,
    first: impl FnOnce(Limits) -> Outcome<Found<T>>,
) -> (Option<T>, Stop) {
    let stop = before.stop();
    budget.add(before);
    let limits = budget.limits();
    if matches!(budget.found::<T>(None).value(), Found::None) {
        return (None, stop);
    }
    let (found, report) = first(limits).into_parts();
    match found {
        Found::Solution(solution) => (Some(solution), stop),
        _ if stop.is_exhausted() => (None, report.stop()),
        _ => (None, stop),
    }
}

/// A prepared search, ready for a question.
pub struct Ready<'p, P: Problem, B, H, X> {
    search: Search<'p, P, B, H, X, FromFrontier>,
    threads: usize,
    bar: Bar,
    with_share: bool,
}

impl<P: Problem, B, H, X> Ready<'_, P, B, H, X> {
    /// Stops reporting the fraction of the tree that is done, if there is one thread. To compute
    /// the fraction, the walk returns to the root and replays its path. A hook that reads the
    /// incumbent when it enters a node then sees a later one, and the tree changes, as it does with
    /// several threads.
    pub fn without_share(self) -> Self {
        Ready { with_share: self.threads != 1, ..self }
    }

    /// Creates the budget of this search and of one after it. The nodes of the runs that this one
    /// resumes do not count towards `limits`, although its report includes them.
    pub fn budget(&self, limits: Limits) -> RunBudget {
        let earlier = self.search.earlier_report().map_or(0, Report::nodes);
        RunBudget::new(match limits.max_nodes() {
            Some(nodes) => limits.nodes(nodes.saturating_add(earlier)),
            None => limits,
        })
    }
}

/// The questions to a search, run by one thread or by several.
pub trait Questions: Sized {
    /// The problem that is searched.
    type Problem: Problem;
    /// The part of a solution that is extracted.
    type Output;

    /// Counts the solutions.
    fn count(self) -> Outcome<Count>;

    /// Finds the first solution in the order of the tree.
    fn first(self) -> Outcome<Found<Self::Output>>;

    /// Prints all solutions, in the order of the tree.
    fn list(
        self,
        print: impl FnMut(Self::Output) -> Result<(), Failure>,
    ) -> Result<Report, Failure>;

    /// Finds a best solution.
    fn best<V, F>(
        self,
        objective: &Objective<Self::Problem, V, F>,
    ) -> Outcome<Optimum<V, Self::Output>>
    where
        V: ObjectiveValue + fmt::Display + Send + Sync + 'static,
        F: Fn(&Self::Problem, &<Self::Problem as Problem>::State) -> V + Sync;
}

impl<P, B, H, X> Questions for Ready<'_, P, B, H, X>
where
    P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
    X: Extract<P, Output: Send> + Clone + Send,
{
    type Problem = P;
    type Output = X::Output;

    fn count(self) -> Outcome<Count> {
        let Ready { search, threads, bar, with_share } = self;
        let search = bar.watch(search, || None, with_share);
        if threads == 1 { search.count() } else { search.threads(threads).count() }
    }

    fn first(self) -> Outcome<Found<X::Output>> {
        let Ready { search, threads, bar, with_share } = self;
        let search = bar.watch(search, || None, with_share);
        if threads == 1 { search.first() } else { search.threads(threads).in_order().first() }
    }

    fn list(
        self,
        mut print: impl FnMut(X::Output) -> Result<(), Failure>,
    ) -> Result<Report, Failure> {
        let Ready { search, threads, bar, with_share } = self;
        // On a terminal, the list itself shows the progress.
        let search =
            if stdout().is_terminal() { search } else { bar.watch(search, || None, with_share) };
        if threads != 1 {
            let listed = search
                .threads(threads)
                .in_order()
                .solutions(|solutions| solutions.try_for_each(print));
            let (printed, report) = listed.into_parts();
            return printed.map(|()| report);
        }
        let mut solutions = search.solutions();
        solutions.by_ref().try_for_each(&mut print)?;
        Ok(solutions.report())
    }

    fn best<V, F>(self, objective: &Objective<P, V, F>) -> Outcome<Optimum<V, X::Output>>
    where
        V: ObjectiveValue + fmt::Display + Send + Sync + 'static,
        F: Fn(&P, &P::State) -> V + Sync,
    {
        let Ready { search, threads, bar, with_share } = self;
        let incumbent = objective.incumbent().clone();
        let search =
            bar.watch(search, move || incumbent.get().map(|value| value.to_string()), with_share);
        if threads == 1 { search.best(objective) } else { search.threads(threads).best(objective) }
    }
}
