//! Linear constraints: sums in a range.

use std::ops::RangeInclusive;
use std::time::Duration;

use proptest::prelude::*;
use secateurs::{Limits, Search, Stop};
use secateurs_csp::{Assignment, Expression, Halves, InputOrder, Model, Propagate};

use crate::networks::Constraint::{Conditional, Linear};
use crate::oracle::{
    self, Domains, assert_count, assert_counts, check, check_constraint, domains, fixpoint,
};

/// Domains, factors with variables, given by index, and the range of their sum.
type Sum = (Domains, Vec<(i64, usize)>, RangeInclusive<i64>);

fn sums() -> impl Strategy<Value = Sum> {
    let terms = prop::collection::vec((-3_i64..=3, 0_usize..4), 0..=5);
    let range = (-12_i64..=12, prop_oneof![Just(None), (-1_i64..=4).prop_map(Some)], any::<bool>());
    let range = range.prop_map(|(low, width, above)| match width {
        Some(width) => low..=low + width,
        None if above => low..=i64::MAX,
        None => i64::MIN..=low,
    });
    (domains(4), terms, range).prop_map(|(domains, mut terms, range)| {
        terms.iter_mut().for_each(|(_, index)| *index %= domains.len());
        (domains, terms, range)
    })
}

proptest! {
    #[test]
    fn sums_agree_with_brute_force((domains, terms, range) in sums(), indicator in 0_usize..4) {
        // If the range is open at one end, every remaining value is in a solution.
        let is_open = *range.start() == i64::MIN || *range.end() == i64::MAX;
        let sum = Linear(terms.clone(), range);
        check_constraint(&domains, &sum, is_open)?;
        // The indicator may be a variable of the sum, and may have other values than 0 and 1.
        let indicator = indicator % domains.len();
        let occurs = terms.iter().any(|&(_, index)| index == indicator);
        check_constraint(&domains, &Conditional(indicator, true, vec![sum]), is_open && !occurs)?;
    }

    #[test]
    fn operators_state_the_same_sums(
        (domains, terms, range) in sums(),
        shift in -5_i64..=5,
        scale in -2_i64..=2,
    ) {
        // scale · (sum + shift), compared with the ends of the range.
        let (low, high) = range.into_inner();
        for (kind, end) in [(0, low), (1, high), (2, low)] {
            if end == i64::MIN || end == i64::MAX {
                continue;
            }
            let (mut model, variables) = oracle::model(&domains);
            let written: Expression =
                terms.iter().map(|&(factor, index)| factor * variables[index]).sum();
            let written = scale * (-(-written - shift));
            model
                .require(match kind {
                    0 => written.at_least(end),
                    1 => written.at_most(end),
                    _ => written.equals(end),
                })
                .expect("a small sum");
            let expected = oracle::solutions(&domains, |values| {
                let sum = terms.iter().map(|&(factor, index)| factor * i64::from(values[index]));
                let value = scale * (sum.sum::<i64>() + shift);
                match kind {
                    0 => value >= end,
                    1 => value <= end,
                    _ => value == end,
                }
            });
            check(&model.build(), &expected, false)?;
        }
    }

    #[test]
    fn equations_are_consistent_at_the_bounds(
        domains in domains(4),
        coefficients in prop::collection::vec(prop_oneof![-9_i64..=-1, 1_i64..=9], 4),
        total in -40_i64..=40,
    ) {
        let terms = coefficients.iter().copied().zip(0..domains.len()).collect();
        let left = fixpoint(&Linear(terms, total..=total).network(&domains));
        let Some(left) = left else { return Ok(()) };
        let ends: Vec<(i64, i64)> = oracle::bounds(&left)
            .into_iter()
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
fn constants_beyond_128_bits_are_refused() {
    let cube = |last: i64| i64::MAX * (i64::MAX * (last * Expression::from(i64::MAX)));
    let fifth = |last: i64| i64::MAX * (i64::MAX * cube(last));
    let one_more = |sum: Expression| sum + 1;
    let comparisons = [
        // Saturated, these would be equal.
        fifth(i64::MAX).equals(fifth(i64::MAX - 1)),
        fifth(i64::MIN).at_most(fifth(i64::MAX - 1)),
        // A constant that was lost cannot cancel later.
        (fifth(1) - fifth(1)).equals(one_more(fifth(2) - fifth(2))),
        (-fifth(1)).at_least(0),
    ];
    for comparison in comparisons {
        let mut model = Model::new();
        let error = model.require(comparison).expect_err("too large").to_string();
        assert_eq!(error, "the constant: the sum up to here may exceed 2^61 in absolute value");
        assert_count(model, 1);
    }
    // Up to 128 bits, constants are exact.
    let two = |last: i64| i64::MAX * (last * Expression::from(1));
    for (comparison, solutions) in [
        (two(i64::MAX).equals(two(i64::MAX - 1)), 0),
        ((two(i64::MAX) - two(i64::MAX - 1)).equals(i64::MAX), 1),
        (two(i64::MIN).at_most(two(i64::MAX)), 1),
        (two(i64::MIN).at_least(two(i64::MAX)), 0),
    ] {
        let mut model = Model::new();
        model.require(comparison).expect("a small constant");
        assert_count(model, solutions);
    }
}

#[test]
fn sums_without_terms_are_zero() {
    for (range, solutions) in [(0..=0, 2), (1..=5, 0), (-3..=4, 2)] {
        for terms in [vec![], vec![(3, 0), (-3, 0), (0, 0)]] {
            assert_counts(&[0..=1], [(Linear(terms, range.clone()), solutions)]);
        }
    }
}

#[test]
fn sums_up_to_the_limit_are_exact() {
    let mut model = Model::new();
    let x = model.variable([i32::MIN, i32::MIN + 1]).expect("two values");
    let y = model.variable([i32::MAX - 1, i32::MAX]).expect("two values");
    // 2³¹ times 2²⁹, twice, is the largest sum allowed.
    model.linear([(1 << 29, x), (-(1 << 29), y)], ..-(1 << 61) + (1 << 30)).expect("at most 2⁶¹");
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
fn constants_beyond_64_bits_are_decided() {
    let mut model = Model::new();
    let x = model.variable(0..=1).expect("a small domain");
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
