//! Estimates of trees, compared with the trees themselves.

use std::time::Duration;

use secateurs::brancher::Shuffled;
use secateurs::hook::Memo;
use secateurs::search::estimate::{Estimate, Sampling};
use secateurs::{
    Direction, Effect, Hook, Incumbent, Limits, Node, NodeMut, Objective, Search, Stop, Successors,
    Verdict, hook,
};
use secateurs_problems::queens::Queens;

use crate::shared::claiming::Claiming;
use crate::shared::estimates::{assert_profile, covered, error, nodes, random_trees};
use crate::shared::words::{Stairs, Words};
use crate::support::sizes::sized;
use crate::support::trees::{RandomTree, Trail};

mod edges;
mod heavy_tails;
mod within;

#[test]
fn standard_errors_cover_the_sizes_of_random_trees_as_often_as_they_should() {
    let (trees, probes) = sized((4, 200), (6, 2_000));
    for (tree, report) in random_trees().take(trees) {
        let (size, search) = (report.nodes() as f64, || Search::new(&tree));
        let sampled = covered(size, 100, |seed| search().estimate(probes, seed));
        let strata = covered(size, 100, |seed| search().estimate_stratified(probes / 10, seed));
        assert!(sampled.min(strata) >= 85, "{size} nodes: {sampled}, {strata}");
    }
}

#[test]
fn the_estimated_profile_is_that_of_the_tree() {
    let shuffled = || Shuffled::new(5);
    for (tree, report) in random_trees().take(sized(1, 20)) {
        let search = || Search::new(&tree);
        for estimate in [
            search().estimate(20_000, 1),
            search().brancher(shuffled()).estimate(20_000, 2),
            search().estimate_stratified(2_000, 3),
            search().brancher(shuffled()).estimate_stratified(2_000, 4),
        ] {
            assert_profile(&estimate, &report, 5.0);
        }
    }
}

/// [`Trail`] for a probe, which calls `leave_unfinished` where a search calls `leave`.
#[derive(Default)]
struct Probing(Trail);

impl Hook<RandomTree> for Probing {
    fn name(&self) -> &str {
        "trail"
    }
    fn effect(&self) -> Effect {
        Effect::Lossy
    }
    fn admit(&mut self, node: &Node<'_, RandomTree>, choice: &u32) -> Verdict {
        self.0.admit(node, choice)
    }
    fn enter(&mut self, node: &mut NodeMut<'_, RandomTree>) -> Verdict {
        self.0.enter(node)
    }
    fn leave(&mut self, _: &Node<'_, RandomTree>) {
        panic!("no probe searches a node to its end");
    }
    fn leave_unfinished(&mut self, node: &Node<'_, RandomTree>) {
        self.0.leave(node);
    }
}

/// Creates a hook that prunes by `admit` on the first two levels, and checks that it is not called
/// deeper.
fn first_two() -> impl Hook<RandomTree> {
    let admit = |node: &Node<'_, RandomTree>, choice: &u32| {
        assert!(node.depth() < 2);
        Verdict::prune_if(*choice == 2)
    };
    Claiming::new(hook::admit("first two", Effect::Lossy, admit)).levels(2)
}

/// Creates a hook that prunes in `enter`, after the hooks before it have entered.
fn every_fifth() -> impl Hook<RandomTree> {
    hook::enter("every fifth", Effect::Lossy, |node: &mut NodeMut<'_, RandomTree>| {
        Verdict::prune_if(node.depth() > 0 && node.path().iter().sum::<u32>().is_multiple_of(5))
    })
}

/// Creates a hook that cuts off the later siblings as well.
fn at_most_three() -> impl Hook<RandomTree> {
    hook::admit("at most three", Effect::Lossy, |node: &Node<'_, RandomTree>, &choice: &u32| {
        Verdict::prune_siblings_if(node.depth() % 2 == 1 && choice >= 3)
    })
}

#[test]
fn the_pruned_tree_is_estimated() {
    let mut smaller = 0;
    for (tree, report) in random_trees().take(20) {
        let hooks = (first_two(), Trail::default(), every_fifth(), at_most_three());
        let pruned = Search::new(&tree).hooks(hooks).count().into_parts().1;
        smaller += u32::from(pruned.nodes() < report.nodes());
        let hooks = || (first_two(), Probing::default(), every_fifth(), at_most_three());
        let boxed: Vec<Box<dyn Hook<RandomTree>>> = vec![
            Box::new(first_two()),
            Box::new(Probing::default()),
            Box::new(every_fifth()),
            Box::new(at_most_three()),
        ];
        for estimate in [
            Search::new(&tree).hooks(hooks()).estimate(20_000, 1),
            Search::new(&tree).hooks(hooks()).estimate_stratified(2_000, 2),
            Search::new(&tree).hooks(boxed).estimate(20_000, 3),
        ] {
            assert_profile(&estimate, &pruned, 5.0);
        }
    }
    assert!(smaller > 10);
}

