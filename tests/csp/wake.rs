//! Waking of propagators: they are called only for the changes that they wake for, and until a
//! fixpoint is reached.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::csp::{
    Domains, Model, Network, Propagate, Propagator, PropagatorScratch, Variable, Wake, Wipeout,
};
use secateurs::{Effect, Node, NodeMut, Search, Verdict, hook};

/// A relation of two variables.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Wakes at changed bounds.
    AtMost,
    /// Wakes at assignments.
    Different,
    /// Wakes at any change.
    Equal,
}

#[derive(Clone, Debug)]
struct Relation {
    kind: Kind,
    scope: [Variable; 2],
}

impl Propagator for Relation {
    fn name(&self) -> &str {
        "relation"
    }
    fn scope(&self) -> &[Variable] {
        &self.scope
    }
    fn holds(&self, values: &[i32]) -> bool {
        match self.kind {
            Kind::AtMost => values[0] <= values[1],
            Kind::Different => values[0] != values[1],
            Kind::Equal => values[0] == values[1],
        }
    }
    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Result<(), Wipeout> {
        let [x, y] = self.scope;
        match self.kind {
            Kind::AtMost => {
                domains.at_most(x, domains.max(y).ok_or(Wipeout(y))?)?;
                domains.at_least(y, domains.min(x).ok_or(Wipeout(x))?)?;
            }
            Kind::Different => {
                for (one, other) in [(x, y), (y, x)] {
                    if let Some(value) = domains.value(one) {
                        domains.remove(other, value)?;
                    }
                }
            }
            Kind::Equal => {
                for (one, other) in [(x, y), (y, x)] {
                    let values: BTreeSet<i32> = domains.values(one).collect();
                    domains.retain(other, |value| values.contains(&value))?;
                }
            }
        }
        Ok(())
    }
    fn wake(&self) -> Wake {
        match self.kind {
            Kind::AtMost => Wake::Bounds,
            Kind::Different => Wake::Assigned,
            Kind::Equal => Wake::Any,
        }
    }
    fn is_idempotent(&self) -> bool {
        // All of them are idempotent; one does not say so, in order to test both cases.
        !matches!(self.kind, Kind::Different)
    }
}

proptest! {
    #[test]
    fn propagation_ends_at_a_fixpoint(
        domains in prop::collection::vec(
            prop::collection::btree_set(prop_oneof![4 => 0..5, 1 => 60..200], 1..7),
            2..6,
        ),
        relations in prop::collection::vec(
            (0..3, any::<(prop::sample::Index, prop::sample::Index)>()),
            1..8,
        ),
        struck in prop::collection::vec((any::<prop::sample::Index>(), 0..200), 0..4),
    ) {
        let mut model = Model::new();
        let variables: Vec<Variable> = domains
            .iter()
            .map(|values| model.variable(Vec::from_iter(values.iter().copied())).unwrap())
            .collect();
        let relations: Vec<Relation> = relations
            .iter()
            .map(|(kind, (x, y))| Relation {
                kind: [Kind::AtMost, Kind::Different, Kind::Equal][*kind as usize],
                scope: [*x.get(&variables), *y.get(&variables)],
            })
            .filter(|relation| relation.scope[0] != relation.scope[1])
            .collect();
        for relation in &relations {
            model.propagator(relation.clone()).unwrap();
        }
        let network = model.build();
        let strike = hook::enter("strike", Effect::Lossy, |node: &mut NodeMut<'_, Network>| {
            let (index, value) = match struck.get(node.depth()) {
                Some(one) => one,
                None => return Verdict::Keep,
            };
            Verdict::keep_if(node.state_mut().remove(*index.get(&variables), *value).is_ok())
        });
        let look = hook::watch("look", |node: &Node<'_, Network>| {
            for relation in &relations {
                let mut again = node.state().clone();
                let propagated = relation.propagate(&mut again, &mut PropagatorScratch::default());
                assert!(propagated.is_ok(), "{relation:?} {again:?}");
                assert_eq!(format!("{again:?}"), format!("{:?}", node.state()), "{relation:?}");
            }
        });
        let _ = Search::new(&network).hooks((strike, Propagate::full(), look)).count();
    }
}
