//! Symmetry of networks: the orbits of the representatives add up to all solutions, at all levels
//! and in all orders.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::brancher::Shuffled;
use secateurs::hook::{Permutation, SymmetryError, SymmetryGroup};
use secateurs::search::Schedule;
use secateurs::{Hook, ProblemOrder, Search};
use secateurs_csp::symmetry::{InterchangeableVariables, LexSmallest, ValuePrecedence};
use secateurs_csp::{
    Ascending, Branching, CentreOut, Halves, InputOrder, Model, Network, Propagate, Restarts,
    SmallestDomain, Variable, Weights, weighted_degree,
};
use secateurs_problems::queens::QueensBoard;

use crate::oracle::{Solutions, found};
use crate::support::propagation::LEVELS;

/// Counts the orbits of solutions, given a map to a representative of each orbit.
fn orbits(solutions: &Solutions, representative: impl Fn(&[i32]) -> Vec<i32>) -> u128 {
    solutions.iter().map(|solution| representative(solution)).collect::<BTreeSet<_>>().len() as u128
}

/// Asserts the count and the number of representatives at every level, with several branchers.
fn assert_counts<H: Hook<Network>>(
    network: &Network,
    hook: impl Fn() -> H,
    exact: u128,
    representatives: u128,
) {
    let weights = Weights::new(network);
    for level in LEVELS {
        let search =
            || Search::new(network).hooks((Propagate::new(level).with_weights(&weights), hook()));
        for outcome in [
            search().count(),
            search().brancher(Branching::new(SmallestDomain::last_tie(), CentreOut)).count(),
            search().brancher(Branching::new(weighted_degree(&weights), Ascending)).count(),
            search().brancher(Halves::new(InputOrder)).count(),
        ] {
            let found = (outcome.exact(), outcome.representatives());
            assert_eq!(found, (Some(exact), Some(representatives)), "{level:?}");
        }
    }
}

/// Graph colouring with interchangeable colours from 0, and `free` further values that are not
/// interchangeable.
fn colouring(
    vertices: usize,
    edges: &BTreeSet<(usize, usize)>,
    colours: i32,
    free: i32,
) -> (Network, Vec<Variable>) {
    let mut model = Model::new();
    let variables = model.variables(vertices, -free..colours).unwrap();
    for &(x, y) in edges {
        model.different(variables[x], variables[y]).unwrap();
    }
    (model.build(), variables)
}

