//! Elements of arrays, minimum and maximum.

use proptest::prelude::*;
use secateurs::Search;
use secateurs_csp::{Model, ModelError, Propagate, Variable};

use super::oracle::{self, Domains, MANY, Solutions, check, check_exact, fixpoint, scopes};
use crate::support::propagation::{LEVELS, count};

/// Domains, the first of which mostly has positions of an array; and the array, as positions in the
/// domains.
fn arrays() -> impl Strategy<Value = (Domains, Vec<usize>)> {
    let index = prop::collection::btree_set(prop_oneof![9 => 0..5, 1 => Just(-1)], 1..=5);
    // The index may be in the array, but rarely is.
    let place = |longest| prop_oneof![1 => Just(0), 20 => 1..=longest];
    (index, oracle::domains(4)).prop_flat_map(move |(index, mut domains)| {
        let array = prop::collection::vec(place(domains.len()), 0..=5);
        domains.insert(0, index);
        (Just(domains), array)
    })
}

fn check_element(
    (domains, array): (Domains, Vec<usize>),
    result: usize,
) -> Result<(), TestCaseError> {
    let result = result % domains.len();
    let (mut model, variables) = oracle::model(&domains);
    let elements: Vec<Variable> = array.iter().map(|&place| variables[place]).collect();
    model.element(variables[0], &elements, variables[result]).expect("its own variables");
    let network = model.build();
    let expected = oracle::solutions(&domains, |values| {
        let place = usize::try_from(values[0]).ok().and_then(|index| array.get(index));
        place.is_some_and(|&place| values[place] == values[result])
    });
    if result == 0 || array.contains(&0) {
        check(&network, &expected)
    } else {
        check_exact(&network, &expected)
    }
}

fn check_extreme(
    (domains, places): (Domains, Vec<usize>),
    is_minimum: bool,
) -> Result<(), TestCaseError> {
    // The result may be one of the variables.
    let result = 0;
    let (mut model, variables) = oracle::model(&domains);
    let scope: Vec<Variable> = places.iter().map(|&place| variables[place]).collect();
    if is_minimum {
        model.minimum(variables[result], &scope).expect("its own variables");
    } else {
        model.maximum(variables[result], &scope).expect("its own variables");
    }
    let network = model.build();
    let holds = |values: &[i32]| {
        let all = places.iter().map(|&place| values[place]);
        Some(values[result]) == if is_minimum { all.min() } else { all.max() }
    };
    let expected = oracle::solutions(&domains, holds);
    if domains.iter().all(|values| values.iter().zip(values.iter().skip(1)).all(|(a, b)| b - a < 2))
    {
        return check_exact(&network, &expected);
    }
    check(&network, &expected)?;
    let Some(left) = fixpoint(&network) else { return Ok(()) };
    check_bounds(&left, &places, is_minimum)
}

/// Checks that the smallest and the largest value of each variable are in a solution whose other
/// values are integers between the bounds. The result is the variable at position 0.
fn check_bounds(left: &Domains, places: &[usize], is_minimum: bool) -> Result<(), TestCaseError> {
    // The bounds of a minimum are those of the maximum of negated values.
    let bounds: Vec<(i32, i32)> = left
        .iter()
        .map(|values| {
            let first = *values.first().expect("not wiped out");
            let last = *values.last().expect("not wiped out");
            if is_minimum { (-last, -first) } else { (first, last) }
        })
        .collect();
    let has_solution = |bounds: &[(i32, i32)]| {
        (bounds[0].0..=bounds[0].1).any(|maximum| {
            let reaches = |&place: &usize| (bounds[place].0..=bounds[place].1).contains(&maximum);
            places.iter().all(|&place| bounds[place].0 <= maximum) && places.iter().any(reaches)
        })
    };
    for place in places.iter().copied().chain([0]) {
        for value in [bounds[place].0, bounds[place].1] {
            let mut fixed = bounds.clone();
            fixed[place] = (value, value);
            prop_assert!(has_solution(&fixed), "variable {} = {}", place, value);
        }
    }
    Ok(())
}

