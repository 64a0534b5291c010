//! The search without settings, and optimisation with restarts, agree with enumeration.

use std::time::Duration;

use proptest::prelude::*;
use secateurs::search::Schedule;
use secateurs::{Cancel, Limits, Optimum, Report, Search, Stop};
use secateurs_csp::{
    Assignment, Halves, Model, ModelError, Network, Propagate, Restarts, SmallestDomain, Solver,
    SolverProgress, Variable, maximise, minimise,
};
use secateurs_problems::queens::QueensBoard;

use crate::networks::{network_specs, pigeons};
use crate::oracle::Solutions;

/// Returns the smallest and the largest value of a variable in the solutions.
fn extremes(solutions: &Solutions, variable: usize) -> Option<(i32, i32)> {
    let values = || solutions.iter().map(|solution| solution[variable]);
    values().min().zip(values().max())
}

/// Checks the claims of an outcome, whether its run was complete or not.
fn check(
    optimum: &Optimum<i32, Assignment>,
    expected: Option<i32>,
    is_better: fn(i32, i32) -> bool,
    solutions: &Solutions,
    variable: Variable,
) -> Result<(), TestCaseError> {
    match optimum {
        Optimum::Proven { value, solution } => {
            prop_assert_eq!(Some(*value), expected);
            let solution = solution.as_ref().expect("found in this run");
            prop_assert!(solutions.contains(solution.values()) && solution[variable] == *value);
        }
        Optimum::BestSoFar { value, solution } => {
            let solution = solution.as_ref().expect("found in this run");
            prop_assert!(solutions.contains(solution.values()) && solution[variable] == *value);
            prop_assert!(expected.is_some_and(|best| !is_better(*value, best)));
        }
        Optimum::NoneBetter { .. } => prop_assert!(false, "no value was offered"),
        Optimum::Infeasible => prop_assert_eq!(expected, None),
        Optimum::Unknown => {}
    }
    Ok(())
}

/// Returns a solver with a limit of nodes.
fn solver(network: &Network, limit: Option<u64>) -> Solver<'_> {
    match limit {
        Some(nodes) => network.solver().limits(Limits::new().nodes(nodes)),
        None => network.solver(),
    }
}

/// Checks that progress never goes back, and does not go beyond the outcome.
fn check_progress(reports: &[SolverProgress], end: &Report) -> Result<(), TestCaseError> {
    prop_assert_eq!(reports.is_empty(), end.nodes() == 0);
    for (before, after) in reports.iter().zip(&reports[1.min(reports.len())..]) {
        prop_assert!(before.nodes <= after.nodes && before.elapsed <= after.elapsed);
        prop_assert!(before.bound <= after.bound, "a lower bound never falls");
        prop_assert!(before.best.is_none_or(|best| after.best.is_some_and(|later| later <= best)));
    }
    prop_assert!(reports.iter().all(|report| report.nodes <= end.nodes()));
    Ok(())
}

proptest! {
    #[test]
    fn the_solver_agrees_with_enumeration(
        spec in network_specs(),
        limit in prop_oneof![Just(None), (0..60u64).prop_map(Some)],
    ) {
        let network = spec.network();
        let expected = spec.solutions();
        let mut reports = Vec::new();
        let report = |now: &SolverProgress| reports.push(*now);
        let first = solver(&network, limit).progress(Duration::ZERO, report).first();
        check_progress(&reports, first.report())?;
        prop_assert_eq!(first.report().nodes(), solver(&network, limit).first().report().nodes());
        match first.exists() {
            Some(true) => {
                prop_assert!(first.solution().is_some_and(|one| expected.contains(one.values())));
            }
            Some(false) => prop_assert!(expected.is_empty()),
            None => prop_assert_eq!(first.stop(), Stop::NodeLimit),
        }
        let count = solver(&network, limit).count();
        prop_assert!(count.exact().is_none_or(|exact| exact == expected.len() as u128));
        prop_assert!(count.at_least() <= expected.len() as u128);
        for variable in network.variables() {
            let (least, most) = extremes(&expected, variable.index()).unzip();
            let mut reports = Vec::new();
            let report = |now: &SolverProgress| reports.push(*now);
            let smallest = solver(&network, limit).progress(Duration::ZERO, report);
            let smallest = smallest.minimise(variable);
            check_progress(&reports, smallest.report())?;
            check(smallest.value(), least, |value, best| value < best, &expected, variable)?;
            let largest = solver(&network, limit).maximise(variable);
            check(largest.value(), most, |value, best| value > best, &expected, variable)?;
            if limit.is_none() {
                prop_assert!(count.exact().is_some() && first.exists().is_some());
                for outcome in [&smallest, &largest] {
                    prop_assert_eq!(outcome.stop(), Stop::Exhausted);
                    prop_assert!(outcome.proven().is_some() || outcome.is_proven_infeasible());
                }
            } else {
                let nodes = [first.report().nodes(), smallest.report().nodes()];
                prop_assert!(nodes.iter().all(|&nodes| Some(nodes) <= limit));
            }
        }
    }

    #[test]
    fn restarts_prove_the_optimum(
        spec in network_specs(),
        unit in 16..40u64,
        limit in prop_oneof![2 => Just(u64::MAX), 1 => 0..100u64],
    ) {
        let network = spec.network();
        let expected = spec.solutions();
        let variable = network.variables().next().expect("a variable");
        let (least, most) = extremes(&expected, 0).unzip();
        for (optimise, best) in [
            (minimise as fn(_) -> _, least),
            (maximise, most),
        ] {
            let (objective, hook) = optimise(variable);
            let outcome = Restarts::new(&network, Schedule::luby(unit))
                .limits(Limits::new().nodes(limit))
                .best_by(&objective, |attempt| {
                    Search::new(&network)
                        .hooks((attempt.no_goods, hook.clone(), Propagate::full()))
                        .brancher(Halves::new(SmallestDomain::first_tie()))
                        .extract(Assignment::of)
                });
            if limit == u64::MAX {
                prop_assert_eq!(outcome.proven().copied(), best);
                prop_assert_eq!(outcome.is_proven_infeasible(), best.is_none());
            } else {
                prop_assert!(outcome.proven().is_none_or(|&value| Some(value) == best));
                prop_assert!(!outcome.is_proven_infeasible() || best.is_none());
                prop_assert!(outcome.report().nodes() <= limit);
            }
            if let Some(solution) = outcome.solution() {
                prop_assert!(expected.contains(solution.values()));
            }
        }
    }
}

