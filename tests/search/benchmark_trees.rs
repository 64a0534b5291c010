//! Benchmark trees: unbalanced random trees, and numerical semigroups by genus.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::search::Frontier;
use secateurs::{Limits, Search};

use crate::benchmarks::semigroups::Semigroups;
use crate::benchmarks::uts::{Shape, UnbalancedTree};
use crate::shared::semigroups::{BY_GENUS, check_counts_by_genus};
use crate::support::sizes::sized;

#[test]
fn semigroups_of_each_genus_have_the_known_counts() {
    check_counts_by_genus(sized(18, 25));
    let larger = [(30, 5_646_773), (32, 15_195_070)];
    for (genus, expected) in &larger[..sized(0, 2)] {
        let outcome = Search::new(&Semigroups::of_genus(*genus).expect("a small genus")).count();
        assert_eq!(outcome.exact(), Some(*expected));
    }
}

/// Computes the sets of gaps of this size by brute force: extends each smaller set by every
/// possible gap, and tests the sums of elements.
fn gap_sets(genus: u8) -> BTreeSet<Vec<u8>> {
    if genus == 0 {
        return BTreeSet::from([vec![]]);
    }
    let is_semigroup = |gaps: &[u8]| {
        let is_element = |number: u8| !gaps.contains(&number);
        gaps.iter().all(|&gap| (1..gap).all(|part| !(is_element(part) && is_element(gap - part))))
    };
    // A gap is below twice the genus, and removing the largest gap leaves a set of gaps.
    let fewer = gap_sets(genus - 1);
    let extended = fewer.iter().flat_map(|gaps| {
        let last = gaps.last().copied().unwrap_or(0);
        (last + 1..2 * genus).map(|gap| [&gaps[..], &[gap]].concat())
    });
    extended.filter(|gaps| is_semigroup(gaps)).collect()
}

#[test]
fn paths_are_the_gaps_of_semigroups() {
    for genus in 0..9 {
        let semigroups = Semigroups::of_genus(genus.into()).expect("a small genus");
        let found: Vec<Vec<u8>> = Search::new(&semigroups).check_undo().solutions().collect();
        assert_eq!(found.len() as u64, BY_GENUS[usize::from(genus)]);
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), gap_sets(genus));
    }
    let three = Semigroups::of_genus(3).expect("a small genus");
    let in_order: Vec<Vec<u8>> = Search::new(&three).solutions().collect();
    assert_eq!(in_order, [[1, 2, 3], [1, 2, 4], [1, 2, 5], [1, 3, 5]]);
    let invariants = |node: &secateurs::Node<'_, Semigroups>| {
        let state = node.state();
        (node.path().to_vec(), state.genus(), state.multiplicity(), state.conductor())
    };
    let all = Semigroups::up_to_genus(7).expect("a small genus");
    for (gaps, genus, multiplicity, conductor) in Search::new(&all).extract(invariants).solutions()
    {
        assert_eq!(genus, gaps.len());
        assert_eq!(
            multiplicity,
            usize::from(
                (1_u8..)
                    .find(|&number| !gaps.contains(&number))
                    .expect("there are finitely many gaps")
            )
        );
        assert_eq!(conductor, gaps.last().map_or(0, |&last| usize::from(last) + 1));
    }
}

#[test]
fn the_largest_genus_is_searched_and_a_larger_one_rejected() {
    let most = Semigroups::MAX_GENUS;
    let semigroups = Semigroups::of_genus(most).expect("the largest genus");
    // The first solution is the semigroup of 0 and all numbers above the genus.
    let first = Search::new(&semigroups).first();
    let gaps: Vec<u8> = (1..=most as u8).collect();
    assert_eq!(first.solution(), Some(&gaps));
    let _ = Search::new(&semigroups).limits(Limits::new().nodes(100_000)).check_undo().count();
    let error = Semigroups::up_to_genus(most + 1).expect_err("a genus that is too large");
    assert_eq!(error, format!("found the genus {}, expected at most {most}", most + 1));
}

