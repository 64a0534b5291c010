//! The best solution, searched by several threads that share one incumbent.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};

use super::order::TaskId;
use super::run::Run;
use super::solutions::{ReorderBuffer, SendingVisitor, SolutionSender};
use super::threads::{Divisible, Threads};
use super::worker::Visitor;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::incumbent::{Incumbent, Matching, Objective};
use crate::outcome::{Optimum, Outcome};
use crate::problem::Problem;
use crate::report::Report;
use crate::search::meter::shared::SharedMeter;
use crate::search::solutions::Extract;
use crate::search::walk::Strategy;

impl<'p, P, B, H, X, S> Threads<'p, P, B, H, X, S>
where
    P: Problem<Choice: Clone + Send + fmt::Debug> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
    X: Extract<P, Output: Send> + Clone + Send,
    S: Divisible + Strategy<P, B, H>,
{
    /// Searches the best solution by `objective`, like [`Search::best`](crate::Search::best).
    ///
    /// Of several equally good solutions it returns any one; [in order](Threads::in_order), it
    /// returns the first one in tree order, as a search in one thread does. To find the first one,
    /// a second search follows once the optimum is proven, which keeps everything that is as good
    /// as the optimum. The report is the sum of both. If a limit stops the second search, the
    /// solution is any one again.
    pub fn best<V, F>(self, objective: &Objective<P, V, F>) -> Outcome<Optimum<V, X::Output>>
    where
        V: Ord + Clone + Send + Sync,
        F: Fn(&P, &P::State) -> V + Sync,
    {
        let Threads { search, threads, in_order } = self;
        let (mut run, mut extract) = Run::new(search, threads, Some(objective.optimised()));
        let mut earlier = None;
        let matching = Matching::of(objective.incumbent());
        run.revisit_best(|node| {
            let value = objective.value(node.problem(), node.state());
            let better = |known: &Improvement<V, X::Output, P::Choice>| {
                objective.incumbent().direction().is_better(&value, &known.value)
            };
            if earlier.as_ref().is_none_or(better) {
                // An objective that was used before may have an incumbent of this value already.
                objective.incumbent().offer(value.clone());
                earlier = Some(Improvement { value, solution: extract.extract(node), path: None });
            }
        });
        drop(matching);
        let best = Mutex::new(earlier);
        let keeps_path = run.resume.is_some();
        let improver = |_| ImprovingVisitor {
            objective,
            incumbent: objective.incumbent().clone().declared(),
            extract: extract.clone(),
            best: &best,
            keeps_path,
            shared: Arc::clone(&run.template.shared),
        };
        let improvers: Vec<_> = (0..run.threads).map(improver).collect();
        let second_run = in_order.then(|| run.restarted());
        let (_, mut report) = run.execute_silently(improvers, || {
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
        if let (Some(second_run), true, true) = (second_run, proven, solution.is_some()) {
            let (first, second) = first_of_value(second_run, extract, objective, &value);
            solution = first.or(solution);
            report = report.with(&second);
        }
        Outcome::new(Optimum::new(Some((value, solution)), proven), report)
    }
}

/// The best solution so far, and its path if the run keeps it.
struct Improvement<V, T, C> {
    value: V,
    solution: T,
    path: Option<Vec<C>>,
}

/// The best solution of all threads. The lock keeps its value, its solution and its path together.
type Best<V, T, C> = Mutex<Option<Improvement<V, T, C>>>;

/// Offers solutions to the incumbent, and stores the best one.
struct ImprovingVisitor<'b, P: Problem, V, F, X: Extract<P>> {
    objective: &'b Objective<P, V, F>,
    incumbent: Incumbent<V>,
    extract: X,
    best: &'b Best<V, X::Output, P::Choice>,
    keeps_path: bool,
    shared: Arc<SharedMeter>,
}

impl<P, V, F, X> Visitor<P> for ImprovingVisitor<'_, P, V, F, X>
where
    P: Problem<Choice: Clone + Send>,
    V: Ord + Clone + Send + Sync,
    F: Fn(&P, &P::State) -> V + Sync,
    X: Extract<P, Output: Send> + Send,
{
    fn visit(&mut self, _: TaskId, node: &Node<'_, P>) -> ControlFlow<()> {
        let counted = self.shared.count_solution();
        let value = self.objective.value(node.problem(), node.state());
        if self.incumbent.is_beaten_by(&value) && self.incumbent.offer(value.clone()) {
            let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
            // Another thread may have stored a better one since the offer.
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

/// Searches the first solution in tree order that has the value of the optimum.
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
    let sender = SolutionSender::Unbounded(sender);
    let matcher = |_| MatchingVisitor {
        objective,
        value,
        visitor: SendingVisitor::new(extract.clone(), sender.clone(), &run.template.shared),
    };
    let matchers: Vec<_> = (0..run.threads).map(matcher).collect();
    drop(sender);
    let reorder = ReorderBuffer::new(run.subtrees.len());
    let matching = Matching::of(objective.incumbent());
    let (first, _, report) =
        run.execute(matchers, (receiver, Some(reorder)), |solutions| solutions.next(), || None);
    drop(matching);
    (first, report)
}

/// Sends only the solutions that have a given value.
struct MatchingVisitor<'m, P, V, F, X, T> {
    objective: &'m Objective<P, V, F>,
    value: &'m V,
    visitor: SendingVisitor<X, T>,
}

impl<P, V, F, X> Visitor<P> for MatchingVisitor<'_, P, V, F, X, X::Output>
where
    P: Problem,
    V: Ord + Clone + Send + Sync,
    F: Fn(&P, &P::State) -> V + Sync,
    X: Extract<P, Output: Send> + Send,
{
    fn visit(&mut self, task: TaskId, node: &Node<'_, P>) -> ControlFlow<()> {
        if self.objective.value(node.problem(), node.state()) == *self.value {
            self.visitor.visit(task, node)
        } else {
            ControlFlow::Continue(())
        }
    }
    fn divided(&mut self, donor: TaskId, task: TaskId) {
        Visitor::<P>::divided(&mut self.visitor, donor, task);
    }
    fn done(&mut self, task: TaskId) {
        Visitor::<P>::done(&mut self.visitor, task);
    }
    fn paused(&mut self) {
        Visitor::<P>::paused(&mut self.visitor);
    }
}