#[test]
fn a_hook_may_serve_several_estimates() {
    let (tree, _) = random_trees().next().expect("there are some");
    let mut trail = Probing::default();
    let first = nodes(&Search::new(&tree).hooks((&mut trail,)).estimate(100, 1));
    let _ =
        Search::new(&tree).hooks((&mut trail,)).limits(Limits::new().nodes(17)).estimate(100, 1);
    assert!(trail.0.is_at_the_root()); // every node was left
    let _ = Search::new(&tree)
        .hooks((&mut trail,))
        .limits(Limits::new().nodes(17))
        .estimate_stratified(100, 1);
    assert!(trail.0.is_at_the_root());
    assert_eq!(nodes(&Search::new(&tree).hooks((&mut trail,)).estimate(100, 1)), first);
}

#[test]
fn hooks_learn_nothing_from_probes() {
    let queens = Queens::new(6).expect("6 is in range").bits();
    let plain = nodes(&Search::new(&queens).estimate(500, 9));
    let mut failed =
        Memo::failed("failed", |_: &_, state: &secateurs_problems::queens::BitState| *state);
    let estimate = Search::new(&queens).hooks((&mut failed,)).estimate(500, 9);
    assert_eq!(nodes(&estimate), plain);
    assert_eq!(estimate.unlearned().collect::<Vec<_>>(), ["failed"]);
    let stats = Hook::<secateurs_problems::queens::BitQueens>::stats(&failed);
    assert!(stats.contains(&("entries".to_owned(), 0)), "{stats:?}");
    assert_eq!(Search::new(&queens).hooks((&mut failed,)).exists().exists(), Some(true));
}

#[test]
fn hooks_that_remember_visited_nodes_are_left_out() {
    let queens = Queens::new(6).expect("6 is in range").bits();
    let plain = nodes(&Search::new(&queens).estimate(500, 9));
    let visited =
        || Memo::visited("visited", |_: &_, state: &secateurs_problems::queens::BitState| *state);
    for boxed in [false, true] {
        let estimate = if boxed {
            Search::new(&queens)
                .hooks(vec![Box::new(visited()) as Box<dyn Hook<_>>])
                .estimate(500, 9)
        } else {
            Search::new(&queens).hooks((visited(),)).estimate(500, 9)
        };
        assert_eq!(nodes(&estimate), plain);
        assert_eq!(estimate.left_out().collect::<Vec<_>>(), ["visited"]);
        assert!(estimate.to_string().contains("Without `visited`"));
    }
    let estimate = Search::new(&queens).hooks((visited(),)).estimate_stratified(50, 9);
    assert_eq!(estimate.left_out().count(), 1);
    assert!(nodes(&estimate) > 100.0);
}

#[test]
fn strata_of_equal_subtrees_give_exact_estimates() {
    let stairs = Stairs(24);
    let report = Search::new(&stairs).count().into_parts().1;
    for seed in 0..10 {
        let estimate = Search::new(&stairs).estimate_stratified_by(3, seed, |node| *node.state());
        assert_eq!((nodes(&estimate), error(&estimate)), (report.nodes() as f64, 0.0));
        assert_eq!(estimate.sampling(), Sampling::Strata);
        assert_profile(&estimate, &report, 0.0);
        let probes = Search::new(&stairs).estimate(1_000, seed);
        assert!(error(&probes) > 0.01 * report.nodes() as f64);
    }
}

#[test]
fn strata_reduce_the_error() {
    let queens = Queens::new(10).expect("10 is in range").bits();
    let probes = Search::new(&queens).estimate(2_000, 1);
    let strata = Search::new(&queens).estimate_stratified(2_000, 1);
    assert!(error(&strata) < 0.8 * error(&probes), "{} and {}", error(&strata), error(&probes));
}

