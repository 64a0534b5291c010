//! The values of counts by weight: sums of polynomials, their memory and their saved form.

use proptest::prelude::*;
use secateurs::plug::algebra::{CountByWeight, Natural, Polynomial, Weight};
use secateurs::plug::{Algebra, Overflow};

use crate::automata::Automaton;

/// The end of the terms of a polynomial all of whose terms are known.
const UNLIMITED: u32 = u32::MAX;

/// The saved form of a polynomial: its first degree, the end of its known terms, the number of
/// limbs of a coefficient, and the limbs.
type Parts = (u32, u32, usize, Vec<u64>);

fn read(parts: &Parts) -> postcard::Result<Polynomial> {
    postcard::from_bytes(&postcard::to_allocvec(parts)?)
}

/// Returns a polynomial with these coefficients, from a degree on, whose terms below degree `end`
/// are known.
fn polynomial(low: u32, coefficients: &[u128], end: u32) -> Polynomial {
    let terms = (low..).zip(coefficients).filter(|(degree, number)| **number > 0 && *degree < end);
    let terms: Vec<(u32, u128)> = terms.map(|(degree, number)| (degree, *number)).collect();
    let width = if terms.iter().any(|(_, number)| number >> 64 > 0) { 2 } else { 1 };
    let first = terms.first().map_or(0, |(degree, _)| *degree);
    let length = terms.last().map_or(0, |(degree, _)| (degree - first) as usize + 1);
    let mut limbs = vec![0; length * width];
    for (degree, number) in terms {
        let at = (degree - first) as usize * width;
        let of_number = [number as u64, (number >> 64) as u64];
        limbs[at..at + width].copy_from_slice(&of_number[..width]);
    }
    read(&(first, end, width, limbs)).expect("a polynomial")
}

/// Returns an algebra under which each label has the weight `degree`.
fn shift(degree: u32) -> CountByWeight<impl Weight<Automaton>> {
    CountByWeight::new(move |_: usize, _: u8| i64::from(degree))
}

/// Adds the product of `other` and `x^degree`.
fn add_shifted(sum: &mut Polynomial, other: &Polynomial, degree: u32) -> Result<(), Overflow> {
    shift(degree).absorb(sum, other, 0, 0)
}

fn heap_bytes(polynomial: &Polynomial) -> usize {
    shift(0).heap_bytes(polynomial)
}

fn coefficients() -> impl Strategy<Value = Vec<u128>> {
    let number = prop_oneof![
        Just(0),
        0..9_u128,
        (1 << 63) - 3..(1 << 63) + 3_u128,
        (1 << 64) - 3..(1 << 64) + 3_u128,
        u128::MAX - 2..,
    ];
    prop::collection::vec(number, 0..9)
}

