//! A constraint of states in an audit: its verdicts about equal states are compared.

use std::collections::HashMap;
use std::fmt::Debug;

use super::audited_hook::Shared;
use super::reference::describe;
use super::violation::{Exhibit, Loss, Violation};
use crate::hook::{Constraint, Effect, Hook, HookMemory, Node, NodeMut, Verdict};
use crate::incumbent::ObjectiveValue;
use crate::problem::Problem;

/// A constraint of states whose verdicts about equal states are compared.
pub(super) struct ComparedConstraint<'a, P: Problem, V> {
    hook: Box<dyn Hook<P> + 'a>,
    ledger: Shared<'a, P, V>,
    /// By state, and perhaps choice, as text: the first verdict, and the path to it.
    verdicts: HashMap<String, (Verdict, String)>,
}

impl<'a, P, V> ComparedConstraint<'a, P, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
{
    pub(super) fn new(hook: Box<dyn Hook<P> + 'a>, ledger: Shared<'a, P, V>) -> Self {
        ComparedConstraint { hook, ledger, verdicts: HashMap::new() }
    }

    /// Compares the verdict with an earlier one about an equal state and choice.
    fn compare(&mut self, node: &Node<'_, P>, choice: Option<&P::Choice>, verdict: Verdict) {
        let mut ledger = self.ledger.borrow_mut();
        if ledger.violation.is_some() {
            return;
        }
        let state = (ledger.reference.debug)(node.problem(), node.state());
        let path = describe(node.path(), choice);
        let (first, first_path) = self
            .verdicts
            .entry(format!("{choice:?} {state}"))
            .or_insert_with(|| (verdict, path.clone()));
        if first.prunes() != verdict.prunes() {
            let role = |verdict: Verdict| if verdict.prunes() { "rejected" } else { "kept" };
            let show = || ledger.reference.show(node.state());
            let exhibits = vec![
                Exhibit::new(role(*first), show(), first_path.clone()),
                Exhibit::new(role(verdict), show(), path),
            ];
            let violation = Violation::new(self.hook.name(), Loss::ReadsPath, exhibits);
            ledger.violation = Some(violation);
        }
    }
}

impl<P, V> Hook<P> for ComparedConstraint<'_, P, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
{
    fn name(&self) -> &str {
        self.hook.name()
    }
    fn effect(&self) -> Effect {
        self.hook.effect()
    }
    fn constraint(&self) -> Option<Constraint> {
        self.hook.constraint()
    }
    fn memory(&self) -> HookMemory {
        self.hook.memory()
    }
    fn admit_levels(&self) -> usize {
        self.hook.admit_levels()
    }
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        let verdict = self.hook.admit(node, choice);
        self.compare(node, Some(choice), verdict);
        verdict
    }
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let verdict = self.hook.enter(node);
        self.compare(&node.as_node(), None, verdict);
        verdict
    }
    fn leave(&mut self, node: &Node<'_, P>) {
        self.hook.leave(node);
    }
    fn leave_unfinished(&mut self, node: &Node<'_, P>) {
        self.hook.leave_unfinished(node);
    }
}
