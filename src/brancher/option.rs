//! Branchers that can be switched off: `Option<B>`.

use std::borrow::Cow;

use super::{Brancher, ProblemOrder};
use crate::digest::Digest;
use crate::hook::{Effect, HookMemory, Node};
use crate::incumbent::IncumbentId;
use crate::problem::{Branch, Problem};

/// The position among the children of a node: the cursor of `Option<B>`, of the problem (`C`) or of
/// the brancher (`K`).
#[derive(Clone, Debug)]
pub struct OptionCursor<C, K>(Position<C, K>);

#[derive(Clone, Debug)]
enum Position<C, K> {
    OfProblem(C),
    OfBrancher(K),
}

/// `None` orders children like [`ProblemOrder`], but its parameters differ from those of any
/// `Some`, so that a wrapper over `None` is not mistaken for one over `Some`.
impl<P: Problem, B: Brancher<P>> Brancher<P> for Option<B> {
    type Cursor = OptionCursor<P::Cursor, B::Cursor>;

    fn name(&self) -> Cow<'static, str> {
        self.as_ref().map_or_else(|| Brancher::<P>::name(&ProblemOrder), Brancher::name)
    }

    fn parameters(&self) -> Option<Digest> {
        self.as_ref().map_or(Some(Digest::OFF), Brancher::parameters)
    }

    fn effect(&self) -> Effect {
        self.as_ref().map_or_else(|| Brancher::<P>::effect(&ProblemOrder), Brancher::effect)
    }

    fn memory(&self) -> HookMemory {
        self.as_ref().map_or_else(|| Brancher::<P>::memory(&ProblemOrder), Brancher::memory)
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        self.as_ref().and_then(Brancher::incumbent)
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        match self {
            None => {
                let branch = ProblemOrder.branch(node);
                branch.map(|cursor| OptionCursor(Position::OfProblem(cursor)))
            }
            Some(brancher) => {
                let branch = brancher.branch(node);
                branch.map(|cursor| OptionCursor(Position::OfBrancher(cursor)))
            }
        }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice> {
        match (self, &mut cursor.0) {
            (Some(brancher), Position::OfBrancher(cursor)) => brancher.next(node, cursor),
            (_, Position::OfProblem(cursor)) => ProblemOrder.next(node, cursor),
            // The brancher was switched off after the cursor was made, which the engine never does.
            (None, Position::OfBrancher(_)) => None,
        }
    }

    #[inline]
    fn enter(&mut self, node: &Node<'_, P>) {
        if let Some(brancher) = self {
            brancher.enter(node);
        }
    }

    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        if let Some(brancher) = self {
            brancher.leave(node);
        }
    }
}
