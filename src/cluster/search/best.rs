//! The best solution, by a cluster with one incumbent.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::quest::Best;
use super::{ClusterSearch, Ended, revisit};
use crate::brancher::Brancher;
use crate::cluster::error::ClusterError;
use crate::hook::Hooks;
use crate::incumbent::{Matching, Objective};
use crate::outcome::{Optimum, Outcome};
use crate::problem::Problem;
use crate::search::Extract;

impl<'p, P, B, H, X> ClusterSearch<'p, P, B, H, X>
where
    P: Problem<Choice: Clone + Send + Serialize + DeserializeOwned> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
    X: Extract<P>,
{
    /// The best solution by `objective`, as [`Search::best`](crate::Search::best) finds it; of
    /// several that are equally good, any, but the same in all processes.
    ///
    /// The incumbent is that of all workers: a better value is known everywhere after a slice or
    /// two. How much bounds cut off depends on when, so that the number of nodes
    /// [varies](crate::Report::nondeterministic_parts).
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
        // What was found before is known from the start.
        let recovered = |origin: &_, account: &mut _| {
            let matching = Matching::of(objective.incumbent());
            revisit(origin, account, |node| {
                objective.incumbent().offer(objective.value(node.problem(), node.state()));
            });
            drop(matching);
        };
        let (ended, mut extract) = self.go(|| Best::new(objective), recovered)?;
        let Ended { mut account, report, origin } = ended;
        let direction = objective.incumbent().direction();
        let mut best: Option<(V, X::Output)> = None;
        let matching = Matching::of(objective.incumbent());
        revisit(&origin, &mut account, |node| {
            let value = objective.value(node.problem(), node.state());
            if best.as_ref().is_none_or(|(known, _)| direction.is_better(&value, known)) {
                objective.incumbent().offer(value.clone());
                best = Some((value, extract.extract(node)));
            }
        });
        drop(matching);
        let proven = report.proves_optimum();
        // Somebody may have offered a better value that no solution here has.
        let best = objective.incumbent().peek().map(|value| {
            let solution = best.and_then(|(own, solution)| (own == value).then_some(solution));
            (value, solution)
        });
        Ok(Outcome::new(Optimum::new(best, proven), report))
    }
}
