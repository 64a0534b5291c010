//! Orders of variables and values: their trees differ, their solutions do not.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::brancher::{Shuffled, Sorted};
use secateurs::search::{Frontier, LimitedDiscrepancy};
use secateurs::{Brancher, Limits, Node, Problem, Report, Search, Variables, hook};
use secateurs_csp::{
    Ascending, Assignment, Branching, CentreOut, Decision, DomainOverDegree, Domains, Halves,
    InputOrder, Model, Network, Propagate, SmallestDomain, SwappedOrder, Variable, VariableOrder,
    Weights, least_constraining, weighted_degree,
};
use secateurs_problems::queens::QueensBoard;

use crate::networks::{Constraint, network_specs};
use crate::oracle::found;
use crate::support::propagation::LEVELS;

#[test]
fn an_order_used_by_another_run_starts_afresh() {
    /// An order of variables, borrowed.
    struct Lent<'a>(&'a mut SwappedOrder);
    impl VariableOrder<Network> for Lent<'_> {
        fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
            self.0.choose(node)
        }
    }
    let network = QueensBoard::new(6).unwrap().network();
    let mut order = SwappedOrder::last_tie();
    let mut placed = || {
        let forward = Propagate::forward().without_wipe_out_test();
        let order = Branching::new(Lent(&mut order), Ascending);
        Search::new(&network).hooks((forward,)).brancher(order).count().report().nodes() - 1
    };
    assert_eq!([placed(), placed()], [114, 114]);
}

/// Returns an order of variables, by number.
fn variable_order(number: usize, weights: &Weights) -> Box<dyn VariableOrder<Network>> {
    match number {
        0 => Box::new(InputOrder),
        1 => Box::new(SmallestDomain::first_tie()),
        2 => Box::new(SmallestDomain::last_tie()),
        3 => Box::new(SwappedOrder::first_tie()),
        4 => Box::new(SwappedOrder::last_tie()),
        5 => Box::new(DomainOverDegree::first_tie()),
        6 => Box::new(DomainOverDegree::last_tie()),
        7 => Box::new(weighted_degree(weights)),
        _ => Box::new(weighted_degree(weights).with_last_tie()),
    }
}

/// An order of variables, boxed.
struct Boxed(Box<dyn VariableOrder<Network>>);

impl VariableOrder<Network> for Boxed {
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        self.0.choose(node)
    }
}

proptest! {
    #[test]
    fn values_come_from_the_centre_outwards(
        domain in prop_oneof![
            prop::collection::btree_set(-9..9, 1..9),
            prop::collection::btree_set(-200..200, 1..30),
            prop::collection::btree_set(i32::MAX - 70..=i32::MAX, 1..9),
            prop::collection::btree_set(i32::MIN..=i32::MIN + 170, 1..9),
        ],
    ) {
        let mut model = Model::new();
        let mut expected: Vec<i32> = domain.into_iter().collect();
        let variable = model.variable(&expected[..]).expect("a narrow domain");
        let network = model.build();
        let (low, high) = network.bounds(variable).expect("it has a value");
        let middle = (i64::from(low) + i64::from(high)) >> 1;
        // Of two values at the same distance, the larger one is first.
        expected.sort_by_key(|&value| (middle.abs_diff(value.into()), Reverse(value)));
        let order = Branching::new(InputOrder, CentreOut);
        let search = Search::new(&network).brancher(order).extract(Assignment::of);
        let values: Vec<i32> = search.solutions().map(|solution| solution[variable]).collect();
        prop_assert_eq!(values, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn all_orders_find_the_same_solutions_at_all_levels(spec in network_specs(), seed: u64) {
        let network = spec.network();
        let expected = spec.solutions();
        for level in LEVELS {
            for number in 0..9 {
                let weights = Weights::new(&network);
                let propagate = || Propagate::new(level).with_weights(&weights);
                let order = || Boxed(variable_order(number, &weights));
                let random = Shuffled::over(Branching::new(order(), Ascending), seed);
                for found in [
                    found(&network, (propagate(),), Branching::new(order(), Ascending)),
                    found(&network, (propagate(),), Branching::new(order(), CentreOut)),
                    found(&network, (propagate(),), Halves::new(order())),
                    found(&network, (propagate(),), least_constraining(order())),
                    found(&network, (propagate(),), random),
                ] {
                    prop_assert_eq!(&found, &expected, "{:?}, order {}", level, number);
                }
            }
            let key = |_: &Node<'_, Network>, decision: &Decision| match *decision {
                Decision::Is(_, value) => Reverse(value),
                _ => Reverse(0),
            };
            let descending = Sorted::over(Branching::new(InputOrder, Ascending), key);
            prop_assert_eq!(&found(&network, (Propagate::new(level),), descending), &expected);
        }
    }

    #[test]
    fn count_pruned_values_counts_the_values_that_forward_checking_prunes(spec in network_specs()) {
        // With at most one constraint between two variables, and none on more, each value is
        // counted once.
        let mut once = BTreeSet::new();
        let mut spec = spec;
        spec.constraints.retain(|constraint| match *constraint {
            Constraint::Pairs(x, y, ..) => x != y && once.insert((x.min(y), x.max(y))),
            _ => false,
        });
        let network = spec.network();
        let root = network.root();
        let sizes = |domains: &Domains| {
            network.variables().map(|variable| domains.size(variable)).collect::<Vec<_>>()
        };
        for variable in network.variables() {
            for value in root.values(variable) {
                let choose = |node: &Node<'_, Network>| {
                    node.state().is_open(variable).then_some(variable)
                };
                let mut lost = None;
                let look = hook::watch("first child", |node: &Node<'_, Network>| {
                    if node.state().value(variable) == Some(value)
                        && !node.state().is_open(variable)
                    {
                        let (before, after) = (sizes(&root), sizes(node.state()));
                        let others = (0..before.len()).filter(|&index| index != variable.index());
                        lost =
                            Some(others.map(|index| before[index] - after[index]).sum::<usize>()
                                as u64);
                    }
                });
                let forward = Propagate::forward().without_wipe_out_test();
                let order = Branching::new(choose, Ascending);
                let _ = Search::new(&network).hooks((forward, look)).brancher(order).count();
                prop_assert_eq!(Some(network.count_pruned_values(&root, variable, value)), lost);
            }
        }
    }

    #[test]
    fn limited_discrepancies_are_complete_for_networks(spec in network_specs()) {
        let network = spec.network();
        let outcome = LimitedDiscrepancy::new().first(|within| {
            Search::new(&network).hooks((Propagate::full(), within)).extract(Assignment::of)
        });
        match outcome.solution() {
            Some(solution) => prop_assert!(spec.solutions().contains(solution.values())),
            None => prop_assert!(outcome.is_proven_none() && spec.solutions().is_empty()),
        }
    }
}

