//! The ready-made algebras: their laws, and their totals on random automata compared with the list
//! of all solutions.

use std::collections::BTreeMap;

use proptest::prelude::*;
use secateurs::plug::algebra::{
    Best, BestK, CountByWeight, Counter, Counting, Feasible, Limbs, Modulo, Natural, Optima,
    Polynomial, Residues, Tied, UpTo, Weight,
};
use secateurs::plug::{Algebra, ContourProblem, OfWeight, Sweep};
use secateurs::{Direction, Outcome, Stop, Total, Uniqueness};

use crate::automata::{self, Automaton, LabelsAndEnd, weight};
use crate::shared::sweeps::AllDominate;

/// Checks the laws of an algebra on three values and one label: `merge` is associative and
/// commutative, `extend` distributes over it, `absorb` equals `extend` followed by `merge`, and
/// `covers` is transitive.
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
    // A state may be dropped in favour of one that is itself dropped later, so `covers` must be
    // transitive.
    if algebra.covers(&a, &b) && algebra.covers(&b, &c) {
        assert!(algebra.covers(&a, &c), "transitive");
    }
}

/// Returns the `k` smallest weights in ascending order: a value of `BestK::minimise`.
fn smallest(mut weights: Vec<i64>, k: usize) -> Vec<i64> {
    weights.sort_unstable();
    weights.truncate(k);
    weights
}

/// Returns a weight that is not negative.
fn degree(cell: usize, label: u8) -> i64 {
    weight(cell, label) + 4
}

/// Returns the sum of 1 and paths of these weights, from -5 up; if there are none, that of a single
/// path of a large weight, which is 0 with a limit.
fn polynomial<W: Weight<Automaton>>(by_weight: &CountByWeight<W>, weights: &[i64]) -> Polynomial {
    let one: Polynomial = Algebra::<Automaton>::one(by_weight);
    let shift = |weight: i64| CountByWeight::new(move |_: usize, _: u8| weight + 5);
    let mut sum = one.clone();
    if weights.is_empty() {
        let heavy = shift(9).up_to(one.limit().unwrap_or(u32::MAX));
        return Algebra::<Automaton>::extend(&heavy, &one, 0, 0).expect("a small degree");
    }
    for &weight in weights {
        Algebra::<Automaton>::absorb(&shift(weight), &mut sum, &one, 0, 0).expect("a small degree");
    }
    sum
}

