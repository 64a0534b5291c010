//! The questions of a search on a cluster.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ClusterSearch;
use super::query::{AnyQuery, BestQuery, CountQuery};
use super::run::{RunResult, revisit};
use crate::brancher::Brancher;
use crate::cluster::error::ClusterError;
use crate::hook::Hooks;
use crate::incumbent::{Matching, Objective};
use crate::outcome::{Count, Found, Optimum, Outcome};
use crate::problem::Problem;
use crate::search::Extract;

impl<'p, P, B, H, X> ClusterSearch<'p, P, B, H, X>
where
    P: Problem<Choice: Clone + Send + Serialize + DeserializeOwned> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
{
    /// Counts the solutions, like [`Search::count`](crate::Search::count).
    ///
    /// # Errors
    /// If a process is lost, runs another program, or panics: see [`ClusterError`].
    ///
    /// If the problem, a hook or other code of the caller panics in this process.
    pub fn count(self) -> Result<Outcome<Count>, ClusterError> {
        let (ended, _) = self.go(|| CountQuery, |_, _| {})?;
        let count = ended.results.counted().unwrap_or(Count::TOO_MANY);
        Ok(Outcome::new(count, ended.report))
    }

    /// Finds out whether there is a solution, like [`Search::exists`](crate::Search::exists).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Panics
    /// As [`count`](Self::count).
    pub fn exists(self) -> Result<Outcome<Found<()>>, ClusterError> {
        let (ended, _) = self.go(|| AnyQuery, |_, _| {})?;
        let RunResult { results, report, .. } = ended;
        let found = (!results.best.is_empty() || report.credited() > 0).then_some(());
        Ok(Outcome::new(Found::new(found, &report), report))
    }

    /// Finds a solution, an arbitrary one, like [`Search::first`](crate::Search::first).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Panics
    /// As [`count`](Self::count).
    pub fn first(self) -> Result<Outcome<Found<X::Output>>, ClusterError>
    where
        X: Extract<P>,
    {
        let (ended, mut extract) = self.go(|| AnyQuery, |_, _| {})?;
        let RunResult { mut results, report, origin } = ended;
        let mut solution = None;
        results.best.truncate(1);
        revisit(&origin, &mut results, |node| solution = Some(extract.extract(node)));
        Ok(Outcome::new(Found::new(solution, &report), report))
    }
}

impl<'p, P, B, H, X> ClusterSearch<'p, P, B, H, X>
where
    P: Problem<Choice: Clone + Send + Serialize + DeserializeOwned> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
    X: Extract<P>,
{
    /// Finds the best solution by `objective`, like [`Search::best`](crate::Search::best). Among
    /// equally good ones the choice is arbitrary, but the same in all processes.
    ///
    /// All workers share one incumbent: a better value is known everywhere after one or two slices.
    /// The number of nodes [varies](crate::Report::nondeterministic_parts), because the pruning by
    /// bounds depends on timing.
    ///
    /// ```
    /// use secateurs::cluster::Cluster;
    /// use secateurs::problems::fire_net::FireNetBoard;
    /// use secateurs::{Objective, Search};
    ///
    /// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// let outcome = Search::new(&board).on(&Cluster::threads(2)).best(&placed)?;
    /// assert_eq!(outcome.proven(), Some(&5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Panics
    /// As [`count`](Self::count).
    pub fn best<V, F>(
        self,
        objective: &Objective<P, V, F>,
    ) -> Result<Outcome<Optimum<V, X::Output>>, ClusterError>
    where
        V: Ord + Clone + Send + Sync + Serialize + DeserializeOwned,
        F: Fn(&P, &P::State) -> V + Sync,
    {
        // The best value of earlier runs is known from the start.
        let recovered = |origin: &_, results: &mut _| {
            let matching = Matching::of(objective.incumbent());
            revisit(origin, results, |node| {
                objective.incumbent().offer(objective.value(node.problem(), node.state()));
            });
            drop(matching);
        };
        let (ended, mut extract) = self.go(|| BestQuery::new(objective), recovered)?;
        let RunResult { mut results, report, origin } = ended;
        let direction = objective.incumbent().direction();
        let mut best: Option<(V, X::Output)> = None;
        let matching = Matching::of(objective.incumbent());
        revisit(&origin, &mut results, |node| {
            let value = objective.value(node.problem(), node.state());
            if best.as_ref().is_none_or(|(known, _)| direction.is_better(&value, known)) {
                objective.incumbent().offer(value.clone());
                best = Some((value, extract.extract(node)));
            }
        });
        drop(matching);
        let proven = report.proves_optimum();
        // The caller may have offered a better value than any solution here has.
        let best = objective.incumbent().peek().map(|value| {
            let solution = best.and_then(|(own, solution)| (own == value).then_some(solution));
            (value, solution)
        });
        Ok(Outcome::new(Optimum::new(best, proven), report))
    }
}
