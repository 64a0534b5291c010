//! [`CheckUndo`]: a debugging aid that checks whether undoing restores the state, whether the
//! problem accepts the choices that it makes, and whether it states where they lead.

use std::borrow::Cow;
use std::fmt;

use crate::brancher::{Brancher, as_inner};
use crate::digest::Digest;
use crate::hook::{Effect, HookMemory, Node};
use crate::incumbent::IncumbentId;
use crate::problem::{Branch, Problem};
use crate::report::Cuts;

/// A brancher that returns the children of another one, and checks before each child that the state
/// is unchanged, and of each child that the problem would accept it from a file and that the state
/// after it is the [stated](Problem::state_after) one.
///
/// This works because the next child of a node is drawn exactly when the previous one has been
/// undone. Made by [`Search::check_undo`](crate::Search::check_undo).
#[derive(Clone, Copy, Debug)]
pub struct CheckUndo<B> {
    pub(crate) inner: B,
}

/// A cursor of [`CheckUndo`]: that of the other brancher, with the state at its node.
pub struct CheckUndoCursor<P: Problem, K> {
    cursor: K,
    state: P::State,
    /// The child that was drawn last.
    last: Option<P::Choice>,
}

debug_fields!(impl[P: Problem, K] CheckUndoCursor<P, K>:);

impl<P: Problem, B: Brancher<P>> Brancher<P> for CheckUndo<B>
where
    P::State: Clone + PartialEq + fmt::Debug,
    P::Choice: Clone + fmt::Debug,
{
    type Cursor = CheckUndoCursor<P, B::Cursor>;

    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        let state = node.state().clone();
        self.inner.branch(node).map(|cursor| CheckUndoCursor { cursor, state, last: None })
    }

    fn next(&mut self, node: &Node<'_, P>, checked: &mut Self::Cursor) -> Option<P::Choice> {
        let depth = node.depth();
        if *node.state() != checked.state {
            let fault = match &checked.last {
                Some(choice) => {
                    format!("undoing choice {choice:?} at depth {depth} did not restore the state")
                }
                None => format!(
                    "the state at depth {depth} changed between branching and drawing its first \
                     child"
                ),
            };
            panic!("{fault}: it was {:?} and is now {:?}", checked.state, node.state());
        }
        let choice = self.inner.next(node, &mut checked.cursor)?;
        assert!(
            node.problem().accepts_saved(node.state(), &choice),
            "choice {choice:?} at depth {depth} is tried, but `accepts_saved` rejects it: leave \
             out of `next` what is illegal, since a search asks only about choices from files"
        );
        if let Some(stated) = node.problem().state_after(&choice) {
            let mut applied = node.state().clone();
            let _ = node.problem().apply(&mut applied, &choice);
            assert!(
                stated == applied,
                "choice {choice:?} at depth {depth} leads to {applied:?}, but `state_after` says \
                 {stated:?}"
            );
        }
        checked.last = Some(choice.clone());
        Some(choice)
    }

    // The tree is that of the other brancher, and so is its identity in files and frontiers.
    as_inner!(name -> Cow<'static, str>, parameters -> Option<Digest>, effect -> Effect);
    as_inner!(memory -> HookMemory, incumbent -> Option<IncumbentId>, cuts -> &[Cuts]);
    as_inner!(enter, leave);
}