proptest! {
    #[test]
    fn algebras_obey_their_laws(
        numbers: [u32; 3],
        weights in [-4_i64..4, -4..4, -4..4],
        lists in prop::array::uniform3(prop::collection::vec(-5_i64..5, 0..6)),
        modulus in 1_u64..,
        k in 0_usize..5,
        cell in 0_usize..9,
        label: u8,
    ) {
        laws(&Counting::<u64>::new(), numbers.map(u64::from), cell, label);
        laws(&Counting::<u128>::new(), numbers.map(u128::from), cell, label);
        let limbs = numbers.map(|number| Limbs::from(u64::from(number)));
        laws(&Counting::<Limbs<3>>::new(), limbs, cell, label);
        laws(&Counting::<Natural>::new(), numbers.map(Natural::from), cell, label);
        let up_to = numbers.map(|number| {
            let mut up_to = UpTo::<3>::one();
            (0..number % 5).for_each(|_| assert!(!up_to.add(&UpTo::one())));
            up_to
        });
        laws(&Counting::<UpTo<3>>::new(), up_to, cell, label);
        let modulo = Modulo::new([modulus, 10]).unwrap();
        let residues = numbers.map(|number| [u64::from(number) % modulus, u64::from(number) % 10]);
        laws(&modulo, residues, cell, label);
        laws(&Feasible, [(); 3], cell, label);
        laws(&Best::maximise(weight), weights, cell, label);
        laws(&Best::minimise(weight), weights, cell, label);
        let tied = |index: usize| Tied { weight: weights[index], ways: numbers[index].into() };
        let tied = [0, 1, 2].map(tied);
        laws(&Optima::minimise(weight), tied, cell, label);
        let tied = [0, 1, 2].map(|index| Tied { weight: weights[index], ways: residues[index] });
        laws(&Optima::maximise(weight).counted_by(modulo), tied, cell, label);
        let best = lists.clone().map(|weights| smallest(weights, k));
        laws(&BestK::minimise(k, weight), best, cell, label);
        for by_weight in [CountByWeight::new(degree), CountByWeight::new(degree).up_to(7)] {
            let polynomials = lists.each_ref().map(|degrees| polynomial(&by_weight, degrees));
            laws(&by_weight, polynomials, cell, label);
        }
        let pairs = [0, 1, 2].map(|index: usize| (residues[index], weights[index]));
        laws(&(modulo, Best::minimise(weight)), pairs, cell, label);
    }

    #[test]
    fn totals_agree_with_the_list_of_all_solutions(
        automaton in automata::automata(),
        k in 0_usize..9,
        modulus in 1_u64..9,
        threads in 1_usize..4,
    ) {
        let solutions = automaton.solutions();
        let count = solutions.len() as u64;
        let sweep = || Sweep::new(&automaton).threads(threads);
        // Without solutions, a sweep has no total, rather than a total of zero.
        let counted = (count > 0).then_some(count);

        prop_assert_eq!(sweep().count().exact(), Some(count.into()));
        prop_assert_eq!(total(sweep().run(&Counting::<u64>::new())), counted);
        prop_assert_eq!(total(sweep().run(&Counting::<u128>::new())), counted.map(u128::from));
        prop_assert_eq!(total(sweep().run(&Counting::<Limbs<2>>::new())), counted.map(Limbs::from));
        let natural = total(sweep().run(&Counting::<Natural>::new()));
        prop_assert_eq!(natural, counted.map(Natural::from));
        prop_assert_eq!(total(sweep().run(&Feasible)), counted.map(|_| ()));
        let up_to_two = total(sweep().run(&Counting::<UpTo<2>>::new()));
        prop_assert_eq!(up_to_two.map(|number| u64::from(number.get())), counted.map(|n| n.min(2)));
        let uniqueness = [Uniqueness::None, Uniqueness::One, Uniqueness::Several];
        prop_assert_eq!(*sweep().is_unique().value(), uniqueness[count.min(2) as usize]);
        let modulo = Modulo::new([modulus, 1_000_003]).unwrap();
        let residues = counted.map(|count| [count % modulus, count % 1_000_003]);
        prop_assert_eq!(total(sweep().run(&modulo)), residues);

        let weight_of = |labels: &Vec<u8>| automaton.weight_of(labels);
        let mut weights: Vec<i64> = solutions.iter().map(weight_of).collect();
        weights.sort_unstable();
        for direction in [Direction::Minimise, Direction::Maximise] {
            let best = weights.first().copied();
            prop_assert_eq!(total(sweep().run(&Best::new(direction, LabelsAndEnd))), best);
            let ways = weights.iter().filter(|&&weight| Some(weight) == best).count() as u128;
            prop_assert_eq!(
                total(sweep().run(&Optima::new(direction, LabelsAndEnd))),
                best.map(|weight| Tied { weight, ways })
            );
            let optima = Optima::new(direction, LabelsAndEnd);
            prop_assert_eq!(
                total(sweep().run(&optima.counted_by(Counting::<Natural>::new()))),
                best.map(|weight| Tied { weight, ways: Natural::from(ways) })
            );
            // The number of cells with each label of the best solutions.
            let taken = CountByWeight::new(|_: usize, label: u8| i64::from(label == 1));
            let mut expected = BTreeMap::new();
            for labels in solutions.iter().filter(|labels| Some(weight_of(labels)) == best) {
                let ones = labels.iter().filter(|&&label| label == 1).count();
                *expected.entry(ones as u32).or_insert(0_u64) += 1;
            }
            let by_ones = total(sweep().run(&optima.counted_by(taken)));
            prop_assert_eq!(by_ones.as_ref().map(|tied| tied.weight), best);
            let by_ones = by_ones.iter().flat_map(|tied| tied.ways.terms());
            let by_ones: BTreeMap<u32, u64> = by_ones
                .map(|(ones, number)| (ones, u64::try_from(&number).expect("few")))
                .collect();
            prop_assert_eq!(by_ones, expected);
            let expected = weights.iter().copied().take(k).collect::<Vec<_>>();
            let best_k = total(sweep().run(&BestK::new(direction, k, LabelsAndEnd)));
            prop_assert_eq!(best_k, best.map(|_| expected));
            let pair = (modulo, Best::new(direction, LabelsAndEnd));
            prop_assert_eq!(total(sweep().run(&pair)).map(|pair| pair.1), best);
            // The greatest weights come first in the second direction.
            weights.reverse();
        }
    }
}

/// A weight of labels and of the last state, which is not negative, with the least weight to go,
/// minus a slack.
struct Bounded<'a> {
    automaton: &'a Automaton,
    label: fn(usize, u8) -> i64,
    slack: i64,
}

