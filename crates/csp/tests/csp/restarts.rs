//! Restarts with no-goods are complete, reproducible, and respect limits.

use proptest::prelude::*;
use secateurs::brancher::Shuffled;
use secateurs::search::Schedule;
use secateurs::{Brancher, Effect, Limits, Search, Stop};
use secateurs_csp::symmetry::ValuePrecedence;
use secateurs_csp::{
    Ascending, Branching, Halves, InputOrder, Model, Network, Propagate, Propagation, Restarts,
    SmallestDomain, Weights, weighted_degree,
};
use secateurs_problems::queens::QueensBoard;

use crate::networks::Constraint::Pairs;
use crate::networks::{NetworkSpec, network_specs, pigeons};
use crate::support::propagation::LEVELS;

/// Returns the outcome of restarts with random orders by the seeds of the attempts.
fn shuffled<O: Brancher<Network>>(
    network: &Network,
    restarts: Restarts<'_>,
    level: Propagation,
    order: impl Fn(u64) -> O,
) -> Option<bool> {
    let outcome = restarts.first_by(|attempt| {
        let order = Shuffled::over(order(attempt.seed), attempt.seed);
        let hooks = (attempt.no_goods, Propagate::new(level));
        Search::new(network).hooks(hooks).brancher(order)
    });
    outcome.exists()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn restarts_find_a_solution_or_prove_that_there_is_none(
        spec in network_specs(),
        seed: u64,
        unit in 8..30u64,
    ) {
        let network = spec.network();
        let expected = spec.solutions();
        for level in LEVELS {
            for schedule in [
                Schedule::luby(unit),
                Schedule::geometric(unit, 1.0),
                Schedule::geometric(unit, 1.3),
            ] {
                let outcome = Restarts::new(&network, schedule).seed(seed).propagate(level).first();
                match outcome.solution() {
                    Some(solution) => prop_assert!(expected.contains(solution.values())),
                    None => prop_assert!(outcome.is_proven_none() && expected.is_empty()),
                }
            }
        }
    }

    #[test]
    fn no_goods_hold_for_split_domains_and_random_orders(
        spec in network_specs(),
        seed: u64,
        unit in 20..40u64,
    ) {
        let network = spec.network();
        let expected = spec.solutions();
        for level in LEVELS {
            let restarts = Restarts::new(&network, Schedule::luby(unit)).seed(seed);
            let exists = shuffled(&network, restarts, level, |seed| {
                let variables = SmallestDomain::last_tie();
                match seed % 2 {
                    0 => Halves::new(variables),
                    _ => Halves::minimum_first(variables),
                }
            });
            prop_assert_eq!(exists, Some(!expected.is_empty()));
        }
    }
}

