//! Iterative deepening against breadth-first search.

use proptest::prelude::*;
use secateurs::search::IterativeDeepening;
use secateurs::{Limits, Search, Stop};

use crate::support::trees::RandomTree;

proptest! {
    #[test]
    fn the_first_solution_is_a_shallowest_one(seed: u64, width in 1..5u32, depth in 0..8usize) {
        let tree = RandomTree::new(seed, width, depth);
        let shallowest = Search::new(&tree).breadth_first().first();
        let found = IterativeDeepening::new().first(|| Search::new(&tree));
        prop_assert_eq!(found.solution(), shallowest.solution());
        prop_assert_eq!(found.is_proven_none(), shallowest.is_proven_none());
        let coarse = IterativeDeepening::new().step(3).first(|| Search::new(&tree));
        prop_assert_eq!(coarse.exists(), shallowest.exists());
        let (deep, shallow) =
            (coarse.solution().map_or(0, Vec::len), shallowest.solution().map_or(0, Vec::len));
        // Steps of three levels pass the shallowest solution by two levels at most.
        prop_assert!(deep <= shallow + 2);
    }
}

#[test]
fn limits_cover_all_deepening_runs_together() {
    let tree = (0..).map(|seed| RandomTree::new(seed, 4, 9));
    let mut tree = tree.filter(|tree| Search::new(tree).count().report().depth() > 6);
    let tree = tree.next().expect("some tree is deep");
    // The hook prunes all solutions, so the runs go on until the whole tree is searched.
    let none = || {
        secateurs::hook::enter(
            "none",
            secateurs::Effect::Lossy,
            |node: &mut secateurs::NodeMut<'_, RandomTree>| {
                secateurs::Verdict::prune_if(tree.is_solution(node.state()))
            },
        )
    };
    let all = IterativeDeepening::new().first(|| Search::new(&tree).hooks((none(),)));
    assert_eq!((all.stop(), all.exists()), (Stop::Exhausted, None));
    let nodes = all.report().nodes();
    for limit in 0..nodes {
        let limits = Limits::new().nodes(limit);
        let outcome =
            IterativeDeepening::new().limits(limits).first(|| Search::new(&tree).hooks((none(),)));
        assert_eq!((outcome.stop(), outcome.report().nodes()), (Stop::NodeLimit, limit));
    }
    let limits = Limits::new().depth(0);
    let outcome =
        IterativeDeepening::new().limits(limits).first(|| Search::new(&tree).hooks((none(),)));
    assert!(matches!(outcome.stop(), Stop::DepthLimit | Stop::Exhausted));
}
