//! A wrapper that records the actions of an audited hook in the ledger, or compares the verdicts of
//! a constraint.

use std::cell::RefCell;
use std::rc::Rc;

use secateurs::hook::HookMemory;
use secateurs::{
    Constraint, Digest, Effect, Hook, IncumbentId, Node, NodeMut, ObjectiveValue, Problem,
    Substitute, Verdict,
};

use super::constraint_check::Verdicts;
use super::ledger::{HookAction, Ledger};
use super::observed_brancher::Observer;
use super::reference::Auditable;

pub(super) type Shared<'a, P, V> = Rc<RefCell<Ledger<'a, P, V>>>;

/// A hook that forwards every call to another one, and records its cuts, tightenings and credits.
///
/// If the hook cuts off the later siblings of a node, they are drawn nevertheless, and each is
/// recorded as a cut of its own.
pub(super) struct AuditedHook<'a, P: Problem, V> {
    hook: Box<dyn Hook<P> + 'a>,
    ledger: Shared<'a, P, V>,
    /// The verdicts, if the hook is a constraint: it defines the solutions, and loses none.
    verdicts: Verdicts,
    /// Whether the hook has cut off all further children of the current node. The search is
    /// depth-first, so that the next node to be entered or left ends the siblings.
    cuts_siblings: bool,
}

impl<'a, P: Auditable, V: ObjectiveValue> AuditedHook<'a, P, V> {
    pub(super) fn new(hook: Box<dyn Hook<P> + 'a>, ledger: Shared<'a, P, V>) -> Self {
        AuditedHook { hook, ledger, verdicts: Verdicts::default(), cuts_siblings: false }
    }

    /// Compares a verdict of a constraint of states with earlier ones.
    fn compare(&mut self, node: &Node<'_, P>, choice: Option<&P::Choice>, verdict: Verdict) {
        let mut ledger = self.ledger.borrow_mut();
        if self.hook.constraint() == Some(Constraint::State) && ledger.violation.is_none() {
            let place = (node, choice);
            ledger.violation =
                self.verdicts.compare(&ledger.reference, self.hook.name(), place, verdict);
        }
    }

    /// Records that a child was not admitted, with the state that it would have had.
    fn record_refusal(&self, node: &Node<'_, P>, choice: &P::Choice) {
        let mut state = node.state().clone();
        node.problem().apply(&mut state, choice);
        self.ledger.borrow_mut().record(&HookAction {
            hook: self.hook.name(),
            effect: self.hook.effect(),
            substitute: self.hook.substitute(),
            before: &state,
            after: None,
            credited: 0,
            path: &|| node.path().iter().chain([choice]).cloned().collect(),
        });
    }
}

impl<P: Auditable, V: ObjectiveValue> Hook<P> for AuditedHook<'_, P, V> {
    fn name(&self) -> &str {
        self.hook.name()
    }
    fn effect(&self) -> Effect {
        self.hook.effect()
    }
    fn constraint(&self) -> Option<Constraint> {
        self.hook.constraint()
    }
    fn respects(&self, constraint: Constraint) -> bool {
        self.hook.respects(constraint)
    }
    fn parameters(&self) -> Option<Digest> {
        self.hook.parameters()
    }
    fn tolerates(&self, other: Effect, substitute: Substitute) -> bool {
        self.hook.tolerates(other, substitute)
    }
    fn substitute(&self) -> Substitute {
        self.hook.substitute()
    }
    fn incumbent(&self) -> Option<IncumbentId> {
        self.hook.incumbent()
    }
    fn memory(&self) -> HookMemory {
        self.hook.memory()
    }
    fn limit_memory(&self, bytes: usize) {
        self.hook.limit_memory(bytes);
    }
    fn admit_levels(&self) -> usize {
        self.hook.admit_levels()
    }
    fn orbit(&self, node: &Node<'_, P>) -> Option<u64> {
        self.hook.orbit(node)
    }
    fn stats(&self) -> Vec<(String, u64)> {
        self.hook.stats()
    }
    fn leave(&mut self, node: &Node<'_, P>) {
        self.cuts_siblings = false;
        self.hook.leave(node);
    }
    fn leave_unfinished(&mut self, node: &Node<'_, P>) {
        self.cuts_siblings = false;
        self.hook.leave_unfinished(node);
    }

    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        if !self.cuts_siblings {
            let verdict = self.hook.admit(node, choice);
            if self.hook.constraint().is_some() {
                self.compare(node, Some(choice), verdict);
                return verdict;
            }
            if !verdict.prunes() {
                return verdict;
            }
            self.cuts_siblings = verdict == Verdict::PruneSiblings;
        }
        self.record_refusal(node, choice);
        Verdict::Prune
    }

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        self.cuts_siblings = false;
        let (before, counted) = (node.state().clone(), node.counted());
        let verdict = self.hook.enter(node);
        if self.hook.constraint().is_some() {
            self.compare(&node.as_node(), None, verdict);
            return verdict;
        }
        let after = (!verdict.prunes()).then(|| node.state());
        if after != Some(&before) || node.counted() > counted {
            self.ledger.borrow_mut().record(&HookAction {
                hook: self.hook.name(),
                effect: self.hook.effect(),
                substitute: self.hook.substitute(),
                before: &before,
                after,
                credited: node.counted() - counted,
                path: &|| node.path().to_vec(),
            });
        }
        verdict
    }
}

/// An observer that reports visited solutions and failed undos to the ledger.
pub(super) struct LedgerObserver<'a, P: Problem, V>(pub(super) Shared<'a, P, V>);

impl<P: Auditable, V: ObjectiveValue> Observer<P> for LedgerObserver<'_, P, V> {
    fn enter(&mut self, _: &Node<'_, P>) {
        self.0.borrow().reference.meter.count_node();
    }
    fn solution(&mut self, node: &Node<'_, P>) {
        self.0.borrow_mut().record_solution(node.state());
    }
    fn undo_failed(&mut self, node: &Node<'_, P>, before: &P::State, choice: Option<&P::Choice>) {
        let mut ledger = self.0.borrow_mut();
        if ledger.violation.is_none() {
            ledger.violation = Some(ledger.reference.undo_violation(node, before, choice));
        }
    }
    fn is_done(&self) -> bool {
        self.0.borrow().violation.is_some()
    }
}
