//! A set of hooks that is recorded: [`Recorded`].

use super::Recording;
use super::log::NONE;
use crate::hook::{Hook, Hooks, Node, NodeMut, Sealed};
use crate::problem::Problem;

/// A set of hooks whose run is recorded: what [`Recording::of`] gives.
///
/// It asks the hooks as the run would, and passes on what they say, so that the run and its report
/// are what they would be without it. It cannot be cloned, and so no search in several threads
/// takes it: their walks make no one tree.
#[derive(Debug)]
pub struct Recorded<'r, 'f, P: Problem, H> {
    pub(super) recording: &'r mut Recording<'f, P>,
    pub(super) hooks: H,
}

impl<P: Problem, H> Sealed for Recorded<'_, '_, P, H> {}

impl<P: Problem, H> Recorded<'_, '_, P, H> {
    fn asked(&mut self, node: &Node<'_, P>, choice: &P::Choice, cut: Option<usize>) {
        let (depth, recording) = (node.depth(), &mut *self.recording);
        match cut {
            None => recording.log.admitted(depth),
            Some(hook) => {
                let label = recording.label_of(node.problem(), depth + 1, Some(choice));
                recording.log.not_admitted(depth + 1, recording.first_hook + hook, label);
            }
        }
    }
}

impl<P: Problem, H: Hooks<P>> Hooks<P> for Recorded<'_, '_, P, H> {
    #[inline]
    fn first_choices(&self) -> usize {
        self.hooks.first_choices()
    }

    fn admit_first(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        let cut = self.hooks.admit_first(node, choice);
        self.asked(node, choice, cut);
        cut
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        let cut = self.hooks.admit(node, choice);
        self.asked(node, choice, cut);
        cut
    }

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        let cut = self.hooks.enter(node);
        let (node, depth) = (node.as_node(), node.depth());
        let recording = &mut *self.recording;
        let label = recording.label_of(node.problem(), depth, node.path().last());
        let edit = if recording.log.takes(depth) { recording.edit_of(&node) } else { NONE };
        recording.log.entered(depth, cut.map(|hook| recording.first_hook + hook), label, edit);
        cut
    }

    fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>) {
        self.hooks.replay(node, pruned);
        let (node, depth) = (node.as_node(), node.depth());
        let recording = &mut *self.recording;
        let label = recording.any_label_of(node.problem(), node.path().last());
        let mut log = std::mem::take(&mut recording.log);
        log.replayed(depth, label, |log| {
            std::mem::swap(log, &mut recording.log);
            let edit = recording.edit_of(&node);
            std::mem::swap(log, &mut recording.log);
            edit
        });
        recording.log = log;
    }

    fn leave_unfinished(&mut self, node: &Node<'_, P>, pruned: &[usize]) {
        self.recording.log.left(node.depth(), false);
        self.hooks.leave_unfinished(node, pruned);
    }

    fn leave_before(&mut self, node: &Node<'_, P>, end: usize) {
        self.hooks.leave_before(node, end);
    }

    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        self.recording.log.left(node.depth(), true);
        self.hooks.leave(node);
    }

    fn probe_admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        self.hooks.probe_admit(node, choice)
    }

    fn probe_enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        self.hooks.probe_enter(node)
    }

    fn probe_leave(&mut self, node: &Node<'_, P>, end: usize) {
        self.hooks.probe_leave(node, end);
    }

    fn solution(&mut self, node: &Node<'_, P>) {
        let recording = &mut *self.recording;
        let value = recording.value.as_ref().map(|(direction, value)| (*direction, value(node)));
        recording.log.solution(node.depth(), value);
        self.hooks.solution(node);
    }

    fn orbit(&self, node: &Node<'_, P>) -> Option<u128> {
        self.hooks.orbit(node)
    }

    fn each(&self, visit: &mut dyn FnMut(&dyn Hook<P>)) {
        self.hooks.each(visit);
    }
}
