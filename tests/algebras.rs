//! The ready-made algebras: their laws, and what they say of random automata, against all solutions one by one.

mod automata;

use automata::Automaton;
use proptest::prelude::*;
use secateurs::plug::Algebra;
use secateurs::plug::algebra::{Best, BestK, Counter, Counting, Feasible, Limbs, Modulo, Natural, Optima, Tied};

/// The laws of an algebra, on three values and a step: `merge` is associative and commutative, and `extend` distributes
/// over it. All of that in one: a step and merging in any order give the same, and so does doing both at once.
fn laws<A: Algebra<Automaton>>(algebra: &A, values: [A::Value; 3], cell: usize, label: u8)
where
    A::Value: PartialEq + std::fmt::Debug,
{
    let [a, b, c] = values;
    let merge = |x: &A::Value, y: &A::Value| {
        let mut sum = x.clone();
        algebra.merge(&mut sum, y.clone()).expect("the values are small");
        sum
    };
    let step = |x: &A::Value| algebra.extend(x, cell, label).expect("the values are small");
    assert_eq!(merge(&a, &b), merge(&b, &a), "commutative");
    assert_eq!(merge(&merge(&a, &b), &c), merge(&a, &merge(&b, &c)), "associative");
    assert_eq!(step(&merge(&a, &b)), merge(&step(&a), &step(&b)), "distributive");
    let mut absorbed = a.clone();
    algebra.absorb(&mut absorbed, &b, cell, label).expect("the values are small");
    assert_eq!(absorbed, merge(&a, &step(&b)), "both at once");
    // A state may be dropped for one just like it, if for any at all, and then for every one better.
    if algebra.covers(&a, &b) && algebra.covers(&b, &c) {
        assert!(algebra.covers(&a, &c), "transitive");
    }
}

fn weight(cell: usize, label: u8) -> i64 {
    automata::weight(cell, label)
}

fn list(mut weights: Vec<i64>, k: usize) -> Vec<i64> {
    weights.sort_unstable();
    weights.truncate(k);
    weights
}

proptest! {
    #[test]
    fn algebras_keep_their_laws(
        numbers: [u32; 3],
        weights in [-4_i64..4, -4..4, -4..4],
        lists in [prop::collection::vec(-5_i64..5, 0..6), prop::collection::vec(-5_i64..5, 0..6), prop::collection::vec(-5_i64..5, 0..6)],
        modulus in 1_u64..,
        k in 0_usize..5,
        cell in 0_usize..9,
        label: u8,
    ) {
        laws(&Counting::<u64>::new(), numbers.map(u64::from), cell, label);
        laws(&Counting::<u128>::new(), numbers.map(u128::from), cell, label);
        laws(&Counting::<Limbs<3>>::new(), numbers.map(|number| Limbs::from(u64::from(number))), cell, label);
        laws(&Counting::<Natural>::new(), numbers.map(Natural::from), cell, label);
        let modulo = Modulo::new([modulus, 10]).unwrap();
        let residues = numbers.map(|number| [u64::from(number) % modulus, u64::from(number) % 10]);
        laws(&modulo, residues, cell, label);
        laws(&Feasible, [(); 3], cell, label);
        laws(&Best::maximise(weight), weights, cell, label);
        laws(&Best::minimise(weight), weights, cell, label);
        let tied = [0, 1, 2].map(|index: usize| Tied { weight: weights[index], ways: numbers[index].into() });
        laws(&Optima::minimise(weight), tied, cell, label);
        laws(&BestK::minimise(k, weight), lists.map(|weights| list(weights, k)), cell, label);
        let pairs = [0, 1, 2].map(|index: usize| (residues[index], weights[index]));
        laws(&(modulo, Best::minimise(weight)), pairs, cell, label);
    }

    #[test]
    fn one_is_the_empty_way(automaton in automata::automata()) {
        // Nothing done: no state before the first step can be worth anything else.
        let ones = (
            Algebra::<Automaton>::one(&Counting::<u64>::new()),
            Algebra::<Automaton>::one(&Best::maximise(weight)),
            Algebra::<Automaton>::one(&BestK::maximise(0, weight)),
            Algebra::<Automaton>::one(&Modulo::new([1]).unwrap()),
        );
        prop_assert_eq!(ones, (1, 0, vec![], [0]));
        prop_assert!(automaton.solutions().iter().all(|labels| labels.len() == automaton.layers()));
    }
}

#[test]
fn an_overflow_is_an_error_and_not_a_number() {
    fn overflows<A: Algebra<Automaton>>(algebra: &A, value: A::Value, label: u8) -> bool {
        let mut sum = value.clone();
        algebra.merge(&mut sum, value.clone()).is_err()
            || algebra.absorb(&mut value.clone(), &value, 0, label).is_err()
            || algebra.extend(&value, 0, label).is_err()
    }
    assert!(overflows(&Counting::new(), 1_u64 << 63, 0));
    assert!(overflows(&Counting::new(), 1_u128 << 127, 0));
    assert!(overflows(&Counting::new(), Limbs::from_limbs([0, 1 << 63]), 0));
    assert!(!overflows(&Counting::new(), Limbs::from_limbs([0, 1 << 63, 0]), 0));
    assert!(!overflows(&Counting::new(), Natural::from(u128::MAX), 0));
    let heavy = |_: usize, _: u8| i64::MAX;
    assert!(overflows(&Best::maximise(heavy), 1, 0));
    assert!(!overflows(&Best::maximise(heavy), -1, 0));
    assert!(overflows(&Optima::maximise(heavy), Tied { weight: 1, ways: 1 }, 0));
    assert!(overflows(&Optima::maximise(weight), Tied { weight: 1, ways: u128::MAX }, 0));
    assert!(overflows(&BestK::maximise(3, heavy), vec![1, -1], 0));
    assert!(overflows(&(Feasible, Counting::new()), ((), u64::MAX), 0));
    assert!(overflows(&(Counting::new(), Feasible), (u64::MAX, ()), 0));
}

#[test]
fn numbers_count_up_from_one() {
    fn count_to_three<C: Counter + PartialEq + std::fmt::Debug + From<u64>>() {
        let mut count = C::one();
        assert!(!count.add(&C::one()) && !count.add(&C::one()));
        assert_eq!(count, C::from(3));
    }
    count_to_three::<u64>();
    count_to_three::<u128>();
    count_to_three::<Limbs<1>>();
    count_to_three::<Limbs<16>>();
    count_to_three::<Natural>();
}
