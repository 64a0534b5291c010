//! Restarts with no-goods are complete, reproducible, and respect limits.

use proptest::prelude::*;
use secateurs::brancher::Shuffled;
use secateurs::hook::{self, Discrepancies, FirstChoices, Node, NodeMut};
use secateurs::search::Schedule;
use secateurs::{
    Brancher, Effect, Hook, Limits, Objective, Search, Stop, Substitute, SubstituteOrder, Verdict,
};
use secateurs_csp::symmetry::ValuePrecedence;
use secateurs_csp::{
    Ascending, Assignment, Branching, Decision, Domains, Halves, InputOrder, Model, Network,
    Propagate, Propagation, Restarts, SmallestDomain, Weights, weighted_degree,
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

fn satisfies(solution: &[i32], decision: Decision) -> bool {
    let value = solution[decision.variable().index()];
    match decision {
        Decision::Is(_, is) => value == is,
        Decision::AtMost(_, most) => value <= most,
        Decision::AtLeast(_, least) => value >= least,
    }
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

    #[test]
    fn a_substitute_below_a_sibling_needs_no_promise(
        spec in tight_specs(),
        seed: u64,
        unit in 20..40u64,
    ) {
        let network = spec.network();
        let solutions: Vec<Vec<i32>> = spec.solutions().into_iter().collect();
        let restarts = Restarts::new(&network, Schedule::geometric(unit, 1.1)).seed(seed);
        let outcome = restarts.first_by(|attempt| {
            // Of the choices that lead to solutions, one is admitted, another one in each run.
            let (solutions, seed) = (&solutions, attempt.seed);
            let one = move |node: &Node<'_, Network>, choice: &Decision| {
                let below = |&solution: &&Vec<i32>| {
                    node.path().iter().all(|decision| satisfies(solution, *decision))
                };
                let below: Vec<&Vec<i32>> = solutions.iter().filter(below).collect();
                let leads_on = below.iter().any(|solution| satisfies(solution, *choice));
                let kept = below.get(seed as usize % below.len().max(1));
                Verdict::prune_if(leads_on && kept.is_some_and(|kept| !satisfies(kept, *choice)))
            };
            let one = hook::admit("one", Effect::OptimumOnly, one).substitute(Substitute::Sibling);
            let order = Shuffled::over(Halves::new(SmallestDomain::last_tie()), seed);
            Search::new(&network)
                .hooks((attempt.no_goods, one, Propagate::backward()))
                .brancher(order)
        });
        prop_assert_eq!(outcome.exists(), Some(!solutions.is_empty()));
        prop_assert_eq!(outcome.effect(), Effect::OptimumOnly);
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

        // If the representative is below another choice of the same node, a subtree without
        // solutions has none at all, and no promise is needed.
        let outcome = restarts().first_by(|attempt| {
            let first = FirstChoices::new("first colour", 1, move |_: &Network, _, choice| {
                if matches!(choice, Decision::Is(_, 0)) { colours as u64 } else { 0 }
            });
            let order = Branching::new(SmallestDomain::first_tie(), Ascending);
            Search::new(&network)
                .hooks((attempt.no_goods, Propagate::backward(), first))
                .brancher(Shuffled::over(order, attempt.seed))
        });
        assert_eq!((outcome.exists(), outcome.effect()), (Some(exists), Effect::Representatives));
    }
}

/// Searches for two different bits with a hook. Runs of even numbers decide the first bit before
/// the second one, and those of odd numbers the second one before the first.
fn different_bits(
    twin: impl Fn() -> Box<dyn Hook<Network>>,
    fixed: bool,
) -> (Option<bool>, Effect) {
    let mut model = Model::new();
    let bits = model.variables(2, 0..=1).expect("small");
    model.different(bits[0], bits[1]).expect("known variables");
    let network = model.build();
    let mut restarts = Restarts::new(&network, Schedule::geometric(3, 1.5));
    if fixed {
        restarts = restarts.with_fixed_representatives();
    }
    let outcome = restarts.first_by(|attempt| {
        let mut order = bits.clone();
        order.rotate_left(attempt.number as usize % 2);
        let variable = move |node: &Node<'_, Network>| {
            order.iter().copied().find(|&bit| node.state().is_open(bit))
        };
        Search::new(&network)
            .hooks((attempt.no_goods, twin(), Propagate::backward()))
            .brancher(Branching::new(variable, Ascending))
    });
    (outcome.exists(), outcome.effect())
}

