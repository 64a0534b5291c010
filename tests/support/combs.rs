//! Combs: very deep or very wide trees.

use secateurs::{Branch, CopyProblem, Node, Objective, Search};

/// A path of `length` nodes with `width` children each. All children but the one on the path are
/// leaves; the only solution is the end of the path.
pub struct Comb {
    pub length: u64,
    pub width: u64,
}

impl CopyProblem for Comb {
    type State = (u64, bool);
    type Cursor = u64;
    type Choice = u64;

    fn root(&self) -> (u64, bool) {
        (0, false)
    }
    fn branch(&self, &(depth, leaf): &(u64, bool)) -> Branch<u64> {
        match (leaf, depth == self.length) {
            (false, true) => Branch::Solution,
            (false, false) => Branch::Inner(0),
            (true, _) => Branch::Inner(self.width),
        }
    }
    fn next(&self, _: &(u64, bool), cursor: &mut u64) -> Option<u64> {
        *cursor += 1;
        (*cursor <= self.width).then_some(*cursor - 1)
    }
    fn apply(&self, (depth, _): (u64, bool), &choice: &u64) -> (u64, bool) {
        (depth + 1, choice > 0)
    }
}

/// Checks best-first searches of combs, with room for all open nodes and for a thousand.
pub fn check_combs(combs: &[(u64, u64)]) {
    for &(length, width) in combs {
        let comb = Comb { length, width };
        for open in [usize::MAX, 1_000] {
            let depth = Objective::maximise(|_: &Comb, &(depth, _): &(u64, bool)| depth);
            // Deeper nodes are better, so all leaves stay open until the end.
            let outcome = Search::new(&comb).extract(|node: &Node<'_, Comb>| node.depth());
            let outcome =
                outcome.best_first(&depth, |_, &(depth, _)| depth).open_nodes(open).first();
            assert_eq!(outcome.solution(), Some(&(length as usize)));
            let outcome = Search::new(&comb)
                .best_first(&depth, |_, &(depth, _)| depth)
                .open_nodes(open)
                .count();
            assert_eq!(outcome.exact(), Some(1));
            assert_eq!(outcome.report().nodes(), 1 + length * width);
        }
    }
}
