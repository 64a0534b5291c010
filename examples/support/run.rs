//! The options of long runs, and searches that are run as these say.

use std::fmt;
use std::io::{IsTerminal, stdout};
use std::time::Duration;

use clap::Args;
use secateurs::search::{Extract, FromFrontier};
use secateurs::{
    Brancher, Cancel, Count, Found, Hooks, Limits, Objective, Optimum, Outcome, Problem, Report,
    Search,
};

use super::checkpoint::{self, Choice};
use super::interrupt;
use super::progress::Bar;
use super::{Failure, whole};

#[derive(Args)]
#[group(id = "running")]
pub struct Options {
    /// Search with so many threads; with 0, as many as the machine runs at the same time.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = whole::<usize>)]
    threads: usize,
    /// Stop after so many seconds, with what is known by then.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Stop after so many nodes, with what is known by then.
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    nodes: Option<u64>,
    /// Say how the run is going, every few seconds, even where standard error is no terminal. Where
    /// it is one, a bar does as soon as the run lasts over a second.
    #[arg(long)]
    progress: bool,
    #[command(flatten)]
    saving: checkpoint::Options,
    /// Thrown by Ctrl-C.
    #[arg(skip)]
    cancel: Cancel,
}

/// A time of the command line.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "expected a number of seconds, such as 60 or 0.5".to_owned())
}

impl Options {
    /// From now on, Ctrl-C ends what is [limited](Self::limits) cleanly. Once a program.
    pub fn catch_interrupts(&self) -> Result<(), Failure> {
        interrupt::install(&self.cancel)
    }

    /// The limits that were asked for, and Ctrl-C.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::new().cancel(&self.cancel);
        if let Some(time) = self.time {
            limits = limits.time(time);
        }
        if let Some(nodes) = self.nodes {
            limits = limits.nodes(nodes);
        }
        limits
    }

    /// Shows how a run is going.
    pub fn bar(&self) -> Bar {
        Bar::new(self.progress)
    }

    /// An option that takes a search of one tree, if one was given.
    pub fn of_one_tree(&self) -> Option<&'static str> {
        self.saving.given().or((self.threads != 1).then_some("--threads"))
    }

    /// Whether the search is saved.
    pub fn saves(&self) -> bool {
        self.saving.given().is_some()
    }

    /// Prepares a search as the options say, and has `run` run it; `name` and `data` say which
    /// search it is, if it is saved. Limits are set already, for there may be others.
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

/// A search that waits for a question.
pub struct Ready<'p, P: Problem, B, H, X> {
    search: Search<'p, P, B, H, X, FromFrontier>,
    threads: usize,
    bar: Bar,
    with_share: bool,
}

impl<P: Problem, B, H, X> Ready<'_, P, B, H, X> {
    /// With one thread, does not tell what share of the tree is done. To know, the walk goes back
    /// to the root and returns; a hook that looks at the incumbent when it enters a node sees a
    /// later one then, and the tree would be another, as it is with several threads.
    pub fn without_share(self) -> Self {
        Ready { with_share: self.threads != 1, ..self }
    }
}

/// What can be asked of a search, be it run by one thread or by several.
pub trait Questions: Sized {
    /// What is searched.
    type Problem: Problem;
    /// What is taken out of solutions.
    type Output;

    /// How many solutions are there?
    fn count(self) -> Outcome<Count>;

    /// Which one is the first in the order of the tree?
    fn first(self) -> Outcome<Found<Self::Output>>;

    /// Which ones are there? Prints each, in the order of the tree.
    fn list(
        self,
        print: impl FnMut(Self::Output) -> Result<(), Failure>,
    ) -> Result<Report, Failure>;

    /// Which one is the best? Of several, any.
    fn best<V, F>(
        self,
        objective: &Objective<Self::Problem, V, F>,
    ) -> Outcome<Optimum<V, Self::Output>>
    where
        V: Ord + Clone + fmt::Display + Send + Sync + 'static,
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
        // On a terminal, the list itself says how the run is going.
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
        V: Ord + Clone + fmt::Display + Send + Sync + 'static,
        F: Fn(&P, &P::State) -> V + Sync,
    {
        let Ready { search, threads, bar, with_share } = self;
        let incumbent = objective.incumbent().clone();
        let search =
            bar.watch(search, move || incumbent.get().map(|value| value.to_string()), with_share);
        if threads == 1 { search.best(objective) } else { search.threads(threads).best(objective) }
    }
}
