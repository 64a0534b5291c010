//! Numbers of algebras: limbs, naturals, remainders and primes, compared with machine integers.

use proptest::prelude::*;
use secateurs::plug::algebra::{
    Counter, Limbs, Modulo, Natural, Residues, ResiduesError, is_prime, large_primes,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

proptest! {
    #[test]
    fn remainders_are_added_as_wide_integers(
        modulus in 1_u64..,
        a: u64,
        b: u64,
        small in 1_u64..50,
    ) {
        let modulo = Modulo::new([modulus, small]).unwrap();
        let [a, b] = [a, b].map(|number| [number % modulus, number % small]);
        let wide = |index: usize| {
            let sum = u128::from(a[index]) + u128::from(b[index]);
            sum % u128::from(modulo.moduli()[index])
        };
        prop_assert_eq!(modulo.add(a, b).map(u128::from), [wide(0), wide(1)]);
    }
}

#[test]
fn remainders_are_added_modulo_the_largest_modulus() {
    let modulo = Modulo::new([u64::MAX]).unwrap();
    assert_eq!(modulo.add([u64::MAX - 1], [u64::MAX - 1]), [u64::MAX - 2]);
    assert_eq!(modulo.add([u64::MAX - 1], [1]), [0]);
}

#[test]
fn skipped_primes_are_consecutive() {
    let (two, next) = (Modulo::<2>::primes(0), Modulo::<1>::primes(2));
    let moduli = two.moduli().iter().chain(next.moduli()).copied();
    assert!(moduli.eq(large_primes().take(3)));
}

#[test]
fn is_prime_agrees_with_a_sieve() {
    const END: usize = 10_000;
    let mut composite = vec![false; END];
    for number in 2..END {
        assert_eq!(is_prime(number as u64), !composite[number], "{number}");
        (number * number..END).step_by(number).for_each(|multiple| composite[multiple] = true);
    }
    assert!(!is_prime(0) && !is_prime(1));
}

#[test]
fn strong_pseudoprimes_and_large_primes_are_recognised() {
    // Strong pseudoprimes to the first 2, 3, ..., 9 (and 10, 11) primes: Jaeschke, 1993; Jiang
    // and Deng, 2014.
    let hard = [
        1_373_653,
        25_326_001,
        3_215_031_751,
        2_152_302_898_747,
        3_474_749_660_383,
        341_550_071_728_321,
        3_825_123_056_546_413_051,
    ];
    assert!(hard.iter().all(|&number| !is_prime(number)));
    // 2⁶⁴ - 59 is the largest prime of 64 bits.
    assert!(is_prime(u64::MAX - 58) && !is_prime(u64::MAX));
    assert!(is_prime((1 << 61) - 1) && !is_prime(u64::from(u32::MAX) * u64::from(u32::MAX)));
}

fn limbs(number: u128) -> Limbs<2> {
    Limbs::from_limbs([number as u64, (number >> 64) as u64])
}

proptest! {
    #[test]
    fn two_limbs_agree_with_u128(a: u128, b: u128, shift in 0_u32..128) {
        let (a, b) = (a >> shift, b >> (shift / 2));
        let mut sum = limbs(a);
        let overflow = sum.add(&limbs(b));
        prop_assert_eq!((u128::try_from(&sum).unwrap(), overflow), a.overflowing_add(b));
        prop_assert_eq!(limbs(a).to_string(), a.to_string());
        prop_assert_eq!(limbs(a).cmp(&limbs(b)), a.cmp(&b));
        prop_assert_eq!(limbs(a).bits(), 128 - a.leading_zeros());
        prop_assert_eq!(u64::try_from(&limbs(a)).ok(), u64::try_from(a).ok());
        prop_assert_eq!(limbs(a).resize::<5>().unwrap().resize::<2>(), Some(limbs(a)));
        prop_assert_eq!(limbs(a).resize::<1>().is_none(), a > u128::from(u64::MAX));
    }

    #[test]
    fn limbs_are_added_as_naturals(a: [u64; 3], b: [u64; 3]) {
        let [mut sum, other] = [a, b].map(Limbs::from_limbs);
        let expected = Natural::from(sum) + Natural::from(other);
        let overflows = sum.add(&other);
        prop_assert_eq!(Limbs::<3>::try_from(&expected).ok(), (!overflows).then_some(sum));
    }
}

#[test]
fn limbs_of_zero_and_of_the_maximum_are_displayed_and_added() {
    assert_eq!(Limbs::<3>::from(0).to_string(), "0");
    assert_eq!(format!("{:>4}", Limbs::<1>::from(7)), "   7");
    let mut largest = Limbs::from_limbs([u64::MAX; 16]);
    assert_eq!(largest.bits(), 1024);
    assert_eq!(largest.to_string().len(), 309);
    assert!(largest.add(&Limbs::one()));
    assert_eq!(largest, Limbs::from(0));
}

proptest! {
    #[test]
    fn naturals_agree_with_machine_integers(a: u128, b: u128, modulus: u64) {
        let (large_a, large_b) = (Natural::from(a), Natural::from(b));
        prop_assert_eq!(large_a.to_string(), a.to_string());
        prop_assert_eq!(a.to_string().parse(), Ok(large_a.clone()));
        prop_assert_eq!(u128::try_from(&large_a), Ok(a));
        prop_assert_eq!(u64::try_from(&large_a).ok(), u64::try_from(a).ok());
        prop_assert_eq!(large_a.cmp(&large_b), a.cmp(&b));
        prop_assert_eq!(large_a.bits(), u64::from(128 - a.leading_zeros()));
        let remainder = a.checked_rem(modulus.into()).map(|rest| rest as u64);
        prop_assert_eq!(large_a.remainder(modulus), remainder);
        prop_assert_eq!(large_a.checked_sub(&large_b), a.checked_sub(b).map(Natural::from));
        let (half_a, half_b) = (a / 2, b / 2);
        let sum = Natural::from(half_a) + Natural::from(half_b);
        prop_assert_eq!(sum, Natural::from(half_a + half_b));
        let (high_a, high_b) = (a >> 64, b >> 64);
        let product = Natural::from(high_a) * Natural::from(high_b);
        prop_assert_eq!(product, Natural::from(high_a * high_b));
    }

    #[test]
    fn conversions_of_naturals_round_trip(limbs: [u64; 3]) {
        let number = Natural::from(Limbs::from_limbs(limbs));
        prop_assert_eq!(Limbs::<3>::try_from(&number), Ok(Limbs::from_limbs(limbs)));
        prop_assert_eq!(Limbs::<2>::try_from(&number).is_ok(), limbs[2] == 0);
        prop_assert_eq!(Natural::from_bytes(&number.to_bytes()), number.clone());
        prop_assert_eq!(number.to_string(), Limbs::from_limbs(limbs).to_string());
    }
}

#[test]
fn a_text_that_is_no_natural_is_refused_with_the_column_of_the_fault() {
    let column = |text: &str| text.parse::<Natural>().unwrap_err().column();
    assert_eq!([column(""), column("12é4")], [None, Some(3)]);
    assert_eq!("00".parse::<Natural>().map(|zero| zero.to_bytes()), Ok(Vec::new()));
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

proptest! {
    #[test]
    fn residues_determine_the_number(limbs: [u64; 4], spare in 0_usize..3) {
        let number = Natural::from(Limbs::from_limbs(limbs));
        let mut residues = Residues::new();
        for prime in large_primes().take(5 + spare) {
            residues.add(prime, number.remainder(prime).unwrap()).unwrap();
        }
        prop_assert_eq!(residues.at_most(&number), Some(&number));
        prop_assert!(residues.confirmations() >= spare);
        // The bound proves the number; a bound that is not below the product proves nothing.
        prop_assert_eq!(residues.at_most(residues.product()), None);
    }

    #[test]
    fn coprime_moduli_are_accepted(
        moduli in prop::collection::vec(1_u64..40, 1..6),
        number: u64,
    ) {
        let mut residues = Residues::new();
        let mut product = 1;
        for modulus in moduli {
            let coprime = greatest_common_divisor(product, modulus) == 1;
            prop_assert_eq!(residues.add(modulus, number % modulus).is_ok(), coprime);
            product *= if coprime { modulus } else { 1 };
        }
        prop_assert_eq!(residues.least(), &Natural::from(number % product));
    }
}

#[test]
fn invalid_remainders_are_refused() {
    let mut residues = Residues::new();
    assert_eq!(residues.add(0, 0), Err(ResiduesError::NotARemainder { modulus: 0, residue: 0 }));
    assert_eq!(residues.add(u64::MAX, 7), Ok(()));
    assert_eq!(
        residues.add(15, 7),
        Err(ResiduesError::CommonFactor { modulus: 15, earlier: u64::MAX })
    );
    assert_eq!(residues.add(u64::MAX - 1, 9), Ok(()));
    assert_eq!(residues.least().remainder(u64::MAX), Some(7));
    assert_eq!(residues.least().remainder(u64::MAX - 1), Some(9));
    // A bound that is too low is detected.
    assert_eq!(residues.at_most(&Natural::from(6_u32)), None);
}

#[test]
fn a_remainder_modulo_1_confirms_nothing() {
    let mut residues = Residues::new();
    residues.add(1, 0).unwrap();
    assert_eq!(residues.confirmations(), 0);
    residues.add(10, 7).unwrap();
    residues.add(3, 1).unwrap();
    let before = residues.clone();
    assert_eq!((residues.least(), residues.confirmations()), (&Natural::from(7_u32), 1));
    residues.add(1, 0).unwrap();
    assert_eq!(residues, before);
    assert_eq!(residues.add(1, 1), Err(ResiduesError::NotARemainder { modulus: 1, residue: 1 }));
}

proptest! {
    #[test]
    fn residues_round_trip(moduli in prop::collection::vec(1_u64..40, 0..6), number: u64) {
        let mut residues = Residues::new();
        for modulus in moduli {
            // A modulus with a common factor is refused.
            let _ = residues.add(modulus, number % modulus);
        }
        let bytes = postcard::to_allocvec(&residues).unwrap();
        prop_assert_eq!(postcard::from_bytes(&bytes), Ok(residues));
    }
}

#[test]
fn forged_residues_are_refused() {
    let read = |pairs: &[(u64, u64)]| {
        postcard::from_bytes::<Residues>(&postcard::to_allocvec(pairs).unwrap())
    };
    assert_eq!(read(&[(3, 2), (5, 3), (7, 2)]).unwrap().least(), &Natural::from(23_u32));
    let forged: [&[(u64, u64)]; 5] =
        [&[(0, 0)], &[(3, 3)], &[(5, u64::MAX)], &[(3, 1), (3, 1)], &[(4, 1), (7, 2), (6, 1)]];
    for pairs in forged {
        assert!(read(pairs).is_err(), "{pairs:?}");
    }
}

fn round_trip<T: Serialize + DeserializeOwned>(value: &T) -> Result<T, postcard::Error> {
    postcard::from_bytes(&postcard::to_allocvec(value)?)
}

proptest! {
    #[test]
    fn saved_numbers_are_read_as_they_were(limbs: [u64; 4], zeros in 0..=4usize) {
        let mut limbs = limbs;
        limbs[4 - zeros..].fill(0);
        let number = Limbs::from_limbs(limbs);
        prop_assert_eq!(round_trip(&number), Ok(number));
        prop_assert_eq!(round_trip(&Natural::from(number)), Ok(Natural::from(number)));
        // Read with fewer limbs, a number either fits or is refused.
        let bytes = postcard::to_allocvec(&number).unwrap();
        prop_assert_eq!(postcard::from_bytes::<Limbs<2>>(&bytes).ok(), number.resize());
    }
}

#[test]
fn small_numbers_take_few_bytes() {
    let lengths =
        [0, 1, 255, 256, u64::MAX].map(|number| postcard::to_allocvec(&Limbs::<8>::from(number)));
    assert_eq!(lengths.map(|bytes| bytes.map_or(0, |bytes| bytes.len())), [1, 2, 2, 3, 9]);
}
