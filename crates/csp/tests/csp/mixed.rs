//! Mixed propagation: skipped nodes, levels that vary from node to node, and other search
//! strategies find the same solutions.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::{Effect, Hook, NodeMut, ProblemOrder, Search, hook};
use secateurs_csp::{
    Ascending, Assignment, Branching, CentreOut, Domains, Model, Network, Propagate, Propagation,
    Propagator, PropagatorScratch, SmallestDomain, SwappedOrder, Variable, Wipeout,
};

use crate::networks::network_specs;
use crate::oracle::found;
use crate::support::propagation::LEVELS;

/// Creates a hook that propagates at the level that `choose` returns for the depth, if any.
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

proptest! {
    #[test]
    fn propagation_at_some_nodes_finds_all_solutions(spec in network_specs(), calls: [bool; 8]) {
        let (network, expected) = (spec.network(), spec.solutions());
        for level in LEVELS {
            let mixed = mixed(|depth| calls[depth].then_some(level));
            prop_assert_eq!(&found(&network, (mixed,), ProblemOrder), &expected);
        }
    }

    #[test]
    fn breadth_first_finds_the_same_solutions_as_depth_first(spec in network_specs()) {
        let (network, expected) = (spec.network(), spec.solutions());
        for level in LEVELS {
            for is_noncontiguous in [true, false] {
                // `SwappedOrder` depends on earlier choices, so breadth-first search replays the
                // path of each node. With `SmallestDomain` it moves directly between nodes.
                let search =
                    Search::new(&network).hooks((Propagate::new(level),)).extract(Assignment::of);
                let found: Vec<Assignment> = if is_noncontiguous {
                    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
                    search.brancher(order).breadth_first().solutions().collect()
                } else {
                    let order = Branching::new(SwappedOrder::last_tie(), CentreOut);
                    search.brancher(order).breadth_first().solutions().collect()
                };
                prop_assert_eq!(found.len(), expected.len());
                let found: BTreeSet<Vec<i32>> =
                    found.iter().map(|solution| solution.values().to_vec()).collect();
                prop_assert_eq!(&found, &expected);
            }
        }
    }

    #[test]
    fn alternating_levels_find_all_solutions(
        spec in network_specs(),
        levels: [prop::sample::Index; 8],
    ) {
        let (network, expected) = (spec.network(), spec.solutions());
        let mixed = mixed(|depth| Some(*levels[depth].get(&LEVELS)));
        prop_assert_eq!(&found(&network, (mixed,), ProblemOrder), &expected);
        for first in LEVELS {
            for second in LEVELS {
                let both = (Propagate::new(first), Propagate::new(second));
                prop_assert_eq!(&found(&network, both, ProblemOrder), &expected);
            }
        }
    }
}

/// A propagator that prunes nothing and stores its identity in its scratch.
#[derive(Debug)]
struct Named {
    scope: Vec<Variable>,
    name: u64,
}

impl Propagator for Named {
    fn name(&self) -> &str {
        "named"
    }
    fn scope(&self) -> &[Variable] {
        &self.scope
    }
    fn holds(&self, _: &[i32]) -> bool {
        true
    }
    fn propagate(&self, _: &mut Domains, scratch: &mut PropagatorScratch) -> Result<(), Wipeout> {
        if scratch.words.is_empty() {
            scratch.words.push(self.name);
        }
        assert_eq!(scratch.words[..], [self.name], "the scratch of another propagator");
        Ok(())
    }
}

#[test]
fn scratch_is_reset_for_another_run() {
    let network = |name| {
        let mut model = Model::new();
        let scope = model.variables(2, 0..3).unwrap();
        model.propagator(Named { scope, name }).unwrap();
        model.build()
    };
    let mut full = Propagate::full();
    for name in 0..3 {
        assert_eq!(Search::new(&network(name)).hooks((&mut full,)).count().exact(), Some(9));
    }
}
