//! Linear constraints: sums in a range.

use std::ops::RangeInclusive;
use std::time::Duration;

use proptest::prelude::*;
use secateurs::{Limits, Search, Stop};
use secateurs_csp::{
    Assignment, Consistency, Expression, Halves, InputOrder, Model, ModelError, Propagate,
    Propagation, Variable,
};

use super::oracle::{self, Domains, assert_count, check, check_exact, domains, fixpoint};
use crate::support::propagation::{LEVELS, count};

/// A sum of variables, given by index, and its range.
#[derive(Clone, Debug)]
struct Sum {
    terms: Vec<(i64, usize)>,
    range: RangeInclusive<i64>,
}

impl Sum {
    fn value(&self, values: &[i32]) -> i64 {
        self.terms.iter().map(|&(factor, index)| factor * i64::from(values[index])).sum()
    }

    fn holds(&self, values: &[i32]) -> bool {
        self.range.contains(&self.value(values))
    }

    /// Returns whether the range, and therefore the rest, is open at one end.
    fn is_open(&self) -> bool {
        *self.range.start() == i64::MIN || *self.range.end() == i64::MAX
    }

    fn of(&self, variables: &[Variable]) -> Vec<(i64, Variable)> {
        self.terms.iter().map(|&(factor, index)| (factor, variables[index])).collect()
    }
}

fn sums() -> impl Strategy<Value = (Domains, Sum)> {
    let terms = prop::collection::vec((-3_i64..=3, 0_usize..4), 0..=5);
    let range = (-12_i64..=12, prop_oneof![Just(None), (-1_i64..=4).prop_map(Some)], any::<bool>());
    let range = range.prop_map(|(low, width, above)| match width {
        Some(width) => low..=low + width,
        None if above => low..=i64::MAX,
        None => i64::MIN..=low,
    });
    (domains(4), terms, range).prop_map(|(domains, mut terms, range)| {
        terms.iter_mut().for_each(|(_, index)| *index %= domains.len());
        (domains, Sum { terms, range })
    })
}

fn check_sum((domains, sum): &(Domains, Sum)) -> Result<(), TestCaseError> {
    let (mut model, variables) = oracle::model(domains);
    model.linear(sum.of(&variables), sum.range.clone()).expect("a small sum");
    let expected = oracle::solutions(domains, |values| sum.holds(values));
    let network = model.build();
    check(&network, &expected)?;
    // If the range is open at one end, every remaining value is in a solution.
    if sum.is_open() { check_exact(&network, &expected) } else { Ok(()) }
}

/// The indicator may be a variable of the sum, and may have other values than 0 and 1.
fn check_reified((domains, sum): &(Domains, Sum), indicator: usize) -> Result<(), TestCaseError> {
    let indicator = indicator % domains.len();
    let (mut model, variables) = oracle::model(domains);
    model
        .linear_reified(variables[indicator], sum.of(&variables), sum.range.clone())
        .expect("a small sum");
    let expected =
        oracle::solutions(domains, |values| values[indicator] == i32::from(sum.holds(values)));
    let network = model.build();
    check(&network, &expected)?;
    let occurs = sum.terms.iter().any(|&(_, index)| index == indicator);
    if sum.is_open() && !occurs { check_exact(&network, &expected) } else { Ok(()) }
}

proptest! {
    #[test]
    fn sums_agree_with_brute_force(sum in sums()) {
        check_sum(&sum)?;
    }

    #[test]
    fn reified_sums_agree_with_brute_force(sum in sums(), indicator in 0_usize..4) {
        check_reified(&sum, indicator)?;
    }

    #[test]
    fn operators_state_the_same_sums(
        (domains, sum) in sums(),
        shift in -5_i64..=5,
        scale in -2_i64..=2,
    ) {
        // scale · (sum + shift), compared with the ends of the range.
        let (low, high) = sum.range.clone().into_inner();
        for (kind, end) in [(0, low), (1, high), (2, low)] {
            if end == i64::MIN || end == i64::MAX {
                continue;
            }
            let (mut model, variables) = oracle::model(&domains);
            let written = sum
                .of(&variables)
                .into_iter()
                .map(|(factor, variable)| factor * variable)
                .sum::<Expression>();
            let written = scale * (-(-written - shift));
            model
                .require(match kind {
                    0 => written.at_least(end),
                    1 => written.at_most(end),
                    _ => written.equals(end),
                })
                .expect("a small sum");
            let expected = oracle::solutions(&domains, |values| {
                let value = scale * (sum.value(values) + shift);
                match kind {
                    0 => value >= end,
                    1 => value <= end,
                    _ => value == end,
                }
            });
            check(&model.build(), &expected)?;
        }
    }

    #[test]
    fn equations_are_consistent_at_the_bounds(
        domains in domains(4),
        coefficients in prop::collection::vec(prop_oneof![-9_i64..=-1, 1_i64..=9], 4),
        total in -40_i64..=40,
    ) {
        let (mut model, variables) = oracle::model(&domains);
        model
            .linear(coefficients.iter().copied().zip(variables.iter().copied()), total..=total)
            .expect("a small sum");
        let Some(left) = fixpoint(&model.build()) else { return Ok(()) };
        let ends: Vec<(i64, i64)> = left
            .iter()
            .map(|values| {
                (*values.first().expect("not wiped out"), *values.last().expect("not wiped out"))
            })
            .map(|(low, high)| (low.into(), high.into()))
            .collect();
        let reach = |of: usize, value: i64| {
            let others = (0..ends.len()).filter(|&other| other != of);
            others.fold(
                (coefficients[of] * value, coefficients[of] * value),
                |(least, most), other| {
                    let two =
                        [coefficients[other] * ends[other].0, coefficients[other] * ends[other].1];
                    (least + two[0].min(two[1]), most + two[0].max(two[1]))
                },
            )
        };
        for (variable, &(low, high)) in ends.iter().enumerate() {
            for value in [low, high] {
                let (least, most) = reach(variable, value);
                prop_assert!(least <= total && total <= most, "variable {} = {}", variable, value);
            }
        }
    }
}