/// Counts the nodes of a tree.
fn size(tree: &UnbalancedTree) -> u128 {
    Search::new(tree).count().exact().expect("no limit")
}

#[test]
fn trees_of_a_seed_never_change() {
    // These sizes may change only if the hash that generates the trees changes, because
    // measurements must be comparable between versions.
    let binomial =
        |seed| size(&UnbalancedTree::binomial(100, 4, 0.2, seed).expect("a finite tree"));
    let geometric =
        |shape, seed| size(&UnbalancedTree::geometric(3.0, 7, shape, seed).expect("a small tree"));
    let sizes = [
        binomial(0),
        binomial(1),
        geometric(Shape::Fixed, 0),
        geometric(Shape::Fixed, 4),
        geometric(Shape::Linear, 0),
        geometric(Shape::Linear, 4),
    ];
    assert_eq!(sizes, [321, 313, 190, 20_769, 23, 858]);
    // 2000 subtrees with 1 / (1 − 2 · 0.49) = 50 nodes each, on average over all seeds.
    let tree = UnbalancedTree::binomial(2000, 2, 0.49, 7).expect("a finite tree");
    assert_eq!(size(&tree), 78_193);
    let tree = UnbalancedTree::geometric(4.0, 8, Shape::Linear, 4).expect("a small tree");
    assert_eq!(size(&tree), 6849);
}

/// Asserts that a number differs by less than `error` from the expected one.
fn assert_close(found: f64, expected: f64, error: f64) {
    assert!((found - expected).abs() < error, "{found}, not {expected} within {error}");
}

#[test]
fn numbers_of_children_have_the_specified_distribution() {
    // The root, over many seeds: it has at least k children with probability (3/4)^k.
    let trees = sized(3_000, 30_000);
    let mut at_least = [0_u32; 12];
    for seed in 0..trees {
        let tree = UnbalancedTree::geometric(3.0, 1, Shape::Fixed, seed).expect("a small tree");
        let children = size(&tree) as usize - 1;
        at_least.iter_mut().take(children + 1).for_each(|number| *number += 1);
    }
    for (power, &number) in (0..).zip(&at_least) {
        let expected = 0.75_f64.powi(power) * trees as f64;
        // Four standard deviations of a count.
        assert_close(f64::from(number), expected, 4.0 * expected.sqrt() + 1.0);
    }
    // The mean decreases to 0: a level has on average 2, 3/2, 1 and 1/2 times the nodes of the one
    // above.
    let sizes = (0..trees).map(|seed| {
        size(&UnbalancedTree::geometric(2.0, 4, Shape::Linear, seed).expect("a small tree"))
    });
    let mean = sizes.sum::<u128>() as f64 / trees as f64;
    assert_close(mean, 1.0 + 2.0 + 3.0 + 3.0 + 1.5, sized(1.5, 0.5));
    // Siblings and cousins are independent: half of the nodes below the root have a child.
    let root = sized(20_000, 200_000);
    let tree = UnbalancedTree::binomial(root, 1, 0.5, 3).expect("a finite tree");
    let levels = Search::new(&tree).count().report().levels().to_vec();
    for (depth, level) in levels.iter().enumerate().take(8).skip(1) {
        let expected = f64::from(root) / f64::from(1 << (depth - 1));
        assert_close(level.nodes as f64, expected, 4.0 * expected.sqrt());
    }
}

