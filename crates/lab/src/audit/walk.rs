//! A walk over the whole tree without the audited hooks, which summarises the subtree of each node
//! for the checks.

use std::cell::RefCell;
use std::fmt::Debug;
use std::rc::Rc;

use secateurs::{Node, ObjectiveValue, Problem, Search, Stop};

use super::coverage::{Coverage, GapReason, Share};
use super::observed_brancher::{ObservedBrancher, Observer};
use super::reference::Reference;
use super::violation::Violation;

/// A summary of the subtree of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SubtreeSummary<V> {
    /// Whether the summary is complete: no part of the subtree was beyond the depth limit.
    pub(super) is_complete: bool,
    pub(super) solutions: u128,
    pub(super) best: Option<V>,
    /// By distance: the best value of the solutions that are this many choices below the node.
    pub(super) by_distance: Vec<Option<V>>,
}

/// A random sample of the items that were added, each of which is equally likely to be in it
/// (reservoir sampling: Vitter 1985).
pub(super) struct Sample<T> {
    pub(super) items: Vec<T>,
    pub(super) added: u64,
}

impl<T> Default for Sample<T> {
    fn default() -> Self {
        Sample { items: Vec::new(), added: 0 }
    }
}

impl<T> Sample<T> {
    /// Adds an item to a sample of at most `most`. `item` is called only if the item is kept.
    pub(super) fn add(
        &mut self,
        most: usize,
        random: &mut fastrand::Rng,
        item: impl FnOnce() -> T,
    ) {
        self.added += 1;
        if self.items.len() < most {
            self.items.push(item());
        } else if let Ok(place) = usize::try_from(random.u64(..self.added))
            && place < most
        {
            self.items[place] = item();
        }
    }

    /// Returns the number of added items that are not in the sample.
    pub(super) fn left_out(&self) -> u64 {
        self.added - self.items.len() as u64
    }
}

/// A check against the whole tree.
pub(super) trait Check<P: Problem, V> {
    /// Called when a node is entered.
    fn enter(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
    ) -> Result<(), Violation> {
        let _ = (reference, node);
        Ok(())
    }

    /// Called when a node is left, with the summary of its subtree.
    fn leave(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        subtree: &SubtreeSummary<V>,
    ) -> Result<(), Violation>;

    /// Called after all nodes were left, or a limit was reached.
    fn finish(
        &mut self,
        reference: &Reference<'_, P, V>,
        coverage: &mut Coverage,
    ) -> Result<(), Violation> {
        let _ = (reference, coverage);
        Ok(())
    }
}

pub(super) type Checks<'a, P, V> = Vec<Box<dyn Check<P, V> + 'a>>;

/// Walks the tree within the limits and runs all checks.
pub(super) fn walk<P, V>(
    reference: &Reference<'_, P, V>,
    checks: &mut Checks<'_, P, V>,
) -> Result<Coverage, Violation>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
{
    let mut coverage = Coverage::of_one();
    if checks.is_empty() {
        return Ok(coverage);
    }
    let walk = Rc::new(RefCell::new(SubtreeWalk {
        reference,
        checks,
        path: Vec::new(),
        entered: 0,
        left: 0,
        violation: None,
    }));
    let outcome = Search::new(reference.problem)
        .brancher(ObservedBrancher::new((reference.brancher)(), Rc::clone(&walk)))
        .hooks(reference.problem_hooks())
        .limits(reference.limits.clone())
        .count();
    let Some(walk) = Rc::into_inner(walk) else {
        unreachable!("the search has dropped its brancher")
    };
    let SubtreeWalk { entered, left, violation, .. } = walk.into_inner();
    if let Some(violation) = violation {
        return Err(violation);
    }
    coverage.nodes = Share { checked: left, of: entered };
    // The walk skips nodes beyond the depth limit and continues. Any other limit has ended it.
    let reason = match outcome.stop() {
        Stop::Exhausted => None,
        Stop::DepthLimit => Some((GapReason::BeyondDepth, entered - left)),
        _ => Some((GapReason::Unfinished, 1)),
    };
    if let Some((reason, count)) = reason {
        coverage.omit(reason, "the tree without hooks", count);
    }
    checks.iter_mut().try_for_each(|check| check.finish(reference, &mut coverage))?;
    Ok(coverage)
}

/// An observer of the walk, which summarises subtrees and calls the checks.
struct SubtreeWalk<'w, 'a, 'c, P: Problem, V> {
    reference: &'w Reference<'a, P, V>,
    checks: &'w mut Checks<'c, P, V>,
    /// The summaries so far of the nodes on the path, by depth.
    path: Vec<SubtreeSummary<V>>,
    entered: u64,
    left: u64,
    violation: Option<Violation>,
}

impl<P: Problem, V: ObjectiveValue> SubtreeWalk<'_, '_, '_, P, V> {
    /// Adds a value found `distance` choices below a node to the summary of that node.
    fn add(&self, subtree: &mut SubtreeSummary<V>, distance: usize, value: &V) {
        if subtree.by_distance.len() <= distance {
            subtree.by_distance.resize(distance + 1, None);
        }
        for best in [&mut subtree.by_distance[distance], &mut subtree.best] {
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

impl<P, V> Observer<P> for Rc<RefCell<SubtreeWalk<'_, '_, '_, P, V>>>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
{
    fn enter(&mut self, node: &Node<'_, P>) {
        let mut walk = self.borrow_mut();
        walk.reference.meter.count_node();
        walk.entered += 1;
        walk.path.truncate(node.depth());
        walk.path.push(SubtreeSummary {
            is_complete: true,
            solutions: 0,
            best: None,
            by_distance: Vec::new(),
        });
        walk.check(|check, reference| check.enter(reference, node));
    }

    fn solution(&mut self, node: &Node<'_, P>) {
        let mut walk = self.borrow_mut();
        let value = (walk.reference.question.value)(node.problem(), node.state());
        let Some(mut subtree) = walk.path.pop() else { return };
        subtree.solutions += 1;
        walk.add(&mut subtree, 0, &value);
        walk.path.push(subtree);
    }

    fn leave(&mut self, node: &Node<'_, P>, is_inner: bool) {
        let mut walk = self.borrow_mut();
        walk.path.truncate(node.depth() + 1);
        let Some(mut subtree) = walk.path.pop() else { return };
        subtree.is_complete &= !(is_inner
            && walk.reference.limits.max_depth().is_some_and(|depth| node.depth() >= depth));
        // After a violation the walk is cut short, so summaries are incomplete.
        if walk.violation.is_none() && subtree.is_complete {
            walk.left += 1;
            walk.check(|check, reference| check.leave(reference, node, &subtree));
        }
        if let Some(mut parent) = walk.path.pop() {
            parent.solutions += subtree.solutions;
            parent.is_complete &= subtree.is_complete;
            for (distance, value) in subtree.by_distance.iter().enumerate() {
                if let Some(value) = value {
                    walk.add(&mut parent, distance + 1, value);
                }
            }
            walk.path.push(parent);
        }
    }

    fn undo_failed(&mut self, node: &Node<'_, P>, before: &P::State, choice: Option<&P::Choice>) {
        let mut walk = self.borrow_mut();
        if walk.violation.is_none() {
            walk.violation = Some(walk.reference.undo_violation(node, before, choice));
        }
    }

    fn is_done(&self) -> bool {
        self.borrow().violation.is_some()
    }
}
