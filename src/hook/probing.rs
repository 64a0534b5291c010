//! Hooks during the random probes of an estimate: [`Probing`].

use super::set::sealed::Sealed;
use super::{AdmitCut, Hook, Hooks, Node, NodeMut};
use crate::problem::Problem;

/// A set of hooks for walks that exhaust no subtree, such as random probes.
///
/// Every node is left [unfinished](Hook::leave_unfinished), even if a later hook prunes it. So the
/// hooks learn nothing and all walks are alike. Hooks that remember [visited
/// nodes](super::HookMemory::Visited) are not called: they would prune every node that an earlier
/// walk went through.
pub(crate) struct Probing<H>(pub(crate) H);

impl<H> Sealed for Probing<H> {}

impl<P: Problem, H: Hooks<P>> Hooks<P> for Probing<H> {
    /// Returns 0, so that the engine calls `admit` for every choice; `probe_admit` respects the
    /// levels of each hook.
    #[inline]
    fn limited_levels(&self) -> usize {
        0
    }

    #[inline]
    fn admit_near_root(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<AdmitCut> {
        self.0.probe_admit(node, choice)
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice, _: bool) -> Option<AdmitCut> {
        self.0.probe_admit(node, choice)
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        self.0.probe_enter(node)
    }

    fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>) {
        pruned.extend(self.0.probe_enter(node));
    }

    /// If a hook pruned on the replay, the hooks before it have already left, and the hooks after
    /// it have not entered.
    fn leave_unfinished(&mut self, node: &Node<'_, P>, pruned: &[usize]) {
        if pruned.is_empty() {
            self.0.probe_leave(node, usize::MAX);
        }
    }

    #[inline]
    fn leave_before(&mut self, node: &Node<'_, P>, end: usize) {
        self.0.probe_leave(node, end);
    }

    fn probe_admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<AdmitCut> {
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