fn check_arg_extreme(
    (domains, array): (Domains, Vec<usize>),
    is_minimum: bool,
) -> Result<(), TestCaseError> {
    let (mut model, variables) = oracle::model(&domains);
    let elements: Vec<Variable> = array.iter().map(|&place| variables[place]).collect();
    if is_minimum {
        model.arg_min(variables[0], &elements).expect("its own variables");
    } else {
        model.arg_max(variables[0], &elements).expect("its own variables");
    }
    let network = model.build();
    let expected = oracle::solutions(&domains, |values| {
        let all = array.iter().map(|&place| values[place]);
        let extreme = if is_minimum { all.clone().min() } else { all.clone().max() };
        let first = all.clone().position(|value| Some(value) == extreme);
        first.is_some() && first == usize::try_from(values[0]).ok()
    });
    if array.contains(&0) || !oracle::are_distinct(&array) {
        check(&network, &expected)
    } else {
        check_exact(&network, &expected)
    }
}

/// Domains without holes, with positions in them.
fn intervals() -> impl Strategy<Value = (Domains, Vec<usize>)> {
    let interval = (-5..=5, 0..=4).prop_map(|(low, width)| (low..=low + width).collect());
    prop::collection::vec(interval, 1..=4).prop_flat_map(|domains: Domains| {
        let place = 0..domains.len();
        (Just(domains), prop::collection::vec(place, 0..=4))
    })
}

proptest! {
    #[test]
    fn elements_are_pruned_exactly(array in arrays(), result in 0..5_usize) {
        check_element(array, result)?;
    }

    #[test]
    fn elements_of_constants_are_pruned_exactly(
        domains in oracle::domains(2),
        array in prop::collection::vec(-3..=4, 0..=5),
    ) {
        let (mut model, variables) = oracle::model(&domains);
        let result = domains.len() - 1;
        let [index, result_variable] = [variables[0], variables[result]];
        model.element_constants(index, &array, result_variable).expect("its own variables");
        let expected: Solutions = oracle::solutions(&domains, |values| {
            let index = usize::try_from(values[0]).ok();
            index.and_then(|index| array.get(index)) == Some(&values[result])
        });
        check_exact(&model.build(), &expected)?;
    }

    #[test]
    fn positions_of_extremes_are_pruned_exactly(array in arrays(), is_minimum: bool) {
        check_arg_extreme(array, is_minimum)?;
    }

    #[test]
    fn extremes_are_consistent_at_the_bounds(scope in scopes(4, 4), is_minimum: bool) {
        check_extreme(scope, is_minimum)?;
    }

    #[test]
    fn extremes_of_intervals_are_pruned_exactly(scope in intervals(), is_minimum: bool) {
        check_extreme(scope, is_minimum)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(MANY))]

    #[test]
    #[ignore = "expensive: cargo test --release --test csp -- --ignored constraints::functional::"]
    fn more_elements_are_pruned_exactly(array in arrays(), result in 0..5_usize) {
        check_element(array, result)?;
    }

    #[test]
    #[ignore = "expensive: cargo test --release --test csp -- --ignored constraints::functional::"]
    fn more_extremes_are_consistent_at_the_bounds(
        scope in prop_oneof![scopes(4, 4), intervals()],
        is_minimum: bool,
    ) {
        check_extreme(scope, is_minimum)?;
    }
}

/// Langford pairs of 1 to n: between the two numbers k there are k others (Langford 1958). The
/// known counts include mirror images.
#[test]
fn langford_pairs_match_the_known_counts() {
    for (pairs, arrangements) in [(1, 0), (2, 0), (3, 2), (4, 2), (5, 0)] {
        let mut model = Model::new();
        let sequence = model.variables(2 * pairs, 1..=pairs as i32).expect("small");
        for number in 1..=pairs as i32 {
            let value = model.variable(number).expect("small");
            let places = model.variables(2, 0..2 * pairs as i32).expect("small");
            model
                .linear([(1, places[1]), (-1, places[0])], number as i64 + 1..=number as i64 + 1)
                .expect("small");
            for place in places {
                model.element(place, &sequence, value).expect("its own variables");
            }
        }
        let network = model.build();
        assert_eq!(count(&network, LEVELS[3]), Some(arrangements), "{pairs} pairs");
    }
}

