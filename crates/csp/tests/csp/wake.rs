//! Waking of propagators: each one is called only for the changes that wake it, and propagation
//! still ends at a common fixpoint.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use secateurs::{Effect, Limits, Node, NodeMut, Search, Verdict, hook};
use secateurs_csp::{
    Domains, Model, Network, Propagate, Propagator, PropagatorScratch, Variable, Wake, Wipeout,
};

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
    fn wake(&self, _: usize) -> Wake {
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
        removals in prop::collection::vec((any::<prop::sample::Index>(), 0..200), 0..4),
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
        let remove_values = |node: &mut NodeMut<'_, Network>| {
            let (index, value) = match removals.get(node.depth()) {
                Some(removal) => removal,
                None => return Verdict::Keep,
            };
            Verdict::keep_if(node.state_mut().remove(*index.get(&variables), *value).is_ok())
        };
        let remove_values = hook::enter("remove values", Effect::Lossy, remove_values);
        let check_fixpoint = hook::watch("check fixpoint", |node: &Node<'_, Network>| {
            for relation in &relations {
                let mut copy = node.state().clone();
                let propagated = relation.propagate(&mut copy, &mut PropagatorScratch::default());
                assert!(propagated.is_ok(), "{relation:?} {copy:?}");
                assert_eq!(format!("{copy:?}"), format!("{:?}", node.state()), "{relation:?}");
            }
        });
        let hooks = (remove_values, Propagate::full(), check_fixpoint);
        let _ = Search::new(&network).hooks(hooks).count();
    }
}

/// Counts its calls, and does nothing else.
#[derive(Debug)]
struct Counted {
    wake: Wake,
    scope: [Variable; 1],
    calls: Arc<AtomicUsize>,
}

impl Propagator for Counted {
    fn name(&self) -> &str {
        "counted"
    }
    fn scope(&self) -> &[Variable] {
        &self.scope
    }
    fn holds(&self, _: &[i32]) -> bool {
        true
    }
    fn propagate(&self, _: &mut Domains, _: &mut PropagatorScratch) -> Result<(), Wipeout> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    fn wake(&self, _: usize) -> Wake {
        self.wake
    }
}

#[test]
fn a_propagator_is_called_only_for_changes_that_wake_it() {
    let (middle, bound, all_but_one) = (vec![2], vec![0], vec![0, 1, 2, 3]);
    for (wake, removed, calls) in [
        (Wake::Any, &middle, 2),
        (Wake::Bounds, &middle, 1),
        (Wake::Assigned, &middle, 1),
        (Wake::Any, &bound, 2),
        (Wake::Bounds, &bound, 2),
        (Wake::Assigned, &bound, 1),
        (Wake::Assigned, &all_but_one, 2),
    ] {
        let mut model = Model::new();
        let variable = model.variable(0..=4).expect("a small domain");
        let called = Arc::new(AtomicUsize::new(0));
        let counted = Counted { wake, scope: [variable], calls: Arc::clone(&called) };
        model.propagator(counted).expect("a known variable");
        let network = model.build();
        let remove = hook::enter("remove", Effect::Lossy, |node: &mut NodeMut<'_, Network>| {
            let kept = node.state_mut().retain(variable, |value| !removed.contains(&value));
            Verdict::keep_if(kept.is_ok())
        });
        let hooks = (Propagate::full(), remove, Propagate::full());
        let _ = Search::new(&network).hooks(hooks).limits(Limits::new().nodes(1)).count();
        assert_eq!(called.load(Ordering::Relaxed), calls, "{wake:?}, without {removed:?}");
    }
}

/// All variables are equal; counts the calls of `holds`.
#[derive(Debug)]
struct AllEqual {
    scope: Vec<Variable>,
    propagates_last: bool,
    tests: Arc<AtomicUsize>,
}

impl Propagator for AllEqual {
    fn name(&self) -> &str {
        "all equal"
    }
    fn scope(&self) -> &[Variable] {
        &self.scope
    }
    fn holds(&self, values: &[i32]) -> bool {
        self.tests.fetch_add(1, Ordering::Relaxed);
        values.iter().all(|value| *value == values[0])
    }
    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Result<(), Wipeout> {
        let assigned = self.scope.iter().find_map(|&variable| domains.value(variable));
        let Some(value) = assigned else { return Ok(()) };
        self.scope.iter().try_for_each(|&variable| domains.assign(variable, value).map(|_| ()))
    }
    fn propagates_last(&self) -> bool {
        self.propagates_last
    }
}

#[test]
fn forward_checking_propagates_the_last_variable_or_tests_its_values() {
    let [tested, propagated] = [false, true].map(|propagates_last| {
        let mut model = Model::new();
        let scope = model.variables(3, 0..50).unwrap();
        let tests = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&tests);
        model.propagator(AllEqual { scope, propagates_last, tests: counter }).unwrap();
        let outcome = Search::new(&model.build()).hook(Propagate::forward()).count();
        assert_eq!(outcome.exact(), Some(50));
        (outcome.report().nodes(), tests.load(Ordering::Relaxed))
    });
    assert_eq!(tested.0, propagated.0);
    assert!(tested.1 >= 50 * 50 * 50, "each value of the last variable: {tested:?}");
    assert!(propagated.1 <= 50 * 3, "no value of the last variable: {propagated:?}");
}

/// A constraint that promises a propagation that it does not have.
#[derive(Debug)]
struct Odd([Variable; 2]);

impl Propagator for Odd {
    fn name(&self) -> &str {
        "odd"
    }
    fn scope(&self) -> &[Variable] {
        &self.0
    }
    fn holds(&self, values: &[i32]) -> bool {
        values.iter().sum::<i32>() % 2 == 1
    }
    fn propagates_last(&self) -> bool {
        true
    }
}

#[test]
fn a_propagation_that_is_promised_and_missing_is_replaced_by_tests_of_values() {
    for propagate in [Propagate::forward(), Propagate::full()] {
        let mut model = Model::new();
        let [x, y] = [model.variable(0..5).unwrap(), model.variable(0..5).unwrap()];
        model.propagator(Odd([x, y])).unwrap();
        assert_eq!(Search::new(&model.build()).hook(propagate).count().exact(), Some(12));
    }
}
