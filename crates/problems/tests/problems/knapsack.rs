//! Knapsacks against dynamic programming over capacities (Bellman 1957).

use std::cmp::Reverse;

use proptest::prelude::*;
use secateurs::Search;
use secateurs_lab::Audit;
use secateurs_problems::knapsack::{Filling, Item, Knapsack};

/// Returns the best value, by a table with an entry for each capacity.
fn by_table(capacity: u64, items: &[(u64, u64)]) -> u64 {
    let mut best = vec![0; usize::try_from(capacity).expect("a small capacity") + 1];
    for &(weight, value) in items {
        for room in (usize::try_from(weight).expect("a small weight")..best.len()).rev() {
            let with = best[room - usize::try_from(weight).expect("a small weight")] + value;
            best[room] = best[room].max(with);
        }
    }
    best[best.len() - 1]
}

/// Items of three classes of similar weights.
fn of_classes() -> impl Strategy<Value = Vec<(u64, u64)>> {
    let class = |weight: u64| {
        prop::collection::vec((weight..weight + 4, 0..5_u64), 16..19).prop_map(|items| {
            items.into_iter().map(|(weight, more)| (weight, weight + more)).collect::<Vec<_>>()
        })
    };
    (class(60), class(0), class(23))
        .prop_map(|(heavy, light, middle)| [heavy, light, middle].concat())
}

