//! Tests of reliability: the interval of a reliable estimate contains the size of the tree in at
//! least 85 % of all cases, whatever the distribution of the sizes of subtrees.

use secateurs::{Node, Search};
use secateurs_problems::queens::{BitQueens, Queens};

use crate::shared::estimates::{Coverage, check_power_laws};
use crate::shared::power_law::{Law, PowerLawTree};
use crate::support::sizes::sized;

#[test]
fn reliable_estimates_of_trees_of_power_laws_cover_the_size() {
    let (trees, seeds) = sized((2, 1), (12, 3));
    check_power_laws(trees, seeds);
}

#[test]
fn estimates_of_queens_are_reliable_and_cover_the_size() {
    let queens = Queens::new(10).expect("a small board").bits();
    let nodes = Search::new(&queens).count().into_parts().1.nodes();
    let search = || Search::new(&queens);
    let attacked = |node: &Node<'_, BitQueens>| node.state().attacked().count_ones();
    let mut all = [Coverage::default(); 4];
    for seed in 0..25 {
        let estimates = [
            search().estimate(1_000, seed),
            search().estimate_stratified(100, seed),
            search().estimate_within(nodes / 4, seed),
            search().estimate_within_by(nodes / 4, seed, attacked),
        ];
        for (coverage, estimate) in all.iter_mut().zip(&estimates) {
            coverage.add(estimate, nodes);
        }
    }
    for coverage in all {
        assert!(coverage.reliable * 10 >= coverage.all * 9, "{coverage:?}");
        coverage.assert_reliable_ones_covered("10 queens");
    }
}

#[test]
fn probes_with_a_heavy_tail_are_unreliable_and_say_so() {
    let tree = PowerLawTree::new(Law::Leaves { levels: 5, most: 1 << 18 }, 1.5, 1);
    for seed in 0..20 {
        let estimate = Search::new(&tree).estimate(1_000, seed);
        assert!(!estimate.is_reliable());
        assert!(estimate.to_string().contains("Not to be relied on"), "{estimate}");
    }
}