/// Eight variables of three values, with a third of the pairs of values forbidden for many pairs of
/// variables: few or no solutions, and trees that are not small.
fn tight_specs() -> impl Strategy<Value = NetworkSpec> {
    let values = prop::collection::vec((0..3, 0..3), 2..5);
    prop::collection::vec((0..8usize, 0..8usize, values), 18..26).prop_map(|forbidden| {
        let pairs = forbidden.into_iter().filter(|(x, y, _)| x != y);
        NetworkSpec {
            domains: vec![[0, 1, 2].into(); 8],
            constraints: pairs.map(|(x, y, pairs)| Pairs(x, y, pairs, false)).collect(),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn many_short_runs_lose_no_solution(spec in tight_specs(), seed: u64, unit in 10..20u64) {
        let network = spec.network();
        let exists = !spec.solutions().is_empty();
        for level in [Propagation::Backward, Propagation::Forward] {
            let restarts = || {
                Restarts::new(&network, Schedule::geometric(unit, 1.0)).seed(seed).propagate(level)
            };
            prop_assert_eq!(restarts().first().exists(), Some(exists));
            let restarts = Restarts::new(&network, Schedule::geometric(unit + 20, 1.0));
            let split = shuffled(&network, restarts, level, |_| Halves::new(InputOrder));
            prop_assert_eq!(split, Some(exists));
        }
    }
}

#[test]
fn equal_budgets_suffice_for_a_proof() {
    // The tree has thousands of nodes, and no run may visit more than a hundred: without no-goods,
    // restarts would never end.
    let network = pigeons(7);
    let whole = Search::new(&network).hooks((Propagate::forward(),)).count().report().nodes();
    assert!(whole > 1000);
    let restarts =
        Restarts::new(&network, Schedule::geometric(100, 1.0)).propagate(Propagation::Forward);
    let outcome = restarts.limits(Limits::new().nodes(100_000)).first();
    assert!(outcome.is_proven_none());
    assert_eq!(outcome.effect(), Effect::Preserving);
    // Each run enters the root once.
    let runs = outcome.report().levels()[0].nodes;
    assert!(runs > 10, "{runs}");
    assert!(outcome.report().nodes() < 3 * whole);
    let hook = outcome.report().hook("no-goods").unwrap();
    assert!(hook.stat("new no-goods").unwrap() > runs);
}

#[test]
fn no_goods_obey_the_limit_of_memory() {
    let network = pigeons(7);
    let recorded = |limits: Limits| {
        let restarts = Restarts::new(&network, Schedule::geometric(100, 1.1));
        let outcome = restarts.propagate(Propagation::Forward).limits(limits).first();
        assert!(outcome.is_proven_none(), "{:?}", outcome.stop());
        outcome.report().hook("no-goods").unwrap().stat("new no-goods").unwrap()
    };
    let (all, few) = (recorded(Limits::new()), recorded(Limits::new().memory(16 << 10)));
    assert!(few > 0 && few < all / 2, "{few} of {all}");
}

#[test]
fn no_goods_save_all_repeated_work() {
    // With no-goods and a fixed order, each run continues where the previous one was interrupted.
    let network = pigeons(6);
    let whole = Search::new(&network).hooks((Propagate::forward(),)).count().report().dead_ends();
    let outcome = Restarts::new(&network, Schedule::geometric(40, 1.0))
        .first_by(|attempt| Search::new(&network).hooks((attempt.no_goods, Propagate::forward())));
    assert!(outcome.is_proven_none());
    assert!(outcome.report().dead_ends() <= whole);
}

#[test]
fn the_same_seed_makes_the_same_runs() {
    let network = QueensBoard::new(20).unwrap().network();
    let run = |seed| {
        let outcome = Restarts::new(&network, Schedule::luby(25))
            .seed(seed)
            .propagate(Propagation::Forward)
            .first();
        (outcome.solution().cloned(), outcome.report().nodes())
    };
    assert_eq!(run(1), run(1));
    assert!((1..6).map(run).any(|other| other != run(1)));
}

#[test]
fn limits_apply_to_all_runs_together() {
    let network = pigeons(9);
    for nodes in [0, 1, 99, 100, 101, 500] {
        let restarts =
            Restarts::new(&network, Schedule::geometric(100, 1.0)).propagate(Propagation::Backward);
        let outcome = restarts.limits(Limits::new().nodes(nodes)).first();
        assert_eq!((outcome.stop(), outcome.report().nodes()), (Stop::NodeLimit, nodes));
        assert_eq!(outcome.exists(), None);
    }
    let time = Limits::new().time(std::time::Duration::ZERO);
    for (limits, stop) in
        [(Limits::new().solutions(0), Stop::SolutionLimit), (time, Stop::TimeLimit)]
    {
        let restarts = Restarts::new(&network, Schedule::luby(10));
        assert_eq!(restarts.limits(limits).first().stop(), stop);
    }
}

#[test]
fn a_depth_limit_prevents_proofs() {
    let network = pigeons(6);
    let shallow = Limits::new().depth(3).nodes(5000);
    let outcome = Restarts::new(&network, Schedule::luby(10))
        .limits(shallow)
        .first_by(|attempt| Search::new(&network).hooks((attempt.no_goods, Propagate::backward())));
    assert_eq!(outcome.exists(), None);
    assert_eq!(outcome.report().hook("no-goods").unwrap().stat("new no-goods"), Some(0));
}

#[test]
fn symmetry_is_exact_only_with_fixed_representatives() {
    // A ring of seven countries needs three colours.
    let ring = |colours| {
        let mut model = Model::new();
        let countries = model.variables(7, 0..colours).unwrap();
        for index in 0..7 {
            model.different(countries[index], countries[(index + 1) % 7]).unwrap();
        }
        (model.build(), countries)
    };
    for (colours, exists) in [(2, false), (3, true)] {
        let (network, countries) = ring(colours);
        let run = |restarts: Restarts<'_>| {
            let outcome = restarts.first_by(|attempt| {
                let precedence = ValuePrecedence::new(&countries, 0..colours);
                let order = Branching::new(SmallestDomain::first_tie(), Ascending);
                let order = Shuffled::over(order, attempt.seed);
                Search::new(&network)
                    .hooks((attempt.no_goods, Propagate::backward(), precedence))
                    .brancher(order)
            });
            (outcome.exists(), outcome.effect())
        };
        let restarts = || Restarts::new(&network, Schedule::luby(12));
        assert_eq!(
            run(restarts().with_fixed_representatives()),
            (Some(exists), Effect::Representatives)
        );
        assert_eq!(run(restarts()), (exists.then_some(true), Effect::Lossy));
    }
}

#[test]
fn weights_are_kept_between_runs() {
    let network = pigeons(7);
    let weights = Weights::new(&network);
    let mut conflicts = Vec::new();
    let outcome = Restarts::new(&network, Schedule::geometric(60, 1.1)).first_by(|attempt| {
        conflicts.push(weights.conflicts());
        let order = Branching::new(weighted_degree(&weights), Ascending);
        Search::new(&network)
            .hooks((attempt.no_goods, Propagate::forward().with_weights(&weights)))
            .brancher(order)
    });
    assert!(outcome.is_proven_none());
    assert!(conflicts.len() > 2 && conflicts.is_sorted_by(|a, b| a < b));
}

#[test]
fn empty_networks_and_domains_are_decided() {
    let empty = Model::new().build();
    assert_eq!(Restarts::new(&empty, Schedule::luby(1)).first().exists(), Some(true));
    let mut model = Model::new();
    model.variable(0..0).unwrap();
    let network = model.build();
    assert!(Restarts::new(&network, Schedule::luby(1)).first().is_proven_none());
}

#[test]
fn attempts_without_no_goods_remember_nothing() {
    let network = pigeons(6);
    let outcome = Restarts::new(&network, Schedule::geometric(20, 2.0)).first_by(|_| {
        Search::new(&network)
            .hooks((Propagate::forward(),))
            .brancher(Branching::new(InputOrder, Ascending))
    });
    assert!(outcome.is_proven_none());
    assert!(outcome.report().levels()[0].nodes > 2);
}
