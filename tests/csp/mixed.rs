//! Propagation that is not called at every node, at another level here than there, or in another
//! order: it finds the same.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::csp::{
    Ascending, Assignment, Branching, CentreOut, Domains, Model, Network, Propagate, Propagation,
    Propagator, PropagatorScratch, SmallestDomain, SwappedOrder, Variable, Wipeout,
};
use secateurs::{Effect, Hook, NodeMut, Search, hook};

use crate::networks::stated;
use crate::support::propagation::LEVELS;

/// Propagates by the level that `choose` says for each depth, if any.
fn mixed(choose: impl Fn(usize) -> Option<Propagation>) -> impl Hook<Network> {
    let mut hooks = LEVELS.map(Propagate::new);
    hook::enter("mixed", Effect::Preserving, move |node: &mut NodeMut<'_, Network>| {
        match choose(node.depth())
            .and_then(|level| hooks.iter_mut().find(|hook| hook.level() == level))
        {
            Some(hook) => hook.enter(node),
            None => secateurs::Verdict::Keep,
        }
    })
}

fn solutions(network: &Network, hook: impl Hook<Network>) -> Vec<Vec<i32>> {
    let search = Search::new(network).hooks((hook,)).extract(Assignment::of);
    search.solutions().map(|solution| solution.values().to_vec()).collect()
}

fn assert_finds(
    network: &Network,
    hook: impl Hook<Network>,
    expected: &BTreeSet<Vec<i32>>,
) -> Result<(), TestCaseError> {
    let found = solutions(network, hook);
    prop_assert_eq!(found.len(), expected.len());
    prop_assert_eq!(&found.into_iter().collect::<BTreeSet<_>>(), expected);
    Ok(())
}

proptest! {
    #[test]
    fn propagation_now_and_then_finds_all_solutions(stated in stated(), calls: [bool; 8]) {
        let (network, expected) = (stated.network(), stated.solutions());
        for level in LEVELS {
            assert_finds(&network, mixed(|depth| calls[depth].then_some(level)), &expected)?;
        }
    }

    #[test]
    fn breadth_first_finds_what_depth_first_finds(stated in stated()) {
        let (network, expected) = (stated.network(), stated.solutions());
        for level in LEVELS {
            for jumps in [true, false] {
                // The order that remembers is led along the path, the other one jumps.
                let search = Search::new(&network).hooks((Propagate::new(level),)).extract(Assignment::of);
                let found: Vec<Assignment> = if jumps {
                    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
                    search.brancher(order).breadth_first().solutions().collect()
                } else {
                    let order = Branching::new(SwappedOrder::last_tie(), CentreOut);
                    search.brancher(order).breadth_first().solutions().collect()
                };
                prop_assert_eq!(found.len(), expected.len());
                let found: BTreeSet<Vec<i32>> = found.iter().map(|solution| solution.values().to_vec()).collect();
                prop_assert_eq!(&found, &expected);
            }
        }
    }

    #[test]
    fn levels_that_take_turns_find_all_solutions(stated in stated(), levels: [prop::sample::Index; 8]) {
        let (network, expected) = (stated.network(), stated.solutions());
        assert_finds(&network, mixed(|depth| Some(*levels[depth].get(&LEVELS))), &expected)?;
        for (first, second) in LEVELS.into_iter().flat_map(|first| LEVELS.map(|second| (first, second))) {
            let both = Search::new(&network).hooks((Propagate::new(first), Propagate::new(second))).count();
            prop_assert_eq!(both.exact(), Some(expected.len() as u128));
        }
    }
}

/// Allows everything, and remembers who it is.
#[derive(Debug)]
struct Whose {
    scope: Vec<Variable>,
    name: u64,
}

impl Propagator for Whose {
    fn name(&self) -> &str {
        "whose"
    }
    fn scope(&self) -> &[Variable] {
        &self.scope
    }
    fn holds(&self, _: &[i32]) -> bool {
        true
    }
    fn propagate(&self, _: &mut Domains, memory: &mut PropagatorScratch) -> Result<(), Wipeout> {
        if memory.is_empty() {
            memory.push(self.name);
        }
        assert_eq!(memory[..], [self.name], "the memory of another propagator");
        Ok(())
    }
}

#[test]
fn propagation_that_is_lent_to_another_run_forgets() {
    let network = |name| {
        let mut model = Model::new();
        let scope = model.variables(2, 0..3).unwrap();
        model.propagator(Whose { scope, name }).unwrap();
        model.build()
    };
    let mut full = Propagate::full();
    for name in 0..3 {
        assert_eq!(Search::new(&network(name)).hooks((&mut full,)).count().exact(), Some(9));
    }
}
