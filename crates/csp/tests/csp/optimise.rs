//! Optimising the value of a variable through its domain.

use proptest::prelude::*;
use secateurs::brancher::Sorted;
use secateurs::search::Frontier;
use secateurs::{Limits, Node, Objective, Optimum, Outcome, Search};
use secateurs_csp::{
    Ascending, Assignment, Branching, Decision, DomainOverDegree, Halves, InputOrder, Model,
    Network, Propagate, SmallestDomain, Variable, maximise, minimise,
};

use crate::networks::network_specs;
use crate::shared::networks::{check_nothing_shorter, golomb};
use crate::support::propagation::LEVELS;
use crate::support::sizes::sized;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn optima_match_the_enumeration_of_all_solutions(spec in network_specs(), index in 0..6usize) {
        let network = spec.network();
        let solutions = spec.solutions();
        let index = index % spec.domains.len();
        let variable = network.variables().nth(index).unwrap();
        let least = solutions.iter().map(|solution| solution[index]).min();
        let most = solutions.iter().map(|solution| solution[index]).max();
        for level in LEVELS {
            for (expected, (objective, better)) in
                [(least, minimise(variable)), (most, maximise(variable))]
            {
                let order = Branching::new(SmallestDomain::first_tie(), Ascending);
                let search =
                    Search::new(&network).hooks((better, Propagate::new(level))).brancher(order);
                let outcome = search.extract(Assignment::of).best(&objective);
                prop_assert_eq!(outcome.proven().copied(), expected);
                prop_assert_eq!(outcome.is_proven_infeasible(), expected.is_none());
                if let Some(solution) = outcome.solution() {
                    prop_assert!(solutions.contains(solution.values()));
                    prop_assert_eq!(Some(solution[variable]), expected);
                }
            }
            let (objective, better) = minimise(variable);
            let search = Search::new(&network).hooks((better, Propagate::new(level)));
            let outcome =
                search.brancher(Halves::new(DomainOverDegree::first_tie())).best(&objective);
            prop_assert_eq!(outcome.proven().copied(), least);
        }
    }
}

/// Returns the outcome of a search for the shortest ruler, in the order of the model.
fn shortest(&(ref network, last): &(Network, Variable)) -> Outcome<Optimum<i32, Vec<Decision>>> {
    let (objective, shorter) = minimise(last);
    Search::new(network).hooks((shorter, Propagate::full())).best(&objective)
}

#[test]
fn golomb_rulers_have_the_known_lengths() {
    let known = [(3, 3), (4, 6), (5, 11), (6, 17), (7, 25), (8, 34), (9, 44)];
    for (marks, length) in known.into_iter().take(sized(5, 7)) {
        let ruler = golomb(marks, sized(40, 60));
        let outcome = shortest(&ruler);
        assert_eq!(outcome.proven(), Some(&length));
        let (objective, _) = minimise(ruler.1);
        if marks < 6 {
            let without = Search::new(&ruler.0).hook(Propagate::full()).best(&objective);
            assert_eq!(without.proven(), Some(&length));
            assert!(outcome.report().nodes() * marks as u64 / 3 < without.report().nodes());
        }
    }
}

#[test]
fn threads_find_the_same_optimum() {
    for (marks, length) in [(4, 6), (5, 11)] {
        let (network, last) = golomb(marks, 40);
        let (objective, _) = minimise(last);
        let order = Branching::new(InputOrder, Ascending);
        // Compares values, not decisions: the incumbent may fix a variable without a decision.
        let values = |node: &Node<'_, Network>| -> Vec<Option<i32>> {
            node.problem().variables().map(|variable| node.state().value(variable)).collect()
        };
        let sequential = Search::new(&network)
            .hooks((Propagate::full(),))
            .brancher(order)
            .extract(values)
            .best(&objective);
        for in_order in [false, true] {
            let (objective, shorter) = minimise(last);
            let search = Search::new(&network)
                .hooks((shorter, Propagate::full()))
                .brancher(order)
                .extract(values)
                .threads(3);
            let search = if in_order { search.in_order() } else { search };
            let outcome = search.best(&objective);
            assert_eq!(outcome.proven(), Some(&length));
            assert!(!in_order || outcome.solution() == sequential.solution());
        }
    }
}

/// The objectives of two variables are two questions, though the types of their functions are the
/// same.
#[test]
fn a_frontier_of_another_variable_proves_no_wrong_optimum() {
    let mut model = Model::new();
    let [x, y] = [model.variable(0..=5).unwrap(), model.variable(0..=5).unwrap()];
    model.linear([(1, x), (1, y)], 5..=5).unwrap();
    let network = model.build();
    for nodes in 1..12 {
        let mut frontier = Frontier::new();
        let (objective, less) = minimise(x);
        let search = Search::new(&network).hooks((less, Propagate::full()));
        let first =
            search.limits(Limits::new().nodes(nodes)).frontier(&mut frontier).best(&objective);
        assert!(first.proven().is_none_or(|&least| least == 0), "{first:?}");
        let (objective, less) = minimise(y);
        let search = Search::new(&network).hooks((less, Propagate::full()));
        let second = search.frontier(&mut frontier).best(&objective);
        assert!(second.proven().is_none_or(|&least| least == 0), "after {nodes}: {second:?}");
        assert!(!second.is_proven_infeasible(), "after {nodes}: {second:?}");
    }
}