proptest! {
    #[test]
    fn no_sum_owns_more_heap_than_was_predicted(
        (a, b) in (coefficients(), coefficients()),
        (low_a, low_b, degree) in (0..5_u32, 0..5_u32, 0..50_u32),
        (end_a, end_b) in (0..60_u32, prop_oneof![0..60_u32, Just(UNLIMITED)]),
    ) {
        let mut sum = polynomial(low_a, &a, end_a);
        let other = polynomial(low_b, &b, end_b);
        let more = shift(degree).heap_to_absorb(&sum, &other, 0, 0);
        let before = heap_bytes(&sum);
        prop_assert_eq!(add_shifted(&mut sum, &other, degree), Ok(()));
        prop_assert!(heap_bytes(&sum) <= before.max(more), "{} bytes", heap_bytes(&sum));
    }

    #[test]
    fn sums_agree_with_sums_of_coefficients(
        (a, b) in (coefficients(), coefficients()),
        (low_a, low_b, degree) in (0..5_u32, 0..5_u32, 0..5_u32),
        (end_a, end_b) in (0..20_u32, prop_oneof![0..20_u32, Just(UNLIMITED)]),
    ) {
        let mut sum = polynomial(low_a, &a, end_a);
        let other = polynomial(low_b, &b, end_b);
        prop_assert_eq!(add_shifted(&mut sum, &other, degree), Ok(()));
        let end = end_a.min(end_b.saturating_add(degree));
        let coefficient = |numbers: &[u128], low: u32, at: u32| {
            let index = at.checked_sub(low).map(|index| index as usize);
            Natural::from(index.and_then(|index| numbers.get(index)).copied().unwrap_or(0))
        };
        for at in 0..25 {
            let expected = coefficient(&a, low_a, at) + coefficient(&b, low_b + degree, at);
            prop_assert_eq!(sum.coefficient(at), (at < end).then_some(expected));
        }
        let bytes = postcard::to_allocvec(&sum).unwrap();
        // The first coefficient is not 0, nor is the last one.
        let (_, _, width, limbs): Parts = postcard::from_bytes(&bytes).unwrap();
        let is_zero = |limbs: &[u64]| limbs.iter().all(|&limb| limb == 0);
        let mut stored = limbs.chunks_exact(width);
        prop_assert!(!stored.next().is_some_and(is_zero));
        prop_assert!(!stored.last().is_some_and(is_zero));
        prop_assert_eq!(limbs.len() % width, 0);
        prop_assert_eq!(postcard::from_bytes::<Polynomial>(&bytes), Ok(sum));
    }

    /// Whatever bytes a file has, a polynomial that is read from it works.
    #[test]
    fn every_polynomial_that_is_read_is_a_valid_one(
        low in 0..5_u32,
        end in 0..9_u32,
        width in 0..4_usize,
        limbs in prop::collection::vec(0..3_u64, 0..9),
    ) {
        if let Ok(mut read) = read(&(low, end, width, limbs)) {
            let twice = read.terms().map(|(degree, half)| (degree, &half + &half));
            let twice: Vec<(u32, Natural)> = twice.collect();
            let same = read.clone();
            prop_assert_eq!(add_shifted(&mut read, &same, 0), Ok(()));
            prop_assert_eq!(read.terms().collect::<Vec<_>>(), twice);
        }
    }
}

#[cfg(target_pointer_width = "64")]
#[test]
fn a_polynomial_has_the_documented_size() {
    assert_eq!(size_of::<Polynomial>(), 64);
    let four = polynomial(0, &[1, 2, 3, 4], UNLIMITED);
    let five = polynomial(0, &[1, 2, 3, 4, 5], UNLIMITED);
    assert_eq!((heap_bytes(&four), heap_bytes(&five)), (0, 48));
}

#[test]
fn degrees_that_do_not_fit_are_overflows() {
    let term = polynomial(7, &[1], UNLIMITED);
    assert!(shift(UNLIMITED - 8).extend(&term, 0, 0).is_ok());
    assert_eq!(shift(UNLIMITED - 7).extend(&term, 0, 0), Err(Overflow));
    assert_eq!(shift(UNLIMITED - 6).extend(&term, 0, 0), Err(Overflow));
    // Below a limit, no such term is known.
    let below = shift(UNLIMITED - 6).up_to(8).extend(&term, 0, 0);
    assert!(below.is_ok_and(|zero| zero.is_zero()));
}

#[test]
fn polynomials_are_displayed_with_their_unknown_terms() {
    let texts = [
        polynomial(0, &[], UNLIMITED),
        polynomial(0, &[], 0),
        polynomial(0, &[1, 1, 1], UNLIMITED),
        polynomial(0, &[3, 2, 0, 5], 7),
        polynomial(1, &[2, 0, 0], 2),
    ]
    .map(|polynomial| polynomial.to_string());
    assert_eq!(texts, ["0", "O(x^0)", "1 + x + x^2", "3 + 2 x + 5 x^3 + O(x^7)", "2 x + O(x^2)"]);
}
