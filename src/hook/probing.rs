//! Hooks as the probes of an estimate ask them: [`Probing`].

use super::set::sealed::Sealed;
use super::{Hook, Hooks, Node, NodeMut};
use crate::problem::Problem;

/// A set of hooks that go along with walks which search nothing to its end.
///
/// All nodes are left [unfinished](Hook::leave_unfinished), those as well that a later hook cuts
/// off, so that nothing is learnt and one walk is like another. Hooks that remember what they have
/// [met](super::HookMemory::Visited) are not asked at all: to them, a node that another walk went
/// through is done with.
pub(crate) struct Probing<H>(pub(crate) H);

impl<H> Sealed for Probing<H> {}

impl<P: Problem, H: Hooks<P>> Hooks<P> for Probing<H> {
    /// All choices are asked about alike.
    #[inline]
    fn first_choices(&self) -> usize {
        0
    }

    fn admit_first(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        self.0.probe_admit(node, choice)
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        self.0.probe_admit(node, choice)
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        self.0.probe_enter(node)
    }

    fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>) {
        pruned.extend(self.0.probe_enter(node));
    }

    /// If one has pruned on the replay, those before it have left already, and those behind it have
    /// not entered.
    fn leave_unfinished(&mut self, node: &Node<'_, P>, pruned: &[usize]) {
        if pruned.is_empty() {
            self.0.probe_leave(node, usize::MAX);
        }
    }

    #[inline]
    fn leave_before(&mut self, node: &Node<'_, P>, end: usize) {
        self.0.probe_leave(node, end);
    }

    fn probe_admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        self.0.probe_admit(node, choice)
    }

    fn probe_enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        self.0.probe_enter(node)
    }

    fn probe_leave(&mut self, node: &Node<'_, P>, end: usize) {
        self.0.probe_leave(node, end);
    }

    fn orbit(&self, node: &Node<'_, P>) -> Option<u128> {
        self.0.orbit(node)
    }

    fn each(&self, visit: &mut dyn FnMut(&dyn Hook<P>)) {
        self.0.each(visit);
    }
}