/// Returns a network for the matrices of ones and zeros with 8 rows of 7 ones, 14 columns of 4, and
/// 3 common ones of each two rows. Rows and columns descend.
fn block_designs() -> Result<Network, ModelError> {
    let (rows, columns) = (8, 14);
    let mut model = Model::new();
    let cells = model.variables(rows * columns, 0..=1)?;
    let row = |row: usize| &cells[row * columns..(row + 1) * columns];
    let column =
        |column: usize| -> Vec<_> { (0..rows).map(|at| cells[at * columns + column]).collect() };
    for at in 0..rows {
        model.sum(row(at), 7..=7)?;
        for other in 0..at {
            let products = model.variables(columns, 0..=1)?;
            for ((&one, &two), &product) in row(at).iter().zip(row(other)).zip(&products) {
                model.table(&[one, two, product], [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]])?;
            }
            model.sum(&products, 3..=3)?;
        }
    }
    (0..columns).try_for_each(|at| model.sum(&column(at), 4..=4))?;
    (1..rows).try_for_each(|at| model.lexicographic(row(at), row(at - 1)))?;
    (1..columns).try_for_each(|at| model.lexicographic(&column(at), &column(at - 1)))?;
    Ok(model.build())
}

/// DONALD + GERALD = ROBERT, with the digits in this order: D, O, N, A, L, G, E, R, B, T.
fn sum_of_words() -> Result<Network, ModelError> {
    let mut model = Model::new();
    let letters = model.variables(10, 0..=9)?;
    model.all_different(&letters)?;
    for first in [0, 5, 7] {
        model.restrict(letters[first], |digit| digit > 0)?;
    }
    let words = [(1, [0, 1, 2, 3, 4, 0]), (1, [5, 6, 7, 3, 4, 0]), (-1, [7, 1, 8, 6, 7, 9])];
    let terms = words.iter().flat_map(|&(sign, word)| {
        let places = (0..6).rev().map(move |place| sign * 10_i64.pow(place));
        places.zip(word.map(|letter| letters[letter]))
    });
    model.linear(terms.collect::<Vec<_>>(), 0..=0)?;
    Ok(model.build())
}

#[test]
fn counts_need_few_nodes_whichever_order_of_variables_suits_the_model() {
    // The order of the model needs 1,093 nodes; weights learnt on the way need 105,431.
    let designs = block_designs().expect("a small model").solver().count();
    assert_eq!(designs.exact(), Some(92));
    assert!(designs.report().nodes() <= 1093 * 3 / 2, "{}", designs.report().nodes());
    // The smallest domain first needs 159 nodes; the order of the model needs 11,398, of which the
    // solver visits the first 1024.
    let sums = sum_of_words().expect("a small model").solver().count();
    assert_eq!(sums.exact(), Some(1));
    assert!(sums.report().nodes() < 1500, "{}", sums.report().nodes());
}

#[test]
fn first_solutions_take_few_more_nodes_than_the_order_of_the_model() {
    let designs = block_designs().expect("a small model");
    let words = sum_of_words().expect("a small model");
    let boards = [8, 12, 16].map(|size| QueensBoard::new(size).expect("a board").network());
    let pigeons = [4, 7, 8].map(pigeons);
    for network in [&designs, &words].into_iter().chain(&boards).chain(&pigeons) {
        let plain = Search::new(network).hooks((Propagate::full(),)).first();
        let first = network.solver().first();
        assert_eq!(first.exists(), plain.exists());
        let (nodes, plain) = (first.report().nodes(), plain.report().nodes());
        assert!(nodes <= plain + plain / 2, "{nodes} nodes instead of {plain}");
    }
    // The order of the model needs 9,732 nodes for the words, and learnt weights few.
    assert!(words.solver().first().report().nodes() < 1000);
}