impl Weight<Automaton> for Bounded<'_> {
    fn label(&self, cell: usize, label: u8) -> i64 {
        (self.label)(cell, label)
    }
    fn end(&self, state: u8) -> i64 {
        automata::end_weight(state) + 2
    }
    fn least_to_go(&self, cell: usize, state: u8) -> i64 {
        let mut least = i64::MAX;
        if cell + 1 == self.automaton.cells() {
            if self.automaton.accept(state) {
                least = self.end(state);
            }
        } else {
            self.automaton.step(cell + 1, state, &mut |next, label| {
                let rest = Bounded { slack: 0, ..*self }.least_to_go(cell + 1, next);
                least = least.min(rest.saturating_add(self.label(cell + 1, label)));
            });
        }
        least.saturating_sub(self.slack)
    }
}

proptest! {
    #[test]
    fn counts_by_weight_agree_with_the_list_of_all_solutions(
        automaton in automata::automata(),
        slack in 0_i64..4,
        limit in prop_oneof![0_u32..30, Just(u32::MAX)],
        threads in 1_usize..4,
    ) {
        let weight = || Bounded { automaton: &automaton, label: degree, slack };
        let weight_of = |labels: &Vec<u8>| {
            let labels_only = labels.iter().enumerate().map(|(cell, &label)| degree(cell, label));
            labels_only.sum::<i64>() + automata::end_weight(automaton.end(labels).unwrap()) + 2
        };
        let solutions = automaton.solutions();
        let by_weight = CountByWeight::new(weight()).up_to(limit);
        let outcome = Sweep::new(&automaton).threads(threads).run(&by_weight);
        let within = solutions.iter().any(|labels| weight_of(labels) <= i64::from(limit));
        let backward = Sweep::new(&automaton).retain_layers().unwrap().run(&by_weight);
        prop_assert_eq!([outcome.is_proven_empty(), backward.is_proven_empty()], [!within; 2]);
        for total in [total(outcome), total(backward)].into_iter().flatten() {
            for weight in 0..60 {
                let of_weight = solutions.iter().filter(|all| weight_of(all) == i64::from(weight));
                let expected = (weight <= limit).then(|| Natural::from(of_weight.count() as u64));
                prop_assert_eq!(total.coefficient(weight), expected);
            }
        }
        // The solutions of one weight.
        let exactly = limit.min(40);
        let problem = OfWeight::new(automaton.clone(), weight(), exactly);
        let mut found: Vec<_> = Sweep::new(&problem).solutions().unwrap().collect();
        found.sort();
        let mut expected = solutions.clone();
        expected.retain(|labels| weight_of(labels) == i64::from(exactly));
        expected.sort();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn the_solutions_of_a_weight_may_have_negative_labels() {
    let automaton = Automaton::complete(5, 4);
    let solutions = automaton.solutions();
    for total in 0..12 {
        // The weights of ends are raised by 2.
        let is_of = |labels: &&Vec<u8>| automaton.weight_of(labels) + 2 == i64::from(total);
        let expected = solutions.iter().filter(is_of).count() as u128;
        let signed = Bounded { automaton: &automaton, label: weight, slack: 0 };
        let of_weight = OfWeight::new(automaton.clone(), signed, total);
        assert_eq!(Sweep::new(&of_weight).count().exact(), Some(expected), "{total}");
    }
}

/// Weights whose intermediate sums do not fit into 64 bits, by cell and label, with the exact least
/// weight that may follow.
struct Extreme([[i64; 3]; 4]);

impl Weight<Automaton> for Extreme {
    fn label(&self, cell: usize, label: u8) -> i64 {
        self.0[cell][usize::from(label)]
    }
    fn least_to_go(&self, cell: usize, _: u8) -> i64 {
        self.0[cell + 1..].iter().filter_map(|labels| labels.iter().min()).sum()
    }
}

#[test]
fn the_solutions_of_a_weight_may_have_sums_beyond_64_bits() {
    let weights =
        [[i64::MAX, 7, i64::MAX - 1], [5, i64::MAX, 0], [1, -i64::MAX, 0], [0, 2, i64::MAX - 3]];
    let automaton = Automaton::complete(4, 3);
    let weight_of = |labels: &Vec<u8>| {
        let weights = weights.iter().zip(labels);
        weights.map(|(cell, &label)| i128::from(cell[usize::from(label)])).sum::<i128>()
    };
    let solutions = automaton.solutions();
    let mut found = 0;
    for total in 0..16 {
        let expected = solutions.iter().filter(|all| weight_of(all) == i128::from(total)).count();
        let of_weight = OfWeight::new(automaton.clone(), Extreme(weights), total);
        assert_eq!(Sweep::new(&of_weight).count().exact(), Some(expected as u128), "{total}");
        found += expected;
    }
    assert!(found > 5, "{found} solutions");
}

/// Returns the total of a complete sweep. If there is none, the sweep must have proven that there
/// is no solution.
fn total<V: Clone>(outcome: Outcome<Total<V>>) -> Option<V> {
    assert_eq!(outcome.stop(), Stop::Exhausted);
    assert_eq!(outcome.is_proven_empty(), outcome.total().is_none());
    outcome.total().cloned()
}

#[test]
fn the_algebra_decides_whether_dominance_may_drop_a_state() {
    let automaton = Automaton::complete(6, 5);
    let sweep = || Sweep::new(&automaton).hooks((AllDominate,));
    let plain = Sweep::new(&automaton).run(&Best::minimise(weight));
    let best = sweep().run(&Best::minimise(weight));
    assert!(plain.total().is_some() && best.total() == plain.total());
    // The start, and then six layers of `states` states each.
    let nodes = |states: u64| 1 + 6 * states;
    assert_eq!(best.report().nodes(), nodes(1));
    assert_eq!(sweep().run(&Feasible).report().nodes(), nodes(1));
    assert_eq!(sweep().run(&Feasible).total(), Some(&()));
    // `Counting` covers no value, so every state remains. The claimed effect is too weak for a
    // count all the same, so the total is right but unproven.
    let count = sweep().run(&Counting::<u64>::new());
    assert_eq!(
        (count.report().nodes(), count.total(), count.unproven()),
        (nodes(5), None, Some(&5_u64.pow(6)))
    );
    // Both algebras of a pair have to agree.
    let pair = sweep().run(&(Best::minimise(weight), Feasible));
    assert_eq!(
        (pair.report().nodes(), pair.total().map(|pair| pair.0)),
        (nodes(1), plain.total().copied())
    );
    let pair = sweep().run(&(Counting::<u64>::new(), Best::minimise(weight)));
    assert_eq!((pair.report().nodes(), pair.total()), (nodes(5), None));
}

#[test]
fn an_overflow_names_its_cell() {
    // Each of 16 states has a step to each of them. After 16 cells, 2⁶⁰ paths lead to each state.
    // In cell 16, counted from 0, this becomes 2⁶⁴, which does not fit.
    let automaton = Automaton::complete(18, 16);
    for threads in 1..=3 {
        let sweep = Sweep::new(&automaton).threads(threads);
        let incomplete = sweep.run(&Counting::<u64>::new()).complete().unwrap_err();
        assert_eq!((incomplete.stop(), incomplete.cell()), (Stop::CountOverflow, Some(16)));
        assert!(incomplete.to_string().contains("cell 17 of 18"), "{incomplete}");
    }
    // After all of 16 cells, the count of each state (2⁶⁰) fits, but the sum over the states does
    // not.
    let automaton = Automaton::complete(16, 16);
    assert_eq!(Sweep::new(&automaton).run(&Counting::<u64>::new()).stop(), Stop::CountOverflow);
    assert_eq!(total(Sweep::new(&automaton).run(&Counting::<u128>::new())), Some(1 << 64));
}

#[test]
fn residues_of_several_sweeps_give_the_count() {
    // 7⁵⁰⁰ has 1404 bits. It takes 23 primes of 63 bits, and so three sweeps of eight primes each.
    // The fourth sweep only adds confirmations.
    let automaton = Automaton::complete(500, 7);
    let exact = total(Sweep::new(&automaton).run(&Counting::<Natural>::new())).unwrap();
    assert_eq!(exact.bits(), 1404);
    let wide = total(Sweep::new(&automaton).run(&Counting::<Limbs<22>>::new())).unwrap();
    assert_eq!(Natural::from(wide), exact);
    assert_eq!(
        Sweep::new(&automaton).run(&Counting::<Limbs<21>>::new()).stop(),
        Stop::CountOverflow
    );
    let mut residues = Residues::new();
    for round in 0..4 {
        assert_eq!(residues.at_most(&exact).is_some(), round == 3);
        let modulo = Modulo::<8>::primes(8 * round);
        let remainders = total(Sweep::new(&automaton).run(&modulo)).unwrap();
        residues.add_all(&modulo, &remainders).unwrap();
    }
    assert_eq!(residues.at_most(&exact), Some(&exact));
    assert_eq!(residues.confirmations(), 32 - 23);
}

#[test]
fn operations_beyond_the_range_return_overflow() {
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
    let negative = |_: usize, _: u8| -1;
    let one = || Algebra::<Automaton>::one(&CountByWeight::new(weight));
    assert!(overflows(&CountByWeight::new(negative), one(), 0));
    assert!(overflows(&CountByWeight::new(heavy), one(), 0));
    assert!(!overflows(&CountByWeight::new(|_: usize, _: u8| 1 << 16), one(), 0));
    assert!(overflows(&(Feasible, Counting::new()), ((), u64::MAX), 0));
    assert!(overflows(&(Counting::new(), Feasible), (u64::MAX, ()), 0));
}

#[test]
fn counters_add_one_repeatedly() {
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
