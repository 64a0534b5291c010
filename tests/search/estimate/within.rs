//! Estimates within a number of nodes, with derived and supplied types.

use secateurs::search::estimate::{Estimate, Sampling};
use secateurs::{Effect, Hook, Limits, Node, NodeMut, Search, Stop, Verdict, hook};
use secateurs_problems::queens::Queens;

use super::Probing;
use crate::shared::estimates::{error, nodes, random_trees};
use crate::shared::words::Stairs;
use crate::support::trees::RandomTree;

/// Checks that the mean over estimates with different seeds is the truth, at each depth as well.
fn assert_unbiased(what: &str, size: &[u64], estimate: impl Fn(u64) -> Estimate) {
    const SEEDS: u64 = 300;
    let estimates: Vec<Estimate> = (0..SEEDS).map(estimate).collect();
    let check = |depth: &str, truth: f64, values: &dyn Fn(&Estimate) -> f64| {
        let mean = estimates.iter().map(values).sum::<f64>() / SEEDS as f64;
        let spread = estimates.iter().map(|e| (values(e) - mean).powi(2)).sum::<f64>();
        let error = (spread / (SEEDS - 1) as f64 / SEEDS as f64).sqrt();
        assert!(
            (mean - truth).abs() <= 5.0 * error + 1e-9 * truth,
            "{what}, {depth}: {mean} ± {error} is not {truth}"
        );
    };
    check("all", size.iter().sum::<u64>() as f64, &nodes);
    for (depth, &truth) in size.iter().enumerate() {
        check(&format!("depth {depth}"), truth as f64, &|estimate| {
            estimate.levels().get(depth).map_or(0.0, |level| level.nodes.mean)
        });
    }
}

#[test]
fn learnt_sizes_leave_the_estimate_unbiased() {
    let mut partial = 0;
    for (tree, report) in random_trees().take(1) {
        let size: Vec<u64> = report.levels().iter().map(|level| level.nodes).collect();
        for budget in [60, 300] {
            let search = || Search::new(&tree);
            partial += u32::from(error(&search().estimate_within(budget, 1)) > 0.0);
            assert_unbiased("derived types", &size, |seed| search().estimate_within(budget, seed));
            // A type that is not even a function of the node.
            assert_unbiased("random types", &size, |seed| {
                let mut random = fastrand::Rng::with_seed(seed);
                search().estimate_within_by(budget, seed, |_| random.u8(..3))
            });
            assert_unbiased("last choices", &size, |seed| {
                search().estimate_within_by(budget, seed, |node| *node.path().last().unwrap_or(&0))
            });
        }
    }
    assert!(partial > 0, "{partial}");
}

#[test]
fn types_of_equal_subtrees_give_exact_estimates() {
    let stairs = Stairs(24);
    let report = Search::new(&stairs).count().into_parts().1;
    for seed in 0..10 {
        let estimate = Search::new(&stairs).estimate_within_by(3_000, seed, |node| *node.state());
        assert_eq!(estimate.sampling(), Sampling::Learned);
        assert!((nodes(&estimate) / report.nodes() as f64 - 1.0).abs() < 1e-9, "{estimate}");
    }
}

#[test]
fn trees_smaller_than_the_budget_are_counted() {
    for (tree, report) in random_trees().take(20) {
        let estimate = Search::new(&tree).estimate_within(100 * report.nodes(), 1);
        let size = report.nodes() as f64;
        assert_eq!((nodes(&estimate), error(&estimate)), (size, 0.0));
        assert_eq!(estimate.interval(), Some((size, size)));
        assert!(estimate.is_reliable());
    }
    // A root without children.
    let estimate = Search::new(&Stairs(0)).estimate_within(1_000, 1);
    assert_eq!((nodes(&estimate), estimate.stop()), (1.0, Stop::Satisfied));
}

#[test]
fn the_budget_and_the_limits_are_kept() {
    let queens = Queens::new(12).expect("12 is in range").bits();
    for budget in [0, 1, 1_000, 10_000, 100_000] {
        let estimate = Search::new(&queens).estimate_within(budget, 3);
        assert!(estimate.probes() >= 3);
        assert!(estimate.visited() <= (budget + budget / 2).max(1_500), "{estimate}");
        assert!(estimate.visited() >= budget / 2, "{estimate}");
        assert_eq!(nodes(&Search::new(&queens).estimate_within(budget, 3)), nodes(&estimate));
    }
    let limited = |limits: Limits| Search::new(&queens).limits(limits).estimate_within(100_000, 1);
    let stopped = limited(Limits::new().nodes(5_000));
    assert_eq!((stopped.stop(), stopped.visited()), (Stop::NodeLimit, 5_000));
    assert!(stopped.probes() > 0 && nodes(&stopped) > 12.0);
    let shallow = limited(Limits::new().depth(3));
    assert_eq!((shallow.stop(), shallow.levels().len()), (Stop::DepthLimit, 4));
}

/// A hook that prunes by the parity of its path, entered and left in pairs.
fn every_third() -> impl Hook<RandomTree> {
    hook::enter("every third", Effect::Lossy, |node: &mut NodeMut<'_, RandomTree>| {
        Verdict::prune_if(node.depth() > 0 && node.path().iter().sum::<u32>().is_multiple_of(3))
    })
}

#[test]
fn hooks_prune_the_tree_that_is_estimated() {
    let (tree, _) = random_trees().nth(1).expect("there are some");
    let mut trail = Probing::default();
    let pruned = Search::new(&tree).hooks((every_third(),)).count().into_parts().1;
    let size: Vec<u64> = pruned.levels().iter().map(|level| level.nodes).collect();
    assert_unbiased("pruned", &size, |seed| {
        Search::new(&tree).hooks((every_third(),)).estimate_within(40, seed)
    });
    // The hook checks its own calls.
    let types = |node: &Node<'_, RandomTree>| node.depth() as u64;
    let _ = Search::new(&tree).hooks((&mut trail,)).estimate_within_by(200, 1, types);
    assert!(trail.0.is_at_the_root());
}

#[test]
fn intervals_cover_the_size_as_often_as_stated() {
    let (mut covered, mut all) = ([0, 0, 0], 0);
    for (tree, report) in random_trees().filter(|(_, report)| report.nodes() > 500).take(6) {
        let size = report.nodes() as f64;
        for seed in 0..60 {
            let estimates = [
                Search::new(&tree).estimate(300, seed),
                Search::new(&tree).estimate_stratified(30, seed),
                Search::new(&tree).estimate_within(200, seed),
            ];
            for (covered, estimate) in covered.iter_mut().zip(estimates) {
                let (from, to) = estimate.interval().expect("there were probes");
                *covered += u32::from((from..=to).contains(&size));
            }
            all += 1;
        }
    }
    for covered in covered {
        let part = f64::from(covered) / f64::from(all);
        assert!((0.82..=0.97).contains(&part), "{part}");
    }
}