#[test]
fn inclusive_ends_count_and_exclusive_ends_do_not() {
    let counted = |constrain: &dyn Fn(&mut Model, &[_])| {
        let mut model = Model::new();
        let variables = model.variables(3, 0..=3).expect("small");
        constrain(&mut model, &variables);
        let network = model.build();
        let counts = LEVELS.map(|level| count(&network, level));
        assert_eq!(counts, [counts[0]; 4]);
        counts[0].expect("no limit")
    };
    assert_eq!(counted(&|model, all| model.sum(all, ..).expect("small")), 64);
    assert_eq!(counted(&|model, all| model.sum(all, 9..).expect("small")), 1);
    assert_eq!(counted(&|model, all| model.sum(all, ..1).expect("small")), 1);
    assert_eq!(counted(&|model, all| model.sum(all, ..=1).expect("small")), 4);
    assert_eq!(counted(&|model, all| model.sum(all, 4..=4).expect("small")), 12);
    assert_eq!(counted(&|model, all| model.sum(all, i64::MAX..).expect("small")), 0);
    assert_eq!(counted(&|model, all| model.sum(all, ..i64::MIN).expect("small")), 0);
    assert_eq!(counted(&|model, all| model.sum(all, i64::MIN..=i64::MAX).expect("small")), 64);
    #[expect(clippy::reversed_empty_ranges, reason = "what an empty range means is tested")]
    let empty = counted(&|model, all| model.sum(all, 6..=4).expect("small"));
    assert_eq!(empty, 0);
}

#[test]
fn sums_without_terms_are_zero() {
    for (range, solutions) in [(0..=0, 2), (1..=5, 0), (-3..=4, 2)] {
        let mut model = Model::new();
        let x = model.variable(0..=1).expect("small");
        model.linear([], range.clone()).expect("no terms");
        model.linear([(3, x), (-3, x), (0, x)], range).expect("terms that cancel");
        assert_count(model, solutions);
    }
}

#[test]
fn sums_beyond_the_limit_are_refused() {
    let mut model = Model::new();
    let x = model.variable([i32::MIN, i32::MIN + 1]).expect("two values");
    let y = model.variable([i32::MAX - 1, i32::MAX]).expect("two values");
    model.name(y, "y").expect("it is there");
    // 2³¹ times 2²⁹, twice, is the largest sum allowed.
    model.linear([(1 << 29, x), (-(1 << 29), y)], ..-(1 << 61) + (1 << 30)).expect("at most 2⁶¹");
    let error = model.linear([(1 << 29, x), (1 << 30, y)], ..).expect_err("more than 2⁶¹");
    assert_eq!(error, ModelError::SumTooLarge { variable: "variable 1 (`y`)".to_owned() });
    assert!(error.to_string().contains("2^61"), "{error}");
    for coefficient in [i64::MIN, i64::MAX] {
        let error = model.linear([(coefficient, x)], ..).expect_err("more than 2⁶¹");
        assert_eq!(error, ModelError::SumTooLarge { variable: "variable 0".to_owned() });
    }
    // Only the pair (MIN, MAX) is in the range; the next two pairs are 2²⁹ closer to zero.
    assert_count(model, 1);
}