/// Returns the variable that an order chooses first.
fn first_choice(network: &Network, mut order: impl VariableOrder<Network>) -> Option<usize> {
    let mut first = None;
    let look = hook::watch("look", |node: &Node<'_, Network>| {
        if node.depth() == 0 {
            first = order.choose(node).map(Variable::index);
        }
    });
    let _ = Search::new(network).hooks((look,)).exists();
    first
}

/// A path of variables with two values, with a wheel at its end whose hub has three values.
fn wheel() -> Network {
    let mut model = Model::new();
    let path = model.variables(4, 0..2).unwrap();
    let hub = model.variable(0..3).unwrap();
    for two in path.windows(2) {
        model.different(two[0], two[1]).unwrap();
    }
    let rim = model.variables(5, 0..4).unwrap();
    for &spoke in &rim {
        model.different(hub, spoke).unwrap();
    }
    model.build()
}

#[test]
fn domain_over_degree_compares_quotients_and_breaks_ties_as_configured() {
    let network = wheel();
    assert_eq!(first_choice(&network, SmallestDomain::first_tie()), Some(0));
    assert_eq!(first_choice(&network, SmallestDomain::last_tie()), Some(3));
    // The quotients are 2/1, 2/2, 2/2, 2/1, 3/5, 4/1, ….
    assert_eq!(first_choice(&network, DomainOverDegree::first_tie()), Some(4));
    let weights = Weights::new(&network);
    assert_eq!(first_choice(&network, weighted_degree(&weights)), Some(4));
    let triangle = Constraint::Different(vec![0, 1, 2], None).network(&vec![[0, 1, 2].into(); 3]);
    assert_eq!(first_choice(&triangle, DomainOverDegree::first_tie()), Some(0));
    assert_eq!(first_choice(&triangle, DomainOverDegree::last_tie()), Some(2));
}

/// Two triangles, the second one with two colours only; if `wide`, some value needs a second word.
fn two_triangles(wide: bool) -> Network {
    let mut model = Model::new();
    let easy = model.variables(3, 0..5).unwrap();
    let hard = model.variables(3, if wide { vec![0, 100] } else { vec![0, 1] }).unwrap();
    for triangle in [easy, hard] {
        for (x, y) in [(0, 1), (0, 2), (1, 2)] {
            model.different(triangle[x], triangle[y]).unwrap();
        }
    }
    model.build()
}