proptest! {
    #[test]
    fn diagrams_of_classes_of_items_find_the_optimum_of_the_table(
        capacity in 0..300_u64,
        items in of_classes(),
    ) {
        let knapsack = Knapsack::new(capacity, items.iter().copied())?;
        let weights: Vec<u64> = knapsack.items().iter().map(|item| item.weight).collect();
        let class = |&weight: &u64| [23, 60].into_iter().filter(|&least| weight >= least).count();
        prop_assert!(weights.iter().map(class).rev().is_sorted(), "{weights:?}");
        let value = Knapsack::objective();
        let search = Search::new(&knapsack).diagrams(&value, 10).rough(Knapsack::relaxation);
        let outcome = search.best(&value);
        prop_assert_eq!(outcome.proven(), Some(&by_table(capacity, &items)));
    }

    #[test]
    fn searches_and_diagrams_find_the_optimum_of_the_table(
        capacity in 0..40_u64,
        items in prop::collection::vec((0..20_u64, 0..20_u64), 0..9),
    ) {
        let knapsack = Knapsack::new(capacity, items.iter().copied())?;
        let expected = by_table(capacity, &items);
        let value = Knapsack::objective();
        let plain = Search::new(&knapsack).best(&value);
        prop_assert_eq!(plain.proven(), Some(&expected));
        let value = Knapsack::objective();
        let bound = value.bound("relaxation", Knapsack::relaxation);
        let bounded = Search::new(&knapsack).hooks((bound,)).best(&value);
        prop_assert_eq!(bounded.proven(), Some(&expected));
        prop_assert!(bounded.report().nodes() <= plain.report().nodes());
        for width in [1, 3, usize::MAX] {
            let value = Knapsack::objective();
            let best = Search::new(&knapsack).diagrams(&value, width).best(&value);
            prop_assert_eq!(best.proven(), Some(&expected), "width {}", width);
        }
    }

    #[test]
    fn the_relaxation_is_optimistic_at_every_node(
        capacity in 0..40_u64,
        items in prop::collection::vec((0..20_u64, 0..20_u64), 0..8),
    ) {
        let knapsack = Knapsack::new(capacity, items)?;
        let value = Knapsack::objective();
        let audit = Audit::of_best(&knapsack, &value).bound("relaxation", Knapsack::relaxation);
        audit.run()?.exhaustive()?;
    }

    #[test]
    fn the_relaxation_is_that_of_items_taken_one_by_one(
        items in prop_oneof![prop::collection::vec((0..20_u64, 0..20_u64), 0..12), of_classes()],
        capacity in 0..100_u64,
        decided in 0..60_usize,
        room in 0..400_u64,
        value in 0..9_u64,
    ) {
        let knapsack = Knapsack::new(capacity, items)?;
        let decided = decided % (knapsack.items().len() + 1);
        let mut rest = knapsack.items()[decided..].to_vec();
        rest.sort_by_key(|item| (item.value * 1_000_000).checked_div(item.weight).map(Reverse));
        let (mut left, mut expected) = (room, value);
        for item in &rest {
            let taken = left.min(item.weight);
            let is_whole = taken == item.weight;
            expected += if is_whole { item.value } else { item.value * left / item.weight };
            left -= taken;
            if !is_whole {
                break;
            }
        }
        let found = knapsack.relaxation(&Filling { decided, room, value });
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn display_and_parse_round_trip(
        capacity: u64,
        items in prop_oneof![
            prop::collection::vec((0..1_u64 << 40, 0..1_u64 << 40), 0..9),
            of_classes(),
            of_classes().prop_map(|mut items| {
                items.iter_mut().for_each(|(weight, value)| *value = *weight);
                items
            }),
        ],
    ) {
        let knapsack = Knapsack::new(capacity, items)?;
        prop_assert_eq!(knapsack.to_string().parse(), Ok(knapsack));
    }
}

#[test]
fn classes_of_equal_densities_round_trip() {
    let items = [(1, 1); 16].into_iter().chain([(2, 2), (100, 100)]);
    let knapsack = Knapsack::new(50, items).expect("small numbers");
    assert_eq!(knapsack.items()[0].weight, 100);
    assert_eq!(knapsack.to_string().parse(), Ok(knapsack));
}

/// Each weight occurs so often that its neighbours in the order equal it.
#[test]
fn random_weights_from_a_narrow_range_are_one_class() {
    for (largest, seed) in [(3, 1), (7, 2), (10, 3), (40, 4), (100, 5)] {
        let knapsack = Knapsack::strongly_correlated(1000, largest, seed).expect("a size");
        let items = knapsack.items();
        let is_denser =
            |one: Item, other: Item| one.value * other.weight >= other.value * one.weight;
        assert!(items.is_sorted_by(|&one, &other| is_denser(one, other)), "{largest}: {items:?}");
    }
}

#[test]
fn more_items_than_the_maximum_are_refused_before_they_are_generated() {
    for items in [(1 << 20) + 1, usize::MAX] {
        let error = Knapsack::strongly_correlated(items, 1, 0).expect_err("too many items");
        let expected = format!("found {items} items, expected at most 1048576");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn strongly_correlated_items_have_the_optimum_of_the_table() {
    let knapsack = Knapsack::strongly_correlated(24, 100, 3).expect("a small instance");
    let items: Vec<_> = knapsack.items().iter().map(|item| (item.weight, item.value)).collect();
    let value = Knapsack::objective();
    let bound = value.bound("relaxation", Knapsack::relaxation);
    let outcome = Search::new(&knapsack).hooks((bound,)).best(&value);
    assert_eq!(outcome.proven(), Some(&by_table(knapsack.capacity(), &items)));
}

#[test]
fn the_largest_sums_do_not_overflow() {
    let half = 1 << 61;
    let knapsack = Knapsack::new(u64::MAX, [(half, half), (half, half)]).expect("2^62 in all");
    let root = Filling { decided: 0, room: u64::MAX, value: 0 };
    assert_eq!(knapsack.relaxation(&root), 1 << 62);
    let tight = Knapsack::new(half - 1, [(half, half), (half, half)]).expect("2^62 in all");
    assert_eq!(tight.relaxation(&Filling { decided: 0, room: half - 1, value: 0 }), half - 1);
}

/// Without the line that tells the formats apart, an item would have its columns swapped.
#[test]
fn values_come_before_weights_after_the_number_of_items() {
    let expected = Knapsack::new(10, [(4, 9), (8, 7)]).expect("a small instance");
    for text in ["10\n4 9\n8 7\n", "2 10\n9 4\n7 8\n", "2\n10\n\n9 4 # an item\n7 8\n"] {
        assert_eq!(text.parse(), Ok(expected.clone()), "{text}");
    }
    let three = Knapsack::new(10, [(4, 9), (8, 7), (1, 1)]).expect("a small instance");
    for text in ["3 10\n9 4\n7 8\n1 1\n", "3\n10\n9 4\n7 8\n1 1\n1 0 1\n"] {
        assert_eq!(text.parse(), Ok(three.clone()), "{text}");
    }
    assert_eq!("0 5\n".parse(), Ok(Knapsack::new(5, []).expect("no item")));
}

#[test]
fn indexes_come_before_values_and_the_capacity_comes_last() {
    let read = "3\n0 13 6\n1 8 5\n\n2 7 4 # the last one\n10\n".parse();
    assert_eq!(read, Ok(Knapsack::new(10, [(6, 13), (5, 8), (4, 7)]).expect("small numbers")));
    let from_1 = "3\n1 13 6\n2 8 5\n3 7 4\n10\n".parse();
    assert_eq!(from_1, read);
    assert_eq!("0\n10\n".parse(), Ok(Knapsack::new(10, []).expect("no items")));
}
