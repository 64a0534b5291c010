//! A check that a type system is a function of the state.

use std::fmt::Debug;

use secateurs::{Node, ObjectiveValue, Problem};

use super::coverage::{Coverage, GapReason};
use super::reference::Reference;
use super::violation::{Exhibit, Loss, Violation};
use super::walk::{Check, SubtreeSummary};

/// The maximal number of different states of a depth that are remembered.
const MAX_REMEMBERED: usize = 500;

/// The first node of a state.
struct FirstNode<P: Problem, K> {
    state: P::State,
    path: Vec<P::Choice>,
    kind: K,
}

/// A check that equal states of a depth have the same type, and that a node has the same type
/// whenever it is asked for.
pub(super) struct TypeCheck<P: Problem, K, F> {
    name: String,
    types: F,
    /// By depth: the different states that were visited, or some of them.
    levels: Vec<Vec<FirstNode<P, K>>>,
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
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
    K: PartialEq + Debug,
    F: FnMut(&Node<'_, P>) -> K,
{
    fn enter(&mut self, _: &Reference<'_, P, V>, node: &Node<'_, P>) -> Result<(), Violation> {
        self.path.truncate(node.depth());
        if let Some(has_children) = self.path.last_mut() {
            *has_children = true;
        }
        self.path.push(false);
        Ok(())
    }

    fn leave(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        _: &SubtreeSummary<V>,
    ) -> Result<(), Violation> {
        // Samples ask for the types of nodes that may have children.
        if self.path.get(node.depth()) != Some(&true) {
            return Ok(());
        }
        let [kind, again] = [(self.types)(node), (self.types)(node)];
        if self.levels.len() <= node.depth() {
            self.levels.resize_with(node.depth() + 1, Vec::new);
        }
        let level = &mut self.levels[node.depth()];
        let known = level.iter().find(|first| first.state == *node.state());
        let (first_kind, first_path) = match known {
            Some(first) => (&first.kind, format!("{:?}", first.path)),
            None => (&again, format!("{:?}", node.path())),
        };
        if kind != *first_kind {
            let loss = Loss::Types { one: format!("{first_kind:?}"), other: format!("{kind:?}") };
            let show = || reference.show(node.state());
            let exhibits = vec![
                Exhibit::new("one", show(), first_path),
                Exhibit::new("other", show(), format!("{:?}", node.path())),
            ];
            return Err(Violation::new(&self.name, loss, exhibits));
        }
        if known.is_none() {
            if level.len() < MAX_REMEMBERED {
                let (state, path) = (node.state().clone(), node.path().to_vec());
                level.push(FirstNode { state, path, kind });
            } else {
                self.left_out += 1;
            }
        }
        Ok(())
    }

    fn finish(
        &mut self,
        _: &Reference<'_, P, V>,
        coverage: &mut Coverage,
    ) -> Result<(), Violation> {
        coverage.omit(GapReason::LeftOut, &self.name, self.left_out);
        Ok(())
    }
}
