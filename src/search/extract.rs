//! What is taken out of a solution.

use crate::hook::Node;
use crate::problem::Problem;

/// What is taken out of a node that is a solution, to be kept when the walk has gone on.
///
/// Implemented by closures `Fn(&Node<P>) -> T`, and by [`Choices`], the default.
pub trait Extract<P: Problem> {
    /// What is kept.
    type Output;

    /// Takes it out.
    fn extract(&mut self, node: &Node<'_, P>) -> Self::Output;
}

/// Keeps the choices that lead to a solution, from the root down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices;

impl<P: Problem<Choice: Clone>> Extract<P> for Choices {
    type Output = Vec<P::Choice>;

    #[inline]
    fn extract(&mut self, node: &Node<'_, P>) -> Vec<P::Choice> {
        node.path().to_vec()
    }
}

impl<P: Problem, T, F: FnMut(&Node<'_, P>) -> T> Extract<P> for F {
    type Output = T;

    #[inline]
    fn extract(&mut self, node: &Node<'_, P>) -> T {
        self(node)
    }
}
