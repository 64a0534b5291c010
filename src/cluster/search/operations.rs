//! The questions of a search on a cluster.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ClusterSearch;
use super::query::{AnyQuery, BestQuery, CountQuery};
use super::run::RunResult;
use crate::brancher::Brancher;
use crate::cluster::error::ClusterError;
use crate::effect::Effect;
use crate::hook::{Hooks, Node};
use crate::incumbent::{Objective, ObjectiveValue};
use crate::outcome::{Count, Found, Optimum, Outcome};
use crate::problem::Problem;
use crate::search::Extract;
use crate::search::executor::{Origin, existence, optimum};

impl<'p, P, B, H, X> ClusterSearch<'p, P, B, H, X>
where
    P: Problem<Choice: Clone + Send + Serialize + DeserializeOwned> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
{
    /// Counts the solutions, like [`Search::count`](crate::Search::count).
    ///
    /// # Errors
    /// Returns an error if a process is lost, runs another program, or panics: see
    /// [`ClusterError`].
    ///
    /// # Panics
    /// Panics if the problem, a hook or other code of the caller panics in this process.
    pub fn count(self) -> Result<Outcome<Count>, ClusterError> {
        let (ended, _) = self.execute(|| CountQuery, |_, _| {})?;
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
        let (ended, _) = self.execute(|| AnyQuery, |_, _| {})?;
        let RunResult { results, report, .. } = ended;
        let found = (!results.best.is_empty()).then_some(());
        Ok(existence(Outcome::new(Found::new(found, &report), report)))
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
        let (ended, mut extract) = self.execute(|| AnyQuery, |_, _| {})?;
        let RunResult { mut results, report, origin, .. } = ended;
        let mut solution = None;
        results.best.truncate(1);
        origin.revisit_best(&mut results, |node| solution = Some(extract.extract(node)));
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
    /// As [`count`](Self::count). Also returns [`ClusterError::Unnamed`] if there are several
    /// processes or a journal, and the objective has no [name](Objective::named).
    ///
    /// # Panics
    /// As [`count`](Self::count).
    pub fn best<V, F>(
        self,
        objective: &Objective<P, V, F>,
    ) -> Result<Outcome<Optimum<V, X::Output>>, ClusterError>
    where
        V: ObjectiveValue + Send + Sync + Serialize + DeserializeOwned,
        F: Fn(&P, &P::State) -> V + Sync,
    {
        // The best value of earlier runs is known from the start.
        let recovered = |origin: &Origin<'_, P, B, H>, results: &mut _| {
            origin.earlier_best(results, objective, &mut |_: &Node<'_, P>| ());
        };
        let (ended, mut extract) = self.execute(|| BestQuery::new(objective), recovered)?;
        let RunResult { mut results, mut report, origin, offered } = ended;
        let best = origin.earlier_best(&mut results, objective, &mut extract);
        // Each process has known the values that were offered to any of them in this run.
        results.offered.remove_all(&offered);
        results.offered.remove_known(&objective.id());
        if let Some(reason) = results.offered.conflict() {
            report.effect = Effect::Lossy;
            report.add_conflict(reason);
        }
        // `best` may be worse than the incumbent: the caller may have offered a better value.
        Ok(optimum(objective, best, report))
    }
}