#[test]
fn a_substitute_elsewhere_proves_nothing_if_each_run_has_its_own() {
    use SubstituteOrder::{BetterValue, DepthFirst, FewerChoices, Unstated};
    for effect in [Effect::OptimumOnly, Effect::Representatives] {
        for order in [Unstated, DepthFirst, FewerChoices, BetterValue] {
            // The exchange of 0 and 1 maps both solutions to each other, so that the first decision
            // need not be 0. Which solution this prunes depends on the first variable.
            let twin = || {
                let prune = |node: &mut NodeMut<'_, Network>| {
                    let last = node.path().last().copied();
                    Verdict::prune_if(node.depth() == 1 && matches!(last, Some(Decision::Is(_, 0))))
                };
                let hook = hook::enter("twin", effect, prune);
                Box::new(hook.substitute(Substitute::Elsewhere(order))) as Box<dyn Hook<Network>>
            };
            let (exists, effect) = different_bits(twin, false);
            assert!(exists != Some(false) && effect == Effect::Lossy, "{effect} {order:?}");

            // The same solution in all runs, whatever the order.
            let first_is_1 = || {
                let prune = |node: &mut NodeMut<'_, Network>| {
                    let first = node.problem().variables().next().expect("two variables");
                    Verdict::prune_if(node.state().value(first) == Some(0))
                };
                let hook = hook::enter("the first is 1", effect, prune);
                Box::new(hook.substitute(Substitute::Elsewhere(order))) as Box<dyn Hook<Network>>
            };
            assert_eq!(different_bits(first_is_1, true).0, Some(true), "{effect} {order:?}");
        }
    }
}

#[test]
fn a_substitute_below_proves_nothing_if_each_run_has_its_own() {
    // Two different bits, and a copy of the first one, which is decided first.
    let mut model = Model::new();
    let [copy, first, second] = model.variables(3, 0..=1).expect("small")[..] else {
        unreachable!()
    };
    model.different(first, second).expect("known variables");
    model.binary(copy, first, |x, y| x == y).expect("known variables");
    let network = model.build();
    let outcome = Restarts::new(&network, Schedule::geometric(4, 1.5)).first_by(|attempt| {
        // One of the bits is 1, and then the other one need not be.
        let one = if attempt.number == 0 { first } else { second };
        let twin =
            hook::enter("twin", Effect::OptimumOnly, move |node: &mut NodeMut<'_, Network>| {
                let depth = node.depth();
                Verdict::prune_if(depth == 0 && node.state_mut().at_least(one, 1).is_err())
            });
        Search::new(&network).hooks((
            attempt.no_goods,
            twin.substitute(Substitute::Below),
            Propagate::backward(),
        ))
    });
    assert!(outcome.exists() != Some(false) && outcome.effect() == Effect::Lossy);
}

/// Returns the best value of three numbers from 0 to 4, which is 9 for (0, 1, 1) and 0 for all
/// others, and whether it is proven. `first` is a hook of the first run only.
fn best_of_three_numbers(first: impl Fn() -> Box<dyn Hook<Network>>) -> (Option<i32>, bool) {
    let mut model = Model::new();
    let numbers = model.variables(3, 0..=4).expect("small");
    let network = model.build();
    let objective = Objective::maximise(|_: &Network, domains: &Domains| {
        9 * i32::from(numbers.iter().map(|&x| domains.value(x)).eq([Some(0), Some(1), Some(1)]))
    });
    let restarts = Restarts::new(&network, Schedule::geometric(20, 1e6));
    let outcome = restarts.best_by(&objective, |attempt| {
        let first = (attempt.number == 0).then(&first);
        Search::new(&network).hooks((attempt.no_goods, first)).extract(Assignment::of)
    });
    (outcome.best_so_far().copied(), outcome.proven().is_some())
}

#[test]
fn lossy_runs_add_no_no_goods() {
    type First = fn() -> Box<dyn Hook<Network>>;
    let firsts: [(&str, First); 4] = [
        ("discrepancies", || Box::new(Discrepancies::at_most(1))),
        ("credits", || {
            Box::new(hook::enter(
                "credits",
                Effect::Preserving,
                |node: &mut NodeMut<'_, Network>| {
                    let is_0 = matches!(node.path().last(), Some(Decision::Is(_, 0)));
                    if node.depth() == 1 && is_0 {
                        node.credit(25);
                    }
                    Verdict::prune_if(node.depth() == 1 && is_0)
                },
            ))
        }),
        ("representatives", || {
            Box::new(hook::enter(
                "no 0",
                Effect::Representatives,
                |node: &mut NodeMut<'_, Network>| {
                    Verdict::prune_if(matches!(node.path().last(), Some(Decision::Is(_, 0))))
                },
            ))
        }),
        ("a constraint", || {
            Box::new(hook::constraint(
                "no 0",
                secateurs::hook::Constraint::Path,
                |node: &Node<'_, Network>| !matches!(node.path().last(), Some(Decision::Is(_, 0))),
            ))
        }),
    ];
    for (name, first) in firsts {
        let (best, is_proven) = best_of_three_numbers(first);
        assert!(best == Some(9) || !is_proven, "{name}: {best:?} {is_proven}");
        assert_eq!(best, Some(9), "{name}");
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
