//! The audited problem with its objective, and searches of it without the audited hooks.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt::Debug;

use super::observed_brancher::{AnyBrancher, ObservedBrancher, Observer};
use super::violation::{Exhibit, Loss, Violation};
use crate::hook::{Hook, Node, Path};
use crate::incumbent::Direction;
use crate::limits::{Limits, Stop};
use crate::problem::Problem;
use crate::search::Search;

/// A vector of boxed hooks.
pub(super) type Hooks<'a, P> = Vec<Box<dyn Hook<P> + 'a>>;

/// A function that creates a hook.
pub(super) type HookFactory<'a, P> = Box<dyn Fn() -> Box<dyn Hook<P> + 'a> + 'a>;

pub(super) type StateText<'a, P> = Box<dyn Fn(&P, &<P as Problem>::State) -> String + 'a>;
pub(super) type Value<'a, P, V> = Box<dyn Fn(&P, &<P as Problem>::State) -> V + 'a>;
pub(super) type BestBelow<'a, P, V> = Box<dyn Fn(&P, &<P as Problem>::State) -> Option<V> + 'a>;

/// The question of the audited search.
pub(super) struct Question<'a, P: Problem, V> {
    /// The direction of the objective; `None` if solutions are counted.
    pub(super) direction: Option<Direction>,
    /// The value of a solution.
    pub(super) value: Value<'a, P, V>,
    /// The best value at or below a state, by a method other than searching.
    pub(super) best_below: Option<BestBelow<'a, P, V>>,
    /// A text that is equal for solutions of the same orbit, and different for others.
    pub(super) orbit: Option<StateText<'a, P>>,
}

impl<P: Problem, V: Ord> Question<'_, P, V> {
    /// Returns whether a value is better than the known one. True if none is known.
    pub(super) fn is_better(&self, value: &V, known: Option<&V>) -> bool {
        known.is_none_or(|known| {
            self.direction.is_some_and(|direction| direction.is_better(value, known))
        })
    }
}

/// The problem with its question, its brancher, its own hooks, and the way its states are printed.
pub(super) struct Reference<'a, P: Problem, V> {
    pub(super) problem: &'a P,
    pub(super) question: Question<'a, P, V>,
    /// Create the hooks that belong to the problem.
    pub(super) problem_hooks: Vec<HookFactory<'a, P>>,
    /// Creates the brancher.
    pub(super) brancher: Box<dyn Fn() -> AnyBrancher<'a, P> + 'a>,
    pub(super) show: StateText<'a, P>,
    /// The limits of each reference search.
    pub(super) limits: Limits,
}

/// The reason why the subtree of a state is unknown.
pub(super) enum Unknown {
    /// The subtree exceeds the limits.
    TooLarge,
    /// The best value does not beat a value known before the search began.
    KnownBefore,
    /// Undo does not restore states.
    UndoFailed(Violation),
}

/// Prints the choices of a path, followed by `last`.
pub(super) fn describe<C: Debug>(path: Path<'_, C>, last: Option<&C>) -> String {
    format!("{:?}", path.iter().chain(last).collect::<Vec<_>>())
}

impl<'a, P, V> Reference<'a, P, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone,
{
    /// Creates the hooks that belong to the problem.
    pub(super) fn problem_hooks(&self) -> Hooks<'a, P> {
        self.problem_hooks.iter().map(|make| make()).collect()
    }

    pub(super) fn show(&self, state: &P::State) -> String {
        (self.show)(self.problem, state)
    }

    /// Returns the violation of an undo that has not restored a state.
    pub(super) fn undo_violation(
        &self,
        node: &Node<'_, P>,
        before: &P::State,
        choice: Option<&P::Choice>,
    ) -> Violation {
        let choice = choice
            .map_or_else(|| "that led to the node".to_owned(), |choice| format!("{choice:?}"));
        let path = describe(node.path(), None);
        let exhibits = vec![
            Exhibit::new("it was", self.show(before), path.clone()),
            Exhibit::new("it is now", self.show(node.state()), path),
        ];
        Violation::new("undo", Loss::NotRestored { choice }, exhibits)
    }

    /// Calls `visit` with the state of each solution at or below `state`. Returns their number.
    pub(super) fn solutions_below(
        &self,
        state: &P::State,
        visit: &mut dyn FnMut(&P::State),
    ) -> Result<u128, Unknown> {
        let violation = RefCell::new(None);
        let watched = ObservedBrancher::new(
            (self.brancher)(),
            UndoObserver { reference: self, violation: &violation },
        );
        let mut count = 0;
        let stop = Search::new(self.problem)
            .brancher(watched)
            .hooks(self.problem_hooks())
            .limits(self.limits.clone())
            .for_each_below(state.clone(), &mut |node| {
                count += 1;
                visit(node.state());
            });
        match violation.into_inner() {
            Some(violation) => Err(Unknown::UndoFailed(violation)),
            None if stop == Stop::Exhausted => Ok(count),
            None => Err(Unknown::TooLarge),
        }
    }

    /// Counts the solutions at or below a state, and prints one of them.
    pub(super) fn count_below(&self, state: &P::State) -> Result<(u128, Option<String>), Unknown> {
        let mut one = None;
        let count = self.solutions_below(state, &mut |state| {
            one.get_or_insert_with(|| self.show(state));
        })?;
        Ok((count, one))
    }

    /// Returns the best value of the solutions at or below a state.
    pub(super) fn best_below(&self, state: &P::State) -> Result<Option<V>, Unknown> {
        let Question { value, best_below, .. } = &self.question;
        if let Some(best_below) = best_below {
            return Ok(best_below(self.problem, state));
        }
        let mut best = None;
        self.solutions_below(state, &mut |state| {
            let value = value(self.problem, state);
            if self.question.is_better(&value, best.as_ref()) {
                best = Some(value);
            }
        })?;
        Ok(best)
    }

    /// Returns the orbits of the solutions at or below a state.
    pub(super) fn orbits_below(&self, state: &P::State) -> Result<HashSet<String>, Unknown> {
        let mut orbits = HashSet::new();
        self.solutions_below(state, &mut |state| {
            if let Some(orbit) = &self.question.orbit {
                orbits.insert(orbit(self.problem, state));
            }
        })?;
        Ok(orbits)
    }
}

/// Records the first undo that does not restore the state.
struct UndoObserver<'r, 'a, P: Problem, V> {
    reference: &'r Reference<'a, P, V>,
    violation: &'r RefCell<Option<Violation>>,
}

impl<P, V> Observer<P> for UndoObserver<'_, '_, P, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone,
{
    fn solution(&mut self, _: &Node<'_, P>) {}
    fn undo_failed(&mut self, node: &Node<'_, P>, before: &P::State, choice: Option<&P::Choice>) {
        self.violation
            .borrow_mut()
            .get_or_insert_with(|| self.reference.undo_violation(node, before, choice));
    }
    fn is_done(&self) -> bool {
        self.violation.borrow().is_some()
    }
}
