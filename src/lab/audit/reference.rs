//! What there is below a state, without any of the hooks that are audited: what they are held
//! against.

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

/// Hooks as an audit has them.
pub(super) type Hooks<'a, P> = Vec<Box<dyn Hook<P> + 'a>>;

/// Makes a hook.
pub(super) type Maker<'a, P> = Box<dyn Fn() -> Box<dyn Hook<P> + 'a> + 'a>;

pub(super) type Key<'a, P> = Box<dyn Fn(&P, &<P as Problem>::State) -> String + 'a>;
pub(super) type Value<'a, P, V> = Box<dyn Fn(&P, &<P as Problem>::State) -> V + 'a>;
pub(super) type BestBelow<'a, P, V> = Box<dyn Fn(&P, &<P as Problem>::State) -> Option<V> + 'a>;

/// What a search is asked.
pub(super) struct Question<'a, P: Problem, V> {
    /// Which values are better; `None` if solutions are just counted.
    pub(super) direction: Option<Direction>,
    /// What a solution is worth.
    pub(super) value: Value<'a, P, V>,
    /// The best value below a state, by another method than searching.
    pub(super) best_below: Option<BestBelow<'a, P, V>>,
    /// What is common to the solutions of an orbit and to no others.
    pub(super) orbit: Option<Key<'a, P>>,
}

impl<P: Problem, V: Ord> Question<'_, P, V> {
    /// Whether a value is better than what is known, if anything is.
    pub(super) fn is_better(&self, value: &V, known: Option<&V>) -> bool {
        known.is_none_or(|known| {
            self.direction.is_some_and(|direction| direction.is_better(value, known))
        })
    }
}

/// A problem with all that belongs to it, and how its states are printed.
pub(super) struct Reference<'a, P: Problem, V> {
    pub(super) problem: &'a P,
    pub(super) question: Question<'a, P, V>,
    /// Make the hooks that belong to the problem.
    pub(super) own: Vec<Maker<'a, P>>,
    /// Makes the brancher.
    pub(super) brancher: Box<dyn Fn() -> AnyBrancher<'a, P> + 'a>,
    pub(super) show: Key<'a, P>,
    /// What is searched below a state, or of the whole tree without hooks.
    pub(super) limits: Limits,
}

/// Why it is not known what is below a state.
pub(super) enum Unknown {
    /// There is more than the limits allow.
    TooLarge,
    /// It is no better than a value that was known before the search began.
    KnownBefore,
    /// Undoing does not restore states.
    Leak(Violation),
}

/// The choices of a path, and one more.
pub(super) fn describe<C: Debug>(path: Path<'_, C>, last: Option<&C>) -> String {
    format!("{:?}", path.iter().chain(last).collect::<Vec<_>>())
}

impl<'a, P, V> Reference<'a, P, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone,
{
    /// The hooks that belong to the problem, made anew.
    pub(super) fn own_hooks(&self) -> Hooks<'a, P> {
        self.own.iter().map(|make| make()).collect()
    }

    pub(super) fn show(&self, state: &P::State) -> String {
        (self.show)(self.problem, state)
    }

    /// Undoing has not restored a state.
    pub(super) fn leak(
        &self,
        node: &Node<'_, P>,
        before: &P::State,
        choice: Option<&P::Choice>,
    ) -> Violation {
        let choice =
            choice.map_or_else(|| "that led to it".to_owned(), |choice| format!("{choice:?}"));
        let path = describe(node.path(), None);
        let exhibits = vec![
            Exhibit::new("it was", self.show(before), path.clone()),
            Exhibit::new("it is now", self.show(node.state()), path),
        ];
        Violation::new("undo", Loss::NotRestored { choice }, exhibits)
    }

    /// Calls `visit` with the state of each solution below `state`, that one included; how many
    /// there are.
    pub(super) fn solutions_below(
        &self,
        state: &P::State,
        visit: &mut dyn FnMut(&P::State),
    ) -> Result<u128, Unknown> {
        let leak = RefCell::new(None);
        let watched =
            ObservedBrancher::new((self.brancher)(), Leaks { reference: self, leak: &leak });
        let mut count = 0;
        let stop = Search::new(self.problem)
            .brancher(watched)
            .hooks(self.own_hooks())
            .limits(self.limits.clone())
            .for_each_below(state.clone(), &mut |node| {
                count += 1;
                visit(node.state());
            });
        match leak.into_inner() {
            Some(leak) => Err(Unknown::Leak(leak)),
            None if stop == Stop::Exhausted => Ok(count),
            None => Err(Unknown::TooLarge),
        }
    }

    /// How many solutions there are, and what one of them looks like.
    pub(super) fn count_below(&self, state: &P::State) -> Result<(u128, Option<String>), Unknown> {
        let mut one = None;
        let count = self.solutions_below(state, &mut |state| {
            one.get_or_insert_with(|| self.show(state));
        })?;
        Ok((count, one))
    }

    /// The best value of the solutions below a state, that one included.
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

    /// The orbits of the solutions below a state, that one included.
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

/// Notices that undoing does not restore a state.
struct Leaks<'r, 'a, P: Problem, V> {
    reference: &'r Reference<'a, P, V>,
    leak: &'r RefCell<Option<Violation>>,
}

impl<P, V> Observer<P> for Leaks<'_, '_, P, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone,
{
    fn solution(&mut self, _: &Node<'_, P>) {}
    fn leaked(&mut self, node: &Node<'_, P>, before: &P::State, choice: Option<&P::Choice>) {
        self.leak.borrow_mut().get_or_insert_with(|| self.reference.leak(node, before, choice));
    }
    fn is_done(&self) -> bool {
        self.leak.borrow().is_some()
    }
}
