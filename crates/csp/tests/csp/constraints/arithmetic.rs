//! Products, quotients, remainders, powers and absolute values.

use proptest::prelude::*;
use secateurs_csp::{Consistency, Model, ModelError, Network, Variable};

use super::oracle::{self, Domains, check, fixpoint};
use crate::support::propagation::{LEVELS, count};

pub type State = fn(&mut Model, Variable, Variable, Variable) -> Result<(), ModelError>;
pub type Holds = fn(i64, i64, i64) -> bool;

/// All constraints, each with its definition. Those on two variables ignore the second one.
pub const ALL: [(State, Holds); 7] = [
    (Model::product, |x, y, z| x * y == z),
    (Model::quotient, |x, y, z| x.checked_div(y) == Some(z)),
    (Model::remainder, |x, y, z| x.checked_rem(y) == Some(z)),
    (|model, x, _, z| model.absolute(x, z), |x, _, z| x.abs() == z),
    (|model, x, _, z| model.power(x, 2, z), |x, _, z| x * x == z),
    (|model, x, _, z| model.power(x, 3, z), |x, _, z| x * x * x == z),
    (|model, _, y, z| model.power(y, 0, z), |_, _, z| z == 1),
];

fn state(domains: &Domains, places: [usize; 3], state: State) -> Network {
    let (mut model, variables) = oracle::model(domains);
    let [x, y, z] = places.map(|place| variables[place % variables.len()]);
    state(&mut model, x, y, z).expect("its own variables");
    model.build()
}

fn check_all(domains: &Domains, places: [usize; 3]) -> Result<(), TestCaseError> {
    for (stated, holds) in ALL {
        let expected = oracle::solutions(domains, |values| {
            let [x, y, z] = places.map(|place| values[place % values.len()].into());
            holds(x, y, z)
        });
        check(&state(domains, places, stated), &expected)?;
    }
    Ok(())
}

/// Domains whose results are often among the values, and places, all different as a rule.
fn operands() -> impl Strategy<Value = (Domains, [usize; 3])> {
    let values = || {
        prop_oneof![
            3 => prop::collection::btree_set(-3..=4, 1..=5),
            2 => (-12..=12, 0..=9).prop_map(|(low, width)| (low..=low + width).collect()),
            1 => prop::collection::btree_set(-100..=100, 1..=8),
        ]
    };
    let places = prop_oneof![4 => Just([0, 1, 2]), 1 => prop::array::uniform3(0..3_usize)];
    (prop::collection::vec(values(), 1..=3), places)
}

proptest! {
    #[test]
    fn operations_match_brute_force((domains, places) in operands()) {
        check_all(&domains, places)?;
    }

    /// Once the operands are assigned, so is the result; and the other way round where there is one
    /// operand.
    #[test]
    fn assigned_operands_assign_the_result(x in -40..=40, y in -7..=7) {
        for (stated, holds) in ALL {
            let domains = [[x].into(), [y].into(), (-2000..=2000).collect()];
            let left = fixpoint(&state(&domains.to_vec(), [0, 1, 2], stated));
            let results: Vec<i32> =
                (-2000..=2000).filter(|&z| holds(x.into(), y.into(), z.into())).collect();
            let found = left.map(|left| left[2].iter().copied().collect::<Vec<i32>>());
            let is_beyond = results.is_empty() && y != 0;
            prop_assert!(found == Some(results) || found.is_none() && (y == 0 || is_beyond));
        }
    }
}

/// Returns the bounds that remain at the root, given those of x, y and z.
fn bounds(stated: State, given: [(i32, i32); 3]) -> Option<[(i32, i32); 3]> {
    let domains: Domains = given.iter().map(|&(low, high)| (low..=high).collect()).collect();
    let left = fixpoint(&state(&domains, [0, 1, 2], stated))?;
    let end = |value: Option<&i32>| *value.expect("not wiped out");
    Some([0, 1, 2].map(|place| (end(left[place].first()), end(left[place].last()))))
}

#[test]
fn bounds_follow_from_the_others() {
    let product = ALL[0].0;
    assert_eq!(bounds(product, [(1, 10), (1, 10), (35, 35)]), Some([(5, 7), (5, 7), (35, 35)]));
    assert_eq!(bounds(product, [(-9, 9), (2, 3), (-5, 20)]), Some([(-2, 9), (2, 3), (-5, 20)]));
    // Neither factor is 0 if the product is not; and the signs of two decide that of the third.
    assert_eq!(bounds(product, [(0, 9), (-9, 9), (1, 99)]), Some([(1, 9), (1, 9), (1, 81)]));
    assert_eq!(bounds(product, [(2, 3), (2, 3), (7, 8)]), None);
    let quotient = ALL[1].0;
    assert_eq!(bounds(quotient, [(-99, 99), (5, 5), (3, 4)]), Some([(15, 24), (5, 5), (3, 4)]));
    assert_eq!(bounds(quotient, [(50, 60), (0, 99), (7, 99)]), Some([(50, 60), (1, 8), (7, 60)]));
    let remainder = ALL[2].0;
    assert_eq!(bounds(remainder, [(20, 37), (10, 10), (3, 5)]), Some([(23, 35), (10, 10), (3, 5)]));
    assert_eq!(bounds(remainder, [(0, 99), (-9, 9), (7, 99)]), Some([(7, 99), (-9, 9), (7, 8)]));
    let square = ALL[4].0;
    assert_eq!(bounds(square, [(-9, 9), (0, 0), (5, 50)]), Some([(-7, 7), (0, 0), (9, 49)]));
    let absolute = ALL[3].0;
    assert_eq!(bounds(absolute, [(-9, 2), (0, 0), (3, 5)]), Some([(-5, -3), (0, 0), (3, 5)]));
}