/// When the best solution of a part is replayed, the hook may prune the whole domain, because the
/// incumbent has improved since. The objective has the value 0 then, which must not be used.
#[test]
fn parts_of_an_optimisation_prove_no_value_outside_the_domain() {
    let mut model = Model::new();
    let x = model.variable(1..=3).unwrap();
    let network = model.build();
    for search_parts in [false, true] {
        let (least, less) = minimise(x);
        let hooks = || (less.clone(), Propagate::full());
        let mut parts = Search::new(&network).hooks(hooks()).split(Frontier::new(), 2);
        for part in parts.iter_mut().filter(|_| search_parts) {
            // The incumbent of this objective is not shared with the other runs.
            let (least, less) = minimise(x);
            let search = Search::new(&network).hooks((less, Propagate::full()));
            let _ = search.frontier(part).best(&least);
        }
        let mut parts = parts.into_iter();
        let mut whole = parts.next().unwrap();
        parts.for_each(|part| whole.merge(part));
        let outcome = Search::new(&network).hooks(hooks()).frontier(&mut whole).best(&least);
        assert_eq!(outcome.proven(), Some(&1), "{outcome:?}");
    }
}

#[test]
fn stopped_runs_prove_nothing() {
    let (network, last) = golomb(6, 40);
    let (objective, shorter) = minimise(last);
    let limits = Limits::new().nodes(100);
    let outcome =
        Search::new(&network).hooks((shorter, Propagate::full())).limits(limits).best(&objective);
    assert_eq!(outcome.proven(), None);
    assert!(outcome.best_so_far().is_some());
}

#[test]
fn the_hook_of_another_objective_makes_a_run_lossy() {
    let (network, last) = golomb(4, 10);
    let (_, shorter) = minimise(last);
    let other = Objective::minimise(|_: &Network, _: &_| 0);
    let outcome = Search::new(&network).hooks((shorter, Propagate::full())).best(&other);
    assert_eq!(outcome.proven(), None);
}

#[test]
fn an_offered_value_is_beaten_or_proven_optimal() {
    let (network, last) = golomb(5, 20);
    for (known, expected) in [(12, 11), (11, 11)] {
        let (objective, shorter) = minimise(last);
        objective.incumbent().offer(known);
        let outcome = Search::new(&network).hooks((shorter, Propagate::full())).best(&objective);
        assert_eq!(outcome.none_better(), Some(&expected));
        assert_eq!(
            (outcome.solution().is_some(), outcome.proven().is_some()),
            (known > expected, known > expected)
        );
    }
}

/// Propagation finds the wipe-outs that the hook causes, so that these cuts are reported as cuts of
/// propagation.
#[test]
fn pruning_by_an_incumbent_does_not_prove_infeasibility() {
    let (marks, most, length) = sized((4, 10, 6), (5, 20, 11));
    check_nothing_shorter(marks, most, length);
}

/// The best value comes first, so that the other one is entered with an extreme incumbent.
#[test]
fn the_extreme_integers_can_be_optima() {
    for (domain, value) in
        [([i32::MIN, i32::MIN + 1], i32::MIN), ([i32::MAX - 1, i32::MAX], i32::MAX)]
    {
        let mut model = Model::new();
        let variable = model.variable(domain).expect("a small domain");
        let network = model.build();
        let (objective, better) =
            if value == i32::MIN { minimise(variable) } else { maximise(variable) };
        let extreme_first = Sorted::by(move |_: &Node<'_, Network>, decision: &Decision| {
            *decision != Decision::Is(variable, value)
        });
        let outcome = Search::new(&network)
            .hooks((better, Propagate::full()))
            .brancher(extreme_first)
            .best(&objective);
        assert_eq!(outcome.proven(), Some(&value));
        assert_eq!(outcome.report().hooks()[0].cuts(), 1);
    }
}

/// The bound of the incumbent fixes variables without decisions. If the path to the best solution
/// is replayed without that bound, it ends above the solution, and the subtree there must be
/// searched again.
#[test]
fn resumed_runs_find_the_shortest_ruler() {
    // Without the constraint that excludes mirror images, which changes the paths.
    let mut model = Model::new();
    let marks = model.variables(5, 0..=20).expect("a domain");
    model.restrict(marks[0], |value| value == 0).expect("a value");
    let mut distances = Vec::new();
    for (index, &mark) in marks.iter().enumerate() {
        for &before in &marks[..index] {
            let distance = model.variable(1..=20).expect("a domain");
            model.linear([(1, mark), (-1, before), (-1, distance)], 0..=0).expect("a constraint");
            distances.push(distance);
        }
    }
    model.all_different(&distances).expect("a constraint");
    let (network, last) = (model.build(), marks[4]);
    // The frontier contains children that were drawn before the incumbent was improved.
    for (nodes, threads, same_objective) in
        [(3, 0, false), (3, 0, true), (7, 0, true), (10, 2, false), (10, 2, true), (1000, 2, true)]
    {
        let mut frontier = Frontier::new();
        let (mut length, mut shorter) = minimise(last);
        let outcome = loop {
            if !same_objective {
                (length, shorter) = minimise(last);
            }
            let search = Search::new(&network)
                .hooks((shorter.clone(), Propagate::full()))
                .extract(Assignment::of);
            let search = search.limits(Limits::new().nodes(nodes)).frontier(&mut frontier);
            let outcome = if threads == 0 {
                search.best(&length)
            } else {
                search.threads(threads).best(&length)
            };
            if frontier.is_exhausted() {
                break outcome;
            }
        };
        assert_eq!(outcome.proven(), Some(&11), "{nodes} {threads} {same_objective}");
        let ruler = outcome.solution().expect("no solution");
        assert_eq!(ruler[last], 11, "{nodes} {threads} {same_objective}");
    }
}
