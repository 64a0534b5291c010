//! Estimated sizes of trees against the true sizes.

use secateurs::search::estimate::{Estimate, Estimated};
use secateurs::{Report, Search};

use super::power_law::{Law, PowerLawTree};
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

/// The ways to estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    Knuth,
    Chen,
    Learned,
    /// With the logarithm of the size of a subtree as its type.
    Typed,
}

pub const METHODS: [Method; 4] = [Method::Knuth, Method::Chen, Method::Learned, Method::Typed];

impl Method {
    /// Estimates a tree. `effort` is 1 for a thousand probes.
    fn estimate(self, tree: &PowerLawTree, effort: f64, seed: u64) -> Estimate {
        let search = Search::new(tree);
        let nodes = (effort * 5_000.0) as u64;
        match self {
            Method::Knuth => search.estimate((effort * 1_000.0) as u64, seed),
            Method::Chen => search.estimate_stratified((effort * 100.0) as u64, seed),
            Method::Learned => search.estimate_within(nodes, seed),
            Method::Typed => {
                search.estimate_within_by(nodes, seed, |node| (1 + node.state().size).ilog2())
            }
        }
    }
}

/// The shares of estimates that are reliable, and whose intervals contain the size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coverage {
    pub all: u64,
    pub covered: u64,
    pub reliable: u64,
    pub reliable_and_covered: u64,
}

impl Coverage {
    pub fn add(&mut self, estimate: &Estimate, size: u64) {
        let (from, to) = estimate.interval().expect("there were two probes");
        // The mean of equal numbers may be rounded.
        let is_covered = (from * (1.0 - 1e-9)..=to * (1.0 + 1e-9)).contains(&(size as f64));
        self.all += 1;
        self.covered += u64::from(is_covered);
        self.reliable += u64::from(estimate.is_reliable());
        self.reliable_and_covered += u64::from(estimate.is_reliable() && is_covered);
    }

    /// Asserts that at least 85 % of the intervals of reliable estimates contain the size.
    pub fn assert_reliable_ones_covered(&self, what: &str) {
        let Coverage { reliable, reliable_and_covered, .. } = *self;
        assert!(100 * reliable_and_covered >= 85 * reliable, "{what}: {self:?}");
    }

    fn print(&self, what: &str) {
        let percent = |part: u64, all: u64| match all {
            0 => "–".to_owned(),
            all => format!("{:.0} %", 100.0 * part as f64 / all as f64),
        };
        println!(
            "| {what} | {} | {} | {} |",
            percent(self.covered, self.all),
            percent(self.reliable, self.all),
            percent(self.reliable_and_covered, self.reliable)
        );
    }
}

/// Checks the intervals of reliable estimates of trees with sizes of a power law, and prints a
/// table.
pub fn check_power_laws(trees: u64, seeds: u64) {
    let laws = [
        Law::Shares { breadth: 4 },
        Law::Shares { breadth: 8 },
        Law::Leaves { levels: 3, most: 1 << 18 },
        Law::Leaves { levels: 5, most: 1 << 18 },
        Law::Depths,
    ];
    println!("| method, trees | covered | reliable | covered if reliable |");
    println!("|---|---:|---:|---:|");
    let mut of_methods = Vec::new();
    for method in METHODS {
        let mut all = Coverage::default();
        for law in laws {
            let mut of_law = Coverage::default();
            for alpha in [0.7, 0.9, 1.1, 1.3, 1.5, 1.75, 2.0] {
                for tree in 0..trees {
                    let tree = PowerLawTree::new(law, alpha, tree);
                    for seed in 0..seeds {
                        for effort in [0.2, 1.0] {
                            let estimate = method.estimate(&tree, effort, seed);
                            of_law.add(&estimate, tree.size());
                            all.add(&estimate, tree.size());
                        }
                    }
                }
            }
            of_law.print(&format!("{method:?}, {law:?}"));
        }
        all.print(&format!("{method:?}, all"));
        of_methods.push((method, all));
    }
    for (method, coverage) in of_methods {
        coverage.assert_reliable_ones_covered(&format!("{method:?}"));
    }
}
