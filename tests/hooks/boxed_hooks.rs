//! Boxed hooks, chosen at run time, with one and with several threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use secateurs::hook::BoxedHook;
use secateurs::search::Frontier;
use secateurs::{Effect, Hook, Limits, Node, NodeMut, Objective, Search, Verdict, hook};
use secateurs_problems::fire_net::{
    BoundKind, FireNetBoard, FireNetBranching, FireNetPrunings, FireNetSettings, maximum_matching,
};
use secateurs_problems::queens::{BitQueens, Queens};

/// A hook that counts the nodes that it entered and the clones made of it.
#[derive(Debug, Default)]
struct CountingHook {
    nodes: u64,
    clones: Arc<AtomicUsize>,
}

impl Clone for CountingHook {
    fn clone(&self) -> Self {
        self.clones.fetch_add(1, Ordering::Relaxed);
        CountingHook { nodes: self.nodes, clones: Arc::clone(&self.clones) }
    }
}

impl Hook<BitQueens> for CountingHook {
    fn name(&self) -> &str {
        "seen"
    }

    fn enter(&mut self, _: &mut NodeMut<'_, BitQueens>) -> Verdict {
        self.nodes += 1;
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("nodes".to_owned(), self.nodes)]
    }
}

#[test]
fn each_worker_has_its_own_clone() {
    let queens = Queens::new(10).expect("a size").bits();
    let counting = CountingHook::default();
    let clones = Arc::clone(&counting.clones);
    let hooks: Vec<BoxedHook<'_, BitQueens>> = vec![Box::new(counting)];
    let copy = hooks.clone();
    assert_eq!(clones.load(Ordering::Relaxed), 1);
    assert_eq!(format!("{:?}", copy[0]), "CloneHook(\"seen\")");

    let one_thread = Search::new(&queens).hooks(copy).count();
    let two_threads = Search::new(&queens).hooks(hooks).threads(2).count();
    assert!(clones.load(Ordering::Relaxed) >= 3);
    assert_eq!((one_thread.exact(), two_threads.exact()), (Some(724), Some(724)));
    assert_eq!(one_thread.report().nodes(), two_threads.report().nodes());
    let calls = |outcome: &secateurs::Outcome<_>| outcome.report().hooks()[0].calls();
    assert_eq!(calls(&one_thread), calls(&two_threads));
}

#[test]
fn hooks_with_borrowed_data_can_be_boxed() {
    let corners = [1, 1 << 7];
    let queens = Queens::new(8).expect("a size").bits();
    let avoid = hook::admit("avoid", Effect::Preserving, |node: &Node<'_, BitQueens>, square| {
        Verdict::prune_if(node.depth() == 0 && corners.contains(square))
    });
    let hooks: Vec<BoxedHook<'_, BitQueens>> = vec![Box::new(avoid)];
    assert_eq!(Search::new(&queens).hooks(hooks).threads(2).count().exact(), Some(92 - 2 * 4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn threads_and_resumed_runs_prove_the_same_optimum(
        (rows, columns, empty, seed) in (1..6_usize, 1..6_usize, 0.5..0.95, any::<u64>()),
        numbers in prop::collection::vec(1..=10_usize, 0..10),
        is_bounded: bool,
        branching in prop::sample::select(FireNetBranching::ALL.to_vec()),
        nodes in 5..50_u64,
    ) {
        let board = FireNetBoard::random(rows, columns, empty, seed).expect("in range");
        let settings = FireNetSettings::default()
            .prunings(FireNetPrunings::of(numbers))
            .bound(is_bounded.then_some(BoundKind::Segments))
            .branching(branching);
        let expected = Some(maximum_matching(&board).len());
        let objective =
            || Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));

        let placed = objective();
        let outcome = settings.search(&board, placed.incumbent()).threads(2).best(&placed);
        prop_assert_eq!(outcome.proven().copied(), expected);

        let (placed, mut frontier) = (objective(), Frontier::new());
        for round in 0_u32.. {
            // The first run has one thread, each later one has two and a higher limit.
            let search = settings
                .search(&board, placed.incumbent())
                .limits(Limits::new().nodes(nodes << round))
                .frontier(&mut frontier);
            let outcome =
                if round == 0 { search.best(&placed) } else { search.threads(2).best(&placed) };
            if frontier.is_exhausted() {
                prop_assert_eq!(outcome.proven().copied(), expected);
                prop_assert!(outcome.solution().is_some());
                break;
            }
            prop_assert_eq!(outcome.proven(), None);
        }
    }
}
