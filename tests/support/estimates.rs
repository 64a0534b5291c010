//! Estimated sizes of trees against the true sizes.

use secateurs::brancher::Shuffled;
use secateurs::search::estimate::{Estimate, Estimated};
use secateurs::{Report, Search};

use crate::support::trees::RandomTree;

/// Returns the estimated number of nodes.
pub fn nodes(estimate: &Estimate) -> f64 {
    estimate.nodes().expect("there were probes").mean
}

/// Returns the standard error of the number of nodes.
pub fn error(estimate: &Estimate) -> f64 {
    estimate.nodes().and_then(|nodes| nodes.standard_error).expect("there were two probes")
}

/// Counts the estimates, one per seed, that are within two of their own standard errors.
pub fn covered(size: f64, seeds: u64, estimate: impl Fn(u64) -> Estimate) -> u64 {
    let within = |&seed: &u64| {
        let estimate = estimate(seed);
        (nodes(&estimate) - size).abs() <= 2.0 * error(&estimate)
    };
    (0..seeds).filter(within).count() as u64
}

/// Checks that the estimates of each level and of the whole tree are within `errors` standard
/// errors.
pub fn assert_profile(estimate: &Estimate, report: &Report, errors: f64) {
    let near = |estimated: Estimated, truth: u64, what: &str| {
        let allowed =
            errors * estimated.standard_error.expect("there were two probes") + 1e-9 * truth as f64;
        let off = (estimated.mean - truth as f64).abs();
        assert!(off <= allowed, "{what}: {} ± {allowed} is not {truth}", estimated.mean);
    };
    near(estimate.nodes().expect("there were probes"), report.nodes(), "nodes");
    near(estimate.solutions().expect("there were probes"), report.solutions(), "solutions");
    assert!(estimate.levels().len() <= report.levels().len());
    for (depth, (estimated, level)) in estimate.levels().iter().zip(report.levels()).enumerate() {
        near(estimated.nodes, level.nodes, &format!("nodes at depth {depth}"));
        near(estimated.solutions, level.solutions, &format!("solutions at depth {depth}"));
    }
    let sum: f64 = estimate.levels().iter().map(|level| level.nodes.mean).sum();
    assert!((sum - nodes(estimate)).abs() <= 1e-9 * sum);
}

/// Returns random trees of 50 to 5,000 nodes with their reports.
pub fn random_trees() -> impl Iterator<Item = (RandomTree, Report)> {
    (0..400).filter_map(|seed| {
        let tree = RandomTree::new(seed, 3, 9);
        let report = Search::new(&tree).count().into_parts().1;
        (50..5_000).contains(&report.nodes()).then_some((tree, report))
    })
}

/// Checks that the standard errors cover the true sizes of random trees as often as they should, in
/// a hundred estimates of each tree.
pub fn check_standard_errors(trees: usize, probes: u64) {
    for (tree, report) in random_trees().take(trees) {
        let size = report.nodes() as f64;
        let sampled = covered(size, 100, |seed| Search::new(&tree).estimate(probes, seed));
        let strata =
            covered(size, 100, |seed| Search::new(&tree).estimate_stratified(probes / 10, seed));
        assert!(
            (85..=100).contains(&sampled) && (85..=100).contains(&strata),
            "{size} nodes: {sampled}, {strata}"
        );
    }
}

/// Checks estimates of random trees by plain and by stratified probes, with and without shuffled
/// children.
pub fn check_profiles(trees: usize) {
    let shuffled = || Shuffled::new(5);
    for (tree, report) in random_trees().take(trees) {
        assert_profile(&Search::new(&tree).estimate(20_000, 1), &report, 5.0);
        assert_profile(&Search::new(&tree).brancher(shuffled()).estimate(20_000, 2), &report, 5.0);
        assert_profile(&Search::new(&tree).estimate_stratified(2_000, 3), &report, 5.0);
        assert_profile(
            &Search::new(&tree).brancher(shuffled()).estimate_stratified(2_000, 4),
            &report,
            5.0,
        );
    }
}
