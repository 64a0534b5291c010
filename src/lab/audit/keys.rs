//! Do states of equal keys have equal futures?

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Debug;
use std::hash::Hash;

use super::loss::Loss;
use super::reference::Reference;
use super::violation::{Exhibit, Violation};
use super::walk::{Check, Future};
use crate::hook::Node;
use crate::problem::Problem;

/// What equal keys are to have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Common {
    /// The number of solutions below, or the best value below if there is an objective.
    Future,
    /// Whether there is any solution below.
    Failure,
}

/// A state, the path to it, and what lies below.
type Met<P, V> = (<P as Problem>::State, Vec<<P as Problem>::Choice>, Future<V>);

/// A key that is held against what lies below the states that it joins.
pub(super) struct KeyCheck<P: Problem, K, F, V> {
    name: String,
    key: F,
    common: Common,
    /// The first state of each key.
    met: HashMap<K, Met<P, V>>,
}

impl<P: Problem, K, F, V> KeyCheck<P, K, F, V> {
    pub(super) fn new(name: String, key: F, common: Common) -> Self {
        KeyCheck { name, key, common, met: HashMap::new() }
    }
}

impl Common {
    /// What lies below, in words, as far as it has to be the same.
    fn in_words<V: Debug>(self, is_optimised: bool, future: &Future<V>) -> String {
        match (self, &future.best) {
            (Common::Failure, _) if future.solutions == 0 => "is no solution".to_owned(),
            (Common::Failure, _) => "is a solution".to_owned(),
            (Common::Future, Some(best)) if is_optimised => format!("the best value is {best:?}"),
            (Common::Future, _) if future.solutions == 1 => "is 1 solution".to_owned(),
            (Common::Future, _) => format!("are {} solutions", future.solutions),
        }
    }

    fn agrees<V: PartialEq>(self, is_optimised: bool, one: &Future<V>, other: &Future<V>) -> bool {
        match self {
            Common::Failure => (one.solutions == 0) == (other.solutions == 0),
            Common::Future if is_optimised => one.best == other.best,
            Common::Future => one.solutions == other.solutions,
        }
    }
}

impl<P, V, K, F> Check<P, V> for KeyCheck<P, K, F, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone + Debug,
    K: Hash + Eq,
    F: Fn(&P, &P::State) -> K,
{
    fn leave(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        future: &Future<V>,
    ) -> Result<(), Violation> {
        let is_optimised = reference.question.direction.is_some();
        let key = (self.key)(node.problem(), node.state());
        let (one, path, known) = match self.met.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => {
                vacant.insert((node.state().clone(), node.path().to_vec(), future.clone()));
                return Ok(());
            }
        };
        let common = self.common;
        if common.agrees(is_optimised, known, future) {
            return Ok(());
        }
        let loss = Loss::Joined {
            one: common.in_words(is_optimised, known),
            other: common.in_words(is_optimised, future),
        };
        let exhibits = vec![
            Exhibit::new("one", reference.show(one), format!("{path:?}")),
            Exhibit::new("other", reference.show(node.state()), format!("{:?}", node.path())),
        ];
        Err(Violation::new(&self.name, loss, exhibits))
    }
}