fn graph() -> impl Strategy<Value = (usize, BTreeSet<(usize, usize)>)> {
    (1..6usize).prop_flat_map(|vertices| {
        let edge = (0..vertices, 0..vertices).prop_map(|(x, y)| (x.min(y), x.max(y)));
        prop::collection::btree_set(edge, 0..8)
            .prop_map(move |edges| (vertices, edges.into_iter().filter(|(x, y)| x != y).collect()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn value_precedence_counts_colourings_up_to_colour_names(
        (vertices, edges) in graph(),
        colours in 1..5i32,
        free in 0..2i32,
    ) {
        let (network, variables) = colouring(vertices, &edges, colours, free);
        let solutions = found(&network, (), ProblemOrder);
        let renamed = |solution: &[i32]| {
            let mut seen = Vec::new();
            let mut rename = |&value: &i32| {
                if value >= 0 && !seen.contains(&value) {
                    seen.push(value);
                }
                seen.iter().position(|&known| known == value).map_or(value, |place| place as i32)
            };
            solution.iter().map(&mut rename).collect::<Vec<i32>>()
        };
        assert_counts(
            &network,
            || ValuePrecedence::new(&variables, 0..colours),
            solutions.len() as u128,
            orbits(&solutions, renamed),
        );
    }

    #[test]
    fn precedence_follows_the_order_in_which_values_and_variables_are_given(
        (vertices, edges) in graph(),
        values in Just(vec![0, 1, 2, 3]).prop_shuffle(),
        order in Just(vec![0, 1, 2, 3, 4]).prop_shuffle(),
    ) {
        let (network, variables) = colouring(vertices, &edges, 4, 0);
        let order: Vec<Variable> = order
            .into_iter()
            .filter(|&index| index < vertices)
            .map(|index| variables[index])
            .collect();
        let exact = found(&network, (), ProblemOrder).len() as u128;
        let reference =
            Search::new(&network).hooks((ValuePrecedence::new(&variables, 0..4),)).count();
        let hook = || ValuePrecedence::new(&order, values.iter().copied());
        assert_counts(&network, hook, exact, reference.representatives().unwrap());
    }

    #[test]
    fn interchangeable_variables_agree_with_brute_force(
        count in 1..5usize,
        values in prop::collection::btree_set(-3..4i32, 1..5),
        sum in -4..6i64,
    ) {
        let mut model = Model::new();
        let domain: Vec<i32> = values.into_iter().collect();
        let variables = model.variables(count, domain).unwrap();
        model.sum(&variables, ..=sum).unwrap();
        let network = model.build();
        let solutions = found(&network, (), ProblemOrder);
        let sorted = |solution: &[i32]| {
            let mut sorted = solution.to_vec();
            sorted.sort_unstable();
            sorted
        };
        let representatives = orbits(&solutions, sorted);
        assert_counts(
            &network,
            || InterchangeableVariables::new(&variables),
            solutions.len() as u128,
            representatives,
        );
        // The same with all permutations as a group.
        let swap = |index: usize| {
            Permutation::new(count, 7, move |variable, value| match variable {
                _ if variable == index => (index + 1, value),
                _ if variable == index + 1 => (index, value),
                _ => (variable, value),
            })
            .unwrap()
        };
        let generators: Vec<Permutation> = (0..count - 1).map(swap).collect();
        let group = SymmetryGroup::generate(count, 7, &generators, 1000).unwrap();
        let hook = || LexSmallest::new(&network, &variables, -3, group.clone()).unwrap();
        assert_counts(&network, hook, solutions.len() as u128, representatives);
    }
}

/// A random symmetry of words: the new index of each letter, and a permutation of its values.
type Exchange = (Vec<usize>, Vec<Vec<usize>>);

fn exchanges(places: usize, values: usize) -> impl Strategy<Value = Vec<Exchange>> {
    let permutation = |size: usize| {
        let same = (0..size).collect::<Vec<usize>>();
        prop_oneof![Just(same.clone()), Just(same).prop_shuffle()]
    };
    let names = prop::collection::vec(permutation(values), places);
    prop::collection::vec((permutation(places), names), 0..3)
}

/// Symmetries, and words that are forbidden with their whole orbits.
fn words() -> impl Strategy<Value = (usize, usize, Vec<Exchange>, Vec<Vec<usize>>)> {
    (1..5usize, 1..4usize).prop_flat_map(|(places, values)| {
        let words = prop::collection::vec(prop::collection::vec(0..values, places), 0..12);
        (Just(places), Just(values), exchanges(places, values), words)
    })
}

/// Returns the orbit of a word.
fn orbit(exchanges: &[Exchange], word: &[usize]) -> BTreeSet<Vec<usize>> {
    let mut orbit: BTreeSet<Vec<usize>> = [word.to_vec()].into();
    let mut fresh = vec![word.to_vec()];
    while let Some(word) = fresh.pop() {
        for (to, becomes) in exchanges {
            let mut image = word.clone();
            for (place, &value) in word.iter().enumerate() {
                image[to[place]] = becomes[place][value];
            }
            if orbit.insert(image.clone()) {
                fresh.push(image);
            }
        }
    }
    orbit
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn lex_smallest_agrees_with_brute_force_for_any_group(
        (places, values, exchanges, words) in words(),
        base in prop_oneof![Just(0), Just(-2), Just(i32::MIN), Just(i32::MAX - 2)],
    ) {
        let generators: Vec<Permutation> = exchanges
            .iter()
            .map(|(to, becomes)| {
                Permutation::new(places, values, |place, value| (to[place], becomes[place][value]))
            })
            .collect::<Result<_, _>>()
            .unwrap();
        // There are at most 3!⁴ · 4! symmetries.
        let group = SymmetryGroup::generate(places, values, &generators, 31_104).unwrap();
        prop_assume!(group.order() <= 400);
        let forbidden: BTreeSet<Vec<usize>> =
            words.iter().flat_map(|word| orbit(&exchanges, word)).collect();
        let number = |value: usize| base + value as i32;
        let mut model = Model::new();
        let variables = model.variables(places, base..=number(values - 1)).unwrap();
        let rows = forbidden
            .iter()
            .map(|word| word.iter().map(|&value| number(value)).collect::<Vec<i32>>());
        model.forbidden(&variables, rows).unwrap();
        let network = model.build();
        let solutions = found(&network, (), ProblemOrder);
        let least = |solution: &[i32]| {
            let word: Vec<usize> =
                solution.iter().map(|&value| value.abs_diff(base) as usize).collect();
            orbit(&exchanges, &word)
                .first()
                .into_iter()
                .flatten()
                .map(|&value| number(value))
                .collect::<Vec<i32>>()
        };
        let representatives = orbits(&solutions, least);
        let hook = || LexSmallest::new(&network, &variables, base, group.clone()).unwrap();
        assert_counts(&network, hook, solutions.len() as u128, representatives);
        // The hook is tested in front of propagation, and with restarts, in which each run leaves
        // work to the next.
        for level in LEVELS {
            let outcome = Search::new(&network).hooks((hook(), Propagate::new(level))).count();
            let counts = (Some(solutions.len() as u128), Some(representatives));
            prop_assert_eq!((outcome.exact(), outcome.representatives()), counts, "{:?}", level);
            let restarts =
                Restarts::new(&network, Schedule::luby(6)).with_fixed_representatives();
            let outcome = restarts.first_by(|attempt| {
                let order = Branching::new(SmallestDomain::first_tie(), Ascending);
                let hooks = (attempt.no_goods, Propagate::new(level), hook());
                Search::new(&network).hooks(hooks).brancher(Shuffled::over(order, attempt.seed))
            });
            prop_assert_eq!(outcome.exists(), Some(!solutions.is_empty()), "{:?}", level);
        }
    }
}

fn symmetries_of_the_square(size: usize) -> SymmetryGroup {
    let turn = Permutation::new(size, size, |row, column| (column, size - 1 - row)).unwrap();
    let flip = Permutation::new(size, size, |row, column| (row, size - 1 - column)).unwrap();
    SymmetryGroup::generate(size, size, &[turn, flip], 8).unwrap()
}

#[test]
fn lex_smallest_reduces_the_tree() {
    let network = QueensBoard::new(8).unwrap().network();
    let rows: Vec<Variable> = network.variables().collect();
    let smallest = LexSmallest::new(&network, &rows, 0, symmetries_of_the_square(8)).unwrap();
    let with = Search::new(&network).hooks((Propagate::full(), smallest)).count().report().nodes();
    let without = Search::new(&network).hooks((Propagate::full(),)).count().report().nodes();
    assert!(3 * with < without, "{with} of {without}");
}

#[test]
fn hooks_in_front_of_propagation_count_correctly() {
    // Propagation may assign variables after the hook has run: solutions that are no
    // representatives are then visited.
    let mut non_representatives = 0;
    let network = QueensBoard::new(6).unwrap().network();
    let rows: Vec<Variable> = network.variables().collect();
    let (colours, vertices) = colouring(4, &[(0, 1), (1, 2), (2, 3)].into(), 3, 0);
    // Two pairs of opposite values that are exchanged together: deciding one of the last variables
    // decides all.
    let mut model = Model::new();
    let places = model.variables(4, 0..=1).unwrap();
    model.different(places[0], places[1]).unwrap();
    model.binary(places[0], places[2], |x, y| x == y).unwrap();
    model.binary(places[1], places[3], |x, y| x == y).unwrap();
    let pairs = model.build();
    let turn = Permutation::new(4, 2, |place, value| (place ^ 1, value)).unwrap();
    let group = SymmetryGroup::generate(4, 2, &[turn], 2).unwrap();
    for level in LEVELS {
        let propagate = || Propagate::new(level);
        let smallest = LexSmallest::new(&network, &rows, 0, symmetries_of_the_square(6)).unwrap();
        let queens = Search::new(&network).hooks((smallest, propagate())).count();
        let precedence = ValuePrecedence::new(&vertices, 0..3);
        let colourings = Search::new(&colours).hooks((precedence, propagate())).count();
        let smallest = LexSmallest::new(&pairs, &places, 0, group.clone()).unwrap();
        let last = Branching::new(SmallestDomain::last_tie(), Ascending);
        let pairs = Search::new(&pairs).hooks((smallest, propagate())).brancher(last).count();
        for (outcome, exact, representatives) in
            [(&queens, 4, 1), (&colourings, 24, 4), (&pairs, 2, 1)]
        {
            let counts = (outcome.exact(), outcome.representatives(), outcome.at_least());
            assert_eq!(counts, (Some(exact), Some(representatives), exact), "{level:?}");
        }
        non_representatives += queens.report().solutions() - 1 + pairs.report().solutions() - 1;
    }
    assert!(non_representatives > 0, "some run visited a solution that is no representative");
}

#[test]
fn two_hooks_that_keep_representatives_are_lossy() {
    let (network, variables) = colouring(3, &BTreeSet::new(), 2, 0);
    let hooks = (
        Propagate::full(),
        ValuePrecedence::new(&variables, 0..2),
        InterchangeableVariables::new(&variables),
    );
    let outcome = Search::new(&network).hooks(hooks).count();
    assert_eq!(outcome.exact(), None);
    assert_eq!(outcome.report().conflicts().len(), 1);
}

#[test]
fn counts_of_oversized_orbits_are_unknown() {
    let (network, variables) = colouring(30, &BTreeSet::new(), 1000, 0);
    let first = Search::new(&network)
        .hooks((Propagate::forward(), ValuePrecedence::new(&variables, 0..1000)))
        .limits(secateurs::Limits::new().solutions(1))
        .count();
    assert_eq!(first.at_least(), 1000);
    let mut model = Model::new();
    let clique = model.variables(30, 0..30).unwrap();
    model.all_different(&clique).unwrap();
    let network = model.build();
    let outcome = Search::new(&network)
        .hooks((Propagate::forward(), ValuePrecedence::new(&clique, 0..30)))
        .count();
    assert_eq!((outcome.exact(), outcome.representatives()), (None, Some(1)));
}

#[test]
fn groups_of_the_wrong_size_are_refused() {
    let network = QueensBoard::new(4).unwrap().network();
    let rows: Vec<Variable> = network.variables().collect();
    let error = |rows: &[Variable], first, size| {
        LexSmallest::new(&network, rows, first, symmetries_of_the_square(size)).err()
    };
    assert_eq!(error(&rows, 0, 4), None);
    assert_eq!(
        error(&rows[1..], 0, 4),
        Some(SymmetryError::Size { found: (3, 4), expected: (4, 4) })
    );
    let outside = |pair| Some(SymmetryError::Outside { pair, variables: 4, values: 4 });
    assert_eq!(error(&rows, -1, 4), outside((0, 4)));
    assert_eq!(error(&rows, 1, 4), outside((0, usize::MAX)));
}

#[test]
fn hooks_without_symmetry_change_nothing() {
    let mut model = Model::new();
    let x = model.variable(0..3).unwrap();
    let network = model.build();
    assert_counts(&network, || ValuePrecedence::new(&[], []), 3, 3);
    assert_counts(&network, || ValuePrecedence::new(&[x], [1, 1]), 3, 3);
    assert_counts(&network, || InterchangeableVariables::new(&[x, x]), 3, 3);
    let trivial = SymmetryGroup::generate(1, 3, &[], 1).unwrap();
    assert_counts(&network, || LexSmallest::new(&network, &[x], 0, trivial.clone()).unwrap(), 3, 3);
    let empty = Model::new().build();
    assert_counts(&empty, || InterchangeableVariables::new(&[]), 1, 1);
    let trivial = SymmetryGroup::generate(0, 0, &[], 1).unwrap();
    assert_counts(&empty, || LexSmallest::new(&empty, &[], 0, trivial.clone()).unwrap(), 1, 1);
}
