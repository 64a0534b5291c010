//! The check of a constraint of states: its verdicts about equal states are compared.

use std::collections::HashMap;

use secateurs::{Node, ObjectiveValue, Verdict};

use super::reference::{Auditable, Reference, describe};
use super::violation::{Exhibit, Loss, Violation};

/// The verdicts of a constraint of states.
#[derive(Default)]
pub(super) struct Verdicts {
    /// By state, and perhaps choice, as text: the first verdict, and the path to it.
    first: HashMap<String, (Verdict, String)>,
}

impl Verdicts {
    /// Compares a verdict with an earlier one about an equal state and choice. Returns the
    /// violation if they differ.
    pub(super) fn compare<P: Auditable, V: ObjectiveValue>(
        &mut self,
        reference: &Reference<'_, P, V>,
        name: &str,
        (node, choice): (&Node<'_, P>, Option<&P::Choice>),
        verdict: Verdict,
    ) -> Option<Violation> {
        let state = (reference.debug)(node.problem(), node.state());
        let path = describe(node.path(), choice);
        let (first, first_path) = self
            .first
            .entry(format!("{choice:?} {state}"))
            .or_insert_with(|| (verdict, path.clone()));
        if first.prunes() == verdict.prunes() {
            return None;
        }
        let exhibit = |verdict: Verdict, path| {
            let role = if verdict.prunes() { "rejected" } else { "kept" };
            Exhibit::new(role, reference.show(node.state()), path)
        };
        let exhibits = vec![exhibit(*first, first_path.clone()), exhibit(verdict, path)];
        Some(Violation::new(name, Loss::ReadsPath, exhibits))
    }
}