/// Two sums (*x* < *y* and *y* < *x*), or one (2*x* = 2*y* + 1): neither has a solution, and each
/// round moves the bounds by one.
#[test]
fn slowly_converging_bounds_do_not_delay_a_time_limit() {
    for two in [false, true] {
        let mut model = Model::new();
        let [x, y] = model.variables(2, 1..=1 << 24).expect("not too wide")[..] else {
            unreachable!()
        };
        if two {
            model.linear([(1, x), (-1, y)], ..0).expect("small");
            model.linear([(1, y), (-1, x)], ..0).expect("small");
        } else {
            model.linear([(2, x), (-2, y)], 1..=1).expect("small");
        }
        let network = model.build();
        // Propagation ends at its limit of work, long before it refutes the root.
        let mut sizes = Vec::new();
        let search = Search::new(&network).hooks((Propagate::full(),));
        let search = search.watch("sizes", |node| sizes.push(node.state().size(x)));
        let _ = search.limits(Limits::new().nodes(1)).count();
        assert!(matches!(sizes[..], [size] if size > 1 << 23), "{sizes:?}");
        let limits = Limits::new().time(Duration::from_millis(10));
        let outcome = Search::new(&network).hooks((Propagate::full(),)).limits(limits).count();
        assert_eq!(outcome.stop(), Stop::TimeLimit);
    }
}

/// If `b` is 0, the two sums of the previous test; if it is 1, a problem with one solution.
/// Propagation does not reach a fixpoint at the root.
#[test]
fn unfinished_propagation_keeps_the_solutions() {
    let width = 1 << 15;
    let mut model = Model::new();
    let b = model.variable(0..=1).expect("small");
    let [x, y] = model.variables(2, 1..=width).expect("not too wide")[..] else { unreachable!() };
    let large = 2 * i64::from(width);
    model.linear([(1, x), (-1, y), (-large, b)], ..0).expect("small");
    model.linear([(1, y), (-1, x), (-large, b)], ..0).expect("small");
    for variable in [x, y] {
        model.linear([(1, variable), (large, b)], ..=5 + large).expect("small");
        model.linear([(1, variable), (-large, b)], 5 - large..).expect("small");
    }
    let network = model.build();
    let search = Search::new(&network).hooks((Propagate::full(),));
    let search = search.brancher(Halves::new(InputOrder)).extract(Assignment::of);
    let mut solutions = search.solutions();
    assert_eq!(solutions.next().map(|solution| solution.values().to_vec()), Some(vec![1, 5, 5]));
    assert_eq!(solutions.next(), None);
    // A fixpoint would refute the first child of the root.
    assert!(solutions.report().nodes() > 5, "{}", solutions.report());
}

#[test]
fn expressions_beyond_64_bits_are_refused_or_decided() {
    let mut model = Model::new();
    let x = model.variable(0..=1).expect("a small domain");
    let huge = i64::MAX * (i64::MAX * (i64::MAX * x));
    assert!(matches!(model.require(huge.equals(0)), Err(ModelError::SumTooLarge { .. })));
    let count = |comparison| {
        let mut model = model.clone();
        model.require(comparison).expect("a small sum");
        Search::new(&model.build()).hook(Propagate::full()).count().exact()
    };
    let far = || x + i64::MAX + i64::MAX;
    assert_eq!(count(far().equals(0)), Some(0));
    assert_eq!(count(far().at_most(0)), Some(0));
    assert_eq!(count(far().at_least(0)), Some(2));
    assert_eq!(count((-far()).at_most(0)), Some(2));
    assert_eq!(count((0 * x).equals(0)), Some(2));
    assert_eq!(count(x.equals(x)), Some(2));
    assert_eq!(count(x.at_least(x + 1)), Some(0));
}

/// SEND + MORE = MONEY has one solution, 9567 + 1085 = 10652, at every level and with domain
/// splitting.
#[test]
fn send_more_money_has_one_solution() {
    let mut model = Model::new();
    let [s, m] = model.variables(2, 1..=9).expect("digits")[..] else { unreachable!() };
    let [e, n, d, o, r, y] = model.variables(6, 0..=9).expect("digits")[..] else { unreachable!() };
    model
        .all_different_with(&[s, e, n, d, m, o, r, y], Consistency::Domain)
        .expect("known variables");
    let number = |sign: i64, letters: &[_]| {
        let places = (0..letters.len() as u32).rev().map(|place| sign * 10_i64.pow(place));
        places.zip(letters.to_vec()).collect::<Vec<_>>()
    };
    let terms = [number(1, &[s, e, n, d]), number(1, &[m, o, r, e]), number(-1, &[m, o, n, e, y])];
    model.linear(terms.concat(), 0..=0).expect("a small sum");
    let network = model.build();
    for level in [Propagation::Forward, Propagation::ArcConsistency, Propagation::Full] {
        let search = Search::new(&network)
            .hooks((Propagate::new(level),))
            .extract(Assignment::of)
            .check_undo();
        let solutions: Vec<Assignment> = search.solutions().collect();
        assert_eq!(solutions.len(), 1, "{level:?}");
        let digits: Vec<i32> = solutions[0].of_variables(&[s, e, n, d, m, o, r, y]).collect();
        assert_eq!(digits, [9, 5, 6, 7, 1, 0, 8, 2], "{level:?}");
    }
    let halves =
        Search::new(&network).hooks((Propagate::full(),)).brancher(Halves::new(InputOrder)).count();
    assert_eq!(halves.exact(), Some(1));
}