#[test]
fn degenerate_trees_are_built_and_invalid_ones_rejected() {
    assert_eq!(size(&UnbalancedTree::binomial(0, 5, 0.1, 1).expect("a tree")), 1);
    assert_eq!(size(&UnbalancedTree::binomial(9, 0, 0.9, 1).expect("a tree")), 10);
    assert_eq!(size(&UnbalancedTree::binomial(9, 9, 0.0, 1).expect("a tree")), 10);
    for shape in [Shape::Fixed, Shape::Linear] {
        assert_eq!(size(&UnbalancedTree::geometric(5.0, 0, shape, 1).expect("a tree")), 1);
        assert_eq!(size(&UnbalancedTree::geometric(0.0, 5, shape, 1).expect("a tree")), 1);
    }
    for (tree, message) in [
        (
            UnbalancedTree::binomial(1, 2, 0.5, 0),
            "found the probability 0.5 of 2 children, expected at least 0 and below both 1 and \
             1 / 2",
        ),
        (UnbalancedTree::binomial(1, 2, -0.5, 0), "found the probability -0.5 of 2 children"),
        (UnbalancedTree::binomial(1, 0, 1.0, 0), "found the probability 1 of 0 children"),
        (UnbalancedTree::binomial(1, 2, f64::NAN, 0), "found the probability NaN of 2 children"),
        (
            UnbalancedTree::binomial(1_000_001, 2, 0.1, 0),
            "found 1000001 children of a node, expected from 0 to 1000000",
        ),
        (UnbalancedTree::binomial(1, u32::MAX, 0.0, 0), "found 4294967295 children of a node"),
        (UnbalancedTree::geometric(-1.0, 3, Shape::Fixed, 0), "found -1 children of a node"),
        (
            UnbalancedTree::geometric(f64::INFINITY, 3, Shape::Fixed, 0),
            "found inf children of a node",
        ),
        (UnbalancedTree::geometric(f64::NAN, 3, Shape::Linear, 0), "found NaN children of a node"),
        (
            UnbalancedTree::geometric(1.0, usize::MAX, Shape::Linear, 0),
            "found a depth of 18446744073709551615, expected at most 1000000",
        ),
    ] {
        let error = tree.expect_err(message);
        assert!(error.starts_with(message), "{error}");
    }
    // The children of very wide trees are generated lazily.
    let wide = UnbalancedTree::geometric(1e6, 1_000_000, Shape::Fixed, 1).expect("a tree");
    assert_eq!(Search::new(&wide).limits(Limits::new().nodes(50)).count().at_least(), 50);
}

#[test]
fn problems_can_be_sent_to_other_threads() {
    fn assert_send<
        T: secateurs::Problem<State: Clone + Send, Choice: Clone + Send, Cursor: Send, Undo: Send>
            + Clone
            + Send
            + Sync,
    >() {
    }
    assert_send::<UnbalancedTree>();
    assert_send::<Semigroups>();
}

#[test]
fn several_threads_count_the_same_nodes() {
    let semigroups = Semigroups::of_genus(20).expect("a small genus");
    let outcome = Search::new(&semigroups).threads(2).count();
    assert_eq!(outcome.exact(), Some(BY_GENUS[20].into()));
    let tree = UnbalancedTree::binomial(200, 2, 0.49, 5).expect("a finite tree");
    let (one, two) = (Search::new(&tree).count(), Search::new(&tree).threads(2).count());
    assert_eq!((two.exact(), two.report().levels()), (one.exact(), one.report().levels()));
}

proptest! {
    #[test]
    fn counts_of_the_parts_of_a_frontier_add_up_to_the_tree(
        seed: u64,
        nodes in 1..200_u64,
        parts in 1..5_usize,
        binomial: bool,
    ) {
        let tree = match binomial {
            true => UnbalancedTree::binomial(20, 3, 0.3, seed),
            false => UnbalancedTree::geometric(2.5, 6, Shape::Linear, seed),
        };
        let tree = tree.expect("a small tree");
        let expected = Search::new(&tree).check_undo().count();
        let mut frontier = Frontier::new();
        let limited = Search::new(&tree).limits(Limits::new().nodes(nodes));
        let _ = limited.frontier(&mut frontier).count();
        let mut total = 0;
        for mut part in frontier.split(parts) {
            total += Search::new(&tree).frontier(&mut part).count().at_least();
        }
        prop_assert_eq!(Some(total), expected.exact());
        prop_assert_eq!(u128::from(expected.report().nodes()), total);
    }
}
