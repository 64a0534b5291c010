//! Products, quotients, remainders, powers and absolute values.

use proptest::prelude::*;
use secateurs_csp::Model;

use crate::networks::Constraint;
use crate::networks::Operation::{self, Absolute, Power, Product, Quotient, Remainder};
use crate::oracle::{self, Domains, check_constraint, fixpoint};
use crate::support::sizes::sized;

pub const ALL: [Operation; 7] =
    [Product, Quotient, Remainder, Absolute, Power(2), Power(3), Power(0)];

fn constraint(operation: Operation) -> Constraint {
    Constraint::Arithmetic(operation, [0, 1, 2])
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
        let places = places.map(|place| place % domains.len());
        for operation in ALL {
            check_constraint(&domains, &Constraint::Arithmetic(operation, places), false)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(64, 256)))]

    /// Once the operands are assigned, so is the result; and the other way round where there is one
    /// operand.
    #[test]
    fn assigned_operands_assign_the_result(x in -40..=40, y in -7..=7) {
        for constraint in ALL.map(constraint) {
            let domains = vec![[x].into(), [y].into(), (-2000..=2000).collect()];
            let results: Vec<i32> =
                (-2000..=2000).filter(|&z| constraint.holds(&[x, y, z])).collect();
            let left = fixpoint(&constraint.network(&domains));
            let found = left.map(|left| left[2].iter().copied().collect::<Vec<i32>>());
            let is_beyond = results.is_empty() && y != 0;
            prop_assert!(found == Some(results) || found.is_none() && (y == 0 || is_beyond));
        }
    }
}

#[test]
fn operations_at_the_ends_of_the_integers_match_brute_force() {
    // Single values: -2³¹ and 2³¹ - 1 do not fit into one domain.
    let ends = vec![[i32::MIN, -1, 0, 1, i32::MAX].into(); 3];
    for values in oracle::solutions(&ends, |_| true) {
        let domains = values.iter().map(|&value| [value].into()).collect();
        for constraint in ALL.map(constraint) {
            let checked = check_constraint(&domains, &constraint, false);
            assert!(checked.is_ok(), "{constraint:?} of {values:?}: {checked:?}");
        }
    }
}

#[test]
fn bounds_follow_from_the_others() {
    for (operation, given, expected) in [
        (Product, [1..=10, 1..=10, 35..=35], Some([(5, 7), (5, 7), (35, 35)])),
        (Product, [-9..=9, 2..=3, -5..=20], Some([(-2, 9), (2, 3), (-5, 20)])),
        // Neither factor is 0 if the product is not; and the signs of two decide that of the third.
        (Product, [0..=9, -9..=9, 1..=99], Some([(1, 9), (1, 9), (1, 81)])),
        (Product, [2..=3, 2..=3, 7..=8], None),
        (Quotient, [-99..=99, 5..=5, 3..=4], Some([(15, 24), (5, 5), (3, 4)])),
        (Quotient, [50..=60, 0..=99, 7..=99], Some([(50, 60), (1, 8), (7, 60)])),
        (Remainder, [20..=37, 10..=10, 3..=5], Some([(23, 35), (10, 10), (3, 5)])),
        (Remainder, [0..=99, -9..=9, 7..=99], Some([(7, 99), (-9, 9), (7, 8)])),
        (Power(2), [-9..=9, 0..=0, 5..=50], Some([(-7, 7), (0, 0), (9, 49)])),
        (Absolute, [-9..=2, 0..=0, 3..=5], Some([(-5, -3), (0, 0), (3, 5)])),
    ] {
        let domains = given.clone().map(Iterator::collect).to_vec();
        let left = fixpoint(&constraint(operation).network(&domains));
        let left = left.map(|left| oracle::bounds(&left));
        assert_eq!(left, expected.map(Vec::from), "{operation:?} of {given:?}");
    }
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
