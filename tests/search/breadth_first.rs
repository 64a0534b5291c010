//! The breadth-first walk against the depth-first one, on random trees.

use proptest::prelude::*;
use secateurs::hook::HookMemory;
use secateurs::{
    Branch, Effect, Hook, Node, NodeMut, Problem, Search, Stop, Successors, Verdict, hook,
};

/// A tree given node by node; node 0 is the root.
#[derive(Clone, Debug)]
struct Tree {
    children: Vec<Vec<usize>>,
    solutions: Vec<bool>,
}

/// The nodes from the root to the current node, and the number of tightenings on this path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PathState {
    nodes: Vec<usize>,
    tightened: u64,
}

impl PathState {
    fn node(&self) -> usize {
        *self.nodes.last().expect("the root at least")
    }
}

impl Problem for Tree {
    type State = PathState;
    type Cursor = usize;
    type Choice = usize;
    type Undo = u64;

    fn root(&self) -> PathState {
        PathState { nodes: vec![0], tightened: 0 }
    }
    fn branch(&self, state: &PathState) -> Branch<usize> {
        let node = state.node();
        match (self.solutions[node], self.children[node].is_empty()) {
            (true, true) => Branch::Solution,
            (true, false) => Branch::SolutionInner(0),
            // Some nodes without children are detected only by `next`.
            (false, true) if node.is_multiple_of(2) => Branch::DeadEnd,
            (false, _) => Branch::Inner(0),
        }
    }
    fn next(&self, state: &PathState, cursor: &mut usize) -> Option<usize> {
        *cursor += 1;
        self.children[state.node()].get(*cursor - 1).copied()
    }
    fn apply(&self, state: &mut PathState, &child: &usize) -> u64 {
        state.nodes.push(child);
        state.tightened
    }
    fn undo(&self, state: &mut PathState, child: &usize, tightened: u64) {
        assert_eq!(state.nodes.pop().as_ref(), Some(child));
        state.tightened = tightened;
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    prop::collection::vec((any::<prop::sample::Index>(), prop::bool::weighted(0.2)), 1..60)
        .prop_map(|nodes| {
            let mut tree = Tree { children: vec![Vec::new(); nodes.len()], solutions: Vec::new() };
            for (node, (parent, solution)) in nodes.into_iter().enumerate() {
                if node > 0 {
                    tree.children[parent.index(node)].push(node);
                }
                tree.solutions.push(solution);
            }
            tree
        })
}

/// A hook that stores the path in itself, and checks every call against it.
#[derive(Default)]
struct Trail {
    nodes: Vec<usize>,
    entered: usize,
    left: usize,
    /// Whether to prune at every third call of `enter`: a verdict that changes from call to call.
    fickle: bool,
    pruned: usize,
}

impl Hook<Tree> for Trail {
    fn name(&self) -> &str {
        "trail"
    }
    fn admit(&mut self, node: &Node<'_, Tree>, _: &usize) -> Verdict {
        if !self.fickle {
            assert_eq!(self.nodes, node.state().nodes);
        }
        Verdict::Keep
    }
    fn enter(&mut self, node: &mut NodeMut<'_, Tree>) -> Verdict {
        assert_eq!(node.path().to_vec(), node.state().nodes[1..]);
        if self.fickle && (self.entered + self.pruned) % 3 == 2 {
            self.pruned += 1;
            return Verdict::Prune;
        }
        self.entered += 1;
        self.nodes.push(node.state().node());
        if !self.fickle {
            assert_eq!(self.nodes, node.state().nodes);
        }
        Verdict::Keep
    }
    fn leave(&mut self, node: &Node<'_, Tree>) {
        self.left += 1;
        assert_eq!(self.nodes.pop(), Some(node.state().node()));
    }
}

/// A hook that does not follow the path.
#[derive(Default)]
struct Once {
    entered: Vec<usize>,
    current: Option<usize>,
    unfinished: usize,
}

impl Hook<Tree> for Once {
    fn name(&self) -> &str {
        "once"
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
    fn enter(&mut self, node: &mut NodeMut<'_, Tree>) -> Verdict {
        assert_eq!(self.current, None, "left before the next node is entered");
        assert_eq!(node.path().iter().copied().collect::<Vec<_>>(), node.state().nodes[1..]);
        self.entered.push(node.state().node());
        self.current = Some(node.state().node());
        Verdict::Keep
    }
    fn leave(&mut self, _: &Node<'_, Tree>) {
        panic!("each node is left before its subtree would be searched");
    }
    fn leave_unfinished(&mut self, node: &Node<'_, Tree>) {
        assert_eq!(self.current.take(), Some(node.state().node()));
        self.unfinished += 1;
    }
}

proptest! {
    #[test]
    fn nodes_come_level_by_level(tree in trees()) {
        let mut once = Once::default();
        let mut depths = Vec::new();
        let watch = hook::watch("depths", |node| depths.push(node.depth()));
        let outcome = Search::new(&tree).hooks((&mut once, watch)).breadth_first().count();
        prop_assert!(outcome.exact().is_some());
        prop_assert!(depths.is_sorted());
        prop_assert_eq!((once.current, once.unfinished), (None, tree.children.len()));
        // Each node once, and within a level the children of earlier nodes before those of later
        // ones.
        let mut expected = vec![0];
        let mut next = 0;
        while next < expected.len() {
            expected.extend(&tree.children[expected[next]]);
            next += 1;
        }
        prop_assert_eq!(once.entered, expected);
    }

    #[test]
    fn the_first_solution_is_shallowest(tree in trees()) {
        let shallowest = Search::new(&tree).solutions().map(|path| path.len()).min();
        let first = Search::new(&tree).breadth_first().first();
        prop_assert_eq!(first.solution().map(Vec::len), shallowest);
        prop_assert_eq!(first.is_proven_none(), shallowest.is_none());
        if let Some(path) = first.solution() {
            let mut node = 0;
            for &child in path {
                prop_assert!(tree.children[node].contains(&child));
                node = child;
            }
            prop_assert!(tree.solutions[node]);
        }
    }

    #[test]
    fn hooks_that_follow_the_path_see_it_replayed(tree in trees(), fickle: bool) {
        let mut trail = Trail { fickle, ..Trail::default() };
        let outcome = Search::new(&tree).hooks((&mut trail,)).breadth_first().count();
        prop_assert_eq!(outcome.stop(), Stop::Exhausted);
        prop_assert!(trail.nodes.is_empty());
        prop_assert_eq!(trail.entered, trail.left);
        if !fickle {
            prop_assert_eq!(outcome.report().nodes(), tree.children.len() as u64);
        }
    }

    #[test]
    fn tightening_persists_and_credits_count_once(tree in trees(), follow: bool) {
        // The state of every node counts the nodes above it; a replay must neither lose that nor
        // credit anything again.
        let mut credits = 0;
        let tighten = hook::enter("tighten", Effect::Preserving, |node: &mut NodeMut<'_, Tree>| {
            assert_eq!(node.state().tightened, node.depth() as u64);
            node.state_mut().tightened += 1;
            node.credit(100);
            credits += 1;
            Verdict::Keep
        });
        let mut trail = Trail::default();
        let outcome = Search::new(&tree)
            .hooks((tighten, follow.then_some(&mut trail)))
            .breadth_first()
            .check_undo()
            .count();
        let solutions = tree.solutions.iter().filter(|&&solution| solution).count() as u128;
        prop_assert_eq!(outcome.exact(), Some(solutions + 100 * tree.children.len() as u128));
        prop_assert!(follow || credits == tree.children.len());
    }
}

#[test]
fn deep_and_narrow_trees_cost_time_linear_in_their_nodes() {
    // Walking from one corridor to the other and back at every level would take 8 · 10¹⁰ steps.
    let length = 200_000;
    let corridors = Successors::new(
        (0, 0),
        |&at| at == (1, length),
        |(corridor, steps)| match (corridor, steps) {
            (0, _) => vec![(1, 1), (2, 1)],
            (_, steps) if steps == length => vec![],
            _ => vec![(corridor, steps + 1)],
        },
    );
    let outcome = Search::new(&corridors).breadth_first().first();
    assert_eq!(outcome.solution().map(Vec::len), Some(200_000));
    assert_eq!(outcome.report().depth(), 200_000);
}
