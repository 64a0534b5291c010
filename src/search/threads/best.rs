//! The best solution, by several threads with one incumbent.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};

use super::order::TaskId;
use super::run::Run;
use super::solutions::{Outlet, Sorter, Teller};
use super::team::Team;
use super::worker::Visitor;
use super::{Divisible, Threads};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::incumbent::{Incumbent, Matching, Objective};
use crate::outcome::{Optimum, Outcome};
use crate::problem::Problem;
use crate::report::Report;
use crate::search::{Extract, Strategy};

impl<'p, P, B, H, X, S> Threads<'p, P, B, H, X, S>
where
    P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
    X: Extract<P, Output: Send> + Clone + Send,
    S: Divisible + Strategy<P, B, H>,
{
    /// The best solution by `objective`, as [`Search::best`](crate::Search::best) finds it. Of
    /// several that are equally good, any; but [in order](Threads::in_order) the first of them,
    /// which is what one thread finds. For that, a second search follows when the optimum is
    /// proven, in which nothing is cut off that is as good; the report is that of both. (If a limit
    /// stops the second, it is any of them again.)
    pub fn best<V, F>(self, objective: &Objective<P, V, F>) -> Outcome<Optimum<V, X::Output>>
    where
        V: Ord + Clone + Send + Sync,
        F: Fn(&P, &P::State) -> V + Sync,
    {
        let (mut run, mut extract, in_order) = self.prepare(Some(objective.optimised()));
        let mut earlier = None;
        let matching = Matching::of(objective.incumbent());
        run.revisit_best(|node| {
            let value = objective.value(node.problem(), node.state());
            let better = |known: &Improvement<V, X::Output, P::Choice>| {
                objective.incumbent().direction().is_better(&value, &known.value)
            };
            if earlier.as_ref().is_none_or(better) {
                // An objective that was used before knows the value already.
                objective.incumbent().offer(value.clone());
                earlier = Some(Improvement { value, solution: extract.extract(node), path: None });
            }
        });
        drop(matching);
        let best = Mutex::new(earlier);
        let keeps_path = run.resume.is_some();
        let improver = |_| Improver {
            objective,
            incumbent: objective.incumbent().clone().declared(),
            extract: extract.clone(),
            best: &best,
            keeps_path,
            team: Arc::clone(&run.start.team),
        };
        let improvers: Vec<_> = (0..run.threads).map(improver).collect();
        let again = in_order.then(|| run.again());
        let (_, mut report) = run.go_silently(improvers, || {
            best.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .as_ref()
                .and_then(|best| best.path.clone())
        });
        let proven = report.proves_optimum();
        let best = best.into_inner().unwrap_or_else(PoisonError::into_inner);
        let value = objective.incumbent().peek();
        let Some(value) = value else { return Outcome::new(Optimum::new(None, proven), report) };
        let mut solution = best.and_then(|best| (best.value == value).then_some(best.solution));
        if let (Some(again), true, true) = (again, proven, solution.is_some()) {
            let (first, second) = first_of_value(again, extract, objective, &value);
            solution = first.or(solution);
            report = report.with(&second);
        }
        Outcome::new(Optimum::new(Some((value, solution)), proven), report)
    }
}

/// The best solution so far, and its path if that is wanted.
struct Improvement<V, T, C> {
    value: V,
    solution: T,
    path: Option<Vec<C>>,
}

type Best<V, T, C> = Mutex<Option<Improvement<V, T, C>>>;

struct Improver<'b, P: Problem, V, F, X: Extract<P>> {
    objective: &'b Objective<P, V, F>,
    incumbent: Incumbent<V>,
    extract: X,
    best: &'b Best<V, X::Output, P::Choice>,
    keeps_path: bool,
    team: Arc<Team>,
}

impl<P, V, F, X> Visitor<P> for Improver<'_, P, V, F, X>
where
    P: Problem<Choice: Clone + Send>,
    V: Ord + Clone + Send + Sync,
    F: Fn(&P, &P::State) -> V + Sync,
    X: Extract<P, Output: Send> + Send,
{
    fn visit(&mut self, _: TaskId, node: &Node<'_, P>) -> ControlFlow<()> {
        let counted = self.team.count_solution();
        let value = self.objective.value(node.problem(), node.state());
        if self.incumbent.is_beaten_by(&value) && self.incumbent.offer(value.clone()) {
            let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
            // Somebody else may have been quicker to come here with a better one.
            if best
                .as_ref()
                .is_none_or(|best| self.incumbent.direction().is_better(&value, &best.value))
            {
                let path = self.keeps_path.then(|| node.path().to_vec());
                *best = Some(Improvement { value, solution: self.extract.extract(node), path });
            }
        }
        counted
    }
    fn divided(&mut self, _: TaskId, _: TaskId) {}
    fn done(&mut self, _: TaskId) {}
    fn paused(&mut self) {}
}

/// The first solution of a value that is known to be the best, in the order of the tree.
fn first_of_value<'p, P, B, H, X, V, F>(
    run: Run<'p, P, B, H>,
    extract: X,
    objective: &Objective<P, V, F>,
    value: &V,
) -> (Option<X::Output>, Report)
where
    P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
    X: Extract<P, Output: Send> + Clone + Send,
    V: Ord + Clone + Send + Sync,
    F: Fn(&P, &P::State) -> V + Sync,
{
    let (sender, receiver) = channel();
    let outlet = Outlet::Unbounded(sender);
    let matcher = |_| Matcher {
        objective,
        value,
        teller: Teller::new(extract.clone(), outlet.clone(), &run.start.team),
    };
    let matchers: Vec<_> = (0..run.threads).map(matcher).collect();
    drop(outlet);
    let sorter = Sorter::new(run.subtrees.len());
    let matching = Matching::of(objective.incumbent());
    let (first, _, report) =
        run.go(matchers, (receiver, Some(sorter)), |solutions| solutions.next(), || None);
    drop(matching);
    (first, report)
}

/// Tells of solutions of one value only.
struct Matcher<'m, P, V, F, X, T> {
    objective: &'m Objective<P, V, F>,
    value: &'m V,
    teller: Teller<X, T>,
}

impl<P, V, F, X> Visitor<P> for Matcher<'_, P, V, F, X, X::Output>
where
    P: Problem,
    V: Ord + Clone + Send + Sync,
    F: Fn(&P, &P::State) -> V + Sync,
    X: Extract<P, Output: Send> + Send,
{
    fn visit(&mut self, task: TaskId, node: &Node<'_, P>) -> ControlFlow<()> {
        if self.objective.value(node.problem(), node.state()) == *self.value {
            self.teller.visit(task, node)
        } else {
            ControlFlow::Continue(())
        }
    }
    fn divided(&mut self, giver: TaskId, task: TaskId) {
        Visitor::<P>::divided(&mut self.teller, giver, task);
    }
    fn done(&mut self, task: TaskId) {
        Visitor::<P>::done(&mut self.teller, task);
    }
    fn paused(&mut self) {
        Visitor::<P>::paused(&mut self.teller);
    }
}