#[test]
fn weights_lead_to_failing_constraints() {
    for wide in [false, true] {
        for level in LEVELS {
            let network = two_triangles(wide);
            let weights = Weights::new(&network);
            // In input order, the second triangle fails under each colouring of the first.
            let learn = Propagate::new(level).with_weights(&weights);
            let outcome = Search::new(&network).hooks((learn,)).count();
            assert_eq!(outcome.exact(), Some(0));
            let cuts = outcome.report().hooks()[0].cuts();
            assert!(weights.conflicts() == cuts && cuts > 0, "{level:?}");
            let first = first_choice(&network, weighted_degree(&weights));
            assert!(first.is_some_and(|first| first >= 3), "{level:?} {first:?}");
            let run = |order: &mut dyn VariableOrder<Network>| {
                let order = Branching::new(|node: &Node<'_, _>| order.choose(node), Ascending);
                let search = Search::new(&network).hook(Propagate::new(level)).brancher(order);
                search.count().report().nodes()
            };
            let weighted = run(&mut weighted_degree(&weights));
            assert!(weighted <= run(&mut DomainOverDegree::first_tie()));
        }
    }
}

#[test]
fn failing_propagators_gain_weight() {
    let mut model = Model::new();
    let free = model.variables(2, 0..2).unwrap();
    let bound = model.variables(3, 0..4).unwrap();
    model.different(free[0], free[1]).unwrap();
    // A sum of doubled values is even.
    let terms: Vec<(i64, Variable)> = bound.iter().map(|&variable| (2, variable)).collect();
    model.linear(terms, 5..=5).unwrap();
    let network = model.build();
    assert_eq!(first_choice(&network, DomainOverDegree::first_tie()), Some(0));
    let weights = Weights::new(&network);
    let outcome =
        Search::new(&network).hooks((Propagate::forward().with_weights(&weights),)).count();
    assert_eq!(outcome.exact(), Some(0));
    assert_eq!(first_choice(&network, weighted_degree(&weights)), Some(2));
}

#[test]
fn orders_accept_networks_of_no_and_one_variable_and_weights_of_another_network() {
    let mut model = Model::new();
    let empty = model.clone().build();
    model.variable(5).unwrap();
    let one = model.build();
    let queens = QueensBoard::new(6).unwrap().network();
    for number in 0..9 {
        for (network, solutions) in [(&empty, 1), (&one, 1), (&queens, 4)] {
            let weights = Weights::new(&one);
            let order = Branching::new(Boxed(variable_order(number, &weights)), Ascending);
            let hooks = (Propagate::full().with_weights(&weights),);
            assert_eq!(found(network, hooks, order).len(), solutions, "order {number}");
        }
    }
}

#[test]
fn reports_name_orders_with_a_memory_when_a_search_is_divided() {
    let network = QueensBoard::new(7).unwrap().network();
    fn reported_names<B: Brancher<Network> + Clone + Send>(
        network: &Network,
        brancher: impl Fn() -> B,
    ) -> Vec<Vec<String>> {
        let search = || Search::new(network).hooks((Propagate::forward(),)).brancher(brancher());
        let names = |report: &Report| {
            report.nondeterministic_parts().into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let whole = search().count();
        let mut frontier = Frontier::new();
        let _ = search().limits(Limits::new().nodes(20)).frontier(&mut frontier).count();
        let resumed = search().frontier(&mut frontier).count();
        let divided = search().threads(2).count();
        let broad = search().breadth_first().count();
        for outcome in [&whole, &resumed, &divided, &broad] {
            assert_eq!(outcome.exact(), Some(40));
        }
        // A single walk is one search, in whatever order it visits nodes.
        assert!(names(whole.report()).is_empty() && names(broad.report()).is_empty());
        let estimate = search().estimate(10, 1);
        assert_eq!(
            estimate.unlearned().any(|name| name == Report::BRANCHER),
            names(resumed.report()) != [""; 0]
        );
        vec![names(resumed.report()), names(divided.report())]
    }
    let weights = Weights::new(&network);
    let remember = [
        reported_names(&network, || Branching::new(SwappedOrder::first_tie(), Ascending)),
        reported_names(&network, || Halves::new(SwappedOrder::last_tie())),
        reported_names(&network, || Branching::new(weighted_degree(&weights), CentreOut)),
        reported_names(&network, || {
            Shuffled::over(Branching::new(SwappedOrder::first_tie(), Ascending), 1)
        }),
    ];
    for named in remember {
        assert_eq!(named, [[Report::BRANCHER], [Report::BRANCHER]]);
    }
    for named in [
        reported_names(&network, || Branching::new(SmallestDomain::first_tie(), Ascending)),
        reported_names(&network, || Branching::new(DomainOverDegree::first_tie(), Ascending)),
        reported_names(&network, || {
            Shuffled::over(Branching::<InputOrder, Ascending>::default(), 1)
        }),
    ] {
        assert_eq!(named, [[""; 0], [""; 0]]);
    }
}

#[test]
fn the_degree_of_a_decided_variable_does_not_overflow() {
    // In a small network, a table of pairs replaces all-different constraints.
    for largest in [5, 5000] {
        let mut model = Model::new();
        let variables = model.variables(3, 0..=largest).unwrap();
        model.all_different(&variables).unwrap();
        let network = model.build();
        let first = variables[0];
        let degree = |node: &Node<'_, Network>| network.dynamic_degree(node.state(), first);
        let degrees = Search::new(&network).hooks((Propagate::forward(),)).extract(degree).first();
        assert_eq!(degrees.solution(), Some(&0), "{largest}");
    }
}