/// A function that runs a solver and returns its answer, stop and number of nodes.
type Run<'a> = &'a dyn Fn(Solver<'_>) -> (Option<u128>, Stop, u64);

#[test]
fn limits_hold_for_all_orders_together() {
    let (pigeons, queens) = (pigeons(8), QueensBoard::new(8).expect("a board").network());
    let first = |solver: Solver<'_>| {
        let outcome = solver.first();
        (outcome.exists().map(u128::from), outcome.stop(), outcome.report().nodes())
    };
    let count = |solver: Solver<'_>| {
        let outcome = solver.count();
        assert!(outcome.at_least() <= 92);
        (outcome.exact(), outcome.stop(), outcome.report().nodes())
    };
    // The nodes that a run must have, so that several orders take turns, and must report.
    for (network, run, answer, least, least_reported) in
        [(&pigeons, &first as Run<'_>, 0, 1000, 576), (&queens, &count, 92, 400, 400)]
    {
        let (whole, _, all) = run(network.solver());
        assert_eq!(whole, Some(answer));
        assert!(all > least, "found {all} nodes, expected more than {least}");
        let near_turns = [1, 63, 64, 65, 383, 384, 385, 575, 576, 577];
        let limits = (0..all).step_by(96).chain(near_turns);
        for limit in limits.chain([all - 1, all, all + 1]) {
            let stop = if limit < all { Stop::NodeLimit } else { Stop::Exhausted };
            let expected = ((limit >= all).then_some(answer), stop, limit.min(all));
            assert_eq!(run(network.solver().limits(Limits::new().nodes(limit))), expected);
        }
        let cancel = Cancel::new();
        cancel.cancel();
        for (limits, stop) in [
            (Limits::new().depth(2), Stop::DepthLimit),
            (Limits::new().cancel(&cancel), Stop::Cancelled),
        ] {
            let (answer, found, _) = run(network.solver().limits(limits));
            assert_eq!((answer, found), (None, stop));
        }
        let mut reports = Vec::new();
        let report = |now: &SolverProgress| reports.push(now.nodes);
        assert_eq!(run(network.solver().progress(Duration::ZERO, report)).2, all);
        assert!(reports.is_sorted() && reports.last().is_some_and(|&last| last <= all));
        assert!(reports.iter().any(|&nodes| nodes > least_reported), "{reports:?}");
    }
    let outcome = queens.solver().limits(Limits::new().solutions(50)).count();
    assert_eq!((outcome.at_least(), outcome.stop()), (50, Stop::SolutionLimit));
}

#[test]
fn progress_includes_the_bound_and_all_runs() {
    // Eight pigeons in seven holes, pair by pair: each run is short, and all runs take long.
    let mut model = Model::new();
    let pigeons = model.variables(8, 1..=7).expect("small domains");
    let cost = model.variable(3..=9).expect("a small domain");
    model.all_different(&pigeons).expect("variables of the model");
    let network = model.build();
    let mut reports = Vec::new();
    let outcome =
        network.solver().progress(Duration::ZERO, |now| reports.push(*now)).minimise(cost);
    assert!(outcome.is_proven_infeasible());
    assert!(reports.iter().all(|now| (now.best, now.bound) == (None, Some(3))));
    // A run ends after 256 nodes, the next ones later.
    assert!(reports.iter().any(|now| now.nodes > 1000), "{:?}", reports.last());

    let never = |_: &SolverProgress| panic!("the interval has not passed");
    let outcome = network.solver().progress(Duration::MAX, never).first();
    assert!(outcome.is_proven_none());
}

#[test]
fn extreme_values_are_optimised() {
    let domains = [[i32::MIN, i32::MIN + 70], [i32::MAX - 70, i32::MAX]];
    let mut model = Model::new();
    let variables = domains.map(|domain| model.variable(domain).expect("a domain"));
    let mut infeasible = model.clone();
    infeasible.restrict(variables[0], |_| false).expect("a variable of the model");
    let (network, infeasible) = (model.build(), infeasible.build());
    for (variable, [low, high]) in variables.into_iter().zip(domains) {
        assert_eq!(network.solver().minimise(variable).proven(), Some(&low));
        assert_eq!(network.solver().maximise(variable).proven(), Some(&high));
        assert!(infeasible.solver().minimise(variable).is_proven_infeasible());
        assert!(infeasible.solver().maximise(variable).is_proven_infeasible());
    }
}

#[test]
fn a_limit_of_solutions_ends_an_optimisation_after_so_many() {
    let mut model = Model::new();
    let y = model.variable(0..=100).unwrap();
    let x = model.variable(0..=100).unwrap();
    model.sum(&[x, y], 100..=100).unwrap();
    let network = model.build();
    for most in 1..4 {
        let solver = network.solver().limits(Limits::new().solutions(most));
        let mut improvements = 0;
        let outcome =
            solver.watch(|progress| improvements += u64::from(progress.best.is_some())).minimise(x);
        assert_eq!((outcome.proven(), outcome.stop()), (None, Stop::SolutionLimit));
        assert_eq!(outcome.report().solutions(), most);
        assert!(improvements >= most);
    }
}
