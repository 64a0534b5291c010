//! A check that a type system is a function of the state.

use std::fmt::Debug;

use secateurs::{Node, ObjectiveValue, Problem};

use super::coverage::{Coverage, GapReason};
use super::reference::{Auditable, Reference};
use super::violation::{Checked, Loss, Violation};
use super::walk::{Check, SubtreeSummary, Visit, Visited};

/// The maximal number of different states of a depth that are remembered.
const MAX_REMEMBERED: usize = 500;

/// A check that equal states of a depth have the same type, and that a node has the same type
/// whenever it is asked for.
pub(super) struct TypeCheck<P: Problem, K, F> {
    name: String,
    types: F,
    /// By depth: the different states that were visited, or some of them, and their types.
    levels: Vec<Vec<(Visited<P>, K)>>,
    /// Whether the nodes on the path have children, by depth.
    path: Vec<bool>,
    left_out: u64,
}

impl<P: Problem, K, F> TypeCheck<P, K, F> {
    pub(super) fn new(name: String, types: F) -> Self {
        TypeCheck { name, types, levels: Vec::new(), path: Vec::new(), left_out: 0 }
    }
}

impl<P, V, K, F> Check<P, V> for TypeCheck<P, K, F>
where
    P: Auditable,
    V: ObjectiveValue,
    K: PartialEq + Debug,
    F: FnMut(&Node<'_, P>) -> K,
{
    fn enter(&mut self, at: &Visit<'_, '_, P, V>) -> Checked {
        self.path.truncate(at.node.depth());
        if let Some(has_children) = self.path.last_mut() {
            *has_children = true;
        }
        self.path.push(false);
        Ok(())
    }

    fn leave(&mut self, at: &Visit<'_, '_, P, V>, _: &SubtreeSummary<V>) -> Checked {
        let node = at.node;
        // Samples ask for the types of nodes that may have children.
        if self.path.get(node.depth()) != Some(&true) {
            return Ok(());
        }
        let [kind, again] = [(self.types)(node), (self.types)(node)];
        if self.levels.len() <= node.depth() {
            self.levels.resize_with(node.depth() + 1, Vec::new);
        }
        let level = &mut self.levels[node.depth()];
        let known = level.iter().find(|(first, _)| first.state == *node.state());
        let first_kind = known.map_or(&again, |(_, kind)| kind);
        if kind != *first_kind {
            let loss = Loss::Types { one: format!("{first_kind:?}"), other: format!("{kind:?}") };
            let first = known.map(|(first, _)| first.exhibit("one", at.reference));
            let exhibits = vec![first.unwrap_or_else(|| at.exhibit("one")), at.exhibit("other")];
            return Err(Violation::new(&self.name, loss, exhibits));
        }
        if known.is_none() && level.len() < MAX_REMEMBERED {
            level.push((at.remember(), kind));
        } else if known.is_none() {
            self.left_out += 1;
        }
        Ok(())
    }

    fn finish(&mut self, _: &Reference<'_, P, V>, coverage: &mut Coverage) -> Checked {
        coverage.omit(GapReason::LeftOut, &self.name, self.left_out);
        Ok(())
    }
}
