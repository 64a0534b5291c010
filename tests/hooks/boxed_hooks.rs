//! Boxed hooks, chosen at run time, with one and with several threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use secateurs::hook::BoxedHook;
use secateurs::{Hook, NodeMut, Search, Verdict};
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
    #[derive(Clone)]
    struct Avoid<'a>(&'a [u64]);

    impl Hook<BitQueens> for Avoid<'_> {
        fn name(&self) -> &str {
            "avoid"
        }

        fn admit(&mut self, node: &secateurs::Node<'_, BitQueens>, square: &u64) -> Verdict {
            Verdict::prune_if(node.depth() == 0 && self.0.contains(square))
        }
    }

    let corners = [1, 1 << 7];
    let queens = Queens::new(8).expect("a size").bits();
    let hooks: Vec<BoxedHook<'_, BitQueens>> = vec![Box::new(Avoid(&corners))];
    assert_eq!(Search::new(&queens).hooks(hooks).threads(2).count().exact(), Some(92 - 2 * 4));
}
