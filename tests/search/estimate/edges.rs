//! Estimates of extreme trees and runs: one node, infinite, wide, limited.

use std::time::Duration;

use secateurs::search::estimate::Estimate;
use secateurs::{
    Cancel, Effect, Hooks, Limits, Node, NodeMut, Problem, Search, Stop, Successors, Verdict, hook,
};
use secateurs_problems::queens::Queens;

use super::Stairs;
use crate::shared::estimates::{assert_profile, error, nodes};
use crate::shared::words::Full;

#[test]
fn estimates_of_trees_of_one_node_are_exact() {
    // The root is the solution.
    let empty = Stairs(0);
    let cut = || (hook::enter("cut", Effect::Lossy, |_: &mut NodeMut<'_, Stairs>| Verdict::Prune),);
    let admits_none =
        || (hook::admit("none", Effect::Lossy, |_: &Node<'_, Stairs>, _: &u32| Verdict::Prune),);
    /// Returns the estimates by probes and by strata.
    fn both<P: Problem, H: Hooks<P>>(problem: &P, hooks: impl Fn() -> H) -> [Estimate; 2] {
        let search = || Search::new(problem).hooks(hooks());
        [search().estimate(10, 1), search().estimate_stratified(10, 1)]
    }
    let alone = both(&empty, || ());
    assert_eq!(alone[0].solutions().map(|solutions| solutions.mean), Some(1.0));
    for estimate in alone.iter().chain(&both(&Stairs(9), cut)).chain(&both(&Stairs(9), admits_none))
    {
        assert_eq!((nodes(estimate), error(estimate), estimate.levels().len()), (1.0, 0.0, 1));
        assert_eq!(
            (estimate.stop(), estimate.probes(), estimate.visited()),
            (Stop::Satisfied, 10, 1)
        );
        assert_eq!(estimate.at_least(0.95), Some(1.0));
        assert!(
            !estimate.to_string().contains("Not to be relied on") && estimate.is_reliable(),
            "{estimate}"
        );
    }
    let patient = Search::new(&empty)
        .limits(Limits::new().time(Duration::from_millis(20)))
        .estimate(u64::MAX, 1);
    assert_eq!((patient.stop(), nodes(&patient)), (Stop::TimeLimit, 1.0));
}

#[test]
fn two_equal_probes_of_a_tree_with_branches_are_unreliable() {
    let queens = Queens::new(8).expect("8 is in range").bits();
    let two = Search::new(&queens).limits(Limits::new().depth(1)).estimate(2, 1);
    assert_eq!((nodes(&two), error(&two), two.is_reliable()), (9.0, 0.0, false));
    let many = Search::new(&queens).limits(Limits::new().depth(1)).estimate(20, 1);
    assert!(many.is_reliable());
}

#[test]
fn without_probes_nothing_is_estimated_and_one_probe_has_no_standard_error() {
    let queens = Queens::new(8).expect("8 is in range").bits();
    for none in
        [Search::new(&queens).estimate(0, 1), Search::new(&queens).estimate_stratified(0, 1)]
    {
        assert_eq!((none.stop(), none.probes(), none.visited()), (Stop::Satisfied, 0, 0));
        assert!(none.nodes().is_none() && none.solutions().is_none() && none.interval().is_none());
        assert!(
            none.at_least(0.5).is_none() && none.levels().is_empty() && none.time(1e6).is_none()
        );
        assert!(none.to_string().contains("Nothing is estimated"));
    }
    let one = Search::new(&queens).estimate(1, 1);
    assert!(one.nodes().is_some_and(|nodes| nodes.standard_error.is_none() && nodes.mean >= 9.0));
    assert!(
        one.interval().is_none() && one.at_least(0.95).is_some() && one.largest_share().is_none()
    );
    assert!(!one.is_reliable());
}

#[test]
fn estimates_keep_their_limits() {
    let queens = Queens::new(10).expect("10 is in range").bits();
    let limited = |limits: Limits| {
        let search = || Search::new(&queens).limits(limits.clone());
        [search().estimate(1_000_000_000, 1), search().estimate_stratified(1_000_000_000, 1)]
    };
    for estimate in limited(Limits::new().nodes(5_000)) {
        assert_eq!((estimate.stop(), estimate.visited()), (Stop::NodeLimit, 5_000));
        assert!(estimate.probes() > 1 && estimate.nodes().is_some());
    }
    for nodes in [0, 1] {
        for estimate in limited(Limits::new().nodes(nodes)) {
            let found = (estimate.stop(), estimate.visited(), estimate.probes());
            assert_eq!(found, (Stop::NodeLimit, nodes, 0));
        }
    }
    for estimate in limited(Limits::new().time(Duration::from_millis(5))) {
        assert_eq!(estimate.stop(), Stop::TimeLimit);
    }
    let cancel = Cancel::new();
    cancel.cancel();
    for estimate in limited(Limits::new().cancel(&cancel)) {
        assert_eq!((estimate.stop(), estimate.probes()), (Stop::Cancelled, 0));
    }
    // No solution is found, so the solution limit is not reached.
    let estimate = Search::new(&queens).limits(Limits::new().solutions(0)).estimate(10, 1);
    assert_eq!(estimate.stop(), Stop::Satisfied);
}

#[test]
fn a_depth_limit_limits_the_estimated_tree() {
    let queens = Queens::new(8).expect("8 is in range").bits();
    for depth in [0, 1, 4, 8, 9] {
        let search = || Search::new(&queens).limits(Limits::new().depth(depth));
        let (_, report) = search().count().into_parts();
        let stop = if depth < 8 { Stop::DepthLimit } else { Stop::Satisfied };
        for estimate in [search().estimate(5_000, 3), search().estimate_stratified(500, 3)] {
            assert_eq!(estimate.stop(), stop, "{depth}");
            assert_profile(&estimate, &report, 5.0);
        }
    }
}

/// An infinite tree with the given number of children at every node.
fn endless(width: u64) -> Full {
    Full { width, depth: u64::MAX }
}

#[test]
fn infinite_trees_are_probed_within_limits() {
    for (children, limits, stop) in [
        (2, Limits::new(), Stop::CountOverflow),
        (2, Limits::new().nodes(50), Stop::NodeLimit),
        (1, Limits::new().nodes(50_000), Stop::NodeLimit),
        (1, Limits::new().time(Duration::from_millis(20)), Stop::TimeLimit),
        (u64::MAX, Limits::new().time(Duration::from_millis(20)), Stop::TimeLimit),
    ] {
        let endless = endless(children);
        let search = || Search::new(&endless).limits(limits.clone());
        for estimate in [search().estimate(100, 1), search().estimate_stratified(100, 1)] {
            assert_eq!(estimate.stop(), stop);
            assert!(
                estimate.nodes().is_none()
                    && estimate.levels().is_empty()
                    && estimate.at_least(0.9).is_none()
            );
            assert!(estimate.to_string().contains("Nothing is estimated"));
        }
    }
    let deep = Search::new(&endless(2)).limits(Limits::new().depth(400)).estimate(100, 1);
    let size = 2f64.powi(401) - 1.0;
    assert_eq!(deep.stop(), Stop::DepthLimit);
    assert!((nodes(&deep) / size - 1.0).abs() < 1e-12 && error(&deep) <= 1e-12 * size);
    assert_eq!(deep.time(1e9), Some(Duration::MAX));
}

#[test]
fn wide_nodes_are_estimated() {
    // A root with one child, which has many children; the first half of them have one child each.
    let children = |(depth, number)| match depth {
        0 => 1,
        1 => 20_000,
        _ => u32::from(depth == 2 && 2 * number <= 20_000),
    };
    let wide = Successors::new(
        (0, 0),
        |_| false,
        |at| (1..=children(at)).map(move |child| (at.0 + 1, child)),
    );
    let estimate = Search::new(&wide).estimate(1_000, 1);
    let (_, report) = Search::new(&wide).count().into_parts();
    assert_eq!(report.nodes(), 30_002);
    assert_profile(&estimate, &report, 5.0);
    assert!(error(&estimate) > 0.0);
    let children = estimate.levels()[2].nodes;
    assert_eq!((children.mean, children.standard_error), (20_000.0, Some(0.0)));
    let root = Search::new(&endless(10_000)).limits(Limits::new().depth(1)).estimate(100, 1);
    assert_eq!((nodes(&root), error(&root)), (10_001.0, 0.0));
}