#[test]
fn an_index_leads_to_equal_domains() {
    let mut model = Model::new();
    let index = model.variable(-5..=5).expect("small");
    let array = [
        model.variable(0..=200).expect("small"),
        model.variable([-70, 7, 130, 900]).expect("not too wide"),
    ];
    let result = model.variable(-100..=150).expect("small");
    model.element(index, &array, result).expect("its own variables");
    model.restrict(index, |index| index != 0).expect("its own variable");
    let network = model.build();
    let left = fixpoint(&network).expect("there are solutions");
    assert_eq!(left[0], [1].into());
    assert_eq!(left[2], [-70, 7, 130].into());
    assert_eq!(left[3], [-70, 7, 130].into());
}

#[test]
fn values_at_the_ends_of_their_range_do_not_overflow() {
    let mut model = Model::new();
    let low = model.variable(i32::MIN..=i32::MIN + 70).expect("small");
    let high = model.variable(i32::MAX - 70..=i32::MAX).expect("small");
    let [least, most] = [i32::MIN, i32::MAX].map(|value| model.variable(value).expect("small"));
    let any_least = model.variable([i32::MIN, i32::MIN + 100]).expect("small");
    let any_most = model.variable([i32::MAX - 100, i32::MAX]).expect("small");
    model.minimum(any_least, &[low, high, any_most]).expect("its own variables");
    model.maximum(any_most, &[high, low, any_least]).expect("its own variables");
    let index = model.variable(0..=3).expect("small");
    model.element(index, &[low, high, least, most], any_most).expect("its own variables");
    for (first, array) in [(0, [least, least]), (1, [most, least])] {
        let first = model.variable(first).expect("small");
        model.arg_min(first, &array).expect("its own variables");
    }
    for (first, array) in [(0, [most, most]), (1, [least, most])] {
        let first = model.variable(first).expect("small");
        model.arg_max(first, &array).expect("its own variables");
    }
    let network = model.build();
    assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(2); 4]);
}

/// Bounds converge by one value at a time if each variable lacks the other one's values.
#[test]
fn bounds_of_domains_with_holes_converge() {
    let mut model = Model::new();
    let even: Vec<i32> = (0..1000).map(|half| 2 * half).collect();
    let odd: Vec<i32> = (0..1000).map(|half| 2 * half + 1).collect();
    let result = model.variable(even).expect("not too wide");
    let variables = model.variables(3, odd).expect("not too wide");
    model.maximum(result, &variables).expect("its own variables");
    let network = model.build();
    let outcome = Search::new(&network).hook(Propagate::full()).count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));
}

#[test]
fn nothing_is_an_element_or_an_extreme_of_no_variables() {
    type State = fn(&mut Model, Variable, Variable) -> Result<(), ModelError>;
    let states: [State; 6] = [
        |model, x, _| model.arg_min(x, &[]),
        |model, x, _| model.arg_max(x, &[]),
        |model, x, y| model.element(x, &[], y),
        |model, x, y| model.element_constants(x, &[], y),
        |model, x, _| model.minimum(x, &[]),
        |model, x, _| model.maximum(x, &[]),
    ];
    for state in states {
        let mut model = Model::new();
        let [x, y] = model.variables(2, 0..=1).expect("small")[..] else { unreachable!() };
        state(&mut model, x, y).expect("its own variables");
        let network = model.build();
        assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(0); 4]);
    }
}

#[test]
fn variables_of_another_model_are_refused() {
    let mut other = Model::new();
    let unknown_variable = other.variables(2, 0..=1).expect("small")[1];
    let mut model = Model::new();
    let x = model.variable(0..=1).expect("small");
    let unknown = Err(ModelError::UnknownVariable { variable: 1, variables: 1 });
    assert_eq!(model.element(x, &[], unknown_variable), unknown);
    assert_eq!(model.element(x, &[unknown_variable], x), unknown);
    assert_eq!(model.element_constants(unknown_variable, &[1], x), unknown);
    assert_eq!(model.minimum(x, &[unknown_variable]), unknown);
    assert_eq!(model.maximum(unknown_variable, &[x]), unknown);
    let network = model.build();
    assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(2); 4], "the model is as it was");
}