#[test]
fn probes_use_the_incumbent() {
    let subsets = Words::subsets(12);
    let sum = Objective::maximise(|_: &Words, set: &Vec<u32>| set.iter().sum::<u32>());
    let rest = |_: &Words, set: &Vec<u32>| {
        let next = set.last().map_or(0, |last| last + 1);
        set.iter().sum::<u32>() + (next..12).sum::<u32>()
    };
    let plain = Search::new(&subsets).hooks((sum.bound("rest", rest),)).count().into_parts().1;
    let search = || Search::new(&subsets).hooks((sum.bound("rest", rest),));
    assert_profile(&search().estimate(10_000, 1), &plain, 5.0);
    let _ = sum.incumbent().offer(50);
    // Counting offers no values: the incumbent stays.
    let pruned = search().count().into_parts().1;
    assert!(pruned.nodes() < plain.nodes());
    assert_profile(&search().estimate(10_000, 1), &pruned, 5.0);
    assert_eq!(sum.incumbent().get(), Some(50));
}

#[test]
fn the_same_seed_gives_the_same_estimate() {
    let queens = Queens::new(9).expect("9 is in range").bits();
    let search = || Search::new(&queens);
    let numbers =
        |estimate: Estimate| (estimate.nodes(), estimate.levels().to_vec(), estimate.visited());
    assert_eq!(numbers(search().estimate(200, 7)), numbers(search().estimate(200, 7)));
    assert_ne!(numbers(search().estimate(200, 7)), numbers(search().estimate(200, 8)));
    let stratified = |seed| numbers(search().estimate_stratified(20, seed));
    assert_eq!(stratified(7), stratified(7));
    assert_ne!(stratified(7), stratified(8));
}

#[test]
fn stated_lower_bounds_hold() {
    // A comb: one leaf at each depth from 1 to 10, and a full binary tree below.
    let comb = Successors::new(
        (0, true),
        |_| false,
        |(depth, is_inner)| {
            let children = if is_inner && depth < 22 { 2 } else { 0 };
            (0..children).map(move |child| (depth + 1, depth >= 10 || child == 0))
        },
    );
    let (_, report) = Search::new(&comb).count().into_parts();
    let size = report.nodes() as f64;
    let estimates: Vec<Estimate> =
        (0..200).map(|seed| Search::new(&comb).estimate(200, seed)).collect();
    let bounded = estimates
        .iter()
        .filter(|estimate| estimate.at_least(0.95).is_some_and(|least| least <= size));
    assert!(bounded.count() >= 190);
    // The interval is wrong much too often here, and without a warning if no probe reached the
    // binary tree.
    let missed = estimates
        .iter()
        .filter(|estimate| estimate.interval().is_some_and(|(_, to)| to < size))
        .count();
    assert!(missed > 100, "{missed}");
    let hit = estimates
        .iter()
        .find(|estimate| nodes(estimate) > size / 2.0)
        .expect("some probe reaches the binary tree");
    assert!(hit.to_string().contains("Not to be relied on") && !hit.is_reliable(), "{hit}");
    assert!(estimates[0].at_least(1.0).is_none() && estimates[0].at_least(-0.1).is_none());
    assert!(estimates[0].at_least(f64::NAN).is_none());
}

#[test]
fn an_undeclared_read_of_an_incumbent_makes_an_estimate_unreliable() {
    let queens = Queens::new(6).expect("a size").bits();
    let known = Incumbent::new(Direction::Maximise);
    known.offer(0);
    for reads in [false, true] {
        let mut incumbent = known.clone();
        let decide = |node: &mut NodeMut<'_, _>| {
            Verdict::prune_if(reads && !incumbent.is_beaten_by(&(6 - node.depth())))
        };
        let search = Search::new(&queens).enter("reads", Effect::Preserving, decide);
        let estimate = search.estimate(2_000, 1);
        assert_eq!(estimate.is_reliable(), !reads, "{estimate}");
        assert_eq!(estimate.incumbent_hooks().count(), usize::from(reads));
    }
}

#[test]
fn progress_with_fractions_does_not_stop_estimates() {
    let queens = Queens::new(10).expect("a size").bits();
    let alone = Search::new(&queens).estimate(5_000, 1);
    let search = || Search::new(&queens).progress(Duration::ZERO, |_| {}).fraction();
    for (estimate, probes) in
        [(search().estimate(5_000, 1), 5_000), (search().estimate_stratified(50, 1), 50)]
    {
        assert_eq!((estimate.probes(), estimate.stop()), (probes, Stop::Satisfied));
    }
    // With a clock to poll, the first batches are smaller, so these are other probes.
    let (alone, watched) = (nodes(&alone), nodes(&search().estimate(5_000, 1)));
    assert!((alone / watched - 1.0).abs() < 0.1, "{alone} {watched}");
}