#[test]
fn values_at_the_ends_of_their_range_do_not_overflow() {
    let ends = [i32::MIN, -1, 0, 1, i32::MAX];
    for (stated, holds) in ALL {
        let mut solutions = 0;
        let mut model = Model::new();
        for x in ends {
            for y in ends {
                solutions +=
                    ends.iter().filter(|&&z| holds_at_ends(holds, x, y, z)).count() as u128;
            }
        }
        // A table of pairs instead of wide domains: -2³¹ and 2³¹ - 1 do not fit into one.
        let mut found = 0;
        for x in ends {
            for y in ends {
                for z in ends {
                    let mut model = model.clone();
                    let [x, y, z] = [x, y, z].map(|end| model.variable(end).expect("one value"));
                    stated(&mut model, x, y, z).expect("its own variables");
                    let network = model.build();
                    let counts = LEVELS.map(|level| count(&network, level));
                    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
                    found += counts[0].expect("a count");
                }
            }
        }
        assert_eq!(found, solutions);
        let near = model.variable(i32::MIN..=i32::MIN + 70).expect("small");
        let far = model.variable(i32::MAX - 70..=i32::MAX).expect("small");
        let any = model.variable(-70..=70).expect("small");
        for [x, y, z] in [[near, far, any], [any, near, far], [far, any, near], [near, any, any]] {
            let mut model = model.clone();
            stated(&mut model, x, y, z).expect("its own variables");
            let _ = fixpoint(&model.build());
        }
    }
}

/// The definitions, except that a cube beyond 64 bits is no value.
fn holds_at_ends(holds: Holds, x: i32, y: i32, z: i32) -> bool {
    let [a, b, c] = [x, y, z].map(i64::from);
    if a.checked_pow(3).is_none() {
        let is_cube = holds(2, 0, 8) && !holds(2, 0, 4) && holds(-2, 1, -8);
        return !is_cube && holds(a, b, c);
    }
    holds(a, b, c)
}

/// A/BC + D/EF + G/HI = 1 with the digits from 1 to 9 (Frisch 2001). The order of the fractions
/// does not count.
#[test]
fn three_fractions_have_one_solution() {
    let mut model = Model::new();
    let digits = model.variables(9, 1..=9).expect("small");
    model.all_different_with(&digits, Consistency::Domain).expect("its own variables");
    let mut denominators = Vec::new();
    for digits in digits.chunks(3) {
        let denominator = model.variable(12..=98).expect("small");
        let sum = 10 * digits[1] + digits[2];
        model.require(sum.equals(denominator)).expect("small");
        denominators.push(denominator);
    }
    let product = |model: &mut Model, x, y, most| {
        let product = model.variable(1..=most).expect("not too wide");
        model.product(x, y, product).expect("its own variables");
        product
    };
    let [b, e, h] = denominators[..] else { unreachable!("three") };
    let mut sum = Vec::new();
    for (numerator, one, other) in [(digits[0], e, h), (digits[3], b, h), (digits[6], b, e)] {
        let both = product(&mut model, one, other, 98 * 98);
        sum.push((1, product(&mut model, numerator, both, 9 * 98 * 98)));
        if numerator == digits[0] {
            sum.push((-1, product(&mut model, b, both, 98 * 98 * 98)));
        }
    }
    model.linear(sum, 0..=0).expect("a small sum");
    for two in [[0, 3], [3, 6]] {
        model.require(digits[two[0]].at_most(digits[two[1]])).expect("small");
    }
    let network = model.build();
    let outcome = network.solver().count();
    assert_eq!(outcome.exact(), Some(1));
}

/// The number of ways to write a number as a sum of four squares of integers is eight times the sum
/// of its divisors that are not divisible by 4 (Jacobi 1834).
#[test]
fn sums_of_four_squares_match_the_formula() {
    for number in [0, 1, 7, 28, 60, 101] {
        let mut model = Model::new();
        let roots = model.variables(4, -11..=11).expect("small");
        let squares = model.variables(4, 0..=121).expect("small");
        for (&root, &square) in roots.iter().zip(&squares) {
            model.power(root, 2, square).expect("its own variables");
        }
        model.sum(&squares, number..=number).expect("small");
        let divisors = (1..=number).filter(|&one| number % one == 0 && one % 4 != 0);
        let expected = if number == 0 { 1 } else { 8 * divisors.sum::<i64>() };
        let count = model.build().solver().count();
        assert_eq!(count.exact(), u128::try_from(expected).ok(), "{number}");
    }
}
