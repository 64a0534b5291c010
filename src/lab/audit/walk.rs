//! The whole tree without hooks, and what lies below each node of it: for bounds, keys and
//! relations of dominance.

use std::cell::RefCell;
use std::fmt::Debug;
use std::rc::Rc;

use super::coverage::{Coverage, Share};
use super::observed_brancher::{ObservedBrancher, Observer};
use super::reference::Reference;
use super::violation::Violation;
use crate::hook::Node;
use crate::limits::Stop;
use crate::problem::Problem;
use crate::search::Search;

/// What lies at or below a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Future<V> {
    /// Whether that is all: nothing was beyond the limit of depth.
    pub(super) is_whole: bool,
    pub(super) solutions: u128,
    pub(super) best: Option<V>,
    /// The best value of the solutions that so many choices lead to from here, for each number of
    /// choices.
    pub(super) by_depth: Vec<Option<V>>,
}

/// Something that is held against the tree without hooks.
pub(super) trait Check<P: Problem, V> {
    /// A node is entered.
    fn enter(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
    ) -> Result<(), Violation> {
        let _ = (reference, node);
        Ok(())
    }

    /// A node is left, and this is what lies below.
    fn leave(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        future: &Future<V>,
    ) -> Result<(), Violation>;

    /// All nodes have been left, or a limit was reached.
    fn settle(
        &mut self,
        reference: &Reference<'_, P, V>,
        coverage: &mut Coverage,
    ) -> Result<(), Violation> {
        let _ = (reference, coverage);
        Ok(())
    }
}

pub(super) type Checks<'a, P, V> = Vec<Box<dyn Check<P, V> + 'a>>;

/// Walks over the tree without hooks, as far as the limits allow.
pub(super) fn walk<P, V>(
    reference: &Reference<'_, P, V>,
    checks: &mut Checks<'_, P, V>,
) -> Result<Coverage, Violation>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone + Debug,
{
    let mut coverage = Coverage::of_one();
    if checks.is_empty() {
        return Ok(coverage);
    }
    let futures = Rc::new(RefCell::new(Futures {
        reference,
        checks,
        open: Vec::new(),
        entered: 0,
        left: 0,
        violation: None,
    }));
    let outcome = Search::new(reference.problem)
        .brancher(ObservedBrancher::new((reference.brancher)(), Rc::clone(&futures)))
        .hooks(reference.own_hooks())
        .limits(reference.limits.clone())
        .count();
    let Some(futures) = Rc::into_inner(futures) else {
        unreachable!("the search has dropped its brancher")
    };
    let Futures { entered, left, violation, .. } = futures.into_inner();
    if let Some(violation) = violation {
        return Err(violation);
    }
    coverage.nodes = Share { checked: left, of: entered };
    coverage.unfinished = u64::from(outcome.stop() != Stop::Exhausted);
    checks.iter_mut().try_for_each(|check| check.settle(reference, &mut coverage))?;
    Ok(coverage)
}

struct Futures<'w, 'a, 'c, P: Problem, V> {
    reference: &'w Reference<'a, P, V>,
    checks: &'w mut Checks<'c, P, V>,
    /// By depth: what was found below the nodes of the path so far.
    open: Vec<Future<V>>,
    entered: u64,
    left: u64,
    violation: Option<Violation>,
}

impl<P: Problem, V: Ord + Clone> Futures<'_, '_, '_, P, V> {
    /// `value` is found at `depth` below where `future` is.
    fn add(&self, future: &mut Future<V>, depth: usize, value: &V) {
        if future.by_depth.len() <= depth {
            future.by_depth.resize(depth + 1, None);
        }
        for best in [&mut future.by_depth[depth], &mut future.best] {
            if self.reference.question.is_better(value, best.as_ref()) {
                *best = Some(value.clone());
            }
        }
    }

    fn check(
        &mut self,
        each: impl Fn(&mut dyn Check<P, V>, &Reference<'_, P, V>) -> Result<(), Violation>,
    ) {
        if self.violation.is_none() {
            let result =
                self.checks.iter_mut().try_for_each(|check| each(&mut **check, self.reference));
            self.violation = result.err();
        }
    }
}

impl<P, V> Observer<P> for Rc<RefCell<Futures<'_, '_, '_, P, V>>>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone,
{
    fn enter(&mut self, node: &Node<'_, P>) {
        let mut futures = self.borrow_mut();
        futures.entered += 1;
        futures.open.truncate(node.depth());
        futures.open.push(Future {
            is_whole: true,
            solutions: 0,
            best: None,
            by_depth: Vec::new(),
        });
        futures.check(|check, reference| check.enter(reference, node));
    }

    fn solution(&mut self, node: &Node<'_, P>) {
        let mut futures = self.borrow_mut();
        let value = (futures.reference.question.value)(node.problem(), node.state());
        let Some(mut own) = futures.open.pop() else { return };
        own.solutions += 1;
        futures.add(&mut own, 0, &value);
        futures.open.push(own);
    }

    fn leave(&mut self, node: &Node<'_, P>, is_inner: bool) {
        let mut futures = self.borrow_mut();
        futures.open.truncate(node.depth() + 1);
        let Some(mut own) = futures.open.pop() else { return };
        own.is_whole &= !(is_inner
            && futures.reference.limits.depth.is_some_and(|depth| node.depth() >= depth));
        // After a violation the walk comes to its end in a hurry, and nothing is known of what lies
        // below.
        if futures.violation.is_none() && own.is_whole {
            futures.left += 1;
            futures.check(|check, reference| check.leave(reference, node, &own));
        }
        if let Some(mut parent) = futures.open.pop() {
            parent.solutions += own.solutions;
            parent.is_whole &= own.is_whole;
            for (depth, value) in own.by_depth.iter().enumerate() {
                if let Some(value) = value {
                    futures.add(&mut parent, depth + 1, value);
                }
            }
            futures.open.push(parent);
        }
    }

    fn leaked(&mut self, node: &Node<'_, P>, before: &P::State, choice: Option<&P::Choice>) {
        let mut futures = self.borrow_mut();
        if futures.violation.is_none() {
            futures.violation = Some(futures.reference.leak(node, before, choice));
        }
    }

    fn is_done(&self) -> bool {
        self.borrow().violation.is_some()
    }
}
