//! What there is below a state, without any hook.

use std::ops::ControlFlow;

use crate::limits::{Limits, Stop};
use crate::problem::{Branch, Problem};
use crate::search::Search;

/// The part of a problem below a state, that one included.
struct Below<'p, P: Problem> {
    problem: &'p P,
    state: &'p P::State,
}

impl<P: Problem<State: Clone>> Problem for Below<'_, P> {
    type State = P::State;
    type Cursor = P::Cursor;
    type Choice = P::Choice;
    type Undo = P::Undo;

    fn root(&self) -> P::State {
        self.state.clone()
    }
    fn branch(&self, state: &P::State) -> Branch<P::Cursor> {
        self.problem.branch(state)
    }
    fn next(&self, state: &P::State, cursor: &mut P::Cursor) -> Option<P::Choice> {
        self.problem.next(state, cursor)
    }
    fn apply(&self, state: &mut P::State, choice: &P::Choice) -> P::Undo {
        self.problem.apply(state, choice)
    }
    fn undo(&self, state: &mut P::State, choice: &P::Choice, undo: P::Undo) {
        self.problem.undo(state, choice, undo);
    }
}

/// Calls `visit` with the state of each solution below `state`, that one included; `None` if there are more nodes than
/// the limits allow, and else how many solutions there are.
pub(super) fn solutions_below<P: Problem<State: Clone>>(
    problem: &P,
    state: &P::State,
    limits: &Limits,
    mut visit: impl FnMut(&P::State),
) -> Option<u128> {
    let mut count = 0;
    let below = Below { problem, state };
    let outcome = Search::new(&below).limits(limits.clone()).for_each(|node| {
        count += 1;
        visit(node.state());
        ControlFlow::<()>::Continue(())
    });
    (outcome.stop() == Stop::Exhausted).then_some(count)
}
