//! A walk over the whole tree without the audited hooks, which summarises the subtree of each node
//! for the checks.

use std::cell::RefCell;
use std::rc::Rc;

use secateurs::{Node, ObjectiveValue, Problem, Search, Stop};

use super::coverage::{Coverage, GapReason, Share};
use super::observed_brancher::{ObservedBrancher, Observer};
use super::reference::{Auditable, Question, Reference, describe};
use super::violation::{Checked, Exhibit, Violation};

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

impl<V: ObjectiveValue> SubtreeSummary<V> {
    /// Adds a value found `distance` choices below the node.
    fn add(&mut self, question: &Question<'_, impl Problem, V>, distance: usize, value: &V) {
        if self.by_distance.len() <= distance {
            self.by_distance.resize(distance + 1, None);
        }
        for best in [&mut self.by_distance[distance], &mut self.best] {
            if question.is_better(value, best.as_ref()) {
                *best = Some(value.clone());
            }
        }
    }
}

/// A node of the walk, and the reference that knows the answers below it.
pub(super) struct Visit<'v, 'a, P: Problem, V> {
    pub(super) reference: &'v Reference<'a, P, V>,
    pub(super) node: &'v Node<'v, P>,
}

impl<P: Auditable, V: ObjectiveValue> Visit<'_, '_, P, V> {
    /// Returns the state of the node and the path to it, to be compared with later ones.
    pub(super) fn remember(&self) -> Visited<P> {
        Visited { state: self.node.state().clone(), path: self.node.path().to_vec() }
    }

    pub(super) fn exhibit(&self, role: &'static str) -> Exhibit {
        let shown = self.reference.show(self.node.state());
        Exhibit::new(role, shown, describe(self.node.path(), None))
    }
}

/// A visited state, and the path to it.
pub(super) struct Visited<P: Problem> {
    pub(super) state: P::State,
    path: Vec<P::Choice>,
}

impl<P: Auditable> Visited<P> {
    pub(super) fn exhibit<V: ObjectiveValue>(
        &self,
        role: &'static str,
        reference: &Reference<'_, P, V>,
    ) -> Exhibit {
        Exhibit::new(role, reference.show(&self.state), format!("{:?}", self.path))
    }
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
    fn enter(&mut self, at: &Visit<'_, '_, P, V>) -> Checked {
        let _ = at;
        Ok(())
    }

    /// Called when a node is left, with the summary of its subtree.
    fn leave(&mut self, at: &Visit<'_, '_, P, V>, subtree: &SubtreeSummary<V>) -> Checked;

    /// Called after all nodes were left, or a limit was reached.
    fn finish(&mut self, reference: &Reference<'_, P, V>, coverage: &mut Coverage) -> Checked {
        let _ = (reference, coverage);
        Ok(())
    }
}

pub(super) type Checks<'a, P, V> = Vec<Box<dyn Check<P, V> + 'a>>;

/// Walks the tree within the limits and runs all checks.
pub(super) fn walk<P: Auditable, V: ObjectiveValue>(
    reference: &Reference<'_, P, V>,
    checks: &mut Checks<'_, P, V>,
) -> Result<Coverage, Violation> {
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
    let walk = Rc::into_inner(walk).expect("the search has dropped its brancher");
    let SubtreeWalk { entered, left, violation, .. } = walk.into_inner();
    if let Some(violation) = violation {
        return Err(violation);
    }
    coverage.nodes = Share { checked: left, of: entered };
    // The walk skips nodes beyond the depth limit and continues. Any other limit has ended it.
    let subject = "the tree without hooks";
    match outcome.stop() {
        Stop::Exhausted | Stop::DepthLimit => {
            coverage.omit(GapReason::BeyondDepth, subject, entered - left);
        }
        _ => coverage.omit(GapReason::Unfinished, subject, 1),
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

impl<P: Problem, V> SubtreeWalk<'_, '_, '_, P, V> {
    /// Runs all checks at a node, unless there is a violation.
    fn check(
        &mut self,
        node: &Node<'_, P>,
        each: impl Fn(&mut dyn Check<P, V>, &Visit<'_, '_, P, V>) -> Checked,
    ) {
        if self.violation.is_none() {
            let at = Visit { reference: self.reference, node };
            let result = self.checks.iter_mut().try_for_each(|check| each(&mut **check, &at));
            self.violation = result.err();
        }
    }
}

impl<P: Auditable, V: ObjectiveValue> Observer<P> for Rc<RefCell<SubtreeWalk<'_, '_, '_, P, V>>> {
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
        walk.check(node, |check, at| check.enter(at));
    }

    fn solution(&mut self, node: &Node<'_, P>) {
        let SubtreeWalk { reference, path, .. } = &mut *self.borrow_mut();
        let Some(subtree) = path.last_mut() else { return };
        subtree.solutions += 1;
        let value = (reference.question.value)(node.problem(), node.state());
        subtree.add(&reference.question, 0, &value);
    }

    fn leave(&mut self, node: &Node<'_, P>, has_more: bool) {
        let mut walk = self.borrow_mut();
        walk.path.truncate(node.depth() + 1);
        let Some(mut subtree) = walk.path.pop() else { return };
        subtree.is_complete &= !(has_more
            && walk.reference.limits.max_depth().is_some_and(|depth| node.depth() >= depth));
        // After a violation the walk is cut short, so summaries are incomplete.
        if walk.violation.is_none() && subtree.is_complete {
            walk.left += 1;
            walk.check(node, |check, at| check.leave(at, &subtree));
        }
        let SubtreeWalk { reference, path, .. } = &mut *walk;
        if let Some(parent) = path.last_mut() {
            parent.solutions += subtree.solutions;
            parent.is_complete &= subtree.is_complete;
            for (distance, value) in (1..).zip(&subtree.by_distance) {
                if let Some(value) = value {
                    parent.add(&reference.question, distance, value);
                }
            }
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
