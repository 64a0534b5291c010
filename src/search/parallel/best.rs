//! The best solution, searched by several threads that share one incumbent.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::run::Run;
use super::threads::{Divisible, Threads};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::incumbent::{AcceptTies, Objective, ObjectiveValue};
use crate::outcome::{Optimum, Outcome};
use crate::problem::Problem;
use crate::search::best::{Improver, earlier_best, with_solution};
use crate::search::solutions::Extract;
use crate::search::walk::Strategy;

impl<P: Problem, B, H, X, S> Threads<'_, P, B, H, X, S> {
    /// Searches for the best solution by `objective`, like [`Search::best`](crate::Search::best).
    ///
    /// Of several equally good solutions it returns any one; [in order](Threads::in_order), it
    /// returns the first one in tree order, as a search in one thread does. For this, a second
    /// search follows once the optimum is proven. It visits the solutions that are as good as the
    /// optimum, and ends at the first one. The report is the sum of both searches. If a limit stops
    /// the second search, the solution is any one again.
    pub fn best<V, F, T>(self, objective: &Objective<P, V, F>) -> Outcome<Optimum<V, T>>
    where
        P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
        B: Brancher<P> + Clone + Send,
        H: Hooks<P> + Clone + Send,
        X: Extract<P, Output = T> + Clone + Send,
        T: Send,
        S: Divisible + Strategy<P, B, H>,
        V: ObjectiveValue + Send + Sync,
        F: Fn(&P, &P::State) -> V + Sync,
    {
        let Threads { search, threads, in_order } = self;
        let (mut run, mut extract) = Run::new(search, threads, Some(objective.id()));
        let best_slot = &run.resume.as_ref().map(|resume| resume.best_slot.clone());
        let earlier = earlier_best(objective, &mut extract, |visit| run.revisit_best(visit));
        // The lock keeps value, solution and path together.
        let best = &Mutex::new(earlier);
        let improve = || {
            let mut improver = Improver::new(objective, extract.clone(), None);
            Some(move |node: &Node<'_, P>| -> Option<()> {
                let (value, solution) = improver.improve(node)?;
                let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
                // Another thread may have stored a better one since the offer.
                let direction = objective.incumbent().direction();
                if best.as_ref().is_none_or(|(known, _)| direction.is_better(&value, known)) {
                    if let Some(best_slot) = best_slot {
                        best_slot.record(&node.path(), &value);
                    }
                    *best = Some((value, solution));
                }
                None
            })
        };
        let second_run = in_order.then(|| run.restarted());
        let node_limit = run.node_limit();
        let (_, mut report) = run.execute_silently(improve);
        let best = best.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut best = with_solution(objective.incumbent().peek(), best);
        let proven = report.proves_optimum();
        if let (Some(second_run), true, Some((value, solution @ Some(_)))) =
            (second_run, proven, &mut best)
        {
            let value = &*value;
            let visit = || {
                let mut extract = extract.clone();
                Some(move |node: &Node<'_, P>| {
                    let found = objective.value(node.problem(), node.state());
                    (found == *value).then(|| extract.extract(node))
                })
            };
            let second_run = second_run.within(&node_limit);
            let ties = AcceptTies::of(objective.incumbent());
            let (first, _, second) = second_run.execute(visit, true, |solutions| solutions.next());
            drop(ties);
            if first.is_some() {
                *solution = first;
            }
            report = report.with(&second);
        }
        Outcome::new(Optimum::new(best, proven), report)
    }
}
